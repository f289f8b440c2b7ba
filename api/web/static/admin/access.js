/** Tokens for auditors and operators, and the log of who was given what and looked at what. */

import { change, get } from "../api.js";
import { byId, el, refill } from "../dom.js";
import { text } from "../texts.js";

const DAY_S = 24 * 3600;
const ENTRIES = 20;
const looks = /** @type {HTMLDetailsElement} */ (byId("looks"));
const when = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "medium" });

export function watchAccess({ attempt }) {
  const form = /** @type {HTMLFormElement} */ (byId("access"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => give(form));
  });
  looks.addEventListener("toggle", () => attempt(showLog));
}

/** The token is told this once, and only here. */
async function give(form) {
  const { role, name, reason, days } = Object.fromEntries(new FormData(form));
  const body = { role, name: name.trim(), reason: reason.trim(), seconds: Number(days) * DAY_S };
  const { token } = await change("POST", "/api/v1/tokens", body);
  byId("given").replaceChildren(`${text("admin.given", { name: body.name })} `, el("code", {}, token));
  form.elements.name.value = "";
  await showLog();
}

async function showLog() {
  if (!looks.open) return;
  const { items } = await get(`/api/v1/audit/log?people=true&limit=${ENTRIES}`);
  refill(byId("log"), items, () => items.map(entry));
}

function entry({ at, who, what, table, hand, why }) {
  const where = [what, table, hand && text("table.hand", { number: hand })].filter(Boolean).join(" · ");
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, when.format(new Date(at))),
    el("td", { "data-label": text("admin.who") }, who),
    el("td", { "data-label": text("admin.looked_at") }, where),
    el("td", { "data-label": text("admin.reason") }, why),
  );
}
