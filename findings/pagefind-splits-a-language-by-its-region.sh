#!/usr/bin/env bash
# Pagefind 1.6.0. Guess: one search for all pages in English, without the error page and what robots may not index.
# Seen: as soon as one page has `lang="en-US"`, a reader on it finds the pages with exactly that, and a reader on a page
# with `lang="en"` does not find it; a reader on `en-GB`, which no page has, finds those of `en`. The page 404.html and
# pages with `noindex` are results. A page without an <html> tag, which HTML allows, is never one.
# Seen: what is found from a page in each language. Needs Node.js 20 or newer and npm.
set -euo pipefail
expected='from en: / /404.html /hidden.html; from en-US: /regional.html; from en-GB: / /404.html /hidden.html'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund pagefind@1.6.0
mkdir site
# page NAME LANG HEAD
page() { echo "<!doctype html><html lang=\"$2\"><head><title>$1</title>$3</head><body><p>Rotate the keys.</p></body></html>" >"site/$1.html"; }
page index en ''
page 404 en ''
page hidden en '<meta name="robots" content="noindex">'
page regional en-US ''
echo '<!doctype html><title>Short</title><p>Rotate the keys.</p>' >site/short.html
npx pagefind --site site >log 2>&1 || { cat log >&2; exit 1; }

cat >search.mjs <<'EOF'
import { readFileSync } from 'node:fs';

// What Pagefind asks of a browser: where the page is, its language, and files.
globalThis.window = globalThis;
globalThis.location = new URL('http://localhost/');
globalThis.fetch = async (address) => new Response(readFileSync(`site${new URL(address, location).pathname}`));
const seen = [];
for (const lang of ['en', 'en-US', 'en-GB']) {
  globalThis.document = { currentScript: null, querySelector: () => ({ getAttribute: () => lang }) };
  const pagefind = await import(`./site/pagefind/pagefind.js?${lang}`);
  await pagefind.options({ basePath: '/pagefind/' });
  const { results } = await pagefind.search('rotate');
  const pages = await Promise.all(results.map((result) => result.data()));
  seen.push(`from ${lang}: ${pages.map(({ url }) => url).sort().join(' ')}`);
}
console.log(seen.join('; '));
EOF
seen=$(node search.mjs)
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
