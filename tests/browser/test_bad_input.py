"""Wrong input in a panel: one sentence that names it and says what is allowed, and nothing else is lost.

Also hostile input: whatever comes from an address, a field, a program or its errors is text, and never becomes markup.
"""

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel import Panel
from tests.browser.reading import embed_url, experiments, slider, wait_drawn

SLOTS = "slot-recycling"
FLIGHT = "single-flight-takeover"
HOSTILE = "<img src=x onerror=alert(1)>"
HUGE = "9" * 5000


def query(**values: object) -> str:
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    return "?" + "&".join(f"{name}={quote(text)}" for name, text in texts.items())


@pytest.fixture(scope="module")
def shared(module_page) -> Page:
    return module_page(viewport={"width": 1280, "height": 900})


def open_panel(page: Page, server, slug: str = SLOTS, address: str = "") -> Panel:
    page.goto(embed_url(server, slug, address))
    panel = Panel(page, slug)
    wait_drawn(panel.root)
    return panel


def remarks(panel: Panel) -> list[str]:
    return panel.root.locator(".lab-remarks > .lab-remark").all_inner_texts()


def problem(panel: Panel, name: str) -> str:
    """The sentence at a field."""
    return panel.root.locator(f'.lab-field:has([data-parameter="{name}"]) .lab-problem').inner_text()


def no_markup(page: Page) -> None:
    """Nothing of the hostile text became an element, and it left no trace as an attribute of a handler."""
    assert page.locator("img[src=x], [onerror], ownership-lab script, ownership-lab img").count() == 0


@pytest.mark.parametrize(
    "slug, name, typed, sentence",
    [
        (SLOTS, "limit", "101", "Limit must be a whole number from 1 to 100 slots; 101 is outside."),
        (SLOTS, "limit", "0", "Limit must be a whole number from 1 to 100 slots; 0 is outside."),
        (SLOTS, "limit", "", "Limit must be a whole number from 1 to 100 slots; it is empty."),
        (SLOTS, "limit", "ten", "Limit must be a whole number from 1 to 100 slots; “ten” is not."),
        (SLOTS, "limit", "2.5", "Limit must be a whole number from 1 to 100 slots; “2.5” is not."),
        (SLOTS, "limit", "1e1", "Limit must be a whole number from 1 to 100 slots; “1e1” is not."),
        (SLOTS, "limit", HOSTILE, f"Limit must be a whole number from 1 to 100 slots; “{HOSTILE}” is not."),
        (
            FLIGHT,
            "jitter_ms",
            "120, soon",
            "Random delay per follower must be whole numbers separated by commas, each from 0 to 60,000 ms;"
            " “soon” is not.",
        ),
        (
            FLIGHT,
            "jitter_ms",
            "120, 60001",
            "Random delay per follower must be whole numbers separated by commas, each from 0 to 60,000 ms;"
            " 60,001 is outside.",
        ),
    ],
)
def test_a_wrong_value_is_told_at_its_field_and_nothing_runs(shared, server, slug, name, typed, sentence):
    panel = open_panel(shared, server, slug)
    before = panel.readings()
    place = slider(panel.root).get_attribute("aria-valuetext")
    panel.type_parameters({name: typed})
    field = panel.root.locator(f'[data-parameter="{name}"]')
    assert problem(panel, name) == sentence
    expect(field).to_have_attribute("aria-invalid", "true")
    described = field.get_attribute("aria-describedby").split()
    assert sentence in [panel.page.locator(f"#{one}").inner_text() for one in described]
    panel.run_button.click()
    expect(panel.status).to_have_text("Nothing was run: mend the marked parameter first.")
    expect(field).to_be_focused()
    assert field.input_value() == typed
    assert panel.readings() == before
    assert slider(panel.root).get_attribute("aria-valuetext") == place
    no_markup(panel.page)


def test_a_huge_number_is_quoted_only_in_its_beginning(shared, server):
    panel = open_panel(shared, server)
    panel.type_parameters({"limit": HUGE})
    told = problem(panel, "limit")
    assert told.startswith("Limit must be a whole number from 1 to 100 slots; “99999")
    assert len(told) < 150
    assert panel.root.locator('[data-parameter="limit"]').input_value() == HUGE


def test_a_list_of_the_wrong_length_is_refused_by_python_and_told_at_its_field(shared, server):
    panel = open_panel(shared, server, FLIGHT)
    before = panel.readings()
    panel.type_parameters({"jitter_ms": "120, 310, 500"})
    said = panel.run()
    assert said.startswith("Nothing was run: ")
    told = problem(panel, "jitter_ms")
    assert told == "Random delay per follower must list one number per follower, 2 in all; got 3"
    assert told in said
    assert panel.readings() == before
    assert panel.root.locator('[data-parameter="jitter_ms"]').input_value() == "120, 310, 500"
    panel.type_parameters({"followers": 3})
    panel.run_here()
    assert problem(panel, "jitter_ms") == ""


def test_what_an_address_asks_and_nobody_knows_is_named_with_what_there_is(shared, server):
    asked = query(variant="leese", parameters={"limt": 5, "limit": 6}, theme="pink", position="last")
    panel = open_panel(shared, server, SLOTS, asked)
    assert remarks(panel) == [
        "There is no variant “leese”; showing “counter”. Known are: counter, lease, lease-repaired.",
        "Not a parameter of this experiment, so left out: limt. Known are: limit, duration_ms, arrival_first_ms, "
        "arrival_every_ms, task_ms, crash_every, crash_after_ms, heartbeat_ms, lease_ms.",
        "The position “last” is not the number of an event, counted from 0, so the end of the run is shown.",
        "There is no theme “pink”, so the usual one is shown. Known are: light, dark, auto.",
    ]
    # The rest of the address still counts.
    assert panel.root.locator('[data-parameter="limit"]').input_value() == "6"
    expect(slider(panel.root)).to_have_attribute("aria-valuenow", "728")


@pytest.mark.parametrize(
    "position, sentence",
    [
        ("728", "There is no position 728 in this run, so its end is shown. Positions go from 0 to 727."),
        ("-1", "The position “-1” is not the number of an event, counted from 0, so the end of the run is shown."),
        ("1.5", "The position “1.5” is not the number of an event, counted from 0, so the end of the run is shown."),
    ],
)
def test_a_position_outside_the_run_is_named(shared, server, position, sentence):
    panel = open_panel(shared, server, SLOTS, query(position=position))
    assert remarks(panel) == [sentence]
    expect(slider(panel.root)).to_have_attribute("aria-valuenow", "728")


@pytest.mark.parametrize("parameters", ["{limit:5}", "[5]", "5", "null", '"limit"', "{", HOSTILE])
def test_parameters_that_are_no_object_are_said_to_be_none(shared, server, parameters):
    panel = open_panel(shared, server, SLOTS, query(parameters=parameters))
    assert remarks(panel) == ["The parameters in the address are not a JSON object, so the default values are used."]
    assert panel.root.locator('[data-parameter="limit"]').input_value() == "10"
    no_markup(panel.page)


@pytest.mark.parametrize(
    "slug, name, value, quoted",
    [
        (SLOTS, "limit", 500, "500 is outside"),
        (SLOTS, "limit", "many", "“many” is not"),
        (SLOTS, "limit", None, "“null” is not"),
        (SLOTS, "limit", True, "“true” is not"),
        (SLOTS, "limit", {"a": 1}, '“{"a":1}” is not'),
        (SLOTS, "limit", [[5]], "“[[5]]” is not"),
        (FLIGHT, "fault", "earthquake", "one of pause, crash, hang, none; “earthquake” is not"),
        (FLIGHT, "fault", HOSTILE, f"“{HOSTILE}” is not"),
        (FLIGHT, "jitter_ms", {"a": 1}, "is not"),
    ],
)
def test_a_wrong_value_in_an_address_is_shown_and_refused_at_its_field(shared, server, slug, name, value, quoted):
    panel = open_panel(shared, server, slug, query(parameters={name: value}))
    told = problem(panel, name)
    assert quoted in told
    expect(panel.root.locator(f'[data-parameter="{name}"]')).to_be_visible()
    panel.run_button.click()
    expect(panel.status).to_have_text("Nothing was run: mend the marked parameter first.")
    no_markup(panel.page)


def test_a_hostile_address_stays_text(shared, server):
    hostile = {HOSTILE: 1, "__proto__": {"limit": 1}, "constructor": 1, "limit": HOSTILE}
    address = query(variant=HOSTILE, theme=HOSTILE, position=HOSTILE, parameters=hostile)
    panel = open_panel(shared, server, SLOTS, address)
    said = remarks(panel)
    assert len(said) == 4
    assert all(HOSTILE in sentence for sentence in said)
    assert "__proto__" in said[1] and "constructor" in said[1]
    no_markup(panel.page)
    panel.reset()
    panel.run_here()


def test_a_huge_address_is_answered_with_short_sentences(shared, server):
    address = query(variant=HUGE, theme=HUGE, position=HUGE, parameters={HUGE: 1})
    panel = open_panel(shared, server, SLOTS, address)
    said = remarks(panel)
    assert len(said) == 4
    assert max(map(len, said)) < 300
    assert panel.page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_an_address_that_is_not_well_encoded_still_shows_the_experiment(shared, server):
    panel = open_panel(shared, server, SLOTS, "?variant=%E0%A4%A&parameters=%7B%22limit%22%3A&&=&theme")
    assert len(remarks(panel)) == 2
    expect(panel.run_button).to_be_enabled()


def test_markup_in_output_and_in_errors_stays_text(shared, server, site_folder):
    panel = open_panel(shared, server, SLOTS, "?variant=counter")
    catalogue = {one["slug"]: one for one in experiments(site_folder)}
    program = catalogue[SLOTS]["programs"]["counter"][0]
    panel.edit_next_run({program["file"]: program["text"] + f"\n\nprint({HOSTILE!r})\n"})
    panel.run_here()
    panel.root.get_by_role("tab", name="Output").click()
    expect(panel.root.get_by_role("tabpanel", name="Output")).to_contain_text(HOSTILE)
    panel.edit_next_run({program["file"]: f"raise ValueError({HOSTILE!r})\n"})
    assert HOSTILE in panel.run()
    panel.edit_next_run({program["file"]: f"x = {HOSTILE}\n"})
    said = panel.run()
    assert program["file"] in said and "line 1" in said
    no_markup(panel.page)
    panel.root.get_by_role("tab", name="Output").click()  # the panel has turned to the program that failed
    assert HOSTILE in panel.root.get_by_role("tabpanel", name="Output").inner_text()  # the last good run is still there
    panel.run_here()
