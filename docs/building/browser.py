"""Open every built page in Chromium, on a wide and a narrow screen, and report what looks broken.

Run after the build: ``python docs/building/browser.py build/site [--pictures FOLDER] [PAGE ...]``.
Reported are errors on the console, requests that leave the machine, pictures that do not show, and elements
that stick out of the page; a wide table must scroll within itself. With ``--pictures`` each page is also
stored as it is seen.
"""

from __future__ import annotations

import argparse
import base64
import fcntl
import json
import os
import select
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from types import TracebackType

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SCREENS: Final = {"wide": (1280, 900), "narrow": (390, 844)}
# Pixels of a page that a picture of it shows; Chromium refuses far taller ones.
TALLEST: Final = 12_000
# Seconds after which a silent browser is given up.
PATIENCE: Final = 120
# Listings of source code, which all look alike.
LEFT_OUT: Final = "_modules"
LEADS_ON: Final = '<meta http-equiv="refresh"'
# What Chromium reads commands from and writes answers to under --remote-debugging-pipe.
READS, WRITES = 3, 4
FREE: Final = 10
# Without the sandbox, root and most containers would see no window at all; the pages are our own.
OPTIONS: Final = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--remote-debugging-pipe",
)
# Returns one line for each thing that is wrong with the page as it is laid out.
LOOK: Final = """
(async () => {
  const wrong = [];
  const name = e => e.tagName.toLowerCase() + (e.className ? "." + e.className : "") + " " +
    JSON.stringify((e.alt || e.textContent || "").trim().slice(0, 40));
  for (const image of document.images) {
    image.loading = "eager";
    try { await image.decode(); } catch { wrong.push("picture does not show: " + image.getAttribute("src")); }
  }
  const edge = document.documentElement.clientWidth;
  if (document.scrollingElement.scrollWidth > edge)
    wrong.push(`the page scrolls sideways: ${document.scrollingElement.scrollWidth} > ${edge} px`);
  const within = (e, stop) => {
    for (let p = e.parentElement; p && p !== stop; p = p.parentElement)
      if (getComputedStyle(p).overflowX !== "visible") return true;
    return false;
  };
  const article = document.querySelector("article") || document.body;
  const right = Math.min(edge, (article.closest(".content") || article).getBoundingClientRect().right);
  const out = e => e.getBoundingClientRect().width && e.getBoundingClientRect().right > right + 1;
  for (const e of article.querySelectorAll("*"))
    if (out(e) && !out(e.parentElement) && !within(e, article)) wrong.push("sticks out: " + name(e));
  return wrong;
})()
"""


class Browser:
    """One headless Chromium with one tab, spoken to through a pair of pipes."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        ours, theirs = _pipe(), _pipe()
        arguments = [program, *OPTIONS, f"--user-data-dir={self._profile.name}", "about:blank"]
        moves = [
            (os.POSIX_SPAWN_DUP2, ours[0], READS),
            (os.POSIX_SPAWN_DUP2, theirs[1], WRITES),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        self._process = os.posix_spawnp(program, arguments, os.environ, file_actions=moves, setpgroup=0)
        os.close(ours[0])
        os.close(theirs[1])
        self._to, self._from = ours[1], theirs[0]
        self._unread = b""
        self._count = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Send a command and return its result; what happens meanwhile is kept as events."""
        self._count += 1
        command = {"id": self._count, "method": method, "params": parameters}
        if self._session is not None:
            command["sessionId"] = self._session
        os.write(self._to, json.dumps(command).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") != self._count:
                self.events.append(message)
            elif "error" in message:
                raise RuntimeError(f"{method}: {message['error']['message']}")
            else:
                result: dict[str, Any] = message["result"]
                return result

    def open(self, address: str) -> None:
        """Go to a page and wait until it is loaded."""
        self.events.clear()
        self.call("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page, after it has settled."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"]["value"]

    def _next(self) -> dict[str, Any]:
        """Return the next message; each ends with a zero byte."""
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._from], [], [], PATIENCE)
            piece = os.read(self._from, 1 << 16) if ready else b""
            if not piece:
                raise RuntimeError("the browser ended" if ready else f"no answer for {PATIENCE} seconds")
            self._unread += piece
        message, self._unread = self._unread.split(b"\0", 1)
        decoded: dict[str, Any] = json.loads(message)
        return decoded


def _pipe() -> tuple[int, int]:
    """Return a pipe whose ends are not among the descriptors that the browser expects."""
    low = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FREE) for end in low)
    for end in low:
        os.close(end)
    return high[0], high[1]


def complaints(events: list[dict[str, Any]]) -> list[str]:
    """Return what the console and the network had to complain about."""
    found = []
    for event in events:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append("exception: " + details.get("exception", {}).get("description", details["text"]))
            case "Runtime.consoleAPICalled" if parameters["type"] in {"error", "assert"}:
                found.append("console: " + " ".join(str(a.get("value")) for a in parameters["args"]))
            case "Log.entryAdded" if parameters["entry"]["level"] == "error":
                found.append(
                    f"log: {parameters['entry']['text']} {parameters['entry'].get('url', '')}".rstrip()
                )
            case "Network.requestWillBeSent" if parameters["request"]["url"].startswith(("http:", "https:")):
                found.append("asks the network for " + parameters["request"]["url"])
            case _:
                pass
    return found


def look(browser: Browser, page: Path, pictures: Path | None) -> list[str]:
    """Return what is wrong with one page, each line with the screen on which it is seen."""
    found = []
    for screen, (width, height) in SCREENS.items():
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        browser.call("Emulation.setDeviceMetricsOverride", **metrics)
        browser.open(page.resolve().as_uri())
        wrong = browser.evaluate(LOOK)
        found += [f"{screen}: {line}" for line in complaints(browser.events) + wrong]
        if pictures is not None:
            tall = min(browser.evaluate("document.documentElement.scrollHeight"), TALLEST)
            clip = {"x": 0, "y": 0, "width": width, "height": tall, "scale": 1}
            shot = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"]
            (pictures / f"{page.parent.name}-{page.stem}-{screen}.png").write_bytes(base64.b64decode(shot))
    return found


def pages_of(site: Path) -> list[Path]:
    """Return the pages that show something: no listings, and no page that only leads to another."""
    found = (path for path in sorted(site.rglob("*.html")) if LEFT_OUT not in path.relative_to(site).parts)
    return [path for path in found if LEADS_ON not in path.read_text("utf-8")]


def main() -> int:
    """Look at the pages and print what is wrong; the exit code is 1 if anything is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("site", type=Path)
    parser.add_argument("page", type=Path, nargs="*", help="pages, relative to the site; default: all")
    parser.add_argument("--pictures", type=Path, help="folder in which each page is stored as it is seen")
    options = parser.parse_args()
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        print("no browser; the pages are not looked at")
        return 0
    pages = [options.site / page for page in options.page]
    if not pages:
        pages = pages_of(options.site)
    if options.pictures is not None:
        options.pictures.mkdir(parents=True, exist_ok=True)
    start, wrong = time.monotonic(), 0
    with Browser(program) as browser:
        for page in pages:
            for line in look(browser, page, options.pictures):
                wrong += 1
                print(f"{page.relative_to(options.site)}: {line}")
    print(f"{len(pages)} pages on {len(SCREENS)} screens in {time.monotonic() - start:.0f} s, {wrong} faults")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
