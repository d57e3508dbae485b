import type { StoreUse } from '../port.ts';
import { partitionOf } from './request.ts';

/** The link, or the state next to it. */
export type Part = 'link' | 'state';

/** A text as AWS keeps it. */
export interface AwsText {
  readonly value: string;
  /** AWS's name of this version. */
  readonly version: string;
  /** Epoch milliseconds, by AWS's clock. */
  readonly writtenAtMs: number;
}

/** Two texts with versions: two secrets, or two parameters. Every method throws a CourierError, and only that. */
export interface AwsTexts {
  /** Names as people give them, and how to call one of them in a sentence. */
  readonly names: Readonly<Record<Part, string>>;
  /** What writing the state needs. */
  readonly stateRight: string;
  /**
   * Proves that the link has a destination which can be written, and gives the ARN of that destination. Writes nothing: it asks for writes
   * that AWS refuses after it has checked the rights.
   */
  prepare(use?: StoreUse): Promise<string>;
  /** undefined: there is none yet. */
  read(part: Part, signal?: AbortSignal): Promise<AwsText | undefined>;
  /** Gives the version that was made. Only a state is created where it does not exist. */
  write(part: Part, value: string, before: AwsText | undefined, signal?: AbortSignal): Promise<string>;
}

/** The least rights for one link in Secrets Manager, as an IAM policy to paste. AWS puts six characters behind a secret's name. */
export function secretPolicy(region: string, names: { readonly link: string; readonly state: string }): string {
  const arn = (rest: string) => `arn:${partitionOf(region)}:secretsmanager:${region}:*:secret:${rest}`;
  // Without the last star, AWS answers "access denied" and not "not found" to a state that was never written.
  const [link, state] = [arn(`${names.link}-??????`), arn(`${names.state}*`)];
  return policy([
    {
      Action: ['secretsmanager:DescribeSecret', 'secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
      Resource: [link, state],
    },
    { Action: 'secretsmanager:CreateSecret', Resource: state },
  ]);
}

/** The same for two parameters of the Parameter Store. */
export function parameterPolicy(region: string, names: { readonly link: string; readonly state: string }): string {
  const arn = (name: string) => `arn:${partitionOf(region)}:ssm:${region}:*:parameter${name}`;
  return policy([
    { Action: ['ssm:GetParameter', 'ssm:PutParameter'], Resource: [arn(names.link), arn(names.state)] },
    { Action: 'ssm:GetParameterHistory', Resource: arn(names.link) },
  ]);
}

/** What a customer managed key needs too. */
export function keyPolicy(region: string): string {
  return policy([
    {
      Action: ['kms:Decrypt', 'kms:GenerateDataKey', 'kms:Encrypt'],
      Resource: `arn:${partitionOf(region)}:kms:${region}:ACCOUNT:key/KEY-ID`,
    },
  ]);
}

function policy(
  statements: readonly { readonly Action: string | string[]; readonly Resource: string | string[] }[],
): string {
  const Statement = statements.map((statement) => ({ Effect: 'Allow', ...statement }));
  return JSON.stringify({ Version: '2012-10-17', Statement }, undefined, 2);
}
