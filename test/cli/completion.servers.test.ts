import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/options.ts';
import { openLaptop } from './harness.ts';

/** Asks a shell for its completions of a line; each is a line of standard output. */
const ASK: Readonly<Record<string, (script: string, line: string) => readonly string[]>> = {
  bash: (script, line) => {
    const words = line.split(' ');
    const ask = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})\nCOMP_CWORD=${words.length - 1}\n_docs_courier\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    return ['-c', ask];
  },
  // Its own function for adding completions only works in its editor: this one prints them.
  zsh: (script, line) => {
    const words = line.split(' ');
    const ask = `compdef() { :; }\ncompadd() { shift; for one in "$@"; do [[ $one == $PREFIX* ]] && print -r -- $one; done; }\n_files() { :; }\n${script}\nwords=(${words.map((word) => `'${word}'`).join(' ')})\nCURRENT=${words.length}\nPREFIX='${words.at(-1) ?? ''}'\n_docs_courier`;
    return ['-fc', ask];
  },
  fish: (script, line) => ['-c', `${script}\ncomplete -C '${line}'`],
};

describe.each(['bash', 'zsh', 'fish'])('The completion of %s', (shell) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  if (!isThere) console.warn(`${shell} is not installed: its completion is not tested.`);

  test.skipIf(!isThere)('has all commands, and for a command its flags and no others', async () => {
    await using laptop = await openLaptop();
    const { stdout: script, exitCode } = await laptop.run(['completion', shell]);
    expect(exitCode).toBe(0);
    const complete = (line: string) => {
      const asked = spawnSync(shell, [...(ASK[shell]?.(script, line) ?? [])], { encoding: 'utf8' });
      expect(asked.stderr).toBe('');
      return asked.stdout.split('\n').filter(Boolean).sort();
    };
    expect(complete('docs-courier ')).toEqual([...COMMANDS].sort());
    expect(complete('docs-courier ro')).toEqual(['rollback']);
    expect(complete('docs-courier serve --')).toEqual([
      '--help',
      '--quiet',
      '--site-path',
      '--version',
    ]);
    expect(complete('docs-courier export --dom')).toEqual(['--domain']);
    expect(complete('docs-courier search --refresh')).toEqual([]);
  });
});

test.each([[[]], [['nushell']], [['constructor']]])(
  'Without a shell that is known, completion fails and names those that are',
  async (words) => {
    await using laptop = await openLaptop();
    const { stdout, stderr, exitCode } = await laptop.run(['completion', ...words]);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('bash, zsh or fish');
  },
);
