import { byName } from '../references.ts';

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

/** Functions and methods, by their names, that load something from an argument. */
export const CALL_SINKS = byName<Sink>([
  [
    { kind: 'url', argument: 0 },
    'fetch importScripts require import sendBeacon register addModule Request',
  ],
  [{ kind: 'url', argument: 0 }, 'WebSocket WebTransport EventSource Worker SharedWorker Audio'],
  [{ kind: 'code', argument: 0 }, 'eval setTimeout setInterval'],
  [{ kind: 'code', argument: -1 }, 'Function'],
  [{ kind: 'css', argument: 0 }, 'insertRule replaceSync'],
  [{ kind: 'css', argument: 1 }, 'FontFace setProperty'],
  [{ kind: 'inert', argument: 1 }, 'insertAdjacentHTML'],
  [{ kind: 'inert', argument: 0 }, 'setHTMLUnsafe'],
  [
    { kind: 'html', argument: 0 },
    'createContextualFragment prepend before after html $ jQuery append write writeln',
  ],
]);

/** Fields, and attributes, that an element or the page loads something from. */
export const FIELD_SINKS = byName<SinkKind>([
  ['url', 'src href poster'],
  ['srcset', 'srcset'],
  ['inert', 'innerhtml outerhtml srcdoc'],
  ['text', 'text textcontent innertext'],
  ['css', 'background backgroundimage csstext style maskimage liststyleimage'],
  ['attribute', 'xlink:href imagesrcset data action formaction ping'],
  ['attribute', 'rel type nomodule'],
]);

const LOADER_NAME = /load|fetch|script|inject|request|connect|beacon|ajax|preinit|getJSON/i;
const CLIENT = /^(?:axios|ky|got|d3|\$|jQuery|\$?http)$/;

/** Whether a function of another file loads from its arguments: only its name says what it does. */
export function soundsLikeLoader(name: string, owner = ''): boolean {
  return LOADER_NAME.test(name) || CLIENT.test(name) || CLIENT.test(owner);
}
