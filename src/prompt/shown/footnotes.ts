import type { Env as ParserEnv, StateInline, Token } from 'markdown-it';

const FOOTNOTE_REFERENCE = /\[\^([^\s\]]{1,200})\]/y;

/** The numbers of the footnotes that are referred to, by label, and the labels that are defined. */
interface Footnotes {
  readonly numbers: Map<string, number>;
  defined?: ReadonlySet<string>;
}

export interface Environment extends ParserEnv {
  readonly footnotes?: { readonly refs?: Readonly<Record<string, number>> };
  readonly used: Footnotes;
}

// The parser's own type of what the rules share is `any`: this is where it gets a shape.
export const environments = new WeakMap<object, Environment>();

export function footnoteReference(state: StateInline, silent: boolean): boolean {
  FOOTNOTE_REFERENCE.lastIndex = state.pos;
  const label = FOOTNOTE_REFERENCE.exec(state.src)?.[1]?.toLowerCase();
  const env = environments.get(state.env);
  if (label === undefined || env === undefined) return false;
  const { used } = env;
  used.defined ??= new Set(Object.keys(env.footnotes?.refs ?? {}).map((key) => key.slice(1).toLowerCase()));
  if (!used.defined.has(label)) return false;
  if (!silent) {
    const number = used.numbers.get(label) ?? used.numbers.size + 1;
    used.numbers.set(label, number);
    state.push('footnote_ref', '', 0).content = String(number);
  }
  state.pos = FOOTNOTE_REFERENCE.lastIndex;
  return true;
}

interface SplitTokens {
  readonly text: Token[];
  /** Footnotes by label; of two with one label the first counts. */
  readonly notes: ReadonlyMap<string, Token[]>;
}

export function splitFootnotes(tokens: readonly Token[]): SplitTokens {
  const text: Token[] = [];
  const notes = new Map<string, Token[]>();
  const into: Token[][] = [text];
  for (const token of tokens) {
    if (token.type === 'footnote_reference_open') {
      const label = labelOf(token);
      const note: Token[] = [];
      if (!notes.has(label)) notes.set(label, note);
      into.push(note);
    } else if (token.type === 'footnote_reference_close') into.pop();
    else into.at(-1)?.push(token);
  }
  return { text, notes };
}

function labelOf({ meta }: Token): string {
  const data: unknown = meta;
  const label = typeof data === 'object' && data !== null && 'label' in data ? data.label : undefined;
  return String(label).toLowerCase();
}

export function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { type, content }) => sum + (type === 'inline' || content !== '' ? content.length : 0), 0);
}
