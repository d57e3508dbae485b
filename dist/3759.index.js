export const id = 3759;
export const ids = [3759];
export const modules = {

/***/ 3759:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AGENT_JOB_STATUSES: () => (/* binding */ AGENT_JOB_STATUSES),
/* harmony export */   BASE_PATHS: () => (/* binding */ BASE_PATHS),
/* harmony export */   PAGE_SIZE: () => (/* binding */ PAGE_SIZE),
/* harmony export */   SCORE_THRESHOLD: () => (/* binding */ SCORE_THRESHOLD),
/* harmony export */   agentJob: () => (/* binding */ agentJob),
/* harmony export */   agentMessageReply: () => (/* binding */ agentMessageReply),
/* harmony export */   exportBundle: () => (/* binding */ exportBundle),
/* harmony export */   exportJob: () => (/* binding */ exportJob),
/* harmony export */   exportJobBusy: () => (/* binding */ exportJobBusy),
/* harmony export */   exportJobStarted: () => (/* binding */ exportJobStarted),
/* harmony export */   projectExportJob: () => (/* binding */ projectExportJob),
/* harmony export */   readInstant: () => (/* binding */ readInstant),
/* harmony export */   searchResults: () => (/* binding */ searchResults)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8395);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6761);
/**
 * The platform's resources as schemas. Replies are parsed, never cast: unknown fields are left out, a field that does not
 * fit is named. Only what a decision needs is required: what the platform's
 * documentation does not mark as required may be absent, null, or of another form.
 */


const pathId = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .refine */ .YPB(_text_names_js__WEBPACK_IMPORTED_MODULE_0__/* .isPathId */ .Jf, 'must be 1 to 128 of A-Z a-z 0-9 . _ ~ - and not dots alone'));
// RFC 3339 with an offset: a local time without one could be off by half a day.
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:?\d{2})$/;
// Years 2001 to 2286 as epoch seconds (10 digits) or epoch milliseconds (13 digits).
const EPOCH_SECONDS = /^\d{10}$/;
const EPOCH_MILLISECONDS = /^\d{13}$/;
// Past it, years have six digits and a sign, which no reader of `expires-at` expects.
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/**
 * Reads a timestamp of unknown format: ISO 8601 with an offset, or epoch seconds or milliseconds as a number or as digits.
 * Anything else is `undefined`: the caller decides what a missing time means.
 */
function readInstant(value) {
    const text = typeof value === 'number' ? String(Math.trunc(value)) : typeof value === 'string' ? value.trim() : '';
    if (EPOCH_SECONDS.test(text))
        return new Date(Number(text) * 1000);
    if (EPOCH_MILLISECONDS.test(text))
        return new Date(Number(text));
    if (!ISO_INSTANT.test(text))
        return undefined;
    const time = Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
    return time <= LAST_INSTANT ? new Date(time) : undefined;
}
/**
 * A field that may be absent, null, or of a form that the platform's documentation does not show: then it is `undefined`.
 * What is shown to people but decides nothing must never make a reply useless.
 */
function maybe(schema) {
    return zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ["catch"] */ .MfU(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(schema), undefined);
}
const instant = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .transform */ .pdi(readInstant));
const exportJobStarted = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ jobId: pathId });
/** A start that is refused since another export runs. Documented is `error` alone; an id is used where there is one. */
const exportJobBusy = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ error: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()), jobId: maybe(pathId) }), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .transform */ .pdi((busy) => ({ busy })));
/** `status` is free text: only `completed` and `failed` end the job, anything else means "not yet". */
const exportJob = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    jobId: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
    status: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    /** Type and unit are not shown everywhere: `readFractions` makes sense of it. */
    progress: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
    pageCount: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
    createdAt: instant,
    updatedAt: instant,
    /** The reason of a failed job; sanitised before it is shown. */
    error: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
});
const exportBundle = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    jobId: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
    bundleUrl: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    expiresAt: instant,
    /** A hint for progress and disk space where it is given and sensible. */
    sizeBytes: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
});
/** A job of the revision by project: once it is completed, its own reply carries the link, a secret. */
const projectExportJob = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .extend */ .X$i(exportJob, {
    bundleUrl: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    expiresAt: instant,
    sizeBytes: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
});
/** What `basePath` may be. */
const BASE_PATHS = ['', '/docs', '/documentation'];
const AGENT_JOB_STATUSES = ['active', 'completed', 'archived', 'failed'];
const agentJobDetails = {
    model: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    /** Documented both as null and as absent until there is one. */
    prLink: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    createdAt: instant,
    archivedAt: instant,
};
const agentJob = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    id: pathId,
    // The documented values are AGENT_JOB_STATUSES; another one is "not yet known", so that a new state breaks nothing.
    status: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    source: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ repository: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), ref: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()) }),
    ...agentJobDetails,
});
/** The reply to a message. The message was accepted whatever the reply leaves out, so that no field is required. */
const agentMessageReply = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    id: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    status: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    source: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ repository: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()), ref: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()) })),
    ...agentJobDetails,
});
const searchResult = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    content: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    path: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    metadata: maybe(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J())),
});
const searchResults = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(searchResult);
const PAGE_SIZE = { min: 1, max: 50 };
const SCORE_THRESHOLD = { min: 0, max: 1 };


/***/ })

};
