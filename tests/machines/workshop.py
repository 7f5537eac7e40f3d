"""Where the rows run: a copy of the tree, and virtual environments that are kept from run to run."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.machines.rows import Versions

ROOT: Final = Path(__file__).resolve().parents[2]
# Of the digest that names a tree: enough that two trees of one store never meet.
DIGITS: Final = 12
LAST_LINES: Final = 6
# Set by whoever started this command, for another Python or another run of pytest.
FOREIGN: Final = (
    *("PYTHONPATH", "PYTHONHOME", "PYTEST_ADDOPTS", "VIRTUAL_ENV"),
    *("UV_SYSTEM_PYTHON", "UV_RESOLUTION"),
)


class NoEnvironmentError(Exception):
    """An environment could not be made."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a checkout as they are now, changed or not."""

    files: tuple[Path, ...]
    digest: str
    revision: str

    def copy(self, folder: Path) -> Path:
        """Copy all files, symbolic links as links, into a new folder."""
        shutil.rmtree(folder, ignore_errors=True)
        for file in self.files:
            target = folder / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, target, follow_symlinks=False)
        return folder


def tree() -> Tree:
    """Read the checkout: all files that git would not ignore; the digest leaves out pages of text."""
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    files = tuple(sorted({Path(name) for name in listed if name and os.path.lexists(ROOT / name)}))
    total = hashlib.sha256()
    for file in files:
        if file.suffix != ".md":
            path = ROOT / file
            content = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
            total.update(f"{file.as_posix()} {len(content)}\n".encode() + content)
    revision = git("describe", "--always", "--dirty=+", "--abbrev=12").strip()
    return Tree(files, total.hexdigest()[:DIGITS], revision)


def git(*arguments: str) -> str:
    """Return what git says about the checkout."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def clean_variables() -> dict[str, str]:
    """Return the environment of this process without what is meant for this process only."""
    from benchmarks.paper.data import FOLDER_VARIABLE, data_folder

    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    data = data_folder()
    return {**kept, **({FOLDER_VARIABLE: str(data.resolve())} if data else {})}


@dataclass(slots=True)
class Workshop:
    """Makes environments of a tree in a folder, each once, with the interpreters by minor version."""

    folder: Path
    tree: Tree
    pythons: dict[str, Path]
    _uv: list[str] = field(default_factory=list)

    def python(self, versions: Versions) -> Path:
        """Return the interpreter of an environment, which is made where it is not there yet."""
        name = "-".join(part for part in (versions.python, versions.resolution, versions.extras or "bare"))
        home = self.folder / "environments" / name
        made = home / "made-for.txt"
        # POSIX only, as are the settings of glibc.
        python = home / "bin" / "python"
        content = f"{self.tree.digest} {self.pythons[versions.python]}"
        if made.exists() and made.read_text("utf-8") == content:
            return python
        made.unlink(missing_ok=True)
        source = self.tree.copy(self.folder / "source")
        package = f"{source}[{versions.extras}]" if versions.extras else str(source)
        self._run("venv", "--quiet", "--clear", "--python", str(self.pythons[versions.python]), str(home))
        self._run(
            "pip", "install", "--quiet", "--python", str(python), "--resolution", versions.resolution,
            "--reinstall-package", "rkde", package,
        )  # fmt: skip
        made.write_text(content, "utf-8")
        return python

    def _run(self, *arguments: str) -> None:
        _call([*self._installer(), *arguments])

    def _installer(self) -> Sequence[str]:
        """Return the command uv, which can install the lowest versions; it is fetched where it is missing."""
        if not self._uv:
            self._uv = [found] if (found := shutil.which("uv")) else [sys.executable, "-m", "uv"]
            if not found and importlib.util.find_spec("uv") is None:
                home = self.folder / "uv"
                python = str(home / "bin" / "python")
                _call([sys.executable, "-m", "venv", str(home)])
                _call([python, "-m", "pip", "install", "--quiet", "uv"])
                self._uv = [python, "-m", "uv"]
        return self._uv


def _call(command: Sequence[str]) -> None:
    """Run an installer; where it fails, what it said last is the reason."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=clean_variables())
    if done.returncode:
        raise NoEnvironmentError("\n".join(done.stderr.splitlines()[-LAST_LINES:]))
