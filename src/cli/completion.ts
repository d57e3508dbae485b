import { configError } from '../ground/errors.ts';
import { COMMANDS, FLAGS } from './options.ts';

/** What makes a shell complete commands and flags. Throws `config` for a shell that is not known. */
export function completionOf(shell: string): string {
  if (shell === 'bash') return bash();
  if (shell === 'zsh') return zsh();
  if (shell === 'fish') return fish();
  throw configError(
    'completion needs the name of a shell: bash, zsh or fish.',
    'Such as:\n\n  source <(docs-courier completion bash)',
  );
}

function bash(): string {
  return `_docs_courier() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=
  if [ "$COMP_CWORD" -eq 1 ]; then words='${wordsOf(COMMANDS)}'
  else case "\${COMP_WORDS[1]}" in
${casesOf((flags) => `words='${flags}'`)}
  esac fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _docs_courier docs-courier
`;
}

function zsh(): string {
  return `#compdef docs-courier
_docs_courier() {
  if (( CURRENT == 2 )); then compadd -- ${wordsOf(COMMANDS)}; return; fi
  if [[ $PREFIX != -* ]]; then _files; return; fi
  case $words[2] in
${casesOf((flags) => `compadd -- ${flags}`)}
  esac
}
compdef _docs_courier docs-courier
`;
}

function fish(): string {
  const lines = [`-n __fish_use_subcommand -f -a '${wordsOf(COMMANDS)}'`];
  for (const flag of FLAGS.values()) {
    let line = `-n '__fish_seen_subcommand_from ${wordsOf(flag.commands)}' -l ${flag.name}`;
    if (flag.value !== undefined) line += ' -r';
    lines.push(line);
  }
  return lines.map((line) => `complete -c docs-courier ${line}\n`).join('');
}

/** A line for each command, with its flags. */
function casesOf(write: (flags: string) => string): string {
  const lines = COMMANDS.map((command) => {
    const flags = [...FLAGS.values()].filter((flag) => flag.commands.includes(command));
    return `    ${command}) ${write(wordsOf(flags.map(({ name }) => `--${name}`)))} ;;`;
  });
  return lines.join('\n');
}

// Names of commands and flags contain nothing that a shell interprets.
function wordsOf(names: readonly string[]): string {
  return names.join(' ');
}
