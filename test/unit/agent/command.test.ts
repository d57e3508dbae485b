import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCommand } from '../../../src/agent/command.ts';

const SHA = 'a'.repeat(40);
const read = (body: string) => readCommand(body, '/docs-agent');
const instruction = (text: string, more: object = {}) => ({
  kind: 'instruction',
  text,
  jobId: undefined,
  sha: undefined,
  ...more,
});

test.each([
  ['/docs-agent document it', instruction('document it')],
  ['/docs-agent\tdocument it  ', instruction('document it')],
  ['/docs-agent\r\ndocument\r\nit', instruction('document\r\nit')],
  ['/docs-agent --job j-1 document it', instruction('document it', { jobId: 'j-1' })],
  ['/docs-agent --job=j-1\ndocument it', instruction('document it', { jobId: 'j-1' })],
  [`/docs-agent --sha ${SHA.toUpperCase()} document it`, instruction('document it', { sha: SHA })],
  [`/docs-agent --sha=${SHA} --job j-1 document it`, instruction('document it', { sha: SHA, jobId: 'j-1' })],
  ['/docs-agent document the --job flag', instruction('document the --job flag')],
  ['/docs-agent -- --json needs a page', instruction('--json needs a page')],
  ['/docs-agent --job j-1 -- --json needs a page', instruction('--json needs a page', { jobId: 'j-1' })],
  ['/docs-agent - in both guides', instruction('- in both guides')],
  ['/docs-agent', { kind: 'help' }],
  ['/docs-agent  \n', { kind: 'help' }],
  ['/docs-agent help', { kind: 'help' }],
  ['/docs-agent --job j-1', { kind: 'help' }],
])('The comment %j is a command', (body, command) => {
  expect(read(body)).toEqual(command);
});

const NO_ID = 'is not a job id: an id has 1 to 128 letters, digits, dots, underscores, tildes or hyphens.';
const NO_DIGIT =
  'is not a job id: an id has at least one digit. Write --job ID before the instruction, or leave --job out.';
const LIST = 'The options are --job ID and --sha COMMIT. If it belongs to the instruction, write -- before it.';

test.each([
  ['--job ../x go', `"../x" ${NO_ID}`],
  ['--job .. go', `".." ${NO_ID}`],
  ['--job a/b go', `"a/b" ${NO_ID}`],
  ['--job %2e go', `"%2e" ${NO_ID}`],
  ['--job fix it', `"fix" ${NO_DIGIT}`],
  ['--job', '--job needs the id of an agent job. The dashboard of the platform shows it.'],
  ['--job=\ngo', '--job needs the id of an agent job. The dashboard of the platform shows it.'],
  ['--job j-1 --job j-2 go', '--job is given twice.'],
  ['--jobs x', `"--jobs" is not an option. Did you mean --job? ${LIST}`],
  ['--dry-run go', `"--dry-run" is not an option. ${LIST}`],
  ['--sha', '--sha needs a commit: write all 40 hexadecimal digits of the head commit.'],
  ['--sha abc123 go', '"abc123" is not a full commit: write all 40 hexadecimal digits of the head commit.'],
  ['\u2014job j-1 go', '"\u2014job" begins with a long dash. Write --job.'],
])('The command /docs-agent %s is refused with what to write', (rest, reason) => {
  expect(read(`/docs-agent ${rest}`)).toEqual({ kind: 'wrong', reason });
});

test('An id that is too long is refused', () => {
  expect(read(`/docs-agent --job ${'a1'.repeat(65)} go`)).toMatchObject({ kind: 'wrong' });
});

test.each([
  [' /docs-agent go', '/docs-agent'],
  ['/Docs-Agent go', '/Docs-Agent'],
  ['@docs-agent go', '@docs-agent'],
  ['Thanks!\n\n/docs-agent go', '/docs-agent'],
  ['\n/docs-agent go', '/docs-agent'],
  ['/docs-agnet go', '/docs-agnet'],
  ['/docs-agents go', '/docs-agents'],
  ['/docs-agent: go', '/docs-agent:'],
  ['/d\u043ecs-agent go', '/d\u043ecs-agent'],
  ['\u200b/docs-agent go', '/docs-agent'],
  ['/docs\u200b-agent go', '/docs-agent'],
  ['\ufeff/docs-agent go', '/docs-agent'],
])('The comment %j is not a command, but probably meant as one', (body, seen) => {
  expect(read(body)).toEqual({ kind: 'near', seen });
});

test.each([
  '> /docs-agent go',
  '```\n/docs-agent go\n```',
  '~~~~\n```\n/docs-agent go\n~~~~',
  '    /docs-agent go',
  '\t/docs-agent go',
  '<!-- x -->/docs-agent go',
  'hey /docs-agent go',
  '`/docs-agent` go',
  'The docs-agent did well.',
  'Looks good.\n/docs-agnet',
  '/deploy now',
  '@maya please look',
  '',
])('The comment %j is neither a command nor meant as one', (body) => {
  expect(read(body)).toEqual({ kind: 'none' });
});

test('A closed fence hides no line after it', () => {
  expect(read('```\ncode\n```\n/docs-agent go')).toMatchObject({ kind: 'near' });
});

test('A command starts at the beginning of a comment, and is followed by white space', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      (before, after) => {
        fc.pre(!before.startsWith('/docs-agent'));
        expect(['none', 'near']).toContain(read(`${before}/docs-agent ${after}`).kind);
        fc.pre(!/^[ \t\r\n]/.test(before));
        expect(['none', 'near']).toContain(read(`/docs-agent${before}${after}`).kind);
      },
    ),
  );
});
