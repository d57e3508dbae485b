import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { startEmulator } from '../../../emulator/src/platform/emulator.ts';
import { type GiteaSite, startEmulatedSite } from '../../support/gitea-site.ts';
import { CHECKOUT } from '../../support/runner/environment.ts';
import { runStep, type StepOptions } from '../../support/runner.ts';

const ADMIN_KEY = 'svc_canaryAdminKeyOfGitea0123456789';
const NAME = 'DOCS_BUNDLE_URL';
const described = z.record(z.string(), z.object({ description: z.string() }));
const OLDER = join(CHECKOUT, 'gitea/action.yml');

async function startScene() {
  const [site, platform] = await Promise.all([
    startEmulatedSite(),
    startEmulator({
      sites: { acme: { 'index.md': '# Docs\n\nHello.' } },
      keys: { admin: ADMIN_KEY, assistant: 'svc_dsc_key0123456789' },
      exportJobs: { advance: 'poll', polls: 1 },
    }),
  ]);
  return {
    site,
    platform,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([site[Symbol.asyncDispose](), platform.close()]);
    },
  };
}

/**
 * As act_runner starts it: GitHub's variables, Gitea's variables, no workflow name, an address with
 * a trailing slash.
 */
function stepOn(
  { url, repository }: Pick<GiteaSite, 'url' | 'repository'>,
  inputs: Record<string, string>,
  more: Partial<StepOptions> = {},
) {
  return {
    repository,
    apiUrl: `${url}/api/v1`,
    serverUrl: `${url}/`,
    ...more,
    inputs: { mode: 'export', 'admin-api-key': ADMIN_KEY, domain: 'acme.example.com', ...inputs },
    env: { GITEA_ACTIONS: 'true', GITHUB_WORKFLOW: '', GITHUB_REF_PROTECTED: 'false', ...more.env },
  };
}

/** A Node 20 of this machine; undefined if it is missing. */
function findNode20(): string | undefined {
  const candidates = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'));
  return candidates.find(
    (node) =>
      existsSync(node) &&
      execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith('v20.'),
  );
}

const secretOf = (site: { readonly repository: string }) => `gitea:repo/${site.repository}/${NAME}`;

describe('the action on Gitea', () => {
  test('A job outside of Gitea can write a Gitea secret if it specifies the server', async () => {
    await using scene = await startScene();
    const { site, platform } = scene;
    const destination = {
      to: `gitea:org/${site.organization}/${NAME}`,
      'secret-token': site.tokens.owner,
    };
    const inputs = {
      mode: 'export',
      'base-url': platform.url,
      'admin-api-key': ADMIN_KEY,
      domain: 'acme.example.com',
    };
    const lost = await runStep({ inputs: { ...inputs, ...destination } });
    expect(lost.outputs, lost.log).toMatchObject({ status: 'failed', 'error-code': 'config' });
    expect(lost.log).toContain('names no server');
    expect(platform.exportJobs).toHaveLength(0);
    const result = await runStep({
      inputs: { ...inputs, ...destination, to: `${destination.to}?server=${site.url}` },
    });
    expect(result.exitCode, result.log).toBe(0);
    const address = {
      scheme: 'gitea',
      scope: 'organization',
      organization: site.organization,
      name: NAME,
    } as const;
    expect(await site.secret(address)).toBe(result.outputs['bundle-url']);
  });
});

describe('the action for older runners', () => {
  test('The action for older runners starts the same program, with the inputs and outputs of all modes but agent', () => {
    const [action, older] = [join(CHECKOUT, 'action.yml'), OLDER].map((path) =>
      parse(readFileSync(path, 'utf8')),
    );
    expect(older.runs).toEqual({ using: 'node20', main: '../dist/index.js' });
    for (const part of ['inputs', 'outputs'] as const) {
      const all = Object.entries(described.parse(action[part]));
      const kept = all
        .filter(([, { description }]) => !description.startsWith('[agent] '))
        .map(([name]) => name);
      expect(Object.keys(older[part])).toEqual(kept);
      expect(kept.length).toBeLessThan(all.length);
    }
  });

  test('The action for older runners exports, unpacks and refreshes on Node 20', async (context) => {
    const node = findNode20();
    if (node === undefined) return context.skip('there is no Node 20 on this machine');
    await using scene = await startScene();
    const { site, platform } = scene;
    const inputs = {
      'base-url': platform.url,
      to: secretOf(site),
      'secret-token': site.tokens.owner,
    };
    const more = { actionFile: OLDER, node };
    const bundle = { 'extract-to': 'site' };
    const first = await runStep(stepOn(site, { ...inputs, ...bundle }, more));
    expect(first.exitCode, first.log + first.stderr).toBe(0);
    expect(first.outputs).toMatchObject({ status: 'completed' });
    expect(JSON.parse(first.outputs.report ?? '')).toMatchObject({ delivery: { updated: true } });
    const { domain: _, ...rest } = stepOn(
      site,
      { ...inputs, mode: 'refresh', 'refresh-before': '300h' },
      more,
    ).inputs;
    const refresh = await runStep({ ...stepOn(site, {}, more), inputs: rest });
    expect(refresh.exitCode, refresh.log + refresh.stderr).toBe(0);
    expect(platform.exportJobs).toHaveLength(1);
  });
});
