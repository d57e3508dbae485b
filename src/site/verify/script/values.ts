import type { ESTree } from 'meriyah';
import { parseUrl } from '../../../ground/text/names.ts';
import type { Program, Variable } from './program.ts';
import {
  ANY,
  alternativesOf,
  type CallSite,
  calledFunction,
  callSite,
  type FunctionNode,
  isCall,
  literal,
  type Node,
  nameOf,
  operandsOf,
  ownerOf,
  partsOf,
  partsOfTemplate,
  SPREAD,
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
const SAME_TEXT = /^(?:encodeURI|String|createTextNode|createHTML|createScriptURL|values|from)$/;
/** Those whose result has the fields of all that they get. */
const MERGERS = /^(?:assign|extend|merge|freeze|seal)$/;
/** Methods of a list: of those that give a list, some give also what they get. */
const LIST_METHODS = /^(?:filter|slice|reverse|sort|flat|concat)$/;
const ELEMENT_METHODS = /^(?:shift|pop|at|find)$/;
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
  readonly #origins = new Map<Node, readonly Node[]>();
  readonly #texts = new Map<Node, readonly string[]>();
  /** The names of the fields of an object. */
  readonly #keys = new Map<Node, readonly Node[]>();
  #steps: number;
  /** What an object has in a field, by the name of the field. */
  readonly #fields = new Map<string, Map<Node, readonly Node[]>>();
  #depth = 0;

  constructor(program: Program, codeLength: number) {
    this.#program = program;
    this.#steps = LEAST_STEPS + STEPS_PER_CHAR * codeLength;
  }

  /** The texts that an expression may be; empty if none is known. */
  textsOf(expression: Node): readonly string[] {
    return this.#once(this.#texts, expression, () =>
      this.originsOf(expression).flatMap((origin) => this.#textsOfOrigin(origin)),
    );
  }

  /** The first whole text that an expression may be; empty if there is none. */
  wordOf(expression: Node): string {
    return this.textsOf(expression).find((text) => !text.includes(HOLE)) ?? '';
  }

  /** The elements that an expression may be. */
  elementsOf(expression: Node): Element[] {
    return this.originsOf(expression).flatMap((node) => {
      if (!isCall(node)) return [];
      const { callee, args } = callSite(node);
      const name = nameOf(callee) ?? '';
      if (name === 'Image') return [{ tag: 'img', node }];
      // The name comes after that of the name space.
      const argument = args[name.endsWith('NS') ? 1 : 0];
      const isNew = MAKERS.test(name);
      if (argument === undefined || (!isNew && !FINDERS.test(name))) return [];
      const texts = this.#textsOrHole(argument);
      return texts.map((text) => ({ tag: isNew ? text.toLowerCase() : lastTag(text), node }));
    });
  }

  /** The functions of the script that an expression may be. */
  functionsOf(expression: Node): FunctionNode[] {
    return this.originsOf(expression).flatMap((node) => calledFunction(node) ?? []);
  }

  /**
   * The expressions that an expression gets its value from, through variables, fields, parameters
   * and results: reaching definitions, in any order of execution.
   */
  originsOf(expression: Node): readonly Node[] {
    return this.#once(this.#origins, expression, () => this.#follow(expression));
  }

  /** Texts that follow each other in one: each with each, as long as they are few. */
  join(parts: readonly Node[]): readonly string[] {
    const [only] = parts;
    // The whole text, as in quotation marks: it may be the code of a worker.
    if (only !== undefined && parts.length === 1) return this.#textsOrHole(only);
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
    const evaluated = [...new Set(evaluate())].slice(0, MOST_VALUES);
    this.#depth -= 1;
    known.set(node, evaluated);
    return evaluated;
  }

  #follow(node: Node): readonly Node[] {
    switch (node.type) {
      case 'Identifier':
        return this.#definitionsOf(this.#program.variableOf(node));
      case 'Argument': {
        const calls = this.#program.callsOf(node.of).slice(0, MOST_DEFINITIONS);
        return this.#originsOfAll(calls.flatMap(({ args }) => args[node.index] ?? []));
      }
      case 'MemberExpression':
        return this.#followMember(node);
      case 'FieldOf':
        return this.#fieldOf(node.object, node.name);
      case 'KeyOf':
        return this.originsOf(node.object).flatMap((object) => this.#keysOf(object));
      case 'CallExpression':
        return this.#followCall(node);
      case 'NewExpression':
        if (nameOf(node.callee) !== 'Set') return [node];
        return this.#originsOfAll(node.arguments.slice(0, 1));
      default: {
        const alternatives = alternativesOf(node);
        if (alternatives.length === 0) return [node];
        return this.#originsOfAll(alternatives);
      }
    }
  }

  #keysOf(object: Node): readonly Node[] {
    return this.#once(this.#keys, object, () =>
      partsOf(object).map(([name, value]) => ({ type: 'Key', object, name, value })),
    );
  }

  #originsOfAll(nodes: readonly Node[]): readonly Node[] {
    return nodes.flatMap((node) => this.originsOf(node));
  }

  #definitionsOf(variable: Variable | undefined): readonly Node[] {
    return this.#originsOfAll(variable?.definitions.slice(0, MOST_DEFINITIONS) ?? []);
  }

  #followMember(node: ESTree.MemberExpression): readonly Node[] {
    const { object } = node;
    const names = node.computed ? this.#namesOf(node.property) : [nameOf(node) ?? HOLE];
    const isWindow = object.type === 'Identifier' && WINDOW.test(object.name);
    return names.flatMap((name) => {
      const declared = isWindow ? this.#program.root.names?.get(name) : undefined;
      if (declared !== undefined) return this.#definitionsOf(declared);
      return this.#fieldOf(object, name);
    });
  }

  /** What the name of a field may be; a hole beside these, if it may be another one too. */
  #namesOf(property: Node): readonly string[] {
    const texts = this.originsOf(property).map((origin) => this.#textsOfOrigin(origin));
    const isKnown = texts.length > 0 && texts.every((one) => one.length > 0);
    const names = new Set(texts.flat());
    if (!isKnown) names.add(HOLE);
    return [...names];
  }

  /** What is in a field: of the objects that are known, or else of any with a field of this name. */
  #fieldOf(object: Node, name: string): readonly Node[] {
    const owners = this.originsOf(object);
    const written = owners.flatMap((owner) => this.#writtenField(owner, name));
    if (written.length > 0) return written;
    // The page is not read from a disk.
    if (name === 'protocol' && owners.length === 0) return [literal('https:')];
    const assigned = this.#program.fields.get(name);
    if (name === 'href' || isUncertain(assigned)) return [];
    const others = this.#program.properties.get(name);
    const isData = DATA_FIELDS.test(name) || owners.length > 0 || isUncertain(others);
    return [...this.#definitionsOf(assigned), ...(isData ? [] : this.#definitionsOf(others))];
  }

  #writtenField(owner: Node, name: string): readonly Node[] {
    // The address of a `URL` is the same text.
    if (name === 'href' && isCall(owner)) return [owner];
    if (isCall(owner)) return this.#fieldOfResult(callSite(owner), name);
    const known = this.#fields.get(name) ?? new Map<Node, readonly Node[]>();
    this.#fields.set(name, known);
    return this.#once(known, owner, () =>
      partsOf(owner).flatMap(([key, value]) => this.#fieldOfPart(key, value, name)),
    );
  }

  #fieldOfPart(key: string, value: Node, name: string): readonly Node[] {
    if (key === SPREAD)
      return this.originsOf(value).flatMap((owner) => this.#writtenField(owner, name));
    // A name that is not known may be any.
    if (key === name || name === ANY || name === HOLE) return this.originsOf(value);
    return [];
  }

  /** A field of what a function makes of a list or an object. */
  #fieldOfResult({ node, callee, args }: CallSite, name: string): readonly Node[] {
    const [first] = args;
    if (first === undefined) return [];
    switch (nameOf(callee)) {
      case 'map':
      case 'flatMap':
        return this.#originsOfAll(
          this.functionsOf(first).flatMap((called) => this.#program.returnsOf(called)),
        );
      case 'keys':
        return this.originsOf({ type: 'KeyOf', object: first });
      case 'entries':
        if (name === '0') return this.originsOf({ type: 'KeyOf', object: first });
        if (name === '1') return this.#fieldOf(first, ANY);
        // A pair: its fields are these two.
        return [node];
      default:
        return [];
    }
  }

  /** What the functions return; a call of another one is its own value. */
  #followCall(node: ESTree.CallExpression): readonly Node[] {
    const { callee, args } = callSite(node);
    const name = nameOf(callee) ?? '';
    const given = this.#givenBack(ownerOf(callee), name, args);
    if (BUILT_IN.some((names) => names.test(name))) return [...given, node];
    // The script's own function may have the name of a built-in one.
    const returns = this.functionsOf(callee).flatMap((called) => this.#program.returnsOf(called));
    if (given.length + returns.length === 0) return [node];
    return [...given, ...this.#originsOfAll(returns)];
  }

  /** What a built-in function gives back of what it gets; nothing if it is not one. */
  #givenBack(owner: Node | undefined, name: string, args: readonly Node[]): readonly Node[] {
    if (SAME_TEXT.test(name)) return this.#originsOfAll(args.slice(0, 1));
    if (MERGERS.test(name)) return this.#originsOfAll(args);
    if (owner === undefined) return [];
    if (SAME_AS_OWNER.test(name)) return this.originsOf(owner);
    if (ELEMENT_METHODS.test(name)) return this.#fieldOf(owner, ANY);
    if (!LIST_METHODS.test(name)) return [];
    const lists = this.#originsOfAll([owner, ...args]);
    return lists.filter(({ type }) => type === 'ArrayExpression');
  }

  #textsOfOrigin(node: Node): readonly string[] {
    switch (node.type) {
      case 'Literal':
        return /^(?:string|number)$/.test(typeof node.value)
          ? [String(node.value).replaceAll(HOLE, '')]
          : [];
      case 'Key':
        return [node.name];
      case 'TemplateLiteral':
        return this.join(partsOfTemplate(node));
      case 'BinaryExpression':
      case 'Sum': {
        const operands = operandsOf(node);
        if (operands.length > 1) return this.join(operands);
        return [];
      }
      case 'CallExpression':
      case 'NewExpression':
        return this.#textsOfCall(callSite(node));
      default:
        return [];
    }
  }

  #textsOfCall({ callee, args }: CallSite): readonly string[] {
    const name = nameOf(callee) ?? '';
    const [first, second] = args;
    if (name === 'URL' && first) return this.#resolve(first, second);
    if (DECODERS.test(name) && first)
      return this.#textsOrHole(first).map((text) => decode(name, text));
    const owner = ownerOf(callee);
    if (owner === undefined) return [];
    switch (name) {
      case 'concat':
        return this.join([owner, ...args]);
      case 'replace':
      case 'replaceAll':
        return this.#replace(owner, first, second);
      case 'join':
        return this.#joinList(owner, first ?? literal(','));
      default:
        return [];
    }
  }

  #replace(owner: Node, from?: Node, to?: Node): readonly string[] {
    const texts = this.#textsOrHole(owner);
    const searched = from && this.textsOf(from)[0];
    // What a regular expression replaces is not known: it seldom is the host.
    if (searched === undefined || to === undefined) return texts;
    const [replacement = HOLE] = this.textsOf(to);
    return texts.map((text) => text.replace(searched, () => replacement));
  }

  #joinList(list: Node, separator: Node): readonly string[] {
    const elements = this.originsOf(list).flatMap(partsOf);
    return this.join(elements.flatMap(([, element]) => [separator, element]).slice(1));
  }

  /** `new URL(address, base)`. */
  #resolve(address: Node, base: Node | undefined): readonly string[] {
    const bases = base ? this.#textsOrHole(base) : [undefined];
    return this.#textsOrHole(address).flatMap((text) =>
      bases.map((one) => parseUrl(text, one)?.href ?? text),
    );
  }

  #textsOrHole(part: Node): readonly string[] {
    const texts = this.textsOf(part);
    if (texts.length > 0) return texts;
    return [HOLE];
  }
}

function cut(text: string): string {
  if (text.length > LONGEST_TEXT) return text.slice(0, LONGEST_TEXT) + HOLE;
  return text;
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
