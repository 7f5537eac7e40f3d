"""Readers of bytes that strangers made: of model files, tables, vector files, answers and requests.

Each takes bytes and may end with a documented error only. ``python -m tests.fuzzing.readers --minutes 5``
looks for bytes that end it otherwise; with `--coverage`, atheris guides the search. What it finds is written
to `found/`, and belongs into `kept/`, from where `test_readers.py` reads it ever after.
"""

import hashlib
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Final
from unittest import mock

import click
import numpy as np

import rkde
from rkde.adapter import fast_implementation
from rkde.adapter.answers import answer_line
from rkde.conformance import AnswersError, VectorsError, read_answers, shipped_vectors
from rkde.conformance.vectors import checked
from rkde.errors import RkdeError
from rkde.tables import TableOptions, read_table

HERE: Final = Path(__file__).parent
KEPT: Final = HERE / "kept"
FOUND: Final = HERE / "found"
# Bytes that mean something to one of the readers.
TOKENS: Final = (
    *(b",", b";", b"\t", b'"', b"\n", b"\r", b"\x00", b"-", b"1e400", b"nan", b"\xef\xbb\xbf", b"\xff"),
    *(b"{", b"}", b"[", b"]", b":", b"null", b"\\ud800", b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"),
    *(b"\x93NUMPY", b"'shape': (", b"'descr': '|O'", b"<f8", b"rkde-model", b"rkde-vectors"),
)
# Whose branches guide the search.
GUIDED: Final = ("rkde.adapter", "rkde.conformance", "rkde.fast.io", "rkde.tables")
# Of the vector file, so much: a whole one takes longer to check than is of use.
VECTOR_CHARACTERS: Final = 4000


@cache
def scratch() -> Path:
    """Return a file to hand bytes over by."""
    return Path(tempfile.mkdtemp()) / "file"


def read_model(data: bytes) -> None:
    """Read a model file, and use it where it is one."""
    scratch().write_bytes(data)
    try:
        model = rkde.load_model(scratch())
    except rkde.errors.CorruptFile:
        return
    logs = model.log_density(model.X)
    if np.isnan(logs).any():
        raise ValueError("a model that was read gives NaN")


def read_forged(data: bytes) -> None:
    """Read a model file whose digest is taken for right: what stands behind the digest is reached then."""
    with mock.patch("rkde.fast.io.model_file._check_digest"):
        read_model(data)


def read_csv(data: bytes) -> None:
    """Read a table."""
    for options in (TableOptions(), TableOptions(delimiter=";", decimal=",", header="yes")):
        try:
            table = read_table(data, options, source="t.csv")
        except RkdeError:
            continue
        if not np.isfinite(np.asarray(table.rows, dtype=float)).all():
            raise ValueError("a table that was read holds a number that is not finite")


def read_vectors(data: bytes) -> None:
    """Check the text of a vector file."""
    with suppress(VectorsError):
        checked(Path("some.json"), data)


def read_given_answers(data: bytes) -> None:
    """Read a file of answers."""
    scratch().write_bytes(data)
    with suppress(AnswersError):
        read_answers(scratch(), {})


def read_request(data: bytes) -> None:
    """Answer a line of the protocol, other than with the error `Internal`."""
    answer = answer_line(fast_implementation(), data)
    if isinstance(error := answer.get("error"), dict) and error["kind"] == "Internal":
        raise ValueError(str(error["message"]))


READERS: Final[dict[str, Callable[[bytes], None]]] = {
    "model": read_model,
    "forged": read_forged,
    "table": read_csv,
    "vectors": read_vectors,
    "answers": read_given_answers,
    "request": read_request,
}


@cache
def seeds(name: str) -> list[bytes]:
    """Return good bytes of a reader, and those that ended it otherwise than they may once."""
    kept = [path.read_bytes() for path in sorted(KEPT.glob(f"{name}-*"))]
    return [*_good(name), *kept]


def _good(name: str) -> list[bytes]:
    if name in ("model", "forged"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rkde.save_model(scratch(), rkde.fit([[0.0], [1.0], [1.5], [4.0]], bandwidth=1.0))
        return [scratch().read_bytes()]
    if name == "table":
        return [b"a,b\n1,2\n-3.5,4e-1\n", b'x;y\n"1,5";2\n3;4,25\n', b"1\n2\n3\n"]
    if name == "vectors":
        shipped = (shipped_vectors() / "auc.json").read_bytes()
        return [shipped[:VECTOR_CHARACTERS], b'{"format": "rkde-vectors", "version": 1}']
    hello = b'{"id": 1, "op": "hello", "protocol": 1}'
    if name == "answers":
        return [b'{"id": "auc/plain", "auc": 0.75}\n{"id": "x", "error": {"kind": "InvalidInput"}}\n', hello]
    return [
        hello,
        b'{"id": 1, "op": "loss", "loss": {"name": "huber", "a": 1}, "t": [0.5, "2e-3"]}',
        b'{"id": 1, "op": "rkde", "X": [[0], [1], [3], [9]], "loss": "hampel", "bandwidth": 1}',
        b'{"id": 1, "op": "auc", "scores": [1, 2, 2], "labels": [0, 1, 0]}',
    ]


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return bytes with a few changes: bits, tokens, pieces left out, doubled or moved."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        place, other = sorted(chance.randrange(len(found) + 1) for _ in range(2))
        kind = chance.randrange(5)
        if kind == 0 and found:
            found[min(place, len(found) - 1)] ^= 1 << chance.randrange(8)
        elif kind == 1:
            found[place:place] = chance.choice(TOKENS)
        elif kind == 2:
            del found[place : min(other, place + 16)]
        elif kind == 3:
            found[place:place] = found[place : min(other, place + 64)]
        else:
            found[place : place + 1] = chance.choice(TOKENS)
    return bytes(found)


def attempt(name: str, data: bytes) -> str:
    """Read bytes; return the traceback of whatever ended the reader otherwise than it may, or nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            READERS[name](data)
    except Exception:  # noqa: BLE001 (that is what is looked for)
        return traceback.format_exc()
    return ""


def keep(name: str, data: bytes, said: str) -> Path:
    """Write bytes that ended a reader otherwise than they may."""
    FOUND.mkdir(exist_ok=True)
    path = FOUND / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    print(f"{path}\n{said}", file=sys.stderr)  # noqa: T201 (a command)
    return path


def by_mutation(name: str, minutes: float) -> int:
    """Mutate good bytes for a while; return how many were read."""
    chance, count = random.Random(2012), 0  # noqa: S311 (no secret)
    deadline = time.monotonic() + 60 * minutes
    while time.monotonic() < deadline:
        data = mutated(chance.choice(seeds(name)), chance)
        said = attempt(name, data)
        count += 1
        if said:
            keep(name, data, said)
    return count


def by_coverage(name: str, minutes: float) -> None:
    """Let atheris look for bytes that reach new code; it ends the process."""
    import atheris

    with tempfile.TemporaryDirectory() as corpus:
        for number, data in enumerate(seeds(name)):
            (Path(corpus) / str(number)).write_bytes(data)
        dictionary = Path(corpus).with_suffix(".dict")
        words = ("".join(f"\\x{byte:02x}" for byte in token) for token in TOKENS)
        dictionary.write_text("".join(f'"{word}"\n' for word in words), encoding="ascii")

        def target(data: bytes) -> None:
            said = attempt(name, data)
            if said:
                keep(name, data, said)

        for module in [module for name, module in sys.modules.items() if name.startswith(GUIDED)]:
            for function in list(vars(module).values()):
                if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                    # In place; everything, with numpy and Python's own modules, would take minutes.
                    atheris.instrument_func(function)
        arguments = [corpus, f"-max_total_time={round(60 * minutes)}", f"-dict={dictionary}"]
        atheris.Setup(
            [sys.argv[0], *arguments, "-max_len=16384", "-rss_limit_mb=4096", "-timeout=60", "-verbosity=1"],
            target,
        )
        atheris.Fuzz()


@click.command()
@click.option("--reader", type=click.Choice(list(READERS)), multiple=True, help="Only these.")
@click.option("--minutes", type=float, default=1.0, show_default=True, help="For each reader.")
@click.option("--coverage/--mutation", default=False, help="Let atheris guide the search; one reader a run.")
def main(reader: tuple[str, ...], minutes: float, *, coverage: bool) -> None:
    """Look for bytes that end a reader otherwise than they may; exit code 1 where there are some."""
    for name in reader or READERS:
        if coverage:
            by_coverage(name, minutes)
        else:
            print(f"{name}: {by_mutation(name, minutes)} inputs read")  # noqa: T201 (a command)
    sys.exit(FOUND.exists() and any(FOUND.iterdir()))


if __name__ == "__main__":
    main()
