export const id = 2;
export const ids = [2];
export const modules = {

/***/ 8127:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  p: () => (/* binding */ bundleOutputs),
  t: () => (/* binding */ bundleSections)
});

// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
// EXTERNAL MODULE: ./build/text/markdown.js
var markdown = __webpack_require__(1065);
;// CONCATENATED MODULE: ./build/bundle/verify/summary.js


const SIGNS = { error: '❌', warning: '⚠️', note: 'ℹ️' };
/** The verification as a section of the step summary: counts, and the first findings as a table. */
function verifySection(verification) {
    const { pages, files, references, errors, warnings, notes, first } = verification;
    const looked = `${(0,markdown/* countOf */.pq)(pages, 'page')}, ${(0,markdown/* countOf */.pq)(files, 'file')}, ${(0,markdown/* countOf */.pq)(references, 'reference')}`;
    const found = errors + warnings + notes;
    if (found === 0)
        return `### Verification\n\n✅ ${looked}: no finding. Every link and asset resolves, and nothing loads from another host.`;
    const counts = `${(0,markdown/* countOf */.pq)(errors, 'error')}, ${(0,markdown/* countOf */.pq)(warnings, 'warning')}, ${(0,markdown/* countOf */.pq)(notes, 'note')}`;
    const rest = found > first.length
        ? `\n\nThese are the first ${first.length} of ${found}; the file at \`verify-report\` has all of them.`
        : '';
    return `### Verification\n\n${looked}: ${counts}.\n\n${findingTable(first)}${rest}`;
}
function findingTable(findings) {
    return (0,markdown/* table */.tp)(['', 'Page', 'Finding', 'Address'], findings.map(({ level, page, reason, target }) => [
        SIGNS[level],
        (0,text_escape/* codeSpan */.SS)(page, 120),
        (0,text_escape/* escapeMarkdown */.FV)(reason, 300),
        (0,text_escape/* codeSpan */.SS)(target, 160),
    ]));
}

;// CONCATENATED MODULE: ./build/bundle/summary.js



/** The outputs that tell of a received bundle; all empty when there is none. */
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
    return (0,markdown/* factTable */.Bu)([
        ['Archive', `${facts.format}, ${(0,markdown/* formatBytes */.z3)(facts.bytes)}`],
        ['SHA-256', (0,text_escape/* codeSpan */.SS)(facts.sha256)],
        ['Content', `${(0,markdown/* countOf */.pq)(facts.files, 'file')}, ${(0,markdown/* formatBytes */.z3)(facts.unpackedBytes)}`],
        ['Kept at', path && (0,text_escape/* codeSpan */.SS)(path)],
        ['Manifest', manifestPath && (0,text_escape/* codeSpan */.SS)(manifestPath)],
        ['Checksums', checksumPath && (0,text_escape/* codeSpan */.SS)(checksumPath)],
        ['Unpacked to', sitePath && (0,text_escape/* codeSpan */.SS)(sitePath)],
        ['Interruptions', resumed === 0 ? undefined : `${(0,markdown/* countOf */.pq)(resumed, 'cut')}, taken up again each time`],
    ]);
}


/***/ }),

/***/ 7349:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ deliveryText)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);

/** One cell of the summary: written or not, where, and why not. */
function deliveryText(secret, { hasLink }) {
    if (secret === undefined)
        return hasLink ? 'not written: `secret-name` was not given, or the run ended before' : 'not written';
    const where = `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(secret.name)} of ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(secret.target)}`;
    const why = secret.reason === undefined ? '' : `: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(secret.reason)}`;
    return secret.updated ? `written to ${where}${why}` : `not written to ${where}${why}`;
}


/***/ }),

/***/ 3951:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   aI: () => (/* binding */ isWorthTelling),
/* harmony export */   du: () => (/* binding */ pagesChart),
/* harmony export */   n4: () => (/* binding */ readPages),
/* harmony export */   oz: () => (/* binding */ progressLine),
/* harmony export */   yL: () => (/* binding */ thin)
/* harmony export */ });
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1065);

const QUIET_MS = 60_000;
/** Pages as a count, where the platform's untyped value is one. */
function readPages(raw) {
    const value = typeof raw === 'string' && /^\d{1,9}$/.test(raw.trim()) ? Number(raw) : raw;
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
function percentOf(point) {
    return point.fraction === undefined ? undefined : Math.floor(point.fraction * 100);
}
/** True when a person would want a line: something changed, or a minute passed in silence. */
function isWorthTelling(point, told) {
    if (told === undefined || point.elapsedMs - told.elapsedMs >= QUIET_MS)
        return true;
    return point.status !== told.status || percentOf(point) !== percentOf(told) || point.pages !== told.pages;
}
/** `running: 40 %, 128 pages, 1 min 5 s elapsed, about 1 min 30 s left`. `status` must be inert already. */
function progressLine(point) {
    const percent = percentOf(point);
    const parts = [
        percent === undefined ? undefined : `${percent} %`,
        point.pages === undefined ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .countOf */ .pq)(point.pages, 'page'),
        `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a3)(point.elapsedMs)} elapsed`,
        point.restMs === undefined || point.restMs < 1000 ? undefined : `about ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a3)(point.restMs)} left`,
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
/** Pages over time as a Mermaid chart; undefined where there are too few points to draw a line. */
function pagesChart(points) {
    const known = points.flatMap(({ elapsedMs, pages }) => (pages === undefined ? [] : [{ elapsedMs, pages }]));
    const last = known.at(-1);
    if (known.length < 3 || last === undefined || last.pages === 0)
        return undefined;
    const [unit, unitMs] = last.elapsedMs > 180_000 ? ['min', 60_000] : ['s', 1000];
    // The chart spaces its values evenly, looks at a job do not come evenly: take the line between two looks at even times.
    const values = Array.from({ length: CHART_POINTS + 1 }, (_, index) => pagesAt(known, (last.elapsedMs * index) / CHART_POINTS));
    return [
        '```mermaid',
        'xychart-beta',
        '  title "Pages over time"',
        `  x-axis "${unit}" 0 --> ${Math.max(1, Math.round(last.elapsedMs / unitMs))}`,
        `  y-axis "pages" 0 --> ${Math.max(...values)}`,
        `  line [${values.join(', ')}]`,
        '```',
    ].join('\n');
}
function pagesAt(known, atMs) {
    const before = known.findLast(({ elapsedMs }) => elapsedMs <= atMs) ?? { elapsedMs: 0, pages: 0 };
    const after = known.find(({ elapsedMs }) => elapsedMs > atMs);
    if (after === undefined)
        return before.pages;
    const share = (atMs - before.elapsedMs) / (after.elapsedMs - before.elapsedMs);
    return Math.round(before.pages + share * (after.pages - before.pages));
}


/***/ }),

/***/ 1002:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   exportPresentation: () => (/* binding */ exportPresentation)
/* harmony export */ });
/* harmony import */ var _bundle_summary_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8127);
/* harmony import */ var _delivery_summary_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7349);
/* harmony import */ var _report_deployment_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(304);
/* harmony import */ var _report_planned_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(877);
/* harmony import */ var _report_summary_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4611);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(1065);
/* harmony import */ var _progress_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(3951);








const exportPresentation = {
    outputs: (facts) => ({
        'job-id': facts.jobId,
        'page-count': facts.pageCount?.toString(),
        'bundle-bytes': facts.bundleBytes?.toString(),
        'expires-at': facts.expiresAt,
        'bundle-url': facts.bundleUrl,
        'secret-updated': String(facts.secret?.updated ?? false),
        ...(0,_bundle_summary_js__WEBPACK_IMPORTED_MODULE_0__/* .bundleOutputs */ .p)(facts.bundle),
    }),
    summary: (report, nowMs) => (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_4__/* .sections */ .V0)([
        (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_4__/* .heading */ .R_)(`Export of ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .escapeMarkdown */ .FV)(report.domain ?? 'a documentation site', 260)}`, report.status),
        // The next steps say it of a run that has detached.
        report.status !== 'detached' && report.reason ? (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .escapeMarkdown */ .FV)(report.reason) : undefined,
        (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_4__/* .errorSection */ .K6)(report.error),
        facts(report, nowMs),
        report.progress && (0,_progress_js__WEBPACK_IMPORTED_MODULE_6__/* .pagesChart */ .du)(report.progress),
        (0,_bundle_summary_js__WEBPACK_IMPORTED_MODULE_0__/* .bundleSections */ .t)(report.bundle),
        (0,_report_planned_js__WEBPACK_IMPORTED_MODULE_3__/* .plannedSection */ ._)(report.planned),
        nextSteps(report),
        (0,_report_deployment_js__WEBPACK_IMPORTED_MODULE_2__/* .deploymentSection */ .x)(report.deploymentType),
    ]),
};
const ORIGINS = {
    started: 'started by this run',
    attached: 'attached to, as `export-job-id` asked',
    resumed: 'resumed: started by an earlier attempt of this run; a new export needs a new run',
};
function facts(report, nowMs) {
    const { jobId, origin, jobElapsedMs, expiresAt, bundleBytes, bundleUrl } = report;
    const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_7__/* .factTable */ .Bu)([
        ['Site', report.domain && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeSpan */ .SS)(report.domain)],
        ['Export job', jobId && `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeSpan */ .SS)(jobId)}${origin === undefined ? '' : ` (${ORIGINS[origin]})`}`],
        ['Pages', pagesText(report)],
        ['Followed for', jobElapsedMs === undefined || jobElapsedMs < 100 ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_7__/* .formatDuration */ .a3)(jobElapsedMs)],
        ['Size', bundleBytes === undefined ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_7__/* .formatBytes */ .z3)(bundleBytes)],
        ['Link expires', expiryText({ expiry, hasLink: bundleUrl !== undefined, nowMs })],
        ['Secret', (0,_delivery_summary_js__WEBPACK_IMPORTED_MODULE_1__/* .deliveryText */ ._)(report.secret, { hasLink: bundleUrl !== undefined })],
    ]);
}
// Jobs tell pages while they run: the last word of one that was over between two looks came before its end.
function pagesText({ pageCount, progress }) {
    if (pageCount === undefined)
        return undefined;
    const last = progress?.findLast(({ pages }) => pages !== undefined);
    const share = last?.fraction === undefined ? 1 : last.fraction;
    const at = share < 1 ? ` when last told, at ${Math.floor(share * 100)} %` : '';
    return `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_7__/* .countOf */ .pq)(pageCount, 'page')}${at}`;
}
function expiryText({ expiry, hasLink, nowMs, }) {
    if (expiry !== undefined)
        return `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_7__/* .formatInstant */ .r4)(expiry)} (${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_7__/* .formatRelative */ .om)(expiry, nowMs)})`;
    return hasLink ? 'the platform did not say' : undefined;
}
function attachYaml(jobId) {
    return (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeBlock */ .DV)(`with:\n  export-job-id: ${jobId}`, { language: 'yaml' });
}
function nextSteps(report) {
    const { status, jobId, secret, bundleUrl } = report;
    if (report.planned !== undefined)
        return '**Next**: run again without `dry-run`.';
    if (status === 'completed' && secret?.updated === true) {
        return [
            "**Next**: a workflow reads the secret when its run is queued (an environment's when the job starts), so deploy in a later run, or in this job with `bundle-url`; a deployment does not notice a new value by itself.",
            'Schedule `mode: refresh` so that the link never goes stale.',
        ].join(' ');
    }
    if (status === 'completed') {
        return '**Next**: use `steps.<id>.outputs.bundle-url` in a later step of this job, by environment; to keep the link for other runs, give `secret-name` and `secret-token`.';
    }
    // The advice of a timeout says it already; a failed job is no use to attach to.
    if (jobId === undefined || report.error?.code === 'job-failed' || report.error?.code === 'timed-out')
        return undefined;
    const why = bundleUrl === undefined ? 'The export itself goes on or is done' : 'The export is done';
    return `**Next**: ${why}. Attach to it, which starts no second export:\n\n${attachYaml(jobId)}`;
}


/***/ }),

/***/ 304:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   x: () => (/* binding */ deploymentSection)
/* harmony export */ });
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1065);

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


/***/ }),

/***/ 877:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ plannedSection)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1065);


/** What a dry run would have written. */
function plannedSection(planned) {
    if (planned === undefined)
        return undefined;
    if (planned.length === 0)
        return '### Dry run\n\nNothing would be written.';
    const rows = planned.map(({ action, target }) => [(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(action), (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(target)]);
    return `### Dry run: nothing was written\n\n${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .table */ .tp)(['What would happen', 'Where'], rows)}`;
}


/***/ })

};
