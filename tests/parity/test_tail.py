"""Tail probabilities of surprisals and false discoveries: the reference, counts, closed forms and errors."""

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

import rkde
from rkde.errors import InvalidInput, RkdeWarning
from rkde.fast import false_discoveries, surprisal_tail, tail_probabilities
from rkde.fast.rkhs import leave_one_out
from rkde.fast.scoring import leave_one_out_log_density
from rkde.proofs_checks import tolerances
from rkde.reference import false_discoveries as exact_discoveries
from rkde.reference import make_context
from rkde.reference import surprisal_tail as exact_tail

SEED = 20_261_129
Array = np.ndarray[Any, Any]
NEAR = tolerances.contracting_path_bound()
CTX = make_context(40)


def samples() -> list[tuple[str, Array, Array]]:
    """Return log densities and weights by name: all weighted, some set aside, flat, tied, few, infinite."""
    rng = np.random.default_rng(SEED)
    found = []
    for name, logs in {
        "exponential": -rng.exponential(size=60),
        "flat": -rng.random(60),
        "tied": -rng.integers(0, 4, 60).astype(float),
        "all equal": np.full(30, -1.5),
        "nine": -rng.exponential(size=9),
        "steep": -np.append(np.linspace(0, 1e-3, 59), 10.0),
        "steep beside ties": -np.concatenate([np.zeros(1500), np.linspace(0.5, 1, 499) / 1e6, [10.0]]),
        "two at the end but for rounding": -np.append(np.arange(30) / 30, [1.0, 1.0 + 1e-12]),
        "with an infinite one": np.append(-rng.exponential(size=40), -np.inf),
    }.items():
        even = np.full(len(logs), 1 / len(logs))
        aside = np.where(logs < np.quantile(logs, 0.2, method="inverted_cdf"), 0.0, 1.0)
        found += [(name, logs, even), (f"{name}, a fifth aside", logs, aside / aside.sum())]
    return found


@pytest.mark.parametrize(
    ("name", "logs", "weights"), samples(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_tail_is_the_references(name: str, logs: Array, weights: Array) -> None:
    fast, exact = surprisal_tail(logs, weights), exact_tail(CTX, logs.tolist(), weights.tolist())
    for field in ("threshold", "scale", "share", "total"):
        assert getattr(fast, field) == pytest.approx(float(getattr(exact, field)), rel=NEAR), (name, field)
    asked = [*logs.tolist(), 0.5, -0.7, -3.0, -20.0, -math.inf, math.inf]
    wanted = [float(value) for value in exact.probabilities(CTX, asked)]
    # A difference of surprisals in units of the scale, in the exponent.
    slack = NEAR * (1 + 20 / fast.scale)
    assert fast.probabilities(asked) == pytest.approx(wanted, rel=slack, abs=NEAR)
    assert fast.log_density_at(1.0) == float(exact.log_density_at(CTX, 1)) or fast.share > 0
    if fast.share > 0:
        level = fast.share / 10
        assert fast.log_density_at(level) == pytest.approx(float(exact.log_density_at(CTX, level)), rel=slack)
        assert fast.probabilities([fast.log_density_at(level)]) == pytest.approx([level], rel=slack)


def test_counts_are_repeated_rows() -> None:
    rng = np.random.default_rng(SEED)
    logs, counts = -rng.exponential(size=40), rng.integers(1, 5, 40)
    weights = np.where(logs < -2.0, 0.0, 1.0)
    one = surprisal_tail(logs, weights * counts / (weights * counts).sum(), sample_weight=counts)
    held = np.repeat(weights, counts)
    two = surprisal_tail(np.repeat(logs, counts), held / held.sum())
    assert one.probabilities(logs) == pytest.approx(two.probabilities(logs), rel=NEAR)
    named = false_discoveries(one.probabilities(logs), sample_weight=counts, level=0.2)
    again = false_discoveries(two.probabilities(np.repeat(logs, counts)), level=0.2)
    assert (np.repeat(named, counts) == again).all()


def test_a_few_rows_of_many_copies_have_a_tail() -> None:
    logs, counts = np.array([-0.5, -1.0, -2.5, -4.0]), np.array([8, 6, 4, 2])
    one = surprisal_tail(logs, counts / counts.sum(), sample_weight=counts)
    two = surprisal_tail(np.repeat(logs, counts), np.full(20, 1 / 20))
    assert math.isfinite(two.threshold)
    assert one.threshold == two.threshold
    assert one.probabilities([-3.0, -9.0]) == pytest.approx(two.probabilities([-3.0, -9.0]), rel=NEAR)


def test_an_exponential_law_cut_anywhere_has_its_own_scale() -> None:
    # Quantiles of the law at equal steps, of scale 2, all those beyond 6 set aside.
    surprisals = -2 * np.log(1 - (np.arange(20_000) + 0.5) / 20_000)
    weights = np.where(surprisals > 6.0, 0.0, 1.0)
    tail = surprisal_tail(-surprisals, weights / weights.sum())
    assert tail.scale == pytest.approx(2.0, abs=tolerances.printed_digits(2))
    assert tail.probabilities([-9.0]) == pytest.approx([math.exp(-4.5)], abs=tolerances.printed_digits(3))


@pytest.mark.parametrize("level", [0.01, 0.05, 0.3])
def test_false_discoveries_are_the_references(level: float) -> None:
    rng = np.random.default_rng(SEED)
    for power in (1, 2, 6):
        values = rng.random(50) ** power
        assert false_discoveries(values, level=level).tolist() == list(
            exact_discoveries(CTX, values.tolist(), level=level)
        )
    # Hochberg's step-up: the larger one brings the smaller one along.
    assert false_discoveries([0.04, 0.05], level=0.05).all()
    assert not false_discoveries([0.06, 0.05, 1.0], level=0.05).any()


@pytest.mark.parametrize(
    "settings", [{}, {"loss": "quadratic"}, {"kernel": "student", "dof": 3.0}, {"bandwidth": 0.01}]
)
def test_leaving_one_out_by_a_difference_is_summing_the_others(settings: dict[str, Any]) -> None:
    rows = np.vstack(
        [np.random.default_rng(SEED).normal(size=(80, 2)), [[9.0, 9.0], [9.1, 9.0], [30.0, 0.0]]]
    )
    counts = np.random.default_rng(SEED).integers(0, 4, len(rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        models = [rkde.fit(rows, **settings), rkde.fit(rows, sample_weight=counts, **settings)]
    for model in models:
        given = model.sample_weight if model.sample_weight is not None else np.ones(len(rows))
        one = model.weights / np.maximum(given, 1)
        others = one * np.maximum(given - 1, 0)
        places = np.where(given > 0, np.arange(len(rows)), -1)
        direct = leave_one_out(
            np.concatenate([model.X, model.X]), model.kernel, np.concatenate([one, others]), model.X, places
        )
        assert model.scaling is not None or "bandwidth" in settings
        volume = 0.0 if model.scaling is None else model.scaling.log_volume
        assert leave_one_out_log_density(model) == pytest.approx(direct - volume, rel=NEAR, abs=NEAR)


def test_probabilities_of_a_normal_law_are_those_of_distances_from_its_mean() -> None:
    # P(S >= s) = P(|Z| >= z), of rows at the quantiles of the law.
    rows = ndtri((np.arange(2000) + 0.5) / 2000)
    model = rkde.fit(rows, loss="quadratic", scale="none", bandwidth=0.2)
    found = tail_probabilities(model, [0.0, 0.3, 0.6])
    wanted = [math.erfc(z / math.sqrt(2)) for z in (0.0, 0.3, 0.6)]
    # An exponential tail foretells the number of all rows, of which these are shares, to a hundredth.
    assert found == pytest.approx(wanted, abs=tolerances.printed_digits(2))


@pytest.mark.parametrize(
    ("call", "fragments"),
    [
        (lambda: surprisal_tail([0.0, math.nan], [0.5, 0.5]), ("log_densities", "NaN")),
        (lambda: surprisal_tail([0.0, 1.0], [0.5, 0.6]), ("weights", "sum to 1")),
        (lambda: false_discoveries([0.5, 1.5]), ("probabilities, index 1", "between 0 and 1")),
        (lambda: false_discoveries([0.5], level=0.0), ("level", "above 0 and below 1")),
        (lambda: exact_discoveries(CTX, [0.5, 1.5]), ("probabilities, index 1", "between 0 and 1")),
        (lambda: exact_discoveries(CTX, [0.5], level=1), ("level", "above 0 and below 1")),
        (lambda: exact_discoveries(CTX, [0.5], level=2), ("level", "above 0 and below 1")),
    ],
)
def test_refusals(call: Any, fragments: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as caught:
        call()
    assert all(fragment in str(caught.value) for fragment in fragments)


def test_a_saved_model_knows_how_many_rows_it_lacks(tmp_path: Path) -> None:
    rows = [[k / 10] for k in range(40)] + [[30.0], [40.0]]
    model = rkde.fit(rows)
    assert (model.weights == 0).any()
    rkde.save_model(tmp_path / "model.npz", model)
    queries = [[2.0], [4.5], [5.0]]
    wanted = tail_probabilities(model, queries)
    assert 0 < wanted[2] < wanted[1] < 1
    kept = rkde.load_model(tmp_path / "model.npz")
    assert tail_probabilities(kept, queries) == pytest.approx(wanted, rel=NEAR)


def test_rows_of_log_density_minus_infinity_have_no_tail() -> None:
    logs, weights = [-math.inf, -math.inf], [0.5, 0.5]
    for tail in (surprisal_tail(logs, weights), exact_tail(CTX, logs, weights)):
        assert len(tail.surprisals) == len(tail.ranks) == 0
        assert (tail.total, tail.share) == (1, 0)
        assert tail.threshold == math.inf


def test_a_steep_tail_is_as_if_it_were_not_cut() -> None:
    above = np.append(np.linspace(0.5, 1, 709) / 1e6, 10.0)
    tail = surprisal_tail(-np.append(np.zeros(2130), above), np.full(2840, 1 / 2840))
    assert tail.threshold == 0
    assert tail.scale == pytest.approx(above.mean(), rel=NEAR)
