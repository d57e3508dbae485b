#!/usr/bin/env bash
# javadoc of JDK 17.0.15. Guess: the doclet copies every file that its own style sheet needs. Seen: stylesheet.css, which
# every page loads, begins with an import of resources/fonts/dejavu.css, and there is no such file: each page of each
# reader asks for it and gets a 404. JDK 25 writes the file.
# Seen: the import, and that its file is missing. Needs javadoc 17 (Debian 12: openjdk-17-jdk-headless).
set -euo pipefail
expected='javadoc 17: resources/fonts/dejavu.css is missing'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p sources/demo
printf 'package demo;\n/** A box. */\npublic class Box {}\n' >sources/demo/Box.java
javadoc -quiet -d site sources/demo/Box.java 2>log || { cat log >&2; exit 1; }

import=$(sed -n "s/^@import url('\([^']*\)').*/\1/p" site/stylesheet.css)
state=missing
[ -e "site/$import" ] && state=there
seen="$(javadoc --version | cut -d . -f 1): $import is $state"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
