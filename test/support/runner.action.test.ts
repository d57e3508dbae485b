import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runJob, runStep, type StepOptions, startStep } from './runner.ts';

let folder = '';
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fake-action-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An action from these lines of JavaScript, with its own action.yml. */
async function fakeAction(source: string, inputs = 'inputs: {}'): Promise<Pick<StepOptions, 'actionFile' | 'inputs'>> {
  const name = `action-${++count}`;
  await writeFile(
    join(folder, `${name}.mjs`),
    `import { appendFileSync as append, writeFileSync as write } from 'node:fs';\n${source}`,
  );
  await writeFile(join(folder, `${name}.yml`), `${inputs}\nruns:\n  using: node24\n  main: ${name}.mjs\n`);
  return { actionFile: join(folder, `${name}.yml`), inputs: {} };
}

const INPUTS = `inputs:
  secret-name: { description: x }
  two words: { default: 'a b' }
  token: { default: '\${{ github.token }}' }
  number: { default: 7 }`;

describe('the environment of a step', () => {
  test('A step has its inputs in upper case with hyphens kept, spaces as underscores, and defaults filled in', async () => {
    const action = await fakeAction(`console.log(JSON.stringify(process.env))`, INPUTS);
    const { stdout } = await runStep({
      ...action,
      inputs: { 'secret-name': 'LINK', Unknown: 'x' },
      githubToken: 'ghs_t',
    });
    expect(JSON.parse(stdout)).toMatchObject({
      'INPUT_SECRET-NAME': 'LINK',
      INPUT_TWO_WORDS: 'a b',
      INPUT_TOKEN: 'ghs_t',
      INPUT_NUMBER: '7',
      INPUT_UNKNOWN: 'x',
    });
  });

  test('A step inherits only PATH, HOME and where compiled modules are, and given variables replace its own', async () => {
    const action = await fakeAction(`console.log(JSON.stringify(process.env))`);
    const names = Object.keys(JSON.parse((await runStep(action)).stdout));
    const foreign = names.filter((name) => !/^(GITHUB|RUNNER)_/.test(name));
    expect(foreign.sort()).toEqual(['CI', 'HOME', 'NODE_COMPILE_CACHE', 'PATH']);
    const { stdout } = await runStep({ ...action, env: { GITHUB_API_URL: 'http://x', MORE: '1' }, debug: true });
    expect(JSON.parse(stdout)).toMatchObject({ GITHUB_API_URL: 'http://x', MORE: '1', RUNNER_DEBUG: '1' });
  });

  test('A step has the event in a file, or no file, and runs with Node 24', async () => {
    const action = await fakeAction(`
      import { existsSync, readFileSync } from 'node:fs';
      const path = process.env.GITHUB_EVENT_PATH;
      console.log(process.version, existsSync(path) ? readFileSync(path, 'utf8') : 'no event');`);
    expect((await runStep({ ...action, event: { action: 'created' } })).stdout).toMatch(
      /^v24\..* \{"action":"created"\}/,
    );
    expect((await runStep({ ...action, event: 'not JSON' })).stdout).toContain('not JSON');
    expect((await runStep({ ...action, event: null })).stdout).toContain('no event');
    expect((await runStep(action)).stdout).toContain('"ref":"refs/heads/main"');
  });
});

describe('the result of a step', () => {
  test('A step returns outputs, state, exported variables and an exit code', async () => {
    const action = await fakeAction(`
      append(process.env.GITHUB_OUTPUT, 'a=1\\nb<<E\\nx\\ny\\nE\\n');
      append(process.env.GITHUB_STATE, 's=1\\n');
      append(process.env.GITHUB_ENV, 'V=1\\n');
      append(process.env.GITHUB_PATH, '/opt/bin\\n');
      process.exitCode = 3;
      // Long enough for a sample of its memory, also on a busy machine.
      setTimeout(() => {}, 1500);`);
    const result = await runStep(action);
    expect(result).toMatchObject({
      exitCode: 3,
      outputs: { a: '1', b: 'x\ny' },
      state: { s: '1' },
      exported: { V: '1' },
      paths: ['/opt/bin'],
      violations: [],
    });
    expect(result.peakRssBytes).toBeGreaterThan(10 * 1024 * 1024);
    expect(result.elapsedMs).toBeGreaterThan(10);
  });

  test('A malformed output file is an error, as on the runner', async () => {
    const action = await fakeAction(`append(process.env.GITHUB_OUTPUT, 'good=1\\nbad\\n')`);
    const { outputs, violations, log } = await runStep(action);
    expect(outputs).toEqual({ good: '1' });
    expect(violations).toHaveLength(1);
    expect(log).toContain("##[error]Unable to process file command 'output'");
  });

  test('Known secrets and masked values are hidden on both streams and in the summary', async () => {
    const action = await fakeAction(`
      console.log('::add-mask::masked-value');
      console.log('out masked-value stored-secret');
      await new Promise((done) => setTimeout(done, 50));
      console.error('err masked-value');
      append(process.env.GITHUB_STEP_SUMMARY, '# masked-value\\nstored-secret\\n');`);
    const result = await runStep({ ...action, secrets: ['stored-secret'] });
    expect(result.log).toBe('out *** ***\nerr ***');
    expect(result.summary).toBe('# ***\n***\n');
    expect(result.rawSummary).toContain('masked-value');
    expect(result.masks).toEqual(['masked-value']);
    expect(result.commands.map((one) => one.name)).toEqual(['add-mask']);
  });

  test('A job output that contains a masked value is dropped, whenever the mask was added', async () => {
    const action = await fakeAction(`
      append(process.env.GITHUB_OUTPUT, 'link=https://x/?sig=masked-value\\nid=job-1\\nempty=\\n');
      console.log('::add-mask::masked-value');`);
    const result = await runStep(action);
    expect(result.outputs.link).toBe('https://x/?sig=masked-value');
    expect(result.jobOutputs({ url: 'link', job: 'id', none: 'empty', missing: 'no' })).toEqual({
      outputs: { job: 'job-1' },
      dropped: ['url'],
    });
  });

  test('A summary over 1 MiB is lost, one of exactly 1 MiB is kept', async () => {
    const action = await fakeAction(`append(process.env.GITHUB_STEP_SUMMARY, 'x'.repeat(Number(process.env.SIZE)))`);
    const [kept, lost] = [
      await runStep({ ...action, env: { SIZE: '1048576' } }),
      await runStep({ ...action, env: { SIZE: '1048577' } }),
    ];
    expect(kept.summary).toHaveLength(1048576);
    expect(lost.summary).toBe('');
    expect(lost.violations).toEqual([expect.stringContaining('GITHUB_STEP_SUMMARY upload aborted')]);
  });

  test('Ten annotations of each type are kept', async () => {
    const action = await fakeAction(`
      for (let i = 0; i < 12; i++) console.log('::warning file=a.md,line=' + i + '::w' + i);
      console.log('::error::e');`);
    const { annotations, annotationCount } = await runStep(action);
    expect(annotations.map((one) => one.message)).toEqual([...Array.from({ length: 10 }, (_, i) => `w${i}`), 'e']);
    expect(annotationCount).toBe(13);
  });

  test('Files that stay in RUNNER_TEMP are reported with their text before they are removed', async () => {
    const action = await fakeAction(`
      import { mkdirSync } from 'node:fs';
      mkdirSync(process.env.RUNNER_TEMP + '/left');
      write(process.env.RUNNER_TEMP + '/left/report.json', '{}');
      console.log(process.env.RUNNER_TEMP);`);
    const result = await runStep(action);
    expect(result.tempFiles).toEqual(['left/', 'left/report.json']);
    expect(result.tempTexts).toEqual({ 'left/report.json': '{}' });
    await expect(readFile(join(result.stdout.trim(), 'left/report.json'))).rejects.toThrow('ENOENT');
  });
});

describe('cancelling', () => {
  const stubborn = `
    for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => console.log('got ' + name));
    setInterval(() => {}, 1000);
    append(process.env.GITHUB_OUTPUT, 'job-id=1\\n');
    console.log('ready');`;
  const signalAfter: StepOptions['signalAfter'] = (step) => step.stdout.includes('ready');

  test('A cancelled step gets SIGINT, then SIGTERM, then SIGKILL', async () => {
    const action = await fakeAction(stubborn);
    const result = await runStep({ ...action, signalAfter, cancelTiming: { interruptMs: 800, terminateMs: 800 } });
    expect(result.stdout).toBe('ready\ngot SIGINT\ngot SIGTERM\n');
    expect([result.signal, result.outputs]).toEqual(['SIGKILL', { 'job-id': '1' }]);
    expect(result.cancelledAfterMs).toBeGreaterThan(1500);
    expect(result.cancelledAfterMs).toBeLessThan(10_000);
  });

  test('Cancelling ends when the step obeys the first signal', async () => {
    const action = await fakeAction(`
      process.on('SIGINT', () => process.exit(1));
      setInterval(() => {}, 1000);
      console.log('ready');`);
    const result = await runStep({ ...action, signalAfter });
    expect(result).toMatchObject({ exitCode: 1, signal: null });
    // The second signal would come after 7.5 s.
    expect(result.cancelledAfterMs).toBeLessThan(7000);
  });

  test('A step is cancelled when its time is over', async () => {
    const action = await fakeAction(`setInterval(() => {}, 1000)`);
    const result = await runStep({ ...action, timeoutMs: 200 });
    expect(result.signal).toBe('SIGINT');
  });

  test('A step can be cancelled manually, with a look at its results so far', async () => {
    const step = await startStep(await fakeAction(stubborn));
    while (!step.stdout.includes('ready')) await new Promise((done) => setTimeout(done, 10));
    expect(step.outputsSoFar()).toEqual({ 'job-id': '1' });
    step.kill('SIGKILL');
    expect(await step.done).toMatchObject({ exitCode: null, signal: 'SIGKILL', cancelledAfterMs: undefined });
  });
});

describe('a job', () => {
  test('A job passes outputs, files, masks and variables between steps, and clean outputs to the next job', async () => {
    const first = await fakeAction(`
      console.log('::add-mask::the-signature');
      append(process.env.GITHUB_OUTPUT, 'link=https://x/?s=the-signature\\njob-id=j1\\n');
      append(process.env.GITHUB_ENV, 'SHARED=yes\\n');
      write('note.txt', 'from the first step');`);
    const second = await fakeAction(
      `
      import { readFileSync } from 'node:fs';
      console.log(process.env.INPUT_LINK, process.env.SHARED, readFileSync('note.txt', 'utf8'));`,
      'inputs: { link: {} }',
    );
    const job = await runJob({
      steps: [first, (earlier) => ({ ...second, inputs: { link: earlier[0]?.outputs.link ?? '' } })],
      outputs: { url: { step: 0, output: 'link' }, job: { step: 0, output: 'job-id' } },
    });
    expect(job.conclusion).toBe('success');
    expect(job.steps[1]?.stdout).toBe('https://x/?s=the-signature yes from the first step\n');
    expect(job.steps[1]?.log).toBe('https://x/?s=*** yes from the first step');
    expect([job.outputs, job.dropped]).toEqual([{ job: 'j1' }, ['url']]);
  });

  test('A job ends at the first step that fails', async () => {
    const fails = await fakeAction(`process.exitCode = 1`);
    const job = await runJob({ steps: [fails, fails] });
    expect([job.conclusion, job.steps.length]).toEqual(['failure', 1]);
  });
});
