"""The same machine, versions, threads and memory limit give the same bits, from process to process."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.machines.workshop import clean_variables

# Enough rows that the matrix-free engine needs several tiles, and the scores several blocks.
SCRIPT = """
import hashlib
import numpy as np
import rkde.fast as rk

rng = np.random.default_rng(2012)
X, queries = rng.standard_normal((1500, 2)), rng.standard_normal((500, 2))
asked = {"memory_limit": "200MB", "threads": 1}
for engine in ("dense", "sparse", "tiled"):
    found = rk.rkde(X, bandwidth=0.3, quantiles=(0.5, 0.9, 0.95), engine=engine, **asked)
    scores = found.log_density(queries, **asked)
    digest = hashlib.sha256(found.weights.tobytes() + found.residual_norms.tobytes() + scores.tobytes())
    print(engine, found.n_iter, digest.hexdigest())
"""


def said(command: list[str], folder: Path, seed: int) -> str:
    """Run a command in a process of its own, with another order of sets and dictionaries for each seed."""
    environment = {**clean_variables(), "PYTHONHASHSEED": str(seed)}
    command, cut = [sys.executable, *command], {"capture_output": True, "text": True, "check": True}
    return subprocess.run(command, cwd=folder, env=environment, **cut).stdout


def test_weights_and_scores_have_the_same_bits_in_another_process(tmp_path: Path) -> None:
    first, second = (said(["-c", SCRIPT], tmp_path, seed) for seed in (1, 2))
    assert [line.split()[0] for line in first.splitlines()] == ["dense", "sparse", "tiled"]
    assert first == second


@pytest.mark.slow
def test_model_files_and_tables_of_scores_are_equal_byte_by_byte(tmp_path: Path) -> None:
    limits = ["--threads", "1", "--memory-limit", "1GB"]
    scores: list[str] = []
    for name in ("first", "second"):
        model = f"{name}.npz"
        seed = len(scores) + 1
        said(["-m", "rkde.cli", "fit", "faithful", "-o", model, *limits], tmp_path, seed)
        scores.append(said(["-m", "rkde.cli", "score", model, "faithful", *limits], tmp_path, seed))
    assert (tmp_path / "first.npz").read_bytes() == (tmp_path / "second.npz").read_bytes()
    assert scores[0] == scores[1] != ""
