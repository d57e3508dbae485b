import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { fieldOf } from '../../../src/text/json.ts';

const GUIDES = join(import.meta.dirname, '../../../docs/how-to');

/** The manifests of a guide of one kind, as a reader copies them. */
export function manifestsOf(page: string, kind: string): readonly unknown[] {
  const text = readFileSync(join(GUIDES, page), 'utf8');
  const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].flatMap(([, yaml = '']) =>
    parseAllDocuments(yaml).map((document): unknown => document.toJS()),
  );
  return blocks.filter((block) => fieldOf(block, 'kind') === kind);
}

/** The guide's kubeconfig without a secret, for this cluster. */
export function kubeconfigOfRun({
  url,
  ca,
}: {
  readonly url: string;
  readonly ca: string;
}): string {
  const config = manifestsOf('kubernetes-in-detail.md', 'Config').find((one) =>
    stringify(one).includes('exec'),
  );
  return stringify(config)
    .replace('https://kubernetes.example.com:6443', url)
    .replace('LS0tLS1CRUdJTi…', Buffer.from(ca).toString('base64'));
}
