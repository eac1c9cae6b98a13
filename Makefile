# serve · test · build · bench · conformance-soak: each sets up what it needs first, on a machine with only Python 3.11+
# (with venv) and make.

PORT ?= 8000
# The first Python on the PATH that is new enough; python3 where none is, so that tools/prepare.py can say what is missing.
PYTHON ?= $(or $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done),python3)
LAB := .venv/bin/python
PYTEST_ARGS ?=
COMMANDS ?= 200000
SEED ?= 0

.PHONY: help serve test check build bench conformance-soak prepare clean

help:
	@echo "make serve   build the site and serve it on 127.0.0.1:$(PORT) (PORT=… changes it)"
	@echo "make test    run every test, the browser ones included (PYTEST_ARGS=… is handed to pytest)"
	@echo "make check   run the tests that read the source: contracts, style, types"
	@echo "make build   leave the publishable folder in site/"
	@echo "make bench   measure speed and print a report"
	@echo "make conformance-soak   compare COMMANDS=$(COMMANDS) random commands with real servers (SEED=$(SEED))"
	@echo "make clean   remove everything that was generated or installed here"

serve: build
	@$(LAB) -m tools.serve --port $(PORT)

test: build
	@$(LAB) -m tools.browser --check
	@$(LAB) -m pytest tests --numprocesses auto --maxprocesses 4 $(PYTEST_ARGS)

check: prepare
	@$(LAB) -m pytest tests/architecture $(PYTEST_ARGS)

build: prepare
	@$(LAB) -m tools.build

bench: build
	@$(LAB) -m tools.bench

conformance-soak: prepare
	@$(LAB) -m tests.conformance.soak $(COMMANDS) --seed $(SEED)

prepare:
	@$(PYTHON) -m tools.prepare

clean:
	rm -rf .venv node_modules build site .pytest_cache .ruff_cache .import_linter_cache .hypothesis
