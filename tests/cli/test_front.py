"""The front of the command line: help, version, exit codes, interrupts and what gets imported."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

import rkde
from rkde.cli import cli, failures
from rkde.cli.failures import EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, EXIT_NO_ANSWER, EXIT_NOT_INSTALLED
from rkde.errors import DegenerateBandwidth, MemoryLimit
from tests.cli.running import assert_refused, names_in, run, succeeded

COMMANDS = ("fit", "score", "outliers", "sample", "plot", "verify", "vectors", "ledger", "adapter")


def test_help_lists_commands_and_exit_codes() -> None:
    page = succeeded(run("--help"))
    for command in COMMANDS:
        assert f"\n  {command} " in page
    for code, meaning in failures.EXIT_CODES.items():
        assert f"    {code:<4} {meaning}\n" in page


@pytest.mark.parametrize("command", ["fit", "score", "outliers", "sample", "plot"])
def test_each_command_shows_an_example_and_its_defaults(command: str) -> None:
    page = succeeded(run(command, "--help"))
    assert f"\n    rkde {command} " in page
    for default in ("[default: auto]", "[default: ,]", "[default: .]") if command != "sample" else ():
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
    assert result.exit_code == failures.EXIT_BAD_INPUT
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
    assert done.stdout == f"{failures.EXIT_BAD_INPUT} False\n"


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
        (MemoryError(), EXIT_NO_ANSWER, ("not enough memory; ask for less",)),
        (
            OSError(28, "No space left on device", "m.npz"),
            failures.EXIT_BAD_INPUT,
            ("m.npz", "No space left"),
        ),
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


@pytest.mark.parametrize("command", ["plot {} -o", "influence {} --at 3 --plot"])
def test_a_picture_needs_the_extra(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    succeeded(run("fit", "faithful", "--columns", "eruptions", "-o", tmp_path / "m.npz"))
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    told = ("needs matplotlib, which is not installed; run: ", 'pip install "rkde[plot]"')
    words = command.format(tmp_path / "m.npz").split()
    assert_refused(run(*words, tmp_path / "p.png"), told, EXIT_NOT_INSTALLED)
    assert names_in(tmp_path) == ["m.npz"]


def test_a_closed_pipe_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(monkeypatch, BrokenPipeError(32, "Broken pipe"))
    assert (run("fit").exit_code, run("fit").output) == (EXIT_BROKEN_PIPE, "")


@pytest.mark.parametrize("error", [ModuleNotFoundError("no", name="numpy"), ZeroDivisionError("defect")])
def test_a_defect_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    fail_with(monkeypatch, error)
    assert run("fit").exception is error


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are POSIX")
def test_a_reader_that_goes_away(faithful_model: Path) -> None:
    command, pipe = [sys.executable, "-m", "rkde.cli", "score", str(faithful_model), "-"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        process.stdout.close()
        _, complaint = process.communicate(b"3,60\n" * 10_000)
    assert process.returncode == EXIT_BROKEN_PIPE
    assert b"Traceback" not in complaint
