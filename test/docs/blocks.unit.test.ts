import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readPageTexts } from '../../scripts/docs/page-texts.ts';
import { isWorkflow } from '../../scripts/examples/workflow.ts';
import { wholeWorkflow, yamlBlocks } from '../../scripts/lint/blocks.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { ROOT, readText } from './pages.ts';

const chartValues = readText('examples/chart/values.yaml');
const blocks = [...readPageTexts(ROOT)].flatMap(([path, text]) => yamlBlocks(path, text));

describe('blocks of YAML on the pages', () => {
  it.each(blocks.map(({ name, yaml }) => [name, yaml]))(
    'The block %s is a workflow, a part that can be completed, a file of the action, or a Kubernetes object',
    async (name, yaml) => {
      const whole = wholeWorkflow(yaml);
      // Resolves if the program accepts each of its keys.
      if (yaml.includes('/docs-courier.schema.json')) await parseConfig(yaml, name);
      else if (whole !== undefined) expect(isWorkflow(whole)).toBe(true);
      else if (yaml.startsWith('staticExport:'))
        expect(parse(chartValues)).toMatchObject(parse(yaml));
      else expect(parseAllDocuments(yaml).every(isOurs)).toBe(true);
    },
  );
});

/** A file of queries, a Kubernetes object, or nothing but comments. */
function isOurs(document: ReturnType<typeof parseAllDocuments>[number]): boolean {
  return document.contents === null || document.has('queries') || document.has('apiVersion');
}

describe('a Helm release', () => {
  const upgrades = blocks.flatMap(({ name, yaml }) =>
    [...yaml.matchAll(/helm upgrade (?:.*\\\n)*.*/g)].map(([command]) => [name, command] as const),
  );

  it('There is a page on which a release gets the link as a value', () => {
    expect(
      upgrades.filter(([, command]) => command.includes('staticExport.bundleUrl=')),
    ).not.toEqual([]);
  });

  it.each(upgrades)(
    'The upgrade in %s keeps the other values, and enables the static export that it sets',
    (_, command) => {
      expect(command).toMatch(/ --(?:reset-then-)?reuse-values /);
      if (command.includes('staticExport.bundleUrl='))
        expect(command).toContain(' --set staticExport.enabled=true ');
    },
  );

  it('A HelmRelease that takes the link from a Secret enables the static export', () => {
    const releases = blocks
      .map(({ yaml }) => yaml)
      .filter((yaml) => /^kind: HelmRelease$/m.test(yaml));
    expect(releases).toHaveLength(1);
    for (const yaml of releases)
      expect(parse(yaml)).toMatchObject({ spec: { values: { staticExport: { enabled: true } } } });
  });

  it('The example uses the Helm that the tests of the chart run', () => {
    const [, version] = /^HELM=(\S+)$/m.exec(readText('scripts/real-servers.sh')) ?? [];
    expect(readText('examples/helm.yml')).toContain(`with: { version: v${version} }`);
  });
});
