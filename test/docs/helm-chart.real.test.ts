import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { fieldOf } from '../../src/ground/text/json.ts';
import { helm } from '../support/real-servers/helm.ts';

const CHART = join(import.meta.dirname, '../../examples/chart');
// Every character that a link may contain, including those that Helm's --set would read as syntax.
const LINK =
  'https://bundles.example.com/a,b/{c}.tar.gz?X-Amz-Signature=0123&X-Amz-Expires=60&name=value,other';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chart-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function render(...args: readonly string[]): Promise<readonly unknown[]> {
  const text = await helm(join(folder, 'none'), folder, 'template', 'docs', CHART, ...args);
  return parseAllDocuments(text).map((document) => document.toJS());
}

const ofKind = (manifests: readonly unknown[], kind: string) =>
  manifests.find((one) => fieldOf(one, 'kind') === kind);

test('The chart reads the Secret that the values specify, and does not create one', async () => {
  const set = [
    '--set',
    'staticExport.bundleUrlSecret.name=site-link',
    '--set',
    'staticExport.bundleUrlSecret.key=link',
  ];
  const manifests = await render(...set);
  expect(JSON.stringify(ofKind(manifests, 'Deployment'))).toContain(
    '"secretKeyRef":{"name":"site-link","key":"link"}',
  );
  expect(ofKind(manifests, 'Secret')).toBeUndefined();
});

test('A link as a value, from a file, arrives unchanged, and a new link restarts the pods', async () => {
  const file = join(folder, 'link');
  const checksumWith = async (link: string) => {
    await writeFile(file, link);
    const manifests = await render('--set-file', `staticExport.bundleUrl=${file}`);
    expect(fieldOf(ofKind(manifests, 'Secret'), 'stringData', 'url')).toBe(link);
    const deployment = ofKind(manifests, 'Deployment');
    expect(JSON.stringify(deployment)).not.toContain('bundles.example.com');
    return fieldOf(
      deployment,
      'spec',
      'template',
      'metadata',
      'annotations',
      'checksum/bundle-url',
    );
  };
  const first = await checksumWith(LINK);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await checksumWith(LINK)).toBe(first);
  expect(await checksumWith(`${LINK}2`)).not.toBe(first);
});
