import { fieldOf } from '../ground/text/json.ts';
import type { Account, Written } from './pull-request.ts';
import { account } from './replies.ts';

/** A text of an event, which an input of the workflow may contain. */
export interface OutsideText {
  /** Where the event has it, such as `pull_request.title` or `commits.0.message`. */
  readonly name: string;
  /** A body is Markdown, everything else is plain. */
  readonly text: Written | string;
  /** undefined: the event names no account, as for a commit. */
  readonly author: Account | undefined;
}

/** What people of the repository write, and what decides who instructs. */
const INSIDE: ReadonlySet<string> = new Set([
  'repository',
  'organization',
  'enterprise',
  'sender',
  'workflow',
  'inputs',
  'client_payload',
  'base',
  // A fork has the description of the repository itself.
  'repo',
  'label',
  'labels',
  'milestone',
]);
/** These are texts of people even without a blank. */
const ALWAYS_TEXT = /(?:^|\.)(?:title|body|message|display_title|head_branch|head\.(?:ref|label))$/;

/**
 * The texts of people in an event, whatever it is about: every text with a blank that does not come
 * from the repository itself, and the titles and branches without one.
 */
export function readOutsideTexts(payload: unknown): OutsideText[] {
  return textsIn(payload, [], undefined);
}

/** `author`: of the outermost part of the event that names one. */
function textsIn(
  value: unknown,
  path: readonly string[],
  author: Account | undefined,
): OutsideText[] {
  if (typeof value === 'string') {
    const name = path.join('.');
    const isText = /\s/.test(value) || (value !== '' && ALWAYS_TEXT.test(name));
    if (!isText) return [];
    return [{ name, text: /\bbody\b/.test(name) ? { body: value } : value, author }];
  }
  if (typeof value !== 'object' || value === null) return [];
  const innerAuthor = author ?? accountIn(value, 'user') ?? accountIn(value, 'author');
  return Object.entries(value).flatMap(([key, inner]) => {
    // As a text, `label` is that of a branch.
    if (INSIDE.has(key) && typeof inner !== 'string') return [];
    // Of a comment on the diff, another person wrote the lines.
    const by = key === 'diff_hunk' ? undefined : innerAuthor;
    return textsIn(inner, [...path, key], by);
  });
}

/** The account in a field; undefined for anything else, such as the author of a commit. */
function accountIn(value: object, field: string): Account | undefined {
  return account.safeParse(fieldOf(value, field)).data;
}
