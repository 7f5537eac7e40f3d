"""What the signs look at: kernel values between rows, near, far and beyond what an exponential can tell."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import rkde.fast as rk
from rkde.fast.kernels import Kernel
from rkde.fast.signs.evidence import kernel_values


@pytest.mark.parametrize("kernel", [rk.Gaussian(1.0), rk.Student(1.0, 3.0), rk.Laplacian(1.0)])
def test_kernel_values_are_those_of_the_profile(kernel: Kernel) -> None:
    rng = np.random.default_rng(20121)
    left = rng.standard_normal((300, 2)) * 10.0 ** rng.uniform(-3, 4, (300, 1))
    right = np.vstack([left[:40], rng.standard_normal((500, 2))])
    expected = kernel.profile(cdist(left, right, "sqeuclidean"), 2)
    found = kernel_values(kernel, left, right)
    assert (found[:40, :40].diagonal() == 1).all()
    assert ((found == 0) == (expected < np.exp(-700))).all()
    # An exponent down to -700, a few roundings off, and one rounding of the result.
    unit = np.finfo(np.float64).eps / 2
    assert (np.abs(found - expected) <= 4 * 700 * unit * expected + np.exp(-700)).all()
