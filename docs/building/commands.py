"""The directives ``command-help``, what a command of rkde says about itself, and ``command-output``."""

import contextlib
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.testing import CliRunner
from docutils import nodes
from docutils.parsers.rst import Directive, directives

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


class CommandOutput(Directive):
    """Run a command and insert it with what it prints; the commands of a page share a folder.

    The argument is the command line. The option ``lines`` is the number of lines that are shown.
    """

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {"lines": directives.positive_int}  # noqa: RUF012 (as docutils wants it)

    def run(self) -> list[nodes.Node]:
        """Return the command and its output."""
        folder = Path(tempfile.gettempdir()) / f"rkde-pages-{self.state.document.settings.env.docname}"
        folder.mkdir(parents=True, exist_ok=True)
        text = output_of(self.arguments[0], folder, self.options.get("lines"))
        return [nodes.literal_block(text, text, language="text")]


def output_of(command: str, folder: Path, lines: int | None = None) -> str:
    """Return a command with what it prints in a folder, at most so many lines.

    Raises
    ------
    ValueError
        The command fails.
    """
    with contextlib.chdir(folder):
        done = CliRunner().invoke(cli, shlex.split(command)[1:])
    if done.exit_code:
        raise ValueError(f"{command}: {done.output}")
    printed = [line.rstrip() for line in done.output.splitlines()]
    more = ["..."] if lines is not None and len(printed) > lines else []
    return "\n".join([f"$ {command}", *printed[:lines], *more])


def warn_of_missing_commands(app: "Sphinx") -> None:
    """Stop the build when the page of the command line lacks a command."""
    page = (app.srcdir / "docs" / "reference" / "command-line.md").read_text("utf-8")
    with click.Context(cli) as context:
        missing = [name for name in cli.list_commands(context) if f"```{{command-help}} {name}\n" not in page]
    if missing:
        raise ValueError(f"docs/reference/command-line.md lacks {', '.join(missing)}")
