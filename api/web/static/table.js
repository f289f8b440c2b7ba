/** The table page: watch, sit down, play. Everything shown comes from the server's view; every click is a command. */

import { ActionBar } from "./actions.js";
import { Ahead } from "./ahead.js";
import { change, get, settled, tableUrl } from "./api.js";
import { Bell } from "./bell.js";
import { setDeadline, setServerTime } from "./clock.js";
import { chooseColours } from "./colours.js";
import { Seeds, cutText } from "./cut.js";
import { askChips, problemText } from "./dialogs.js";
import { byId, el, refill } from "./dom.js";
import { drawFelt } from "./felt.js";
import { listen } from "./keys.js";
import { drawOwn } from "./own.js";
import { results } from "./results.js";
import { chairNumber, namer, onTurn, ownCards, ownSeats, seatLabel } from "./seats.js";
import { Sender } from "./sender.js";
import { chronicle, lately, say } from "./story.js";
import { Stream } from "./stream.js";
import { text } from "./texts.js";
import { drawTournament, winner } from "./tournament.js";

const LOG_LINES = 60;
const LOOK_BACK = 100;
const SLACK_PX = 40; // this near to its end counts as the end of the log
const CHAPTERS = new Set(["HandStarted", "StreetBegan"]);
const { table = "", least, most } = document.body.dataset;
const buyIn = { least: Number(least), most: most ? Number(most) : null };
const felt = byId("felt");
const bar = new ActionBar(act);
const ahead = new Ahead(act);
const bell = new Bell(byId("sound"));
const sender = new Sender(table, sending);
const seeds = new Seeds(table);
let seen = 0; // the version of the state on the page
let due = 0; // the version that our last command led to: until the page has it, its buttons are about the past

let view = null;
const told = []; // events, oldest first
let spoken = []; // what the dealer's voice says with the next state
let toldTurn = 0;
let advice = { turn: -1, key: "", presets: [], own: {}, verbs: [] }; // the server's answer about our seats, and what it was about

const stream = new Stream(table, { state: setState, event: note, online: showOnline });
listen();
byId("show-help").addEventListener("click", () => byId("help").showModal());
chooseColours(byId("four-colours"));
addEventListener("resize", () => view && draw());

function nameOf(seat) {
  return namer(view)(seat);
}

function setState(message, anew) {
  setServerTime(message.now);
  view = message.view;
  seen = message.version;
  if (anew) due = 0;
  lockBar();
  draw();
  speakUp();
  advise();
  seeds.follow(view, mySeat());
  if (anew) lookBack(message.version);
}

function note(event) {
  told.push(event);
  if (told.length > 2 * LOOK_BACK) told.splice(0, LOOK_BACK);
  const words = say(told, nameOf);
  if (words) spoken.push(words);
}

/** What happened before a stream began, for the log and the bubbles. The archive may have it already; then not. */
async function lookBack(version) {
  const after = Math.max(0, version - LOOK_BACK);
  const page = await get(`${tableUrl(table)}/events?after=${after}&limit=${LOOK_BACK}`).catch(() => null);
  const known = new Set(told.map((event) => event.version));
  told.push(...(page?.items ?? []).filter((event) => !known.has(event.version)));
  told.sort((one, other) => one.version - other.version);
  draw();
}

/** Oldest first; a reader at the end of the log stays there. */
function drawLog() {
  const log = byId("log");
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < SLACK_PX;
  refill(log, [told.length, told.at(-1)?.version], () => chronicle(told, nameOf).slice(-LOG_LINES).map(logLine));
  if (atEnd) log.scrollTop = log.scrollHeight;
}

function logLine({ event, line }) {
  return el("li", { class: CHAPTERS.has(event.event) ? "chapter" : null }, line);
}

/** All that one command has led to is one announcement: a live region keeps only the last. */
function speakUp() {
  const { hand, turn } = view;
  if (decides() && turn !== toldTurn) spoken.push(turnText(onTurn(hand)));
  toldTurn = turn;
  if (hand?.over && spoken.length) spoken.push(...results(view));
  if (spoken.length) speak(spoken.join(". "));
  spoken = [];
}

function speak(words) {
  byId("voice").textContent = words;
}

/** Our seat, the first of them; null for a spectator. */
function mySeat() {
  return ownSeats(view)[0] ?? null;
}

/** Whether it is for one of our seats to decide. */
function decides() {
  const own = ownSeats(view);
  return onTurn(view.hand).some((seat) => own.includes(seat));
}

/** Whether a seat may be taken; a tournament says until when. */
function joinable() {
  return view.tournament?.joinable ?? true;
}

function draw() {
  const hand = view.hand;
  const seat = mySeat();
  document.body.classList.toggle("seated", seat !== null);
  const take = seat === null && joinable() ? sit : undefined;
  drawFelt(felt, view, { bottom: seat ?? 0, ...lately(told), take });
  byId("where").textContent = whereText(hand);
  drawStatus(hand, seat);
  drawResult(hand);
  drawOwn(view, advice.own);
  drawTournament(view);
  drawSeatActions(seat);
  drawActions();
  drawLog();
  setDeadline(hand?.deadline ?? null, view.status === "paused");
}

function whereText(hand) {
  if (!hand) return text("table.waiting");
  const parts = [text("table.hand", { number: hand.number })];
  if (view.rotation) parts.push(text(`game.${hand.game}`));
  if (!hand.over && hand.street) parts.push(text(`street.${hand.street}`));
  parts.push(cutText(hand.cut));
  return parts.join(" · ");
}

function drawStatus(hand, seat) {
  const turns = onTurn(hand);
  const mine = decides();
  document.body.classList.toggle("my-turn", mine);
  bell.show(mine, view.turn);
  const line = turns.length ? turnText(turns) : text(idleText(hand, seat));
  const clock = mine ? el("span", { class: "clock", "aria-hidden": "true" }) : null;
  refill(byId("status"), [line, mine], () => [document.createTextNode(line), clock]);
}

function idleText(hand, seat) {
  if (seat === null) return joinable() ? "table.watching" : "table.watching_only";
  return hand ? "table.between" : "table.waiting";
}

function turnText(turns) {
  const own = ownSeats(view);
  const mine = own.filter((seat) => turns.includes(seat));
  if (mine.length && own.length > 1) return text("table.your_hand_turn", { seats: mine.map(seatLabel).join(", ") });
  if (mine.length) return text("table.your_turn");
  if (turns.length > 1) return text("table.awaited", { count: turns.length });
  return text("table.not_turn", { player: nameOf(turns[0]) });
}

function drawResult(hand) {
  const champion = winner(view);
  const lines = hand?.over ? results(view) : [];
  if (champion) lines.push(text("tournament.won", { player: champion }));
  refill(byId("result"), lines, () => lines.map((line) => el("p", {}, line)));
}

function drawActions() {
  const known = sender.actor ? view : { ...view, hand: null }; // until the server has said who we are we cannot act
  bar.show(known, advice.turn === view.turn ? advice.presets : []);
  ahead.show(known);
}

function drawSeatActions(seat) {
  const place = seat === null ? null : view.seats[seat];
  const choices = place && view.rotation?.chooser === seat ? view.rotation.games : [];
  const verbs = place && !place.leaving ? advice.verbs : [];
  refill(byId("seat-actions"), [choices, verbs], () => [...choices.map(gameButton), ...verbs.map(seatButton)]);
}

/** What the server says a player may ask for between hands. */
function seatButton(verb) {
  if (verb === "add_chips") return small(verb, addChips);
  return verb === "leave" ? small(verb, () => leave(mySeat())) : small(verb);
}

/** At a dealer's choice table, between hands. */
function gameButton(game) {
  const onclick = () => send({ verb: "choose_game", choice: game });
  return el("button", { type: "button", class: "small", onclick }, text("action.choose_game", { game: text(`game.${game}`) }));
}

function small(verb, onclick = () => send({ verb })) {
  return el("button", { type: "button", class: "small", onclick }, text(`action.${verb}`));
}

/** Presets and the names of the own hands come from the server; ask once per decision and change of cards. */
async function advise() {
  const seats = ownSeats(view).filter((seat) => !view.seats[seat].leaving); // who leaves has given his token back
  const places = seats.map((seat) => standing(view.seats[seat]));
  const key = JSON.stringify([seats, places, view.status, ownCards(view), view.hand?.board, view.turn]);
  if (!seats.length || key === advice.key) return;
  advice = { ...advice, key };
  const asked = seats.map((seat) => get(`${tableUrl(table)}/seats/${seat}/actions`));
  const answers = await Promise.all(asked).catch(() => []);
  if (advice.key !== key) return;
  if (!answers.length) {
    advice.key = ""; // ask again with the next state
    return;
  }
  sender.meet(answers[0].actor, Math.max(...answers.map((answer) => answer.last)));
  const deciding = answers.find((answer) => answer.on_turn) ?? answers[0];
  const own = Object.fromEntries(answers.map((answer) => [answer.seat, answer.own]));
  advice = { key, turn: deciding.turn, presets: deciding.presets, own, verbs: answers[0].between_hands };
  draw();
}

/** What of a place decides what its player may ask for between hands. */
function standing({ sitting_out, leaving, may_post, chips }) {
  return [sitting_out, leaving, may_post, chips > 0];
}

/** A decision names the turn it answers, so that a late click is never taken for the next one. */
async function act({ seat, ...body }) {
  const several = ownSeats(view).length > 1;
  await send({ ...body, ...(several ? { seat } : {}), turn: view.turn });
}

async function send(body) {
  try {
    showTrouble("");
    const outcome = await sender.send(body);
    due = Math.max(due, outcome?.version ?? 0);
    lockBar();
  } catch (problem) {
    showTrouble(problemText(problem));
  }
}

/** Then look again from the start: as this seat's player. */
function sit(seat) {
  const title = text("sit.title", { number: chairNumber(seat) });
  askChips({ title, confirm: text("sit.confirm"), named: true, ...buyIn }, async ({ name, chips }) => {
    const answer = await change("PUT", `${tableUrl(table)}/seats/${seat}`, { player: name, chips });
    await settled(table, answer);
    stream.open();
  });
}

function addChips() {
  const most = buyIn.most === null ? null : Math.max(1, buyIn.most - view.seats[mySeat()].chips);
  const what = { title: text("sit.add_title"), confirm: text("sit.add_confirm"), named: false, least: 1, most };
  askChips(what, ({ chips }) => sender.send({ verb: "add_chips", amount: chips }));
}

async function leave(seat) {
  await change("DELETE", `${tableUrl(table)}/seats/${seat}`).catch((problem) => showTrouble(problemText(problem)));
}

function lockBar() {
  bar.lock(sender.busy || seen < due);
}

function sending(state) {
  lockBar();
  byId("sending").textContent = { idle: "", sending: "", doubt: text("table.retrying") }[state];
}

function showTrouble(line) {
  byId("trouble").textContent = line;
  if (line) speak(line);
}

function showOnline(yes) {
  byId("offline").hidden = yes;
}
