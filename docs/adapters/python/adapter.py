"""A minimal adapter in Python: one JSON request per line in, one JSON answer per line out."""

import json
import sys

import plain

ANSWERS = plain.OPERATIONS


def answer(request):
    if request["op"] == "hello":
        return {"name": "plain numpy", "version": "1", "protocol": 1, "operations": ["hello", *ANSWERS]}
    if request["op"] not in ANSWERS:
        return {"unsupported": True}
    try:
        return ANSWERS[request.pop("op")](**request)
    except plain.Refused as error:
        return {"error": {"kind": error.args[0], "message": error.args[1]}}
    except plain.Lacking:
        return {"unsupported": True}
    except Exception as error:  # noqa: BLE001 - whatever the program raises is an answer, and the next request is asked
        return {"error": {"kind": "Internal", "message": repr(error)}}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request.pop("id"), **answer(request)}, allow_nan=False), flush=True)
