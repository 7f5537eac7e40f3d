"""Four detectors with their own defaults on three tables, each of 200 good rows and 20 bad ones.

Crosses are bad rows that a detector labels, squares bad rows that it misses, filled circles good rows that it
labels by mistake. A bad row that lies among the good ones cannot be told from them.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.covariance import EllipticEnvelope
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor

import rkde

rng = np.random.default_rng(1)
angles = rng.uniform(0, np.pi, 200)
tables = {
    "one cloud": rng.normal(size=(200, 2)) @ [[1.5, 0.8], [0.0, 0.8]],
    "two of unlike spread": np.vstack(
        [rng.normal([-3, 0], 0.4, (100, 2)), rng.normal([2, 0], 1.2, (100, 2))],
    ),
    "a curve": 3 * np.column_stack([np.cos(angles), np.sin(angles)]) + 0.3 * rng.normal(size=(200, 2)),
}
detectors = {
    "rkde": rkde.RobustKernelDensity(contamination="auto"),
    "isolation forest": IsolationForest(random_state=0),
    "local outlier factor": LocalOutlierFactor(),
    "elliptic envelope": EllipticEnvelope(random_state=0),
}
bad = np.arange(220) >= 200
figure, axes = plt.subplots(3, 4, figsize=(10, 7.5), layout="constrained", sharex=True, sharey=True)
for row, (table, good) in enumerate(tables.items()):
    X = np.vstack([good, rng.uniform(-6, 6, (20, 2))])
    for panel, (name, detector) in zip(axes[row], detectors.items(), strict=True):
        labelled = detector.fit_predict(X) == -1
        for rows, look in (
            (~bad & ~labelled, {"marker": "o", "s": 6, "facecolors": "none", "edgecolors": "#999999"}),
            (~bad & labelled, {"marker": "o", "s": 14, "color": "#0072b2"}),
            (bad & labelled, {"marker": "x", "s": 18, "color": "#d55e00"}),
            (bad & ~labelled, {"marker": "s", "s": 18, "facecolors": "none", "edgecolors": "#d55e00"}),
        ):
            panel.scatter(*X[rows].T, linewidths=0.8, **look)
        counts = f"{(bad & labelled).sum()} of 20 bad, {(~bad & labelled).sum()} of 200 good"
        panel.set_title(counts if row else f"{name}\n{counts}", fontsize="small")
        panel.set(xticks=[], yticks=[], aspect="equal")
    axes[row, 0].set_ylabel(table)
figure.savefig("detectors.png", dpi=200)
