# sigrep - grep for signals. GNU make; there is no configure step.
#
#   make            build everything; the program is then ./build/sigrep
#   make help       the other targets
#
# Respected: CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR, V=1 (show commands), WERROR=1,
# MIC=0 (no microphones, no PortAudio), CUDA=0 (no GPUs), CUDA_ARCHS, HTTP_SO= (no --monitor-page).
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
PROGRAM_PKGS := sndfile flac libmpg123 zlib libzstd json-c $(if $(filter 0,$(MIC)),,portaudio-2.0)
LIBRARY_PKGS := fftw3f soxr # goes into sigrep.pc as well

# ---- Sources: a room is a folder -------------------------------------------------------

comma := ,
space := $(subst ,, )
find = $(sort $(shell find $(1) -name '$(2)' 2>/dev/null))
include kernels/cuda/cuda.mk

CUDA_C := kernels/cuda/host/% kernels/strings/cuda/%
CUDA_NONE := %/none.c # in place of them, without CUDA
with_cuda = $(if $(HAVE_CUDA),$(filter-out $(CUDA_NONE),$(1)),$(filter-out $(CUDA_C),$(1)) $(filter $(CUDA_NONE),$(1)))
KERNEL_SRC := $(call with_cuda,$(call find,kernels,*.c))
LIBRARY_SRC := $(call find,filter,*.c) $(KERNEL_SRC)
# sigrep-plot puts D3 into its pages, and draws pictures by cairo; both are optional.
D3 ?= /usr/share/nodejs/d3/dist/d3.min.js
NO_PLOT := $(strip $(if $(wildcard $(D3)),,node-d3 $(if $(filter file,$(origin D3)),,(D3=$(D3)))) \
           $(if $(shell $(PKG_CONFIG) --exists cairo && echo yes),,libcairo2-dev))
# sigrep loads libmicrohttpd for --monitor-page. This is its name; empty: it is missing.
ifeq ($(origin HTTP_SO),undefined)
HTTP_SO := $(shell objdump -p "$$($(CC) -print-file-name=libmicrohttpd.so)" 2>/dev/null | \
             awk '$$1 == "SONAME" { print $$2 }')
endif
# A program is a folder tools/NAME with a main.c; tools/common and io are linked into all.
PROGRAMS := $(filter-out $(if $(NO_PLOT),sigrep-plot),$(patsubst tools/%/main.c,%,$(wildcard tools/*/main.c)))
PROGRAM_SRC := $(filter-out %/$(if $(filter 0,$(MIC)),mic_portaudio.c,mic_none.c), \
  $(call find,io $(PROGRAMS:%=tools/%) tools/common,*.c))
EXAMPLE_SRC := $(wildcard examples/*/*.c)
# A test is a file test_*.c with a main; tests/support is linked into all. The tree mirrors ours.
TEST_SRC := $(call find,tests,test_*.c)
ifneq ($(filter thread,$(SAN)),)
TEST_SRC := $(shell tests/support/threaded $(TEST_SRC))
endif
TEST_HELP_SRC := $(wildcard tests/support/*.c)
MAN := $(filter-out $(if $(NO_PLOT),man/sigrep-plot.1),$(wildcard man/*.[1-9]))

# Flags of single files, by source name: loops that become vectors, kernels for an instruction set.
# With sanitizers the kernels take minutes to compile at -O3, the others run faster at CFLAGS' -O2.
VECTORS = $(if $(SAN),$(if $(filter kernels/%,$s),-O1),-O3)
flags_of = $(foreach s,$(1),$(eval CFLAGS_$s := $(VECTORS) $(2)))
$(call flags_of,$(filter %/portable.c,$(LIBRARY_SRC)) io/samples/pcm.c)
$(call flags_of,$(addprefix filter/features/,mel.c spectrum.c speech.c))
# A comparison that may trap keeps a loop from becoming vectors.
$(call flags_of,$(addprefix filter/features/,front_end.c diff.c envelope.c resample.c znorm.c), \
  -fno-trapping-math)
ifneq ($(filter x86_64%,$(shell $(CC) -dumpmachine)),)
AVX512 := -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512
$(call flags_of,$(filter %/avx512.c,$(LIBRARY_SRC)),$(AVX512))
$(call flags_of,$(filter %/avx2.c,$(LIBRARY_SRC)),-mavx2 -mfma)
# Else gcc moves each operation next to its use, and 32 registers stay half empty
# (docs/lab/cpu-kernels.md).
CFLAGS_kernels/cpu/avx512.c += $(shell $(CC) -Werror -fno-tree-ter -E -x c /dev/null >/dev/null 2>&1 && echo -fno-tree-ter)
endif
$(call flags_of,kernels/zmatch/values.c)
# Nor does a root that may set errno become one.
$(foreach s,$(filter kernels/zmatch/%,$(LIBRARY_SRC)), \
  $(eval CFLAGS_$s += -fno-trapping-math -fno-math-errno))

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

FLAG_SET := $(CC)|$(CPPFLAGS)|$(CFLAGS)|$(LDFLAGS)|$(SAN)|$(WERROR)$(if $(filter 0,$(MIC)),|no mic)$(if $(HTTP_SO),,|no page)|$(if $(HAVE_CUDA),cuda $(CUDA_ARCHS),no cuda)
FLAG_HASH := $(shell printf %s '$(subst ','\'',$(FLAG_SET))' | cksum | cut -d' ' -f1)
VARIANT := $(notdir $(firstword $(CC)))$(if $(SAN),-$(subst $(comma),-,$(SAN)))-$(FLAG_HASH)
B := build/$(VARIANT)
obj = $(patsubst %.c,$B/%.o,$1)
LIBRARY_OBJ := $(call obj,$(LIBRARY_SRC)) $(CUDA_OBJ)
# For programs, not for tests: it takes malloc's place. Sanitizers have a malloc of their own.
LIBRARY_MEMORY := $(if $(SAN),,$B/tools/common/messages/library_memory.o)
INNER_OBJ := $(filter-out %/main.o %/library_memory.o,$(LIBRARY_OBJ) $(call obj,$(PROGRAM_SRC)))
TESTS := $(TEST_SRC:%.c=$B/%)
LIVE := $B/tests/live/live # what tests/live/run needs besides the program
EXAMPLES := $(EXAMPLE_SRC:%.c=$B/%)

Q := $(if $(filter 1,$V),,@)
say = $(if $Q,@printf '  %-7s %s\n',@:)

MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

# ---- What people ask for ---------------------------------------------------------------

.PHONY: all program library examples tests check check-run demo demo-run install uninstall \
        clean help preflight print-variant print-libs

all: program library examples ## build the programs, the library and the examples

help: ## this list
	@sed -n 's/^\([a-z][a-z0-9-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "make %-18s %s\n", $$1, $$2}'
	@echo "make test_NAME          build and run one test program"
	@echo "variables: CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR V=1 WERROR=1 MIC=0 HTTP_SO= CUDA=0 CUDA_ARCHS JOBS SHORT=1 ROWS FUZZ_SECONDS TEST_TIMEOUT CHECK_SEED CHECK_SHARE BENCH"

# Sanitized builds must not be what ./build/sigrep means.
link_here = $(if $(SAN),,@for name in $(1); do ln -sfn $(VARIANT)/$$name build/$$name; done)

program: $(PROGRAMS:%=$B/%)
	$(call link_here,$(PROGRAMS))

library: $B/libsigrep.a $B/$(SOFILE)

examples: $(EXAMPLES)
	$(call link_here,examples)

tests: $(TESTS) $(LIVE) $(if $(HAVE_CUDA),$B/sigrep-fake-gpu)

check: ## install what is missing, build, run all tests; one closing line
	@packaging/deps build check
	@$(MAKE) check-run

demo: ## install what is missing, build, run the demonstration
	@packaging/deps build demo
	@$(MAKE) demo-run

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
	@$(if $(HTTP_SO),:,echo '--monitor-page is not built: install libmicrohttpd-dev to have it.')

$B/%.o: %.c Makefile | preflight
	@mkdir -p $(@D)
	$(say) CC $<
	$Q$(COMPILE) $(CFLAGS_$<) -MMD -MP -c -o $@ $<

$B/filter/background/background.o: filter/background/background.wav
$B/filter/features/speech.o: filter/features/common_frames.s8
$B/filter/embedding/weights.o: filter/embedding/speech_embedding.f16

$B/tests/% $B/tools/sigrep/monitor/%: REQUIRED_CPPFLAGS += $(if $(HTTP_SO),-DSIGREP_HTTP='"$(HTTP_SO)"')
$B/tools/sigrep/monitor/monitor_page.o: $(wildcard $(addprefix tools/sigrep/monitor/*.,css html js))

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

$B/sigrep-text: $B/io/live/mic_none.o # before the archive: PortAudio takes half of the time to start
$(PROGRAMS:%=$B/%): $B/%: $B/tools/%/main.o $(LIBRARY_MEMORY) $B/inner.a $(LIBRARY_CUDART)
$(TESTS): %: %.o $B/test-help.a $B/inner.a
$(LIVE): %: %.o $B/inner.a
# The program on a machine that is made up, for tests of the command line.
FAKE_GPU_OBJ := $(addprefix $B/tests/support/fake_,cuda.o streams.o kernels.o)
$B/sigrep-fake-gpu: $B/tools/sigrep/main.o $(LIBRARY_MEMORY) $(FAKE_GPU_OBJ) $B/inner.a

$(PROGRAMS:%=$B/%) $(TESTS) $(LIVE) $B/sigrep-fake-gpu:
	$(link)

ifeq ($(NO_PLOT),)
CAIRO_CFLAGS := $(shell $(PKG_CONFIG) --cflags cairo)
$B/tools/sigrep-plot/figure/%.o: REQUIRED_CPPFLAGS += $(CAIRO_CFLAGS)
$B/tools/sigrep-plot/page/page.o: REQUIRED_CPPFLAGS += -DPLOT_D3='"$(D3)"'
$B/tools/sigrep-plot/page/page.o: $(D3) $(wildcard $(addprefix tools/sigrep-plot/page/*.,css html js))
$B/sigrep-plot: private OWN_LIBS = $(call pkg,cairo,--libs)
endif

# Allocations of these go through tests/support/failing_memory.c.
ALLOCATORS := malloc calloc realloc aligned_alloc posix_memalign strdup strndup realpath free
$(filter $B/tests/allocations/%,$(TESTS)): private WRAPS := $(ALLOCATORS:%=-Wl$(comma)--wrap=%)

# ---- Testing -----------------------------------------------------------------------------

# One in how many cases the longest random tests run (tests/check.h): all, but under sanitizers.
CHECK_SHARE ?= $(if $(SAN),16,1)

# What every test may rely on. tests/support/*.supp are for faults of libraries.
TEST_ENV = CHECK_SHARE='$(CHECK_SHARE)' SRC='$(CURDIR)' BUILD='$(CURDIR)/$B' PATH='$(CURDIR)/$B':"$$PATH" LC_ALL=C \
  CC='$(CC)' CFLAGS='$(subst ','\'',$(CFLAGS))' CPPFLAGS='$(subst ','\'',$(CPPFLAGS))' \
  LDFLAGS='$(subst ','\'',$(LDFLAGS))' SAN='$(SAN)' WERROR='$(WERROR)' \
  ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:exitcode=99 \
  LSAN_OPTIONS='suppressions=$(CURDIR)/tests/support/leaks.supp:print_suppressions=0' \
  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=99 \
  TSAN_OPTIONS='halt_on_error=1:allocator_may_return_null=1:exitcode=99:suppressions=$(CURDIR)/tests/support/races.supp'

# Test scripts, beside the programs: every executable file in tests/, and `run` in its folders. They
# and the stream tests take longest, so they start first.
SUITES := $(filter-out tests/run tests/torture/%,$(sort $(shell find tests -maxdepth 1 -type f -perm -u+x) \
            $(shell find tests -mindepth 2 -name run) tests/guide/live))

check-run: program tests examples $(if $(SAN),,library)
	@$(TEST_ENV) tests/run $(SUITES) $(TESTS)

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

# From --help=all, and so from the table of options (packaging/completions).
COMPLETIONS := $(foreach p,$(PROGRAMS),$(addprefix $B/completions/,bash/$p zsh/_$p fish/$p.fish))
define completion
$B/completions/$(1)/$(2): $B/% $(wildcard packaging/completions/*)
	@mkdir -p $$(@D) && $$< --help=all | packaging/completions/generate $(1) $$(<F) >$$@
endef
$(eval $(call completion,bash,%))
$(eval $(call completion,zsh,_%))
$(eval $(call completion,fish,%.fish))

# MODE:FILE:FOLDER of all that is installed.
put = $(foreach f,$(3),$(1):$f:$(2))
INSTALLED := $(call put,755,$(BINDIR),$(PROGRAMS:%=$B/%)) $(call put,755,$(LIBDIR),$B/$(SOFILE)) \
  $(call put,644,$(LIBDIR),$B/libsigrep.a) $(call put,644,$(LIBDIR)/pkgconfig,$B/sigrep.pc) \
  $(call put,644,$(INCLUDEDIR),$(wildcard include/*.h)) $(foreach m,$(MAN),644:$m:$(MANDIR)/man$(subst .,,$(suffix $m))) \
  $(foreach p,$(PROGRAMS),644:$B/completions/bash/$p:$(BASH_DIR) 644:$B/completions/zsh/_$p:$(ZSH_DIR) \
    644:$B/completions/fish/$p.fish:$(FISH_DIR))
for_installed = @set -e; for one in $(INSTALLED); do mode=$${one%%:*} one=$${one\#*:}; \
  file=$${one%%:*} folder='$(DESTDIR)'$${one\#*:}; $(1); done

install: program library $(COMPLETIONS) ## install below DESTDIR and PREFIX (/usr/local)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	  -e 's|@VERSION@|$(VERSION)|' -e 's|@REQUIRES@|$(strip $(LIBRARY_PKGS))|' \
	  -e 's|@CUDA_LIBS@ *|$(addsuffix $(space),$(CUDA_LIBS))|' packaging/sigrep.pc.in >$B/sigrep.pc
	$(call for_installed,echo "$$folder/$${file##*/}"; install -D -m "$$mode" -t "$$folder" "$$file")
	ln -sf $(SOFILE) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/$(SO)'

uninstall: ## remove what install put there
	$(call for_installed,rm -f "$$folder/$${file##*/}")
	rm -f '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/$(SO)'

# The rest, and the dependencies that compilers wrote of each object that is there.
-include dev/dev.mk $(shell find $B $(CUDA_B) -name '*.d' 2>/dev/null)
