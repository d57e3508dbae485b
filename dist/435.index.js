export const id = 435;
export const ids = [435];
export const modules = {

/***/ 6435:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  doctorMode: () => (/* binding */ doctorMode)
});

// EXTERNAL MODULE: ./build/modes/execute.js
var execute = __webpack_require__(9072);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
;// CONCATENATED MODULE: ./build/modes/doctor/finding.js

function ok(what, detail) {
    return { what, outcome: 'ok', detail };
}
function warning(what, detail, fix) {
    return { what, outcome: 'warning', detail, fix };
}
function broken(what, detail, fix) {
    return { what, outcome: 'error', detail, fix };
}
/** What only a write would show, or what could not be checked because something before it failed. */
function unknown(what, detail, fix) {
    return { what, outcome: 'unknown', detail, fix };
}
/** A failed check. What is no CourierError is a fault of this program, and goes on up; so does the end of the run. */
function failed(what, error) {
    if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
        throw error;
    return broken(what, error.message, error.hint && (0,errors/* hintText */.dx)(error.hint));
}
const MARKS = {
    ok: '✅',
    warning: '⚠️',
    error: '❌',
    unknown: '❔',
};

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./build/modes/receive-bundle.js
var receive_bundle = __webpack_require__(1275);
;// CONCATENATED MODULE: ./build/modes/doctor/folders.js




/** Where a run writes: its report, and the bundle with the site. */
async function checkFolders(inputs, deps) {
    const { temp, workspace } = deps.run;
    const link = inputs.export ?? inputs.refresh;
    const isReceived = link?.bundle.bundlePath !== undefined || link?.bundle.extractTo !== undefined;
    const findings = [await folderFinding('Temporary folder', temp)];
    if (link === undefined || !isReceived)
        return findings;
    findings.push(await folderFinding('Workspace', workspace));
    try {
        await (0,receive_bundle/* checkReceipt */.HF)(link, deps);
        findings.push(ok('Destinations', 'bundle-path and extract-to may be written.'));
    }
    catch (error) {
        findings.push(failed('Destinations', error));
    }
    return findings;
}
async function folderFinding(what, path) {
    try {
        await (0,promises_.access)(path, external_node_fs_.constants.W_OK);
        return ok(what, `${path} can be written.`);
    }
    catch {
        return broken(what, `${path} cannot be written.`, "Check that it exists and that the runner's user may write there.");
    }
}

;// CONCATENATED MODULE: ./build/modes/doctor/github.js


const NEEDED = { 'pull-requests': 'write', checks: 'read' };
const PERMISSIONS_FIX = `Give the job these permissions: ${Object.entries(NEEDED ?? {})
    .map(([name, level]) => `${name}: ${level}`)
    .join(', ')}.`;
/** What the agent mode needs of GitHub: the token, and each permission that can be tried by reading. */
async function checkGitHub({ agent, githubToken }, { github }) {
    if (agent === undefined)
        return [];
    if (githubToken === undefined)
        return [unknown('github-token', 'Not checked: it is missing or wrong.')];
    const { run } = github;
    const [owner = '', repo = ''] = run.repository.split('/');
    try {
        const octokit = await github.connect(githubToken);
        const found = await tryRead('github-token', `reads ${run.repository}`, () => octokit.rest.repos.get({ owner, repo }));
        if (found.outcome === 'error')
            return [found];
        return [
            found,
            await tryRead('Permission pull-requests', 'reads pull requests', () => octokit.rest.pulls.list({ owner, repo, per_page: 1 })),
            await checksFinding(() => octokit.rest.checks.listSuitesForRef({ owner, repo, ref: run.sha, per_page: 1 })),
            unknown('Permission pull-requests: write', 'Whether reactions and the status comment may be written shows only when they are.', PERMISSIONS_FIX),
        ];
    }
    catch (error) {
        return [failed('GitHub', error)];
    }
}
async function tryRead(what, does, read) {
    try {
        await read();
        return ok(what, `github-token ${does}.`);
    }
    catch (error) {
        if (!(0,errors/* hasCode */.up)(error, 'unauthorized', 'forbidden', 'not-found'))
            return failed(what, error);
        return broken(what, error.message, PERMISSIONS_FIX);
    }
}
/** Without it a run goes on, and cannot see whether the head was pushed after the command. */
async function checksFinding(read) {
    const what = 'Permission checks';
    try {
        await read();
        return ok(what, 'github-token reads the checks of a commit.');
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
            throw error;
        return warning(what, error.message, PERMISSIONS_FIX);
    }
}

// EXTERNAL MODULE: ./build/text/markdown.js
var markdown = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/modes/destinations.js + 12 modules
var destinations = __webpack_require__(6894);
;// CONCATENATED MODULE: ./build/modes/doctor/places.js



/** The places of the link with their rights, and their states. */
async function checkPlaces(inputs, deps) {
    const link = inputs.refresh ?? inputs.export;
    if (link?.to === undefined)
        return [];
    const { to } = link;
    const what = 'Place of the link';
    const rows = [];
    for (const store of await (0,destinations/* makeStores */.p)(to, deps)) {
        const checks = await store.check();
        rows.push(...checks.map((check) => ({ ...check, what: `${store.names.place}: ${check.what}` })));
    }
    const wrong = rows.find(({ outcome }) => outcome === 'error');
    if (wrong !== undefined)
        return [broken(what, wrong.detail ?? wrong.what, wrong.fix), ...rows];
    try {
        const needsState = link.mode === 'refresh' && link.exportJobId === undefined;
        const delivery = await (0,destinations.openDestinations)({ ...link, to, needsState }, { ...deps, record: () => { } });
        const planned = delivery.plan().map(({ target }) => target);
        return [ok(what, `${planned.join(' and ')}: can be reached.`), ...rows, stateFinding(link, delivery)];
    }
    catch (error) {
        return [failed(what, error), ...rows];
    }
}
function stateFinding(link, delivery) {
    const what = 'State';
    const { state, ignored, changed } = delivery;
    if (changed !== undefined) {
        return warning(what, changed, 'Run mode: export, or name the right job with export-job-id.');
    }
    if (ignored !== undefined) {
        const fix = 'The next export writes a new one. Check who else writes it.';
        return warning(what, `It is ignored because ${ignored}.`, fix);
    }
    if (state?.jobId === undefined) {
        if (link.mode === 'export' || link.exportJobId !== undefined)
            return ok(what, 'There is none yet; an export writes it.');
        const fix = 'Run mode: export first, or give export-job-id.';
        if (link.ifNoState === 'skip')
            return warning(what, 'There is none yet: a refresh is skipped until then.', fix);
        return broken(what, 'There is none yet, so a refresh fails.', fix);
    }
    const { jobId, expiresAt } = state;
    const until = expiresAt === undefined ? '' : `, works until ${(0,markdown/* formatInstant */.r4)(new Date(expiresAt))}`;
    return ok(what, `The stored link is of export job ${jobId}${until}.`);
}

// EXTERNAL MODULE: ./build/http/http.js + 2 modules
var http = __webpack_require__(5226);
// EXTERNAL MODULE: ./build/http/proxy.js + 1 modules
var http_proxy = __webpack_require__(7996);
// EXTERNAL MODULE: ./build/platform/open-export.js + 3 modules
var open_export = __webpack_require__(1724);
// EXTERNAL MODULE: ./build/platform/service.js
var service = __webpack_require__(3509);
// EXTERNAL MODULE: ./build/text/json.js
var json = __webpack_require__(5666);
;// CONCATENATED MODULE: ./build/modes/doctor/platform.js








/** An id that no job has: the reply to it shows whether address and key are right, and starts nothing. */
const NO_JOB = 'docs-courier-doctor';
const MAX_SKEW_MS = 60_000;
const KEYS_PAGE = "the API keys page of the platform's dashboard";
/** Address, proxy, clock, keys, plan, site, project and jobs. */
async function checkPlatform(inputs, deps) {
    const { baseUrl } = inputs;
    if (baseUrl === undefined)
        return [unknown('Platform', 'Not checked: base-url is missing or wrong.')];
    const proxy = proxyFinding(baseUrl);
    try {
        const reply = await probe(baseUrl, inputs, deps);
        return [
            proxy,
            addressFinding(baseUrl, reply),
            clockFinding(reply, deps),
            ...(isPlatform(reply) ? [...adminFindings(inputs, reply), ...(await jobFindings(inputs, deps))] : []),
            ...(await searchFindings(inputs, deps)),
        ];
    }
    catch (error) {
        return [
            proxy,
            failed('Address', error),
            unknown('Keys, site and jobs', 'Not checked: the platform was not reached.'),
        ];
    }
}
function proxyFinding(baseUrl) {
    const proxy = (0,http_proxy/* proxyFor */.i)(new URL(baseUrl));
    return ok('Proxy', proxy === undefined ? 'None is used.' : `${proxy.protocol}//${proxy.host} is used.`);
}
/** One request, whatever status it is answered with. */
function probe(baseUrl, { adminApiKey }, deps) {
    return new http/* Http */.l(deps).request({
        service: (0,service/* platformService */.V)({ key: 'admin', hourlyLimit: undefined }),
        method: 'GET',
        url: new URL(`${baseUrl}/v1/static-export/jobs/${NO_JOB}`),
        headers: {
            accept: 'application/json',
            ...(adminApiKey !== undefined && { authorization: `Bearer ${adminApiKey}` }),
        },
        repeat: 'always',
        accepts: ({ status }) => status < 500 && status !== 429,
    });
}
function isPlatform({ status, body }) {
    return (status === 200 || status >= 400) && (0,json/* parseJson */.q)(body.toString('utf8')) !== undefined;
}
function addressFinding(baseUrl, reply) {
    if (isPlatform(reply))
        return ok('Address', `${baseUrl} answers as an API.`);
    const kind = reply.headers['content-type'] ?? 'no content type';
    return broken('Address', `${baseUrl} answers ${reply.status} with ${kind} instead of JSON: this is no API.`, `Set base-url to the address of the API, from ${KEYS_PAGE}.`);
}
function clockFinding({ headers }, { clock }) {
    const theirs = Date.parse(headers.date ?? '');
    if (Number.isNaN(theirs))
        return unknown('Clock', 'The platform sends no date to compare with.');
    const skewMs = Math.abs(theirs - clock.now());
    if (skewMs <= MAX_SKEW_MS)
        return ok('Clock', 'This machine and the platform agree on the time.');
    return warning('Clock', `This machine and the platform are ${(0,markdown/* formatDuration */.a3)(skewMs)} apart.`, 'Set the clock of the runner: the expiry of a link is compared with it.');
}
function adminFindings({ adminApiKey, checked }, { status }) {
    const what = 'Admin API key';
    if (adminApiKey === undefined) {
        const isNeeded = checked.some((mode) => mode !== 'search');
        return isNeeded ? [unknown(what, 'Not checked: it is missing or wrong.')] : [];
    }
    const isExport = checked.includes('export') || checked.includes('refresh');
    switch (status) {
        case 401:
            return [
                broken(what, 'The platform does not accept it.', `Make a new key on ${KEYS_PAGE} and store it in the secret.`),
            ];
        case 402:
        case 403:
            return isExport
                ? [
                    ok(what, 'The platform knows it.'),
                    broken('Plan', `Static export is refused with ${status}.`, 'Static export needs the Enterprise plan; check also the scope of the key and an IP allow-list.'),
                ]
                : [ok(what, 'The platform knows it.')];
        default:
            return [
                ok(what, 'The platform accepts it.'),
                ...(isExport
                    ? [unknown('Plan', 'Not refused so far; whether it includes static export shows when an export starts.')]
                    : []),
            ];
    }
}
async function jobFindings(inputs, deps) {
    const job = inputs.export ?? inputs.refresh;
    const findings = [];
    if (inputs.export !== undefined && inputs.export.exportJobId === undefined) {
        const subject = inputs.export.projectId === undefined ? `domain ${inputs.export.domain}` : `project ${inputs.export.projectId}`;
        findings.push(unknown('Site', `Whether the platform knows the ${subject} shows when an export starts.`));
    }
    if (job?.exportJobId !== undefined)
        findings.push(await exportJobFinding(job.exportJobId, job.projectId, deps));
    const { agent } = inputs;
    if (agent?.agentJobId !== undefined) {
        findings.push(await agentJobFinding({ projectId: agent.projectId, id: agent.agentJobId }, deps));
    }
    else if (agent !== undefined) {
        findings.push(unknown('Agent job', 'It is found from the pull request of each command.'));
    }
    return findings;
}
async function exportJobFinding(jobId, projectId, deps) {
    const what = 'Export job';
    try {
        const api = (0,open_export/* openExport */.V)({ platform: deps.platform, source: { domain: undefined, projectId } });
        const { status } = (await api.poll(jobId)).value;
        if (status === 'failed')
            return broken(what, `${jobId} has failed.`, 'Start a new export, without export-job-id.');
        return ok(what, `${jobId} is ${status}.`);
    }
    catch (error) {
        return failed(what, error);
    }
}
async function agentJobFinding(job, { platform }) {
    const what = 'Agent job';
    try {
        const { status } = (await platform.getAgentJob(job)).value;
        if (status === 'failed' || status === 'archived')
            return warning(what, `${job.id} is ${status}.`, 'Bind another job.');
        return ok(what, `${job.id} is ${status}.`);
    }
    catch (error) {
        if (error instanceof errors/* CourierError */.Yw && (error.httpStatus === 404 || error.httpStatus === 405)) {
            return unknown(what, `The platform does not show job ${job.id} of project ${job.projectId}.`, `Compare agent-job-id and project-id with ${KEYS_PAGE}: not every installation shows a job.`);
        }
        return failed(what, error);
    }
}
/** A real search: it changes nothing, and shows key and site at once. */
async function searchFindings(inputs, { platform }) {
    const site = inputs.search?.domain ?? inputs.agent?.relatedDocs?.domain;
    if (site === undefined)
        return [];
    const what = 'Assistant API key and site';
    try {
        const { value } = await platform.search(site, { query: inputs.search?.query ?? 'documentation', pageSize: 1 });
        if (value.length > 0)
            return [ok(what, `A search of ${site} gives results.`)];
        return [warning(what, `A search of ${site} gives no result.`, 'Check that the site is published and indexed.')];
    }
    catch (error) {
        return [failed(what, error)];
    }
}

// EXTERNAL MODULE: ./build/report/help.js
var help = __webpack_require__(4004);
// EXTERNAL MODULE: ./build/report/summary.js
var summary = __webpack_require__(4611);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
;// CONCATENATED MODULE: ./build/modes/doctor/summary.js





const doctorPresentation = {
    outputs: () => ({}),
    summary: ({ checked = [], findings = [], error }) => (0,summary/* sections */.V0)([
        `## 🩺 ${verdict(findings)}`,
        checked.length === 0 ? '' : `Checked for ${checked.map((mode) => `\`mode: ${mode}\``).join(', ')}.`,
        // The table says it already where the checks came to their end.
        error?.code === 'checks-failed' ? '' : (0,summary/* errorSection */.K6)(error),
        findings.length === 0 ? '' : (0,markdown/* table */.tp)(['', 'Check', 'Found', 'What to do'], findings.map(row)),
        `✅ works, ⚠️ works with a restriction, ❌ would fail, ❔ cannot be known without writing. Nothing was changed. See [troubleshooting](${(0,help/* documentation */.T)('how-to/troubleshooting.md')}).`,
    ]),
};
/** `Doctor: 2 of 12 checks failed`, or that none did. */
function verdict(findings) {
    const count = findings.filter(({ outcome }) => outcome === 'error').length;
    const all = (0,markdown/* countOf */.pq)(findings.length, 'check');
    return count === 0 ? `Doctor: none of ${all} failed` : `Doctor: ${count} of ${all} failed`;
}
function row({ what, outcome, detail, fix }) {
    const cell = (text) => (0,text_escape/* escapeMarkdown */.FV)(text ?? '', 1000);
    return [MARKS[outcome], (0,text_escape/* escapeMarkdown */.FV)(what), cell(detail), cell(fix)];
}

;// CONCATENATED MODULE: ./build/modes/doctor/doctor.js







/**
 * Tries everything that a workflow with these inputs would need, and changes nothing. Goes on after each failure, so that one
 * run shows all of them. Throws `checks-failed` where something would fail.
 */
async function runDoctor(inputs, deps) {
    const findings = [];
    deps.record({ checked: inputs.checked, findings });
    for (const check of [checkInputs, checkPlatform, checkGitHub, checkPlaces, checkFolders]) {
        for (const finding of await check(inputs, deps)) {
            findings.push(finding);
            logFinding(finding, deps);
        }
    }
    const isBroken = findings.some(({ outcome }) => outcome === 'error');
    if (!isBroken)
        return { status: 'completed', reason: `${verdict(findings)}; nothing was changed` };
    throw new errors/* CourierError */.Yw({
        code: 'checks-failed',
        message: [
            `${verdict(findings)}:`,
            ...findings.filter(({ outcome }) => outcome === 'error').map(({ what, detail }) => `- ${what}: ${detail}`),
        ].join('\n'),
        hint: 'Mend them from the top: one may be the reason for those below. The log and the summary say how. Nothing was changed.',
    });
}
async function checkInputs({ checked, problems }) {
    if (problems.length > 0) {
        return problems.map((problem) => ({
            what: 'Inputs',
            outcome: 'error',
            detail: problem,
            fix: 'Correct it in the step.',
        }));
    }
    const modes = checked.map((mode) => `mode: ${mode}`).join(', ');
    return [
        checked.length > 0
            ? { what: 'Inputs', outcome: 'ok', detail: `Right for ${modes}.` }
            : {
                what: 'Inputs',
                outcome: 'warning',
                detail: 'They belong to no mode, so only what all modes need is checked.',
                fix: 'Give the inputs of the step that you want to run, such as domain or secret-name.',
            },
    ];
}
function logFinding({ what, outcome, detail, fix }, { log }) {
    log.info(`${MARKS[outcome]} ${what}: ${detail ?? ''}${fix === undefined ? '' : `\n   What to do: ${fix}`}`);
}

;// CONCATENATED MODULE: ./build/modes/doctor/mode.js



const doctorMode = (0,execute/* defineMode */.L)({ run: runDoctor, ...doctorPresentation });


/***/ }),

/***/ 9072:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ defineMode)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _finish_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9376);


function defineMode(mode) {
    return { execute: (inputs, execution) => execute(mode, inputs, execution) };
}
/** Writes also what the mode recorded before it failed. */
async function execute(mode, inputs, { surroundings, end }) {
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
        const ending = await mode.run(inputs, { ...surroundings, record });
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


/***/ }),

/***/ 1275:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   HF: () => (/* binding */ checkReceipt),
/* harmony export */   W1: () => (/* binding */ planReceipt),
/* harmony export */   iL: () => (/* binding */ isReceived),
/* harmony export */   uZ: () => (/* binding */ receive)
/* harmony export */ });
/* harmony import */ var _platform_link_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3832);

/** Whether the archive is downloaded at all. */
function isReceived({ bundlePath, extractTo }) {
    return bundlePath !== undefined || extractTo !== undefined;
}
/** Checks the destinations before anything starts. Throws `config` where they may not be written. */
async function checkReceipt({ bundle, adminApiKey }, { github }) {
    if (!isReceived(bundle))
        return;
    const [{ checkDestinations }, { homedir }] = await Promise.all([__webpack_require__.e(/* import() */ 749).then(__webpack_require__.bind(__webpack_require__, 2749)), Promise.resolve(/* import() */).then(__webpack_require__.t.bind(__webpack_require__, 8161, 19))]);
    const { workspace, runnerTemp } = github.run;
    await checkDestinations({ bundle, workspace, runnerTemp, home: homedir(), secret: adminApiKey });
}
/** Downloads, checks, verifies and unpacks the bundle where that is asked for; undefined where it is not. */
async function receive({ inputs, deps, links, link, origin, guard }) {
    if (!isReceived(inputs.bundle))
        return undefined;
    const { receiveBundle } = await __webpack_require__.e(/* import() */ 749).then(__webpack_require__.bind(__webpack_require__, 2749));
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
        guard,
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

/***/ 3832:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ew: () => (/* binding */ checkBundleUrl),
/* harmony export */   jK: () => (/* binding */ createLinkMaker),
/* harmony export */   ln: () => (/* binding */ linkPolicy)
/* harmony export */ });
/* unused harmony export linkSecrets */
/* harmony import */ var node_net__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7030);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9473);
/* harmony import */ var _http_loopback_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(356);
/* harmony import */ var _http_private_hosts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1332);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1065);
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4211);







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

/***/ 1724:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  V: () => (/* binding */ openExport)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/http/service.js
var service = __webpack_require__(4870);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
;// CONCATENATED MODULE: ./build/platform/export-calls.js



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
function withStartAdvice(api, error) {
    if (!(error instanceof errors/* CourierError */.Yw))
        return error;
    switch (error.httpStatus) {
        case 402:
            return error.with({ code: 'forbidden', hint: 'Static export requires the Enterprise plan of the platform.' });
        case 403:
            return error.with({
                hint: `A site that readers reach only after a login cannot be exported: check this for ${api.subject}. Otherwise check that the plan is Enterprise, and that the key in admin-api-key belongs to this organization.`,
            });
        default:
            return error;
    }
}

;// CONCATENATED MODULE: ./build/platform/export-by-domain.js


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

;// CONCATENATED MODULE: ./build/platform/export-by-project.js



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
            text: `Compare project-id (${projectId}) with the API keys page of the platform's dashboard: this request was made by project. An installation that exports by domain only takes the site instead of project-id:`,
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
            hint: 'Run mode: export again: it starts a new job.',
        });
    }
    return new errors/* CourierError */.Yw({
        code: 'conflict',
        message: `${request} answered without a link: export job ${jobId} is ${(0,text_escape/* plainLine */.h0)(status, 40)}.`,
        hint: 'Wait until the job has completed, then run again.',
    });
}

;// CONCATENATED MODULE: ./build/platform/open-export.js


/** The revision of the export API that the source asks for: by project where there is a project's id, else by domain. */
function openExport({ platform, source, selection, basePath }) {
    const { domain, projectId } = source;
    return projectId === undefined
        ? new ExportByDomain({ platform, source, selection })
        : new ExportByProject({ platform, source: { domain, projectId }, basePath });
}


/***/ })

};
