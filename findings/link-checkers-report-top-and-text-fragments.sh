#!/usr/bin/env bash
# linkinator 7.6.1 with --check-fragments, and LinkChecker 10.6.0 with AnchorCheck. Guess: they know the fragments that lead
# somewhere without an id. Seen: both call a link to #top broken, which every page has by the HTML standard, and a link to
# a text (#:~:text=), which browsers and search engines write, also if an id before it exists.
# Seen: what each reports of four links of which none is broken and one that is. Needs Python 3 with venv, Node.js 20 or
# newer and npm.
set -euo pipefail
expected='linkinator: #:~:text=Run #missing #run:~:text=it #top
LinkChecker: #:~:text=Run #missing #run:~:text=it #top'

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
# LinkChecker reads its settings as the user nobody if root starts it.
chmod 755 "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund linkinator@7.6.1
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check LinkChecker==10.6.0

mkdir site
cat >site/index.html <<'EOF'
<!doctype html><html lang="en"><title>Docs</title>
<a href="guide.html#run">1</a> <a href="guide.html#top">2</a> <a href="guide.html#:~:text=Run">3</a>
<a href="guide.html#run:~:text=it">4</a> <a href="guide.html#missing">5</a>
EOF
echo '<!doctype html><html lang="en"><title>Guide</title><h1 id="run">Run it</h1>' >site/guide.html
python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >log 2>&1 &
server=$!
for _ in $(seq 50); do
  address=$(sed -n 's/.*(\(http[^)]*\)).*/\1/p' log)
  if [ -n "$address" ]; then break; fi
  sleep 0.2
done

# Both end with 1 if they found something.
npx linkinator "$address" --check-fragments --format csv >linkinator.csv 2>&1 || true
echo '[AnchorCheck]' >linkcheckerrc
python/bin/linkchecker --config linkcheckerrc --output csv "$address" >linkchecker.csv 2>/dev/null || true

# The fragments in the lines of a report, each once.
fragments() { grep "$1" "$2" | grep -o '#[^,;`]*' | sed 's/%3A/:/g' | sort -u | xargs; }
seen="linkinator: $(fragments BROKEN linkinator.csv)
LinkChecker: $(fragments 'not found' linkchecker.csv)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
