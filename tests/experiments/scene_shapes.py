"""The shapes a page can draw: every breach of them in a report's views, in words."""

from collections.abc import Iterator
from typing import Any

TONES = {"neutral", "good", "bad", "warn", "busy", "muted"}


def breaches(report: dict[str, Any]) -> list[str]:
    """What is wrong with the scene of a report in the wire format; nothing, where it can be drawn."""
    last, until_us = max(len(report["trace"]) - 1, 0), report["until_us"]
    found = [f"two views are called {each}" for each in _doubles(view["id"] for view in report["scene"])]
    for view in report["scene"]:
        check = {"cells": _cells, "series": _series, "dots": _dots, "cards": _cards}.get(view["view"])
        if check is None:
            found.append(f"unknown view {view['view']}")
            continue
        found += [f"{view['id']}: {breach}" for breach in check(view, last, until_us)]
    return found


def _doubles(ids) -> set[str]:
    ids = list(ids)
    return {each for each in ids if ids.count(each) > 1}


def _keys(entry: dict[str, Any], *names: str) -> Iterator[str]:
    if set(entry) != set(names):
        yield f"holds {sorted(entry)} instead of {sorted(names)}"


def _changes(changes: list[dict[str, Any]], last: int) -> Iterator[str]:
    positions = [change["position"] for change in changes]
    if positions != sorted(positions):
        yield "changes are not in order of position"
    for position in positions:
        if not isinstance(position, int) or not 0 <= position <= last:
            yield f"position {position} is outside 0 to {last}"
    for change in changes:
        if not isinstance(change["text"], str):
            yield f"text {change['text']!r} is no text"


def _toned(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield from (f"two entries are called {each}" for each in _doubles(row["id"] for row in rows))
    for row in rows:
        if "tone" in row and row["tone"] not in TONES:
            yield f"unknown tone {row['tone']}"


def _cells(view: dict[str, Any], last: int, until_us: int) -> Iterator[str]:
    yield from _keys(view, "view", "id", "label", "cells", "states", "initial", "changes")
    yield from _toned(view["states"])
    yield from _toned(view["cells"])
    yield from _changes(view["changes"], last)
    states, cells = {state["id"] for state in view["states"]}, {cell["id"] for cell in view["cells"]}
    for state in view["states"]:
        yield from _keys(state, "id", "label", "tone", "glyph")
    if len({(state["tone"], state["glyph"]) for state in view["states"]}) < len(states):
        yield "two states look the same"
    for change in view["changes"]:
        yield from _keys(change, "position", "cell", "state", "text")
        if change["cell"] not in cells or change["state"] not in states:
            yield f"change of {change['cell']} to {change['state']}, which are not declared"
    if view["initial"] not in states:
        yield f"initial state {view['initial']} is not declared"


def _series(view: dict[str, Any], last: int, until_us: int) -> Iterator[str]:
    yield from _keys(view, "view", "id", "label", "unit", "minimum", "maximum", "lines")
    yield from _toned(view["lines"])
    if not view["minimum"] < view["maximum"]:
        yield f"minimum {view['minimum']} is not below maximum {view['maximum']}"
    for line in view["lines"]:
        yield from _keys(line, "id", "label", "tone", "points")
        instants = [at_us for at_us, _ in line["points"]]
        if instants != sorted(instants) or any(not 0 <= at_us <= until_us for at_us in instants):
            yield f"{line['id']}: instants are not in order from 0 to {until_us}"
        if any(not view["minimum"] <= value <= view["maximum"] for _, value in line["points"]):
            yield f"{line['id']}: a value lies outside {view['minimum']} to {view['maximum']}"


def _dots(view: dict[str, Any], last: int, until_us: int) -> Iterator[str]:
    yield from _keys(view, "view", "id", "label", "rows")
    yield from _toned(view["rows"])
    for row in view["rows"]:
        yield from _keys(row, "id", "label", "tone", "points")
        yield from _changes(row["points"], last)
        for point in row["points"]:
            yield from _keys(point, "at_us", "position", "text")


def _cards(view: dict[str, Any], last: int, until_us: int) -> Iterator[str]:
    yield from _keys(view, "view", "id", "label", "cards", "arrows", "changes")
    yield from _toned(view["cards"])
    yield from _toned([{"id": str(index), **change} for index, change in enumerate(view["changes"])])
    yield from _changes(view["changes"], last)
    cards = {card["id"] for card in view["cards"]}
    for card in view["cards"]:
        yield from _keys(card, "id", "title", "role")
    for change in view["changes"]:
        yield from _keys(change, "position", "card", "text", "tone")
    for name in {change["card"] for change in view["changes"]} | {end for arrow in view["arrows"] for end in arrow}:
        if name not in cards:
            yield f"card {name} is not declared"
