"""`croupier verify`: bundles, with nothing but themselves."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import click

from services.audit import Check
from services.bundle import FILE_MOST, BundleBroken, read
from services.checkpoint import NoteBroken, PublicKey
from services.cli._text import counted
from services.sealing import KeyFileRefused, SealKey
from services.verifying import Verdict, Verifier, summed_up

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def receipts_of(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[int, bytes]:
    """VERSION:HEAD, as frames and views have them."""
    found = {}
    for text in texts:
        match = re.fullmatch(r"([1-9][0-9]{0,17}):([0-9a-f]{64})", text)
        if match is None:
            raise click.BadParameter("VERSION:HEAD, the head in hex")
        found[int(match[1])] = bytes.fromhex(match[2])
    return found


def public_key(ctx: click.Context, param: click.Parameter, text: str | None) -> PublicKey | None:
    """As `GET /checkpoint/key` gives it."""
    try:
        return PublicKey.read(text) if text is not None else None
    except NoteBroken as broken:
        raise click.BadParameter(str(broken)) from None


@click.command(short_help="Verify bundles offline, with nothing but themselves.")
@click.argument("bundles", nargs=-1, required=True, metavar="BUNDLE...", type=FILE)
@click.option("--key", "key_file", type=FILE, help="The seal key: also deal the whole deck again.")
@click.option("--log-key", callback=public_key, help="The log's public key, if you have it from elsewhere.")
@click.option("--receipt", "receipts", multiple=True, callback=receipts_of, metavar="VERSION:HEAD",
              help="What you were sent while the hand was played.")  # fmt: skip
@click.option("--strict", is_flag=True, help="What a bundle does not allow to check fails.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    bundles: tuple[Path, ...],
    key_file: Path | None,
    log_key: PublicKey | None,
    receipts: dict[int, bytes],
    strict: bool,
    as_json: bool,
) -> None:
    """Verify finished hands offline: no server, no network, only the bundle.

    Chain, commitment, every opened card, the players' cut, every decision made again, pots and chips, the rules'
    version, the place in the log of all hands and its signature: a line each, which names the first difference.
    """
    verifier = Verifier(seal_key(key_file), log_key, receipts, strict)
    verdict = summed_up([found for path in bundles for found in verified(verifier, path, len(bundles) > 1)])
    click.echo(json.dumps(as_document(verdict), indent=2) if as_json else text_of(verdict))
    sys.exit(0 if verdict.ok else 1)


def seal_key(file: Path | None) -> SealKey | None:
    """Status 1 says that a bundle differs, so a file that holds no key is wrong use."""
    try:
        return SealKey.load(file.parent, file) if file else None
    except KeyFileRefused as refused:
        raise click.UsageError(f"--key: {refused}") from None


def verified(verifier: Verifier, path: Path, several: bool) -> list[tuple[str, list[Check]]]:
    """Every hand of a file with its checks; a file that cannot be read is a check that failed."""
    try:
        with path.open("rb") as file:
            bundle = read(file.read(FILE_MOST + 1))
    except OSError as error:
        return [(str(path), [Check("read", False, f"{path}: {error.strerror}")])]
    except BundleBroken as broken:
        return [(str(path), [Check("read", False, f"{path}: {broken}")])]
    place = f"{path.name}: " if several else ""
    return [(place + hand, checks) for hand, checks in verifier.bundle(bundle)]


def as_document(verdict: Verdict) -> dict[str, object]:
    """`{"ok", "hands", "checks": [{"name", "ok", "detail"}]}`."""
    return {"ok": verdict.ok, "hands": verdict.hands, "checks": [check._asdict() for check in verdict.checks]}


def text_of(verdict: Verdict) -> str:
    """A line per check, and the sum."""
    lines = [f"{'ok' if check.ok else 'DIFFERS':<8} {check.name:<11} {check.detail}" for check in verdict.checks]
    wrong = sum(not check.ok for check in verdict.checks)
    found = f"{counted(wrong, 'check')} {'differs' if wrong == 1 else 'differ'}" if wrong else "everything agrees"
    return "\n".join([*lines, f"{counted(verdict.hands, 'hand')}: {found}"])
