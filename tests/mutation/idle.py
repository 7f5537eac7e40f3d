"""Find the tests that notice nothing: those that no mutant fails of the many whose lines they run.

First mutants of lines that many tests run, each tried on all that have noticed none; then, for what is left,
those of the lines that the fewest tests run beside it, which are what a test is about. Who fails has noticed
something and is out. A test function counts as one, whatever its parameters. What starts processes is left
out: nobody knows which lines it runs.
"""

import collections
import heapq
import itertools
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from tests.machines.workshop import tree
from tests.mutation.mutants import Change, Mutant
from tests.mutation.record import Record
from tests.mutation.running import Result, Server, Store, run

# Mutants that a test must have left unmoved before it is listed, and how many of those may be of wide lines.
ENOUGH: Final = 20
ROUGH: Final = 5
# Of so many mutants of the random order the one is taken whose line most tests run, if it is as many as this.
CHOICE: Final = 150
MANY: Final = 8
# Of one function, the tests that run against one mutant; processor seconds of them all.
PARAMETERS: Final = 3
BUDGET: Final = 10.0


def function_of(test: str) -> str:
    """Return a test without its parameters."""
    return test.partition("[")[0]


@dataclass
class Watch:
    """How many mutants each function has seen, as long as it has noticed none, and what to try on it."""

    record: Record
    seen: dict[str, int] = field(default_factory=dict)
    noticed: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    wanted: dict[str, set[str]] = field(default_factory=dict)
    _near: dict[tuple[str, int], frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = (test for test, timed in self.record.times.items() if not timed.process)
        self.seen = dict.fromkeys(map(function_of, known), 0)

    def learn(self, result: Result) -> None:
        """Count what one mutant has shown."""
        self.tried.add(result["name"])
        self.noticed.update(result["noticed"])
        for function in result["unmoved"]:
            if function in self.seen:
                self.seen[function] += 1

    def waits(self, function: str, enough: int = ENOUGH) -> bool:
        """Tell whether a function has noticed nothing yet, and seen fewer mutants than would be enough."""
        return function not in self.noticed and self.seen.get(function, enough) < enough

    def functions(self, mutant: Mutant) -> frozenset[str]:
        """Return the functions that run the line of a mutant."""
        place = mutant.file, mutant.line
        if place not in self._near:
            # Of a file that has changed since nobody knows which tests run which line.
            is_known = not self.record.lines_of(mutant.file)[1]
            near = self.record.near(mutant) if is_known else ()
            self._near[place] = frozenset(map(function_of, near)) & self.seen.keys()
        return self._near[place]

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests to run against a mutant: some of each function, as far as the budget goes."""
        chosen: list[str] = []
        counts: collections.Counter[str] = collections.Counter()
        left, times = BUDGET, self.record.times
        for test in sorted(self.record.near(mutant), key=lambda test: (times[test].seconds, test)):
            function = function_of(test)
            if function in self.wanted[mutant.name] and counts[function] < PARAMETERS:
                left -= times[test].seconds
                if left < 0:
                    break
                counts[function] += 1
                chosen.append(test)
        return chosen

    def idle(self) -> list[str]:
        """Return the functions that enough mutants have left unmoved."""
        return sorted(one for one, count in self.seen.items() if count >= ENOUGH and one not in self.noticed)


def verdict(server: Server, mutant: Mutant, changed: Change, watch: Watch) -> Result:
    """Run all tests of a mutant: who notices it and, unless one had to be stopped, who does not."""
    tests = watch.tests(mutant)
    with server.mutated(mutant.file, changed.source):
        answer = server.ask({test: watch.record.limit(test) for test in tests}, first=False)
    failures = {*answer["failures"], answer["test"]}
    noticed = {function_of(test) for test in tests if {test, test.partition("::")[0]} & failures}
    unmoved = set(map(function_of, tests)) - noticed - set(map(function_of, {*tests} - {*answer["passed"]}))
    return {"name": mutant.name, "noticed": sorted(noticed), "unmoved": sorted(unmoved)}


def widest(order: Iterable[Mutant], watch: Watch) -> Iterator[Mutant]:
    """Return mutants as long as many tests wait for one: of some, that for which most do."""
    waiting = collections.deque(order)
    while waiting:
        some = [waiting.popleft() for _ in range(min(CHOICE, len(waiting)))]
        for one in some:
            watch.wanted[one.name] = {each for each in watch.functions(one) if watch.waits(each, ROUGH)}
        some.sort(key=lambda one: -len(watch.wanted[one.name]))
        useful = [one for one in some if len(watch.wanted[one.name]) >= MANY]
        waiting.extend(useful[1:])
        for one in useful[:1]:
            watch.tried.add(one.name)
            yield one


def narrowest(order: Iterable[Mutant], watch: Watch) -> Iterator[Mutant]:
    """Return for each function that waits the mutants of those of its lines that the fewest others run."""
    candidates: dict[str, list[tuple[int, int, Mutant]]]
    candidates = {each: [] for each in watch.seen if watch.waits(each)}
    for place, one in enumerate(one for one in order if one.name not in watch.tried):
        functions = watch.functions(one)
        for function in functions & candidates.keys():
            candidates[function].append((len(functions), place, one))
    chosen: dict[Mutant, int] = {}
    for function, found in candidates.items():
        for nth, (*_, one) in enumerate(heapq.nsmallest(2 * ENOUGH, found)):
            if one not in chosen:
                watch.wanted[one.name] = set()
            watch.wanted[one.name].add(function)
            chosen[one] = min(nth, chosen.get(one, nth))
    for one in sorted(chosen, key=lambda one: chosen[one]):
        watch.wanted[one.name] = set(filter(watch.waits, watch.wanted[one.name]))
        if watch.wanted[one.name]:
            yield one


def find(order: Iterable[Mutant], record: Record, store: Path, seconds: float, *, gently: bool) -> Watch:
    """Try mutants until each function has noticed one or seen enough, or the time is over.

    What is known is of this tree only: after any change it is found anew.
    """
    watch, kept = Watch(record), Store(store / f"idle-{tree().digest}.jsonl")
    for one in kept.read().values():
        watch.learn(one)

    def learn(result: Result) -> None:
        if "noticed" not in result:
            return
        watch.learn(result)
        kept.add(result)
        sys.stdout.write(f"{len(result['noticed'])} notice, {len(result['unmoved'])} do not; ")
        sys.stdout.write(f"{sum(map(watch.waits, watch.seen))} wait\n")
        sys.stdout.flush()

    fresh = [one for one in order if one.name not in watch.tried]
    chosen = itertools.chain(widest(fresh, watch), narrowest(fresh, watch))
    run(chosen, partial(verdict, watch=watch), store, learn, seconds, gently=gently)
    return watch
