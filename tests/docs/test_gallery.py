"""What the texts of the gallery say of their pictures is what the scripts compute."""

import ast
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "gallery"
Script = Callable[[str], tuple[str, dict[str, Any]]]

pytestmark = pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    """Run a script of the gallery; return its text in one line, and its variables."""
    matplotlib = pytest.importorskip("matplotlib", reason="needs the extra plot")
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)

    def run(name: str) -> tuple[str, dict[str, Any]]:
        from matplotlib import pyplot as plt

        path = FOLDER / f"{name}.py"
        about = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        variables = runpy.run_path(str(path))
        plt.close("all")
        return " ".join(about.split()), variables

    return run


def test_rows_without_weight_in_the_plane_add_up(script: Script) -> None:
    about, made = script("outliers_in_the_plane")
    gone = made["robust"].weights == 0
    good = len(made["good"])
    lost, outliers = int(gone[:good].sum()), int(gone[good:].sum())
    assert f"no weight to {lost + outliers} rows: {outliers} of the outliers, and {lost} good rows" in about
    assert f"The other {len(gone) - good - outliers} outliers" in about
    # Among the good rows: a tenth of them lie farther out.
    centre, spread = made["good"].mean(axis=0), made["good"].std(axis=0)
    distances = np.linalg.norm((made["X"] - centre) / spread, axis=1)
    assert (distances[good:][~gone[good:]] < np.quantile(distances[:good], 9 / 10)).all()


def test_the_papers_percentiles_would_lose_a_hump(script: Script) -> None:
    about, made = script("influence_curves")
    X, kernel, hampel = made["X"], made["kernel"], made["losses"]["Hampel"]
    told = f"the bandwidth is {kernel.bandwidth:g}, and b and c of Hampel's loss are the 90th and 95th"
    assert told in about
    median = rk.median_rkde(X, kernel)
    assert hampel.kinks == rk.thresholds(median.residual_norms, quantiles=(0.5, 0.9, 0.95))
    left = X[:, 0] < 11 / 2
    kept = {
        loss: rk.fixed_point(X, kernel, loss, weights_init=median.weights).weights[left].sum()
        for loss in (hampel, rk.Hampel(*rk.thresholds(median.residual_norms)))
    }
    shown, papers = kept.values()
    assert shown > left.mean() / 2
    assert papers < left.mean() / 10


def test_the_group_wins_at_the_papers_bandwidth(script: Script) -> None:
    about, made = script("roc_curves")
    assert 'At the paper\'s bandwidth (`median_nn`) the group is the first case of "When it fails"' in about
    X, outlier = made["X"], made["outlier"].astype(float)
    group = slice(len(made["banana"]), len(made["banana"]) + len(made["group"]))
    robust = rk.rkde(X, bandwidth="median_nn")
    assert robust.weights[group].sum() > len(made["group"]) / len(X)
    assert made["hampel"].weights[group].sum() == 0
    scores = {
        "plain": rk.kde(X, robust.kernel).log_density(X),
        "huber": rk.rkde(X, bandwidth="median_nn", loss=rk.Huber).log_density(X),
        "hampel": robust.log_density(X),
        "depth": rk.depth(X, robust.kernel, X),
    }
    assert all(1 / 2 < rk.auc(-density, outlier) < 3 / 5 for density in scores.values())
    assert all(rk.auc(score, outlier) > 4 / 5 for score in made["scores"].values())
