/**
 * The host's page. It shows and does what the API lets his token see and do; the token stays in this tab and is
 * forgotten with it. Who has an operator's token may look.
 */

import { Problem, get, present } from "../api.js";
import { problemText } from "../dialogs.js";
import { byId } from "../dom.js";
import { text } from "../texts.js";
import { watchAccess } from "./access.js";
import { showFrozen, showMachine, watchFrozen } from "./machine.js";
import { watchOpening } from "./opening.js";
import { showTables, watchTables } from "./tables.js";

const EVERY_MS = 3_000;
const SLOT = "croupier.host";
const ROLES = new Set(["host", "operator"]);
const token = /** @type {HTMLInputElement} */ (byId("token"));

/** Do what a button asks for; a refusal is told, and what it changed is looked at. */
async function attempt(deed) {
  say("");
  try {
    await deed();
  } catch (problem) {
    say(told(problem));
  }
  await refresh();
}

function told(problem) {
  const option = problem instanceof Problem && problem.document.key;
  return option ? text("admin.bad_option", { option: String(option) }) : problemText(problem);
}

function say(words) {
  byId("trouble").textContent = words;
}

async function enter(value) {
  present(value);
  say("");
  try {
    const { kind } = await get("/api/v1/me");
    if (!ROLES.has(kind)) return leave(text("admin.wrong_token"));
    sessionStorage.setItem(SLOT, value);
    return admit(kind);
  } catch (problem) {
    return refused(problem) ? leave(text("admin.wrong_token")) : leave(problemText(problem));
  }
}

function refused(problem) {
  return problem instanceof Problem && problem.code === "unauthenticated";
}

async function admit(kind) {
  document.body.dataset.kind = kind;
  token.value = "";
  show(true);
  await refresh();
}

function leave(why = "") {
  present("");
  sessionStorage.removeItem(SLOT);
  show(false);
  say(why);
}

function show(inside) {
  byId("entrance").hidden = inside;
  byId("house").hidden = !inside;
  byId("forget").hidden = !inside;
}

async function refresh() {
  if (byId("house").hidden) return;
  const host = document.body.dataset.kind === "host";
  try {
    await Promise.all([showTables(host), showFrozen(host), showMachine()]);
    byId("offline").hidden = true;
  } catch (problem) {
    if (refused(problem)) leave(text("admin.wrong_token"));
    else byId("offline").hidden = false;
  }
}

async function keepFresh() {
  if (!document.hidden) await refresh();
  setTimeout(keepFresh, EVERY_MS);
}

byId("entrance").addEventListener("submit", (event) => {
  event.preventDefault();
  enter(token.value.trim());
});
byId("forget").addEventListener("click", () => leave());
[watchTables, watchFrozen, watchOpening, watchAccess].forEach((watch) => watch({ attempt, refresh }));
const kept = sessionStorage.getItem(SLOT);
if (kept) await enter(kept);
else show(false);
keepFresh();
