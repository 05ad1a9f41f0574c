#!/bin/sh
# What `make deb` built, as somebody meets it who has Debian alone: lintian finds no error in the source and the binary
# packages; their symbols are the library's names, their pages link to what is there; in a fresh Debian they install,
# programs in C, C++, for CMake and in Python are built against them and print what they say, and nothing stays when they
# are purged. The fresh Debian is debootstrap's, from where this machine has its packages: it takes root, a network and
# 1 GB in the folder of temporary files, and is skipped without debootstrap or root.
#
#     sh tests/deb.sh FOLDER
cd "$(dirname "$0")/.." || exit 1
. tests/check.sh
. tests/said.sh
packages=$1
mkdir "$work/unpacked"
export LC_ALL=C
version=$(sed -n 's/^#define IMP_VERSION "\(.*\)"/\1/p' lib/impact.h)
names='libimpact0 libimpact-dev impact impact-doc python3-impact'

for name in $names; do
    check "there is $name" dpkg-deb -x "$packages/$name"_"$version"_*.deb "$work/unpacked/$name"
done
if command -v lintian > /dev/null; then
    check 'lintian on the source package' lintian --fail-on error --no-tag-display-limit "$packages/impact_$version.dsc"
    check 'lintian on the binary packages' lintian --fail-on error "$packages"/*.deb
else
    echo "ok $((count += 1)) - lintian # SKIP no lintian"
fi
dpkg-deb -I "$packages"/libimpact0_*.deb symbols | sed -n 's/^ \(imp_[^@]*\)@.*/\1/p' > "$work/symbols"
check 'the symbols are the names that are exported' diff "$work/symbols" tests/exported.txt
html=$work/unpacked/impact-doc/usr/share/doc/impact-doc/html
check 'the manual links to what is there' perl docs/site/check.pl "$html"
check 'and has the reference of the library' test -s "$html/api/index.html"
for page in impact/man1/impact.1 impact/man5/impact-scene.5 impact/man7/impact-laws.7 libimpact-dev/man3/imp_solve.3; do
    check "${page%%/*} has ${page##*/}" test -s "$work/unpacked/${page%%/*}/usr/share/man/${page#*/}.gz"
done

if ! command -v debootstrap > /dev/null || [ "$(id -u)" != 0 ]; then
    echo "ok $((count += 1)) - a fresh Debian # SKIP no debootstrap, or not root"
    echo "1..$count"
    exit
fi
root=$work/debian
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" | head -1)
check "a fresh Debian $suite" debootstrap --variant=minbase "$suite" "$root" "$mirror"
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }
# installs PACKAGE...: a name, or a pattern of files there
installs() { inside sh -c "apt-get install -q -y --no-install-recommends $*"; }
ours() { inside find /usr /etc /var/lib/dpkg/info /var/lib/impact -name '*impact*' 2> /dev/null | sort; }
ours > "$work/before"

# What somebody needs who runs it, and what somebody needs who builds with it.
check '  knows its packages' inside apt-get update -q
check 'the program, the library and the package for Python install' \
    installs '/packages/libimpact0_*.deb' '/packages/impact_*.deb' '/packages/python3-impact_*.deb'
check 'impact runs: problems, solved and judged' inside sh -c 'cd /root && impact problems free-box-1 -n 10 -o p.tsv &&
    impact solve --model coulomb -o s.tsv p.tsv && impact check --model coulomb p.tsv s.tsv'
sed -n '/^```python/,/^```$/p' python/README.md | sed -n '2,/^```$/p' | sed '/^```/d' > "$root/root/use.py"
check 'Python: the first example of its README' inside python3 /root/use.py
check '  which is one' grep -q impact.solve "$root/root/use.py"
check 'the files for programs and the manual install' installs gcc g++ libc6-dev make cmake pkg-config \
    '/packages/libimpact-dev_*.deb' '/packages/impact-doc_*.deb'
check 'all are installed, nothing is half there' sh -c "
    [ \$(chroot '$root' dpkg-query -W -f '\${db:Status-Abbrev}\n' $names | grep -c '^ii ') = 5 ] &&
    ! chroot '$root' dpkg --audit | grep ."
check 'no link of theirs leads nowhere' sh -c "! chroot '$root' find /usr/share/man /usr/share/doc /usr/lib -xtype l -name '*imp*' | grep ."

mkdir "$root/root/use"
examples=/usr/share/doc/libimpact-dev/examples
cat > "$root/root/use/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.13)
project(use LANGUAGES C)
find_package(impact $version REQUIRED)
foreach(way impact static)
  add_executable(\${way} $examples/one_contact.c)
  target_link_libraries(\${way} PRIVATE impact::\${way})
endforeach()
END
said examples/one_contact.c > "$work/one_contact"
said examples/models.cpp > "$work/models"
# prints NAME PROGRAM: what the example of that name says
prints() { inside "$2" > "$work/printed" && diff "$work/$1" "$work/printed"; }
strict='-Wall -Wextra -Wpedantic -Werror'
builds() { inside sh -ec "cd /root/use; $1"; }
check 'C, by pkg-config' builds "gcc -std=c11 $strict $examples/one_contact.c -o c \$(pkg-config --cflags --libs impact)"
check '  prints what it says' prints one_contact /root/use/c
check 'C++' builds "g++ -std=c++11 $strict $examples/models.cpp -o cpp \$(pkg-config --cflags --libs impact)"
check '  prints what it says' prints models /root/use/cpp
check 'CMake' builds 'cmake -B cmake . && cmake --build cmake'
check '  impact::impact prints what it says' prints one_contact /root/use/cmake/impact
check '  impact::static too' prints one_contact /root/use/cmake/static
check '  and does without libimpact0' builds '! ldd cmake/static | grep libimpact'

# shellcheck disable=SC2086
check 'they are purged' inside apt-get purge -q -y $names
ours > "$work/after"
check 'and nothing of them stays' diff "$work/before" "$work/after"
echo "1..$count"
