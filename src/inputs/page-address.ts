import { accept, type Parser, reject } from './parser.ts';

/** The address of a page in the site, or a pattern of such: `/guide/start`, `/api/*`, `/guide/**`. */
export const pageAddress: Parser<string> = (value) => {
  const isAddress = /^\/[^\s\p{Cc}?#\\]{0,999}$/u.test(value) && !/(^|\/)\.{1,2}(\/|$)|\/\//.test(value);
  if (isAddress) return accept(value);
  const hint = /^[^\s/:?#]+(\/[^\s:?#]*)*$/.test(value) ? `; write /${value}` : '';
  return reject(`the address of a page in the site, such as /guide/start or /guide/**${hint}`);
};
