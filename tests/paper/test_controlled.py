"""The controlled experiment: its distances, its contamination, and a page that follows from its numbers."""

import copy
import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from scipy.integrate import quad
from scipy.spatial.distance import cdist

import rkde
import rkde.fast as rk
from benchmarks.paper import controlled, controlled_page, rivals
from benchmarks.paper.__main__ import main
from benchmarks.paper.controlled import KINDS, LAWS, METHODS
from rkde.proofs_checks import tolerances

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "paper"
DRAWS = 100_000
# Of a test that is right, once in so many times.
RARE = 1e-6

each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@pytest.fixture(scope="module")
def stored() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((FOLDER / "controlled.json").read_text("utf-8"))
    return content


def gaussian(centre: float, deviation: float) -> rk.Kde:
    return rk.kde([[centre]], rk.Gaussian(deviation))


def l1_of_widening(deviation: float) -> float:
    """N(0, 1) lies above N(0, deviation^2) between the two points where they cross."""
    crossing = math.sqrt(2 * math.log(deviation) / (1 - deviation**-2))
    return float(4 * (stats.norm.cdf(crossing) - stats.norm.cdf(crossing / deviation)))


@pytest.mark.parametrize(
    ("estimate", "exact"),
    [
        # Two Gaussians of deviation 1 cross in the middle.
        (gaussian(1.5, 1.0), float(2 * (2 * stats.norm.cdf(1.5 / 2) - 1))),
        (gaussian(0.0, 3.0), l1_of_widening(3.0)),
        (gaussian(0.0, 1.0), 0.0),
        # So far away that the densities underflow, but not their logarithms.
        (gaussian(1e4, 1.0), 2.0),
    ],
    ids=["shifted", "wider", "equal", "apart"],
)
def test_the_l1_distance_is_that_of_a_closed_case(estimate: rk.Kde, exact: float) -> None:
    found, _ = controlled.l1_distance(gaussian(0.0, 1.0), estimate, DRAWS, np.random.default_rng(1))
    # Hoeffding's inequality for terms between 0 and 2.
    assert abs(found - exact) <= 2 * tolerances.distribution_band(2 * DRAWS)


def test_the_error_of_the_l1_distance_is_that_of_times() -> None:
    rng, times, exact = np.random.default_rng(2), 400, l1_of_widening(3.0)
    found = [controlled.l1_distance(gaussian(0.0, 1.0), gaussian(0.0, 3.0), 100, rng) for _ in range(times)]
    total = sum(((distance - exact) / error) ** 2 for distance, error in found)
    law = stats.chi2(times)
    assert law.ppf(RARE) < total < law.isf(RARE)


def estimates(width: int) -> dict[str, Any]:
    """Three kinds of mixture: one bandwidth, one for each row, one scale for each column."""
    rows = np.random.default_rng(3).normal(size=(30, width)) * np.array([1.0, 3.0])[:width]
    kernel = rk.Gaussian(0.6)
    return {"kde": rk.kde(rows, kernel), "vkde": rk.vkde(rows, kernel), "practical": rkde.fit(rows)}


@pytest.mark.parametrize("name", ["kde", "vkde", "practical"])
def test_the_l2_distance_is_that_of_quadrature(name: str) -> None:
    truth, estimate = LAWS["line"].truth, estimates(1)[name]
    point = np.empty((1, 1))

    def at(density: Any, x: float) -> float:
        point[0, 0] = x
        return float(density.density(point)[0])

    square, error = quad(
        lambda x: (at(truth, x) - at(estimate, x)) ** 2, -20, 30, limit=500, points=[-3, 0, 3, 8]
    )
    norm, norm_error = quad(lambda x: at(truth, x) ** 2, -20, 30, limit=500, points=[3, 8])
    found = controlled.l2_distance(controlled.mixture(truth), controlled.mixture(estimate))
    low, high = (square - error) / (norm + norm_error), (square + error) / (norm - norm_error)
    assert low <= found**2 <= high


@pytest.mark.parametrize("name", ["kde", "vkde", "practical"])
def test_products_in_the_plane_are_means_over_draws(name: str) -> None:
    truth, estimate = LAWS["plane"].truth, estimates(2)[name]
    draws = estimate.sample(DRAWS, 4)
    ours = controlled.mixture(estimate)
    assert len(ours.weights) == len(ours.centres)
    for other in (truth, estimate):
        theirs = controlled.mixture(other)
        heights = (2 * math.pi * theirs.variances * np.ones(2)).prod(axis=1) ** -0.5
        highest = float(heights.max())
        found = controlled.product(ours, theirs)
        # Hoeffding's inequality for densities between 0 and their bound.
        assert abs(found - other.density(draws).mean()) <= highest * tolerances.distribution_band(DRAWS)


@each_law
def test_the_law_is_the_mixture_that_it_names(law: controlled.Law) -> None:
    width = len(law.centres[0])
    rows = law.truth.sample(DRAWS, 5)
    direction = np.ones(width) / math.sqrt(width)
    middles = np.asarray(law.centres) @ direction
    ordered = np.sort(rows @ direction)
    exact = stats.norm.cdf(ordered[:, np.newaxis] - middles) @ np.asarray(law.shares)
    places = np.arange(1, DRAWS + 1) / DRAWS
    assert np.abs(places - exact).max() <= tolerances.distribution_band(DRAWS) + 1 / DRAWS


@each_law
@each_kind
def test_contamination_is_as_large_as_asked_and_outlying(law: controlled.Law, kind: controlled.Kind) -> None:
    rows = controlled.contamination(law, kind, 500, np.random.default_rng(6))
    assert rows.shape == (500, len(law.centres[0]))
    assert law.is_outlying(rows).all()


@each_law
def test_rows_are_as_concentrated_as_their_kind_says(law: controlled.Law) -> None:
    count, width = 500, len(law.centres[0])
    drawn = {
        name: controlled.contamination(law, kind, count, np.random.default_rng(7))
        for name, kind in KINDS.items()
    }
    assert len(np.unique(drawn["equal"], axis=0)) == 1
    assert len(np.unique(drawn["tight"], axis=0)) == count
    freedom = stats.chi2((count - 1) * width)
    for name in ("wide", "tight"):
        centred = (drawn[name] - drawn[name].mean(axis=0)) / KINDS[name].deviation
        assert freedom.ppf(RARE) < (centred**2).sum() < freedom.isf(RARE)
    centres = controlled.places(law, 5, np.random.default_rng(7))
    distances = cdist(drawn["clusters"], centres)
    assert set(distances.argmin(axis=1)) == set(range(5))
    assert (distances.min(axis=1) ** 2).max() < stats.chi2(width).isf(RARE / count)
    assert drawn["scattered"].std(axis=0).min() > 1


@each_law
def test_clusters_are_far_from_nominal_centres_and_from_each_other(law: controlled.Law) -> None:
    for seed in range(10):
        centres = controlled.places(law, 5, np.random.default_rng(seed))
        one_ulp = np.spacing(controlled.AWAY)
        assert cdist(centres, np.asarray(law.centres)).min() >= controlled.AWAY - 8 * one_ulp
        assert cdist(centres, centres)[np.triu_indices(5, 1)].min() >= controlled.AWAY


@each_law
def test_inside_is_not_outlying(law: controlled.Law) -> None:
    assert not law.is_outlying(np.asarray(law.centres)).any()
    count = int(law.is_outlying(law.truth.sample(DRAWS, 8)).sum())
    # A row of one cluster may lie inside of another.
    assert count <= stats.binom(DRAWS, controlled.INSIDE).isf(RARE)


@pytest.mark.filterwarnings("ignore::rkde.errors.RepeatedRowsWarning")
def test_the_plain_practical_estimate_is_that_of_the_rivals() -> None:
    rows = np.vstack([LAWS["plane"].truth.sample(60, 9), np.full((6, 2), 20.0)])
    found = controlled.fitted_to(rows, 6)
    assert set(found.densities) == set(METHODS)
    ours: Any = found.densities["practical-plain"]
    sample = rivals.Sample(rows, found.kernel, rk.kde(rows, found.kernel), ours, 6)
    theirs: Any = rivals.practical_plain(sample)
    assert ours.kernel == theirs.kernel
    assert np.array_equal(ours.X, theirs.X)
    assert np.array_equal(ours.scaling.scale, theirs.scaling.scale)
    assert np.array_equal(ours.weights, theirs.weights)


def test_a_run_writes_page_numbers_and_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"N_NOMINAL": 30, "N_TEST": 10, "DRAWS": 20, "RATIOS": (0.0, *controlled_page.SHOWN)}
    for name, size in small.items():
        monkeypatch.setattr(controlled, name, size)
    run = CliRunner().invoke(main, ["controlled", "--seeds", "1", "--output", str(tmp_path)])
    assert run.exit_code == 0, run.output
    found = json.loads((tmp_path / "controlled.json").read_text("utf-8"))
    assert (tmp_path / "CONTROLLED.md").read_text("utf-8") == controlled_page.page(found)
    pictures = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert pictures == ["controlled_plane.png", "controlled_twenty.png"]
    # Without contamination no row is bad, and one seed tells nothing from chance.
    assert found["values"]["excess"]["rkde"]["line"]["equal"][0] is None
    assert "better in 0 of" in controlled_page.page(found)
    assert controlled_page.density_verdict(found).startswith("These seeds do not tell")
    # A draw depends on its own seed only.
    again = controlled.one_seed("five", 0)
    ours = found["values"]["l1"]["rkde"]["five"]["wide"][2]
    assert float(f"{again['wide', 2]['rkde']['l1']:.4g}") == ours


def test_the_committed_page_follows_from_the_stored_numbers(stored: dict[str, Any]) -> None:
    assert (FOLDER / "CONTROLLED.md").read_text("utf-8") == controlled_page.page(stored)
    assert (FOLDER / "controlled.json").read_text("utf-8") == controlled.as_text(stored)
    assert tuple(stored["ratios"]) == controlled.RATIOS
    assert stored["provenance"]["seeds"] == controlled.SEEDS


def test_wins_are_those_of_the_values(stored: dict[str, Any]) -> None:
    """Where all seeds agree, the averages are on that side."""
    seeds, agreed = stored["provenance"]["seeds"], 0
    for measure, methods in stored["rkde_better"].items():
        for method, case in itertools.product(methods, controlled_page.cases(stored)):
            law, kind, step = case
            sides = (stored[name][measure][method][law][kind][step] for name in ("rkde_better", "rkde_worse"))
            better, worse = sides
            assert better + worse <= seeds
            ours, theirs = (controlled_page.value(stored, measure, name, case) for name in ("rkde", method))
            if better == seeds and ours is not None and theirs is not None:
                agreed += 1
                assert ours <= theirs if controlled.MEASURES[measure][0] else ours >= theirs
    assert agreed


CASE = ("line", "wide", 1)


@pytest.mark.parametrize(
    ("measure", "ours", "theirs", "wins", "verdict"),
    [
        ("auc", 0.9, 0.8, 15, controlled_page.BETTER),
        ("auc", 0.9, 0.8, 14, controlled_page.NEITHER),
        ("auc", 0.8, 0.9, 5, controlled_page.WORSE),
        ("auc", 0.8, 0.9, 6, controlled_page.NEITHER),
        # A small difference, and a mean that contradicts the seeds.
        ("auc", 0.905, 0.9, 20, controlled_page.NEITHER),
        ("auc", 0.8, 0.9, 20, controlled_page.NEITHER),
        ("l1", 0.8, 0.9, 20, controlled_page.BETTER),
        ("l1", 0.9, 0.8, 0, controlled_page.WORSE),
    ],
)
def test_a_verdict_needs_the_seeds_and_a_difference(
    stored: dict[str, Any], measure: str, ours: float, theirs: float, wins: int, verdict: str
) -> None:
    found, (law, kind, step) = copy.deepcopy(stored), CASE
    for method, value in (("rkde", ours), ("kde", theirs)):
        found["values"][measure][method][law][kind][step] = value
    for side, count in (("rkde_better", wins), ("rkde_worse", 20 - wins)):
        found[side][measure]["kde"][law][kind][step] = count
    assert controlled_page.judged(found, measure, "kde", CASE) == verdict


def test_words_follow_the_numbers(stored: dict[str, Any]) -> None:
    found = copy.deepcopy(stored)
    for law in LAWS:
        for kind in KINDS:
            steps = range(len(stored["ratios"]))
            for method in METHODS:
                found["values"]["l1"][method][law][kind] = [0.1 if method == "rkde" else 0.5 for _ in steps]
                if method != "rkde":
                    found["rkde_better"]["l1"][method][law][kind] = [20 for _ in steps]
                    found["rkde_worse"]["l1"][method][law][kind] = [0 for _ in steps]
            found["values"]["excess"]["rkde"][law][kind] = [None, *[0.0 for _ in steps][1:]]
            found["values"]["zero_nominal"]["rkde"][law][kind] = [0.0 for _ in steps]
    assert controlled_page.density_verdict(found).startswith("Up to ratio 0.3, beside the KDE")
    assert "most often RKDE (80 of 80 cases)" in controlled_page.density_verdict(found)
    assert list(controlled_page.no_density(found)) == [
        "Some estimate comes nearer than 1.5 on: " + "; ".join(law.title for law in LAWS.values()) + "."
    ]
    assert controlled_page.breakdown(found, "equal") == (
        "keeps the contamination on none of the 4 laws; drops most nominal rows on none of the 4 laws"
    )
    found["values"]["excess"]["rkde"]["five"]["equal"][3:] = [1.2, 0.5, 1.0, 0.2, 3.0]
    assert controlled_page.breakdown(found, "equal").startswith(
        "keeps the contamination on 1 of the 4 laws, first at ratio 0.2;"
    )
