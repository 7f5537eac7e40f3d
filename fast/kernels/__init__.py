"""The kernels of section 2, their convolutions with themselves, and draws from them."""

from rkde.fast.kernels.cancellation_free import (
    are_far,
    enclosed_feature_products,
    excess_distances,
    feature_products,
)
from rkde.fast.kernels.convolution_table import OverlapProfile
from rkde.fast.kernels.names import KernelOfBandwidth, kernel_family
from rkde.fast.kernels.protocol import Kernel, checked_kernel
from rkde.fast.kernels.radial import Gaussian, Laplacian, Student, log_profiles
from rkde.fast.kernels.sampling import draw_mixture

__all__ = [
    "Gaussian",
    "Kernel",
    "KernelOfBandwidth",
    "Laplacian",
    "OverlapProfile",
    "Student",
    "are_far",
    "checked_kernel",
    "draw_mixture",
    "enclosed_feature_products",
    "excess_distances",
    "feature_products",
    "kernel_family",
    "log_profiles",
]
