#!/usr/bin/env bash
# flux 2.9.5, `flux push artifact` and `flux build artifact`, which carry a folder into a cluster by way of a registry.
# Guess: they pack what is in the folder, but for .git. Seen: PNG, JPEG and GIF pictures, .zip and .tar.gz files, and
# symbolic links are left out, while WebP and SVG pictures are packed; without a word, and with exit code 0. A site then
# has some of its pictures. With --ignore-paths=.git/ the files are in it.
# Seen: what a site of nine files has in its artifact, with and without the option. Needs Go 1.26 or newer and GNU tar.
set -euo pipefail
expected='2.9.5: index.html pictures/a.svg pictures/a.webp; with the option: example.tar.gz example.zip index.html pictures/a.gif pictures/a.jpg pictures/a.png pictures/a.svg pictures/a.webp'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
sources=$(go mod download -json github.com/fluxcd/flux2/v2@v2.9.5 | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
cp -r "$sources" flux
chmod -R u+w flux
# The program embeds the manifests of a release, which are not in the module, and which these commands do not read.
mkdir -p flux/cmd/flux/manifests
touch flux/cmd/flux/manifests/none.yaml
(cd flux && go build -o ../flux-cli -ldflags '-X main.VERSION=2.9.5' ./cmd/flux) 2>log || { cat log >&2; exit 1; }

mkdir -p site/pictures
echo '<title>Start</title>' >site/index.html
for file in pictures/a.{png,jpg,gif,svg,webp} example.zip example.tar.gz; do echo content >"site/$file"; done
ln -s index.html site/latest.html

# files OPTION...: what is in the artifact
files() {
  HOME=$folder ./flux-cli build artifact --path site --output site.tgz "$@" >log 2>&1
  tar -tzvf site.tgz | sed -n 's/^-.* //p' | sort | tr '\n' ' ' | sed 's/ $//'
}
seen="$(./flux-cli --version | sed 's/^flux version //'): $(files); with the option: $(files --ignore-paths=.git/)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
