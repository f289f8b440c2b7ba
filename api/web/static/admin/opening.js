/** The form that opens a table: every option of the chosen game, as the API describes them. */

import { change, get } from "../api.js";
import { byId, el } from "../dom.js";
import { text } from "../texts.js";

/** @typedef {{key: string, default: unknown, help: string, choices?: unknown[], least?: number, most?: number, longest?: number}} Option */

/** @type {{name: string, options: Option[]}[]} */
let games = [];

export function watchOpening({ attempt }) {
  const details = /** @type {HTMLDetailsElement} */ (byId("opening"));
  const form = /** @type {HTMLFormElement} */ (byId("new-table"));
  details.addEventListener("toggle", () => details.open && !form.elements.length && attempt(() => build(form)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => open(form));
  });
}

async function build(form) {
  ({ games } = await get("/api/v1/games"));
  const fields = el("div", { class: "options" });
  const game = /** @type {HTMLSelectElement} */ (
    el("select", { name: "game" }, ...games.map(({ name }) => el("option", { value: name }, text(`game.${name}`))))
  );
  const ask = () => fields.replaceChildren(...games[game.selectedIndex].options.filter(choosable).map(field));
  game.addEventListener("change", ask);
  ask();
  form.replaceChildren(
    el("label", { class: "field" }, text("lobby.game"), game),
    fields,
    el("button", {}, text("admin.open_table")),
    el("p", { id: "opened", role: "status" }),
  );
}

/** There is something to choose. */
function choosable(option) {
  return option.choices?.length !== 1;
}

/** @param {Option} option */
function field(option) {
  const label = el("span", { title: option.help }, option.key);
  return el("label", { class: "field" }, label, option.choices ? chooser(option) : input(option));
}

function chooser({ key, choices, default: usual }) {
  const written = (choice) => (typeof choice === "boolean" ? text(`admin.${choice}`) : String(choice));
  return el("select", { name: key }, ...choices.map((one, at) => el("option", { value: at, selected: one === usual }, written(one))));
}

function input({ key, default: usual, least, most, longest }) {
  if (longest) return el("input", { name: key, maxlength: longest, placeholder: usual, autocomplete: "off" });
  const bounds = { type: "number", inputmode: "numeric", min: least, max: most };
  return el("input", { name: key, ...bounds, placeholder: usual ?? text("admin.by_itself"), autocomplete: "off" });
}

/** What was left as it is is not sent: the game knows its defaults. */
async function open(form) {
  const { options } = games[form.elements.game.selectedIndex];
  const asked = options.filter(choosable).map((option) => [option.key, valueOf(option, form.elements[option.key].value)]);
  const body = { game: form.elements.game.value, options: Object.fromEntries(asked.filter(([, value]) => value !== undefined)) };
  const { table } = await change("POST", "/api/v1/tables", body);
  byId("opened").replaceChildren(el("a", { href: `/tables/${table}` }, text("admin.opened", { table: body.options.name ?? table })));
  form.elements.name.value = "";
}

/** @param {Option} option */
function valueOf({ choices, default: usual, longest }, written) {
  if (choices) return choices[written] === usual ? undefined : choices[written];
  if (written.trim() === "") return undefined;
  return longest ? written.trim() : Number(written);
}
