"""Adapter of `sklearn.neighbors.KernelDensity`: the kernel and the logarithm of a weighted density.

rkde verify --adapter "python docs/adapters/peers/scikit_learn.py"
"""

import numpy as np
import sklearn
from serving import only, rows, serve, spell
from sklearn.neighbors import KernelDensity

KERNELS = {"gaussian": "gaussian", "laplacian": "exponential"}


def log_densities(x, kernel, w, queries):
    only(kernel["name"] in KERNELS)
    if len(queries) == 0:
        return []
    density = KernelDensity(kernel=KERNELS[kernel["name"]], bandwidth=float(kernel["bandwidth"]))
    return spell(density.fit(rows(x), sample_weight=w).score_samples(rows(queries)))


def op_kernel(kernel, x, Y):
    return {"log_kernel": log_densities([x], kernel, None, Y)}


def op_log_density(X, kernel, weights, queries):
    return {"log_density": log_densities(X, kernel, np.array(weights, dtype=float), queries)}


ABOUT = {
    "name": "scikit-learn KernelDensity",
    "version": sklearn.__version__,
    "language": "Python",
    "homepage": "https://scikit-learn.org",
    "licence": "BSD-3-Clause",
    "precision": "float64",
}

serve(ABOUT, {"kernel": op_kernel, "log_density": op_log_density})
