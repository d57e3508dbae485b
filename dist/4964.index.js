export const id = 4964;
export const ids = [4964];
export const modules = {

/***/ 4964:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  sanitize: () => (/* binding */ sanitize)
});

// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/prompt/shown/blocks.js

/** The blocks as Markdown; those that `guarded` names with a backslash before every character that could be markup. */
function toMarkdown(blocks, isGuarded) {
    const parts = [];
    for (const [index, block] of blocks.entries()) {
        if (index > 0)
            parts.push(continuesList(blocks[index - 1], block) ? '\n' : '\n\n');
        parts.push(blockText(block, isGuarded(block)));
    }
    return parts.join('');
}
const NUMBER = /^(\d+)\. $/;
/** Items of one list follow line by line; whatever else begins a line there could be taken for a part of the item before. */
function continuesList(before, block) {
    if (before?.kind !== 'text' || block.kind !== 'text')
        return false;
    if (block.lead === '- ')
        return before.lead === '- ';
    const [previous, number] = [NUMBER.exec(before.lead)?.[1], NUMBER.exec(block.lead)?.[1]];
    return previous !== undefined && number !== undefined && Number(number) === Number(previous) + 1;
}
function blockText(block, guarded) {
    switch (block.kind) {
        case 'code': {
            const fence = '`'.repeat(Math.max(3, (0,text_escape/* longestRun */.Q_)(block.text, '`') + 1));
            return `${fence}\n${block.text}\n${fence}`;
        }
        case 'table':
            return tableText(block, guarded);
        case 'text': {
            const lines = inlineText(block.pieces, guarded).split('\n');
            return block.lead + (guarded ? lines.map(escapeLineStart).join('\n') : lines.join('\n'));
        }
    }
}
function tableText({ rows }, guarded) {
    const columns = rows.reduce((most, row) => Math.max(most, row.length), 1);
    const line = (cells) => `| ${cells.join(' | ')} |`;
    const written = rows.map((row) => line(Array.from({ length: columns }, (_, column) => inlineText(row[column] ?? [], guarded)
        .replaceAll('\n', ' ')
        .replaceAll('|', '\\|'))));
    const [head = line(Array.from({ length: columns }, () => '')), ...body] = written;
    return [head, `|${' --- |'.repeat(columns)}`, ...body].join('\n');
}
function inlineText(pieces, guarded) {
    return pieces
        .map(({ kind, text }) => {
        if (kind === 'code')
            return codeSpan(text);
        return kind === 'text' && guarded ? escapeInline(text) : text;
    })
        .join('');
}
function codeSpan(text) {
    const fence = '`'.repeat((0,text_escape/* longestRun */.Q_)(text, '`') + 1);
    const padding = /^`|`$/.test(text) || /^ .* $/.test(text) ? ' ' : '';
    return `${fence}${padding}${text}${padding}${fence}`;
}
function escapeInline(text) {
    return text.replace(/[\\`*_[\]<>&~$|!#:]/g, '\\$&');
}
// What begins a block at the start of a line.
function escapeLineStart(line) {
    return line.replace(/^([-+=])/, '\\$1').replace(/^(\d{1,9})([.)])/, '$1\\$2');
}

// EXTERNAL MODULE: ./node_modules/markdown-it/dist/markdown-it.mjs + 7 modules
var markdown_it = __webpack_require__(9702);
// EXTERNAL MODULE: ./node_modules/markdown-it-footnote/index.mjs
var markdown_it_footnote = __webpack_require__(9938);
;// CONCATENATED MODULE: ./build/src/prompt/shown/footnotes.js
const FOOTNOTE_REFERENCE = /\[\^([^\s\]]{1,200})\]/y;
// The parser's own type of what the rules share is `any`: this is where it gets a shape.
const environments = new WeakMap();
function footnoteReference(state, silent) {
    FOOTNOTE_REFERENCE.lastIndex = state.pos;
    const label = FOOTNOTE_REFERENCE.exec(state.src)?.[1]?.toLowerCase();
    const env = environments.get(state.env);
    if (label === undefined || env === undefined)
        return false;
    const { used } = env;
    used.defined ??= new Set(Object.keys(env.footnotes?.refs ?? {}).map((key) => key.slice(1).toLowerCase()));
    if (!used.defined.has(label))
        return false;
    if (!silent) {
        const number = used.numbers.get(label) ?? used.numbers.size + 1;
        used.numbers.set(label, number);
        state.push('footnote_ref', '', 0).content = String(number);
    }
    state.pos = FOOTNOTE_REFERENCE.lastIndex;
    return true;
}
function splitFootnotes(tokens) {
    const text = [];
    const notes = new Map();
    const into = [text];
    for (const token of tokens) {
        if (token.type === 'footnote_reference_open') {
            const label = labelOf(token);
            const note = [];
            if (!notes.has(label))
                notes.set(label, note);
            into.push(note);
        }
        else if (token.type === 'footnote_reference_close')
            into.pop();
        else
            into.at(-1)?.push(token);
    }
    return { text, notes };
}
function labelOf({ meta }) {
    const data = meta;
    const label = typeof data === 'object' && data !== null && 'label' in data ? data.label : undefined;
    return String(label).toLowerCase();
}
function lengthOf(tokens) {
    return tokens.reduce((sum, { type, content }) => sum + (type === 'inline' || content !== '' ? content.length : 0), 0);
}

;// CONCATENATED MODULE: ./build/src/prompt/shown/html-writer.js
// What GitHub draws from the source of a block.
const DRAWN = new Map([
    ['math', 'math'],
    ['mermaid', 'diagrams'],
    ['geojson', 'diagrams'],
    ['topojson', 'diagrams'],
    ['stl', 'diagrams'],
]);
// Text is written with controls in the place of what HTML takes for markup: the source has none of them, and entities would cut a
// text into as many events of the HTML parser.
const MARKUP = '<&>"';
const CONTROLS = '\u0001\u0002\u0003\u0004';
function escapeHtml(text) {
    return text.replace(/[<&>"]/g, (character) => CONTROLS.charAt(MARKUP.indexOf(character)));
}
/** Text of the HTML as it was before it was written there. */
function unescapeText(text) {
    return text.replace(/[\u0001-\u0004]/g, (control) => MARKUP.charAt(CONTROLS.indexOf(control)));
}
class HtmlWriter {
    #source;
    #losses;
    #parts = [];
    #own = [];
    #length = 0;
    #line = 0;
    // Of the table's row that is being written.
    #row;
    #cells = 0;
    #lines;
    constructor(source, losses) {
        this.#source = source;
        this.#losses = losses;
    }
    #write(html) {
        this.#parts.push(html);
        this.#length += html.length;
    }
    #writeOwn(raw) {
        this.#own.push({ at: this.#length, raw, line: this.#line });
        this.#write(raw);
    }
    writeBlocks(tokens) {
        for (const token of tokens) {
            if (token.map)
                this.#line = token.map[0];
            this.#writeBlock(token);
        }
    }
    #writeBlock(token) {
        const { type, tag, nesting, content } = token;
        switch (type) {
            case 'inline':
                this.#cells += content.replace(/[\s|\\]/g, '').length;
                for (const child of token.children ?? [])
                    this.#writeInline(child);
                return;
            case 'fence':
            case 'code_block':
                this.#writeCode(token);
                return;
            case 'html_block':
                this.#writeOwn(content);
                return;
            case 'math_block':
                this.#losses.add('math', content.length);
                return;
            case 'tr_open':
                this.#cells = 0;
                this.#row = token.map?.[0];
                break;
            case 'tr_close':
                this.#countExcess();
                break;
        }
        if (tag === '')
            return;
        const start = type === 'ordered_list_open' ? ` start="${token.attrGet('start') ?? 1}"` : '';
        this.#write(nesting < 0 ? `</${tag}>` : `<${tag}${start}>`);
    }
    // A row may have more cells than the heading; GitHub drops the excess.
    #countExcess() {
        if (this.#row === undefined)
            return;
        this.#lines ??= this.#source.split('\n');
        const row = (this.#lines[this.#row] ?? '').replace(/^[\s>]+/, '');
        this.#losses.add('excess table cells', row.replace(/[\s|\\]/g, '').length - this.#cells);
    }
    writeFootnote(number, tokens) {
        this.#write(`<gfm-footnote name="${number}">`);
        this.writeBlocks(tokens);
        this.#write('</gfm-footnote>');
    }
    #writeCode({ info, content }) {
        const drawn = DRAWN.get(info.trim().split(/\s+/)[0]?.toLowerCase() ?? '');
        if (drawn === undefined)
            this.#write(`<pre>${escapeHtml(content)}</pre>`);
        else
            this.#losses.add(drawn, content.length);
    }
    #writeInline(token) {
        const { type, content } = token;
        switch (type) {
            case 'text':
            case 'text_special':
                this.#write(escapeHtml(content));
                return;
            case 'code_inline':
                this.#write(`<code>${escapeHtml(content)}</code>`);
                return;
            case 'html_inline':
                this.#writeOwn(content);
                return;
            case 'math_inline':
                this.#losses.add('math', content.length);
                return;
            case 's_open':
                this.#write('<s>');
                return;
            case 's_close':
                this.#write('</s>');
                return;
            case 'hardbreak':
                this.#write('<br>');
                return;
            case 'link_open':
                if (token.markup !== 'autolink') {
                    this.#losses.add('link addresses', attributesLength(token));
                }
                return;
            case 'image':
                this.#losses.add('images', content.length + attributesLength(token));
                return;
            case 'footnote_ref':
                this.#write(`<gfm-footnote-ref name="${content}"></gfm-footnote-ref>`);
                return;
        }
    }
    end() {
        const own = this.#own;
        const source = this.#source;
        const find = (offset) => {
            const found = own[lastAtOrBefore(own, offset)];
            return found !== undefined && offset < found.at + found.raw.length ? found : undefined;
        };
        return {
            html: this.#parts.join(''),
            isOwn: (offset) => find(offset) !== undefined,
            placeOf(offset) {
                const found = find(offset);
                if (found === undefined)
                    return { line: 1, column: 1 };
                const before = own.filter(({ line, raw, at }) => line === found.line && raw === found.raw && at < found.at).length;
                let at = offsetOfLine(source, found.line) - 1;
                for (let nth = 0; nth <= before && at >= -1; nth += 1)
                    at = source.indexOf(found.raw, at + 1);
                return at < 0 ? placeInLine(source, found, offset) : placeAt(source, at + offset - found.at);
            },
        };
    }
}
function attributesLength({ attrs }) {
    return (attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0);
}
/** Index of the last piece that begins at the offset or before it; -1 where there is none. */
function lastAtOrBefore(own, offset) {
    let [low, high] = [0, own.length];
    while (low < high) {
        const middle = (low + high) >>> 1;
        if ((own[middle]?.at ?? 0) <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}
// The marks of a quote or the indentation of a list keep what has several lines from being found as it is.
function placeInLine(source, { at, raw, line }, offset) {
    const before = raw.slice(0, offset - at).split('\n');
    const found = line + before.length - 1;
    const rest = raw.slice(offset - at).split('\n')[0] ?? '';
    return { line: found + 1, column: Math.max(0, (source.split('\n')[found] ?? '').indexOf(rest)) + 1 };
}
function offsetOfLine(source, line) {
    let at = 0;
    for (let skipped = 0; skipped < line && at >= 0; skipped += 1)
        at = source.indexOf('\n', at) + 1;
    return at;
}
function placeAt(source, offset) {
    const before = source.slice(0, offset);
    const lineStart = before.lastIndexOf('\n') + 1;
    return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

;// CONCATENATED MODULE: ./build/src/prompt/shown/math.js
/** Rules of markdown-it for GitHub's formulas: `$a$`, `$$a$$`, `` $`a`$ `` and a block between lines of `$$`. */
// A dollar opens a formula before anything but white space; it closes one behind anything but white space and a backslash,
// unless a letter or digit follows.
const CLOSES_MATH = /(?<![\s\\$])\$(?![\p{L}\p{N}$])/gu;
let ends = { text: '', dollars: [], backticks: [], anyDollars: [], commands: [], lastQuoted: -1 };
function endsIn(text) {
    if (ends.text !== text) {
        ends = {
            text,
            dollars: offsetsOf(text, CLOSES_MATH),
            backticks: offsetsOf(text, /`/g),
            anyDollars: offsetsOf(text, /(?<!\\)\$/g),
            commands: offsetsOf(text, /[\\{}^]/g),
            lastQuoted: text.lastIndexOf('`$'),
        };
    }
    return ends;
}
function offsetsOf(text, pattern) {
    return [...text.matchAll(pattern)].map(({ index }) => index);
}
/** The first of ascending offsets that is not before `from`. */
function firstFrom(offsets, from) {
    let [low, high] = [0, offsets.length];
    while (low < high) {
        const middle = (low + high) >>> 1;
        if ((offsets[middle] ?? 0) < from)
            low = middle + 1;
        else
            high = middle;
    }
    return offsets[low];
}
function inlineMath(state, silent) {
    const { src, pos } = state;
    if (src.charCodeAt(pos) !== 0x24)
        return false;
    const end = src.startsWith('$$', pos) ? endOfDisplay(src, pos) : endOfFormula(src, pos);
    if (end === undefined || end > state.posMax)
        return false;
    if (!silent)
        state.push('math_inline', '', 0).content = src.slice(pos, end);
    state.pos = end;
    return true;
}
function endOfDisplay(text, at) {
    const end = text.indexOf('$$', at + 2);
    return end <= at + 2 ? undefined : end + 2;
}
function endOfFormula(text, at) {
    if (at > 0 && /[\p{L}\p{N}$]/u.test(text.charAt(at - 1)))
        return undefined;
    const { dollars, backticks, anyDollars, commands, lastQuoted } = endsIn(text);
    if (text.startsWith('`', at + 1))
        return lastQuoted < at + 2 ? undefined : text.indexOf('`$', at + 2) + 2;
    if (/^\s?$/.test(text.charAt(at + 1)))
        return undefined;
    const end = firstFrom(dollars, at + 2);
    // Code is code, whatever dollars it holds.
    if (end === undefined || (firstFrom(backticks, at) ?? end) < end)
        return undefined;
    // `$5 and $10` up to some later dollar is no formula, unless a command of TeX is in it.
    const isNested = (firstFrom(anyDollars, at + 1) ?? end) < end;
    return isNested && (firstFrom(commands, at) ?? end) >= end ? undefined : end + 1;
}
function blockMath(state, startLine, endLine, silent) {
    const lineOf = (line) => state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
    const first = lineOf(startLine);
    // Text behind the dollars is left to the formula within a line.
    if (first.trim() !== '$$')
        return false;
    for (let line = startLine + 1; line < endLine; line += 1) {
        if ((state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line))
            return false;
        if (!lineOf(line).trimEnd().endsWith('$$'))
            continue;
        if (!silent) {
            const token = state.push('math_block', '', 0);
            token.content = state.getLines(startLine, line + 1, state.blkIndent, false);
            token.map = [startLine, line + 1];
        }
        state.line = line + 1;
        return true;
    }
    return false;
}

;// CONCATENATED MODULE: ./build/src/prompt/shown/gfm.js





/**
 * GitHub's Markdown to HTML, with everything left out that GitHub draws instead of showing as text. markdown-it rather than
 * micromark (mdast-util-gfm): both follow the specification, but micromark took 4 to 6 s for 64 KiB of `**a`, `_a_ ` or `[a](`,
 * where markdown-it took 50 ms.
 */
const withLinks = createParser();
// Brackets that cannot become a link need no search for their ends, which is most of the work for a text of brackets.
const withoutLinks = createParser().disable(['link', 'image']);
const MAY_LINK = /\]\(|\]:/;
function createParser() {
    const parser = new markdown_it/* default */.A('default', { html: true, maxNesting: 100 });
    parser.use(markdown_it_footnote/* default */.A);
    // GitHub has no footnotes in place, and compares labels without case. The plugin's own list of the footnotes in use takes time
    // that grows with the square of their number.
    parser.inline.ruler.disable('footnote_inline');
    parser.inline.ruler.at('footnote_ref', footnoteReference);
    parser.core.ruler.disable('footnote_tail');
    // A line end stays text: two tokens for each line would be most of the work for a text of short lines, and the white space
    // around it is trimmed later. Two blanks or a backslash before it break the line, which is the same here.
    parser.inline.ruler.at('newline', (state, silent) => {
        if (state.src.charCodeAt(state.pos) !== 0x0a)
            return false;
        if (!silent)
            state.pending += '\n';
        state.pos += 1;
        return true;
    });
    parser.inline.ruler.before('escape', 'math', inlineMath);
    parser.block.ruler.before('fence', 'math', blockMath, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
    return parser;
}
/** `losses` takes what is left out on the way. */
function toHtml(source, losses) {
    const env = { used: { numbers: new Map() } };
    environments.set(env, env);
    const tokens = (MAY_LINK.test(source) ? withLinks : withoutLinks).parse(source, env);
    for (const [label, { href, title = '' }] of Object.entries(env.references ?? {})) {
        losses.add('link definitions', label.length + href.length + title.length);
    }
    const writer = new HtmlWriter(source, losses);
    const { text, notes } = splitFootnotes(tokens);
    writer.writeBlocks(text);
    for (const [label, number] of env.used.numbers)
        writer.writeFootnote(number, notes.get(label) ?? []);
    for (const [label, unused] of notes) {
        if (!env.used.numbers.has(label))
            losses.add('unused footnotes', lengthOf(unused));
    }
    return writer.end();
}

// EXTERNAL MODULE: ./build/src/prompt/shown/removed.js
var shown_removed = __webpack_require__(6258);
// EXTERNAL MODULE: ./node_modules/htmlparser2/dist/Parser.js
var Parser = __webpack_require__(5867);
;// CONCATENATED MODULE: ./build/src/prompt/shown/elements.js
/** What GitHub shows as text or takes as layout. Every other tag is taken out and its text stays, as GitHub does it. */
const SHOWN = new Set(`a abbr b bdo blockquote br caption center cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i
   img ins kbd li mark ol p picture pre q rp rt ruby s samp small source span strike strong sub summary sup table tbody td tfoot
   th thead time tr tt ul var wbr`.split(/\s+/));
// Taken out with their content: GitHub's sanitizer does so, or no page shows it as text.
const WITH_CONTENT = new Set('head iframe math noembed noframes noscript plaintext rp script style svg template textarea title xmp'.split(' '));
const BLOCKS = new Set(`address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend
   main nav ol p section summary ul`.split(/\s+/));
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const HEADING = /^h([1-6])$/;
// Each makes the text smaller: nobody reads the fourth.
const SMALLER = new Set(['sub', 'sup', 'small']);
const MOST_SMALLER = 3;
// No page nests like this, and the parser's work for one more element grows with the depth.
const DEEPEST = 200;
// GitHub takes these out and shows the text. Other readers of the same text do not.
const HIDING_ATTRIBUTES = ['hidden', 'aria-hidden', 'popover', 'inert'];
const HIDING_CLASS = /hid|sr-only|screen-?reader|invisible|collapse|none|transparent/i;
const HARMLESS_STYLE = /^(\s*(text-align|font-weight|font-style|text-decoration|vertical-align|list-style(-type)?|border[a-z-]*|padding[a-z-]*)\s*:[^;]*(;|$))*\s*$/i;
const LAYOUT = new Set('align border class colspan height id name open rowspan start style type valign width'.split(' '));
/** What the content of an element is counted as when it is left out; undefined where it is shown. */
function hidingOf(name, attributes) {
    if (WITH_CONTENT.has(name))
        return 'scripts and styles';
    if (name === 'details' && !('open' in attributes))
        return 'folded parts';
    const isHidden = HIDING_ATTRIBUTES.some((attribute) => attribute in attributes) ||
        HIDING_CLASS.test(attributes['class'] ?? '') ||
        !HARMLESS_STYLE.test(attributes['style'] ?? '');
    return isHidden ? 'hidden elements' : undefined;
}
/** Counts what GitHub does not show of a tag itself. */
function countTag(tag, losses) {
    const { name, attributes, length } = tag;
    if (!SHOWN.has(name) && !WITH_CONTENT.has(name))
        losses.add('tags', length);
    else if (name === 'img')
        losses.add('images', Object.values(attributes).join('').length);
    else {
        for (const [attribute, value] of Object.entries(attributes)) {
            if (!LAYOUT.has(attribute))
                losses.add(attribute === 'href' ? 'link addresses' : 'attributes', value.length);
        }
    }
}

;// CONCATENATED MODULE: ./build/src/prompt/shown/pieces.js
/** Without blanks at the ends and around line ends, and with one between words. */
function trimPieces(pieces) {
    const squeezed = [];
    // As if a line had just begun: blanks there are not shown.
    let atStart = true;
    for (const { kind, text } of pieces) {
        let shown = text;
        if (kind === 'text') {
            shown = text.replace(/[\p{Zs}\t]+/gu, ' ').replace(/ ?\n[ \n]*/g, '\n');
            if (atStart)
                shown = shown.replace(/^[ \n]+/, '');
        }
        if (shown === '')
            continue;
        squeezed.push({ kind, text: shown });
        atStart = kind === 'text' && /[ \n]$/.test(shown);
    }
    for (let last = squeezed.at(-1); last?.kind === 'text'; last = squeezed.at(-1)) {
        const text = last.text.trimEnd();
        squeezed.pop();
        if (text !== '') {
            squeezed.push({ kind: 'text', text });
            break;
        }
    }
    return withPairs(squeezed);
}
// `~~` with nothing between them, or without the second, would be read as something else.
function withPairs(pieces) {
    const strikes = pieces.filter(({ kind, text }) => kind === 'mark' && text === '~~').length;
    if (strikes === 0)
        return [...pieces];
    const hasWords = pieces.some(({ kind }) => kind !== 'mark');
    return strikes % 2 === 0 && hasWords
        ? [...pieces]
        : pieces.filter(({ text, kind }) => kind !== 'mark' || text !== '~~');
}
function onOneLine(pieces) {
    return pieces.map(({ kind, text }) => ({ kind, text: text.replaceAll('\n', ' ') }));
}

;// CONCATENATED MODULE: ./build/src/prompt/shown/block-writer.js



// In a code block this is beyond every screen.
const LONG_BLANKS = /[^\S\n]{200,}[^\n]+/g;
const EMPTY_LINES = /\n{4,}/g;
// GitHub reads formulas in the text of the page, whatever made it.
const FORMULA = /\$\$[^$]*\$\$|\$(?!\s)[^$]*[^\s$]\$/g;
/** Writes the elements and texts of a page that are shown as blocks. */
class BlockWriter {
    #losses;
    #blocks = [];
    #numbers = [];
    #pieces = [];
    #lead = '';
    #code = '';
    #mode = 'text';
    #rows;
    constructor(losses) {
        this.#losses = losses;
    }
    /** `isOwn`: the text's own HTML, and not an element that Markdown made. */
    open(name, attributes, isOwn) {
        if (this.#mode === 'pre')
            return;
        if (!isOwn && name === 'gfm-footnote-ref')
            this.#mark(`[^${attributes['name']}]`);
        if (!isOwn && name === 'gfm-footnote') {
            this.flush();
            this.#lead = `[^${attributes['name']}]: `;
        }
        if (name === 'br')
            this.#text('\n');
        if (name === 's' || name === 'del' || name === 'strike')
            this.#mark('~~');
        if (name === 'table' && this.#rows === undefined) {
            this.flush();
            this.#rows = [];
        }
        if (name === 'tr')
            this.#rows?.push([]);
        if (name === 'td' || name === 'th')
            this.flush();
        const heading = HEADING.exec(name);
        if (heading !== null || name === 'li' || BLOCKS.has(name))
            this.flush();
        if (heading !== null)
            this.#lead = `${'#'.repeat(Number(heading[1]))} `;
        if (name === 'ol' || name === 'ul')
            this.#numbers.push(name === 'ol' ? startOf(attributes) : undefined);
        if (name === 'li')
            this.#lead = this.#nextItem();
        if (name === 'pre')
            this.flush();
        if (name === 'pre')
            this.#mode = 'pre';
        else if (name === 'code' && this.#mode === 'text')
            this.#mode = 'code';
    }
    #nextItem() {
        const number = this.#numbers.at(-1);
        if (number === undefined)
            return '- ';
        this.#numbers[this.#numbers.length - 1] = number + 1;
        return `${number}. `;
    }
    close(name) {
        if (name === 'pre' && this.#mode === 'pre')
            this.#flushCodeBlock();
        else if (name === 'code' && this.#mode === 'code')
            this.#flushCode();
        if (this.#mode === 'pre')
            return;
        if (name === 's' || name === 'del' || name === 'strike')
            this.#mark('~~');
        if (name === 'td' || name === 'th')
            this.#flushCell();
        if (name === 'table')
            this.#flushTable();
        if (name === 'ol' || name === 'ul')
            this.#numbers.pop();
        if (HEADING.test(name) || name === 'li' || BLOCKS.has(name))
            this.flush();
    }
    text(data, isOwn) {
        if (this.#mode === 'text')
            this.#text(isOwn ? this.#withoutMath(data) : data);
        else
            this.#code += data;
    }
    #withoutMath(data) {
        return data.replace(FORMULA, (formula) => {
            this.#losses.add('math', formula.length);
            return '';
        });
    }
    #text(data) {
        // Entities can spell what cannot be seen.
        const { text, removed } = (0,text_escape/* stripInvisible */._0)(data);
        this.#losses.add('invisible characters', removed);
        const last = this.#pieces.at(-1);
        if (last?.kind === 'text')
            this.#pieces[this.#pieces.length - 1] = { kind: 'text', text: last.text + text };
        else
            this.#pieces.push({ kind: 'text', text });
    }
    #mark(text) {
        this.#pieces.push({ kind: 'mark', text });
    }
    #flushCode() {
        this.#mode = 'text';
        const { text, removed } = (0,text_escape/* stripInvisible */._0)(this.#code);
        this.#losses.add('invisible characters', removed);
        this.#code = '';
        const code = text.replace(/\s+/g, ' ');
        if (code.trim() !== '')
            this.#pieces.push({ kind: 'code', text: code });
    }
    #flushCodeBlock() {
        this.#mode = 'text';
        const { text, removed } = (0,text_escape/* stripInvisible */._0)(this.#code);
        this.#losses.add('invisible characters', removed);
        this.#code = '';
        const code = text
            .replace(LONG_BLANKS, (far) => {
            this.#losses.add('text behind long blanks', far.trim().length);
            return '';
        })
            .split('\n')
            .map((line) => line.trimEnd())
            .join('\n')
            .replace(EMPTY_LINES, '\n\n\n')
            .replace(/^\n+|\s+$/g, '');
        if (code === '')
            return;
        // A table has no room for a block.
        if (this.#rows !== undefined)
            this.#pieces.push({ kind: 'code', text: code.replace(/\s+/g, ' ').trim() });
        else
            this.#blocks.push({ kind: 'code', text: code });
    }
    #takePieces() {
        const pieces = trimPieces(this.#pieces);
        this.#pieces = [];
        return pieces;
    }
    flush() {
        // Within a table's cell a block is a blank.
        if (this.#rows !== undefined && this.#rows.length > 0) {
            this.#text(' ');
            return;
        }
        const pieces = this.#takePieces();
        if (pieces.length === 0)
            return;
        const isHeading = this.#lead.startsWith('#');
        this.#blocks.push({ kind: 'text', lead: this.#lead, pieces: isHeading ? onOneLine(pieces) : pieces });
        this.#lead = '';
    }
    #flushCell() {
        const cells = this.#rows?.at(-1);
        if (cells === undefined)
            this.flush();
        else
            cells.push(onOneLine(this.#takePieces()));
    }
    #flushTable() {
        const rest = this.#takePieces();
        const rows = (this.#rows ?? []).filter((cells) => cells.some((cell) => cell.length > 0));
        this.#rows = undefined;
        if (rows.length > 0)
            this.#blocks.push({ kind: 'table', rows });
        if (rest.length > 0)
            this.#blocks.push({ kind: 'text', lead: '', pieces: rest });
    }
    end() {
        if (this.#mode === 'code')
            this.#flushCode();
        if (this.#mode === 'pre')
            this.#flushCodeBlock();
        if (this.#rows !== undefined)
            this.#flushTable();
        this.flush();
        return this.#blocks;
    }
}
function startOf({ start = '1' }) {
    return /^\d{1,8}$/.test(start) ? Number(start) : 1;
}

;// CONCATENATED MODULE: ./build/src/prompt/shown/visible-text.js




class VisibleText {
    #source;
    #losses;
    #page;
    #stack = [];
    #hidden = 0;
    #smaller = 0;
    #ended;
    #unclosed;
    constructor(source, losses) {
        this.#source = source;
        this.#losses = losses;
        this.#page = new BlockWriter(losses);
    }
    get ended() {
        return this.#ended;
    }
    get unclosed() {
        return this.#unclosed;
    }
    open(name, attributes, at, length) {
        if (this.#ended !== undefined)
            return;
        const isOwn = this.#source.isOwn(at);
        if (isOwn)
            countTag({ name, attributes, length }, this.#losses);
        const reveals = this.#isFirstSummary(name);
        if (SMALLER.has(name))
            this.#smaller += 1;
        const hides = this.#smaller > MOST_SMALLER ? 'too deeply nested text' : hidingOf(name, attributes);
        this.#stack.push({ name, hides, reveals, at });
        if (reveals)
            this.#hidden -= 1;
        if (this.#stack.length > DEEPEST)
            this.#ended = 'too deeply nested text';
        if (this.#hidden === 0 && hides === undefined && this.#ended === undefined) {
            this.#page.open(name, attributes, isOwn);
        }
        if (hides !== undefined)
            this.#hidden += 1;
    }
    /** The summary of a folded part is what a reader sees of it. */
    #isFirstSummary(name) {
        const parent = this.#stack.at(-1);
        return name === 'summary' && this.#hidden === 1 && parent?.hides === 'folded parts';
    }
    close(isImplied) {
        const top = this.#stack.pop();
        if (top === undefined || this.#ended !== undefined)
            return;
        const { name, hides, reveals } = top;
        if (SMALLER.has(name))
            this.#smaller -= 1;
        if (hides !== undefined) {
            // A browser opens some elements anew in the next paragraph: one that hides and has no end tag hides the rest.
            if (isImplied && !VOID.has(name))
                this.#end(name, top.at, hides);
            this.#hidden -= 1;
        }
        else if (this.#hidden === 0)
            this.#page.close(name);
        if (reveals) {
            this.#page.flush();
            this.#hidden += 1;
        }
    }
    /** The rest of the page is within a tag that has no end. */
    cutOff(at, rest) {
        if (this.#ended !== undefined || rest === '')
            return;
        this.#losses.add('hidden elements', rest.length);
        this.#end(/^<[/!?]?([A-Za-z0-9-]*)/.exec(rest)?.[1] || '<', at, 'hidden elements');
    }
    #end(tag, at, kind) {
        this.#ended = kind;
        this.#unclosed = { tag, ...this.#source.placeOf(at) };
    }
    comment(length, at, isClosed) {
        if (this.#ended !== undefined)
            return;
        this.#losses.add('comments', length);
        if (!isClosed)
            this.#end('<!--', at, 'comments');
    }
    text(data, at) {
        if (this.#ended !== undefined)
            return;
        if (this.#hidden > 0)
            this.#losses.add(this.#hidingKind(), data.trim().length);
        else
            this.#page.text(data, this.#source.isOwn(at));
    }
    #hidingKind() {
        return this.#stack.findLast(({ hides }) => hides !== undefined)?.hides ?? 'hidden elements';
    }
    end() {
        return this.#page.end();
    }
}
/** The text of a page that a reader sees. `losses` takes what is hidden, or may be. */
function toVisibleText(source, losses) {
    const { html } = source;
    const visible = new VisibleText(source, losses);
    // Offset behind the last thing that was read: a tag that never ends is read as nothing.
    let read = 0;
    let isOver = false;
    const parser = new Parser/* Parser */.i({
        onopentag: (name, attributes) => {
            read = parser.endIndex + 1;
            visible.open(name, attributes, parser.startIndex, read - parser.startIndex);
            stopWhenEnded();
        },
        onclosetag: (_name, isImplied) => {
            if (!isOver)
                read = Math.max(read, parser.endIndex + 1);
            visible.close(isImplied);
            stopWhenEnded();
        },
        ontext: (data) => {
            read = parser.endIndex + 1;
            visible.text(unescapeText(data), parser.startIndex);
        },
        oncomment: (data) => {
            read = parser.endIndex + 1;
            visible.comment(data.length, parser.startIndex, html.startsWith('>', read - 1));
        },
        onprocessinginstruction: (_name, data) => {
            read = parser.endIndex + 1;
            losses.add('comments', data.length);
        },
    }, { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true });
    function stopWhenEnded() {
        if (visible.ended === undefined || isOver)
            return;
        isOver = true;
        losses.add(visible.ended, html.length - read);
        parser.pause();
    }
    parser.write(html);
    isOver ||= read >= html.length;
    parser.end();
    if (!isOver) {
        const at = Math.max(0, html.lastIndexOf('<', read));
        visible.cutOff(at, html.slice(at));
    }
    return { blocks: visible.end(), unclosed: visible.unclosed };
}

;// CONCATENATED MODULE: ./build/src/prompt/sanitize.js






// What takes more is built to take more: texts of people are stable after one pass.
const MAX_PASSES = 3;
// GitHub's own limit for a description or a comment; what is longer is cut before it is read.
const MAX_CHARS = 65_536;
/**
 * Markdown of anyone to the text that a person sees on GitHub's page, as simple Markdown. What GitHub does not show is not in it,
 * and is counted; what GitHub shows stays, with backslashes where it could be read as markup. Doing it twice changes nothing.
 */
function sanitize(markdown) {
    // Backslashes make a text longer: half as much is read until the result is within the limit too.
    for (let limit = MAX_CHARS;; limit = Math.floor(limit / 2)) {
        const sanitized = sanitizeUpTo(markdown, limit);
        if (sanitized.text.length <= MAX_CHARS)
            return sanitized;
    }
}
function sanitizeUpTo(markdown, limit) {
    const losses = new shown_removed/* Losses */.K();
    losses.add('text over the length limit', markdown.length - limit);
    const { text, removed } = (0,text_escape/* stripInvisible */._0)(markdown.slice(0, limit));
    losses.add('invisible characters', removed);
    const first = read(text, losses);
    const result = { removed: losses.list(), unclosed: first.unclosed };
    let { blocks } = first;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
        const written = write(blocks);
        if (written.isSafe)
            return { text: written.text, ...result };
        const again = read(written.text, new shown_removed/* Losses */.K()).blocks;
        if ((0,external_node_util_.isDeepStrictEqual)(again, blocks))
            return { text: written.text, ...result };
        blocks = again;
    }
    return { text: disarm(toMarkdown(blocks, () => false)), ...result };
}
function read(text, losses) {
    return toVisibleText(toHtml(text, losses), losses);
}
/**
 * As plain as it can be: backslashes only in blocks that would be read as something else without. `isSafe` where there are none
 * of these, so that it need not be read once more.
 */
function write(blocks) {
    const guarded = new Set(blocks.filter((block) => !isStable(block)));
    return {
        text: toMarkdown(blocks, (block) => guarded.has(block)),
        isSafe: guarded.size === 0 && !blocks.some(isMerged),
    };
}
// Two lists with nothing between them are read as one, with other numbers.
function isMerged(block, index, blocks) {
    const before = blocks[index - 1];
    return isNumbered(block) && before !== undefined && isNumbered(before) && !continuesList(before, block);
}
function isNumbered(block) {
    return block.kind === 'text' && /^\d/.test(block.lead);
}
// Whatever Markdown or HTML could take for markup within a line, or for a block at the beginning of one.
const INLINE_MARKUP = /[`*\\$]|~~|<[A-Za-z/!?]|&[#A-Za-z]|\]\(|\]:|\[\^|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u;
const BLOCK_MARKUP = /^(?:[-+=>#|:~]|\d{1,9}[.)])|#$/m;
function isStable(block) {
    if (block.kind === 'code')
        return true;
    const pieces = block.kind === 'text' ? block.pieces : block.rows.flat(2);
    const words = pieces.map(({ kind, text }) => (kind === 'text' ? text : '`')).join('');
    const isAtLineStart = block.kind === 'text';
    if (!INLINE_MARKUP.test(words) && !(isAtLineStart ? BLOCK_MARKUP : /\|/).test(words))
        return true;
    // Shown by GitHub where it is no comment; another reader of Markdown may take it for the beginning of one.
    if (pieces.some(({ kind, text }) => kind === 'text' && text.includes('<!--')))
        return false;
    return (0,external_node_util_.isDeepStrictEqual)(read(toMarkdown([block], () => false), new shown_removed/* Losses */.K()).blocks, [block]);
}
// For a text that does not come to rest: nothing stays that Markdown or HTML could read as markup.
function disarm(text) {
    const letters = text.replace(/[^\p{L}\p{N}\p{M}\p{Zs}\n,.:;'"?!/]/gu, ' ');
    const lines = letters.split('\n').map((line) => line
        .replace(/\p{Zs}+/gu, ' ')
        .trim()
        .replace(/^(\d{1,9})\./, '$1'));
    return lines
        .join('\n')
        .replace(/\n{2,}/g, '\n\n')
        .trim();
}


/***/ })

};
