export const id = 949;
export const ids = [949];
export const modules = {

/***/ 7949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runExport: () => (/* binding */ runExport)
});

// EXTERNAL MODULE: ./build/delivery/delivery.js + 13 modules
var delivery_delivery = __webpack_require__(451);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/platform/link.js
var platform_link = __webpack_require__(3832);
// EXTERNAL MODULE: ./build/modes/receive-bundle.js
var receive_bundle = __webpack_require__(1275);
// EXTERNAL MODULE: ./build/platform/failure.js
var failure = __webpack_require__(3068);
// EXTERNAL MODULE: ./build/platform/follow.js
var follow = __webpack_require__(3925);
// EXTERNAL MODULE: ./build/platform/schedule.js
var schedule = __webpack_require__(721);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
// EXTERNAL MODULE: ./build/modes/export/progress.js
var progress = __webpack_require__(3951);
;// CONCATENATED MODULE: ./build/modes/export/follow-export.js






// The contract names the two ends; these are common names of the way there, so that they need no warning.
const UNDERWAY = new Set(['queued', 'pending', 'running', 'processing', 'in_progress', 'active']);
const REPORTED_POINTS = 100;
function viewOf(job) {
    const done = job.status === 'completed' || job.status === 'failed';
    return {
        status: job.status,
        phase: done ? 'done' : UNDERWAY.has(job.status) ? 'running' : 'unknown',
        progress: job.progress,
    };
}
/** Follows the job in a group of the log. Throws `job-failed` when the platform says so. */
async function followExport({ inputs, deps, jobId, fresh }) {
    const { clock, log, signal } = deps;
    const points = [];
    const result = await log.group(`Following export job ${jobId}`, () => (0,follow/* follow */.e)({
        poll: async () => checkId(await deps.platform.getExportJob(jobId), jobId),
        view: viewOf,
        timeoutMs: inputs.timeoutMs,
        fresh,
        clock,
        log,
        signal,
        onLook: (job, seen) => tellLook({ job, seen, points, deps }),
    }));
    deps.tell({ jobElapsedMs: Math.round(result.elapsedMs) });
    if (result.kind === 'timed-out')
        return { kind: 'timed-out' };
    if (result.job.status === 'failed')
        throw jobFailed(jobId, result.job, log);
    return { kind: 'completed', pageCount: lastPages(points) };
}
function lastPages(points) {
    return points.findLast(({ pages }) => pages !== undefined)?.pages;
}
function tellLook({ job, seen, points, deps }) {
    const elapsedMs = seen.at(-1)?.atMs ?? 0;
    const endMs = (0,schedule/* predictEndMs */.nS)(seen);
    const point = {
        elapsedMs: Math.round(elapsedMs),
        // Redacted before it is cut: the rest of a secret that is cut through has no form to be found by.
        status: (0,text_escape/* plainLine */.h0)(deps.log.redact(job.status), 40),
        fraction: (0,schedule/* readFractions */.W4)(seen).at(-1),
        pages: (0,progress/* readPages */.n4)(job.pageCount),
        restMs: endMs === undefined || endMs <= elapsedMs ? undefined : Math.round(endMs - elapsedMs),
    };
    const told = points.at(-1);
    if (!(0,progress/* isWorthTelling */.aI)(point, told))
        return;
    points.push(point);
    deps.log.info((0,progress/* progressLine */.oz)(point));
    deps.tell({ pageCount: lastPages(points), progress: (0,progress/* thin */.yL)(points, REPORTED_POINTS) });
}
// The reply does not have to carry the id; where it does, it must be the one that was asked for.
function checkId(reply, jobId) {
    const told = reply.value.jobId;
    if (told === undefined || told === jobId)
        return reply;
    throw new errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The platform was asked about export job ${jobId} and answered about ${(0,text_escape/* plainLine */.h0)(String(told), 140)}.`,
        hint: 'Run again with export-job-id; if it happens again, tell the platform.',
    });
}
function jobFailed(jobId, job, log) {
    const text = typeof job.error === 'string' ? `: ${(0,failure/* platformText */.VQ)(job.error, log.redact)}` : '. The platform gave no reason.';
    return new errors/* CourierError */.Yw({
        code: 'job-failed',
        message: `Export job ${jobId} failed${text}`,
        hint: "Look at the job on the platform's dashboard. A new run starts a new export.",
    });
}

;// CONCATENATED MODULE: ./build/modes/export/job.js

const START = { kind: 'start', origin: 'started' };
/** The job of the input, else the one that an earlier attempt of this run has started, else a new one. */
async function chooseJob({ inputs, deps, delivery }) {
    if (inputs.exportJobId !== undefined)
        return { kind: 'attach', jobId: inputs.exportJobId, origin: 'attached' };
    const resume = delivery?.resume();
    if (resume === undefined || resume.kind === 'start') {
        if (resume?.warning !== undefined)
            deps.log.warning(resume.warning);
        return START;
    }
    return (await isUsable(resume.jobId, deps)) ? { kind: 'attach', jobId: resume.jobId, origin: 'resumed' } : START;
}
// An earlier attempt's job is worth attaching to unless it failed or is gone; then a new one is what the user wants.
async function isUsable(jobId, { platform, log }) {
    try {
        const { value } = await platform.getExportJob(jobId);
        if (value.status !== 'failed') {
            log.info(`An earlier attempt of this run followed export job ${jobId}: attaching to it. A new export needs a new run.`);
            return true;
        }
        log.info(`Export job ${jobId} of an earlier attempt failed; starting anew.`);
        return false;
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw))
            throw error;
        if (error.code === 'not-found') {
            log.info(`Export job ${jobId} of an earlier attempt is gone; starting anew.`);
            return false;
        }
        if (error.code === 'network' || error.code === 'rate-limited' || error.code === 'protocol')
            return true;
        throw error;
    }
}
/** Starts an export; the state beside the secret says so before, and names the job right after. */
async function startJob({ inputs, deps, delivery }) {
    const { domain } = inputs;
    if (domain === undefined)
        throw new errors/* CourierError */.Yw({ code: 'config', message: 'domain is missing.' });
    await delivery?.markStarting();
    deps.log.info(`Starting an export of ${domain}.`);
    const { jobId } = await start({ domain, deps, delivery });
    // Told before the next call, so that not even a crash in it loses the id.
    deps.tell({ jobId });
    await delivery?.markStarted(jobId);
    return jobId;
}
async function start({ domain, deps, delivery }) {
    try {
        return (await deps.platform.startExport(domain)).value;
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw))
            throw error;
        if (error.mayHaveStarted)
            throw mayHaveStarted(domain, error);
        await delivery?.unmarkStarting();
        throw error;
    }
}
function mayHaveStarted(domain, error) {
    // A portal's page in place of a reply: then nothing has started, and only base-url is wrong.
    const first = error.code === 'protocol' && error.hint !== undefined ? `${error.hint} Otherwise look` : 'Look';
    return new errors/* CourierError */.Yw({
        code: error.code,
        message: `${error.message} The export of ${domain} may have started; it was not asked for again.`,
        hint: `${first} for a running export of ${domain} on the platform's dashboard. Attach to it, which starts no second export:\nwith:\n  export-job-id: the id shown there`,
        cause: error,
        httpStatus: error.httpStatus,
        mayHaveStarted: true,
    });
}

;// CONCATENATED MODULE: ./build/modes/export/export.js






// A GitHub App's installation token lives an hour: one that must still work after a long export may be dead by then.
const APP_TOKEN_SAFE_MS = 50 * 60_000;
/**
 * Exports a site: finds or starts the job, follows it, makes a link, and hands it over as an output, a file, a folder and a
 * secret. Everything that can be checked is checked before a job is started.
 */
async function runExport(inputs, deps) {
    const { baseUrl, domain, deploymentType } = inputs;
    deps.tell({ baseUrl, domain, deploymentType });
    warnOfShortToken(inputs, deps);
    await (0,receive_bundle/* checkReceipt */.HF)(inputs.bundle, deps);
    const delivery = inputs.secret && (await (0,delivery_delivery/* openDelivery */.D)({ ...inputs, secret: inputs.secret }, deps));
    const choice = await chooseJob({ inputs, deps, delivery });
    if (inputs.dryRun)
        return plan({ inputs, deps, choice, delivery });
    const jobId = choice.kind === 'start' ? await startJob({ inputs, deps, delivery }) : choice.jobId;
    deps.tell({ jobId, origin: choice.origin });
    deps.log.info(`Export job ${jobId}. To attach another run to it, add to the step: export-job-id: ${jobId}`);
    const end = await followExport({ inputs, deps, jobId, fresh: choice.kind === 'start' });
    if (end.kind === 'timed-out')
        return detach(inputs, jobId);
    return handOver({ inputs, deps, delivery, jobId, pageCount: end.pageCount });
}
/** A finished job's link: made, used for the download, and last of all published. */
async function handOver({ inputs, deps, delivery, jobId, pageCount }) {
    const { baseUrl, domain, deploymentType } = inputs;
    const links = (0,platform_link/* createLinkMaker */.jK)({ ...deps, jobId, baseUrl });
    let link = await links.fresh();
    deps.tell({ bundleUrl: link.url, expiresAt: link.expiresAt?.toISOString(), bundleBytes: link.sizeBytes });
    const origin = { domain, jobId, pageCount, deploymentType };
    const received = await (0,receive_bundle/* receive */.uZ)({ inputs, deps, links, link, origin });
    if (received !== undefined) {
        link = received.link;
        deps.tell({
            bundle: received.facts,
            bundleUrl: link.url,
            expiresAt: link.expiresAt?.toISOString(),
            bundleBytes: received.facts.bytes,
        });
        received.assertSound();
    }
    const secret = await delivery?.deliver({ jobId, link });
    return { status: 'completed', secret };
}
function detach({ onTimeout, timeoutMs }, jobId) {
    if (onTimeout === 'detach') {
        return { status: 'detached', reason: `The export goes on; attach to it with export-job-id: ${jobId}` };
    }
    throw new errors/* CourierError */.Yw({
        code: 'timed-out',
        message: `Export job ${jobId} was not over after ${timeoutMs / 1000} s.`,
        hint: `The export goes on. Attach a later run to it, which starts no second export:\nwith:\n  export-job-id: ${jobId}`,
    });
}
function warnOfShortToken({ secret, timeoutMs }, { log }) {
    if (secret?.token.startsWith('ghs_') && timeoutMs > APP_TOKEN_SAFE_MS) {
        log.warning('secret-token is a GitHub App token, which lives an hour; with a timeout over 50m it may be dead when the secret is written. Use the two-job recipe: the second job makes its own token.');
    }
}
/** Every read is done, a given job's too, so that a wrong id shows; every write is only listed. */
async function plan({ inputs, deps, choice, delivery }) {
    const jobs = `${inputs.baseUrl}/v1/static-export/jobs`;
    if (choice.kind === 'attach')
        await deps.platform.getExportJob(choice.jobId);
    const id = choice.kind === 'start' ? '{jobId}' : choice.jobId;
    const start = { action: `start an export of ${inputs.domain}`, target: `POST ${jobs}` };
    const link = { action: 'make a bundle link', target: `POST ${jobs}/${id}/bundle` };
    const writes = [link, ...(0,receive_bundle/* planReceipt */.W1)(inputs.bundle), ...(delivery?.plan() ?? [])];
    return { status: 'completed', planned: choice.kind === 'start' ? [start, ...writes] : writes };
}


/***/ }),

/***/ 3951:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   aI: () => (/* binding */ isWorthTelling),
/* harmony export */   du: () => (/* binding */ pagesChart),
/* harmony export */   n4: () => (/* binding */ readPages),
/* harmony export */   oz: () => (/* binding */ progressLine),
/* harmony export */   yL: () => (/* binding */ thin)
/* harmony export */ });
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1065);

const QUIET_MS = 60_000;
/** Pages as a count, where the platform's untyped value is one. */
function readPages(raw) {
    const value = typeof raw === 'string' && /^\d{1,9}$/.test(raw.trim()) ? Number(raw) : raw;
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
function percentOf(point) {
    return point.fraction === undefined ? undefined : Math.floor(point.fraction * 100);
}
/** True when a person would want a line: something changed, or a minute passed in silence. */
function isWorthTelling(point, told) {
    if (told === undefined || point.elapsedMs - told.elapsedMs >= QUIET_MS)
        return true;
    return point.status !== told.status || percentOf(point) !== percentOf(told) || point.pages !== told.pages;
}
/** `running: 40 %, 128 pages, 1 min 5 s elapsed, about 1 min 30 s left`. `status` must be inert already. */
function progressLine(point) {
    const percent = percentOf(point);
    const parts = [
        percent === undefined ? undefined : `${percent} %`,
        point.pages === undefined ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .countOf */ .pq)(point.pages, 'page'),
        `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a3)(point.elapsedMs)} elapsed`,
        point.restMs === undefined || point.restMs < 1000 ? undefined : `about ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a3)(point.restMs)} left`,
    ];
    return `${point.status}: ${parts.filter((part) => part !== undefined).join(', ')}`;
}
/** At most `count` of the points, evenly taken, the first and the last among them. */
function thin(points, count) {
    if (points.length <= count)
        return points;
    const step = (points.length - 1) / (count - 1);
    return Array.from({ length: count }, (_, index) => points[Math.round(index * step)]).filter((point) => point !== undefined);
}
const CHART_POINTS = 20;
/** Pages over time as a Mermaid chart; undefined where there are too few points to draw a line. */
function pagesChart(points) {
    const known = points.flatMap(({ elapsedMs, pages }) => (pages === undefined ? [] : [{ elapsedMs, pages }]));
    const last = known.at(-1);
    if (known.length < 3 || last === undefined || last.pages === 0)
        return undefined;
    const [unit, unitMs] = last.elapsedMs > 180_000 ? ['min', 60_000] : ['s', 1000];
    // The chart spaces its values evenly, looks at a job do not come evenly: take the line between two looks at even times.
    const values = Array.from({ length: CHART_POINTS + 1 }, (_, index) => pagesAt(known, (last.elapsedMs * index) / CHART_POINTS));
    return [
        '```mermaid',
        'xychart-beta',
        '  title "Pages over time"',
        `  x-axis "${unit}" 0 --> ${Math.max(1, Math.round(last.elapsedMs / unitMs))}`,
        `  y-axis "pages" 0 --> ${Math.max(...values)}`,
        `  line [${values.join(', ')}]`,
        '```',
    ].join('\n');
}
function pagesAt(known, atMs) {
    const before = known.findLast(({ elapsedMs }) => elapsedMs <= atMs) ?? { elapsedMs: 0, pages: 0 };
    const after = known.find(({ elapsedMs }) => elapsedMs > atMs);
    if (after === undefined)
        return before.pages;
    const share = (atMs - before.elapsedMs) / (after.elapsedMs - before.elapsedMs);
    return Math.round(before.pages + share * (after.pages - before.pages));
}


/***/ }),

/***/ 3925:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ follow)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3699);
/* harmony import */ var _schedule_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(721);



const MAX_FAILURES_IN_A_ROW = 10;
const NOT_FOUND_TOLERANCE_MS = 30_000;
// A look may fail for these reasons and succeed a moment later.
const PASSING = new Set(['network', 'protocol', 'rate-limited']);
/** Looks at a remote job until it is over or time is up. Throws what a look throws when it will not pass by itself. */
async function follow(init) {
    const { clock, signal, timeoutMs, random = Math.random } = init;
    const startMs = clock.monotonicMs();
    const elapsedMs = () => clock.monotonicMs() - startMs;
    const seen = [];
    const warned = new Set();
    let job;
    let failures = 0;
    let waitMs = init.fresh ? _schedule_js__WEBPACK_IMPORTED_MODULE_2__/* .SHORTEST_POLL_MS */ .yd : 0;
    for (;;) {
        const leftMs = timeoutMs - elapsedMs();
        // No time at all: a job that was started a moment ago is not looked at, one that is attached to is, once.
        if (leftMs <= 0 && (init.fresh || seen.length + failures > 0))
            break;
        await clock.sleep(Math.min(waitMs, Math.max(0, leftMs)), signal);
        try {
            const { value } = await init.poll();
            failures = 0;
            job = value;
            const view = init.view(value);
            seen.push({ atMs: elapsedMs(), progress: view.progress });
            init.onLook?.(value, seen);
            if (view.phase === 'done')
                return { kind: 'done', job: value, elapsedMs: elapsedMs() };
            if (view.phase === 'unknown')
                warnOnce(warned, view.status, init.log);
            waitMs = (0,_schedule_js__WEBPACK_IMPORTED_MODULE_2__/* .nextPollMs */ .b7)(seen, random);
        }
        catch (error) {
            failures += 1;
            waitMs = waitAfterFailure({
                error,
                failures,
                elapsedMs: elapsedMs(),
                leftMs: timeoutMs - elapsedMs(),
                fresh: init.fresh,
            });
            init.log.debug(`Look ${seen.length + failures} at the job failed (${failures} in a row).`);
        }
    }
    return { kind: 'timed-out', job, elapsedMs: elapsedMs() };
}
function warnOnce(warned, status, log) {
    if (warned.size > 0)
        return;
    warned.add(status);
    log.warning(`The job has the status "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(log.redact(status), 60)}", which is not documented; following goes on.`);
}
/** How long to wait after a failed look; throws when waiting would not help. */
function waitAfterFailure({ error, failures, elapsedMs, leftMs, fresh }) {
    if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw))
        throw error;
    const early = fresh && error.code === 'not-found' && elapsedMs < NOT_FOUND_TOLERANCE_MS;
    if (!early && !PASSING.has(error.code))
        throw error;
    if (!early && failures >= MAX_FAILURES_IN_A_ROW)
        throw tooManyFailures(error);
    if (error.retryAfterMs !== undefined && error.retryAfterMs > leftMs)
        throw error;
    const ownMs = early ? _schedule_js__WEBPACK_IMPORTED_MODULE_2__/* .SHORTEST_POLL_MS */ .yd * 2 : Math.min(_schedule_js__WEBPACK_IMPORTED_MODULE_2__/* .LONGEST_POLL_MS */ .o5, _schedule_js__WEBPACK_IMPORTED_MODULE_2__/* .SHORTEST_POLL_MS */ .yd * 2 ** (failures - 1));
    return Math.max(ownMs, error.retryAfterMs ?? 0);
}
function tooManyFailures(last) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: last.code,
        message: `The job could not be looked at ${MAX_FAILURES_IN_A_ROW} times in a row. The last time: ${last.message}`,
        hint: last.hint,
        cause: last,
        httpStatus: last.httpStatus,
        retryAfterMs: last.retryAfterMs,
    });
}


/***/ }),

/***/ 721:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W4: () => (/* binding */ readFractions),
/* harmony export */   b7: () => (/* binding */ nextPollMs),
/* harmony export */   nS: () => (/* binding */ predictEndMs),
/* harmony export */   o5: () => (/* binding */ LONGEST_POLL_MS),
/* harmony export */   yd: () => (/* binding */ SHORTEST_POLL_MS)
/* harmony export */ });
const SHORTEST_POLL_MS = 1000;
const LONGEST_POLL_MS = 15_000;
const JITTER = 0.1;
function readNumber(raw) {
    const text = typeof raw === 'string' ? raw.trim().replace(/%$/, '') : raw;
    const value = typeof text === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
/**
 * Progress as a fraction, 0 to 1, at each observation. The contract shows neither type nor unit: numbers up to 1 with a
 * broken part among them are fractions, all others are taken as percent. What is neither is undefined.
 */
function readFractions(seen) {
    const values = seen.map(({ progress }) => readNumber(progress));
    const known = values.filter((value) => value !== undefined);
    const areFractions = known.every((value) => value <= 1) && known.some((value) => value > 0 && value < 1);
    const whole = areFractions ? 1 : 100;
    return values.map((value) => (value === undefined || value < 0 || value > whole ? undefined : value / whole));
}
/** Where progress stood at first, and each time it advanced. Backward steps are no advance. */
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
    return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, ms));
}
/**
 * Milliseconds until the next look, from nothing but what was seen: half of the time that the rate of progress predicts to
 * be left; where there is no rate, or its prediction has passed, a tenth of the time waited so far. Always 1 s to 15 s,
 * give or take 10 % so that many runs do not ask at the same moment. `random` gives 0 to 1.
 */
function nextPollMs(seen, random) {
    const last = seen.at(-1);
    if (last === undefined)
        return SHORTEST_POLL_MS;
    const endMs = predictEndMs(seen);
    const waitMs = endMs === undefined || endMs <= last.atMs ? overdueMs(last.atMs, endMs) : (endMs - last.atMs) / 2;
    return clampPoll(clampPoll(waitMs) * (1 + JITTER * (2 * random() - 1)));
}
// Just past a prediction the end is near more often than not; long past it, the prediction was wrong. A job that moves in
// bursts passes many predictions: a sixtieth of the time waited keeps it from being asked every second.
function overdueMs(nowMs, endMs) {
    if (endMs === undefined)
        return nowMs / 10;
    return Math.max(nowMs / 60, Math.min(nowMs / 10, (nowMs - endMs) / 4));
}


/***/ })

};
