"""Check a Python object with the golden vectors: a module, an instance, or one function of a request."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from numbers import Rational
from pathlib import Path
from typing import Final, cast

from rkde.adapter import Implementation, Json, NumberToken, answer_request
from rkde.conformance.levels import Level
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.report import all_passed, spell_digits, summarise
from rkde.conformance.running import Answer, Ask, CaseResult, Outcome, check_cases, counted
from rkde.conformance.vectors import load_vectors, shipped_vectors

# A fraction has more digits than any vector.
_QUOTIENT: Final = Context(prec=60)
_UNSUPPORTED: Final[Answer] = {"unsupported": True}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the vectors showed about an object.

    Attributes
    ----------
    results : tuple of CaseResult
        One a case.
    diagnoses : tuple of str
        What the failures look like, most of them first.

    Examples
    --------
    >>> CheckReport(results=(), diagnoses=()).passed
    False
    """

    results: tuple[CaseResult, ...]
    diagnoses: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """True if something was compared and nothing failed."""
        return all_passed(self.results)

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        """The cases that failed."""
        return tuple(result for result in self.results if result.outcome is Outcome.FAILED)

    def __repr__(self) -> str:
        """Say what passed and failed; `print` names every failure."""
        failed = len(self.failures)
        verdict = "passed" if self.passed else "not passed"
        return f"CheckReport: {verdict}, {len(self.results)} cases, {failed} failed; print it for more"

    def __str__(self) -> str:
        rows = [
            f"{row.op}: {row.passed} of {row.cases} passed, {row.failed} failed, "
            f"{row.unsupported} unsupported; least digits {spell_digits(row.worst_digits) or '-'}"
            for row in summarise(self.results)
        ]
        failed = [f"FAILED {result.id}: {result.message}" for result in self.failures]
        return "\n".join([*rows, *failed, *(f"diagnosis: {text}" for text in self.diagnoses)])


def check(
    implementation: object,
    *,
    vectors: Path | None = None,
    levels: Collection[str] = (),
    tolerance: float | None = None,
) -> CheckReport:
    """Check a Python implementation against the golden vectors.

    Parameters
    ----------
    implementation : object
        One of three things. An object or a module with a function for each operation that it has, named like
        the operation and called with the request's fields as keyword arguments (numbers as float); it returns
        a mapping of answer fields, or the bare value where the operation answers one field. Or a callable
        that takes the whole request as a mapping, `op` included, and returns the answer. Or an
        `rkde.adapter.Implementation`. An error is an exception whose class, or a base class of it, is named
        like a kind of error of the protocol; `NotImplementedError` says that something is unsupported.
    vectors : Path, optional
        A folder of vector files instead of the shipped one.
    levels : collection of str
        What decides, of {"core", "edges", "extended", "errors", "certificates"}; where none is named, all
        of them do and no field of the protocol may be missing.
    tolerance : float, optional
        An error that is passed in every case, by the measure of the protocol.

    Returns
    -------
    CheckReport
        Its text is a summary for people.

    Raises
    ------
    VectorsError
        The vectors cannot be used.
    ValueError
        There is no level of that name.

    Examples
    --------
    >>> class Mine:
    ...     def bandwidth(self, X, rule):
    ...         raise NotImplementedError
    >>> check(Mine()).passed  # nothing was compared
    False
    """
    from rkde.conformance.diagnosis.search import diagnose

    chosen = [Level(name) for name in levels]
    least = Decimal(0) if tolerance is None else Decimal(str(tolerance))
    cases = [
        replace(case, tolerance=max(case.tolerance, least))
        for case in load_vectors(vectors or shipped_vectors())
    ]
    results = check_cases(_asker(implementation), cases)
    found = tuple(str(diagnosis) for diagnosis in diagnose(cases, results))
    return CheckReport(tuple(counted(result, chosen) if chosen else result for result in results), found)


def _asker(implementation: object) -> Ask:
    if isinstance(implementation, Implementation):
        return lambda request: answer_request(implementation, request)

    def ask(request: Mapping[str, Json]) -> Answer:
        fields = cast(dict[str, Json], _as_floats(dict(request)))
        op = str(fields["op"])
        function: Callable[..., object] | None = getattr(implementation, op, None)
        try:
            if callable(function):
                del fields["op"]
                return _answer(op, function(**fields))
            if callable(implementation):
                return _answer(op, implementation(fields))
        except NotImplementedError:
            return _UNSUPPORTED
        except Exception as error:  # noqa: BLE001 -- whatever it raises is its answer
            names = [kind.__name__ for kind in type(error).__mro__]
            return {"error": {"kind": _kind(names), "message": f"{type(error).__name__}: {error}"}}
        return _UNSUPPORTED

    return ask


def _kind(names: list[str]) -> str:
    from rkde.adapter import ERROR_KINDS, INTERNAL

    return next((name for name in names if name in ERROR_KINDS), INTERNAL)


def _answer(op: str, value: object) -> Answer:
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    field, *others = ANSWER_FIELDS[op]
    if others:
        raise TypeError(f"{op} must return a mapping of its fields, {', '.join([field, *others])}")
    return {field: _plain(value)}


def _as_floats(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _as_floats(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_as_floats(entry) for entry in value]
    return float(value) if isinstance(value, NumberToken) else value


# As mpmath spells them.
_INFINITIES: Final = {"+inf": "inf"}


def _plain(value: object) -> Json:
    """Turn numbers, sequences and arrays into JSON values."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, Mapping):
        return {str(name): _plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, Rational):
        return str(_QUOTIENT.divide(Decimal(int(value.numerator)), Decimal(int(value.denominator))))
    # mpmath writes 15 digits of its numbers, whatever they hold.
    mantissa, exponent = getattr(value, "man_exp", (0, 0))
    if mantissa:
        power = Decimal(1 << abs(exponent))
        scale = _QUOTIENT.multiply if exponent > 0 else _QUOTIENT.divide
        return "-" * str(value).startswith("-") + str(scale(Decimal(int(mantissa)), power))
    to_list: Callable[[], object] | None = getattr(value, "tolist", None)
    entries = value if to_list is None else to_list()
    if type(entries) is not type(value):
        return _plain(entries)
    # What Python has no type for, such as numpy's long double, stays itself; its text has all its digits.
    text = str(value)
    return _INFINITIES.get(text, text)
