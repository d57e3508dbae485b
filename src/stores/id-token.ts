import type { InputReader } from '../values/reader.ts';
import { line, type Parser, reject } from '../values/values.ts';

/** A service that a run logs in to with its id token. */
export type IdTokenService = 'vault' | 'aws';

type Audiences = Readonly<Partial<Record<IdTokenService, string>>>;

/** The audience of the id token for each kind of login in `used`, which take one. */
export function readAudiences(reader: InputReader, used: readonly IdTokenService[]): Audiences {
  const given = reader.optional('id-token-audience', audienceLines);
  if (given === undefined) return {};
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
  const unread = Object.keys(given).find((kind) => !used.some((one) => one === kind));
  if (unread !== undefined) {
    reader.problem(
      'id-token-audience',
      `id-token-audience has a line for ${unread}, where this run does not log in with its id token`,
    );
  }
  return given;
}

const audienceLines: Parser<string | Audiences> = (value) => {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim());
  const pairs = lines
    .filter((line) => line !== '')
    .map((line) => /^(vault|aws):\s+?(\S.*)$/.exec(line) ?? [line]);
  const [[first = '', kind] = []] = pairs;
  if (pairs.length === 1 && kind === undefined) return line(first);
  const found = Object.fromEntries(pairs.map(([, name = '', audience = '']) => [name, audience]));
  const isWhole =
    pairs.every((pair) => pair.length > 1) && Object.keys(found).length === pairs.length;
  return isWhole ? found : reject('one audience, or the lines "vault: …" and "aws: …"');
};
