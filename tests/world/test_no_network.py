"""Nothing that the package does at run time opens a connection or looks up a name."""

import subprocess
import sys
from pathlib import Path

import pytest

# Commands in one process, whose sockets raise; the last line proves that they do.
PROGRAM = """
import socket, sys
from click.testing import CliRunner

def refuse(event, arguments):
    if event in {f"socket.{call}" for call in ("connect", "getaddrinfo", "gethostbyname", "bind", "sendto")}:
        raise RuntimeError(f"the network was asked: {event} {arguments[:2]}")

sys.addaudithook(refuse)
from rkde.cli import cli

for command in (
    "fit faithful -o m.npz",
    "score m.npz faithful -o s.csv",
    "outliers faithful --top 3",
    "sample m.npz -n 3",
    "influence m.npz --at 3,60",
    "plot m.npz -o p.png",
    "version --machine",
    "verify --show auc/plain --skip-claims",
    "vectors export v",
    "ledger --verdict fails",
):
    result = CliRunner().invoke(cli, command.split())
    if result.exit_code:
        sys.exit(f"{command}: {result.output} {result.exception!r}")
try:
    socket.create_connection(("127.0.0.1", 9))
except RuntimeError as error:
    print(error)
"""


@pytest.mark.slow
def test_no_command_asks_the_network(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "the network was asked: socket" in done.stdout
