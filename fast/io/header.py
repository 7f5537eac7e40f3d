"""The content of a model file: from a fit to a header and arrays and back, and the checks of its numbers.

A digest shows that a file is as somebody wrote it, not that a fit did; a model that breaks one of these rules
would give densities that are none.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import Floats, as_count, as_number, as_table, as_vector, as_weights, read_only
from rkde.fast.bandwidth import Scaling, ScalingName
from rkde.fast.estimates import Rkde
from rkde.fast.kernels import Gaussian, Kernel, Laplacian, Student
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import EngineName
from rkde.fast.solvers import FixedPoint, KirwlsResult
from rkde.vocabulary import (
    WEIGHT_SUM_SLACK,
    BandwidthRule,
    Certificate,
    CrossValidationRule,
    FixedSteps,
    FrontRecipe,
    PracticalRule,
    QuantileRule,
    RelativeObjective,
    Solver,
    Start,
    Stationarity,
    Status,
    StopRule,
)

# How a recipe ends that has thresholds, and yet the absolute loss.
_ENDED_WITH_MEDIAN: Final = (Status.SINGLE_LOCATION, Status.DEGENERATE_THRESHOLDS)
# How many of a, b, c a fit records: those of Huber or of Hampel.
_COUNTS: Final = (1, 3)


def check_model(model: Rkde) -> None:
    """Refuse a model that no fit gives."""
    as_weights(model.weights, len(model.X))
    _require("weights", "a stored row has no weight", holds=bool((model.weights > 0).all()))
    if not isinstance(model.start, str):
        _check_cut_weights(model.start, "start")
    _check_run(model.run, "run")
    _check_run(model.median, "median")
    _check_cut_weights(model.median.weights, "median, weights")
    _check_thresholds(model)
    levels = () if model.quantiles is None else model.quantiles
    _require("quantiles", "a level is outside of [0, 1]", holds=all(0 <= level <= 1 for level in levels))
    size = model.effective_sample_size
    _require("effective_sample_size", "it is not finite and positive", holds=math.isfinite(size) and size > 0)
    _require("zero_weight_share", "it is outside of [0, 1]", holds=0 <= model.zero_weight_share <= 1)


def _check_run(run: KirwlsResult | FixedPoint, where: str) -> None:
    _check_cut_weights(run.weights_init, f"{where}, weights_init")
    for name in ("residual_norms", "objective_path"):
        _require(f"{where}, {name}", "an entry is negative", holds=bool((getattr(run, name) >= 0).all()))
    bounds = [run.objective, run.fixed_point_residual, run.error_bound]
    if isinstance(run, FixedPoint):
        bounds += [run.weights_error_bound, run.gap]
    known = [bound for bound in bounds if bound is not None]
    _require(
        where, "an objective, a residual or a bound is negative", holds=all(bound >= 0 for bound in known)
    )


def _check_cut_weights(weights: Floats, where: str) -> None:
    """Check weights of which only those at the stored rows are known: their sum is at most 1."""
    _require(where, "a weight is negative", holds=bool((weights >= 0).all()))
    _require(
        where, "the weights sum to more than 1", holds=float(np.sum(weights)) <= 1 + float(WEIGHT_SUM_SLACK)
    )


def _check_thresholds(model: Rkde) -> None:
    thresholds = model.thresholds
    if isinstance(model.loss, Huber | Hampel):
        _require("thresholds", "they are not those of the loss", holds=thresholds == model.loss.kinks)
    elif thresholds is not None:
        ended = isinstance(model.loss, Absolute) and model.status in _ENDED_WITH_MEDIAN
        _require("thresholds", "the loss has none", holds=ended)
        # Degenerate ones: a may be 0, and b may be c.
        ordered = list(thresholds) == sorted(thresholds) and all(
            0 <= value < math.inf for value in thresholds
        )
        _require("thresholds", "they are not a, or a <= b <= c", holds=len(thresholds) in _COUNTS and ordered)


def _require(where: str, problem: str, *, holds: bool) -> None:
    if not holds:
        raise InvalidInput(problem, where=where)


FORMAT: Final = "rkde-model"
# 1: without a scaling; 2: without sample weights. All are read.
VERSION: Final = 3

Json = str | int | float | None | list["Json"] | dict[str, "Json"]
ArrayMap = dict[str, NDArray[np.generic]]
Name = TypeVar("Name", bound=str)

_BANDWIDTH_RULES: Final[tuple[BandwidthRule | CrossValidationRule | PracticalRule, ...]] = (
    *get_args(BandwidthRule),
    *get_args(CrossValidationRule),
    *get_args(PracticalRule),
)
_RECIPE_NAMES: Final = (*get_args(FrontRecipe), "custom")
_SCALINGS: Final[tuple[ScalingName, ...]] = get_args(ScalingName)
_INFINITY: Final = "inf"
# Arrays with an entry for each row, in a run of KIRWLS; the path of J has one for each step.
_ROW_ARRAYS: Final = ("weights", "residual_norms", "weights_init")
_PATH: Final = "objective_path"


def to_parts(model: Rkde) -> tuple[dict[str, Json], ArrayMap]:
    """Return the header and the arrays of a fitted density, cut to its rows of positive weight."""
    kept = model.weights > 0
    arrays: ArrayMap = {
        "X": model.X[kept],
        **_run_arrays("", model.run, kept),
        **_run_arrays("median_", model.median, kept),
    }
    if not isinstance(model.start, str):
        arrays["start"] = model.start[kept]
    if model.sample_weight is not None:
        arrays["sample_weight"] = model.sample_weight[kept]
    if model.scaling is not None:
        arrays["centre"], arrays["scale"] = model.scaling.centre, model.scaling.scale
    header: dict[str, Json] = {
        "format": FORMAT,
        "version": VERSION,
        "kernel": _kernel_json(model.kernel),
        "loss": _loss_json(model.loss),
        "bandwidth_rule": model.bandwidth_rule,
        "thresholds": None if model.thresholds is None else list(model.thresholds),
        "quantiles": None if model.quantiles is None else list(model.quantiles),
        "quantile_rule": model.quantile_rule,
        "recipe": model.recipe,
        "start": model.start if isinstance(model.start, str) else None,
        "effective_sample_size": model.effective_sample_size,
        "zero_weight_share": model.zero_weight_share,
        "solver": model.solver,
        "engine": model.engine,
        "scaling": None if model.scaling is None else model.scaling.name,
        "run": _run_json(model.run),
        "median": {
            **_run_json(model.median),
            "weights_error_bound": _number_json(model.median.weights_error_bound),
            "gap": _number_json(model.median.gap),
            "curvature_margin": _number_json(model.median.curvature_margin),
        },
    }
    return header, arrays


def from_parts(header: Mapping[str, object], arrays: ArrayMap) -> Rkde:
    """Return the fitted density that a header and arrays describe."""
    rows = read_only(as_table(arrays["X"]))
    start = header["start"]
    run = _read_run(_mapping(header["run"]), arrays, "", len(rows))
    solver = _choice(header["solver"], get_args(Solver))
    # Files of before there was a choice do not name it.
    engine = _choice(header.get("engine", "dense"), get_args(EngineName))
    kernel = _read_kernel(_mapping(header["kernel"]))
    model = Rkde(
        run=replace(run, solver=solver, engine=engine),
        X=rows,
        bandwidth=kernel.bandwidth,
        bandwidth_rule=_optional_choice(header["bandwidth_rule"], _BANDWIDTH_RULES),
        kernel=kernel,
        loss=_read_loss(_mapping(header["loss"])),
        thresholds=_optional_numbers(header["thresholds"]),
        quantiles=_optional_numbers(header["quantiles"]),
        quantile_rule=_optional_choice(header["quantile_rule"], get_args(QuantileRule)),
        recipe=_choice(header["recipe"], _RECIPE_NAMES),
        start=_row_array(arrays, "start", len(rows)) if start is None else _choice(start, get_args(Start)),
        median=_read_median(_mapping(header["median"]), arrays, len(rows)),
        effective_sample_size=_number(header["effective_sample_size"]),
        zero_weight_share=_number(header["zero_weight_share"]),
        scaling=_read_scaling(header, arrays, rows.shape[1]),
        sample_weight=_read_sample_weight(arrays, len(rows)),
    )
    check_model(model)
    return model


def digest(header: str, arrays: Mapping[str, NDArray[np.generic]]) -> str:
    """Return the SHA-256 digest of the header and of the arrays' names, types, shapes and bytes, as text."""
    state = hashlib.sha256(header.encode())
    for name in sorted(arrays):
        values = arrays[name]
        state.update(f"\n{name} {values.dtype.str} {values.shape}\n".encode())
        state.update(np.ascontiguousarray(values).tobytes())
    return state.hexdigest()


def _run_arrays(prefix: str, run: KirwlsResult | FixedPoint, kept: NDArray[np.bool_]) -> ArrayMap:
    by_row: ArrayMap = {prefix + name: getattr(run, name)[kept] for name in _ROW_ARRAYS}
    return {**by_row, prefix + _PATH: run.objective_path}


def _run_json(run: KirwlsResult | FixedPoint) -> dict[str, Json]:
    return {
        "objective": _number_json(run.objective),
        "status": run.status.value,
        "n_iter": run.n_iter,
        "stop": _stop_json(run.stop),
        "fixed_point_residual": _number_json(run.fixed_point_residual),
        "error_bound": _number_json(run.error_bound),
        "certificate": None if run.certificate is None else run.certificate.value,
    }


def _read_scaling(header: Mapping[str, object], arrays: ArrayMap, dim: int) -> Scaling | None:
    """Return the scaling, which files of version 1 do not have."""
    if header.get("scaling") is None:
        return None
    name = _choice(header["scaling"], _SCALINGS)
    is_root = name == "robust-covariance"
    scale = as_table(arrays["scale"], where="scale") if is_root else as_vector(arrays["scale"], where="scale")
    centre = as_vector(arrays["centre"], where="centre")
    _require("centre", "it does not have one entry for each column", holds=len(centre) == dim)
    _require("scale", "it does not fit the columns", holds=scale.shape == ((dim, dim) if is_root else (dim,)))
    sides = np.diagonal(scale) if is_root else scale
    _require("scale", "it is not above 0", holds=bool((sides > 0).all()))
    _require("scale", "it is not lower triangular", holds=not is_root or not np.triu(scale, 1).any())
    return Scaling(name, read_only(centre), read_only(scale))


def _read_sample_weight(arrays: ArrayMap, size: int) -> Floats | None:
    """Return what each row counts, which files of versions 1 and 2 do not say."""
    if "sample_weight" not in arrays:
        return None
    given = _row_array(arrays, "sample_weight", size)
    _require("sample_weight", "a stored row has no weight", holds=bool((given > 0).all()))
    return given


def _read_run(header: Mapping[str, object], arrays: ArrayMap, prefix: str, size: int) -> KirwlsResult:
    by_row = [_row_array(arrays, prefix + name, size) for name in _ROW_ARRAYS]
    return KirwlsResult(
        weights=by_row[0],
        residual_norms=by_row[1],
        objective=_number(header["objective"]),
        objective_path=read_only(as_vector(arrays[prefix + _PATH], where=_PATH)),
        status=_choice(header["status"], tuple(Status)),
        n_iter=as_count(header["n_iter"], where="n_iter", minimum=0),
        stop=_read_stop(_mapping(header["stop"])),
        weights_init=by_row[2],
        fixed_point_residual=_number(header["fixed_point_residual"]),
        error_bound=_optional_number(header["error_bound"]),
        certificate=_optional_choice(header["certificate"], tuple(Certificate)),
    )


def _read_median(header: Mapping[str, object], arrays: ArrayMap, size: int) -> FixedPoint:
    run = _read_run(header, arrays, "median_", size)
    return FixedPoint(
        weights=run.weights,
        residual_norms=run.residual_norms,
        objective=run.objective,
        objective_path=run.objective_path,
        status=run.status,
        n_iter=run.n_iter,
        stop=run.stop,
        weights_init=run.weights_init,
        fixed_point_residual=run.fixed_point_residual,
        certificate=_choice(header["certificate"], tuple(Certificate)),
        error_bound=_number(header["error_bound"]),
        weights_error_bound=_number(header["weights_error_bound"]),
        gap=_optional_number(header["gap"]),
        curvature_margin=_optional_number(header["curvature_margin"]),
    )


def _kernel_json(kernel: Kernel) -> dict[str, Json]:
    if isinstance(kernel, Student):
        return {"name": kernel.name, "bandwidth": kernel.bandwidth, "dof": kernel.dof}
    if isinstance(kernel, Gaussian | Laplacian):
        return {"name": kernel.name, "bandwidth": kernel.bandwidth}
    raise InvalidType(
        "must be Gaussian, Student or Laplacian to be saved",
        where="model.kernel",
        value=kernel,
        remedy="fit with one of these kernels",
    )


def _read_kernel(header: Mapping[str, object]) -> Kernel:
    name, bandwidth = header["name"], _number(header["bandwidth"])
    if name == Student.name:
        return Student(bandwidth, _number(header["dof"]))
    return (
        Gaussian(bandwidth)
        if _choice(name, (Gaussian.name, Laplacian.name)) == Gaussian.name
        else Laplacian(bandwidth)
    )


def _loss_json(loss: Loss) -> dict[str, Json]:
    if not isinstance(loss, Quadratic | Absolute | Huber | Hampel):
        raise InvalidType(
            "must be Quadratic, Absolute, Huber or Hampel to be saved",
            where="model.loss",
            value=loss,
            remedy="fit with one of these losses",
        )
    return {"name": loss.name, "corners": list(loss.kinks)}


def _read_loss(header: Mapping[str, object]) -> Loss:
    corners = _optional_numbers(header["corners"]) or ()
    name = _choice(header["name"], (Quadratic.name, Absolute.name, Huber.name, Hampel.name))
    if name == Hampel.name:
        return Hampel(*corners)
    if name == Huber.name:
        return Huber(*corners)
    return Quadratic() if name == Quadratic.name else Absolute()


def _stop_json(stop: StopRule) -> dict[str, Json]:
    if isinstance(stop, FixedSteps):
        return {"rule": "fixed_steps", "count": stop.count}
    rule = "relative_objective" if isinstance(stop, RelativeObjective) else "stationarity"
    return {"rule": rule, "tol": float(stop.tol)}


def _read_stop(header: Mapping[str, object]) -> StopRule:
    rule = _choice(header["rule"], ("fixed_steps", "relative_objective", "stationarity"))
    if rule == "fixed_steps":
        return FixedSteps(as_count(header["count"], where="count", minimum=0))
    tol = _number(header["tol"])
    return RelativeObjective(tol) if rule == "relative_objective" else Stationarity(tol)


def _row_array(arrays: ArrayMap, name: str, size: int) -> Floats:
    values = as_vector(arrays[name], where=name)
    if len(values) != size:
        raise InvalidInput(f"{len(values)} entries for {size} rows", where=name)
    return read_only(values)


def _number_json(value: float | None) -> float | str | None:
    return _INFINITY if value is not None and not math.isfinite(value) else value


def _number(value: object) -> float:
    return math.inf if value == _INFINITY else as_number(value, where="header")


def _optional_number(value: object) -> float | None:
    return None if value is None else _number(value)


def _optional_numbers(value: object) -> tuple[float, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise InvalidType("not a list of numbers", where="header", value=value)
    return tuple(_number(entry) for entry in value)


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise InvalidType("not an object", where="header", value=value)
    return value


def _choice(value: object, choices: tuple[Name, ...]) -> Name:
    for choice in choices:
        if value == choice:
            return choice
    raise InvalidInput("unknown name", where="header", value=value)


def _optional_choice(value: object, choices: tuple[Name, ...]) -> Name | None:
    return None if value is None else _choice(value, choices)
