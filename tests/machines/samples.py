"""Records of made-up rows, for the tests of tables, page and command."""

from typing import Any


def error(error: float, bound: float, case: str) -> dict[str, Any]:
    return {"error": error, "bound": bound, "case": case}


def record(row: str, step: float, **changes: Any) -> dict[str, Any]:
    """Return what a row leaves, with an error of this size in the operation `step`."""
    operations = {
        "auc": {"cases": 1, "largest": error(0.0, 1e-15, "auc/one"), "nearest": error(0.0, 1e-15, "auc/one")},
        "step": {
            "cases": 2,
            "largest": error(step, 8 * step, "step/large"),
            "nearest": error(step / 4, step / 2, "step/near"),
        },
    }
    pools = [{"kernel": "Haswell", "threads": 2}, {"kernel": "Haswell", "threads": 2}]
    libraries = {"numpy": "2.0", "scipy": "1.15"}
    return {
        "row": row,
        "date": "2000-01-01",
        "revision": "abc",
        "machine": {
            "python": "3.11.0", "libraries": libraries, "pools": pools, "processor": "P", "system": "S",
        },
        "verify": {
            "passed": True, "failed": [], "cases": 3, "claims": 4, "operations": operations, "problem": "",
        },
        "tests": {"passed": 5, "failed": 0, "skipped": 6, "failures": [], "selection": [], "problem": ""},
        "skipped": None,
        "problem": "",
        **changes,
    }  # fmt: skip


BROKEN = record(
    "second",
    4e-15,
    verify={"passed": False, "failed": ["step/large"], "operations": {}, "problem": ""},
    tests={
        "passed": 4,
        "failed": 1,
        "skipped": 6,
        "failures": [{"test": "a::b", "message": "no [x]"}],
        "problem": "",
    },
)
LEFT_OUT = record("third", 1.0, skipped="no such kernel", verify=None, tests=None, machine={})
