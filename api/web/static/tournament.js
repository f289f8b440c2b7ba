/** What a tournament shows: the level and its clock, the bank, who stands how, who has won. */

import { byId, el, refill } from "./dom.js";
import { number, signed, text } from "./texts.js";

/** @param {any} view nothing is shown at a table that is none */
export function drawTournament(view) {
  const tournament = view.tournament ?? null;
  byId("level").hidden = byId("standings").hidden = !tournament;
  if (!tournament) return;
  refill(byId("level"), [tournament.level, tournament.level_ends, tournament.bank], () => levelLine(tournament));
  const players = standings(view);
  refill(byId("standings"), players, () => [
    el("h2", {}, text("tournament.standings")),
    el("ol", {}, ...players.map(({ player, chips, rank }) => standing(player, chips, rank))),
  ]);
}

function levelLine({ level, level_ends: ends, stakes, next, bank }) {
  const parts = [text("tournament.level", { level: Math.max(1, level), stakes: stakesText(stakes) })];
  if (next) parts.push(text("tournament.next", { stakes: stakesText(next) }));
  return [
    el("span", {}, parts.join(" · ")),
    ends ? el("time", { class: "countdown", role: "timer", "data-until": ends }) : null,
    el("span", { class: "bank" }, text("tournament.bank", { amount: signed(bank) })),
  ];
}

function stakesText({ ante, small_blind: small, big_blind: big }) {
  const blinds = text("stakes.blinds", { small, big });
  return ante ? `${blinds}, ${text("stakes.ante", { amount: ante })}` : blinds;
}

/** Players with chips, most first; then those who are out, by rank. */
function standings({ seats, tournament }) {
  const chips = {};
  for (const place of seats.filter(Boolean)) chips[place.player] = (chips[place.player] ?? 0) + place.chips;
  const names = [...new Set([...Object.keys(chips), ...Object.keys(tournament.ranks)])];
  const ranks = tournament.ranks;
  const players = names.map((player) => ({ player, chips: chips[player] ?? 0, rank: ranks[player] ?? null }));
  return players.sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0) || other.chips - one.chips);
}

function standing(player, chips, rank) {
  const word = rank === null ? number(chips) : text(rank === 1 ? "tournament.first" : "tournament.out", { rank });
  return el("li", { class: rank === 1 ? "winner" : null }, el("span", {}, player), el("span", {}, word));
}

/** The player who has won, null as long as nobody has. */
export function winner(view) {
  return Object.entries(view.tournament?.ranks ?? {}).find(([, rank]) => rank === 1)?.[0] ?? null;
}
