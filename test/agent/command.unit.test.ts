import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCommand } from '../../src/agent/command.ts';
import { anyText } from '../support/any-text.ts';
import { measureGrowth } from '../support/growth.ts';

const SHA = 'a'.repeat(40);
const read = (body: string) => readCommand(body, '/docs-agent');
const instruction = (text: string, more: object = {}) =>
  expect.objectContaining({ kind: 'instruction', text, jobId: undefined, sha: undefined, ...more });

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
  ['/docs-agent -- stop', instruction('stop')],
  ['/docs-agent -- help', instruction('help')],
  ['/docs-agent stop using tabs', instruction('stop using tabs')],
  ['/docs-agent document the `--job 42` flag', instruction('document the `--job 42` flag')],
  ['/docs-agent -- document --job 42', instruction('document --job 42')],
  ['/docs-agent --job j-1 document --job 42', instruction('document --job 42', { jobId: 'j-1' })],
  ['/docs-agent explain how --job is used in 2026', instruction('explain how --job is used in 2026')],
  ['/docs-agent ?', { kind: 'help' }],
  ['/docs-agent', { kind: 'help' }],
  ['/docs-agent  \n', { kind: 'help' }],
  ['/docs-agent help', { kind: 'help' }],
])('The comment %j is a command', (body, command) => {
  expect(read(body)).toEqual(command);
});

const NO_ID = 'is not a job id: an id has 1 to 128 letters, digits, dots, underscores, tildes or hyphens.';
const UNQUOTED = 'Write the id without quotes or brackets: --job j-1.';
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
  ['-j job-1 go', `"-j" is not an option. Did you mean --job? ${LIST}`],
  ['-S=abc go', `"-S" is not an option. Did you mean --sha? ${LIST}`],
  ['-v', `"-v" is not an option. ${LIST}`],
  ['--sha', '--sha needs a commit: write all 40 hexadecimal digits of the head commit.'],
  ['--sha abc123 go', '"abc123" is not a full commit: write all 40 hexadecimal digits of the head commit.'],
  ['\u2014job j-1 go', '"\u2014job" begins with a long dash. Write --job.'],
  ['--job "j-1" go', UNQUOTED],
  ["--job='j-1' go", UNQUOTED],
  ['--job \u201cj-1\u201d go', UNQUOTED],
  ['--job `j-1` go', UNQUOTED],
  ['--job j-1, go', UNQUOTED],
  ['--job fix: it', `"fix:" ${NO_ID}`],
  [
    '--job https://app.example.com/acme/agent/j-1?tab=log go',
    '"https://app.example.com/acme/agent/j-1?tab=log" is an address. The id of the job is its last part: write --job j-1.',
  ],
  [
    '--dry-run go',
    `"--dry-run" is an input of the workflow's step, and not an option of a comment: leave it out. The options are --job ID and --sha COMMIT. If it belongs to the instruction, write -- before it.`,
  ],
])('The command /docs-agent %s is refused with what to write', (rest, reason) => {
  expect(read(`/docs-agent ${rest}`)).toEqual({ kind: 'wrong', reason });
});

test.each(['stop', 'cancel', 'status', 'retry', 'Stop!', 'STATUS?'])(
  'The word %s alone is not sent as an instruction; the answer shows how to send it',
  (word) => {
    const reason = expect.stringContaining(`"${word}" is not a command, so nothing was sent.`);
    expect(read(`/docs-agent ${word}`)).toEqual({ kind: 'wrong', reason, example: `/docs-agent -- ${word}` });
    const example = `/docs-agent --job j-1 -- ${word}`;
    expect(read(`/docs-agent --job j-1 ${word}\n`)).toEqual({ kind: 'wrong', reason, example });
    expect(read(example)).toEqual(instruction(word, { jobId: 'j-1' }));
  },
);

test.each([
  ['do it --job j-1', '--job j-1 do it'],
  ['do it --job=j-1', '--job j-1 do it'],
  ['do it --job "j-1".', '--job j-1 do it'],
  ['"--job j-1" do it', '--job j-1 do it'],
  ['\u201c--job j-1\u201d do it', '--job j-1 do it'],
  ['do it \u2014job j-1', '--job j-1 do it'],
  ['do it \u2013job j-1 please', '--job j-1 do it please'],
  ['do it --job https://app.example.com/agent/j-1/', '--job j-1 do it'],
  ['do it\n\nand more\n--job j-1', '--job j-1 do it\n\nand more'],
  [`--job j-1 do it --sha ${SHA}`, `--job j-1 --sha ${SHA} do it`],
])('The option in /docs-agent %j is not sent as text; the answer shows the right order', (rest, right) => {
  const example = `/docs-agent ${right}`;
  expect(read(`/docs-agent ${rest}`)).toMatchObject({ kind: 'wrong', example });
  expect(read(example)).toMatchObject({ kind: 'instruction' });
});

test('An instruction that is too long to be shown again gets an answer without it', () => {
  const command = read(`/docs-agent ${'word '.repeat(500)} --job j-1`);
  expect(command).toEqual({
    kind: 'wrong',
    reason: expect.stringContaining('The option --job comes before the instruction'),
  });
});

test.each(['--job ', ' --job x', ' --job "', ' --job 1', ' --sha a', '"', '`', '/?', ' '])(
  'A command with many times %j takes time that grows with its length, not faster',
  (piece) => {
    const text = `${piece.repeat(Math.floor(64_000 / piece.length))}y`;
    const work = (part: string) =>
      [`x${part}y`, `--job ${part}y`, `--job https://a/${part}y`].map((one) => read(`/docs-agent ${one}`));
    expect(measureGrowth(work, text)).toBeLessThan(4);
  },
);

test('A command with options alone is refused with the instruction that is missing', () => {
  const example = '/docs-agent --job j-1 document the new option';
  const reason = 'The instruction is missing after the options. Write, for example:';
  expect(read('/docs-agent --job j-1')).toEqual({ kind: 'wrong', reason, example });
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
  ['docs-agent: go', 'docs-agent:'],
  ['docs-agent go', 'docs-agent'],
  ['Please /docs-agent go', '/docs-agent'],
  ['hey, /docs-agent go', '/docs-agent'],
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
  '`/docs-agent` go',
  'The docs-agent did well.',
  'Looks good.\ndocs-agent did well.',
  'See /docs-agent for this.',
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
    fc.property(anyText({ minLength: 1, maxLength: 30 }), anyText({ maxLength: 30 }), (before, after) => {
      fc.pre(!before.startsWith('/docs-agent'));
      expect(['none', 'near']).toContain(read(`${before}/docs-agent ${after}`).kind);
      fc.pre(!/^[ \t\r\n]/.test(before));
      expect(['none', 'near']).toContain(read(`/docs-agent${before}${after}`).kind);
    }),
  );
});
