"""Signed notes: the examples of others are read, ours are read by the same code, and nothing else is."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.checkpoint import (
    Checkpoint,
    NoteBroken,
    NotSigned,
    PublicKey,
    decode,
    open_checkpoint,
    read_checkpoint,
    split,
)
from services.sealing import SigningKey

VECTORS = Path(__file__).parents[1] / "vectors"
NOTES = json.loads((VECTORS / "signed_note.json").read_text(encoding="utf-8"))
ED25519 = json.loads((VECTORS / "ed25519.json").read_text(encoding="utf-8"))["vectors"]
KEY = SigningKey(bytes(range(32)))
PUBLIC = PublicKey("croupier.example/hands", KEY.public)
CHECKPOINT = Checkpoint(PUBLIC.name, 17, bytes(range(32)))
NOTE = CHECKPOINT.signed(KEY)


@pytest.mark.parametrize("vector", ED25519, ids=lambda vector: vector["name"])
def test_rfc_8032_vectors(vector: dict[str, str]) -> None:
    key, message = SigningKey(bytes.fromhex(vector["secret"])), bytes.fromhex(vector["message"])
    assert key.public.hex() == vector["public"]
    assert key.sign(message).hex() == vector["signature"]
    assert PublicKey("x", key.public).accepts(key.sign(message), message)


def test_the_specification_s_checkpoint_is_read() -> None:
    example = NOTES["checkpoint"]
    found = read_checkpoint(example["note"])
    assert (found.origin, found.size, found.root.hex()) == (
        "example.com/behind-the-sofa",
        example["size"],
        example["root"],
    )


def test_a_note_and_a_key_of_go_s_package_are_read_and_the_signature_is_good() -> None:
    key = PublicKey.read(NOTES["note"]["key"])
    assert str(key) == NOTES["note"]["key"]
    text, signatures = split(NOTES["note"]["note"])
    signature = decode(signatures.split()[2])
    assert signature[:4] == key.id
    assert key.accepts(signature[4:], text.encode())
    assert not key.accepts(signature[4:], text.encode() + b"!")


def test_ours_is_written_as_the_specification_has_it() -> None:
    lines = NOTE.split("\n")
    assert lines[:4] == [PUBLIC.name, "17", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", ""]
    assert lines[4].startswith(f"— {PUBLIC.name} ")
    assert lines[5:] == [""]
    assert open_checkpoint(NOTE, PUBLIC) == CHECKPOINT == read_checkpoint(NOTE)
    assert CHECKPOINT.signed(KEY) == NOTE


def test_signatures_of_witnesses_may_stand_beside_ours() -> None:
    witness = f"— witness.example {NOTE.split()[-1]}\n"
    assert open_checkpoint(NOTE + witness, PUBLIC) == CHECKPOINT
    with pytest.raises(NotSigned):
        open_checkpoint(NOTE, PublicKey(PUBLIC.name, SigningKey(bytes(32)).public))


def test_a_log_signs_for_itself_only() -> None:
    other = Checkpoint("another.example", 17, bytes(32))
    forged = other.text + "\n" + NOTE.splitlines()[-1] + "\n"
    with pytest.raises(NoteBroken):
        open_checkpoint(forged, PUBLIC)


@given(st.data())
def test_a_note_with_anything_changed_is_not_believed(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(NOTE) - 1))
    put = data.draw(st.characters(codec="utf-8"))
    changed = data.draw(st.sampled_from([NOTE[:at] + put + NOTE[at + 1 :], NOTE[:at] + NOTE[at + 1 :]]))
    if changed == NOTE:
        return
    with pytest.raises(NoteBroken):
        open_checkpoint(changed, PUBLIC)


@pytest.mark.parametrize("text", ["", "x", "name", "na me+00+AA==", "a+00000000+AAAA", f"{PUBLIC}="])
def test_what_is_no_public_key(text: str) -> None:
    with pytest.raises(NoteBroken):
        PublicKey.read(text)


@pytest.mark.parametrize("size", ["017", "-1", "1e3", "٣", "9" * 40, ""])
def test_a_size_is_a_plain_number(size: str) -> None:
    note: Any = NOTE.replace("\n17\n", f"\n{size}\n")
    with pytest.raises(NoteBroken):
        read_checkpoint(note)
