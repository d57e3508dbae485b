import type { ESTree } from 'meriyah';
import { parseUrl } from '../../../text/names.ts';
import {
  type Call,
  ELEMENTS,
  isFunction,
  keyOf,
  nameOf,
  type Program,
  partsOfCall,
  type Scope,
  type Source,
} from './program.ts';

type Node = ESTree.Node;

/** Stands in a text for a part that is known only when the script runs. */
export const HOLE = '\0';

/** What an expression may be, as far as the script says it. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  /** An element that the script makes (`isNew`) or finds in the page. */
  | { readonly kind: 'element'; readonly tag: string; readonly node: Node; readonly isNew: boolean }
  /** An object, an array or a function that is written in the script. */
  | { readonly kind: 'written'; readonly node: Node; readonly scope: Scope };

const MOST_VALUES = 16;
const LONGEST_TEXT = 8192;
const DEEPEST = 60;
/** A field with more values belongs to many objects: which one is meant is not known. */
const MOST_WRITES = 12;
/** What lists of links call their addresses: seldom the field that a script loads from. */
const DATA_FIELDS = /^(?:href|url|link|to)$/;
const WINDOW = /^(?:window|self|globalThis|top|parent|global)$/;
const STEPS_PER_CHAR = 20;
const LEAST_STEPS = 100_000;

/** Follows constants through variables, fields, parameters and results, from where they are used. */
export class Values {
  /** More steps than any real script needs were taken: the rest is unknown. */
  get isExhausted(): boolean {
    return this.#steps < 0;
  }
  readonly #program: Program;
  /** Empty while its sources are followed: a variable may be made of itself. */
  readonly #known = new Map<readonly Source[], Value[]>();
  readonly #ofNodes = new Map<Node, readonly Value[]>();
  #steps: number;

  constructor(program: Program, codeLength: number) {
    this.#program = program;
    this.#steps = LEAST_STEPS + STEPS_PER_CHAR * codeLength;
  }

  /** The texts that an expression may be; empty if none is known. */
  textsOf(source: Source): string[] {
    return this.valuesOf(source).flatMap((value) => (value.kind === 'text' ? value.text : []));
  }

  /** The values that an expression may have; empty if none is known. */
  valuesOf({ node, scope, path = [] }: Source, depth = 0): readonly Value[] {
    if (depth > DEEPEST || this.isExhausted) return [];
    let values = this.#ofNode(node, scope, depth + 1);
    for (const name of path) values = distinct(this.#fieldOf(values, name, depth + 1));
    return values;
  }

  #ofNode(node: Node, scope: Scope, depth: number): readonly Value[] {
    const known = this.#ofNodes.get(node);
    if (known !== undefined) return known;
    this.#steps -= 1;
    this.#ofNodes.set(node, []);
    const values = distinct(this.#evaluate(node, scope, depth));
    this.#ofNodes.set(node, values);
    return values;
  }

  /** What the fields of an object are set to where it is written: names, and what is in them. */
  propertiesOf({ node, scope }: { node: Node; scope: Scope }): [string, Source][] {
    if (node.type !== 'ObjectExpression') return [];
    return node.properties.flatMap((property): [string, Source][] => {
      if (property.type !== 'Property') return [];
      const name = keyOf(property.key, property.computed);
      return name === undefined ? [] : [[name, { node: property.value, scope }]];
    });
  }

  /** Texts that follow each other in one: each with each, as long as they are few. */
  join(parts: readonly Source[], depth = 0): Value[] {
    let texts = [''];
    for (const part of parts) {
      const next = this.#textsOrHole(part, depth);
      texts = texts.flatMap((text) => next.map((one) => text + one)).slice(0, MOST_VALUES);
    }
    return texts.map((text) => this.#textValue(text));
  }

  #textValue(text: string): Value {
    this.#steps -= Math.min(text.length, LONGEST_TEXT) / STEPS_PER_CHAR;
    const isLong = text.length > LONGEST_TEXT;
    return { kind: 'text', text: isLong ? text.slice(0, LONGEST_TEXT) + HOLE : text };
  }

  #textsOrHole(part: Source, depth: number): string[] {
    const texts = this.valuesOf(part, depth).flatMap((value) =>
      value.kind === 'text' ? value.text : [],
    );
    return texts.length > 0 ? texts : [HOLE];
  }

  #all(sources: readonly Source[], depth: number): readonly Value[] {
    const known = this.#known.get(sources);
    if (known !== undefined) return known;
    const values: Value[] = [];
    this.#known.set(sources, values);
    for (const source of sources) {
      const before = source.isAdded === true ? values.splice(0) : [];
      // One that is not known yet may be added while this goes on.
      for (const value of this.#added(before, source, depth))
        if (!has(values, value)) values.push(value);
      if (values.length >= MOST_VALUES) break;
    }
    return values;
  }

  #added(before: readonly Value[], source: Source, depth: number): readonly Value[] {
    if (source.isAdded !== true) return this.valuesOf(source, depth);
    const ends = this.#textsOrHole(source, depth);
    const texts = before.flatMap((value) => (value.kind === 'text' ? value.text : HOLE));
    return texts.flatMap((text) => ends.map((end) => this.#textValue(text + end)));
  }

  #evaluate(node: Node, scope: Scope, depth: number): readonly Value[] {
    const at = (inner: Node): Source => ({ node: inner, scope });
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' || typeof node.value === 'number'
          ? [{ kind: 'text', text: String(node.value).replaceAll(HOLE, '') }]
          : [];
      case 'TemplateLiteral':
        return this.join(partsOfTemplate(node, scope), depth);
      case 'BinaryExpression':
        return node.operator === '+' ? this.join(operandsOf(node, scope), depth) : [];
      case 'AssignmentExpression':
        return this.valuesOf(at(node.operator === '+=' ? node.left : node.right), depth);
      case 'LogicalExpression':
        if (node.operator === '&&') return this.valuesOf(at(node.right), depth);
        return [...this.valuesOf(at(node.left), depth), ...this.valuesOf(at(node.right), depth)];
      case 'ConditionalExpression':
        return [
          ...this.valuesOf(at(node.consequent), depth),
          ...this.valuesOf(at(node.alternate), depth),
        ];
      case 'SequenceExpression':
        return node.expressions.slice(-1).flatMap((last) => this.valuesOf(at(last), depth));
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return this.valuesOf(at(node.expression), depth);
      case 'AwaitExpression':
        return node.argument ? this.valuesOf(at(node.argument), depth) : [];
      case 'Identifier':
        return this.#variable(node.name, scope, depth);
      case 'MemberExpression':
        return this.#member(node, scope, depth);
      case 'CallExpression':
      case 'NewExpression':
        return this.#result(node, scope, depth);
      case 'ObjectExpression':
      case 'ArrayExpression':
        return [{ kind: 'written', node, scope }];
      default:
        return isFunction(node) ? [{ kind: 'written', node, scope }] : [];
    }
  }

  #variable(name: string, scope: Scope | undefined, depth: number): readonly Value[] {
    const variable = this.#program.lookUp(name, scope);
    const sources = variable?.sources ?? this.#program.field(name)?.assigned ?? [];
    return this.#all(sources, depth);
  }

  #member(node: ESTree.MemberExpression, scope: Scope, depth: number): readonly Value[] {
    const { object, property } = node;
    const names = node.computed
      ? this.#textsOrHole({ node: property, scope }, depth)
      : [nameOf(node) ?? HOLE];
    const isWindow = object.type === 'Identifier' && WINDOW.test(object.name);
    if (isWindow) return names.flatMap((name) => this.#variable(name, undefined, depth));
    const owners = this.valuesOf({ node: object, scope }, depth);
    return names.flatMap((name) => this.#fieldOf(owners, name, depth));
  }

  /** What is in a field of these values, or of an object that is not known. */
  #fieldOf(owners: readonly Value[], name: string, depth: number): readonly Value[] {
    const field = this.#program.field(name);
    const assigned = field?.assigned ?? [];
    const written = owners.flatMap((owner) => this.#writtenField(owner, name, depth));
    if (written.length > 0) return written;
    // Of `location`; the page is not read from a disk.
    if (name === 'protocol' && owners.length === 0) return [{ kind: 'text', text: 'https:' }];
    if (name === 'href' || assigned.length > MOST_WRITES) return [];
    const isData = DATA_FIELDS.test(name) || owners.length > 0;
    const others = isData ? [] : (field?.written ?? []);
    if (others.length > MOST_WRITES) return [];
    return [...this.#all(assigned, depth), ...this.#all(others, depth)];
  }

  #writtenField(owner: Value, name: string, depth: number): readonly Value[] {
    // The address of a `URL` is the same text.
    if (owner.kind === 'text') return name === 'href' ? [owner] : [];
    if (owner.kind === 'element') return [];
    const { node, scope } = owner;
    const fields =
      node.type === 'ArrayExpression'
        ? [...node.elements.entries()].map(([index, element]) => [String(index), element] as const)
        : this.propertiesOf(owner).map(([key, source]) => [key, source.node] as const);
    // A name that is not known may be any.
    const isAny = name === ELEMENTS || name === HOLE;
    return fields.flatMap(([key, value]) =>
      value && (isAny || key === name) ? this.valuesOf({ node: value, scope }, depth) : [],
    );
  }

  /** What a call gives: a text, an element, or what the function returns. */
  #result(node: Call, scope: Scope, depth: number): readonly Value[] {
    const { callee, args } = partsOfCall({ node, scope });
    const name = nameOf(callee.node) ?? '';
    const [first] = args;
    if (first !== undefined) {
      if (name === 'URL') return this.#resolved(args, depth);
      if (name === 'assign' || name === 'values') return this.valuesOf(first, depth);
      if (DECODERS.test(name))
        return this.#textsOrHole(first, depth).map((text) =>
          this.#textValue(decodeText(name, text)),
        );
    }
    const elements = this.#elements(node, name, args, depth);
    if (elements !== undefined) return elements;
    const owner =
      callee.node.type === 'MemberExpression' ? { node: callee.node.object, scope } : undefined;
    const own = owner && this.#method(name, owner, args, depth);
    if (own !== undefined) return own;
    const functions = this.#program.targetsOf(callee).functions;
    return functions.flatMap((called) => this.#all(this.#program.returnsOf(called), depth));
  }

  /** The elements that a call makes or finds; undefined if it is another call. */
  #elements(node: Call, name: string, args: readonly Source[], depth: number): Value[] | undefined {
    if (name === 'Image') return [{ kind: 'element', tag: 'img', node, isNew: true }];
    const isNew = /^createElement(?:NS)?$/.test(name);
    if (!isNew && !FINDERS.test(name)) return undefined;
    // The name comes after that of the name space.
    const argument = args[name.endsWith('NS') ? 1 : 0];
    if (argument === undefined) return [];
    return this.#textsOrHole(argument, depth).map((text) => ({
      kind: 'element',
      tag: isNew ? text.toLowerCase() : tagOf(text),
      node,
      isNew,
    }));
  }

  /** What a method of a text or an array gives; undefined if it is none of those that are known. */
  #method(
    name: string,
    owner: Source,
    args: readonly Source[],
    depth: number,
  ): readonly Value[] | undefined {
    if (name === 'concat') return this.join([owner, ...args], depth);
    if (/^(?:toString|trim|valueOf)$/.test(name)) return this.valuesOf(owner, depth);
    if (name === 'replace' || name === 'replaceAll') {
      const [from = HOLE, to = HOLE] = args.map((arg) => this.#textsOrHole(arg, depth)[0]);
      // What a regular expression replaces is not known: it seldom is the host.
      return this.#textsOrHole(owner, depth).map((text) =>
        this.#textValue(from.includes(HOLE) ? text : text.replace(from, () => to)),
      );
    }
    if (name !== 'join') return undefined;
    const lists = this.valuesOf(owner, depth).flatMap((value) => this.#elementsOf(value));
    const [separator = { node: COMMA, scope: owner.scope }] = args;
    return this.join(
      lists.flatMap((element, index) => (index === 0 ? [element] : [separator, element])),
      depth,
    );
  }

  #elementsOf(value: Value): Source[] {
    if (value.kind !== 'written' || value.node.type !== 'ArrayExpression') return [];
    const { scope } = value;
    return value.node.elements.flatMap((node) => (node ? [{ node, scope }] : []));
  }

  /** `new URL(address, base)`. */
  #resolved([address, base]: readonly Source[], depth: number): Value[] {
    const bases = base === undefined ? [undefined] : this.#textsOrHole(base, depth);
    const texts = address === undefined ? [] : this.#textsOrHole(address, depth);
    return texts.flatMap((text) =>
      bases.map((one) => this.#textValue(parseUrl(text, one)?.href ?? text)),
    );
  }
}

const FINDERS = /^(?:querySelector(?:All)?|getElementsByTagName)$/;
const COMMA: ESTree.Literal = { type: 'Literal', value: ',' };
/** Functions whose result is their first argument, decoded or as it is. */
const DECODERS =
  /^(?:unescape|decodeURI(?:Component)?|atob|encodeURI|String|createTextNode|createHTML|createScriptURL)$/;

function decodeText(name: string, text: string): string {
  try {
    if (name === 'atob') return atob(text);
    return /^(?:unescape|decode)/.test(name) ? decodeURIComponent(text) : text;
  } catch {
    return HOLE;
  }
}

/** The element that a selector finds; `*` if it may be any. */
function tagOf(selector: string): string {
  const last = selector.split(/[\s>+~]/).at(-1) ?? '';
  return /^[a-z]\w*/i.exec(last)?.[0].toLowerCase() ?? '*';
}

/** Each value once, as long as they are few. */
function distinct(values: readonly Value[]): readonly Value[] {
  if (values.length < 2) return values;
  const some: Value[] = [];
  for (const value of values) {
    if (some.length >= MOST_VALUES) break;
    if (!has(some, value)) some.push(value);
  }
  return some;
}

function has(values: readonly Value[], value: Value): boolean {
  return values.some((one) =>
    one.kind === 'text' && value.kind === 'text'
      ? one.text === value.text
      : one.kind !== 'text' && value.kind !== 'text' && one.node === value.node,
  );
}

function partsOfTemplate({ quasis, expressions }: ESTree.TemplateLiteral, scope: Scope): Source[] {
  return quasis.flatMap((quasi, index) => {
    const text: ESTree.Literal = { type: 'Literal', value: quasi.value.cooked ?? '' };
    const expression = expressions[index];
    return [text, ...(expression ? [expression] : [])].map((node) => ({ node, scope }));
  });
}

/** `a + b + c` as a list: long ones are nested deep. */
function operandsOf(node: ESTree.BinaryExpression, scope: Scope): Source[] {
  const operands: Node[] = [];
  let at: Node = node;
  for (; at.type === 'BinaryExpression' && at.operator === '+'; at = at.left)
    operands.push(at.right);
  operands.push(at);
  return operands.reverse().map((one) => ({ node: one, scope }));
}
