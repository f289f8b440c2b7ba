/** All tables, and what the host does with one: run it, pause it, close it, look at its money. */

import { change, get, settled, tableUrl } from "../api.js";
import { cancel } from "../dialogs.js";
import { byId, el, refill } from "../dom.js";
import { number, signed, text } from "../texts.js";

const ROWS = 100; // of a page of the lobby
const state = /** @type {HTMLSelectElement} */ (byId("state"));
const rows = new Map(); // table → its row and the cells of it
let pages = 1;
/** @type {(deed: () => Promise<void>) => Promise<void>} */
let attempt; // how the page does what a button asks for

export function watchTables(page) {
  attempt = page.attempt;
  const turn = (to) => {
    pages = to;
    page.refresh();
  };
  state.addEventListener("change", () => turn(1));
  byId("more").addEventListener("click", () => turn(pages + 1));
}

export async function showTables(host) {
  const { items, more } = await asked();
  const known = new Set(items.map((item) => item.table));
  for (const [table, { line }] of rows) {
    if (known.has(table)) continue;
    line.remove();
    rows.delete(table);
  }
  items.forEach((item) => update(item, host));
  byId("none").hidden = items.length > 0;
  byId("more").hidden = !more;
}

async function asked() {
  const items = [];
  let cursor = "";
  for (let page = 0; page < pages && (page === 0 || cursor); page += 1) {
    const filters = new URLSearchParams({ limit: String(ROWS), ...(state.value && { status: state.value }), ...(cursor && { cursor }) });
    const found = await get(`/api/v1/tables?${filters}`);
    items.push(...found.items);
    cursor = found.next;
  }
  return { items, more: Boolean(cursor) };
}

/** Cell by cell, so that a button keeps the focus while the numbers beside it change. */
function update(item, host) {
  if (!rows.has(item.table)) rows.set(item.table, newRow());
  const { line, cells } = rows.get(item.table);
  if (!line.isConnected) byId("tables").append(line);
  const { table, name, game, structure, status, players, seats, hands } = item;
  const [title, kind, condition, seated, played, deeds] = cells;
  refill(title, name, () => [el("a", { href: `/tables/${table}` }, name || table)]);
  refill(kind, [game, structure], () => [el("span", {}, `${text(`game.${game}`)} `, el("small", {}, text(`structure.${structure}`)))]);
  refill(condition, status, () => [el("span", { class: status }, text(`status.${status}`))]);
  refill(seated, [players, seats], () => [el("span", {}, text("lobby.seated", { players, seats }))]);
  refill(played, hands, () => [el("span", {}, number(hands))]);
  refill(deeds, [status, host, name], () => buttons(item, host));
}

function newRow() {
  const cells = [
    el("th", { scope: "row" }),
    el("td", { "data-label": text("lobby.game") }),
    el("td", { "data-label": text("lobby.state") }),
    el("td", { "data-label": text("lobby.players"), class: "count" }),
    el("td", { "data-label": text("lobby.hands"), class: "count" }),
    el("td", { class: "deeds" }),
  ];
  return { line: el("tr", {}, ...cells), cells };
}

function buttons(item, host) {
  const named = (key, deed) => el("button", { type: "button", "aria-label": `${text(key)}: ${item.name || item.table}`, onclick: deed }, text(key));
  const deeds = [named("admin.money", () => attempt(() => showMoney(item)))];
  if (!host || item.status === "closed") return deeds;
  if (item.status === "running") deeds.unshift(named("admin.pause", () => attempt(() => order(item.table, "paused"))));
  else deeds.unshift(named("admin.run", () => attempt(() => order(item.table, "running"))));
  return [...deeds, named("admin.close", () => askClose(item))];
}

async function order(table, wanted, why = "") {
  await settled(table, await change("POST", `${tableUrl(table)}/state`, { state: wanted, why }));
}

/** Closing is for good. */
function askClose({ table, name }) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("ask"));
  const why = el("input", { name: "why", maxlength: 200, autocomplete: "off" });
  const close = (event) => {
    event.preventDefault();
    dialog.close();
    attempt(() => order(table, "closed", why.value.trim()));
  };
  dialog.replaceChildren(
    el(
      "form",
      { onsubmit: close },
      el("h2", { id: "ask-title" }, text("admin.close_title", { table: name || table })),
      el("p", {}, text("admin.close_help")),
      el("label", {}, el("span", {}, text("admin.reason")), why),
      el("div", { class: "buttons" }, cancel(dialog), el("button", { class: "act to" }, text("admin.close"))),
    ),
  );
  dialog.showModal();
}

async function showMoney({ table, name }) {
  const { items, rake, balanced } = await get(`${tableUrl(table)}/ledger`);
  const dialog = /** @type {HTMLDialogElement} */ (byId("ask"));
  const columns = ["sit.name", "admin.bought_in", "admin.taken_out", "admin.on_table", "hands.net"];
  dialog.replaceChildren(
    el("h2", { id: "ask-title" }, text("admin.money_of", { table: name || table })),
    el(
      "table",
      { class: "list" },
      el("thead", {}, el("tr", {}, ...columns.map((key, at) => el("th", { scope: "col", class: at && "count" }, text(key))))),
      el("tbody", {}, ...items.map((session) => money(session, columns))),
    ),
    el("p", {}, text(balanced ? "admin.balanced" : "admin.not_balanced", { rake })),
    el("div", { class: "buttons" }, cancel(dialog, "admin.done")),
  );
  dialog.showModal();
}

function money({ player, buy_in, buy_out, stack, net }, columns) {
  const numbers = [number(buy_in), number(buy_out), number(stack), signed(net)];
  const cells = numbers.map((written, at) => el("td", { class: "count", "data-label": text(columns[at + 1]) }, written));
  return el("tr", {}, el("th", { scope: "row" }, player), ...cells);
}
