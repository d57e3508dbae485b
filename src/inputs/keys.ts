import { accept, type Parser, reject } from './parser.ts';

/** True for what looks like a key or token of some service: a word, `_`, and a long rest with digits in it. */
export function isKeyShaped(value: string): boolean {
  return /^[A-Za-z0-9]{2,20}_(?=(\D*\d){4})[A-Za-z0-9_.-]{16,}$/.test(value);
}

const ASSISTANT_KEY = /^[A-Za-z0-9]+_dsc_/;
const SHORTEST_KEY = 8;

const SCHEME = /^(?:authorization:\s*)?(?:bearer|token|basic)\s+/i;
// A name in capitals, and enough behind the sign: base64 ends with `=` too.
const ASSIGNMENT = /^(?:(?:export|set)\s+\w+|[A-Z][A-Z0-9_]*)=(?=[^=].{6})/;

/** What was copied together with a key, without the key: the scheme of a header, the assignment of a shell, quotes. */
function copiedExcess(value: string): string | undefined {
  const before = (SCHEME.exec(value) ?? ASSIGNMENT.exec(value))?.[0] ?? '';
  const isQuoted = /^["'`]/.test(value.slice(before.length)) || /["'`]$/.test(value);
  const parts = [before === '' ? undefined : `"${before}"`, isQuoted ? 'the quotes' : undefined];
  const excess = parts.filter((part) => part !== undefined).join(' and ');
  return excess === '' ? undefined : excess;
}

/** An API key of the wanted kind. What is wrong is reported without the key. */
export function apiKey(kind: 'admin' | 'assistant'): Parser<string> {
  const wanted = kind === 'admin' ? 'an admin API key' : 'an assistant API key (its second word is dsc)';
  return (value) => {
    const excess = copiedExcess(value);
    if (excess !== undefined) return reject(`${wanted} alone; leave out ${excess}`);
    if (!/^[!-~]+$/.test(value)) return reject(`${wanted}: one line of printable ASCII characters`);
    if (value.length < SHORTEST_KEY) return reject(`${wanted}: at least ${SHORTEST_KEY} characters`);
    if (ASSISTANT_KEY.test(value) === (kind === 'assistant')) return accept(value);
    return reject(
      `${wanted}; this one is ${kind === 'admin' ? 'an assistant key, which may not start jobs' : 'not: an admin key must not travel where public keys do'}`,
    );
  };
}

/** A token for GitHub: opaque, but one line that a header can carry. */
export const apiToken: Parser<string> = (value) => {
  const excess = copiedExcess(value);
  if (excess !== undefined) return reject(`a token alone; leave out ${excess}`);
  if (/^[!-~]{8,4096}$/.test(value)) return accept(value);
  return reject('a token: one line of at least 8 printable ASCII characters');
};
