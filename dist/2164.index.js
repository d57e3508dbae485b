export const id = 2164;
export const ids = [2164,3759];
export const modules = {

/***/ 6171:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   N_: () => (/* binding */ replaceConfinedFile),
/* harmony export */   p7: () => (/* binding */ readConfinedFile),
/* harmony export */   pS: () => (/* binding */ shownPath)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7406);
/* harmony import */ var _http_service_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4541);





/** The path as people know it: below the workspace, with forward slashes; as it is where it lies elsewhere. */
function shownPath(path, workspace) {
    const below = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(workspace, path);
    return isInside(below) ? below.split(node_path__WEBPACK_IMPORTED_MODULE_2__.sep).join('/') : path;
}
function isInside(below) {
    return below !== '' && below !== '..' && !below.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_2__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(below);
}
/**
 * The text of a file that a stranger may have put there: a regular file, reached by no link that leads out of `folders`, at
 * most `maxBytes` long, in UTF-8. undefined when nothing is at the path; `config` for anything else. No message holds
 * any of the content.
 */
async function readConfinedFile(request) {
    const real = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(request.path).catch((error) => {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error))
            return undefined;
        throw refusal(request, 'cannot be read', error);
    });
    if (real === undefined)
        return undefined;
    await requireInside(real, request);
    // Without O_NONBLOCK, opening a FIFO waits for its writer for ever. O_NOFOLLOW is missing on Windows and then 0.
    const flags = node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_RDONLY | (node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NONBLOCK ?? 0) | (node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NOFOLLOW ?? 0);
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(real, flags).catch((error) => {
        throw refusal(request, 'cannot be read', error);
    });
    try {
        await requireSame(file, request, real);
        return decodeText(await readBytes(file, request), request);
    }
    finally {
        await file.close();
    }
}
/**
 * Replaces such a file in one step; its folder is made where it is missing. Nothing is written through a link that leads out of
 * `folders`. Throws `config` for a path that is none of ours, `io` where the disk refuses.
 */
async function replaceConfinedFile(request, text) {
    const { path } = request;
    const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path);
    try {
        await requireInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(await deepestFolder(folder)), 'file'), request);
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)(folder, { recursive: true });
        await requireInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(folder), 'file'), request);
        const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(path).catch(() => undefined);
        if (found !== undefined && !found.isFile())
            throw refusal(request, 'is not a regular file');
        await replaceFile(path, text);
    }
    catch (cause) {
        if (cause instanceof _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw)
            throw cause;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw({
            code: 'io',
            message: `${request.input}: ${shownPath(path, request.folders[0]?.path ?? folder)} cannot be written: ${(0,_http_service_js__WEBPACK_IMPORTED_MODULE_4__/* .systemCodes */ .oQ)(cause)[0] ?? 'unknown error'}.`,
            hint: 'Check that the disk is not full, and that the folder may be written to.',
            cause,
        });
    }
}
/** The nearest folder above that is there. */
async function deepestFolder(folder) {
    const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(folder).catch(() => undefined);
    return found !== undefined || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(folder) === folder ? folder : deepestFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(folder));
}
async function replaceFile(path, text) {
    const fresh = `${path}.${process.pid}.new`;
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.writeFile)(fresh, text, { flag: 'wx' });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rename)(fresh, path);
    }
    catch (error) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rm)(fresh, { force: true });
        throw error;
    }
}
async function requireInside(real, request) {
    const roots = await Promise.all(request.folders.map(({ path }) => (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(path).catch(() => path)));
    if (roots.some((root) => isInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(root, real))))
        return;
    const names = request.folders.map(({ name }) => name).join(' or ');
    throw refusal(request, `is not in the ${names}, or a symbolic link leads out of it`);
}
// A folder on the way may have become a link between the look at the path and the opening: then it is another file.
async function requireSame(file, request, real) {
    const [opened, again, named] = await Promise.all([file.stat(), (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(request.path), (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(request.path)]).catch((error) => {
        throw refusal(request, 'cannot be read', error);
    });
    if (!opened.isFile())
        throw refusal(request, 'is not a regular file');
    if (again !== real || opened.ino !== named.ino || opened.dev !== named.dev) {
        throw refusal(request, 'was replaced while it was being read');
    }
    if (opened.size > request.maxBytes)
        throw tooLarge(request);
}
async function readBytes(file, request) {
    const bytes = new Uint8Array(request.maxBytes + 1);
    let length = 0;
    for (;;) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
        length += bytesRead;
        if (length > request.maxBytes)
            throw tooLarge(request);
        if (bytesRead === 0)
            return bytes.subarray(0, length);
    }
}
function decodeText(bytes, request) {
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch (error) {
        throw refusal(request, 'is not UTF-8 text', error);
    }
}
function tooLarge(request) {
    return refusal(request, `is larger than ${Math.floor(request.maxBytes / 1024).toLocaleString('en-US')} KiB`);
}
function refusal({ input, path, folders }, problem, cause) {
    const shown = folders[0] === undefined ? path : shownPath(path, folders[0].path);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw({
        code: 'config',
        message: `${input}: ${shown} ${problem}.`,
        hint: `Give ${input} the path of a regular file inside the workspace.`,
        cause,
    });
}


/***/ }),

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


/***/ }),

/***/ 2164:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  searchMode: () => (/* binding */ searchMode)
});

// EXTERNAL MODULE: ./build/src/run/finish.js
var finish = __webpack_require__(4104);
// EXTERNAL MODULE: ./build/src/confined-files.js
var confined_files = __webpack_require__(6171);
// EXTERNAL MODULE: ./build/src/errors.js
var src_errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
// EXTERNAL MODULE: ./build/src/search/queries.js
var search_queries = __webpack_require__(9218);
;// CONCATENATED MODULE: ./build/src/search/baseline.js




const MAX_BASELINE_BYTES = 16 * 1024 * 1024;
const earlierOutcome = schemas/* object */.Ikc({
    query: schemas/* string */.YjP(),
    filter: schemas/* optional */.lqM(schemas/* object */.Ikc({
        version: schemas/* optional */.lqM(schemas/* string */.YjP()),
        language: schemas/* optional */.lqM(schemas/* string */.YjP()),
        tag: schemas/* optional */.lqM(schemas/* string */.YjP()),
        groups: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* string */.YjP())),
    })),
    verdict: schemas/* enum */.k5n(['pass', 'miss', 'error']),
    rank: schemas/* optional */.lqM(schemas/* number */.aig()),
});
const earlierReport = schemas/* object */.Ikc({ version: schemas/* literal */.euz(1), mode: schemas/* literal */.euz('search'), queries: schemas/* array */.YOg(earlierOutcome) });
/** The report of an earlier run from its JSON; `config` when it is anything else. `path` is for messages. */
function parseBaseline(text, path) {
    const parsed = earlierReport.safeParse((0,json/* parseJson */.qF)(text));
    if (parsed.success)
        return parsed.data.queries;
    throw new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `baseline-file: ${path} is not the report of an earlier search run.`,
        hint: 'Remove the file and let baseline-update make a new one, or give the file that the output report-path of a search run names.',
    });
}
/** What a later run compares with: as much of the report as `parseBaseline` reads. */
function formatBaseline(outcomes) {
    const queries = outcomes.map(({ query, filter, verdict, rank }) => ({ query, filter, verdict, rank }));
    return `${JSON.stringify({ version: 1, mode: 'search', queries })}\n`;
}
/** Larger is better: a pass before a miss, then by rank; no rank comes after every rank. */
function compareOutcomes(before, now) {
    if (before.verdict !== now.verdict)
        return now.verdict === 'pass' ? 1 : -1;
    const [was, is] = [before.rank ?? Number.POSITIVE_INFINITY, now.rank ?? Number.POSITIVE_INFINITY];
    return was === is ? 0 : was - is;
}
/** What the earlier run did not have and this one missed. */
function newMissesOf(earlier, outcomes) {
    return newOutcomes(earlier, outcomes).filter(({ verdict }) => verdict === 'miss');
}
function newOutcomes(earlier, outcomes) {
    const before = new Set(earlier.map(search_queries/* queryIdentity */.DF));
    return outcomes.filter((outcome) => !before.has((0,search_queries/* queryIdentity */.DF)(outcome)));
}
/** Queries are matched by text and filter (queryIdentity). */
function compareRuns(earlier, outcomes) {
    const before = new Map(earlier.map((outcome) => [(0,search_queries/* queryIdentity */.DF)(outcome), outcome]));
    const current = new Set(outcomes.map(search_queries/* queryIdentity */.DF));
    const pairs = outcomes.flatMap((now) => {
        const was = before.get((0,search_queries/* queryIdentity */.DF)(now));
        return was === undefined ? [] : [{ was, now }];
    });
    const comparable = pairs.filter(({ was, now }) => was.verdict !== 'error' && now.verdict !== 'error');
    const changes = comparable.map(({ was, now }) => ({ order: compareOutcomes(was, now), change: toChange(was, now) }));
    return {
        better: changes.filter(({ order }) => order > 0).map(({ change }) => change),
        worse: changes.filter(({ order }) => order < 0).map(({ change }) => change),
        added: newOutcomes(earlier, outcomes).map(({ query }) => query),
        newMisses: newMissesOf(earlier, outcomes).map(({ query }) => query),
        gone: earlier.filter((outcome) => !current.has((0,search_queries/* queryIdentity */.DF)(outcome))).map(({ query }) => query),
        same: changes.filter(({ order }) => order === 0).length,
        notComparable: pairs.length - comparable.length,
    };
}
function toChange(was, now) {
    return {
        query: now.query,
        ...(now.filter !== undefined && { filter: now.filter }),
        before: { verdict: was.verdict, rank: was.rank },
        now: { verdict: now.verdict, rank: now.rank },
    };
}

;// CONCATENATED MODULE: ./build/src/search/baseline-step.js



/** The earlier run that this one is compared with; undefined where there is none. */
async function readBaseline(inputs, { run, log }) {
    if (inputs.baselineFile === undefined)
        return undefined;
    const text = await (0,confined_files/* readConfinedFile */.p7)(fileOf(inputs.baselineFile, run));
    const name = (0,confined_files/* shownPath */.pS)(inputs.baselineFile, run.workspace);
    if (text !== undefined)
        return parseBaseline(text, name);
    // The first run of a workflow has no earlier one.
    const verdict = inputs.failOn === 'worse' ? ' Every query that misses fails this run.' : '';
    log.warning(`baseline-file: ${name} does not exist, so nothing is compared.${verdict}`);
    return undefined;
}
/**
 * Writes what this run found as the next baseline, where the inputs ask for it. `verdict`: what the run ends with; a file that
 * cannot be written does not hide it. Throws `io`.
 */
async function updateBaseline(inputs, around, { outcomes, verdict }) {
    const { baselineFile } = inputs;
    if (baselineFile === undefined || !isDue(inputs, around))
        return;
    const { run, log } = around;
    const name = (0,confined_files/* shownPath */.pS)(baselineFile, run.workspace);
    if (inputs.dryRun)
        return log.info(`A run without dry-run would make this the next baseline: ${name}`);
    if (outcomes.some(({ verdict }) => verdict === 'error')) {
        log.warning(`baseline-file: ${name} stays as it is, because some queries could not be run.`);
        return;
    }
    try {
        await (0,confined_files/* replaceConfinedFile */.N_)(fileOf(baselineFile, run), formatBaseline(outcomes));
        log.info(`This run is the next baseline: ${name}`);
    }
    catch (error) {
        if (verdict === undefined)
            throw error;
        log.warning((0,src_errors/* toCourierError */.tR)(error).message);
    }
}
function isDue({ baselineUpdate }, { run, log }) {
    if (baselineUpdate !== 'default-branch')
        return baselineUpdate === 'always';
    const { isDefaultBranch, changeRequestVariable, cause } = run;
    const isChange = cause === 'change-request' || cause === 'comment' || changeRequestVariable !== undefined;
    if (isDefaultBranch === undefined && !isChange) {
        log.warning('baseline-update: default-branch does nothing here, because this CI system does not say whether the run is for the default branch. Set baseline-update: always in the job for that branch.');
    }
    return isDefaultBranch === true && !isChange;
}
function fileOf(path, { workspace, temp }) {
    const folders = [
        { name: 'workspace', path: workspace },
        { name: 'RUNNER_TEMP', path: temp },
    ];
    return { path, input: 'baseline-file', folders, maxBytes: MAX_BASELINE_BYTES };
}

// EXTERNAL MODULE: ./build/src/search/verdict.js + 1 modules
var verdict = __webpack_require__(9621);
// EXTERNAL MODULE: ./build/src/search/wording.js
var wording = __webpack_require__(3750);
;// CONCATENATED MODULE: ./build/src/search/gate.js





/** Which queries fail a run: those that missed or, with `fail-on: worse`, those that are worse than in the earlier run. */
class Gate {
    #worse;
    /** Without an earlier run, every miss counts: a check that compares with nothing would pass for ever. */
    constructor({ failOn }, comparison) {
        if (failOn !== 'worse' || comparison === undefined)
            return;
        this.#worse = new Map(comparison.worse.map((change) => [(0,search_queries/* queryIdentity */.DF)(change), change]));
    }
    fails(outcome) {
        if (outcome.verdict === 'error')
            return true;
        return this.#worse === undefined ? outcome.verdict === 'miss' : this.#worse.has((0,search_queries/* queryIdentity */.DF)(outcome));
    }
    /** What became of a query that failed or missed, in a sentence. */
    text(outcome) {
        const change = this.#worse?.get((0,search_queries/* queryIdentity */.DF)(outcome));
        if (change === undefined)
            return (0,wording/* outcomeText */.EL)(outcome);
        const worse = `“${outcome.query}” got worse: ${(0,wording/* resultText */.D6)(change.before)} before, ${(0,wording/* resultText */.D6)(change.now)} now.`;
        return outcome.verdict === 'miss' ? `${worse} ${(0,wording/* outcomeText */.EL)(outcome)}` : worse;
    }
    /**
     * What the run ends with; undefined: it passes. Where some queries could not be run, the code of the first of them, whatever
     * the others gave: a miss blames the documentation, and such a run cannot know.
     */
    verdict(outcomes) {
        const { missed, errors, queries } = (0,verdict/* totalOutcomes */.U)(outcomes);
        const error = outcomes.find((outcome) => outcome.error !== undefined)?.error;
        if (error !== undefined) {
            const message = queries === 1
                ? `The query could not be run. ${error.message}`
                : `${errors} of ${queries} queries could not be run, ${missed} missed. The first error: ${error.message}`;
            return new src_errors/* CourierError */.Yw({ ...error, message });
        }
        const failed = outcomes.filter((outcome) => this.fails(outcome)).length;
        if (failed === 0)
            return undefined;
        const all = `${failed} of ${(0,markdown/* countOf */.pq)(queries, 'query', 'queries')}`;
        return this.#worse === undefined
            ? new src_errors/* CourierError */.Yw({
                code: 'checks-failed',
                message: `${all} missed.`,
                hint: 'What was found instead is listed for each query. Right after a publish, give the index time with wait-for-index.',
            })
            : new src_errors/* CourierError */.Yw({
                code: 'checks-failed',
                message: `${all} got worse since the earlier run.`,
                hint: 'The summary shows their ranks before and now. If the change is meant, make a new baseline: run once with fail-on: missed and baseline-update: always.',
            });
    }
}

// EXTERNAL MODULE: ./build/src/text/names.js
var names = __webpack_require__(6761);
// EXTERNAL MODULE: ./build/src/yaml.js
var yaml = __webpack_require__(4978);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
// EXTERNAL MODULE: ./build/src/platform/contract.js
var contract = __webpack_require__(3759);
;// CONCATENATED MODULE: ./build/src/search/queries-schema.js
/**
 * The queries file as a schema: what a key is called, what kind of value it takes, and its bounds. What one schema cannot
 * say (two keys that must agree) is in queries-file.ts. `schemas/queries-file.schema.json` is made from this file.
 */


/** Most queries in one file: far above what one run may request, and low enough to check in an instant. */
const MAX_QUERIES = 5000;
const MAX_TEXT = 1000;
const MAX_LIST = 50;
function queries_schema_text(description, maxLength = MAX_TEXT) {
    return schemas/* string */.YjP().check(api/* _maxLength */.Eb(maxLength), api/* _regex */.Fk(/\S/), schemas/* meta */.mIj({ description }));
}
function list(description) {
    return schemas/* optional */.lqM(schemas/* array */.YOg(queries_schema_text('Text, taken literally.')).check(api/* _minLength */.m9(1), api/* _maxLength */.Eb(MAX_LIST), schemas/* meta */.mIj({ description })));
}
const expectationSchema = schemas/* strictObject */.rej({
    paths: list('Pages that must be among the results. Scheme, host, a trailing slash, `.html`, query and fragment do not matter.'),
    within: schemas/* optional */.lqM(schemas/* int */.Whr().check(api/* _gte */.qm(1), api/* _lte */.Zm(contract.PAGE_SIZE.max), schemas/* meta */.mIj({
        description: 'Each of `paths` must be among the first this many results. All results when left out.',
    }))),
    absent: list('Pages that must not be among the results.'),
    'min-results': schemas/* optional */.lqM(schemas/* int */.Whr()
        .check(api/* _gte */.qm(0), api/* _lte */.Zm(contract.PAGE_SIZE.max), schemas/* meta */.mIj({ description: 'Minimum number of results. The input `min-results` when left out.' }))),
    snippets: list('Texts, each of which must be in the snippet of some result, letter for letter; only runs of white space count as one space.'),
})
    .check(schemas/* meta */.mIj({ description: 'What the results must be like for the query to pass.' }));
const filterSchema = schemas/* strictObject */.rej({
    version: schemas/* optional */.lqM(queries_schema_text('Only results of this documentation version.')),
    language: schemas/* optional */.lqM(queries_schema_text('Only results in this language.')),
    tag: schemas/* optional */.lqM(queries_schema_text('Only results with this tag.')),
    groups: list('Only results of pages that one of these groups may read.'),
})
    .check(schemas/* meta */.mIj({ description: 'Narrows the results. A key that is left out comes from the inputs `filter-…`.' }));
/** One query of the file. */
const queryEntrySchema = schemas/* strictObject */.rej({
    query: queries_schema_text('What a reader would type.'),
    'page-size': schemas/* optional */.lqM(schemas/* int */.Whr()
        .check(api/* _gte */.qm(contract.PAGE_SIZE.min), api/* _lte */.Zm(contract.PAGE_SIZE.max), schemas/* meta */.mIj({ description: 'Number of results to ask for. The input `page-size` when left out.' }))),
    'score-threshold': schemas/* optional */.lqM(schemas/* number */.aig()
        .check(api/* _gte */.qm(contract.SCORE_THRESHOLD.min), api/* _lte */.Zm(contract.SCORE_THRESHOLD.max), schemas/* meta */.mIj({ description: 'Minimum relevance of a result. The input `score-threshold` when left out.' }))),
    filter: schemas/* optional */.lqM(filterSchema),
    expect: schemas/* optional */.lqM(expectationSchema),
});
const queriesFileSchema = schemas/* strictObject */.rej({
    $schema: schemas/* optional */.lqM(schemas/* string */.YjP().check(schemas/* meta */.mIj({ description: 'Address of this schema, for editors.' }))),
    queries: schemas/* array */.YOg(queryEntrySchema)
        .check(api/* _minLength */.m9(1), api/* _maxLength */.Eb(MAX_QUERIES), schemas/* meta */.mIj({ description: 'The queries to run.' })),
})
    .check(schemas/* meta */.mIj({
    title: 'Docs Courier queries file',
    description: 'Queries for the search of published documentation, each with what its results must be like.',
}));

;// CONCATENATED MODULE: ./build/src/search/queries-file.js







const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FINDINGS = 50;
/** The queries of a file in YAML or JSON, or all that is wrong with it, each with its line and column. */
async function readQueriesFile({ text, defaults }) {
    const document = await (0,yaml/* parseYaml */.h)(text);
    if (document.findings.length > 0)
        return { queries: [], findings: inOrder(document.findings) };
    const parsed = queriesFileSchema.safeParse(document.value, { reportInput: true });
    const entries = readEntries(document.value);
    const queries = entries.map(({ entry, index }) => ({
        ...createQuery(entry, defaults),
        index,
        line: document.place(['queries', index, 'query']).line,
    }));
    const findings = inOrder([
        ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => findingsOf(issue, document.place))),
        ...entries.flatMap(({ entry, index }) => disagreements({ entry, index, defaults, place: document.place })),
        ...duplicates(queries, document.place),
    ]);
    if (findings.length > 0)
        return { queries: [], findings };
    return { queries: queries.map(({ request, expectation, line }) => ({ request, expectation, line })), findings };
}
function inOrder(findings) {
    return findings.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
/** The entries that are right by themselves: what is wrong between them is reported together with what is wrong in others. */
function readEntries(value) {
    const list = schemas/* object */.Ikc({ queries: schemas/* array */.YOg(schemas/* unknown */.L5J()) }).safeParse(value).data?.queries ?? [];
    return list.slice(0, MAX_QUERIES).flatMap((item, index) => {
        const parsed = queryEntrySchema.safeParse(item);
        return parsed.success ? [{ entry: parsed.data, index }] : [];
    });
}
function createQuery(entry, defaults) {
    const { expect } = entry;
    return {
        request: (0,search_queries/* createRequest */.WL)({
            query: entry.query,
            pageSize: entry['page-size'] ?? defaults.pageSize,
            scoreThreshold: entry['score-threshold'] ?? defaults.scoreThreshold,
            filter: {
                version: entry.filter?.version ?? defaults.filter.version,
                language: entry.filter?.language ?? defaults.filter.language,
                tag: entry.filter?.tag ?? defaults.filter.tag,
                groups: entry.filter?.groups ?? defaults.filter.groups,
            },
        }),
        expectation: {
            paths: expect?.paths ?? [],
            within: expect?.within,
            absent: expect?.absent ?? [],
            minResults: expect?.['min-results'] ?? defaults.minResults,
            snippets: expect?.snippets ?? [],
        },
    };
}
/** Keys that are right alone and can never be met together. */
function disagreements({ entry, index, defaults, place }) {
    const { within, paths } = entry.expect ?? {};
    const minResults = entry.expect?.['min-results'] ?? defaults.minResults;
    const pageSize = entry['page-size'] ?? defaults.pageSize ?? search_queries/* DEFAULT_PAGE_SIZE */.yQ;
    const findings = [];
    const add = (key, problem) => {
        const path = ['queries', index, 'expect', key];
        findings.push({ ...place(path), problem: `${showPath(path)}: ${problem}` });
    };
    if (within !== undefined && paths === undefined)
        add('within', 'says nothing without `paths`');
    if (within !== undefined && within > pageSize)
        add('within', `only ${pageSize} results are requested: raise page-size`);
    if (minResults > pageSize) {
        add('min-results', `only ${pageSize} results are requested: raise page-size`);
    }
    return findings;
}
function duplicates(queries, place) {
    const firstLines = new Map();
    return queries.flatMap(({ request, line, index }) => {
        const identity = (0,search_queries/* queryIdentity */.DF)(request);
        if (!firstLines.has(identity)) {
            firstLines.set(identity, line);
            return [];
        }
        const path = ['queries', index, 'query'];
        const first = firstLines.get(identity);
        return [{ ...place(path), problem: `${showPath(path)}: the same query with the same filter is on line ${first}` }];
    });
}
/** `queries[3].expect.within`. */
function showPath(path) {
    return path
        .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
        .join('')
        .replace(/^\./, '');
}
function findingsOf(issue, place) {
    const path = issue.path.filter((key) => typeof key !== 'symbol');
    if (issue.code === 'unrecognized_keys') {
        return issue.keys.map((key) => ({
            ...place([...path, key]),
            problem: `${showPath(path) || 'the file'}: ${unknownKey(key, keysAt(path))}`,
        }));
    }
    return [{ ...place(path), problem: `${showPath(path) || 'the file'}: ${describeIssue(issue)}` }];
}
// The keys of each level, by the last name of its path.
const KEYS = {
    '': Object.keys(queriesFileSchema.shape),
    queries: Object.keys(queryEntrySchema.shape),
    expect: Object.keys(expectationSchema.shape),
    filter: Object.keys(filterSchema.shape),
};
function keysAt(path) {
    return path.findLast((key) => typeof key === 'string') ?? '';
}
// A key of a file that was never meant to be a queries file may be anything; only what looks like a word is shown.
function unknownKey(key, level) {
    const meant = (0,names/* guess */.Iw)(key, KEYS[level] ?? []);
    const shown = /^[a-z]+([-_][a-z]+)*$/i.test(key) && key.length <= 24 ? `unknown key ${key}` : 'unknown key';
    if (meant !== undefined)
        return `${shown}: did you mean ${meant}?`;
    const home = Object.keys(KEYS).find((name) => KEYS[name]?.includes(key));
    return home === undefined || home === '' ? shown : `${shown}: it belongs under ${home}`;
}
const KINDS = {
    string: 'a text (in quotes where it looks like a number)',
    int: 'a whole number',
    number: 'a number',
    array: 'a list',
    object: 'a mapping of keys, such as `query: text` with a blank after the colon',
};
function describeIssue(issue) {
    switch (issue.code) {
        case 'invalid_type':
            return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
        case 'too_small':
            return bound('at least', issue.minimum, issue.origin);
        case 'too_big':
            return bound('at most', issue.maximum, issue.origin);
        case 'invalid_format':
            return 'must not be empty';
        default:
            return 'is not valid';
    }
}
function bound(relation, limit, origin) {
    if (origin === 'array')
        return `must have ${relation} ${(0,markdown/* countOf */.pq)(Number(limit), 'entry', 'entries')}`;
    return `must be ${relation} ${limit}${origin === 'string' ? ' characters long' : ''}`;
}
/**
 * The findings of a file as one `config` error, a line each: file, line, column, key and what is allowed; nothing else of the
 * content, since the file may be any file of a stranger's choice.
 */
function invalidQueriesFile(name, findings) {
    // The parser reports each level of a broken nesting at the same place.
    const all = [...new Set(findings.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`))];
    const lines = all.slice(0, MAX_FINDINGS);
    const more = all.length > MAX_FINDINGS ? [`and ${all.length - MAX_FINDINGS} more`] : [];
    return new src_errors/* CourierError */.Yw({
        code: 'config',
        message: ['The queries file is not valid.', ...lines, ...more].join('\n'),
        hint: 'A queries file looks like this:\nqueries:\n  - query: how do I rotate the link\n    expect:\n      paths: [/guides/rotate]\n      within: 3',
    });
}

;// CONCATENATED MODULE: ./build/src/search/runner.js



/** Requests under way at once: enough to be quick, few enough for a service that others use too. */
const CONCURRENCY = 6;
const FIRST_WAIT_MS = 2000;
const WAIT_GROWTH = 1.5;
const LONGEST_INTERVAL_MS = 30_000;
// Errors of the key, the site or the organization's limit: each further request would fail alike.
const ENDS_THE_RUN = new Set([
    'unauthorized',
    'forbidden',
    'not-found',
    'rate-limited',
    'cancelled',
]);
/** Queries in a row without a connection after which the platform counts as down. */
const MAX_FAILURES_IN_A_ROW = 10;
/**
 * Runs all queries once and then, within `waitForIndexMs`, again those that missed. Identical requests of a round are made
 * once. Throws `config` before the first request when there are more queries than `maxRequests`, and the error itself when
 * the platform refuses the key, the site or any more requests, or is down; other errors become the verdict of their query.
 */
async function runQueries(init) {
    const { queries, clock, signal } = init;
    requireEnough(init);
    const deadlineMs = clock.monotonicMs() + (init.waitForIndexMs ?? 0);
    const board = { outcomes: new Map(), results: undefined, requestCount: 0, roundCount: 0 };
    let state = await runRound({ init, queries, board });
    let pending = queries.filter((query) => board.outcomes.get(query)?.verdict === 'miss');
    for (let waitMs = FIRST_WAIT_MS; pending.length > 0; waitMs = Math.min(waitMs * WAIT_GROWTH, LONGEST_INTERVAL_MS)) {
        const leftMs = deadlineMs - clock.monotonicMs();
        if (leftMs <= 0)
            break;
        const affordable = pending.slice(0, init.maxRequests - state.requestCount);
        if (affordable.length === 0)
            return { ...state, outOfRequests: true };
        const sleepMs = Math.min(waitMs, leftMs);
        init.onWait?.({ missed: pending.length, waitMs: sleepMs });
        await clock.sleep(sleepMs, signal);
        state = await runRound({ init, queries: affordable, board });
        // A query that missed and then could not be asked is asked again: it may still pass.
        pending = pending.filter((query) => board.outcomes.get(query)?.verdict !== 'pass');
    }
    return state;
}
function requireEnough({ queries, maxRequests }) {
    const needed = groupByRequest(queries).length;
    if (needed <= maxRequests)
        return;
    throw new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `There are ${needed} queries to run, and max-requests allows ${maxRequests} requests. Nothing was sent.`,
        hint: `Raise max-requests to at least ${needed}; waiting for the index needs more. The organization shares 10,000 search requests an hour.`,
    });
}
async function runRound({ init, queries, board }) {
    const ask = createAsk(init);
    board.roundCount += 1;
    const finish = (end) => {
        const outcomes = init.queries.map((query) => board.outcomes.get(query) ?? (0,verdict/* judgeAnswer */._)(query, notAsked(end)));
        const { results, requestCount, roundCount } = board;
        const run = { outcomes, results, requestCount, roundCount, outOfRequests: false };
        init.onRound?.(run);
        return run;
    };
    try {
        await forEachLimited(groupByRequest(queries), async ({ request, group }) => {
            board.requestCount += 1;
            const answer = await ask(request);
            for (const query of group)
                board.outcomes.set(query, (0,verdict/* judgeAnswer */._)(query, answer));
            if (init.queries.length === 1 && answer.ok)
                board.results = answer.results;
        });
    }
    catch (error) {
        finish(error instanceof src_errors/* CourierError */.Yw ? error : undefined);
        throw error;
    }
    return finish();
}
function groupByRequest(queries) {
    const groups = new Map();
    for (const query of queries) {
        const key = (0,search_queries/* requestKey */.lq)(query.request);
        const known = groups.get(key);
        if (known)
            known.group.push(query);
        else
            groups.set(key, { request: query.request, group: [query] });
    }
    return [...groups.values()];
}
/** What takes the place of an answer when the run ended before it came; `end` is what ended the run. */
function notAsked(end) {
    return {
        ok: false,
        error: { code: end?.code ?? 'cancelled', message: 'The run ended before this query was answered.' },
    };
}
function createAsk(init) {
    let failuresInARow = 0;
    return async (request) => {
        const answer = await askOnce(init, request);
        failuresInARow = !answer.ok && answer.error.code === 'network' ? failuresInARow + 1 : 0;
        if (failuresInARow >= MAX_FAILURES_IN_A_ROW && !answer.ok)
            throw new src_errors/* CourierError */.Yw(answer.error);
        return answer;
    };
}
async function askOnce({ platform, domain }, request) {
    try {
        return { ok: true, results: (await platform.search(domain, request)).value };
    }
    catch (error) {
        if (!(error instanceof src_errors/* CourierError */.Yw) || ENDS_THE_RUN.has(error.code))
            throw error;
        return { ok: false, error: { code: error.code, message: error.message, hint: error.hint && (0,src_errors/* hintText */.dx)(error.hint) } };
    }
}
/**
 * Runs `task` on all items, CONCURRENCY at a time. The first error stops further items from being begun; it is thrown when
 * those under way have ended, so that nothing goes on behind the caller's back.
 */
async function forEachLimited(items, task) {
    const failures = [];
    const queue = items.values();
    const work = async () => {
        for (const item of queue) {
            if (failures.length > 0)
                return;
            await task(item).catch((error) => failures.push(error));
        }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (failures.length > 0)
        throw failures[0];
}

;// CONCATENATED MODULE: ./build/src/search/search.js












// A step shows ten annotations; the last is for the error that ends the run.
const MAX_ANNOTATIONS = 9;
const MAX_SNIPPET = 160;
const VERDICTS = { pass: 'passed', miss: 'missed', error: 'could not be run' };
const TITLES = { pass: 'Search got worse', miss: 'Search miss', error: 'Search error' };
/**
 * Searches published documentation: one query, or a file of queries with expectations. Throws what `Gate.verdict` gives.
 * Nothing is changed on the platform, so dry-run makes no difference there: it keeps the comment alone from being written.
 */
async function runSearch(inputs, deps) {
    deps.record({ domain: inputs.domain });
    const queries = await readQueries(inputs, deps);
    const earlier = await readBaseline(inputs, deps);
    warnOfEmptyExpectations(queries, inputs, deps);
    const toFacts = (run) => createFacts({ inputs, deps, run, earlier });
    const run = await runQueries({
        ...deps,
        ...inputs,
        queries,
        onWait: ({ missed, waitMs }) => deps.log.info(`${(0,markdown/* countOf */.pq)(missed, 'query', 'queries')} missed; asking again in ${(0,markdown/* formatDuration */.a3)(waitMs)}.`),
        onRound: (state) => deps.record(toFacts(state)),
    });
    logResults(inputs, deps, run);
    if (run.outOfRequests) {
        deps.log.warning(`Waiting for the index ended early: max-requests (${inputs.maxRequests}) is used up.`);
    }
    const facts = toFacts(run);
    if (facts.comparison)
        deps.log.info(`Compared with the earlier run: ${(0,wording/* comparisonText */.VF)(facts.comparison)}.`);
    const gate = new Gate(inputs, facts.comparison);
    const { outcomes } = run;
    annotate({ inputs, deps, outcomes, gate });
    const verdict = gate.verdict(outcomes);
    if (inputs.comment !== undefined) {
        const { domain, comparison } = facts;
        const newMisses = earlier === undefined ? [] : newMissesOf(earlier, outcomes);
        const { commentOnSearch } = await __webpack_require__.e(/* import() */ 4730).then(__webpack_require__.bind(__webpack_require__, 4730));
        const checked = { domain, outcomes, comparison, newMisses, verdict };
        const planned = await commentOnSearch(inputs, inputs.comment, checked, deps);
        if (inputs.dryRun)
            deps.record({ planned });
    }
    await updateBaseline(inputs, deps, { outcomes, verdict });
    if (verdict !== undefined)
        throw verdict;
    return facts;
}
async function readQueries(inputs, { github, log }) {
    if (inputs.queriesFile === undefined)
        return [singleQuery(inputs)];
    const { workspace } = github.run;
    const file = {
        path: inputs.queriesFile,
        input: 'queries-file',
        folders: [{ name: 'workspace', path: workspace }],
        maxBytes: MAX_FILE_BYTES,
    };
    const text = await (0,confined_files/* readConfinedFile */.p7)(file);
    const name = (0,confined_files/* shownPath */.pS)(inputs.queriesFile, workspace);
    if (text === undefined) {
        throw new src_errors/* CourierError */.Yw({
            code: 'config',
            message: `queries-file: ${name} does not exist.`,
            hint: 'Check the path, and that the repository is checked out before.',
        });
    }
    const { queries, findings } = await readQueriesFile({ text, defaults: inputs });
    if (findings.length === 0)
        return queries;
    for (const { line, problem } of findings.slice(0, MAX_ANNOTATIONS)) {
        log.error(problem, { file: name, line, title: 'Queries file' });
    }
    throw invalidQueriesFile(name, findings);
}
function singleQuery({ query = '', minResults, ...options }) {
    const pageSize = options.pageSize ?? search_queries/* DEFAULT_PAGE_SIZE */.yQ;
    if (minResults > pageSize) {
        throw new src_errors/* CourierError */.Yw({
            code: 'config',
            message: `min-results: ${minResults} can never be met, since only ${pageSize} results are asked for.`,
            hint: 'Raise page-size (at most 50) or lower min-results.',
        });
    }
    const expectation = { paths: [], within: undefined, absent: [], minResults, snippets: [] };
    return { request: (0,search_queries/* createRequest */.WL)({ ...options, query }), expectation, line: undefined };
}
/** A query that can never miss looks like a check and is none. */
function warnOfEmptyExpectations(queries, inputs, { log, github }) {
    if (inputs.queriesFile === undefined)
        return;
    const empty = queries.filter(({ expectation: { paths, absent, snippets, minResults } }) => paths.length + absent.length + snippets.length + minResults === 0);
    const first = empty[0];
    if (first === undefined)
        return;
    const lines = empty
        .slice(0, 10)
        .map(({ line }) => line)
        .join(', ');
    log.warning(`${(0,markdown/* countOf */.pq)(empty.length, 'query expects', 'queries expect')} nothing and cannot miss (line ${lines}${empty.length > 10 ? ', …' : ''}). Add expect, or set min-results.`, { file: (0,confined_files/* shownPath */.pS)(inputs.queriesFile, github.run.workspace), line: first.line, title: 'Nothing expected' });
}
function createFacts({ inputs, deps, run, earlier }) {
    return {
        status: 'completed',
        domain: inputs.domain,
        queriesFile: inputs.queriesFile && (0,confined_files/* shownPath */.pS)(inputs.queriesFile, deps.github.run.workspace),
        queries: run.outcomes,
        totals: (0,verdict/* totalOutcomes */.U)(run.outcomes),
        results: inputs.query === undefined ? undefined : run.results,
        requestCount: run.requestCount,
        roundCount: run.roundCount,
        comparison: earlier && compareRuns(earlier, run.outcomes),
        failOn: inputs.failOn,
    };
}
function logResults(inputs, { log }, { outcomes, results }) {
    if (inputs.query !== undefined) {
        if (outcomes[0]?.error !== undefined)
            return;
        log.info(`${(0,markdown/* countOf */.pq)(outcomes[0]?.resultCount ?? 0, 'result')}.`);
        const rows = (outcomes[0]?.paths ?? []).map((path, index) => [
            `${index + 1}.`,
            path,
            (0,text_escape/* plainLine */.h0)(results?.[index]?.content ?? '', MAX_SNIPPET),
        ]);
        log.table(['', 'Page', 'Text'], rows, ([rank, path]) => `${rank} ${path}`);
        return;
    }
    const rows = outcomes.map(({ line, query, verdict, rank, paths }) => [
        String(line ?? ''),
        query,
        `${VERDICTS[verdict]}${rank === undefined ? '' : `, rank ${rank}`}`,
        paths[0] ?? '',
    ]);
    // Elsewhere, what did not pass is in the annotations, and all of it in the summary.
    log.table(['Line', 'Query', 'Outcome', 'First result'], rows, () => undefined);
    const { passed, missed, errors } = (0,verdict/* totalOutcomes */.U)(outcomes);
    log.info(`${(0,markdown/* countOf */.pq)(outcomes.length, 'query', 'queries')}: ${passed} passed, ${missed} missed, ${errors} could not be run.`);
}
/** Each query that is not as it should be, on its line; those beyond the runner's limit are lines of the log. */
function annotate({ inputs, deps, outcomes, gate }) {
    const file = inputs.queriesFile && (0,confined_files/* shownPath */.pS)(inputs.queriesFile, deps.github.run.workspace);
    // What kept a single query from being run is the error of the run itself.
    const shown = outcomes.filter((one) => (one.error ? file !== undefined : one.verdict === 'miss' || gate.fails(one)));
    const ordered = [
        ...shown.filter((outcome) => outcome.verdict !== 'error' && gate.fails(outcome)),
        ...shown.filter(({ verdict }) => verdict === 'error'),
        ...shown.filter((outcome) => !gate.fails(outcome)),
    ];
    ordered.forEach((outcome, index) => {
        const isAnnotation = index < MAX_ANNOTATIONS;
        const message = `${gate.text(outcome)}${file === undefined || isAnnotation ? '' : ` (${file}:${outcome.line})`}`;
        const place = { file, line: outcome.line, title: TITLES[outcome.verdict] };
        if (!isAnnotation)
            deps.log.info(message);
        else if (gate.fails(outcome))
            deps.log.error(message, place);
        else
            deps.log.warning(message, place);
    });
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: ./build/src/ci/port.js
var port = __webpack_require__(3275);
// EXTERNAL MODULE: ./build/src/run/report.js
var run_report = __webpack_require__(7417);
;// CONCATENATED MODULE: ./build/src/search/summary.js







const MAX_MISSES = 50;
const MAX_ROWS = 200;
const MAX_FOUND = 3;
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
    checks: ({ queries = [], queriesFile: file, comparison, failOn = 'missed' }) => {
        const gate = new Gate({ failOn }, comparison);
        return queries.map((outcome) => ({
            group: 'search',
            name: outcome.query,
            file,
            line: outcome.line,
            outcome: checkOutcome(gate, outcome),
            message: checkOutcome(gate, outcome) === 'passed' ? undefined : gate.text(outcome),
        }));
    },
    summary(report) {
        return (0,run_report/* sections */.V0)([
            (0,run_report/* heading */.R_)(subject(report), report.status),
            (0,run_report/* errorSection */.K6)(report.error),
            (0,run_report/* plannedSection */._G)(report.planned),
            report.totals && totalsSection(report, report.totals),
            failuresSection(report.queries ?? []),
            comparisonSection(report.comparison),
            report.results && resultsSection(report.results, report.queries?.[0]?.query ?? ''),
            report.queriesFile === undefined ? '' : passesSection(report.queries ?? []),
        ]);
    },
};
function checkOutcome(gate, outcome) {
    if (outcome.verdict === 'error')
        return 'error';
    if (gate.fails(outcome))
        return 'failed';
    return outcome.verdict === 'miss' ? 'warning' : 'passed';
}
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
        bytes += external_node_buffer_.Buffer.byteLength(part) + 1;
        if (bytes > port/* MAX_OUTPUT_BYTES */.$)
            break;
        parts.push(part);
    }
    return `[${parts.join(',')}]`;
}
function subject({ domain }) {
    return domain === undefined ? 'Search' : `Search of ${(0,text_escape/* escapeMarkdown */.FV)(domain, 128)}`;
}
function percent(share) {
    return share === undefined ? undefined : `${(share * 100).toFixed(1)} %`;
}
function totalsSection({ requestCount, roundCount }, totals) {
    const repeats = (roundCount ?? 1) - 1;
    return (0,markdown/* factList */.lV)([
        ['Queries', String(totals.queries)],
        ['Passed', String(totals.passed)],
        ['Missed', String(totals.missed)],
        ['Could not be run', totals.errors === 0 ? undefined : String(totals.errors)],
        ['Hit rate', percent(totals.hitRate)],
        ['Mean reciprocal rank', totals.meanReciprocalRank?.toFixed(3)],
        [
            'Requests',
            `${requestCount ?? 0}${repeats > 0 ? `, the missed queries repeated ${(0,markdown/* countOf */.pq)(repeats, 'time')} while waiting for the index` : ''}`,
        ],
    ]);
}
function foundCell({ paths }) {
    if (paths.length === 0)
        return 'nothing';
    const first = paths.slice(0, MAX_FOUND).map((path, index) => `${index + 1}. ${(0,wording/* pathCell */.sS)(path)}`);
    const more = paths.length > MAX_FOUND ? [`and ${paths.length - MAX_FOUND} more`] : [];
    return [...first, ...more].join('<br>');
}
function missedRow(outcome) {
    const wrong = outcome.error
        ? `${(0,text_escape/* codeSpan */.SS)(outcome.error.code)} ${(0,text_escape/* escapeMarkdown */.FV)(outcome.error.message, 300)}`
        : outcome.shortfalls
            .slice(0, 10)
            .map((shortfall) => (0,text_escape/* escapeMarkdown */.FV)((0,wording/* shortfallText */.Xg)(shortfall), 300))
            .join('<br>');
    return [String(outcome.line ?? ''), (0,wording/* queryCell */.rY)(outcome), wrong, outcome.error ? '' : foundCell(outcome)];
}
/** Misses first, then what could not be run; each with what was found instead. */
function failuresSection(outcomes) {
    const parts = [
        { title: 'Missed', of: outcomes.filter(({ verdict }) => verdict === 'miss') },
        { title: 'Could not be run', of: outcomes.filter(({ verdict }) => verdict === 'error') },
    ];
    return (0,run_report/* sections */.V0)(parts.map(({ title, of }) => {
        if (of.length === 0)
            return '';
        const rows = of.slice(0, MAX_MISSES).map(missedRow);
        return (0,run_report/* sections */.V0)([
            `### ${title}`,
            (0,markdown/* table */.tp)(['Line', 'Query', 'What is wrong', 'Found instead'], rows),
            moreThan(of.length, MAX_MISSES),
        ]);
    }));
}
function moreThan(count, shown) {
    return count > shown ? `And ${(0,markdown/* countOf */.pq)(count - shown, 'more', 'more')}: see the file at \`report-path\`.` : '';
}
function changeRow(change) {
    return [(0,wording/* queryCell */.rY)(change), (0,wording/* resultText */.D6)(change.before), (0,wording/* resultText */.D6)(change.now)];
}
function comparisonSection(comparison) {
    if (comparison === undefined)
        return '';
    const { better, worse } = comparison;
    const rows = (title, changes) => changes.length === 0
        ? ''
        : (0,run_report/* sections */.V0)([
            `**${title}**`,
            (0,markdown/* table */.tp)(['Query', 'Before', 'Now'], changes.slice(0, MAX_MISSES).map(changeRow)),
            moreThan(changes.length, MAX_MISSES),
        ]);
    return (0,run_report/* sections */.V0)([
        '### Compared with the earlier run',
        `${(0,wording/* comparisonText */.VF)(comparison)}.`,
        rows('Worse', worse),
        rows('Better', better),
    ]);
}
function resultsSection(results, query) {
    const title = `### Results for ${(0,text_escape/* escapeMarkdown */.FV)(query, wording/* MAX_QUERY */.Od)}`;
    if (results.length === 0)
        return (0,run_report/* sections */.V0)([title, 'Nothing was found.']);
    const rows = results
        .slice(0, MAX_ROWS)
        .map(({ path, content = '', metadata }, index) => [
        String(index + 1),
        (0,wording/* pathCell */.sS)(path),
        (0,wording/* markSnippet */.VW)(content, query),
        (0,wording/* metadataCell */.c7)(metadata),
    ]);
    return (0,run_report/* sections */.V0)([title, (0,markdown/* table */.tp)(['Rank', 'Page', 'Snippet', 'Metadata'], rows)]);
}
function passesSection(outcomes) {
    const passed = outcomes.filter(({ verdict }) => verdict === 'pass');
    if (passed.length === 0)
        return '';
    const rows = passed
        .slice(0, MAX_ROWS)
        .map((outcome) => [
        (0,wording/* queryCell */.rY)(outcome),
        outcome.rank === undefined ? '' : String(outcome.rank),
        outcome.paths[0] === undefined ? '' : (0,wording/* pathCell */.sS)(outcome.paths[0]),
        String(outcome.resultCount),
    ]);
    return (0,run_report/* sections */.V0)([
        `<details><summary>${(0,markdown/* countOf */.pq)(passed.length, 'query', 'queries')} passed</summary>`,
        (0,markdown/* table */.tp)(['Query', 'Rank of the expected page', 'First result', 'Results'], rows),
        moreThan(passed.length, MAX_ROWS),
        '</details>',
    ]);
}

;// CONCATENATED MODULE: ./build/src/search/mode.js



const searchMode = (0,finish/* defineMode */.L)({ run: runSearch, ...searchPresentation });


/***/ }),

/***/ 9242:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ normalisePath)
/* harmony export */ });
function decode(path) {
    try {
        return decodeURIComponent(path);
    }
    catch {
        // A lone percent sign: the path is compared as it is.
        return path;
    }
}
/**
 * A document's path or address in the form in which two of them compare: without scheme, host, query, fragment, trailing
 * slash and `.html` (so `/guide/`, `/guide.html`, `/guide/index.html` and `https://docs.example.com/guide#top` are one page),
 * percent-decoded, with one leading slash. Case stays as given: paths differ by case on most hosts.
 */
function normalisePath(path) {
    const bare = path
        .trim()
        .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i, '')
        .replace(/[?#].*$/s, '');
    const segments = decode(bare)
        .split('/')
        .filter((segment) => segment !== '' && segment !== '.');
    const last = segments.pop()?.replace(/\.html$/, '');
    if (last !== undefined && last !== '' && last !== 'index')
        segments.push(last);
    return `/${segments.join('/')}`;
}


/***/ }),

/***/ 9218:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DF: () => (/* binding */ queryIdentity),
/* harmony export */   WL: () => (/* binding */ createRequest),
/* harmony export */   lq: () => (/* binding */ requestKey),
/* harmony export */   yQ: () => (/* binding */ DEFAULT_PAGE_SIZE)
/* harmony export */ });
/** The platform's page size when a request names none. */
const DEFAULT_PAGE_SIZE = 10;
/** A query text as it is sent: Unicode NFC, runs of white space as one space, none at the ends. */
function normaliseQuery(text) {
    return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
/** The request body, without any key that has no value: the platform's own defaults apply to what is not sent. */
function createRequest({ query, pageSize, scoreThreshold, filter }) {
    const { version, language, tag, groups = [] } = filter;
    const given = {
        ...(version !== undefined && { version }),
        ...(language !== undefined && { language }),
        ...(tag !== undefined && { tag }),
        ...(groups.length > 0 && { groups }),
    };
    return {
        query: normaliseQuery(query),
        ...(pageSize !== undefined && { pageSize }),
        ...(scoreThreshold !== undefined && { scoreThreshold }),
        ...(Object.keys(given).length > 0 && { filter: given }),
    };
}
/** Two requests with the same key get the same answer. */
function requestKey({ query, pageSize, scoreThreshold, filter }) {
    return JSON.stringify([query, pageSize ?? DEFAULT_PAGE_SIZE, scoreThreshold ?? null, ...filterKey(filter)]);
}
/**
 * What makes a query the same one in another run: its text and its filter. Page size and threshold are tuning, and what
 * they change is just what a comparison is to show.
 */
function queryIdentity({ query, filter }) {
    return JSON.stringify([query, ...filterKey(filter)]);
}
// Without groups, the key of 1.0: a baseline that was written then stays comparable. Their order means nothing.
function filterKey({ version, language, tag, groups = [] } = {}) {
    const key = [version ?? null, language ?? null, tag ?? null];
    return groups.length === 0 ? key : [...key, groups.toSorted()];
}


/***/ }),

/***/ 9621:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  _: () => (/* binding */ judgeAnswer),
  U: () => (/* binding */ totalOutcomes)
});

// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/search/paths.js
var paths = __webpack_require__(9242);
;// CONCATENATED MODULE: ./build/src/search/expectations.js

function squeeze(text) {
    return text.replace(/\s+/g, ' ');
}
/** Compares results with what was expected of them. Texts are taken literally; paths compare as normalisePath makes them. */
function judgeResults(expectation, results) {
    const found = results.map(({ path }) => (0,paths/* normalisePath */.q)(path));
    const rankOf = (path) => {
        const index = found.indexOf((0,paths/* normalisePath */.q)(path));
        return index < 0 ? undefined : index + 1;
    };
    const ranks = expectation.paths.map(rankOf).filter((rank) => rank !== undefined);
    const rank = ranks.length === 0 ? undefined : Math.min(...ranks);
    return {
        shortfalls: [
            ...missingPaths(expectation, rankOf),
            ...presentPaths(expectation, rankOf),
            ...tooFew(expectation, results),
            ...missingSnippets(expectation, results),
        ],
        rank,
        hit: expectation.paths.length === 0 ? undefined : rank !== undefined && rank <= (expectation.within ?? rank),
    };
}
function missingPaths({ paths, within }, rankOf) {
    return paths.flatMap((path) => {
        const rank = rankOf(path);
        if (rank !== undefined && rank <= (within ?? rank))
            return [];
        return [
            { kind: 'path-missing', path, ...(within !== undefined && { within }), ...(rank !== undefined && { rank }) },
        ];
    });
}
function presentPaths({ absent }, rankOf) {
    return absent.flatMap((path) => {
        const rank = rankOf(path);
        return rank === undefined ? [] : [{ kind: 'path-present', path, rank }];
    });
}
function tooFew({ minResults }, results) {
    return results.length >= minResults ? [] : [{ kind: 'too-few', found: results.length, wanted: minResults }];
}
function missingSnippets({ snippets }, results) {
    const contents = results.map(({ content = '' }) => squeeze(content));
    return snippets
        .filter((text) => !contents.some((content) => content.includes(squeeze(text))))
        .map((text) => ({ kind: 'snippet-missing', text }));
}

;// CONCATENATED MODULE: ./build/src/search/verdict.js


const MAX_PATH_CHARS = 2000;
function judgeAnswer({ request, expectation, line }, answer) {
    const about = { query: request.query, filter: request.filter, line, expectedPaths: expectation.paths };
    if (!answer.ok) {
        return { ...about, verdict: 'error', shortfalls: [], resultCount: 0, paths: [], error: answer.error };
    }
    const { shortfalls, rank, hit } = judgeResults(expectation, answer.results);
    return {
        ...about,
        verdict: shortfalls.length === 0 ? 'pass' : 'miss',
        shortfalls,
        rank,
        hit,
        resultCount: answer.results.length,
        paths: answer.results.map(({ path }) => (0,text_escape/* cut */.Jj)(path, { chars: MAX_PATH_CHARS })),
    };
}
function totalOutcomes(outcomes) {
    const count = (verdict) => outcomes.filter((outcome) => outcome.verdict === verdict).length;
    const ranked = outcomes.filter(({ hit }) => hit !== undefined);
    const mean = (value) => ranked.length === 0 ? undefined : ranked.reduce((sum, outcome) => sum + value(outcome), 0) / ranked.length;
    return {
        queries: outcomes.length,
        passed: count('pass'),
        missed: count('miss'),
        errors: count('error'),
        hitRate: mean(({ hit }) => (hit === true ? 1 : 0)),
        meanReciprocalRank: mean(({ rank }) => (rank === undefined ? 0 : 1 / rank)),
    };
}


/***/ }),

/***/ 3750:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D6: () => (/* binding */ resultText),
/* harmony export */   EL: () => (/* binding */ outcomeText),
/* harmony export */   Od: () => (/* binding */ MAX_QUERY),
/* harmony export */   VF: () => (/* binding */ comparisonText),
/* harmony export */   VW: () => (/* binding */ markSnippet),
/* harmony export */   Xg: () => (/* binding */ shortfallText),
/* harmony export */   c7: () => (/* binding */ metadataCell),
/* harmony export */   rY: () => (/* binding */ queryCell),
/* harmony export */   sS: () => (/* binding */ pathCell)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4502);


/** How queries, results and shortfalls are worded. Everything that comes from outside is escaped here. */
const MAX_QUERY = 120;
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
/** A query with its filter. */
function queryCell({ query, filter }) {
    return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeMarkdown */ .FV)(query, MAX_QUERY)}${filterText(filter)}`;
}
function filterText(filter) {
    const parts = Object.entries(filter ?? {}).map(([key, value]) => `${key} ${value}`);
    return parts.length === 0 ? '' : ` (${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeMarkdown */ .FV)(parts.join(', '), MAX_QUERY)})`;
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
    // Word by word, so that the stars are always next to a space, where Markdown takes them for bold.
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
            return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .Jj)(shortfall.path, { chars: MAX_PATH })} was expected ${reach}: ${instead}`;
        }
        case 'path-present':
            return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .Jj)(shortfall.path, { chars: MAX_PATH })} must not appear: found at rank ${shortfall.rank}`;
        case 'too-few':
            return `at least ${shortfall.wanted} results were expected: ${shortfall.found} found`;
        case 'snippet-missing':
            return `no snippet holds the text “${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .Jj)(shortfall.text, { chars: MAX_PATH })}”`;
        default:
            return (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .unreachable */ .HB)(shortfall);
    }
}
/** The comparison in numbers, as half a sentence. */
function comparisonText({ better, worse, same, added, newMisses, gone, notComparable }) {
    const fresh = `${added.length} new${newMisses.length === 0 ? '' : ` (${newMisses.length} of them missed)`}`;
    const skipped = notComparable === 0 ? '' : `, ${notComparable} not comparable because of errors`;
    return `${better.length} better, ${worse.length} worse, ${same} the same, ${fresh}, ${gone.length} gone${skipped}`;
}
/** A verdict with the rank of the first expected page. */
function resultText({ verdict, rank }) {
    return rank === undefined ? verdict : `${verdict}, rank ${rank}`;
}
/** What became of a query that did not pass, in a sentence. */
function outcomeText({ query, error, shortfalls, paths }) {
    if (error !== undefined)
        return `“${query}” could not be run: ${error.message}`;
    const instead = paths[0] === undefined ? 'Nothing was found.' : `First result: ${paths[0]}`;
    return `“${query}” missed: ${shortfalls.map(shortfallText).join('; ')}. ${instead}`;
}


/***/ }),

/***/ 4978:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   h: () => (/* binding */ parseYaml)
/* harmony export */ });
const PROBLEMS = {
    BAD_INDENT: 'wrong indentation, or a bracket that is not closed',
    TAB_AS_INDENT: 'a tab used as indentation: use spaces',
    DUPLICATE_KEY: 'a key that this mapping has already',
    BAD_DQ_ESCAPE: 'an escape sequence that does not exist',
    MISSING_CHAR: 'a character is missing, such as a closing quote or a comma',
    BLOCK_AS_IMPLICIT_KEY: 'a colon in a text: put the text in quotes',
    MULTILINE_IMPLICIT_KEY: 'a line that goes on in the next one: put the text in quotes',
    BAD_SCALAR_START: 'a character that no text may begin with: put the text in quotes',
    MULTIPLE_DOCS: 'a second document: one file holds one',
    NON_STRING_KEY: 'a key that is not a text',
    RESOURCE_EXHAUSTION: 'nested too deeply',
};
/**
 * Parses YAML 1.2 with the core schema, of which JSON is a part. The file may be hostile: anchors, aliases, tags and
 * directives are findings, merge keys are plain keys.
 */
async function parseYaml(text) {
    const yaml = await __webpack_require__.e(/* import() */ 8815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    const lines = new yaml.LineCounter();
    const document = yaml.parseDocument(text, {
        version: '1.2',
        schema: 'core',
        merge: false,
        resolveKnownTags: false,
        stringKeys: true,
        prettyErrors: false,
        lineCounter: lines,
        // `silent` would hide that there is a second document; nothing is printed at any level by this function.
        logLevel: 'error',
    });
    const findings = [...syntaxFindings(text, document, lines), ...featureFindings({ yaml, document, lines })];
    return {
        value: findings.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }),
        findings,
        place: (path) => placeOf({ yaml, document, lines, path }),
    };
}
function syntaxFindings(text, document, lines) {
    // Each open level of a bottomless nesting is an error of its own; the first says it all.
    const bottomless = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
    if (bottomless !== undefined)
        return [toFinding(bottomless, lines)];
    const first = document.errors[0];
    // What follows a wrong indentation is read with it, so that the errors behind it explain nothing.
    const wrong = first && findWrongIndentation(text, toFinding(first, lines).line);
    return wrong === undefined ? document.errors.map((error) => toFinding(error, lines)) : [wrong];
}
function toFinding({ code, pos }, lines) {
    return {
        ...placeAt(lines, pos[0]),
        problem: PROBLEMS[code] ?? `not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
    };
}
function featureFindings({ yaml, document, lines }) {
    const findings = [];
    // After a syntax error the tree is a guess, and one nested without end is not walked.
    if (document.errors.length > 0)
        return findings;
    const add = (node, problem) => findings.push({ ...placeAt(lines, node.range?.[0] ?? 0), problem });
    // A directive can switch to YAML 1.1, with its merge keys and its `yes` for true.
    if (document.directives.yaml.explicit === true)
        findings.push({ line: 1, column: 1, problem: 'directives are not allowed' });
    yaml.visit(document, {
        Node(_key, node) {
            if (yaml.isAlias(node))
                add(node, 'aliases are not allowed');
            else if (node.anchor !== undefined)
                add(node, 'anchors are not allowed');
            else if (node.tag !== undefined)
                add(node, 'tags are not allowed');
        },
    });
    return findings;
}
function placeAt(lines, offset) {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
}
function placeOf({ yaml, document, lines, path }) {
    let node = document.contents;
    let offset = 0;
    for (const key of path) {
        if (yaml.isNode(node))
            offset = node.range?.[0] ?? offset;
        if (yaml.isMap(node)) {
            const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key);
            if (pair === undefined)
                return placeAt(lines, offset);
            if (yaml.isNode(pair.key))
                offset = pair.key.range?.[0] ?? offset;
            node = pair.value;
        }
        else if (yaml.isSeq(node) && typeof key === 'number') {
            node = node.items[key];
            if (yaml.isNode(node))
                offset = node.range?.[0] ?? offset;
        }
        else {
            break;
        }
    }
    return placeAt(lines, offset);
}
/**
 * The line whose indentation fits none of the lines before it, if a syntax error at `line` comes from that: the parser reports
 * what it makes of it, such as a character that is missing, and sometimes at the line before. Lines are counted from 1.
 */
function findWrongIndentation(text, line) {
    const lines = text.split('\n');
    for (const number of [line, line + 1]) {
        const levels = levelsBefore(lines, number - 1);
        const found = lines[number - 1];
        if (found === undefined || isEmpty(found) || levels.length === 0)
            continue;
        const indent = indentOf(found);
        const deepest = levels.at(-1) ?? 0;
        const isBetween = indent < deepest && !levels.includes(indent);
        // Deeper than a key that has its value already.
        const isTooDeep = indent > deepest && /[^:\s|>-]\s*$/.test(lines[number - 2] ?? '');
        if (isBetween || isTooDeep) {
            return {
                line: number,
                column: indent + 1,
                problem: `wrong indentation: ${spaces(indent)}, where the lines before have ${listOf(levels)}`,
            };
        }
    }
    return undefined;
}
/** Columns, from 0, at which something begins that a line may go on: of keys, of dashes, and of what follows a dash. */
function levelsBefore(lines, end) {
    const levels = [];
    for (const line of lines.slice(0, end)) {
        if (isEmpty(line))
            continue;
        const indent = indentOf(line);
        while ((levels.at(-1) ?? -1) >= indent)
            levels.pop();
        levels.push(indent);
        for (let dash = /^- +/.exec(line.slice(indent)), at = indent; dash !== null; dash = /^- +/.exec(line.slice(at))) {
            at += dash[0].length;
            levels.push(at);
        }
    }
    return levels;
}
function isEmpty(line) {
    return /^\s*(#|$)/.test(line);
}
function indentOf(line) {
    return line.length - line.trimStart().length;
}
function spaces(count) {
    return count === 1 ? '1 space' : `${count} spaces`;
}
function listOf(levels) {
    const [last = 0, ...others] = levels.toReversed();
    return others.length === 0 ? String(last) : `${others.toReversed().join(', ')} or ${last}`;
}


/***/ })

};
