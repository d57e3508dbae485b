export const id = 7172;
export const ids = [7172];
export const modules = {

/***/ 717:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ew: () => (/* binding */ checkBundleUrl),
/* harmony export */   jK: () => (/* binding */ createLinkMaker),
/* harmony export */   ln: () => (/* binding */ linkPolicy)
/* harmony export */ });
/* unused harmony export linkSecrets */
/* harmony import */ var node_net__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7030);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7406);
/* harmony import */ var _http_loopback_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2501);
/* harmony import */ var _http_private_hosts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3831);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(492);
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5838);







const MAX_LINKS_PER_RUN = 3;
const MAX_CONFLICTS = 3;
const CONFLICT_WAIT_MS = 2000;
const MIN_LIFE_MS = 60_000;
// 1 MiB a second: whoever fetches the bundle must be done before the link dies, also over a slow line.
const BYTES_PER_MS = 1024 ** 2 / 1000;
const MAX_SKEW_MS = 60_000;
const MAX_URL_CHARS = 8192;
const MAX_SIZE_BYTES = 2 ** 43;
function linkPolicy(baseUrl, allowPrivateHosts = false) {
    const { hostname } = new URL(baseUrl);
    const address = hostname.replace(/^\[|\]$/g, '');
    const allowLoopback = (0,_http_loopback_js__WEBPACK_IMPORTED_MODULE_5__/* .isLoopback */ .U)(hostname);
    const allowAddress = (0,node_net__WEBPACK_IMPORTED_MODULE_0__.isIP)(address) !== 0;
    // What a name resolves to is the platform's own to say, so that only an address counts as being inside.
    const isInside = allowLoopback || (allowAddress && (0,_http_private_hosts_js__WEBPACK_IMPORTED_MODULE_2__/* .isPrivateAddress */ .C0)(address));
    return { allowLoopback, allowAddress, allowPrivateHosts: allowPrivateHosts || isInside };
}
// The whole link, in characters that need no quoting in a shell but `&` and `?`, which are allowed only in a query's places.
const LINK = /^https?:\/\/[A-Za-z0-9\-._~/%+:@]+(\?[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*(&[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*)*)?$/;
function linkFault(raw, policy) {
    if (raw.length > MAX_URL_CHARS)
        return `is longer than ${MAX_URL_CHARS} characters`;
    // Matched as it came: a URL parser silently drops line ends and tabs.
    if (!LINK.test(raw))
        return 'is not an https address made of the characters that a presigned link needs';
    if (!URL.canParse(raw))
        return 'is not a valid address';
    const { protocol, username, password, hostname } = new URL(raw);
    if (username !== '' || password !== '')
        return 'contains a user name';
    if ((0,_http_loopback_js__WEBPACK_IMPORTED_MODULE_5__/* .isLoopback */ .U)(hostname))
        return policy.allowLoopback ? undefined : 'leads to this machine itself';
    if (protocol !== 'https:')
        return 'is not https';
    if ((0,node_net__WEBPACK_IMPORTED_MODULE_0__.isIP)(hostname) !== 0 && !policy.allowAddress)
        return 'leads to an IP address instead of a name';
    return undefined;
}
/** Returns the link as it came, or throws `protocol`; the message never holds the link. */
function checkBundleUrl(raw, policy) {
    const fault = linkFault(raw, policy);
    if (fault === undefined)
        return raw;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `The bundle link that the platform gave ${fault}; it was neither downloaded nor published.`,
        hint: 'Report it to the platform. An http link, or one to an IP address, is accepted only when base-url is of that kind itself.',
    });
}
// Names of query parameters whose values are secret however short they are.
const SECRET_NAME = /sig|token|credential|key|secret|auth|hdnts|hdnea|code|pass|verify|hmac|policy/i;
// No value of this length is needed to read a message, and each could be what makes the link work.
const LONGEST_OPEN_VALUE = 15;
/** Parts of a link that alone would let someone use it, or let them guess it: the query, and every long or secret value in it. */
function linkSecrets(url) {
    const query = url.split('?').slice(1).join('?');
    const values = query.split(/[&;]/).flatMap((pair) => {
        const name = pair.split('=')[0] ?? '';
        const value = pair.slice(pair.indexOf('=') + 1);
        return SECRET_NAME.test(name) || value.length > LONGEST_OPEN_VALUE ? [value, decodeLoosely(value)] : [];
    });
    return [...new Set([url, query, ...values])].filter((part) => part.length >= _text_redact_js__WEBPACK_IMPORTED_MODULE_4__/* .SHORTEST_SECRET */ .c3);
}
function decodeLoosely(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return text;
    }
}
function readSize(raw, log) {
    if (raw === undefined || raw === null)
        return undefined;
    if (typeof raw === 'number' && Number.isInteger(raw) && raw > 0 && raw <= MAX_SIZE_BYTES)
        return raw;
    log.warning(`The platform gave ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .plainLine */ .h0)(String(raw), 40)} as the size of the bundle; it is ignored.`);
    return undefined;
}
function createLinkMaker(init) {
    return new CheckedLinks(init);
}
class CheckedLinks {
    #init;
    #policy;
    #warned = new Set();
    #made = 0;
    constructor(init) {
        this.#init = init;
        this.#policy = linkPolicy(init.baseUrl);
    }
    async fresh() {
        const { jobId, log } = this.#init;
        for (;;) {
            if (this.#made >= MAX_LINKS_PER_RUN)
                throw tooManyLinks(jobId);
            const { link, lifeMs } = await this.#make();
            if (lifeMs >= neededLifeMs(link))
                return link;
            if (this.#made >= MAX_LINKS_PER_RUN && lifeMs > 0) {
                this.#warnOnce(`The link expires in ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(lifeMs)}; the platform makes none that is valid for longer.`);
                return link;
            }
            log.info(lifeMs <= 0 ? 'The link had expired already; making another.' : 'The link expires too soon; making another.');
        }
    }
    async #make() {
        const { clock, log } = this.#init;
        this.#made += 1;
        const { value, serverTime } = await this.#request();
        const url = checkBundleUrl(value.bundleUrl, this.#policy);
        for (const secret of linkSecrets(url))
            log.mask(secret);
        const skewMs = serverTime === undefined ? 0 : serverTime.getTime() - clock.now();
        if (Math.abs(skewMs) > MAX_SKEW_MS) {
            this.#warnOnce(`This machine's clock differs from the platform's by ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(Math.abs(skewMs))}; the platform's is used.`);
        }
        const { expiresAt } = value;
        if (expiresAt === undefined) {
            this.#warnOnce('The platform did not give the expiry of the link in a readable form; expires-at stays empty.');
        }
        const lifeMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt.getTime() - (clock.now() + skewMs);
        return { link: { url, expiresAt, sizeBytes: readSize(value.sizeBytes, log) }, lifeMs };
    }
    // A job that is completed and a bundle that is not ready yet: replicas of the platform may lag behind each other.
    async #request() {
        const { api, jobId, clock, log, signal } = this.#init;
        for (let conflicts = 1;; conflicts += 1) {
            try {
                return await api.link(jobId);
            }
            catch (error) {
                if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .hasCode */ .up)(error, 'conflict') || conflicts > MAX_CONFLICTS)
                    throw error;
                log.info(`The bundle of job ${jobId} is not ready yet; asking again.`);
                await clock.sleep(CONFLICT_WAIT_MS * conflicts, signal);
                await this.#pollAgain();
            }
        }
    }
    // One attempt, and only to let replicas catch up: its failure is no reason to give up a finished export.
    async #pollAgain() {
        try {
            await this.#init.api.poll(this.#init.jobId);
        }
        catch (error) {
            if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .hasCode */ .up)(error, 'network', 'protocol', 'rate-limited'))
                throw error;
        }
    }
    #warnOnce(text) {
        if (!this.#warned.has(text))
            this.#init.log.warning(text);
        this.#warned.add(text);
    }
}
/** A minute, and the time that a download of this size takes on a slow line. */
function neededLifeMs({ sizeBytes = 0 }) {
    return MIN_LIFE_MS + sizeBytes / BYTES_PER_MS;
}
function tooManyLinks(jobId) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `Three links were made for job ${jobId} in this run, and none of them could be used.`,
        hint: "Check the platform's clock and storage; then run again with export-job-id, which starts no second export.",
    });
}


/***/ }),

/***/ 8411:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  V: () => (/* binding */ openExport)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/http/service.js
var service = __webpack_require__(4541);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/platform/export-calls.js



/** Adds what a failure of the first call may mean: an installation may have the other revision only. */
class FirstCall {
    #otherMeant;
    #isFirst = true;
    constructor(otherMeant) {
        this.#otherMeant = otherMeant;
    }
    async make(call) {
        try {
            const value = await call();
            this.#isFirst = false;
            return value;
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw) || error.httpStatus === undefined)
                throw error;
            const isFirst = this.#isFirst;
            // Any other status shows that the endpoint is there.
            if (error.httpStatus !== 404 && error.httpStatus !== 405)
                this.#isFirst = false;
            else if (isFirst)
                throw error.with({ hint: this.#otherMeant });
            throw error;
        }
    }
}
/** The reply does not have to carry the id; where it does, it must be the one that was asked for. */
function sameJob(reply, asked) {
    const { jobId } = reply.value;
    if (jobId === undefined || jobId === null || jobId === asked)
        return reply;
    throw new errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The platform was asked about export job ${asked} and answered about ${(0,text_escape/* plainLine */.h0)(String(jobId), 140)}.`,
        hint: 'Run again with export-job-id; if it happens again, report it to the platform.',
    });
}
/** Makes the start call once; what the platform says of a refused start becomes advice. */
async function startOnce(api, call) {
    try {
        const { value } = await call();
        if (!('busy' in value))
            return { kind: 'started', jobId: value.jobId };
        return { kind: 'busy', jobId: value.busy.jobId, error: busyError(api, value.busy) };
    }
    catch (error) {
        // A 409 whose body says nothing.
        if ((0,errors/* hasCode */.up)(error, 'conflict'))
            return { kind: 'busy', jobId: undefined, error: busyError(api, {}, error) };
        throw withStartAdvice(api, error);
    }
}
function busyError(api, { error, jobId }, cause) {
    const which = jobId === undefined ? '' : ` (job ${jobId})`;
    const words = error === undefined ? '' : ` The platform says: ${(0,service/* foreignText */.qk)(error, (text) => text)}`;
    const where = jobId === undefined ? "The platform's dashboard shows its id. " : '';
    return new errors/* CourierError */.Yw({
        code: 'conflict',
        message: `An export of ${api.subject} is running already${which}: ${api.requests.start()} answered 409.${words}`,
        hint: {
            text: `The platform runs one export at a time. Run again when it has finished. ${where}To attach to it, which starts no second export:`,
            inputs: { 'export-job-id': jobId ?? 'the id of that job' },
        },
        httpStatus: 409,
        cause,
    });
}
// A project that the organization does not have is answered in the same way.
function ofProject({ source }) {
    return source.projectId === undefined
        ? ''
        : ` as project-id (${source.projectId}), which the API keys page of the platform's dashboard shows`;
}
function withStartAdvice(api, error) {
    if (!(error instanceof errors/* CourierError */.Yw))
        return error;
    switch (error.httpStatus) {
        case 402:
            return error.with({ code: 'forbidden', hint: 'Static export requires the Enterprise plan of the platform.' });
        case 403:
            return error.with({
                hint: `A site that readers reach only after a login cannot be exported: check this for ${api.subject}. Otherwise check that the plan is Enterprise, and that the key in admin-api-key belongs to the same organization${ofProject(api)}.`,
            });
        default:
            return error;
    }
}

;// CONCATENATED MODULE: ./build/src/platform/export-by-domain.js


/** The first revision, which every installation has: jobs of a domain, and an endpoint that makes the link. */
class ExportByDomain {
    #platform;
    #selection;
    #first = new FirstCall({
        text: "Check domain, and base-url: this request was made by domain. A newer installation of the platform exports by project: then give its id, from the API keys page of the platform's dashboard:",
        inputs: { 'project-id': 'the id of the project' },
    });
    source;
    requests = {
        start: () => 'POST /v1/static-export/jobs',
        poll: (jobId) => `GET /v1/static-export/jobs/${jobId}`,
        link: (jobId) => `POST /v1/static-export/jobs/${jobId}/bundle`,
    };
    constructor({ platform, source, selection = {} }) {
        this.#platform = platform;
        this.source = source;
        this.#selection = selection;
    }
    get subject() {
        return this.source.domain ?? 'the site';
    }
    async start() {
        const { domain } = this.source;
        if (domain === undefined)
            throw new errors/* CourierError */.Yw({ code: 'config', message: 'domain is missing.' });
        return startOnce(this, () => this.#first.make(() => this.#platform.startExport(domain, this.#selection)));
    }
    async poll(jobId, timeLimitMs) {
        return sameJob(await this.#first.make(() => this.#platform.getExportJob(jobId, { timeLimitMs })), jobId);
    }
    async link(jobId) {
        return sameJob(await this.#first.make(() => this.#platform.createBundle(jobId)), jobId);
    }
}

;// CONCATENATED MODULE: ./build/src/platform/export-by-project.js



/** The second revision: jobs of a project. The reply of a completed job carries the link; there is no progress. */
class ExportByProject {
    #platform;
    #projectId;
    #basePath;
    #first;
    source;
    requests;
    constructor({ platform, source, basePath }) {
        this.#platform = platform;
        const { projectId } = source;
        this.#projectId = projectId;
        this.#first = new FirstCall({
            text: `Compare project-id (${projectId}) with the API keys page of the platform's dashboard: this request was made by project. An installation that exports by domain only needs the site instead of project-id:`,
            inputs: { domain: 'docs.example.com' },
        });
        this.#basePath = basePath;
        this.source = source;
        const jobs = `/v1/static-export/${projectId}/jobs`;
        this.requests = {
            start: () => `POST ${jobs}`,
            poll: (jobId) => `GET ${jobs}/${jobId}`,
            link: (jobId) => `GET ${jobs}/${jobId}`,
        };
    }
    get subject() {
        return this.source.domain ?? `project ${this.#projectId}`;
    }
    start() {
        return startOnce(this, () => this.#first.make(() => this.#platform.startProjectExport(this.#projectId, this.#basePath)));
    }
    async poll(jobId, timeLimitMs) {
        const reply = await this.#get(jobId, { timeLimitMs });
        const { bundleUrl: _, sizeBytes: __, expiresAt: ___, ...job } = reply.value;
        return { ...reply, value: job };
    }
    async link(jobId) {
        const { value, serverTime } = await this.#get(jobId, { repeat: 'always' });
        const { bundleUrl, expiresAt, sizeBytes, status } = value;
        if (bundleUrl === undefined)
            throw noLink(jobId, status, this.requests.link(jobId));
        return { value: { jobId, bundleUrl, expiresAt, sizeBytes }, serverTime };
    }
    async #get(jobId, options) {
        const job = { projectId: this.#projectId, jobId };
        return sameJob(await this.#first.make(() => this.#platform.getProjectExportJob(job, options)), jobId);
    }
}
function noLink(jobId, status, request) {
    if (status === 'failed') {
        return new errors/* CourierError */.Yw({
            code: 'job-failed',
            message: `Export job ${jobId} failed: there is no bundle to make a link for.`,
            hint: 'Run an export again: it starts a new job.',
        });
    }
    return new errors/* CourierError */.Yw({
        code: 'conflict',
        message: `${request} answered without a link: export job ${jobId} is ${(0,text_escape/* plainLine */.h0)(status, 40)}.`,
        hint: 'Wait until the job has completed, then run again.',
    });
}

;// CONCATENATED MODULE: ./build/src/platform/open-export.js


/** The revision of the export API that the source asks for: by project where there is a project's id, else by domain. */
function openExport({ platform, source, selection, basePath }) {
    const { domain, projectId } = source;
    return projectId === undefined
        ? new ExportByDomain({ platform, source, selection })
        : new ExportByProject({ platform, source: { domain, projectId }, basePath });
}


/***/ }),

/***/ 7225:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   HF: () => (/* binding */ checkReceipt),
/* harmony export */   W1: () => (/* binding */ planReceipt),
/* harmony export */   iL: () => (/* binding */ isReceived),
/* harmony export */   uZ: () => (/* binding */ receive)
/* harmony export */ });
/* harmony import */ var _platform_link_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(717);

/** Whether the archive is downloaded at all. */
function isReceived({ bundlePath, extractTo }) {
    return bundlePath !== undefined || extractTo !== undefined;
}
/** Checks the destinations before anything starts. Throws `config` where they may not be written. */
async function checkReceipt({ bundle, adminApiKey }, { github }) {
    if (!isReceived(bundle))
        return;
    const [{ checkDestinations }, { homedir }] = await Promise.all([__webpack_require__.e(/* import() */ 5956).then(__webpack_require__.bind(__webpack_require__, 5956)), Promise.resolve(/* import() */).then(__webpack_require__.t.bind(__webpack_require__, 8161, 19))]);
    const { workspace, runnerTemp } = github.run;
    await checkDestinations({ bundle, workspace, runnerTemp, home: homedir(), secret: adminApiKey });
}
/** Downloads, checks, verifies and unpacks the bundle. */
async function receive({ inputs, deps, links, link, origin, ...checks }) {
    const { receiveBundle } = await __webpack_require__.e(/* import() */ 5956).then(__webpack_require__.bind(__webpack_require__, 5956));
    const { github, log, clock, signal } = deps;
    const { workspace, runnerTemp } = github.run;
    return log.group('Receiving the bundle', () => receiveBundle({
        bundle: inputs.bundle,
        links,
        link,
        origin,
        ...(0,_platform_link_js__WEBPACK_IMPORTED_MODULE_0__/* .linkPolicy */ .ln)(inputs.baseUrl, inputs.bundle.allowPrivateHosts),
        secret: inputs.adminApiKey,
        log,
        clock,
        signal,
        workspace,
        runnerTemp,
        ...checks,
        onFacts: (bundle) => deps.record({ bundle }),
    }));
}
function planReceipt({ bundlePath, extractTo }) {
    const archive = bundlePath === undefined
        ? []
        : [{ action: 'download the archive, with manifest and checksums', target: bundlePath }];
    const site = extractTo === undefined ? [] : [{ action: 'unpack the site', target: extractTo }];
    return [...archive, ...site];
}


/***/ }),

/***/ 6391:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GS: () => (/* binding */ placed),
/* harmony export */   NO: () => (/* binding */ liveExport),
/* harmony export */   hg: () => (/* binding */ withoutExport),
/* harmony export */   ls: () => (/* binding */ cutHistory),
/* harmony export */   n_: () => (/* binding */ countFor),
/* harmony export */   s4: () => (/* binding */ earlierExports),
/* harmony export */   v1: () => (/* binding */ exportsOf)
/* harmony export */ });
/** The state remembers this many exports; fewer where the store holds less. */
const MAX_EXPORTS = 20;
/**
 * History, counter and rollback of a state whose job becomes `jobId`. The same job again changes nothing but the details
 * that were not known before, so that it can be applied to the announcement of a write and to its confirmation.
 */
function placed(state, placing) {
    const { jobId, at, isRollback, details, run } = placing;
    const isNew = state.jobId !== jobId;
    const own = (state.count ?? 0) + (isNew ? 1 : 0);
    const rollback = { at, from: state.jobId, by: details.by, run };
    return {
        history: isNew ? moved(exportsOf(state), placing) : merged(exportsOf(state), placing),
        count: Math.max(own, placing.count) || undefined,
        rollback: isNew ? (isRollback ? rollback : undefined) : state.rollback,
    };
}
/** The count of a job that is put in place next: the highest of all destinations where that is the count of this job, else one more. */
function countFor(states, jobId, lowest = 0) {
    const highest = Math.max(lowest, ...states.map(({ count = 0 }) => count));
    return states.some(({ count = 0, jobId: live }) => count === highest && jobId !== undefined && live === jobId)
        ? highest
        : highest + 1;
}
/** The exports that were live in a destination, newest first. The live one is among them, also where the state knows only its id. */
function exportsOf({ history = [], jobId, written }) {
    if (jobId === undefined || history.some(({ job }) => job === jobId))
        return history;
    return [{ job: jobId, at: written?.at }, ...history];
}
/** The export that is live in a destination, as far as the state knows it; undefined: there is none. */
function liveExport(state) {
    return exportsOf(state).find(({ job }) => job === state.jobId);
}
/**
 * The exports that were live before the one that is live now, the latest first. Exports that were rolled back are not among
 * them: they are what somebody wanted to get away from.
 */
function earlierExports(state) {
    const all = exportsOf(state);
    const live = all.findIndex(({ job }) => job === state.jobId);
    return all.slice(live + 1).filter(({ withdrawn }) => withdrawn === undefined);
}
/** The history without a job that was announced and never written. */
function withoutExport({ history }, jobId) {
    return history?.filter(({ job }) => job !== jobId);
}
/** The state with so much of its history that its text fits; the oldest entries go first, the live one never. */
function cutHistory(state, fits) {
    const { history = [], jobId } = state;
    for (let kept = history;;) {
        const cut = kept === history ? state : { ...state, history: kept };
        const oldest = kept.findLast(({ job }) => job !== jobId);
        if (oldest === undefined || fits(cut))
            return cut;
        kept = kept.filter((one) => one !== oldest);
    }
}
/** A new job comes first. One that was live before becomes so again, and what came after it is marked as withdrawn. */
function moved(history, { jobId, at, details }) {
    const index = history.findIndex(({ job }) => job === jobId);
    const known = history[index];
    if (known === undefined)
        return [{ job: jobId, at, ...details }, ...history].slice(0, MAX_EXPORTS);
    const { withdrawn: _, ...again } = known;
    const later = history.slice(0, index).map((one) => ({ ...one, withdrawn: one.withdrawn ?? at }));
    return [...later, again, ...history.slice(index + 1)];
}
function merged(history, { jobId, details }) {
    const { pages, manifest } = details;
    return history.map((one) => one.job === jobId ? { ...one, pages: one.pages ?? pages, manifest: one.manifest ?? manifest } : one);
}


/***/ }),

/***/ 8520:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ defineMode)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _finish_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4104);


function defineMode(mode) {
    return { execute: (inputs, execution) => execute(mode, inputs, execution) };
}
/** Writes also what the mode recorded before it failed. */
async function execute(mode, inputs, { context, end }) {
    let known = {};
    let announced;
    const record = (facts) => {
        known = { ...known, ...facts };
        const jobId = mode.outputs(known)['job-id'];
        if (jobId === announced)
            return;
        announced = jobId;
        announce(jobId, end);
    };
    try {
        const ending = await mode.run(inputs, { ...context, record });
        return (0,_finish_js__WEBPACK_IMPORTED_MODULE_1__/* .finish */ .O)(end, { facts: { ...known, ...ending }, presentation: mode });
    }
    catch (error) {
        return (0,_finish_js__WEBPACK_IMPORTED_MODULE_1__/* .finish */ .O)(end, { facts: known, presentation: mode, error: (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .toCourierError */ .tR)(error) });
    }
}
// The end of the run writes all outputs again, and fails where that is not possible. Until then a full disk must not keep
// the run from writing the id to where else it goes.
function announce(jobId, { results, log }) {
    try {
        results.writeOutputs({ 'job-id': jobId });
    }
    catch (error) {
        log.warning(`The output job-id could not be written yet. ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .toCourierError */ .tR)(error).message}`);
    }
}


/***/ })

};
