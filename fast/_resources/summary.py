"""How a result is displayed: a title and a few labelled lines, as text or as a table for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Lines = Sequence[tuple[str, str]]


def summary_text(title: str, lines: Lines) -> str:
    """Return the title and the lines, their values aligned."""
    width = max(len(label) for label, _ in lines) + 2
    return "\n".join([title, *(f"  {label:{width}}{value}" for label, value in lines)])


def summary_html(title: str, lines: Lines) -> str:
    """Return the same as an HTML table."""
    rows = "".join(
        f'<tr><th scope="row" style="text-align: left">{escape(label)}</th>'
        f'<td style="text-align: left">{escape(value)}</td></tr>'
        for label, value in lines
    )
    return f'<table><caption style="text-align: left">{escape(title)}</caption><tbody>{rows}</tbody></table>'


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural where it must be."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
