import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { detectCi } from '../../src/ci/detect.ts';
import type { CiRunner, Env } from '../../src/ci/port.ts';
import { checkMayWrite } from '../../src/ci/rights.ts';
import { readArguments } from '../../src/cli/arguments.ts';
import { runKey } from '../../src/delivery/state.ts';
import { parseAddress } from '../../src/inputs/parse-address.ts';
import { CI_ENVIRONMENTS } from '../support/ci-environments.ts';
import { ciSnippets } from '../support/ci-snippets.ts';
import { readText } from './pages.ts';

const page = readText('docs/reference/ci-systems.md');
const systems = CI_ENVIRONMENTS.filter(({ kind }) => kind !== 'other');

/** The rows of the table whose head begins with this text, by the name of the system. */
function rows(head: string): ReadonlyMap<string, readonly string[]> {
  const lines = page.slice(page.indexOf(head)).split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return new Map(
    lines.map((line) => {
      const [, name = '', ...cells] = line.split('|').map((cell) => cell.trim());
      return [name, cells.slice(0, -1)];
    }),
  );
}

const found = rows('| System | Found by');

function namesIn(cell = ''): string[] {
  return [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name);
}

async function load(env: Env): Promise<CiRunner> {
  return detectCi(env).load({
    env,
    cwd: '/workspace',
    temp: tmpdir(),
    write: () => {},
  });
}

const without = (env: Env, name: string) =>
  Object.fromEntries(Object.entries(env).filter(([key]) => key !== name));

describe('the table of CI systems', () => {
  test('The table of CI systems has a row for each adapter', () => {
    const titles = systems.map(({ title }) => title);
    expect([...found.keys()]).toEqual(titles);
  });

  test.each(systems)(
    '$title is found by each of the variables in its row',
    ({ title, kind, env }) => {
      const names = namesIn(found.get(title)?.[0]);
      expect(names.length).toBeGreaterThan(0);
      expect(detectCi(Object.fromEntries(names.map((name) => [name, env[name]]))).kind).toBe(kind);
      for (const name of names) expect(detectCi(without(env, name)).kind).not.toBe(kind);
    },
  );

  test.each(systems)(
    'The branch of $title is in the variables of its row',
    async ({ title, env }) => {
      let left: Env = env;
      for (const name of namesIn(found.get(title)?.[1])) {
        const branch = (env[name] ?? '').startsWith('refs/') ? 'refs/heads/other' : 'other';
        const run = (await load({ ...left, [name]: branch })).readRun();
        expect(run.branch).toBe('other');
        left = without(left, name);
      }
      expect((await load(left)).readRun().branch).toBeUndefined();
    },
  );

  test.each(systems)(
    '$title shows a pull request in the variable of its row',
    async ({ title, env, pullRequest }) => {
      const [name = ''] = namesIn(found.get(title)?.[2]);
      const run = (await load({ ...env, [name]: pullRequest[name] })).readRun();
      expect(run.changeRequestVariable).toBe(name);
      expect(() => checkMayWrite({ ...run, allowWriteFrom: ['main'] })).toThrow(name);
    },
  );

  test.each(systems)(
    '$title continues or starts again in a repeated job, as its row says',
    async ({ title, env, again }) => {
      const [first, second] = [
        (await load(env)).readRun(),
        (await load({ ...env, ...again })).readRun(),
      ];
      const continues =
        runKey(first.github) === runKey(second.github) && second.github.runAttempt > 1;
      expect(found.get(title)?.[3]).toBe(continues ? 'continues' : 'starts again');
    },
  );
});

describe('the recipes for other CI systems', () => {
  const snippets = ciSnippets();

  test('Each CI system has one recipe', () => {
    expect(snippets.map(({ title }) => title)).toEqual(systems.map(({ title }) => title));
  });

  test.each(snippets)(
    'The recipe for $title has commands that the command line accepts',
    ({ language, text, commands }) => {
      if (language === 'yaml') expect(parse(text)).toBeTypeOf('object');
      else expect(text.split('{').length).toBe(text.split('}').length);
      expect(commands.length).toBeGreaterThan(0);
      for (const words of commands) {
        const line = readArguments(words);
        expect(line.problems).toEqual([]);
        expect(line.command).toBe('export');
        expect(line.flags.get('allow-write-from')).toEqual(['main']);
        expect(parseAddress((line.flags.get('to')?.[0] ?? '').replaceAll("'", '')).ok).toBe(true);
      }
    },
  );

  test.each(snippets)(
    'The recipe for $title does not pass a secret as an argument of a command',
    ({ text, commands }) => {
      expect(text).not.toMatch(/admin-api-key\s|secret-token\s/);
      expect(commands.flat().filter((word) => word.includes('$'))).toEqual([]);
    },
  );
});
