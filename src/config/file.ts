import { parse, resolve } from 'node:path';
import type { CiRun } from '../ci/port.ts';
import { CourierError } from '../errors.ts';
import { INPUTS } from '../inputs/catalog.ts';
import { INPUT_NAMES } from '../inputs/reader.ts';
import type { InputSource } from '../inputs/source.ts';
import type { Log } from '../log.ts';
import { readConfinedFile, shownPath } from '../search/files.ts';
import { isTrustedOnlyLocally } from './keys.ts';
import { parseConfig, type Values } from './parse.ts';

const MAX_BYTES = 256 * 1024;

export interface ConfigPlace {
  /** As it was given. */
  readonly path: string;
  readonly run: CiRun;
}

/** The configuration at a path. In a CI system it must be in the workspace. Throws `config`. */
export async function readConfig({ path, run }: ConfigPlace): Promise<Values> {
  const whole = resolve(run.workspace, path);
  const folder =
    run.kind === 'local' ? { name: 'disk', path: parse(whole).root } : { name: 'workspace', path: run.workspace };
  const text = await readConfinedFile({ path: whole, input: 'config-file', folders: [folder], maxBytes: MAX_BYTES });
  const name = shownPath(whole, run.workspace);
  if (text !== undefined) return parseConfig(text, name);
  throw new CourierError({
    code: 'config',
    message: `config-file: ${name} does not exist.`,
    hint: 'Check the path, and that the repository is checked out before.',
  });
}

/** What a run takes of these values; in a CI system, without what a change request must not decide. */
export function trustedValues(values: Values, run: CiRun, log: Log): Values {
  if (run.kind === 'local') return values;
  const refused = [...values.keys()].filter(isTrustedOnlyLocally);
  if (refused.length > 0) {
    log.notice(
      `Not read from the configuration file in a CI system, since a change request can change it: ${refused.join(', ')}. Give it as an input or a variable.`,
    );
  }
  return new Map([...values].filter(([name]) => !isTrustedOnlyLocally(name)));
}

/** The source, and below it the values of the file: what was given itself comes first. Keys of other modes are not read. */
export function withValues(source: InputSource, values: Values): InputSource {
  const mode = source.value('mode').trim();
  return {
    value(name) {
      const given = source.value(name);
      const input = INPUT_NAMES.find((one) => one === name);
      if (input === undefined) return given || (values.get(name) ?? '');
      const isOwn = mode === 'doctor' || INPUTS[input].modes.some((one) => one === mode);
      const isDefault = source.fillsDefaults === true && given.trim() === INPUTS[input].default;
      return isOwn && (given.trim() === '' || isDefault) ? (values.get(name) ?? given) : given;
    },
    unknownNames: () => source.unknownNames(),
    isAmbient: (name) => source.isAmbient?.(name) ?? false,
  };
}
