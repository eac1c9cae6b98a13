"""Draws the lanes of a recorded run as one SVG: who did what, when, and where messages went.

Decides the picture only: positions, shapes, which marks coincide. Which words go around it is `still`'s business;
colours are the style sheet's (classes, no styles here), and every tone also has a shape of its own, so that the picture
reads in black and white and under a strict content security policy.
"""

from collections.abc import Iterator
from html import escape

WIDTH = 720
_LABEL_WIDTH = 118
_RIGHT = 14
_ROW = 30
_TOP = 30
_ARROWS_MAX = 40  # with more calls than this, arrows become a grey mass that hides the lanes
_LABEL_LETTERS_MAX = 17

# kind of trace event -> (shape, tone, what the legend calls it), in the order in which the legend lists them
SHAPES = {
    "mark": ("diamond", "neutral", "moment of the story"),
    "call.applied": ("tick", "muted", "call handled"),
    "call.failed": ("triangle", "warn", "call failed"),
    "call.lost": ("ring", "warn", "message lost"),
    "replica.promoted": ("diamond", "warn", "promotion"),
    "replica.cut": ("ring", "warn", "link lost"),
    "task.failed": ("triangle", "bad", "task failed"),
    "offload.failed": ("triangle", "bad", "off-loaded call failed"),
    "actor.crashed": ("cross", "bad", "crash"),
}
# first kind of a pair -> (kinds that close it, class, what the legend calls it)
BARS = {
    "busy.started": (("busy.completed",), "busy", "busy"),
    "actor.paused": (("actor.resumed",), "paused", "paused"),
    "offload.started": (("offload.completed", "offload.failed"), "offload", "off-loaded work"),
}
_LIFE_ENDS = ("actor.ended", "actor.crashed")


def draw_lanes(report: dict, title: str, description: str) -> str:
    """The SVG of a report, as markup; `title` and `description` are its text alternative."""
    lanes = report["lanes"]
    rows = {actor: index for index, lane in enumerate(lanes) for actor in lane["actors"]}
    scale = _Scale(max(report["until_us"], 1), len(lanes))
    parts = [
        *_axis(scale),
        *(_lane(scale, index, lane) for index, lane in enumerate(lanes)),
        *_lives(scale, report, rows),
        *_bars(scale, report, rows),
        *_arrows(scale, report["trace"], rows),
        *_marks(scale, report["trace"], rows),
    ]
    return (
        f'<svg class="lab-still-lanes" role="img" viewBox="0 0 {WIDTH} {scale.height}" width="{WIDTH}" '
        f'height="{scale.height}"><title>{escape(title)}</title><desc>{escape(description)}</desc>{"".join(parts)}</svg>'
    )


def used_in(report: dict) -> list[tuple[str, str, str]]:
    """The legend's rows for this report: (shape or bar class, tone, name), only for what occurs in it."""
    kinds = {event["kind"] for event in report["trace"]}
    bars = [(f"bar-{css}", css, name) for kind, (_, css, name) in BARS.items() if kind in kinds]
    return bars + [row for kind, row in SHAPES.items() if kind in kinds]


class _Scale:
    def __init__(self, until_us: int, rows: int) -> None:
        self.until_us = until_us
        self.height = _TOP + rows * _ROW + 6

    def x(self, at_us: int) -> float:
        inner = WIDTH - _LABEL_WIDTH - _RIGHT
        return round(_LABEL_WIDTH + inner * min(at_us, self.until_us) / self.until_us, 1)

    def y(self, row: int) -> float:
        return _TOP + row * _ROW + _ROW / 2


def _axis(scale: _Scale) -> Iterator[str]:
    step_us = _round_step(scale.until_us / 6)
    at_us = 0
    while at_us <= scale.until_us:
        x = scale.x(at_us)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP - 8}" y2="{scale.height - 4}"/>'
        label = axis_text(at_us, scale.until_us)
        yield f'<text class="axis" x="{x}" y="{_TOP - 14}" text-anchor="middle">{label}</text>'
        at_us += step_us


def _round_step(rough_us: float) -> int:
    """The next number of the form 1, 2 or 5 times a power of ten, so that the axis has numbers people like."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if factor * power >= rough_us:
                return factor * power
        power *= 10


def axis_text(at_us: int, until_us: int) -> str:
    """A time on the axis, in the unit that suits the whole run."""
    if until_us >= 10_000_000:
        return f"{at_us / 1_000_000:g} s"
    return f"{at_us / 1000:g} ms" if until_us >= 1000 else f"{at_us} µs"


def _lane(scale: _Scale, index: int, lane: dict) -> str:
    y, label = scale.y(index), lane["label"]
    if len(label) > _LABEL_LETTERS_MAX:
        label = label[: _LABEL_LETTERS_MAX - 1] + "…"
    return (
        f'<text class="name" x="4" y="{y + 4}">{escape(label)}</text>'
        f'<line class="lane" x1="{_LABEL_WIDTH}" x2="{WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>'
    )


def _lives(scale: _Scale, report: dict, rows: dict[str, int]) -> Iterator[str]:
    starts: dict[str, int] = {}
    ends: dict[str, int] = {}
    for event in report["trace"]:
        if event["kind"] == "actor.started":
            starts.setdefault(event["actor"], event["at_us"])
        elif event["kind"] in _LIFE_ENDS:
            ends[event["actor"]] = event["at_us"]
    for actor, start_us in starts.items():
        if actor in rows:
            y, end_us = scale.y(rows[actor]), ends.get(actor, report["until_us"])
            yield f'<line class="life" x1="{scale.x(start_us)}" x2="{scale.x(end_us)}" y1="{y}" y2="{y}"/>'


def _bars(scale: _Scale, report: dict, rows: dict[str, int]) -> Iterator[str]:
    open_us: dict[tuple[str, str], list[int]] = {}
    closing = {end: start for start, (ends, _, _) in BARS.items() for end in ends}
    for event in report["trace"]:
        kind, actor = event["kind"], event["actor"]
        if actor not in rows:
            continue
        if kind in BARS:
            open_us.setdefault((kind, actor), []).append(event["at_us"])
        elif kind in closing and open_us.get((closing[kind], actor)):
            start_us = open_us[closing[kind], actor].pop(0)
            yield _bar(scale, rows[actor], closing[kind], start_us, event["at_us"])
    for (kind, actor), starts in open_us.items():  # still going on when the run ended
        for start_us in starts:
            yield _bar(scale, rows[actor], kind, start_us, report["until_us"])


def _bar(scale: _Scale, row: int, kind: str, start_us: int, end_us: int) -> str:
    x, y = scale.x(start_us), scale.y(row)
    width = max(round(scale.x(end_us) - x, 1), 1.5)
    return f'<rect class="bar-{BARS[kind][1]}" x="{x}" y="{y - 6}" width="{width}" height="12"/>'


def _arrows(scale: _Scale, trace: list[dict], rows: dict[str, int]) -> Iterator[str]:
    calls = {e["fields"].get("call"): e for e in trace if e["kind"] == "call.started"}
    applied = [e for e in trace if e["kind"] == "call.applied" and e["fields"].get("call") in calls]
    if len(applied) > _ARROWS_MAX:
        return
    for event in applied:
        start = calls[event["fields"]["call"]]
        if start["actor"] in rows and event["actor"] in rows and rows[start["actor"]] != rows[event["actor"]]:
            x1, y1 = scale.x(start["at_us"]), scale.y(rows[start["actor"]])
            x2, y2 = scale.x(event["at_us"]), scale.y(rows[event["actor"]])
            yield f'<line class="arrow" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _marks(scale: _Scale, trace: list[dict], rows: dict[str, int]) -> Iterator[str]:
    seen = set()  # marks that would cover each other exactly are drawn once
    for event in sorted(trace, key=lambda event: event["kind"] == "actor.crashed"):  # crashes on top of all else
        if event["kind"] not in SHAPES or event["actor"] not in rows:
            continue
        shape, tone, _ = SHAPES[event["kind"]]
        x, y = scale.x(event["at_us"]), scale.y(rows[event["actor"]])
        if (shape, tone, round(x), y) not in seen:
            seen.add((shape, tone, round(x), y))
            yield shape_markup(shape, tone, x, y)


def shape_markup(shape: str, tone: str, x: float, y: float) -> str:
    """One mark, centred at a point; the legend draws the same ones."""
    css = f'class="mark-{tone}"'
    match shape:
        case "tick":
            return f'<path {css} d="M{x} {y - 5}V{y + 5}"/>'
        case "diamond":
            return f'<path {css} d="M{x} {y - 6}l5 6-5 6-5-6z"/>'
        case "triangle":
            return f'<path {css} d="M{x} {y - 6}l6 11h-12z"/>'
        case "ring":
            return f'<circle {css} cx="{x}" cy="{y}" r="4"/>'
        case "cross":
            return f'<path {css} d="M{x - 5} {y - 5}l10 10m0-10l-10 10"/>'
        case _ if shape.startswith("bar-"):
            return f'<rect class="{shape}" x="{x - 9}" y="{y - 6}" width="18" height="12"/>'
    raise ValueError(f"There is no shape called {shape!r}.")
