#!/usr/bin/env bash
# jsdoc 4.0.5, with its own template. Guess: the page of a source file has an id for each line, as those of Doxygen and
# rustdoc have, since the page of each class links to one. Seen: it has none. A script numbers the lines when the page is
# opened. So link checkers report all of these links, and without scripts they lead to the top of the page.
# Seen: the line that a page links to, the ids of that form in the other page, and in the script. Needs Node.js 20 or
# newer and npm.
set -euo pipefail
expected='4.0.5: Thing.html to a.js.html#line4, ids of lines 0, linenumber.js: lineId = `line${lineNumber}`;'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund jsdoc@4.0.5
mkdir sources
printf '%s\n' '/**' ' * A thing.' ' */' 'class Thing {}' >sources/a.js
node_modules/.bin/jsdoc --destination site sources

link=$(grep -o 'a\.js\.html#line[0-9]*' site/Thing.html | sort -u)
ids=$(grep -c 'id="line' site/a.js.html || true)
script=$(sed -n 's/^ *\(lineId = .*\)/\1/p' site/scripts/linenumber.js)
seen="$(node_modules/.bin/jsdoc --version | sed 's/^JSDoc \([0-9.]*\).*/\1/'): Thing.html to $link, ids of lines $ids, linenumber.js: $script"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
