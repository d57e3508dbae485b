import { parse } from 'yaml';
import * as z from 'zod/mini';
import { isWorkflow } from '../examples/workflow.ts';

/** A YAML block on a page. */
export interface Block {
  /** `docs/how-to/two-jobs.md:21`: page and line of the block's first line. */
  readonly name: string;
  readonly yaml: string;
  /** Name of the file in examples that the page shows here, if it is generated from one. */
  readonly example: string | undefined;
}

const BLOCK = /(?:<!-- generated: example (\S+) -->\n\n)?^```yaml\n([\s\S]*?)^```$/gm;

/** Every YAML block of a page, in order. */
export function yamlBlocks(path: string, text: string): Block[] {
  return [...text.matchAll(BLOCK)].map((match) => {
    const [whole, example, yaml = ''] = match;
    const line = text.slice(0, match.index + whole.indexOf('```yaml')).split('\n').length + 1;
    return { name: `${path}:${line}`, yaml, example };
  });
}

const map = z.record(z.string(), z.unknown());

function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}

/** Names that a part of a workflow uses but does not contain: steps, jobs and inputs. */
function named(yaml: string, what: 'steps' | 'needs' | 'inputs'): string[] {
  return [
    ...new Set(
      [...yaml.matchAll(new RegExp(`\\b${what}\\.([\\w-]+)`, 'g'))].flatMap(
        ([, name]) => name ?? [],
      ),
    ),
  ];
}

/**
 * A whole workflow around a part of one, so workflow linters can check it: steps, a job, `on:`,
 * `env:` or `concurrency:`. What the part refers to is added. undefined: the block is not part of a
 * workflow, such as a queries file.
 */
export function wholeWorkflow(yaml: string): string | undefined {
  // Several documents, such as manifests.
  if (/^---$/m.test(yaml)) return undefined;
  const value: unknown = parse(yaml);
  if (isWorkflow(yaml)) return yaml;
  if (Array.isArray(value)) return aroundSteps(yaml);
  const keys = Object.keys(map.safeParse(value).data ?? {});
  if (keys.length === 0) return undefined;
  if (keys.includes('jobs')) return `on:\n  workflow_dispatch:\n${yaml}`;
  if (keys.every((key) => ['on', 'env', 'concurrency', 'permissions'].includes(key))) {
    const on = keys.includes('on') ? '' : 'on:\n  workflow_dispatch:\n';
    return `${on}${yaml}jobs:\n  any:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo\n`;
  }
  const jobs = map.safeParse(value).data ?? {};
  const areJobs = Object.values(jobs).every((job) => map.safeParse(job).data?.steps !== undefined);
  return areJobs ? aroundJobs(yaml) : undefined;
}

function aroundSteps(yaml: string): string {
  const own = [...yaml.matchAll(/\bid: ([\w-]+)/g)].map(([, id]) => id);
  const earlier = named(yaml, 'steps').filter((id) => !own.includes(id));
  const before = earlier.map((id) => `- id: ${id}\n  run: echo\n`).join('');
  return `${trigger(yaml)}jobs:\n  any:\n    runs-on: ubuntu-latest\n    steps:\n${indent(before + yaml, 6)}`;
}

function aroundJobs(yaml: string): string {
  const needed = [...yaml.matchAll(/^ {2}needs: ([\w-]+)$/gm)].map(([, id]) => id);
  const before = needed
    .map((id) => `${id}:\n  runs-on: ubuntu-latest\n  steps:\n    - run: echo\n`)
    .join('');
  return `${trigger(yaml)}jobs:\n${indent(before + yaml, 2)}`;
}

function trigger(yaml: string): string {
  const inputs = named(yaml, 'inputs').map(
    (name) => `      ${name}:\n        description: Given manually\n`,
  );
  return `on:\n  workflow_dispatch:\n${inputs.length > 0 ? `    inputs:\n${inputs.join('')}` : ''}`;
}
