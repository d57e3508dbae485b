export const id = 6691;
export const ids = [6691,9072];
export const modules = {

/***/ 9072:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  DeploymentRecord: () => (/* binding */ DeploymentRecord),
  connectDeployments: () => (/* binding */ connectDeployments)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/signature.js
var src_signature = __webpack_require__(6031);
// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
;// CONCATENATED MODULE: ./build/src/publish/deployment-count.js



const PURPOSE = 'docs-courier/deployment/v1';
const payload = schemas/* object */.Ikc({ version: schemas/* literal */.euz(1), count: schemas/* int */.Whr(), signature: schemas/* string */.YjP() });
/**
 * What is stored with a deployment: the count that the state has once it has succeeded. Who can write the state cannot make
 * one up, and has to take the deployment away as well to hide that a state is an earlier one.
 */
function countedPayload(count, { adminApiKey, ...bound }) {
    if (count === undefined || bound.destination === undefined)
        return { version: 1 };
    const signature = (0,src_signature/* sign */._S)({ secret: adminApiKey, purpose: PURPOSE, payload: { count, ...bound } });
    return { version: 1, count, signature };
}
/** undefined: there is none that was signed with this key for this destination. */
function readCount(stored, { adminApiKey, ...bound }) {
    // GitHub gives a payload as it was sent: an object, or a text.
    const parsed = payload.safeParse(typeof stored === 'string' ? (0,json/* parseJson */.qF)(stored) : stored);
    if (!parsed.success)
        return undefined;
    const { count, signature } = parsed.data;
    const isValid = (0,src_signature/* verify */.MX)({ secret: adminApiKey, purpose: PURPOSE, payload: { count, ...bound }, signature });
    return isValid ? count : undefined;
}

;// CONCATENATED MODULE: ./build/src/publish/deployment.js



// After a cancellation the run's own client sends nothing any more; the run ends 4.5 s after it.
const LAST_REPORT_MS = 4000;
/** GitHub's limit for a description. */
const MAX_DESCRIPTION = 140;
/** A run that began longer ago was killed: GitHub's own runners end a job after six hours. */
const LONGEST_RUN_MS = 24 * 3_600_000;
/** Failed ones in a row, each of which costs a request. */
const MOST_READ = 10;
/** Deployments of the environment that `deployment-environment` names. */
class DeploymentRecord {
    #init;
    #api;
    /** The one that is live, and those whose runs were killed before they could end them. */
    #earlier;
    /**
     * Reads what is there, before anything is started. The last success names the count that the state had then: a state with
     * a lower one is an earlier one.
     */
    static async open(init) {
        const { asked, deps } = init;
        const api = await connectDeployments(asked, deps);
        await warnOfJobEnvironment(api, deps);
        const { live, stale } = await findEarlier(api, deps.clock.now() - LONGEST_RUN_MS);
        const count = live === undefined ? undefined : readCount(live.payload, signingOf(init));
        if (count !== undefined)
            init.delivery?.expectCount(count, `deployment ${live?.id} of environment ${asked.environment}`);
        return new DeploymentRecord(init, api, live === undefined ? stale : [live, ...stale]);
    }
    constructor(init, api, earlier) {
        this.#init = init;
        this.#api = api;
        this.#earlier = earlier;
    }
    /** For a dry run. */
    plan() {
        const { environment } = this.#init.asked;
        return [
            { action: 'make a deployment', target: `environment ${environment} of ${this.#init.deps.github.run.repository}` },
        ];
    }
    /** Runs `body` as a deployment, which ends as it does. */
    async around(about, body) {
        const id = await this.#begin(about);
        try {
            const ending = await body();
            if (ending.status === 'completed')
                await this.#succeed(id, about);
            else
                await this.#end(id, about, 'inactive', `${ending.status}: another run goes on with it`);
            return ending;
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'cancelled'))
                await this.#end(id, about, 'error', 'Cancelled');
            else
                await this.#end(id, about, 'failure', `Failed: ${error instanceof errors/* CourierError */.Yw ? error.code : 'fault'}`);
            throw error;
        }
    }
    async #begin(about) {
        const { delivery, deps } = this.#init;
        const { commit, what, jobId } = about;
        const count = delivery?.countFor(jobId);
        const payload = countedPayload(count, signingOf(this.#init));
        const id = await this.#api.create({ sha: commit, description: (0,text_escape/* cut */.Jj)(what, { chars: MAX_DESCRIPTION }), payload });
        deps.log.info(`Made deployment ${id} of commit ${commit} in environment ${this.#init.asked.environment}.`);
        await this.#report(this.#api, id, about, 'in_progress', what);
        return id;
    }
    /** Live is what counts: the earlier deployment becomes inactive, which GitHub does by itself only outside of production. */
    async #succeed(id, about) {
        await this.#end(id, about, 'success', about.what);
        for (const earlier of this.#earlier) {
            await this.#quietly(`Ending deployment ${earlier.id}`, (api) => api.report(earlier.id, {
                state: 'inactive',
                description: `Replaced by deployment ${id}`,
                logUrl: this.#runUrl,
            }));
        }
    }
    #end(id, about, state, description) {
        return this.#quietly(`Reporting the state of deployment ${id}`, (api) => this.#report(api, id, about, state, description));
    }
    async #report(api, id, about, state, text) {
        const { asked, deps, environmentUrl } = this.#init;
        const { commit } = about;
        const description = (0,text_escape/* cut */.Jj)(text, { chars: MAX_DESCRIPTION });
        await api.report(id, {
            state,
            description,
            logUrl: this.#runUrl,
            environmentUrl: state === 'success' ? environmentUrl : undefined,
        });
        deps.record({ deployment: { environment: asked.environment, id, commit, state } });
    }
    /** What was done for the link counts more than its record: a failure is a warning. */
    async #quietly(what, write) {
        const { signal, log } = this.#init.deps;
        try {
            await write(signal.aborted
                ? await connectDeployments(this.#init.asked, this.#init.deps, AbortSignal.timeout(LAST_REPORT_MS))
                : this.#api);
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw))
                throw error;
            log.warning(`${what} failed. ${error.message}${error.hint === undefined ? '' : ` ${(0,errors/* hintText */.dx)(error.hint)}`}`);
        }
    }
    get #runUrl() {
        return this.#init.deps.run.url;
    }
}
/** Throws `config` where the run is not of a repository on GitHub. `signal` replaces the run's own. */
async function connectDeployments(asked, deps, signal) {
    checkSystem(deps);
    const { GitHubDeployments } = await __webpack_require__.e(/* import() */ 7720).then(__webpack_require__.bind(__webpack_require__, 5339));
    const octokit = await deps.github.connect(asked.token, signal);
    return new GitHubDeployments(octokit, deps.github.run.repository, asked.environment);
}
function signingOf({ asked, adminApiKey, delivery, deps }) {
    const { environment } = asked;
    return { adminApiKey, environment, repository: deps.github.run.repository, destination: delivery?.signedAddress };
}
/** `live`: the newest of ours that has succeeded, whether or not it became inactive since. `stale`: what began after it, before that time, and never ended. */
async function findEarlier(api, beforeMs) {
    const stale = [];
    for (const one of (await api.listOurs()).slice(0, MOST_READ)) {
        const statuses = await api.statuses(one.id);
        if (statuses.some(({ state }) => state === 'success'))
            return { live: one, stale };
        const isOpen = statuses[0] === undefined || statuses[0].state === 'in_progress';
        if (isOpen && one.createdAtMs < beforeMs)
            stale.push(one);
    }
    return { live: undefined, stale };
}
/** A job with `environment:` makes a deployment of its own, which says something else when it ends. */
async function warnOfJobEnvironment(api, { github, log, run }) {
    const candidates = await api.listOthers(github.run.sha);
    for (const { id } of candidates.slice(0, 3)) {
        const statuses = await api.statuses(id);
        if (run.url === undefined || !statuses.some(({ logUrl }) => isOfRun(logUrl, run.url)))
            continue;
        log.warning('The job has `environment:` with the name in deployment-environment, so GitHub makes a deployment of its own there, which succeeds whenever the job does. Use another name in deployment-environment.');
        return;
    }
}
function isOfRun(logUrl, runUrl = '') {
    return logUrl === runUrl || logUrl.startsWith(`${runUrl}/`);
}
function checkSystem({ run: { kind }, github: { run } }) {
    const isElsewhere = kind === 'gitea' || kind === 'forgejo' || kind === 'gitlab';
    if (!isElsewhere && run.repository !== '' && run.sha !== '')
        return;
    const why = isElsewhere
        ? 'it makes deployments on GitHub, and this run does not take place there'
        : 'it needs a repository on GitHub and a commit, and the run names none';
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `deployment-environment cannot be used here: ${why}. Nothing was sent.`,
        hint: 'Remove the input. The state next to the link records what is live on every system.',
    });
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


/***/ })

};
