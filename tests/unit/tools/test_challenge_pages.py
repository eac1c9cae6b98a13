"""Every challenge of the table has a page with its panel, a place in the navigation and in the list, in that order."""

import re

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab.catalogue import catalogue
from tools.fence import parse_fence
from tools.paths import DOCS, ROOT
from tools.record import index

SLUGS = [slug for slug, experiment in EXPERIMENTS.items() if experiment.challenge]
PAGES = DOCS / "challenges"


def test_the_navigation_has_all_challenges_in_order():
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2].partition("\n\n")[0]
    assert re.findall(r"challenges/([\w-]+)\.md", nav) == ["index", *SLUGS]


def test_there_is_no_page_of_a_challenge_that_there_is_not():
    assert {page.stem for page in PAGES.glob("*.md")} == {"index", *SLUGS}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_challenges_page_has_its_title_and_its_panel(slug):
    text = (PAGES / f"{slug}.md").read_text(encoding="utf-8")
    fences = re.findall(r"^```lab\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert [parse_fence(fence) for fence in fences] == [{"experiment": slug}]
    assert re.findall(r"^# (.*)$", text, re.MULTILINE) == [EXPERIMENTS[slug].texts()["title"]]


def test_the_list_is_on_its_page_once():
    assert (PAGES / "index.md").read_text(encoding="utf-8").count("```lab-challenges\n```") == 1


def test_the_index_says_of_each_experiment_what_every_page_may_fetch_and_no_more():
    whole = catalogue(EXPERIMENTS)
    entries = index(whole)
    assert entries["version"] == whole["version"]
    assert [entry["slug"] for entry in entries["experiments"]] == list(EXPERIMENTS)
    assert [entry["slug"] for entry in entries["experiments"] if entry["challenge"]] == SLUGS
    for entry in entries["experiments"]:
        assert set(entry) == {"slug", "title", "kicker", "question", "challenge"}
        assert entry["challenge"] is None or set(entry["challenge"]) == {"goal", "edition"}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_challenge_is_described_with_its_hints_and_its_reference(slug):
    [entry] = [each for each in catalogue(EXPERIMENTS)["experiments"] if each["slug"] == slug]
    challenge = entry["challenge"]
    assert set(challenge) == {"file", "edition", "goal", "hints", "reference", "explained"}
    assert re.fullmatch("[0-9a-f]{8}", challenge["edition"])
    assert challenge["file"] in [program["file"] for program in entry["programs"]["broken"]]
