"""Tables of the reference pages as HTML: they stay readable on a phone, where each scrolls on its own if it must.

Decides the markup only; what is in the tables is decided by `reference.py`. Plain HTML instead of Markdown, since forms
are full of `|`, `[` and `*`.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

_QUOTED = re.compile(r"`+([^`]+)`+")
Row = Sequence[str]


def code(text: str) -> str:
    """A form as it is typed."""
    return f"<code>{escape(text)}</code>"


def prose(text: str) -> str:
    """A sentence; what stands in backquotes becomes code."""
    return _QUOTED.sub(r"<code>\1</code>", escape(text, quote=False))


def table(label: str, heads: Row, rows: Iterable[Row], anchors: Sequence[str] | None = None) -> str:
    """A table of cells that are HTML already, the first of each row its head; anchors: an id for every row."""
    lines = [
        f'<div class="reference" role="region" aria-label="{escape(label)}" tabindex="0">',
        '<table class="reference-table">',
        "<thead><tr>" + "".join(f'<th scope="col">{head}</th>' for head in heads) + "</tr></thead>",
        "<tbody>",
    ]
    for place, (first, *others) in enumerate(rows):
        anchor = f' id="{escape(anchors[place])}"' if anchors else ""
        cells = "".join(f"<td>{cell}</td>" for cell in others)
        lines.append(f'<tr{anchor}><th scope="row">{first}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>", "</div>"])


def page(title: str, description: str, *parts: str) -> str:
    """A Markdown page with the front matter that the site's pages have."""
    return "\n\n".join([f"---\ntitle: {title}\ndescription: {description}\n---", f"# {title}", *parts]) + "\n"


def bullets(sentences: Iterable[str]) -> str:
    """A list of sentences, as HTML like the tables."""
    return "\n".join(["<ul>", *(f"<li>{prose(sentence)}</li>" for sentence in sentences), "</ul>"])
