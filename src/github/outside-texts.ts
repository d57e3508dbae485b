import { fieldOf } from '../ground/text/json.ts';
import type { Account } from './pull-request.ts';
import { account } from './replies.ts';

/** A text of an event, which an input of the workflow may contain. */
export interface OutsideText {
  /** Where the event has it, such as `pull_request.title` or `commits.0.message`. */
  readonly name: string;
  readonly text: string;
  /** undefined: the event does not say which account wrote it, as for a commit. */
  readonly author: Account | undefined;
}

/** What people of the repository write, and what decides who instructs, at the top of an event. */
const OWN_AT_TOP: ReadonlySet<string> = new Set([
  'organization',
  'enterprise',
  'sender',
  'pusher',
  'workflow',
  'schedule',
  'inputs',
  // Its other fields mostly pass on what other people wrote.
  'client_payload.prompt',
  'ref',
  'base_ref',
  'label',
]);
/** The same, in any part of an event. `type` is that of an issue. */
const OWN: ReadonlySet<string> = new Set(['repository', 'base', 'labels', 'milestone', 'type']);
/** Addresses, ids and fixed words of GitHub. These have no blank. */
const MADE_BY_GITHUB =
  /(?:^|_)(?:url|href|compare|id|action|state|reason|status|conclusion|event|association|side)$/;
const HASH_OR_TIME =
  /^(?:[\da-f]{40}|[\da-f]{64}|\d{4}-\d\d-\d\dT[\d:.]{5,15}(?:Z|[+-]\d\d:\d\d))$/;
/** What the account beside it wrote. Beside a branch, this is the owner of its repository. */
const BY_ACCOUNT = /^(?:title|body|name|tag_name|ref|label)$/;
/** Any other key is free text, which could be an instruction: its number is its name. */
const PLAIN_KEY = /^[\w-]{1,40}$/;

interface Part {
  readonly value: unknown;
  readonly name: string;
  readonly isOwn: boolean;
}

/**
 * The texts of an event, whatever it is about, except what GitHub makes itself and what is the
 * repository's own too.
 */
export function readOutsideTexts(payload: unknown): OutsideText[] {
  const own = new Set<unknown>();
  const texts: OutsideText[] = [];
  const parts = [{ value: payload, name: '', isOwn: false }];
  // A loop, since parts may be nested deeper than calls can be.
  for (const part of parts) {
    for (const [key, inner] of fieldsOf(part)) {
      const { value: text, name, isOwn } = inner;
      if (typeof text === 'object') parts.push(inner);
      else if (isOwn) own.add(text);
      else if (isText(key, text)) texts.push({ name, text, author: authorOf(key, part.value) });
    }
  }
  return texts.filter(({ text }) => !own.has(text));
}

function fieldsOf({ value, name, isOwn }: Part): [string, Part][] {
  return Object.entries(value ?? {}).map(([key, inner]: [string, unknown], index) => {
    const step = PLAIN_KEY.test(key) ? key : String(index);
    const path = name === '' ? step : `${name}.${step}`;
    const part = { value: inner, name: path, isOwn: isOwn || OWN.has(key) || OWN_AT_TOP.has(path) };
    return [key, part];
  });
}

function isText(key: string, value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (MADE_BY_GITHUB.test(key) && !/\s/.test(value)) return false;
  return value.trim() !== '' && !HASH_OR_TIME.test(value);
}

/** The account that wrote what is at this key. The author of a commit is not an account. */
function authorOf(key: string, part: unknown): Account | undefined {
  if (!BY_ACCOUNT.test(key)) return undefined;
  const { data } = account.safeParse(fieldOf(part, 'user'));
  return data ?? account.safeParse(fieldOf(part, 'author')).data;
}
