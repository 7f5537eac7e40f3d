"""Docstrings are written to be read in a terminal; here they are made ready for Sphinx."""

import importlib
import inspect
import re
from typing import TYPE_CHECKING, Final

from sphinx.util import logging

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

# The modules whose public names must all be described.
MODULES: Final = ("rkde", "rkde.fast", "rkde.reference", "rkde.conformance", "rkde.plotting", "rkde.errors")
# Before numpydoc, which has the priority 500.
BEFORE_NUMPYDOC: Final = 400

# A class as a default value: only its name matters to a reader.
_CLASS: Final = re.compile(r"<class '[\w.]*?(\w+)'>")
_LITERAL: Final = re.compile(r"(`[^`]*`)")
# A bar would open a substitution, an underscore at the end of a word a reference.
_MARKUP: Final = re.compile(r"\||(?<=\w)_(?!\w)")


def escaped(line: str) -> str:
    r"""Return a line of which reStructuredText reads nothing as markup but what stands in backticks.

    Examples
    --------
    >>> print(escaped("|x| and weights_ in `a|b`"))
    \|x\| and weights\_ in `a|b`
    """
    parts = _LITERAL.split(line)
    return "".join(part if part.startswith("`") else _MARKUP.sub(r"\\\g<0>", part) for part in parts)


def escape_docstring(
    _app: "Sphinx", _what: str, _name: str, _object: object, _options: object, lines: list[str]
) -> None:
    """Escape the prose of a docstring in place; examples, up to the next blank line, stay as they are."""
    example = False
    for place, line in enumerate(lines):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if not example:
            lines[place] = escaped(line)


def shorten_signature(
    _app: "Sphinx",
    _what: str,
    _name: str,
    _object: object,
    _options: object,
    signature: str | None,
    returned: str | None,
) -> tuple[str | None, str | None]:
    """Return a signature in which a class among the defaults is shown by its name."""
    return (_CLASS.sub(r"\1", signature) if signature else signature), returned


def public_names() -> "Iterator[tuple[str, object]]":
    """Yield each public name in full, with the class, function or value that it names."""
    for module in MODULES:
        found = importlib.import_module(module)
        names = getattr(found, "__all__", [name for name in vars(found) if name[0].isupper()])
        yield from ((f"{module}.{name}", getattr(found, name)) for name in names if name != "__version__")


def warn_of_missing_names(_app: "Sphinx", env: "BuildEnvironment") -> None:
    """Complain about each public object that no page describes by any of its names."""
    described = set(env.domaindata["py"]["objects"])
    names: dict[int, set[str]] = {}
    for name, named in public_names():
        home = f"{getattr(named, '__module__', '')}.{getattr(named, '__qualname__', '')}"
        names.setdefault(id(named), {home}).add(name)
    for name, named in public_names():
        if not inspect.ismodule(named) and not described & names[id(named)]:
            logging.getLogger(__name__).warning("no page describes %s", name)
