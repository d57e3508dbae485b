export const id = 7207;
export const ids = [7207,9242];
export const modules = {

/***/ 4405:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   p: () => (/* binding */ bundleOutputs),
/* harmony export */   t: () => (/* binding */ bundleSections)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1065);


/** The outputs about a received bundle; all of them empty when there is none. */
function bundleOutputs(facts) {
    return {
        'bundle-path': facts?.path,
        'bundle-sha256': facts?.sha256,
        'manifest-path': facts?.manifestPath,
        'checksum-path': facts?.checksumPath,
        'site-path': facts?.sitePath,
        'verify-report': facts?.verifyReport,
    };
}
/** Sections of the step summary about a received bundle: its facts and its verification; empty when there is none. */
function bundleSections(facts) {
    if (facts === undefined)
        return '';
    const { verification } = facts;
    const sections = [
        `### Bundle\n\n${bundleTable(facts)}`,
        verification === undefined ? '' : verifySection(verification),
    ];
    return sections.filter((section) => section !== '').join('\n\n');
}
function bundleTable(facts) {
    const { path, sitePath, checksumPath, manifestPath, resumed } = facts;
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .factList */ .lV)([
        ['Archive', `${facts.format}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatBytes */ .z3)(facts.bytes)}`],
        ['SHA-256', (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(facts.sha256)],
        [
            'Content',
            `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(facts.pages, 'page')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(facts.files, 'file')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatBytes */ .z3)(facts.unpackedBytes)}`,
        ],
        ['Kept at', path && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(path)],
        ['Manifest', manifestPath && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(manifestPath)],
        ['Checksums', checksumPath && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(checksumPath)],
        ['Unpacked to', sitePath && (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(sitePath)],
        ['Interruptions', resumed === 0 ? undefined : `${resumed}, resumed each time`],
    ]);
}
const SIGNS = { error: '❌', warning: '⚠️', note: 'ℹ️' };
/** Counts, and the first findings as a table. */
function verifySection(verification) {
    const { pages, files, references, errors, warnings, notes, first } = verification;
    const checked = `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(pages, 'page')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(files, 'file')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(references, 'reference')}`;
    const found = errors + warnings + notes;
    if (found === 0)
        return `### Verification\n\n✅ ${checked}: no finding. Every link and asset resolves, and nothing loads from another host.`;
    const counts = `${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(errors, 'error')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(warnings, 'warning')}, ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .countOf */ .pq)(notes, 'note')}`;
    const rest = found > first.length
        ? `\n\nThese are the first ${first.length} of ${found}; the file at \`verify-report\` has all of them.`
        : '';
    return `### Verification\n\n${checked}: ${counts}.\n\n${findingTable(first)}${rest}`;
}
function findingTable(findings) {
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .table */ .tp)(['', 'Page', 'Finding', 'Address'], findings.map(({ level, page, reason, target }) => [
        SIGNS[level],
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(page, 120),
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(reason, 300),
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(target, 160),
    ]));
}


/***/ }),

/***/ 7349:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Jw: () => (/* binding */ deliveryLabel),
/* harmony export */   _P: () => (/* binding */ deliveryText),
/* harmony export */   gK: () => (/* binding */ historySection)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1065);


/** What a list of facts calls it: `Secret` where every place is one of a repository, an environment or an organization. */
function deliveryLabel(secret) {
    return (secret?.places ?? []).every(({ place }) => /^(github|gitea):/.test(place)) ? 'Secret' : 'Link';
}
/** Written or not, where, and why not. `isAskedFor`: the step names a place. */
function deliveryText(secret, isAskedFor) {
    if (secret === undefined)
        return isAskedFor ? 'not written' : 'not asked for';
    const { places = [] } = secret;
    if (places.length > 1)
        return places.map(placeText).join('; ');
    const where = `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(secret.name)} of ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(secret.target)}`;
    const why = secret.reason === undefined ? '' : `: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(secret.reason)}`;
    const version = places[0] === undefined ? '' : versionText(places[0]);
    return secret.updated ? `written to ${where}${version}${why}` : `not written to ${where}${why}`;
}
function placeText(facts) {
    const { place, written, error } = facts;
    const why = error === undefined ? '' : `: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(error.code)}`;
    return `${written ? 'written to' : 'not written to'} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(place)}${versionText(facts)}${why}`;
}
function versionText({ version, formerVersion }) {
    if (version === undefined)
        return '';
    const former = formerVersion === undefined ? '' : `; the former link is version ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(formerVersion)}`;
    return ` (version ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(version)}${former})`;
}
/** What is live and what was, newest first; nothing where no place has a state. */
function historySection(exports = []) {
    if (exports.length === 0)
        return undefined;
    const rows = exports.map(({ job, at, pages, commit, by, ...marks }) => [
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(job),
        markText(marks),
        at === undefined ? '' : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatInstant */ .r4)(new Date(at)),
        pages?.toLocaleString('en-US') ?? '',
        commit === undefined ? '' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(commit.slice(0, 7)),
        by === undefined ? '' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(by, 60),
    ]);
    return `### What is live\n\n${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .table */ .tp)(['Export job', 'State', 'First live', 'Pages', 'Commit', 'By'], rows)}`;
}
function markText({ live, withdrawn, forced }) {
    const state = live
        ? '**live**'
        : withdrawn === undefined
            ? ''
            : `rolled back at ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatInstant */ .r4)(new Date(withdrawn))}`;
    return [state, forced ? 'forced' : ''].filter((text) => text !== '').join(', ');
}


/***/ }),

/***/ 4034:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   j: () => (/* binding */ describePage)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);

/** What is wrong with a page, in one line: inert, but not escaped for Markdown. */
function describePage({ detail = '', missing = [], extra = [], cache = {} }) {
    const parts = [
        detail,
        missing.length > 0 ? `missing: ${quoted(missing)}` : '',
        // Where words are missing, the others are mostly those that they replaced.
        extra.length > 0 ? `not in the export: ${quoted(extra)}` : '',
        cacheText(cache),
    ];
    return parts.filter((part) => part !== '').join('; ');
}
function quoted(parts) {
    return parts.map((part) => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .plainLine */ .h0)(part, 100)}"`).join(', ');
}
function cacheText(cache) {
    return Object.entries(cache)
        .map(([name, value]) => `${name}: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .plainLine */ .h0)(value, 100)}`)
        .join(', ');
}


/***/ }),

/***/ 564:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ SINCE)
/* harmony export */ });
/** What `since` says, in a sentence: `3 min after the merge`. */
const SINCE = {
    merge: 'the merge',
    push: 'the push',
    start: 'the start of this run',
};


/***/ }),

/***/ 4207:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $U: () => (/* binding */ liveOutputs),
/* harmony export */   IH: () => (/* binding */ liveText),
/* harmony export */   ip: () => (/* binding */ liveChecks),
/* harmony export */   uN: () => (/* binding */ liveSection)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1065);
/* harmony import */ var _describe_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4034);
/* harmony import */ var _facts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(564);




/** The outputs about the published site; empty where it was not checked. */
function liveOutputs(facts) {
    return { live: facts && String(facts.live), 'live-after-seconds': facts?.afterSeconds?.toString() };
}
/** Each page as a check, for CI systems that show them; a site that only warns has no failed one. */
function liveChecks(facts) {
    return (facts?.pages ?? []).map((page) => ({
        group: 'live',
        name: page.path,
        outcome: page.outcome === 'live' ? 'passed' : facts?.isWarning === true ? 'warning' : 'failed',
        message: page.outcome === 'live' ? undefined : (0,_describe_js__WEBPACK_IMPORTED_MODULE_1__/* .describePage */ .j)(page),
    }));
}
/** One line of the facts of a run; undefined where the site was not checked. */
function liveText(facts) {
    if (facts === undefined)
        return undefined;
    const { url, live, afterSeconds = 0, since, sinceTime } = facts;
    if (!live)
        return `no: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(url)} does not show the export`;
    const at = (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .formatInstant */ .r4)(new Date(sinceTime));
    return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(url)} shows the export, **${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(afterSeconds * 1000)}** after ${_facts_js__WEBPACK_IMPORTED_MODULE_2__/* .SINCE */ .F[since]} (${at})`;
}
/** The pages that were fetched, those that differ first; nothing where the site was not checked. */
function liveSection(facts) {
    if (facts === undefined || facts.pages.length === 0)
        return undefined;
    const { pages, rounds, sameBefore, live } = facts;
    const right = pages.filter(({ outcome }) => outcome === 'live').length;
    const verdict = live ? '✅' : '❌';
    const lines = [
        `### Published site\n\n${verdict} ${right} of ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .countOf */ .pq)(pages.length, 'page')} ${right === 1 ? 'shows' : 'show'} the export, fetched ${rounds === 1 ? 'once' : `${rounds} times`}.`,
        sameBefore === true && live
            ? 'All of them did so before the link was delivered: none of these pages has changed, so that they do not show when the site takes it up.'
            : '',
        pageTable(pages),
    ];
    return lines.filter((line) => line !== '').join('\n\n');
}
function pageTable(pages) {
    const wrong = pages.filter(({ outcome }) => outcome !== 'live');
    const right = pages.filter(({ outcome }) => outcome === 'live');
    const rows = [...wrong, ...right].map((page) => [
        page.outcome === 'live' ? '✅' : '❌',
        (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(page.path, 120),
        page.status?.toString() ?? '',
        page.outcome === 'live' ? 'shows the export' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)((0,_describe_js__WEBPACK_IMPORTED_MODULE_1__/* .describePage */ .j)(page), 700),
    ]);
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_3__/* .table */ .tp)(['', 'Page', 'Status', 'Found'], rows);
}


/***/ }),

/***/ 74:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ openAfterDelivery)
/* harmony export */ });
/* unused harmony export AfterDelivery */
/** The steps after delivery, in their order. */
class AfterDelivery {
    #steps;
    #isLive;
    #comparison;
    constructor(steps, isLive) {
        this.#steps = steps;
        this.#isLive = isLive;
    }
    plan() {
        return this.#steps.flatMap((step) => step.plan());
    }
    /** A step reads the exported site: its bundle is downloaded also where it has no place to go to. */
    get readsSite() {
        return this.#steps.some((step) => step.readSite !== undefined);
    }
    /** Call it before the delivery, with the site once nothing holds it back. */
    async readSite({ site, comparison }, basePath) {
        this.#comparison = comparison;
        if (site.root === undefined)
            return;
        const exported = { root: site.root, files: [...site.files.keys()], basePath, changed: changedPages(comparison) };
        for (const step of this.#steps)
            await step.readSite?.(exported);
    }
    /** Each step begins when the one before it has succeeded. */
    async run(delivered) {
        for (const step of this.#steps) {
            await step.run({ ...delivered, comparison: this.#comparison, isLive: this.#isLive() });
        }
    }
}
/** The addresses at which an export shows something else than the one before; undefined: they were not compared. */
function changedPages(comparison) {
    if (comparison === undefined)
        return undefined;
    const { added, changed, moved } = comparison;
    return [...changed.map(({ path }) => path), ...added.map(({ path }) => path), ...moved.map(({ to }) => to)];
}
/**
 * Checks, before an export starts, what is to be done after its delivery: the rollout, then whether the site is live, and a
 * comment about what changed.
 * Each of them is loaded only where its input is set. Writes nothing.
 */
async function openAfterDelivery(inputs, deps) {
    const steps = [];
    let isLive = false;
    const watched = {
        ...deps,
        record: (facts) => {
            isLive = facts.live?.live ?? isLive;
            deps.record(facts);
        },
    };
    if (inputs.rollout !== undefined) {
        const { RolloutStep } = await __webpack_require__.e(/* import() */ 7528).then(__webpack_require__.bind(__webpack_require__, 7528));
        steps.push(await RolloutStep.open(inputs, inputs.rollout, deps));
    }
    if (inputs.live !== undefined) {
        const { LiveStep } = await __webpack_require__.e(/* import() */ 2754).then(__webpack_require__.bind(__webpack_require__, 373));
        steps.push(await LiveStep.open(inputs, inputs.live, watched));
    }
    if (inputs.changesComment !== undefined) {
        const { CommentStep } = await __webpack_require__.e(/* import() */ 8265).then(__webpack_require__.bind(__webpack_require__, 646));
        steps.push(new CommentStep(inputs, inputs.changesComment, deps));
    }
    return new AfterDelivery(steps, () => isLive);
}


/***/ }),

/***/ 9242:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  DeploymentRecord: () => (/* binding */ DeploymentRecord),
  connectDeployments: () => (/* binding */ connectDeployments),
  J: () => (/* binding */ deploymentText)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/text/cut.js
var cut = __webpack_require__(7850);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/proof.js
var build_proof = __webpack_require__(7170);
// EXTERNAL MODULE: ./build/text/json.js
var json = __webpack_require__(5666);
;// CONCATENATED MODULE: ./build/modes/deployment-count.js



const PURPOSE = 'docs-courier/deployment/v1';
const payload = schemas/* object */.Ikc({ version: schemas/* literal */.euz(1), count: schemas/* int */.Whr(), proof: schemas/* string */.YjP() });
/**
 * What is stored with a deployment: the count that the state has once it has succeeded. Who can write the state cannot make
 * one up, and has to take the deployment away as well to hide that a state is an earlier one.
 */
function countedPayload(count, { adminApiKey, ...bound }) {
    if (count === undefined || bound.place === undefined)
        return { version: 1 };
    const proof = (0,build_proof/* sign */._S)({ secret: adminApiKey, purpose: PURPOSE, payload: { count, ...bound } });
    return { version: 1, count, proof };
}
/** undefined: there is none that was signed with this key for this place. */
function readCount(stored, { adminApiKey, ...bound }) {
    // GitHub gives a payload as it was sent: an object, or a text.
    const parsed = payload.safeParse(typeof stored === 'string' ? (0,json/* parseJson */.q)(stored) : stored);
    if (!parsed.success)
        return undefined;
    const { count, proof } = parsed.data;
    const isValid = (0,build_proof/* verify */.MX)({ secret: adminApiKey, purpose: PURPOSE, payload: { count, ...bound }, proof });
    return isValid ? count : undefined;
}

;// CONCATENATED MODULE: ./build/modes/deployment.js




// After a cancellation the run's own client sends nothing any more; the run ends 4.5 s after it.
const LAST_REPORT_MS = 4000;
/** GitHub's limit for a description. */
const MAX_DESCRIPTION = 140;
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
        const { live, stale } = await findEarlier(api);
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
        const id = await this.#api.create({ sha: commit, description: (0,cut/* cut */.J)(what, { chars: MAX_DESCRIPTION }), payload });
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
        const description = (0,cut/* cut */.J)(text, { chars: MAX_DESCRIPTION });
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
    const { GitHubDeployments } = await __webpack_require__.e(/* import() */ 9938).then(__webpack_require__.bind(__webpack_require__, 7557));
    const octokit = await deps.github.connect(asked.token, signal);
    return new GitHubDeployments(octokit, deps.github.run.repository, asked.environment);
}
function signingOf({ asked, adminApiKey, delivery, deps }) {
    const { environment } = asked;
    return { adminApiKey, environment, repository: deps.github.run.repository, place: delivery?.signedAddress };
}
/** `live`: the newest of ours that has succeeded, whether or not it became inactive since. `stale`: what never ended after it. */
async function findEarlier(api) {
    const stale = [];
    for (const one of (await api.listOurs()).slice(0, MOST_READ)) {
        const statuses = await api.statuses(one.id);
        if (statuses.some(({ state }) => state === 'success'))
            return { live: one, stale };
        if (statuses[0] === undefined || statuses[0].state === 'in_progress')
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
/** A line of the summary. */
function deploymentText(deployment) {
    if (deployment === undefined)
        return undefined;
    const { environment, id, commit, state } = deployment;
    return `${(0,text_escape/* codeSpan */.SS)(environment)}, ${id} of commit ${(0,text_escape/* codeSpan */.SS)(commit.slice(0, 7))}: ${state.replace('_', ' ')}`;
}


/***/ }),

/***/ 907:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q: () => (/* binding */ openDeployment)
/* harmony export */ });
/** undefined: no `deployment-environment` is given, and nothing is loaded. */
async function openDeployment({ deployment: asked, adminApiKey, live }, deps, delivery) {
    if (asked === undefined)
        return undefined;
    const { DeploymentRecord } = await Promise.resolve(/* import() */).then(__webpack_require__.bind(__webpack_require__, 9242));
    return DeploymentRecord.open({ asked, adminApiKey, deps, delivery, environmentUrl: live?.url });
}


/***/ }),

/***/ 6147:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ placesText)
/* harmony export */ });
/* harmony import */ var _store_address_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2554);

/** The places of a run for its report; undefined where none is asked for. */
function placesText(to) {
    return to?.addresses.map(_store_address_js__WEBPACK_IMPORTED_MODULE_0__/* .formatAddress */ .M0).join(', ');
}


/***/ }),

/***/ 304:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   x: () => (/* binding */ deploymentSection)
/* harmony export */ });
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1065);

/** What a deployed site can do, per kind of deployment: the table of the platform's static-export documentation. */
const FEATURES = [
    {
        name: 'Documentation search',
        by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' },
    },
    { name: 'AI assistant', by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' } },
    { name: 'Web analytics', by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' } },
    {
        name: 'API playground ("Try it")',
        by: { cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'configurable' },
    },
    { name: 'Static export bundle', by: { cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'available' } },
];
const MARKS = {
    available: '✅ available',
    configurable: '⚙️ configurable: depends on how the environment is set up',
    unavailable: '❌ unavailable',
};
/** The features that a site has once it is deployed; nothing where the kind of deployment is not known. */
function deploymentSection(type) {
    if (type === undefined)
        return undefined;
    const rows = FEATURES.map(({ name, by }) => [name, MARKS[by[type]]]);
    return `### What the ${type} site can do\n\n${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_0__/* .table */ .tp)(['Feature', 'Availability'], rows)}`;
}


/***/ }),

/***/ 877:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ plannedSection)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1065);


/** What a dry run would have written. */
function plannedSection(planned) {
    if (planned === undefined)
        return undefined;
    if (planned.length === 0)
        return 'Nothing would be written.';
    const rows = planned.map(({ action, target }) => [(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(action), (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(target)]);
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .table */ .tp)(['What would happen', 'Where'], rows);
}


/***/ }),

/***/ 9889:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   p: () => (/* binding */ rolloutText)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1065);


/** For the list of facts in a summary. */
function rolloutText(rollout) {
    if (rollout === undefined)
        return undefined;
    const { workloads, elapsedMs, undoneTo } = rollout;
    const parts = workloads.map(({ workload, isRestarted, isComplete, updated, ready, wanted }) => {
        const state = !isComplete ? 'not complete' : isRestarted ? 'complete' : 'nothing to restart';
        return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(workload)} ${state} (${updated} of ${wanted} updated, ${ready} ready)`;
    });
    const undone = undoneTo === undefined ? '' : `; undone: back to export job ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(undoneTo)}`;
    return `${parts.join(', ')} in ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)((0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .formatDuration */ .a3)(elapsedMs))}${undone}`;
}


/***/ })

};
