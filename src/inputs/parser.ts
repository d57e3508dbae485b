/** From the text of an input to its value. A parser gives the value, or says what is allowed; it never throws. */
type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly allowed: string };
export type Parser<T> = (text: string) => Parsed<T>;

export function accept<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function reject(allowed: string): { readonly ok: false; readonly allowed: string } {
  return { ok: false, allowed };
}
