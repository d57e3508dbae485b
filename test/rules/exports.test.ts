import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const files = ['src', 'emulator/src', 'emulator/test', 'scripts', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/**
 * `FILE NAME` of everything that a file imports from another; the name is `*` if it imports
 * everything, or might.
 */
function uses(file: string, text: string): string[] {
  const target = (specifier: string) => normalize(join(dirname(file), specifier));
  const named = text.matchAll(
    /^(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/gm,
  );
  const all = text.matchAll(
    /^(?:import|export)\s+(?:type\s+)?\*[^'\n]*from\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/gm,
  );
  return [
    ...[...named].flatMap(([, names = '', specifier = '']) =>
      names
        .split(',')
        .map((name) =>
          name
            .trim()
            .replace(/^type\s+/, '')
            .replace(/\s+as\s+\w+$/, ''),
        )
        .filter((name) => name !== '')
        .map((name) => `${target(specifier)} ${name}`),
    ),
    ...[...all].map(([, first, second]) => `${target(first ?? second ?? '')} *`),
  ];
}

const DECLARATION =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;

const used = new Set([...texts].flatMap(([file, text]) => uses(file, text)));

it('Every export of src is imported somewhere, types included', () => {
  const unused = [...texts]
    .filter(([file]) => /^(emulator\/)?src\//.test(file) && !used.has(`${file} *`))
    .flatMap(([file, text]) => [...text.matchAll(DECLARATION)].map(([, name]) => `${file} ${name}`))
    .filter((one) => !used.has(one));
  expect(
    unused,
    'Remove the word export, or the declaration where its own file does not use it either',
  ).toEqual([]);
});

it('The rule finds imports in every form, so it can fail', () => {
  const text = [
    "import a, { b, type C as D } from './x.ts';",
    "import {\n  e,\n} from '../y.ts';",
    "export type { F } from './z.ts';",
    "export * from './all.ts';",
    "const g = await import('./lazy.ts');",
  ].join('\n');
  expect(uses('src/room/file.ts', text)).toEqual([
    'src/room/x.ts b',
    'src/room/x.ts C',
    'src/y.ts e',
    'src/room/z.ts F',
    'src/room/all.ts *',
    'src/room/lazy.ts *',
  ]);
  expect(
    [...'export async function f() {}\nexport type T = 1;'.matchAll(DECLARATION)].map(
      ([, name]) => name,
    ),
  ).toEqual(['f', 'T']);
});
