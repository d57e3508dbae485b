import { Buffer } from 'node:buffer';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderSite } from '../../emulator/src/site/render.ts';
import { readCatalog } from '../../scripts/catalog.ts';
import { pathLine, readPathFiles } from '../../scripts/measure/paths.ts';
import { ERROR_CODES } from '../../src/ground/errors.ts';
import {
  anchors,
  countWords,
  filesBelow,
  follow,
  headings,
  isOutside,
  links,
  ROOT,
  readPages,
  readText,
} from './pages.ts';

const pages = readPages();
const { inputs, outputs } = readCatalog(join(ROOT, 'action.yml'));

function pagesWithHeading(heading: string): string[] {
  return pages.flatMap(({ path, body }) =>
    headings(body)
      .filter((text) => text === heading)
      .map(() => path),
  );
}

describe('the documentation', () => {
  it('The reference, the explanation and the start page are at most 36 pages', () => {
    const guides = /^(?:how-to|tutorial)\//;
    expect(pages.filter(({ path }) => !guides.test(path)).length).toBeLessThanOrEqual(36);
  });

  it.each(inputs.map(({ name }) => name))(
    'The documentation explains the input %s on exactly one page',
    (name) => {
      expect(pagesWithHeading(`\`${name}\``)).toHaveLength(1);
    },
  );

  it.each(outputs.map(({ name }) => name))(
    'The documentation explains the output %s on exactly one page',
    (name) => {
      expect(pagesWithHeading(`Output \`${name}\``)).toHaveLength(1);
    },
  );

  it.each(ERROR_CODES)('The documentation explains the error %s on exactly one page', (code) => {
    expect(pagesWithHeading(`Error \`${code}\``)).toHaveLength(1);
  });

  it('The documentation explains only inputs, outputs and errors that exist', () => {
    const known = [
      ...inputs.map(({ name }) => `\`${name}\``),
      ...outputs.map(({ name }) => `Output \`${name}\``),
      ...ERROR_CODES.map((code) => `Error \`${code}\``),
    ];
    const explained = pages
      .flatMap(({ body }) => headings(body))
      .filter((text) => /^((Output|Error) )?`[^`]+`$/.test(text));
    expect(explained.filter((text) => !known.includes(text))).toEqual([]);
  });

  it('Every page has 150 to 1,500 words, and examples do not count towards the minimum', () => {
    const short = pages
      .filter(({ prose }) => countWords(prose) < 150)
      .map(({ path, prose }) => [path, countWords(prose)]);
    const long = pages
      .filter(({ body }) => countWords(body) > 1500)
      .map(({ path, body }) => [path, countWords(body)]);
    expect({ short, long }).toEqual({ short: [], long: [] });
  });

  it('Every page has complete front matter and a unique title', () => {
    for (const { path, meta } of pages) {
      expect(meta, path).toMatchObject({ language: 'en', version: 'v1' });
      expect(typeof meta.title, path).toBe('string');
      expect(String(meta.description ?? '').length, path).toBeGreaterThan(10);
      expect(Number.isInteger(meta.order), path).toBe(true);
      expect(Array.isArray(meta.tags) && meta.tags.length > 0, path).toBe(true);
    }
    const titles = pages.map(({ meta }) => meta.title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('No two pages of a folder have the same order, and there are at most 27 guides', () => {
    const folders = Map.groupBy(pages, ({ path }) =>
      path.includes('/') ? path.slice(0, path.indexOf('/')) : '',
    );
    for (const [folder, inside] of folders) {
      const orders = inside
        .filter(({ path }) => !path.endsWith('/index.md'))
        .map(({ meta }) => meta.order);
      expect(
        orders.filter((order, at) => orders.indexOf(order) !== at),
        folder,
      ).toEqual([]);
    }
    // Without the list of them.
    expect((folders.get('how-to')?.length ?? 0) - 1).toBeLessThanOrEqual(27);
  });

  it('Every page begins with its title', () => {
    for (const { path, meta, body } of pages) expect(headings(body)[0], path).toBe(meta.title);
  });

  it('Every link and anchor in docs and in the files at the root has a target', () => {
    const texts = new Map([
      ...pages.map(({ path, body }): [string, string] => [`docs/${path}`, body]),
      ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md'].map(
        (path): [string, string] => [path, readText(path)],
      ),
    ]);
    const broken = [...texts].flatMap(([path, text]) =>
      links(text)
        .filter(({ target }) => !isOutside(target))
        .filter(({ target }) => {
          const { file, fragment } = follow(path, target);
          if (!existsSync(join(ROOT, file))) return true;
          return fragment !== '' && !anchors(texts.get(file) ?? '').includes(fragment);
        })
        .map(({ target }) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('The emulator renders the documentation without missing links', async () => {
    const files = new Map(
      filesBelow('docs').map((path) => [path, readFileSync(join(ROOT, 'docs', path))]),
    );
    const bundle = await renderSite({ name: 'docs', files });
    const missing = [...bundle].filter(([, bytes]) =>
      Buffer.from(bytes).includes('class="missing"'),
    );
    expect(missing.map(([path]) => path)).toEqual([]);
  });

  it('Every page can be reached from the entry page', () => {
    const bodies = new Map(pages.map(({ path, body }) => [path, body]));
    const reached = new Set(['index.md']);
    // The loop also visits items that are added to the set during the loop.
    for (const path of reached) {
      for (const { target } of links(bodies.get(path) ?? '')) {
        const { file } = follow(path, target);
        if (!isOutside(target) && bodies.has(file)) reached.add(file);
      }
    }
    expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
  });

  it('The first lesson describes every part that the demo prints', () => {
    const parts = [...readText('scripts/demo.ts').matchAll(/\bheading\('(\d)'/g)].map(
      ([, number]) => Number(number),
    );
    const lesson = readText('docs/tutorial/first-export.md');
    const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
    expect(lesson).toContain(`The demo prints ${words[parts.length - 1]} numbered parts.`);
    expect([...lesson.matchAll(/^(\d)\. /gm)].map(([, number]) => Number(number))).toEqual(parts);
  });

  it('The page about the platform names a plan for each feature that sends requests', () => {
    const rows = [
      ...readText('docs/reference/platform.md').matchAll(
        /^\| [^|]+ \| (`[^|]+`) \| (?:admin|assistant|none) \| ([^|]+) \|$/gm,
      ),
    ];
    const plans = rows.map(([, modes, plan = '']) => [modes, plan.replace(/[;:].*/, '')]);
    expect(plans).toEqual([
      ['`export`, `refresh`, `rollback`', 'an Enterprise agreement'],
      ['`publish`, `export` with `publish: true`', 'a paid plan'],
      ['`agent`', 'a paid plan'],
      ['`search`', 'a paid plan'],
      ['`plan`', 'none'],
    ]);
    for (const path of ['README.md', 'docs/index.md'])
      expect(readText(path)).toMatch(/search (?:and the docs agent )?a paid plan/);
  });

  it('The documentation shows at least one picture', () => {
    expect(pages.flatMap(({ body }) => links(body)).some(({ isImage }) => isImage)).toBe(true);
  });
});

describe('the README', () => {
  const text = readText('README.md');

  const firstScreen = text.split('\n').slice(0, 85).join('\n');

  it('The README has at most 1000 words', () => {
    expect(text.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(1000);
  });

  it('The README shows one picture, for light and for dark pages', () => {
    const images = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(images.sort()).toEqual(['docs/images/result-dark.png', 'docs/images/result-light.png']);
    expect(links(text).filter(({ isImage }) => isImage)).toEqual([]);
    expect(text.indexOf('<picture>')).toBeLessThan(text.indexOf('## '));
  });

  it.each(filesBelow('docs/images').filter((name) => name.endsWith('.png')))(
    'The picture %s has at most 250 KB',
    (name) => {
      expect(statSync(join(ROOT, 'docs/images', name)).size).toBeLessThan(250_000);
    },
  );

  it('The first 85 lines of the README have the workflow and say which platform fits', () => {
    for (const part of ['docs/reference/platform.md', 'Enterprise plan', 'admin key'])
      expect(firstScreen).toContain(part);
    expect(firstScreen).toContain(readText('examples/pages.yml'));
  });

  it('The README links fourteen jobs, each to an example that exists', () => {
    const rows = text
      .split('\n')
      .filter((line) => /^\| [^|]+ \| \[[\w.-]+\]\((examples|templates)\//.test(line));
    expect(rows).toHaveLength(14);
    for (const { target } of rows.flatMap(links))
      expect(existsSync(join(ROOT, follow('README.md', target).file)), target).toBe(true);
  });

  it('The README has its parts in the order in which a new reader needs them', () => {
    expect(headings(text)).toEqual([
      'Docs Courier',
      'The shortest workflow',
      'The most common jobs',
      'What a script does not do',
      'Try it without an account',
      'Decide whether to trust it',
      'More',
    ]);
  });

  // What each row claims is tested there.
  const CLAIMS: Readonly<Record<string, readonly string[]>> = {
    'Publish first': ['test/steps/content/publish-first.servers.test.ts'],
    'Hold back': ['test/steps/guard.servers.test.ts'],
    'Show what changed': ['test/site/compare', 'test/steps/changes'],
    'See it live': ['test/steps/live/live.servers.test.ts'],
    'Go back': ['test/delivery/rollback.servers.test.ts'],
    'Keep the link fresh': ['test/delivery/refresh.servers.test.ts'],
    'Two runs at once': ['test/delivery/interleavings.servers.test.ts'],
    Resume: ['test/publish/readme.action.test.ts'],
  };

  it('Each claim against a script has its tests, and they exist', () => {
    const rows = [...text.matchAll(/^\| \[([^\]]+)\]\(docs\/[^)]+\) \| \S/gm)];
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(CLAIMS));
    for (const path of Object.values(CLAIMS).flat())
      expect(existsSync(join(ROOT, path)), path).toBe(true);
  });

  it('The README does not repeat a table of the reference', () => {
    for (const { name } of [...inputs, ...outputs])
      expect(text).not.toMatch(new RegExp(`^\\| \\[?\`${name}\``, 'm'));
  });
});

describe('CONTRIBUTING.md', () => {
  it('Each file and folder that CONTRIBUTING names exists, below the root or below src', () => {
    const spans = [...readText('CONTRIBUTING.md').matchAll(/`([\w./-]+)`/g)].map(
      ([, span = '']) => span,
    );
    // Not the names of files in each folder of a kind, of kinds of tests, and of packages.
    const paths = spans.filter(
      (span) => /^\w[\w-]*\/[\w./-]+$/.test(span) && !/KIND|NAME/.test(span),
    );
    expect(paths.length).toBeGreaterThan(60);
    const bases = ['', 'src', 'src/stores', '.github'];
    const missing = paths.filter(
      (path) => !bases.some((base) => existsSync(join(ROOT, base, path))),
    );
    expect(missing).toEqual([]);
  });

  it('CONTRIBUTING fits into 14,000 bytes, and its paths name each file of their table once', () => {
    const text = readText('CONTRIBUTING.md');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(14_000);
    const lines = text.split('\n').filter((line) => /^- `[^`]+\.ts`: /.test(line));
    expect(lines.sort()).toEqual(readPathFiles(ROOT).map(pathLine).sort());
  });

  it('CONTRIBUTING has a recipe for each change that is made often', () => {
    const text = readText('CONTRIBUTING.md');
    for (const recipe of ['an input', 'an output', 'a destination', 'a CI system'])
      expect(text).toContain(`**Add ${recipe}.**`);
    expect(text).toContain('**Change what the pull request shows.**');
  });
});

describe('the files that the Marketplace and GitHub read', () => {
  it('The description fits the 125 characters that the Marketplace shows', () => {
    for (const path of ['action.yml', 'emulator/action.yml']) {
      const description = /^description: (.*)$/m.exec(readText(path))?.[1] ?? '';
      expect(description.length, path).toBeGreaterThan(30);
      expect(description.length, path).toBeLessThanOrEqual(125);
    }
  });

  it('The changelog has a part for unreleased changes before all releases', () => {
    const versions = [...readText('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(
      ([, version]) => version,
    );
    expect(versions[0]).toBe('Unreleased');
    expect(versions).toContain(/"version": "(.+?)"/.exec(readText('package.json'))?.[1]);
  });

  it.each(['CODE_OF_CONDUCT.md', '.github/PULL_REQUEST_TEMPLATE.md', '.github/CODEOWNERS'])(
    'The file %s exists',
    (path) => {
      expect(readText(path).length).toBeGreaterThan(50);
    },
  );

  it('CODEOWNERS has an owner for every path, and every path exists', () => {
    const lines = readText('.github/CODEOWNERS')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines) {
      const [path = '', ...owners] = line.split(/\s+/);
      expect(owners.join(' '), line).toMatch(/^@\S+/);
      if (path !== '*') expect(existsSync(join(ROOT, path)), line).toBe(true);
    }
  });
});
