"""The page at the root of the site, where visitors come in."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_ENTRANCE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>rkde</title>
<meta http-equiv="refresh" content="0; url=docs/index.html"></head>
<body><a href="docs/index.html">rkde: documentation</a></body></html>
"""


def write_entrance(app: "Sphinx", error: Exception | None) -> None:
    """Lead from the root of the site, where nothing is otherwise, to its first page."""
    if error is None and app.builder.format == "html":
        (Path(app.outdir) / "index.html").write_text(_ENTRANCE, "utf-8")
