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


/***/ })

};
