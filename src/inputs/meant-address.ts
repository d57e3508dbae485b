import { looksSecret } from '../text/credentials.ts';
import { parseAddress } from './parse-address.ts';

/** What people call the kinds, in lower case. */
const KIND_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gh: 'github',
    gl: 'gitlab',
    forgejo: 'gitea',
    kubernetes: 'k8s',
    kube: 'k8s',
    k8: 'k8s',
    aws: 'aws-sm',
    sm: 'aws-sm',
    secretsmanager: 'aws-sm',
    ssm: 'aws-ssm',
    path: 'file',
  }),
);

type Rewrite = readonly [RegExp, string | ((...found: string[]) => string)];

/** Each is one step from an address. All are tried, in this order, and the result counts only if it is an address. */
const REWRITES: readonly Rewrite[] = [
  [/^["'`“”‘’]+/, ''],
  [/(?<!["'`“”‘’])["'`“”‘’]+$/, ''],
  [/^(?:to|state):\s*(?=\S)/i, ''],
  [/(?<![\s,;])[\s,;]+$/, ''],
  [/^["'`“”‘’]+/, ''],
  [/(?<!["'`“”‘’])["'`“”‘’]+$/, ''],
  // A path, also of Windows, and a name with a file extension.
  [/^[A-Za-z]:[\\/](.*)$/, (_, path = '') => `file:${path}`],
  [/^(\.{0,2}\/.*|[\w.-]+\.(?:txt|url|link|env))$/, 'file:$1'],
  [/^file:.*$/i, (path = '') => path.replaceAll('\\', '/')],
  [
    /^([A-Za-z][\w-]*):(?:\/\/(?!\/))?\s*/,
    (_, kind = '') => `${KIND_ALIASES.get(kind.toLowerCase()) ?? kind.toLowerCase()}:`,
  ],
  [/^github-?secrets?:\/*/i, 'github:secret/'],
  [/^github:(?:actions\/)?secrets\//i, 'github:secret/'],
  [/^github:(?:actions\/)?environments?\//i, 'github:env/'],
  [/^(github|gitea):organi[sz]ation\//i, '$1:org/'],
  [/^(github|gitea):(?:repository|repos)\//i, '$1:repo/'],
  [/^github:(\w+)$/, 'github:secret/$1'],
  [/^(github|gitea):(?!secret\/|env\/|org\/|repo\/)([\w.-]+\/[\w.-]+\/\w+)$/, '$1:repo/$2'],
  [/^gitlab:(project|group)s\//i, 'gitlab:$1/'],
  [/^gitlab:(?!project\/|group\/)(?=[^?]*\/)/, 'gitlab:project/'],
  [
    /^gitlab:(project|group)\/([^?]+)\/(\w+)(?=\?|$)/,
    (_, scope = '', id = '', name = '') => `gitlab:${scope}/${id.replaceAll('/', '%2F')}/${name}`,
  ],
  [
    /^(github:(?:[^/?]+\/)+)([\w -]+)(?=\?|$)/,
    (_, before = '', name = '') => `${before}${name.toUpperCase().replace(/[ -]/g, '_')}`,
  ],
  [/^aws-ssm:(?=[^/a])|^aws-ssm:(?=a(?!rn:))/, 'aws-ssm:/'],
  [/^(k8s|vault):([^?#]+)\?key=/, '$1:$2#'],
  [/^k8s:[^#?]*/, (names = '') => names.toLowerCase().replaceAll('_', '-')],
];

/** The address that a text was most likely meant to be; undefined: none that is known, or the text may contain a secret. */
export function meantAddress(text: string): string | undefined {
  const meant = REWRITES.reduce((address, [pattern, by]) => {
    return typeof by === 'string' ? address.replace(pattern, by) : address.replace(pattern, by);
  }, text);
  return meant !== text && !looksSecret(meant) && parseAddress(meant).ok ? meant : undefined;
}
