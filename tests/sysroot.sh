#!/bin/sh
# The libraries of another architecture, unpacked into a folder that a cross compiler and qemu-user take as root:
# tests/sysroot.sh ARCHITECTURE FOLDER, as Debian calls it (arm64). apt fetches from this machine's own sources, with
# lists and a state beside that folder, so that what is installed here is neither asked nor changed.
set -e
arch=$1
rm -rf "$2"
mkdir -p "$2"
root=$(cd "$2" && pwd)  # apt looks for what does not begin with / in its own folders
apt=$root.apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
: > "$apt/status"
for call in update 'install --yes --no-install-recommends --download-only libc6-dev libjansson-dev libhdf5-dev
  liblapacke-dev liblapack-dev libblas-dev libsuitesparse-dev libgsl-dev'; do
    # shellcheck disable=SC2086
    apt-get -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::State::Lists="$apt/lists" \
        -o Dir::State::status="$apt/status" -o Dir::Cache::Archives="$apt/archives" -o Dir::Cache::pkgcache= \
        -o Dir::Cache::srcpkgcache= -o APT::Get::List-Cleanup=0 $call >"$apt/said" 2>&1 || {
        [ "$call" = update ] || { tail -n 3 "$apt/said" >&2; exit 1; }  # a source that lacks the architecture
    }
done
for package in "$apt"/archives/*.deb; do dpkg -x "$package" "$root"; done
# What Debian's alternatives would link.
for folder in "$root"/usr/lib/*-linux-gnu*/blas "$root"/usr/lib/*-linux-gnu*/lapack; do
    for file in "$folder"/*; do ln -sf "${folder##*/}/${file##*/}" "$folder/.."; done
done
for header in "$root"/usr/include/*/cblas-netlib.h; do ln -sf cblas-netlib.h "${header%-netlib.h}.h"; done
rm -rf "$apt"
