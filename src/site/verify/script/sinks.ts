/**
 * How a sink takes a text: as an address that is fetched, as code, as a style, or as HTML. Scripts
 * in `inert` HTML do not run. `text` is the content of an element, which is code or a style in some.
 */
export type SinkKind = 'url' | 'srcset' | 'code' | 'css' | 'html' | 'inert' | 'text' | 'attribute';

export interface Sink {
  readonly kind: SinkKind;
  /** Which argument it is; `-1` is the last one. */
  readonly argument: number;
}

function sinks(kind: SinkKind, argument: number, names: string): [string, Sink][] {
  return names.split(' ').map((name) => [name, { kind, argument }]);
}

/** Functions and methods, by their names, that load something from an argument. */
export const CALL_SINKS: ReadonlyMap<string, Sink> = new Map([
  ...sinks('url', 0, 'fetch importScripts require import sendBeacon register addModule Request'),
  ...sinks('url', 0, 'WebSocket WebTransport EventSource Worker SharedWorker Audio'),
  ...sinks('code', 0, 'eval setTimeout setInterval'),
  ...sinks('code', -1, 'Function'),
  ...sinks('css', 0, 'insertRule replaceSync'),
  ...sinks('css', 1, 'FontFace setProperty'),
  ...sinks('inert', 1, 'insertAdjacentHTML'),
  ...sinks('inert', 0, 'setHTMLUnsafe'),
  ...sinks('html', 0, 'createContextualFragment prepend before after html $ jQuery'),
  ...sinks('html', 0, 'append write writeln'),
]);

/** Fields, and attributes, that an element or the page loads something from. */
export const FIELD_SINKS: ReadonlyMap<string, SinkKind> = new Map(
  Object.entries({
    src: 'url',
    href: 'url',
    poster: 'url',
    srcset: 'srcset',
    innerhtml: 'inert',
    outerhtml: 'inert',
    srcdoc: 'inert',
    text: 'text',
    textcontent: 'text',
    innertext: 'text',
    background: 'css',
    backgroundimage: 'css',
    csstext: 'css',
    style: 'css',
    maskimage: 'css',
    liststyleimage: 'css',
    'xlink:href': 'attribute',
    imagesrcset: 'attribute',
    data: 'attribute',
    action: 'attribute',
    formaction: 'attribute',
    ping: 'attribute',
    rel: 'attribute',
    type: 'attribute',
    nomodule: 'attribute',
  } as const),
);

const LOADER_NAME = /load|fetch|script|inject|request|connect|beacon|ajax|preinit|getJSON/i;
const CLIENT = /^(?:axios|ky|got|\$|jQuery|\$?http)$/;

/** Whether a function of another file loads from its arguments: only its name says what it does. */
export function soundsLikeLoader(name: string, owner = ''): boolean {
  return LOADER_NAME.test(name) || CLIENT.test(name) || CLIENT.test(owner);
}
