"""Tiles of the Gaussian kernel matrix by any library that keeps to the Python array API standard."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from scipy.sparse.linalg import LinearOperator

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import UNIT_ROUNDOFF, Floats, TableLike, as_count, as_table, scale_rows, sum_factor
from rkde.fast.kernels import Gaussian, Kernel, checked_kernel
from rkde.fast.operators.linear_operator import ForeignOperator
from rkde.fast.operators.tiled import NEGLIGIBLE, ExponentFactors, exponent_factors

# 32 MiB a tile: enough work for a launch on a card, and little of any memory.
_TILE_ROWS: Final = 2**11
# Units in the last place by which exp may be off. CUDA states 1, the vector functions of CPUs up to 4; a unit
# is at most two roundings.
_EXP_ULPS: Final = 4
# The type of the main memory in the DLPack protocol, by which arrays pass between libraries.
_DLPACK_CPU: Final = 1


def array_api_operator(
    X: TableLike,
    kernel: Kernel,
    like: object,
    *,
    exp_ulps: float = _EXP_ULPS,
    tile_rows: int = _TILE_ROWS,
    memory_limit: float | str | None = None,
) -> ForeignOperator:
    """Return an operator whose products are computed by the library, and on the device, of an array.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Gaussian
        The kernel.
    like : array of the library
        Any array of it in float64, such as `torch.zeros(1, dtype=torch.float64, device="cuda")`.
    exp_ulps : float
        At least the error of the library's exp in float64, in units in the last place.
    tile_rows : int
        Rows and columns of a tile.
    memory_limit : int, float, str, optional
        Bytes that may be allocated by numpy, or text such as "4GB"; by default half of what is free.

    Returns
    -------
    ForeignOperator
        Its `truncation` bounds the error of an entry, rounding included; the certificates contain it.

    Raises
    ------
    InvalidType
        The array is none of such a library, or not of float64.
    InvalidInput
        The kernel is not the Gaussian, or the rows spread so far that exponents by a matrix product would be
        wrong in D by more than 2^-40.

    Notes
    -----
    Needs the extra `array-api`. n^2 / 2 kernel evaluations a product. With e the error in D of the exponents
    (`rkde.fast.operators.tiled`), an entry of K is off by e / 2 and 2 `exp_ulps` roundings, and a sum by one
    rounding for each column of a tile and for each tile.

    Examples
    --------
    >>> operator = array_api_operator([[0.0], [1.0], [50.0]], Gaussian(1.0), np.zeros(1))  # doctest: +SKIP
    >>> operator.gram_product(np.array([0.0, 0.0, 1.0]))  # doctest: +SKIP
    array([0., 0., 1.])
    """
    from array_api_compat import array_namespace, device

    rows, kernel = as_table(X), checked_kernel(kernel)
    side = as_count(tile_rows, where="tile_rows", minimum=1)
    library = _float64_library(like, array_namespace)
    factors = _checked_factors(rows, kernel)
    tiles = _Tiles(factors, library, device(like), side)
    linear = LinearOperator((len(rows),) * 2, matvec=tiles.product, dtype=np.dtype(np.float64))
    sums = sum_factor(side + 2 * -(-len(rows) // side) + 1)
    error = (factors.error / 2 + 2 * exp_ulps * UNIT_ROUNDOFF + sums) * (1 + sum_factor(8))
    return ForeignOperator(rows, kernel, linear, entry_error=error, memory_limit=memory_limit)


class _Tiles:
    """K by tiles, each of which serves twice where it lies above the diagonal."""

    def __init__(self, factors: ExponentFactors, library: Any, device: object, side: int) -> None:
        self._library, self._device, self._side = library, device, side
        self._left, self._right = self._moved(factors.left), self._moved(factors.right)
        self._may_vanish = factors.may_vanish

    def product(self, coefficients: Floats) -> Floats:
        """Return K times coefficients."""
        xp, given = self._library, self._moved(coefficients.reshape(-1))
        size = len(coefficients)
        edges = [(first, min(first + self._side, size)) for first in range(0, size, self._side)]
        # One sum a strip: arrays of some libraries cannot be written to.
        sums = [xp.zeros_like(given[top:bottom]) for top, bottom in edges]
        for row, (top, bottom) in enumerate(edges):
            for column, (left, right) in enumerate(edges[row:], start=row):
                values = xp.matmul(self._left[top:bottom, :], self._right[:, left:right])
                if self._may_vanish:
                    values = xp.clip(values, min=NEGLIGIBLE)
                values = xp.exp(values)
                sums[row] = sums[row] + xp.matmul(values, given[left:right])
                if column > row:
                    sums[column] = sums[column] + xp.matmul(given[top:bottom], values)
        return self._returned(xp.concat(sums))

    def _moved(self, array: Floats) -> Any:
        """Return the array in the library, on the device."""
        # A copy: nothing that the library does reaches what numpy has.
        return self._library.asarray(array.copy(), dtype=self._library.float64, device=self._device)

    @staticmethod
    def _returned(array: Any) -> Floats:
        from array_api_compat import to_device

        is_here = array.__dlpack_device__()[0] == _DLPACK_CPU
        return np.array(np.from_dlpack(array if is_here else to_device(array, "cpu")), dtype=np.float64)


def _float64_library(like: Any, array_namespace: Any) -> Any:
    """Return the namespace of an array of float64."""
    try:
        library = array_namespace(like)
    except TypeError:
        library = None
    if library is None or like.dtype != library.float64:
        raise InvalidType(
            "must be a float64 array from a library that follows the array API standard, got "
            + (f"an object of type {type(like).__name__}" if library is None else f"one of {like.dtype}"),
            where="like",
            remedy='pass one such as torch.zeros(1, dtype=torch.float64, device="cuda")',
        )
    return library


def _checked_factors(rows: Floats, kernel: Kernel) -> ExponentFactors:
    """Return the factors of the exponents; refuse what has none."""
    if not isinstance(kernel, Gaussian):
        raise InvalidInput(
            "must be the Gaussian kernel for this operator",
            where="kernel",
            value=kernel,
            remedy="pass a Gaussian, or use TiledOperator, which takes every kernel",
        )
    scaled = scale_rows(rows, kernel.bandwidth)
    found = None if scaled.may_overflow else exponent_factors(scaled, kernel)
    if found is None:
        spread = float(np.ptp(rows, axis=0).max()) / kernel.bandwidth
        shown = f"a spread of {spread:.3g} bandwidths" if math.isfinite(spread) else "an infinite spread"
        raise InvalidInput(
            "must have rows near each other, so that exponents computed by a matrix product are right to "
            f"2^-40, got {shown}",
            where="X",
            remedy="leave out rows far from all others, or use TiledOperator, which takes differences",
        )
    return found
