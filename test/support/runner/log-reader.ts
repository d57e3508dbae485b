import {
  type AnnotationCommand,
  COMMAND_NAMES,
  type LogCommand,
  type ParsedCommand,
  parseCommand,
} from './commands.ts';
import { createLineSplitter } from './lines.ts';
import type { Masker } from './masker.ts';

type Stream = LogCommand['stream'];

/**
 * Reads the output of a step line by line, like the runner: commands take effect, the rest is shown
 * masked.
 */
export class LogReader {
  readonly shown: string[] = [];
  readonly commands: LogCommand[] = [];
  readonly annotations: AnnotationCommand[] = [];
  /** Outputs set by the deprecated command. */
  readonly legacyOutputs: Record<string, string> = {};
  readonly masks: string[] = [];
  readonly violations: string[] = [];
  readonly #registered = new Set(COMMAND_NAMES);
  readonly #lines = { stdout: createLineSplitter(), stderr: createLineSplitter() };
  readonly #masker: Masker;
  readonly #debug: boolean;
  #stopToken: string | undefined;

  constructor({ masker, debug }: { masker: Masker; debug: boolean }) {
    this.#masker = masker;
    this.#debug = debug;
  }

  write(stream: Stream, chunk: Buffer): void {
    for (const line of this.#lines[stream].push(chunk)) this.#readLine(stream, line);
  }

  /** Reads the last lines without a line end. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      for (const line of this.#lines[stream].end()) this.#readLine(stream, line);
    }
  }

  #readLine(stream: Stream, line: string): void {
    const command = parseCommand(line, this.#registered);
    if (this.#stopToken !== undefined) {
      if (command?.name === this.#stopToken) this.#resume(this.#stopToken);
      this.#show(line);
    } else if (command) {
      this.commands.push({ ...command, stream });
      this.#act(command);
    } else {
      this.#show(line);
    }
  }

  #act(command: ParsedCommand): void {
    const { name, data } = command;
    switch (name) {
      case 'add-mask':
        this.#addMask(data);
        break;
      case 'stop-commands':
        this.#stop(data);
        break;
      case 'notice':
      case 'warning':
      case 'error':
        this.#annotate(name, command);
        break;
      case 'debug':
        if (this.#debug) this.#show(`##[debug]${data}`);
        break;
      case 'group':
      case 'endgroup':
        this.#show(`##[${name}]${data}`);
        break;
      case 'set-output':
        this.legacyOutputs[command.properties.name ?? ''] = data;
        this.#complain('The `set-output` command is deprecated and will be disabled soon.');
        break;
      case 'save-state':
      case 'set-env':
      case 'add-path':
        this.#complain(`The \`${name}\` command is deprecated or disabled.`);
        break;
    }
  }

  #addMask(value: string): void {
    if (value.trim() === '') {
      this.#show("##[warning]Can't add secret mask for empty string in ##[add-mask] command.");
      return;
    }
    this.masks.push(value);
    // Also each single line: output is masked line by line.
    for (const secret of [value, ...value.split(/[\r\n]+/)]) this.#masker.add(secret);
  }

  #annotate(type: AnnotationCommand['type'], { data, properties }: ParsedCommand): void {
    const { title, file } = properties;
    const line = Number(properties.line ?? Number.NaN);
    this.annotations.push({
      type,
      message: this.#masker.mask(data),
      title: title === undefined ? undefined : this.#masker.mask(title),
      file,
      line: Number.isInteger(line) ? line : undefined,
    });
    this.#show(`##[${type}]${data}`);
  }

  #stop(token: string): void {
    const name = token.toLowerCase();
    if (name === '' || name === 'pause-logging' || this.#registered.has(name)) {
      this.#complain(`stop-commands with a token that is empty or a command: ${token}`);
      return;
    }
    this.#stopToken = name;
    this.#registered.add(name);
  }

  #resume(token: string): void {
    this.#registered.delete(token);
    this.#stopToken = undefined;
  }

  #complain(text: string): void {
    this.violations.push(text);
    this.#show(`##[error]${text}`);
  }

  /** The masks known now; a later one does not apply to earlier output. */
  #show(text: string): void {
    this.shown.push(this.#masker.mask(text));
  }
}
