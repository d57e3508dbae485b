import type { Explored, Fault, KINDS } from './explore.ts';
import type { Spec } from './run.ts';

export type Kind = keyof typeof KINDS;
type Wish = Exclude<Spec['kind'], 'idle'>;

/** The stores that keep two runs apart. */
export const GUARDED = [
  'versions',
  'claims, value',
  'claims, date',
  'claims, nothing',
] as const satisfies readonly Kind[];
const WISHES = ['export', 'refresh', 'rollback', 'named'] as const;
/** Every wish with every other one and with itself. */
export const PAIRS = WISHES.flatMap((one, index) =>
  WISHES.slice(index).map((other) => [one, other] as const),
);

export function specsOf(one: Wish, other: Wish, third?: Spec): readonly Spec[] {
  const job = 'job-old0';
  return [
    { name: 'A', kind: one, job },
    { name: 'B', kind: other, job },
    ...(third === undefined ? [] : [third]),
  ];
}

/** What was found, with its requests. */
export function findingsOf({ findings }: Explored): readonly string[] {
  return [...findings.values()].map(({ what, trace }) => `${what}: ${trace.join(' > ')}`);
}

const IS_LATE_COPY =
  /^(the next refresh fails: integrity|an older export is live|the state says that the link works longer).* late: \w+ write-link/;

/**
 * What a person has changed makes runs stop, loudly: then a refresh fails. In a store that shows
 * nothing of a link, an edited link is not noticed, and neither is an earlier state that was put
 * back.
 */
export function unacceptedIn(
  explored: Explored,
  kind: Kind,
  faults: readonly Fault[],
): readonly string[] {
  const isByPerson = faults.some((fault) => fault === 'edited' || fault === 'put back');
  const isUnseen = kind === 'claims, nothing' && faults.includes('put back');
  return findingsOf(explored).filter((finding) => {
    // A link that comes twice, the second time after another run, looks like an edited one.
    if (finding.includes('write-link (doubled)') && IS_LATE_COPY.test(finding)) return false;
    if (isByPerson && finding.startsWith('the next refresh fails: integrity')) return false;
    return !(isUnseen && finding.startsWith('an older export is live'));
  });
}
