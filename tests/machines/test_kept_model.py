"""A model file that one Python wrote is read by every other, with its scores.

``python -m tests.machines.test_kept_model`` writes it, once for each version of the format.
"""

import json
from pathlib import Path

import numpy as np

import rkde
from rkde.fast.io.header import VERSION
from rkde.proofs_checks import tolerances
from tests.support.compare import assert_within

KEPT = Path(__file__).parent / "kept" / f"version-{VERSION}.npz"
X = np.column_stack([np.arange(12.0) ** 2 / 16, np.cos(np.arange(12.0))])
QUERIES = [[0.0, 0.0], [1.0, 0.5], [100.0, -2.0]]


def test_a_model_of_another_python_is_read_with_its_scores() -> None:
    found = rkde.load_model(KEPT)
    kept = json.loads(KEPT.with_suffix(".json").read_text("ascii"))
    assert found.weights.tolist() == kept["weights"]
    logs = found.log_density(QUERIES)
    # Another processor or library may round exp and log otherwise: twice the bound of one.
    terms = abs(found.kernel.log_normaliser(2)) + 2
    bounds = [2 * tolerances.log_density_bound(value, terms, len(X), 2) for value in kept["logs"]]
    assert_within(logs, kept["logs"], bounds, "log f")


def main() -> None:
    """Write the model and what it says."""
    if KEPT.exists():
        raise SystemExit(f"{KEPT} is there")
    model = rkde.fit(X)
    rkde.save_model(KEPT, model)
    kept = {"weights": rkde.load_model(KEPT).weights.tolist(), "logs": model.log_density(QUERIES).tolist()}
    KEPT.with_suffix(".json").write_text(json.dumps(kept) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
