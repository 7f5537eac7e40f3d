"""A run that was ended goes on from its folder, to the same result."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.errors import InvalidInput
from rkde.fast.operators import CellsOperator, DenseOperator, SparseOperator, TiledOperator, checkpointed
from tests.engines.support import contaminated
from tests.support.selection import one_in

KERNEL = rk.Gaussian(0.4)


class EndedError(Exception):
    """A run is ended from outside."""


def fit(operator: Any, end_after: int | None = None) -> Any:
    """Fit by the whole recipe, or end it after some steps."""

    def report(progress: object) -> None:
        if end_after is not None and operator.products >= end_after:
            raise EndedError

    return rk.rkde(operator.X, loss="huber", solver="anderson", operator=operator, progress=report)


@pytest.mark.parametrize(
    "engine", one_in(4, [DenseOperator, CellsOperator, SparseOperator, TiledOperator], lambda e: e.__name__)
)
def test_a_run_that_was_ended_comes_to_the_same_result(engine: Any, tmp_path: Path) -> None:
    rows = contaminated(100, 2)
    whole = fit(engine(rows, KERNEL))
    with pytest.raises(EndedError):
        fit(checkpointed(engine(rows, KERNEL), tmp_path), end_after=3)
    kept = len(list(tmp_path.glob("*.npz")))
    rest = checkpointed(engine(rows, KERNEL), folder=tmp_path, resume=True)
    resumed = fit(rest)
    assert kept >= 3
    assert np.array_equal(resumed.weights, whole.weights)
    assert resumed.run.objective_path.tolist() == whole.run.objective_path.tolist()
    assert resumed.run.error_bound == whole.run.error_bound
    assert 0 < resumed.engine_report.products <= whole.engine_report.products - kept


def test_near_sums_and_norms_are_kept_too(tmp_path: Path) -> None:
    rows = contaminated(60, 2)
    first = checkpointed(SparseOperator(rows, KERNEL), folder=tmp_path)
    asked = (np.arange(10), np.linspace(0.1, 1, 10), np.linspace(1, 0, 10))
    answers = first.close_sums(0.5, np.ones(60)), first.gram_norm(*asked)
    again = checkpointed(SparseOperator(rows, KERNEL), tmp_path, resume=True)
    sums = again.close_sums(0.5, np.ones(60))
    assert all(np.array_equal(a, b) for a, b in zip(sums, answers[0], strict=True))
    assert again.gram_norm(*asked) == answers[1]
    assert again.products == 0


def test_masses_and_a_file_that_was_cut_short(tmp_path: Path) -> None:
    rows = contaminated(60, 2)
    operator = checkpointed(DenseOperator(rows, KERNEL), tmp_path)
    counts = np.arange(1, 61)
    whole = rk.kirwls(rows, KERNEL, rk.Huber(0.9), operator=operator, sample_weight=counts)
    for file in list(tmp_path.glob("*.npz"))[::2]:
        file.write_bytes(file.read_bytes()[:-40])
    again = checkpointed(DenseOperator(rows, KERNEL), tmp_path, resume=True)
    resumed = rk.kirwls(rows, KERNEL, rk.Huber(0.9), operator=again, sample_weight=counts)
    assert np.array_equal(resumed.weights, whole.weights)
    assert not list(tmp_path.glob("*.part"))


def test_a_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    rows = contaminated(60, 2)
    checkpointed(DenseOperator(rows, KERNEL), tmp_path)
    with pytest.raises(InvalidInput, match=r"folder must be a new folder.*pass resume=True"):
        checkpointed(DenseOperator(rows, KERNEL), tmp_path)
    others = [
        (DenseOperator(rows[::-1], KERNEL), "rows"),
        (DenseOperator(rows, rk.Gaussian(0.5)), "kernel"),
        (SparseOperator(rows, KERNEL), "engine"),
    ]
    for other, name in others:
        with pytest.raises(
            InvalidInput, match=f"folder must hold the products of a run with the same {name}"
        ):
            checkpointed(other, tmp_path, resume=True)


@pytest.mark.parametrize("left", [0, 1, 100])
def test_a_file_of_any_length_is_computed_again(left: int, tmp_path: Path) -> None:
    rows, weights = contaminated(60, 2), np.full(60, 1 / 60)
    whole = checkpointed(DenseOperator(rows, KERNEL), tmp_path).product(weights)
    (file,) = tmp_path.glob("*.npz")
    file.write_bytes(file.read_bytes()[:left])
    again = checkpointed(DenseOperator(rows, KERNEL), tmp_path, resume=True)
    assert np.array_equal(again.product(weights), whole)
    assert again.products == 1


def test_runs_that_share_a_folder_never_read_each_others_products(tmp_path: Path) -> None:
    rows, weights = contaminated(60, 2), np.full(60, 1 / 60)
    checkpointed(DenseOperator(rows, KERNEL), tmp_path).product(weights)
    # As if a second process had looked before the first wrote, or a power cut had taken the file.
    (tmp_path / "checkpoint.json").unlink()
    other = DenseOperator(rows, rk.Gaussian(0.5))
    assert np.array_equal(checkpointed(other, tmp_path).product(weights), other.product(weights))


@pytest.mark.parametrize("text", ["", "[]", '{"rows": '])
def test_a_damaged_list_of_facts_is_named_and_its_remedy_works(text: str, tmp_path: Path) -> None:
    rows, weights = contaminated(60, 2), np.full(60, 1 / 60)
    operator = DenseOperator(rows, KERNEL)
    checkpointed(operator, tmp_path).product(weights)
    header = tmp_path / "checkpoint.json"
    header.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=r"folder must hold a readable checkpoint.json, .*; delete"):
        checkpointed(operator, tmp_path, resume=True)
    header.unlink()
    again = checkpointed(DenseOperator(rows, KERNEL), tmp_path, resume=True)
    again.product(weights)
    assert again.products == 0
