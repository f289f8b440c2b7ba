/** The sale before the showdown: mark cards, then sell them for what the bank pays, or keep all. */

import { drawCard } from "./cards.js";
import { el } from "./dom.js";
import { ownCards } from "./seats.js";
import { shortCard, text } from "./texts.js";

/**
 * @param {any} view
 * @param {number} seat ours that may sell
 * @param {{indices: number[]}[]} sets what the server would take, by slots
 * @param {(offer: {indices: number[]}) => void} send
 */
export function sale(view, seat, sets, send) {
  const cards = ownCards(view)[seat];
  const worth = (slot) => view.hand.sale_prices[cards[slot][0]];
  const chosen = () => toggles.flatMap((toggle, slot) => (isPressed(toggle) ? [slot] : []));
  const offer = () => sets.find(({ indices }) => String(indices) === String(chosen()));
  const confirm = el("button", { type: "button", class: "act to sell", onclick: () => send(offer()) });
  const update = () => {
    const amount = chosen().reduce((sum, slot) => sum + worth(slot), 0);
    confirm.textContent = chosen().length ? text("sale.sell", { amount }) : text("sale.keep");
    confirm.disabled = !offer();
  };
  const toggles = cards.map((card, slot) => cardToggle(card, worth(slot), update));
  update();
  return el("div", { class: "sale" }, el("div", { class: "buttons pictures" }, ...toggles), confirm);
}

function cardToggle(card, price, changed) {
  const label = text("sale.card", { card: shortCard(card), price });
  const toggle = el("button", { type: "button", class: "act card-toggle", "aria-pressed": "false" });
  toggle.append(el("span", { "aria-hidden": "true" }, drawCard(card)), label);
  toggle.addEventListener("click", () => {
    toggle.setAttribute("aria-pressed", String(!isPressed(toggle)));
    changed();
  });
  return toggle;
}

function isPressed(toggle) {
  return toggle.getAttribute("aria-pressed") === "true";
}
