/** The shop of a betting turn: every item with its price and who gets it; what may be bought now has a button, the rest a reason. */

import { el } from "./dom.js";
import { placeText } from "./looks.js";
import { text } from "./texts.js";

let open = false; // as the reader has left it

/**
 * @param {any} view
 * @param {number} seat ours on turn, which pays
 * @param {{item: string, target?: number, slot?: number}[]} offers what the server would sell
 * @param {(offer: {item: string}) => void} send
 */
export function shop(view, seat, offers, send) {
  const { prices, extra_cards: extra, extra_cards_most: most } = view.hand;
  const rows = Object.keys(prices).map((item) => row(view, item, offers.filter((offer) => offer.item === item), send));
  const toggle = (event) => {
    open = event.target.open;
  };
  return el(
    "details",
    { class: "shop", open, ontoggle: toggle },
    el("summary", {}, el("span", {}, text("shop.title")), el("small", {}, text("shop.extra_cards", { count: extra[seat] ?? 0, most }))),
    el("ul", {}, ...rows),
  );
}

function row(view, item, offers, send) {
  const { prices, destinations } = view.hand;
  const price = text(`shop.to_${destinations[item]}`, { amount: prices[item] });
  return el(
    "li",
    { class: offers.length ? null : "sold-out" },
    el("span", { class: "item" }, text(`item.${item}`), el("small", {}, price)),
    ...(offers.length ? control(view, item, offers, send) : [el("span", { class: "quiet" }, reason(item, view.hand.not_for_sale[item]))]),
  );
}

/** Why there is none of it now, by the code with which the server would refuse it. */
function reason(item, code) {
  return text(code === "purchase_not_available" ? `shop.none.${item}` : `problem.${code}`);
}

/** A button, beside the choice of the card where there is more than one. */
function control(view, item, offers, send) {
  const label = text("shop.which", { item: text(`item.${item}`) });
  const options = offers.map((offer, number) => el("option", { value: number }, placeText(view, offer)));
  const which = offers.length > 1 ? el("select", { "aria-label": label }, ...options) : null;
  const place = which ?? el("span", { class: "quiet" }, placeText(view, offers[0]));
  const onclick = () => send(offers[which ? Number(which.value) : 0]);
  const name = text("shop.buy_item", { item: text(`item.${item}`) });
  const button = { type: "button", class: `purchase ${item}`, "aria-label": name, onclick };
  return [place, el("button", button, text("shop.buy"))];
}
