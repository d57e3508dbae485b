#!/usr/bin/env bash
# superstatic 10.0.0, the server of Firebase's emulator, with cleanUrls. Guess: /guide is guide.html, and /guide/ is
# guide/index.html, as on GitHub Pages. Seen: both are guide/index.html, and /guide.html redirects to it, so guide.html has
# no address. A page of a folder also answers without its slash, where its relative links lead elsewhere.
# Seen: for each address, the status and the file or the address that it leads to. Needs Node.js 20 or newer, npm and curl.
set -euo pipefail
expected='/guide 200 folder; /guide/ 200 folder; /guide.html 301 /guide'

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund superstatic@10.0.0
mkdir -p public/guide
printf page >public/guide.html
printf folder >public/guide/index.html
cat >serve.cjs <<'EOF'
const { createServer } = require('node:http');
const superstatic = require('superstatic').default;
const serve = superstatic({ cwd: __dirname, config: { public: 'public', cleanUrls: true } });
const server = createServer((request, response) => serve(request, response, () => response.end()));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
EOF
node serve.cjs >port &
server=$!
for _ in $(seq 50); do
  if [ -s port ]; then break; fi
  sleep 0.2
done

# The status of an address, and its file or where it leads.
at() {
  local location
  location=$(curl -s -o body -w '%{http_code} %{redirect_url}' "http://127.0.0.1:$(cat port)$1")
  case $location in
    3*) echo "$1 ${location/http:\/\/127.0.0.1:$(cat port)/}" ;;
    *) echo "$1 $location$(cat body)" ;;
  esac
}
seen="$(at /guide); $(at /guide/); $(at /guide.html)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
