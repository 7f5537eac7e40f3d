"""The tolerance of a case: what is changed, what is counted, and that conditioning shows."""

from decimal import Decimal

from rkde.adapter import Json, answer_request, decode, encode, reference_implementation
from rkde.vectors.tolerance import CHANGE, UNIT_ROUNDOFF, changed, roundings, tolerance

DIGITS = 60


def tokens(request: dict[str, Json]) -> dict[str, Json]:
    """Spell the numbers of a request as a file of vectors does."""
    return decode(encode(request)).value


def derived(request: dict[str, Json]) -> Decimal:
    lib = reference_implementation(DIGITS)
    spelt = tokens(request)
    return tolerance(spelt, answer_request(lib, spelt), lambda moved: answer_request(lib, moved))


def test_equal_numbers_change_equally_and_an_offset_stays() -> None:
    request = tokens({"op": "step", "X": [[5.5], [6.5], [6.5]], "weights": [0.25, 0.5, 0.25], "count": 3})
    for pattern in range(4):
        moved = changed(request, pattern)
        first, second, third = moved["X"]
        assert [Decimal(text) for text in first] == [Decimal("5.5")]
        assert second == third
        assert abs(Decimal(second[0]) - Decimal("6.5")) == CHANGE
        assert moved["weights"][0] == moved["weights"][2]
        assert moved["count"] == 3


def test_names_and_the_exact_numbers_of_a_loss_stay() -> None:
    moved = changed(tokens({"op": "loss", "loss": {"name": "huber", "a": 0.1}, "t": [0.5, 2, "inf"]}), 0)
    assert moved["loss"] == {"name": "huber", "a": str(Decimal("0.1") * (1 + CHANGE))}
    assert moved["t"] == [decode(b"0.5").value, 2, "inf"]


def test_roundings_grow_with_rows_columns_and_steps() -> None:
    small: dict[str, Json] = {"op": "step", "X": [[0, 0], [1, 1]], "count": 1}
    assert roundings(small) < roundings({**small, "X": [[0, 0, 0], [1, 1, 1]]})
    assert roundings(small) < roundings({**small, "X": [[0, 0], [1, 1], [2, 2]]})
    assert roundings(small) < roundings({**small, "count": 2})


def test_a_well_conditioned_case_is_asked_for_nearly_all_digits() -> None:
    found = derived({"op": "loss", "loss": {"name": "quadratic"}, "t": [0.5, 2.0]})
    assert UNIT_ROUNDOFF < found < 100 * UNIT_ROUNDOFF


def test_an_ill_conditioned_case_is_asked_for_fewer() -> None:
    near_the_end = {"op": "loss", "loss": {"name": "hampel", "a": 0.1, "b": 0.2, "c": 0.3}, "t": [0.2999999]}
    assert derived(near_the_end) > 10**5 * UNIT_ROUNDOFF
