import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCommand, sniff } from '../../src/agent/command.ts';
import { anyText } from '../support/any-text.ts';
import { measureGrowth } from '../support/growth.ts';
import { readMarkdown, instruction as shownText } from '../support/shown.ts';

const SHA = 'a'.repeat(40);
/** A text as its page shows it. */
const readText = (text: string) =>
  readCommand({ ...shownText(text), drawn: [], unknown: [] }, '/docs-agent');
const read = (body: string) => readCommand(readMarkdown(body), '/docs-agent');
const instruction = (text: string, more: object = {}) =>
  expect.objectContaining({ kind: 'instruction', text, jobId: undefined, sha: undefined, ...more });

test.each([
  ['/docs-agent document it', instruction('document it')],
  ['/docs-agent\tdocument it  ', instruction('document it')],
  ['/docs-agent\r\ndocument\r\nit', instruction('document\nit')],
  ['<!-- x -->/docs-agent document it', instruction('document it')],
  [
    '\\/docs\\-agent --job agt\\_job\\_1 document it',
    instruction('document it', { jobId: 'agt_job_1' }),
  ],
  ['**/docs-agent** document it', instruction('document it')],
  ['\n /docs-agent document it', instruction('document it')],
  ['/docs-agent document it\n---', instruction('document it')],
  ['/docs-agent --job j-1 document it', instruction('document it', { jobId: 'j-1' })],
  ['/docs-agent --job j-1\ndocument it', instruction('document it', { jobId: 'j-1' })],
  [`/docs-agent --sha ${SHA.toUpperCase()} document it`, instruction('document it', { sha: SHA })],
  [
    `/docs-agent --sha ${SHA} --job j-1 document it`,
    instruction('document it', { sha: SHA, jobId: 'j-1' }),
  ],
  ['/docs-agent document the --job flag', instruction('document the --job flag')],
  ['/docs-agent document `--job 12`', instruction('document `--job 12`')],
  ['/docs-agent show\n```\ncli --job 12\n```', instruction('show\n\n```\ncli --job 12\n```')],
  ['/docs-agent --job j-1 document --job 12', instruction('document --job 12', { jobId: 'j-1' })],
  ['/docs-agent - in both guides', instruction('- in both guides')],
  ['/docs-agent stop using tabs', instruction('stop using tabs')],
  ['/docs-agent help readers find it', instruction('help readers find it')],
  ['/docs-agent', { kind: 'help' }],
  ['/docs-agent  \n', { kind: 'help' }],
  ['/docs-agent help', { kind: 'help' }],
])('The comment %j is a command', (body, command) => {
  expect(read(body)).toEqual(command);
});

const NO_ID = 'is not a job id. Write --job ID; the dashboard of the platform shows the id.';
const NO_SHA =
  'is not a full commit. Write --sha SHA, with all 40 hexadecimal digits of the head commit.';
const late = (option: string) =>
  `${option} follows the text, and options come first: write it before the text. If it belongs to the instruction, write it as code, in backticks.`;
const THREE =
  'A command has --job ID, --sha SHA and the word help. An instruction does not begin with two hyphens.';

test.each([
  ['--job ../x go', `"../x" ${NO_ID}`],
  ['--job .. go', `".." ${NO_ID}`],
  ['--job a/b go', `"a/b" ${NO_ID}`],
  [`--job ${'a1'.repeat(65)} go`, `"${'a1'.repeat(29)}a…" ${NO_ID}`],
  ['--job', `"" ${NO_ID}`],
  ['--job j-1 --job j-2 go', '--job is given twice.'],
  ['--sha', `"" ${NO_SHA}`],
  ['--sha abc123 go', `"abc123" ${NO_SHA}`],
  ['--jobs x', `"--jobs" is not an option. ${THREE}`],
  ['--job=j-1 go', `"--job=j-1" is not an option. ${THREE}`],
  ['--dry-run go', `"--dry-run" is not an option. ${THREE}`],
  ['-- --json needs a page', `"--" is not an option. ${THREE}`],
  ['--job j-1 --json needs a page', `"--json" is not an option. ${THREE}`],
  ['--job j-1', 'The instruction is missing after the options.'],
  ['document it --job j-1', late('--job')],
  ['document it --job docs-main', late('--job')],
  ['document it\n--job=agt_1, please', late('--job')],
  [`--job j-1 document it --sha ${SHA}1`, late('--sha')],
  [`--job j-1 name --job j-2 on the page --sha ${SHA}1`, late('--sha')],
])('The command /docs-agent %s is refused with the forms that exist', (rest, reason) => {
  expect(read(`/docs-agent ${rest}`)).toEqual({ kind: 'wrong', reason });
});

test.each(['--job ', ' --job x', '"', '`', ' ', '\n-- ', '\n> ', '\nFrom: a', '\n1:00 <a@b>:\n'])(
  'A command with many times %j takes time that grows with its length, not faster',
  (piece) => {
    const text = `${piece.repeat(Math.floor(32_000 / piece.length))}y`;
    expect(measureGrowth((part) => readText(`/docs-agent x${part}y`), text)).toBeLessThan(6);
  },
);

test.each([
  ['a no-break space behind the word', '/docs-agent\u00a0go'],
  ['a narrow no-break space behind the word', '/docs-agent\u202fgo'],
  ['an en space behind the word', '/docs-agent\u2002go'],
  ['a word joiner behind a space', '/docs-agent \u2060go'],
  ['a byte order mark in front of the word', '\ufeff/docs-agent go'],
  ['a left-to-right mark in front of the word', '\u200e/docs-agent go'],
  ['an ideographic space on both sides of the word', '\u3000/docs-agent\u3000go'],
])('A blank that looks like a space, or like nothing, counts as one: %s', (_name, body) => {
  expect(read(body)).toEqual(instruction('go'));
});

test('Options may be separated by no-break spaces', () => {
  expect(read('/docs-agent\u00a0--job\u00a0j-1\u00a0go')).toEqual(
    instruction('go', { jobId: 'j-1' }),
  );
});

test.each([
  ['Nice work! /docs-agent go', '/docs-agent'],
  ['Thanks, /docs-agent go', '/docs-agent'],
  ['@maya /docs-agent go', '/docs-agent'],
  ['👍 /docs-agent go', '/docs-agent'],
  ['@docs-agent go', '@docs-agent'],
  ['/Docs-Agent go', '/Docs-Agent'],
  ['Thanks!\n\n/docs-agent go', '/docs-agent'],
  ['/docs-agnet go', '/docs-agnet'],
  ['/docs-agents go', '/docs-agents'],
  ['/docs-agent: go', '/docs-agent:'],
  ['/d\u043ecs-agent go', '/d\u043ecs-agent'],
])('The comment %j is not a command, but probably meant as one', (body, seen) => {
  expect(read(body)).toEqual({ kind: 'near', seen });
});

test.each([
  '> /docs-agent go',
  '```\n/docs-agent go\n```',
  '~~~~\n```\n/docs-agent go\n~~~~',
  '    /docs-agent go',
  '\t/docs-agent go',
  '`/docs-agent` go',
  'The docs-agent did well.',
  'docs-agent go',
  'The command `/docs-agent go` did well. `/docs-agent go`',
  'See /docs-agent for this.',
  'Looks good.\n/docs-agnet',
  '/deploy now',
  '',
])('The comment %j is neither a command nor meant as one', (body) => {
  expect(read(body)).toEqual({ kind: 'none' });
});

test('A closed fence hides no line after it', () => {
  expect(read('```\ncode\n```\n/docs-agent go')).toMatchObject({ kind: 'near' });
});

test.each([
  [
    'two jobs',
    '/docs-agent --job j-1 document it\n\n/docs-agent --job j-2 shorten it',
    '/docs-agent --job j-2 shorten it',
  ],
  [
    'a blank in front of the second',
    '/docs-agent document it\n  /docs-agent shorten it',
    '/docs-agent shorten it',
  ],
  [
    'help and an instruction',
    '/docs-agent help\n/docs-agent\u00a0document it',
    '/docs-agent document it',
  ],
  [
    'a second one behind a block of code',
    '/docs-agent a\n```\n/docs-agent help\n```\n/docs-agent b',
    '/docs-agent b',
  ],
])('Two commands in one comment are refused: %s', (_name, body, line) => {
  const reason = expect.stringContaining(`The comment has a second command: "${line}".`);
  expect(read(body)).toEqual({ kind: 'wrong', reason });
});

test.each([
  ['a fence of tildes', '/docs-agent show this:\n~~~sh\n/docs-agent help\n~~~'],
  ['an indented block', '/docs-agent show this:\n\n    /docs-agent help'],
  ['a quotation', '/docs-agent answer this:\n> /docs-agent help'],
  ['a sentence', '/docs-agent say that\n`/docs-agent help` shows the usage'],
  ['a longer word', '/docs-agent list these:\n/docs-agents'],
])('The word in the text of an instruction is text: %s', (_name, body) => {
  expect(read(body)).toMatchObject({ kind: 'instruction' });
});

test('A command starts at the beginning of a comment, and is followed by a blank', () => {
  const blank = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
  fc.assert(
    fc.property(
      anyText({ minLength: 1, maxLength: 30 }),
      anyText({ maxLength: 30 }),
      (before, after) => {
        fc.pre(!before.startsWith('/docs-agent') && !blank.test(before));
        expect(['none', 'near']).toContain(readText(`${before}/docs-agent ${after}`).kind);
        expect(['none', 'near']).toContain(readText(`/docs-agent${before}${after}`).kind);
      },
    ),
  );
});

test.each([
  ['/docs-agent go', 'command'],
  ['\u200e/docs-agent go', 'command'],
  ['/docs-agnet go', 'near'],
  ['/docs\u200b-agent go', 'near'],
  ['Nice! /docs-agent go', 'near'],
  ['@docs-agent go', 'near'],
  ['See /docs-agent for this.', 'none'],
  ['> /docs-agent go', 'none'],
  ['    /docs-agent go', 'none'],
  ['<!-- x -->/docs-agent go', 'near'],
  ['**/docs\\-agent** go', 'near'],
  ['Looks good.\n/docs-agnet', 'none'],
  ['/deploy now', 'none'],
  ['', 'none'],
])('By its source, without a request, the comment %j is: %s', (source, kind) => {
  expect(sniff(source, '/docs-agent')).toBe(kind);
});

test.each([
  ['```mermaid\nA --> B\n```', 'has a diagram. The page draws it'],
  ['$a^2$ and\n\n```stl\nx\n```', 'has a formula and a 3D model. The page draws it'],
  ['<i hidden>x</i>', 'no visible text: left out are hidden elements.'],
  ['<details>x</details>', 'no visible text: left out are folded parts.'],
])('The instruction %j is refused with what is wrong', (text, reason) => {
  const command = read(`/docs-agent ${text.startsWith('`') ? '\n' : ''}${text}`);
  expect(command).toEqual({ kind: 'wrong', reason: expect.stringContaining(reason) });
});
