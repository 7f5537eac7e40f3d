"""The layout of vector files, and the checks that go beyond their schema."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Final, cast

from rkde.adapter import Json, NotJsonError, decode, spelled
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.vectors import Case, VectorsError, digest, load_file, load_vectors
from rkde.files import reason

# Every answer has them, but which values are right depends on the implementation that answers.
OWN_PROOFS: Final = frozenset({"error_bound", "weights_error_bound"})
# Due on a kink only.
ONE_SIDED: Final = frozenset({"from_below"})
# A case whose request an earlier one has.
REPEATED: Final = "REPEATED"
# Half the digits of float64: a case with a wider tolerance tests nothing.
WIDEST: Final = Decimal("1e-8")
_GROUP_HEAD: Final = ("op", "comment", "request")


def formatted(path: Path) -> str:
    """Lay a vector file out: the header, then one line for each case. Numbers keep their spelling."""
    try:
        decoded = decode(path.read_bytes())
    except (OSError, NotJsonError) as error:
        raise VectorsError(f"{path}: {reason(error)}; choose a vector file") from error
    content = decoded.value
    if decoded.problems or not isinstance(content, dict) or not isinstance(content.get("groups"), list):
        raise VectorsError(f"{path}: this is not a vector file; choose another file")
    return laid_out(path, content)


def laid_out(path: Path, content: dict[str, Json]) -> str:
    """Lay out the content of a vector file, which `path` names in messages."""
    head = [f"{json.dumps(key)}: {spelled(value)}," for key, value in content.items() if key != "groups"]
    body = ",\n".join(_group(path, group) for group in cast(list[Json], content["groups"]))
    return "\n".join(["{", *head, '"groups": [', body, "]", "}", ""])


def lint(folder: Path) -> list[str]:
    """List what is wrong with the files of a folder.

    Result: one line for each problem: what the reader refuses, a layout that is not `formatted`, flags that
    two files explain differently, an id that does not start with its operation, the flag MUST_FAIL without an
    expected error or the reverse, a field without an expected value or with one too many, a tolerance that
    tests nothing, a request that an earlier case has without the flag REPEATED, or the reverse.
    """
    problems, explained = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            content = load_file(path)
            explained.append(content["flags"])
            if formatted(path) != path.read_text(encoding="utf-8"):
                problems.append(f"{path}: laid out differently; rkde vectors fmt repairs it")
        except VectorsError as error:
            problems.append(str(error))
            continue
        if explained[-1] != explained[0]:
            problems.append(f"{path}: its header must explain the flags as the first file does")
    if problems:
        return problems
    try:
        cases = load_vectors(folder, withdrawn=True)
    except VectorsError as error:
        return [str(error)]
    return [f"{folder}: {problem}" for problem in _case_problems(cases)]


def _case_problems(cases: list[Case]) -> list[str]:
    found = [
        f"{case.id}: the id does not start with its operation {case.op}"
        for case in cases
        if case.id.partition("/")[0] != case.op
    ]
    found += [
        f"{case.id}: the flag MUST_FAIL and an expected error must come together"
        for case in cases
        if ("MUST_FAIL" in case.flags) != bool(case.error)
    ]
    found += [f"{case.id}: {problem}" for case in cases for problem in _value_problems(case)]
    return found + _repetitions(cases)


def _repetitions(cases: list[Case]) -> list[str]:
    """List the cases whose request was asked before without the flag that says so, and the reverse."""
    problems, asked = [], set()
    for case in cases:
        request = digest(case.request)
        if request in asked and REPEATED not in case.flags:
            problems.append(f"{case.id}: another case has the same request")
        if request not in asked and REPEATED in case.flags:
            problems.append(f"{case.id}: the flag {REPEATED} is for the request of an earlier case")
        asked.add(request)
    return problems


def _value_problems(case: Case) -> list[str]:
    """List the fields that a right answer lacks or should not have, and a tolerance that tests nothing."""
    if case.error:
        return []
    due = set(ANSWER_FIELDS[case.op])
    problems = []
    for right in case.right_answers:
        lacking = sorted(due - OWN_PROOFS - right.values.keys())
        unknown = sorted(right.values.keys() - due - ONE_SIDED)
        problems += [f"the field {name} has no expected value" for name in lacking]
        problems += [f"the operation has no field {name}" for name in unknown]
    if case.tolerance > WIDEST:
        problems.append(f"a tolerance of {case.tolerance} lets wrong answers pass")
    return problems


def _group(path: Path, group: Json) -> str:
    if not isinstance(group, dict) or not isinstance(group.get("cases"), list):
        raise VectorsError(
            f"{path}: a group must have at least one case, got none; add one, or delete the group"
        )
    fields = ", ".join(f"{json.dumps(key)}: {spelled(group[key])}" for key in _GROUP_HEAD if key in group)
    cases = ",\n".join(spelled(case) for case in cast(list[Json], group["cases"]))
    return f'{{{fields}, "cases": [\n{cases}\n]}}'
