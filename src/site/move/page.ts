import type { TokenizerCallbacks } from 'htmlparser2';
import { kindOfScript, readSrcset, scanImportMap } from '../verify/references.ts';
import { tokenize } from '../verify/tokenize.ts';
import { patchesOfCss } from './css.ts';
import { addPatches, type Exchange, type Patch, type Range } from './exchange.ts';
import { type PushedText, patchesOfPushed, readPushed } from './pushed-payload.ts';

/** Attributes whose values are read by people: an address in one is a word. */
const PROSE: ReadonlySet<string> = new Set(
  'alt title aria-label aria-description aria-roledescription placeholder summary label'.split(' '),
);
/** Attributes with several addresses between spaces. */
const LISTS: ReadonlySet<string> = new Set(['ping', 'attributionsrc']);
/** A policy, which names hosts and paths between spaces. */
const IS_POLICY = /(?:^|;)\s*(?:[a-z]+-){1,3}(?:src|uri)\s/i;
const EMBEDDED = /^(?:script|style)$/;
/** An address of another host, or one that contains the script. */
const IS_ELSEWHERE = /^\s*(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** Finds the addresses of a page or an SVG picture in Latin-1, so that positions are those of bytes. */
export class PageMove implements TokenizerCallbacks {
  /** The texts of its scripts and styles, which a policy may name by their hashes. */
  readonly embedded: Range[] = [];
  /** Whether scripts of the site run on the page. */
  hasScripts = false;
  readonly #text: string;
  readonly #exchange: Exchange;
  readonly #isXml: boolean;
  readonly #patches: Patch[] = [];
  readonly #pushed: PushedText[] = [];
  /** The start tag that is being read, or whose script or style is open. */
  #tag = '';
  readonly #attributes = new Map<string, string>();
  #name = '';
  #valueStart = -1;
  #valueEnd = -1;
  /** Where the text of the open script or style begins; undefined: none is open. */
  #embeddedStart: number | undefined;

  constructor(text: string, exchange: Exchange, isXml: boolean) {
    this.#text = text;
    this.#exchange = exchange;
    this.#isXml = isXml;
    tokenize(text, isXml, this);
  }

  /** In their order. */
  get patches(): readonly Patch[] {
    const pushed = patchesOfPushed(this.#pushed, this.#exchange);
    return [...this.#patches, ...pushed].sort((a, b) => a.start - b.start);
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#text.slice(start, end).toLowerCase();
    this.#attributes.clear();
  }

  onattribname(start: number, end: number): void {
    this.#name = this.#text.slice(start, end).toLowerCase();
    this.#valueStart = -1;
  }

  onattribdata(start: number, end: number): void {
    if (this.#valueStart < 0) this.#valueStart = start;
    this.#valueEnd = end;
  }

  onattribend(): void {
    const start = this.#valueStart;
    if (this.#name.startsWith('on')) this.hasScripts = true;
    if (start < 0) return;
    const value = this.#text.slice(start, this.#valueEnd);
    if (EMBEDDED.test(this.#tag)) this.#attributes.set(this.#name, value);
    this.#add(this.#patchesOfValue(value), start);
  }

  #patchesOfValue(value: string): Patch[] {
    const exchange = this.#exchange;
    const name = this.#name;
    if (!value.includes(exchange.name) || PROSE.has(name)) return [];
    if (name.endsWith('srcset')) return patchesOfSrcset(value, exchange);
    if (name === 'style' && !value.includes('&')) return patchesOfCss(value, exchange);
    if (LISTS.has(name) || IS_POLICY.test(value)) return exchange.find(value, 'words');
    // A description; a refresh has spaces and an address, and so have settings such as `uri=/x`.
    const isSentence = name === 'content' && /\S\s/.test(value) && !/^\s*[\d.]+\s*[;,]/.test(value);
    if (isSentence)
      return exchange.find(value, 'prose').filter(({ start }) => value[start - 1] === '=');
    return exchange.find(value, 'value');
  }

  onopentagend(end: number): void {
    if (this.#tag === 'script') this.#noteSource();
    if (EMBEDDED.test(this.#tag)) this.#embeddedStart = end + 1;
  }

  // In HTML, a script that closes itself is open all the same.
  onselfclosingtag(end: number): void {
    this.onopentagend(end);
    if (this.#isXml) this.#embeddedStart = undefined;
  }

  /** Whether a script that the page loads is one of the site. */
  #noteSource(): void {
    const source = this.#attributes.get('src') ?? this.#attributes.get('href');
    if (source === undefined || kindOfScript(this.#attributes) === undefined) return;
    if (!IS_ELSEWHERE.test(source)) this.hasScripts = true;
  }

  onclosetag(start: number): void {
    this.#closeEmbedded(this.#text.lastIndexOf('</', start));
  }

  onend(): void {
    this.#closeEmbedded(this.#text.length);
  }

  #closeEmbedded(end: number): void {
    const start = this.#embeddedStart;
    this.#embeddedStart = undefined;
    if (start !== undefined) this.#addEmbedded({ start, end });
  }

  #addEmbedded({ start, end }: Range): void {
    const text = this.#text.slice(start, end);
    if (text.trim() === '') return;
    if (this.#tag === 'script') this.#noteScript(text);
    this.embedded.push({ start, end });
    if (this.#tag === 'style') {
      this.#add(patchesOfCss(text, this.#exchange), start);
      return;
    }
    let at = start;
    for (const pushed of readPushed(text, start)) {
      this.#addCode(at, pushed.start);
      this.#pushed.push(pushed);
      at = pushed.end;
    }
    this.#addCode(at, end);
  }

  #addCode(start: number, end: number): void {
    const kind = kindOfScript(this.#attributes) === 'script' ? 'code' : 'data';
    this.#add(this.#exchange.find(this.#text.slice(start, end), kind), start);
  }

  #noteScript(text: string): void {
    if (this.#attributes.has('src')) return;
    const kind = kindOfScript(this.#attributes);
    if (kind === 'script') this.hasScripts = true;
    if (kind === 'importmap' && scanImportMap(text).length > 0) this.hasScripts = true;
  }

  // Also `<?xml-stylesheet href="…"?>`, which is a comment in HTML.
  oncomment(start: number, end: number): void {
    this.#add(this.#exchange.find(this.#text.slice(start, end), 'prose'), start);
  }

  onprocessinginstruction(start: number, end: number): void {
    this.oncomment(start, end);
  }

  #add(patches: readonly Patch[], start: number): void {
    addPatches(this.#patches, patches, start);
  }

  ontext(): void {}
  ontextentity(): void {}
  onattribentity(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
}

/** The patches of a list of pictures: an address may contain commas. */
function patchesOfSrcset(value: string, exchange: Exchange): Patch[] {
  const patches: Patch[] = [];
  let at = 0;
  for (const address of readSrcset(value)) {
    at = value.indexOf(address, at);
    addPatches(patches, exchange.find(address, 'value'), at);
    at += address.length;
  }
  return patches;
}
