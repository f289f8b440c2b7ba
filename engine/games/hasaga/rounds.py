"""A betting round with the shop open: purchases before the action, cards that owners have to show (HAS-10, HAS-42)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.betting import NOTHING, Betting
from engine.draft import Draft
from engine.events import TurnEnded
from engine.games.hasaga.events import RevealAsked, Revealed
from engine.games.hasaga.offers import offers, open_shop
from engine.games.hasaga.shop import buy, goes_on, may_be_shown, obstacle
from engine.state import Hand
from engine.steps import Args, Choices, Move, Range


def asked(hand: Hand) -> RevealAsked | None:
    """The look that waits for its owner's choice."""
    found: RevealAsked | None = hand.memo.get("reveal")
    return found


@dataclass(frozen=True)
class Round(Betting):
    """No limit; the least raise is the small blind throughout (HAS-C05)."""

    def opening_price(self, hand: Hand) -> int:
        """The big blind; by key the extra blind where somebody has taken it (HAS-C39)."""
        blind = super().opening_price(hand)
        dear = blind and hand.options["hasaga.exb.call_price"] == "exb"
        return 2 * blind if dear and any(seat.closed for seat in hand.seats.values()) else blind

    def options(self, hand: Hand) -> dict[str, Range]:
        if asked(hand):
            return {"reveal": NOTHING}
        legal = super().options(hand)
        if open_shop(hand):
            legal["purchase"] = NOTHING
        return legal

    def choices(self, hand: Hand) -> Choices:
        look = asked(hand)
        if look:
            return {"reveal": [{"index": slot} for slot in may_be_shown(hand, look.target, look.seat)]}
        found = offers(hand)
        return {"purchase": found} if found else {}

    def act(self, draft: Draft, move: Move) -> None:
        if move.verb == "purchase":
            buyer = draft.hand.actor
            assert buyer is not None
            buy(draft, move.args)
            if not asked(draft.hand):
                self.after_purchase(draft, buyer)
        elif move.verb == "reveal":
            self.reveal(draft, move.args["index"])
        else:
            super().act(draft, move)

    def reveal(self, draft: Draft, slot: object) -> None:
        """The card is shown to the buyer, whose turn goes on with the time he had left (HAS-C21)."""
        hand = draft.hand
        look = asked(hand)
        assert look is not None and isinstance(slot, int)
        draft.emit(Revealed(look.seat, look.target, slot, bytes([hand.seats[look.target].cards[slot]])))
        if goes_on(hand, look.seat):
            draft.resume_turn(look.seat, look.left_ms)
        else:
            self.after_purchase(draft, look.seat)

    def after_purchase(self, draft: Draft, buyer: int) -> None:
        """Who has nothing left to decide gives up the turn."""
        if not goes_on(draft.hand, buyer):
            draft.emit(TurnEnded(buyer))
            self.ask(draft, draft.hand.after[buyer])

    def default(self, hand: Hand) -> Move:
        """A reveal that times out: the first card that may be shown (HAS-C24)."""
        if asked(hand):
            return Move("reveal", 0, self.choices(hand)["reveal"][0])
        return super().default(hand)

    def refusal(self, hand: Hand, verb: str, amount: int | None, args: Args | None = None) -> str:
        if asked(hand):
            return "card_not_eligible" if verb == "reveal" else "illegal_action"
        if verb == "purchase":
            return obstacle(hand, args or {}) or "illegal_action"
        return super().refusal(hand, verb, amount)
