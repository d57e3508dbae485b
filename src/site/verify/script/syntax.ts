import type { ESTree } from 'meriyah';
import type { Call, FunctionNode, Node, Placed } from './scope.ts';

/** Stands for a name that only the running script knows, and for every element of a list. */
export const ANY = '*';

export function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value;
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
      if (isMethod(node, 'bind')) return nameOf(node.callee.object);
      return undefined;
    default:
      return undefined;
  }
}

function isMethod(node: Call, name: string): node is Call & { callee: ESTree.MemberExpression } {
  return node.callee.type === 'MemberExpression' && nameOf(node.callee) === name;
}

interface Called {
  readonly callee: ESTree.Node;
  readonly args: readonly Node[];
}

/** What is called with what, also by `f.call(this, …)` and `f.apply(this, […])`. */
export function partsOfCall(node: Call): Called {
  if (isMethod(node, 'call')) return { callee: node.callee.object, args: node.arguments.slice(1) };
  const [, list] = node.arguments;
  if (isMethod(node, 'apply') && list?.type === 'ArrayExpression')
    return { callee: node.callee.object, args: partsOf(list).map(([, element]) => element) };
  return { callee: node.callee, args: node.arguments };
}

/** The parts of an object, a list or a pattern, each with the name of its field. */
export function partsOf(node: Node): [name: string, part: ESTree.Node][] {
  switch (node.type) {
    case 'ArrayExpression':
    case 'ArrayPattern':
      return [...node.elements.entries()].flatMap(([index, element]) => {
        if (element === null) return [];
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
  return [];
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
export function operandsOf(sum: Placed): Placed[] {
  const operands: Placed[] = [];
  let { node, scope } = sum;
  for (;;) {
    if (node.type === 'Sum') {
      operands.push(node.added);
      ({ node, scope } = node.before);
    } else if (node.type === 'BinaryExpression' && node.operator === '+') {
      operands.push({ node: node.right, scope });
      node = node.left;
    } else break;
  }
  operands.push({ node, scope });
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
