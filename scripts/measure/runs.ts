import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import { runStep, type StepOptions } from '../../test/support/runner.ts';
import { SECRET_INPUTS, startActionWorld } from '../../test/support/world/built-action.ts';
import { TOKEN } from '../../test/support/world/conversation.ts';
import { startPullRequest } from '../../test/support/world/pull-request.ts';
import type { World } from '../../test/support/world.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCES = `${pathToFileURL(join(ROOT, 'src')).href}/`;
const COVERAGE = 'coverage';
const ENTRANCES = 'entrances';

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

export interface Run {
  readonly loaded: number;
  /** Executed files, relative to src, each with the number of its named functions that ran. */
  readonly executed: ReadonlyMap<string, number>;
  readonly functions: number;
  /** Requests to GitHub. */
  readonly requests: number;
  /** Files, relative to src, in the order in which one of their functions was first called. */
  readonly entered: readonly string[];
}

function readCoverage(folder: string): Pick<Run, 'loaded' | 'executed'> {
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
async function follow(world: World, step: StepOptions): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-courier-measure-'));
  try {
    const before = world.github.requests.length;
    const { exitCode, log } = await runStep({
      ...step,
      main: join(ROOT, 'src/entry/action.ts'),
      env: {
        ...step.env,
        NODE_V8_COVERAGE: join(folder, COVERAGE),
        NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'entrances.ts')).href}`,
        ENTRANCES_FILE: join(folder, ENTRANCES),
      },
    });
    if (exitCode !== 0) throw new Error(`The run that is measured failed:\n${log}`);
    const { loaded, executed } = readCoverage(join(folder, COVERAGE));
    return {
      loaded,
      executed,
      functions: [...executed.values()].reduce((sum, count) => sum + count, 0),
      requests: world.github.requests.length - before,
      entered: readFileSync(join(folder, ENTRANCES), 'utf8').split('\n'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs that only store a link, and one that answers a comment. */
export async function followRuns(): Promise<Record<string, Run>> {
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
  return {
    'export into one repository secret': exported,
    'refresh that is due': refreshed,
    'refresh that is not due': notDue,
    'one comment to the agent': await followComment(),
  };
}

/** An export that also unpacks and checks the site, and one that answers a comment. */
export async function followPaths(): Promise<Record<'link' | 'comment', readonly string[]>> {
  await using world = await startActionWorld();
  const inputs = { ...SECRET_INPUTS, 'extract-to': 'site', 'required-pages': '/' };
  const link = await follow(world, world.stepOf(inputs));
  const comment = await followComment();
  return { link: link.entered, comment: comment.entered };
}

async function followComment(): Promise<Run> {
  await using pull = await startPullRequest();
  const { payload, eventName } = pull.say(
    'maya',
    '/docs-agent --job job-1 document the --json flag',
  );
  const inputs = { mode: 'agent', 'project-id': 'project-1' };
  const run = await follow(
    pull,
    pull.stepOf(inputs, { event: payload, eventName, githubToken: TOKEN }),
  );
  if (pull.platform.messages.length !== 1)
    throw new Error('The agent that is measured was not sent the command.');
  return run;
}
