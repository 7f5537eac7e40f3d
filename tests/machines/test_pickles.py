"""A fit that one Python pickled is unpickled by the others, with its scores.

In each environment of ``python -m tests.machines`` the test reads what earlier rows left in the folder that a
variable names, and leaves its own. Elsewhere it reads only its own.
"""

import os
import pickle
import platform
from pathlib import Path
from typing import Any

import numpy as np

import rkde
from rkde.proofs_checks import tolerances
from tests.machines.shift import PICKLES
from tests.support.compare import assert_within

X = np.column_stack([np.arange(12.0) ** 2 / 16, np.cos(np.arange(12.0))])
QUERIES = [[0.0, 0.0], [1.0, 0.5], [100.0, -2.0]]


def scores(fit: Any) -> list[float]:
    """Return log densities at the queries."""
    ask = fit.score_samples if isinstance(fit, rkde.RobustKernelDensity) else fit.log_density
    return list(ask(QUERIES).tolist())


def test_fits_of_other_pythons_are_unpickled_with_their_scores(tmp_path: Path) -> None:
    folder = Path(os.environ.get(PICKLES, tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    model = rkde.fit(X)
    fits = (model, rkde.kde(X, model.kernel), rkde.RobustKernelDensity().fit(X))
    own = folder / f"python-{platform.python_version()}-numpy-{np.__version__}-{os.getpid()}.pickle"
    own.write_bytes(pickle.dumps([(fit, scores(fit)) for fit in fits]))
    # Another processor or library may round exp and log otherwise: twice the bound of one.
    terms = abs(model.kernel.log_normaliser(2)) + 2
    for path in sorted(folder.glob("*.pickle")):
        for fit, expected in pickle.loads(path.read_bytes()):  # noqa: S301 (our own bytes)
            bounds = [2 * tolerances.log_density_bound(value, terms, len(X), 2) for value in expected]
            assert_within(np.array(scores(fit)), expected, bounds, f"log f of {path.name}")
