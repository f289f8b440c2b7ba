"""The ``croupier`` command: every module beside this file is one subcommand.

A module ``services/cli/games.py`` exposes ``command`` (a ``click.Command`` or group) and is then
``croupier games``; nothing else has to be edited. Exit status: 0 fine, 1 a check failed, 2 wrong use; 130 and 143 as of
any program that Ctrl-C or SIGTERM ends.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import click

from services.cli._ending import ended_by_signals, write_anywhere
from services.trouble import explained


class Commands(click.Group):
    """Finds its subcommands in this package and imports only the one that is run.

    What is wrong with the installation (settings, folders, keys, store, archive) is one line and status 1.
    """

    def main(self, *words: Any, **more: Any) -> Any:
        write_anywhere()
        with explained("croupier"):
            return super().main(*words, **more)

    def invoke(self, ctx: click.Context) -> object:
        with ended_by_signals():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(ctx):
            return None
        command = import_module(f"{__name__}.{name}").command
        assert isinstance(command, click.Command), name
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="croupier")
def main() -> None:
    """Run poker tables, replay their hands, and check every one of them."""
