"""What checks the built pages sees what is wrong; every script of the gallery is shown and described."""

import ast
import json
import runpy
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "docs" / "building" / "static"
# What the button copies of a block of code.
COPIED = {
    ">>> for x in y:\n...     x\n...\n1\n>>> z\n": "for x in y:\n    x\n\nz\n",
    "$ rkde fit iris\nrows 150\n": "rkde fit iris\n",
    "pip install .\n": "pip install .\n",
}


def built(name: str) -> dict[str, Any]:
    """Return the names of a program that builds the pages."""
    return runpy.run_path(str(ROOT / "docs" / "building" / f"{name}.py"))


def test_broken_links_are_seen(tmp_path: Path) -> None:
    broken_links = built("links")["broken_links"]
    (tmp_path / "one.html").write_text(
        '<p id="top"><a href="two.html#here">a</a><a href="#top">b</a><a href="https://example.org">c</a>'
        '<a href="two.html#gone">d</a><a href="gone.html">e</a><img src="gone.png"><a href="#gone">f</a>',
        "utf-8",
    )
    (tmp_path / "two.html").write_text('<p id="here">', "utf-8")
    broken, followed = broken_links(tmp_path)
    links = [line.removeprefix("one.html: ") for line in broken]
    assert links == ["two.html#gone", "gone.html", "gone.png", "#gone"]
    assert followed == len(links) + 2


def test_the_browser_opens_what_shows_something(tmp_path: Path) -> None:
    pages_of = built("browser")["pages_of"]
    write_entrance = built("entrance")["write_entrance"]
    write_entrance(SimpleNamespace(builder=SimpleNamespace(format="html"), outdir=tmp_path), None)
    for name in ("one.html", "_modules/listing.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("<p>text", "utf-8")
    assert (tmp_path / "index.html").exists()
    assert pages_of(tmp_path) == [tmp_path / "one.html"]


@pytest.mark.slow
def test_the_browser_sees_what_a_reader_would(tmp_path: Path) -> None:
    building = built("browser")
    program = next(filter(None, map(shutil.which, building["NAMES"])), None)
    if program is None:
        pytest.skip("no Chromium is installed")
    cell = f"<td>{'long ' * 60}</td>".replace(" ", "&nbsp;")
    wide = f"<table><tr>{cell}</tr></table>"
    bodies = {
        "good": f'<div style="overflow-x: auto">{wide}</div>',
        "picture": '<img src="gone.png" alt="gone">',
        "table": wide,
        "script": "<script>nothing.here()</script>",
        "network": '<link rel="stylesheet" href="http://127.0.0.1:9/style.css">',
    }
    seen = {}
    with building["Browser"](program) as browser:
        for name, body in bodies.items():
            page = tmp_path / f"{name}.html"
            page.write_text(f"<!doctype html><html><body><article>{body}</article></body></html>", "utf-8")
            seen[name] = building["look"](browser, page, None)
        page.write_text(f"<script>{(STATIC / 'copy.js').read_text('utf-8')}</script>", "utf-8")
        browser.open(page.as_uri())
        copied = [browser.evaluate(f"typed({json.dumps(text)})") for text in COPIED]
    assert copied == list(COPIED.values())
    assert seen.pop("good") == []
    expected = {
        "picture": "picture does not show: gone.png",
        "table": "the page scrolls sideways",
        "script": "exception: ReferenceError: nothing is not defined",
        "network": "asks the network for http://127.0.0.1:9/style.css",
    }
    for name, words in expected.items():
        for screen in building["SCREENS"]:
            assert any(line.startswith(f"{screen}: {words}") for line in seen[name]), (name, screen, seen)
    assert any("sticks out: table" in line for line in seen["table"])


def test_anchors_are_those_of_github_but_for_claims() -> None:
    heading_anchor = built("anchors")["heading_anchor"]
    assert heading_anchor("1. With Hampel's loss (eq. 3)") == "1-with-hampels-loss-eq-3"
    assert heading_anchor("weights.simplex") == "weights.simplex"


def test_the_gallery_shows_every_script_and_says_what_it_is_about() -> None:
    page = (ROOT / "docs" / "gallery.md").read_text("utf-8")
    scripts = sorted((ROOT / "docs" / "gallery").glob("*.py"))
    assert scripts
    for script in scripts:
        about = ast.get_docstring(ast.parse(script.read_text("utf-8"))) or "nothing is said"
        assert about in page, script.name
        assert f"gallery/{script.stem}.png" in page
        assert f"gallery/{script.name}" in page


def test_an_example_of_a_command_is_run_and_cut(tmp_path: Path) -> None:
    pytest.importorskip("docutils", reason="needs the extra docs")
    output_of = built("commands")["output_of"]
    shown = output_of("rkde fit faithful -o m.npz", tmp_path, 2).splitlines()
    assert shown[0] == "$ rkde fit faithful -o m.npz"
    assert shown[1] == "Robust density of dataset:faithful"
    assert (len(shown), shown[-1]) == (4, "...")
    assert len(output_of("rkde sample m.npz -n 2 --seed 1", tmp_path).splitlines()) == 4
    with pytest.raises(ValueError, match=r"rkde score gone\.npz faithful: "):
        output_of("rkde score gone.npz faithful", tmp_path)
