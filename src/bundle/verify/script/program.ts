import type { ESTree } from 'meriyah';

type Node = ESTree.Node;
export type Call = ESTree.CallExpression | ESTree.NewExpression;
type FunctionNode =
  | ESTree.FunctionDeclaration
  | ESTree.FunctionExpression
  | ESTree.ArrowFunctionExpression;

/** Where names are known: a function, a block or the whole program. */
export class Scope {
  readonly names = new Map<string, Variable>();
  readonly parent: Scope | undefined;
  /** The scope of the function, or of the program, to which `var` belongs. */
  readonly home: Scope;
  /** Its code may run only when a reader does something: a function that is called later. */
  readonly isDeferred: boolean;
  /** What the function returns. */
  readonly returns: Source[] = [];

  constructor(parent: Scope | undefined, isDeferred: boolean, home?: Scope) {
    this.parent = parent;
    this.isDeferred = isDeferred;
    this.home = home ?? this;
  }

  declare(name: string): Variable {
    const variable = this.names.get(name) ?? { sources: [] };
    this.names.set(name, variable);
    return variable;
  }
}

/** What may be in a variable, a parameter or a field. */
export interface Source {
  readonly node: Node;
  readonly scope: Scope;
  /** The fields on the way from the value of the node; `*` is any element of an array. */
  readonly path?: readonly string[];
  /** It is put behind what is there (`+=`). */
  readonly isAdded?: boolean;
}

interface Variable {
  readonly sources: Source[];
}

export const ELEMENTS = '*';

/** Fields with the same name are one: which object is meant is seldom known. */
interface Field {
  /** By `x.name = …`, and in classes. */
  readonly assigned: Source[];
  /** In the texts of objects. */
  readonly written: Source[];
}

/** One node and the scope in which it is evaluated. */
export interface Placed<T extends Node> {
  readonly node: T;
  readonly scope: Scope;
}

/** The functions of the script that may be called, and the names of all, such as `fetch`. */
interface Targets {
  readonly functions: FunctionNode[];
  readonly names: string[];
}

/** Of more functions with one name, which one is called is not known. */
const MOST_TARGETS = 12;
const DEEPEST = 3;
/** What `let` and `const` belong to. */
const BLOCKS: ReadonlySet<string> = new Set(
  'BlockStatement ForStatement ForInStatement ForOfStatement SwitchStatement CatchClause'.split(
    ' ',
  ),
);
const ARRAY_CALLBACKS = /^(?:forEach|map|flatMap|filter|some|every|find)$/;

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'FunctionDeclaration'
  );
}

/** The name of a field, as far as the program says it. */
export function keyOf(key: Node | null, isComputed: boolean): string | undefined {
  if (key?.type === 'Literal') return String(key.value);
  if (key?.type === 'Identifier' && !isComputed) return key.name;
  return undefined;
}

/** The name by which something is called: `write` of `document.write`. */
export function nameOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'ChainExpression') return nameOf(callee.expression);
  if (callee.type === 'MemberExpression') return keyOf(callee.property, callee.computed === true);
  return undefined;
}

/** What a program says of its variables, fields and calls; nothing is evaluated. */
export class Program {
  readonly calls: Placed<Call>[] = [];
  readonly assignments: Placed<ESTree.AssignmentExpression>[] = [];
  /** Of imports: what names the module, which is no expression for a static one. */
  readonly modules: Source[] = [];
  readonly #fields = new Map<string, Field>();
  readonly #scopes = new Map<Node, Scope>();
  readonly #targets = new Map<Node, Targets>();
  readonly #root: Scope;
  /** Functions that are called where they are written. */
  readonly #immediate = new Set<Node>();
  /** What is still to be read: a list, since a program may be nested deeper than a stack is. */
  readonly #waiting: Placed<Node>[] = [];

  constructor(program: ESTree.Program, isDeferred: boolean) {
    this.#root = new Scope(undefined, isDeferred);
    this.#waiting.push({ node: program, scope: this.#root });
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop())
      this.#read(next.node, next.scope);
    // Now every name is known.
    for (const { node, scope } of this.assignments)
      this.#bind(node.left, { node: node.right, scope, isAdded: node.operator === '+=' }, scope);
    for (const call of this.calls) this.#passArguments(call);
  }

  /** undefined: the program does not declare it. */
  lookUp(name: string, scope = this.#root): Variable | undefined {
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const variable = at.names.get(name);
      if (variable !== undefined) return variable;
    }
    return undefined;
  }

  field(name: string): Field | undefined {
    return this.#fields.get(name);
  }

  returnsOf(node: FunctionNode): readonly Source[] {
    return this.#scopes.get(node)?.returns ?? [];
  }

  /** What an expression may call. Parameters are not followed. */
  targetsOf({ node, scope }: Source, depth = 0): Targets {
    const known = this.#targets.get(node);
    if (known !== undefined) return known;
    const targets: Targets = { functions: isFunction(node) ? [node] : [], names: [] };
    // An expression that is made of itself adds nothing.
    this.#targets.set(node, targets);
    const name = nameOf(node);
    if (name !== undefined) targets.names.push(name);
    const inner = this.#alternatives(node, scope);
    if (depth > DEEPEST || inner.length > MOST_TARGETS) return targets;
    for (const source of inner) {
      const { functions, names } = this.targetsOf(source, depth + 1);
      if (targets.functions.length < MOST_TARGETS) targets.functions.push(...functions);
      // A field has one name.
      if (node.type !== 'MemberExpression') targets.names.push(...names.slice(0, MOST_TARGETS));
    }
    return targets;
  }

  #alternatives(node: Node, scope: Scope): readonly Source[] {
    const at = (...nodes: Node[]) => nodes.map((one) => ({ node: one, scope }));
    switch (node.type) {
      case 'Identifier':
        return this.lookUp(node.name, scope)?.sources ?? this.#sourcesOfField(node.name);
      case 'MemberExpression':
        return this.#sourcesOfField(keyOf(node.property, node.computed === true) ?? '');
      case 'AssignmentExpression':
        return at(node.right);
      case 'LogicalExpression':
        return at(node.left, node.right);
      case 'ConditionalExpression':
        return at(node.consequent, node.alternate);
      case 'SequenceExpression':
        return at(...node.expressions.slice(-1));
      case 'ChainExpression':
        return at(node.expression);
      case 'CallExpression': {
        const { callee } = node;
        const isBound = callee.type === 'MemberExpression' && nameOf(callee) === 'bind';
        return isBound ? at(callee.object) : [];
      }
      case 'ClassDeclaration':
      case 'ClassExpression':
        return at(...node.body.body.filter(isConstructor).map(({ value }) => value));
      default:
        return [];
    }
  }

  #sourcesOfField(name: string): readonly Source[] {
    const { assigned = [], written = [] } = this.#fields.get(name) ?? {};
    const isFew = assigned.length + written.length <= MOST_TARGETS;
    return isFew ? [...assigned, ...written] : [];
  }

  #read(node: Node, scope: Scope): void {
    const inner = this.#enter(node, scope);
    this.#note(node, inner);
    const children: Node[] = [];
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) for (const one of child) addNode(one, children);
      else addNode(child, children);
    }
    // The last one in is read first: so they are read in their order.
    for (const child of children.reverse()) this.#waiting.push({ node: child, scope: inner });
  }

  /** The scope of what is in the node. */
  #enter(node: Node, scope: Scope): Scope {
    if (isFunction(node)) return this.#enterFunction(node, scope);
    if (!BLOCKS.has(node.type)) return scope;
    return new Scope(scope, scope.isDeferred, scope.home);
  }

  #enterFunction(node: FunctionNode, scope: Scope): Scope {
    const isDeferred = scope.isDeferred || !this.#immediate.has(node);
    const inner = new Scope(scope, isDeferred);
    this.#scopes.set(node, inner);
    if (node.type === 'FunctionDeclaration' && node.id)
      scope.home.declare(node.id.name).sources.push({ node, scope });
    if (node.type === 'FunctionExpression' && node.id)
      inner.declare(node.id.name).sources.push({ node, scope });
    for (const param of node.params) {
      this.#declare(param, inner);
      if (param.type === 'AssignmentPattern' && param.right)
        this.#bind(param.left, { node: param.right, scope: inner }, inner);
    }
    if (node.body && node.body.type !== 'BlockStatement')
      inner.returns.push({ node: node.body, scope: inner });
    return inner;
  }

  /** Notes what one node says. */
  #note(node: Node, scope: Scope): void {
    switch (node.type) {
      case 'VariableDeclaration':
        this.#noteVariables(node, scope);
        return;
      case 'ForOfStatement':
        this.#noteLoop(node, scope);
        return;
      case 'ClassDeclaration':
        if (node.id) scope.declare(node.id.name).sources.push({ node, scope });
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
        this.#immediate.add(calledFunction(node.callee));
        this.calls.push({ node, scope });
        return;
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
        this.#noteField(node, scope);
        return;
      case 'ImportDeclaration':
        for (const { local } of node.specifiers) scope.declare(local.name);
        break;
    }
    // What is left and has a source is an import or an export.
    if ('source' in node && isNode(node.source)) this.modules.push({ node: node.source, scope });
  }

  #noteVariables(node: ESTree.VariableDeclaration, scope: Scope): void {
    const owner = node.kind === 'var' ? scope.home : scope;
    for (const { id, init } of node.declarations)
      this.#declare(id, owner, init && { node: init, scope });
  }

  #noteLoop({ left, right }: ESTree.ForOfStatement, scope: Scope): void {
    const source = { node: right, scope, path: [ELEMENTS] };
    if (left.type !== 'VariableDeclaration') return;
    for (const { id } of left.declarations)
      this.#declare(id, left.kind === 'var' ? scope.home : scope, source);
  }

  #noteField(
    node: ESTree.Property | ESTree.MethodDefinition | ESTree.PropertyDefinition,
    scope: Scope,
  ): void {
    const name = keyOf(node.key, node.computed);
    if (name === undefined || !node.value) return;
    const field = this.#makeField(name);
    const list = node.type === 'Property' ? field.written : field.assigned;
    list.push({ node: node.value, scope });
  }

  #makeField(name: string): Field {
    const field = this.#fields.get(name) ?? { assigned: [], written: [] };
    this.#fields.set(name, field);
    return field;
  }

  /** Declares the names of a pattern, and what may be in them. */
  #declare(pattern: Node, scope: Scope, source?: Source | null): void {
    for (const name of namesOf(pattern)) scope.declare(name);
    if (source) this.#bind(pattern, source, scope);
  }

  /** Notes that a value may be in a pattern: a name, a field, or parts of it in several. */
  #bind(pattern: Node, source: Source, scope: Scope): void {
    switch (pattern.type) {
      case 'Identifier': {
        const variable = this.lookUp(pattern.name, scope);
        // A name that is not declared is a field of the window.
        (variable?.sources ?? this.#makeField(pattern.name).assigned).push(source);
        return;
      }
      case 'MemberExpression': {
        const name = keyOf(pattern.property, pattern.computed === true);
        if (name !== undefined) this.#makeField(name).assigned.push(source);
        return;
      }
      case 'AssignmentPattern':
        this.#bind(pattern.left, source, scope);
        if (pattern.right) this.#bind(pattern.left, { node: pattern.right, scope }, scope);
        return;
      default:
        for (const [name, part] of partsOf(pattern))
          this.#bind(part, { ...source, path: [...(source.path ?? []), name] }, scope);
    }
  }

  /** Notes that the arguments of a call may be in the parameters of the functions it may call. */
  #passArguments(call: Placed<Call>): void {
    const { callee, args } = partsOfCall(call);
    const [callback] = args;
    const { node, scope } = callee;
    const isCallback = node.type === 'MemberExpression' && ARRAY_CALLBACKS.test(nameOf(node) ?? '');
    if (isCallback && callback)
      this.#passTo(callback, [{ node: node.object, scope, path: [ELEMENTS] }]);
    else this.#passTo(callee, args);
  }

  #passTo(callee: Source, values: readonly Source[]): void {
    for (const called of this.targetsOf(callee).functions) {
      const inner = this.#scopes.get(called);
      if (inner === undefined) continue;
      for (const [index, value] of values.entries()) {
        const param = called.params[index];
        if (param !== undefined) this.#bind(param, value, inner);
      }
    }
  }
}

/** What is called with what, also by `f.call(this, …)` and `f.apply(this, […])`. */
export function partsOfCall({ node, scope }: Placed<Call>): { callee: Source; args: Source[] } {
  const { callee } = node;
  const at = (inner: Node): Source => ({ node: inner, scope });
  const name = callee.type === 'MemberExpression' ? nameOf(callee) : undefined;
  const [, list] = node.arguments;
  if (callee.type !== 'MemberExpression' || (name !== 'call' && name !== 'apply'))
    return { callee: at(callee), args: node.arguments.map(at) };
  const listed = list?.type === 'ArrayExpression' ? list.elements.flatMap((one) => one ?? []) : [];
  const args = name === 'call' ? node.arguments.slice(1) : listed;
  return { callee: at(callee.object), args: args.map(at) };
}

/** The function in `(function () { … })()` and in `(function () { … }).call(this)`. */
function calledFunction(callee: Node): Node {
  return callee.type === 'MemberExpression' ? callee.object : callee;
}

function isConstructor(member: Node): member is ESTree.MethodDefinition {
  return member.type === 'MethodDefinition' && member.kind === 'constructor';
}

/** The parts of a pattern, each with the name of the field that is put into it. */
function partsOf(pattern: Node): [string, Node][] {
  if (pattern.type === 'ArrayPattern')
    return pattern.elements.flatMap((element, index) =>
      element ? [[String(index), element]] : [],
    );
  if (pattern.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((property): [string, Node][] => {
    if (property.type !== 'Property') return [];
    const name = keyOf(property.key, property.computed);
    return name === undefined ? [] : [[name, property.value]];
  });
}

/** The names that a pattern declares. */
function namesOf(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'AssignmentPattern') return namesOf(pattern.left);
  if (pattern.type === 'RestElement') return namesOf(pattern.argument);
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((property) =>
      namesOf(property.type === 'Property' ? property.value : property),
    );
  return partsOf(pattern).flatMap(([, part]) => namesOf(part));
}

/** Names and constants have nothing in them that is noted. */
function addNode(value: unknown, list: Node[]): void {
  if (isNode(value) && value.type !== 'Identifier' && value.type !== 'Literal') list.push(value);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
