import { parseAst } from 'rolldown/parseAst';

/** What one file of TypeScript contains. Comments count for the lines alone. */
export interface Counts {
  readonly lines: number;
  /** Lines that are neither empty nor of a comment. */
  readonly codeLines: number;
  /** Nodes of the syntax tree: the size that joining lines cannot hide. */
  readonly nodes: number;
  readonly conditionals: number;
  /** Conditional expressions in a branch or the condition of another one. */
  readonly nestedConditionals: number;
  readonly destructurings: number;
  /** `&&`, `||` and `??`. */
  readonly logicals: number;
  /** `as`, besides `as const`, and `!` after a value. */
  readonly casts: number;
  readonly picks: number;
  /** Functions, classes and types at the top level. */
  readonly names: readonly string[];
  /** Names and texts in the code, in lower case. */
  readonly words: ReadonlySet<string>;
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

export function countsOf(text: string): Counts {
  const found = {
    nodes: 0,
    conditionals: 0,
    nestedConditionals: 0,
    destructurings: 0,
    logicals: 0,
    casts: 0,
    picks: 0,
  };
  const words = new Set<string>();
  const visit = (one: Node, isInConditional: boolean): void => {
    found.nodes += 1;
    const isConditional = one.type === 'ConditionalExpression';
    if (isConditional) found.conditionals += 1;
    if (isConditional && isInConditional) found.nestedConditionals += 1;
    if (one.type === 'ObjectPattern' || one.type === 'ArrayPattern') found.destructurings += 1;
    if (one.type === 'LogicalExpression') found.logicals += 1;
    if (isCast(one)) found.casts += 1;
    if (one.type === 'TSTypeReference' && textAt(one, 'typeName', 'name') === 'Pick')
      found.picks += 1;
    const word = textAt(one, 'name') ?? textAt(one, 'value', 'raw') ?? textAt(one, 'value');
    if (word !== undefined) words.add(word.toLowerCase());
    for (const child of childrenOf(one))
      visit(child, isConditional && child.type === 'ConditionalExpression');
  };
  const program = parse(text);
  visit(program, false);
  const names = childrenOf(program).flatMap((statement) => nameOf(statement) ?? []);
  const lines = text.split('\n');
  return { lines: lines.length - 1, codeLines: codeLinesOf(lines), ...found, names, words };
}

export function parse(text: string): Node {
  const program: unknown = parseAst(text, { lang: 'ts' });
  if (!isNode(program)) throw new Error('The parser gives no node.');
  return program;
}

function codeLinesOf(lines: readonly string[]): number {
  let count = 0;
  let isComment = false;
  for (const line of lines.map((one) => one.trim())) {
    if (line === '' || line.startsWith('//')) continue;
    isComment ||= line.startsWith('/*');
    if (!isComment) count += 1;
    if (line.includes('*/')) isComment = false;
  }
  return count;
}

function isCast(one: Node): boolean {
  if (one.type === 'TSNonNullExpression') return true;
  return (
    one.type === 'TSAsExpression' && textAt(one, 'typeAnnotation', 'typeName', 'name') !== 'const'
  );
}

const DECLARATION =
  /^(?:FunctionDeclaration|ClassDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration)$/;

function nameOf(statement: Node): string | undefined {
  const declared = statement['declaration'];
  const declaration = isNode(declared) ? declared : statement;
  return DECLARATION.test(declaration.type) ? textAt(declaration, 'id', 'name') : undefined;
}

export function isNode(value: unknown): value is Node {
  return isObject(value) && typeof value['type'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function childrenOf(one: Node): Node[] {
  return Object.values(one).flat().filter(isNode);
}

function textAt(one: Node, ...path: readonly string[]): string | undefined {
  let value: unknown = one;
  for (const key of path) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return typeof value === 'string' ? value : undefined;
}
