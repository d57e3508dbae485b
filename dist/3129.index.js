export const id = 3129;
export const ids = [3129];
export const modules = {

/***/ 3836:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  doctorMode: () => (/* binding */ doctorMode),
  runDoctor: () => (/* binding */ runDoctor)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/run/finish.js
var finish = __webpack_require__(4104);
// EXTERNAL MODULE: ./build/src/run/report.js
var report = __webpack_require__(7417);
// EXTERNAL MODULE: ./build/src/stores/port.js
var port = __webpack_require__(7833);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
;// CONCATENATED MODULE: ./build/src/doctor/finding.js




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
const failed = port/* failedCheck */.W;
const MARKS = {
    ok: '✅',
    warning: '⚠️',
    error: '❌',
    unknown: '❔',
};
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
    return [MARKS[outcome], (0,text_escape/* escapeMarkdown */.FV)(what), cell(detail), cell(text)];
}
/** What a table has no room for: the lines to paste, each once. */
function examples(findings) {
    const texts = findings.map(({ fix = '' }) => fix.split('\n').slice(1).join('\n')).filter((text) => text !== '');
    return [...new Set(texts)].map((text) => (0,text_escape/* codeBlock */.DV)(text, { language: 'yaml' }));
}

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
            ok(what, `github-token reads them: there ${ours.length === 0 ? 'is none of this action yet' : 'are some of this action'}.`),
            unknown(`${what}: write`, 'Whether one may be made shows only when a run begins.', {
                text: 'Give the job this permission:',
                permissions: { deployments: 'write' },
            }),
        ];
    }
    catch (error) {
        return [failed(what, error)];
    }
}

// EXTERNAL MODULE: ./build/src/publish/destinations.js + 18 modules
var destinations = __webpack_require__(8166);
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
        return [...rows, unknown('State', 'Not read, since the destination of the link would fail.')];
    }
    try {
        const needsState = link.mode !== 'export' && link.exportJobId === undefined;
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
        return warning(what, changed, 'Run an export, or name the right job with export-job-id.');
    }
    if (ignored !== undefined) {
        const fix = 'The next export writes a new one. Check who else writes it.';
        return warning(what, `It is ignored because ${ignored}.`, fix);
    }
    if (state?.jobId === undefined) {
        if (link.mode === 'export' || link.exportJobId !== undefined)
            return ok(what, 'There is none yet; an export writes it.');
        const fix = 'Run an export first, or give export-job-id.';
        if (link.mode === 'rollback')
            return broken(what, 'There is none yet, so there is nothing to go back to.', fix);
        if (link.ifNoState === 'skip')
            return warning(what, 'There is none yet: a refresh is skipped until then.', fix);
        return broken(what, 'There is none yet, so a refresh fails.', fix);
    }
    const { jobId, expiresAt } = state;
    const until = expiresAt === undefined ? '' : `, works until ${(0,markdown/* formatInstant */.r4)(new Date(expiresAt))}`;
    return ok(what, `The stored link is of export job ${jobId}${until}.`);
}

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/forges/gitea/advice.js
var advice = __webpack_require__(5255);
// EXTERNAL MODULE: ./build/src/forges/gitea/forge.js + 4 modules
var gitea_forge = __webpack_require__(2627);
// EXTERNAL MODULE: ./build/src/gitea/api.js
var gitea_api = __webpack_require__(1512);
;// CONCATENATED MODULE: ./build/src/doctor/forge.js






const PERMISSIONS_FIX = {
    text: 'Give the job these permissions:',
    permissions: { 'pull-requests': 'write', checks: 'read' },
};
/** What the agent mode needs of GitHub, or of Gitea: the token, and each permission that can be tried by reading. */
async function checkGitHub(inputs, deps) {
    const { agent, githubToken } = inputs;
    const { github } = deps;
    if (agent === undefined)
        return [];
    if (deps.run.kind === 'gitea' || deps.run.kind === 'forgejo') {
        return checkGitea(agent, deps);
    }
    if (githubToken === undefined)
        return [unknown('github-token', 'Not checked: it is missing or wrong.')];
    const { run } = github;
    const [owner = '', repo = ''] = run.repository.split('/');
    const fix = PERMISSIONS_FIX;
    try {
        const octokit = await github.connect(githubToken);
        const found = await tryRead({ what: 'github-token', detail: `github-token reads ${run.repository}.`, fix }, () => octokit.rest.repos.get({ owner, repo }));
        if (found.outcome === 'error')
            return [found];
        return [
            found,
            await tryRead({ what: 'Permission pull-requests', detail: 'github-token reads pull requests.', fix }, () => octokit.rest.pulls.list({ owner, repo, per_page: 1 })),
            await checksFinding(() => octokit.rest.checks.listSuitesForRef({ owner, repo, ref: run.sha, per_page: 1 })),
            unknown('Permission pull-requests: write', 'Whether reactions and the status comment may be written shows only when they are.', PERMISSIONS_FIX),
        ];
    }
    catch (error) {
        return [failed('GitHub', error)];
    }
}
async function tryRead({ what, detail, fix }, read) {
    try {
        await read();
        return ok(what, detail);
    }
    catch (error) {
        if (!(0,errors/* hasCode */.up)(error, 'unauthorized', 'forbidden', 'not-found'))
            return failed(what, error);
        return broken(what, error.message, fix ?? error.hint);
    }
}
/** Without it a run continues, and cannot see whether the head was pushed after the command. */
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
/** What agent mode needs of Gitea or Forgejo: what its tokens may, as far as reading shows it. */
async function checkGitea(agent, deps) {
    const { run, http, log } = deps;
    const { serverUrl, repository } = run.github;
    const tokens = { main: agent.githubToken, ranks: agent.rankToken };
    const forge = new gitea_forge.GiteaForge({ name: 'Gitea', serverUrl, repository, tokens, http, log, signal: undefined });
    const reads = await tryRead({ what: 'github-token', detail: `github-token reads ${repository}.` }, () => forge.isPublic());
    if (reads.outcome === 'error')
        return [reads];
    return [
        reads,
        await tryRead({ what: 'Author of comments', detail: 'github-token names its account.' }, () => forge.whoWeAre()),
        await rankFinding(agent, deps),
        unknown('Permission pull-requests: write', 'Whether reactions and the status comment may be written shows only when they are.', 'Give the job the permission pull-requests: write.'),
    ];
}
const repositoryReply = schemas/* object */.Ikc({ permissions: schemas/* optional */.lqM(schemas/* object */.Ikc({ admin: schemas/* boolean */.zMY() })) });
/** The server says what its account may do; only an administrator may ask that about others. */
async function rankFinding({ rankToken, githubToken }, { run, http }) {
    const what = 'secret-token';
    const { serverUrl, repository } = run.github;
    const fix = (0,advice/* rankTokenHint */.L)(rankToken !== undefined);
    try {
        const path = ['repos', ...repository.split('/')];
        const api = new gitea_api/* GiteaApi */.H(http, serverUrl, rankToken ?? githubToken);
        const { permissions } = await api.read({ method: 'GET', path }, repositoryReply);
        return permissions?.admin === true
            ? ok(what, `It may ask what people may do in ${repository}.`)
            : broken(what, `Who may command cannot be looked up: its account is not an administrator of ${repository}.`, fix);
    }
    catch (error) {
        if (!(0,errors/* hasCode */.up)(error, 'unauthorized', 'forbidden', 'not-found'))
            return failed(what, error);
        return broken(what, error.message, fix);
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
    const isExport = checked.some((mode) => mode === 'export' || mode === 'refresh' || mode === 'rollback');
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
        const api = (0,export_api/* openExport */.V1)({ platform: deps.platform, source: { domain: undefined, projectId } });
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

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./build/src/publish/receive-bundle.js
var receive_bundle = __webpack_require__(7225);
;// CONCATENATED MODULE: ./build/src/doctor/publish.js




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
        const found = ok(what, `${targets.join(', ')}: can be restarted.`);
        const missing = await rollout.missingRights();
        if (missing.length === 0)
            return [found];
        const detail = `The account lacks the right to ${missing.join(' and to ')}: where pods do not become ready, the run cannot say why.`;
        return [
            found,
            warning(`${what}: reasons`, detail, 'Add list for pods and events, and get for pods/log, to its Role.'),
        ];
    }
    catch (error) {
        return [failed(what, error)];
    }
}
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
            return [ok(what, `${url} answers ${found.status} with a page.`)];
        const fix = 'Before a first deployment that is right. A site behind a login needs live-headers.';
        return [warning(what, `${url}: ${found.detail}.`, fix)];
    }
    catch (error) {
        return [failed(what, error)];
    }
}
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
 * Tries everything that a workflow with these inputs would need, and changes nothing. Continues after each failure, so that one
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
        return problems.map(({ text, fix = 'Correct it.' }) => broken('Inputs', text, fix));
    }
    const modes = checked.map((mode) => `mode: ${mode}`).join(', ');
    return [
        checked.length > 0
            ? { what: 'Inputs', outcome: 'ok', detail: `Right for ${modes}.` }
            : {
                what: 'Inputs',
                outcome: 'warning',
                detail: 'They belong to no mode, so only what all modes need is checked.',
                fix: 'Give the inputs of the run that is to be checked, such as domain or to.',
            },
    ];
}
function logFindings(findings, { log }) {
    const rows = findings.map(({ what, outcome, detail, fix }) => {
        const found = [detail, fix && `What to do: ${fix}`].filter((text) => text !== undefined && text !== '');
        return [MARKS[outcome], what, found.join('\n')];
    });
    log.table(['', 'Check', 'Found'], rows, ([mark, what, found = '']) => [`${mark} ${what}`, found.replaceAll('\n', '\n   ')].filter((text) => text !== '').join(': '));
}
const doctorMode = (0,finish/* defineMode */.L)({ run: runDoctor, ...doctorPresentation });


/***/ }),

/***/ 9579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   BL: () => (/* binding */ reviewComments),
/* harmony export */   Br: () => (/* binding */ reactions),
/* harmony export */   IO: () => (/* binding */ timeline),
/* harmony export */   IQ: () => (/* binding */ rankOf),
/* harmony export */   Im: () => (/* binding */ comment),
/* harmony export */   In: () => (/* binding */ JOB_ACCOUNT_ID),
/* harmony export */   JA: () => (/* binding */ standing),
/* harmony export */   Jk: () => (/* binding */ repository),
/* harmony export */   NJ: () => (/* binding */ file),
/* harmony export */   NQ: () => (/* binding */ review),
/* harmony export */   OR: () => (/* binding */ defaultBranch),
/* harmony export */   T5: () => (/* binding */ toComment),
/* harmony export */   VV: () => (/* binding */ pullRequest),
/* harmony export */   c$: () => (/* binding */ toPullRequest),
/* harmony export */   ct: () => (/* binding */ account),
/* harmony export */   eZ: () => (/* binding */ toFile),
/* harmony export */   ez: () => (/* binding */ pullNumberOf),
/* harmony export */   jN: () => (/* binding */ numbered),
/* harmony export */   nK: () => (/* binding */ comments),
/* harmony export */   nh: () => (/* binding */ toReviewComment),
/* harmony export */   qK: () => (/* binding */ GHOST_ID),
/* harmony export */   s: () => (/* binding */ hasPushed),
/* harmony export */   tf: () => (/* binding */ toAccount),
/* harmony export */   tk: () => (/* binding */ branch),
/* harmony export */   w7: () => (/* binding */ ownComment),
/* harmony export */   xk: () => (/* binding */ lastLabelling),
/* harmony export */   zR: () => (/* binding */ lastPush)
/* harmony export */ });
/* unused harmony export reviewComment */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8395);
/* harmony import */ var _inputs_inputs_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2542);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6691);



/** Gitea's replies as schemas: only what is read. Names and shapes are those of Gitea 1.26. */
const account = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ login: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig() });
/** The account of every job's own token. */
const JOB_ACCOUNT_ID = -2;
/** Stands for accounts that were deleted; reactions show it for the account of jobs too. */
const GHOST_ID = -1;
/** Gitea does not say what an account is. Those of programs that belong to the server have ids below zero. */
function toAccount({ login, id }) {
    return { login, id, kind: id > 0 ? 'person' : id === JOB_ACCOUNT_ID ? 'bot' : 'other' };
}
const authored = { user: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(account) };
const pullRequest = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    ...authored,
    number: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    title: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    state: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(['open', 'closed']),
    merged: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    merge_commit_sha: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    is_locked: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    labels: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }))),
    base: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ ref: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }),
    head: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ ref: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), sha: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), repo: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ full_name: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() })) }),
    changed_files: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
});
function toPullRequest(raw) {
    return {
        number: raw.number,
        url: raw.html_url,
        title: raw.title,
        body: raw.body ?? '',
        author: raw.user === null ? undefined : toAccount(raw.user),
        state: raw.state,
        merged: raw.merged,
        locked: raw.is_locked,
        labels: (raw.labels ?? []).map(({ name }) => name),
        mergeCommit: raw.merged ? (raw.merge_commit_sha ?? undefined) : undefined,
        base: raw.base,
        head: { ref: raw.head.ref, sha: raw.head.sha, repository: raw.head.repo?.full_name },
        changedFiles: raw.changed_files,
    };
}
const file = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    filename: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    previous_filename: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    status: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    additions: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    deletions: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    contents_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    raw_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
});
function toFile(raw, patch) {
    const { filename, previous_filename: before, status, additions, deletions } = raw;
    const commit = commitOf(raw.contents_url ?? '');
    return { path: filename, previousPath: before || undefined, status, additions, deletions, patch, commit };
}
function commitOf(contentsUrl) {
    return URL.canParse(contentsUrl) ? (new URL(contentsUrl).searchParams.get('ref') ?? undefined) : undefined;
}
const comment = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    ...authored,
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    pull_request_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    updated_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
});
const comments = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(comment));
function toComment(raw) {
    return {
        id: raw.id,
        author: raw.user === null ? undefined : toAccount(raw.user),
        body: raw.body ?? '',
        url: raw.html_url,
        createdAtMs: Date.parse(raw.created_at),
        updatedAtMs: Date.parse(raw.updated_at),
        diff: undefined,
    };
}
/** The number of the pull request that a comment is below; undefined for a comment on an issue. */
function pullNumberOf({ pull_request_url: url }) {
    const number = /\/pulls\/([1-9]\d{0,9})$/.exec(url)?.[1];
    return number === undefined ? undefined : Number(number);
}
const review = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(), comments_count: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig() });
const reviewComment = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    ...authored,
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    updated_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    path: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    /** Lines of the new and of the old file; 0 where the comment is on the other one. */
    position: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()),
    original_position: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()),
    diff_hunk: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
});
const reviewComments = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(reviewComment));
function toReviewComment(raw) {
    const line = raw.position || raw.original_position || undefined;
    return { ...toComment(raw), diff: { path: raw.path, line, hunk: raw.diff_hunk } };
}
const ownComment = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(), html_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() });
const repository = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    private: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    internal: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY()),
});
const defaultBranch = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ default_branch: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() });
const branch = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ commit: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }) });
const numbered = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ number: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig() });
const standing = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ permission: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), user: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig() })) });
/** The rank that a permission of Gitea stands for: `none`, `read`, `write`, `admin`, and `owner` above it. */
function rankOf(permission) {
    if (permission === 'owner')
        return 'admin';
    return _inputs_inputs_js__WEBPACK_IMPORTED_MODULE_2__/* .PERMISSIONS */ .Jj.find((name) => name === permission) ?? 'none';
}
const reactions = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ content: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), user: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(account) })));
/** An entry of the timeline: comments, labels, pushes and more, oldest first. */
const timelineEntry = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    type: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    user: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(account),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    label: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() })),
});
const timeline = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(timelineEntry));
const push = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ commit_ids: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP())) });
function lastPush(entries) {
    return entries.findLast(({ type }) => type === 'pull_push');
}
/** True where the push brought this commit to the branch. */
function hasPushed({ body }, commit) {
    const parsed = push.safeParse((0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(body ?? ''));
    return parsed.success && parsed.data.commit_ids?.includes(commit) === true;
}
/** The last entry that set a label; its text is "1" where the label was added, and empty where it was removed. */
function lastLabelling(entries, label) {
    return entries.findLast((entry) => entry.type === 'label' && entry.label?.name === label && entry.body === '1');
}


/***/ })

};
