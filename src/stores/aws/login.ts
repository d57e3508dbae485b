import type { Clock } from '../../clock.ts';
import { CourierError } from '../../errors.ts';
import type { Http } from '../../http/http.ts';
import { containerKeys, instanceKeys, readTokenFile } from './machine.ts';
import type { Env } from './region.ts';
import type { AwsKeys } from './sign.ts';
import { assumeRole } from './web-identity.ts';

/** A role that the run takes by its own identity. */
export interface AwsRole {
  readonly arn: string;
  /** Asks the CI system for a token that says which run this is, good for some minutes. */
  readonly idToken: () => Promise<string>;
}

interface AwsLoginInit {
  /** undefined: the keys are those of the environment. */
  readonly role: AwsRole | undefined;
  readonly region: string;
  readonly env: Env;
  readonly http: Http;
  readonly mask: (secret: string) => void;
  readonly clock: Clock;
}

// A request may wait for some minutes before it is sent.
const RESERVE_MS = 5 * 60_000;
// An export writes its state several times within a minute.
const JUST_NOW_MS = 2 * 60_000;
const SESSION = 'docs-courier';

/** The keys of a run for AWS. Everything secret in them is masked before it is returned. */
export class AwsLogin {
  readonly #init: AwsLoginInit;
  #keys: AwsKeys | undefined;
  #loggedInMs = Number.NEGATIVE_INFINITY;

  constructor(init: AwsLoginInit) {
    this.#init = init;
  }

  /** The keys of the last login, or of a new one where there was none or its keys end soon. */
  async keys(): Promise<AwsKeys> {
    if (this.#keys !== undefined && this.#lastsFor(this.#keys, RESERVE_MS)) return this.#keys;
    return this.#keysAnew(this.#keys);
  }

  /** True where keys were made for this run and can be made once more. */
  get canRenew(): boolean {
    return this.#keys?.sessionToken !== undefined && !this.#isFixed;
  }

  /**
   * Logs in once more, unless that was just done: before the export is not before the write. Where the token of the run is used
   * up by then, the keys that it gave go on being used for as long as they last.
   */
  async renew(): Promise<void> {
    if (this.#init.clock.monotonicMs() - this.#loggedInMs < JUST_NOW_MS) return;
    await this.#keysAnew(this.#keys);
  }

  /** Logs in once more, since AWS does not accept the keys. */
  async replace(): Promise<void> {
    this.#keys = undefined;
    await this.#keysAnew(undefined);
  }

  async #keysAnew(former: AwsKeys | undefined): Promise<AwsKeys> {
    try {
      const keys = await this.#find();
      for (const secret of [keys.secretAccessKey, keys.sessionToken]) if (secret) this.#init.mask(secret);
      this.#keys = keys;
      this.#loggedInMs = this.#init.clock.monotonicMs();
      return keys;
    } catch (error) {
      if (error instanceof CourierError && former !== undefined && this.#lastsFor(former, 0)) return former;
      throw error;
    }
  }

  #lastsFor({ expiresAtMs }: AwsKeys, reserveMs: number): boolean {
    return expiresAtMs === undefined || expiresAtMs - this.#init.clock.now() > reserveMs;
  }

  get #isFixed(): boolean {
    return this.#init.role === undefined && Boolean(this.#init.env['AWS_ACCESS_KEY_ID']);
  }

  // The order of AWS's SDKs: https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
  async #find(): Promise<AwsKeys> {
    const { role, env, http } = this.#init;
    if (role !== undefined) return this.#assume(role.arn, SESSION, await role.idToken());
    const [accessKeyId, secretAccessKey] = [lineOf('AWS_ACCESS_KEY_ID', env), lineOf('AWS_SECRET_ACCESS_KEY', env)];
    if (accessKeyId !== undefined && secretAccessKey !== undefined) {
      return { accessKeyId, secretAccessKey, sessionToken: lineOf('AWS_SESSION_TOKEN', env), expiresAtMs: undefined };
    }
    const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: arn, AWS_ROLE_SESSION_NAME: session } = env;
    if (file && arn) return this.#assume(arn, session || SESSION, (await readTokenFile(file)).trim());
    const isContainer = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] || env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
    const found = isContainer ? await containerKeys(http, env, this.#init.mask) : await instanceKeys(http, env);
    if (found === undefined) throw this.#noKeys();
    return found;
  }

  async #assume(role: string, session: string, token: string): Promise<AwsKeys> {
    const { http, region, env, mask } = this.#init;
    mask(token);
    return assumeRole(http, { role, session, token }, { region, env });
  }

  #noKeys(): CourierError {
    const { AWS_PROFILE: profile } = this.#init.env;
    const looked =
      'neither aws-role, nor AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, nor a token file, a container or an EC2 instance with a role gave any';
    return new CourierError({
      code: 'config',
      message: `There are no credentials for AWS: ${looked}. Nothing was written.`,
      hint: profile
        ? 'Profiles (AWS_PROFILE) are not read. Hand their keys over by the environment:\neval "$(aws configure export-credentials --format env)"'
        : {
            text: 'Let the run log in by its own identity:',
            inputs: { 'aws-role': 'arn:aws:iam::123456789012:role/docs-courier' },
            permissions: { 'id-token': 'write', contents: 'read' },
          },
    });
  }
}

/** A key of the environment, without the line end that is copied with it; undefined: there is none. Throws `config`. */
function lineOf(name: string, env: Env): string | undefined {
  const text = env[name]?.trim() ?? '';
  if (text === '' || /^[!-~]+$/.test(text)) return text || undefined;
  throw new CourierError({
    code: 'config',
    message: `The variable ${name} is not one line of printable ASCII characters. Nothing was sent.`,
    hint: 'Set it to the key alone.',
  });
}
