"""The kernels of section 2 and their convolutions with themselves."""

from rkde.reference.kernels.protocol import Kernel, checked_kernel, squared_distance
from rkde.reference.kernels.radial import Gaussian, KernelOfBandwidth, Laplacian, Student, kernel_family

__all__ = [
    "Gaussian",
    "Kernel",
    "KernelOfBandwidth",
    "Laplacian",
    "Student",
    "checked_kernel",
    "kernel_family",
    "squared_distance",
]
