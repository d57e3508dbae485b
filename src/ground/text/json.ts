import type * as z from 'zod/mini';

/**
 * The value of a JSON text; undefined if it is not JSON. A schema's `safeParse` refuses undefined,
 * so it can be given this value as it is.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The value at this path of a JSON value; undefined if there is no such field. For code that reads
 * single fields and needs no schema.
 */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let field = value;
  for (const name of path) {
    if (typeof field !== 'object' || field === null) return undefined;
    // Not `field[name]`, which also has what every object inherits, such as `constructor`.
    field = Object.getOwnPropertyDescriptor(field, name)?.value;
  }
  return field;
}

/** The text at this path of a JSON value; empty if there is none. */
export function textOf(value: unknown, ...path: readonly string[]): string {
  const field = fieldOf(value, ...path);
  return typeof field === 'string' ? field : '';
}

/** True for `application/json` and its relatives, such as `application/scim+json`. */
export function isJsonType(contentType: string | undefined): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '');
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What is wrong with a reply, field by field: the first three, which are enough to see why. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.slice(0, 3).map((issue) => {
    const place = issue.path.map(String).join('.') || 'the reply';
    return `${place}: ${wordingOf(issue)}`;
  });
  return lines.join('; ');
}

// For a wrong type, the library has words only if it is given a language, which takes much room.
function wordingOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  return `must be ${WORDS[issue.expected] ?? issue.expected}`;
}
