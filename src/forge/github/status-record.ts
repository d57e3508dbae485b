import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { sign, verify } from '../../proof.ts';
import { parseJson } from '../../text/json.ts';
import type { Comment } from './pull-request.ts';

/** How far a command has come. `answered`: told why not, or how; such a record claims nothing. */
export const RECORD_STATES = ['sending', 'sent', 'done', 'answered'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

const record = z.object({
  version: z.literal(1),
  /** The command: the comment that gave it, or the run where there is none. */
  command: z.string(),
  run: z.string(),
  attempt: z.number(),
  /** Tells two runs apart that claim the same command at the same moment. */
  nonce: z.string(),
  state: z.enum(RECORD_STATES),
  job: z.optional(z.string()),
  /** The platform told that the job made this pull request; it does not tell while the job is active. */
  made: z.optional(z.boolean()),
  /** Id of the comment that holds the record; absent while the comment is being made. */
  comment: z.optional(z.number()),
});
export type StatusRecord = z.infer<typeof record>;

const envelope = z.object({ record, proof: z.string() });

const MARKER = /<!-- docs-courier:([A-Za-z0-9_-]{1,4000}) -->/;
const PURPOSE = 'docs-courier/record/v1';

/** Where a record counts: one that was copied to another pull request or repository is none. */
export interface RecordPlace {
  readonly secret: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly pullNumber: number;
}

function signing({ secret, repository, pullNumber }: RecordPlace, payload: StatusRecord) {
  const target = { repository: repository.toLowerCase(), pullNumber };
  return { secret, purpose: PURPOSE, payload: { record: payload, target } };
}

/** The record as an invisible line of Markdown. */
export function writeRecord(place: RecordPlace, payload: StatusRecord): string {
  const proof = sign(signing(place, payload));
  return `<!-- docs-courier:${Buffer.from(JSON.stringify({ record: payload, proof })).toString('base64url')} -->`;
}

/**
 * The record in a comment, where it is one that this action wrote there with the same admin key. A record that names its
 * comment counts in no other, so that nobody can copy one.
 */
export function readRecord(place: RecordPlace, comment: Pick<Comment, 'id' | 'body'>): StatusRecord | undefined {
  const encoded = MARKER.exec(comment.body)?.[1];
  if (encoded === undefined) return undefined;
  const parsed = envelope.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString()));
  if (!parsed.success) return undefined;
  const { record: found, proof } = parsed.data;
  if (found.comment !== undefined && found.comment !== comment.id) return undefined;
  return verify({ ...signing(place, found), proof }) ? found : undefined;
}

/** True for every comment that looks like one of ours, with a proof or without: it is neither a command nor context. */
export function holdsMarker(body: string): boolean {
  return body.includes('<!-- docs-courier:');
}

/** True for a record that keeps other runs from sending the same instruction. */
export function isClaim(record: StatusRecord): boolean {
  return record.state !== 'answered';
}

export function createNonce(): string {
  return randomBytes(12).toString('base64url');
}
