"""How Sphinx builds the documentation, by ``python -m sphinx -W --keep-going -c docs . build/site``.

The source folder is the root, so that pages link to each other, to the ledger and to programs by the same
relative paths that work in a checkout. Nothing is fetched: pictures are drawn by the scripts of the gallery.
"""

import logging
import sys
from pathlib import Path

from pygments.lexers.data import JsonLexer
from sphinx.application import Sphinx

# Where the package `building` lies.
sys.path.insert(0, str(Path(__file__).parent))

from building.commands import CommandHelp, CommandOutput, warn_of_missing_commands
from building.docstrings import BEFORE_NUMPYDOC, escape_docstring, shorten_signature, warn_of_missing_names
from building.entrance import write_entrance
from building.gallery import draw_gallery
from building.implementations import write_public_pages
from building.names import keep_file, link_names
from building.runner import write_runner

# The scripts of the gallery make the engines tell what they do; nobody asked here.
logging.getLogger("rkde").setLevel(logging.WARNING)

project = "rkde"
author = "The rkde developers"
project_copyright = f"{author}; BSD-3-Clause"

extensions = ["myst_parser", "numpydoc", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]

root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "benchmarks/**.md",
    "proofs_checks/LEDGER.md",
    "tests/*.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
# Folders that no page is in; walking them would take longer than the rest.
exclude_patterns = [".git", ".venv", "build", "src", "tests/[!A-Z]*", "typings", "reference", "fast", "**/.*"]

html_theme = "furo"
html_title = "rkde"
html_copy_source = False
html_static_path = ["building/static"]
html_css_files = ["pages.css"]
html_js_files = ["copy.js"]
html_show_sourcelink = False

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]

# `Kernel` and `Loss` exist in both packages; the nearer one is linked.
suppress_warnings = ["ref.python"]
# Names in backticks are links where they are described, else plain code.
default_role = "py:obj"
# Types stand in the docstrings; in signatures they would fill a screen.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
# The docstrings list attributes and methods where they want them listed.
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
myst_heading_slug_func = "building.anchors.heading_anchor"

# Pages whose headings below the sections would fill the list "on this page".
LONG_PAGES = ("proofs_checks/LEDGER", "docs/errata", "benchmarks/paper/TABLES")


def shorten_contents(app: Sphinx, _: object) -> None:
    """List the sections only of pages that have hundreds of headings."""
    if app.env.docname in LONG_PAGES:
        app.env.metadata[app.env.docname]["tocdepth"] = 2


def setup(app: Sphinx) -> None:
    """Tell Sphinx what the pages need beyond its extensions."""
    # One JSON object per line, as the protocol page shows them.
    app.add_lexer("jsonl", JsonLexer)
    app.add_directive("command-help", CommandHelp)
    app.add_directive("command-output", CommandOutput)
    app.connect("builder-inited", warn_of_missing_commands)
    app.connect("builder-inited", draw_gallery)
    app.connect("doctree-read", shorten_contents)
    app.connect("doctree-read", link_names)
    app.connect("autodoc-process-docstring", escape_docstring, priority=BEFORE_NUMPYDOC)
    app.connect("autodoc-process-signature", shorten_signature)
    app.connect("missing-reference", keep_file)
    app.connect("env-check-consistency", warn_of_missing_names)
    app.connect("build-finished", write_entrance)
    app.connect("build-finished", write_public_pages)
    app.connect("build-finished", write_runner)
