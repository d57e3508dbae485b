import type { InputName } from './catalog.ts';
import type { InputContext, InputReader, Variable } from './reader.ts';
import { attempt, type Parser } from './values.ts';

// The settings of stores: from inputs, else from the variables that the usual tools read, such as
// those of AWS.

export interface Given {
  readonly reader: InputReader;
  readonly env: NonNullable<InputContext['run']>['env'];
  /** On a person's machine. */
  readonly isLaptop: boolean;
}

/** The value of the input or, if that is not given, of the variable. */
export function readSetting<T>(
  given: Given,
  names: readonly [InputName, Variable],
  parser: Parser<T>,
): T | undefined {
  const [input, variable] = names;
  if (given.reader.isGiven(input)) return given.reader.optional(input, parser);
  return readVariable(given, variable, parser);
}

/**
 * The value of a variable; undefined if it is empty or wrong. A wrong value is reported, but not
 * shown: some of these variables contain a secret.
 */
export function readVariable<T>(given: Given, name: Variable, parser: Parser<T>): T | undefined {
  const text = given.env[name]?.trim();
  if (!text) return undefined;
  const parsed = attempt(parser, text);
  if (parsed.ok) return parsed.value;
  given.reader.problem(name, `the variable ${name} is not allowed; it must be ${parsed.allowed}`);
  return undefined;
}
