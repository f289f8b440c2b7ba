"""The archive's tables: a row per hand with all its bytes, a thin index of who was dealt in, the audit log, and the log
of all hands with its leaves, the hashes of its full subtrees and its signed checkpoints (`services/hand_log.py`).
"""

import sqlalchemy as sa

METADATA = sa.MetaData()

hand_segment = sa.Table(
    "hand_segment",
    METADATA,
    sa.Column("table_id", sa.String(30), primary_key=True),
    sa.Column("hand_no", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("first_version", sa.BigInteger, nullable=False),
    sa.Column("last_version", sa.BigInteger, nullable=False),
    sa.Column("prev_head", sa.LargeBinary, nullable=False),
    sa.Column("head", sa.LargeBinary, nullable=False),
    sa.Column("rules", sa.String(40), nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("started_ms", sa.BigInteger, nullable=False),
    sa.Column("ended_ms", sa.BigInteger, nullable=False),
    sa.Column("codec", sa.String(20), nullable=False),
    sa.Column("sealed_seed", sa.LargeBinary, nullable=False),
    sa.Column("before_blob", sa.LargeBinary, nullable=False),
    sa.Column("events_blob", sa.LargeBinary, nullable=False),
    sa.Column("commands_blob", sa.LargeBinary, nullable=False),
    sa.Column("summary", sa.Text, nullable=False),
    sa.Column("verdict", sa.String(40)),
    sa.Index("hand_segment_version", "table_id", "last_version"),
)
_unverified = hand_segment.c.verdict.is_(None)
sa.Index(
    "hand_segment_unverified", hand_segment.c.ended_ms, sqlite_where=_unverified, postgresql_where=_unverified
)
_failed = hand_segment.c.verdict != "ok"
sa.Index("hand_segment_failed", hand_segment.c.ended_ms, sqlite_where=_failed, postgresql_where=_failed)

hand_player = sa.Table(
    "hand_player",
    METADATA,
    sa.Column("table_id", sa.String(30), primary_key=True),
    sa.Column("hand_no", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("player", sa.String(80), nullable=False),
    sa.Column("started_ms", sa.BigInteger, nullable=False),
    sa.Index("hand_player_player", "player", "started_ms"),
)

audit_entry = sa.Table(
    "audit_entry",
    METADATA,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.Column("who", sa.String(120), nullable=False),
    sa.Column("what", sa.String(40), nullable=False),
    sa.Column("table_id", sa.String(30), nullable=False),
    sa.Column("hand_no", sa.Integer, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
)

hand_leaf = sa.Table(
    "hand_leaf",
    METADATA,
    sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.String(30), nullable=False),
    sa.Column("hand_no", sa.Integer, nullable=False),
    sa.Column("entry", sa.LargeBinary, nullable=False),
    sa.Index("hand_leaf_hand", "table_id", "hand_no", unique=True),
)

hand_node = sa.Table(
    "hand_node",
    METADATA,
    sa.Column("level", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("hash", sa.LargeBinary, nullable=False),
)

checkpoint = sa.Table(
    "checkpoint",
    METADATA,
    sa.Column("size", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("key", sa.String(200), nullable=False),
    sa.Column("signed_ms", sa.BigInteger, nullable=False),
)

refused_signature = sa.Table(
    "refused_signature",
    METADATA,
    sa.Column("at_ms", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("why", sa.Text, nullable=False),
)

deal_report = sa.Table(
    "deal_report",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("report", sa.Text, nullable=False),
)
