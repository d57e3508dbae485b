export const id = 192;
export const ids = [192];
export const modules = {

/***/ 192:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   endLeftoversOnSchedule: () => (/* binding */ endLeftoversOnSchedule)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _forges_own_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7210);
/* harmony import */ var _leftovers_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8599);
/* harmony import */ var _mode_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7101);
/* harmony import */ var _status_record_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5267);





const DAY_MS = 24 * 3_600_000;
/** Older ones are ended by the next command on their pull request. */
const SINCE_MS = 7 * DAY_MS;
const MOST_COMMENTS = 100;
/**
 * On a schedule, whatever the mode: ends status comments of killed runs among the repository's latest comments. Takes what the
 * step has: the admin key for the records, the project for the jobs, the token of the job for the comments. Never fails.
 */
async function endLeftoversOnSchedule(inputs, githubToken, context) {
    const { run, log, clock } = context;
    const keys = keysOf(inputs);
    const hasComments = ['github', 'gitea', 'forgejo'].includes(run.kind);
    if (keys === undefined || !hasComments)
        return;
    try {
        const deps = await (0,_mode_js__WEBPACK_IMPORTED_MODULE_2__.connectForge)({ ...context, record: () => { } });
        const forge = await deps.forge.connect({ main: githubToken, ranks: undefined });
        const recent = await forge.recentComments(new Date(clock.now() - SINCE_MS), MOST_COMMENTS);
        const marked = recent.filter(({ body }) => (0,_status_record_js__WEBPACK_IMPORTED_MODULE_3__/* .holdsMarker */ .Fx)(body));
        const found = marked.flatMap((comment) => {
            const place = (0,_leftovers_js__WEBPACK_IMPORTED_MODULE_1__/* .placeOf */ .$t)({ ...keys, deps }, comment.pullNumber);
            return (0,_leftovers_js__WEBPACK_IMPORTED_MODULE_1__/* .unfinished */ .M1)((0,_leftovers_js__WEBPACK_IMPORTED_MODULE_1__/* .recordedIn */ .AK)(place, comment), comment.pullNumber);
        });
        if (found.length === 0)
            return;
        const own = await forge.whoWeAre();
        const ours = found.filter(({ comment }) => (0,_forges_own_js__WEBPACK_IMPORTED_MODULE_4__/* .isOwn */ .N)(comment, own));
        await (0,_leftovers_js__WEBPACK_IMPORTED_MODULE_1__/* .endLeftovers */ .q9)({ deps, forge, own, token: githubToken, ...keys }, ours);
    }
    catch (error) {
        if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw))
            throw error;
        log.debug(`Status comments that killed runs may have left were not looked for: ${error.message}`);
    }
}
function keysOf(inputs) {
    if (!('adminApiKey' in inputs) || !('projectId' in inputs) || ('dryRun' in inputs && inputs.dryRun))
        return undefined;
    const { adminApiKey, projectId } = inputs;
    return adminApiKey === undefined || projectId === undefined ? undefined : { adminApiKey, projectId };
}


/***/ })

};
