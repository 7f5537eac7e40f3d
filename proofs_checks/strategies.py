"""Hypothesis strategies and profiles: adversarial data, kernels, losses, weights.

Everything is drawn as Python numbers, lists and small specifications, so both implementations read the same
exact values. Coordinates are dyadic fractions of moderate size wherever a test needs sums, translations or
rotations of them to be exact in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final, Literal, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

Rows = list[list[float]]
Case = TypeVar("Case")
KernelName = Literal["gaussian", "student", "laplacian"]
LossName = Literal["quadratic", "absolute", "huber", "hampel"]

KERNEL_NAMES: Final[tuple[KernelName, ...]] = ("gaussian", "student", "laplacian")
LOSS_NAMES: Final[tuple[LossName, ...]] = ("quadratic", "absolute", "huber", "hampel")
DEFAULT_PROFILE: Final = "ci"
_EXAMPLES: Final = {"quick": 6, "ci": 16, "thorough": 1000}
PROFILES: Final = tuple(_EXAMPLES)
_FOUND: Final = (Phase.explicit, Phase.generate)

# Coordinates are k / 16 with |k| <= 128, thresholds k / 64: exact, with ties frequent.
_COORDINATE_DENOMINATOR: Final = 16
_COORDINATE_LIMIT: Final = 128
_THRESHOLD_DENOMINATOR: Final = 64
# Residual norms never exceed sqrt(2) tau for a nonnegative kernel; 90/64 is just below, 128/64 well beyond.
_THRESHOLD_INSIDE: Final = 90
_THRESHOLD_LIMIT: Final = 128
_OFFSET: Final = 1e8
_LARGE_DIMENSIONS: Final = (50, 300, 1000)
_LARGE_DIMENSION_ROWS: Final = 4
_TIGHT_EXPONENT: Final = -27  # a cluster 1e-8 of its bandwidth wide
_OUTLIER_EXPONENTS: Final = (1, 12)
# Steps of a small linear congruence that fills rows of many columns without drawing each number.
_FILL_ROW: Final = 31
_FILL_COLUMN: Final = 17
_FILL_MODULUS: Final = 61
_WEIGHT_LIMIT: Final = 20
_RATIO_EXPONENTS: Final = (-5, 5)
_EXTREME_RATIOS: Final = (1e-8, 1e-3, 1e3, 1e8)
_DEGREES_OF_FREEDOM: Final = (0.5, 1.0, 2.0, 3.0, 5.0, 30.0, 1e6)


def register_profiles() -> None:
    """Register `quick`, `ci` and `thorough`: deterministic, without deadline, without a database.

    `quick` reports a failure as it was drawn: to shrink it would take many times as long as to find it.
    """
    slow = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example)
    for name, count in _EXAMPLES.items():
        profile = settings(
            max_examples=count,
            derandomize=True,
            deadline=None,
            database=None,
            suppress_health_check=slow,
            phases=_FOUND if name == "quick" else tuple(Phase),
        )
        settings.register_profile(name, profile)


def load_profile(name: str = DEFAULT_PROFILE) -> None:
    """Register the profiles and make one the default of tests imported from now on."""
    register_profiles()
    settings.load_profile(name)


def examples(share: float) -> settings:
    """Return settings with that share of the profile's number of examples, for checks that cost more."""
    count = (settings.default or settings()).max_examples
    return settings(max_examples=max(1, round(share * count)))


def selected(cases: Sequence[Case], quick: int) -> Sequence[Case]:
    """Return the first `quick` cases under the profile `quick`, else all: for parameters that cost."""
    is_quick = (settings.default or settings()).max_examples <= _EXAMPLES["quick"]
    return cases[:quick] if is_quick else cases


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """A kernel by name, to be built in either implementation."""

    name: KernelName
    bandwidth: float
    dof: float | None = None

    def parameters(self) -> tuple[float, ...]:
        """Return the constructor's arguments."""
        return (self.bandwidth,) if self.dof is None else (self.bandwidth, self.dof)

    def widened(self, factor: float) -> KernelSpec:
        """Return the kernel with its bandwidth multiplied by `factor`."""
        return KernelSpec(self.name, self.bandwidth * factor, self.dof)


@dataclass(frozen=True, slots=True)
class LossSpec:
    """A loss by name with its thresholds in tau."""

    name: LossName
    thresholds: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A data set with a kernel, and weights of the right length."""

    X: Rows
    kernel: KernelSpec
    weights: list[float]


# A draw of each check that a wrong row, weight or sign must not pass: no symmetry, and one row beyond a.
ONE_FAR_ROW: Final = Problem([[0.0], [0.5], [1.0], [9.0]], KernelSpec("gaussian", 1.0), [0.25] * 4)


def build_kernel(implementation: ModuleType, spec: KernelSpec) -> object:
    """Build a kernel with the class of `implementation` (rkde.fast or rkde.reference)."""
    kernel: object = getattr(implementation, spec.name.capitalize())(*spec.parameters())
    return kernel


def build_loss(implementation: ModuleType, spec: LossSpec) -> object:
    """Build a loss with the class of `implementation`."""
    loss: object = getattr(implementation, spec.name.capitalize())(*spec.thresholds)
    return loss


def coordinates() -> st.SearchStrategy[float]:
    """Draw k / 16 with |k| <= 128."""
    limit = _COORDINATE_LIMIT
    return st.integers(-limit, limit).map(lambda step: step / _COORDINATE_DENOMINATOR)


def scattered(min_samples: int = 1, max_samples: int = 8, max_dim: int = 3) -> st.SearchStrategy[Rows]:
    """Draw rows of dyadic coordinates in general position, now and then with a tie."""
    return st.integers(1, max_dim).flatmap(
        lambda dim: st.lists(
            st.lists(coordinates(), min_size=dim, max_size=dim), min_size=min_samples, max_size=max_samples
        )
    )


@st.composite
def duplicated(draw: st.DrawFn, max_samples: int = 8, max_dim: int = 3) -> Rows:
    """Draw few locations, each repeated: every row may have a twin, one location may hold the majority."""
    locations = draw(scattered(1, 3, max_dim))
    picks = draw(st.lists(st.integers(0, len(locations) - 1), min_size=2, max_size=max_samples))
    return [list(locations[pick]) for pick in picks]


@st.composite
def gridded(draw: st.DrawFn, max_samples: int = 8) -> Rows:
    """Draw corners of small squares and segments: many equal distances, symmetric configurations."""
    dim = draw(st.integers(1, 2))
    corner = st.integers(-1, 1).map(float)
    return draw(st.lists(st.lists(corner, min_size=dim, max_size=dim), min_size=2, max_size=max_samples))


@st.composite
def with_outlier(draw: st.DrawFn, max_samples: int = 8, max_dim: int = 3) -> Rows:
    """Draw scattered rows and one more, 10 to 1e12 away."""
    rows = draw(scattered(2, max_samples - 1, max_dim))
    distance = float(10 ** draw(st.integers(*_OUTLIER_EXPONENTS)))
    return [*rows, [value + distance for value in rows[0]]]


@st.composite
def shifted(draw: st.DrawFn, max_samples: int = 8, max_dim: int = 3) -> Rows:
    """Draw scattered rows around (1e8, ..., 1e8); the sums are exact."""
    rows = draw(scattered(2, max_samples, max_dim))
    return [[value + _OFFSET for value in row] for row in rows]


@st.composite
def tight(draw: st.DrawFn, max_samples: int = 8, max_dim: int = 3) -> Rows:
    """Draw a cluster 1e-8 wide, with or without a row at distance 1."""
    rows = draw(scattered(2, max_samples - 1, max_dim))
    cluster = [[value * 2.0**_TIGHT_EXPONENT for value in row] for row in rows]
    return [*cluster, [1.0] * len(rows[0])] if draw(st.booleans()) else cluster


@st.composite
def high_dimensional(draw: st.DrawFn) -> Rows:
    """Draw up to four rows of 50, 300 or 1000 columns from a small congruence."""
    dim = draw(st.sampled_from(_LARGE_DIMENSIONS))
    seeds = draw(st.lists(st.integers(0, _FILL_MODULUS), min_size=1, max_size=_LARGE_DIMENSION_ROWS))
    return [
        [(_FILL_ROW * seed * seed + _FILL_COLUMN * j * (seed + j)) % _FILL_MODULUS / _COORDINATE_DENOMINATOR
         for j in range(dim)]
        for seed in seeds
    ]  # fmt: skip


def data_sets(max_samples: int = 8, max_dim: int = 3, *, wide: bool = True) -> st.SearchStrategy[Rows]:
    """Draw any of the above; n = 1 and n = 2 are frequent. `wide` adds rows of up to 1000 columns."""
    shapes = [
        scattered(1, 2, max_dim),
        scattered(3, max_samples, max_dim),
        duplicated(max_samples, max_dim),
        gridded(max_samples),
        with_outlier(max_samples, max_dim),
        shifted(max_samples, max_dim),
        tight(max_samples, max_dim),
    ]
    return st.one_of(*shapes, *([high_dimensional()] if wide else []))


def distinct_locations(rows: Sequence[Sequence[float]]) -> int:
    """Return the number of different rows."""
    return len({tuple(row) for row in rows})


def kernels(scale: float = 1.0, names: Sequence[KernelName] = KERNEL_NAMES) -> st.SearchStrategy[KernelSpec]:
    """Draw a kernel whose bandwidth is `scale` times 2^k, |k| <= 5, or now and then times 1e-8 .. 1e8."""
    sensible = st.integers(*_RATIO_EXPONENTS).map(lambda exponent: 2.0**exponent)
    ratios = st.one_of(sensible, sensible, sensible, st.sampled_from(_EXTREME_RATIOS))
    dofs = st.sampled_from(_DEGREES_OF_FREEDOM)
    return st.builds(
        lambda name, ratio, dof: KernelSpec(name, scale * ratio, dof if name == "student" else None),
        st.sampled_from(list(names)), ratios, dofs,
    )  # fmt: skip


def _threshold_steps() -> st.SearchStrategy[int]:
    inside = st.integers(1, _THRESHOLD_INSIDE)
    return st.one_of(inside, inside, inside, st.integers(1, _THRESHOLD_LIMIT))


@st.composite
def losses(draw: st.DrawFn, names: Sequence[LossName] = LOSS_NAMES) -> LossSpec:
    """Draw a loss; thresholds are multiples of 1/64, mostly below sqrt(2); a = b and narrow ramps occur."""
    name = draw(st.sampled_from(list(names)))
    if name in ("quadratic", "absolute"):
        return LossSpec(name)
    steps = sorted(draw(st.tuples(_threshold_steps(), _threshold_steps(), _threshold_steps())))
    if name == "huber":
        return LossSpec(name, (steps[1] / _THRESHOLD_DENOMINATOR,))
    low, middle, high = steps
    high = max(high, middle + 1)
    return LossSpec(name, tuple(step / _THRESHOLD_DENOMINATOR for step in (low, middle, high)))


@st.composite
def weight_vectors(draw: st.DrawFn, n_samples: int) -> list[float]:
    """Draw weights that sum to 1 within rounding: uniform, with zeros, one heavy row, or one row alone."""
    if draw(st.booleans()):
        return [1 / n_samples] * n_samples
    counts = draw(st.lists(st.integers(0, _WEIGHT_LIMIT), min_size=n_samples, max_size=n_samples))
    heavy = draw(st.integers(0, n_samples - 1))
    counts[heavy] += draw(st.sampled_from((1, _WEIGHT_LIMIT, 10**6)))
    total = sum(counts)
    return [count / total for count in counts]


@st.composite
def problems(draw: st.DrawFn, max_samples: int = 8, max_dim: int = 3, *, wide: bool = True) -> Problem:
    """Draw data, a kernel whose bandwidth suits their scale or is extreme, and weights."""
    rows = draw(data_sets(max_samples, max_dim, wide=wide))
    scale = draw(st.sampled_from((1.0, 1.0, 1e-8, 1e8)))
    scaled = [[value * scale for value in row] for row in rows]
    return Problem(scaled, draw(kernels(scale)), draw(weight_vectors(len(rows))))


@st.composite
def mild_problems(draw: st.DrawFn, min_samples: int = 3, max_samples: int = 7, max_dim: int = 2) -> Problem:
    """Draw scattered, duplicated or gridded data at a sensible bandwidth: for claims about limits."""
    rows = draw(
        st.one_of(scattered(min_samples, max_samples, max_dim), duplicated(max_samples, max_dim), gridded())
    )
    ratio = 2.0 ** draw(st.integers(-2, 3))
    name = draw(st.sampled_from(KERNEL_NAMES))
    kernel = KernelSpec(name, ratio, 3.0 if name == "student" else None)
    return Problem(rows, kernel, draw(weight_vectors(len(rows))))
