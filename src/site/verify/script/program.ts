import type { ESTree } from 'meriyah';
import {
  type Call,
  type CallSite,
  type FunctionNode,
  type Node,
  type Placed,
  Scope,
  type Variable,
  variableIn,
} from './scope.ts';
import {
  ANY,
  calledFunction,
  isFunction,
  isNode,
  keyOf,
  nameOf,
  partsOf,
  partsOfCall,
} from './syntax.ts';

const BLOCKS: ReadonlySet<string> = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
]);
const ARRAY_CALLBACKS = /^(?:forEach|map|flatMap|filter|some|every|find)$/;

/** The definitions and the calls of a program, found in one walk; nothing is evaluated. */
export class Program {
  readonly calls: CallSite[] = [];
  readonly assignments: Placed<ESTree.AssignmentExpression>[] = [];
  /** Of imports and exports: the text that names the module. */
  readonly modules: Placed[] = [];
  /** What `x.name = …` and classes set fields to. */
  readonly fields = new Map<string, Variable>();
  /** What fields are where objects are written. */
  readonly properties = new Map<string, Variable>();
  readonly root: Scope;
  readonly #scopes = new Map<FunctionNode, Scope>();
  /** The variables and fields that a function is in. */
  readonly #holders = new Map<FunctionNode, Variable[]>();
  /** The calls of functions where they are written. */
  readonly #immediate = new Map<FunctionNode, CallSite>();
  /** The calls that lists make of functions that are written there. */
  readonly #callbacks = new Map<FunctionNode, CallSite>();

  constructor(program: ESTree.Program, isDeferred: boolean) {
    this.root = new Scope(undefined, isDeferred);
    this.#walk({ node: program, scope: this.root });
    // Now every name is known.
    for (const { node, scope } of this.assignments) this.#assign(node, scope);
    for (const call of this.calls) this.#variableOf(call.callee, call.scope)?.calls.push(call);
  }

  returnsOf(node: FunctionNode): readonly Placed[] {
    return this.#scopes.get(node)?.returns ?? [];
  }

  /** The calls of a function, by its names; those of parameters are not followed. */
  callsOf(node: FunctionNode): readonly CallSite[] {
    const direct = this.#immediate.get(node) ?? this.#callbacks.get(node);
    if (direct !== undefined) return [direct];
    const holders = this.#holders.get(node) ?? [];
    return holders.flatMap(({ calls }) => calls);
  }

  /** A list, since a program may be nested deeper than the stack is. */
  #walk(program: Placed<ESTree.Node>): void {
    const waiting = [program];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const scope = this.#enter(next.node, next.scope);
      this.#note(next.node, scope);
      // The last one in is read first: so they are read in their order.
      for (const node of childrenOf(next.node).reverse()) waiting.push({ node, scope });
    }
  }

  /** The scope of what is in the node. */
  #enter(node: ESTree.Node, scope: Scope): Scope {
    if (isFunction(node)) return this.#enterFunction(node, scope);
    if (!BLOCKS.has(node.type)) return scope;
    return new Scope(scope, scope.isDeferred, scope.home);
  }

  #enterFunction(node: FunctionNode, scope: Scope): Scope {
    const isDeferred = scope.isDeferred || !this.#immediate.has(node);
    const inner = new Scope(scope, isDeferred);
    this.#scopes.set(node, inner);
    if (node.type !== 'ArrowFunctionExpression' && node.id) {
      const owner = node.type === 'FunctionDeclaration' ? scope.home : inner;
      this.#declare(node.id, owner, { node, scope });
    }
    for (const [index, param] of node.params.entries())
      this.#declare(param, inner, { node: { type: 'Argument', of: node, index }, scope: inner });
    if (node.body && node.body.type !== 'BlockStatement')
      inner.returns.push({ node: node.body, scope: inner });
    return inner;
  }

  /** Notes what one node says. */
  #note(node: ESTree.Node, scope: Scope): void {
    switch (node.type) {
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations)
          this.#declare(id, ownerOf(node, scope), init && { node: init, scope });
        return;
      case 'ForOfStatement':
        this.#noteLoop(node, scope);
        return;
      case 'ClassDeclaration':
        if (node.id) this.#declare(node.id, scope, { node, scope });
        return;
      case 'CatchClause':
        if (node.param) this.#declare(node.param, scope);
        return;
      case 'ReturnStatement':
        if (node.argument) scope.home.returns.push({ node: node.argument, scope });
        return;
      case 'AssignmentExpression':
        this.assignments.push({ node, scope });
        return;
      case 'CallExpression':
      case 'NewExpression':
        this.#noteCall(node, scope);
        return;
      case 'Property':
        this.#noteField(this.properties, node, scope);
        return;
      case 'MethodDefinition':
      case 'PropertyDefinition':
        this.#noteField(this.fields, node, scope);
        return;
      case 'ImportDeclaration':
        for (const { local } of node.specifiers) this.#declare(local, scope);
        this.modules.push({ node: node.source, scope });
        return;
      case 'ImportExpression':
      case 'ExportAllDeclaration':
      case 'ExportNamedDeclaration':
        if (node.source) this.modules.push({ node: node.source, scope });
    }
  }

  #noteLoop({ left, right }: ESTree.ForOfStatement, scope: Scope): void {
    if (left.type !== 'VariableDeclaration') return;
    const element = { node: fieldOf(right, ANY), scope };
    for (const { id } of left.declarations) this.#declare(id, ownerOf(left, scope), element);
  }

  #noteCall(node: Call, scope: Scope): void {
    const { callee, args } = partsOfCall(node);
    const call = { node, scope, callee, args };
    this.calls.push(call);
    const target = calledFunction(callee);
    if (target !== undefined) this.#immediate.set(target, call);
    const [callback] = args;
    if (callee.type !== 'MemberExpression' || !isNode(callback)) return;
    if (!ARRAY_CALLBACKS.test(nameOf(callee) ?? '')) return;
    const element = fieldOf(callee.object, ANY);
    const ofElement = { node, scope, callee: callback, args: [element] };
    this.calls.push(ofElement);
    if (isFunction(callback)) this.#callbacks.set(callback, ofElement);
  }

  #noteField(
    fields: Map<string, Variable>,
    { key, computed, value }: ESTree.Property | ESTree.MethodDefinition | ESTree.PropertyDefinition,
    scope: Scope,
  ): void {
    const name = keyOf(key, computed);
    if (name === undefined || !value) return;
    this.#define(variableIn(fields, name), { node: value, scope });
    // Calls are noted by name only.
    if (fields === this.properties) this.#hold(variableIn(this.fields, name), value);
  }

  #assign({ left, right, operator }: ESTree.AssignmentExpression, scope: Scope): void {
    if (operator !== '+=') {
      this.#bind(left, { node: right, scope }, scope);
      return;
    }
    const definitions = this.#variableOf(left, scope)?.definitions;
    const before = definitions?.pop();
    if (before === undefined) return;
    definitions?.push({ node: { type: 'Sum', before, added: { node: right, scope } }, scope });
  }

  /** Declares the names of a pattern, and what may be in them. */
  #declare(pattern: ESTree.Node, scope: Scope, value?: Placed | null): void {
    if (pattern.type === 'Identifier') scope.declare(pattern.name);
    else if (pattern.type === 'AssignmentPattern') this.#declare(pattern.left, scope);
    else if (pattern.type === 'RestElement') this.#declare(pattern.argument, scope);
    else for (const [, part] of partsOf(pattern)) this.#declare(part, scope);
    if (value) this.#bind(pattern, value, scope);
  }

  /** Notes that a value may be in a pattern: a name, a field, or parts of it in several. */
  #bind(pattern: ESTree.Node, value: Placed, scope: Scope): void {
    if (pattern.type === 'AssignmentPattern') {
      this.#bind(pattern.left, value, scope);
      if (pattern.right) this.#bind(pattern.left, { node: pattern.right, scope }, scope);
      return;
    }
    const variable = this.#variableOf(pattern, scope);
    if (variable !== undefined) this.#define(variable, value);
    for (const [name, part] of partsOf(pattern))
      this.#bind(part, { node: fieldOf(value.node, name), scope: value.scope }, scope);
  }

  #define(variable: Variable, value: Placed): void {
    variable.definitions.push(value);
    this.#hold(variable, value.node);
  }

  #hold(variable: Variable, value: Node): void {
    // `a = b = function () {}` has two names.
    let node = value;
    while (node.type === 'AssignmentExpression') node = node.right;
    const held = calledFunction(node);
    if (held === undefined) return;
    const holders = this.#holders.get(held) ?? [];
    this.#holders.set(held, holders);
    holders.push(variable);
  }

  /** A name that is not declared is a field of the window. */
  #variableOf(node: ESTree.Node, scope: Scope): Variable | undefined {
    const declared = node.type === 'Identifier' ? scope.lookUp(node.name) : undefined;
    if (declared !== undefined) return declared;
    const isName = node.type === 'Identifier' || node.type === 'MemberExpression';
    const name = isName ? nameOf(node) : undefined;
    if (name === undefined) return undefined;
    return variableIn(this.fields, name);
  }
}

function fieldOf(object: Node, name: string): Node {
  return { type: 'FieldOf', object, name };
}

function ownerOf({ kind }: ESTree.VariableDeclaration, scope: Scope): Scope {
  if (kind === 'var') return scope.home;
  return scope;
}

/** Names and constants have nothing in them that is noted. */
function childrenOf(node: ESTree.Node): ESTree.Node[] {
  const children: ESTree.Node[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const one of value) addNode(one, children);
    else addNode(value, children);
  }
  return children;
}

function addNode(value: unknown, nodes: ESTree.Node[]): void {
  if (isNode(value) && value.type !== 'Identifier' && value.type !== 'Literal') nodes.push(value);
}
