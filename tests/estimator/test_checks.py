"""scikit-learn's own checks of an estimator: all of them, none expected to fail."""

from collections.abc import Callable

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import rkde

# What scikit-learn 1.6 asks of an outlier detector without optional tags.
FEWEST_CHECKS = 40

# Its data sets are small and tie-ridden: the fall-backs, each with its warning, are part of what is checked.
ESTIMATORS = [
    rkde.RobustKernelDensity(),
    rkde.RobustKernelDensity(
        kernel="student",
        dof=3,
        bandwidth=1.0,
        loss="huber",
        thresholds=(0.6,),
        start="uniform",
        stop="stationarity",
        solver="anderson",
        threads=1,
    ),
    rkde.RobustKernelDensity(kernel="laplacian", bandwidth="silverman", loss="absolute"),
]


@pytest.mark.filterwarnings("ignore::rkde.errors.RkdeWarning")
@parametrize_with_checks(ESTIMATORS)
def test_the_checks_of_scikit_learn(
    estimator: rkde.RobustKernelDensity, check: Callable[[rkde.RobustKernelDensity], None]
) -> None:
    check(estimator)


def test_there_are_checks() -> None:
    # Asked anew: the mark of the test may hold a generator that pytest has used up.
    assert len(list(parametrize_with_checks(ESTIMATORS).args[1])) >= FEWEST_CHECKS * len(ESTIMATORS)
