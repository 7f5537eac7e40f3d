"""`rkde influence`: what it writes and draws, and what it refuses."""

import sys
from pathlib import Path

import pytest

from rkde.cli.failures import EXIT_NO_ANSWER
from rkde.fast import fixed_point, influence, load_model, rkde
from rkde.proofs_checks import tolerances
from tests.cli.running import assert_refused, fitted, names_in, object_of, run, succeeded
from tests.support.compare import assert_relative_to_largest

HEADER = "point,alpha_new,if_at_point,l2_norm,one_sided"


@pytest.fixture(scope="module")
def line_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one column: seven numbers, bandwidth 1."""
    rows = b"-2\n-1\n0\n0.5\n1.5\n2\n6\n"
    return fitted(tmp_path_factory, "-", "--bandwidth", "1", "--recipe", "paper", stdin=rows)


def test_every_bit_is_written(line_model: Path) -> None:
    shown = run("influence", line_model, "--at", "0.25", "--at", "-3")
    lines = succeeded(shown).splitlines()
    assert shown.stderr == ""
    model = load_model(line_model)
    weights = fixed_point(model.X, model.kernel, model.loss, weights_init=model.weights).weights
    found = influence(model.X, model.kernel, model.loss, weights, [[0.25], [-3.0]])
    # The file has no rows of weight 0, which count in n alone.
    factor = 1 / (1 - model.zero_weight_share)
    assert factor > 1
    assert lines[0] == HEADER
    for index, line in enumerate(lines[1:]):
        point, *numbers, one_sided = line.split(",")
        assert float(point) == (0.25, -3.0)[index]
        expected = (found.if_coef_new[index], found.if_at_new[index], found.if_l2_norm[index])
        assert tuple(map(float, numbers)) == tuple(value * factor for value in expected)
        assert one_sided == "no"


def test_rows_of_weight_zero_count(line_model: Path) -> None:
    """As the influence on the whole table, of which the model file has a part."""
    rows = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [2.0], [6.0]]
    model = load_model(line_model)
    whole = rkde(rows, bandwidth=1.0)
    weights = fixed_point(rows, whole.kernel, whole.loss, weights_init=whole.weights).weights
    found = influence(rows, whole.kernel, whole.loss, weights, [[0.25]])
    shown = succeeded(run("influence", line_model, "--at", "0.25")).splitlines()[1].split(",")[1:4]
    expected = [found.if_coef_new[0], found.if_at_new[0], found.if_l2_norm[0]]
    bound = tolerances.influence_bound(len(rows), 1, found.condition)
    assert len(model.weights) < len(rows)
    assert_relative_to_largest([float(part) for part in shown], expected, bound, "influence")


def test_beyond_c_nothing_moves(line_model: Path) -> None:
    line = succeeded(run("influence", line_model, "--at", "1e3")).splitlines()[1]
    assert line == "1e3,0,0,0,no"


def test_several_columns(iris_model: Path) -> None:
    point = "5.1,3.5,1.4,0.2"
    lines = succeeded(run("influence", iris_model, "--at", point)).splitlines()
    assert lines[1].startswith(f'"{point}",')
    assert len(lines) == 2


def test_json(line_model: Path) -> None:
    answer = object_of(run("influence", line_model, "--at", "0.25", "--json"))
    assert answer["points"] == ["0.25"]
    assert len(answer["if_coef"][0]) == len(load_model(line_model).weights)
    assert not answer["one_sided"]
    assert answer["condition"] >= 1


def test_a_picture(line_model: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plot is not installed")
    picture = tmp_path / "influence.png"
    shown = succeeded(run("influence", line_model, "--at", "4", "--plot", picture))
    assert shown.startswith(HEADER)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert names_in(tmp_path) == ["influence.png"]


def test_a_picture_shows_one_point(line_model: Path, tmp_path: Path) -> None:
    twice = run("influence", line_model, "--at", "1", "--at", "2", "--plot", tmp_path / "a.png")
    assert_refused(twice, ["2 points"])


def test_no_derivative_at_a_single_location(tmp_path: Path) -> None:
    model = tmp_path / "one.npz"
    succeeded(run("fit", "-", "--bandwidth", "1", "-o", model, stdin=b"4\n4\n4\n"))
    refused = run("influence", model, "--at", "5")
    assert_refused(refused, ["one.npz: all rows lie at one location", "--loss quadratic"], EXIT_NO_ANSWER)
    succeeded(run("fit", "-", "--bandwidth", "1", "--loss", "quadratic", "-o", model, stdin=b"4\n4\n4\n"))
    assert succeeded(run("influence", model, "--at", "5")).splitlines()[1].startswith("5,1,")


def test_a_limit_that_is_not_reached_is_one_of_the_model(
    line_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["rkde.fast.influence.function"], "LIMIT_MAX_ITER", 1)
    refused = run("influence", line_model, "--at", "0.25")
    remedy = "fit with another --bandwidth or other --quantiles"
    assert_refused(refused, [f"error: {line_model}: KIRWLS did not converge", remedy], EXIT_NO_ANSWER)
    assert "max_iter" not in refused.stderr
