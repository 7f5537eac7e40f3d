"""The command line `rkde`: a light front whose commands are imported when they are used."""

import sys
from importlib import import_module
from typing import Final

import click

from rkde.cli.failures import EXIT_BAD_INPUT, EXIT_CODES, EXPECTED, finish, open_streams, signals_unwind

# Name of a command -> its module, the attribute there, and the line that `rkde --help` shows for it.
_COMMANDS: Final = {
    "fit": ("rkde.cli.fit", "fit", "Fit a robust density to a numeric table and write a model file."),
    "score": (
        "rkde.cli.score",
        "score",
        "Write the log density and the outlier score of each row of a table.",
    ),
    "outliers": (
        "rkde.cli.outliers",
        "outliers",
        "Rank the rows of a table, most outlying first, with labels.",
    ),
    "sample": ("rkde.cli.sample", "sample", "Draw new rows from a fitted density."),
    "plot": ("rkde.cli.plot", "plot", "Draw a density with its rows, its loss, or the descent of J."),
    "influence": ("rkde.cli.influence", "influence", "Show how one more point would change a density."),
    "verify": ("rkde.cli.verify", "verify", "Check an implementation against golden vectors and claims."),
    "vectors": ("rkde.cli.vectors", "vectors", "Export, check, format and recompute the golden vectors."),
    "report": ("rkde.cli.combine", "report", "Combine the reports of several checked programs on one page."),
    "ledger": ("rkde.cli.ledger", "ledger", "Show the claims of the paper, their verdicts and evidence."),
    "adapter": ("rkde.cli.adapter", "adapter", "Speak the adapter protocol on standard input and output."),
    "version": ("rkde.cli.version", "version", "Show versions and, for a bug report, the machine."),
}

_EPILOG: Final = (
    "\b\nExamples:\n"
    "  rkde fit measurements.csv -o model.npz\n"
    "  rkde score model.npz new.csv -o scores.csv\n"
    "  rkde outliers measurements.csv --top 10\n"
    "  rkde verify\n"
    "  rkde ledger --verdict FAILS\n\n"
    "\b\nExit codes:\n" + "\n".join(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES.items())
)


class LazyGroup(click.Group):
    """A group whose commands are imported on use and whose failures end with one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of the help page."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return one command, or None for an unknown name."""
        if cmd_name not in _COMMANDS:
            return None
        module, attribute, _ = _COMMANDS[cmd_name]
        command = getattr(import_module(module), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.{attribute} is not a command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a word that is none is refused with the command that was meant."""
        word = str(args[0])
        if word not in _COMMANDS and not word.startswith("-"):
            from rkde.cli.parsing import meant

            ctx.fail(f"the command must be one of rkde's, got {word!r}{meant(word, list(_COMMANDS))}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, _, summary) in _COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options in front of the command."""
        try:
            return super().parse_args(ctx, args)
        except EXPECTED as error:
            finish(error)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; every documented failure ends the program with one line on standard error."""
        try:
            open_streams()
            answer: object = super().invoke(ctx)
            sys.stdout.flush()
        except EXPECTED as error:
            finish(error)
        return answer


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value and not ctx.resilient_parsing:
        from rkde.cli.version import version_lines

        click.echo("\n".join(version_lines()))
        ctx.exit()


@click.group(
    "rkde",
    cls=LazyGroup,
    invoke_without_command=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the versions of rkde and its numerical libraries, and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Robust kernel density estimation (Kim & Scott, 2012).

    Fit a density estimate that is robust to outliers, score rows under it, and check the implementation.
    Data and results go to standard output, everything else to standard error.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(EXIT_BAD_INPUT)


def main() -> None:
    """Run the program: the entry point of the console script `rkde`."""
    signals_unwind()
    cli()
