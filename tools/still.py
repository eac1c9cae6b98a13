"""What a reader sees of an experiment without JavaScript, and in print: the recorded run as a picture and tables.

Decides what is shown of a report and in which words. Knows the wire format and no experiment; the picture of the lanes
is `lanes`' work. All words are in `TEXT`, so that another language is another table.
"""

import json
from html import escape

from tools.lanes import draw_lanes, shape_markup, used_in

_EVENTS_MAX = 40
# Bookkeeping that the table leaves out; the page's own table has everything.
_ROUTINE_KINDS = {"call.started", "call.completed", "actor.started", "busy.started", "busy.completed"}

TEXT = {
    "goal": "Challenge:",
    "caption": "Recorded run of {title}, variant “{variant}”: {outcome}. Seed {seed}, {events} events, "
    "{until} of virtual time. {ended}",
    "svg_title": "Timeline of {title}, variant “{variant}”",
    "svg_desc": "{lanes} lanes from 0 to {until}: {names}. The tables below say the same in words.",
    "legend": "Key",
    "readings": "Readings",
    "reading": ("Reading", "Value", "Unit"),
    "claims": "Claims",
    "claim": ("Claim", "Verdict", "Observed"),
    "events": "Events",
    "event": ("Time", "Actor", "Event", "What"),
    "events_shown": "The first {shown} telling events, of {total} in all; with JavaScript the page shows every one.",
    "events_all": "All {shown} telling events, out of {total} in all.",
    "holds": "✓ holds",
    "broken": "✗ broken",
    "silent": "– does not apply here",
    "scroll": "Timeline, scrolls sideways",
}
_DASH = "–"


def draw_still(report: dict, experiment: dict, text: dict = TEXT) -> str:
    """The static figure of a report, as markup; `experiment` is its description."""
    variant = next(v["label"] for v in experiment["variants"] if v["id"] == report["variant"])
    words = {
        "title": experiment["title"],
        "variant": variant,
        "outcome": report["outcome"],
        "seed": report["seed"],
        "events": f"{report['events']:,}",
        "until": time_text(report["until_us"]),
        "ended": report["ended"],
        "lanes": len(report["lanes"]),
        "names": ", ".join(lane["label"] for lane in report["lanes"]),
    }
    svg = draw_lanes(report, text["svg_title"].format(**words), text["svg_desc"].format(**words))
    # Search engines of the site skip it: dozens of event rows would drown the prose they stand beside.
    return (
        '<figure class="lab-still" data-search-exclude>'
        f"<figcaption>{escape(text['caption'].format(**words).strip())}</figcaption>"
        f'<div class="lab-still-scroll" role="region" tabindex="0" aria-label="{escape(text["scroll"])}">{svg}</div>'
        f"{_legend(report, text)}{_readings(report, experiment, text)}{_claims(report, text)}{_events(report, text)}"
        "</figure>"
    )


def draw_goal(experiment: dict, text: dict = TEXT) -> str:
    """What a challenge asks for, as markup; nothing for other experiments."""
    challenge = experiment.get("challenge")
    return f"<p><strong>{escape(text['goal'])}</strong> {escape(challenge['goal'])}</p>" if challenge else ""


def time_text(at_us: int) -> str:
    """A virtual time for readers: milliseconds, with as many decimals as the value has."""
    whole, rest = divmod(at_us, 1000)
    decimals = f".{rest:03d}".rstrip("0") if rest else ""
    return f"{whole:,}{decimals} ms"


def value_text(value: object) -> str:
    """A reading for readers: a dash where it does not apply, lists and tables in one line."""
    match value:
        case None:
            return _DASH
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return f"{value:,}"
        case dict():
            return ", ".join(f"{key}: {value_text(item)}" for key, item in value.items()) or _DASH
        case list() if any(isinstance(item, list | dict) for item in value):
            return "; ".join(f"({value_text(item)})" for item in value)
        case list():
            return ", ".join(map(value_text, value)) or _DASH
    return str(value)


def _legend(report: dict, text: dict) -> str:
    rows = used_in(report)
    if not rows:
        return ""
    items = "".join(
        f'<li><svg aria-hidden="true" viewBox="0 0 20 16" width="20" height="16">'
        f"{shape_markup(shape, tone, 10, 8)}</svg> "
        f"{escape(name)}</li>"
        for shape, tone, name in rows
    )
    return f'<ul class="lab-still-key" aria-label="{escape(text["legend"])}">{items}</ul>'


def _readings(report: dict, experiment: dict, text: dict) -> str:
    declared = {reading["name"]: reading for reading in experiment["readings"]}
    rows = []
    for name, value in report["readings"].items():
        reading = declared.get(name, {})
        rows.append((reading.get("label", name), value_text(value), reading.get("unit") or ""))
    return _table(text["readings"], text["reading"], rows)


def _claims(report: dict, text: dict) -> str:
    words = {True: text["holds"], False: text["broken"], None: text["silent"]}
    rows = [(claim["text"], words[claim["holds"]], value_text(claim["observed"])) for claim in report["claims"]]
    return _table(text["claims"], text["claim"], rows)


def _events(report: dict, text: dict) -> str:
    calls = {
        e["fields"].get("call"): e["fields"].get("text", "") for e in report["trace"] if e["kind"] == "call.started"
    }
    telling = [event for event in report["trace"] if event["kind"] not in _ROUTINE_KINDS]
    shown = telling[:_EVENTS_MAX]
    rows = [(time_text(e["at_us"]), e["actor"] or _DASH, e["kind"], event_text(e, calls)) for e in shown]
    sentence = text["events_shown"] if len(telling) > len(shown) else text["events_all"]
    note = sentence.format(shown=len(shown), total=f"{report['events']:,}")
    return (
        f"<details><summary>{escape(text['events'])}</summary><p>{escape(note)}</p>"
        f"{_table(text['events'], text['event'], rows)}</details>"
    )


def event_text(event: dict, calls: dict) -> str:
    """What an event says, in one line; `calls` maps call numbers to the text of the call."""
    fields = dict(event["fields"])
    call = fields.pop("call", None)
    fields.pop("changes", None)
    words = [str(fields.pop(key)) for key in ("name", "text") if fields.get(key) is not None]
    if not words and calls.get(call):
        words = [calls[call]]
    more = [f"{key.replace('_', ' ')} {_short(value)}" for key, value in fields.items() if value is not None]
    return " · ".join(words + more) or _DASH


def _short(value: object, letters_max: int = 60) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= letters_max else text[: letters_max - 1] + "…"


def _table(caption: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
