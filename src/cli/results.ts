import * as z from 'zod/mini';
import {
  type Check,
  KEPT_OUTPUTS,
  namesOf,
  type OutputValues,
  outputVariable,
  type Results,
} from '../ci/port.ts';
import type { Log } from '../ground/log.ts';
import { printedJson } from '../ground/text/hide-credentials.ts';
import { fieldOf, parseJson, textOf } from '../ground/text/json.ts';
import { formatJunit, readVerification } from './check-reports.ts';
import { ResultFile } from './files.ts';
import { flagValue, type GivenFlags } from './options.ts';

interface ResultOptions {
  readonly flags: GivenFlags;
  readonly log: Log;
  /** On a person's machine. */
  readonly isLocal: boolean;
  /** Writes to standard output. */
  readonly print: (text: string) => void;
}

const FILES = ['output-file', 'summary', 'link-file', 'junit'] as const;

const anyReport = z.looseObject({});

/** The results of the CI system, and the files and the JSON that the command line asks for. */
export class CommandResults implements Results {
  readonly #system: Results;
  readonly #options: ResultOptions;
  readonly #files = new Map<(typeof FILES)[number], ResultFile>();
  #outputs: OutputValues = {};
  #report = '{}';

  /** Throws `config` if a file cannot be written: before a job is started. */
  constructor(system: Results, options: ResultOptions, cwd: string) {
    this.#system = system;
    this.#options = options;
    for (const name of FILES) {
      const path = flagValue(options.flags, name);
      if (path !== '') this.#files.set(name, new ResultFile(name, path, cwd));
    }
  }

  writeOutputs(values: OutputValues): void {
    // Throws for a name that is not an output.
    for (const name of namesOf(values)) this.#outputs = { ...this.#outputs, [name]: values[name] };
    this.#system.writeOutputs(values);
    this.#writeOutputFile();
    // The link is written once, when the run has ended well. Not every command has one.
    const link = this.#outputs['bundle-url'];
    if (this.#outputs.status !== 'completed' || !link) return;
    this.#files.get('link-file')?.write(`${link}\n`);
    if (this.#options.flags.has('print-link')) this.#options.print(`${link}\n`);
  }

  async writeSummary(markdown: string): Promise<void> {
    await this.#system.writeSummary(markdown);
    this.#files.get('summary')?.write(`${markdown}\n`);
  }

  /** Gives the path of the report, which becomes the output `report-path`; undefined: no file. */
  writeReport(json: string): string | undefined {
    this.#report = json;
    // On a person's machine only the output file names the path: without it, the report would lie
    // in a temporary folder, unread.
    const isPathRead = !this.#options.isLocal || this.#files.has('output-file');
    return isPathRead ? this.#system.writeReport(json) : undefined;
  }

  writeChecks(checks: readonly Check[]): void {
    this.#system.writeChecks?.(checks);
    const file = this.#files.get('junit');
    if (file === undefined) return;
    // A run writes its report before its checks.
    const bundle = fieldOf(parseJson(this.#report), 'bundle');
    const pages = fieldOf(bundle, 'verification', 'pages');
    const path = textOf(bundle, 'verifyReport') || undefined;
    // Only a run that downloads the bundle can verify it.
    const verification = typeof pages === 'number' ? readVerification(pages, path) : [];
    file.write(formatJunit([...checks, ...verification]));
  }

  /**
   * The job of the export that this run started or attached to; undefined if the run is completed
   * or has written its link, and if the job has failed, which the error says.
   */
  get unfinishedJobId(): string | undefined {
    const { status, changed, 'error-code': code, 'job-id': jobId } = this.#outputs;
    const isOver = status === 'completed' || changed === 'true' || code === 'job-failed';
    return isOver ? undefined : jobId;
  }

  /** The matrix of a plan, as JSON; undefined for other commands. */
  get matrix(): string | undefined {
    return this.#outputs.matrix;
  }

  /** The report with the outputs, as `--json` prints it. */
  json(): string {
    const report = anyReport.parse(parseJson(this.#report));
    return printedJson({ ...report, outputs: this.#shownOutputs() });
  }

  /** The outputs that may be in a file; an output without a value is empty. */
  #shownOutputs(): OutputValues {
    const shown: Record<string, string> = {};
    for (const [name, value] of Object.entries(this.#outputs))
      if (!KEPT_OUTPUTS.includes(name)) shown[name] = value ?? '';
    return shown;
  }

  /** Writes the outputs so far to the file of `--output-file`, over those of the call before. */
  #writeOutputFile(): void {
    const file = this.#files.get('output-file');
    if (file === undefined) return;
    const shown = this.#shownOutputs();
    if (flagValue(this.#options.flags, 'output-format') === 'json') {
      file.write(`${JSON.stringify(shown, undefined, 2)}\n`);
      return;
    }
    const { text, leftOut } = formatDotenv(shown);
    file.write(text);
    // Said only once, at the end of the run, when the outputs have the status.
    if (leftOut.length === 0 || shown.status === undefined) return;
    const names = leftOut.join(', ');
    this.#options.log.notice(
      `Not in ${file.path}, since they need quotes or make it too large: ${names}. --output-format json has them.`,
    );
  }
}

// Readers of dotenv files differ in how they read quotes. These characters mean the same to all of
// them, and to a shell.
const PLAIN = /^[\w.~:/?@%+=,-]{1,1000}$/;

// GitLab refuses the whole file if it has more than 20 variables or 5 KiB. This leaves room for
// variables that a team adds.
const MAX_VARIABLES = 12;
const MAX_BYTES = 4 * 1024;
/** The outputs that later jobs need most: they get the room first. */
const FIRST = [
  'status',
  'error-code',
  'job-id',
  'page-count',
  'expires-at',
  'changed',
  'live',
  'image-digest',
  'preview-url',
  'published-commit',
];

/**
 * Outputs in the form `NAME=value`, a line each, as CI systems hand them from job to job. Values
 * that are empty have no line. `leftOut` names those that do not fit: a value that would need
 * quotes, and what makes the file too large.
 */
export function formatDotenv(outputs: Readonly<Record<string, string | undefined>>): {
  readonly text: string;
  readonly leftOut: readonly string[];
} {
  let text = '';
  let count = 0;
  const leftOut: string[] = [];
  for (const name of new Set([...FIRST, ...Object.keys(outputs)])) {
    const value = outputs[name];
    if (!value) continue;
    const line = `${outputVariable(name)}=${value}\n`;
    const isRoom = count < MAX_VARIABLES && text.length + line.length <= MAX_BYTES;
    if (isRoom && PLAIN.test(value)) {
      text += line;
      count += 1;
    } else leftOut.push(name);
  }
  return { text, leftOut };
}
