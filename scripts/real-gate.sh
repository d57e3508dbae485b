#!/usr/bin/env bash
# Runs the tests against real servers with those that are in the cache already, and says which ones were real. Builds nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

real=()
small=()
for server in kube-apiserver vault gitea moto helm; do
  if ! bash scripts/real-servers.sh --path "$server" >/dev/null; then
    small+=("$server")
  elif [ "$server" = kube-apiserver ] && ! bash scripts/real-servers.sh --path etcd >/dev/null; then
    small+=("$server (etcd is missing)")
  else
    real+=("$server")
  fi
done

# The servers that a test file starts, by the modules it imports.
tests=()
for file in test/real/*.test.ts; do
  runs=true
  for pair in kubernetes:kube-apiserver vault:vault gitea:gitea moto:moto helm:helm; do
    if grep -q "real-servers/${pair%%:*}\.ts" "$file" && ! printf '%s\n' "${real[@]}" | grep -qx "${pair#*:}"; then runs=false; fi
  done
  if "$runs"; then tests+=("$file"); else echo "not run, its server is not in the cache: $file"; fi
done

echo "real servers: ${real[*]:-none}"
echo "not in the cache, so only their small servers of the tests were used: ${small[*]:-none}"
[ "${#tests[@]}" -eq 0 ] || REAL_SERVERS=1 npx vitest run --project real "${tests[@]}"
