"""The objective J falls in every step of KIRWLS, down to rounding; on the right, by how much."""

import numpy as np

import rkde.fast as rk
from rkde.plotting import plot_path

rng = np.random.default_rng(3)
X = np.vstack([rng.normal(size=(150, 2)), rng.uniform(-6, 6, (15, 2))])
model = rk.rkde(X, bandwidth="scott", quantiles=(0.5, 0.8, 0.95), stop=rk.Stationarity(1e-10))
panels = plot_path(model.objective_path, status=model.status.value)
panels[0].figure.savefig("descent.png", dpi=200)
