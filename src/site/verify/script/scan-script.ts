import type { ESTree } from 'meriyah';
import { groupBy, parseUrl } from '../../../ground/text/names.ts';
import { scanPage } from '../page-scan.ts';
import {
  addAll,
  isLoadingTag,
  kindOfScript,
  type Reference,
  readSrcset,
  readTag,
  scanCss,
} from '../references.ts';
import { mayLoad, parseScript } from './parse.ts';
import { Program } from './program.ts';
import { CALL_SINKS, FIELD_SINKS, type Sink, type SinkKind, soundsLikeLoader } from './sinks.ts';
import {
  ANY,
  type CallSite,
  elementOf,
  type Key,
  type Node,
  nameOf,
  ownerOf,
  partsOf,
} from './syntax.ts';
import { type Element, HOLE, Values } from './values.ts';

/**
 * Addresses that a script loads from, as far as it says them: constants that reach a request, an
 * element or a text of HTML, through variables, fields, parameters and results. Nothing is run.
 *
 * `runsOnEvent`: the script runs only when a reader does something. `depth`: in how many other
 * texts this one is.
 */
export function scanScript(code: string, { runsOnEvent = false, depth = 0 } = {}): Reference[] {
  if (!mayLoad(code)) return [];
  const parsed = parseScript(code);
  if (parsed === 'data') return [];
  // Of code in a text, a part may not be known.
  const lacksPart = parsed === 'invalid' && code.includes(HOLE);
  if (lacksPart || parsed === 'unread') return [notRead('unread', code)];
  if (parsed === 'invalid') return [notRead(parsed, code)];
  const program = new Program(parsed, runsOnEvent);
  const values = new Values(program, code.length);
  const found = new SinkReader(program, values, depth).read();
  if (values.isExhausted) found.push(notRead('unread', code));
  return found;
}

/** Names the script by its beginning. */
function notRead(use: 'invalid' | 'unread', code: string): Reference {
  const raw = code
    .trimStart()
    .slice(0, SHOWN_CHARS)
    .replace(/[\0\s]+/g, ' ');
  return { raw, use, what: 'script' };
}

const SHOWN_CHARS = 60;
/** Of a variable with more, which function it is is not known. */
const MOST_NAMES = 12;
/** Code in code in code: no one writes more. */
const DEEPEST = 4;
const REQUEST = 'request of a script';
const MODULE_LOADERS = /^(?:require(?:js)?|System(?:JS)?)$/;
const STARTS_WITH_TAG = /^\s*</;
const LOCAL_MODULE = /^\.{0,2}\/(?!\/)/;
const HOST = /^\s*(?:(?:https?|wss?|file):)?[\\/]{2}/i;
/** The host in an address, and what ends it; the name of a user may stand before it. */
const HOST_PART = /^\s*(?:\w+:)?[\\/]{2}(?:[^/?#\\]*@)?([^/?#\\]*)([/?#\\]?)/;

/** What an attribute of an element is set to. */
interface SetAttribute extends Element {
  readonly name: string;
  readonly text: string;
  /** The object whose field it is, if the fields of one are set together. */
  readonly from?: Node | undefined;
}

/** Reads the sinks of a script: the call sites and assignments that load something. */
class SinkReader {
  readonly #found: Reference[] = [];
  readonly #program: Program;
  readonly #values: Values;
  readonly #depth: number;
  readonly #attributes: SetAttribute[] = [];

  constructor(program: Program, values: Values, depth: number) {
    this.#program = program;
    this.#values = values;
    this.#depth = depth;
  }

  read(): Reference[] {
    for (const source of this.#program.modules) this.#readModule(source);
    for (const assignment of this.#program.assignments) this.#readAssignment(assignment);
    for (const call of this.#program.calls) this.#readCall(call);
    for (const element of groupBy(this.#attributes, ({ node }) => node).values())
      this.#readElement(element);
    return distinct(this.#found);
  }

  #readModule(source: Node): void {
    for (const text of this.#values.textsOf(source)) {
      // Half a path is none.
      if (LOCAL_MODULE.test(text) && !text.includes(HOLE))
        this.#found.push({ raw: text, use: 'load', what: 'module' });
      else this.#addAddress(text, 'module');
    }
  }

  #readAssignment(assignment: ESTree.AssignmentExpression): void {
    const { left, right, operator } = assignment;
    const name = nameOf(left) ?? '';
    const owner = ownerOf(left);
    const isLocation = name === 'location' || (owner && nameOf(owner) === 'location');
    if (isLocation) this.#navigate(assignment, right);
    else if (owner && (operator === '=' || kindOfField(name) === 'inert')) {
      if (name !== '' || left.type !== 'MemberExpression') this.#setField(owner, name, right);
      else this.#setAttributeOf(owner, left.property, right);
    }
  }

  /** The page itself is replaced: at once, or when a reader does something, as by a link. */
  #navigate(by: Node, address: Node): void {
    if (!this.#program.isDeferred(by)) this.#readTexts('url', address);
  }

  #readCall(call: CallSite): void {
    const { node, callee, args } = call;
    const [first, second] = args;
    if (first === undefined) return;
    const name = nameOf(callee) ?? '';
    const owner = ownerOf(callee);
    if (owner) this.#readMethod(owner, name, call);
    const sink = this.#sinkOf(callee);
    const argument = sink && args.at(sink.argument);
    if (sink && argument) this.#readTexts(sink.kind, argument);
    else if (soundsLikeLoader(name, owner && nameOf(owner)) && !this.#isKnown(callee))
      for (const arg of args) this.#readArgument(arg);
    if (name === 'Blob') this.#readBlob(first, second);
    if (second?.type === 'ObjectExpression') this.#readCreation(node, first, second);
  }

  #sinkOf(callee: Node): Sink | undefined {
    const sink = CALL_SINKS.get(nameOf(callee) ?? '');
    if (sink !== undefined || callee.type !== 'Identifier') return sink;
    // A variable may be another name of such a function.
    const definitions = this.#program.variableOf(callee)?.definitions.slice(0, MOST_NAMES) ?? [];
    return definitions
      .map((node) => CALL_SINKS.get(nameOf(node) ?? ''))
      .find((alias) => alias?.kind === 'url');
  }

  #isKnown(callee: Node): boolean {
    return this.#values.functionsOf(callee).length > 0;
  }

  #readMethod(owner: Node, name: string, { node, args }: CallSite): void {
    const [first, second, third] = args;
    if (first === undefined) return;
    if (nameOf(owner) === 'location') {
      if (name === 'assign' || name === 'replace') this.#navigate(node, first);
      return;
    }
    switch (name) {
      case 'setAttribute':
        this.#setAttributeOf(owner, first, second);
        return;
      case 'setAttributeNS':
        this.#setAttributeOf(owner, second, third);
        return;
      // A text in a script or a style.
      case 'appendChild':
      case 'append':
        this.#setField(owner, 'text', first);
        return;
      // `request.open('GET', …)`; `window.open(…)` waits for a reader.
      case 'open':
        if (second && /^[a-z]+$/i.test(this.#values.wordOf(first))) this.#readTexts('url', second);
        return;
      case 'config':
        if (MODULE_LOADERS.test(nameOf(owner) ?? '')) this.#readModulePaths(first);
        return;
      case 'assign':
        this.#assignFields(first, args.slice(1));
    }
  }

  /** RequireJS: the names of modules with their addresses. */
  #readModulePaths(options: Node): void {
    for (const [field, paths] of this.#values.originsOf(options).flatMap(partsOf))
      if (field === 'paths') this.#readTexts('url', elementOf(paths));
  }

  /** `Object.assign(element, { src: … })`. */
  #assignFields(element: Node, objects: readonly Node[]): void {
    for (const object of objects.flatMap((one) => this.#values.originsOf(one)))
      for (const [field, value] of partsOf(object)) this.#setField(element, field, value, object);
  }

  #setAttributeOf(owner: Node, name?: Node, value?: Node): void {
    if (!name || !value) return;
    const keys = this.#values.originsOf(name).filter((origin) => origin.type === 'Key');
    for (const key of keys) this.#setFromLoop(owner, key);
    // Of other names, each has a value of its own, and which one is not known.
    if (keys.length === 0) this.#setField(owner, this.#values.wordOf(name), value);
  }

  /** In a loop over an object, a name has the value that is in its own field. */
  #setFromLoop(owner: Node, { object, name, value }: Key): void {
    // Most such loops copy options.
    if (this.#values.elementsOf(owner).length === 0) return;
    this.#setField(owner, name, value, object);
  }

  /** `createElement('img', { src: … })`, as frameworks write elements. */
  #readCreation(node: Node, first: Node, object: Node): void {
    const tags = this.#values.textsOf(first).map((tag) => tag.toLowerCase());
    for (const tag of tags.filter(isLoadingTag))
      for (const [name, value] of partsOf(object))
        for (const text of this.#values.textsOf(value))
          this.#attributes.push({ tag, node, name, text });
  }

  /** A file that a script writes: of a worker, if it is code. */
  #readBlob(list: Node, options?: Node): void {
    if (this.#depth >= DEEPEST) return;
    const type = options && this.#values.wordOf({ type: 'FieldOf', object: options, name: 'type' });
    if (type && kindOfScript(new Map([['type', type]])) !== 'script') return;
    for (const parts of this.#values.originsOf(list).map(partsOf)) {
      const code = this.#values.join(parts.map(([, part]) => part));
      const references = code.flatMap((text) => scanScript(text, { depth: this.#depth + 1 }));
      this.#addReferences(references.filter(({ use }) => use !== 'invalid' && use !== 'unread'));
    }
  }

  /** `owner.name = value`, however it is written; `from`: the object that has the value. */
  #setField(owner: Node, name: string, value: Node, from?: Node): void {
    const kind = kindOfField(name);
    if (kind === undefined) return;
    const texts = this.#values.textsOf(value);
    if (texts.length === 0) return;
    const elements = this.#values.elementsOf(owner);
    const known = elements.filter(({ tag }) => tag !== ANY && tag !== HOLE);
    // Of a function that makes any element, each call names one with its own object.
    if (from && isOfManyTags(known)) return;
    for (const text of texts) {
      if (known.length === 0) this.#addText(kind, text);
      for (const element of known) this.#setOfElement({ ...element, name, text, from }, kind);
    }
  }

  #setOfElement(attribute: SetAttribute, kind: SinkKind): void {
    const { tag, name, text } = attribute;
    if (kind === 'url' || kind === 'srcset' || kind === 'attribute')
      this.#attributes.push(attribute);
    else this.#addText(kindIn(tag, kind, name), text);
  }

  #readElement(attributes: readonly SetAttribute[]): void {
    const deciding = decidingTexts(attributes);
    for (const group of groupBy(attributes, ({ from }) => from).values()) {
      const own = decidingTexts(group);
      for (const attribute of group)
        this.#readAttribute(attribute, own.length > 0 ? own : deciding);
    }
  }

  /** Reads it as that of an element of a page, with the first text for which it loads anything. */
  #readAttribute({ tag, name, text }: SetAttribute, deciding: readonly string[]): void {
    const [decisive, assumed] = decisiveOf(tag);
    for (const one of deciding.length > 0 ? deciding : [assumed]) {
      const references: Reference[] = [];
      const attributes = new Map([[decisive, one]]).set(name.toLowerCase(), text);
      readTag(tag, attributes, references);
      this.#addReferences(references);
      if (references.some(({ use }) => use !== 'link')) return;
    }
  }

  /** An argument of a function that is not known: an address, or options with one. */
  #readArgument(arg: Node): void {
    this.#readTexts('url', arg);
    for (const [name, value] of partsOf(arg))
      if (name === 'url' || name === 'src') this.#readTexts('url', value);
  }

  #readTexts(kind: SinkKind, value: Node): void {
    for (const text of this.#values.textsOf(value)) this.#addText(kind, text);
    // Some take a list of addresses.
    if (kind !== 'url') return;
    for (const text of this.#values.textsOf(elementOf(value))) this.#addAddress(text);
  }

  #addText(kind: SinkKind, text: string): void {
    switch (kind) {
      case 'url':
        this.#addAddress(text);
        return;
      case 'srcset':
        for (const url of readSrcset(text)) this.#addAddress(url);
        return;
      case 'css':
        this.#addReferences(scanCss(text));
        return;
      case 'code':
        if (this.#depth < DEEPEST)
          addAll(this.#found, scanScript(text, { depth: this.#depth + 1 }));
        return;
      case 'html':
        // For `append` and the like, any other text is a text.
        if (STARTS_WITH_TAG.test(text)) this.#addReferences(this.#readHtml(text));
        return;
      case 'inert':
        this.#addReferences(this.#readHtml(text).filter(({ what }) => what !== 'script'));
        return;
    }
  }

  #readHtml(html: string): readonly Reference[] {
    if (this.#depth >= DEEPEST) return [];
    return scanPage(html, { scan: scanScript, depth: this.#depth + 1 }).references;
  }

  #addReferences(references: readonly Reference[]): void {
    for (const reference of references) {
      const { raw, use, what } = reference;
      if (use === 'unread' || use === 'invalid') this.#found.push(reference);
      else if (use !== 'link') this.#addAddress(raw, what, use);
    }
  }

  /** Adds a text if it is the address of another host. */
  #addAddress(text: string, what = REQUEST, use: Reference['use'] = 'load'): void {
    const raw = knownAddress(text);
    if (raw !== undefined) this.#found.push({ raw, use, what });
  }
}

/** Each address once, as what is certain: that it is requested may be known by a name only. */
function distinct(references: readonly Reference[]): Reference[] {
  const sameOnes = groupBy(references, ({ raw, use }) => `${use} ${raw}`).values();
  return [...sameOnes].map((same) => same.find(({ what }) => what !== REQUEST) ?? same[0]);
}

/** The attribute that decides whether an element loads anything, and what it is if no one knows. */
function decisiveOf(tag: string): readonly [name: string, assumed: string] {
  // A link that only the running script knows may be a style sheet.
  if (tag === 'link') return ['rel', 'stylesheet'];
  return ['type', ''];
}

function decidingTexts(attributes: readonly SetAttribute[]): readonly string[] {
  const deciding = attributes.filter(
    ({ tag, name, text }) => name.toLowerCase() === decisiveOf(tag)[0] && !text.includes(HOLE),
  );
  return [...new Set(deciding.map(({ text }) => text))].slice(0, MOST_NAMES);
}

/** Whether one call makes elements of several kinds: that of a function that gets the kind. */
function isOfManyTags(elements: readonly Element[]): boolean {
  return new Set(elements.map(({ node }) => node)).size < elements.length;
}

function kindOfField(name: string): SinkKind | undefined {
  return FIELD_SINKS.get(name.toLowerCase());
}

/** The text of a script is code, that of a style a style. */
function kindIn(tag: string, kind: SinkKind, name: string): SinkKind {
  const isContent = kind === 'text' || name === 'innerHTML';
  if (isContent && tag === 'script') return 'code';
  if (isContent && tag === 'style') return 'css';
  return kind;
}

/**
 * The part of an address that a script says, if its host is in it; undefined if it is none, leads
 * to the site's own host, or is only half a host.
 */
function knownAddress(text: string): string | undefined {
  if (!HOST.test(text)) return undefined;
  const known = text.split(HOLE)[0] ?? '';
  if (known !== text && !hasWholeHost(known)) return undefined;
  const url = parseUrl(known, 'https://site.invalid');
  // Two beginnings, one of which stands for an address that the script is given: `http://http://`.
  if (url === undefined || /^https?:\/\/https?\/+$/.test(url.href)) return undefined;
  return known;
}

/** Whether the host of an address is complete, though what follows is not known. */
function hasWholeHost(known: string): boolean {
  const [, host = '', end = ''] = HOST_PART.exec(known) ?? [];
  if (host === '') return false;
  // After the name of a domain, most scripts add a path: after `https://api.` the rest of the name.
  return end !== '' || (host.includes('.') && !/[-.:]$/.test(host));
}
