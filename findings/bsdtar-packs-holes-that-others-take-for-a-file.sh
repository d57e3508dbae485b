#!/usr/bin/env bash
# bsdtar 3.6.2 (libarchive). Guess: as for GNU tar, a file with a hole is packed with its zeros, unless an option asks for
# more. Seen: in its default format it looks for holes, and writes only the rest. GNU tar, Python and Go read that. BusyBox
# 1.35.0, which unpacks in containers, and tar 7.5.23 of npm write a smaller file to GNUSparseFile.0, and succeed: a
# search database whose room was reserved is then missing. With --no-read-sparse, all of them write the file.
# Seen: each reader with the path and the bytes that it writes. Needs Debian 12 or a system with the same packages, a file
# system with holes, Node.js 20 or newer and npm.
set -euo pipefail
expected='busybox: GNUSparseFile.0/search.db 515, then search.db 1048579; npm: GNUSparseFile.0/search.db 515, then search.db 1048579'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libarchive-tools=3.6.2-1+deb12u5 libarchive13=3.6.2-1+deb12u5 busybox=1:1.35.0-4+deb12u1+b1 2>/dev/null ||
  apt-get download -qq libarchive-tools libarchive13 busybox
for package in *.deb; do dpkg-deb -x "$package" package; done
libraries=$(dirname "$(find package -name 'libarchive.so.13')")
bsdtar() { LD_LIBRARY_PATH=$libraries package/usr/bin/bsdtar "$@"; }
busybox=$(find package -name busybox -type f -perm -u+x | head -1)
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund tar@7.5.23

mkdir site
truncate -s 1M site/search.db
printf END >>site/search.db
bsdtar -C site -czf default.tar.gz search.db
bsdtar -C site --no-read-sparse -czf whole.tar.gz search.db

# Prints what a reader has written.
written() { (cd "$1" && find . -type f -printf '%P %s'); }
for archive in default whole; do
  mkdir "busybox-$archive" "npm-$archive"
  "$busybox" tar -xzf "$archive.tar.gz" -C "busybox-$archive"
  node -e 'require("tar").x({ file: process.argv[1], cwd: process.argv[2], sync: true, strict: true })' \
    "$archive.tar.gz" "npm-$archive"
done
seen="busybox: $(written busybox-default), then $(written busybox-whole)"
seen="$seen; npm: $(written npm-default), then $(written npm-whole)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
