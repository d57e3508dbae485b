import type { ESTree } from 'meriyah';
import { parseUrl } from '../../../text/names.ts';
import { scanPage } from '../page-scan.ts';
import {
  addAll,
  isLoadingTag,
  type Reference,
  readSrcset,
  readTag,
  scanCss,
} from '../references.ts';
import { mayLoad, parseScript } from './parse.ts';
import {
  type Call,
  ELEMENTS,
  nameOf,
  type Placed,
  Program,
  partsOfCall,
  type Scope,
  type Source,
} from './program.ts';
import { HOLE, type Value, Values } from './values.ts';

/**
 * Addresses that a script loads from, as far as it says them: constants that reach a request, an
 * element or a text of HTML, through variables, fields, parameters and results. Nothing is run.
 *
 * `runsOnEvent`: the script runs only when a reader does something. `depth`: in how many other
 * texts this one is.
 */
export function scanScript(code: string, { runsOnEvent = false, depth = 0 } = {}): Reference[] {
  if (!mayLoad(code)) return [];
  const program = parseScript(code);
  if (program === 'data') return [];
  if (program === 'invalid' || program === 'unread') return [notRead(program, code)];
  const script = new Program(program, runsOnEvent);
  const values = new Values(script, code.length);
  const found = new Loads(script, values, depth).find();
  if (values.isExhausted) found.push(notRead('unread', code));
  return found;
}

/** Names the script by its beginning. */
function notRead(use: 'invalid' | 'unread', code: string): Reference {
  return { raw: code.trimStart().slice(0, SHOWN_CHARS).replace(/\s+/g, ' '), use, what: 'script' };
}

/** Functions that load from an argument, and which one it is. */
const LOADERS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    fetch: 0,
    importScripts: 0,
    require: 0,
    import: 0,
    sendBeacon: 0,
    register: 0,
    addModule: 0,
    WebSocket: 0,
    WebTransport: 0,
    EventSource: 0,
    Worker: 0,
    SharedWorker: 0,
    Request: 0,
    Audio: 0,
  }),
);
// A function of another file: only its name says what it does.
const SAYS_THAT_IT_LOADS = /load|fetch|script|inject|request|connect|beacon|ajax|preinit|getJSON/i;
const CLIENTS = /^(?:axios|ky|got|\$|jQuery|\$?http)$/;
/** Methods that take HTML, and which argument it is; scripts in it run only for some. */
const HTML_METHODS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    insertAdjacentHTML: 1,
    setHTMLUnsafe: 0,
    createContextualFragment: 0,
    append: 0,
    prepend: 0,
    before: 0,
    after: 0,
    html: 0,
    $: 0,
    jQuery: 0,
  }),
);
const STARTS_WITH_TAG = /^\s*</;
const INERT_SCRIPTS = /^(?:innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe)$/;
const HTML_FIELDS = /^(?:innerHTML|outerHTML|srcdoc)$/i;
const TEXT_FIELDS = /^(?:text|textContent|innerText|innerHTML)$/;
const STYLE_FIELDS = /^(?:background|backgroundImage|cssText|style|maskImage|listStyleImage)$/;
const LOCAL_MODULE = /^\.{0,2}\//;
const HOST = /^\s*(?:(?:https?|wss?|file):)?[\\/]{2}/i;
/** The host in an address, and what ends it; the name of a user may stand before it. */
const HOST_PART = /^\s*(?:\w+:)?[\\/]{2}(?:[^/?#\\]*@)?([^/?#\\]*)([/?#\\]?)/;
/** What elements, styles and the page are changed by; other fields load nothing. */
const FIELDS =
  /^(?:(?:xlink:)?href|src|srcset|imagesrcset|poster|data|action|formaction|background|ping|rel|type|nomodule|innerHTML|outerHTML|srcdoc|text|textContent|innerText|backgroundImage|cssText|style|maskImage|listStyleImage)$/i;
const DEEPEST = 4;
const SHOWN_CHARS = 60;

/** An element, with what its attributes are set to anywhere in the script. */
interface MadeElement {
  readonly tag: string;
  readonly isNew: boolean;
  readonly attributes: Map<string, string[]>;
}

class Loads {
  readonly #found: Reference[] = [];
  readonly #program: Program;
  readonly #values: Values;
  readonly #depth: number;
  /** By the call that makes or finds them, and their name. */
  readonly #elements = new Map<ESTree.Node, MadeElement[]>();

  constructor(program: Program, values: Values, depth: number) {
    this.#program = program;
    this.#values = values;
    this.#depth = depth;
  }

  find(): Reference[] {
    for (const source of this.#program.modules) this.#addModules(this.#values.textsOf(source));
    for (const { node, scope } of this.#program.assignments) this.#readAssignment(node, scope);
    for (const call of this.#program.calls) this.#readCall(call);
    for (const elements of this.#elements.values())
      for (const element of elements) this.#addAttributes(element);
    return this.#found;
  }

  #addModules(texts: readonly string[]): void {
    for (const text of texts) {
      // Half a path is none.
      if (LOCAL_MODULE.test(text) && !text.startsWith('//') && !text.includes(HOLE))
        this.#found.push({ raw: text, use: 'load', what: 'module' });
      else this.#add(text, 'module');
    }
  }

  /** Adds a text if it is the address of another host. */
  #add(text: string, what = 'request of a script', use: Reference['use'] = 'load'): void {
    const raw = knownAddress(text);
    if (raw !== undefined) this.#found.push({ raw, use, what });
  }

  #addTexts(source: Source | undefined): void {
    if (source === undefined) return;
    // Some take a list.
    const listed = { ...source, path: [...(source.path ?? []), ELEMENTS] };
    for (const one of [source, listed])
      for (const text of this.#values.textsOf(one)) this.#add(text);
  }

  #addReferences(references: readonly Reference[]): void {
    for (const { raw, use, what } of references) {
      if (use === 'unread' || use === 'invalid') this.#found.push({ raw, use, what });
      else if (use !== 'link') this.#add(raw, what, use);
    }
  }

  #addHtml(html: string): void {
    this.#addReferences(this.#readHtml(html));
  }

  /** HTML whose scripts do not run, as that of `innerHTML`. */
  #addInertHtml(html: string): void {
    this.#addReferences(this.#readHtml(html).filter(({ what }) => what !== 'script'));
  }

  #readHtml(html: string): readonly Reference[] {
    if (this.#depth >= DEEPEST) return [];
    return scanPage(html, { scan: scanScript, depth: this.#depth + 1 }).references;
  }

  #addCode(code: string): void {
    // Code in code in code: no one writes more.
    if (this.#depth < DEEPEST) addAll(this.#found, scanScript(code, { depth: this.#depth + 1 }));
  }

  #readAssignment({ left, right, operator }: ESTree.AssignmentExpression, scope: Scope): void {
    const source = { node: right, scope };
    if (left.type === 'Identifier' && left.name === 'location') this.#navigate(source);
    if (left.type !== 'MemberExpression') return;
    const name = nameOf(left);
    if (name === undefined || (operator === '+=' && !HTML_FIELDS.test(name))) return;
    const { object } = left;
    const isNavigation = name === 'location' || (name === 'href' && nameOf(object) === 'location');
    if (isNavigation) this.#navigate(source);
    else this.#setField({ node: object, scope }, name, source);
  }

  /** The page itself is replaced: at once, or when a reader does something, as by a link. */
  #navigate(source: Source): void {
    if (!source.scope.isDeferred) this.#addTexts(source);
  }

  /** `owner.name = value`, however it is written. */
  #setField(owner: Source, name: string, value: Source): void {
    if (!FIELDS.test(name)) return;
    const texts = this.#values.textsOf(value);
    if (texts.length === 0) return;
    const elements = this.#values.valuesOf(owner).filter((one) => one.kind === 'element');
    const known = elements.filter(({ tag }) => tag !== '*' && tag !== HOLE);
    for (const text of texts) {
      if (known.length === 0) this.#setOfUnknown(name, text);
      for (const element of known) this.#setOfElement(element, name, text);
    }
  }

  #setOfUnknown(name: string, text: string): void {
    if (HTML_FIELDS.test(name)) this.#addInertHtml(text);
    else if (/^(?:src|href|poster)$/i.test(name)) this.#add(text);
    else if (name === 'srcset') for (const url of readSrcset(text)) this.#add(url);
    if (STYLE_FIELDS.test(name)) this.#addReferences(scanCss(text));
  }

  #setOfElement(value: Value & { kind: 'element' }, name: string, text: string): void {
    if (value.tag === 'script' && TEXT_FIELDS.test(name)) this.#addCode(text);
    else if (value.tag === 'style' && TEXT_FIELDS.test(name)) this.#addReferences(scanCss(text));
    else if (HTML_FIELDS.test(name)) this.#addInertHtml(text);
    else if (STYLE_FIELDS.test(name) && name !== 'src') this.#addReferences(scanCss(text));
    else this.#setAttribute(value, name.toLowerCase(), text);
  }

  #setAttribute(
    { tag, node, isNew }: Value & { kind: 'element' },
    name: string,
    text: string,
  ): void {
    const elements = this.#elements.get(node) ?? [];
    this.#elements.set(node, elements);
    let element = elements.find((one) => one.tag === tag);
    if (element === undefined) {
      element = { tag, isNew, attributes: new Map() };
      elements.push(element);
    }
    const texts = element.attributes.get(name) ?? [];
    element.attributes.set(name, texts);
    texts.push(text);
  }

  /** Reads an element of a script as one of a page, with each text that an attribute may have. */
  #addAttributes({ tag, isNew, attributes }: MadeElement): void {
    // What decides whether the element loads anything.
    const context = new Map<string, string>();
    for (const name of ['rel', 'type']) {
      const text = attributes.get(name)?.[0];
      if (text !== undefined && !text.includes(HOLE)) context.set(name, text);
    }
    // The element that is found may be any link; the relation of a new one may be built.
    if (tag === 'link' && !context.has('rel') && (!isNew || attributes.has('rel')))
      context.set('rel', 'stylesheet');
    const references: Reference[] = [];
    for (const [name, texts] of attributes) {
      for (const text of texts) readTag(tag, new Map([...context, [name, text]]), references);
    }
    this.#addReferences(references);
  }

  #readCall(call: Placed<Call>): void {
    const { callee, args } = partsOfCall(call);
    const [first, second] = args;
    if (first === undefined) return;
    const { names } = this.#program.targetsOf(callee);
    const [name = ''] = names;
    const { node, scope } = callee;
    if (node.type === 'MemberExpression')
      this.#readMethod({ node: node.object, scope }, name, args);
    if (/^(?:eval|Function|setTimeout|setInterval)$/.test(name))
      for (const arg of args) this.#readCode(arg);
    const loader = names.find((one) => LOADERS.has(one));
    if (loader !== undefined) this.#addTexts(args[LOADERS.get(loader) ?? 0]);
    else if (this.#mayLoad(callee, name)) for (const arg of args) this.#readUnknown(arg);
    if (name === 'FontFace' && second) this.#setOfUnknown('cssText', this.#wordOf(second));
    if (second?.node.type === 'ObjectExpression') this.#readCreation(call.node, first, second);
    this.#readHtmlCall(name, args);
  }

  #readMethod(owner: Source, name: string, args: readonly Source[]): void {
    const [first, second, third] = args;
    if (first === undefined) return;
    switch (name) {
      case 'setAttribute':
        if (second) this.#setField(owner, this.#wordOf(first), second);
        return;
      case 'setAttributeNS':
        if (second && third) this.#setField(owner, this.#wordOf(second), third);
        return;
      case 'setProperty':
        if (second) this.#setField(owner, 'style', second);
        return;
      // A text in a script or a style.
      case 'appendChild':
      case 'append':
        this.#setField(owner, 'text', first);
        return;
      case 'insertRule':
      case 'replaceSync':
        this.#setField(owner, 'cssText', first);
        return;
      // `request.open('GET', …)`; `window.open(…)` waits for a reader.
      case 'open':
        if (/^[a-z]+$/i.test(this.#wordOf(first))) this.#addTexts(second);
        return;
      case 'assign':
      case 'replace':
        if (nameOf(owner.node) === 'location') this.#navigate(first);
        else if (name === 'assign') this.#assign(first, args.slice(1));
        return;
    }
  }

  /** `Object.assign(element, { src: … })`. */
  #assign(owner: Source, objects: readonly Source[]): void {
    for (const value of objects.flatMap((object) => this.#values.valuesOf(object))) {
      if (value.kind !== 'written') continue;
      for (const [name, source] of this.#values.propertiesOf(value))
        this.#setField(owner, name, source);
    }
  }

  /** The first whole text that an expression may be; empty if there is none. */
  #wordOf(source: Source): string {
    return this.#values.textsOf(source).find((text) => !text.includes(HOLE)) ?? '';
  }

  #readCode(source: Source): void {
    for (const text of this.#values.textsOf(source)) this.#addCode(text);
  }

  /** Whether a function that is not in this script loads from its arguments, by its name. */
  #mayLoad(callee: Source, name: string): boolean {
    const { node } = callee;
    const owner = node.type === 'MemberExpression' ? nameOf(node.object) : undefined;
    const isClient = CLIENTS.test(name) || CLIENTS.test(owner ?? '');
    if (!isClient && !SAYS_THAT_IT_LOADS.test(name)) return false;
    return this.#program.targetsOf(callee).functions.length === 0;
  }

  #readUnknown(arg: Source): void {
    this.#addTexts(arg);
    for (const [name, source] of this.#values.propertiesOf(arg))
      if (/^(?:url|src)$/.test(name)) this.#addTexts(source);
  }

  /** `createElement('img', { src: … })`, as frameworks write elements. */
  #readCreation(node: Call, first: Source, second: Source): void {
    for (const text of this.#values.textsOf(first)) {
      const tag = text.toLowerCase();
      if (!isLoadingTag(tag)) continue;
      for (const [name, source] of this.#values.propertiesOf(second))
        for (const value of this.#values.textsOf(source))
          this.#setAttribute(
            { kind: 'element', tag, node, isNew: true },
            name.toLowerCase(),
            value,
          );
    }
  }

  #readHtmlCall(name: string, args: readonly Source[]): void {
    const isWrite = /^write(?:ln)?$/.test(name);
    const arg = args[HTML_METHODS.get(name) ?? args.length];
    const html = isWrite ? this.#values.join(args) : ((arg && this.#values.valuesOf(arg)) ?? []);
    for (const value of html) {
      if (value.kind !== 'text' || !STARTS_WITH_TAG.test(value.text)) continue;
      if (INERT_SCRIPTS.test(name)) this.#addInertHtml(value.text);
      else this.#addHtml(value.text);
    }
  }
}

/**
 * The part of an address that a script says, if its host is in it; undefined if it is none, leads
 * to the site's own host, or is only half a host.
 */
function knownAddress(text: string): string | undefined {
  if (!HOST.test(text)) return undefined;
  const known = text.split(HOLE)[0] ?? '';
  if (known !== text && !hasWholeHost(known)) return undefined;
  return parseUrl(known, 'https://site.invalid') === undefined ? undefined : known;
}

/** Whether the host of an address is complete, though what follows is not known. */
function hasWholeHost(known: string): boolean {
  const [, host = '', end = ''] = HOST_PART.exec(known) ?? [];
  if (host === '') return false;
  // After the name of a domain, most scripts add a path: after `https://api.` the rest of the name.
  return end !== '' || (host.includes('.') && !/[-.:]$/.test(host));
}
