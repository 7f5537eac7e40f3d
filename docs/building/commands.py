"""The directive ``command-help``: what a command of rkde says about itself."""

from typing import TYPE_CHECKING

import click
from docutils import nodes
from docutils.parsers.rst import Directive

from rkde.cli import cli

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def help_of(name: str) -> str:
    """Return the help page of a command."""
    with click.Context(cli, info_name="rkde") as group:
        command = cli.get_command(group, name)
        if command is None:
            raise ValueError(f"rkde has no command {name!r}")
        with click.Context(command, info_name=name, parent=group, terminal_width=78) as context:
            return command.get_help(context)


class CommandHelp(Directive):
    """Insert a help page; the argument is the name of the command."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the page as it is printed."""
        text = help_of(self.arguments[0])
        return [nodes.literal_block(text, text, language="text")]


def warn_of_missing_commands(app: "Sphinx") -> None:
    """Stop the build when the page of the command line lacks a command."""
    page = (app.srcdir / "docs" / "reference" / "command-line.md").read_text("utf-8")
    with click.Context(cli) as context:
        missing = [name for name in cli.list_commands(context) if f"```{{command-help}} {name}\n" not in page]
    if missing:
        raise ValueError(f"docs/reference/command-line.md lacks {', '.join(missing)}")
