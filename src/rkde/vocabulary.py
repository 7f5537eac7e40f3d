"""Names, statuses and recipes that both implementations share: words and data, no numerics.

Numbers stand here as decimal strings, so that the reference reads them exactly and the fast implementation
takes the nearest float64.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, get_args

QuantileRule = Literal[
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
BandwidthRule = Literal["median_nn", "median_nn_distinct", "scott", "silverman"]
# Only in the fast implementation: a search over many bandwidths.
CrossValidationRule = Literal["lscv", "lkcv"]
# The rule of the recipe `practical`, which `rkde.fit`, the estimator and the command line offer.
PracticalRule = Literal["pairwise"]
VkdeRule = Literal["abramson", "geometric"]
Start = Literal["uniform", "median"]
KernelName = Literal["gaussian", "student", "laplacian"]
KERNEL_NAMES: Final[tuple[KernelName, ...]] = get_args(KernelName)
LossName = Literal["quadratic", "absolute", "huber", "hampel"]
RecipeName = Literal["paper", "authors-program"]
# What the front doors take: `practical` scales the columns first.
FrontRecipe = Literal["practical", "paper", "authors-program"]
OnDegenerate = Literal["raise", "warn"]
Solver = Literal["plain", "anderson"]


class Status(StrEnum):
    """How a computation ended.

    Attributes
    ----------
    CONVERGED
        The stopping rule was met, or a limit reached.
    MAX_ITER
        The cap on the steps came first.
    SINGLE_LOCATION
        All rows are equal, so every weight is right.
    DEGENERATE_THRESHOLDS
        The recipe ended after its first stage, as requested.

    Examples
    --------
    >>> Status("max_iter") is Status.MAX_ITER
    True
    >>> [status.value for status in Status]
    ['converged', 'max_iter', 'single_location', 'degenerate_thresholds']
    """

    CONVERGED = "converged"
    MAX_ITER = "max_iter"
    SINGLE_LOCATION = "single_location"
    DEGENERATE_THRESHOLDS = "degenerate_thresholds"


class Certificate(StrEnum):
    """What is proved about a stationary point, in the arithmetic that was used.

    Attributes
    ----------
    GLOBAL
        J is at its minimum to 1e-12, relatively, or the point is the minimiser exactly.
    LOCAL_MINIMUM
        One stationary point lies within the error bound, and J has a minimum there.
    SADDLE
        A stationary point from which J falls along some direction.
    STATIONARY
        A step moves no weight by more than 1e-12 of the largest; nothing else is proved.

    Examples
    --------
    >>> Certificate("saddle") is Certificate.SADDLE
    True
    >>> [certificate.value for certificate in Certificate]
    ['global', 'local_minimum', 'saddle', 'stationary']
    """

    GLOBAL = "global"
    LOCAL_MINIMUM = "local_minimum"
    SADDLE = "saddle"
    STATIONARY = "stationary"


@dataclass(frozen=True, slots=True)
class RelativeObjective:
    """Stop when J changes by less than `tol`, relatively: the rule of section 6.1.2, with tol = 1e-8.

    Attributes
    ----------
    tol : float or str
        Above 0; without unit. A string is an exact decimal.

    Examples
    --------
    >>> RelativeObjective()
    RelativeObjective(tol=1e-08)
    >>> RelativeObjective(tol=1e-6).tol
    1e-06
    """

    tol: float | str = 1e-8


@dataclass(frozen=True, slots=True)
class FixedSteps:
    """Stop after exactly `count` steps.

    Attributes
    ----------
    count : int
        At least 0.

    Examples
    --------
    >>> FixedSteps(count=20)
    FixedSteps(count=20)
    """

    count: int


@dataclass(frozen=True, slots=True)
class Stationarity:
    """Stop when the largest |T(w) - w| is at most `tol` times the largest weight.

    Attributes
    ----------
    tol : float or str
        Above 0; without unit, a share of the largest weight. A string is an exact decimal.

    Examples
    --------
    >>> Stationarity()
    Stationarity(tol=1e-12)
    >>> Stationarity(tol=1e-9).tol
    1e-09
    """

    tol: float | str = 1e-12


StopRule = RelativeObjective | FixedSteps | Stationarity


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the thresholds and the start of the second stage come about.

    Attributes
    ----------
    quantiles : tuple of str or None
        Levels of a, b, c among the median distances; None where the recipe names order statistics instead.
    quantile_rule : str or None
        The rule, by numpy's name; None together with `quantiles`.
    start : {"uniform", "median"}
        The weights that the second stage starts from.
    """

    quantiles: tuple[str, str, str] | None
    quantile_rule: QuantileRule | None
    start: Start


RECIPES: Final[dict[RecipeName, Recipe]] = {
    # Section 6.1.2: median, 75th and 85th percentile; the rule is not printed, numpy's default is ours.
    "paper": Recipe(("0.5", "0.75", "0.85"), "linear", "median"),
    # The authors' published program: order statistics, largest first (floor(n/2), max(1, floor(n/20)), 1).
    "authors-program": Recipe(None, None, "uniform"),
}

# The recipe `practical`: its constants were chosen on the tables of benchmarks/practice that are called seen.
# One pair in so many has a smaller difference than the one that scales a column, or distance than the one
# that gives the bandwidth.
SCALE_PAIRS: Final = 4
BANDWIDTH_PAIRS: Final = 10
# Of more rows than these, as many evenly spaced ones are paired.
MOST_PAIRED_ROWS: Final = 2048
# Rows within one bandwidth of each other, up to this share of all, count as copies of one another.
MOST_COPIES: Final = "0.1"
# A normal cloud has these shares of its rows where its density is below that at which b and c stand.
PRACTICAL_TAILS: Final = ("0.05", "0.005")

# Hampel's psi falls linearly from b to c; at or below this share of c the ramp is rounding, not data.
MIN_RAMP: Final = "1e-12"
# The largest |sum(weights) - 1| that is read as rounding; beyond it weights are refused, never rescaled
# silently.
WEIGHT_SUM_SLACK: Final = "1e-9"
# Influence is defined at a stationary point: weights that a KIRWLS step moves by more than this share of the
# largest are refused.
INFLUENCE_RESIDUAL: Final = "1e-6"
# A residual within this share of a kink lies on it: its influence has one derivative for each side.
KINK_SLACK: Final = "1e-9"
# Condition number from which Theorem 5's system counts as singular, at every precision: the reciprocal of
# 9000 roundings of float64, what its entries and a factorization of some thousand rows may be off by.
MAX_CONDITION: Final = "1e12"
# Most locations on kinks whose 2^m sign patterns are tried.
MAX_KINKED_LOCATIONS: Final = 8
