"""Three ways to go wrong: a tight cluster of bad rows, more bad rows than good ones, a tiny bandwidth.

Below each picture stands a part of it, enlarged.
"""

import warnings

import numpy as np
from matplotlib import pyplot as plt

import rkde.fast as rk
from rkde.errors import ModeCollapseWarning
from rkde.plotting import plot_density

rng = np.random.default_rng(7)
good = rng.normal(0, 1, 100)
scattered, cluster, tight = rng.uniform(-10, 10, 20), rng.normal(6, 0.5, 150), rng.normal(6, 0.03, 20)
# The bad rows, the bandwidth, the whole picture, and the part below it.
cases = {
    "a tight cluster,\n17 % of the rows": (tight, "median_nn", (-3.5, 7.5), (5.86, 6.14)),
    "60 % of the rows\nare bad": (cluster, 0.5, (-4.0, 9.0), (-3.0, 3.0)),
    "scattered outliers,\ntiny bandwidth": (scattered, "median_nn", (-10.5, 10.5), (-0.5, 0.5)),
}

figure, axes = plt.subplots(2, 3, figsize=(7.4, 6.2), layout="constrained")
for (whole, part), (title, (bad, bandwidth, *views)) in zip(axes.T, cases.items(), strict=True):
    X = np.concatenate([good, bad]).reshape(-1, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModeCollapseWarning)
        model = rk.rkde(X, bandwidth=bandwidth)
    for panel, limits in zip((whole, part), views, strict=True):
        plot_density(X, model.kernel, model.weights, limits=limits, axes=panel)
        panel.get_legend().remove()
        panel.set(xlabel="", ylabel="")
    share = model.weights[len(good) :].sum()
    whole.set_title(f"{title}\nbad rows weigh {100 * share:.0f} %", fontsize="medium")
    whole.axvspan(*views[1], color="#000000", alpha=0.08, linewidth=0)
    part.set_xlabel("x")
    part.set_title(f"the grey part, h = {model.bandwidth:.2g}", fontsize="medium")
figure.supylabel("density [1 / unit of x]", fontsize="medium")
handles, _ = axes[0, 0].get_legend_handles_labels()
names = [
    "robust density",
    "plain density (equal weights)",
    "row (length shows its weight)",
    "row of weight 0",
]
figure.legend(handles, names, loc="outside lower center", ncols=2, frameon=False)
figure.savefig("when_it_fails.png", dpi=200)
