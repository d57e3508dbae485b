import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { amended, type CourierError, configError, unless } from '../../ground/errors.ts';
import { claimsAmong } from '../claims.ts';
import {
  type Claims,
  ifFound,
  type Part,
  type PartNames,
  type StoreUse,
  updateOrCreate,
} from '../port.ts';
import { partitionOf, policyOf } from './request.ts';
import { type AwsFailure, type AwsInit, AwsService, type AwsText } from './service.ts';

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/
const text = z.nullish(z.string());
const described = z.object({
  ARN: z.string(),
  DeletedDate: z.nullish(z.number()),
  OwningService: text,
  PrimaryRegion: text,
  RotationEnabled: z.nullish(z.boolean()),
  KmsKeyId: text,
});
const secretReply = z.object({
  VersionId: z.string(),
  CreatedDate: z.number(),
  SecretString: z.optional(z.string()),
});
const written = z.object({ VersionId: z.string() });

const SEPARATE = 'Give the link a separate secret.';
const CLAIM_LABEL = 'docs-courier-claim';
// The label of the write that checks the right. It has no meaning: if AWS should accept that write,
// the current version stays the current one.
const TRIAL_LABEL = 'docs-courier-check';

/**
 * The link as the whole string of an existing secret of Secrets Manager, and the state as another
 * secret with `_state` after the name. The state is not in a tag of the secret: tags have no
 * versions, and everyone who may list secrets sees them.
 */
export class SecretsManager extends AwsService {
  readonly service = 'AWS Secrets Manager';
  readonly noun = 'secret';
  readonly writeRights = 'read, put and create';
  // The limit of a secret.
  readonly maxStateBytes = 65_536;
  /**
   * Each claim is a version of the secret of the state that is not its current version. AWS makes
   * only one version for a request token, and refuses the token with another text. The label moves
   * from claim to claim; AWS removes versions without a label after a while.
   */
  readonly claims: Claims = claimsAmong(
    {
      prepare: async (signal) => {
        // Otherwise the claim would be the first version of the secret, and so its current one.
        if (!this.#hasState) await this.#createState(signal);
      },
      create: (ClientRequestToken, SecretString, signal) => {
        const SecretId = this.#ids.state;
        const body = { SecretId, SecretString, ClientRequestToken, VersionStages: [CLAIM_LABEL] };
        return this.#put('state', body, signal);
      },
      find: async (VersionId, signal) => {
        const body = { SecretId: this.#ids.state, VersionId };
        const text = (await this.#getValue('state', body, signal))?.SecretString;
        return text === undefined ? undefined : { text };
      },
      // AWS removes it itself, once the label is on a later claim.
      remove: async () => {},
    },
    this.names.state,
    claimToken,
  );
  readonly #ids: PartNames;
  #keyId: string | undefined;
  /** True once this run has seen that the secret of the state has a value. */
  #hasState = false;

  /** `name`: the name of the secret, or its whole ARN. */
  constructor(name: string, init: AwsInit) {
    // In an ARN, AWS puts a hyphen and six characters after the name.
    const plainName = name.replace(/^arn:(?:[^:]*:){4}secret:(.*)-[A-Za-z0-9]{6}$/, '$1');
    const names = { link: plainName, state: `${plainName}_state` };
    super({
      ...init,
      names,
      service: 'secretsmanager',
      title: 'AWS Secrets Manager',
      target: 'secretsmanager',
      denied: `The secret does not exist in ${init.region}, or the policy of the role or user does not allow this. This IAM policy is enough:\n${leastPolicy(init.region, names)}`,
    });
    // A secret of another account is found only by its ARN. That of the state is the same ARN with
    // the other name: AWS accepts it without the six characters at its end.
    const isArn = name.startsWith('arn:');
    this.#ids = {
      link: name,
      state: isArn ? `${name.replace(/-[A-Za-z0-9]{6}$/, '')}_state` : names.state,
    };
  }

  /**
   * Checks that the secret of the link exists and can be written, and gives its ARN. Changes
   * nothing: to check the right, it sends a write that AWS always refuses, after a check of the
   * rights.
   */
  async prepare(use?: StoreUse): Promise<string> {
    const body = { SecretId: this.#ids.link };
    const secret = await this.#explainMissing(this.send('DescribeSecret', 'link', body, described));
    this.#keyId = secret.KmsKeyId ?? undefined;
    this.#refuseUnusable(secret);
    const now = await this.read('link');
    // A secret without a value has no version to try it with: its first write shows the right.
    if (now !== undefined && use !== 'read') {
      // Sends another text with the token of an existing version, which cannot be changed. AWS
      // answers `conflict` if the run may write, and `forbidden` if it may not.
      const trial = {
        SecretId: this.#ids.link,
        ClientRequestToken: now.version,
        SecretString: 'check',
        VersionStages: [TRIAL_LABEL],
      };
      await unless(['conflict'], () => this.#put('link', trial));
    }
    return secret.ARN;
  }

  /** The text of the link or state; undefined: there is no such secret, or it has no value yet. */
  async read(part: Part, signal?: AbortSignal): Promise<AwsText | undefined> {
    // The stage is the default of AWS. It is named since a policy can require it.
    const body = { SecretId: this.#ids[part], VersionStage: 'AWSCURRENT' };
    const version = await this.#getValue(part, body, signal);
    if (part === 'state') this.#hasState = version !== undefined;
    if (version === undefined) return undefined;
    if (version.SecretString !== undefined) {
      return {
        value: version.SecretString,
        version: version.VersionId,
        writtenAtMs: Math.floor(version.CreatedDate * 1000),
      };
    }
    throw configError(
      `Secret ${this.names[part]} contains binary data, which is not a link. Nothing was written.`,
      SEPARATE,
    );
  }

  /**
   * Writes a text and gives the version that this made. `seenVersion`: the version that was read.
   * If the secret does not exist, that of a state is created, and that of a link is not.
   */
  async write(
    part: Part,
    value: string,
    seenVersion: string | undefined,
    signal?: AbortSignal,
  ): Promise<string> {
    // If the reply is lost and the same write is sent again, it has the same token: AWS then makes
    // no second version. After another version, the same text has another token.
    const token = tokenOf([this.#ids[part], seenVersion ?? '', value]);
    const body = { SecretId: this.#ids[part], SecretString: value, ClientRequestToken: token };
    const put = () => this.#put(part, body, signal);
    if (part === 'link') return this.#explainMissing(put());
    // `put` comes first: most often there is a secret, since the first claim creates it.
    return updateOrCreate(put, () => this.#create(value, token, signal));
  }

  /** Makes a new version, and gives its id. */
  async #put(part: Part, body: object, signal?: AbortSignal): Promise<string> {
    return (await this.send('PutSecretValue', part, body, written, signal)).VersionId;
  }

  /**
   * Gives the secret of the state a first value before its first claim: AWS makes the first version
   * of a secret its current one, whatever its label, and no claim may become that.
   */
  async #createState(signal?: AbortSignal): Promise<void> {
    const SecretId = this.#ids.state;
    const token = tokenOf([SecretId]);
    const body = {
      SecretId,
      // Readers take this text as no state; AWS takes no empty one.
      SecretString: 'none',
      ClientRequestToken: token,
      // So a state that another run has written meanwhile stays the current version.
      VersionStages: [CLAIM_LABEL],
    };
    await updateOrCreate(
      () => this.#put('state', body, signal),
      () => this.#create(body.SecretString, token, signal),
    );
    this.#hasState = true;
  }

  /** A version of one of the secrets; undefined: there is none. */
  #getValue(part: Part, body: object, signal?: AbortSignal) {
    return ifFound(this.send('GetSecretValue', part, body, secretReply, signal));
  }

  /** Creates the secret of the state, with the key of the secret of the link. */
  async #create(
    SecretString: string,
    ClientRequestToken: string,
    signal?: AbortSignal,
  ): Promise<string> {
    const body = {
      Name: this.names.state,
      Description: `State of the link in ${this.names.link}, written by docs-courier`,
      SecretString,
      ClientRequestToken,
      KmsKeyId: this.#keyId,
    };
    return (await this.send('CreateSecret', 'state', body, written, signal)).VersionId;
  }

  /**
   * Awaits a call about the secret of the link. Its `not-found` says how a person creates it: this
   * program does not.
   */
  #explainMissing<T>(call: Promise<T>): Promise<T> {
    return amended(['not-found'], call, (error) => ({
      message: `Secret ${this.names.link} does not exist in ${this.region}. ${error.message}`,
      hint: `Create it once:\naws secretsmanager create-secret --region ${this.region} --name ${this.names.link} --secret-string none`,
    }));
  }

  /** Throws `config` for a secret in which a link cannot be kept. */
  #refuseUnusable(secret: z.infer<typeof described>): void {
    const link = this.names.link;
    // AWS also finds a secret by an ARN without the six characters at its end: then `names`, which
    // the constructor makes by cutting them off, would be wrong.
    if (this.#ids.link.startsWith('arn:') && this.#ids.link !== secret.ARN) {
      const hint = `Write the destination as aws-sm:${secret.ARN}`;
      throw unusable(`The ARN of secret ${link} is not complete`, hint);
    }
    if (secret.DeletedDate) {
      throw unusable(`Secret ${link} is scheduled for deletion`, this.#restore('link'));
    }
    const service = secret.OwningService;
    if (service) throw unusable(`Secret ${link} is managed by the service ${service}`, SEPARATE);
    const primary = secret.PrimaryRegion;
    if (primary && primary !== this.region) {
      const hint = `Add ?region=${primary} to the address`;
      throw unusable(`Secret ${link} is a replica of the one in ${primary}`, hint);
    }
    if (secret.RotationEnabled) {
      const hint = 'Turn its rotation off, or give the link a separate secret.';
      throw unusable(`Secret ${link} is rotated, which would replace the link`, hint);
    }
  }

  protected hint(failure: AwsFailure): string | undefined {
    const { type, part } = failure;
    if (type === 'LimitExceededException') {
      const kept = 'AWS keeps every version of the last 24 hours, about 100 of a secret';
      if (part === 'link') return `${kept}: write it less often than every ten minutes.`;
      return `${kept}. An export makes four of the state, and a refresh two: export less than 25 times a day, or use aws-ssm.`;
    }
    // This type has many causes; only its message names the one.
    if (type !== 'InvalidRequestException' || !/delet/i.test(failure.message)) return undefined;
    return this.#restore(part);
  }

  /** How to restore a secret that is scheduled for deletion. */
  #restore(part: Part): string {
    return `Restore it, or give another name:\naws secretsmanager restore-secret --region ${this.region} --secret-id ${this.names[part]}`;
  }
}

/**
 * The least rights for one link, as an IAM policy to paste. AWS puts six characters after a
 * secret's name.
 */
function leastPolicy(region: string, names: PartNames): string {
  const arn = (rest: string) =>
    `arn:${partitionOf(region).id}:secretsmanager:${region}:*:secret:${rest}`;
  // Ends with a star and not with six question marks: otherwise AWS answers "access denied" instead
  // of "not found" for a state that was never written.
  const state = arn(`${names.state}*`);
  return policyOf(
    {
      Action: [
        'secretsmanager:DescribeSecret',
        'secretsmanager:GetSecretValue',
        'secretsmanager:PutSecretValue',
      ],
      Resource: [arn(`${names.link}-??????`), state],
    },
    { Action: 'secretsmanager:CreateSecret', Resource: state },
  );
}

/** The error for a secret that cannot contain the link. */
function unusable(what: string, hint: string): CourierError {
  return configError(`${what}. Nothing was written.`, hint);
}

/** A request token for a write: 64 characters, the most that AWS takes. */
function tokenOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The token of a claim, which is also the id of its version: 32 to 64 characters. */
function claimToken(number: number): string {
  return `docs-courier-claim-${String(number).padStart(16, '0')}`;
}
