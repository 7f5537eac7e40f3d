"""Run a random sample of mutants of the rooms that compute and judge, and print those that no test notices.

    python -m tests.mutation --sample 1000        those of the first 1000 that were not run yet
    python -m tests.mutation --survivors          once more those that no test noticed, with the current tests
    python -m tests.mutation --again 20           20 that a test noticed: are they still noticed?
    python -m tests.mutation --idle               tests that notice none of many mutants whose lines they run
    python -m tests.mutation --report --write     tests/MUTATION.md, from the store; nothing is run

What the repository keeps (`judged.jsonl`) is not run once more. The command can be interrupted at any time,
and works at the lowest priority, in copies of the checkout. It first records which tests run which lines,
where that is not in the store. Exit code: 1 if a mutant is alive that is not among those that are equivalent
(`tests/mutation/equivalent.toml`), or if more than a tenth of those that were noticed are no longer.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from tests.machines.store import default_folder
from tests.mutation import idle, page
from tests.mutation.mutants import ROOT, Mutant, all_mutants, in_random_order
from tests.mutation.record import Record
from tests.mutation.running import SAME, Remembered, Result, Server, Store, judge, record_tests, run

PAGE: Final = ROOT / "tests" / "MUTATION.md"
JUDGED: Final = ROOT / "tests" / "mutation" / "judged.jsonl"
# The share of `--again` that must be noticed: the rounding of one machine may have shown a mutant to a test.
NOTICED: Final = 0.9
SEED: Final = 25
SAMPLE: Final = 1000
# Seconds: no limit that anyone meets.
FOREVER: Final = 1e9


def parser() -> argparse.ArgumentParser:
    """Return the options."""
    options = argparse.ArgumentParser(
        prog="python -m tests.mutation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = options.add_argument
    add("--sample", type=int, default=SAMPLE, metavar="N", help="how many mutants [%(default)s]")
    add("--seed", type=int, default=SEED, help="of the random order [%(default)s]")
    add("--seconds", type=float, default=FOREVER, metavar="S", help="start no further mutant after this time")
    add("--survivors", action="store_true", help="run again the mutants that no test noticed")
    add("--again", type=int, metavar="N", help="run N mutants that a test noticed, with that test")
    add("--idle", action="store_true", help="find tests that notice none of the mutants that they run")
    add("--report", action="store_true", help="run nothing; show what the store has")
    add("--write", action="store_true", help=f"write tests/{PAGE.name} and the results on which it rests")
    add("--normal-priority", action="store_true", help="compete with other programs for the processors")
    add("--store", type=Path, default=default_folder("mutation"), help="where results are kept [%(default)s]")
    return options


def unknown(order: Iterable[Mutant], known: Mapping[str, Result], size: int) -> Iterator[Mutant]:
    """Return those of the first mutants that have no result; what is none does not count."""
    counted = 0
    for one in order:
        if counted >= size:
            break
        if one.name not in known:
            yield one
        # Learned meanwhile, as each is run.
        counted += known.get(one.name, {}).get("outcome") != SAME


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, show, write."""
    asked = parser().parse_args(arguments)
    store = Store(asked.store / "results.jsonl", JUDGED)
    mutants = all_mutants(asked.store / "mutants")
    order = in_random_order(mutants, asked.seed)
    if asked.again:
        return again(order, asked)
    if asked.idle:
        return idle_tests(order, asked)
    if not asked.report:
        known = store.read()
        if asked.survivors:
            chosen: Iterable[Mutant] = [one for one in order if is_alive(known.get(one.name))]
        else:
            chosen = unknown(order, known, asked.sample)
        record_tests(asked.store / "record", asked.store / "copy-0")

        def learn(result: Result) -> None:
            store.add(result)
            known[result["name"]] = result
            show(result)

        tests = Record(asked.store / "record", ROOT)
        gently = not asked.normal_priority
        run(chosen, partial(judge, record=tests), asked.store, learn, asked.seconds, gently=gently)
    results = store.read()
    judged = [results[one.name] for one in order if one.name in results]
    judged = [one for one in judged if one["outcome"] != SAME][: asked.sample]
    known_reasons = page.equivalents()
    text = page.page(judged, len(mutants), asked.seed, known_reasons)
    sys.stdout.write(text)
    if asked.write:
        PAGE.write_text(text, "utf-8")
        Store.commit(JUDGED, judged)
    return 1 if page.alive(judged, known_reasons) else 0


def idle_tests(order: Sequence[Mutant], asked: argparse.Namespace) -> int:
    """Try mutants on the tests that have noticed none yet, and print those that notice nothing."""
    record_tests(asked.store / "record", asked.store / "copy-0")
    record = Record(asked.store / "record", ROOT)
    # Those that some test notices come first; of those that none does, nothing can be learned.
    results = Store(asked.store / "results.jsonl", JUDGED).read()
    useful = [one for one in order if one.name not in results or results[one.name]["outcome"] == "failed"]
    order = sorted(useful, key=lambda one: one.name not in results)
    watch = idle.find(order, record, asked.store, asked.seconds, gently=not asked.normal_priority)
    found = watch.idle()
    sys.stdout.write("".join(f"{function} ({watch.seen[function]} mutants)\n" for function in found))
    sys.stdout.write(
        f"{len(watch.noticed)} of {len(watch.seen)} test functions notice a mutant; {len(found)} none of "
        f"{idle.ENOUGH} or more; {sum(map(watch.waits, watch.seen))} run the lines of fewer, or of none\n"
    )
    return 1 if found else 0


def again(order: Sequence[Mutant], asked: argparse.Namespace) -> int:
    """Run mutants that a test noticed with that test, then with those of its file; most must be noticed."""
    known = Store(JUDGED).read()
    results = {name: one for name, one in known.items() if one["outcome"] == "failed" and one["test"]}
    drawn = [one for one in order if one.name in results][: asked.again]
    if len(drawn) < asked.again:
        sys.stdout.write(
            f"{JUDGED.name} has {len(drawn)} mutants of this tree that a test noticed; run --sample\n"
        )
        return 1
    broken = without_a_mutant({results[one.name]["test"] for one in drawn}, asked)
    if broken:
        sys.stdout.write(f"without a mutant {broken} fails; mend that first\n")
        return 1
    found: list[Result] = []

    def learn(result: Result) -> None:
        found.append(result)
        show(result)

    tests = Remembered(results.values())
    run(
        drawn,
        partial(judge, record=tests),
        asked.store,
        learn,
        asked.seconds,
        gently=not asked.normal_priority,
    )
    noticed = sum(not is_alive(one) for one in found)
    sys.stdout.write(f"{noticed} of {len(found)} mutants that a test noticed before are noticed\n")
    return 0 if found and noticed >= NOTICED * len(found) else 1


def without_a_mutant(tests: Iterable[str], asked: argparse.Namespace) -> str:
    """Return the test that fails in a copy as it is, or nothing."""
    server = Server(asked.store / "copy-0", gently=not asked.normal_priority)
    try:
        answer = server.ask(dict.fromkeys(sorted(tests), Remembered.LIMIT))
    finally:
        server.close()
    if answer["outcome"] == "passed":
        return ""
    return answer["test"] or "the collection of the tests"


def is_alive(result: Result | None) -> bool:
    """Tell whether no test noticed a mutant."""
    return result is not None and result["outcome"] == "survived"


def show(result: Result) -> None:
    """Print a line about a mutant."""
    if result["outcome"] == SAME:
        return
    place = f"{result['file']} {result['function']}"
    sys.stdout.write(
        f"{result['outcome']:9} {result['seconds']:6.1f} s {result['ran']:5} tests  {place}\n"
        f"    - {result['before']}\n    + {result['after']}\n    {result['test']}\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
