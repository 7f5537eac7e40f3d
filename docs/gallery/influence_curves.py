"""The effect of one more row at x' = -5: densities, and the influence function for three losses.

This is the paper's Figure 3 on other data: the closer a curve is to zero, the less effect the row at
x' has. Hampel's loss gives it no influence at all. The settings are not the paper's: the bandwidth is
0.6, and b and c of Hampel's loss are the 90th and 95th percentile of the residuals. With the 75th and 85th,
as in the paper, Hampel's estimate loses the left hump.
"""

import numpy as np
from matplotlib import pyplot as plt

import rkde.fast as rk
from rkde.plotting import plot_influence

rng = np.random.default_rng(8)
X = np.concatenate([rng.normal(3.0, 1.0, 80), rng.normal(8.0, 1.0, 120)]).reshape(-1, 1)
kernel = rk.Gaussian(0.6)
a, b, c = rk.thresholds(rk.median_rkde(X, kernel).residual_norms, quantiles=(0.5, 0.9, 0.95))
losses = {"KDE": rk.Quadratic(), "Huber": rk.Huber(a), "Hampel": rk.Hampel(a, b, c)}

figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.9), layout="constrained")
x = np.linspace(-7, 13, 401).reshape(-1, 1)
true = (0.4 * np.exp(-((x - 3) ** 2) / 2) + 0.6 * np.exp(-((x - 8) ** 2) / 2)) / np.sqrt(2 * np.pi)
left.plot(x, true, color="#666666", linewidth=3, alpha=0.5, label="true density")
lines = {"KDE": ("#000000", "-"), "Huber": ("#0072B2", "--"), "Hampel": ("#D55E00", "-.")}
for name, loss in losses.items():
    weights = rk.fixed_point(X, kernel, loss, weights_init=rk.median_rkde(X, kernel).weights).weights
    colour, dashes = lines[name]
    left.plot(x, np.exp(rk.log_density(X, kernel, weights, x)), dashes, color=colour, label=name)
left.set(xlabel="x [m]", ylabel="density [1/m]")
left.set_title("densities", fontsize="medium")
plot_influence(X, kernel, -5.0, losses, unit="m", axes=right)
right.set_title("what one more row at x' changes", fontsize="medium")
right.get_legend().remove()
handles, labels = left.get_legend_handles_labels()
figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
figure.savefig("influence_curves.png", dpi=200)
