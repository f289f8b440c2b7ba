"""One JSON line per log entry on standard error. Entries name tables, hands and codes; never cards, seeds or tokens."""

from __future__ import annotations

import logging
import sys

import structlog

from services.settings import LogLevel


def set_up_logs(level: LogLevel) -> None:
    """For the whole process; `level` and above is written."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
