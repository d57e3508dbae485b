import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '../../src');

interface Import {
  readonly target: string;
  readonly kind: 'static' | 'dynamic' | 'type';
}

/** Below `src`; those of the emulator begin with `../emulator/`. */
const files = ['.', '../emulator/src']
  .flatMap((folder) =>
    readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
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
      found.push({
        target: resolveImport(file, specifier),
        kind: type === undefined ? 'static' : 'type',
      });
  }
  for (const [whole, specifier] of text.matchAll(/(?:typeof )?import\('([^']+)'\)/g)) {
    if (specifier !== undefined) {
      found.push({
        target: resolveImport(file, specifier),
        kind: whole.startsWith('typeof') ? 'type' : 'dynamic',
      });
    }
  }
  return found;
}

/**
 * Files that load at once when `start` is loaded; with `dynamic`, also those that may load later.
 */
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

const withoutComments = (text: string) =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/**
 * The layers of `src`, lowest first. A folder imports only folders on lower layers, and no other
 * folder on its own layer.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['ground'],
  ['http'],
  ['values'],
  ['platform', 'github', 'kubernetes'],
  ['ci', 'stores'],
  ['ci/*', 'stores/*'],
  // These load the adapters.
  ['ci/detect.ts', 'stores/kinds.ts'],
  ['inputs'],
  ['config'],
  ['run'],
  ['prompt', 'site', 'comment', 'delivery'],
  ['job'],
  ['steps'],
  ['search', 'publish'],
  ['agent', 'plan'],
  ['doctor'],
  ['modes.ts'],
  ['cli'],
  ['entry'],
];

/**
 * A file's folder (room): `ci` and `stores` have one for each adapter, and one for the port that
 * all of them know.
 */
function roomOf(file: string): { name: string; floor: number } {
  const [first = '', second = '', third] = file.split('/');
  const isKind = ['ci', 'stores'].includes(first) && third !== undefined;
  const name = isKind ? `${first}/${second}` : FLOORS.flat().includes(file) ? file : first;
  const floor = FLOORS.findIndex((rooms) => rooms.includes(isKind ? `${first}/*` : name));
  return { name, floor };
}

/**
 * Folders and files next to each other that import each other in a circle, at every level; types
 * count.
 */
function circles(): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { file, target } of importsFrom('').filter(({ target }) => texts.has(target))) {
    const [from, to] = [file.split('/'), target.split('/')];
    const shared = from.findIndex((part, index) => part !== to[index]);
    if (shared < 0) continue;
    const near = from.slice(0, shared + 1).join('/');
    edges.set(near, (edges.get(near) ?? new Set()).add(to.slice(0, shared + 1).join('/')));
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) found.push([...path.slice(path.indexOf(node)), node].join(' -> '));
    if (path.includes(node) || done.has(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}

/** The only folders that may import a package, or a part of Node. */
const ONLY_IN: readonly (readonly [packages: RegExp, rooms: RegExp])[] = [
  [/^@actions\/core$/, /^ci\/github\/core\.ts$/],
  [/^(@actions\/github$|@octokit\/)/, /^(github\/|ci\/github\/core\.ts$)/],
  [/^libsodium/, /^stores\//],
  [/^(yauzl|tar)$/, /^site\//],
  // Requests are sent by two folders. The command `serve` answers them.
  [/^node:http$/, /^((http|site\/download)\/|cli\/serve\.ts$)/],
  // Whatever can open a connection with TLS: there, certificates are checked whatever the
  // environment says.
  [
    /^(node:https|node:tls|node:http2|https-proxy-agent|undici|@actions\/http-client)/,
    /^http\/(exchange|proxy)\.ts$/,
  ],
];

const shipped = files.filter((file) => !file.startsWith('../emulator/'));
const arrows = importsFrom('').filter(
  ({ file, target }) => texts.has(target) && !file.startsWith('../emulator/'),
);

describe('the import rules', () => {
  it('The import rules find the files and the imports that they check', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(arrows.length).toBeGreaterThan(500);
    expect(importsOf('platform/client.ts').map(({ target }) => target)).toContain(
      'platform/contract.ts',
    );
    expect(reachable('entry/action.ts', true)).toContain('publish/publish.ts');
    expect(shipped.filter((file) => roomOf(file).floor < 0)).toEqual([]);
  });

  it('A folder imports only folders on the layers below it', () => {
    const upward = arrows.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), roomOf(target)];
      return from.name !== to.name && to.floor >= from.floor;
    });
    expect(upward.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('Imports form no circle of files or folders', () => {
    expect(circles()).toEqual([]);
  });

  it('Adapters of a port import neither the platform nor the other ports', () => {
    const strange = arrows.filter(({ file, target }) => {
      const kind = /^(ci|stores)\/[^/]+\//.exec(file)?.[1];
      if (kind === undefined) return false;
      const port = /^(ci|stores)\//.exec(target)?.[1];
      return target.startsWith('platform/') || (port !== undefined && port !== kind);
    });
    expect(strange.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('Prompt and report do no input or output', () => {
    const io = /^node:(fs|http|https|net|child_process|process|os|tls|worker_threads)|^@actions\//;
    const pure = [...importsFrom('prompt/'), ...importsFrom('run/report.ts')];
    expect(pure.filter(({ target, kind }) => kind !== 'type' && io.test(target))).toEqual([]);
  });

  it('The emulator imports from the action only the contract and the base of text', () => {
    const outside = importsFrom('../emulator/').filter(
      ({ target }) =>
        texts.has(target) &&
        !/^(\.\.\/emulator|ground\/text)\/|^platform\/contract\.ts$/.test(target),
    );
    expect(outside).toEqual([]);
  });

  it('The action never imports the emulator', () => {
    expect(
      [...reachable('entry/action.ts', true)].filter((file) => file.startsWith('../emulator/')),
    ).toEqual([]);
    const users = arrows.filter(({ target }) => target.startsWith('../emulator/'));
    expect(new Set(users.map(({ file, kind }) => `${file} ${kind}`))).toEqual(
      new Set(['entry/cli.ts dynamic', 'entry/dist.ts dynamic']),
    );
  });

  it('Large libraries are loaded only when a mode needs them', () => {
    const large =
      /^(@actions\/github|@octokit\/|libsodium|yaml$|yauzl|tar$|tar-stream|htmlparser2|entities|markdown-it|minisearch)/;
    expect([...reachable('entry/action.ts', false)].filter((target) => large.test(target))).toEqual(
      [],
    );
    expect(
      [...reachable('publish/publish.ts', false)].filter((target) => large.test(target)),
    ).toEqual([]);
  });

  it('The command line does not load the GitHub Actions toolkit, except for a destination on GitHub', () => {
    const toolkit = (found: ReadonlySet<string>) =>
      [...found].filter((target) => /^@actions\/(core|github)$/.test(target));
    expect(toolkit(reachable('entry/cli.ts', false))).toEqual([]);
    expect(reachable('entry/cli.ts', true)).not.toContain('@actions/core');
    expect(reachable('entry/action.ts', false)).toContain('@actions/core');
  });

  it('GitHub is called by the path of a route: the bundle has no method for each of them', () => {
    const methods = /[\w)]\.rest\b/;
    const users = shipped.filter((file) => methods.test(withoutComments(textOf(file))));
    expect(users.filter((file) => /from '@actions\/github'|[oO]ctokit/.test(textOf(file)))).toEqual(
      [],
    );
  });

  it('Modes are loaded only when they are needed', () => {
    const modes = [...reachable('entry/action.ts', false)].filter((file) =>
      /^(publish|job|steps|delivery|agent|search|doctor|plan)\//.test(file),
    );
    expect(modes).toEqual([]);
  });

  it.each(ONLY_IN)('The package %s is imported only in %s', (packages, rooms) => {
    const users = shipped.filter((file) =>
      importsOf(file).some(({ target }) => packages.test(target)),
    );
    expect(users.filter((file) => !rooms.test(file))).toEqual([]);
  });

  it('No code opens a connection with TLS past the one file that checks certificates', () => {
    const past =
      /(?<!async |[.\w])fetch\(|new (?:WebSocket|EventSource)\(|rejectUnauthorized|checkServerIdentity|ignoreSslError/;
    // What is generated for browsers runs there, and nowhere here.
    const code = shipped.filter((file) => file !== 'site/added/search/page-script.ts');
    const found = code.filter((file) => past.test(withoutComments(textOf(file))));
    expect(found).toEqual(['http/certificates.ts']);
    expect(past.test('await fetch(url)')).toBe(true);
  });
});

/**
 * How a kind of destination is named in code; of those that are CI systems as well, how an address
 * of one begins.
 */
const KIND_NAMES: Readonly<Record<string, RegExp>> = {
  aws: /(?<!\.)\b(?:aws|AWS)|Aws/,
  gitea: /\bgitea:(?=\w|$)/m,
  gitlab: /\bgitlab:(?=\w|$)/m,
  kubernetes: /kubernetes|k8s/i,
  vault: /vault/i,
};

/** What may name a kind outside of its folder. */
const NAMES_KINDS: readonly (readonly [files: RegExp, why: string])[] = [
  [/^stores\/kinds\.ts$/, 'the table of the kinds'],
  [/^(values\/catalog|cli\/(help|options|source)|config\/file)\.ts$/, 'inputs, by their names'],
  [
    /^(stores\/(id-token|secret-token)|ci\/(port|rights|hints))\.ts$/,
    'credentials: id tokens and the shared token',
  ],
  [/^(values\/reader|config\/parse)\.ts$/, 'credentials: which inputs take which'],
  [/^(ground\/text\/(hide-)?credentials|stores\/gitlab\/api)\.ts$/, 'credentials: how they look'],
  [
    /^(inputs\/read-after\.ts$|steps\/rollout\/|publish\/summary\.ts$)/,
    'the rollout, and the step instead of one',
  ],
  [/^kubernetes\//, 'the client of the API'],
];

/** What uses a part of a kind, apart from the table. */
const USES_KINDS: readonly (readonly [files: RegExp, why: string])[] = [
  [/^stores\/kinds\.ts$/, 'the table of the kinds'],
  [
    /^(inputs\/read-destinations|steps\/image)\.ts$/,
    'the image has its own input, and is pushed before links',
  ],
  [/^(inputs\/read-after\.ts$|steps\/rollout\/)/, 'the rollout restarts workloads in Kubernetes'],
];

describe('the kinds of destination', () => {
  const kindOf = (file: string) => /^stores\/([^/]+)\//.exec(file)?.[1];
  const isIn = (rules: typeof NAMES_KINDS, file: string) =>
    rules.some(([pattern]) => pattern.test(file));

  it('A kind of destination is named only in its folder, in the table, and in texts about its credentials', () => {
    const found = Object.entries(KIND_NAMES).flatMap(([kind, name]) =>
      shipped
        .filter((file) => kindOf(file) !== kind && !isIn(NAMES_KINDS, file))
        .filter((file) => name.test(withoutComments(textOf(file))))
        .map((file) => `${file} names ${kind}`),
    );
    expect(found).toEqual([]);
  });

  it('Only the table imports a part of a kind', () => {
    const found = arrows.filter(({ file, target }) => {
      const kind = kindOf(target);
      return kind !== undefined && kind !== kindOf(file) && !isIn(USES_KINDS, file);
    });
    expect(found.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('Each exception of the rules about kinds is needed', () => {
    const names = (file: string) =>
      Object.values(KIND_NAMES).some((name) => name.test(withoutComments(textOf(file))));
    const uses = (file: string) =>
      importsOf(file).some(({ target }) => kindOf(target) !== undefined);
    const unused = [
      ...NAMES_KINDS.filter(
        ([pattern]) => !shipped.some((file) => pattern.test(file) && names(file)),
      ),
      ...USES_KINDS.filter(
        ([pattern]) => !shipped.some((file) => pattern.test(file) && uses(file)),
      ),
    ];
    expect(unused).toEqual([]);
  });

  it('The store of a kind is loaded only when an address names it', () => {
    const stores = [...reachable('entry/action.ts', false)].filter((file) =>
      /^stores\/[^/]+\/store\.ts$/.test(file),
    );
    expect(stores).toEqual([]);
    expect(reachable('publish/publish.ts', true)).toContain('stores/vault/store.ts');
    const eager = [...reachable('stores/kinds.ts', false)].filter((file) =>
      /^stores\/[^/]+\//.test(file),
    );
    expect(eager.filter((file) => !/\/(address|inputs|kind)\.ts$/.test(file))).toEqual([]);
  });
});

describe('CONTRIBUTING', () => {
  const page = readFileSync(join(src, '../CONTRIBUTING.md'), 'utf8');
  const part = page.slice(page.indexOf('## The folders of'), page.indexOf('## The toolkit'));

  it('CONTRIBUTING lists only files and folders that exist, and every folder', () => {
    const named = [...part.matchAll(/`((?:[a-z][\w.-]*\/)*[a-z][\w-]*(?:\.ts)?)`/g)].map(
      ([, name = '']) => name,
    );
    const known = new Set(
      files.flatMap((file) => [
        file,
        ...file.split('/').map((_, at, all) => all.slice(0, at).join('/')),
      ]),
    );
    const paths = named.filter((name) => /[/.]/.test(name) && !name.startsWith('emulator/'));
    expect(paths.length).toBeGreaterThan(30);
    expect(
      paths.filter((name) => !known.has(name) && name !== 'port.ts' && name !== 'catalog.ts'),
    ).toEqual([]);
    const folders = new Set(
      files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
    );
    expect(
      [...folders].filter((folder) => folder !== '..' && !named.includes(folder ?? '')),
    ).toEqual([]);
  });
});

/** What only these files may have in their code, comments left out. */
const ONLY_HERE: readonly (readonly [title: string, code: RegExp, files: readonly string[]])[] = [
  [
    'Nothing calls what Node.js 20 lacks and the type check of the build does not know',
    /\bURL\.parse\(/,
    [],
  ],
  [
    // The toolkit reads the proxies there, and says nothing about one that it cannot read.
    'Only the two entry files, and the reading of proxies, read process.env',
    /process\.env|from 'node:process'/,
    ['entry/action.ts', 'entry/cli.ts', 'http/proxy.ts'],
  ],
  [
    'Only one file makes temporary folders, which are removed when the program ends',
    /mkdtemp|tmpdir/,
    ['ground/temporary.ts'],
  ],
  [
    'Calls are repeated in one file, and downloads are resumed in another',
    /import[^;]*\b(backoffMs|pauseMs)\b[^;]*from/,
    ['http/http.ts', 'site/download/download.ts'],
  ],
  ['JSON that may be invalid is read in one file', /function parseJson/, ['ground/text/json.ts']],
];

it.each(ONLY_HERE)('%s', (_title, code, allowed) => {
  expect(shipped.filter((file) => code.test(withoutComments(textOf(file))))).toEqual(allowed);
});

describe('the rules for foreign text', () => {
  /** Where text is cut, and its invisible characters are named, on purpose. */
  const strangers = (own: RegExp, code: RegExp) =>
    shipped.filter((file) => !own.test(file) && code.test(withoutComments(textOf(file))));

  it('Text is cut in one file, where the cut is marked so that redaction finds half a secret', () => {
    const cuts =
      /\.substr(?:ing)?\(|(?:slice|subarray)\([^()]*\)\.(?:toString|trimEnd)\(|\)\.slice\([^()]*\)\.join\(''\)|\}…|\+ '…'/;
    expect(strangers(/^ground\/text\//, cuts)).toEqual([]);
    expect(
      cuts.test('`${body.slice(0, 800)}…`') && cuts.test('body.subarray(0, 800).toString()'),
    ).toBe(true);
  });

  it('Invisible characters are defined in one file', () => {
    expect(
      strangers(/^(ground\/text|site\/archive)\//, /\\p\{(?:Cf|Co|Cn|Cs|Default_Ignorable)/),
    ).toEqual([]);
  });

  it('What hides only known secrets, or nothing, is not used to show foreign text', () => {
    // These read text: what they show of it goes through a function that hides credentials.
    const reads =
      /^(ground\/text|prompt)\/|^agent\/(command|context)\.ts$|^ground\/log\.ts$|^steps\/(changes\/page\/rows|live\/compare)\.ts$/;
    const raw = /\b(?:stripInvisible|oneLine|betweenTicks|fenced)\(/;
    expect(
      files.filter((file) => !reads.test(file) && !/emulator/.test(file) && raw.test(textOf(file))),
    ).toEqual([]);
    // The words of a service or program: `excerpt` and `foreignText` hide credentials in them too.
    const words = /^(ground\/text|prompt)\/|^ground\/log\.ts$/;
    const known = files.filter(
      (file) => !words.test(file) && /\bcreateRedact\(/.test(textOf(file)),
    );
    const without = known.filter((file) => !/\bexcerpt\(|\bservice\b/i.test(textOf(file)));
    expect(without).toEqual([]);
  });

  it('Only the log, the CI systems and the process write lines, and only one function prints JSON', () => {
    const lines = files.filter((file) =>
      /\btoolkit\.(?:info|notice|warning|error)\(|\bconsole\./.test(textOf(file)),
    );
    expect(lines.filter((file) => !/^(ground\/log\.ts|ci\/)|emulator/.test(file))).toEqual([]);
    const json = files.filter((file) =>
      /(?:print|redact|writeReport)\([^)]*JSON\.stringify/.test(textOf(file)),
    );
    expect(json.filter((file) => !/emulator/.test(file))).toEqual([]);
  });
});

describe('the style rules', () => {
  it('Casts are only to const', () => {
    const code = (file: string) =>
      withoutComments(textOf(file))
        .replace(
          /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\n]|\\.)+\/[gimsuvy]*(?=[.,;)])/g,
          "''",
        )
        .replace(/^(import|export) (type )?[{*][^;]*;/gm, '');
    const casts = files.flatMap((file) =>
      [...code(file).matchAll(/.*[\w)\]}'] as (?!const\b)[A-Za-z{['].*/g)].map(
        ([line]) => `${file}: ${line}`,
      ),
    );
    expect(casts).toEqual([]);
  });

  it('Tests mock no module', () => {
    const tests = readdirSync(join(src, '../test'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts'),
    );
    const mocking = tests.filter((name) =>
      /\bvi\.(do)?mock\(|\bvi\.hoisted\(/i.test(readFileSync(join(src, '../test', name), 'utf8')),
    );
    expect(mocking).toEqual([]);
  });
});
