import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import {
  answersTo,
  type RecordPlace,
  readUnverified,
  signedLines,
} from '../comment/signed-line.ts';
import { type Comment, type CommentBody, isOwn, type OwnAuthor } from '../github/pull-request.ts';
import { commentCommand, type Session } from './session.ts';

// Strict: a field that the signature does not cover makes the record invalid.
const record = z.strictObject({
  version: z.literal(2),
  /** The command: the comment that gave it, or the run if there is none. */
  command: z.string(),
  run: z.string(),
  attempt: z.number(),
  /** Differs between two runs that claim the same command at the same moment. */
  nonce: z.string(),
  /**
   * How far the command has come. `answered`: it was answered without a message; such a record
   * claims nothing.
   */
  state: z.enum(['sending', 'sent', 'done', 'answered']),
  job: z.optional(z.string()),
  /** The command makes a new job. Without `job`, one may have been made that is not linked. */
  creates: z.optional(z.literal(true)),
  /**
   * The platform said that the job made this pull request; it does not say so while the job is
   * active.
   */
  made: z.optional(z.boolean()),
  /** Id of the comment that contains the record; absent while the comment is being made. */
  comment: z.optional(z.number()),
});
export type StatusRecord = z.infer<typeof record>;

const claimed = z.object({
  record: z.object({ command: z.string(), state: z.optional(z.string()) }),
});

const lines = signedLines({
  purpose: 'docs-courier/record/v2',
  schema: record,
  commentOf: ({ comment }) => comment,
});
/** The record as an invisible line of Markdown. */
export const writeRecord = lines.write;

/** One status comment of ours, with its record. */
export interface Recorded {
  readonly comment: Comment;
  readonly record: StatusRecord;
}

/** What a comment contains. `command`: what an invalid record claims to be about. */
export function readMarker(place: RecordPlace, comment: CommentBody) {
  const read = lines.read(place, comment);
  if (read.kind !== 'invalid') return read;
  const { data } = claimed.safeParse(read.json);
  return data === undefined
    ? ({ kind: 'none' } as const)
    : ({ kind: 'invalid', command: data.record.command } as const);
}

/** True for a record that keeps other runs from sending the same instruction. */
export function isClaim({ state }: StatusRecord): boolean {
  return state !== 'answered';
}

/** True for a claim that makes a new job. */
export function isCreation(found: StatusRecord): boolean {
  return found.creates === true && isClaim(found);
}

/**
 * True for a claim that keeps ours from sending: for the same command, or if both make a new job.
 */
export function isRival(other: StatusRecord, ours: StatusRecord): boolean {
  return (
    isClaim(other) && (other.command === ours.command || (isCreation(ours) && isCreation(other)))
  );
}

/**
 * True if a comment of ours shows what became of a command. Its signature is not checked: nothing
 * but an answer depends on it.
 */
export function isShownBy({ body }: Comment, command: string): boolean {
  const { record: known } = claimed.safeParse(readUnverified(body)).data ?? {};
  return known?.command === command && known.state !== 'answered';
}

/** What makes a command the same one in every delivery and every attempt. */
export function commandId({ trigger, deps, inputs, subject }: Session): string {
  if (trigger.kind === 'comment') return commentCommand(trigger);
  const { agentJobId = '', prompt, promptFile = '' } = inputs;
  const text = `${agentJobId}\n${prompt ?? promptFile}`;
  const what = createHash('sha256').update(text).digest('hex').slice(0, 16);
  // Push, closing and queue report the same merge, each in a separate run.
  const { runId, job } = deps.github.run;
  return subject === undefined ? `run:${runId}:${job}:${what}` : `${subject}:${what}`;
}

export function placeOf(
  { deps, inputs }: Pick<Session, 'deps' | 'inputs'>,
  pullNumber: number,
): RecordPlace {
  return { secret: inputs.adminApiKey, repository: deps.github.run.repository, pullNumber };
}

/** Whose comments are ours, and which command is meant. */
export interface RecordScope {
  readonly place: RecordPlace;
  readonly author: OwnAuthor;
  readonly command: string;
}

/** What our comments on a pull request say about its commands; every list has the oldest first. */
export interface OwnRecords {
  /** Every valid record. */
  readonly all: readonly Recorded[];
  /** The valid records of this command. */
  readonly same: readonly Recorded[];
  /** Our answers to this command, which claim nothing. */
  readonly answers: readonly Comment[];
  /** The commands of records that are ignored because their signature is invalid. */
  readonly invalid: readonly string[];
}

export function readRecords(
  listed: readonly Comment[],
  { place, author, command }: RecordScope,
): OwnRecords {
  const ours = listed.filter((comment) => isOwn(comment, author)).sort((a, b) => a.id - b.id);
  const marked = ours.map((comment) => ({ comment, marker: readMarker(place, comment) }));
  const all = marked.flatMap(({ comment, marker }) =>
    marker.kind === 'valid' ? { comment, record: marker.record } : [],
  );
  const same = all.filter(({ record: known }) => known.command === command);
  const signed = same.filter(({ record: known }) => !isClaim(known)).map(({ comment }) => comment);
  return {
    all,
    same,
    answers: [...signed, ...answersTo(command, listed, author)].sort((a, b) => a.id - b.id),
    invalid: marked.flatMap(({ marker }) => (marker.kind === 'invalid' ? marker.command : [])),
  };
}
