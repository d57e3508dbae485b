export const id = 8925;
export const ids = [8925];
export const modules = {

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
