"""Verify finished poker hands from a bundle, with nothing but Python. For sceptics: read it, then run it.

    python -I docs/verify.py HANDS.bundle [MORE.bundle…] [--key NAME+ID+KEY]

It shares no code with Croupier and knows no rules of poker. It checks what can be checked by hashing, adding and one
signature: that no event was changed, dropped, put in or swapped; that every card that became public is the one that was
committed to before the deal; that the players' seeds made the cut and the cards came in its order; that no chip came
from nowhere or was lost; and that the hand stands in a log whose head was signed. It does not check that the best hand
won: `croupier verify` does, by making every decision again.

--key is the log's public key, got from somewhere else than the bundle. Without it the key in the bundle is used, and
a forger would have put his own there. Exit status: 0 everything agrees, 1 something differs or is
missing, 2 wrong use.
"""

import base64
import hashlib
import hmac
import sys


class Differs(Exception):
    """What was found, with its place."""


def require(true, what):
    if not true:
        raise Differs(what)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


# --- MessagePack (github.com/msgpack/msgpack/blob/master/spec.md), as far as it is used -------------------------------

DEEPEST = 16
SIZES = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}  # bytes of a length
INTEGERS = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}


class Values:
    """Reads MessagePack values one after the other."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def more(self):
        return self.at < len(self.data)

    def take(self, count):
        require(self.at + count <= len(self.data), f"the file ends within a value, at byte {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def value(self, depth=0):
        require(depth <= DEEPEST, f"values within values at byte {self.at}")
        first = self.number(1)
        if first < 0x80 or first >= 0xE0:
            return first if first < 0x80 else first - 0x100
        if first < 0xC0:  # map, array, text with its length in the first byte
            kind = 0xDE if first < 0x90 else 0xDC if first < 0xA0 else 0xD9
            return self.compound(kind, first & (31 if kind == 0xD9 else 15), depth)
        if first in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[first]
        if first in INTEGERS:
            return int.from_bytes(self.take(INTEGERS[first]), "big", signed=first >= 0xD0)
        require(first in SIZES, f"a kind of value that is not used, at byte {self.at}")
        return self.compound(first, self.number(SIZES[first]), depth)

    def compound(self, kind, count, depth):
        if kind < 0xD9:
            return self.take(count)
        if kind < 0xDC:
            return self.take(count).decode("utf-8")
        if kind < 0xDE:
            return [self.value(depth + 1) for _ in range(count)]
        return {self.value(depth + 1): self.value(depth + 1) for _ in range(count)}


# --- Merkle trees (RFC 6962, RFC 9162) --------------------------------------------------------------------------------


def leaf_hash(data):
    return sha256(b"\x00", data)


def node_hash(left, right):
    return sha256(b"\x01", left, right)


def root_from_path(leaf, at, size, path):
    """The root that leaf `at` of `size` and its audit path lead to (RFC 9162, 2.1.3.2)."""
    require(0 <= at < size, f"there is no leaf {at} of {size}")
    node, steps = leaf, list(path)
    while size > 1:
        if at ^ 1 < size:
            require(steps, "the path is too short")
            step = steps.pop(0)
            node = node_hash(step, node) if at & 1 else node_hash(node, step)
        at, size = at // 2, (size + 1) // 2
    require(not steps, "the path is too long")
    return node


# --- Ed25519 (RFC 8032, 5.1): only verification, so nothing here is secret --------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def add(one, two):
    """Points in extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, xy = T/Z."""
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c = 2 * one[3] * two[3] * D % P
    d = 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor, point):
    found = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            found = add(found, point)
        point, factor = add(point, point), factor >> 1
    return found


def x_of(y, odd):
    """The coordinate x of the point with this y, None if there is no such point (5.1.3)."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and odd):
        return None
    return P - x if x % 2 != odd else x


def point_of(data):
    y = int.from_bytes(data, "little")
    odd, y = y >> 255, y & (2**255 - 1)
    x = x_of(y, odd) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, -1, P) % P
BASE = (x_of(BASE_Y, 0), BASE_Y, 1, x_of(BASE_Y, 0) * BASE_Y % P)


def signature_is_good(public, message, signature):
    """Whether s·B = R + h·A (5.1.7)."""
    a, r = point_of(public), point_of(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(public) != 32 or len(signature) != 64 or a is None or r is None or s >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + message).digest()
    left, right = times(s, BASE), add(r, times(int.from_bytes(digest, "little") % ORDER, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


# --- signed checkpoints (c2sp.org/signed-note, c2sp.org/tlog-checkpoint) ----------------------------------------------


def read_key(text):
    """Name, key id and key of `name+id+key`."""
    name, id_, encoded = text.strip().split("+", 2)
    data = base64.b64decode(encoded, validate=True)
    require(data[:1] == b"\x01" and len(data) == 33, "not an Ed25519 key")
    require(sha256(name.encode(), b"\n", data)[:4].hex() == id_, "the key's id is another one")
    return name, bytes.fromhex(id_), data[1:]


def read_note(note):
    """Number of leaves and root, whoever has signed."""
    _, size, root, *_ = note.split("\n\n")[0].split("\n")
    return int(size), base64.b64decode(root, validate=True)


def signed_by(note, key):
    """Whether the key has signed the note, which must speak of the key's own log."""
    name, id_, public = read_key(key)
    text, _, lines = note.rpartition("\n\n")
    for line in lines.splitlines():
        mark, signer, encoded = line.split(" ")
        signature = base64.b64decode(encoded, validate=True)
        if (mark, signer, signature[:4]) == ("—", name, id_):
            return text.startswith(name + "\n") and signature_is_good(public, (text + "\n").encode(), signature[4:])
    return False


# --- the players' cut: HMAC_DRBG of SP 800-90A and a Fisher–Yates shuffle ---------------------------------------------


def random_bytes(entropy, nonce, personalisation):
    """The generator's bytes, from requests of 128."""
    key, value = bytes(32), b"\x01" * 32

    def mac(*parts):
        return hmac.digest(key, b"".join(parts), "sha256")

    def update(*data):
        nonlocal key, value
        key = mac(value, b"\x00", *data)
        value = mac(value)
        if data:
            key = mac(value, b"\x01", *data)
            value = mac(value)

    update(entropy, nonce, personalisation)
    while True:
        for _ in range(4):
            value = mac(value)
            yield from value
        update()


def cut_of(seeds, root, hand):
    """The permutation that the players' seeds make (docs/dealing.md)."""
    stream = random_bytes(sha256(*sorted(seeds), root, hand), hand, b"cut/1")
    order = list(range(52))
    for last in range(51, 0, -1):
        most = 256 // (last + 1) * (last + 1)  # bytes from here on would make some numbers likelier
        at = next(byte for byte in stream if byte < most) % (last + 1)
        order[last], order[at] = order[at], order[last]
    return bytes(order)


# --- events: [version, name, field, …]. Which fields hold cards, and how chips move -----------------------------------

# The field with positions, then come cards and openings; that of cards from the deck, besides Dealt's rounds; and of
# those burned before them.
SHOWS = {"Dealt": 1, "BoardDealt": 0, "Shown": 1, "MarketShown": 1, "Sold": 1}
TAKES = {"RoundDealt": 1, "BoardDealt": 0, "Burned": 0, "MarketShown": 1, "CardAdded": 1}
BURNS = {"RoundDealt": 5, "BoardDealt": 3}
TELLS = ("AnswersOpened", "Declared")  # secret choices with their salts
PAYS = {"AntePaid", "BlindPosted", "Posted", "Called", "RaisedTo", "BroughtIn", "Bought", "Fee", "ExtraBlindTaken"}
MOVES = PAYS | {
    "AntesPaid", "Returned", "UnmatchedReturned", "Raked", "Awarded", "BankPaid", "Merged", "Sold", "PoolSplit",
}  # fmt: skip
CHAIRS = {"Sat", "Stood", "ChipsAdded"}
QUIET = {
    "TableOpened", "OptionsChanged", "Paused", "Resumed", "Closed", "GameChosen", "LevelStarted", "LevelExtended",
    "SeatEliminated", "PlayerRanked", "LeaveAsked", "TopUpAsked", "SatOut", "SatIn", "BlindsOwed", "PostAsked",
    "OrbitMissed", "Disconnected", "Connected", "SeedPledged", "SeedsAwaited", "SeedRevealed", "CutFixed",
    "HandStarted", "HandEnded", "HandVoided", "Dealt", "RoundDealt", "BoardDealt", "Burned", "Shown", "Mucked",
    "MarketShown", "CardAdded", "StreetBegan", "TurnBegan", "TurnEnded", "Awaited", "ChoiceSealed", "AnswersOpened",
    "Declared", "Folded", "Checked", "TimedOut", "TimeBankUsed", "ClockExtended", "GraceGiven", "Looked", "RevealAsked",
    "Revealed", "DeadBought", "Blocked",
}  # fmt: skip
KNOWN = MOVES | CHAIRS | QUIET


def shown(name, fields):
    """Positions, cards and openings of what an event makes public; of a round the cards face down come first."""
    if name == "RoundDealt":
        seats, at, down, cards, proofs = fields[:5]
        return at[down * len(seats) :], cards, proofs
    return fields[SHOWS[name] :][:3] if name in SHOWS else (b"", b"", b"")


class Chips:
    """All chips of a hand: stacks, the middle, and the bets of the street (a raise is told as its total)."""

    def __init__(self, seats):
        self.start = {seat: chips for seat, _, chips in seats}
        self.stacks, self.bets = dict(self.start), dict.fromkeys(self.start, 0)
        self.middle = self.rake = 0

    def pay(self, seat, amount, bet=True):
        self.stacks[seat] -= amount
        self.middle += amount
        self.bets[seat] += amount if bet else 0
        require(self.stacks[seat] >= 0, f"seat {seat} pays what it does not have")

    def see(self, name, fields):
        if name == "StreetBegan" and fields[2] == 0:  # a street that opens without a price
            self.bets = dict.fromkeys(self.bets, 0)
        elif name in PAYS:
            self.paid(name, *fields)
        elif name == "AntesPaid":
            for seat, amount in fields[0]:
                self.pay(seat, amount, bet=False)
        elif name in ("Returned", "UnmatchedReturned"):
            self.pay(fields[0], -fields[1], bet=name == "Returned")
        elif name == "Awarded":
            self.pay(fields[2], -fields[3], bet=False)
        elif name == "Raked":
            self.rake, self.middle = self.rake + fields[0], self.middle - fields[0]
        elif name == "BankPaid":
            self.middle += fields[1]
        elif name == "Sold":
            self.stacks[fields[0]] += fields[4]
        elif name in ("Merged", "PoolSplit"):
            self.shift(name, *fields)

    def paid(self, name, seat, amount, *more):
        if name == "RaisedTo":
            self.pay(seat, amount - self.bets[seat])
        elif name == "Posted":  # live, dead
            self.pay(seat, amount)
            self.pay(seat, more[0], bet=False)
        elif name == "Bought":  # source, position, price
            self.pay(seat, more[1], bet=False)
        elif name == "Fee":  # item, amount, to whom
            self.pay(seat, more[0], bet=False)
            self.middle -= more[0] if more[1] == "bank" else 0
        else:
            self.pay(seat, amount, bet=name != "AntePaid")

    def shift(self, name, seat, other, amount=0):
        """Between two seats of one player."""
        moved = self.stacks[other] if name == "Merged" else -amount
        self.stacks[seat] += moved
        self.stacks[other] -= moved
        if name == "Merged":
            one, two = self.bets[seat], self.bets[other]
            self.bets[seat], self.bets[other] = max(one, two), min(one, two)


# --- one hand ---------------------------------------------------------------------------------------------------------


class Hand:
    """A hand as the file has it. `chairs`: chips by seat before it, None where nothing is known of them."""

    def __init__(self, table, values, chairs):
        (self.number, self.first, self.before, self.prev, self.events, self.hashes, self.commands, self.sealed,
         self.proof) = values  # fmt: skip
        self.table, self.chairs = table, chairs
        self.id = table.encode("ascii") + b"\x00" + self.number.to_bytes(8, "big")
        self.last = self.first + len(self.events) - 1

    def versioned(self):
        """(version, name, fields) of every event."""
        for version, data in enumerate(self.events, self.first):
            values = Values(data)
            event = values.value()
            require(isinstance(event, list) and len(event) > 1, f"version {version} is no event")
            require(not values.more(), f"version {version} goes on after its end")
            require(event[1] in KNOWN, f"version {version}: an event of a kind that this program does not know")
            yield version, event[1], event[2:]

    def names(self):
        return [name for _, name, _ in self.versioned()]

    def started(self):
        return next(fields for _, name, fields in self.versioned() if name == "HandStarted")

    def order(self, before):
        if before is not None:
            place = (self.number, self.first, self.prev)
            follows = place == (before.number + 1, before.last + 1, before.hashes[-1])
            require(follows, f"hand {self.number} does not follow hand {before.number}")
            return f"follows hand {before.number}"
        at_beginning = (self.number, self.first, self.prev) == (1, 1, b"")
        require(at_beginning or len(self.prev) == 32, "the file begins within a hand")
        return "begins with the table" if at_beginning else f"begins after version {self.first - 1}"

    def chain(self):
        require(len(self.events) == len(self.hashes) > 0, "not one hash per event")
        head = self.prev
        for version, (event, told) in enumerate(zip(self.events, self.hashes, strict=True), self.first):
            if head:
                head = sha256(b"\x02", head, len(event).to_bytes(4, "big"), event)
            else:
                head = sha256(b"\x03", self.table.encode("ascii"), event)
            require(head == told, f"version {version} is not what was hashed")
        before = [self.prev, *self.hashes[: self.names().index("HandStarted")]]
        require(self.started()[1] in before, "the hand was started at another place of the chain")
        return f"versions {self.first} to {self.last}, head {head.hex()}"

    def openings(self):
        root, count = self.started()[9], 0
        for version, name, fields in self.versioned():
            at, cards, proofs = shown(name, fields)
            for position, card in zip(at, cards, strict=bool(cards)):
                length = 208 if position < 48 else 144  # a salt of 16 bytes and a path of six hashes, or four
                opening, proofs = proofs[:length], proofs[length:]
                path = [opening[i : i + 32] for i in range(16, length, 32)]
                leaf = leaf_hash(self.id + bytes((position, card)) + opening[:16])
                good = card < 52 and root_from_path(leaf, position, 52, path) == root
                require(good, f"version {version}: the card from position {position} is not the one committed to")
                count += 1
        return f"{count} public cards are those committed to"

    def cut(self):
        """The seeds are the pledged ones, the cut follows from them, and the cards came in its order."""
        pledges, seeds, cut, root = {}, {}, bytes(range(52)), self.started()[9]
        for version, name, fields in self.versioned():
            if name == "SeedsAwaited":
                pledges = dict(fields[0])
            elif name == "SeedRevealed":
                player, seed = fields
                pledged = pledges.get(player) == sha256(b"\x05", self.id, seed)
                require(pledged, f"version {version}: not what was pledged")
                seeds[player] = seed
            elif name == "CutFixed":
                cut = fields[1]
                require(dict(fields[0]) == seeds, f"version {version}: not the seeds that were revealed")
                require(cut == (cut_of(seeds.values(), root, self.id) if seeds else bytes(range(52))),
                        f"version {version}: the cut does not follow from the seeds")  # fmt: skip
        dealt = self.dealt()
        for k, at in enumerate(dealt):
            require(at == cut[k], f"card {k} came from position {at}, not {cut[k]}")
        whose = f"{len(seeds)} seeds of players" if seeds else "server-only"
        return f"{whose}; {len(dealt)} cards in the order of the cut"

    def dealt(self):
        """Positions in the order of dealing: cards to several seats go round by round, each seat's are one event."""
        order, rounds = [], []

        def close():
            order.extend(at for turn in zip(*(at for _, at in rounds), strict=True) for at in turn)
            rounds.clear()

        for _, name, fields in self.versioned():
            if name != "Dealt" or fields[0] in [seat for seat, _ in rounds]:
                close()
            if name == "Dealt":
                rounds.append((fields[0], fields[1]))
            order.extend(b"".join(fields[BURNS[name] :][:1]) if name in BURNS else b"")
            order.extend(fields[TAKES[name]] if name in TAKES else b"")
        close()
        return order

    def choices(self):
        """Secret choices are those that were sealed when they were made."""
        seals, count = {}, 0
        for version, name, fields in self.versioned():
            if name == "ChoiceSealed":
                seals[fields[0]] = fields[1]
            for at, (seat, choice) in enumerate(fields[0] if name in TELLS else ()):
                seal = sha256(b"\x04", fields[1][16 * at : 16 * at + 16], bytes((seat,)), choice.encode())
                require(seals.get(seat) == seal, f"version {version}: the choice of seat {seat} is not the sealed one")
                count += 1
        return f"{count} secret choices are those that were sealed"

    def chips(self):
        chips = None
        for version, name, fields in self.versioned():
            try:
                chips = self.counted(chips, name, fields)
            except (Differs, KeyError) as wrong:
                raise Differs(f"version {version}: {wrong if isinstance(wrong, Differs) else 'no such seat'}") from None
        paid = sum(max(0, chips.stacks[seat] - chips.start[seat]) for seat in chips.start)
        return f"nothing is left in the middle; {paid} won, rake {chips.rake}"

    def counted(self, chips, name, fields):
        """The chips after one event."""
        if name == "HandStarted":
            chips = Chips(fields[6])
            for seat, stack in chips.start.items():
                known = self.chairs is None or self.chairs.get(seat) == stack
                require(known, f"seat {seat} begins with {stack} chips, which it does not have")
        elif name == "HandEnded":
            require(list(fields[1]) == list(chips.stacks.values()), "the last stacks are not what the events give")
            require(chips.middle == 0, f"{chips.middle} chips are left in the middle")
            self.seated(chips.stacks)
        elif name == "HandVoided":
            require(list(fields[1]) == list(chips.start.values()), "not everybody got back what he began with")
            self.seated(chips.start)
        elif name in CHAIRS and self.chairs is not None:
            self.sat(name, *fields)
        elif chips is not None:
            chips.see(name, fields)
        return chips

    def seated(self, stacks):
        self.chairs = {**(self.chairs or {}), **stacks} if self.chairs is not None else None

    def sat(self, name, seat, second, third, *_):
        if name == "Stood":
            require(self.chairs.pop(seat) == third, f"seat {seat} leaves with {third} chips, which it does not have")
        else:
            self.chairs[seat] = third if name == "Sat" else self.chairs[seat] + second

    def log(self):
        require(self.proof is not None, TOO_EARLY)
        at, path, note = self.proof
        size, root = read_note(note)
        entry = (self.id + self.first.to_bytes(8, "big") + self.last.to_bytes(8, "big") + (self.prev or bytes(32))
                 + self.hashes[-1] + sha256(self.before))  # fmt: skip
        found = root_from_path(leaf_hash(entry), at, size, path)
        require(found == root, f"hand {self.number} is not what the log has as leaf {at}")
        return f"leaf {at} of {size}"

    def checks(self, before, key):
        """(name, whether it holds, what was found) of each."""
        checks = {"order": lambda: self.order(before), "chain": self.chain, "openings": self.openings, "cut": self.cut,
                  "choices": self.choices, "chips": self.chips, "log": self.log,
                  "checkpoint": lambda: self.checkpoint(key)}  # fmt: skip
        return [(name, *outcome(check)) for name, check in checks.items()]

    def checkpoint(self, key):
        require(self.proof is not None, TOO_EARLY)
        require(signed_by(self.proof[2], key), "the log's head is not signed by this key")
        return f"signed by {key.split('+')[0]}"


# --- files ------------------------------------------------------------------------------------------------------------

MAGIC = b"croupier-bundle/1\n"
TOO_EARLY = "the hand had no checkpoint when the file was made; a later file has one"
LARGEST = 256 * 1024 * 1024


def hands_of(path):
    """The key that the file names, and its hands' values."""
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    require(data.startswith(MAGIC) and len(data) <= LARGEST, "this is no bundle of croupier")
    values = Values(data, len(MAGIC))
    table, key = values.value()
    found = []
    while values.more():
        found.append(values.value())
    require(found, "there is no hand in it")
    return table, key, found


def verify(path, given):
    """Print a line per hand and check; whether all agree."""
    table, named, found = hands_of(path)
    before, good = None, True
    for values in found:
        beginning = before is None and values[1] == 1
        hand = Hand(table, values, {} if beginning else before.chairs if before else None)
        for name, agrees, told in hand.checks(before, given or named):
            good = good and agrees
            word = "ok" if agrees else "MISSING" if told == TOO_EARLY else "DIFFERS"
            print(f"{word:<8} hand {hand.number:<5} {name:<11} {told}")
        before = hand
    return good


def outcome(check):
    """Whether it holds and what was found; bytes that make no sense are a finding as well."""
    try:
        return True, check()
    except Differs as wrong:
        return False, str(wrong)
    except (ValueError, TypeError, IndexError, KeyError, AttributeError, OverflowError, StopIteration) as error:
        return False, f"cannot be read ({type(error).__name__})"


def main(words):
    key = words[words.index("--key") + 1] if "--key" in words[:-1] else ""
    paths = [word for word in words if word not in ("--key", key)]
    if not paths or any(path.startswith("-") for path in paths):
        print(__doc__, file=sys.stderr)
        return 2
    good = True
    for path in paths:
        try:
            good = verify(path, key) and good
        except (Differs, OSError, ValueError, TypeError, IndexError, AttributeError, OverflowError) as wrong:
            print(f"DIFFERS  {path}: {wrong if isinstance(wrong, Differs | OSError) else 'cannot be read'}")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
