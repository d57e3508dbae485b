export const id = 682;
export const ids = [682];
export const modules = {

/***/ 1682:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  sanitize: () => (/* binding */ sanitize)
});

// EXTERNAL MODULE: ./node_modules/markdown-it/dist/markdown-it.mjs + 7 modules
var markdown_it = __webpack_require__(9702);
// EXTERNAL MODULE: ./build/text/characters.js
var characters = __webpack_require__(4832);
// EXTERNAL MODULE: ./node_modules/htmlparser2/dist/Parser.js
var Parser = __webpack_require__(5867);
;// CONCATENATED MODULE: ./build/prompt/visible-text.js


/**
 * HTML to the text that a person sees, as simple Markdown: paragraphs, headings, list items, code. What is hidden, or may be,
 * is left out with all that stands in it.
 */
// Elements whose content no page shows as text, or only after a click.
const HIDING = new Set(`applet audio canvas datalist details dialog embed frame frameset head iframe img input link math menu meta noembed
   noframes noscript object optgroup option param picture plaintext script select source style svg template textarea title
   track video xmp rp`.split(/\s+/));
// With one of these an element can be invisible; GitHub takes styles out, other readers of the text do not.
const HIDING_ATTRIBUTES = ['hidden', 'style', 'class', 'aria-hidden', 'popover', 'inert'];
const BLOCKS = new Set(`address article aside blockquote body caption center dd div dl dt fieldset figcaption figure footer form header hr html
   legend main nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/));
// Elements that never have an end tag.
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const HEADING = /^h([1-6])$/;
// No page nests like this, and the parser's work for one more element grows with the depth.
const DEEPEST = 200;
const COMMENT_END = /--!?>/g;
class VisibleText {
    blocks = [];
    line = '';
    lead = '';
    code = '';
    hidden = 0;
    ended = false;
    mode = 'text';
    stack = [];
    open(name, attributes) {
        const hides = HIDING.has(name) || HIDING_ATTRIBUTES.some((attribute) => attribute in attributes);
        this.stack.push({ name, hides });
        if (hides)
            this.hidden += 1;
        if (this.stack.length > DEEPEST)
            this.ended = true;
        if (this.hidden > 0 || this.ended || this.mode === 'pre')
            return;
        if (name === 'br')
            this.line += '\n';
        const heading = HEADING.exec(name);
        if (heading !== null || name === 'li' || BLOCKS.has(name))
            this.flush();
        if (heading !== null)
            this.lead = `${'#'.repeat(Number(heading[1]))} `;
        if (name === 'li')
            this.lead = '- ';
        if (name === 'pre')
            this.mode = 'pre';
        else if (name === 'code' && this.mode === 'text')
            this.mode = 'code';
    }
    close(isImplied) {
        const top = this.stack.pop();
        if (top === undefined)
            return;
        // A browser opens some elements anew in the next paragraph: one that hides and has no end tag hides the rest.
        if (top.hides && isImplied && !VOID.has(top.name))
            this.ended = true;
        if (top.hides)
            this.hidden -= 1;
        else if (this.hidden === 0)
            this.closeVisible(top.name);
    }
    closeVisible(name) {
        if (this.ended)
            return;
        if (name === 'pre' && this.mode === 'pre')
            this.flushFence();
        else if (name === 'code' && this.mode === 'code')
            this.flushCode();
        else if (this.mode !== 'pre' && (HEADING.test(name) || name === 'li' || BLOCKS.has(name)))
            this.flush();
    }
    text(data) {
        if (this.hidden > 0 || this.ended)
            return;
        if (this.mode === 'text')
            this.line += data;
        else
            this.code += data;
    }
    // A comment that is no comment for the parser, such as one spelt with entities. Without an end it hides the rest.
    withoutComments(line) {
        const kept = [];
        let at = 0;
        for (let from = line.indexOf('<!--'); from >= 0; from = line.indexOf('<!--', at)) {
            kept.push(line.slice(at, from));
            COMMENT_END.lastIndex = from + 4;
            if (COMMENT_END.exec(line) === null) {
                this.ended = true;
                return kept.join('');
            }
            at = COMMENT_END.lastIndex;
        }
        return kept.join('') + line.slice(at);
    }
    flushCode() {
        this.mode = 'text';
        const code = this.code.replace(/\s+/g, ' ');
        this.code = '';
        if (code.trim() === '')
            return;
        const fence = '`'.repeat((0,characters/* longestRun */.Q_)(code, '`') + 1);
        const padding = /^`|`$/.test(code) || /^ .* $/.test(code) ? ' ' : '';
        this.line += `${fence}${padding}${code}${padding}${fence}`;
    }
    flushFence() {
        this.mode = 'text';
        const code = this.code.replace(/^\n+|\s+$/g, '');
        this.code = '';
        if (code === '')
            return;
        const fence = '`'.repeat(Math.max(3, (0,characters/* longestRun */.Q_)(code, '`') + 1));
        this.blocks.push(`${fence}\n${code}\n${fence}`);
    }
    flush() {
        const lines = this.withoutComments(this.line)
            .split('\n')
            .map((line) => line.trim());
        const text = lines.filter((line) => line !== '').join('\n');
        if (text !== '')
            this.blocks.push(this.lead + text);
        this.line = '';
        if (text !== '')
            this.lead = '';
    }
    /** True once nothing that follows can be seen any more. */
    get isOver() {
        return this.ended;
    }
    end() {
        if (this.mode === 'code')
            this.flushCode();
        if (this.mode === 'pre')
            this.flushFence();
        this.flush();
        return this.blocks.reduce((text, block, index) => {
            const tight = block.startsWith('- ') && this.blocks[index - 1]?.startsWith('- ');
            return index === 0 ? block : `${text}${tight ? '\n' : '\n\n'}${block}`;
        }, '');
    }
}
function toVisibleText(html) {
    const visible = new VisibleText();
    const parser = new Parser/* Parser */.i({
        onopentag: (name, attributes) => {
            visible.open(name, attributes);
            if (visible.isOver)
                parser.pause();
        },
        onclosetag: (_name, isImplied) => visible.close(isImplied),
        ontext: (data) => visible.text(data),
    }, { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true });
    parser.end(html);
    return visible.end();
}

;// CONCATENATED MODULE: ./build/prompt/sanitize.js



// Raw HTML is kept on the way, so that the next step sees all elements, Markdown's and the text's own, as one tree.
const markdown = new markdown_it/* default */.A('commonmark', { html: true });
// No destinations, titles or alternative texts: a person reading the page sees none of them.
markdown.renderer.rules['link_open'] = () => '';
markdown.renderer.rules['link_close'] = () => '';
markdown.renderer.rules['image'] = () => '';
markdown.renderer.rules['fence'] = (tokens, index) => `<pre>${escapeHtml(tokens[index]?.content ?? '')}</pre>`;
markdown.renderer.rules['code_block'] = (tokens, index) => `<pre>${escapeHtml(tokens[index]?.content ?? '')}</pre>`;
// A line end stays text: two tokens for each line would be most of the work for a text of short lines, and the space around it is
// trimmed later.
markdown.inline.ruler.at('newline', (state, silent) => {
    if (state.src.charCodeAt(state.pos) !== 0x0a)
        return false;
    if (!silent)
        state.pending += '\n';
    state.pos += 1;
    return true;
});
// What takes more is built to take more: texts of people are stable after one or two passes.
const MAX_PASSES = 6;
// GitHub's own limit for a description or a comment; what is longer is cut before it is read.
const MAX_CHARS = 65_536;
/**
 * Markdown of anyone to the text that a person sees on the page, written as simple Markdown. Repeated until nothing changes,
 * so that nothing can be built that turns into something hidden by the removal of something else.
 */
function sanitize(text) {
    const visible = (0,characters/* stripInvisible */._0)(text.slice(0, MAX_CHARS));
    let { removed } = visible;
    let now = visible.text;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
        // Entities can spell invisible characters, so each pass looks for them again.
        const next = (0,characters/* stripInvisible */._0)(toVisibleText(markdown.render(now)));
        removed += next.removed;
        if (next.text === now)
            return { text: now, removed };
        now = next.text;
    }
    return { text: disarm(now), removed };
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
function escapeHtml(text) {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}


/***/ })

};
