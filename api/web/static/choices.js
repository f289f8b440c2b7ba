/** Decisions that are more than a verb and an amount: a control for every set of arguments the server would take. */

import { drawCard } from "./cards.js";
import { el } from "./dom.js";
import { range, shortCard, text } from "./texts.js";

/** Verb → its controls from (view, seat that decides, the sets of arguments, what sends one of them). */
const CONTROLS = { buy, declare };

/**
 * @param {any} view
 * @param {number} seat ours that decides
 * @param {(body: {verb: string}) => void} act
 * @returns {HTMLElement[]}
 */
export function choiceControls(view, seat, act) {
  const { choices } = view.hand;
  const verbs = Object.keys(choices).filter((verb) => verb in CONTROLS);
  return verbs.map((verb) => CONTROLS[verb](view, seat, choices[verb], (args) => act({ verb, ...args })));
}

/** One button per source: a card of the market at its price, or the top of the deck at any of them. */
function buy(view, _seat, offers, send) {
  const { market, legal } = view.hand;
  const button = ({ source }) => {
    const offer = market[source];
    const label = offer
      ? text("action.buy", { card: shortCard(offer.card), price: offer.price })
      : text("action.buy_unseen", { price: range(...legal.buy) });
    const picture = el("span", { "aria-hidden": "true" }, drawCard(offer?.card ?? null));
    const attributes = { type: "button", class: `act buy ${source}`, onclick: () => send({ source }) };
    return el("button", attributes, picture, label);
  };
  const places = ["left", "blind", "right"]; // as they lie on the table
  const inOrder = places.map((place) => offers.find(({ source }) => source === place)).filter(Boolean);
  return el("div", { class: "buttons pictures" }, ...inOrder.map(button));
}

function declare(_view, _seat, offers, send) {
  return picks("declare", offers, send);
}

/** A button for each word that may be chosen. */
function picks(verb, offers, send) {
  const button = ({ choice }) => {
    const attributes = { type: "button", class: `act ${verb} ${choice}`, onclick: () => send({ choice }) };
    return el("button", attributes, text(`${verb}.${choice}`));
  };
  return el("div", { class: "buttons" }, ...offers.map(button));
}
