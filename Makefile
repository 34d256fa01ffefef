# The few commands of this project. `make setup` is repeated only when the lock or this file changed.

SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
SETUP := $(VENV)/.setup-done
DEV := $(VENV)/.dev-done
CHROMIUM := $(firstword $(wildcard $(addprefix /usr/bin/,chromium-headless-shell chromium chromium-browser)))

# On a Pi the camera's libraries come from apt; the environment then sees them and pip leaves them alone.
PI := $(shell python3 -c 'import importlib.util as u; print("yes" if u.find_spec("libcamera") else "")' 2>/dev/null)

ifdef PI
CHOOSE := awk '/^[a-z]/ { skip = /^(numpy|opencv-python-headless)==/ } !skip'
NO_DEPS := --no-deps
else
CHOOSE := cat
endif

.PHONY: run ready test setup bench lint translations lock deb pi-test pi-half clean help

help:            ## tell what there is
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

run: $(SETUP)    ## set up and play on the virtual table: http://localhost:8000
	@$(VENV)/bin/companion demo $(ARGS)

setup: $(SETUP)  ## only set up, into .venv

ready: $(DEV) chromium systemd  ## all that `make test` needs

test: ready      ## everything that must hold: lint, types, layers, tests
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" && ruff check . && ruff format --check . && mypy && lint-imports && \
	  python -m pytest -n auto --dist loadfile --no-loadscope-reorder

bench: $(DEV)    ## ratios against a reference in the same process
	@for bench in tests/bench/bench_*.py; do echo "== $$bench"; PYTHONPATH=.:tests/support $(PY) $$bench || exit 1; done

lint: $(DEV)     ## put the code in shape
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" && ruff check --fix . && ruff format .

translations: $(DEV)  ## bring new sentences into the catalogues of all languages, and compile them
	@$(PY) tests/support/catalogs.py

lock: $(DEV)     ## choose newest versions and write them down with hashes
	@$(PY) -m pip install --quiet uv
	@for set in build dev; do \
	  $(VENV)/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-emit-index-url pyproject.toml --group $$set $$([ $$set = dev ] && echo "-c requirements/run.txt") \
	    -o requirements/$$([ $$set = dev ] && echo dev || echo run).txt; done

deb: $(SETUP)    ## build dist/table-companion_*_all.deb for a Pi, or any Debian 12 or newer
	@PYTHON=$(PY) systemd/deb/build

pi-test: $(DEV)  ## the package on real Debian roots under real systemd; needs root and 17 minutes
	@tests/pi/run $(PY)

pi-half: $(DEV)  ## its fast half: on Debian 12 alone, without a camera
	@tests/pi/run $(PY) half

clean:           ## forget the environment and what tests left
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/screenshots *.egg-info

.PHONY: tools chromium systemd
tools:
	@command -v python3 >/dev/null || { echo "python3 is missing: sudo apt-get install python3 python3-venv"; exit 1; }
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, this is $$(python3 -V): use Debian 12 or newer"; exit 1; }
	@python3 -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv is missing: sudo apt-get install python3-venv"; exit 1; }

# picamera2, NumPy and OpenCV of a Pi must fit together, so there they stay apt's.
$(SETUP): requirements/run.txt pyproject.toml Makefile | tools
	@echo "setting up $(VENV) (once)"
	@python3 -m venv $(if $(PI),--system-site-packages) --clear $(VENV)
	@$(CHOOSE) requirements/run.txt > $(VENV)/requirements.txt
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes $(NO_DEPS) -r $(VENV)/requirements.txt
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): $(SETUP) requirements/dev.txt
	@echo "adding the tools for tests"
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

chromium:
	@[ -n "$(CHROMIUM)" ] || { [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	  for package in chromium-headless-shell chromium; do \
	    apt-get install -y -qq --no-install-recommends $$package fonts-dejavu-core >/dev/null && break; done; } || \
	  { echo "chromium is missing: sudo apt-get install chromium-headless-shell fonts-dejavu-core"; exit 1; }

# Its tools check the unit files; nothing of it is started.
systemd:
	@command -v systemd-analyze >/dev/null || { [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends systemd >/dev/null; } || \
	  { echo "systemd-analyze is missing: sudo apt-get install systemd"; exit 1; }
