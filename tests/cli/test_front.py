"""The front of the command line: help, version, exit codes, interrupts and what gets imported."""

import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

import rkde
from rkde.cli import cli
from rkde.cli.failures import (
    EXIT_BAD_INPUT,
    EXIT_BROKEN_PIPE,
    EXIT_CODES,
    EXIT_INTERRUPTED,
    EXIT_NO_ANSWER,
    EXIT_NOT_INSTALLED,
)
from rkde.errors import DegenerateBandwidth, MemoryLimit
from tests.cli.running import assert_refused, run, run_program, succeeded

COMMANDS = ("fit", "score", "outliers", "sample", "plot", "verify", "vectors", "ledger", "adapter")


def test_help_lists_commands_and_exit_codes() -> None:
    page = succeeded(run("--help"))
    for command in COMMANDS:
        assert f"\n  {command} " in page
    for code, meaning in EXIT_CODES.items():
        assert f"    {code:<4} {meaning}\n" in page


@pytest.mark.parametrize("command", ["fit", "score", "outliers", "sample", "plot"])
def test_each_command_shows_an_example(command: str) -> None:
    page = succeeded(run(command, "--help"))
    assert f"\n    rkde {command} " in page


@pytest.mark.parametrize("command", ["fit", "score", "outliers", "plot"])
def test_defaults_are_shown(command: str) -> None:
    page = succeeded(run(command, "--help"))
    for default in ("[default: auto]", "[default: ,]", "[default: .]"):
        assert default in " ".join(page.split())


@pytest.mark.parametrize("command", ["fit", "outliers", "plot"])
def test_the_options_of_a_fit_stand_in_groups(command: str) -> None:
    page = succeeded(run(command, "--help"))
    titles = ["Options:", "The table:", "The fit: main options:", "The fit: for experts:"]
    places = [page.index(f"\n{title}\n") for title in [*titles, "The machine:"]]
    assert places == sorted(places)
    matter = page[places[2] : places[3]]
    assert all(f"  {option} " in matter for option in ("--bandwidth", "--scale", "--loss", "--recipe"))
    assert "--kernel" not in matter
    with click.Context(cli) as context:
        loaded = cli.get_command(context, command)
    assert loaded is not None
    for option in (parameter for parameter in loaded.params if isinstance(parameter, click.Option)):
        assert f"  {option.opts[0]}" in page


def test_version_names_what_computes() -> None:
    lines = succeeded(run("--version")).splitlines()
    assert lines[0] == f"rkde {rkde.__version__}"
    for number, word in enumerate(("Python", "numpy", "scipy", "mpmath"), start=1):
        assert lines[number].split()[0] == word
    pools = [line for line in lines[5:] if line.startswith("BLAS: ")]
    assert pools
    assert all("threads: " in line or "none" in line for line in pools)


def test_no_command_shows_the_help_and_is_an_error() -> None:
    result = run()
    assert result.exit_code == EXIT_BAD_INPUT
    assert result.stdout == ""
    assert result.stderr.startswith("Usage: rkde ")


def test_the_front_is_light() -> None:
    """The help page imports no numerical library and no command."""
    script = (
        "import sys\nfrom rkde.cli import cli\n"
        "try:\n    cli(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules}"
        " & {'numpy', 'scipy', 'mpmath', 'pytest', 'hypothesis', 'rich'}))\n"
        "print(sorted(name for name in sys.modules if name.startswith('rkde.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-2:] == ["[]", "['rkde.cli.failures']"]


def test_a_bad_table_is_refused_without_numpy(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom rkde.cli import cli\n"
        "try:\n    cli(['fit', '-', '-o', sys.argv[1]])\nexcept SystemExit as end:\n"
        "    print(end.code, 'numpy' in sys.modules)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "m.npz")]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=True)
    assert done.stdout == f"{EXIT_BAD_INPUT} False\n"


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let `rkde fit` end with an error."""

    @click.command()
    def fit() -> None:
        raise error

    monkeypatch.setattr("rkde.cli.fit.fit", fit)


@pytest.mark.parametrize(
    ("error", "code", "fragments"),
    [
        (KeyboardInterrupt(), EXIT_INTERRUPTED, ("interrupted",)),
        (click.Abort(), EXIT_INTERRUPTED, ("interrupted",)),
        (
            DegenerateBandwidth("h is 0", remedy="pass a bandwidth above 0"),
            EXIT_NO_ANSWER,
            ("h is 0; give --bandwidth a number",),
        ),
        (MemoryLimit("too big"), EXIT_NO_ANSWER, ("too big",)),
        (MemoryError("Unable to allocate 8 TiB"), EXIT_NO_ANSWER, ("memory", "8 TiB")),
        (OSError(28, "No space left on device", "m.npz"), EXIT_BAD_INPUT, ("m.npz", "No space left")),
        (ModuleNotFoundError("no", name="hypothesis"), EXIT_NOT_INSTALLED, ('pip install "rkde[verify]"',)),
        (ModuleNotFoundError("no", name="matplotlib"), EXIT_NOT_INSTALLED, ('pip install "rkde[plot]"',)),
        (ModuleNotFoundError("no", name="pytest.x"), EXIT_NOT_INSTALLED, ('pip install "rkde[verify]"',)),
        (click.ClickException("two\nlines"), 1, (r"two\nlines",)),
    ],
)
def test_failures_are_one_line(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, fragments: tuple[str, ...]
) -> None:
    fail_with(monkeypatch, error)
    assert_refused(run("fit"), fragments, code)


def test_a_closed_pipe_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, BrokenPipeError(32, "Broken pipe"))
    result = run("fit")
    assert result.exit_code == EXIT_BROKEN_PIPE
    assert result.output == ""


@pytest.mark.parametrize("error", [ModuleNotFoundError("no", name="numpy"), ZeroDivisionError("defect")])
def test_a_defect_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    fail_with(monkeypatch, error)
    assert run("fit").exception is error


def test_an_attribute_that_is_no_command_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rkde.cli.fit.fit", "text")
    with pytest.raises(TypeError, match=r"rkde\.cli\.fit\.fit"):
        cli.get_command(click.Context(cli), "fit")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_ctrl_c_in_a_real_process(tmp_path: Path) -> None:
    # A background job of a shell ignores Ctrl-C and hands that on; the program must not inherit it here.
    start = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('rkde.cli', run_name='__main__')"
    )
    command = [sys.executable, "-c", start, "fit", "-", "-o", str(tmp_path / "m.npz")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        # A full pipe means that the program reads: it has come to waiting for the end of the table.
        process.stdin.write(b"1,2\n" * 100_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate()
    assert process.returncode == EXIT_INTERRUPTED
    assert complaint == b"rkde: error: interrupted\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are POSIX")
def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    model = tmp_path / "m.npz"
    assert run_program("fit", "faithful", "-o", model).returncode == 0
    command = [sys.executable, "-m", "rkde.cli", "score", str(model), "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, complaint = process.communicate(b"3,60\n" * 10_000)
    assert process.returncode == EXIT_BROKEN_PIPE
    assert b"Traceback" not in complaint
