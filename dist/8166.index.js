export const id = 8166;
export const ids = [8166,3759];
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


/***/ }),

/***/ 8166:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  p: () => (/* binding */ makeStores),
  openDestinations: () => (/* binding */ openDestinations)
});

// EXTERNAL MODULE: ./build/src/errors.js
var src_errors = __webpack_require__(7406);
;// CONCATENATED MODULE: ./build/src/ci/id-token.js

const VARIABLES = { vault: 'DOCS_COURIER_ID_TOKEN_VAULT', aws: 'DOCS_COURIER_ID_TOKEN_AWS' };
/**
 * The token by which the run identifies itself to a service: from the variable that GitLab's `id_tokens:` fills, else from the
 * CI system. The caller masks it. Throws `config` where there is none.
 */
async function readIdToken(run, request, http) {
    const variable = VARIABLES[request.service];
    const given = run.env[variable]?.trim();
    if (given)
        return given;
    if (run.idToken !== undefined)
        return run.idToken(request, http);
    throw new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `The run has no id token: the variable ${variable} is empty.`,
        hint: `In GitLab CI, let the job make one:\nid_tokens:\n  ${variable}:\n    aud: ${JSON.stringify(request.audience)}`,
    });
}

;// CONCATENATED MODULE: ./build/src/ci/may-write.js

const ALLOWED = new Set(['push', 'schedule', 'manual', 'release', 'merge']);
/** The systems that say who caused a run and whether its ref is protected; on their own machine, people decide themselves. */
const VOUCHING = new Set(['github', 'gitea', 'forgejo', 'local']);
/**
 * A link is written only in runs that people with write access cause, from a branch that is meant to be published. Comments,
 * open pull requests and runs of forks are in the hands of strangers: a link to what they changed must not reach the
 * deployment. Throws `refused`; `config` where the user has to say first which branch is meant.
 */
function checkMayWrite(run) {
    if (run.kind === 'gitlab')
        checkGitLab(run);
    else if (VOUCHING.has(run.kind))
        checkVouched(run);
    else
        checkAllowed(run);
}
function checkVouched({ cause, isDefaultBranch, refProtected, eventName }) {
    const isBranchRun = cause === 'push' || cause === 'schedule';
    const isPublished = isDefaultBranch !== false || refProtected === true;
    if (ALLOWED.has(cause) && (!isBranchRun || isPublished))
        return;
    const event = eventName === undefined || eventName === '' ? 'this event' : `the event ${eventName}`;
    throw new src_errors/* CourierError */.Yw({
        code: 'refused',
        message: ALLOWED.has(cause)
            ? `The run on ${event} may not write the link: it is for a branch that is neither the default branch nor a protected one.`
            : `The run on ${event} may not write the link: people without write access can cause it.`,
        hint: 'Links are written on a push to the default or a protected branch, on a schedule, on a manual or repository dispatch, on a release, and on a merged pull request:\non:\n  push:\n    branches: [main]',
    });
}
/** GitLab starts pipelines of every branch by hand and by API too: its protected refs are what decides. */
function checkGitLab({ cause, refProtected, eventName = 'that is not known' }) {
    const isCaused = ALLOWED.has(cause);
    if (isCaused && refProtected === true)
        return;
    throw new src_errors/* CourierError */.Yw({
        code: 'refused',
        message: cause === 'change-request'
            ? 'This pipeline may not write the link: it is for a merge request, which people without write access can open.'
            : isCaused
                ? 'This pipeline may not write the link: its branch or tag is not protected.'
                : `This pipeline may not write the link: its source is ${eventName}, which people without write access may be able to start.`,
        hint: 'Links are written in pipelines for a protected branch or tag whose source is push, schedule, web or api:\nrules:\n  - if: $CI_COMMIT_REF_PROTECTED == "true" && $CI_PIPELINE_SOURCE =~ /^(push|schedule|web|api)$/',
    });
}
/** The name of a branch proves nothing: a branch of a fork can be called main. So what comes from a change request is refused first. */
function checkAllowed({ cause, branch, changeRequestVariable, allowWriteFrom = [] }) {
    if (cause === 'change-request' || cause === 'comment') {
        const sign = changeRequestVariable === undefined ? '' : ` (${changeRequestVariable} is set)`;
        throw new src_errors/* CourierError */.Yw({
            code: 'refused',
            message: `This run may not write the link: it is for a pull or merge request${sign}, which people without write access can open.`,
            hint: 'Write links in runs for the branch that is published.',
        });
    }
    if (allowWriteFrom.length === 0) {
        throw new src_errors/* CourierError */.Yw({
            code: 'config',
            message: '--allow-write-from is missing: this CI system does not say whether the branch of a run is protected. Nothing was sent.',
            hint: {
                text: 'Name the branch from which links are written. Only people whom you trust may be able to push to it:',
                inputs: { 'allow-write-from': branch ?? 'main' },
            },
        });
    }
    if (branch !== undefined && allowWriteFrom.includes(branch))
        return;
    throw new src_errors/* CourierError */.Yw({
        code: 'refused',
        message: `This run may not write the link: it is for ${branch === undefined ? 'no branch that the CI system names' : `the branch ${branch}`}, and --allow-write-from allows ${allowWriteFrom.join(', ')}.`,
    });
}

// EXTERNAL MODULE: ./build/src/stores/address.js
var stores_address = __webpack_require__(1824);
;// CONCATENATED MODULE: ./build/src/stores/open.js


/** The store of an address, loaded now. Sends nothing and opens nothing. Throws `config` where an input is missing. */
async function makeStore(address, init) {
    switch (address.scheme) {
        case 'github': {
            refuseOnGitea(address, init.forge);
            const { GitHubStore } = await __webpack_require__.e(/* import() */ 8031).then(__webpack_require__.bind(__webpack_require__, 8031));
            const { credentials, connectGitHub, ...rest } = init;
            if (address.scope !== 'organization' && (address.repository ?? init.repository) === '')
                throw noRepository(address);
            const token = required(credentials.secretToken, 'secret-token', address);
            const connect = (signal) => connectGitHub(token, signal);
            return new GitHubStore({ ...rest, ...credentials, address, token, connect });
        }
        case 'gitea': {
            const { GiteaStore } = await __webpack_require__.e(/* import() */ 5159).then(__webpack_require__.bind(__webpack_require__, 5159));
            const { credentials, forge, http } = init;
            const token = required(credentials.secretToken, 'secret-token', address);
            const serverUrl = serverOf(address, init);
            const jobTokens = [credentials.workflowToken, forge.jobToken];
            return new GiteaStore({ address, serverUrl, token, jobTokens, http });
        }
        case 'gitlab': {
            const { GitLabStore } = await __webpack_require__.e(/* import() */ 4893).then(__webpack_require__.bind(__webpack_require__, 4893));
            const { credentials, forge, http } = init;
            const token = required(credentials.secretToken, 'secret-token', address);
            const url = serverOf(address, init);
            return new GitLabStore({ address, url, token, jobToken: forge.jobToken, http });
        }
        case 'command': {
            const { CommandStore } = await __webpack_require__.e(/* import() */ 8162).then(__webpack_require__.bind(__webpack_require__, 8162));
            const { programs = { env: {}, workspace: '' }, signal } = init;
            return new CommandStore({
                words: address.words,
                ...programs,
                signal,
                state: await makeStore(address.state, init),
            });
        }
        case 'file': {
            const { FileStore } = await __webpack_require__.e(/* import() */ 4582).then(__webpack_require__.bind(__webpack_require__, 4582));
            return new FileStore(address.path, init.programs?.workspace);
        }
        case 'k8s': {
            const { KubernetesStore } = await __webpack_require__.e(/* import() */ 3519).then(__webpack_require__.bind(__webpack_require__, 3519));
            const { http, mask, workspace, env } = init;
            const given = init.credentials.kubernetes ?? { kubeconfig: undefined, context: undefined, allowExec: false };
            return new KubernetesStore({ address, http, mask, credentials: { ...given, workspace, env } });
        }
        case 'vault': {
            const { VaultStore } = await __webpack_require__.e(/* import() */ 2128).then(__webpack_require__.bind(__webpack_require__, 2128));
            const { http, mask, idToken } = init;
            const { auth, ...rest } = required(init.credentials.vault, 'vault-address', address);
            const ofRun = (audience) => idToken({ service: 'vault', audience });
            const login = auth.kind === 'jwt' ? { ...auth, idToken: ofRun } : auth;
            return new VaultStore({ address, http, mask, credentials: { ...rest, auth: login } });
        }
        case 'aws-sm':
        case 'aws-ssm': {
            const { AwsStore } = await __webpack_require__.e(/* import() */ 9256).then(__webpack_require__.bind(__webpack_require__, 9256));
            const { env, http, clock, mask, warn, idToken } = init;
            const credentials = init.credentials.aws ?? { region: undefined, role: undefined };
            const ofRun = (audience) => idToken({ service: 'aws', audience });
            return new AwsStore({ address, credentials, idToken: ofRun, env, http, clock, mask, warn });
        }
    }
}
function required(value, input, address) {
    if (value !== undefined)
        return value;
    throw new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `${input} is missing: ${(0,stores_address/* formatAddress */.M0)(address)} is written with it.`,
    });
}
/** The server of an address of a forge other than GitHub: `forge-url`, else that of the run where it is of the same kind. */
function serverOf(address, { credentials, forge }) {
    const isHere = forge.kind === address.scheme || (forge.kind === 'forgejo' && address.scheme === 'gitea');
    const own = isHere ? forge.serverUrl : undefined;
    const url = credentials.forgeUrl ?? own;
    if (url !== undefined)
        return url;
    throw new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `forge-url is missing: the run does not take place on the server of ${(0,stores_address/* formatAddress */.M0)(address)}.`,
        hint: {
            text: 'Name the server:',
            inputs: { 'forge-url': 'the address of the server, such as https://gitlab.com' },
        },
    });
}
/** Outside of GitHub there is no current repository, and a project of the same name there is somebody else's. */
function noRepository(address) {
    return new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `${(0,stores_address/* formatAddress */.M0)(address)} names no repository, and the run does not take place on GitHub.`,
        hint: 'Write it as github:repo/OWNER/REPO/NAME.',
    });
}
/** There the run's API is that of Gitea: the token would be sent to the wrong server. */
function refuseOnGitea(address, { kind }) {
    if (kind !== 'gitea' && kind !== 'forgejo')
        return;
    throw new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `${(0,stores_address/* formatAddress */.M0)(address)} cannot be written from a run on Gitea or Forgejo. Nothing was sent.`,
        hint: { text: 'Name the secret of this server:', inputs: { to: `gitea:repo/OWNER/REPO/${address.name}` } },
    });
}

// EXTERNAL MODULE: ./build/src/stores/port.js
var port = __webpack_require__(7833);
// EXTERNAL MODULE: ./build/src/publish/state/history.js
var state_history = __webpack_require__(6391);
;// CONCATENATED MODULE: ./build/src/publish/state/delivered.js


/** The state before the link is written. If the run ends after that, the next refresh comes early, never late. */
function announcedState(stored, delivered, at) {
    const { jobId, link, requestedAtMs, by } = delivered;
    const { state } = stored.held;
    const { base } = stored;
    return {
        ...base,
        ...(0,state_history/* placed */.GS)(base, { ...delivered, at, isRollback: by === 'rollback' }),
        jobId,
        requestedAt: requestedAtMs === undefined ? undefined : new Date(requestedAtMs).toISOString(),
        expiresAt: state?.jobId === jobId ? earlier(state.expiresAt, link.expiresAt) : undefined,
        pending: { at, link: stored.markOf((0,port/* linkDigest */.l)(link.url)) },
    };
}
/** The state after the link was written, at `at`. */
function confirmedState(stored, delivered, { at, run }) {
    const { jobId, by, link } = delivered;
    const { pending, ...announced } = announcedState(stored, delivered, at);
    const { requestedAt } = announced;
    return {
        ...announced,
        version: 2,
        expiresAt: link.expiresAt?.toISOString(),
        written: { at, link: pending?.link },
        run: by !== 'export' ? announced.run : { ...run, state: 'done', jobId, requestedAt },
    };
}
/** Epoch milliseconds; 0 where nothing is known. */
function timeOf(instant) {
    const ms = Date.parse(instant ?? '');
    return Number.isNaN(ms) ? 0 : ms;
}
/** The earlier of both; undefined where one of them is not known. */
function earlier(stored, next) {
    if (stored === undefined || next === undefined)
        return undefined;
    return Date.parse(stored) <= next.getTime() ? stored : next.toISOString();
}

// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/publish/state/resume.js

const MAX_NAME = 60;
/** Who caused the run, for the history. */
function actorOf({ actor = '' }) {
    return (0,text_escape/* plainLine */.h0)(actor, MAX_NAME) || undefined;
}
/** The commit that the run is for, where its name is one. */
function commitOf({ sha = '' }) {
    return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha) ? sha : undefined;
}
/** The same in every attempt of a job of a run. */
function runKey({ runId, job }) {
    return `${runId}/${job}`;
}
/** Only a later attempt of the same run and job attaches by itself: another run wants a new export. */
function decideResume({ state, fit, run, domain }) {
    const last = state?.run;
    if (run.runAttempt <= 1 || last === undefined || state?.domain !== domain)
        return { kind: 'start' };
    if (last.id !== run.runId || last.job !== run.job)
        return { kind: 'start' };
    if (fit.kind === 'changed') {
        const earlier = last.jobId === undefined ? '' : ` (export job ${last.jobId})`;
        return {
            kind: 'start',
            warning: `${fit.why} The stored state of an earlier attempt of this run${earlier} is therefore not used: a new export is started.`,
        };
    }
    if (last.jobId !== undefined) {
        const requestedAtMs = Date.parse(last.requestedAt ?? '');
        return {
            kind: 'attach',
            jobId: last.jobId,
            requestedAtMs: Number.isNaN(requestedAtMs) ? undefined : requestedAtMs,
        };
    }
    return {
        kind: 'start',
        warning: 'A new export is started, because an earlier attempt of this run stored no job id: it ended around the start of its export, or could not write the state. That export may still be running. To attach to it, give its id as export-job-id: it is in the log of that attempt, or on the dashboard of the platform.',
    };
}
/** Of several destinations: one that knows the job comes first, then a warning. */
function chooseResume(found) {
    const attach = found.find(({ kind }) => kind === 'attach');
    return attach ?? found.find((resume) => resume.kind === 'start' && resume.warning !== undefined) ?? { kind: 'start' };
}

;// CONCATENATED MODULE: ./build/src/publish/state/earlier.js




/** Throws where the state names no such export, or where it is live already. */
function findEarlier(wanted) {
    const { state, jobId, run } = wanted;
    const { rollback } = state;
    // A re-run must not go back once more.
    const isRepeated = run.runAttempt > 1 && rollback?.run === runKey(run);
    const isLive = jobId === undefined || jobId === state.jobId;
    if (isRepeated && isLive) {
        return { export: known(wanted, state.jobId), from: rollback?.from ?? state.jobId, isRepeated, state };
    }
    if (jobId === state.jobId)
        throw isLiveAlready(wanted, jobId);
    const found = jobId === undefined ? stepsBack(wanted) : known(wanted, jobId);
    return { export: found, from: state.jobId, isRepeated: false, state };
}
function stepsBack({ state, steps, destination }) {
    const earlier = (0,state_history/* earlierExports */.s4)(state);
    const found = earlier[steps - 1];
    if (found !== undefined)
        return found;
    const count = earlier.length === 0
        ? 'The state knows of no export before the live one'
        : `The state knows of ${(0,markdown/* countOf */.pq)(earlier.length, 'export')} before the live one (${earlier.map(named).join(', ')})`;
    return refuse({
        message: `${count}, job ${state.jobId} in ${destination}, and steps is ${steps}. Nothing was written.`,
        hint: 'Exports that were rolled back do not count. To put another job in place, run mode: refresh with export-job-id, or export an earlier version of the content.',
    });
}
function known({ state, destination }, jobId) {
    const exports = (0,state_history/* exportsOf */.v1)(state);
    const found = exports.find(({ job }) => job === jobId);
    if (found !== undefined)
        return found;
    return refuse({
        message: `Export job ${jobId} is not among the last ${(0,markdown/* countOf */.pq)(exports.length, 'export')} that were live in ${destination}: ${exports.map(named).join(', ')}. Nothing was written.`,
        hint: {
            text: 'A rollback puts only exports of the same destination back. To put the link of any other job in place:',
            inputs: { mode: 'refresh', 'export-job-id': jobId },
        },
    });
}
function isLiveAlready({ destination }, jobId) {
    return new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `Export job ${jobId} is live in ${destination} already. Nothing was written.`,
        hint: 'For a fresh link of it, run mode: refresh. To go back, name another export, or give steps.',
    });
}
function refuse(init) {
    throw new src_errors/* CourierError */.Yw({ code: 'not-found', ...init });
}
function named({ job, at }) {
    return at === undefined ? job : `${job} of ${(0,markdown/* formatInstant */.r4)(new Date(at))}`;
}

;// CONCATENATED MODULE: ./build/src/publish/state/errors.js

/** The same failure with what it means for the link. A cancelled run has its own words. */
function withMeaning(error, meaning) {
    if (!(error instanceof src_errors/* CourierError */.Yw) || error.code === 'cancelled')
        return error;
    return error.with({ message: `${error.message} ${meaning}` });
}
/** Two runs write one destination. */
function conflictError(message, jobId) {
    const anyway = jobId === undefined ? '' : ' To write the link of this job all the same, give its id:';
    return new src_errors/* CourierError */.Yw({
        code: 'conflict',
        message,
        hint: {
            text: `Let only one run at a time write a destination, with a concurrency group.${anyway}`,
            inputs: jobId === undefined ? undefined : { 'export-job-id': jobId },
        },
    });
}
/** Runs it; a failure says what it means. */
async function explained(meaning, body) {
    try {
        return await body();
    }
    catch (error) {
        throw withMeaning(error, meaning);
    }
}
/** Only a refusal leads back. After a cut, a 5xx, or a write that was accepted and does not show, nobody knows. */
function isRefusal(error) {
    return error instanceof src_errors/* CourierError */.Yw && !error.mayHaveStarted && error.code !== 'cancelled';
}
/** The first error, with the messages of all; undefined: there is none. */
function joined(errors) {
    const [first, ...others] = new Set(errors);
    if (first === undefined || others.length === 0)
        return first;
    return first.with({ message: [first, ...others].map(({ message }) => message).join('\n') });
}

;// CONCATENATED MODULE: ./build/src/publish/state/facts.js

/** What became of the link so far. */
function factsOf(stops) {
    const [first] = stops;
    const { name = '', target = '' } = first?.store.names ?? {};
    const destinations = stops.map(destinationFacts);
    return {
        updated: destinations.every(({ written }) => written),
        name,
        target,
        stateWritten: first?.destination?.stateWritten ?? false,
        reason: first && reasonOf(first),
        destinations,
    };
}
/** What is and was live in the first destination that has a state with exports. */
function exportsAt(stops) {
    return stops
        .map(({ destination }) => destination && liveExports(destination))
        .find((exports) => exports !== undefined);
}
/** The history in the state of a destination; undefined: it has none. */
function liveExports({ state: { held } }) {
    const { state } = held;
    const exports = state && (0,state_history/* exportsOf */.v1)(state);
    if (exports === undefined || exports.length === 0)
        return undefined;
    return exports.map((one) => (one.job === state?.jobId ? { ...one, live: true } : one));
}
function destinationFacts({ store, destination, error }) {
    return {
        destination: store.names.destination,
        written: destination?.linkWritten ?? false,
        ...destination?.versions,
        ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    };
}
function reasonOf({ destination, store }) {
    if (destination?.failed)
        return 'the write failed';
    if (destination !== undefined && !destination.state.isKept)
        return `without its state: the ${store.names.stateRight} is missing`;
    return undefined;
}
/** What would be written there. */
function planOf({ store, state }) {
    const link = { action: 'write the link', target: store.names.link };
    return state.isKept ? [link, { action: 'write the state', target: store.names.state }] : [link];
}

;// CONCATENATED MODULE: ./build/src/publish/state/former.js





/** The job that is live before `jobId` is put in place; undefined: none is known, or it is this one, to be refreshed. */
function formerJob(states, jobId, by) {
    const live = states.find((state) => state.jobId !== undefined && state.jobId !== jobId);
    if (live !== undefined || by === 'refresh')
        return live?.jobId;
    // A run that is repeated: its job has been put in place before.
    const before = (state) => (by === 'rollback' ? state.rollback?.from : (0,state_history/* earlierExports */.s4)(state)[0]?.job);
    return states.map(before).find((former) => former !== undefined);
}
/**
 * Writes the link of an earlier job into every destination that holds the one of `replaces`, as a rollback. All are tried. `failure`:
 * what went wrong in some of them, as a conflict where one of them is.
 */
async function putBack(stops, change) {
    const { run, ...job } = change;
    const states = stops.flatMap(({ destination }) => destination?.state.held.state ?? []);
    const count = (0,state_history/* countFor */.n_)(states, job.jobId);
    const errors = [];
    for (const { destination } of stops) {
        // A rollback that is repeated must not take this for its own.
        const details = { by: actorOf(run) };
        try {
            await destination?.deliver({
                ...job,
                isExplicit: true,
                by: 'rollback',
                details,
                count,
                run: `${runKey(run)}/undo`,
            });
        }
        catch (error) {
            if (!(error instanceof src_errors/* CourierError */.Yw) || error.code === 'cancelled')
                throw error;
            errors.push(error);
        }
    }
    const facts = factsOf(stops);
    const destinations = facts.destinations?.map((destination) => ({ ...destination, written: false }));
    const reason = `the link of the former export job ${job.jobId} was written back`;
    return { facts: { ...facts, updated: false, reason, destinations }, failure: joined(errors.sort(conflictsFirst)) };
}
function conflictsFirst(a, b) {
    return Number(b.code === 'conflict') - Number(a.code === 'conflict');
}

;// CONCATENATED MODULE: ./build/src/publish/state/freshness.js
// The dates of a store have whole seconds, and link and state may be dated by two of its machines.
const CLOCK_TOLERANCE_MS = 2000;
// From the announcement to the reply of the last of five attempts, with every wait that a rate limit may ask for.
const LONGEST_WRITE_MS = 15 * 60_000;
function judgeFit(judged) {
    const { state, snapshot, mark, version } = judged;
    const { written, pending } = state;
    if (snapshot.link === undefined)
        return { kind: 'unknown' };
    if (mark !== undefined && (written?.link ?? pending?.link) !== undefined) {
        return mark === written?.link || mark === pending?.link ? { kind: 'fits' } : changed(judged);
    }
    const { writtenAtMs } = snapshot.link;
    if (writtenAtMs === undefined)
        return { kind: 'unknown' };
    const confirmedMs = freshness_timeOf(written?.at);
    const announcedMs = freshness_timeOf(pending?.at);
    if (confirmedMs === undefined && announcedMs === undefined) {
        // Version 1: the link was written before it expired. Whatever was written after that was another link.
        const lastMs = version === 1 ? freshness_timeOf(state.expiresAt) : undefined;
        return lastMs !== undefined && writtenAtMs > lastMs ? changed(judged) : { kind: 'unknown' };
    }
    if (confirmedMs !== undefined && writtenAtMs <= confirmedMs)
        return { kind: 'fits' };
    return announcedMs !== undefined && isAnnounced(writtenAtMs, announcedMs, snapshot)
        ? { kind: 'fits' }
        : changed(judged);
}
/**
 * A run that ended between the announcement and its confirmation is the normal case here. The announcement is then older than
 * the link; one that is younger was put back: whoever writes such a state later records the link's date with it (`settled`).
 */
function isAnnounced(writtenAtMs, announcedMs, { stateWrittenAtMs }) {
    const isOlder = stateWrittenAtMs === undefined || stateWrittenAtMs <= writtenAtMs + CLOCK_TOLERANCE_MS;
    return isOlder && writtenAtMs <= announcedMs + LONGEST_WRITE_MS;
}
/** The state as it may be written anew: an announced write that shows in the store is recorded. */
function settled(state, fit, { link }) {
    const { writtenAtMs } = link ?? {};
    if (state.pending === undefined || fit.kind !== 'fits' || writtenAtMs === undefined)
        return state;
    if (writtenAtMs <= (freshness_timeOf(state.written?.at) ?? 0))
        return state;
    return { ...state, written: { ...state.written, at: new Date(writtenAtMs).toISOString() } };
}
/** A state whose link may have been replaced by another one, of which the store shows the date. */
function unconfirmedState(state, { link }, at) {
    const { writtenAtMs } = link ?? {};
    const written = writtenAtMs === undefined ? state.written : { at: new Date(writtenAtMs).toISOString() };
    return { ...state, expiresAt: undefined, written, pending: { ...state.pending, at } };
}
function sameLink(a, b) {
    return a.link?.writtenAtMs === b.link?.writtenAtMs && a.link?.digest === b.link?.digest;
}
function freshness_timeOf(instant) {
    const ms = Date.parse(instant ?? '');
    return Number.isNaN(ms) ? undefined : ms;
}
function changed({ state, snapshot, names }) {
    const { writtenAtMs } = snapshot.link ?? {};
    const { stateWrittenAtMs } = snapshot;
    const { written, pending, expiresAt } = state;
    const knownAt = freshness_timeOf(written?.at) ?? freshness_timeOf(pending?.at);
    const actual = writtenAtMs === undefined ? 'was changed' : `was last written at ${timeText(writtenAtMs)}`;
    const known = knownAt === undefined
        ? `the link that the stored state describes expired at ${timeText(freshness_timeOf(expiresAt))}`
        : `the last write that the stored state knows of was at ${timeText(knownAt)}`;
    return {
        kind: 'changed',
        why: `The ${names.link} ${actual}, but ${known}. ${cause(writtenAtMs, stateWrittenAtMs, names)}`,
    };
}
function cause(writtenAtMs, stateWrittenAtMs, names) {
    if (writtenAtMs === undefined || stateWrittenAtMs === undefined) {
        return 'Either an earlier state was put back, or the link was edited manually or written by a run that may not write the state.';
    }
    if (stateWrittenAtMs > writtenAtMs) {
        return `The ${names.state} was written after that, at ${timeText(stateWrittenAtMs)}, and does not know of it: an earlier state was put back.`;
    }
    return `The ${names.state} was not written since ${timeText(stateWrittenAtMs)}: the link was edited manually, or written by a run that may not write the state.`;
}
function timeText(ms) {
    return ms === undefined ? 'an unknown time' : new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

;// CONCATENATED MODULE: ./build/src/publish/state/order.js



/** Throws where what a destination holds now must not be replaced by this job. A job that a person named replaces anything. */
function refuseOlder(names, { held, opened }, delivered) {
    const { jobId, by, isExplicit, replaces } = delivered;
    const { fit, snapshot, state } = held;
    if (replaces !== undefined && state?.jobId !== replaces && state?.jobId !== jobId) {
        const what = `Only the link of export job ${replaces} was to be replaced; nothing was written`;
        throw olderError(names, held, { jobId, what });
    }
    if (isExplicit)
        return;
    const isOther = state?.jobId !== undefined && state.jobId !== jobId;
    if (isOlder(held, delivered) || (by === 'refresh' && isOther)) {
        throw olderError(names, held, { jobId, what: 'The link of the earlier job was not written' });
    }
    refusePutBack(names, held, opened, jobId);
    if (fit.kind === 'changed' && !sameLink(opened.snapshot, snapshot)) {
        throw conflictError(`${fit.why} That was while this run was at work: the link of export job ${jobId} was not written.`, jobId);
    }
}
/** True when the state names another job that was asked for after this one. */
function isOlder({ state }, { jobId, requestedAtMs = 0 }) {
    return state?.jobId !== undefined && state.jobId !== jobId && timeOf(state.requestedAt) > requestedAtMs;
}
/** `what` is a sentence without its end: what became of the link of the job. */
function olderError(names, { state }, { jobId, what }) {
    const at = state?.requestedAt === undefined ? '' : `, requested at ${state.requestedAt}`;
    const holder = state?.rollback === undefined
        ? `belongs to a newer export: job ${state?.jobId}${at}`
        : `was rolled back to job ${state.jobId} at ${state.rollback.at}, after this export was requested`;
    return conflictError(`${names.destination} ${holder}. ${what} (${jobId}).`, jobId);
}
/** Also in stores that show nothing of the link: a state whose count has become lower in this run is an earlier one. */
function refusePutBack({ state: name }, { state }, opened, jobId) {
    const { count: openedCount = 0 } = opened.state ?? {};
    const { count = 0 } = state ?? opened.state ?? {};
    if (count >= openedCount)
        return;
    throw conflictError(`The ${name} was at count ${openedCount} when this run read it, and is at ${count} now: an earlier state was put back. The link of export job ${jobId} was not written.`, jobId);
}

;// CONCATENATED MODULE: ./build/src/publish/state/run-mark.js


const MAX_ROUNDS = 3;
/** How far a run has come with its own export, in the state of one destination. */
class RunMark {
    #store;
    #state;
    #run;
    #log;
    constructor(store, state, { run, log }) {
        this.#store = store;
        this.#state = state;
        this.#run = { id: run.runId, job: run.job };
        this.#log = log;
    }
    /** Stores how far this run has come with its export. `signal` is for a last write after the run was cancelled. */
    async write({ requestedAtMs, ...progress }, signal) {
        if (!this.#state.isKept)
            return;
        const run = { ...this.#run, ...progress, requestedAt: new Date(requestedAtMs).toISOString() };
        for (let round = 1; round <= MAX_ROUNDS; round += 1) {
            // After a cancellation there is no time to read again.
            if (signal === undefined)
                await this.#catchUp();
            // Job and expiry of the link that is there now stay: a refresh in between must go on working.
            if (await this.#state.write({ ...this.#state.base, run }, signal))
                return;
        }
        throw conflictError(`Other runs keep writing the ${this.#store.names.state}.`, progress.jobId);
    }
    /** As `Delivery.markStarted`. */
    async writeStarted(jobId, requestedAtMs, limits) {
        try {
            await this.#writeNow({ state: 'started', jobId, requestedAtMs }, limits);
            if (this.#state.isKept)
                return;
        }
        catch (error) {
            if (!(error instanceof src_errors/* CourierError */.Yw))
                throw error;
            this.#log.info(`The id was not stored: ${error.message}`);
        }
        this.#log.warning(`Export job ${jobId} was started, but its id could not be written to the ${this.#store.names.state}: a re-run of this job would start a new export. To attach to this one instead, give export-job-id: ${jobId}`);
    }
    async #writeNow(progress, { cancelled, lastWrite }) {
        try {
            await this.write(progress, cancelled.aborted ? lastWrite : undefined);
        }
        catch (error) {
            // The run was cancelled during the write: once more, with what is left of the time.
            if (!(0,src_errors/* hasCode */.up)(error, 'cancelled'))
                throw error;
            await this.write(progress, lastWrite);
        }
    }
    async #catchUp() {
        if (!this.#state.isKept)
            return;
        await this.#state.load();
        this.#state.accept();
    }
}

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/platform/contract.js
var contract = __webpack_require__(3759);
// EXTERNAL MODULE: ./build/src/signature.js
var src_signature = __webpack_require__(6031);
// EXTERNAL MODULE: ./build/src/text/json.js
var text_json = __webpack_require__(6691);
// EXTERNAL MODULE: ./build/src/text/names.js
var names = __webpack_require__(6761);
;// CONCATENATED MODULE: ./build/src/publish/state/state.js





const instant = schemas/* string */.YjP().check(schemas/* refine */.YPB((text) => (0,contract.readInstant)(text) !== undefined));
const jobId = schemas/* string */.YjP().check(schemas/* refine */.YPB(names/* isPathId */.Jf));
/** How far the run that wrote the state had come with an export of its own. */
const runState = {
    id: schemas/* string */.YjP(),
    job: schemas/* string */.YjP(),
    state: schemas/* enum */.k5n(['starting', 'started', 'done']),
    jobId: schemas/* optional */.lqM(jobId),
};
const content = {
    domain: schemas/* optional */.lqM(schemas/* string */.YjP()),
    baseUrl: schemas/* string */.YjP(),
    /** The job whose link the store holds, or is about to hold. */
    jobId: schemas/* optional */.lqM(jobId),
    /** ISO 8601, UTC; absent where the platform did not say. */
    expiresAt: schemas/* optional */.lqM(instant),
};
const version1 = schemas/* object */.Ikc({ version: schemas/* literal */.euz(1), ...content, run: schemas/* optional */.lqM(schemas/* object */.Ikc(runState)) });
/** Which write of the link the state knows of. */
const linkWrite = schemas/* looseObject */._H3({
    /** ISO 8601, UTC: of `written` by the store's clock, of `pending` by that of the run. */
    at: schemas/* optional */.lqM(instant),
    /** Signed digest of the link, for stores that can read it back. */
    link: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
/** One export that is or was live in the destination. */
const exportRecord = schemas/* looseObject */._H3({
    job: jobId,
    /** When its link was first put in place. ISO 8601, UTC; absent for one that was there before the history was kept. */
    at: schemas/* optional */.lqM(instant),
    pages: schemas/* optional */.lqM(schemas/* number */.aig()),
    /** SHA-256 of its manifest, in hex. */
    manifest: schemas/* optional */.lqM(schemas/* string */.YjP()),
    commit: schemas/* optional */.lqM(schemas/* string */.YjP()),
    by: schemas/* optional */.lqM(schemas/* string */.YjP()),
    forced: schemas/* optional */.lqM(schemas/* literal */.euz(true)),
    /** When it was rolled back: `steps` of a later rollback does not lead to it. */
    withdrawn: schemas/* optional */.lqM(instant),
});
const rollback = schemas/* looseObject */._H3({
    at: instant,
    /** The job that was live before. */
    from: schemas/* optional */.lqM(jobId),
    by: schemas/* optional */.lqM(schemas/* string */.YjP()),
    /** Run and job of the rollback: a re-run does not go back once more. */
    run: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
// Loose: what a later version adds is signed like the rest, and kept.
const version2 = schemas/* looseObject */._H3({
    version: schemas/* literal */.euz(2),
    ...content,
    /** Where the export belongs to a project rather than to a domain. */
    projectId: schemas/* optional */.lqM(schemas/* string */.YjP()),
    /** When this job was asked for: a job that was asked for earlier never replaces it by itself. ISO 8601, UTC. */
    requestedAt: schemas/* optional */.lqM(instant),
    /** The last write of the link that was confirmed. */
    written: schemas/* optional */.lqM(linkWrite),
    /** A write of the link that was announced and not confirmed: the store holds what was there before, or `jobId`'s link. */
    pending: schemas/* optional */.lqM(linkWrite),
    run: schemas/* optional */.lqM(schemas/* looseObject */._H3({ ...runState, requestedAt: schemas/* optional */.lqM(instant) })),
    /** Newest first. */
    history: schemas/* optional */.lqM(schemas/* readonly */.tBZ(schemas/* array */.YOg(exportRecord))),
    /** Counts how often another job was put in place: a state with a lower count is an earlier one. */
    count: schemas/* optional */.lqM(schemas/* int */.Whr()),
    /** The live job is an earlier export, which was put back in place of `from`. */
    rollback: schemas/* optional */.lqM(rollback),
});
const signedState = schemas/* discriminatedUnion */.gMt('version', [
    schemas/* extend */.X$i(version1, { signature: schemas/* string */.YjP() }),
    schemas/* extend */.X$i(version2, { signature: schemas/* string */.YjP() }),
]);
/** As text, with its signature. Version 1 is written by tests alone; what is new goes into version 2. */
function writeState(destination, state) {
    return JSON.stringify({ ...state, signature: (0,src_signature/* sign */._S)(signing(destination, state.version, state)) });
}
/** `state` is the whole JSON value but its signature, so that no field of it is outside of the signature. */
function signing({ adminApiKey, signed }, version, state) {
    const payload = version === 1 ? { state, ...signed.version1 } : { state, destination: signed.address };
    return { secret: adminApiKey, purpose: `docs-courier/state/v${version}`, payload };
}
/**
 * Accepts a state only with a signature that someone with this admin key wrote it for this destination: who can write variables but
 * has no key must not be able to point a deployment at another site's export.
 */
function readState(destination, text) {
    if (text === undefined || text.trim() === '')
        return { kind: 'missing' };
    const ignore = (why) => ({ kind: 'ignored', why });
    const json = (0,text_json/* parseJson */.qF)(text);
    const found = schemas/* looseObject */._H3({ version: schemas/* unknown */.L5J(), signature: schemas/* unknown */.L5J() }).safeParse(json);
    if (!found.success)
        return ignore('it is not a state of Docs Courier');
    const { signature, ...all } = found.data;
    if (all.version !== 1 && all.version !== 2) {
        return ignore('its version is unknown; a newer Docs Courier may have written it');
    }
    const parsed = signedState.safeParse(json);
    if (!parsed.success)
        return ignore('fields of it are missing or invalid');
    const { version } = parsed.data;
    const isKnown = version === 2 || destination.signed.version1 !== undefined;
    if (!isKnown || !(0,src_signature/* verify */.MX)({ ...signing(destination, version, all), signature: parsed.data.signature })) {
        return ignore('its signature is invalid: it was written with another admin key, for another destination, or by someone without a key');
    }
    if (parsed.data.baseUrl !== destination.baseUrl)
        return ignore(`it belongs to the platform at ${parsed.data.baseUrl}`);
    const { signature: _, ...state } = parsed.data;
    return { kind: 'valid', state: { ...state, version: 2 }, version };
}
/** The signed digest of a link, for `written.link` and `pending.link`. */
function linkMark({ adminApiKey, signed }, digest) {
    return (0,src_signature/* sign */._S)({
        secret: adminApiKey,
        purpose: 'docs-courier/link/v2',
        payload: { digest, destination: signed.address },
    });
}
/** True when a fresh link is wanted: it expires within `refreshBeforeMs` from now, has expired, or nobody knows. */
function isDue({ expiresAt }, { nowMs, refreshBeforeMs }) {
    const expiry = (0,contract.readInstant)(expiresAt);
    return expiry === undefined || expiry.getTime() - nowMs <= refreshBeforeMs;
}

;// CONCATENATED MODULE: ./build/src/publish/state/stored-state.js




/** The state next to a link, as this run found it and writes it. */
class StoredState {
    /** What was there when this run came. */
    opened;
    #store;
    #init;
    #destination;
    #held;
    /** The text as this run last read or wrote it. */
    #knownText;
    #isKept = true;
    #warned = false;
    /** Throws where the destination cannot be reached. */
    static async open(store, init) {
        return new StoredState(store, init, await store.open());
    }
    constructor(store, init, snapshot) {
        this.#store = store;
        this.#init = init;
        this.#destination = { adminApiKey: init.adminApiKey, baseUrl: init.baseUrl, signed: store.signed };
        if (snapshot.stateError !== undefined)
            this.#giveUp(snapshot.stateError);
        this.#held = this.#judge(snapshot);
        this.opened = this.#held;
        this.#knownText = snapshot.state;
        const { read } = this.opened;
        if (read.kind !== 'ignored')
            return;
        init.log.warning(`The ${store.names.state} is ignored because ${read.why}. To go on with a known job, give export-job-id.`);
    }
    get held() {
        return this.#held;
    }
    /** False from the moment when a missing right showed: nothing is read or written any more. */
    get isKept() {
        return this.#isKept;
    }
    /** True while what was last read is what this run read or wrote before. */
    get isOwn() {
        return this.#held.snapshot.state === this.#knownText;
    }
    /** What every state of this destination begins with; what is there and not ours to decide is kept. */
    get base() {
        const { state: found, fit, snapshot } = this.#held;
        const state = found && settled(found, fit, snapshot);
        const { baseUrl, domain = state?.domain, projectId = state?.projectId } = this.#init;
        return { ...state, version: 2, domain, projectId, baseUrl };
    }
    /** Reads the destination again. `isOwn` then says whether another run has written the state; that is a warning, once. */
    async load() {
        const own = this.#knownText;
        const snapshot = await this.#store.open();
        if (snapshot.stateError !== undefined)
            this.#giveUp(snapshot.stateError);
        this.#held = this.#judge(snapshot);
        if (snapshot.state !== own)
            this.#warnOfOthers();
    }
    /** The store has taken this text: what it then shows is this run's own. */
    took(text, snapshot) {
        this.#knownText = text;
        this.#held = this.#judge(snapshot);
    }
    /** Goes on from what another run has written. */
    accept() {
        this.#knownText = this.#held.snapshot.state;
    }
    /** False: another run has written in between, and the store refused. Does nothing where the state is not kept. */
    async write(state, signal) {
        return !this.#isKept || this.#writeText(this.textOf(state), signal);
    }
    /** With so much of the history as the store has room for. */
    textOf(state) {
        const { maxStateBytes = Number.POSITIVE_INFINITY } = this.#store.can;
        const textOf = (cut) => writeState(this.#destination, cut);
        return textOf((0,state_history/* cutHistory */.ls)(state, (cut) => Buffer.byteLength(textOf(cut)) <= maxStateBytes));
    }
    /** Puts back what `former` read, unless another run has written since. */
    async putBack(former) {
        if (!this.#isKept)
            return;
        await this.load();
        if (!this.isOwn)
            return;
        await this.#writeText(this.#textOfFormer(former));
    }
    #textOfFormer({ state, fit, snapshot }) {
        const { domain, baseUrl, projectId } = this.#init;
        // A state is never deleted.
        if (snapshot.state === undefined)
            return this.textOf({ version: 2, domain, projectId, baseUrl });
        const now = state && settled(state, fit, snapshot);
        return now === undefined || now === state ? snapshot.state : this.textOf(now);
    }
    /** For `written.link` and `pending.link`; only where the store can read the link back is there anything to compare with. */
    markOf(digest) {
        return digest === undefined || this.#store.can.verify !== 'value' ? undefined : linkMark(this.#destination, digest);
    }
    async #writeText(text, signal) {
        try {
            this.took(text, await this.#store.write({ state: text }, this.#held.snapshot, signal));
            return true;
        }
        catch (error) {
            if ((0,src_errors/* hasCode */.up)(error, 'conflict'))
                return false;
            this.#giveUp(error);
            return true;
        }
    }
    #judge(snapshot) {
        const read = this.#read(snapshot.state);
        if (read.kind !== 'valid')
            return { snapshot, read, state: undefined, fit: { kind: 'unknown' } };
        const { state, version } = read;
        const mark = this.markOf(snapshot.link?.digest);
        return { snapshot, read, state, fit: judgeFit({ state, version, snapshot, mark, names: this.#store.names }) };
    }
    #read(text) {
        const read = readState(this.#destination, text);
        if (read.kind !== 'valid')
            return read;
        const { domain, projectId } = this.#init;
        // A refresh that was given its job by id knows no site.
        const own = read.state.domain;
        if (domain !== undefined && own !== undefined && own !== domain)
            return ignored(`it belongs to the site ${own}`);
        const project = read.state.projectId;
        const fits = projectId === undefined || project === undefined || project === projectId;
        return fits ? read : ignored(`it belongs to the project ${project}`);
    }
    #warnOfOthers() {
        if (this.#warned)
            return;
        this.#warned = true;
        const { state } = this.#held;
        const job = state === undefined ? 'not known' : (state.run?.jobId ?? state.jobId ?? 'not known yet');
        this.#init.log.warning(`Another run has written the ${this.#store.names.state} since this one read it (its job: ${job}). Let only one run at a time write a destination: use a concurrency group.`);
    }
    #giveUp(error) {
        // Another reason for a 403 is no missing right: it must not make a run go on without its state.
        const isMissing = (0,src_errors/* hasCode */.up)(error, 'forbidden') && error.lacksPermission;
        if (!isMissing || this.#init.needsState)
            throw error;
        if (!this.#isKept)
            return;
        this.#isKept = false;
        const { link, state, stateRight } = this.#store.names;
        this.#init.log.warning(`The credentials lack the ${stateRight}: the ${link} is written without the ${state}, so that a re-run cannot resume and a refresh cannot work.`);
    }
}
function ignored(why) {
    return { kind: 'ignored', why };
}

;// CONCATENATED MODULE: ./build/src/publish/state/destination.js








const destination_MAX_ROUNDS = 3;
/** One destination of the link, and the order in which link and state are written there. */
class Destination {
    store;
    state;
    mark;
    /** The link of this run is in the store. */
    linkWritten = false;
    /** The state says so. */
    stateWritten = false;
    /** The write of the link was tried and failed. */
    failed = false;
    /** The store's names of the version with this link and of the one with the former link, where it keeps versions. */
    versions = {};
    #init;
    /** Reads link and state. Throws where the destination cannot be reached. */
    static async open(store, init) {
        return new Destination(store, init, await StoredState.open(store, init));
    }
    constructor(store, init, state) {
        this.store = store;
        this.state = state;
        this.mark = new RunMark(store, state, init);
        this.#init = init;
    }
    /** The latest time at which the state says that a job was asked for, epoch milliseconds; 0 where it says none. */
    get lastRequestMs() {
        const { requestedAt, run } = this.state.held.state ?? {};
        return Math.max(timeOf(requestedAt), timeOf(run?.requestedAt));
    }
    /** Puts back what was there before `mark`, unless another run has written since. Best effort. */
    async unmark() {
        await this.#putBackQuietly(this.state.opened);
    }
    /** Writes the link, and job and expiry next to it. */
    async deliver(delivered) {
        const { jobId } = delivered;
        for (let round = 1; round <= destination_MAX_ROUNDS; round += 1) {
            await this.#catchUpFor(delivered);
            refuseOlder(this.store.names, this.state, delivered);
            const isAtomic = this.store.can.atomic && this.state.isKept;
            if (await (isAtomic ? this.#writeBoth(delivered) : this.#writeInTurn(delivered)))
                return;
        }
        throw conflictError(`Other runs keep writing ${this.store.names.destination}: the link of export job ${jobId} was given up after ${destination_MAX_ROUNDS} rounds.`, jobId);
    }
    /** False: another run came in between, and everything is to be decided again. */
    async #writeBoth(delivered) {
        const { link, jobId } = delivered;
        const state = this.state.textOf(this.#confirmed(delivered, undefined));
        const before = this.state.held.snapshot;
        let after;
        try {
            after = await this.store.write({ link: link.url, state }, before);
        }
        catch (error) {
            if ((0,src_errors/* hasCode */.up)(error, 'conflict'))
                return false;
            this.failed = true;
            throw withMeaning(error, this.#failedWrite(error, jobId));
        }
        this.state.took(state, after);
        this.#noteWritten(before, after);
        this.stateWritten = true;
        return true;
    }
    /** State, link, state. A run may end after each: see `announcedState`. */
    async #writeInTurn(delivered) {
        const { names } = this.store;
        const before = this.state.held;
        const meaning = `The state was not written: the ${names.link} still holds the earlier link.`;
        if (!(await explained(meaning, () => this.state.write(announcedState(this.state, delivered, this.#now)))))
            return false;
        if (this.state.isKept) {
            await this.#loadFor(delivered);
            if (!this.state.isOwn)
                return false;
            const isSame = sameLink(before.snapshot, this.state.held.snapshot);
            if (!isSame && !delivered.isExplicit)
                throw await this.#raced(delivered);
        }
        const written = await this.#writeLink(delivered, before);
        if (written === undefined)
            return false;
        this.#noteWritten(before.snapshot, written);
        return !this.state.isKept || this.#confirm(delivered, written);
    }
    /** undefined: the store has versions, and another run came in between. */
    async #writeLink({ jobId, link }, before) {
        try {
            return await this.store.write({ link: link.url }, this.state.held.snapshot);
        }
        catch (error) {
            if ((0,src_errors/* hasCode */.up)(error, 'conflict'))
                return undefined;
            this.failed = true;
            if (isRefusal(error))
                await this.#putBackQuietly(before);
            throw withMeaning(error, this.#failedWrite(error, jobId));
        }
    }
    #failedWrite(error, jobId) {
        const { link } = this.store.names;
        const holds = isRefusal(error)
            ? `The ${link} still holds what it held before.`
            : `The ${link} holds the former link or the new one; the next refresh writes it once more.`;
        return `${holds} The export is not lost: attach to it with export-job-id: ${jobId}, which starts no second export.`;
    }
    #noteWritten(before, after) {
        this.linkWritten = true;
        const [formerVersion, version] = [before.link?.version, after.link?.version];
        if (version !== undefined)
            this.versions = { version, ...(formerVersion !== undefined && { formerVersion }) };
        const unseen = this.store.can.verify === 'none' ? ' The store shows nothing of it: its reply is the only confirmation.' : '';
        const which = version === undefined ? '' : `, version ${version}`;
        const former = formerVersion === undefined ? '' : ` The former link is version ${formerVersion}.`;
        this.#init.log.info(`Wrote the link to ${this.store.names.link}${which}.${former}${unseen}`);
    }
    /** After the link was written: the state says so, unless another run has written the state meanwhile. */
    async #confirm(delivered, { link }) {
        const { names } = this.store;
        const meaning = `The state was not written: the ${names.link} holds the new link, but the ${names.state} does not say when it expires: the next refresh comes too early, which does no harm.`;
        await explained(meaning, () => this.state.load());
        if (this.state.isOwn) {
            const state = this.#confirmed(delivered, link?.writtenAtMs);
            const isWritten = await explained(meaning, () => this.state.write(state));
            this.stateWritten = isWritten && this.state.isKept;
            return isWritten;
        }
        if (!isOlder(this.state.held, delivered))
            return false;
        await this.#leaveUnconfirmed();
        const what = `Its link may have been replaced in the ${names.link} by that of the earlier job`;
        throw olderError(names, this.state.held, { jobId: delivered.jobId, what });
    }
    /** A newer job's state stays, but says that its link may not be there: the next refresh writes it at once. */
    async #leaveUnconfirmed() {
        const { state, snapshot } = this.state.held;
        if (state !== undefined)
            await this.state.write(unconfirmedState(state, snapshot, this.#now));
    }
    /** The link was written between our reading and our announcement, and that replaced the other run's state. */
    async #raced({ jobId }) {
        const { pending: _, ...rest } = this.state.base;
        // Nobody knows which job is the newer one: no refresh may go on with either by itself.
        const history = (0,state_history/* withoutExport */.hg)(rest, jobId);
        await this.state.write({ ...rest, history, version: 2, jobId: undefined, expiresAt: undefined });
        return conflictError(`Another run wrote the ${this.store.names.link} at the same time. The link of export job ${jobId} was not written.`, jobId);
    }
    #confirmed(delivered, writtenAtMs) {
        const at = writtenAtMs === undefined ? this.#now : new Date(writtenAtMs).toISOString();
        return confirmedState(this.state, delivered, { at, run: this.#ownRun });
    }
    get #ownRun() {
        const { runId, job } = this.#init.run;
        return { id: runId, job };
    }
    get #now() {
        return new Date(this.#init.clock.now()).toISOString();
    }
    async #catchUpFor(delivered) {
        await this.#loadFor(delivered);
        this.state.accept();
    }
    async #loadFor({ jobId }) {
        if (!this.state.isKept)
            return;
        const meaning = `Nothing was written. The export is not lost: attach to it with export-job-id: ${jobId}.`;
        await explained(meaning, () => this.state.load());
    }
    /** Best effort: a state that names this job already makes the next refresh hand it on, which does no harm. */
    async #putBackQuietly(before) {
        try {
            await this.state.putBack(before);
        }
        catch (error) {
            if (!(error instanceof src_errors/* CourierError */.Yw))
                throw error;
            this.#init.log.debug(`The state was not put back: ${error.message}`);
        }
    }
}

;// CONCATENATED MODULE: ./build/src/publish/state/stops.js


/** Reads every destination. An export fails with the first that cannot be reached; the others go on where there is another one. */
async function openStops(init) {
    const stops = [];
    for (const store of init.stores) {
        try {
            stops.push({ store, destination: await Destination.open(store, init), error: undefined });
        }
        catch (error) {
            const goesOn = init.by !== 'export' && init.stores.length > 1;
            if (!goesOn || !(error instanceof src_errors/* CourierError */.Yw) || error.code === 'cancelled')
                throw error;
            stops.push({ store, destination: undefined, error });
        }
    }
    refuseDoubles(stops);
    return stops;
}
/** Two addresses may mean one destination, such as the name and the ARN of a secret: that shows once both are open. */
function refuseDoubles(stops) {
    const seen = new Map();
    for (const { store, destination } of stops) {
        if (destination === undefined)
            continue;
        const former = seen.get(store.signed.address);
        if (former !== undefined) {
            throw new src_errors/* CourierError */.Yw({
                code: 'config',
                message: `${store.names.destination} and ${former} are the same destination. Nothing was written.`,
                hint: 'Name it once.',
            });
        }
        seen.set(store.signed.address, store.names.destination);
    }
}

;// CONCATENATED MODULE: ./build/src/publish/state/stored-job.js



/** Why a refresh or a rollback leaves this destination alone. A new destination among others is written. */
function unfit(destination, count, by) {
    const { fit, state, read, snapshot } = destination.state.opened;
    if (fit.kind === 'changed')
        return staleState(destination, fit.why, by);
    if (state?.jobId !== undefined)
        return undefined;
    return count > 1 && read.kind === 'missing' && snapshot.link === undefined ? undefined : noJob(destination, by);
}
function staleState({ store, state }, why, by) {
    const { jobId = 'the id of the job' } = state.opened.state ?? {};
    const risk = by === 'rollback' ? 'Which export is live is therefore not known' : 'A refresh could bring back an earlier export';
    return new src_errors/* CourierError */.Yw({
        code: 'integrity',
        message: `${why} ${risk}, so the ${store.names.link} was left as it is. The stored state names export job ${jobId}.`,
        hint: {
            text: by === 'rollback'
                ? 'Name the export to put back in place; its id is in the table of an earlier summary:'
                : 'Run an export, which writes a new export. Or, where this job is the right one, name it:',
            inputs: { 'export-job-id': by === 'rollback' ? 'the id of the job' : jobId },
        },
    });
}
/** The states that name a job, that of the job which was asked for last first. */
function latestFirst(states) {
    return states
        .flatMap((state) => (state.jobId === undefined ? [] : [{ ...state, jobId: state.jobId }]))
        .sort((a, b) => timeOf(b.requestedAt) - timeOf(a.requestedAt));
}
function noJob(destination, by) {
    if (destination === undefined) {
        return new src_errors/* CourierError */.Yw({ code: 'not-found', message: 'There is no export whose link could be refreshed.' });
    }
    const { store, state } = destination;
    const { read } = state.opened;
    const running = state.opened.state?.run?.jobId;
    const why = read.kind === 'ignored' ? `it is ignored because ${read.why}` : 'it names no finished export';
    const purpose = by === 'rollback' ? 'that could be rolled back' : 'whose link could be refreshed';
    const alsoRunning = running === undefined ? '' : ` Export job ${running} may be running.`;
    return new src_errors/* CourierError */.Yw({
        code: 'not-found',
        message: `There is no export ${purpose}: no job is known from the ${store.names.state}; ${why}.${alsoRunning}`,
        hint: by === 'rollback'
            ? 'Run an export with this destination first.'
            : {
                text: 'Run an export with this destination first, or give the id of a finished job. For a schedule that may run before the first export, set if-no-state: skip.',
                inputs: { 'export-job-id': 'the id of the job' },
            },
    });
}
function assertSameSite(a, b) {
    const same = (a.domain ?? b.domain) === (b.domain ?? a.domain) && (a.projectId ?? b.projectId) === (b.projectId ?? a.projectId);
    if (same)
        return;
    throw new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `The destinations hold links of different sites: ${a.domain ?? a.projectId} and ${b.domain ?? b.projectId}. Nothing was written.`,
        hint: 'Refresh each site in a step of its own.',
    });
}
/** Nothing was exported into the destination yet, as far as its state can be relied on. */
function knowsNoExport({ read, fit, state }) {
    return read.kind !== 'ignored' && fit.kind !== 'changed' && state?.jobId === undefined;
}
/** The earliest expiry of the links in these destinations, where each is of this job and not due; else undefined. */
function goodUntil(destinations, jobId, due) {
    const expiries = [];
    for (const { state, snapshot } of destinations) {
        const isThere = snapshot.link !== undefined && state?.jobId === jobId;
        if (!isThere || isDue(state, due))
            return undefined;
        expiries.push(timeOf(state.expiresAt));
    }
    return new Date(Math.min(...expiries));
}
function behindError({ count = 0, jobId }, expected) {
    return new src_errors/* CourierError */.Yw({
        code: 'integrity',
        message: `The state has count ${count}, and ${expected.where} was made for count ${expected.count}: an earlier state was put back, or the last one was deleted. Nothing was written. The stored state names export job ${jobId}.`,
        hint: {
            text: 'Run mode: export, which writes a new export. Or name the job whose link is to be written:',
            inputs: { 'export-job-id': 'the id of the job' },
        },
    });
}

;// CONCATENATED MODULE: ./build/src/publish/state/delivery.js










/** The destinations of a link with their states, read before anything starts. */
class Delivery {
    #init;
    #stops;
    #requestedAtMs;
    /** The job that was live before `deliver`; undefined: none is known, or the link was only made fresh. */
    formerJob;
    #expected;
    /**
     * Reads all that a later write needs. Credentials that do not reach a destination fail here, within a second, and not after half
     * an hour of exporting. A refresh goes on with the destinations that can be reached, and fails at its end.
     */
    static async open(init) {
        const stops = await openStops(init);
        const delivery = new Delivery(init, stops);
        if (delivery.#destinations.length === 0)
            delivery.assertComplete();
        return delivery;
    }
    constructor(init, stops) {
        this.#init = init;
        this.#stops = stops;
        for (const { fit } of this.#destinations.map(({ state }) => state.opened)) {
            if (fit.kind === 'changed' && init.by === 'export') {
                init.log.warning(`${fit.why} This export replaces the link.`);
            }
        }
    }
    /** What a re-run does about the export of an earlier attempt. */
    resume() {
        const { run, domain } = this.#init;
        const found = this.#destinations.map(({ state: { opened } }) => decideResume({ state: opened.state, fit: opened.fit, run, domain }));
        return chooseResume(found);
    }
    /** Why the state of a destination is ignored, and why that of a destination is not up to date; for a report. */
    get ignored() {
        const reads = this.#destinations.map(({ state }) => state.opened.read);
        return reads.find((read) => read.kind === 'ignored')?.why;
    }
    get changed() {
        const fits = this.#destinations.map(({ state }) => state.opened.fit);
        return fits.find((fit) => fit.kind === 'changed')?.why;
    }
    /** When a job that is asked for now was asked for, epoch milliseconds: after every request that a state names. */
    requestNow() {
        const last = Math.max(0, ...this.#destinations.map(({ lastRequestMs }) => lastRequestMs));
        this.#requestedAtMs ??= Math.max(Math.floor(this.#init.clock.now()), last + 1);
        return this.#requestedAtMs;
    }
    /** Stores that an export is about to be started; proves that the state can be written. */
    async markStarting() {
        const requestedAtMs = this.requestNow();
        for (const destination of this.#destinations)
            await destination.mark.write({ state: 'starting', requestedAtMs });
    }
    /**
     * Stores the id of the started job. A state that cannot be written ends nothing: the export goes on, and an annotation
     * says how to attach to it. Once `cancelled` is aborted, `lastWrite` limits the write instead.
     */
    async markStarted(jobId, limits) {
        for (const destination of this.#destinations)
            await destination.mark.writeStarted(jobId, this.requestNow(), limits);
    }
    /** Takes `markStarting` back after a start that was refused: nothing is running. Best effort. */
    async unmarkStarting() {
        for (const destination of this.#destinations)
            await destination.unmark();
    }
    /** The job that was asked for last, of the destinations whose state can be relied on. Throws where there is none. */
    storedJob() {
        for (const stop of this.#stops)
            stop.error ??= stop.destination && unfit(stop.destination, this.#destinations.length, this.#init.by);
        const state = this.#latestState();
        const { count = 0 } = state;
        if (this.#expected !== undefined && count < this.#expected.count)
            throw behindError(state, this.#expected);
        return { jobId: state.jobId, requestedAtMs: timeOf(state.requestedAt) || undefined, state };
    }
    /**
     * The export that a rollback puts back in place. Throws where there is none. A person who names it decides also where the
     * state may be an earlier one.
     */
    earlierExport(wanted) {
        if (wanted.jobId === undefined)
            this.storedJob();
        const destination = this.#destinations[0]?.store.names.destination ?? '';
        return findEarlier({ ...wanted, state: this.#latestState(), run: this.#init.run, destination });
    }
    #latestState() {
        const [latest, ...others] = latestFirst(this.#destinations.flatMap(({ state }) => state.opened.state ?? []));
        if (latest === undefined)
            throw this.#firstError() ?? noJob(this.#destinations[0], this.#init.by);
        for (const other of others)
            assertSameSite(latest, other);
        return latest;
    }
    /** A record outside of the destination says that the state had this count: a lower one is that of an earlier state. */
    expectCount(count, where) {
        this.#expected = { count, where };
    }
    /** The count that the states have once this job is in place; undefined: it is no job that is in place already. */
    countFor(jobId) {
        return (0,state_history/* countFor */.n_)(this.#states, jobId, this.#expected?.count);
    }
    /** What the state of the first destination is bound to. */
    get signedAddress() {
        return this.#stops[0]?.destination && this.#stops[0].store.signed.address;
    }
    /** Half a sentence, before the first export: no state names one, and none is ignored. undefined: there is one. */
    get withoutExport() {
        const isEmpty = this.#destinations.every(({ state }) => knowsNoExport(state.opened));
        const [first] = this.#stops;
        return isEmpty && first !== undefined ? `The ${first.store.names.state} names no finished export yet` : undefined;
    }
    /** The valid state of the first destination that has one. */
    get state() {
        return this.#destinations.map(({ state }) => state.opened.state).find((state) => state !== undefined);
    }
    /** What is and was live in the first destination that has a state, newest first. */
    get exports() {
        return exportsAt(this.#stops);
    }
    /** The earliest expiry of the stored links, where every destination holds a link of this job that is good for longer than that. */
    goodUntil(jobId, refreshBeforeMs) {
        const helds = this.#destinations.map(({ state }) => state.opened);
        return goodUntil(helds, jobId, { nowMs: this.#init.clock.now(), refreshBeforeMs });
    }
    /** Writes the link into every destination. The first failure is thrown when all were tried. */
    async deliver(job) {
        const { by, run } = this.#init;
        // A refresh or a rollback runs for another commit than the export did.
        const commit = by === 'export' ? commitOf(run) : undefined;
        const details = { ...job.details, commit, by: actorOf(run) };
        this.formerJob = formerJob(this.#states, job.jobId, by);
        const delivered = { ...job, by, details, run: runKey(run), count: this.countFor(job.jobId) };
        for (const stop of this.#stops) {
            if (stop.error !== undefined || stop.destination === undefined)
                continue;
            try {
                await stop.destination.deliver(delivered);
            }
            catch (error) {
                this.#record();
                if (!(error instanceof src_errors/* CourierError */.Yw) || error.code === 'cancelled')
                    throw error;
                stop.error = error;
            }
            this.#record();
        }
        this.assertComplete();
        return factsOf(this.#stops);
    }
    /**
     * Takes `deliver` back in every destination. Gives what went wrong in some of them: `conflict` where another run has written
     * meanwhile.
     */
    async putBack(change) {
        const { run, record } = this.#init;
        const { facts, failure } = await putBack(this.#stops, { ...change, requestedAtMs: this.requestNow(), run });
        record({ secret: facts, exports: this.exports });
        return failure;
    }
    /** Throws what went wrong in one of the destinations. */
    assertComplete() {
        const failure = joined(this.#stops.flatMap(({ error }) => error ?? []));
        if (failure !== undefined)
            throw failure;
    }
    /** What `deliver` would write, for a dry run. */
    plan() {
        return this.#destinations.flatMap(planOf);
    }
    #firstError() {
        return this.#stops.find(({ error }) => error !== undefined)?.error;
    }
    get #states() {
        return this.#destinations.flatMap(({ state }) => state.held.state ?? []);
    }
    get #destinations() {
        return this.#stops.flatMap(({ destination, error }) => destination === undefined || error !== undefined ? [] : [destination]);
    }
    #record() {
        this.#init.record({ secret: factsOf(this.#stops), exports: this.exports });
    }
}

;// CONCATENATED MODULE: ./build/src/publish/destinations.js




/** Checks that this run may write a link, makes the store of each destination, and reads what is there. Writes nothing. */
async function openDestinations(init, deps) {
    const { to, mode, ...rest } = init;
    const { run, github, log, clock, record } = deps;
    checkMayWrite(run);
    const stores = await makeStores(to, deps);
    return Delivery.open({ ...rest, stores, by: mode, run: github.run, log, clock, record });
}
/** The store of each destination. Sends nothing. */
function makeStores({ addresses, credentials }, deps) {
    const { run, github, http, log, clock, signal } = deps;
    const { repository, serverUrl } = github.run;
    const connectGitHub = (token, own) => github.connect(token, own);
    const forge = { kind: run.kind, serverUrl: run.serverUrl, jobToken: run.jobToken };
    const init = {
        credentials,
        repository,
        serverUrl,
        forge,
        connectGitHub,
        programs: { env: run.programEnv ?? {}, workspace: run.workspace },
        http,
        clock,
        signal,
        workspace: run.workspace,
        env: run.env,
        mask: (secret) => log.mask(secret),
        warn: (text) => log.warning(text),
        idToken: (request) => readIdToken(run, request, http),
    };
    return Promise.all(addresses.map((address) => makeStore(address, init)));
}


/***/ }),

/***/ 6031:
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
function verify({ signature, ...signing }) {
    const expected = Buffer.from(sign(signing));
    const given = Buffer.from(signature);
    return expected.length === given.length && (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.timingSafeEqual)(expected, given);
}
/** JSON with the keys of every object in order, so that equal values give equal text. */
function canonicalJson(value) {
    return (JSON.stringify(value, (_key, part) => isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part) ?? 'null');
}
function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}


/***/ }),

/***/ 7833:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   W: () => (/* binding */ failedCheck),
/* harmony export */   l: () => (/* binding */ linkDigest)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7406);


/** A failed check. What is no CourierError is a fault of this program, and goes on up; so does the end of the run. */
function failedCheck(what, error) {
    if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw) || error.code === 'cancelled')
        throw error;
    return { what, outcome: 'error', detail: error.message, fix: error.hint };
}
/** The fingerprint of a link: SHA-256, 64 hexadecimal digits. */
function linkDigest(link) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(link).digest('hex');
}


/***/ })

};
