import type { ESTree } from 'meriyah';
import { parseUrl } from '../../../ground/text/names.ts';
import type { Program } from './program.ts';
import type { FunctionNode, Node, Placed, Variable } from './scope.ts';
import {
  ANY,
  alternativesOf,
  calledFunction,
  literal,
  nameOf,
  operandsOf,
  partsOf,
  partsOfCall,
  partsOfTemplate,
} from './syntax.ts';

/** Replaces a part of a text that is known only when the script runs. */
export const HOLE = '\0';

/** An element that the script makes or finds, by the call that does so. */
export interface Element {
  readonly tag: string;
  readonly node: Node;
}

/** Of more, which one is meant is not known. */
const MOST_VALUES = 16;
const MOST_DEFINITIONS = 12;
const LONGEST_TEXT = 8192;
const DEEPEST = 60;
const STEPS_PER_CHAR = 20;
const LEAST_STEPS = 100_000;

/** What lists of links call their addresses: seldom the field that a script loads from. */
const DATA_FIELDS = /^(?:href|url|link|to)$/;
const WINDOW = /^(?:window|self|globalThis|top|parent|global)$/;
const FINDERS = /^(?:querySelector(?:All)?|getElementsByTagName)$/;
const MAKERS = /^createElement(?:NS)?$/;
/** Functions and methods whose result is the text that they get. */
const SAME_TEXT =
  /^(?:encodeURI|String|createTextNode|createHTML|createScriptURL|assign|entries|values)$/;
const SAME_AS_OWNER = /^(?:toString|trim|valueOf)$/;
const DECODERS = /^(?:unescape|decodeURI(?:Component)?|atob)$/;
const TEXT_METHODS = /^(?:concat|join|replace(?:All)?|URL|Image)$/;
const BUILT_IN = [FINDERS, MAKERS, DECODERS, TEXT_METHODS];

/** Constant propagation, backwards: from where a value is used to the constants it is made of. */
export class Values {
  /** More steps than any real script needs were taken: the rest is unknown. */
  get isExhausted(): boolean {
    return this.#steps < 0;
  }
  readonly #program: Program;
  readonly #origins = new Map<Node, readonly Placed[]>();
  readonly #texts = new Map<Node, readonly string[]>();
  #steps: number;
  #depth = 0;

  constructor(program: Program, codeLength: number) {
    this.#program = program;
    this.#steps = LEAST_STEPS + STEPS_PER_CHAR * codeLength;
  }

  /** The texts that an expression may be; empty if none is known. */
  textsOf(expression: Placed): readonly string[] {
    return this.#once(this.#texts, expression.node, () => {
      const texts = this.originsOf(expression).flatMap((origin) => this.#textsOfOrigin(origin));
      return [...new Set(texts)].slice(0, MOST_VALUES);
    });
  }

  /** The first whole text that an expression may be; empty if there is none. */
  wordOf(expression: Placed): string {
    return this.textsOf(expression).find((text) => !text.includes(HOLE)) ?? '';
  }

  /** The elements that an expression may be. */
  elementsOf(expression: Placed): Element[] {
    return this.originsOf(expression).flatMap(({ node, scope }) => {
      if (!isCall(node)) return [];
      const { callee, args } = partsOfCall(node);
      const name = nameOf(callee) ?? '';
      if (name === 'Image') return [{ tag: 'img', node }];
      // The name comes after that of the name space.
      const argument = args[name.endsWith('NS') ? 1 : 0];
      const isNew = MAKERS.test(name);
      if (argument === undefined || (!isNew && !FINDERS.test(name))) return [];
      const texts = this.#textsOrHole({ node: argument, scope });
      return texts.map((text) => ({ tag: isNew ? text.toLowerCase() : lastTag(text), node }));
    });
  }

  /** The functions of the script that an expression may be. */
  functionsOf(expression: Placed): FunctionNode[] {
    return this.originsOf(expression).flatMap(({ node }) => calledFunction(node) ?? []);
  }

  /**
   * The expressions that an expression gets its value from, through variables, fields, parameters
   * and results: reaching definitions, in any order of execution.
   */
  originsOf(expression: Placed): readonly Placed[] {
    const { node } = expression;
    return this.#once(this.#origins, node, () => {
      const origins = new Map<Node, Placed>();
      for (const origin of this.#follow(expression)) {
        origins.set(origin.node, origin);
        if (origins.size >= MOST_VALUES) break;
      }
      return [...origins.values()];
    });
  }

  /** Texts that follow each other in one: each with each, as long as they are few. */
  join(parts: readonly Placed[]): string[] {
    let texts = [''];
    for (const part of parts) {
      const ends = this.#textsOrHole(part);
      const longer = texts.flatMap((text) => ends.map((end) => text + end));
      texts = longer.slice(0, MOST_VALUES);
      if (texts.every(({ length }) => length > LONGEST_TEXT)) break;
    }
    return texts.map(cut);
  }

  /** Evaluates a node once; until that ends, it has no value: it may be made of itself. */
  #once<T>(known: Map<Node, readonly T[]>, node: Node, evaluate: () => readonly T[]): readonly T[] {
    const values = known.get(node);
    if (values !== undefined) return values;
    this.#steps -= 1;
    if (this.#depth > DEEPEST || this.isExhausted) return [];
    known.set(node, []);
    this.#depth += 1;
    const evaluated = evaluate();
    this.#depth -= 1;
    known.set(node, evaluated);
    return evaluated;
  }

  #follow({ node, scope }: Placed): readonly Placed[] {
    switch (node.type) {
      case 'Identifier':
        return this.#definitionsOf(scope.lookUp(node.name) ?? this.#program.fields.get(node.name));
      case 'Argument':
        return this.#program
          .callsOf(node.of)
          .slice(0, MOST_DEFINITIONS)
          .flatMap(({ args, scope: at }) => this.#originsOfNode(args[node.index], at));
      case 'MemberExpression':
        return this.#followMember(node, { node: node.object, scope });
      case 'FieldOf':
        return this.#fieldOf({ node: node.object, scope }, node.name);
      case 'CallExpression':
        return this.#followCall(node, scope);
      default: {
        const alternatives = alternativesOf(node);
        if (alternatives.length === 0) return [{ node, scope }];
        return alternatives.flatMap((one) => this.originsOf({ node: one, scope }));
      }
    }
  }

  #originsOfNode(node: Node | undefined, scope: Placed['scope']): readonly Placed[] {
    if (node === undefined) return [];
    return this.originsOf({ node, scope });
  }

  #definitionsOf(variable: Variable | undefined): readonly Placed[] {
    const definitions = variable?.definitions ?? [];
    return definitions.slice(0, MOST_DEFINITIONS).flatMap((one) => this.originsOf(one));
  }

  #followMember(node: ESTree.MemberExpression, object: Placed): readonly Placed[] {
    const names = node.computed
      ? this.#textsOrHole({ node: node.property, scope: object.scope })
      : [nameOf(node) ?? HOLE];
    const isWindow = object.node.type === 'Identifier' && WINDOW.test(object.node.name);
    return names.flatMap((name) => {
      const declared = isWindow ? this.#program.root.names?.get(name) : undefined;
      if (declared !== undefined) return this.#definitionsOf(declared);
      return this.#fieldOf(object, name);
    });
  }

  /** What is in a field: of the objects that are known, or else of any with a field of this name. */
  #fieldOf(object: Placed, name: string): readonly Placed[] {
    const owners = this.originsOf(object);
    const written = owners.flatMap((owner) => this.#writtenField(owner, name));
    if (written.length > 0) return written;
    // The page is not read from a disk.
    if (name === 'protocol' && owners.length === 0)
      return [{ node: literal('https:'), scope: object.scope }];
    const assigned = this.#program.fields.get(name);
    if (name === 'href' || isUncertain(assigned)) return [];
    const others = this.#program.properties.get(name);
    const isData = DATA_FIELDS.test(name) || owners.length > 0 || isUncertain(others);
    return [...this.#definitionsOf(assigned), ...(isData ? [] : this.#definitionsOf(others))];
  }

  #writtenField(owner: Placed, name: string): readonly Placed[] {
    const { node, scope } = owner;
    // The address of a `URL` is the same text.
    if (name === 'href' && isCall(node)) return [owner];
    // A name that is not known may be any.
    const isAny = name === ANY || name === HOLE;
    return partsOf(node).flatMap(([key, value]) =>
      isAny || key === name ? this.originsOf({ node: value, scope }) : [],
    );
  }

  /** What the functions return; a call of another one is its own value. */
  #followCall(node: ESTree.CallExpression, scope: Placed['scope']): readonly Placed[] {
    const { callee, args } = partsOfCall(node);
    const name = nameOf(callee) ?? '';
    const owner = callee.type === 'MemberExpression' ? callee.object : undefined;
    if (SAME_TEXT.test(name)) return this.#originsOfNode(args[0], scope);
    if (SAME_AS_OWNER.test(name)) return this.#originsOfNode(owner, scope);
    if (BUILT_IN.some((names) => names.test(name))) return [{ node, scope }];
    const returns = this.functionsOf({ node: callee, scope }).flatMap((called) =>
      this.#program.returnsOf(called),
    );
    if (returns.length === 0) return [{ node, scope }];
    return returns.flatMap((one) => this.originsOf(one));
  }

  #textsOfOrigin(origin: Placed): readonly string[] {
    const { node, scope } = origin;
    switch (node.type) {
      case 'Literal':
        return /^(?:string|number)$/.test(typeof node.value)
          ? [String(node.value).replaceAll(HOLE, '')]
          : [];
      case 'TemplateLiteral':
        return this.join(partsOfTemplate(node).map((part) => ({ node: part, scope })));
      case 'BinaryExpression':
      case 'Sum': {
        const operands = operandsOf(origin);
        if (operands.length > 1) return this.join(operands);
        return [];
      }
      case 'CallExpression':
      case 'NewExpression': {
        const { callee, args } = partsOfCall(node);
        const placed = args.map((arg) => ({ node: arg, scope }));
        return this.#textsOfCall({ node: callee, scope }, placed);
      }
      default:
        return [];
    }
  }

  #textsOfCall({ node, scope }: Placed, args: readonly Placed[]): readonly string[] {
    const name = nameOf(node) ?? '';
    const [first, second] = args;
    if (name === 'URL' && first) return this.#resolve(first, second);
    if (DECODERS.test(name) && first)
      return this.#textsOrHole(first).map((text) => decode(name, text));
    if (node.type !== 'MemberExpression') return [];
    const owner = { node: node.object, scope };
    switch (name) {
      case 'concat':
        return this.join([owner, ...args]);
      case 'replace':
      case 'replaceAll':
        return this.#replace(owner, first, second);
      case 'join':
        return this.#joinList(owner, first ?? { node: literal(','), scope });
      default:
        return [];
    }
  }

  #replace(owner: Placed, from?: Placed, to?: Placed): readonly string[] {
    const texts = this.#textsOrHole(owner);
    const searched = from && this.textsOf(from)[0];
    // What a regular expression replaces is not known: it seldom is the host.
    if (searched === undefined || to === undefined) return texts;
    const [replacement = HOLE] = this.textsOf(to);
    return texts.map((text) => text.replace(searched, () => replacement));
  }

  #joinList(list: Placed, separator: Placed): readonly string[] {
    const elements = this.originsOf(list).flatMap(({ node, scope }) =>
      partsOf(node).map(([, element]) => ({ node: element, scope })),
    );
    return this.join(elements.flatMap((one) => [separator, one]).slice(1));
  }

  /** `new URL(address, base)`. */
  #resolve(address: Placed, base: Placed | undefined): readonly string[] {
    const bases = base ? this.#textsOrHole(base) : [undefined];
    return this.#textsOrHole(address).flatMap((text) =>
      bases.map((one) => parseUrl(text, one)?.href ?? text),
    );
  }

  #textsOrHole(part: Placed): readonly string[] {
    const texts = this.textsOf(part);
    if (texts.length > 0) return texts;
    return [HOLE];
  }
}

function cut(text: string): string {
  if (text.length > LONGEST_TEXT) return text.slice(0, LONGEST_TEXT) + HOLE;
  return text;
}

function isCall(node: Node): node is ESTree.CallExpression | ESTree.NewExpression {
  return node.type === 'CallExpression' || node.type === 'NewExpression';
}

/** A field with so many values belongs to many objects. */
function isUncertain(field: Variable | undefined): boolean {
  return field !== undefined && field.definitions.length > MOST_DEFINITIONS;
}

function decode(name: string, text: string): string {
  try {
    if (name === 'atob') return atob(text);
    return decodeURIComponent(text);
  } catch {
    return HOLE;
  }
}

/** The element that a selector finds; `*` if it may be any. */
function lastTag(selector: string): string {
  const last = selector.split(/[\s>+~]/).at(-1) ?? '';
  return /^[a-z]\w*/i.exec(last)?.[0].toLowerCase() ?? ANY;
}
