"""Links to a moment of a run: what is written is read again; what cannot be used costs a sentence and nothing else."""

import base64
import json
import re
import zlib

import pytest
from playwright.sync_api import expect

from tests.page.panel import data

COUNTER = "ol1~demo~counter~0_0"
OTHER = "ol1~demo~counter~7_3.1~limit.5"
EDITED = {"lease.py": data.LEASE_PROGRAM.replace("LIMIT = 2", "LIMIT = 3")}
EXPERIMENT = next(each for each in data.catalogue()["experiments"] if each["slug"] == "demo")

READ = "(m, fragment, experiment) => m.readLink(fragment, experiment, ['demo', 'another'])"
WRITE = "async (m, what) => (await m.writeLink(what)).split('#')[1]"


def packed(text: str) -> str:
    squeezed = zlib.compressobj(wbits=-15)
    return base64.urlsafe_b64encode(squeezed.compress(text.encode()) + squeezed.flush()).decode().rstrip("=")


@pytest.mark.parametrize("sources", [{}, EDITED, {"lease.py": "# ü <b> & ~\n", "helper.py": ""}])
def test_what_is_written_is_read_again(modules, sources):
    what = {"page": "https://lab.test/quota/?a=1#old", "schedule": OTHER, "position": 12, "sources": sources}
    fragment = modules("panel/link.js", WRITE, what)
    found = modules("panel/link.js", READ, f"#{fragment}", EXPERIMENT)
    assert found["problem"] is None
    assert found["link"].pop("sources") == (sources or None)
    assert found["link"] == {"schedule": OTHER, "variant": "counter", "position": 12}


def test_a_link_keeps_the_page_and_is_short_without_edits(modules):
    what = {"page": "https://lab.test/quota/?a=1#old", "schedule": OTHER, "position": 12}
    whole = modules("panel/link.js", "(m, what) => m.writeLink(what)", what)
    assert whole == f"https://lab.test/quota/?a=1#run={OTHER}&at=12"


def test_before_the_first_event_of_a_game_a_link_leads_to_the_first_one(modules):
    what = {"page": "https://lab.test/", "schedule": OTHER, "position": -1}
    assert modules("panel/link.js", WRITE, what) == f"run={OTHER}&at=0"


@pytest.mark.parametrize("fragment", ["", "#", "#slots", "#run", "#run=ol1~another~counter~0_0&at=1"])
def test_other_fragments_are_no_business_of_ours(modules, fragment):
    assert modules("panel/link.js", READ, fragment, EXPERIMENT) == {"link": None, "problem": None}


BAD = [
    ("#run=", "names no schedule of this lab"),
    ("#run=ol1~demo~counter", "names no schedule of this lab"),
    ("#run=ol1~demo~counter~<script>", "names no schedule of this lab"),
    ("#run=ol1~demo~counter~0_0~limit", "names no schedule of this lab"),
    ("#run=ol9~demo~counter~0_0", "made by another version of this lab (ol9, not ol1)"),
    ("#run=ol1~demo~nobody~0_0", "names a variant “nobody” that there is not. Known are: counter, lease"),
    (f"#run={COUNTER}&at=-1", "names no event of a run"),
    (f"#run={COUNTER}&at=1e3", "names no event of a run"),
    (f"#run={COUNTER}&code=%%%", "cannot be read"),
    (f"#run={COUNTER}&code=AAAA", "cannot be read"),
    (f"#run={COUNTER}&code={packed('[]')}x", "cannot be read"),
    (f"#run={COUNTER}&code={packed('null')}", "cannot be read"),
    (f"#run={COUNTER}&code={packed('[]')}", "cannot be read"),
    (f"#run={COUNTER}&code={packed('{}')}", "cannot be read"),
    (f"#run={COUNTER}&code={packed('5')}", "cannot be read"),
    (f"#run={COUNTER}&code={packed(json.dumps({'__proto__': 'x'}))}", "cannot be read"),
    ("#run=ol1~nowhere~counter~0_0&at=1", "to the experiment “nowhere”, which is not on this page"),
    (f"#run={COUNTER}&code={packed(json.dumps({'lease.py': 3}))}", "cannot be read"),
    (f"#run={COUNTER}&code={packed(json.dumps({'../other.py': 'x'}))}", "cannot be read"),
    (f"#run={COUNTER}&code={packed(json.dumps({'lease.py': 'x' * 3_000_000}))}", "cannot be read"),
    (f"#run={COUNTER}&code={'A' * 200_000}", "longer than 100,000 characters"),
]


@pytest.mark.parametrize(("fragment", "said"), BAD, ids=[str(number) for number in range(len(BAD))])
def test_a_link_that_cannot_be_used_is_told_of(modules, fragment, said):
    found = modules("panel/link.js", READ, fragment, EXPERIMENT)
    assert found["link"] is None
    assert said in found["problem"]["sentence"]


def test_a_link_to_the_recorded_run_needs_no_python(open_page):
    page = open_page(f"/#run={COUNTER}&at=6")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "7")
    expect(page.locator(".lab-replay")).to_be_hidden()
    assert page.evaluate("fake.requests.length + fake.warmed") == 0


def test_a_link_to_another_run_makes_it_and_goes_there(open_page):
    page = open_page(f"/#run={OTHER}&at=4")
    page.wait_for_selector("ownership-lab[state=ran]")
    [request] = page.evaluate("fake.requests")
    assert request["schedule"] == OTHER
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "5")
    expect(page.locator(".lab-replay")).to_contain_text(OTHER)


@pytest.mark.parametrize("way", ["Make the usual run instead", "Reset", "Lease", "Limit"])
def test_the_schedule_of_a_link_stays_until_the_reader_asks_for_something_else(open_page, way):
    page = open_page(f"/#run={OTHER}&at=4")
    page.wait_for_selector("ownership-lab[state=ran]")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function("fake.requests.length === 2")
    assert page.evaluate("fake.requests[1].schedule") == OTHER
    if way == "Limit":
        page.get_by_role("button", name="Parameters").click()
        page.get_by_label("Limit").fill("4")
    else:
        page.get_by_role("button", name=way, exact=True).click()
    expect(page.locator(".lab-replay")).to_be_hidden()
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function("fake.requests.length === 3")
    assert page.evaluate("fake.requests[2].schedule === undefined")


def test_code_from_a_link_is_shown_before_it_runs_and_leaves_the_readers_own_alone(open_page):
    key = "ownership-lab:edit:demo:counter:lease.py"
    own = {"version": 1, "text": "mine = 1\n", "published": data.LEASE_PROGRAM}
    page = open_page("/")
    page.evaluate("([key, own]) => localStorage.setItem(key, JSON.stringify(own))", [key, own])
    page.goto(f"http://localhost/?again#run={COUNTER}&at=4&code={packed(json.dumps(EDITED))}")
    expect(page.get_by_text("This link brings a program that somebody has edited.")).to_be_visible()
    expect(page.locator(".lab-code")).to_contain_text("LIMIT = 3")
    assert page.evaluate("fake.requests.length") == 0
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector("ownership-lab[state=ran]")
    [request] = page.evaluate("fake.requests")
    assert (request["schedule"], request["sources"]) == (COUNTER, EDITED)
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "5")
    assert json.loads(page.evaluate("key => localStorage.getItem(key)", key)) == own


def test_a_link_is_followed_on_the_page_that_is_open(panel):
    panel.evaluate("fragment => { location.hash = fragment }", f"#run={COUNTER}&at=2")
    expect(panel.get_by_role("slider")).to_have_attribute("aria-valuenow", "3")


def test_what_a_reader_makes_of_a_links_program_is_there_again_and_opening_it_keeps_nothing(open_page):
    page = open_page(f"/#run={COUNTER}&at=4&code={packed(json.dumps(EDITED))}")
    expect(page.locator(".lab-code")).to_contain_text("LIMIT = 3")
    assert page.evaluate("localStorage.length") == 0
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator(".cm-content:visible")).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type("# mine")
    page.reload()
    expect(page.locator(".lab-code")).to_contain_text("# mine")
    other = {"lease.py": "other = 1\n"}
    page.goto(f"http://localhost/?again#run={COUNTER}&code={packed(json.dumps(other))}")
    expect(page.locator(".lab-code")).to_have_text(re.compile("other = 1"))


def test_of_two_links_one_after_the_other_the_last_is_shown(panel):
    second = f"#run={COUNTER.replace('counter', 'lease')}&at=2"
    panel.evaluate(
        "([a, b]) => { location.hash = a; setTimeout(() => (location.hash = b)) }", [f"#run={OTHER}", second]
    )
    expect(panel.get_by_role("slider")).to_have_attribute("aria-valuenow", "3")
    expect(panel.locator(".lab-replay")).to_be_hidden()
    expect(panel.get_by_role("button", name="Lease", exact=True)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("doing", ["Run", "Try to break it"])
def test_a_link_followed_while_the_lab_works_is_opened(panel, doing):
    best = {"schedule": OTHER, "violated": ["limit"], "steps": 3}
    state = {"runs": 1, "saved": 0, "level": 0, "shrink_runs": 0, "best": best, "done": False}
    panel.evaluate("state => { fake.hold = 'busy'; fake.states = [state] }", state)
    panel.get_by_role("button", name=doing, exact=True).click()
    expect(panel.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    panel.evaluate("location.hash = '#elsewhere'")
    expect(panel.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    panel.evaluate("fragment => { location.hash = fragment }", f"#run={COUNTER}&at=2")
    expect(panel.get_by_role("slider")).to_have_attribute("aria-valuenow", "3")
    expect(panel.locator("ownership-lab")).to_have_attribute("state", "recorded")
    assert panel.evaluate("fake.requests.length") == (1 if doing == "Run" else 0)


def test_a_schedule_that_the_program_never_comes_to_leaves_a_way_on(open_page):
    page = open_page(f"/#run={OTHER}&at=4")
    page.wait_for_selector("ownership-lab[state=ran]")
    page.evaluate("fake.fault = { kind: 'input', message: 'the schedule lists 1 fault that this run never came to' }")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".lab-status-words")).to_have_text(
        re.compile("Nothing was run: the schedule lists 1 fault .* Choose “Make the usual run instead” above")
    )
    page.evaluate("fake.fault = null")
    page.get_by_role("button", name="Make the usual run instead").click()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_focused()
    expect(page.locator(".lab-status-words")).to_have_text("Run makes the usual run again.")


def test_a_bad_link_is_told_in_the_panel_and_the_recorded_run_is_shown(open_page):
    page = open_page("/#run=ol1~demo~counter~<img src=x onerror=fake.hit=1>")
    expect(page.locator(".lab-remarks > .lab-remark")).to_have_text(
        "The link in the address names no schedule of this lab, so it was not used."
    )
    expect(page.locator("ownership-lab")).to_have_attribute("state", "recorded")
    assert page.evaluate("fake.hit === undefined")


def test_the_link_to_the_moment_shown_is_copied(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("document.querySelector('ownership-lab').position = 9")
    page.get_by_role("button", name="Copy link to this moment").click()
    expect(page.locator(".lab-share")).to_contain_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"http://localhost/#run={COUNTER}&at=9"


def test_a_long_link_is_copied_with_a_warning(open_page, site):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    noise = "".join(str(number * number * 7919) for number in range(900))
    page.evaluate("noise => { fake.change = { schedule: 'ol1~demo~counter~0_' + noise.slice(0, 3000) } }", noise)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector("ownership-lab[state=ran]")
    page.get_by_role("button", name="Copy link to this moment").click()
    expect(page.locator(".lab-share")).to_contain_text("some programs cut links that are longer than 2,048")
    assert len(page.evaluate("navigator.clipboard.readText()")) > 3000
