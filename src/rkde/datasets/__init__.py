"""Two small tables that ship with the package, with their sources.

Their values are measurements published long ago: facts, on which nobody holds rights. The files are ours.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Final

from rkde.errors import CorruptFile, InvalidInput
from rkde.tables import Table, TableOptions, read_table


@dataclass(frozen=True, slots=True)
class Dataset:
    """What is known of a shipped table.

    Attributes
    ----------
    name : str
        The name that `load` and the command line know.
    title, source, licence : str
        What it is, where the values were published, and on which terms they may be used.
    columns : tuple of str
        Every column of the file.
    measurements : tuple of str
        The numeric columns, which are read by default.
    n_rows : int
        Number of rows.
    sha256 : str
        Digest of the text in UTF-8 with LF line ends, whatever line ends a checkout has.
    """

    name: str
    title: str
    source: str
    licence: str
    columns: tuple[str, ...]
    measurements: tuple[str, ...]
    n_rows: int
    sha256: str


_IRIS_MEASUREMENTS: Final = ("sepal_length", "sepal_width", "petal_length", "petal_width")

DATASETS: Final = MappingProxyType(
    {
        "iris": Dataset(
            name="iris",
            title="Fisher's iris flowers: four lengths in cm of 50 plants of each of three species",
            source=(
                "R. A. Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of "
                "Eugenics 7, 179-188; the values of the UCI Machine Learning Repository, whose rows 35 and "
                "38 differ from Fisher's print"
            ),
            licence="public-domain facts",
            columns=(*_IRIS_MEASUREMENTS, "species"),
            measurements=_IRIS_MEASUREMENTS,
            n_rows=150,
            sha256="c52742e50315a99f956a383faedf7575552675f6409ef0f9a47076dd08479930",
        ),
        "faithful": Dataset(
            name="faithful",
            title="Old Faithful geyser: minutes of an eruption and of the wait for the next",
            source=(
                "W. Haerdle (1991), Smoothing Techniques with Implementation in S, Springer; see also "
                "A. Azzalini and A. W. Bowman (1990), A look at some data on the Old Faithful geyser, "
                "Applied Statistics 39, 357-365; the 272 rows known from R"
            ),
            licence="public-domain facts",
            columns=("eruptions", "waiting"),
            measurements=("eruptions", "waiting"),
            n_rows=272,
            sha256="d40b983752ab7ec0b15b740089c3ca7b7b59d0c7433a029a1714d134de1e8d14",
        ),
    }
)


def content(name: str) -> bytes:
    """Return a shipped table as the bytes of its CSV file, with LF line ends.

    Parameters
    ----------
    name : str
        A key of `DATASETS`.

    Raises
    ------
    InvalidInput
        For an unknown name.
    CorruptFile
        If the installed file is not the one that was shipped.
    """
    if not isinstance(name, str) or name not in DATASETS:
        remedy = f"use one of {', '.join(DATASETS)}"
        raise InvalidInput("must be the name of a shipped table", where="dataset", value=name, remedy=remedy)
    text = resources.files(__name__).joinpath(f"{name}.csv").read_text(encoding="utf-8")
    encoded = text.encode("utf-8")
    if hashlib.sha256(encoded).hexdigest() != DATASETS[name].sha256:
        remedy = "reinstall the package"
        raise CorruptFile(
            "the installed file differs from the shipped one", where=f"dataset:{name}", remedy=remedy
        )
    return encoded


def load(name: str) -> Table:
    """Return the measurements of a shipped table.

    Parameters
    ----------
    name : str
        A key of `DATASETS`: ``iris`` or ``faithful``.

    Returns
    -------
    Table
        The columns `Dataset.measurements`, in that order.

    Raises
    ------
    InvalidInput
        For an unknown name.
    CorruptFile
        If the installed file is not the one that was shipped.

    Examples
    --------
    >>> table = load("faithful")
    >>> len(table.rows), table.names, table.rows[0]
    (272, ('eruptions', 'waiting'), (3.6, 79.0))
    """
    data = content(name)
    columns = ",".join(DATASETS[name].measurements)
    return read_table(data, TableOptions(columns, header="yes"), source=f"dataset:{name}")
