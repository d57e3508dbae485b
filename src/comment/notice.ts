import * as z from 'zod/mini';
import { sign, verify } from '../signature.ts';
import { parseJson } from '../text/json.ts';

const instant = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text))));
const count = z.number().check(z.nonnegative());

/** A step that fails: what its issue says, so that the next run can go on with it. */
const failure = z.strictObject({
  version: z.literal(2),
  kind: z.literal('failure'),
  /** Which step of which workflow; see `stepKey`. */
  step: z.string(),
  since: instant,
  runs: count,
  /** When the stored link expires, as last known. */
  expiresAt: z.optional(instant),
  /** Number of the issue; absent while it is being made. */
  id: z.optional(z.number()),
});
export type FailureNotice = z.infer<typeof failure>;

/** What an export changed, on the pull request that was merged for it. */
const changes = z.strictObject({
  version: z.literal(2),
  kind: z.literal('changes'),
  step: z.string(),
  job: z.string(),
  /** Absent where there was no earlier export. */
  counts: z.optional(z.strictObject({ added: count, changed: count, moved: count, removed: count, lost: count })),
  /** Since when it is live, or stored. */
  since: instant,
  isLive: z.boolean(),
  /** Id of the comment; absent while it is being made. */
  id: z.optional(z.number()),
});
export type ChangesNotice = z.infer<typeof changes>;

/** What a search check found, on the pull request that it ran for. */
const search = z.strictObject({
  version: z.literal(2),
  kind: z.literal('search'),
  step: z.string(),
  /** Some run for this pull request was not as it should be. */
  hasFailed: z.boolean(),
  /** Id of the comment; absent while it is being made. */
  id: z.optional(z.number()),
});
export type SearchNotice = z.infer<typeof search>;

const notice = z.discriminatedUnion('kind', [failure, changes, search]);
export type Notice = z.infer<typeof notice>;
const envelope = z.strictObject({ notice, signature: z.string() });

// The same beginning as that of status comments: agent mode takes neither for a command or for context.
const MARKER = /^<!-- docs-courier:([A-Za-z0-9_-]{1,4000}) -->/;

/** Where a notice counts: copied to another repository or pull request it is none. */
export interface NoticePlace {
  /** The key of the platform. What was signed with another one is invalid. */
  readonly secret: string;
  /** `owner/name`. */
  readonly repository: string;
  /** Of notices on a pull request. */
  readonly pullNumber?: number | undefined;
}

function signing({ secret, repository, pullNumber }: NoticePlace, payload: Notice) {
  const target = { repository: repository.toLowerCase(), pullNumber };
  return { secret, purpose: 'docs-courier/notice/v2', payload: { notice: payload, target } };
}

/** The notice as an invisible first line of Markdown. */
export function writeNotice(place: NoticePlace, payload: Notice): string {
  const signature = sign(signing(place, payload));
  return `<!-- docs-courier:${Buffer.from(JSON.stringify({ notice: payload, signature })).toString('base64url')} -->`;
}

interface ReadNotice {
  readonly notice: Notice;
  /** Signed with this key for this place, and not copied from another comment or issue. */
  readonly isValid: boolean;
}

/** What a text begins with; undefined where that is no notice. Check the author before anything of it is used. */
export function readNotice(place: NoticePlace, { id, body }: { id: number; body: string }): ReadNotice | undefined {
  const encoded = MARKER.exec(body)?.[1];
  if (encoded === undefined) return undefined;
  const parsed = envelope.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString()));
  if (!parsed.success) return undefined;
  const { notice: found, signature } = parsed.data;
  const isHere = found.id === undefined || found.id === id;
  return { notice: found, isValid: isHere && verify({ ...signing(place, found), signature }) };
}
