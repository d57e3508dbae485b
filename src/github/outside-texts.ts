import * as z from 'zod/mini';
import type { Account, Written } from './pull-request.ts';
import { account } from './replies.ts';

/** A text of an event, which an input of the workflow may contain. */
export interface OutsideText {
  /** Such as `pull_request.title`. */
  readonly name: string;
  /** A title and a branch are plain, everything else is Markdown. */
  readonly text: Written | string;
  readonly author: Account | undefined;
}

const text = z.nullish(z.string());
const subject = z.object({
  user: z.nullish(account),
  title: text,
  body: text,
  head: z.nullish(z.object({ ref: text })),
});

/** The texts of people in an event: of what it is about, whatever that is. */
export function readOutsideTexts(payload: unknown): OutsideText[] {
  const event = z.record(z.string(), z.unknown()).safeParse(payload).data ?? {};
  return Object.entries(event).flatMap(([key, value]) => {
    const { user, title, body, head } = subject.safeParse(value).data ?? {};
    const author = user ?? undefined;
    const texts: OutsideText[] = [];
    if (title) texts.push({ name: `${key}.title`, text: title, author });
    if (body) texts.push({ name: `${key}.body`, text: { body }, author });
    if (head?.ref) texts.push({ name: `${key}.head`, text: head.ref, author });
    return texts;
  });
}
