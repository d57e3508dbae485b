import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import { readPipelines } from '../../scripts/examples/gitlab.ts';
import { INPUT_NAMES } from '../../src/values/reader.ts';
import { filesBelow, readText } from './pages.ts';

const specification = z.object({
  spec: z.object({ inputs: z.record(z.string(), z.nullable(z.looseObject({}))) }),
});
const jobs = z.record(z.string(), z.looseObject({ variables: z.record(z.string(), z.string()) }));
/** The variable with the inputs of a template. */
const LIST = 'DOCS_COURIER_TEMPLATE';
const pipelines = readPipelines('docs/how-to/gitlab-ci.md');

describe.each(filesBelow('templates'))('templates/%s', (name) => {
  const text = readText(`templates/${name}`);
  const [head, body] = parseAllDocuments(text).map((document) => document.toJS());
  const { inputs } = specification.parse(head).spec;

  it('A GitLab template declares each input that it uses, and uses each that it declares', () => {
    const used = [...text.matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, input]) => input);
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
  });

  it('A GitLab template sets only variables that docs-courier reads', () => {
    const names = Object.values(jobs.parse(body)).flatMap(({ variables }) =>
      Object.keys(variables),
    );
    const known = INPUT_NAMES.map(
      (input) => `DOCS_COURIER_${input.toUpperCase().replaceAll('-', '_')}`,
    );
    expect(names.length).toBeGreaterThan(0);
    for (const variable of names) expect([...known, LIST]).toContain(variable);
  });

  it('A GitLab template names the inputs that it hands on, so that messages advise these', () => {
    for (const { variables } of Object.values(jobs.parse(body))) {
      const handedOn = Object.values(variables).flatMap(
        (value) => /^\$\[\[ inputs\.([\w-]+) \]\]$/.exec(value)?.[1] ?? [],
      );
      expect(variables[LIST]?.split(' ')).toEqual(handedOn);
    }
  });

  it('A GitLab template is in a pipeline of the guide, which npm run examples runs', () => {
    expect(pipelines.some((pipeline) => pipeline.includes(`/templates/${name}`))).toBe(true);
  });

  it(`The template ${name} makes no id token, which only some destinations need`, () => {
    expect(text).not.toMatch(/^ +id_tokens:/m);
  });
});

it('Each page with a pipeline for GitLab is one whose pipelines npm run examples runs', () => {
  const cases = filesBelow('scripts/examples/cases').map((name) =>
    readText(`scripts/examples/cases/${name}`),
  );
  const pages = filesBelow('docs')
    .map((name) => `docs/${name}`)
    .filter((page) => page.endsWith('.md') && readPipelines(page).length > 0);
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages)
    expect(
      cases.some((text) => text.includes(`'${page}'`)),
      page,
    ).toBe(true);
});
