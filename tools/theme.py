"""Makes the theme's instant navigation work wherever the built site is served: any host, port and path.

Material reads `sitemap.xml` to learn which links it may load without a new document. It corrects the host in the
addresses it finds there and leaves port and path alone, so a site that is served anywhere but at its declared address
falls back to whole page loads, and the Python that a reader has waited for is lost at every click. This step replaces
that one function in the theme's script by one that also moves the path. It fails when the theme no longer holds the
function as known: a new version of the theme must be looked at, not patched blindly.
"""

from pathlib import Path

# As the pinned version of the theme has it: e is an address of the sitemap, t the site's root as the page sees it.
_ORIGINAL = "{return e.protocol=t.protocol,e.hostname=t.hostname,e}"


def free_instant_navigation(site: Path, declared: str) -> None:
    """Change the theme's script in the built `site`, whose sitemap's addresses are below `declared` (ends in a slash).

    Raises RuntimeError when the script is not the one that this was written for.
    """
    scripts = list((site / "assets" / "javascripts").glob("bundle.*.min.js"))
    texts = [script.read_text(encoding="utf-8") for script in scripts]
    if [text.count(_ORIGINAL) for text in texts] != [1]:
        raise RuntimeError(
            "The theme's script has changed: look at how it reads sitemap.xml, and bring tools/theme.py up to date."
        )
    if not declared.endswith("/"):
        raise RuntimeError(f"The site's address must end in a slash, and SITE_URL is {declared}.")
    moved = f"{{return new URL(e.href.slice({len(declared)}),t)}}"
    scripts[0].write_text(texts[0].replace(_ORIGINAL, moved), encoding="utf-8")
