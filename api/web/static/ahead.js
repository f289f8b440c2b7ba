/**
 * Deciding before it is one's turn. The decision goes out when the turn comes, if it still means what it meant: a call
 * is of that amount, and all is forgotten with the street. Nothing is ever folded that could be checked.
 */

import { byId, el, refill } from "./dom.js";
import { onTurn, ownSeats } from "./seats.js";
import { text } from "./texts.js";

const BETTING = ["check", "call"]; // one of them is legal for whoever has the turn in a betting round that has begun

export class Ahead {
  /** @param {(body: {verb: string, seat: number}) => void} act */
  constructor(act) {
    this.act = act;
    this.place = byId("ahead");
    this.chosen = null;
  }

  show(view) {
    const now = situation(view);
    if (this.chosen && !(now && holds(this.chosen, now))) this.chosen = null;
    if (now?.mine && this.chosen) this.decide(now, view.hand.legal);
    const offered = now && !now.mine ? now : null;
    refill(this.place, [offered, this.chosen?.what], () => (offered ? this.buttons(offered) : []));
  }

  decide({ seat }, legal) {
    const verb = verbOf(this.chosen, legal);
    this.chosen = null;
    if (verb) this.act({ verb, seat });
  }

  buttons(now) {
    const match = now.pays ? text("action.call", { amount: now.pays }) : text("action.check");
    return [this.button(now, "give_up", text(now.pays ? "action.fold" : "ahead.check_fold")), this.button(now, "match", match)];
  }

  button(now, what, label) {
    const chosen = this.chosen?.what === what;
    const choose = () => {
      this.chosen = chosen ? null : { ...now, what };
      refill(this.place, [now, this.chosen?.what], () => this.buttons(now));
    };
    return el("button", { type: "button", class: "small", "aria-pressed": String(chosen), onclick: choose }, label);
  }
}

/** Who has one seat in a betting round, what the round costs him now, and whether it is his turn; else null. */
function situation(view) {
  const [seat, ...more] = ownSeats(view);
  const hand = view.hand;
  if (seat === undefined || more.length || !onTurn(hand).length || hand.awaited.length) return null;
  const { bet, chips, folded } = view.seats[seat];
  const bets = BETTING.some((verb) => verb in (hand.legal ?? {}));
  if (!bets || !hand.order.includes(seat) || folded || chips === 0) return null;
  return { seat, number: hand.number, street: hand.street, pays: Math.min(hand.price - bet, chips), mine: hand.actor === seat };
}

function holds(chosen, now) {
  const same = chosen.number === now.number && chosen.street === now.street;
  return same && (chosen.what === "give_up" || chosen.pays === now.pays);
}

function verbOf({ what, pays }, legal) {
  if ("check" in legal) return "check";
  if (what === "give_up") return "fold" in legal ? "fold" : null;
  return legal.call?.[0] === pays ? "call" : null;
}
