#!/usr/bin/env bash
# act 0.2.89, and GitHub's evaluator of expressions (@actions/expressions 0.3.61). Guess: both read .*.path of a list alike.
# Seen: for an entry without the key, GitHub's gives nothing, and act gives an empty entry. So in act a list of
# paths has an empty one, `contains(…, '')` is true, and join ends with a comma; on GitHub it does not.
# Seen: the joined list of each. Needs Go, Node.js 20 or newer, npm and git.
set -euo pipefail
expected='act: [a,,c] GitHub: [a,c]'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
GOBIN="$folder" go install github.com/nektos/act@v0.2.89
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --no-audit --no-fund @actions/expressions@0.3.61
expression="join(fromJSON('[{\"path\":\"a\"},{\"title\":\"b\"},{\"path\":\"c\"}]').*.path, ',')"

cat >evaluate.js <<'EOF'
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
const { tokens } = new Lexer(process.argv[2]).lex();
const tree = new Parser(tokens, [], []).parse();
console.log(new Evaluator(tree, new data.Dictionary()).evaluate().coerceString());
EOF
mkdir -p repository/.github/workflows home
cd repository
cat >.github/workflows/list.yml <<EOF
on: push
jobs:
  list:
    runs-on: ubuntu-latest
    steps:
      - env:
          LIST: \${{ $expression }}
        run: echo "\$LIST" > "\$SEEN"
EOF
git init --quiet .
git add --all
git -c user.name=a -c user.email=a@example.com commit --quiet --message first
HOME=$folder/home "$folder/act" push -P ubuntu-latest=-self-hosted --env "SEEN=$folder/seen" >../log 2>&1 || { cat ../log >&2; exit 1; }
cd ..
seen="act: [$(cat seen)] GitHub: [$(node evaluate.js "$expression")]"
echo "$seen"
[ "$seen" = "$expected" ] || { echo "no longer: $expected" >&2; exit 1; }
