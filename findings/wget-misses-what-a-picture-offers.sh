#!/usr/bin/env bash
# wget 1.21.3, with --page-requisites and --convert-links. Guess: it takes every image of srcset, since it knows srcset.
# Seen: only those of img. The images of source in a picture, the symbols of an SVG sprite and the captions of a video are
# not taken, and their addresses stay as they were: a mirror that looks complete has no pictures for dark colours.
# Seen: the files that the copy has and lacks, and the address that stays. Needs Debian 12 or a system with the same
# package, and Python 3.
set -euo pipefail
expected='has img-2x.png img.png; lacks captions.vtt dark.png sprite.svg; srcset="/assets/dark.png"'

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq wget=1.21.3-1+deb12u1 2>/dev/null || apt-get download -qq wget
dpkg-deb -x wget_*.deb package

mkdir -p site/assets copy
cat >site/index.html <<'EOF'
<!doctype html><html lang="en"><title>Docs</title>
<picture><source media="(prefers-color-scheme: dark)" srcset="/assets/dark.png">
<img src="/assets/img.png" srcset="/assets/img-2x.png 2x" alt="The window"></picture>
<svg role="img"><use href="/assets/sprite.svg#search"></use></svg>
<video controls><track src="/assets/captions.vtt"></video>
EOF
for file in dark.png img.png img-2x.png sprite.svg captions.vtt; do echo x >"site/assets/$file"; done
python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >log 2>&1 &
server=$!
for _ in $(seq 50); do
  address=$(sed -n 's/.*(\(http[^)]*\)).*/\1/p' log)
  if [ -n "$address" ]; then break; fi
  sleep 0.2
done

package/usr/bin/wget -q --page-requisites --convert-links --no-host-directories --directory-prefix copy "$address"
files() { (cd "$1" && find . -type f -printf '%f\n' | sort); }
has=$(files copy/assets | xargs)
lacks=$(comm -23 <(files site/assets) <(files copy/assets) | xargs)
seen="has $has; lacks $lacks; $(grep -o 'srcset="[^"]*dark[^"]*"' copy/index.html)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
