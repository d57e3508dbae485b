/**
 * Loaded before the action (`node --import`): notes in which order a run enters the files of `src`,
 * a file with the first call of one of its functions. When the process exits, the list is written
 * to the file that ENTRANCES_FILE names.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { childrenOf, isNode, type Node, parse } from './counts.ts';

const SOURCES = new URL('../../src/', import.meta.url).href;
const MAIN = 'entry/action.ts';
const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const entered = new Set<string>();

/** Calls before the main file runs are those that build constants while modules are loaded. */
function enter(file: string): void {
  if (file === MAIN || entered.has(MAIN)) entered.add(file);
}

interface Mark {
  readonly at: number;
  readonly text: string;
}

/** A call as the first thing that a function does. The lines of the file stay as they are. */
function marksOf(one: Node, call: string): Mark[] {
  const marks = childrenOf(one).flatMap((child) => marksOf(child, call));
  const body = one['body'];
  if (!FUNCTION.test(one.type) || !isNode(body)) return marks;
  if (body.type === 'BlockStatement') return [...marks, { at: body.start + 1, text: `${call};` }];
  return [...marks, { at: body.start, text: `(${call},` }, { at: body.end, text: ')' }];
}

function mark(file: string, text: string): string {
  const call = `globalThis.enter('${file}')`;
  const marks = marksOf(parse(text), call).sort((one, other) => other.at - one.at);
  const marked = marks.reduce(
    (result, { at, text: added }) => result.slice(0, at) + added + result.slice(at),
    text,
  );
  // The imports of a module are evaluated before its first statement, wherever they are.
  return file === MAIN ? `${call};${marked}` : marked;
}

Object.assign(globalThis, { enter });
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith(SOURCES)) return loaded;
    return {
      ...loaded,
      source: mark(url.slice(SOURCES.length), readFileSync(new URL(url), 'utf8')),
    };
  },
});
process.on('exit', () => {
  const list = process.env['ENTRANCES_FILE'];
  if (list !== undefined) writeFileSync(list, [...entered].join('\n'));
});
