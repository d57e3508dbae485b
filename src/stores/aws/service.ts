import type * as z from 'zod/mini';
import type { Clock } from '../../ground/clock.ts';
import { hasCode } from '../../ground/errors.ts';
import type { Env } from '../../ground/programs.ts';
import { textOf } from '../../ground/text/json.ts';
import { ONCE } from '../../http/api.ts';
import type { HttpReply } from '../../http/exchange.ts';
import type { Http, HttpRequest } from '../../http/http.ts';
import { jsonOf, type Meaning, type Meanings, meaningOf } from '../../http/service.ts';
import type { Part, PartNames } from '../port.ts';
import type { AwsLogin } from './login.ts';
import {
  type AwsServiceName,
  endpointOf,
  partitionOf,
  policyOf,
  signedHeaders,
} from './request.ts';

/** A text that AWS keeps: a link or a state. */
export interface AwsText {
  readonly value: string;
  /** AWS's name of this version. */
  readonly version: string;
  /** Epoch milliseconds, by AWS's clock. */
  readonly writtenAtMs: number;
}

/** What `SecretsManager` and `ParameterStore` are both made with. */
export interface AwsInit {
  readonly region: string;
  readonly env: Env;
  readonly login: AwsLogin;
  readonly http: Http;
  readonly clock: Clock;
}

interface AwsServiceInit extends AwsInit {
  /** The names of the two objects. */
  readonly names: PartNames;
  readonly service: AwsServiceName;
  /** Such as `AWS Secrets Manager`. */
  readonly title: string;
  /** Before the name of an operation in the header `x-amz-target`. */
  readonly target: string;
  /** What to do if a right is missing. */
  readonly denied: string;
}

export interface AwsFailure {
  /** Such as `ResourceNotFoundException`. */
  readonly type: string;
  readonly message: string;
  /** Whether the request was about the link or the state. */
  readonly part: Part;
}

/**
 * One service of AWS, by its JSON protocol, version 1.1: it signs the requests, and knows the
 * errors that all services of AWS have.
 */
export abstract class AwsService {
  readonly names: PartNames;
  readonly region: string;
  /** What AWS calls the object that contains a text. */
  abstract readonly noun: 'secret' | 'parameter';
  readonly #init: AwsServiceInit;
  readonly #url: URL;

  constructor(init: AwsServiceInit) {
    this.names = init.names;
    this.region = init.region;
    this.#init = init;
    this.#url = new URL(`${endpointOf(init.service, init.region, init.env)}/`);
  }

  /** What to do about an error that only this service has; undefined: the error says it all. */
  protected abstract hint(failure: AwsFailure): string | undefined;

  /**
   * Makes one call; `part` says what it is about. If AWS does not accept the keys, logs in again
   * and makes the call once more. Throws a CourierError, and only that.
   */
  protected async send<T>(
    operation: string,
    part: Part,
    body: object,
    schema: z.ZodMiniType<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { http, service, title, target, region, login, clock } = this.#init;
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `${target}.${operation}`,
    };
    const unsigned = {
      method: 'POST',
      url: this.#url,
      headers,
      body: JSON.stringify(body),
    } as const;
    const request: HttpRequest = {
      ...unsigned,
      service: {
        name: title,
        addressSetting: 'the region',
        errorText: (reply) => {
          const failure = failureIn(reply, part);
          return [failure.type, failure.message].filter(Boolean).join(': ');
        },
        meaning: (reply) => this.#meaning(failureIn(reply, part)),
      },
      name: `${title}: ${operation} of ${this.names[part]}`,
      // Each repetition is signed again, with the keys that the login has then.
      sign: async () =>
        signedHeaders({ ...unsigned, service, region }, await login.keys(), clock.now()),
      signal,
      ...(/^(Get|Describe)/.test(operation) ? ALWAYS : ONCE),
    };
    const attempt = async () => (await http.requestJson(request, schema)).value;
    try {
      return await attempt();
    } catch (error) {
      if (!hasCode(error, 'unauthorized') || !login.canRenew) throw error;
      await login.replace();
      return attempt();
    }
  }

  /**
   * What a failure means. The common errors of all services of AWS:
   * https://docs.aws.amazon.com/awssupport/latest/user/CommonErrors.html
   */
  #meaning(failure: AwsFailure): Meaning | undefined {
    const { type, message } = failure;
    const { region, denied } = this.#init;
    const isDenied = /^AccessDenied|^UnauthorizedOperation/.test(type);
    // AWS KMS has the key that encrypts the secret or parameter. It may refuse this key to the run
    // (`isKmsDenied`), or be unable to use it, since it is turned off or deleted.
    const isKmsDenied = isDenied && /kms/i.test(message);
    const isKmsFault = /^(InvalidKeyId|DecryptionFailure|EncryptionFailure)/.test(type);
    if (isKmsFault || isKmsDenied) {
      // A customer managed key needs these rights besides those on the secret or parameter.
      const policy = policyOf({
        Action: ['kms:Decrypt', 'kms:GenerateDataKey', 'kms:Encrypt'],
        Resource: `arn:${partitionOf(region).id}:kms:${region}:ACCOUNT:key/KEY-ID`,
      });
      const hint = `The ${this.noun} is encrypted by a KMS key that these credentials may not use, or that is turned off. Its users need:\n${policy}`;
      // A key that is turned off is not a missing right.
      return { code: 'forbidden', lacksPermission: isKmsDenied, hint };
    }
    if (isDenied) return { code: 'forbidden', lacksPermission: true, hint: denied };
    if (NO_LOGIN.test(type)) {
      const isClock = /skew|too far|Signature (expired|not yet)/i.test(`${type} ${message}`);
      return { code: 'unauthorized', hint: isClock ? WRONG_CLOCK : NEW_KEYS };
    }
    // The code of an error that only one service has is that of its status: for a 400, `config`.
    return meaningOf(type, COMMON) ?? { hint: this.hint(failure) };
  }
}

/** The failure that a reply describes. Its type is in the body or in a header. */
function failureIn(reply: HttpReply, part: Part): AwsFailure {
  const json = jsonOf(reply);
  const textIn = (...names: readonly string[]) =>
    names.map((name) => textOf(json, name)).find(Boolean);
  const raw = textIn('__type', 'code', 'Code') ?? String(reply.headers['x-amzn-errortype'] ?? '');
  // Such as `com.amazon.ssm#ParameterNotFound:http://…`: only the name in the middle is the type.
  // A reply of something in front of AWS has no type.
  const type = /^(?:.*#)?([A-Za-z0-9.]{1,100})/.exec(raw)?.[1] ?? '';
  return { type, message: textIn('message', 'Message', 'errorMessage') ?? '', part };
}

const ALWAYS = { repeat: 'always' } as const;
const NO_LOGIN =
  /^(Expired|UnrecognizedClient|InvalidClientTokenId|InvalidAccessKeyId|InvalidSignature|SignatureDoesNotMatch|MissingAuthentication|IncompleteSignature|RequestExpired|RequestTimeTooSkewed|NotAuthorized|AuthFailure)/;
const WRONG_CLOCK =
  'The clock of this machine is wrong: AWS accepts a difference of 5 minutes. Set it.';
const NEW_KEYS =
  'AWS does not accept the keys: they have expired, were deleted, or belong to another partition. Give new ones, or let the run log in by its own identity (aws-role).';

/** The errors that the services of AWS have in common. */
const COMMON: Meanings = [
  [/^(ResourceNotFoundException|ParameterNotFound)$/, { code: 'not-found' }],
  [/^(ResourceExistsException|ParameterAlreadyExists)$/, { code: 'conflict' }],
  [
    /^OptInRequired$/,
    { code: 'forbidden', hint: 'The account has to be signed up for this service first.' },
  ],
  [
    /^(Throttl|TooManyRequests|TooManyUpdates|RequestLimitExceeded|RequestThrottled)/,
    { code: 'rate-limited' },
  ],
];
