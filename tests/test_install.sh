#!/bin/sh
# What `make install` puts down can be found by pkg-config and CMake, compiled against from C and C++, linked with the
# shared library, with the static one and with nothing shared at all, and run; `make uninstall` takes exactly that away.
cd "$(dirname "$0")/.." || exit 1
[ -z "$SAN$COV" ] || { echo '1..0 # SKIP the plain build is what gets installed'; exit; }
CC=${CC:-gcc}
case $CC in *clang*) CXX=${CXX:-clang++} ;; *) CXX=${CXX:-g++} ;; esac # one OpenMP in a static program
for tool in make pkg-config "$CXX" nm; do
    command -v "$tool" > /dev/null || { echo "1..0 # SKIP no $tool"; exit; }
done
. tests/check.sh
strict='-Wall -Wextra -Wpedantic -Werror'

# Other people's files, which stay when ours go.
others="bin/tool include/other.h lib/cmake/other/otherConfig.cmake lib/pkgconfig/other.pc share/man/man1/tool.1"
for other in $others; do mkdir -p "$work/usr/${other%/*}" && echo other > "$work/usr/$other" || exit 1; done

# refuses PREFIX: one line, and nothing is put down
refuses() {
    ! MAKEFLAGS='' make -s install CC="$CC" DESTDIR="$work/none/" PREFIX="$1" 2> "$work/said" && [ ! -e "$work/none" ] &&
        [ "$(sed 's/^[^*]*\*\*\* //' "$work/said")" = "PREFIX is \"$1\", expected an absolute path without blanks.  Stop." ]
}
for prefix in '' rel 'rel/one two' '/usr/one two' '/usr /opt' '/usr '; do check "PREFIX='$prefix' is refused" refuses "$prefix"; done
private() (umask 077 && "$@")
check 'make install, by somebody whose files nobody else may read' private make -s install CC="$CC" DESTDIR="$work" PREFIX=/usr
check 'puts down what everybody may' test -z "$(find "$work/usr/" ! -type l ! -perm -044 ! -path '*other*' ! -name 'tool*')"
export PKG_CONFIG_PATH="$work/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work" PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export LD_LIBRARY_PATH="$work/usr/lib"
flags=$(pkg-config --cflags impact)
shared=$(pkg-config --libs impact)
static=$(pkg-config --static --libs impact | sed "s/-limpact/-l:libimpact.a/; s|-L$work\(/usr/lib/[^ ]\)|-L\1|g")

cat > "$work/use.c" <<'END'
#include <impact.h>
#include <stdio.h>
int main(int argc, char **argv) { /* a sphere that closes at 1 m/s and slips; a file that is opened */
    const double W[6] = {1, 0, 0, 3.5, 0, 3.5}, q[3] = {-1, -5, 3};
    double p[3] = {0, 0, 0};
    const imp_status status = imp_maxdiss(W, q, 0.3, 0, p, NULL);
    imp_problem_file *file = NULL;
    imp_error error;
    const imp_status opened = imp_problem_file_open(argv[argc - 1], &file, &error);
    printf("%s %s %g %s\n", imp_version(), imp_status_text(status), p[0], imp_status_text(opened));
    imp_problem_file_close(file);
    return imp_model_find("maxdiss") == NULL;
}
END
cp "$work/use.c" "$work/use.cpp"
echo 'int nothing;' > "$work/nothing.c"
fclib=reference/data/fclib/BoxesStack-fclib-test_local.hdf5
version=$(pkg-config --modversion impact)
for way in shared static; do
    eval "libs=\$$way"
    check "C, $way" "$CC" -std=c11 $strict $flags "$work/use.c" -o "$work/c-$way" $libs
    check "C++, $way" "$CXX" -std=c++11 $strict $flags "$work/use.cpp" -o "$work/cpp-$way" $libs
    for program in c cpp; do
        check "$program, $way: runs, and has the version pkg-config says" \
            test "$("$work/$program-$way" $fclib)" = "$version ok 1 ok"
    done
done
check 'the static programs do not need libimpact.so' sh -c "! ldd '$work/c-static' | grep libimpact"

# Nothing shared: where a library has no static form, the linker cannot find it.
name='C, -static: runs'
"$CC" -static -std=c11 $strict $flags "$work/use.c" -o "$work/c-alone" $static > "$work/linked" 2>&1
missing=$(sed -n 's/.*cannot find \(-l[^:]*\).*/\1/p' "$work/linked" | sort -u | tr '\n' ' ')
if [ -n "$missing" ]; then
    echo "ok $((count += 1)) - $name # SKIP no static library for ${missing% }"
else
    check "$name" test "$("$work/c-alone" $fclib)" = "$version ok 1 ok"
    check 'and is not dynamic' sh -c "! readelf -d '$work/c-alone' | grep NEEDED"
fi

# The README's commands, below a prefix of one's own.
sed -n 's/^    \$ gcc \(.*pkg-config.*\)/\1/p' README.md > "$work/readme"
mkdir "$work/own" && ln -s "$PWD/examples" "$work/own/examples"
sed "s|^prefix=.*|prefix=$work/usr|" "$work/usr/lib/pkgconfig/impact.pc" > "$work/own/impact.pc"
as_readme() (
    export PKG_CONFIG_PATH="$work/own" PKG_CONFIG_SYSROOT_DIR=
    cd "$work/own" && rm -f one_contact && eval "$CC $1" && ./one_contact | grep '^maxdiss: ok'
)
while read -r arguments; do
    case $missing$arguments in
    -l*-static*) echo "ok $((count += 1)) - README: gcc $arguments # SKIP no static library for ${missing% }" ;;
    *) check "README: gcc $arguments" as_readme "$arguments" ;;
    esac
done < "$work/readme"
check 'README: both ways' test "$(wc -l < "$work/readme")" -eq 2
as_readme_others() (
    export PKG_CONFIG_PATH="$work/own" PKG_CONFIG_SYSROOT_DIR=
    cd "$work/own" && arguments=$(sed -n 1p "$work/readme")
    for name in batch several_solutions stepper; do
        eval "$CC $(echo "$arguments" | sed "s/one_contact/$name/g")" || return 1
    done
)
check 'README: the same for examples that call C mathematics' as_readme_others

# CMake's imported targets; a version that this one does not serve is not found.
if command -v cmake > /dev/null; then
    mkdir "$work/cmake"
    cat > "$work/cmake/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(use LANGUAGES C)
find_package(impact 99 QUIET)
if(impact_FOUND)
  message(FATAL_ERROR "version 99 was found")
endif()
find_package(impact ${WANTED} REQUIRED)
foreach(way impact static)
  add_executable(${way} ../use.c)
  target_link_libraries(${way} PRIVATE impact::${way})
endforeach()
END
    check 'CMake finds the package' cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_C_COMPILER="$CC" \
        -DCMAKE_PREFIX_PATH="$work/usr" -DWANTED="$version"
    check 'and builds with it' cmake --build "$work/cmake/build"
    for way in impact static; do
        check "CMake, impact::$way: runs" test "$("$work/cmake/build/$way" $fclib)" = "$version ok 1 ok"
    done
    check 'and impact::static does not need libimpact.so' sh -c "! ldd '$work/cmake/build/static' | grep libimpact"
else
    echo "ok $((count += 1)) - CMake # SKIP no cmake"
fi

# Every header compiles alone (in C++ in the long form; there all of them together do in the short one), and every function that they declare has C linkage: a C++ program that names them all links.
nm -D --defined-only "$work/usr/lib/libimpact.so" | awk '{print $3}' | sort > "$work/exported"
(cd "$work/usr/include/impact" && find . -name '*.h') | sed 's|^\./||' | sort > "$work/headers"
while read -r header; do
    check "$header alone, C" "$CC" -std=c11 $strict $flags -fsyntax-only -include "$header" "$work/nothing.c"
    check "$header alone, C++" "$CXX" -std=c++11 $strict $flags -fsyntax-only -include "$header" -xc++ "$work/nothing.c"
done < "$work/headers"
sed 's/.*/#include <&>/' "$work/headers" > "$work/all.h"
"$CXX" -std=c++11 -E -P $flags -xc++ "$work/all.h" 2> /dev/null | grep -o '\bimp_[a-z0-9_]*' | sort -u |
    comm -12 - "$work/exported" > "$work/names"
{ cat "$work/all.h"; echo 'const void *volatile used;'; echo 'int main() {'
  sed 's/.*/    used = reinterpret_cast<const void *>(\&&);/' "$work/names"; echo '}'; } > "$work/all.cpp"
check 'all that is exported is declared' cmp "$work/names" "$work/exported"
check 'and links in C++' "$CXX" -std=c++11 $strict $flags "$work/all.cpp" -o "$work/all" $shared
check 'the headers were looked at' grep -q '^impact.h$' "$work/headers"

# A library neither prints on its own, nor exits, nor reads the environment, and contains no GPL code. (It may be given
# standard output as a file to write to.)
nm -u "$work/usr/lib/libimpact.a" | awk '{print $2}' | sort -u > "$work/wanted"
check 'the library calls none of what only programs may' \
    sh -c "! grep -xE '_?exit|abort|v?printf|puts|putchar|perror|stderr|getenv|__assert_fail|gsl_.*' '$work/wanted'"
check 'nor does pkg-config ask for GSL' sh -c "! echo '$static' | grep -i gsl"
if [ -x "$work/usr/bin/impact" ]; then
    check 'the program has the same version' sh -c "'$work/usr/bin/impact' --version | grep -qF '$version'"
    for f in bash-completion/completions/impact zsh/site-functions/_impact fish/vendor_completions.d/impact.fish; do
        check "and $f" test -s "$work/usr/share/$f"
    done
    for page in man1/impact.1 man3/libimpact.3 man3/imp_solve.3 man5/impact-formats.5 man7/impact-laws.7; do
        check "and $page" test -s "$work/usr/share/man/$page"
    done
fi

check 'make uninstall' make -s uninstall CC="$CC" DESTDIR="$work" PREFIX=/usr
(cd "$work/usr" && find . ! -type d | sort) > "$work/after"
check 'what is not ours stays, what is ours goes' \
    test "$(cat "$work/after")" = "$(printf './%s\n' $others | sort)"
check 'and so do our own folders' sh -c "! find '$work/usr' -type d -path '*/impact*' | grep ."
echo "1..$count"
