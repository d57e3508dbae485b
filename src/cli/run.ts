import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { detectCi } from '../ci/detect.ts';
import type { CiKind, CiRunner, Env, Host } from '../ci/port.ts';
import type { Clock } from '../clock.ts';
import { isSameOrBelow } from '../confined-files.ts';
import { CourierError, type ErrorCode } from '../errors.ts';
import { warnOfUncheckedTls } from '../http/certificates.ts';
import { secretsOf } from '../inputs/read.ts';
import { createLog, type Log, type Toolkit } from '../log.ts';
import { MODES } from '../modes.ts';
import { variableOf } from '../programs.ts';
import { COMMAND } from '../published.ts';
import { type Ending, type ExitRule, isRefusedCommand, type Modes } from '../run/finish.ts';
import { main } from '../run/main.ts';
import { helpAddress } from '../run/report.ts';
import { plainLine } from '../text/escape.ts';
import { printedJson } from '../text/hide-credentials.ts';
import { laptopToken, RESULT_FILES, SECRET_INPUTS, variableName } from '../values/reader.ts';
import { type CommandLine, readArguments } from './arguments.ts';
import { ResultFile } from './files.ts';
import { type Flag, type GivenFlags, unknownVariables } from './options.ts';
import { CommandResults } from './results.ts';
import { readCommandInputs } from './source.ts';

const CONFIG_FILE = 'docs-courier.yml';
const EXCLUSIVE = [
  ['print-link', 'json'],
  ['quiet', 'verbose'],
] as const;
const NOT_WITH_ALL = [
  'site',
  'to',
  'export-job-id',
  'bundle-path',
  'extract-to',
  'link-file',
] as const;

interface CommandInit {
  /** The words after `docs-courier`. */
  readonly args: readonly string[];
  readonly host: Host;
  /** The file that was started: the texts of the help are near it. */
  readonly programPath: string;
  /** Standard output. */
  readonly print: (text: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** The words `help` and `version` as the flags that they stand for. */
function asFlags(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  if (first === 'help') return [...rest, '--help'];
  return first === 'version' ? ['--version', ...rest] : args;
}

/**
 * Runs a command of `docs-courier` and gives its exit code. Throws only what is a fault of this
 * program.
 */
export async function runCommand(init: CommandInit): Promise<number> {
  const { host, print } = init;
  const [first = ''] = init.args;
  const args = asFlags(init.args);
  const line = readArguments(args);
  if (line.flags.has('version') && line.problems.length === 0) {
    const { readVersion } = await import('./help.ts');
    const version = readVersion(init.programPath);
    print(`${line.flags.has('json') ? JSON.stringify({ version }) : version}\n`);
    return 0;
  }
  // `help` of a word that is not a command is a mistake.
  if (
    args.length === 0 ||
    (line.flags.has('help') && (first !== 'help' || line.problems.length === 0))
  ) {
    const { OVERVIEW, renderHelp } = await import('./help.ts');
    const { command } = line;
    print(
      command === undefined
        ? OVERVIEW
        : renderHelp(command, init.programPath, host.terminal?.columns),
    );
    return 0;
  }
  return await runLine(init, line);
}

/**
 * All that a program of the user gets: no key, and nothing that a CI system keeps in its variables.
 */
function programEnv(env: Env): Readonly<Record<string, string>> {
  // Windows programs open no socket without SYSTEMROOT.
  const kept = ['PATH', 'HOME', 'SYSTEMROOT'].map(
    (name) => [name, variableOf(env, name) ?? ''] as const,
  );
  return Object.fromEntries(kept.filter(([, value]) => value !== ''));
}

/** Only warnings and errors are left. */
function quietToolkit(toolkit: Toolkit): Toolkit {
  const nothing = () => undefined;
  const shown = { info: nothing, notice: nothing, startGroup: nothing, endGroup: nothing };
  return { ...toolkit, ...shown, progress: nothing, table: nothing };
}

/** What `status` reads if it is not asked for the site at an address. */
const NOT_WITH_ADDRESS = ['to', 'image', 'site', 'config-file', 'project-id'] as const;

/**
 * With the command `status`, which no step of a workflow has: it reads the inputs of a rollback.
 */
const STATUS_MODES: Modes = {
  ...MODES,
  rollback: { ...MODES.rollback, load: async () => (await import('./status.ts')).statusMode },
};

/** Runs the mode of a command, and gives its exit code. */
async function runLine(init: CommandInit, line: CommandLine): Promise<number> {
  const { host } = init;
  const system = detectCi(host.env);
  const env = line.flags.has('verbose') ? { ...host.env, DOCS_COURIER_DEBUG: 'true' } : host.env;
  const loaded = system.load({ ...host, env });
  const runner = line.flags.has('quiet')
    ? { ...loaded, toolkit: quietToolkit(loaded.toolkit) }
    : loaded;
  const log = createLog(runner.toolkit);
  maskSecrets(host.env, system.kind, log);
  try {
    checkLine(line, host, system.kind === 'local');
    if (line.command === 'redirects') return await printRedirects(init, line, log);
    if (line.command === 'serve') return await serveSite(init, line, log);
    return await runMode(init, line, { runner, log, isLocal: system.kind === 'local' });
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    // Before there was a run: what `main` would have written is written here.
    const { code, message } = error;
    const hint = error.hint && runner.showHint(error.hint);
    const help = helpAddress(code);
    const lines = [message, hint, `See ${help}`].filter((text) => text !== undefined);
    log.error(lines.join('\n'), { title: `Docs Courier: ${code}` });
    if (line.flags.has('json')) {
      const outputs = { status: 'failed', 'error-code': code };
      const mode = line.command ?? 'unknown';
      const report = {
        version: 1,
        mode,
        status: 'failed',
        error: { code, message, hint, help },
        outputs,
      };
      init.print(`${log.redact(printedJson(report))}\n`);
    }
    return exitCodeOf(code, init.signal.reason);
  }
}

/**
 * Also those that no input of this command takes: an error of the system may repeat what it was
 * given.
 */
function maskSecrets(env: Env, kind: CiKind, log: Log): void {
  for (const name of SECRET_INPUTS) {
    for (const secret of secretsOf(name, env[variableName(name)] ?? '')) log.mask(secret);
  }
  log.mask(laptopToken({ kind, env }) ?? '');
}

interface Loaded {
  readonly runner: CiRunner;
  readonly log: Log;
  /** On a person's machine. */
  readonly isLocal: boolean;
}

async function runMode(
  init: CommandInit,
  line: CommandLine,
  { runner, log, isLocal }: Loaded,
): Promise<number> {
  const { host, clock, signal, print } = init;
  const { command, flags } = line;
  warnOfUncheckedTls(host.env, log);
  // On a person's machine the file of the working folder is read unasked; elsewhere a change
  // request could have put it there.
  const configFile = isLocal && existsSync(join(host.cwd, CONFIG_FILE)) ? CONFIG_FILE : undefined;
  const source = readCommandInputs({ line, env: host.env, cwd: host.cwd, configFile });
  let results: CommandResults | undefined;
  const run = { allowWriteFrom: flags.get('allow-write-from'), programEnv: programEnv(host.env) };
  const commandRunner: CiRunner = {
    ...runner,
    readRun: () => ({ ...runner.readRun(), ...run }),
    openResults: () => {
      results = new CommandResults(runner.openResults(), log, {
        flags,
        cwd: host.cwd,
        isLocal,
        print,
      });
      return results;
    },
  };
  const given = {
    runner: commandRunner,
    source,
    log,
    clock,
    signal,
    exitCode: exitRule(() => signal.reason),
  };
  const [childPath] = flags.get('child-pipeline') ?? [];
  const child =
    childPath === undefined
      ? undefined
      : new ResultFile('child-pipeline', childPath, { cwd: host.cwd });
  const exitCode = await execute(given, line, runner);
  // Of a plan, standard output has the matrix, and only that.
  const matrix = results?.matrix;
  if (matrix !== undefined) {
    child?.write(childPipeline(matrix, source.value('config-file').trim()));
    if (!flags.has('json')) print(`${matrix}\n`);
  }
  if (exitCode === 2)
    log.info(`Each input is a flag and a variable: docs-courier ${command} --help`);
  const unfinished = signal.aborted && command === 'export' ? results?.unfinishedJobId : undefined;
  if (unfinished !== undefined) {
    const text = `To attach to export job ${unfinished}, run the command again with:`;
    log.info(runner.showHint({ text, inputs: { 'export-job-id': unfinished } }));
  }
  if (flags.has('json') && results !== undefined) print(`${log.redact(results.json())}\n`);
  return exitCode;
}

type Given = Parameters<typeof main>[0] & { readonly exitCode: ExitRule };

/**
 * Runs what the command stands for. `runner` is that of the process: each site of `--all` has
 * results of its own.
 */
async function execute(
  given: Omit<Given, 'modes'>,
  { command, flags }: CommandLine,
  runner: CiRunner,
) {
  if (flags.has('all')) {
    const { refreshAll } = await import('../publish/all-sites/refresh-all.ts');
    return refreshAll({ ...given, modes: MODES }, runner);
  }
  if (command === 'status' && flags.has('live-url')) {
    const [maxAge] = flags.get('max-age') ?? [];
    return (await import('./live-status.ts')).showLive({ ...given, maxAge });
  }
  return main({ ...given, name: command, modes: command === 'status' ? STATUS_MODES : MODES });
}

/**
 * Prints the redirects of an unpacked site for a web server; what cannot be written is a warning.
 */
async function printRedirects(
  { host, print }: CommandInit,
  { flags }: CommandLine,
  log: Log,
): Promise<number> {
  const { readSiteRedirects } = await import('./redirects.ts');
  const [[site = ''] = [], [server = ''] = []] = [flags.get('site-path'), flags.get('server')];
  print(readSiteRedirects({ site, cwd: host.cwd, server, log }));
  return 0;
}

/** Serves an unpacked site until Ctrl+C. */
async function serveSite(
  { host, print, signal }: CommandInit,
  { flags }: CommandLine,
  log: Log,
): Promise<number> {
  const { serveUntilStopped } = await import('./serve.ts');
  const [site = ''] = flags.get('site-path') ?? [];
  await serveUntilStopped({ site, cwd: host.cwd, log, print, signal });
  return exitCodeOf('cancelled', signal.reason);
}

/**
 * Throws `config` with everything that is wrong with the words of a command and with the names of
 * variables.
 */
function checkLine(
  { command, flags, problems }: CommandLine,
  { env, cwd }: { env: Env; cwd: string },
  isLocal: boolean,
): void {
  const wrong = [...problems, ...unknownVariables(env)];
  const has = (name: Flag['name']) => flags.has(name);
  const refuse = (isWrong: boolean, text: string) => {
    if (isWrong) wrong.push(text);
  };
  const hasAddress = command === 'status' && has('live-url');
  for (const name of NOT_WITH_ADDRESS) {
    refuse(hasAddress && has(name), `--${name} is about a destination; remove it or --live-url`);
  }
  refuse(has('max-age') && !hasAddress, '--max-age is read only together with --live-url');
  for (const name of NOT_WITH_ALL)
    refuse(has('all') && has(name), `--${name} is of one site; remove it or --all`);
  const format = flags.get('output-format')?.[0] ?? '';
  refuse(!['', 'dotenv', 'json'].includes(format), '--output-format must be dotenv or json');
  for (const [one, other] of EXCLUSIVE)
    refuse(has(one) && has(other), `--${one} and --${other} exclude each other`);
  refuse(
    has('print-link') && !isLocal,
    `--print-link would show the link in the log of a CI system; write --link-file FILE${env['CI'] === undefined ? '' : ', or unset CI if this is your own machine'}`,
  );
  wrong.push(...wrongResults(flags, cwd));
  refuse(
    format !== '' && !has('output-file'),
    '--output-format is read only together with --output-file',
  );
  refuse(
    command === undefined && wrong.length === 0,
    'The command is missing; see docs-courier --help',
  );
  if (wrong.length === 0) return;
  throw new CourierError({
    code: 'config',
    message: ['The command cannot be run:', ...wrong.map((text) => `- ${text}`)].join('\n'),
    hint: `Nothing was sent. ${command === undefined ? 'All commands: docs-courier --help' : `All flags: docs-courier help ${command}`}`,
  });
}

/** A result is written also by a run that fails, and would then be in the way of the next one. */
function wrongResults(flags: GivenFlags, cwd: string): string[] {
  const [site] = flags.get('extract-to') ?? [];
  const [archive] = flags.get('bundle-path') ?? [];
  const links = (flags.get('to') ?? []).flatMap(
    (address) => /^file:(.+)$/.exec(address)?.[1] ?? [],
  );
  return RESULT_FILES.flatMap((name) => {
    const [file] = flags.get(name) ?? [];
    // A terminal or a pipe takes any number of writers.
    if (file === undefined || file.startsWith('/dev/')) return [];
    const others = RESULT_FILES.filter((other) => other !== name).flatMap(
      (other) => flags.get(other) ?? [],
    );
    const taken = [archive, ...links, ...others].filter((path) => path !== undefined);
    if (taken.some((path) => resolve(cwd, path) === resolve(cwd, file))) {
      return `--${name} ${plainLine(file, 100)} is the file of another flag too; give another path`;
    }
    if (site === undefined || !isSameOrBelow(resolve(cwd, file), resolve(cwd, site))) return [];
    return `--${name} ${plainLine(file, 100)} is in the folder of --extract-to, which would publish it with the site; give a path outside of it`;
  });
}

const OF_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
  config: 2,
  'timed-out': 3,
  'checks-failed': 4,
  refused: 5,
};

/** What a shell gives a command that the signal has ended. */
const OF_SIGNAL: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** 130 also for an end without a signal. */
export function signalExitCode(signal: unknown): number {
  return OF_SIGNAL[String(signal)] ?? 130;
}

function exitCodeOf(code: ErrorCode, signal: unknown): number {
  return code === 'cancelled' ? signalExitCode(signal) : (OF_CODE[code] ?? 1);
}

/** `signal` gives the one that the process received. */
function exitRule(signal: () => unknown): ExitRule {
  return (ending: Ending) => {
    const { status, errorCode = 'io' } = ending;
    if (isRefusedCommand(ending)) return 0;
    if (status === 'cancelled' || status === 'refused' || status === 'timed-out')
      return exitCodeOf(status, signal());
    return status === 'failed' ? exitCodeOf(errorCode, signal()) : 0;
  };
}

const matrixShape = z.object({ include: z.array(z.object({ site: z.string() })) });

/**
 * A child pipeline of GitLab with a job for each site of a matrix, in JSON, which is YAML too.
 * GitLab starts no pipeline without a job.
 */
function childPipeline(matrix: string, configFile: string): string {
  const { include } = matrixShape.parse(JSON.parse(matrix));
  const jobs = include.map(({ site }) => {
    const flags = `--config-file ${shellWord(configFile)} --site ${shellWord(site)} --output-file docs-courier.env`;
    const job = {
      image: 'node:24-slim',
      resource_group: `docs-courier-${site}`,
      interruptible: false,
      script: [`${COMMAND} export ${flags}`],
      artifacts: { when: 'always', reports: { dotenv: 'docs-courier.env' } },
    };
    return [`export-${site}`, job];
  });
  const nothing = {
    'no-site-has-changed': {
      script: ['echo "No site has changed."'],
      variables: { GIT_STRATEGY: 'none' },
    },
  };
  return `${JSON.stringify(jobs.length === 0 ? nothing : Object.fromEntries(jobs), undefined, 2)}\n`;
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
