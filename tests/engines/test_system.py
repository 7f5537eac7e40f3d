"""What is known of a system that tells little: its free memory, its cores."""

import os
from pathlib import Path

import pytest

from rkde.fast._resources import memory, threads


def test_memory_is_asked_of_the_system_where_its_file_does_not_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "meminfo"
    monkeypatch.setattr(memory, "_MEMINFO", told)
    told.write_text("MemTotal: 9 kB\nMemAvailable: 7 kB\n", "ascii")
    assert memory._machine_memory() == 7 * 1024
    told.write_text("MemTotal: 9 kB\n", "ascii")
    monkeypatch.setattr(os, "sysconf", {"SC_AVPHYS_PAGES": 5, "SC_PAGE_SIZE": 4096}.__getitem__)
    assert memory._machine_memory() == 5 * 4096
    told.unlink()
    assert memory._machine_memory() is None


def test_a_process_without_control_groups_has_no_limit_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_OWN_CGROUPS", tmp_path / "none")
    assert memory._group_memory() == []


def test_all_cores_count_where_a_process_cannot_be_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert threads._cores() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert threads._cores() == 1
