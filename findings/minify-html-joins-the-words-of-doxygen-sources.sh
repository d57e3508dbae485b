#!/usr/bin/env bash
# Doxygen 1.9.4 and minify-html 0.18.1 (@minify-html/node). Guess: a minifier keeps what a browser shows, as
# html-minifier-terser 7.2.0 does with collapseWhitespace. Seen: Doxygen writes a line of source code as a div whose style
# keeps spaces, and minify-html removes the space between two elements of a div: readers see "intarea(int w)".
# Seen: the line as text, after each tool. Needs doxygen 1.9.4 (Debian 12), Node.js 20 or newer and npm.
set -euo pipefail
expected='1.9.4: html-minifier-terser "int area(int w);", minify-html "intarea(int w);"'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund @minify-html/node@0.18.1 html-minifier-terser@7.2.0
printf '/** @file */\n/** The area. */\nint area(int w);\n' >area.h
printf 'INPUT = area.h\nGENERATE_LATEX = NO\nSOURCE_BROWSER = YES\nQUIET = YES\n' >Doxyfile
doxygen Doxyfile >log 2>&1 || { cat log >&2; exit 1; }

cat >minify.cjs <<'EOF'
const { readFileSync } = require('node:fs');
const minifyHtml = require('@minify-html/node');
const terser = require('html-minifier-terser');
const page = readFileSync('html/area_8h_source.html');
const lineOf = (html) => /int(?:<[^>]*>| )*area.*?;/s.exec(html)[0].replace(/<[^>]*>/g, '');
terser.minify(page.toString(), { collapseWhitespace: true }).then((html) => {
  const minified = minifyHtml.minify(page, {}).toString();
  console.log(`html-minifier-terser "${lineOf(html)}", minify-html "${lineOf(minified)}"`);
});
EOF
seen="$(doxygen --version): $(node minify.cjs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
