"""Which rows are outliers? ROC curves of four scores where half of the outliers form one group.

The group raises a hill of its own in a plain estimate, which then regards its rows as normal. If the outliers
are scattered, the curves nearly coincide; set the size of the group to 0 to see this.

The bandwidth is chosen for this table, and the scored rows are the fitted ones. At the paper's bandwidth
(`median_nn`) the group is the first case of "When it fails": it gets more than its share of the weight, and
every score is little better than guessing.
"""

import numpy as np

import rkde.fast as rk
from rkde.plotting import plot_roc

rng = np.random.default_rng(6)
angles = rng.uniform(0, np.pi, 200)
banana = np.column_stack([np.cos(angles), np.sin(angles)]) + 0.15 * rng.normal(size=(200, 2))
group = [0.0, -0.8] + 0.1 * rng.normal(size=(20, 2))
X = np.vstack([banana, group, rng.uniform([-2, -1], [2, 2], (20, 2))])
outlier = np.arange(len(X)) >= len(banana)

hampel = rk.rkde(X, bandwidth=0.25, quantiles=(0.5, 0.8, 0.95))
scores = {
    "plain KDE": -rk.kde(X, hampel.kernel).log_density(X),
    "robust, Huber": -rk.rkde(X, bandwidth=0.25, loss=rk.Huber).log_density(X),
    "robust, Hampel": -hampel.log_density(X),
    "spatial depth": -rk.depth(X, hampel.kernel, X),
}
axes = plot_roc({name: rk.roc_curve(score, outlier.astype(float)) for name, score in scores.items()})
axes.figure.savefig("roc_curves.png", dpi=200)
