"""The default recipe on tables where rounding, weights or units could decide: what a sharp reader tried."""

from pathlib import Path

import numpy as np
import pytest

import rkde
from rkde.errors import InvalidInput
from rkde.fast._resources import Engine
from rkde.proofs_checks import tolerances

ENGINES: tuple[Engine, ...] = ("dense", "tiled", "sparse")
# Of what differs by rounding.
NEAR = tolerances.contracting_path_bound()
# None of them makes whole numbers of the weights, which would be counts.
SCALES = (1e-6, 1.1, 1e6 / 3)


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize(("dim", "apart"), [(40, 0.0), (60, 1e-3)])
def test_a_row_is_not_excluded_by_rounding(dim: int, apart: float) -> None:
    """Pairs of nearly equal rows in many columns: the density of all others is below a rounding."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(75, dim)), 2, axis=0) + apart * rng.normal(size=(150, dim))
    for engine in ENGINES:
        assert (np.asarray(rkde.fit(X, engine=engine).start) > 0).all()


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize("engine", ENGINES)
def test_rows_without_neighbours_take_any_weights(engine: Engine) -> None:
    weights = 0.03 + np.random.default_rng(1).uniform(size=16)
    rows = 1000.0 * np.arange(16)[:, np.newaxis]
    fitted = rkde.fit(rows, bandwidth=1.0, sample_weight=weights, engine=engine)
    assert (np.asarray(fitted.start) > 0).all()


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize("n", [5, 17, 20])
def test_a_model_with_degenerate_thresholds_is_saved_and_read(n: int, tmp_path: Path) -> None:
    fitted = rkde.fit(1000.0 * np.arange(n)[:, np.newaxis], bandwidth=1.0)
    rkde.save_model(tmp_path / "m.npz", fitted)
    assert rkde.load_model(tmp_path / "m.npz").thresholds == fitted.thresholds


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize("seed", range(20))
def test_relative_weights_stay_relative_when_rows_stand_alone(seed: int) -> None:
    """The one weight that is not whole belongs to a row far out, which the start removes."""
    rng = np.random.default_rng(seed)
    X = np.append(rng.normal(size=12), 50.0)[:, np.newaxis]
    weights = np.append(rng.integers(1, 5, 12), 0.5)
    fitted = rkde.fit(X, sample_weight=weights)
    for scale in SCALES:
        other = rkde.fit(X, sample_weight=scale * weights)
        np.testing.assert_array_equal(other.weights > 0, fitted.weights > 0)
        assert other.bandwidth == pytest.approx(fitted.bandwidth, rel=NEAR)
        assert other.thresholds == pytest.approx(fitted.thresholds, rel=NEAR)


def test_a_robust_covariance_counts_copies() -> None:
    rng = np.random.default_rng(0)
    X, counts = rng.normal(size=(60, 2)), np.repeat([100, 1], [6, 54])
    weighted = rkde.fit(X, scale="robust-covariance", sample_weight=counts)
    repeated = rkde.fit(np.repeat(X, counts, axis=0), scale="robust-covariance")
    assert weighted.scaling.sides == pytest.approx(repeated.scaling.sides, rel=NEAR)


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@pytest.mark.parametrize("power", [-1030, -500, 500, 1020])
def test_weights_of_any_size_are_relative(power: int) -> None:
    X, weights = [[0.0], [1.0], [2.0], [5.0]], np.array([1.0, 2.0, 1.5, 1.25])
    right = rkde.fit(X, sample_weight=weights / 4)
    np.testing.assert_array_equal(
        rkde.fit(X, sample_weight=np.ldexp(weights / 4, power)).weights, right.weights
    )


def test_an_entry_beyond_float64_in_scaled_columns_is_named_and_each_remedy_works() -> None:
    X = [[0.1], [0.0], [0.2], [0.35], [0.15]]
    beyond = [[0.1], [1.797e308]]
    with pytest.raises(InvalidInput, match=r'row 1, column 0.*leave the row out, or fit with scale="none"'):
        rkde.fit(X).log_density(beyond)
    assert np.isfinite(rkde.fit(X).log_density(beyond[:1])).all()
    assert rkde.fit(X, scale="none").log_density(beyond)[1] == -np.inf
