# The one entry: `make` lists what it can do.
# Everything is installed into .venv and ui/node_modules; nothing outside this folder is touched.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:
# With this in the environment, the virtual environment could not be compiled ahead.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
INSTALLED := $(VENV)/.installed
NPM := $(BIN)/python hatch_build.py npm
PORT ?= 8787
# Processes that tests run in, for example 2; each has a PostgreSQL server and a browser of its own.
WORKERS ?= 2

# --- first steps --------------------------------------------------------------------------------

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: python packages ## virtual environment, npm packages, commit hook
	@if [ -z "$$CI" ] && git rev-parse --git-dir >/dev/null 2>&1 \
		&& [ -z "$$(git config --get core.hooksPath)" ]; then \
		git config core.hooksPath .githooks; fi

.PHONY: run
run: python ## an office to look at: [OFFICE=file-or-folder] [MODEL=provider:name] [PORT=8787]
	@$(BIN)/python -c "$$CHECK_PORT" $(PORT)
	@$(BIN)/python hatch_build.py
	@exec $(BIN)/dayshift up $(if $(OFFICE),"$(OFFICE)") $(if $(MODEL),--model "$(MODEL)") --port $(PORT)

.PHONY: dev
dev: python packages ## the UI with reload on :5173, before the office of `make run`
	@$(NPM) run dev

# --- while you work -----------------------------------------------------------------------------

.PHONY: fix
fix: python packages ## format and repair
	@$(BIN)/ruff format --quiet
	@$(BIN)/ruff check --quiet --fix || true
	@$(NPM) run --silent fix

.PHONY: quick
quick: python ## format check, lint, import contracts: what the commit hook runs
	@$(BIN)/ruff format --check --output-format concise
	@$(BIN)/ruff check --quiet
	@$(BIN)/lint-imports --no-logo >$(VENV)/.contracts || { cat $(VENV)/.contracts; exit 1; }
	@grep -E '^(Analyzed|Contracts)' $(VENV)/.contracts

.PHONY: types
types: python packages ## basedpyright and tsc
	@$(NPM) run --silent typecheck
	@$(BIN)/basedpyright

.PHONY: lock
lock: python packages ## lock anew what pyproject.toml and ui/package.json ask for: [UPGRADE=package]
	@$(BIN)/uv lock --quiet $(if $(UPGRADE),--upgrade-package $(UPGRADE))
	@$(BIN)/uv export --quiet --all-extras --all-groups --no-emit-project --no-header \
		--format requirements.txt >requirements.lock
	@$(NPM) install --package-lock-only

.PHONY: docs
docs: python packages ## write wire/, the UI's types and the reference pages anew from the code
	@$(BIN)/python -m dayshift.web.wire
	@$(NPM) run --silent api
	@$(BIN)/python -m docs.generate

NEW := new-tool new-provider new-computer new-event new-page new-setting new-rule new-adr new-change
.PHONY: $(NEW)
new-tool: ## begin by a recipe: NAME=…; so new-provider, -computer, -event, -page, -setting, -rule, -adr, -change
$(NEW): python
	@$(BIN)/python -m docs.generate.new $(@:new-%=%) "$(NAME)"

.PHONY: shots
shots: ui ## pictures of every page, into build/shots: [PAGES="home floor"]
	@$(BIN)/python -m tests.browser.shots $(PAGES)

.PHONY: bench
bench: python ## what the product costs, into build/bench.json: [ONLY=P1,P6] [MINUTES=10 at rest]
	@$(BIN)/python tests/bench $(if $(ONLY),--only $(ONLY)) $(if $(MINUTES),--minutes $(MINUTES))

.PHONY: figures
figures: python ## make bench, then its page in docs/explain: [MINUTES=10] [HARNESS=folder, for the peers]
	@$(BIN)/python tests/bench --minutes $(or $(MINUTES),10)
	@$(if $(HARNESS),$(BIN)/python tests/bench/peers.py --harness "$(HARNESS)",true)
	@$(BIN)/python -m docs.generate.performance

.PHONY: soak
soak: python ## ten minutes of load and faults: [MINUTES=10] [POSTGRES=1]
	@$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),10) $(if $(POSTGRES),--postgres)

.PHONY: test
test: ## all checks and tests, or a part of them: [T=path]
	@$(MAKE) --no-print-directory $(if $(T),part,ci)

.PHONY: ci
ci: quick lint-ui types test-ui ui models ## all of it, in the order of cheapness, as .ci/run calls it: [WORKERS=2]
	@$(BIN)/pytest $(if $(WORKERS),-n $(WORKERS) --dist loadfile --no-loadscope-reorder)

# --- steps of the verbs above -------------------------------------------------------------------

.PHONY: python packages ui models part lint-ui test-ui
python: $(INSTALLED)

packages: python
	@$(BIN)/python hatch_build.py packages

ui: python
	@$(BIN)/python hatch_build.py

models: python
	@$(BIN)/python -m dayshift.models.local_install build/models

lint-ui: packages
	@$(NPM) run --silent lint

test-ui: packages
	@$(NPM) run --silent test

ifeq ($(filter ui ui/%,$(T)),)
part: python
	@$(BIN)/pytest $(T)
else
part: packages
	@$(NPM) run --silent test -- $(patsubst ui/%,%,$(filter ui/%,$(T)))
endif

$(INSTALLED): requirements.lock pyproject.toml hatch_build.py
	@[ -w . ] || { echo "You may not write into $$PWD, where the environment would go." >&2; exit 1; }
	@for python in "$(PYTHON)" python3 python3.14 python3.13 python3.12 python3.11; do \
		if [ -n "$$python" ] && "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
			2>/dev/null; then found=$$python; break; fi; done; \
	[ -n "$$found" ] || { echo "Python 3.11 or newer is needed, and none was found. Get it from" \
		"your system (Debian: apt install python3 python3-venv) or python.org;" \
		"PYTHON=/path/to/it names one." >&2; exit 1; }; \
	[ -x $(BIN)/pip ] || "$$found" -m venv $(VENV) || { \
		echo "The virtual environment could not be made; on Debian: apt install python3-venv." >&2; \
		rm -rf $(VENV); exit 1; }
	@echo "Setting up the Python environment in $(VENV) …" >&2
	@$(BIN)/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION) || { \
		echo "uv could not be installed; is PyPI reachable?" >&2; exit 1; }
	@$(BIN)/uv pip sync --quiet --compile-bytecode --require-hashes requirements.lock
	@DAYSHIFT_SKIP_UI=1 $(BIN)/uv pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

define CHECK_PORT
import socket, sys
port = int(sys.argv[1])
try:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
except OSError:
    sys.exit(f"Port {port} is taken; try: make run PORT={port + 1}")
endef
export CHECK_PORT
