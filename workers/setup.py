"""A table worker made from settings: its clients, keys and sources of chance."""

from __future__ import annotations

from collections.abc import Callable

from engine.deck import sealed_deck
from engine.draft import DealSource
from engine.positions import Plan
from engine.state import Table
from services.inbox import Inbox
from services.log import Durability, Log
from services.reader import Reader
from services.sealing import SealKey, ViewKey, check_entropy, fresh_seed
from services.settings import Settings
from services.store import connect, require_fit, require_partitions
from services.trouble import require_store
from workers.fold import Worker
from workers.owner import Tools

ENGINE = "croupier/1"  # marks snapshots; a change of their format raises it


def make_worker(
    settings: Settings,
    deal: DealSource = sealed_deck,
    plan: Callable[[Table], tuple[bytes, Plan | None] | None] | None = None,
) -> Worker:
    """Raises StoreUnfit, KeyFileRefused or EntropyRefused: a worker that cannot keep its promises does not start.

    Production passes neither `deal` nor `plan`; tests stack decks with them.
    """
    check_entropy()
    client = connect(require_store(settings), single=True)
    require_fit(client, settings.durability)
    require_partitions(client, settings.partitions)
    tools = Tools(
        log=Log(client, ENGINE, Durability(settings.durability)),
        reader=Reader(client),
        inbox=Inbox(client, settings.backlog),
        seal_key=SealKey.load(settings.data_dir / "keys", settings.seal_key_file),
        view_key=ViewKey.load(settings.data_dir / "keys", settings.view_key_file),
        seed=fresh_seed,
        deal=deal,
        plan=plan,
    )
    return Worker(settings, client, tools)
