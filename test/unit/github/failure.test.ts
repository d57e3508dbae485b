import { describe, expect, it } from 'vitest';
import { readFailure } from '../../../src/github/failure.ts';
import { createRedact } from '../../../src/text/redact.ts';

const TOKEN = 'ghs_canaryToken0123456789abcdef';

function failureOf(status: number, message: string, headers: Record<string, string> = {}) {
  return readFailure({
    error: { status, response: { headers, data: { message } } },
    options: { method: 'PUT', url: '/repos/{owner}/{repo}/actions/secrets/{secret_name}' },
    nowMs: Date.parse('2026-03-01T12:00:00Z'),
    cancelled: false,
    redact: createRedact([TOKEN]),
  });
}

describe("GitHub's words about a failure", () => {
  it('hold no secret, not even the part of one that a cut would leave', () => {
    for (const before of [0, 270, 280, 290]) {
      const { message } = failureOf(422, `${'x'.repeat(before)}${TOKEN} was refused`).error;
      expect(message).not.toContain('ghs_canary');
    }
  });

  it('name the call without what stands in its path, and are one inert line', () => {
    const { error } = failureOf(403, '##[add-mask]x\n::error::y');
    expect(error.message).toBe(
      'GitHub PUT /repos/{owner}/{repo}/actions/secrets/{secret_name} answered 403: ##\\[add-mask]x ::error::y.',
    );
    expect(error.code).toBe('forbidden');
  });
});
