"""What a fitted estimator is asked: log densities, scores, labels, draws."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from rkde.errors import InvalidType
from rkde.fast._estimator_fit import Fitted, Limits
from rkde.fast._estimator_influence import influence_of
from rkde.fast._estimator_rows import read_rows
from rkde.fast._generators import RandomState, generator_from
from rkde.fast._resources import Engine, Resources, resources
from rkde.fast.inputs import Floats, TableLike, as_count
from rkde.fast.results import Influence, Rkde
from rkde.fast.rkhs import exp_log_density


class ScoringMixin(BaseEstimator):
    """The methods of the estimator that do not fit."""

    random_state: RandomState
    engine: Engine
    memory_limit: float | str | None
    threads: int | None
    verbose: bool
    model_: Rkde
    offset_: float
    _fitted: Fitted

    def score_samples(self, X: TableLike) -> Floats:
        """Return the natural logarithm of the density at the rows of X, shape (m,)."""
        check_is_fitted(self)
        rows = read_rows(self, X, reset=False)
        return self.model_.log_density(rows, **self._limits())

    def density(self, X: TableLike) -> Floats:
        """Return the density at the rows of X, shape (m,); infinite or 0 beyond float64."""
        return exp_log_density(self.score_samples(X))

    def score(self, X: TableLike, y: object = None) -> float:  # noqa: ARG002 (scikit-learn's signature)
        """Return the sum of the log densities at the rows of X: the log likelihood, to be maximised."""
        return float(self.score_samples(X).sum())

    def outlier_scores(self, X: TableLike) -> Floats:
        """Return minus the log density at the rows of X, shape (m,): higher is more outlying."""
        return -self.score_samples(X)

    def decision_function(self, X: TableLike) -> Floats:
        """Return `score_samples(X) - offset_`, shape (m,): negative for outliers."""
        scores = self.score_samples(X)
        # Where both are beyond float64 the difference would be NaN; equal they are all the same.
        with np.errstate(invalid="ignore"):
            return np.where(scores == self.offset_, 0.0, scores - self.offset_)

    def predict(self, X: TableLike) -> NDArray[np.intp]:
        """Return 1 where `decision_function` is at least 0 and -1 elsewhere, shape (m,)."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def influence(self, x_new: TableLike, queries: TableLike | None = None) -> Influence:
        """Return the influence of contaminating points on the density, by Theorem 5.

        Thresholds and bandwidth stay. It belongs to the limit of the fit, to which the iteration goes on
        where a stopping rule ended it.

        Parameters
        ----------
        x_new : table, shape (m, d)
            Contaminating points; rows of the data are allowed.
        queries : table, shape (q, d), optional
            Where the change of the density is wanted.

        Returns
        -------
        Influence
            `if_coef` of shape (m, n) has one entry a given row; `influence` of shape (m, q) is in tau^2.

        Raises
        ------
        InvalidInput
            The rows have masses of which no copies were made.
        NotConverged, NotDifferentiable, SingularSystem
            As `rkde.fast.influence` and `rkde.fast.fixed_point`.
        """
        check_is_fitted(self)
        asked = None if queries is None else read_rows(self, queries, reset=False)
        points = read_rows(self, x_new, reset=False)
        with self._resources().running():
            return influence_of(self._fitted, points, asked)

    def leave_one_out_log_density(self) -> Floats:
        """Return the log density at each training row without the row itself, shape (n,).

        It is the logarithm of sum over j != i of w_j k(X_i, X_j) / (1 - w_i), with the weights of the fit; of
        copies of a row one is left out; -inf where one row holds all of the weight.
        """
        check_is_fitted(self)
        return self._fitted.without_self()

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> Floats:
        """Draw rows from the density, shape (n_samples, d).

        Parameters
        ----------
        n_samples : int
            How many.
        random_state : int, RandomState, Generator or None
            By default the estimator's own; with a seed there, every call draws the same.

        Returns
        -------
        ndarray, shape (n_samples, d)

        Raises
        ------
        InvalidType, InvalidInput
            No count, or no source of randomness.
        """
        check_is_fitted(self)
        chosen = self.random_state if random_state is None else random_state
        count = as_count(n_samples, where="n_samples", minimum=0)
        return self.model_.sample(count, generator_from(chosen))

    def _limits(self) -> Limits:
        if not isinstance(self.verbose, bool):
            raise InvalidType(
                "is no truth value", where="verbose", value=self.verbose, remedy="give True or False"
            )
        return Limits(
            engine=self.engine,
            memory_limit=self.memory_limit,
            threads=self.threads,
            progress=self.verbose,
        )

    def _resources(self) -> Resources:
        return resources(**self._limits())
