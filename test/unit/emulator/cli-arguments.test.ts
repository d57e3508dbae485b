import { expect, test } from 'vitest';
import { readArguments } from '../../../src/emulator/cli-arguments.ts';

test('every option is read', () => {
  const args =
    '--site a=x --site b=y=z --port 8080 --link-lifetime 2h --export-duration 500ms --agent-job j=https://github.com/o/r@main --agent-job k=https://github.com/o/r --admin-key svc_a --assistant-key svc_dsc_b --quiet';
  expect(readArguments(args.split(' '))).toMatchObject({
    sites: { a: 'x', b: 'y=z' },
    port: 8080,
    linkLifetimeMs: 7_200_000,
    exportDurationMs: 500,
    agentDurationMs: 20_000,
    agentJobs: [
      { id: 'j', source: { repository: 'https://github.com/o/r', ref: 'main' } },
      { id: 'k', source: { repository: 'https://github.com/o/r', ref: null } },
    ],
    adminKey: 'svc_a',
    assistantKey: 'svc_dsc_b',
    quiet: true,
  });
});

test.each([
  [[], '--site'],
  [['--site', 'acme'], '--site'],
  [['--site', 'a.b=x'], '--site'],
  [['--site', 'a=x', '--site', 'a=y'], 'twice'],
  [['--site', 'a=x', '--port', '70000'], '--port'],
  [['--site', 'a=x', '--link-lifetime', '1 hour'], '--link-lifetime'],
  [['--site', 'a=x', '--agent-job', 'j'], '--agent-job'],
  [['--site', 'a=x', '--agent-job', '..=https://github.com/o/r'], '--agent-job'],
  [['--site', 'a=x', '--nope'], '--nope'],
])('%j is refused with a message that names it', (args, named) => {
  expect(() => readArguments(args)).toThrow(named);
});

test('a key of the wrong kind is refused without being repeated', () => {
  const read = () => readArguments(['--site', 'a=x', '--admin-key', 'svc_dsc_SECRET']);
  expect(read).toThrow('--admin-key');
  expect(read).not.toThrow('SECRET');
});
