import { TokenType, tokenizer } from '@csstools/css-tokenizer';
import type { Reference } from './reference.ts';

// The tokenizer is a tenth as fast as this test, which most style attributes fail.
const MAY_FETCH = /url\(|src\(|@import|image-set\(/i;
const TAKES_ADDRESS = /^(?:url|src|(?:-webkit-)?image-set)$/;

/** Every address that a style sheet, a `style` element or a `style` attribute fetches. */
export function scanCss(css: string): Reference[] {
  return MAY_FETCH.test(css) ? new CssScan().read(css) : [];
}

class CssScan {
  readonly #found: Reference[] = [];
  /** Names of the functions that are open; empty for plain brackets. */
  readonly #open: string[] = [];
  /** Until the rule's address has come. A name space is a name that nobody fetches. */
  #rule: 'import' | 'namespace' | undefined;

  read(css: string): Reference[] {
    const tokens = tokenizer({ css });
    while (!tokens.endOfFile()) {
      const token = tokens.nextToken();
      switch (token[0]) {
        case TokenType.AtKeyword:
          this.#startRule(token[4].value.toLowerCase());
          break;
        case TokenType.Semicolon:
        case TokenType.OpenCurly:
          this.#rule = undefined;
          break;
        case TokenType.Function:
          this.#open.push(token[4].value.toLowerCase());
          break;
        case TokenType.OpenParen:
          this.#open.push('');
          break;
        case TokenType.CloseParen:
          this.#open.pop();
          break;
        case TokenType.URL:
          this.#take(token[4].value);
          break;
        case TokenType.String:
          this.#takeString(token[4].value);
          break;
      }
    }
    return this.#found;
  }

  #startRule(name: string): void {
    this.#rule = name === 'import' || name === 'namespace' ? name : undefined;
  }

  #takeString(text: string): void {
    const within = this.#open.at(-1);
    if (within === undefined ? this.#rule !== undefined : TAKES_ADDRESS.test(within)) this.#take(text);
  }

  #take(raw: string): void {
    const rule = this.#rule;
    this.#rule = undefined;
    if (rule === 'namespace') return;
    this.#found.push({ raw, use: 'load', what: rule === 'import' ? 'imported style sheet' : 'file of a style' });
  }
}
