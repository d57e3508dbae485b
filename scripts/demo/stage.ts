import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type GitHubEmulator, startGitHubEmulator } from '../../src/emulator/github/emulator.ts';
import { type Emulator, startEmulator } from '../../src/emulator/platform/emulator.ts';
import { type StepOptions, type StepResult, startStep } from '../../test/support/runner.ts';

export const CHECKOUT = resolve(import.meta.dirname, '../..');
export const ACTION = join(CHECKOUT, 'dist/index.js');

export const REPOSITORY = 'acme/app';
export const SECRET_NAME = 'DOCS_BUNDLE_URL';
export const SITE = 'acme';
export const DOMAIN = `${SITE}.docs.example.com`;
// Made up: the emulated GitHub knows it, no other does.
const SECRET_TOKEN = 'ghs_demoInstallationTokenThatMayWriteSecrets';

/** The two services that the action talks to, and a folder for everything that the demo writes. */
export interface Stage extends AsyncDisposable {
  readonly platform: Emulator;
  readonly github: GitHubEmulator;
  readonly folder: string;
}

export interface StageOptions {
  /** Folder of Markdown. */
  readonly site: string;
  /** How long the emulated export takes. */
  readonly exportMs: number;
}

export async function openStage({ site, exportMs }: StageOptions): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-courier-demo-'));
  const platform = await startEmulator({
    sites: { [SITE]: site },
    exportJobs: { advance: 'time', durationMs: exportMs },
  });
  const github = await startGitHubEmulator({
    repositories: [{ fullName: REPOSITORY }],
    tokens: { [SECRET_TOKEN]: { kind: 'app', permissions: { secrets: 'write', actions_variables: 'write' } } },
  });
  const close = async () => {
    await Promise.all([platform.close(), github.close(), rm(folder, { recursive: true, force: true })]);
  };
  return { platform, github, folder, [Symbol.asyncDispose]: close };
}

/** The step's `with:`, as it stands in a workflow. */
export function exportInputs(stage: Stage): Record<string, string> {
  return {
    mode: 'export',
    'base-url': stage.platform.url,
    'admin-api-key': stage.platform.keys.admin,
    domain: DOMAIN,
    'secret-name': SECRET_NAME,
    'secret-token': SECRET_TOKEN,
  };
}

export interface ExportRun {
  readonly stage: Stage;
  /** Further inputs of the step, beside those of `exportInputs`. */
  readonly inputs?: Readonly<Record<string, string>> | undefined;
  /** The step's workspace. Default: a new folder that is gone at the end. */
  readonly workspace?: string | undefined;
  /** Takes each line of the log as the runner shows it. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Cancels the run as a runner does. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs the built action as a runner does. */
export async function runExport({
  stage,
  inputs,
  workspace,
  onLine = () => {},
  signal,
}: ExportRun): Promise<StepResult> {
  const options: StepOptions = {
    inputs: { ...exportInputs(stage), ...inputs },
    workspace,
    secrets: [stage.platform.keys.admin, SECRET_TOKEN],
    repository: REPOSITORY,
    apiUrl: stage.github.url,
    main: ACTION,
  };
  const step = await startStep(options);
  signal?.addEventListener('abort', step.cancel, { once: true });
  let told = 0;
  const tell = () => {
    for (const line of step.shown.slice(told)) onLine(line);
    told = step.shown.length;
  };
  const timer = setInterval(tell, 50);
  try {
    return await step.done;
  } finally {
    clearInterval(timer);
    tell();
  }
}

/** The link as the deployment gets it: what the sealed box held. */
export function readLink(stage: Stage): string {
  const secret = stage.github.secret({ scope: 'repository', repository: REPOSITORY }, SECRET_NAME);
  if (!secret) throw new Error(`the secret ${SECRET_NAME} was not written`);
  return secret.value;
}

/** Ends with advice where the action was not built. */
export function requireBuiltAction(): void {
  if (existsSync(ACTION)) return;
  throw new Error('dist/index.js is missing. Build the action first: npm run build');
}
