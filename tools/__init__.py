"""Build-time tools: nothing here runs in a reader's browser, and no file of `py_runtime` or `experiments` imports it.

Start with `build`: it calls the others in order. One line per module:

- `prepare`  makes the Python environment and the npm folder on a machine that has neither
- `node`     finds Node and npm;  `browser` finds a Chromium;  `paths` names the folders;  `stamp` skips what is fresh
- `record`   runs every experiment once and keeps the reports that pages show before Python is loaded
- `still`    draws a report as SVG and tables for readers without JavaScript;  `fence` puts it into Markdown pages
- `embed`    writes one bare page per experiment for other sites' iframes
- `pack_runtime` packs Pyodide and our Python into the archive that the page loads
- `theme`    mends the built theme: instant navigation at any address, names for screen readers
- `serve`    serves the built folder as GitHub Pages would;  `csp` computes the site's content security policy
"""
