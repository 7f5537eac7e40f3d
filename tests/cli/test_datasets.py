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


def column_sums(name: str) -> list[Fraction]:
    """Return the exact sum of each column, the numbers read as decimals."""
    columns = zip(*datasets.load(name).rows, strict=True)
    return [sum((Fraction(repr(value)) for value in column), Fraction(0)) for column in columns]


def test_iris_has_the_uci_values() -> None:
    table = datasets.load("iris")
    assert column_sums("iris") == [Fraction(s) for s in ("876.5", "458.1", "563.8", "179.8")]
    # Rows 35 and 38, counted from 1: where the UCI file differs from Fisher's print.
    assert table.rows[34] == table.rows[37] == (4.9, 3.1, 1.5, 0.1)
    species = [line.rsplit(b",", 1)[1] for line in datasets.content("iris").splitlines()[1:]]
    assert species == [b"setosa"] * 50 + [b"versicolor"] * 50 + [b"virginica"] * 50


def test_faithful_has_the_values_of_r() -> None:
    table = datasets.load("faithful")
    assert table.rows[:2] == ((3.6, 79.0), (1.8, 54.0))
    assert table.rows[-1] == (4.467, 74.0)
    assert column_sums("faithful") == [Fraction("948.677"), Fraction(19284)]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InvalidInput, match="iris, faithful"):
        datasets.load("irises")


def test_a_changed_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = datasets.content("iris").replace(b"5.1", b"5.2", 1)
    assert read_table(changed, TableOptions(columns="1-4"), source="s").rows[0] == (5.2, 3.5, 1.4, 0.2)
    monkeypatch.setattr("pathlib.Path.read_text", lambda *_, **__: changed.decode())
    with pytest.raises(CorruptFile, match="dataset:iris"):
        datasets.load("iris")
