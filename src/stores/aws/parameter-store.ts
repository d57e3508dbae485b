import * as z from 'zod/mini';
import { amended, configError, unless } from '../../ground/errors.ts';
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

// https://docs.aws.amazon.com/systems-manager/latest/APIReference/
const parameter = z.object({
  Type: z.string(),
  Value: z.string(),
  Version: z.number(),
  LastModifiedDate: z.number(),
  ARN: z.string(),
});
const parameterReply = z.object({ Parameter: parameter });
const text = z.nullish(z.string());
const history = z.object({
  Parameters: z.array(z.object({ Version: z.number(), KeyId: text, Tier: text })),
  NextToken: text,
});
const written = z.object({ Version: z.number() });

// A bound on the calls: AWS keeps 100 versions, at most 50 on a page.
const MAX_PAGES = 10;

/** How a parameter is stored. A write that leaves one of these fields out changes it. */
interface StoredAs {
  readonly Type: string;
  readonly KeyId?: string | undefined;
  readonly Tier?: string | undefined;
}

/**
 * The link as an existing SecureString of the Parameter Store, and the state as another
 * SecureString with `_state` after the name. Each write names the key and the tier of the version
 * before: AWS would otherwise encrypt with the account's default key.
 */
export class ParameterStore extends AwsService {
  readonly service = 'the AWS Parameter Store';
  readonly noun = 'parameter';
  readonly writeRights = 'read and put';
  // The limit of a standard parameter, which is free.
  readonly maxStateBytes = 4096;
  /**
   * Each claim is a parameter next to that of the state, with the same type and key: AWS creates a
   * parameter only once.
   */
  readonly claims: Claims = claimsAmong(
    {
      // Without `Overwrite`, AWS answers `conflict` if another run has created this claim.
      create: (Name, Value, signal) =>
        this.#put('state', { Name, Value, ...this.#storedAs.state, Overwrite: false }, signal),
      find: async (Name, signal) => {
        const claim = await ifFound(this.#get('state', Name, signal));
        return claim && { text: claim.Value };
      },
      remove: (Name, signal) =>
        this.send('DeleteParameter', 'state', { Name }, z.unknown(), signal),
    },
    this.names.state,
  );
  /** What each write names; known after `prepare`. */
  readonly #storedAs: Record<Part, StoredAs> = {
    link: { Type: 'SecureString' },
    state: { Type: 'SecureString' },
  };

  constructor(name: string, init: AwsInit) {
    const names = { link: name, state: `${name}_state` };
    super({
      ...init,
      names,
      service: 'ssm',
      title: 'AWS Systems Manager Parameter Store',
      target: 'AmazonSSM',
      denied: `The policy of the role or user does not allow this. This IAM policy is enough:\n${leastPolicy(init.region, names)}`,
    });
  }

  /**
   * Checks that the parameter of the link exists and can be written, and gives its ARN. Changes
   * nothing: to check the right, it sends a write that AWS always refuses, after a check of the
   * rights.
   */
  async prepare(use?: StoreUse): Promise<string> {
    const existing = await this.#getLink();
    if (existing.Type !== 'SecureString') {
      throw configError(
        `Parameter ${this.names.link} is a ${existing.Type}, which is stored in the clear. Nothing was written.`,
        `AWS does not change the type of a parameter. Delete it and create it again:\n${this.#creation()}`,
      );
    }
    const linkStoredAs = await this.#readStoredAs();
    this.#storedAs.link = linkStoredAs;
    // A new state gets the key of the link, but not its tier: advanced parameters cost money, so
    // the state is one only if a person has made it so.
    this.#storedAs.state = { Type: 'SecureString', KeyId: linkStoredAs.KeyId };
    if (use !== 'read') {
      // Asks AWS to create the parameter, which exists. AWS answers `conflict` if the run may
      // write, and `forbidden` if it may not.
      const body = { Name: this.names.link, Value: 'none', Type: 'SecureString', Overwrite: false };
      await unless(['conflict'], () => this.#put('link', body));
    }
    return existing.ARN;
  }

  /** The text of the link or state; undefined: there is no such parameter. */
  async read(part: Part, signal?: AbortSignal): Promise<AwsText | undefined> {
    const stored = await ifFound(this.#get(part, this.names[part], signal));
    if (stored === undefined) return undefined;
    const Type = stored.Type;
    // A person has created the state as another type. AWS refuses a write that names a type other
    // than the stored one, and only a SecureString has a key.
    if (part === 'state' && Type !== this.#storedAs.state.Type) this.#storedAs.state = { Type };
    return {
      value: stored.Value,
      version: String(stored.Version),
      writtenAtMs: Math.floor(stored.LastModifiedDate * 1000),
    };
  }

  /**
   * Writes a text and gives the version that this made. `seenVersion`: the version that was read;
   * undefined: there was no parameter, or that of the link had no link in it. A missing parameter
   * of a state is created.
   */
  async write(
    part: Part,
    value: string,
    seenVersion: string | undefined,
    signal?: AbortSignal,
  ): Promise<string> {
    // Only a person creates the parameter of the link, and chooses its key. If no link was read,
    // there may be no parameter: `#getLink` then throws, before the write below creates it.
    if (part === 'link' && seenVersion === undefined) await this.#getLink();
    const isNewState = part === 'state' && seenVersion === undefined;
    const body = { Name: this.names[part], Value: value, ...this.#storedAs[part] };
    // With `Overwrite`, AWS also creates a parameter that is missing. Without it, AWS only creates
    // one, and answers `conflict` if it exists.
    const update = () => this.#put(part, { ...body, Overwrite: true }, signal);
    const create = () => this.#put(part, { ...body, Overwrite: false }, signal);
    // A new state is created first, and updated only if another run has created it meanwhile.
    // Everything else is only updated.
    return updateOrCreate(update, create, isNewState);
  }

  /** Makes a parameter or a version of it, and gives the number of the version. */
  async #put(part: Part, body: object, signal?: AbortSignal): Promise<string> {
    return String((await this.send('PutParameter', part, body, written, signal)).Version);
  }

  /** The newest version of a parameter, decrypted. Throws `not-found` if there is no parameter. */
  async #get(part: Part, Name: string, signal?: AbortSignal): Promise<z.infer<typeof parameter>> {
    const body = { Name, WithDecryption: true };
    return (await this.send('GetParameter', part, body, parameterReply, signal)).Parameter;
  }

  /** The parameter of the link. Throws `not-found` with how to create it. */
  #getLink() {
    return amended(['not-found'], this.#get('link', this.names.link), (error) => ({
      message: `Parameter ${this.names.link} does not exist in ${this.region}. ${error.message}`,
      hint: `Create it once; add --key-id for your own key:\n${this.#creation()}`,
    }));
  }

  /**
   * How the link is stored now. AWS shows the key and the tier only in the history of a parameter.
   */
  async #readStoredAs(): Promise<StoredAs> {
    let latest: z.infer<typeof history>['Parameters'][number] | undefined;
    let token: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const body = { Name: this.names.link, MaxResults: 50, NextToken: token };
      const reply = await this.send('GetParameterHistory', 'link', body, history);
      for (const version of reply.Parameters) {
        if (latest === undefined || version.Version > latest.Version) latest = version;
      }
      token = reply.NextToken || undefined;
      if (token === undefined) break;
    }
    // What the history does not say is AWS's default, which a write without the field keeps.
    return {
      Type: 'SecureString',
      KeyId: latest?.KeyId ?? undefined,
      Tier: latest?.Tier ?? undefined,
    };
  }

  protected hint(failure: AwsFailure): string | undefined {
    switch (failure.type) {
      case 'ParameterMaxVersionLimitExceeded':
        return 'The oldest of its 100 versions has a label, so that AWS cannot remove it. Move the label to a newer version: aws ssm label-parameter-version';
      // Only for the state: `prepare` has checked the type of the link.
      case 'HierarchyTypeMismatchException':
        return `AWS does not change the type of a parameter. Delete it; it is created again:\naws ssm delete-parameter --region ${this.region} --name ${this.names.state}`;
      case 'ValidationException':
        // This type has many causes. Its message names the one: the size of the value.
        if (!/4096|8192|maximum parameter value|tier/i.test(failure.message)) return undefined;
        return `The value is longer than this parameter takes (4 KB, advanced 8 KB). Make it advanced once, which AWS charges for, or use aws-sm:\n${this.#creation()} --tier Advanced --overwrite`;
      default:
        return undefined;
    }
  }

  /** The command that creates the parameter of the link. */
  #creation(): string {
    return `aws ssm put-parameter --region ${this.region} --name ${this.names.link} --type SecureString --value none`;
  }
}

/** The least rights for one link, as an IAM policy to paste. */
function leastPolicy(region: string, names: PartNames): string {
  const arn = (name: string) => `arn:${partitionOf(region).id}:ssm:${region}:*:parameter${name}`;
  return policyOf(
    {
      Action: ['ssm:GetParameter', 'ssm:PutParameter'],
      // The state, and its claims: their names are the state's, `_` and a number.
      Resource: [arn(names.link), arn(`${names.state}*`)],
    },
    // Only claims are removed.
    { Action: 'ssm:DeleteParameter', Resource: arn(`${names.state}_*`) },
    // Only the history shows the key and the tier of the link.
    { Action: 'ssm:GetParameterHistory', Resource: arn(names.link) },
  );
}
