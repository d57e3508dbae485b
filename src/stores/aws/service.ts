import type * as z from 'zod/mini';
import type { Clock } from '../../clock.ts';
import { hasCode } from '../../errors.ts';
import type { HttpReply } from '../../http/exchange.ts';
import type { Http, Repeat } from '../../http/http.ts';
import type { Meaning } from '../../http/service.ts';
import { fieldOf, parseJson } from '../../text/json.ts';
import type { AwsLogin } from './login.ts';
import { type AwsServiceName, type Env, endpointOf, signedHeaders } from './request.ts';

export interface AwsServiceInit {
  readonly service: AwsServiceName;
  /** Such as `AWS Secrets Manager`. */
  readonly title: string;
  /** Before the name of an operation in the header `x-amz-target`. */
  readonly target: string;
  readonly region: string;
  readonly env: Env;
  readonly login: AwsLogin;
  readonly http: Http;
  readonly clock: Clock;
  /** What an error of this service means, by its type; undefined: what it means for every service. */
  readonly meaning: (failure: AwsFailure) => Meaning | undefined;
}

export interface AwsFailure {
  /** Such as `ResourceNotFoundException`. */
  readonly type: string;
  readonly message: string;
  /** The secret or the parameter that the request was about. */
  readonly name: string;
}

interface AwsCall {
  readonly operation: string;
  /** The secret or the parameter, for messages. */
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly repeat: Repeat;
  readonly signal?: AbortSignal | undefined;
}

/** One service of AWS that speaks its JSON protocol, version 1.1: signed requests, with errors of the common ground. */
export class AwsService {
  readonly #init: AwsServiceInit;
  readonly #url: URL;

  constructor(init: AwsServiceInit) {
    this.#init = init;
    this.#url = new URL(`${endpointOf(init.service, init.region, init.env)}/`);
  }

  /** Throws a CourierError, and only that. Where the keys have expired meanwhile, it logs in once more. */
  async send<T>(call: AwsCall, schema: z.ZodMiniType<T>): Promise<T> {
    try {
      return await this.#send(call, schema);
    } catch (error) {
      const { login } = this.#init;
      if (!hasCode(error, 'unauthorized') || !login.canRenew) throw error;
      await login.replace();
      return this.#send(call, schema);
    }
  }

  async #send<T>({ operation, name, body, repeat, signal }: AwsCall, schema: z.ZodMiniType<T>): Promise<T> {
    const { http, service, title, target, region, login, clock, meaning } = this.#init;
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${target}.${operation}` };
    const request = { method: 'POST', url: this.#url, headers, body: text, service, region } as const;
    const { value } = await http.requestJson(
      {
        ...request,
        service: {
          name: title,
          addressSetting: 'the region',
          errorText: (reply) => {
            const { type, message } = failureIn(reply, name);
            return [type, message].filter((part) => part !== '').join(': ');
          },
          meaning: (reply) => {
            const failure = failureIn(reply, name);
            return meaning(failure) ?? commonMeaning(failure);
          },
        },
        name: `${title}: ${operation} of ${name}`,
        sign: async () => signedHeaders(request, await login.keys(), clock.now()),
        repeat,
        signal,
      },
      schema,
    );
    return value;
  }
}

/** The type is in the header or in the body, bare or with a namespace before and an address behind it. */
function failureIn({ headers, body }: HttpReply, name: string): AwsFailure {
  const json = parseJson(body.toString('utf8'));
  const textOf = (...fields: string[]) => {
    const found = fields.map((field) => fieldOf(json, field)).find((value) => typeof value === 'string');
    return typeof found === 'string' ? found : '';
  };
  const header = headers['x-amzn-errortype'];
  const raw = textOf('__type', 'code', 'Code') || (typeof header === 'string' ? header : '');
  const type = /^(?:.*#)?([A-Za-z0-9.]{1,100})/.exec(raw)?.[1] ?? '';
  return { type, message: textOf('message', 'Message', 'errorMessage'), name };
}

const NO_LOGIN =
  /^(Expired|UnrecognizedClient|InvalidClientTokenId|InvalidAccessKeyId|InvalidSignature|SignatureDoesNotMatch|MissingAuthentication|IncompleteSignature|RequestExpired|RequestTimeTooSkewed|NotAuthorized|AuthFailure)/;

/** Errors that every service of AWS has: https://docs.aws.amazon.com/awssupport/latest/user/CommonErrors.html */
function commonMeaning({ type, message }: AwsFailure): Meaning | undefined {
  if (/^AccessDenied|^UnauthorizedOperation/.test(type)) return { code: 'forbidden', lacksPermission: true };
  if (NO_LOGIN.test(type)) {
    const isClock = /skew|too far|Signature (expired|not yet)/i.test(`${type} ${message}`);
    return {
      code: 'unauthorized',
      hint: isClock
        ? 'The clock of this machine is wrong: AWS accepts a difference of 5 minutes. Set it.'
        : 'AWS does not accept the keys: they have expired, were deleted, or belong to another partition. Give new ones, or let the run log in by its own identity (aws-role).',
    };
  }
  if (/^(Throttl|TooManyRequests|TooManyUpdates|RequestLimitExceeded|RequestThrottled)/.test(type)) {
    return { code: 'rate-limited' };
  }
  if (type === 'OptInRequired')
    return { code: 'forbidden', hint: 'The account has to be signed up for this service first.' };
  return undefined;
}
