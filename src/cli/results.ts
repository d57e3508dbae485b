import type { Check, OutputValues, Results } from '../ci/port.ts';
import type { Log } from '../log.ts';
import { parseJson } from '../text/json.ts';
import { readVerification } from './checks.ts';
import { formatCodeQuality } from './code-quality.ts';
import { formatDotenv } from './dotenv.ts';
import { ResultFile } from './files.ts';
import { formatJunit } from './junit.ts';
import type { OptionName } from './options.ts';

interface ResultOptions {
  readonly options: ReadonlyMap<OptionName, readonly string[]>;
  readonly cwd: string;
}

/** Outputs that go into no file: the link is a secret, and the report repeats the rest. */
const NEVER_WRITTEN = ['bundle-url', 'report'];

/** The results of the CI system, and the files and the JSON that the command line asks for. */
export class CommandResults implements Results {
  readonly #system: Results;
  readonly #log: Log;
  readonly #isDotenv: boolean;
  readonly #outputFile: ResultFile | undefined;
  readonly #summaryFile: ResultFile | undefined;
  readonly #linkFile: ResultFile | undefined;
  readonly #junitFile: ResultFile | undefined;
  readonly #codeQualityFile: ResultFile | undefined;
  #outputs: OutputValues = {};
  #report = '{}';

  /** Throws `config` where a file cannot be written: now, and not when a job has been started. */
  constructor(system: Results, log: Log, { options, cwd }: ResultOptions) {
    const file = (name: OptionName, mode?: number) => {
      const [path] = options.get(name) ?? [];
      return path === undefined ? undefined : new ResultFile(name, path, mode === undefined ? { cwd } : { cwd, mode });
    };
    this.#system = system;
    this.#log = log;
    this.#isDotenv = (options.get('output-format')?.[0] ?? 'dotenv') === 'dotenv';
    this.#outputFile = file('output-file');
    this.#summaryFile = file('summary');
    this.#linkFile = file('link-file', 0o600);
    this.#junitFile = file('junit');
    this.#codeQualityFile = file('code-quality');
  }

  writeOutputs(values: OutputValues): void {
    this.#outputs = { ...this.#outputs, ...values };
    this.#system.writeOutputs(values);
    this.#writeOutputFile();
    const link = this.#outputs['bundle-url'];
    if (this.#outputs.status === 'completed' && link) this.#linkFile?.write(`${link}\n`);
  }

  writeSummary(markdown: string): void {
    this.#system.writeSummary(markdown);
    this.#summaryFile?.write(`${markdown}\n`);
  }

  writeReport(json: string): string | undefined {
    this.#report = json;
    return this.#system.writeReport(json);
  }

  writeChecks(checks: readonly Check[]): void {
    this.#system.writeChecks?.(checks);
    if (this.#junitFile === undefined && this.#codeQualityFile === undefined) return;
    const report = this.#outputs['verify-report'];
    const all = [...checks, ...(report ? readVerification(report) : [])];
    this.#junitFile?.write(formatJunit(all));
    this.#codeQualityFile?.write(formatCodeQuality(all));
  }

  /** Of the export that this run started or attached to. */
  get jobId(): string | undefined {
    return this.#outputs['job-id'];
  }

  /** Of a plan, as JSON. */
  get matrix(): string | undefined {
    return this.#outputs.matrix;
  }

  /** The report with the outputs, as `--json` prints it. */
  json(): string {
    const report = parseJson(this.#report);
    const fields = typeof report === 'object' && report !== null ? report : {};
    return JSON.stringify({ ...fields, outputs: this.#shown() }, undefined, 2);
  }

  #shown(): OutputValues {
    const shown = Object.entries(this.#outputs).filter(([name]) => !NEVER_WRITTEN.includes(name));
    return Object.fromEntries(shown.map(([name, value]) => [name, value ?? '']));
  }

  #writeOutputFile(): void {
    if (this.#outputFile === undefined) return;
    const shown = this.#shown();
    const { text, left } = this.#isDotenv
      ? formatDotenv(shown)
      : { text: `${JSON.stringify(shown, undefined, 2)}\n`, left: [] };
    this.#outputFile.write(text);
    // The status is the last one to be known.
    if (left.length === 0 || shown.status === undefined) return;
    const names = left.join(', ');
    this.#log.notice(
      `Not in ${this.#outputFile.path}, since they need quotes or make it too large: ${names}. --output-format json has them.`,
    );
  }
}
