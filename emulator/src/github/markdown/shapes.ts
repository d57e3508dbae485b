import { parseDocument } from 'htmlparser2';
import { escapeMarkup } from '../../../../src/ground/text/escape.ts';
import { MARK } from './gfm.ts';

type Node = ReturnType<typeof parseDocument>['childNodes'][number];
type Element = Extract<Node, { readonly attribs: object }>;

export interface ShapeOptions {
  /** `owner/name` of the repository that links lead to. */
  readonly repository: string;
  /** Attributes that hide text stay, as in no page of GitHub: for tests of readers. */
  readonly keepsHiding?: boolean | undefined;
}

/** GitHub's list of elements that stay in a text: html-pipeline, `sanitization_filter.rb`. */
const ALLOWED = new Set(
  `h1 h2 h3 h4 h5 h6 h7 h8 br b i strong em a pre code img tt div ins del sup sub p picture ol ul table thead tbody tfoot blockquote
   dl dt dd kbd q samp var hr ruby rt rp li tr td th s strike summary details caption figure figcaption abbr bdo cite dfn mark small
   source span time wbr`.split(/\s+/),
);
const WITH_CONTENT = new Set(
  'head iframe math noembed noframes noscript plaintext script style svg template textarea title xmp'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  `abbr align alt aria-describedby aria-hidden aria-label border cellpadding cellspacing cite clear cols colspan datetime dir disabled
   height href hspace label lang name open rel role rows rowspan scope span src start summary title type valign value vspace width`.split(
    /\s+/,
  ),
);
const HIDING = new Set(['hidden', 'style', 'class', 'inert', 'popover']);
const VOID = new Set(['br', 'hr', 'img', 'source', 'wbr']);
const WITH_DIRECTION = /^(?:h[1-6]|p|ul|ol)$/;
const DRAWN = new Set(['mermaid', 'geojson', 'topojson', 'stl']);
const FORMULA = /\$\$[^$]+\$\$|(?<![\p{L}\p{N}$])\$(?!\s)[^$]*[^\s$]\$(?![\p{L}\p{N}$])/u;
const ALERT = /^\s*\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;
const COLOUR = /^#[0-9a-f]{6}$/i;
const ICON =
  '<svg class="octicon octicon-info mr-2" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M0 8a8 8 0 1 1 16 0"></path></svg>';
const EMOJI = new Map([
  ['tada', '🎉'],
  ['rocket', '🚀'],
  ['+1', '👍'],
]);

/** HTML without what GitHub removes, in the shapes that GitHub gives it. */
export function toShapes(html: string, options: ShapeOptions): string {
  return new Shapes(options).all(parseDocument(html).childNodes);
}

class Shapes {
  readonly #options: ShapeOptions;
  /** Within code or a link, words stay words. */
  #isLiteral = false;

  constructor(options: ShapeOptions) {
    this.#options = options;
  }

  all(nodes: readonly Node[]): string {
    return nodes.map((node) => this.#one(node)).join('');
  }

  #one(node: Node): string {
    if (node.type === 'text')
      return this.#isLiteral ? escapeMarkup(node.data) : this.#words(node.data);
    if (!('attribs' in node)) return '';
    const { name, children } = node;
    if (name.endsWith(MARK)) return this.#ours(node);
    if (WITH_CONTENT.has(name)) return '';
    if (!ALLOWED.has(name)) return this.all(children);
    switch (name) {
      case 'pre':
        return this.#code(node);
      case 'code':
        return `<code class="notranslate">${this.#literal(children)}${chipOf(node)}</code>`;
      case 'img':
        return this.#image(node);
      case 'li':
        return this.#item(node);
      case 'blockquote':
        return this.#quotation(node);
      case 'table':
        return `<markdown-accessiblity-table>${this.#tag(node, 'role="table"')}</markdown-accessiblity-table>`;
      default:
        return this.#tag(node, WITH_DIRECTION.test(name) ? 'dir="auto"' : '');
    }
  }

  #tag(node: Element, more = ''): string {
    const { name, attribs, children } = node;
    const allowed = Object.entries(attribs).flatMap(([attribute, value]) => {
      const isKept = this.#options.keepsHiding && HIDING.has(attribute);
      const align = /^text-align:(\w+)$/.exec(attribute === 'style' ? value : '')?.[1];
      if (align !== undefined) return [`align="${align}"`];
      if (attribute === 'href' && !/^(?:https?:|mailto:|#|\/|[\w.-]+(?:\/|$))/i.test(value))
        return [];
      return ATTRIBUTES.has(attribute) || isKept ? [`${attribute}="${escapeMarkup(value)}"`] : [];
    });
    if (name === 'a') allowed.push('rel="nofollow"');
    const open = ['<', [name, ...allowed, more].filter(Boolean).join(' '), '>'].join('');
    if (VOID.has(name)) return open;
    const content = name === 'a' ? this.#literal(children) : this.all(children);
    return `${open}${content}</${name}>`;
  }

  #literal(nodes: readonly Node[]): string {
    const before = this.#isLiteral;
    this.#isLiteral = true;
    const content = this.all(nodes);
    this.#isLiteral = before;
    return content;
  }

  /** Footnotes and formulas, which `gfm.ts` has found. */
  #ours({ name, attribs, children }: Element): string {
    const number = attribs['name'];
    switch (name.slice(0, -1)) {
      case 'formula':
        return formula(textOf(children));
      case 'reference':
        return `<sup><a href="#user-content-fn-${number}-a" id="user-content-fnref-${number}-a" data-footnote-ref="" aria-describedby="footnote-label">${number}</a></sup>`;
      case 'notes':
        return `<section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2>${this.all(children)}</section>`;
      default:
        return '<a href="#user-content-fnref-1-a" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref"><g-emoji class="g-emoji" alias="leftwards_arrow_with_hook">↩</g-emoji></a>';
    }
  }

  #code({ attribs, children }: Element): string {
    const language = (attribs['lang'] ?? '').toLowerCase();
    const source = textOf(children);
    if (DRAWN.has(language)) {
      const plain = escapeMarkup(source);
      return `<section class="js-render-needs-enrichment render-needs-enrichment position-relative" data-identity="1" data-type="${language}" aria-label="${language} rendered output container"><div class="js-render-enrichment-target" data-plain="${plain}"><div class="render-plaintext-hidden" dir="auto"><pre lang="${language}" aria-label="Raw ${language} code">${plain}</pre></div></div></section>`;
    }
    if (language === 'math') return `<p dir="auto">${formula(source)}</p>`;
    if (language === 'suggestion') return suggestion(source);
    const code = this.#literal(children);
    if (language === '')
      return `<div class="snippet-clipboard-content notranslate position-relative overflow-auto"><pre class="notranslate">${code}</pre></div>`;
    const coloured = code.replace(/\b(?:const|return|function)\b/g, '<span class="pl-k">$&</span>');
    return `<div class="highlight highlight-source-${escapeMarkup(language)} notranslate position-relative overflow-auto" dir="auto"><pre>${coloured.replace(/^<code class="notranslate">|<\/code>$/g, '')}</pre></div>`;
  }

  #image({ attribs, parent }: Element): string {
    const original = attribs['src'] ?? '';
    const isOurs = /^https:\/\/github\.com\/user-attachments\/assets\/([0-9a-f-]{36})$/.exec(
      original,
    );
    const hex = Buffer.from(original).toString('hex');
    const src = isOurs
      ? `https://private-user-images.githubusercontent.com/1/2-${isOurs[1]}.png?jwt=eyJhbGciOiJIUzI1NiJ9.e30.c2hvcnQ`
      : `https://camo.githubusercontent.com/${hex.slice(0, 64)}/${hex}`;
    const canonical = isOurs ? '' : ` data-canonical-src="${escapeMarkup(original)}"`;
    const alt = escapeMarkup(attribs['alt'] ?? '');
    const picture = `<img src="${src}" alt="${alt}"${canonical} style="max-width: 100%;">`;
    if (parent !== null && 'attribs' in parent && parent.name === 'a') return picture;
    return `<a target="_blank" rel="noopener noreferrer nofollow" href="${src}">${picture}</a>`;
  }

  #item(node: Element): string {
    const task = /^\s*\[([ xX])\] /.exec(textOf(node.children));
    const whole = this.#tag(node, task ? 'class="task-list-item"' : '');
    if (!task) return whole;
    const checked = task[1] === ' ' ? '' : ' checked=""';
    const box = `<input type="checkbox" id="" disabled="" class="task-list-item-checkbox"${checked}>`;
    return whole.replace(/\[[ xX]\](?= )/, box);
  }

  #quotation(node: Element): string {
    const kind = ALERT.exec(textOf(node.children))?.[1]?.toLowerCase();
    const whole = this.#tag(node);
    if (kind === undefined) return whole;
    const title = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`;
    const inner = whole.replace(
      /^<blockquote>\s*<p dir="auto">\[![A-Z]+\](?:<br>)?\s*/,
      '<p dir="auto">',
    );
    return `<div class="markdown-alert markdown-alert-${kind}" dir="auto"><p class="markdown-alert-title" dir="auto">${ICON}${title}</p>${inner.replace(/<\/blockquote>$/, '</div>')}`;
  }

  /** Text, with formulas, mentions, references, commits and emoji. */
  #words(text: string): string {
    const site = `https://github.com/${this.#options.repository}`;
    const parts = text.split(new RegExp(`(${FORMULA.source})`, 'u'));
    return parts
      .map((part, index) => {
        if (index % 2 === 1) return formula(part);
        return escapeMarkup(part)
          .replace(/(?<![\w/`-])@([a-z\d][a-z\d-]{0,38})\b/gi, (mention, login: string) =>
            login.startsWith('docs-')
              ? mention
              : `<a class="user-mention notranslate" data-hovercard-type="user" href="https://github.com/${login}">@${login}</a>`,
          )
          .replace(
            /(?<![\w&/])#(\d{1,6})\b(?!;)/g,
            `<a class="issue-link js-issue-link" data-error-text="Failed to load title" data-url="${site}/issues/$1" href="${site}/issues/$1">#$1</a>`,
          )
          .replace(
            /(?<![\w/])[0-9a-f]{40}(?!\w)/g,
            (sha) =>
              `<a class="commit-link" data-hovercard-type="commit" href="${site}/commit/${sha}"><tt>${sha.slice(0, 7)}</tt></a>`,
          )
          .replace(/:([a-z_+1]+):/g, (name, alias: string) => {
            const emoji = EMOJI.get(alias);
            return emoji === undefined
              ? name
              : `<g-emoji class="g-emoji" alias="${alias}">${emoji}</g-emoji>`;
          });
      })
      .join('');
  }
}

function textOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) =>
      node.type === 'text' ? node.data : 'children' in node ? textOf(node.children) : '',
    )
    .join('');
}

function formula(source: string): string {
  return `<math-renderer class="js-inline-math" style="display: inline" data-run-id="1">${escapeMarkup(source)}</math-renderer>`;
}

/** The sample of a colour behind its code. */
function chipOf({ children }: Element): string {
  const colour = textOf(children);
  return COLOUR.test(colour)
    ? `<span class="ml-1 d-inline-block border circle color-border-subtle" style="background-color: ${colour}; height: 8px; width: 8px;"></span>`
    : '';
}

/** A suggestion, whose removed line is made up. */
function suggestion(source: string): string {
  const row = (kind: 'deletion' | 'addition', line: string) =>
    `<tr class="border-0"><td class="blob-num blob-num-${kind} text-right border-0 px-2 py-1 lh-default" data-line-number="1"></td><td class="border-0 px-2 py-1 blob-code-inner blob-code-${kind} js-blob-code-${kind}">${escapeMarkup(line)}</td></tr>`;
  const added = source
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => row('addition', line));
  return `<div class="my-2 border rounded-2 js-suggested-changes-blob diff-view js-check-hidden-unicode" id=""><div class="f6 p-2 lh-condensed border-bottom d-flex"><div class="flex-auto flex-items-center color-fg-muted">Suggested change</div></div><div itemprop="text" class="blob-wrapper data file" style="margin: 0; border: none; overflow-y: visible; overflow-x: auto;"><table class="d-table tab-size mb-0 width-full" data-paste-markdown-skip=""><tbody>${row('deletion', 'as it is')}${added.join('')}</tbody></table></div><div class="js-apply-changes"></div></div>`;
}
