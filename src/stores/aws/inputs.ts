import { type Given, readSetting } from '../../values/settings.ts';
import { matching } from '../../values/values.ts';

export interface AwsInputs {
  /** What the run logs in as by its own identity; undefined: the environment has the keys. */
  readonly role: { readonly arn: string; readonly audience: string } | undefined;
}

const AUDIENCE = 'sts.amazonaws.com';

const awsRole = matching(
  /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/,
  'the ARN of a role, such as arn:aws:iam::123456789012:role/docs-courier',
);

/**
 * Keys in the environment come before a role in it, as in AWS's SDKs, and a token file has its own
 * role.
 */
export function takesAwsRole(given: Given): boolean {
  if (given.reader.isGiven('aws-role')) return true;
  const env = given.env;
  if (env['AWS_ACCESS_KEY_ID'] || env['AWS_WEB_IDENTITY_TOKEN_FILE']) return false;
  return Boolean(env['AWS_ROLE_ARN']);
}

export function readAws(given: Given, audience: string = AUDIENCE): AwsInputs {
  if (!takesAwsRole(given)) return { role: undefined };
  const arn = readSetting(given, ['aws-role', 'AWS_ROLE_ARN'], awsRole);
  return { role: arn === undefined ? undefined : { arn, audience } };
}
