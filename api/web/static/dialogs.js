/** Sitting down and adding chips: one dialog that asks for what is needed. */

import { Problem } from "./api.js";
import { byId, el } from "./dom.js";
import { text } from "./texts.js";

/**
 * Ask for chips, and for a name where `named`. `send` gets the answers; a Problem it throws is shown in the dialog.
 * @param {{title: string, confirm: string, named: boolean, least: number, most: number | null}} what
 * @param {(answer: {name: string, chips: number}) => Promise<void>} send
 */
export function askChips(what, send) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("ask"));
  const name = el("input", { name: "name", required: true, maxlength: 40, autocomplete: "nickname" });
  const chips = chipsInput(what);
  const trouble = el("p", { class: "trouble", role: "alert" });
  const form = el(
    "form",
    { onsubmit: (event) => submit(event, dialog, trouble, () => send(answerOf(name, chips))) },
    el("h2", { id: "ask-title" }, what.title),
    what.named ? el("label", {}, el("span", {}, text("sit.name")), name) : null,
    el("label", {}, el("span", {}, text("sit.chips")), chips, el("small", {}, boundsText(what))),
    trouble,
    el("div", { class: "buttons" }, cancel(dialog), el("button", { class: "act to" }, what.confirm)),
  );
  dialog.replaceChildren(form);
  dialog.showModal();
}

function chipsInput({ least, most }) {
  const value = most === null ? 5 * least : Math.min(most, Math.max(least, Math.round(most / 2)));
  return el("input", { name: "chips", type: "number", inputmode: "numeric", required: true, min: least, max: most, value });
}

function boundsText({ least, most }) {
  return most === null ? text("sit.bounds_open", { least }) : text("sit.bounds", { least, most });
}

export function cancel(dialog, key = "sit.cancel") {
  return el("button", { type: "button", class: "act", onclick: () => dialog.close() }, text(key));
}

function answerOf(name, chips) {
  return { name: name.value.trim(), chips: Number(chips.value) };
}

async function submit(event, dialog, trouble, send) {
  event.preventDefault();
  const form = event.target;
  form.toggleAttribute("inert", true);
  try {
    await send();
    dialog.close();
  } catch (problem) {
    trouble.textContent = problemText(problem);
  } finally {
    form.toggleAttribute("inert", false);
  }
}

/** A problem document in the reader's language; anything else is the network. */
export function problemText(problem) {
  if (!(problem instanceof Problem)) return text("problem.offline");
  const key = `problem.${problem.code}`;
  const known = text(key);
  return known === key ? text("problem.unknown") : known;
}
