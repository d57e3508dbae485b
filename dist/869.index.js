export const id = 869;
export const ids = [869];
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
// EXTERNAL MODULE: ./build/platform/link.js
var platform_link = __webpack_require__(3832);
// EXTERNAL MODULE: ./build/platform/open-export.js + 3 modules
var open_export = __webpack_require__(1724);
// EXTERNAL MODULE: ./build/text/markdown.js
var markdown = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/modes/destinations.js + 12 modules
var destinations = __webpack_require__(6894);
// EXTERNAL MODULE: ./build/modes/places-text.js
var places_text = __webpack_require__(6147);
// EXTERNAL MODULE: ./build/modes/receive-bundle.js
var receive_bundle = __webpack_require__(1275);
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
    const nothing = delivery?.withoutExport;
    if (exportJobId === undefined && inputs.ifNoState === 'skip' && nothing !== undefined) {
        return { status: 'skipped', reason: `${nothing}, and if-no-state is skip` };
    }
    const job = findJob(exportJobId, delivery);
    const { jobId, state } = job;
    deps.record({ jobId, domain: state?.domain });
    const source = { domain: state?.domain, projectId: inputs.projectId ?? state?.projectId };
    const api = (0,open_export/* openExport */.V)({ platform: deps.platform, source });
    const waiting = notDue({ inputs, deps, delivery, jobId });
    if (waiting !== undefined)
        return { ...waiting, planned: inputs.dryRun ? [] : undefined };
    const refreshing = { inputs, deps, api, delivery, job };
    return inputs.dryRun ? { status: 'completed', planned: planRefresh(refreshing) } : refresh(refreshing);
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
async function refresh(refreshing) {
    const { inputs, deps, api, delivery, job } = refreshing;
    const { baseUrl, deploymentType } = inputs;
    const { jobId, requestedAtMs, isExplicit } = job;
    deps.log.info(`Making a fresh link for export job ${jobId}. To attach another run to it, add to the step: export-job-id: ${jobId}`);
    const links = (0,platform_link/* createLinkMaker */.jK)({ ...deps, api, jobId, baseUrl });
    let link = await makeLink(links, refreshing);
    recordLink(deps, link);
    const origin = { domain: api.source.domain, jobId, pageCount: undefined, deploymentType };
    const received = await (0,receive_bundle/* receive */.uZ)({ inputs, deps, links, link, origin });
    if (received !== undefined) {
        link = received.link;
        deps.record({ bundle: received.facts, bundleBytes: received.facts.bytes });
        recordLink(deps, link);
    }
    const secret = await delivery?.deliver({ jobId, link, requestedAtMs, isExplicit });
    deps.record({ changed: true, secret });
    return { status: 'completed' };
}
function recordLink({ record }, { url, expiresAt, sizeBytes }) {
    record({
        bundleUrl: url,
        expiresAt: expiresAt?.toISOString(),
        ...(sizeBytes !== undefined && { bundleBytes: sizeBytes }),
    });
}
async function makeLink(links, { inputs, api, job: { jobId } }) {
    try {
        return await links.fresh();
    }
    catch (error) {
        if (inputs.exportJobId !== undefined)
            throw (0,unknown_job/* explainUnknownJob */.j)(error, jobId, api.source);
        if (!(0,errors/* hasCode */.up)(error, 'not-found'))
            throw error;
        throw error.with({
            message: `The platform no longer knows export job ${jobId}. ${error.message}`,
            hint: 'Run mode: export again: it makes a new job and stores it. The stored link goes on working until it expires.',
        });
    }
}
function planRefresh({ inputs, api, job: { jobId }, delivery }) {
    const request = api.requests.link(jobId).replace(' ', ` ${inputs.baseUrl}`);
    const link = { action: 'make a bundle link', target: request };
    return [link, ...(0,receive_bundle/* planReceipt */.W1)(inputs.bundle), ...(delivery?.plan() ?? [])];
}

// EXTERNAL MODULE: ./build/bundle/summary.js
var summary = __webpack_require__(4405);
// EXTERNAL MODULE: ./build/delivery/summary.js
var delivery_summary = __webpack_require__(7349);
// EXTERNAL MODULE: ./build/report/deployment.js
var deployment = __webpack_require__(304);
// EXTERNAL MODULE: ./build/report/help.js
var help = __webpack_require__(4004);
// EXTERNAL MODULE: ./build/report/planned.js
var planned = __webpack_require__(877);
// EXTERNAL MODULE: ./build/report/summary.js
var report_summary = __webpack_require__(4611);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
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
    }),
    summary: (report, nowMs) => (0,report_summary/* sections */.V0)([
        report.planned === undefined
            ? (0,report_summary/* heading */.R_)(`Refresh of ${(0,text_escape/* escapeMarkdown */.FV)(report.domain ?? 'a bundle link', 260)}`, report.status)
            : (0,report_summary/* dryRunHeading */.h7)('refreshed'),
        report.reason && `${(0,text_escape/* escapeMarkdown */.FV)(report.reason)}.`,
        (0,report_summary/* errorSection */.K6)(report.error),
        facts(report, nowMs),
        (0,summary/* bundleSections */.t)(report.bundle),
        (0,planned/* plannedSection */._)(report.planned),
        report.changed === true
            ? `**Next**: deploy with \`bundle-url\` in a later step of this job; the content is the same as before, see [the life of a link](${(0,help/* documentation */.T)('explanation/life-of-a-link.md')}).`
            : undefined,
        (0,deployment/* deploymentSection */.x)(report.deploymentType),
    ]),
};
function facts(report, nowMs) {
    const { domain, jobId, expiresAt, dueAt, bundleBytes, bundleUrl, changed } = report;
    const time = (iso) => iso && `${(0,markdown/* formatInstant */.r4)(new Date(iso))} (${(0,markdown/* formatRelative */.om)(new Date(iso), nowMs)})`;
    return (0,markdown/* factList */.lV)([
        ['Site', domain && (0,text_escape/* codeSpan */.SS)(domain)],
        ['Export job', jobId && (0,text_escape/* codeSpan */.SS)(jobId)],
        ['Fresh link', changed === true ? 'made' : bundleUrl === undefined ? 'not made' : 'made, not delivered'],
        ['Link expires', time(expiresAt)],
        ['Next refresh due', time(dueAt)],
        ['Size', bundleBytes === undefined ? undefined : (0,markdown/* formatBytes */.z3)(bundleBytes)],
        [
            'Secret',
            dueAt === undefined ? (0,delivery_summary/* deliveryText */._)(report.secret, report.secretName !== undefined) : 'holds the stored link',
        ],
    ]);
}

;// CONCATENATED MODULE: ./build/modes/refresh/mode.js



const refreshMode = (0,execute/* defineMode */.L)({ run: runRefresh, ...refreshPresentation });


/***/ })

};
