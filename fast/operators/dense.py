"""The dense operator: D = 2 (1 - kappa) as one symmetric float64 matrix, and products with it by BLAS.

D holds the squared distances |Phi(X_i) - Phi(X_j)|^2 in tau^2. Residual norms come from D and not from the
kernel matrix, because 1 - 2 f(X_i) + |f|^2 cancels where a residual is small; D has full accuracy there.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dsymv
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from rkde.errors import InvalidInput, MemoryLimit
from rkde.fast._distances import ScaledRows, scale_rows, separations
from rkde.fast.inputs import Floats, TableLike, as_table, read_only
from rkde.fast.kernels import Kernel, checked_kernel

# Entries built at once: 2**17 float64 are 1 MiB, which stays in the cache through the dozen passes over them.
_BLOCK_ENTRIES: Final = 2**17
# Squares that enter a distance are subnormal, and lose digits, below 2**-1022; D is of their size.
_LEAST_RESOLVED: Final = 2.0**-900


class DenseOperator:
    """Squared feature distances of all pairs of rows, and what follows from one product with them.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        A read-only copy of the data.
    kernel : Kernel
        The kernel.
    differences : ndarray, shape (n, n)
        D = 2 (1 - kappa), read-only, exactly symmetric, exactly 0 between equal rows; the relative error of
        an entry is a few more than d roundings.
    locations : ndarray of int, shape (n,)
        For each row the first row at distance 0 from it.
    products : int
        Products with D so far.
    kernel_evaluations : int
        Kernel values computed so far: n (n - 1) / 2.

    Raises
    ------
    InvalidType, InvalidInput
        X is no table of finite numbers.
    MemoryLimit
        The matrix of 8 n^2 bytes cannot be allocated.

    Notes
    -----
    Floors, on one core of a server without AVX-512 exponentials: the build computes n^2/2 entries at about
    1 + 0.3 d ns for distances and 15 ns for the profile; an iteration reads n^2/2 entries, 4 n^2 bytes at the
    memory's speed, by the BLAS routine for symmetric matrices (dsymv). Measured there, one thread, against
    `D @ w` by numpy: 0.81 ms against 1.30 ms at n = 2000, 3.4 ms against 6.0 ms at n = 4000. Nothing else in
    an iteration calls BLAS, so the thread pools of numpy and scipy never compete.

    Examples
    --------
    >>> from rkde.fast.kernels import Laplacian
    >>> operator = DenseOperator([[0.0], [1.0], [1.0]], Laplacian(1.0))
    >>> operator.differences[0].round(6)
    array([0.      , 1.264241, 1.264241])
    >>> operator.locations, operator.kernel_evaluations
    (array([0, 1, 1]), 3)
    """

    def __init__(self, X: TableLike, kernel: Kernel) -> None:
        self.X = read_only(as_table(X))
        self.kernel = checked_kernel(kernel)
        self.products = 0
        self.kernel_evaluations = 0
        self.differences = self._build()
        self.locations = _locations(self.differences)
        self._has_ties = bool((self.locations != np.arange(self.size)).any())
        self.differences.flags.writeable = False

    @property
    def size(self) -> int:
        """Number of rows n."""
        return int(self.X.shape[0])

    @property
    def dim(self) -> int:
        """Number of columns d."""
        return int(self.X.shape[1])

    @property
    def is_single_location(self) -> bool:
        """Whether all rows lie at one location."""
        return not self.locations.any()

    @cached_property
    def is_resolved(self) -> bool:
        """Whether every distance between unequal rows is so far from 0 that it has its full accuracy."""
        size = self.size
        step = max(1, _BLOCK_ENTRIES // size)
        blocks = (self.differences[start : start + step] for start in range(0, size, step))
        small = sum(int(np.count_nonzero(block < _LEAST_RESOLVED)) for block in blocks)
        if small == size:
            return True
        counts = np.unique(self.X + 0.0, axis=0, return_counts=True)[1]
        return small == int((counts * counts).sum())

    def product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,); reads half of D."""
        self.products += 1
        # The transpose is in Fortran order, so that BLAS gets the matrix itself and no copy of it.
        result: Floats = dsymv(1.0, self.differences.T, coefficients, lower=1)
        return result

    def residual_norms(self, weights: Floats) -> Floats:
        """Return |Phi(X_i) - f_w| in tau, shape (n,), for weights of sum 1; one product."""
        return self.residuals(weights)[0]

    def residuals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the residual norms and the size of the terms whose difference their squares are.

        r_i^2 = (D w)_i - w'D w / 2, whose terms are of the size of the residuals' own squares unless one
        location holds most of the weight. There, with S, A and B the sums of w_j, w_j D_ij and w_j w_k D_jk
        over the rows off that location, r_i^2 = S A - B / 2, in which every term is small. Rounding moves
        r_i^2 by at most about n roundings of the sum of the two terms, which is the second array.
        """
        heavy = self._heavy_rows(weights)
        rest = weights if heavy is None else np.where(heavy, 0.0, weights)
        product = self.product(rest)
        # Sums by numpy's pairwise addition: accurate, and no second BLAS in the iteration.
        among = float((rest * product).sum())
        if heavy is None:
            gain, loss = product, np.full(self.size, among / 2)
        else:
            first = int(np.argmax(heavy))
            to_heavy, mass = float(product[first]), float(weights[heavy].sum())
            gain = product + mass * self.differences[first]
            loss = np.full(self.size, mass * to_heavy + among / 2)
            gain[heavy], loss[heavy] = float(rest.sum()) * to_heavy, among / 2
        # What rounding leaves below 0 is 0.
        return np.sqrt(np.maximum(gain - loss, 0.0)), gain + loss

    def _heavy_rows(self, weights: Floats) -> NDArray[np.bool_] | None:
        if self._has_ties:
            masses = np.bincount(self.locations, weights, minlength=self.size)
            first = int(np.argmax(masses))
            return self.locations == first if masses[first] > 1 / 2 else None
        first = int(np.argmax(weights))
        return np.arange(self.size) == first if weights[first] > 1 / 2 else None

    def _build(self) -> Floats:
        size = self.size
        try:
            matrix = np.empty((size, size))
        except MemoryError:
            raise MemoryLimit(
                f"the dense matrix needs {8 * size * size} bytes",
                where="X",
                value=f"{size} rows",
                remedy="use fewer rows",
            ) from None
        step = max(1, _BLOCK_ENTRIES // size)
        scaled = scale_rows(self.X, self.kernel.bandwidth)
        memory = np.empty(step * size)
        for start in range(0, size, step):
            self._fill_rows(matrix, scaled, slice(start, min(start + step, size)), memory)
        return matrix

    def _fill_rows(self, matrix: Floats, scaled: ScaledRows, rows: slice, memory: Floats) -> None:
        """Fill some rows from the diagonal on, and the same entries below the diagonal."""
        bandwidth, squared = self.kernel.bandwidth, self.kernel.squared
        left, right = scaled.part(rows.start, rows.stop), scaled.part(rows.stop)
        upper = np.triu_indices(len(left.rows), 1)
        corner = np.zeros((len(left.rows), len(left.rows)))
        corner[upper] = self._evaluate(separations(left, left, bandwidth, squared=squared)[upper])
        matrix[rows, rows] = corner + corner.T
        beyond = self._evaluate(separations(left, right, bandwidth, squared=squared, memory=memory))
        matrix[rows, rows.stop :] = beyond
        matrix[rows.stop :, rows] = beyond.T

    def _evaluate(self, separation: Floats) -> Floats:
        self.kernel_evaluations += separation.size
        complement = self.kernel.unit_complement(separation, self.dim)
        complement *= 2
        return complement


def operator_for(X: TableLike, kernel: Kernel, operator: DenseOperator | None = None) -> DenseOperator:
    """Return the given operator if it belongs to X and the kernel, a new one if none is given.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    operator : DenseOperator, optional
        An operator to share.

    Returns
    -------
    DenseOperator

    Raises
    ------
    InvalidInput
        The operator was built for other data or another kernel.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> shared = operator_for([[0.0], [1.0]], Gaussian(1.0))
    >>> operator_for([[0.0], [1.0]], Gaussian(1.0), shared) is shared
    True
    """
    if operator is None:
        return DenseOperator(X, kernel)
    if operator.kernel != kernel or not np.array_equal(operator.X, as_table(X)):
        raise InvalidInput(
            "was built for other data or another kernel",
            where="operator",
            remedy="build it from the same X and kernel, or leave it out",
        )
    return operator


def _locations(differences: Floats) -> NDArray[np.intp]:
    size = len(differences)
    labels = np.empty(size, dtype=np.intp)
    zeros = 0
    step = max(1, _BLOCK_ENTRIES // size)
    for start in range(0, size, step):
        is_zero = differences[start : start + step] == 0
        labels[start : start + step] = is_zero.argmax(axis=1)
        zeros += int(np.count_nonzero(is_zero))
    counts = np.bincount(labels, minlength=size)
    if zeros == int((counts * counts).sum()):
        return labels
    # Distances so small that they underflow need not be transitive; then a location is what they connect.
    _, component = connected_components(csr_array((differences == 0).astype(np.int8)), directed=False)
    _, first, inverse = np.unique(component, return_index=True, return_inverse=True)
    return first[inverse.reshape(-1)].astype(np.intp)
