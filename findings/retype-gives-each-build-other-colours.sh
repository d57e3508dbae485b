#!/usr/bin/env bash
# Retype 4.6.0. Guess: two builds of the same folder by the same version differ in a time or a number, if at all. Seen: most
# colours of resources/css/retype.css are other ones in each build, each by a few of 255 steps, as a mark that no reader
# sees. So every build has another style sheet, other addresses with its number in each page, and other sums.
# Seen: whether all colours are in the same places, whether most differ, and whether any differs much. Needs Node.js, npm
# and Python 3.
set -euo pipefail
expected='same places: True; most differ: True; by at most 8 of 255: True'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund retypeapp@4.6.0
mkdir docs
printf 'input: docs\noutput: site\nurl: https://docs.example.com\n' >retype.yml
printf '# One page\n\nA sentence.\n' >docs/readme.md
for build in first second; do
  npx retype build >log 2>&1 || { cat log >&2; exit 1; }
  cp site/resources/css/retype.css "$build.css"
done

cat >compare.py <<'EOF'
import re

COLOUR = re.compile(r'#[0-9A-Fa-f]{6}\b')
first, second = (open(f'{name}.css').read() for name in ('first', 'second'))
same_places = COLOUR.sub('#', first) == COLOUR.sub('#', second)
pairs = list(zip(COLOUR.findall(first), COLOUR.findall(second)))
steps = [max(abs(int(a[at:at + 2], 16) - int(b[at:at + 2], 16)) for at in (1, 3, 5)) for a, b in pairs]
differ = sum(step > 0 for step in steps)
print(f'same places: {same_places}; most differ: {differ > len(pairs) / 2}; by at most 8 of 255: {max(steps) <= 8}')
EOF
seen=$(python3 compare.py)
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
