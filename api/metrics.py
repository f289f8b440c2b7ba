"""What a monitoring system asks for: numbers only, labelled by route, never by table, player or token."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

METHODS = frozenset(("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"))
"""Counted by name: a client may make up as many others as it likes."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """A registry of its own, so that two applications in a process do not meet."""

    def __init__(self) -> None:
        registry = CollectorRegistry()
        self._registry = registry
        self.requests = Counter(
            "croupier_http_requests", "Requests by route and status", ["method", "route", "status"], registry=registry
        )
        self.seconds = Histogram(
            "croupier_http_seconds", "Time to answer, by route", ["route"], registry=registry, buckets=BUCKETS
        )
        self.refusals = Counter("croupier_refusals", "Refused commands by code", ["code"], registry=registry)
        self.streams = Gauge("croupier_streams", "Open live streams", registry=registry)
        self.frames = Counter("croupier_stream_frames", "Frames put in clients' queues", registry=registry)
        self.slow = Counter(
            "croupier_streams_closed_slow", "Streams closed because they fell behind", registry=registry
        )
        self.resyncs = Counter("croupier_stream_resyncs", "Streams that had to start anew", registry=registry)
        self.inbox = Gauge("croupier_inbox_length", "Entries of all inboxes", registry=registry)
        self.lag = Gauge("croupier_command_lag_seconds", "Age of the oldest undecided command", registry=registry)
        self.unowned = Gauge("croupier_partitions_without_owner", "Partitions nobody works on", registry=registry)
        self.unarchived = Gauge("croupier_unarchived_hands", "Finished hands not archived yet", registry=registry)
        self.workers = Gauge("croupier_workers", "Table workers alive", registry=registry)
        self.frozen = Gauge("croupier_frozen_tables", "Tables stopped by a fault or an audit", registry=registry)
        self.differing = Gauge("croupier_audit_differences", "Archived hands an audit found wrong", registry=registry)
        self.refused = Gauge("croupier_checkpoint_refused", "1: the last signature was refused", registry=registry)
        self.deals = Gauge("croupier_deal_alarms", "Statistics of the real deals in alarm", registry=registry)

    def text(self) -> bytes:
        return generate_latest(self._registry)
