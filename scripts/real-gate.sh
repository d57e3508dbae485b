#!/usr/bin/env bash
# Runs the tests with the real servers in the cache, and says which ones were real. Builds nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

real=()
small=()
for server in kube-apiserver vault gitea moto helm registry crane cosign; do
  if ! bash scripts/real-servers.sh --path "$server" >/dev/null; then
    small+=("$server")
  elif [ "$server" = kube-apiserver ] && ! bash scripts/real-servers.sh --path etcd >/dev/null; then
    small+=("$server (etcd is missing)")
  else
    real+=("$server")
  fi
done

# uses FILE MODULE: true when the test imports real-servers/MODULE.ts, directly or through the support files that it imports.
uses() {
  local queue=("$1") seen=' ' file target
  while [ "${#queue[@]}" -gt 0 ]; do
    file=${queue[0]}
    queue=("${queue[@]:1}")
    case "$seen" in *" $file "*) continue ;; esac
    seen+="$file "
    case "$file" in */real-servers/"$2".ts) return 0 ;; esac
    while read -r target; do
      # Without `realpath -m`, which macOS does not have.
      target=$(sed -e 's#/\./#/#g' -e ':again' -e 's#[^/.][^/]*/\.\./##' -e 't again' <<<"$(dirname "$file")/$target")
      case "$target" in test/*.ts) queue+=("$target") ;; esac
    done < <(grep -oE "(from|import\()[[:space:]]*'\.[^']+\.ts'" "$file" | sed "s/.*'\(.*\)'/\1/")
  done
  return 1
}

tests=()
skipped=()
while read -r file; do
  missing=
  for pair in kubernetes:kube-apiserver vault:vault gitea:gitea moto:moto helm:helm registry:registry registry:crane cosign:cosign; do
    if printf '%s\n' "${real[@]}" | grep -qx "${pair#*:}"; then continue; fi
    if uses "$file" "${pair%%:*}"; then missing+=" ${pair#*:}"; fi
  done
  if [ -z "$missing" ]; then tests+=("$file"); else skipped+=("$file (needs$missing)"); fi
done < <(find test -name '*.real.test.ts' | sort)

for file in "${skipped[@]}"; do echo "not run: $file"; done
echo "real servers: ${real[*]:-none}"
echo "not in the cache, so the tests used only their small servers: ${small[*]:-none}"
# .ci/run repeats this at its end.
if [ -n "${SKIPPED_FILE:-}" ] && [ "${#small[@]}" -gt 0 ]; then printf '%s\n' "${small[@]}" >"$SKIPPED_FILE"; fi
[ "${#tests[@]}" -eq 0 ] || REAL_SERVERS=1 npx vitest run --project real "${tests[@]}"
