"""How the chores are asked for something: one RQ queue, functions by name, arguments as JSON."""

from __future__ import annotations

from typing import Any

from rq import Queue, Retry
from rq.job import Job
from rq.serializers import JSONSerializer

from services.settings import Settings
from services.store import connect
from services.trouble import require_store

QUEUE = "croupier"
LIMIT_S = 300
"""A job that takes longer is stopped; the next one goes on where it was."""


def open_queue(settings: Settings, job_class: type[Job] = Job) -> Queue:
    """The one queue. RQ gets a client of its own, for it changes the settings of the one it is given."""
    url = settings.queue_url or require_store(settings)
    return Queue(QUEUE, connection=connect(url), job_class=job_class, serializer=JSONSerializer)


class Errands:
    """Asks for jobs of `workers/jobs.py`, which alone decides what can be run."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue

    def ask(self, name: str, *arguments: Any, first: bool = False) -> None:
        """Nothing is kept of a job that went well; one whose process died is run once more."""
        self.queue.enqueue(
            f"workers.jobs.{name}",
            args=arguments,
            job_timeout=LIMIT_S,
            result_ttl=0,
            failure_ttl=3600,
            retry=Retry(max=1),
            at_front=first,
        )
