"""Data sets by name, from a local folder, pip packages, the network when asked, or a generator.

Nothing is substituted silently: what was loaded says where it came from, whether it is exact, and its
checksum; a source that cannot be had is an error that names the others.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

import numpy as np

from benchmarks.paper.loaded import CHECKSUMS, HERE, SOURCES, DataError, Loaded, Source
from benchmarks.paper.sets import SETS, Indices

FOLDER_VARIABLE: Final = "RKDE_DATA"
SIBLING: Final = HERE.parents[2] / "shared" / "data"


def load(name: str, source: Source | Literal["auto"] = "auto", folder: Path | None = None) -> Loaded:
    """Load a data set; "auto" takes the local folder if there is one, else the pip packages."""
    if name not in SETS:
        raise DataError(f"name must be the name of a data set, got {name!r}; use one of {', '.join(SETS)}")
    chosen = resolved(source, folder)
    if chosen == "local":
        return _local(name, data_folder(folder))
    return _other_source(chosen)(name)


def resolved(source: str, folder: Path | None = None) -> str:
    """Return what "auto" stands for now; any other source as it is."""
    if source != "auto":
        return source
    return "local" if data_folder(folder) is not None else "pip"


def data_folder(folder: Path | None = None) -> Path | None:
    """Return the folder given, that of the environment, or the one beside the checkout, if there is one."""
    given = folder or (Path(os.environ[FOLDER_VARIABLE]) if os.environ.get(FOLDER_VARIABLE) else None)
    if given is not None:
        return given
    return SIBLING if SIBLING.is_dir() else None


def _local(name: str, folder: Path | None) -> Loaded:
    path = (folder or SIBLING) / f"{name}.npz"
    if not path.is_file():
        raise DataError(f"{path}: no such file; set {FOLDER_VARIABLE}, or use another source")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != CHECKSUMS["sets"][name]["sha256"]:
        raise DataError(
            f"{path}: its sha256 must be {CHECKSUMS['sets'][name]['sha256']}, got {found}; get the file again"
        )
    with np.load(path) as arrays:
        X, y = arrays["X"].astype(np.float64), arrays["y"].astype(np.int64)
        published: tuple[tuple[int, Indices, Indices], ...] = ()
        if "realization" in arrays:
            published = tuple(
                (int(number), train.astype(np.intp), test.astype(np.intp))
                for number, train, test in zip(
                    arrays["realization"], arrays["train_index"], arrays["test_index"], strict=True
                )
            )
    return Loaded(name, X, y, "local", "exact", CHECKSUMS["sets"][name]["content_sha256"], published)


def _other_source(source: str) -> Callable[[str], Loaded]:
    # Imported where they are asked for: they need packages that the local folder does not.
    if source == "pip":
        from benchmarks.paper.data_pip import from_packages

        return from_packages
    if source == "online":
        from benchmarks.paper.data_online import from_network

        return from_network
    if source == "generated":
        from benchmarks.paper.data_generated import generated

        return generated
    raise DataError(f"source must be the name of a source, got {source!r}; use one of {', '.join(SOURCES)}")
