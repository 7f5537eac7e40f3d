"""Files that are written completely or not at all, even if the disk is full or the program is killed."""

import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

if sys.platform != "win32":
    import fcntl

# What an ordinary program asks for; the umask of the user takes away from it.
_MODE: Final = 0o666
# Enough that no two runs choose the same temporary name.
_TOKEN_BYTES: Final = 8
_SUFFIX: Final = ".part"
# So much of a long name stands in that of its temporary file, which must not be too long itself.
_KEPT_CHARACTERS: Final = 40


def reason(error: Exception) -> str:
    """Return why a file could not be used, without its name, which a message has already.

    Examples
    --------
    >>> reason(FileNotFoundError(2, "No such file or directory", "gone.json")), reason(ValueError("no JSON"))
    ('No such file or directory', 'no JSON')
    """
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file so that other programs see the old content or the new, never a part.

    Parameters
    ----------
    path : str or path-like
        The file to write or replace, with its permissions; through a symbolic link, the file that it names.
    content : bytes
        All of it.

    Raises
    ------
    OSError
        The file cannot be written, and is named; what was there before is unchanged. So it is for a file
        without permission to write, and for what is no regular file.
    """
    with writing_atomically(path) as stream:
        stream.write(content)


@contextmanager
def writing_atomically(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Give a binary stream whose content takes the place of a file when the block ends without an error.

    The stream is that of a temporary file in the same folder. What a killed program left of one is removed
    by the next that writes the same file.

    Parameters
    ----------
    path : str or path-like
        As in `write_atomically`.

    Yields
    ------
    binary file
        To be written, not closed.

    Raises
    ------
    OSError
        As in `write_atomically`.
    """
    target = Path(os.path.realpath(path))
    try:
        mode = _mode_of(target)
        _remove_abandoned(target)
        temporary, stream = _opened(target)
        try:
            with stream:
                if sys.platform != "win32" and mode is not None:
                    os.fchmod(stream.fileno(), mode)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                if sys.platform != "win32":
                    # Before the lock goes: without it, the temporary file is another run's to remove.
                    temporary.replace(target)
            if sys.platform == "win32":
                # It moves no file that is open, and removes none: there, no lock is needed.
                temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        if error.errno is None:
            raise
        # Its own name would be none, as of a full disk, or that of the temporary file.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _mode_of(target: Path) -> int | None:
    """Return the permissions of a file that is replaced, None for a new one; refuse what must stay there."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "Not a regular file")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return stat.S_IMODE(mode)


def _prefix(target: Path) -> str:
    return f".{target.name[:_KEPT_CHARACTERS]}."


def _opened(target: Path) -> tuple[Path, BinaryIO]:
    """Make a temporary file beside the target and lock it: whoever finds it locked leaves it alone."""
    while True:
        temporary = target.with_name(f"{_prefix(target)}{secrets.token_hex(_TOKEN_BYTES)}{_SUFFIX}")
        stream = os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "wb")
        if sys.platform != "win32":
            # A file system without locks has no run that removes what is locked, either.
            with suppress(OSError):
                fcntl.flock(stream, fcntl.LOCK_EX)
        if temporary.exists():
            return temporary, stream
        # Another run came between the two lines above.
        stream.close()


def _remove_abandoned(target: Path) -> None:
    """Remove the temporary files of runs that were killed: those that nobody has locked."""
    name = re.compile(re.escape(_prefix(target)) + f"[0-9a-f]{{{2 * _TOKEN_BYTES}}}" + re.escape(_SUFFIX))
    # A folder that may be written but not listed shows nothing, and keeps it.
    with suppress(OSError):
        for found in [entry.path for entry in os.scandir(target.parent) if name.fullmatch(entry.name)]:
            _remove_unlocked(Path(found))


def _remove_unlocked(temporary: Path) -> None:
    # Locked by its writer, or removed by another run.
    with suppress(OSError), temporary.open("rb") as stream:
        if sys.platform != "win32":
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        temporary.unlink()
