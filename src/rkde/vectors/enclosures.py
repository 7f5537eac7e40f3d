"""Proven answers: each operation of the protocol by the ball arithmetic of `rkde.reference.certify`.

What is computed here shares nothing with the reference's own algorithms but the reading of numbers. Fields
that say what an implementation proved about its own answer (error bounds) are not part of a proven answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from rkde.adapter import LOSSES, OPERATIONS, Json, reference_implementation
from rkde.reference import certify
from rkde.vocabulary import Certificate, Status

if TYPE_CHECKING:
    from flint import arb

Enclosed: TypeAlias = "list[arb | None] | arb | str | bool | None"
"""A list of balls, one ball, or what is exact by its nature: a name, a truth value, no value."""

Fields = dict[str, Enclosed]

_LIB: Final = reference_implementation()


class NotEnclosedError(Exception):
    """No proof is known for a request, or a proof failed at the precision; the message says why."""


@dataclass(frozen=True, slots=True)
class _Given:
    """The fields of a request, read exactly."""

    fields: dict[str, Any]
    bits: int

    def pick(self, *names: str) -> list[Any]:
        return [self.fields[name] for name in names]


def is_enclosed(op: str) -> bool:
    """Tell whether an operation has proven answers."""
    return op in _PROOFS


def enclose(request: Mapping[str, Json], bits: int) -> Fields:
    """Enclose the answer to a request."""
    op = cast(str, request["op"])
    operation = OPERATIONS[op]
    readers = {**operation.required, **operation.optional}
    given = {name: readers[name](_LIB, value, name) for name, value in request.items() if name != "op"}
    try:
        return _PROOFS[op](_Given(given, bits))
    except certify.UnprovedError as failure:
        raise NotEnclosedError(f"{op}: {failure}") from failure


def enclose_near(request: Mapping[str, Json], weights: Sequence[object], bits: int) -> Fields:
    """Enclose the stationary point near given weights, for a request of `fixed_point` with another start."""
    readers = OPERATIONS["fixed_point"].required
    X, kernel, loss = (
        cast(Any, readers[name](_LIB, request[name], name)) for name in ("X", "kernel", "loss")
    )
    found = certify.certify_fixed_point(X, kernel, loss, cast(Any, weights), bits=bits)
    return _limit(found, "weights", "objective", "certificate")


def _kernel(given: _Given) -> Fields:
    return {"log_kernel": [*certify.enclose_log_kernel(*given.pick("kernel", "x", "Y"), bits=given.bits)]}


def _loss(given: _Given) -> Fields:
    loss, arguments = given.pick("loss", "t")
    values = [certify.enclose_loss(loss, t, bits=given.bits) for t in arguments]
    return {name: [getattr(value, name) for value in values] for name in ("rho", "psi", "phi", "q", "q_left")}


def _bandwidth(given: _Given) -> Fields:
    return {"bandwidth": certify.enclose_bandwidth(*given.pick("X", "rule"), bits=given.bits)}


def _residual_norms(given: _Given) -> Fields:
    found = certify.enclose_residual_norms(*given.pick("X", "kernel", "weights"), bits=given.bits)
    return {"residual_norms": [*found]}


def _objective(given: _Given) -> Fields:
    found = certify.enclose_objective(*given.pick("X", "kernel", "loss", "weights"), bits=given.bits)
    return {"objective": found}


def _step(given: _Given) -> Fields:
    found = certify.enclose_steps(*given.pick("X", "kernel", "loss", "weights", "count"), bits=given.bits)
    return {"weights": [*found.weights], "objective": [*found.objectives]}


def _median(given: _Given) -> Fields:
    found = certify.certify_median(*given.pick("X", "kernel"), bits=given.bits)
    return _limit(found, "weights", "residual_norms", "certificate")


def _thresholds(given: _Given) -> Fields:
    X, kernel, levels, rule = given.pick("X", "kernel", "quantiles", "quantile_rule")
    found = certify.enclose_thresholds(X, kernel, quantiles=levels, quantile_rule=rule, bits=given.bits)
    return dict(zip("abc", found, strict=True))


def _fixed_point(given: _Given) -> Fields:
    found = certify.certify_limit(*given.pick("X", "kernel", "loss", "start"), bits=given.bits)
    return _limit(_proved_branch(found), "weights", "objective", "certificate")


def _log_density(given: _Given) -> Fields:
    found = certify.enclose_log_density(*given.pick("X", "kernel", "weights", "queries"), bits=given.bits)
    return {"log_density": [*found]}


def _influence(given: _Given) -> Fields:
    asked = given.pick("X", "kernel", "loss", "weights", "x_new", "queries")
    found = certify.enclose_influence(*asked, bits=given.bits)
    return {
        "if_coef": [*found.if_coef],
        "if_coef_new": found.if_coef_new,
        "influence": [*found.influence],
        "if_at_new": found.if_at_new,
        "if_l2_norm": found.if_l2_norm,
        # An enclosure exists off the kinks only.
        "one_sided": False,
    }


def _vkde(given: _Given) -> Fields:
    X, kernel, queries = given.pick("X", "kernel", "queries")
    rule = given.fields.get("rule", "abramson")
    found = certify.enclose_vkde(X, kernel, queries, rule, bits=given.bits)
    return {"bandwidths": [*found.bandwidths], "log_density": [*found.log_density]}


def _depth(given: _Given) -> Fields:
    return {"depth": [*certify.enclose_depth(*given.pick("X", "kernel", "queries"), bits=given.bits)]}


def _rkde(given: _Given) -> Fields:
    asked = dict(given.fields)
    X, loss = asked.pop("X"), LOSSES[asked.pop("loss")][0]
    kind, parameters = asked.pop("kernel", ("Gaussian", ()))
    family = _LIB.class_of(kind)
    found = certify.certify_recipe(
        X,
        loss=cast(Any, _LIB.class_of(loss)),
        kernel=lambda bandwidth: cast(Any, family(bandwidth, *parameters)),
        bits=given.bits,
        **asked,
    )
    limit = _limit(_proved_branch(found.final), "weights", "objective", "certificate")
    thresholds: list[arb | None] = [*found.thresholds, None, None, None]
    one_place = len({tuple(row) for row in X}) == 1
    return {
        "bandwidth": found.bandwidth,
        **dict(zip("abc", thresholds, strict=False)),
        **limit,
        "status": str(Status.SINGLE_LOCATION if one_place else Status.CONVERGED),
    }


_PROOFS: Final[dict[str, Callable[[_Given], Fields]]] = {
    "kernel": _kernel,
    "loss": _loss,
    "bandwidth": _bandwidth,
    "residual_norms": _residual_norms,
    "objective": _objective,
    "step": _step,
    "median": _median,
    "thresholds": _thresholds,
    "fixed_point": _fixed_point,
    "log_density": _log_density,
    "influence": _influence,
    "vkde": _vkde,
    "depth": _depth,
    "rkde": _rkde,
}


def _proved_branch(found: certify.Enclosure) -> certify.Enclosure:
    if not found.branch_proved:
        raise NotEnclosedError(f"it could not be proved that the path of KIRWLS leads there ({found.reason})")
    return found


def _limit(found: certify.Enclosure, *names: str) -> Fields:
    if found.status == certify.ProofStatus.UNDECIDED or found.certificate == Certificate.STATIONARY:
        raise NotEnclosedError(found.reason or "the kind of the stationary point could not be decided")
    fields: Fields = {}
    for name in names:
        value = getattr(found, name)
        fields[name] = (
            [*value] if isinstance(value, tuple) else str(value) if name == "certificate" else value
        )
    return fields
