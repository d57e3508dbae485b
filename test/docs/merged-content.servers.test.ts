import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { fieldOf } from '../../src/ground/text/json.ts';
import { COURIER } from '../support/cluster/workloads.ts';
import { createSecret, grantSecret, kubeconfigOf } from '../support/kubernetes-scenarios.ts';
import { ADMIN_KEY, SECRET_TOKEN } from '../support/make-inputs.ts';
import { FIRST, MERGED, PUSH, WORKFLOW_TOKEN } from '../support/merge.ts';
import { pull } from '../support/registry-scenarios.ts';
import { readEnvFile } from '../support/runner/env-file.ts';
import { SmallCluster } from '../support/small-servers/kubernetes.ts';
import { SmallRegistry } from '../support/small-servers/registry.ts';
import { runStepInProcess } from '../support/step-in-process.ts';
import { ALL_RIGHTS, REPOSITORY } from '../support/world/names.ts';
import { startWorld, type World } from '../support/world.ts';
import { filesBelow, readText } from './pages.ts';

const SENTENCE = 'This sentence was merged a moment ago.';
const PROJECT = 'project-1';

const step = z.looseObject({ with: z.optional(z.record(z.string(), z.unknown())) });
const workflow = z.looseObject({
  on: z.unknown(),
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(step) })),
});

interface Example {
  readonly name: string;
  /** Of its step that exports. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/**
 * The steps of all examples that export on a push to the main branch. With `from`, the platform is
 * asked for nothing.
 */
const examples: readonly Example[] = filesBelow('examples')
  .filter((name) => /^[\w-]+\.yml$/.test(name) && name !== 'docs-queries.yml')
  .flatMap((name) => {
    const { on, jobs } = workflow.parse(parse(readText(`examples/${name}`)));
    if (fieldOf(on, 'push') === undefined) return [];
    const steps = Object.values(jobs).flatMap(({ steps }) => steps);
    return steps.flatMap(({ with: inputs = {} }) =>
      inputs['mode'] === 'export' && inputs['from'] === undefined ? [{ name, inputs }] : [],
    );
  });

/**
 * A platform that publishes a merge 20 s after it is asked to, and the merge that it has not
 * published yet.
 */
async function startMerge(): Promise<World> {
  const permissions = { contents: 'read', pull_requests: 'write' } as const;
  const files = { 'index.md': '# Docs\n\nHello.', 'how-to/start.md': '# Start\n\nOne command.' };
  const world = await startWorld({
    platform: { sites: { docs: files }, projectId: PROJECT, publishLagMs: 20_000 },
    github: {
      tokens: {
        [SECRET_TOKEN]: { permissions: ALL_RIGHTS },
        [WORKFLOW_TOKEN]: { kind: 'workflow', permissions },
      },
      organizations: ['acme'],
      repositories: [
        { fullName: REPOSITORY },
        { fullName: 'acme/website' },
        { fullName: 'acme/helm-charts' },
      ],
    },
  });
  for (const sha of [FIRST, MERGED]) world.github.addCommit({ repository: REPOSITORY, sha });
  const content = { ...files, 'index.md': `${files['index.md']}\n\n${SENTENCE}` };
  await world.platform.push({ sha: MERGED, content });
  return world;
}

/** Runs a step in this process, and gives its outputs. */
async function runStep(world: World, inputs: Readonly<Record<string, string>>) {
  const { exitCode, log, outputs } = await runStepInProcess(world, {
    ...PUSH,
    inputs: { 'github-token': WORKFLOW_TOKEN, ...inputs },
    env: { GITHUB_JOB: 'export', GITHUB_REF_PROTECTED: 'true', ...PUSH.env },
  });
  expect(exitCode, log.text()).toBe(0);
  expect(log.text('warning')).not.toContain('publish is not set');
  return readEnvFile(readFileSync(outputs, 'utf8')).values;
}

const CONFIG = `sites:
  guide: { domain: docs.example.com, project-id: PROJECT_ID, to: 'github:secret/DOCS_BUNDLE_URL' }
`;

interface Servers {
  readonly world: World;
  readonly registry: SmallRegistry;
  readonly cluster: SmallCluster;
}

/**
 * The inputs of the step, with the servers of this test at the addresses that a reader replaces.
 */
function inputsHere(
  { inputs }: Example,
  { world, registry, cluster }: Servers,
): Readonly<Record<string, string>> {
  const kubeconfig = kubeconfigOf({ url: cluster.url, ca: cluster.authority.cert }, COURIER);
  const here: Readonly<Record<string, string>> = {
    '${{ vars.DOCS_BASE_URL }}': world.platform.url,
    'https://api.docs.example.com': world.platform.url,
    '${{ secrets.DOCS_ADMIN_API_KEY }}': ADMIN_KEY,
    '${{ steps.app-token.outputs.token }}': SECRET_TOKEN,
    '${{ secrets.DOCS_KUBECONFIG }}': kubeconfig,
    '${{ steps.pages.outputs.base_url }}': `${world.platform.url}/app`,
    '${{ vars.DOCS_PROJECT_ID }}': PROJECT,
    PROJECT_ID: PROJECT,
    '${{ vars.DOCS_IMAGE }}': `${registry.host}/acme/docs:latest`,
    'ghcr.io/OWNER/docs:latest': `${registry.host}/acme/docs:latest`,
    '${{ github.repository_owner }}': 'acme',
    '${{ matrix.site }}': 'guide',
    "${{ github.event_name == 'workflow_dispatch' && inputs.force }}": 'false',
    'k8s:docs/': 'k8s:default/',
  };
  const replaced = (text: string) =>
    Object.entries(here).reduce((all, [written, value]) => all.replaceAll(written, value), text);
  const given = Object.entries(inputs).map(([name, value]) => [name, replaced(String(value))]);
  // The pods of a rollout have tests of their own: here, what their Secret has is delivered.
  return Object.fromEntries(
    given.filter(([name]) => name !== 'rollout' && name !== 'on-rollout-failure'),
  );
}

async function archiveAt(link: string | undefined): Promise<string> {
  const reply = await fetch(link ?? 'no link');
  expect(reply.status).toBe(200);
  return gunzipSync(Buffer.from(await reply.arrayBuffer())).toString('utf8');
}

/**
 * What a reader of the example gets: the text of the folder, the layer, or the archive behind the
 * link.
 */
async function deliveredText(
  example: Example,
  outputs: Readonly<Record<string, string>>,
  servers: Servers,
) {
  const { world, registry, cluster } = servers;
  const to = String(example.inputs['to'] ?? '');
  if (example.inputs['image'] !== undefined)
    return (await pull(registry.host, 'latest'))['index.html'] ?? '';
  if (example.inputs['extract-to'] !== undefined) {
    const folder = outputs['site-path'] ?? '';
    expect(existsSync(folder)).toBe(true);
    return readFileSync(join(folder, 'index.html'), 'utf8');
  }
  if (to.startsWith('k8s:')) {
    const { body } = await cluster.api('GET', '/api/v1/namespaces/default/secrets/docs-link');
    return archiveAt(Buffer.from(String(fieldOf(body, 'data', 'url')), 'base64').toString());
  }
  if (to === '' && example.name !== 'many-sites.yml') return archiveAt(outputs['bundle-url']);
  const scope = to.startsWith('github:org/')
    ? ({ scope: 'organization', organization: 'acme' } as const)
    : ({ scope: 'repository', repository: REPOSITORY } as const);
  return archiveAt(world.github.secret(scope, 'DOCS_BUNDLE_URL')?.value);
}

describe('an example that runs on a merge', () => {
  it('The examples for Pages, buckets, Kubernetes, images, Helm and secrets are found', () => {
    const names = [
      'pages',
      'object-storage',
      'kubernetes',
      'image',
      'helm',
      'export-on-merge',
      'many-sites',
    ];
    expect(examples.map(({ name }) => name)).toEqual(
      expect.arrayContaining(names.map((name) => `${name}.yml`)),
    );
    expect(examples.length).toBeGreaterThanOrEqual(11);
  });

  it('One example exports by project, and the others by domain', () => {
    const byProject = examples.filter(
      ({ inputs }) => inputs['domain'] === undefined && inputs['site'] === undefined,
    );
    expect(byProject.map(({ name }) => name)).toEqual(['helm.yml']);
  });

  it.each(examples)(
    '$name delivers the merged sentence although the platform publishes late',
    async (example) => {
      await using world = await startMerge();
      await using registry = await SmallRegistry.start();
      await using cluster = await SmallCluster.start();
      await createSecret(cluster, 'docs-link', { url: '' });
      await grantSecret(cluster, 'docs-link');
      world.write('docs-courier.yml', CONFIG.replace('PROJECT_ID', PROJECT));
      const servers = { world, registry, cluster };
      const outputs = await runStep(world, inputsHere(example, servers));
      expect(await deliveredText(example, outputs, servers)).toContain(SENTENCE);
    },
  );
});

describe('a command of a page that runs on a merge', () => {
  const pages = ['any-other-ci', 'deliver-to-vault-or-aws', 'gitlab-ci', 'publish-an-image'];

  it.each(pages)('Each export in the guide %s lets the platform publish first', (page) => {
    const guide = readText(`docs/how-to/${page}.md`);
    const blocks = [...guide.matchAll(/^```\w+.*\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    const exporting = blocks.filter((text) =>
      /docs-courier\.tgz export|templates\/export\.yml|mode: export/.test(text),
    );
    expect(exporting.length).toBeGreaterThan(0);
    for (const text of exporting) {
      expect(text).toMatch(
        /--publish |DOCS_COURIER_PUBLISH: 'true'|publish: true|templates\/export\.yml/,
      );
      expect(text).toMatch(/project-id:? PROJECT_ID|DOCS_COURIER_PROJECT_ID: PROJECT_ID/);
    }
  });

  it('The child pipelines of many sites publish first, since no CI system reads that from the file', () => {
    const page = readText('docs/how-to/many-sites.md');
    expect(page).toContain('"DOCS_COURIER_PUBLISH": "true"');
  });

  it('The template for GitLab publishes first by default', () => {
    expect(readText('templates/export.yml')).toMatch(/^ {4}publish:\n.*\n {6}default: 'true'$/m);
  });
});
