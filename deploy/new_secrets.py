#!/usr/bin/env python3
"""Makes every secret of a new installation in one folder, for compose.yaml, systemd/ and kubernetes/ alike.

Passwords are made for this folder only and stand nowhere else; of the store's users it gets the SHA-256. Needs nothing
but Python.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

RULES = Path(__file__).with_name("users.acl")
PROGRAMS = ("api", "worker", "jobs", "auditor", "operator")
KEYS = ("seal", "view")
KEY_BYTES = 32


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder that is empty or not there yet")
    parser.add_argument("--store", default="redis:6379", metavar="HOST:PORT", help="the store's address (%(default)s)")
    parser.add_argument("--owner", type=int, metavar="UID", help="who may read the files; default: whoever makes them")
    chosen = parser.parse_args()
    folder: Path = chosen.folder
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        print(f"{folder} is not empty: a key that is overwritten is lost, and with it every hand sealed under it",
              file=sys.stderr)  # fmt: skip
        return 1
    for name, content in contents(chosen.store):
        write(folder / name, content, chosen.owner)
    print(f"Keep a copy of {folder} apart from the log's backups: without its seal.key no hand is dealt again.")
    return 0


def contents(store: str) -> Iterator[tuple[str, bytes]]:
    """Every file: the keys, a settings file for each program, and what the two servers of the store are given."""
    passwords = {user: secrets.token_urlsafe(32) for user in (*PROGRAMS, "replica")}
    for key in KEYS:
        yield f"{key}.key", secrets.token_bytes(KEY_BYTES)
    for program in PROGRAMS:
        yield f"{program}.toml", f'redis_url = "redis://{program}:{passwords[program]}@{store}/0"\n'.encode()
    yield "replica-auth.conf", f"masterauth {passwords['replica']}\n".encode()
    yield "users.acl", users(RULES.read_text(encoding="ascii"), passwords).encode()


def users(rules: str, passwords: dict[str, str]) -> str:
    """The rules as a server reads them: a line for each user, no remarks, hashes instead of places."""
    lines = [line for line in rules.splitlines() if not line.startswith("#")]
    text = "\n".join(lines).replace("\n    ", " ")
    for user, password in passwords.items():
        text = text.replace(f" {{{user}}} ", f" #{sha256(password.encode()).hexdigest()} ")
    return "\n".join(line for line in text.splitlines() if line) + "\n"


def write(file: Path, content: bytes, owner: int | None) -> None:
    """A file of the owner's alone. The store may run under any user, and the hash of 256 random bits tells nothing."""
    mode = 0o644 if file.suffix == ".acl" else 0o600
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with open(descriptor, "wb") as opened:
        os.fchmod(descriptor, mode)
        if owner is not None:
            os.fchown(descriptor, owner, -1)
        opened.write(content)


if __name__ == "__main__":
    sys.exit(main())
