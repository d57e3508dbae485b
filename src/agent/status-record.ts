import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Comment } from '../forges/port.ts';
import { sign, verify } from '../signature.ts';
import { parseJson } from '../text/json.ts';

/** How far a command has come. `answered`: it was answered without a message; such a record claims nothing. */
const RECORD_STATES = ['sending', 'sent', 'done', 'answered'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

// Strict: a field that the signature does not cover makes the record invalid.
const record = z.strictObject({
  version: z.literal(1),
  /** The command: the comment that gave it, or the run where there is none. */
  command: z.string(),
  run: z.string(),
  attempt: z.number(),
  /** Differs between two runs that claim the same command at the same moment. */
  nonce: z.string(),
  state: z.enum(RECORD_STATES),
  job: z.optional(z.string()),
  /** The platform said that the job made this pull request; it does not say so while the job is active. */
  made: z.optional(z.boolean()),
  /** Id of the comment that holds the record; absent while the comment is being made. */
  comment: z.optional(z.number()),
});
/** `creates`: the command makes a new job. Without `job`, one may have been made that is not bound. */
const recordOfNewJob = z.extend(record, { version: z.literal(2), creates: z.literal(true) });
const anyRecord = z.union([record, recordOfNewJob]);
export type StatusRecord = z.infer<typeof anyRecord>;

const envelope = z.strictObject({ record: anyRecord, signature: z.string() });
const anyEnvelope = z.object({ record: z.object({ command: z.string() }) });

const MARKER = /<!-- docs-courier:([A-Za-z0-9_-]{1,4000}) -->/;

/** Where a record counts: one that was copied to another pull request or repository is none. */
export interface RecordPlace {
  /** The admin key. After it was changed, what was signed with the old one is invalid. */
  readonly secret: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly pullNumber: number;
}

function signing({ secret, repository, pullNumber }: RecordPlace, payload: StatusRecord) {
  const target = { repository: repository.toLowerCase(), pullNumber };
  const purpose = `docs-courier/record/v${payload.version}`;
  return { secret, purpose, payload: { record: payload, target } };
}

/** The record as an invisible line of Markdown. */
export function writeRecord(place: RecordPlace, payload: StatusRecord): string {
  const signature = sign(signing(place, payload));
  return `<!-- docs-courier:${Buffer.from(JSON.stringify({ record: payload, signature })).toString('base64url')} -->`;
}

type Marker =
  | { readonly kind: 'none' }
  | { readonly kind: 'valid'; readonly record: StatusRecord }
  /** `command` is what it claims to be about. */
  | { readonly kind: 'invalid'; readonly command: string };

/**
 * What a comment holds. Valid is a record that this action wrote there with the same admin key; one that names its comment
 * is valid in no other, so that nobody can copy one.
 */
export function readMarker(place: RecordPlace, comment: Pick<Comment, 'id' | 'body'>): Marker {
  const encoded = MARKER.exec(comment.body)?.[1];
  if (encoded === undefined) return { kind: 'none' };
  const value = parseJson(Buffer.from(encoded, 'base64url').toString());
  const parsed = envelope.safeParse(value);
  if (parsed.success) {
    const { record: found, signature } = parsed.data;
    const isHere = found.comment === undefined || found.comment === comment.id;
    if (isHere && verify({ ...signing(place, found), signature })) return { kind: 'valid', record: found };
  }
  const claimed = anyEnvelope.safeParse(value);
  return claimed.success ? { kind: 'invalid', command: claimed.data.record.command } : { kind: 'none' };
}

/** The record in a comment, where it has one that is valid there. */
export function readRecord(place: RecordPlace, comment: Pick<Comment, 'id' | 'body'>): StatusRecord | undefined {
  const marker = readMarker(place, comment);
  return marker.kind === 'valid' ? marker.record : undefined;
}

/** True for every comment that looks like one of ours, signed or not: it is neither a command nor context. */
export function holdsMarker(body: string): boolean {
  return body.includes('<!-- docs-courier:');
}

/** True for a record that keeps other runs from sending the same instruction. */
export function isClaim(record: StatusRecord): boolean {
  return record.state !== 'answered';
}

/** True for a claim that makes a new job. */
export function isCreation(record: StatusRecord): boolean {
  return record.version === 2 && isClaim(record);
}

export function createNonce(): string {
  return randomBytes(12).toString('base64url');
}
