/**
 * The mistakes that nearly everyone makes in the first hour, each with the exact text that the log shows for it. The addresses of the
 * platform and of the documentation are short here: PLATFORM and DOCS.
 */
import { describe, expect, test } from 'vitest';
import { ADMIN_KEY, ASSISTANT_KEY, SECRET_TOKEN } from '../support/make-inputs.ts';
import { type Ended, FirstHour, type Step, WORKFLOW_TOKEN } from './step.ts';

type Given = Readonly<Record<string, string>>;

const SECRET = { to: 'github:secret/DOCS_BUNDLE_URL', 'secret-token': SECRET_TOKEN };
const MODES = 'export, refresh, rollback, agent, search, plan, doctor';
const KEY_LINE = 'admin-api-key: ${{ secrets.DOCS_ADMIN_API_KEY }}';
const SEE_CONFIG = 'See DOCS/reference/errors-setup.md#error-config';
const EMPTY =
  'A secret or variable that the step names is empty in this run if its name in the workflow is not spelled as in Settings > Secrets and variables > Actions; or it belongs to an environment, and the job does not name that environment (environment: NAME); or it belongs to the organization and is not shared with this repository; or the workflow is called by another one that does not pass it on (secrets: inherit).';

function wrongInputs(problems: readonly string[], lines: readonly string[] = [], advice = ''): string {
  const count = problems.length === 1 ? 'An input is wrong:' : `${problems.length} inputs are wrong:`;
  return [
    count,
    ...problems.map((problem) => `- ${problem}`),
    `Correct them; nothing was sent.${advice}`,
    ...(lines.length === 0 ? [] : ['with:', ...lines.map((line) => `  ${line}`)]),
    SEE_CONFIG,
  ].join('\n');
}

async function runOnce(make: (hour: FirstHour) => Step): Promise<Ended> {
  await using hour = await FirstHour.start();
  return await hour.run(make(hour));
}

const exportStep = (given: Given) => (hour: FirstHour) => ({
  inputs: { mode: 'export', ...hour.inputs, domain: 'acme.example.com', ...given },
});
const agentInputs = (hour: FirstHour, given: Given = {}) => ({
  ...{ mode: 'agent', ...hour.inputs, 'github-token': WORKFLOW_TOKEN, 'project-id': 'project-1' },
  ...given,
});

describe('the inputs of the step', () => {
  test.each<[string, Given, readonly string[], (readonly string[])?]>([
    [
      'base-url with /v1',
      { 'base-url': 'https://api.example.com/v1' },
      [
        'base-url: "https://api.example.com/v1" is not allowed; it must be the address that all paths of the API begin with; leave out /v1; write https://api.example.com',
      ],
      ['base-url: "https://api.example.com"'],
    ],
    [
      'base-url of the dashboard',
      { 'base-url': 'https://dashboard.example.com/acme' },
      [
        'base-url: "https://dashboard.example.com/acme" is not allowed; it must be the address of the API, not of the dashboard; the dashboard\'s API keys page shows it',
      ],
    ],
    [
      'a key with Bearer',
      { 'admin-api-key': `Bearer ${ADMIN_KEY}` },
      ['admin-api-key: the value is not allowed; it must be an admin API key alone; leave out "Bearer "'],
      [KEY_LINE],
    ],
    [
      'a key in quotes',
      { 'admin-api-key': `'${ADMIN_KEY}'` },
      ['admin-api-key: the value is not allowed; it must be an admin API key alone; leave out the quotes'],
      [KEY_LINE],
    ],
    [
      'a key with export X=',
      { 'admin-api-key': `export KEY=${ADMIN_KEY}` },
      ['admin-api-key: the value is not allowed; it must be an admin API key alone; leave out "export KEY="'],
      [KEY_LINE],
    ],
    ['no mode', { mode: '' }, [`mode is missing; it must be ${MODES}`], ['mode: export']],
    [
      'a mode in capitals',
      { mode: 'Export' },
      [`mode: "Export" is not allowed; it must be ${MODES}; write export`],
      ['mode: export'],
    ],
    [
      'a misspelled mode, which hides no other mistake',
      { mode: 'exprot', timeout: '30', secrettoken: 'x' },
      [
        `mode: "exprot" is not allowed; it must be ${MODES}; write export`,
        'The input "secrettoken" does not exist; did you mean secret-token?',
        'timeout: "30" is not allowed; it must be a duration; write 30m',
      ],
      ['mode: export', 'timeout: 30m'],
    ],
    [
      'a timeout without a unit',
      { timeout: '30' },
      ['timeout: "30" is not allowed; it must be a duration; write 30m'],
      ['timeout: 30m'],
    ],
    [
      'a timeout in words',
      { timeout: '30 minutes' },
      ['timeout: "30 minutes" is not allowed; it must be a duration; write 30m'],
      ['timeout: 30m'],
    ],
    ['an unknown input', { secrettoken: 'x' }, ['The input "secrettoken" does not exist; did you mean secret-token?']],
  ])('A mistake in the inputs of the step is answered with a fix: %s', async (_, given, problems, lines) => {
    const { exitCode, error, summary } = await runOnce(exportStep(given));
    expect(exitCode).toBe(1);
    expect(error).toBe(wrongInputs(problems, lines));
    expect(summary).toContain('errors-setup.md#error-config');
  });

  test.each([
    ['admin-api-key', KEY_LINE],
    ['base-url', 'base-url: ${{ vars.DOCS_BASE_URL }}'],
  ])('An empty %s is answered with a fix', async (name, line) => {
    const { exitCode, error } = await runOnce(exportStep({ [name]: '' }));
    expect(exitCode).toBe(1);
    expect(error).toBe(wrongInputs([`${name} is empty`], [line], ` ${EMPTY}`));
  });

  test('Doctor says why an empty key may be empty', async () => {
    const { exitCode, info } = await runOnce(exportStep({ mode: 'doctor', 'admin-api-key': '' }));
    expect(exitCode).toBe(1);
    expect(info).toContain(`❌ Inputs: admin-api-key is empty\n   What to do: ${EMPTY}\n   with:\n     ${KEY_LINE}\n`);
  });

  test.each<[string, Omit<Step, 'inputs'>, string]>([
    [
      'a fork',
      { eventName: 'pull_request', event: { pull_request: { head: { repo: { full_name: 'stranger/docs' } } } } },
      'The pull request comes from a fork, whose runs get no secrets; the API key is empty.',
    ],
    [
      'Dependabot',
      { actor: 'dependabot[bot]' },
      'The run was triggered by Dependabot, which gets no Actions secrets; the API key is empty. Add it as a Dependabot secret to run here.',
    ],
  ])('An empty key in a run of %s is explained', async (_, run, reason) => {
    const { exitCode, error, info } = await runOnce((hour) => ({
      ...exportStep({ 'admin-api-key': '' })(hour),
      ...run,
    }));
    expect({ exitCode, error, info }).toEqual({ exitCode: 0, error: '', info: `Status: skipped. ${reason}` });
  });
});

describe('an unknown id', () => {
  const WHERE = 'Copy the id from the log or the job-id output of the run that started the export.';

  test.each<[string, Given, string]>([
    [
      'export-job-id',
      { domain: 'acme.example.com', 'export-job-id': 'job-9' },
      `The platform does not know the export job "job-9" of export-job-id. GET PLATFORM/v1/static-export/jobs/job-9 answered 404: This export job does not exist.
${WHERE} If that run exported by project, give the project instead of domain:
with:
  project-id: \${{ vars.DOCS_PROJECT_ID }}
See DOCS/reference/errors-setup.md#error-not-found`,
    ],
    [
      'export-job-id with project-id',
      { 'project-id': 'project-9', 'export-job-id': 'job-9' },
      `The platform does not know the export job "job-9" of export-job-id in the project "project-9" of project-id. GET PLATFORM/v1/static-export/project-9/jobs/job-9 answered 404: This export job does not exist.
Copy export-job-id from the log or the job-id output of the run that started the export, and project-id from the API keys page of the platform's dashboard; that run must have exported the same project.
See DOCS/reference/errors-setup.md#error-not-found`,
    ],
    [
      'project-id',
      { 'project-id': 'project-9' },
      `POST PLATFORM/v1/static-export/project-9/jobs answered 403: The API key may not export this project.
Check that the key in admin-api-key belongs to the same organization as project-id (project-9), which the API keys page of the platform's dashboard shows, that the plan is Enterprise, and that readers reach project project-9 without a login: a site behind one cannot be exported.
See DOCS/reference/errors-setup.md#error-forbidden`,
    ],
  ])('An unknown id of an export is answered with a fix: %s', async (_, given, text) => {
    const ended = await runOnce((hour) => ({ inputs: { mode: 'export', ...hour.inputs, ...given } }));
    expect(ended.error).toBe(text);
    // Attaching to a job that the platform does not know would be wrong advice.
    expect(ended.summary).not.toContain('**Next**');
  });

  test('An unknown project-id of the agent is answered with a fix', async () => {
    const { error } = await runOnce((hour) => ({
      inputs: agentInputs(hour, { 'project-id': 'project-9', 'agent-job-id': 'job-1' }),
      ...hour.comment('/docs-agent document it'),
    }));
    expect(error).toBe(
      `The platform knows no agent job job-1 in project project-9. Either the job id is wrong: it comes from the input agent-job-id, and the job's page on the dashboard shows it. Or the input project-id is wrong: the API keys page of the dashboard shows it. POST PLATFORM/v2/agent/project-9/job/job-1/message answered 404: Job not found.
Correct the id that is wrong. Nothing was sent to the agent.
See DOCS/reference/errors-setup.md#error-not-found`,
    );
  });
});

describe('agent mode', () => {
  test('A token without pull-requests permission gets the line for permissions', async () => {
    await using hour = await FirstHour.start({ contents: 'read' });
    const { error } = await hour.run({ inputs: agentInputs(hour), ...hour.comment('/docs-agent document it') });
    expect(error).toBe(`The token may not read pull request 7 of acme/docs.
Give the token of the job the permission:
permissions:
  pull-requests: write
See DOCS/reference/errors-setup.md#error-forbidden`);
  });

  test.each([
    [
      '--jobs job-1 fix it',
      '"--jobs" is not an option. A command has --job ID, --sha SHA and the word help. An instruction does not begin with two hyphens.',
    ],
    [
      '--frobnicate fix it',
      '"--frobnicate" is not an option. A command has --job ID, --sha SHA and the word help. An instruction does not begin with two hyphens.',
    ],
  ])('The command /docs-agent %s is refused, in the log and as a comment', async (words, reason) => {
    await using hour = await FirstHour.start();
    const { info } = await hour.run({ inputs: agentInputs(hour), ...hour.comment(`/docs-agent ${words}`) });
    expect(info.split('\n').at(-1)).toBe(`Status: refused. ${reason}`);
    expect(hour.github.comments.at(-1)?.body.split('\n').slice(1, 4)).toEqual([
      '🚫 **The instruction was not sent.**',
      '',
      reason,
    ]);
    expect(hour.platform.messages).toEqual([]);
  });

  test.each([
    [' /docs-agent go', '/docs-agent'],
    ['/Docs-Agent go', '/Docs-Agent'],
    ['Thanks!\n/docs-agent go', '/docs-agent'],
    ['\n/docs-agent go', '/docs-agent'],
    ['/docs-agnet go', '/docs-agnet'],
  ])('The comment %j gets one hint, once per pull request', async (body, seen) => {
    await using hour = await FirstHour.start();
    const hint = `💡 **\`${seen}\` is not a command here.** To instruct the docs agent, write a new comment that begins with exactly \`/docs-agent\`: on the first line, in the first column, without text, blank lines, blanks or invisible characters in front of it or in it.`;
    for (let time = 0; time < 2; time += 1) {
      const { exitCode, info } = await hour.run({ inputs: agentInputs(hour), ...hour.comment(body) });
      expect(exitCode).toBe(0);
      expect(info.split('\n').at(-1)).toBe(
        `Status: skipped. "${seen}" is not a command: a command begins with exactly /docs-agent, on the first line of the comment and in its first column.`,
      );
    }
    expect(hour.github.comments.filter((comment) => comment.body.includes(hint))).toHaveLength(1);
  });

  test.each<[string, Given, string]>([
    ['an empty project-id', { 'project-id': '' }, 'Input project-id: missing or wrong.'],
    ['an empty key', { 'admin-api-key': '' }, 'Input admin-api-key: missing or wrong.'],
    [
      'a key of another service',
      { 'admin-api-key': `ghp_${'a1'.repeat(18)}` },
      'Input admin-api-key: missing or wrong.',
    ],
    [
      'two wrong inputs',
      { 'base-url': 'http://docs.internal.example.com', 'required-permission': 'wriet' },
      'Input base-url, required-permission: missing or wrong.',
    ],
    ['a misspelled mode', { mode: 'agnet' }, 'Input mode: missing or wrong.'],
    ['an input of another mode', { queries: 'x' }, 'An input or the configuration file: missing or wrong.'],
    [
      'a configuration file that is not there',
      { 'config-file': 'docs-courier.yml' },
      'Input config-file: missing or wrong.',
    ],
  ])('With %s the author of a command gets one answer, and the log has the details', async (_what, given, reason) => {
    await using hour = await FirstHour.start();
    const comment = hour.comment('/docs-agent document it');
    for (const attempt of ['1', '2']) {
      const env = { GITHUB_RUN_ATTEMPT: attempt };
      const { exitCode, error } = await hour.run({ inputs: agentInputs(hour, given), ...comment, env });
      expect(exitCode).toBe(1);
      expect(error).toContain(SEE_CONFIG);
    }
    const [, answer, ...others] = hour.github.comments.map(({ body }) => body.split('\n').slice(1).join('\n'));
    expect(others).toEqual([]);
    expect(answer).toBe(`⚠️ **The instruction was not sent.**

The workflow is not set up correctly. ${reason}

The log of the run says what to correct. After that, write the command in a new comment.

[Log of the run](https://github.com/acme/docs/actions/runs/501/attempts/2)`);
    expect(hour.github.reactions.map(({ content }) => content)).toEqual(['confused']);
    expect(hour.platform.requests).toEqual([]);
  });

  test('The answer to a command goes away once the inputs are right and the run is started again', async () => {
    await using hour = await FirstHour.start({ pull_requests: 'write', actions: 'read' });
    const comment = hour.comment('/docs-agent --job job-1 document it');
    await hour.run({ inputs: agentInputs(hour, { 'project-id': '' }), ...comment });
    const { info } = await hour.run({ inputs: agentInputs(hour), ...comment, env: { GITHUB_RUN_ID: '502' } });
    expect(info).toContain('Status: completed');
    expect(hour.platform.messages).toHaveLength(1);
    const [, status, ...others] = hour.github.comments.map(({ body }) => body);
    expect(status).toContain('The docs agent has finished');
    expect(others).toEqual([]);
  });

  test.each<[string, Given, string, string]>([
    ['a stranger', {}, 'stranger', '/docs-agent document it'],
    [
      'a stranger, if the permission that is needed is wrong too',
      { 'required-permission': 'x' },
      'stranger',
      '/docs-agent go',
    ],
    ['a person who writes no command', {}, 'maya', 'Looks good.'],
    ['a dry run', { 'dry-run': 'true' }, 'maya', '/docs-agent document it'],
    ['a run with a prompt', { prompt: 'Document it.' }, 'maya', '/docs-agent document it'],
    ['a run without a token', { 'github-token': '' }, 'maya', '/docs-agent document it'],
  ])('If the inputs are wrong, %s gets nothing on the pull request', async (_who, given, login, body) => {
    await using hour = await FirstHour.start();
    const inputs = agentInputs(hour, { 'project-id': '', ...given });
    const { exitCode } = await hour.run({ inputs, ...hour.comment(body, login) });
    expect(exitCode).toBe(1);
    expect(hour.github.comments).toHaveLength(1);
    expect(hour.github.reactions).toEqual([]);
  });

  test('A prompt without a pull request is answered with a fix', async () => {
    const { exitCode, error } = await runOnce((hour) => ({
      inputs: agentInputs(hour, { prompt: 'Document it.' }),
      eventName: 'schedule',
    }));
    expect(exitCode).toBe(1);
    expect(error).toBe(`Not sent: prompt is given, and the event names no pull request.
Say which pull request the prompt is about:
with:
  pull-request: NUMBER
${SEE_CONFIG}`);
  });

  test('A prompt without a job is answered with a fix', async () => {
    const { exitCode, error } = await runOnce((hour) => ({
      inputs: agentInputs(hour, { prompt: 'Document it.', 'pull-request': '7' }),
      eventName: 'schedule',
    }));
    expect(exitCode).toBe(1);
    expect(error).toBe(`No agent job is linked to this pull request. The prompt was not sent.
Name the job, whose id the platform's dashboard shows, or have one created with create-agent-job: true.
with:
  agent-job-id: ID
${SEE_CONFIG}`);
  });
});

describe('the queries file', () => {
  test.each([
    [
      'bad indentation',
      'queries:\n  - query: a\n   - query: b\n',
      '3:4',
      'wrong indentation: 3 spaces, where the lines before have 0, 2 or 4',
    ],
    [
      'expects',
      'queries:\n  - query: a\n    expects: {}\n',
      '3:5',
      'queries[0]: unknown key expects: did you mean expect?',
    ],
  ])('A mistake in the queries file is answered with its line: %s', async (_, text, destination, problem) => {
    const { exitCode, error, annotations } = await runOnce((hour) => ({
      inputs: {
        ...{ mode: 'search', 'base-url': hour.platform.url, 'assistant-api-key': ASSISTANT_KEY, domain: 'acme' },
        'queries-file': 'docs/queries.yml',
      },
      files: { 'docs/queries.yml': text },
    }));
    expect(exitCode).toBe(1);
    expect(annotations).toEqual([`docs/queries.yml:${destination.split(':')[0]}: ${problem}`]);
    expect(error).toBe(`The queries file is not valid.
docs/queries.yml:${destination}: ${problem}
A queries file looks like this:
queries:
  - query: how do I rotate the link
    expect:
      paths: [/guides/rotate]
      within: 3
${SEE_CONFIG}`);
  });
});

describe('export and refresh', () => {
  test('A dry run says that nothing was exported', async () => {
    const { exitCode, summary } = await runOnce(exportStep({ 'dry-run': 'true' }));
    expect(exitCode).toBe(0);
    expect(summary.split('\n')[0]).toBe('## 🧪 Dry run: nothing was exported');
  });

  test('An empty export is an error, unless min-pages is 0', async () => {
    await using hour = await FirstHour.start();
    await hour.platform.addExportJob({ jobId: 'job-1' });
    const body = { jobId: 'job-1', status: 'completed', progress: 100, pageCount: 0 };
    hour.platform.inject({ match: { method: 'GET', path: '/v1/static-export/jobs/', times: 100 }, body });
    const step = exportStep({ 'export-job-id': 'job-1' })(hour);
    const { exitCode, error } = await hour.run(step);
    expect(exitCode).toBe(1);
    expect(error).toBe(`The export has 0 pages, and min-pages is 1: archive, folder and secret were not changed.
Check on the platform what was published. If this number of pages is right, allow it:
with:
  min-pages: 0
See DOCS/reference/errors-bundle.md#error-checks-failed`);
    expect((await hour.run({ inputs: { ...step.inputs, 'min-pages': '0' } })).exitCode).toBe(0);
  });

  test('A refresh before the first export says what to do, and passes with if-no-state: skip', async () => {
    await using hour = await FirstHour.start();
    const inputs = { mode: 'refresh', ...hour.inputs, ...SECRET };
    const { exitCode, error } = await hour.run({ inputs, eventName: 'schedule' });
    expect(exitCode).toBe(1);
    expect(
      error,
    ).toBe(`There is no export to refresh: no job is known from the variable DOCS_BUNDLE_URL_STATE of repository acme/docs; it names no finished export.
Run an export with this destination first, or give the id of a finished job. For a schedule that may run before the first export, set if-no-state: skip.
with:
  export-job-id: ID
See DOCS/reference/errors-setup.md#error-not-found`);
    const skipped = await hour.run({ inputs: { ...inputs, 'if-no-state': 'skip' }, eventName: 'schedule' });
    expect(skipped.exitCode).toBe(0);
    expect(skipped.summary.split('\n')[0]).toBe('## ⏭️ Refresh of a documentation site: skipped');
  });

  test('An export without a secret says that no secret was requested', async () => {
    const { exitCode, summary } = await runOnce(exportStep({}));
    expect(exitCode).toBe(0);
    expect(summary).toContain('- **Secret**: not asked for');
    expect(summary).not.toContain('not written');
  });
});
