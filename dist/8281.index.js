export const id = 8281;
export const ids = [8281];
export const modules = {

/***/ 8281:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ findBasePath),
/* harmony export */   T: () => (/* binding */ findEntryPage)
/* harmony export */ });
/* harmony import */ var _page_scan_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8404);
/* harmony import */ var _site_index_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5386);


/** The paths below which the platform publishes a site that is not at the top of its host. */
const PREFIXES = ['/docs', '/documentation'];
/** The page that a reader of the site sees first; undefined where there is none. */
function findEntryPage(files, basePath) {
    const prefixes = basePath === undefined ? PREFIXES : [basePath];
    const pages = ['index.html', ...prefixes.map((prefix) => `${prefix.slice(1)}/index.html`)];
    return pages.find((page) => files.includes(page));
}
/**
 * What links in the site begin with before its own paths; empty for nothing. `given`: as asked for; where nothing was, the
 * platform uses the deployment's own, which shows in the links of the entry page.
 */
function findBasePath(files, given, entry) {
    // The archive has the prefix in its own paths: then links and files agree as they are.
    if (entry !== undefined && entry.page !== 'index.html')
        return '';
    if (given !== undefined || entry === undefined)
        return given ?? '';
    const { references, base } = (0,_page_scan_js__WEBPACK_IMPORTED_MODULE_0__/* .scanPage */ .D)(entry.text, false);
    const score = (prefix) => {
        const index = new _site_index_js__WEBPACK_IMPORTED_MODULE_1__/* .SiteIndex */ .M(files, prefix);
        return references.filter(({ raw }) => {
            const target = index.resolve(raw, entry.page, base);
            return target.kind === 'inside' && target.file !== undefined;
        }).length;
    };
    const candidates = ['', ...PREFIXES].map((prefix) => ({ prefix, hits: score(prefix) }));
    return candidates.reduce((best, candidate) => (candidate.hits > best.hits ? candidate : best)).prefix;
}


/***/ }),

/***/ 6269:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ copyText)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);

/**
 * A copy of a text that was cut out of a larger one. What V8 cuts out goes on holding the whole of it: a link that is
 * remembered would keep its page in memory, and a site has many thousands of both.
 */
function copyText(text) {
    return node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.from(text, 'utf16le').toString('utf16le');
}


/***/ }),

/***/ 4799:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   v: () => (/* binding */ scanCss)
/* harmony export */ });
/* harmony import */ var _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4879);

// The tokenizer is a tenth as fast as this test, which most style attributes fail.
const MAY_FETCH = /url\(|src\(|@import|image-set\(/i;
const TAKES_ADDRESS = /^(?:url|src|(?:-webkit-)?image-set)$/;
/** Every address that a style sheet, a `style` element or a `style` attribute fetches. */
function scanCss(css) {
    return MAY_FETCH.test(css) ? new CssScan().read(css) : [];
}
class CssScan {
    #found = [];
    /** Names of the functions that are open; empty for plain brackets. */
    #open = [];
    /** Until the rule's address has come. A name space is a name that nobody fetches. */
    #rule;
    read(css) {
        const tokens = (0,_csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .tokenizer */ .OH)({ css });
        while (!tokens.endOfFile()) {
            const token = tokens.nextToken();
            switch (token[0]) {
                case _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .TokenType */ .ks.AtKeyword:
                    this.#startRule(token[4].value.toLowerCase());
                    break;
                case _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .TokenType */ .ks.Semicolon:
                case _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .TokenType */ .ks.OpenCurly:
                    this.#rule = undefined;
                    break;
                case _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .TokenType */ .ks.Function:
                    this.#open.push(token[4].value.toLowerCase());
                    break;
                case _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .TokenType */ .ks.OpenParen:
                    this.#open.push('');
                    break;
                case _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .TokenType */ .ks.CloseParen:
                    this.#open.pop();
                    break;
                case _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .TokenType */ .ks.URL:
                    this.#take(token[4].value);
                    break;
                case _csstools_css_tokenizer__WEBPACK_IMPORTED_MODULE_0__/* .TokenType */ .ks.String:
                    this.#takeString(token[4].value);
                    break;
            }
        }
        return this.#found;
    }
    #startRule(name) {
        this.#rule = name === 'import' || name === 'namespace' ? name : undefined;
    }
    #takeString(text) {
        const within = this.#open.at(-1);
        if (within === undefined ? this.#rule !== undefined : TAKES_ADDRESS.test(within))
            this.#take(text);
    }
    #take(raw) {
        const rule = this.#rule;
        this.#rule = undefined;
        if (rule === 'namespace')
            return;
        this.#found.push({ raw, use: 'load', what: rule === 'import' ? 'imported style sheet' : 'file of a style' });
    }
}


/***/ }),

/***/ 9051:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c: () => (/* binding */ CONTENT_ATTRIBUTES),
/* harmony export */   p: () => (/* binding */ ContentReader)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _copy_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6269);
/* harmony import */ var _reference_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6987);



/** The attributes that the content is read from, besides those of references. */
const CONTENT_ATTRIBUTES = ['role', 'hidden', 'aria-hidden', 'alt'];
// What surrounds the content, what nobody reads, and what says when it was built.
const SKIPPED = new Set('head script style template noscript nav aside footer svg time iframe object button select textarea dialog'.split(' '));
const BLOCKS = new Set(`address article blockquote br caption dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hr li main
   ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/));
// Without the elements that only hold others or carry a style: a new theme changes those on every page.
const STRUCTURE = new Set(`a audio blockquote caption code dd del details dl dt em figure h1 h2 h3 h4 h5 h6 hr img ins kbd li math ol p pre s strong sub
   summary sup table td th tr ul video`.split(/\s+/));
/** Where the content is, the best last. */
const REGIONS = ['body', 'article', 'main'];
const MAIN = REGIONS.indexOf('main');
// Their end tag may be left out, so that nobody can say where a hidden one ends; and those that have no content.
const NEVER_HIDDEN = /^(?:html|body|main|p|li|dt|dd|td|th|tr|option|area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
// A redirect that takes longer is a page that loads itself again.
const LONGEST_DELAY_S = 10;
const DATE = String.raw `(?:\p{L}+,?\s+)?(?:\d{1,2}\.?\s+\p{L}{3,9}\.?,?\s+\d{4}|\p{L}{3,9}\.?\s+\d{1,2},?\s+\d{4}|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})`;
/** A line such as `Last updated on Nov 21, 2026, 14:02` and nothing more. */
const BUILD_DATE = new RegExp(String.raw `^(?:page\s+)?(?:last\s+)?(?:updated|modified|edited|built|generated)(?:\s+(?:on|at))?\s*:?\s+${DATE}(?:[T,]?\s*(?:at\s+)?\d{1,2}:\d\d[^.!?]{0,20})?(?:\s+by\s[^.!?]{1,60})?\.?$`, 'iu');
const LONGEST_BUILD_DATE = 160;
/**
 * Takes the elements and texts of one page in their order, and gives its content. The rule of what counts is written down in
 * docs/explanation/comparing-exports.md: the text and the structure of `main`, else of `article`, else of `body`, without
 * navigation, footers, times, and what is hidden. Attributes count for nothing but the text in place of an image.
 */
class ContentReader {
    #documentTitle = '';
    #inTitle = false;
    #redirect;
    #rank = 0;
    /** The open element that holds the content. Without one, the content is what is not skipped. */
    #region;
    #skip;
    #blocks = [];
    #headings = [];
    #firstHeading = '';
    #structure = '';
    #block = '';
    #heading = '';
    #preformatted = 0;
    open(tag, attributes) {
        if (tag === 'meta')
            this.#readMeta(attributes);
        if (tag === 'title' && this.#documentTitle === '' && !this.#isInside('svg'))
            this.#inTitle = true;
        if (tag === 'body' || tag === 'main')
            this.#skip = undefined;
        this.#enterRegion(tag, attributes);
        if (this.#skip !== undefined) {
            if (this.#skip.tag === tag)
                this.#skip.depth += 1;
            return;
        }
        if (this.#isSkipped(tag, attributes)) {
            this.#skip = { tag, depth: 1 };
            return;
        }
        if (BLOCKS.has(tag))
            this.#flush();
        if (STRUCTURE.has(tag))
            this.#structure += `${tag === 'img' ? `img ${attributes.get('alt') ?? ''}` : tag},`;
        if (tag === 'pre')
            this.#preformatted += 1;
        if (/^h[1-6]$/.test(tag))
            this.#heading = tag;
    }
    text(text) {
        if (this.#inTitle)
            this.#documentTitle += text;
        else if (this.#isContent)
            this.#block += text;
    }
    close(tag) {
        if (tag === 'title')
            this.#inTitle = false;
        if (this.#skip !== undefined && this.#skip.tag === tag) {
            this.#skip.depth -= 1;
            if (this.#skip.depth === 0)
                this.#skip = undefined;
        }
        else if (this.#skip === undefined) {
            if (BLOCKS.has(tag))
                this.#flush();
            if (tag === 'pre' && this.#preformatted > 0)
                this.#preformatted -= 1;
            if (tag === this.#heading)
                this.#heading = '';
        }
        this.#leaveRegion(tag);
    }
    end() {
        this.#flush();
        const isEmpty = this.#blocks.length === 0 && this.#structure === '';
        return {
            // What was cut out of the page would keep all of it in memory.
            title: (0,_copy_text_js__WEBPACK_IMPORTED_MODULE_1__/* .copyText */ .D)(this.#firstHeading || collapse(this.#documentTitle)),
            redirect: this.#redirect,
            headings: this.#headings,
            blocks: this.#blocks,
            fingerprint: isEmpty ? undefined : (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', `${this.#structure}\n${this.#blocks.join('\n')}`, 'base64url'),
        };
    }
    get #isContent() {
        return this.#skip === undefined && (this.#rank === 0 || this.#region !== undefined);
    }
    #isInside(tag) {
        return this.#skip?.tag === tag;
    }
    #isSkipped(tag, attributes) {
        if (this.#rank > 0 && this.#region === undefined)
            return false;
        // The header of an article holds its title, that of a site its menu.
        if (SKIPPED.has(tag) || (tag === 'header' && this.#rank === 0))
            return true;
        const isHidden = attributes.has('hidden') || attributes.get('aria-hidden')?.toLowerCase() === 'true';
        return (isHidden || attributes.get('role') === 'contentinfo') && !NEVER_HIDDEN.test(tag);
    }
    #enterRegion(tag, attributes) {
        if (this.#region?.tag === tag)
            this.#region.depth += 1;
        const rank = attributes.get('role') === 'main' ? MAIN : REGIONS.indexOf(tag);
        const isBetter = rank > this.#rank;
        if (rank < 1 || (!isBetter && (rank !== this.#rank || this.#region !== undefined)))
            return;
        // An article in the menu or in a dialog is no content.
        if (this.#skip !== undefined && rank !== MAIN)
            return;
        if (isBetter)
            this.#forget();
        this.#rank = rank;
        this.#region = { tag, depth: 1 };
    }
    #leaveRegion(tag) {
        if (this.#region?.tag !== tag)
            return;
        this.#region.depth -= 1;
        if (this.#region.depth > 0)
            return;
        this.#flush();
        this.#region = undefined;
        this.#skip = undefined;
    }
    /** What was read before the content began. */
    #forget() {
        this.#blocks = [];
        this.#headings = [];
        this.#firstHeading = '';
        this.#structure = '';
        this.#block = '';
        this.#heading = '';
        this.#preformatted = 0;
    }
    #flush() {
        const text = this.#block;
        if (text === '')
            return;
        this.#block = '';
        if (this.#preformatted > 0) {
            for (const line of text.split('\n'))
                this.#take(line.trimEnd());
            return;
        }
        this.#take(collapse(text));
    }
    #take(text) {
        if (text === '')
            return;
        if (text.length <= LONGEST_BUILD_DATE && BUILD_DATE.test(text))
            return;
        this.#blocks.push(text);
        if (this.#heading === '')
            return;
        const heading = text.replace(/\s*[#¶§]$/u, '');
        this.#headings.push(heading);
        if (this.#heading === 'h1' && this.#firstHeading === '')
            this.#firstHeading = heading;
    }
    #readMeta(attributes) {
        if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh')
            return;
        const content = attributes.get('content') ?? '';
        const address = (0,_reference_js__WEBPACK_IMPORTED_MODULE_2__/* .readRefresh */ .M)(content);
        if (address === undefined || address === '' || Number.parseFloat(content) > LONGEST_DELAY_S)
            return;
        this.#redirect ??= (0,_copy_text_js__WEBPACK_IMPORTED_MODULE_1__/* .copyText */ .D)(address);
    }
}
function collapse(text) {
    return text.replace(/\s+/g, ' ').trim();
}


/***/ }),

/***/ 8404:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  c: () => (/* binding */ readContent),
  D: () => (/* binding */ scanPage)
});

// EXTERNAL MODULE: ./node_modules/htmlparser2/dist/Tokenizer.js
var Tokenizer = __webpack_require__(5455);
// EXTERNAL MODULE: ./build/src/bundle/verify/css-scan.js
var css_scan = __webpack_require__(4799);
// EXTERNAL MODULE: ./build/src/bundle/verify/page-content.js
var page_content = __webpack_require__(9051);
// EXTERNAL MODULE: ./build/src/bundle/verify/script-scan.js
var script_scan = __webpack_require__(3185);
// EXTERNAL MODULE: ./build/src/bundle/verify/reference.js
var reference = __webpack_require__(6987);
;// CONCATENATED MODULE: ./build/src/bundle/verify/tag-references.js


// Where a reader goes; every other element that names an address fetches it.
const LINK_TAGS = new Set(['a', 'area']);
const SOURCES = {
    script: 'script',
    img: 'image',
    iframe: 'frame',
    frame: 'frame',
    embed: 'embedded file',
    audio: 'media file',
    video: 'media file',
    source: 'media file',
    track: 'media file',
    input: 'image',
    image: 'image',
    use: 'image',
    feimage: 'image',
    object: 'embedded file',
};
/** The addresses that an element names. */
function readTag(tag, attributes, found) {
    const style = attributes.get('style');
    if (style !== undefined)
        for (const reference of (0,css_scan/* scanCss */.v)(style))
            found.push(reference);
    const href = attributes.get('href') ?? attributes.get('xlink:href');
    if (tag === 'link')
        readLink(attributes, found);
    else if (tag === 'meta')
        readMeta(attributes, found);
    else if (LINK_TAGS.has(tag))
        add(found, href, { use: 'link', what: 'link' });
    else
        readElement(tag, attributes, found);
}
function add(found, raw, as) {
    if (raw !== undefined)
        found.push({ raw, ...as });
}
function readElement(tag, attributes, found) {
    const image = { use: 'load', what: 'image' };
    const form = { use: 'form', what: 'form' };
    add(found, attributes.get(tag === 'form' ? 'action' : 'formaction'), form);
    if (tag === 'body' || tag === 'table' || tag === 'td')
        add(found, attributes.get('background'), image);
    if (tag === 'html')
        add(found, attributes.get('manifest'), { use: 'load', what: 'manifest' });
    const what = SOURCES[tag];
    if (what === undefined)
        return;
    const href = attributes.get('href') ?? attributes.get('xlink:href');
    add(found, attributes.get('src') ?? href, { use: 'load', what });
    add(found, attributes.get('poster'), image);
    if (tag === 'object')
        add(found, attributes.get('data'), { use: 'load', what });
    for (const raw of (0,reference/* readSrcset */.d)(attributes.get('srcset') ?? ''))
        add(found, raw, image);
}
const LOADING_RELATIONS = {
    stylesheet: 'style sheet',
    icon: 'icon',
    'apple-touch-icon': 'icon',
    'mask-icon': 'icon',
    preload: 'preloaded file',
    modulepreload: 'module',
    prefetch: 'prefetched file',
    prerender: 'prefetched page',
    manifest: 'manifest',
    'apple-touch-startup-image': 'image',
};
function readLink(attributes, found) {
    const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    const raw = attributes.get('href');
    for (const address of (0,reference/* readSrcset */.d)(attributes.get('imagesrcset') ?? ''))
        found.push({ raw: address, use: 'load', what: 'preloaded file' });
    if (raw === undefined)
        return;
    const loading = relations.map((relation) => LOADING_RELATIONS[relation]).find((what) => what !== undefined);
    if (loading !== undefined)
        found.push({ raw, use: 'load', what: loading });
    else if (relations.includes('preconnect') || relations.includes('dns-prefetch')) {
        found.push({ raw, use: 'connect', what: relations.includes('preconnect') ? 'preconnect' : 'dns-prefetch' });
    }
    else if (relations.includes('next') || relations.includes('prev'))
        found.push({ raw, use: 'link', what: 'link' });
}
function readMeta(attributes, found) {
    if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh')
        return;
    const raw = (0,reference/* readRefresh */.M)(attributes.get('content') ?? '');
    if (raw !== undefined && raw !== '')
        found.push({ raw, use: 'load', what: 'refresh' });
}

;// CONCATENATED MODULE: ./build/src/bundle/verify/page-scan.js





// Only these are read; the values of all others are not even copied.
const READ_ATTRIBUTES = new Set([
    'href',
    'xlink:href',
    'src',
    'srcset',
    'imagesrcset',
    'poster',
    'data',
    'action',
    'formaction',
    'background',
    'content',
    'style',
    'rel',
    'id',
    'name',
    'type',
    'manifest',
    'http-equiv',
]);
const WITH_CONTENT = new Set([...READ_ATTRIBUTES, ...page_content/* CONTENT_ATTRIBUTES */.c]);
// Of a page whose references nobody checks.
const ONLY_CONTENT = new Set(['http-equiv', 'content', ...page_content/* CONTENT_ATTRIBUTES */.c]);
const SCANS = { script: script_scan/* scanScript */.nw, style: css_scan/* scanCss */.v, importmap: script_scan/* scanImportMap */.ZO };
/**
 * Reads one page from start to end with htmlparser2's tokenizer, without building a tree. With `content`, also gives that to
 * it, in the same pass.
 */
function scanPage(text, isXml, content) {
    return scan(text, isXml, new PageScanner(text, content, content === undefined ? READ_ATTRIBUTES : WITH_CONTENT));
}
/** The content of a page alone. */
function readContent(text) {
    const content = new page_content/* ContentReader */.p();
    scan(text, false, new PageScanner(text, content, ONLY_CONTENT));
    return content.end();
}
function scan(text, isXml, scanner) {
    const tokenizer = new Tokenizer/* default */.A({ xmlMode: isXml, decodeEntities: true }, scanner);
    tokenizer.write(text);
    tokenizer.end();
    return scanner;
}
class PageScanner {
    references = [];
    ids = [];
    base;
    #text;
    #content;
    #read;
    #attributes = new Map();
    #tag = '';
    #name = '';
    #value = '';
    #isRead = false;
    /** A script or style element, until it ends. */
    #inside;
    constructor(text, content, read) {
        this.#text = text;
        this.#content = content;
        this.#read = read;
    }
    onopentagname(start, end) {
        this.#tag = this.#text.slice(start, end).toLowerCase();
    }
    onattribname(start, end) {
        // `class` is the most frequent of all, and as long as `style`: recognized without a copy.
        const isClass = end - start === 5 && this.#text.charCodeAt(start) === 0x63;
        this.#name = isClass ? '' : this.#text.slice(start, end).toLowerCase();
        this.#isRead = !isClass && this.#read.has(this.#name);
        this.#value = '';
    }
    onattribdata(start, end) {
        if (!this.#isRead)
            return;
        const piece = this.#text.slice(start, end);
        this.#value = this.#value === '' ? piece : this.#value + piece;
    }
    onattribentity(codepoint) {
        if (this.#isRead)
            this.#value += String.fromCodePoint(codepoint);
    }
    onattribend() {
        // Of an attribute that is given twice, the first one counts.
        if (this.#isRead && !this.#attributes.has(this.#name))
            this.#attributes.set(this.#name, this.#value);
    }
    onopentagend() {
        this.#endTag(false);
    }
    onselfclosingtag() {
        this.#endTag(true);
    }
    ontext(start, end) {
        if (this.#inside !== undefined)
            this.#inside.text += this.#text.slice(start, end);
        else
            this.#content?.text(this.#text.slice(start, end));
    }
    ontextentity(codepoint) {
        if (this.#inside !== undefined)
            this.#inside.text += String.fromCodePoint(codepoint);
        else
            this.#content?.text(String.fromCodePoint(codepoint));
    }
    oncdata(start, end) {
        this.ontext(start, end);
    }
    onclosetag(start, end) {
        this.#closeInside();
        this.#content?.close(this.#text.slice(start, end).toLowerCase());
    }
    onend() {
        this.#closeInside();
    }
    oncomment() { }
    ondeclaration() { }
    onprocessinginstruction() { }
    #endTag(closesItself) {
        const tag = this.#tag;
        const attributes = this.#attributes;
        // Such an image is empty; every other element of HTML stays open all the same.
        if (!closesItself || tag !== 'svg')
            this.#content?.open(tag, attributes);
        const readsReferences = this.#read !== ONLY_CONTENT;
        if (attributes.size > 0 && readsReferences) {
            const id = attributes.get('id') ?? (tag === 'a' ? attributes.get('name') : undefined);
            if (id !== undefined)
                this.ids.push(id);
            if (tag === 'base')
                this.base ??= attributes.get('href');
            else
                readTag(tag, attributes, this.references);
        }
        const kind = readsReferences ? embeddedKind(tag, attributes) : undefined;
        this.#inside = kind && { kind, text: '' };
        if (attributes.size > 0)
            attributes.clear();
    }
    #closeInside() {
        if (this.#inside === undefined)
            return;
        const { kind, text } = this.#inside;
        this.#inside = undefined;
        // One by one: as arguments of one call, a page full of them would overflow the stack.
        for (const reference of SCANS[kind](text))
            this.references.push(reference);
    }
}
function embeddedKind(tag, attributes) {
    if (tag === 'style')
        return 'style';
    if (tag !== 'script')
        return undefined;
    const type = attributes.get('type')?.trim().toLowerCase() ?? '';
    if (type === 'importmap')
        return 'importmap';
    const isCode = type === '' || type === 'module' || /^(text|application)\/(x-)?(java|ecma)script/.test(type);
    return isCode && !attributes.has('src') ? 'script' : undefined;
}


/***/ }),

/***/ 6987:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   M: () => (/* binding */ readRefresh),
/* harmony export */   d: () => (/* binding */ readSrcset)
/* harmony export */ });
/* harmony import */ var srcset__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4333);

/** The addresses in a `srcset`; candidates with a wrong descriptor count too, since browsers differ in what they bear. */
function readSrcset(text) {
    return (0,srcset__WEBPACK_IMPORTED_MODULE_0__/* .parseSrcset */ .q)(text, { strict: false }).map(({ url }) => url);
}
/** The address in the `content` of `<meta http-equiv="refresh">`; undefined: the page only loads itself again. */
function readRefresh(content) {
    const match = /^[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S[\s\S]*))/i.exec(content.trim());
    return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim();
}


/***/ }),

/***/ 3185:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ZO: () => (/* binding */ scanImportMap),
/* harmony export */   lp: () => (/* binding */ scanWebManifest),
/* harmony export */   nw: () => (/* binding */ scanScript)
/* harmony export */ });
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6691);

// What precedes a text that is an address, when the script fetches it.
const CALLS = /(?:\b(?:fetch|import|importScripts|require)\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bexport\s*(?:\*|\{[\w$,\s]*\})[\w$\s]*from\s*|\bnew\s+(?:WebSocket|EventSource|Worker|SharedWorker|Request)\s*\(|\.open\s*\(\s*["'`][A-Za-z]+["'`]\s*,|\.sendBeacon\s*\(|\.register\s*\(|\.(?:src|href)\s*=)\s*$/;
const ADDRESS = /^(?:https?:|wss?:|file:)?\/\//i;
const LOCAL_MODULE = /^\.{0,2}\//;
const MODULE_CALLS = /(?:\bimport\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bfrom\s*)\s*$/;
const LOOK_BACK = 120;
const LONGEST_REGEXP = 4000;
// A slash after one of these begins a regular expression; after anything else it divides.
const BEFORE_REGEXP = /(?:[=([{,;:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete))\s*$/;
/**
 * Addresses that a script fetches, as far as they can be seen: texts written where a call takes them. Texts inside other
 * texts (a code sample in a search index) are passed over. What a script builds at run time cannot be seen.
 *
 * Our own, since requests matter as much as imports: es-module-lexer 3.0.5 finds imports only, and stops at the first syntax
 * error. Of 5 MB of script it takes 190 ms for the imports, this takes 250 ms for both.
 */
function scanScript(code) {
    if (!code.includes('//') && !/\bimport\b/.test(code))
        return [];
    const found = [];
    const special = /["'`/]/g;
    for (let match = special.exec(code); match !== null; match = special.exec(code)) {
        const at = match.index;
        const end = match[0] === '/' ? skipSlash(code, at) : skipText(code, at);
        if (match[0] !== '/')
            collect(code, { at, end }, found);
        special.lastIndex = end;
    }
    return found;
}
function collect(code, { at, end }, found) {
    const text = code.slice(at + 1, Math.min(end - 1, at + 2000));
    const isAddress = ADDRESS.test(text);
    if (!isAddress && !LOCAL_MODULE.test(text))
        return;
    const before = code.slice(Math.max(0, at - LOOK_BACK), at);
    const isModule = MODULE_CALLS.test(before);
    if (!isModule && !(isAddress && CALLS.test(before)))
        return;
    // A template with a gap in it is an address only up to there: enough to see the host, not the file.
    const raw = text.split('${')[0] ?? '';
    if (isAddress || raw === text)
        found.push({ raw, use: 'load', what: isModule ? 'module' : 'request of a script' });
}
/** Where the text that begins at `at` ends: behind its closing quote, or at the line's end for a broken one. */
function skipText(code, at) {
    const quote = code[at];
    for (let index = at + 1; index < code.length; index += 1) {
        const char = code[index];
        if (char === '\\')
            index += 1;
        else if (char === quote)
            return index + 1;
        else if (char === '\n' && quote !== '`')
            return index;
    }
    return code.length;
}
function skipSlash(code, at) {
    const next = code[at + 1];
    if (next === '/')
        return endOr(code.indexOf('\n', at), code);
    if (next === '*')
        return endOr(code.indexOf('*/', at + 2), code) + 2;
    const before = code.slice(Math.max(0, at - 12), at);
    const isRegexp = before.trim() === '' || BEFORE_REGEXP.test(before);
    return isRegexp ? skipRegexp(code, at) : at + 1;
}
function endOr(index, code) {
    return index === -1 ? code.length : index;
}
function skipRegexp(code, at) {
    let inClass = false;
    // One that goes on for longer is none, and looking for its end again and again would take for ever.
    const limit = Math.min(code.length, at + LONGEST_REGEXP);
    for (let index = at + 1; index < limit; index += 1) {
        const char = code[index];
        if (char === '\\')
            index += 1;
        else if (char === '\n')
            return at + 1;
        else if (char === '[')
            inClass = true;
        else if (char === ']')
            inClass = false;
        else if (char === '/' && !inClass)
            return index + 1;
    }
    return at + 1;
}
/** The addresses of an import map: what each name is mapped to, in all scopes. Not JSON: none. */
function scanImportMap(text) {
    const map = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(text);
    const scopes = Object.values(fieldsOf(fieldsOf(map).scopes));
    return [fieldsOf(map).imports, ...scopes]
        .flatMap((names) => Object.values(fieldsOf(names)))
        .filter((address) => typeof address === 'string')
        .map((raw) => ({ raw, use: 'load', what: 'module of the import map' }));
}
/** The addresses in a web app manifest: icons, screenshots and the start page. */
function scanWebManifest(text) {
    const manifest = fieldsOf((0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(text));
    const images = ['icons', 'screenshots'].flatMap((field) => {
        const list = manifest[field];
        return Array.isArray(list) ? list.map((entry) => fieldsOf(entry).src) : [];
    });
    const start = typeof manifest.start_url === 'string' ? [manifest.start_url] : [];
    return [
        ...images.filter((raw) => typeof raw === 'string').map((raw) => ({ raw, use: 'load', what: 'icon' })),
        ...start.map((raw) => ({ raw, use: 'link', what: 'start page' })),
    ];
}
function fieldsOf(value) {
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}


/***/ }),

/***/ 5386:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ decode),
/* harmony export */   M: () => (/* binding */ SiteIndex)
/* harmony export */ });
/* harmony import */ var _copy_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6269);

// A name that no host can have (RFC 6761): whatever resolves to it stays inside.
const ORIGIN = 'https://site.invalid';
const CACHE_ENTRIES = 50_000;
// Longer ones are data URLs, which seldom come twice.
const LONGEST_CACHED = 500;
/** The files of a site, found as a static host finds them. */
class SiteIndex {
    #files;
    #known;
    /** Such as `/docs`: where the site is published; empty for the top of its host. */
    #basePath;
    #cache = new Map();
    #folded;
    constructor(files, basePath) {
        this.#files = files;
        this.#known = new Set(files);
        this.#basePath = basePath;
    }
    /** `from`: path of the file that holds the address; `base`: its `<base>`. */
    resolve(raw, from, base) {
        const text = raw.trim();
        if (text === '')
            return { kind: 'none' };
        const isAbsolute = base === undefined && text.startsWith('/') && !text.startsWith('//');
        const home = isAbsolute ? '' : text.startsWith('#') ? from : from.slice(0, from.lastIndexOf('/') + 1);
        const key = isAbsolute ? text : `${home}\n${base ?? ''}\n${text}`;
        const seen = this.#cache.get(key);
        if (seen !== undefined)
            return seen;
        const target = this.#find(text, this.#baseOf(from, base));
        if (this.#cache.size >= CACHE_ENTRIES)
            this.#cache.clear();
        if (key.length <= LONGEST_CACHED)
            this.#cache.set((0,_copy_text_js__WEBPACK_IMPORTED_MODULE_0__/* .copyText */ .D)(key), target);
        return target;
    }
    /** A file whose name differs only in case or accents. */
    similar(path) {
        this.#folded ??= new Map(this.#files.map((file) => [fold(file), file]));
        return formsOf(path)
            .map((form) => this.#folded?.get(fold(form)))
            .find((file) => file !== undefined);
    }
    #find(raw, baseUrl) {
        const url = URL.parse(raw, baseUrl);
        if (url === null)
            return { kind: 'bad' };
        if (url.protocol === 'file:')
            return { kind: 'local' };
        if (url.origin !== ORIGIN)
            return /^(https?|wss?|ftp):$/.test(url.protocol) ? { kind: 'outside', host: url.host } : { kind: 'none' };
        const path = decode(url.pathname);
        // An encoded slash is part of a name to some hosts and a separator to others.
        if (path === undefined || /%2f|%5c/i.test(url.pathname))
            return { kind: 'bad' };
        if (path !== this.#basePath && !path.startsWith(`${this.#basePath}/`)) {
            return { kind: 'outside-base', file: this.#fileOf(path.slice(1)) };
        }
        const inSite = path.slice(this.#basePath.length + 1);
        return { kind: 'inside', path: inSite, file: this.#fileOf(inSite), fragment: url.hash.slice(1) };
    }
    #fileOf(path) {
        return formsOf(path).find((form) => this.#known.has(form));
    }
    #baseOf(from, base) {
        const own = `${ORIGIN}${this.#basePath}/${from.split('/').map(encodeURIComponent).join('/')}`;
        return base === undefined ? own : (URL.parse(base.trim(), own)?.href ?? own);
    }
}
// As static hosts do: a folder is its index page, and a name without an ending is a page or a folder.
function formsOf(path) {
    return path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
}
function fold(path) {
    return path.normalize('NFC').toLowerCase();
}
/** Percent-decoded; undefined where that cannot be done. */
function decode(text) {
    if (!text.includes('%'))
        return text;
    try {
        return decodeURIComponent(text);
    }
    catch {
        return undefined;
    }
}


/***/ })

};
