/** The action bar: what the server says is legal, as buttons that carry their amounts. */

import { byId, el, refill } from "./dom.js";
import { has, text } from "./texts.js";

const PLAIN = ["fold", "check", "call", "bring_in", "double", "show", "muck"];
const TO_AMOUNT = ["bet", "raise", "complete"];

export class ActionBar {
  /** @param {(verb: string, amount?: number) => void} act */
  constructor(act) {
    this.act = act;
    this.bar = byId("bar");
    this.legal = {};
    this.presets = [];
    this.amount = 0;
  }

  /**
   * @param {Record<string, [number, number]>} legal verb → least, most; empty when it is not our turn
   * @param {{name: string, amount: number}[]} presets
   * @param {number} turn a new decision starts from its least amount
   */
  show(legal, presets, turn) {
    this.legal = legal;
    this.presets = presets;
    const bounds = this.bounds();
    if (bounds && turn !== this.turn) {
      this.amount = bounds[0];
      this.turn = turn; // only now: the turn may be known before what is legal in it
    }
    const buttons = this.buttons();
    refill(this.bar, [legal, turn], () =>
      buttons.length ? [el("div", { class: "buttons" }, ...buttons), this.sizing(bounds)] : [],
    );
    this.fillPresets();
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
    const send = () => this.act(verb, verb === "bring_in" ? amount : undefined);
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
    if (this.possible()) this.act(this.sizedVerb(), this.amount);
  }
}
