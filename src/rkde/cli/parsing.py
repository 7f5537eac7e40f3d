"""How a command line is read and its help laid out: options in groups, and numbers with commas between."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import click

from rkde.datasets import DATASETS

# The options of a fit that matter; each other option of a fit is for experts.
_MATTER: Final = ("bandwidth", "scale", "loss", "recipe")
_INPUT: Final = (
    *("columns", "header", "delimiter", "decimal", "thousands", "comment", "skip_lines"),
    *("drop_missing", "trailing_delimiter", "encoding", "weights", "sample", "seed", "sign_rows"),
)
_EXPERT: Final = ("kernel", "dof", "quantiles", "quantile_rule", "start", "tol", "max_iter")
_MACHINE: Final = ("memory_limit", "threads")
# Sections of a help page, in their order; what is in none of them stands first, under Options.
_SECTIONS: Final = {
    "The table": _INPUT,
    "The fit: main options": _MATTER,
    "The fit: for experts": _EXPERT,
    "The machine": _MACHINE,
}
_THREE: Final = re.compile(r"[^,\s]+\s*,\s*[^,\s]+\s*,\s*[^,\s]+")
_TRIPLE: Final = "--quantiles"
# What a file that holds a table or a model is called.
_ENDINGS: Final = (".csv", ".tsv", ".txt", ".gz", ".dat", ".npz")


class NamedPath(click.Path):
    """A path, of which the empty text is none: Python takes it for the current folder."""

    def __init__(self, **options: bool) -> None:
        super().__init__(path_type=Path, **options)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        if value == "":
            self.fail(f"must not be empty; name a {'file' if self.file_okay else 'folder'}.", param, ctx)
        return super().convert(value, param, ctx)


class FitCommand(click.Command):
    """A command with the options of a fit: help in groups, three quantiles also with commas between."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        return super().parse_args(ctx, _with_triples(args))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of the same concern together."""
        grouped = {name for names in _SECTIONS.values() for name in names}
        options = {option.name: option for option in self.get_params(ctx) if isinstance(option, click.Option)}
        _write(ctx, formatter, "Options", [options[name] for name in options if name not in grouped])
        for title, names in _SECTIONS.items():
            _write(ctx, formatter, title, [options[name] for name in names if name in options])


def meant(word: str, names: Sequence[str]) -> str:
    """Return the end of the sentence that refuses a word which is no command.

    Examples
    --------
    >>> meant("ft", ["fit", "plot"]), meant("mine.csv", ["fit", "plot"])
    ('; did you mean rkde fit?', '; did you mean rkde plot mine.csv, or rkde fit mine.csv -o model.npz?')
    """
    if word.lower().endswith(_ENDINGS) or word in DATASETS:
        return f"; did you mean rkde plot {word}, or rkde fit {word} -o model.npz?"
    close = get_close_matches(word.lower(), names, n=1)
    return f"; did you mean rkde {close[0]}?" if close else f"; use one of {', '.join(names)}."


def _with_triples(args: Sequence[str]) -> list[str]:
    """Return the arguments with 0.5,0.9,0.95 after --quantiles as three."""
    result: list[str] = []
    for argument in args:
        name, equals, value = argument.partition("=")
        if name == _TRIPLE and equals:
            result.append(name)
            argument = value
        is_triple = result and result[-1] == _TRIPLE and _THREE.fullmatch(argument)
        result.extend(part.strip() for part in argument.split(",")) if is_triple else result.append(argument)
    return result


def _write(
    ctx: click.Context, formatter: click.HelpFormatter, title: str, options: Sequence[click.Option]
) -> None:
    records = [record for option in options if (record := option.get_help_record(ctx)) is not None]
    if records:
        with formatter.section(title):
            formatter.write_dl(records)
