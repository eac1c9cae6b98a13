"""`python -m experiments`: hands the table to the command line."""

import sys

from py_runtime.lab.cli import main

from . import EXPERIMENTS

if __name__ == "__main__":
    sys.exit(main(EXPERIMENTS))
