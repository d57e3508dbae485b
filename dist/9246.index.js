export const id = 9246;
export const ids = [9246];
export const modules = {

/***/ 2590:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Po: () => (/* binding */ viewOfExport),
/* harmony export */   V1: () => (/* binding */ openExport),
/* harmony export */   l: () => (/* binding */ startWhenFree)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _http_service_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4541);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(492);
/* harmony import */ var _follow_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9916);





// The documented names of a job that has not ended, and common ones besides, so that they need no warning.
const UNDERWAY = new Set(['queued', 'pending', 'running', 'processing', 'in_progress', 'active']);
/** A job as `follow` needs it. */
function viewOfExport({ status, progress, updatedAt }) {
    const done = status === 'completed' || status === 'failed';
    return { status, phase: done ? 'done' : UNDERWAY.has(status) ? 'running' : 'unknown', progress, updatedAt };
}
/** The revision of the export API that the source asks for: by project where there is a project's id, else by domain. */
function openExport({ platform, source, selection, basePath }) {
    const { domain, projectId } = source;
    return projectId === undefined
        ? new ExportByDomain({ platform, source, selection })
        : new ExportByProject({ platform, source: { domain, projectId }, basePath });
}
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
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({ code: 'config', message: 'domain is missing.' });
        return startOnce(this, () => this.#first.make(() => this.#platform.startExport(domain, this.#selection)));
    }
    async poll(jobId, timeLimitMs) {
        return sameJob(await this.#first.make(() => this.#platform.getExportJob(jobId, { timeLimitMs })), jobId);
    }
    async link(jobId) {
        return sameJob(await this.#first.make(() => this.#platform.createBundle(jobId)), jobId);
    }
}
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
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
            code: 'job-failed',
            message: `Export job ${jobId} failed: there is no bundle to make a link for.`,
            hint: 'Run an export again: it starts a new job.',
        });
    }
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'conflict',
        message: `${request} answered without a link: export job ${jobId} is ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(status, 40)}.`,
        hint: 'Wait until the job has completed, then run again.',
    });
}
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
            if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw) || error.httpStatus === undefined)
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
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `The platform was asked about export job ${asked} and answered about ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(String(jobId), 140)}.`,
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
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'conflict'))
            return { kind: 'busy', jobId: undefined, error: busyError(api, {}, error) };
        throw withStartAdvice(api, error);
    }
}
function busyError(api, { error, jobId }, cause) {
    const which = jobId === undefined ? '' : ` (job ${jobId})`;
    const words = error === undefined ? '' : ` The platform says: ${(0,_http_service_js__WEBPACK_IMPORTED_MODULE_1__/* .foreignText */ .qk)(error, (text) => text)}`;
    const where = jobId === undefined ? "The platform's dashboard shows its id. " : '';
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
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
    if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw))
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
// A job that has ended may hold its place for a moment.
const RELEASE_WAIT_MS = 5000;
/**
 * Starts an export. Where the platform says that one is running already, waits for that one to end, within `timeoutMs`, and
 * starts then: what is running was begun before this run's content was published. Throws `conflict` where its id is not
 * known, and `timed-out` after waiting.
 */
async function startWhenFree({ api, runningJobId, timeoutMs, clock, log, signal }) {
    const startMs = clock.monotonicMs();
    const waitedMs = () => clock.monotonicMs() - startMs;
    for (;;) {
        const outcome = await api.start();
        if (outcome.kind === 'started')
            return { jobId: outcome.jobId, waitedMs: waitedMs() };
        const jobId = outcome.jobId ?? runningJobId;
        if (jobId === undefined || timeoutMs <= 0)
            throw outcome.error;
        if (waitedMs() >= timeoutMs)
            throw stillRunning(api, jobId, timeoutMs);
        log.info(`An export of ${api.subject} is running already: job ${jobId}. Waiting for it to end.`);
        await waitForEnd({ api, jobId, timeoutMs: timeoutMs - waitedMs(), clock, log, signal }, outcome.error);
        if (waitedMs() >= timeoutMs)
            throw stillRunning(api, jobId, timeoutMs);
        await clock.sleep(Math.min(RELEASE_WAIT_MS, timeoutMs - waitedMs()), signal);
    }
}
async function waitForEnd({ api, jobId, ...time }, busy) {
    try {
        await (0,_follow_js__WEBPACK_IMPORTED_MODULE_3__/* .follow */ .e6)({ ...time, poll: (timeLimitMs) => api.poll(jobId, timeLimitMs), view: viewOfExport, fresh: false });
    }
    catch (error) {
        // The id was a guess, and the platform does not know it: only people can find the running job.
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'not-found'))
            throw busy;
        // Whatever went wrong, this run has started nothing.
        throw error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw ? error.with({ mayHaveStarted: false }) : error;
    }
}
function stillRunning(api, jobId, timeoutMs) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'timed-out',
        message: `Export job ${jobId} of ${api.subject} was running already and did not finish within ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_4__/* .writeDuration */ .MP)(timeoutMs)}; no export was started.`,
        hint: {
            text: 'Run again later, or attach to that job, which starts no second export:',
            inputs: { 'export-job-id': jobId },
        },
    });
}


/***/ }),

/***/ 9916:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W4: () => (/* binding */ readFractions),
/* harmony export */   e6: () => (/* binding */ follow),
/* harmony export */   nS: () => (/* binding */ predictEndMs)
/* harmony export */ });
/* unused harmony exports MIN_POLL_MS, MAX_POLL_MS, nextPollMs */
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(492);



const MAX_FAILURES_IN_A_ROW = 10;
const NOT_FOUND_TOLERANCE_MS = 30_000;
// How long a poll may go on when time is up: a server that is silent or slow must not hold the run for a minute more.
const LAST_POLL_MS = 8000;
const STALLED_MS = 10 * 60_000;
// A poll may fail for these reasons and succeed a moment later.
const PASSING = ['network', 'protocol', 'rate-limited'];
/** Polls a remote job until it has ended or time is up. Throws what a poll throws when it will not pass by itself. */
function follow(init) {
    return new Follower(init).run();
}
class Follower {
    #init;
    #startMs;
    #seen = [];
    #warned = new Set();
    #job;
    #failures = 0;
    constructor(init) {
        this.#init = init;
        this.#startMs = init.clock.monotonicMs();
    }
    async run() {
        const { clock, signal, fresh } = this.#init;
        let waitMs = fresh ? MIN_POLL_MS : 0;
        for (;;) {
            const leftMs = this.#leftMs();
            // No time at all: a job that was started a moment ago is not polled, one that is attached to is, once.
            if (leftMs <= 0 && (fresh || this.#seen.length + this.#failures > 0))
                break;
            await clock.sleep(Math.min(waitMs, Math.max(0, leftMs)), signal);
            try {
                const job = await this.#pollOnce();
                if (job !== undefined)
                    return { kind: 'done', job, elapsedMs: this.#elapsedMs() };
                waitMs = nextPollMs(this.#seen, this.#init.random ?? Math.random);
            }
            catch (error) {
                waitMs = this.#waitAfter(error);
            }
        }
        return { kind: 'timed-out', job: this.#job, elapsedMs: this.#elapsedMs() };
    }
    /** The job, once it has ended. */
    async #pollOnce() {
        const { value, serverTime } = await this.#init.poll(Math.max(0, this.#leftMs()) + LAST_POLL_MS);
        this.#failures = 0;
        this.#job = value;
        const view = this.#init.view(value);
        this.#seen.push({ atMs: this.#elapsedMs(), progress: view.progress });
        this.#init.onPoll?.(value, this.#seen);
        if (view.phase === 'done')
            return value;
        if (view.phase === 'unknown')
            this.#warnOfStatus(view.status);
        this.#warnIfStalled(view.updatedAt, serverTime);
        return undefined;
    }
    /** How long to wait after a poll that failed; throws when waiting would not help. */
    #waitAfter(error) {
        const { fresh, log } = this.#init;
        this.#failures += 1;
        if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw))
            throw error;
        const early = fresh && error.code === 'not-found' && this.#elapsedMs() < NOT_FOUND_TOLERANCE_MS;
        if (!early && !(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, ...PASSING))
            throw error;
        if (!early && this.#failures >= MAX_FAILURES_IN_A_ROW)
            throw tooManyFailures(error);
        if (error.retryAfterMs !== undefined && error.retryAfterMs > this.#leftMs())
            throw error;
        log.debug(`Poll ${this.#seen.length + this.#failures} of the job failed (${this.#failures} in a row).`);
        const ownMs = early ? MIN_POLL_MS * 2 : Math.min(MAX_POLL_MS, MIN_POLL_MS * 2 ** (this.#failures - 1));
        return Math.max(ownMs, error.retryAfterMs ?? 0);
    }
    #warnOfStatus(status) {
        if (this.#warned.has('status'))
            return;
        this.#warned.add('status');
        const { log } = this.#init;
        log.warning(`The job has the status "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(log.redact(status), 60)}", which is not documented; polling goes on.`);
    }
    // By the platform's clock on both sides: that of this machine may be wrong.
    #warnIfStalled(updatedAt, serverTime) {
        if (updatedAt === undefined || serverTime === undefined || this.#warned.has('stalled'))
            return;
        const silentMs = serverTime.getTime() - updatedAt.getTime();
        if (silentMs < STALLED_MS)
            return;
        this.#warned.add('stalled');
        this.#init.log.warning(`The job has not changed for ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .formatDuration */ .a3)(silentMs)} (since ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_2__/* .formatInstant */ .r4)(updatedAt)}): it may have stalled. Polling goes on; open the job on the platform's dashboard.`);
    }
    #elapsedMs() {
        return this.#init.clock.monotonicMs() - this.#startMs;
    }
    #leftMs() {
        return this.#init.timeoutMs - this.#elapsedMs();
    }
}
function tooManyFailures(last) {
    return last.with({
        message: `Polling the job failed ${MAX_FAILURES_IN_A_ROW} times in a row. The last time: ${last.message}`,
    });
}
const MIN_POLL_MS = 1000;
const MAX_POLL_MS = 15_000;
const JITTER = 0.1;
function readNumber(raw) {
    const text = typeof raw === 'string' ? raw.trim().replace(/%$/, '') : raw;
    const value = typeof text === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
/**
 * Progress as a fraction, 0 to 1, at each observation. The base contract shows neither type nor unit: numbers up to 1 with a
 * broken part among them are fractions, all others are taken as percent. What is neither is undefined.
 */
function readFractions(seen) {
    const values = seen.map(({ progress }) => readNumber(progress));
    const known = values.filter((value) => value !== undefined);
    const areFractions = known.every((value) => value <= 1) && known.some((value) => value > 0 && value < 1);
    const whole = areFractions ? 1 : 100;
    return values.map((value) => (value === undefined || value < 0 || value > whole ? undefined : value / whole));
}
/** The first progress, and each advance. Backward steps are no advance. */
function advances(seen) {
    const points = [];
    readFractions(seen).forEach((fraction, index) => {
        const last = points.at(-1);
        const atMs = seen[index]?.atMs;
        if (fraction === undefined || atMs === undefined || (last !== undefined && fraction <= last.fraction))
            return;
        points.push({ atMs, fraction });
    });
    return points;
}
/** When the job will be done at the rate seen so far, in milliseconds on the observations' scale; undefined: no rate yet. */
function predictEndMs(seen) {
    const points = advances(seen);
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined || last.atMs <= first.atMs)
        return undefined;
    const msPerUnit = (last.atMs - first.atMs) / (last.fraction - first.fraction);
    return last.atMs + (1 - last.fraction) * msPerUnit;
}
function clampPoll(ms) {
    return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, ms));
}
/**
 * Milliseconds until the next poll, from nothing but what was seen: half of the time that the rate of progress predicts to
 * be left; where there is no rate, or its prediction has passed, a tenth of the time waited so far. Always 1 s to 15 s,
 * plus or minus 10 %, so that many runs do not poll at the same moment. `random` gives 0 to 1.
 */
function nextPollMs(seen, random) {
    const last = seen.at(-1);
    if (last === undefined)
        return MIN_POLL_MS;
    const endMs = predictEndMs(seen);
    const waitMs = endMs === undefined || endMs <= last.atMs ? overdueMs(last.atMs, endMs) : (endMs - last.atMs) / 2;
    return clampPoll(clampPoll(waitMs) * (1 + JITTER * (2 * random() - 1)));
}
// Just past a prediction the end is near more often than not; long past it, the prediction was wrong. A job that moves in
// bursts passes many predictions: a sixtieth of the time waited keeps it from being polled every second.
function overdueMs(nowMs, endMs) {
    if (endMs === undefined)
        return nowMs / 10;
    return Math.max(nowMs / 60, Math.min(nowMs / 10, (nowMs - endMs) / 4));
}


/***/ }),

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
/* harmony import */ var _http_hosts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3781);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(492);
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8092);






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
    const allowLoopback = (0,_http_hosts_js__WEBPACK_IMPORTED_MODULE_2__/* .isLoopback */ .U9)(hostname);
    const allowAddress = (0,node_net__WEBPACK_IMPORTED_MODULE_0__.isIP)(address) !== 0;
    // What a name resolves to is the platform's own to say, so that only an address counts as being inside.
    const isInside = allowLoopback || (allowAddress && (0,_http_hosts_js__WEBPACK_IMPORTED_MODULE_2__/* .isPrivateAddress */ .C0)(address));
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
    if ((0,_http_hosts_js__WEBPACK_IMPORTED_MODULE_2__/* .isLoopback */ .U9)(hostname))
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
                this.#warnOnce(`The link expires in ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(lifeMs)}; the platform makes none that is valid for longer.`);
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
            this.#warnOnce(`This machine's clock differs from the platform's by ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(Math.abs(skewMs))}; the platform's is used.`);
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


/***/ })

};
