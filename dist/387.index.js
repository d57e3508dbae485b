export const id = 387;
export const ids = [387];
export const modules = {

/***/ 9768:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   searchPresentation: () => (/* binding */ searchPresentation)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);
/* harmony import */ var _ci_github_actions_results_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4985);
/* harmony import */ var _report_summary_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4611);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1065);
/* harmony import */ var _wording_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8568);






const MAX_MISSES = 50;
const MAX_ROWS = 200;
const MAX_FOUND = 3;
const MAX_QUERY = 120;
const searchPresentation = {
    outputs(facts) {
        const { totals, queries } = facts;
        return {
            results: queries && jsonArray(facts.results ?? (facts.queriesFile === undefined ? [] : queries.map(shortOutcome))),
            'result-count': queries && String(queries.reduce((sum, { resultCount }) => sum + resultCount, 0)),
            'passed-count': totals && String(totals.passed),
            'failed-count': totals && String(totals.missed + totals.errors),
        };
    },
    summary(report) {
        return (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([
            (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .heading */ .R_)(subject(report), report.status),
            (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .errorSection */ .K6)(report.error),
            report.totals && totalsSection(report, report.totals),
            failuresSection(report.queries ?? []),
            comparisonSection(report.comparison),
            report.results && resultsSection(report.results, report.queries?.[0]?.query ?? ''),
            report.queriesFile === undefined ? '' : passesSection(report.queries ?? []),
        ]);
    },
};
/** One query of a file in the `results` output: which pages it found, without their content. */
function shortOutcome({ query, filter, line, verdict, rank, paths }) {
    return { query, filter, line, verdict, rank, paths };
}
/** A JSON array of at most 64 KiB, cut at whole entries. */
function jsonArray(entries) {
    const parts = [];
    let bytes = 2;
    for (const entry of entries) {
        const part = JSON.stringify(entry);
        bytes += node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.byteLength(part) + 1;
        if (bytes > _ci_github_actions_results_js__WEBPACK_IMPORTED_MODULE_1__/* .MAX_OUTPUT_BYTES */ .$q)
            break;
        parts.push(part);
    }
    return `[${parts.join(',')}]`;
}
function subject({ domain }) {
    return domain === undefined ? 'Search' : `Search of ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .escapeMarkdown */ .FV)(domain, 128)}`;
}
function percent(share) {
    return share === undefined ? undefined : `${(share * 100).toFixed(1)} %`;
}
function totalsSection({ requestCount, roundCount }, totals) {
    const repeats = (roundCount ?? 1) - 1;
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .factTable */ .Bu)([
        ['Queries', String(totals.queries)],
        ['Passed', String(totals.passed)],
        ['Missed', String(totals.missed)],
        ['Could not be run', totals.errors === 0 ? undefined : String(totals.errors)],
        ['Hit rate', percent(totals.hitRate)],
        ['Mean reciprocal rank', totals.meanReciprocalRank?.toFixed(3)],
        [
            'Requests',
            `${requestCount ?? 0}${repeats > 0 ? `, the missed queries repeated ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .countOf */ .pq)(repeats, 'time')} while waiting for the index` : ''}`,
        ],
    ]);
}
function filterText(filter) {
    const parts = Object.entries(filter ?? {}).map(([key, value]) => `${key} ${value}`);
    return parts.length === 0 ? '' : ` (${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .escapeMarkdown */ .FV)(parts.join(', '), MAX_QUERY)})`;
}
function queryCell({ query, filter }) {
    return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .escapeMarkdown */ .FV)(query, MAX_QUERY)}${filterText(filter)}`;
}
function foundCell({ paths }) {
    if (paths.length === 0)
        return 'nothing';
    const first = paths.slice(0, MAX_FOUND).map((path, index) => `${index + 1}. ${(0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .pathCell */ .sS)(path)}`);
    const more = paths.length > MAX_FOUND ? [`and ${paths.length - MAX_FOUND} more`] : [];
    return [...first, ...more].join('<br>');
}
function missedRow(outcome) {
    const wrong = outcome.error
        ? `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .codeSpan */ .SS)(outcome.error.code)} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .escapeMarkdown */ .FV)(outcome.error.message, 300)}`
        : outcome.shortfalls
            .slice(0, 10)
            .map((shortfall) => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .escapeMarkdown */ .FV)((0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .shortfallText */ .Xg)(shortfall), 300))
            .join('<br>');
    return [String(outcome.line ?? ''), queryCell(outcome), wrong, outcome.error ? '' : foundCell(outcome)];
}
/** Misses first, then what could not be run; each with what was found instead. */
function failuresSection(outcomes) {
    const parts = [
        { title: 'Missed', of: outcomes.filter(({ verdict }) => verdict === 'miss') },
        { title: 'Could not be run', of: outcomes.filter(({ verdict }) => verdict === 'error') },
    ];
    return (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)(parts.map(({ title, of }) => {
        if (of.length === 0)
            return '';
        const rows = of.slice(0, MAX_MISSES).map(missedRow);
        return (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([
            `### ${title}`,
            (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .table */ .tp)(['Line', 'Query', 'What is wrong', 'Found instead'], rows),
            moreThan(of.length, MAX_MISSES),
        ]);
    }));
}
function moreThan(count, shown) {
    return count > shown ? `And ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .countOf */ .pq)(count - shown, 'more', 'more')}: see the file at \`report-path\`.` : '';
}
function changeRow(change) {
    const stand = ({ verdict, rank }) => (rank === undefined ? verdict : `${verdict}, rank ${rank}`);
    return [(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .escapeMarkdown */ .FV)(change.query, MAX_QUERY), stand(change.before), stand(change.now)];
}
function comparisonSection(comparison) {
    if (comparison === undefined)
        return '';
    const { better, worse, added, gone, same, notComparable } = comparison;
    const rows = (title, changes) => changes.length === 0
        ? ''
        : (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([
            `**${title}**`,
            (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .table */ .tp)(['Query', 'Before', 'Now'], changes.slice(0, MAX_MISSES).map(changeRow)),
            moreThan(changes.length, MAX_MISSES),
        ]);
    const counts = `${better.length} better, ${worse.length} worse, ${same} the same, ${added.length} new, ${gone.length} gone`;
    const skipped = notComparable === 0 ? '' : `, ${notComparable} not comparable because of errors`;
    return (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([
        '### Compared with the earlier run',
        `${counts}${skipped}.`,
        rows('Worse', worse),
        rows('Better', better),
    ]);
}
function resultsSection(results, query) {
    const title = `### Results for ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .escapeMarkdown */ .FV)(query, MAX_QUERY)}`;
    if (results.length === 0)
        return (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([title, 'Nothing was found.']);
    const rows = results
        .slice(0, MAX_ROWS)
        .map(({ path, content = '', metadata }, index) => [
        String(index + 1),
        (0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .pathCell */ .sS)(path),
        (0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .markSnippet */ .VW)(content, query),
        (0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .metadataCell */ .c7)(metadata),
    ]);
    return (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([title, (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .table */ .tp)(['Rank', 'Page', 'Snippet', 'Metadata'], rows)]);
}
function passesSection(outcomes) {
    const passed = outcomes.filter(({ verdict }) => verdict === 'pass');
    if (passed.length === 0)
        return '';
    const rows = passed
        .slice(0, MAX_ROWS)
        .map((outcome) => [
        queryCell(outcome),
        outcome.rank === undefined ? '' : String(outcome.rank),
        outcome.paths[0] === undefined ? '' : (0,_wording_js__WEBPACK_IMPORTED_MODULE_4__/* .pathCell */ .sS)(outcome.paths[0]),
        String(outcome.resultCount),
    ]);
    return (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([
        `<details><summary>${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .countOf */ .pq)(passed.length, 'query', 'queries')} passed</summary>`,
        (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .table */ .tp)(['Query', 'Rank of the expected page', 'First result', 'Results'], rows),
        moreThan(passed.length, MAX_ROWS),
        '</details>',
    ]);
}


/***/ }),

/***/ 8568:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   VW: () => (/* binding */ markSnippet),
/* harmony export */   Xg: () => (/* binding */ shortfallText),
/* harmony export */   c7: () => (/* binding */ metadataCell),
/* harmony export */   sS: () => (/* binding */ pathCell)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _text_cut_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7850);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3699);



/** How queries, results and shortfalls are worded. Everything that comes from outside is escaped here. */
const MAX_PATH = 160;
const MAX_SNIPPET = 240;
const MAX_METADATA = 4;
const MAX_VALUE = 60;
// Metadata is not in the contract: what a reader would know a page by comes first, the rest by its name.
const KNOWN_METADATA = ['title', 'heading', 'section', 'version', 'language', 'tag', 'tags'];
/** A path as code, or as a link where it is an https address. */
function pathCell(path) {
    return path.startsWith('https://') ? (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .link */ .nf)((0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .codeSpan */ .SS)(path, MAX_PATH), path) : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .codeSpan */ .SS)(path, MAX_PATH);
}
function termsOf(query) {
    return query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
}
/** A snippet as Markdown with the query's words, and longer words that begin with them, in bold. */
function markSnippet(content, query) {
    const terms = termsOf(query);
    const isTerm = (word) => {
        const letters = termsOf(word)[0];
        return letters !== undefined && terms.some((term) => letters.startsWith(term));
    };
    // Word by word, so that the stars always stand beside a space, where Markdown takes them for bold.
    return (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(content, MAX_SNIPPET)
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => (isTerm(word) ? `**${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeMarkdown */ .FV)(word, MAX_SNIPPET)}**` : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeMarkdown */ .FV)(word, MAX_SNIPPET)))
        .join(' ');
}
function metadataValue(value) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        return String(value);
    if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
        return value.join(', ');
    return undefined;
}
function knownRank(key) {
    const index = KNOWN_METADATA.indexOf(key.toLowerCase());
    return index < 0 ? KNOWN_METADATA.length : index;
}
/** The few values of a result's metadata that are short and plain, the well-known ones first. */
function metadataCell(metadata) {
    return Object.entries(metadata ?? {})
        .flatMap(([key, value]) => {
        const text = metadataValue(value);
        return text === undefined || text === '' ? [] : [{ key, text }];
    })
        .toSorted((a, b) => knownRank(a.key) - knownRank(b.key) || (a.key < b.key ? -1 : 1))
        .slice(0, MAX_METADATA)
        .map(({ key, text }) => `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeMarkdown */ .FV)(key, MAX_VALUE)}: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeMarkdown */ .FV)(text, MAX_VALUE)}`)
        .join('<br>');
}
/** A shortfall as one plain sentence, for logs and annotations, which are made inert by the log. */
function shortfallText(shortfall) {
    switch (shortfall.kind) {
        case 'path-missing': {
            const reach = shortfall.within === undefined ? 'among the results' : `among the first ${shortfall.within}`;
            const instead = shortfall.rank === undefined ? 'not found' : `found at rank ${shortfall.rank}`;
            return `${(0,_text_cut_js__WEBPACK_IMPORTED_MODULE_2__/* .cut */ .J)(shortfall.path, { chars: MAX_PATH })} was expected ${reach}: ${instead}`;
        }
        case 'path-present':
            return `${(0,_text_cut_js__WEBPACK_IMPORTED_MODULE_2__/* .cut */ .J)(shortfall.path, { chars: MAX_PATH })} must not appear: found at rank ${shortfall.rank}`;
        case 'too-few':
            return `at least ${shortfall.wanted} results were expected: ${shortfall.found} found`;
        case 'snippet-missing':
            return `no snippet holds the text “${(0,_text_cut_js__WEBPACK_IMPORTED_MODULE_2__/* .cut */ .J)(shortfall.text, { chars: MAX_PATH })}”`;
        default:
            return (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .unreachable */ .HB)(shortfall);
    }
}


/***/ })

};
