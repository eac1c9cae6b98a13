"""The reference pages hold all that the code's own tables hold, and stay plain Markdown with tables of their own."""

import inspect
import re
from html import unescape

import pytest

from py_runtime.stores.lua import reference as lua
from py_runtime.stores.redis import COMMANDS, FAMILIES, Redis
from py_runtime.stores.redis.differences import DIFFERENCES
from py_runtime.stores.sql import reference as sql
from py_runtime.stores.sql.functions import AGGREGATES, FUNCTIONS
from tools import reference
from tools.reference_html import prose, table

TEXTS = {name: render() for name, render in reference.PAGES.items()}


def shown(name: str) -> str:
    """A page as a reader sees it: without tags, one space for any white space."""
    return re.sub(
        r"\s+", " ", unescape(re.sub(r"<[^>]*>", "", TEXTS[name].replace("</th>", " ").replace("</td>", " ")))
    )


@pytest.mark.parametrize("row", COMMANDS.values(), ids=lambda row: row.name.decode())
def test_every_command_is_on_the_page_with_its_options_and_an_anchor(row):
    name = row.name.decode()
    assert f" {name} {row.options}".rstrip() + " " in shown("redis-commands")
    assert TEXTS["redis-commands"].count(f'<tr id="{name.lower()}">') == 1
    assert row.summary in shown("redis-commands")


def test_commands_stand_under_their_family():
    headings = re.findall(r"^## (.+)$", TEXTS["redis-commands"], re.MULTILINE)
    assert headings == list(FAMILIES)


@pytest.mark.parametrize("name", [name for name in dir(Redis) if not name.startswith("_")])
def test_every_method_of_the_client_is_on_the_page(name):
    parameters = list(inspect.signature(getattr(Redis, name)).parameters)[1:]
    found = re.findall(rf"<code>{name}\((.*?)\)</code>", TEXTS["redis-client"])
    assert parameters in [re.findall(r"(?:^|, )\*{0,2}(\w+)", unescape(each)) for each in found]


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("lua", [text for form in (*lua.LANGUAGE, *lua.LIBRARY) for text in (form.form, form.meaning)]),
        ("lua", [f"{most:,} {what}" for what, most in lua.LIMITS]),
        (
            "sql",
            [text for form in (*sql.STATEMENTS, *sql.OPERATORS) for text in (form.form, form.meaning, form.example)],
        ),
        ("sql", [text for each in (*FUNCTIONS.values(), *AGGREGATES.values()) for text in (each.form, each.meaning)]),
        ("differences", [*DIFFERENCES, *lua.DIFFERENCES, *sql.DIFFERENCES]),
    ],
)
def test_every_row_of_a_table_is_on_its_page(page, texts):
    assert texts
    assert [text for text in texts if text not in shown(page)] == []


@pytest.mark.parametrize("name", TEXTS)
def test_a_page_has_one_title_unique_anchors_and_a_description(name):
    text = TEXTS[name]
    assert re.match(r"---\ntitle: [^\n:]+\ndescription: [^\n:]+\.\n---\n\n# ", text)
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1
    anchors = re.findall(r' id="([^"]+)"', text)
    assert len(anchors) == len(set(anchors))


def test_the_pages_are_written_under_their_names(tmp_path):
    reference.write_pages(tmp_path / "new")
    assert {file.stem: file.read_text(encoding="utf-8") for file in (tmp_path / "new").iterdir()} == TEXTS


def test_what_a_table_is_given_as_text_is_escaped():
    assert prose("a `<b>` & c") == "a <code>&lt;b&gt;</code> &amp; c"
    lines = table('A "label"', ("x", "y"), [("1", "2")], ["one"]).splitlines()
    assert lines[0] == '<div class="reference" role="region" aria-label="A &quot;label&quot;" tabindex="0">'
    assert lines[4] == '<tr id="one"><th scope="row">1</th><td>2</td></tr>'
