import type { InputReader } from '../values/reader.ts';
import { line, type Parser, reject } from '../values/values.ts';

/**
 * A service that a run logs in to with its id token: a text that the CI system signs, and that says
 * which run this is. Its audience is the service that it is for.
 */
export type IdTokenService = 'vault' | 'aws';

type Audiences = Readonly<Partial<Record<IdTokenService, string>>>;

/**
 * The audiences that the input gives for the id tokens of the run. `used`: the services that the
 * run logs in to with an id token. An audience that no login would use is a problem, which the
 * reader collects: the run does not start then, whatever is returned.
 */
export function readAudiences(reader: InputReader, used: readonly IdTokenService[]): Audiences {
  const given = reader.optional('id-token-audience', audienceLines);
  if (given === undefined) return {};
  // One audience without the name of a service: the run must have exactly one login for it.
  if (typeof given === 'string') {
    // One audience cannot be for both services.
    if (used.length > 1) {
      reader.problem(
        'id-token-audience',
        'id-token-audience has one value, and the run logs in to vault and to aws; write "vault: …" and "aws: …", one a line',
      );
    }
    if (used.length === 0) {
      const why = 'is read only if the run logs in with its id token: by vault-role or aws-role';
      reader.forbid(['id-token-audience'], why);
    }
    return Object.fromEntries(used.map((service) => [service, given]));
  }
  // A service with a line that the run does not log in to. A login may lack a line: it has a
  // usual audience.
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

/** A text: one audience for the only login. An object: an audience from a line for each service. */
const audienceLines: Parser<string | Audiences> = (value) => {
  const trimmed = value.split(/[\r\n]+/).map((text) => text.trim());
  const lines = trimmed.filter(Boolean);
  const audiences: Partial<Record<IdTokenService, string>> = {};
  for (const text of lines) {
    // White space after the colon makes it a line for a service: without it, the text may be an
    // audience that is an address, such as `aws://…`.
    const [, service, audience = ''] = /^(vault|aws):\s+(\S.*)$/.exec(text) ?? [];
    const isOnlyAudience = service === undefined && lines.length === 1;
    // `line` limits its length.
    if (isOnlyAudience) return line(text);
    const isService = service === 'vault' || service === 'aws';
    const isRepeated = isService && audiences[service] !== undefined;
    if (!isService || isRepeated) {
      return reject('one audience, or the lines "vault: …" and "aws: …"');
    }
    audiences[service] = audience;
  }
  return audiences;
};
