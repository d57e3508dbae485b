import { CourierError } from '../../errors.ts';
import type { Octokit } from '../../github/client.ts';
import { isOwn, type OwnAuthor } from './own-author.ts';
import type { Repository } from './permission.ts';
import { type Comment, listComments } from './pull-request.ts';
import { isClaim, type RecordPlace, readRecord, type StatusRecord, writeRecord } from './status-record.ts';

/** One status comment of ours, with what its record says. */
export interface Recorded {
  readonly comment: Comment;
  readonly record: StatusRecord;
}

export interface StatusComments {
  /** Every record of ours among these comments, oldest first. */
  find(comments: readonly Comment[]): Recorded[];
  /**
   * Claims a command by making its comment. Of several claims for one command the oldest stands; the others are taken away
   * by those who made them. Throws `forbidden` when the token may not comment.
   */
  claim(claiming: Claiming): Promise<Claim>;
  /** The comment that holds a record with this nonce: for a claim whose making was interrupted. */
  findMade(nonce: string): Promise<OwnComment | undefined>;
  /** Writes a comment that claims nothing. */
  answer(record: StatusRecord, body: string): Promise<OwnComment>;
  update(own: OwnComment, change: { record: StatusRecord; body: string; signal?: AbortSignal }): Promise<void>;
  remove(own: { readonly id: number }): Promise<void>;
}

export interface OwnComment {
  readonly id: number;
  readonly url: string;
}

export interface Claiming {
  readonly record: StatusRecord;
  readonly body: string;
  /** Called as soon as the comment stands, before it is known whether it is the oldest. */
  readonly onMade: (comment: OwnComment) => void;
}

export type Claim =
  | { readonly kind: 'ours'; readonly comment: OwnComment }
  | { readonly kind: 'taken'; readonly by: Recorded };

export interface StatusCommentsInit {
  readonly octokit: Octokit;
  readonly repository: Repository;
  readonly place: RecordPlace;
  /** Comments of anyone else hold no record of ours, whatever they say. */
  readonly author: OwnAuthor;
}

export function createStatusComments({ octokit, repository, place, author }: StatusCommentsInit): StatusComments {
  const number = place.pullNumber;
  const list = () => listComments({ octokit, repository, number });
  const withRecord = (record: StatusRecord, body: string) => `${writeRecord(place, record)}\n${body}`;

  function find(comments: readonly Comment[]): Recorded[] {
    return comments
      .filter((comment) => isOwn(comment, author))
      .flatMap((comment) => {
        const record = readRecord(place, comment);
        return record === undefined ? [] : [{ comment, record }];
      })
      .sort((a, b) => a.comment.id - b.comment.id);
  }

  async function create(record: StatusRecord, body: string): Promise<OwnComment | undefined> {
    try {
      const text = withRecord(record, body);
      const { data } = await octokit.rest.issues.createComment({ ...repository, issue_number: number, body: text });
      return { id: data.id, url: data.html_url };
    } catch (error) {
      if (!isLost(error)) throw error;
      // The reply was lost; whether the comment stands shows the list.
      return undefined;
    }
  }

  async function update(own: OwnComment, change: { record: StatusRecord; body: string; signal?: AbortSignal }) {
    const body = withRecord({ ...change.record, comment: own.id }, change.body);
    const request = change.signal === undefined ? {} : { request: { signal: change.signal } };
    await octokit.rest.issues.updateComment({ ...repository, comment_id: own.id, body, ...request });
  }

  async function remove({ id }: { readonly id: number }): Promise<void> {
    try {
      await octokit.rest.issues.deleteComment({ ...repository, comment_id: id });
    } catch (error) {
      if (!(error instanceof CourierError) || error.httpStatus !== 404) throw error;
    }
  }

  return {
    find,
    update,
    remove,
    async findMade(nonce) {
      const made = find(await list()).find((one) => one.record.nonce === nonce);
      return made && { id: made.comment.id, url: made.comment.url };
    },
    async claim({ record, body, onMade }) {
      const made = await create(record, body);
      if (made !== undefined) onMade(made);
      const claims = find(await list()).filter((one) => isClaim(one.record) && one.record.command === record.command);
      const ours = claims.filter((one) => one.record.nonce === record.nonce);
      const first = claims[0];
      // A comment that was made and does not show yet is no proof that nobody was earlier.
      if (first === undefined || ours[0] === undefined) throw claimLost();
      const won = first.record.nonce === record.nonce;
      for (const extra of won ? ours.slice(1) : ours) await remove(extra.comment);
      if (!won) return { kind: 'taken', by: first };
      return { kind: 'ours', comment: { id: first.comment.id, url: first.comment.url } };
    },
    async answer(record, body) {
      const own = await create(record, body);
      if (own === undefined) throw claimLost();
      return own;
    },
  };
}

function isLost(error: unknown): boolean {
  return error instanceof CourierError && (error.code === 'network' || error.code === 'protocol');
}

function claimLost(): CourierError {
  return new CourierError({
    code: 'network',
    message: 'The status comment could not be written or found again, so nothing was sent.',
    hint: 'Run the job again when GitHub answers.',
  });
}
