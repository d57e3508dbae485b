import { expect, test } from 'vitest';
import { RUN_DEFAULTS, runStep, type StepOptions } from '../support/runner.ts';
import { startActionWorld, stepWithSecret, writes } from '../support/world/built-action.ts';
import { NAME } from '../support/world/names.ts';

interface Refusal {
  readonly what: string;
  readonly inputs: Record<string, string>;
  readonly more?: Omit<Partial<StepOptions>, 'inputs'>;
  readonly code: string;
  readonly tells: string;
  /** Requests to GitHub; the platform gets none. */
  readonly requests: 'none' | 'some';
}

const REFUSALS: readonly Refusal[] = [
  {
    what: "the workflow's own token",
    inputs: { 'secret-token': RUN_DEFAULTS.githubToken },
    code: 'forbidden',
    tells: 'permission-secrets: write',
    requests: 'none',
  },
  {
    what: 'the event of a stranger',
    inputs: {},
    more: { eventName: 'issue_comment', event: { action: 'created' } },
    code: 'refused',
    tells: 'This is done on a push',
    requests: 'none',
  },
  {
    what: 'a new organization secret without visibility',
    inputs: { to: `github:org/acme/${NAME}` },
    code: 'config',
    tells: '?visibility=selected',
    requests: 'some',
  },
  {
    what: 'a token that reaches no secret of that environment',
    inputs: { to: `github:env/prod%2Feu/${NAME}` },
    code: 'forbidden',
    tells: 'permission-environments: write',
    requests: 'some',
  },
];

test.concurrent.each(REFUSALS)(
  'A run with $what ends before any request to the platform',
  async (refusal) => {
    await using world = await startActionWorld();
    const result = await runStep(stepWithSecret(world, refusal.inputs, refusal.more));
    expect(result.exitCode, result.log).toBe(1);
    expect(result.outputs['error-code'], result.log).toBe(refusal.code);
    for (const text of [result.log, result.summary]) expect(text).toContain(refusal.tells);
    expect(world.platform.requests).toEqual([]);
    expect(world.github.requests.length > 0).toBe(refusal.requests === 'some');
    expect(writes(world)).toEqual([]);
  },
);
