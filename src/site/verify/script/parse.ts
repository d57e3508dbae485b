import { Script } from 'node:vm';
import { type ESTree, type Options, parse } from 'meriyah';
import { parseJson } from '../../../ground/text/json.ts';

/**
 * The program of a script; `data`: it is JSON, which loads nothing; `invalid`: no browser runs it;
 * `unread`: a browser may run it, but it could not be read.
 */
type Parsed = ESTree.Program | 'data' | 'invalid' | 'unread';

// An address where a text begins. In a payload, which is one long text, the quotation mark of an
// address is behind a backslash.
const ADDRESS_IN_TEXT =
  /(?<!\\)["'`]\s*(?:(?:https?|wss?|file):|(?:\\?[/\\]){2})|\}:?\/\/|["']:\/\/|%2f%2f/i;
// Begins with letters, which are found faster than the start of a word.
const MODULE = /port(?:(?<=\bimport)(?:\s*[({*"'`]|\s+[\w$]+\s*(?:,|from\b))|(?<=\bexport)\s*[*{])/;
// HTML and code in texts, in which an address need not be at the beginning.
const NESTED_CODE =
  /HTML\b|\bwrite(?:ln)?\s*\(|\b(?:eval|Function|Blob|createContextualFragment|createTextNode)\s*\(|\bsrcdoc\b|\.(?:text|textContent|cssText)\s*=|\burl\(|["']<\w/;

/** Whether a script can load anything from an address in it. Most cannot, and need not be read. */
export function mayLoad(code: string): boolean {
  if (ADDRESS_IN_TEXT.test(code) || MODULE.test(code)) return true;
  return code.includes('//') && NESTED_CODE.test(code);
}

const STATEMENT_OF_MODULE = /\b(?:import|export)\b\s*["'{*\w$]|\bimport\.meta\b/;

/**
 * A browser knows from the page whether a script is a module; a file alone does not say so. One
 * that is not valid as what it looks like is read as the other.
 */
export function parseScript(code: string, options: Options = {}): Parsed {
  const looksLikeModule = STATEMENT_OF_MODULE.test(code);
  const goals = ['script', 'module'] as const;
  let isTooDeep = false;
  for (const sourceType of looksLikeModule ? goals.toReversed() : goals) {
    try {
      // A handler may return; HTML comments are comments in scripts only.
      return parse(code, {
        sourceType,
        next: true,
        globalReturn: sourceType === 'script',
        webcompat: sourceType === 'script',
        validateRegex: false,
        ...options,
      });
    } catch (error) {
      // The parser calls itself: texts that are nested too deep end its stack.
      isTooDeep ||= error instanceof RangeError;
    }
  }
  if (parseJson(code) !== undefined) return 'data';
  // Only the engine of Chromium, which is that of Node, knows whether it is a newer syntax.
  return isTooDeep || looksLikeModule || isAccepted(code) ? 'unread' : 'invalid';
}

/** Compiles, and does not run. */
function isAccepted(code: string): boolean {
  try {
    return new Script(code) !== undefined;
  } catch {
    return false;
  }
}
