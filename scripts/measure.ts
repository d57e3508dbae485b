/**
 * `npm run measure [-- --files]`: how large the product is, how its sources are written, and what
 * one run passes through. A file or function counts where it was executed, so that a file of types
 * or constants alone does not. `--files` lists the executed files by folder, and the names that are
 * defined twice.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { runStep, type StepOptions } from '../test/support/runner.ts';
import { SECRET_INPUTS, startActionWorld } from '../test/support/world/built-action.ts';
import { TOKEN } from '../test/support/world/conversation.ts';
import { startPullRequest } from '../test/support/world/pull-request.ts';
import type { World } from '../test/support/world.ts';
import { readCatalog } from './catalog.ts';
import { measureSources } from './measure/sources.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCES = `${pathToFileURL(join(ROOT, 'src')).href}/`;
const ARCHIVE_LIMIT_BYTES = 256 * 1024 * 1024;

const coverage = z.object({
  result: z.array(
    z.object({
      url: z.string(),
      functions: z.array(
        z.object({ functionName: z.string(), ranges: z.array(z.object({ count: z.number() })) }),
      ),
    }),
  ),
});

interface Path {
  readonly loaded: number;
  /** Executed files, relative to src, each with the number of its named functions that ran. */
  readonly executed: ReadonlyMap<string, number>;
  readonly functions: number;
  /** Requests to GitHub. */
  readonly requests: number;
}

function readCoverage(folder: string): Pick<Path, 'loaded' | 'executed'> {
  const loaded = new Set<string>();
  const executed = new Map<string, number>();
  for (const name of readdirSync(folder)) {
    const { result } = coverage.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    for (const { url, functions } of result) {
      if (!url.startsWith(SOURCES)) continue;
      const file = url.slice(SOURCES.length);
      loaded.add(file);
      const ran = functions.filter(
        ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
      );
      if (ran.length > 0) executed.set(file, (executed.get(file) ?? 0) + ran.length);
    }
  }
  return { loaded: loaded.size, executed };
}

/** One run of the sources as a runner starts the action. */
async function follow(world: World, step: StepOptions): Promise<Path> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-courier-measure-'));
  try {
    const before = world.github.requests.length;
    const main = join(ROOT, 'src/entry/action.ts');
    const { exitCode, log } = await runStep({
      ...step,
      main,
      env: { ...step.env, NODE_V8_COVERAGE: folder },
    });
    if (exitCode !== 0) throw new Error(`The run that is measured failed:\n${log}`);
    const { loaded, executed } = readCoverage(folder);
    const functions = [...executed.values()].reduce((sum, count) => sum + count, 0);
    return { loaded, executed, functions, requests: world.github.requests.length - before };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function followRuns(): Promise<Record<string, Path>> {
  await using world = await startActionWorld();
  const exported = await follow(world, world.stepOf(SECRET_INPUTS));
  const links = () => world.calls({ method: 'POST', path: '/bundle' }).length;
  const before = links();
  const refreshed = await follow(
    world,
    world.stepOf({ ...SECRET_INPUTS, mode: 'refresh' }, { runId: '4243' }),
  );
  if (links() === before) throw new Error('The refresh that is measured was not due.');
  const idle = { ...SECRET_INPUTS, mode: 'refresh', 'refresh-before': '1m' };
  const notDue = await follow(world, world.stepOf(idle, { runId: '4244' }));

  await using pull = await startPullRequest();
  const { payload, eventName } = pull.say(
    'maya',
    '/docs-agent --job job-1 document the --json flag',
  );
  const inputs = { mode: 'agent', 'project-id': 'project-1' };
  const agent = await follow(
    pull,
    pull.stepOf(inputs, { event: payload, eventName, githubToken: TOKEN }),
  );
  if (pull.platform.messages.length !== 1)
    throw new Error('The agent that is measured was not sent the command.');
  return {
    'export into one repository secret': exported,
    'refresh that is due': refreshed,
    'refresh that is not due': notDue,
    'one comment to the agent': agent,
  };
}

/** Files of a folder and their bytes and lines. */
function weigh(folder: string): {
  readonly files: number;
  readonly bytes: number;
  readonly lines: number;
} {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const contents = entries.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  return {
    files: contents.length,
    bytes: contents.reduce((sum, content) => sum + content.length, 0),
    lines: contents.reduce(
      (sum, content) => sum + content.toString('latin1').split('\n').length - 1,
      0,
    ),
  };
}

function groupByFolder(executed: ReadonlyMap<string, number>): string[] {
  const folders = Map.groupBy([...executed].sort(), ([file]) => dirname(file));
  return [...folders].map(([folder, files]) => {
    const names = files.map(
      ([file, count]) => `${file.slice(folder === '.' ? 0 : folder.length + 1)} ${count}`,
    );
    return `    ${folder} (${files.length}): ${names.join(', ')}`;
  });
}

const number = new Intl.NumberFormat('en').format;
const { inputs, outputs } = readCatalog(join(ROOT, 'action.yml'));
const sources = weigh(join(ROOT, 'src'));
const dist = weigh(join(ROOT, 'dist'));
const archive = execFileSync('git', ['archive', '--format=tar.gz', 'HEAD'], {
  cwd: ROOT,
  maxBuffer: ARCHIVE_LIMIT_BYTES,
});
console.log(`src: ${number(sources.lines)} lines in ${sources.files} files`);
console.log(`action.yml: ${inputs.length} inputs, ${outputs.length} outputs`);
console.log(`dist: ${number(dist.bytes)} bytes in ${dist.files} files`);
console.log(`git archive --format=tar.gz HEAD: ${number(archive.length)} bytes`);
const listsFiles = process.argv.includes('--files');
for (const line of measureSources(ROOT, listsFiles)) console.log(line);
for (const [name, { loaded, executed, functions, requests }] of Object.entries(
  await followRuns(),
)) {
  console.log(
    `${name}: ${executed.size} files executed of ${loaded} loaded, ${functions} functions, ${requests} requests to GitHub`,
  );
  if (listsFiles) console.log(groupByFolder(executed).join('\n'));
}
