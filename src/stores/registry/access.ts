import * as z from 'zod/mini';
import type { Clock } from '../../ground/clock.ts';
import { protocolError } from '../../ground/errors.ts';
import type { Log } from '../../ground/log.ts';
import { plainLine } from '../../ground/text/escape.ts';
import { isLoopback, parseUrl } from '../../ground/text/names.ts';
import type { HeaderFields, HttpReply } from '../../http/exchange.ts';
import type { Http, HttpRequest } from '../../http/http.ts';
import type { Service } from '../../http/service.ts';
import type { ImageAddress } from './address.ts';
import type { RegistryLogin } from './credentials.ts';
import { errorWords } from './replies.ts';

export interface AccessInit {
  readonly address: ImageAddress;
  /** undefined: there is none, and the requests are anonymous. */
  readonly login: RegistryLogin | undefined;
  /** Where a login was looked for, if there is none; for messages. */
  readonly looked: string;
  readonly actions: 'pull' | 'pull,push';
  readonly http: Http;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
}

// https://distribution.github.io/distribution/spec/auth/token/
const tokenReply = z.object({
  token: z.nullish(z.string()),
  access_token: z.nullish(z.string()),
  // Some registries send a text. The field only decides when a new token is asked for.
  expires_in: z.nullish(z.unknown()),
});
const DEFAULT_LIFE_S = 60;
const SPARE_MS = 10_000;

interface RegistryToken {
  readonly value: string;
  readonly untilMs: number;
}

/** What a 401 asks for: a user name and password, or a token from the login service at `realm`. */
type Challenge = 'basic' | { readonly realm: string; readonly service: string | undefined };

/**
 * The header `authorization` for one repository. Credentials go to the registry and to the realm
 * that it names, and nowhere else.
 */
export class RegistryAccess {
  readonly #init: AccessInit;
  readonly #url: URL;
  #challenge: Challenge | undefined;
  #token: RegistryToken | undefined;

  /** `url` is the address of the registry. */
  constructor(init: AccessInit, url: URL) {
    this.#init = init;
    this.#url = url;
    if (init.login === undefined) return;
    init.log.mask(init.login.password);
    // Base64 hides the password from the mask, so that the text of the header has a mask too. An
    // identity token, which has no user, is never sent in such a header.
    if (init.login.user !== undefined) init.log.mask(basicCredentials(init.login));
  }

  /**
   * The header. None until a 401 of the registry has asked for one, or if that asks for a password
   * and there is none; without a login, the login service gives an anonymous token.
   */
  async header(): Promise<HeaderFields> {
    const { login, clock } = this.#init;
    if (this.#challenge === undefined) return {};
    if (this.#challenge === 'basic') {
      // There is no login, or only an identity token, which is not a password.
      if (login?.user === undefined) return {};
      return { authorization: `Basic ${basicCredentials(login)}` };
    }
    if (this.#token === undefined || clock.monotonicMs() >= this.#token.untilMs) {
      this.#token = await this.#newToken(this.#challenge);
    }
    return { authorization: `Bearer ${this.#token.value}` };
  }

  /**
   * Notes what the registry asks for in a 401. True: `header` may now give something that the
   * registry accepts. False: the registry asks for a password and there is none, or for something
   * unknown.
   */
  noteChallenge(reply: HttpReply): boolean {
    const challenge = readChallenge(reply.headers['www-authenticate'] ?? '');
    if (challenge === undefined) return false;
    this.#challenge = challenge;
    // The registry has refused the token, if one was sent: it may have expired.
    this.#token = undefined;
    return challenge !== 'basic' || this.#init.login?.user !== undefined;
  }

  /** Asks the login service for a token: with an identity token, a password, or anonymously. */
  async #newToken(challenge: Exclude<Challenge, 'basic'>): Promise<RegistryToken> {
    const { address, actions, login, http, clock, log } = this.#init;
    const url = this.#realmUrl(challenge.realm);
    const service = tokenService(this.#init);
    // The token is for these actions in this one repository. `service` is the name of the registry
    // at its login service, which may give tokens for several.
    const query = new URLSearchParams({ scope: `repository:${address.repository}:${actions}` });
    if (challenge.service !== undefined) query.set('service', challenge.service);
    let request: HttpRequest;
    const hasIdentityToken = login !== undefined && login.user === undefined;
    // An identity token is sent in a form (OAuth 2), a password in the header: so all registries
    // take them.
    if (hasIdentityToken) {
      query.set('client_id', 'docs-courier');
      query.set('grant_type', 'refresh_token');
      query.set('refresh_token', login.password);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = query.toString();
      request = { service, url, repeat: 'always', method: 'POST', headers, body };
    } else {
      for (const [name, value] of query) url.searchParams.set(name, value);
      const headers = login && { authorization: `Basic ${basicCredentials(login)}` };
      request = { service, url, repeat: 'always', method: 'GET', headers };
    }
    const { value } = await http.requestJson(request, tokenReply);
    // Registries use one of the two names.
    const token = value.token || value.access_token || '';
    if (!/^[!-~]+$/.test(token)) {
      throw protocolError(`${service.name} gave no token.`);
    }
    log.mask(token);
    const lifeMs = (Number(value.expires_in) || DEFAULT_LIFE_S) * 1000;
    // A new token is asked for before this one ends; a very short one is used for half of its life.
    const untilMs = clock.monotonicMs() + Math.max(lifeMs / 2, lifeMs - SPARE_MS);
    return { value: token, untilMs };
  }

  /**
   * The address of the login service: by https, or by http if it and the registry are on this
   * machine.
   */
  #realmUrl(realm: string): URL {
    const url = parseUrl(realm);
    // With a user name, it would get other credentials than those of the login.
    if (url !== undefined && url.username === '') {
      if (url.protocol === 'https:') return url;
      const isLocal = isLoopback(url.hostname) && isLoopback(this.#url.hostname);
      if (url.protocol === 'http:' && isLocal) return url;
    }
    throw protocolError(
      `${this.#init.address.registry} names ${plainLine(realm, 200) || 'nothing'} as the address of its login service, which is not an https address. No credentials were sent.`,
      'Check the host name of the registry in the input image.',
    );
  }
}

function basicCredentials(login: RegistryLogin): string {
  return Buffer.from(`${login.user}:${login.password}`).toString('base64');
}

// The name of a scheme, or a parameter of the scheme before it:
// https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
const PART = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;

/**
 * What the header `www-authenticate` asks for; undefined: nothing that is known. It may contain
 * several challenges, since Node joins several headers. Bearer is preferred to Basic: then the
 * registry gets a token and not the password.
 */
function readChallenge(header: string): Challenge | undefined {
  const challenges: { scheme: string; values: Map<string, string> }[] = [];
  for (const [, name = '', quoted, plain] of header.matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    // A name without a value is that of a scheme; the parameters after it belong to it.
    if (value === undefined) challenges.push({ scheme: name.toLowerCase(), values: new Map() });
    else challenges.at(-1)?.values.set(name.toLowerCase(), value);
  }
  for (const { scheme, values } of challenges) {
    const realm = values.get('realm');
    if (scheme === 'bearer' && realm) return { realm, service: values.get('service') };
  }
  return challenges.some((challenge) => challenge.scheme === 'basic') ? 'basic' : undefined;
}

/** Why a request is anonymous: half a sentence. `looked`: where a login was looked for. */
export function whyNoLogin(registry: string, looked: string): string {
  const where = looked || 'the environment: DOCKER_CONFIG, HOME and XDG_RUNTIME_DIR are empty';
  return `There is no login to ${registry} in ${where}`;
}

/** A job in a container of a CI system rarely has docker. */
export function howToLogIn(registry: string): string {
  return `Log in before this step: docker login ${registry}. Without docker, write what it writes into ~/.docker/config.json: {"auths":{"${registry}":{"auth":"…"}}}, with USER:PASSWORD in base64 as auth.`;
}

/**
 * What to do about an anonymous request that was refused: why it was anonymous, and how to log in.
 */
export function loginAdvice(registry: string, looked: string): string {
  return `${whyNoLogin(registry, looked)}. ${howToLogIn(registry)}`;
}

/** The login service of a registry, with advice for a login that it does not accept. */
function tokenService(init: AccessInit): Service {
  const registry = init.address.registry;
  const source = init.login?.source;
  const again = howToLogIn(registry);
  let hint = loginAdvice(registry, init.looked);
  let lacksRight = hint;
  if (source !== undefined) {
    hint = `The credentials of ${source} are not accepted: they may be wrong, have expired, or lack the right to ${init.actions}. ${again}`;
    lacksRight = `The login in ${source} may lack the right to ${init.actions}: on GitHub's registry a job needs packages: write, and the package must grant its repository the role Write. Or it has expired. ${again}`;
  }
  return {
    name: `the login service of ${registry}`,
    addressSetting: 'the registry in the input image',
    givesKeys: true,
    errorText: errorWords,
    meaning: (reply) => {
      // Login services answer wrong credentials with any of these, and a missing right with 403.
      if (reply.status === 403) return { code: 'unauthorized', hint: lacksRight };
      if (![400, 401].includes(reply.status)) return undefined;
      return { code: 'unauthorized', hint };
    },
  };
}
