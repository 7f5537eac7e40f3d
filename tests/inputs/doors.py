"""What stands behind each door: how an input of `cases.toml` is handed in, and what comes of it."""

import array
import gzip
import io
import json
import shlex
import tempfile
import tomllib
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import mpmath
import numpy as np
import pandas as pd
from scipy import sparse

import rkde
import rkde.reference
from rkde.conformance import VectorsError, digest, load_vectors, shipped_vectors
from rkde.errors import RkdeWarning
from tests.cli.running import assert_refused, run
from tests.conformance.asking import exchange
from tests.errors import test_model_files as forging

CASES: Final = Path(__file__).with_name("cases.toml")
X: Final = np.array(
    [
        *([0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, 2.0], [0.5, 0.5], [1.5, 1.25]),
        *([0.25, 2.0], [-0.5, 0.75], [1.25, 2.5], [2.5, 1.75], [-0.75, 1.5], [30.0, 30.0]),
    ]
)
FIRST: Final = np.arange(X.size).reshape(X.shape) == 0


WIDE: Final = np.outer(np.arange(20), np.arange(1, 8)) % 13 + np.arange(7)
FRAME: Final = pd.DataFrame(X, columns=["a", "b"])
_SMALL: Final = "a,b\n1,2\n3,4\n5,9\n2,2\n"
MODELS: Final[dict[str, Callable[[], rkde.fast.Rkde]]] = {
    "m.npz": lambda: rkde.fit(FRAME),
    "laplacian.npz": lambda: rkde.fit(FRAME, kernel=rkde.Laplacian),
    "wide.npz": lambda: rkde.fit(WIDE),
    "plain.npz": lambda: rkde.fast.rkde(X),
}


class Hostile:
    """An object whose every method fails with an error of its own."""

    def __array__(self, *_: object, **__: object) -> object:
        raise ZeroDivisionError("hostile")

    __len__ = __float__ = __array__


def sound(model: rkde.RobustKernelDensity | Any) -> bool:
    """Tell whether a fitted density is one: weights of at least 0 with the sum 1, and finite at its rows."""
    weights = model.weights
    total = abs(float(np.sum(weights)) - 1) <= len(weights) * np.finfo(float).eps
    return bool(np.isfinite(weights).all() and (weights >= 0).all() and total)


NAMES: Final[dict[str, Any]] = {
    "np": np,
    "pd": pd,
    "sparse": sparse,
    "mpmath": mpmath,
    "array": array,
    "rkde": rkde,
    "rk": rkde.fast,
    "ref": rkde.reference,
    "CTX": rkde.reference.make_context(20),
    "element": lambda m, points, weights: m.RkhsElement(points, weights, m.Gaussian(1.0)),
    "Decimal": Decimal,
    "Fraction": Fraction,
    "Estimator": rkde.RobustKernelDensity,
    "Hostile": Hostile,
    "X": X,
    "W": np.arange(1.0, 13.0),
    "FIRST": FIRST,
    "HOLE": np.where(FIRST, np.nan, X),
    "masked": np.ma.masked_array,
    "nan": float("nan"),
    "inf": float("inf"),
    "sound": sound,
}


@dataclass(frozen=True)
class Case:
    """One input and its outcome."""

    door: str
    input: str
    error: str = ""  # the class, kind or exit code of the refusal
    says: str = ""  # a fragment of the message
    gives: str = ""  # where it is taken, an expression about the answer `it` that is true

    def __repr__(self) -> str:
        return f"{self.door}: {self.input[:60]}"


@dataclass(frozen=True)
class Outcome:
    """What came of an input: the refusal's class and message, or an answer."""

    error: str = ""
    message: str = ""
    answer: Any = None


def read_cases() -> list[Case]:
    """Return the cases of the file, in its order."""
    doors: dict[str, list[dict[str, str]]] = tomllib.loads(CASES.read_text("utf-8"))
    return [Case(door.replace("-", " "), **fields) for door, entries in doors.items() for fields in entries]


def evaluated(expression: str, **named: object) -> Any:
    """Return the value of an expression of the file."""
    return eval(expression, {**NAMES, **named})  # noqa: S307 (the project's own file)


def _in_python(text: str, _: Path) -> Outcome:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        try:
            return Outcome(answer=evaluated(text))
        except Exception as error:  # noqa: BLE001 (what it is is the question)
            return Outcome(type(error).__name__, str(error))


def _in_a_shell(text: str, folder: Path) -> Outcome:
    _write_tables(folder)
    before = _contents(folder)
    result = run(*shlex.split(text))
    if result.exit_code == 0:
        return Outcome(answer=result.stdout)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return Outcome(type(result.exception).__name__, str(result.exception))
    assert_refused(result, (), result.exit_code)
    assert _contents(folder) == before
    return Outcome(str(result.exit_code), result.stderr)


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _write_tables(folder: Path) -> None:
    """Write the tables and the model that the commands of the file read."""
    text = "a,b\n" + "".join(f"{first},{second}\n" for first, second in X.tolist())
    packed = gzip.compress(text.encode(), mtime=0)
    contents: dict[str, bytes] = {
        "t.csv": text.encode(),
        "narrow.csv": b"a\n1\n2\n",
        "renamed.csv": b"c,d\n1,2\n",
        "t.csv.gz": packed,
        "cut.csv.gz": packed[:-9],
        "twice.csv.gz": gzip.compress(packed),
        "large.csv": b"1e308\n-1e308\n1.7e308\n0\n1\n2\n",
        "tiny.csv": b"5e-324\n1e-323\n1e-310\n0\n-5e-324\n2e-323\n",
        "same.csv": 12 * b"1,2\n",
        "one.csv": b"1,2\n",
        "names.csv": b"a,b\n1,2\na,b\n2,3\n",
        "notes.csv": b"# a\n# b\nx\ty\n1\t2\n",
        "markers.csv": b"a,b\n1,2\n2,<5\n3,4\n4,5\n",
        "money.csv": b"a,b\nx,$1\ny,$2\n",
        "words.csv": b"a,b\nx,p\ny,q\n",
        "windows.csv": "größe\n1\n".encode("cp1252"),
        "page.csv": b"\n<!DOCTYPE html>\n<html><body>Log in</body></html>\n",
        "empty.csv": b"",
        "gaps.csv": b"a,b,c\n1,,2\n2,,3\n",
        "book.xlsx": zipped(sheet=b""),
        "tied.csv": b"4\n4\n4\n4\n9\n",
        "majority.csv": b"0\n0\n0\n1\n5\n",
        "two.csv": b"0\n3\n",
        "apart.csv": b"0\n100\n200\n300\n400\n",
        "counts.csv": b"count,x\n1,-1\n2,0.5\n3,2\n1,4\n",
        "zeros.csv": b"count,x\n0,1\n0,2\n0,4\n",
        "utf16.csv": _SMALL.encode("utf-16"),
        "utf32.csv": _SMALL.encode("utf-32"),
        "wide.csv": "".join(",".join(map(str, row)) + "\n" for row in WIDE.tolist()).encode(),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    for name in MODELS:
        (folder / name).write_bytes(_model_bytes(name))
    (folder / "link.csv").symlink_to("t.csv")


@cache
def _model_bytes(name: str = "m.npz") -> bytes:
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore", RkdeWarning)
        path = Path(folder) / name
        rkde.save_model(path, MODELS[name]())
        return path.read_bytes()


def _as_a_model(text: str, folder: Path) -> Outcome:
    path = folder / "m.npz"
    path.write_bytes(_model_bytes())

    def forged(change: Callable[[dict[str, Any], dict[str, Any]], object]) -> bytes:
        forging.forged(path, change)
        return path.read_bytes()

    def packed(**members: object) -> bytes:
        forging.rewrite(path, {**forging.members(path), **members})
        return path.read_bytes()

    raw = evaluated(text, raw=_model_bytes(), forged=forged, packed=packed, zipped=zipped)
    path.write_bytes(raw)
    return _in_python(f"rkde.load_model({str(path)!r})", folder)


def zipped(*, compressed: bool = False, **members: bytes) -> bytes:
    """Return a zip archive of members whose names are those of arrays."""
    buffer = io.BytesIO()
    kind = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", kind) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return buffer.getvalue()


def _to_the_adapter(text: str, _: Path) -> Outcome:
    (answer,) = exchange([evaluated(text)])
    if "error" in answer:
        return Outcome(answer["error"]["kind"], answer["error"]["message"])
    return Outcome(answer=answer)


def _as_vectors(text: str, folder: Path) -> Outcome:
    shipped = (shipped_vectors() / "auc.json").read_text("ascii")

    def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
        content = json.loads(shipped)
        change(content)
        content["digest"] = digest(content["groups"])
        return json.dumps(content).encode()

    (folder / "v").mkdir()
    (folder / "v" / "some.json").write_bytes(evaluated(text, text=shipped, changed=changed))
    try:
        return Outcome(answer=load_vectors(folder / "v"))
    except VectorsError as error:
        return Outcome(type(error).__name__, str(error))


DOORS: Final[dict[str, Callable[[str, Path], Outcome]]] = {
    "python": _in_python,
    "estimator": _in_python,
    "command line": _in_a_shell,
    "model file": _as_a_model,
    "adapter": _to_the_adapter,
    "vector file": _as_vectors,
}
