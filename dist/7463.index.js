export const id = 7463;
export const ids = [7463];
export const modules = {

/***/ 7058:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   p: () => (/* binding */ bundleOutputs),
/* harmony export */   t: () => (/* binding */ bundleSections)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(492);


/** The outputs about a received bundle; all of them empty when there is none. */
function bundleOutputs(facts) {
    return {
        'bundle-path': facts?.path,
        'bundle-sha256': facts?.sha256,
        'manifest-path': facts?.manifestPath,
        'checksum-path': facts?.checksumPath,
        'site-path': facts?.sitePath,
        'verify-report': facts?.verifyReport,
    };
}
/** Sections of the step summary about a received bundle: its facts and its verification; empty when there is none. */
function bundleSections(facts) {
    if (facts === undefined)
        return '';
    const { verification } = facts;
    const sections = [
        `### Bundle\n\n${bundleTable(facts)}`,
        verification === undefined ? '' : verifySection(verification),
    ];
    return sections.filter((section) => section !== '').join('\n\n');
}
function bundleTable(facts) {
    const { path, sitePath, checksumPath, manifestPath, resumed } = facts;
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .factList */ .lV)([
        ['Archive', `${facts.format}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatBytes */ .z3)(facts.bytes)}`],
        ['SHA-256', (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(facts.sha256)],
        [
            'Content',
            `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(facts.pages, 'page')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(facts.files, 'file')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatBytes */ .z3)(facts.unpackedBytes)}`,
        ],
        ['Kept at', path && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(path)],
        ['Manifest', manifestPath && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(manifestPath)],
        ['Checksums', checksumPath && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(checksumPath)],
        ['Unpacked to', sitePath && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(sitePath)],
        ['Interruptions', resumed === 0 ? undefined : `${resumed}, resumed each time`],
    ]);
}
const SIGNS = { error: '❌', warning: '⚠️', note: 'ℹ️' };
/** Counts, and the first findings as a table. */
function verifySection(verification) {
    const { pages, files, references, errors, warnings, notes, first } = verification;
    const checked = `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(pages, 'page')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(files, 'file')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(references, 'reference')}`;
    const found = errors + warnings + notes;
    if (found === 0)
        return `### Verification\n\n✅ ${checked}: no finding. Every link and asset resolves, and nothing loads from another host.`;
    const counts = `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(errors, 'error')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(warnings, 'warning')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(notes, 'note')}`;
    const rest = found > first.length
        ? `\n\nThese are the first ${first.length} of ${found}; the file at \`verify-report\` has all of them.`
        : '';
    return `### Verification\n\n${checked}: ${counts}.\n\n${findingTable(first)}${rest}`;
}
function findingTable(findings) {
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .table */ .tp)(['', 'Page', 'Finding', 'Address'], findings.map(({ level, page, reason, target }) => [
        SIGNS[level],
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(page, 120),
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(reason, 300),
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(target, 160),
    ]));
}


/***/ }),

/***/ 6162:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ openAfterDelivery)
/* harmony export */ });
/* unused harmony export AfterDelivery */
/** The steps after delivery, in their order. */
class AfterDelivery {
    #steps;
    #isLive;
    #comparison;
    constructor(steps, isLive) {
        this.#steps = steps;
        this.#isLive = isLive;
    }
    plan() {
        return this.#steps.flatMap((step) => step.plan());
    }
    /** A step reads the exported site: its bundle is downloaded also where it has no destination to go to. */
    get readsSite() {
        return this.#steps.some((step) => step.readSite !== undefined);
    }
    /** Call it before the delivery, with the site once nothing holds it back. */
    async readSite({ site, comparison }, basePath) {
        this.#comparison = comparison;
        if (site.root === undefined)
            return;
        const exported = { root: site.root, files: [...site.files.keys()], basePath, changed: changedPages(comparison) };
        for (const step of this.#steps)
            await step.readSite?.(exported);
    }
    /** Each step begins when the one before it has succeeded. */
    async run(delivered) {
        for (const step of this.#steps) {
            await step.run({ ...delivered, comparison: this.#comparison, isLive: this.#isLive() });
        }
    }
}
/** The addresses at which an export shows something else than the one before; undefined: they were not compared. */
function changedPages(comparison) {
    if (comparison === undefined)
        return undefined;
    const { added, changed, moved } = comparison;
    return [...changed.map(({ path }) => path), ...added.map(({ path }) => path), ...moved.map(({ to }) => to)];
}
/**
 * Checks, before an export starts, what is to be done after its delivery: the rollout, then whether the site is live, and a
 * comment about what changed.
 * Each of them is loaded only where its input is set. Writes nothing.
 */
async function openAfterDelivery(inputs, deps) {
    const steps = [];
    let isLive = false;
    const watched = {
        ...deps,
        record: (facts) => {
            isLive = facts.live?.live ?? isLive;
            deps.record(facts);
        },
    };
    if (inputs.rollout !== undefined) {
        const { RolloutStep } = await __webpack_require__.e(/* import() */ 2355).then(__webpack_require__.bind(__webpack_require__, 2355));
        steps.push(await RolloutStep.open(inputs, inputs.rollout, deps));
    }
    if (inputs.live !== undefined) {
        const { LiveStep } = await __webpack_require__.e(/* import() */ 5972).then(__webpack_require__.bind(__webpack_require__, 3591));
        steps.push(await LiveStep.open(inputs, inputs.live, watched));
    }
    if (inputs.comment !== undefined) {
        const { CommentStep } = await __webpack_require__.e(/* import() */ 8764).then(__webpack_require__.bind(__webpack_require__, 8764));
        steps.push(new CommentStep(inputs, inputs.comment, deps));
    }
    return new AfterDelivery(steps, () => isLive);
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

/***/ 5135:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $U: () => (/* binding */ liveOutputs),
/* harmony export */   IH: () => (/* binding */ liveText),
/* harmony export */   ip: () => (/* binding */ liveChecks),
/* harmony export */   uN: () => (/* binding */ liveSection)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(492);
/* harmony import */ var _describe_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5682);
/* harmony import */ var _facts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6676);




/** The outputs about the published site; empty where it was not checked. */
function liveOutputs(facts) {
    return { live: facts && String(facts.live), 'live-after-seconds': facts?.afterSeconds?.toString() };
}
/** Each page as a check, for CI systems that show them; a site that only warns has no failed one. */
function liveChecks(facts) {
    return (facts?.pages ?? []).map((page) => ({
        group: 'live',
        name: page.path,
        outcome: page.outcome === 'live' ? 'passed' : facts?.isWarning === true ? 'warning' : 'failed',
        message: page.outcome === 'live' ? undefined : (0,_describe_js__WEBPACK_IMPORTED_MODULE_1__/* .describePage */ .j)(page),
    }));
}
/** One line of the facts of a run; undefined where the site was not checked. */
function liveText(facts) {
    if (facts === undefined)
        return undefined;
    const { url, live, afterSeconds = 0, since, sinceTime } = facts;
    if (!live)
        return `no: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(url)} does not show the export`;
    const at = (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .formatInstant */ .r4)(new Date(sinceTime));
    return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(url)} shows the export, **${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(afterSeconds * 1000)}** after ${_facts_js__WEBPACK_IMPORTED_MODULE_2__/* .SINCE */ .F[since]} (${at})`;
}
/** The pages that were fetched, those that differ first; nothing where the site was not checked. */
function liveSection(facts) {
    if (facts === undefined || facts.pages.length === 0)
        return undefined;
    const { pages, rounds, sameBefore, live } = facts;
    const right = pages.filter(({ outcome }) => outcome === 'live').length;
    const verdict = live ? '✅' : '❌';
    const lines = [
        `### Published site\n\n${verdict} ${right} of ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .countOf */ .pq)(pages.length, 'page')} ${right === 1 ? 'shows' : 'show'} the export, fetched ${rounds === 1 ? 'once' : `${rounds} times`}.`,
        sameBefore === true && live
            ? 'All of them did so before the link was delivered: none of these pages has changed, so that they do not show when the site takes it up.'
            : '',
        pageTable(pages),
    ];
    return lines.filter((line) => line !== '').join('\n\n');
}
function pageTable(pages) {
    const wrong = pages.filter(({ outcome }) => outcome !== 'live');
    const right = pages.filter(({ outcome }) => outcome === 'live');
    const rows = [...wrong, ...right].map((page) => [
        page.outcome === 'live' ? '✅' : '❌',
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(page.path, 120),
        page.status?.toString() ?? '',
        page.outcome === 'live' ? 'shows the export' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)((0,_describe_js__WEBPACK_IMPORTED_MODULE_1__/* .describePage */ .j)(page), 700),
    ]);
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .table */ .tp)(['', 'Page', 'Status', 'Found'], rows);
}


/***/ }),

/***/ 1457:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   p: () => (/* binding */ rolloutText)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(492);


/** For the list of facts in a summary. */
function rolloutText(rollout) {
    if (rollout === undefined)
        return undefined;
    const { workloads, elapsedMs, undoneTo } = rollout;
    const parts = workloads.map(({ workload, isRestarted, isComplete, updated, ready, wanted }) => {
        const state = !isComplete ? 'not complete' : isRestarted ? 'complete' : 'nothing to restart';
        return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(workload)} ${state} (${updated} of ${wanted} updated, ${ready} ready)`;
    });
    const undone = undoneTo === undefined ? '' : `; undone: back to export job ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(undoneTo)}`;
    return `${parts.join(', ')} in ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)((0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatDuration */ .a3)(elapsedMs))}${undone}`;
}


/***/ }),

/***/ 9976:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ deploymentText)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4502);

/** A line of the summary. */
function deploymentText(deployment) {
    if (deployment === undefined)
        return undefined;
    const { environment, id, commit, state } = deployment;
    return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(environment)}, ${id} of commit ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(commit.slice(0, 7))}: ${state.replace('_', ' ')}`;
}


/***/ }),

/***/ 2134:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ destinationsText)
/* harmony export */ });
/* harmony import */ var _stores_address_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1824);

/** The destinations of a run for its report; undefined where none is asked for. */
function destinationsText(to) {
    return to?.addresses.map(_stores_address_js__WEBPACK_IMPORTED_MODULE_0__/* .formatAddress */ .M0).join(', ');
}


/***/ }),

/***/ 7463:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  exportMode: () => (/* binding */ exportMode)
});

// EXTERNAL MODULE: ./build/src/run/finish.js
var finish = __webpack_require__(4104);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/platform/export-api.js
var export_api = __webpack_require__(2590);
// EXTERNAL MODULE: ./build/src/platform/link.js
var platform_link = __webpack_require__(717);
// EXTERNAL MODULE: ./build/src/run/report.js
var run_report = __webpack_require__(7417);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: ./build/src/publish/after/after.js
var after_after = __webpack_require__(6162);
// EXTERNAL MODULE: ./build/src/publish/state/history.js
var state_history = __webpack_require__(6391);
;// CONCATENATED MODULE: ./build/src/publish/changes/earlier.js


/** Finds what this export is compared with. Reads a manifest now, so that a wrong one fails before anything starts. */
async function findEarlier({ inputs, deps, api, delivery }) {
    const { compareWith, baseUrl } = inputs;
    const found = findLive(delivery);
    if (compareWith.kind === 'file' || compareWith.kind === 'address') {
        const { loadManifest } = await __webpack_require__.e(/* import() */ 3230).then(__webpack_require__.bind(__webpack_require__, 3230));
        const site = await loadManifest(inputs, deps);
        return { ...found, with: { kind: 'files', site }, none: undefined, isUnknown: false };
    }
    if (compareWith.kind === 'none')
        return { ...found, with: undefined };
    if (found.live === undefined) {
        deps.log.notice(`There is no earlier export to compare with. ${found.none ?? ''}`);
        deps.record({ notCompared: found.none });
        return { ...found, with: undefined };
    }
    const { jobId } = found.live;
    return { ...found, with: { kind: 'job', jobId, links: (0,platform_link/* createLinkMaker */.jK)({ ...deps, api, jobId, baseUrl }) } };
}
function findLive(delivery) {
    const { ignored, changed, state } = delivery ?? {};
    if (ignored !== undefined)
        return { live: undefined, none: `The state is ignored because ${ignored}.`, isUnknown: true };
    if (changed !== undefined)
        return { live: undefined, none: changed, isUnknown: true };
    if (state?.jobId !== undefined) {
        const live = { jobId: state.jobId, pages: (0,state_history/* liveExport */.NO)(state)?.pages };
        return { live, none: undefined, isUnknown: false };
    }
    const none = `${delivery?.withoutExport ?? 'No state names an earlier export'}.`;
    return { live: undefined, none, isUnknown: false };
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/publish/changes/changes-summary.js



const MAX_ROWS = 50;
const MAX_LOST = 25;
const MAX_BARS = 12;
const SHOWN_LINKS = 3;
function countChanges(comparison) {
    const { from, to, basis, unchanged, assets, added, removed, moved, changed, lost } = comparison;
    return {
        from,
        to,
        basis,
        added: added.length,
        removed: removed.length,
        moved: moved.length,
        changed: changed.length,
        unchanged,
        lost: lost.filter(({ redirect }) => redirect === undefined).length,
        assets,
    };
}
/** What changed: numbers, pages, lost addresses, and a chart by section. Every text in it comes from pages. */
function changesSections({ comparison, notCompared }) {
    if (comparison === undefined) {
        return notCompared === undefined ? '' : `### Changes\n\nNot compared. ${(0,text_escape/* escapeMarkdown */.FV)(notCompared)}`;
    }
    return (0,run_report/* sections */.V0)([
        '### Changes',
        numbers(comparison),
        pages(comparison),
        lost(comparison),
        chart(comparison.sections),
    ]);
}
function numbers(comparison) {
    const { from, to, basis, assets } = comparison;
    const { added, changed, moved, removed, unchanged } = countChanges(comparison);
    const size = `${(0,markdown/* formatBytes */.z3)(to.bytes)} in ${(0,markdown/* countOf */.pq)(to.files, 'file')}, before ${(0,markdown/* formatBytes */.z3)(from.bytes)} in ${(0,markdown/* countOf */.pq)(from.files, 'file')}`;
    const how = basis === 'hashes' ? ' By the hashes of a manifest: each page whose file differs counts as changed.' : '';
    const same = from.jobId === to.jobId ? ' It is the export that is live already.' : '';
    const files = `Other files: ${assets.added} added, ${assets.changed} changed, ${assets.removed} removed. Size: ${size}.`;
    return (0,run_report/* sections */.V0)([
        `Compared with export job ${(0,text_escape/* codeSpan */.SS)(from.jobId)} (${(0,markdown/* countOf */.pq)(from.pages, 'page')}).${same}${how}`,
        (0,markdown/* table */.tp)(['Added', 'Changed', 'Moved', 'Removed', 'Unchanged'], [[added, changed, moved, removed, unchanged].map((count) => count.toLocaleString('en-US'))]),
        files,
    ]);
}
/** The pages, those that are gone first: that is what cannot be seen on the site. */
function pages({ removed, moved, added, changed }) {
    const rows = [
        ...removed.map(({ path, title, redirect }) => ['removed', path, title, redirect && `now leads to ${redirect}`]),
        ...moved.map(({ from, to, title }) => ['moved', from, title, `now at ${to}`]),
        ...added.map(({ path, title }) => ['added', path, title, undefined]),
        ...changed.map(({ path, title, wordsAdded, wordsRemoved }) => [
            'changed',
            path,
            title,
            wordsAdded === undefined ? undefined : wordsText(wordsAdded, wordsRemoved ?? 0),
        ]),
    ];
    if (rows.length === 0)
        return '';
    const shown = rows
        .slice(0, MAX_ROWS)
        .map(([what = '', path = '', title = '', detail = '']) => [
        what,
        (0,text_escape/* codeSpan */.SS)(path, 160),
        (0,text_escape/* escapeMarkdown */.FV)(title, 120),
        (0,text_escape/* escapeMarkdown */.FV)(detail, 200),
    ]);
    return (0,run_report/* sections */.V0)([(0,markdown/* table */.tp)(['', 'Page', 'Title', ''], shown), more(rows.length - MAX_ROWS, 'page')]);
}
function wordsText(added, removed) {
    if (added === 0 && removed === 0)
        return 'structure only';
    const parts = [added === 0 ? '' : `${added} more`, removed === 0 ? '' : `${removed} fewer`];
    return `words: ${parts.filter((part) => part !== '').join(', ')}`;
}
function lost({ lost: addresses }) {
    const open = addresses.filter(({ redirect }) => redirect === undefined);
    if (open.length === 0)
        return '';
    const rows = open
        .slice(0, MAX_LOST)
        .map(({ path, movedTo, links, linkedFrom }) => [
        (0,text_escape/* codeSpan */.SS)(path, 160),
        movedTo === undefined ? 'removed' : `moved to ${(0,text_escape/* codeSpan */.SS)(movedTo, 160)}`,
        linksText(links, linkedFrom),
    ]);
    return (0,run_report/* sections */.V0)([
        `**${(0,markdown/* countOf */.pq)(open.length, 'address', 'addresses')} lost**: there was a page, there is none now, and no redirect.`,
        (0,markdown/* table */.tp)(['Address', 'What became of the page', 'Pages that still link there'], rows),
        more(open.length - MAX_LOST, 'address', 'addresses'),
    ]);
}
function linksText(links, linkedFrom) {
    if (links === 0)
        return 'none';
    const shown = linkedFrom.slice(0, SHOWN_LINKS).map((path) => (0,text_escape/* codeSpan */.SS)(path, 100));
    const rest = links - shown.length;
    return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
function more(count, one, several) {
    return count > 0 ? `And ${(0,markdown/* countOf */.pq)(count, one, several)} more: see the file at \`changes-path\`.` : '';
}
/** A Mermaid chart; a section's name comes from addresses, so that only letters, digits and a few signs of it are shown. */
function chart(all) {
    const bars = all.map((section) => ({ section: section.section, changes: sumOf(section) }));
    const shown = bars.filter(({ changes }) => changes > 0).slice(0, MAX_BARS);
    if (shown.length < 2)
        return '';
    const labels = shown.map(({ section }) => `"${(0,text_escape/* cut */.Jj)(section.replace(/[^\p{L}\p{N}/._-]/gu, '_'), { chars: 24 })}"`);
    return [
        '```mermaid',
        'xychart-beta',
        '  title "Changed pages by section"',
        `  x-axis [${labels.join(', ')}]`,
        '  y-axis "pages"',
        `  bar [${shown.map(({ changes }) => changes).join(', ')}]`,
        '```',
    ].join('\n');
}
function sumOf({ added, removed, moved, changed }) {
    return added + removed + moved + changed;
}

;// CONCATENATED MODULE: ./build/src/publish/changes/record-changes.js





/** Writes what changed to two files below RUNNER_TEMP, as JSON and as a page, and says it in the log. Throws `io`. */
async function recordChanges(comparison, inputs, deps) {
    const { run, log, clock, record } = deps;
    const { from, added, removed, moved, changed, lost } = comparison;
    const { renderChangesPage } = await __webpack_require__.e(/* import() */ 3291).then(__webpack_require__.bind(__webpack_require__, 3291));
    const page = renderChangesPage({
        changes: comparison,
        site: inputs.domain ?? inputs.projectId,
        siteUrl: inputs.live?.url,
        comparedAt: new Date(clock.now()),
    });
    const json = `${JSON.stringify(comparison, undefined, 2)}\n`;
    const files = {
        changesPath: ['changes.json', log.redact(json)],
        changesPage: ['changes.html', log.redact(page)],
    };
    const paths = writeFiles(files, run.temp);
    record({ comparison, ...paths, changes: countChanges(comparison) });
    const counts = `${(0,markdown/* countOf */.pq)(added.length, 'page')} added, ${changed.length} changed, ${moved.length} moved, ${removed.length} removed`;
    const lostCount = lost.filter(({ redirect }) => redirect === undefined).length;
    const alsoLost = lostCount === 0 ? '' : `, ${(0,markdown/* countOf */.pq)(lostCount, 'address', 'addresses')} lost without a redirect`;
    log.info(`Compared with export job ${from.jobId}: ${counts}${alsoLost}. All of it is in ${paths.changesPath}, and as a page for a browser in ${paths.changesPage}.`);
}
function writeFiles({ changesPath: json, changesPage: page }, folder) {
    try {
        const own = (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)(folder, 'docs-courier-changes-'));
        const write = ([name, text]) => {
            const path = (0,external_node_path_.join)(own, name);
            (0,external_node_fs_.writeFileSync)(path, text);
            return path;
        };
        return { changesPath: write(json), changesPage: write(page) };
    }
    catch (cause) {
        throw new errors/* CourierError */.Yw({
            code: 'io',
            message: `The changes could not be written below ${folder}.`,
            hint: 'Free some space on the disk of the runner.',
            cause,
        });
    }
}

// EXTERNAL MODULE: ./build/src/publish/destinations-text.js
var destinations_text = __webpack_require__(2134);
// EXTERNAL MODULE: ./build/src/http/service.js
var service = __webpack_require__(4541);
// EXTERNAL MODULE: ./build/src/platform/follow.js
var follow = __webpack_require__(9916);
;// CONCATENATED MODULE: ./build/src/publish/progress.js

const QUIET_MS = 60_000;
/** Pages as a count, where the platform's untyped value is one. */
function readPages(raw) {
    const value = typeof raw === 'string' && /^\d{1,9}$/.test(raw.trim()) ? Number(raw) : raw;
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
function percentOf(point) {
    return point.fraction === undefined ? undefined : Math.floor(point.fraction * 100);
}
/** True when a person would want a line: something changed, or the last line is a minute old. */
function isWorthALine(point, shown) {
    if (shown === undefined || point.elapsedMs - shown.elapsedMs >= QUIET_MS)
        return true;
    return point.status !== shown.status || percentOf(point) !== percentOf(shown) || point.pages !== shown.pages;
}
/** `running: 40 %, 128 pages, 1 min 5 s elapsed, about 1 min 30 s left`. `status` must be inert already. */
function progressLine(point) {
    const percent = percentOf(point);
    const parts = [
        percent === undefined ? undefined : `${percent} %`,
        point.pages === undefined ? undefined : (0,markdown/* countOf */.pq)(point.pages, 'page'),
        `${(0,markdown/* formatDuration */.a3)(point.elapsedMs)} elapsed`,
        point.restMs === undefined || point.restMs < 1000 ? undefined : `about ${(0,markdown/* formatDuration */.a3)(point.restMs)} left`,
    ];
    return `${point.status}: ${parts.filter((part) => part !== undefined).join(', ')}`;
}
/** At most `count` of the points, evenly taken, the first and the last among them. */
function thin(points, count) {
    if (points.length <= count)
        return points;
    const step = (points.length - 1) / (count - 1);
    return Array.from({ length: count }, (_, index) => points[Math.round(index * step)]).filter((point) => point !== undefined);
}
const CHART_POINTS = 20;
/** Progress over time as a Mermaid chart; undefined where the job reported too little of it to draw a line. */
function progressChart(points) {
    const known = points.flatMap(({ elapsedMs, fraction }) => fraction === undefined ? [] : [{ elapsedMs, percent: fraction * 100 }]);
    const last = known.at(-1);
    if (known.length < 3 || last === undefined)
        return undefined;
    const [unit, unitMs] = last.elapsedMs > 180_000 ? ['min', 60_000] : ['s', 1000];
    // The chart spaces its values evenly, polls do not come evenly: take the line between two polls at even times.
    const values = Array.from({ length: CHART_POINTS + 1 }, (_, index) => percentAt(known, (last.elapsedMs * index) / CHART_POINTS));
    return [
        '```mermaid',
        'xychart-beta',
        '  title "Progress of the export job"',
        `  x-axis "${unit}" 0 --> ${Math.max(1, Math.round(last.elapsedMs / unitMs))}`,
        '  y-axis "%" 0 --> 100',
        `  line [${values.join(', ')}]`,
        '```',
    ].join('\n');
}
function percentAt(known, atMs) {
    const before = known.findLast(({ elapsedMs }) => elapsedMs <= atMs) ?? { elapsedMs: 0, percent: 0 };
    const after = known.find(({ elapsedMs }) => elapsedMs > atMs);
    if (after === undefined)
        return Math.round(before.percent);
    const share = (atMs - before.elapsedMs) / (after.elapsedMs - before.elapsedMs);
    return Math.round(before.percent + share * (after.percent - before.percent));
}

;// CONCATENATED MODULE: ./build/src/publish/follow-export.js






const REPORTED_POINTS = 100;
/** Follows the job in a group of the log. Throws `job-failed` when the platform says so. */
async function followExport({ deps, api, jobId, timeoutMs, fresh }) {
    const { clock, log, signal } = deps;
    const points = [];
    const result = await log.group(`Following export job ${jobId}`, () => (0,follow/* follow */.e6)({
        poll: (timeLimitMs) => api.poll(jobId, timeLimitMs),
        view: export_api/* viewOfExport */.Po,
        timeoutMs,
        fresh,
        clock,
        log,
        signal,
        onPoll: (job, seen) => recordPoll({ job, seen, points, deps }),
    }));
    deps.record({ jobElapsedMs: Math.round(result.elapsedMs) });
    if (result.kind === 'timed-out')
        return { kind: 'timed-out' };
    if (result.job.status === 'failed')
        throw jobFailed(jobId, result.job, log);
    return { kind: 'completed', pageCount: readPages(result.job.pageCount) };
}
function lastPages(points) {
    return points.findLast(({ pages }) => pages !== undefined)?.pages;
}
function recordPoll({ job, seen, points, deps }) {
    const elapsedMs = seen.at(-1)?.atMs ?? 0;
    const endMs = (0,follow/* predictEndMs */.nS)(seen);
    const point = {
        elapsedMs: Math.round(elapsedMs),
        // Redacted before it is cut: the rest of a secret that is cut through has no form to be found by.
        status: (0,text_escape/* plainLine */.h0)(deps.log.redact(job.status), 40),
        fraction: (0,follow/* readFractions */.W4)(seen).at(-1),
        pages: readPages(job.pageCount),
        restMs: endMs === undefined || endMs <= elapsedMs ? undefined : Math.round(endMs - elapsedMs),
    };
    const reported = points.at(-1);
    if (!isWorthALine(point, reported))
        return;
    points.push(point);
    const line = progressLine(point);
    if (deps.log.progress === undefined)
        deps.log.info(line);
    else
        deps.log.progress(line, point.fraction);
    deps.record({ pageCount: lastPages(points), progress: thin(points, REPORTED_POINTS) });
}
function jobFailed(jobId, job, log) {
    const text = typeof job.error === 'string'
        ? `: ${(0,service/* foreignText */.qk)(job.error, (text) => log.redact(text))}`
        : '. The platform gave no reason.';
    return new errors/* CourierError */.Yw({
        code: 'job-failed',
        message: `Export job ${jobId} failed${text}`,
        hint: "Open the job on the platform's dashboard. A new run starts a new export.",
    });
}

;// CONCATENATED MODULE: ./build/src/publish/guard/guard.js



const SHOWN = 5;
/** The verdict on an export, before anything that is live changes. A check that cannot be made has failed. */
function judge(inputs, ground) {
    return [
        checkMinPages(inputs, ground),
        checkPageDrop(inputs, ground),
        checkRequired(inputs, ground),
        checkLost(inputs, ground),
        checkSize(inputs, ground),
    ].filter((check) => check !== undefined);
}
function checkMinPages({ minPages }, { pages, isPreview }) {
    const name = 'min-pages';
    if (pages === undefined && isPreview)
        return later(name);
    if (pages === undefined)
        return { name, outcome: 'not-checked', detail: 'The platform gives no number of pages' };
    const detail = `The export has ${(0,markdown/* countOf */.pq)(pages, 'page')}, and min-pages is ${minPages}`;
    return { name, outcome: pages < minPages ? 'failed' : 'passed', detail };
}
function checkPageDrop({ maxPageDrop }, ground) {
    if (maxPageDrop === undefined)
        return undefined;
    const name = 'max-page-drop';
    const { earlierPages, unknownBecause, isPreview } = ground;
    const { comparison } = ground.bundle ?? {};
    if (comparison === undefined && earlierPages === 'none') {
        return { name, outcome: 'passed', detail: `There is no earlier export. ${unknownBecause ?? ''}`.trim() };
    }
    const before = comparison?.from.pages ?? earlierPages;
    const now = comparison?.to.pages ?? ground.pages;
    if (typeof before !== 'number' || now === undefined) {
        if (isPreview && unknownBecause === undefined)
            return later(name);
        const why = now === undefined ? 'The platform gives no number of pages' : unknownBecause;
        return cannot(name, why ?? 'The number of pages of the live export is not known');
    }
    const fewer = Math.max(0, before - now);
    const percent = before === 0 ? 0 : (fewer / before) * 100;
    const limit = maxPageDrop.unit === '%' ? `${maxPageDrop.most}%` : (0,markdown/* countOf */.pq)(maxPageDrop.most, 'page');
    const drop = fewer === 0 ? 'no fewer' : `${fewer} fewer (${percent.toFixed(1)}%)`;
    const detail = `The export has ${(0,markdown/* countOf */.pq)(now, 'page')}, ${drop} than the ${before} of the earlier one, and max-page-drop is ${limit}`;
    const isTooMuch = (maxPageDrop.unit === '%' ? percent : fewer) > maxPageDrop.most;
    return { name, outcome: isTooMuch ? 'failed' : 'passed', detail };
}
function checkRequired({ requiredPages }, { missing }) {
    if (requiredPages === undefined)
        return undefined;
    const name = 'required-pages';
    if (missing === undefined)
        return { name, outcome: 'not-checked', detail: 'Known when the bundle is there' };
    const { of, pages } = missing;
    if (pages.length === 0)
        return { name, outcome: 'passed', detail: `All ${of} of required-pages are there` };
    return {
        name,
        outcome: 'failed',
        detail: `${pages.length} of ${of} in required-pages ${pages.length === 1 ? 'is' : 'are'} missing`,
        pages: first(pages),
    };
}
function checkLost({ forbidLostAddresses }, ground) {
    if (forbidLostAddresses === 'off')
        return undefined;
    const name = 'forbid-lost-addresses';
    const { bundle, earlierPages, unknownBecause } = ground;
    if (bundle === undefined)
        return { name, outcome: 'not-checked', detail: 'Known when the bundle is there' };
    const { comparison } = bundle;
    if (comparison === undefined) {
        if (earlierPages === 'none')
            return { name, outcome: 'passed', detail: 'There is no earlier export' };
        const failed = cannot(name, unknownBecause ?? 'The earlier export could not be compared with');
        return forbidLostAddresses === 'fail' ? failed : { ...failed, outcome: 'warning' };
    }
    const lost = uncovered(comparison);
    if (lost.length === 0)
        return { name, outcome: 'passed', detail: 'No address is lost without a redirect' };
    return {
        name,
        outcome: forbidLostAddresses === 'fail' ? 'failed' : 'warning',
        detail: `${(0,markdown/* countOf */.pq)(lost.length, 'address has', 'addresses have')} no page any more and no redirect`,
        pages: first(lost),
    };
}
function checkSize({ maxSizeBytes }, { bundle }) {
    if (maxSizeBytes === undefined)
        return undefined;
    const name = 'max-size';
    if (bundle === undefined)
        return { name, outcome: 'not-checked', detail: 'Known when the bundle is there' };
    const { bytes } = bundle.site;
    const detail = `The files of the export have ${(0,markdown/* formatBytes */.z3)(bytes)}, and max-size is ${(0,markdown/* formatBytes */.z3)(maxSizeBytes)}`;
    return { name, outcome: bytes > maxSizeBytes ? 'failed' : 'passed', detail };
}
/** Addresses that had a page and lead nowhere. */
function uncovered({ lost }) {
    return lost.filter(({ redirect }) => redirect === undefined).map(({ path }) => path);
}
/** Where the run itself will know. */
function later(name) {
    return { name, outcome: 'not-checked', detail: 'Known when the export has finished' };
}
function cannot(name, why) {
    return { name, outcome: 'failed', detail: `${name} could not be checked: ${why.replace(/\.$/, '')}` };
}
function first(paths) {
    const shown = paths.slice(0, SHOWN).map((path) => (0,text_escape/* plainLine */.h0)(path, 120));
    return `${shown.join(', ')}${paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : ''}`;
}
/** The numbers and the pages of a check, in one line. */
function checkText({ detail, pages }) {
    return pages === undefined ? detail : `${detail}: ${pages}`;
}
/** The error of an export that is held back; undefined where nothing failed. */
function heldBack(checks) {
    const failed = checks.filter(({ outcome }) => outcome === 'failed');
    const [only] = failed;
    if (only === undefined)
        return undefined;
    const pages = failed.flatMap(({ name, pages }) => (pages === undefined ? [] : [`- ${name}: ${pages}`]));
    const numbers = failed.map(({ detail }) => detail).join('; ');
    return new errors/* CourierError */.Yw({
        code: 'checks-failed',
        message: [`${numbers}: archive, folder and secret were left as they are.`, ...pages].join('\n'),
        hint: hintFor(failed.length === 1 ? only : undefined),
    });
}
function hintFor(only) {
    const pages = only?.name === 'min-pages' ? /has ([\d,]+) page/.exec(only.detail)?.[1] : undefined;
    const text = 'Check on the platform what was published.';
    if (pages !== undefined) {
        return { text: `${text} If so few pages are right, say so:`, inputs: { 'min-pages': pages.replaceAll(',', '') } };
    }
    return {
        text: `${text} If the export is right as it is, start a run by hand that publishes it all the same:`,
        inputs: { force: 'true' },
    };
}
/** A person decides to publish what the checks hold back, and does so for one run. */
function assertMayForce({ force }, { cause, eventName }) {
    if (!force || cause === 'manual')
        return;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `force is for a run that a person starts, and this one runs on ${eventName === undefined ? 'another cause' : (0,text_escape/* plainLine */.h0)(eventName, 60)}. Nothing was started.`,
        hint: 'Remove force here. Start the workflow by hand (workflow_dispatch) with force: true when an export is to pass its checks.',
    });
}

;// CONCATENATED MODULE: ./build/src/publish/guard/gate.js



/** What an export has to pass before it is published. */
class Gate {
    /** A check failed, and the export passed all the same. */
    wasForced = false;
    #init;
    #required;
    /** Reads the list of pages now, so that a wrong one fails before anything starts. Throws `config`. */
    static async open(init) {
        const { requiredPages } = init.inputs;
        if (requiredPages === undefined)
            return new Gate(init, undefined);
        const { RequiredPages: Required } = await Promise.all(/* import() */[__webpack_require__.e(4006), __webpack_require__.e(5687)]).then(__webpack_require__.bind(__webpack_require__, 5687));
        return new Gate(init, await Required.read(requiredPages, init.deps.run));
    }
    constructor(init, required) {
        this.#init = init;
        this.#required = required;
    }
    /** `pageCount`: as the platform reported it. Throws `checks-failed` where the export is not to be published. */
    async pass(pageCount, bundle) {
        const { inputs, deps } = this.#init;
        const checks = judge(inputs, await this.#ground(pageCount, bundle));
        const error = heldBack(checks);
        for (const check of checks.filter(({ outcome }) => outcome === 'warning')) {
            deps.log.warning(`${checkText(check)}.`, { title: `Docs Courier: ${check.name}` });
        }
        deps.record({ guard: { verdict: error === undefined ? 'passed' : inputs.force ? 'forced' : 'failed', checks } });
        if (error === undefined)
            return;
        // A link that is handed on by a later step would publish what is held back.
        if (!inputs.force)
            deps.record({ bundleUrl: undefined, expiresAt: undefined });
        if (!inputs.force)
            throw error;
        this.wasForced = true;
        deps.log.warning(`Published although checks failed, since force is true. ${checks
            .filter(({ outcome }) => outcome === 'failed')
            .map((check) => `${checkText(check)}.`)
            .join(' ')}`);
    }
    /** The verdict of a dry run, as far as it can be known without the bundle. */
    async preview(pageCount) {
        const { inputs, deps } = this.#init;
        const checks = judge(inputs, { ...(await this.#ground(pageCount, undefined)), isPreview: true });
        const verdict = heldBack(checks) === undefined ? 'passed' : inputs.force ? 'forced' : 'failed';
        deps.record({ guard: { verdict, checks } });
    }
    async #ground(pageCount, bundle) {
        const { earlier, inputs } = this.#init;
        const asks = inputs.maxPageDrop !== undefined || inputs.forbidLostAddresses !== 'off';
        const needsCount = asks && bundle?.comparison === undefined;
        return {
            pages: bundle?.facts.pages ?? pageCount,
            earlierPages: needsCount ? await this.#earlierPages() : undefined,
            unknownBecause: earlier.none,
            bundle,
            missing: bundle && (await this.#required?.missingIn(bundle.site)),
        };
    }
    /** As the state says, else as the platform counted that job. */
    async #earlierPages() {
        const { earlier, api } = this.#init;
        if (earlier.with?.kind === 'files')
            return earlier.with.site.pages.size;
        if (earlier.isUnknown)
            return undefined;
        if (earlier.live === undefined)
            return 'none';
        if (earlier.live.pages !== undefined)
            return earlier.live.pages;
        try {
            const { value } = await api.poll(earlier.live.jobId);
            return readPages(value.pageCount);
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'cancelled') || !(error instanceof errors/* CourierError */.Yw))
                throw error;
            return undefined;
        }
    }
}

// EXTERNAL MODULE: ./build/src/clock.js
var clock = __webpack_require__(8179);
// EXTERNAL MODULE: ./build/src/http/http.js
var http = __webpack_require__(9588);
;// CONCATENATED MODULE: ./build/src/publish/job.js




const START = { kind: 'start', origin: 'started' };
/** The job of the input, else the one that an earlier attempt of this run has started, else a new one. */
async function chooseJob({ inputs, deps, api, delivery }) {
    if (inputs.exportJobId !== undefined)
        return { kind: 'attach', jobId: inputs.exportJobId, origin: 'attached' };
    const resume = delivery?.resume();
    if (resume === undefined || resume.kind === 'start') {
        if (resume?.warning !== undefined)
            deps.log.warning(resume.warning);
        return START;
    }
    return (await isUsable(resume.jobId, api, deps)) ? { ...resume, origin: 'resumed' } : START;
}
// An earlier attempt's job is worth attaching to unless it failed or no longer exists; then a new one is what the user wants.
async function isUsable(jobId, api, { log }) {
    try {
        const { value } = await api.poll(jobId);
        if (value.status !== 'failed') {
            log.info(`An earlier attempt of this run followed export job ${jobId}: attaching to it. A new export needs a new run.`);
            return true;
        }
        log.info(`Export job ${jobId} of an earlier attempt failed; starting a new one.`);
        return false;
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw))
            throw error;
        if (error.code === 'not-found') {
            log.info(`Export job ${jobId} of an earlier attempt no longer exists; starting a new one.`);
            return false;
        }
        if (error.code === 'network' || error.code === 'rate-limited' || error.code === 'protocol')
            return true;
        throw error;
    }
}
// A cancelled run ends 4.5 s later at the latest; the report is written in what is left.
const LAST_WRITE_MS = 4300;
/**
 * Starts an export; the state next to the link says so before, and names the job right after. The id goes to the log first,
 * then into the state, then to the outputs: whichever of them fails, the others have it.
 */
async function startJob(choice) {
    const { deps, api, delivery } = choice;
    const lastWrite = (0,http/* delayedAbort */.H)(deps.signal, LAST_WRITE_MS);
    await delivery?.markStarting();
    deps.log.info(`Starting an export of ${api.subject}: ${api.requests.start()}.`);
    const started = await start(choice);
    deps.log.info(`Started export job ${started.jobId}. To attach another run to it, give export-job-id: ${started.jobId}`);
    try {
        await delivery?.markStarted(started.jobId, { cancelled: deps.signal, lastWrite });
    }
    finally {
        deps.record({ jobId: started.jobId, origin: 'started' });
    }
    if (deps.signal.aborted)
        throw (0,clock/* cancelled */.K)(deps.signal.reason);
    return started;
}
async function start({ inputs, deps, api, delivery }) {
    const stored = delivery?.state?.run;
    const runningJobId = stored?.state === 'started' ? stored.jobId : undefined;
    try {
        return await (0,export_api/* startWhenFree */.l)({ ...deps, api, runningJobId, timeoutMs: inputs.timeoutMs });
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw))
            throw error;
        if (error.mayHaveStarted)
            throw mayHaveStarted(api.subject, error);
        await delivery?.unmarkStarting();
        throw error;
    }
}
function mayHaveStarted(subject, error) {
    // A portal's page in place of a reply: then nothing has started, and only base-url is wrong.
    const first = error.code === 'protocol' && error.hint !== undefined ? `${(0,errors/* hintText */.dx)(error.hint)} Otherwise look` : 'Look';
    return error.with({
        message: `${error.message} The export of ${subject} may have started; it was not requested again.`,
        hint: {
            text: `${first} for a running export of ${subject} on the platform's dashboard. Attach to it, which starts no second export:`,
            inputs: { 'export-job-id': 'the id shown there' },
        },
    });
}

// EXTERNAL MODULE: ./build/src/publish/open-deployment.js
var open_deployment = __webpack_require__(33);
// EXTERNAL MODULE: ./build/src/publish/receive-bundle.js
var receive_bundle = __webpack_require__(7225);
// EXTERNAL MODULE: ./build/src/publish/unknown-job.js
var unknown_job = __webpack_require__(8129);
;// CONCATENATED MODULE: ./build/src/publish/export.js

















// A GitHub App's installation token expires after an hour, which a long export may take.
const APP_TOKEN_SAFE_MS = 50 * 60_000;
/**
 * Exports a site: finds or starts the job, follows it, makes a link, and hands it over as an output, a file, a folder and a
 * secret. Everything that can be checked is checked before a job is started.
 */
async function runExport(inputs, deps) {
    const { baseUrl, domain, deploymentType } = inputs;
    deps.record({ baseUrl, domain, deploymentType, secretName: (0,destinations_text/* destinationsText */.F)(inputs.to) });
    warnOfShortToken(inputs, deps);
    assertMayForce(inputs, deps.run);
    await (0,receive_bundle/* checkReceipt */.HF)(inputs, deps);
    const delivery = await openDestinations(inputs, deps);
    deps.record({ storedLinkExpiresAt: delivery?.state?.expiresAt, exports: delivery?.exports });
    const after = await (0,after_after/* openAfterDelivery */.J)(inputs, deps);
    const api = openApi(inputs, deps);
    const earlier = await findEarlier({ inputs, deps, api, delivery });
    const gate = await Gate.open({ inputs, deps, api, earlier });
    const choice = await chooseJob({ inputs, deps, api, delivery });
    const deployment = await (0,open_deployment/* openDeployment */.Q)(inputs, deps, delivery);
    if (inputs.dryRun)
        return plan({ inputs, api, choice, delivery, earlier, after, gate, deployment });
    const run = () => exportSite({ inputs, deps, api, delivery, earlier, gate, choice, after });
    const jobId = choice.kind === 'attach' ? choice.jobId : undefined;
    const about = { what: `Export of ${api.subject}`, commit: deps.github.run.sha, jobId };
    return deployment === undefined ? run() : deployment.around(about, run);
}
/** From the start of the job to the last step after its delivery. */
async function exportSite(exporting) {
    const { inputs, deps, api, delivery, choice, after } = exporting;
    const { jobId, waitedMs } = choice.kind === 'start' ? await startJob({ inputs, deps, api, delivery }) : { jobId: choice.jobId, waitedMs: 0 };
    deps.record({ jobId, origin: choice.origin });
    if (choice.kind === 'attach') {
        deps.log.info(`Export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`);
    }
    const timeoutMs = Math.max(0, inputs.timeoutMs - waitedMs);
    const end = await followExport({ deps, api, jobId, timeoutMs, fresh: choice.kind === 'start' }).catch((error) => {
        throw choice.origin === 'attached' ? (0,unknown_job/* explainUnknownJob */.j)(error, jobId, api.source) : error;
    });
    if (end.kind === 'timed-out')
        return detach(inputs, jobId);
    await handOver({ ...exporting, jobId, pageCount: end.pageCount });
    await after.run({ jobId, api, delivery });
    return { status: 'completed' };
}
/** Stores and their state are loaded only where there is a destination for the link. */
async function openDestinations({ to, ...inputs }, deps) {
    if (to === undefined)
        return undefined;
    const { openDestinations } = await __webpack_require__.e(/* import() */ 8166).then(__webpack_require__.bind(__webpack_require__, 8166));
    return openDestinations({ ...inputs, to, needsState: false }, deps);
}
function openApi(inputs, { platform }) {
    const { domain, projectId, exportVersion: version, exportPaths: paths, basePath } = inputs;
    return (0,export_api/* openExport */.V1)({
        platform,
        source: { domain, projectId },
        selection: { version, paths },
        basePath: basePath === '/' ? '' : basePath,
    });
}
/** A finished job's link: made, used for the download, and last of all stored. */
async function handOver(handing) {
    const { inputs, deps, api, delivery, earlier, gate, choice, jobId, pageCount, after } = handing;
    const { baseUrl, domain, deploymentType, basePath } = inputs;
    const isNeeded = (0,receive_bundle/* isReceived */.iL)(inputs.bundle) || after.readsSite || needsBundle(inputs, earlier);
    if (!isNeeded)
        await gate.pass(pageCount, undefined);
    const links = (0,platform_link/* createLinkMaker */.jK)({ ...deps, api, jobId, baseUrl });
    let link = await links.fresh();
    deps.record({ bundleUrl: link.url, expiresAt: link.expiresAt?.toISOString(), bundleBytes: link.sizeBytes });
    const origin = { domain, jobId, pageCount, deploymentType, basePath: basePath === '/' ? '' : basePath };
    const guard = async (inspected) => {
        await gate.pass(pageCount, inspected);
        await after.readSite(inspected, origin.basePath);
    };
    const onComparison = (comparison) => recordChanges(comparison, inputs, deps);
    const checks = { guard, readsPages: after.readsSite, earlier: earlier.with, onComparison };
    const received = isNeeded ? await (0,receive_bundle/* receive */.uZ)({ inputs, deps, links, link, origin, ...checks }) : undefined;
    if (received !== undefined && earlier.with !== undefined && received.comparison === undefined) {
        deps.record({ notCompared: 'The bundle of the live export could not be had again; the log says why.' });
    }
    if (received !== undefined) {
        link = received.link;
        deps.record({
            bundle: received.facts,
            pageCount: pageCount ?? received.facts.pages,
            bundleUrl: link.url,
            expiresAt: link.expiresAt?.toISOString(),
            bundleBytes: received.facts.bytes,
        });
    }
    const pages = received?.facts.pages ?? pageCount;
    const details = { pages, manifest: received?.facts.manifestSha256, forced: gate.wasForced || undefined };
    const secret = await delivery?.deliver({ jobId, link, details, ...rankOf(choice, delivery) });
    deps.record({ secret });
}
/** Some checks look into the bundle: it is then downloaded also where it has no destination to go to. */
function needsBundle({ requiredPages, maxSizeBytes }, earlier) {
    return earlier.with !== undefined || requiredPages !== undefined || maxSizeBytes !== undefined;
}
/** What decides whether the link may replace that of another job. */
function rankOf(choice, delivery) {
    if (choice.origin === 'resumed')
        return { requestedAtMs: choice.requestedAtMs, isExplicit: false };
    return { requestedAtMs: delivery.requestNow(), isExplicit: choice.origin === 'attached' };
}
function detach({ onTimeout, timeoutMs }, jobId) {
    if (onTimeout === 'detach') {
        return { status: 'detached', reason: `The export is still running; attach to it with export-job-id: ${jobId}` };
    }
    throw new errors/* CourierError */.Yw({
        code: 'timed-out',
        message: `Export job ${jobId} did not finish within ${(0,markdown/* writeDuration */.MP)(timeoutMs)}.`,
        hint: {
            text: 'The export is still running. Attach a later run to it, which starts no second export:',
            inputs: { 'export-job-id': jobId },
        },
    });
}
function warnOfShortToken({ to, timeoutMs }, { log }) {
    if (to?.credentials.secretToken?.startsWith('ghs_') && timeoutMs > APP_TOKEN_SAFE_MS) {
        log.warning(`secret-token is a GitHub App token, which expires after an hour; with a timeout over 50m it may have expired when the secret is written. Use two jobs, the second of which makes its own token: ${(0,run_report/* documentation */.TH)('how-to/two-jobs.md')}`);
    }
}
/** Every read is done, a given job's too, so that a wrong id shows; every write is only listed. */
async function plan({ inputs, api, choice, delivery, earlier, after, gate, deployment }) {
    if (choice.kind === 'attach') {
        const { value } = await api.poll(choice.jobId).catch((error) => {
            throw (0,unknown_job/* explainUnknownJob */.j)(error, choice.jobId, api.source);
        });
        await gate.preview(value.status === 'completed' ? readPages(value.pageCount) : undefined);
    }
    else
        await gate.preview(undefined);
    const target = (request) => request.replace(' ', ` ${inputs.baseUrl}`);
    const id = choice.kind === 'start' ? '{jobId}' : choice.jobId;
    const start = { action: `start an export of ${api.subject}`, target: target(api.requests.start()) };
    const link = { action: 'make a bundle link', target: target(api.requests.link(id)) };
    // Making a link counts as a write, because it gives access.
    const live = earlier.with?.kind === 'job' ? api.requests.link(earlier.with.jobId) : undefined;
    const toCompare = live === undefined ? [] : [{ action: 'make a bundle link, to compare with', target: target(live) }];
    const writes = [
        link,
        ...toCompare,
        ...(0,receive_bundle/* planReceipt */.W1)(inputs.bundle),
        ...(delivery?.plan() ?? []),
        ...after.plan(),
        ...(deployment?.plan() ?? []),
    ];
    return { status: 'completed', planned: choice.kind === 'start' ? [start, ...writes] : writes };
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
;// CONCATENATED MODULE: ./build/src/bundle/compare/changes-output.js

const LISTS = ['removed', 'moved', 'added', 'changed'];
/**
 * The output `changes`: what changed, without excerpts, at most `maxBytes` of JSON. Where that is too little, lists are cut at
 * whole entries, those that hurt most last, and `truncated` is true.
 */
function changesOutput({ from, to, ...comparison }, maxBytes) {
    const whole = {
        version: 1,
        from: { jobId: from.jobId, pages: from.pages },
        to: { jobId: to.jobId, pages: to.pages },
        added: comparison.added,
        removed: comparison.removed,
        moved: comparison.moved.map(({ from: path, to: target }) => ({ from: path, to: target })),
        changed: comparison.changed.map(({ path, title, wordsAdded, wordsRemoved }) => ({
            path,
            title,
            wordsAdded,
            wordsRemoved,
        })),
        unchanged: comparison.unchanged,
        assets: comparison.assets,
    };
    const text = JSON.stringify(whole);
    if (external_node_buffer_.Buffer.byteLength(text) <= maxBytes)
        return text;
    const lists = { added: [], removed: [], moved: [], changed: [] };
    const cut = { ...whole, ...lists, truncated: true };
    let left = maxBytes - external_node_buffer_.Buffer.byteLength(JSON.stringify(cut));
    for (const name of LISTS) {
        for (const entry of whole[name]) {
            left -= external_node_buffer_.Buffer.byteLength(JSON.stringify(entry)) + 1;
            if (left < 0)
                return JSON.stringify(cut);
            lists[name].push(entry);
        }
    }
    return JSON.stringify(cut);
}

// EXTERNAL MODULE: ./build/src/bundle/summary.js
var summary = __webpack_require__(7058);
// EXTERNAL MODULE: ./build/src/ci/port.js
var port = __webpack_require__(3275);
// EXTERNAL MODULE: ./build/src/run/deployment-type.js
var deployment_type = __webpack_require__(2405);
// EXTERNAL MODULE: ./build/src/publish/after/live/summary.js
var live_summary = __webpack_require__(5135);
// EXTERNAL MODULE: ./build/src/publish/after/rollout/facts.js
var facts = __webpack_require__(1457);
// EXTERNAL MODULE: ./build/src/publish/deployment-facts.js
var deployment_facts = __webpack_require__(9976);
;// CONCATENATED MODULE: ./build/src/publish/guard/guard-summary.js



const SIGNS = {
    passed: '✅',
    failed: '❌',
    warning: '⚠️',
    'not-checked': '⏳',
};
const VERDICTS = {
    passed: 'The export passed.',
    failed: '**The export was held back.** What was live is still live.',
    forced: '**Published although checks failed**, since `force` is `true`.',
};
/** What the export had to keep, and whether it did. Only `min-pages`, kept: nothing to show. */
function guardSection(guard, isDryRun) {
    if (guard === undefined)
        return undefined;
    const { verdict, checks } = guard;
    if (checks.length === 1 && verdict === 'passed' && !isDryRun)
        return undefined;
    const rows = checks.map((check) => [
        SIGNS[check.outcome],
        (0,text_escape/* codeSpan */.SS)(check.name),
        (0,text_escape/* escapeMarkdown */.FV)(checkText(check), 800),
    ]);
    const sentence = isDryRun ? plannedVerdict(guard) : VERDICTS[verdict];
    return `### Checks before publishing\n\n${sentence}\n\n${(0,markdown/* table */.tp)(['', 'Check', 'Result'], rows)}`;
}
function plannedVerdict({ verdict, checks }) {
    if (verdict === 'failed')
        return 'This export would be held back.';
    if (verdict === 'forced')
        return 'This export would be published although checks failed, since `force` is `true`.';
    const isOpen = checks.some(({ outcome }) => outcome === 'not-checked');
    return isOpen ? 'Checked when the export has finished, as far as it is not known yet.' : 'This export would pass.';
}
/** For reports of tests. */
function guardChecks(guard) {
    return (guard?.checks ?? [])
        .filter(({ outcome }) => outcome !== 'not-checked')
        .map((check) => ({
        group: 'export',
        name: check.name,
        outcome: check.outcome === 'not-checked' ? 'passed' : check.outcome,
        message: check.outcome === 'passed' ? undefined : checkText(check),
    }));
}

// EXTERNAL MODULE: ./build/src/publish/state/summary.js
var state_summary = __webpack_require__(8415);
;// CONCATENATED MODULE: ./build/src/publish/export-summary.js














const exportPresentation = {
    unreported: ['comparison'],
    outputs: (facts) => ({
        'job-id': facts.jobId,
        'page-count': facts.pageCount?.toString(),
        'bundle-bytes': facts.bundleBytes?.toString(),
        'expires-at': facts.expiresAt,
        'bundle-url': facts.bundleUrl,
        'secret-updated': String(facts.secret?.updated ?? false),
        destinations: facts.secret?.destinations && JSON.stringify(facts.secret.destinations),
        ...(0,summary/* bundleOutputs */.p)(facts.bundle),
        changes: facts.comparison && changesOutput(facts.comparison, port/* MAX_OUTPUT_BYTES */.$),
        'changes-path': facts.changesPath,
        'changes-page': facts.changesPage,
        ...(0,live_summary/* liveOutputs */.$U)(facts.live),
    }),
    checks: ({ guard, live }) => [...guardChecks(guard), ...(0,live_summary/* liveChecks */.ip)(live)],
    summary: (report, nowMs) => (0,run_report/* sections */.V0)([
        report.planned === undefined
            ? (0,run_report/* heading */.R_)(`Export of ${(0,text_escape/* escapeMarkdown */.FV)(report.domain ?? 'a documentation site', 260)}`, report.status)
            : (0,run_report/* dryRunHeading */.h7)('exported'),
        // The next step says it of a run that has detached.
        report.status !== 'detached' && report.reason ? (0,text_escape/* escapeMarkdown */.FV)(report.reason) : undefined,
        (0,run_report/* errorSection */.K6)(report.error),
        export_summary_facts(report, nowMs),
        report.progress && progressChart(report.progress),
        guardSection(report.guard, report.planned !== undefined),
        changesSections(report),
        (0,live_summary/* liveSection */.uN)(report.live),
        (0,summary/* bundleSections */.t)(report.bundle),
        (0,run_report/* plannedSection */._G)(report.planned),
        (0,state_summary/* historySection */.gK)(report.exports),
        nextStep(report),
        (0,deployment_type/* deploymentSection */.x)(report.deploymentType),
    ]),
};
const ORIGINS = {
    started: 'started by this run',
    attached: 'attached to, as `export-job-id` asked',
    resumed: 'resumed: started by an earlier attempt of this run; a new export needs a new run',
};
function export_summary_facts(report, nowMs) {
    const { jobId, origin, jobElapsedMs, expiresAt, bundleBytes, bundleUrl } = report;
    const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
    return (0,markdown/* factList */.lV)([
        ['Site', report.domain && (0,text_escape/* codeSpan */.SS)(report.domain)],
        ['Export job', jobId && `${(0,text_escape/* codeSpan */.SS)(jobId)}${origin === undefined ? '' : ` (${ORIGINS[origin]})`}`],
        ['Pages', pagesText(report)],
        ['Followed for', jobElapsedMs === undefined || jobElapsedMs < 100 ? undefined : (0,markdown/* formatDuration */.a3)(jobElapsedMs)],
        ['Size', bundleBytes === undefined ? undefined : (0,markdown/* formatBytes */.z3)(bundleBytes)],
        ['Link expires', expiryText(expiry, bundleUrl !== undefined, nowMs)],
        [(0,state_summary/* deliveryLabel */.Jw)(report.secret), (0,state_summary/* deliveryText */._P)(report.secret, report.secretName !== undefined)],
        ['Rollout', (0,facts/* rolloutText */.p)(report.rollout)],
        ['Live', (0,live_summary/* liveText */.IH)(report.live)],
        ['Deployment', (0,deployment_facts/* deploymentText */.J)(report.deployment)],
    ]);
}
// Jobs report pages while they run: the last count of one that ended between two polls is from before its end.
function pagesText({ pageCount, progress }) {
    if (pageCount === undefined)
        return undefined;
    const last = progress?.findLast(({ pages }) => pages !== undefined);
    const share = last?.fraction === undefined ? 1 : last.fraction;
    const at = share < 1 ? ` when last reported, at ${Math.floor(share * 100)} %` : '';
    return `${(0,markdown/* countOf */.pq)(pageCount, 'page')}${at}`;
}
function expiryText(expiry, hasLink, nowMs) {
    if (expiry !== undefined)
        return `${(0,markdown/* formatInstant */.r4)(expiry)} (${(0,markdown/* formatRelative */.om)(expiry, nowMs)})`;
    return hasLink ? 'the platform did not say' : undefined;
}
/** One sentence, with the page that says more. */
function nextStep(report) {
    const { status, jobId, secret, live } = report;
    if (report.planned !== undefined) {
        return `**Next**: run again without \`dry-run\`; see [what a dry run does](${(0,run_report/* documentation */.TH)('explanation/dry-run.md')}).`;
    }
    if (status === 'completed' && live?.live === true) {
        return `**Next**: [keep the link fresh](${(0,run_report/* documentation */.TH)('how-to/refresh-on-a-schedule.md')}).`;
    }
    if (status === 'completed' && secret?.updated === true && (0,state_summary/* deliveryLabel */.Jw)(secret) === 'Link') {
        return `**Next**: deploy with the link, and [keep it fresh](${(0,run_report/* documentation */.TH)('how-to/refresh-on-a-schedule.md')}).`;
    }
    if (status === 'completed' && secret?.updated === true) {
        return `**Next**: deploy with \`bundle-url\` in a later step of this job, or in a later run, since a workflow reads the secret when its run is queued (an environment's when the job starts), and [keep the link fresh](${(0,run_report/* documentation */.TH)('how-to/refresh-on-a-schedule.md')}).`;
    }
    if (status === 'completed') {
        return `**Next**: use \`bundle-url\` in a later step of this job, or [keep the link in a secret](${(0,run_report/* documentation */.TH)('how-to/secret-in-an-environment.md')}) for other runs.`;
    }
    // The advice of a timeout says it already; attaching to a job that failed, or that the platform does not know, is of no use.
    const { code } = report.error ?? {};
    if (jobId === undefined || code === 'job-failed' || code === 'timed-out' || code === 'not-found')
        return undefined;
    return `**Next**: [attach to the job](${(0,run_report/* documentation */.TH)('how-to/resume-an-export.md')}) with ${(0,text_escape/* codeSpan */.SS)(`export-job-id: ${jobId}`)}, which starts no second export.`;
}

;// CONCATENATED MODULE: ./build/src/publish/export-mode.js



const exportMode = (0,finish/* defineMode */.L)({ run: runExport, ...exportPresentation });


/***/ }),

/***/ 33:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ openDeployment)
/* harmony export */ });
/** undefined: no `deployment-environment` is given, and nothing is loaded. */
async function openDeployment({ deployment: asked, adminApiKey, live }, deps, delivery) {
    if (asked === undefined)
        return undefined;
    const { DeploymentRecord } = await __webpack_require__.e(/* import() */ 6691).then(__webpack_require__.bind(__webpack_require__, 9072));
    return DeploymentRecord.open({ asked, adminApiKey, deps, delivery, environmentUrl: live?.url });
}


/***/ }),

/***/ 8415:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Jw: () => (/* binding */ deliveryLabel),
/* harmony export */   _P: () => (/* binding */ deliveryText),
/* harmony export */   gK: () => (/* binding */ historySection)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(492);


/** What a list of facts calls it: `Secret` where every destination is one of a repository, an environment or an organization. */
function deliveryLabel(secret) {
    return (secret?.destinations ?? []).every(({ destination }) => /^(github|gitea):/.test(destination))
        ? 'Secret'
        : 'Link';
}
/** Written or not, where, and why not. `isAskedFor`: the step names a destination. */
function deliveryText(secret, isAskedFor) {
    if (secret === undefined)
        return isAskedFor ? 'not written' : 'not asked for';
    const { destinations = [] } = secret;
    if (destinations.length > 1)
        return destinations.map(destinationText).join('; ');
    const where = `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(secret.name)} of ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(secret.target)}`;
    const why = secret.reason === undefined ? '' : `: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(secret.reason)}`;
    const version = destinations[0] === undefined ? '' : versionText(destinations[0]);
    return secret.updated ? `written to ${where}${version}${why}` : `not written to ${where}${why}`;
}
function destinationText(facts) {
    const { destination, written, error } = facts;
    const why = error === undefined ? '' : `: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(error.code)}`;
    return `${written ? 'written to' : 'not written to'} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(destination)}${versionText(facts)}${why}`;
}
function versionText({ version, formerVersion }) {
    if (version === undefined)
        return '';
    const former = formerVersion === undefined ? '' : `; the former link is version ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(formerVersion)}`;
    return ` (version ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(version)}${former})`;
}
/** What is live and what was, newest first; nothing where no destination has a state. */
function historySection(exports = []) {
    if (exports.length === 0)
        return undefined;
    const rows = exports.map(({ job, at, pages, commit, by, ...marks }) => [
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(job),
        markText(marks),
        at === undefined ? '' : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatInstant */ .r4)(new Date(at)),
        pages?.toLocaleString('en-US') ?? '',
        commit === undefined ? '' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(commit.slice(0, 7)),
        by === undefined ? '' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(by, 60),
    ]);
    return `### What is live\n\n${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .table */ .tp)(['Export job', 'State', 'First live', 'Pages', 'Commit', 'By'], rows)}`;
}
function markText({ live, withdrawn, forced }) {
    const state = live
        ? '**live**'
        : withdrawn === undefined
            ? ''
            : `rolled back at ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatInstant */ .r4)(new Date(withdrawn))}`;
    return [state, forced ? 'forced' : ''].filter((text) => text !== '').join(', ');
}


/***/ }),

/***/ 8129:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   j: () => (/* binding */ explainUnknownJob)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);

/**
 * What a 404 about the job of `export-job-id` means: which of the two ids in the inputs is wrong cannot be seen from the
 * reply, so both are named with the destination where to find them.
 */
function explainUnknownJob(error, jobId, { projectId }) {
    if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'not-found'))
        return error;
    return projectId === undefined ? unknownJob(error, jobId) : unknownJobOrProject(error, jobId, projectId);
}
function unknownJob(error, jobId) {
    return error.with({
        message: `The platform does not know the export job "${jobId}" of export-job-id. ${error.message}`,
        hint: {
            text: `Copy the id from the log or the job-id output of the run that started the export. If that run exported by project, give the project too:`,
            inputs: { 'project-id': "the id on the API keys page of the platform's dashboard" },
        },
    });
}
function unknownJobOrProject(error, jobId, projectId) {
    return error.with({
        message: `The platform does not know the export job "${jobId}" of export-job-id in the project "${projectId}" of project-id. ${error.message}`,
        hint: `Copy export-job-id from the log or the job-id output of the run that started the export, and project-id from the API keys page of the platform's dashboard; that run must have exported the same project.`,
    });
}


/***/ }),

/***/ 2405:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   x: () => (/* binding */ deploymentSection)
/* harmony export */ });
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(492);

/** What a deployed site can do, per kind of deployment: the table of the platform's static-export documentation. */
const FEATURES = [
    {
        name: 'Documentation search',
        by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' },
    },
    { name: 'AI assistant', by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' } },
    { name: 'Web analytics', by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' } },
    {
        name: 'API playground ("Try it")',
        by: { cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'configurable' },
    },
    { name: 'Static export bundle', by: { cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'available' } },
];
const MARKS = {
    available: '✅ available',
    configurable: '⚙️ configurable: depends on how the environment is set up',
    unavailable: '❌ unavailable',
};
/** The features that a site has once it is deployed; nothing where the kind of deployment is not known. */
function deploymentSection(type) {
    if (type === undefined)
        return undefined;
    const rows = FEATURES.map(({ name, by }) => [name, MARKS[by[type]]]);
    return `### What the ${type} site can do\n\n${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .table */ .tp)(['Feature', 'Availability'], rows)}`;
}


/***/ })

};
