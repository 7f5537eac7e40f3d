"""Commands in this process, with the two streams apart in every version of click."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import IO, Any

from click import Command
from click.testing import CliRunner, Result


def invoke(command: Command, arguments: Sequence[str], stdin: str | bytes | IO[Any] | None = None) -> Result:
    """Run a command. Before click 8.2 its runner has to be asked to keep standard error apart."""
    mixes = "mix_stderr" in inspect.signature(CliRunner).parameters
    runner = CliRunner(mix_stderr=False) if mixes else CliRunner()
    return runner.invoke(command, list(arguments), input=stdin)
