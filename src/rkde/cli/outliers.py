"""`rkde outliers`: the rows of a table, most outlying first, with labels."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

import click

from rkde.cli.data import deliver, load_table, only_one, output_option, table_options, tell_header
from rkde.cli.drawing import counts_of, part_for
from rkde.cli.explaining import Told, column_titles, refuse_other_kernels, told_columns
from rkde.cli.failures import complain
from rkde.cli.fitting import FitChoices, check_outputs, fit_options, fit_part, refuse_fit_options, tell_doubts
from rkde.cli.models import is_model, load_model_file, refuse_other_width
from rkde.cli.parsing import FitCommand
from rkde.cli.report import strict_json
from rkde.cli.resources import Allowance, resource_options
from rkde.cli.scoring import log_densities
from rkde.errors import InvalidInput

if TYPE_CHECKING:
    from rkde.fast import Rkde
    from rkde.fast._float64 import Floats
    from rkde.tables import Table, TableOptions

_HEADER: Final = "rank,row,line,log_density,outlier_score,label"
_WEIGHT: Final = "weight"
_CHANCE: Final = "tail_probability"
_AUTO: Final = "auto"
# As the estimator: half of the data cannot be the exception.
_LARGEST_CONTAMINATION: Final = 0.5
_PERCENT: Final = re.compile(r"\d+(\.\d+)?")
_EXPLAINED: Final = ("column", "surprise")
# Of fewer rows, none can stand out.
_FEW: Final = 3
# scikit-learn's detectors of this kind take the same share.
_DEFAULT_CONTAMINATION: Final = 0.1


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row of the table: its rank, its number and line, all from 1, its scores, and -1 for an outlier or 1.

    The weight is None where the density was not fitted to this row, and the tail probability where nobody
    asked for it.
    """

    rank: int
    row: int
    line: int
    log_density: float
    outlier_score: float
    label: int
    weight: float | None
    tail_probability: float | None = None


@dataclass(frozen=True, slots=True)
class _Scored:
    """The rows of a table under a density, and the log densities that the offset comes from.

    `places` has the place in the fit of each row to which the density was fitted; `sample` and `seed` say
    how many rows were drawn for it, and how, and are None where it uses all.
    """

    fitted: Rkde
    table: Table
    logs: Floats
    training: Floats
    training_weights: Floats | None
    weights: list[float | None] | None
    model: str | None
    places: Mapping[int, int]
    sample: int | None = None
    seed: int | None = None


def _read_contamination(ctx: click.Context, param: click.Parameter, text: str | None) -> float | str | None:
    """Read a share, or the word auto."""
    if text is None or text == _AUTO:
        return text
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 < share <= _LARGEST_CONTAMINATION:
        percent = text.removesuffix("%").strip()
        is_percent = bool(_PERCENT.fullmatch(percent)) and 1 <= float(percent) <= 100 * _LARGEST_CONTAMINATION
        meant = f"{float(percent) / 100:g}" if is_percent else "0.05"
        problem = f"must be above 0 and at most 0.5, or auto, got {text!r}; use a share such as {meant}."
        raise click.BadParameter(problem, ctx=ctx, param=param)
    return share


@click.command(
    "outliers",
    cls=FitCommand,
    epilog=(
        "\b\nExamples:\n"
        "  rkde outliers faithful --contamination 0.02 --top 10\n"
        "  rkde outliers measurements.csv --flagged -o outliers.csv\n"
        "  rkde fit good.csv -o model.npz && rkde outliers model.npz new.csv --json"
    ),
)
@click.argument("source", metavar="DATA|MODEL")
@click.argument("data", required=False)
@output_option
@click.option(
    "--contamination",
    metavar="SHARE|auto",
    callback=_read_contamination,
    help=(
        "Share of the fitted rows to label -1, above 0, at most 0.5; or auto, for the rows that stand out at "
        f"a false discovery rate of 5 %.  [default: {_DEFAULT_CONTAMINATION}]"
    ),
)
@click.option(
    "--offset", type=float, help="Log density below which a row is labelled -1; replaces --contamination."
)
@click.option("--top", type=click.IntRange(min=0), help="Number of rows to write.  [default: all]")
@click.option("--flagged", is_flag=True, help="Write only the rows labelled -1.")
@click.option(
    "--keep",
    metavar="COLUMNS",
    multiple=True,
    callback=only_one,
    help="Copy these columns of the table, such as names, to the output.",
)
@click.option(
    "--explain",
    is_flag=True,
    help="Add the column that is most surprising given the others, and by how much.",
)
@click.option("--with-values", is_flag=True, help="Also copy the columns to which the density was fitted.")
@click.option(
    "--digits",
    type=click.IntRange(1, 17),
    default=6,
    show_default=True,
    help="Significant digits of scores and weights; 17 reproduce every float64.",
)
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object instead of CSV.")
@table_options
@fit_options
@resource_options
@click.pass_context
def outliers(
    ctx: click.Context,
    source: str,
    data: str | None,
    output: str | None,
    contamination: float | str | None,
    offset: float | None,
    top: int | None,
    keep: str | None,
    digits: int,
    reading: TableOptions,
    choices: FitChoices,
    allowance: Allowance,
    *,
    flagged: bool,
    explain: bool,
    with_values: bool,
    as_json: bool,
) -> None:
    """Rank rows, the most outlying first, and label them.

    With DATA alone (a CSV file, - for standard input, or a shipped table), a robust density is fitted to it
    with the options of rkde fit, and its rows are ranked. With MODEL DATA, the rows of DATA are ranked under
    the density in MODEL, a file that rkde fit wrote.

    A row is labelled -1 (outlier) if its log density is below the offset, and 1 otherwise. The offset is the
    linear quantile, at the level --contamination, of the log densities of all rows to which the density was
    fitted; each of these densities includes the row's own kernel. The share thus sets how many rows are
    labelled -1; it does not estimate how many are outliers. With --sample the quantile is that of all rows of
    DATA, ranked under a density fitted to some of them; the weight of the other rows is empty. With
    --contamination auto the offset follows from the tail probabilities of the rows, which then form a column:
    the probability that a good row is at least as surprising. Each fitted row is then judged without its own
    kernel.

    The output is CSV with the header rank,row,line,log_density,outlier_score,label, followed by weight if the
    density was fitted to DATA, by tail_probability with --contamination auto, by column and surprise with
    --explain, and by the columns of --keep and --with-values; a copied column whose name is already
    in use gets a number. Rows and lines are counted from 1, as in the file: rows that are left out count
    too, but the header does not. Rows of equal score keep their order. The outlier score is minus the
    natural log density. Without --columns, all columns are fitted except those that hold text
    and those of --keep.
    The surprise says by how many nats the log density of the column, given the others, is below that of a
    typical row; a row to which the density was fitted is explained without itself.
    """
    check_outputs(output, [source] if data is None else [source, data], reading, choices)
    _check_threshold(contamination, offset)
    if data is None:
        scored = _fitted_here(source, reading, choices, allowance, keep)
    else:
        refuse_fit_options(ctx, source)
        scored = _under_model(source, data, reading, allowance, keep)
    own = chances = None
    if contamination == _AUTO:
        offset, own, chances = _alone(scored, allowance)
    elif offset is None:
        offset = _offset(scored, float(contamination or _DEFAULT_CONTAMINATION))
    if explain:
        refuse_other_kernels(scored.fitted)
    rows = _ranked(scored, scored.logs if own is None else own, offset, chances)
    found = sum(row.label < 0 for row in rows)
    shown = [row for row in rows if row.label < 0 or not flagged][:top]
    told = _told(scored, shown) if explain else None
    made = ([_CHANCE] if chances is not None else []) + (list(_EXPLAINED) if explain else [])
    beside = _copied(scored.table, made, with_values=with_values)
    deliver(
        _json(scored, offset, found, shown, told, beside)
        if as_json
        else _csv(scored, shown, told, beside, digits),
        output,
    )
    tell_header(scored.table, reading)
    which = "log density" if own is None else "log density, without the row itself,"
    complain(_summary(found, len(rows), f"{which} below {offset:.6g}", scored.model))


def _summary(found: int, size: int, rule: str, model: str | None) -> str:
    """Return the sentence that says how many rows are labelled, and by which rule."""
    if model is None and not found and size < _FEW:
        return f"no row can be labelled -1: {size} row{'s'[: size != 1]} cannot show what is usual"
    if rule.endswith(" -inf"):
        return f"{found} of {size} rows are labelled -1: none stands out"
    return f"{found} of {size} rows are labelled -1: {rule}"


def _check_threshold(contamination: float | str | None, offset: float | None) -> None:
    if contamination is not None and offset is not None:
        raise InvalidInput(
            "must not be combined with --contamination", where="--offset", remedy="leave out --contamination"
        )
    if offset is not None and math.isnan(offset):
        raise InvalidInput("must be a number", where="--offset", value=offset, remedy="give a log density")


def _fitted_here(
    source: str, reading: TableOptions, choices: FitChoices, allowance: Allowance, keep: str | None
) -> _Scored:
    if is_model(source):
        raise InvalidInput(
            "must be a table, got a fitted model without a table to rank",
            where=source,
            remedy="name the table too, as in rkde outliers MODEL DATA",
        )
    table = load_table(source, reading, keep=keep, weights=choices.weights)
    part = part_for(table, choices.sample, choices.seed)
    fitted = fit_part(part, choices, reading, allowance)
    logs = log_densities(fitted, table, allowance, fitted_rows=len(part.table.rows))
    part.tell()
    tell_doubts(fitted, choices, table, reading)
    return _Scored(
        fitted,
        table,
        logs,
        logs,
        counts_of(table),
        part.weights_of(fitted),
        None,
        part.places(),
        None if part.rows is None else len(part.rows),
        part.seed,
    )


def _under_model(
    model: str, data: str, reading: TableOptions, allowance: Allowance, keep: str | None
) -> _Scored:
    held = load_model_file(model)
    table = load_table(data, reading, expected=held.columns, keep=keep)
    refuse_other_width(table, held.model.X.shape[1])
    logs = log_densities(held.model, table, allowance)
    training, counts = held.training_log_densities, held.training_weights
    return _Scored(held.model, table, logs, training, counts, None, model, {})


def _offset(scored: _Scored, contamination: float) -> float:
    if not len(scored.training):
        raise InvalidInput(
            "must contain the log densities of the rows of the fit, got none",
            where=scored.model or "",
            remedy="write it again with rkde fit, or give --offset",
        )
    from rkde.fast.scoring import offset_at

    return offset_at(scored.training, contamination, scored.training_weights)


def _alone(scored: _Scored, allowance: Allowance) -> tuple[float, Floats, list[float]]:
    """Return the offset of --contamination auto; log densities without the rows themselves; probabilities."""
    from rkde.fast import Compute
    from rkde.fast.scoring import discovery_offset, estimate_tail, leave_one_out_log_density

    fitted, logs = scored.fitted, scored.logs.copy()
    rows = list(scored.places)
    limits = Compute(memory_limit=allowance.memory_limit, threads=allowance.threads)
    own = leave_one_out_log_density(fitted, logs[rows] if rows else None, compute=limits)
    logs[rows] = own if rows else logs[rows]
    tail = estimate_tail(fitted, own)
    offset = discovery_offset(tail, logs, counts_of(scored.table))
    return offset, logs, tail.probabilities(logs).tolist()


def _ranked(scored: _Scored, judged: Floats, offset: float, chances: list[float] | None) -> list[RankedRow]:
    """Rank the rows by their log density, and label them by the one that judges them."""
    from rkde.fast.scoring import labels_of

    logs: list[float] = scored.logs.tolist()
    labels: list[int] = labels_of(judged, offset).tolist()
    weights = scored.weights
    lines, numbers = scored.table.lines, scored.table.numbers
    order = sorted(range(len(logs)), key=logs.__getitem__)
    # 0 - x and not -x: the score of a log density 0 is 0, not -0.
    return [
        RankedRow(
            rank,
            numbers[i],
            lines[i],
            logs[i],
            0 - logs[i],
            labels[i],
            None if weights is None else weights[i],
            None if chances is None else chances[i],
        )
        for rank, i in enumerate(order, start=1)
    ]


def _copied(table: Table, reserved: Sequence[str], *, with_values: bool) -> dict[str, Sequence[object]]:
    """Return the columns of the table that stand beside the scores, by name, each by one of its own."""
    found: dict[str, Sequence[object]] = {}
    for place, name in enumerate(table.kept_names):
        found[_new_name(name, [*found, *reserved])] = [cells[place] for cells in table.kept]
    if with_values:
        for place, name in enumerate(column_titles(table)):
            found[_new_name(name, [*found, *reserved])] = [row[place] for row in table.rows]
    return found


def _new_name(name: str, taken: Collection[str]) -> str:
    """Return the name of a column, numbered where the output has a column of this name already."""
    taken = {*taken, *_HEADER.split(","), _WEIGHT}
    if name not in taken:
        return name
    return next(other for other in (f"{name} ({number})" for number in count(2)) if other not in taken)


def _told(scored: _Scored, rows: list[RankedRow]) -> list[Told]:
    return told_columns(scored.fitted, scored.table, _places(scored.table, rows), scored.places)


def _places(table: Table, rows: list[RankedRow]) -> list[int]:
    """Return where rows stand among those that were read, from 0."""
    found = {number: place for place, number in enumerate(table.numbers)}
    return [found[row.row] for row in rows]


def _csv(
    scored: _Scored,
    rows: list[RankedRow],
    told: list[Told] | None,
    beside: Mapping[str, Sequence[object]],
    digits: int,
) -> str:
    weighted = [_WEIGHT] if scored.weights is not None else []
    with_chances = bool(rows) and rows[0].tail_probability is not None
    explained = list(_EXPLAINED) if told is not None else []
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        [*_HEADER.split(","), *weighted, *([_CHANCE] if with_chances else []), *explained, *beside]
    )
    at = _places(scored.table, rows)
    for place, row in enumerate(rows):
        numbers = [row.log_density, row.outlier_score]
        cells: list[object] = [row.rank, row.row, row.line, *(f"{x:.{digits}g}" for x in numbers), row.label]
        if weighted:
            cells.append("" if row.weight is None else f"{row.weight:.{digits}g}")
        if with_chances:
            cells.append(f"{row.tail_probability:.{digits}g}")
        if told is not None:
            cells += [told[place].column, f"{told[place].surprise:.{digits}g}"]
        writer.writerow([*cells, *(column[at[place]] for column in beside.values())])
    return stream.getvalue()


def _known(row: RankedRow) -> dict[str, object]:
    """Return the fields of a row, without a tail probability that nobody asked for."""
    fields: dict[str, object] = asdict(row)
    if row.tail_probability is None:
        del fields[_CHANCE]
    return fields


def _json(
    scored: _Scored,
    offset: float,
    found: int,
    rows: list[RankedRow],
    told: list[Told] | None,
    beside: Mapping[str, Sequence[object]],
) -> str:
    explained = [{}] * len(rows) if told is None else [asdict(one) for one in told]
    places = _places(scored.table, rows)
    record = {
        "source": scored.table.source,
        "model": scored.model,
        "columns": scored.table.names or scored.table.positions,
        "n": len(scored.table.rows),
        "sample": scored.sample,
        "seed": scored.seed,
        "offset": offset,
        "outliers": found,
        "rows": [_known(row) | more for row, more in zip(rows, explained, strict=True)],
        "beside": {name: [column[place] for place in places] for name, column in beside.items()},
    }
    return strict_json(record) + "\n"
