"""Computes the content security policy under which the built site works, from the site itself.

Decides what must be allowed beyond the strict base that the lab's own code needs, and why each piece is there; the base
is a constant, so nothing the lab does can widen it. The theme puts a few small scripts into its pages: they are allowed
by the hash of their text, never by 'unsafe-inline'. `python -m tools.csp` prints the policy and its reasons.
"""

import base64
import hashlib
import sys
from html.parser import HTMLParser
from pathlib import Path

from tools.paths import SITE

BASE = {
    "default-src": ["'self'"],
    "script-src": ["'self'", "'wasm-unsafe-eval'"],
    "worker-src": ["'self'"],
}
# What the theme needs and no page shows in its markup: seen by running the site under the base policy alone.
THEME = {
    "img-src": (["'self'", "data:"], "the theme's style sheets draw their icons from data: pictures"),
}
_DATA_TYPES = ("application/json", "application/ld+json")


class _InlineScripts(HTMLParser):
    """Collects the text of scripts that run from the page itself (not data blocks, not files)."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self._inside = tag == "script" and "src" not in attributes and attributes.get("type") not in _DATA_TYPES
        if self._inside:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._inside = False


def inline_scripts(site: Path = SITE) -> dict[str, list[str]]:
    """Hash source (`'sha256-…'`) of each inline script of the site, with the pages that hold it."""
    pages: dict[str, list[str]] = {}
    for page in sorted(site.rglob("*.html")):
        parser = _InlineScripts()
        parser.feed(page.read_text(encoding="utf-8"))
        for text in parser.texts:
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            pages.setdefault(f"'sha256-{digest}'", []).append(page.relative_to(site).as_posix())
    return pages


def policy(site: Path = SITE) -> str:
    """The value of the `Content-Security-Policy` header for this build of the site."""
    directives = {name: list(sources) for name, sources in BASE.items()}
    directives["script-src"] += sorted(inline_scripts(site))
    directives |= {name: sources for name, (sources, _) in THEME.items()}
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


def main() -> int:
    """Print the policy, then why each addition is there; 0, or 1 when there is no built site."""
    if not (SITE / "index.html").is_file():
        print("There is no built site: run 'make build' first.", file=sys.stderr)
        return 1
    print(f"Content-Security-Policy: {policy()}\n")
    for name, (sources, reason) in THEME.items():
        print(f"{name} {' '.join(sources)}: {reason}.")
    for source, pages in inline_scripts().items():
        print(f"script-src {source}: a script of the theme in {pages[0]} and {len(pages) - 1} other pages.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
