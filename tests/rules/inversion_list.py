"""Small inversions of the rules in `engine/`, each of which a test that cites the rule must notice."""

from __future__ import annotations

from typing import NamedTuple


class Inversion(NamedTuple):
    """In `file` (below engine/) the text `old`, which occurs once, becomes `new`; `rule` is broken then."""

    rule: str
    file: str
    old: str
    new: str


TURNS = (
    ("COM-10", "play.py", "hand.actor != command.seat", "False"),
    ("COM-10", "table.py", "place is None or place.player != player", "place is None"),
    ("COM-11", "betting.py", "if to_call > 0:\n            pays", "if to_call >= 0:\n            pays"),
    ("COM-11", "table.py", "draft.emit(LeaveAsked(command.seat))", "pass"),
    ("COM-12", "betting.py", "to_call if to_call < stack else stack", "to_call"),
    ("COM-13", "betting.py", "not seat.live or seat.stack == 0", "not seat.live"),
    ("COM-13", "betting.py", "(other.stack > 0 or other.bet > bet)", "True"),
    ("COM-13", "betting.py", "seat.acted == NOT_YET and answerable", "answerable"),
    ("COM-14", "play.py", "len(hand.live()) == 1", "False"),
    ("COM-15", "table.py", "if dealt_in(table, command.seat):\n        draft.emit(TopUp",
     "if False:\n        draft.emit(TopUp"),
    ("COM-16", "betting.py", "stack > to_call and answerable(hand, seat)", "stack > to_call"),
    ("COM-16", "betting.py", "other.live and other.stack > 0", "other.live and other.stack > hand.price"),
)  # fmt: skip

LIMITS = (
    ("COM-20", "limits.py", "to = hand.level + hand.size", "to = hand.price + 2 * hand.size"),
    ("COM-20", "events.py", "self.level > hand.level > 0", "self.level > hand.level"),
    ("COM-21", "limits.py", "hand.raises >= self.max_raises", "hand.raises > self.max_raises"),
    ("COM-21", "limits.py", "self.heads_up_uncapped and len", "len"),
    ("OM8-44", "limits.py", "hand.raises >= self.max_raises", "hand.raises > self.max_raises"),
    ("COM-22", "limits.py", "2 * (to - level) >= size", "2 * (to - level) > size"),
    ("COM-22", "limits.py", "2 * (to - level) >= size", "2 * (to - hand.price) >= size"),
    ("COM-23", "limits.py", "seat.acted < hand.level or seat.acted == NOT_YET", "seat.acted == NOT_YET"),
    ("COM-30", "limits.py", "grown if grown > hand.size and not self.fixed else hand.size", "hand.size"),
    ("COM-30", "limits.py", "grown > hand.size and not self.fixed", "not self.fixed"),
    ("COM-31", "betting.py", "least if least < reach else reach", "least"),
    ("COM-32", "limits.py", "hand.level - seat.acted >= hand.size", "hand.level > seat.acted"),
    ("COM-32", "limits.py", "hand.level - seat.acted >= hand.size", "False"),
    ("COM-33", "limits.py", "+ hand.price - seat.bet", ""),
    ("COM-33", "limits.py", "hand.in_middle() + missing_blinds(hand)", "hand.in_middle()"),
    ("COM-33", "limits.py", "if hand.board:", "if False:"),
    ("COM-34", "betting.py", "stakes.big_blind if self.blind",
     "min(stakes.big_blind, max(s.bet for s in hand.seats.values())) if self.blind"),
)  # fmt: skip

CHIPS = (
    ("COM-40", "steps.py", "min(ante, hand.seats[index].stack)",
     "ante if hand.seats[index].stack >= ante else 0"),
    ("COM-41", "events.py", "hand.dead += self.dead", "hand.dead += self.dead; seat.bet += self.dead"),
    ("COM-50", "pots.py", "elif bet > second:", "elif seat.live and bet > second:"),
    ("COM-50", "betting.py", "if back:", "if False:"),
    ("COM-51", "pots.py", "seat.live and seat.paid >= level", "seat.paid >= level"),
    ("COM-52", "pots.py", "below = -hand.dead", "below = 0"),
    ("COM-53", "showdown.py", "low = pot.amount // (2 * unit) * unit",
     "low = pot.amount - pot.amount // 2"),
    ("COM-54", "pots.py", "(place < odd)", "(place >= len(winners) - odd)"),
    ("COM-54", "showdown.py", 'unit = hand.options.number("odd_chip_unit")', "unit = 1"),
    ("COM-55", "showdown.py", "hand.in_middle() * percent // 100", "-(-hand.in_middle() * percent // 100)"),
    ("COM-55", "showdown.py", "amount if cap is None else", "amount if True else"),
    ("COM-55", "showdown.py", 'hand.options["rake.no_flop_no_drop"] and', ""),
    ("COM-55", "pots.py", "taken = min(rake, pot.amount)", "taken = rake"),
)  # fmt: skip

SHOWDOWN = (
    ("COM-60", "showdown.py", "last is not None and hand.seats[last].live", "False"),
    ("COM-60", "showdown.py", 'hand.options["showdown.first"] == "latest_street"', "True"),
    ("RAZ-33", "showdown.py", "last is not None and hand.seats[last].live", "False"),
    ("COM-61", "showdown.py", "if not has_claim(hand, index, contested):", "if False:"),
    ("COM-61", "showdown.py", "rank >= max(", "rank > max("),
    ("COM-61", "showdown.py", 'return Move("muck", 0)', 'return Move("show", 0)'),
    ("COM-62", "showdown.py", "if not has_claim(hand, index, contested):", "if True:"),
    ("COM-63", "showdown.py", 'if not hand.options["showdown.all_in_face_up"]:', "if False:"),
    ("COM-63", "showdown.py", "sum(hand.seats[i].stack > 0 for i in live) > 1", "False"),
    ("COM-64", "events.py", "hand.seats[self.seat].mucked = True",
     "hand.seats[self.seat].mucked = True; hand.open[:] = bytes([1]) * 52"),
)  # fmt: skip

TABLES = (
    ("COM-65", "positions.py", "ready[first_button(seed, len(ready))]\n    order", "ready[0]\n    order"),
    ("COM-65", "table.py", "and table.number > 0", ""),
    ("COM-66", "positions.py", "small, button = table.big,",
     "small, button = clockwise(table, ready, table.big)[0],"),
    ("COM-66", "positions.py", "or not table.place(i).owes or", "or"),
    ("COM-67", "positions.py", "small = button = next(i for i in dealt if i != big)",
     "small = button = big"),
    ("COM-67", "positions.py", "(button, order[0]) if len(order) == 2",
     "(order[0], button) if len(order) == 2"),
    ("COM-68", "steps.py", "return hand.live()[0]", "return hand.live()[-1]"),
    ("COM-68", "steps.py", "top[place :: len(live)]", "top[place * count : place * count + count]"),
    ("COM-69", "positions.py", "index != button and index not in", "index not in"),
    ("COM-69", "positions.py", "(0 if post.live else 1)", "0"),
    ("COM-69", "play.py", "not table.place(index).owes_small:", "False:"),
    ("COM-69", "positions.py", "stakes.small_blind if place.owes_small else 0", "0"),
    ("COM-70", "positions.py", "place is None or place.sitting_out or place.leaving",
     "place is None or place.leaving"),
    ("COM-70", "play.py", "place.missed_orbits > limit", "place.missed_orbits >= limit"),
)  # fmt: skip

CLOCKS = (
    ("COM-71", "betting.py", 'Move("check", 0) if "check" in legal else Move("fold", 0)',
     'Move("fold", 0)'),
    ("COM-71", "draft.py", "* 1000 + place.bank_ms", "* 1000"),
    ("COM-71", "play.py", 'draft.emit(SatOut(seat, "timed_out"))', "pass"),
    ("COM-71", "play.py", "draft.now < hand.deadline", "False"),
    ("COM-72", "draft.py", "if place.connected or hand.seats[index].graced:", "if place.connected:"),
    ("COM-72", "table.py", "if grace and not draft.hand.seats[command.seat].graced:", "if grace:"),
    ("COM-73", "play.py", "draft.emit(TimedOut(hand.actor, draft.table.turn, hand.deadline, draft.now))",
     "pass"),
    ("COM-73", "table.py", 'draft.emit(ClockExtended(draft.now - table.paused_ms, "paused"))', "pass"),
    ("COM-75", "view.py", "if hand.open[at] and card is not None", "if card is not None"),
    ("COM-76", "play.py", "draft.deal(command.seed,", "draft.deal(bytes(32),"),
)  # fmt: skip

RAZZ = (
    ("RAZ-09", "betting.py", 'legal["complete"] = (hand.stakes.small_bet, hand.stakes.small_bet)', "pass"),
    ("RAZ-11", "games/razz.py", "small // 2 if", "small if"),
    ("RAZ-12", "games/razz.py", "* 4 + (card & 3)", "* 4 + 3 - (card & 3)"),
    ("RAZ-14", "games/razz.py", "        Antes(),\n", ""),
    ("RAZ-15", "positions.py", "tuple(clockwise(table, ready, dealer + 1)), passed",
     "tuple(clockwise(table, ready, dealer)), passed"),
    ("RAZ-22", "games/razz.py", '"5th", lowest_board, limit, big=True', '"5th", lowest_board, limit'),
    ("RAZ-23", "games/razz.py", '"5th", lowest_board', '"5th", highest_door_card'),
    ("RAZ-26", "games/razz.py", "Deal(down=1, burn=True)", "Deal(up=1, burn=True)"),
    ("RAZ-28", "games/razz.py", "*hand.board", ""),
    ("RAZ-34", "games/razz.py", "return razz_low(", "return -razz_low("),
    ("RAZ-C01", "positions.py", "clockwise(table, ready, table.button + 1)[0]",
     "clockwise(table, ready, table.button)[0]"),
    ("RAZ-C02", "betting.py", "seat.stack >= hand.stakes.small_bet", "seat.stack > hand.stakes.bring_in"),
    ("RAZ-C03", "games/razz.py", "((card >> 2) + 1) % 13 * 4", "(card >> 2) * 4"),
    ("RAZ-C04", "betting.py", "half_bets = not (self.bring_in and hand.level == 0)", "half_bets = True"),
    ("RAZ-C05", "games/razz.py", 'hand.options["razz.low_tie"] == "high_suit"', "False"),
    ("RAZ-C06", "steps.py", "self.burn and stub > len(live)", "self.burn and stub >= len(live) + 2"),
    ("RAZ-C06", "steps.py", "if stub >= 2:", "if stub >= 99:"),
    ("RAZ-C08", "games/razz.py", 'hand.options["razz.odd_chip"] == "clockwise"', "True"),
    ("RAZ-C09", "betting.py", "if index != hand.first:", "if False:"),
    ("RAZ-C09", "events.py", "hand.price = self.price\n        seat.acted = hand.level",
     "hand.price = seat.bet\n        seat.acted = hand.level"),
)  # fmt: skip

OMAHA = (
    ("OM8-03", "showdown.py", "if winners]", "]"),
    ("OM8-12", "steps.py", '(hand.big, stakes.big_blind, "big")', '(hand.big, stakes.small_blind, "big")'),
    ("OM8-16", "positions.py", "stakes.big_blind if place.owes_big else 0", "0"),
    ("OM8-21", "games/omaha8.py", "Deal(down=4)", "Deal(down=5)"),
    ("OM8-24", "games/omaha8.py", "Board(3, burn)", "Board(2, burn)"),
    ("OM8-36", "games/omaha8.py", '"preflop", left_of_big_blind', '"preflop", left_of_button'),
    ("OM8-49", "betting.py", "return seat.acted == NOT_YET and",
     "return hand.price == 0 and seat.acted == NOT_YET and"),
    ("OM8-54", "games/omaha8.py", '"flop", left_of_button', '"flop", left_of_big_blind'),
    ("OM8-64", "games/omaha8.py", '"turn", left_of_button, limit, big=True',
     '"turn", left_of_button, limit'),
    ("OM8-68", "games/omaha8.py", 'Share("high", high), Share("low", low)', 'Share("high", high)'),
    ("OM8-69", "games/omaha8.py", "return omaha_low(", "return 1 or omaha_low("),
    ("OM8-C01", "games/omaha8.py", "Board(1, burn),\n        Betting(\"turn\"",
     "Board(1, False),\n        Betting(\"turn\""),
    ("OM8-C02", "games/omaha8.py", "max(1, big_blind // 2)", "big_blind // 2"),
    ("OM8-C03", "games/omaha8.py", 'double = 2 if options["omaha.structure"] == "limit" else 1',
     "double = 2"),
    ("OM8-C05", "showdown.py", "len(claims) == 2 and self.whole and", "False and"),
)  # fmt: skip

ABYSSINIA = (
    ("ABY-02", "games/abyssinia.py", "(Antes(), OpenMarket()", "(OpenMarket()"),
    ("ABY-03", "games/abyssinia.py", "low if rank(card) <= FIVE", "low if rank(card) < FIVE"),
    ("ABY-04", "games/abyssinia.py", "hand.dead += self.price", "seat.bet += self.price; seat.paid += self.price"),
    ("ABY-05", "games/abyssinia.py", 'FixedLimit(options.number("limit.max_raises"))', "FixedLimit(4)"),
    ("ABY-06", "games/abyssinia.py", "    least_stack=least_stack,\n", ""),
    ("ABY-07", "games/abyssinia.py", "seat.start >= least_stack(hand.options)", "True"),
    ("ABY-09", "games/abyssinia.py", "for i in hand.live() if hand.seats[i].acted == NOT_YET",
     "for i in reversed(hand.live()) if hand.seats[i].acted == NOT_YET"),
    ("ABY-10", "games/abyssinia.py",
     "        draft.emit(Dealt(index, at, cards, openings))\n        self.buy(draft, index, BLIND, at)",
     "        self.buy(draft, index, BLIND, at)\n        draft.emit(Dealt(index, at, cards, openings))"),
    ("ABY-11", "games/abyssinia.py", "show_market(draft, source)", 'show_market(draft, "left")'),
    ("ABY-12", "games/abyssinia.py", 'if hand.options["abyssinia.hidden"] else hand.reveal(at)',
     "if True else hand.reveal(at)"),
    ("ABY-14", "games/abyssinia.py", "ROUNDS = 5", "ROUNDS = 4"),
    ("ABY-16", "games/abyssinia.py", 'f"bet{number}", left_of_button',
     'f"bet{number}", lambda hand: hand.live()[-1]'),
    ("ABY-28", "games/abyssinia.py", "return five_low(", "return five_high("),
    ("ABY-25", "games/abyssinia.py", '(Share("high", high), Share("low", low))', '(Share("high", high),)'),
    ("ABY-35", "games/abyssinia.py", "Award(split=all_odd_to_first)", "Award()"),
    ("ABY-38", "games/abyssinia.py", '"net": seat.stack - seat.start', '"net": seat.stack - seat.start + seat.paid'),
    ("ABY-C02", "play.py", "listed is None or args in listed", "True"),
    ("ABY-C05", "games/abyssinia.py", "min(SIDES, key", "max(SIDES, key"),
    ("ABY-C06", "games/abyssinia.py", "(1 + options.number(", "(options.number("),
    ("ABY-C06", "games/abyssinia.py", "least_stack(options) < reserve(options)", "False"),
    ("ABY-C07", "games/abyssinia.py", "Award(split=all_odd_to_first)", "Award(split=all_odd_to_first, whole=True)"),
    ("ABY-C09", "games/abyssinia.py", 'if hand.options["abyssinia.hidden"] else hand.reveal(at)',
     "if False else hand.reveal(at)"),
    ("ABY-C10", "games/abyssinia.py", 'if options["abyssinia.hidden"] else ()', "if False else ()"),
    ("ABY-C11", "view.py", '"ChoiceSealed": ("seat",)', '"ChoiceSealed": ("seat", "seal")'),
    ("ABY-C11", "choosing.py", "if i not in hand.sealed]", "if i not in hand.sealed][::-1]"),
    ("ABY-C11", "choosing.py", 'sha256(b"\\x04" + salt +', 'sha256(b"\\x04" +'),
    ("ABY-C12", "choosing.py", '{"choice": self.picks[0]}', '{"choice": self.picks[-1]}'),
    ("ABY-C13", "games/abyssinia.py", 'choice != "both" or unbeaten(hand, i)', "True"),
    ("ABY-C13", "games/abyssinia.py", "ranking(hand.cards_of(seat)) >= ranking",
     "ranking(hand.cards_of(seat)) > ranking"),
    ("ABY-C14", "games/abyssinia.py", "return not standing or (seat in", "return (seat in"),
)  # fmt: skip

ROWS = (*TURNS, *LIMITS, *CHIPS, *SHOWDOWN, *TABLES, *CLOCKS, *RAZZ, *OMAHA, *ABYSSINIA)
INVERSIONS = tuple(Inversion(*row) for row in ROWS)
