"""What a fitted estimator computes for rows: scores, labels, samples and influence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.exceptions import DTypePromotionError
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import Floats, TableLike, as_count, as_table
from rkde.fast._resources import Compute, Engine
from rkde.fast.estimates import Rkde
from rkde.fast.influence import Influence, estimate_influence
from rkde.fast.rkhs import exp_log_density
from rkde.fast.scoring import (
    Explanation,
    explain,
    highest_density_region,
    leave_one_out_log_density,
    tail_probabilities,
)
from rkde.fast.sklearn.random_state import RandomState, generator_from


def read_rows(estimator: BaseEstimator, X: TableLike, *, reset: bool) -> Floats:
    """Check a table and return it as float64, with the names and the number of its columns compared or kept.

    Shapes: X (n, d); result (n, d). A flat array is refused, as scikit-learn demands of its estimators.
    """
    try:
        raw = check_array(X, dtype=None, ensure_all_finite=False, estimator=estimator, input_name="X")
    except DTypePromotionError:
        # Columns of dates beside numbers: scikit-learn's words would name neither row nor column.
        return as_table(X)
    except ValueError as reason:
        # Of these, scikit-learn says no place.
        if "Complex data" in str(reason):
            try:
                as_table(X)
            except InvalidInput as error:
                raise _in_both_words(error, reason) from reason
        raise
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    try:
        return as_table(X)
    except InvalidInput as error:
        try:
            check_array(raw, estimator=estimator, input_name="X")
        except (TypeError, ValueError) as reason:
            raise _in_both_words(error, reason) from error
        raise


def _in_both_words(error: InvalidInput, reason: Exception) -> InvalidInput:
    """Return an error that says the place, with what users of scikit-learn look for."""
    told = str(reason).partition("\n")[0].rstrip(".")
    return error.restated(problem=f"{error.problem} ({told})")


class ScoringMixin(BaseEstimator):
    """The methods of the estimator that do not fit."""

    random_state: RandomState
    engine: Engine
    memory_limit: float | str | None
    threads: int | None
    verbose: bool
    model_: Rkde
    offset_: float

    def score_samples(self, X: TableLike) -> Floats:
        """Return the natural logarithm of the density at the rows of X, shape (m,)."""
        check_is_fitted(self)
        rows = read_rows(self, X, reset=False)
        return self.model_.log_density(rows, compute=self._compute())

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

        Thresholds and bandwidth are held fixed. The influence refers to the limit of the fit: the iteration
        is first run to convergence if a stopping rule ended it early.

        Shapes: x_new (m, d); queries (q, d), where the change of the density is wanted. Result: `if_coef` of
        shape (m, n) has an entry for each given row; `influence`, shape (m, q), is in tau^2.
        """
        check_is_fitted(self)
        places = None if queries is None else read_rows(self, queries, reset=False)
        points = read_rows(self, x_new, reset=False)
        return estimate_influence(self.model_, points, places, compute=self._compute())

    def leave_one_out_log_density(self) -> Floats:
        """Return the log density at each training row without the row itself, shape (n,).

        It is the logarithm of sum over j != i of w_j k(X_i, X_j) / (1 - w_i), with the weights of the fit; of
        copies of a row one is left out; -inf where one row holds all of the weight.
        """
        check_is_fitted(self)
        return leave_one_out_log_density(self.model_, compute=self._compute())

    def tail_probabilities(self, X: TableLike | None = None) -> Floats:
        """Return the probability that a good row is at least as surprising, shape (m,).

        For new rows X, or for the training rows, each without itself; see `rkde.fast.tail_probabilities`.
        """
        check_is_fitted(self)
        queries = None if X is None else read_rows(self, X, reset=False)
        return tail_probabilities(self.model_, queries, compute=self._compute())

    def in_region(self, X: TableLike, level: float = 0.95) -> NDArray[np.bool_]:
        """Tell which rows of X lie in the region of highest density that holds a share of the estimate.

        Shapes: result (m,). See `rkde.fast.highest_density_region`; the draws have a seed of their own.
        """
        check_is_fitted(self)
        return highest_density_region(self.model_, level).contains(read_rows(self, X, reset=False))

    def explain(self, X: TableLike | None = None, rows: ArrayLike | None = None) -> Explanation:
        """Say which columns make new rows X, or training rows by their numbers from 0, unlikely.

        Each training row is explained without itself, and of copies without one, as in
        `leave_one_out_log_density`; `rkde.fast.explain` describes the result.
        """
        check_is_fitted(self)
        queries = None if X is None else read_rows(self, X, reset=False)
        names = getattr(self, "feature_names_in_", None)
        found = explain(self.model_, queries, rows=rows)
        return found if names is None else replace(found, columns=tuple(names.tolist()))

    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> Floats:
        """Draw rows from the density, shape (n_samples, d).

        Shapes: result (n_samples, d).
        """
        check_is_fitted(self)
        source = self.random_state if random_state is None else random_state
        count = as_count(n_samples, where="n_samples", minimum=0)
        return self.model_.sample(count, generator_from(source))

    def _compute(self) -> Compute:
        if not isinstance(self.verbose, bool):
            raise InvalidType(
                "must be True or False", where="verbose", value=self.verbose, remedy="pass True or False"
            )
        return Compute(
            engine=self.engine,
            memory_limit=self.memory_limit,
            threads=self.threads,
            progress=self.verbose,
        )
