"""What a newcomer types in Python: a frame, an estimator in a pipeline, scores, labels, draws, a search."""

import pickle
import sys

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rkde import RobustKernelDensity


def show(name: str, value: object) -> None:
    """Write one line."""
    sys.stdout.write(f"{name}: {value}\n")


frame = pd.read_csv("beans.csv")
detector = RobustKernelDensity(bandwidth="scott", loss="huber", contamination=0.06, random_state=7)
detector.fit(frame)
show("columns", ", ".join(detector.feature_names_in_))
show("outliers", frame.index[detector.predict(frame) == -1].tolist())
show("bandwidth", detector.bandwidth_)
show("score of the first row", detector.score_samples(frame)[0])
show("draws", pd.DataFrame(detector.sample(2), columns=frame.columns).round(4).to_numpy().tolist())
copied = pickle.loads(pickle.dumps(detector))  # noqa: S301 (our own bytes)
show("a copy is the same", np.array_equal(copied.score_samples(frame), detector.score_samples(frame)))

pipeline = make_pipeline(StandardScaler(), RobustKernelDensity(loss="huber"))
grid = {"robustkerneldensity__bandwidth": [0.1, 0.4, 1.6, 6.4]}
search = GridSearchCV(pipeline, grid, cv=4).fit(frame)
show("best bandwidth", search.best_params_["robustkerneldensity__bandwidth"])
try:
    detector.predict(frame.rename(columns={"width": "breadth"}))
except ValueError as error:
    show("another name", str(error).splitlines()[0])
