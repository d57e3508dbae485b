/** The value of a JSON text; undefined where it is not JSON. Fit for a schema's `safeParse`, which refuses undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at this path of a JSON value; undefined where it has no such field. For a single field, where a schema is too much. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = new Map<string, unknown>(Object.entries(found)).get(name);
  }
  return found;
}
