import { describe, expect, test } from 'vitest';
import { assertNoLeaks } from '../support/leaks.ts';
import type { StepResult } from '../support/runner.ts';
import {
  CANARIES,
  SECRET_INPUTS,
  startActionWorld,
  writtenBy,
} from '../support/world/built-action.ts';

const KEY = CANARIES['admin key'];
const TOKEN = CANARIES['secret token'];
const FORGED = 'forged-by-the-platform';

/**
 * Everything that a runner, a terminal or Markdown could interpret as something other than text.
 */
const COMMANDS = [
  `::set-output name=bundle-url::${FORGED}`,
  `   ::set-output name=job-id::${FORGED}`,
  `\u00a0::set-output name=status::${FORGED}`,
  `text ##[set-output name=bundle-url]${FORGED}`,
  `##[error]${FORGED}`,
  `::add-mask::e`,
  `::stop-commands::tok`,
  `::add-path::/tmp/${FORGED}`,
  `\r::save-state name=x::${FORGED}`,
  `\n::warning::${FORGED}`,
  `\u2028::set-env name=PATH::${FORGED}`,
  `\u0085::error::${FORGED}`,
  `\v::notice::${FORGED}\f##[debug]${FORGED}`,
  `\u001b[2K\u001b[1A${FORGED}\u202e`,
];
const MARKDOWN =
  '<img src=https://x.example/beacon> ![](https://x.example/b) @acme/owners #1 <script>alert(1)</script> ```\n# h';
const forms = (secret: string) =>
  [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret),
    Buffer.from(secret).toString('hex'),
  ].concat([0, 1, 2].map((shift) => Buffer.from('x'.repeat(shift) + secret).toString('base64')));
const ECHO = [...forms(KEY), ...forms(TOKEN)].join(' ');

/** Nothing that the platform said took effect as a command. */
function expectInert(result: StepResult): void {
  const effects = result.commands.filter(
    ({ name }) => !['add-mask', 'debug', 'group', 'endgroup', 'stop-commands'].includes(name),
  );
  for (const { name, data } of effects)
    expect(['error', 'warning', 'notice'], data).toContain(name);
  for (const { message } of result.annotations) expect(message.startsWith(FORGED)).toBe(false);
  expect(result.commands.some(({ name, data }) => name === 'add-mask' && data.length < 8)).toBe(
    false,
  );
  expect(result.commands.some(({ name, data }) => name === 'stop-commands' && data === 'tok')).toBe(
    false,
  );
  expect(result.violations).toEqual([]);
  expect(result.state).toEqual({});
  expect(result.exported).toEqual({});
  expect(result.paths).toEqual([]);
  expect(result.outputs['bundle-url'] ?? '').not.toContain(FORGED);
  expect(result.stdout + result.stderr).not.toMatch(/[\u001b\u202e\u2028\u0085\v\f]/);
  expect(result.rawSummary).not.toMatch(/<img|<script|!\[\]\(|@acme\/owners|(^|\s)#1\b/);
}

function expectNoLeak(result: StepResult): void {
  const link = result.outputs['bundle-url'] ?? '';
  const signature = link === '' ? undefined : new URL(link).searchParams.get('X-Signature');
  assertNoLeaks({ ...CANARIES, ...(signature ? { link, signature } : {}) }, writtenBy(result));
}

describe.concurrent('a platform that sends commands, markup and the keys of the run', () => {
  test('Hostile error texts fail the run and are made harmless, also in debug mode', async () => {
    await using world = await startActionWorld();
    world.platform.scriptNextExport({
      outcome: 'failed',
      error: `${COMMANDS.join(' ')} ${MARKDOWN} ${ECHO}`,
    });
    world.platform.inject({
      match: { method: 'POST', path: /jobs$/ },
      status: 429,
      headers: { 'retry-after': '0' },
      body: { error: `${COMMANDS[3]} ${ECHO} ${MARKDOWN}` },
    });
    world.github.inject({
      match: { path: 'public-key' },
      status: 502,
      body: { message: `${COMMANDS.join('\n')} ${ECHO}` },
    });
    const result = await world.step(SECRET_INPUTS, { debug: true });
    expect(result.exitCode).toBe(1);
    expect(result.outputs).toMatchObject({
      status: 'failed',
      'error-code': 'job-failed',
      'job-id': world.platform.exportJobs[0]?.jobId,
    });
    expect(result.annotations.filter(({ type }) => type === 'error')).toHaveLength(1);
    expectInert(result);
    expectNoLeak(result);
    expect(result.stdout).toContain('::debug::');
    expect(result.stdout).not.toMatch(/authorization|Bearer/i);
  });
});
