export const id = 3591;
export const ids = [3591,5972];
export const modules = {

/***/ 7830:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ addressOfPage)
/* harmony export */ });
/** The address under which hosts serve a page of the archive: `guide/start.html` as `/guide/start`, `index.html` as `/`. */
function addressOfPage(file) {
    const path = file.replace(/\.x?html?$/i, '').replace(/(^|\/)index$/i, '');
    return `/${path}`;
}


/***/ }),

/***/ 5682:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   j: () => (/* binding */ describePage)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4502);

/** What is wrong with a page, in one line: inert, but not escaped for Markdown. */
function describePage({ detail = '', missing = [], extra = [], cache = {} }) {
    const parts = [
        detail,
        missing.length > 0 ? `missing: ${quoted(missing)}` : '',
        // Where words are missing, the others are mostly those that they replaced.
        extra.length > 0 ? `not in the export: ${quoted(extra)}` : '',
        cacheText(cache),
    ];
    return parts.filter((part) => part !== '').join('; ');
}
function quoted(parts) {
    return parts.map((part) => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .plainLine */ .h0)(part, 100)}"`).join(', ');
}
function cacheText(cache) {
    return Object.entries(cache)
        .map(([name, value]) => `${name}: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .plainLine */ .h0)(value, 100)}`)
        .join(', ');
}


/***/ }),

/***/ 6676:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ SINCE)
/* harmony export */ });
/** What `since` says, in a sentence: `3 min after the merge`. */
const SINCE = {
    merge: 'the merge',
    push: 'the push',
    start: 'the start of this run',
};


/***/ }),

/***/ 3591:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  LiveStep: () => (/* binding */ LiveStep),
  makeLiveCheck: () => (/* binding */ makeLiveCheck)
});

// EXTERNAL MODULE: ./build/src/platform/link.js
var platform_link = __webpack_require__(717);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/publish/after/live/compare.js

const MOST_PARTS = 3;
const LONGEST_PART = 80;
/**
 * Undefined where a published page shows an exported one. The rule: its title holds the exported title, and its text holds
 * the exported text in one piece. Blanks and characters without a shape do not count, so that a page may be minified; what
 * is before and after the exported text does not count, so that an edge may add a banner or a footer. Addresses of e-mail
 * do not count: some edges hide them from robots.
 *
 * Text that was put into the middle is a difference: it is what a page looks like from which the export took a paragraph away.
 */
function comparePage(exported, published) {
    const isSame = [[exported.title, published.title], [exported.text, published.text]].every(([wanted, found]) => isWithin(lettersOf(wanted), lettersOf(found)));
    return isSame ? undefined : differenceOf(wordsOf(exported), wordsOf(published));
}
/**
 * True where `text` holds `part` (Knuth, Morris and Pratt, 1977): in a time that grows with both, also for texts of few
 * different letters, on which `String.includes` takes as long as both multiplied.
 */
function isWithin(part, text) {
    if (part === '' || part === text)
        return true;
    const back = new Int32Array(part.length);
    for (let at = 1, length = 0; at < part.length; at += 1) {
        while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length))
            length = back[length - 1] ?? 0;
        if (part.charCodeAt(at) === part.charCodeAt(length))
            length += 1;
        back[at] = length;
    }
    for (let at = 0, length = 0; at < text.length; at += 1) {
        while (length > 0 && text.charCodeAt(at) !== part.charCodeAt(length))
            length = back[length - 1] ?? 0;
        if (text.charCodeAt(at) === part.charCodeAt(length))
            length += 1;
        if (length === part.length)
            return true;
    }
    return false;
}
/** True for a text that shows nothing when it is found: it would be found in most pages. */
function isEmptyText({ text }) {
    return lettersOf(text) === '';
}
// What Cloudflare puts in place of an address that it hides: https://developers.cloudflare.com/waf/tools/scrape-shield/.
// Every part has a limit, so that the time does not grow faster than a text that somebody made to take long.
const EMAIL = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}|\[email\s?protected\]/g;
function comparable(text) {
    return (0,text_escape/* stripInvisible */._0)(text.normalize('NFC')).text.replace(EMAIL, ' ');
}
function lettersOf(text) {
    return comparable(text).replace(/\s+/g, '');
}
function wordsOf({ title, text }) {
    return comparable(`${title} ${text}`)
        .split(/\s+/)
        .filter((word) => word !== '');
}
function differenceOf(exported, published) {
    const missing = lacking(exported, published);
    const count = missing.reduce((sum, words) => sum + words.length, 0);
    return {
        found: exported.length === 0 ? 1 : (exported.length - count) / exported.length,
        missing: excerpts(missing),
        extra: excerpts(lacking(published, exported)),
    };
}
/** Runs of words of `text` that `other` has not, or not as often. */
function lacking(text, other) {
    const left = new Map();
    for (const word of other)
        left.set(word, (left.get(word) ?? 0) + 1);
    const runs = [];
    let run;
    for (const word of text) {
        const count = left.get(word) ?? 0;
        if (count > 0) {
            left.set(word, count - 1);
            run = undefined;
            continue;
        }
        if (run === undefined) {
            run = [];
            runs.push(run);
        }
        run.push(word);
    }
    return runs;
}
function excerpts(runs) {
    return runs.slice(0, MOST_PARTS).map((words) => (0,text_escape/* cut */.Jj)(words.slice(0, LONGEST_PART).join(' '), { chars: LONGEST_PART }));
}

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/publish/after/live/describe.js
var describe = __webpack_require__(5682);
;// CONCATENATED MODULE: ./build/src/publish/after/live/errors.js




const MOST_PAGES = 5;
/** The site does not show the export: which pages differ and how, and what is to be done about it. */
function notLive({ url, pages }, { timeoutMs, basePath }) {
    if (pages.length === 0) {
        return new errors/* CourierError */.Yw({
            code: 'checks-failed',
            message: `${url} was not compared with the export: none of its pages has a visible text.`,
            hint: 'Open a page of the bundle with scripts switched off. Without live-url nothing is compared.',
        });
    }
    const wrong = pages.filter(({ outcome }) => outcome !== 'live');
    const rest = wrong.length > MOST_PAGES ? [`- and ${wrong.length - MOST_PAGES} more`] : [];
    const of = wrong.length === pages.length ? '' : `${wrong.length} of `;
    return new errors/* CourierError */.Yw({
        code: 'checks-failed',
        message: [
            `${url} did not show the export within ${(0,markdown/* writeDuration */.MP)(timeoutMs)}: ${of}${(0,markdown/* countOf */.pq)(pages.length, 'page')} ${wrong.length === 1 ? 'differs' : 'differ'}.`,
            ...wrong.slice(0, MOST_PAGES).map((page) => `- ${(0,text_escape/* plainLine */.h0)(page.path, 100)}: ${(0,describe/* describePage */.j)(page)}`),
            ...rest,
        ].join('\n'),
        hint: `What was delivered stays. ${adviceOf(wrong, { url, basePath })} To go back to the export before it, run mode: rollback.`,
    });
}
function adviceOf(wrong, { url, basePath }) {
    const has = (outcome) => wrong.some((page) => page.outcome === outcome);
    const isRefused = wrong.some(({ status }) => status === 401 || status === 403 || status === 407);
    if (isRefused || has('redirect')) {
        return 'A site behind a login needs live-headers, with a token or cookie that it accepts.';
    }
    if (has('cached')) {
        return 'The site itself has the export: purge the cache in front of it after each deployment, or set live-timeout to longer than it keeps a page.';
    }
    if (has('unreachable'))
        return 'Check live-url, and that this machine reaches it: behind a proxy set HTTPS_PROXY, for a private authority NODE_EXTRA_CA_CERTS.';
    if (basePath !== undefined && basePath !== '' && !new URL(url).pathname.startsWith(basePath)) {
        return `The links of the site begin with ${basePath}: set live-url to the address of its start page, with ${basePath}.`;
    }
    if (wrong.every(({ status }) => status === 404)) {
        return 'Check that live-url is the address of the start page of the site, with its path.';
    }
    return 'Check that the deployment takes up this export within live-timeout: one that reads the link when it starts has to be restarted, such as with rollout.';
}

// EXTERNAL MODULE: ./build/src/publish/after/live/facts.js
var facts = __webpack_require__(6676);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./build/src/http/hosts.js + 1 modules
var hosts = __webpack_require__(3781);
// EXTERNAL MODULE: ./build/src/http/service.js
var service = __webpack_require__(4541);
;// CONCATENATED MODULE: ./build/src/publish/after/live/fetch.js





const SITE = { name: 'the published site', addressSetting: 'live-url' };
const MOST_REDIRECTS = 5;
const LIMITS = { connectMs: 10_000, headersMs: 15_000, idleMs: 15_000, totalMs: 30_000 };
/** Asks caches on the way for what the site has now: they revalidate (RFC 9111, 5.2.1.4), or do not know the address. */
const FRESH = { 'cache-control': 'no-cache', pragma: 'no-cache' };
const FRESH_PARAMETER = 'docs-courier';
/** Headers by which caches say what they did. Their values are printed, so that no other is taken. */
const CACHE_HEADERS = ['age', 'cache-control', 'x-cache', 'cf-cache-status', 'x-vercel-cache', 'x-served-by', 'via'];
const LONGEST_HEADER = 100;
/** Fetches pages of one site as a browser without scripts does, bounded in time and size. */
class PageFetcher {
    #init;
    constructor(init) {
        this.#init = init;
    }
    /**
     * The page at an address. `fresh`: past the caches, as far as they allow it. Throws only what ends the run (`cancelled`)
     * and what no waiting mends: an address of a private network.
     */
    async fetch(address, how) {
        let url = how.fresh ? pastCaches(address) : address;
        for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
            const reply = await this.#request(url, how);
            if (!('status' in reply))
                return { kind: 'unreachable', detail: reply.problem };
            const { location } = reply.headers;
            const isRedirect = [301, 302, 303, 307, 308].includes(reply.status) && location !== undefined;
            if (!isRedirect)
                return this.#read(reply);
            const target = URL.parse(location, url);
            if (target?.origin !== address.origin) {
                return { kind: 'redirect', status: reply.status, detail: strayText(target), cache: cacheHeaders(reply) };
            }
            url = how.fresh ? pastCaches(target) : target;
        }
        return { kind: 'redirect', detail: `there are more than ${MOST_REDIRECTS} redirects, one after the other` };
    }
    async #request(url, { fresh, timeLimitMs }) {
        const { http, headers, allowPrivateHosts, maxBytes } = this.#init;
        try {
            return await http.request({
                service: SITE,
                method: 'GET',
                url,
                headers: { accept: 'text/html,application/xhtml+xml', ...(fresh && FRESH), ...headers },
                repeat: 'never',
                accepts: () => true,
                allowPrivateHosts,
                limits: { ...LIMITS, bodyBytes: maxBytes },
                timeLimitMs,
            });
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
                throw error;
            if ((0,service/* systemCodes */.oQ)(error).includes(hosts/* PRIVATE_ADDRESS */.jA))
                throw privateHost(url, error);
            return { problem: error.message.replace(/\.$/, '') };
        }
    }
    #read(reply) {
        const { status, headers, body } = reply;
        const cache = cacheHeaders(reply);
        if (status >= 200 && status <= 299) {
            return { kind: 'page', status, page: this.#init.readPageText(decode(body, headers['content-type'])), cache };
        }
        const seconds = /^\d{1,6}$/.exec(headers['retry-after'] ?? '')?.[0];
        const retryAfterMs = seconds === undefined ? undefined : Number(seconds) * 1000;
        return { kind: 'status', status, detail: `the site answered ${status}`, cache, retryAfterMs };
    }
}
function privateHost({ hostname }, cause) {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `live-url: ${hostname} has only addresses of a private network.`,
        hint: {
            text: 'If the site is inside of your own network, allow it:',
            inputs: { 'allow-private-hosts': 'true' },
        },
        cause,
    });
}
/** The same page under an address that no cache has seen. */
function pastCaches(address) {
    const url = new URL(address);
    url.searchParams.set(FRESH_PARAMETER, (0,external_node_crypto_.randomBytes)(6).toString('hex'));
    return url;
}
function strayText(target) {
    if (target === null)
        return 'the site redirects to no valid address';
    return `the site redirects to another origin, ${(0,text_escape/* plainLine */.h0)(target.origin, 100)}, which is not followed`;
}
/** As a browser reads it: by the charset of the reply, else UTF-8. */
function decode(body, contentType = '') {
    const charset = /charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8';
    try {
        return new TextDecoder(charset).decode(body);
    }
    catch {
        return new TextDecoder().decode(body);
    }
}
function cacheHeaders({ headers }) {
    const found = CACHE_HEADERS.flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, (0,text_escape/* plainLine */.h0)(value, LONGEST_HEADER)]] : [];
    });
    return found.length === 0 ? undefined : Object.fromEntries(found);
}
/** How long a cache goes on handing out its copy (RFC 9111, 4.2); undefined where the headers do not say. */
function freshForSeconds({ age, 'cache-control': control = '' }) {
    const lifetime = /s-maxage\s*=\s*"?(\d{1,9})/i.exec(control)?.[1] ?? /max-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1];
    if (lifetime === undefined || age === undefined || !/^\d{1,9}$/.test(age))
        return undefined;
    return Math.max(0, Number(lifetime) - Number(age));
}

;// CONCATENATED MODULE: ./build/src/publish/after/live/page-check.js



/** One page of the sample: what was exported, and how the site shows it. */
class PageCheck {
    #init;
    #last;
    constructor(init) {
        this.#init = init;
        this.#last = { path: init.path, outcome: 'unreachable', detail: 'it was not fetched' };
    }
    /** As it was when it was fetched last. */
    get facts() {
        const { retryAfterMs: _, ...facts } = this.#last;
        return facts;
    }
    get isLive() {
        return this.#last.outcome === 'live';
    }
    /** False where no reply came. */
    get isReached() {
        return this.#last.outcome !== 'unreachable';
    }
    /** How long the site asked to be left alone. */
    get retryAfterMs() {
        return this.#last.retryAfterMs ?? 0;
    }
    /** True where the site shows the export, whatever caches hand out. Fills no cache with what is shown before the delivery. */
    async isServed(fetcher, timeLimitMs) {
        return (await this.#fetchFresh(fetcher, timeLimitMs)).served !== undefined;
    }
    /**
     * Fetches the page as the site has it now, past the caches, and once that is the export, as readers get it. In this order,
     * since the other one could fill a cache with the page of before, for as long as it may be kept.
     */
    async look(fetcher, timeLimitMs) {
        const { served, last } = await this.#fetchFresh(fetcher, timeLimitMs);
        const address = served ?? (mayRefuseFresh(last) ? this.#init.addresses[0] : undefined);
        if (address === undefined)
            this.#last = this.#judge(last, false);
        else
            this.#last = this.#judge(await fetcher.fetch(address, { fresh: false, timeLimitMs }), served !== undefined);
    }
    async #fetchFresh(fetcher, timeLimitMs) {
        let first;
        for (const address of this.#init.addresses) {
            const fetched = await fetcher.fetch(address, { fresh: true, timeLimitMs });
            if (fetched.kind === 'page' && this.#differenceTo(fetched.page) === undefined) {
                return { served: address, last: fetched };
            }
            // Its other addresses are on the same server.
            if (fetched.kind === 'unreachable')
                return { served: undefined, last: first ?? fetched };
            // A page says more about what is wrong than the error under another of its addresses.
            if (first === undefined || (first.kind !== 'page' && fetched.kind === 'page'))
                first = fetched;
        }
        return { served: undefined, last: first ?? { kind: 'unreachable', detail: 'it has no address' } };
    }
    #differenceTo(page) {
        return comparePage(this.#init.exported, page);
    }
    #judge(fetched, isServed) {
        const { path } = this.#init;
        const { cache } = fetched;
        if (fetched.kind !== 'page') {
            const { kind: outcome, status, detail, retryAfterMs } = fetched;
            return { path, outcome, status, detail, cache, retryAfterMs };
        }
        const { status } = fetched;
        const difference = this.#differenceTo(fetched.page);
        if (difference === undefined)
            return { path, outcome: 'live', status, cache };
        const detail = isServed ? cachedText(fetched.cache) : differenceText(difference);
        return { path, outcome: isServed ? 'cached' : 'differs', status, detail, ...difference, cache };
    }
}
/** True for an answer that may be about what is added to get past the caches: a firewall refuses it, or a host takes it away. */
function mayRefuseFresh({ kind, status = 0 }) {
    return kind === 'redirect' || (status >= 400 && status <= 499 && ![404, 410, 429].includes(status));
}
function differenceText({ found, missing, extra }) {
    if (missing.length > 0) {
        // Rounded down: all words are there only where none is missing.
        return `it has ${Math.floor(found * 100)} % of the exported words`;
    }
    return extra.length > 0
        ? 'it has all exported words, and others between them'
        : 'it has the exported words in another order';
}
function cachedText(cache) {
    const seconds = cache && freshForSeconds(cache);
    const until = seconds === undefined ? '' : `, for another ${(0,markdown/* formatDuration */.a3)(seconds * 1000)}`;
    return `the site has the export, and a cache hands out something else${until}`;
}

// EXTERNAL MODULE: ./build/src/bundle/compare/page-index.js
var page_index = __webpack_require__(7830);
// EXTERNAL MODULE: ./build/src/text/names.js
var names = __webpack_require__(6761);
;// CONCATENATED MODULE: ./build/src/publish/after/live/sample.js


/** Most pages that are fetched of a published site. */
const SAMPLE_SIZE = 20;
/**
 * The pages that stand for the site: the start page, then those that changed, then some of every section. The same files
 * give the same sample.
 */
function chooseSample({ files, entryPage, changed = [] }) {
    const folder = entryPage?.slice(0, entryPage.lastIndexOf('/') + 1) ?? '';
    const pages = files
        .filter((file) => file.startsWith(folder) && isPage(file.slice(folder.length)))
        .map((file) => ({ file, path: (0,page_index/* addressOfPage */.F)(file.slice(folder.length)), address: (0,page_index/* addressOfPage */.F)(file) }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    const isChanged = new Set(changed);
    const first = pages.filter(({ file }) => file === entryPage);
    const next = pages.filter(({ file, address }) => file !== entryPage && isChanged.has(address));
    const rest = pages.filter(({ file, address }) => file !== entryPage && !isChanged.has(address));
    const chosen = [...first, ...spread(next, SAMPLE_SIZE - first.length)];
    return [...chosen, ...spread(rest, SAMPLE_SIZE - chosen.length)].map(({ file, path }) => ({ file, path }));
}
function isPage(path) {
    return /\.x?html?$/i.test(path) && path !== '404.html';
}
/** At most `count` of the pages, as evenly over the sections as they allow, and within a section evenly over its pages. */
function spread(pages, count) {
    if (pages.length <= count)
        return [...pages];
    const bySection = new Map();
    for (const page of pages) {
        const name = page.path.split('/').slice(1, -1)[0] ?? '';
        const section = bySection.get(name);
        if (section === undefined)
            bySection.set(name, [page]);
        else
            section.push(page);
    }
    const sections = [...bySection.values()];
    const shares = sections.map(() => 0);
    for (let left = count; left > 0;) {
        const open = sections.flatMap((section, index) => ((shares[index] ?? 0) < section.length ? [index] : []));
        for (const index of evenly(open, left)) {
            shares[index] = (shares[index] ?? 0) + 1;
            left -= 1;
        }
    }
    return sections.flatMap((section, index) => evenly(section, shares[index] ?? 0));
}
function evenly(items, count) {
    if (items.length <= count)
        return [...items];
    return items.filter((_, index) => Math.floor(((index + 1) * count) / items.length) > Math.floor((index * count) / items.length));
}
/**
 * The addresses under which hosts serve a page, the likeliest first. Built by segments, each escaped: whatever a name in a
 * bundle looks like, the address stays on the site and below its start page.
 */
function addressesOf({ path, file }, siteUrl) {
    const ending = /\.x?html?$/i.exec(file)?.[0] ?? '';
    const isFolder = /(^|\/)index\.x?html?$/i.test(file);
    const bare = path === '/' ? '' : path.slice(1);
    const folder = bare === '' ? '' : `${bare}/`;
    const forms = isFolder ? [folder, `${folder}index${ending}`] : [`${bare}${ending}`, bare];
    return forms.map((form) => addressBelow(siteUrl, form));
}
function addressOfStart(siteUrl) {
    return addressBelow(siteUrl, '');
}
function addressBelow(siteUrl, path) {
    return new URL(`${(0,names/* pageUrls */.Ub)(siteUrl)(path) ?? siteUrl}${path.endsWith('/') ? '/' : ''}`);
}

;// CONCATENATED MODULE: ./build/src/publish/after/live/check.js







const AT_ONCE = 4;
const SHORTEST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 30_000;
const REPORT_EVERY_MS = 60_000;
/** For what is asked before the delivery, which must not wait for a site that is down. */
const BEFORE_LIMIT_MS = 10_000;
/** A page that is fetched last still gets its time: else a slow site would look like one that is down. */
const SHORTEST_LIMIT_MS = 10_000;
/** Fetches pages of the published site until readers get what was exported. */
class LiveCheck {
    #init;
    #deps;
    #room;
    #fetcher;
    #startedAt;
    #pages = [];
    #basePath;
    #sameBefore = false;
    #rounds = 0;
    constructor(init, deps, room) {
        const { allowPrivateHosts, live } = init;
        this.#init = init;
        this.#deps = deps;
        this.#room = room;
        this.#startedAt = { wall: deps.clock.now(), monotonic: deps.clock.monotonicMs() };
        this.#fetcher = new PageFetcher({
            http: deps.http,
            readPageText: room.readPageText,
            maxBytes: room.MAX_PAGE_BYTES,
            headers: live.headers,
            allowPrivateHosts,
        });
    }
    static async open(init, deps) {
        return new LiveCheck(init, deps, await Promise.all(/* import() */[__webpack_require__.e(5455), __webpack_require__.e(3183), __webpack_require__.e(8281), __webpack_require__.e(5329)]).then(__webpack_require__.bind(__webpack_require__, 5329)));
    }
    /** Fetches the start page once. Throws `config` for an address of a private network. */
    async tryStartPage() {
        const address = addressOfStart(this.#init.live.url);
        return this.#fetcher.fetch(address, { fresh: true, timeLimitMs: BEFORE_LIMIT_MS });
    }
    /** Tries the site before anything starts. What may be otherwise after the delivery is a warning. */
    async preflight() {
        const fetched = await this.tryStartPage();
        if (fetched.kind === 'page')
            return;
        this.#deps.log.warning(`live-url: ${this.#init.live.url} shows no page yet: ${fetched.detail}.`);
    }
    /** Chooses the sample from the exported site, and sees what of it the site shows already. Call it before the delivery. */
    async readSite({ root, files, basePath, changed }) {
        const { live } = this.#init;
        const entryPage = this.#room.findEntryPage(files, basePath);
        this.#basePath = basePath;
        this.#pages = chooseSample({ files, entryPage, changed }).flatMap((page) => {
            const exported = this.#room.readSitePage(root, page.file);
            // An empty text would be found in every page.
            if (exported === undefined || isEmptyText(exported))
                return [];
            return [new PageCheck({ path: page.path, addresses: addressesOf(page, live.url), exported })];
        });
        this.#sameBefore = this.#pages.length > 0 && (await this.#isServed());
    }
    async #isServed() {
        for (const batch of batches(this.#pages)) {
            const served = await Promise.all(batch.map((page) => page.isServed(this.#fetcher, BEFORE_LIMIT_MS)));
            // One page that differs is enough to know.
            if (served.includes(false))
                return false;
        }
        return true;
    }
    /** Fetches until every page is live in one round, or the time is over. Throws `checks-failed` as `on-not-live` says. */
    async run() {
        const { live } = this.#init;
        const { log } = this.#deps;
        const isLive = this.#pages.length > 0 && (await log.group(`Waiting until ${live.url} shows the export`, () => this.#wait()));
        this.#end(isLive);
    }
    async #wait() {
        const { clock, signal } = this.#deps;
        const startMs = clock.monotonicMs();
        const endMs = startMs + this.#init.live.timeoutMs;
        let reportedMs = Number.NEGATIVE_INFINITY;
        let reported = -1;
        for (;;) {
            if (await this.#round(endMs))
                return true;
            const nowMs = clock.monotonicMs();
            const waitMs = this.#waitMs(nowMs - startMs);
            if (nowMs >= endMs)
                return false;
            const count = this.#pages.filter(({ isLive }) => isLive).length;
            if (count !== reported || nowMs - reportedMs >= REPORT_EVERY_MS) {
                this.#report(count, Math.min(waitMs, endMs - nowMs), nowMs - startMs);
                reported = count;
                reportedMs = nowMs;
            }
            await clock.sleep(Math.min(waitMs, endMs - nowMs), signal);
        }
    }
    /** True where all pages are live at the same time: of several servers behind one address, some may lag behind. */
    async #round(endMs) {
        const pending = this.#pages.filter(({ isLive }) => !isLive);
        if (!(await this.#look(pending, endMs)))
            return false;
        return pending.length === this.#pages.length || this.#look(this.#pages, endMs);
    }
    async #look(pages, endMs) {
        const { clock } = this.#deps;
        this.#rounds += 1;
        for (const batch of batches(pages)) {
            const limitMs = Math.max(SHORTEST_LIMIT_MS, endMs - clock.monotonicMs());
            await Promise.all(batch.map((page) => page.look(this.#fetcher, limitMs)));
            // A site that is down is not waited for once for every page.
            if (batch.every(({ isReached }) => !isReached))
                return false;
        }
        return pages.every(({ isLive }) => isLive);
    }
    /** A quarter of the time that has passed, and never less than the site asks for. */
    #waitMs(elapsedMs) {
        const askedMs = Math.max(...this.#pages.map(({ isLive, retryAfterMs }) => (isLive ? 0 : retryAfterMs)));
        return Math.max(askedMs, Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, elapsedMs / 4)));
    }
    #report(count, waitMs, elapsedMs) {
        const { live } = this.#init;
        this.#deps.log.info(`${count} of ${(0,markdown/* countOf */.pq)(this.#pages.length, 'page')} ${count === 1 ? 'shows' : 'show'} the export after ${(0,markdown/* formatDuration */.a3)(elapsedMs)} of ${(0,markdown/* formatDuration */.a3)(live.timeoutMs)}. Fetching again in ${(0,markdown/* formatDuration */.a3)(waitMs)}.`);
    }
    #end(isLive) {
        const facts = this.#factsOf(isLive);
        this.#deps.record({ live: facts });
        if (isLive)
            this.#announce(facts);
        else
            this.#complain(facts);
    }
    #complain(facts) {
        const { live } = this.#init;
        const error = notLive(facts, { timeoutMs: live.timeoutMs, basePath: this.#basePath });
        if (live.onNotLive === 'fail')
            throw error;
        this.#deps.log.warning(error.message);
    }
    #announce({ url, afterSeconds = 0, since, sameBefore }) {
        const { log } = this.#deps;
        log.info(`${url} shows the export, ${(0,markdown/* formatDuration */.a3)(afterSeconds * 1000)} after ${facts/* SINCE */.F[since]}.`);
        if (sameBefore !== true)
            return;
        log.info('It did so before the link was delivered: none of the pages that were fetched has changed, so that they do not show when the site takes it up.');
    }
    #factsOf(isLive) {
        const { live, change } = this.#init;
        const { clock } = this.#deps;
        const changedMs = change?.time.getTime() ?? Number.POSITIVE_INFINITY;
        // A clock that is wrong would give a time before the change.
        const since = change !== undefined && changedMs <= clock.now() ? change.kind : 'start';
        const isStart = since === 'start';
        const elapsedMs = isStart ? clock.monotonicMs() - this.#startedAt.monotonic : clock.now() - changedMs;
        return {
            url: live.url,
            live: isLive,
            isWarning: (!isLive && live.onNotLive === 'warn') || undefined,
            afterSeconds: isLive ? Math.round(elapsedMs / 1000) : undefined,
            since,
            sinceTime: new Date(isStart ? this.#startedAt.wall : changedMs).toISOString(),
            rounds: this.#rounds,
            sameBefore: this.#sameBefore || undefined,
            pages: this.#pages.map(({ facts }) => facts),
        };
    }
}
/** A few at a time. */
function batches(pages) {
    const count = Math.ceil(pages.length / AT_ONCE);
    return Array.from({ length: count }, (_, at) => pages.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
}

;// CONCATENATED MODULE: ./build/src/publish/after/live/step.js


/** The check of the published site, with nothing sent yet. */
function makeLiveCheck({ baseUrl, bundle }, live, deps) {
    const { allowPrivateHosts } = (0,platform_link/* linkPolicy */.ln)(baseUrl, bundle.allowPrivateHosts);
    return LiveCheck.open({ live, allowPrivateHosts, change: deps.run.change }, deps);
}
/** Waits until readers of the published site get the export. */
class LiveStep {
    #check;
    #url;
    /** Tries the site once. Throws `config` where its address is not allowed. */
    static async open(inputs, live, deps) {
        const check = await makeLiveCheck(inputs, live, deps);
        await check.preflight();
        return new LiveStep(check, live.url);
    }
    constructor(check, url) {
        this.#check = check;
        this.#url = url;
    }
    plan() {
        return [{ action: 'fetch pages, to compare them with the export', target: this.#url }];
    }
    readSite(site) {
        return this.#check.readSite(site);
    }
    run() {
        return this.#check.run();
    }
}


/***/ })

};
