import { expect, test } from 'vitest';
import { createLog } from '../../../src/ground/log.ts';
import { looksSecret, shownName } from '../../../src/ground/text/credentials.ts';
import {
  codeBlock,
  codeSpan,
  escapeMarkdown,
  inertLines,
  link,
  plainLine,
} from '../../../src/ground/text/escape.ts';
import { hideCredentials, printedJson } from '../../../src/ground/text/hide-credentials.ts';
import { parseJson } from '../../../src/ground/text/json.ts';
import { createRedact } from '../../../src/ground/text/redact.ts';

const letters = (count: number) => 'kQ4mZ8tW2v'.repeat(Math.ceil(count / 10)).slice(0, count);

/** As git and package managers print them, with the secret part. */
const FOREIGN = [
  [
    'a GitLab job token',
    `https://gitlab-ci-token:glcbt-64_${letters(20)}@git.acme.example/docs.git`,
    letters(20),
  ],
  [
    'a password without a digit',
    "fatal: unable to access 'https://kim:rosebud@git.acme.example/docs/'",
    'rosebud',
  ],
  ['a password with an at sign', 'ssh://kim:p@zebra-7@git.acme.example/docs', 'zebra'],
  ['a password with a slash', 'https://kim-at-123:qW3r/tY5u=@git.acme.example/v1/repos', 'tY5u'],
  [
    'a token instead of a user name',
    `https://${letters(52)}@dev.acme.example/docs/_git/docs`,
    letters(52),
  ],
  [
    'a token with a password that is none',
    `https://${letters(40)}:x-oauth-basic@git.acme.example`,
    letters(40),
  ],
  ['a token in a query', `https://git.acme.example/a?private_token=${letters(20)}`, letters(20)],
  ['an npm token', `//registry.acme.example/:_authToken=npm_${letters(36)}`, letters(36)],
] as const;

test.each(FOREIGN)('No function that shows foreign text shows %s', (_name, text, secret) => {
  const shown = [
    ...inertLines(text),
    plainLine(text),
    // Cut in the middle of the secret.
    plainLine(text, text.indexOf(secret) + 5),
    escapeMarkdown(text),
    codeSpan(text),
    codeBlock(text),
    link('open', text),
    printedJson({ job: { error: text } }),
    hideCredentials(text),
  ];
  for (const one of shown) expect(one.replaceAll('\\', '')).not.toContain(secret.slice(0, 5));
  const lines: string[] = [];
  const line = (shown: string) => lines.push(shown);
  const nothing = () => undefined;
  const sink = { info: line, notice: line, warning: line, error: line, startGroup: line };
  const log = createLog({ ...sink, endGroup: nothing, setSecret: nothing });
  log.info(text);
  log.error(text);
  log.block('What it printed:', text);
  expect(lines.join('\n')).not.toContain(secret.slice(0, 5));
  expect(log.redact(text)).not.toContain(secret.slice(0, 5));
});

test.each([
  'ssh://git@git.acme.example/docs.git',
  'https://kim@git.acme.example/docs',
  'http://127.0.0.1:8080/@acme/docs@2',
  'https://user:password@example.com/path',
  'https://oauth2:$TOKEN@git.acme.example',
  'postgres://postgres:postgres@localhost:5432/docs',
  'Kim <kim@acme.example>: see https://acme.example/a',
  'commit 3f9a1c7e5b2d80463f9a1c7e5b2d80463f9a1c7e',
])('This is shown as it is: %s', (text) => {
  expect(hideCredentials(text)).toBe(text);
});

test('JSON that is printed has no command of a CI system, and the same meaning', () => {
  const value = {
    title: '##vso[task.setvariable variable=a]b',
    other: ['x ##[group]', '### Title', '##teamcity[a]'],
  };
  const text = printedJson(value);
  expect(text).not.toMatch(/##[a-z]*\[/);
  expect(parseJson(text)).toEqual(value);
});

const KEY = 'svc_7fQx2LmN9pRt4VwZ8bKd';

test.each([
  ['without its prefix', KEY.slice(4)],
  ['with a colour between', `${KEY.slice(0, 9)}\u001b[1;31m${KEY.slice(9)}\u001b[0m`],
  [
    'with a colour that JSON escapes',
    JSON.stringify(`${KEY.slice(0, 9)}\u001b[38;5;1m${KEY.slice(9)}`),
  ],
  ['as base64 of base64', Buffer.from(Buffer.from(KEY).toString('base64')).toString('base64')],
  [
    'as base64 of base64, of a longer text',
    Buffer.from(Buffer.from(`kim:${KEY}\n`).toString('base64')).toString('base64'),
  ],
])('A key is replaced %s', (_name, text) => {
  const shown = createRedact([KEY])(`it is ${text} here`);
  expect(shown).toContain('***');
  expect(shown.replace(/\W/g, '').length).toBeLessThan(40);
});

test('Base64 of another value stays', () => {
  const text = Buffer.from('YWJjZGVmZ2g=').toString('base64');
  expect(createRedact([KEY])(text)).toBe(text);
});

test.each([
  'kQ4mZ8tW2v/kQ4mZ8tW2v+kQ4mZ8tW2vkQ4mZ8tW',
  '/Q4mZ8tW2v/kQ4mZ8tW2v+kQ4mZ8tW2vkQ4mZ8tW',
  `site/${'aB3+dE5/'.repeat(5)}`,
  '/tmp/svc_q4Tz9k1Wb7x2Yp0m',
])('The name %s may be a key, so that no message repeats it', (name) => {
  expect(looksSecret(name)).toBe(true);
  expect(shownName(name)).toBe('***');
});

test.each([
  'docs/guides/GettingStarted/WithTheCommandLine/index',
  'src/main/java/com/acme/docs/DocumentationBuilder',
  'build/2026/11/26/site1/part2/output3/final4/docs',
  '/tmp/docs-courier-q4Tz9k1Wb7x2/site',
  './runner-4f9a-7be2-11c3/public',
])('The path %s is repeated', (name) => {
  expect(shownName(name)).toBe(name);
});
