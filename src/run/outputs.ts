import type { OutputValues } from '../ci/port.ts';
import { fieldOf } from '../ground/text/json.ts';
import { OUTPUTS, type OutputName } from '../values/catalog.ts';

interface Output {
  /** The modes that have it. */
  readonly modes: readonly string[];
  /** The path of the fact that it is; undefined: every run writes it itself, at its end. */
  readonly fact?: string;
  /** Its value while the fact is not known. */
  readonly otherwise?: string;
}

const TABLE: Readonly<Record<OutputName, Output>> = OUTPUTS;

/** The values of a mode's own outputs: all but status, error-code, report and report-path. */
export function outputsOf(mode: string, facts: object): OutputValues {
  const values: Record<string, string | undefined> = {};
  for (const [name, { modes, fact, otherwise }] of Object.entries(TABLE)) {
    if (fact === undefined || !modes.includes(mode)) continue;
    const value = fieldOf(facts, ...fact.split('.')) ?? otherwise;
    values[name] = value === undefined ? undefined : String(value);
  }
  return values;
}
