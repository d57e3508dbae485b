/**
 * From the text of an argument to its value. Each throws an error that contains the argument and
 * what is allowed.
 */
import { guess, isPathId } from '../../src/ground/text/names.ts';
import type { Fault } from './faults.ts';
import type { AgentJobEntity } from './platform/entities.ts';

function wrong(name: string, given: string, allowed: string): Error {
  return new Error(`${name}: ${JSON.stringify(given)} is not ${allowed}.`);
}

export function sites(given: readonly string[]): Record<string, string> {
  const found = new Map<string, string>();
  for (const pair of given) {
    const [, id, folder] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (!id || !folder) {
      const shown = /^[\w./-]{1,100}$/.test(pair) ? pair : 'FOLDER';
      throw wrong('--site', pair, `of the form ID=FOLDER; write --site docs=${shown}`);
    }
    // It is the first label of a host name.
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(id))
      throw wrong('--site', id, 'an identifier of a-z, 0-9 and -');
    if (found.has(id)) throw new Error(`--site: ${id} is given twice.`);
    found.set(id, folder);
  }
  return Object.fromEntries(found);
}

export function port(name: string, given: string): number {
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
    throw wrong(name, given, 'a number from 0 to 65535');
  return Number(given);
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export function duration(name: string, given: string): number {
  const [, number, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(given) ?? [];
  const unitMs = UNITS_MS[unit ?? ''];
  if (number === undefined || unitMs === undefined)
    throw wrong(name, given, 'a duration such as 500ms, 90s, 30m or 2h');
  return Number(number) * unitMs;
}

/** `10%` or `0.1`. */
export function share(name: string, given: string): number {
  const [, number, percent] = /^(\d{1,3}(?:\.\d{1,4})?)(%?)$/.exec(given) ?? [];
  const value = Number(number) / (percent === '%' ? 100 : 1);
  if (!(value >= 0 && value <= 1)) throw wrong(name, given, 'a share such as 10% or 0.1');
  return value;
}

export function id(name: string, given: string): string {
  if (!isPathId(given)) throw wrong(name, given, 'an id of A-Z a-z 0-9 . _ ~ -');
  return given;
}

export function oneOf<const T extends string>(
  name: string,
  given: string,
  allowed: readonly T[],
): T {
  const found = allowed.find((one) => one === given);
  if (found !== undefined) return found;
  const meant = guess(given, allowed);
  throw new Error(
    `${name}: ${JSON.stringify(given)} is not one of ${allowed.join(', ')}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  );
}

/**
 * A key that begins with the prefix of its kind. The message does not repeat it: it may be a real
 * one.
 */
export function key(
  name: string,
  given: string | undefined,
  prefix: 'svc_' | 'svc_dsc_',
): string | undefined {
  if (given === undefined) return undefined;
  const isAssistant = given.startsWith('svc_dsc_');
  if (/^svc_[\w-]+$/.test(given) && isAssistant === (prefix === 'svc_dsc_')) return given;
  throw new Error(
    `${name}: must begin with ${prefix === 'svc_' ? 'svc_ (and not svc_dsc_)' : prefix}.`,
  );
}

export function token(name: string, given: string): string {
  if (/^[\w.-]{8,255}$/.test(given)) return given;
  throw new Error(`${name}: must be 8 to 255 letters, digits, dots, underscores or hyphens.`);
}

const REPOSITORY_FORM = 'https://github.com/owner/repository[@branch]';

export function agentSource(given: string, name = '--agent-repository'): AgentJobEntity['source'] {
  const [, repository, ref] = /^(https?:\/\/[^@\s]+)(?:@(\S+))?$/.exec(given) ?? [];
  if (!repository) throw wrong(name, given, `of the form ${REPOSITORY_FORM}`);
  return { repository, ref: ref ?? null };
}

export function agentJob(given: string): Pick<AgentJobEntity, 'id' | 'source'> {
  const [, jobId, source] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  if (!jobId || !source) throw wrong('--agent-job', given, `of the form ID=${REPOSITORY_FORM}`);
  return { id: id('--agent-job', jobId), source: agentSource(source, '--agent-job') };
}

export function repository(given: string, name = '--github-repository'): string {
  if (!/^[\w.-]+\/[\w.-]+$/.test(given)) throw wrong(name, given, 'of the form owner/name');
  return given;
}

/** Of a project or a group: one name, or more with slashes between them. */
export function gitlabPath(name: string, given: string): string {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(given)) throw wrong(name, given, 'a path such as acme/docs');
  return given;
}

/** Options of a half that is not requested would do nothing. */
export function refuseLost(half: 'github' | 'gitlab' | 'gitea', given: readonly string[]): void {
  const lost = given.find((name) => name.startsWith(`${half}-`));
  if (lost !== undefined) throw new Error(`--${lost} is read only together with --${half}.`);
}

const ROLES = ['read', 'triage', 'write', 'maintain', 'admin'] as const;

export function collaborators(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const [, login, role] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
      if (!login || !role) throw wrong('--github-collaborator', pair, 'of the form LOGIN=ROLE');
      return [login, oneOf('--github-collaborator', role, ROLES)];
    }),
  );
}

const FAULT_FORM = "of the form 'METHOD PATH STATUS [xN | always] [retry-after=SECONDS]'";

/** Such as `POST /bundle 429 x3 retry-after=7`. */
export function fault(given: string): Fault {
  const [method = '', path = '', status = '', ...rest] = given.trim().split(/\s+/);
  const [, retryAfter] = /(?:^| )retry-after=(\d{1,6})(?: |$)/.exec(rest.join(' ')) ?? [];
  const often = rest.find((word) => /^(x\d{1,6}|always)$/.test(word));
  // Any other word is a mistake, and so is a second one of the same sort.
  const known = (often === undefined ? 0 : 1) + (retryAfter === undefined ? 0 : 1);
  const fits =
    /^([A-Z]+|\*)$/i.test(method) &&
    /^[2-5]\d\d$/.test(status) &&
    path !== '' &&
    known === rest.length;
  if (!fits) throw wrong('--fault', given, FAULT_FORM);
  return {
    match: {
      ...(method !== '*' && { method }),
      ...(path !== '*' && { path }),
      times: often === 'always' ? Number.POSITIVE_INFINITY : Number(often?.slice(1) ?? 1),
    },
    status: Number(status),
    body: { error: `The emulator returns ${status} on request.` },
    ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }),
  };
}
