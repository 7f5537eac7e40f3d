"""The anchors of headings: what follows # in a link to a part of a page."""

import re
from typing import Final

_CLAIM: Final = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")


def heading_anchor(title: str) -> str:
    """Return a heading's anchor: as GitHub makes it, but the whole name of a claim, as the ledger has it."""
    if _CLAIM.fullmatch(title):
        return title
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
