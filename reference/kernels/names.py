"""Not in the paper: a kernel by its class, by a function of the bandwidth, or by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mpmath import mpf

from rkde.errors import InvalidInput, InvalidType
from rkde.reference.kernels.protocol import Kernel
from rkde.reference.kernels.radial import Gaussian, Laplacian, Student
from rkde.reference.numbers import Number
from rkde.settings import check_choice
from rkde.vocabulary import KERNEL_NAMES, KernelName

KernelOfBandwidth = Callable[[mpf], Kernel]
_CLASSES: Final[dict[str, type[Gaussian] | type[Laplacian]]] = {"gaussian": Gaussian, "laplacian": Laplacian}


def kernel_family(kernel: KernelOfBandwidth | KernelName, dof: Number | None = None) -> KernelOfBandwidth:
    """Return the function from a bandwidth to a kernel that is meant; "student" needs its degrees of freedom.

    Examples
    --------
    >>> kernel_family("gaussian").__name__
    'Gaussian'
    """
    if kernel == "student":
        if dof is None:
            raise InvalidInput(
                "must be given for the Student kernel", where="dof", remedy="pass a number above 0, such as 3"
            )
        return lambda h: Student(h, dof)
    if dof is not None:
        raise InvalidInput(
            'must be None for a kernel other than "student"', where="dof", value=dof, remedy="leave it out"
        )
    if isinstance(kernel, str):
        check_choice(kernel, KERNEL_NAMES, "kernel")
        return _CLASSES[kernel]
    candidate: object = kernel
    if isinstance(candidate, Kernel) and not isinstance(candidate, type):
        raise InvalidType(
            "must be a kernel class, its name, or a function that takes a bandwidth and returns a kernel",
            where="kernel",
            value=kernel,
            remedy="pass the class of this kernel, whose bandwidth is fixed already",
        )
    if not callable(kernel):
        raise InvalidType(
            "must be a kernel class, its name, or a function that takes a bandwidth and returns a kernel",
            where="kernel",
            value=kernel,
            remedy='pass the class, such as Gaussian, or a name such as "gaussian"',
        )
    return kernel
