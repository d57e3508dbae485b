#!/usr/bin/env bash
# @redocly/cli 2.77.0, build-docs. Guess: --inlineBundle gives a page that needs no other host. Seen: who opens the page
# sends traces to otel.cloud.redocly.com. The page has an option for that, disableTelemetry, which --openapi.disableTelemetry
# does not set; it follows the variable REDOCLY_TELEMETRY of the program that builds the page. And the menu leads to
# addresses such as /other/listkeys, at the top of the host, for which there is no file.
# Seen: whether the host was asked for by a page that was built as usual and with REDOCLY_TELEMETRY=off, and the link.
# Needs Node.js 22 or newer, npm, Python 3 and Chromium.
set -euo pipefail
expected='as usual: asked; with the option: asked; with REDOCLY_TELEMETRY=off: not asked; link: /other/listkeys'

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
unset REDOCLY_TELEMETRY
echo '{ "private": true }' >package.json
npm install --silent --no-audit --no-fund @redocly/cli@2.77.0
cat >api.yaml <<'EOF'
openapi: 3.1.0
info: { title: API, version: '1' }
servers: [{ url: https://api.example.com }]
paths:
  /keys:
    get: { summary: List keys, operationId: listKeys, responses: { '200': { description: Done } } }
EOF
mkdir site
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python3 -m http.server "$port" --bind 127.0.0.1 --directory site >server.log 2>&1 &
server=$!
for _ in $(seq 50); do
  if curl -s -o /dev/null "http://127.0.0.1:$port/"; then break; fi
  sleep 0.2
done

# asked OPTION...: whether a browser that opens the page wants to reach the host
asked() {
  npx redocly build-docs api.yaml --output site/index.html --inlineBundle "$@" >log 2>&1 || { cat log >&2; exit 1; }
  chromium --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --virtual-time-budget=15000 \
    --log-net-log="$folder/net.json" --dump-dom "http://127.0.0.1:$port/" >page.html 2>browser.log
  grep -q 'List keys' page.html
  if grep -q 'https://otel.cloud.redocly.com' net.json; then echo asked; else echo 'not asked'; fi
}
seen="as usual: $(asked); with the option: $(asked --openapi.disableTelemetry=true)"
export REDOCLY_TELEMETRY=off
seen="$seen; with REDOCLY_TELEMETRY=off: $(asked)"
seen="$seen; link: $(grep -o 'href="/[a-z][^"]*"' site/index.html | cut -d '"' -f 2 | sort -u | head -1)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
