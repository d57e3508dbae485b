#!/usr/bin/env bash
# htmlparser2 12.0.0, Tokenizer: `onattribend(quote, end)` gives the position behind the closing quotation mark, but for a
# value without quotation marks the end of the value, and for an attribute without a value the end of its name. What
# changes values in place and cuts at `end` takes the mark along for most attributes; only `onattribdata` has the value.
# Seen: the marks of `href` and `title` are inside, `id` ends with its value. Needs Node.js and npm.
set -euo pipefail
expected='"href="x"" "id=y" "title='"'z'"'" "on"'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund htmlparser2@12.0.0
cat >read.mjs <<'EOF'
import { Tokenizer } from 'htmlparser2';

const html = `<a href="x" id=y title='z' on>t</a>`;
const seen = [];
let start = 0;
const ignored = () => {};
const callbacks = {
  onattribname: (from) => void (start = from),
  onattribend: (_quote, end) => void seen.push(`"${html.slice(start, end)}"`),
};
const all = new Proxy(callbacks, { get: (own, name) => own[name] ?? ignored });
const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: false }, all);
tokenizer.write(html);
tokenizer.end();
console.log(seen.join(' '));
EOF
seen=$(node read.mjs)
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
