"""What experiments there are, as data for pages and terminals: texts, variants, parameters, readings, programs.

Decides the format of the catalogue (wire version 1); reads declarations only, runs nothing.
"""

from collections.abc import Mapping
from typing import Any

from .challenge import REFERENCE
from .declare import Experiment
from .report import WIRE_VERSION


def catalogue(experiments: Mapping[str, Experiment], language: str = "en") -> dict[str, Any]:
    """All experiments in the order of the table."""
    return {"version": WIRE_VERSION, "experiments": [describe(each, language) for each in experiments.values()]}


def describe(experiment: Experiment, language: str = "en") -> dict[str, Any]:
    """One experiment as the page shows it before anything has run."""
    texts = experiment.texts(language)
    return {
        "slug": experiment.slug,
        **{name: texts[name] for name in ("title", "kicker", "question", "summary", "status")},
        "live": experiment.live,
        "variants": [
            {
                "id": variant.id,
                "expected": variant.expected,
                "breaks": variant.breaks,
                **texts["variants"][variant.id],
            }
            for variant in experiment.variants
        ],
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type,
                "unit": parameter.unit,
                **parameter.describe(),
                **texts["parameters"][parameter.name],
            }
            for parameter in experiment.parameters
        ],
        "readings": [
            {"name": reading.name, "unit": reading.unit, **texts["readings"][reading.name]}
            for reading in experiment.readings
        ],
        "predictions": [
            {
                "id": prediction.id,
                "kind": prediction.kind,
                "question": texts["predictions"][prediction.id]["question"],
                "choices": [
                    {"id": choice, "label": texts["predictions"][prediction.id]["choices"][choice]}
                    for choice in prediction.choices
                ],
            }
            for prediction in experiment.predictions
        ],
        "safeguards": [
            {
                "id": each.id,
                "variant": each.variant,
                "file": each.file,
                "changes": [list(change) for change in each.changes],
                "falls": [{"id": claim, "text": texts["claims"][claim]} for claim in each.falls],
                "own_case": bool(each.parameters or each.not_judged),
                **texts["safeguards"][each.id],
            }
            for each in experiment.safeguards
        ],
        "challenge": _challenge(experiment, texts),
        "not_shown": list(texts["not_shown"]),
        "programs": {
            variant.id: [{"file": file, "text": experiment.resource(f"programs/{file}")} for file in variant.programs]
            for variant in experiment.variants
        },
    }


def _challenge(experiment: Experiment, texts: Mapping[str, Any]) -> dict[str, Any] | None:
    """Goal, hints and the reference repair; what the checks are is told once they have been made."""
    challenge = experiment.challenge
    if challenge is None:
        return None
    from .completion import edition  # when first asked for: no run needs it

    told = texts["challenge"]
    return {
        "file": challenge.file,
        "edition": edition(experiment),
        "goal": told["goal"],
        "hints": list(told["hints"]),
        "reference": experiment.resource(challenge.repair(REFERENCE)),
        "explained": told["explained"],
    }
