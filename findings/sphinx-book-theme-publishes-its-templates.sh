#!/usr/bin/env bash
# sphinx-book-theme 1.4.0 with pydata-sphinx-theme 0.20.0 and Sphinx 9.0.4. Guess: each HTML file of the output is a
# page. Seen: two are templates of the themes, copied with their static files: `{% macro … %}`, and addresses such as {{
# pathto('_static/styles/theme.css', 1) }}, that no server has. What reads the folder instead of the menu takes them for
# pages: link checkers report the addresses, and sitemaps and searches list the pages.
# Seen: each HTML file of a site with one page that has template code. Needs Python 3.11 or newer, with venv.
set -euo pipefail
expected='sphinx-book-theme 1.4.0: _static/sbt-webpack-macros.html 2 macros, _static/webpack-macros.html 3 macros'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install --quiet --disable-pip-version-check sphinx-book-theme==1.4.0 pydata-sphinx-theme==0.20.0 sphinx==9.0.4
mkdir sources
echo "html_theme = 'sphinx_book_theme'" >sources/conf.py
printf 'Start\n=====\n\nText.\n' >sources/index.rst
tools/bin/sphinx-build -q -b html sources site

seen="sphinx-book-theme $(tools/bin/pip show sphinx-book-theme 2>/dev/null | sed -n 's/^Version: //p'):"
separator=' '
while IFS= read -r page; do
  seen="$seen$separator${page#site/} $(grep -c '{% macro' "$page") macros"
  separator=', '
done < <(grep -rl --include='*.html' '{% macro' site | sort)
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
