"""The lab fence: an element with a static fallback, and one sentence for what a page got wrong."""

import json
import re
from html.parser import HTMLParser

import markdown
import pytest
from pymdownx.superfences import SuperFencesException

from tools import embed, fence
from tools.still import draw_still, event_text, time_text, value_text

EXPERIMENT = {
    "slug": "sample",
    "title": "A <sample>",
    "variants": [{"id": "one", "label": "One"}, {"id": "two", "label": "Two & more"}],
    "readings": [{"name": "admitted", "label": "Admitted", "unit": "tasks", "caption": ""}],
}


def index_entry(slug: str, title: str, goal: str | None = None) -> dict:
    challenge = None if goal is None else {"goal": goal, "edition": "0<1"}
    return {"slug": slug, "title": title, "challenge": challenge}


def event(at_us: int, actor: str, kind: str, **fields) -> dict:
    return {"sequence": at_us, "at_us": at_us, "actor": actor, "kind": kind, "fields": fields}


def report(variant: str = "one") -> dict:
    return {
        "experiment": "sample",
        "variant": variant,
        "seed": 1,
        "outcome": "counterexample found",
        "ended": "The limit was reached.",
        "events": 1234,
        "until_us": 30_000_000,
        "readings": {"admitted": 82, "first_refusal_ms": None},
        "claims": [{"id": "c", "text": "Capacity <returns>", "kind": "always", "holds": False, "observed": "2 of 10"}],
        "lanes": [
            {"id": "redis", "label": "redis", "actors": ["redis"]},
            {"id": "t", "label": "a label that is rather long", "actors": ["task-1", "task-2"]},
        ],
        "trace": [
            event(0, "task-1", "actor.started"),
            event(0, "task-1", "call.started", call=7, to="redis", text="INCR llm:inflight"),
            event(10, "redis", "call.applied", call=7, reply=1, changes=[]),
            event(1_000_000, "task-1", "busy.started", duration_us=5),
            event(1_500_000, "task-1", "busy.completed"),
            event(2_000_000, "task-1", "actor.crashed"),
            event(3_000_500, "task-2", "mark", name="refused", reason="no slot"),
        ],
    }


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """A catalogue with one experiment and its recorded runs, in place of the real ones."""
    catalogue = tmp_path / "experiments.json"
    catalogue.write_text(json.dumps({"version": 1, "experiments": [index_entry("sample", EXPERIMENT["title"])]}))
    (tmp_path / "sample.json").write_text(json.dumps({"version": 1, "experiment": EXPERIMENT}))
    for variant in ("one", "two"):
        (tmp_path / f"{variant}.json").write_text(json.dumps(report(variant)))
    monkeypatch.setattr(fence, "CATALOGUE", catalogue)
    monkeypatch.setattr(fence, "experiment_file", lambda slug: tmp_path / f"{slug}.json")
    monkeypatch.setattr(fence, "report_file", lambda slug, variant: tmp_path / f"{variant}.json")


def convert(text: str) -> str:
    formats = {"lab": fence.format_lab, "lab-challenges": fence.format_challenges}
    fences = [{"name": name, "class": name, "format": function} for name, function in formats.items()]
    extensions = ["pymdownx.superfences"]
    return markdown.markdown(text, extensions=extensions, extension_configs={extensions[0]: {"custom_fences": fences}})


class Outline(HTMLParser):
    """Tags of some markup, and the ones left open or closed without being open."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def test_a_fence_becomes_an_element_with_a_picture_and_tables(recorded):
    outline = Outline(convert("Before.\n\n```lab\nexperiment: sample\nvariant: two\n```\n\nAfter."))
    assert (outline.open, outline.wrong) == ([], [])
    [attributes] = [attributes for tag, attributes in outline.tags if tag == "ownership-lab"]
    assert attributes == {"experiment": "sample", "variant": "two"}
    tags = [tag for tag, _ in outline.tags]
    assert tags[:4] == ["p", "div", "ownership-lab", "figure"]
    assert tags.count("table") == 3
    assert "title" in tags
    assert "desc" in tags


def test_without_a_variant_the_first_one_is_shown(recorded):
    assert '<ownership-lab experiment="sample" variant="one" compact>' in convert(
        "```lab\nexperiment: sample\ncompact: true\n```"
    )


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("experiment: nope", ["'nope'", "sample"]),
        ("experiment: sample\nvariant: three", ["'three'", "one, two"]),
        ("experiment: sample\ncolour: red", ["'colour'", "experiment, variant, compact"]),
        ("experiment: sample\nexperiment: sample", ["twice"]),
        ("sample", ["'sample'", "key: value"]),
        ("variant: one", ["no experiment"]),
        ("experiment: sample\ncompact: maybe", ["'maybe'", "true"]),
    ],
)
def test_a_mistake_in_a_fence_stops_the_build_with_its_name(recorded, lines, words):
    with pytest.raises(SuperFencesException) as caught:
        convert(f"```lab\n{lines}\n```")
    assert all(word in str(caught.value) for word in words)


def test_a_challenges_goal_stands_beside_its_picture(recorded, tmp_path):
    described = {**EXPERIMENT, "challenge": {"goal": "Mend <it>."}}
    (tmp_path / "sample.json").write_text(json.dumps({"version": 1, "experiment": described}))
    markup = convert("```lab\nexperiment: sample\n```")
    assert "<p><strong>Challenge:</strong> Mend &lt;it&gt;.</p><figure" in markup
    assert Outline(markup).wrong == []


def test_the_challenges_are_listed_in_order_and_as_texts(recorded):
    entries = [index_entry("a", "No challenge"), index_entry("b", "<B>", "Do & mend."), index_entry("c", "C", "More.")]
    fence.CATALOGUE.write_text(json.dumps({"version": 1, "experiments": entries}))
    outline = Outline(markup := convert("Before.\n\n```lab-challenges\n```\n"))
    assert (outline.open, outline.wrong) == ([], [])
    items = [attributes for tag, attributes in outline.tags if tag == "li"]
    assert items == [{"data-challenge": slug, "data-edition": "0<1"} for slug in ("b", "c")]
    assert [attributes["href"] for tag, attributes in outline.tags if tag == "a"] == ["b/", "c/"]
    assert "&lt;B&gt;</a><br>Do &amp; mend.</li>" in markup


def test_a_list_of_challenges_takes_no_settings(recorded):
    with pytest.raises(SuperFencesException, match="no lines of its own"):
        convert("```lab-challenges\nexperiment: sample\n```")


def test_the_still_shows_what_the_report_says():
    markup = draw_still(report(), EXPERIMENT)
    text = re.sub(r"<[^>]+>", " ", markup)
    for words in ("counterexample found", "1,234 events", "30,000 ms", "Admitted", "82", "–", "✗ broken", "2 of 10"):
        assert words in text
    assert "3,000.5 ms" in text
    assert "INCR llm:inflight" in text
    assert "refused · reason no slot" in text


def test_the_still_writes_texts_as_texts():
    markup = draw_still(report(), EXPERIMENT)
    assert "<sample>" not in markup
    assert "<returns>" not in markup
    assert "A &lt;sample&gt;" in markup


def test_the_still_needs_no_inline_style_or_script_and_repeats_no_id():
    for tag, attributes in Outline(draw_still(report(), EXPERIMENT)).tags:
        assert tag != "script"
        assert not {name for name in attributes if name in ("style", "id") or name.startswith("on")}


def test_every_shape_in_the_picture_is_in_the_key():
    markup = draw_still(report(), EXPERIMENT)
    picture, key = markup.split("</svg></div>")[0], markup.split("lab-still-key")[1].split("</ul>")[0]
    shapes = set(re.findall(r'class="((?:bar|mark)-\w+)"', picture))
    assert shapes == {"bar-busy", "mark-bad", "mark-neutral", "mark-muted"}
    assert set(re.findall(r'class="((?:bar|mark)-\w+)"', key)) == shapes


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0"),
        (12345, "12,345"),
        (True, "yes"),
        ([10, 9], "10, 9"),
        ([], "–"),
        ([[1, 2500], [2, 3]], "(1, 2,500); (2, 3)"),
        ({"W1": 0, "W2": 1}, "W1: 0, W2: 1"),
        ("W2", "W2"),
    ],
)
def test_readings_are_written_for_readers(value, text):
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("at_us", "text"), [(0, "0 ms"), (490, "0.49 ms"), (1_234_000, "1,234 ms"), (20_001, "20.001 ms")]
)
def test_times_are_written_in_milliseconds(at_us, text):
    assert time_text(at_us) == text


def test_an_event_without_words_of_its_own_shows_a_dash():
    assert event_text(event(0, "a", "actor.ended"), {}) == "–"


def test_embed_pages_are_whole_and_ask_for_nothing_elsewhere(recorded, tmp_path):
    assert embed.write_embeds(tmp_path) == 1
    outline = Outline((tmp_path / "embed" / "sample" / "index.html").read_text())
    assert (outline.open, outline.wrong) == ([], [])
    addresses = [attributes[name] for _, attributes in outline.tags for name in ("src", "href") if name in attributes]
    assert addresses
    assert all(address.startswith("../../") for address in addresses)
    assert [attributes for tag, attributes in outline.tags if tag == "ownership-lab"] == [
        {"experiment": "sample", "variant": "one", "embed": None}
    ]
