import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { readCatalog } from '../../scripts/catalog.ts';
import { isWorkflow } from '../../scripts/examples/workflow.ts';
import { ACTION } from '../../src/ground/published.ts';
import { filesBelow, links, ROOT, readPages, readText } from './pages.ts';

const { inputs, outputs } = readCatalog(join(ROOT, 'action.yml'));
const inputNames = inputs.map(({ name }) => name);
const outputNames = outputs.map(({ name }) => name);

const step = z.looseObject({
  id: z.optional(z.string()),
  uses: z.optional(z.string()),
  run: z.optional(z.string()),
  with: z.optional(z.record(z.string(), z.unknown())),
});
type Step = z.infer<typeof step>;
const job = z.looseObject({ permissions: z.optional(z.unknown()), steps: z.array(step) });
const workflow = z.looseObject({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), job),
});

interface Source {
  readonly name: string;
  readonly text: string;
}

const exampleFiles: Source[] = filesBelow('examples')
  .filter((name) => name.endsWith('.yml') && name !== 'docs-queries.yml')
  .map((name) => ({ name: `examples/${name}`, text: readText(`examples/${name}`) }));

/** Fenced YAML of the README and of every page. */
const blocks: Source[] = [
  { name: 'README.md', text: readText('README.md') },
  ...readPages().map(({ path, body }) => ({ name: `docs/${path}`, text: body })),
].flatMap(({ name, text }) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml = ''], index) => ({
    name: `${name} #${index + 1}`,
    text: yaml,
  })),
);

/** Every step, wherever it is: pages show whole workflows, single jobs and single steps. */
function stepsOf(text: string): Step[] {
  return parseAllDocuments(text).flatMap((document) => stepsIn(document.toJS()));
}

function stepsIn(value: unknown): Step[] {
  if (Array.isArray(value)) return value.flatMap(stepsIn);
  if (typeof value !== 'object' || value === null) return [];
  const one = step.safeParse(value);
  if (one.success && (one.data.uses !== undefined || one.data.run !== undefined)) return [one.data];
  return Object.values(value).flatMap(stepsIn);
}

function isOurs({ uses }: Step): boolean {
  return uses === ACTION;
}

const targets = [readText('README.md'), ...readPages().map(({ body }) => body)]
  .flatMap(links)
  .map(({ target }) => target);
const sources = [...exampleFiles, ...blocks];

describe('the check of workflows', () => {
  it('The check finds steps in workflows, jobs and lists', () => {
    expect(stepsOf('jobs: { a: { steps: [{ uses: x/y@v1 }] } }')).toHaveLength(1);
    expect(stepsOf('a: { steps: [{ uses: x/y@v1 }, { run: ls }] }')).toHaveLength(2);
    expect(stepsOf('- uses: x/y@v1')).toHaveLength(1);
  });

  it('The check sees every use of this action in a block of YAML', () => {
    for (const { name, text } of sources) {
      expect(stepsOf(text).filter(isOurs), name).toHaveLength(
        text.split('\n').filter((line) => line.endsWith(`uses: ${ACTION}`)).length,
      );
    }
  });
});

describe.each(sources)('$name', ({ text }) => {
  const steps = stepsOf(text);

  it('The file uses only inputs that exist, with a mode that accepts them', () => {
    for (const { with: given = {} } of steps.filter(isOurs)) {
      expect(inputNames).toEqual(expect.arrayContaining(Object.keys(given)));
      const wrong = Object.keys(given).filter(
        // Doctor accepts the inputs of the step that it checks.
        (name) =>
          !inputs.some(
            ({ name: known, modes }) =>
              known === name && (given.mode === 'doctor' || modes.includes(String(given.mode))),
          ),
      );
      expect(wrong).toEqual([]);
    }
  });

  it('The file reads only outputs that exist', () => {
    const ids = new Set(steps.filter(isOurs).flatMap(({ id }) => id ?? []));
    const read = [...text.matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)].filter(([, id = '']) =>
      ids.has(id),
    );
    expect(
      read.map(([, , output]) => output).filter((output) => !outputNames.includes(output ?? '')),
    ).toEqual([]);
  });

  it('The file does not put an expression into a script', () => {
    expect(steps.map(({ run }) => run ?? '').filter((run) => run.includes('${{'))).toEqual([]);
  });

  it('The file has only a version after the name of an action, where Renovate and Dependabot read it', () => {
    const comments = [...text.matchAll(/uses: \S+ *#(.*)$/gm)].map(([, comment = '']) =>
      comment.trim(),
    );
    expect(comments.filter((comment) => !/^v\d+\.\d+\.\d+$/.test(comment))).toEqual([]);
  });

  it('The file pins actions of other owners to a full commit, with the version in a comment', () => {
    const uses = [...text.matchAll(/uses: (\S+)(.*)$/gm)].filter(
      ([, name = '']) => !name.startsWith(ACTION),
    );
    for (const [line, name, comment] of uses) {
      expect(name, line).toMatch(/@[0-9a-f]{40}$/);
      expect(comment, line).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
  });
});

describe.each(exampleFiles)('$name', ({ name, text }) => {
  it('An example uses this action or updates it, allows all jobs at most to read the repository, and gives a reason for each permission', () => {
    const { permissions, jobs } = workflow.parse(parse(text));
    expect(text).toMatch(/^permissions: \{.*\} # \S/m);
    expect([{}, { contents: 'read' }]).toContainEqual(permissions);
    const isUsed = Object.values(jobs)
      .flatMap(({ steps }) => steps)
      .some(isOurs);
    // This one only updates the copy, and runs nothing of it.
    expect(isUsed).toBe(name !== 'examples/update-the-copy.yml');
    const granted = [...text.matchAll(/^ {6}[a-z-]+: (?:read|write)\b(.*)$/gm)];
    for (const [line, comment] of granted) expect(comment, line).toMatch(/^ # \S/);
  });

  it('An example checks out the repository before each use of the copied action', () => {
    for (const { steps } of Object.values(workflow.parse(parse(text)).jobs)) {
      const checkout = steps.findIndex(({ uses = '' }) => uses.startsWith('actions/checkout@'));
      const first = steps.findIndex(({ uses = '' }) => uses.startsWith('./'));
      if (first !== -1) expect([checkout !== -1, checkout < first]).toEqual([true, true]);
    }
  });

  it('An example is shown on a page of the documentation or in the README, or is linked there', () => {
    const isShown = blocks.some((block) => block.text.trim() === text.trim());
    expect(isShown || targets.some((target) => target.endsWith(name))).toBe(true);
  });
});

describe('the examples', () => {
  const ours = exampleFiles.flatMap(({ text }) => stepsOf(text).filter(isOurs));

  it('The examples show each mode that has its own workflow', () => {
    const shown = new Set(ours.map(({ with: given }) => given?.mode));
    expect([...shown]).toEqual(expect.arrayContaining(['export', 'refresh', 'agent', 'search']));
  });

  it('The example of the README has at most ten inputs and does not need the token of an App', () => {
    const [first = ''] = blocks
      .filter(({ name }) => name.startsWith('README.md'))
      .map(({ text }) => text);
    const [step] = stepsOf(first).filter(isOurs);
    expect(Object.keys(step?.with ?? {}).length).toBeLessThanOrEqual(10);
    expect(first).not.toContain('secret-token');
  });
});

describe('whole workflows on pages', () => {
  const whole = blocks.filter(({ text }) => isWorkflow(text));

  it('Each whole workflow on a page is exactly an example, so each of them is run', () => {
    expect(whole.length).toBeGreaterThan(10);
    const examples = exampleFiles.map(({ text }) => text.trim());
    expect(
      whole.filter(({ text }) => !examples.includes(text.trim())).map(({ name }) => name),
    ).toEqual([]);
  });
});
