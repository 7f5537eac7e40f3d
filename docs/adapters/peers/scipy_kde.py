"""Adapter of `scipy.stats.gaussian_kde` in one dimension, where its covariance is a bandwidth.

rkde verify --adapter "python docs/adapters/peers/scipy_kde.py"

The program multiplies a factor by the standard deviation of the data, so the adapter gives it the factor
that makes the bandwidth of the request.
"""

import math

import numpy as np
import scipy
from scipy.stats import gaussian_kde
from serving import only, rows, serve, spell


def op_log_density(X, kernel, weights, queries):
    only(kernel["name"] == "gaussian" and all(len(row) == 1 for row in X))
    if not queries:
        return {"log_density": []}
    density = gaussian_kde(rows(X).T, weights=np.array(weights, dtype=float))
    spread = math.sqrt(density.covariance[0, 0]) / density.factor
    density.set_bandwidth(float(kernel["bandwidth"]) / spread)
    return {"log_density": spell(density.logpdf(rows(queries).T))}


def op_bandwidth(X, rule):
    only(rule in ("scott", "silverman") and all(len(row) == 1 for row in X))
    return {"bandwidth": spell(np.sqrt(gaussian_kde(rows(X).T, bw_method=rule).covariance)[0, 0])}


ABOUT = {
    "name": "scipy gaussian_kde",
    "version": scipy.__version__,
    "language": "Python",
    "homepage": "https://scipy.org",
    "licence": "BSD-3-Clause",
    "precision": "float64",
}

serve(ABOUT, {"log_density": op_log_density, "bandwidth": op_bandwidth}, (ValueError, np.linalg.LinAlgError))
