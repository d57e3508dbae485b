import { CourierError, hasCode } from '../errors.ts';
import { isOwn } from '../forges/own.ts';
import type { Comment, Forge, OwnAuthor, OwnComment } from '../forges/port.ts';
import { isClaim, isCreation, type RecordPlace, readMarker, type StatusRecord, writeRecord } from './status-record.ts';

/** One status comment of ours, with its record. */
export interface Recorded {
  readonly comment: Comment;
  readonly record: StatusRecord;
}

type Claim =
  | { readonly kind: 'ours'; readonly comment: OwnComment }
  | { readonly kind: 'taken'; readonly by: Recorded };

/** The comments of a pull request that hold records of ours. */
export class RecordedComments {
  readonly #forge: Forge;
  readonly #place: RecordPlace;
  readonly #own: OwnAuthor;

  constructor(forge: Forge, place: RecordPlace, own: OwnAuthor) {
    this.#forge = forge;
    this.#place = place;
    this.#own = own;
  }

  /** Every valid record of ours among these comments, oldest first. */
  find(comments: readonly Comment[]): Recorded[] {
    return comments
      .filter((comment) => isOwn(comment, this.#own))
      .flatMap((comment) => {
        const marker = readMarker(this.#place, comment);
        return marker.kind === 'valid' ? [{ comment, record: marker.record }] : [];
      })
      .sort((a, b) => a.comment.id - b.comment.id);
  }

  /** Comments by our own author whose record has an invalid signature, with the command that each names. */
  findInvalid(comments: readonly Comment[]): { comment: Comment; command: string }[] {
    return comments
      .filter((comment) => isOwn(comment, this.#own))
      .flatMap((comment) => {
        const marker = readMarker(this.#place, comment);
        return marker.kind === 'invalid' ? [{ comment, command: marker.command }] : [];
      });
  }

  /**
   * Claims a command by creating its comment. Of several claims for one command, and of several that make a new job, the
   * oldest counts; the others are removed by those who made them. `onMade` is called as soon as the comment exists, before
   * it is known whether it is the oldest. Throws `forbidden` when the token may not comment.
   */
  async claim(record: StatusRecord, body: string, onMade: (comment: OwnComment) => void): Promise<Claim> {
    const made = await this.#create(record, body);
    if (made !== undefined) onMade(made);
    const claims = this.find(await this.#list()).filter((one) => isRival(one.record, record));
    const ours = claims.filter((one) => one.record.nonce === record.nonce);
    const [first] = claims;
    // A comment that was made and is not listed yet is no signature that nobody was earlier.
    if (first === undefined || ours[0] === undefined) throw claimLost();
    const won = first.record.nonce === record.nonce;
    for (const extra of won ? ours.slice(1) : ours) await this.remove(extra.comment.id);
    if (!won) return { kind: 'taken', by: first };
    return { kind: 'ours', comment: { id: first.comment.id, url: first.comment.url } };
  }

  /** The comment that holds a record with this nonce: for a claim whose making was interrupted. */
  async findMade(nonce: string): Promise<OwnComment | undefined> {
    const made = this.find(await this.#list()).find((one) => one.record.nonce === nonce);
    return made && { id: made.comment.id, url: made.comment.url };
  }

  /** Writes a comment that claims nothing. */
  async answer(record: StatusRecord, body: string): Promise<OwnComment> {
    const own = await this.#create(record, body);
    if (own === undefined) throw claimLost();
    return own;
  }

  update(own: Pick<OwnComment, 'id'>, record: StatusRecord, body: string): Promise<void> {
    return this.#forge.updateComment(
      this.#place.pullNumber,
      own.id,
      this.#withRecord({ ...record, comment: own.id }, body),
    );
  }

  remove(id: number): Promise<void> {
    return this.#forge.removeComment(this.#place.pullNumber, id);
  }

  #list(): Promise<Comment[]> {
    return this.#forge.comments(this.#place.pullNumber);
  }

  /** undefined: the reply was lost, and only the list shows whether the comment exists. */
  async #create(record: StatusRecord, body: string): Promise<OwnComment | undefined> {
    try {
      return await this.#forge.createComment(this.#place.pullNumber, this.#withRecord(record, body));
    } catch (error) {
      if (hasCode(error, 'network', 'protocol')) return undefined;
      throw error;
    }
  }

  #withRecord(record: StatusRecord, body: string): string {
    return `${writeRecord(this.#place, record)}\n${body}`;
  }
}

function isRival(other: StatusRecord, ours: StatusRecord): boolean {
  return isClaim(other) && (other.command === ours.command || (isCreation(ours) && isCreation(other)));
}

function claimLost(): CourierError {
  return new CourierError({
    code: 'network',
    message: 'The status comment could not be written, or was not found again, so nothing was sent.',
    hint: 'Write the command again in a new comment.',
  });
}
