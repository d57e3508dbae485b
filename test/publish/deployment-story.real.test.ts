import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startEmulator } from '../../emulator/src/platform/emulator.ts';
import { fieldOf } from '../../src/ground/text/json.ts';
import { ClusterController } from '../support/cluster/controller.ts';
import { kubeconfigOfRun, manifestsOf } from '../support/cluster/guide.ts';
import { ProcessPods } from '../support/cluster/process-pods.ts';
import { kubeconfigOf } from '../support/kubernetes-scenarios.ts';
import { helm } from '../support/real-servers/helm.ts';
import { KubernetesServer, TOKENS } from '../support/real-servers/kubernetes.ts';
import { runStep, type StepOptions } from '../support/runner.ts';
import { IdTokenIssuer } from './oidc.ts';

const CHART = join(import.meta.dirname, '../../examples/chart');
const SUBJECT = 'repo:acme/docs:ref:refs/heads/main';
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/docs';
const DEPLOYMENT = '/apis/apps/v1/namespaces/docs/deployments/docs';
const PODS = '/api/v1/namespaces/docs/pods';
// The shortest time for which the run makes no second link.
const SHORT_LINK_MS = 75_000;

async function startStory() {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'story-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const issuer = parts.use(await IdTokenIssuer.start({ sub: SUBJECT }));
  const oidc = { url: issuer.url, caFile: issuer.caFile, audience: 'kubernetes' };
  const cluster = parts.use(await KubernetesServer.start({ oidc }));
  const pods = parts.use(await ProcessPods.start((method, path) => cluster.api(method, path)));
  const site = join(folder, 'site');
  await mkdir(site);
  await writeFile(join(site, 'index.md'), '# Nothing yet');
  const platform = await startEmulator({ sites: { acme: site }, linkLifetimeMs: SHORT_LINK_MS });
  parts.defer(() => platform.close());

  const address = { url: cluster.url, ca: cluster.authority.cert };
  const adminConfig = join(folder, 'admin.kubeconfig');
  await writeFile(adminConfig, kubeconfigOf(address, { token: TOKENS.admin }));
  const now = () => performance.now();
  const init = { cluster, runtime: pods, now, namespace: 'docs' };
  const controller = new ClusterController(init);
  const step = (
    mode: string,
    inputs: Record<string, string> = {},
    more: Partial<StepOptions> = {},
  ) =>
    runStep({
      secrets: [platform.keys.admin],
      env: issuer.env,
      inputs: {
        mode,
        'base-url': platform.url,
        'admin-api-key': platform.keys.admin,
        to: 'k8s:docs/docs-link#url',
        kubeconfig: kubeconfigOfRun(address),
        'allow-kube-exec': 'true',
        rollout: 'deployment/docs',
        'rollout-timeout': '60s',
        'on-rollout-failure': 'undo',
        'live-url': pods.url,
        'live-timeout': '30s',
        ...(mode === 'export' && { domain: 'acme.example.com' }),
        ...inputs,
      },
      ...more,
    });
  const disposables = parts.move();
  return {
    issuer,
    cluster,
    pods,
    platform,
    controller,
    step,
    helm: (...args: readonly string[]) => helm(adminConfig, folder, ...args, '--namespace', 'docs'),
    publish: (file: string, text: string) => writeFile(join(site, file), text),
    read: async () => {
      const reply = await fetch(`${pods.url}/`);
      return { status: reply.status, text: await reply.text() };
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}
type Story = Awaited<ReturnType<typeof startStory>>;

/**
 * What a reader copies from the guides: the Secret, the Role, and a binding to the identity of the
 * run.
 */
async function followGuides({ cluster }: Story): Promise<void> {
  const post = async (path: string, body: unknown) =>
    expect((await cluster.api('POST', path, body)).status).toBe(201);
  await post('/api/v1/namespaces', { metadata: { name: 'docs' } });
  await post('/api/v1/namespaces/docs/secrets', {
    metadata: { name: 'docs-link' },
    stringData: { url: '' },
  });
  const [role] = manifestsOf('deliver-to-kubernetes.md', 'Role');
  await post(`${RBAC}/roles`, role);
  const binding = manifestsOf('deliver-to-kubernetes.md', 'RoleBinding').find((one) =>
    JSON.stringify(one).includes(SUBJECT),
  );
  await post(`${RBAC}/rolebindings`, binding);
}

async function podsOf({ cluster }: Story): Promise<readonly unknown[]> {
  const { body } = await cluster.api('GET', `${PODS}?labelSelector=app=docs`);
  const items = fieldOf(body, 'items');
  return Array.isArray(items) ? items : [];
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isSo()) return;
    await delay(200);
  }
  throw new Error(`not seen within two minutes: ${what}`);
}

test('A merge reaches readers through the cluster, its link is renewed, and a broken export is rolled back', async () => {
  await using story = await startStory();
  const { cluster, controller, platform, step } = story;
  await followGuides(story);
  // Kube-apiserver, etcd, an issuer of id tokens and the platform run; Secret, Role and
  // RoleBinding are those of the guides.

  await story.helm('install', 'docs', CHART);
  const ended = new AbortController();
  const cycle = (async () => {
    while (!ended.signal.aborted) {
      await controller.step();
      await delay(200);
    }
  })();
  try {
    const waiting = async () =>
      (await podsOf(story)).some((pod) => JSON.stringify(pod).includes('CrashLoopBackOff'));
    await until('a pod that waits for a link', waiting);
    expect((await story.read()).status).toBe(503);
    // Helm installed the chart; its pods wait, since the Secret has no link yet.

    // 1. A merge.
    await story.publish('index.md', '# Version one\n\nThe first text.');
    await story.publish('install.md', '# Install\n\nOne command.');
    const first = await step('export', {}, { runId: '1' });
    expect(first.exitCode, first.log).toBe(0);
    expect(first.outputs['live'], first.log).toBe('true');
    expect((await story.read()).text).toContain('The first text.');
    expect(story.issuer.issued.length).toBeGreaterThan(0);
    for (const token of story.issuer.issued)
      expect(first.stdout.replace(/::add-mask::.*/g, '')).not.toContain(token);
    // The run logged in by its own id token, wrote the link and restarted the pods.

    // Helm leaves the annotation alone: an upgrade restarts nothing.
    const generation = fieldOf(
      (await cluster.api('GET', DEPLOYMENT)).body,
      'metadata',
      'generation',
    );
    await story.helm('upgrade', 'docs', CHART);
    expect(fieldOf((await cluster.api('GET', DEPLOYMENT)).body, 'metadata', 'generation')).toBe(
      generation,
    );

    // 2. The link expires.
    const expiresAt = Date.parse(first.outputs['expires-at'] ?? '');
    await delay(Math.max(0, expiresAt - Date.now() + 500));
    const [one] = await podsOf(story);
    const restarted = String(fieldOf(one, 'metadata', 'name'));
    await cluster.api('DELETE', `${PODS}/${restarted}?gracePeriodSeconds=0`);
    const refused = async () => JSON.stringify(await podsOf(story)).includes('"exitCode":22');
    await until('a pod that the platform refuses', refused);
    // The link has expired: a pod that is started now is refused by the storage (curl exits
    // with 22).

    platform.behaviour.linkLifetimeMs = 3_600_000;
    const exports = platform.exportJobs.length;
    const refresh = await step(
      'refresh',
      {},
      { runId: '2', eventName: 'schedule', event: { schedule: '17 */6 * * *' } },
    );
    expect(refresh.exitCode, refresh.log).toBe(0);
    expect(refresh.outputs).toMatchObject({ changed: 'true', 'job-id': first.outputs['job-id'] });
    expect(platform.exportJobs.length).toBe(exports);
    expect(refresh.log).toContain('no pod is restarted');
    expect((await story.read()).text).toContain('The first text.');
    // The scheduled refresh renewed the link without an export, and the pod came up with
    // it.

    // 3. A broken export.
    await story.publish('index.md', '# Version two\n\nThe second text.');
    const seen = new Set<string>();
    const reading = new AbortController();
    const readers = (async () => {
      while (!reading.signal.aborted) {
        const { status, text } = await story.read();
        seen.add(
          `${status} ${text.includes('The first text.') ? 'version one' : 'something else'}`,
        );
        await delay(100);
      }
    })();
    // The next merge; the archive of its export is damaged in the storage.
    // Without the check of readers, for which the run would download the damaged archive itself.
    const unchecked = { 'live-url': '', 'live-timeout': '' };
    const running = step('export', { 'rollout-timeout': '20s', ...unchecked }, { runId: '3' });
    await until('the next export', async () => platform.exportJobs.length > exports);
    const path = `/storage/${platform.exportJobs.at(-1)?.jobId}`;
    platform.inject({
      match: { method: 'GET', path, times: Number.POSITIVE_INFINITY },
      truncateAfterBytes: 500,
    });
    const broken = await running;
    reading.abort();
    await readers;
    expect(broken.exitCode).toBe(1);
    expect(broken.outputs['error-code'], broken.log).toBe('checks-failed');
    expect(broken.log).toContain('Progressing is True: ReplicaSetUpdated');
    expect(broken.log).toContain(`Export job ${first.outputs['job-id']} was restored`);
    expect([...seen]).toEqual(['200 version one']);
    // The pods did not start, and the run restored the previous export.

    // 4. The next merge fixes it.
    const second = await step('export', {}, { runId: '4' });
    expect(second.exitCode, second.log).toBe(0);
    expect(second.outputs['live'], second.log).toBe('true');
    expect((await story.read()).text).toContain('The second text.');
    // The next merge replaced it; readers see version two.
  } finally {
    ended.abort();
    await cycle;
  }
});
