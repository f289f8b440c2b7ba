/** Who has won what, once a hand is over. */

import { namer } from "./seats.js";
import { handName, signed, text } from "./texts.js";

const WHOLE = new Set(["only", "both"]);

/**
 * Who has won what in a hand that is over: a line per winner and share, with the hand if it was shown; then what the
 * hand came to for each winner, where the server keeps account of it.
 */
export function results(view) {
  const totals = new Map();
  for (const [, share, seat, amount] of view.hand.awards) {
    const key = `${seat} ${share}`;
    totals.set(key, { share, seat, amount: (totals.get(key)?.amount ?? 0) + amount });
  }
  return [...totals.values()].map((award) => resultLine(award, view)).concat(nets(view));
}

function nets({ hand, seats }) {
  const winners = (hand.accounts ?? []).filter(({ award }) => award);
  return winners.map(({ seat, net }) => text("table.net", { player: seats[seat]?.player ?? "", amount: signed(net) }));
}

function resultLine({ share, seat, amount }, view) {
  const key = share === "only" ? "table.won" : "table.won_as";
  const line = text(key, { player: namer(view)(seat), amount, share: text(`share.${share}`) });
  const hand = shownHand(view.hand.names?.[seat] ?? [], share);
  return hand ? text("table.with", { text: line, hand }) : line;
}

/** `names`: what the seat has shown, by share. A share of its own is high or low; the others take all there is. */
function shownHand(names, share) {
  const won = names.filter((name) => name.category && (name.share === share || WHOLE.has(share)));
  return won.map(handName).join(" / ");
}
