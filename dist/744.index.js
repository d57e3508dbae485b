export const id = 744;
export const ids = [744];
export const modules = {

/***/ 4744:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   runRefresh: () => (/* binding */ runRefresh)
/* harmony export */ });
/* harmony import */ var _delivery_delivery_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(451);
/* harmony import */ var _delivery_state_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7456);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9473);
/* harmony import */ var _platform_link_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3832);
/* harmony import */ var _platform_open_export_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1724);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1065);
/* harmony import */ var _receive_bundle_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1275);







/**
 * Makes a fresh link for a finished export when the stored one expires soon. One call to the platform, no export: the
 * content stays what it was. Not due: nothing is made, written or downloaded.
 */
async function runRefresh(inputs, deps) {
    const { baseUrl, deploymentType } = inputs;
    deps.tell({ baseUrl, deploymentType, changed: false });
    await (0,_receive_bundle_js__WEBPACK_IMPORTED_MODULE_5__/* .checkReceipt */ .HF)(inputs.bundle, deps);
    const needsState = inputs.exportJobId === undefined;
    const delivery = inputs.secret && (await (0,_delivery_delivery_js__WEBPACK_IMPORTED_MODULE_0__/* .openDelivery */ .D)({ ...inputs, secret: inputs.secret, needsState }, deps));
    const state = delivery?.state.kind === 'believed' ? delivery.state.state : undefined;
    const jobId = findJob({ inputs, delivery, state });
    deps.tell({ jobId, domain: state?.domain });
    const source = { domain: state?.domain, projectId: inputs.projectId };
    const api = (0,_platform_open_export_js__WEBPACK_IMPORTED_MODULE_4__/* .openExport */ .V)({ platform: deps.platform, source });
    const waiting = notDue({ inputs, deps, state, jobId });
    if (waiting !== undefined)
        return { ...waiting, planned: inputs.dryRun ? [] : undefined };
    if (inputs.dryRun)
        return { status: 'completed', changed: false, planned: planRefresh({ inputs, api, jobId, delivery }) };
    return refresh({ inputs, deps, api, delivery, jobId });
}
function findJob({ inputs, delivery, state }) {
    const jobId = inputs.exportJobId ?? state?.jobId;
    if (jobId !== undefined)
        return jobId;
    const variable = (0,_delivery_state_js__WEBPACK_IMPORTED_MODULE_1__/* .variableName */ .cG)(inputs.secret?.name ?? '');
    const why = delivery?.state.kind === 'distrusted'
        ? `what stands there is not believed: ${delivery.state.why}`
        : 'no finished export is noted there';
    const running = state?.run?.jobId === undefined ? '' : ` An export is under way: job ${state.run.jobId}.`;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw({
        code: 'not-found',
        message: `${variable} tells of no job whose link could be made fresh: ${why}.${running}`,
        hint: 'Run mode: export with this secret first, or name a finished job:\nwith:\n  export-job-id: the id of the job',
    });
}
// A job other than the stored one is asked for by a person: that is due at once.
function notDue({ inputs, deps, state, jobId }) {
    const { refreshBeforeMs } = inputs;
    const nowMs = deps.clock.now();
    if (state?.expiresAt === undefined || state.jobId !== jobId || (0,_delivery_state_js__WEBPACK_IMPORTED_MODULE_1__/* .isDue */ .nZ)(state, { nowMs, refreshBeforeMs }))
        return undefined;
    const dueAt = new Date(Date.parse(state.expiresAt) - refreshBeforeMs);
    const reason = `The stored link is good until ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatInstant */ .r4)(new Date(state.expiresAt))}; a fresh one is due from ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatInstant */ .r4)(dueAt)}`;
    return { status: 'completed', changed: false, expiresAt: state.expiresAt, dueAt: dueAt.toISOString(), reason };
}
async function refresh({ inputs, deps, api, delivery, jobId }) {
    const { baseUrl, deploymentType } = inputs;
    deps.log.info(`Making a fresh link for export job ${jobId}. To attach another run to it, add to the step: export-job-id: ${jobId}`);
    const links = (0,_platform_link_js__WEBPACK_IMPORTED_MODULE_3__/* .createLinkMaker */ .jK)({ ...deps, api, jobId, baseUrl });
    let link = await makeLink(links, jobId);
    tellLink(deps, link);
    const origin = { domain: api.source.domain, jobId, pageCount: undefined, deploymentType };
    const received = await (0,_receive_bundle_js__WEBPACK_IMPORTED_MODULE_5__/* .receive */ .uZ)({ inputs, deps, links, link, origin });
    if (received !== undefined) {
        link = received.link;
        deps.tell({ bundle: received.facts, bundleBytes: received.facts.bytes });
        tellLink(deps, link);
        received.assertSound();
    }
    const secret = await delivery?.deliver({ jobId, link });
    return { status: 'completed', changed: true, secret };
}
function tellLink({ tell }, { url, expiresAt, sizeBytes }) {
    tell({
        bundleUrl: url,
        expiresAt: expiresAt?.toISOString(),
        ...(sizeBytes !== undefined && { bundleBytes: sizeBytes }),
    });
}
async function makeLink(links, jobId) {
    try {
        return await links.fresh();
    }
    catch (error) {
        if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw) || error.code !== 'not-found')
            throw error;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw({
            code: 'not-found',
            message: `The platform no longer knows export job ${jobId}. ${error.message}`,
            hint: 'Run mode: export again: it makes a new job and stores it. Until then the stored link works as long as it lives.',
            cause: error,
            httpStatus: error.httpStatus,
        });
    }
}
function planRefresh({ inputs, api, jobId, delivery, }) {
    const request = api.requests.link(jobId).replace(' ', ` ${inputs.baseUrl}`);
    const link = { action: 'make a bundle link', target: request };
    return [link, ...(0,_receive_bundle_js__WEBPACK_IMPORTED_MODULE_5__/* .planReceipt */ .W1)(inputs.bundle), ...(delivery?.plan() ?? [])];
}


/***/ })

};
