"""How many steps runs take: the same in every Python, since a schedule counts the choices between them."""

from experiments import EXPERIMENTS
from py_runtime.lab import run_once


def steps() -> dict[str, list[int]]:
    """How many steps the runs take, the default one and the one that is explored."""
    return {
        f"{slug} {variant.id}": [
            run_once(each, variant.id, parameters).bounds["steps"] for parameters in ({}, each.exploration.parameters)
        ]
        for slug, each in EXPERIMENTS.items()
        for variant in each.variants
    }
