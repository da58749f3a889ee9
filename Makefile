# The usual entry point. Each target first installs what is missing (scripts/install-deps), and builds
# only what it runs: `make test` builds the tests, the others do not.
#
#     make VIEWER=0   without the viewer: neither Node.js nor libmicrohttpd is needed
BUILD = build
JOBS ?= $(shell nproc)
VIEWER ?= 1
export BUILD JOBS VIEWER

.PHONY: all demo test test-long check fuzz bench bench-peers docs site format clean help deps

all: $(BUILD)/build.ninja
	@grep -qx "PERCUSS_VIEWER:BOOL=$$(scripts/viewer-packages)" $(BUILD)/CMakeCache.txt || { $(CONFIGURE); }
	@cmake --build $(BUILD) --parallel $(JOBS)
	@scripts/viewer-packages --reason $(BUILD)

demo: all
	@scripts/demo

test: all
	@scripts/test

test-long: all
	@scripts/test --long

check: all
	@scripts/check

# make fuzz SECONDS=600 TARGETS="scene wkt", or RUNS=1e7
fuzz: deps
	@SECONDS_EACH='$(SECONDS)' RUNS='$(RUNS)' TARGETS='$(TARGETS)' scripts/fuzz

bench: all
	@$(BUILD)/percuss bench

bench-peers: all
	@scripts/bench-peers

docs: all
	@$(BUILD)/percuss schema --markdown > docs/scene-reference.md
	@scripts/api-reference > docs/api.md
	@PERCUSS=$(BUILD)/percuss scripts/validation-page
	@PERCUSS=$(BUILD)/percuss scripts/coverage-page
	@scripts/promises

site:
	@scripts/site

format:
	@scripts/install-deps --format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf $(BUILD) $(addprefix $(BUILD)-,sanitize clang tsan coverage debug fuzz) viewer/node_modules

help:
	@echo "make            install what is missing, build $(BUILD)/percuss"
	@echo "make demo       build, simulate a ball that hits a wall of gabions, draw a picture"
	@echo "make test       build and run the tests, again in another locale and with sanitizers; static checks of changed files; the quick validations"
	@echo "make test-long  the same with larger counts, all files and all validations; clang, ThreadSanitizer, coverage, equal"
	@echo "                bits from several builds. Single parts: scripts/test --part NAME"
	@echo "make check      clang-tidy and cppcheck on changed files; scripts/check --all on all files"
	@echo "make fuzz       fuzz everything that reads files, SECONDS=60 or RUNS=1e7 for each of TARGETS; needs clang"
	@echo "make bench      run the benchmarks"
	@echo "make bench-peers  run the same scenes with other engines, which it installs: bench/peers.csv"
	@echo "make docs       write the generated pages: scene-reference, api, validation (quick rows), coverage"
	@echo "make site       build the documentation as a site, $(BUILD)/site/index.html, and check its links"
	@echo "make format     clang-format all source files"
	@echo "make VIEWER=0   any of these without the viewer and what it needs"
	@echo "make clean      remove what was built"

deps:
	@scripts/install-deps $(if $(filter test,$(MAKECMDGOALS)),--test) $(if $(filter test-long,$(MAKECMDGOALS)),--long) \
		$(if $(filter demo,$(MAKECMDGOALS)),--picture)

# Ninja configures again by itself when a CMake file changes or a source file comes or goes. Tests are
# configured by scripts/test, so that what they need is not needed here.
CONFIGURE = viewer=$$(scripts/viewer-packages 2>/dev/null) && cmake -G Ninja -S . -B $(BUILD) -DPERCUSS_VIEWER:BOOL=$$viewer \
	-DPERCUSS_VIEWER_MISSING:BOOL=$$([ "$$viewer:$(VIEWER)" = 0:0 ] || [ "$$viewer" = 1 ] && echo OFF || echo ON)
$(BUILD)/build.ninja: | deps
	@$(CONFIGURE) -DPERCUSS_TESTS:BOOL=OFF
