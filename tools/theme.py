"""Mends in the built site what the theme does wrong for our readers and offers no setting for.

Instant navigation: Material reads `sitemap.xml` to learn which links it may load without a new document. It corrects
the host in the addresses it finds there and leaves port and path alone, so a site that is served anywhere but at its
declared address falls back to whole page loads, and the Python that a reader has waited for is lost at every click. So
the path is moved too.

Names: its search and its progress bar have a role and no name, and every code block holds a navigation landmark of its
own, which a screen reader then lists. So they get a name, or lose the role. Colours are a matter of `assets/shell.css`.

Each change fails when the theme no longer holds what it was written for: a new version must be looked at, not patched
blindly.
"""

from pathlib import Path

# As the pinned version of the theme has it: e is an address of the sitemap, t the site's root as the page sees it.
_MOVE = "{return e.protocol=t.protocol,e.hostname=t.hostname,e}"
_CODE_BUTTONS = ('x("nav",{class:"md-code__nav"})', 'x("div",{class:"md-code__nav"})')
_PAGE_PARTS = {
    'data-md-component="search" role="dialog"': 'data-md-component="search" role="dialog" aria-label="Search"',
    'data-md-component="progress" role="progressbar"': 'data-md-component="progress" aria-hidden="true"',
}


def mend_theme(site: Path, declared: str) -> None:
    """Change the theme's script and pages in the built `site`, whose sitemap's addresses are below `declared`.

    Raises RuntimeError when the theme is not the one that this was written for, or `declared` does not end in a slash.
    """
    if not declared.endswith("/"):
        raise RuntimeError(f"The site's address must end in a slash, and SITE_URL is {declared}.")
    changes = {_MOVE: f"{{return new URL(e.href.slice({len(declared)}),t)}}", _CODE_BUTTONS[0]: _CODE_BUTTONS[1]}
    scripts = list((site / "assets" / "javascripts").glob("bundle.*.min.js"))
    if len(scripts) != 1:
        raise RuntimeError(f"The theme has {len(scripts)} main scripts; bring tools/theme.py up to date.")
    _replace(scripts[0], changes)
    pages = [page for page in site.rglob("*.html") if "data-md-component" in page.read_text(encoding="utf-8")]
    for page in pages:
        _replace(page, _PAGE_PARTS)


def _replace(file: Path, changes: dict[str, str]) -> None:
    """Replace each text, which must occur exactly once."""
    text = file.read_text(encoding="utf-8")
    for before, after in changes.items():
        if text.count(before) != 1:
            raise RuntimeError(
                f"The theme has changed: {file.name} does not hold {before!r} once. "
                "Look at what the theme does now, and bring tools/theme.py up to date."
            )
        text = text.replace(before, after)
    file.write_text(text, encoding="utf-8")
