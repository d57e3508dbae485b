import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { ADVICE, appSteps } from '../../../src/stores/github/target.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SCOPES = ['repository', 'environment', 'organization'] as const;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const texts = z
  .array(z.object({ scope: z.enum(SCOPES), settings: z.string() }))
  .parse(parse(read('scripts/docs/permissions.yml')));

test.each([
  [
    'repository',
    {
      with: { 'permission-secrets': 'write' },
      env: { 'INPUT_PERMISSION-ACTIONS-VARIABLES': 'write' },
    },
  ],
  ['environment', { with: { 'permission-environments': 'write' } }],
  [
    'organization',
    {
      with: { 'permission-organization-secrets': 'write' },
      env: { 'INPUT_PERMISSION-ORGANIZATION-ACTIONS-VARIABLES': 'write' },
    },
  ],
] as const)(
  'The advice for scope %s is a step that can be pasted, with a pinned action',
  (scope, step) => {
    const { yaml } = ADVICE[scope];
    const [made] = z.array(z.looseObject({ uses: z.string() })).parse(parse(yaml));
    expect(made).toMatchObject({ id: 'app-token', ...step });
    expect(made?.uses).toMatch(/^actions\/create-github-app-token@[0-9a-f]{40}$/);
    expect(parse(appSteps(ADVICE[scope])?.yaml ?? '')).toEqual(parse(yaml));
  },
);

test.each(SCOPES)('The documentation shows the step for scope %s exactly as errors do', (scope) => {
  const { yaml } = ADVICE[scope];
  expect(read('docs/reference/permissions.md')).toContain(`\`\`\`yaml\n${yaml}\n\`\`\``);
});

test.each(SCOPES)(
  'The address that fills in the form for a GitHub App asks for what the step for scope %s asks for',
  (scope) => {
    const [step] = z
      .array(
        z.object({
          with: z.record(z.string(), z.string()),
          env: z.optional(z.record(z.string(), z.string())),
        }),
      )
      .parse(parse(ADVICE[scope].yaml));
    const inputs = [...Object.entries(step?.with ?? {}), ...Object.entries(step?.env ?? {})].map(
      ([name, access]) => [name.toLowerCase().replace(/^input_/, ''), access],
    );
    const permissions = inputs.flatMap(([name = '', access]) =>
      name.startsWith('permission-')
        ? [[name.slice('permission-'.length).replaceAll('-', '_'), access]]
        : [],
    );
    const lines = read('docs/how-to/write-a-github-secret.md').split('\n');
    const [, address = ''] =
      /\((https:.*)\)$/.exec(
        lines.find((line) => line.startsWith('- [An App for') && line.includes(` ${scope}]`)) ?? '',
      ) ?? [];
    const asked = [...new URL(address).searchParams].filter(
      ([name]) => !['url', 'public', 'webhook_active'].includes(name),
    );
    expect(new Map(asked.map(([name, access]) => [name, access]))).toEqual(
      new Map(permissions.map(([name = '', access = '']) => [name, access])),
    );
  },
);

test.each(SCOPES)('The documentation names the permissions of scope %s as errors do', (scope) => {
  const named = (text: string) =>
    [...text.matchAll(/(?:Secrets|Variables|Environments): Read and write/g)].map(String);
  const { secrets, variables } = ADVICE[scope];
  const settings = texts.find((entry) => entry.scope === scope)?.settings ?? '';
  expect(new Set(named(settings))).toEqual(new Set(named(`${secrets} ${variables}`)));
  expect(settings).toContain(
    `${scope === 'organization' ? 'organization' : 'repository'} permission`,
  );
});

test.each([
  ['examples/export-on-merge.yml', 'repository'],
  ['examples/refresh-on-schedule.yml', 'repository'],
  ['examples/export-environment-secret.yml', 'environment'],
  ['examples/export-organization-secret.yml', 'organization'],
] as const)(
  'The example %s makes its token with the step of the advice, line by line',
  (path, scope) => {
    const indented = ADVICE[scope].yaml.replace(/^/gm, '      ');
    expect(read(path)).toContain(`${indented}\n`);
  },
);
