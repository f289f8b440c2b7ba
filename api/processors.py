"""Keeps the threads of a process on one processor, where only one of them can run Python at a time anyway.

Spread over several, each request hands the interpreter's lock from one processor to another, which has to be woken and
finds nothing in its caches: that costs nearly half as much again as a short request itself.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

CHOICE_S = 5
"""How long a choice lasts: another process may have been bound to the same processor."""
TASKS = Path("/proc/self/task")
PROCESSOR = 36
"""Place of the processor in a thread's `stat`, counted behind its name (proc(5))."""


def stay_together() -> None:
    """From now on, where the system can do it: all threads on a processor that was idle, chosen again and again.

    One thread stays free: whenever it wakes up the kernel lets it run on an idle processor, if there is one, and
    the others follow.
    """
    if hasattr(os, "sched_setaffinity") and len(os.sched_getaffinity(0)) > 1:
        threading.Thread(target=lead, name="together", daemon=True).start()


def lead() -> None:
    """What the free thread does."""
    with suppress(OSError):  # not allowed here: then they stay as they are
        while True:
            gather()
            time.sleep(CHOICE_S)


def gather() -> None:
    """Bind all other threads to the processor on which this one runs."""
    mine = str(threading.get_native_id())
    here = int((TASKS / mine / "stat").read_text().rpartition(")")[2].split()[PROCESSOR])
    for task in os.listdir(TASKS):
        if task != mine:
            with suppress(ProcessLookupError):  # it has just ended
                os.sched_setaffinity(int(task), {here})
