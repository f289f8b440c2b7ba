/** The own cards, large, and what they make; of each hand where the reader has two. */

import { drawCards } from "./cards.js";
import { byId, el, refill } from "./dom.js";
import { seenTexts } from "./looks.js";
import { onTurn, ownCards, seatLabel } from "./seats.js";
import { handName, text } from "./texts.js";

/**
 * @param {any} view
 * @param {Record<number, {share: string, category?: string, ranks?: string}[]>} names by seat: what the server says the
 *   cards make for each share of the pot
 */
export function drawOwn(view, names) {
  const cards = ownCards(view);
  const hands = Object.keys(cards).map((seat) => handOf(view, Number(seat), cards[seat], names[seat] ?? []));
  const dealt = hands.filter(({ cards }) => cards.length);
  const own = byId("own");
  own.hidden = !dealt.length;
  const seen = seenTexts(view);
  refill(own, [dealt, hands.length, seen], () => [
    ...dealt.map((hand) => draw(hand, hands.length > 1)),
    seen.length ? el("p", { class: "own-seen" }, text("look.all", { cards: seen.join(" · ") })) : null,
  ]);
}

function handOf(view, seat, cards, names) {
  const place = view.seats[seat];
  const account = (view.hand?.accounts ?? []).find((one) => one.seat === seat) ?? null;
  const turn = onTurn(view.hand).includes(seat);
  const folded = Boolean(place?.folded);
  return { seat, cards, names, account, turn, up: place?.up ?? [], folded, state: place?.state };
}

function draw({ seat, cards, names, account, turn, up, folded, state }, several) {
  const label = several ? text("table.own_hand", { seat: seatLabel(seat) }) : text("table.own_cards");
  const row = { class: `cards many-${cards.length}`, role: "group", "aria-label": label };
  const word = turn ? text("table.to_act") : folded ? text(`state.${state}`) : "";
  return el(
    "div",
    { class: `own-seat${folded ? " folded" : ""}${several && turn ? " acting" : ""}` },
    several ? el("p", { class: "own-label" }, el("strong", {}, seatLabel(seat)), word ? ` · ${word}` : null) : null,
    el("div", row, ...drawCards(cards, up)),
    ...names.map((name) => el("p", { class: "own-hand" }, nameText(name))),
    account ? el("p", { class: "own-account" }, accountText(account)) : null,
  );
}

/** High and low in their own lines; a share that the hand does not qualify for is said too. */
function nameText(name) {
  return text(`table.${name.share}`, { hand: name.category ? handName(name) : text("table.no_low") });
}

/** What the hand has cost so far. */
function accountText({ ante, prices, bets }) {
  return text("table.account", { ante, cards: prices.reduce((sum, price) => sum + price, 0), bets });
}
