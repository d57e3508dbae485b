import { on } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { detectCi } from '../ci/detect.ts';
import type { CiRun, CiRunner, Env, Host } from '../ci/port.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/parse.ts';
import { CourierError, type ErrorCode, errnoOf } from '../errors.ts';
import type { InputName } from '../inputs/catalog.ts';
import { secretsOf } from '../inputs/read.ts';
import { type InputSource, laptopToken, SECRET_INPUTS, variableName } from '../inputs/reader.ts';
import { createLog, type Log, type Toolkit } from '../log.ts';
import { loadMode } from '../modes.ts';
import type { Ending, ExitRule, LoadMode } from '../run/finish.ts';
import { main } from '../run/main.ts';
import { helpAddress } from '../run/report.ts';
import { type CommandLine, readArguments } from './arguments.ts';
import { ResultFile } from './files.ts';
import { misspeltVariables } from './options.ts';
import { COMMAND } from './published.ts';
import type { AllSitesInit } from './refresh-all.ts';
import { CommandResults } from './results.ts';
import { readCommandInputs } from './source.ts';

const CONFIG_FILE = 'docs-courier.yml';
const EXCLUSIVE = [
  ['print-link', 'json'],
  ['watch', 'json'],
  ['quiet', 'verbose'],
] as const;
const NOT_WITH_ALL: readonly InputName[] = ['site', 'to', 'export-job-id', 'bundle-path', 'extract-to'];

interface CommandInit {
  /** The words behind `docs-courier`. */
  readonly args: readonly string[];
  readonly host: Host;
  /** The file that was started: the texts of the help are near it. */
  readonly programPath: string;
  /** Standard output. */
  readonly print: (text: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Runs a command of `docs-courier` and gives its exit code. Throws only what is a fault of this program. */
export async function runCommand(init: CommandInit): Promise<number> {
  const { host, print } = init;
  const [first = '', ...rest] = init.args;
  const args = first === 'help' ? [...rest, '--help'] : first === 'version' ? ['--version'] : init.args;
  const line = readArguments(args);
  if (line.options.has('version')) {
    const { readVersion } = await import('./help.ts');
    print(`${readVersion(init.programPath)}\n`);
    return 0;
  }
  // `help` of a word that is not a command is a mistake.
  if (args.length === 0 || (line.options.has('help') && (first !== 'help' || line.problems.length === 0))) {
    const { OVERVIEW, renderHelp } = await import('./help.ts');
    const { command } = line;
    print(command === undefined ? OVERVIEW : renderHelp(command, init.programPath, host.terminal?.columns));
    return 0;
  }
  const exitCode = await new CommandRun(init, line).run();
  return line.options.has('watch') ? watchQueries(init, line, exitCode) : exitCode;
}

/** An editor writes a file in several steps. */
const SETTLE_MS = 100;

/** Searches again whenever the text of the queries file has changed, until Ctrl+C. */
async function watchQueries(init: CommandInit, line: CommandLine, first: number): Promise<number> {
  const { host, clock, signal } = init;
  const name = line.inputs.get('queries-file');
  if (name === undefined) return first;
  const path = resolve(host.cwd, name);
  // The folder is watched: editors replace the file. It is watched before the message says so.
  const watcher = watch(dirname(path));
  try {
    const changes = on(watcher, 'change', { signal });
    let known = await textOf(path);
    host.write(`Watching ${name}. Stop with Ctrl+C.`);
    for await (const _ of changes) {
      await clock.sleep(SETTLE_MS, signal);
      const text = await textOf(path);
      if (text === known || text === undefined) continue;
      known = text;
      host.write('');
      await new CommandRun(init, line).run();
      host.write(`Watching ${name}. Stop with Ctrl+C.`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    watcher.close();
  }
  return exitCodeOf({ code: 'cancelled', signal: signal.reason });
}

/** undefined while the file is missing, as between the two steps in which an editor replaces a file. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** On a person's machine the file of the working folder is read unasked; elsewhere a change request could have put it there. */
function findConfigFile(folder: string): string | undefined {
  return existsSync(join(folder, CONFIG_FILE)) ? CONFIG_FILE : undefined;
}

/** All that a program of the user gets: no key, and nothing that a CI system keeps in its variables. */
function programEnv({ PATH, HOME, SYSTEMROOT }: Env): Readonly<Record<string, string>> {
  // Windows programs open no socket without SYSTEMROOT.
  const variables = { PATH, HOME, SYSTEMROOT };
  return Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** Only warnings and errors are left. */
function quietToolkit(toolkit: Toolkit): Toolkit {
  const nothing = () => undefined;
  const shown = { info: nothing, notice: nothing, startGroup: nothing, endGroup: nothing };
  return { ...toolkit, ...shown, progress: nothing, table: nothing };
}

/** A command that no step of a workflow has. */
const loadStatus: LoadMode = async () => (await import('./status.ts')).statusMode;

class CommandRun {
  readonly #init: CommandInit;
  readonly #line: CommandLine;
  #results: CommandResults | undefined;

  constructor(init: CommandInit, line: CommandLine) {
    this.#init = init;
    this.#line = line;
  }

  async run(): Promise<number> {
    const { host } = this.#init;
    const { options } = this.#line;
    const system = detectCi(host.env);
    const env = options.has('verbose') ? { ...host.env, DOCS_COURIER_DEBUG: 'true' } : host.env;
    const loaded = await system.load({ ...host, env });
    const runner = options.has('quiet') ? { ...loaded, toolkit: quietToolkit(loaded.toolkit) } : loaded;
    const log = createLog(runner.toolkit);
    // Also those that no input of this command takes: an error of the system may repeat what it was given.
    for (const name of SECRET_INPUTS) {
      for (const secret of secretsOf(name, host.env[variableName(name)] ?? '')) log.mask(secret);
    }
    log.mask(laptopToken({ kind: system.kind, env: host.env }) ?? '');
    try {
      this.#checkArguments();
      return await this.#runMode(runner, log);
    } catch (error) {
      if (!(error instanceof CourierError)) throw error;
      return this.#fail(error, runner, log);
    }
  }

  async #runMode(runner: CiRunner, log: Log): Promise<number> {
    const { host, clock, signal, print } = this.#init;
    const line = this.#line;
    const source = this.#source();
    const allowWriteFrom = line.options.get('allow-write-from');
    const commandRunner: CiRunner = {
      ...runner,
      readRun: () => ({ ...runner.readRun(), allowWriteFrom, programEnv: programEnv(host.env) }),
      openResults: () => {
        this.#results = new CommandResults(runner.openResults(), log, { options: line.options, cwd: host.cwd, print });
        return this.#results;
      },
    };
    const given = { runner: commandRunner, source, log, clock, signal, exitCode: exitRule(() => signal.reason) };
    const child = this.#childPipeline();
    const exitCode = line.options.has('all')
      ? await this.#refreshAll(given, runner)
      : await main({ ...given, name: line.command, loadMode: line.command === 'status' ? loadStatus : loadMode });
    await this.#writePlan(child, source);
    if (exitCode === 2) log.info(`Each input is a flag and a variable: docs-courier ${line.command} --help`);
    const jobId = this.#results?.jobId;
    if (signal.aborted && jobId !== undefined) {
      const text = 'The export job keeps running on the platform. To attach to it, run the command again with:';
      log.info(runner.showHint({ text, inputs: { 'export-job-id': jobId } }));
    }
    if (line.options.has('json') && this.#results !== undefined) print(`${log.redact(this.#results.json())}\n`);
    return exitCode;
  }

  #source(): InputSource {
    const { env, cwd } = this.#init.host;
    const configFile = detectCi(env).kind === 'local' ? findConfigFile(cwd) : undefined;
    return readCommandInputs({ line: this.#line, env, cwd, configFile });
  }

  /** The configuration with its sites, for a command that is about all of them. */
  async #readSites(source: InputSource, run: CiRun): Promise<Config> {
    const { readConfig } = await import('../config/file.ts');
    const path = source.value('config-file').trim();
    const config = path === '' ? undefined : await readConfig({ path, run });
    if (config !== undefined && config.sites.size > 0) return config;
    throw new CourierError({
      code: 'config',
      message: 'This command is about the sites of a configuration file, and it has none. Nothing was sent.',
      hint: `Name the sites under sites in ${CONFIG_FILE}. In a CI system, name the file with --config-file.`,
    });
  }

  /** Throws `config` where the file cannot be written. */
  #childPipeline(): ResultFile | undefined {
    const [path] = this.#line.options.get('child-pipeline') ?? [];
    return path === undefined ? undefined : new ResultFile('child-pipeline', path, { cwd: this.#init.host.cwd });
  }

  /** Of a plan, standard output has the matrix, and only that. */
  async #writePlan(child: ResultFile | undefined, source: InputSource): Promise<void> {
    const matrix = this.#results?.matrix;
    if (matrix === undefined) return;
    if (child !== undefined) {
      child.write(childPipeline(matrix, source.value('config-file').trim()));
    }
    if (!this.#line.options.has('json')) this.#init.print(`${matrix}\n`);
  }

  async #refreshAll(given: Omit<AllSitesInit, 'config'>, system: CiRunner): Promise<number> {
    const { source, log, runner } = given;
    const all = await import('./refresh-all.ts');
    const results = runner.openResults();
    const config = await this.#readSites(source, runner.readRun());
    const ends = await all.refreshAll({ ...given, config });
    const exitCode = all.worstExitCode(ends);
    const status = exitCode === 0 ? 'completed' : 'failed';
    const worst = ends.find((end) => end.exitCode === exitCode);
    const report = { version: 1, mode: 'refresh', status, sites: ends };
    const reportPath = results.writeReport(log.redact(JSON.stringify(report, undefined, 2)));
    results.writeOutputs({ status, 'error-code': worst?.errorCode, 'report-path': reportPath });
    await results.writeSummary(log.redact(all.sitesSummary(ends)));
    // A separate log: the lines of the sites must not use up those of the table.
    all.showSites(ends, createLog(system.toolkit));
    return exitCode;
  }

  #checkArguments(): void {
    const { command, problems, options, inputs } = this.#line;
    const wrong = [...problems, ...misspeltVariables(this.#init.host.env)];
    if (options.has('all')) {
      for (const name of NOT_WITH_ALL) if (inputs.has(name)) wrong.push(`--${name} is of one site; remove it or --all`);
      if (options.has('link-file')) wrong.push('--link-file is of one site; remove it or --all');
    }
    const format = options.get('output-format')?.[0];
    if (format !== undefined && format !== 'dotenv' && format !== 'json')
      wrong.push('--output-format must be dotenv or json');
    for (const [one, other] of EXCLUSIVE)
      if (options.has(one) && options.has(other)) wrong.push(`--${one} and --${other} exclude each other`);
    if (options.has('print-link') && detectCi(this.#init.host.env).kind !== 'local')
      wrong.push('--print-link would show the link in the log of a CI system; write it to a file with --link-file');
    if (format !== undefined && !options.has('output-file'))
      wrong.push('--output-format is read only together with --output-file');
    if (options.has('watch') && !inputs.has('queries-file'))
      wrong.push('--watch needs a file of queries, as in docs-courier search docs-queries.yml --watch');
    if (command === undefined && wrong.length === 0) wrong.push('The command is missing; see docs-courier --help');
    if (wrong.length === 0) return;
    throw new CourierError({
      code: 'config',
      message: ['The command cannot be run:', ...wrong.map((text) => `- ${text}`)].join('\n'),
      hint: `Nothing was sent. ${command === undefined ? 'All commands: docs-courier --help' : `All flags: docs-courier help ${command}`}`,
    });
  }

  /** An error before there was a run: what `main` would have written is written here. */
  #fail(error: CourierError, runner: CiRunner, log: Log): number {
    const { print, signal } = this.#init;
    const { code, message } = error;
    const hint = error.hint && runner.showHint(error.hint);
    const help = helpAddress(code);
    const lines = [message, hint, `See ${help}`].filter((line) => line !== undefined);
    log.error(lines.join('\n'), { title: `Docs Courier: ${code}` });
    if (this.#line.options.has('json')) {
      const mode = this.#line.command ?? 'unknown';
      const report = { version: 1, mode, status: 'failed', error: { code, message, hint, help } };
      print(
        `${log.redact(JSON.stringify({ ...report, outputs: { status: 'failed', 'error-code': code } }, undefined, 2))}\n`,
      );
    }
    return exitCodeOf({ code, signal: signal.reason });
  }
}

const OF_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
  config: 2,
  'timed-out': 3,
  'checks-failed': 4,
  refused: 5,
};

/** What a shell gives a command that the signal has ended. */
const OF_SIGNAL: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

function exitCodeOf({ code, signal }: { code: ErrorCode | undefined; signal: unknown }): number {
  if (code === undefined) return 0;
  if (code === 'cancelled') return OF_SIGNAL[String(signal)] ?? 130;
  return OF_CODE[code] ?? 1;
}

/** `signal` gives the one that the process received. A commenter who may not command is not a failure. */
function exitRule(signal: () => unknown): ExitRule {
  return ({ status, mode, errorCode }: Ending) => {
    if (status === 'refused' && mode === 'agent') return 0;
    if (status === 'cancelled') return exitCodeOf({ code: 'cancelled', signal: signal() });
    if (status === 'refused' || status === 'timed-out') return exitCodeOf({ code: status, signal: signal() });
    return status === 'failed' ? exitCodeOf({ code: errorCode ?? 'io', signal: signal() }) : 0;
  };
}

const matrixShape = z.object({ include: z.array(z.object({ site: z.string() })) });

/**
 * A child pipeline of GitLab with a job for each site of a matrix, in JSON, which is YAML too. GitLab starts no pipeline
 * without a job.
 */
function childPipeline(matrix: string, configFile: string): string {
  const { include } = matrixShape.parse(JSON.parse(matrix));
  const jobs = include.map(({ site }) => [
    `export-${site}`,
    {
      image: 'node:24-slim',
      resource_group: `docs-courier-${site}`,
      interruptible: false,
      script: [
        `${COMMAND} export --config-file ${shellWord(configFile)} --site ${shellWord(site)} --output-file docs-courier.env`,
      ],
      artifacts: { when: 'always', reports: { dotenv: 'docs-courier.env' } },
    },
  ]);
  const nothing = {
    'no-site-has-changed': { script: ['echo "No site has changed."'], variables: { GIT_STRATEGY: 'none' } },
  };
  return `${JSON.stringify(jobs.length === 0 ? nothing : Object.fromEntries(jobs), undefined, 2)}\n`;
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
