/** Where the values of inputs come from: the variables of a runner, or later flags, variables and a file. */
export interface InputSource {
  /** The text that was given, untrimmed; `''` where none was. */
  value(name: string): string;
  /** Names that were given and that no input has, as they were written. */
  unknownNames(): readonly string[];
  /** An input that was not given has its default here, as the runner of an action fills it in. */
  readonly fillsDefaults?: boolean | undefined;
  /** True for a credential that every job of a project is given as a variable: where nothing reads it, it is no mistake. */
  isAmbient?(name: string): boolean;
}
