"""The paper in plain numpy, as an example of an implementation: short, dense, and without the package.

Residual norms, thresholds and arguments of losses are in units of tau = sqrt(k(0, 0)).
"""

import math

import numpy as np

MAX_STEPS = 100_000
KERNELS = {"gaussian": ["bandwidth"], "laplacian": ["bandwidth"], "student": ["bandwidth", "dof"]}
LOSSES = {"quadratic": [], "absolute": [], "huber": ["a"], "hampel": ["a", "b", "c"]}
BANDWIDTH_RULES = ["median_nn", "median_nn_distinct", "scott", "silverman"]
QUANTILE_RULES = [
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen"),
    *("weibull", "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"),
]
# From here on the series of log Gamma(z + 1/2) - log Gamma(z) is exact to rounding.
LARGE = 100


class Refused(Exception):
    """A request without an answer: kind of the error and message."""


class Lacking(Exception):
    """A request for something that this implementation does not have."""


def lack(**_):
    """Answer a request for an operation, a kernel or a loss that is not here."""
    raise Lacking


# ---------------------------------------------------------------------------------------------- kernels


def squared_distances(x, y, h):
    """In bandwidths. Differences first: the squares of large coordinates would swallow them."""
    return (((x[:, None, :] - y[None, :, :]) / h) ** 2).sum(axis=2)


def log_profile(kernel, x, y):
    """log k(x, y) - log k(x, x)."""
    sqdist = squared_distances(x, y, kernel["bandwidth"])
    if kernel["name"] == "gaussian":
        return -sqdist / 2
    if kernel["name"] == "laplacian":
        return -np.sqrt(sqdist)
    return -(kernel["dof"] + kernel["dim"]) / 2 * np.log1p(sqdist / kernel["dof"])


def log_gamma_ratio(z, steps):
    """log Gamma(z + steps / 2) - log Gamma(z); at a large z the difference itself would lose its digits."""
    whole = sum(math.log(z + i) for i in range(steps // 2))
    if steps % 2 == 0:
        return whole
    top = z + steps // 2
    if top < LARGE:
        return whole + math.lgamma(top + 0.5) - math.lgamma(top)
    return whole + math.log(top) / 2 - 1 / (8 * top) + 1 / (192 * top**3) - 1 / (640 * top**5)


def log_normaliser(kernel):
    """log k(x, x): the kernel integrates to 1 over the `dim` coordinates."""
    h, d = kernel["bandwidth"], kernel["dim"]
    if kernel["name"] == "gaussian":
        return -d * math.log(h) - d / 2 * math.log(2 * math.pi)
    if kernel["name"] == "laplacian":
        surface = math.log(2) + d / 2 * math.log(math.pi) - math.lgamma(d / 2)
        return -surface - math.lgamma(d) - d * math.log(h)
    nu = kernel["dof"]
    return log_gamma_ratio(nu / 2, d) - d / 2 * math.log(nu * math.pi) - d * math.log(h)


# ----------------------------------------------------------------------------------------------- losses


def rho(loss, t):
    a, b, c = (loss.get(name, math.inf) for name in "abc")
    if loss["name"] == "quadratic":
        return t**2 / 2
    if loss["name"] == "absolute":
        return t.copy()
    if loss["name"] == "huber":
        return np.where(t <= a, t**2 / 2, a * (t - a / 2))
    left = np.clip(c - t, 0, None)
    value = np.where(t <= a, t**2 / 2, a * (t - a / 2))
    return np.where(t <= b, value, a / 2 * (b - a + c) - a * left**2 / (c - b) / 2)


def psi(loss, t):
    a, b, c = (loss.get(name, math.inf) for name in "abc")
    if loss["name"] == "quadratic":
        return t.copy()
    if loss["name"] == "absolute":
        return np.ones_like(t)
    value = np.minimum(t, a)
    return value if loss["name"] == "huber" else np.where(t > b, a * np.clip(c - t, 0, None) / (c - b), value)


def phi(loss, t):
    """psi(t) / t, with its limit at 0."""
    if loss["name"] == "absolute":
        return np.divide(1, t, out=np.full_like(t, math.inf), where=t > 0)
    return np.divide(psi(loss, t), t, out=np.ones_like(t), where=t > 0)


def q(loss, t, side):
    """t psi'(t) - psi(t), psi' from the right (side = 1) or from the left (side = -1)."""
    a, b, c = (loss.get(name, math.inf) for name in "abc")
    if loss["name"] == "absolute":
        return -np.ones_like(t)

    def beyond(kink):
        return t >= kink if side > 0 else t > kink

    value = np.where(beyond(a), -min(a, 1e308), 0.0)
    if loss["name"] == "hampel":
        value = np.where(beyond(b), -a * c / (c - b), value)
        value = np.where(beyond(c), 0.0, value)
    return value if loss["name"] in ("huber", "hampel") else np.zeros_like(t)


# ------------------------------------------------------------------------------------------ the estimate


def residual_norms(distances, w):
    """|Phi(X_i) - sum_j w_j Phi(X_j)| in tau, from the squared distances D of the features.

    |Phi(X_i) - g|^2 = (D w)_i - w'Dw / 2: the form 1 - 2 Kw + w'Kw loses small residuals.
    """
    dw = distances @ w
    return np.sqrt(np.clip(dw - w @ dw / 2, 0, None))


def feature_distances(x, kernel):
    return -2 * np.expm1(log_profile(kernel, x, x))


def next_weights(loss, r):
    if loss["name"] == "absolute" and (r == 0).any():
        return (r == 0) / (r == 0).sum()
    value = phi(loss, r)
    if value.sum() == 0:
        raise Refused("AllWeightsZero", "phi vanishes at every residual")
    return value / value.sum()


def objective(loss, r):
    return rho(loss, r).mean()


def iterate(distances, loss, w, count):
    path = [objective(loss, residual_norms(distances, w))]
    for _ in range(count):
        w = next_weights(loss, residual_norms(distances, w))
        path.append(objective(loss, residual_norms(distances, w)))
    return w, path


def median_weights(distances):
    """f_med: iterate for the absolute loss until the weights stand still."""
    n = len(distances)
    w = np.full(n, 1 / n)
    for _ in range(MAX_STEPS):
        r = residual_norms(distances, w)
        new = next_weights({"name": "absolute"}, r)
        done = np.abs(new - w).max() <= 4 * np.finfo(float).eps * new.max()
        w = new
        if done:
            return w
    raise Refused("NotConverged", f"f_med after {MAX_STEPS} steps")


def log_sum_exp(terms):
    """log of the sum of exp over the last axis, without underflow."""
    top = terms.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(terms - top).sum(axis=-1)) + top[..., 0]


def log_densities(x, kernel, w, queries):
    with np.errstate(divide="ignore"):
        terms = np.log(w) + log_profile(kernel, queries, x)
    return log_sum_exp(terms) + log_normaliser(kernel)


# --------------------------------------------------------------------------------------- reading requests


def rows(value, what="X", *, empty=False):
    if not value and empty:
        return None
    if not value or not all(isinstance(row, list) and len(row) == len(value[0]) > 0 for row in value):
        raise Refused("InvalidInput", f"{what}: rows of one length are required")
    table = np.array(value, dtype=float)
    if not np.isfinite(table).all():
        raise Refused("InvalidInput", f"{what}: must be finite")
    return table


def positive(fields, *names):
    values = {name: float(fields[name]) for name in names}
    if not all(0 < value < math.inf for value in values.values()):
        raise Refused("InvalidInput", f"{names}: must be positive and finite")
    return values


def member(fields, known):
    """A kernel or a loss: its name must be known, and its parameters be there and no others."""
    parameters = known.get(fields["name"])
    if parameters is None or set(fields) != {"name", *parameters}:
        raise Refused("InvalidInput", f"{fields}: unknown, or with other parameters")
    return {"name": fields["name"], **positive(fields, *parameters)}


def known(rule, rules):
    if rule not in rules:
        raise Refused("InvalidInput", f"{rule}: unknown rule")


def kernel_of(fields, dim):
    return {"dim": dim, **member(fields, KERNELS)}


def loss_of(fields):
    loss = member(fields, LOSSES)
    if fields["name"] == "hampel" and not loss["a"] <= loss["b"] < loss["c"]:
        raise Refused("InvalidInput", "a <= b < c is required")
    return loss


def weights_of(value, n):
    w = np.array(value, dtype=float)
    if w.shape != (n,) or not np.isfinite(w).all() or (w < 0).any() or abs(w.sum() - 1) > 1e-9:
        raise Refused("InvalidInput", "weights: one a row, not negative, with the sum 1")
    return w / w.sum()


def spell(values):
    """Lists of numbers for JSON, which knows no infinity."""
    return [value if math.isfinite(value) else str(value) for value in np.asarray(values).tolist()]


# --------------------------------------------------------------------------------------------- operations


def op_kernel(kernel, x, Y):
    point, others = rows([x], "x"), rows(Y, "Y", empty=True)
    if others is None:
        return {"log_kernel": []}
    if others.shape[1] != point.shape[1]:
        raise Refused("InvalidInput", "Y: another number of columns")
    kernel = kernel_of(kernel, point.shape[1])
    return {"log_kernel": spell(log_profile(kernel, point, others)[0] + log_normaliser(kernel))}


def op_loss(loss, t):
    loss, t = loss_of(loss), np.array(t, dtype=float)
    if not (np.isfinite(t).all() and (t >= 0).all()):
        raise Refused("InvalidInput", "t: must be finite and not negative")
    answer = {"rho": rho(loss, t), "psi": psi(loss, t), "phi": phi(loss, t), "q": q(loss, t, 1)}
    left = [None if at == 0 else value for at, value in zip(t, spell(q(loss, t, -1)), strict=True)]
    return {**{name: spell(value) for name, value in answer.items()}, "q_left": left}


def op_bandwidth(X, rule):
    known(rule, BANDWIDTH_RULES)
    x = rows(X)
    n, d = x.shape
    if n == 1:
        raise Refused("DegenerateBandwidth", "n_samples = 1")
    if rule.startswith("median_nn"):
        distances = np.array([[math.dist(one, other) for other in x] for one in x])
        distances[np.eye(n, dtype=bool) if rule == "median_nn" else distances == 0] = math.inf
        h = float(np.median(distances.min(axis=1)))
    else:
        top = np.abs(x - x[0]).max() or 1
        s = top * math.sqrt((((x - x[0]) / top).var(axis=0, ddof=1)).mean())
        h = s * n ** (-1 / (d + 4)) * (1 if rule == "scott" else (4 / (d + 2)) ** (1 / (d + 4)))
    if not 0 < h < math.inf:
        raise Refused("DegenerateBandwidth", f"the rule gives {h}")
    return {"bandwidth": h}


def data_of(X, kernel, weights=None):
    x = rows(X)
    kernel = kernel_of(kernel, x.shape[1])
    w = None if weights is None else weights_of(weights, len(x))
    return x, kernel, w


def op_residual_norms(X, kernel, weights):
    x, kernel, w = data_of(X, kernel, weights)
    return {"residual_norms": spell(residual_norms(feature_distances(x, kernel), w))}


def op_objective(X, kernel, loss, weights):
    x, kernel, w = data_of(X, kernel, weights)
    return {"objective": float(objective(loss_of(loss), residual_norms(feature_distances(x, kernel), w)))}


def op_step(X, kernel, loss, weights, count):
    x, kernel, w = data_of(X, kernel, weights)
    loss = loss_of(loss)
    if count < 0:
        raise Refused("InvalidInput", "count: must not be negative")
    w, path = iterate(feature_distances(x, kernel), loss, w, count)
    return {"weights": spell(w), "objective": spell(path)}


def op_thresholds(X, kernel, quantiles, quantile_rule):
    known(quantile_rule, QUANTILE_RULES)
    x, kernel, _ = data_of(X, kernel)
    levels = np.array(quantiles, dtype=float)
    if len(levels) != 3 or not (np.isfinite(levels).all() and (np.diff(levels) >= 0).all()):
        raise Refused("InvalidInput", "quantiles: three, not falling")
    if levels[0] < 0 or levels[-1] > 1:
        raise Refused("InvalidInput", "quantiles: from 0 to 1")
    distances = feature_distances(x, kernel)
    if not distances.any():
        return {"a": 0.0, "b": 0.0, "c": 0.0}
    r = residual_norms(distances, median_weights(distances))
    return dict(zip("abc", np.quantile(r, levels, method=quantile_rule).tolist(), strict=True))


def op_log_density(X, kernel, weights, queries):
    x, kernel, w = data_of(X, kernel, weights)
    at = rows(queries, "queries", empty=True)
    if at is None:
        return {"log_density": []}
    if at.shape[1] != x.shape[1]:
        raise Refused("InvalidInput", "queries: another number of columns")
    return {"log_density": spell(log_densities(x, kernel, w, at))}


def op_vkde(X, kernel, queries, rule="abramson"):
    known(rule, ["abramson", "geometric"])
    x, kernel, _ = data_of(X, kernel)
    n = len(x)
    # In units of n k(x, x), which cancels: far from 1, its logarithm would swallow digits of the others.
    pilot = log_sum_exp(log_profile(kernel, x, x))
    mean = pilot.mean() if rule == "geometric" else log_sum_exp(pilot) - math.log(n)
    bandwidths = kernel["bandwidth"] * np.exp((mean - pilot) / 2)
    answer = {"bandwidths": spell(bandwidths), "log_density": []}
    at = rows(queries, "queries", empty=True)
    if at is not None:
        if at.shape[1] != x.shape[1]:
            raise Refused("InvalidInput", "queries: another number of columns")
        one = [
            log_densities(x[i : i + 1], {**kernel, "bandwidth": h}, np.ones(1), at)
            for i, h in enumerate(bandwidths)
        ]
        answer["log_density"] = spell(log_sum_exp(np.array(one).T) - math.log(n))
    return answer


OPERATIONS = {
    "kernel": op_kernel,
    "loss": op_loss,
    "bandwidth": op_bandwidth,
    "residual_norms": op_residual_norms,
    "objective": op_objective,
    "step": op_step,
    "thresholds": op_thresholds,
    "log_density": op_log_density,
    "vkde": op_vkde,
}
