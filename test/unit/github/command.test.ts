import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCommand } from '../../../src/modes/agent/command.ts';

const read = (body: string) => readCommand(body, '/docs-agent');

test.each([
  ['/docs-agent document it', { kind: 'instruction', text: 'document it', jobId: undefined }],
  ['/docs-agent\tdocument it  ', { kind: 'instruction', text: 'document it', jobId: undefined }],
  ['/docs-agent\r\ndocument\r\nit', { kind: 'instruction', text: 'document\r\nit', jobId: undefined }],
  ['/docs-agent --job j-1 document it', { kind: 'instruction', text: 'document it', jobId: 'j-1' }],
  ['/docs-agent --job=j-1\ndocument it', { kind: 'instruction', text: 'document it', jobId: 'j-1' }],
  ['/docs-agent document the --job flag', { kind: 'instruction', text: 'document the --job flag', jobId: undefined }],
  ['/docs-agent', { kind: 'help' }],
  ['/docs-agent  \n', { kind: 'help' }],
  ['/docs-agent help', { kind: 'help' }],
  ['/docs-agent --job j-1', { kind: 'help' }],
])('%j is a command', (body, command) => {
  expect(read(body)).toEqual(command);
});

test.each([
  '/docs-agent --job ../x go',
  '/docs-agent --job .. go',
  '/docs-agent --job a/b go',
  '/docs-agent --job %2e go',
  `/docs-agent --job ${'a'.repeat(129)} go`,
])('%j names no id', (body) => {
  expect(read(body)).toMatchObject({ kind: 'wrong' });
});

test.each([
  ' /docs-agent go',
  '> /docs-agent go',
  '```\n/docs-agent go\n```',
  '    /docs-agent go',
  '<!-- x -->/docs-agent go',
  'hey /docs-agent go',
  '/docs-agents go',
  '/docs-agent! go',
  '/Docs-agent go',
  '/d\u043ecs-agent go',
  '\u200b/docs-agent go',
  '/docs\u200b-agent go',
  '/docs-agent\u200b go',
  '\ufeff/docs-agent go',
  '/docs-agent\u00a0go',
  '\n/docs-agent go',
  '`/docs-agent` go',
  '',
])('%j is no command', (body) => {
  expect(read(body)).toEqual({ kind: 'none' });
});

test('nothing before the word, and nothing but white space after it, makes a command', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      (before, after) => {
        fc.pre(!before.startsWith('/docs-agent'));
        expect(read(`${before}/docs-agent ${after}`)).toEqual({ kind: 'none' });
        fc.pre(!/^[ \t\r\n]/.test(before));
        expect(read(`/docs-agent${before}${after}`)).toEqual({ kind: 'none' });
      },
    ),
  );
});
