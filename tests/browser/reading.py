"""What tests of the timeline, the table and the embed pages share: the recorded reports, and where a panel stands.

Decides how a test reads the position that a panel shows and moves it by keys. Knows no experiment's numbers.
"""

import json
from pathlib import Path

from playwright.sync_api import Locator, expect

from tools.serve import SiteServer

DRAWN_MS_MAX = 60_000
PAGE_ROWS = 50


def recorded(site: Path, slug: str, variant: str) -> dict:
    """The report of a recorded run, as the site serves it."""
    return json.loads((site / f"assets/lab/data/recorded/{slug}/{variant}.json").read_text(encoding="utf-8"))


def experiments(site: Path) -> list[dict]:
    """The experiments' descriptions, in the order of the index, as the site serves them."""
    data = site / "assets/lab/data"
    index = json.loads((data / "experiments.json").read_text(encoding="utf-8"))["experiments"]
    files = (data / f"experiments/{each['slug']}.json" for each in index)
    return [json.loads(file.read_text(encoding="utf-8"))["experiment"] for file in files]


def some_experiments(site: Path) -> list[dict]:
    """Those of the chapters, and the first challenge: how one is shown stands for all of them."""
    everything = experiments(site)
    first = next(each for each in everything if each["challenge"])
    return [each for each in everything if not each["challenge"] or each is first]


def embed_url(server: SiteServer, slug: str, query: str = "") -> str:
    return f"{server.url}embed/{slug}/{query}"


def wait_drawn(root: Locator) -> Locator:
    """Wait until a panel shows a recorded run."""
    expect(root).to_have_attribute("state", "recorded", timeout=DRAWN_MS_MAX)
    return root


def slider(root: Locator) -> Locator:
    return root.get_by_role("slider")


def wait_number(root: Locator, number: int) -> None:
    """Wait until the slider says event `number`, counted from 1."""
    expect(slider(root)).to_have_attribute("aria-valuenow", str(number), timeout=DRAWN_MS_MAX)


def go_to(root: Locator, number: int) -> None:
    """Go to event `number` with the keyboard: Home, then pages and steps."""
    count = int(slider(root).get_attribute("aria-valuemax"))
    page = max(5, (count + 10) // 20)  # what Page Down moves by, a twentieth, rounded half up
    slider(root).press("Home")
    wait_number(root, 1)
    pages, steps = divmod(number - 1, page)
    for key in ["PageDown"] * pages + ["ArrowRight"] * steps:
        slider(root).press(key)
    wait_number(root, number)


def value_text(root: Locator) -> str:
    return slider(root).get_attribute("aria-valuetext")


def ms(at_us: int) -> str:
    """An instant as the page writes it."""
    return f"{at_us / 1000:,.3f}".rstrip("0").rstrip(".") + " ms"


def tab(root: Locator, name: str) -> Locator:
    """Open a tab of the panel and return what it shows."""
    root.get_by_role("tab", name=name, exact=True).click()
    return root.get_by_role("tabpanel", name=name, exact=True)
