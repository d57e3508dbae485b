export const id = 3869;
export const ids = [3869];
export const modules = {

/***/ 3869:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  refreshMode: () => (/* binding */ refreshMode)
});

// EXTERNAL MODULE: ./build/modes/execute.js
var execute = __webpack_require__(9072);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/platform/open-export.js + 3 modules
var open_export = __webpack_require__(1724);
// EXTERNAL MODULE: ./build/text/markdown.js
var markdown = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/modes/after-delivery.js
var after_delivery = __webpack_require__(74);
// EXTERNAL MODULE: ./build/modes/destinations.js + 18 modules
var destinations = __webpack_require__(2364);
// EXTERNAL MODULE: ./build/modes/open-deployment.js
var open_deployment = __webpack_require__(907);
// EXTERNAL MODULE: ./build/modes/places-text.js
var places_text = __webpack_require__(6147);
// EXTERNAL MODULE: ./build/modes/receive-bundle.js
var receive_bundle = __webpack_require__(1275);
// EXTERNAL MODULE: ./build/modes/renew.js
var renew = __webpack_require__(2026);
// EXTERNAL MODULE: ./build/modes/unknown-job.js
var unknown_job = __webpack_require__(215);
;// CONCATENATED MODULE: ./build/modes/refresh/refresh.js










/**
 * Makes a fresh link for a finished export when the stored one expires soon. One call to the platform, no export: the
 * content stays what it was. Not due: nothing is made, written or downloaded.
 */
async function runRefresh(inputs, deps) {
    const { baseUrl, deploymentType } = inputs;
    deps.record({ baseUrl, deploymentType, changed: false, secretName: (0,places_text/* placesText */.i)(inputs.to) });
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
    const api = (0,open_export/* openExport */.V)({ platform: deps.platform, source });
    const waiting = notDue({ inputs, deps, delivery, jobId });
    if (waiting !== undefined)
        return { ...waiting, planned: inputs.dryRun ? [] : undefined };
    const after = await (0,after_delivery/* openAfterDelivery */.J)(inputs, deps);
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

// EXTERNAL MODULE: ./build/bundle/summary.js
var summary = __webpack_require__(4405);
// EXTERNAL MODULE: ./build/delivery/summary.js
var delivery_summary = __webpack_require__(7349);
// EXTERNAL MODULE: ./build/live/summary.js
var live_summary = __webpack_require__(4207);
// EXTERNAL MODULE: ./build/report/deployment.js
var deployment = __webpack_require__(304);
// EXTERNAL MODULE: ./build/report/help.js
var help = __webpack_require__(4004);
// EXTERNAL MODULE: ./build/report/planned.js
var planned = __webpack_require__(877);
// EXTERNAL MODULE: ./build/report/summary.js
var report_summary = __webpack_require__(4611);
// EXTERNAL MODULE: ./build/rollout/facts.js
var facts = __webpack_require__(9889);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
// EXTERNAL MODULE: ./build/modes/deployment.js + 1 modules
var modes_deployment = __webpack_require__(9242);
;// CONCATENATED MODULE: ./build/modes/refresh/summary.js











const refreshPresentation = {
    outputs: (facts) => ({
        'job-id': facts.jobId,
        'bundle-bytes': facts.bundleBytes?.toString(),
        'expires-at': facts.expiresAt,
        'bundle-url': facts.bundleUrl,
        changed: String(facts.changed ?? false),
        'secret-updated': String(facts.secret?.updated ?? false),
        places: facts.secret?.places && JSON.stringify(facts.secret.places),
        ...(0,summary/* bundleOutputs */.p)(facts.bundle),
        ...(0,live_summary/* liveOutputs */.$U)(facts.live),
    }),
    checks: ({ live }) => (0,live_summary/* liveChecks */.ip)(live),
    summary: (report, nowMs) => (0,report_summary/* sections */.V0)([
        report.planned === undefined
            ? (0,report_summary/* heading */.R_)(`Refresh of ${(0,text_escape/* escapeMarkdown */.FV)(report.domain ?? 'a bundle link', 260)}`, report.status)
            : (0,report_summary/* dryRunHeading */.h7)('refreshed'),
        report.reason && `${(0,text_escape/* escapeMarkdown */.FV)(report.reason)}.`,
        (0,report_summary/* errorSection */.K6)(report.error),
        summary_facts(report, nowMs),
        (0,live_summary/* liveSection */.uN)(report.live),
        (0,summary/* bundleSections */.t)(report.bundle),
        (0,planned/* plannedSection */._)(report.planned),
        (0,delivery_summary/* historySection */.gK)(report.exports),
        report.changed === true
            ? `**Next**: deploy with \`bundle-url\` in a later step of this job; the content is the same as before, see [the life of a link](${(0,help/* documentation */.T)('explanation/life-of-a-link.md')}).`
            : undefined,
        (0,deployment/* deploymentSection */.x)(report.deploymentType),
    ]),
};
function summary_facts(report, nowMs) {
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
            (0,delivery_summary/* deliveryLabel */.Jw)(report.secret),
            dueAt === undefined ? (0,delivery_summary/* deliveryText */._P)(report.secret, report.secretName !== undefined) : 'holds the stored link',
        ],
        ['Rollout', (0,facts/* rolloutText */.p)(report.rollout)],
        ['Live', (0,live_summary/* liveText */.IH)(report.live)],
        ['Deployment', (0,modes_deployment/* deploymentText */.J)(report.deployment)],
    ]);
}

;// CONCATENATED MODULE: ./build/modes/refresh/mode.js



const refreshMode = (0,execute/* defineMode */.L)({ run: runRefresh, ...refreshPresentation });


/***/ }),

/***/ 2026:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ renew),
/* harmony export */   y: () => (/* binding */ planRenewal)
/* harmony export */ });
/* harmony import */ var _platform_link_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3832);
/* harmony import */ var _receive_bundle_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1275);


/** Makes a fresh link for a finished job, uses it for the download, writes it into every place, and does what comes after. */
async function renew({ inputs, deps, api, delivery, job, after, explain }) {
    const { baseUrl, deploymentType } = inputs;
    const { jobId, requestedAtMs, isExplicit } = job;
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
    await after.run({ jobId, api, delivery, expiresAt: link.expiresAt?.toISOString() });
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

/***/ 215:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   j: () => (/* binding */ explainUnknownJob)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);

/**
 * What a 404 about the job of `export-job-id` means: which of the two ids in the inputs is wrong cannot be seen from the
 * reply, so both are named with the place where to find them.
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


/***/ })

};
