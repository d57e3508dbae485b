import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { ForgeHost, InstructionSource, Trigger } from '../port.ts';
import {
  commentFields,
  createAddressReader,
  createTriggerReader,
  instant,
  notOnPull,
  pullFields,
  toTrigger,
} from '../shared.ts';
import type { GiteaForgeInit } from './forge.ts';
import { account } from './replies.ts';

interface GiteaHostInit extends Omit<GiteaForgeInit, 'tokens' | 'signal'> {
  readonly eventName: string;
  /** The payload. */
  readonly event: () => Promise<unknown>;
}

/** Gitea or Forgejo as the run's event and environment show it; a client is made when one is asked for. */
export function createGiteaHost(init: GiteaHostInit): ForgeHost {
  const { name, repository, serverUrl, eventName, event } = init;
  return {
    name,
    repository,
    commentsAddress: (pullNumber) => `${serverUrl}/api/v1/repos/${repository}/issues/${pullNumber}/comments`,
    trigger: async ({ source }) => readTrigger(eventName, await event(), source),
    readAddress: (url) => readAddress(url, serverUrl),
    async connect(tokens, signal) {
      const { GiteaForge } = await import('./forge.ts');
      return new GiteaForge({ ...init, tokens, signal });
    },
  };
}

const commented = z.pipe(
  z.object({
    sender: account,
    comment: z.object({ ...commentFields, body: z.string(), user: account, created_at: instant }),
    issue: z.object(pullFields),
    is_pull: z.boolean(),
  }),
  z.transform(({ sender, comment, issue: pull, is_pull: isPull }): Trigger => {
    if (!isPull) return notOnPull(pull.number);
    const facts = { place: 'conversation', isMember: undefined, spot: undefined } as const;
    return toTrigger({ ...facts, sender, comment, at: comment.created_at, pull });
  }),
);

const read = createTriggerReader({
  forge: 'Gitea',
  account,
  // The second one if a workflow names it; the payload is the same.
  comments: { issue_comment: commented, pull_request_comment: commented },
  writerEvents: new Set(['push', 'schedule', 'workflow_dispatch']),
  hint: 'Docs Courier was run against Gitea 1.26. Report the version of your server.',
});

export function readTrigger(name: string, payload: unknown, source: InstructionSource): Trigger {
  if (source !== 'prompt' && name.startsWith('pull_request_review')) throw reviewError(name);
  return read(name, payload, source);
}

/** A command needs an id, so that it is sent once, and a time, to compare with pushes: reviews have neither there. */
function reviewError(eventName: string): CourierError {
  return new CourierError({
    code: 'config',
    message: `The event ${eventName} of Gitea says neither which comment it is about nor when it was written, so a command in it cannot be carried out. Nothing was sent.`,
    hint: 'Start the workflow on issue_comment alone: a comment below the pull request can contain the command.',
  });
}

export const readAddress = createAddressReader({ owner: '[A-Za-z0-9_][A-Za-z0-9._-]{0,99}', pulls: 'pulls' });
