"""`rkde influence`: how one more point would change a fitted density."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from rkde.cli.data import check_output, deliver
from rkde.cli.fitting import CELL
from rkde.cli.models import load_model_file
from rkde.cli.picture import FORMATS, saved
from rkde.cli.report import strict_json
from rkde.errors import InvalidInput, NotConverged, NotDifferentiable, SingularSystem
from rkde.vocabulary import Status

if TYPE_CHECKING:
    from rkde.fast import Loss
    from rkde.fast.estimates import Rkde
    from rkde.fast.influence import Influence
    from rkde.fast.io import ModelFile

# Enough significant digits to reproduce every float64.
_NUMBER: Final = ".17g"
_HEADER: Final = "point,alpha_new,if_at_point,l2_norm,one_sided"


@click.command(
    "influence",
    epilog=(
        "\b\nExamples:\n"
        "  rkde influence model.npz --at 3.5 --at 8\n"
        "  rkde influence model.npz --at 5.1,3.5,1.4,0.2 --json\n"
        "  rkde influence model.npz --at 8 --plot influence.png"
    ),
)
@click.argument("model")
@click.option(
    "--at", "points", metavar="POINT", multiple=True, required=True,
    help="A contaminating point x': its coordinates, separated by commas. May be given several times.",
)  # fmt: skip
@click.option(
    "--plot", "picture", metavar="FILE", help="Also draw IF(x, x') against x, as .png, .pdf or .svg."
)
@click.option("--json", "as_json", is_flag=True, help="Write everything as JSON, including the coefficients.")
def influence(model: str, points: tuple[str, ...], picture: str | None, *, as_json: bool) -> None:
    """Show how much a small share of further data at a POINT would change the density of MODEL.

    MODEL is a file that rkde fit wrote. The influence function IF(x, x') is the derivative of the estimate
    at x with respect to the share s of the data that lies at x', taken at s = 0 with bandwidth and thresholds
    held fixed. It is computed at the limit of the iteration: weights that a stopping rule left short of it
    are first iterated to convergence. Rows of weight 0, which the file only counts, are assumed
    to keep that weight.

    The output is CSV with one line per point: alpha' (1 for a plain KDE, 0 where the point has no influence),
    IF(x', x') in units of k(0, 0), the L2 norm of IF in units of the L2 norm of one kernel, and whether the
    derivatives from above and below differ (those from above are shown). The picture needs data of one
    column and one point. It shows the curve of the model beside those of a KDE and of Huber's loss, all
    computed from the rows in the file, as if the rows of weight 0 did not exist.
    """
    if picture is not None:
        _check_picture(picture, model, points)
    held = load_model_file(model)
    fitted = held.model
    width = fitted.X.shape[1]
    if picture is not None and width > 1:
        remedy = "leave out --plot, or fit one column"
        raise InvalidInput("must have one column for --plot", where=model, value=width, remedy=remedy)
    rows = [_point(text, width) for text in points]
    found = _influence(model, fitted, rows)
    if picture is not None:
        deliver(_picture(held, rows[0][0], _format(picture)), picture)
    click.echo(_json(points, found) if as_json else _table(points, found), nl=False)


def _check_picture(path: str, model: str, points: tuple[str, ...]) -> None:
    check_output(path, [model], option="--plot")
    if _format(path) not in FORMATS:
        remedy = f"choose a name that ends in .{' or .'.join(FORMATS)}"
        raise InvalidInput(
            "must end with the name of a picture format", where="--plot", value=path, remedy=remedy
        )
    if len(points) > 1:
        raise InvalidInput(
            f"must come with a single point, got {len(points)} points",
            where="--plot",
            remedy="give --at only once",
        )


def _format(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _point(text: str, width: int) -> list[float]:
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        raise InvalidInput(
            "must be numbers separated by commas",
            where="--at",
            value=text,
            remedy="give one number for each column",
        ) from None
    if not all(math.isfinite(value) for value in values):
        raise InvalidInput("must be finite", where="--at", value=text, remedy="give finite numbers")
    if len(values) != width:
        raise InvalidInput(
            f"must have as many coordinates as the model has columns ({width})",
            where="--at",
            value=text,
            remedy="give one number for each column",
        )
    return values


def _influence(model: str, fitted: Rkde, rows: list[list[float]]) -> Influence:
    from rkde.fast.influence import estimate_influence

    try:
        found = estimate_influence(fitted, rows)
    except (NotDifferentiable, SingularSystem) as error:
        problem = error.problem
        if fitted.status is Status.SINGLE_LOCATION:
            problem = "all rows lie at one location, where the estimate has no derivative"
        remedy = "fit with another --bandwidth, or with --loss quadratic"
        raise error.restated(problem=problem, where=model, remedy=remedy) from error
    except NotConverged as error:
        # No option of this command is the number of steps.
        raise error.restated(where=model) from error
    except InvalidInput as error:
        cell = CELL.fullmatch(error.where)
        if cell is None:
            raise
        where = f"--at, point {int(cell[1]) + 1}, coordinate {int(cell[2]) + 1}"
        raise error.restated(where=where, remedy="give a point nearer to the rows") from error
    # A row of weight 0 lies where psi is 0 and enters Theorem 5 by n alone: alpha' = n phi(r') / gamma.
    factor = 1 / (1 - fitted.zero_weight_share)
    return replace(
        found,
        if_coef=found.if_coef * factor,
        if_coef_new=found.if_coef_new * factor,
        if_at_new=found.if_at_new * factor,
        if_l2_norm=found.if_l2_norm * factor,
    )


def _picture(held: ModelFile, point: float, file_format: str) -> bytes:
    from rkde.plotting import require_matplotlib

    require_matplotlib()
    from matplotlib.figure import Figure

    from rkde.fast import Huber, Quadratic
    from rkde.plotting import plot_influence

    model = held.model
    losses: dict[str, Loss] = {"KDE": Quadratic()}
    if model.loss.kinks:
        losses["Huber"] = Huber(model.loss.kinks[0])
    if not isinstance(model.loss, Quadratic):
        losses[model.loss.name.capitalize()] = model.loss
    figure = Figure(layout="constrained")
    plot_influence(
        model.rows(),
        model.kernel,
        point,
        losses,
        weights_init=model.weights,
        scaling=model.scaling,
        name=held.columns[0] if held.columns else "x",
        axes=figure.subplots(),
    )
    return saved(figure, file_format)


def _table(points: tuple[str, ...], found: Influence) -> str:
    lines = [_HEADER]
    for text, *numbers in zip(
        points, found.if_coef_new.tolist(), found.if_at_new.tolist(), found.if_l2_norm.tolist(), strict=True
    ):
        shown = ",".join(f"{number:{_NUMBER}}" for number in numbers)
        label = f'"{text}"' if "," in text else text
        lines.append(f"{label},{shown},{'yes' if found.one_sided else 'no'}")
    return "\n".join(lines) + "\n"


def _json(points: tuple[str, ...], found: Influence) -> str:
    answer: dict[str, object] = {
        "points": list(points),
        "one_sided": found.one_sided,
        "condition": found.condition,
        "if_coef": found.if_coef.tolist(),
        "if_coef_new": found.if_coef_new.tolist(),
        "if_at_new": found.if_at_new.tolist(),
        "if_l2_norm": found.if_l2_norm.tolist(),
    }
    return strict_json(answer) + "\n"
