import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { startLiveSite, staticHost } from '../support/live-site.ts';
import { runStep } from '../support/runner.ts';
import { SECRET_INPUTS, startActionWorld, stepWithSecret } from '../support/world/built-action.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const ROW = README.split('\n').find((line) => line.startsWith('| [Resume](')) ?? '';
const PLATFORM = readFileSync(
  join(import.meta.dirname, '../../docs/reference/platform.md'),
  'utf8',
);
const workflow = z.object({
  jobs: z.object({
    export: z.object({
      steps: z.array(z.object({ with: z.optional(z.record(z.string(), z.unknown())) })),
    }),
  }),
});

const PROJECT = 'proj_readme';

/**
 * The inputs of the step in the workflow of the README, without those that are about the platform,
 * for a site at this address.
 */
function inputsOfWorkflow(servedAt: string): Record<string, string> {
  const [, yaml = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(README) ?? [];
  const [inputs = {}] = workflow
    .parse(parse(yaml))
    .jobs.export.steps.flatMap((step) => (step.with?.mode === 'export' ? [step.with] : []));
  const others = Object.entries(inputs).filter(
    ([name]) => !/^(?:mode|base-url|admin-api-key|domain)$/.test(name),
  );
  // As a person does, since a placeholder is refused; and as the runner does.
  return Object.fromEntries(
    others.map(([name, value]) => [
      name,
      String(value)
        .replace('PROJECT_ID', PROJECT)
        .replace(/^\$\{\{ steps\.pages\.outputs\.base_url \}\}$/, servedAt),
    ]),
  );
}

test("A re-run does what the README's table says, for its workflow and for a step with a destination", async () => {
  expect(ROW).toContain('attaches to the export of the first attempt');
  expect(ROW).toContain('`to` or `image`');
  await using pages = await startLiveSite(staticHost(() => ({})));
  const inputs = inputsOfWorkflow(`${pages.url}/app`);
  expect(inputs).toEqual({
    'project-id': PROJECT,
    publish: 'true',
    'served-at': `${pages.url}/app`,
    'extract-to': 'site',
    add: 'manifest',
    'compare-with': 'live',
  });
  await using world = await startActionWorld({ projectId: PROJECT });
  const jobsOf = async (given: Record<string, string>) => {
    const before = world.platform.exportJobs.length;
    for (const runAttempt of [1, 2]) {
      const { exitCode, log } = await runStep(stepWithSecret(world, given, { runAttempt }));
      expect(exitCode, log).toBe(0);
    }
    return world.platform.exportJobs.length - before;
  };
  const without = Object.fromEntries(Object.keys(SECRET_INPUTS).map((name) => [name, '']));
  expect(await jobsOf({ ...without, ...inputs })).toBe(2);
  expect(await jobsOf({ 'extract-to': 'other' })).toBe(1);
});

test.each([
  { path: '', rows: /^(\| Export \|[\s\S]*?)^\| Export by project / },
  { path: '/app', rows: /^(\| Export by project \|[\s\S]*?)^\| Publishing / },
])(
  'For a site at "$path/", the workflow of the README needs only the endpoints to publish and to export, of which the README names the first',
  async ({ path: servedPath, rows }) => {
    const start = endpointsOf(new RegExp(rows, 'm'));
    const publish = endpointsOf(/^(\| Publishing \|[\s\S]*?)^\| Agent /m).filter(
      (endpoint) => !endpoint.includes('/preview/'),
    );
    await using pages = await startLiveSite(staticHost(() => ({})));
    await using world = await startActionWorld({ projectId: PROJECT });
    const without = Object.fromEntries(Object.keys(SECRET_INPUTS).map((name) => [name, '']));
    const { exitCode, log, summary } = await runStep(
      stepWithSecret(world, { ...without, ...inputsOfWorkflow(`${pages.url}${servedPath}`) }),
    );
    expect(exitCode, log).toBe(0);
    expect(summary).toContain(`- **Served at**: \`${pages.url}${servedPath}/\``);
    const asked = world.platform.requests.filter(({ path }) => !path.startsWith('/storage/'));
    const [job = ''] = world.platform.exportJobs.map(({ jobId }) => jobId);
    const asOnPage = asked.map(({ method, path }) =>
      `${method} ${path}`
        .replace(job, '{jobId}')
        .replace(PROJECT, '{projectId}')
        .replace(/(update-status\/).+/, '$1{statusId}'),
    );
    expect(new Set(asOnPage)).toEqual(new Set([...start, ...publish]));
    expect(README).toContain(`\`${start[0]?.replace('{projectId}', '{project-id}')}\``);
    expect(world.github.requests).toEqual([]);
  },
);

function endpointsOf(rows: RegExp): string[] {
  const [, text = ''] = rows.exec(PLATFORM) ?? [];
  return [...text.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, endpoint = '']) => endpoint);
}
