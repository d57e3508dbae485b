import * as z from 'zod/mini';
import type { Clock } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import type { HttpReply } from '../../http/exchange.ts';
import type { Http, HttpRequest } from '../../http/http.ts';
import type { Service } from '../../http/service.ts';
import { plainLine } from '../../text/escape.ts';
import { isLoopback, parseUrl } from '../../text/names.ts';
import type { ImageAddress } from './address.ts';
import type { RegistryLogin } from './credentials.ts';

export interface AccessInit {
  readonly address: ImageAddress;
  /** undefined: anonymous. */
  readonly login: RegistryLogin | undefined;
  /** Why there is no login; for messages. */
  readonly looked?: string | undefined;
  readonly actions: 'pull' | 'pull,push';
  readonly http: Http;
  readonly clock: Clock;
  readonly mask: (secret: string) => void;
}

// https://distribution.github.io/distribution/spec/auth/token/
const tokenReply = z.object({
  token: z.nullish(z.string()),
  access_token: z.nullish(z.string()),
  // Some send a text. It decides only when the token is asked for again.
  expires_in: z.nullish(z.unknown()),
});
const DEFAULT_LIFE_S = 60;
const SPARE_MS = 10_000;

/** What a 401 asks for. */
interface Challenge {
  readonly scheme: 'basic' | 'bearer';
  readonly realm?: string | undefined;
  readonly service?: string | undefined;
}

/**
 * The header `authorization` for one repository. Credentials go to the registry and to the realm
 * that it names, and nowhere else.
 */
export class RegistryAccess {
  readonly #init: AccessInit;
  readonly #url: URL;
  #challenge: Challenge | undefined;
  #token: { readonly value: string; readonly untilMs: number } | undefined;

  /** `url` is the address of the registry. */
  constructor(init: AccessInit, url: URL) {
    this.#init = init;
    this.#url = url;
    const { login, mask } = init;
    if (login !== undefined) mask(login.password);
    if (login?.user !== undefined) mask(basic(login));
  }

  /** Nothing until the registry has asked for something. */
  async header(): Promise<Readonly<Record<string, string>>> {
    const { login, clock } = this.#init;
    if (this.#challenge === undefined) return {};
    if (this.#challenge.scheme === 'basic') {
      return login?.user === undefined ? {} : { authorization: `Basic ${basic(login)}` };
    }
    if (this.#token === undefined || clock.monotonicMs() >= this.#token.untilMs)
      await this.#renew(this.#challenge);
    return { authorization: `Bearer ${this.#token?.value}` };
  }

  /**
   * Takes what the registry asks for in a 401. False: it asks for what was sent, or for nothing
   * that is known.
   */
  take(reply: HttpReply): boolean {
    const challenge = readChallenge(reply.headers['www-authenticate'] ?? '');
    if (challenge === undefined) return false;
    this.#challenge = challenge;
    this.#token = undefined;
    return challenge.scheme === 'bearer' || this.#init.login?.user !== undefined;
  }

  async #renew({ realm = '', service }: Challenge): Promise<void> {
    const { address, actions, login, http, clock, mask } = this.#init;
    const url = this.#realmUrl(realm);
    const query = {
      ...(service !== undefined && { service }),
      scope: `repository:${address.repository}:${actions}`,
    };
    const common = { service: tokenService(this.#init), url, repeat: 'always' } as const;
    let request: HttpRequest;
    if (login !== undefined && login.user === undefined) {
      const grant = {
        client_id: 'docs-courier',
        grant_type: 'refresh_token',
        refresh_token: login.password,
      };
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      request = {
        ...common,
        method: 'POST',
        headers,
        body: new URLSearchParams({ ...query, ...grant }).toString(),
      };
    } else {
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      request = {
        ...common,
        method: 'GET',
        headers: login && { authorization: `Basic ${basic(login)}` },
      };
    }
    const { value } = await http.requestJson(request, tokenReply);
    const token = value.token || value.access_token || '';
    if (!/^[!-~]+$/.test(token)) {
      throw new CourierError({
        code: 'protocol',
        message: `${common.service.name} gave no token.`,
      });
    }
    mask(token);
    const lifeMs = (Number(value.expires_in) || DEFAULT_LIFE_S) * 1000;
    this.#token = {
      value: token,
      untilMs: clock.monotonicMs() + Math.max(lifeMs / 2, lifeMs - SPARE_MS),
    };
  }

  /** https, or http if the registry itself is on this machine. */
  #realmUrl(realm: string): URL {
    const { address } = this.#init;
    const found = parseUrl(realm);
    const isLocal =
      found?.protocol === 'http:' && isLoopback(found.hostname) && isLoopback(this.#url.hostname);
    if (found !== undefined && (found.protocol === 'https:' || isLocal) && found.username === '')
      return found;
    throw new CourierError({
      code: 'protocol',
      message: `${address.registry} names ${plainLine(realm, 200) || 'nothing'} as the address of its login service, which is not an https address. No credentials were sent.`,
      hint: 'Check the host name of the registry in the input image.',
    });
  }
}

function basic({ user, password }: RegistryLogin): string {
  return Buffer.from(`${user}:${password}`).toString('base64');
}

// A scheme, or a parameter of the one before it:
// https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
const PART = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;

/**
 * Several challenges come as one header or as several, which Node joins. A token says less than a
 * password: Bearer is taken.
 */
function readChallenge(header: string): Challenge | undefined {
  const all: { scheme: string; values: Map<string, string> }[] = [];
  for (const [, name = '', quoted, plain] of header.matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (value === undefined) all.push({ scheme: name.toLowerCase(), values: new Map() });
    else all.at(-1)?.values.set(name.toLowerCase(), value);
  }
  const bearer = all.find(
    ({ scheme, values }) => scheme === 'bearer' && values.get('realm'),
  )?.values;
  if (bearer !== undefined)
    return { scheme: 'bearer', realm: bearer.get('realm'), service: bearer.get('service') };
  return all.some(({ scheme }) => scheme === 'basic') ? { scheme: 'basic' } : undefined;
}

/** Why a request is anonymous: half a sentence. */
export function noLogin({
  address: { registry },
  looked,
}: Pick<AccessInit, 'address' | 'looked'>): string {
  const where = looked || 'the environment: DOCKER_CONFIG, HOME and XDG_RUNTIME_DIR are empty';
  return `There is no login to ${registry} in ${where}`;
}

/** The same, with what to do. */
export function logIn(init: Pick<AccessInit, 'address' | 'looked'>): string {
  return `${noLogin(init)}. Log in before this step: docker login ${init.address.registry}`;
}

function tokenService(init: AccessInit): Service {
  const { login, address } = init;
  const { registry } = address;
  const refused =
    login === undefined
      ? logIn(init)
      : `The credentials of ${login.source} are not accepted: they may have expired. Log in again before this step: docker login ${registry}`;
  return {
    name: `the login service of ${registry}`,
    addressSetting: 'the registry in the input image',
    givesKeys: true,
    meaning: ({ status }) =>
      status === 400 || status === 401 || status === 403
        ? { code: 'unauthorized', hint: refused }
        : undefined,
  };
}
