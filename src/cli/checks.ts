import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Check } from '../ci/port.ts';
import { parseJson } from '../text/json.ts';

const verifyReport = z.object({
  pages: z.number(),
  findings: z.array(
    z.object({ level: z.string(), kind: z.string(), page: z.string(), target: z.string(), reason: z.string() }),
  ),
});

const OUTCOMES: Readonly<Record<string, Check['outcome']>> = { error: 'failed', warning: 'warning' };

/** What the verification of a site found, from the file of `verify-report`. Notes are no findings that anybody has to mend. */
export function readVerification(path: string): readonly Check[] {
  const { pages, findings } = verifyReport.parse(parseJson(readFileSync(path, 'utf8')));
  const found = findings.flatMap(({ level, kind, page, target, reason }): Check[] => {
    const outcome = OUTCOMES[level];
    if (outcome === undefined) return [];
    const name = target === '' ? kind : `${kind} ${target}`;
    return [
      { group: 'verification', name, file: page === '' ? undefined : page, outcome, message: `${page}: ${reason}` },
    ];
  });
  const whole: Check = { group: 'verification', name: `${pages} pages were checked`, outcome: 'passed' };
  return [whole, ...found];
}
