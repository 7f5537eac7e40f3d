"""Cells, verdicts and the written report, from made-up results whose ranks are known."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.paper import cells, facts, sizes
from benchmarks.paper.cells import Cell, Chosen, Comparison, Layer, holm, ranked, row, same_side
from benchmarks.paper.claims import AGREES, DIRECTION, DISAGREES, NO_DIFFERENCE, cell_verdict, significant
from benchmarks.paper.document import write_documents
from benchmarks.paper.methods import TITLES
from benchmarks.paper.packed import pack, unpack
from benchmarks.paper.report import findings, ledger_data
from benchmarks.paper.results import Results, read_results
from benchmarks.paper.running import units
from benchmarks.paper.sensitivity import compare_all, outlying_sets, shifts
from benchmarks.paper.sets import SETS
from benchmarks.paper.sizes import size
from benchmarks.paper.store import Store, StoreError
from benchmarks.paper.unit import Unit
from benchmarks.paper.variants import VARIANTS
from rkde.proofs_checks.check_ranks import exact_p_value
from rkde.proofs_checks.printed_tables import Cell as PrintedCell

PARTITIONS = 5
DETECTION = ("auc", "flushed", "detected_01", "detected_05", "detected_10", "held_out")
# The first partition is older than the rest: it does not record the instruction sets.
MADE_WITH = ({"revision": "def", "numpy": "2.0"}, {"revision": "abc", "numpy": "2.0", "simd": "X86_V3"})
ROOT = Path(__file__).resolve().parents[2]


def entry(rng: np.random.Generator, methods: tuple[str, ...]) -> dict[str, Any]:
    def drawn(names: Sequence[str], **more: float) -> dict[str, float]:
        return {**{name: float(rng.random()) for name in names}, **more}

    def fit() -> dict[str, Any]:
        return {"iterations": int(rng.integers(2, 40)), "status": "converged", "collapse": False}

    shares = {"contaminating": 0.01, "below_uniform": 1.0, "zero": 0.5}
    shares |= {"below_uniform_nominal": 0.25, "zero_nominal": 0.125}
    exact = {"draws": 240, "finite_mean": 1.0, "n_infinite": 0, "standard_error": 0.5}
    own = ("rkde", "rkde-authors")
    units = {"log_alpha_unit": 0.0, "log_beta_unit": 0.0}
    return {
        "n": 120,
        "bandwidth": 1.0,
        "rule": "median_nn",
        "fits": {name: fit() for name in (*own, "huber", "median")},
        "weights": dict.fromkeys(own, shares),
        "divergence": {name: drawn(("kl", "shared"), **exact) for name in methods if name != "depth"},
        "auc": {name: drawn(DETECTION) for name in methods},
        "influence": {
            "units": units,
            **{name: drawn(("alpha", "beta"), alpha_magnitude=1.0) for name in ("kde", *own, "huber")},
        },
    }


def made_up(seed: int = 7) -> Results:
    rng = np.random.default_rng(seed)
    origin = {"origin": "seeded permutation", "source": "local", "exactness": "exact", "content": "0" * 64}
    records: dict[str, dict[str, list[Any]]] = {}
    for variant in VARIANTS.values():
        methods = tuple(TITLES) if variant.name == "base" else variant.methods
        records[variant.name] = {
            name: [
                {
                    **origin,
                    "nominal": 0,
                    "n_nominal": 100,
                    "seconds": 1.0,
                    "partition": number + 1,
                    "made_with": MADE_WITH[min(number, 1)],
                    "epsilons": {f"{epsilon:.2f}": entry(rng, methods) for epsilon in variant.epsilons},
                }
                for number in range(PARTITIONS)
            ]
            for name in variant.sets
        }
    for record in records["mnist-byte-2s2"]["mnist01"]:
        record.update(epsilons={}, failed="no components")
    return Results(records)


def part(field: str, values: dict[str, Any], ratio: str = "0.00") -> dict[str, Any]:
    """Make the record of a partition that has one ratio and one field of it."""
    return {"epsilons": {ratio: {field: values}}}


def constant(values: dict[str, tuple[float, float]], measure: str = "kl") -> Results:
    """Make results in which the RKDE and the KDE have these values on each set, in every partition."""
    field = {"kl": "divergence", "auc": "auc"}[measure]

    def both(pair: tuple[float, float]) -> dict[str, Any]:
        found = ({measure: value, "standard_error": 0.5} for value in pair)
        return dict(zip(("rkde", "kde"), found, strict=True))

    return Results({"base": {name: [part(field, both(pair))] * PARTITIONS for name, pair in values.items()}})


def cell(results: Results, measure: str = "kl", chosen: Chosen | None = None) -> Cell:
    """Return the one cell that compares the RKDE with the KDE without contamination."""
    (found,) = row(results, measure, ("rkde", "kde"), ("0.00",), chosen or Chosen())
    return found


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "RESAMPLES", 8)
    monkeypatch.setattr(sizes, "RESAMPLES", 64)


def test_the_smaller_divergence_and_the_larger_area_win() -> None:
    values = {"banana": (1.0, 2.0), "heart": (5.0, 1.0), "iris": (0.0, 7.0)}
    kl = cell(constant(values))
    area = cell(constant(values, "auc"), "auc")
    assert (kl.rank_sum_1, kl.rank_sum_2, kl.wins, kl.sets) == (4, 2, 2, 3)
    assert (area.rank_sum_1, area.rank_sum_2) == (2, 4)
    assert kl.effect == 1 / 3
    assert kl.block_sums == (4.0,) * cells.BLOCKS
    assert -1 <= kl.low <= kl.high <= 1


def test_sets_within_the_noise_of_the_draws_are_counted() -> None:
    # 5 partitions with standard errors of 0.5 on both sides: two of the difference are 0.632.
    values = {"banana": (1.0, 1.64), "heart": (1.0, 1.62), "iris": (0.5, 0.0)}
    kl = cell(constant(values))
    area = cell(constant(values, "auc"), "auc")
    assert (kl.unclear, area.unclear) == (2, 0)


def stored(folder: Path, sets: tuple[str, ...], partitions: int, record: Callable[[Unit], Any]) -> Results:
    """Write the record of each unit but those without one, and read the results."""
    store = Store(folder)
    for unit in units(partitions=partitions, sets=sets, variants=("base",)):
        if (found := record(unit)) is not None:
            store.write(unit, found)
    return read_results(store, sets=sets)


def test_what_is_read_is_whole_and_of_one_source(tmp_path: Path) -> None:
    def of_two(unit: Unit) -> dict[str, str]:
        return {"source": ("local", "pip")[unit.partition - 1], "content": "0"}

    def but_one(unit: Unit) -> dict[str, str] | None:
        return None if (unit.set, unit.partition) == ("thyroid", 3) else {}

    with pytest.raises(StoreError, match=r"base, heart, partition 1 lacks the ratios 0\.05"):
        stored(tmp_path / "short", ("heart",), 1, lambda _: {"epsilons": {"0.00": {}}, "partition": 1})
    with pytest.raises(StoreError, match=r"units of heart from several sources \(local and pip\)"):
        stored(tmp_path, ("heart",), 2, of_two)
    sets = ("heart", "thyroid")
    whole = stored(tmp_path / "rounds", sets, 3, but_one)
    assert whole.partitions() == {"heart": 2, "thyroid": 2}


def test_two_infinite_divergences_are_a_tie() -> None:
    values = {"banana": (math.inf, math.inf), "heart": (1.0, math.inf), "iris": (3.0, 2.0)}
    kl = cell(constant(values))
    # The tie counts for method 2, with the lowest rank; or not at all.
    assert (kl.zeros, kl.rank_sum_1, kl.rank_sum_2) == (1, 3, 3)
    dropped = cell(constant(values), chosen=Chosen(ties="dropped"))
    assert (dropped.zeros, dropped.rank_sum_1, dropped.rank_sum_2) == (1, 2, 1)


def test_the_printed_rank_sums_of_a_row_with_a_tie() -> None:
    # Table 3 at ratio 0: fifteen sets, one without a difference, R_1 + R_2 = 120.
    gaps = [0.0, 2.0, 3.0, 4.0, *(-k for k in range(5, 16))]
    found = ranked(gaps)
    assert (found.rank_sum_1, found.rank_sum_2, found.zeros) == (9, 111, 1)
    assert found.p_value == float(exact_p_value(9, 15))
    assert ranked([0.0, 0.0]).rank_sum_2 == 3


def test_layers_are_taken_in_turn() -> None:
    results = made_up()
    both = Chosen((Layer("swap", ("heart", "mnist01")), Layer("swap-mnist")))
    assert both.variant("heart", "rkde") == "swap"
    assert both.variant("banana", "rkde") == "base"
    assert both.variant("mnist01", "rkde") == "swap-mnist"
    asked = Comparison("auc", "rkde", "kde", "0.20")
    whole = dict(zip(SETS, cells.differences(results, asked, both, slice(None)), strict=True))
    for name, variant in (("heart", "swap"), ("banana", "base"), ("mnist01", "swap-mnist")):
        pair = [results.average("auc", method, "0.20", name, variant) for method in ("rkde", "kde")]
        assert whole[name] == pair[0] - pair[1]  # type: ignore[operator]


def test_sets_can_be_left_out_and_a_relative_difference_has_no_scale() -> None:
    values = {"banana": (1.0, 2.0), "heart": (500.0, 100.0), "iris": (0.2, 0.7)}
    one = cell(constant(values), chosen=Chosen(names=("banana",)))
    assert (one.sets, one.rank_sum_1, one.rank_sum_2) == (1, 1, 0)
    # -1/2, 4 and -5/7 of the second value.
    relative = cell(constant(values), chosen=Chosen(relative=True))
    assert (relative.rank_sum_1, relative.rank_sum_2) == (3, 3)


def test_a_set_without_a_result_is_not_taken_from_the_paper_setting() -> None:
    results = made_up()
    failed = Chosen((Layer("mnist-byte-2s2"),), first=5)
    (changed,) = row(results, "auc", ("rkde", "kde"), ("0.20",), failed)
    assert changed.sets == len(SETS) - 1
    # Sets and methods that a variant leaves alone are those of the paper's setting.
    (ours,) = row(results, "auc", ("kde", "vkde"), ("0.20",))
    (same,) = row(results, "auc", ("kde", "vkde"), ("0.20",), Chosen((Layer("hazen"),), first=5))
    assert ours == same
    compared = compare_all(results, ("0.20",))
    texts = {one.text for one in compared}
    for name, variant in VARIANTS.items():
        if name.startswith("mnist-"):
            assert (f"MNIST: {variant.text}" in texts) == (name != "mnist-byte-2s2")
    assert facts.failures(results) == {"mnist-byte-2s2": (PARTITIONS, PARTITIONS, "no components")}


def test_fewer_partitions_than_blocks_leave_no_empty_block() -> None:
    values = {name: (1.0, 2.0 + k) for k, name in enumerate(SETS)}
    results = constant(values)
    short = Results({"base": {name: found[:2] for name, found in results.records["base"].items()}})
    kl = cell(short)
    assert kl.block_sums == (120.0, 120.0)
    assert kl.block_effects == (1.0, 1.0)
    assert not kl.settled


def test_a_leader_is_settled_where_no_block_has_another() -> None:
    for low, settled in ((1.0, True), (3.0, False)):
        records = constant(dict.fromkeys(SETS, (1.0, 2.0))).records["base"]
        for found in records.values():
            values = {"rkde": {"kl": low, "standard_error": 1.0}, "kde": {"kl": 2.0, "standard_error": 1.0}}
            found[0] = part("divergence", values)
        kl = cell(Results({"base": records}))
        assert kl.rank_sum_1 == 120
        assert kl.settled is settled


def test_a_choice_is_told_from_noise_block_by_block() -> None:
    # Pima is the only set that the KDE wins, by the largest difference: without it the lead is significant.
    values = {name: (1.0, 2.0 + k) for k, name in enumerate(list(SETS)[:6])} | {"pima": (99.0, 1.0)}
    ours = cell(constant(values))
    other = cell(constant(values), chosen=Chosen(names=tuple(list(SETS)[:6])))
    assert (ours.rank_sum_1, ours.rank_sum_2, other.rank_sum_1) == (21, 7, 21)
    assert not significant(ours)
    assert significant(other)
    # The rank sum is the same and the effect is not.
    assert same_side(other.effect - ours.effect, shifts(ours, other))
    assert not same_side(0.0, shifts(ours, ours))
    assert not same_side(1.0, [1.0] * (cells.BLOCKS - 1) + [-1.0])
    assert not same_side(1.0, [1.0] * (cells.BLOCKS - 1))


def test_holm_by_hand() -> None:
    # Ordered: 1/16 * 4, 1/8 * 3, 1/4 * 2, 3/4 * 1.
    assert holm([0.75, 0.0625, 0.25, 0.125]) == [0.75, 0.25, 0.5, 0.375]
    # A later one is at least as large as an earlier one, and none exceeds 1.
    assert holm([0.375, 0.5, 0.75]) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("rank_sum", "statistic", "verdict"), [(101, 19, AGREES), (80, 40, DIRECTION), (40, 40, DISAGREES)]
)
def test_verdict_of_a_cell(rank_sum: int, statistic: int, verdict: str) -> None:
    values = {name: (1.0, 2.0 + k) for k, name in enumerate(SETS)}
    ours = cell(constant(values))
    printed = PrintedCell("0.00", rank_sum, 120 - rank_sum, statistic, "")
    assert cell_verdict(ours, printed) == verdict
    # One set wins by little and fourteen lose or win: neither difference is significant.
    even = {name: (1.0, 2.0 + k) if k % 2 else (2.0 + k, 1.0) for k, name in enumerate(SETS)}
    ours = cell(constant(even))
    assert (cell_verdict(ours, printed) == NO_DIFFERENCE) == (statistic > 25)


def test_gains_are_told_set_by_set_with_their_errors() -> None:
    records = {
        name: [part("auc", {"rkde": {"auc": first}, "kde": {"auc": 0.5}}) for first in firsts]
        for name, firsts in (("banana", (0.5, 0.53)), ("heart", (0.49, 0.49)), ("iris", (0.5, 0.508)))
    }
    found = size(Results({"base": records}), Comparison("auc", "rkde", "kde", "0.00"))
    assert [round(gain.mean, 9) for gain in found.gains] == [1.5, -1.0, 0.4]
    assert [round(gain.error, 9) for gain in found.gains] == [1.5, 0.0, 0.4]
    assert (found.won, found.lost, round(found.median, 9)) == (1, 1, 0.4)
    assert (found.best.name, found.worst.name) == ("banana", "heart")
    assert found.low < found.mean < found.high


def test_a_partition_without_one_of_the_values_is_no_pair() -> None:
    # A density that refuses the rows of a partition leaves the others in their places.
    def entries(*values: float | None) -> list[Any]:
        return [part("auc", {} if value is None else {"rkde": {"auc": value}}) for value in values]

    results = Results({"base": {"iris": entries(0.1, 0.2, 0.3)}, "rivals": {"iris": entries(0.4, None, 0.6)}})
    pairs = results.pairs("auc", ("rkde", "base"), ("rkde", "rivals"), "0.00", "iris")
    assert pairs == [(0.1, 0.4), (0.3, 0.6)]


def test_the_class_that_is_detected_better() -> None:
    def one(*values: float) -> list[Any]:
        return [part("auc", {"kde": {"auc": value}}) for value in values]

    records = {
        "base": {"iris": one(0.9), "heart": one(0.4, 0.1), "banana": one(0.7), "pima": one(0.5, 0.9)},
        # Less than a point is no difference, and only partitions that both have are compared.
        "swap": {"iris": one(0.8), "heart": one(0.7, 0.2), "banana": one(0.705), "pima": one(0.6)},
    }
    assert outlying_sets(Results(records)) == ("heart", "pima")


def test_packed_numbers_are_those_of_the_run(tmp_path: Path) -> None:
    results = made_up()
    pack(results, tmp_path, "2000-01-01")
    read, date = unpack(tmp_path)
    assert date == "2000-01-01"
    assert {name: list(found) for name, found in read.records.items()} == {
        name: list(found) for name, found in results.records.items()
    }
    before, after = (one.values("auc", "rkde", "0.20", "heart") for one in (results, read))
    assert [float(f"{value:.9g}") for value in before] == after
    # What is read is written as it was, so that a report from it says the same.
    pack(read, tmp_path / "again", date)
    packed, again = (sorted((folder / "units").iterdir()) for folder in (tmp_path, tmp_path / "again"))
    assert [path.name for path in packed] == [path.name for path in again]
    assert len(packed) == len(SETS) + 1
    assert all(one.read_bytes() == two.read_bytes() for one, two in zip(packed, again, strict=True))
    path = tmp_path / "units" / "heart.jsonl.xz"
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(StoreError, match=r"heart.jsonl.xz is damaged"):
        unpack(tmp_path)
    with pytest.raises(StoreError, match=r"must hold packed numbers"):
        unpack(tmp_path / "none")


def test_the_report_holds_what_the_results_do(tmp_path: Path) -> None:
    results = made_up()
    found = findings(results, "2000-01-01")
    text, *others = (page.read_text("utf-8") for page in write_documents(found, tmp_path))
    tables = others[0]
    for made in found.readings.rows.values():
        for cell in made:
            assert cell.rank_sum_1 + cell.rank_sum_2 == 120
            assert cell.statistic == min(cell.rank_sum_1, cell.rank_sum_2)
            assert cell.p_value == float(exact_p_value(int(cell.statistic), 15))
            assert f"**{cell.rank_sum_1:g}**" in tables
    expected = np.mean([
        record["epsilons"]["0.20"]["auc"]["rkde"]["auc"] for record in results.records["base"]["heart"]
    ])  # fmt: skip
    assert "**5 of the paper's 100 partitions of each set" in text
    assert "2000-01-01" in text
    assert "leading components in 5 of 5 units (no components)" in others[1]
    for one in found.statements:
        assert f"| {one.text} | **{one.verdict}** | {one.finding} |" in text
    # Units of two revisions in one store are not passed over.
    assert "(revision abc and def, numpy 2.0, simd X86_V3 and not recorded)" in text
    ledger = json.loads(json.dumps(ledger_data(found)))
    assert ledger["provenance"]["seed"] == 2012
    average = ledger["averages"]["auc"]["rkde"]["heart"][ledger["ratios"].index("0.20")]
    assert f"{average:.9f}" == f"{expected:.9f}"
