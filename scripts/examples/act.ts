import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { needTool } from './tools.ts';

export interface ActOptions {
  /** Folder of the workflow's repository. */
  readonly repository: string;
  /** Below the repository. */
  readonly workflow: string;
  readonly eventName: string;
  /** File with the payload. */
  readonly eventFile: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** `owner/name@ref` -> the folder that replaces it. */
  readonly actions: ReadonlyMap<string, string>;
  /**
   * Only this job of the workflow, and only this part of its matrix, such as `os:ubuntu-latest`.
   * Default: all.
   */
  readonly job?: { readonly id: string; readonly matrix: string } | undefined;
  /** The remote with the repository's address. Default: `origin`. */
  readonly remoteName?: string | undefined;
  /** Folders of commands that precede those of this machine. */
  readonly commands?: readonly string[] | undefined;
  /** Folder for everything that act keeps between and during runs. */
  readonly home: string;
  /** Called with a job's id before its first step. */
  readonly onJob: (id: string) => void;
  readonly timeoutMs: number;
}

export interface ActRun {
  readonly ok: boolean;
  /** Job id -> `success`, `failure`, `skipped`. */
  readonly jobs: ReadonlyMap<string, string>;
  /** The output of all steps, as act shows it. */
  readonly log: string;
  readonly annotations: readonly { readonly level: string; readonly message: string }[];
  /** Outputs of a step by its id; the last value wins. */
  readonly outputs: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

const entry = z.looseObject({
  msg: z.catch(z.string(), ''),
  jobID: z.optional(z.string()),
  jobResult: z.optional(z.string()),
  command: z.optional(z.string()),
  name: z.optional(z.string()),
  arg: z.optional(z.string()),
  stepID: z.optional(z.array(z.string())),
});
type Entry = z.infer<typeof entry>;

/** Runs one workflow on this machine, without containers. */
export async function runAct(options: ActOptions): Promise<ActRun> {
  const child = spawn(needTool('act'), actArguments(options), {
    cwd: options.repository,
    env: actEnvironment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.timeoutMs,
  });
  const ended = new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
  const record = createRecord(options.onJob);
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  for await (const line of createInterface(child.stdout)) record.take(line);
  const ok = await ended;
  return { ok, ...record.done(), log: [...record.lines, ...errors].join('\n') };
}

function actArguments(options: ActOptions): string[] {
  const pairs = (flag: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);
  return [
    options.eventName,
    ...['--workflows', options.workflow, '--eventpath', options.eventFile, '--json'],
    // Jobs run as processes of this machine, without a container runtime.
    ...['--platform', 'ubuntu-latest=-self-hosted', '--container-daemon-socket', '-'],
    ...(options.job === undefined ? [] : ['--job', options.job.id, '--matrix', options.job.matrix]),
    ...(options.remoteName === undefined ? [] : ['--remote-name', options.remoteName]),
    ...[...options.actions].flatMap(([name, folder]) => [
      '--local-repository',
      `${name}=${folder}`,
    ]),
    ...pairs('--var', options.vars),
    ...pairs('--secret', options.secrets),
    ...pairs('--env', options.env),
  ];
}

// Only the path of this process's environment: a token in it must not reach a step.
function actEnvironment({ home, commands = [] }: ActOptions): NodeJS.ProcessEnv {
  const path = [...commands, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter);
  return {
    PATH: path,
    HOME: home,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_CONFIG_HOME: `${home}/config`,
    LANG: 'C.UTF-8',
  };
}

function createRecord(onJob: (id: string) => void) {
  const jobs = new Map<string, string>();
  const outputs = new Map<string, Record<string, string>>();
  const annotations: { level: string; message: string }[] = [];
  const lines: string[] = [];

  function takeCommand({ command, arg = '', name, stepID = [] }: Entry): void {
    if (command === 'error' || command === 'warning' || command === 'notice') {
      annotations.push({ level: command, message: arg });
    }
    if (command !== 'set-output' || name === undefined) return;
    const id = stepID.at(-1) ?? '';
    outputs.set(id, { ...outputs.get(id), [name]: arg });
  }

  function take(line: string): void {
    const parsed = entry.safeParse(parseJson(line));
    if (!parsed.success) {
      lines.push(line);
      return;
    }
    const { jobID, jobResult, msg } = parsed.data;
    if (jobID !== undefined && !jobs.has(jobID)) {
      jobs.set(jobID, 'skipped');
      onJob(jobID);
    }
    if (jobID !== undefined && jobResult !== undefined) jobs.set(jobID, jobResult);
    lines.push(`[${jobID ?? 'act'}] ${msg.trimEnd()}`);
    takeCommand(parsed.data);
  }
  return { lines, take, done: () => ({ jobs, outputs, annotations }) };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
