import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readPageTexts } from '../../scripts/docs/page-texts.ts';
import { yamlBlocks } from '../../scripts/lint/blocks.ts';
import { readInputs } from '../../src/inputs/read.ts';
import { INPUT_NAMES, isSecretInput, variableName } from '../../src/values/reader.ts';
import { filesBelow, ROOT, readText } from '../docs/pages.ts';

const examples = filesBelow('examples')
  .filter((name) => name.endsWith('.yml'))
  .map((name) => readText(`examples/${name}`));
const blocks = [...readPageTexts(ROOT)].flatMap(([path, text]) =>
  yamlBlocks(path, text).map(({ yaml }) => yaml),
);

/** Why an export with this input cannot run; empty if it can. */
function problemOf(name: string, text: string): string {
  const given: Readonly<Record<string, string>> = {
    mode: 'export',
    'base-url': 'https://api.example.com',
    'admin-api-key': 'svc_0123456789abcdef',
    domain: 'docs.example.com',
    [name]: text,
  };
  const source = { value: (input: string) => given[input] ?? '', unknownNames: () => [] };
  try {
    readInputs(source, { repository: 'acme/docs', workspace: '/workspace' });
    return '';
  } catch (error) {
    return String(error);
  }
}

/** Every input in a text of YAML, with its value. */
function inputsIn(value: unknown): [name: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const name = INPUT_NAMES.find((input) => input === key || variableName(input) === key);
    const isValue = name !== undefined && !isSecretInput(name) && typeof item === 'string';
    return isValue ? [[name, item] satisfies [string, string]] : inputsIn(item);
  });
}

/** Words in capitals, but not a query, the name of a secret, or what an expression names. */
const placeholders = [...examples, ...blocks]
  .flatMap((text) => parseAllDocuments(text).flatMap((document) => inputsIn(document.toJS())))
  .filter(([name]) => !['query', 'prompt'].includes(name))
  .flatMap(([name, text]) =>
    (text.replace(/\$\{\{.*?\}\}/g, '').match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [])
      .filter((word) => !word.endsWith('_BUNDLE_URL'))
      .map((word) => [name, word, text] as const),
  );

test('The placeholders of the examples are found', () => {
  expect(new Set(placeholders.map(([, word]) => word))).toContain('PROJECT_ID');
  expect(new Set(placeholders.map(([, word]) => word))).toContain('OWNER');
});

test.each([...new Map(placeholders.map((one) => [one.join(), one])).values()])(
  'The input %s with the placeholder %s of an example is refused by its name',
  (name, word, text) => {
    expect(problemOf(name, text)).toContain(`${word} is a placeholder of an example`);
  },
);

test.each([
  ['to', 'github:secret/OWNERS_URL'],
  ['project-id', 'PROJECT_ID_7'],
  ['export-job-id', 'ACCOUNTING'],
])('A value of %s that only resembles a placeholder is read: %s', (name, text) => {
  expect(problemOf(name, text)).not.toContain('placeholder');
});

const UNFILLED = [
  '$DOCS_VALUE',
  '${DOCS_VALUE}',
  '$env:DOCS_VALUE',
  '${{ env.DOCS_VALUE }}',
  '$(DOCS_VALUE)',
  '%DOCS_VALUE%',
  '((DOCS_VALUE))',
  '{{ DOCS_VALUE }}',
  '****',
];

test.each(
  ['admin-api-key', 'domain', 'project-id', 'to'].flatMap((name) =>
    UNFILLED.map((text) => [name, text] as const),
  ),
)(
  'A variable that the CI system has not replaced is refused before anything is sent: %s: %s',
  (name, text) => {
    expect(problemOf(name, text)).toContain('the name of a variable that does not exist here');
  },
);

test.each([
  ['domain', 'https://docs.example.com/', 'without https:// and a path'],
  ['admin-api-key', 'Bearer svc_0123456789abcdef', 'without the word Bearer'],
  ['to', 's3://bucket/docs', 'write extract-to'],
  ['to', 'helm:docs', 'write image'],
])('A form of another tool is refused with what does it here: %s: %s', (name, text, advice) => {
  expect(problemOf(name, text)).toContain(advice);
});

test('Percent signs and braces inside of longer secrets and addresses are no unfilled variables', () => {
  expect(problemOf('admin-api-key', 'svc_0123((x))456789%ab_c%def')).toBe('');
  for (const address of ['file:docs%C3%A4.txt', 'vault:secret/{docs}#url'])
    expect(problemOf('to', address)).not.toContain('does not exist here');
  expect(problemOf('kubeconfig', '{"current-context":"a"}')).not.toContain('does not exist here');
});
