export const id = 6145;
export const ids = [6145];
export const modules = {

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

/***/ 6145:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  rollbackMode: () => (/* binding */ rollbackMode)
});

// EXTERNAL MODULE: ./build/modes/execute.js
var execute = __webpack_require__(9072);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/platform/open-export.js + 3 modules
var open_export = __webpack_require__(1724);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
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
;// CONCATENATED MODULE: ./build/modes/rollback/rollback.js









/**
 * Puts a fresh link of an earlier export back in place. The job and its files are still on the platform, so nothing is
 * exported. Refreshes then renew this job; an export that is requested later replaces it, one from before does not.
 */
async function runRollback(inputs, deps) {
    const { baseUrl, deploymentType, exportJobId, steps, to, ...rest } = inputs;
    deps.record({ baseUrl, deploymentType, secretName: (0,places_text/* placesText */.i)(to) });
    await (0,receive_bundle/* checkReceipt */.HF)(inputs, deps);
    const delivery = await (0,destinations.openDestinations)({ ...rest, baseUrl, to, needsState: true }, deps);
    deps.record({ exports: delivery.exports });
    const deployment = await (0,open_deployment/* openDeployment */.Q)(inputs, deps, delivery);
    const earlier = delivery.earlierExport({ jobId: exportJobId, steps });
    const { job: jobId } = earlier.export;
    const { domain, projectId } = earlier.state;
    deps.record({ jobId, formerJobId: earlier.from, domain, pageCount: earlier.export.pages });
    const api = (0,open_export/* openExport */.V)({ platform: deps.platform, source: { domain, projectId: inputs.projectId ?? projectId } });
    await assertFinished(api, jobId, deps);
    const after = await (0,after_delivery/* openAfterDelivery */.J)(inputs, deps);
    const job = { jobId, requestedAtMs: delivery.requestNow(), isExplicit: true };
    const renewal = { inputs, api, delivery, job, after };
    if (inputs.dryRun) {
        return { status: 'completed', planned: [...(0,renew/* planRenewal */.y)(renewal), ...(deployment?.plan() ?? [])] };
    }
    deps.log.info(announcement(earlier));
    const reason = `Export job ${jobId} is live again, in place of ${earlier.from}`;
    const run = async () => {
        await (0,renew/* renew */.q)({ ...renewal, deps, explain: (error) => error });
        return { status: 'completed', reason };
    };
    const { commit = deps.github.run.sha } = earlier.export;
    return deployment === undefined ? run() : deployment.around({ what: `Rollback: ${reason}`, commit, jobId }, run);
}
function announcement({ export: { job, at }, from, isRepeated }) {
    if (isRepeated)
        return `An earlier attempt of this run has rolled back to export job ${job}: going on with it.`;
    const since = at === undefined ? '' : `, which was first live at ${at}`;
    return `Rolling back from export job ${from} to ${job}${since}.`;
}
/** The platform keeps jobs and their files, but promises nowhere for how long. */
async function assertFinished(api, jobId, { log }) {
    const { value } = await api.poll(jobId).catch((error) => {
        throw (0,errors/* hasCode */.up)(error, 'not-found') ? gone(error, jobId) : error;
    });
    if (value.status === 'completed')
        return;
    throw new errors/* CourierError */.Yw({
        code: value.status === 'failed' ? 'job-failed' : 'conflict',
        message: `Export job ${jobId} is not finished: its status is ${(0,text_escape/* plainLine */.h0)(log.redact(value.status), 40)}. Nothing was written; what was live stays live.`,
        hint: 'Name another export with export-job-id; the summary lists those that were live.',
    });
}
function gone(error, jobId) {
    return error.with({
        message: `The platform no longer knows export job ${jobId}. Nothing was written; what was live stays live. ${error.message}`,
        hint: 'Name another export with export-job-id; the summary lists those that were live. Or export an earlier version of the content.',
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
// EXTERNAL MODULE: ./build/text/markdown.js
var markdown = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/modes/deployment.js + 1 modules
var modes_deployment = __webpack_require__(9242);
;// CONCATENATED MODULE: ./build/modes/rollback/summary.js











const rollbackPresentation = {
    outputs: (facts) => ({
        'job-id': facts.jobId,
        'former-job-id': facts.formerJobId,
        'bundle-bytes': facts.bundleBytes?.toString(),
        'expires-at': facts.expiresAt,
        'bundle-url': facts.bundleUrl,
        'secret-updated': String(facts.secret?.updated ?? false),
        places: facts.secret?.places && JSON.stringify(facts.secret.places),
        ...(0,summary/* bundleOutputs */.p)(facts.bundle),
        ...(0,live_summary/* liveOutputs */.$U)(facts.live),
    }),
    checks: ({ live }) => (0,live_summary/* liveChecks */.ip)(live),
    summary: (report, nowMs) => (0,report_summary/* sections */.V0)([
        report.planned === undefined
            ? (0,report_summary/* heading */.R_)(`Rollback of ${(0,text_escape/* escapeMarkdown */.FV)(report.domain ?? 'a documentation site', 260)}`, report.status)
            : (0,report_summary/* dryRunHeading */.h7)('rolled back'),
        report.reason && `${(0,text_escape/* escapeMarkdown */.FV)(report.reason)}.`,
        (0,report_summary/* errorSection */.K6)(report.error),
        summary_facts(report, nowMs),
        (0,live_summary/* liveSection */.uN)(report.live),
        (0,summary/* bundleSections */.t)(report.bundle),
        (0,planned/* plannedSection */._)(report.planned),
        (0,delivery_summary/* historySection */.gK)(report.exports),
        nextStep(report),
        (0,deployment/* deploymentSection */.x)(report.deploymentType),
    ]),
};
function summary_facts(report, nowMs) {
    const { domain, jobId, formerJobId, pageCount, expiresAt, bundleBytes, secret, secretName } = report;
    const expiry = expiresAt === undefined ? undefined : new Date(expiresAt);
    return (0,markdown/* factList */.lV)([
        ['Site', domain && (0,text_escape/* codeSpan */.SS)(domain)],
        ['Export put back', jobId && (0,text_escape/* codeSpan */.SS)(jobId)],
        ['Export that was live', formerJobId && (0,text_escape/* codeSpan */.SS)(formerJobId)],
        ['Pages', pageCount === undefined ? undefined : (0,markdown/* countOf */.pq)(pageCount, 'page')],
        ['Link expires', expiry && `${(0,markdown/* formatInstant */.r4)(expiry)} (${(0,markdown/* formatRelative */.om)(expiry, nowMs)})`],
        ['Size', bundleBytes === undefined ? undefined : (0,markdown/* formatBytes */.z3)(bundleBytes)],
        ['Live', (0,live_summary/* liveText */.IH)(report.live)],
        [(0,delivery_summary/* deliveryLabel */.Jw)(secret), report.planned === undefined ? (0,delivery_summary/* deliveryText */._P)(secret, secretName !== undefined) : undefined],
        ['Rollout', (0,facts/* rolloutText */.p)(report.rollout)],
        ['Deployment', (0,modes_deployment/* deploymentText */.J)(report.deployment)],
    ]);
}
function nextStep({ status, planned, formerJobId }) {
    if (planned !== undefined) {
        return '**Next**: run again without `dry-run`.';
    }
    if (status !== 'completed')
        return undefined;
    const again = formerJobId === undefined ? '' : ` To put the former one back: ${(0,text_escape/* codeSpan */.SS)(`export-job-id: ${formerJobId}`)}.`;
    return `**Next**: correct the content on the platform. The next export replaces this one; until then, [refreshes renew it](${(0,help/* documentation */.T)('how-to/roll-back.md')}).${again}`;
}

;// CONCATENATED MODULE: ./build/modes/rollback/mode.js



const rollbackMode = (0,execute/* defineMode */.L)({ run: runRollback, ...rollbackPresentation });


/***/ })

};
