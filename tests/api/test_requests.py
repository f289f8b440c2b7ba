"""What `croupier api` starts: requests under granian, a real process with connections that stay open."""

from __future__ import annotations

import http.client
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, Popen

import pytest

from api.serve import THREADS
from tests.api.conftest import Service
from tests.api.raw import CHUNKED, JSON, ask, chunked, request
from tests.api.story import Player, Story, Watcher, bearer
from tests.house.houses import free_port, wait_for


@pytest.fixture(scope="module")
def requests(service: Service) -> Iterator[str]:
    """Its address."""
    port = free_port()
    settings = service.settings
    environment = os.environ | {
        "CROUPIER_REDIS_URL": str(settings.redis_url),
        "CROUPIER_DATA_DIR": str(settings.data_dir),
        "CROUPIER_DURABILITY": settings.durability,
        "CROUPIER_PARTITIONS": str(settings.partitions),
    }
    command = [sys.executable, "-m", "api", "--requests", "--port", str(port)]
    with Popen(command, env=environment, stdout=DEVNULL, stderr=DEVNULL) as process:
        wait_for(lambda: process.poll() is not None or answers(port), "it serves requests")
        yield f"127.0.0.1:{port}"
        process.terminate()


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def test_answers_are_whole_and_the_connection_stays(requests: str, story: Story, ann: Player) -> None:
    """One connection for all: an answer that was too long or too short would spoil the next one."""
    connection = http.client.HTTPConnection(requests, timeout=10)
    told = {}
    for method, path, headers in (
        ("GET", story.path, {}),
        ("HEAD", story.path, {}),
        ("GET", story.path, {"If-None-Match": f'"{story.seen()["version"]}"'}),
        ("GET", f"{story.path}0", {}),
        ("GET", "/web/table.js", {}),
        ("GET", story.path, {}),
    ):
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        told[len(told)] = response.status, response.getheader("Content-Length"), len(response.read())
    connection.close()
    assert [status for status, *_ in told.values()] == [200, 200, 304, 404, 200, 200]
    assert all(length == 0 or str(length) == said for _, said, length in told.values())
    assert told[1][2] == told[2][2] == 0 < told[0][2] == told[5][2]


def test_a_body_that_ends_early_or_goes_on_too_long_is_no_command(requests: str, story: Story, ann: Player) -> None:
    """P065: what has arrived of it could be read as one."""
    port, path, body = int(requests.partition(":")[2]), f"{story.path}/commands", b'{"verb":"sit_out"}'
    known = {"Authorization": f"Bearer {ann.token}", "Idempotency_Key": 1}
    early = ask(port, request("POST", path, body, **known, **JSON, Content_Length=len(body) + 2), hang_up=True)
    assert (early.status, early.body["code"]) == (400, "malformed")
    long = ask(port, request("POST", path, chunked(body + b" " * 4000, b" " * 4000), **known, **CHUNKED))
    assert (long.status, long.body["code"]) == (413, "body_too_large")
    assert story.client.get(f"{story.path}/commands/{ann.actor}-1", headers=bearer(ann.token)).status_code == 202


def test_who_waits_for_news_leaves_threads_for_others(requests: str, story: Story) -> None:
    """Half as many streams as there are threads are served; what else would wait is refused, all else is not."""
    watchers = [Watcher(requests, story) for _ in range(THREADS + 6)]
    told = Counter(watcher.response.status for watcher in watchers)
    assert told == {200: THREADS // 2, 503: THREADS // 2 + 6}
    port = int(requests.partition(":")[2])
    poll = ask(port, request("GET", f"{story.path}?after=1000000&wait=25"))
    assert (poll.status, poll.body["code"], poll.headers["Retry-After"]) == (503, "crowded", "5")
    assert ask(port, request("GET", f"{story.path}?after=0&wait=25")).status == 200, "there is news already"
    for watcher in watchers:
        watcher.close()
    for number in range(6):  # what the threads of those who have gone wait for, to find out
        story.order("running" if number % 2 else "paused")
    wait_for(lambda: ask(port, request("GET", f"{story.path}?after=1000000&wait=1")).status == 200, "places are free")


def test_a_stream_is_not_kept_back_until_it_ends(requests: str, story: Story) -> None:
    with Watcher(requests, story) as watcher:
        messages = watcher.messages()
        assert next(messages)["kind"] == "snapshot"
        story.sit(0, "Ann")
        assert next(messages)["data"]["player"] == "Ann"
    story.sit(1, "Bob")  # what its thread waits for, to find that nobody listens any longer


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity") or (os.cpu_count() or 1) < 2, reason="there is no choice")
def test_all_threads_but_the_one_that_leads_share_a_processor(requests: str) -> None:
    """Also those that were started since the last choice: they are bound as who started them."""
    (serving,) = [pid for pid, parent in processes(requests).items() if parent in processes(requests)]
    wait_for(lambda: gathered(processors(serving)), "they gather")


def gathered(threads: list[set[int]]) -> bool:
    """One may run anywhere, all others on one processor, the same."""
    leads, *others = sorted(threads, key=len, reverse=True)
    return leads == os.sched_getaffinity(0) and all(bound == others[0] and len(bound) == 1 for bound in others)


def processes(address: str) -> dict[int, int]:
    """Those that serve there, with their parents."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"--port\0{address.partition(':')[2]}\0" in (folder / "cmdline").read_text():
                found[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def processors(pid: int) -> list[set[int]]:
    """On which each of a process's threads may run."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with suppress(ProcessLookupError):
            found.append(os.sched_getaffinity(int(task)))
    return found
