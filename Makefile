# The usual way in. Each target first installs what is missing (scripts/install-deps).
BUILD = build
JOBS ?= $(shell nproc)
export BUILD JOBS

.PHONY: all demo test test-long bench docs format clean help deps

all: $(BUILD)/build.ninja
	@cmake --build $(BUILD) --parallel $(JOBS)

demo: all
	@$(BUILD)/percuss demo
	@echo
	@echo "And one motion:"
	@$(BUILD)/percuss run scenes/rigid/falling-boxes.yaml -o $(BUILD)/falling-boxes.h5
	@echo "To look at it, open $(BUILD)/falling-boxes.xdmf in ParaView, or the columns of $(BUILD)/falling-boxes.csv"

test: all
	@scripts/test

test-long: all
	@scripts/test --long

bench: all
	@$(BUILD)/percuss bench

docs: all
	@$(BUILD)/percuss validate --markdown > docs/validation.md

format:
	@scripts/install-deps --format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf $(BUILD) $(BUILD)-sanitize

help:
	@echo "make            install what is missing, build $(BUILD)/percuss"
	@echo "make demo       the main job on a default scene"
	@echo "make test       the tests, again with sanitizers, and the quick published results"
	@echo "make test-long  the same with bigger counts and all published results"
	@echo "make bench      the benchmarks"
	@echo "make docs       docs/validation.md from the registry of published results"
	@echo "make format     clang-format on every source file"
	@echo "make clean      remove what was built"

deps:
	@scripts/install-deps

# Ninja configures again by itself when a CMake file changes or a source file comes or goes.
$(BUILD)/build.ninja: | deps
	@cmake -G Ninja -S . -B $(BUILD)
