import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { findOldRuntimes, findUnknownPins, findUnusedPins, PINS } from '../../scripts/lint/pins.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Everything that a runner or a reader uses; the tests have invented actions. */
const PLACES = [
  'README.md',
  'CONTRIBUTING.md',
  'action.yml',
  '.github',
  'docs',
  'emulator',
  'examples',
  'gitea',
];
const MORE = ['scripts', 'src', 'templates', 'test/examples', 'test/fixtures'];
const SKIPPED = ['scripts/lint/pins.ts'];

function readTexts(place: string): [string, string][] {
  const path = join(ROOT, place);
  if (!statSync(path).isDirectory()) return [[place, readFileSync(path, 'utf8')]];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|ya?ml|ts|json)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((name) => !SKIPPED.includes(name))
    .map((name) => [name, readFileSync(join(ROOT, name), 'utf8')]);
}

const texts = [...PLACES, ...MORE].flatMap(readTexts);

describe('actions of other owners', () => {
  it('Every pinned action is in the table with its version and its commit', () => {
    expect(texts.flatMap(([path, text]) => findUnknownPins(path, text))).toEqual([]);
  });

  it('Every pinned action runs on Node.js 24, also inside a composite one', () => {
    expect(findOldRuntimes()).toEqual([]);
  });

  it('The table has no action that nothing uses, and no action twice', () => {
    expect(findUnusedPins(texts.map(([, text]) => text))).toEqual([]);
    expect(new Set(PINS.map(({ action }) => action)).size).toBe(PINS.length);
  });

  const [commit, other] = ['1'.repeat(40), '2'.repeat(40)];
  const known = [{ action: 'o/known', version: 'v2.0.0', commit, using: 'node24' }] as const;

  it.each([
    ['another action', `- uses: o/other@${commit} # v2.0.0`],
    ['another commit', `- uses: o/known@${other} # v2.0.0`],
    ['another version', `- uses: 'o/known@${commit}' # v2.1.0`],
    ['a tag', '- uses: o/known@v2'],
    ['a folder of the action', `- uses: o/known/save@${commit} # v2.0.0`],
  ])('A pin with %s than the table has is found', (_what, line) => {
    expect(
      findUnknownPins('page.md', `- uses: o/known@${commit} # v2.0.0\n${line}\n`, known),
    ).toHaveLength(1);
  });

  it.each(['node20', 'node16', 'docker'])('An action that runs on %s is found', (using) => {
    expect(findOldRuntimes([{ action: 'o/a', version: 'v1.0.0', commit, using }])).toEqual([
      `o/a v1.0.0 runs on ${using} instead of node24`,
    ]);
  });

  it('A composite action that uses an action on Node.js 20 is found', () => {
    const step = { action: 'o/step', version: 'v1.0.0', commit, using: 'node20' };
    const composite = {
      action: 'o/a',
      version: 'v1.0.0',
      commit: other,
      using: 'composite',
      steps: [`o/step@${commit}`],
    };
    expect(findOldRuntimes([step, composite])).toHaveLength(2);
    expect(findOldRuntimes([{ ...step, using: 'node24' }, composite])).toEqual([]);
  });
});

describe('the Node.js that npm installs', () => {
  it('Node.js for Linux is installed only on systems with glibc, on which it runs', () => {
    const lock = z.object({
      packages: z.record(
        z.string(),
        z.object({ os: z.optional(z.unknown()), libc: z.optional(z.unknown()) }),
      ),
    });
    const { packages } = lock.parse(
      JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')),
    );
    const forLinux = Object.entries(packages).filter(([path]) =>
      /^node_modules\/node-(?:bin-)?linux-/.test(path),
    );
    expect(forLinux.length).toBeGreaterThan(0);
    for (const [path, { os, libc }] of forLinux)
      expect([path, os, libc]).toEqual([path, 'linux', 'glibc']);
  });
});
