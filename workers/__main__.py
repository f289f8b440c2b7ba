"""`python -m workers fold`: a table worker; `jobs`: the chores (RQ); `rebuild` and `restore`: repairs."""

from __future__ import annotations

import sys

from services.logs import set_up_logs
from services.settings import Settings
from services.trouble import explained


def main(arguments: list[str]) -> int:
    with explained("croupier"):
        return run(arguments)


def run(arguments: list[str]) -> int:
    settings = Settings()
    set_up_logs(settings.log_level)
    match arguments:
        case ["fold"]:
            from services.readiness import get_ready
            from workers.fold import run as run_worker
            from workers.setup import make_worker

            worker = make_worker(settings)
            get_ready()
            run_worker(worker)
        case ["jobs"]:
            from workers.jobs import run as run_jobs

            run_jobs(settings)
        case ["rebuild" | "restore", *_]:
            from workers.repairs import repairs

            repairs(arguments, prog_name="croupier")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
