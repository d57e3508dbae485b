#!/usr/bin/env bash
# Kustomize 5.6.0. Guess: `images:` and `kustomize edit set image`
# change every image of a Pod, as they do for containers and init containers. Seen: the image that a Pod mounts as a
# volume stays what it was, with exit code 0 and without a word, so a cluster keeps an old site although its repository
# names a new digest. From 5.7.0 on it is changed too.
# Seen: both references of one Pod. Needs Go 1.24 or newer.
set -euo pipefail
expected='5.6.0: container new, volume old; 5.7.0: container new, volume new'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >pod.yaml <<'YAML'
apiVersion: v1
kind: Pod
metadata: { name: docs }
spec:
  containers:
    - name: web
      image: registry.example.com/acme/web:old
      volumeMounts: [{ name: site, mountPath: /srv/site }]
  volumes:
    - { name: site, image: { reference: 'registry.example.com/acme/docs:old' } }
YAML
for version in 5.6.0 5.7.0; do
  GOBIN="$folder/$version" go install "sigs.k8s.io/kustomize/kustomize/v5@v$version" 2>log || { cat log >&2; exit 1; }
  echo 'resources: [pod.yaml]' >kustomization.yaml
  "./$version/kustomize" edit set image registry.example.com/acme/web:new registry.example.com/acme/docs:new
  "./$version/kustomize" build . >"$version.yaml"
done

# tag VERSION NAME: the tag that an image of the Pod has
tag() { sed -n "s#.*registry.example.com/acme/$2:##p" "$1.yaml"; }
seen="5.6.0: container $(tag 5.6.0 web), volume $(tag 5.6.0 docs); 5.7.0: container $(tag 5.7.0 web), volume $(tag 5.7.0 docs)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
