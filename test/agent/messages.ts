import { expect } from 'vitest';
import type { World } from '../support/world.ts';

/** The agent was sent this many messages. */
export function expectMessages({ platform }: Pick<World, 'platform'>, count: number): void {
  expect(platform.messages).toHaveLength(count);
}

/** What the first message to the agent says. */
export function firstPrompt({ platform }: Pick<World, 'platform'>): string {
  const [message] = platform.messages;
  if (message === undefined) throw new Error('No message was sent to the agent.');
  return message.prompt;
}

/** The first attempt of a run, and its re-run. */
export const FIRST = { run: { runId: '76' } };
export const AGAIN = { run: { runId: '76', runAttempt: 2 } };
