"""A panel as its reader meets it: buttons to click, fields to type into, sentences and numbers to read.

Decides how tests find these on a page. Knows no experiment and no expected value. Nothing here calls the panel's own
methods: what a test learns through it, a reader could have seen.
"""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Frame, Locator, Page, Route, expect

from experiments import EXPERIMENTS

# A first run fetches and starts Python; on a machine with other work to do that may take a while.
RUN_MS_MAX = 120_000
MADE_HERE = "This run was made here, in your browser."
SAME_AS_RECORDED = f"{MADE_HERE} Its trace is the recorded one, event for event."

# (path of a page, experiment, variant first shown): here to name tests by it; a test holds it against the built site.
PANELS = [
    ("", "slot-recycling", "counter"),
    ("scheduler/", "heartbeat-stall", "in-loop"),
    ("ownership/", "task-ownership", "preemption"),
    ("quota/", "slot-recycling", "counter"),
    ("single-flight/", "single-flight-takeover", "unchecked-publish"),
    ("single-flight/", "request-merging", "plain"),
]
# The same of the challenges, each on a page of its own.
CHALLENGE_PANELS = [(f"challenges/{slug}/", slug, "broken") for slug, each in EXPERIMENTS.items() if each.challenge]
_ELEMENT = re.compile(r'<ownership-lab experiment="([^"]+)" variant="([^"]+)"')


def pages_with_panels(site: Path) -> list[tuple[str, str, str]]:
    """(page, experiment, variant first shown) for every panel in the site's own pages, embed pages left out."""
    found = []
    for page in sorted(site.rglob("index.html")):
        path = page.relative_to(site).as_posix().removesuffix("index.html")
        if not path.startswith("embed/"):
            found += [(path, *match) for match in _ELEMENT.findall(page.read_text(encoding="utf-8"))]
    return found


def page_of(site: Path, slug: str) -> str:
    """Path of the page that explains an experiment: a chapter where there is one, else the home page."""
    paths = [path for path, experiment, _ in pages_with_panels(site) if experiment == slug]
    assert paths, f"no page of the site shows {slug}"
    return max(paths, key=len)


def hold(page: Page, addresses: str) -> Callable[[], None]:
    """Keep requests waiting; call what is returned to let them, and all later ones, go."""
    waiting: list[Route] = []
    page.context.route(addresses, lambda route: waiting.append(route))

    def release() -> None:
        for route in waiting:
            route.continue_()
        page.context.unroute(addresses)

    return release


class Panel:
    """The panel of one experiment on an open page, or in a frame."""

    def __init__(self, page: Page | Frame, slug: str) -> None:
        self.page = page
        self.root: Locator = page.locator(f'ownership-lab[experiment="{slug}"]')
        self.run_button = self.root.get_by_role("button", name="Run", exact=True)
        self.stop_button = self.root.get_by_role("button", name="Stop", exact=True)
        self.retry_button = self.root.get_by_role("button", name="Try again", exact=True)
        self.status = self.root.locator(".lab-status-words")

    def wait_until_drawn(self) -> "Panel":
        """Wait for the recorded run."""
        expect(self.status).to_contain_text("Shown is the recorded run")
        expect(self.run_button).to_be_enabled()
        return self

    def choose(self, variant: str) -> None:
        """Click a variant and wait for its recorded run."""
        button = self.root.locator(f'button[data-variant="{variant}"]')
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(self.status).to_contain_text("Shown is the recorded run")

    def type_parameters(self, values: dict[str, object]) -> None:
        """Open the form and type values over what stands there."""
        toggle = self.root.get_by_role("button", name="Parameters")
        if toggle.get_attribute("aria-expanded") == "false":
            toggle.click()
        for name, value in values.items():
            field = self.root.locator(f'[data-parameter="{name}"]')
            typed = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            if field.evaluate("field => field.localName") == "select":
                field.select_option(typed)
            else:
                field.fill(typed)

    def reset(self) -> None:
        """Click Reset and wait for the recorded run."""
        self.root.get_by_role("button", name="Reset", exact=True).click()
        expect(self.status).to_contain_text("Shown is the recorded run")

    def run(self) -> str:
        """Click Run, wait until the run has ended, and return what the status line then says."""
        expect(self.run_button).to_be_enabled(timeout=RUN_MS_MAX)
        self.run_button.click()
        expect(self.root).to_have_attribute("state", re.compile("ran|failed|stopped"), timeout=RUN_MS_MAX)
        return self.status.inner_text()

    def run_here(self) -> None:
        """Run, and demand that what is shown now is a run made in this browser."""
        said = self.run()
        assert said.startswith(MADE_HERE), said

    def readings(self) -> dict[str, str]:
        """What stands in the readings: name → value and unit as shown, such as "6,667 ms" or "—"."""
        return self._texts(self.root.locator(".lab-side"))

    def live_readings(self) -> dict[str, str]:
        """The same, of the last live measurement."""
        return self._texts(self.root.locator("lab-live"))

    def digest(self) -> str:
        """The whole digest, read from the clipboard after a click on its copy button."""
        self.root.get_by_role("button", name="Copy the whole digest").click()
        expect(self.root.locator(".lab-share").get_by_role("status")).to_have_text("Copied.")
        return self.page.evaluate("navigator.clipboard.readText()")

    def runtime(self, script: str, argument: object = None) -> object:
        """Evaluate a function of (lab, argument) in the page: `lab` is the one that the page's panels use."""
        address = self.page.evaluate("document.querySelector('script[src$=\"assets/lab/main.js\"]').src")
        return self.page.evaluate(
            f"async ([address, argument]) => ({script})((await import(address)).lab(), argument)",
            [address.replace("main.js", "runtime.js"), argument],
        )

    def edit_next_run(self, sources: dict[str, str]) -> None:
        """Give the next run other program texts, as an editor would; the runs after it are as before."""
        self.runtime(
            """(lab, sources) => {
              lab.run = (request) => {
                delete lab.run;
                return lab.run({ ...request, sources });
              };
            }""",
            sources,
        )

    def expect_workers(self, count: int, script: str = "pyodide-worker.js") -> None:
        """Demand that the page has so many workers of this script; news of a worker's end may take a moment."""
        for _ in range(100):
            found = sum(worker.url.endswith(f"/{script}") for worker in self.page.workers)
            if found == count:
                return
            self.page.wait_for_timeout(100)
        assert found == count, [worker.url for worker in self.page.workers]

    def _texts(self, place: Locator) -> dict[str, str]:
        rows = place.locator("[data-reading]")
        return rows.evaluate_all(
            "rows => Object.fromEntries(rows.map(row => [row.dataset.reading,"
            " row.querySelector('.lab-reading-value').innerText]))"
        )
