export const id = 5329;
export const ids = [5329];
export const modules = {

/***/ 5329:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  MAX_PAGE_BYTES: () => (/* binding */ MAX_PAGE_BYTES),
  findEntryPage: () => (/* reexport */ base_path/* findEntryPage */.T),
  readPageText: () => (/* reexport */ readPageText),
  readSitePage: () => (/* binding */ readSitePage)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/bundle/verify/page-scan.js + 1 modules
var page_scan = __webpack_require__(8404);
// EXTERNAL MODULE: ./node_modules/htmlparser2/dist/Tokenizer.js
var Tokenizer = __webpack_require__(5455);
;// CONCATENATED MODULE: ./build/src/bundle/verify/page-text.js

/** Elements whose content no reader sees, or only one without scripts. */
const HIDDEN = new Set([
    'script',
    'style',
    'noscript',
    'template',
    'iframe',
    'noembed',
    'noframes',
]);
/** Elements that are part of a line: a word may go on behind their tags. */
const INLINE = new Set('a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(' '));
const FOREIGN = new Set(['svg', 'math']);
/** Reads the visible text of a page with the tokenizer that verification uses. Comments and entities do not part a word. */
function readPageText(html) {
    const reader = new TextReader(html);
    const tokenizer = new Tokenizer/* default */.A({ xmlMode: false, decodeEntities: true }, reader);
    tokenizer.write(html);
    tokenizer.end();
    return { title: tidy(reader.title), text: tidy(reader.text) };
}
function tidy(text) {
    return text.replace(/\s+/g, ' ').trim();
}
class TextReader {
    title = '';
    text = '';
    #html;
    #tag = '';
    /** The hidden element that is open, and how many of its name are open in each other. */
    #hidden;
    /** How many pictures and formulas are open. */
    #foreign = 0;
    #isTitle = false;
    #hasTitle = false;
    constructor(html) {
        this.#html = html;
    }
    onopentagname(start, end) {
        this.#tag = this.#html.slice(start, end).toLowerCase();
    }
    onopentagend() {
        const tag = this.#tag;
        if (this.#hidden !== undefined) {
            if (this.#hidden.tag === tag)
                this.#hidden.depth += 1;
            return;
        }
        if (HIDDEN.has(tag))
            this.#hidden = { tag, depth: 1 };
        if (FOREIGN.has(tag))
            this.#foreign += 1;
        if (tag === 'title')
            this.#isTitle = true;
        this.#part(tag);
    }
    /** For the tokenizer, which reads scripts and titles there as it reads every other element. */
    isInForeignContext() {
        return this.#foreign > 0;
    }
    // Browsers ignore the slash of `<script/>`; only inside of pictures and formulas it closes an element.
    onselfclosingtag() {
        if (this.#foreign === 0)
            this.onopentagend();
        else if (this.#hidden === undefined)
            this.#part(this.#tag);
    }
    onclosetag(start, end) {
        const tag = this.#html.slice(start, end).toLowerCase();
        if (this.#hidden !== undefined) {
            if (this.#hidden.tag === tag)
                this.#hidden.depth -= 1;
            if (this.#hidden.depth === 0)
                this.#hidden = undefined;
            return;
        }
        if (FOREIGN.has(tag))
            this.#foreign = Math.max(0, this.#foreign - 1);
        if (tag === 'title')
            this.#closeTitle();
        this.#part(tag);
    }
    ontext(start, end) {
        if (this.#hidden === undefined)
            this.#add(this.#html.slice(start, end));
    }
    ontextentity(codepoint) {
        if (this.#hidden === undefined)
            this.#add(String.fromCodePoint(codepoint));
    }
    oncdata() { }
    onattribname() { }
    onattribdata() { }
    onattribentity() { }
    onattribend() { }
    oncomment() { }
    ondeclaration() { }
    onprocessinginstruction() { }
    onend() { }
    // Pictures have titles of their own, which are no text of the page: only the first one counts.
    #closeTitle() {
        this.#isTitle = false;
        this.#hasTitle = true;
    }
    #add(piece) {
        if (!this.#isTitle)
            this.text += piece;
        else if (!this.#hasTitle)
            this.title += piece;
    }
    #part(tag) {
        if (!INLINE.has(tag))
            this.text += ' ';
    }
}

// EXTERNAL MODULE: ./build/src/bundle/verify/base-path.js
var base_path = __webpack_require__(8281);
;// CONCATENATED MODULE: ./build/src/bundle/pages.js





/** What other rooms may know of the pages of a site. Load it with `import()`: it brings the reader of HTML. */


/** Larger ones are not read, here and in the verification. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
/** The text of a page of an unpacked site; undefined where it only sends its readers on, is too large, or cannot be read. */
function readSitePage(root, path) {
    const html = readHtml((0,external_node_path_.join)(root, path));
    if (html === undefined)
        return undefined;
    const isRedirect = (0,page_scan/* scanPage */.D)(html, false).references.some(({ what }) => what === 'refresh');
    return isRedirect ? undefined : readPageText(html);
}
function readHtml(path) {
    try {
        return (0,external_node_fs_.statSync)(path).size <= MAX_PAGE_BYTES ? new TextDecoder().decode((0,external_node_fs_.readFileSync)(path)) : undefined;
    }
    catch (error) {
        if ((0,errors/* isMissing */.b2)(error))
            return undefined;
        throw error;
    }
}


/***/ })

};
