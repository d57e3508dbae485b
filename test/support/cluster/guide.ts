import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { fieldOf } from '../../../src/ground/text/json.ts';

const CHECKOUT = join(import.meta.dirname, '../../..');

/**
 * The manifests of a guide of one kind, as a reader copies them: those on the page, and those of an
 * example that one of its commands copies.
 */
export function manifestsOf(page: string, kind: string): readonly unknown[] {
  const text = readFileSync(join(CHECKOUT, 'docs/how-to', page), 'utf8');
  const onPage = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
  const copied = [...text.matchAll(/^cp \.\.\/docs-courier\/(examples\/\S+\.yaml)/gm)].map(
    ([, path = '']) => readFileSync(join(CHECKOUT, path), 'utf8'),
  );
  const documents = [...onPage, ...copied].flatMap((yaml) => parseAllDocuments(yaml));
  return documents
    .map((document): unknown => document.toJS())
    .filter((manifest) => fieldOf(manifest, 'kind') === kind);
}

/** The guide's kubeconfig without a secret, for this cluster. */
export function kubeconfigOfRun({
  url,
  ca,
}: {
  readonly url: string;
  readonly ca: string;
}): string {
  const config = manifestsOf('deliver-to-kubernetes.md', 'Config').find((one) =>
    stringify(one).includes('exec'),
  );
  return stringify(config)
    .replace('https://kubernetes.example.com:6443', url)
    .replace('LS0tLS1CRUdJTi…', Buffer.from(ca).toString('base64'));
}
