"""The robust and the plain density of one column; the length of the line at each row shows its weight."""

import numpy as np

import rkde.fast as rk
from rkde.plotting import plot_density

rng = np.random.default_rng(5)
lengths = np.concatenate([rng.normal(20.0, 1.5, 120), rng.normal(27.0, 1.0, 60), rng.uniform(5.0, 45.0, 15)])
X = lengths.reshape(-1, 1)

model = rk.rkde(X, bandwidth="lkcv", quantiles=(0.5, 0.9, 0.95))
axes = plot_density(X, model.kernel, model.weights, name="length", unit="mm")
axes.figure.savefig("outliers_on_the_line.png", dpi=200)
