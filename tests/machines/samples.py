"""Records of made-up rows, for the tests of tables, page and command."""

from typing import Any


def error(error: float, bound: float, case: str) -> dict[str, Any]:
    return {"error": error, "bound": bound, "case": case}


def record(row: str, step: float, **changes: Any) -> dict[str, Any]:
    """Return what a row leaves, with an error of this size in the operation `step`."""
    exact = error(0.0, 1e-15, "auc/one")
    large, near = error(step, 8 * step, "step/large"), error(step / 4, step / 2, "step/near")
    operations = {
        "auc": {"cases": 1, "largest": exact, "nearest": exact},
        "step": {"cases": 2, "largest": large, "nearest": near},
    }
    pools = [{"kernel": "Haswell", "threads": 2}, {"kernel": "Haswell", "threads": 2}]
    machine = {"python": "3.11.0", "libraries": {"numpy": "2.0", "scipy": "1.15"}, "pools": pools}
    verify = {"passed": True, "failed": [], "cases": 3, "claims": 4, "operations": operations, "problem": ""}
    tests = {"passed": 5, "failed": 0, "skipped": 6, "failures": [], "selection": [], "problem": ""}
    return {
        "row": row,
        "date": "2000-01-01",
        "revision": "abc",
        "skipped": None,
        "problem": "",
        "machine": {**machine, "processor": "P", "system": "S"},
        "verify": verify,
        "tests": tests,
        **changes,
    }


BROKEN = record(
    "second",
    4e-15,
    verify={"passed": False, "failed": ["step/large"], "operations": {}, "problem": ""},
    tests={"passed": 4, "failed": 1, "skipped": 6, "failures": [{"test": "a::b", "message": "no [x]"}]},
)
LEFT_OUT = record("third", 1.0, skipped="no such kernel", verify=None, tests=None, machine={})
