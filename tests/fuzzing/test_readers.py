"""Random bytes end no reader otherwise than they may; those that once did are kept."""

import random

import pytest

from tests.fuzzing.readers import KEPT, READERS, attempt, mutated, seeds

FEW, MANY = 40, 1000
each_reader = pytest.mark.parametrize("name", READERS)


@each_reader
def test_good_bytes_are_read(name: str) -> None:
    assert [attempt(name, data) for data in seeds(name)] == [""] * len(seeds(name))


@each_reader
@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_changed_bytes_are_read_or_refused(name: str, count: int) -> None:
    chance = random.Random(count)  # noqa: S311 (no secret)
    for _ in range(count):
        data = mutated(chance.choice(seeds(name)), chance)
        assert attempt(name, data) == "", data


def test_each_kept_input_belongs_to_a_reader() -> None:
    assert {path.name.partition("-")[0] for path in KEPT.glob("*-*")} <= set(READERS)


def test_a_reader_that_fails_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: bytes) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setitem(READERS, "table", fail)
    assert "ZeroDivisionError: planted" in attempt("table", b"1\n")
