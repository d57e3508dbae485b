#!/usr/bin/env bash
# act 0.2.89. Guess: it drops the output of a job that contains a masked value, as the runner of GitHub does ("Skip output
# since it may contain secret"). Seen: it hands the value on to the next job.
# So a workflow that passes a link from job to job is green in act, and its second job gets an empty text on GitHub.
# Seen: what the second job got, for a masked value and for one that contains a secret. Needs Go, Node.js and git.
set -euo pipefail
expected='masked: https://example.com/a?signature=1234; with a secret: token=hidden-value; plain: job-77'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
GOBIN="$folder" go install github.com/nektos/act@v0.2.89
mkdir -p repository/.github/workflows home
cd repository
cat >.github/workflows/two-jobs.yml <<'EOF'
on: push
jobs:
  first:
    runs-on: ubuntu-latest
    outputs:
      masked: ${{ steps.make.outputs.masked }}
      secret: ${{ steps.make.outputs.secret }}
      plain: ${{ steps.make.outputs.plain }}
    steps:
      - id: make
        env: { TOKEN: "${{ secrets.TOKEN }}" }
        run: |
          echo "::add-mask::https://example.com/a?signature=1234"
          echo "masked=https://example.com/a?signature=1234" >> "$GITHUB_OUTPUT"
          echo "secret=token=$TOKEN" >> "$GITHUB_OUTPUT"
          echo "plain=job-77" >> "$GITHUB_OUTPUT"
  second:
    needs: first
    runs-on: ubuntu-latest
    steps:
      - env:
          MASKED: ${{ needs.first.outputs.masked }}
          SECRET: ${{ needs.first.outputs.secret }}
          PLAIN: ${{ needs.first.outputs.plain }}
        run: |
          echo "masked: $MASKED; with a secret: $SECRET; plain: $PLAIN" > "$SEEN"
EOF
git init --quiet .
git add --all
git -c user.name=a -c user.email=a@example.com commit --quiet --message first
HOME=$folder/home TOKEN=hidden-value "$folder/act" push -P ubuntu-latest=-self-hosted -s TOKEN --env "SEEN=$folder/seen" >../log 2>&1 || { cat ../log >&2; exit 1; }
seen=$(cat ../seen)
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
