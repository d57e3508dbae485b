#!/usr/bin/env bash
# rustdoc 1.95.0. Guess: a freshly built site has every file that its pages load. Seen: the page of a trait that nothing
# in the crate implements loads a script with the list of its implementors, trait.impl/CRATE/trait.NAME.js, and rustdoc
# does not write it: each reader gets a 404. For a trait with an implementor it does.
# Seen: one missing script, that of the lonely trait. Needs rustdoc.
set -euo pipefail
expected='loaded: Lonely Used; missing: Lonely'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >demo.rs <<'EOF'
pub trait Lonely {}
pub trait Used {}
pub struct Thing;
impl Used for Thing {}
EOF
rustdoc --version
rustdoc --crate-name demo --crate-type lib --out-dir site demo.rs

loaded=''
missing=''
for trait in Lonely Used; do
  script=$(grep -o 'src="[^"]*trait\.impl[^"]*"' "site/demo/trait.$trait.html" | cut -d '"' -f 2)
  [ -n "$script" ] && loaded="$loaded $trait"
  [ -e "site/demo/$script" ] || missing="$missing $trait"
done
seen="loaded:$loaded; missing:$missing"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
