# One word for each thing that is done often. `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help setup lock run test check bench bench-music campaign local-model screenshots journeys words package clean

PYTHON := .venv/bin/python
STAMP := .venv/.setup-stamp
BENCH_STAMP := .venv/.bench-stamp
LOCKS := requirements/run.txt requirements/dev.txt
# No test, benchmark or build needs a display; only `make run` uses one.
test bench bench-music campaign package screenshots: export QT_QPA_PLATFORM = offscreen

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-19s %s\n", $$1, $$2 }'

setup: $(STAMP) ## virtual environment, Python libraries, system libraries, sounds (SYSTEM=no: only name what apt would install)

$(STAMP): pyproject.toml $(LOCKS) scripts/setup.sh tests/support/aimock/package-lock.json requirements/sounds/package-lock.json
	@BANDLEADER_SETUP_SYSTEM="$(SYSTEM)" sh scripts/setup.sh "$(STAMP)"

lock: $(STAMP) ## exact versions and hashes of all libraries into requirements/ (ARGS=--upgrade: the newest allowed)
	@$(PYTHON) scripts/lock.py $(ARGS)

run: $(STAMP) ## open the window; without a display: compose a song, recompose it, take pictures of the window
	@$(PYTHON) scripts/start.py $(ARGS)

# Compiled once: else each of hundreds of processes compiles the program again, where the environment keeps no bytecode.
test: export PYTHONDONTWRITEBYTECODE =
test: $(STAMP) ## all tests: no display, sound card or network needed (ARGS="-k locks" narrows)
	@$(PYTHON) -m compileall -q -j 0 agent app tests/support
	@$(PYTHON) scripts/learn.py
	@$(PYTHON) -m pytest -n 4 --dist loadfile $(ARGS)

check: $(STAMP) ## ruff, mypy --strict, the floors of the house
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m mypy
	@.venv/bin/lint-imports --no-cache

bench: $(BENCH_STAMP) ## figures against other ways of doing the same, as ratios of one run
	@for bench in tests/benchmarks/bench_*.py; do \
		[ -e "$$bench" ] || { echo "no benchmark yet"; exit 0; }; \
		echo "== $$bench"; PYTHONPATH=. $(PYTHON) "$$bench" $(ARGS) || exit 1; \
	done

# What others are measured with; without it (no network) the benchmarks that need it say so.
$(BENCH_STAMP): $(STAMP) requirements/bench.txt
	@if $(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes \
		$(LOCKS:%=-r %) -r requirements/bench.txt; then touch $@; \
	else echo "bench: the libraries to measure against could not be installed; going on without them" >&2; fi

bench-music: $(STAMP) ## 121 requests to the offline composer, judged (ARGS="--fail": status 1 under the targets)
	@PYTHONPATH=. $(PYTHON) tests/benchmarks/bench_music.py $(ARGS)

campaign: $(STAMP) ## the long fault and mutation campaigns, and properties with all their examples (hours)
	@$(PYTHON) -m pytest tests/campaign -n 2 --timeout=0 $(ARGS)
	@BANDLEADER_ALL_EXAMPLES=1 $(PYTHON) -m pytest -m hypothesis -n 4 --dist loadfile $(ARGS)

local-model: $(STAMP) ## a very small real model on this machine, and the tests that talk to it (first time: 10 min)
	@sh scripts/local_model.sh $(ARGS)

screenshots: $(STAMP) ## pictures of the real window, dark and light, into docs/screenshots
	@$(PYTHON) scripts/screenshots.py $(or $(ARGS),docs/screenshots)

journeys: $(STAMP) ## a person's ways through the window on screens of three sizes, in both themes: pictures (ARGS="NAME")
	@PYTHONPATH=. $(PYTHON) -m tests.journeys $(ARGS)

words: $(STAMP) ## texts to translate into resources/translations, and what translators gave back compiled
	@$(PYTHON) scripts/words.py

package: $(STAMP) ## dist/bandleader: a folder that runs without Python or this checkout
	@$(PYTHON) packaging/build.py $(ARGS)

clean: ## remove what was built (the songs are elsewhere and stay)
	@rm -rf build dist .venv *.egg-info
