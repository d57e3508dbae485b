import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { ERROR_CODES, type ErrorCode } from '../../src/ground/errors.ts';
import { REPOSITORY } from '../../src/ground/published.ts';
import { ADVICE } from '../../src/stores/github/target.ts';
import { type CatalogEntry, readCatalog, readModes, readOutputTable } from '../catalog.ts';
import { findRegions } from './regions.ts';

const REFERENCE = 'docs/reference/';
const entryTexts = z.record(z.string(), z.string());
const errorTexts = z.record(
  z.string(),
  z.object({ cause: z.string(), remedy: z.string(), text: z.string() }),
);
const permissionTexts = z.array(
  z.object({
    scope: z.enum(['repository', 'environment', 'organization']),
    settings: z.string(),
    covers: z.string(),
  }),
);

/** An input or output of action.yml with the text below its heading in the reference. */
export interface Explained extends CatalogEntry {
  readonly extra: string;
}

export interface ErrorEntry {
  readonly code: ErrorCode;
  /** Why it happens, and what to do: one sentence each. */
  readonly cause: string;
  readonly remedy: string;
  readonly text: string;
}

export interface PermissionEntry {
  readonly scope: string;
  /** The names of the permissions in the settings of a GitHub App or token. */
  readonly settings: string;
  readonly covers: string;
  /** The step that creates the token. */
  readonly yaml: string;
  /** Addresses of GitHub's forms for a new App and a new personal access token, filled in. */
  readonly forms: { readonly app: string; readonly token: string };
}

/** A field of the report. */
export type ReportField = Pick<CatalogEntry, 'name' | 'modes' | 'text'>;

const reportSchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string() })),
});

function readReport(root: string): ReportField[] {
  const schema: unknown = JSON.parse(
    readFileSync(join(root, 'schemas/report.schema.json'), 'utf8'),
  );
  const fields = Object.entries(reportSchema.parse(schema).properties);
  return fields.map(([name, { description }]) => readModes(name, description));
}

export interface DocsSource {
  readonly report: readonly ReportField[];
  readonly inputs: readonly Explained[];
  readonly outputs: readonly Explained[];
  readonly errors: readonly ErrorEntry[];
  readonly permissions: readonly PermissionEntry[];
  /** The page in the reference that explains an entry: the one with a generated part for it. */
  readonly pageOf: (part: 'inputs' | 'outputs' | 'errors', name: string) => string;
  /** Text of a file in examples. */
  readonly example: (name: string) => string;
  /** The configuration of a web server, which the guide, the manifests and the chart share. */
  readonly webServer: (name: string) => string;
}

function readYaml(root: string, name: string): unknown {
  return parse(readFileSync(join(root, 'scripts/docs', name), 'utf8'));
}

/**
 * Each entry with its text; an entry without text, or a text without entry, is an error, so
 * everything is explained.
 */
function explain(
  entries: readonly CatalogEntry[],
  extras: Record<string, string>,
  file: string,
): Explained[] {
  const unknown = Object.keys(extras).filter(
    (name) => !entries.some((entry) => entry.name === name),
  );
  if (unknown.length > 0)
    throw new Error(`scripts/docs/${file}: ${unknown.join(', ')} is not in action.yml`);
  return entries.map((entry) => {
    const extra = extras[entry.name];
    if (extra === undefined) throw new Error(`scripts/docs/${file}: ${entry.name} has no text`);
    return { ...entry, extra: extra.trim() };
  });
}

function readErrors(root: string): ErrorEntry[] {
  const entries = errorTexts.parse(readYaml(root, 'errors.yml'));
  const codes: readonly string[] = ERROR_CODES;
  const unknown = Object.keys(entries).filter((code) => !codes.includes(code));
  if (unknown.length > 0)
    throw new Error(`scripts/docs/errors.yml: ${unknown.join(', ')} is not an error code`);
  return ERROR_CODES.map((code) => {
    const entry = entries[code];
    if (entry === undefined) throw new Error(`scripts/docs/errors.yml: ${code} has no text`);
    return { code, ...entry };
  });
}

function readPermissions(root: string): PermissionEntry[] {
  const entries = permissionTexts.parse(readYaml(root, 'permissions.yml'));
  return entries.map((entry) => ({
    ...entry,
    yaml: ADVICE[entry.scope].yaml,
    forms: { app: newAppAddress(entry.scope), token: newTokenAddress(entry.scope) },
  }));
}

/** Names of the permissions of a scope in addresses and in the REST API. */
const PERMISSION_NAMES = {
  repository: ['secrets', 'actions_variables'],
  environment: ['environments'],
  organization: ['organization_secrets', 'organization_actions_variables'],
} as const;
type Scope = keyof typeof PERMISSION_NAMES;

/**
 * Address of GitHub's form for a new App, filled in but for the name (docs.github.com: Registering
 * a GitHub App using URL parameters). For an organization, replace ORGANIZATION.
 */
function newAppAddress(scope: Scope): string {
  const owner = scope === 'organization' ? 'organizations/ORGANIZATION/' : '';
  const query = new URLSearchParams({ url: REPOSITORY, public: 'false', webhook_active: 'false' });
  for (const name of PERMISSION_NAMES[scope]) query.set(name, 'write');
  return `https://github.com/${owner}settings/apps/new?${query}`;
}

/**
 * Address of GitHub's form for a fine-grained personal access token, filled in but for the
 * repositories (docs.github.com: Managing your personal access tokens, URL parameters).
 */
function newTokenAddress(scope: Scope): string {
  const query = new URLSearchParams({ name: 'docs-courier', expires_in: '90' });
  for (const name of PERMISSION_NAMES[scope]) query.set(name, 'write');
  return `https://github.com/settings/personal-access-tokens/new?${query}`;
}

/** Page of the reference, as a link from the same folder. */
function findPage(texts: ReadonlyMap<string, string>, part: string, name: string): string {
  const asksFor = (path: string, text: string) =>
    findRegions(path, text).some(({ part: words }) => {
      const [asked, ...names] = words.split(' ');
      return asked === part && names.includes(name);
    });
  for (const [path, text] of texts) {
    if (path.startsWith(REFERENCE) && asksFor(path, text)) return path.slice(REFERENCE.length);
  }
  throw new Error(`${REFERENCE}: no page has a generated part that explains ${name}`);
}

/** `texts`: every page, to find the one that explains an entry. */
export function readDocsSource(root: string, texts: ReadonlyMap<string, string>): DocsSource {
  const { inputs, outputs } = readCatalog(join(root, 'action.yml'));
  const table = Object.entries(readOutputTable(root));
  const outputTexts = Object.fromEntries(table.map(([name, { text }]) => [name, text]));
  return {
    inputs: explain(inputs, entryTexts.parse(readYaml(root, 'inputs.yml')), 'inputs.yml'),
    outputs: explain(outputs, outputTexts, 'outputs.yml'),
    report: readReport(root),
    errors: readErrors(root),
    permissions: readPermissions(root),
    pageOf: (part, name) => findPage(texts, part, name),
    example: (name) => readFileSync(join(root, 'examples', name), 'utf8').trimEnd(),
    webServer: (name) => readFileSync(join(root, 'scripts/docs/web-servers', name), 'utf8'),
  };
}
