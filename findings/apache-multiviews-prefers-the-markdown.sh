#!/usr/bin/env bash
# Apache httpd 2.4 (the package of Debian 12) with MultiViews, the usual way to serve /start from start.html, and a site
# that has each page as Markdown beside it, as many have for programs. Guess: the page, because its type is the usual one.
# Seen: what asks for any type (curl, most link checkers, some crawlers) gets the shorter of the two files, which is
# nearly always the Markdown; browsers ask for text/html and get the page. The server logs 200 for both.
# Seen: with a long page the Markdown, with a long Markdown the page. The types are those of Debian's list. Needs Debian 12
# or a system with the same package, curl and Python 3.
set -euo pipefail
expected='2.4: any type, longer page: text/markdown; browser: text/html; any type, longer Markdown: text/html'

folder=$(mktemp -d)
chmod a+rx "$folder"
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq apache2-bin=2.4.71-1~deb12u1 libapr1 libaprutil1 2>/dev/null ||
  apt-get download -qq apache2-bin libapr1 libaprutil1
for package in ./*.deb; do dpkg-deb -x "$package" package; done
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(dirname "$(find "$folder/package" -name 'libapr-1.so.0' | head -1)")
modules=$folder/package/usr/lib/apache2/modules

mkdir site logs
printf 'text/html html\ntext/markdown md\n' >mime.types
printf '<!doctype html><title>Start</title><h1>Start</h1><p>%0200d</p>\n' 0 >site/start.html
echo '# Start' >site/start.md
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >httpd.conf <<EOF
ServerRoot $folder
ServerName localhost
Listen 127.0.0.1:$port
PidFile $folder/pid
ErrorLog $folder/logs/error
Mutex file:$folder/logs default
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule mime_module $modules/mod_mime.so
LoadModule negotiation_module $modules/mod_negotiation.so
LoadModule authz_core_module $modules/mod_authz_core.so
TypesConfig $folder/mime.types
User nobody
Group nogroup
DocumentRoot $folder/site
<Directory $folder/site>
  Require all granted
  Options MultiViews
</Directory>
EOF
httpd=$folder/package/usr/sbin/apache2
"$httpd" -X -f "$folder/httpd.conf" 2>log &
server=$!
for _ in $(seq 50); do
  if curl -s -o /dev/null "http://127.0.0.1:$port/start.html"; then break; fi
  sleep 0.2
done

# type ACCEPT: the type of the reply
type() { curl -s -o /dev/null -H "Accept: $1" -w '%{content_type}' "http://127.0.0.1:$port/start"; }
browser='text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
seen="$("$httpd" -v | sed -n 's#.*Apache/\([0-9]*\.[0-9]*\).*#\1#p'): any type, longer page: $(type '*/*'); browser: $(type "$browser")"
printf '%0500d\n' 0 >>site/start.md
seen="$seen; any type, longer Markdown: $(type '*/*')"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
