import { hideCredentials } from './hide-credentials.ts';

/**
 * JSON that is printed: without credentials, and without what a CI system takes for a command, with
 * the same meaning.
 */
export function printedJson(value: unknown, indent = 2): string {
  const shown = (_name: string, part: unknown) =>
    typeof part === 'string' ? hideCredentials(part) : part;
  return JSON.stringify(value, shown, indent).replaceAll('##', '\\u0023\\u0023');
}
