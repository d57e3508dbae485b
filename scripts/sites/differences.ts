import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';

const explanation = z.object({
  generator: z.string(),
  version: z.string(),
  /** The list that the difference is in. */
  list: z.string(),
  /** What a line of the list contains. */
  contains: z.string(),
  reason: z.string(),
});
type Explanation = z.infer<typeof explanation>;

const FILE = 'scripts/sites/differences.yml';

/** What was found about one site, by list: each line is one difference. */
export type Lists = Readonly<Record<string, readonly string[]>>;

/** The differences that are known, with their reasons. */
export function readExplanations(): readonly Explanation[] {
  const text = readFileSync(join(import.meta.dirname, 'differences.yml'), 'utf8');
  return z.array(explanation).parse(parse(text));
}

/** The lines without an explanation, and the explanations without a line. */
export function findUnexplained(
  generator: { readonly name: string; readonly version: string },
  lists: Lists,
  explanations: readonly Explanation[],
): string[] {
  const own = explanations.filter((one) => one.generator === generator.name);
  const explains = (one: Explanation, list: string, line: string) =>
    one.list === list && line.includes(one.contains);
  const lines = Object.entries(lists).flatMap(([list, all]) =>
    all.map((line) => [list, line] as const),
  );
  const unexplained = lines.filter(([list, line]) => !own.some((one) => explains(one, list, line)));
  const outdated = own.filter(
    (one) =>
      one.version !== generator.version || !lines.some(([list, line]) => explains(one, list, line)),
  );
  return [
    ...unexplained.map(([list, line]) => `${generator.name}: ${list}: ${line}`),
    ...outdated.map(
      ({ list, contains }) =>
        `${generator.name} ${generator.version}: remove "${contains}" (${list}) from ${FILE}: it does not occur any more`,
    ),
  ];
}
