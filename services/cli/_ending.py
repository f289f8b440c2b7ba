"""How a command ends when it is told to, and how it writes to whatever it is connected to."""

from __future__ import annotations

import io
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """SIGTERM ends a command as Ctrl-C does, so that what it started ends with it. Status 130 or 143, as of a shell."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals belong to the main thread
        return
    before = signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    finally:
        if signal.getsignal(signal.SIGTERM) is terminated:  # else the command has its own way to end, and keeps to it
            signal.signal(signal.SIGTERM, before)


def terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(TERMINATED)


def write_anywhere() -> None:
    """A terminal that does not know a character, or a file name that is no text, is shown an escape instead."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
