"""The gate of counts and instructions: what it reports, what passes, and its record of wanted growth."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.speed import count_cases, counts
from benchmarks.speed.callgrind import read_counts
from benchmarks.speed.counts import Change, Counted, Line, compare, judge

CASES = ("fit", "scores")
ENTRY = '[[change]]\ncase = "fit"\nreason = "one more product, for the bound"\ncommit = "abc"\n'


def fit(products: int, instructions: int) -> Counted:
    return Counted({"fit": {"products": products, "instructions": instructions}})


def reported(before: Counted, now: Counted, *wanted: str) -> list[str]:
    return judge(compare(before, now), now, wanted)


def test_equal_counts_pass() -> None:
    assert reported(fit(11, 1000), fit(11, 1000)) == []


def test_one_product_more_is_reported_with_its_numbers() -> None:
    assert reported(fit(11, 1000), fit(12, 1000)) == ["fit: 11 products before, 12 now, +9.09%"]


@pytest.mark.parametrize(("now", "count"), [(1010, 0), (1011, 1), (500, 0)])
def test_instructions_may_grow_by_one_per_cent(now: int, count: int) -> None:
    assert len(reported(fit(11, 1000), fit(11, now))) == count


def test_fewer_products_do_not_excuse_more_instructions() -> None:
    assert reported(fit(11, 1000), fit(10, 1020)) == ["fit: 1,000 instructions before, 1,020 now, +2.00%"]


def test_a_layout_with_more_misses_of_caches_is_no_growth() -> None:
    seen = []

    def measure(cases: Sequence[str], layout: int) -> tuple[Counted, Counted]:
        seen.append((tuple(cases), layout))
        both = ({"fit": 1000, "scores": 1000}, {"fit": 1000, "scores": 1012 if layout == 0 else 1003})
        before, now = (Counted({case: {"instructions": side[case]} for case in cases}) for side in both)
        return before, now

    before, now = counts.least_of_layouts(measure, CASES)
    assert seen == [(CASES, 0), (("scores",), counts.LAYOUTS[0])]
    assert now.counts == {"fit": {"instructions": 1000}, "scores": {"instructions": 1003}}
    assert judge(compare(before, now), now, ()) == []


def test_growth_in_every_layout_is_reported() -> None:
    layouts = []

    def measure(cases: Sequence[str], layout: int) -> tuple[Counted, Counted]:
        layouts.append(layout)
        return fit(11, 1000 + len(layouts)), fit(11, 1020 - len(layouts))

    before, now = counts.least_of_layouts(measure, ("fit",))
    assert layouts == [0, *counts.LAYOUTS]
    assert judge(compare(before, now), now, ()) == ["fit: 1,001 instructions before, 1,015 now, +1.40%"]


def test_wanted_growth_passes_in_its_case_only() -> None:
    before, now = (Counted({case: {"products": n} for case in CASES}) for n in (1, 2))
    assert reported(before, now, "fit") == ["scores: 1 products before, 2 now, +100.00%"]


def test_growth_from_nothing_is_reported() -> None:
    assert Line("fit", "products", 0, 1).is_worse


def test_a_number_that_only_one_side_has_is_shown_and_not_judged() -> None:
    before, now = Counted({"fit": {"products": 11}}), Counted({"fit": {"products": 11, "bytes": 8}})
    assert reported(before, now) == []
    assert str(compare(before, now)[1]).split() == ["fit", "bytes", "-", "8"]


def test_a_case_that_no_longer_runs_is_reported() -> None:
    now = Counted({}, {"fit": "TypeError: no"})
    assert reported(fit(11, 1000), now) == ["fit: does not run: TypeError: no"]


def test_a_line_of_the_table_shows_both_numbers_and_the_change() -> None:
    assert str(Line("fit", "instructions", 1_000_000, 990_000)).split() == [
        "fit", "instructions", "1,000,000", "990,000", "-1.00%",
    ]  # fmt: skip


def test_stored_counters_are_compared_at_equality() -> None:
    fewer = compare(Counted({"fit": {"products": 11}}), Counted({"fit": {"products": 10}}))
    assert counts.differences(fewer) == ["fit: 11 products stored, 10 now"]
    assert counts.differences(compare(fit(1, 2), fit(1, 2))) == []


def test_the_record_of_wanted_growth_is_read() -> None:
    assert counts.read_changes(ENTRY, CASES) == [Change("fit", "one more product, for the bound", "abc")]
    assert counts.read_changes("", CASES) == []


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (ENTRY.replace('"fit"', '"guess"'), "case must be one of fit, scores, got guess"),
        (ENTRY.replace('"abc"', '" "'), "each change must have a case, a reason and a commit"),
        (ENTRY.replace("reason", "why"), "each change must have a case, a reason and a commit"),
    ],
)
def test_an_incomplete_record_is_refused(entry: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        counts.read_changes(entry, CASES)


@pytest.fixture
def commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three commits in a repository that the gate takes for its own."""
    monkeypatch.setattr(counts, "ROOT", tmp_path)

    def git(*arguments: str) -> str:
        done = counts.git("-c", "user.name=A", "-c", "user.email=a@example.org", *arguments)
        done.check_returncode()
        return done.stdout.strip()

    git("init", "--quiet")
    made = []
    for message in ("before", "change", "after"):
        git("commit", "--quiet", "--allow-empty", "--message", message)
        made.append(git("rev-parse", "HEAD"))
    return made


def test_wanted_growth_is_in_force_until_it_is_part_of_the_revision(commits: list[str]) -> None:
    before, change, after = commits
    # Recorded with the parent while the change has no name yet, or with its own name later.
    assert counts.in_force(Change("fit", "why", before), before)
    assert counts.in_force(Change("fit", "why", change), before)
    assert not counts.in_force(Change("fit", "why", change), after)
    assert not counts.in_force(Change("fit", "why", "unknown"), before)


def test_the_base_is_where_the_branch_left_main_or_the_parent(commits: list[str]) -> None:
    assert counts.base_revision() == "HEAD^"  # there is no other branch
    counts.git("update-ref", f"refs/remotes/{counts.MAIN}", commits[2])
    assert counts.base_revision() == "HEAD^"
    counts.git("update-ref", f"refs/remotes/{counts.MAIN}", commits[0])
    assert counts.base_revision() == commits[0]


def test_counts_are_read_by_the_name_of_their_case(tmp_path: Path) -> None:
    dump = "version: 1\ndesc: Trigger: {}\nevents: Ir\nsummary: 5\nfn=(1) a\n1 5\ntotals: {}\n"
    for name, trigger, total in [
        ("counts", "Program termination", 7),
        ("counts.1", "Client Request: fit, dense", 18324262),
        ("counts.2", "Client Request: scores", 12),
    ]:
        (tmp_path / name).write_text(dump.format(trigger, total), "utf-8")
    assert read_counts(tmp_path) == {"fit, dense": 18324262, "scores": 12}


def test_a_case_without_instructions_does_not_pass_unseen() -> None:
    counted = Counted({case: {"products": 1} for case in CASES})
    with pytest.raises(SystemExit, match="counted nothing for scores"):
        counts.add_instructions(counted, {"fit": 5})


def test_the_stored_counters_and_the_record_are_of_cases_that_exist() -> None:
    assert set(json.loads(counts.STORED.read_text("utf-8"))) <= set(count_cases.CASES)
    counts.read_changes(counts.DELIBERATE.read_text("utf-8"), count_cases.CASES)
