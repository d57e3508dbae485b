import type { Toolkit } from '../log.ts';
import { showCommandHint } from './command-hint.ts';
import { createPlainResults } from './plain-results.ts';
import { createPlainToolkit } from './plain-toolkit.ts';
import type { CiRunner, Host, Results } from './port.ts';
import { makeSystemRun, type SystemRun } from './system-run.ts';

interface SystemRunnerInit {
  readonly host: Host;
  /** Throws `config` naming what the system did not set. */
  readonly read: () => SystemRun;
  readonly toolkit?: Toolkit | undefined;
  readonly results?: Results | undefined;
  /** Why inputs can be empty there, each as half a sentence. */
  readonly emptyInputs: readonly string[];
}

/** The adapter of a system whose log has no commands, or few: the rest is files that the command line is given names for. */
export function createSystemRunner({ host, read, toolkit, results, emptyInputs }: SystemRunnerInit): CiRunner {
  return {
    toolkit: toolkit ?? createPlainToolkit(host),
    openResults: () => results ?? createPlainResults(host.temp),
    readRun: () => makeSystemRun(host, read()),
    explainEmptyInputs: () => ({ causes: emptyInputs }),
    showHint: showCommandHint,
  };
}
