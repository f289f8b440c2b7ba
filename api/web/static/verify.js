/** The page that checks a bundle. Nothing leaves the browser: the file is read here and hashed here. */

import { byId, el } from "./dom.js";
import { verify } from "./proof.js";
import { text } from "./texts.js";

const file = /** @type {HTMLInputElement} */ (byId("file"));
const key = /** @type {HTMLInputElement} */ (byId("key"));

file.addEventListener("change", show);
key.addEventListener("change", show);
file.disabled = !crypto.subtle;
if (!crypto.subtle) say(text("verify.insecure"));

async function show() {
  const [chosen] = file.files ?? [];
  if (!chosen) return;
  byId("checks").replaceChildren();
  say(text("verify.working"));
  try {
    const found = await verify(new Uint8Array(await chosen.arrayBuffer()), key.value);
    byId("checks").replaceChildren(...found.checks.map(row));
    say(summary(found));
  } catch {
    say(text("verify.unreadable"));
  }
}

function summary({ table, hands, checks }) {
  const states = checks.map((check) => check.state);
  const state = states.includes("differs") ? "differs" : states.includes("unchecked") ? "partly" : "agrees";
  return text(`verify.sum.${state}`, { table, hands });
}

function row(check) {
  return el(
    "tr",
    { class: check.state },
    el("th", { scope: "row" }, text(`verify.check.${check.name}`)),
    el("td", { "data-label": text("verify.state") }, text(`verify.state.${check.state}`)),
    el("td", { "data-label": text("verify.detail") }, detail(check)),
  );
}

function detail({ state, count, hand, version, reason }) {
  if (state === "ok") return text("verify.count", { count });
  if (state === "unchecked") return text(`verify.reason.${reason}`);
  return version ? text("verify.at_version", { hand, version }) : text("verify.at_hand", { hand });
}

function say(words) {
  byId("verdict").textContent = words;
}
