import type { ESTree } from 'meriyah';

export type Call = ESTree.CallExpression | ESTree.NewExpression;
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

/** What `+=` makes of a value. */
interface Sum {
  readonly type: 'Sum';
  readonly before: Placed;
  readonly added: Placed;
}

/** A node of the program, or a value that no node of it stands for. */
export type Node = ESTree.Node | Argument | FieldOf | Sum;

/** A node and the scope in which it is evaluated. */
export interface Placed<T extends Node = Node> {
  readonly node: T;
  readonly scope: Scope;
}

export interface CallSite extends Placed<Call> {
  readonly callee: ESTree.Node;
  readonly args: readonly Node[];
}

/** A variable, or all fields with one name: which object is meant is seldom known. */
export interface Variable {
  /** What it is set to. */
  readonly definitions: Placed[];
  /** Where it is called. */
  readonly calls: CallSite[];
}

/** Where names are known: a function, a block or the whole program. */
export class Scope {
  /** Made when a name is declared: most blocks have none. */
  names: Map<string, Variable> | undefined;
  readonly parent: Scope | undefined;
  /** The scope of the function, or of the program, to which `var` belongs. */
  readonly home: Scope;
  /** Its code may run only when a reader does something: a function that is called later. */
  readonly isDeferred: boolean;
  /** What the function returns. */
  readonly returns: Placed[] = [];

  constructor(parent: Scope | undefined, isDeferred: boolean, home?: Scope) {
    this.parent = parent;
    this.isDeferred = isDeferred;
    this.home = home ?? this;
  }

  declare(name: string): void {
    this.names ??= new Map();
    variableIn(this.names, name);
  }

  lookUp(name: string): Variable | undefined {
    for (let at: Scope | undefined = this; at !== undefined; at = at.parent) {
      const variable = at.names?.get(name);
      if (variable !== undefined) return variable;
    }
    return undefined;
  }
}

/** Makes it if it is not known. */
export function variableIn(names: Map<string, Variable>, name: string): Variable {
  const known = names.get(name);
  if (known !== undefined) return known;
  const variable = { definitions: [], calls: [] };
  names.set(name, variable);
  return variable;
}
