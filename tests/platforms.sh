#!/bin/sh
# The same verdicts and bits by every compiler, at every level, on other processors: `make platforms`.
#
# Per platform: the library and `answers` are built in build-platforms/NAME, its answers are held against those of the
# default build (docs/machines.md: the same bits, or digits; the same status always), and C tests of one room are run.
# Prints a row of a Markdown table for each, and a line where a compiler, an emulator or a sysroot (`make sysroots`) is
# missing. The last build is made to contract products and sums: it must be told from the others.
# ONLY=text: the platforms with it in their name. COUNT: answers. Exit 1: some promise does not hold.
only=${ONLY:-} count=${COUNT:-400} top=build-platforms broken=0
tests='vec3 length exponential frame friction_cone io_number coulomb_edges coulomb_model maxdiss maxdiss_scales slip_curve darboux_slip
  batch dense operator lemke cof quasi_definite delassus problem law law_many model optional convex anitescu plus lzb
  sequential sequential_law moreau springs_law blocks_auto
  io_columns io_files io_forms io_json io_refusals fclib fclib_bilateral granular_checkpoint vtk'
mkdir -p "$top"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

build() {
    folder=$1
    shift
    make --no-print-directory BUILD="$folder" MPI= SICONOS= CFLAGS= oracle_sources= scene_sources= audit_sources= outside_sources= \
        harness_sources='benchmarks/harness/usage.c benchmarks/harness/packing.c' "$@" >"$folder.said" 2>&1
}

# row NAME WHAT COMPILER TESTS STATUS: the row of what `answers --against` printed in $top/NAME.answers before it ended
# with the status, and of what the tests said
row() {
    awk -v name="$2" -v compiler="$3" -v tests="$4" -v status="$5" '
        $NF == "holds" || $NF == "BROKEN" {
            lines++; statuses += $(NF - 4)
            if ($(NF - 5) > 0 && $(NF - 1) != "bits" && !($1 in digits)) { digits[$1]; other = other ", `" $1 "`" }
            if ($NF == "BROKEN" && !($1 in bad)) { bad[$1]; lost = lost ", `" $1 "`" }
            models[$1]
        }
        END {
            for (m in models) total++
            for (m in digits) loose++
            for (m in bad) if (!(m in digits)) loose++
            printf "| %s | %s | %s | %d of %d models%s | %s | %s |\n", name, compiler,
                statuses ? statuses " differ" : lines ? "the same" : "none",
                total - loose, total, other ? "; digits: " substr(other, 3) : "",
                lost ? "BROKEN: " substr(lost, 3) : status ? "BROKEN: exit " status : "holds", tests
        }' "$top/$1.answers"
}

# platform NAME WHAT COMPILER RUNNER [VARIABLE=VALUE]...: the variables go to make
platform() {
    name=$1 what=$2 compiler=$3 runner=$4
    shift 4
    case $name in *"$only"*) ;; *) return ;; esac
    if ! command -v "${compiler%% *}" >/dev/null; then
        echo "| $what | skipped: no ${compiler%% *} | | | | |"
        return
    fi
    made=$((made + 1))
    mkdir -p "$top/$name"
    version="$(LC_ALL=C ${compiler%% *} -dumpfullversion -dumpversion)"
    # shellcheck disable=SC2046
    if ! build "$top/$name" CC="$compiler" "$@" -j"$(nproc)" "$top/$name/benchmarks/answers" \
        $(printf "$top/$name/tests/test_%s " $tests); then
        echo "| $what | ${compiler%% *} $version | does not build: $top/$name.said | | BROKEN | |"
        broken=1
        return
    fi
    # shellcheck disable=SC2086
    timeout 7200 $runner "$top/$name/benchmarks/answers" --count "$count" --against "$top/kept" >"$top/$name.answers"
    status=$?
    [ $status = 0 ] || broken=1
    # shellcheck disable=SC2046
    if timeout 7200 prove -Q -e "$runner" $(printf "$top/$name/tests/test_%s " $tests) >"$top/$name.tests" 2>&1; then
        passed="$(sed -n 's/^Files=\([0-9]*\), Tests=\([0-9]*\).*/\1 files, \2/p' "$top/$name.tests")"
    else
        passed="FAILED: $top/$name.tests" broken=1
    fi
    row "$name" "$what" "${compiler%% *} $version" "$passed" "$status"
}

# foreign NAME WHAT TRIPLET EMULATOR [VARIABLE=VALUE]...
foreign() {
    name=$1 what=$2 triplet=$3 emulator=$4 root=$PWD/$top/sysroot/$1
    shift 4
    if ! command -v "$emulator" >/dev/null || [ ! -d "$root" ]; then
        case $name in *"$only"*) echo "| $what | skipped: no $emulator, or no $top/sysroot/$name | | | | |" ;; esac
        return
    fi
    PKG_CONFIG_LIBDIR=$root/usr/lib/$triplet/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
    export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
    platform "$name" "$what" "$triplet-gcc --sysroot=$root" "$emulator -L $root" "$@"
    unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
}

made=0
build/benchmarks/answers --count "$count" --write "$top/kept" >"$top/kept.table" || exit 2
echo "| platform | compiler | statuses | same bits | promise | C tests |"
echo "|---|---|---|---|---|---|"
for compiler in gcc-11 gcc-12 clang-13 clang-14 clang-15 clang-16 clang-19 clang-22; do
    platform "$compiler" 'x86-64, `-O3`' "$compiler" ''
done
for level in -O0 -O1 -O2; do platform "gcc$level" "x86-64, \`$level\`" gcc '' OPTIMISE="$level"; done
platform gcc-lto 'x86-64, `-O3 -flto`' gcc '' OPTIMISE='-O3 -flto' LDFLAGS=-O3\ -flto=auto
platform gcc-native 'x86-64, `-O3 -march=native`' gcc '' OPTIMISE='-O3 -march=native'
platform gcc-no-avx 'x86-64, `-O3 -mno-avx`, no kernels for AVX' gcc '' OPTIMISE='-O3 -mno-avx' ISA=
foreign arm64 'aarch64 (`char` unsigned, fused multiply-add)' aarch64-linux-gnu qemu-aarch64-static
foreign s390x 's390x (big-endian)' s390x-linux-gnu qemu-s390x-static
foreign armhf 'armv7, hard floats (32 bits)' arm-linux-gnueabihf qemu-arm-static

# The mistake that must be seen; this CPU needs fused multiply-add for it.
case planted in *"$only"*)
    made=$((made + 1))
    if ! grep -qw fma /proc/cpuinfo; then
        echo "planted: skipped, this CPU has no fused multiply-add"
    elif build "$top/planted" CC=gcc OPTIMISE='-O3 -march=native' -j"$(nproc)" "$top/planted/benchmarks/answers" \
        FLOATING='-ffp-contract=fast -fno-math-errno -fno-trapping-math' &&
        { "$top/planted/benchmarks/answers" --count "$count" --against "$top/kept" >"$top/planted.answers"; [ $? = 1 ]; } &&
        grep -q 'BROKEN$' "$top/planted.answers"; then
        echo "planted: contracted products and sums break $(grep -c BROKEN "$top/planted.answers") promises of" \
            "$(grep -cE 'BROKEN$|holds$' "$top/planted.answers"), as they should"
    else
        echo "planted: contracted products and sums are NOT seen, or do not build: $top/planted.said"
        broken=1
    fi ;;
esac
[ $made -gt 0 ] || { echo "platforms: ONLY=$only: no such platform here" >&2 && exit 2; }
exit "$broken"
