#!/usr/bin/env bash
# Builds the servers for tests of the stores, from the sources in the Go module proxy, each at a
# pinned version, into a cache outside the checkout. An existing build stays if its checksum is right.
#
#   bash scripts/real-servers.sh                 build everything that is missing
#   bash scripts/real-servers.sh gitea vault     build these
#   bash scripts/real-servers.sh --test          build what is missing, and run the tests against all of them
#   bash scripts/real-servers.sh --path gitea    print the folder of a built server; exit 1 if it is not built
#
# On two cores, from an empty cache: Gitea 4 to 20 minutes, kube-apiserver 3 to 9, Vault 15 to 30, Helm 2 to 5, registry
# and crane 1 to 3, cosign 5 to 15. etcd is a package of the
# system (Debian: etcd-server), moto one of Python; both are installed here too, and take seconds.
set -euo pipefail

GITEA=1.26.0
KUBE=1.35.4
VAULT=1.21.0
MOTO=5.2.5
HELM=3.19.5
REGISTRY=3.0.0
CRANE=0.22.1
COSIGN=3.1.3

cache="${DOCS_COURIER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/docs-courier}"
servers="$cache/servers"
mkdir -p "$servers"

folder_of() {
  case $1 in
    gitea) echo "$servers/gitea-$GITEA" ;;
    kube-apiserver) echo "$servers/kube-apiserver-$KUBE" ;;
    vault) echo "$servers/vault-$VAULT" ;;
    helm) echo "$servers/helm-$HELM" ;;
    registry) echo "$servers/registry-$REGISTRY" ;;
    crane) echo "$servers/crane-$CRANE" ;;
    cosign) echo "$servers/cosign-$COSIGN" ;;
    moto) echo "$servers/moto-$MOTO" ;;
    etcd) dirname "$(command -v etcd || echo /nonexistent/etcd)" ;;
    *) echo "real-servers: unknown server $1; choose from: gitea kube-apiserver vault moto etcd helm registry crane cosign" >&2; exit 2 ;;
  esac
}

# True if the server exists and its program is the built one.
is_built() {
  local folder
  folder=$(folder_of "$1")
  case $1 in
    etcd) [ -x "$folder/etcd" ] ;;
    moto) [ -x "$folder/bin/moto_server" ] ;;
    *) [ -e "$folder/SHA256" ] && (cd "$folder" && sha256sum --check --quiet --status SHA256) ;;
  esac
}

# source_of MODULE VERSION: a writable copy of a module's source, through the module proxy and its checksum database.
source_of() {
  local from
  from=$(cd / && GOFLAGS=-mod=mod go mod download -json "$1@v$2" | python3 -c 'import json,sys; print(json.load(sys.stdin)["Dir"])')
  cp -r "$from" "$work/source"
  chmod -R u+w "$work/source"
  cd "$work/source"
}

# publish NAME FILE...: moves the built files to the cache, with a checksum of the program (the first file), in one step.
publish() {
  local name=$1 program=$2 folder
  shift
  folder=$(folder_of "$name")
  mkdir "$work/out"
  cp -r "$@" "$work/out/"
  (cd "$work/out" && sha256sum "$program" >SHA256)
  rm -rf "$folder"
  mv "$work/out" "$folder"
}

# go_build ARGUMENT...: other work on this machine shares the cores.
go_build() { nice -n 10 go build "$@"; }

build_gitea() {
  source_of code.gitea.io/gitea "$GITEA"
  go_build -tags 'sqlite sqlite_unlock_notify' -o gitea .
  publish gitea gitea templates options public
}

build_kube-apiserver() {
  source_of k8s.io/kubernetes "$KUBE"
  export GOWORK=off GOFLAGS=-mod=mod
  rm -rf vendor go.work go.work.sum
  local staged edits=()
  # Inside Kubernetes' own repository these modules are folders; published, each has the version 0.MINOR.PATCH.
  for staged in $(go mod edit -json | python3 -c 'import json,sys
for entry in json.load(sys.stdin)["Replace"] or []:
    if entry["New"]["Path"].startswith("./staging"): print(entry["Old"]["Path"])'); do
    edits+=("-dropreplace=$staged" "-require=$staged@v0.${KUBE#1.}")
  done
  go mod edit "${edits[@]}"
  go_build -o kube-apiserver ./cmd/kube-apiserver
  publish kube-apiserver kube-apiserver
}

build_vault() {
  source_of github.com/hashicorp/vault "$VAULT"
  export GOFLAGS=-mod=mod
  local inner
  for inner in api api/auth/approle api/auth/kubernetes api/auth/userpass sdk; do
    go mod edit "-dropreplace=github.com/hashicorp/vault/$inner"
  done
  # The published sdk that this source builds with is one minor version newer, and passes one more argument to a function.
  go mod edit -require=github.com/hashicorp/vault/sdk@v0.21.0
  sed -i 's/\(activateDeduplication(ctx context.Context, req \*logical.Request\))/\1, _ string)/' vault/identity_store_util.go
  sed -i 's/\(ActivationFunc(ctx, nil\))/\1, "")/' vault/logical_system_activation_flags.go
  go_build -o vault-program .
  mv vault-program "$work/vault"
  cd "$work"
  publish vault vault
}

build_helm() {
  source_of helm.sh/helm/v3 "$HELM"
  GOFLAGS=-mod=mod go_build -o "$work/helm" ./cmd/helm
  cd "$work"
  publish helm helm
}

build_registry() {
  GOBIN="$work" GOFLAGS=-mod=mod nice -n 10 go install "github.com/distribution/distribution/v3/cmd/registry@v$REGISTRY"
  cd "$work"
  publish registry registry
}

build_crane() {
  GOBIN="$work" GOFLAGS=-mod=mod nice -n 10 go install "github.com/google/go-containerregistry/cmd/crane@v$CRANE"
  cd "$work"
  publish crane crane
}

build_cosign() {
  GOBIN="$work" GOFLAGS=-mod=mod nice -n 10 go install "github.com/sigstore/cosign/v3/cmd/cosign@v$COSIGN"
  cd "$work"
  publish cosign cosign
}

build_moto() {
  local folder
  folder=$(folder_of moto)
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --disable-pip-version-check "moto[server]==$MOTO"
}

build_etcd() {
  if [ "$(id -u)" -ne 0 ]; then
    echo 'etcd is missing, and only root can install it: apt-get install etcd-server' >&2
    return 1
  fi
  apt-get update -qq -o DPkg::Lock::Timeout=120
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 etcd-server >/dev/null
}

if [ "${1:-}" = --path ]; then
  is_built "${2:?name a server}" || exit 1
  folder_of "$2"
  exit 0
fi

run_tests=false
if [ "${1:-}" = --test ]; then
  run_tests=true
  shift
fi
checkout=$(cd "$(dirname "$0")/.." && pwd)

wanted=("$@")
[ "${#wanted[@]}" -gt 0 ] || wanted=(etcd moto helm registry crane cosign gitea kube-apiserver vault)
work=
# Also after an interruption: a build folder contains gigabytes, and its files are read-only.
clean_up() {
  [ -n "$work" ] || return 0
  chmod -R u+w "$work" 2>/dev/null || true
  rm -rf "$work"
  work=
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for server in "${wanted[@]}"; do
  folder_of "$server" >/dev/null
  if is_built "$server"; then
    echo "$server is in $(folder_of "$server")"
    continue
  fi
  for needed in go python3; do
    command -v "$needed" >/dev/null || { echo "$needed is needed to build $server" >&2; exit 1; }
  done
  started=$SECONDS
  work=$(mktemp -d "$servers/.build-XXXXXX")
  echo "building $server"
  # Not behind `||`: there, bash continues after an error inside.
  set +e
  (set -e; build_"$server")
  status=$?
  set -e
  clean_up
  if [ "$status" -ne 0 ]; then
    echo "$server could not be built" >&2
    exit 1
  fi
  echo "$server is in $(folder_of "$server"), built in $((SECONDS - started)) s"
done

if "$run_tests"; then
  cd "$checkout"
  npm run --silent test:real
fi
