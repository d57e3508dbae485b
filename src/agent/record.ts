import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import {
  answerMark,
  type RecordPlace,
  readUnverified,
  signedLines,
} from '../comment/signed-line.ts';
import { type Comment, type CommentBody, isOwn, type OwnAuthor } from '../github/pull-request.ts';
import { commentCommand, type Session, type Workplace } from './session.ts';

// A record is an invisible line of a status comment, signed with the admin key. It says how far a
// command has come, so that no other run sends it again. Strict: a field that the signature does
// not cover makes the record invalid.
const record = z.strictObject({
  version: z.literal(2),
  /** The command: the comment that gave it, or the run if there is none. */
  command: z.string(),
  run: z.string(),
  attempt: z.number(),
  /** Differs between two runs that claim the same command at the same moment. */
  nonce: z.string(),
  /**
   * How far the command has come. `failed`: the run failed after the message, or may have.
   * `answered`: it was answered without a message; such a record claims nothing.
   */
  state: z.enum(['sending', 'sent', 'done', 'failed', 'answered']),
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

/** What is read of a record whether its signature is valid or not. */
const unverifiedRecord = z.object({
  record: z.object({ command: z.string(), state: z.optional(z.string()) }),
});

const recordLines = signedLines('docs-courier/record/v2', record, (one) => one.comment);
/** The record as an invisible line of Markdown. */
export const writeRecord = recordLines.write;

/** One status comment of ours, with its record. */
export interface Recorded {
  readonly comment: Comment;
  readonly record: StatusRecord;
}

/**
 * The record in a comment: valid, invalid, or none. `command`: what an invalid record claims to be
 * about.
 */
export function readMarker(place: RecordPlace, comment: CommentBody) {
  const read = recordLines.read(place, comment);
  if (read.kind !== 'invalid') return read;
  const unverified = unverifiedRecord.safeParse(read.json).data;
  // It names no command, so it cannot keep one from being sent.
  if (unverified === undefined) return { kind: 'none' } as const;
  return { kind: 'invalid', command: unverified.record.command } as const;
}

/** True for a record that keeps other runs from sending the same instruction. */
export function isClaim(statusRecord: StatusRecord): boolean {
  return statusRecord.state !== 'answered';
}

/** True for a claim that makes a new job. */
export function isCreation(statusRecord: StatusRecord): boolean {
  return statusRecord.creates === true && isClaim(statusRecord);
}

/**
 * True for a claim that keeps ours from sending: for the same command, or if both make a new job.
 */
export function isRival(other: StatusRecord, ours: StatusRecord): boolean {
  if (isCreation(ours) && isCreation(other)) return true;
  return isClaim(other) && other.command === ours.command;
}

/**
 * True if a comment of ours shows what became of a command. The signature of its record is not
 * checked: only whether an answer is written depends on it.
 */
export function isShownBy(comment: Comment, command: string): boolean {
  const unverified = unverifiedRecord.safeParse(readUnverified(comment.body)).data?.record;
  return unverified?.command === command && unverified.state !== 'answered';
}

/**
 * The id of a command, which is the same in every delivery of the event and every attempt. Two
 * steps with different instructions or agent jobs have different ids.
 */
export function commandId(session: Session): string {
  const { trigger, inputs, subject } = session;
  if (trigger.kind === 'comment') return commentCommand(trigger);
  const jobId = inputs.agentJobId ?? '';
  // Without a comment, one of these two is given.
  const instruction = inputs.prompt ?? inputs.promptFile ?? '';
  // 16 digits of it are enough: only the commands of one pull request are compared.
  const digest = createHash('sha256').update(`${jobId}\n${instruction}`).digest('hex');
  const { runId, job } = session.deps.github.run;
  // A subject replaces the run: push, closing and queue report the same merge in separate runs.
  return `${subject ?? `run:${runId}:${job}`}:${digest.slice(0, 16)}`;
}

/** Where the records of a pull request count: anywhere else they are copies. */
export function placeOf(workplace: Workplace, pullNumber: number): RecordPlace {
  const { deps, inputs } = workplace;
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
  readonly ofCommand: readonly Recorded[];
  /** Our answers to this command, which claim nothing. */
  readonly answers: readonly Comment[];
  /** The commands of records that are ignored because their signature is invalid. */
  readonly invalidCommands: readonly string[];
}

/** Reads what the listed comments of a pull request say, as far as they are ours. */
export function readRecords(listed: readonly Comment[], scope: RecordScope): OwnRecords {
  const ours = listed.filter((comment) => isOwn(comment, scope.author));
  const all: Recorded[] = [];
  const ofCommand: Recorded[] = [];
  const answers: Comment[] = [];
  const invalidCommands: string[] = [];
  for (const comment of ours.sort((a, b) => a.id - b.id)) {
    const marker = readMarker(scope.place, comment);
    if (marker.kind === 'invalid') invalidCommands.push(marker.command);
    // The answer of a run that failed before it could claim has this mark instead of a record.
    if (comment.body.startsWith(answerMark(scope.command))) answers.push(comment);
    if (marker.kind !== 'valid') continue;
    const recorded = { comment, record: marker.record };
    all.push(recorded);
    if (marker.record.command !== scope.command) continue;
    ofCommand.push(recorded);
    if (!isClaim(marker.record)) answers.push(comment);
  }
  return { all, ofCommand, answers, invalidCommands };
}
