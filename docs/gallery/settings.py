"""The same 200 rows under six settings: two humps, a tenth of the rows bad; grey is the density of the good.

The title has the distance from the grey density to the estimate (L1: 0 is perfect, 2 the worst), and the
share of the good rows that have no weight.
"""

import warnings

import numpy as np
from matplotlib import pyplot as plt

import rkde
from rkde.errors import RkdeWarning

rng = np.random.default_rng(4)
good = np.concatenate([rng.normal(0, 1, 120), rng.normal(6, 0.7, 60)])
X = np.concatenate([good, rng.uniform(-14, 20, 20)]).reshape(-1, 1)
settings = {
    "the defaults": {},
    'loss="huber"': {"loss": "huber"},
    'loss="quadratic" (plain)': {"loss": "quadratic"},
    'bandwidth="lscv"': {"bandwidth": "lscv"},
    'bandwidth="scott"': {"bandwidth": "scott"},
    'recipe="paper"': {"recipe": "paper"},
}
x = np.linspace(-6, 12, 901)
bell = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
truth = (2 * bell + np.exp(-(((x - 6) / 0.7) ** 2) / 2) / (0.7 * np.sqrt(2 * np.pi))) / 3

figure, axes = plt.subplots(2, 3, figsize=(7.4, 4.6), layout="constrained", sharex=True, sharey=True)
for panel, (title, chosen) in zip(axes.flat, settings.items(), strict=True):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        model = rkde.fit(X, **chosen)
    density = model.density(x.reshape(-1, 1))
    distance = np.abs(density - truth).sum() * (x[1] - x[0])
    gone = (model.weights[: len(good)] == 0).mean()
    panel.fill_between(x, truth, color="#666666", alpha=0.35, linewidth=0, label="density of the good rows")
    panel.plot(x, density, color="#0072B2", linewidth=1.6, label="estimate")
    panel.plot(X, np.full(len(X), -0.02), "|", color="#333333", markersize=6, label="row")
    panel.set_title(f"{title}\nL1 {distance:.2f}, {100 * gone:.0f} % without weight", fontsize="small")
    panel.set(xlim=(x[0], x[-1]), ylim=(-0.04, 0.4))
handles, labels = axes[0, 0].get_legend_handles_labels()
figure.supylabel("density [1 / unit of x]", fontsize="medium")
figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
figure.savefig("settings.png", dpi=200)
