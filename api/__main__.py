"""`python -m api`: everything, live streams too. `python -m api --requests`: without many streams, under granian."""

from __future__ import annotations

import argparse
import sys


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="api", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--requests", action="store_true")
    chosen = parser.parse_args(arguments)
    if not chosen.requests:
        # Before anything else is imported: what took its sockets and locks earlier would block every stream.
        from gevent import monkey

        monkey.patch_all()
    return run(chosen.host, chosen.port, chosen.requests)


def run(host: str, port: int, requests: bool) -> int:
    from api.serve import serve, serve_requests
    from services.settings import Settings
    from services.trouble import explained, require_address, require_parts

    with explained("croupier"):
        settings = Settings()
        require_parts(settings)
        require_address(host, port)
    if requests:
        serve_requests(host, port)
    else:
        serve(settings, host, port)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
