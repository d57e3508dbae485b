export const id = 1344;
export const ids = [1344];
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

/***/ 1344:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  refreshMode: () => (/* binding */ refreshMode)
});

// EXTERNAL MODULE: ./build/src/run/finish.js
var finish = __webpack_require__(4104);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/platform/export-api.js
var export_api = __webpack_require__(2590);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: ./build/src/publish/after/after.js
var after_after = __webpack_require__(6162);
// EXTERNAL MODULE: ./build/src/publish/destinations.js + 18 modules
var destinations = __webpack_require__(8166);
// EXTERNAL MODULE: ./build/src/publish/destinations-text.js
var destinations_text = __webpack_require__(2134);
// EXTERNAL MODULE: ./build/src/publish/open-deployment.js
var open_deployment = __webpack_require__(33);
// EXTERNAL MODULE: ./build/src/publish/receive-bundle.js
var receive_bundle = __webpack_require__(7225);
// EXTERNAL MODULE: ./build/src/publish/renew.js
var renew = __webpack_require__(516);
// EXTERNAL MODULE: ./build/src/publish/unknown-job.js
var unknown_job = __webpack_require__(8129);
;// CONCATENATED MODULE: ./build/src/publish/refresh.js










/**
 * Makes a fresh link for a finished export when the stored one expires soon. One call to the platform, no export: the
 * content stays what it was. Not due: nothing is made, written or downloaded.
 */
async function runRefresh(inputs, deps) {
    const { baseUrl, deploymentType } = inputs;
    deps.record({ baseUrl, deploymentType, changed: false, secretName: (0,destinations_text/* destinationsText */.F)(inputs.to) });
    await (0,receive_bundle/* checkReceipt */.HF)(inputs, deps);
    const { to, exportJobId, ...rest } = inputs;
    const needsState = exportJobId === undefined;
    const delivery = to && (await (0,destinations.openDestinations)({ ...rest, to, needsState }, deps));
    deps.record({ storedLinkExpiresAt: delivery?.state?.expiresAt });
    const nothing = delivery?.withoutExport;
    if (exportJobId === undefined && inputs.ifNoState === 'skip' && nothing !== undefined) {
        return { status: 'skipped', reason: `${nothing}, and if-no-state is skip` };
    }
    const deployment = await (0,open_deployment/* openDeployment */.Q)(inputs, deps, delivery);
    const job = findJob(exportJobId, delivery);
    const { jobId, state } = job;
    deps.record({
        jobId,
        domain: state?.domain,
        rolledBackFrom: state?.jobId === jobId ? state.rollback?.from : undefined,
        exports: delivery?.exports,
    });
    const source = { domain: state?.domain, projectId: inputs.projectId ?? state?.projectId };
    const api = (0,export_api/* openExport */.V1)({ platform: deps.platform, source });
    const waiting = notDue({ inputs, deps, delivery, jobId });
    if (waiting !== undefined)
        return { ...waiting, planned: inputs.dryRun ? [] : undefined };
    const after = await (0,after_after/* openAfterDelivery */.J)(inputs, deps);
    const refreshing = { inputs, deps, api, delivery, job, after };
    // A fresh link for what is live already is no deployment.
    const deployed = delivery !== undefined && jobId === state?.jobId ? undefined : deployment;
    if (inputs.dryRun)
        return { status: 'completed', planned: [...(0,renew/* planRenewal */.y)(refreshing), ...(deployed?.plan() ?? [])] };
    const run = async () => {
        await (0,renew/* renew */.q)({ ...refreshing, explain: (error) => explain(error, refreshing) });
        return { status: 'completed' };
    };
    if (deployed === undefined)
        return run();
    const commit = delivery?.exports?.find(({ job: known }) => known === jobId)?.commit ?? deps.github.run.sha;
    return deployed.around({ what: `Link to export job ${jobId}`, commit, jobId }, run);
}
function findJob(exportJobId, delivery) {
    if (exportJobId !== undefined) {
        const requestedAtMs = delivery?.requestNow();
        return { jobId: exportJobId, isExplicit: true, requestedAtMs, state: delivery?.state };
    }
    if (delivery === undefined)
        throw new errors/* CourierError */.Yw({ code: 'config', message: 'export-job-id or secret-name is missing.' });
    return { ...delivery.storedJob(), isExplicit: false };
}
// A job other than the stored one is asked for by a person: that is due at once.
function notDue({ inputs, deps, delivery, jobId }) {
    const { refreshBeforeMs } = inputs;
    const goodUntil = delivery?.goodUntil(jobId, refreshBeforeMs);
    if (goodUntil === undefined)
        return undefined;
    const dueAt = new Date(goodUntil.getTime() - refreshBeforeMs);
    const reason = `The stored link works until ${(0,markdown/* formatInstant */.r4)(goodUntil)}; a fresh one is due from ${(0,markdown/* formatInstant */.r4)(dueAt)}`;
    deps.record({ expiresAt: goodUntil.toISOString(), dueAt: dueAt.toISOString() });
    delivery?.assertComplete();
    return { status: 'completed', reason };
}
/** What it means that no link can be made. */
function explain(error, { inputs, api, job: { jobId } }) {
    if (inputs.exportJobId !== undefined)
        return (0,unknown_job/* explainUnknownJob */.j)(error, jobId, api.source);
    if (!(0,errors/* hasCode */.up)(error, 'not-found'))
        return error;
    return error.with({
        message: `The platform no longer knows export job ${jobId}. ${error.message}`,
        hint: 'Run an export again: it makes a new job and stores it. Or roll back to an earlier export with mode: rollback. The stored link goes on working until it expires.',
    });
}

// EXTERNAL MODULE: ./build/src/bundle/summary.js
var summary = __webpack_require__(7058);
// EXTERNAL MODULE: ./build/src/run/deployment-type.js
var deployment_type = __webpack_require__(2405);
// EXTERNAL MODULE: ./build/src/run/report.js
var run_report = __webpack_require__(7417);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/publish/after/live/summary.js
var live_summary = __webpack_require__(5135);
// EXTERNAL MODULE: ./build/src/publish/after/rollout/facts.js
var facts = __webpack_require__(1457);
// EXTERNAL MODULE: ./build/src/publish/deployment-facts.js
var deployment_facts = __webpack_require__(9976);
// EXTERNAL MODULE: ./build/src/publish/state/summary.js
var state_summary = __webpack_require__(8415);
;// CONCATENATED MODULE: ./build/src/publish/refresh-summary.js









const refreshPresentation = {
    outputs: (facts) => ({
        'job-id': facts.jobId,
        'bundle-bytes': facts.bundleBytes?.toString(),
        'expires-at': facts.expiresAt,
        'bundle-url': facts.bundleUrl,
        changed: String(facts.changed ?? false),
        'secret-updated': String(facts.secret?.updated ?? false),
        destinations: facts.secret?.destinations && JSON.stringify(facts.secret.destinations),
        ...(0,summary/* bundleOutputs */.p)(facts.bundle),
        ...(0,live_summary/* liveOutputs */.$U)(facts.live),
    }),
    checks: ({ live }) => (0,live_summary/* liveChecks */.ip)(live),
    summary: (report, nowMs) => (0,run_report/* sections */.V0)([
        report.planned === undefined
            ? (0,run_report/* heading */.R_)(`Refresh of ${(0,text_escape/* escapeMarkdown */.FV)(report.domain ?? 'a bundle link', 260)}`, report.status)
            : (0,run_report/* dryRunHeading */.h7)('refreshed'),
        report.reason && `${(0,text_escape/* escapeMarkdown */.FV)(report.reason)}.`,
        (0,run_report/* errorSection */.K6)(report.error),
        refresh_summary_facts(report, nowMs),
        (0,live_summary/* liveSection */.uN)(report.live),
        (0,summary/* bundleSections */.t)(report.bundle),
        (0,run_report/* plannedSection */._G)(report.planned),
        (0,state_summary/* historySection */.gK)(report.exports),
        report.changed === true
            ? `**Next**: deploy with \`bundle-url\` in a later step of this job; the content is the same as before, see [the life of a link](${(0,run_report/* documentation */.TH)('explanation/life-of-a-link.md')}).`
            : undefined,
        (0,deployment_type/* deploymentSection */.x)(report.deploymentType),
    ]),
};
function refresh_summary_facts(report, nowMs) {
    const { domain, jobId, rolledBackFrom, expiresAt, dueAt, bundleBytes, bundleUrl, changed } = report;
    const time = (iso) => iso && `${(0,markdown/* formatInstant */.r4)(new Date(iso))} (${(0,markdown/* formatRelative */.om)(new Date(iso), nowMs)})`;
    const rolledBack = rolledBackFrom === undefined ? '' : `, which was put back in place of ${(0,text_escape/* codeSpan */.SS)(rolledBackFrom)}`;
    return (0,markdown/* factList */.lV)([
        ['Site', domain && (0,text_escape/* codeSpan */.SS)(domain)],
        ['Export job', jobId && `${(0,text_escape/* codeSpan */.SS)(jobId)}${rolledBack}`],
        ['Fresh link', changed === true ? 'made' : bundleUrl === undefined ? 'not made' : 'made, not delivered'],
        ['Link expires', time(expiresAt)],
        ['Next refresh due', time(dueAt)],
        ['Size', bundleBytes === undefined ? undefined : (0,markdown/* formatBytes */.z3)(bundleBytes)],
        [
            (0,state_summary/* deliveryLabel */.Jw)(report.secret),
            dueAt === undefined ? (0,state_summary/* deliveryText */._P)(report.secret, report.secretName !== undefined) : 'holds the stored link',
        ],
        ['Rollout', (0,facts/* rolloutText */.p)(report.rollout)],
        ['Live', (0,live_summary/* liveText */.IH)(report.live)],
        ['Deployment', (0,deployment_facts/* deploymentText */.J)(report.deployment)],
    ]);
}

;// CONCATENATED MODULE: ./build/src/publish/refresh-mode.js



const refreshMode = (0,finish/* defineMode */.L)({ run: runRefresh, ...refreshPresentation });


/***/ }),

/***/ 516:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ renew),
/* harmony export */   y: () => (/* binding */ planRenewal)
/* harmony export */ });
/* harmony import */ var _platform_link_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(717);
/* harmony import */ var _receive_bundle_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7225);


/** Makes a fresh link for a finished job, uses it for the download, writes it into every destination, and does what comes after. */
async function renew({ inputs, deps, api, delivery, job, after, explain }) {
    const { baseUrl, deploymentType } = inputs;
    const { jobId, requestedAtMs, isExplicit, replacedJobId } = job;
    deps.log.info(`Making a fresh link for export job ${jobId}. To attach another run to it, give export-job-id: ${jobId}`);
    const links = (0,_platform_link_js__WEBPACK_IMPORTED_MODULE_0__/* .createLinkMaker */ .jK)({ ...deps, api, jobId, baseUrl });
    let link = await makeLink(links, explain);
    recordLink(deps, link);
    const origin = { domain: api.source.domain, jobId, pageCount: undefined, deploymentType };
    const isNeeded = (0,_receive_bundle_js__WEBPACK_IMPORTED_MODULE_1__/* .isReceived */ .iL)(inputs.bundle) || after.readsSite;
    const checks = { guard: (inspected) => after.readSite(inspected), readsPages: after.readsSite };
    const received = isNeeded ? await (0,_receive_bundle_js__WEBPACK_IMPORTED_MODULE_1__/* .receive */ .uZ)({ inputs, deps, links, link, origin, ...checks }) : undefined;
    if (received !== undefined) {
        link = received.link;
        deps.record({ bundle: received.facts, bundleBytes: received.facts.bytes });
        recordLink(deps, link);
    }
    const details = { pages: received?.facts.pages, manifest: received?.facts.manifestSha256 };
    const secret = await delivery?.deliver({ jobId, link, details, requestedAtMs, isExplicit });
    deps.record({ secret, changed: true });
    await after.run({ jobId, api, delivery, replacedJobId, expiresAt: link.expiresAt?.toISOString() });
}
async function makeLink(links, explain) {
    try {
        return await links.fresh();
    }
    catch (error) {
        throw explain(error);
    }
}
function recordLink({ record }, { url, expiresAt, sizeBytes }) {
    record({
        bundleUrl: url,
        expiresAt: expiresAt?.toISOString(),
        ...(sizeBytes !== undefined && { bundleBytes: sizeBytes }),
    });
}
/** What `renew` would do, for a dry run. */
function planRenewal({ inputs, api, job, delivery, after }) {
    const request = api.requests.link(job.jobId).replace(' ', ` ${inputs.baseUrl}`);
    const link = { action: 'make a bundle link', target: request };
    return [link, ...(0,_receive_bundle_js__WEBPACK_IMPORTED_MODULE_1__/* .planReceipt */ .W1)(inputs.bundle), ...(delivery?.plan() ?? []), ...after.plan()];
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
