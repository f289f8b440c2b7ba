"""Bytes on the wire and in the log: readable for ever, or refused by name."""

import inspect
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.commands import INTERNAL, REGISTRY, Sit, StartHand
from engine.events import REGISTRY as EVENT_KINDS
from engine.refusals import LogBroken
from engine.state import Place
from engine.table import Table, evolve
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
    fold,
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


ROW = [pack((1, "TableOpened", "razz", {"seats": 2}, "1", 2, 0)), pack((1, "Sat", 0, "ann", 100, 60_000, ""))]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ((1, "Sat", 1, "bob", 100, 60_000), Unreadable),
        ((1, "Sat", 1, "bob", 100, 60_000, "", 0), Unreadable),
        ((2, "Sat", 1, "bob", 100, 60_000, ""), NewerVersion),
        ((1, "Flew", 1), UnknownName),
        ((1, "Checked", 1), LogBroken),
        ((1, "Stood", "1", "bob", 100, ""), LogBroken),
        ((1, "ChipsAdded", 0, "many", "", ""), LogBroken),
        ((1, "SatOut", 7, ""), LogBroken),
        (({}, "Sat"), Unreadable),
        ((1, []), Unreadable),
        (b"Sat", Unreadable),
        (None, Unreadable),
    ],
)
def test_a_log_is_folded_up_to_the_event_that_is_damaged(value: object, error: type[Exception]) -> None:
    """P130: what came before has happened, of the damaged event nothing."""
    table = Table("017-ann")
    with pytest.raises(error):
        fold(table, [*ROW, pack(value), ROW[1]])
    assert table.places == [Place("ann", 100, 60_000), None]


def test_a_log_is_folded_up_to_bytes_that_are_cut_off() -> None:
    table = Table("017-ann")
    with pytest.raises(Unreadable):
        fold(table, [*ROW, ROW[1][:-1], ROW[1]])
    assert table.places == [Place("ann", 100, 60_000), None]


def test_a_fold_of_bytes_and_the_events_themselves_give_the_same_table() -> None:
    folded, evolved = Table("017-ann"), Table("017-ann")
    fold(folded, ROW)
    for stored in ROW:
        evolve(evolved, EVENTS.decode(stored))
    assert folded == evolved


def test_every_event_is_applied_by_its_fields_alone() -> None:
    """A fold gives `apply` the bare fields: whatever else it asked of the event would not be there."""
    asking = [name for name, kind in EVENT_KINDS.items() if "self." in inspect.getsource(kind.apply)]
    assert asking == []


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
