#!/bin/sh
# What is released: `make dist` gives the same bytes wherever it is made, and all that a build needs; the packages' version is the
# library's, and every file that debian/*.install names is one that `make install` puts down.
cd "$(dirname "$0")/.." || exit 1
command -v git > /dev/null && git rev-parse HEAD > /dev/null 2>&1 || { echo '1..0 # SKIP no git checkout'; exit; }
. tests/check.sh
version=$(sed -n 's/^#define IMP_VERSION "\(.*\)"/\1/p' lib/impact.h)
check 'make dist' make -s dist BUILD="$work/one"
# By somebody else: a clone, another day of the week there, language, rights of new files, settings of git.
check 'a clone of this commit' sh -c "git clone -q . '$work/clone' && git -C '$work/clone' checkout -q $(git rev-parse HEAD)"
sleep 1
elsewhere() { (umask 077 && cd "$work/clone" && env TZ=Pacific/Auckland LC_ALL=de_DE.UTF-8 GIT_CONFIG_COUNT=2 \
    GIT_CONFIG_KEY_0=tar.umask GIT_CONFIG_VALUE_0=user GIT_CONFIG_KEY_1=core.autocrlf GIT_CONFIG_VALUE_1=true "$@"); }
check 'make dist there' elsewhere make -s dist BUILD="$work/two"
check 'the same bytes' cmp "$work/one/impact-$version.tar.gz" "$work/two/impact-$version.tar.gz"
tar -C "$work" -xzf "$work/one/impact-$version.tar.gz"
check 'all that is committed is in it' test "$(cd "$work/impact-$version" && find . ! -type d | wc -l)" = "$(git ls-tree -r --name-only HEAD | wc -l)"
for file in debian/changelog CITATION.cff; do
    check "$file has the library's version" grep -Eq "[( ]$version[) ]?" "$file"
done
# LIBDIR is Debian's folder of libraries here; names of debian/rules are made where it makes them.
check 'make install LIBDIR' make -s install DESTDIR="$work" PREFIX=/usr LIBDIR=lib/any-triplet
(cd "$work" && find usr | sed 's|zsh/site-functions|zsh|') > "$work/put"
cat debian/libimpact0.install debian/libimpact-dev.install debian/impact.install > "$work/wanted"
while read -r pattern; do
    check "$pattern is installed" grep -qE "^$(echo "$pattern" | sed 's|\*|[^/]*|g')$" "$work/put"
done < "$work/wanted"
if command -v pkg-config > /dev/null; then
    check 'pkg-config knows the folder' test \
        "$(PKG_CONFIG_PATH="$work/usr/lib/any-triplet/pkgconfig" pkg-config --variable=libdir impact)" = /usr/lib/any-triplet
fi
check 'so does CMake' grep -q '{impact_lib}/../.." ABSOLUTE' "$work/usr/lib/any-triplet/cmake/impact/impactConfig.cmake"
echo "1..$count"
