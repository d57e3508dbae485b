import type { Explored, KINDS } from './explore.ts';
import type { Spec } from './run.ts';

export type Kind = keyof typeof KINDS;
type Wish = Spec['kind'];

/** The stores that keep two runs apart. */
export const GUARDED = [
  'versions',
  'claims, value',
  'claims, date',
  'claims, nothing',
] as const satisfies readonly Kind[];
const WISHES = ['export', 'refresh', 'rollback', 'named'] as const;
/** Every wish with every other one and with itself. */
export const PAIRS = WISHES.flatMap((one, index) => WISHES.slice(index).map((other) => [one, other] as const));

export function specsOf(one: Wish, other: Wish, third?: Spec): readonly Spec[] {
  const job = 'job-old0';
  return [{ name: 'A', kind: one, job }, { name: 'B', kind: other, job }, ...(third === undefined ? [] : [third])];
}

/**
 * Accepted for stores without versions: a write that arrives after its reply was given up, and after another run has continued, can put
 * an older link in place. The next run notices it and repairs it: nothing else may be found with a late write.
 */
const ACCEPTED = [
  /^late: an older link \(\S+\) replaced a newer one \(\S+\)$/,
  /^late: a state with a lower number was written$/,
  /^late: (?:export|rollback|named): completed, and the link is that of an older job$/,
];

/** What was found, with its requests, and is not accepted. */
export function unacceptedIn({ findings }: Explored): readonly string[] {
  return [...findings.values()]
    .filter(({ what }) => !ACCEPTED.some((accepted) => accepted.test(what)))
    .map(({ what, trace }) => `${what}: ${trace.join(' > ')}`);
}
