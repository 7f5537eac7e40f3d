"""Adapter of density_estimation/kde_rkde.py in geco-bern/dimpeo at commit c546af2, unchanged.

DIMPEO=path/to/density_estimation rkde verify --adapter "python docs/adapters/peers/dimpeo.py"

The program takes its bandwidths from an R package when it estimates a density; the adapter puts another
source in its place, which answers the bandwidth of the request. Everything else is the program's.
"""

import contextlib
import os
import sys
import types

import numpy as np
from serving import bandwidth_of, only, rows, serve, spell


class Converter:
    """Stands for the conversions between numpy and R: both are numpy here."""

    def __add__(self, _):
        return self

    def context(self):
        return contextlib.nullcontext()

    def get_conversion(self):
        return types.SimpleNamespace(py2rpy=lambda value: value, rpy2py=lambda value: value)


SOURCE = types.SimpleNamespace(Hpi_diag=lambda data: SOURCE.bandwidth**2 * np.eye(data.shape[1]))
CONVERTER = Converter()
ROBJECTS = types.ModuleType("rpy2.robjects")
ROBJECTS.default_converter, ROBJECTS.conversion = CONVERTER, CONVERTER
ROBJECTS.numpy2ri = types.SimpleNamespace(converter=CONVERTER)
PACKAGES = types.ModuleType("rpy2.robjects.packages")
PACKAGES.importr = lambda _: SOURCE
RPY2 = types.ModuleType("rpy2")
RPY2.robjects = ROBJECTS
sys.modules |= {"rpy2": RPY2, "rpy2.robjects": ROBJECTS, "rpy2.robjects.packages": PACKAGES}
sys.path.insert(0, os.environ["DIMPEO"])
import kde_rkde  # noqa: E402 -- after what it imports has been replaced

LOSSES = {"huber": "huber", "hampel": "hampel", "absolute": "abs"}
# The program's own values, in `get_density_kde_rkde`.
STOP, CAP = 1e-8, 1000


def widths(kernel, d):
    only(kernel["name"] == "gaussian")
    return np.full(d, float(kernel["bandwidth"]))


def similarities(X, kernel):
    """The program's kernel divided by k(x, x): then its norms are in tau."""
    K = kde_rkde.gaussian_kernel(rows(X), widths(kernel, len(X[0])))
    return K / K[0, 0]


def thresholds(loss):
    only(loss["name"] in LOSSES)
    return LOSSES[loss["name"]], [float(loss.get(name, 0)) for name in "abc"]


def norms_at(X, kernel, weights):
    return kde_rkde.compute_norm(similarities(X, kernel), np.array(weights, dtype=float).reshape(-1, 1))


def kirwls(K, loss, stop, cap):
    name, abc = thresholds(loss)
    w, norms = kde_rkde.kirwls(K, name, len(K), *abc, stop, cap)
    return w, norms, kde_rkde.loss(norms, name, *abc)


def op_kernel(kernel, x, Y):
    if not Y:
        return {"log_kernel": []}
    values = kde_rkde.gaussian_kernel(rows([x]), widths(kernel, len(x)), rows(Y))
    return {"log_kernel": spell(np.log(values)[:, 0])}


def op_loss(loss, t):
    name, abc = thresholds(loss)
    t = np.array(t, dtype=float)
    phi = kde_rkde.phi(t, name, *abc)
    return {"rho": spell(kde_rkde.rho(t, name, *abc)), "psi": spell(phi * t), "phi": spell(phi)}


def op_residual_norms(X, kernel, weights):
    return {"residual_norms": spell(norms_at(X, kernel, weights))}


def op_objective(X, kernel, loss, weights):
    name, abc = thresholds(loss)
    return {"objective": spell(kde_rkde.loss(norms_at(X, kernel, weights), name, *abc))}


def op_step(X, kernel, loss, weights, count):
    only(count > 0 and np.array_equal(np.array(weights, dtype=float), np.full(len(X), 1 / len(X))))
    return {"weights": spell(kirwls(similarities(X, kernel), loss, 0, count)[0])}


def op_median(X, kernel):
    w, norms, _ = kirwls(similarities(X, kernel), {"name": "absolute"}, STOP, CAP)
    return {"weights": spell(w), "residual_norms": spell(norms)}


def op_fixed_point(X, kernel, loss, start):
    only(start == "uniform")
    w, _, objective = kirwls(similarities(X, kernel), loss, STOP, CAP)
    return {"weights": spell(w), "objective": spell(objective)}


def op_log_density(X, kernel, weights, queries):
    if not queries:
        return {"log_density": []}
    K = kde_rkde.gaussian_kernel(rows(X), widths(kernel, len(X[0])), rows(queries))
    return {"log_density": spell(np.log(np.dot(K, np.array(weights, dtype=float))))}


def op_rkde(X, loss, kernel=None, bandwidth="median_nn", **options):
    only(
        loss in ("huber", "hampel") and (kernel or {"name": "gaussian"})["name"] == "gaussian" and not options
    )
    # Its grid has two columns.
    only(len(X[0]) == 2)
    SOURCE.bandwidth = bandwidth_of(X, bandwidth)
    calls = []
    original = kde_rkde.kirwls
    kde_rkde.kirwls = lambda *given: calls.append((given, original(*given))) or calls[-1][1]
    try:
        kde_rkde.get_density_kde_rkde(rows(X), loss)
    finally:
        kde_rkde.kirwls = original
    (K, _, _, *abc), (w, _) = calls[-1][0][:6], calls[-1][1]
    a, b, c = (spell(value / np.sqrt(K[0, 0])) for value in abc)
    hampel = loss == "hampel"
    return {"weights": spell(w), "a": a, "b": b if hampel else None, "c": c if hampel else None}


ABOUT = {
    "name": "geco-bern/dimpeo",
    "version": "c546af2",
    "language": "Python",
    "homepage": "https://github.com/geco-bern/dimpeo",
    "licence": "Apache-2.0",
    "precision": "float64",
}

serve(
    ABOUT,
    {name[3:]: value for name, value in list(globals().items()) if name.startswith("op_")},
    (ValueError, AssertionError),
)
