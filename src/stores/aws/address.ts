import { reject } from '../../values/values.ts';
import { decodePart, formatQuery, type Parts, type Rewrite } from '../address-parts.ts';

/** A secret of AWS Secrets Manager (name or ARN), or a parameter of the Parameter Store (begins with a slash). */
export interface AwsAddress {
  readonly scheme: 'aws-sm' | 'aws-ssm';
  readonly name: string;
  /** undefined: that of the ARN, or of the environment. */
  readonly region?: string | undefined;
}

export const SECRET_FORMS = 'aws-sm:NAME, the name or the ARN of a secret';
export const PARAMETER_FORMS = 'aws-ssm:/PATH, the full name of a parameter; it does not begin with /aws or /ssm';

export const SECRET_REWRITES: readonly Rewrite[] = [
  // The names of parameters begin with a slash.
  [/^aws:(?=\/)/, 'aws-ssm:'],
  [/^aws:/, 'aws-sm:'],
  [/^arn:aws[\w-]*:secretsmanager:/, (arn = '') => `aws-sm:${arn}`],
  [/^(aws-sm:[^#]*)#.*$/, '$1'],
  [/^aws-sm:[^?]*/, (path = '') => path.trim().replace(/\s+/g, '-')],
  [/^(aws-sm:arn:[^?]*)\?region=.*$/, '$1'],
];

export const PARAMETER_REWRITES: readonly Rewrite[] = [
  [/^(?:aws-ssm:)?arn:aws[\w-]*:ssm:([\w-]+):\d*:parameter(\/[^?#]*)$/, 'aws-ssm:$2?region=$1'],
  [/^aws-ssm:(?=[^/a])|^aws-ssm:(?=a(?!rn:))/, 'aws-ssm:/'],
  [/^(aws-ssm:[^#]*)#.*$/, '$1'],
];

const NAMES: Readonly<Record<AwsAddress['scheme'], RegExp>> = {
  'aws-sm': /^[A-Za-z0-9/_+=.@:-]{1,512}$/,
  // AWS keeps names that begin with aws or ssm for itself.
  'aws-ssm': /^(?!\/(aws|ssm))(\/[A-Za-z0-9_.-]+){1,15}$/i,
};

export function formatAddress({ scheme, name, region }: AwsAddress): string {
  return `${scheme}:${name}${formatQuery({ region })}`;
}

export function parseAws(scheme: AwsAddress['scheme'], { path, query: { region } }: Parts, forms: string): AwsAddress {
  const name = decodePart(path);
  if (name === undefined || !NAMES[scheme].test(name)) return reject(forms);
  if (region === undefined) return { scheme, name };
  if (name.startsWith('arn:')) return reject('the ARN without ?region=: it names the region');
  if (!isAwsRegion(region)) {
    return reject(
      'an address whose ?region= is the code of a region of AWS, such as eu-central-1 for Frankfurt',
      formatAddress({ scheme, name, region: nearRegion(region) }),
    );
  }
  return { scheme, name, region };
}

/** The region of a zone such as `eu-central-1a`, or of `eu-west`. */
function nearRegion(text: string): string {
  const found = [text, text.toLowerCase().replace(/(?<=\d)[a-z]$/, ''), `${text.toLowerCase()}-1`].find(isAwsRegion);
  return found ?? 'eu-central-1';
}

/** True for a name such as `eu-central-1`, `us-gov-west-1` or `cn-north-1`: it becomes a part of host names. */
export function isAwsRegion(text: string): boolean {
  return /^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(text);
}
