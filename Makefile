# Makefile - the commands of this project; `make help` lists them.
# In this file: names for commands. Not in this file: what they do (scripts/, CMakeLists.txt).

# Go's usual place, for those who have not put it into PATH.
export PATH := $(PATH):/usr/local/go/bin
BUILD := build/release
JOBS := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
OUT ?= out
# A make below this one that announced every folder it enters would drown the progress.
ALONE := env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL

.DEFAULT_GOAL := help
.PHONY: help demo test test-one test-long gpu-test bench build install dist gen clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile
	@echo; echo "make test-long PART=...  one or more of its parts:"
	@awk 'FNR == 2 {sub(/^# /, ""); n = split(FILENAME, name, "/"); printf "     %-10s %s\n", name[n], $$0}' scripts/long/*

demo: ## set up what is missing, build, and run the shallow-water examples into out/
	@scripts/setup
	@$(MAKE) --no-print-directory build
	@examples/shallow_water/run_demo.sh $(BUILD) out
	@examples/run_demo.sh river "shallow water on triangles, a flood in a valley" $(BUILD) out
	@examples/run_demo.sh dam_break "a column of water falls, as smoothed particles" $(BUILD) out

test: ## set up what is missing, build, and run all tests (minutes)
	@scripts/setup test
	@scripts/test

test-one: ## the tests whose names begin with T (T=streams.order), or those of a package of Go (T=./internal/arch)
	@scripts/setup test
	@scripts/test-one "$(T)"

test-long: ## fuzzing, stress, every compiler, repetition; PART=fuzz runs one part (2.5 hours in all)
	@scripts/setup long
	@scripts/test-long $(PART)

gpu-test: ## what needs an NVIDIA GPU: tests, examples, speed; without one here, packs them for a machine that has one
	@scripts/setup test
	@scripts/gpu_test

bench: ## compare pool, launches and converted loops with others, into OUT (out): pages and a picture (long; the machine must be quiet)
	@scripts/setup bench
	cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DPORTABLE_BUILD_TESTS=OFF -DPORTABLE_BUILD_EXAMPLES=ON -DPORTABLE_BUILD_BENCH=ON
	cmake --build $(BUILD) --parallel $(JOBS)
	go run ./bench -build $(BUILD) -out $(OUT)/benchmarks.md
	go run ./bench -suite launch -build $(BUILD) -out $(OUT)/launch-benchmarks.md
	go run ./bench -suite loops -build $(BUILD) -out $(OUT)/loop-benchmarks.md
	go run ./bench -chart $(OUT)/benchmarks.svg -pages $(OUT)

build: ## the library, its package and the examples, in build/release
	cmake -S . -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DPORTABLE_BUILD_TESTS=OFF -DPORTABLE_BUILD_EXAMPLES=ON
	$(ALONE) cmake --build $(BUILD) --parallel $(JOBS)

install: build ## build, and install into PREFIX (/usr/local)
	cmake --install $(BUILD) --prefix "$(PREFIX)"
	@scripts/installed "$${DESTDIR:-}$(PREFIX)"

dist: ## the tarballs of a release, into build/dist (sources that need no network; binaries that need no Go)
	@scripts/dist

gen: ## write the generated Fortran, the stub and programs of tests into build/gen, as each build does for itself
	go run ./internal/gen -o build/gen

clean: ## take away everything that was built
	rm -rf build out
