import { partitionOf } from './region.ts';

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

/** What a key of one's own asks for besides. */
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
