"""The run: units in a fixed order over a pool of processes, resumed where the store has them already."""

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from multiprocessing.connection import wait
from threading import Thread
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.paper.data import resolved
from benchmarks.paper.loaded import DataError
from benchmarks.paper.sets import SETS
from benchmarks.paper.store import Store
from benchmarks.paper.unit import Record, Unit, compute
from benchmarks.paper.variants import QUICK_PARTITIONS, TABLES, VARIANTS


def units(
    tables: Sequence[str] = TABLES,
    *,
    quick: bool = False,
    partitions: int | None = None,
    sets: Sequence[str] = tuple(SETS),
    variants: Sequence[str] = tuple(VARIANTS),
    source: str = "auto",
) -> list[Unit]:
    """Return all units, a partition of every set before the next: a run cut short leaves whole rounds."""
    found = []
    for variant in (VARIANTS[name] for name in variants):
        asked = tuple(table for table in TABLES if table in tables and table in variant.tables)
        for name in (name for name in variant.sets if name in sets and asked):
            count = min(variant.partitions, SETS[name].partitions, partitions or variant.partitions)
            if quick:
                count = min(count, QUICK_PARTITIONS)
            found += [Unit(number + 1, name, variant.name, asked, source) for number in range(count)]
    places = {name: place for place, name in enumerate(VARIANTS)}
    return sorted(found, key=lambda unit: (unit.partition, places[unit.variant], SETS[unit.set].number))


class RunError(Exception):
    """Some units failed, or a worker did; the others are in the store."""


def run(wanted: Sequence[Unit], store: Store, workers: int | None = None) -> int:
    """Compute the units that the store lacks; return how many."""
    missing = [unit for unit in wanted if not store.has(unit)]
    for unit in set(wanted).difference(missing):
        store.read(replace(unit, source=resolved(unit.source)) if missing else unit)
    count = min(workers or os.cpu_count() or 1, max(1, len(missing)))
    started, failures = monotonic(), []
    with shown("units", len(wanted), len(wanted) - len(missing)) as advance:
        for unit, outcome in _computed(missing, count):
            if isinstance(outcome, Exception):
                failures.append((unit, outcome))
            else:
                store.write(unit, outcome)
            advance(f"{unit.set} {unit.partition}")
    if failures:
        raise RunError(_summary(failures))
    if missing:
        print(f"{len(missing)} units in {timedelta(seconds=round(monotonic() - started))}, {count} workers")
    else:
        print(f"nothing to do: the store has all {len(wanted)} units")
    return len(missing)


def _summary(failures: Sequence[tuple[Unit, Exception]]) -> str:
    """Return a line for each error, with the first unit that met it and how many others did."""
    units_of: dict[str, list[Unit]] = {}
    for unit, error in failures:
        text = str(error) if isinstance(error, DataError) else f"{type(error).__name__}: {error}"
        units_of.setdefault(text, []).append(unit)
    lines = []
    for text, met in units_of.items():
        first = met[0]
        others = f" (and {len(met) - 1} more)" if len(met) > 1 else ""
        lines.append(f"{first.variant}, {first.set}, partition {first.partition}{others}: {text}")
    return "\n".join(lines)


def _computed(missing: Sequence[Unit], workers: int) -> Iterator[tuple[Unit, Record | Exception]]:
    if workers == 1:
        for unit in missing:
            yield unit, _attempt(unit)
        return
    # Spawned, not forked: a fork would inherit the threads of the linear algebra.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent) as pool:
        futures = {pool.submit(_attempt, unit): unit for unit in missing}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool as error:
            raise RunError("a worker was killed; run again, because the store keeps what is done") from error
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _end_with_parent() -> None:
    """Let a worker end when the process that started it is killed: it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _attempt(unit: Unit) -> Record | Exception:
    try:
        return compute(unit)
    except Exception as error:  # noqa: BLE001 (reported at the end; the other units are worth their time)
        return error


@contextmanager
def shown(what: str, total: int, done: int = 0) -> Iterator[Callable[[str], None]]:
    """Show a bar with an estimate where standard error is a terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda name: None  # noqa: ARG005 (the other has one)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=total, completed=done)
        yield lambda name: bar.update(task, advance=1, description=name)
