import type { InputName } from './catalog.ts';
import type { InputReader, ReadDestination, Variable } from './reader.ts';
import { attempt, type Parser } from './values.ts';

// What stores are given: inputs, and below them the variables that the tools of each field read.

export interface Given {
  readonly reader: InputReader;
  readonly env: NonNullable<ReadDestination['run']>['env'];
  /** On a person's machine. */
  readonly isLaptop: boolean;
}

/** The input, else the variable. */
export function readSetting<T>(
  given: Given,
  names: readonly [InputName, Variable],
  parser: Parser<T>,
): T | undefined {
  const [input, variable] = names;
  if (given.reader.isGiven(input)) return given.reader.optional(input, parser);
  return readVariable(given, variable, parser);
}

/** A wrong value is a problem, and is not shown: some of these variables contain a secret. */
export function readVariable<T>(given: Given, name: Variable, parser: Parser<T>): T | undefined {
  const text = given.env[name]?.trim();
  if (!text) return undefined;
  const parsed = attempt(parser, text);
  if (parsed.ok) return parsed.value;
  given.reader.problem(name, `the variable ${name} is not allowed; it must be ${parsed.allowed}`);
  return undefined;
}
