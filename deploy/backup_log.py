#!/usr/bin/env python3
"""Copies the log of a running store: its append-only files as they are at one moment. Needs nothing but Python.

Files are linked first, which is done at once, and copied then: so a rewrite, which removes old files, is no harm. What
the server appends meanwhile is in the copy or not; a write that is there in part is cut off when the copy is loaded.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

LOG = "appendonlydir"
TRIES = 10


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path, help="the store's folder, which holds appendonlydir")
    parser.add_argument("copy", type=Path, help="a folder that is not there yet")
    chosen = parser.parse_args()
    try:
        chosen.copy.mkdir(mode=0o700, parents=True)
        many = back_up(chosen.store, chosen.copy)
    except (OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{many} bytes of log in {chosen.copy / LOG}")
    return 0


def back_up(store: Path, copy: Path) -> int:
    """How many bytes were copied. RuntimeError: there is no log, or it was rewritten all the time."""
    with tempfile.TemporaryDirectory(dir=store, prefix=".backup-") as links:
        for _ in range(TRIES):
            if link_all(store / LOG, Path(links) / LOG):
                shutil.copytree(Path(links) / LOG, copy / LOG)
                return sum(file.stat().st_size for file in (copy / LOG).iterdir())
    raise RuntimeError(f"{store / LOG} changed {TRIES} times while it was looked at")


def link_all(log: Path, links: Path) -> bool:
    """Link every file of the log's manifest; False if it has changed in between."""
    shutil.rmtree(links, ignore_errors=True)
    links.mkdir()
    found = list(log.glob("*.manifest"))
    if not found:
        raise RuntimeError(f"{log} holds no log of a Redis 7.0 or newer")
    before = found[0].read_bytes()
    try:
        for name in names_in(before):
            os.link(log / name, links / name)
    except FileNotFoundError:
        return False
    (links / found[0].name).write_bytes(before)
    return found[0].read_bytes() == before


def names_in(manifest: bytes) -> list[str]:
    """Its lines are: file NAME seq NUMBER type KIND."""
    return [line.split()[1].decode() for line in manifest.splitlines() if line.startswith(b"file ")]


if __name__ == "__main__":
    sys.exit(main())
