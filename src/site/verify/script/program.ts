import type { ESTree } from 'meriyah';
import {
  type CallSite,
  calledFunction,
  callSite,
  elementOf,
  type FunctionNode,
  isFunction,
  isNode,
  keyOf,
  type Node,
  nameOf,
  ownerOf,
  targetsOf,
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
const ADDERS = /^(?:push|unshift)$/;

/** A variable, or all fields with one name: which object is meant is seldom known. */
export interface Variable {
  /** What it is set to. */
  readonly definitions: Node[];
  /** Where it is called. */
  readonly calls: CallSite[];
}

/** Where names are known: a function, a block or the whole program. */
class Scope {
  /** Made when a name is declared: most blocks have none. */
  names: Map<string, Variable> | undefined;
  readonly parent: Scope | undefined;
  /** The scope of the function, or of the program, to which `var` belongs. */
  readonly home: Scope;
  /** Its code may run only when a reader does something: a function that is called later. */
  readonly isDeferred: boolean;
  /** What the function returns. */
  readonly returns: Node[] = [];

  constructor(parent: Scope | undefined, isDeferred: boolean, home?: Scope) {
    this.parent = parent;
    this.isDeferred = isDeferred;
    this.home = home ?? this;
  }

  declare(name: string): Variable {
    this.names ??= new Map();
    return variableIn(this.names, name);
  }

  lookUp(name: string): Variable | undefined {
    for (let at: Scope | undefined = this; at !== undefined; at = at.parent) {
      const variable = at.names?.get(name);
      if (variable !== undefined) return variable;
    }
    return undefined;
  }
}

/** The definitions and the calls of a program, found in one walk; nothing is evaluated. */
export class Program {
  readonly calls: CallSite[] = [];
  readonly assignments: ESTree.AssignmentExpression[] = [];
  /** Of imports and exports: the text that names the module. */
  readonly modules: Node[] = [];
  /** What `x.name = …` and classes set fields to. */
  readonly fields = new Map<string, Variable>();
  /** What fields are where objects are written. */
  readonly properties = new Map<string, Variable>();
  readonly root: Scope;
  /**
   * Where a name, a call or an assignment is, and what is in a function; all others are in `root`.
   */
  readonly #scopes = new Map<Node, Scope>();
  /** The variables and fields that a function is in. */
  readonly #holders = new Map<FunctionNode, Variable[]>();
  /** `i++`, which makes a value that no text of the program is. */
  readonly #updates: ESTree.UpdateExpression[] = [];
  /** The calls of functions where they are written: at once, or for each element of a list. */
  readonly #immediate = new Map<FunctionNode, CallSite>();

  constructor(program: ESTree.Program, isDeferred: boolean) {
    this.root = new Scope(undefined, isDeferred);
    this.#walk(program);
    // Now every name is known.
    for (const assignment of this.assignments) this.#assign(assignment);
    for (const update of this.#updates) this.variableOf(update.argument)?.definitions.push(update);
    for (const call of this.calls) {
      this.variableOf(call.callee)?.calls.push(call);
      this.#addToList(call);
    }
  }

  returnsOf(node: FunctionNode): readonly Node[] {
    return this.#scopeOf(node).returns;
  }

  /** The calls of a function, by its names; those of parameters are not followed. */
  callsOf(node: FunctionNode): readonly CallSite[] {
    const immediate = this.#immediate.get(node);
    if (immediate !== undefined) return [immediate];
    const holders = this.#holders.get(node) ?? [];
    return holders.flatMap(({ calls }) => calls);
  }

  /** Whether a call or an assignment may wait for something that a reader does. */
  isDeferred(node: Node): boolean {
    return this.#scopeOf(node).isDeferred;
  }

  /** A name that is not declared is a field of the window. */
  variableOf(node: Node): Variable | undefined {
    if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return undefined;
    const name = nameOf(node);
    if (name === undefined) return undefined;
    const declared = node.type === 'Identifier' ? this.#scopeOf(node).lookUp(name) : undefined;
    return declared ?? variableIn(this.fields, name);
  }

  #scopeOf(node: Node): Scope {
    return this.#scopes.get(node) ?? this.root;
  }

  #place(node: Node, scope: Scope): void {
    if (scope !== this.root) this.#scopes.set(node, scope);
  }

  /** A list, since a program may be nested deeper than the stack is. */
  #walk(program: ESTree.Node): void {
    const waiting: [node: ESTree.Node, scope: Scope][] = [[program, this.root]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [node] = next;
      const scope = this.#enter(...next);
      this.#note(node, scope);
      if ('source' in node && node.source) this.modules.push(node.source);
      // The last one in is read first: so they are read in their order.
      for (const child of childrenOf(node).reverse()) {
        // A name has nothing in it that is noted.
        if (child.type === 'Identifier') this.#place(child, scope);
        else waiting.push([child, scope]);
      }
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
      this.#declare(node.id, owner, node);
    }
    for (const [index, param] of node.params.entries())
      this.#declare(param, inner, { type: 'Argument', of: node, index });
    if (node.body && node.body.type !== 'BlockStatement') inner.returns.push(node.body);
    return inner;
  }

  /** Notes what one node says. */
  #note(node: ESTree.Node, scope: Scope): void {
    switch (node.type) {
      case 'VariableDeclaration':
        this.#declareAll(node, scope);
        return;
      case 'ForOfStatement':
        if (node.left.type !== 'VariableDeclaration') return;
        this.#declareAll(node.left, scope, elementOf(node.right));
        return;
      case 'ForInStatement':
        if (node.left.type !== 'VariableDeclaration') return;
        this.#declareAll(node.left, scope, { type: 'KeyOf', object: node.right });
        return;
      case 'UpdateExpression':
        this.#updates.push(node);
        return;
      case 'ClassDeclaration':
        if (node.id) this.#declare(node.id, scope, node);
        return;
      case 'CatchClause':
        if (node.param) this.#declare(node.param, scope);
        return;
      case 'ReturnStatement':
        if (node.argument) scope.home.returns.push(node.argument);
        return;
      case 'AssignmentExpression':
        this.#place(node, scope);
        this.assignments.push(node);
        return;
      case 'CallExpression':
      case 'NewExpression':
        this.#place(node, scope);
        this.#noteCall(callSite(node));
        return;
      case 'Property':
        this.#noteField(this.properties, node);
        return;
      case 'MethodDefinition':
      case 'PropertyDefinition':
        this.#noteField(this.fields, node);
        return;
      case 'ImportDeclaration':
        for (const { local } of node.specifiers) this.#declare(local, scope);
    }
  }

  #noteCall(call: CallSite): void {
    this.calls.push(call);
    const { node, callee, args } = call;
    const target = calledFunction(callee);
    if (target !== undefined) this.#immediate.set(target, call);
    const [callback] = args;
    if (callee.type !== 'MemberExpression' || !isNode(callback)) return;
    if (ARRAY_CALLBACKS.test(nameOf(callee) ?? ''))
      this.#noteCall({ node, callee: callback, args: [elementOf(callee.object)] });
  }

  /** What `list.push(…)` adds may be what the list was made with. */
  #addToList({ node, callee }: CallSite): void {
    const list = ownerOf(callee);
    if (list?.type !== 'Identifier' || !ADDERS.test(nameOf(callee) ?? '')) return;
    const added = { type: 'ArrayExpression', elements: node.arguments } as const;
    this.variableOf(list)?.definitions.push(added);
  }

  #noteField(
    fields: Map<string, Variable>,
    { key, computed, value }: ESTree.Property | ESTree.MethodDefinition | ESTree.PropertyDefinition,
  ): void {
    const name = keyOf(key, computed);
    if (name === undefined || !value) return;
    this.#define(variableIn(fields, name), value);
    // Calls are noted by name only.
    if (fields === this.properties) this.#hold(variableIn(this.fields, name), value);
  }

  #assign({ left, right, operator }: ESTree.AssignmentExpression): void {
    if (operator !== '+=') {
      for (const [target, value] of targetsOf(left, right))
        this.#define(this.variableOf(target), value);
      return;
    }
    const definitions = this.variableOf(left)?.definitions;
    const before = definitions?.pop();
    if (before !== undefined) definitions?.push({ type: 'Sum', left: before, right });
  }

  /** `value`: that of each name without another one. */
  #declareAll(
    { kind, declarations }: ESTree.VariableDeclaration,
    scope: Scope,
    value?: Node,
  ): void {
    const owner = kind === 'var' ? scope.home : scope;
    for (const { id, init } of declarations) this.#declare(id, owner, init ?? value);
  }

  /** Declares the names of a pattern, and what may be in them. */
  #declare(pattern: ESTree.Node, scope: Scope, value?: Node): void {
    for (const [target, part] of targetsOf(pattern, value))
      if (target.type === 'Identifier') this.#define(scope.declare(target.name), part);
  }

  #define(variable: Variable | undefined, value: Node | undefined): void {
    if (variable === undefined || value === undefined) return;
    variable.definitions.push(value);
    this.#hold(variable, value);
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
}

/** Makes it if it is not known. */
function variableIn(names: Map<string, Variable>, name: string): Variable {
  const known = names.get(name);
  if (known !== undefined) return known;
  const variable = { definitions: [], calls: [] };
  names.set(name, variable);
  return variable;
}

/** Constants have nothing in them that is noted. */
function childrenOf(node: ESTree.Node): ESTree.Node[] {
  const children: ESTree.Node[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const one of value) addNode(one, children);
    else addNode(value, children);
  }
  return children;
}

function addNode(value: unknown, nodes: ESTree.Node[]): void {
  if (isNode(value) && value.type !== 'Literal') nodes.push(value);
}
