"""Small inversions of the rules in `engine/`, each of which a test that cites the rule must notice.

A row names the rules that it breaks, separated by blanks, then file, old and new text: an `Inversion` for each rule.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.rules.inversions_of_abyssinia_and_hasaga import ABYSSINIA, HASAGA
from tests.rules.inversions_of_razz_and_omaha8 import OMAHA, RAZZ


class Inversion(NamedTuple):
    """In `file` (below engine/) the text `old`, which occurs once, becomes `new`; `rule` is broken then."""

    rule: str
    file: str
    old: str
    new: str


CARDS = (
    ("COM-01", "deck.py", "if bytes(sorted(cards)) != _IN_ORDER:", "if False:"),
    ("COM-01", "deck.py", '_generator(seed, hand, b"deck/1")', '_generator(seed, b"", b"deck/1")'),
    ("COM-02", "ranking_tables.py", "return 3 if mask & _WHEEL == _WHEEL else None", "return None"),
    ("COM-03", "ranking_tables.py", "(rank(card) + 1) % 13 for card", "rank(card) for card"),
    ("COM-04", "games/razz.py", "* 4 + (card & 3)", "* 4 + 3 - (card & 3)"),
    ("COM-05", "ranking_tables.py", "max([scores[total - power]", "min([scores[total - power]"),
    ("COM-74", "games/omaha8.py", "hole=4", "hole=5"),
)  # fmt: skip

TURNS = (
    ("COM-10", "play.py", "hand.actor != seat and", "False and"),
    ("COM-10", "presence.py", "place is not None and place.player == player", "place is not None"),
    ("COM-11", "betting.py", "if to_call > 0:\n            pays", "if to_call >= 0:\n            pays"),
    ("COM-10", "cut.py", "command.hand != table.number + 1", "False"),
    ("COM-10", "cut.py", "if command.player in table.pledges:", "if False:"),
    ("COM-11", "table.py", "draft.emit(LeaveAsked(index))", "pass"),
    ("COM-12", "betting.py", "to_call if to_call < stack else stack", "to_call"),
    ("COM-13", "betting.py", "not seat.live or seat.stack == 0", "not seat.live"),
    ("COM-13", "betting.py", "(other.bet > bet or (other.stack > 0 and not other.closed))", "True"),
    ("COM-13", "betting.py", "price <= seat.bet and seat.acted != NOT_YET:", "False:"),
    ("COM-14", "play.py", "len(hand.live()) == 1", "False"),
    ("COM-15", "table.py", "if dealt_in(table, command.seat):\n        draft.emit(TopUp",
     "if False:\n        draft.emit(TopUp"),
    ("COM-16", "betting.py", "(to_call <= 0 or answerable(hand, seat)) and", ""),
    ("COM-16", "betting.py", "other.player != player and other.stack > 0",
     "other.player != player and other.stack > hand.price"),
)  # fmt: skip

LIMITS = (
    ("COM-20", "limits.py", "to = hand.level + hand.size", "to = hand.price + 2 * hand.size"),
    ("COM-20", "events/actions.py", "if level > hand.level > 0", "if level > hand.level"),
    ("COM-21", "limits.py", "hand.raises >= self.max_raises", "hand.raises > self.max_raises"),
    ("COM-21", "limits.py", "self.heads_up_uncapped and between", "between"),
    ("COM-21", "limits.py", " or seat.acted == hand.level for", " for"),
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
    ("COM-40", "steps.py", "ante if ante < seat.stack else seat.stack",
     "ante if seat.stack >= ante else 0"),
    ("COM-41", "events/payments.py", "hand.dead += dead", "hand.dead += dead; seat.bet += dead"),
    ("COM-50", "pots.py", "= sorted(bets)",
     "= sorted([0, *[seat.bet for seat in hand.seats.values() if seat.live]])"),
    ("COM-50", "betting.py", "if back := uncalled(hand):", "if back := None:"),
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
    ("COM-63", "showdown.py", 'if options["showdown.all_in_face_up"] else ()', ""),
    ("COM-63", "showdown.py", "sum(hand.seats[i].stack > 0 for i in live) > 1", "False"),
    ("COM-64", "events/cards.py", "hand.seats[index].mucked = True",
     "hand.seats[index].mucked = True; hand.open[:] = bytes([1]) * 52"),
)  # fmt: skip

TABLES = (
    ("COM-65", "positions.py", "ready[first_button(seed, len(ready))]\n    order", "ready[0]\n    order"),
    ("COM-65", "table.py", "and table.number > 0 and not", "and not"),
    ("COM-66", "positions.py", "first_after(ready, table.big), table.big",
     "first_after(ready, table.big), clockwise(table, ready, table.big)[0]"),
    ("COM-66", "positions.py", "i == big or not table.place(i).owes", "i == big"),
    ("OM8-11", "positions.py", "[button, *passed_by(table, seats, button, small)][-1]", "button"),
    ("COM-67", "positions.py", "small = button = next(i for i in dealt if i != big)",
     "small = button = big"),
    ("COM-67", "positions.py", "(button, order[0]) if len(order) == 2",
     "(order[0], button) if len(order) == 2"),
    ("COM-68", "steps.py", "return hand.live()[0]", "return hand.live()[-1]"),
    ("COM-68", "events/cards.py", "zip(seats * down, at)", "zip(sorted(seats * down, key=seats.index), at)"),
    ("COM-69", "positions.py", "index != button and index not in", "index not in"),
    ("COM-69", "positions.py", "sure == [big] and len(posting) < 2", "sure == [big] and not posting"),
    ("COM-69", "positions.py", "(0 if post.live else 1)", "0"),
    ("COM-69", "play.py", "not table.place(index).owes_small:", "False:"),
    ("COM-69", "positions.py", "stakes.small_blind if place.owes_small else 0", "0"),
    ("COM-70", "positions.py", "place.sitting_out or place.leaving", "place.leaving"),
    ("COM-70", "play.py", "place.missed_orbits > limit", "place.missed_orbits >= limit"),
)  # fmt: skip

CLOCKS = (
    ("COM-71", "betting.py", 'Move("check", 0) if "check" in legal else Move("fold", 0)',
     'Move("fold", 0)'),
    ("COM-71", "draft.py", "left_ms += place.bank_ms", "pass"),
    ("COM-71", "play.py", 'draft.emit(SatOut(seat, "timed_out"))', "pass"),
    ("COM-71", "play.py", "draft.now < hand.deadline", "False"),
    ("COM-72", "draft.py", "not place.connected and not hand.seats[index].graced", "not place.connected"),
    ("COM-72", "presence.py", "if draft.grace_ms and not draft.hand.seats[actor].graced:", "if draft.grace_ms:"),
    ("COM-71", "play.py", "draft.spent = place.player", "draft.spent = ''"),
    ("COM-71", "play.py", "for index in draft.table.seats_of(place.player):\n            draft.emit(TimeBank",
     "for index in draft.table.seats_of(place.player)[:1]:\n            draft.emit(TimeBank"),
    ("COM-72", "presence.py", "or draft.hand.awaited or", "or"),
    ("COM-72", "draft.py", "(self.grace_ms if graced else 0)", "0"),
    ("COM-73", "play.py", "draft.emit(TimedOut(hand.actor, draft.table.turn, hand.deadline, draft.now))",
     "pass"),
    ("COM-73", "table.py", 'draft.emit(ClockExtended(draft.now - table.paused_ms, "paused"))', "pass"),
    ("COM-75", "view.py", "if up[i] and (card := deck[i]) is not None", "if (card := deck[i]) is not None"),
    ("COM-76", "play.py", "draft.deal(command.seed,", "draft.deal(bytes(32),"),
)  # fmt: skip

HOLDEM = (
    ("HLD-01", "games/holdem.py", "hole=2", "hole=3"),
    ("HLD-02", "games/holdem.py", "range(2, 11)", "range(2, 10)"),
    ("HLD-03", "flop.py", '"preflop", left_of_big_blind', '"preflop", left_of_button'),
    ("HLD-03", "flop.py", '"turn", left_of_button', '"turn", left_of_big_blind'),
    ("HLD-04", "flop.py", "Board(3, burn)", "Board(3)"),
    ("HLD-05", "betting.py", "price <= seat.bet and seat.acted != NOT_YET:",
     "price <= seat.bet and (price > 0 or seat.acted != NOT_YET):"),
    ("HLD-06", "games/holdem.py", "*board(hand)]", "*board(hand)[:3]]"),
    ("HLD-07", "flop.py", '"turn", left_of_button, limit, big=True', '"turn", left_of_button, limit'),
    ("HLD-08", "flop.py", 'double = 2 if options[f"{game}.structure"] == "limit" else 1', "double = 2"),
    ("HLD-09", "flop.py", "max(1, big_blind // 2)", "big_blind // 2"),
    ("HLD-09", "flop.py", "if small_blind > big_blind:", "if False:"),
    ("HLD-10", "games/holdem.py", "(Antes(), *rounds(", "(*rounds("),
    ("HLD-10", "events/payments.py", "seat.stack -= amount\n            seat.paid += amount",
     "seat.stack -= amount\n            seat.bet += amount\n            seat.paid += amount"),
)  # fmt: skip

STUD = (
    ("STD-01", "stud.py", "seating=dealer_plan", "seating=lambda table, seed: None"),
    ("STD-02", "stud.py", "Deal(down=1, burn=True)", "Deal(up=1, burn=True)"),
    ("STD-03", "games/stud.py", "cards.index(min(cards))", "cards.index(max(cards))"),
    ("STD-04", "games/stud.py", "cards = doors(hand)", "cards = [(card + 4) % 52 for card in doors(hand)]"),
    ("STD-05", "events/actions.py", "if level > hand.level > 0", "if level > hand.level"),
    ("STD-06", "stud.py", '"5th", board, limit, big=True', '"5th", board, limit'),
    ("STD-07", "stud.py", '"4th", board', '"4th", door_card'),
    ("STD-07", "ranking_tables.py", "_scores(lambda ranks: pack(*grouped(ranks)), 1,",
     "_scores(lambda ranks: pack(Category.NO_PAIR, sorted(ranks)[::-1]), 1,"),
    ("STD-08", "games/stud.py", 'max if tie == "high_suit" else None', "None"),
    ("STD-09", "betting.py", "if index != hand.first:", "if False:"),
    ("STD-10", "betting.py", "and hand.size < hand.stakes.big_bet and", "and"),
    ("STD-10", "limits.py", "if to > level + size:", "if False:"),
    ("STD-10", "play.py", "next(iter(reaching or wagers), verb)", "next(iter(wagers), verb)"),
    ("STD-10", "games/stud.py", 'open_pair if options["stud.open_pair"] == "double" else None', "open_pair"),
    ("STD-11", "games/stud.py", "return high(", "return -high("),
    ("STD-12", "stud.py", ", *hand.board", ""),
    ("STD-12", "steps.py", "return deal_board(draft, 1, burn=stub >= 2)", "return None"),
    ("STD-13", "pots.py", "(place < odd)", "(place >= len(winners) - odd)"),
    ("ST8-01", "games/stud8.py", "streets(options, lowest_door_card,", "streets(options, opener,"),
    ("ST8-02", "games/stud8.py", "opener)", "opener, lambda hand: True)"),
    ("ST8-03", "games/stud8.py", '    Share("high", best),\n',""),
    ("ST8-04", "rankings.py", "score if score >= WORST_EIGHT else None", "score"),
    ("ST8-05", "showdown.py", "if winners]", "]"),
    ("ST8-06", "games/stud8.py", '    Share("low", low),\n', ""),
    ("ST8-07", "showdown.py", "low = pot.amount // (2 * unit) * unit", "low = pot.amount - pot.amount // 2"),
    ("ST8-08", "games/stud8.py", 'options["stud8.identical_split"] == "whole"', "True"),
    ("ST8-09", "pots.py", "(place < odd)", "(place >= len(winners) - odd)"),
    ("ST8-10", "stud.py", ", *hand.board", ""),
    ("ST8-11", "games/stud8.py", '        Option("stud8.high_tie"',
     '        Option("stud8.structure", "limit", "", choices=("limit",)),\n        Option("stud8.high_tie"'),
)  # fmt: skip

MIXED = (
    ("MIX-01", "next_game.py", "mixed[(at + 1) % len(mixed)] if over", "mixed[at - 1] if over"),
    ("MIX-01", "next_game.py", "return mixed[0]\n    at", "return mixed[-1]\n    at"),
    ("MIX-02", "next_game.py", "or past.players", "or 1"),
    ("MIX-02", "events/hands.py", "number, len(order), button)", "number, len(places), button)"),
    ("MIX-03", "next_game.py", 'table.options.number("rotation.hands") or past.players', "past.players"),
    ("MIX-04", "play.py", "        game.rules, draft.now,", "        table.rules, draft.now,"),
    ("MIX-04", "snapshot.py", "Rotation(*past) if past else None", "None"),
    ("MIX-05", "rotation.py", "return plan._replace(small=small, big=big)", "return plan"),
    ("MIX-06", "events/hands.py", "if game.blinds:", "if True:"),
    ("MIX-06", "play.py", "if game.blinds and not place.owes_big:", "if not place.owes_big:"),
    ("MIX-07", "rotation.py", "past.chooser + 1)", "past.chooser)"),
    ("MIX-07", "table.py", "if chooser(table) != command.seat:", "if False:"),
    ("MIX-07", "table.py", "if command.game not in names:", "if False:"),
    ("MIX-07", "rotation.py", "past.chosen in [game.name for game in mixed]", "False"),
    ("MIX-08", "play.py", "draft.emit(GameChosen(undecided, game.name, True))", "pass"),
    ("MIX-08", "rotation.py", "seconds += ", "seconds -= "),
    ("MIX-09", "games/horse.py", "razz stud stud8", "stud razz stud8"),
    ("MIX-10", "rotation.py", "bool(game.shares) and", ""),
    ("MIX-10", "rotation.py", "len({*names}) < len(names)", "False"),
    ("MIX-10", "rotation.py", "if len(blinds) > 1:", "if False:"),
    ("MIX-11", "positions.py", "(game or next_game(table)).least_stack", "table.game.least_stack"),
    ("MIX-11", "rotation.py", "ready_seats(table, game)", "ready_seats(table)"),
    ("MIX-11", "table.py", "if not can_deal(table, find_game(command.game)):", "if False:"),
)  # fmt: skip

VOIDED = (
    ("VOI-01", "table.py", "tuple(seat.start for seat in draft.hand", "tuple(seat.stack for seat in draft.hand"),
    ("VOI-02", "table.py", "draft.emit(BlindsOwed(post.seat, post.dead, post.live))", "pass"),
)

OF_GAMES = (*RAZZ, *OMAHA, *ABYSSINIA, *HOLDEM, *STUD, *MIXED, *HASAGA)
ROWS = (*CARDS, *TURNS, *LIMITS, *CHIPS, *SHOWDOWN, *TABLES, *CLOCKS, *VOIDED, *OF_GAMES)
INVERSIONS = tuple(Inversion(rule, *text) for rules, *text in ROWS for rule in rules.split())
