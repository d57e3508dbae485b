import * as z from 'zod/mini';
import type { CommentBody } from '../github/pull-request.ts';
import { sign, verify } from '../ground/signature.ts';
import { parseJson } from '../ground/text/json.ts';

/** Where a record counts. Copied to another repository or pull request, it is invalid. */
export interface RecordPlace {
  /** The key of the platform that the step has. What was signed with another one is invalid. */
  readonly secret: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly pullNumber: number;
}

type SignedRecord<T> =
  | { readonly kind: 'none' }
  /** It was written there by this action with the same key. */
  | { readonly kind: 'valid'; readonly record: T }
  /** `json`: what it claims to be. */
  | { readonly kind: 'invalid'; readonly json: unknown };

const BEGIN = '<!-- docs-courier:';
const LINE = new RegExp(`${BEGIN}([A-Za-z0-9_-]{1,4000}) -->`);

/**
 * The first line of an answer without a record. The answer is found again by it; nothing else
 * depends on it.
 */
export function answerMark(command: string): string {
  return `${BEGIN} answer to ${command} -->`;
}

/** What the signed line of a comment claims, not checked; undefined without one. */
export function readUnverified(body: string): unknown {
  const encoded = LINE.exec(body)?.[1];
  if (encoded === undefined) return undefined;
  return parseJson(Buffer.from(encoded, 'base64url').toString());
}

/**
 * True for every comment that looks like one of ours, signed or not. Such a comment is neither a
 * command nor context for the agent.
 */
export function holdsMarker(body: string): boolean {
  return body.includes(BEGIN);
}

/** True for a comment that begins as ours do: text of others in it comes later. */
export function beginsWithMarker(body: string): boolean {
  return body.startsWith(BEGIN);
}

/**
 * Writes and reads records as an invisible line of Markdown in a comment. A line is invalid if it
 * was signed for another `purpose`, has fields that the strict `schema` lacks, or is a copy: it is
 * in another comment than `commentOf` its record.
 */
export function signedLines<T>(
  purpose: string,
  schema: z.ZodMiniType<T>,
  commentOf: (record: T) => number | undefined,
) {
  const envelope = z.strictObject({ record: schema, signature: z.string() });
  const signing = (place: RecordPlace, record: T) => {
    const repository = place.repository.toLowerCase();
    const payload = { record, target: { repository, pullNumber: place.pullNumber } };
    return { secret: place.secret, purpose, payload };
  };
  return {
    write(place: RecordPlace, record: T): string {
      const json = JSON.stringify({ record, signature: sign(signing(place, record)) });
      return `${BEGIN}${Buffer.from(json).toString('base64url')} -->`;
    },
    /** What a comment contains. Check its author before anything of it is used. */
    read(place: RecordPlace, comment: CommentBody): SignedRecord<T> {
      const json = readUnverified(comment.body);
      if (json === undefined) return { kind: 'none' };
      const signedRecord = envelope.safeParse(json).data;
      if (signedRecord === undefined) return { kind: 'invalid', json };
      const { record, signature } = signedRecord;
      const commentId = commentOf(record);
      // A record that names no comment is of one that is still being made.
      const isHere = commentId === undefined || commentId === comment.id;
      const signed = { ...signing(place, record), signature };
      if (isHere && verify(signed)) return { kind: 'valid', record };
      return { kind: 'invalid', json };
    },
  };
}
