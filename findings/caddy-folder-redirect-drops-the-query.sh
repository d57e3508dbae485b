#!/usr/bin/env bash
# Caddy 2.6.2 (the package of Debian 12): file_server redirects a folder without its slash and drops the query:
# /search?q=install leads to /search/. So a search page that readers are sent to with a query opens empty.
# Later versions keep the query (2.11.9 was seen to).
# Seen: "308 /search/". Needs Debian 12 or a system with the same package, and curl.
set -euo pipefail
expected='2.6.2: 308 /search/'

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq caddy=2.6.2-5 2>/dev/null || apt-get download -qq caddy
dpkg-deb -x caddy_*.deb package
caddy=package/usr/bin/caddy

mkdir -p site/search
echo '<title>Search</title>' >site/search/index.html
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '{\n\tadmin off\n\tauto_https off\n}\nhttp://127.0.0.1:%s {\n\troot * %s/site\n\tfile_server\n}\n' "$port" "$folder" >Caddyfile
"$caddy" run --config Caddyfile --adapter caddyfile >log 2>&1 &
server=$!
for _ in $(seq 50); do
  if curl -s -o /dev/null "http://127.0.0.1:$port/search/"; then break; fi
  sleep 0.2
done

answer=$(curl -s -o /dev/null -w '%{http_code} %{redirect_url}' "http://127.0.0.1:$port/search?q=install")
seen="$("$caddy" version | tr -d v | cut -d' ' -f1): ${answer/http:\/\/127.0.0.1:$port/}"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
