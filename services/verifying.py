"""Verify bundles with nothing but themselves: no house, no network, no file besides.

Each hand is checked for itself (chain, events, chips, openings, cut, rules, pots, decided again), then whether the
hands follow from each other, and whether the log of hands has them under a signed head. With the seal key the whole
deck is dealt again. What a file does not allow to check is said; `strict` makes it fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from engine.merkle import leaf_hash, root_from_path
from services import hand_checks
from services.audit import Case, Check, Differs, run, unsealed
from services.auditor import Tally
from services.bundle import Bundle, Bundled
from services.checkpoint import Checkpoint, NoteBroken, PublicKey, open_checkpoint, read_checkpoint
from services.hand_log import entry as entry_bytes
from services.redeciding import decided_openly
from services.sealing import SealBroken, SealKey
from services.segment import Segment

NOT_CHECKED = "not checked"
NO_SEED = "the file has no sealed seed: auditors get one with it (sealed=true)"
NO_PROOF = "the hand had no checkpoint when the file was made"


class NotChecked(Exception):
    """The file lacks what the check needs."""


class Verifier:
    """`key`: the seal key. `public`: the log's public key, got elsewhere; None believes the one in the file.

    `receipts`: version -> chain head, as somebody was told them while the hands were played.
    """

    def __init__(
        self,
        key: SealKey | None = None,
        public: PublicKey | None = None,
        receipts: Mapping[int, bytes] | None = None,
        strict: bool = False,
    ) -> None:
        self._key = key
        self._receipts = receipts or {}
        self._public = public
        self._strict = strict

    def bundle(self, bundle: Bundle) -> Iterator[tuple[str, list[Check]]]:
        """Each hand with its checks, by name of the place."""
        before: Segment | None = None
        for bundled in bundle.hands:
            checks = self._hand(bundle, bundled, before)
            yield f"{bundle.table} hand {bundled.segment.hand}", checks
            before = bundled.segment

    def _hand(self, bundle: Bundle, bundled: Bundled, before: Segment | None) -> list[Check]:
        segment = bundled.segment
        case, checks = self._opened(segment)
        checks += [self._order(segment, before), *case.verdict().checks]
        if len(case.events) == len(segment.entries):  # all could be read
            tests = TESTS if case.seed is not None else {**TESTS, "decide": decided_openly}
            checks += [run(name, test, case) for name, test in tests.items()]
        if self._receipts:
            checks.append(self._check("receipts", lambda: self._received(segment)))
        checks.append(self._check("log", lambda: in_log(bundled)))
        checks.append(self._check("checkpoint", lambda: self._signed(bundle, bundled)))
        return checks

    def _opened(self, segment: Segment) -> tuple[Case, list[Check]]:
        """The hand with its seed, where the seal key opens one; a check more where it should and does not."""
        if self._key is None:
            return Case(segment), []
        try:
            seed = unsealed(segment, self._key)
        except SealBroken as broken:
            return Case(segment), [Check("seal", False, str(broken))]
        if seed is None:
            return Case(segment), [Check("seal", False, NO_SEED)]
        return Case(segment, seed), [Check("seal", True, "the sealed seed opens")]

    def _order(self, segment: Segment, before: Segment | None) -> Check:
        return self._check(
            "order", lambda: hand_checks.follows(before, segment) if before else hand_checks.begins(segment)
        )

    def _received(self, segment: Segment) -> str:
        """What was received while the hand was played is what the file has. Raises Differs."""
        own = [entry for entry in segment.entries if entry.version in self._receipts]
        for entry in own:
            if entry.hash != self._receipts[entry.version]:
                raise Differs(f"version {entry.version} is not the one of the receipt")
        return f"{len(own)} receipts are of this hand"

    def _signed(self, bundle: Bundle, bundled: Bundled) -> str:
        """The log's head is signed. Raises NotChecked or NoteBroken."""
        if bundled.proof is None:
            raise NotChecked(NO_PROOF)
        public = self._public or PublicKey.read(bundle.key)
        checkpoint = open_checkpoint(bundled.proof.note, public)
        whose = "the key given" if self._public else "the key that the file names"
        return f"a log of {checkpoint.size} hands is signed by {public.name} ({public.id.hex()}, {whose})"

    def _check(self, name: str, test: Callable[[], str]) -> Check:
        """One check; texts of foreign errors are not told."""
        try:
            return Check(name, True, test())
        except NotChecked as why:
            return Check(name, not self._strict, f"{NOT_CHECKED}: {why}")
        except (Differs, NoteBroken) as difference:
            return Check(name, False, str(difference))
        except Exception as error:
            return Check(name, False, type(error).__name__)


TESTS: dict[str, Callable[[Case], str]] = {
    "rules": hand_checks.rules,
    "payoffs": hand_checks.payoffs,
}


def in_log(bundled: Bundled) -> str:
    """What the log of hands says of the hand is what the file says, and the checkpoint's tree has it."""
    proof, segment = bundled.proof, bundled.segment
    if proof is None:
        raise NotChecked(NO_PROOF)
    checkpoint: Checkpoint = read_checkpoint(proof.note)
    said = entry_bytes(
        segment.table, segment.hand, segment.first, segment.last, segment.prev_head, segment.head, bundled.before
    )
    if root_from_path(leaf_hash(said), proof.at, checkpoint.size, b"".join(proof.path)) != checkpoint.root:
        raise Differs(f"hand {segment.hand} is not what the log has as leaf {proof.at}")
    return f"hand {segment.hand} is leaf {proof.at} of {checkpoint.size}"


class Verdict(NamedTuple):
    """`checks`: a row each; of several hands each row counts those that passed, or names the first that did not."""

    hands: int
    checks: list[Check]

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


def summed_up(found: list[tuple[str, list[Check]]]) -> Verdict:
    """One row a check."""
    if len(found) == 1:
        return Verdict(1, found[0][1])
    tally = Tally()
    for place, checks in found:
        tally.add(place, checks)
    return Verdict(len(found), tally.checks())
