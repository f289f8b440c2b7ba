/** Decisions that are more than a verb and an amount: a control for every set of arguments the server would take. */

import { drawCard } from "./cards.js";
import { el } from "./dom.js";
import { sale } from "./sale.js";
import { namer, ownCards } from "./seats.js";
import { shop } from "./shop.js";
import { range, shortCard, text } from "./texts.js";

/** Verb → its controls from (view, seat that decides, the sets of arguments, what sends one of them). */
const CONTROLS = { buy, declare, exb: extraBlind, purchase: shop, reveal, sell: sale };

/**
 * @param {any} view
 * @param {number} seat ours that decides
 * @param {(body: {verb: string}) => void} act
 * @returns {HTMLElement[]}
 */
export function choiceControls(view, seat, act) {
  const choices = { ...soldOut(view.hand), ...view.hand.choices };
  const verbs = Object.keys(choices).filter((verb) => verb in CONTROLS);
  return verbs.map((verb) => CONTROLS[verb](view, seat, choices[verb], (args) => act({ verb, ...args })));
}

/** A shop that has nothing to sell now is there too: it says why. */
function soldOut({ not_for_sale: reasons }) {
  return Object.keys(reasons ?? {}).length ? { purchase: [] } : {};
}

/** One button per source: a card of the market at its price, or the top of the deck at any of them. */
function buy(view, _seat, offers, send) {
  const { market, legal } = view.hand;
  const button = ({ source }) => {
    const offer = market[source];
    const label = offer
      ? text("action.buy", { card: shortCard(offer.card), price: offer.price })
      : text("action.buy_unseen", { price: range(...legal.buy) });
    return pictured(`buy ${source}`, offer?.card ?? null, label, () => send({ source }));
  };
  const places = ["left", "blind", "right"]; // as they lie on the table
  const inOrder = places.map((place) => offers.find(({ source }) => source === place)).filter(Boolean);
  return el("div", { class: "buttons pictures" }, ...inOrder.map(button));
}

/** The owner picks which of his cards the buyer is shown. */
function reveal(view, seat, slots, send) {
  const player = namer(view)(view.hand.awaiting_reveal.buyer);
  const button = ({ index }) => {
    const card = ownCards(view)[seat][index];
    return pictured("reveal", card, text("action.reveal", { card: shortCard(card), player }), () => send({ index }));
  };
  return el("div", { class: "buttons pictures" }, ...slots.map(button));
}

function pictured(kind, card, label, onclick) {
  const picture = el("span", { "aria-hidden": "true" }, drawCard(card));
  return el("button", { type: "button", class: `act ${kind}`, onclick }, picture, label);
}

function extraBlind(view, seat, offers, send) {
  return picks("exb", offers, send, { amount: view.hand.lacking[seat] });
}

function declare(_view, _seat, offers, send) {
  return picks("declare", offers, send);
}

/** A button for each word that may be chosen. */
function picks(verb, offers, send, values = {}) {
  const button = ({ choice }) => {
    const attributes = { type: "button", class: `act ${verb} ${choice}`, onclick: () => send({ choice }) };
    return el("button", attributes, text(`${verb}.${choice}`, values));
  };
  return el("div", { class: "buttons" }, ...offers.map(button));
}
