"""What the adapters of published programs share: the protocol, and numbers as JSON has them.

An adapter repairs nothing. Where the program fails, the exception becomes the answer: an error of kind
`InvalidInput` where the program itself refuses the input, `Internal` otherwise.
"""

import contextlib
import json
import math
import sys

import numpy as np

UNSUPPORTED = {"unsupported": True}


class Unsupported(Exception):
    """The program lacks what is asked for."""


def rows(value):
    return np.array(value, dtype=float)


def spell(values):
    """Numbers for JSON, which knows no infinity; a program's columns become lists."""
    values = np.asarray(values, dtype=float)
    numbers = values.reshape(-1).tolist()
    spelt = [number if math.isfinite(number) else str(number) for number in numbers]
    return spelt if values.ndim else spelt[0]


def only(condition):
    if not condition:
        raise Unsupported


def bandwidth_of(X, bandwidth="median_nn"):
    """The bandwidth of a request of `rkde`, for a program that takes a number."""
    if not isinstance(bandwidth, str):
        return float(bandwidth)
    only(bandwidth == "median_nn" and len(X) > 1)
    nearest = [min(math.dist(x, y) for j, y in enumerate(X) if j != i) for i, x in enumerate(X)]
    return float(np.median(nearest))


def serve(about, operations, refusals=(ValueError,)):
    """Answer requests until the input ends; what the program prints goes to standard error."""
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        for line in sys.stdin:
            request = json.loads(line)
            identity = request.pop("id")
            fields = answer(request, about, operations, refusals)
            print(json.dumps({"id": identity, **fields}, allow_nan=False), file=out, flush=True)


def answer(request, about, operations, refusals):
    name = request.pop("op")
    if name == "hello":
        return {**about, "protocol": 1, "operations": ["hello", *operations]}
    if name not in operations:
        return UNSUPPORTED
    try:
        with np.errstate(all="ignore"):
            return operations[name](**request)
    except Unsupported:
        return UNSUPPORTED
    except refusals as error:
        return {"error": {"kind": "InvalidInput", "message": str(error)}}
    except Exception as error:  # noqa: BLE001 -- whatever the program raises is its answer
        return {"error": {"kind": "Internal", "message": f"{type(error).__name__}: {error}"}}
