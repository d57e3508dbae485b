#!/usr/bin/env bash
# lighttpd 1.4.69 (the package of Debian 12) with server.error-handler-404 = "/404.html". Guess: an unknown address has that
# page and status 404. Seen: the page and status 200, because the page was found; server.error-handler, which reads like the
# same for all errors, and server.errorfile-prefix keep the 404.
# Seen: the status with each of the three. Needs Debian 12 or a system with the same package, curl and Python 3.
set -euo pipefail
expected='1.4.69: error-handler-404 200, error-handler 404, errorfile-prefix 404'

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq lighttpd=1.4.69-1 2>/dev/null || apt-get download -qq lighttpd
dpkg-deb -x lighttpd_*.deb package
lighttpd=$folder/package/usr/sbin/lighttpd
modules=$folder/package/usr/lib/lighttpd
mkdir site
echo '<title>Start</title>' >site/index.html
echo '<title>Not found</title>' >site/404.html
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

# status SETTING: of an unknown address, if it has the error page
status() {
  printf '%s\n' "server.document-root = \"$folder/site\"" "server.port = $port" 'server.bind = "127.0.0.1"' \
    'server.modules = ()' 'index-file.names = ("index.html")' "$1" >lighttpd.conf
  "$lighttpd" -m "$modules" -D -f lighttpd.conf >log 2>&1 &
  server=$!
  for _ in $(seq 50); do
    if curl -s -o /dev/null "http://127.0.0.1:$port/"; then break; fi
    sleep 0.2
  done
  curl -s -o page -w '%{http_code}' "http://127.0.0.1:$port/unknown" >code
  kill "$server"
  wait "$server" || true
  grep -q 'Not found' page
}
status 'server.error-handler-404 = "/404.html"'
seen="error-handler-404 $(cat code)"
status 'server.error-handler = "/404.html"'
seen="$seen, error-handler $(cat code)"
status "server.errorfile-prefix = \"$folder/site/\""
seen="$seen, errorfile-prefix $(cat code)"
seen="$("$lighttpd" -v | sed -n 's#^lighttpd/\([0-9.]*\).*#\1#p'): $seen"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
