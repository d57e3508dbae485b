#!/usr/bin/env bash
# gitlab-ci-local 4.75.1, `artifacts: reports: dotenv`. Guess: a later job gets each value as GitLab gives it, which
# takes a line up to its end, with its quotes, and knows neither comments nor variables. Seen: the file is read as the
# dotenv of npm reads it, and then expanded: an address loses what follows `#`, a value its quotes, and `$HOME` becomes
# empty.
# Seen: what the second job got. Needs Node.js 20 or newer, npm, git and bash.
set -euo pipefail
expected='4.75.1: page [https://docs.example.com/guide] title ["Start" page] quoted [in quotes] price [a$b]'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder
mkdir project tools
npm install --silent --no-audit --no-fund --prefix tools gitlab-ci-local@4.75.1 node@24.11.0
PATH=$folder/tools/node_modules/.bin:$PATH
cd project
cat >.gitlab-ci.yml <<'YAML'
stages: [make, use]
make:
  stage: make
  script:
    - cp values report.env
  artifacts: { reports: { dotenv: report.env } }
use:
  stage: use
  needs: [make]
  script:
    - echo "page [$PAGE] title [$TITLE] quoted [$QUOTED] price [$PRICE]" >"$SEEN"
YAML
printf '%s\n' 'PAGE=https://docs.example.com/guide#start' 'TITLE="Start" page' 'QUOTED="in quotes"' 'PRICE=a$HOME$$b' >values
git init --quiet .
git remote add origin https://gitlab.example.com/acme/docs.git
git add --all
git -c user.name=a -c user.email=a@example.com commit --quiet --message first
gitlab-ci-local --force-shell-executor --variable "SEEN=$folder/seen" >../log 2>&1 ||
  { cat ../log >&2; exit 1; }
seen="$(gitlab-ci-local --version): $(cat ../seen)"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
