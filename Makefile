# sigrep - grep for signals. GNU make; there is no configure step.
#
#   make            build everything; the program is then ./build/sigrep
#   make help       the other targets
#
# Respected: CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR, V=1 (show commands), WERROR=1,
# MIC=0 (no microphones, no PortAudio), CUDA=0 (no GPUs), CUDA_ARCHS, SASS=1.
# Every set of flags has a folder of its own below build/, so none ever mixes with another.
# New source files need no edit here: the lists below are wildcards.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
BASH_DIR ?= $(PREFIX)/share/bash-completion/completions
ZSH_DIR ?= $(PREFIX)/share/zsh/site-functions
FISH_DIR ?= $(PREFIX)/share/fish/vendor_completions.d

CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
OBJCOPY ?= objcopy
NM ?= nm

# ---- Libraries by their pkg-config names: one word each -------------------------------

MIC ?= 1 # 0: without microphones, and so without PortAudio
PROGRAM_PKGS := sndfile zlib libzstd json-c $(if $(filter 0,$(MIC)),,portaudio-2.0) # what the program alone needs
LIBRARY_PKGS := fftw3f soxr # what libsigrep needs; goes into sigrep.pc as well

# ---- CUDA ------------------------------------------------------------------------------

# Found by its compiler. One program runs with and without a GPU: the CUDA runtime is linked
# statically, and looks for the driver itself.
NVCC ?= $(or $(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc))
CUDA ?= $(if $(NVCC),1,0) # 0: without GPUs
CUDA_HOME ?= $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
# Compute capabilities: those of the GPUs here, a list such as "80 90", or all. Each also runs on
# GPUs up to the next one. The driver compiles the last one's PTX for newer GPUs.
ifneq ($(if $(NVCC),$(filter-out 0,$(CUDA))),)
ifeq ($(origin CUDA_ARCHS),undefined)
export CUDA_ARCHS := $(shell tools/gpu/architectures '$(NVCC)')
endif
ifeq ($(strip $(CUDA_ARCHS)),all)
override CUDA_ARCHS := 75 80 90 100 120
endif
ifeq ($(strip $(CUDA_ARCHS)),)
NO_GPU := No GPU here, so nothing is compiled for GPUs; CUDA_ARCHS=all compiles for all kinds.
endif
HAVE_CUDA := $(if $(NO_GPU),,1)
endif
SASS ?= 0 # 1: reschedule machine code for sm_90 (tools/sass/README.md)

# ---- Sources ---------------------------------------------------------------------------

# A room is a folder: filter/cli is the program, all else of filter/ and kernels/ is the library.
LIBRARY_FOLDERS := filter filter/session filter/search filter/features filter/background \
                   filter/bundle filter/calibration kernels kernels/cpu kernels/cpu/trace kernels/cuda/host
PROGRAM_FOLDERS := filter/cli filter/cli/common io
sources = $(wildcard $(1:%=%/*.c))
CUDA_NONE := kernels/cuda/host/none.c # in place of all others there, without CUDA
LIBRARY_SRC := $(if $(HAVE_CUDA),$(filter-out $(CUDA_NONE),$(call sources,$(LIBRARY_FOLDERS))),\
               $(call sources,$(filter-out kernels/cuda/host,$(LIBRARY_FOLDERS))) $(CUDA_NONE))
CUDA_SRC := $(if $(HAVE_CUDA),$(wildcard kernels/cuda/device/*.cu))
PROGRAM_SRC := $(call sources,$(PROGRAM_FOLDERS))
EXAMPLE_SRC := $(wildcard examples/*/*.c)
# A test is a file test_*.c with a main; tests/support is linked into all. The tree mirrors ours.
TEST_SRC := $(sort $(shell find tests -name 'test_*.c'))
FAKE_PAPERS := tests/support/fake_papers.c # of sigrep-bench-fake-gpu alone
TEST_HELP_SRC := $(filter-out $(FAKE_PAPERS),$(wildcard tests/support/*.c))
BENCH_SRC := $(filter-out $(if $(HAVE_CUDA),%_none.c),$(wildcard tools/sigrep-bench/*.c))
# Programs of their own beside sigrep, in tools/NAME/.
COMPANIONS := sigrep-train sigrep-calibrate sigrep-record sigrep-text
# sigrep-plot puts D3 into its pages, and draws pictures by cairo; both are optional.
D3 ?= /usr/share/nodejs/d3/dist/d3.min.js
NO_PLOT := $(strip $(if $(wildcard $(D3)),,node-d3 $(if $(filter file,$(origin D3)),,(D3=$(D3)))) \
           $(if $(shell $(PKG_CONFIG) --exists cairo && echo yes),,libcairo2-dev))
ifeq ($(NO_PLOT),)
COMPANIONS += sigrep-plot
endif
COMPANION_SRC := $(call sources,$(COMPANIONS:%=tools/%))
MACHINE_SRC := $(call sources,tools/sigrep-machine) # a program for readers of the papers
# Of sigrep-text, and no part of the library.
STRINGS_SRC := $(call sources,kernels/strings) kernels/strings/cuda/$(if $(HAVE_CUDA),host,none).c
LIVE_SRC := tests/live/live.c # what tests/live/run needs besides the program
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
MAN := $(filter-out $(if $(NO_PLOT),man/sigrep-plot.1),$(wildcard man/*.[1-9]))

# Flags of single files, by source name: loops that become vectors, kernels for an instruction set.
# With sanitizers these files take minutes to compile at -O3.
VECTORS := $(if $(SAN),-O1,-O3)
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine)),)
AVX512 := -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512
# Else gcc moves each operation next to its use, and 32 registers stay half empty
# (docs/lab/cpu-kernels.md).
APART := $(shell $(CC) -Werror -fno-tree-ter -E -x c /dev/null >/dev/null 2>&1 && echo -fno-tree-ter)
CFLAGS_kernels/cpu/avx512.c := $(VECTORS) $(AVX512) $(APART)
AVX2 := -mavx2 -mfma
CFLAGS_kernels/cpu/avx2.c := $(VECTORS) $(AVX2)
CFLAGS_kernels/cpu/trace/avx512.c := $(VECTORS) $(AVX512)
CFLAGS_kernels/cpu/trace/avx2.c := $(VECTORS) $(AVX2)
CFLAGS_kernels/strings/avx512.c := $(VECTORS) $(AVX512) -mavx512vbmi2
CFLAGS_kernels/strings/avx2.c := $(VECTORS) $(AVX2)
endif
CFLAGS_kernels/cpu/portable.c := $(VECTORS)
CFLAGS_kernels/strings/portable.c := $(VECTORS)
CFLAGS_io/pcm.c := $(VECTORS)
CFLAGS_filter/features/common_frames.c := $(VECTORS)
CFLAGS_filter/features/fourier.c := $(VECTORS)
CFLAGS_filter/features/mel.c := $(VECTORS)
CFLAGS_filter/features/spectrum.c := $(VECTORS)
CFLAGS_filter/features/speech.c := $(VECTORS)
CFLAGS_kernels/cpu/trace/portable.c := $(VECTORS)
# What sigrep-bench compares with, compiled as the papers did.
CFLAGS_tools/sigrep-bench/papers_loop.c := -O3
CFLAGS_tools/sigrep-bench/papers_algorithms.c := $(VECTORS)

# ---- Flags -----------------------------------------------------------------------------

# After the user's own, so that they hold. The recurrence lives on infinity and every sum
# has one order: contraction and fast-math would change results.
REQUIRED_CFLAGS := -std=c11 -ffp-contract=off -fvisibility=hidden -fPIC -pthread
REQUIRED_CPPFLAGS := -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -I. -Iinclude \
                     $(if $(filter 0,$(MIC)),-DSIGREP_NO_MIC)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion

FAST_MATH := -Ofast -ffast-math -funsafe-math-optimizations -ffinite-math-only \
             -fassociative-math -freciprocal-math -fno-signed-zeros
ifneq ($(filter $(FAST_MATH),$(CC) $(CFLAGS)),)
$(error $(filter $(FAST_MATH),$(CC) $(CFLAGS)): sigrep calculates with infinities and gives \
the same results everywhere; it cannot be built so)
endif

# SAN=address,undefined or thread: set by the targets asan, ubsan, tsan.
ifneq ($(SAN),)
SAN_FLAGS := -fsanitize=$(SAN) -fno-omit-frame-pointer -g \
             $(if $(findstring undefined,$(SAN)),-fsanitize=float-cast-overflow \
             -fno-sanitize-recover=all)
endif

# Asked for when the first compile or link needs them, not at parse time: `make deps` may
# have installed them in between.
pkg = $(if $(strip $1),$(shell $(PKG_CONFIG) $2 $(strip $1)))
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(call pkg,$(PROGRAM_PKGS) $(LIBRARY_PKGS),--cflags))$(PKG_CFLAGS)
PROGRAM_LIBS = $(eval PROGRAM_LIBS := \
  $$(call pkg,$(PROGRAM_PKGS) $(LIBRARY_PKGS),--libs) $(CUDA_LIBS) -lm)$(PROGRAM_LIBS)
LIBRARY_LIBS = $(eval LIBRARY_LIBS := $$(call pkg,$(LIBRARY_PKGS),--libs) $(CUDA_LIBS) -lm)$(LIBRARY_LIBS)

CUDA_LIBS = $(if $(HAVE_CUDA),-L$(CUDA_HOME)/lib64 -lcudart_static -lrt -ldl)

# Hardening, before the user's own flags, so that those hold; tests/hardening reads the programs.
# Sanitizers see more, and take its place.
# hardening_of COMPILER,LANGUAGE: those flags that it knows; the last two belong to x86 and to ARM.
hardening_of = $(shell for flag in -fstack-protector-strong -fstack-clash-protection \
                 -fcf-protection=full -mbranch-protection=standard; do \
                 $1 -Werror $$flag -c -o /dev/null -x $2 /dev/null 2>/dev/null && echo $$flag; done)
ifeq ($(SAN),)
HARDENING := $(call hardening_of,$(CC),c)
# Only optimised code has these checks. Some distributions' compilers define it themselves.
MACROS = $(shell $(CC) $(CPPFLAGS) $(CFLAGS) -dM -E -x c /dev/null 2>/dev/null | \
           grep -wE '_FORTIFY_SOURCE|__OPTIMIZE__')
ifeq ($(findstring _FORTIFY_SOURCE,$(CC) $(CPPFLAGS) $(CFLAGS) $(MACROS)),)
HARDENING += $(if $(findstring __OPTIMIZE__,$(MACROS)),-D_FORTIFY_SOURCE=2)
endif
LINK_HARDENING := -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code
PIE := $(if $(filter -static -no-pie,$(CC) $(CFLAGS) $(LDFLAGS)),,-pie)
endif

COMPILE = $(CC) $(HARDENING) $(CPPFLAGS) $(REQUIRED_CPPFLAGS) $(PKG_CFLAGS) $(WARNINGS) \
          $(if $(filter 1,$(WERROR)),-Werror) $(CFLAGS) $(SAN_FLAGS) $(REQUIRED_CFLAGS)
LINK_ANY = $(CC) $(LINK_HARDENING) $(CFLAGS) $(SAN_FLAGS) -pthread
LINK = $(LINK_ANY) $(PIE) $(LDFLAGS)

# ---- Places ----------------------------------------------------------------------------

VERSION := $(shell sed -n 's/^.define SIGREP_VERSION "\([0-9a-z.-]*\)".*/\1/p' include/sigrep.h)
ifneq ($(words $(VERSION)),1)
$(error include/sigrep.h: no SIGREP_VERSION "X.Y.Z"; files are named after it)
endif
SO := libsigrep.so
SONAME := $(SO).0
SOFILE := $(SO).$(VERSION)

comma := ,
space := $(subst ,, )
FLAG_SET := $(CC)|$(CPPFLAGS)|$(CFLAGS)|$(LDFLAGS)|$(SAN)|$(WERROR)$(if $(filter 0,$(MIC)),|no mic)|$(if $(HAVE_CUDA),cuda $(CUDA_ARCHS)$(if $(filter 1,$(SASS)), sass),no cuda)
FLAG_HASH := $(shell printf %s '$(subst ','\'',$(FLAG_SET))' | cksum | cut -d' ' -f1)
VARIANT := $(notdir $(firstword $(CC)))$(if $(SAN),-$(subst $(comma),-,$(SAN)))-$(FLAG_HASH)
B := build/$(VARIANT)

# The device code takes long and knows none of these flags, so all variants share it.
CUDA_B := build/cuda-$(subst $(space),-,$(strip $(CUDA_ARCHS)))$(if $(filter 1,$(SASS)),-sass)
CUDA_OBJ := $(CUDA_SRC:%.cu=$(CUDA_B)/%.o)
STRINGS_CUDA_OBJ := $(if $(HAVE_CUDA),$(CUDA_B)/kernels/strings/cuda/strings.o)
BENCH_CUDA_OBJ := $(if $(HAVE_CUDA),$(patsubst %.cu,$(CUDA_B)/%.o,$(wildcard tools/sigrep-bench/*.cu)))
GPU_PAPERS_OBJ := $(if $(HAVE_CUDA),$(CUDA_B)/tools/sigrep-bench/gpu_papers.o,$B/tools/sigrep-bench/gpu_papers_none.o)

obj = $(patsubst %.c,$B/%.o,$1)
LIBRARY_OBJ := $(call obj,$(LIBRARY_SRC)) $(CUDA_OBJ)
PROGRAM_OBJ := $(call obj,$(PROGRAM_SRC))
COMPANION_OBJ := $(call obj,$(COMPANION_SRC) $(STRINGS_SRC))
MACHINE_OBJ := $(call obj,$(MACHINE_SRC))
# For programs, not for tests: it takes malloc's place. Sanitizers have a malloc of their own.
LIBRARY_MEMORY := $(if $(SAN),,$B/filter/cli/common/library_memory.o)
INNER_OBJ := $(filter-out %/main.o %/library_memory.o,$(LIBRARY_OBJ) $(PROGRAM_OBJ) $(COMPANION_OBJ) \
               $(MACHINE_OBJ)) $(STRINGS_CUDA_OBJ)
TESTS := $(TEST_SRC:%.c=$B/%)
LIVE := $(LIVE_SRC:%.c=$B/%)
EXAMPLES := $(EXAMPLE_SRC:%.c=$B/%)
REPLAYS := $(FUZZ_SRC:%.c=$B/%.replay)
FUZZERS := $(FUZZ_SRC:%.c=$B/%)

ifeq ($V,1)
Q :=
say = @:
else
Q := @
say = @printf '  %-7s %s\n'
endif

MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

# ---- What people ask for ---------------------------------------------------------------

.PHONY: all deb check-deb program library examples tests check check-run check-gpu check-sass check-arm64 check-instructions torture demo demo-run bench bench-features eval deps install \
        uninstall format lint asan ubsan tsan fuzz fuzz-run dist clean help preflight pictures \
        print-variant print-libs check-python-peers check-recipes

all: program library examples ## build the programs, the library and the examples

help: ## this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## /\1|/p' Makefile | awk -F'|' '{printf "make %-18s %s\n", $$1, $$2}'
	@echo "make test_NAME          build and run one test program"
	@echo "variables: CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR V=1 WERROR=1 MIC=0 CUDA=0 CUDA_ARCHS SASS=1 JOBS SHORT=1 ROWS FUZZ_SECONDS TEST_TIMEOUT CHECK_SEED CHECK_SHARE BENCH"

deps: ## install what is missing of what building, testing and developing need (Debian)
	@tools/deps build demo check dev

# Sanitized builds must not be what ./build/sigrep means.
program: $B/sigrep $B/sigrep-bench $B/sigrep-machine $(COMPANIONS:%=$B/%)
ifeq ($(SAN),)
	@for name in sigrep sigrep-bench sigrep-machine $(COMPANIONS); do ln -sfn $(VARIANT)/$$name build/$$name; done
endif

library: $B/libsigrep.a $B/$(SOFILE)
examples: $(EXAMPLES)
ifeq ($(SAN),)
	@ln -sfn $(VARIANT)/examples build/examples
endif

tests: $(TESTS) $(LIVE) $(REPLAYS) $(if $(HAVE_CUDA),$B/sigrep-fake-gpu $B/sigrep-bench-fake-gpu)

check: ## install what is missing, build, run all tests; one closing line
	@tools/deps build check
	@$(MAKE) check-run

check-gpu: tests ## the tests of kernels alone, for a machine with a GPU
	@$(TEST_ENV) tests/run $(filter $B/tests/kernels/% %/test_gpu_papers,$(TESTS))

check-sass: ## install what is missing, test tools/sass and a build with SASS=1
	@tools/deps build check
	@tools/sass/tests/run

check-arm64: ## install what is missing, run the CPU kernels' tests on an emulated 64-bit ARM
	@tools/deps arm64
	@tools/arm64/check

check-python-peers: ## install what is missing, compare tools/python with libraries from PyPI
	@tools/deps build check
	@$(MAKE) program library
	@$(TEST_ENV) tests/python/run --peers

check-recipes: ## install what is missing, run docs/GUIDE.md and docs/RECIPES.md with all their programs
	@tools/deps build check recipes
	@$(MAKE) program
	@python3 -m venv build/recipes
	@build/recipes/bin/pip install --quiet duckdb-cli matplotlib tools/python
	@$(TEST_ENV) PATH='$(CURDIR)/$B':'$(CURDIR)/build/recipes/bin':"$$PATH" tests/guide/run --all
	@$(TEST_ENV) tests/guide/live --all

check-instructions: ## install what is missing, count the CPU kernels' instructions under valgrind
	@tools/deps build instructions
	@$(MAKE) $B/tools/instructions/count
	@$(TEST_ENV) tools/instructions/check $(if $(ACCEPT),--accept)

# SHORT=1: an even sample, about two minutes. ROWS: only rows whose names contain one of these words.
torture: ## all programs while calls fail, files are damaged, kills come; SHORT=1 samples
	@tools/deps build check $(if $(SHORT),,dev)
	@$(MAKE) program $B/tests/torture/fail.so $(if $(SHORT),,$(LIVE))
	@$(TEST_ENV) tests/torture/run $(if $(SHORT),--short) $(ROWS)

demo: ## install what is missing, build, run the demonstration
	@tools/deps build demo
	@$(MAKE) demo-run

lint: ## layers, sizes, format, cppcheck, clang-tidy, shellcheck, symbols
	@tools/deps build dev
	@$(MAKE) library
	@BUILD=$B NM='$(NM)' SONAME='$(SONAME)' \
	  LINT_CFLAGS='-std=c11 $(REQUIRED_CPPFLAGS) $(PKG_CFLAGS)$(if $(HAVE_CUDA), -isystem $(CUDA_HOME)/include)' tools/lint/run

format: ## rewrite all C and CUDA files with clang-format
	@tools/deps dev
	@tools/lint/c-files | xargs clang-format -i

asan: ## all tests under AddressSanitizer, with UndefinedBehaviorSanitizer
	@tools/deps build check
	@$(MAKE) check-run SAN=address,undefined

ubsan: ## all tests under UndefinedBehaviorSanitizer alone
	@tools/deps build check
	@$(MAKE) check-run SAN=undefined

tsan: ## all tests under ThreadSanitizer
	@tools/deps build check
	@$(MAKE) check-run SAN=thread

fuzz: ## libFuzzer on every target, FUZZ_SECONDS each (30)
	@tools/deps build dev
	@$(MAKE) fuzz-run CC=clang SAN=fuzzer,address,undefined

clean: ## remove build/
	rm -rf build

dist: ## build/sigrep-VERSION.tar.gz of the last commit, the same bytes every time
	@mkdir -p build
	git archive --format=tar --prefix=sigrep-$(VERSION)/ HEAD | gzip -9n >build/sigrep-$(VERSION).tar.gz

deb: ## build/deb: Debian packages of the last commit
	@tools/deps build deb
	@tools/deb/build build/deb

check-deb: ## build the Debian packages and test them, in a clean Debian as well
	@tools/deps build deb
	@tools/deb/check build/deb

print-variant: # the build folder of these flags, for scripts
	@echo $B

print-libs: # what a program with libsigrep.a links, for scripts
	@echo $(LIBRARY_LIBS)

# ---- Compiling and linking -------------------------------------------------------------

preflight:
	@$(PKG_CONFIG) --exists $(PROGRAM_PKGS) $(LIBRARY_PKGS) || { \
	  echo "Missing: $(strip $(PROGRAM_PKGS) $(LIBRARY_PKGS)) (or pkg-config). Run 'make deps'." >&2; \
	  exit 1; }
	@$(if $(NO_GPU),echo '$(NO_GPU)',:)
	@$(if $(NO_PLOT),echo 'sigrep-plot is not built: install $(NO_PLOT) to have it.',:)

$B/%.o: %.c Makefile | preflight
	@mkdir -p $(@D)
	$(say) CC $<
	$Q$(COMPILE) $(CFLAGS_$<) -MMD -MP -c -o $@ $<

# As in C: no fused multiply-add (-fmad=false), denormals kept (nvcc's default).
NVCC_FLAGS = -std=c++17 -O3 -fmad=false -I. -Iinclude -ccbin $(CUDA_HOST_CXX) \
             $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$a,code=sm_$a) \
             -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS)) \
             -Xcompiler -fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics,-Wall,-Werror -Werror all-warnings \
             $(if $(CUDA_HARDENING),-Xcompiler $(subst $(space),$(comma),$(strip $(CUDA_HARDENING))))
CUDA_HOST_CXX ?= g++
# Of the host code; the same for all variants, as the device code is.
CUDA_HARDENING := $(if $(HAVE_CUDA),$(call hardening_of,$(CUDA_HOST_CXX),c++))

$(CUDA_B)/%.o: %.cu Makefile
	@mkdir -p $(@D)
	$(say) NVCC $<
	$Q$(NVCC) $(NVCC_FLAGS) -MMD -MP -MT $@ -MF $@.d -c -o $@ $<
	$(DEFER_CUDA)

# For programs: CUDA's runtime is linked into them, yet it is no code of ours. So its allocations go
# to functions of their own in library_memory.c.
ifneq ($(and $(HAVE_CUDA),$(LIBRARY_MEMORY)),)
LIBRARY_CUDART := $(CUDA_B)/libcudart_static.a
$(LIBRARY_CUDART): $(shell $(CC) -B'$(CUDA_HOME)/lib64' -print-file-name=libcudart_static.a) Makefile
	@mkdir -p $(@D)
	$(say) OBJCOPY $@
	$Q$(OBJCOPY) $(foreach f,malloc calloc realloc,--redefine-sym $f=library_$f) $< $@
endif

# kernels/cuda/host/start.c registers the library's kernels, not nvcc's function that runs before main.
REGISTER_KERNELS := _ZL24__sti____cudaRegisterAllv
$(CUDA_OBJ) $(STRINGS_CUDA_OBJ): DEFER_CUDA = $Q$(OBJCOPY) --redefine-sym $(REGISTER_KERNELS)=cuda_register_$(basename $(@F)) \
  --globalize-symbol=cuda_register_$(basename $(@F)) --remove-section=.init_array $@

ifeq ($(strip $(SASS)),1)
include tools/sass/rules.mk
endif

$B/filter/background/samples.o: filter/background/background.wav
$B/filter/features/common_frames.o: filter/features/common_frames.s8

$B/kernels/cuda/host/%.o $B/kernels/strings/cuda/%.o: REQUIRED_CPPFLAGS += $(if $(HAVE_CUDA),-isystem $(CUDA_HOME)/include)

$B/tests/%.o: REQUIRED_CPPFLAGS += -Itests $(if $(HAVE_CUDA),-DTESTS_CUDA -isystem $(CUDA_HOME)/include)

$B/sigrep: $(filter-out %/library_memory.o,$(PROGRAM_OBJ)) $(LIBRARY_MEMORY) $(LIBRARY_OBJ) $(LIBRARY_CUDART)
	$(say) LINK $@
	$Q$(LINK) -o $@ $^ $(PROGRAM_LIBS)

# One relocatable object in which all that is not public has become local: a program that
# links libsigrep.a cannot meet our inner names.
$B/libsigrep.o: $(LIBRARY_OBJ)
	$(say) LD $@
	$Q$(CC) $(CFLAGS) -r -nostdlib -o $@ $^
	$Q$(OBJCOPY) --localize-hidden $@

$B/libsigrep.a: $B/libsigrep.o
	$(say) AR $@
	$Q$(RM) $@
	$Q$(AR) rcsD $@ $^

$B/$(SOFILE): $(LIBRARY_OBJ) sigrep.map
	$(say) LINK $@
	$Q$(LINK_ANY) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=sigrep.map \
	  $(if $(SAN),,-Wl,-z,defs) -o $@ $(LIBRARY_OBJ) $(LIBRARY_LIBS)
	$Qln -sf $(SOFILE) $B/$(SONAME)
	$Qln -sf $(SONAME) $B/$(SO)

# Examples see the public header and the library only.
$(EXAMPLES): $B/%: %.c $B/libsigrep.a Makefile
	@mkdir -p $(@D)
	$(say) LINK $@
	$Q$(filter-out -I.,$(COMPILE)) $(LINK_HARDENING) $(PIE) -MMD -MP -MF $@.d -o $@ $< \
	  $B/libsigrep.a $(LDFLAGS) $(PROGRAM_LIBS)

# Tests look inside, so they link objects, by way of an archive: main.c is left out.
$B/inner.a: $(INNER_OBJ)
	$(say) AR $@
	$Q$(RM) $@
	$Q$(AR) rcsP $@ $^

$B/test-help.a: $(call obj,$(TEST_HELP_SRC))
	$(say) AR $@
	$Q$(RM) $@
	$Q$(AR) rcsP $@ $^

# sigrep-bench measures kernels by themselves, so it looks inside as well.
$B/tools/sigrep-bench/machine.o: REQUIRED_CPPFLAGS += -DBENCH_FLAGS='"$(strip $(CFLAGS) $(SAN_FLAGS))"'

$B/sigrep-bench: $(call obj,$(BENCH_SRC)) $(BENCH_CUDA_OBJ) $B/inner.a
	$(say) LINK $@
	$Q$(LINK) -o $@ $^ $(PROGRAM_LIBS)

$(COMPANIONS:%=$B/%) $B/sigrep-machine: $B/%: $B/tools/%/main.o $(LIBRARY_MEMORY) $B/inner.a $(LIBRARY_CUDART)
	$(say) LINK $@
	$Q$(LINK) -o $@ $^ $(OWN_LIBS) $(PROGRAM_LIBS)

ifeq ($(NO_PLOT),)
CAIRO_CFLAGS := $(shell $(PKG_CONFIG) --cflags cairo)
$B/tools/sigrep-plot/%.o: REQUIRED_CPPFLAGS += $(CAIRO_CFLAGS) -DPLOT_D3='"$(D3)"'
$B/tools/sigrep-plot/assets.o: $(D3) $(wildcard tools/sigrep-plot/page/*)
$B/sigrep-plot: private OWN_LIBS = $(call pkg,cairo,--libs)
endif

# Allocations of these go through tests/support/failing_memory.c.
ALLOCATORS := malloc calloc realloc aligned_alloc posix_memalign strdup strndup free
$(filter $B/tests/allocations/%,$(TESTS)): private WRAPS := $(ALLOCATORS:%=-Wl$(comma)--wrap=%)

$B/tests/tools/sigrep-bench/test_gpu_papers: $(GPU_PAPERS_OBJ)

$(TESTS): %: %.o $B/test-help.a $B/inner.a
	$(say) LINK $@
	$Q$(LINK) $(WRAPS) -o $@ $^ $(PROGRAM_LIBS)

# The programs on a machine that is made up, for tests of the command line.
FAKE_GPU_OBJ := $(addprefix $B/tests/support/fake_,cuda.o streams.o kernels.o)

$B/sigrep-fake-gpu: $B/filter/cli/main.o $(LIBRARY_MEMORY) $(FAKE_GPU_OBJ) $B/inner.a
	$(say) LINK $@
	$Q$(LINK) -o $@ $^ $(PROGRAM_LIBS)

# The made-up machine has no kernel for strings.
$B/sigrep-bench-fake-gpu: $(call obj,$(BENCH_SRC) $(FAKE_PAPERS)) $(FAKE_GPU_OBJ) $B/kernels/strings/cuda/none.o $B/inner.a
	$(say) LINK $@
	$Q$(LINK) -o $@ $^ $(PROGRAM_LIBS)

# What tools/gpu/host takes to a machine with GPUs.
$B/tools/gpu/host.o: REQUIRED_CPPFLAGS += -isystem $(CUDA_HOME)/include

$B/tools/gpu/host: $B/tools/gpu/host.o $(CUDA_B)/tools/gpu/trap.o $B/inner.a
	$(say) LINK $@
	$Q$(LINK) -o $@ $^ $(PROGRAM_LIBS)

# Preloaded into the programs.
$B/tests/torture/fail.so: tests/torture/fail.c Makefile
	@mkdir -p $(@D)
	$(say) LINK $@
	$Q$(CC) $(WARNINGS) -Werror -std=c11 -O2 -fPIC -shared -o $@ $< -ldl

$(REPLAYS): %.replay: %.o $B/tests/fuzz/replay.o $B/inner.a
	$(say) LINK $@
	$Q$(LINK) -o $@ $^ $(PROGRAM_LIBS)

$(FUZZERS) $(LIVE) $B/tools/measure/features $B/tools/instructions/count: %: %.o $B/inner.a
	$(say) LINK $@
	$Q$(LINK) -o $@ $^ $(PROGRAM_LIBS)

-include $(patsubst %.o,%.d,$(call obj,$(LIBRARY_SRC) $(PROGRAM_SRC) $(TEST_SRC) $(TEST_HELP_SRC) $(FAKE_PAPERS) \
           $(LIVE_SRC) $(FUZZ_SRC) $(BENCH_SRC) $(COMPANION_SRC) $(STRINGS_SRC) $(MACHINE_SRC) \
           tests/fuzz/replay.c tools/measure/features.c tools/instructions/count.c)) \
           $(CUDA_OBJ:%=%.d) $(STRINGS_CUDA_OBJ:%=%.d) $(BENCH_CUDA_OBJ:%=%.d) $(EXAMPLES:%=%.d)

# ---- Running -----------------------------------------------------------------------------

# One in how many cases the longest random tests run (tests/check.h): all, but under sanitizers.
CHECK_SHARE ?= $(if $(SAN),$(if $(filter thread,$(SAN)),16,8),1)

# What every test program and script may rely on. tests/leaks and tests/races are those of libraries.
TEST_ENV = CHECK_SHARE='$(CHECK_SHARE)' SRC='$(CURDIR)' BUILD='$(CURDIR)/$B' PATH='$(CURDIR)/$B':"$$PATH" LC_ALL=C \
  CC='$(CC)' CFLAGS='$(subst ','\'',$(CFLAGS))' CPPFLAGS='$(subst ','\'',$(CPPFLAGS))' \
  LDFLAGS='$(subst ','\'',$(LDFLAGS))' SAN='$(SAN)' WERROR='$(WERROR)' \
  ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:exitcode=99 \
  LSAN_OPTIONS='suppressions=$(CURDIR)/tests/leaks:print_suppressions=0' \
  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99 \
  TSAN_OPTIONS='halt_on_error=1:allocator_may_return_null=1:exitcode=99:suppressions=$(CURDIR)/tests/races'

# Test scripts, beside the programs: those below and every executable file in tests/. They
# and the stream tests take longest, so they start first.
SUITES := $(filter-out tests/run,$(sort $(shell find tests -maxdepth 1 -type f -perm -u+x))) \
          tests/live/run tests/checksums/run tests/cli/run tests/users/run tests/text/run tests/install/run \
          tests/plot/run tests/guide/run tests/guide/live tests/python/run tools/lint/man \
          $(if $(FUZZ_SRC),tools/fuzz/replay)

# ThreadSanitizer gets what starts threads: these scripts, which leave out all else then, and the test
# programs but for these. They start none, and take seconds to minutes.
THREADED := tests/live/run tests/checksums/run tests/cli/run tests/users/run
THREADLESS := test_auto_threshold test_background test_best test_calibration test_estimates \
              test_failing_bundle test_kernels_long test_match_path test_plan test_publish \
              test_resample test_search test_searches_far test_session_rates test_spectrum \
              test_stopping test_taken test_template test_trace_kernels
ifneq ($(filter thread,$(SAN)),)
SUITES := $(THREADED)
TESTS_RUN := $(filter-out $(addprefix %/,$(THREADLESS)),$(TESTS))
else
TESTS_RUN := $(TESTS)
endif

check-run: program tests examples $(if $(SAN),,library)
	@$(TEST_ENV) tests/run $(SUITES) $(TESTS_RUN)

# `make test_ring` builds and runs that one.
$(foreach t,$(TESTS),$(eval .PHONY: $(notdir $t))$(eval $(notdir $t): $t program ; \
  @$$(TEST_ENV) $$<))

pictures: program ## draw docs/pictures again: pages of sigrep-plot, in headless Chromium
	@$(TEST_ENV) tests/plot/pictures docs/pictures

# Each example shows itself by a script demo.sh, with sigrep and the example in PATH.
demo-run: program examples
	@set -e; for demo in $(or $(wildcard examples/*/demo.sh),none); do \
	  test -e $$demo || { echo "no examples/*/demo.sh" >&2; exit 1; }; \
	  echo "== $$demo"; \
	  $(TEST_ENV) PATH="$(CURDIR)/$B:$(CURDIR)/$B/$${demo%/*}:$$PATH" sh $$demo </dev/null; \
	done

# BENCH: options of sigrep-bench.
bench: program bench-features ## kernels beside the machine's limit (BENCH=--help), front ends beside real time
	@$B/sigrep-bench $(BENCH)

bench-features: $B/tools/measure/features ## front ends for sounds, times real time (S seconds, R runs)
	@$< $(or $S,60) $(or $R,9)

# FSDD: a folder of recorded digits; NOISE: WAV files; BACKGROUND: folders of speech without digits,
# one a voice; PHRASES: a folder of wake words. tools/eval/make-recordings makes babble.wav for NOISE,
# and PHRASES. What is missing leaves out its part. EVAL: more options of tools/eval/sigrep-eval.
# Needs Python 3 with numpy. build/eval keeps results, so that an interrupted run goes on. The first
# table has takes on which the last step of `speech` was not chosen. RECIPES=no leaves out other
# recipes, which take most of the time. On two busy cores `thresholds` takes 10 minutes a front end,
# and PHRASES 5 minutes.
PYTHON ?= python3
EVAL_RUN = $(PYTHON) tools/eval/sigrep-eval
EVAL_COMMON = --keep build/eval $(NOISE:%=--noise '%') $(EVAL)
EVAL_STRANGERS = $(EVAL_COMMON) --strangers only -p speech -p mfcc --brief docs/ACCURACY.md \
                 --into docs/lab/words-tables.md $(if $(filter no,$(RECIPES)),,--recipes programs)
eval: program ## how well words are found, into docs/ACCURACY.md (FSDD, NOISE, BACKGROUND, PHRASES: recordings; RECIPES=no)
	@test -n '$(FSDD)' || { echo "make eval FSDD=FOLDER [NOISE='FILE...'] [BACKGROUND='FOLDER...'] [PHRASES=FOLDER] [PYTHON=...]" >&2; exit 2; }
	@$(EVAL_RUN) thresholds '$(FSDD)' $(EVAL_COMMON) -p speech -p mfcc $(BACKGROUND:%=--background '%') \
	  --into docs/ACCURACY.md --into-part sigrep-eval-thresholds
	@$(EVAL_RUN) takes '$(FSDD)' $(EVAL_STRANGERS) --into-part sigrep-eval-strangers
	@$(if $(PHRASES),$(EVAL_RUN) takes '$(PHRASES)' $(EVAL_STRANGERS) --templates 0-0 --stream 1-2 \
	  --into-part sigrep-eval-phrases,echo 'eval: wake words are left out: no PHRASES')
	@$(EVAL_RUN) takes '$(FSDD)' $(EVAL_COMMON) -p speech -p mfcc --templates 5-9 --stream 0-4 \
	  --seed 101 --seed 102 --seed 103 --strangers no \
	  --into docs/lab/words-tables.md --into-part sigrep-eval-held-out
	@$(EVAL_RUN) takes '$(FSDD)' $(EVAL_COMMON) -p speech -p mfcc -p logmel $(BACKGROUND:%=--background '%') \
	  $(if $(filter no,$(RECIPES)),,--recipes all) --brief docs/ACCURACY.md --into docs/lab/words-tables.md

fuzz-run: $(FUZZERS)
	@$(TEST_ENV) tools/fuzz/run $(FUZZERS)

# ---- Installing ----------------------------------------------------------------------------

# From --help, and so from the table of options (tools/completions).
COMPLETED := sigrep $(COMPANIONS)
COMPLETIONS := $(COMPLETED:%=$B/completions/bash/%) $(COMPLETED:%=$B/completions/zsh/_%) \
               $(COMPLETED:%=$B/completions/fish/%.fish)
completion = @mkdir -p $(@D) && $< --help | tools/completions/generate $(1) $(<F) >$@

$B/completions/bash/%: $B/% $(wildcard tools/completions/*)
	$(call completion,bash)

$B/completions/zsh/_%: $B/% $(wildcard tools/completions/*)
	$(call completion,zsh)

$B/completions/fish/%.fish: $B/% $(wildcard tools/completions/*)
	$(call completion,fish)

install: program library $(COMPLETIONS) ## install below DESTDIR and PREFIX (/usr/local)
	install -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(LIBDIR)/pkgconfig' '$(DESTDIR)$(INCLUDEDIR)'
	install -m 755 $B/sigrep $(COMPANIONS:%=$B/%) '$(DESTDIR)$(BINDIR)'
	install -m 644 include/sigrep.h '$(DESTDIR)$(INCLUDEDIR)/sigrep.h'
	install -m 644 $B/libsigrep.a '$(DESTDIR)$(LIBDIR)/libsigrep.a'
	install -m 755 $B/$(SOFILE) '$(DESTDIR)$(LIBDIR)/$(SOFILE)'
	ln -sf $(SOFILE) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/$(SO)'
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	  -e 's|@VERSION@|$(VERSION)|' -e 's|@REQUIRES@|$(strip $(LIBRARY_PKGS))|' \
	  -e 's|@CUDA_LIBS@ *|$(addsuffix $(space),$(CUDA_LIBS))|' sigrep.pc.in \
	  >'$(DESTDIR)$(LIBDIR)/pkgconfig/sigrep.pc'
	chmod 644 '$(DESTDIR)$(LIBDIR)/pkgconfig/sigrep.pc'
	install -d '$(DESTDIR)$(BASH_DIR)' '$(DESTDIR)$(ZSH_DIR)' '$(DESTDIR)$(FISH_DIR)'
	install -m 644 $B/completions/bash/* '$(DESTDIR)$(BASH_DIR)'
	install -m 644 $B/completions/zsh/* '$(DESTDIR)$(ZSH_DIR)'
	install -m 644 $B/completions/fish/* '$(DESTDIR)$(FISH_DIR)'
	for page in $(MAN); do \
	  dir='$(DESTDIR)$(MANDIR)'/man$${page##*.}; \
	  install -d "$$dir" && install -m 644 "$$page" "$$dir" || exit 1; \
	done

uninstall: ## remove what install put there
	rm -f $(foreach p,sigrep $(COMPANIONS),'$(DESTDIR)$(BINDIR)/$p') '$(DESTDIR)$(INCLUDEDIR)/sigrep.h' \
	  '$(DESTDIR)$(LIBDIR)/libsigrep.a' '$(DESTDIR)$(LIBDIR)/$(SOFILE)' \
	  '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/$(SO)' \
	  '$(DESTDIR)$(LIBDIR)/pkgconfig/sigrep.pc' $(foreach p,$(COMPLETED),'$(DESTDIR)$(BASH_DIR)/$p' \
	  '$(DESTDIR)$(ZSH_DIR)/_$p' '$(DESTDIR)$(FISH_DIR)/$p.fish')
	for page in $(MAN); do rm -f '$(DESTDIR)$(MANDIR)'/man$${page##*.}/$${page##*/}; done
