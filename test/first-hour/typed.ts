import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { splitWords } from '../../src/text/names.ts';
import { openLaptop } from '../cli/harness.ts';
import { FirstHour, type Step } from './step.ts';

/** A mistake as a user types it: a command line, or the inputs of a step, and what the log must say about it. */
export interface Typed {
  readonly did: string;
  /** The words after `docs-courier`. */
  readonly args?: string | undefined;
  /** Of the command line: the variables of GitLab CI are set. */
  readonly gitlab?: true | undefined;
  /** The inputs of a step of the action, instead of a command line. */
  readonly step?: Readonly<Record<string, string>> | undefined;
  /** The step has no other inputs. */
  readonly alone?: true | undefined;
  /** Variables; an empty text removes one. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Of the command line: the folder below the laptop's that it is typed in. */
  readonly cwd?: string | undefined;
  readonly files?: Readonly<Record<string, string | Buffer>> | undefined;
  /** Each of these is in the log. PLATFORM is the address of the emulator. */
  readonly says: readonly string[];
  /** None of these is. */
  readonly never?: readonly string[] | undefined;
  /** Default: 2, and 1 of a step. */
  readonly exitCode?: number | undefined;
}

export interface Printed {
  readonly exitCode: number;
  readonly log: string;
}

const GITLAB = {
  GITLAB_CI: 'true',
  CI_PIPELINE_ID: '31',
  CI_JOB_ID: '77',
  CI_JOB_NAME: 'publish',
  CI_PROJECT_PATH: 'acme/docs',
  CI_SERVER_URL: 'https://gitlab.example.com',
  CI_PIPELINE_SOURCE: 'push',
  CI_COMMIT_BRANCH: 'main',
  CI_DEFAULT_BRANCH: 'main',
  CI_COMMIT_REF_PROTECTED: 'true',
};

/** Proxies are read from the process itself, by the client library too. */
async function withProxy<T>(env: Readonly<Record<string, string>>, body: () => Promise<T>): Promise<T> {
  const given = Object.entries(env).filter(([name]) => /_PROXY$/.test(name));
  const before = given.map(([name]) => [name, process.env[name]] as const);
  for (const [name, value] of given) process.env[name] = value;
  try {
    return await body();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

export function typeIt(typed: Typed): Promise<Printed> {
  return withProxy(typed.env ?? {}, () =>
    typed.step === undefined ? typeCommand(typed) : typeStep(typed, typed.step),
  );
}

async function typeCommand({ args = '', env = {}, files = {}, gitlab, cwd = '' }: Typed): Promise<Printed> {
  await using laptop = await openLaptop();
  const { url } = laptop.platform;
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(laptop.folder, path)), { recursive: true });
    await writeFile(join(laptop.folder, path), content);
  }
  const fill = (text: string) => text.replaceAll('PLATFORM', url).replaceAll('FOLDER', laptop.folder);
  const words = splitWords(fill(args)) ?? [];
  const variables = Object.entries({ ...(gitlab && GITLAB), ...env }).map(([name, value]) => [name, fill(value)]);
  const ended = await laptop.run(words, { env: Object.fromEntries(variables), cwd });
  return {
    exitCode: ended.exitCode,
    log: `${ended.stderr}${ended.stdout}`.replaceAll(url, 'PLATFORM').replaceAll(laptop.folder, 'FOLDER'),
  };
}

async function typeStep({ env, files, alone }: Typed, inputs: Readonly<Record<string, string>>): Promise<Printed> {
  await using hour = await FirstHour.start();
  const whole = { mode: 'export', ...hour.inputs, domain: 'acme.example.com' };
  const texts = Object.fromEntries(Object.entries(files ?? {}).map(([path, text]) => [path, text.toString()]));
  const step: Step = { inputs: alone ? inputs : { ...whole, ...inputs }, env, files: texts };
  const { exitCode, error, info } = await hour.run(step);
  return { exitCode, log: `${error}\n${info.replaceAll(hour.platform.url, 'PLATFORM')}` };
}
