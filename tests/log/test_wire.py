"""Bytes on the wire and in the log: readable for ever, or refused by name."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.commands import INTERNAL, REGISTRY, Sit, StartHand
from services.wire import (
    COMMANDS,
    ENVELOPE_MOST,
    EVENTS,
    Envelope,
    NewerVersion,
    TooLong,
    UnknownName,
    Unreadable,
    Vocabulary,
    WireError,
    decode_envelope,
    decode_request,
    encode_envelope,
    pack,
    unpack,
)


class Anted(NamedTuple):
    """An event that got a field when antes came in."""

    seat: int
    amount: int
    dead: bool = False


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary({"Anted": Anted}, {"Anted": 1})


def test_an_event_is_an_array_of_version_name_and_fields(vocabulary: Vocabulary) -> None:
    data = vocabulary.encode(Anted(3, 100))
    assert unpack(data) == (1, "Anted", 3, 100, False)
    assert data == b"\x95\x01\xa5Anted\x03\x64\xc2"
    for _ in range(2):
        assert vocabulary.decode(data) == Anted(3, 100)
        assert type(vocabulary.decode(data)) is Anted


def test_a_log_from_before_a_field_was_added_is_read(vocabulary: Vocabulary) -> None:
    """P130."""
    vocabulary.decode(vocabulary.encode(Anted(3, 100)))
    assert vocabulary.decode(pack((1, "Anted", 3, 100))) == Anted(3, 100, dead=False)


def test_an_older_version_goes_through_its_upcasters() -> None:
    vocabulary = Vocabulary({"Anted": Anted}, {"Anted": 3})

    @vocabulary.upcaster("Anted", 1)
    def big_blinds_to_chips(fields: list[int]) -> list[int]:
        return [fields[0], fields[1] * 20]

    @vocabulary.upcaster("Anted", 2)
    def live_to_dead(fields: list[int]) -> list[int]:
        return [*fields, True]

    assert vocabulary.decode(pack((1, "Anted", 3, 5))) == Anted(3, 100, dead=True)
    assert vocabulary.decode(pack((2, "Anted", 3, 100))) == Anted(3, 100, dead=True)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ((2, "Anted", 3, 100), NewerVersion),
        ((1, "Dealt", 3), UnknownName),
        ((1, "Anted", 3), Unreadable),
        ((1, "Anted", 3, 100, False, 9), Unreadable),
        ((), Unreadable),
        ({"Anted": 1}, Unreadable),
        (7, Unreadable),
    ],
)
def test_what_is_not_known_is_refused_by_kind(
    vocabulary: Vocabulary, value: object, error: type[WireError]
) -> None:
    """P130: a clear error, not a half-read state; also after good events of the kind were read."""
    vocabulary.decode(vocabulary.encode(Anted(3, 100)))
    with pytest.raises(error):
        vocabulary.decode(pack(value))


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    for read in (EVENTS.decode, COMMANDS.decode, decode_envelope):
        with pytest.raises(WireError):
            read(data)


def test_only_registered_kinds_are_written(vocabulary: Vocabulary) -> None:
    with pytest.raises(UnknownName):
        vocabulary.encode(Sit(0, "ann", 100))


def test_an_envelope_comes_back_and_knows_its_body() -> None:
    envelope = Envelope("017-ann", "ann", 3, COMMANDS.encode(Sit(0, "ann", 100)))
    back = decode_envelope(encode_envelope(envelope))
    assert back == envelope
    assert decode_request(back.command) == Sit(0, "ann", 100)
    assert len(envelope.body) == 16
    assert envelope.body != envelope._replace(command=COMMANDS.encode(Sit(1, "ann", 100))).body


def test_an_envelope_has_a_largest_size() -> None:
    room = ENVELOPE_MOST - len(encode_envelope(Envelope("017-ann", "ann", 1, b"x" * 300))) + 300
    assert len(encode_envelope(Envelope("017-ann", "ann", 1, b"x" * room))) == ENVELOPE_MOST
    with pytest.raises(TooLong):
        encode_envelope(Envelope("017-ann", "ann", 1, b"x" * (room + 1)))


@pytest.mark.parametrize("value", [(1, "t", "a", 0, b""), (1, "t", "a", "1", b""), (1, "t", "a", 1), (0,), 5])
def test_a_misshapen_envelope_is_refused(value: object) -> None:
    with pytest.raises(Unreadable):
        decode_envelope(pack(value))


def test_nobody_outside_can_start_a_hand_or_end_a_turn() -> None:
    """events.md: internal commands never enter the inbox."""
    assert REGISTRY.keys() >= INTERNAL
    with pytest.raises(UnknownName):
        decode_request(COMMANDS.encode(StartHand(b"seed", b"head")))
