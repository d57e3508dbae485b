import vendors from 'ci-info/vendors.json' with { type: 'json' };
import * as z from 'zod/mini';
import type { Env } from './port.ts';

/**
 * How CI systems are found, and how they show that a run is for a pull request: the table of `ci-info`, read by the
 * environment that is given; that library itself reads the one of the process, once, when it is loaded.
 */

const variable = z.string();
const anyOf = z.strictObject({ any: z.array(variable) });
const includes = z.strictObject({ env: variable, includes: z.string() });
const not = z.strictObject({ env: variable, ne: z.string() });
const oneOf = z.strictObject({ env: variable, any: z.array(z.string()) });
const values = z.record(variable, z.string());
const sign = z.union([variable, anyOf, includes, not, oneOf, values]);
// A condition of a new kind throws at once: it must not be read as something else.
const table = z.array(
  z.object({
    name: z.string(),
    constant: z.string(),
    env: z.union([sign, z.array(sign)]),
    pr: z.optional(sign),
  }),
);

type Sign = z.infer<typeof sign>;
type Vendor = z.infer<typeof table>[number];

/** The systems of the table. */
const VENDORS: readonly Vendor[] = table.parse(vendors);

/** The system by its name in the table, such as `TRAVIS`, and for people; undefined: there is no sign of any. */
export function findVendor(env: Env): { readonly constant: string; readonly name: string } | undefined {
  return VENDORS.find(({ env: signs }) => [signs].flat().every((one) => variableOf(one, env) !== undefined));
}

/** The variable by which a system shows that the run is for a pull request. Systems that are not found count too. */
export function findPullRequestSign(env: Env): string | undefined {
  for (const { pr } of VENDORS) {
    const found = pr && variableOf(pr, env);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The variable that fulfils the condition; undefined where none does. */
function variableOf(condition: Sign, env: Env): string | undefined {
  const isSet = (name: string) => (env[name] ?? '') !== '';
  if (typeof condition === 'string') return isSet(condition) ? condition : undefined;
  if ('env' in condition && typeof condition.env === 'string') {
    const { env: name } = condition;
    const value = env[name] ?? '';
    if (value === '') return undefined;
    return meets(condition, value) ? name : undefined;
  }
  if ('any' in condition && Array.isArray(condition.any)) return condition.any.find(isSet);
  const pairs = Object.entries(condition);
  return pairs.every(([name, value]) => env[name] === value) ? pairs[0]?.[0] : undefined;
}

function meets(condition: Exclude<Sign, string>, value: string): boolean {
  if ('ne' in condition) return value !== condition.ne;
  if ('includes' in condition && typeof condition.includes === 'string') return value.includes(condition.includes);
  return 'any' in condition && Array.isArray(condition.any) && condition.any.includes(value);
}
