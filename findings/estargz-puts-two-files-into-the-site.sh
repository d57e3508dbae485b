#!/usr/bin/env bash
# estargz of stargz-snapshotter 0.19.1, with which BuildKit (`compression=estargz`) and nerdctl (`image convert
# --estargz`) make images that start before they are pulled. Guess: the layer is packed differently, and has the same
# files. Seen: it has two more, .no.prefetch.landmark and stargz.index.json, a list of all files. Only that snapshotter
# hides them: who unpacks the layer with tar, or mounts it in a cluster without, has them among the pages, with mode
# 0000, so that `cp -r` and `rsync` of an ordinary user fail. The digest of the unpacked layer differs too.
# Seen: what a tar of one page contains after it. Needs Go 1.24 or newer and GNU tar.
set -euo pipefail
expected='before: -rw-r--r-- index.html; after: ---------- .no.prefetch.landmark -rw-r--r-- index.html ---------- stargz.index.json'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir site
echo '<title>Start</title>' >site/index.html
chmod 644 site/index.html
tar -C site -cf site.tar index.html
cat >main.go <<'GO'
package main

import (
	"bytes"
	"io"
	"os"

	"github.com/containerd/stargz-snapshotter/estargz"
)

func main() {
	tar, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	layer, err := estargz.Build(io.NewSectionReader(bytes.NewReader(tar), 0, int64(len(tar))))
	if err != nil {
		panic(err)
	}
	defer layer.Close()
	if _, err := io.Copy(os.Stdout, layer); err != nil {
		panic(err)
	}
}
GO
{ go mod init convert && go get github.com/containerd/stargz-snapshotter/estargz@v0.19.1; } >log 2>&1 || { cat log >&2; exit 1; }
go run . <site.tar >layer.tar.gz

# The mode and the name of each file, on one line.
list() { tar -tvf "$1" | awk '{ printf "%s%s %s", separator, $1, $NF; separator = " " }'; }
seen="before: $(list site.tar); after: $(list layer.tar.gz)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
