import type { Losses, RemovedKind } from './removed.ts';

/** What GitHub shows as text or takes as layout. Every other tag is taken out and its text stays, as GitHub does it. */
const SHOWN: ReadonlySet<string> = new Set(
  `a abbr b bdo blockquote br caption center cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i
   img ins kbd li mark ol p picture pre q rp rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot
   th thead time tr tt ul var wbr`.split(/\s+/),
);
// Taken out with their content: GitHub's sanitizer does so, or no page shows it as text.
const WITH_CONTENT: ReadonlySet<string> = new Set(
  'head iframe math noembed noframes noscript plaintext rp script style svg template textarea title xmp'.split(' '),
);
export const BLOCKS: ReadonlySet<string> = new Set(
  `address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend
   main nav ol p section summary ul`.split(/\s+/),
);
export const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
export const HEADING = /^h([1-6])$/;
// Each makes the text smaller: nobody reads the fourth.
export const SMALLER: ReadonlySet<string> = new Set(['sub', 'sup', 'small']);
export const MOST_SMALLER = 3;
// No page nests like this, and the parser's work for one more element grows with the depth.
export const DEEPEST = 200;

// GitHub takes these out and shows the text. Other readers of the same text do not.
const HIDING_ATTRIBUTES = ['hidden', 'aria-hidden', 'popover', 'inert'] as const;
const HIDING_CLASS = /hid|sr-only|screen-?reader|invisible|collapse|none|transparent/i;
const HARMLESS_STYLE =
  /^(\s*(text-align|font-weight|font-style|text-decoration|vertical-align|list-style(-type)?|border[a-z-]*|padding[a-z-]*)\s*:[^;]*(;|$))*\s*$/i;
const LAYOUT: ReadonlySet<string> = new Set(
  'align border class colspan height id name open rowspan start style type valign width'.split(' '),
);

type Attributes = Readonly<Record<string, string>>;

/** What the content of an element is counted as when it is left out; undefined where it is shown. */
export function hidingOf(name: string, attributes: Attributes): RemovedKind | undefined {
  if (WITH_CONTENT.has(name)) return 'scripts and styles';
  if (name === 'details' && !('open' in attributes)) return 'folded parts';
  const isHidden =
    HIDING_ATTRIBUTES.some((attribute) => attribute in attributes) ||
    HIDING_CLASS.test(attributes['class'] ?? '') ||
    !HARMLESS_STYLE.test(attributes['style'] ?? '');
  return isHidden ? 'hidden elements' : undefined;
}

/** Counts what GitHub does not show of a tag itself. */
export function countTag(tag: { name: string; attributes: Attributes; length: number }, losses: Losses): void {
  const { name, attributes, length } = tag;
  if (!SHOWN.has(name) && !WITH_CONTENT.has(name)) losses.add('tags', length);
  else if (name === 'img') losses.add('images', Object.values(attributes).join('').length);
  else {
    for (const [attribute, value] of Object.entries(attributes)) {
      if (!LAYOUT.has(attribute)) losses.add(attribute === 'href' ? 'link addresses' : 'attributes', value.length);
    }
  }
}
