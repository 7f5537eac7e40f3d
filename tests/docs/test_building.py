"""What checks the built pages sees what is wrong; every script of the gallery is shown and described."""

import ast
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_broken_links_are_seen(tmp_path: Path) -> None:
    broken_links = runpy.run_path(str(ROOT / "docs" / "building" / "links.py"))["broken_links"]
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


def test_anchors_are_those_of_github_but_for_claims() -> None:
    heading_anchor = runpy.run_path(str(ROOT / "docs" / "building" / "anchors.py"))["heading_anchor"]
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
