"""A minimal adapter in Python: one JSON request per line in, one JSON answer per line out."""

import json
import sys

import plain

ANSWERS = plain.OPERATIONS


def answer(request):
    if request["op"] == "hello":
        return {"name": "plain numpy", "version": "1", "protocol": 1, "operations": ["hello", *ANSWERS]}
    try:
        return ANSWERS.get(request.pop("op"), plain.lack)(**request)
    except plain.Refused as error:
        return {"error": {"kind": error.args[0], "message": error.args[1]}}
    except plain.Lacking:
        return {"unsupported": True}
    except Exception as error:  # noqa: BLE001 - whatever it raises, the next request is answered
        return {"error": {"kind": "Internal", "message": repr(error)}}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"id": request.pop("id"), **answer(request)}, allow_nan=False), flush=True)
