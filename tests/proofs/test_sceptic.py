"""docs/verify.py, the second verifier: nothing of ours in it, the published vectors, and what it finds by itself."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import REGISTRY
from services.archive import Archive
from services.audit_log import AuditLog, Read
from services.bundle import read, write
from services.signing import Signer
from services.verifying import Verifier, summed_up
from services.wire import pack
from tests.proofs.hands import LOG_KEY, ORIGIN, bundled, played
from tests.proofs.tampering import changed, changes, dropped, hand_row, pairs, rebuilt, swapped

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "docs" / "verify.py"
VECTORS = ROOT / "tests" / "vectors"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def loaded() -> ModuleType:
    spec = spec_from_file_location("sceptic", PROGRAM)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sceptic: Any = loaded()


def run(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Isolated: no environment, no packages, no folder of ours on the path."""
    command = [sys.executable, "-I", str(PROGRAM), *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def differing(file: bytes, folder: Path, key: str = "") -> list[tuple[str, str]]:
    """(check, what was found) of all that differs."""
    path = folder / "it.bundle"
    path.write_bytes(file)
    table, named, hands = sceptic.hands_of(path)
    before, found = None, []
    for values in hands:
        hand = sceptic.Hand(table, values, {} if before is None and values[1] == 1 else before and before.chairs)
        found += [(name, told) for name, good, told in hand.checks(before, key or named) if not good]
        before = hand
    return found


def test_it_imports_four_modules_of_the_standard_library_and_nothing_else() -> None:
    tree = ast.parse(PROGRAM.read_text(encoding="utf-8"))
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert imported == ["base64", "hashlib", "hmac", "sys"]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert "__import__" not in PROGRAM.read_text(encoding="utf-8")


def test_it_knows_every_event() -> None:
    """A kind it did not know might move chips unseen."""
    assert set(REGISTRY) == sceptic.KNOWN


@pytest.mark.parametrize("name", vectors("bundles.json")["files"])
def test_recorded_bundles_agree_for_ever(name: str, tmp_path: Path) -> None:
    done = run(tmp_path, VECTORS / name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"head {vectors('bundles.json')['files'][name]}" in done.stdout
    ours = summed_up(list(Verifier(strict=True).bundle(read((VECTORS / name).read_bytes()))))
    assert ours.ok, ours


@pytest.mark.parametrize("game", ["razz", "abyssinia", "hasaga", "horse"])
def test_both_verifiers_agree_about_what_was_played(game: str, tmp_path: Path) -> None:
    hands = played(game, 12, 5, "random")
    own = [hand for hand in hands if hand.table == hands[0].table]
    assert differing(bundled(own), tmp_path) == []


def test_rfc_8032_vectors() -> None:
    for vector in vectors("ed25519.json")["vectors"]:
        public, message, signature = (bytes.fromhex(vector[name]) for name in ("public", "message", "signature"))
        assert sceptic.signature_is_good(public, message, signature)
        assert not sceptic.signature_is_good(public, message + b"!", signature)
        for at in (0, 31, 32, 63):
            wrong = signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]
            assert not sceptic.signature_is_good(public, message, wrong)
        larger = (int.from_bytes(signature[32:], "little") + sceptic.ORDER).to_bytes(32, "little")
        assert not sceptic.signature_is_good(public, message, signature[:32] + larger)  # malleable: 5.1.7 refuses it


def test_signed_note_vectors() -> None:
    example = vectors("signed_note.json")
    assert sceptic.read_note(example["checkpoint"]["note"]) == (
        example["checkpoint"]["size"], bytes.fromhex(example["checkpoint"]["root"])
    )  # fmt: skip
    name, id_, public = sceptic.read_key(example["note"]["key"])
    assert (name, id_.hex()) == ("PeterNeumann", "c74f20a3")
    text, _, line = example["note"]["note"].rpartition("\n\n")
    signature = sceptic.base64.b64decode(line.split()[2])[4:]
    assert sceptic.signature_is_good(public, (text + "\n").encode(), signature)


def test_rfc_6962_vectors() -> None:
    tree = vectors("rfc6962.json")
    for proof in tree["inclusion"]:
        leaf = sceptic.leaf_hash(bytes.fromhex(tree["leaves"][proof["at"]]))
        path = [bytes.fromhex(step) for step in proof["path"]]
        assert sceptic.root_from_path(leaf, proof["at"], proof["size"], path).hex() == tree["roots"][proof["size"] - 1]
        for wrong in (path[:-1], [*path, path[0]]):
            with pytest.raises(sceptic.Differs):
                sceptic.root_from_path(leaf, proof["at"], proof["size"], wrong)


def test_cut_vectors() -> None:
    for vector in vectors("cut.json")["cuts"]:
        seeds = [bytes.fromhex(player["seed"]) for player in vector["players"] if player["revealed"]]
        if seeds:
            cut = sceptic.cut_of(seeds, bytes.fromhex(vector["root"]), bytes.fromhex(vector["hand_id"]))
            assert list(cut) == vector["cut"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=40) | st.binary(max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=5), inner, max_size=20),
    max_leaves=40,
)


@given(VALUES)
def test_its_messagepack_is_everybody_s(value: object) -> None:
    values = sceptic.Values(msgpack.packb(value))
    assert values.value() == value
    assert not values.more()


@given(st.binary(max_size=200))
def test_bytes_that_are_no_messagepack_are_refused_or_read(data: bytes) -> None:
    assert sceptic.outcome(sceptic.Values(data).value)[0] in (True, False)


def test_every_event_of_a_hand_changed_without_the_hashes_is_named(tmp_path: Path) -> None:
    original = read(bundled(played("razz", 2, 3)))
    hand = original.hands[-1]
    for at, entry in enumerate(hand.segment.entries):
        _, other = next(changes(entry.event))
        forged = rebuilt(hand.segment, changed(pairs(hand.segment), at, other), honest=True)
        file = sceptic.MAGIC + pack([original.table, original.key]) + hand_row(hand, forged)
        found = differing(file, tmp_path)
        assert ("chain", f"version {entry.version} is not what was hashed") in found, (at, found)


@given(data=st.data())
@settings(max_examples=6, deadline=None)
def test_with_every_hash_computed_anew_the_log_still_tells(data: st.DataObject, tmp_path_factory: Any) -> None:
    """And, where chips or cards do not add up, the event as well."""
    hands = played("abyssinia", 3, 3)
    segment = hands[data.draw(st.integers(0, 2))]
    place = data.draw(st.integers(1, len(segment.entries) - 2))
    other = data.draw(st.sampled_from([other for _, other in changes(segment.entries[place].event)]))
    whole = pairs(segment)
    forgery = data.draw(st.sampled_from([dropped(whole, place), swapped(whole, place), changed(whole, place, other)]))
    forged = rebuilt(segment, forgery)
    if pairs(forged) == whole:
        return
    original = read(bundled(hands))
    rows = [hand_row(hand, forged if hand.segment.hand == segment.hand else hand.segment) for hand in original.hands]
    file = sceptic.MAGIC + pack([original.table, original.key]) + b"".join(rows)
    found = differing(file, tmp_path_factory.getbasetemp())
    assert ("log", f"hand {segment.hand} is not what the log has as leaf {segment.hand - 1}") in found


def test_the_line_about_the_audit_log_is_signed_and_passed_over(tmp_path: Path) -> None:
    """A checkpoint that was signed after somebody had looked."""
    (hand,) = played("razz", 1, 3)
    with Archive(f"sqlite:///{tmp_path / 'archive.db'}") as archive:
        archive.insert(hand)
        AuditLog(archive.engine).write(Read("dana", "replay full", hand.table, 1, "a complaint"))
        Signer(archive, LOG_KEY, tmp_path / "signing.last", ORIGIN).sign(1)
        file = b"".join(write([hand], archive.log))
    assert b"\naudit 1 " in file
    assert differing(file, tmp_path) == []
    assert summed_up(list(Verifier(strict=True).bundle(read(file)))).ok
    assert "checkpoint" in dict(differing(file.replace(b"\naudit 1 ", b"\naudit 2 "), tmp_path))


def test_chips_from_nowhere_are_counted(tmp_path: Path) -> None:
    """Adding up is enough to find them, and names the event or the end of the hand."""
    original = read(bundled(played("razz", 3, 3)))
    hand = original.hands[0]
    for name in ("AntesPaid", "Called", "Awarded", "HandEnded", "Sat"):
        events = hand.segment.events()
        at = next(at for at, event in enumerate(events) if type(event).__name__ == name)
        field = {"AntesPaid": "antes", "HandEnded": "stacks", "Sat": "chips"}.get(name, "amount")
        others = dict(changes(hand.segment.entries[at].event))
        forged = rebuilt(hand.segment, changed(pairs(hand.segment), at, others[f"{name}.{field}"]))
        file = sceptic.MAGIC + pack([original.table, original.key]) + hand_row(hand, forged)
        found = dict(differing(file, tmp_path))
        assert {"chips", "log"} <= set(found), found
        assert found["chips"].startswith("version ")


def test_wrong_use_and_files_that_are_none(tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 2
    assert run(tmp_path, "--help").returncode == 2
    whole = (VECTORS / "cut.bundle").read_bytes()
    files = {
        "empty": b"",
        "text": b"croupier",
        "cut off": whole[:-1],
        "deep": sceptic.MAGIC + b"\x91" * 5000,
        "long": sceptic.MAGIC + b"\xdd\xff\xff\xff\xff",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        done = run(tmp_path, name)
        assert (done.returncode, done.stderr) == (1, ""), name
        assert done.stdout.startswith(f"DIFFERS  {name}: ")
    assert run(tmp_path, "nowhere").returncode == 1


def test_another_key_is_not_believed(tmp_path: Path) -> None:
    other = "a+" + sceptic.sha256(b"a\n\x01", bytes(32))[:4].hex() + "+AQ" + "A" * 42
    done = run(tmp_path, VECTORS / "cut.bundle", "--key", other)
    assert done.returncode == 1
    assert [line.split()[3] for line in done.stdout.splitlines() if line.startswith("DIFFERS")] == ["checkpoint"]


def test_a_hand_of_just_now_has_no_checkpoint_yet_and_no_forger_can_leave_it_out(tmp_path: Path) -> None:
    """That a proof is missing is no difference, but it does not pass."""
    fresh = tmp_path / "fresh.bundle"
    bundle = read((VECTORS / "cut.bundle").read_bytes())
    rows = [hand_row(hand._replace(proof=None), hand.segment) for hand in bundle.hands]
    fresh.write_bytes(sceptic.MAGIC + pack([bundle.table, bundle.key]) + b"".join(rows))
    done = run(tmp_path, fresh)
    words = {line.split()[3]: line.split()[0] for line in done.stdout.splitlines()}
    assert done.returncode == 1
    assert {name for name, word in words.items() if word == "MISSING"} == {"log", "checkpoint"}
    assert set(words.values()) == {"ok", "MISSING"}
