"""Writes one bare page per experiment, `embed/<slug>/index.html`, for the iframes of other sites.

Decides the page around the element: no theme, no navigation, the same style sheets and module as the site. Which
variant, parameters, theme and position are shown is read from the address by the page's own script, so one file serves
all.
"""

from html import escape
from pathlib import Path

from tools.fence import catalogue, element

_PAGE = """<!doctype html>
<html lang="en" class="lab-embed">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{title} · Ownership Lab</title>
<link rel="icon" href="../../assets/images/favicon.png">
<link rel="stylesheet" href="../../assets/lab/lab.css">
<link rel="stylesheet" href="../../assets/lab/still.css">
<script type="module" src="../../assets/lab/main.js"></script>
</head>
<body class="lab-embed">
<main>
<h1>{title}</h1>
{element}
<p class="lab-embed-source"><a href="../../" target="_blank" rel="noopener">From the Ownership Lab</a></p>
</main>
</body>
</html>
"""


def write_embeds(folder: Path) -> int:
    """Write every experiment's page under `folder`/embed; returns how many were written."""
    experiments = catalogue()["experiments"]
    for experiment in experiments:
        page = folder / "embed" / experiment["slug"] / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        markup = element(experiment["slug"], embed=True)
        page.write_text(_PAGE.format(title=escape(experiment["title"]), element=markup), encoding="utf-8")
    return len(experiments)
