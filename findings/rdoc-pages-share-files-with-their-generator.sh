#!/usr/bin/env bash
# rdoc 6.4.1.1 (Ruby 3.1). Guess: a build copies the scripts and styles of its theme. Seen: where the file system allows
# that, they are hard links to the installed ones. A step that appends to such a file, or writes it in place as many
# minifiers do, changes the generator: each later build, of any project, has the change.
# Seen: whether a second build has a line that was added to the first. Needs rdoc 6.4.1.1 (Debian 12: ruby).
set -euo pipefail
expected='6.4.1.1: the second build has the line of the first: yes'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# A copy, so that only this one is changed.
mkdir library
installed=$(ruby -e 'puts RbConfig::CONFIG["rubylibdir"]')
cp -R "$installed/rdoc" "$installed/rdoc.rb" library
printf '# A box.\nclass Box\nend\n' >box.rb
build() { ruby -I library -r rdoc -e 'RDoc::RDoc.new.document(%w[--quiet --output] + ARGV)' "$1" box.rb >log 2>&1; }
build first
echo '/* Added to the first build. */' >>first/js/search.js
build second

shared=no
if grep -q 'Added to the first' second/js/search.js; then shared=yes; fi
version=$(ruby -I library -r rdoc -e 'puts RDoc::VERSION')
seen="$version: the second build has the line of the first: $shared"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
