import type { InputReader } from '../values/reader.ts';
import { line, type Parser, reject } from '../values/values.ts';

/** A service that a run logs in to with its id token. */
export type IdTokenService = 'vault' | 'aws';

type Audiences = Readonly<Partial<Record<IdTokenService, string>>>;

/**
 * The audiences that the input gives for the id tokens of the run. `used`: the services that the
 * run logs in to with an id token. The reader reports an audience that no login would use.
 */
export function readAudiences(reader: InputReader, used: readonly IdTokenService[]): Audiences {
  const given = reader.optional('id-token-audience', audienceLines);
  if (given === undefined) return {};
  // One audience, which is for the one login.
  if (typeof given === 'string') {
    if (used.length > 1) {
      reader.problem(
        'id-token-audience',
        'id-token-audience has one value, and the run logs in to vault and to aws; write "vault: …" and "aws: …", one a line',
      );
    }
    const unused = 'is read only if the run logs in with its id token: by vault-role or aws-role';
    if (used.length === 0) reader.forbid(['id-token-audience'], unused);
    return Object.fromEntries(used.map((kind) => [kind, given]));
  }
  // A line for a service that the run does not log in to.
  const usedNames: readonly string[] = used;
  const unusedName = Object.keys(given).find((name) => !usedNames.includes(name));
  if (unusedName !== undefined) {
    reader.problem(
      'id-token-audience',
      `id-token-audience has a line for ${unusedName}, where this run does not log in with its id token`,
    );
  }
  return given;
}

/** One audience for the only login, or a line for each service. */
const audienceLines: Parser<string | Audiences> = (value) => {
  const lines = value.split(/[\r\n]+/).map((text) => text.trim());
  const audiences: Partial<Record<IdTokenService, string>> = {};
  for (const text of lines) {
    if (text === '') continue;
    const [, kind, audience = ''] = /^(vault|aws):\s+?(\S.*)$/.exec(text) ?? [];
    if (kind === undefined && lines.length === 1) return line(text);
    if ((kind !== 'vault' && kind !== 'aws') || audiences[kind] !== undefined) {
      return reject('one audience, or the lines "vault: …" and "aws: …"');
    }
    audiences[kind] = audience;
  }
  return audiences;
};
