import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { CourierError, hasCode, unless } from '../../errors.ts';
import {
  type Claims,
  ifFound,
  type Part,
  type StoreUse,
  unlessExists,
  updateOrCreate,
} from '../port.ts';
import { partitionOf, policyOf } from './request.ts';
import {
  type AwsFailure,
  type AwsInit,
  AwsService,
  type AwsText,
  type AwsTexts,
  probeClaims,
} from './service.ts';

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/
const described = z.object({
  ARN: z.string(),
  DeletedDate: z.nullish(z.number()),
  OwningService: z.nullish(z.string()),
  PrimaryRegion: z.nullish(z.string()),
  RotationEnabled: z.nullish(z.boolean()),
  KmsKeyId: z.nullish(z.string()),
});
type Described = z.infer<typeof described>;
const secretReply = z.object({
  VersionId: z.string(),
  CreatedDate: z.number(),
  SecretString: z.optional(z.string()),
});
const written = z.object({ VersionId: z.string() });

const CLAIM_LABEL = 'docs-courier-claim';
// A label of no meaning: should the version to compare with be gone, the current one stays what it
// is.
const TRIAL_LABEL = 'docs-courier-check';

/**
 * The link as the whole string of an existing secret of Secrets Manager, and the state as another
 * secret with `_state` after the name. A tag would show the state to everyone who may list secrets,
 * and has no versions.
 */
export class SecretsManager implements AwsTexts {
  readonly names: Readonly<Record<Part, string>>;
  /**
   * Versions of the secret of the state, which do not become its current one. AWS makes one version
   * for a token, and refuses another text with it. The label moves from claim to claim; AWS removes
   * versions without one in time.
   */
  readonly claims: Claims = {
    create: (number, text, signal) => this.#createClaim(number, text, signal),
    read: async (number, signal) => {
      const text = (await this.#readVersion(claimToken(number), signal))?.SecretString;
      return text === undefined ? undefined : { text };
    },
    list: (above, signal) =>
      probeClaims(above, (number) => this.#readVersion(claimToken(number), signal)),
    remove: async () => {},
  };
  readonly #ids: Readonly<Record<Part, string>>;
  readonly #region: string;
  readonly #service: AwsService;
  #keyId: string | undefined;
  /** The secret of the state has a value, as far as this run has seen. */
  #hasState = false;

  /** `name`: that of the secret, or its whole ARN. */
  constructor(name: string, init: AwsInit) {
    const plain = name.replace(/^arn:(?:[^:]*:){4}secret:(.*)-[A-Za-z0-9]{6}$/, '$1');
    this.names = { link: plain, state: `${plain}_state` };
    // In another account a secret has no name; an ARN without its last six characters is
    // understood.
    const isArn = name.startsWith('arn:');
    this.#ids = {
      link: name,
      state: isArn ? `${name.replace(/-[A-Za-z0-9]{6}$/, '')}_state` : this.names.state,
    };
    this.#region = init.region;
    this.#service = new AwsService({
      ...init,
      service: 'secretsmanager',
      title: 'AWS Secrets Manager',
      target: 'secretsmanager',
      noun: 'secret',
      names: this.names,
      denied: `The secret does not exist in ${init.region}, or the policy of the role or user does not allow this. This IAM policy is enough:\n${leastPolicy(init.region, this.names)}`,
      hint: (failure) => this.#hint(failure),
    });
  }

  async prepare(use?: StoreUse): Promise<string> {
    const body = { SecretId: this.#ids.link };
    const call = { operation: 'DescribeSecret', part: 'link', body, schema: described } as const;
    const secret = await this.#existing(this.#service.send(call));
    this.#keyId = secret.KmsKeyId ?? undefined;
    this.#refuse(secret);
    const now = await this.read('link');
    if (now !== undefined && use !== 'read') await this.#tryWrite(now);
    return secret.ARN;
  }

  async read(part: Part, signal?: AbortSignal): Promise<AwsText | undefined> {
    // Named because a policy can be bound to it.
    const body = { SecretId: this.#ids[part], VersionStage: 'AWSCURRENT' };
    // Without a secret, or in one without a value, nothing is found.
    const found = await ifFound(
      this.#service.send({ operation: 'GetSecretValue', part, body, schema: secretReply, signal }),
    );
    if (part === 'state') this.#hasState = found !== undefined;
    if (found === undefined) return undefined;
    const { SecretString: value, VersionId: version, CreatedDate } = found;
    if (value !== undefined) return { value, version, writtenAtMs: Math.floor(CreatedDate * 1000) };
    throw new CourierError({
      code: 'config',
      message: `Secret ${this.names[part]} contains binary data, which is not a link. Nothing was written.`,
      hint: 'Give the link a separate secret.',
    });
  }

  async write(
    part: Part,
    value: string,
    before: string | undefined,
    signal?: AbortSignal,
  ): Promise<string> {
    // The same write once more, after its reply was lost, has the same token, which makes no second
    // version.
    const token = tokenOf([this.#ids[part], before ?? '', value]);
    const body = { SecretId: this.#ids[part], SecretString: value, ClientRequestToken: token };
    const put = () => this.#put(part, body, signal);
    if (part === 'link') return this.#existing(put());
    return updateOrCreate({ isNew: false, update: put, create: () => this.#create(body, signal) });
  }

  async #put(
    part: Part,
    body: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<string> {
    const call = { operation: 'PutSecretValue', part, body, schema: written, signal, once: true };
    return (await this.#service.send(call)).VersionId;
  }

  async #createClaim(number: number, SecretString: string, signal?: AbortSignal): Promise<boolean> {
    if (!this.#hasState) await this.#createState(signal);
    const ClientRequestToken = claimToken(number);
    const body = {
      SecretId: this.#ids.state,
      SecretString,
      ClientRequestToken,
      VersionStages: [CLAIM_LABEL],
    };
    return unlessExists(this.#put('state', body, signal));
  }

  /**
   * Gives the secret of the state a value. AWS makes the first version of a secret its current one,
   * whatever its label: that must not be a claim. A state that another run has written meanwhile
   * stays the current one.
   */
  async #createState(signal?: AbortSignal): Promise<void> {
    const SecretId = this.#ids.state;
    const body = { SecretId, SecretString: 'none', ClientRequestToken: tokenOf([SecretId]) };
    const update = () => this.#put('state', { ...body, VersionStages: [CLAIM_LABEL] }, signal);
    await updateOrCreate({ isNew: false, update, create: () => this.#create(body, signal) });
    this.#hasState = true;
  }

  /** undefined: there is no such version. */
  #readVersion(VersionId: string, signal?: AbortSignal) {
    const body = { SecretId: this.#ids.state, VersionId };
    return ifFound(
      this.#service.send({
        operation: 'GetSecretValue',
        part: 'state',
        body,
        schema: secretReply,
        signal,
      }),
    );
  }

  async #create(
    body: { SecretString: string; ClientRequestToken: string },
    signal?: AbortSignal,
  ): Promise<string> {
    const { SecretString, ClientRequestToken } = body;
    const created = {
      Name: this.names.state,
      Description: `State of the link in ${this.names.link}, written by docs-courier`,
      SecretString,
      ClientRequestToken,
      ...(this.#keyId !== undefined && { KmsKeyId: this.#keyId }),
    };
    const call = {
      operation: 'CreateSecret',
      part: 'state',
      body: created,
      schema: written,
      signal,
      once: true,
    } as const;
    return (await this.#service.send(call)).VersionId;
  }

  /** A call about the link. AWS creates the secret of a link only if a person asks for it. */
  async #existing<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
      throw error.with({
        message: `Secret ${this.names.link} does not exist in ${this.#region}. ${error.message}`,
        hint: `Create it once, without a value:\naws secretsmanager create-secret --region ${this.#region} --name ${this.names.link}`,
      });
    }
  }

  #refuse({ ARN, DeletedDate, OwningService, PrimaryRegion, RotationEnabled }: Described): void {
    const { link } = this.names;
    const isPart = this.#ids.link.startsWith('arn:') && this.#ids.link !== ARN;
    const isReplica = Boolean(PrimaryRegion) && PrimaryRegion !== this.#region;
    const own = 'Give the link a separate secret.';
    const refusals: readonly (readonly [applies: boolean, message: string, hint: string])[] = [
      [
        isPart,
        `The ARN of secret ${link} is not complete`,
        `Write the destination as aws-sm:${ARN}`,
      ],
      [Boolean(DeletedDate), `Secret ${link} is scheduled for deletion`, this.#restore('link')],
      [Boolean(OwningService), `Secret ${link} is managed by the service ${OwningService}`, own],
      [
        isReplica,
        `Secret ${link} is a replica of the one in ${PrimaryRegion}`,
        `Add ?region=${PrimaryRegion} to the address`,
      ],
      [
        RotationEnabled === true,
        `Secret ${link} is rotated, which would replace the link`,
        'Turn its rotation off, or give the link a separate secret.',
      ],
    ];
    const [, message, hint] = refusals.find(([applies]) => applies) ?? [];
    if (message === undefined) return;
    throw new CourierError({ code: 'config', message: `${message}. Nothing was written.`, hint });
  }

  /**
   * A version cannot be changed: AWS refuses this with the one answer if the run may write, and
   * with another if not.
   */
  async #tryWrite({ version }: AwsText): Promise<void> {
    const SecretId = this.#ids.link;
    const body = {
      SecretId,
      ClientRequestToken: version,
      SecretString: 'check',
      VersionStages: [TRIAL_LABEL],
    };
    await unless(['conflict'], () => this.#put('link', body));
  }

  #hint({ type, message, part }: AwsFailure): string | undefined {
    if (type === 'LimitExceededException') {
      const kept = 'AWS keeps every version of the last 24 hours, about 100 of a secret';
      if (part === 'link') return `${kept}: write it less often than every ten minutes.`;
      return `${kept}. An export makes four of the state, and a refresh two: export less than 25 times a day, or use aws-ssm.`;
    }
    return type === 'InvalidRequestException' && /delet/i.test(message)
      ? this.#restore(part)
      : undefined;
  }

  #restore(part: Part): string {
    return `Restore it, or give another name:\naws secretsmanager restore-secret --region ${this.#region} --secret-id ${this.names[part]}`;
  }
}

/**
 * The least rights for one link, as an IAM policy to paste. AWS puts six characters after a
 * secret's name.
 */
function leastPolicy(region: string, names: Readonly<Record<Part, string>>): string {
  const arn = (rest: string) =>
    `arn:${partitionOf(region).id}:secretsmanager:${region}:*:secret:${rest}`;
  // Without the last star, AWS answers "access denied" and not "not found" to a state that was
  // never written.
  const [link, state] = [arn(`${names.link}-??????`), arn(`${names.state}*`)];
  return policyOf(
    {
      Action: [
        'secretsmanager:DescribeSecret',
        'secretsmanager:GetSecretValue',
        'secretsmanager:PutSecretValue',
      ],
      Resource: [link, state],
    },
    { Action: 'secretsmanager:CreateSecret', Resource: state },
  );
}

/** 64 characters, the most that AWS takes. */
function tokenOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The token of a claim, which is also the id of its version: 32 to 64 characters. */
function claimToken(number: number): string {
  return `docs-courier-claim-${String(number).padStart(16, '0')}`;
}
