"""A kernel by its class, by a function of the bandwidth, or by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import as_positive
from rkde.fast.kernels.protocol import Kernel
from rkde.fast.kernels.radial import Gaussian, Laplacian, Student
from rkde.settings import check_choice
from rkde.vocabulary import KERNEL_NAMES, KernelName

KernelOfBandwidth = Callable[[float], Kernel]
_CLASSES: Final[dict[str, type[Gaussian] | type[Laplacian]]] = {"gaussian": Gaussian, "laplacian": Laplacian}


def kernel_family(kernel: KernelOfBandwidth | KernelName, dof: float | None = None) -> KernelOfBandwidth:
    """Return the function from a bandwidth to a kernel that is meant; "student" needs its degrees of freedom.

    Examples
    --------
    >>> kernel_family("student", 3)(0.5), kernel_family("gaussian")
    (Student(bandwidth=0.5, dof=3.0), <class 'rkde.fast.kernels.radial.Gaussian'>)
    """
    if kernel == "student":
        if dof is None:
            raise InvalidInput(
                "must be given for the Student kernel", where="dof", remedy="pass a number above 0, such as 3"
            )
        degrees = as_positive(dof, where="dof")
        return lambda h: Student(h, degrees)
    if dof is not None:
        raise InvalidInput(
            'must be None for a kernel other than "student"', where="dof", value=dof, remedy="leave it out"
        )
    if isinstance(kernel, str):
        check_choice(kernel, KERNEL_NAMES, "kernel")
        return _CLASSES[kernel]
    if not callable(kernel):
        raise InvalidType(
            "must be a kernel class, its name, or a function that takes a bandwidth and returns a kernel",
            where="kernel",
            value=kernel,
            remedy='pass the class, such as Gaussian, or a name such as "gaussian"',
        )
    return kernel
