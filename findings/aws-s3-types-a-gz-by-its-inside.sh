#!/usr/bin/env bash
# aws-cli 1.46.3, `aws s3 sync` and `cp`. Guess: a file that ends in .gz is uploaded as application/gzip, as s3cmd 2.4.0
# does it. Seen: its type is that of the name before .gz, and no Content-Encoding says that it is compressed: a browser
# that opens sitemap.xml.gz, as MkDocs writes one, parses bytes of gzip as XML, and a script that loads index.json.gz
# gets no JSON.
# Seen: the type and the encoding with which each tool uploads them. Needs Python 3.9 or newer, with venv.
set -euo pipefail
expected='aws 1.46.3: application/json none, application/xml none; s3cmd 2.4.0: application/gzip none, application/gzip none'

folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret AWS_DEFAULT_REGION=us-east-1
python3 -m venv tools
tools/bin/pip install --quiet --disable-pip-version-check awscli==1.46.3 s3cmd==2.4.0
mkdir site
echo '{}' | gzip >site/index.json.gz
echo '<urlset/>' | gzip >site/sitemap.xml.gz

# Takes every upload, and writes down with which headers it came.
cat >server.py <<'PYTHON'
import hashlib
from http.server import BaseHTTPRequestHandler, HTTPServer


class Bucket(BaseHTTPRequestHandler):
    def do_GET(self):  # s3cmd asks for the region
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<LocationConstraint/>")

    def do_PUT(self):
        content = self.rfile.read(int(self.headers["Content-Length"]))
        kind, encoding = self.headers.get("Content-Type"), self.headers.get("Content-Encoding", "none")
        with open("uploads", "a") as uploads:
            uploads.write(f"{self.path} {kind} {encoding.replace('aws-chunked', 'none')}\n")
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.md5(content).hexdigest()}"')
        self.send_header("Content-Length", "0")
        self.end_headers()


server = HTTPServer(("127.0.0.1", 0), Bucket)
print(server.server_port, flush=True)
server.serve_forever()
PYTHON
python3 server.py >port 2>log &
server=$!
for _ in $(seq 50); do [ -s port ] || sleep 0.2; done
host=127.0.0.1:$(cat port)

# types: of the uploads since the last call, by name
types() { sort uploads | sed 's/^[^ ]* //' | paste -sd, | sed 's/,/, /'; rm uploads; }
for file in index.json.gz sitemap.xml.gz; do
  tools/bin/aws s3 cp --only-show-errors --endpoint-url "http://$host" "site/$file" "s3://docs/$file"
done
seen="aws $(tools/bin/pip show awscli | sed -n 's/^Version: //p'): $(types)"
for file in index.json.gz sitemap.xml.gz; do
  tools/bin/s3cmd --access_key=key --secret_key=secret --host="$host" --host-bucket="$host" --no-ssl --quiet \
    put "site/$file" "s3://docs/$file"
done
seen="$seen; s3cmd $(tools/bin/pip show s3cmd | sed -n 's/^Version: //p'): $(types)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
