export const id = 5653;
export const ids = [5653];
export const modules = {

/***/ 7468:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $e: () => (/* binding */ warning),
/* harmony export */   L5: () => (/* binding */ unknown),
/* harmony export */   gz: () => (/* binding */ failed),
/* harmony export */   j7: () => (/* binding */ MARKS),
/* harmony export */   mw: () => (/* binding */ broken),
/* harmony export */   ok: () => (/* binding */ ok)
/* harmony export */ });
/* harmony import */ var _stores_port_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7833);

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
const failed = _stores_port_js__WEBPACK_IMPORTED_MODULE_0__/* .failedCheck */ .W;
const MARKS = {
    ok: '✅',
    warning: '⚠️',
    error: '❌',
    unknown: '❔',
};


/***/ }),

/***/ 5653:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  doctorMode: () => (/* binding */ doctorMode)
});

// EXTERNAL MODULE: ./build/src/run/finish.js
var finish = __webpack_require__(4104);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/doctor/finding.js
var finding = __webpack_require__(7468);
;// CONCATENATED MODULE: ./build/src/doctor/deployments.js

/** Whether deployments can be read where `deployment-environment` is given; nothing is made. */
async function checkDeployments(inputs, deps) {
    const asked = (inputs.rollback ?? inputs.refresh ?? inputs.export)?.deployment;
    if (asked === undefined)
        return [];
    const what = `Deployments of ${asked.environment}`;
    try {
        const { connectDeployments } = await __webpack_require__.e(/* import() */ 9072).then(__webpack_require__.bind(__webpack_require__, 9072));
        const api = await connectDeployments(asked, deps);
        const ours = await api.listOurs();
        return [
            (0,finding.ok)(what, `github-token reads them: there ${ours.length === 0 ? 'is none of this action yet' : 'are some of this action'}.`),
            (0,finding/* unknown */.L5)(`${what}: write`, 'Whether one may be made shows only when a run begins.', {
                text: 'Give the job this permission:',
                permissions: { deployments: 'write' },
            }),
        ];
    }
    catch (error) {
        return [(0,finding/* failed */.gz)(what, error)];
    }
}

// EXTERNAL MODULE: ./build/src/publish/destinations.js + 18 modules
var destinations = __webpack_require__(8166);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
;// CONCATENATED MODULE: ./build/src/doctor/destinations.js



/** The destinations of the link with their rights, and their states. */
async function checkDestinations(inputs, deps) {
    const link = inputs.rollback ?? inputs.refresh ?? inputs.export;
    if (link?.to === undefined)
        return [];
    const { to } = link;
    const what = 'Destination of the link';
    const rows = [];
    for (const store of await (0,destinations/* makeStores */.p)(to, deps)) {
        const checks = await store.check();
        rows.push(...checks.map((check) => ({ ...check, what: `${store.names.destination}: ${check.what}` })));
    }
    if (rows.some(({ outcome }) => outcome === 'error')) {
        return [...rows, (0,finding/* unknown */.L5)('State', 'Not read, since the destination of the link would fail.')];
    }
    try {
        const needsState = link.mode !== 'export' && link.exportJobId === undefined;
        const delivery = await (0,destinations.openDestinations)({ ...link, to, needsState }, { ...deps, record: () => { } });
        const planned = delivery.plan().map(({ target }) => target);
        return [(0,finding.ok)(what, `${planned.join(' and ')}: can be reached.`), ...rows, stateFinding(link, delivery)];
    }
    catch (error) {
        return [(0,finding/* failed */.gz)(what, error), ...rows];
    }
}
function stateFinding(link, delivery) {
    const what = 'State';
    const { state, ignored, changed } = delivery;
    if (changed !== undefined) {
        return (0,finding/* warning */.$e)(what, changed, 'Run an export, or name the right job with export-job-id.');
    }
    if (ignored !== undefined) {
        const fix = 'The next export writes a new one. Check who else writes it.';
        return (0,finding/* warning */.$e)(what, `It is ignored because ${ignored}.`, fix);
    }
    if (state?.jobId === undefined) {
        if (link.mode === 'export' || link.exportJobId !== undefined)
            return (0,finding.ok)(what, 'There is none yet; an export writes it.');
        const fix = 'Run an export first, or give export-job-id.';
        if (link.mode === 'rollback')
            return (0,finding/* broken */.mw)(what, 'There is none yet, so there is nothing to go back to.', fix);
        if (link.ifNoState === 'skip')
            return (0,finding/* warning */.$e)(what, 'There is none yet: a refresh is skipped until then.', fix);
        return (0,finding/* broken */.mw)(what, 'There is none yet, so a refresh fails.', fix);
    }
    const { jobId, expiresAt } = state;
    const until = expiresAt === undefined ? '' : `, works until ${(0,markdown/* formatInstant */.r4)(new Date(expiresAt))}`;
    return (0,finding.ok)(what, `The stored link is of export job ${jobId}${until}.`);
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./build/src/publish/receive-bundle.js
var receive_bundle = __webpack_require__(7225);
;// CONCATENATED MODULE: ./build/src/doctor/folders.js




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
        findings.push((0,finding.ok)('Destinations', 'bundle-path and extract-to may be written.'));
    }
    catch (error) {
        findings.push((0,finding/* failed */.gz)('Destinations', error));
    }
    return findings;
}
async function folderFinding(what, path) {
    try {
        await (0,promises_.access)(path, external_node_fs_.constants.W_OK);
        return (0,finding.ok)(what, `${path} can be written.`);
    }
    catch {
        return (0,finding/* broken */.mw)(what, `${path} cannot be written.`, "Check that it exists and that the runner's user may write there.");
    }
}

;// CONCATENATED MODULE: ./build/src/doctor/github.js


const PERMISSIONS_FIX = {
    text: 'Give the job these permissions:',
    permissions: { 'pull-requests': 'write', checks: 'read' },
};
/** What the agent mode needs of GitHub, or of the forge in its place: the token, and each permission that can be tried by reading. */
async function checkGitHub(inputs, deps) {
    const { agent, githubToken } = inputs;
    const { github } = deps;
    if (agent === undefined)
        return [];
    if (deps.run.kind === 'gitea' || deps.run.kind === 'forgejo') {
        const { checkGitea } = await __webpack_require__.e(/* import() */ 2783).then(__webpack_require__.bind(__webpack_require__, 2783));
        return checkGitea(agent, deps);
    }
    if (githubToken === undefined)
        return [(0,finding/* unknown */.L5)('github-token', 'Not checked: it is missing or wrong.')];
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
            (0,finding/* unknown */.L5)('Permission pull-requests: write', 'Whether reactions and the status comment may be written shows only when they are.', PERMISSIONS_FIX),
        ];
    }
    catch (error) {
        return [(0,finding/* failed */.gz)('GitHub', error)];
    }
}
async function tryRead(what, does, read) {
    try {
        await read();
        return (0,finding.ok)(what, `github-token ${does}.`);
    }
    catch (error) {
        if (!(0,errors/* hasCode */.up)(error, 'unauthorized', 'forbidden', 'not-found'))
            return (0,finding/* failed */.gz)(what, error);
        return (0,finding/* broken */.mw)(what, error.message, PERMISSIONS_FIX);
    }
}
/** Without it a run goes on, and cannot see whether the head was pushed after the command. */
async function checksFinding(read) {
    const what = 'Permission checks';
    try {
        await read();
        return (0,finding.ok)(what, 'github-token reads the checks of a commit.');
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
            throw error;
        return (0,finding/* warning */.$e)(what, error.message, PERMISSIONS_FIX);
    }
}

// EXTERNAL MODULE: ./build/src/http/http.js
var http = __webpack_require__(9588);
// EXTERNAL MODULE: ./build/src/http/proxy.js + 1 modules
var http_proxy = __webpack_require__(842);
// EXTERNAL MODULE: ./build/src/platform/client.js
var client = __webpack_require__(9114);
// EXTERNAL MODULE: ./build/src/platform/export-api.js
var export_api = __webpack_require__(2590);
// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
;// CONCATENATED MODULE: ./build/src/doctor/platform.js








/** An id that no job has: the reply to it shows whether address and key are right, and starts nothing. */
const NO_JOB = 'docs-courier-doctor';
const MAX_SKEW_MS = 60_000;
const KEYS_PAGE = "the API keys page of the platform's dashboard";
/** Address, proxy, clock, keys, plan, site, project and jobs. */
async function checkPlatform(inputs, deps) {
    const { baseUrl } = inputs;
    if (baseUrl === undefined)
        return [(0,finding/* unknown */.L5)('Platform', 'Not checked: base-url is missing or wrong.')];
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
            (0,finding/* failed */.gz)('Address', error),
            (0,finding/* unknown */.L5)('Keys, site and jobs', 'Not checked: the platform was not reached.'),
        ];
    }
}
function proxyFinding(baseUrl) {
    const proxy = (0,http_proxy/* proxyFor */.i)(new URL(baseUrl));
    return (0,finding.ok)('Proxy', proxy === undefined ? 'None is used.' : `${proxy.protocol}//${proxy.host} is used.`);
}
/** One request, whatever status it is answered with. */
function probe(baseUrl, { adminApiKey }, deps) {
    return new http/* Http */.l(deps).request({
        service: (0,client/* platformService */.Vk)({ key: 'admin', hourlyLimit: undefined }),
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
    return (status === 200 || status >= 400) && (0,json/* parseJson */.qF)(body.toString('utf8')) !== undefined;
}
function addressFinding(baseUrl, reply) {
    if (isPlatform(reply))
        return (0,finding.ok)('Address', `${baseUrl} answers as an API.`);
    const kind = reply.headers['content-type'] ?? 'no content type';
    return (0,finding/* broken */.mw)('Address', `${baseUrl} answers ${reply.status} with ${kind} instead of JSON: this is no API.`, `Set base-url to the address of the API, from ${KEYS_PAGE}.`);
}
function clockFinding({ headers }, { clock }) {
    const theirs = Date.parse(headers.date ?? '');
    if (Number.isNaN(theirs))
        return (0,finding/* unknown */.L5)('Clock', 'The platform sends no date to compare with.');
    const skewMs = Math.abs(theirs - clock.now());
    if (skewMs <= MAX_SKEW_MS)
        return (0,finding.ok)('Clock', 'This machine and the platform agree on the time.');
    return (0,finding/* warning */.$e)('Clock', `This machine and the platform are ${(0,markdown/* formatDuration */.a3)(skewMs)} apart.`, 'Set the clock of the runner: the expiry of a link is compared with it.');
}
function adminFindings({ adminApiKey, checked }, { status }) {
    const what = 'Admin API key';
    if (adminApiKey === undefined) {
        const isNeeded = checked.some((mode) => mode !== 'search');
        return isNeeded ? [(0,finding/* unknown */.L5)(what, 'Not checked: it is missing or wrong.')] : [];
    }
    const isExport = checked.some((mode) => mode === 'export' || mode === 'refresh' || mode === 'rollback');
    switch (status) {
        case 401:
            return [
                (0,finding/* broken */.mw)(what, 'The platform does not accept it.', `Make a new key on ${KEYS_PAGE} and store it in the secret.`),
            ];
        case 402:
        case 403:
            return isExport
                ? [
                    (0,finding.ok)(what, 'The platform knows it.'),
                    (0,finding/* broken */.mw)('Plan', `Static export is refused with ${status}.`, 'Static export needs the Enterprise plan; check also the scope of the key and an IP allow-list.'),
                ]
                : [(0,finding.ok)(what, 'The platform knows it.')];
        default:
            return [
                (0,finding.ok)(what, 'The platform accepts it.'),
                ...(isExport
                    ? [(0,finding/* unknown */.L5)('Plan', 'Not refused so far; whether it includes static export shows when an export starts.')]
                    : []),
            ];
    }
}
async function jobFindings(inputs, deps) {
    const job = inputs.export ?? inputs.refresh;
    const findings = [];
    if (inputs.export !== undefined && inputs.export.exportJobId === undefined) {
        const subject = inputs.export.projectId === undefined ? `domain ${inputs.export.domain}` : `project ${inputs.export.projectId}`;
        findings.push((0,finding/* unknown */.L5)('Site', `Whether the platform knows the ${subject} shows when an export starts.`));
    }
    if (job?.exportJobId !== undefined)
        findings.push(await exportJobFinding(job.exportJobId, job.projectId, deps));
    const { agent } = inputs;
    if (agent?.agentJobId !== undefined) {
        findings.push(await agentJobFinding({ projectId: agent.projectId, id: agent.agentJobId }, deps));
    }
    else if (agent !== undefined) {
        findings.push((0,finding/* unknown */.L5)('Agent job', 'It is found from the pull request of each command.'));
    }
    return findings;
}
async function exportJobFinding(jobId, projectId, deps) {
    const what = 'Export job';
    try {
        const api = (0,export_api/* openExport */.V1)({ platform: deps.platform, source: { domain: undefined, projectId } });
        const { status } = (await api.poll(jobId)).value;
        if (status === 'failed')
            return (0,finding/* broken */.mw)(what, `${jobId} has failed.`, 'Start a new export, without export-job-id.');
        return (0,finding.ok)(what, `${jobId} is ${status}.`);
    }
    catch (error) {
        return (0,finding/* failed */.gz)(what, error);
    }
}
async function agentJobFinding(job, { platform }) {
    const what = 'Agent job';
    try {
        const { status } = (await platform.getAgentJob(job)).value;
        if (status === 'failed' || status === 'archived')
            return (0,finding/* warning */.$e)(what, `${job.id} is ${status}.`, 'Bind another job.');
        return (0,finding.ok)(what, `${job.id} is ${status}.`);
    }
    catch (error) {
        if (error instanceof errors/* CourierError */.Yw && (error.httpStatus === 404 || error.httpStatus === 405)) {
            return (0,finding/* unknown */.L5)(what, `The platform does not show job ${job.id} of project ${job.projectId}.`, `Compare agent-job-id and project-id with ${KEYS_PAGE}: not every installation shows a job.`);
        }
        return (0,finding/* failed */.gz)(what, error);
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
            return [(0,finding.ok)(what, `A search of ${site} gives results.`)];
        return [(0,finding/* warning */.$e)(what, `A search of ${site} gives no result.`, 'Check that the site is published and indexed.')];
    }
    catch (error) {
        return [(0,finding/* failed */.gz)(what, error)];
    }
}

;// CONCATENATED MODULE: ./build/src/doctor/rollout.js

/** The workloads whose pods are restarted: that each exists and may be patched, and what a failure could not show. */
async function checkRollout(inputs, deps) {
    const link = inputs.refresh ?? inputs.rollback ?? inputs.export;
    if (link?.rollout === undefined)
        return [];
    const what = 'Rollout';
    const { makeRollout } = await __webpack_require__.e(/* import() */ 2355).then(__webpack_require__.bind(__webpack_require__, 2355));
    const rollout = makeRollout(link, link.rollout, { ...deps, record: () => { } });
    try {
        await rollout.check();
        const targets = rollout.plan().map(({ target }) => target);
        const found = (0,finding.ok)(what, `${targets.join(', ')}: can be restarted.`);
        const missing = await rollout.missingRights();
        if (missing.length === 0)
            return [found];
        const detail = `The account lacks the right to ${missing.join(' and to ')}: where pods do not become ready, the run cannot say why.`;
        return [
            found,
            (0,finding/* warning */.$e)(`${what}: reasons`, detail, 'Add list for pods and events, and get for pods/log, to its Role.'),
        ];
    }
    catch (error) {
        return [(0,finding/* failed */.gz)(what, error)];
    }
}

;// CONCATENATED MODULE: ./build/src/doctor/site.js

/** The published site that `live-url` names: is it reached, and does it show a page? */
async function checkSite(inputs, deps) {
    const link = inputs.refresh ?? inputs.rollback ?? inputs.export;
    if (link?.live === undefined)
        return [];
    const what = 'Published site';
    const { url } = link.live;
    const { makeLiveCheck } = await __webpack_require__.e(/* import() */ 3591).then(__webpack_require__.bind(__webpack_require__, 3591));
    try {
        const check = await makeLiveCheck(link, link.live, { ...deps, record: () => { } });
        const found = await check.tryStartPage();
        if (found.kind === 'page')
            return [(0,finding.ok)(what, `${url} answers ${found.status} with a page.`)];
        const fix = 'Before a first deployment that is right. A site behind a login needs live-headers.';
        return [(0,finding/* warning */.$e)(what, `${url}: ${found.detail}.`, fix)];
    }
    catch (error) {
        return [(0,finding/* failed */.gz)(what, error)];
    }
}

// EXTERNAL MODULE: ./build/src/run/report.js
var report = __webpack_require__(7417);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/doctor/summary.js




const doctorPresentation = {
    outputs: () => ({}),
    summary: ({ checked = [], findings = [], error }) => (0,report/* sections */.V0)([
        `## 🩺 ${verdict(findings)}`,
        checked.length === 0 ? '' : `Checked for ${checked.map((mode) => `\`mode: ${mode}\``).join(', ')}.`,
        // The table says it already where the checks came to their end.
        error?.code === 'checks-failed' ? '' : (0,report/* errorSection */.K6)(error),
        findings.length === 0 ? '' : (0,markdown/* table */.tp)(['', 'Check', 'Found', 'What to do'], findings.map(row)),
        ...examples(findings),
        `✅ works, ⚠️ works with a restriction, ❌ would fail, ❔ cannot be known without writing. Nothing was changed. See [troubleshooting](${(0,report/* documentation */.TH)('how-to/troubleshooting.md')}).`,
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
    const [advice, ...example] = (fix ?? '').split('\n');
    const text = example.length === 0 ? advice : advice?.replace(/:$/, ', as shown below.');
    return [finding/* MARKS */.j7[outcome], (0,text_escape/* escapeMarkdown */.FV)(what), cell(detail), cell(text)];
}
/** What a table has no room for: the lines to paste, each once. */
function examples(findings) {
    const texts = findings.map(({ fix = '' }) => fix.split('\n').slice(1).join('\n')).filter((text) => text !== '');
    return [...new Set(texts)].map((text) => (0,text_escape/* codeBlock */.DV)(text, { language: 'yaml' }));
}

;// CONCATENATED MODULE: ./build/src/doctor/doctor.js










const CHECKS = [
    checkInputs,
    checkPlatform,
    checkGitHub,
    checkDeployments,
    checkDestinations,
    checkRollout,
    checkSite,
    checkFolders,
];
/**
 * Tries everything that a workflow with these inputs would need, and changes nothing. Goes on after each failure, so that one
 * run shows all of them. Throws `checks-failed` where something would fail.
 */
async function runDoctor(inputs, deps) {
    const findings = [];
    deps.record({ checked: inputs.checked, findings });
    try {
        for (const check of CHECKS) {
            const found = await check(inputs, deps);
            findings.push(...found.map(({ fix, ...one }) => ({ ...one, fix: fix && deps.showHint(fix) })));
        }
    }
    finally {
        // Also those of a run that was cancelled.
        logFindings(findings, deps);
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
        hint: 'Correct them from the top: one may be the reason for those below. The log and the summary say how. Nothing was changed.',
    });
}
async function checkInputs({ checked, problems }) {
    if (problems.length > 0) {
        return problems.map(({ text, fix = 'Correct it.' }) => (0,finding/* broken */.mw)('Inputs', text, fix));
    }
    const modes = checked.map((mode) => `mode: ${mode}`).join(', ');
    return [
        checked.length > 0
            ? { what: 'Inputs', outcome: 'ok', detail: `Right for ${modes}.` }
            : {
                what: 'Inputs',
                outcome: 'warning',
                detail: 'They belong to no mode, so only what all modes need is checked.',
                fix: 'Give the inputs of the run that is to be checked, such as domain or secret-name.',
            },
    ];
}
function logFindings(findings, { log }) {
    const rows = findings.map(({ what, outcome, detail, fix }) => {
        const found = [detail, fix && `What to do: ${fix}`].filter((text) => text !== undefined && text !== '');
        return [finding/* MARKS */.j7[outcome], what, found.join('\n')];
    });
    log.table(['', 'Check', 'Found'], rows, ([mark, what, found = '']) => [`${mark} ${what}`, found.replaceAll('\n', '\n   ')].filter((text) => text !== '').join(': '));
}

;// CONCATENATED MODULE: ./build/src/doctor/mode.js



const doctorMode = (0,finish/* defineMode */.L)({ run: runDoctor, ...doctorPresentation });


/***/ })

};
