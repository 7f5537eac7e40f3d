"""Contours of a plain estimate beside those of a robust one; 20 of 220 rows are outliers.

The robust one gives no weight to 51 rows: 18 of the outliers, and 33 good rows at the edge, so its tails are
too thin. The other 2 outliers lie among the good rows.
"""

import numpy as np
from matplotlib import pyplot as plt

import rkde.fast as rk
from rkde.plotting import plot_contours

rng = np.random.default_rng(20)
good = rng.normal(size=(200, 2)) * [1.2, 0.8] + [1.0, 0.5]
X = np.vstack([good, rng.uniform(-6, 6, (20, 2))])

robust = rk.rkde(X, bandwidth="scott", quantiles=(0.5, 0.8, 0.95))
plain = np.full(len(X), 1 / len(X))

figure, axes = plt.subplots(1, 2, figsize=(7.4, 4.6), layout="constrained")
limits = ((-7.0, 7.0), (-7.0, 7.0))
for panel, weights, title in zip(axes, (plain, robust.weights), ("plain", "robust"), strict=True):
    plot_contours(X, robust.kernel, weights, limits=limits, units=("cm", "cm"), axes=panel)
    panel.set(title=title, aspect="equal")
    panel.get_legend().remove()
handles, labels = axes[1].get_legend_handles_labels()
figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize="small")
figure.savefig("outliers_in_the_plane.png", dpi=200)
