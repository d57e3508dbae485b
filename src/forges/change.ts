import * as z from 'zod/mini';
import type { PullChange } from './port.ts';

/** Payloads of GitHub and Gitea, which are alike here: only what is read. */
const label = z.object({ name: z.string() });
const onPull = z.object({
  action: z.string(),
  label: z.nullish(label),
  changes: z.nullish(z.object({ added_labels: z.nullish(z.array(label)) })),
  pull_request: z.object({ merged: z.nullish(z.boolean()), labels: z.nullish(z.array(label)) }),
});
const onPush = z.object({
  ref: z.string(),
  after: z.string(),
  commits: z.nullish(z.array(z.object({ id: z.string() }))),
});

const PULL_EVENTS: ReadonlySet<string> = new Set(['pull_request', 'pull_request_target']);
const COMMIT = /^[0-9a-f]{40,64}$/;
// Each costs a request.
const MOST_COMMITS = 20;

/** What an event says of a pull request's own life; undefined: nothing. */
export function readChange(eventName: string, payload: unknown): PullChange | undefined {
  if (eventName === 'push') return readPush(payload);
  const event = PULL_EVENTS.has(eventName) ? onPull.safeParse(payload) : undefined;
  if (!event?.success) return undefined;
  const { action, label: added, changes, pull_request: pull } = event.data;
  if (action === 'closed') return { kind: pull.merged === true ? 'merged' : 'closed' };
  // Of GitHub, then of Gitea.
  if (action === 'labeled' && added) return { kind: 'labelled', labels: [added.name] };
  if (action === 'label_updated')
    return { kind: 'labelled', labels: namesOf(changes ? changes.added_labels : pull.labels) };
  return undefined;
}

function namesOf(labels: readonly { readonly name: string }[] | null | undefined): string[] {
  return (labels ?? []).map(({ name }) => name);
}

function readPush(payload: unknown): PullChange | undefined {
  const event = onPush.safeParse(payload);
  const branch = event.success ? /^refs\/heads\/(.+)$/.exec(event.data.ref)?.[1] : undefined;
  if (!event.success || branch === undefined) return undefined;
  const { after, commits } = event.data;
  const listed = (commits ?? []).map(({ id }) => id);
  // GitHub lists the newest last, Gitea first.
  const ids = [after, ...(listed[0] === after ? listed : listed.toReversed())];
  const real = ids.filter((id) => COMMIT.test(id) && !/^0+$/.test(id));
  const known = [...new Set(real)];
  return { kind: 'pushed', branch, commits: known.slice(0, MOST_COMMITS), isCut: known.length > MOST_COMMITS };
}
