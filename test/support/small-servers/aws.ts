import { randomUUID } from 'node:crypto';
import http from 'node:http';
import * as z from 'zod/mini';
import { parseJson } from '../../../src/ground/text/json.ts';
import { textOf } from '../fault-front.ts';
import { listen, stopServer } from '../listening.ts';

const secretBody = z.object({
  SecretId: z.optional(z.string()),
  Name: z.optional(z.string()),
  SecretString: z.optional(z.string()),
  SecretBinary: z.optional(z.string()),
  ClientRequestToken: z.optional(z.string()),
  VersionId: z.optional(z.string()),
  VersionStages: z.optional(z.array(z.string())),
  KmsKeyId: z.optional(z.string()),
});
type SecretBody = z.infer<typeof secretBody>;
const parameterBody = z.object({
  Name: z.string(),
  Value: z.optional(z.string()),
  Type: z.optional(z.string()),
  KeyId: z.optional(z.string()),
  Tier: z.optional(z.string()),
  Overwrite: z.optional(z.boolean()),
});
type ParameterBody = z.infer<typeof parameterBody>;

interface Version {
  readonly VersionId: string;
  readonly SecretString?: string | undefined;
  readonly SecretBinary?: string | undefined;
  readonly CreatedDate: number;
}

interface Secret {
  readonly ARN: string;
  readonly Name: string;
  readonly KmsKeyId?: string | undefined;
  DeletedDate?: number;
  readonly versions: Version[];
  current: string | undefined;
}

interface Parameter {
  readonly Name: string;
  readonly Type: string;
  readonly Value: string;
  readonly Version: number;
  readonly KeyId: string;
  readonly Tier: string;
  readonly LastModifiedDate: number;
}

class Refusal extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const ACCOUNT = '123456789012';
const REGION = 'eu-central-1';
const now = () => Date.now() / 1000;

/**
 * The part of AWS that a store for a link needs, in memory: secrets and parameters with versions,
 * and a login by web identity. It does not check permissions. `describeAws` compares it with moto.
 */
export class SmallAws implements AsyncDisposable {
  #url = '';
  readonly #server: http.Server;
  readonly #secrets: Secret[] = [];
  readonly #parameters = new Map<string, Parameter[]>();

  private constructor() {
    this.#server = http.createServer((incoming, outgoing) => {
      this.#handle(incoming)
        .then((text) => outgoing.writeHead(200).end(text))
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) return outgoing.destroy();
          const { type, message } = error;
          const xml = `<ErrorResponse><Error><Code>${type}</Code><Message>${message}</Message></Error></ErrorResponse>`;
          if (incoming.headers['x-amz-target'] === undefined)
            return outgoing.writeHead(403).end(xml);
          return outgoing.writeHead(400).end(JSON.stringify({ __type: type, message }));
        });
    });
  }

  static async start(): Promise<SmallAws> {
    const aws = new SmallAws();
    aws.#url = `http://127.0.0.1:${await listen(aws.#server)}`;
    return aws;
  }

  get url(): string {
    return this.#url;
  }

  /**
   * The result of an operation such as `secretsmanager.GetSecretValue`, without a signature;
   * undefined: it is refused.
   */
  async api(target: string, body: unknown): Promise<unknown> {
    try {
      return this.#perform(target, body);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  async #handle(incoming: http.IncomingMessage): Promise<string> {
    const text = await textOf(incoming);
    const target = String(incoming.headers['x-amz-target'] ?? '');
    if (target === '') return assumedRole(new URLSearchParams(text));
    if (
      !/^AWS4-HMAC-SHA256 Credential=\S+, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/.test(
        incoming.headers.authorization ?? '',
      )
    ) {
      throw new Refusal('MissingAuthenticationTokenException', 'Missing Authentication Token');
    }
    return JSON.stringify(this.#perform(target, parseJson(text)));
  }

  #perform(target: string, body: unknown): unknown {
    const [service, operation = ''] = target.split('.');
    return service === 'secretsmanager'
      ? this.#secretsManager(operation, secretBody.parse(body))
      : this.#parameterStore(operation, parameterBody.parse(body));
  }

  #secretsManager(operation: string, body: SecretBody): unknown {
    if (operation === 'CreateSecret') return this.#createSecret(body);
    const secret = this.#secrets.find(
      ({ ARN, Name }) =>
        body.SecretId === Name || body.SecretId === ARN || body.SecretId === ARN.slice(0, -7),
    );
    if (secret === undefined) {
      throw new Refusal(
        'ResourceNotFoundException',
        "Secrets Manager can't find the specified secret.",
      );
    }
    const { ARN, Name, KmsKeyId, DeletedDate, versions, current } = secret;
    if (operation === 'DescribeSecret') return { ARN, Name, KmsKeyId, DeletedDate };
    if (operation === 'ListSecretVersionIds') return { ARN, Name, Versions: versions };
    if (operation === 'DeleteSecret') {
      secret.DeletedDate = now();
      return { ARN, Name };
    }
    if (DeletedDate !== undefined) {
      throw new Refusal(
        'InvalidRequestException',
        "You can't perform this operation on the secret because it was marked for deletion.",
      );
    }
    if (operation === 'PutSecretValue') return putVersion(secret, body);
    const found = versions.find(({ VersionId }) => VersionId === (body.VersionId ?? current));
    if (found === undefined) {
      throw new Refusal(
        'ResourceNotFoundException',
        "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
      );
    }
    return { ARN, Name, ...found };
  }

  #createSecret(body: SecretBody): unknown {
    const { Name = '', KmsKeyId } = body;
    if (this.#secrets.some((one) => one.Name === Name)) {
      throw new Refusal(
        'ResourceExistsException',
        `The operation failed because the secret ${Name} already exists.`,
      );
    }
    const ARN = `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${Name}-${randomUUID().slice(0, 6)}`;
    const secret: Secret = { ARN, Name, KmsKeyId, versions: [], current: undefined };
    this.#secrets.push(secret);
    const hasValue = body.SecretString !== undefined || body.SecretBinary !== undefined;
    return hasValue ? putVersion(secret, body) : { ARN, Name };
  }

  #parameterStore(operation: string, body: ParameterBody): unknown {
    const versions = this.#parameters.get(body.Name) ?? [];
    const latest = versions.at(-1);
    if (operation === 'PutParameter') return this.#putParameter(body, versions);
    if (latest === undefined)
      throw new Refusal('ParameterNotFound', `Parameter ${body.Name} not found.`);
    switch (operation) {
      case 'GetParameterHistory':
        return { Parameters: versions.map(({ Value: _, ...one }) => one) };
      case 'DeleteParameter':
        this.#parameters.delete(body.Name);
        return {};
      default:
        return {
          Parameter: { ...latest, ARN: `arn:aws:ssm:${REGION}:${ACCOUNT}:parameter${body.Name}` },
        };
    }
  }

  #putParameter(body: ParameterBody, versions: readonly Parameter[]): unknown {
    const { Name, Value = '', Overwrite } = body;
    const latest = versions.at(-1);
    if (latest !== undefined && Overwrite !== true) {
      throw new Refusal(
        'ParameterAlreadyExists',
        'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
      );
    }
    const {
      Type = latest?.Type ?? 'String',
      KeyId = 'alias/aws/ssm',
      Tier = latest?.Tier ?? 'Standard',
    } = body;
    const Version = (latest?.Version ?? 0) + 1;
    const made = { Name, Type, Value, Version, KeyId, Tier, LastModifiedDate: now() };
    this.#parameters.set(Name, [...versions, made]);
    return { Version, Tier };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return stopServer(this.#server);
  }
}

function putVersion(secret: Secret, body: SecretBody): unknown {
  const {
    SecretString,
    SecretBinary,
    ClientRequestToken: VersionId = randomUUID(),
    VersionStages = ['AWSCURRENT'],
  } = body;
  const same = secret.versions.find((version) => version.VersionId === VersionId);
  if (
    same !== undefined &&
    (same.SecretString !== SecretString || same.SecretBinary !== SecretBinary)
  ) {
    throw new Refusal(
      'ResourceExistsException',
      `You can't use ClientRequestToken ${VersionId} because that value is already in use for a version of secret ${secret.ARN}.`,
    );
  }
  if (same === undefined) {
    secret.versions.push({ VersionId, SecretString, SecretBinary, CreatedDate: now() });
    if (VersionStages.includes('AWSCURRENT') || secret.current === undefined)
      secret.current = VersionId;
  }
  return { ARN: secret.ARN, Name: secret.Name, VersionId };
}

function assumedRole(form: URLSearchParams): string {
  if (form.get('Action') !== 'AssumeRoleWithWebIdentity')
    throw new Refusal('InvalidAction', 'unknown');
  if (!/:role\/docs(-courier)?$/.test(form.get('RoleArn') ?? '')) {
    throw new Refusal('AccessDenied', 'Not authorized to perform sts:AssumeRoleWithWebIdentity');
  }
  const seconds = Math.floor(now());
  return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials><SessionToken>session-${randomUUID()}</SessionToken><SecretAccessKey>secret-${randomUUID()}</SecretAccessKey><Expiration>${new Date((seconds + 3600) * 1000).toISOString()}</Expiration><AccessKeyId>ASIA0123456789ABCDEF</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
}
