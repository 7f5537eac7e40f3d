"""One case of `rkde verify --show`: the request, and each number that was expected and given."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from rkde.adapter import Json, spelled
from rkde.conformance import EXACT, Case, CaseResult, Outcome, as_decimal

# The entries that are furthest off, of each field.
_MOST: Final = 20
_WIDTH: Final = 26
_DIGITS: Final = 20


def show_case(case: Case, result: CaseResult) -> str:
    """Spell a case with its outcome for people."""
    lines = [
        f"{case.id} ({', '.join(case.flags)}): {case.comment}",
        f"request: {spelled(_shortened(case.request))}",
        f"outcome: {result.outcome}" + (f", {result.message}" if result.message else ""),
    ]
    answer = result.answer
    if case.error or answer is None or "error" in answer:
        expected = f"the error {case.error}" if case.error else "a value"
        return "\n".join([*lines, f"expected: {expected}", f"got: {_given(answer, result)}", ""])
    lines.append(f"tolerance: {case.tolerance:.1e}")
    rights = case.right_answers
    for i, right in enumerate(rights, 1):
        if len(rights) > 1:
            lines.append(f"right answer {i} of {len(rights)}")
        lines += _table(right.values, answer)
    return "\n".join([*lines, ""])


def _shortened(value: Json) -> Json:
    """Return a request as it is shown: of a longer list the first entries, and how many more there are."""
    if isinstance(value, dict):
        return {name: _shortened(entry) for name, entry in value.items()}
    if isinstance(value, list):
        more = [f"... {len(value) - _MOST} more"] if len(value) > _MOST else []
        return [*map(_shortened, value[:_MOST]), *more]
    return value


def _given(answer: Mapping[str, Json] | None, result: CaseResult) -> str:
    if answer is None:
        return "no answer that can be shown" if result.outcome is not Outcome.UNSUPPORTED else "unsupported"
    return spelled(dict(answer))


def _table(expected: Mapping[str, Json], answer: Mapping[str, Json]) -> Iterator[str]:
    """Yield a line for each entry of each field."""
    yield f"{'':{_WIDTH}} {'expected':{_WIDTH}} {'got':{_WIDTH}} difference"
    for name, value in expected.items():
        if name not in answer:
            yield f"{name:{_WIDTH}} {'':{_WIDTH}} not given"
            continue
        entries = list(_entries(name, value, answer[name]))
        shown = sorted(entries, key=lambda entry: entry[3], reverse=True)[:_MOST]
        for entry in entries:
            if entry in shown:
                place, right, given, difference = entry
                off = (
                    "another value"
                    if difference.is_infinite()
                    else f"{difference:.1e}"
                    if difference
                    else "0"
                )
                yield f"{place:{_WIDTH}} {right:{_WIDTH}} {given:{_WIDTH}} {off}"
        if len(entries) > len(shown):
            yield f"{name}: {len(entries) - len(shown)} more entries, none further off"


def _entries(place: str, right: Json, given: Json) -> Iterator[tuple[str, str, str, Decimal]]:
    """Yield place, expected value, given value and difference of the numbers of a field."""
    if isinstance(right, dict) and isinstance(given, dict):
        for name, value in right.items():
            yield from _entries(f"{place}.{name}", value, given.get(name))
    elif isinstance(right, list) and isinstance(given, list) and len(right) == len(given):
        for i, (goal, number) in enumerate(zip(right, given, strict=True)):
            yield from _entries(f"{place}[{i}]", goal, number)
    else:
        exact, got = as_decimal(right), as_decimal(given)
        off = Decimal(0) if right == given else Decimal("Infinity")
        if exact is not None and got is not None:
            off = EXACT.subtract(got, exact).copy_abs()
        yield place, _spelt(right), spelled(given).strip('"')[:_WIDTH], off


def _spelt(value: Json) -> str:
    """Spell an expected value; numbers with a few more digits than float64 has."""
    number = as_decimal(value)
    return f"{number:.{_DIGITS}g}" if number else spelled(value).strip('"')[:_WIDTH]
