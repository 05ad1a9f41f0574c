#!/bin/sh
# The same verdicts whatever kernels the machine's libraries pick: `make check-kernels`, FAST=1 for the short form.
#
# Runs the answers of all models (benchmarks/answers, against those of the first build as it is), the C tests and the
# report under every kernel of OpenBLAS that this CPU can run, and with libm's variants for FMA and AVX2 off; then those
# of the other builds. Arguments: the folders of the builds. FAST: fewer answers, the tests of what calls BLAS or libm,
# no report.
first=$1
. "$(dirname "$0")/check.sh"
answers=2000
names='convex* anitescu lemke cof dense plus* darboux* blocks blocks_forms step joint_friction quasi_definite law*'
[ -n "$FAST" ] || { answers=20000 names='*'; }
export OMP_WAIT_POLICY=passive

# programs BUILD: the tests to run
programs() {
    folder=$1
    set -f # the names' stars are of the build, not of this folder
    set -- $names
    set +f
    for name in "$@"; do
        for program in "$folder"/tests/test_$name; do
            [ -x "$program" ] && case $program in *.[od]) ;; *) echo "$program" ;; esac
        done
    done | sort -u
}

# trial NAME BUILD [VARIABLE=VALUE]: all under one setting
trial() {
    setting=$1 build=$2
    shift 2
    check "$setting: answers as promised" env "$@" "$build/benchmarks/answers" --count $answers --against "$work/answers"
    # shellcheck disable=SC2046
    check "$setting: tests" env "$@" BUILD="$build" prove -Q -j"$(nproc)" -e '' $(programs "$build")
    [ -n "$FAST" ] || check "$setting: report" env "$@" "$build/benchmarks/report" "$work/report"
}

cpu_has() {
    for flag in "$@"; do grep -qw "$flag" /proc/cpuinfo || return 1; done
}

# kernel NAME FLAG...: where the CPU has the flags and the BLAS does as it is told
kernel() {
    name=$1
    shift
    if ! cpu_has "$@"; then
        echo "ok $((count += 1)) - OpenBLAS $name # SKIP this CPU lacks $*"
    elif ! OPENBLAS_VERBOSE=2 OPENBLAS_CORETYPE=$name "$first/benchmarks/answers" --count 1 2>&1 >/dev/null | grep -q "$name"
    then
        echo "ok $((count += 1)) - OpenBLAS $name # SKIP this BLAS has no such kernels"
    else
        trial "OpenBLAS $name" "$first" OPENBLAS_CORETYPE="$name"
    fi
}

check 'answers of this machine as it is' "$first/benchmarks/answers" --count $answers --write "$work/answers"
kernel Prescott sse2
kernel Haswell avx2 fma
kernel Zen avx2 fma
kernel SkylakeX avx512f
kernel Cooperlake avx512_bf16
libm=GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable,-FMA4_Usable
trial 'libm without FMA and AVX2' "$first" "$libm"
shift
for build in "$@"; do
    if [ -n "$FAST" ]; then
        check "$build: answers as promised" "$build/benchmarks/answers" --count $answers --against "$work/answers"
    else
        trial "$build" "$build" LC_ALL=C
        trial "$build, libm without FMA and AVX2" "$build" "$libm"
    fi
done
echo "1..$count"
