"""Adapter of the RKDE in lminvielle/mom-kde at commit ce3e2c3, unchanged; it needs numpy below 2 and cvxopt.

MOM_KDE=path/to/mom-kde/libs rkde verify --adapter "python docs/adapters/peers/mom_kde.py"

The program works with the kernel itself; divided by k(x, x), it works in tau. A number of steps is asked for
by its cap together with a stopping rule that is never met.
"""

import os
import sys

import numpy as np
from serving import bandwidth_of, only, rows, serve, spell
from sklearn.metrics.pairwise import rbf_kernel

sys.path.insert(0, os.environ["MOM_KDE"])
import kde_lib

LOSSES = {"huber": "huber", "hampel": "hampel", "absolute": "abs"}
# The program's own values, in `rkde`.
STOP, CAP = 10e-8, 100


def similarities(X, kernel):
    only(kernel["name"] == "gaussian")
    return rbf_kernel(rows(X), gamma=1 / (2 * float(kernel["bandwidth"]) ** 2))


def thresholds(loss):
    only(loss["name"] in LOSSES)
    return LOSSES[loss["name"]], *(float(loss.get(name, 0)) for name in "abc")


def uniform(weights, n):
    only(np.array_equal(np.array(weights, dtype=float), np.full(n, 1 / n)))


def irls(K, name, a, b, c, stop, cap):
    w, norms, path = kde_lib.irls(K, name, len(K), a, b, c, stop, cap)
    return {"weights": spell(w), "objective": spell(path), "residual_norms": spell(norms)}


def op_kernel(kernel, x, Y):
    only(kernel["name"] == "gaussian")
    if not Y:
        return {"log_kernel": []}
    squares = ((rows(Y) - rows(x)) ** 2).sum(axis=1)
    return {"log_kernel": spell(np.log(kde_lib.gaussian_kernel(squares, float(kernel["bandwidth"]), len(x))))}


def op_loss(loss, t):
    name, a, b, c = thresholds(loss)
    column = np.array(t, dtype=float).reshape(-1, 1)
    ones = np.ones_like(column)
    return {
        "rho": [spell(kde_lib.rho(np.array([entry]), name, a, b, c)) for entry in column[:, 0]],
        "psi": spell(kde_lib.psi(column, name, a, b, c) * (ones if name == "abs" else 1)),
        "phi": spell(kde_lib.phi(column.copy(), name, a, b, c)),
    }


def op_objective(X, kernel, loss, weights):
    uniform(weights, len(X))
    return {"objective": irls(similarities(X, kernel), *thresholds(loss), STOP, 1)["objective"][0]}


def op_step(X, kernel, loss, weights, count):
    uniform(weights, len(X))
    only(count > 0)
    answer = irls(similarities(X, kernel), *thresholds(loss), 0, count)
    return {name: answer[name] for name in ("weights", "objective")}


def op_median(X, kernel):
    answer = irls(similarities(X, kernel), "abs", 0, 0, 0, STOP, CAP)
    return {name: answer[name] for name in ("weights", "residual_norms")}


def op_fixed_point(X, kernel, loss, start):
    only(start == "uniform")
    answer = irls(similarities(X, kernel), *thresholds(loss), STOP, CAP)
    return {"weights": answer["weights"], "objective": answer["objective"][-1]}


def op_log_density(X, kernel, weights, queries):
    only(kernel["name"] == "gaussian")
    uniform(weights, len(X))
    if not queries:
        return {"log_density": []}
    return {"log_density": spell(np.log(kde_lib.kde(rows(X), rows(queries), float(kernel["bandwidth"]))))}


def op_rkde(X, loss, kernel=None, bandwidth="median_nn", **options):
    only(
        loss in ("huber", "hampel") and (kernel or {"name": "gaussian"})["name"] == "gaussian" and not options
    )
    given = []
    original = kde_lib.irls
    kde_lib.irls = lambda *arguments: given.append(arguments) or original(*arguments)
    try:
        _, w = kde_lib.rkde(rows(X), rows(X[:1]), bandwidth_of(X, bandwidth), loss, return_model=True)
    finally:
        kde_lib.irls = original
    K, _, _, *abc = given[-1][:6]
    a, b, c = (spell(value / np.sqrt(K[0, 0])) for value in abc)
    hampel = loss == "hampel"
    return {"weights": spell(w), "a": a, "b": b if hampel else None, "c": c if hampel else None}


ABOUT = {
    "name": "lminvielle/mom-kde",
    "version": "ce3e2c3",
    "language": "Python",
    "homepage": "https://github.com/lminvielle/mom-kde",
    "licence": "BSD-3-Clause",
    "precision": "float64",
}

serve(ABOUT, {name[3:]: value for name, value in list(globals().items()) if name.startswith("op_")})
