export const id = 2219;
export const ids = [2219,8925];
export const modules = {

/***/ 2219:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  SiteComparison: () => (/* binding */ SiteComparison)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./build/src/clock.js
var clock = __webpack_require__(8179);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/bundle/verify/copy-text.js
var copy_text = __webpack_require__(6269);
// EXTERNAL MODULE: ./build/src/bundle/verify/page-scan.js + 1 modules
var page_scan = __webpack_require__(8404);
// EXTERNAL MODULE: ./build/src/bundle/verify/verify-site.js + 3 modules
var verify_site = __webpack_require__(8925);
// EXTERNAL MODULE: ./build/src/bundle/compare/page-index.js
var page_index = __webpack_require__(7830);
;// CONCATENATED MODULE: ./build/src/bundle/compare/stable-name.js
/**
 * A file's name without its build hash: equal for the builds of one file, such as `assets/app.*.js`.
 *
 * Bundlers put a hash into a name so that new content has a new address. The rule: between separators (`.`, `-`, `_`), and
 * not the ending, 8 to 64 letters and digits with at least one of each. Words (`javascript`) and dates (`20261121`) are none.
 */
function stableName(path) {
    const slash = path.lastIndexOf('/') + 1;
    const name = path.slice(slash);
    const parts = name.split(/(?<=[.\-_])/);
    if (parts.length === 1)
        return path;
    const stable = parts.map((part, index) => (index === parts.length - 1 ? part : withoutHash(part)));
    return path.slice(0, slash) + stable.join('');
}
function withoutHash(part) {
    const [, text = '', separator = ''] = /^(.*?)([.\-_]?)$/.exec(part) ?? [];
    return isHash(text) ? `*${separator}` : part;
}
function isHash(text) {
    if (text.length < 8 || text.length > 64 || !/^[A-Za-z0-9]+$/.test(text))
        return false;
    return /\d/.test(text) && /[A-Za-z]/.test(text);
}

;// CONCATENATED MODULE: ./build/src/bundle/compare/compare.js


/** Compares two exports page by page. Pure: fingerprints and hashes decide, no file is read. */
function compareExports(from, to) {
    const before = pagesByPath(from);
    const after = pagesByPath(to);
    const gone = [...before.values()].filter(({ path }) => !after.has(path)).sort(byPath);
    const fresh = [...after.values()].filter(({ path }) => !before.has(path));
    const stayed = [...after.values()].filter(({ path }) => before.has(path));
    const changed = stayed.filter(({ path, fingerprint }) => before.get(path)?.fingerprint !== fingerprint);
    const redirectOf = findRedirects(gone, to, new Set(after.keys()));
    const moved = findMoved(gone, fresh, redirectOf);
    const targets = new Set(moved.values());
    return {
        version: 1,
        redirectOf,
        added: fresh
            .filter(({ path }) => !targets.has(path))
            .map(shown)
            .sort(byPath),
        removed: gone
            .filter(({ path }) => !moved.has(path))
            .map((page) => withRedirect(page, redirectOf))
            .sort(byPath),
        moved: [...moved]
            .map(([path, target]) => ({ from: path, to: target, title: after.get(target)?.title ?? target }))
            .sort((a, b) => compareText(a.from, b.from)),
        changed: changed.map(shown).sort(byPath),
        unchanged: stayed.length - changed.length,
        assets: compareAssets(from.assets, to.assets),
    };
}
function pagesByPath({ pages }) {
    return new Map(pages.filter(({ redirect }) => redirect === undefined).map((page) => [page.path, page]));
}
/** Where addresses that are gone lead in the end. What leads to nothing covers nothing. */
function findRedirects(gone, { pages, redirects, assets }, there) {
    const own = pages.flatMap(({ path, redirect }) => (redirect === undefined ? [] : [[path, redirect]]));
    const all = new Map([...(redirects ?? []), ...own]);
    if (all.size === 0)
        return all;
    const files = new Set(assets.map(({ path }) => `/${path}`));
    const found = new Map();
    for (const { path } of gone) {
        const target = followRedirects(path, all);
        if (target !== undefined && (isOutside(target) || there.has(target) || files.has(target)))
            found.set(path, target);
    }
    return found;
}
function isOutside(target) {
    return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target);
}
/**
 * A page has moved where its old address leads to a new one, or where exactly one page is gone and exactly one is new with
 * the same fingerprint. Several alike (empty pages, stubs) could be any of each other: they count as removed and added.
 */
function findMoved(gone, fresh, redirectOf) {
    const moved = new Map();
    const free = new Set(fresh.map(({ path }) => path));
    // Several addresses may lead to one page: it has moved from the first, and the others are gone.
    for (const { path } of gone) {
        const target = redirectOf.get(path);
        if (target !== undefined && free.delete(target))
            moved.set(path, target);
    }
    const sources = singles(gone.filter(({ path }) => !redirectOf.has(path)));
    const targets = singles(fresh.filter(({ path }) => free.has(path)));
    for (const [fingerprint, source] of sources) {
        const target = targets.get(fingerprint);
        if (target !== undefined)
            moved.set(source, target);
    }
    return moved;
}
/** The paths of pages whose fingerprint no other page of the list has. */
function singles(pages) {
    const found = new Map();
    const several = new Set();
    for (const { path, fingerprint } of pages) {
        if (found.has(fingerprint))
            several.add(fingerprint);
        found.set(fingerprint, path);
    }
    for (const fingerprint of several)
        found.delete(fingerprint);
    return found;
}
/** Where an address leads in the end; undefined where it leads nowhere, or in a circle. */
function followRedirects(path, redirects) {
    const seen = new Set([path]);
    let target = redirects.get(path);
    for (let next = target; next !== undefined; next = redirects.get(addressOf(next))) {
        if (seen.has(addressOf(next)))
            return undefined;
        seen.add(addressOf(next));
        target = next;
    }
    return target && addressOf(target);
}
/** Of a target as a rule writes it: without what follows the path. */
function addressOf(target) {
    if (isOutside(target))
        return target;
    const [path = ''] = target.split(/[?#]/);
    return (0,page_index/* addressOfPage */.F)(path.replace(/^\/|\/$/g, ''));
}
function withRedirect(page, redirectOf) {
    const redirect = redirectOf.get(page.path);
    return redirect === undefined ? shown(page) : { ...shown(page), redirect };
}
/** Content decides first, so that a file with a new name is no change; what is left is paired by its name without a hash. */
function compareAssets(from, to) {
    const before = countBy(from, ({ sha256 }) => sha256);
    const fresh = to.filter(({ sha256 }) => !takeOne(before, sha256));
    const after = countBy(to, ({ sha256 }) => sha256);
    const gone = from.filter(({ sha256 }) => !takeOne(after, sha256));
    const names = countBy(gone, ({ path }) => stableName(path));
    const changed = fresh.filter(({ path }) => takeOne(names, stableName(path))).length;
    return { added: fresh.length - changed, removed: gone.length - changed, changed };
}
function countBy(entries, keyOf) {
    const counts = new Map();
    for (const entry of entries)
        counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
    return counts;
}
function takeOne(counts, key) {
    const left = counts.get(key) ?? 0;
    if (left > 0)
        counts.set(key, left - 1);
    return left > 0;
}
function shown({ path, title }) {
    return { path, title };
}
function byPath(a, b) {
    return compareText(a.path, b.path);
}
// Not by the locale: the same exports must give the same text on every machine.
function compareText(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/bundle/compare/excerpts.js

const MOST_EXCERPTS = 3;
const LONGEST_EXCERPT = 240;
const MOST_HEADINGS = 20;
const LONGEST_HEADING = 120;
/**
 * The first places where two versions of a page differ. A block of the one version that is nowhere in the other came or went;
 * where both have such a block at the same place, it was rewritten.
 */
function findExcerpts(before, after, redact) {
    const gone = withoutPair(before, after);
    const fresh = withoutPair(after, before);
    const excerpts = [];
    for (let i = 0, j = 0; (i < before.length || j < after.length) && excerpts.length < MOST_EXCERPTS;) {
        const old = gone[i] === true ? before[i] : undefined;
        const now = fresh[j] === true ? after[j] : undefined;
        if (old !== undefined || now !== undefined)
            excerpts.push(excerptOf(redact(old ?? ''), redact(now ?? '')));
        if (old !== undefined || now === undefined)
            i += 1;
        if (now !== undefined || old === undefined)
            j += 1;
    }
    return excerpts;
}
/** Headings that came and went, in the order of the page. */
function compareHeadings(before, after, redact) {
    const only = (list, other) => {
        const alone = withoutPair(list, other);
        return list
            .filter((_, index) => alone[index])
            .slice(0, MOST_HEADINGS)
            .map((heading) => (0,text_escape/* cutAround */.se)(redact(heading), 0, LONGEST_HEADING));
    };
    return { added: only(after, before), removed: only(before, after) };
}
/** Both texts around the first place where they differ. */
function excerptOf(before, after) {
    let at = 0;
    while (at < before.length && before[at] === after[at])
        at += 1;
    return { before: (0,text_escape/* cutAround */.se)(before, at, LONGEST_EXCERPT), after: (0,text_escape/* cutAround */.se)(after, at, LONGEST_EXCERPT) };
}
/** For each text of a list, whether the other one has no such text left for it. */
function withoutPair(texts, other) {
    const left = countOf(other);
    return texts.map((text) => !take(left, text));
}
function countOf(texts) {
    const counts = new Map();
    for (const text of texts)
        counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts;
}
function take(counts, text) {
    const left = counts.get(text) ?? 0;
    if (left > 0)
        counts.set(text, left - 1);
    return left > 0;
}

;// CONCATENATED MODULE: ./build/src/bundle/compare/lost.js
const MOST_SHOWN = 20;
/** Links of the new export to addresses at which the earlier one had a page. */
class LostLinks {
    /** What a link to such a page may end in, to the page's address. */
    #targets = new Map();
    #found = new Map();
    count;
    constructor(pages) {
        this.count = pages.length;
        for (const [address, { path }] of pages) {
            const bare = address.slice(1);
            for (const target of [bare, `${bare}/`, `${bare}.html`, `${bare}/index.html`, path]) {
                this.#targets.set(target, address);
            }
        }
    }
    /** `from`: the address of the page with the link. The links of one page come one after the other. */
    add(from, target) {
        const address = this.#targets.get(target);
        if (address === undefined || address === from)
            return;
        const found = this.#found.get(address) ?? { pages: 0, last: '', first: [] };
        this.#found.set(address, found);
        if (found.last === from)
            return;
        found.last = from;
        found.pages += 1;
        if (found.first.length < MOST_SHOWN)
            found.first.push(from);
    }
    to(address) {
        const { pages, first } = this.#found.get(address) ?? { pages: 0, first: [] };
        return { links: pages, linkedFrom: first.toSorted() };
    }
}
/** Every address that had a page and has none, sorted by path. */
function lostAddresses({ removed, moved, redirectOf }, links, titleOf) {
    const gone = [
        ...removed.map(({ path }) => ({ path })),
        ...moved.map(({ from, to }) => ({ path: from, movedTo: to })),
    ];
    return gone
        .map(({ path, ...move }) => {
        const redirect = redirectOf.get(path);
        return { path, title: titleOf(path), ...(redirect !== undefined && { redirect }), ...move, ...links.to(path) };
    })
        .sort((a, b) => (a.path < b.path ? -1 : 1));
}

;// CONCATENATED MODULE: ./build/src/bundle/compare/redirect-rules.js
/** At the top of a site: the rules in the form of Netlify and Cloudflare Pages. */
const RULES_FILE = '_redirects';
const MOST_EXACT = 50_000;
const MOST_PATTERNS = 1000;
// 200 shows another page at this address, which is no loss either.
const COVERING = /^(?:200|301|302|303|307|308)!?$/;
/**
 * Reads a `_redirects` file: a line has an address, its target, and a status (301 where it is left out). What depends on the
 * reader (query, country, language) leads some readers nowhere, and is no rule here; neither is a line that is not understood.
 */
function readRedirectRules(text) {
    const exact = new Map();
    const patterns = [];
    for (const line of text.split('\n')) {
        const [from = '', target = '', status = '301', ...rest] = line
            .replace(/(^|\s)#.*$/, '')
            .trim()
            .split(/\s+/);
        if (!from.startsWith('/') || !/^(\/|https?:\/\/)/.test(target) || !COVERING.test(status) || rest.length > 0)
            continue;
        if (/[*:]/.test(from)) {
            if (patterns.length < MOST_PATTERNS)
                patterns.push({ matches: patternOf(from), target });
        }
        else if (exact.size < MOST_EXACT && !exact.has(bare(from)))
            exact.set(bare(from), target);
    }
    return (address) => exact.get(bare(address)) ?? firstMatch(patterns, bare(address));
}
function firstMatch(patterns, address) {
    for (const { matches, target } of patterns) {
        const found = matches.exec(address);
        if (found === null)
            continue;
        const groups = found.groups ?? {};
        return target.replace(/:([A-Za-z_]\w*)/g, (whole, name) => groups[name] ?? whole);
    }
    return undefined;
}
/** A star at the end takes the rest of the address, a name after a colon one part of it. */
function patternOf(from) {
    const parts = bare(from)
        .split('/')
        .map((part, index, all) => {
        if (part === '*' && index === all.length - 1)
            return '(?<splat>.*)';
        const name = /^:([A-Za-z_]\w*)$/.exec(part)?.[1];
        const isFirst = name !== undefined && name !== 'splat' && !all.slice(0, index).includes(part);
        return isFirst ? `(?<${name}>[^/]+)` : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    });
    return new RegExp(`^${parts.join('/').replace(/\/\(\?<splat>/, '(?:/|$)(?<splat>')}$`);
}
/** Hosts take `/guide`, `/guide/`, `/guide.html` and `/guide/index.html` for one address. */
function bare(address) {
    const path = address.replace(/\.html?$/i, '').replace(/\/index$/i, '/');
    return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}

;// CONCATENATED MODULE: ./build/src/bundle/compare/same-content.js
const MOST_DIFFERENCES = 200;
const CHUNK = 4096;
/** What may begin or end a tag, or the value of an attribute. */
const MARKS = /[<>"']/g;
// What these say counts: where the content is, what is hidden, where the page leads, the text in place of an image.
const COUNTS = /\b(?:role|hidden|aria-hidden|alt|http-equiv)\b/i;
const WITHOUT_CONTENT = /^(?:script|style|time)$/i;
/**
 * Whether two versions of a page differ only in what is no content: attributes, scripts, styles, times, and the footer. Many
 * builds put a hash or a date into every page; this finds such a page in a small part of the time that reading both takes.
 *
 * It says no where it is not sure: then both are read, and their fingerprints decide.
 */
function hasSameContent(before, after) {
    return hasText(before) && differInNothing(before, after);
}
/** A page without any is compared by its whole file. Plain searches: they are many times faster than an expression. */
function hasText(page) {
    const at = ['<h1', '<h2', '<p>', '<p '].map((tag) => page.indexOf(tag)).find((index) => index >= 0);
    return at !== undefined && (!page.includes('<noscript') || !isOpen(page, at, '<noscript', '</noscript'));
}
/** Whether this place is between the two: what comes next is the end. */
function isOpen(text, at, begin, end) {
    const next = text.indexOf(end, at);
    const other = next < 0 ? -1 : text.indexOf(begin, at);
    return next >= 0 && (other < 0 || other > next);
}
function differInNothing(before, after) {
    let [at, other] = [0, 0];
    for (let rounds = 0; rounds < MOST_DIFFERENCES; rounds += 1) {
        const equal = commonLength(before, at, after, other);
        at += equal;
        other += equal;
        if (at >= before.length && other >= after.length)
            return true;
        // Without a mark in what differs, both go on in the same place: in the same tag, value or text.
        const [end, otherEnd] = [nextMark(before, at), nextMark(after, other)];
        if (before[end] === undefined || before[end] !== after[otherEnd])
            return false;
        const isComment = [before.slice(at - 1, end), after.slice(other - 1, otherEnd)].some((text) => text.endsWith('-'));
        if (isComment || !isWithoutContent(before, at, end) || !isWithoutContent(after, other, otherEnd))
            return false;
        at = end;
        other = otherEnd;
    }
    return false;
}
/** How many characters from two places on are the same. */
function commonLength(a, from, b, other) {
    const most = Math.min(a.length - from, b.length - other);
    let length = 0;
    for (let size = CHUNK; size >= 1;) {
        const [here, there] = [from + length, other + length];
        const fits = length + size <= most && a.slice(here, here + size) === b.slice(there, there + size);
        if (fits)
            length += size;
        else
            size = Math.floor(size / 2);
    }
    return length;
}
function nextMark(text, at) {
    MARKS.lastIndex = at;
    return MARKS.exec(text)?.index ?? text.length;
}
/** Whether a difference at this place is in a tag that says nothing of content, or in a text that is none. */
function isWithoutContent(text, at, end) {
    const start = text.lastIndexOf('<', at - 1);
    const name = start < 0 ? undefined : /^<([a-z][a-z0-9-]*)(?=[\s/>])/i.exec(text.slice(start, start + 40))?.[1];
    if (name === undefined || !isAfterTag(text, start))
        return false;
    const tagEnd = text.indexOf('>', start);
    if (tagEnd >= at) {
        // Up to the end of the tag, for what comes behind the difference counts as well.
        return at > start + name.length && !COUNTS.test(text.slice(start, Math.max(tagEnd, end)));
    }
    return isBalanced(text.slice(start, tagEnd)) && (WITHOUT_CONTENT.test(name) || isInFooter(text, at));
}
/** Before a tag there is another one, which has ended; else this one is in the value of an attribute. */
function isAfterTag(text, start) {
    const former = text.lastIndexOf('<', start - 1);
    if (start === 0 || former < 0)
        return true;
    const end = text.indexOf('>', former);
    return end < start && isBalanced(text.slice(former, end));
}
function isBalanced(tag) {
    return (tag.split('"').length - 1) % 2 === 0 && (tag.split("'").length - 1) % 2 === 0;
}
/** In a footer of the page itself, and not in one that a script or a comment names. */
function isInFooter(text, at) {
    const first = text.indexOf('<footer');
    if (first < 0 || first > at)
        return false;
    const between = text.slice(text.lastIndexOf('<footer', at), at);
    if (/<\/footer|<!--|-->|<\/?(?:script|style|main|article|body|template|textarea|title)\b/i.test(between))
        return false;
    return !(isOpen(text, at, '<!--', '-->') ||
        isOpen(text, at, '<script', '</script') ||
        isOpen(text, at, '<style', '</style'));
}

;// CONCATENATED MODULE: ./build/src/bundle/compare/sections.js
/** Where changes are: by the first part of the addresses, or the second where all pages have the first in common. */
function findSections(pages, { added, removed, moved, changed }) {
    const depth = commonDepth([...pages, ...removed.map(({ path }) => path)]);
    const sections = new Map();
    const count = (what, paths) => {
        for (const path of paths) {
            const section = sectionOf(path, depth);
            const counts = sections.get(section) ?? { pages: 0, added: 0, removed: 0, moved: 0, changed: 0 };
            counts[what] += 1;
            sections.set(section, counts);
        }
    };
    count('pages', pages);
    count('added', added.map(pathOf));
    count('removed', removed.map(pathOf));
    count('moved', moved.map(({ to }) => to));
    count('changed', changed.map(pathOf));
    return [...sections]
        .map(([section, counts]) => ({ section, ...counts }))
        .sort((a, b) => sumOf(b) - sumOf(a) || (a.section < b.section ? -1 : 1));
}
function pathOf({ path }) {
    return path;
}
function sumOf({ added, removed, moved, changed }) {
    return added + removed + moved + changed;
}
/** How many parts all addresses begin with: such as 1 where every page is below `/docs`. */
function commonDepth(paths) {
    const inner = paths.filter((path) => path !== '/').map((path) => path.split('/').slice(1));
    const [first] = inner;
    if (first === undefined)
        return 0;
    let depth = 0;
    while (inner.every((parts) => parts.length > depth + 1 && parts[depth] === first[depth]))
        depth += 1;
    return depth;
}
/** A page that is in no folder is at the top, unless other pages are below it. */
function sectionOf(path, depth) {
    const parts = path.split('/').slice(1);
    const top = `/${parts.slice(0, depth).join('/')}`;
    return parts.length > depth + 1 ? `/${parts.slice(0, depth + 1).join('/')}` : top;
}

;// CONCATENATED MODULE: ./build/src/bundle/compare/words.js
const WORD = /[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu;
/** How many words came and went between two versions of a page's visible text. A word that only moved is neither. */
function compareWords(before, after) {
    const left = new Map();
    for (const block of before) {
        for (const [word] of block.matchAll(WORD))
            left.set(word, (left.get(word) ?? 0) + 1);
    }
    let words = 0;
    let wordsAdded = 0;
    for (const block of after) {
        for (const [word] of block.matchAll(WORD)) {
            const count = left.get(word) ?? 0;
            if (count > 0)
                left.set(word, count - 1);
            else
                wordsAdded += 1;
            words += 1;
        }
    }
    let wordsRemoved = 0;
    for (const count of left.values())
        wordsRemoved += count;
    return { words, wordsAdded, wordsRemoved };
}

;// CONCATENATED MODULE: ./build/src/bundle/compare/site-comparison.js















// Far more than anybody reads; beyond it, pages have numbers and no excerpts.
const MOST_EXCERPT_CHARS = 8 * 1024 * 1024;
const LONGEST_TURN_MS = 20;
/**
 * Compares two exports. Hashes decide first: a page whose file is the same is never read. Hand it to the pass over the new
 * site, which reads every other page once; `finish` then reads those that are gone.
 */
class SiteComparison {
    #from;
    #to;
    #redact;
    #links;
    /** Of pages that were read, by address. */
    #before = new Map();
    #after = new Map();
    #details = new Map();
    #excerptChars = 0;
    constructor({ from, to, redact }) {
        this.#from = from;
        this.#to = to;
        this.#redact = redact;
        this.#links = new LostLinks([...from.pages].filter(([address]) => !to.pages.has(address)));
    }
    get watchesLinks() {
        return this.#links.count > 0;
    }
    reads(path) {
        const address = this.#addressOf(path);
        const file = this.#to.pages.get(address);
        return file?.path === path && !isSame(file, this.#from.pages.get(address));
    }
    wants(path, text) {
        if (!this.reads(path))
            return false;
        const address = this.#addressOf(path);
        const former = this.#from.pages.get(address);
        const { root } = this.#from;
        if (root === undefined || former === undefined)
            return true;
        const before = readFormer(root, former);
        if (before === undefined || !hasSameContent(before, text))
            return true;
        // The hash of the former file stands for both.
        const entry = entryOf(address, former, undefined);
        this.#before.set(address, entry);
        this.#after.set(address, entry);
        return false;
    }
    link(path, target) {
        this.#links.add(this.#addressOf(path), target);
    }
    page(path, content, redirect) {
        const address = this.#addressOf(path);
        const file = this.#to.pages.get(address);
        if (file === undefined)
            return;
        const { root } = this.#from;
        const now = entryOf(address, file, root === undefined ? { ...content, fingerprint: undefined } : content);
        this.#after.set(address, { ...now, redirect: content.redirect && addressOfTarget(redirect, content.redirect) });
        const former = this.#from.pages.get(address);
        if (former === undefined || root === undefined)
            return;
        const before = contentOf(root, former);
        if (before === undefined)
            return;
        const was = entryOf(address, former, before);
        this.#before.set(address, { ...was, redirect: before.redirect });
        if (was.fingerprint !== now.fingerprint)
            this.#details.set(address, this.#compare(before, content));
    }
    /** Once the pass is over. Throws `cancelled` only. */
    async finish(signal) {
        await this.#readGone(signal);
        const [from, to] = [this.#from, this.#to];
        const { redirectOf, ...changes } = compareExports({ jobId: from.jobId, pages: this.#entries(from, this.#before), assets: assetsOf(from) }, {
            jobId: to.jobId,
            pages: this.#entries(to, this.#after),
            assets: assetsOf(to),
            redirects: this.#redirects(),
        });
        const withDetails = changes.changed.map((page) => ({ ...page, ...this.#details.get(page.path) }));
        return {
            ...changes,
            from: sizesOf(from),
            to: sizesOf(to),
            basis: from.root === undefined ? 'hashes' : 'content',
            changed: withDetails,
            lost: lostAddresses({ ...changes, redirectOf }, this.#links, (path) => this.#titleOf(path)),
            sections: findSections([...to.pages.keys()], changes),
        };
    }
    #addressOf(path) {
        const address = (0,page_index/* addressOfPage */.F)(path);
        return this.#to.pages.get(address)?.path === path ? address : `/${path}`;
    }
    #compare(before, after) {
        const words = compareWords(before.blocks, after.blocks);
        const headings = compareHeadings(before.headings, after.headings, this.#redact);
        if (this.#excerptChars >= MOST_EXCERPT_CHARS)
            return { ...words, headings, excerpts: [] };
        const excerpts = findExcerpts(before.blocks, after.blocks, this.#redact);
        for (const excerpt of excerpts)
            this.#excerptChars += excerpt.before.length + excerpt.after.length;
        return { ...words, headings, excerpts };
    }
    async #readGone(signal) {
        const { root, pages } = this.#from;
        if (root === undefined)
            return;
        let turnStart = performance.now();
        for (const [address, file] of pages) {
            if (this.#to.pages.has(address))
                continue;
            const content = contentOf(root, file);
            if (content !== undefined)
                this.#before.set(address, { ...entryOf(address, file, content), redirect: content.redirect });
            if (performance.now() - turnStart < LONGEST_TURN_MS)
                continue;
            await (0,promises_.setImmediate)();
            if (signal.aborted)
                throw (0,clock/* cancelled */.K)(signal.reason);
            turnStart = performance.now();
        }
    }
    /** Pages that were not read are known by the hash of their file. */
    #entries({ pages }, read) {
        return [...pages].map(([address, file]) => read.get(address) ?? entryOf(address, file, undefined));
    }
    /** By the rules of the bundle, from addresses that are gone; also over several of them. */
    #redirects() {
        const found = new Map();
        const rules = this.#rules();
        if (rules === undefined)
            return found;
        const asked = [...this.#from.pages.keys()].filter((address) => !this.#to.pages.has(address));
        for (let address = asked.pop(); address !== undefined; address = asked.pop()) {
            const target = rules(address);
            if (target === undefined || found.has(address))
                continue;
            found.set(address, target);
            asked.push(target);
        }
        return found;
    }
    #rules() {
        const { root, files } = this.#to;
        const text = root === undefined || !files.has(RULES_FILE) ? undefined : (0,verify_site/* readText */.y)(root, RULES_FILE);
        return typeof text === 'string' ? readRedirectRules(text) : undefined;
    }
    #titleOf(path) {
        return this.#before.get(path)?.title ?? path;
    }
}
function isSame(a, b) {
    return b !== undefined && a.sha256 !== undefined && a.sha256 === b.sha256;
}
/** Its size is known: asking for it again would take as long as reading it. */
function readFormer(root, { path, bytes }) {
    if (bytes > verify_site/* MOST_BYTES */.u)
        return undefined;
    try {
        return (0,external_node_fs_.readFileSync)(`${root}/${path}`, 'utf8');
    }
    catch (error) {
        if ((0,errors/* errnoOf */.UQ)(error) === undefined)
            throw error;
        return undefined;
    }
}
function contentOf(root, file) {
    const text = readFormer(root, file);
    return text === undefined ? undefined : (0,page_scan/* readContent */.c)(text);
}
function entryOf(path, { sha256, path: file }, content) {
    // A page without text, such as one that a script fills, is known by its file alone.
    const fingerprint = content?.fingerprint ?? `file ${sha256 ?? file}`;
    return { path, title: (0,copy_text/* copyText */.D)(content?.title || path), fingerprint };
}
function addressOfTarget(target, raw) {
    if (target?.kind === 'outside')
        return raw;
    return target?.kind === 'inside' ? (0,page_index/* addressOfPage */.F)(target.file ?? target.path) : '';
}
function assetsOf({ files, pages }) {
    const known = new Set([...pages.values()].map(({ path }) => path));
    return [...files.values()]
        .filter(({ path }) => !known.has(path))
        .map(({ path, sha256 }) => ({ path, sha256: sha256 ?? '' }));
}
function sizesOf({ jobId, pages, files, bytes }) {
    return { jobId, pages: pages.size, files: files.size, bytes };
}


/***/ }),

/***/ 8925:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  u: () => (/* binding */ MOST_BYTES),
  readPages: () => (/* binding */ readPages),
  y: () => (/* binding */ readText),
  verifySite: () => (/* binding */ verifySite)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/src/clock.js
var clock = __webpack_require__(8179);
// EXTERNAL MODULE: ./build/src/bundle/disk/errors.js
var errors = __webpack_require__(6831);
// EXTERNAL MODULE: ./build/src/bundle/verify/base-path.js
var base_path = __webpack_require__(8281);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/bundle/verify/copy-text.js
var copy_text = __webpack_require__(6269);
;// CONCATENATED MODULE: ./build/src/bundle/verify/finding.js
const LEVELS = ['error', 'warning', 'note'];

;// CONCATENATED MODULE: ./build/src/bundle/verify/finding-list.js



const MOST_KEPT = 10_000;
const LONGEST_TARGET = 300;
const SHOWN = 10;
/** Collects findings: each once, all of them counted, and kept up to a number that memory and a report can hold. */
class FindingList {
    #kept = [];
    #counts = { error: 0, warning: 0, note: 0 };
    #seen = new Set();
    get kept() {
        return this.#kept;
    }
    get counts() {
        return this.#counts;
    }
    add(finding) {
        const target = (0,copy_text/* copyText */.D)((0,text_escape/* cut */.Jj)(finding.target, { chars: LONGEST_TARGET }));
        const key = `${finding.kind}\n${finding.page}\n${target}`;
        if (this.#seen.has(key))
            return;
        this.#counts[finding.level] += 1;
        if (this.#kept.length >= MOST_KEPT)
            return;
        this.#seen.add(key);
        this.#kept.push({ ...finding, target });
    }
    /** The first ten, errors first. */
    first() {
        return LEVELS.flatMap((level) => this.#kept.filter((finding) => finding.level === level)).slice(0, SHOWN);
    }
}

// EXTERNAL MODULE: ./build/src/bundle/verify/css-scan.js
var css_scan = __webpack_require__(4799);
// EXTERNAL MODULE: ./build/src/bundle/verify/page-content.js
var page_content = __webpack_require__(9051);
// EXTERNAL MODULE: ./build/src/bundle/verify/page-scan.js + 1 modules
var page_scan = __webpack_require__(8404);
// EXTERNAL MODULE: ./build/src/bundle/verify/script-scan.js
var script_scan = __webpack_require__(3185);
// EXTERNAL MODULE: ./build/src/bundle/verify/site-index.js
var site_index = __webpack_require__(5386);
;// CONCATENATED MODULE: ./build/src/bundle/verify/site-check.js






const KINDS = [
    [/\.x?html?$/i, 'page'],
    [/\.svg$/i, 'image'],
    [/\.css$/i, 'style'],
    [/\.m?js$/i, 'script'],
    [/\.webmanifest$|(^|\/)manifest\.json$/i, 'manifest'],
];
function kindOfFile(path) {
    return KINDS.find(([pattern]) => pattern.test(path))?.[1];
}
// Far more than any site has; a bundle made to exhaust the memory is checked up to there.
const MOST_FRAGMENTS = 200_000;
const MOST_IDS = 5_000_000;
/** Checks one file after the other; what needs all of them (fragments in other pages) comes at the end. */
class SiteCheck {
    #index;
    #isAirGapped;
    #findings;
    #reader;
    #watchesLinks;
    // Fragments are kept as 32-bit sums: the ids of many thousand pages stay small in memory.
    #idsOfPage = new Map();
    #wanted = new Map();
    #references = 0;
    #idCount = 0;
    constructor({ files, basePath, isAirGapped, findings, reader }) {
        this.#index = new site_index/* SiteIndex */.M(files, basePath);
        this.#isAirGapped = isAirGapped;
        this.#findings = findings;
        this.#reader = reader;
        this.#watchesLinks = reader?.watchesLinks ?? false;
    }
    /** How many were checked. */
    get references() {
        return this.#references;
    }
    file(path, text) {
        const kind = kindOfFile(path);
        if (kind === 'page' || kind === 'image')
            this.#page(path, text, kind);
        else
            for (const reference of scan(kind, text))
                this.#judge(path, reference, undefined);
    }
    finish() {
        for (const { page, raw, file, sum } of this.#wanted.values()) {
            const ids = this.#idsOfPage.get(file);
            if (ids === undefined || ids.includes(sum))
                continue;
            const reason = `${file} has no such id`;
            this.#findings.add({ level: 'warning', kind: 'missing-fragment', page, target: raw, reason });
        }
    }
    #page(path, text, kind) {
        const content = kind === 'page' && this.#reader?.wants(path, text) === true ? new page_content/* ContentReader */.p() : undefined;
        const { base, references, ids } = (0,page_scan/* scanPage */.D)(text, kind === 'image', content);
        if (content !== undefined)
            this.#giveContent(path, content.end(), base);
        this.#idCount += ids.length;
        if (kind === 'page' && this.#idCount <= MOST_IDS)
            this.#idsOfPage.set(path, Int32Array.from(ids, sumOf));
        if (base !== undefined)
            this.#judge(path, { raw: base, use: 'link', what: 'base' }, undefined);
        for (const reference of references)
            this.#judge(path, reference, base);
    }
    #giveContent(path, content, base) {
        const { redirect } = content;
        this.#reader?.page(path, content, redirect === undefined ? undefined : this.#index.resolve(redirect, path, base));
    }
    #judge(page, reference, base) {
        this.#references += 1;
        const target = this.#index.resolve(reference.raw, page, base);
        if (this.#watchesLinks && target.kind === 'inside' && reference.use === 'link')
            this.#reader?.link(page, target.path);
        if (target.kind === 'inside' && target.file !== undefined) {
            this.#wantFragment(page, reference, target.file, target.fragment);
            return;
        }
        const finding = findingOf(target, reference, this.#isAirGapped, this.#index);
        if (finding !== undefined)
            this.#findings.add({ ...finding, page, target: reference.raw });
    }
    #wantFragment(page, { raw, use }, file, encoded) {
        // Text fragments and the routes of scripts are no ids.
        const fragment = encoded.split(':~:')[0] ?? '';
        if (use !== 'link' || fragment === '' || fragment === 'top' || /^[!/]/.test(fragment))
            return;
        if (kindOfFile(file) !== 'page')
            return;
        const key = `${file}#${fragment}`;
        if (this.#wanted.has(key) || this.#wanted.size >= MOST_FRAGMENTS)
            return;
        this.#wanted.set((0,copy_text/* copyText */.D)(key), { page, raw: (0,copy_text/* copyText */.D)(raw), file, sum: sumOf((0,site_index/* decode */.D)(fragment) ?? fragment) });
    }
}
function scan(kind, text) {
    switch (kind) {
        case 'style':
            return (0,css_scan/* scanCss */.v)(text);
        case 'script':
            return (0,script_scan/* scanScript */.nw)(text);
        case 'manifest':
            return (0,script_scan/* scanWebManifest */.lp)(text);
        default:
            return [];
    }
}
function findingOf(target, reference, isAirGapped, index) {
    const { use, what } = reference;
    switch (target.kind) {
        case 'none':
            return undefined;
        case 'bad':
            return { level: 'error', kind: 'bad-address', reason: `the address of this ${what} cannot be read` };
        case 'local':
            return {
                level: use === 'link' ? 'warning' : 'error',
                kind: 'local-address',
                reason: `this ${what} leads to the reader's own disk`,
            };
        case 'outside':
            return outsideFinding(reference, target.host, isAirGapped);
        case 'outside-base':
            return outsideBaseFinding(reference, target.file);
        case 'inside':
            return insideFinding(reference, index.similar(target.path), target.path);
    }
}
// Another part of the same host may be linked to, as another host may; what is loaded has to be in the bundle.
function outsideBaseFinding({ use, what }, file) {
    if (what === 'base' || use === 'connect' || use === 'form')
        return undefined;
    const why = file === undefined ? 'leads outside of the base path of the site' : `leads to ${file} without the base path`;
    if (use === 'load')
        return { level: 'error', kind: 'missing-asset', reason: `this ${what} ${why}` };
    return file === undefined ? undefined : { level: 'error', kind: 'broken-link', reason: `this ${what} ${why}` };
}
// `<base>` to another host sends every relative address there.
function outsideFinding({ use, what }, host, isAirGapped) {
    const level = isAirGapped ? 'error' : 'warning';
    if (what === 'base')
        return { level: 'error', kind: 'external-load', reason: `every relative address leads to ${host}` };
    switch (use) {
        case 'link':
            return undefined;
        case 'form':
            return { level: 'warning', kind: 'external-form', reason: `this form sends to ${host}` };
        case 'connect':
            return { level, kind: 'external-load', reason: `this ${what} opens a connection to ${host}` };
        case 'load':
            return { level, kind: 'external-load', reason: `this ${what} loads from ${host}` };
    }
}
function insideFinding({ use, what }, similar, path) {
    // A folder without a page of its own is a fine base, and a form's target may be made by the host.
    if (what === 'base' || use === 'connect' || use === 'form')
        return undefined;
    if (similar !== undefined)
        return {
            level: 'error',
            kind: 'wrong-case',
            reason: `the file is named ${similar}, and most hosts distinguish case`,
        };
    if (use === 'load')
        return { level: 'error', kind: 'missing-asset', reason: `this ${what} is not in the bundle` };
    const hint = path.endsWith('/') ? `: ${path}index.html would be needed` : '';
    return { level: 'error', kind: 'broken-link', reason: `this ${what} leads to no page of the bundle${hint}` };
}
/** FNV-1a, 32 bits. */
function sumOf(text) {
    let sum = 0x811c9dc5;
    for (let index = 0; index < text.length; index += 1)
        sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
    return sum | 0;
}

;// CONCATENATED MODULE: ./build/src/bundle/verify/verify-site.js







/** Of a file that is read as a whole. */
const MOST_BYTES = 8 * 1024 * 1024;
// Other work (a signal, a timer) gets its turn at least this often.
const LONGEST_TURN_MS = 20;
/**
 * Reads an unpacked site: is there an entry page, does every address resolve, does nothing load from elsewhere? Nothing is
 * fetched. Writes the whole report as JSON below RUNNER_TEMP. Throws `io` and `cancelled` only.
 */
async function verifySite(init) {
    const { files, runnerTemp, pageCount } = init;
    const findings = new FindingList();
    const entryPage = (0,base_path/* findEntryPage */.T)(files, init.basePath);
    const check = openCheck(init, entryPage, findings);
    await checkFiles(init, check, files, findings);
    check.finish();
    const { references } = check;
    const pages = files.filter((file) => kindOfFile(file) === 'page').length;
    if (entryPage === undefined) {
        const reason = 'there is no index.html at the top';
        findings.add({ level: 'error', kind: 'no-entry-page', page: '', target: '', reason });
    }
    if (pageCount !== undefined && pageCount !== pages) {
        const reason = `it holds ${pages} pages, and the platform last counted ${pageCount}; that is a running count`;
        findings.add({ level: 'note', kind: 'page-count', page: '', target: '', reason });
    }
    const { error: errors, warning: warnings, note: notes } = findings.counts;
    const counts = { pages, files: files.length, references, errors, warnings, notes };
    const reportPath = writeReport(runnerTemp, counts, findings.kept);
    return { verification: { ...counts, first: findings.first() }, reportPath };
}
/** Reads the pages of a site for what `reader` wants to know of them, and checks nothing. Throws `cancelled` only. */
async function readPages(init, reader) {
    const findings = new FindingList();
    const check = openCheck({ ...init, isAirGapped: false, reader }, (0,base_path/* findEntryPage */.T)(init.files, init.basePath), findings);
    const pages = init.files.filter((path) => kindOfFile(path) === 'page');
    const wanted = reader.watchesLinks ? pages : pages.filter((path) => reader.reads(path));
    await checkFiles(init, check, wanted, findings);
}
function openCheck(init, entryPage, findings) {
    const { root, files, isAirGapped, reader } = init;
    const entryText = entryPage === undefined ? undefined : readText(root, entryPage);
    const entry = entryPage === undefined || typeof entryText !== 'string' ? undefined : { page: entryPage, text: entryText };
    const basePath = (0,base_path/* findBasePath */.Q)(files, init.basePath, entry);
    return new SiteCheck({ files, basePath, isAirGapped, findings, reader });
}
async function checkFiles({ root, signal }, check, paths, findings) {
    let turnStart = performance.now();
    for (const path of paths) {
        if (kindOfFile(path) === undefined)
            continue;
        const text = readText(root, path);
        if (typeof text === 'string')
            check.file(path, text);
        else
            findings.add({ ...text, page: path, target: '' });
        if (performance.now() - turnStart < LONGEST_TURN_MS)
            continue;
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted)
            throw (0,clock/* cancelled */.K)(signal.reason);
        turnStart = performance.now();
    }
}
/** The text of a file, or why it is not read. */
function readText(root, path) {
    const target = (0,external_node_path_.join)(root, path);
    try {
        if ((0,external_node_fs_.statSync)(target).size <= MOST_BYTES)
            return (0,external_node_fs_.readFileSync)(target, 'utf8');
        return { level: 'warning', kind: 'page-too-large', reason: 'the file is larger than 8 MiB and was not checked' };
    }
    catch (error) {
        if (!(error instanceof Error && 'syscall' in error))
            throw error;
        return { level: 'error', kind: 'unreadable', reason: 'the file could not be read' };
    }
}
function writeReport(runnerTemp, counts, kept) {
    try {
        const reportPath = (0,external_node_path_.join)((0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)(runnerTemp, 'docs-courier-verify-')), 'verify.json');
        const total = counts.errors + counts.warnings + counts.notes;
        const report = { version: 1, ...counts, truncated: kept.length < total, findings: kept };
        (0,external_node_fs_.writeFileSync)(reportPath, `${JSON.stringify(report, undefined, 2)}\n`);
        return reportPath;
    }
    catch (cause) {
        throw (0,errors/* fileError */.z)('write the report of the verification to', runnerTemp, cause);
    }
}


/***/ })

};
