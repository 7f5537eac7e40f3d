"""Options of a fit, the same for every command that fits, and the fit itself."""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial, wraps
from typing import TYPE_CHECKING, Final, get_args

import click

from rkde.cli.data import STREAM, check_output, deliver
from rkde.cli.drawing import DEFAULT_SEED, Part
from rkde.cli.failures import SignRows, complain, warnings_told
from rkde.cli.resources import Allowance
from rkde.cli.waiting import display
from rkde.errors import DegenerateBandwidth, InvalidInput, RkdeError
from rkde.tables import Table, TableOptions, files_of_rows
from rkde.vocabulary import (
    BandwidthRule,
    CrossValidationRule,
    FrontRecipe,
    PracticalRule,
    QuantileRule,
    RelativeObjective,
    Start,
    Status,
)

if TYPE_CHECKING:
    from rkde.fast import Rkde
    from rkde.fast._float64 import Floats
    from rkde.fast.bandwidth import ScaleName
    from rkde.fast.kernels import Kernel

_KERNELS: Final = ("gaussian", "student", "laplacian")
_LOSSES: Final = ("hampel", "huber", "absolute", "quadratic")
_RULES: Final[tuple[BandwidthRule | CrossValidationRule | PracticalRule, ...]] = (
    *get_args(BandwidthRule),
    *get_args(CrossValidationRule),
    *get_args(PracticalRule),
)
_SCALES: Final = ("robust", "robust-covariance", "none")
# A cap that no published data set comes near.
_DEFAULT_MAX_ITER: Final = 1000
# Where an error lies that comes from the rows and from no option.
_OF_THE_ROWS: Final = frozenset({"X", "thresholds", "weights", "sample_weight"})
# How the library names a cell, from 0.
CELL: Final = re.compile(r"X, row (\d+), column (\d+)(?: \(.*\))?")


@dataclass(frozen=True, slots=True)
class FitChoices:
    """What the user chose for a fit; each field is the option of its name."""

    kernel: str
    dof: float | None
    bandwidth: float | BandwidthRule | CrossValidationRule | PracticalRule | None
    scale: ScaleName | tuple[float, ...] | None
    loss: str
    recipe: FrontRecipe
    quantiles: tuple[float, float, float] | None
    quantile_rule: QuantileRule | None
    start: Start | None
    tol: float | None
    max_iter: int
    weights: str | None
    sample: int | None
    seed: int | None
    sign_rows: str | None


def _read_bandwidth(
    ctx: click.Context, param: click.Parameter, text: str | None
) -> float | BandwidthRule | CrossValidationRule | PracticalRule | None:
    """Read a positive number or the name of a rule."""
    if text is None:
        return None
    for rule in _RULES:
        if text == rule:
            return rule
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        problem = (
            f"must be a positive number or the name of a rule, got {text!r}; use one of {', '.join(_RULES)}."
        )
        raise click.BadParameter(problem, ctx=ctx, param=param)
    return number


def _read_scale(
    ctx: click.Context, param: click.Parameter, text: str | None
) -> ScaleName | tuple[float, ...] | None:
    """Read a name, or positive numbers separated by commas."""
    if text is None:
        return None
    for name in _SCALES:
        if text == name:
            return name
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = (math.nan,)
    if not all(0 < number < math.inf for number in numbers):
        problem = (
            f"must be a name or positive numbers separated by commas, got {text!r}; "
            f"use one of {', '.join(_SCALES)}, or one number for each column."
        )
        raise click.BadParameter(problem, ctx=ctx, param=param)
    return numbers


_FIT_OPTIONS: Final = (
    click.option(
        "--kernel", type=click.Choice(_KERNELS), default="gaussian", show_default=True, help="Kernel."
    ),
    click.option(
        "--dof",
        type=float,
        help="Degrees of freedom; required for the student kernel, not allowed with others.",
    ),
    click.option(
        "--bandwidth",
        metavar="NUMBER|RULE",
        callback=_read_bandwidth,
        help=(
            f"A number in the unit of the columns, or a rule: {', '.join(_RULES)}.  "
            "[default: the recipe's; pairwise for practical, else median_nn]"
        ),
    ),
    click.option(
        "--scale",
        metavar="NAME|NUMBERS",
        callback=_read_scale,
        help=(
            f"How the columns are scaled: {', '.join(_SCALES)}, or positive numbers separated by commas.  "
            "[default: robust for the recipe practical, none for others and where --bandwidth is a number]"
        ),
    ),
    click.option("--loss", type=click.Choice(_LOSSES), default="hampel", show_default=True, help="Loss."),
    click.option(
        "--recipe",
        type=click.Choice(get_args(FrontRecipe)),
        default="practical",
        show_default=True,
        help="Where scale, bandwidth, thresholds, start and stopping rule come from.",
    ),
    click.option(
        "--quantiles",
        type=(float, float, float),
        metavar="A B C",
        help="Quantile levels at which the thresholds are taken.  [default: the recipe's]",
    ),
    click.option(
        "--quantile-rule",
        type=click.Choice(get_args(QuantileRule)),
        metavar="RULE",
        help="How quantiles are interpolated, as numpy names it.  [default: the recipe's]",
    ),
    click.option(
        "--start",
        type=click.Choice(get_args(Start)),
        help="Where the iteration starts.  [default: the recipe's]",
    ),
    click.option(
        "--tol",
        type=float,
        help="Stop when the relative change of J is below this.  [default: 1e-8; practical makes one step]",
    ),
    click.option(
        "--max-iter",
        type=click.IntRange(min=1),
        default=_DEFAULT_MAX_ITER,
        show_default=True,
        help="Maximum number of iterations.",
    ),
    click.option(
        "--weights",
        metavar="COLUMN",
        help=(
            "The column that says how much each row counts: whole numbers are copies, others are relative, "
            "0 leaves the row out.  [default: each row counts once]"
        ),
    ),
    click.option(
        "--sample",
        type=int,
        metavar="N",
        help="Fit to N rows drawn without replacement; scores and ranks still cover every row.  "
        "[default: all rows]",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        help=f"Random seed of --sample; the same seed draws the same rows.  [default: {DEFAULT_SEED}]",
    ),
    click.option(
        "--sign-rows",
        metavar="FILE",
        help="Write the numbers of the rows that signs advise leaving out, one line for each sign, for "
        "--drop-rows @FILE.",
    ),
)

# What ends the search for a bandwidth where none helps.
_ONE_ROW: Final = (
    "add rows, because one alone cannot be judged, or judge it by other rows: rkde outliers MODEL DATA"
)
_EQUAL_ROWS: Final = (
    "check the columns and the export, because none of several equal rows stands out at any bandwidth"
)


def fit_options(function: Callable[..., object]) -> Callable[..., object]:
    """Add the options of a fit; the command takes them as one argument `choices`."""
    names = [field.name for field in fields(FitChoices)]

    @wraps(function)
    def collected(**values: object) -> object:
        chosen = {name: values.pop(name) for name in names}
        # Click has read each value by the type of its option.
        return function(choices=FitChoices(**chosen), **values)  # type: ignore[arg-type]

    decorated: Callable[..., object] = collected
    for option in reversed(_FIT_OPTIONS):
        decorated = option(decorated)
    return decorated


def refuse_fit_options(ctx: click.Context, model: str) -> None:
    """Refuse the options of a fit where there is none: a model file has its own."""
    for field in fields(FitChoices):
        if ctx.get_parameter_source(field.name) is click.core.ParameterSource.COMMANDLINE:
            option = "--" + field.name.replace("_", "-")
            remedy = "leave it out, or give a table to fit instead of the model"
            raise InvalidInput(
                f"must not be given for {model}, which is a fitted model", where=option, remedy=remedy
            )


def check_outputs(
    output: str | None, data: Sequence[str], reading: TableOptions, choices: FitChoices
) -> None:
    """Refuse files that cannot be written, or that are read, or the same for two purposes."""
    inputs = [*data, *files_of_rows(reading.drop_rows)]
    check_output(output, inputs)
    path = choices.sign_rows
    if path is None:
        return
    check_output(path, inputs, option="--sign-rows")
    remedy = "name another file"
    if path == STREAM or "," in path:
        raise InvalidInput(
            "must be a file without a comma in its name", where="--sign-rows", value=path, remedy=remedy
        )
    if output is not None and os.path.realpath(path) == os.path.realpath(output):
        raise InvalidInput(
            "must not be the file of --output as well", where="--sign-rows", value=path, remedy=remedy
        )


def fit_part(part: Part, choices: FitChoices, reading: TableOptions, allowance: Allowance) -> Rkde:
    """Fit rows of a table; warnings of the fit become lines on standard error."""
    table = part.table
    make_kernel = _kernel_maker(choices.kernel, choices.dof)
    sign_rows = SignRows(choices.sign_rows, reading.drop_rows)
    try:
        with warnings_told(table, part.whole, sign_rows), named_after(table, sign_rows):
            return _fitted(table, make_kernel, choices, allowance)
    finally:
        if sign_rows.path is not None:
            deliver(sign_rows.content, sign_rows.path)


@contextmanager
def named_after(table: Table, sign_rows: SignRows | None = None) -> Iterator[None]:
    """Let errors about the rows name the table: its user knows of no argument X."""
    try:
        yield
    except RkdeError as error:
        cell = CELL.fullmatch(error.where)
        if cell is not None:
            row, column = table.numbers[int(cell[1])], table.positions[int(cell[2])]
            name = f" ({table.names[int(cell[2])]!r})" if table.names else ""
            where = f"{table.source}, row {row}, column {column}{name}"
            raise error.restated(
                where=where,
                remedy=error.remedy.replace(
                    "leave the row out", f"use {(sign_rows or SignRows()).drop([row], 'extreme row')}"
                ),
            ) from error
        if error.where not in _OF_THE_ROWS:
            raise
        place = "--weights" if error.where == "sample_weight" else error.where
        where = table.source if place == "X" else f"{table.source}, {place}"
        if isinstance(error, DegenerateBandwidth) and error.place is not None:
            error = _with_rows(error, table, sign_rows or SignRows())
        elif isinstance(error, DegenerateBandwidth) and len(set(table.rows)) == 1:
            error = error.restated(remedy=_ONE_ROW if len(table.rows) == 1 else _EQUAL_ROWS)
        raise error.restated(where=where) from error


def _with_rows(error: DegenerateBandwidth, table: Table, sign_rows: SignRows) -> DegenerateBandwidth:
    """Return the error with the names of the columns, and with the option that leaves out the tied rows."""
    place = error.place or ()
    numbers = [number for number, row in zip(table.numbers, table.rows, strict=True) if row == place]
    with_rows = f", with {sign_rows.drop(numbers, 'tied rows')}" if "remove rows" in error.remedy else ""
    return error.at(place, table.names).restated(remedy=error.remedy + with_rows)


def tell_doubts(fitted: Rkde, choices: FitChoices, table: Table, reading: TableOptions) -> None:
    """Say on standard error that a fit has not converged, or took weights for data; signs are warnings."""
    if choices.weights is None and reading.columns is None:
        for name in table.names_of_counts():
            complain(
                f"{table.source}: column {name!r} is read as data; if it says how often each row counts, "
                f"use --weights {shlex.quote(name)}"
            )
    if fitted.status is Status.MAX_ITER:
        text = f"KIRWLS did not converge within --max-iter {choices.max_iter}; raise it"
        complain(text, kind="warning")


def _kernel_maker(name: str, dof: float | None) -> Callable[[float], Kernel]:
    """Return the function bandwidth -> kernel."""
    from rkde.fast import Gaussian, Laplacian, Student

    if name == "student":
        if dof is None:
            raise InvalidInput(
                "must be given for the Student kernel",
                where="--dof",
                remedy="add --dof with a number above 0",
            )
        return partial(Student, dof=dof)
    if dof is not None:
        raise InvalidInput(
            "must not be given for a kernel other than the Student kernel",
            where="--dof",
            remedy="leave it out",
        )
    return Gaussian if name == "gaussian" else Laplacian


@dataclass(frozen=True, slots=True)
class _Frame:
    """Rows with the names of their columns, as the library takes them from a data frame."""

    rows: Floats
    columns: tuple[str, ...]

    def __array__(self, *_: object, **__: object) -> Floats:
        """Return the rows, whatever type and copy numpy asks for."""
        return self.rows


def _fitted(
    table: Table, make_kernel: Callable[[float], Kernel], choices: FitChoices, allowance: Allowance
) -> Rkde:
    import numpy as np

    from rkde.fast import Absolute, Hampel, Huber, Quadratic
    from rkde.fast.estimates import fit

    losses = {"hampel": Hampel, "huber": Huber, "absolute": Absolute, "quadratic": Quadratic}
    return fit(
        _Frame(np.array(table.rows), table.names),
        kernel=make_kernel,
        bandwidth=choices.bandwidth,
        scale=choices.scale,
        loss=losses[choices.loss],
        recipe=choices.recipe,
        quantiles=choices.quantiles,
        quantile_rule=choices.quantile_rule,
        start=choices.start,
        sample_weight=table.weights or None,
        stop=None if choices.tol is None else RelativeObjective(choices.tol),
        max_iter=choices.max_iter,
        memory_limit=allowance.memory_limit,
        threads=allowance.threads,
        progress=display(len(table.rows)),
    )
