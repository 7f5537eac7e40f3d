"""The robust kernel density estimate as a scikit-learn estimator; needs scikit-learn (`rkde[sklearn]`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.utils.validation import check_is_fitted

from rkde.errors import InvalidType
from rkde.fast._float64 import Floats, SampleWeight, TableLike, as_count, read_sample_weight
from rkde.fast._resources import Compute, Engine, checked_resources
from rkde.fast.bandwidth import ScaleName, Scaling, read_scaling
from rkde.fast.estimates import Rkde, default_scale, in_units
from rkde.fast.influence import Influence, estimate_influence
from rkde.fast.kernels import Kernel, KernelOfBandwidth
from rkde.fast.losses import Loss
from rkde.fast.rkhs import exp_log_density
from rkde.fast.scoring import (
    Explanation,
    discovery_offset,
    estimate_tail,
    explain,
    highest_density_region,
    labels_of,
    leave_one_out_log_density,
    offset_at,
    read_contamination,
    tail_probabilities,
)
from rkde.fast.signs import tell
from rkde.fast.sklearn.arguments import (
    Bandwidth,
    StopName,
    read_kernel,
    read_loss,
    read_rows,
    read_stop,
)
from rkde.fast.sklearn.fit import FitArguments, fit_rows
from rkde.fast.sklearn.random_state import RandomState, generator_from
from rkde.vocabulary import (
    FrontRecipe,
    KernelName,
    LossName,
    OnDegenerate,
    QuantileRule,
    RelativeObjective,
    Solver,
    Start,
    Status,
    StopRule,
)


class RobustKernelDensity(OutlierMixin, BaseEstimator):
    """Robust kernel density estimation (Kim & Scott 2012) as a scikit-learn estimator.

    A weighted kernel density estimate whose weights are small, or 0, where the data are atypical. It is both
    a density (`score_samples`, `sample`) and a detector of outliers (`predict`, `decision_function`).

    Parameters
    ----------
    kernel : {"gaussian", "student", "laplacian"}, Kernel or callable
        A name, an object such as `Gaussian(0.5)`, which includes its bandwidth, or a function from a
        bandwidth to an object.
    dof : float, optional
        The degrees of freedom of the Student kernel, with that name only.
    bandwidth : float, str or callable, optional
        A number in units of the (scaled) columns; a rule, "pairwise", "median_nn" (section 6.1.2),
        "median_nn_distinct", "scott", "silverman", "lscv" or "lkcv"; or a function of the rows (n, d) that
        returns a number. By default the recipe's: "pairwise" for "practical", else "median_nn".
    loss : {"hampel", "huber", "absolute", "quadratic"}, Loss or type
        A name or class, to which the recipe gives thresholds, or an object with its own. "absolute" gives
        f_med, "quadratic" the plain kernel density estimate.
    thresholds : array_like, shape (1,) or (3,), optional
        (a,) for Huber, (a, b, c) for Hampel, in tau = k(0, 0)^(1/2), instead of the recipe's.
    recipe, scale
        As in `rkde.fit`. By default columns are scaled where the recipe is "practical" and the bandwidth is
        chosen by a rule.
    quantiles, quantile_rule, start
        As in `rkde.fit`; `start` may be weights, one for each row.
    stop : {"relative_objective", "fixed_steps", "stationarity"} or a stopping rule, optional
        By default "relative_objective"; one step for the thresholds of the recipe "practical".
        "relative_objective": J changes by less than `tol`, relatively (section 6.1.2). "stationarity": no
        weight changes by more than `tol` of the largest; the only one that asks for a certificate.
        "fixed_steps": exactly `max_iter` steps; `tol` is not used. An object (`RelativeObjective(1e-6)`)
        carries its own number.
    tol : float
        The tolerance of a stopping rule by name.
    max_iter : int
        Cap on the steps.
    solver : {"plain", "anderson"}
        As in `rkde.fast.kirwls`.
    on_degenerate : {"warn", "raise"}
        As in `rkde.fast.rkde`: whether a bandwidth of 0 by "median_nn" and thresholds that leave the loss
        undefined have a replacement, with a warning.
    contamination : float or "auto"
        The share of the training rows that `predict` is to label -1, above 0 and at most 0.5. With "auto" the
        rows themselves say how many: those that good rows would hardly surpass, at a false discovery rate of
        5 % (`rkde.fast.surprisal_tail`, `rkde.fast.false_discoveries`); often none.
    engine : {"auto", "dense", "sparse", "cells", "tiled"}
        How the kernel matrix is applied.
    memory_limit : int, float, str or None
        Maximum number of bytes to allocate, or text such as "4GB"; None for half of what is free.
    threads : int or None
        Maximum number of threads of the numerical libraries while the estimator fits and scores; None leaves
        their own setting, such as the one that joblib makes.
    random_state : int, RandomState, Generator or None
        The source of randomness of `sample`; the global one is never used.
    verbose : bool
        Whether a long fit says on standard error how long it will take, and shows a bar on a terminal.

    Attributes
    ----------
    weights_ : ndarray, shape (n,)
        One for each given row, of sum 1; that of a row with a sample weight of m is the sum over m copies.
    residual_norms_, median_residual_norms_ : ndarray, shape (n,)
        Distances in H, in tau, to the estimate and to f_med, those of rows of sample weight 0 included.
    bandwidth_, bandwidth_rule_ : float, str or None
        The bandwidth, in the coordinates of the fit, and the rule that gave it; None for a number or a
        function.
    thresholds_ : tuple of float or None
        (a,) or (a, b, c) in tau.
    status_ : Status
        How the fit ended.
    n_iter_ : int
        Steps of the last stage.
    objective_path_ : ndarray, shape (n_iter_ + 1,)
        J before the first and after every step.
    certificate_, error_bound_ : Certificate or None, float or None
        What is proved about the weights, as in `rkde.fast.rkde`; None where nothing is.
    offset_ : float
        The linear quantile of the training log densities at `contamination`; with "auto", the log density
        whose tail probability is the threshold of Benjamini and Hochberg, -inf where fewer than ten rows have
        weight.
    effective_sample_size_, zero_weight_share_ : float
        As in `rkde.fast.rkde`: copies are counted.
    scaling_ : Scaling or None
        The coordinates of the fit, where they are not those of the data.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    model_ : Rkde
        The fit itself, for `rkde.fast.save_model`.

    Notes
    -----
    Higher scores are more normal, as in scikit-learn: `score_samples` is the natural logarithm of the
    density (which may be above 0), `decision_function` that minus `offset_`, and `predict` is 1 where the
    latter is at least 0, so ties with the offset are normal. `outlier_scores` has the other sign. A row's own
    kernel is part of its score; `leave_one_out_log_density` leaves it out.

    Examples
    --------
    >>> X = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
    >>> estimator = RobustKernelDensity(bandwidth=1.0, recipe="paper").fit(X)
    >>> estimator.weights_, estimator.predict([[0.0], [6.0]])
    (array([0.  , 0.25, 0.25, 0.25, 0.25, 0.  ]), array([ 1, -1]))
    """

    def __init__(
        self,
        *,
        kernel: KernelName | Kernel | KernelOfBandwidth = "gaussian",
        dof: float | None = None,
        bandwidth: Bandwidth = None,
        loss: LossName | Loss | type[Loss] = "hampel",
        thresholds: ArrayLike | None = None,
        recipe: FrontRecipe = "practical",
        scale: ScaleName | ArrayLike | None = None,
        quantiles: ArrayLike | None = None,
        quantile_rule: QuantileRule | None = None,
        start: Start | ArrayLike | None = None,
        stop: StopName | StopRule | None = None,
        tol: float = 1e-8,
        max_iter: int = 1000,
        solver: Solver = "plain",
        on_degenerate: OnDegenerate = "warn",
        contamination: float | Literal["auto"] = 0.1,
        engine: Engine = "auto",
        memory_limit: float | str | None = None,
        threads: int | None = None,
        random_state: RandomState = None,
        verbose: bool = False,
    ) -> None:
        self.kernel = kernel
        self.dof = dof
        self.bandwidth = bandwidth
        self.loss = loss
        self.thresholds = thresholds
        self.recipe = recipe
        self.scale = scale
        self.quantiles = quantiles
        self.quantile_rule = quantile_rule
        self.start = start
        self.stop = stop
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.on_degenerate = on_degenerate
        self.contamination = contamination
        self.engine = engine
        self.memory_limit = memory_limit
        self.threads = threads
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: TableLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:  # noqa: ARG002
        """Fit the density.

        Parameters
        ----------
        X : array_like, shape (n, d)
            The rows; a row of sample weight 0 must be finite too.
        y : object
            Ignored.
        sample_weight : array_like, shape (n,), optional
            At least 0. Whole numbers count copies of a row: in the bandwidth, in the thresholds, everywhere.
            Others are relative masses, whose scale does not matter. 0 removes the row.

        Returns
        -------
        RobustKernelDensity
            The estimator itself.

        Raises
        ------
        InvalidType, InvalidInput, ValueError
            A parameter or a table breaks a rule.
        DegenerateBandwidth, DegenerateThresholds, AllWeightsZero, NotConverged, MemoryLimit
            As `rkde.fast.rkde`.

        Notes
        -----
        A fit that fails or is interrupted leaves the estimator as it was: with its former fit, if any.
        """
        before = dict(vars(self))
        try:
            self._fit(X, sample_weight)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise
        return self

    def _fit(self, X: TableLike, sample_weight: ArrayLike | None) -> None:
        """Fit the density, and keep what was found as it is found."""
        rows = read_rows(self, X, reset=True)
        contamination = read_contamination(self.contamination)
        weights = read_sample_weight(sample_weight, len(rows))
        arguments = self._arguments()
        with checked_resources(arguments.compute).running():
            scaling = self._scaling(rows, weights)
            places = rows if scaling is None else scaling.apply(rows)
            names = tuple(map(str, getattr(self, "feature_names_in_", ())))
            with in_units(rows, places, names):
                fitted = fit_rows(places, weights, arguments)
            self._keep(replace(fitted, scaling=scaling, columns=names))
            tell(self.model_.signs(), names)
            scores = self.model_.log_density(rows, compute=arguments.compute)
            self.offset_ = self._offset(scores, contamination, arguments.compute)

    def _offset(self, scores: Floats, contamination: float | None, compute: Compute) -> float:
        """Return the offset of the labels, from the log densities of the training rows, shape (n,)."""
        counts = self.model_.sample_weight
        if contamination is not None:
            return offset_at(scores, contamination, counts)
        own = leave_one_out_log_density(self.model_, scores, compute=compute)
        return discovery_offset(estimate_tail(self.model_, own), own, counts)

    def fit_predict(  # type: ignore[override]
        self, X: TableLike, y: object = None, **options: ArrayLike | None
    ) -> NDArray[np.intp]:
        """Fit the density and return the labels of the training rows, shape (n,).

        They are those of `predict`, except that with `contamination="auto"` each row is judged without its
        own kernel, which could hide it where every row has some weight. `options` are those of `fit`.
        """
        self.fit(X, y, **options)
        if read_contamination(self.contamination) is not None:
            return self.predict(X)
        return labels_of(leave_one_out_log_density(self.model_, compute=self._compute()), self.offset_)

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

    def _scaling(self, rows: Floats, weights: SampleWeight | None) -> Scaling | None:
        """Return the scaling of the rows with their weights."""
        # A kernel object brings its bandwidth, a number, along.
        has_rule = isinstance(self.kernel, str | type) or not isinstance(self.kernel, Kernel)
        scale = self.scale
        if scale is None:
            scale = default_scale(self.recipe, self.bandwidth if has_rule else 0.0)
        return read_scaling(rows, scale, sample_weight=None if weights is None else weights.given)

    def _arguments(self) -> FitArguments:
        kernel, bandwidth = read_kernel(self.kernel, self.dof, self.bandwidth)
        return FitArguments(
            kernel=kernel,
            bandwidth=bandwidth,
            loss=read_loss(self.loss, self.thresholds, self.quantiles, self.quantile_rule),
            recipe=self.recipe,
            quantiles=self.quantiles,
            quantile_rule=self.quantile_rule,
            start=self.start,
            stop=read_stop(self.stop, self.tol, self.max_iter),
            usual_stop=RelativeObjective(self.tol),
            max_iter=self.max_iter,
            solver=self.solver,
            on_degenerate=self.on_degenerate,
            compute=self._compute(),
        )

    def _keep(self, model: Rkde) -> None:
        self.model_ = model
        self.weights_ = model.weights
        self.residual_norms_ = model.residual_norms
        self.median_residual_norms_ = model.median.residual_norms
        self.bandwidth_ = model.bandwidth
        self.bandwidth_rule_ = model.bandwidth_rule
        self.thresholds_ = model.thresholds
        self.status_ = model.status
        self.converged_ = model.status is not Status.MAX_ITER
        self.n_iter_ = model.n_iter
        self.objective_path_ = model.objective_path
        self.certificate_ = model.certificate
        self.error_bound_ = model.error_bound
        self.scaling_ = model.scaling
        self.effective_sample_size_ = model.effective_sample_size
        self.zero_weight_share_ = model.zero_weight_share

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
