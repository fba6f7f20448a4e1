# make run       a small cluster on this machine, from nothing (Ctrl-C stops it)
# make test      the test suite
# make test-landing  the tests that take longest, most of them of real processes; CI runs them besides
# make lint      style, types, import contracts, generated code, words
# make compiled  the hot modules as machine code, in build/compiled (needs a C compiler)
# make test-compiled  the test suite on that, its wheel included (make compiled-wheel: that wheel, in dist)
# make interop   against a real Kafka (needs java 17 and mvn; INTEROP=required fails without them)
# make differential  Kafka's controller judges ours: seeded requests to both, all that follows compared (REQUESTS=100000 FIRST=seed ARGS="--jobs 2")
# make kafka-tests  all of Kafka's own suites with our controllers (hours); writes docs/kafka-tests.md and docs/kafka-core-tests.md (ARGS="--class NAME", of either; ARGS="--kind core")
# make kafka-tools  Kafka's command line tools on Kafka's controllers and on ours, call by call; writes docs/kafka-tools.md (ARGS=--ours: on ours alone)
# make kafka-clients  franz-go's own tests on our controllers (needs go, java 17 and mvn); writes docs/kafka-clients.md (CONTROLLERS=kraftpy)
# make simulate  the long seeded search for broken guarantees (SEEDS=n FIRST=k, or FIRST=commit), after the seeds that ever failed
# make planted   the simulator finds every bug that is planted for it, by the seed that its table names
# make robustness  real processes under attack, histories judged (MINUTES=10 FIRST=k, or FIRST=commit)
# make kafka-faults  Kafka's brokers on our controllers under faults (needs java 17 and mvn; MINUTES=10 FIRST=k CONTROLLERS=kraftpy)
# make kafka-migrations  Kafka's controllers replaced by ours and back under load, a fault at each step (FIRST=k ROUNDS=1)
# make fuzz      every decoder and both ports against hostile input (SECONDS=60; atheris where it has a wheel)
# make docs      the documentation as a site, in build/docs; refuses broken links
# make release  the files of a release from its tagged commit, in dist (ARGS=--check, ARGS="--sign-with KEY"; docs/releases.md)
# make clean     forget everything that was built; data directories stay
#
# Needs only python3 (3.11 or newer) and a package index that pip can reach. Everything is kept in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
SEEDS ?= 1000
FIRST ?= 1
ROUNDS ?= 1
INTEROP ?= wanted
MINUTES ?= 10
REQUESTS ?= 100000
SECONDS ?= 60
CONTROLLERS ?= kraftpy
ATHERIS := 'atheris>=3,<4'

RUN_STAMP := $(VENV)/.stamp-run
DEV_STAMP := $(VENV)/.stamp-dev
DOCS_STAMP := $(VENV)/.stamp-docs
INTEROP_STAMP := $(VENV)/.stamp-interop
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help run test test-landing lint format compiled test-compiled compiled-wheel interop differential kafka-tests kafka-tools kafka-clients simulate planted robustness kafka-faults kafka-migrations fuzz docs release clean

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | sed '/^$$/q'

run: $(RUN_STAMP)
	$(BIN)/kraftpy quickstart $(ARGS)

test: $(DEV_STAMP)
	$(BIN)/pytest -n $(JOBS) --dist loadgroup -m "not campaign and not landing" $(ARGS)

test-landing: $(DEV_STAMP)
	$(BIN)/pytest -n $(JOBS) --dist loadgroup -m "landing and not campaign" $(ARGS)

lint: $(DEV_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python .ci/check_generated.py
	$(BIN)/python .ci/check_words.py

format: $(DEV_STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

compiled: $(DEV_STAMP)
	$(BIN)/python -m deploy.compiled --jobs $(JOBS)

# The working directory must not come first on any path: the sources in it would hide the compiled form.
test-compiled: compiled
	KRAFTPY_COMPILED=required PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/build/compiled:$(CURDIR) \
	  $(BIN)/pytest -o pythonpath="build/compiled ." -n $(JOBS) --dist loadgroup -m "not campaign and not landing" $(ARGS)

compiled-wheel: compiled
	KRAFTPY_COMPILED=required $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .

interop: $(INTEROP_STAMP)
	KRAFTPY_INTEROP=$(INTEROP) $(BIN)/pytest -p no:xdist tests/interop $(ARGS)

differential: $(DEV_STAMP)
	$(BIN)/python -m tests.interop.differential --seed $(FIRST) --requests $(REQUESTS) $(ARGS)

kafka-tests: $(DEV_STAMP)
	$(BIN)/python -m tests.interop.clustertest $(ARGS)

kafka-tools: $(DEV_STAMP)
	$(BIN)/python -m tests.interop.stock_tools $(ARGS)

kafka-clients: $(DEV_STAMP)
	$(BIN)/python -m tests.interop.franz_go --controllers $(CONTROLLERS) $(ARGS)

simulate: $(DEV_STAMP)
	$(BIN)/python -m tests.simulator --known
	$(BIN)/python -m tests.simulator --seeds $(SEEDS) --first $(FIRST) $(ARGS)

planted: $(DEV_STAMP)
	$(BIN)/python -m tests.simulator --planted --check

robustness: $(DEV_STAMP)
	$(BIN)/python -m tests.robustness --minutes $(MINUTES) --first $(FIRST) $(ARGS)

kafka-faults: $(DEV_STAMP)
	$(BIN)/python -m tests.kafka_faults --minutes $(MINUTES) --first $(FIRST) --controllers $(CONTROLLERS) $(ARGS)

kafka-migrations: $(DEV_STAMP)
	$(BIN)/python -m tests.kafka_faults.migration --first $(FIRST) --rounds $(ROUNDS) $(ARGS)

# atheris is not pinned with the rest: it has wheels for some Pythons only, and the fuzzing goes on without it.
fuzz: $(DEV_STAMP)
	@$(PIP) --only-binary :all: $(ATHERIS) || echo "skipped: atheris has no wheel for this Python" >&2
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(ARGS)

docs: $(DOCS_STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

release: $(DEV_STAMP)
	$(BIN)/python -m deploy.release $(ARGS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "kraftpy needs Python 3.11 or newer, and '$(PYTHON)' is not: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; \
	  exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUN_STAMP): requirements.txt pyproject.toml | $(BIN)/python
	$(PIP) -r requirements.txt
	$(PIP) --no-deps --editable .
	@touch $@

$(DEV_STAMP): requirements-dev.txt $(RUN_STAMP) | $(BIN)/python
	$(PIP) -r requirements-dev.txt
	@touch $@

# Where a client has no wheel, its tests skip by name, or fail where INTEROP=required.
$(INTEROP_STAMP): requirements-interop.txt $(DEV_STAMP)
	$(PIP) -r requirements-interop.txt || [ "$(INTEROP)" != required ]
	@touch $@

$(DOCS_STAMP): requirements-docs.txt | $(BIN)/python
	$(PIP) -r requirements-docs.txt
	@touch $@
