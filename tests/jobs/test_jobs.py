"""The chores under RQ: run twice, lost or killed they change nothing; nothing else can be run."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from rq import Queue, SimpleWorker, Worker
from rq.job import JobStatus
from rq.serializers import JSONSerializer

from engine.commands import Pause, Resume
from services.archive_tables import hand_leaf
from services.errands import Errands, open_queue
from services.inbox import Inbox
from services.orders import Freeze
from services.outcomes import decode_outcome
from services.pulse import frozen
from services.server import Server
from services.settings import Settings
from services.wire import decode_envelope, decode_request
from tests.jobs.house import TABLE, House
from workers.jobs import NICE, AllowedJob, archive_sweep, ask_for, sign_checkpoint, verify_hand

ROOT = Path(__file__).parents[2]


@pytest.fixture
def settings(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings that a job's own process finds in its environment."""
    monkeypatch.setenv("CROUPIER_REDIS_URL", server.url)
    monkeypatch.setenv("CROUPIER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("CROUPIER_SEAL_KEY_FILE", str(tmp_path / "seal.key"))
    monkeypatch.setenv("CROUPIER_DURABILITY", "dev")
    return Settings()


@pytest.fixture
def queue(settings: Settings) -> Iterator[Queue]:
    queue = open_queue(settings, AllowedJob)
    yield queue
    queue.connection.close()


def enqueue(queue: Queue, job: Callable[..., object], *arguments: object) -> None:
    Errands(queue).ask(job.__name__, *arguments)


def work(queue: Queue) -> None:
    """Everything that waits, in this process."""
    burst(SimpleWorker([queue], connection=queue.connection, job_class=AllowedJob, serializer=JSONSerializer))


def burst(worker: Worker | SimpleWorker) -> None:
    """RQ takes the signals that end a process for itself and keeps them: after it Ctrl-C would end no test."""
    ours = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        worker.work(burst=True, logging_level="CRITICAL")
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)


def orders(house: House) -> list[Freeze]:
    """What the chores have asked the table's owner to do."""
    waiting = Inbox(house.client).drain(17, "0-0", 1 << 50)
    return [decode_request(decode_envelope(arrival.data).command) for arrival in waiting]


def obey(house: House) -> None:
    """The table's owner reads what was asked of him."""
    house.owner.take(Inbox(house.client).drain(17, "0-0", 1 << 50))
    house.owner.flush()


def test_a_sweep_archives_and_verifies_whatever_waits(house: House, queue: Queue) -> None:
    house.play(3)
    enqueue(queue, archive_sweep)
    work(queue)
    assert house.archive.tail(TABLE).hand == 3
    assert house.archive.unverified(10) == []
    assert house.archive.failed() == []
    assert orders(house) == []


def test_jobs_that_run_twice_change_nothing(house: House, queue: Queue) -> None:
    """P150, P151: idempotent handlers."""
    house.play(3)
    for _ in range(2):
        enqueue(queue, archive_sweep)
        enqueue(queue, verify_hand, TABLE, 2)
    work(queue)
    assert [hand["hand"] for hand in house.archive.hands(TABLE)] == [3, 2, 1]
    assert house.archive.failed() == []


def test_a_queue_that_was_lost_is_made_good_by_the_next_sweep(house: House, queue: Queue) -> None:
    """Level-triggered: the work is derived from the store, not from the queue."""
    house.play(1)
    enqueue(queue, archive_sweep)
    queue.empty()
    house.play(1)
    enqueue(queue, archive_sweep)
    work(queue)
    assert house.archive.tail(TABLE).hand == 2


def test_nothing_piles_up_while_nobody_works(queue: Queue) -> None:
    for _ in range(3):
        ask_for(Errands(queue), archive_sweep)
    assert len(queue) == 1


def test_a_store_that_is_away_stops_no_clock(settings: Settings) -> None:
    away = open_queue(settings.model_copy(update={"redis_url": "redis://127.0.0.1:9"}))
    ask_for(Errands(away), archive_sweep)
    with pytest.raises(redis.RedisError):
        len(away)


def test_nothing_stays_behind_of_a_job_that_went_well(house: House, queue: Queue) -> None:
    """P139: no growth by finished jobs."""
    enqueue(queue, archive_sweep)
    (job_id,) = queue.job_ids
    work(queue)
    assert AllowedJob.exists(job_id, connection=queue.connection) is False


@pytest.mark.parametrize("name", ["os.system", "workers.jobs.run", "builtins.eval", "workers.jobs.chores"])
def test_only_our_jobs_can_be_run_whatever_the_queue_says(queue: Queue, tmp_path: Path, name: str) -> None:
    """P147: refused, set aside, and the next one runs."""
    proof = tmp_path / "ran"
    enqueue(queue, archive_sweep)
    poison = queue.enqueue("workers.jobs.archive_sweep", at_front=True)
    poison.data = json.dumps([name, None, [f"touch {proof}"], {}]).encode()
    poison.save()
    work(queue)
    assert not proof.exists()
    assert poison.get_status(refresh=True) == JobStatus.FAILED
    assert queue.is_empty()


def test_a_callback_that_somebody_wrote_into_the_queue_is_not_called(queue: Queue, tmp_path: Path) -> None:
    enqueue(queue, archive_sweep)
    (job_id,) = queue.job_ids
    for field in ("success_callback_name", "failure_callback_name", "stopped_callback_name"):
        queue.connection.hset(f"rq:job:{job_id}", field, "tests.jobs.test_jobs.called")
    work(queue)
    assert not CALLED


CALLED: list[object] = []


def called(*arguments: object) -> None:
    CALLED.append(arguments)


def test_a_log_that_contradicts_the_archive_stops_the_table(house: House, queue: Queue) -> None:
    house.play(2)
    enqueue(queue, archive_sweep)
    work(queue)
    house.play(1)
    house.client.hset(f"{{p017}}:t:{TABLE}:st", "head", b"x" * 32)
    enqueue(queue, archive_sweep)
    work(queue)
    assert orders(house) == [Freeze("audit", "ChainBroken")]
    assert house.archive.tail(TABLE).hand == 2


def test_a_hand_that_differs_freezes_its_table_until_the_host_has_looked(house: House, queue: Queue) -> None:
    """As a fault of the engine does: no clock runs, every command is refused, and the host sees where it differs."""
    house.play(2)
    first, second = house.history.waiting(TABLE)
    house.archive.insert(first)
    house.archive.insert(second._replace(sealed_seed=first.sealed_seed))
    enqueue(queue, verify_hand, TABLE, 2)
    work(queue)
    obey(house)
    version = house.reader.head(TABLE)[0]
    house.owner.fire(1 << 50)
    house.owner.flush()
    (stopped,) = frozen(house.reader, 64)
    assert stopped == {"table": TABLE, "error": "AuditDiffers", "where": "seal"}
    assert house.reader.head(TABLE)[0] == version
    house.send("ann", Pause("host"))
    receipt = house.reader.receipt(TABLE, "ann")
    assert receipt is not None
    assert decode_outcome(receipt.result).code == "table_frozen"
    house.send("host", Resume("host"))
    assert frozen(house.reader, 64) == []
    house.play(1)
    assert house.reader.head(TABLE)[0] > version


def test_the_process_sweeps_by_itself_and_again_after_it_was_killed(house: House, settings: Settings) -> None:
    """P149; and it gives way to whatever serves players."""
    house.play(2)
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    for signal_ in (signal.SIGKILL, signal.SIGTERM):
        process = subprocess.Popen(
            [sys.executable, "-m", "workers", "jobs"], cwd=ROOT, env=os.environ, start_new_session=True
        )
        try:
            wait_until(lambda house=house: house.archive.tail(TABLE).hand == house.table.number)
            assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(ours + NICE, 19)
        finally:
            os.kill(process.pid, signal_)
            process.wait(60)
        house.play(1)
    assert house.archive.tail(TABLE).hand == 3
    signed = house.archive.log.latest()  # on its way out, long before the timer
    assert signed is not None
    assert signed.size == 3


def wait_until(true: object, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end, "nothing was archived"
        time.sleep(0.1)


def test_a_worker_that_forks_runs_the_same_jobs(house: House, queue: Queue) -> None:
    house.play(1)
    enqueue(queue, archive_sweep)
    burst(Worker([queue], connection=queue.connection, job_class=AllowedJob, serializer=JSONSerializer))
    assert house.archive.tail(TABLE).hand == 1


def test_signing_is_a_job_and_its_key_is_made_once(house: House, queue: Queue, tmp_path: Path) -> None:
    sizes, keys = [], []
    for _ in range(2):
        house.play(1)
        house.sweep()
        for _ in range(2):
            enqueue(queue, sign_checkpoint)
            work(queue)
        kept = house.archive.log.latest()
        assert kept is not None
        sizes.append(kept.size)
        keys.append(kept.key)
    assert sizes == [1, 2]
    assert keys[0] == keys[1]
    assert (tmp_path / "keys" / "signing.key").stat().st_mode & 0o777 == 0o600


def test_a_refused_signature_is_told_until_one_is_good(house: House, queue: Queue) -> None:
    """The archive keeps it, for `croupier_checkpoint_refused`."""
    house.play(1)
    house.sweep()
    enqueue(queue, sign_checkpoint)
    work(queue)
    house.play(1)
    house.sweep()
    told = [house.archive.log.refused()]
    for entry in (b"x", house.archive.log.leaf(TABLE, 2).entry):
        with house.archive.engine.begin() as connection:
            connection.execute(hand_leaf.update().where(hand_leaf.c.at == 1).values(entry=entry))
        enqueue(queue, sign_checkpoint)
        work(queue)
        told.append(house.archive.log.refused())
    assert told == [False, True, False]
