/** The action bar: what the server says is legal, as buttons that carry their amounts. */

import { choiceControls } from "./choices.js";
import { byId, el, refill } from "./dom.js";
import { onTurn, ownCards, ownSeats, seatLabel } from "./seats.js";
import { has, text } from "./texts.js";

const PLAIN = ["fold", "check", "call", "bring_in", "double", "show", "muck"];
const TO_AMOUNT = ["bet", "raise", "complete"];

export class ActionBar {
  /** @param {(body: {verb: string, seat: number, amount?: number}) => void} act */
  constructor(act) {
    this.act = act;
    this.bar = byId("bar");
    this.legal = {};
    this.presets = [];
    this.amount = 0;
    this.seat = 0;
  }

  /**
   * @param {any} view
   * @param {{name: string, amount: number}[]} presets
   */
  show(view, presets) {
    const turns = onTurn(view.hand);
    const seats = ownSeats(view).filter((seat) => turns.includes(seat));
    this.legal = seats.length ? view.hand.legal : {};
    this.presets = presets;
    const bounds = this.bounds();
    if (bounds && view.turn !== this.turn) {
      this.amount = bounds[0];
      this.turn = view.turn; // only now: the turn may be known before what is legal in it
    }
    this.seat = seats[0];
    refill(this.bar, [seats, this.legal, view.turn, view.hand?.choices, ownCards(view)], () =>
      seats.length ? this.controls(view, seats, bounds) : [],
    );
    this.fillPresets();
  }

  /** Several seats of ours are asked the same, each in a row of its own. */
  controls(view, seats, bounds) {
    const buttons = this.buttons();
    return [
      buttons.length ? el("div", { class: "buttons" }, ...buttons) : null,
      this.sizing(bounds),
      ...seats.flatMap((seat) => this.choices(view, seat)),
    ];
  }

  /** Where several seats are asked at once, each has its heading. */
  choices(view, seat) {
    const heading = el("p", { class: "asked" }, text("table.of_hand", { seat: seatLabel(seat) }));
    const controls = choiceControls(view, seat, (body) => this.act({ seat, ...body }));
    return view.hand.awaited.length ? [heading, ...controls] : controls;
  }

  lock(locked) {
    this.bar.toggleAttribute("inert", locked);
    this.bar.classList.toggle("locked", locked);
  }

  /** Least and most of the verb that goes to an amount; null if there is none. */
  bounds() {
    const verb = this.sizedVerb();
    return verb ? this.legal[verb] : null;
  }

  sizedVerb() {
    return TO_AMOUNT.find((verb) => verb in this.legal);
  }

  buttons() {
    const plain = PLAIN.filter((verb) => verb in this.legal).map((verb) => this.plainButton(verb));
    const verb = this.sizedVerb();
    return verb ? [...plain, this.sizedButton(verb)] : plain;
  }

  plainButton(verb) {
    const amount = this.legal[verb][0];
    const send = () => this.act({ verb, seat: this.seat, amount: verb === "bring_in" ? amount : undefined });
    return el("button", { type: "button", class: `act ${verb}`, onclick: send }, text(`action.${verb}`, { amount }));
  }

  sizedButton(verb) {
    const button = el("button", { type: "button", class: `act to ${verb}`, onclick: () => this.confirm() });
    button.textContent = text(`action.${verb}`, { amount: this.amount });
    return button;
  }

  /** Slider, number and presets; nothing to choose where the limit leaves one amount. */
  sizing(bounds) {
    if (!bounds || bounds[0] === bounds[1]) return null;
    const [min, max] = bounds;
    const set = (event) => this.set(Number(event.target.value), event.target);
    const enter = (event) => event.key === "Enter" && this.confirm();
    const shared = { min, max, step: 1, value: this.amount, oninput: set };
    return el(
      "div",
      { class: "sizing" },
      el("div", { class: "presets" }),
      el("input", { ...shared, type: "range", class: "slider", "aria-label": text("action.slider") }),
      el("input", { ...shared, type: "number", class: "amount", inputmode: "numeric", "aria-label": text("action.amount"), onkeydown: enter }),
    );
  }

  fillPresets() {
    const row = this.bar.querySelector(".presets");
    if (!row) return;
    refill(row, this.presets, () => this.presets.map((preset) => this.presetButton(preset)));
  }

  presetButton({ name, amount }) {
    const label = has(`preset.${name}`) ? text(`preset.${name}`) : name;
    return el("button", { type: "button", class: "preset", onclick: () => this.set(amount) }, label);
  }

  /** Show the amount everywhere except where it is being typed. */
  set(amount, from = null) {
    this.amount = amount;
    for (const input of this.bar.querySelectorAll("input")) if (input !== from) input.value = String(amount);
    const bad = !this.possible();
    for (const input of this.bar.querySelectorAll("input")) input.setAttribute("aria-invalid", String(bad));
    const button = this.bar.querySelector(".act.to");
    button.textContent = text(`action.${this.sizedVerb()}`, { amount });
    button.disabled = bad;
  }

  possible() {
    const [least, most] = this.bounds() ?? [1, 0];
    return Number.isInteger(this.amount) && least <= this.amount && this.amount <= most;
  }

  /** Send the amount, if it is one that the server would take. */
  confirm() {
    if (this.possible()) this.act({ verb: this.sizedVerb(), seat: this.seat, amount: this.amount });
  }
}
