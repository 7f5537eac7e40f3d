"""Other libraries on the same work, their answers checked: ``python benchmarks/speed/peers.py``.

scikit-learn's `KernelDensity`, scipy's `gaussian_kde` and KDEpy's `NaiveKDE` and `TreeKDE`, each where it is
installed; with ``--mom-kde FOLDER``, or MOM_KDE in the environment, also the robust estimate of a checkout of
lminvielle/mom-kde.
"""

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.stats import gaussian_kde
from threadpoolctl import threadpool_limits

if not __package__:
    # Run as a file, whose folder alone is in the path.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import rkde.fast as rk
from benchmarks.speed import mom_kde
from benchmarks.speed.machine import describe
from benchmarks.speed.timing import side_by_side
from benchmarks.speed.workloads import Array, kernel_of, mixture
from rkde.fast.operators import operator_for

Scores = Callable[[], Array]
REPETITIONS = 2


def scikit_learn(X: Array, queries: Array, bandwidth: float, rtol: float) -> Scores | None:
    """Return scikit-learn's scores at a relative tolerance, None where it is missing."""
    try:
        neighbors = importlib.import_module("sklearn.neighbors")
    except ImportError:
        return None
    peer = neighbors.KernelDensity(bandwidth=bandwidth, rtol=rtol).fit(X)
    return lambda: np.asarray(peer.score_samples(queries))


def scikit_learn_gram(X: Array, bandwidth: float) -> Callable[[], object] | None:
    """Return scikit-learn's kernel matrix, None where it is missing."""
    try:
        pairwise = importlib.import_module("sklearn.metrics.pairwise")
    except ImportError:
        return None
    return lambda: pairwise.rbf_kernel(X, gamma=1 / (2 * bandwidth**2))


def scipy_kde(X: Array, queries: Array, bandwidth: float) -> Scores:
    """Return scipy's scores with its covariance, and what it derives from that, made h^2 I."""
    peer = gaussian_kde(X.T)
    dim = X.shape[1]
    peer.covariance = bandwidth**2 * np.eye(dim)
    peer.cho_cov = bandwidth * np.eye(dim)
    peer.log_det = 2 * dim * np.log(bandwidth * np.sqrt(2 * np.pi))
    return lambda: np.asarray(peer.logpdf(queries.T))


def kdepy(X: Array, queries: Array, bandwidth: float, name: str) -> Scores | None:
    """Return KDEpy's scores, None where it is missing."""
    try:
        peer = getattr(importlib.import_module("KDEpy"), name)(bw=bandwidth).fit(X)
    except ImportError:
        return None
    return lambda: np.log(peer.evaluate(queries))


def compare_robust(folder: Path, X: Array, queries: Array, bandwidth: float) -> str:
    """Return a line about the robust fit and scores of a checkout of lminvielle/mom-kde."""
    library = mom_kde.library_in(folder)
    if library is None:
        return f"mom-kde: {folder} holds no libs/kde_lib.py"
    theirs = mom_kde.theirs(library, X, queries, bandwidth)
    ours = mom_kde.ours(X, queries, bandwidth, operator_for)
    found = side_by_side(theirs, ours, REPETITIONS)
    return (
        f"mom-kde, its psi repaired: {found.value:.1f} times our {found.yardstick * 1e3:.1f} ms; "
        f"{mom_kde.gap(theirs(), ours())}"
    )


def main() -> int:
    """Print one line a peer: its time over ours, and how far its answers are from ours."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=2_000)
    parser.add_argument("--dim", type=int, default=2)
    parser.add_argument("--mom-kde", type=Path)
    arguments = parser.parse_args()
    X = mixture(arguments.rows, arguments.dim)
    queries = mixture(arguments.queries, arguments.dim, seed=1)
    bandwidth = kernel_of(X).bandwidth
    ours = rk.kde(X, rk.Gaussian(bandwidth))
    peers: dict[str, Callable[[], object] | None] = {
        "scikit-learn rtol=0": scikit_learn(X, queries, bandwidth, 0.0),
        "scikit-learn rtol=1e-8": scikit_learn(X, queries, bandwidth, 1e-8),
        "scipy gaussian_kde": scipy_kde(X, queries, bandwidth),
        "KDEpy NaiveKDE": kdepy(X, queries, bandwidth, "NaiveKDE"),
        "KDEpy TreeKDE": kdepy(X, queries, bandwidth, "TreeKDE"),
    }
    print("\n".join(describe()))
    with threadpool_limits(limits=1), np.errstate(divide="ignore"):
        right = ours.log_density(queries, engine="dense", threads=1)
        for name, peer in peers.items():
            if peer is None:
                print(f"{name}: not installed")
                continue
            found = side_by_side(peer, lambda: ours.log_density(queries, threads=1), REPETITIONS)
            error = np.abs(np.asarray(peer()) - right)
            print(
                f"{name}: {found.value:.1f} times our {found.yardstick * 1e3:.1f} ms; log density off by "
                f"{np.median(error):.1e} (median), {error.max():.1e} (largest)"
            )
        folder = mom_kde.checkout(arguments.mom_kde)
        if folder is not None:
            print(compare_robust(folder, X, queries, bandwidth))
    return 0


if __name__ == "__main__":
    sys.exit(main())
