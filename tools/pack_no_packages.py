"""Shipped into the browser as `pyodide._package_loader`: what Pyodide asks of it while it starts, and nothing more.

Pyodide's own unpacks packages, for which it imports every kind of archive; the lab loads no packages.
"""

from site import getsitepackages


class Folder:
    """A folder of which JavaScript asks the name, by `__str__()`."""

    def __init__(self, path):
        self._path = path

    def __str__(self):
        return self._path


SITE_PACKAGES = Folder(getsitepackages()[0])
DSO_DIR = Folder("/usr/lib")


def init_loaded_packages():
    """There are none."""
