"""An adapter that misbehaves in the way its first argument names; run as a program by the tests."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def hello(identity: object) -> str:
    fields = {"name": "hostile\x1b[31m", "version": "1", "protocol": 1, "operations": ["loss"]}
    return json.dumps({"id": identity, **fields}) + "\n"


def sleep() -> None:
    while True:
        time.sleep(60)


def flood(stream: int, piece: bytes) -> None:
    while True:
        os.write(stream, piece)


def misbehave(mode: str, request: dict[str, object], path: str) -> None:  # noqa: C901 -- a list of deeds
    identity = json.dumps(request["id"])
    right = json.dumps({"rho": [1], "psi": [1], "phi": [1], "q": [1], "q_left": [1]})[1:]
    answers = {
        "wrong-id": f'{{"id": 0, {right}\n',
        "text-id": f'{{"id": "{identity}", {right}\n',
        "no-id": f"{{{right}\n",
        "two-answers": f'{{"id": {identity}, {right}\n{{"id": {identity}, {right}\n',
        "not-json": "rho = 1\n",
        "empty-line": "\n",
        "nan": f'{{"id": {identity}, "rho": [NaN], "psi": [1], "phi": [1], "q": [1], "q_left": [1]}}\n',
        "nan-text": f'{{"id": {identity}, "rho": ["nan"], {right.partition(",")[2]}\n',
        "missing-field": f'{{"id": {identity}, "rho": [1]}}\n',
        "list": "[1]\n",
        "twice": f'{{"id": {identity}, "id": {identity}, {right}\n',
        "deep": "[" * 100_000 + "\n",
        "not-utf8": "",
        "many-parts": f'{{"id": {identity}, "rho": [' + "1," * 1_100_000 + f"1], {right}\n",
        "markup": f'{{"id": {identity}, "error": {{"kind": "[red]\\u001b[31m", "message": "\\u0000"}}}}\n',
        "last-words": f'{{"id": {identity}, "error": {{"kind": "InvalidInput", "message": ""}}}}\n',
        "huge": f'{{"id": {identity}, "rho": ["9e999999999999999999"], {right.partition(",")[2]}\n',
        "long": f'{{"id": {identity}, "rho": "{"x" * 3_000_000}", {right.partition(",")[2]}\n',
        "error-text": f'{{"id": {identity}, "error": "no"}}\n',
    }
    if mode in answers:
        if mode == "not-utf8":
            os.write(1, b"\xff\xfe\n")
        say(answers[mode])
    elif mode == "crash":
        sys.exit("out of luck")
    elif mode == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "silent":
        sleep()
    elif mode == "stubborn":
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        sleep()
    elif mode == "endless-line":
        flood(1, b"x" * 2**16)
    elif mode == "endless-lines":
        flood(1, b"{}\n" * 2**14)
    elif mode == "endless-errors":
        flood(2, b"no!\n" * 2**14)
    elif mode == "closes-output":
        os.close(1)
        sleep()
    elif mode == "closes-input":
        os.close(0)
        say(f'{{"id": {identity}, {right}\n')
        sleep()
    elif mode == "daemon":
        leave_a_daemon(path)
        sys.exit(1)
    elif mode == "forks":
        start = [sys.executable, "-c", "import time; time.sleep(600)"]
        children = [subprocess.Popen(start, start_new_session=session) for session in (False, True)]
        Path(path).write_text(" ".join(str(child.pid) for child in children), "ascii")
        sleep()


def leave_a_daemon(path: str) -> None:
    """Start a process that has neither this one's session, nor its environment, nor a living parent."""
    code = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(600)"
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            os.execve(sys.executable, [sys.executable, "-S", "-c", code, path], {})  # noqa: S606
        os._exit(0)
    os.wait()
    while not (Path(path).exists() and Path(path).read_text("ascii")):
        time.sleep(0.01)


def main() -> None:  # noqa: C901 -- a list of deeds
    mode, path = sys.argv[1], (sys.argv[2:] or [""])[0]
    if mode == "silent-hello":
        sleep()
    if mode == "no-reading":
        say(hello(1))
        sleep()
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "hello" and mode == "version-2":
            say(hello(request["id"]).replace('"protocol": 1', '"protocol": 2'))
        elif request["op"] == "hello" and mode == "banner":
            say("Welcome!\n" + hello(request["id"]))
        elif request["op"] == "hello":
            say(hello(request["id"]))
        elif mode == "recovers" and Path(path).exists():
            say(f'{{"id": {request["id"]}, "unsupported": true}}\n')
        elif mode == "recovers":
            Path(path).touch()
            sys.exit(3)
        else:
            misbehave(mode, request, path)
    if mode == "last-words":
        say("bye\n")
    if mode == "bad-exit":
        sys.exit(5)


main()
