"""Check that every link of the built pages to another page, picture or place in a page leads somewhere.

Run after the build: ``python docs/building/links.py build/site``.
Links to other sites are not followed.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The places of a page that a link can name, and the links that start in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the identifier and the target of an element."""
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif value and (name == "src" or (name == "href" and tag in {"a", "link"})):
                self.links.append(value)


def broken_links(folder: Path) -> tuple[list[str], int]:
    """Return the links that lead nowhere, each with its page, and how many were followed."""
    pages = {path.resolve(): Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}
    broken: list[str] = []
    followed = 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            followed += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            missing_place = target in pages and place and place not in pages[target].places
            if not target.exists() or missing_place:
                broken.append(f"{path.relative_to(folder.resolve())}: {link}")
    return broken, followed


def main(folder: Path) -> int:
    """Print the broken links and return the exit code: 1 if there is one, or if no link was found at all."""
    broken, followed = broken_links(folder)
    print(*broken, f"{followed} links followed, {len(broken)} lead nowhere", sep="\n")
    return 1 if broken or not followed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
