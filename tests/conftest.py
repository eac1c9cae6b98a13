"""What several folders of tests share: one Chromium for all of them.

Playwright's synchronous interface can be started once per process only, so no folder starts its own.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings
from playwright.sync_api import Browser

from tools.browser import NOT_FOUND, find_chromium, launch_options, start_playwright

# In continuous integration a change is judged by the same examples each time; elsewhere every run draws new ones.
settings.register_profile("ci", derandomize=True, database=None, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests go last: while Playwright runs it holds the thread's event loop, which simulations need free."""
    items.sort(key=lambda item: "browser" in item.fixturenames)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with start_playwright() as playwright:
        program = find_chromium(playwright.chromium.executable_path)
        if program is None:
            pytest.fail(NOT_FOUND)
        chromium = playwright.chromium.launch(**launch_options(program))
        yield chromium
        chromium.close()
