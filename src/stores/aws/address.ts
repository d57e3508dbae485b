import { reject } from '../../values/values.ts';
import { decodePart, formatQuery, type Parts } from '../address-parts.ts';

/**
 * A secret of AWS Secrets Manager (name or ARN), or a parameter of the Parameter Store (begins with
 * a slash).
 */
export interface AwsAddress {
  readonly scheme: 'aws-sm' | 'aws-ssm';
  readonly name: string;
  /** undefined: the region of the ARN, or of the environment. */
  readonly region?: string | undefined;
}

export const SECRET_FORMS = 'aws-sm:NAME, the name or the ARN of a secret';
export const PARAMETER_FORMS =
  'aws-ssm:/PATH, the full name of a parameter; it does not begin with /aws or /ssm';

const NAMES = {
  'aws-sm': /^[A-Za-z0-9/_+=.@:-]{1,512}$/,
  // AWS keeps names that begin with aws or ssm for itself.
  'aws-ssm': /^(?!\/(aws|ssm))(\/[A-Za-z0-9_.-]+){1,15}$/i,
};

export function formatAddress(address: AwsAddress): string {
  return `${address.scheme}:${address.name}${formatQuery({ region: address.region })}`;
}

/** The address in these parts. Throws with what is allowed instead, such as `forms`. */
export function parseAws(scheme: AwsAddress['scheme'], given: Parts, forms: string): AwsAddress {
  const name = decodePart(given.path);
  const region = given.query.region;
  if (name === undefined || !NAMES[scheme].test(name)) return reject(forms);
  if (region === undefined) return { scheme, name };
  // Otherwise one address could name two regions.
  if (name.startsWith('arn:')) return reject('the ARN without ?region=: it names the region');
  if (!isAwsRegion(region)) {
    return reject('an address whose ?region= is the code of a region of AWS, such as eu-central-1');
  }
  return { scheme, name, region };
}

/**
 * True for a name such as `eu-central-1`, `us-gov-west-1` or `cn-north-1`: it becomes a part of
 * host names.
 */
export function isAwsRegion(text: string): boolean {
  return /^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(text);
}
