/** How the house runs: workers, what waits, tables that a fault has stopped. */

import { change, get, settled } from "../api.js";
import { byId, el, refill } from "../dom.js";
import { number, text } from "../texts.js";

const SLOW_MS = 1_000; // a command that waits longer: a worker is too slow or gone

/** @type {(deed: () => Promise<void>) => Promise<void>} */
let attempt; // how the page does what a button asks for

export function watchFrozen(page) {
  attempt = page.attempt;
}

export async function showFrozen(host) {
  const { items } = await get("/api/v1/ops/frozen");
  byId("standing").hidden = items.length === 0;
  refill(byId("frozen"), [items, host], () => items.map((item) => frozenRow(item, host)));
}

function frozenRow({ table, error, where }, host) {
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, el("a", { href: `/tables/${table}` }, table)),
    el("td", { "data-label": text("admin.fault") }, `${error} (${where})`),
    el("td", { class: "deeds" }, host ? el("button", { type: "button", onclick: () => attempt(() => retry(table)) }, text("admin.retry")) : null),
  );
}

async function retry(table) {
  await settled(table, await change("POST", `/api/v1/ops/frozen/${encodeURIComponent(table)}/retry`));
}

export async function showMachine() {
  const [workers, partitions] = await Promise.all([get("/api/v1/ops/workers"), get("/api/v1/ops/partitions")]);
  const lines = [
    ...workers.items.map(({ worker, silent_ms }) => [text("admin.worker", { worker, seconds: seconds(silent_ms) }), false]),
    ...loads(workers.items.length, partitions.items),
  ];
  refill(byId("machine"), lines, () => lines.map(([words, wrong]) => el("li", { class: wrong && "trouble" }, words)));
}

/** Each line with whether it is a trouble. */
function loads(workers, partitions) {
  const unowned = partitions.filter(({ owner }) => owner === null).length;
  const lag = Math.max(...partitions.map(({ lag_ms }) => lag_ms));
  const unarchived = partitions.reduce((sum, partition) => sum + partition.unarchived, 0);
  const lines = [
    [text("admin.unowned", { unowned, partitions: partitions.length }), unowned > 0],
    [text("admin.lag", { seconds: seconds(lag) }), lag > SLOW_MS],
    [text("admin.unarchived", { hands: unarchived }), false],
  ];
  return workers ? lines : [[text("admin.no_worker"), true], ...lines];
}

function seconds(ms) {
  return number(Math.round(ms / 1000));
}
