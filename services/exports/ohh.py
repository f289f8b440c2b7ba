"""Our hands as Open Hand History 1.4.7 (JSON, hh-specs.handhistory.org): hold'em, Omaha and Omaha-8, all structures.

The format has no streets of stud and no bring-in, so razz and stud cannot be told. Amounts are what an action adds.
Fields of our own begin with an underscore.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from services.exports.answer import EARLY, CannotHold, Export, Unsaid, all_of
from services.exports.phh import BUTTON, short_price
from services.exports.record import gross_pots, has_record, record_of
from services.exports.remarks import hidden_cards, table_talk
from services.exports.story import Story
from services.formats.figures import UNKNOWN
from services.formats.ohh import ACTIONS, GAMES, SPEC, STREETS
from services.formats.record import Entry, Record

TYPES = {variant: name for name, variant in GAMES.items()}
WORDS = {kind: word for word, kind in ACTIONS.items()}
ROUNDS = {street: name for name, street in STREETS.items()}
PLAY_MONEY = "XPM"

SPLIT = Unsaid("shares", "which half of a pot was won with what; `_pot_share` says it beside the format")
SHORT = Unsaid("short_price", "that a call is of the whole blind where a short stack paid less (COM-34)")
UNCALLED = Unsaid("uncalled", "a bet that nobody called and that came back; no pot has it")


def write(story: Story) -> Export:
    """One hand. Raises CannotHold for games and hands that the format has no words for."""
    if not has_record(story) or story.hand.game.name not in TYPES:
        raise CannotHold(
            "Open Hand History has no way to call a hand off" if story.voided
            else f"Open Hand History has no streets and actions of {story.hand.game.title}"
        )  # fmt: skip
    record = record_of(story)
    text = json.dumps({"ohh": document(story, record)}, separators=(",", ":"), ensure_ascii=False)
    return Export(text + "\n", _unsaid(story, record))


def part(number: int, export: Export) -> str:
    """One hand of a file: a blank line after it."""
    return export.text + "\n"


def document(story: Story, record: Record) -> dict[str, Any]:
    """The object, keys in the order of the specification."""
    hand = story.hand
    hero = {} if story.view in ("public", "full") else {"hero_player_id": int(story.view.removeprefix("seat:")) + 1}
    return {
        "spec_version": SPEC,
        "site_name": "Croupier",
        "network_name": "Croupier",
        "internal_version": story.started.rules,
        "tournament": False,
        "game_number": story.id,
        "start_date_utc": datetime.fromtimestamp(hand.started_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "table_name": story.table,
        "game_type": TYPES[record.variant],
        "bet_limit": {"bet_type": record.structure, "bet_cap": 0},
        "table_size": hand.chairs,
        "currency": PLAY_MONEY,
        "dealer_seat": hand.button + 1,
        "small_blind_amount": hand.stakes.small_blind,
        "big_blind_amount": hand.stakes.big_blind,
        "ante_amount": hand.stakes.ante,
        **hero,
        "flags": [] if hero else ["Observed"],
        "players": [
            {"id": p.seat, "seat": p.seat, "name": p.name, "starting_stack": p.stack, "player_bounty": 0}
            for p in record.players
        ],
        "rounds": _Rounds(story).of(record),
        "pots": list(_pots(story)),
        "tournament_bounties": [],
        "_house": dict(record.house or {}),
        "_rules_version": story.started.rules,
        "_log_head": story.head.hex(),
    }


@dataclass(slots=True)
class _Rounds:
    """The rounds in the writing; forced bets belong to the first, before its cards."""

    story: Story
    rounds: list[dict[str, Any]] = field(default_factory=list)

    def of(self, record: Record) -> list[dict[str, Any]]:
        self.begin("Preflop")
        for entry in record.entries:
            if entry.kind == "street":
                if entry.board:
                    self.begin(ROUNDS[entry.street or ""], entry.board)
            elif entry.kind == "deal":
                self.deal(entry)
            elif entry.kind in ("show", "muck"):
                self.end(entry)
            elif entry.kind in WORDS:
                self.act(WORDS[entry.kind], entry)
        return self.rounds

    def begin(self, street: str, cards: tuple[str, ...] = ()) -> None:
        with_cards = {"cards": list(cards)} if cards else {}
        self.rounds.append({"id": len(self.rounds), "street": street, **with_cards, "actions": []})

    def note(self, action: str, entry: Entry, **facts: Any) -> None:
        actions = self.rounds[-1]["actions"]
        actions.append({"action_number": len(actions), "player_id": entry.seat, "action": action, **facts})

    def deal(self, entry: Entry) -> None:
        """Only of seats whose cards the viewer knows, from the start or since they were shown."""
        if UNKNOWN not in entry.down:
            self.note(WORDS["deal"], entry, cards=list(entry.down))

    def act(self, action: str, entry: Entry) -> None:
        paid = {"amount": entry.amount, "is_allin": entry.all_in} if entry.amount else {}
        self.note(action, entry, **paid)

    def end(self, entry: Entry) -> None:
        """Hands are shown and mucked in a round of their own."""
        if self.rounds[-1]["street"] != "Showdown":
            self.begin("Showdown")
        cards = self.story.cards(self.story.hand.seats[(entry.seat or 0) - 1].cards)
        self.note(WORDS[entry.kind], entry, **({"cards": list(cards)} if entry.kind == "show" else {}))


def _pots(story: Story) -> Iterator[dict[str, Any]]:
    """Main pot first; amounts with the rake, wins without."""
    hand = story.hand
    for number, amount in enumerate(gross_pots(hand)):
        wins = [_win(share, seat, chips) for pot, share, seat, chips in hand.awards if pot == number and chips]
        rake = amount - sum(win["win_amount"] for win in wins)
        yield {"number": number, "amount": amount, "rake": rake, "jackpot": 0, "player_wins": wins}


def _win(share: str, seat: int, chips: int) -> dict[str, Any]:
    own = {"_pot_share": share} if share in ("high", "low") else {}
    paid = {"win_amount": chips, "cashout_amount": 0, "cashout_fee": 0, "bonus_amount": 0}
    return {"player_id": seat + 1, **paid, **own}


def _unsaid(story: Story, record: Record) -> tuple[Unsaid, ...]:
    """What of this hand the format does not say."""
    hand, found = story.hand, []
    if {share for _, share, _, _ in hand.awards} & {"high", "low"}:
        found.append(SPLIT)
    if hand.returns:
        found.append(UNCALLED)
    if hand.button not in hand.seats:
        found.append(BUTTON)
    if short_price(story):
        found.append(SHORT)
    if hand.options["showdown.all_in_face_up"]:
        found.append(EARLY)
    return all_of(found, table_talk(story), hidden_cards(record))
