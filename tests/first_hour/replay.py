"""Play a newcomer's first hour in a new virtual environment and compare with the transcript beside this file.

A line of the transcript that begins with `$ ` is a command; the lines up to the next one are all that it may
print, and its exit code where that is not 0. With `--write`, what happens now becomes the transcript.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
TRANSCRIPT = HERE / "transcript.txt"
MATERIAL = ("beans.csv", "german.csv", "frame.py")
NUMBER = re.compile(r"[+-]?\d+\.\d+(?:e[+-]?\d+)?")


def rounded(text: str) -> str:
    """Return the text with six digits of each number, and without blanks at the ends of lines."""
    shorter = NUMBER.sub(lambda found: f"{float(found[0]):.6g}", text)
    return "\n".join(line.rstrip() for line in shorter.splitlines())


def environment(folder: Path) -> dict[str, str]:
    """Make a virtual environment with the package and what its users have; return how to enter it."""
    venv.create(folder, with_pip=True)
    binaries = folder / "bin"
    package = f"{HERE.parent.parent}[sklearn,plot]"
    # Most of what is installed is never imported: to compile it would take longer than all the rest.
    install = ["-m", "pip", "install", "-q", "--no-compile", package, "pandas"]
    subprocess.run([binaries / "python", *install], check=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    path = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    fixed = {"VIRTUAL_ENV": str(folder), "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
    return {**kept, **fixed, "PATH": path}


def played(commands: list[str], folder: Path, variables: dict[str, str]) -> str:
    """Run the commands one after the other and return the transcript."""
    lines = []
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    for command in commands:
        shell = ["bash", "-c", command]
        done = subprocess.run(shell, cwd=folder, env=variables, encoding="utf-8", check=False, **streams)
        lines += [f"$ {command}", rounded(done.stdout)]
        lines += [f"[exit code {done.returncode}]"] if done.returncode else []
    return "\n".join(line for line in lines if line) + "\n"


def main() -> None:
    """Play, and compare or write."""
    expected = TRANSCRIPT.read_text("utf-8")
    commands = [line[2:] for line in expected.splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        variables = environment(scratch / "environment")
        desk = scratch / "desk"
        desk.mkdir()
        for file in MATERIAL:
            shutil.copy(HERE / file, desk)
        found = played(commands, desk, variables)
    if "--write" in sys.argv[1:]:
        TRANSCRIPT.write_text(found, "utf-8")
        return
    difference = difflib.unified_diff(
        rounded(expected).splitlines(), rounded(found).splitlines(), "expected", "found", lineterm=""
    )
    told = "\n".join(difference)
    if told or not commands:
        sys.exit(f"{told}\nThe first hour is not as written.")
    sys.stdout.write(f"The first hour is as written: {len(commands)} commands.\n")


if __name__ == "__main__":
    main()
