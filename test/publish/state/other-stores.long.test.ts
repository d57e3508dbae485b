import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EmulatorOptions } from '../../../emulator/src/platform/emulator.ts';
import { Courier } from '../../cli/process.ts';
import { SmallRegistry } from '../../support/small-servers/registry.ts';
import { startWorld, type World } from '../../support/world.ts';

const EXPORT = ['export', '--domain', 'acme.example.com'];
const ROLLBACK = ['rollback'];
type Env = Readonly<Record<string, string>>;

/** Processes of the command line against one destination. */
interface Stage {
  readonly world: World;
  /** The arguments that name the destination. */
  readonly to: readonly string[];
  /** The variables of the run with this number. */
  readonly envOf: (run: number) => Env;
}

function startWithPlatform(sites: EmulatorOptions['sites'] = {}): Promise<World> {
  const exportJobs = { advance: 'poll', polls: 1 } as const;
  const platform = Object.keys(sites).length > 0 ? { exportJobs, sites } : { exportJobs };
  return startWorld({ clock: 'system', github: false, platform });
}

function start({ world, to, envOf }: Stage, run: number, args: readonly string[]): Courier {
  const { platform, workspace: folder } = world;
  const env = { PATH: process.env['PATH'] ?? '', ...envOf(run) };
  return new Courier({ platform, folder }, [...args, ...to, '--json'], { env });
}

/** The job of the report. Fails if the exit code is another one. */
async function jobOf(courier: Courier, exitCode = 0): Promise<string | undefined> {
  expect(await courier.ended(), courier.stderr).toBe(exitCode);
  return JSON.parse(courier.stdout || '{}').jobId;
}

const complete = (stage: Stage, run: number, args: readonly string[]) =>
  jobOf(start(stage, run, args));
/** Interrupts a rollback when it moves the tag. */
const INTERRUPTIONS = {
  'was killed': async (stage: Stage, registry: SmallRegistry) => {
    const moved = () => registry.requests.filter(({ method, path }) => isMove(method, path)).length;
    const before = moved();
    const killed = start(stage, 10, ROLLBACK);
    await killed.until(() => moved() > before);
    killed.kill('SIGKILL');
    expect(await killed.ended(), killed.stderr).toBe('SIGKILL');
  },
  'was answered with 503': async (stage: Stage, registry: SmallRegistry) => {
    let isRefused = true;
    const matches = (method: string, path: string) => isRefused && isMove(method, path);
    registry.inject(matches, { kind: 'reply', status: 503 }, Number.POSITIVE_INFINITY);
    const failed = start(stage, 10, ROLLBACK);
    expect(await failed.ended(), failed.stderr).toBe(1);
    isRefused = false;
  },
} as const;

function isMove(method: string, path: string): boolean {
  return method === 'PUT' && path.endsWith('/manifests/latest');
}

const IMAGES = ([2, 3] as const).flatMap((count) =>
  (['was killed', 'was answered with 503'] as const).map((how) => [count, how] as const),
);

test.concurrent.each(IMAGES)(
  'After a rollback of an image with %i exports that %s at the tag, a new one restores the same export',
  async (count, how) => {
    const site = mkdtempSync(join(tmpdir(), 'site-'));
    onTestFinished(() => rmSync(site, { recursive: true, force: true }));
    const publish = (version: number) =>
      writeFileSync(join(site, 'index.md'), `# Docs\n\nVersion ${version}.`);
    publish(0);
    await using world = await startWithPlatform({ acme: site });
    await using registry = await SmallRegistry.start();
    const stage: Stage = {
      world,
      to: ['--image', `${registry.host}/acme/docs:latest`],
      envOf: () => ({}),
    };
    const jobs: (string | undefined)[] = [];
    for (let run = 0; run < count; run += 1) {
      publish(run);
      jobs.push(await complete(stage, run, EXPORT));
    }
    await INTERRUPTIONS[how](stage, registry);
    expect(await complete(stage, 11, ROLLBACK)).toBe(jobs[count - 2]);
  },
);
