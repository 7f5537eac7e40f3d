"""Find the tests that notice nothing: those that no mutant fails of the many whose lines they run.

A mutant is chosen so that many tests run its line that have noticed none yet, those before the others that
have seen few. All of them are run; who fails has noticed something and is out. A test function counts as one,
whatever its parameters. What starts processes is left out: nobody knows which lines it runs.
"""

import collections
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from tests.mutation.mutants import Change, Mutant
from tests.mutation.record import Record
from tests.mutation.running import Result, Server, run

# Mutants whose lines a test must have run unmoved before it is listed.
ENOUGH: Final = 20
# Of so many mutants of the random order the one is taken whose line most tests run.
CHOICE: Final = 150
# Of one function, the tests that run against one mutant; processor seconds of them all.
PARAMETERS: Final = 3
BUDGET: Final = 10.0


def function_of(test: str) -> str:
    """Return a test without its parameters."""
    return test.partition("[")[0]


@dataclass
class Watch:
    """How many mutants each function has seen, as long as it has noticed none."""

    record: Record
    seen: dict[str, int] = field(default_factory=dict)
    noticed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        known = (test for test, timed in self.record.times.items() if not timed.process)
        self.seen = dict.fromkeys(map(function_of, known), 0)

    def learn(self, result: Result) -> None:
        """Count what one mutant has shown."""
        self.noticed.update(result["noticed"])
        for function in result["unmoved"]:
            if function in self.seen:
                self.seen[function] += 1

    def waits(self, function: str) -> bool:
        """Tell whether nothing is known yet of a function."""
        return function not in self.noticed and self.seen.get(function, ENOUGH) < ENOUGH

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests to run against a mutant: some of each function, as far as the budget goes."""
        chosen: list[str] = []
        counts: collections.Counter[str] = collections.Counter()
        left = BUDGET
        times = self.record.times
        for test in sorted(self.record.near(mutant), key=lambda test: (times[test].seconds, test)):
            function = function_of(test)
            if counts[function] == PARAMETERS or not self.waits(function):
                continue
            left -= times[test].seconds
            if left < 0:
                break
            counts[function] += 1
            chosen.append(test)
        return chosen

    def worth(self, tests: Iterable[str]) -> float:
        """Return how much a mutant may show."""
        return sum(1 / (1 + self.seen[function]) for function in {function_of(test) for test in tests})

    def idle(self) -> list[str]:
        """Return the functions that enough mutants have left unmoved."""
        return sorted(one for one, count in self.seen.items() if count >= ENOUGH and one not in self.noticed)


def verdict(server: Server, mutant: Mutant, changed: Change, watch: Watch) -> Result:
    """Run all tests of a mutant: who notices it, and who does not; who could not be run has neither."""
    tests = watch.tests(mutant)
    with server.mutated(mutant.file, changed.source):
        answer = server.ask({test: watch.record.limit(test) for test in tests}, first=False)
    failures, ran = set(answer["failures"]), answer["ran"]
    if answer["outcome"] == "stopped":
        failures.add(answer["test"])
        ran += 1
    noticed = {function_of(test) for test in tests if {test, test.partition("::")[0]} & failures}
    unmoved = set(map(function_of, tests)) - noticed - set(map(function_of, tests[ran:]))
    return {"name": mutant.name, "noticed": sorted(noticed), "unmoved": sorted(unmoved)}


def most_useful(order: Iterable[Mutant], watch: Watch) -> Iterator[Mutant]:
    """Return mutants as long as tests wait: of some, that which shows most, and later the others."""
    waiting = collections.deque(order)
    while waiting:
        some = [waiting.popleft() for _ in range(min(CHOICE, len(waiting)))]
        worth = {one: watch.worth(watch.tests(one)) for one in some}
        best = max(some, key=lambda one: worth[one])
        waiting.extend(one for one in some if one is not best and worth[one])
        if worth[best]:
            yield best


def find(order: Iterable[Mutant], record: Record, store: Path, seconds: float, *, gently: bool) -> Watch:
    """Try mutants until each function has noticed one or seen enough, or the time is over."""
    watch, kept = Watch(record), store / "idle.jsonl"
    known = [json.loads(line) for line in kept.read_text("utf-8").splitlines()] if kept.exists() else []
    for one in known:
        watch.learn(one)
    names = {one["name"] for one in known}

    def learn(result: Result) -> None:
        if "noticed" not in result:
            return
        watch.learn(result)
        with kept.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(result) + "\n")
        sys.stdout.write(f"{len(result['noticed'])} notice, {len(result['unmoved'])} do not; ")
        sys.stdout.write(f"{sum(map(watch.waits, watch.seen))} wait\n")
        sys.stdout.flush()

    chosen = most_useful((one for one in order if one.name not in names), watch)
    run(chosen, partial(verdict, watch=watch), store, learn, seconds, gently=gently)
    return watch
