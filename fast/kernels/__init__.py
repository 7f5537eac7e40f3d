"""The kernels of section 2, their convolutions with themselves, and draws from them."""

from rkde.fast.kernels.convolution_table import OverlapProfile
from rkde.fast.kernels.protocol import Kernel
from rkde.fast.kernels.radial import (
    Gaussian,
    KernelOfBandwidth,
    Laplacian,
    Student,
    checked_kernel,
    kernel_family,
    log_profiles,
)
from rkde.fast.kernels.sampling import draw_mixture

__all__ = [
    "Gaussian",
    "Kernel",
    "KernelOfBandwidth",
    "Laplacian",
    "OverlapProfile",
    "Student",
    "checked_kernel",
    "draw_mixture",
    "kernel_family",
    "log_profiles",
]
