export const id = 45;
export const ids = [45];
export const modules = {

/***/ 9045:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   agentPresentation: () => (/* binding */ agentPresentation)
/* harmony export */ });
/* harmony import */ var _report_planned_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(877);
/* harmony import */ var _report_summary_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4611);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1065);




const agentPresentation = {
    outputs: (facts) => ({
        triggered: String(facts.triggered ?? false),
        'agent-job-id': facts.agentJobId,
        'agent-status': facts.agentStatus,
        'pull-request-url': facts.pullRequestUrl,
        'comment-url': facts.commentUrl,
    }),
    summary: (report) => (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_1__/* .sections */ .V0)([
        (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_1__/* .heading */ .R_)('Docs agent', report.status),
        report.reason === undefined ? '' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .escapeMarkdown */ .FV)(report.reason, 1000),
        (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_1__/* .errorSection */ .K6)(report.error),
        factsSection(report),
        (0,_report_planned_js__WEBPACK_IMPORTED_MODULE_0__/* .plannedSection */ ._)(report.planned),
    ]),
};
function factsSection(report) {
    const code = (value) => (value === undefined ? undefined : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .codeSpan */ .SS)(value, 300));
    const { promptBytes, removedCharacters, jobElapsedMs, commentUrl, pullRequestUrl } = report;
    const place = report.pullNumber === undefined ? undefined : `${report.repository ?? ''}#${report.pullNumber}`;
    const rows = [
        ['Pull request', code(place)],
        ['Asked by', code(report.asker)],
        ['At commit', code(report.commit)],
        ['Agent job', code(report.agentJobId)],
        ['Source', code(report.jobRepository)],
        ['Model', code(report.model)],
        ['State', code(report.agentStatus)],
        ["Agent's pull request", pullRequestUrl && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .link */ .nf)('open', pullRequestUrl)],
        ['Address that is not linked', code(report.otherLink)],
        ['Status comment', commentUrl && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .link */ .nf)('open', commentUrl)],
        ['Prompt', promptBytes === undefined ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .formatBytes */ .z3)(promptBytes)],
        ['Invisible characters removed', removedCharacters ? String(removedCharacters) : undefined],
        ['Followed for', jobElapsedMs === undefined ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(jobElapsedMs)],
    ];
    return rows.some(([, value]) => value !== undefined) ? (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .factTable */ .Bu)(rows) : '';
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


/***/ }),

/***/ 1065:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bu: () => (/* binding */ factTable),
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   om: () => (/* binding */ formatRelative),
/* harmony export */   pq: () => (/* binding */ countOf),
/* harmony export */   r4: () => (/* binding */ formatInstant),
/* harmony export */   tp: () => (/* binding */ table),
/* harmony export */   z3: () => (/* binding */ formatBytes)
/* harmony export */ });
/** A table of cells that are Markdown already (escaped where they came from outside). Pipes in them are escaped here. */
function table(head, rows) {
    const line = (cells) => `| ${cells.map((cell) => cell.replace(/\\*\|/g, '\\|')).join(' | ')} |`;
    return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}
/** Two columns without a heading row of their own: a fact a line, rows without a value left out. */
function factTable(rows) {
    const given = rows.flatMap(([label, value]) => value === undefined || value === '' ? [] : [[`**${label}**`, value]]);
    return table(['', ''], given);
}
/** `1 page`, `3 pages`. */
function countOf(count, singular, plural = `${singular}s`) {
    return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
}
/** `412 B`, `3.4 KiB`, `1.2 GiB`. */
function formatBytes(bytes) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
    const value = bytes / 1024 ** power;
    return `${power === 0 ? value : value.toFixed(1)} ${units[power] ?? 'B'}`;
}
const SPANS = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
];
/** The two largest units that matter: `2 d 3 h`, `12 min 5 s`, `8 s`, `0.4 s`. */
function formatDuration(ms) {
    const total = Math.max(0, ms);
    if (total < 1000)
        return `${(total / 1000).toFixed(1)} s`;
    let rest = Math.round(total / 1000) * 1000;
    const parts = [];
    for (const [unit, size] of SPANS) {
        const count = Math.floor(rest / size);
        rest -= count * size;
        if (count > 0 || parts.length > 0)
            parts.push(`${count} ${unit}`);
    }
    return parts
        .slice(0, 2)
        .filter((part) => !part.startsWith('0 '))
        .join(' ');
}
/** `2026-03-01 12:00 UTC`. */
function formatInstant(instant) {
    return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
/** `in 3 d 4 h` or `12 min ago`. */
function formatRelative(instant, nowMs) {
    const distance = instant.getTime() - nowMs;
    return distance >= 0 ? `in ${formatDuration(distance)}` : `${formatDuration(-distance)} ago`;
}


/***/ })

};
