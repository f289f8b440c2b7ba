/** The replayer. The address holds the step and the point of view, so that every position can be shared. */

import { change, get, tableUrl } from "./api.js";
import { chooseColours } from "./colours.js";
import { cutText } from "./cut.js";
import { problemText } from "./dialogs.js";
import { byId, el, refill } from "./dom.js";
import { drawFelt } from "./felt.js";
import { drawOwn } from "./own.js";
import { results } from "./results.js";
import { namer } from "./seats.js";
import { chronicle, lately } from "./story.js";
import { text } from "./texts.js";

const { table = "", hand = "" } = document.body.dataset;
const slider = /** @type {HTMLInputElement} */ (byId("step"));
const chosen = /** @type {HTMLSelectElement} */ (byId("view"));
const address = /** @type {HTMLInputElement} */ (byId("address"));
const asked = new URLSearchParams(location.search);

let steps = []; // of each step: the table, and the event that led to it
let step = 0;

async function load(wanted) {
  const query = new URLSearchParams({ view: chosen.value });
  const share = asked.get("share"); // a link that somebody made of his own view
  if (share) query.set("share", share);
  try {
    steps = (await get(`${tableUrl(table)}/hands/${hand}/replay?${query}`)).steps;
    byId("trouble").textContent = "";
    slider.max = String(last());
    listEvents();
    offerFiles();
    go(wanted);
  } catch (problem) {
    byId("trouble").textContent = problemText(problem);
  }
}

function last() {
  return steps.length - 1;
}

function go(wanted) {
  step = Math.min(Math.max(0, wanted), last());
  slider.value = String(step);
  keepAddress();
  draw(steps[step].view);
}

function draw(view) {
  const told = steps.slice(1, step + 1).map((one) => one.event);
  drawFelt(byId("felt"), view, { bottom: view.you?.seat ?? 0, ...lately(told.filter(Boolean)) });
  drawOwn(view, {});
  const lines = view.hand?.over && view.number === Number(hand) ? results(view) : [];
  refill(byId("result"), lines, () => lines.map((line) => el("p", {}, line)));
  byId("where").textContent = whereText(view.hand);
  mark();
}

function whereText(shown) {
  const place = text("replay.step", { step, steps: last() });
  return shown && shown.number === Number(hand) ? `${place} · ${cutText(shown.cut)}` : place;
}

/** The event list: a click goes to the step after the event. */
function listEvents() {
  const events = steps.slice(1).map((one) => ({ ...one.event, step: one.step }));
  const items = chronicle(events, namer(steps[0].view)).map(({ event, line }) => {
    const jump = el("button", { type: "button", "data-step": event.step, onclick: () => go(event.step) }, line);
    return el("li", {}, jump);
  });
  byId("events").replaceChildren(...items);
}

/** The last listed event at or before the step is the current one. */
function mark() {
  const buttons = [...byId("events").querySelectorAll("button")];
  const current = buttons.findLast((button) => Number(button.dataset.step) <= step);
  for (const button of buttons) {
    if (button === current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  if (current) scrollTo(current);
}

/** Scrolls the list alone, not the page. */
function scrollTo(button) {
  const list = byId("events");
  list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** The files tell what is seen here; a link that somebody made shows its view on this page alone. */
function offerFiles() {
  const view = asked.has("share") ? "public" : chosen.value;
  for (const link of byId("files").querySelectorAll("a[data-export]")) link.search = `?view=${view}`;
}

/** A link to this step. What is everybody's to see needs no other than this page's own. */
async function share() {
  const own = chosen.value !== "public" && !asked.has("share");
  try {
    const wanted = { table, hand: Number(hand), step, view: chosen.value };
    const { url } = own ? await change("POST", "/api/v1/shares", wanted) : { url: location.href };
    tell(new URL(url, location.href).href, own);
  } catch (problem) {
    byId("trouble").textContent = problemText(problem);
  }
}

function tell(link, own) {
  byId("link").hidden = false;
  address.value = link;
  address.select();
  byId("shared").textContent = own ? text("replay.shows_yours") : "";
}

function keepAddress() {
  const query = new URLSearchParams(location.search);
  query.set("step", String(step));
  query.set("view", chosen.value);
  history.replaceState(null, "", `?${query}`);
}

const KEYS = { ArrowLeft: () => step - 1, ArrowRight: () => step + 1, Home: () => 0, End: last };

document.addEventListener("keydown", (event) => {
  if (!(event.key in KEYS) || event.target === chosen || !steps.length || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  go(KEYS[event.key]());
});
byId("first").addEventListener("click", () => go(0));
byId("previous").addEventListener("click", () => go(step - 1));
byId("next").addEventListener("click", () => go(step + 1));
byId("share").addEventListener("click", share);
byId("last").addEventListener("click", () => go(last()));
slider.addEventListener("input", () => go(Number(slider.value)));
chosen.addEventListener("change", () => load(step));
addEventListener("resize", () => steps.length && go(step));
chooseColours(byId("four-colours"));
chosen.value = asked.get("view") ?? "public";
load(Number(asked.get("step") ?? 0));
