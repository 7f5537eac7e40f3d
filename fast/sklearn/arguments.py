"""From the estimator's parameters, which may be names, to objects of the functional interface."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, cast

from numpy.exceptions import DTypePromotionError
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import Floats, TableLike, as_table, as_vector
from rkde.fast.estimates import THRESHOLD_COUNTS, FrontBandwidth, loss_thresholds
from rkde.fast.kernels import Kernel, KernelOfBandwidth, kernel_family
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.settings import check_choice
from rkde.vocabulary import (
    FixedSteps,
    KernelName,
    LossName,
    QuantileRule,
    RelativeObjective,
    Stationarity,
    StopRule,
)

StopName = Literal["relative_objective", "fixed_steps", "stationarity"]
Bandwidth = FrontBandwidth | Callable[[Floats], float] | None

LOSSES: Final[dict[LossName, type[Loss]]] = {
    "quadratic": Quadratic,
    "absolute": Absolute,
    "huber": Huber,
    "hampel": Hampel,
}
STOPS: Final[tuple[StopName, ...]] = ("relative_objective", "fixed_steps", "stationarity")


@dataclass(frozen=True, slots=True, eq=False)
class ReadLoss:
    """A loss by its class, and as an object where its thresholds are given or it has none.

    Attributes
    ----------
    kind : type
        The class, to which the recipe gives thresholds.
    fixed : Loss or None
        The object; None where the recipe is to supply thresholds.
    """

    kind: type[Loss]
    fixed: Loss | None


def read_kernel(
    kernel: KernelName | Kernel | KernelOfBandwidth, dof: float | None, bandwidth: Bandwidth
) -> tuple[KernelOfBandwidth, Bandwidth]:
    """Return a function from a bandwidth to a kernel, and the bandwidth, which a kernel object has."""
    if not isinstance(kernel, type | str) and isinstance(kernel, Kernel):
        if dof is not None:
            raise InvalidInput(
                'must be None for a kernel other than "student"',
                where="dof",
                value=dof,
                remedy="leave it out",
            )
        if bandwidth is not None and bandwidth != kernel.bandwidth:
            raise InvalidInput(
                f"must be None or {kernel.bandwidth!r}, which is the bandwidth of the kernel",
                where="bandwidth",
                value=bandwidth,
                remedy="pass the class or the name of the kernel, or leave the bandwidth out",
            )
        return kernel.with_bandwidth, kernel.bandwidth
    return kernel_family(cast("KernelOfBandwidth | KernelName", kernel), dof), bandwidth


def read_loss(
    loss: LossName | Loss | type[Loss],
    thresholds: ArrayLike | None,
    quantiles: ArrayLike | None,
    quantile_rule: QuantileRule | None,
) -> ReadLoss:
    """Return the loss by class and, where its thresholds are given, as an object.

    Shapes: thresholds (1,), (a,) for Huber, (a, b, c) for Hampel, in tau.
    """
    if isinstance(loss, str):
        check_choice(loss, tuple(LOSSES), "loss")
        kind, fixed = LOSSES[loss], None
    elif isinstance(loss, type):
        kind, fixed = _checked_class(loss), None
    else:
        kind, fixed = _checked_class(type(loss)), loss
    if thresholds is not None:
        if fixed is not None:
            raise InvalidInput(
                f"must be None for a loss object, whose thresholds are {loss_thresholds(fixed)}",
                where="thresholds",
                value=thresholds,
                remedy="pass the class or the name of the loss, or leave the thresholds out",
            )
        fixed = _with_thresholds(kind, as_vector(thresholds, where="thresholds").tolist())
    named = {"quantiles": quantiles, "quantile_rule": quantile_rule}
    unused = [name for name, value in named.items() if value is not None]
    if fixed is not None and loss_thresholds(fixed) and unused:
        raise InvalidInput(
            "must be None if the thresholds are given",
            where=unused[0],
            value=named[unused[0]],
            remedy="leave one of them out",
        )
    return ReadLoss(kind, fixed)


def _checked_class(kind: type) -> type[Loss]:
    for known in LOSSES.values():
        if kind is known:
            return known
    raise InvalidType(
        "must be a loss of this package",
        where="loss",
        value=kind,
        remedy=f"pass one of {', '.join(LOSSES)}, or an object such as Huber(0.5)",
    )


def _with_thresholds(kind: type[Loss], values: list[float]) -> Loss:
    count = THRESHOLD_COUNTS[kind]
    if not count or len(values) != count:
        shape = {Huber: "(a,)", Hampel: "(a, b, c)"}.get(kind, "none")
        raise InvalidInput(
            f"must be {shape} for the loss {kind.__name__}",
            where="thresholds",
            value=tuple(values),
            remedy="pass as many as the loss takes, or leave them out",
        )
    return Huber(*values) if kind is Huber else Hampel(*values)


def read_stop(stop: StopName | StopRule | None, tol: float, max_iter: int) -> StopRule | None:
    """Return the stopping rule: an object as it is, a name with the tolerance or the number of steps."""
    if stop is None or not isinstance(stop, str):
        return stop
    check_choice(stop, STOPS, "stop")
    if stop == "fixed_steps":
        return FixedSteps(max_iter)
    return RelativeObjective(tol) if stop == "relative_objective" else Stationarity(tol)


def read_rows(estimator: BaseEstimator, X: TableLike, *, reset: bool) -> Floats:
    """Check a table and return it as float64, with the names and the number of its columns compared or kept.

    Shapes: X (n, d); result (n, d). A flat array is refused, as scikit-learn demands of its estimators.
    """
    try:
        raw = check_array(X, dtype=None, ensure_all_finite=False, estimator=estimator, input_name="X")
    except DTypePromotionError:
        # Columns of dates beside numbers: scikit-learn's words would name neither row nor column.
        return as_table(X)
    except ValueError as reason:
        # Of these, scikit-learn says no place.
        if any(words in str(reason) for words in ("Complex data", "at least one array")):
            try:
                as_table(X)
            except InvalidInput as error:
                raise _in_both_words(error, reason) from reason
        raise
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    try:
        return as_table(X)
    except InvalidInput as error:
        try:
            check_array(raw, estimator=estimator, input_name="X")
        except (TypeError, ValueError) as reason:
            raise _in_both_words(error, reason) from error
        raise


def _in_both_words(error: InvalidInput, reason: Exception) -> InvalidInput:
    """Return an error that says the place, with what users of scikit-learn look for."""
    told = str(reason).partition("\n")[0].rstrip(".")
    return error.restated(problem=f"{error.problem} ({told})")
