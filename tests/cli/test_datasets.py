"""The shipped tables are the published ones, to the byte."""

import hashlib
from fractions import Fraction

import pytest

from rkde import datasets
from rkde.errors import CorruptFile, InvalidInput
from rkde.tables import TableOptions, read_table


@pytest.mark.parametrize("name", datasets.DATASETS)
def test_record_and_file_agree(name: str) -> None:
    record = datasets.DATASETS[name]
    content = datasets.content(name)
    assert record.name == name
    assert hashlib.sha256(content).hexdigest() == record.sha256
    assert content.splitlines()[0].decode() == ",".join(record.columns)
    table = datasets.load(name)
    assert len(table.rows) == record.n_rows
    assert table.names == record.measurements
    for text in (record.title, record.source, record.licence):
        assert text


@pytest.mark.parametrize(
    ("name", "sums", "rows"),
    [
        # Rows 35 and 38, counted from 1: where the UCI file differs from Fisher's print.
        ("iris", ("876.5", "458.1", "563.8", "179.8"), {34: (4.9, 3.1, 1.5, 0.1), 37: (4.9, 3.1, 1.5, 0.1)}),
        ("faithful", ("948.677", "19284"), {0: (3.6, 79.0), 1: (1.8, 54.0), 271: (4.467, 74.0)}),
    ],
)
def test_the_values_are_those_of_uci_and_of_r(
    name: str, sums: tuple[str, ...], rows: dict[int, object]
) -> None:
    table = datasets.load(name).rows
    columns = ([Fraction(repr(value)) for value in column] for column in zip(*table, strict=True))
    assert [sum(column) for column in columns] == [Fraction(total) for total in sums]
    assert {row: table[row] for row in rows} == rows


def test_iris_has_fifty_flowers_of_each_species() -> None:
    species = [line.rsplit(b",", 1)[1] for line in datasets.content("iris").splitlines()[1:]]
    assert species == [b"setosa"] * 50 + [b"versicolor"] * 50 + [b"virginica"] * 50


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InvalidInput, match="iris, faithful"):
        datasets.load("irises")


def test_a_changed_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = datasets.content("iris").replace(b"5.1", b"5.2", 1)
    assert read_table(changed, TableOptions(columns="1-4"), source="s").rows[0] == (5.2, 3.5, 1.4, 0.2)
    monkeypatch.setattr("pathlib.Path.read_text", lambda *_, **__: changed.decode())
    with pytest.raises(CorruptFile, match="dataset:iris"):
        datasets.load("iris")
