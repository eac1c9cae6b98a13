"""The fences of Markdown pages: `lab`, an experiment's element with the static fallback inside, and `lab-challenges`.

    ```lab
    experiment: some-slug
    variant: some-variant
    ```

`lab-challenges` is empty, and lists all challenges in the order of the table.

Plain Python-Markdown (custom fences of pymdownx.superfences), so it works under any generator that uses that. Decides
which keys a fence may have, and stops the build with one sentence when a page asks for something that does not exist.
Reads what `record` wrote. Without `variant` the experiment's first one is shown.
"""

import json
from functools import cache
from html import escape
from pathlib import Path

from pymdownx.superfences import SuperFencesException

from tools.paths import CATALOGUE, experiment_file, report_file
from tools.still import draw_goal, draw_still

_KEYS = ("experiment", "variant", "compact")


def format_lab(source: str, language, css_class, options, md, **_) -> str:
    """The fence's markup; the signature is the one that pymdownx.superfences calls."""
    try:
        settings = parse_fence(source)
        markup = element(settings["experiment"], settings.get("variant"), compact="compact" in settings)
    except ValueError as error:
        raise SuperFencesException(f"A ```lab fence cannot be shown: {error}") from error
    # Markdown puts markup that starts with an element it does not know into a paragraph, and browsers then tear the
    # figure out of the element; a known block around it keeps the two together.
    return f'<div class="lab-experiment">{markup}</div>'


def format_challenges(source: str, language, css_class, options, md, **_) -> str:
    """The list of challenges, for a page in the folder in which each has its own."""
    if source.strip():
        raise SuperFencesException("A ```lab-challenges fence has no lines of its own.")
    items = "".join(
        f'<li data-challenge="{escape(each["slug"])}" data-edition="{escape(each["challenge"]["edition"])}">'
        f'<a href="{escape(each["slug"])}/">{escape(each["title"])}</a><br>{escape(each["challenge"]["goal"])}</li>'
        for each in catalogue()["experiments"]
        if each["challenge"]
    )
    return f'<div class="lab-experiment"><lab-challenges><ol>{items}</ol></lab-challenges></div>'


def parse_fence(source: str) -> dict[str, str]:
    """The settings in a fence's lines; ValueError names a line or key that is not understood."""
    settings: dict[str, str] = {}
    for line in filter(None, map(str.strip, source.splitlines())):
        key, colon, value = (part.strip() for part in line.partition(":"))
        if not colon:
            raise ValueError(f"the line {line!r} is not of the form 'key: value'.")
        if key not in _KEYS:
            raise ValueError(f"it has the key {key!r}, and allowed are {', '.join(_KEYS)}.")
        if key in settings:
            raise ValueError(f"it has the key {key!r} twice.")
        settings[key] = value
    if settings.get("compact", "true") != "true":
        raise ValueError(f"compact is {settings['compact']!r}, and allowed is true (leave the line out otherwise).")
    if "experiment" not in settings:
        raise ValueError("it names no experiment.")
    return settings


def element(slug: str, variant: str | None = None, *, compact: bool = False, embed: bool = False) -> str:
    """The element of one experiment with its recorded run inside; ValueError names an unknown slug or variant."""
    _pick(catalogue()["experiments"], "slug", slug, "experiment")
    experiment = _described(slug)
    chosen = experiment["variants"][0] if variant is None else _pick(experiment["variants"], "id", variant, "variant")
    report = json.loads(report_file(slug, chosen["id"]).read_text(encoding="utf-8"))
    switches = "".join(f" {name}" for name, on in (("compact", compact), ("embed", embed)) if on)
    return (
        f'<ownership-lab experiment="{escape(slug)}" variant="{escape(chosen["id"])}"{switches}>'
        f"{draw_goal(experiment)}{draw_still(report, experiment)}</ownership-lab>"
    )


def catalogue() -> dict:
    """The index of experiments that `record` wrote."""
    return _read(CATALOGUE, CATALOGUE.stat().st_mtime_ns)


def _described(slug: str) -> dict:
    """The whole description of one."""
    file = experiment_file(slug)
    return _read(file, file.stat().st_mtime_ns)["experiment"]


@cache
def _read(file: Path, _written_ns: int) -> dict:
    return json.loads(file.read_text(encoding="utf-8"))


def _pick(entries: list[dict], key: str, wanted: str, noun: str) -> dict:
    for entry in entries:
        if entry[key] == wanted:
            return entry
    raise ValueError(f"there is no {noun} {wanted!r}, and there are {', '.join(entry[key] for entry in entries)}.")
