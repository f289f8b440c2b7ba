/** The keyboard at the table. Keys press the buttons that are there; they add no way to act of their own. */

import { byId } from "./dom.js";

const BUTTONS = { f: ".act.fold", c: ".act.call, .act.check" };

/** Listen while no text is being typed and no dialog is open. */
export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (press(event.key.toLowerCase())) event.preventDefault();
  });
}

function typing(target) {
  return target instanceof HTMLInputElement && target.type !== "range";
}

function press(key) {
  if (key === "?") return help();
  if (key === "r") return focusAmount();
  if (key >= "1" && key <= "4") return preset(Number(key) - 1);
  return key in BUTTONS && click(BUTTONS[key]);
}

function help() {
  byId("help").showModal();
  return true;
}

function click(selector) {
  const button = document.querySelector("#bar:not([inert])")?.querySelector(selector);
  button?.click();
  return Boolean(button);
}

/** The number to type, or the button where there is nothing to choose. */
function focusAmount() {
  const goal = document.querySelector("#bar .amount") ?? document.querySelector("#bar .act.to");
  goal?.focus();
  if (goal instanceof HTMLInputElement) goal.select();
  return Boolean(goal);
}

/** Enter then confirms: the button that carries the amount has the focus. */
function preset(place) {
  const button = document.querySelectorAll("#bar .preset")[place];
  button?.click();
  document.querySelector("#bar .act.to")?.focus();
  return Boolean(button);
}
