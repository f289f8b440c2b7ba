"""A replay shows what was served then, to the same eyes, and nothing more."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine.cards import NAMES
from engine.deck import hand_id, sealed_deck
from engine.events import Called
from engine.game import games
from engine.play import choices
from engine.refusals import LogBroken
from engine.table import options
from services.archive_tables import hand_segment
from services.audit import unsealed
from services.cli import main
from services.records import opened
from services.replay import NoSuchStep, NotForYou, Replay, replay_step
from services.segment import Segment
from services.server import Server
from services.store import Client
from services.what_if import read, what_if
from services.wire import EVENTS
from tests.jobs.house import TABLE, House


@pytest.fixture(params=list(games()))
def played(request: pytest.FixtureRequest, client: Client, tmp_path: Path) -> Iterator[House]:
    house = House(client, tmp_path, request.param)
    house.play(2, "random")
    house.play(1)
    yield house
    house.close()


def served_steps(house: House, segment: Segment) -> list[int]:
    """Versions of this hand at which something was served while it was played."""
    started = next(at for at, event in enumerate(segment.events()) if type(event).__name__ == "HandStarted")
    return [version for version in house.served if segment.first + started <= version <= segment.last]


@pytest.mark.parametrize("archived", [False, True])
def test_every_public_step_equals_what_was_served_then(played: House, archived: bool) -> None:
    if archived:
        played.sweep()
    for hand in (1, 2, 3):
        segment = played.history.segment(TABLE, hand)
        by_version = {step["version"]: step for step in Replay(segment).all()}
        versions = served_steps(played, segment)
        assert versions
        for version in versions:
            assert by_version[version]["view"] == plain(played.served[version].view)
            assert by_version[version]["command_ends"]


def plain(view: object) -> object:
    """MessagePack gives tuples where views have lists."""
    if isinstance(view, dict):
        return {key: plain(value) for key, value in view.items()}
    return [plain(value) for value in view] if isinstance(view, tuple) else view


def deck_of(house: House, segment: Segment) -> object:
    seed = unsealed(segment, house.seal_key)
    assert seed is not None
    return sealed_deck(seed, hand_id(TABLE, segment.hand))


def test_with_the_deck_a_seat_sees_exactly_what_it_was_served(played: House) -> None:
    segment = played.history.segment(TABLE, 3)
    by_version = {step["version"]: step for step in Replay(segment, 1, deck_of(played, segment)).all()}
    for version in served_steps(played, segment):
        assert by_version[version]["view"]["you"] == plain(played.served[version].seats[1])


def test_with_his_record_a_player_sees_his_own_cards_again_without_the_deck(played: House) -> None:
    segment = played.history.segment(TABLE, 3)
    deck = deck_of(played, segment)
    exact = [step["view"]["you"] for step in Replay(segment, 1, deck).all()]
    assert played.table.hand is not None
    records = map(opened, played.own_records(played.table.hand.seats[1].player))
    record = next(record for record in records if record["number"] == 3)
    again = [step["view"]["you"] for step in Replay(segment, 1, own=dict(record["known"])).all()]
    assert again == [without_openings(you) for you in exact]


def without_openings(told: object) -> object:
    """They were given when the cards were dealt."""
    if isinstance(told, dict):
        return {key: [] if key == "openings" else without_openings(value) for key, value in told.items()}
    return [without_openings(value) for value in told] if isinstance(told, list) else told


def test_nobody_but_the_auditor_sees_a_card_that_never_became_public(played: House) -> None:
    """COM-75: the public replay is made from bytes that hold no hidden card."""
    segment = played.history.segment(TABLE, 1)
    public, full = Replay(segment).all(), Replay(segment, "full", deck_of(played, segment)).all()
    shown = {card for step in public for seat in step["view"]["seats"] if seat for card in seat["cards"] if card}
    whole = full[-1]["view"]["deck"]
    everything = [
        *whole["stub"],
        *whole["burned"],
        *whole["aside"].values(),
        *whole["discards"],
        *(card for cards in whole["seats"].values() for card in cards),
    ]
    everything += full[-1]["view"]["hand"]["board"]
    assert sorted(everything) == sorted(NAMES)
    assert shown < set(NAMES)
    for one, other in zip(public, full, strict=True):
        assert one["view"] == {key: value for key, value in other["view"].items() if key != "deck"}


def test_steps_go_back_and_forth_and_end_where_the_hand_ends(played: House) -> None:
    steps = Replay(played.history.segment(TABLE, 2)).all()
    assert [step["step"] for step in steps] == list(range(len(steps)))
    assert steps[0]["event"] is None
    assert steps[1]["event"]["event"] == "HandStarted"
    assert steps[-1]["view"]["hand"]["over"]
    for step in (5, 2, 5):
        assert replay_step(played.history, TABLE, 2, step) == steps[step]


def test_every_decision_may_be_asked_for_otherwise(played: House) -> None:
    """Whatever the rules had let a seat do instead, with its arguments as they are written on the command line."""
    segment = played.history.segment(TABLE, 1)
    replay, asked = Replay(segment, "full", deck_of(played, segment)), set()
    for step in range(replay.steps + 1):
        table = replay.table(step)
        if not table.playing or table.hand is None or table.hand.actor is None:
            continue
        legal, offers = options(table), choices(table.hand)
        for verb in [verb for verb in legal if verb not in asked]:
            text = written(step, verb, legal[verb][0], offers.get(verb, [{}])[0])
            found = what_if(replay, read(text))
            assert (found["real"], found["step"], found["seat"], found["verb"]) == (False, step, table.hand.actor, verb)
            asked.add(verb)
    assert "fold" in asked


def written(step: int, verb: str, amount: int | None, args: dict[str, Any]) -> str:
    """STEP:VERB[:AMOUNT][:NAME=VALUE]…"""
    named = [f"{name}={','.join(map(str, it)) if isinstance(it, list) else it}" for name, it in args.items()]
    return ":".join([str(step), verb, *([str(amount)] if amount and not args else []), *named])


WRONG = ("", "fold", "3", "3:raise:-1", "3:buy:colour=red", "3:buy:target=left", "3:sell:indices=a")


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_other_decision(text: str) -> None:
    with pytest.raises(ValueError, match="STEP:VERB"):
        read(text)


def test_what_a_viewer_may_not_ask_for(house: House) -> None:
    house.play(1)
    segment = house.history.segment(TABLE, 1)
    for viewer in ("full", 1):
        with pytest.raises(NotForYou):
            Replay(segment, viewer)
    with pytest.raises(NoSuchStep):
        Replay(segment).step(10_000)
    with pytest.raises(NoSuchStep):
        Replay(segment).step(-1)


def test_a_damaged_log_is_told_in_one_line(
    client: Client, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(client, tmp_path, "razz")
    house.play(1)
    house.sweep()
    with house.archive.engine.begin() as connection:
        connection.execute(hand_segment.update().values(prev_head=b"x" * 32))
    monkeypatch.setenv("CROUPIER_REDIS_URL", server.url)
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(tmp_path))
    shown = CliRunner().invoke(main, ["replay", TABLE, "1"])
    house.close()
    assert (shown.exit_code, type(shown.exception)) == (1, SystemExit)
    assert shown.output == "croupier: cannot be replayed, the log is damaged: ArchiveDamaged (croupier audit)\n"


def test_an_event_that_does_not_fit_ends_the_replay(client: Client, tmp_path: Path) -> None:
    house = House(client, tmp_path, "razz")
    house.play(1)
    segment = house.history.segment(TABLE, 1)
    house.close()
    bad = EVENTS.encode(Called(9, 2))
    at = next(at for at, event in enumerate(segment.events()) if type(event).__name__ == "Called")
    entries = [entry._replace(event=bad) if i == at else entry for i, entry in enumerate(segment.entries)]
    broken = segment._replace(entries=tuple(entries))
    with pytest.raises(LogBroken):
        Replay(broken).all()
    with pytest.raises(LogBroken):
        broken.end()
