import { type CourierError, hintText } from '../errors.ts';

/** What went wrong and what to do, as one line for a warning. A missing permission is named. */
export function adviceOf({ message, hint }: CourierError): string {
  if (hint === undefined) return message;
  const permissions = typeof hint === 'string' ? {} : (hint.permissions ?? {});
  const named = Object.entries(permissions).map(([name, level]) => `${name}: ${level}`);
  return `${message} ${hintText(hint)}${named.length === 0 ? '' : ` ${named.join(', ')}`}`;
}
