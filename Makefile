# Every target sets up what it needs in .venv. A fresh machine needs Python 3.11 or newer, and make.
BIN := .venv/bin
STAMP := .venv/.installed
# Its programs hold the path of their Python: in a folder that was moved, or when that Python is gone, it is made again.
SOUND := $(shell $(BIN)/python -c '' 2>/dev/null && case "$$(cat $(STAMP))" in ("" | "$(CURDIR)") echo yes; esac)

.PHONY: install again browser demo test lint bench chaos clean

install: $(STAMP)

$(STAMP): pyproject.toml .ci/requirements.lock .ci/venv $(if $(SOUND),,again)
	@bash .ci/venv
	@echo "$(CURDIR)" > $@

browser:
	@bash .ci/browser

demo: install
	@$(BIN)/croupier up --demo

test: install browser
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

lint: install
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: install
	$(BIN)/python -m bench

chaos: install
	$(BIN)/python -m tests.chaos

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
