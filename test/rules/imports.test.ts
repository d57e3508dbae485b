import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '../../src');

interface Import {
  readonly target: string;
  readonly kind: 'static' | 'dynamic' | 'type';
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));

function textOf(file: string): string {
  return texts.get(file) ?? '';
}

function resolveImport(file: string, specifier: string): string {
  return specifier.startsWith('.')
    ? relative(src, normalize(join(src, dirname(file), specifier))).replaceAll('\\', '/')
    : specifier;
}

function importsOf(file: string): Import[] {
  const text = textOf(file);
  const found: Import[] = [];
  for (const [, type, , specifier] of text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?([^'"()]*?from\s+)?'([^']+)';/gm,
  )) {
    if (specifier !== undefined)
      found.push({ target: resolveImport(file, specifier), kind: type === undefined ? 'static' : 'type' });
  }
  for (const [whole, specifier] of text.matchAll(/(?:typeof )?import\('([^']+)'\)/g)) {
    if (specifier !== undefined) {
      found.push({ target: resolveImport(file, specifier), kind: whole.startsWith('typeof') ? 'type' : 'dynamic' });
    }
  }
  return found;
}

/** Files that load at once when `start` is loaded; with `dynamic`, also those that may load later. */
function reachable(start: string, dynamic: boolean): Set<string> {
  const seen = new Set<string>();
  const queue = [start];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (!texts.has(file)) continue;
    for (const { target, kind } of importsOf(file))
      if (kind === 'static' || (dynamic && kind === 'dynamic')) queue.push(target);
  }
  return seen;
}

function importsFrom(folder: string): { file: string; target: string; kind: Import['kind'] }[] {
  return files
    .filter((file) => file.startsWith(folder))
    .flatMap((file) => importsOf(file).map((found) => ({ file, ...found })));
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

describe('the import rules', () => {
  it('finds the files and the imports that it judges', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(importsOf('platform/client.ts').map(({ target }) => target)).toContain('platform/contract.ts');
    expect(reachable('entry/action.ts', true)).toContain('modes/export/export.ts');
  });

  it('keeps platform and github apart', () => {
    expect(importsFrom('platform/').filter(({ target }) => target.startsWith('github/'))).toEqual([]);
    expect(importsFrom('github/').filter(({ target }) => target.startsWith('platform/'))).toEqual([]);
  });

  it('keeps platform and github below the modes', () => {
    const below = [...importsFrom('platform/'), ...importsFrom('github/')];
    expect(below.filter(({ target }) => target.startsWith('modes/'))).toEqual([]);
  });

  it('keeps prompt and report free of input and output', () => {
    const io = /^node:(fs|http|https|net|child_process|process|os|tls|worker_threads)|^@actions\//;
    const pure = [...importsFrom('prompt/'), ...importsFrom('report/')];
    expect(pure.filter(({ target, kind }) => kind !== 'type' && io.test(target))).toEqual([]);
  });

  it('keeps text below everything else', () => {
    const above = importsFrom('text/').filter(({ target }) => texts.has(target) && !target.startsWith('text/'));
    expect(above).toEqual([]);
  });

  it('gives the emulator nothing of the action but the contract and the ground of text', () => {
    const outside = importsFrom('emulator/').filter(
      ({ target }) => texts.has(target) && !/^(emulator|text)\/|^platform\/contract\.ts$/.test(target),
    );
    expect(outside).toEqual([]);
  });

  it('never reaches the emulator from the action', () => {
    expect([...reachable('entry/action.ts', true)].filter((file) => file.startsWith('emulator/'))).toEqual([]);
  });

  it('loads no large library before a mode asks for it', () => {
    const large =
      /^(@actions\/github|@octokit\/|libsodium|yaml$|yauzl|tar$|tar-stream|htmlparser2|markdown-it|minisearch)/;
    expect([...reachable('entry/action.ts', false)].filter((target) => large.test(target))).toEqual([]);
    expect([...reachable('modes/export/export.ts', false)].filter((target) => large.test(target))).toEqual([]);
  });

  it('reads process.env in one file', () => {
    const readers = files.filter(
      (file) => !file.startsWith('emulator/') && /process\.env|from 'node:process'/.test(withoutComments(textOf(file))),
    );
    expect(readers).toEqual(['entry/action.ts']);
  });

  it('imports the toolkit in one file', () => {
    expect(files.filter((file) => importsOf(file).some(({ target }) => target === '@actions/core'))).toEqual([
      'ci/github-actions/runner.ts',
    ]);
  });

  it('repeats calls in one file, and a download that is resumed in another', () => {
    const repeating = files.filter((file) => importsOf(file).some(({ target }) => target === 'http/retry.ts'));
    expect(repeating.filter((file) => !file.startsWith('bundle/download/'))).toEqual([
      'http/http.ts',
      'http/service.ts',
    ]);
  });
});

describe('the style rules', () => {
  it('casts nothing but to const', () => {
    const code = (file: string) =>
      withoutComments(textOf(file))
        .replace(
          /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\n]|\\.)+\/[gimsuvy]*(?=[.,;)])/g,
          "''",
        )
        .replace(/^(import|export) (type )?[{*][^;]*;/gm, '');
    const casts = files.flatMap((file) =>
      [...code(file).matchAll(/.*[\w)\]}'] as (?!const\b)[A-Za-z{['].*/g)].map(([line]) => `${file}: ${line}`),
    );
    expect(casts).toEqual([]);
  });

  it('keeps files at 250 lines and fewer', () => {
    const long = files.filter((file) => file !== 'inputs/catalog.ts' && textOf(file).split('\n').length > 251);
    expect(long).toEqual([]);
  });

  it('mocks no module in any test', () => {
    const tests = readdirSync(join(src, '../test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const mocking = tests.filter((name) =>
      /\bvi\.(do)?mock\(|\bvi\.hoisted\(/i.test(readFileSync(join(src, '../test', name), 'utf8')),
    );
    expect(mocking).toEqual([]);
  });
});
