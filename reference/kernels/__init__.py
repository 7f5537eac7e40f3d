"""The kernels of section 2 and their convolutions with themselves."""

from rkde.reference.kernels.protocol import Kernel, checked_kernel, squared_distance
from rkde.reference.kernels.radial import Gaussian, Laplacian, Student

__all__ = [
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Student",
    "checked_kernel",
    "squared_distance",
]
