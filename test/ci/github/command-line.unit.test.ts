import { EOL } from 'node:os';
import * as toolkit from '@actions/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commandLineStep } from '../../../src/ci/github/command-line.ts';
import type { Toolkit } from '../../../src/ground/log.ts';

/** The standard output while `call` runs. */
function writtenBy(call: () => void): string {
  let written = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  call();
  stdout.mockRestore();
  return written;
}

afterEach(() => vi.restoreAllMocks());

const text = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc
    .array(fc.constantFrom('%', '\r', '\n', ':', ',', '::', '%0A', 'é', ' '), { maxLength: 8 })
    .map((parts) => parts.join('')),
);

describe('the workflow commands of the command line', () => {
  it.each<[string, (log: Toolkit, message: string) => void]>([
    ['info', (log, message) => log.info(message)],
    ['debug', (log, message) => log.debug?.(message)],
    ['notice', (log, message) => log.notice(message)],
    [
      'warning',
      (log, message) =>
        log.warning(message, { title: message || 'a title', file: 'a:b,c.md', startLine: 3 }),
    ],
    ['error', (log, message) => log.error(message, { title: message || 'a title' })],
    ['a group', (log, message) => log.startGroup(message)],
    ['the end of a group', (log) => log.endGroup()],
    ['a mask', (log, message) => log.setSecret(message)],
  ])('The command line writes the command %s as the toolkit does', (_, call) => {
    fc.assert(
      fc.property(text, (message) => {
        const own = writtenBy(() =>
          call(
            commandLineStep({ env: {}, write: (line) => process.stdout.write(`${line}${EOL}`) })
              .toolkit,
            message,
          ),
        );
        expect(own).toBe(writtenBy(() => call(toolkit, message)));
      }),
      { numRuns: 50 },
    );
  });
});
