"""On the page of equations each name leads to its description, else to its file, and breaks after a dot."""

from typing import TYPE_CHECKING, Final

from docutils import nodes
from sphinx import addnodes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

PAGE: Final = "docs/reference/equations"
# The columns of the page's tables whose names stand in a package.
COLUMNS: Final = {2: "reference", 3: "fast"}


def link_names(app: "Sphinx", doctree: nodes.document) -> None:
    """Make each name in the columns of the packages a link to where the package's page describes it."""
    if app.env.docname != PAGE:
        return
    for row in (row for body in doctree.findall(nodes.tbody) for row in body.findall(nodes.row)):
        for place, package in COLUMNS.items():
            for literal in list(row[place].findall(nodes.literal)):
                name = literal.astext()
                if name.endswith(".py"):
                    continue
                literal[:] = list(_breakable(name))
                to_file: nodes.Element = literal
                while not isinstance(to_file.parent, nodes.paragraph | nodes.entry):
                    to_file = to_file.parent
                to_file.replace_self(_reference(package, name, literal.deepcopy(), to_file.deepcopy()))


def keep_file(
    _app: "Sphinx", _env: "BuildEnvironment", link: addnodes.pending_xref, _shown: nodes.Element
) -> nodes.Element | None:
    """Return the link to the file where nothing describes the name."""
    found: nodes.Element | None = link.get("otherwise")
    return found


def _reference(
    package: str, name: str, shown: nodes.literal, otherwise: nodes.Element
) -> addnodes.pending_xref:
    """Return a link to the description of a name, which knows what to be where there is none."""
    parts = name.split(".")
    # A class and what follows it, or the function alone; the parts before are the file.
    below = [place for place, part in enumerate(parts) if part[0].isupper()] or [len(parts) - 1]
    target = ".".join(["rkde", package, *parts[below[0] :]])
    link = addnodes.pending_xref("", shown, refdomain="py", reftype="obj", reftarget=target, refexplicit=True)
    link["otherwise"] = otherwise
    return link


def _breakable(name: str) -> "Iterator[nodes.Node]":
    """Yield a name that a narrow column may break after a dot; who copies it copies no extra character."""
    for place, part in enumerate(name.split(".")):
        if place:
            yield nodes.Text(".")
            yield nodes.raw("", "<wbr>", format="html")
        yield nodes.Text(part)
