import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A pipeline on the page about other CI systems. */
interface CiSnippet {
  /** The heading above it. */
  readonly title: string;
  readonly language: string;
  readonly text: string;
  /** The words of each call of docs-courier, as a shell splits them. */
  readonly commands: readonly (readonly string[])[];
}

const PAGE = join(import.meta.dirname, '../../docs/how-to/any-other-ci.md');
const SNIPPET = /^## (.+)\n\n```(\w+) [\w-]+\n([\s\S]*?)^```$/gm;
const CALL = /^npx --yes \.\/docs-courier\.tgz (.+)$/;

export function ciSnippets(): CiSnippet[] {
  return [...readFileSync(PAGE, 'utf8').matchAll(SNIPPET)].map(
    ([, title = '', language = '', text = '']) => {
      const scripts =
        language === 'yaml'
          ? strings(parse(text))
          : [...text.matchAll(/'''([\s\S]*?)'''/g)].map(([, script = '']) => script);
      const lines = scripts.flatMap((script) => script.replaceAll(/\\\n\s*/g, '').split('\n'));
      const calls = lines.flatMap((line) => CALL.exec(line.trim())?.[1] ?? []);
      return { title, language, text, commands: calls.map((call) => call.split(/\s+/)) };
    },
  );
}

/** Every text in a YAML document. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
