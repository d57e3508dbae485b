import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { minifySync } from 'rolldown/utils';
import * as z from 'zod/mini';
import { NOT_BUNDLED } from './licenses/packages.ts';

/**
 * JavaScript of src. `out` is inside the checkout, since it must find node_modules; the bundle does
 * not contain its path.
 */
export function emitJavaScript(root: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', out], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
}

// It has no types.
const ncc: (entry: string, options: object) => Promise<unknown> = createRequire(import.meta.url)(
  '@vercel/ncc',
);
const bundled = z.object({
  code: z.string(),
  assets: z.record(z.string(), z.object({ source: z.union([z.string(), z.instanceof(Buffer)]) })),
});

/**
 * Replaces packages that the toolkit loads at each start and that no run uses: its own proxies,
 * since requests go through our agents and our `fetch`, the programs with which core would describe
 * the platform, and a method for each of GitHub's thousand routes, which are called by their path.
 * More than half a megabyte of code is not read.
 */
const UNUSED = `export class ProxyAgent {}
export function fetch() {
  throw new Error('undici is not part of this bundle.');
}
// The toolkit makes an agent when it is loaded behind a proxy. A request with it fails: it must not
// go past the proxy.
function unusedAgent() {
  return {
    addRequest() {
      throw new Error('tunnel is not part of this bundle.');
    },
  };
}
export {
  unusedAgent as httpOverHttp,
  unusedAgent as httpOverHttps,
  unusedAgent as httpsOverHttp,
  unusedAgent as httpsOverHttps,
};
export const restEndpointMethods = () => ({});
export function getExecOutput() {
  throw new Error('@actions/exec is not part of this bundle.');
}
`;

const CHUNK_NAMES = join(import.meta.dirname, 'chunk-names.cjs');

// ncc makes a new one for each built-in module, which takes 3 % of the time until the first
// request.
const NEW_REQUIRE = '__WEBPACK_EXTERNAL_createRequire(import.meta.url)';
const IMPORT = 'import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";';

function withOneRequire(code: string): string {
  return code
    .replaceAll(NEW_REQUIRE, 'requireBuiltIn')
    .replace(IMPORT, `${IMPORT}\nconst requireBuiltIn = ${NEW_REQUIRE};`);
}

/**
 * One program with everything that it imports, in a separate folder: index.js, and a chunk for each
 * part that loads on demand.
 */
export async function bundle(entry: string, out: string): Promise<void> {
  const externals = Object.fromEntries(NOT_BUNDLED.map((name) => [name, './unused.js']));
  const options = { cache: false, quiet: true, target: 'es2024', externals };
  // A request that names its loader, of an empty module beside the entry.
  writeFileSync(join(dirname(entry), 'empty.js'), 'export {};\n');
  appendFileSync(entry, `\nimport '!!${CHUNK_NAMES}!./empty.js';\n`);
  const { code, assets } = bundled.parse(await ncc(entry, options));
  mkdirSync(out, { recursive: true });
  const files = Object.entries(assets).map(
    ([name, { source }]) => [name, source.toString()] as const,
  );
  // ncc itself can minify index.js only, not the chunks.
  for (const [name, text] of [
    ['index.js', withOneRequire(code)] as const,
    ['unused.js', UNUSED] as const,
    ...files,
  ])
    writeFileSync(join(out, name), name.endsWith('.js') ? minify(name, text) : text);
}

// Functions and classes keep their names: a stack trace without lines still shows where it
// happened.
const keepNames = { function: true, class: true };

function minify(name: string, text: string): string {
  const { code, errors } = minifySync(name, text, {
    module: true,
    compress: { target: 'es2024', keepNames },
    mangle: { keepNames },
    // The licenses are in licenses.txt.
    codegen: { legalComments: 'none' },
  });
  if (errors.length > 0)
    throw new Error(`${name} cannot be minified: ${errors.map(String).join('\n')}`);
  return code;
}
