export const id = 5578;
export const ids = [5578];
export const modules = {

/***/ 4588:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   N: () => (/* binding */ isOwn)
/* harmony export */ });
/** Whether a text is by the account that writes ours; one by anybody else holds no record of ours, whatever it says. */
function isOwn({ author }, own) {
    return own.kind === 'bot' ? author?.kind === 'bot' : author?.id === own.id;
}


/***/ }),

/***/ 5578:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reportOutcome: () => (/* binding */ reportOutcome)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/forge/own.js
var forge_own = __webpack_require__(4588);
// EXTERNAL MODULE: ./build/github/connection.js
var connection = __webpack_require__(9164);
// EXTERNAL MODULE: ./build/inputs/read-notices.js
var read_notices = __webpack_require__(4758);
// EXTERNAL MODULE: ./build/inputs/reader.js
var reader = __webpack_require__(401);
// EXTERNAL MODULE: ./build/report/summary.js
var summary = __webpack_require__(4611);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
// EXTERNAL MODULE: ./build/text/markdown.js
var markdown = __webpack_require__(1065);
;// CONCATENATED MODULE: ./build/modes/notices/issue-text.js



const MAX_TITLE = 200;
function issueTitle({ mode, subject, error }) {
    return (0,text_escape/* plainLine */.h0)(`Documentation: ${mode} of ${subject} fails (${error.code})`, MAX_TITLE);
}
/** Markdown. Everything in it that comes from outside is escaped. */
function issueBody(failure, notice) {
    const { mode, subject, runUrl, nowMs, isPublic } = failure;
    const since = (0,markdown/* formatInstant */.r4)(new Date(notice.since));
    const runs = notice.runs === 1 ? 'first seen in' : `${(0,markdown/* countOf */.pq)(notice.runs, 'run')} so far, the last one is`;
    return (0,summary/* sections */.V0)([
        `The ${(0,text_escape/* escapeMarkdown */.FV)(mode, 20)} of ${(0,text_escape/* codeSpan */.SS)(subject, 200)} has failed since ${since}: ${runs} ${(0,text_escape/* link */.nf)('this run', runUrl)}.`,
        timeLeft(notice.expiresAt, nowMs),
        (0,summary/* errorSection */.K6)(isPublic ? withoutLists(failure.error) : failure.error),
        '<sub>Written by Docs Courier. Each run that fails updates this issue, and the next one that succeeds closes it.</sub>',
    ]);
}
function timeLeft(expiresAt, nowMs) {
    if (expiresAt === undefined)
        return undefined;
    const expiry = new Date(expiresAt);
    const leftMs = expiry.getTime() - nowMs;
    const instant = (0,markdown/* formatInstant */.r4)(expiry);
    if (leftMs <= 0) {
        return `**Time left**: none. The stored link expired on ${instant}; whoever fetches the documentation by it gets an error.`;
    }
    return `**Time left**: ${(0,markdown/* formatDuration */.a3)(leftMs)} from this update. The stored link works until ${instant}; after that, whoever fetches the documentation by it gets an error.`;
}
function withoutLists(error) {
    const [first = '', ...rest] = error.message.split('\n');
    if (rest.length === 0)
        return error;
    return { ...error, message: `${first} The log of the run has ${(0,markdown/* countOf */.pq)(rest.length, 'more line')}.` };
}
function closingComment(runUrl) {
    return `It works again: ${(0,text_escape/* link */.nf)('this run', runUrl)} succeeded.`;
}

// EXTERNAL MODULE: ./build/modes/notices/notice.js
var notices_notice = __webpack_require__(8613);
// EXTERNAL MODULE: ./build/modes/notices/run-url.js
var run_url = __webpack_require__(6472);
// EXTERNAL MODULE: ./build/modes/notices/step-key.js
var step_key = __webpack_require__(4585);
// EXTERNAL MODULE: ./build/modes/notices/warning.js
var warning = __webpack_require__(4177);
;// CONCATENATED MODULE: ./build/modes/notices/failure-issue.js











// The run itself is over: it is not kept waiting for longer.
const TIME_LIMIT_MS = 60_000;
/**
 * Opens an issue about a run that failed, or brings the one of its step up to date; closes it after a run that succeeded.
 * Whatever goes wrong with that is a warning: the run ends as it would without.
 */
async function reportOutcome(step) {
    const { run, source, report, log, clock, signal } = step;
    const inputs = (0,read_notices/* readIssueInputs */.H)(source);
    const outcome = outcomeOf(report);
    if (inputs === undefined || outcome === undefined || isByChangeRequest(run) || signal.aborted)
        return;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
    try {
        const { GitHubHost } = await __webpack_require__.e(/* import() */ 4061).then(__webpack_require__.bind(__webpack_require__, 4061));
        const host = new GitHubHost((0,connection/* createGitHub */.C)({ run: run.github, clock, log, signal: limited }), log);
        const [forge, notices] = await Promise.all([
            host.connect({ main: inputs.token, ranks: undefined }),
            host.connectNotices(inputs.token),
        ]);
        const issues = new FailureIssue({ step, inputs, forge, notices });
        await (outcome === 'failed' ? issues.report() : issues.close());
    }
    catch (error) {
        const reason = (0,errors/* toCourierError */.tR)(error);
        const why = (0,errors/* hasCode */.up)(reason, 'cancelled') ? 'GitHub did not answer within a minute.' : (0,warning/* adviceOf */.w)(reason);
        log.warning(`The issue about this ${outcome === 'failed' ? 'failure' : 'step'} could not be updated. ${why}`);
    }
}
/** Neither a run that was cancelled nor one that did nothing says whether the step works. */
function outcomeOf({ status, error }) {
    if (status === 'cancelled')
        return undefined;
    if (error !== undefined)
        return 'failed';
    return status === 'completed' ? 'succeeded' : undefined;
}
/** Whoever proposes a change sees its run. */
function isByChangeRequest({ cause }) {
    return cause === 'change-request' || cause === 'comment';
}
const expiries = schemas/* object */.Ikc({
    storedLinkExpiresAt: schemas/* optional */.lqM(schemas/* string */.YjP()),
    expiresAt: schemas/* optional */.lqM(schemas/* string */.YjP()),
    secret: schemas/* optional */.lqM(schemas/* object */.Ikc({ updated: schemas/* boolean */.zMY() })),
});
class FailureIssue {
    #step;
    #inputs;
    #forge;
    #notices;
    #place;
    #key;
    constructor({ step, inputs, forge, notices }) {
        this.#step = step;
        this.#inputs = inputs;
        this.#forge = forge;
        this.#notices = notices;
        this.#place = { secret: inputs.secret, repository: step.run.github.repository };
        this.#key = (0,step_key/* stepKey */.U)(step.source);
    }
    async report() {
        const { log } = this.#step;
        const [known] = (await this.#find()).filter(({ isValid }) => isValid);
        const notice = this.#notice(known?.notice);
        const failure = await this.#describe();
        const text = (id) => ({
            title: issueTitle(failure),
            body: log.redact(`${(0,notices_notice/* writeNotice */.a)(this.#place, { ...notice, id })}\n${issueBody(failure, notice)}`),
        });
        if (known === undefined) {
            const { number, url } = await this.#create(text());
            log.info(`Opened issue ${number} about this failure: ${url}`);
        }
        else {
            await this.#notices.updateIssue(known.issue.number, text(known.issue.number));
            log.info(`Updated issue ${known.issue.number} about this failure: ${known.issue.url}`);
        }
    }
    /**
     * Closes also what was signed with an earlier key: a new key is the usual fix, and the issue must not stay open for it. The
     * worst that a copied notice does is to be closed.
     */
    async close() {
        for (const { issue } of await this.#find()) {
            await this.#notices.closeIssue(issue.number);
            await this.#forge.createComment(issue.number, closingComment((0,run_url/* runUrl */.V)(this.#step.run.github)));
            this.#step.log.info(`Closed issue ${issue.number}: this run succeeded.`);
        }
    }
    /** Open issues of our own author about this step, oldest first. */
    async #find() {
        const [own, issues] = await Promise.all([this.#forge.whoWeAre(), this.#notices.openIssues()]);
        return issues
            .filter((issue) => (0,forge_own/* isOwn */.N)(issue, own))
            .flatMap((issue) => {
            const found = (0,notices_notice/* readNotice */.d)(this.#place, { id: issue.number, body: issue.body });
            if (found?.notice.kind !== 'failure' || found.notice.step !== this.#key)
                return [];
            return [{ issue, notice: found.notice, isValid: found.isValid }];
        })
            .sort((a, b) => a.issue.number - b.issue.number);
    }
    #notice(before) {
        const { clock, report } = this.#step;
        const parsed = expiries.safeParse(report);
        const { storedLinkExpiresAt, expiresAt, secret } = parsed.success ? parsed.data : {};
        return {
            version: 2,
            kind: 'failure',
            step: this.#key,
            since: before?.since ?? new Date(clock.now()).toISOString(),
            runs: (before?.runs ?? 0) + 1,
            expiresAt: (secret?.updated === true ? expiresAt : storedLinkExpiresAt) ?? before?.expiresAt,
        };
    }
    async #describe() {
        const { source, report, clock } = this.#step;
        const { error = { code: 'io', message: '' } } = report;
        const names = ['domain', 'project-id', 'site', 'secret-name', 'to'];
        const subject = names.map((name) => (0,reader/* rawInput */.JR)(source, name)).find((text) => text !== '') ?? 'the documentation';
        return {
            mode: report.mode,
            subject: subject.split('\n')[0] ?? '',
            error,
            runUrl: (0,run_url/* runUrl */.V)(this.#step.run.github),
            nowMs: clock.now(),
            // Where that cannot be known, less is shown.
            isPublic: await this.#forge.isPublic().catch(() => true),
        };
    }
    // An assignee that GitHub refuses must not keep the issue from being opened.
    async #create(text) {
        const { labels, assignees } = this.#inputs;
        try {
            return await this.#notices.createIssue({ ...text, labels, assignees });
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw) || error.httpStatus !== 422 || assignees.length === 0)
                throw error;
            this.#step.log.warning(`The issue is opened without issue-assignees, which GitHub refused. ${error.message}`);
            return this.#notices.createIssue({ ...text, labels, assignees: [] });
        }
    }
}


/***/ }),

/***/ 8613:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ writeNotice),
/* harmony export */   d: () => (/* binding */ readNotice)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8395);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3305);
/* harmony import */ var _proof_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7170);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5666);



const instant = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .refine */ .YPB((text) => !Number.isNaN(Date.parse(text))));
const count = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._nonnegative */ .UI());
/** A step that fails: what its issue says, so that the next run can go on with it. */
const failure = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({
    version: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz(2),
    kind: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz('failure'),
    /** Which step of which workflow; see `stepKey`. */
    step: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    since: instant,
    runs: count,
    /** When the stored link expires, as last known. */
    expiresAt: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(instant),
    /** Number of the issue; absent while it is being made. */
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()),
});
/** What an export changed, on the pull request that was merged for it. */
const changes = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({
    version: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz(2),
    kind: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz('changes'),
    step: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    job: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    /** Absent where there was no earlier export. */
    counts: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({ added: count, changed: count, moved: count, removed: count, lost: count })),
    /** Since when it is live, or stored. */
    since: instant,
    isLive: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    /** Id of the comment; absent while it is being made. */
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()),
});
/** What a search check found, on the pull request that it ran for. */
const search = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({
    version: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz(2),
    kind: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz('search'),
    step: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    /** Some run for this pull request was not as it should be. */
    hasFailed: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    /** Id of the comment; absent while it is being made. */
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()),
});
const notice = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .discriminatedUnion */ .gMt('kind', [failure, changes, search]);
const envelope = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .strictObject */ .rej({ notice, proof: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() });
// The same beginning as that of status comments: agent mode takes neither for a command or for context.
const MARKER = /^<!-- docs-courier:([A-Za-z0-9_-]{1,4000}) -->/;
function signing({ secret, repository, pullNumber }, payload) {
    const target = { repository: repository.toLowerCase(), pullNumber };
    return { secret, purpose: 'docs-courier/notice/v2', payload: { notice: payload, target } };
}
/** The notice as an invisible first line of Markdown. */
function writeNotice(place, payload) {
    const proof = (0,_proof_js__WEBPACK_IMPORTED_MODULE_0__/* .sign */ ._S)(signing(place, payload));
    return `<!-- docs-courier:${Buffer.from(JSON.stringify({ notice: payload, proof })).toString('base64url')} -->`;
}
/** What a text begins with; undefined where that is no notice. Check the author before anything of it is used. */
function readNotice(place, { id, body }) {
    const encoded = MARKER.exec(body)?.[1];
    if (encoded === undefined)
        return undefined;
    const parsed = envelope.safeParse((0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .parseJson */ .q)(Buffer.from(encoded, 'base64url').toString()));
    if (!parsed.success)
        return undefined;
    const { notice: found, proof } = parsed.data;
    const isHere = found.id === undefined || found.id === id;
    return { notice: found, isValid: isHere && (0,_proof_js__WEBPACK_IMPORTED_MODULE_0__/* .verify */ .MX)({ ...signing(place, found), proof }) };
}


/***/ }),

/***/ 6472:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   V: () => (/* binding */ runUrl),
/* harmony export */   u: () => (/* binding */ runLink)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);

/** The page of this attempt of the run. */
function runUrl({ serverUrl, repository, runId, runAttempt }) {
    return `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${runAttempt}`;
}
/** `this run`, as a link in Markdown. */
function runLink(run) {
    return (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .link */ .nf)('this run', runUrl(run));
}


/***/ }),

/***/ 4585:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ keyOf),
/* harmony export */   U: () => (/* binding */ stepKey)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _inputs_reader_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(401);
/* harmony import */ var _proof_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7170);



/** What makes a step another one. Not the address of the platform and no key: both change when what fails is mended. */
const NAMES = [
    'mode',
    'domain',
    'project-id',
    'site',
    'export-version',
    'base-path',
    'to',
    'secret-name',
    'secret-scope',
    'secret-environment',
    'secret-repository',
    'secret-organization',
    'bundle-path',
    'extract-to',
    'queries-file',
    'query',
];
/**
 * The same for each run of a step, also where its inputs are wrong otherwise, and for no other step of the repository that
 * exports, refreshes or searches something else.
 */
function stepKey(source) {
    const texts = NAMES.map((name) => [name, (0,_inputs_reader_js__WEBPACK_IMPORTED_MODULE_1__/* .rawInput */ .JR)(source, name)]);
    return keyOf(Object.fromEntries(texts));
}
/** A short digest, equal for equal values. */
function keyOf(value) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update((0,_proof_js__WEBPACK_IMPORTED_MODULE_2__/* .canonicalJson */ .dj)(value)).digest('base64url').slice(0, 16);
}


/***/ }),

/***/ 4177:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   w: () => (/* binding */ adviceOf)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);

/** What went wrong and what to do, as one line for a warning. A missing permission is named. */
function adviceOf({ message, hint }) {
    if (hint === undefined)
        return message;
    const permissions = typeof hint === 'string' ? {} : (hint.permissions ?? {});
    const named = Object.entries(permissions).map(([name, level]) => `${name}: ${level}`);
    return `${message} ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hintText */ .dx)(hint)}${named.length === 0 ? '' : ` ${named.join(', ')}`}`;
}


/***/ }),

/***/ 7170:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MX: () => (/* binding */ verify),
/* harmony export */   _S: () => (/* binding */ sign),
/* harmony export */   dj: () => (/* binding */ canonicalJson)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);

const KEY_BYTES = 32;
/** The HMAC-SHA-256 of the payload as base64url without padding, 43 characters. */
function sign({ secret, purpose, payload }) {
    // RFC 5869, without a salt: the secret has enough entropy of its own.
    const key = Buffer.from((0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hkdfSync)('sha256', secret, '', purpose, KEY_BYTES));
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)('sha256', key).update(canonicalJson(payload)).digest('base64url');
}
function verify({ proof, ...signing }) {
    const expected = Buffer.from(sign(signing));
    const given = Buffer.from(proof);
    return expected.length === given.length && (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.timingSafeEqual)(expected, given);
}
/** JSON with the keys of every object in order, so that equal values give equal text. */
function canonicalJson(value) {
    return (JSON.stringify(value, (_key, part) => isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part) ?? 'null');
}
function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}


/***/ })

};
