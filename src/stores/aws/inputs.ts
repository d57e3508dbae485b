import { type Given, readSetting } from '../../values/settings.ts';
import { matching } from '../../values/values.ts';

export interface AwsInputs {
  /**
   * The role that the run takes with its id token; undefined: its environment gives it keys.
   */
  readonly role: { readonly arn: string; readonly audience: string } | undefined;
}

const AUDIENCE = 'sts.amazonaws.com';

const awsRole = matching(
  /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/,
  'the ARN of a role, such as arn:aws:iam::123456789012:role/docs-courier',
);

/** True if the run logs in with its id token, to a role that the input or AWS_ROLE_ARN names. */
export function takesAwsRole(given: Given): boolean {
  if (given.reader.isGiven('aws-role')) return true;
  const env = given.env;
  // As in AWS's SDKs: keys come before AWS_ROLE_ARN, and if there is a token file, AWS_ROLE_ARN is
  // the role for the token in that file, as in a pod of EKS.
  if (env['AWS_ACCESS_KEY_ID'] || env['AWS_WEB_IDENTITY_TOKEN_FILE']) return false;
  return Boolean(env['AWS_ROLE_ARN']);
}

/** How the run logs in; `audience`: that of the id token, if an input names another one. */
export function readAws(given: Given, audience: string = AUDIENCE): AwsInputs {
  if (!takesAwsRole(given)) return { role: undefined };
  // undefined: it is wrong, which the reader reports.
  const arn = readSetting(given, ['aws-role', 'AWS_ROLE_ARN'], awsRole);
  return { role: arn === undefined ? undefined : { arn, audience } };
}
