# Impact: build, test, report.
#   make            the library and the program, in build/
#   make help       prints this
#   make deps       installs what Debian 12 needs
#   make info       what was found
#   make check      all tests (CC=clang, SAN=1, MSAN=1, COV=1, FPE=1 build in folders of their own; TESTS=word selects by
#                   source; LONG=1, TESTS and COV=1 take the long form: more random cases, what takes seconds, and
#                   the tests of pages, packages, examples and of the tests' own tools;
#                   FPE=1 is for TESTS=exceptions)
#   make coverage   lines and branches that the tests reach, room by room: none below tests/coverage.tsv, which
#                   COVERED=--write rewrites; build-cov/uncovered.tsv lists the rest
#   make conditions  of the code of one contact, which conditions of each decision were seen to decide (MC/DC): all but
#                   tests/conditions.tsv; CONDITIONS_CC=clang-19 and newer
#   make check-kernels  tests, report and all models' answers under each of OpenBLAS' kernels, libm's variants and both
#                   compilers (FAST=1: the short form)
#   make platforms  tests, and answers against those of this build, by other compilers and levels, and on other processors
#                   under qemu-user (ONLY=text COUNT=400)
#   make sysroots   the libraries of those processors, which Debian's apt fetches into build-platforms/sysroot
#   make campaign   problems by the million against what answers must be, for HOURS=1; goes on where it ended (SEED=0)
#   make campaign-record  what it has done, into campaign/record.tsv, from which the next one goes on, here or elsewhere
#   make fuzz-test  mistakes planted in readers, which libFuzzer finds
#   make fuzz       libFuzzer on every reader, SECONDS=30 each (READERS=: build-clang-fuzz/fuzz/fuzz --list); needs clang
#   make fuzz-corpus  the least of what fuzzing has learned that reaches the same, into fuzz/corpus
#   make mutate     mistakes planted in copies of the sources, and what finds them (SEED=1 N=400 JOBS=2 ONLY=text)
#   make docs       the manual as pages: build/docs/index.html, with the reference of the library where doxygen is
#   make man        manual pages of the library and the formats, in build/man
#   make wheel      the Python package as a wheel with the library inside: build/wheel (python/README.md)
#   make report     every experiment: build/report/index.html
#   make bench      timing tables, and their rows in build/bench.json
#   make bench-peers  other people's solvers and engines beside ours, where they are installed (DOCS=--write: docs/peers.md)
#   make audit-peers  steps of the engines that are installed, judged by impact check (DOCS=--write: docs/engines.md)
#   make gate       nothing worse than benchmarks/baseline.tsv
#   make baseline   rewrites benchmarks/baseline.tsv
#   make exported   rewrites tests/exported.txt, the names that the shared library exports
#   make oracle     reference/data recomputed in quadruple precision (ORACLE=--write puts it in place)
#   make format     clang-format
#   make lint       clang-format, clang-tidy and cppcheck on what changed since it was clean
#   make measures   how much there is to read, room by room
#   make compdb     compile_commands.json, for editors and clang's tools
#   make dist       the sources as build/impact-VERSION.tar.gz, the same bytes for the same commit
#   make deb        Debian packages of it in build/deb (RELEASING.md)
#   make deb-check  installs them in a fresh Debian (debootstrap, as root), and builds with them
#   make install    PREFIX=/usr/local (absolute), DESTDIR=, LIBDIR=lib (below the prefix)
#   make uninstall  takes away what install put down
#   make clean      takes the build folders away

VERSION := $(shell sed -n 's/^\#define IMP_VERSION "\(.*\)"/\1/p' lib/impact.h)
PREFIX ?= /usr/local
DESTDIR ?=
LIBDIR ?= lib

ifeq ($(origin CC),default)
CC := $(if $(MSAN)$(FUZZ),clang,gcc)
endif
compiler := $(notdir $(firstword $(CC)))
# The engines' C++ is linked with the library's OpenMP, which is the compiler's own.
ifeq ($(origin CXX),default)
CXX := $(if $(findstring clang,$(compiler)),$(patsubst %$(compiler),%$(subst clang,clang++,$(compiler)),$(CC)),g++)
endif
BUILD := build$(if $(findstring clang,$(compiler)),-clang)$(if $(SAN),-san)$(if $(MSAN),-msan)$(if $(COV),-cov)$(if $(MCDC),-mcdc)$(if $(FUZZ),-fuzz)$(if $(FPE),-fpe)

# Debian packages: the build and the tests, then lint.
PACKAGES := gcc g++ clang make pkg-config libgsl-dev liblapacke-dev libopenblas-serial-dev libjansson-dev libhdf5-dev \
            libsuitesparse-dev gnuplot-nox webp perl clang-format clang-tidy cppcheck libclang-rt-14-dev valgrind mandoc \
            openmpi-bin libopenmpi-dev cmake libgmp-dev

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Wundef -Wpointer-arith -Wcast-qual -Wwrite-strings -Wformat=2 \
            -Wnull-dereference -Wimplicit-fallthrough
# Only what the public headers declare is exported (lib/base/public.h).
VISIBILITY := -fvisibility=hidden
# Same bits everywhere: no contraction to fused multiply-add, no fast-math. The two -fno flags change no result; without
# the second (FPE=1) exceptions are raised where the source has them, which tests/test_exceptions.c reads.
FLOATING := -ffp-contract=off -fno-math-errno $(if $(FPE),-ftrapping-math -DIMP_EXCEPTIONS_KEPT,-fno-trapping-math)
compiles = $(shell echo 'int main(void) { return 0; }' | $(CC) $(1) -x c - -o /dev/null 2>/dev/null && echo '$(1)')
# $(call links,PROGRAM,LIBRARIES): the libraries, if the program links with them.
links = $(shell echo '$(1)' | $(CC) -x c - -o /dev/null $(2) 2>/dev/null && echo '$(2)')
# $(call once,NAME,VALUE): the value of NAME, found out when it is first asked for: a start of make waits for no compiler
# that its goal does not need.
once = $(eval $(1) := $(2))$($(1))
# Threads of the batch solvers and of the granular flow; without OpenMP they run on one.
# MemorySanitizer does not see what OpenMP's threads write.
OPENMP := $(if $(MSAN)$(FUZZ),,$(call compiles,-fopenmp))
OPTIMISE := $(if $(SAN)$(MSAN)$(FUZZ)$(FPE),-O1,$(if $(COV)$(MCDC),-O0,-O3))
comma := ,
SANITISE := $(if $(SAN),-fsanitize=address$(comma)undefined$(comma)float-cast-overflow -fno-sanitize-recover=all \
            -fno-omit-frame-pointer) \
            $(if $(MSAN),-fsanitize=memory -fsanitize-memory-track-origins -fno-omit-frame-pointer) \
            $(if $(FUZZ),-fsanitize=fuzzer-no-link$(comma)address$(comma)undefined -fno-sanitize-recover=all)
# Counters of threads are added up, so that none is lost and the sums of a function agree.
COVERAGE := $(if $(COV),--coverage -fprofile-update=atomic) \
            $(if $(MCDC),-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc)

HDF5_FLAGS := $(shell pkg-config --cflags hdf5-serial 2>/dev/null)
# 64-bit offsets: folders and files of 32-bit processors, too
CPPFLAGS += -Ilib -I. -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 $(HDF5_FLAGS)
CFLAGS ?= -g
ALL_CFLAGS := -std=c11 $(OPTIMISE) $(CFLAGS) $(FLOATING) $(WARNINGS) $(VISIBILITY) $(OPENMP) -fPIC $(SANITISE) $(COVERAGE)
ALL_LDFLAGS := $(LDFLAGS) $(OPENMP) $(SANITISE) $(COVERAGE)
# What libimpact itself needs; no GPL code among it.
LIB_LIBS := -ljansson $(shell pkg-config --libs hdf5-serial 2>/dev/null) -lklu -lldl -lamd -llapacke -llapack -lblas $(OPENMP) -lm
# What libimpact.a is linked with when the rest is static too: what the libraries above need in turn. HDF5's compiler says
# its share (of which Debian's libsz needs libaec); Fortran's runtime needs libquadmath, and calls
# at the end what it holds weakly.
STATIC_LIBS = -ljansson $(shell pkg-config --libs hdf5-serial 2>/dev/null) $(filter -l%,$(shell h5cc -show 2>/dev/null)) $(call compiles,-laec) \
              -lklu -lbtf -lcolamd -lldl -lamd -lsuitesparseconfig \
              -llapacke -llapack $(or $(shell pkg-config --static --libs blas 2>/dev/null),-lblas) $(call compiles,-lquadmath) $(OPENMP) -lm \
              -Wl,-u,pthread_mutex_destroy
# What impact is linked with where archives of it are installed: with shared libraries a start loads 53, of which HDF5's
# bring thirty (curl, Kerberos, ...), and takes three times as long as with 9. SHARED=1, as a distribution wants it: none.
hdf5_archives := $(shell pkg-config --libs hdf5-serial 2>/dev/null) -lsz -laec -lz
ARCHIVES = $(if $(SHARED)$(SAN)$(MSAN)$(FUZZ)$(COV),,$(call once,IN_ARCHIVES,$(call links,int H5open(void); int main(void) { return H5open(); },\
  -Wl$(comma)-Bstatic -lgsl -lgslcblas -ljansson $(hdf5_archives) -lklu -lbtf -lcolamd -lldl -lamd -lsuitesparseconfig -llapacke -ltmglib \
  -Wl$(comma)-Bdynamic -llapack -lblas $(OPENMP) -lm)))
# The peer that benchmarks run beside ours, where it is installed (Debian: libsiconos-numerics-dev): never part of lib.
SICONOS_FLAGS := -isystem /usr/include/siconos -isystem /usr/include/siconos/numerics -DHAVE_SICONOS
SICONOS = $(call once,SICONOS,$(shell echo 'int fc3d_driver(void); int main(void) { return fc3d_driver == 0; }' | \
  $(CC) -x c - -lsiconos_numerics -o /dev/null 2>/dev/null && echo yes))
SICONOS_LIBS = $(if $(SICONOS),-Wl$(comma)--as-needed -lsiconos_numerics)
# Open MPI, for impact-mpi alone: neither the library nor impact links it. Its headers are not held to our warnings.
MPI := $(if $(shell command -v mpicc),$(if $(shell command -v mpirun),yes))
MPI_FLAGS := $(if $(MPI),$(patsubst -I%,-isystem %,$(shell mpicc --showme:compile)))
MPI_LIBS := $(if $(MPI),$(shell mpicc --showme:link))
# Programs of the reference, compliant and benchmark rooms also link GSL (GPL).
GSL_LIBS := -lgsl

library_sources := $(wildcard lib/*.c lib/*/*.c lib/*/*/*.c)
# Public headers: what impact.h includes, and impact_dump.h, which is for programs without the library. The others are
# between the files of lib.
library_headers = $(filter lib/%.h,$(shell $(CC) $(CPPFLAGS) -MM lib/impact.h 2>/dev/null)) lib/impact_dump.h
library_rooms = lib $(sort $(patsubst %/,%,$(dir $(wildcard lib/*/*.c lib/*/*/*.c))))
library := $(BUILD)/libimpact.a
shared := $(BUILD)/libimpact.so.$(VERSION)
soname := libimpact.so.$(firstword $(subst ., ,$(VERSION)))
cli_sources := $(wildcard cli/*.c)
program := $(BUILD)/impact
rank_sources := $(wildcard ranks/*.c)
rank_program := $(if $(MPI),$(BUILD)/impact-mpi)

# Rooms above the library, each an archive of its own: scene and compliant, the slow oracles, and the benchmark harness.
scene_sources := $(wildcard scene/*.c compliant/*.c)
generator_sources := $(wildcard generators/*.c)
replay_sources := $(wildcard replay/*.c)
audit_sources := $(wildcard audit/*.c)
outside_sources := $(wildcard outside/*.c)
oracle_sources := $(wildcard reference/oracle/*.c)
harness_sources := $(wildcard benchmarks/harness/*.c benchmarks/peers/*.c benchmarks/experiments/*.c benchmarks/metrics/*.c)
object = $(patsubst %.c,$(BUILD)/%.o,$(1))

# A Python with NumPy, for the package in python/ and its tests; empty: none.
PYTHON ?= $(call once,PYTHON,$(shell for p in python3 /usr/bin/python3; do $$p -c 'import numpy' 2>/dev/null && echo $$p && break; done))
WHEEL ?= $(BUILD)/wheel

test_sources := $(wildcard tests/test_*.c)
test_scripts := $(wildcard tests/test_*.sh)
test_programs := $(patsubst tests/%.c,$(BUILD)/tests/%,$(test_sources))
campaign := $(BUILD)/campaign/campaign
bench_programs := $(patsubst benchmarks/%.c,$(BUILD)/benchmarks/%,$(wildcard benchmarks/*.c)) $(campaign)
oracle_programs := $(patsubst reference/%.c,$(BUILD)/reference/%,$(wildcard reference/*.c))
rooms := $(call object,$(harness_sources) $(replay_sources) $(audit_sources) $(outside_sources) $(generator_sources) $(scene_sources) $(oracle_sources) \
  campaign/shrink.c campaign/lot.c)

all: $(library) $(shared) $(program) $(rank_program)

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

deps:
	@set -e; as=; [ "$$(id -u)" = 0 ] || as=sudo; \
	$$as apt-get update -q; $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $(PACKAGES)

info:
	@echo "compiler    $(CC): $$($(CC) --version | head -1)"
	@echo "build       $(BUILD)"
	@echo "flags       $(ALL_CFLAGS)"
	@for p in jansson hdf5-serial gsl lapacke blas; do \
	  printf '%-11s %s\n' $$p "$$(pkg-config --modversion $$p 2>/dev/null || echo 'not found: make deps')"; done
	@echo "klu         $$(echo '#include <suitesparse/klu.h>' | $(CC) -fsyntax-only -xc - 2>/dev/null && \
	  echo found || echo 'not found: make deps')"
	@echo "archives    $(if $(ARCHIVES),found: impact is linked with them,not found$(comma) or not wanted: impact is linked with shared libraries)"
	@echo "siconos     $(if $(SICONOS),found,not found (optional peer of benchmarks/fclib))"
	@echo "OpenMP      $(if $(OPENMP),yes,not found: batches and flows run on one thread)"
	@echo "Open MPI    $(if $(MPI),$$(mpirun --version | head -1),not found: no impact-mpi$(comma) flows run in one process)"
	@echo "gnuplot     $$(gnuplot --version 2>/dev/null || echo 'not found: make deps')"
	@echo "img2webp    $$(img2webp -version 2>/dev/null | head -1 | grep . || echo 'not found: the pictures of the report stand still')"

# Changes only when the flags do, so that objects of other flags are never reused; what is linked, when there is another
# list of sources.
$(BUILD)/flags: always
	@mkdir -p $(@D)
	@echo '$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(SHARED)' | cmp -s - $@ || echo '$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(SHARED)' > $@
$(BUILD)/sources: always
	@mkdir -p $(@D)
	@echo '$(library_sources) $(rooms) $(program_sources) $(rank_sources)' | cmp -s - $@ || \
	  echo '$(library_sources) $(rooms) $(program_sources) $(rank_sources)' > $@

# Files named after an instruction set are compiled for it where the compiler knows it; the library asks the CPU first.
AVX2 = $(call once,AVX2,$(call compiles,-mavx2 -mfma))
# clang 19 does not come to an end of the unrolled loops of 8 lanes.
AVX512 = $(call once,AVX512,$(call compiles,-mavx512f -fno-unroll-loops))
$(BUILD)/%_avx2.o: ISA = $(AVX2)
$(BUILD)/%_avx512.o: ISA = $(AVX512)
AVX512VL = $(call once,AVX512VL,$(call compiles,-mavx2 -mfma -mavx512vl -fno-unroll-loops))
$(BUILD)/%_avx512vl.o: ISA = $(AVX512VL)
# One lane of the kernels: pairs of scalars packed into one store or load wait for each other.
APART = $(call once,APART,$(call compiles,-fno-tree-slp-vectorize))
$(BUILD)/%_plain.o: ISA = $(APART)

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CC  $<"
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ISA) $(if $(WERROR),-Werror) $(FILE_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/benchmarks/peers/siconos.o: FILE_FLAGS = $(if $(SICONOS),$(SICONOS_FLAGS))
# What MemorySanitizer's wrappers stand for is called from shared libraries too.
$(BUILD)/tests/msan.o: FILE_FLAGS := -fvisibility=default

$(library): $(call object,$(library_sources)) $(BUILD)/sources
	@rm -f $@
	@echo "  AR  $@"
	@ar rcs $@ $(filter %.o,$^)

$(shared): $(call object,$(library_sources)) $(BUILD)/sources
	@echo "  LD  $@"
	@$(CC) -shared -Wl,-soname,$(soname) $(ALL_LDFLAGS) $(filter %.o,$^) -o $@ $(LIB_LIBS)

# COV=1: what ends without atexit writes its counts.
counted := $(if $(COV),$(BUILD)/tests/counted.o)
program_sources := $(cli_sources) $(audit_sources) $(outside_sources) $(scene_sources) $(generator_sources) $(replay_sources)
# The program whose calls are made to fail: who called is known by its shared library.
failing_program := $(BUILD)/campaign/impact
$(program) $(failing_program): $(call object,$(program_sources)) $(counted) $(library) $(BUILD)/sources
	@mkdir -p $(@D)
	@echo "  LD  $@"
	@$(CC) $(ALL_LDFLAGS) $(filter-out %/sources,$^) -o $@ $(or $(if $(filter $(program),$@),$(ARCHIVES)),$(GSL_LIBS) $(LIB_LIBS))

$(call object,$(rank_sources)): FILE_FLAGS := $(MPI_FLAGS)

$(BUILD)/impact-mpi: $(call object,$(rank_sources) $(filter-out cli/main.c,$(program_sources))) $(counted) $(library) $(BUILD)/sources
	@echo "  LD  $@"
	@$(CC) $(ALL_LDFLAGS) $(filter-out %/sources,$^) -o $@ $(MPI_LIBS) $(GSL_LIBS) $(LIB_LIBS)

# The rooms are put into an archive, so that a program takes from them only what it uses.
$(BUILD)/librooms.a: $(rooms) $(BUILD)/sources
	@rm -f $@
	@echo "  AR  $@"
	@ar rcs $@ $(filter %.o,$^)

# MSAN=1: what libraries without its marks write is marked by tests/msan.c, which stands before their functions.
msan_marks := $(if $(MSAN),$(BUILD)/tests/msan.o)
msan_wraps := $(if $(MSAN),$(shell sed -n 's/^PASSES.[^,]*, \([a-zA-Z][a-zA-Z0-9_]*\),.*/-Wl,--wrap=\1/p' tests/msan.c))
$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(msan_marks) $(counted) $(BUILD)/librooms.a $(library)
	@echo "  LD  $@"
	@$(CC) $(ALL_LDFLAGS) $(msan_wraps) $^ -o $@ $(GSL_LIBS) $(LIB_LIBS)

$(BUILD)/benchmarks/%: $(BUILD)/benchmarks/%.o $(BUILD)/librooms.a $(library)
	@echo "  LD  $@"
	@$(CC) $(ALL_LDFLAGS) $^ -o $@ $(GSL_LIBS) $(LIB_LIBS) $(SICONOS_LIBS)

# The allocator that fails on demand, in front of that of the programs which the campaign runs.
failing := $(BUILD)/campaign/failing.so
$(failing): tests/failing.c tests/failing.h
	@mkdir -p $(@D)
	@echo "  LD  $@"
	@$(CC) $(CPPFLAGS) -std=c11 -O2 $(WARNINGS) -fPIC -shared -DFAILING_PRELOADED $< -o $@

$(BUILD)/tests/test_memory $(BUILD)/tests/test_scene_memory: $(BUILD)/tests/failing.o

# Rational arithmetic, for the inquiry that counts with it: left out where it is not installed.
GMP := $(shell pkg-config --libs gmp 2>/dev/null)
# LeakSanitizer, preloaded behind it: gcc's, whichever compiler builds.
LEAK_FINDER := $(wildcard $(shell gcc -print-file-name=liblsan.so 2>/dev/null))
$(BUILD)/campaign/commands.o: FILE_FLAGS := $(if $(LEAK_FINDER),-DLEAK_FINDER='"$(LEAK_FINDER)"')
$(BUILD)/campaign/inquiries.o: FILE_FLAGS := $(if $(GMP),-DHAVE_GMP)
# The code that each inquiry runs, by the objects that it reaches.
asking := $(call object,$(filter-out $(if $(GMP),,campaign/counts.c) campaign/inquiries.c campaign/campaign.c,$(wildcard campaign/*.c)))
$(BUILD)/campaign/code.c: $(BUILD)/campaign/inquiries.o $(asking) $(rooms) $(failing_program) $(failing) campaign/code.pl
	@perl campaign/code.pl $(BUILD)/campaign/inquiries.o $(asking) $(rooms) $(call object,$(library_sources)) \
	  --program $(failing) $(call object,$(program_sources) $(library_sources)) >$@.part && mv $@.part $@
$(BUILD)/campaign/code.o: $(BUILD)/campaign/code.c
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@
$(campaign): $(BUILD)/campaign/campaign.o $(BUILD)/campaign/inquiries.o $(asking) $(BUILD)/campaign/code.o $(BUILD)/librooms.a $(library) | \
  $(failing) $(failing_program)
	@echo "  LD  $@"
	@$(CC) $(ALL_LDFLAGS) $^ -o $@ $(GSL_LIBS) $(GMP) $(LIB_LIBS)

# What compares answers between compilers needs the generators alone.
$(BUILD)/benchmarks/answers: $(BUILD)/benchmarks/answers.o $(call object,benchmarks/harness/usage.c $(generator_sources)) $(library)
	@echo "  LD  $@"
	@$(CC) $(ALL_LDFLAGS) $^ -o $@ $(LIB_LIBS)

$(BUILD)/reference/%: $(BUILD)/reference/%.o $(BUILD)/librooms.a $(library)
	@echo "  LD  $@"
	@$(CC) $(ALL_LDFLAGS) $^ -o $@ $(GSL_LIBS) $(LIB_LIBS)

# Tests run with the warnings as errors; each gets CC, BUILD and LIBS in its environment. --directives shows what is
# skipped.
run-tests: export LIBS = $(GSL_LIBS) $(LIB_LIBS)
TESTS ?=
LONG ?= $(TESTS)$(COV)$(MCDC)
# MSAN=1: the C tests. Programs that call HDF5 or GSL, which hand memory of their own about, see their stacks only.
# What stands around the program: pages, packages, examples, the tests' and the campaign's own tools, faults that the campaign
# plants at length. The long form has it.
around := $(patsubst %,tests/test_%.sh,campaign campaign_code ci_example conditions contributing coverage docs dump_header formats install make \
  manual mutate no_memory open_questions outside_benches package page tap)
all_tests := $(test_sources) $(if $(MSAN)$(MCDC),,$(filter-out $(if $(LONG),,$(around)),$(test_scripts)))
chosen := $(if $(TESTS),$(foreach t,$(all_tests),$(if $(findstring $(TESTS),$(notdir $(t))),$(t))),$(all_tests))
# The longest first, so that no core waits for one of them at the end.
longest := $(patsubst %,tests/test_%,campaign.sh docs.sh outside.sh audit_command.sh no_memory.sh install.sh manual.sh sweep.sh python.sh plugin.sh \
  apart.c cli.sh ranks.sh compare.sh gate.sh report.sh fclib.sh outside_benches.sh dump_header.sh page.sh ci_example.sh matrix.c)
in_order := $(filter $(chosen),$(longest)) $(filter-out $(longest),$(chosen))
selected := $(in_order:tests/%.c=$(BUILD)/tests/%)

check:
	@$(MAKE) --no-print-directory WERROR=1 run-tests

# What scripts run beside the programs of `all`; without TESTS every benchmark is built, since warnings are errors here.
tests/test_campaign.sh: $(campaign)
tests/test_no_memory.sh: $(failing) $(failing_program)
tests/test_contributing.sh: $(addprefix $(BUILD)/,benchmarks/report benchmarks/answers benchmarks/gate tests/test_laws)
tests/test_fclib.sh: $(BUILD)/benchmarks/fclib
tests/test_gate.sh: $(BUILD)/benchmarks/gate
tests/test_machines.sh: $(BUILD)/benchmarks/answers
tests/test_outside_benches.sh tests/test_docs.sh: $(addprefix $(BUILD)/,benchmarks/fclib benchmarks/bench_matrix tests/test_laws)
tests/test_open_questions.sh tests/test_page.sh: $(BUILD)/benchmarks/report
tests/test_peers.sh: $(BUILD)/librooms.a
tests/test_report.sh: $(BUILD)/benchmarks/report
tests/test_usage.sh: $(bench_programs) $(BUILD)/peers/impact $(wildcard $(BUILD)/peers/*)

built: $(if $(MSAN),,all $(if $(TESTS)$(MCDC),,$(bench_programs))) $(selected)
run-tests: built
	@if [ -z "$(strip $(selected))" ]; then echo "no test matches TESTS=$(TESTS)" >&2; exit 2; fi
	@$(if $(COV),find $(BUILD) -name '*.gcda' -delete)$(if $(MCDC),rm -rf $(BUILD)/profiles)
	@CC="$(CC)" BUILD="$(BUILD)" SAN="$(SAN)" COV="$(COV)" LONG="$(LONG)" PYTHON="$(PYTHON)" \
	  $(if $(COV),GCOV_ERROR_FILE=/dev/null) $(if $(MCDC),LLVM_PROFILE_FILE=$(BUILD)/profiles/%m.profraw) OMP_WAIT_POLICY=passive \
	  LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leaks.supp:print_suppressions=0 \
	  prove -j$$(($$(nproc) + 1)) --directives -e '$(if $(MSAN),tests/msan.sh)' $(selected)

# Without optimisation, so that each condition of the source has its branches; gcov is that of gcc.
covered_rooms = $(library_rooms) scene compliant audit outside cli generators replay ranks
coverage:
	@$(MAKE) --no-print-directory CC=gcc COV=1 WERROR=1 run-tests
	@perl tests/coverage.pl $(COVERED) build-cov $(covered_rooms)

# Clang 18 and newer count conditions; the C tests reach all of these rooms.
CONDITIONS_CC ?= clang-19
conditions:
	@$(MAKE) --no-print-directory CC=$(CONDITIONS_CC) MCDC=1 run-tests
	@CC=$(CONDITIONS_CC) perl tests/conditions.pl build-clang-mcdc lib/single lib/contact

# One build by gcc, one by clang; of the second the short form takes the answers alone.
kernel_programs = $(BUILD)/benchmarks/answers $(if $(FAST),,$(program) $(BUILD)/benchmarks/report) \
  $(if $(and $(FAST),$(findstring clang,$(BUILD))),,$(test_programs))
check-kernels:
	@$(MAKE) --no-print-directory CC=gcc WERROR=1 kernel-programs
	@$(MAKE) --no-print-directory CC=clang WERROR=1 kernel-programs
	@FAST=$(FAST) prove -v -e sh tests/kernels.sh :: build build-clang

kernel-programs: $(kernel_programs)

platforms:
	@$(MAKE) --no-print-directory CC=gcc BUILD=build build/benchmarks/answers build/impact >/dev/null
	@ONLY='$(ONLY)' COUNT='$(COUNT)' sh tests/platforms.sh

sysroots:
	@for a in arm64 s390x armhf; do echo "build-platforms/sysroot/$$a"; sh tests/sysroot.sh $$a build-platforms/sysroot/$$a || exit 1; done

# Goes on from build/campaign/log.tsv, which begins with what the record holds.
HOURS ?= 1
campaign: $(campaign)
	@[ -e $(BUILD)/campaign/log.tsv ] || cp campaign/record.tsv $(BUILD)/campaign/log.tsv
	@$(campaign) --hours $(HOURS) --seed $(or $(SEED),0) --log $(BUILD)/campaign/log.tsv --found $(BUILD)/campaign/found

campaign-record: $(campaign)
	@[ -e $(BUILD)/campaign/log.tsv ] || { echo "make campaign-record: no campaign has begun here" >&2; exit 2; }
	@head -c "$$(wc -c <campaign/record.tsv)" $(BUILD)/campaign/log.tsv | cmp -s - campaign/record.tsv || { echo \
	  "make campaign-record: $(BUILD)/campaign/log.tsv does not go on from campaign/record.tsv, which has other lots" >&2; exit 2; }
	@$(campaign) --compact --log $(BUILD)/campaign/log.tsv >$(BUILD)/campaign/record.part
	@cp $(BUILD)/campaign/record.part $(BUILD)/campaign/log.tsv && mv $(BUILD)/campaign/record.part campaign/record.tsv

# The rooms with readers alone, not all of librooms.a.
$(BUILD)/fuzz/fuzz: $(call object,$(filter-out fuzz/planted.c,$(wildcard fuzz/*.c)) cli/kept.c \
  $(scene_sources) $(outside_sources) $(replay_sources) $(generator_sources)) $(library)
	@echo "  LD  $@"
	@$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer $^ -o $@ $(GSL_LIBS) $(LIB_LIBS)

SECONDS ?= 30
fuzz-test: $(program)
	@BUILD=$(BUILD) prove -e sh fuzz/test.sh

fuzz: $(program)
	@$(MAKE) --no-print-directory CC=clang FUZZ=1 build-clang-fuzz/fuzz/fuzz
	@fuzz/run.sh build-clang-fuzz/fuzz/fuzz $(program) $(SECONDS) $(BUILD)/fuzzed $(READERS)

fuzz-corpus:
	@fuzz/corpus.sh build-clang-fuzz/fuzz/fuzz $(BUILD)/fuzzed $(READERS)

# The page is one file that loads anywhere: 3 MB at most.
report: all $(bench_programs)
	@IMPACT_BENCH_COMMIT="$$(git describe --always --dirty 2>/dev/null)" $(BUILD)/benchmarks/report $(BUILD)/report
	@n=$$(wc -c < $(BUILD)/report/index.html); [ $$n -le 3000000 ] || \
	  { echo "make report: index.html has $$n bytes, at most 3000000 are wanted" >&2; exit 1; }

# Tables on the terminal, the same rows as JSON beside the programs.
bench: all $(bench_programs)
	@rm -f $(BUILD)/bench.json
	@for p in $(filter $(BUILD)/benchmarks/bench_%,$(bench_programs)); do \
	  IMPACT_BENCH_JSON=$(BUILD)/bench.json IMPACT_BENCH_FLAGS="$(strip $(OPTIMISE) $(CFLAGS) $(FLOATING) $(OPENMP))" \
	  IMPACT_BENCH_COMMIT="$$(git describe --always --dirty 2>/dev/null)" OMP_WAIT_POLICY=passive $$p || exit 1; done
	@$(if $(PYTHON),echo; IMPACT_LIBRARY=$(shared) PYTHONPATH=python $(PYTHON) python/bench_batch.py)
	@echo; echo "$(BUILD)/bench.json"

docs:
	@sh docs/site/make.sh $(BUILD)/docs $(VERSION) $(sort $(library_headers))

man:
	@sh docs/site/man.sh $(BUILD)/man $(sort $(library_headers))

# The package beside the library that it binds, stripped, under the name that _library.py looks for. Nothing is fetched:
# Debian has the tools as python3-setuptools and python3-wheel.
wheel: $(shared)
	@rm -rf "$(WHEEL)" && mkdir -p "$(WHEEL)/source/impact"
	@cp python/setup.py python/README.md LICENSE "$(WHEEL)/source"
	@cp python/impact/*.py "$(WHEEL)/source/impact"
	@install -m 644 -s $(shared) "$(WHEEL)/source/impact/$(soname)"
	@cd "$(WHEEL)/source" && $(or $(PYTHON),python3) setup.py -q bdist_wheel -d ..
	@rm -rf "$(WHEEL)/source" && ls "$(WHEEL)"/*.whl

# Peers: each a program of its own, built where its library is found. Nothing is installed here; what is missing is said.
# (siconos' solvers of many contacts stand beside ours in build/benchmarks/fclib.)
PEERS := siconos simbody ode bullet mujoco liggghts
siconos_needs := libsiconos-numerics-dev fc3d_Solvers.h $(filter-out -D%,$(SICONOS_FLAGS)) -lsiconos_numerics
simbody_needs := libsimbody-dev Simbody.h -isystem /usr/include/simbody -lSimTKsimbody -lSimTKmath -lSimTKcommon
ode_needs := libode-dev ode/ode.h -lode
bullet_needs := libbullet-dev btBulletDynamicsCommon.h -isystem /usr/include/bullet -lBulletDynamics -lBulletCollision -lLinearMath
mujoco_needs := libmujoco-dev mujoco/mujoco.h -lmujoco
liggghts_needs := liggghts
# The flags of a peer (what follows its package and its header), and whether its header and its library are there; or,
# of one without a header, the program that it is.
peer_flags = $(wordlist 3,99,$($(1)_needs))
peer_found = $(if $(word 2,$($(1)_needs)),$(call peer_builds,$(1)),$(shell command -v $(1) >/dev/null 2>&1 && echo $(1)))
peer_builds = $(shell echo '#include <$(word 2,$($(1)_needs))>' | $(CXX) -w $(filter-out -l%,$(call peer_flags,$(1))) \
  -x c++ -fsyntax-only - 2>/dev/null && echo 'int main() { return 0; }' | \
  $(CXX) -x c++ - $(filter -l%,$(call peer_flags,$(1))) -o /dev/null 2>/dev/null && echo $(1))
engines := benchmarks/peers/engines
$(foreach p,$(PEERS),$(eval $(BUILD)/$(engines)/$(p).o: FILE_FLAGS = $(filter-out -l%,$(call peer_flags,$(p)))))

$(BUILD)/%.o: %.cpp $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  CXX $<"
	@$(CXX) $(CPPFLAGS) -std=c++17 $(OPTIMISE) $(CFLAGS) $(FLOATING) -Wall -Wextra -Wpedantic -Wshadow -Werror $(FILE_FLAGS) \
	  -MMD -MP -c $< -o $@

# Engines that take scenes are linked with those who put them; with steps.o, which dumps their steps.
$(addprefix $(BUILD)/peers/,impact ode bullet mujoco): $(addprefix $(BUILD)/$(engines)/,trial.o trial_run.o argued.o scenes.o)
STEPPED := ode bullet mujoco
$(addprefix $(BUILD)/peers/steps-,$(STEPPED)): $(BUILD)/peers/steps-%: $(BUILD)/$(engines)/%.o $(BUILD)/$(engines)/steps.o \
  $(BUILD)/$(engines)/scenes.o $(BUILD)/librooms.a $(library)
	@mkdir -p $(@D)
	@echo "  LD  $@"
	@$(CXX) $(ALL_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -o $@ $(filter -l%,$(call peer_flags,$*)) $(GSL_LIBS) $(LIB_LIBS)
$(BUILD)/peers/%: $(BUILD)/$(engines)/%.o $(BUILD)/librooms.a $(library)
	@mkdir -p $(@D)
	@echo "  LD  $@"
	@$(CXX) $(ALL_LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -o $@ $(filter -l%,$(call peer_flags,$*)) $(GSL_LIBS) $(LIB_LIBS)

bench-peers: all
	@$(MAKE) --no-print-directory WERROR=1 run-peers FOUND="impact $(foreach p,$(PEERS),$(call peer_found,$(p)))"

# DOCS=--write puts the tables into their page, between its markers.
run-peers: $(addprefix $(BUILD)/peers/,$(FOUND))
	@rm -f $(BUILD)/peers.tsv
	@for p in $(FOUND); do $(BUILD)/peers/$$p 2>/dev/null >>$(BUILD)/peers.tsv || \
	  { echo "$$p: ended by an error" >&2; exit 1; }; done
	@{ echo "One core, $$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $$($(CC) --version | head -1);" \
	  $(if $(filter $(FOUND),$(PEERS)),"$$(dpkg-query -W -f '$${Package} $${Version} ' $(foreach \
	  p,$(filter $(FOUND),$(PEERS)),$(word 1,$($(p)_needs))) 2>/dev/null)"); \
	  echo; awk -f benchmarks/peers/table.awk $(BUILD)/peers.tsv && sh benchmarks/peers/profile.sh $(program) || exit; $(if $(filter-out $(FOUND),$(PEERS)), \
	  echo; echo "Not installed: $(filter-out $(FOUND),$(PEERS)).";) } >$(BUILD)/peers.md
	@cat $(BUILD)/peers.md
	@$(foreach p,$(filter-out $(FOUND),$(PEERS)),echo "$(p): not found, Debian has it as $(word 1,$($(p)_needs))";)
	@$(if $(DOCS),sed -i -e '/<!-- peers: begin/$(comma)/<!-- peers: end/{//!d}' -e '/<!-- peers: begin/r $(BUILD)/peers.md' docs/peers.md)

# Each step of the engines that are installed, dumped by impact_dump.h and held against two laws: build/steps.md.
audit-peers: all
	@$(MAKE) --no-print-directory WERROR=1 run-steps FOUND="$(foreach p,$(STEPPED),$(call peer_found,$(p)))"

run-steps: $(addprefix $(BUILD)/peers/steps-,$(FOUND))
	@$(foreach p,$(filter-out $(FOUND),$(STEPPED)),echo "$(p): not found, Debian has it as $(word 1,$($(p)_needs))";)
	@sh benchmarks/peers/steps.sh $(program) $(BUILD)/steps $^ >$(BUILD)/steps.md
	@cat $(BUILD)/steps.md
	@$(if $(DOCS),cp $(BUILD)/steps.md docs/engines.md)

# Nothing worse than the committed baseline; `make baseline` rewrites it, and its difference is reviewed like code.
gate: $(BUILD)/benchmarks/gate
	@prove -e '' $(BUILD)/benchmarks/gate :: --json $(BUILD)/gate.json benchmarks/baseline.tsv

baseline: $(BUILD)/benchmarks/gate
	@$(BUILD)/benchmarks/gate --write benchmarks/baseline.tsv && git --no-pager diff --stat benchmarks/baseline.tsv

# The names that the shared library exports: `make check` holds them against this list.
exported: $(shared)
	@BUILD=$(BUILD) tests/test_exported.sh --write && git --no-pager diff --stat tests/exported.txt

# Mistakes planted in copies of the sources, and what finds them (tests/mutate): SEED=1 N=400 JOBS=2 ONLY=text, and
# MUTATE=... for its other options.
SEED ?= 1
N ?= 400
JOBS ?= $(shell nproc)
mutate: export LINK = $(CC) $(ALL_LDFLAGS)
mutate: export LIBS = $(GSL_LIBS) $(LIB_LIBS)
mutate: export PROGRAM_LIBS = $(SICONOS_LIBS)
mutate: export MPI_LIBS := $(MPI_LIBS)
mutate: export CC := $(CC)
mutate:
	@MAKEFLAGS= nice perl tests/mutate/mutate.pl --seed $(SEED) --count $(N) --jobs $(JOBS) --only '$(ONLY)' $(MUTATE)

oracle: $(oracle_programs)
	@for p in $(oracle_programs); do $$p $(ORACLE) || exit 1; done

# The peers' drivers, and the plugin that is one, are formatted, but not analysed: their headers may be missing.
peer_sources = $(wildcard $(engines)/*) examples/siconos_plugin.c
own_sources = $(filter-out $(peer_sources),$(shell git ls-files -co --exclude-standard '*.c' '*.h'))
format:
	clang-format -i $(own_sources) $(peer_sources)

# Says what is wrong, of all files, and nothing else. A file is analysed again when it, a header of it, the checks or the
# flags changed.
lint:
	@$(MAKE) -k -s --no-print-directory --output-sync=target $(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc)) run-lint

run-lint: lint-format lint-cppcheck lint-python $(patsubst %.c,$(BUILD)/lint/%.tidy,$(filter %.c,$(own_sources)))

lint-format:
	@clang-format --dry-run -Werror $(own_sources) $(peer_sources)
	@perl -CSD -ne 'chomp; if (length > 100) { print "$$ARGV:$$.: more than 100 columns\n"; $$bad = 1 }' \
	  -e 'close ARGV if eof; END { exit $$bad }' $(own_sources) $(peer_sources) $(filter python/%,$(python_sources))

lint-cppcheck:
	@mkdir -p $(BUILD)/lint/cppcheck
	@cppcheck --cppcheck-build-dir=$(BUILD)/lint/cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr \
	  --suppressions-list=.cppcheck -Ilib -I. $(filter %.c,$(own_sources))

# Python is looked at where pyflakes is found.
python_sources = $(shell git ls-files -co --exclude-standard '*.py' 2>/dev/null)
lint-python:
	@$(if $(and $(shell command -v pyflakes3),$(python_sources)),pyflakes3 $(python_sources))

$(BUILD)/lint/%.tidy: %.c .clang-tidy $(BUILD)/flags
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- -std=c11 $(CPPFLAGS) $(MPI_FLAGS) > $@.said 2>&1 || { cat $@.said; exit 1; }
	@$(CC) -std=c11 $(CPPFLAGS) $(MPI_FLAGS) -MM -MP -MT $@ -MF $(@:.tidy=.d) $< && mv $@.said $@

measures:
	@perl tests/measures.pl $(library_rooms) scene compliant audit outside cli generators replay benchmarks fuzz tests

# The command of each source, as `make` would run it.
COMPDB ?= compile_commands.json
compdb:
	@$(MAKE) -n --no-print-directory $(patsubst %.c,$(BUILD)/%.o,$(filter %.c,$(own_sources))) | \
	  sed -n 's/[\"]/\\&/g; s|^.* -c \([^ ]*\) -o [^ ]*$$|{"directory": "$(CURDIR)", "file": "\1", "command": "&"}|p' | \
	  sed '1s/^/[/; $$!s/$$/,/; $$s/$$/]/' > $(COMPDB)

# The prefix is written into impact.pc, which is read from any folder and splits its flags at blanks.
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
ifneq ($(or $(PREFIX),none),$(firstword $(filter /%,$(PREFIX))))
$(error PREFIX is "$(PREFIX)", expected an absolute path without blanks)
endif
endif
# The @WORDS@ of a template of lib/package are filled in.
root = $(DESTDIR)$(PREFIX)
completions := share/bash-completion/completions/impact share/zsh/site-functions/_impact \
               share/fish/vendor_completions.d/impact.fish
# from the folder of libraries back to the prefix
up = $(subst $() ,/,$(foreach d,$(subst /, ,$(LIBDIR)),..))
fill = sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@UP@|$(up)|; s|@VERSION@|$(VERSION)|; s|@SONAME@|$(soname)|' \
  -e 's|@STATIC_LIBS@|$(strip $(STATIC_LIBS))|; s|@STATIC_LIBS_LIST@|$(subst $() ,;,$(strip $(STATIC_LIBS)))|'
install: all man
	install -d "$(root)/bin" "$(root)/$(LIBDIR)/pkgconfig" "$(root)/$(LIBDIR)/cmake/impact" $(foreach s,1 3 5 7,"$(root)/share/man/man$(s)")
	install -m 755 $(program) "$(root)/bin/impact"
	$(if $(MPI),install -m 755 $(rank_program) "$(root)/bin/impact-mpi")
	install -m 644 $(library) "$(root)/$(LIBDIR)/libimpact.a"
	install -m 755 $(shared) "$(root)/$(LIBDIR)/libimpact.so.$(VERSION)"
	ln -sf libimpact.so.$(VERSION) "$(root)/$(LIBDIR)/$(soname)"
	ln -sf libimpact.so.$(VERSION) "$(root)/$(LIBDIR)/libimpact.so"
	for h in $(library_headers:lib/%=%); do install -D -m 644 lib/$$h "$(root)/include/impact/$$h" || exit 1; done
	for f in cli/impact.1 cli/impact-laws.7 $(BUILD)/man/*; do install -m 644 $$f "$(root)/share/man/man$${f##*.}" || exit 1; done
	install -d $(foreach f,$(completions),"$(root)/$(dir $(f))")
	umask 022; for f in $(completions); do \
	  case $$f in *bash*) s=bash ;; *zsh*) s=zsh ;; *) s=fish ;; esac; \
	  $(program) completion $$s > "$(root)/$$f" || exit 1; done
	umask 022; $(fill) lib/package/impact.pc.in > "$(root)/$(LIBDIR)/pkgconfig/impact.pc"
	umask 022; for f in impactConfig.cmake impactConfigVersion.cmake; do \
	  $(fill) lib/package/$$f.in > "$(root)/$(LIBDIR)/cmake/impact/$$f" || exit 1; done

# What install put, and of the folders those that are impact's own, once they are empty.
uninstall: man
	for f in cli/impact.1 cli/impact-laws.7 $(BUILD)/man/* impact-scene.5 impact-flow.5; do \
	  rm -f "$(root)/share/man/man$${f##*.}/$${f##*/}"; done
	cd "$(root)" && rm -f bin/impact bin/impact-mpi $(addprefix $(LIBDIR)/,libimpact.a libimpact.so $(soname) libimpact.so.$(VERSION) \
	  pkgconfig/impact.pc cmake/impact/impactConfig.cmake cmake/impact/impactConfigVersion.cmake) \
	  $(completions) $(library_headers:lib/%=include/impact/%)
	for d in include/impact $(LIBDIR)/cmake/impact; do [ ! -d "$(root)/$$d" ] || find "$(root)/$$d" -depth -type d -empty -delete; done

# The sources of the commit that is checked out: what is not committed is not in it. Whoever makes it, wherever: the
# settings of theirs that git would follow are set here.
tarball = $(BUILD)/impact-$(VERSION).tar.gz
dist:
	@mkdir -p $(BUILD)
	@git -c tar.umask=0022 -c core.autocrlf=false archive --format=tar --prefix=impact-$(VERSION)/ -o $(tarball:.gz=) HEAD
	@gzip -9nf $(tarball:.gz=) && echo $(tarball)

deb: dist
	@for t in dpkg-buildpackage dh; do command -v $$t >/dev/null || { \
	  echo "make deb: no $$t: Debian has it as $$([ $$t = dh ] && echo debhelper || echo dpkg-dev)" >&2; exit 1; }; done
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb && tar -C $(BUILD)/deb -xzf $(tarball)
	@cd $(BUILD)/deb/impact-$(VERSION) && MAKEFLAGS= dpkg-buildpackage -us -uc $(DEBFLAGS)
	@ls $(BUILD)/deb/*.deb

deb-check: deb
	@prove -v -e sh tests/deb.sh :: $(BUILD)/deb

clean:
	rm -rf build build-clang build-san build-clang-san build-clang-msan build-clang-fuzz build-cov build-clang-cov build-clang-mcdc build-fpe build-platforms

.PHONY: all help deps info check coverage conditions check-kernels platforms sysroots campaign campaign-record fuzz fuzz-test fuzz-corpus mutate docs man wheel report bench bench-peers audit-peers gate baseline exported oracle \
  format lint measures compdb dist deb deb-check install uninstall clean
.PHONY: kernel-programs built run-tests run-peers run-steps run-lint lint-format lint-cppcheck lint-python always
.PRECIOUS: $(BUILD)/%.o
-include $(shell find $(BUILD) -path $(BUILD)/deb -prune -o -name '*.d' -type f -print 2>/dev/null)
