import type { ESTree } from 'meriyah';

type Call = ESTree.CallExpression | ESTree.NewExpression;
export type FunctionNode =
  | ESTree.FunctionDeclaration
  | ESTree.FunctionExpression
  | ESTree.ArrowFunctionExpression;

/** What the callers of a function pass to it: the value of a parameter. */
interface Argument {
  readonly type: 'Argument';
  readonly of: FunctionNode;
  readonly index: number;
}

/** A field that the program takes without writing `object.name`: of a pattern, or in a loop. */
interface FieldOf {
  readonly type: 'FieldOf';
  readonly object: Node;
  readonly name: string;
}

/** The name of any field of an object. */
interface KeyOf {
  readonly type: 'KeyOf';
  readonly object: Node;
}

/** The name of a field of an object, with what is in the field. */
export interface Key {
  readonly type: 'Key';
  readonly object: Node;
  readonly name: string;
  readonly value: Node;
}

/** What `+=` makes of a value. */
interface Sum {
  readonly type: 'Sum';
  readonly left: Node;
  readonly right: Node;
}

/** A node of the program, or a value that no node of it stands for. */
export type Node = ESTree.Node | Argument | FieldOf | KeyOf | Key | Sum;

/** What is called with what. */
export interface CallSite {
  readonly node: Call;
  readonly callee: ESTree.Node;
  readonly args: readonly Node[];
}

/** Stands for a name that only the running script knows, and for every element of a list. */
export const ANY = '*';
/** Stands for the names of all fields of an object, or a list, that is part of another one. */
export const SPREAD = '...';

export function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

export function isCall(node: Node): node is Call {
  return node.type === 'CallExpression' || node.type === 'NewExpression';
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionDeclaration'
  );
}

/** The name of a field, as far as the program says it. */
export function keyOf(key: ESTree.Node | null, isComputed: boolean): string | undefined {
  if (key?.type === 'Literal') return String(key.value);
  if (key?.type === 'Identifier' && !isComputed) return key.name;
  return undefined;
}

/** The name by which something is known: `write` of `document.write`, `fetch` of `(0, a.fetch)`. */
export function nameOf(node: Node): string | undefined {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return keyOf(node.property, node.computed === true);
    case 'ChainExpression':
      return nameOf(node.expression);
    case 'SequenceExpression':
      return node.expressions.map(nameOf).at(-1);
    case 'CallExpression':
      if (nameOf(node.callee) !== 'bind') return undefined;
      return nameOf(ownerOf(node.callee) ?? node.callee);
    default:
      return undefined;
  }
}

/** `a` of `a.b`. */
export function ownerOf(node: ESTree.Node): ESTree.Node | undefined {
  if (node.type === 'MemberExpression') return node.object;
  return undefined;
}

/** What is called with what, also by `f.call(this, …)` and `f.apply(this, […])`. */
export function callSite(node: Call): CallSite {
  const owner = ownerOf(node.callee);
  const name = owner && nameOf(node.callee);
  const [, list] = node.arguments;
  if (owner && name === 'call') return { node, callee: owner, args: node.arguments.slice(1) };
  if (owner && name === 'apply' && list?.type === 'ArrayExpression')
    return { node, callee: owner, args: partsOf(list).map(([, element]) => element) };
  return { node, callee: node.callee, args: node.arguments };
}

/** Every element of a list. */
export function elementOf(object: Node): Node {
  return { type: 'FieldOf', object, name: ANY };
}

/** The parts of an object, a list or a pattern, each with the name of its field. */
export function partsOf(node: Node): [name: string, part: ESTree.Node][] {
  switch (node.type) {
    case 'ArrayExpression':
    case 'ArrayPattern':
      return [...node.elements.entries()].flatMap(([index, element]) => {
        if (element === null) return [];
        if (element.type === 'SpreadElement') return [[SPREAD, element.argument]];
        return [[String(index), element]];
      });
    case 'ObjectExpression':
    case 'ObjectPattern':
      return node.properties.flatMap(partOf);
    default:
      return [];
  }
}

function partOf(property: ESTree.Node): [name: string, part: ESTree.Node][] {
  if (property.type === 'Property')
    return [[keyOf(property.key, property.computed) ?? ANY, property.value]];
  if (property.type === 'RestElement') return [[ANY, property.argument]];
  if (property.type === 'SpreadElement') return [[SPREAD, property.argument]];
  return [];
}

/** The names and fields that a pattern sets, each with what may be in it, if that is known. */
export function* targetsOf(
  pattern: ESTree.Node,
  value: Node | undefined,
): Generator<[target: ESTree.Node, value: Node | undefined]> {
  if (pattern.type === 'AssignmentPattern') {
    yield* targetsOf(pattern.left, value);
    yield* targetsOf(pattern.left, pattern.right);
  } else if (pattern.type === 'RestElement') yield* targetsOf(pattern.argument, undefined);
  else if (pattern.type === 'ArrayPattern' || pattern.type === 'ObjectPattern')
    for (const [name, part] of partsOf(pattern))
      yield* targetsOf(part, value && { type: 'FieldOf', object: value, name });
  else yield [pattern, value];
}

/** The function that a call of this value runs: that of a class is its constructor. */
export function calledFunction(node: Node): FunctionNode | undefined {
  if (isFunction(node)) return node;
  if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') return undefined;
  for (const member of node.body.body)
    if (member.type === 'MethodDefinition' && member.kind === 'constructor') return member.value;
  return undefined;
}

/** Expressions that stand for one of others, which are these. */
export function alternativesOf(node: Node): readonly ESTree.Node[] {
  switch (node.type) {
    case 'AssignmentExpression':
      if (node.operator === '+=') return [node.left];
      return [node.right];
    case 'ConditionalExpression':
      return [node.consequent, node.alternate];
    case 'LogicalExpression':
      if (node.operator === '&&') return [node.right];
      return [node.left, node.right];
    case 'SequenceExpression':
      return node.expressions.slice(-1);
    case 'ChainExpression':
      return [node.expression];
    case 'AwaitExpression':
      return node.argument ? [node.argument] : [];
    default:
      return [];
  }
}

/** `a + b + c` as a list: long ones are nested deep. */
export function operandsOf(sum: Node): Node[] {
  const operands: Node[] = [];
  let node = sum;
  while (node.type === 'Sum' || (node.type === 'BinaryExpression' && node.operator === '+')) {
    operands.push(node.right);
    node = node.left;
  }
  operands.push(node);
  return operands.reverse();
}

export function literal(value: string): ESTree.Literal {
  return { type: 'Literal', value };
}

/** The texts and the expressions of a template, in their order. */
export function partsOfTemplate({ quasis, expressions }: ESTree.TemplateLiteral): ESTree.Node[] {
  return quasis.flatMap((quasi, index) => [
    literal(quasi.value.cooked ?? ''),
    ...expressions.slice(index, index + 1),
  ]);
}
