import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Everything that a user copies, and what prints lines to copy. */
const PLACES = [
  '.github',
  'README.md',
  'action.yml',
  'docs',
  'emulator',
  'examples',
  'gitea',
  'scripts/docs',
  'src',
  'templates',
];

const CONTEXT = /\bvars(?:\.\w+|\[[^\]]*\])|toJSON\(vars\)/gi;
// GitHub refuses the App's key with a wrong id, and the state is signed.
const HARMLESS = [
  'client-id: ${{ vars.DOCS_APP_CLIENT_ID }}',
  'fromJSON(vars.DOCS_BUNDLE_URL_STATE)',
];

/** They decide which server gets a credential, which content goes live, and where. */
const DECIDING =
  'base-url|domain|project-id|to|image|publisher|vault-address|aws-role|live-url|rollout|role-to-assume|bucket|registry';
const AS_VARIABLE = `DOCS_COURIER_(?:${DECIDING.replaceAll('-', '_').toUpperCase()})`;
const ASSIGNED = new RegExp(
  `(?:^|[\\s{,"'-])(?:${DECIDING}|${AS_VARIABLE})["']?\\s*[:=]\\s*(\\S.*)$`,
  'i',
);
const FLAG = new RegExp(`--(?:${DECIDING})[ =](\\S+)`, 'g');
// A template gets its inputs from the file that includes it; GitHub, an earlier step and a secret
// are not variables either.
const FIXED = /\$\[\[ *inputs\.[\w-]+ *\]\]|\$\{\{ *(?:github|steps|secrets)\.[\w.-]+ *\}\}/g;
// What an expression, a shell, Azure Pipelines or CircleCI replaces.
const REPLACED = /\$|<</;

interface Text {
  readonly name: string;
  readonly text: string;
}

/** Lines in which a person who may write variables decides about a credential or about content. */
function linesWithVariables({ text }: Text): string[] {
  return text.split('\n').filter((line) => {
    const rest = HARMLESS.reduce((left, harmless) => left.replaceAll(harmless, ''), line);
    return rest.match(CONTEXT) !== null;
  });
}

/** Lines of a CI configuration with an address that something replaces before the run reads it. */
function linesWithReplacedAddress({ text }: Text): string[] {
  return text.split('\n').filter((line) => {
    const values = [
      ASSIGNED.exec(line)?.[1] ?? '',
      ...[...line.matchAll(FLAG)].map(([, value = '']) => value),
    ];
    return values.some((value) => REPLACED.test(value.replaceAll(FIXED, '')));
  });
}

function readTexts(place: string): Text[] {
  const path = join(ROOT, place);
  if (!statSync(path).isDirectory()) return [{ name: place, text: readFileSync(path, 'utf8') }];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|ya?ml|ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ name: file.slice(ROOT.length + 1), text: readFileSync(file, 'utf8') }));
}

const texts = PLACES.flatMap(readTexts);
/**
 * Blocks of pages in the language of a CI system, and whole files. A terminal is the reader's own.
 */
const configurations = texts.flatMap(({ name, text }) => {
  if (/^(?:examples|templates)\//.test(name)) return [{ name, text }];
  const blocks = [...text.matchAll(/^```(?:yaml|groovy)[^\n]*\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, block = '']) => ({ name, text: block }));
});

const shown = (find: (text: Text) => string[], all: readonly Text[]) =>
  all.flatMap((text) => find(text).map((line) => `${text.name}: ${line.trim()}`));

describe('addresses that receive a credential, and what decides about content', () => {
  it('No example, page, template or hint reads one from a variable of the repository', () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(shown(linesWithVariables, texts)).toEqual([]);
  });

  it('No configuration of a CI system has one that the system or a shell replaces', () => {
    expect(configurations.length).toBeGreaterThan(100);
    expect(shown(linesWithReplacedAddress, configurations)).toEqual([]);
  });

  it.each([
    'base-url: ${{ vars.DOCS_BASE_URL }}',
    "project-id: ${{ vars['DOCS_PROJECT_ID'] }}",
    'PURGE_URL: ${{ vars.CDN_PURGE_URL }}',
    'client-id: ${{ vars.DOCS_APP_ID }}',
    'run: echo ${{ toJSON(vars) }}',
  ])('A variable of the repository is found: %s', (line) => {
    expect(linesWithVariables({ name: 'x', text: line })).toEqual([line]);
  });

  it.each([
    'DOCS_COURIER_BASE_URL: $PLATFORM',
    'with: { domain: "${{ env.SITE }}" }',
    'npx docs-courier export --base-url "$BASE_URL" --domain docs.example.com',
    "DOCS_COURIER_TO = 'file:${PLACE}'",
    '- docs-courier export --project-id << pipeline.parameters.project >>',
    'DOCS_COURIER_IMAGE: $CI_REGISTRY_IMAGE/site:latest',
  ])('An address that a system or a shell replaces is found: %s', (line) => {
    expect(linesWithReplacedAddress({ name: 'x', text: line })).toEqual([line]);
  });

  it.each([
    'client-id: ${{ vars.DOCS_APP_CLIENT_ID }}',
    'base-url: ${{ secrets.DOCS_BASE_URL }}',
    'DOCS_COURIER_BASE_URL: "$[[ inputs.base-url ]]"',
    'to: gitea:repo/${{ github.repository }}/DOCS_BUNDLE_URL',
    'admin-api-key: ${{ secrets.DOCS_ADMIN_API_KEY }}',
    'pull-request: ${{ inputs.pull-request }}',
    'git commit --message "Update docs-courier to $COMMIT"',
  ])('A line that decides nothing is not found: %s', (line) => {
    const text = { name: 'x', text: line };
    expect([...linesWithVariables(text), ...linesWithReplacedAddress(text)]).toEqual([]);
  });
});
