#!/usr/bin/env bash
# npx of npm 11.19.1, pnpm 12.21.0 and bun 1.4.5. Guess: each runs a packed package by any path that leads to it, as npm
# installs it. Seen: npx takes ./tool.tgz, and starts /folder/tool.tgz itself, which is no program; `pnpm dlx` takes
# /folder/tool.tgz, and looks for ./tool.tgz in a folder of its cache. Only file:/folder/tool.tgz is right for both;
# `bun x` takes none.
# Seen: which of the three forms each runs. Needs Node.js 22 or newer and npm.
set -euo pipefail
expected='npx: ./ file:/; pnpm dlx: / file:/; bun x: none'

folder=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder/home npm_config_update_notifier=false
mkdir home tools tool
echo '{ "private": true }' >tools/package.json
npm install --prefix tools --silent --no-audit --no-fund npm@11.19.1 pnpm@12.21.0 bun@1.4.5
echo '{ "name": "tool", "version": "1.0.0", "bin": "tool.js" }' >tool/package.json
printf '#!/usr/bin/env node\nconsole.log("it ran");\n' >tool/tool.js
npm pack --silent ./tool >log
mv tool-1.0.0.tgz tool.tgz

# The forms of the path that a runner takes.
taken() {
  local forms=''
  "$@" ./tool.tgz 2>>log | grep -q '^it ran$' && forms="$forms ./"
  "$@" "$folder/tool.tgz" 2>>log | grep -q '^it ran$' && forms="$forms /"
  "$@" "file:$folder/tool.tgz" 2>>log | grep -q '^it ran$' && forms="$forms file:/"
  echo "${forms:- none}"
}
bin=tools/node_modules/.bin
seen="npx:$(taken "$bin/npx" --yes); pnpm dlx:$(taken "$bin/pnpm" dlx); bun x:$(taken "$bin/bun" x)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
