import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSource } from '../../emulator/src/site/source.ts';
import { type StepOptions, type StepResult, startStep } from '../../test/support/runner.ts';
import { startWorld, type World } from '../../test/support/world.ts';

export const CHECKOUT = resolve(import.meta.dirname, '../..');
export const ACTION = join(CHECKOUT, 'dist/index.js');

export const REPOSITORY = 'acme/app';
export const SECRET_NAME = 'DOCS_BUNDLE_URL';
export const SITE = 'acme';
export const DOMAIN = `${SITE}.docs.example.com`;
export const PROJECT = 'proj_demo';
// Made up: only the emulated GitHub accepts it.
const SECRET_TOKEN = 'ghs_demoInstallationTokenThatMayWriteSecrets';

export interface DemoWorld {
  /** Folder of Markdown. */
  readonly site: string;
  /** How long the emulated export takes. */
  readonly exportMs: number;
}

/** The two services that the action uses, and a folder for everything that the demo writes. */
export function startDemo({ site, exportMs }: DemoWorld): Promise<World> {
  return startWorld({
    clock: 'system',
    platform: {
      sites: { [SITE]: site },
      projectId: PROJECT,
      exportJobs: { advance: 'time', durationMs: exportMs },
    },
    github: {
      repositories: [{ fullName: REPOSITORY }],
      tokens: {
        [SECRET_TOKEN]: {
          kind: 'app',
          permissions: { secrets: 'write', actions_variables: 'write' },
        },
      },
    },
  });
}

/** The step's `with:`, as in a workflow. */
export function exportInputs(world: World): Record<string, string> {
  return {
    mode: 'export',
    'base-url': world.platform.url,
    'admin-api-key': world.platform.keys.admin,
    domain: DOMAIN,
    to: `github:secret/${SECRET_NAME}`,
    'secret-token': SECRET_TOKEN,
  };
}

export interface ExportRun {
  readonly world: World;
  /** More inputs of the step, besides those of `exportInputs`. */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
  /** The commit of the run. */
  readonly sha?: string | undefined;
  /** The step's workspace. Default: a new folder that is removed at the end. */
  readonly workspace?: string | undefined;
  /** Receives each line of the log as the runner shows it. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Cancels the run like a runner. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs the built action like a runner. */
export async function runExport({
  world,
  inputs,
  sha,
  workspace,
  onLine = () => {},
  signal,
}: ExportRun): Promise<StepResult> {
  const options: StepOptions = {
    inputs: { ...exportInputs(world), ...inputs },
    sha,
    workspace,
    secrets: [world.platform.keys.admin, SECRET_TOKEN],
    repository: REPOSITORY,
    apiUrl: world.github.url,
    main: ACTION,
  };
  const step = await startStep(options);
  signal?.addEventListener('abort', step.cancel, { once: true });
  let shown = 0;
  const show = () => {
    for (const line of step.shown.slice(shown)) onLine(line);
    shown = step.shown.length;
  };
  const timer = setInterval(show, 50);
  try {
    return await step.done;
  } finally {
    clearInterval(timer);
    show();
  }
}

/**
 * A merge into the site's start page, which the platform publishes only when it is asked to, some
 * seconds later.
 */
export async function mergeInto(world: World, site: string, text: string): Promise<string> {
  const files = Object.fromEntries(await readSource(site));
  const start =
    ['index.md', 'index.mdx'].find((name) => name in files) ?? Object.keys(files)[0] ?? '';
  const content = {
    ...files,
    [start]: `${Buffer.from(files[start] ?? '').toString('utf8')}\n\n${text}\n`,
  };
  const sha = createHash('sha1').update(text).digest('hex');
  world.platform.behaviour.publishLagMs = 4000;
  await world.platform.push({ sha, content, message: text });
  return sha;
}

/** The link as the deployment gets it, decrypted. */
export function readLink(world: World): string {
  const secret = world.github.secret({ scope: 'repository', repository: REPOSITORY }, SECRET_NAME);
  if (!secret) throw new Error(`the secret ${SECRET_NAME} was not written`);
  return secret.value;
}

/** Ends with a hint if the action was not built. */
export function requireBuiltAction(): void {
  if (existsSync(ACTION)) return;
  throw new Error('dist/index.js is missing. Build the action first: npm run build');
}
