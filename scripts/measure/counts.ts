import { parseAst } from 'rolldown/parseAst';
import * as z from 'zod/mini';

/** What one file of TypeScript contains. Comments count for the lines alone. */
export interface Counts {
  readonly lines: number;
  readonly conditionals: number;
  /** Conditional expressions in a branch or the condition of another one. */
  readonly nestedConditionals: number;
  readonly destructurings: number;
  /** `as`, besides `as const`, and `!` after a value. */
  readonly casts: number;
  readonly picks: number;
  /** Functions, classes and types at the top level. */
  readonly names: readonly string[];
  /** Names and texts in the code, in lower case. */
  readonly words: ReadonlySet<string>;
}

const node = z.looseObject({ type: z.string() });
type Node = z.infer<typeof node>;

export function countsOf(text: string): Counts {
  const found = { conditionals: 0, nestedConditionals: 0, destructurings: 0, casts: 0, picks: 0 };
  const words = new Set<string>();
  const visit = (one: Node, isInConditional: boolean): void => {
    const isConditional = one.type === 'ConditionalExpression';
    if (isConditional) found.conditionals += 1;
    if (isConditional && isInConditional) found.nestedConditionals += 1;
    if (one.type === 'ObjectPattern' || one.type === 'ArrayPattern') found.destructurings += 1;
    if (isCast(one)) found.casts += 1;
    if (one.type === 'TSTypeReference' && textAt(one, 'typeName', 'name') === 'Pick')
      found.picks += 1;
    const word = textAt(one, 'name') ?? textAt(one, 'value', 'raw') ?? textAt(one, 'value');
    if (word !== undefined) words.add(word.toLowerCase());
    for (const child of childrenOf(one))
      visit(child, isConditional && child.type === 'ConditionalExpression');
  };
  const program = node.parse(parseAst(text, { lang: 'ts' }));
  visit(program, false);
  const names = childrenOf(program).flatMap((statement) => nameOf(statement) ?? []);
  return { lines: text.split('\n').length - 1, ...found, names, words };
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
  const { data } = node.safeParse(statement['declaration']);
  const declaration = data ?? statement;
  return DECLARATION.test(declaration.type) ? textAt(declaration, 'id', 'name') : undefined;
}

function childrenOf(one: Node): Node[] {
  return Object.values(one)
    .flat()
    .flatMap((child) => node.safeParse(child).data ?? []);
}

function textAt(one: Node, ...path: readonly string[]): string | undefined {
  let value: unknown = one;
  for (const key of path) value = z.looseObject({}).safeParse(value).data?.[key];
  return typeof value === 'string' ? value : undefined;
}
