import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKubeconfig } from '../../src/kubernetes/kubeconfig.ts';
import { ClusterLogin } from '../../src/kubernetes/login.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { isRunning } from '../support/processes.ts';

function kubeconfig(command: string, args: readonly string[] = []): string {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command, args };
  return JSON.stringify({
    'current-context': 'docs',
    clusters: [{ name: 'docs', cluster: { server: 'https://cluster.example.com' } }],
    users: [{ name: 'docs', user: { exec } }],
    contexts: [{ name: 'docs', context: { cluster: 'docs', user: 'docs' } }],
  });
}

const OPTIONS = { context: undefined, allowExec: true, readFile: async () => '' };

test.each(['./get-token', 'bin/get-token', '../get-token', 'bin\\get-token.exe'])(
  'The program %s of a kubeconfig is refused, because the checkout could contain it',
  async (command) => {
    await expect(readKubeconfig(kubeconfig(command), OPTIONS)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('relative path'),
    });
  },
);

test.each(['aws', '/usr/local/bin/gke-gcloud-auth-plugin', 'C:\\tools\\kubelogin.exe'])(
  'The program %s of a kubeconfig is accepted',
  async (command) => {
    const { identity } = await readKubeconfig(kubeconfig(command), OPTIONS);
    expect(identity).toMatchObject({ kind: 'exec', plugin: { command } });
  },
);

test('The credential of a program is used for a while, and asked for again when it is about to expire', async () => {
  await using folder = await makeFolder();
  const calls = join(folder.path, 'calls');
  const loginWith = (seconds: number | undefined) => {
    const expiry =
      seconds === undefined ? '' : `expirationTimestamp: new Date(Date.now() + ${seconds}e3)`;
    const script = `
      require('node:fs').appendFileSync(${JSON.stringify(calls)}, 'x');
      const status = { token: 'token-0123456789', ${expiry} };
      console.log(JSON.stringify({ kind: 'ExecCredential', status }));`;
    const credentials = {
      kubeconfig: kubeconfig(process.execPath, ['-e', script]),
      context: undefined,
      allowExec: true,
    };
    return new ClusterLogin({ ...credentials, workspace: undefined, env: {} }, () => {});
  };
  const callsOf = async (seconds: number | undefined) => {
    await writeFile(calls, '');
    const login = loginWith(seconds);
    for (let count = 0; count < 3; count += 1)
      expect((await login.login()).token).toBe('token-0123456789');
    return (await readFile(calls, 'utf8')).length;
  };
  expect(await callsOf(undefined)).toBe(1);
  expect(await callsOf(300)).toBe(1);
  expect(await callsOf(5)).toBe(3);
});

interface Place {
  readonly env?: Readonly<Record<string, string>>;
  readonly workspace?: string;
  readonly execTimeLimitMs?: number;
}

async function failureOf(
  command: string,
  args: readonly string[],
  { env = {}, workspace, ...more }: Place = {},
) {
  const given = {
    kubeconfig: kubeconfig(command, args),
    context: undefined,
    allowExec: true,
    workspace,
    env,
    ...more,
  };
  const error: unknown = await new ClusterLogin(given, () => {}).login().then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? error.message : String(error);
}

test('A plugin that does not end in time is stopped together with its children', async () => {
  await using folder = await makeFolder();
  const file = join(folder.path, 'pid');
  const child = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const code = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' });`;
  using timers = fakeTimers();
  const failed = failureOf(process.execPath, ['-e', `${code} setInterval(() => {}, 1000)`], {
    execTimeLimitMs: 7000,
  });
  const pidOf = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  await expect.poll(pidOf, { timeout: 20_000 }).toBeGreaterThan(0);
  timers.pass(7000);
  expect(await failed).toContain('it did not end within 7s');
  await expect.poll(() => isRunning(pidOf()), { timeout: 10_000 }).toBe(false);
});

test('A plugin that ends and leaves a child with its output is not waited for', async () => {
  const code =
    "require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }).unref(); process.exit(3)";
  expect(await failureOf(process.execPath, ['-e', code])).toContain('it ended with exit code 3');
});

test('A plugin at a path where there is no program is not looked for in PATH', async () => {
  const message = await failureOf('/no/such/plugin', [], { env: { PATH: '/usr/bin' } });
  expect(message).toContain('it is not a program that this process may execute');
});

test('A plugin that prints without end is stopped', async () => {
  const code = "const more = () => process.stdout.write('x'.repeat(65536), more); more()";
  expect(await failureOf(process.execPath, ['-e', code])).toContain('it printed more than 1 MiB');
});

test('What a plugin prints on standard error is shown, without what looks like a credential', async () => {
  const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJkb2NzIn0.c2lnbmF0dXJl';
  const code = `console.error('no session; run login first\\n::error::x ${token}'); process.exit(1)`;
  const message = await failureOf(process.execPath, ['-e', code]);
  expect(message).toContain('it ended with exit code 1. It printed: no session; run login first');
  expect(message).toMatch(/::error::x \*\*\*/);
  expect(message).not.toContain('c2lnbmF0dXJl');
  expect(message).not.toContain('\n');
});

test('A password of the environment is not shown, although it looks like ordinary words', async () => {
  const env = { DB_PASSWORD: 'correct horse battery', GREETING: 'good morning to all' };
  const code = "console.error(process.env.GREETING, '/', process.env.DB_PASSWORD); process.exit(1)";
  expect(await failureOf(process.execPath, ['-e', code], { env })).toContain(
    'It printed: good morning to all / ***',
  );
});

test('A plugin gets a PATH without entries of the workspace', async () => {
  await using folder = await makeFolder();
  const env = { PATH: ['', 'bin', folder.path, '/usr/bin'].join(':') };
  const code = "console.error('PATH is', process.env.PATH); process.exit(1)";
  const message = await failureOf(process.execPath, ['-e', code], { workspace: folder.path, env });
  expect(message).toContain('It printed: PATH is /usr/bin.');
});

test.each([
  { arg: 'hunter2\0', why: 'ERR_INVALID_ARG_VALUE' },
  { arg: 'hunter2'.repeat(500_000), why: 'E2BIG' },
])(
  'An argument that keeps a plugin from starting is not repeated in the error ($why)',
  async ({ arg, why }) => {
    const message = await failureOf(process.execPath, ['-e', arg]);
    expect(message).toContain(`gave no credential: it could not be started (${why})`);
    expect(message).not.toContain('hunter2');
  },
);

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'kube-exec-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
