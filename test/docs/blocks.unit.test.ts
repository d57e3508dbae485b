import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readPageTexts } from '../../scripts/docs/page-texts.ts';
import { isWorkflow } from '../../scripts/examples/workflow.ts';
import { wholeWorkflow, yamlBlocks } from '../../scripts/lint/blocks.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { ROOT, readText } from './pages.ts';

const blocks = [...readPageTexts(ROOT)].flatMap(([path, text]) => yamlBlocks(path, text));

describe('blocks of YAML on the pages', () => {
  it.each(blocks.map(({ name, yaml }) => [name, yaml]))(
    'The block %s is a workflow, a part that can be completed, a file of the action, or a Kubernetes object',
    async (name, yaml) => {
      const whole = wholeWorkflow(yaml);
      // Resolves if the program accepts each of its keys.
      if (yaml.includes('/docs-courier.schema.json')) await parseConfig(yaml, name);
      else if (whole !== undefined) expect(isWorkflow(whole)).toBe(true);
      else expect(parseAllDocuments(yaml).every(isOurs)).toBe(true);
    },
  );
});

/** A file of queries, a Kubernetes object, or nothing but comments. */
function isOurs(document: ReturnType<typeof parseAllDocuments>[number]): boolean {
  return document.contents === null || document.has('queries') || document.has('apiVersion');
}

describe('a Helm release', () => {
  const example = readText('examples/helm.yml');

  it('The example keeps the other values of a release, and enables the static export that it sets', () => {
    const [command = ''] = /helm upgrade (?:.*\\\n)*.*/.exec(example) ?? [];
    expect(command).toMatch(/ --(?:reset-then-)?reuse-values /);
    expect(command).toContain(' --set staticExport.enabled=true ');
    expect(command).toContain('staticExport.bundleUrl=');
  });

  it('The page on Kubernetes names the value of the chart that has the Secret', () => {
    expect(readText('docs/how-to/deliver-to-kubernetes.md')).toContain(
      '`staticExport.bundleUrlSecret`',
    );
    const { staticExport } = parse(readText('examples/chart/values.yaml'));
    expect(staticExport.bundleUrlSecret).toMatchObject({ name: 'docs-link', key: 'url' });
  });

  it('The example uses the Helm that the tests of the chart run', () => {
    const [, version] = /^HELM=(\S+)$/m.exec(readText('scripts/real-servers.sh')) ?? [];
    expect(example).toContain(`with: { version: v${version} }`);
  });
});
