#!/usr/bin/env bash
# Lints the workflows of this repository, the examples, and action.yml. Needs actionlint, zizmor and check-jsonschema.
set -euo pipefail
cd "$(dirname "$0")/.."

examples=()
for file in examples/*.yml; do
  # Not a workflow: the queries file that one of them uses.
  [ "$file" = examples/docs-queries.yml ] || examples+=("$file")
done

actionlint .github/workflows/*.yml "${examples[@]}"
zizmor --offline --config .github/zizmor.yml .github/workflows/*.yml .github/dependabot.yml action.yml emulator/action.yml "${examples[@]}"
check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml "${examples[@]}"
check-jsonschema --builtin-schema vendor.github-actions action.yml emulator/action.yml
check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
check-jsonschema --schemafile schemas/queries-file.schema.json examples/docs-queries.yml
