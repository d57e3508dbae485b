/** The value of a JSON text; undefined where it is not JSON. Fit for a schema's `safeParse`, which refuses undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
