export const id = 767;
export const ids = [767];
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

/***/ 2767:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   refreshPresentation: () => (/* binding */ refreshPresentation)
/* harmony export */ });
/* harmony import */ var _bundle_summary_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8127);
/* harmony import */ var _delivery_summary_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7349);
/* harmony import */ var _report_deployment_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(304);
/* harmony import */ var _report_planned_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(877);
/* harmony import */ var _report_summary_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4611);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1065);







const refreshPresentation = {
    outputs: (facts) => ({
        'job-id': facts.jobId,
        'bundle-bytes': facts.bundleBytes?.toString(),
        'expires-at': facts.expiresAt,
        'bundle-url': facts.bundleUrl,
        changed: String(facts.changed ?? false),
        'secret-updated': String(facts.secret?.updated ?? false),
        ...(0,_bundle_summary_js__WEBPACK_IMPORTED_MODULE_0__/* .bundleOutputs */ .p)(facts.bundle),
    }),
    summary: (report, nowMs) => (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_4__/* .sections */ .V0)([
        (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_4__/* .heading */ .R_)(`Refresh of ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .escapeMarkdown */ .FV)(report.domain ?? 'a bundle link', 260)}`, report.status),
        report.reason && `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .escapeMarkdown */ .FV)(report.reason)}.`,
        (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_4__/* .errorSection */ .K6)(report.error),
        facts(report, nowMs),
        (0,_bundle_summary_js__WEBPACK_IMPORTED_MODULE_0__/* .bundleSections */ .t)(report.bundle),
        (0,_report_planned_js__WEBPACK_IMPORTED_MODULE_3__/* .plannedSection */ ._)(report.planned),
        report.changed === true
            ? '**Next**: deploy with `bundle-url` in a later step of this job. The content is what it was: only the link is new.'
            : undefined,
        (0,_report_deployment_js__WEBPACK_IMPORTED_MODULE_2__/* .deploymentSection */ .x)(report.deploymentType),
    ]),
};
function facts(report, nowMs) {
    const { domain, jobId, expiresAt, dueAt, bundleBytes, bundleUrl, changed } = report;
    const time = (iso) => iso && `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatInstant */ .r4)(new Date(iso))} (${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatRelative */ .om)(new Date(iso), nowMs)})`;
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .factTable */ .Bu)([
        ['Site', domain && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeSpan */ .SS)(domain)],
        ['Export job', jobId && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .codeSpan */ .SS)(jobId)],
        ['Fresh link', changed === true ? 'made' : bundleUrl === undefined ? 'not made' : 'made, not delivered'],
        ['Link expires', time(expiresAt)],
        ['Next refresh due', time(dueAt)],
        ['Size', bundleBytes === undefined ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatBytes */ .z3)(bundleBytes)],
        [
            'Secret',
            dueAt === undefined ? (0,_delivery_summary_js__WEBPACK_IMPORTED_MODULE_1__/* .deliveryText */ ._)(report.secret, { hasLink: bundleUrl !== undefined }) : 'holds the stored link',
        ],
    ]);
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
