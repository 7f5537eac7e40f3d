"""Every error and warning of the project, in one tree.

An error states *where* it arose, *which value* caused it and *what to do*. The three parts are attributes,
and the message is composed of them, so that a program can read what a person reads.
"""

import typing


class RkdeError(Exception):
    """Base of every error that this package raises on purpose.

    Parameters
    ----------
    problem : str
        Where an argument is at fault, the rule that it breaks, which begins with "must"; otherwise what
        happened, as a clause.
    where : str, optional
        The argument, row, column, file or line concerned: the subject of "must".
    value : object, optional
        The offending value, shown by ``repr`` after "got"; beside a clause, a measurement, shown in
        parentheses. The attribute is ``None`` where it was left out.
    remedy : str, optional
        What the caller can do about it, in the imperative.

    Examples
    --------
    >>> print(RkdeError("must be above 0", where="bandwidth", value=-1.0, remedy="pass a positive number"))
    bandwidth must be above 0, got -1.0; pass a positive number
    >>> print(RkdeError("the table is empty", where="t.csv", remedy="add a row"))
    t.csv: the table is empty; add a row
    """

    def __init__(self, problem: str, *, where: str = "", value: object = ..., remedy: str = "") -> None:
        self.problem = problem
        self.where = where
        self.value = None if value is ... else value
        self._has_value = value is not ...
        self.remedy = remedy
        suffix = f"; {remedy}" if remedy else ""
        super().__init__(f"{_subject(where, problem)}{problem}{_shown(problem, value)}{suffix}")

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Support pickling across processes: keyword arguments are not kept by `Exception` itself."""
        value = self.value if self._has_value else ...
        return _rebuild, (type(self), self.problem, self.where, value, self.remedy)

    def restated(
        self, *, problem: str | None = None, where: str | None = None, remedy: str | None = None
    ) -> typing.Self:
        """Return the same error in the words of a caller, with another problem, place or remedy."""
        return type(self)(
            self.problem if problem is None else problem,
            where=self.where if where is None else where,
            value=self.value if self._has_value else ...,
            remedy=self.remedy if remedy is None else remedy,
        )


def _is_rule(problem: str) -> bool:
    return problem.startswith("must ")


def _subject(where: str, problem: str) -> str:
    """Return what stands before the problem: the subject of a rule, or the place of what happened."""
    if not where:
        return ""
    if not _is_rule(problem):
        return f"{where}: "
    return f"{where}, " if ", " in where else f"{where} "


def _shown(problem: str, value: object) -> str:
    """Return the value after "got", or in parentheses, where text needs no quotation marks."""
    if value is ...:
        return ""
    if _is_rule(problem):
        return f", got {value!r}"
    return f" ({value})"


def _rebuild(kind: type[RkdeError], problem: str, where: str, value: object, remedy: str) -> RkdeError:
    return kind(problem, where=where, value=value, remedy=remedy)


class InvalidInput(RkdeError, ValueError):
    """An argument, a table or a request breaks a documented rule."""


class InvalidType(InvalidInput, TypeError):
    """An argument has a type that cannot be read as what is needed."""


class DegenerateBandwidth(RkdeError, ValueError):
    """A bandwidth rule gives zero, or the data have no bandwidth under any rule.

    Attributes
    ----------
    place : tuple of float or None
        Where most of the tied rows stand, as the message says; None where it names no place.
    """

    place: tuple[float, ...] | None = None

    def at(self, place: typing.Sequence[float], names: typing.Sequence[str] = ()) -> typing.Self:
        """Return the same error with this place in its message, with the names of its columns."""
        if self.place is None:
            return self
        problem = self.problem.replace(spelled_place(self.place), spelled_place(place, names))
        error = self.restated(problem=problem)
        error.place = tuple(place)
        return error


# More columns of a place are not shown.
_SHOWN_COLUMNS: typing.Final = 4


def spelled_place(place: typing.Sequence[float], names: typing.Sequence[str] = ()) -> str:
    """Return a row as messages show it.

    Examples
    --------
    >>> spelled_place((1.5, -999.0)), spelled_place((1.5, -999.0), ("height", "mass"))
    ('(1.5, -999)', '(height 1.5, mass -999)')
    """
    # Without the sign of -0.
    shown = [f"{value + 0.0:.6g}" for value in place[:_SHOWN_COLUMNS]]
    if names:
        shown = [f"{name} {value}" for name, value in zip(names, shown, strict=False)]
    return f"({', '.join(shown)}{', ...' if len(place) > _SHOWN_COLUMNS else ''})"


class DegenerateThresholds(RkdeError, ValueError):
    """The recipe's thresholds leave the loss undefined: a = 0, or no ramp between b and c."""


class AllWeightsZero(RkdeError, ValueError):
    """Every residual lies where phi is 0, so the next weights would be 0/0."""


class NotDifferentiable(RkdeError, ValueError):
    """A derivative was requested where none exists."""


class SingularSystem(RkdeError, ArithmeticError):
    """A linear system has no unique solution."""


class NotConverged(RkdeError, RuntimeError):
    """A limit was not reached within the maximum number of steps."""


class MemoryLimit(RkdeError, MemoryError):
    """The request needs more memory than the limit allows."""


class CorruptFile(RkdeError, ValueError):
    """A file is not what its name or header says."""


class RkdeWarning(UserWarning):
    """Base of every warning of this package."""


class DegenerateBandwidthWarning(RkdeWarning):
    """A bandwidth of 0 was replaced by the rule that ignores ties, as requested."""


class DegenerateThresholdsWarning(RkdeWarning):
    """The recipe ended after its first stage, as requested, because its thresholds are degenerate."""


class SignWarning(RkdeWarning):
    """Base of the warnings about a table; `sign` is the `rkde.signs.Sign` that it says, rows included."""

    def __init__(self, text: str, sign: object = None) -> None:
        self.sign = sign
        super().__init__(text)


class RepeatedRowsWarning(SignWarning):
    """Equal or nearly equal rows weigh more than their neighbourhood explains: fillers, copies."""


class StuckColumnWarning(SignWarning):
    """A column stays at one value for many rows one after another, as of a sensor that is stuck."""


class ColumnSpreadWarning(SignWarning):
    """The bandwidth is wider than a column, as it serves columns of very different spread."""


class CounterColumnWarning(SignWarning):
    """A column counts the rows, or holds identifiers by its name."""


class RankingWarning(SignWarning):
    """The most isolated rows rank above many others, as along a curve."""


class IsolatedRowsWarning(SignWarning):
    """A few rows far from all others keep weight because they lie near each other."""


class MixedUnitsWarning(SignWarning):
    """Part of a column is a power of ten smaller, or larger, than the rest, as where two units meet."""


class ZeroWeightWarning(SignWarning):
    """More than a fifth of the rows have weight 0."""


class ModeCollapseWarning(SignWarning):
    """A mode of the plain estimate has lost more than half of its share."""


class FewRowsWarning(SignWarning):
    """There are fewer than ten rows."""


class NotConvergedWarning(RkdeWarning):
    """The iteration cap was reached."""
