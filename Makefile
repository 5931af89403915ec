# sigrep - grep for signals. GNU make; there is no configure step.
#
#   make            build everything; the program is then ./build/sigrep
#   make help       the other targets
#
# Respected: CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR, V=1 (show commands), WERROR=1,
# MIC=0 (no microphones, no PortAudio), CUDA=0 (no GPUs), CUDA_ARCHS.
# Every set of flags has a folder of its own below build/, so none ever mixes with another.
# New source files need no edit here: the lists below are wildcards.
#
#   this file         build, install, test
#   dev/dev.mk        what those who change the code run besides
#   papers/Makefile   the papers' systems

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

# ---- Libraries by their pkg-config names -----------------------------------------------

MIC ?= 1 # 0: without microphones, and so without PortAudio
PROGRAM_PKGS := sndfile zlib libzstd json-c $(if $(filter 0,$(MIC)),,portaudio-2.0)
LIBRARY_PKGS := fftw3f soxr # goes into sigrep.pc as well

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
export CUDA_ARCHS := $(shell packaging/cuda-architectures '$(NVCC)')
endif
ifeq ($(strip $(CUDA_ARCHS)),all)
override CUDA_ARCHS := 75 80 90 100 120
endif
ifeq ($(strip $(CUDA_ARCHS)),)
NO_GPU := No GPU here, so nothing is compiled for GPUs; CUDA_ARCHS=all compiles for all kinds.
endif
HAVE_CUDA := $(if $(NO_GPU),,1)
endif

# ---- Sources: a room is a folder -------------------------------------------------------

find = $(sort $(shell find $(1) -name '$(2)' 2>/dev/null))
CUDA_C := kernels/cuda/host/% kernels/strings/cuda/%
CUDA_NONE := %/none.c # in place of them, without CUDA
with_cuda = $(if $(HAVE_CUDA),$(filter-out $(CUDA_NONE),$(1)),$(filter-out $(CUDA_C),$(1)) $(filter $(CUDA_NONE),$(1)))
KERNEL_SRC := $(call with_cuda,$(call find,kernels,*.c))
LIBRARY_SRC := $(call find,filter,*.c) $(KERNEL_SRC)
CUDA_SRC := $(if $(HAVE_CUDA),$(call find,kernels,*.cu))
# sigrep-plot puts D3 into its pages, and draws pictures by cairo; both are optional.
D3 ?= /usr/share/nodejs/d3/dist/d3.min.js
NO_PLOT := $(strip $(if $(wildcard $(D3)),,node-d3 $(if $(filter file,$(origin D3)),,(D3=$(D3)))) \
           $(if $(shell $(PKG_CONFIG) --exists cairo && echo yes),,libcairo2-dev))
# A program is a folder tools/NAME with a main.c; tools/common and io are linked into all.
PROGRAMS := $(filter-out $(if $(NO_PLOT),sigrep-plot),$(patsubst tools/%/main.c,%,$(wildcard tools/*/main.c)))
PROGRAM_SRC := $(call find,io $(PROGRAMS:%=tools/%) tools/common,*.c)
EXAMPLE_SRC := $(wildcard examples/*/*.c)
# A test is a file test_*.c with a main; tests/support is linked into all. The tree mirrors ours.
TEST_SRC := $(call find,tests,test_*.c)
TEST_HELP_SRC := $(wildcard tests/support/*.c)
LIVE_SRC := tests/live/live.c # what tests/live/run needs besides the program
FUZZ_SRC := $(wildcard tests/fuzz/fuzz_*.c)
MAN := $(filter-out $(if $(NO_PLOT),man/sigrep-plot.1),$(wildcard man/*.[1-9]))

# Flags of single files, by source name: loops that become vectors, kernels for an instruction set.
# With sanitizers these files take minutes to compile at -O3.
VECTORS := $(if $(SAN),-O1,-O3)
VECTOR_SRC := kernels/cpu/portable.c kernels/cpu/trace/portable.c kernels/strings/portable.c io/samples/pcm.c \
              $(addprefix filter/features/,common_frames.c mel.c spectrum.c speech.c)
$(foreach s,$(VECTOR_SRC),$(eval CFLAGS_$s := $(VECTORS)))
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine)),)
AVX512 := -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512
AVX2 := -mavx2 -mfma
# Else gcc moves each operation next to its use, and 32 registers stay half empty
# (docs/lab/cpu-kernels.md).
APART := $(shell $(CC) -Werror -fno-tree-ter -E -x c /dev/null >/dev/null 2>&1 && echo -fno-tree-ter)
CFLAGS_kernels/cpu/avx512.c := $(VECTORS) $(AVX512) $(APART)
CFLAGS_kernels/cpu/avx2.c := $(VECTORS) $(AVX2)
CFLAGS_kernels/cpu/trace/avx512.c := $(VECTORS) $(AVX512)
CFLAGS_kernels/cpu/trace/avx2.c := $(VECTORS) $(AVX2)
CFLAGS_kernels/strings/avx512.c := $(VECTORS) $(AVX512) -mavx512vbmi2
CFLAGS_kernels/strings/avx2.c := $(VECTORS) $(AVX2)
endif

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
FLAG_SET := $(CC)|$(CPPFLAGS)|$(CFLAGS)|$(LDFLAGS)|$(SAN)|$(WERROR)$(if $(filter 0,$(MIC)),|no mic)|$(if $(HAVE_CUDA),cuda $(CUDA_ARCHS),no cuda)
FLAG_HASH := $(shell printf %s '$(subst ','\'',$(FLAG_SET))' | cksum | cut -d' ' -f1)
VARIANT := $(notdir $(firstword $(CC)))$(if $(SAN),-$(subst $(comma),-,$(SAN)))-$(FLAG_HASH)
B := build/$(VARIANT)
# The device code takes long and knows none of these flags, so all variants share it.
CUDA_B := build/cuda-$(subst $(space),-,$(strip $(CUDA_ARCHS)))

obj = $(patsubst %.c,$B/%.o,$1)
CUDA_OBJ := $(CUDA_SRC:%.cu=$(CUDA_B)/%.o)
LIBRARY_OBJ := $(call obj,$(LIBRARY_SRC)) $(CUDA_OBJ)
# For programs, not for tests: it takes malloc's place. Sanitizers have a malloc of their own.
LIBRARY_MEMORY := $(if $(SAN),,$B/tools/common/messages/library_memory.o)
INNER_OBJ := $(filter-out %/main.o %/library_memory.o,$(LIBRARY_OBJ) $(call obj,$(PROGRAM_SRC)))
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

.PHONY: all program library examples tests check check-run demo demo-run deps install uninstall \
        clean help preflight print-variant print-libs papers check-papers

all: program library examples ## build the programs, the library and the examples

help: ## this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "make %-18s %s\n", $$1, $$2}'
	@echo "make test_NAME          build and run one test program"
	@echo "variables: CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR V=1 WERROR=1 MIC=0 CUDA=0 CUDA_ARCHS JOBS SHORT=1 ROWS FUZZ_SECONDS TEST_TIMEOUT CHECK_SEED CHECK_SHARE BENCH"

deps: ## install what is missing of what building, testing and developing need (Debian)
	@packaging/deps build demo check dev

# Sanitized builds must not be what ./build/sigrep means.
link_here = $(if $(SAN),,@for name in $(1); do ln -sfn $(VARIANT)/$$name build/$$name; done)

program: $(PROGRAMS:%=$B/%)
	$(call link_here,$(PROGRAMS))

library: $B/libsigrep.a $B/$(SOFILE)

examples: $(EXAMPLES)
	$(call link_here,examples)

tests: $(TESTS) $(LIVE) $(REPLAYS) $(if $(HAVE_CUDA),$B/sigrep-fake-gpu)

check: ## install what is missing, build, run all tests; one closing line
	@packaging/deps build check
	@$(MAKE) check-run

demo: ## install what is missing, build, run the demonstration
	@packaging/deps build demo
	@$(MAKE) demo-run

ifeq ($(filter papers/Makefile,$(MAKEFILE_LIST)),)
papers check-papers: ## build the papers' systems; test them
	@$(MAKE) -f papers/Makefile $@
endif

clean: ## remove build/
	rm -rf build

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

# kernels/cuda/host/cuda.c registers the library's kernels, not nvcc's function that runs before
# main.
REGISTER_KERNELS := _ZL24__sti____cudaRegisterAllv
$(CUDA_OBJ): DEFER_CUDA = $Q$(OBJCOPY) --redefine-sym $(REGISTER_KERNELS)=cuda_register_$(basename $(@F)) \
  --globalize-symbol=cuda_register_$(basename $(@F)) --remove-section=.init_array $@

$B/filter/background/background.o: filter/background/background.wav
$B/filter/features/common_frames.o: filter/features/common_frames.s8

CUDA_INCLUDE := $(if $(HAVE_CUDA),-isystem $(CUDA_HOME)/include)
$B/kernels/cuda/host/%.o $B/kernels/strings/cuda/%.o: REQUIRED_CPPFLAGS += $(CUDA_INCLUDE)
$B/tests/%.o: REQUIRED_CPPFLAGS += -Itests $(if $(HAVE_CUDA),-DTESTS_CUDA $(CUDA_INCLUDE))

# One relocatable object in which all that is not public has become local: a program that
# links libsigrep.a cannot meet our inner names.
$B/libsigrep.o: $(LIBRARY_OBJ)
	$(say) LD $@
	$Q$(CC) $(CFLAGS) -r -nostdlib -o $@ $^
	$Q$(OBJCOPY) --localize-hidden $@

# Tests look inside, so they link objects, by way of an archive: main.c is left out.
$B/inner.a: $(INNER_OBJ)
$B/test-help.a: $(call obj,$(TEST_HELP_SRC))
$B/libsigrep.a: $B/libsigrep.o
$B/%.a:
	$(say) AR $@
	$Q$(RM) $@
	$Q$(AR) $(if $(filter 1,$(words $^)),rcsD,rcsP) $@ $^

$B/$(SOFILE): $(LIBRARY_OBJ) filter/session/sigrep.map
	$(say) LINK $@
	$Q$(LINK_ANY) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=filter/session/sigrep.map \
	  $(if $(SAN),,-Wl,-z,defs) -o $@ $(LIBRARY_OBJ) $(LIBRARY_LIBS)
	$Qln -sf $(SOFILE) $B/$(SONAME)
	$Qln -sf $(SONAME) $B/$(SO)

# Examples see the public header and the library only.
$(EXAMPLES): $B/%: %.c $B/libsigrep.a Makefile
	@mkdir -p $(@D)
	$(say) LINK $@
	$Q$(filter-out -I.,$(COMPILE)) $(LINK_HARDENING) $(PIE) -MMD -MP -MF $@.d -o $@ $< \
	  $B/libsigrep.a $(LDFLAGS) $(PROGRAM_LIBS)

define link
$(say) LINK $@
$Q$(LINK) $(WRAPS) -o $@ $^ $(OWN_LIBS) $(PROGRAM_LIBS)
endef

$(PROGRAMS:%=$B/%): $B/%: $B/tools/%/main.o $(LIBRARY_MEMORY) $B/inner.a $(LIBRARY_CUDART)
	$(link)

ifeq ($(NO_PLOT),)
CAIRO_CFLAGS := $(shell $(PKG_CONFIG) --cflags cairo)
$B/tools/sigrep-plot/figure/%.o: REQUIRED_CPPFLAGS += $(CAIRO_CFLAGS)
$B/tools/sigrep-plot/page/page.o: REQUIRED_CPPFLAGS += -DPLOT_D3='"$(D3)"'
$B/tools/sigrep-plot/page/page.o: $(D3) $(wildcard $(addprefix tools/sigrep-plot/page/*.,css html js))
$B/sigrep-plot: private OWN_LIBS = $(call pkg,cairo,--libs)
endif

# Allocations of these go through tests/support/failing_memory.c.
ALLOCATORS := malloc calloc realloc aligned_alloc posix_memalign strdup strndup free
$(filter $B/tests/allocations/%,$(TESTS)): private WRAPS := $(ALLOCATORS:%=-Wl$(comma)--wrap=%)

$(TESTS): %: %.o $B/test-help.a $B/inner.a
	$(link)

# The program on a machine that is made up, for tests of the command line.
FAKE_GPU_OBJ := $(addprefix $B/tests/support/fake_,cuda.o streams.o kernels.o)
$B/sigrep-fake-gpu: $B/tools/sigrep/main.o $(LIBRARY_MEMORY) $(FAKE_GPU_OBJ) $B/inner.a
	$(link)

$(REPLAYS): %.replay: %.o $B/tests/fuzz/replay.o $B/inner.a
	$(link)

$(FUZZERS) $(LIVE): %: %.o $B/inner.a
	$(link)

# ---- Testing -----------------------------------------------------------------------------

# One in how many cases the longest random tests run (tests/check.h): all, but under sanitizers.
CHECK_SHARE ?= $(if $(SAN),$(if $(filter thread,$(SAN)),16,8),1)

# What every test program and script may rely on. tests/leaks and tests/races are those of
# libraries.
TEST_ENV = CHECK_SHARE='$(CHECK_SHARE)' SRC='$(CURDIR)' BUILD='$(CURDIR)/$B' PATH='$(CURDIR)/$B':"$$PATH" LC_ALL=C \
  CC='$(CC)' CFLAGS='$(subst ','\'',$(CFLAGS))' CPPFLAGS='$(subst ','\'',$(CPPFLAGS))' \
  LDFLAGS='$(subst ','\'',$(LDFLAGS))' SAN='$(SAN)' WERROR='$(WERROR)' \
  ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:exitcode=99 \
  LSAN_OPTIONS='suppressions=$(CURDIR)/tests/leaks:print_suppressions=0' \
  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99 \
  TSAN_OPTIONS='halt_on_error=1:allocator_may_return_null=1:exitcode=99:suppressions=$(CURDIR)/tests/races'

# Test scripts, beside the programs: every executable file in tests/, and `run` in its folders. They
# and the stream tests take longest, so they start first.
SUITES := $(filter-out tests/run tests/torture/%,$(sort $(shell find tests -maxdepth 1 -type f -perm -u+x) \
            $(shell find tests -mindepth 2 -name run) tests/guide/live))
TESTS_RUN := $(TESTS)

check-run: program tests examples $(if $(SAN),,library)
	@$(TEST_ENV) tests/run $(SUITES) $(TESTS_RUN)

# `make test_ring` builds and runs that one.
$(foreach t,$(TESTS),$(eval .PHONY: $(notdir $t))$(eval $(notdir $t): $t program ; \
  @$$(TEST_ENV) $$<))

# Each example shows itself by a script demo.sh, with sigrep and the example in PATH.
demo-run: program examples
	@set -e; for demo in $(or $(wildcard examples/*/demo.sh),none); do \
	  test -e $$demo || { echo "no examples/*/demo.sh" >&2; exit 1; }; \
	  echo "== $$demo"; \
	  $(TEST_ENV) PATH="$(CURDIR)/$B:$(CURDIR)/$B/$${demo%/*}:$$PATH" sh $$demo </dev/null; \
	done

# ---- Installing ----------------------------------------------------------------------------

# From --help, and so from the table of options (packaging/completions).
INSTALLED := $(PROGRAMS)
HEADERS := $(wildcard include/*.h)
COMPLETIONS := $(PROGRAMS:%=$B/completions/bash/%) $(PROGRAMS:%=$B/completions/zsh/_%) \
               $(PROGRAMS:%=$B/completions/fish/%.fish)
completion = @mkdir -p $(@D) && $< --help | packaging/completions/generate $(1) $(<F) >$@
GENERATOR := $(wildcard packaging/completions/*)

$B/completions/bash/%: $B/% $(GENERATOR)
	$(call completion,bash)

$B/completions/zsh/_%: $B/% $(GENERATOR)
	$(call completion,zsh)

$B/completions/fish/%.fish: $B/% $(GENERATOR)
	$(call completion,fish)

install: program library $(COMPLETIONS) ## install below DESTDIR and PREFIX (/usr/local)
	install -d '$(DESTDIR)$(BINDIR)' '$(DESTDIR)$(LIBDIR)/pkgconfig' '$(DESTDIR)$(INCLUDEDIR)'
	install -m 755 $(PROGRAMS:%=$B/%) '$(DESTDIR)$(BINDIR)'
	install -m 644 $(HEADERS) '$(DESTDIR)$(INCLUDEDIR)'
	install -m 644 $B/libsigrep.a '$(DESTDIR)$(LIBDIR)/libsigrep.a'
	install -m 755 $B/$(SOFILE) '$(DESTDIR)$(LIBDIR)/$(SOFILE)'
	ln -sf $(SOFILE) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/$(SO)'
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	  -e 's|@VERSION@|$(VERSION)|' -e 's|@REQUIRES@|$(strip $(LIBRARY_PKGS))|' \
	  -e 's|@CUDA_LIBS@ *|$(addsuffix $(space),$(CUDA_LIBS))|' packaging/sigrep.pc.in \
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
	rm -f $(foreach p,$(PROGRAMS),'$(DESTDIR)$(BINDIR)/$p') $(HEADERS:include/%='$(DESTDIR)$(INCLUDEDIR)/%') \
	  '$(DESTDIR)$(LIBDIR)/libsigrep.a' '$(DESTDIR)$(LIBDIR)/$(SOFILE)' \
	  '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/$(SO)' \
	  '$(DESTDIR)$(LIBDIR)/pkgconfig/sigrep.pc' $(foreach p,$(PROGRAMS),'$(DESTDIR)$(BASH_DIR)/$p' \
	  '$(DESTDIR)$(ZSH_DIR)/_$p' '$(DESTDIR)$(FISH_DIR)/$p.fish')
	for page in $(MAN); do rm -f '$(DESTDIR)$(MANDIR)'/man$${page##*.}/$${page##*/}; done

-include dev/dev.mk
# Dependencies that compilers wrote: of each object that is there.
-include $(shell find $B $(CUDA_B) -name '*.d' 2>/dev/null)
