import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { detectCi } from '../ci/detect.ts';
import type { CiKind, CiRunner, Env, Host } from '../ci/port.ts';
import { ciVariable } from '../ci/system.ts';
import type { Clock } from '../ground/clock.ts';
import { isSameOrBelow } from '../ground/confined-files.ts';
import { CourierError, configError, type ErrorCode } from '../ground/errors.ts';
import { createLog, type Log, type Toolkit } from '../ground/log.ts';
import { variableOf } from '../ground/programs.ts';
import { COMMAND } from '../ground/published.ts';
import { plainLine } from '../ground/text/escape.ts';
import { printedJson } from '../ground/text/hide-credentials.ts';
import { warnOfUncheckedTls } from '../http/certificates.ts';
import { secretsOf } from '../inputs/read.ts';
import { MODES } from '../modes.ts';
import {
  type ExitRule,
  isRefusedCommand,
  logError,
  type Modes,
  shownError,
} from '../run/finish.ts';
import { main } from '../run/main.ts';
import { laptopToken, RESULT_FILES, SECRET_INPUTS, variableName } from '../values/reader.ts';
import { type CommandLine, readArguments } from './arguments.ts';
import { ResultFile } from './files.ts';
import { type Flag, flagValue, type GivenFlags, unknownVariables } from './options.ts';
import { CommandResults } from './results.ts';
import { readCommandInputs } from './source.ts';

const CONFIG_FILE = 'docs-courier.yml';

interface CommandInit {
  /** The words after `docs-courier`. */
  readonly args: readonly string[];
  readonly host: Host & { readonly program: string };
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
  const line = readArguments(asFlags(init.args));
  if (line.flags.has('version') && line.problems.length === 0) {
    const { describeRelease, ownPackage } = await import('../ground/release.ts');
    const { release } = ownPackage();
    init.print(`${line.flags.has('json') ? JSON.stringify(release) : describeRelease(release)}\n`);
    return 0;
  }
  // `help` of a word that is not a command is a mistake, and reported as one. The flag `--help`
  // shows the help whatever else is wrong.
  const isMistaken = init.args[0] === 'help' && line.problems.length > 0;
  const isHelp = init.args.length === 0 || (line.flags.has('help') && !isMistaken);
  if (!isHelp) return await runLine(init, line);
  const { renderHelp, renderOverview } = await import('./help.ts');
  const columns = init.host.terminal?.columns;
  if (line.command === undefined) init.print(renderOverview(columns));
  else init.print(renderHelp(line.command, columns));
  return 0;
}

/** The only variables that a program of the user gets: no key, and no variable of a CI system. */
function programEnv(env: Env): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  // Windows programs open no socket without SYSTEMROOT.
  for (const name of ['PATH', 'HOME', 'SYSTEMROOT']) {
    const value = variableOf(env, name);
    if (value) variables[name] = value;
  }
  return variables;
}

/** The toolkit, which then shows only warnings and errors. */
function quietToolkit(toolkit: Toolkit): Toolkit {
  const nothing = () => undefined;
  return {
    ...toolkit,
    info: nothing,
    notice: nothing,
    startGroup: nothing,
    endGroup: nothing,
    progress: nothing,
    table: nothing,
  };
}

/**
 * The modes for the command `status`, which is not a mode of the action: it reads the inputs of a
 * rollback, and its code takes the place of that mode.
 */
const STATUS_MODES: Modes = {
  ...MODES,
  rollback: { ...MODES.rollback, load: async () => (await import('./status.ts')).statusMode },
};

/** A command, and where it runs. */
interface Command extends CommandInit, CommandLine {
  readonly runner: CiRunner;
  readonly log: Log;
  /** On a person's machine. */
  readonly isLocal: boolean;
}

/** Runs a command, and gives its exit code. */
async function runLine(init: CommandInit, line: CommandLine): Promise<number> {
  const { host } = init;
  const system = detectCi(host.env);
  // A toolkit of plain lines shows those for debugging if this variable is set.
  const env = line.flags.has('verbose') ? { ...host.env, DOCS_COURIER_DEBUG: 'true' } : host.env;
  const loaded = system.load({ ...host, env });
  const toolkit = line.flags.has('quiet') ? quietToolkit(loaded.toolkit) : loaded.toolkit;
  const log = createLog(toolkit);
  maskSecrets(host.env, system.kind, log);
  const isLocal = system.kind === 'local';
  const runner = { ...loaded, toolkit, program: host.program };
  const command = { ...init, ...line, runner, log, isLocal };
  try {
    checkLine(command);
    if (line.command === 'serve') return await serveFolder(command);
    const text = await textOf(command);
    if (text === undefined) return await runMode(command);
    init.print(text);
    return 0;
  } catch (error) {
    if (!(error instanceof CourierError)) throw error;
    showEarlyError(command, error);
    return exitCodeOf(error.code, init.signal.reason);
  }
}

/** Shows an error that came before `main`, which would have written the log and the JSON. */
function showEarlyError(command: Command, cause: CourierError): void {
  const error = shownError(cause, command.runner);
  logError(error, command.log);
  if (!command.flags.has('json')) return;
  const report = {
    version: 1,
    mode: command.command ?? 'unknown',
    status: 'failed',
    error,
    outputs: { status: 'failed', 'error-code': error.code },
  };
  command.print(`${command.log.redact(printedJson(report))}\n`);
}

/**
 * Masks all secrets in variables, also of inputs that this command does not take: an error of the
 * operating system may contain any of them.
 */
function maskSecrets(env: Env, kind: CiKind, log: Log): void {
  for (const name of SECRET_INPUTS) {
    for (const secret of secretsOf(name, env[variableName(name)] ?? '')) log.mask(secret);
  }
  const token = laptopToken({ kind, env });
  if (token !== undefined) log.mask(token);
}

/** Runs the mode of a command, and prints what belongs to standard output. Gives the exit code. */
async function runMode(command: Command): Promise<number> {
  const { host, runner, log, flags, print, signal } = command;
  const { cwd } = host;
  warnOfUncheckedTls(host.env, log);
  const source = readCommandInputs(command, host, usualConfigFile(command));
  // Set when the run opens its results.
  let results: CommandResults | undefined;
  const fromCommand = {
    allowWriteFrom: flags.get('allow-write-from'),
    programEnv: programEnv(host.env),
  };
  const work: Work = {
    runner: {
      ...runner,
      readRun: () => ({ ...runner.readRun(), ...fromCommand }),
      openResults() {
        results = new CommandResults(runner.openResults(), command, cwd);
        return results;
      },
    },
    source,
    log,
    clock: command.clock,
    signal,
    exitCode: exitRule(() => signal.reason),
  };
  // Before the run, so that it does not plan for a file that cannot be written.
  const childPath = flagValue(flags, 'child-pipeline');
  const childFile = childPath === '' ? undefined : new ResultFile('child-pipeline', childPath, cwd);
  const exitCode = await execute(command, work);
  // A plan prints its matrix on standard output, or with --json only the JSON below.
  const matrix = results?.matrix;
  if (matrix !== undefined) {
    childFile?.write(childPipeline(matrix, source.value('config-file').trim()));
    if (!flags.has('json')) print(`${matrix}\n`);
  }
  if (exitCode === WRONG_USE)
    log.info(`Each input is a flag and a variable: ${host.program} ${command.command} --help`);
  // The job may keep running. A refresh starts none. The log of a run that detached or failed has
  // named it, unless it is quiet.
  const isUnsaid = signal.aborted || flags.has('quiet');
  const unfinished = results?.unfinishedJobId;
  if (isUnsaid && command.command === 'export' && unfinished !== undefined) {
    const text = `To attach to export job ${unfinished}, run the command again with:`;
    // A warning, which --quiet shows too.
    log.warning(runner.showHint({ text, inputs: { 'export-job-id': unfinished } }));
  }
  if (flags.has('json') && results !== undefined) print(`${log.redact(results.json())}\n`);
  return exitCode;
}

/**
 * The configuration file that is read although none is named: that of the working folder, and only
 * on a person's machine. In a CI system, a change request could have added it.
 */
function usualConfigFile(command: Command): string {
  return command.isLocal && existsSync(join(command.host.cwd, CONFIG_FILE)) ? CONFIG_FILE : '';
}

type Work = Omit<Parameters<typeof main>[0], 'modes'> & { readonly exitCode: ExitRule };

/** Runs the mode that the command stands for. */
async function execute(command: Command, work: Work): Promise<number> {
  if (command.command !== 'status') return main({ ...work, name: command.command, modes: MODES });
  if (!command.flags.has('live-url')) return main({ ...work, name: 'status', modes: STATUS_MODES });
  const { showLive } = await import('./live-status.ts');
  return showLive({ ...work, maxAge: flagValue(command.flags, 'max-age') });
}

/** The text of a command that only prints one; undefined for any other command. */
async function textOf(command: Command): Promise<string | undefined> {
  const { flags, host, log, signal } = command;
  switch (command.command) {
    case 'redirects': {
      const { readSiteRedirects } = await import('./redirects.ts');
      const site = flagValue(flags, 'site-path');
      return readSiteRedirects(site, host.cwd, flagValue(flags, 'server'), log);
    }
    case 'explain': {
      const { explain } = await import('./explain.ts');
      return explain(flagValue(flags, 'code'), host.terminal?.columns);
    }
    case 'changes': {
      const { changedPages } = await import('./changes.ts');
      const given = flags.get('compared') ?? [];
      return log.redact(await changedPages(given, { ...host, log, signal }));
    }
    case 'completion': {
      const { completionOf } = await import('./completion.ts');
      return completionOf(flagValue(flags, 'shell'));
    }
    default:
      return undefined;
  }
}

/** Serves an unpacked site until Ctrl+C. */
async function serveFolder(command: Command): Promise<number> {
  const { serveUntilStopped } = await import('./serve.ts');
  await serveUntilStopped(flagValue(command.flags, 'site-path'), command.host.cwd, command);
  return exitCodeOf('cancelled', command.signal.reason);
}

/** Flags that say which destinations `status` reads. With `--live-url` it reads none. */
const OF_DESTINATIONS = ['to', 'image', 'site', 'config-file', 'project-id'] as const;

/** A problem for each flag with a value, or beside a flag, that it cannot have. */
function wrongCombinations(line: Command): string[] {
  const { command, flags, isLocal, host } = line;
  const has = (name: Flag['name']) => flags.has(name);
  const format = flagValue(flags, 'output-format');
  const readsLiveUrl = command === 'status' && has('live-url');
  // A person's machine counts as a CI system if such a variable is set there.
  const variable = ciVariable(host.env);
  const orUnset =
    variable === undefined ? '' : `, or unset ${variable} if this is your own machine`;
  const rules: readonly (readonly [isWrong: boolean, text: string])[] = [
    [has('max-age') && !readsLiveUrl, '--max-age is read only together with --live-url'],
    [!['', 'dotenv', 'json'].includes(format), '--output-format must be dotenv or json'],
    [has('print-link') && has('json'), '--print-link and --json exclude each other'],
    [has('quiet') && has('verbose'), '--quiet and --verbose exclude each other'],
    [
      has('print-link') && !isLocal,
      `--print-link would show the link in the log of a CI system; write --link-file FILE${orUnset}`,
    ],
    [
      format !== '' && !has('output-file'),
      '--output-format is read only together with --output-file',
    ],
  ];
  const wrong = rules.filter((rule) => rule[0]).map((rule) => rule[1]);
  // Other commands write a site to its destination, and then check it at the address.
  const unread = readsLiveUrl ? OF_DESTINATIONS.filter(has) : [];
  return [
    ...unread.map((name) => `--${name} is about a destination; remove it or --live-url`),
    ...wrong,
  ];
}

/**
 * Throws `config` with everything that is wrong with the words of a command and with the names of
 * variables.
 */
function checkLine(line: Command): void {
  const { command, flags } = line;
  const { env, cwd, program } = line.host;
  const wrong = [...line.problems, ...unknownVariables(env)];
  wrong.push(...wrongCombinations(line), ...wrongResults(flags, cwd));
  // Said only if nothing else is wrong: a mistyped command is reported as what it is.
  if (command === undefined && wrong.length === 0)
    wrong.push(`The command is missing; see ${program} --help`);
  if (wrong.length === 0) return;
  const help =
    command === undefined
      ? `All commands: ${program} --help`
      : `All flags: ${program} help ${command}`;
  throw configError(
    ['The command cannot be run:', ...wrong.map((text) => `- ${text}`)].join('\n'),
    `Nothing was sent. ${help}`,
  );
}

/**
 * A problem for each file of results that another flag writes too, or that is in the folder of the
 * site.
 */
function wrongResults(flags: GivenFlags, cwd: string): string[] {
  const wrong: string[] = [];
  const valuesOf = (name: Flag['name']) => flags.get(name) ?? [];
  const [site] = valuesOf('extract-to');
  const links = valuesOf('to').flatMap((address) => /^file:(.+)$/.exec(address)?.[1] ?? []);
  for (const name of RESULT_FILES) {
    const [file] = valuesOf(name);
    // A terminal or a pipe takes any number of writers.
    if (file === undefined || file.startsWith('/dev/')) continue;
    const path = resolve(cwd, file);
    const others = RESULT_FILES.filter((other) => other !== name).flatMap(valuesOf);
    const writtenElsewhere = [...valuesOf('bundle-path'), ...links, ...others];
    const shown = `--${name} ${plainLine(file, 100)}`;
    if (writtenElsewhere.some((other) => resolve(cwd, other) === path))
      wrong.push(`${shown} is the file of another flag too; give another path`);
    else if (site !== undefined && isSameOrBelow(path, resolve(cwd, site)))
      wrong.push(
        `${shown} is in the folder of --extract-to, which would publish it with the site; give a path outside of it`,
      );
  }
  return wrong;
}

/** The exit code if an input or a flag is missing or wrong. */
const WRONG_USE = 2;
/** Exit codes by error code; for any other, it is that of `OTHER_FAILURE`. */
const OF_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
  config: WRONG_USE,
  'timed-out': 3,
  'checks-failed': 4,
  refused: 5,
};

const OTHER_FAILURE = 1;

/** The exit codes that a shell gives to a command that was ended by a signal. */
const OF_SIGNAL: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** The exit code after a signal; 130 also if the end had another reason than a signal. */
export function signalExitCode(signal: unknown): number {
  return OF_SIGNAL[String(signal)] ?? 130;
}

function exitCodeOf(code: ErrorCode, signal: unknown): number {
  if (code === 'cancelled') return signalExitCode(signal);
  return OF_CODE[code] ?? OTHER_FAILURE;
}

/** The exit codes of the command line. `signal` gives the signal that the process received. */
function exitRule(signal: () => unknown): ExitRule {
  return (ending) => {
    const { status } = ending;
    // A stranger who comments must not make a run fail.
    if (isRefusedCommand(ending)) return 0;
    // These statuses are error codes too. With one of them the run may have ended without an error.
    if (status === 'cancelled' || status === 'refused' || status === 'timed-out')
      return exitCodeOf(status, signal());
    if (status !== 'failed') return 0;
    if (ending.errorCode === undefined) return OTHER_FAILURE;
    return exitCodeOf(ending.errorCode, signal());
  };
}

const matrixShape = z.object({ include: z.array(z.object({ site: z.string() })) });

/**
 * A child pipeline of GitLab with a job for each site of a matrix, in JSON, which is YAML too.
 * Without sites it has a job that does nothing, since GitLab refuses a pipeline without jobs.
 */
function childPipeline(matrix: string, configFile: string): string {
  const jobs: Record<string, unknown> = {};
  for (const { site } of matrixShape.parse(JSON.parse(matrix)).include) {
    const flags = `--config-file ${shellWord(configFile)} --site ${shellWord(site)} --output-file docs-courier.env`;
    jobs[`export-${site}`] = {
      image: 'node:24-slim',
      // One job at a time for a site, and a newer pipeline does not end it on its way.
      resource_group: `docs-courier-${site}`,
      interruptible: false,
      script: [`${COMMAND} export ${flags}`],
      artifacts: { when: 'always', reports: { dotenv: 'docs-courier.env' } },
    };
  }
  if (Object.keys(jobs).length === 0) {
    const variables = { GIT_STRATEGY: 'none' };
    jobs['no-site-has-changed'] = { script: ['echo "No site has changed."'], variables };
  }
  return `${JSON.stringify(jobs, undefined, 2)}\n`;
}

/** Quoted, since a site or a path may contain what a shell interprets. */
function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
