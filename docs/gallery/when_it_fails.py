"""Three ways to go wrong: a tight cluster of bad rows, more bad rows than good ones, a tiny bandwidth."""

import warnings

import numpy as np
from matplotlib import pyplot as plt

import rkde.fast as rk
from rkde.errors import ModeCollapseWarning
from rkde.plotting import plot_density

rng = np.random.default_rng(7)
good = rng.normal(0, 1, 100)
scattered, cluster, tight = rng.uniform(-10, 10, 20), rng.normal(6, 0.5, 150), rng.normal(6, 0.03, 20)
cases = {
    "a tight cluster, 17% of the rows": (tight, "median_nn", (-3.5, 7.5)),
    "60% of the rows are bad": (cluster, 0.5, (-4.0, 9.0)),
    "scattered outliers, tiny bandwidth": (scattered, "median_nn", (-10.5, 10.5)),
}

figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), layout="constrained")
for panel, (title, (bad, bandwidth, limits)) in zip(axes, cases.items(), strict=True):
    X = np.concatenate([good, bad]).reshape(-1, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModeCollapseWarning)
        model = rk.rkde(X, bandwidth=bandwidth)
    plot_density(X, model.kernel, model.weights, limits=limits, axes=panel)
    bad_weight = model.weights[len(good) :].sum()
    panel.get_legend().remove()
    panel.set_title(f"{title}\nbad rows weigh {bad_weight:.0%}, h = {model.bandwidth:.2g}", fontsize="medium")
handles, _ = axes[0].get_legend_handles_labels()
names = ["robust density", "all rows weigh the same", "row, as long as its weight", "row of weight 0"]
figure.legend(handles, names, loc="outside lower center", ncols=4, frameon=False)
figure.savefig("when_it_fails.png", dpi=100)
