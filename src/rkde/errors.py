"""Every error and warning of the project, in one tree.

An error says *where* it arose, *which value* caused it and *what to do*; the three parts are attributes, and
the message is made of them, so a program can read what a person reads.
"""

from __future__ import annotations


class RkdeError(Exception):
    """Base of every error that this package raises on purpose.

    Parameters
    ----------
    problem : str
        What is wrong, in one clause.
    where : str, optional
        The argument, row, column, file or line concerned.
    value : object, optional
        The offending value, shown by ``repr``; ``None`` when there is none to show.
    remedy : str, optional
        What the caller can do about it.
    """

    def __init__(self, problem: str, *, where: str = "", value: object = None, remedy: str = "") -> None:
        self.problem = problem
        self.where = where
        self.value = value
        self.remedy = remedy
        prefix = f"{where}: " if where else ""
        shown = f" (got {value!r})" if value is not None else ""
        suffix = f"; {remedy}" if remedy else ""
        super().__init__(f"{prefix}{problem}{shown}{suffix}")

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Support pickling across processes: keyword arguments are not kept by `Exception` itself."""
        return _rebuild, (type(self), self.problem, self.where, self.value, self.remedy)


def _rebuild(kind: type[RkdeError], problem: str, where: str, value: object, remedy: str) -> RkdeError:
    return kind(problem, where=where, value=value, remedy=remedy)


class InvalidInput(RkdeError, ValueError):
    """An argument, a table or a request breaks a documented rule."""


class InvalidType(InvalidInput, TypeError):
    """An argument has a type that cannot be read as what is asked for."""


class DegenerateBandwidth(RkdeError, ValueError):
    """A bandwidth rule gives zero, or the data have no bandwidth under any rule."""


class DegenerateThresholds(RkdeError, ValueError):
    """The recipe's thresholds leave the loss undefined: a = 0, or no ramp between b and c."""


class AllWeightsZero(RkdeError, ValueError):
    """Every residual lies where phi is 0, so the next weights would be 0/0."""


class NotDifferentiable(RkdeError, ValueError):
    """A derivative is asked for where there is none."""


class SingularSystem(RkdeError, ArithmeticError):
    """A linear system has no unique solution."""


class NotConverged(RkdeError, RuntimeError):
    """A limit was asked for and not reached within the cap."""


class MemoryLimit(RkdeError, MemoryError):
    """The request needs more memory than the limit allows."""


class CorruptFile(RkdeError, ValueError):
    """A file is not what its name or header says."""


class RkdeWarning(UserWarning):
    """Base of every warning of this package."""


class DegenerateBandwidthWarning(RkdeWarning):
    """A bandwidth of 0 was replaced by the rule that ignores ties, as asked."""


class DegenerateThresholdsWarning(RkdeWarning):
    """The recipe ended after its first stage, as asked, because its thresholds are degenerate."""


class ModeCollapseWarning(RkdeWarning):
    """A whole cluster of rows received no weight."""


class NotConvergedWarning(RkdeWarning):
    """The iteration cap was reached."""
