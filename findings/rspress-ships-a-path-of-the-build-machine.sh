#!/usr/bin/env bash
# Rspress 2.0.22: a site with nothing but one page ships a script with the path of a file on the machine that built
# it, as a file: address of its search library. No reader's browser could load it, two builds in different folders
# differ by it, and the name of a user or a project can be in it.
# Seen: one script, with the path of flexsearch.bundle.module.min.mjs in the folder of the build. Needs Node.js 20 or
# newer and npm.
set -euo pipefail
expected='1 script, file:///FOLDER/node_modules/flexsearch/dist/flexsearch.bundle.module.min.mjs'

folder=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' >package.json
npm install --no-audit --no-fund --silent @rspress/core@2.0.22
mkdir docs
printf '# One page\n\nA sentence.\n' >docs/index.md
echo "export default { root: 'docs', title: 'Docs' }" >rspress.config.ts
npx rspress build >log 2>&1 || { cat log >&2; exit 1; }

scripts=$(grep -rlE 'file:///' doc_build --include='*.js' | wc -l)
address=$(grep -rhoE 'file:///[^"'"'"'`]*' doc_build --include='*.js' | sort -u | sed "s#$folder#/FOLDER#; s#////#///#" | head -1)
seen="$scripts script, $address"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
