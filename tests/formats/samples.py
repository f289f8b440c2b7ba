"""Small hands written for these tests, in the forms of every reader."""

from __future__ import annotations

import json

OMAHA = """\
PokerStars Hand #{number}:  Omaha Hi/Lo Limit ($2/$4 USD) - 2024/01/01 12:00:00 ET
Table 'Test' 6-max Seat #1 is the button
Seat 1: {ann} ($100 in chips)
Seat 2: {bob} ($100 in chips)
Seat 4: {cat} ($50.50 in chips)
{bob}: posts small blind $1
{cat}: posts big blind $2
*** HOLE CARDS ***
Dealt to {ann} [As 2s Kd Kh]
{ann}: raises $2 to $4
{bob}: folds
{cat}: calls $2
*** FLOP *** [3c 4d Ks]
{cat}: checks
{ann}: bets $2
{cat}: raises $2 to $4
{ann}: raises $2 to $6
{cat}: calls $2
*** TURN *** [3c 4d Ks] [8h]
{cat}: checks
{ann}: bets $4
{cat}: calls $4
*** RIVER *** [3c 4d Ks 8h] [9h]
{cat}: bets $4
{ann}: calls $4
*** SHOW DOWN ***
{cat}: shows [Ac 5c Qd Jd] (HI: high card Ace; LO: 8,5,4,3,A)
{ann}: shows [As 2s Kd Kh] (HI: three of a kind, Kings; LO: 8,4,3,2,A)
{ann} collected $18.50 from pot
{ann} collected $18.50 from pot
*** SUMMARY ***
Total pot $37 | Rake $0
Board [3c 4d Ks 8h 9h]
Seat 1: {ann} (button) showed [As 2s Kd Kh] and won ($37) with HI: three of a kind, Kings
Seat 2: {bob} (small blind) folded before Flop
Seat 4: {cat} (big blind) showed [Ac 5c Qd Jd] and lost with HI: high card Ace
"""

RAZZ = """\
PokerStars Hand #{number}:  Razz Limit (4/8) - 2024/01/01 12:00:00 ET
Table 'Test' 8-max
Seat 1: S1 (100 in chips)
Seat 2: S2 (100 in chips)
Seat 5: S5 (100 in chips)
Seat 6: S6 (100 in chips)
Seat 7: S7 (100 in chips)
S1: posts the ante 1
S2: posts the ante 1
S5: posts the ante 1
S6: posts the ante 1
S7: posts the ante 1
*** 3rd STREET ***
Dealt to S1 [9c]
Dealt to S2 [Jc]
Dealt to S5 [Ks]
Dealt to S6 [Ah 2h 3h]
Dealt to S7 [4c]
S5: brings in for 2
S6: raises 2 to 4
S7: raises 4 to 8
S1: folds
S2: folds
S5: folds
S6: calls 4
*** 4th STREET ***
Dealt to S6 [Ah 2h 3h] [5d]
Dealt to S7 [4c] [Kc]
S6: bets 4
S7: folds
Uncalled bet (4) returned to S6
S6 collected 23 from pot
*** SUMMARY ***
Total pot 23 | Rake 0
Seat 6: S6 collected (23)
"""

FULL_TILT = """\
Full Tilt Poker Game #{number}: Table Test (6 max) - PL Omaha H/L - $1/$2 - 12:00:00 ET - 2024/01/01
Seat 3: {ann} ($20)
Seat 5: {bob} ($1,000.50)
{bob} posts the small blind of $1
{ann} posts the big blind of $2
The button is in seat #5
*** HOLE CARDS ***
{bob} raises to $6
{ann} raises to $18
{bob} raises to $54
{ann} calls $2, and is all in
{bob} shows [2c 3c 4c 5c]
{ann} shows [Ah Kh Qd Jd]
Uncalled bet of $34 returned to {bob}
*** FLOP *** [7d 8h Kc] (Total Pot: $40, 2 Players, 1 All-In)
*** TURN *** [7d 8h Kc] [As] (Total Pot: $40, 2 Players, 1 All-In)
*** RIVER *** [7d 8h Kc As] [Ts] (Total Pot: $40, 2 Players, 1 All-In)
{ann} shows a straight, for high
{bob} shows high card Ace, for high and 8,7,3,2,A, for low
{ann} wins the high pot ($20) with a straight
{bob} wins the low pot ($20) with 8,7,3,2,A
*** SUMMARY ***
Total pot $40 | Rake $0
Board: [7d 8h Kc As Ts]
Seat 3: {ann} (big blind) showed [Ah Kh Qd Jd] and won ($20) with HI: a straight
Seat 5: {bob} (small blind) showed [2c 3c 4c 5c] and won ($20) with LO: 8,7,3,2,A
"""

PHH = """\
variant = "FR"
antes = [1, 1, 1]
bring_in = 5
small_bet = 10
big_bet = 20
starting_stacks = [300, 300, 300]
actions = [
  "d dh p1 AhAc4h", "d dh p2 2c3c5d", "d dh p3 ????Kd",
  "p3 pb", "p1 cbr 10", "p2 cbr 20", "p3 f", "p1 cc",   # completed, raised
  "d dh p1 Qs", "d dh p2 7d",
  "p2 cbr 10", "p1 f",
]
finishing_stacks = [279, 327, 294]
"""


def stars(ann: str = "ann", bob: str = "bob", cat: str = "cat", number: int = 7) -> str:
    return OMAHA.format(ann=ann, bob=bob, cat=cat, number=number)


def razz(number: int = 8) -> str:
    return RAZZ.format(number=number)


def full_tilt(ann: str = "ann", bob: str = "bob", number: int = 9) -> str:
    return FULL_TILT.format(ann=ann, bob=bob, number=number)


def neutral() -> str:
    """The razz sample as one line of a hands.jsonl."""
    from services.formats import stars as reader

    (sheet,) = reader.read("razz.txt", razz())
    record = sheet.read()
    return json.dumps(record.to_json()) + "\n"
