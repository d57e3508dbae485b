#!/usr/bin/env bash
# mini-httpd 1.30, webfs 1.21 and BusyBox 1.35.0 (the packages of Debian 12), and http.server of Python. A page is
# replaced by an older one with its older date, as a rollback with `cp -p`, `rsync -a` or plain tar does. A browser then
# asks with the date and the ETag that it was given for the newer page. Guess: all answer 200, since the date is another.
# Seen: mini-httpd and Python answer 304 for every date that is not later, so readers keep the page that was taken back
# until they reload it.
# Seen: the status of each. Needs Debian 12 or a system with the same packages, curl and Python 3.
set -euo pipefail
expected='mini-httpd 1.30: 304, python: 304, webfs 1.21: 200, busybox 1.35.0: 200'

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq mini-httpd=1.30-3 webfs=1.21+ds1-12+b1 busybox=1:1.35.0-4+deb12u1+b1
for package in *.deb; do dpkg-deb -x "$package" package; done
busybox=$(find package -name busybox -type f -perm -u+x | head -1)
mkdir former newer site
echo '<title>Former</title>' >former/page.html
echo '<title>The newer page</title>' >newer/page.html
touch -d 2026-01-01 former/page.html
touch -d 2026-03-01 newer/page.html
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
page=http://127.0.0.1:$port/page.html

seen=
# add NAME COMMAND...: adds what a server answers to a browser that has the newer page, after the former one was put back
add() {
  cp -p newer/page.html site/page.html
  "${@:2}" >log 2>&1 &
  server=$!
  for _ in $(seq 50); do
    if curl -s -f -D headers -o /dev/null "$page"; then break; fi
    sleep 0.2
  done
  sed -n 's/^last-modified:/If-Modified-Since:/Ip; s/^etag:/If-None-Match:/Ip' headers | tr -d '\r' >asked
  cp -p former/page.html next
  mv next site/page.html
  seen="$seen$1: $(curl -s -o /dev/null -w '%{http_code}' -H @asked "$page"), "
  kill "$server"
  wait "$server" || true
}
add 'mini-httpd 1.30' package/usr/sbin/mini_httpd -D -h 127.0.0.1 -p "$port" -d site -u "$(id -un)"
add python python3 -m http.server --bind 127.0.0.1 -d site "$port"
add 'webfs 1.21' package/usr/bin/webfsd -F -i 127.0.0.1 -p "$port" -r site
add 'busybox 1.35.0' "$busybox" httpd -f -p "127.0.0.1:$port" -h site
seen=${seen%, }
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
