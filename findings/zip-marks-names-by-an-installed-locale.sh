#!/usr/bin/env bash
# zip 3.0 (Info-ZIP, Debian 12). Guess: whether names are marked as UTF-8 depends on LANG and LC_ALL, or on -UN=UTF8,
# which "will force storing UTF-8". Seen: it depends on whether the locale en_US.UTF-8 is installed, and on nothing else.
# In a container without it, as most are, names are not marked under LC_ALL=C.UTF-8 and with the option; where it is
# installed they are, even under LC_ALL=C. Python and other readers then show "├╝ber.html" instead of "über.html".
# Needs Debian 12 or a system with the same package, localedef with its sources (Debian: locales) and Python 3.
set -euo pipefail
expected='3.0: without en_US.UTF-8: C.UTF-8 not marked, de_DE.UTF-8 not marked, -UN=UTF8 not marked; with it: C marked'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq zip=3.0-13+deb12u1 2>/dev/null || apt-get download -qq zip
dpkg-deb -x zip_*.deb package
zip=$folder/package/usr/bin/zip
mkdir site others american
echo '<title>About us</title>' >site/über.html
# Only the locales in the folder of LOCPATH count as installed.
for locale in C de_DE; do localedef -i "$locale" -f UTF-8 "others/$locale.UTF-8" 2>/dev/null || true; done
localedef -i en_US -f UTF-8 american/en_US.UTF-8

# pack LOCALES LC_ALL OPTION...: whether the names of the new archive are marked
pack() {
  rm -f site.zip
  (cd site && LOCPATH="$folder/$1" LC_ALL=$2 "$zip" -qr "${@:3}" ../site.zip .)
  python3 -c 'import zipfile; print("marked" if all(f.flag_bits & 0x800 or f.filename.isascii() for f in zipfile.ZipFile("site.zip").infolist()) else "not marked")'
}
version=$("$zip" -v | sed -n 's/^This is Zip \([0-9.]*\).*/\1/p')
seen="$version: without en_US.UTF-8: C.UTF-8 $(pack others C.UTF-8), de_DE.UTF-8 $(pack others de_DE.UTF-8), -UN=UTF8 $(pack others C.UTF-8 -UN=UTF8); with it: C $(pack american C)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
