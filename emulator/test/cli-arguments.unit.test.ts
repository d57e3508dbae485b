import { describe, expect, test } from 'vitest';
import { commandLine } from '../src/action/command-line.ts';
import { readArguments, USAGE } from '../src/cli-arguments.ts';

const read = (line: string) => readArguments(['--site', 'a=x', ...line.split(' ')]);

describe('the command line of the emulator', () => {
  test('The command line reads every option', () => {
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
      plan: 'enterprise',
      faults: [],
      github: undefined,
    });
  });

  test('The command line reads the options for failures', () => {
    const given = read(
      '--plan free --private-site a --fail-export --stall-export --fail-agent --status-delay 2s --fail-rate 10% --base-path /docs',
    );
    expect(given).toMatchObject({
      plan: 'free',
      privateSites: ['a'],
      exportError: 'The export failed.',
      stallExport: true,
      failAgent: true,
      basePath: '/docs',
    });
    expect(given.faults).toMatchObject([
      { match: { rate: 0.1, times: Number.POSITIVE_INFINITY }, status: 500 },
      { match: { method: 'GET', path: '/v1/static-export/' }, delayMs: 2000 },
    ]);
    for (const given of [['--fail-export=No space.'], ['--fail-export', 'No space.', '--quiet']])
      expect(readArguments(['--site=a=x', ...given]).exportError).toBe('No space.');
    expect(readArguments(['--site=a=x', '--fail-export']).exportError).toBe('The export failed.');
  });

  test('The command line reads faults with their number and Retry-After', () => {
    const fault = (text: string) => readArguments(['--site', 'a=x', '--fault', text]).faults[0];
    expect(fault('POST /bundle 429 x3 retry-after=7')).toMatchObject({
      match: { method: 'POST', path: '/bundle', times: 3 },
      status: 429,
      headers: { 'retry-after': '7' },
    });
    expect(fault('* * 500 always')).toMatchObject({
      match: { times: Number.POSITIVE_INFINITY },
      status: 500,
    });
    expect(fault('GET /jobs 404')?.match).toEqual({ method: 'GET', path: '/jobs', times: 1 });
  });

  test("The command line reads GitHub's options, with a default repository", () => {
    expect(read('--github').github).toMatchObject({
      port: 0,
      repositories: ['acme/app'],
      environments: [],
    });
    expect(
      read(
        '--github --github-repository o/r --github-environment live --github-collaborator ann=write',
      ).github,
    ).toMatchObject({
      repositories: ['o/r'],
      environments: ['live'],
      collaborators: { ann: 'write' },
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
    [['--site', 'a=x', '--nope'], 'Unknown option --nope.'],
    [['./docs'], 'For a folder of pages write --site docs=./docs'],
    [['a b'], 'write --site docs=FOLDER'],
    [['--site', 'a=x', '--link-livetime', '1h'], 'Did you mean --link-lifetime?'],
    [['--site', 'a=x', '--plan', 'fre'], 'Did you mean free?'],
    [['--site', 'a=x', '--private-site', 'b'], '"b" is not one of a'],
    [['--site', 'a=x', '--fail-rate', '110%'], '--fail-rate'],
    [['--site', 'a=x', '--fault', 'POST /x'], '--fault'],
    [['--site', 'a=x', '--fault', 'POST /x 999'], '--fault'],
    [['--site', 'a=x', '--fault', 'POST /x 500 often'], '--fault'],
    [
      ['--site', 'a=x', '--gitlab-project', 'p'],
      '--gitlab-project is read only together with --gitlab',
    ],
    [['--site', 'a=x', '--gitlab', '--gitlab-project', 'a//b'], 'a path such as acme/docs'],
    [['--site', 'a=x', '--gitea', '--gitea-repository', 'r'], '--gitea-repository'],
    [
      ['--site', 'a=x', '--github-repository', 'o/r'],
      '--github-repository is read only together with --github',
    ],
    [['--site', 'a=x', '--github', '--github-repository', 'r'], 'owner/name'],
    [['--site', 'a=x', '--github', '--github-collaborator', 'ann=wirte'], 'Did you mean write?'],
    [['--site', 'a=x', '--base-path', 'docs'], '--base-path'],
  ])('The arguments %j are refused with a message that contains the wrong one', (args, named) => {
    expect(() => readArguments(args)).toThrow(named);
  });

  test('A wrong key or token is refused without repeating it', () => {
    for (const args of [
      ['--admin-key', 'svc_dsc_SECRET'],
      ['--assistant-key', 'svc_SECRET'],
      ['--github', '--github-secret-token', 'SEC RET'],
    ]) {
      const attempt = () => readArguments(['--site', 'a=x', ...args]);
      expect(attempt).toThrow(args.at(-2));
      expect(attempt).not.toThrow(/SEC ?RET/);
    }
  });

  test('The help explains every option', () => {
    const shown = new Set([...USAGE.matchAll(/^ {2}--([a-z0-9-]+)/gm)].map(([, name]) => name));
    const unknown = [...shown].filter((name) => {
      try {
        readArguments([`--${name}`, '--help']);
        return false;
      } catch (error) {
        return String(error).includes('Unknown option');
      }
    });
    expect(unknown).toEqual([]);
    expect(shown.size).toBeGreaterThan(25);
  });
});

describe('the inputs of the emulator action', () => {
  const made = {
    adminKey: 'svc_a',
    assistantKey: 'svc_dsc_b',
    secretToken: 'ghs_secret1',
    workflowToken: 'ghs_workflow1',
  };
  const inputs = (given: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
    );
  const parse = (given: Record<string, string>) =>
    readArguments(
      commandLine(inputs({ site: 'docs', 'site-id': 'acme', 'project-id': 'p', ...given }), made),
    );

  test('The inputs of the action become a command line that the emulator reads', () => {
    expect(
      parse({
        'agent-jobs': 'j=https://github.com/o/r\nk=https://github.com/o/r@main\n',
        faults: 'POST /bundle 429 x2\n* /search 500',
        'fail-export': 'No space left.',
        'stall-export': 'true',
        plan: 'free',
        github: 'true',
        'github-repositories': 'o/r\no/s',
        'github-collaborators': 'ann=admin',
      }),
    ).toMatchObject({
      sites: { acme: 'docs' },
      projectId: 'p',
      adminKey: 'svc_a',
      agentJobs: [{ id: 'j' }, { id: 'k' }],
      faults: [{ status: 429 }, { status: 500 }],
      exportError: 'No space left.',
      stallExport: true,
      failAgent: false,
      plan: 'free',
      github: {
        repositories: ['o/r', 'o/s'],
        collaborators: { ann: 'admin' },
        secretToken: 'ghs_secret1',
      },
    });
    expect(parse({}).github).toBeUndefined();
  });

  test('Inputs are refused if a boolean is invalid, or if they need GitHub and it is not requested', () => {
    expect(() => parse({ github: 'yes' })).toThrow('github: "yes" is not true or false.');
    expect(() => parse({ 'github-repositories': 'o/r' })).toThrow(
      'github-repositories is read only with github: true.',
    );
  });
});
