import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 2613:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("assert");

/***/ }),

/***/ 181:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("buffer");

/***/ }),

/***/ 4434:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("events");

/***/ }),

/***/ 9896:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("fs");

/***/ }),

/***/ 8611:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("http");

/***/ }),

/***/ 5692:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("https");

/***/ }),

/***/ 9278:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("net");

/***/ }),

/***/ 4573:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:buffer");

/***/ }),

/***/ 1421:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:child_process");

/***/ }),

/***/ 7598:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");

/***/ }),

/***/ 3024:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");

/***/ }),

/***/ 1455:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs/promises");

/***/ }),

/***/ 7067:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:http");

/***/ }),

/***/ 4708:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:https");

/***/ }),

/***/ 7030:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:net");

/***/ }),

/***/ 8161:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");

/***/ }),

/***/ 6760:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");

/***/ }),

/***/ 7075:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:stream");

/***/ }),

/***/ 8500:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");

/***/ }),

/***/ 7975:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util");

/***/ }),

/***/ 8522:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:zlib");

/***/ }),

/***/ 932:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("process");

/***/ }),

/***/ 2203:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("stream");

/***/ }),

/***/ 4756:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("tls");

/***/ }),

/***/ 2018:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("tty");

/***/ }),

/***/ 7016:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("url");

/***/ }),

/***/ 9023:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("util");

/***/ }),

/***/ 3106:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("zlib");

/***/ }),

/***/ 5:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   b: () => (/* binding */ giteaKind)
/* harmony export */ });
/** Which of the two runs this job; undefined: neither. Both also set the variables of GitHub Actions. */
function giteaKind({ GITEA_ACTIONS, FORGEJO_ACTIONS }) {
    if (FORGEJO_ACTIONS === 'true')
        return 'forgejo';
    return GITEA_ACTIONS === 'true' ? 'gitea' : undefined;
}


/***/ }),

/***/ 4495:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  F: () => (/* binding */ createGiteaRunner)
});

// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __nccwpck_require__(4502);
;// CONCATENATED MODULE: ./build/src/ci/gitea/commands.js

/**
 * The commands that act_runner and Gitea's page of a job know. The page shows annotations as lines of the log with a label,
 * without their parameters and without decoding `%0A`: so each has only its text, and what follows the first line is plain.
 */
function logCommands(write) {
    const line = (text) => write(`${text}\n`);
    const annotation = (level) => (message, { title, file, startLine } = {}) => {
        const place = file === undefined ? '' : `${file}${startLine === undefined ? '' : `:${startLine}`}: `;
        const [first = '', ...rest] = (0,text_escape/* inertLines */.wi)(`${place}${message}`);
        line(`::${level}::${title === undefined ? '' : `${(0,text_escape/* inertLines */.wi)(title).join(' ')}: `}${first}`);
        for (const text of rest)
            line(text);
    };
    return {
        info: line,
        debug: (text) => line(`::debug::${text}`),
        notice: annotation('notice'),
        warning: annotation('warning'),
        error: annotation('error'),
        startGroup: (title) => line(`::group::${(0,text_escape/* inertLines */.wi)(title).join(' ')}`),
        endGroup: () => line('::endgroup::'),
        setSecret(secret) {
            const escaped = secret.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
            line(`::add-mask::${escaped}`);
            // Some versions of the runner decode the value and some do not: a link is full of percent signs.
            if (escaped !== secret && !/[\r\n]/.test(secret))
                line(`::add-mask::${secret}`);
        },
        pauseCommands: (token) => ({ begin: `::stop-commands::${token}`, end: `::${token}::` }),
    };
}

;// CONCATENATED MODULE: ./build/src/ci/gitea/results.js

const MAX_LOGGED_BYTES = 64 * 1024;
/**
 * The summary goes to its file, where the runner names one, and into the log as well: Gitea before 1.27 and Forgejo show it
 * nowhere, and a step cannot know on which version it runs.
 */
function withLoggedSummary(results, toolkit) {
    return {
        writeOutputs: (values) => results.writeOutputs(values),
        writeReport: (json) => results.writeReport(json),
        writeSummary(markdown) {
            toolkit.startGroup('Summary');
            for (const line of (0,text_escape/* inertLines */.wi)((0,text_escape/* cut */.Jj)(markdown, { bytes: MAX_LOGGED_BYTES })))
                toolkit.info(line);
            toolkit.endGroup();
            results.writeSummary(markdown);
        },
    };
}

;// CONCATENATED MODULE: ./build/src/ci/gitea/runner.js


/**
 * A step of a workflow on Gitea or Forgejo. Their runner makes the environment that GitHub's makes, so what reads that,
 * `workflow`, is kept; here is what differs. `write` takes text for the log as it is.
 *
 * A cancelled step gets no signal there: it is killed. The state names what it started, and the next run goes on with that.
 */
function createGiteaRunner(kind, workflow, env, write) {
    const toolkit = logCommands(write);
    return {
        toolkit,
        openResults: () => withLoggedSummary(workflow.openResults(), toolkit),
        readRun: () => adapt(kind, workflow.readRun(), env),
        explainEmptyInputs: () => explain(workflow.explainEmptyInputs()),
        showHint: (hint) => workflow.showHint(hint),
    };
}
function adapt(kind, run, env) {
    const serverUrl = run.github.serverUrl.replace(/\/+$/, '');
    // Gitea 1.26 has the id in the address, and leads to it from the number; Forgejo has the number.
    const page = kind === 'forgejo' ? env.GITHUB_RUN_NUMBER || run.github.runId : run.github.runId;
    return {
        ...run,
        kind,
        serverUrl,
        url: `${serverUrl}/${run.repository}/actions/runs/${page}`,
        // It says "false" for every ref, protected or not.
        refProtected: undefined,
        github: { ...run.github, serverUrl },
    };
}
const CAUSES = [
    'its name in the workflow is not spelled as in Settings > Actions > Secrets',
    'it belongs to another repository, organization or user than the one of this workflow',
    'the workflow is called by another one that does not pass it on (secrets: inherit)',
];
function explain({ skip }) {
    return { skip, causes: CAUSES };
}


/***/ }),

/***/ 3661:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ readActionInputs)
/* harmony export */ });
/* unused harmony export variableOf */
/* harmony import */ var _inputs_reader_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(8064);

/** The variable in which the runner hands an input over: upper case, spaces to underscores, hyphens as they are. */
function variableOf(name) {
    return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}
/** The inputs of the step, as the runner puts them into its environment. */
function readActionInputs(env) {
    const known = new Set(_inputs_reader_js__WEBPACK_IMPORTED_MODULE_0__/* .INPUT_NAMES */ .Qh.map(variableOf));
    return {
        fillsDefaults: true,
        value: (name) => env[variableOf(name)] ?? '',
        unknownNames: () => Object.keys(env)
            .filter((variable) => variable.startsWith('INPUT_') && !known.has(variable))
            .map((variable) => variable.slice('INPUT_'.length).toLowerCase()),
    };
}


/***/ }),

/***/ 7:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  j: () => (/* binding */ createRunner)
});

// UNUSED EXPORTS: createCommandRunner

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __nccwpck_require__(8161);
;// CONCATENATED MODULE: ./build/src/ci/github-actions/commands.js

/**
 * The runner's workflow commands that a log needs, byte for byte as `@actions/core` writes them (a test compares the two):
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands. Our own, since that library
 * loads a second HTTP client, 0.85 MiB, at the start of every run, for a feature that no run uses.
 */
function commands_workflowCommands(write) {
    const command = (name, message, properties = {}) => {
        const given = Object.entries(properties).filter(([, value]) => value !== undefined && value !== '');
        const list = given.map(([key, value]) => `${key}=${escapeProperty(String(value))}`).join(',');
        write(`::${name}${list === '' ? '' : ` ${list}`}::${escapeData(message)}${external_node_os_.EOL}`);
    };
    const annotation = (level) => (message, { title, file, startLine } = {}) => command(level, message, { title, file, line: startLine });
    return {
        info: (line) => write(`${line}${external_node_os_.EOL}`),
        debug: (line) => command('debug', line),
        notice: annotation('notice'),
        warning: annotation('warning'),
        error: annotation('error'),
        startGroup: (title) => command('group', title),
        endGroup: () => command('endgroup', ''),
        setSecret: (secret) => command('add-mask', secret),
        pauseCommands: (token) => ({ begin: `::stop-commands::${token}`, end: `::${token}::` }),
    };
}
function escapeData(text) {
    return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
function escapeProperty(text) {
    return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

// EXTERNAL MODULE: ./build/src/text/json.js
var json = __nccwpck_require__(6691);
;// CONCATENATED MODULE: ./build/src/ci/github-actions/empty-inputs.js

const CAUSES = [
    'its name in the workflow is not spelled as in Settings > Secrets and variables > Actions',
    'it belongs to an environment, and the job does not name that environment (environment: NAME)',
    'it belongs to the organization and is not shared with this repository',
    'the workflow is called by another one that does not pass it on (secrets: inherit)',
];
/**
 * GitHub hands no secrets to runs on events of forks and of Dependabot: such a run is skipped. In any other run an empty
 * value is a mistake; the expression in the workflow is not known to the step, so all causes that fit are listed.
 */
function explainEmptyInputs(run, event) {
    const skip = whySecretless(run, event);
    return { skip, causes: CAUSES };
}
function whySecretless(run, payload) {
    if (run.actor === 'dependabot[bot]') {
        return 'The run was triggered by Dependabot, which gets no Actions secrets; the API key is empty. Add it as a Dependabot secret to run here.';
    }
    if (!run.eventName.startsWith('pull_request') || run.eventName === 'pull_request_target')
        return undefined;
    // A fork that was deleted since has no repository.
    const head = (0,json/* fieldOf */._F)(payload, 'pull_request', 'head', 'repo');
    if (head === undefined || (0,json/* fieldOf */._F)(head, 'full_name') === run.repository)
        return undefined;
    const way = run.eventName === 'pull_request_review' ? ' A command in a conversation comment of the pull request works.' : '';
    return `The pull request comes from a fork, whose runs get no secrets; the API key is empty.${way}`;
}

;// CONCATENATED MODULE: ./build/src/ci/github-actions/hint.js
/** A hint as a sentence and, below it, the lines to add to the workflow. */
function showHint(hint) {
    if (typeof hint === 'string')
        return hint;
    const { text, inputs = {}, permissions = {}, steps } = hint;
    const lines = [...mapping('permissions', permissions), ...mapping('with', inputs)];
    return steps === undefined ? [text, ...lines].join('\n') : [`${text} ${steps.how}`, ...lines, steps.yaml].join('\n');
}
function mapping(key, values) {
    const lines = Object.entries(values).map(([name, value]) => `  ${name}: ${scalar(value)}`);
    return lines.length === 0 ? [] : [`${key}:`, ...lines];
}
// Plain where YAML reads the text back as it is; a JSON string is a YAML string everywhere else.
function scalar(value) {
    return /^[\w./][\w./ -]*$/.test(value) && !/ $/.test(value) ? value : JSON.stringify(value);
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __nccwpck_require__(7598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(6760);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __nccwpck_require__(7406);
// EXTERNAL MODULE: ./build/src/inputs/catalog.js
var catalog = __nccwpck_require__(3204);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __nccwpck_require__(4502);
;// CONCATENATED MODULE: ./build/src/ci/github-actions/results.js






/** The runner refuses a summary over 1 MiB as a whole; this leaves room for what other parts of the step write. */
const MAX_SUMMARY_BYTES = 900 * 1024;
const CUT_NOTE = '\n\n_The summary is cut here; the whole report is at `report-path`._\n';
function isOutputName(name) {
    return Object.hasOwn(catalog/* OUTPUTS */.p, name);
}
// The runner's file format. A random delimiter that does not occur in the value keeps the value from adding a key of its own.
function formatOutput(name, value) {
    const delimiter = `ghadelimiter_${(0,external_node_crypto_.randomBytes)(16).toString('hex')}`;
    if (value.includes(delimiter))
        throw new Error('A random delimiter occurred in a value.');
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}
/** A file that the runner names in its environment; a runner that names none is too old, and there is no fallback. */
function fileOf(env, variable) {
    const path = env[variable];
    if (path !== undefined && path !== '')
        return path;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `${variable} is not set: this runner hands over no file for it.`,
        hint: 'Docs Courier runs as a step of a GitHub Actions workflow, on runner version 2.327.1 or newer (Node 24).',
    });
}
function append({ path, text, variable }) {
    try {
        (0,external_node_fs_.appendFileSync)(path, text);
    }
    catch (cause) {
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: `The file that ${variable} names cannot be written.`,
            hint: 'Check the disk and the permissions of the runner.',
            cause,
        });
    }
}
/** Throws `config` where outputs cannot be written, now and not when a job has been started already. */
function createResults(env) {
    const outputFile = fileOf(env, 'GITHUB_OUTPUT');
    append({ path: outputFile, text: '', variable: 'GITHUB_OUTPUT' });
    return {
        writeOutputs(values) {
            const given = Object.entries(values).filter(([name]) => isOutputName(name));
            const text = given.map(([name, value]) => formatOutput(name, value ?? '')).join('');
            append({ path: outputFile, text, variable: 'GITHUB_OUTPUT' });
        },
        writeSummary(markdown) {
            // Old GitHub Enterprise Servers have no summaries; everything in it is in the log and the report too.
            const path = env.GITHUB_STEP_SUMMARY;
            if (path === undefined || path === '')
                return;
            append({
                path,
                text: `${(0,text_escape/* cut */.Jj)(markdown, { bytes: MAX_SUMMARY_BYTES }, CUT_NOTE)}\n`,
                variable: 'GITHUB_STEP_SUMMARY',
            });
        },
        writeReport(json) {
            const temp = env.RUNNER_TEMP;
            if (temp === undefined || temp === '')
                return undefined;
            try {
                (0,external_node_fs_.mkdirSync)(temp, { recursive: true });
                const path = (0,external_node_path_.join)((0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)(temp, 'docs-courier-')), 'report.json');
                (0,external_node_fs_.writeFileSync)(path, json, { mode: 0o600 });
                return path;
            }
            catch {
                return undefined;
            }
        },
    };
}

;// CONCATENATED MODULE: ./build/src/ci/change.js
/** A change at a time as a CI system writes it; undefined where that is none. */
function changeAt(kind, time) {
    if (typeof time !== 'string' && typeof time !== 'number')
        return undefined;
    const date = new Date(time);
    return Number.isNaN(date.getTime()) ? undefined : { kind, time: date };
}

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __nccwpck_require__(8395);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __nccwpck_require__(3305);
;// CONCATENATED MODULE: ./build/src/ci/github-actions/id-token.js


// https://docs.github.com/actions/reference/security/oidc
const reply = schemas/* object */.Ikc({ value: schemas/* string */.YjP().check(api/* _minLength */.m9(1)) });
const service = {
    name: "GitHub's service for id tokens",
    addressSetting: 'ACTIONS_ID_TOKEN_REQUEST_URL',
    errorText: () => undefined,
};
/** An id token of this job. Throws `config` where the job has no permission for that. */
async function requestIdToken(env, audience, http) {
    const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = env;
    if (!address || !token || !URL.canParse(address))
        throw notPermitted();
    const url = new URL(address);
    url.searchParams.set('audience', audience);
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const request = { service, method: 'GET', url, headers, repeat: 'always' };
    return (await http.requestJson({ ...request, name: "the request for the run's id token" }, reply)).value.value;
}
function notPermitted() {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: 'This job may not ask for an id token, by which the run identifies itself.',
        hint: {
            text: 'Give the job the permission. A job that lists permissions has only those. A run for a pull request from a fork never has it.',
            permissions: { 'id-token': 'write', contents: 'read' },
        },
    });
}

;// CONCATENATED MODULE: ./build/src/ci/github-actions/run.js






/** What the runner reports about the run, checked: `config` naming the variable where it is missing. */
function readRun(env) {
    const github = readContext(env);
    const { repository, serverUrl, runId, runAttempt, job, workspace, runnerTemp } = github;
    const payload = readPayload(github.eventPath);
    const runKey = `${runId}/${job}`;
    return {
        env,
        idToken: ({ audience }, http) => requestIdToken(env, audience, http),
        kind: 'github',
        repository,
        serverUrl,
        url: `${serverUrl}/${repository}/actions/runs/${runId}`,
        runKey,
        execution: `${runKey}/${runAttempt}`,
        workspace,
        temp: runnerTemp,
        cause: causeOf(github, payload),
        change: changeOf(github, payload),
        eventName: github.eventName,
        isDefaultBranch: isDefaultBranch(env, github, payload),
        baseCommit: baseCommitOf(github, payload),
        refProtected: protectionOf(env.GITHUB_REF_PROTECTED),
        github: withMergeCommit(github, payload),
    };
}
function readContext(env) {
    const missing = [];
    const read = (variable, fallback) => {
        const value = env[variable] || fallback;
        if (value === undefined)
            missing.push(variable);
        return value ?? '';
    };
    const run = {
        repository: read('GITHUB_REPOSITORY'),
        runId: read('GITHUB_RUN_ID'),
        runAttempt: Number.parseInt(read('GITHUB_RUN_ATTEMPT', '1'), 10) || 1,
        job: read('GITHUB_JOB', ''),
        workflow: read('GITHUB_WORKFLOW', ''),
        sha: read('GITHUB_SHA', ''),
        actor: read('GITHUB_ACTOR', ''),
        eventName: read('GITHUB_EVENT_NAME', ''),
        eventPath: read('GITHUB_EVENT_PATH', ''),
        serverUrl: read('GITHUB_SERVER_URL', 'https://github.com'),
        apiUrl: read('GITHUB_API_URL', 'https://api.github.com').replace(/\/+$/, ''),
        workspace: read('GITHUB_WORKSPACE'),
        runnerTemp: read('RUNNER_TEMP'),
        runnerName: env.RUNNER_NAME || undefined,
    };
    if (missing.length === 0 && !(0,external_node_path_.isAbsolute)(run.workspace))
        missing.push('GITHUB_WORKSPACE (an absolute path)');
    if (missing.length === 0)
        return run;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `The runner did not set ${missing.join(', ')}.`,
        hint: 'Docs Courier runs as a step of a GitHub Actions workflow. To try it elsewhere, see the emulator.',
    });
}
const run_CAUSES = new Map([
    ['push', 'push'],
    ['schedule', 'schedule'],
    ['workflow_dispatch', 'manual'],
    ['repository_dispatch', 'manual'],
    ['release', 'release'],
    ['issue_comment', 'comment'],
    ['pull_request_review', 'comment'],
    ['pull_request_review_comment', 'comment'],
    ['pull_request_target', 'change-request'],
]);
/** The run on a merged pull request has the commit of a merge that was only tried; what was published is the other one. */
function withMergeCommit(github, payload) {
    if (causeOf(github, payload) !== 'merge')
        return github;
    const sha = (0,json/* fieldOf */._F)(payload, 'pull_request', 'merge_commit_sha');
    return typeof sha === 'string' && /^[0-9a-f]{40}$/.test(sha) ? { ...github, sha } : github;
}
// Fields one by one: at the start of every run the library for schemas is not worth its time.
function causeOf({ eventName, repository }, payload) {
    if (eventName === 'pull_request') {
        const isMerged = (0,json/* fieldOf */._F)(payload, 'action') === 'closed' && (0,json/* fieldOf */._F)(payload, 'pull_request', 'merged') === true;
        return isMerged ? 'merge' : 'change-request';
    }
    if (eventName !== 'workflow_run')
        return run_CAUSES.get(eventName) ?? 'unknown';
    // A run that follows another one is caused by what caused that one.
    const head = (0,json/* fieldOf */._F)(payload, 'workflow_run', 'head_repository', 'full_name');
    if (typeof head !== 'string')
        return 'unknown';
    if (head.toLowerCase() !== repository.toLowerCase())
        return 'change-request';
    const first = (0,json/* fieldOf */._F)(payload, 'workflow_run', 'event') ?? 'push';
    if (typeof first !== 'string')
        return 'unknown';
    return first.startsWith('pull_request') ? 'change-request' : (run_CAUSES.get(first) ?? 'unknown');
}
function changeOf({ eventName }, payload) {
    if (eventName === 'pull_request')
        return changeAt('merge', (0,json/* fieldOf */._F)(payload, 'pull_request', 'merged_at'));
    if (eventName !== 'push')
        return undefined;
    // GitHub writes seconds there in this event alone; a Gitea has the time of the commit, which a merge has just made.
    const pushed = (0,json/* fieldOf */._F)(payload, 'repository', 'pushed_at');
    const time = typeof pushed === 'number' ? pushed * 1000 : (0,json/* fieldOf */._F)(payload, 'head_commit', 'timestamp');
    return changeAt('push', time);
}
function isDefaultBranch(env, { eventName }, payload) {
    // A schedule runs on the default branch alone.
    if (eventName === 'schedule' || env.GITHUB_REF_TYPE === 'tag')
        return true;
    const usual = (0,json/* fieldOf */._F)(payload, 'repository', 'default_branch');
    if (typeof usual !== 'string')
        return undefined;
    const branch = (0,json/* fieldOf */._F)(payload, 'workflow_run', 'head_branch') ?? env.GITHUB_REF_NAME;
    return typeof branch !== 'string' || branch === '' ? undefined : branch === usual;
}
/** https://docs.github.com/en/webhooks/webhook-events-and-payloads. Zeros before the first commit of a branch, and for a tag. */
function baseCommitOf({ eventName }, payload) {
    const text = (...path) => {
        const value = (0,json/* fieldOf */._F)(payload, ...path);
        return typeof value === 'string' && value !== '' ? value : undefined;
    };
    switch (eventName) {
        case 'push':
            // A commit that was pushed away is in no checkout.
            return (0,json/* fieldOf */._F)(payload, 'forced') === true ? undefined : text('before');
        case 'pull_request':
            return text('pull_request', 'base', 'sha');
        case 'pull_request_target':
            // Unless it is merged, the base branch is checked out, which has none of its changes.
            return (0,json/* fieldOf */._F)(payload, 'pull_request', 'merged') === true ? text('pull_request', 'base', 'sha') : undefined;
        case 'merge_group':
            return text('merge_group', 'base_sha');
        default:
            return undefined;
    }
}
/** The payload of the event; `{}` where there is none that can be read. */
function readPayload(path) {
    try {
        return JSON.parse((0,external_node_fs_.readFileSync)(path, 'utf8'));
    }
    catch {
        return {};
    }
}
function protectionOf(value) {
    return value === 'true' ? true : value === 'false' ? false : undefined;
}

;// CONCATENATED MODULE: ./build/src/ci/github-actions/runner.js





/** A step of a GitHub Actions workflow. `env` is the environment that the runner has made for it. */
function createRunner(env) {
    return {
        toolkit: commands_workflowCommands((text) => process.stdout.write(text)),
        openResults: () => createResults(env),
        readRun: () => readRun(env),
        explainEmptyInputs() {
            const { github } = readRun(env);
            return explainEmptyInputs(github, readPayload(github.eventPath));
        },
        showHint: showHint,
    };
}
/** The command line in a step of a workflow: its log is on standard error, which the runner reads for commands as well. */
function createCommandRunner({ env, write }) {
    return { ...createRunner(env), toolkit: workflowCommands((text) => write(text.replace(/\r?\n$/, ''))) };
}


/***/ }),

/***/ 3275:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ MAX_OUTPUT_BYTES)
/* harmony export */ });
/** The limit of one output is documented nowhere; expressions and logs become unusable long before. */
const MAX_OUTPUT_BYTES = 64 * 1024;


/***/ }),

/***/ 8179:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   K: () => (/* binding */ cancelled),
/* harmony export */   m: () => (/* binding */ systemClock)
/* harmony export */ });
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(8500);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(7406);


/** What every wait and every call throws when the run is cancelled. */
function cancelled(cause) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({ code: 'cancelled', message: 'The run was cancelled.', cause });
}
// setTimeout takes a 32-bit number of milliseconds and fires at once beyond it.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const systemClock = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
        try {
            for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) {
                await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_0__.setTimeout)(Math.min(left, LONGEST_TIMER_MS), undefined, signal ? { signal } : {});
            }
        }
        catch (cause) {
            throw cancelled(cause);
        }
        if (signal?.aborted)
            throw cancelled(signal.reason);
    },
};


/***/ }),

/***/ 4614:
/***/ ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var _ci_gitea_kind_js__WEBPACK_IMPORTED_MODULE_8__ = __nccwpck_require__(5);
/* harmony import */ var _ci_gitea_runner_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4495);
/* harmony import */ var _ci_github_actions_inputs_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(3661);
/* harmony import */ var _ci_github_actions_runner_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(7);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(8179);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(7406);
/* harmony import */ var _log_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(6671);
/* harmony import */ var _modes_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(4553);
/* harmony import */ var _run_main_js__WEBPACK_IMPORTED_MODULE_7__ = __nccwpck_require__(7533);









/** The runner asks twice, 7.5 s apart, before it kills: by then everything must be written. */
const LONGEST_EXIT_MS = 4500;
/** All is written by then, also into a pipe whose reader is slow. */
const LONGEST_DRAIN_MS = 2000;
const workflow = (0,_ci_github_actions_runner_js__WEBPACK_IMPORTED_MODULE_2__/* .createRunner */ .j)(process.env);
const gitea = (0,_ci_gitea_kind_js__WEBPACK_IMPORTED_MODULE_8__/* .giteaKind */ .b)(process.env);
const runner = gitea === undefined
    ? workflow
    : (0,_ci_gitea_runner_js__WEBPACK_IMPORTED_MODULE_0__/* .createGiteaRunner */ .F)(gitea, workflow, process.env, (text) => process.stdout.write(text));
const source = (0,_ci_github_actions_inputs_js__WEBPACK_IMPORTED_MODULE_1__/* .readActionInputs */ .U)(process.env);
const log = (0,_log_js__WEBPACK_IMPORTED_MODULE_5__/* .createLog */ .hM)(runner.toolkit);
const cancel = new AbortController();
function onSignal(signal) {
    if (cancel.signal.aborted)
        process.exit(1);
    log.info(`Received ${signal}: ending. A job on the platform goes on by itself.`);
    end(signal);
}
function end(reason) {
    if (cancel.signal.aborted)
        return;
    cancel.abort(reason);
    setTimeout(() => process.exit(1), LONGEST_EXIT_MS).unref();
}
let hasFault = false;
/** A fault of this program: one line, redacted like every other; the stack only where debugging is on. */
function onFault(fault) {
    hasFault = true;
    process.exitCode = 1;
    log.error(`Docs Courier itself failed: ${fault instanceof Error ? `${fault.name}: ${fault.message}` : 'unknown fault'}`);
    if (fault instanceof Error)
        for (const line of (fault.stack ?? '').split('\n'))
            log.debug(line);
    // What the rest of the run would do is unknown: it ends, in order.
    end(fault);
}
/** There is no way to hand a result over: all that is left is the log. */
function onError(error) {
    if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw) {
        process.exitCode = 1;
        const hint = error.hint === undefined ? '' : `\n${runner.showHint(error.hint)}`;
        log.error(`${error.message}${hint}`, { title: `Docs Courier: ${error.code}` });
    }
    else
        onFault(error);
}
// SIGBREAK is what a Windows runner's second request, Ctrl+Break, arrives as.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGBREAK'];
for (const signal of SIGNALS)
    process.on(signal, onSignal);
// The runner is gone: reporting that would fail again, without end.
for (const stream of [process.stdout, process.stderr])
    stream.on('error', end);
process.on('uncaughtException', onFault);
process.on('unhandledRejection', onFault);
try {
    const exitCode = await (0,_run_main_js__WEBPACK_IMPORTED_MODULE_7__/* .main */ .i)({ loadMode: _modes_js__WEBPACK_IMPORTED_MODULE_6__/* .loadMode */ .O, runner, source, log, clock: _clock_js__WEBPACK_IMPORTED_MODULE_3__/* .systemClock */ .m, signal: cancel.signal });
    process.exitCode = hasFault ? 1 : exitCode;
}
catch (error) {
    onError(error);
}
finally {
    for (const signal of SIGNALS)
        process.removeListener(signal, onSignal);
    // A request for a tunnel that a proxy never answers would keep the process alive for as long as the proxy likes.
    setTimeout(() => process.exit(), LONGEST_DRAIN_MS).unref();
}

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

/***/ }),

/***/ 7406:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   HB: () => (/* binding */ unreachable),
/* harmony export */   UQ: () => (/* binding */ errnoOf),
/* harmony export */   Yw: () => (/* binding */ CourierError),
/* harmony export */   b2: () => (/* binding */ isMissing),
/* harmony export */   dx: () => (/* binding */ hintText),
/* harmony export */   tR: () => (/* binding */ toCourierError),
/* harmony export */   up: () => (/* binding */ hasCode)
/* harmony export */ });
/* unused harmony export ERROR_CODES */
/** Every way in which a run can fail, as the `error-code` output. The documentation has one section per code. */
const ERROR_CODES = (/* unused pure expression or super */ null && ([
    'config',
    'unauthorized',
    'forbidden',
    'not-found',
    'conflict',
    'rate-limited',
    'job-failed',
    'timed-out',
    'network',
    'protocol',
    'integrity',
    'unsafe-archive',
    'checks-failed',
    'io',
    'cancelled',
    'refused',
]));
/**
 * The only error that this project throws on purpose. Callers branch on `code`, `httpStatus` and `mayHaveStarted`, never
 * on the text.
 */
class CourierError extends Error {
    code;
    hint;
    httpStatus;
    retryAfterMs;
    mayHaveStarted;
    lacksPermission;
    constructor(init) {
        super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
        this.name = 'CourierError';
        this.code = init.code;
        this.hint = init.hint;
        this.httpStatus = init.httpStatus;
        this.retryAfterMs = init.retryAfterMs;
        this.mayHaveStarted = init.mayHaveStarted ?? false;
        this.lacksPermission = init.lacksPermission ?? false;
    }
    /**
     * The same failure with what the caller knows of it: another message, hint or code. Everything else stays as it is, and
     * this error becomes the cause.
     */
    with(change) {
        const { code, message, hint, httpStatus, retryAfterMs, mayHaveStarted, lacksPermission } = this;
        const same = { code, message, hint, httpStatus, retryAfterMs, mayHaveStarted, lacksPermission };
        return new CourierError({ ...same, cause: this, ...change });
    }
}
/** True for a CourierError with one of these codes; for any error, so that a `catch` needs no check of its own. */
function hasCode(error, ...codes) {
    return error instanceof CourierError && codes.includes(error.code);
}
/** The code of an error of the operating system or of Node, such as `ENOENT`. */
function errnoOf(error) {
    return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
/** True where a file operation failed because nothing is at the path. */
function isMissing(error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR';
}
/** For the one catch of a run: what is no CourierError is a fault of this program, and goes on up. */
function toCourierError(error) {
    if (error instanceof CourierError)
        return error;
    throw error;
}
/** The sentence of a hint, without the example below it. */
function hintText(hint) {
    return typeof hint === 'string' ? (hint.split('\n')[0] ?? '') : hint.text;
}
/** For the end of a switch over a closed union: the compiler refuses a case that was forgotten. */
function unreachable(value) {
    throw new Error(`unreachable: ${JSON.stringify(value)}`);
}


/***/ }),

/***/ 2784:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  Ld: () => (/* binding */ EXCHANGE_LIMITS),
  Sb: () => (/* binding */ ExchangeError),
  cv: () => (/* binding */ exchange),
  Vx: () => (/* binding */ openReply)
});

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __nccwpck_require__(4573);
// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __nccwpck_require__(7067);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __nccwpck_require__(4708);
;// CONCATENATED MODULE: external "node:tls"
const external_node_tls_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:tls");
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __nccwpck_require__(8522);
;// CONCATENATED MODULE: ./build/src/http/exchange.js





/** One attempt went wrong. `sent` is false only when the other side cannot have seen any of the request. */
class ExchangeError extends Error {
    fault;
    sent;
    /** The status with which a proxy refused the tunnel. */
    proxyStatus;
    constructor(init) {
        super(init.fault, { cause: init.cause });
        this.name = 'ExchangeError';
        this.fault = init.fault;
        this.sent = init.sent;
        this.proxyStatus = init.proxyStatus;
    }
}
/**
 * Sends one request and gives the reply with its body unread: for downloads, which have limits of their own for the body.
 * Whoever calls it destroys the reply when `signal` aborts or the body is not wanted. Rejects with an ExchangeError, and
 * only that.
 */
async function openReply(outgoing, { limits, signal }) {
    const attempt = new Attempt(signal);
    try {
        return await requestHeaders(outgoing, limits, attempt);
    }
    catch (cause) {
        attempt.close();
        throw attempt.errorOf(cause);
    }
}
/** What ends an attempt, and how far it came. */
class Attempt {
    sent = false;
    #fault;
    #proxyStatus;
    #abort = new AbortController();
    #outer;
    #onCancel = () => this.end('aborted');
    constructor(outer) {
        this.#outer = outer;
        outer.addEventListener('abort', this.#onCancel, { once: true });
        if (outer.aborted)
            this.#onCancel();
    }
    get signal() {
        return this.#abort.signal;
    }
    /** The first reason counts; what follows from it does not. */
    end(fault) {
        this.#fault ??= fault;
        this.#abort.abort();
    }
    refusedByProxy(status) {
        this.#proxyStatus = status;
        this.end('proxy');
    }
    close() {
        this.#outer.removeEventListener('abort', this.#onCancel);
        this.#abort.abort();
    }
    errorOf(cause) {
        const known = cause instanceof ExchangeError ? cause.fault : 'broken';
        return new ExchangeError({
            fault: this.#fault ?? known,
            // What the agent hands over then is no connection to the server.
            sent: this.sent && this.#fault !== 'proxy',
            cause,
            proxyStatus: this.#proxyStatus,
        });
    }
}
/** The reply's head; its body is unread. */
function requestHeaders(outgoing, limits, attempt) {
    const { method, url, headers, body, agent, tls, lookup, onSent } = outgoing;
    const { signal } = attempt;
    const send = url.protocol === 'https:' ? external_node_https_.request : external_node_http_.request;
    return new Promise((resolve, reject) => {
        const connect = setTimeout(() => attempt.end('connect-timeout'), limits.connectMs);
        const wait = setTimeout(() => attempt.end('headers-timeout'), limits.headersMs);
        const stop = () => {
            clearTimeout(connect);
            clearTimeout(wait);
        };
        const fail = (cause) => {
            stop();
            reject(cause);
        };
        const request = send(url, { ...tls, ...(lookup && { lookup }), method, headers, agent, signal });
        // A request that waits for a proxy's tunnel has no socket yet, and one without a socket emits nothing when it is ended.
        signal.addEventListener('abort', () => fail(signal.reason), { once: true });
        // Without this, the agent would hand on the proxy's own reply as if it came from the server.
        request.on('proxyConnect', ({ statusCode }) => {
            if (statusCode !== 200)
                attempt.refusedByProxy(statusCode);
        });
        request.on('socket', (socket) => onceReady(socket, () => {
            clearTimeout(connect);
            attempt.sent = true;
            // What was written before the connection stood goes out first.
            if (onSent !== undefined)
                setImmediate(onSent);
        }));
        request.on('response', (reply) => {
            stop();
            resolve(reply);
        });
        request.on('error', fail);
        // A reply that switches protocols (101) closes the request and is neither a response nor an error.
        request.on('close', () => fail(new Error('closed without a reply')));
        request.end(body);
    });
}
// From here on bytes of the request may be on the wire. A socket that the agent kept is ready at once; one that leads through
// a proxy is connected when it comes, but its handshake with the server is still to be made.
function onceReady(socket, ready) {
    // It failed before it was handed over.
    if (socket.destroyed)
        return;
    if (socket instanceof external_node_tls_namespaceObject.TLSSocket && socket.getFinished() === undefined)
        socket.once('secureConnect', ready);
    else if (socket.connecting)
        socket.once('connect', ready);
    else
        ready();
}
const EXCHANGE_LIMITS = {
    connectMs: 10_000,
    headersMs: 30_000,
    idleMs: 30_000,
    totalMs: 60_000,
    bodyBytes: 1024 * 1024,
};
/** Sends one request and reads the whole reply, within the limits. Rejects with an ExchangeError, and only that. */
async function exchange(outgoing, { limits, signal }) {
    const attempt = new Attempt(signal);
    const total = setTimeout(() => attempt.end('total-timeout'), limits.totalMs);
    try {
        const reply = await requestHeaders(outgoing, limits, attempt);
        return await readReply(reply, limits, attempt);
    }
    catch (cause) {
        throw attempt.errorOf(cause);
    }
    finally {
        clearTimeout(total);
        attempt.close();
    }
}
// We never ask for an encoding; a proxy on the way may still apply one.
function decoded(reply) {
    const encoding = (reply.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    const through = (decoder) => {
        reply.once('error', (cause) => decoder.destroy(cause));
        return reply.pipe(decoder);
    };
    switch (encoding) {
        case 'identity':
        case '':
            return reply;
        case 'gzip':
            return through((0,external_node_zlib_.createGunzip)());
        case 'deflate':
            return through((0,external_node_zlib_.createInflate)());
        case 'br':
            return through((0,external_node_zlib_.createBrotliDecompress)());
        default:
            throw new ExchangeError({ fault: 'encoding', sent: true });
    }
}
async function readReply(reply, limits, attempt) {
    const chunks = [];
    let size = 0;
    const idle = setTimeout(() => attempt.end('idle-timeout'), limits.idleMs);
    try {
        for await (const chunk of decoded(reply)) {
            idle.refresh();
            size += chunk.length;
            if (size > limits.bodyBytes)
                throw new ExchangeError({ fault: 'too-large', sent: true });
            chunks.push(chunk);
        }
    }
    catch (cause) {
        if (cause instanceof ExchangeError)
            throw cause;
        throw new ExchangeError({ fault: 'truncated', sent: true, cause });
    }
    finally {
        clearTimeout(idle);
        reply.destroy();
    }
    // Node's parser compares what came with `content-length`, and waits for the last chunk of a chunked body.
    if (!reply.complete)
        throw new ExchangeError({ fault: 'truncated', sent: true });
    const lengthKnown = reply.headers['content-length'] !== undefined || reply.headers['transfer-encoding'] !== undefined;
    return { status: reply.statusCode ?? 0, headers: reply.headers, body: external_node_buffer_.Buffer.concat(chunks), lengthKnown };
}


/***/ }),

/***/ 3781:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  jA: () => (/* binding */ PRIVATE_ADDRESS),
  U9: () => (/* binding */ isLoopback),
  C0: () => (/* binding */ isPrivateAddress),
  Wy: () => (/* binding */ literalRefusal),
  km: () => (/* binding */ publicLookup)
});

;// CONCATENATED MODULE: external "node:dns"
const external_node_dns_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:dns");
// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __nccwpck_require__(7030);
;// CONCATENATED MODULE: ./build/src/http/hosts.js


/** True for a name or address of this machine, as `URL.hostname` writes it. */
function isLoopback(hostname) {
    return /^((.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
/** The code of the error with which a connection to a private address is refused. */
const PRIVATE_ADDRESS = 'ERR_PRIVATE_ADDRESS';
// The IANA registries of special-purpose addresses (RFC 6890 and its updates), as far as they are not reachable from the
// whole internet, and the addresses at which clouds serve credentials to their machines.
const BLOCKED = [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
    // Azure's platform address (WireServer), which is a public one that only its machines reach.
    ['168.63.129.16', 32],
    ['::', 128],
    ['::1', 128],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001:db8::', 32],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
];
const blocked = new external_node_net_.BlockList();
for (const [net, prefix] of BLOCKED)
    blocked.addSubnet(net, prefix, (0,external_node_net_.isIPv4)(net) ? 'ipv4' : 'ipv6');
/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address) {
    // The URL parser brings every spelling, also a dotted end, into the one canonical form.
    const canonical = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
    const [head = '', tail] = canonical.split('::');
    const read = (part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
    const [front, back] = [read(head), read(tail ?? '')];
    return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}
/** The IPv4 address that an IPv6 address carries: mapped, compatible, NAT64 (RFC 6052), 6to4 (RFC 3056), Teredo (RFC 4380). */
function embeddedIPv4(address) {
    const groups = groupsOf(address);
    const [a = 0, b = 0] = groups;
    const starts = (...prefix) => prefix.every((group, index) => groups[index] === group);
    const dotted = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join('.');
    if (starts(0, 0, 0, 0, 0) && (groups[5] === 0xffff || groups[5] === 0))
        return dotted(groups[6], groups[7]);
    if (starts(0, 0, 0, 0, 0xffff, 0))
        return dotted(groups[6], groups[7]);
    if (starts(0x64, 0xff9b, 0, 0, 0, 0))
        return dotted(groups[6], groups[7]);
    if (a === 0x2002)
        return dotted(b, groups[2]);
    if (a === 0x2001 && b === 0)
        return dotted((groups[6] ?? 0) ^ 0xffff, (groups[7] ?? 0) ^ 0xffff);
    return undefined;
}
/** True for an address that is not reachable from the whole internet: loopback, private, link-local, metadata, reserved. */
function isPrivateAddress(address) {
    if ((0,external_node_net_.isIPv4)(address))
        return blocked.check(address, 'ipv4');
    if (!(0,external_node_net_.isIPv6)(address))
        return true;
    const inner = embeddedIPv4(address);
    return blocked.check(address.split('%')[0] ?? address, 'ipv6') || (inner !== undefined && isPrivateAddress(inner));
}
function refusal(host) {
    return Object.assign(new Error(`${host} leads to a private address`), { code: PRIVATE_ADDRESS });
}
/** An error where the host of the address is itself a private address; names are checked when they are resolved. */
function literalRefusal(url) {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    return (0,external_node_net_.isIP)(host) !== 0 && isPrivateAddress(host) ? refusal(host) : undefined;
}
/**
 * A resolver for `http.request` that gives public addresses only. The socket connects to what it gives and to nothing else,
 * so that a name cannot resolve differently between the check and the connection.
 */
function publicLookup(resolve = external_node_dns_namespaceObject.lookup) {
    return (hostname, options, done) => {
        resolve(hostname, { ...options, all: true }, (error, found, family) => {
            if (error !== null)
                return done(error, []);
            const all = typeof found === 'string' ? [{ address: found, family: family ?? (0,external_node_net_.isIP)(found) }] : found;
            const open = all.filter(({ address }) => !isPrivateAddress(address));
            const [first] = open;
            if (first === undefined)
                return done(refusal(hostname), []);
            return options.all ? done(null, open) : done(null, first.address, first.family);
        });
    };
}


/***/ }),

/***/ 9588:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ delayedAbort),
/* harmony export */   l: () => (/* binding */ Http)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4573);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(8179);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(7406);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(6691);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_9__ = __nccwpck_require__(492);
/* harmony import */ var _exchange_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(2784);
/* harmony import */ var _hosts_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(3781);
/* harmony import */ var _proxy_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(842);
/* harmony import */ var _retry_js__WEBPACK_IMPORTED_MODULE_8__ = __nccwpck_require__(6092);
/* harmony import */ var _service_js__WEBPACK_IMPORTED_MODULE_7__ = __nccwpck_require__(4541);










function isSuccess({ status }) {
    return status >= 200 && status <= 299;
}
function wordsOf({ name, method, url, service, redact }, logRedact) {
    return { name: name ?? `${method} ${url.origin}${url.pathname}`, url, service, redact: redact ?? logRedact };
}
function headersOf({ method, headers, body }) {
    const hasBody = body !== undefined || method === 'POST' || method === 'PUT' || method === 'PATCH';
    return {
        'accept-encoding': 'identity',
        'user-agent': 'docs-courier',
        ...(hasBody && { 'content-length': String(node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.byteLength(body ?? '')) }),
        ...headers,
    };
}
async function load(schema) {
    return typeof schema === 'function' ? schema() : schema;
}
/**
 * HTTP for every service that the program talks to: one attempt with its limits, one retry loop with one budget for the run,
 * one reading of failures, proxies. Make one for a run and hand it to all clients.
 *
 * ```ts
 * const http = new Http({ clock, log, signal });
 * const reply = await http.request({ service, method: 'GET', url, headers: { authorization }, repeat: 'always' });
 * const { value } = await http.requestJson({ service, method: 'PUT', url, body, repeat: 'always', tls: { ca } }, schema);
 * ```
 *
 * Both throw a CourierError, and only that: `network` and `protocol` for what broke on the way, the code of the status else
 * (http/service.ts), or what the service's `meaning` says. `mayHaveStarted` is true where the request may have had an effect.
 * The body is read whole or not at all: at most `limits.bodyBytes`, and never less than `content-length`.
 */
class Http {
    #clock;
    #log;
    #signal;
    #random;
    #limits;
    #redact = (text) => this.#log.redact(text);
    #retriesLeft = _retry_js__WEBPACK_IMPORTED_MODULE_8__/* .MAX_RETRIES_PER_RUN */ .Ch;
    constructor({ clock, log, signal, random = Math.random, limits }) {
        this.#clock = clock;
        this.#log = log;
        this.#signal = signal;
        this.#random = random;
        this.#limits = { ..._exchange_js__WEBPACK_IMPORTED_MODULE_4__/* .EXCHANGE_LIMITS */ .Ld, ...limits };
    }
    /** The whole reply, with a status that `accepts` takes. */
    request(request) {
        return this.#repeat(request, (reply) => ({ ok: true, value: reply }));
    }
    /**
     * The reply's JSON as the schema has it; `protocol` where it does not fit, naming the field. `also` is a failure status whose
     * body is an answer as well: where it does not fit its schema, it is the failure that it says. A schema may be given as a
     * function that loads it: that is called while the request is on its way.
     */
    requestJson(request, schema, also) {
        const words = wordsOf(request, this.#redact);
        // No reply has a reason to hold our credentials: what echoes them gets no further than here.
        const jsonOf = (reply) => (0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .parseJson */ .qF)((request.redact ?? ((text) => text))(reply.body.toString('utf8')));
        let loaded;
        const prepare = async () => {
            loaded ??= { usual: await load(schema), also: also && (await load(also.schema)) };
        };
        const alsoOf = (reply) => {
            const fits = reply.status === also?.status && loaded?.also?.safeParse(jsonOf(reply)).success === true;
            return fits ? loaded?.also : undefined;
        };
        const { accepts = isSuccess } = request;
        const judge = (reply) => {
            const json = jsonOf(reply);
            const parsed = (alsoOf(reply) ?? loaded?.usual)?.safeParse(json);
            if (parsed === undefined)
                throw new Error('judged before the schema was loaded');
            if (parsed.success)
                return { ok: true, value: { value: parsed.data, reply } };
            const problem = json === undefined ? 'it is not JSON' : (0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .describeIssues */ .wF)(parsed.error.issues);
            // Without a length, JSON that does not parse is all that shows that a reply was cut off.
            const cut = json === undefined && !reply.lengthKnown;
            return { ok: false, ...(0,_service_js__WEBPACK_IMPORTED_MODULE_7__/* .contentFailure */ .kz)(reply, words, problem, cut ? 'if-repeatable' : 'no') };
        };
        const accepting = { ...request, accepts: (reply) => accepts(reply) || alsoOf(reply) !== undefined };
        return this.#repeat(accepting, judge, prepare);
    }
    async #repeat(request, judge, prepare = async () => { }) {
        const signal = request.signal ?? this.#signal;
        const endMs = this.#clock.monotonicMs() + (request.timeLimitMs ?? Number.POSITIVE_INFINITY);
        const progress = { attempt: 1, throttles: 0, throttledMs: 0, mayHaveStarted: false };
        try {
            for (;;) {
                if (signal.aborted)
                    throw (0,_clock_js__WEBPACK_IMPORTED_MODULE_1__/* .cancelled */ .K)(signal.reason);
                const leftMs = Math.max(1, endMs - this.#clock.monotonicMs());
                const outcome = await this.#attempt(request, progress, leftMs, judge, prepare);
                if (outcome.ok)
                    return outcome.value;
                const waitMs = this.#waitMs(request.repeat, outcome, progress);
                if (waitMs === undefined || this.#clock.monotonicMs() + waitMs >= endMs)
                    throw outcome.error;
                progress.mayHaveStarted ||= outcome.error.mayHaveStarted;
                this.#log.info(`${outcome.error.message} Trying again ${waitMs < 100 ? 'now' : `in ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_9__/* .formatDuration */ .a3)(waitMs)}`}.`);
                await this.#clock.sleep(waitMs, signal);
            }
        }
        catch (error) {
            const isUnsure = progress.mayHaveStarted && error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw && !error.mayHaveStarted;
            throw isUnsure ? error.with({ mayHaveStarted: true, cause: error.cause }) : error;
        }
    }
    async #attempt(request, progress, leftMs, judge, prepare) {
        const words = wordsOf(request, this.#redact);
        const limits = within({ ...this.#limits, ...request.limits }, leftMs);
        try {
            // What reading the reply takes is loaded while the other side works. A failure of that comes up below.
            const reply = await this.#exchange(request, limits, () => void prepare().catch(() => { }));
            await prepare();
            this.#log.debug(`${words.name}: ${reply.status}, ${reply.body.length} bytes`);
            const accepts = request.accepts ?? isSuccess;
            if (!accepts(reply)) {
                const context = { nowMs: this.#clock.now(), throttles: progress.throttles };
                return { ok: false, ...(0,_service_js__WEBPACK_IMPORTED_MODULE_7__/* .statusFailure */ .FP)(reply, words, context) };
            }
            const problem = request.check?.(reply);
            if (problem !== undefined)
                return { ok: false, ...(0,_service_js__WEBPACK_IMPORTED_MODULE_7__/* .contentFailure */ .kz)(reply, words, problem, 'if-repeatable') };
            return judge(reply);
        }
        catch (error) {
            if (!(error instanceof _exchange_js__WEBPACK_IMPORTED_MODULE_4__/* .ExchangeError */ .Sb))
                throw error;
            if (error.fault === 'aborted')
                throw cancelledCall(request, error);
            return { ok: false, ...(0,_service_js__WEBPACK_IMPORTED_MODULE_7__/* .faultFailure */ .zk)(error, words, limits, progress.attempt) };
        }
    }
    async #exchange(request, limits, onSent) {
        const { method, url, body, tls } = request;
        const isChecked = request.allowPrivateHosts === false;
        const refusal = isChecked ? (0,_hosts_js__WEBPACK_IMPORTED_MODULE_5__/* .literalRefusal */ .Wy)(url) : undefined;
        if (refusal !== undefined)
            throw new _exchange_js__WEBPACK_IMPORTED_MODULE_4__/* .ExchangeError */ .Sb({ fault: 'broken', sent: false, cause: refusal });
        // A kept connection was not checked when it was made.
        const agent = await (0,_proxy_js__WEBPACK_IMPORTED_MODULE_6__/* .agentFor */ .P)(url, { keep: request.repeat !== 'unless-acted' && !isChecked });
        const lookup = isChecked ? (0,_hosts_js__WEBPACK_IMPORTED_MODULE_5__/* .publicLookup */ .km)() : undefined;
        const headers = { ...headersOf(request), ...(await request.sign?.()) };
        const outgoing = { method, url, headers, body, agent, tls, lookup, onSent };
        const signal = request.signal ?? this.#signal;
        const { cancelGraceMs } = request;
        return (0,_exchange_js__WEBPACK_IMPORTED_MODULE_4__/* .exchange */ .cv)(outgoing, {
            limits,
            signal: cancelGraceMs === undefined ? signal : delayedAbort(signal, cancelGraceMs),
        });
    }
    /** How long to wait before the next attempt; undefined: there is none. Counts what it allows. */
    #waitMs(repeat, { error, retry, retryAfterMs }, progress) {
        const isAllowed = retry === 'safe' || (retry === 'if-repeatable' && repeat === 'always');
        if (!isAllowed || repeat === 'never')
            return undefined;
        if (retryAfterMs !== undefined && retryAfterMs > _retry_js__WEBPACK_IMPORTED_MODULE_8__/* .LONGEST_WAIT_MS */ .u_)
            return undefined;
        const random = this.#random;
        // A 503 with `Retry-After` is an outage, and counted as one.
        if (error.code === 'rate-limited' && error.httpStatus !== 503) {
            progress.throttles += 1;
            if (retryAfterMs !== undefined && retryAfterMs >= SHORTEST_THROTTLE_MS) {
                // Waiting as asked for is no failure: it draws on no budget, but on the time of the call.
                progress.throttledMs += retryAfterMs;
                return progress.throttledMs > _retry_js__WEBPACK_IMPORTED_MODULE_8__/* .LONGEST_THROTTLED_MS */ .pH ? undefined : (0,_retry_js__WEBPACK_IMPORTED_MODULE_8__/* .afterRetryAfterMs */ .dE)(retryAfterMs, random);
            }
        }
        if (progress.attempt >= _retry_js__WEBPACK_IMPORTED_MODULE_8__/* .MAX_ATTEMPTS */ .m || this.#retriesLeft <= 0)
            return undefined;
        const { attempt } = progress;
        progress.attempt += 1;
        this.#retriesLeft -= 1;
        if (retryAfterMs !== undefined)
            return (0,_retry_js__WEBPACK_IMPORTED_MODULE_8__/* .afterRetryAfterMs */ .dE)(retryAfterMs, random);
        return error.code === 'rate-limited' ? (0,_retry_js__WEBPACK_IMPORTED_MODULE_8__/* .throttleMs */ .V6)({ attempt, random }) : (0,_retry_js__WEBPACK_IMPORTED_MODULE_8__/* .backoffMs */ .jo)({ attempt, random });
    }
}
// A server that asks for no wait at all is not throttling; without this it could keep a call busy for ever.
const SHORTEST_THROTTLE_MS = 1000;
function within(limits, leftMs) {
    const { connectMs, headersMs, idleMs, totalMs, bodyBytes } = limits;
    const cap = (ms) => Math.min(ms, leftMs);
    return {
        connectMs: cap(connectMs),
        headersMs: cap(headersMs),
        idleMs: cap(idleMs),
        totalMs: cap(totalMs),
        bodyBytes,
    };
}
function cancelledCall({ method, repeat }, error) {
    const writes = method === 'PUT' || method === 'PATCH' || method === 'DELETE' || repeat === 'unless-acted';
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw({
        code: 'cancelled',
        message: 'The run was cancelled.',
        mayHaveStarted: error.sent && writes,
        cause: error,
    });
}
/** A signal that aborts so long after the given one: for what must still be said once the run was cancelled. */
function delayedAbort(signal, delayMs) {
    const controller = new AbortController();
    const start = () => setTimeout(() => controller.abort(signal.reason), delayMs).unref();
    if (signal.aborted)
        start();
    else
        signal.addEventListener('abort', start, { once: true });
    return controller.signal;
}


/***/ }),

/***/ 842:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  P: () => (/* binding */ agentFor),
  i: () => (/* binding */ proxyFor)
});

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __nccwpck_require__(4573);
// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __nccwpck_require__(7067);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __nccwpck_require__(4708);
;// CONCATENATED MODULE: ./node_modules/@actions/http-client/lib/proxy.js
function getProxyUrl(reqUrl) {
    const usingSsl = reqUrl.protocol === 'https:';
    if (checkBypass(reqUrl)) {
        return undefined;
    }
    const proxyVar = (() => {
        if (usingSsl) {
            return process.env['https_proxy'] || process.env['HTTPS_PROXY'];
        }
        else {
            return process.env['http_proxy'] || process.env['HTTP_PROXY'];
        }
    })();
    if (proxyVar) {
        try {
            return new DecodedURL(proxyVar);
        }
        catch (_a) {
            if (!proxyVar.startsWith('http://') && !proxyVar.startsWith('https://'))
                return new DecodedURL(`http://${proxyVar}`);
        }
    }
    else {
        return undefined;
    }
}
function checkBypass(reqUrl) {
    if (!reqUrl.hostname) {
        return false;
    }
    const reqHost = reqUrl.hostname;
    if (isLoopbackAddress(reqHost)) {
        return true;
    }
    const noProxy = process.env['no_proxy'] || process.env['NO_PROXY'] || '';
    if (!noProxy) {
        return false;
    }
    // Determine the request port
    let reqPort;
    if (reqUrl.port) {
        reqPort = Number(reqUrl.port);
    }
    else if (reqUrl.protocol === 'http:') {
        reqPort = 80;
    }
    else if (reqUrl.protocol === 'https:') {
        reqPort = 443;
    }
    // Format the request hostname and hostname with port
    const upperReqHosts = [reqUrl.hostname.toUpperCase()];
    if (typeof reqPort === 'number') {
        upperReqHosts.push(`${upperReqHosts[0]}:${reqPort}`);
    }
    // Compare request host against noproxy
    for (const upperNoProxyItem of noProxy
        .split(',')
        .map(x => x.trim().toUpperCase())
        .filter(x => x)) {
        if (upperNoProxyItem === '*' ||
            upperReqHosts.some(x => x === upperNoProxyItem ||
                x.endsWith(`.${upperNoProxyItem}`) ||
                (upperNoProxyItem.startsWith('.') &&
                    x.endsWith(`${upperNoProxyItem}`)))) {
            return true;
        }
    }
    return false;
}
function isLoopbackAddress(host) {
    const hostLower = host.toLowerCase();
    return (hostLower === 'localhost' ||
        hostLower.startsWith('127.') ||
        hostLower.startsWith('[::1]') ||
        hostLower.startsWith('[0:0:0:0:0:0:0:1]'));
}
class DecodedURL extends URL {
    constructor(url, base) {
        super(url, base);
        this._decodedUsername = decodeURIComponent(super.username);
        this._decodedPassword = decodeURIComponent(super.password);
    }
    get username() {
        return this._decodedUsername;
    }
    get password() {
        return this._decodedPassword;
    }
}
//# sourceMappingURL=proxy.js.map
;// CONCATENATED MODULE: ./build/src/http/proxy.js




/**
 * The proxy that the environment names for this address: HTTPS_PROXY or HTTP_PROXY, in either case, unless NO_PROXY, a
 * loopback or a link-local address says otherwise. The rules are those of the runner's own toolkit.
 */
function proxyFor(url) {
    // Where clouds serve credentials to their machines: no proxy gets there.
    if (/^(169\.254\.\d+\.\d+|\[fd00:ec2::.*\])$/.test(url.hostname))
        return undefined;
    return getProxyUrl(url.href.startsWith('http') ? url : new URL(url.href));
}
const direct = {
    'http:': { kept: new external_node_http_.Agent({ keepAlive: true }), fresh: new external_node_http_.Agent({ keepAlive: false }) },
    'https:': { kept: new external_node_https_.Agent({ keepAlive: true }), fresh: new external_node_https_.Agent({ keepAlive: false }) },
};
const tunnels = new Map();
/**
 * The agent for an address: through the proxy where there is one. `keep: false` gives a connection of its own, for calls
 * that must not be written to a kept connection that breaks in that moment: nobody knows then whether the request arrived.
 */
async function agentFor(url, { keep }) {
    const proxy = proxyFor(url);
    const pool = proxy === undefined ? direct[url.protocol] : await tunnelPool(proxy);
    if (pool === undefined)
        throw new Error(`no agent for ${url.protocol}`);
    return keep ? pool.kept : pool.fresh;
}
function tunnelPool(proxy) {
    const known = tunnels.get(proxy.href);
    if (known !== undefined)
        return known;
    const pool = openTunnels(proxy);
    tunnels.set(proxy.href, pool);
    return pool;
}
async function openTunnels(proxy) {
    // Loaded here: few runs have a proxy, and every run would pay for it at its start.
    const { HttpsProxyAgent } = await __nccwpck_require__.e(/* import() */ 5643).then(__nccwpck_require__.bind(__nccwpck_require__, 5643));
    const address = `${proxy.protocol}//${proxy.host}`;
    // Not as part of the address: the library prints that where DEBUG is set.
    const credentials = external_node_buffer_.Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
    const headers = proxy.username === '' && proxy.password === '' ? {} : { 'Proxy-Authorization': `Basic ${credentials}` };
    return {
        kept: new HttpsProxyAgent(address, { keepAlive: true, headers }),
        fresh: new HttpsProxyAgent(address, { keepAlive: false, headers }),
    };
}


/***/ }),

/***/ 6092:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Ch: () => (/* binding */ MAX_RETRIES_PER_RUN),
/* harmony export */   D$: () => (/* binding */ readRetryAfter),
/* harmony export */   V6: () => (/* binding */ throttleMs),
/* harmony export */   dE: () => (/* binding */ afterRetryAfterMs),
/* harmony export */   jo: () => (/* binding */ backoffMs),
/* harmony export */   m: () => (/* binding */ MAX_ATTEMPTS),
/* harmony export */   pH: () => (/* binding */ LONGEST_THROTTLED_MS),
/* harmony export */   u_: () => (/* binding */ LONGEST_WAIT_MS)
/* harmony export */ });
/** When a failed call may be made again: numbers and pure functions, shared by all callers of HTTP services. */
const MAX_ATTEMPTS = 5;
const MAX_RETRIES_PER_RUN = 20;
/** The longest wait that a server may ask for; beyond it the call fails and says when to come back. */
const LONGEST_WAIT_MS = 120_000;
/** How long one call waits in all because it was asked to. Such waits are no failures, so that nothing else bounds them. */
const LONGEST_THROTTLED_MS = 300_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_LONGEST_MS = 20_000;
const THROTTLE_FIRST_MS = 10_000;
const RETRY_AFTER_JITTER = 0.1;
// RFC 9110, section 5.6.7: the one date form that senders must use.
const IMF_FIXDATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/**
 * A `Retry-After` header (RFC 9110, section 10.2.3) in milliseconds from now: whole seconds or an IMF-fixdate, nothing else.
 * A date in the past is 0. Anything unreadable is undefined, and the caller's own backoff applies.
 */
function readRetryAfter(header, nowMs) {
    if (header === undefined)
        return undefined;
    if (/^\d{1,10}$/.test(header))
        return Number(header) * 1000;
    if (!IMF_FIXDATE.test(header))
        return undefined;
    const time = Date.parse(header);
    return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs);
}
/** Full jitter: anything from 0 to a ceiling that doubles with each attempt, 500 ms to 20 s. `attempt` counts from 1. */
function backoffMs({ attempt, random }) {
    return Math.floor(random() * Math.min(BACKOFF_LONGEST_MS, BACKOFF_FIRST_MS * 2 ** (attempt - 1)));
}
/**
 * The wait after a rate limit that does not say for how long: half of it is fixed, since such limits are counted by the minute or
 * the hour, and coming back at once makes them longer. 5 s to 10 s at first, then twice as long each time.
 */
function throttleMs({ attempt, random }) {
    return Math.floor((0.5 + random() / 2) * THROTTLE_FIRST_MS * 2 ** (attempt - 1));
}
/** Never earlier than asked for, up to a tenth later, so that those who were sent away together do not come back together. */
function afterRetryAfterMs(retryAfterMs, random) {
    return Math.ceil(retryAfterMs * (1 + RETRY_AFTER_JITTER * random()));
}


/***/ }),

/***/ 4541:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   FP: () => (/* binding */ statusFailure),
/* harmony export */   gt: () => (/* binding */ isTlsFailure),
/* harmony export */   kz: () => (/* binding */ contentFailure),
/* harmony export */   oQ: () => (/* binding */ systemCodes),
/* harmony export */   qk: () => (/* binding */ foreignText),
/* harmony export */   zk: () => (/* binding */ faultFailure)
/* harmony export */ });
/* unused harmony export isUnreachable */
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(492);
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(8092);
/* harmony import */ var _hosts_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(3781);
/* harmony import */ var _retry_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(6092);






const MAX_ERROR_TEXT = 500;
const MAX_BODY_SAMPLE = 200;
/** A status outside of 2xx as the error that the user sees. */
function statusFailure(reply, call, context) {
    const { status } = reply;
    if (status >= 300 && status < 400)
        return { error: redirectError(reply, call), retry: 'no' };
    const header = (0,_retry_js__WEBPACK_IMPORTED_MODULE_4__/* .readRetryAfter */ .D$)(reply.headers['retry-after'], context.nowMs);
    const meaning = call.service.meaning?.(reply, { ...context, retryAfterMs: header }) ?? {};
    const retryAfterMs = meaning.retryAfterMs ?? header;
    const code = meaning.code ?? (status === 503 && retryAfterMs !== undefined ? 'rate-limited' : codeOfStatus(status));
    const limited = code === 'rate-limited';
    const wait = retryAfterMs === undefined ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(retryAfterMs);
    const said = errorText(reply, call);
    const error = new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code,
        message: `${call.name} answered ${status}${said === '' ? '.' : `: ${said}`}${limited && wait !== undefined ? ` It may be called again in ${wait}.` : ''}`,
        hint: meaning.hint ?? hintOfStatus(status, code, call, wait),
        httpStatus: status,
        retryAfterMs: limited ? retryAfterMs : undefined,
        // A 4xx is the service's word that it did not act; 408 and 5xx may come from something in front of it.
        mayHaveStarted: status >= 500 || status === 408,
        lacksPermission: meaning.lacksPermission,
    });
    return {
        error,
        retry: meaning.retry ?? (limited ? 'safe' : retryOfStatus(status, retryAfterMs)),
        retryAfterMs: limited || retryAfterMs !== undefined ? retryAfterMs : undefined,
    };
}
// Such as a presigned link that the service could not use: its query is what makes it a secret.
const QUERY_OF_ADDRESS = /(https?:\/\/[^\s?#"'<>]{1,2000})[?#][^\s"'<>]*/gi;
/** Words of a service about a failure, safe to print: no secret, no query of an address, inert, one line, cut. */
function foreignText(text, redact) {
    return (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_2__/* .excerpt */ .Kb)(text, { redact: (raw) => redact(raw).replace(QUERY_OF_ADDRESS, '$1?…'), max: MAX_ERROR_TEXT });
}
function errorText(reply, { service, redact }) {
    const text = foreignText(service.errorText?.(reply) ?? '', redact);
    return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`;
}
function hintOfStatus(status, code, { service, url }, wait) {
    if (code === 'rate-limited') {
        return `The rate limit of ${service.name} is reached. Run again ${wait === undefined ? 'later' : `in ${wait}`}.`;
    }
    if (status === 407)
        return proxyHint(407, url);
    return status >= 500 ? `This is a problem of ${service.name} itself. Run again later.` : undefined;
}
function redirectError(reply, { name, service, redact }) {
    const target = redact(reply.headers.location?.split('?')[0] ?? '(no address)');
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `${name} answered ${reply.status}, a redirect to ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(target, 200)}. Redirects are refused: the credentials must not travel to another address.`,
        hint: `Set ${service.addressSetting} to the final address.`,
        httpStatus: reply.status,
    });
}
/** A reply with a good status that is not what was promised. `problem` names the field, or says what the body is. */
function contentFailure(reply, call, problem, retry) {
    const { name, service, redact } = call;
    const type = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(redact(reply.headers['content-type'] ?? 'no content type'), 80);
    const sample = bodySample(reply, redact);
    const error = new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `${name} answered ${reply.status} (${type}) with a reply that does not fit: ${problem}.`,
        hint: sample === undefined
            ? `The API may have changed, or ${service.addressSetting} is the address of something else.`
            : `Check ${service.addressSetting}: the reply begins: ${sample}`,
        httpStatus: reply.status,
        mayHaveStarted: true,
    });
    return { error, retry };
}
// JSON is not quoted: it may hold a link, which is a secret. The HTML page of a portal shows where the request ended up.
function bodySample(reply, redact) {
    // Redacted whole and then cut: half of a secret would not be found.
    const text = redact(reply.body.toString('utf8')).trimStart();
    if (text === '')
        return '(empty)';
    return text.startsWith('<') ? (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(text, MAX_BODY_SAMPLE) : undefined;
}
/** A broken attempt as the error that the user sees. Only known codes of the cause are shown, never its text. */
function faultFailure(error, call, limits, attempts) {
    const codes = [...new Set(systemCodes(error))].filter((code) => /^[A-Z][A-Z0-9_]{2,60}$/.test(code) && code !== 'ABORT_ERR');
    const unreachable = codes.filter(isUnreachable);
    const detail = (unreachable.length > 0 ? unreachable : codes).join(', ');
    const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
    const code = codeOfFault(error, codes);
    return {
        error: new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
            code,
            message: `${call.name} failed${tries}: ${textOfFault(error, limits)}${detail === '' ? '' : ` (${detail})`}.`,
            hint: code === 'network' || codes.includes(_hosts_js__WEBPACK_IMPORTED_MODULE_3__/* .PRIVATE_ADDRESS */ .jA) ? hintOfFault(error, codes, call) : undefined,
            cause: error,
            mayHaveStarted: error.sent,
        }),
        retry: retryOfFault(error, codes),
    };
}
/** Whether an attempt that broke may be made again. */
function retryOfFault(error, codes) {
    if (error.fault === 'aborted' || error.fault === 'too-large' || error.fault === 'encoding')
        return 'no';
    if (isTlsFailure(codes) || isParserFailure(codes) || codes.includes(_hosts_js__WEBPACK_IMPORTED_MODULE_3__/* .PRIVATE_ADDRESS */ .jA))
        return 'no';
    // Wrong credentials for the proxy stay wrong; a proxy that is overloaded may recover.
    if (error.fault === 'proxy')
        return (error.proxyStatus ?? 0) >= 500 || error.proxyStatus === 429 ? 'safe' : 'no';
    return error.sent ? 'if-repeatable' : 'safe';
}
function codeOfFault(error, codes) {
    if (error.fault === 'aborted')
        return 'cancelled';
    if (error.fault === 'too-large' || error.fault === 'encoding' || error.fault === 'truncated')
        return 'protocol';
    return isParserFailure(codes) || codes.includes(_hosts_js__WEBPACK_IMPORTED_MODULE_3__/* .PRIVATE_ADDRESS */ .jA) ? 'protocol' : 'network';
}
function textOfFault(error, limits) {
    const within = (ms) => `within the time limit of ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(ms)}`;
    switch (error.fault) {
        case 'connect-timeout':
            return `no connection ${within(limits.connectMs)}`;
        case 'headers-timeout':
            return `no reply ${within(limits.headersMs)}`;
        case 'idle-timeout':
            return `the reply stopped for ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(limits.idleMs)}`;
        case 'total-timeout':
            return `the reply did not end ${within(limits.totalMs)}`;
        case 'too-large':
            return `the reply is larger than ${limits.bodyBytes / 1024 ** 2} MiB`;
        case 'truncated':
            return 'the reply was cut off';
        case 'encoding':
            return 'the reply has a content encoding that was not asked for';
        case 'proxy':
            return `the proxy refused the connection with status ${error.proxyStatus}`;
        case 'broken':
            return 'the connection broke';
        case 'aborted':
            return 'the run was cancelled';
    }
}
function hintOfFault(error, codes, { url, service }) {
    if (codes.includes(_hosts_js__WEBPACK_IMPORTED_MODULE_3__/* .PRIVATE_ADDRESS */ .jA)) {
        return `${url.hostname} has only addresses of a private network. Where the platform runs inside of your own network, set allow-private-hosts: true.`;
    }
    if (error.fault === 'proxy')
        return proxyHint(error.proxyStatus ?? 0, url);
    if (isTlsFailure(codes)) {
        const authority = service.authoritySetting === undefined
            ? "set NODE_EXTRA_CA_CERTS in the step's env to its certificate file"
            : `give its certificate in ${service.authoritySetting}`;
        return `The certificate of ${url.host} was not accepted. For a private authority ${authority}; checking is never switched off.`;
    }
    if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN')) {
        return `The name ${url.hostname} could not be resolved. Check ${service.addressSetting} and the runner's DNS; behind a proxy set HTTPS_PROXY.`;
    }
    return `Check ${service.addressSetting}, and that this machine reaches ${url.host}; behind a proxy set HTTPS_PROXY and NO_PROXY.`;
}
function proxyHint(status, url) {
    return status === 407
        ? 'The proxy asks for credentials: set HTTPS_PROXY to http://user:password@host:port from a secret.'
        : `The proxy in HTTPS_PROXY does not connect to ${url.host}: allow it there, or add the host to NO_PROXY.`;
}
const CODE_OF_STATUS = {
    400: 'config',
    401: 'unauthorized',
    402: 'forbidden',
    403: 'forbidden',
    404: 'not-found',
    407: 'network',
    408: 'network',
    409: 'conflict',
    410: 'not-found',
    412: 'conflict',
    413: 'config',
    422: 'config',
    425: 'network',
    429: 'rate-limited',
};
/** The error code of a status outside of 2xx. */
function codeOfStatus(status) {
    return CODE_OF_STATUS[status] ?? (status >= 500 ? 'network' : 'protocol');
}
/**
 * 429, and 503 with `Retry-After`, say that nothing was done (RFC 9110, section 10.2.3, and RFC 6585); any other failure
 * status may come after the other side has acted.
 */
function retryOfStatus(status, retryAfterMs) {
    if (status === 429 || (status === 503 && retryAfterMs !== undefined))
        return 'safe';
    return status === 408 || status === 425 || status >= 500 ? 'if-repeatable' : 'no';
}
// Codes of Node's resolver and sockets for "the connection was never made".
const UNREACHABLE = [
    'ENOTFOUND',
    'EAI_AGAIN',
    'ECONNREFUSED',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EHOSTDOWN',
];
/** True for a code that says that the connection was never made. */
function isUnreachable(code) {
    return UNREACHABLE.includes(code);
}
/** All error codes in an error, its causes and the members of its AggregateErrors: Happy Eyeballs hides them there. */
function systemCodes(error, depth = 0) {
    if (!(error instanceof Error) || depth > 8)
        return [];
    const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
    const members = error instanceof AggregateError ? error.errors : [];
    return [...own, ...[error.cause, ...members].flatMap((inner) => systemCodes(inner, depth + 1))];
}
const TLS_FAILURE = /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH$|EPROTO$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/;
/** Certificate and handshake errors: repeating does not help, and nothing may switch the check off. */
function isTlsFailure(codes) {
    return codes.some((code) => TLS_FAILURE.test(code));
}
/** A reply that Node's HTTP parser refused, such as one with headers beyond its limit. */
function isParserFailure(codes) {
    return codes.some((code) => code.startsWith('HPE_'));
}


/***/ }),

/***/ 3204:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ INPUTS),
/* harmony export */   p: () => (/* binding */ OUTPUTS)
/* harmony export */ });
// Generated from action.yml by `npm run build`. Do not edit.
/** Every input: the modes that take it, and its default. */
const INPUTS = {
    'mode': { modes: ['export', 'refresh', 'rollback', 'agent', 'search', 'plan', 'doctor'], default: "" },
    'base-url': { modes: ['export', 'refresh', 'rollback', 'agent', 'search', 'doctor'], default: "" },
    'dry-run': { modes: ['export', 'refresh', 'rollback', 'agent', 'search', 'doctor'], default: "false" },
    'config-file': { modes: ['export', 'refresh', 'rollback', 'agent', 'search', 'plan', 'doctor'], default: "" },
    'site': { modes: ['export', 'refresh', 'rollback', 'agent', 'search', 'doctor'], default: "" },
    'admin-api-key': { modes: ['export', 'refresh', 'rollback', 'agent'], default: "" },
    'assistant-api-key': { modes: ['search', 'agent'], default: "" },
    'timeout': { modes: ['export', 'agent'], default: "30m" },
    'on-timeout': { modes: ['export', 'agent'], default: "fail" },
    'domain': { modes: ['export', 'search', 'agent'], default: "" },
    'project-id': { modes: ['agent', 'export', 'refresh', 'rollback'], default: "" },
    'export-version': { modes: ['export'], default: "" },
    'export-paths': { modes: ['export'], default: "" },
    'base-path': { modes: ['export'], default: "" },
    'export-job-id': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'steps': { modes: ['rollback'], default: "1" },
    'to': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'secret-name': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'secret-scope': { modes: ['export', 'refresh', 'rollback'], default: "repository" },
    'secret-environment': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'secret-repository': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'secret-organization': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'secret-visibility': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'secret-selected-repositories': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'secret-token': { modes: ['export', 'refresh', 'rollback', 'agent'], default: "" },
    'forge-url': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'kubeconfig': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'kube-context': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'allow-kube-exec': { modes: ['export', 'refresh', 'rollback'], default: "false" },
    'vault-address': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'vault-auth': { modes: ['export', 'refresh', 'rollback'], default: "jwt" },
    'vault-auth-path': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'vault-role': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'vault-audience': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'vault-token': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'vault-namespace': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'vault-ca': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'aws-region': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'aws-role': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'aws-audience': { modes: ['export', 'refresh', 'rollback'], default: "sts.amazonaws.com" },
    'rollout': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'rollout-timeout': { modes: ['export', 'refresh', 'rollback'], default: "10m" },
    'on-rollout-failure': { modes: ['export', 'refresh', 'rollback'], default: "fail" },
    'bundle-path': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'extract-to': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'clean': { modes: ['export', 'refresh', 'rollback'], default: "false" },
    'verify': { modes: ['export', 'refresh', 'rollback'], default: "report" },
    'compare-with': { modes: ['export'], default: "none" },
    'min-pages': { modes: ['export'], default: "1" },
    'max-page-drop': { modes: ['export'], default: "" },
    'required-pages': { modes: ['export'], default: "" },
    'forbid-lost-addresses': { modes: ['export'], default: "off" },
    'max-size': { modes: ['export'], default: "" },
    'force': { modes: ['export'], default: "false" },
    'allow-private-hosts': { modes: ['export', 'refresh', 'rollback'], default: "false" },
    'live-url': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'live-timeout': { modes: ['export', 'refresh', 'rollback'], default: "5m" },
    'on-not-live': { modes: ['export', 'refresh', 'rollback'], default: "fail" },
    'live-headers': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'deployment-type': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'comment': { modes: ['export', 'refresh', 'rollback', 'search'], default: "false" },
    'issue-on-failure': { modes: ['export', 'refresh', 'search'], default: "false" },
    'issue-labels': { modes: ['export', 'refresh', 'search'], default: "" },
    'issue-assignees': { modes: ['export', 'refresh', 'search'], default: "" },
    'deployment-environment': { modes: ['export', 'refresh', 'rollback'], default: "" },
    'refresh-before': { modes: ['refresh'], default: "24h" },
    'if-no-state': { modes: ['refresh'], default: "fail" },
    'github-token': { modes: ['agent', 'export', 'refresh', 'rollback', 'search'], default: "" },
    'agent-job-id': { modes: ['agent'], default: "" },
    'create-agent-job': { modes: ['agent'], default: "false" },
    'prompt': { modes: ['agent'], default: "" },
    'prompt-file': { modes: ['agent'], default: "" },
    'only-paths': { modes: ['agent'], default: "" },
    'command': { modes: ['agent'], default: "/docs-agent" },
    'pull-request': { modes: ['agent'], default: "" },
    'required-permission': { modes: ['agent'], default: "write" },
    'allowed-bots': { modes: ['agent'], default: "" },
    'allow-outside-text': { modes: ['agent'], default: "false" },
    'agent-repositories': { modes: ['agent'], default: "" },
    'context': { modes: ['agent'], default: "description,files,diff,comments" },
    'context-limit': { modes: ['agent'], default: "48KiB" },
    'related-docs': { modes: ['agent'], default: "0" },
    'wait': { modes: ['agent'], default: "true" },
    'status-comment': { modes: ['agent'], default: "true" },
    'query': { modes: ['search'], default: "" },
    'queries-file': { modes: ['search'], default: "" },
    'page-size': { modes: ['search'], default: "" },
    'score-threshold': { modes: ['search'], default: "" },
    'filter-version': { modes: ['search'], default: "" },
    'filter-language': { modes: ['search'], default: "" },
    'filter-tag': { modes: ['search'], default: "" },
    'filter-groups': { modes: ['search'], default: "" },
    'min-results': { modes: ['search'], default: "0" },
    'baseline-file': { modes: ['search'], default: "" },
    'baseline-update': { modes: ['search'], default: "never" },
    'fail-on': { modes: ['search'], default: "missed" },
    'max-requests': { modes: ['search'], default: "500" },
    'wait-for-index': { modes: ['search'], default: "" },
};
/** Every output: the modes that write it. */
const OUTPUTS = {
    'status': ['export', 'refresh', 'rollback', 'agent', 'search', 'plan', 'doctor'],
    'error-code': ['export', 'refresh', 'rollback', 'agent', 'search', 'plan', 'doctor'],
    'report': ['export', 'refresh', 'rollback', 'agent', 'search', 'plan', 'doctor'],
    'report-path': ['export', 'refresh', 'rollback', 'agent', 'search', 'plan', 'doctor'],
    'job-id': ['export', 'refresh', 'rollback'],
    'page-count': ['export'],
    'former-job-id': ['rollback'],
    'bundle-bytes': ['export', 'refresh', 'rollback'],
    'expires-at': ['export', 'refresh', 'rollback'],
    'bundle-url': ['export', 'refresh', 'rollback'],
    'changed': ['refresh', 'plan'],
    'destinations': ['export', 'refresh', 'rollback'],
    'secret-updated': ['export', 'refresh', 'rollback'],
    'bundle-path': ['export', 'refresh', 'rollback'],
    'bundle-sha256': ['export', 'refresh', 'rollback'],
    'manifest-path': ['export', 'refresh', 'rollback'],
    'checksum-path': ['export', 'refresh', 'rollback'],
    'site-path': ['export', 'refresh', 'rollback'],
    'verify-report': ['export', 'refresh', 'rollback'],
    'changes': ['export'],
    'changes-path': ['export'],
    'changes-page': ['export'],
    'live': ['export', 'refresh', 'rollback'],
    'live-after-seconds': ['export', 'refresh', 'rollback'],
    'triggered': ['agent'],
    'agent-job-id': ['agent'],
    'agent-status': ['agent'],
    'pull-request-url': ['agent'],
    'comment-url': ['agent'],
    'results': ['search'],
    'result-count': ['search'],
    'passed-count': ['search'],
    'failed-count': ['search'],
    'matrix': ['plan'],
};


/***/ }),

/***/ 2542:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $f: () => (/* binding */ BASE_PATH_CHOICES),
/* harmony export */   FN: () => (/* binding */ MODES),
/* harmony export */   Jj: () => (/* binding */ PERMISSIONS),
/* harmony export */   Vk: () => (/* binding */ CONTEXT_PARTS),
/* harmony export */   tF: () => (/* binding */ BASELINE_UPDATES)
/* harmony export */ });
const MODES = ['export', 'refresh', 'rollback', 'agent', 'search', 'plan', 'doctor'];
/** `/` for no prefix; the platform knows it as an empty text, which no input can say. */
const BASE_PATH_CHOICES = ['/', '/docs', '/documentation'];
const PERMISSIONS = ['read', 'triage', 'write', 'maintain', 'admin'];
const CONTEXT_PARTS = ['description', 'files', 'diff', 'comments'];
const BASELINE_UPDATES = ['never', 'default-branch', 'always'];


/***/ }),

/***/ 8064:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   JR: () => (/* binding */ rawInput),
/* harmony export */   Qh: () => (/* binding */ INPUT_NAMES),
/* harmony export */   X8: () => (/* binding */ COPIED_INPUTS),
/* harmony export */   eh: () => (/* binding */ isPathInput),
/* harmony export */   i_: () => (/* binding */ InputReader),
/* harmony export */   pH: () => (/* binding */ SECRET_INPUTS)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(4502);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(6761);
/* harmony import */ var _catalog_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(3204);
/* harmony import */ var _removed_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(5907);
/* harmony import */ var _values_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(4267);







/** Inputs that hold a secret: masked before anything else is done, never shown in a message. */
const SECRET_INPUTS = [
    'admin-api-key',
    'assistant-api-key',
    'github-token',
    'secret-token',
    'kubeconfig',
    'vault-token',
    'live-headers',
];
const INPUT_NAMES = Object.keys(_catalog_js__WEBPACK_IMPORTED_MODULE_4__/* .INPUTS */ .m).filter((name) => name in _catalog_js__WEBPACK_IMPORTED_MODULE_4__/* .INPUTS */ .m);
/** Inputs that a step has because it was copied from one of another mode. A mode that does not read them does the same. */
const COPIED_INPUTS = ['domain', 'timeout', 'on-timeout', 'project-id'];
function rawInput(source, name) {
    return source.value(name).trim();
}
/** True where a secret is given as the path of a file: a path is no secret, and messages name it. */
function isPathInput(source, name) {
    return name === 'kubeconfig' && (0,node_path__WEBPACK_IMPORTED_MODULE_0__.isAbsolute)(rawInput(source, name));
}
/** More would hide what is wrong; the rest shows in the next run. */
const MAX_PROBLEMS = 20;
/** Inputs whose values usually come from a secret or a variable of the CI system. */
const FROM_SETTINGS = new Set([...SECRET_INPUTS, 'base-url']);
/** Collects what is wrong with the inputs, so that all of it is reported in one failure. */
class InputReader {
    #source;
    #emptyCauses;
    #problems = [];
    #empty = new Set();
    constructor(source, emptyCauses) {
        this.#source = source;
        this.#emptyCauses = emptyCauses;
    }
    /** The text that was given, `''` where none was. */
    text(name) {
        return rawInput(this.#source, name);
    }
    /** An option of the command line that is no input; `''` where it is not given. */
    option(name) {
        return this.#source.value(name).trim();
    }
    /** True when the value is neither empty nor the default, which the runner fills in. */
    isGiven(name) {
        const raw = rawInput(this.#source, name);
        return raw !== '' && raw !== _catalog_js__WEBPACK_IMPORTED_MODULE_4__/* .INPUTS */ .m[name].default;
    }
    /** The value, or undefined where it is empty or wrong; a wrong one is a problem. An empty one falls back to the default. */
    optional(name, parser) {
        const raw = rawInput(this.#source, name) || _catalog_js__WEBPACK_IMPORTED_MODULE_4__/* .INPUTS */ .m[name].default;
        if (raw === '')
            return undefined;
        const parsed = parser(raw);
        if (parsed.ok)
            return parsed.value;
        this.reject(name, parsed.allowed);
        return undefined;
    }
    /** As `optional`, and an empty value is a problem. */
    required(name, parser, why = '') {
        if (rawInput(this.#source, name) === '' && _catalog_js__WEBPACK_IMPORTED_MODULE_4__/* .INPUTS */ .m[name].default === '') {
            this.#reportEmpty(name, why);
            return undefined;
        }
        return this.optional(name, parser);
    }
    #reportEmpty(name, why) {
        const isFromSettings = FROM_SETTINGS.has(name);
        const problem = `${name} is ${isFromSettings ? 'empty' : 'missing'}${why}`;
        if (isFromSettings)
            this.#empty.add(problem);
        this.problem(problem);
    }
    /** A misspelled or removed input is as wrong as a misspelled mode: what it was to do would not happen. */
    refuseUnknown({ forge = 'github' }) {
        const names = this.#source.unknownNames();
        const value = (name) => (name === 'forge' ? forge : this.option(name));
        const show = (name, text) => `${name}: ${text}`;
        for (const problem of (0,_removed_js__WEBPACK_IMPORTED_MODULE_5__/* .removedProblems */ .n)({ names, value, show }))
            this.problem(problem);
        for (const name of names.filter((one) => !_removed_js__WEBPACK_IMPORTED_MODULE_5__/* .REMOVED_NAMES */ .G.has(one))) {
            const meant = (0,_text_names_js__WEBPACK_IMPORTED_MODULE_3__/* .guess */ .Iw)(name, INPUT_NAMES);
            const advice = meant === undefined ? 'remove it' : `did you mean ${meant}?`;
            this.problem(`There is no input "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(name, 60)}"; ${advice}`);
        }
    }
    /** The value of an input does not fit. It is shown unless it is a secret. */
    reject(name, allowed) {
        const raw = rawInput(this.#source, name);
        // Also where two inputs were mixed up, and a key was given for one that is shown.
        const isSecret = SECRET_INPUTS.some((secret) => secret === name) || (0,_values_js__WEBPACK_IMPORTED_MODULE_6__/* .isKeyShaped */ .j2)(raw);
        const shown = isSecret ? 'the value' : `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(raw, 100)}"`;
        this.problem(`${name}: ${shown} is not allowed; it must be ${allowed}`);
    }
    problem(text) {
        this.#problems.push(text);
    }
    /** Each of these inputs that is given is a problem: nothing would read it. */
    forbid(names, because) {
        for (const name of names) {
            if (this.isGiven(name) && this.#source.isAmbient?.(name) !== true)
                this.problem(`${name} ${because}`);
        }
    }
    get problems() {
        return this.#problems;
    }
    get failed() {
        return this.#problems.length > 0;
    }
    /** Why the input of this problem may be empty, where its value usually comes from a secret or a variable. */
    adviceOn(problem) {
        return this.#empty.has(problem) ? this.#emptyAdvice() : undefined;
    }
    #emptyAdvice() {
        if (this.#empty.size === 0 || this.#emptyCauses.length === 0)
            return undefined;
        return `A secret or variable that the step names is empty in this run where ${this.#emptyCauses.join('; or ')}.`;
    }
    /** All problems as one error. */
    failure() {
        const count = this.#problems.length;
        const advice = ['Correct them; nothing was sent.', this.#emptyAdvice()];
        return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({
            code: 'config',
            message: [
                count === 1 ? 'An input is wrong:' : `${count} inputs are wrong:`,
                ...this.#problems.slice(0, MAX_PROBLEMS).map((text) => `- ${text}`),
                ...(count > MAX_PROBLEMS ? [`- and ${count - MAX_PROBLEMS} more`] : []),
            ].join('\n'),
            hint: advice.filter((sentence) => sentence !== undefined).join(' '),
        });
    }
}


/***/ }),

/***/ 5907:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ REMOVED_NAMES),
/* harmony export */   n: () => (/* binding */ removedProblems)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4502);
/* harmony import */ var _values_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(4267);


const SECRET = [
    'secret-name',
    'secret-scope',
    'secret-environment',
    'secret-repository',
    'secret-organization',
    'secret-visibility',
    'secret-selected-repositories',
];
const [REPOSITORY, ENVIRONMENT, ORGANIZATION, NAME] = [
    '{secret-repository|OWNER/REPO}',
    '{%secret-environment|ENVIRONMENT}',
    '{secret-organization|ORG}',
    '{%secret-name|NAME}',
];
const ORGANIZATION_SECRET = `github:org/${ORGANIZATION}/${NAME}`;
const ISSUE = 'an example opens the issue with `if: failure()` and gh: how-to/open-an-issue-when-a-run-fails.md';
/** Every removed input, flag and key, with what to write instead. Nothing else in the program knows these names. */
const REMOVED = [
    {
        names: SECRET,
        where: { forge: 'gitea', 'secret-scope': 'organization' },
        write: { to: `gitea:org/${ORGANIZATION}/${NAME}` },
    },
    { names: SECRET, where: { forge: 'gitea' }, write: { to: `gitea:repo/${REPOSITORY}/${NAME}` } },
    {
        names: SECRET,
        where: { 'secret-scope': 'environment', 'secret-repository': '*' },
        write: { to: `github:repo/${REPOSITORY}/env/${ENVIRONMENT}/${NAME}` },
    },
    { names: SECRET, where: { 'secret-scope': 'environment' }, write: { to: `github:env/${ENVIRONMENT}/${NAME}` } },
    {
        names: SECRET,
        where: { 'secret-selected-repositories': '*' },
        write: { to: `${ORGANIZATION_SECRET}?visibility=selected&repositories={secret-selected-repositories|a,b}` },
    },
    {
        names: SECRET,
        where: { 'secret-visibility': '*' },
        write: { to: `${ORGANIZATION_SECRET}?visibility={secret-visibility|selected}` },
    },
    { names: SECRET, where: { 'secret-scope': 'organization' }, write: { to: ORGANIZATION_SECRET } },
    { names: SECRET, where: { 'secret-organization': '*' }, write: { to: ORGANIZATION_SECRET } },
    { names: SECRET, where: { 'secret-environment': '*' }, write: { to: `github:env/${ENVIRONMENT}/${NAME}` } },
    { names: SECRET, where: { 'secret-repository': '*' }, write: { to: `github:repo/${REPOSITORY}/${NAME}` } },
    { names: SECRET, write: { to: `github:secret/${NAME}` } },
    { names: ['forge-url'], write: { to: 'gitlab:project/ID/NAME?server={forge-url|https://gitlab.example.com}' } },
    { names: ['kube-context'], write: { to: 'k8s:NAMESPACE/SECRET?context={%kube-context|NAME}#KEY' } },
    {
        names: ['vault-auth', 'vault-auth-path'],
        where: { 'vault-auth': 'approle', 'vault-auth-path': '*' },
        write: { 'vault-role': 'auth/{vault-auth-path|MOUNT}/login' },
        text: 'set the variables VAULT_ROLE_ID and VAULT_SECRET_ID',
    },
    {
        names: ['vault-auth'],
        where: { 'vault-auth': 'approle' },
        text: 'set the variables VAULT_ROLE_ID and VAULT_SECRET_ID',
    },
    { names: ['vault-auth'], where: { 'vault-auth': 'token' }, text: 'remove it: vault-token is used where it is given' },
    {
        names: ['vault-auth'],
        where: { 'vault-auth-path': '' },
        text: 'remove it: with vault-role the run logs in with its id token',
    },
    {
        names: ['vault-auth', 'vault-auth-path'],
        write: { 'vault-role': 'auth/{vault-auth-path|MOUNT}/role/{vault-role|NAME}' },
    },
    { names: ['vault-namespace'], text: 'set the variable VAULT_NAMESPACE' },
    {
        names: ['vault-ca'],
        text: 'set the variable VAULT_CACERT_BYTES, or VAULT_CACERT to the path of a file outside the workspace',
    },
    {
        names: ['aws-region'],
        write: { to: 'aws-sm:NAME?region={aws-region|eu-west-1}' },
        text: 'or set the variable AWS_REGION',
    },
    { names: ['vault-audience'], write: { 'id-token-audience': '{vault-audience|AUDIENCE}' } },
    { names: ['aws-audience'], write: { 'id-token-audience': '{aws-audience|AUDIENCE}' } },
    { names: ['wait'], where: { wait: 'false' }, write: { timeout: '0s', 'on-timeout': 'detach' } },
    { names: ['wait'], text: 'remove it: the run waits until timeout' },
    { names: ['context-limit'], text: 'remove it: a prompt has at most 48 KiB' },
    { names: ['related-docs'], where: { 'related-docs': '0' }, text: 'remove it' },
    { names: ['related-docs'], write: { context: '{context|description,files,diff,comments},docs' } },
    { names: ['page-size', 'score-threshold'], text: 'give it in the queries file, for all queries or for one' },
    { names: ['filter-version'], write: { filter: 'version={filter-version|2}' } },
    { names: ['filter-language'], write: { filter: 'language={filter-language|en}' } },
    { names: ['filter-tag'], write: { filter: 'tag={filter-tag|TAG}' } },
    { names: ['filter-groups'], write: { filter: 'groups={filter-groups|GROUP}' } },
    { names: ['max-requests'], text: 'remove it: the limit follows from the queries' },
    { names: ['changes-comment'], write: { comment: '{changes-comment|true}' } },
    { names: ['search-comment'], where: { 'search-comment': 'pages' }, write: { comment: 'titles' } },
    { names: ['search-comment'], write: { comment: '{search-comment|true}' } },
    { names: ['deployment-environment'], text: 'give the job an `environment:`, which makes the deployment' },
    { names: ['issue-on-failure', 'issue-labels', 'issue-assignees'], text: ISSUE },
    { names: ['deployment-type'], where: { 'deployment-type': 'air-gapped' }, write: { verify: 'air-gapped' } },
    { names: ['deployment-type'], text: 'remove it: reference/limits.md has the table of features' },
    { names: ['steps'], where: { steps: '1' }, text: 'remove it: a rollback goes to the export before the live one' },
    { names: ['steps'], write: { 'export-job-id': 'ID' }, text: 'the summary of an export lists the ids' },
];
const REMOVED_NAMES = new Set(REMOVED.flatMap(({ names }) => names));
/** One problem for each replacement, with the text to write. Names that never existed are left out. */
function removedProblems({ names, value, show }) {
    const groups = new Map();
    for (const name of names) {
        const found = REMOVED.find((one) => one.names.includes(name) && fits(one, value));
        if (found !== undefined)
            groups.set(found, [...(groups.get(found) ?? []), name]);
    }
    return [...groups].map(([{ write = {}, text }, removed]) => {
        const inputs = Object.entries(write).map(([name, template]) => show(name, fill(template, value)));
        const advice = [inputs.length === 0 ? undefined : `write ${inputs.join(' and ')}`, text];
        const subject = `${removed.join(', ')} ${removed.length === 1 ? 'does' : 'do'} not exist`;
        return `${subject}; ${advice.filter((part) => part !== undefined).join(', ')}`;
    });
}
function fits({ where = {} }, value) {
    return Object.entries(where).every(([name, wanted]) => {
        const given = value(name).trim();
        return wanted === '*' ? given !== '' : given === wanted;
    });
}
function fill(template, value) {
    return template.replace(/\{(%?)([a-z-]+)\|([^}]*)\}/g, (_, sign, name, placeholder) => {
        const items = value(name)
            .split(/[\r\n,]/)
            .map((item) => item.trim());
        const given = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .plainLine */ .h0)(items.filter((item) => item !== '').join(','), 200);
        // A key that was given by mistake is not repeated.
        if (given === '' || (0,_values_js__WEBPACK_IMPORTED_MODULE_1__/* .isKeyShaped */ .j2)(given))
            return placeholder;
        return sign === '' ? given : encodeURIComponent(given);
    });
}


/***/ }),

/***/ 4267:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  Ju: () => (/* binding */ accept),
  Kz: () => (/* binding */ apiKey),
  AV: () => (/* binding */ apiToken),
  pc: () => (/* binding */ baseUrl),
  zM: () => (/* binding */ values_boolean),
  SX: () => (/* binding */ booleanOr),
  LQ: () => (/* binding */ botLogin),
  I: () => (/* binding */ commandWord),
  _: () => (/* binding */ decimal),
  p0: () => (/* binding */ duration),
  Sm: () => (/* binding */ hostName),
  nd: () => (/* binding */ integer),
  j2: () => (/* binding */ isKeyShaped),
  n8: () => (/* binding */ line),
  Mn: () => (/* binding */ lines),
  p_: () => (/* binding */ list),
  iD: () => (/* binding */ login),
  yL: () => (/* binding */ oneOf),
  qx: () => (/* binding */ pageAddress),
  HX: () => (/* binding */ pagePath),
  Br: () => (/* binding */ pathBelow),
  lH: () => (/* binding */ pathId),
  ku: () => (/* binding */ reject),
  Jk: () => (/* binding */ repository),
  Zu: () => (/* binding */ repositoryOrId),
  SH: () => (/* binding */ repositoryPath),
  Gf: () => (/* binding */ secretName),
  bu: () => (/* binding */ siteId),
  Ej: () => (/* binding */ size),
  Qq: () => (/* binding */ values_text)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(6760);
;// CONCATENATED MODULE: external "node:url"
const external_node_url_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:url");
// EXTERNAL MODULE: ./build/src/http/hosts.js + 1 modules
var hosts = __nccwpck_require__(3781);
// EXTERNAL MODULE: ./build/src/stores/address.js
var address = __nccwpck_require__(1824);
// EXTERNAL MODULE: ./build/src/text/names.js
var names = __nccwpck_require__(6761);
;// CONCATENATED MODULE: ./build/src/inputs/values.js





function accept(value) {
    return { ok: true, value };
}
function reject(allowed) {
    return { ok: false, allowed };
}
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 };
/** `90s`, `30m`, `2h`, in milliseconds. */
const duration = (text) => {
    const match = /^(\d{1,6})([smh])$/.exec(text);
    const unitMs = UNIT_MS[match?.[2] ?? ''];
    if (unitMs !== undefined)
        return accept(Number(match?.[1]) * unitMs);
    const meant = suggestDuration(text);
    return reject(`a duration${meant === undefined ? ' such as 90s, 30m or 2h' : `; write ${meant}`}`);
};
/** `30` and `30 minutes` as `30m`: minutes are what a bare number means in a workflow (`timeout-minutes`). */
function suggestDuration(text) {
    const match = /^(\d{1,6})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|)$/i.exec(text);
    return match === null ? undefined : `${match[1]}${(match[2] ?? '').charAt(0).toLowerCase() || 'm'}`;
}
const UNIT_BYTES = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };
function writeSize(bytes) {
    return bytes >= 1024 ** 3 ? `${bytes / 1024 ** 3}GiB` : `${bytes / 1024}KiB`;
}
/** `48KiB`, in bytes, within the given bounds. */
function size({ min, max }) {
    return (text) => {
        const match = /^(\d{1,9})(B|KiB|MiB|GiB)$/.exec(text);
        const bytes = Number(match?.[1]) * (UNIT_BYTES[match?.[2] ?? ''] ?? Number.NaN);
        return bytes >= min && bytes <= max
            ? accept(bytes)
            : reject(`a size such as ${max >= 1024 ** 3 ? '200MiB' : '48KiB'}, ${writeSize(min)} to ${writeSize(max)}`);
    };
}
/** The YAML 1.2 core set, as the toolkit's getBooleanInput takes it. */
const values_boolean = (text) => {
    if (['true', 'True', 'TRUE'].includes(text))
        return accept(true);
    return ['false', 'False', 'FALSE'].includes(text) ? accept(false) : reject('true or false');
};
/** A boolean, or one word for more than `true`. */
function booleanOr(word) {
    return (text) => {
        if (text === word)
            return accept(word);
        const parsed = values_boolean(text);
        return parsed.ok ? parsed : reject(`true, false or ${word}`);
    };
}
/** Decimal digits only: no sign, exponent, hexadecimal or white space. */
function integer({ min, max }) {
    return (text) => {
        const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
        return value >= min && value <= max ? accept(value) : reject(`a whole number, ${min} to ${max}`);
    };
}
function decimal({ min, max }) {
    return (text) => {
        const value = /^\d{1,3}(\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;
        return value >= min && value <= max ? accept(value) : reject(`a number, ${min} to ${max}`);
    };
}
function oneOf(values) {
    return (text) => {
        const value = values.find((candidate) => candidate === text);
        if (value !== undefined)
            return accept(value);
        const meant = (0,names/* guess */.Iw)(text, values);
        return reject(`${values.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`);
    };
}
const values_text = (value) => accept(value);
/** One line without control characters, at most 255 characters. */
const line = (value) => /^[^\p{Cc}\p{Zl}\p{Zp}]{1,255}$/u.test(value) ? accept(value) : reject('one line of at most 255 characters');
/** Entries between commas or line ends, each parsed by itself. */
function list(parser) {
    return (value) => {
        const parsed = value
            .split(/[,\r\n]/)
            .map((part) => part.trim())
            .filter((part) => part !== '')
            .map(parser);
        const fault = parsed.find((entry) => !entry.ok);
        if (fault !== undefined && !fault.ok)
            return reject(`a list, each entry ${fault.allowed}`);
        return accept(parsed.flatMap((entry) => (entry.ok ? [entry.value] : [])));
    };
}
/** One entry a line, each parsed by itself; a comma belongs to its entry. */
function lines(parser) {
    return (value) => {
        const parsed = value
            .split(/[\r\n]/)
            .map((part) => part.trim())
            .filter((part) => part !== '')
            .map(parser);
        const fault = parsed.find((entry) => !entry.ok);
        if (fault !== undefined && !fault.ok)
            return reject(`one entry a line, each ${fault.allowed}`);
        return accept(parsed.flatMap((entry) => (entry.ok ? [entry.value] : [])));
    };
}
/** A page of a site as the platform names it: `guides/getting-started`. */
const pagePath = (value) => {
    const parts = value.split('/');
    const isPath = /^[^\s\p{Cc}?#\\]{1,1000}$/u.test(value) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
    if (isPath && !value.includes('://'))
        return accept(value);
    const plain = value.replace(/^\/+|\/+$/g, '');
    const hint = plain !== value && !/\s|:\/\//.test(plain) && plain !== '' ? `; write ${plain}` : '';
    return reject(`a page path without a leading slash, such as guides/getting-started${hint}`);
};
/** A file of a repository, from its root. */
const repositoryPath = (value) => {
    const isPath = /^[^\p{Cc}\\]{1,500}$/u.test(value) && value.split('/').every((part) => !['', '.', '..'].includes(part));
    return isPath ? accept(value) : reject('a path from the root of the repository, such as .github/docs-agent.md');
};
/** An id that goes into a path of the platform. */
const pathId = (value) => (0,names/* isPathId */.Jf)(value) ? accept(value) : reject('an id of 1 to 128 letters, digits, dots, underscores, tildes or hyphens');
/** https with a host, or http to a loopback host; a path prefix stays, a trailing slash goes. */
const baseUrl = (value) => {
    const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined)
        return reject('an https address such as https://api.docs.example.com');
    if (url.username !== '' || url.password !== '')
        return reject('an address without user name and password');
    if (/[?#]/.test(value))
        return reject('an address without query and fragment');
    const excess = /\/(v\d+|discovery)(\/.*)?$/.exec(url.pathname)?.[0];
    if (excess !== undefined)
        return reject(`the address that all paths of the API begin with; leave out ${excess}`);
    if (/^(dashboard|app|admin|console)\./.test(url.hostname)) {
        return reject("the address of the API, not of the dashboard; the dashboard's API keys page shows it");
    }
    if (url.protocol === 'http:' && !(0,hosts/* isLoopback */.U9)(url.hostname))
        return reject('https (http is for a loopback host only)');
    return accept(url.href.replace(/\/+$/, ''));
};
const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
// What the user most likely meant: the host of an address, without port, path and white space.
function suggestHost(value) {
    const bare = value
        .trim()
        .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
        .replace(/^[^@/]*@/, '')
        .replace(/[/?#:\s].*$/s, '');
    const host = (0,external_node_url_namespaceObject.domainToASCII)(bare).replace(/\.$/, '');
    return HOST.test(host) ? host : undefined;
}
/** A host name; capitals and Unicode are brought to the ASCII form (IDNA). */
const hostName = (value) => {
    const host = /^[^\s/:?#@%\\]+$/.test(value) ? (0,external_node_url_namespaceObject.domainToASCII)(value) : '';
    if (HOST.test(host))
        return accept(host);
    const suggestion = suggestHost(value);
    return reject(`a host name${suggestion === undefined ? ' such as docs.example.com' : `; write ${suggestion}`}`);
};
/** The identifier that search wants: the leading label, not the host name. */
const siteId = (value) => {
    if ((0,names/* isPathId */.Jf)(value) && !value.includes('.'))
        return accept(value);
    const label = suggestHost(value)?.split('.')[0];
    return reject(`the site's identifier without a dot${label === undefined ? ', such as acme' : `; write ${label}`}`);
};
/** `owner/name`. GitHub's own rules for both halves. */
const repository = (value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(value)
    ? accept(value)
    : reject('owner/name');
const login = (value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(value) ? accept(value) : reject('the login of an account');
const botLogin = (value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$/.test(value)
    ? accept(value)
    : reject('the login of a bot, such as my-app[bot]');
/** A repository for an organization secret: its id, its name, or `owner/name`. */
const repositoryOrId = (value) => /^(\d{1,15}|([A-Za-z0-9][A-Za-z0-9_-]{0,99}\/)?(?!\.{1,2}$)[A-Za-z0-9._-]{1,100})$/.test(value)
    ? accept(value)
    : reject('a repository name or id');
/** GitHub's rules for names of secrets and variables: https://docs.github.com/actions/reference/security/secrets. */
const secretName = (value) => {
    if ((0,address/* isSettingName */.s9)(value))
        return accept(value);
    const upper = value.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
    const suggestion = /^[A-Z_]/.test(upper) && !upper.startsWith('GITHUB_') && upper !== value && !isKeyShaped(value)
        ? `; write ${upper.slice(0, 200)}`
        : '';
    return reject(`capital letters, digits and underscores, not beginning with a digit or GITHUB_${suggestion}`);
};
/** The word that a comment starts with. Printable ASCII, so that nothing that only looks like it can be one. */
const commandWord = (value) => /^[!-~]{2,50}$/.test(value)
    ? accept(value)
    : reject('one word of 2 to 50 printable ASCII characters, such as /docs-agent');
/** An absolute path; a relative one is taken from the workspace. Whether it may be used is checked where it is. */
function pathBelow(workspace) {
    return (value) => (value.includes('\0') ? reject('a path') : accept((0,external_node_path_.resolve)(workspace, value)));
}
/** The address of a page in the site, or a pattern of such: `/guide/start`, `/api/*`, `/guide/**`. */
const pageAddress = (value) => {
    const isAddress = /^\/[^\s\p{Cc}?#\\]{0,999}$/u.test(value) && !/(^|\/)\.{1,2}(\/|$)|\/\//.test(value);
    if (isAddress)
        return accept(value);
    const hint = /^[^\s/:?#]+(\/[^\s:?#]*)*$/.test(value) ? `; write /${value}` : '';
    return reject(`the address of a page in the site, such as /guide/start or /guide/**${hint}`);
};
/** True for what looks like a key or token of some service: a word, `_`, and a long rest with digits in it. */
function isKeyShaped(value) {
    return /^[A-Za-z0-9]{2,20}_(?=(\D*\d){4})[A-Za-z0-9_.-]{16,}$/.test(value);
}
const ASSISTANT_KEY = /^[A-Za-z0-9]+_dsc_/;
const SHORTEST_KEY = 8;
const SCHEME = /^(?:authorization:\s*)?(?:bearer|token|basic)\s+/i;
// A name in capitals, and enough behind the sign: base64 ends with `=` too.
const ASSIGNMENT = /^(?:(?:export|set)\s+\w+|[A-Z][A-Z0-9_]*)=(?=[^=].{6})/;
/** What was copied together with a key, without the key: the scheme of a header, the assignment of a shell, quotes. */
function copiedExcess(value) {
    const before = (SCHEME.exec(value) ?? ASSIGNMENT.exec(value))?.[0] ?? '';
    const isQuoted = /^["'`]/.test(value.slice(before.length)) || /["'`]$/.test(value);
    const parts = [before === '' ? undefined : `"${before}"`, isQuoted ? 'the quotes' : undefined];
    const excess = parts.filter((part) => part !== undefined).join(' and ');
    return excess === '' ? undefined : excess;
}
/** An API key of the wanted kind. What is wrong is reported without the key. */
function apiKey(kind) {
    const wanted = kind === 'admin' ? 'an admin API key' : 'an assistant API key (its second word is dsc)';
    return (value) => {
        const excess = copiedExcess(value);
        if (excess !== undefined)
            return reject(`${wanted} alone; leave out ${excess}`);
        if (!/^[!-~]+$/.test(value))
            return reject(`${wanted}: one line of printable ASCII characters`);
        if (value.length < SHORTEST_KEY)
            return reject(`${wanted}: at least ${SHORTEST_KEY} characters`);
        if (ASSISTANT_KEY.test(value) === (kind === 'assistant'))
            return accept(value);
        return reject(`${wanted}; this one is ${kind === 'admin' ? 'an assistant key, which may not start jobs' : 'not: an admin key must not travel where public keys do'}`);
    };
}
/** A token for GitHub: opaque, but one line that a header can carry. */
const apiToken = (value) => {
    const excess = copiedExcess(value);
    if (excess !== undefined)
        return reject(`a token alone; leave out ${excess}`);
    if (/^[!-~]{8,4096}$/.test(value))
        return accept(value);
    return reject('a token: one line of at least 8 printable ASCII characters');
};


/***/ }),

/***/ 6671:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   hM: () => (/* binding */ createLog)
/* harmony export */ });
/* unused harmony exports MAX_ANNOTATIONS, MAX_INFO_LINES */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7598);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(4502);
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(8092);



/** The runner shows ten annotations of a kind per step; more would only hide these. */
const MAX_ANNOTATIONS = 10;
const MAX_INFO_LINES = 500;
function createLog(toolkit) {
    return new CiLog(toolkit);
}
class CiLog {
    #toolkit;
    #shown;
    #secrets;
    #redact;
    constructor(toolkit, shown = { annotations: 0, lines: 0 }, secrets = []) {
        this.#toolkit = toolkit;
        this.#shown = shown;
        this.#secrets = new Set(secrets);
        this.#redact = (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_2__/* .createRedact */ .ay)([...this.#secrets]);
    }
    info(message) {
        this.#print(message);
    }
    progress(message, fraction) {
        if (this.#toolkit.progress === undefined)
            this.#print(message);
        else
            this.#toolkit.progress(this.#oneLine(message, 400), fraction);
    }
    table(head, rows, plain) {
        const shown = rows.slice(0, MAX_INFO_LINES);
        if (this.#toolkit.table === undefined) {
            for (const [index, cells] of shown.entries()) {
                const text = plain(cells, index);
                if (text !== undefined)
                    this.info(text);
            }
            return;
        }
        this.#toolkit.table(head, shown.map((cells) => cells.map((cell) => this.#inert(cell).join('\n'))));
        if (rows.length > shown.length)
            this.info('Further rows are left out.');
    }
    debug(message) {
        this.#toolkit.debug?.(this.#oneLine(message, 1000));
    }
    notice(message, place = {}) {
        this.#annotate('notice', message, place);
    }
    warning(message, place = {}) {
        this.#annotate('warning', message, place);
    }
    error(message, place = {}) {
        this.#annotate('error', message, place);
    }
    block(title, text) {
        this.#print(title);
        // Redacted before anything is put between its lines: a secret may go over several.
        const quoted = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .visibleLines */ .gB)(this.#redact(text)).map((line) => `| ${line}`);
        const pause = this.#toolkit.pauseCommands?.((0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(16).toString('hex'));
        if (pause !== undefined)
            this.#toolkit.info(pause.begin);
        this.#print(quoted.join('\n'));
        if (pause !== undefined)
            this.#toolkit.info(pause.end);
    }
    async group(title, body) {
        this.#toolkit.startGroup(this.#oneLine(title, 200));
        try {
            return await body();
        }
        finally {
            this.#toolkit.endGroup();
        }
    }
    mask(secret) {
        if (secret.length < _text_redact_js__WEBPACK_IMPORTED_MODULE_2__/* .SHORTEST_SECRET */ .c3 || this.#secrets.has(secret))
            return;
        this.#secrets.add(secret);
        for (const form of (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_2__/* .secretForms */ .eo)(secret))
            if (!/[\r\n]/.test(form))
                this.#toolkit.setSecret(form);
        this.#redact = (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_2__/* .createRedact */ .ay)([...this.#secrets]);
    }
    // A property: callers pass it on as a function, without the log.
    redact = (text) => this.#redact(text);
    part() {
        return new CiLog(this.#toolkit, this.#shown, this.#secrets);
    }
    #print(text) {
        for (const line of this.#inert(text)) {
            this.#shown.lines += 1;
            if (this.#shown.lines < MAX_INFO_LINES)
                this.#toolkit.info(line);
            else if (this.#shown.lines === MAX_INFO_LINES)
                this.#toolkit.info('Further lines are left out.');
        }
    }
    #annotate(level, message, place) {
        this.#shown.annotations += 1;
        // Beyond the limits an error is still shown, since it is why the run failed.
        if (this.#shown.annotations <= MAX_ANNOTATIONS)
            this.#mark(level, message, place);
        else if (level === 'error')
            this.#toolkit.info(this.#inert(`error: ${message}`).join('\n'));
        else
            this.#print(`${level}: ${message}`);
    }
    #mark(level, message, { title, file, line }) {
        this.#toolkit[level](this.#inert(message).join('\n'), {
            ...(title !== undefined && { title: this.#oneLine(title, 200) }),
            ...(file !== undefined && { file: this.#oneLine(file, 400) }),
            ...(line !== undefined && { startLine: line }),
        });
    }
    /** The lines of a text, redacted, and none of them a command: neither of the systems that are known nor of this one. */
    #inert(text) {
        return (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .inertLines */ .wi)(this.#redact(text)).map((line) => this.#toolkit.isCommand?.(line) === true ? `| ${line}` : line);
    }
    #oneLine(text, max) {
        return this.#inert((0,_text_redact_js__WEBPACK_IMPORTED_MODULE_2__/* .excerpt */ .Kb)(text, { redact: this.#redact, max })).join(' ');
    }
}


/***/ }),

/***/ 4553:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ loadMode)
/* harmony export */ });
/** Every mode, loaded only when it is asked for. */
const LOADERS = {
    export: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(9246), __nccwpck_require__.e(7463)]).then(__nccwpck_require__.bind(__nccwpck_require__, 7463))).exportMode,
    refresh: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(8166), __nccwpck_require__.e(9246), __nccwpck_require__.e(1344)]).then(__nccwpck_require__.bind(__nccwpck_require__, 1344))).refreshMode,
    rollback: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(8166), __nccwpck_require__.e(9246), __nccwpck_require__.e(6899)]).then(__nccwpck_require__.bind(__nccwpck_require__, 6899))).rollbackMode,
    agent: async () => (await __nccwpck_require__.e(/* import() */ 7101).then(__nccwpck_require__.bind(__nccwpck_require__, 7101))).agentMode,
    doctor: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(8166), __nccwpck_require__.e(9246), __nccwpck_require__.e(2627), __nccwpck_require__.e(3129)]).then(__nccwpck_require__.bind(__nccwpck_require__, 3836))).doctorMode,
    plan: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(4006), __nccwpck_require__.e(2451)]).then(__nccwpck_require__.bind(__nccwpck_require__, 2451))).planMode,
    search: async () => (await __nccwpck_require__.e(/* import() */ 2164).then(__nccwpck_require__.bind(__nccwpck_require__, 2164))).searchMode,
};
function loadMode(mode) {
    return LOADERS[mode]();
}


/***/ }),

/***/ 9114:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   B4: () => (/* binding */ createPlatformClient),
/* harmony export */   Vk: () => (/* binding */ platformService),
/* harmony export */   oO: () => (/* binding */ createTransport)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7406);
/* harmony import */ var _http_http_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(9588);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(6691);
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(8092);




// The schemas and their library are loaded while the first request is on its way.
function late(name) {
    return async () => (await __nccwpck_require__.e(/* import() */ 3759).then(__nccwpck_require__.bind(__nccwpck_require__, 3759)))[name];
}
// A cancelled run has 4.5 s in all: what is left after these is for storing the id.
const START_GRACE_MS = 4000;
const STARTS_PER_HOUR = '10 export starts per organization per hour';
const AGENT_USES_PER_HOUR = '100 agent messages per project per hour';
function createPlatformClient(transport) {
    const exportPath = (jobId) => ['v1', 'static-export', 'jobs', jobId];
    const projectPath = (projectId) => ['v1', 'static-export', projectId, 'jobs'];
    const agentPath = (projectId) => ['v2', 'agent', projectId, 'job'];
    const start = (call) => transport.call({
        ...call,
        method: 'POST',
        key: 'admin',
        schema: late('exportJobStarted'),
        also: { status: 409, schema: late('exportJobBusy') },
        repeat: 'unless-acted',
        cancelGraceMs: START_GRACE_MS,
    });
    const read = ({ repeat = 'never', timeLimitMs } = {}) => ({ method: 'GET', key: 'admin', repeat, timeLimitMs });
    return {
        startExport: (domain, { version, paths } = {}) => start({
            path: ['v1', 'static-export', 'jobs'],
            body: { domain, ...(version !== undefined && { version }), ...(paths !== undefined && { paths }) },
        }),
        getExportJob: (jobId, options) => transport.call({ ...read(options), path: exportPath(jobId), schema: late('exportJob') }),
        createBundle: (jobId) => transport.call({
            method: 'POST',
            path: [...exportPath(jobId), 'bundle'],
            key: 'admin',
            schema: late('exportBundle'),
            repeat: 'always',
        }),
        startProjectExport: (projectId, basePath) => start({
            path: projectPath(projectId),
            body: basePath === undefined ? undefined : { basePath },
            hourlyLimit: STARTS_PER_HOUR,
        }),
        getProjectExportJob: ({ projectId, jobId }, options) => transport.call({ ...read(options), path: [...projectPath(projectId), jobId], schema: late('projectExportJob') }),
        getAgentJob: ({ projectId, id }, options) => transport.call({ ...read(options), path: [...agentPath(projectId), id], schema: late('agentJob') }),
        createAgentJob: (projectId, prompt) => transport.call({
            method: 'POST',
            path: agentPath(projectId),
            key: 'admin',
            body: { prompt },
            schema: late('agentJob'),
            repeat: 'unless-acted',
            hourlyLimit: AGENT_USES_PER_HOUR,
        }),
        sendAgentMessage: ({ projectId, id }, prompt) => transport.call({
            method: 'POST',
            path: [...agentPath(projectId), id, 'message'],
            key: 'admin',
            body: { prompt },
            schema: late('agentMessageReply'),
            repeat: 'unless-acted',
            hourlyLimit: AGENT_USES_PER_HOUR,
        }),
        search: (domain, request) => transport.call({
            method: 'POST',
            path: ['discovery', 'v1', 'search', domain],
            key: 'assistant',
            body: request,
            schema: late('searchResults'),
            repeat: 'always',
        }),
    };
}
/** HTTP to the platform: addresses, keys, and its replies as schemas. Redirects are refused: one would carry the key along. */
function createTransport(init) {
    const http = init.http ?? new _http_http_js__WEBPACK_IMPORTED_MODULE_1__/* .Http */ .l(init);
    const redact = (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_3__/* .createRedact */ .ay)(Object.values(init.keys).filter((key) => key !== undefined));
    return {
        async call(call) {
            const body = call.body === undefined ? undefined : JSON.stringify(call.body);
            const { value, reply } = await http.requestJson({
                service: platformService(call),
                method: call.method,
                url: new URL(`${init.baseUrl}/${call.path.map(encodeURIComponent).join('/')}`),
                headers: headersOf(call, init.keys),
                body,
                repeat: call.repeat,
                timeLimitMs: call.timeLimitMs,
                cancelGraceMs: call.cancelGraceMs,
                redact,
            }, call.schema, call.also);
            return { value, serverTime: serverTime(reply) };
        },
    };
}
function headersOf(call, keys) {
    const key = keys[call.key];
    if (key === undefined)
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({ code: 'config', message: `The ${call.key} API key is missing.` });
    return {
        accept: 'application/json',
        authorization: `Bearer ${key}`,
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
    };
}
function serverTime(reply) {
    const time = Date.parse(reply.headers.date ?? '');
    return Number.isNaN(time) ? undefined : new Date(time);
}
/** The platform as the HTTP ground sees it when it gets this call. */
function platformService({ key, hourlyLimit }) {
    return {
        name: 'the platform',
        addressSetting: 'base-url',
        errorText,
        meaning({ status }, { retryAfterMs }) {
            if (status === 429 && retryAfterMs === undefined && hourlyLimit !== undefined) {
                // Uses of an hour come back within the hour, not within the seconds that attempts are apart.
                return { retry: 'no', hint: `The platform's limit is reached: ${hourlyLimit}. Run again within the hour.` };
            }
            return { hint: hintOfStatus(status, key) };
        },
    };
}
/** The platform's own words in an error reply. */
function errorText(reply) {
    const text = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_2__/* .fieldOf */ ._F)((0,_text_json_js__WEBPACK_IMPORTED_MODULE_2__/* .parseJson */ .qF)(reply.body.toString('utf8')), 'error');
    return typeof text === 'string' ? text : undefined;
}
function hintOfStatus(status, key) {
    const input = key === 'admin' ? 'admin-api-key' : 'assistant-api-key';
    switch (status) {
        case 401:
            return `The key in ${input} was not accepted: it may have expired or been revoked. Make a new one on the API keys page of the platform's dashboard and store it in the secret that the workflow passes.`;
        case 402:
            return "The organization's plan does not include this: static export needs the Enterprise plan. Ask whoever manages the plan on the platform.";
        case 403:
            return `The key in ${input} may not do this: check its kind and scope, an IP allow-list of the platform, and the plan (static export needs the Enterprise plan).`;
        case 404:
        case 410:
            return "The platform does not know an id or the domain in this address. Compare the inputs of the step with the platform's dashboard.";
        case 409:
            return 'The platform says that this does not fit the present state; try again in a moment.';
        case 400:
        case 413:
        case 422:
            return 'The platform refused the request: check the inputs that the message names.';
        default:
            return undefined;
    }
}


/***/ }),

/***/ 4104:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ defineMode),
/* harmony export */   O: () => (/* binding */ finish)
/* harmony export */ });
/* harmony import */ var _ci_port_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(3275);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(4502);
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(7417);




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
        return finish(end, { facts: { ...known, ...ending }, presentation: mode });
    }
    catch (error) {
        return finish(end, { facts: known, presentation: mode, error: (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .toCourierError */ .tR)(error) });
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
/** The status that an error stands for. */
function statusOfCode(code) {
    return code === 'timed-out' || code === 'cancelled' || code === 'refused' ? code : 'failed';
}
/** Writes outputs, report, summary and the last lines of the log of a run that has ended, and gives the exit code. */
function finish(end, ended) {
    const { results, log } = end;
    const report = makeReport(end, ended);
    const json = log.redact(JSON.stringify(reported(report, ended.presentation?.unreported), undefined, 2));
    const outputs = {
        ...ended.presentation?.outputs(ended.facts),
        status: report.status,
        'error-code': ended.error?.code,
        report: log.redact(cutReport(json, report)),
        'report-path': results.writeReport(json),
    };
    const unwritten = failureOf(() => results.writeOutputs(outputs));
    // A run whose outputs are lost is not done, whatever it did; what went wrong first is the better explanation.
    if (unwritten !== undefined && ended.error === undefined)
        return finishUnwritten(end, ended, unwritten);
    writeSummary(end, ended, report);
    writeChecks(end, ended);
    logEnd(end, ended, report);
    return codeOf(end, report);
}
function codeOf({ mode, exitCode: rule = exitCode }, { status, error }) {
    return rule({ status, mode, errorCode: error?.code });
}
function finishUnwritten(end, { facts, presentation }, error) {
    const failed = { facts, presentation, error };
    const report = makeReport(end, failed);
    writeSummary(end, failed, report);
    logEnd(end, failed, report);
    return codeOf(end, report);
}
function makeReport(end, { facts, error }) {
    return {
        version: 1,
        mode: end.mode,
        startedAt: end.startedAt.toISOString(),
        elapsedMs: Math.round(end.clock.monotonicMs() - end.startMs),
        ...facts,
        status: error === undefined ? (facts.status ?? 'completed') : statusOfCode(error.code),
        error: error && toReportError(end, error),
    };
}
function toReportError({ showHint }, { code, message, hint }) {
    return { code, message, hint: hint && showHint(hint), help: (0,_report_js__WEBPACK_IMPORTED_MODULE_2__/* .helpAddress */ .Yo)(code) };
}
function reported(report, unreported = []) {
    return Object.fromEntries(
    // The report may be printed and kept as an artifact; the link may not.
    Object.entries(report).filter(([name]) => name !== 'bundleUrl' && !unreported.includes(name)));
}
/** The whole report where it fits an output; else what every mode has, so that it stays JSON. */
function cutReport(json, { version, mode, status, error, startedAt, elapsedMs }) {
    if (Buffer.byteLength(json) <= _ci_port_js__WEBPACK_IMPORTED_MODULE_3__/* .MAX_OUTPUT_BYTES */ .$)
        return json;
    const message = error && { ...error, message: (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .Jj)(error.message, { bytes: 4096 }) };
    return JSON.stringify({ version, mode, status, error: message, startedAt, elapsedMs, truncated: true });
}
function writeSummary(end, { presentation }, report) {
    const summary = presentation?.summary(report, end.clock.now()) ?? plainSummary(report);
    const text = end.runUrl === undefined ? summary : (0,_report_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([summary, (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .link */ .nf)('The run', end.runUrl)]);
    const failed = failureOf(() => end.results.writeSummary(end.log.redact(text)));
    if (failed !== undefined)
        end.log.warning(`The summary could not be written. ${failed.message}`);
}
function writeChecks({ results, log, mode }, { presentation, facts, error }) {
    const checks = presentation?.checks?.(facts) ?? [];
    // A report without a single check would look like one in which all of them passed.
    const broken = { group: 'docs-courier', name: mode, outcome: 'error', message: error?.message };
    const whole = checks.length === 0 && error !== undefined ? [broken] : checks;
    const shown = whole.map((check) => ({ ...check, message: check.message && log.redact(check.message) }));
    const failed = failureOf(() => results.writeChecks?.(shown));
    if (failed !== undefined)
        log.warning(`The report of the checks could not be written. ${failed.message}`);
}
function failureOf(call) {
    try {
        call();
        return undefined;
    }
    catch (error) {
        return (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .toCourierError */ .tR)(error);
    }
}
function plainSummary(report) {
    const reason = report.reason === undefined ? '' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(report.reason);
    return (0,_report_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([(0,_report_js__WEBPACK_IMPORTED_MODULE_2__/* .heading */ .R_)('Docs Courier', report.status), reason, (0,_report_js__WEBPACK_IMPORTED_MODULE_2__/* .errorSection */ .K6)(report.error)]);
}
function logEnd({ log }, { error }, report) {
    if (report.error === undefined) {
        for (const { action, target } of report.planned ?? [])
            log.info(`Dry run, not done: ${action}: ${target}`);
        log.info(`Status: ${report.status}${report.reason === undefined ? '' : `. ${report.reason}`}`);
        return;
    }
    const { code, message, hint, help } = report.error;
    const lines = [message, hint, `See ${help}`].filter((line) => line !== undefined);
    log.error(lines.join('\n'), { title: `Docs Courier: ${code}` });
    for (let cause = error?.cause; cause instanceof Error; cause = cause.cause)
        log.debug(`Caused by ${cause.name}: ${cause.message}`);
}
/** 1 where the run should be red. Refused agent commands are not: strangers must not turn runs red. */
function exitCode({ status, mode }) {
    switch (status) {
        case 'failed':
        case 'timed-out':
        case 'cancelled':
            return 1;
        case 'refused':
            return mode === 'agent' ? 0 : 1;
        case 'completed':
        case 'detached':
        case 'skipped':
            return 0;
    }
}


/***/ }),

/***/ 7533:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  i: () => (/* binding */ main)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __nccwpck_require__(7406);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __nccwpck_require__(1455);
;// CONCATENATED MODULE: ./build/src/github/connection.js


function createGitHub(init) {
    const { run, clock, log, signal, http } = init;
    let payload;
    const event = () => {
        payload ??= readEvent(run.eventPath);
        return payload;
    };
    const open = async (token, ownSignal) => {
        // Octokit's package parses the event file when it is loaded, and dies without a word about it: look first.
        await event();
        const { createOctokit } = await __nccwpck_require__.e(/* import() */ 6330).then(__nccwpck_require__.bind(__nccwpck_require__, 6330));
        return createOctokit({ token, apiUrl: run.apiUrl, clock, log, signal: ownSignal, http });
    };
    // Stores connect for each call, and a client is a class of its own with all plugins: a refresh of many sites made thousands.
    const clients = new WeakMap();
    return {
        run,
        event,
        connect(token, ownSignal = signal) {
            const known = clients.get(ownSignal) ?? new Map();
            clients.set(ownSignal, known);
            const client = known.get(token) ?? open(token, ownSignal);
            known.set(token, client);
            return client;
        },
    };
}
async function readEvent(path) {
    if (path === '')
        return {};
    try {
        return JSON.parse(await (0,promises_.readFile)(path, 'utf8'));
    }
    catch (cause) {
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: 'The event file that GITHUB_EVENT_PATH names cannot be read as JSON.',
            hint: 'Docs Courier runs as a step of a GitHub Actions workflow, which writes this file.',
            cause,
        });
    }
}

// EXTERNAL MODULE: ./build/src/http/http.js
var http_http = __nccwpck_require__(9588);
// EXTERNAL MODULE: ./build/src/text/names.js
var names = __nccwpck_require__(6761);
// EXTERNAL MODULE: ./build/src/inputs/catalog.js
var catalog = __nccwpck_require__(3204);
// EXTERNAL MODULE: ./build/src/inputs/inputs.js
var inputs_inputs = __nccwpck_require__(2542);
// EXTERNAL MODULE: ./build/src/inputs/values.js + 1 modules
var inputs_values = __nccwpck_require__(4267);
;// CONCATENATED MODULE: ./build/src/inputs/read-follow.js

/** How long a job is followed. */
function readFollow(reader) {
    const timeoutMs = reader.required('timeout', inputs_values/* duration */.p0) ?? 0;
    const onTimeout = reader.required('on-timeout', inputs_values/* oneOf */.yL(['fail', 'detach'])) ?? 'fail';
    return { timeoutMs, onTimeout };
}

;// CONCATENATED MODULE: ./build/src/inputs/read-agent.js




const CONTEXT_LIMIT = { min: 4 * 1024, max: 1024 * 1024 };
/** Goes through all of its inputs before it gives up: every fault is to be reported. */
function readAgent(reader, destination) {
    const adminApiKey = reader.required('admin-api-key', (0,inputs_values/* apiKey */.Kz)('admin'));
    const githubToken = reader.required('github-token', inputs_values/* apiToken */.AV);
    const rankToken = destination.forge === 'gitea' ? reader.optional('secret-token', inputs_values/* apiToken */.AV) : undefined;
    const projectId = reader.required('project-id', inputs_values/* pathId */.lH);
    const repositories = reader.optional('agent-repositories', inputs_values/* list */.p_(inputs_values/* repository */.Jk)) ?? [];
    const agent = {
        ...readFollow(reader),
        agentJobId: reader.optional('agent-job-id', inputs_values/* pathId */.lH),
        createAgentJob: reader.required('create-agent-job', inputs_values/* boolean */.zM) ?? false,
        prompt: reader.optional('prompt', inputs_values/* text */.Qq),
        promptFile: reader.optional('prompt-file', inputs_values/* repositoryPath */.SH),
        onlyPaths: reader.optional('only-paths', inputs_values/* lines */.Mn(inputs_values/* line */.n8)),
        command: reader.required('command', inputs_values/* commandWord */.I) ?? '',
        pullRequest: reader.optional('pull-request', inputs_values/* integer */.nd({ min: 1, max: 2 ** 31 - 1 })),
        requiredPermission: reader.required('required-permission', inputs_values/* oneOf */.yL(inputs_inputs/* PERMISSIONS */.Jj)) ?? 'admin',
        allowedBots: reader.optional('allowed-bots', inputs_values/* list */.p_(inputs_values/* botLogin */.LQ)) ?? [],
        allowOutsideText: reader.required('allow-outside-text', inputs_values/* boolean */.zM) ?? false,
        agentRepositories: repositories.filter((name) => name.toLowerCase() !== destination.repository.toLowerCase()),
        context: readContext(reader),
        contextLimitBytes: reader.required('context-limit', inputs_values/* size */.Ej(CONTEXT_LIMIT)) ?? 0,
        relatedDocs: readRelatedDocs(reader),
        wait: reader.required('wait', inputs_values/* boolean */.zM) ?? true,
        statusComment: reader.required('status-comment', inputs_values/* boolean */.zM) ?? true,
    };
    if (reader.isGiven('prompt') && reader.isGiven('prompt-file')) {
        reader.problem('prompt and prompt-file exclude each other; give one of them');
    }
    else if (!reader.isGiven('prompt') && !reader.isGiven('prompt-file')) {
        reader.forbid(['only-paths'], 'is read only with prompt or prompt-file; a command in a comment is for the whole pull request');
    }
    if (adminApiKey === undefined || githubToken === undefined || projectId === undefined)
        return undefined;
    return { mode: 'agent', ...agent, adminApiKey, githubToken, rankToken, projectId };
}
function readContext(reader) {
    return (reader.required('context', (text) => text === 'none' ? (0,inputs_values/* accept */.Ju)([]) : inputs_values/* list */.p_(inputs_values/* oneOf */.yL(inputs_inputs/* CONTEXT_PARTS */.Vk))(text)) ?? []);
}
function readRelatedDocs(reader) {
    const count = reader.required('related-docs', inputs_values/* integer */.nd({ min: 0, max: 10 })) ?? 0;
    if (count === 0) {
        reader.forbid(['domain', 'assistant-api-key'], 'is read in agent mode only with related-docs');
        return undefined;
    }
    const domain = reader.required('domain', inputs_values/* siteId */.bu, ': related-docs searches this site');
    const assistantApiKey = reader.required('assistant-api-key', (0,inputs_values/* apiKey */.Kz)('assistant'), ': related-docs searches with it');
    return domain === undefined || assistantApiKey === undefined ? undefined : { count, domain, assistantApiKey };
}

;// CONCATENATED MODULE: ./build/src/inputs/read-bundle.js

function readBundle(reader, destination) {
    const path = inputs_values/* pathBelow */.Br(destination.workspace);
    const bundle = {
        bundlePath: reader.optional('bundle-path', path),
        extractTo: reader.optional('extract-to', path),
        clean: reader.required('clean', inputs_values/* boolean */.zM) ?? false,
        verify: reader.required('verify', inputs_values/* oneOf */.yL(['off', 'report', 'strict'])) ?? 'report',
        allowPrivateHosts: reader.required('allow-private-hosts', inputs_values/* boolean */.zM) ?? false,
    };
    if (!reader.isGiven('extract-to')) {
        reader.forbid(['verify'], 'is read only together with extract-to');
        if (!reader.isGiven('bundle-path'))
            reader.forbid(['clean'], 'is read only together with extract-to or bundle-path');
    }
    return bundle;
}

;// CONCATENATED MODULE: ./build/src/inputs/read-comment.js

/** undefined: no comment is written. */
function readComment(reader, { takesNotices = true }) {
    const chosen = reader.required('comment', (0,inputs_values/* booleanOr */.SX)('titles')) ?? false;
    if (chosen === false)
        return undefined;
    const token = reader.required('github-token', inputs_values/* apiToken */.AV, ': comment is written with it');
    if (!takesNotices)
        reader.problem('comment works on GitHub Actions only; remove it');
    if (reader.text('mode') === 'export' && ['', 'none'].includes(reader.text('compare-with'))) {
        reader.problem('comment is read only together with compare-with; write compare-with: previous');
    }
    return token === undefined ? undefined : { token, titles: chosen === 'titles' };
}

;// CONCATENATED MODULE: ./build/src/inputs/read-deployment.js


/** The environment whose deployments record what is live; undefined: none is asked for. */
function readDeployment(reader) {
    const environment = reader.optional('deployment-environment', inputs_values/* line */.n8);
    if (environment === undefined)
        return undefined;
    const token = reader.required('github-token', inputs_values/* apiToken */.AV, ': deployment-environment is written with it');
    return token === undefined ? undefined : { environment, token };
}

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(6760);
// EXTERNAL MODULE: ./build/src/stores/address.js
var stores_address = __nccwpck_require__(1824);
;// CONCATENATED MODULE: ./build/src/stores/parse-address.js


const PARSERS = {
    github: parseGitHub,
    gitea: parseGitea,
    gitlab: parseGitLab,
    k8s: parseKubernetes,
    vault: parseVault,
    'aws-sm': parseSecretsManager,
    'aws-ssm': parseParameterStore,
    file: parseFile,
};
function parseAddress(text) {
    const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(text) ?? [];
    if (scheme === undefined)
        return reject(`an address such as github:secret/NAME; the kinds are ${stores_address/* SCHEMES */.dz.join(', ')}`);
    const known = stores_address/* SCHEMES */.dz.find((candidate) => candidate === scheme);
    if (known === undefined) {
        const meant = (0,names/* guess */.Iw)(scheme.toLowerCase(), stores_address/* SCHEMES */.dz);
        const hint = meant === undefined ? '' : `; did you mean ${meant}:?`;
        return reject(`an address of a kind that is known: ${stores_address/* SCHEMES */.dz.join(', ')}${hint}`);
    }
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))
        return reject('an address in one line, without control characters');
    if (holdsPassword(rest))
        return reject('an address without a user name and password: credentials have inputs of their own');
    return PARSERS[known](rest);
}
function isOwner(text) {
    return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text);
}
function isRepositoryName(text) {
    return /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(text);
}
function accept(value) {
    return { ok: true, value };
}
function reject(allowed) {
    return { ok: false, allowed };
}
// `user:password@` after a slash or at the beginning. An ARN has colons of its own and no credentials.
function holdsPassword(rest) {
    return !rest.startsWith('arn:') && /(^|\/)[^/@:#?]+:[^/@]+@/.test(rest);
}
/** Percent-decoded; undefined where that gives no text, or one that could lead to another destination. */
function decodePart(part) {
    try {
        const text = decodeURIComponent(part);
        return /^\.{0,2}$/.test(text) || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) ? undefined : text;
    }
    catch {
        return undefined;
    }
}
/** The parts between slashes, decoded; undefined where one of them is empty or wrong. */
function splitParts(path) {
    const parts = path.split('/').map(decodePart);
    return parts.every((part) => part !== undefined) ? parts : undefined;
}
const GITHUB_FORMS = 'github:secret/NAME, github:env/ENVIRONMENT/NAME, github:org/ORG/NAME, github:repo/OWNER/REPO/NAME or github:repo/OWNER/REPO/env/ENVIRONMENT/NAME';
const NAME_RULE = 'NAME has capital letters, digits and underscores, and begins with neither a digit nor GITHUB_';
function parseGitHub(rest) {
    const address = readGitHub(splitParts(rest) ?? []);
    if (address === undefined)
        return reject(GITHUB_FORMS);
    return (0,stores_address/* isSettingName */.s9)(address.name) ? accept(address) : reject(`${GITHUB_FORMS}; ${NAME_RULE}`);
}
function readGitHub([kind, ...parts]) {
    const scheme = 'github';
    if (kind === 'secret')
        return readRepositorySecret(parts, undefined);
    if (kind === 'env')
        return readRepositorySecret(['env', ...parts], undefined);
    const [owner = '', second = '', ...more] = parts;
    if (!isOwner(owner))
        return undefined;
    if (kind === 'org' && parts.length === 2)
        return { scheme, scope: 'organization', organization: owner, name: second };
    if (kind !== 'repo' || !isRepositoryName(second))
        return undefined;
    return readRepositorySecret(more, `${owner}/${second}`);
}
function readRepositorySecret(parts, repository) {
    const [first = '', environment = '', name = ''] = parts;
    if (parts.length === 1)
        return { scheme: 'github', scope: 'repository', repository, name: first };
    if (parts.length !== 3 || first !== 'env')
        return undefined;
    return { scheme: 'github', scope: 'environment', repository, environment, name };
}
const GITEA_FORMS = 'gitea:repo/OWNER/REPO/NAME or gitea:org/ORG/NAME';
function parseGitea(rest) {
    const [kind, owner = '', ...more] = splitParts(rest) ?? [];
    const name = more.at(-1) ?? '';
    // Gitea's rule, and Forgejo's: https://docs.gitea.com/usage/actions/secrets#naming-your-secrets
    const isReserved = /^(GITEA|FORGEJO)_/.test(name) || name === 'CI';
    if (!isOwner(owner) || !(0,stores_address/* isSettingName */.s9)(name) || isReserved)
        return reject(`${GITEA_FORMS}; ${NAME_RULE}, GITEA_ nor FORGEJO_, and is not CI`);
    if (kind === 'org' && more.length === 1)
        return accept({ scheme: 'gitea', scope: 'organization', organization: owner, name });
    const [repository = ''] = more;
    if (kind !== 'repo' || more.length !== 2 || !isRepositoryName(repository))
        return reject(GITEA_FORMS);
    return accept({ scheme: 'gitea', scope: 'repository', repository: `${owner}/${repository}`, name });
}
const GITLAB_FORMS = 'gitlab:project/ID/NAME or gitlab:group/ID/NAME, with ?environment=SCOPE where it is meant for one; ID is a number, or a full path with %2F for each slash';
function parseGitLab(rest) {
    const [, path = '', query] = /^([^?#]*)(?:\?environment=([^&#?]+))?$/.exec(rest) ?? [];
    const [scope, id = '', name = '', ...more] = splitParts(path) ?? [];
    const environment = query === undefined ? undefined : decodePart(query);
    if ((scope !== 'project' && scope !== 'group') || more.length > 0)
        return reject(GITLAB_FORMS);
    if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/.test(id))
        return reject(GITLAB_FORMS);
    if (!/^[A-Za-z0-9_]{1,255}$/.test(name))
        return reject(`${GITLAB_FORMS}; NAME has letters, digits and underscores`);
    if (query !== undefined && environment === undefined)
        return reject(GITLAB_FORMS);
    return accept({ scheme: 'gitlab', scope, id, name, environment });
}
const K8S_FORM = 'k8s:NAMESPACE/SECRET#KEY, each in the form that Kubernetes allows';
const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const DNS_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
function parseKubernetes(rest) {
    const [path = '', fragment = '', ...more] = rest.split('#');
    const [namespace = '', secret = '', ...further] = splitParts(path) ?? [];
    const key = decodePart(fragment) ?? '';
    const fits = DNS_LABEL.test(namespace) && DNS_NAME.test(secret) && /^[-._A-Za-z0-9]{1,253}$/.test(key);
    if (!fits || more.length > 0 || further.length > 0)
        return reject(K8S_FORM);
    return accept({ scheme: 'k8s', namespace, secret, key });
}
function parseVault(rest) {
    const [path = '', fragment = '', ...more] = rest.split('#');
    const [mount, ...parts] = splitParts(path) ?? [];
    const key = decodePart(fragment);
    const steps = [mount ?? '', ...parts].flatMap((part) => part.split('/'));
    const isWhole = parts.length > 0 && key !== undefined && more.length === 0 && !path.includes('?');
    // A dot or nothing between slashes would lead to another path.
    if (mount === undefined || !isWhole || steps.some((step) => /^\.{0,2}$/.test(step))) {
        return reject('vault:MOUNT/PATH#KEY; a slash in MOUNT is written %2F');
    }
    return accept({ scheme: 'vault', mount, path: parts.join('/'), key });
}
function parseSecretsManager(rest) {
    const name = decodePart(rest);
    if (name === undefined || !/^[A-Za-z0-9/_+=.@:-]{1,512}$/.test(name)) {
        return reject('aws-sm:NAME, the name or the ARN of a secret');
    }
    return accept({ scheme: 'aws-sm', name });
}
function parseParameterStore(rest) {
    const name = decodePart(rest);
    // AWS keeps names that begin with aws or ssm for itself.
    if (name === undefined || !/^(?!\/(aws|ssm))(\/[A-Za-z0-9_.-]+){1,15}$/i.test(name)) {
        return reject('aws-ssm:/PATH, the full name of a parameter; it does not begin with /aws or /ssm');
    }
    return accept({ scheme: 'aws-ssm', name });
}
function parseFile(rest) {
    const refused = reject('file:PATH, a path on this machine; a % in it is written %25');
    if ((0,names/* isWindowsPathElsewhere */.Xg)(rest)) {
        return reject('file:PATH with / between folders, since this is no Windows; a \\ in a name is written %5C');
    }
    const path = decodePart(rest.replace(/^\/\/(?=\/)/, ''));
    if (path === undefined || path.startsWith('//') || /[/\\]$/.test(path))
        return refused;
    return accept({ scheme: 'file', path });
}

// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __nccwpck_require__(4502);
// EXTERNAL MODULE: ./build/src/http/hosts.js + 1 modules
var hosts = __nccwpck_require__(3781);
;// CONCATENATED MODULE: ./build/src/inputs/store-values.js
/** From the text of an input about a store to its value, as `values.ts` has it for the others. */




/** An https address, or http to a loopback host; a path prefix stays. `excess` is what people copy behind it. */
function serverAddress(example, excess) {
    return (value) => {
        const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
        if (url === undefined)
            return (0,inputs_values/* reject */.ku)(`an https address such as ${example}`);
        if (url.username !== '' || url.password !== '')
            return (0,inputs_values/* reject */.ku)('an address without user name and password');
        if (/[?#]/.test(value))
            return (0,inputs_values/* reject */.ku)('an address without query and fragment');
        const found = excess.exec(url.pathname)?.[0];
        if (found !== undefined)
            return (0,inputs_values/* reject */.ku)(`the address of the server itself; leave out ${found}`);
        if (url.protocol === 'http:' && !(0,hosts/* isLoopback */.U9)(url.hostname))
            return (0,inputs_values/* reject */.ku)('https (http is for a loopback host only)');
        return (0,inputs_values/* accept */.Ju)(url.href.replace(/\/+$/, ''));
    };
}
/** The address of a forge, without the path of its API. */
const serverUrl = serverAddress('https://gitlab.example.com', /\/api\/v\d+\/*$/);
const vaultAddress = serverAddress('https://vault.example.com:8200', /\/(v1|ui)(\/.*)?$/);
/** The path of a namespace of Vault, which goes into a header. */
const vaultNamespace = (value) => /^[!-~]{1,255}$/.test(value) ? (0,inputs_values/* accept */.Ju)(value) : (0,inputs_values/* reject */.ku)('the path of a namespace, such as admin/docs');
/** Where an auth method of Vault is mounted: below `auth/`. */
const vaultAuthPath = (value) => {
    const plain = value.replace(/^\/?(auth\/)?|\/+$/g, '');
    const isPath = /^(?!\.{1,2}(\/|$))[\w.~-]{1,128}(\/(?!\.{1,2}(\/|$))[\w.~-]{1,128}){0,5}$/.test(value);
    if (isPath && plain === value)
        return (0,inputs_values/* accept */.Ju)(value);
    const hint = isPath || /^[\w.~/-]+$/.test(value) ? `; write ${plain}` : '';
    return (0,inputs_values/* reject */.ku)(`the path of an auth method, without auth/ and slashes at its ends, such as jwt-github${hint}`);
};
const awsRegion = (value) => (0,stores_address/* isAwsRegion */.EK)(value) ? (0,inputs_values/* accept */.Ju)(value) : (0,inputs_values/* reject */.ku)('a region of AWS, such as eu-central-1');
const awsRole = (value) => /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/.test(value)
    ? (0,inputs_values/* accept */.Ju)(value)
    : (0,inputs_values/* reject */.ku)('the ARN of a role, such as arn:aws:iam::123456789012:role/docs-courier');
/** Certificates as PEM, and nothing else. */
const certificates = (value) => {
    const rest = value.replace(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g, '');
    return rest.trim() === '' && rest !== value
        ? (0,inputs_values/* accept */.Ju)(value)
        : (0,inputs_values/* reject */.ku)('one or more certificates as PEM, each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----');
};
/** The text of a kubeconfig, or the absolute path of one. What it holds is checked where it is used. */
const store_values_kubeconfig = (value) => {
    const isText = value.includes('\n') || value.startsWith('{');
    return isText || ((0,external_node_path_.isAbsolute)(value) && !value.includes('\0'))
        ? (0,inputs_values/* accept */.Ju)(value)
        : (0,inputs_values/* reject */.ku)('the text of a kubeconfig, or the absolute path of one');
};

;// CONCATENATED MODULE: ./build/src/inputs/read-stores.js



// What stores outside of a forge are given. An input that no address of `to` needs is an error: nothing would read it.
const VAULT = [
    'vault-address',
    'vault-auth',
    'vault-auth-path',
    'vault-role',
    'vault-audience',
    'vault-token',
    'vault-namespace',
    'vault-ca',
];
function readKubernetes(reader, addresses) {
    if (!addresses.some(({ scheme }) => scheme === 'k8s')) {
        reader.forbid(['kubeconfig', 'kube-context', 'allow-kube-exec'], 'is read only together with a k8s: address in to');
        return undefined;
    }
    const kubeconfig = reader.optional('kubeconfig', store_values_kubeconfig);
    if (!reader.isGiven('kubeconfig')) {
        reader.forbid(['kube-context', 'allow-kube-exec'], 'is read only together with kubeconfig');
    }
    return {
        kubeconfig,
        context: reader.optional('kube-context', inputs_values/* line */.n8),
        allowExec: reader.required('allow-kube-exec', inputs_values/* boolean */.zM) ?? false,
    };
}
function readAws(reader, addresses) {
    if (!addresses.some(({ scheme }) => scheme === 'aws-sm' || scheme === 'aws-ssm')) {
        reader.forbid(['aws-region', 'aws-role', 'aws-audience'], 'is read only together with an aws-sm: or aws-ssm: address in to');
        return undefined;
    }
    const region = reader.optional('aws-region', awsRegion);
    if (!reader.isGiven('aws-role')) {
        reader.forbid(['aws-audience'], 'is read only together with aws-role');
        return { region, role: undefined };
    }
    const arn = reader.optional('aws-role', awsRole);
    const audience = reader.required('aws-audience', inputs_values/* line */.n8);
    return { region, role: arn === undefined || audience === undefined ? undefined : { arn, audience } };
}
function readVault(reader, addresses) {
    if (!addresses.some(({ scheme }) => scheme === 'vault')) {
        reader.forbid(VAULT, 'is read only together with a vault: address in to');
        return undefined;
    }
    const address = reader.required('vault-address', vaultAddress, ': it names the server of the vault: addresses');
    const auth = readVaultAuth(reader, address);
    const namespace = reader.optional('vault-namespace', vaultNamespace);
    const ca = reader.optional('vault-ca', certificates);
    return address === undefined || auth === undefined ? undefined : { address, auth, namespace, ca };
}
function readVaultAuth(reader, address) {
    const kind = reader.required('vault-auth', inputs_values/* oneOf */.yL(['jwt', 'approle', 'token']));
    const path = reader.optional('vault-auth-path', vaultAuthPath);
    switch (kind) {
        case 'jwt': {
            reader.forbid(['vault-token'], 'does not fit vault-auth: jwt; for a token set vault-auth: token');
            const role = reader.required('vault-role', inputs_values/* line */.n8, ': the run logs in with it (vault-auth is jwt)');
            const audience = reader.optional('vault-audience', inputs_values/* line */.n8) ?? address;
            return role === undefined || audience === undefined ? undefined : { kind, path: path ?? kind, role, audience };
        }
        case 'approle': {
            reader.forbid(['vault-audience'], 'does not fit vault-auth: approle');
            const roleId = reader.required('vault-role', inputs_values/* line */.n8, ': the RoleID of vault-auth: approle');
            const secretId = reader.required('vault-token', inputs_values/* apiToken */.AV, ': the SecretID of vault-auth: approle');
            return roleId === undefined || secretId === undefined
                ? undefined
                : { kind, path: path ?? kind, roleId, secretId };
        }
        case 'token': {
            reader.forbid(['vault-role', 'vault-audience', 'vault-auth-path'], 'does not fit vault-auth: token');
            const token = reader.required('vault-token', inputs_values/* apiToken */.AV, ': vault-auth is token');
            return token === undefined ? undefined : { kind, token };
        }
        case undefined:
            return undefined;
    }
}

;// CONCATENATED MODULE: ./build/src/inputs/read-destinations.js









// They describe the destination that secret-name names; an address in `to` says all of it by itself.
const SECRET_PLACE = [
    'secret-scope',
    'secret-environment',
    'secret-repository',
    'secret-organization',
];
const ORGANIZATION_ACCESS = ['secret-visibility', 'secret-selected-repositories'];
const MAX_PLACES = 50;
/** The destinations of the link, of `to` and of `secret-name`; undefined where none is asked for. */
function readDestinations(reader, destination) {
    const destinations = [...readSecret(reader, destination), ...readTo(reader), ...readCommand(reader, destination)];
    const given = destinations.map((address) => shortest(address, destination));
    const addresses = withoutDoubles(reader, given);
    const credentials = readCredentials(reader, addresses.map(plainDestination));
    return addresses.length === 0 ? undefined : { addresses, credentials };
}
/** The address that `secret-name` and its inputs describe: on the forge that the run takes place on. */
function readSecret(reader, destination) {
    if (!reader.isGiven('secret-name')) {
        reader.forbid(SECRET_PLACE, 'is read only together with secret-name');
        return [];
    }
    const name = reader.required('secret-name', inputs_values/* secretName */.Gf);
    const scope = reader.required('secret-scope', inputs_values/* oneOf */.yL(['repository', 'environment', 'organization']));
    const address = scope && readScope(reader, destination, { scope, name: name ?? '' });
    if (name === undefined || address === undefined)
        return [];
    return destination.forge === 'gitea' ? readGiteaSecret(reader, address, destination) : [address];
}
function readGiteaSecret(reader, { name, ...address }, destination) {
    if (address.scope === 'environment') {
        reader.problem('secret-scope: environment is not allowed here: Gitea and Forgejo have no secrets of environments');
        return [];
    }
    const isOrganization = address.scope === 'organization';
    const owner = isOrganization ? `org/${address.organization}` : `repo/${address.repository ?? destination.repository}`;
    const parsed = parseAddress(`gitea:${owner}/${name}`);
    if (parsed.ok && parsed.value.scheme === 'gitea')
        return [parsed.value];
    reader.problem(`secret-name: "${name}" is not allowed; Gitea reserves CI and what begins with GITEA_, FORGEJO_ or GITHUB_`);
    return [];
}
/** True where the link is to be written anywhere. */
function asksForDestinations(reader) {
    return reader.isGiven('secret-name') || reader.isGiven('to') || reader.option('to-command') !== '';
}
/** The program of `--to-command`, which only the command line has, with the destination of `--state` for what belongs to the link. */
function readCommand(reader, destination) {
    const [command, state] = [reader.option('to-command'), reader.option('state')];
    if (command === '') {
        if (state !== '')
            reader.problem('state is read only together with to-command');
        return [];
    }
    const words = (0,names/* splitWords */.yM)(command);
    if (words === undefined)
        reader.problem('to-command has a quote that is not closed');
    if (state === '') {
        reader.problem('state is missing: it names where the state of to-command is kept, such as file:docs-link');
        return [];
    }
    const parsed = parseAddress(state);
    if (parsed.ok && words !== undefined)
        return [{ scheme: 'command', words, state: shortestPlain(parsed.value, destination) }];
    if (!parsed.ok)
        reader.problem(`state: ${shown(state, parsed)} is not allowed; it must be ${parsed.allowed}`);
    return [];
}
function readScope(reader, destination, { scope, name }) {
    const scheme = 'github';
    switch (scope) {
        case 'repository':
            reader.forbid(['secret-environment', 'secret-organization'], 'does not fit secret-scope: repository');
            return { scheme, name, scope, repository: readRepository(reader, destination) };
        case 'environment': {
            reader.forbid(['secret-organization'], 'does not fit secret-scope: environment');
            const repository = readRepository(reader, destination);
            const environment = reader.required('secret-environment', inputs_values/* line */.n8, ': secret-scope is environment');
            return environment === undefined ? undefined : { scheme, name, scope, repository, environment };
        }
        case 'organization': {
            reader.forbid(['secret-environment', 'secret-repository'], 'does not fit secret-scope: organization');
            const organization = reader.required('secret-organization', inputs_values/* login */.iD, ': secret-scope is organization');
            return organization === undefined ? undefined : { scheme, name, scope, organization };
        }
    }
}
function readRepository(reader, destination) {
    return reader.optional('secret-repository', inputs_values/* repository */.Jk) ?? destination.repository;
}
/** One address a line. Each wrong one is a problem of its own. */
function readTo(reader) {
    const lines = (reader.optional('to', (text) => (0,inputs_values/* accept */.Ju)(text)) ?? '')
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== '');
    if (lines.length > MAX_PLACES) {
        reader.problem(`to has ${lines.length} destinations; the maximum is ${MAX_PLACES}`);
        return [];
    }
    return lines.flatMap((line) => {
        const parsed = parseAddress(line);
        if (parsed.ok)
            return [parsed.value];
        reader.problem(`to: ${shown(line, parsed)} is not allowed; it must be ${parsed.allowed}`);
        return [];
    });
}
// An address that holds a password, or is a key, is not repeated.
function shown(line, { ok }) {
    return !ok && !(0,inputs_values/* isKeyShaped */.j2)(line) && !/[@=]/.test(line) ? `"${(0,text_escape/* plainLine */.h0)(line, 100)}"` : 'one of its lines';
}
/** Without what the current repository and the workspace say anyway. */
function shortest(address, destination) {
    return address.scheme === 'command' ? address : shortestPlain(address, destination);
}
function shortestPlain(address, { repository, workspace }) {
    if (address.scheme === 'file')
        return { scheme: 'file', path: (0,external_node_path_.resolve)(workspace, address.path) };
    if (address.scheme !== 'github' || address.scope === 'organization')
        return address;
    const isCurrent = address.repository?.toLowerCase() === repository.toLowerCase();
    return isCurrent ? { ...address, repository: undefined } : address;
}
/** The destination itself; of a command, the one of its state. */
function plainDestination(address) {
    return address.scheme === 'command' ? address.state : address;
}
function withoutDoubles(reader, addresses) {
    const seen = new Map();
    for (const address of addresses.map(plainDestination)) {
        const text = (0,stores_address/* formatAddress */.M0)(address);
        // The state is stored in a destination of its own, which must not be another link.
        const state = stateOf(address, text);
        for (const key of [text, ...(state === undefined ? [] : [state])].map((key) => keyOf(address, key))) {
            const former = seen.get(key);
            if (former !== undefined) {
                reader.problem(former === text
                    ? `${text} is named twice as a destination of the link; name it once`
                    : `${text} and ${former} are the same destination; name it once`);
            }
            seen.set(key, text);
        }
    }
    return addresses;
}
function stateOf({ scheme }, text) {
    if (scheme === 'file')
        return `${text}.state.json`;
    return scheme === 'vault' || scheme === 'aws-sm' || scheme === 'aws-ssm' ? `${text}_state` : undefined;
}
// Forges ignore case in the names of owners, repositories and environments.
function keyOf({ scheme }, text) {
    return scheme === 'github' || scheme === 'gitea' ? text.toLowerCase() : text;
}
function readCredentials(reader, addresses) {
    const needsToken = addresses.some(({ scheme }) => ['github', 'gitea', 'gitlab'].includes(scheme));
    const isAsked = reader.isGiven('secret-name') || needsToken;
    if (!isAsked)
        reader.forbid(['secret-token'], 'is read only together with secret-name, or an address in to that needs it');
    const why = ": the workflow's own token cannot write secrets";
    const secretToken = isAsked ? reader.required('secret-token', inputs_values/* apiToken */.AV, why) : undefined;
    const isElsewhere = addresses.some(({ scheme }) => scheme === 'gitea' || scheme === 'gitlab');
    if (!isElsewhere)
        reader.forbid(['forge-url'], 'is read only together with a gitea: or gitlab: address in to');
    return {
        secretToken,
        workflowToken: reader.optional('github-token', inputs_values/* apiToken */.AV),
        forgeUrl: isElsewhere ? reader.optional('forge-url', serverUrl) : undefined,
        ...readAccess(reader, addresses),
        kubernetes: readKubernetes(reader, addresses),
        vault: readVault(reader, addresses),
        aws: readAws(reader, addresses),
    };
}
function readAccess(reader, addresses) {
    const isOrganization = addresses.some((address) => address.scheme === 'github' && address.scope === 'organization');
    // Where the secret itself is wrong, only that is reported.
    const isUnclear = reader.isGiven('secret-name') && addresses.length === 0;
    if (!isOrganization && !isUnclear)
        reader.forbid(ORGANIZATION_ACCESS, 'is read only for a secret of an organization');
    const visibility = reader.optional('secret-visibility', inputs_values/* oneOf */.yL(['all', 'private', 'selected']));
    const selectedRepositories = reader.optional('secret-selected-repositories', inputs_values/* list */.p_(inputs_values/* repositoryOrId */.Zu));
    if (isOrganization && selectedRepositories !== undefined && visibility !== 'selected') {
        reader.problem('secret-selected-repositories is read only with secret-visibility: selected');
    }
    return { visibility, selectedRepositories };
}

// EXTERNAL MODULE: ./build/src/inputs/reader.js
var inputs_reader = __nccwpck_require__(8064);
;// CONCATENATED MODULE: ./build/src/inputs/read-doctor.js




const WORK_MODES = ['export', 'refresh', 'rollback', 'agent', 'search'];
/** Inputs by which an export or a refresh hands its link over. */
const DELIVERY = [
    'to',
    'secret-name',
    'bundle-path',
    'extract-to',
    'export-job-id',
    'live-url',
];
/** The inputs of `mode: doctor`: those of the modes that the given inputs belong to. Never throws for a wrong one. */
function readDoctor({ source, emptyCauses, destination }, readMode) {
    const reader = new inputs_reader/* InputReader */.i_(source, emptyCauses);
    reader.refuseUnknown(destination);
    const checked = modesOf(reader);
    const readers = [reader];
    const inputs = checked.flatMap((mode) => {
        const own = new inputs_reader/* InputReader */.i_(source, emptyCauses);
        readers.push(own);
        return readMode(mode, own) ?? [];
    });
    const baseUrl = reader.required('base-url', inputs_values/* baseUrl */.pc);
    const adminApiKey = reader.optional('admin-api-key', (0,inputs_values/* apiKey */.Kz)('admin'));
    const assistantApiKey = reader.optional('assistant-api-key', (0,inputs_values/* apiKey */.Kz)('assistant'));
    const githubToken = reader.optional('github-token', inputs_values/* apiToken */.AV);
    return {
        mode: 'doctor',
        baseUrl,
        adminApiKey,
        assistantApiKey,
        githubToken,
        checked,
        export: inputs.find((one) => one.mode === 'export'),
        refresh: inputs.find((one) => one.mode === 'refresh'),
        rollback: inputs.find((one) => one.mode === 'rollback'),
        agent: inputs.find((one) => one.mode === 'agent'),
        search: inputs.find((one) => one.mode === 'search'),
        problems: problemsOf(readers),
    };
}
/** What each of them found wrong, the same once. */
function problemsOf(readers) {
    const found = readers.flatMap((one) => one.problems.map((text) => [text, { text, fix: one.adviceOn(text) }]));
    return [...new Map(found).values()];
}
/** The modes that a step with these inputs can have: an input that only one of them takes, or the kind of site, decides. */
function modesOf(reader) {
    const given = (...names) => names.some((name) => reader.isGiven(name));
    const alone = (mode) => inputs_reader/* INPUT_NAMES */.Qh.some((name) => isOnlyOf(name, mode) && reader.isGiven(name));
    // An export takes a host name, search an identifier without a dot.
    const isHost = reader.text('domain').includes('.');
    const isDelivered = given(...DELIVERY);
    const refresh = alone('refresh') || (given('to', 'secret-name', 'export-job-id') && !given('domain', 'project-id'));
    const agent = alone('agent') || (given('project-id') && !given('domain') && !isDelivered);
    const wanted = {
        export: alone('export') ||
            (given('domain') && (isHost || isDelivered)) ||
            (given('project-id') && isDelivered && !refresh),
        refresh,
        rollback: alone('rollback'),
        agent,
        search: alone('search') ||
            (given('domain') && !isHost && !isDelivered && !agent) ||
            (given('assistant-api-key') && !given('admin-api-key')),
    };
    return WORK_MODES.filter((mode) => wanted[mode]);
}
function isOnlyOf(name, mode) {
    const { modes } = catalog/* INPUTS */.m[name];
    return name !== 'github-token' && modes.length === 1 && modes[0] === mode;
}

;// CONCATENATED MODULE: ./build/src/inputs/read-export.js



const START_OPTIONS = ['export-version', 'export-paths', 'base-path'];
/** What to export. Each option is refused where nothing would read it: the user would wait for what never comes. */
function readExportChoice(reader) {
    const choice = {
        domain: readDomain(reader),
        projectId: reader.optional('project-id', inputs_values/* pathId */.lH),
        exportVersion: reader.optional('export-version', inputs_values/* line */.n8),
        exportPaths: reader.optional('export-paths', inputs_values/* lines */.Mn(inputs_values/* pagePath */.HX)),
        basePath: reader.optional('base-path', inputs_values/* oneOf */.yL(inputs_inputs/* BASE_PATH_CHOICES */.$f)),
    };
    if (reader.isGiven('export-job-id')) {
        reader.forbid(START_OPTIONS, 'is read only where an export is started; export-job-id attaches to one');
    }
    else if (reader.isGiven('project-id')) {
        reader.forbid(['export-version', 'export-paths'], 'is part of an export by domain; project-id exports a project');
    }
    else {
        reader.forbid(['base-path'], 'is read only together with project-id');
    }
    return choice;
}
function readDomain(reader) {
    const attached = reader.isGiven('export-job-id');
    if (reader.isGiven('project-id') || (attached && !asksForDestinations(reader))) {
        return reader.optional('domain', inputs_values/* hostName */.Sm);
    }
    const why = attached
        ? ': the state next to the secret names the site'
        : ' (or give project-id, to export by project)';
    return reader.required('domain', inputs_values/* hostName */.Sm, why);
}

;// CONCATENATED MODULE: ./build/src/inputs/read-guard.js




const MAX_PAGES = 1_000_000;
const SIZE = { min: 1024, max: 4 * 1024 ** 3 };
/** What an export is compared with, and what keeps it from being published. */
function readGuard(reader, destination) {
    const guard = {
        compareWith: reader.required('compare-with', compareWith(destination.workspace)) ?? { kind: 'none' },
        minPages: reader.required('min-pages', inputs_values/* integer */.nd({ min: 0, max: MAX_PAGES })) ?? 0,
        maxPageDrop: reader.optional('max-page-drop', pageDrop),
        requiredPages: reader.optional('required-pages', requiredPages(destination.workspace)),
        forbidLostAddresses: reader.required('forbid-lost-addresses', inputs_values/* oneOf */.yL(['off', 'warn', 'fail'])) ?? 'off',
        maxSizeBytes: reader.optional('max-size', inputs_values/* size */.Ej(SIZE)),
        force: reader.required('force', inputs_values/* boolean */.zM) ?? false,
    };
    const { kind } = guard.compareWith;
    if (kind === 'previous' && !asksForDestinations(reader)) {
        reader.problem('compare-with: previous needs a destination of the link (secret-name or to), whose state names the export that is live; or give the manifest of an earlier export');
    }
    if (kind === 'none') {
        if (guard.forbidLostAddresses !== 'off') {
            reader.problem('forbid-lost-addresses is read only together with compare-with; write compare-with: previous');
        }
        if (guard.maxPageDrop !== undefined && !asksForDestinations(reader)) {
            reader.problem('max-page-drop needs an earlier export: give a destination of the link (secret-name or to), whose state names the one that is live, or compare-with');
        }
    }
    return guard;
}
function compareWith(workspace) {
    return (text) => {
        if (text === 'none' || text === 'previous')
            return (0,inputs_values/* accept */.Ju)({ kind: text });
        if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
            const path = inputs_values/* pathBelow */.Br(workspace)(text);
            return path.ok ? (0,inputs_values/* accept */.Ju)({ kind: 'file', path: path.value }) : path;
        }
        const url = fileAddress(text);
        return url.ok ? (0,inputs_values/* accept */.Ju)({ kind: 'address', url: url.value }) : url;
    };
}
const pageDrop = (text) => {
    const percent = /^(\d{1,3}(?:\.\d{1,2})?) ?%$/.exec(text)?.[1];
    if (percent !== undefined && Number(percent) <= 100)
        return (0,inputs_values/* accept */.Ju)({ unit: '%', most: Number(percent) });
    const pages = inputs_values/* integer */.nd({ min: 0, max: MAX_PAGES })(text);
    return pages.ok
        ? (0,inputs_values/* accept */.Ju)({ unit: 'pages', most: pages.value })
        : (0,inputs_values/* reject */.ku)(`a share such as 10%, 0% to 100%, or a number of pages`);
};
/** One file, or addresses; an address begins with a slash. */
function requiredPages(workspace) {
    return (text) => {
        const isFile = !text.includes('\n') && !text.startsWith('/');
        if (!isFile) {
            const pages = inputs_values/* lines */.Mn(inputs_values/* pageAddress */.qx)(text);
            return pages.ok ? (0,inputs_values/* accept */.Ju)({ pages: pages.value }) : pages;
        }
        if (text.includes('://'))
            return (0,inputs_values/* reject */.ku)('addresses in the site, such as /guide/start, or the path of a file of them');
        const file = inputs_values/* pathBelow */.Br(workspace)(text);
        return file.ok ? (0,inputs_values/* accept */.Ju)({ file: file.value }) : file;
    };
}
/** The https address of a file, or http to a loopback host. A query may be what lets the file be read. */
const fileAddress = (value) => {
    const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined)
        return (0,inputs_values/* reject */.ku)('an https address, or the path of a file');
    if (url.username !== '' || url.password !== '')
        return (0,inputs_values/* reject */.ku)('an address without user name and password');
    if (url.protocol === 'http:' && !(0,hosts/* isLoopback */.U9)(url.hostname))
        return (0,inputs_values/* reject */.ku)('https (http is for a loopback host only)');
    return (0,inputs_values/* accept */.Ju)(url.href);
};

;// CONCATENATED MODULE: ./build/src/inputs/read-live.js



const OPTIONS = ['live-timeout', 'on-not-live', 'live-headers'];
/** How the published site is checked; undefined: not at all. */
function readLive(reader) {
    if (!reader.isGiven('live-url')) {
        reader.forbid(OPTIONS, 'is read only together with live-url');
        return undefined;
    }
    const url = reader.optional('live-url', liveUrl);
    const timeoutMs = reader.required('live-timeout', inputs_values/* duration */.p0);
    const onNotLive = reader.required('on-not-live', inputs_values/* oneOf */.yL(['fail', 'warn']));
    const headers = reader.optional('live-headers', liveHeaders) ?? {};
    if (url === undefined || timeoutMs === undefined || onNotLive === undefined)
        return undefined;
    const { protocol, hostname } = new URL(url);
    if (protocol === 'http:' && !(0,hosts/* isLoopback */.U9)(hostname))
        checkPlain(reader, url);
    return { url, timeoutMs, onNotLive, headers };
}
// Inside of one's own network sites often have no certificate. What is secret is never sent that way.
function checkPlain(reader, url) {
    if (reader.isGiven('live-headers')) {
        reader.problem(`live-headers is sent to https addresses only, and live-url is ${url}`);
    }
    else if (reader.optional('allow-private-hosts', inputs_values/* boolean */.zM) !== true) {
        reader.problem(`live-url: "${url}" is not allowed; it must be https (http is for a loopback host, and with allow-private-hosts: true)`);
    }
}
const EXAMPLE = 'https://docs.example.com';
/** The address of a site's start page; a path stays, a trailing slash goes. */
const liveUrl = (value) => {
    const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined)
        return (0,inputs_values/* reject */.ku)(`the address of the published site, such as ${EXAMPLE}`);
    if (url.username !== '' || url.password !== '') {
        return (0,inputs_values/* reject */.ku)('an address without user name and password; give them in live-headers, as Authorization');
    }
    if (/[?#]/.test(value))
        return (0,inputs_values/* reject */.ku)('an address without query and fragment');
    if (/\/index\.x?html?$/i.test(url.pathname))
        return (0,inputs_values/* reject */.ku)('the address of the start page without index.html');
    return (0,inputs_values/* accept */.Ju)(url.href.replace(/\/+$/, ''));
};
/** Set by the program itself, or by what carries the request: another value would break it or lead it elsewhere. */
const OWN_HEADERS = new Set([
    'accept-encoding',
    'cache-control',
    'connection',
    'content-length',
    'expect',
    'host',
    'keep-alive',
    'pragma',
    'proxy-authorization',
    'proxy-connection',
    'range',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
]);
const MOST_HEADERS = 20;
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}):[ \t]*([!-~](?:[ \t!-~]{0,4000}[!-~])?)$/;
/** `Name: value`, one a line; names in lower case. Of a wrong line only the name is shown, and its number. */
const liveHeaders = (value) => {
    const found = new Map();
    const lines = headerLines(value);
    for (const [index, line] of lines.entries()) {
        const [, given = '', content = ''] = HEADER.exec(line) ?? [];
        const name = given.toLowerCase();
        if (name === '')
            return (0,inputs_values/* reject */.ku)(`one "Name: value" a line, in printable ASCII; line ${index + 1} is not`);
        if (OWN_HEADERS.has(name))
            return (0,inputs_values/* reject */.ku)(`without ${name}, which is set by the program itself`);
        if (found.has(name))
            return (0,inputs_values/* reject */.ku)(`each name once; ${name} is given twice`);
        found.set(name, content);
    }
    return lines.length <= MOST_HEADERS ? (0,inputs_values/* accept */.Ju)(Object.fromEntries(found)) : (0,inputs_values/* reject */.ku)(`at most ${MOST_HEADERS} lines`);
};
function headerLines(text) {
    return text
        .split(/[\r\n]+/)
        .map((line) => line.trim())
        .filter((line) => line !== '');
}
/** What of the headers must not be shown: each value, and what is in it: the token behind a scheme, the value of a cookie. */
function headerSecrets(text) {
    return headerLines(text).flatMap((line) => {
        const value = line.slice(line.indexOf(':') + 1).trim();
        const pieces = value.split(/[\s;,]+/);
        const inner = pieces.map((piece) => piece.slice(piece.indexOf('=') + 1));
        return [value, ...pieces, ...inner, ...decodedBasic(value)];
    });
}
function decodedBasic(value) {
    const encoded = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(value)?.[1];
    if (encoded === undefined)
        return [];
    const decoded = Buffer.from(encoded, 'base64').toString('utf8');
    return [decoded, decoded.slice(decoded.indexOf(':') + 1)];
}

;// CONCATENATED MODULE: ./build/src/inputs/read-notices.js



const MAX_ASSIGNEES = 10;
// https://docs.github.com/rest/issues/labels: at most 50 characters.
const label = (text) => /^[^\p{Cc}\p{Zl}\p{Zp}]{1,50}$/u.test(text) ? (0,inputs_values/* accept */.Ju)(text) : (0,inputs_values/* reject */.ku)('a label of at most 50 characters');
const login = (text) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text) ? (0,inputs_values/* accept */.Ju)(text) : (0,inputs_values/* reject */.ku)('a login without @, such as octocat');
const labels = inputs_values/* list */.p_(label);
const assignees = (text) => {
    const parsed = inputs_values/* list */.p_(login)(text);
    return parsed.ok && parsed.value.length > MAX_ASSIGNEES ? (0,inputs_values/* reject */.ku)(`at most ${MAX_ASSIGNEES} logins`) : parsed;
};
/** Reports what is wrong with the inputs about issues; their values are read when the run has ended. */
function checkIssueInputs(reader, { takesNotices = true }) {
    const isOn = reader.required('issue-on-failure', inputs_values/* boolean */.zM) ?? false;
    reader.optional('issue-labels', labels);
    reader.optional('issue-assignees', assignees);
    if (!isOn) {
        reader.forbid(['issue-labels', 'issue-assignees'], 'is read only together with issue-on-failure: true');
        return;
    }
    reader.required('github-token', inputs_values/* apiToken */.AV, ': issue-on-failure opens the issue with it');
    if (!takesNotices)
        reader.problem('issue-on-failure works on GitHub Actions alone; remove it');
}
/**
 * The same, of a run that may have failed because of its inputs: what cannot be read is left out. undefined: no issue is
 * asked for, there is no token to open one, or the run is a dry run.
 */
function readIssueInputs(source) {
    const isOn = values.boolean(rawInput(source, 'issue-on-failure'));
    const token = apiToken(rawInput(source, 'github-token'));
    const isDryRun = values.boolean(rawInput(source, 'dry-run'));
    if (!isOn.ok || !isOn.value || !token.ok || (isDryRun.ok && isDryRun.value))
        return undefined;
    const listed = (name, parser) => {
        const parsed = parser(rawInput(source, name));
        return parsed.ok ? parsed.value : [];
    };
    const key = rawInput(source, 'mode') === 'search' ? 'assistant-api-key' : 'admin-api-key';
    return {
        token: token.value,
        secret: rawInput(source, key),
        labels: listed('issue-labels', labels),
        assignees: listed('issue-assignees', assignees),
    };
}

;// CONCATENATED MODULE: ./build/src/inputs/read-rollback.js


// The state remembers 20 exports, the live one among them.
const MAX_STEPS = 19;
function readRollback(reader, common, { to, adminApiKey, ...link }) {
    const projectId = reader.optional('project-id', inputs_values/* pathId */.lH);
    const steps = reader.required('steps', inputs_values/* integer */.nd({ min: 1, max: MAX_STEPS }));
    if (reader.isGiven('export-job-id')) {
        reader.forbid(['steps'], 'is read only without export-job-id, which names the export to go back to');
    }
    if (!asksForDestinations(reader)) {
        reader.problem('secret-name is missing: it names the secret whose link is to be rolled back (or give another destination in to)');
    }
    if (adminApiKey === undefined || to === undefined || steps === undefined)
        return undefined;
    return { mode: 'rollback', ...common, ...link, adminApiKey, to, projectId, steps };
}

;// CONCATENATED MODULE: ./build/src/inputs/rollout-inputs.js
const WORKLOAD_KINDS = ['deployment', 'statefulset', 'daemonset'];

;// CONCATENATED MODULE: ./build/src/inputs/read-rollout.js



const read_rollout_OPTIONS = ['rollout-timeout', 'on-rollout-failure'];
const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
/** `deployment/docs`. */
const workload = (text) => {
    const [kind, name, ...more] = text.split('/');
    const found = WORKLOAD_KINDS.find((one) => one === kind);
    if (found !== undefined && name !== undefined && more.length === 0 && NAME.test(name)) {
        return (0,inputs_values/* accept */.Ju)({ kind: found, name });
    }
    return (0,inputs_values/* reject */.ku)('deployment/NAME, statefulset/NAME or daemonset/NAME, of the namespace of the k8s: destination');
};
/** What is restarted once the link is written; undefined where nothing is. */
function readRollout(reader, to) {
    const workloads = reader.optional('rollout', inputs_values/* lines */.Mn(workload));
    const timeoutMs = reader.required('rollout-timeout', inputs_values/* duration */.p0);
    const onFailure = reader.required('on-rollout-failure', inputs_values/* oneOf */.yL(['fail', 'undo']));
    if (!reader.isGiven('rollout')) {
        reader.forbid(read_rollout_OPTIONS, 'is read only together with rollout');
        return undefined;
    }
    if (timeoutMs === 0)
        reader.problem('rollout-timeout must be 1s or more: pods need time to start');
    const destinations = (to?.addresses ?? []).flatMap((address) => (address.scheme === 'k8s' ? [address] : []));
    const namespaces = [...new Set(destinations.map(({ namespace }) => namespace))];
    const [namespace] = namespaces;
    if (namespace === undefined) {
        reader.problem('rollout is read only together with a k8s: address in to, whose Secret the pods read');
    }
    else if (namespaces.length > 1) {
        reader.problem(`rollout belongs to one namespace, and to names Secrets of ${namespaces.join(', ')}; use a step for each`);
    }
    const names = workloads?.map(({ kind, name }) => `${kind}/${name}`) ?? [];
    const double = names.find((name, index) => names.indexOf(name) !== index);
    if (double !== undefined)
        reader.problem(`rollout names ${double} twice; name it once`);
    if (workloads === undefined || namespace === undefined || timeoutMs === undefined || onFailure === undefined) {
        return undefined;
    }
    return { workloads, namespace, destinations, timeoutMs, onFailure };
}

;// CONCATENATED MODULE: ./build/src/inputs/read-search.js





const MAX_REQUESTS = 100_000;
/** Goes through all of its inputs before it gives up: every fault is to be reported. */
function readSearch(reader, destination) {
    checkIssueInputs(reader, destination);
    const assistantApiKey = reader.required('assistant-api-key', (0,inputs_values/* apiKey */.Kz)('assistant'));
    const domain = reader.required('domain', inputs_values/* siteId */.bu);
    const search = {
        query: reader.optional('query', inputs_values/* text */.Qq),
        queriesFile: reader.optional('queries-file', inputs_values/* pathBelow */.Br(destination.workspace)),
        pageSize: reader.optional('page-size', inputs_values/* integer */.nd({ min: 1, max: 50 })),
        scoreThreshold: reader.optional('score-threshold', inputs_values/* decimal */._({ min: 0, max: 1 })),
        filter: {
            version: reader.optional('filter-version', inputs_values/* line */.n8),
            language: reader.optional('filter-language', inputs_values/* line */.n8),
            tag: reader.optional('filter-tag', inputs_values/* line */.n8),
            groups: reader.optional('filter-groups', inputs_values/* lines */.Mn(inputs_values/* line */.n8)),
        },
        minResults: reader.required('min-results', inputs_values/* integer */.nd({ min: 0, max: 50 })) ?? 0,
        baselineFile: reader.optional('baseline-file', inputs_values/* pathBelow */.Br(destination.workspace)),
        baselineUpdate: reader.required('baseline-update', inputs_values/* oneOf */.yL(inputs_inputs/* BASELINE_UPDATES */.tF)) ?? 'never',
        failOn: reader.required('fail-on', inputs_values/* oneOf */.yL(['missed', 'worse'])) ?? 'missed',
        maxRequests: reader.required('max-requests', inputs_values/* integer */.nd({ min: 1, max: MAX_REQUESTS })) ?? 0,
        waitForIndexMs: reader.optional('wait-for-index', inputs_values/* duration */.p0),
        comment: readComment(reader, destination),
    };
    if (reader.isGiven('query') === reader.isGiven('queries-file')) {
        reader.problem(reader.isGiven('query')
            ? 'query and queries-file exclude each other; give one of them'
            : 'query or queries-file is missing');
    }
    for (const name of ['baseline-update', 'fail-on']) {
        if (reader.isGiven(name) && !reader.isGiven('baseline-file')) {
            reader.problem(`${name}: ${reader.text(name)} needs baseline-file, the file with the earlier run`);
        }
    }
    if (assistantApiKey === undefined || domain === undefined)
        return undefined;
    return { mode: 'search', ...search, assistantApiKey, domain };
}

;// CONCATENATED MODULE: ./build/src/inputs/read.js




















/** Everything that must not be shown of an input that holds a secret: the whole, and parts that are secrets too. */
function secretsOf(name, raw) {
    return name === 'live-headers' ? [raw, ...headerSecrets(raw)] : [raw];
}
/** The mode alone, where it is readable: it decides how a failure of the rest is presented. */
function readMode(source) {
    const parsed = inputs_values/* oneOf */.yL(inputs_inputs/* MODES */.FN)((0,inputs_reader/* rawInput */.JR)(source, 'mode'));
    return parsed.ok ? parsed.value : undefined;
}
/**
 * The inputs, or one `config` error that names everything that is wrong. Sends and opens nothing. `emptyCauses` says why an
 * input that comes from a secret or a variable may be empty in this run.
 */
function readInputs(source, destination, emptyCauses = []) {
    const reader = new inputs_reader/* InputReader */.i_(source, emptyCauses);
    const mode = reader.required('mode', inputs_values/* oneOf */.yL(inputs_inputs/* MODES */.FN), `; it must be ${inputs_inputs/* MODES */.FN.join(', ')}`);
    // The rest is checked as for the mode that was probably meant, so that all mistakes show at once.
    const similar = (0,names/* guess */.Iw)((0,inputs_reader/* rawInput */.JR)(source, 'mode'), inputs_inputs/* MODES */.FN);
    const meant = mode ?? inputs_inputs/* MODES */.FN.find((name) => name === similar);
    if (meant === undefined) {
        reader.refuseUnknown(destination);
        readCommon(reader);
        throw reader.failure();
    }
    if (meant === 'doctor') {
        if (mode === undefined)
            throw reader.failure();
        return readDoctor({ source, emptyCauses, destination }, (work, own) => readModeInputs({ mode: work, reader: own, destination }));
    }
    reader.refuseUnknown(destination);
    refuseOtherModes(reader, meant);
    if (meant === 'agent' && destination.forge !== 'gitea') {
        reader.forbid(['secret-token'], 'is read in agent mode only on Gitea and Forgejo; remove it');
    }
    const inputs = meant === 'plan' ? readPlan(reader) : readModeInputs({ mode: meant, reader, destination });
    if (inputs === undefined || reader.failed)
        throw reader.failure();
    return inputs;
}
function isForeign(reader, name, mode) {
    const modes = catalog/* INPUTS */.m[name].modes;
    return name !== 'github-token' && !modes.includes(mode) && reader.isGiven(name);
}
function refuseOtherModes(reader, mode) {
    for (const name of inputs_reader/* INPUT_NAMES */.Qh) {
        if (isForeign(reader, name, mode) && !inputs_reader/* COPIED_INPUTS */.X8.includes(name)) {
            reader.problem(`${name} belongs to mode ${catalog/* INPUTS */.m[name].modes.join(', ')}, not to ${mode}; remove it`);
        }
    }
}
/** What a notice says about inputs that the mode does not read, and that change nothing; undefined: there are none. */
function unreadNotice(source, mode) {
    const reader = new inputs_reader/* InputReader */.i_(source, []);
    const names = mode === 'doctor' ? [] : inputs_reader/* COPIED_INPUTS */.X8.filter((name) => isForeign(reader, name, mode));
    return names.length === 0 ? undefined : `Not read in mode ${mode}: ${names.join(', ')}. Remove them from the step.`;
}
function readPlan(reader) {
    const configFile = reader.required('config-file', inputs_values/* line */.n8, ': it names the file with the sites');
    const changedSince = reader.option('changed-since') || undefined;
    return configFile === undefined ? undefined : { mode: 'plan', baseUrl: undefined, configFile, changedSince };
}
function readModeInputs(reading) {
    const common = readCommon(reading.reader);
    switch (reading.mode) {
        case 'export':
            return readExport(reading, common);
        case 'refresh':
            return readRefresh(reading, common);
        case 'rollback':
            return readRollback(reading.reader, common, readLink(reading));
        case 'agent':
            return combine(common, readAgent(reading.reader, reading.destination));
        case 'search':
            return combine(common, readSearch(reading.reader, reading.destination));
    }
}
function readCommon(reader) {
    const baseUrl = reader.required('base-url', inputs_values/* baseUrl */.pc);
    const dryRun = reader.required('dry-run', inputs_values/* boolean */.zM);
    return { baseUrl: baseUrl ?? '', dryRun: dryRun ?? false };
}
// Each of the readers below goes through all of its inputs before it gives up: every fault is to be reported.
function readLink({ reader, destination }) {
    checkIssueInputs(reader, destination);
    const adminApiKey = reader.required('admin-api-key', (0,inputs_values/* apiKey */.Kz)('admin'));
    const exportJobId = reader.optional('export-job-id', inputs_values/* pathId */.lH);
    const deploymentType = reader.optional('deployment-type', inputs_values/* oneOf */.yL(['cloud', 'client-hosted', 'air-gapped']));
    const to = readDestinations(reader, destination);
    return {
        adminApiKey,
        exportJobId,
        deploymentType,
        to,
        rollout: readRollout(reader, to),
        bundle: readBundle(reader, destination),
        live: readLive(reader),
        deployment: readDeployment(reader),
        comment: readComment(reader, destination),
    };
}
function readExport(reading, common) {
    const { reader } = reading;
    const link = readLink(reading);
    const choice = readExportChoice(reader);
    const follow = readFollow(reader);
    const guard = readGuard(reader, reading.destination);
    if (link.adminApiKey === undefined)
        return undefined;
    return { mode: 'export', ...common, ...link, adminApiKey: link.adminApiKey, ...follow, ...choice, ...guard };
}
function readRefresh(reading, common) {
    const { reader } = reading;
    const link = readLink(reading);
    const projectId = reader.optional('project-id', inputs_values/* pathId */.lH);
    const refreshBeforeMs = reader.required('refresh-before', inputs_values/* duration */.p0);
    const ifNoState = reader.required('if-no-state', inputs_values/* oneOf */.yL(['fail', 'skip'])) ?? 'fail';
    if (!asksForDestinations(reader) && !reader.isGiven('export-job-id')) {
        reader.problem('secret-name is missing: it names the secret whose link is to be kept fresh (or give another destination in to, or export-job-id)');
    }
    if (link.adminApiKey === undefined || refreshBeforeMs === undefined)
        return undefined;
    return { mode: 'refresh', ...common, ...link, adminApiKey: link.adminApiKey, projectId, refreshBeforeMs, ifNoState };
}
function combine(common, own) {
    return own && { ...common, ...own };
}

// EXTERNAL MODULE: ./build/src/platform/client.js
var client = __nccwpck_require__(9114);
// EXTERNAL MODULE: ./build/src/run/finish.js
var finish = __nccwpck_require__(4104);
;// CONCATENATED MODULE: ./build/src/run/main.js







/** Runs the step: inputs, the mode, outputs, summary. Gives the exit code; throws only what is a fault of this program. */
async function main(init) {
    const { runner, source, log, clock } = init;
    // Before anything else: a key that was written into the workflow itself is not known to the runner as a secret.
    for (const name of inputs_reader/* SECRET_INPUTS */.pH) {
        if (!(0,inputs_reader/* isPathInput */.eh)(source, name))
            for (const secret of secretsOf(name, (0,inputs_reader/* rawInput */.JR)(source, name)))
                log.mask(secret);
    }
    const end = {
        startedAt: new Date(clock.now()),
        startMs: clock.monotonicMs(),
        mode: readMode(source) ?? 'unknown',
        results: runner.openResults(),
        log,
        clock,
        showHint: runner.showHint,
        exitCode: init.exitCode,
    };
    return runStep(init, end).catch((error) => (0,finish/* finish */.O)(end, { facts: {}, error: (0,errors/* toCourierError */.tR)(error) }));
}
async function runStep({ runner, source: given, loadMode, log, clock, signal }, end) {
    const run = runner.readRun();
    // A plan is about all sites of the file.
    const source = end.mode === 'plan' ? given : await withConfigFile(given, run, log);
    const empty = runner.explainEmptyInputs();
    const key = end.mode === 'search' ? 'assistant-api-key' : 'admin-api-key';
    if (end.mode !== 'plan' && empty.skip !== undefined && (0,inputs_reader/* rawInput */.JR)(source, key) === '') {
        return (0,finish/* finish */.O)(end, { facts: { status: 'skipped', reason: empty.skip } });
    }
    const forge = run.kind === 'gitea' || run.kind === 'forgejo' ? 'gitea' : 'github';
    const inputs = readInputs(source, { ...run.github, forge, takesNotices: run.kind === 'github' }, empty.causes);
    const unread = unreadNotice(source, inputs.mode);
    if (unread !== undefined)
        log.notice(unread);
    const http = new http_http/* Http */.l({ clock, log, signal });
    const github = createGitHub({ run: run.github, clock, log, signal, http });
    const platform = createPlatform(inputs, { log, clock, signal, http });
    const mode = await loadMode(inputs.mode);
    const { showHint } = runner;
    const context = { run, platform, github, http, log, clock, signal, showHint };
    const runUrl = showsRun(run) ? undefined : run.url;
    return mode.execute(inputs, { context, end: { ...end, runUrl } });
}
/** The inputs, and below them those of the file that `config-file` names. */
async function withConfigFile(source, run, log) {
    const path = (0,inputs_reader/* rawInput */.JR)(source, 'config-file');
    const site = (0,inputs_reader/* rawInput */.JR)(source, 'site');
    if (path === '' && site !== '') {
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: 'site is read only together with config-file. Nothing was sent.',
        });
    }
    if (path === '')
        return source;
    const { readConfig, trustedValues, valuesOfSite, withValues } = await __nccwpck_require__.e(/* import() */ 8326).then(__nccwpck_require__.bind(__nccwpck_require__, 8326));
    const values = valuesOfSite(await readConfig({ path, run }), site);
    return withValues(source, trustedValues(values, run, log));
}
/** Where the summary is shown on the page of the run itself. */
function showsRun({ kind }) {
    return kind === 'github' || kind === 'gitea' || kind === 'forgejo';
}
function createPlatform(inputs, context) {
    // Without an address, as in `plan` and in a `doctor` that lacks it, no call is made.
    const { baseUrl = '' } = inputs;
    return (0,client/* createPlatformClient */.B4)((0,client/* createTransport */.oO)({ baseUrl, keys: keysOf(inputs), ...context }));
}
function keysOf(inputs) {
    switch (inputs.mode) {
        case 'export':
        case 'refresh':
        case 'rollback':
            return { admin: inputs.adminApiKey };
        case 'agent':
            return { admin: inputs.adminApiKey, assistant: inputs.relatedDocs?.assistantApiKey };
        case 'search':
            return { assistant: inputs.assistantApiKey };
        case 'doctor':
            return { admin: inputs.adminApiKey, assistant: inputs.assistantApiKey };
        case 'plan':
            return {};
    }
}


/***/ }),

/***/ 7417:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   K6: () => (/* binding */ errorSection),
/* harmony export */   R_: () => (/* binding */ heading),
/* harmony export */   TH: () => (/* binding */ documentation),
/* harmony export */   V0: () => (/* binding */ sections),
/* harmony export */   Yo: () => (/* binding */ helpAddress),
/* harmony export */   _G: () => (/* binding */ plannedSection),
/* harmony export */   h7: () => (/* binding */ dryRunHeading)
/* harmony export */ });
/* unused harmony export STATUSES */
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4502);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(492);


const STATUSES = (/* unused pure expression or super */ null && (['completed', 'failed', 'timed-out', 'detached', 'cancelled', 'skipped', 'refused']));
const HEADINGS = {
    completed: '✅',
    failed: '❌',
    'timed-out': '⏱️',
    detached: '↗️',
    cancelled: '🛑',
    skipped: '⏭️',
    refused: '🚫',
};
/** `## ✅ Export of docs.example.com: completed`. `subject` is Markdown. */
function heading(subject, status) {
    return `## ${HEADINGS[status]} ${subject}: ${status}`;
}
/** `## 🧪 Dry run: nothing was exported`, in place of a heading that would say that the work is done. */
function dryRunHeading(done) {
    return `## 🧪 Dry run: nothing was ${done}`;
}
/**
 * What went wrong and what to do. A hint is a sentence, and after a line end YAML to paste, which is shown as such.
 */
function errorSection(error) {
    if (error === undefined)
        return '';
    const [first = '', ...rest] = error.message.split('\n');
    const parts = [`**What happened** (${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(error.code)}): ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(first, 1500)}`];
    if (rest.length > 0)
        parts.push(rest.map((line) => `- ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(line.replace(/^- /, ''), 500)}`).join('\n'));
    if (error.hint !== undefined)
        parts.push(hintSection(error.hint));
    if (error.help !== undefined)
        parts.push(`[About the error code ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(error.code)}](${error.help})`);
    return parts.join('\n\n');
}
function hintSection(hint) {
    const [advice = '', ...yaml] = hint.split('\n');
    const text = `**What to do**: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(advice, 1500)}`;
    // Outside of workflows, an example is flags of a command.
    const language = yaml[0]?.startsWith('  --') === true ? 'sh' : 'yaml';
    return yaml.length === 0 ? text : `${text}\n\n${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeBlock */ .DV)(yaml.join('\n'), { language })}`;
}
/** Sections with a blank line between them; empty ones left out. */
function sections(parts) {
    return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
/** What a dry run would have written. */
function plannedSection(planned) {
    if (planned === undefined)
        return undefined;
    if (planned.length === 0)
        return 'Nothing would be written.';
    const rows = planned.map(({ action, target }) => [(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .escapeMarkdown */ .FV)(action), (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeSpan */ .SS)(target)]);
    return (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_1__/* .table */ .tp)(['What would happen', 'Where'], rows);
}
/** Where the documentation of this version is read. */
const DOCUMENTATION = 'https://github.com/docs-courier/docs-courier/blob/v1/docs';
const SETUP = 'errors-setup';
const REMOTE = 'errors-remote';
const BUNDLE = 'errors-bundle';
const PAGES = {
    config: SETUP,
    unauthorized: SETUP,
    forbidden: SETUP,
    'not-found': SETUP,
    refused: SETUP,
    conflict: REMOTE,
    'rate-limited': REMOTE,
    'job-failed': REMOTE,
    'timed-out': REMOTE,
    network: REMOTE,
    protocol: REMOTE,
    integrity: BUNDLE,
    'unsafe-archive': BUNDLE,
    'checks-failed': BUNDLE,
    io: BUNDLE,
    cancelled: BUNDLE,
};
/** The address of a page of the documentation, such as `how-to/refresh.md`. */
function documentation(path) {
    return `${DOCUMENTATION}/${path}`;
}
/** The section about an error code. */
function helpAddress(code) {
    return documentation(`reference/${PAGES[code]}.md#error-${code}`);
}


/***/ }),

/***/ 1824:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   EK: () => (/* binding */ isAwsRegion),
/* harmony export */   M0: () => (/* binding */ formatAddress),
/* harmony export */   dz: () => (/* binding */ SCHEMES),
/* harmony export */   s9: () => (/* binding */ isSettingName)
/* harmony export */ });
/** Addresses of destinations for a link: `github:secret/NAME`, `k8s:NAMESPACE/SECRET#KEY`, `file:PATH` and so on. */
const SCHEMES = ['github', 'gitea', 'gitlab', 'k8s', 'vault', 'aws-sm', 'aws-ssm', 'file'];
/** The address as text: equal for equal addresses, and read back as the same one. */
function formatAddress(address) {
    const encode = encodeURIComponent;
    switch (address.scheme) {
        case 'github':
        case 'gitea': {
            const { scheme, name } = address;
            if (address.scope === 'organization')
                return `${scheme}:org/${address.organization}/${name}`;
            const environment = 'environment' in address ? `env/${encode(address.environment)}/` : '';
            if (address.repository !== undefined)
                return `${scheme}:repo/${address.repository}/${environment}${name}`;
            return `${scheme}:${environment || 'secret/'}${name}`;
        }
        case 'gitlab': {
            const { scope, id, name, environment } = address;
            const query = environment === undefined ? '' : `?environment=${encode(environment)}`;
            return `gitlab:${scope}/${encode(id)}/${name}${query}`;
        }
        case 'k8s':
            return `k8s:${address.namespace}/${address.secret}#${address.key}`;
        case 'vault':
            return `vault:${encode(address.mount)}/${address.path.split('/').map(encode).join('/')}#${encode(address.key)}`;
        case 'aws-sm':
        case 'aws-ssm':
            return `${address.scheme}:${address.name}`;
        case 'command':
            return `command:${address.words[0]?.split(/[\\/]/).at(-1)}`;
        case 'file':
            return `file:${address.path.replaceAll('%', '%25')}`;
    }
}
/** True for a name such as `eu-central-1`, `us-gov-west-1` or `cn-north-1`: it becomes a part of host names. */
function isAwsRegion(text) {
    return /^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/.test(text);
}
/** GitHub's rules for the names of secrets and variables: https://docs.github.com/actions/reference/security/secrets. */
function isSettingName(name) {
    return /^[A-Z_][A-Z0-9_]{0,199}$/.test(name) && !name.startsWith('GITHUB_');
}


/***/ }),

/***/ 4502:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   DV: () => (/* binding */ codeBlock),
/* harmony export */   FV: () => (/* binding */ escapeMarkdown),
/* harmony export */   Jj: () => (/* binding */ cut),
/* harmony export */   Q_: () => (/* binding */ longestRun),
/* harmony export */   SS: () => (/* binding */ codeSpan),
/* harmony export */   _0: () => (/* binding */ stripInvisible),
/* harmony export */   dp: () => (/* binding */ byteLength),
/* harmony export */   gB: () => (/* binding */ visibleLines),
/* harmony export */   h0: () => (/* binding */ plainLine),
/* harmony export */   nf: () => (/* binding */ link),
/* harmony export */   se: () => (/* binding */ cutAround),
/* harmony export */   wi: () => (/* binding */ inertLines)
/* harmony export */ });
/**
 * Characters that a person does not see and a model reads: controls, bidi and zero-width characters, tags, private use,
 * unassigned and lone surrogates (Unicode categories Cc, Cf, Co, Cn, Cs), variation selectors, and letters without a shape.
 * The one set for everything that is shown or sent.
 */
// Default_Ignorable_Code_Point holds the Hangul, Khmer and Mongolian fillers, which are letters without ink; the blank Braille
// pattern is a symbol without ink.
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u{2800}]|(?![\n\t])\p{Cc}/gu;
const LINE_ENDS = /\r\n|[\r\v\f\u{85}\u{2028}\u{2029}]/gu;
/** Takes out what cannot be seen; every kind of line end becomes `\n`. */
function stripInvisible(text) {
    let removed = 0;
    const visible = text.replace(LINE_ENDS, '\n').replace(INVISIBLE, () => {
        removed += 1;
        return '';
    });
    return { text: visible, removed };
}
/** Bytes in UTF-8, which is what limits count. */
function byteLength(text) {
    return Buffer.byteLength(text);
}
/** Length of the longest run of one character. */
function longestRun(text, character) {
    let longest = 0;
    for (let at = 0, run = 0; at < text.length; at += 1) {
        run = text[at] === character ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}
/**
 * The beginning of a text that fits, cut at a code point, followed by a note that it was cut. The only place that cuts text from
 * outside: a cut can halve a secret so that no redaction finds it, and `createRedact` knows the ellipsis that this leaves.
 */
function cut(text, limit, note = '…') {
    if ('chars' in limit) {
        return text.length <= limit.chars ? text : beginning(text, limit.chars - note.length) + note;
    }
    if (Buffer.byteLength(text) <= limit.bytes)
        return text;
    return beginningInBytes(text, limit.bytes - Buffer.byteLength(note)) + note;
}
/** The part of a text around a place in it, with an ellipsis at each end where something was left out. */
function cutAround(text, at, chars) {
    if (text.length <= chars)
        return text;
    const before = Math.floor(chars / 4);
    const from = Math.max(0, Math.min(at - before, text.length - chars));
    if (from === 0)
        return cut(text, { chars });
    // The second half of a pair goes with its first.
    const first = text.charCodeAt(from);
    const start = first >= 0xdc00 && first <= 0xdfff ? from + 1 : from;
    return cut(`…${text.slice(start)}`, { chars });
}
function beginning(text, chars) {
    const end = Math.max(0, chars);
    const last = text.charCodeAt(end - 1);
    // The first half of a pair stays with its second.
    return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end);
}
function beginningInBytes(text, bytes) {
    // No character takes less than a byte: what lies behind is not worth encoding.
    const encoded = Buffer.from(text.slice(0, Math.max(0, bytes) + 1));
    let end = Math.min(encoded.length, Math.max(0, bytes));
    // Bytes 10xxxxxx continue a code point.
    while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80)
        end -= 1;
    return encoded.subarray(0, end).toString();
}
/**
 * Text from outside on its way to a person: into a log line, a summary, a comment. The runner takes commands from log lines,
 * and GitHub's Markdown takes HTML, images, mentions and references from text; none of it may act.
 */
const ZERO_WIDTH_SPACE = '\u200b';
/** The lines of a text, each without any character that could end or hide it. Tabs become spaces. */
function visibleLines(text) {
    return stripInvisible(text)
        .text.split('\n')
        .map((line) => line.replaceAll('\t', '  '));
}
// GitHub's runner looks for `##[command]` anywhere in a line, Azure Pipelines for `##[…]` and `##vso[…]`, TeamCity for
// `##teamcity[…]`.
const COMMAND_IN_LINE = /##(?=[A-Za-z]{0,20}\[)/g;
// At the start of a line: `::command` of GitHub and Gitea; `---`, `+++`, `~~~` and `^^^` of Buildkite, which open and fold its
// groups; the sections of GitLab; the folds of Travis CI.
const COMMAND_AT_START = /^\s*(?:::|---|\+\+\+|~~~|\^\^\^|section_(?:start|end):|travis_(?:fold|time):)/;
function disarm(line) {
    const broken = line.replace(COMMAND_IN_LINE, '##\\');
    return COMMAND_AT_START.test(broken) ? `| ${broken}` : broken;
}
/** Lines that no CI system takes for a command: each prints them as they are. */
function inertLines(text) {
    return visibleLines(text).map(disarm);
}
/** One inert line: for log messages, error messages and annotation texts. */
function plainLine(text, maxChars = 500) {
    const line = visibleLines(cut(text, { chars: maxChars * 2 }))
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .join(' ');
    return disarm(cut(line, { chars: maxChars }));
}
/** Text as text inside Markdown: no markup, no HTML, no mention, no reference, no link; one line. */
function escapeMarkdown(text, maxChars = 500) {
    return (plainLine(text, maxChars)
        .replace(/[\\`*_{}[\]()#~$^<>&|]/g, escapeCharacter)
        // These mean something only at the start of a line.
        .replace(/^([-+=/])/, '\\$1')
        .replace(/^(\d{1,9})([.)])/, '$1\\$2')
        .replaceAll('@', `@${ZERO_WIDTH_SPACE}`)
        .replace(/\\#(?=\d)/g, `\\#${ZERO_WIDTH_SPACE}`)
        .replace(/\bGH-(?=\d)/gi, `$&${ZERO_WIDTH_SPACE}`)
        .replaceAll('://', `:${ZERO_WIDTH_SPACE}//`)
        .replace(/www\./gi, `$&${ZERO_WIDTH_SPACE}`));
}
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '|': '&#124;' };
// HTML's own characters as entities, since a backslash does not help everywhere; the pipe, since it would split a table's row.
function escapeCharacter(character) {
    return ENTITIES[character] ?? `\\${character}`;
}
/** Text as an inline code span, whatever backticks it holds; empty text gives an empty string. */
function codeSpan(text, maxChars = 500) {
    const line = plainLine(text, maxChars);
    if (line === '')
        return '';
    const fence = '`'.repeat(longestRun(line, '`') + 1);
    const padding = /^`|`$|^ .* $/.test(line) ? ' ' : '';
    return `${fence}${padding}${line}${padding}${fence}`;
}
/** Text as a fenced block, with a fence longer than any inside. */
function codeBlock(text, options = {}) {
    const body = visibleLines(cut(text, { chars: options.maxChars ?? 10_000 })).join('\n');
    const fence = '`'.repeat(Math.max(3, longestRun(body, '`') + 1));
    return `${fence}${options.language ?? ''}\n${body}\n${fence}`;
}
/** A link, only where the address is plain https; otherwise the address as code. `label` is Markdown already. */
function link(label, url) {
    return /^https:\/\/[A-Za-z0-9\-._~/%?&=+:@#]+$/.test(url) && url.length <= 2000
        ? `[${label}](${url})`
        : codeSpan(url);
}


/***/ }),

/***/ 6691:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   _F: () => (/* binding */ fieldOf),
/* harmony export */   qF: () => (/* binding */ parseJson),
/* harmony export */   vs: () => (/* binding */ isJsonType),
/* harmony export */   wF: () => (/* binding */ describeIssues)
/* harmony export */ });
/** The value of a JSON text; undefined where it is not JSON. Fit for a schema's `safeParse`, which refuses undefined. */
function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
/** The value at this path of a JSON value; undefined where it has no such field. For a single field, where a schema is too much. */
function fieldOf(value, ...path) {
    let found = value;
    for (const name of path) {
        if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
            return undefined;
        found = new Map(Object.entries(found)).get(name);
    }
    return found;
}
/** True for `application/json` and its relatives, such as `application/scim+json`. */
function isJsonType(contentType) {
    return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '');
}
const WORDS = {
    string: 'a text',
    array: 'a list',
    object: 'an object',
    record: 'an object',
};
/** What a reply lacks, field by field: the first three. */
function describeIssues(issues) {
    return issues
        .slice(0, 3)
        .map((issue) => `${issue.path.length === 0 ? 'the reply' : issue.path.map(String).join('.')}: ${wordingOf(issue)}`)
        .join('; ');
}
// The library has no words of its own for a wrong type unless it is given a language.
function wordingOf(issue) {
    return issue.code === 'invalid_type' ? `must be ${WORDS[issue.expected] ?? issue.expected}` : issue.message;
}


/***/ }),

/***/ 492:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   MP: () => (/* binding */ writeDuration),
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   lV: () => (/* binding */ factList),
/* harmony export */   om: () => (/* binding */ formatRelative),
/* harmony export */   pq: () => (/* binding */ countOf),
/* harmony export */   r4: () => (/* binding */ formatInstant),
/* harmony export */   tp: () => (/* binding */ table),
/* harmony export */   z3: () => (/* binding */ formatBytes)
/* harmony export */ });
/** A table of cells that are Markdown already (escaped where they came from outside). Pipes in them are escaped here. */
function table(head, rows) {
    const line = (cells) => `| ${cells.map((cell) => cell.replace(/\\*\|/g, '\\|')).join(' | ')} |`;
    return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}
/** A fact a line, those without a value left out. A list, since a table would need a row of headings. Values are Markdown. */
function factList(rows) {
    return rows
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([label, value]) => `- **${label}**: ${value}`)
        .join('\n');
}
/** `1 page`, `3 pages`. */
function countOf(count, singular, plural = `${singular}s`) {
    return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`;
}
/** `412 B`, `3.4 KiB`, `1.2 GiB`. */
function formatBytes(bytes) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
    const value = bytes / 1024 ** power;
    return `${power === 0 ? value : value.toFixed(1)} ${units[power] ?? 'B'}`;
}
const SPANS = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
];
/** The two largest units that matter: `2 d 3 h`, `12 min 5 s`, `8 s`, `0.4 s`. */
function formatDuration(ms) {
    const total = Math.max(0, ms);
    if (total < 1000)
        return `${(total / 1000).toFixed(1)} s`;
    let rest = Math.round(total / 1000) * 1000;
    const parts = [];
    for (const [unit, size] of SPANS) {
        const count = Math.floor(rest / size);
        rest -= count * size;
        if (count > 0 || parts.length > 0)
            parts.push(`${count} ${unit}`);
    }
    return parts
        .slice(0, 2)
        .filter((part) => !part.startsWith('0 '))
        .join(' ');
}
/** As people write it in an input: `30m`, `2h`, `90s`. */
function writeDuration(ms) {
    const seconds = Math.round(ms / 1000);
    if (seconds > 0 && seconds % 3600 === 0)
        return `${seconds / 3600}h`;
    return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
/** `2026-03-01 12:00 UTC`. */
function formatInstant(instant) {
    return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
/** `in 3 d 4 h` or `12 min ago`. */
function formatRelative(instant, nowMs) {
    const distance = instant.getTime() - nowMs;
    return distance >= 0 ? `in ${formatDuration(distance)}` : `${formatDuration(-distance)} ago`;
}


/***/ }),

/***/ 6761:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Iw: () => (/* binding */ guess),
/* harmony export */   Jf: () => (/* binding */ isPathId),
/* harmony export */   Ub: () => (/* binding */ pageUrls),
/* harmony export */   Xg: () => (/* binding */ isWindowsPathElsewhere),
/* harmony export */   yM: () => (/* binding */ splitWords)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6760);

// Longer names are no misspellings, and the work grows with the length.
const LONGEST_NAME = 64;
const LARGEST_DISTANCE = 3;
/**
 * The candidate that a misspelt name most likely means; undefined where none is near enough. Case, `-`, `_` and blanks do not
 * count, so that `secretname` and `SECRET_NAME` both mean `secret-name`.
 */
function guess(name, candidates) {
    const written = bare(name);
    if (written === '' || name.length > LONGEST_NAME)
        return undefined;
    const [best] = candidates
        .map((candidate) => ({ candidate, far: distance(written, bare(candidate)) }))
        .sort((a, b) => a.far - b.far);
    // Of a short name hardly anything would be left.
    const limit = Math.min(LARGEST_DISTANCE, Math.max(1, Math.floor(written.length / 3)));
    return best !== undefined && best.far <= limit ? best.candidate : undefined;
}
function bare(name) {
    return name.toLowerCase().replace(/[-_\s]/g, '');
}
// By hand: the kept libraries (fastest-levenshtein, leven) count two swapped letters, the commonest slip, as two edits, so that
// `exprot` is as far from `export` as from `report`.
function distance(a, b) {
    let before = [];
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i += 1) {
        const next = [i];
        for (let j = 1; j <= b.length; j += 1) {
            const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
            const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
            const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced;
            next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
        }
        before = row;
        row = next;
    }
    return row[b.length] ?? 0;
}
/**
 * The words of a command as a person writes them: between blanks, or in single or double quotes. Nothing else means anything,
 * so that a Windows path stays what it is. undefined where a quote is not closed.
 */
function splitWords(text) {
    const pieces = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
    if (text.replace(pieces, '').trim() !== '')
        return undefined;
    return [...text.matchAll(pieces)].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
/** Longest id that we put into a path, and the characters that need no escaping there (RFC 3986, unreserved). */
const ID_PATTERN = /^[A-Za-z0-9._~-]{1,128}$/;
/** True for an id that can be one path segment: unreserved characters, and not `.` or `..`, which a URL resolves. */
function isPathId(value) {
    return ID_PATTERN.test(value) && !/^\.+$/.test(value);
}
/**
 * True for a path of Windows on another system, where it would be the name of one file in the working folder: `C:\docs\link.txt`.
 */
function isWindowsPathElsewhere(path) {
    return node_path__WEBPACK_IMPORTED_MODULE_0__.sep === '/' && (/^[A-Za-z]:[\\/]/.test(path) || path.includes('\\'));
}
/** Addresses below `siteUrl`: each part of a path is encoded, so that none can lead to another host. */
function pageUrls(siteUrl) {
    if (siteUrl === undefined || !/^https?:\/\//.test(siteUrl) || !URL.canParse(siteUrl))
        return () => undefined;
    const root = new URL(siteUrl).href.replace(/[?#].*$/, '').replace(/\/+$/, '');
    return (path) => `${root}/${path.split('/').filter(isName).map(encode).join('/')}`;
}
function isName(part) {
    return part !== '' && part !== '.' && part !== '..';
}
// A lone half of a surrogate pair has no encoding.
function encode(part) {
    return encodeURIComponent(part.toWellFormed());
}


/***/ }),

/***/ 8092:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Kb: () => (/* binding */ excerpt),
/* harmony export */   ay: () => (/* binding */ createRedact),
/* harmony export */   c3: () => (/* binding */ SHORTEST_SECRET),
/* harmony export */   eo: () => (/* binding */ secretForms)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4573);
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(4502);


/** Shorter values occur in ordinary text: hiding them would hide half the log. */
const SHORTEST_SECRET = 8;
// Base64 of a value inside a longer text depends on where it starts within three bytes. The edges mix with the neighbours.
function base64Shifts(value) {
    return [0, 1, 2].map((shift) => {
        const encoded = node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.concat([node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.alloc(shift), node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.from(value)]).toString('base64');
        const head = shift === 0 ? 0 : shift + 1;
        const tail = encoded.endsWith('==') ? 3 : encoded.endsWith('=') ? 2 : 0;
        return encoded.slice(head, encoded.length - tail);
    });
}
/** Encodings of a secret as a whole. Those of its characters, one by one, are undone in the text instead. */
function encodings(secret) {
    const base64 = base64Shifts(secret);
    return [
        secret,
        ...secret.split(/\r\n|[\r\n]/),
        encodeURIComponent(secret),
        // Texts from outside are made inert before they go anywhere, which changes a value that looks like a command.
        inertForm(secret),
        ...base64,
        ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    ];
}
function hexOf(secret) {
    return node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.from(secret).toString('hex');
}
// The letter keeps away what is escaped, or made inert, only at the start of a line.
function inertForm(secret) {
    return (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
}
function shownForms(secret) {
    const inert = inertForm(secret);
    const markdown = (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .escapeMarkdown */ .FV)(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
    return [inert, markdown, ...[secret, inert].map((form) => JSON.stringify(form).slice(1, -1))];
}
/** The forms of a secret that a runner is asked to mask, which knows no others: it compares letter by letter. */
function secretForms(secret) {
    const hex = hexOf(secret);
    const forms = [...encodings(secret), ...shownForms(secret), hex, hex.toUpperCase()];
    return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}
const MASK = '***';
// Encodings within encodings: what is written a fourth time nobody reads by chance.
const DECODINGS = 3;
/**
 * A function that replaces secrets by `***`, in whatever form they are: as they are, in base64 or hexadecimal, percent-encoded,
 * as entities, escaped, in any case that the encoding allows, and split by blanks, line ends or invisible characters. A
 * beginning of a secret where the text was cut (`…`) or ends is replaced too. The work grows with the length of the text.
 */
function createRedact(secrets) {
    let matchers;
    return (text) => {
        if (text === '' || secrets.length === 0)
            return text;
        matchers ??= createMatchers(secrets);
        const { exact, folded } = matchers;
        let view = viewOf(text);
        const found = [];
        for (let round = 0;; round += 1) {
            found.push(...spansIn(view, exact.find(view.text)), ...spansIn(view, folded.find(fold(view.text))));
            const next = round < DECODINGS ? decoded(view) : undefined;
            if (next === undefined)
                break;
            view = next;
        }
        return replaceSpans(text, found);
    };
}
function createMatchers(secrets) {
    const whole = secrets.flatMap((secret) => withDecodings(encodings(secret)));
    // The beginning of an address is no secret: what is secret of a link is a secret by itself.
    const cuttable = secrets
        .filter((secret) => !secret.includes('://'))
        .flatMap((secret) => withDecodings(encodings(secret)));
    return {
        exact: new Matcher(longEnough(whole), new Set(longEnough(cuttable)), SHORTEST_SECRET),
        folded: new Matcher(longEnough(secrets.map(hexOf)), new Set(longEnough(secrets.map(hexOf))), SHORTEST_SECRET),
    };
}
function longEnough(forms) {
    return [...new Set(forms)].filter((form) => form.length >= SHORTEST_SECRET);
}
/** The forms as they look once the text around them was decoded. */
function withDecodings(forms) {
    return forms.flatMap((form) => {
        const all = [form];
        let view = viewOf(form);
        for (let round = 0; round < DECODINGS; round += 1) {
            view = view && decoded(view);
            if (view !== undefined)
                all.push(view.text);
        }
        return all;
    });
}
// Hexadecimal is the same in any case. One character stays one, so that places stay.
function fold(text) {
    return text.replace(/[A-F]/g, (letter) => letter.toLowerCase());
}
function spansIn({ starts, ends }, matches) {
    return matches.map(({ start, end }) => ({ start: starts?.[start] ?? start, end: ends?.[end - 1] ?? end }));
}
function replaceSpans(text, spans) {
    if (spans.length === 0)
        return text;
    const parts = [];
    let at = 0;
    let open;
    for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
        if (open !== undefined && span.start < open.end) {
            open = { start: open.start, end: Math.max(open.end, span.end) };
            continue;
        }
        if (open !== undefined) {
            parts.push(text.slice(at, open.start), MASK);
            at = open.end;
        }
        open = span;
    }
    if (open !== undefined) {
        parts.push(text.slice(at, open.start), MASK);
        at = open.end;
    }
    return parts.join('') + text.slice(at);
}
/**
 * Text from outside as one inert line for a message: redacted first and cut then. Cut first, all but the last letter of a key
 * could stay.
 */
function excerpt(text, { redact, max = 500 }) {
    return (0,_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(redact(text), max);
}
function viewOf(text) {
    return { text };
}
// Whatever can be encoded: a percent sign, an entity, a backslash; and what is left out: blanks and characters without a shape.
const READ_ON = /[%&\\\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
const PERCENT = /%([0-7][0-9a-f])/iy;
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|Tab|NewLine));?/iy;
const ESCAPE = /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([nrtbf])|([!-/:-@[-`{-~]))/iy;
const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const IGNORED = /[\s\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/u;
/** The text with one layer of encodings undone and without blanks; undefined where that changes nothing. */
function decoded({ text, starts, ends }) {
    if (!READ_ON.test(text))
        return undefined;
    const characters = [];
    const from = new Int32Array(text.length);
    const to = new Int32Array(text.length);
    let count = 0;
    for (let at = 0; at < text.length;) {
        const { character, length } = readOne(text, at);
        if (isPlain(character.charCodeAt(0)) || !IGNORED.test(character)) {
            characters.push(character);
            from[count] = starts?.[at] ?? at;
            to[count] = ends?.[at + length - 1] ?? at + length;
            count += 1;
        }
        at += length;
    }
    return { text: characters.join(''), starts: from, ends: to };
}
/** Printable ASCII, which most texts are made of. */
function isPlain(unit) {
    return unit > 0x20 && unit < 0x7f;
}
function readOne(text, at) {
    const character = text.charAt(at);
    const isMarker = character === '%' || character === '&' || character === '\\';
    return (isMarker ? readEncoded(text, at, character) : undefined) ?? { character, length: 1 };
}
function readEncoded(text, at, marker) {
    const pattern = marker === '%' ? PERCENT : marker === '&' ? ENTITY : ESCAPE;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null)
        return undefined;
    const length = found[0].length;
    if (marker === '%')
        return { character: unitOf(found[1], 16), length };
    if (marker === '&') {
        const [, decimal, hex, name = ''] = found;
        if (decimal !== undefined)
            return { character: unitOf(decimal, 10), length };
        if (hex !== undefined)
            return { character: unitOf(hex, 16), length };
        return { character: NAMED[name.toLowerCase()] ?? ' ', length };
    }
    const [, unicode, byte, , punctuation] = found;
    if (punctuation !== undefined)
        return { character: punctuation, length };
    const code = unicode ?? byte;
    return { character: code === undefined ? ' ' : unitOf(code, 16), length };
}
// One UTF-16 unit, so that one character of a view is one place. No secret is made of others.
function unitOf(digits, base) {
    const code = Number.parseInt(digits ?? '', base);
    return code <= 0xffff ? String.fromCharCode(code) : '\ufffd';
}
const ROOT = 0;
const UNITS = 0x10000;
const CUT = '…';
/**
 * Finds many words in one reading of a text (Aho and Corasick, 1975): the work does not depend on what the words have in common
 * with each other or with the text, which both may come from someone who would like it to take long.
 */
class Matcher {
    #next = new Map();
    #first = new Set();
    #depth = [0];
    /** Length of the longest word that ends in a state; 0 for none. */
    #word = [0];
    /** Where to go on when no word goes on. */
    #fallback = [ROOT];
    /** True where the beginning that a state stands for may be taken for a word that was cut. */
    #cuttable = [false];
    #shortestCut;
    /** `cuttable`: words of which a beginning of `shortestCut` units counts too where the text was cut or ends. */
    constructor(words, cuttable, shortestCut) {
        this.#shortestCut = shortestCut;
        for (const word of words) {
            this.#first.add(word.charCodeAt(0));
            this.#add(word, cuttable.has(word));
        }
        this.#link();
    }
    #add(word, isCuttable) {
        let state = ROOT;
        for (let at = 0; at < word.length; at += 1) {
            const key = state * UNITS + word.charCodeAt(at);
            let next = this.#next.get(key);
            if (next === undefined) {
                next = this.#depth.length;
                this.#next.set(key, next);
                this.#depth.push(at + 1);
                this.#word.push(0);
                this.#fallback.push(ROOT);
                this.#cuttable.push(false);
            }
            state = next;
            if (isCuttable)
                this.#cuttable[state] = true;
        }
        this.#word[state] = word.length;
    }
    // States by their depth: a fallback is less deep than its state, and known when it is needed.
    #link() {
        const edges = [...this.#next].sort(([, a], [, b]) => (this.#depth[a] ?? 0) - (this.#depth[b] ?? 0));
        for (const [key, state] of edges) {
            const parent = Math.floor(key / UNITS);
            const fallback = parent === ROOT ? ROOT : this.#step(this.#fallback[parent] ?? ROOT, key % UNITS);
            this.#fallback[state] = fallback;
            this.#word[state] ||= this.#word[fallback] ?? 0;
        }
    }
    #step(from, unit) {
        for (let state = from;; state = this.#fallback[state] ?? ROOT) {
            const next = this.#next.get(state * UNITS + unit);
            if (next !== undefined)
                return next;
            if (state === ROOT)
                return ROOT;
        }
    }
    find(text) {
        const matches = [];
        let state = ROOT;
        for (let at = 0; at < text.length; at += 1) {
            if (state === ROOT && !this.#first.has(text.charCodeAt(at)))
                continue;
            if (state !== ROOT && text[at] === CUT)
                this.#findCut(state, at, matches);
            state = this.#step(state, text.charCodeAt(at));
            const length = this.#word[state] ?? 0;
            if (length > 0)
                matches.push({ start: at + 1 - length, end: at + 1 });
        }
        this.#findCut(state, text.length, matches);
        return matches;
    }
    #findCut(from, end, matches) {
        for (let state = from; state !== ROOT; state = this.#fallback[state] ?? ROOT) {
            const depth = this.#depth[state] ?? 0;
            if (depth < this.#shortestCut)
                return;
            if (this.#cuttable[state] === true) {
                matches.push({ start: end - depth, end });
                return;
            }
        }
    }
}


/***/ }),

/***/ 3305:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  _L: () => (/* binding */ _boolean),
  qm: () => (/* binding */ _gte),
  LK: () => (/* binding */ _int),
  Zm: () => (/* binding */ _lte),
  Eb: () => (/* binding */ _maxLength),
  m9: () => (/* binding */ _minLength),
  G8: () => (/* binding */ _never),
  UI: () => (/* binding */ _nonnegative),
  F7: () => (/* binding */ _number),
  fU: () => (/* binding */ _refine),
  Fk: () => (/* binding */ _regex),
  Rl: () => (/* binding */ _string),
  em: () => (/* binding */ _unknown),
  q0: () => (/* binding */ describe),
  mI: () => (/* binding */ meta)
});

// UNUSED EXPORTS: TimePrecision, _any, _array, _base64, _base64url, _bigint, _catch, _check, _cidrv4, _cidrv6, _coercedBigint, _coercedBoolean, _coercedDate, _coercedNumber, _coercedString, _creditCard, _cuid, _cuid2, _custom, _date, _default, _discriminatedUnion, _e164, _email, _emoji, _endsWith, _enum, _file, _float32, _float64, _gt, _guid, _iban, _includes, _int32, _int64, _intersection, _ipv4, _ipv6, _isoDate, _isoDateTime, _isoDuration, _isoTime, _jwt, _ksuid, _lazy, _length, _literal, _lowercase, _lt, _mac, _map, _max, _maxSize, _mime, _min, _minSize, _multipleOf, _nan, _nanoid, _nativeEnum, _negative, _nonoptional, _nonpositive, _normalize, _null, _nullable, _optional, _overwrite, _pipe, _positive, _promise, _properties, _property, _readonly, _record, _set, _size, _slugify, _startsWith, _stringFormat, _stringbool, _success, _superRefine, _symbol, _templateLiteral, _toLowerCase, _toUpperCase, _transform, _trim, _tuple, _uint32, _uint64, _ulid, _undefined, _union, _uppercase, _url, _uuid, _uuidv4, _uuidv6, _uuidv7, _void, _xid, _xor

// EXTERNAL MODULE: ./node_modules/zod/v4/core/checks.js
var core_checks = __nccwpck_require__(4890);
;// CONCATENATED MODULE: ./node_modules/zod/v4/core/registries.js
var _a;
const $output = /*@__PURE__*/ (/* unused pure expression or super */ null && (Symbol("ZodOutput")));
const $input = /*@__PURE__*/ (/* unused pure expression or super */ null && (Symbol("ZodInput")));
class $ZodRegistry {
    constructor() {
        this._map = new WeakMap();
        this._idmap = new Map();
    }
    add(schema, ..._meta) {
        const meta = _meta[0];
        this._map.set(schema, meta);
        if (meta && typeof meta === "object" && "id" in meta) {
            this._idmap.set(meta.id, schema);
        }
        return this;
    }
    clear() {
        this._map = new WeakMap();
        this._idmap = new Map();
        return this;
    }
    remove(schema) {
        const meta = this._map.get(schema);
        if (meta && typeof meta === "object" && "id" in meta) {
            this._idmap.delete(meta.id);
        }
        this._map.delete(schema);
        return this;
    }
    get(schema) {
        // return this._map.get(schema) as any;
        // inherit metadata
        const p = schema._zod.parent;
        if (p) {
            const pm = { ...(this.get(p) ?? {}) };
            delete pm.id; // do not inherit id
            const f = { ...pm, ...this._map.get(schema) };
            return Object.keys(f).length ? f : undefined;
        }
        return this._map.get(schema);
    }
    has(schema) {
        return this._map.has(schema);
    }
}
// registries
function registry() {
    return new $ZodRegistry();
}
(_a = globalThis).__zod_globalRegistry ?? (_a.__zod_globalRegistry = registry());
const globalRegistry = globalThis.__zod_globalRegistry;

// EXTERNAL MODULE: ./node_modules/zod/v4/core/util.js
var core_util = __nccwpck_require__(4723);
;// CONCATENATED MODULE: ./node_modules/zod/v4/core/api.js




function snapshotChecks(def) {
    if (def.checks)
        def.checks = [...def.checks];
    return def;
}
// @__NO_SIDE_EFFECTS__
function _string(Class, params) {
    return new Class(snapshotChecks({ type: "string", ...core_util/* normalizeParams */.A2(params) }));
}
// @__NO_SIDE_EFFECTS__
function _coercedString(Class, params) {
    return new Class(snapshotChecks({ type: "string", coerce: true, ...util.normalizeParams(params) }));
}
// @__NO_SIDE_EFFECTS__
function _email(Class, params) {
    return new Class({
        type: "string",
        format: "email",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _guid(Class, params) {
    return new Class({
        type: "string",
        format: "guid",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _uuid(Class, params) {
    return new Class({
        type: "string",
        format: "uuid",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _uuidv4(Class, params) {
    return new Class({
        type: "string",
        format: "uuid",
        check: "string_format",
        abort: false,
        version: "v4",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _uuidv6(Class, params) {
    return new Class({
        type: "string",
        format: "uuid",
        check: "string_format",
        abort: false,
        version: "v6",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _uuidv7(Class, params) {
    return new Class({
        type: "string",
        format: "uuid",
        check: "string_format",
        abort: false,
        version: "v7",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _url(Class, params) {
    return new Class({
        type: "string",
        format: "url",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _emoji(Class, params) {
    return new Class({
        type: "string",
        format: "emoji",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _nanoid(Class, params) {
    return new Class({
        type: "string",
        format: "nanoid",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
/**
 * @deprecated CUID v1 is deprecated by its authors due to information leakage
 * (timestamps embedded in the id). Use {@link _cuid2} instead.
 * See https://github.com/paralleldrive/cuid.
 */
// @__NO_SIDE_EFFECTS__
function _cuid(Class, params) {
    return new Class({
        type: "string",
        format: "cuid",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _cuid2(Class, params) {
    return new Class({
        type: "string",
        format: "cuid2",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _ulid(Class, params) {
    return new Class({
        type: "string",
        format: "ulid",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _xid(Class, params) {
    return new Class({
        type: "string",
        format: "xid",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _ksuid(Class, params) {
    return new Class({
        type: "string",
        format: "ksuid",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _ipv4(Class, params) {
    return new Class({
        type: "string",
        format: "ipv4",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _ipv6(Class, params) {
    return new Class({
        type: "string",
        format: "ipv6",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _mac(Class, params) {
    return new Class({
        type: "string",
        format: "mac",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _cidrv4(Class, params) {
    return new Class({
        type: "string",
        format: "cidrv4",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _cidrv6(Class, params) {
    return new Class({
        type: "string",
        format: "cidrv6",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _base64(Class, params) {
    return new Class({
        type: "string",
        format: "base64",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _base64url(Class, params) {
    return new Class({
        type: "string",
        format: "base64url",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _e164(Class, params) {
    return new Class({
        type: "string",
        format: "e164",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _creditCard(Class, params) {
    return new Class({
        type: "string",
        format: "credit_card",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _iban(Class, params) {
    return new Class({
        type: "string",
        format: "iban",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _jwt(Class, params) {
    return new Class({
        type: "string",
        format: "jwt",
        check: "string_format",
        abort: false,
        ...util.normalizeParams(params),
    });
}
const TimePrecision = {
    Any: null,
    Minute: -1,
    Second: 0,
    Millisecond: 3,
    Microsecond: 6,
};
// @__NO_SIDE_EFFECTS__
function _isoDateTime(Class, params) {
    return new Class({
        type: "string",
        format: "datetime",
        check: "string_format",
        offset: false,
        local: false,
        precision: null,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _isoDate(Class, params) {
    return new Class({
        type: "string",
        format: "date",
        check: "string_format",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _isoTime(Class, params) {
    return new Class({
        type: "string",
        format: "time",
        check: "string_format",
        precision: null,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _isoDuration(Class, params) {
    return new Class({
        type: "string",
        format: "duration",
        check: "string_format",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _number(Class, params) {
    return new Class(snapshotChecks({ type: "number", checks: [], ...core_util/* normalizeParams */.A2(params) }));
}
// @__NO_SIDE_EFFECTS__
function _coercedNumber(Class, params) {
    return new Class(snapshotChecks({ type: "number", coerce: true, checks: [], ...util.normalizeParams(params) }));
}
// @__NO_SIDE_EFFECTS__
function _int(Class, params) {
    return new Class({
        type: "number",
        check: "number_format",
        abort: false,
        format: "safeint",
        ...core_util/* normalizeParams */.A2(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _float32(Class, params) {
    return new Class({
        type: "number",
        check: "number_format",
        abort: false,
        format: "float32",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _float64(Class, params) {
    return new Class({
        type: "number",
        check: "number_format",
        abort: false,
        format: "float64",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _int32(Class, params) {
    return new Class({
        type: "number",
        check: "number_format",
        abort: false,
        format: "int32",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _uint32(Class, params) {
    return new Class({
        type: "number",
        check: "number_format",
        abort: false,
        format: "uint32",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _boolean(Class, params) {
    return new Class({
        type: "boolean",
        ...core_util/* normalizeParams */.A2(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _coercedBoolean(Class, params) {
    return new Class({
        type: "boolean",
        coerce: true,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _bigint(Class, params) {
    return new Class({
        type: "bigint",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _coercedBigint(Class, params) {
    return new Class({
        type: "bigint",
        coerce: true,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _int64(Class, params) {
    return new Class({
        type: "bigint",
        check: "bigint_format",
        abort: false,
        format: "int64",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _uint64(Class, params) {
    return new Class({
        type: "bigint",
        check: "bigint_format",
        abort: false,
        format: "uint64",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _symbol(Class, params) {
    return new Class({
        type: "symbol",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _undefined(Class, params) {
    return new Class({
        type: "undefined",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _null(Class, params) {
    return new Class({
        type: "null",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _any(Class) {
    return new Class({
        type: "any",
    });
}
// @__NO_SIDE_EFFECTS__
function _unknown(Class) {
    return new Class({
        type: "unknown",
    });
}
// @__NO_SIDE_EFFECTS__
function _never(Class, params) {
    return new Class({
        type: "never",
        ...core_util/* normalizeParams */.A2(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _void(Class, params) {
    return new Class({
        type: "void",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _date(Class, params) {
    return new Class({
        type: "date",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _coercedDate(Class, params) {
    return new Class({
        type: "date",
        coerce: true,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _nan(Class, params) {
    return new Class({
        type: "nan",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _lt(value, params) {
    return new checks.$ZodCheckLessThan({
        check: "less_than",
        ...util.normalizeParams(params),
        value,
        inclusive: false,
    });
}
// @__NO_SIDE_EFFECTS__
function _lte(value, params) {
    return new core_checks/* $ZodCheckLessThan */.sm({
        check: "less_than",
        ...core_util/* normalizeParams */.A2(params),
        value,
        inclusive: true,
    });
}

// @__NO_SIDE_EFFECTS__
function _gt(value, params) {
    return new checks.$ZodCheckGreaterThan({
        check: "greater_than",
        ...util.normalizeParams(params),
        value,
        inclusive: false,
    });
}
// @__NO_SIDE_EFFECTS__
function _gte(value, params) {
    return new core_checks/* $ZodCheckGreaterThan */.J_({
        check: "greater_than",
        ...core_util/* normalizeParams */.A2(params),
        value,
        inclusive: true,
    });
}

// @__NO_SIDE_EFFECTS__
function _positive(params) {
    return _gt(0, params);
}
// negative
// @__NO_SIDE_EFFECTS__
function _negative(params) {
    return _lt(0, params);
}
// nonpositive
// @__NO_SIDE_EFFECTS__
function _nonpositive(params) {
    return _lte(0, params);
}
// nonnegative
// @__NO_SIDE_EFFECTS__
function _nonnegative(params) {
    return _gte(0, params);
}
// @__NO_SIDE_EFFECTS__
function _multipleOf(value, params) {
    return new checks.$ZodCheckMultipleOf({
        check: "multiple_of",
        ...util.normalizeParams(params),
        value,
    });
}
// @__NO_SIDE_EFFECTS__
function _maxSize(maximum, params) {
    return new checks.$ZodCheckMaxSize({
        check: "max_size",
        ...util.normalizeParams(params),
        maximum,
    });
}
// @__NO_SIDE_EFFECTS__
function _minSize(minimum, params) {
    return new checks.$ZodCheckMinSize({
        check: "min_size",
        ...util.normalizeParams(params),
        minimum,
    });
}
// @__NO_SIDE_EFFECTS__
function _size(size, params) {
    return new checks.$ZodCheckSizeEquals({
        check: "size_equals",
        ...util.normalizeParams(params),
        size,
    });
}
// @__NO_SIDE_EFFECTS__
function _maxLength(maximum, params) {
    const ch = new core_checks/* $ZodCheckMaxLength */.Yk({
        check: "max_length",
        ...core_util/* normalizeParams */.A2(params),
        maximum,
    });
    return ch;
}
// @__NO_SIDE_EFFECTS__
function _minLength(minimum, params) {
    return new core_checks/* $ZodCheckMinLength */.Kk({
        check: "min_length",
        ...core_util/* normalizeParams */.A2(params),
        minimum,
    });
}
// @__NO_SIDE_EFFECTS__
function _length(length, params) {
    return new checks.$ZodCheckLengthEquals({
        check: "length_equals",
        ...util.normalizeParams(params),
        length,
    });
}
// @__NO_SIDE_EFFECTS__
function _regex(pattern, params) {
    return new core_checks/* $ZodCheckRegex */.DG({
        check: "string_format",
        format: "regex",
        ...core_util/* normalizeParams */.A2(params),
        pattern,
    });
}
// @__NO_SIDE_EFFECTS__
function _lowercase(params) {
    return new checks.$ZodCheckLowerCase({
        check: "string_format",
        format: "lowercase",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _uppercase(params) {
    return new checks.$ZodCheckUpperCase({
        check: "string_format",
        format: "uppercase",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _includes(includes, params) {
    return new checks.$ZodCheckIncludes({
        check: "string_format",
        format: "includes",
        ...util.normalizeParams(params),
        includes,
    });
}
// @__NO_SIDE_EFFECTS__
function _startsWith(prefix, params) {
    return new checks.$ZodCheckStartsWith({
        check: "string_format",
        format: "starts_with",
        ...util.normalizeParams(params),
        prefix,
    });
}
// @__NO_SIDE_EFFECTS__
function _endsWith(suffix, params) {
    return new checks.$ZodCheckEndsWith({
        check: "string_format",
        format: "ends_with",
        ...util.normalizeParams(params),
        suffix,
    });
}
// @__NO_SIDE_EFFECTS__
function _property(property, schema, params) {
    return new checks.$ZodCheckProperty({
        check: "property",
        property,
        schema,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _properties(shape, params) {
    return new checks.$ZodCheckProperties({
        check: "properties",
        shape,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _mime(types, params) {
    return new checks.$ZodCheckMimeType({
        check: "mime_type",
        mime: types,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _overwrite(tx) {
    return new checks.$ZodCheckOverwrite({
        check: "overwrite",
        tx,
    });
}
// normalize
// @__NO_SIDE_EFFECTS__
function _normalize(form) {
    return _overwrite((input) => input.normalize(form));
}
// trim
// @__NO_SIDE_EFFECTS__
function _trim() {
    return _overwrite((input) => input.trim());
}
// toLowerCase
// @__NO_SIDE_EFFECTS__
function _toLowerCase() {
    return _overwrite((input) => input.toLowerCase());
}
// toUpperCase
// @__NO_SIDE_EFFECTS__
function _toUpperCase() {
    return _overwrite((input) => input.toUpperCase());
}
// slugify
// @__NO_SIDE_EFFECTS__
function _slugify() {
    return _overwrite((input) => util.slugify(input));
}
// @__NO_SIDE_EFFECTS__
function _array(Class, element, params) {
    return new Class({
        type: "array",
        element,
        // get element() {
        //   return element;
        // },
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _union(Class, options, params) {
    return new Class({
        type: "union",
        options,
        ...util.normalizeParams(params),
    });
}
function _xor(Class, options, params) {
    return new Class({
        type: "union",
        options,
        inclusive: false,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _discriminatedUnion(Class, discriminator, options, params) {
    return new Class({
        type: "union",
        options: options,
        discriminator,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _intersection(Class, left, right) {
    return new Class({
        type: "intersection",
        left,
        right,
    });
}
// export function _tuple(
//   Class: util.SchemaClass<schemas.$ZodTuple>,
//   items: [],
//   params?: string | $ZodTupleParams
// ): schemas.$ZodTuple<[], null>;
// @__NO_SIDE_EFFECTS__
function _tuple(Class, items, _paramsOrRest, _params) {
    const hasRest = _paramsOrRest instanceof schemas.$ZodType;
    const params = hasRest ? _params : _paramsOrRest;
    const rest = hasRest ? _paramsOrRest : null;
    return new Class({
        type: "tuple",
        items,
        rest,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _record(Class, keyType, valueType, params) {
    return new Class({
        type: "record",
        keyType,
        valueType,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _map(Class, keyType, valueType, params) {
    return new Class({
        type: "map",
        keyType,
        valueType,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _set(Class, valueType, params) {
    return new Class({
        type: "set",
        valueType,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _enum(Class, values, params) {
    const entries = Array.isArray(values) ? Object.fromEntries(values.map((v) => [v, v])) : values;
    // if (Array.isArray(values)) {
    //   for (const value of values) {
    //     entries[value] = value;
    //   }
    // } else {
    //   Object.assign(entries, values);
    // }
    // const entries: util.EnumLike = {};
    // for (const val of values) {
    //   entries[val] = val;
    // }
    return new Class({
        type: "enum",
        entries,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
/** @deprecated This API has been merged into `z.enum()`. Use `z.enum()` instead.
 *
 * ```ts
 * enum Colors { red, green, blue }
 * z.enum(Colors);
 * ```
 */
function _nativeEnum(Class, entries, params) {
    return new Class({
        type: "enum",
        entries,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _literal(Class, value, params) {
    return new Class({
        type: "literal",
        values: Array.isArray(value) ? value : [value],
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _file(Class, params) {
    return new Class({
        type: "file",
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _transform(Class, fn) {
    return new Class({
        type: "transform",
        transform: fn,
    });
}
// @__NO_SIDE_EFFECTS__
function _optional(Class, innerType) {
    return new Class({
        type: "optional",
        innerType,
    });
}
// @__NO_SIDE_EFFECTS__
function _nullable(Class, innerType) {
    return new Class({
        type: "nullable",
        innerType,
    });
}
// @__NO_SIDE_EFFECTS__
function _default(Class, innerType, defaultValue) {
    return new Class({
        type: "default",
        innerType,
        get defaultValue() {
            return typeof defaultValue === "function" ? defaultValue() : util.shallowClone(defaultValue);
        },
    });
}
// @__NO_SIDE_EFFECTS__
function _nonoptional(Class, innerType, params) {
    return new Class({
        type: "nonoptional",
        innerType,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _success(Class, innerType) {
    return new Class({
        type: "success",
        innerType,
    });
}
// @__NO_SIDE_EFFECTS__
function _catch(Class, innerType, catchValue) {
    return new Class({
        type: "catch",
        innerType,
        catchValue: (typeof catchValue === "function" ? catchValue : util.constantCatch(catchValue)),
    });
}
// @__NO_SIDE_EFFECTS__
function _pipe(Class, in_, out) {
    return new Class({
        type: "pipe",
        in: in_,
        out,
    });
}
// @__NO_SIDE_EFFECTS__
function _readonly(Class, innerType) {
    return new Class({
        type: "readonly",
        innerType,
    });
}
// @__NO_SIDE_EFFECTS__
function _templateLiteral(Class, parts, params) {
    return new Class({
        type: "template_literal",
        parts,
        ...util.normalizeParams(params),
    });
}
// @__NO_SIDE_EFFECTS__
function _lazy(Class, getter) {
    return new Class({
        type: "lazy",
        getter,
    });
}
// @__NO_SIDE_EFFECTS__
function _promise(Class, innerType) {
    return new Class({
        type: "promise",
        innerType,
    });
}
// @__NO_SIDE_EFFECTS__
function _custom(Class, fn, _params) {
    const norm = util.normalizeParams(_params);
    norm.abort ?? (norm.abort = true); // default to abort:false
    const schema = new Class({
        type: "custom",
        check: "custom",
        fn: fn,
        ...norm,
    });
    return schema;
}
// same as _custom but defaults to abort:false
// @__NO_SIDE_EFFECTS__
function _refine(Class, fn, _params) {
    const schema = new Class({
        type: "custom",
        check: "custom",
        fn: fn,
        ...core_util/* normalizeParams */.A2(_params),
    });
    return schema;
}
// @__NO_SIDE_EFFECTS__
function _superRefine(fn, params) {
    const ch = _check((payload) => {
        payload.addIssue = (issue) => {
            if (typeof issue === "string") {
                payload.issues.push(util.issue(issue, payload.value, ch._zod.def));
            }
            else {
                // for Zod 3 backwards compatibility
                const _issue = issue;
                if (_issue.fatal)
                    _issue.continue = false;
                _issue.code ?? (_issue.code = "custom");
                if (!("input" in _issue))
                    _issue.input = payload.value;
                _issue.inst ?? (_issue.inst = ch);
                _issue.continue ?? (_issue.continue = !ch._zod.def.abort); // abort is always undefined, so this is always true...
                payload.issues.push(util.issue(_issue));
            }
        };
        return fn(payload.value, payload);
    }, params);
    return ch;
}
// @__NO_SIDE_EFFECTS__
function _check(fn, params) {
    const ch = new checks.$ZodCheck({
        check: "custom",
        ...util.normalizeParams(params),
    });
    ch._zod.check = fn;
    return ch;
}
// @__NO_SIDE_EFFECTS__
function describe(description) {
    const ch = new core_checks/* $ZodCheck */.QP({ check: "describe" });
    ch._zod.onattach = [
        (inst) => {
            const existing = globalRegistry.get(inst) ?? {};
            globalRegistry.add(inst, { ...existing, description });
        },
    ];
    ch._zod.check = () => { }; // no-op check
    return ch;
}
// @__NO_SIDE_EFFECTS__
function meta(metadata) {
    const ch = new core_checks/* $ZodCheck */.QP({ check: "meta" });
    ch._zod.onattach = [
        (inst) => {
            const existing = globalRegistry.get(inst) ?? {};
            globalRegistry.add(inst, { ...existing, ...metadata });
        },
    ];
    ch._zod.check = () => { }; // no-op check
    return ch;
}
// @__NO_SIDE_EFFECTS__
function _stringbool(Classes, _params) {
    const params = util.normalizeParams(_params);
    let truthyArray = params.truthy ?? ["true", "1", "yes", "on", "y", "enabled"];
    let falsyArray = params.falsy ?? ["false", "0", "no", "off", "n", "disabled"];
    if (params.case !== "sensitive") {
        truthyArray = truthyArray.map((v) => (typeof v === "string" ? v.toLowerCase() : v));
        falsyArray = falsyArray.map((v) => (typeof v === "string" ? v.toLowerCase() : v));
    }
    const truthySet = new Set(truthyArray);
    const falsySet = new Set(falsyArray);
    const _Codec = Classes.Codec ?? schemas.$ZodCodec;
    const _Boolean = Classes.Boolean ?? schemas.$ZodBoolean;
    const _String = Classes.String ?? schemas.$ZodString;
    const stringSchema = new _String({ type: "string", error: params.error });
    const booleanSchema = new _Boolean({ type: "boolean", error: params.error });
    const codec = new _Codec({
        type: "pipe",
        in: stringSchema,
        out: booleanSchema,
        transform: ((input, payload) => {
            let data = input;
            if (params.case !== "sensitive")
                data = data.toLowerCase();
            if (truthySet.has(data)) {
                return true;
            }
            else if (falsySet.has(data)) {
                return false;
            }
            else {
                payload.issues.push({
                    code: "invalid_value",
                    expected: "stringbool",
                    values: [...truthySet, ...falsySet],
                    input: payload.value,
                    inst: codec,
                    continue: false,
                });
                return {};
            }
        }),
        reverseTransform: ((input, _payload) => {
            if (input === true) {
                return truthyArray[0] || "true";
            }
            else {
                return falsyArray[0] || "false";
            }
        }),
        error: params.error,
    });
    codec._zod.bag.truthy = truthyArray;
    codec._zod.bag.falsy = falsyArray;
    codec._zod.bag.case = params.case ?? "insensitive";
    return codec;
}
// @__NO_SIDE_EFFECTS__
function _stringFormat(Class, format, fnOrRegex, _params = {}) {
    const params = util.normalizeParams(_params);
    const def = {
        check: "string_format",
        type: "string",
        format,
        fn: typeof fnOrRegex === "function" ? fnOrRegex : (val) => fnOrRegex.test(val),
        ...params,
    };
    if (fnOrRegex instanceof RegExp) {
        def.pattern = fnOrRegex;
    }
    const inst = new Class(def);
    return inst;
}


/***/ }),

/***/ 4890:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   DG: () => (/* binding */ $ZodCheckRegex),
/* harmony export */   J_: () => (/* binding */ $ZodCheckGreaterThan),
/* harmony export */   KH: () => (/* binding */ $ZodCheckNumberFormat),
/* harmony export */   Kk: () => (/* binding */ $ZodCheckMinLength),
/* harmony export */   QP: () => (/* binding */ $ZodCheck),
/* harmony export */   Yk: () => (/* binding */ $ZodCheckMaxLength),
/* harmony export */   sm: () => (/* binding */ $ZodCheckLessThan)
/* harmony export */ });
/* unused harmony exports $ZodCheckMultipleOf, $ZodCheckBigIntFormat, $ZodCheckMaxSize, $ZodCheckMinSize, $ZodCheckSizeEquals, $ZodCheckLengthEquals, $ZodCheckStringFormat, $ZodCheckLowerCase, $ZodCheckUpperCase, $ZodCheckIncludes, $ZodCheckStartsWith, $ZodCheckEndsWith, $ZodCheckProperty, $ZodCheckProperties, $ZodCheckMimeType, $ZodCheckOverwrite */
/* harmony import */ var _core_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(8532);
/* harmony import */ var _util_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(4723);
// import { $ZodType } from "./schemas.js";



const $ZodCheck = /*@__PURE__*/ _core_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("$ZodCheck", (inst, def) => {
    var _a;
    inst._zod ?? (inst._zod = {});
    inst._zod.def = def;
    (_a = inst._zod).onattach ?? (_a.onattach = []);
});
/** Default `when` for size-based checks: run only on non-nullish values with a `size`. */
const _whenHasSize = (payload) => {
    const val = payload.value;
    return !util.nullish(val) && val.size !== undefined;
};
/** Default `when` for length-based checks: run only on non-nullish values with a `length`. */
const _whenHasLength = (payload) => {
    const val = payload.value;
    return !_util_js__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl(val) && val.length !== undefined;
};
const numericOriginMap = {
    number: "number",
    bigint: "bigint",
    object: "date",
};
const $ZodCheckLessThan = /*@__PURE__*/ _core_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("$ZodCheckLessThan", (inst, def) => {
    $ZodCheck.init(inst, def);
    const origin = numericOriginMap[typeof def.value];
    inst._zod.check = (payload) => {
        if (def.inclusive ? payload.value <= def.value : payload.value < def.value) {
            return;
        }
        payload.issues.push({
            origin: numericOriginMap[typeof payload.value] ?? origin,
            code: "too_big",
            maximum: typeof def.value === "object" ? def.value.getTime() : def.value,
            input: payload.value,
            inclusive: def.inclusive,
            inst,
            continue: !def.abort,
        });
    };
});
const $ZodCheckGreaterThan = /*@__PURE__*/ _core_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("$ZodCheckGreaterThan", (inst, def) => {
    $ZodCheck.init(inst, def);
    const origin = numericOriginMap[typeof def.value];
    inst._zod.check = (payload) => {
        if (def.inclusive ? payload.value >= def.value : payload.value > def.value) {
            return;
        }
        payload.issues.push({
            origin: numericOriginMap[typeof payload.value] ?? origin,
            code: "too_small",
            minimum: typeof def.value === "object" ? def.value.getTime() : def.value,
            input: payload.value,
            inclusive: def.inclusive,
            inst,
            continue: !def.abort,
        });
    };
});
const $ZodCheckMultipleOf = 
/*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckMultipleOf", (inst, def) => {
    $ZodCheck.init(inst, def);
    inst._zod.check = (payload) => {
        if (typeof payload.value !== typeof def.value)
            throw new Error("Cannot mix number and bigint in multiple_of check.");
        const isMultiple = typeof payload.value === "bigint"
            ? // `value % 0n` throws, and nothing is a multiple of zero — the number branch already fails this way via NaN
                def.value !== BigInt(0) && payload.value % def.value === BigInt(0)
            : util.floatSafeRemainder(payload.value, def.value) === 0;
        if (isMultiple)
            return;
        payload.issues.push({
            origin: typeof payload.value,
            code: "not_multiple_of",
            divisor: def.value,
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCheckNumberFormat = /*@__PURE__*/ _core_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("$ZodCheckNumberFormat", (inst, def) => {
    $ZodCheck.init(inst, def); // no format checks
    def.format = def.format || "float64";
    const isInt = def.format?.includes("int");
    const origin = isInt ? "int" : "number";
    const [minimum, maximum] = _util_js__WEBPACK_IMPORTED_MODULE_1__/* .NUMBER_FORMAT_RANGES */ .zH[def.format];
    inst._zod.check = (payload) => {
        const input = payload.value;
        if (isInt) {
            if (!Number.isInteger(input)) {
                // invalid_format issue
                // payload.issues.push({
                //   expected: def.format,
                //   format: def.format,
                //   code: "invalid_format",
                //   input,
                //   inst,
                // });
                // invalid_type issue
                payload.issues.push({
                    expected: origin,
                    format: def.format,
                    code: "invalid_type",
                    continue: false,
                    input,
                    inst,
                });
                return;
                // not_multiple_of issue
                // payload.issues.push({
                //   code: "not_multiple_of",
                //   origin: "number",
                //   input,
                //   inst,
                //   divisor: 1,
                // });
            }
            if (!Number.isSafeInteger(input)) {
                if (input > 0) {
                    // too_big
                    payload.issues.push({
                        input,
                        code: "too_big",
                        maximum: Number.MAX_SAFE_INTEGER,
                        note: "Integers must be within the safe integer range.",
                        inst,
                        origin,
                        inclusive: true,
                        continue: !def.abort,
                    });
                }
                else {
                    // too_small
                    payload.issues.push({
                        input,
                        code: "too_small",
                        minimum: Number.MIN_SAFE_INTEGER,
                        note: "Integers must be within the safe integer range.",
                        inst,
                        origin,
                        inclusive: true,
                        continue: !def.abort,
                    });
                }
                return;
            }
        }
        if (input < minimum) {
            payload.issues.push({
                origin: "number",
                input,
                code: "too_small",
                minimum,
                inclusive: true,
                inst,
                continue: !def.abort,
            });
        }
        if (input > maximum) {
            payload.issues.push({
                origin: "number",
                input,
                code: "too_big",
                maximum,
                inclusive: true,
                inst,
                continue: !def.abort,
            });
        }
    };
});
const $ZodCheckBigIntFormat = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckBigIntFormat", (inst, def) => {
    $ZodCheck.init(inst, def); // no format checks
    const [minimum, maximum] = util.BIGINT_FORMAT_RANGES[def.format];
    inst._zod.check = (payload) => {
        const input = payload.value;
        if (input < minimum) {
            payload.issues.push({
                origin: "bigint",
                input,
                code: "too_small",
                minimum: minimum,
                inclusive: true,
                inst,
                continue: !def.abort,
            });
        }
        if (input > maximum) {
            payload.issues.push({
                origin: "bigint",
                input,
                code: "too_big",
                maximum,
                inclusive: true,
                inst,
                continue: !def.abort,
            });
        }
    };
})));
const $ZodCheckMaxSize = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckMaxSize", (inst, def) => {
    var _a;
    $ZodCheck.init(inst, def);
    (_a = inst._zod.def).when ?? (_a.when = _whenHasSize);
    inst._zod.check = (payload) => {
        const input = payload.value;
        const size = input.size;
        if (size <= def.maximum)
            return;
        payload.issues.push({
            origin: util.getSizableOrigin(input),
            code: "too_big",
            maximum: def.maximum,
            inclusive: true,
            input,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCheckMinSize = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckMinSize", (inst, def) => {
    var _a;
    $ZodCheck.init(inst, def);
    (_a = inst._zod.def).when ?? (_a.when = _whenHasSize);
    inst._zod.check = (payload) => {
        const input = payload.value;
        const size = input.size;
        if (size >= def.minimum)
            return;
        payload.issues.push({
            origin: util.getSizableOrigin(input),
            code: "too_small",
            minimum: def.minimum,
            inclusive: true,
            input,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCheckSizeEquals = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckSizeEquals", (inst, def) => {
    var _a;
    $ZodCheck.init(inst, def);
    (_a = inst._zod.def).when ?? (_a.when = _whenHasSize);
    inst._zod.check = (payload) => {
        const input = payload.value;
        const size = input.size;
        if (size === def.size)
            return;
        const tooBig = size > def.size;
        payload.issues.push({
            origin: util.getSizableOrigin(input),
            ...(tooBig ? { code: "too_big", maximum: def.size } : { code: "too_small", minimum: def.size }),
            inclusive: true,
            exact: true,
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCheckMaxLength = /*@__PURE__*/ _core_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("$ZodCheckMaxLength", (inst, def) => {
    var _a;
    $ZodCheck.init(inst, def);
    (_a = inst._zod.def).when ?? (_a.when = _whenHasLength);
    inst._zod.check = (payload) => {
        const input = payload.value;
        const units = input.length;
        // Strings are measured in Unicode code points, not UTF-16 units. A code point is at most two units, so a string that already fits in units fits in code points; only an overflow has to be counted.
        const length = typeof input === "string" && units > def.maximum ? _util_js__WEBPACK_IMPORTED_MODULE_1__/* .codePointLength */ .O7(input) : units;
        if (length <= def.maximum)
            return;
        const origin = _util_js__WEBPACK_IMPORTED_MODULE_1__/* .getLengthableOrigin */ .Rc(input);
        payload.issues.push({
            origin,
            code: "too_big",
            maximum: def.maximum,
            inclusive: true,
            input,
            inst,
            continue: !def.abort,
        });
    };
});
const $ZodCheckMinLength = /*@__PURE__*/ _core_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("$ZodCheckMinLength", (inst, def) => {
    var _a;
    $ZodCheck.init(inst, def);
    (_a = inst._zod.def).when ?? (_a.when = _whenHasLength);
    inst._zod.check = (payload) => {
        const input = payload.value;
        const units = input.length;
        // A code point is one or two UTF-16 units, so fewer units than the floor can never reach it and twice the floor always clears it. Only in between is the exact count in doubt.
        const length = typeof input === "string" && units >= def.minimum && units < def.minimum * 2
            ? _util_js__WEBPACK_IMPORTED_MODULE_1__/* .codePointLength */ .O7(input)
            : units;
        if (length >= def.minimum)
            return;
        const origin = _util_js__WEBPACK_IMPORTED_MODULE_1__/* .getLengthableOrigin */ .Rc(input);
        payload.issues.push({
            origin,
            code: "too_small",
            minimum: def.minimum,
            inclusive: true,
            input,
            inst,
            continue: !def.abort,
        });
    };
});
const $ZodCheckLengthEquals = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckLengthEquals", (inst, def) => {
    var _a;
    $ZodCheck.init(inst, def);
    (_a = inst._zod.def).when ?? (_a.when = _whenHasLength);
    inst._zod.check = (payload) => {
        const input = payload.value;
        const units = input.length;
        // A code point is one or two UTF-16 units, so outside `[length, length * 2]` units the target is missed either way — and missed in the same direction in both measures.
        const length = typeof input === "string" && units >= def.length && units <= def.length * 2
            ? util.codePointLength(input)
            : units;
        if (length === def.length)
            return;
        const origin = util.getLengthableOrigin(input);
        const tooBig = length > def.length;
        payload.issues.push({
            origin,
            ...(tooBig ? { code: "too_big", maximum: def.length } : { code: "too_small", minimum: def.length }),
            inclusive: true,
            exact: true,
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCheckStringFormat = /*@__PURE__*/ _core_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("$ZodCheckStringFormat", (inst, def) => {
    var _a, _b;
    $ZodCheck.init(inst, def);
    if (def.pattern)
        (_a = inst._zod).check ?? (_a.check = (payload) => {
            def.pattern.lastIndex = 0;
            if (def.pattern.test(payload.value))
                return;
            payload.issues.push({
                origin: "string",
                code: "invalid_format",
                format: def.format,
                input: payload.value,
                ...(def.pattern ? { pattern: def.pattern.toString() } : {}),
                inst,
                continue: !def.abort,
            });
        });
    else
        (_b = inst._zod).check ?? (_b.check = () => { });
});
const $ZodCheckRegex = /*@__PURE__*/ _core_js__WEBPACK_IMPORTED_MODULE_0__/* .$constructor */ .xI("$ZodCheckRegex", (inst, def) => {
    $ZodCheckStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        def.pattern.lastIndex = 0;
        if (def.pattern.test(payload.value))
            return;
        payload.issues.push({
            origin: "string",
            code: "invalid_format",
            format: "regex",
            input: payload.value,
            pattern: def.pattern.toString(),
            inst,
            continue: !def.abort,
        });
    };
});
const $ZodCheckLowerCase = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckLowerCase", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.lowercase);
    $ZodCheckStringFormat.init(inst, def);
})));
const $ZodCheckUpperCase = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckUpperCase", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.uppercase);
    $ZodCheckStringFormat.init(inst, def);
})));
const $ZodCheckIncludes = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckIncludes", (inst, def) => {
    $ZodCheck.init(inst, def);
    const escapedRegex = util.escapeRegex(def.includes);
    // `String.prototype.includes(sub, position)` matches `sub` at `position`
    // OR LATER, so the pattern must allow at least `position` leading chars
    // (`{N,}`), not exactly `position` chars (`{N}`).
    const pattern = new RegExp(typeof def.position === "number" ? `^.{${def.position},}${escapedRegex}` : escapedRegex);
    def.pattern = pattern;
    inst._zod.check = (payload) => {
        if (payload.value.includes(def.includes, def.position))
            return;
        payload.issues.push({
            origin: "string",
            code: "invalid_format",
            format: "includes",
            includes: def.includes,
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCheckStartsWith = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckStartsWith", (inst, def) => {
    $ZodCheck.init(inst, def);
    const pattern = new RegExp(`^${util.escapeRegex(def.prefix)}.*`);
    def.pattern ?? (def.pattern = pattern);
    inst._zod.check = (payload) => {
        if (payload.value.startsWith(def.prefix))
            return;
        payload.issues.push({
            origin: "string",
            code: "invalid_format",
            format: "starts_with",
            prefix: def.prefix,
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCheckEndsWith = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckEndsWith", (inst, def) => {
    $ZodCheck.init(inst, def);
    const pattern = new RegExp(`.*${util.escapeRegex(def.suffix)}$`);
    def.pattern ?? (def.pattern = pattern);
    inst._zod.check = (payload) => {
        if (payload.value.endsWith(def.suffix))
            return;
        payload.issues.push({
            origin: "string",
            code: "invalid_format",
            format: "ends_with",
            suffix: def.suffix,
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
///////////////////////////////////
/////    $ZodCheckProperty    /////
///////////////////////////////////
function handleCheckPropertyResult(result, payload, property) {
    if (result.issues.length) {
        payload.issues.push(...util.prefixIssues(property, result.issues));
    }
}
const $ZodCheckProperty = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckProperty", (inst, def) => {
    $ZodCheck.init(inst, def);
    inst._zod.check = (payload) => {
        const result = def.schema._zod.run({
            value: payload.value[def.property],
            issues: [],
        }, {});
        if (result instanceof Promise) {
            return result.then((result) => handleCheckPropertyResult(result, payload, def.property));
        }
        handleCheckPropertyResult(result, payload, def.property);
        return;
    };
})));
const $ZodCheckProperties = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckProperties", (inst, def) => {
    $ZodCheck.init(inst, def);
    util.hide(inst, Symbol.iterator, function* () {
        yield inst;
    });
    // key and schema snapshotted together: reading one live and the other cached lets a later mutation of the caller's shape object pair a stale key with a missing schema
    let entries;
    inst._zod.check = (payload) => {
        // the base schema already typed the value, so only a nullish one is rejected here: the properties read on a primitive too, matching z.property() on a string's length
        if (payload.value == null) {
            payload.issues.push({ expected: "object", code: "invalid_type", input: payload.value, inst });
            return undefined;
        }
        entries ?? (entries = Reflect.ownKeys(def.shape).map((key) => [key, def.shape[key]]));
        const input = payload.value;
        let proms;
        for (const [key, schema] of entries) {
            const result = schema._zod.run({ value: input[key], issues: [] }, {});
            if (result instanceof Promise) {
                proms ?? (proms = []);
                proms.push(result.then((result) => handleCheckPropertyResult(result, payload, key)));
            }
            else {
                handleCheckPropertyResult(result, payload, key);
            }
        }
        if (proms)
            return Promise.all(proms).then(() => undefined);
        return undefined;
    };
})));
const $ZodCheckMimeType = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckMimeType", (inst, def) => {
    $ZodCheck.init(inst, def);
    const mimeSet = new Set(def.mime);
    inst._zod.check = (payload) => {
        if (mimeSet.has(payload.value.type))
            return;
        payload.issues.push({
            code: "invalid_value",
            values: def.mime,
            input: payload.value.type,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCheckOverwrite = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCheckOverwrite", (inst, def) => {
    $ZodCheck.init(inst, def);
    inst._zod.check = (payload) => {
        payload.value = def.tx(payload.value);
    };
})));


/***/ }),

/***/ 8532:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $W: () => (/* binding */ config),
/* harmony export */   GT: () => (/* binding */ $ZodAsyncError),
/* harmony export */   cV: () => (/* binding */ $ZodEncodeError),
/* harmony export */   cr: () => (/* binding */ globalConfig),
/* harmony export */   xI: () => (/* binding */ $constructor)
/* harmony export */ });
/* unused harmony exports NEVER, $brand */
/* harmony import */ var _util_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4723);
var _a;

/** A special constant with type `never` */
const NEVER = /*@__PURE__*/ Object.freeze({
    status: "aborted",
});
/* Shared descriptor for installing `_zod`; defineProperty reads it
 * synchronously, so reusing one object avoids a per-instance allocation. */
const _zodDesc = { value: undefined, enumerable: false };
// null where suppressing the capture would be unrecoverable: `parse()` puts the frames back with `captureStackTrace`, so without it the throw would lose its stack. also latched to null once `stackTraceLimit` proves unassignable, which a realm can do at any point by hardening Error
let _E = "captureStackTrace" in Error ? Error : null;
// v8 captures a stack trace inside the Error constructor, which dominates a failed parse; costs only the frames, and parse() restores those. the constructor must RUN: Object.create is cheaper and passes instanceof, but Error.isError and util.types.isNativeError check an internal slot
function newError(Definition) {
    const E = _E;
    if (E) {
        const saved = E.stackTraceLimit;
        if (typeof saved === "number") {
            try {
                E.stackTraceLimit = 0;
            }
            catch {
                _E = null;
                return new Definition();
            }
            try {
                return new Definition();
            }
            finally {
                E.stackTraceLimit = saved;
            }
        }
    }
    return new Definition();
}
function $constructor(name, initializer, 
/** This trait's members, installed once on every prototype that composes it. They cannot be declared in the initializer above: that runs per instance, and the prototype is shared. */
proto, params) {
    // Prototype for this constructor's `_zod` internals. Lazily-derived fields (`values`, `pattern`, `optin`, …) install here once rather than as an accessor on every instance.
    const zodProto = {};
    // Assigning the fields in the constructor body is what gives instances in-object slots; building the object literally and reparenting it costs a second allocation and a generic property copy.
    function Internals(def) {
        this.def = def;
        this.constr = _;
        this.traits = new Set();
    }
    Internals.prototype = zodProto;
    const protoMembers = proto;
    // One trait's members land on every prototype whose chain composes it, so the answer is per prototype rather than per trait.
    const initialized = protoMembers && new WeakSet();
    function init(inst, def) {
        if (!inst._zod) {
            _zodDesc.value = new Internals(def);
            try {
                Object.defineProperty(inst, "_zod", _zodDesc);
            }
            finally {
                // Cleared even on throw, so the shared descriptor never leaks one instance's internals into the next.
                _zodDesc.value = undefined;
            }
        }
        else if (inst._zod.traits.has(name)) {
            return;
        }
        inst._zod.traits.add(name);
        initializer(inst, def);
        if (initialized) {
            // `super(def)` from a user subclass gives `this` a prototype the subclass owns, and installing there would overwrite whatever the subclass declared. `constr` built the instance, so its prototype is the one below the subclass's that should carry the members. A receiver whose chain never reaches that prototype installs on its own, which for a plain object handed straight to `init` means `Object.prototype` — unchanged from before.
            const own = Object.getPrototypeOf(inst);
            const ctorProto = inst._zod.constr.prototype;
            let up = own;
            while (up && up !== ctorProto)
                up = Object.getPrototypeOf(up);
            const target = up ?? own;
            if (!initialized.has(target)) {
                initialized.add(target);
                (0,_util_js__WEBPACK_IMPORTED_MODULE_0__/* .members */ .ol)(target, protoMembers);
            }
        }
        // support prototype modifications; for-in avoids the array allocation of Object.keys on the (usually empty) prototype
        const proto = _.prototype;
        for (const k in proto) {
            if (!Object.prototype.hasOwnProperty.call(proto, k))
                continue;
            if (!(k in inst)) {
                inst[k] = proto[k].bind(inst);
            }
        }
    }
    // doesn't work if Parent has a constructor with arguments
    const Parent = params?.Parent ?? Object;
    class Definition extends Parent {
    }
    Object.defineProperty(Definition, "name", { value: name });
    function _(def) {
        const inst = params?.Parent ? newError(Definition) : this;
        init(inst, def);
        const deferred = inst._zod.deferred;
        if (deferred) {
            for (const fn of deferred) {
                fn();
            }
            // Released: initializers run once, and the list would otherwise be retained for the schema's lifetime.
            inst._zod.deferred = undefined;
        }
        // Global post-processor hook. Internal: installed by `import "zod/compile"` to enable AOT compilation for every constructed schema. Runs last, once the instance is fully built, because it hands the instance to compile(). The post-processor is expected to be reentrancy-guarded by its own implementation.
        const pp = globalThis.__zod_globalConfig?.postProcessor;
        if (pp)
            pp(inst);
        return inst;
    }
    Object.defineProperty(_, "init", { value: init });
    Object.defineProperty(_, Symbol.hasInstance, {
        value: (inst) => {
            if (params?.Parent && inst instanceof params.Parent)
                return true;
            return inst?._zod?.traits?.has(name);
        },
    });
    Object.defineProperty(_, "name", { value: name });
    return _;
}
//////////////////////////////   UTILITIES   ///////////////////////////////////////
const $brand = /*@__PURE__*/ (/* unused pure expression or super */ null && (Symbol("zod_brand")));
class $ZodAsyncError extends Error {
    constructor() {
        super(`Encountered Promise during synchronous parse. Use .parseAsync() instead.`);
    }
}
class $ZodEncodeError extends Error {
    constructor(name) {
        super(`Encountered unidirectional transform during encode: ${name}`);
        this.name = "ZodEncodeError";
    }
}
(_a = globalThis).__zod_globalConfig ?? (_a.__zod_globalConfig = {});
const globalConfig = globalThis.__zod_globalConfig;
function config(newConfig) {
    if (newConfig)
        Object.assign(globalConfig, newConfig);
    return globalConfig;
}


/***/ }),

/***/ 4723:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   A2: () => (/* binding */ normalizeParams),
/* harmony export */   Gv: () => (/* binding */ isObject),
/* harmony export */   MO: () => (/* binding */ rawShape),
/* harmony export */   NM: () => (/* binding */ optionalKeys),
/* harmony export */   O7: () => (/* binding */ codePointLength),
/* harmony export */   PO: () => (/* binding */ cached),
/* harmony export */   QH: () => (/* binding */ aborted),
/* harmony export */   Qd: () => (/* binding */ isPlainObject),
/* harmony export */   Rc: () => (/* binding */ getLengthableOrigin),
/* harmony export */   SS: () => (/* binding */ constantCatch),
/* harmony export */   Vy: () => (/* binding */ assignProp),
/* harmony export */   X: () => (/* binding */ installLazyProp),
/* harmony export */   X$: () => (/* binding */ extend),
/* harmony export */   cl: () => (/* binding */ nullish),
/* harmony export */   d3: () => (/* binding */ attachSchema),
/* harmony export */   gx: () => (/* binding */ captureStackTrace),
/* harmony export */   hi: () => (/* binding */ sizeCaps),
/* harmony export */   iR: () => (/* binding */ finalizeIssue),
/* harmony export */   jD: () => (/* binding */ hide),
/* harmony export */   k8: () => (/* binding */ jsonStringifyReplacer),
/* harmony export */   lQ: () => (/* binding */ prefixIssues),
/* harmony export */   o8: () => (/* binding */ clone),
/* harmony export */   ol: () => (/* binding */ members),
/* harmony export */   p6: () => (/* binding */ cleanRegex),
/* harmony export */   qQ: () => (/* binding */ propertyKeyTypes),
/* harmony export */   qh: () => (/* binding */ own),
/* harmony export */   rL: () => (/* binding */ explicitlyAborted),
/* harmony export */   sD: () => (/* binding */ escapeRegex),
/* harmony export */   sn: () => (/* binding */ issue),
/* harmony export */   v5: () => (/* binding */ defineLazyInternal),
/* harmony export */   w5: () => (/* binding */ getEnumValues),
/* harmony export */   zH: () => (/* binding */ NUMBER_FORMAT_RANGES)
/* harmony export */ });
/* unused harmony exports assertEqual, assertNotEqual, toZod, assertIs, assertNever, assert, joinValues, floatSafeRemainder, defineLazy, objectClone, mergeDefs, cloneDef, getElementAtPath, promiseAllObject, randomString, esc, slugify, allowsEval, shallowClone, numKeys, getParsedType, primitiveTypes, createTransparentProxy, stringifyPrimitive, BIGINT_FORMAT_RANGES, pick, omit, safeExtend, merge, partial, required, unwrapMessage, getSizableOrigin, parsedType, cleanEnum, base64ToUint8Array, uint8ArrayToBase64, base64urlToUint8Array, uint8ArrayToBase64url, hexToUint8Array, uint8ArrayToHex, Class, derived, CONSTANT_CATCH */

// functions
function assertEqual(val) {
    return val;
}
function assertNotEqual(val) {
    return val;
}
function toZod() {
    return (schema) => schema;
}
function assertIs(_arg) { }
function assertNever(_x) {
    throw new Error("Unexpected value in exhaustive check");
}
function assert(_) { }
function getEnumValues(entries) {
    const numericValues = Object.values(entries).filter((v) => typeof v === "number");
    const values = Object.entries(entries)
        .filter(([k, _]) => numericValues.indexOf(+k) === -1)
        .map(([_, v]) => v);
    return values;
}
function joinValues(array, separator = "|") {
    return array.map((val) => stringifyPrimitive(val)).join(separator);
}
function jsonStringifyReplacer(_, value) {
    if (typeof value === "bigint")
        return value.toString();
    return value;
}
// the accessor lives on a shared prototype: an own accessor makes every box a dictionary-mode object (~360 B and a slow load per read against ~100 B and an inlined getter here)
class Cached {
    constructor(getter) {
        this._getter = getter;
        this._value = undefined;
    }
    get value() {
        const getter = this._getter;
        if (getter !== undefined) {
            this._value = getter();
            this._getter = undefined;
        }
        return this._value;
    }
}
function cached(getter) {
    return new Cached(getter);
}
function nullish(input) {
    return input === null || input === undefined;
}
function cleanRegex(source) {
    const start = source.startsWith("^") ? 1 : 0;
    const end = source.endsWith("$") ? source.length - 1 : source.length;
    return source.slice(start, end);
}
function floatSafeRemainder(val, step) {
    const ratio = val / step;
    const roundedRatio = Math.round(ratio);
    // `val` and `step` each round to a double before the division rounds again, so a true decimal multiple's quotient can sit up to 1.5 of these scaled epsilons from the integer. A 1x tolerance therefore rejected 2.03 as a multiple of 0.07; 4x covers the worst case with margin.
    const tolerance = 4 * Number.EPSILON * Math.max(Math.abs(ratio), 1);
    if (Math.abs(ratio - roundedRatio) < tolerance)
        return 0;
    return ratio - roundedRatio;
}
const EVALUATING = /* @__PURE__*/ (/* unused pure expression or super */ null && (Symbol("evaluating")));
function defineLazy(object, key, getter) {
    let value = undefined;
    Object.defineProperty(object, key, {
        get() {
            if (value === EVALUATING) {
                // Circular reference detected, return undefined to break the cycle
                return undefined;
            }
            if (value === undefined) {
                value = EVALUATING;
                value = getter();
            }
            return value;
        },
        set(v) {
            Object.defineProperty(object, key, {
                value: v,
                // configurable: true,
            });
            // object[key] = v;
        },
        configurable: true,
    });
}
function objectClone(obj) {
    return Object.create(Object.getPrototypeOf(obj), Object.getOwnPropertyDescriptors(obj));
}
function assignProp(target, prop, value) {
    Object.defineProperty(target, prop, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
    });
}
/**
 * Whichever object a def's `shape` currently answers from: the one the caller passed until the first read, the frozen copy after it.
 *
 * Its keys and descriptors read without invoking anything, which is what lets a discriminated union check its discriminator, and the cycle walk read a shape, without resolving a getter that references the schema being constructed. A def that answers `shape` from an accessor of its own has none.
 */
function rawShape(def) {
    const desc = Object.getOwnPropertyDescriptor(def, "shape");
    return desc?.get ? desc.get.raw : desc?.value;
}
// where a builder reads its source's keys and descriptors, resolving only a shape a def answers for itself. A shape resolves by object spread, so only its enumerable keys are ever part of it.
function sourceShape(schema) {
    return rawShape(schema._zod.def) ?? schema._zod.def.shape;
}
// a key whose value is not settled yet, self-caching so every read after the first gets the same one
function deferProp(target, key, getter) {
    Object.defineProperty(target, key, {
        get() {
            const value = getter();
            assignProp(this, key, value);
            return value;
        },
        enumerable: true,
        configurable: true,
    });
}
// Writes a settled key. A plain assignment is much cheaper than `defineProperty` and produces the same descriptor, but it runs whatever setter already answers to the key — an accessor this shape deferred, or an inherited one, which `__proto__` has on every object and prototype pollution can add for any name.
function putProp(target, key, value) {
    if (key in target)
        assignProp(target, key, value);
    else
        target[key] = value;
}
/**
 * Copies `keys` of `source`'s shape onto `target`, each value passed through `wrap`.
 *
 * A key the source has resolved is copied through now, so the derived shape states it outright and nothing has to resolve it to learn what it holds. A key the source still defers stays deferred, and reads back through the source's own `shape`, so it resolves once and both shapes get that one schema.
 */
function mirrorShape(target, source, keys, wrap) {
    const raw = sourceShape(source);
    for (const key of keys) {
        const desc = Object.getOwnPropertyDescriptor(raw, key);
        if (!desc.enumerable)
            continue;
        if (desc.get) {
            deferProp(target, key, () => {
                const value = source._zod.def.shape[key];
                return wrap ? wrap(value, key) : value;
            });
        }
        else
            putProp(target, key, wrap ? wrap(desc.value, key) : desc.value);
    }
}
// same, for a plain shape a caller passed rather than a schema's
function mirrorProps(target, source) {
    for (const key of Reflect.ownKeys(source)) {
        const desc = Object.getOwnPropertyDescriptor(source, key);
        if (!desc.enumerable)
            continue;
        if (desc.get)
            deferProp(target, key, () => source[key]);
        else
            putProp(target, key, desc.value);
    }
}
function mergeDefs(...defs) {
    const mergedDescriptors = {};
    for (const def of defs) {
        const descriptors = Object.getOwnPropertyDescriptors(def);
        Object.assign(mergedDescriptors, descriptors);
    }
    return Object.defineProperties({}, mergedDescriptors);
}
function cloneDef(schema) {
    return mergeDefs(schema._zod.def);
}
function getElementAtPath(obj, path) {
    if (!path)
        return obj;
    return path.reduce((acc, key) => acc?.[key], obj);
}
function promiseAllObject(promisesObj) {
    const keys = Object.keys(promisesObj);
    const promises = keys.map((key) => promisesObj[key]);
    return Promise.all(promises).then((results) => {
        const resolvedObj = {};
        for (let i = 0; i < keys.length; i++) {
            resolvedObj[keys[i]] = results[i];
        }
        return resolvedObj;
    });
}
function randomString(length = 10) {
    const chars = "abcdefghijklmnopqrstuvwxyz";
    let str = "";
    for (let i = 0; i < length; i++) {
        str += chars[Math.floor(Math.random() * chars.length)];
    }
    return str;
}
function esc(str) {
    return JSON.stringify(str);
}
function slugify(input) {
    return input
        .toLowerCase()
        .trim()
        .replace(/[^\w\s-]/g, "")
        .replace(/[\s_-]+/g, "-")
        .replace(/^-+|-+$/g, "");
}
const captureStackTrace = ("captureStackTrace" in Error ? Error.captureStackTrace : (..._args) => { });
function isObject(data) {
    return typeof data === "object" && data !== null && !Array.isArray(data);
}
const allowsEval = /* @__PURE__*/ (/* unused pure expression or super */ null && (cached(() => {
    // Skip the probe under `jitless`: strict CSPs report the caught `new Function` as a `securitypolicyviolation` even though the throw is swallowed.
    if (globalConfig.jitless) {
        return false;
    }
    // @ts-ignore
    if (typeof navigator !== "undefined" && navigator?.userAgent?.includes("Cloudflare")) {
        return false;
    }
    try {
        const F = Function;
        new F("");
        return true;
    }
    catch (_) {
        return false;
    }
})));
function isPlainObject(o) {
    if (isObject(o) === false)
        return false;
    // modified constructor
    const ctor = o.constructor;
    if (ctor === undefined)
        return true;
    if (typeof ctor !== "function")
        return true;
    // modified prototype
    const prot = ctor.prototype;
    if (isObject(prot) === false)
        return false;
    // ctor doesn't have static `isPrototypeOf`
    if (Object.prototype.hasOwnProperty.call(prot, "isPrototypeOf") === false) {
        return false;
    }
    return true;
}
function shallowClone(o) {
    if (isPlainObject(o))
        return { ...o };
    if (Array.isArray(o))
        return [...o];
    if (o instanceof Map)
        return new Map(o);
    if (o instanceof Set)
        return new Set(o);
    return o;
}
function numKeys(data) {
    let keyCount = 0;
    for (const key in data) {
        if (Object.prototype.hasOwnProperty.call(data, key)) {
            keyCount++;
        }
    }
    return keyCount;
}
const getParsedType = (data) => {
    const t = typeof data;
    switch (t) {
        case "undefined":
            return "undefined";
        case "string":
            return "string";
        case "number":
            return Number.isNaN(data) ? "nan" : "number";
        case "boolean":
            return "boolean";
        case "function":
            return "function";
        case "bigint":
            return "bigint";
        case "symbol":
            return "symbol";
        case "object":
            if (Array.isArray(data)) {
                return "array";
            }
            if (data === null) {
                return "null";
            }
            if (data.then && typeof data.then === "function" && data.catch && typeof data.catch === "function") {
                return "promise";
            }
            if (typeof Map !== "undefined" && data instanceof Map) {
                return "map";
            }
            if (typeof Set !== "undefined" && data instanceof Set) {
                return "set";
            }
            if (typeof Date !== "undefined" && data instanceof Date) {
                return "date";
            }
            // @ts-ignore
            if (typeof File !== "undefined" && data instanceof File) {
                return "file";
            }
            return "object";
        default:
            throw new Error(`Unknown data type: ${t}`);
    }
};
const propertyKeyTypes = /* @__PURE__*/ new Set(["string", "number", "symbol"]);
const primitiveTypes = /* @__PURE__*/ new Set([
    "string",
    "number",
    "bigint",
    "boolean",
    "symbol",
    "undefined",
]);
function escapeRegex(str) {
    return str.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
// zod-specific utils
function clone(inst, def, params) {
    const cl = new inst._zod.constr(def ?? inst._zod.def);
    if (!def || params?.parent)
        cl._zod.parent = inst;
    return cl;
}
function normalizeParams(_params) {
    const params = _params;
    if (!params)
        return {};
    if (typeof params === "string")
        return { error: () => params };
    if (params?.message !== undefined) {
        if (params?.error !== undefined)
            throw new Error("Cannot specify both `message` and `error` params");
        params.error = params.message;
    }
    delete params.message;
    if (typeof params.error === "string")
        return { ...params, error: () => params.error };
    return params;
}
function createTransparentProxy(getter) {
    let target;
    return new Proxy({}, {
        get(_, prop, receiver) {
            target ?? (target = getter());
            return Reflect.get(target, prop, receiver);
        },
        set(_, prop, value, receiver) {
            target ?? (target = getter());
            return Reflect.set(target, prop, value, receiver);
        },
        has(_, prop) {
            target ?? (target = getter());
            return Reflect.has(target, prop);
        },
        deleteProperty(_, prop) {
            target ?? (target = getter());
            return Reflect.deleteProperty(target, prop);
        },
        ownKeys(_) {
            target ?? (target = getter());
            return Reflect.ownKeys(target);
        },
        getOwnPropertyDescriptor(_, prop) {
            target ?? (target = getter());
            return Reflect.getOwnPropertyDescriptor(target, prop);
        },
        defineProperty(_, prop, descriptor) {
            target ?? (target = getter());
            return Reflect.defineProperty(target, prop, descriptor);
        },
    });
}
function stringifyPrimitive(value) {
    if (typeof value === "bigint")
        return value.toString() + "n";
    if (typeof value === "string")
        return `"${value}"`;
    return `${value}`;
}
function optionalKeys(shape) {
    return Object.keys(shape).filter((k) => {
        return shape[k]._zod.optin !== undefined && shape[k]._zod.optout === "optional";
    });
}
// Wrapped in a `@__PURE__` IIFE: esbuild never tree-shakes a top-level initializer that contains a member access on `Number`, so the bare object literal survived into every bundle.
const NUMBER_FORMAT_RANGES = /*@__PURE__*/ (() => ({
    safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    int32: [-2147483648, 2147483647],
    uint32: [0, 4294967295],
    float32: [-3.4028234663852886e38, 3.4028234663852886e38],
    float64: [-Number.MAX_VALUE, Number.MAX_VALUE],
}))();
const BIGINT_FORMAT_RANGES = {
    int64: [/* @__PURE__*/ BigInt("-9223372036854775808"), /* @__PURE__*/ BigInt("9223372036854775807")],
    uint64: [/* @__PURE__*/ BigInt(0), /* @__PURE__*/ BigInt("18446744073709551615")],
};
function pick(schema, mask) {
    const currDef = schema._zod.def;
    const checks = currDef.checks;
    const hasChecks = checks && checks.length > 0;
    if (hasChecks) {
        throw new Error(".pick() cannot be used on object schemas containing refinements");
    }
    const newShape = {};
    mirrorShape(newShape, schema, maskedKeys(schema, mask));
    return clone(schema, mergeDefs(currDef, { shape: newShape, checks: [] }));
}
// the mask keys that select something, checked against the source's shape without resolving it
function maskedKeys(schema, mask) {
    const raw = sourceShape(schema);
    const keys = [];
    // `for...in` skips symbols, so a symbol in the mask would select nothing
    for (const key of Reflect.ownKeys(mask)) {
        if (!Object.getOwnPropertyDescriptor(raw, key)?.enumerable) {
            throw new Error(`Unrecognized key: "${String(key)}"`);
        }
        if (mask[key])
            keys.push(key);
    }
    return keys;
}
function omit(schema, mask) {
    const currDef = schema._zod.def;
    const checks = currDef.checks;
    const hasChecks = checks && checks.length > 0;
    if (hasChecks) {
        throw new Error(".omit() cannot be used on object schemas containing refinements");
    }
    const omitted = new Set(maskedKeys(schema, mask));
    const newShape = {};
    mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)).filter((key) => !omitted.has(key)));
    return clone(schema, mergeDefs(currDef, { shape: newShape, checks: [] }));
}
function extend(schema, shape) {
    if (!isPlainObject(shape)) {
        throw new Error("Invalid input to extend: expected a plain object");
    }
    const checks = schema._zod.def.checks;
    const hasChecks = checks && checks.length > 0;
    if (hasChecks) {
        // Only throw if new shape overlaps with existing shape. Use getOwnPropertyDescriptor to check key existence without accessing values
        const existingShape = sourceShape(schema);
        for (const key of Reflect.ownKeys(shape)) {
            if (Object.getOwnPropertyDescriptor(existingShape, key) !== undefined) {
                throw new Error("Cannot overwrite keys on object schemas containing refinements. Use `.safeExtend()` instead.");
            }
        }
    }
    return clone(schema, mergeDefs(schema._zod.def, { shape: extended(schema, shape) }));
}
// the source's keys, then the caller's overlaid on top
function extended(schema, shape) {
    const newShape = {};
    mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)));
    mirrorProps(newShape, shape);
    return newShape;
}
function safeExtend(schema, shape) {
    if (!isPlainObject(shape)) {
        throw new Error("Invalid input to safeExtend: expected a plain object");
    }
    return clone(schema, mergeDefs(schema._zod.def, { shape: extended(schema, shape) }));
}
function merge(a, b) {
    if (!b?._zod?.def) {
        throw new Error("Invalid input to merge: expected an object schema. To merge a plain shape, use `.extend()`.");
    }
    if (a._zod.def.checks?.length) {
        throw new Error(".merge() cannot be used on object schemas containing refinements. Use .safeExtend() instead.");
    }
    const newShape = {};
    mirrorShape(newShape, a, Reflect.ownKeys(sourceShape(a)));
    mirrorShape(newShape, b, Reflect.ownKeys(sourceShape(b)));
    const def = mergeDefs(a._zod.def, {
        shape: newShape,
        get catchall() {
            return b._zod.def.catchall;
        },
        checks: b._zod.def.checks ?? [],
    });
    return clone(a, def);
}
function partial(Class, schema, mask, name = "partial") {
    const currDef = schema._zod.def;
    const checks = currDef.checks;
    const hasChecks = checks && checks.length > 0;
    if (hasChecks) {
        throw new Error(`.${name}() cannot be used on object schemas containing refinements`);
    }
    const selected = mask ? new Set(maskedKeys(schema, mask)) : undefined;
    const newShape = {};
    mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)), Class &&
        ((value, key) => (selected && !selected.has(key) ? value : new Class({ type: "optional", innerType: value }))));
    return clone(schema, mergeDefs(schema._zod.def, { shape: newShape, checks: [] }));
}
function required(Class, schema, mask) {
    const selected = mask ? new Set(maskedKeys(schema, mask)) : undefined;
    const newShape = {};
    mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)), (value, key) => 
    // overwrite with non-optional
    selected && !selected.has(key) ? value : new Class({ type: "nonoptional", innerType: value }));
    return clone(schema, mergeDefs(schema._zod.def, { shape: newShape }));
}
// invalid_type | too_big | too_small | invalid_format | not_multiple_of | unrecognized_keys | invalid_union | invalid_key | invalid_element | invalid_value | custom
function aborted(x, startIndex = 0) {
    if (x.aborted === true)
        return true;
    for (let i = startIndex; i < x.issues.length; i++) {
        if (x.issues[i]?.continue !== true) {
            return true;
        }
    }
    return false;
}
// Checks for explicit abort (continue === false), as opposed to implicit abort (continue === undefined). Used to respect `abort: true` in .refine() even for checks that have a `when` function.
function explicitlyAborted(x, startIndex = 0) {
    if (x.aborted === true)
        return true;
    for (let i = startIndex; i < x.issues.length; i++) {
        if (x.issues[i]?.continue === false) {
            return true;
        }
    }
    return false;
}
function prefixIssues(path, issues) {
    return issues.map((iss) => {
        var _a;
        (_a = iss).path ?? (_a.path = []);
        iss.path.unshift(path);
        return iss;
    });
}
function unwrapMessage(message) {
    return typeof message === "string" ? message : message?.message;
}
/* A check holds no link back to the schema it is attached to — the same check instance is shared by every clone of that schema — so the owner is stamped onto the issues a check just raised, at the only point where both are in scope. Runs on the failure path only; `start` is the issue count from before the check ran. */
/** The leading size checks of `defChecks` that set an upper bound, each paired with it. */
function sizeCaps(defChecks) {
    const caps = [];
    for (const ch of defChecks ?? []) {
        const d = ch._zod.def;
        // a later check may rewrite the value
        if (!/_(length|size)$|_equals$/.test(d.check))
            break;
        const max = d.maximum ?? d.length ?? d.size;
        if (max >= 0)
            caps.push([max, ch]);
    }
    return caps;
}
function attachSchema(issues, start, inst) {
    var _a;
    for (let i = start; i < issues.length; i++) {
        (_a = issues[i]).schema ?? (_a.schema = inst);
    }
}
function finalizeIssue(iss, ctx, config) {
    var _a;
    // A schema that raised an issue itself owns it outright, and outranks any stamp an enclosing check left in `attachSchema`. String formats and z.custom() are schema and check at once, so when they act as a check they defer to that stamp instead.
    const traits = iss.inst?._zod?.traits;
    if (traits?.has("$ZodType")) {
        if (traits.has("$ZodCheck"))
            (_a = iss).schema ?? (_a.schema = iss.inst);
        else
            iss.schema = iss.inst;
    }
    // Decreasing specificity, first map to return a message wins. `inst` is whatever raised the issue, so a check's own map outranks the owning schema's.
    const schemaError = iss.schema !== iss.inst ? iss.schema?._zod.def?.error : undefined;
    const message = iss.message
        ? iss.message
        : (unwrapMessage(iss.inst?._zod.def?.error?.(iss)) ??
            unwrapMessage(schemaError?.(iss)) ??
            unwrapMessage(ctx?.error?.(iss)) ??
            unwrapMessage(config.customError?.(iss)) ??
            unwrapMessage(config.localeError?.(iss)) ??
            "Invalid input");
    // an explicit own-key copy beats object rest with excluded keys, which v8 routes through a generic runtime call; Object.keys rather than for-in so an issue pushed with a prototype does not leak inherited keys, and an own __proto__ key is dropped rather than assigned through the setter
    const full = {};
    for (const k of Object.keys(iss)) {
        if (k === "inst" || k === "schema" || k === "continue" || k === "input" || k === "__proto__")
            continue;
        full[k] = iss[k];
    }
    full.path ?? (full.path = []);
    full.message = message;
    if (ctx?.reportInput) {
        full.input = iss.input;
    }
    return full;
}
function getSizableOrigin(input) {
    if (input instanceof Set)
        return "set";
    if (input instanceof Map)
        return "map";
    // @ts-ignore
    if (input instanceof File)
        return "file";
    return "unknown";
}
const highSurrogate = /[\uD800-\uDBFF]/;
// Code points in `str`: a surrogate pair counts once, a lone surrogate as itself. Hand-rolled because the string iterator allocates and runs ~250x slower on this path; the regex probe exits ~50x quicker for a string with no astral characters.
function codePointLength(str) {
    const units = str.length;
    if (!highSurrogate.test(str))
        return units;
    let count = units;
    for (let i = 0; i < units - 1; i++) {
        if ((str.charCodeAt(i) & 0xfc00) === 0xd800 && (str.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
            count--;
            i++;
        }
    }
    return count;
}
function getLengthableOrigin(input) {
    if (Array.isArray(input))
        return "array";
    if (typeof input === "string")
        return "string";
    return "unknown";
}
function parsedType(data) {
    const t = typeof data;
    switch (t) {
        case "number": {
            return Number.isNaN(data) ? "nan" : "number";
        }
        case "object": {
            if (data === null) {
                return "null";
            }
            if (Array.isArray(data)) {
                return "array";
            }
            const obj = data;
            if (obj && Object.getPrototypeOf(obj) !== Object.prototype && "constructor" in obj && obj.constructor) {
                return obj.constructor.name;
            }
        }
    }
    return t;
}
function issue(...args) {
    const [iss, input, inst] = args;
    if (typeof iss === "string") {
        return {
            message: iss,
            code: "custom",
            input,
            inst,
        };
    }
    return { ...iss };
}
function cleanEnum(obj) {
    return Object.entries(obj)
        .filter(([k, _]) => {
        // return true if NaN, meaning it's not a number, thus a string key
        return Number.isNaN(Number.parseInt(k, 10));
    })
        .map((el) => el[1]);
}
// Codec utility functions
function base64ToUint8Array(base64) {
    const binaryString = atob(base64);
    const bytes = new Uint8Array(binaryString.length);
    for (let i = 0; i < binaryString.length; i++) {
        bytes[i] = binaryString.charCodeAt(i);
    }
    return bytes;
}
function uint8ArrayToBase64(bytes) {
    let binaryString = "";
    for (let i = 0; i < bytes.length; i++) {
        binaryString += String.fromCharCode(bytes[i]);
    }
    return btoa(binaryString);
}
function base64urlToUint8Array(base64url) {
    const base64 = base64url.replace(/-/g, "+").replace(/_/g, "/");
    const padding = "=".repeat((4 - (base64.length % 4)) % 4);
    return base64ToUint8Array(base64 + padding);
}
function uint8ArrayToBase64url(bytes) {
    return uint8ArrayToBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}
function hexToUint8Array(hex) {
    const cleanHex = hex.replace(/^0x/, "");
    if (cleanHex.length % 2 !== 0) {
        throw new Error("Invalid hex string length");
    }
    const bytes = new Uint8Array(cleanHex.length / 2);
    for (let i = 0; i < cleanHex.length; i += 2) {
        bytes[i / 2] = Number.parseInt(cleanHex.slice(i, i + 2), 16);
    }
    return bytes;
}
function uint8ArrayToHex(bytes) {
    return Array.from(bytes)
        .map((b) => b.toString(16).padStart(2, "0"))
        .join("");
}
// instanceof
class Class {
    constructor(..._args) { }
}
//////////    PROTOTYPE INSTALLERS     //////////
//
// Members live on the prototype and materialize per instance on first read, which keeps own-property count under the step where V8 stops using inline slots. Changing anything here means re-measuring runtime, memory and bundle size together — see "The three axes" in AGENTS.md.
/**
 * Installs a trait's members on its prototype. Each value builds that member for the instance on first read; the built value shadows the accessor as an own property, so a detached `const { parse } = schema` keeps working.
 *
 * Call this from a `proto` initializer, which runs once per prototype — never per instance.
 */
function members(proto, table) {
    for (const key in table) {
        const desc = Object.getOwnPropertyDescriptor(table, key);
        // a getter installs as written, so it stays live: `description` reads through to the registry on every access. not enumerable: an object literal's is, and a prototype member never was
        if (desc.get)
            Object.defineProperty(proto, key, { ...desc, enumerable: false });
        // a method materializes bound on first read, which is what keeps a detached member working: `const opt = schema.optional; opt()`
        else
            defineBound(proto, key, desc.value);
    }
}
/** Shadows a prototype member with an own value, so a getter that builds from the instance runs once. */
function own(inst, key, value, enumerable = true) {
    Object.defineProperty(inst, key, { configurable: true, writable: true, enumerable, value });
    return value;
}
/** Like {@link own}, for a member that was never an own data property and has to stay out of `Object.keys`. */
function hide(inst, key, value) {
    return own(inst, key, value, false);
}
/** Adds members a table derives from the instance: each builds on first read and shadows as own data, and assignment shadows the same way, as when these were own properties. */
function derived(computes, table) {
    for (const key in computes) {
        const compute = computes[key];
        // an object literal's accessor is configurable and enumerable, and `members` copies the descriptor as written
        Object.defineProperty(table, key, {
            configurable: true,
            enumerable: true,
            get() {
                return own(this, key, compute(this));
            },
            set(value) {
                own(this, key, value);
            },
        });
    }
    return table;
}
function defineBound(proto, key, fn) {
    Object.defineProperty(proto, key, {
        configurable: true,
        get() {
            // vitest's spyOn calls a prototype getter bare to find the function it wraps, so a nullish receiver answers the raw method
            return this == null ? fn : own(this, key, fn.bind(this));
        },
        set(value) {
            own(this, key, value);
        },
    });
}
/** Returns the prototype to install on, or `undefined` if this group is already installed on it. */
function claim(inst, sentinel) {
    const proto = Object.getPrototypeOf(inst);
    // Runs on every construction, so `in` rather than the costlier `hasOwnProperty.call`. Sentinels are keys the group itself defines.
    return sentinel in proto ? undefined : proto;
}
// The internals whose init chain is installing. A second call for the same one is a derived constructor overriding its base, so it must not construct another schema in between or the override is dropped.
let installing;
// Set while a getter is running, so a value that resolved through a recursion break is not memoized. One shared descriptor shadows the key for the duration, which costs no per-key allocation.
let broke = false;
const breaker = {
    configurable: true,
    get() {
        broke = true;
        return undefined;
    },
};
/**
 * Installs a lazily-derived internal on the `_zod` prototype of `inst`'s
 * constructor, computed from the internals object itself and cached there on
 * first read. One accessor per constructor rather than one per instance.
 */
function defineLazyInternal(inst, key, compute) {
    const proto = Object.getPrototypeOf(inst._zod);
    if (key in proto && installing !== inst._zod) {
        // A repeat construction: everything is installed already. Cleared here so the reference is not held past the first construction of every type.
        installing = undefined;
        return;
    }
    installing = inst._zod;
    Object.defineProperty(proto, key, {
        configurable: true,
        get() {
            // Shadowed before computing so a re-entrant read from a recursive schema resolves to undefined instead of running the getter again.
            Object.defineProperty(this, key, breaker);
            const outer = broke;
            broke = false;
            try {
                const value = compute(this);
                // A result that resolved through a recursion break is recomputed once the graph is complete; everything else memoizes, undefined included.
                if (broke)
                    delete this[key];
                else
                    Object.defineProperty(this, key, { configurable: true, writable: true, value });
                broke = broke || outer;
                return value;
            }
            catch (err) {
                // A compute that threw memoizes nothing, so a later read runs it again and fails the same way. The shadow goes with it, since leaving it installed would answer undefined for every later read.
                delete this[key];
                broke = broke || outer;
                throw err;
            }
        },
        set(value) {
            Object.defineProperty(this, key, { configurable: true, writable: true, value });
        },
    });
}
/**
 * Installs `key` on `inst`'s prototype, computed by `make` on first read and cached there as an own
 * data property. One accessor per constructor rather than one per instance, because an own accessor
 * puts every instance after the first into v8 dictionary mode. The key doubles as the sentinel.
 */
function installLazyProp(inst, key, make, enumerable) {
    const proto = claim(inst, key);
    if (!proto)
        return;
    Object.defineProperty(proto, key, {
        configurable: true,
        get() {
            // Shadowed before computing, so a re-entrant read from a self-referential shape resolves to undefined instead of running the getter again. A data property rather than an accessor: an own accessor is the dictionary-mode transition this exists to avoid.
            const desc = { configurable: true, writable: true, enumerable, value: undefined };
            Object.defineProperty(this, key, desc);
            // a compute that throws leaves the shadow behind, so later reads answer undefined instead of re-throwing; `defineLazy` did the same, and `defineLazyInternal`'s delete-on-catch would cost bytes in every bundle for a case only a throwing user getter reaches
            desc.value = make(this);
            Object.defineProperty(this, key, desc);
            return desc.value;
        },
        set(value) {
            Object.defineProperty(this, key, { configurable: true, writable: true, enumerable, value });
        },
    });
}
/** Marks the thunk `_catch` synthesises for a constant catch value. `Function.length` cannot tell that thunk from a user callback — rest and defaulted parameters both report arity 0 — and a user callback reads `ctx.error`, whose issues only finalize correctly against the caller's per-parse error map. Provenance can say what arity cannot. A plain string key rather than `Symbol.for`, whose call at module scope no bundler can prove pure — the same shape that anchored `urlCanParse` into every build. */
const CONSTANT_CATCH = "~constantCatch";
/** Wraps a constant catch value in a thunk tagged with {@link CONSTANT_CATCH}. */
function constantCatch(value) {
    const fn = () => value;
    fn[CONSTANT_CATCH] = true;
    return fn;
}


/***/ }),

/***/ 8395:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  YOg: () => (/* binding */ array),
  zMY: () => (/* binding */ schemas_boolean),
  MfU: () => (/* binding */ _catch),
  gMt: () => (/* binding */ discriminatedUnion),
  k5n: () => (/* binding */ _enum),
  X$i: () => (/* binding */ extend),
  Whr: () => (/* binding */ schemas_int),
  euz: () => (/* binding */ literal),
  _H3: () => (/* binding */ looseObject),
  mIj: () => (/* binding */ meta),
  mee: () => (/* binding */ nullable),
  cl6: () => (/* binding */ nullish),
  aig: () => (/* binding */ schemas_number),
  Ikc: () => (/* binding */ object),
  lqM: () => (/* binding */ optional),
  FsL: () => (/* binding */ pipe),
  tBZ: () => (/* binding */ readonly),
  g1P: () => (/* binding */ record),
  YPB: () => (/* binding */ refine),
  rej: () => (/* binding */ strictObject),
  YjP: () => (/* binding */ schemas_string),
  pdi: () => (/* binding */ transform),
  KCZ: () => (/* binding */ union),
  L5J: () => (/* binding */ unknown)
});

// UNUSED EXPORTS: ZodMiniAny, ZodMiniArray, ZodMiniBase64, ZodMiniBase64URL, ZodMiniBigInt, ZodMiniBigIntFormat, ZodMiniBoolean, ZodMiniCIDRv4, ZodMiniCIDRv6, ZodMiniCUID, ZodMiniCUID2, ZodMiniCatch, ZodMiniCodec, ZodMiniCreditCard, ZodMiniCustom, ZodMiniCustomStringFormat, ZodMiniDate, ZodMiniDefault, ZodMiniDiscriminatedUnion, ZodMiniE164, ZodMiniEmail, ZodMiniEmoji, ZodMiniEnum, ZodMiniExactOptional, ZodMiniFile, ZodMiniFunction, ZodMiniGUID, ZodMiniIBAN, ZodMiniIPv4, ZodMiniIPv6, ZodMiniIntersection, ZodMiniJWT, ZodMiniKSUID, ZodMiniLazy, ZodMiniLiteral, ZodMiniMAC, ZodMiniMap, ZodMiniNaN, ZodMiniNanoID, ZodMiniNever, ZodMiniNonOptional, ZodMiniNull, ZodMiniNullable, ZodMiniNumber, ZodMiniNumberFormat, ZodMiniObject, ZodMiniOptional, ZodMiniPipe, ZodMiniPrefault, ZodMiniPromise, ZodMiniReadonly, ZodMiniRecord, ZodMiniSet, ZodMiniString, ZodMiniStringFormat, ZodMiniSuccess, ZodMiniSymbol, ZodMiniTemplateLiteral, ZodMiniTransform, ZodMiniTuple, ZodMiniType, ZodMiniULID, ZodMiniURL, ZodMiniUUID, ZodMiniUndefined, ZodMiniUnion, ZodMiniUnknown, ZodMiniVoid, ZodMiniXID, ZodMiniXor, _default, _function, any, base64, base64url, bigint, catchall, check, cidrv4, cidrv6, codec, creditCard, cuid, cuid2, currencyCode, custom, date, describe, e164, email, emoji, exactOptional, exactPartial, file, float32, float64, function, guid, hash, hex, hostname, httpUrl, iban, instanceof, int32, int64, intersection, invertCodec, ipv4, ipv6, json, jwt, keyof, ksuid, lazy, looseRecord, mac, map, merge, nan, nanoid, nativeEnum, never, nonoptional, null, omit, partial, partialRecord, pick, prefault, promise, required, safeExtend, set, stringFormat, stringbool, success, superRefine, symbol, templateLiteral, tuple, uint32, uint64, ulid, undefined, url, uuid, uuidv4, uuidv6, uuidv7, void, xid, xor

// EXTERNAL MODULE: ./node_modules/zod/v4/core/core.js
var core_core = __nccwpck_require__(8532);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/checks.js
var core_checks = __nccwpck_require__(4890);
;// CONCATENATED MODULE: ./node_modules/zod/v4/core/regexes.js

/**
 * @deprecated CUID v1 is deprecated by its authors due to information leakage
 * (timestamps embedded in the id). Use {@link cuid2} instead.
 * See https://github.com/paralleldrive/cuid.
 */
const cuid = /^[cC][0-9a-z]{6,}$/;
const cuid2 = /^[0-9a-z]+$/;
const ulid = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;
const xid = /^[0-9a-vA-V]{20}$/;
const ksuid = /^[A-Za-z0-9]{27}$/;
const nanoid = /^[a-zA-Z0-9_-]{21}$/;
function nanoidOfLength(length) {
    return new RegExp(`^[a-zA-Z0-9_-]{${length}}$`);
}
/** ISO 8601-1 duration regex. Does not support the 8601-2 extensions like negative durations or fractional/negative components. */
const duration = /^P(?:(\d+W)|(?!.*W)(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$/;
/** Implements ISO 8601-2 extensions like explicit +- prefixes, mixing weeks with other units, and fractional/negative components. */
const extendedDuration = /^[-+]?P(?!$)(?:(?:[-+]?\d+Y)|(?:[-+]?\d+[.,]\d+Y$))?(?:(?:[-+]?\d+M)|(?:[-+]?\d+[.,]\d+M$))?(?:(?:[-+]?\d+W)|(?:[-+]?\d+[.,]\d+W$))?(?:(?:[-+]?\d+D)|(?:[-+]?\d+[.,]\d+D$))?(?:T(?=[\d+-])(?:(?:[-+]?\d+H)|(?:[-+]?\d+[.,]\d+H$))?(?:(?:[-+]?\d+M)|(?:[-+]?\d+[.,]\d+M$))?(?:[-+]?\d+(?:[.,]\d+)?S)?)??$/;
/** A regex for any UUID-like identifier: 8-4-4-4-12 hex pattern */
const guid = /^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/;
/** Returns a regex for validating an RFC 9562/4122 UUID.
 *
 * @param version Optionally specify a version 1-8. If no version is specified, all versions are supported. */
const uuid = (version) => {
    if (!version)
        return /^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/;
    return new RegExp(`^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-${version}[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$`);
};
const uuid4 = /*@__PURE__*/ (/* unused pure expression or super */ null && (uuid(4)));
const uuid6 = /*@__PURE__*/ (/* unused pure expression or super */ null && (uuid(6)));
const uuid7 = /*@__PURE__*/ (/* unused pure expression or super */ null && (uuid(7)));
/** Practical email validation */
const email = /^(?:[A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$/;
/** Equivalent to the HTML5 input[type=email] validation implemented by browsers. Source: https://developer.mozilla.org/en-US/docs/Web/HTML/Element/input/email */
const html5Email = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
/** The classic emailregex.com regex for RFC 5322-compliant emails */
const rfc5322Email = /^(([^<>()\[\]\\.,;:\s@"]+(\.[^<>()\[\]\\.,;:\s@"]+)*)|(".+"))@((\[[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}])|(([a-zA-Z\-0-9]+\.)+[a-zA-Z]{2,}))$/;
/** A loose regex that allows Unicode characters, enforces length limits, and that's about it. */
const unicodeEmail = /^[^\s@"]{1,64}@[^\s@]{1,255}$/u;
const idnEmail = (/* unused pure expression or super */ null && (unicodeEmail));
const browserEmail = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
// from https://thekevinscott.com/emojis-in-javascript/#writing-a-regular-expression
// Single character class, not an alternation: the two properties overlap (U+1F9B0-U+1F9B3), so `(A|B)+` backtracks exponentially on a failed match. The leading lookahead then demands one anchor — a pictograph, a regional indicator, or the enclosing keycap — because `\p{Emoji_Component}` on its own covers ASCII digits, `#`, `*`, ZWJ, variation selectors and skin tone modifiers, none of which is an emoji without a base.
const _emoji = (/* unused pure expression or super */ null && (`^(?=[\\s\\S]*[\\p{Extended_Pictographic}\\p{Regional_Indicator}\\u20E3])[\\p{Extended_Pictographic}\\p{Emoji_Component}]+$`));
function emoji() {
    return new RegExp(_emoji, "u");
}
const ipv4 = /^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])$/;
const ipv6 = /^(([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$/;
const mac = (delimiter) => {
    const escapedDelim = util.escapeRegex(delimiter ?? ":");
    return new RegExp(`^(?:[0-9A-F]{2}${escapedDelim}){5}[0-9A-F]{2}$|^(?:[0-9a-f]{2}${escapedDelim}){5}[0-9a-f]{2}$`);
};
const cidrv4 = /^((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\/([0-9]|[1-2][0-9]|3[0-2])$/;
const cidrv6 = /^(([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))\/(12[0-8]|1[01][0-9]|[1-9]?[0-9])$/;
// https://stackoverflow.com/questions/7860392/determine-if-string-is-in-base64-using-javascript
const base64 = /^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$/;
const base64url = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$/;
// based on https://stackoverflow.com/questions/106179/regular-expression-to-match-dns-hostname-or-ip-address
// export const hostname: RegExp = /^([a-zA-Z0-9-]+\.)*[a-zA-Z0-9-]+$/;
const hostname = /^(?=.{1,253}\.?$)[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-0-9a-zA-Z]{0,61}[0-9a-zA-Z])?)*\.?$/;
const domain = /^(?=.{1,253}$)([a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$/;
const httpProtocol = /^https?$/;
// https://blog.stevenlevithan.com/archives/validate-phone-number#r4-3 (regex sans spaces) E.164: leading digit must be 1-9; total digits (excluding '+') between 7-15
const e164 = /^\+[1-9]\d{6,14}$/;
// Credit card shape: 12–19 digits, optionally separated by single spaces or single hyphens. ISO/IEC 7812 caps the PAN at 19 digits; 12 is the shortest issued length (Maestro).
const creditCard = /^\d(?:[ -]?\d){11,18}$/;
// ISO 4217 alpha codes from the SIX list, regenerated by scripts/update-iso-4217.ts
const currencyCode = /^(?:AED|AFN|ALL|AMD|AOA|ARS|AUD|AWG|AZN|BAM|BBD|BDT|BHD|BIF|BMD|BND|BOB|BOV|BRL|BSD|BTN|BWP|BYN|BZD|CAD|CDF|CHE|CHF|CHW|CLF|CLP|CNY|COP|COU|CRC|CUP|CVE|CZK|DJF|DKK|DOP|DZD|EGP|ERN|ETB|EUR|FJD|FKP|GBP|GEL|GHS|GIP|GMD|GNF|GTQ|GYD|HKD|HNL|HTG|HUF|IDR|ILS|INR|IQD|IRR|ISK|JMD|JOD|JPY|KES|KGS|KHR|KMF|KPW|KRW|KWD|KYD|KZT|LAK|LBP|LKR|LRD|LSL|LYD|MAD|MDL|MGA|MKD|MMK|MNT|MOP|MRU|MUR|MVR|MWK|MXN|MXV|MYR|MZN|NAD|NGN|NIO|NOK|NPR|NZD|OMR|PAB|PEN|PGK|PHP|PKR|PLN|PYG|QAR|RON|RSD|RUB|RWF|SAR|SBD|SCR|SDG|SEK|SGD|SHP|SLE|SOS|SRD|SSP|STN|SVC|SYP|SZL|THB|TJS|TMT|TND|TOP|TRY|TTD|TWD|TZS|UAH|UGX|USD|USN|UYI|UYU|UYW|UZS|VED|VES|VND|VUV|WST|XAD|XAF|XAG|XAU|XBA|XBB|XBC|XBD|XCD|XCG|XDR|XOF|XPD|XPF|XPT|XSU|XTS|XUA|XXX|YER|ZAR|ZMW|ZWG)$/;
// iban electronic format: 2-letter country, check digits 02-98 (the only values `98 - remainder` can produce), 11-30 bban characters
const iban = /^[A-Z]{2}(?!00|01|99)\d{2}[A-Z0-9]{11,30}$/;
const dateSource = (/* unused pure expression or super */ null && (`(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))`));
/** Anchors a pattern source. The interpolation lives here rather than at the call site because
 * esbuild will not drop a `@__PURE__` call whose own argument interpolates a variable, but it
 * will drop `anchor(dateSource)`. Keeping it inline pinned `date` into every bundle. */
function regexes_anchor(source) {
    return new RegExp(`^${source}$`);
}
const date = /*@__PURE__*/ (/* unused pure expression or super */ null && (regexes_anchor(dateSource)));
function timeSource(args) {
    const hhmm = `(?:[01]\\d|2[0-3]):[0-5]\\d`;
    const regex = typeof args.precision === "number"
        ? args.precision === -1
            ? `${hhmm}`
            : args.precision === 0
                ? `${hhmm}:[0-5]\\d`
                : `${hhmm}:[0-5]\\d\\.\\d{${args.precision}}`
        : args.seconds
            ? `${hhmm}:[0-5]\\d(?:\\.\\d+)?`
            : `${hhmm}(?::[0-5]\\d(?:\\.\\d+)?)?`;
    return regex;
}
function time(args) {
    return new RegExp(`^${timeSource(args)}$`);
}
// Adapted from https://stackoverflow.com/a/3143231
function datetime(args) {
    const opts = ["Z"];
    // if (args.offset) opts.push(`([+-]\\d{2}:\\d{2})`);
    if (args.offset)
        opts.push(`([+-](?:[01]\\d|2[0-3]):[0-5]\\d)`);
    // RFC 3339 mandates seconds wherever the time carries a `Z` or an offset, so only the unqualified form `local` adds may omit them
    const qualified = `${timeSource({ precision: args.precision, seconds: true })}(?:${opts.join("|")})`;
    const timeRegex = args.local ? `${qualified}|${timeSource({ precision: args.precision })}` : qualified;
    return new RegExp(`^${dateSource}T(?:${timeRegex})$`);
}
// the unbounded form of `string()` as a literal, so every plain string shares one instance instead of building its own
const anyString = /^[\s\S]{0,}$/;
const string = (params) => {
    const regex = params ? `[\\s\\S]{${params?.minimum ?? 0},${params?.maximum ?? ""}}` : `[\\s\\S]*`;
    return new RegExp(`^${regex}$`);
};
const bigint = /^-?\d+n?$/;
const integer = /^-?\d+$/;
const number = /^-?\d+(?:\.\d+)?$/;
const regexes_boolean = /^(?:true|false)$/i;
const _null = /^null$/i;

const _undefined = /^undefined$/i;

// regex for string with no uppercase letters
const lowercase = /^[^A-Z]*$/;
// regex for string with no lowercase letters
const uppercase = /^[^a-z]*$/;
// regex for hexadecimal strings (any length)
const hex = /^[0-9a-fA-F]*$/;
// Hash regexes for different algorithms and encodings
// Helper function to create base64 regex with exact length and padding
function fixedBase64(bodyLength, padding) {
    return new RegExp(`^[A-Za-z0-9+/]{${bodyLength}}${padding}$`);
}
// Helper function to create base64url regex with exact length (no padding)
function fixedBase64url(length) {
    return new RegExp(`^[A-Za-z0-9_-]{${length}}$`);
}
// MD5 (16 bytes): base64 = 24 chars total (22 + "==")
const md5_hex = /^[0-9a-fA-F]{32}$/;
const md5_base64 = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64(22, "==")));
const md5_base64url = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64url(22)));
// SHA1 (20 bytes): base64 = 28 chars total (27 + "=")
const sha1_hex = /^[0-9a-fA-F]{40}$/;
const sha1_base64 = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64(27, "=")));
const sha1_base64url = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64url(27)));
// SHA256 (32 bytes): base64 = 44 chars total (43 + "=")
const sha256_hex = /^[0-9a-fA-F]{64}$/;
const sha256_base64 = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64(43, "=")));
const sha256_base64url = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64url(43)));
// SHA384 (48 bytes): base64 = 64 chars total (no padding)
const sha384_hex = /^[0-9a-fA-F]{96}$/;
const sha384_base64 = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64(64, "")));
const sha384_base64url = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64url(64)));
// SHA512 (64 bytes): base64 = 88 chars total (86 + "==")
const sha512_hex = /^[0-9a-fA-F]{128}$/;
const sha512_base64 = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64(86, "==")));
const sha512_base64url = /*@__PURE__*/ (/* unused pure expression or super */ null && (fixedBase64url(86)));

// EXTERNAL MODULE: ./node_modules/zod/v4/core/util.js
var core_util = __nccwpck_require__(4723);
;// CONCATENATED MODULE: ./node_modules/zod/v4/core/versions.js
const version = {
    major: 4,
    minor: 6,
    patch: 7,
};

;// CONCATENATED MODULE: ./node_modules/zod/v4/core/schemas.js







const $ZodType = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodType", (inst, def) => {
    var _a;
    inst ?? (inst = {});
    inst._zod.def = def; // set _def property
    inst._zod.bag = inst._zod.bag || {}; // initialize _bag object
    inst._zod.version = version;
    const defChecks = inst._zod.def.checks;
    // if inst is itself a checks.$ZodCheck, run it as a check
    const checks = inst._zod.traits.has("$ZodCheck")
        ? [inst, ...(defChecks ?? [])]
        : defChecks?.length
            ? [...defChecks]
            : [];
    for (const ch of checks) {
        for (const fn of ch._zod.onattach) {
            fn(inst);
        }
    }
    if (checks.length === 0) {
        // deferred initializer inst._zod.parse is not yet defined
        (_a = inst._zod).deferred ?? (_a.deferred = []);
        inst._zod.deferred?.push(() => {
            inst._zod.run = inst._zod.parse;
        });
    }
    else {
        const runChecks = (payload, checks, ctx) => {
            if (payload.memo)
                return payload;
            let isAborted = core_util/* aborted */.QH(payload);
            let asyncResult;
            for (const ch of checks) {
                if (ch._zod.def.when) {
                    if (core_util/* explicitlyAborted */.rL(payload))
                        continue;
                    const shouldRun = ch._zod.def.when(payload);
                    if (!shouldRun)
                        continue;
                }
                else if (isAborted) {
                    continue;
                }
                const currLen = payload.issues.length;
                const _ = ch._zod.check(payload);
                if (_ instanceof Promise && ctx?.async === false) {
                    throw new core_core/* $ZodAsyncError */.GT();
                }
                if (asyncResult || _ instanceof Promise) {
                    asyncResult = (asyncResult ?? Promise.resolve()).then(async () => {
                        await _;
                        const nextLen = payload.issues.length;
                        if (nextLen === currLen)
                            return;
                        core_util/* attachSchema */.d3(payload.issues, currLen, inst);
                        if (!isAborted)
                            isAborted = core_util/* aborted */.QH(payload, currLen);
                    });
                }
                else {
                    const nextLen = payload.issues.length;
                    if (nextLen === currLen)
                        continue;
                    core_util/* attachSchema */.d3(payload.issues, currLen, inst);
                    if (!isAborted)
                        isAborted = core_util/* aborted */.QH(payload, currLen);
                }
            }
            if (asyncResult) {
                return asyncResult.then(() => {
                    return payload;
                });
            }
            return payload;
        };
        const handleCanaryResult = (canary, payload, ctx) => {
            // abort if the canary is aborted
            if (core_util/* aborted */.QH(canary)) {
                canary.aborted = true;
                return canary;
            }
            // run checks first, then
            const checkResult = runChecks(payload, checks, ctx);
            if (checkResult instanceof Promise) {
                if (ctx.async === false)
                    throw new core_core/* $ZodAsyncError */.GT();
                return checkResult.then((checkResult) => inst._zod.parse(checkResult, ctx));
            }
            return inst._zod.parse(checkResult, ctx);
        };
        inst._zod.run = (payload, ctx) => {
            if (ctx.skipChecks) {
                return inst._zod.parse(payload, ctx);
            }
            if (ctx.direction === "backward") {
                // run canary initial pass (no checks)
                const canary = inst._zod.parse({ value: payload.value, issues: [] }, { ...ctx, skipChecks: true });
                if (canary instanceof Promise) {
                    return canary.then((canary) => {
                        return handleCanaryResult(canary, payload, ctx);
                    });
                }
                return handleCanaryResult(canary, payload, ctx);
            }
            // forward
            const result = inst._zod.parse(payload, ctx);
            if (result instanceof Promise) {
                if (ctx.async === false)
                    throw new core_core/* $ZodAsyncError */.GT();
                return result.then((result) => runChecks(result, checks, ctx));
            }
            return runChecks(result, checks, ctx);
        };
    }
}, {
    // Wrappers extend this by installing a richer factory over it; reading it eagerly would defeat the laziness.
    get "~standard"() {
        return core_util/* hide */.jD(this, "~standard", standardProps(this));
    },
    set "~standard"(value) {
        core_util/* own */.qh(this, "~standard", value);
    },
});
/** The Standard Schema surface for `inst`. Shared so wrappers can extend it without forcing it. */
// a Standard Schema result only reports issues, so a failure finalizes them straight off the raw payload: no ZodError, and no lazy result to read through
const toStandardResult = (r, ctx) => r.issues.length ? { issues: r.issues.map((iss) => core_util/* finalizeIssue */.iR(iss, ctx, core_core/* config */.$W())) } : { value: r.value };
async function validateAsync(inst, value) {
    const ctx = { async: true };
    return toStandardResult((await inst._zod.run({ value, issues: [] }, ctx)), ctx);
}
function standardProps(inst) {
    return {
        validate: (value) => {
            const ctx = { async: false };
            try {
                const r = inst._zod.run({ value, issues: [] }, ctx);
                if (!(r instanceof Promise))
                    return toStandardResult(r, ctx);
            }
            catch (_) { }
            // async function so a synchronously throwing check rejects instead of escaping validate
            return validateAsync(inst, value);
        },
        vendor: "zod",
        version: 1,
    };
}

const $ZodString = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodString", (inst, def) => {
    $ZodType.init(inst, def);
    // a format's own pattern, else unbounded; a template literal derives the check-aware form itself
    inst._zod.pattern = def.pattern ?? anyString;
    inst._zod.parse = (payload, _) => {
        if (def.coerce)
            try {
                payload.value = String(payload.value);
            }
            catch (_) { }
        if (typeof payload.value === "string")
            return payload;
        payload.issues.push({
            expected: "string",
            code: "invalid_type",
            input: payload.value,
            inst,
        });
        return payload;
    };
});
const $ZodStringFormat = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodStringFormat", (inst, def) => {
    // check initialization must come first
    checks.$ZodCheckStringFormat.init(inst, def);
    $ZodString.init(inst, def);
})));
const $ZodGUID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodGUID", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.guid);
    $ZodStringFormat.init(inst, def);
})));
const $ZodUUID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodUUID", (inst, def) => {
    if (def.version) {
        const versionMap = {
            v1: 1,
            v2: 2,
            v3: 3,
            v4: 4,
            v5: 5,
            v6: 6,
            v7: 7,
            v8: 8,
        };
        const v = versionMap[def.version];
        if (v === undefined)
            throw new Error(`Invalid UUID version: "${def.version}"`);
        def.pattern ?? (def.pattern = regexes.uuid(v));
    }
    else
        def.pattern ?? (def.pattern = regexes.uuid());
    $ZodStringFormat.init(inst, def);
})));
const $ZodEmail = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodEmail", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.email);
    $ZodStringFormat.init(inst, def);
})));
/** The `://` guard rejected the input before the URL constructor saw it. */
const URL_BAD_FORMAT = 1;
/** The URL parser rejected the input. */
const URL_UNPARSEABLE = 2;
function canParseURL(input) {
    try {
        if (typeof URL !== "undefined" && typeof URL.canParse === "function")
            return URL.canParse(input);
        new URL(input);
        return true;
    }
    catch {
        return false;
    }
}
function validateURL(trimmed, def) {
    if (!("normalize" in def) && !("hostname" in def) && !("protocol" in def)) {
        return canParseURL(trimmed) || URL_UNPARSEABLE;
    }
    return parseURLObject(trimmed, def);
}
/** Parses a URL while preserving the non-normalizing HTTP guard. */
function parseURLObject(trimmed, def) {
    // When normalize is off, require :// for http/https URLs. This prevents strings like "http:example.com" or "https:/path" from being silently accepted
    if (!def.normalize && def.protocol?.source === regexes.httpProtocol.source && !/^https?:\/\//i.test(trimmed)) {
        return URL_BAD_FORMAT;
    }
    try {
        if (typeof URL !== "undefined") {
            const URLStatic = URL;
            if (typeof URLStatic.parse === "function")
                return URLStatic.parse(trimmed) ?? URL_UNPARSEABLE;
        }
        // @ts-ignore
        return new URL(trimmed);
    }
    catch {
        return URL_UNPARSEABLE;
    }
}
const asciiTabOrNewline = /[\t\n\r]/g;
/** The URL parser deletes every ASCII tab, LF and CR from its input before it parses, so `new URL("https://exa\nmple.com")` reports on `example.com`. Applying the same deletion to the returned value closes the half of that divergence which can move the host; the parser's other rewrite, stripping C0 controls at the edges, cannot. */
function stripTabAndNewline(value) {
    return value.replace(asciiTabOrNewline, "");
}
function urlHostnameOk(url, hostname) {
    hostname.lastIndex = 0;
    return hostname.test(url.hostname);
}
function urlProtocolOk(url, protocol) {
    protocol.lastIndex = 0;
    return protocol.test(url.protocol.endsWith(":") ? url.protocol.slice(0, -1) : url.protocol);
}
const $ZodURL = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodURL", (inst, def) => {
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        try {
            // Trim whitespace from input
            const trimmed = payload.value.trim();
            const url = validateURL(trimmed, def);
            if (url === URL_BAD_FORMAT) {
                payload.issues.push({
                    code: "invalid_format",
                    format: "url",
                    note: "Invalid URL format",
                    input: payload.value,
                    inst,
                    continue: !def.abort,
                });
                return;
            }
            if (url === URL_UNPARSEABLE) {
                payload.issues.push({
                    code: "invalid_format",
                    format: "url",
                    input: payload.value,
                    inst,
                    continue: !def.abort,
                });
                return;
            }
            if (url === true) {
                payload.value = stripTabAndNewline(trimmed);
                return;
            }
            if (def.hostname && !urlHostnameOk(url, def.hostname)) {
                payload.issues.push({
                    code: "invalid_format",
                    format: "url",
                    note: "Invalid hostname",
                    pattern: def.hostname.source,
                    input: payload.value,
                    inst,
                    continue: !def.abort,
                });
            }
            if (def.protocol && !urlProtocolOk(url, def.protocol)) {
                payload.issues.push({
                    code: "invalid_format",
                    format: "url",
                    note: "Invalid protocol",
                    pattern: def.protocol.source,
                    input: payload.value,
                    inst,
                    continue: !def.abort,
                });
            }
            // Set the output value based on normalize flag
            payload.value = def.normalize ? url.href : stripTabAndNewline(trimmed);
            return;
        }
        catch (_) {
            payload.issues.push({
                code: "invalid_format",
                format: "url",
                input: payload.value,
                inst,
                continue: !def.abort,
            });
        }
    };
})));
const $ZodEmoji = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodEmoji", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.emoji());
    $ZodStringFormat.init(inst, def);
})));
const $ZodNanoID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodNanoID", (inst, def) => {
    if (def.length !== undefined && (!Number.isInteger(def.length) || def.length < 1))
        throw new Error(`Invalid nanoid length: ${def.length}`);
    def.pattern ?? (def.pattern = def.length === undefined ? regexes.nanoid : regexes.nanoidOfLength(def.length));
    $ZodStringFormat.init(inst, def);
})));
/**
 * @deprecated CUID v1 is deprecated by its authors due to information leakage
 * (timestamps embedded in the id). Use {@link $ZodCUID2} instead.
 * See https://github.com/paralleldrive/cuid.
 */
const $ZodCUID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCUID", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.cuid);
    $ZodStringFormat.init(inst, def);
})));
const $ZodCUID2 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCUID2", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.cuid2);
    $ZodStringFormat.init(inst, def);
})));
const $ZodULID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodULID", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.ulid);
    $ZodStringFormat.init(inst, def);
})));
const $ZodXID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodXID", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.xid);
    $ZodStringFormat.init(inst, def);
})));
const $ZodKSUID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodKSUID", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.ksuid);
    $ZodStringFormat.init(inst, def);
})));
const $ZodISODateTime = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodISODateTime", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.datetime(def));
    $ZodStringFormat.init(inst, def);
})));
const $ZodISODate = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodISODate", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.date);
    $ZodStringFormat.init(inst, def);
})));
const $ZodISOTime = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodISOTime", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.time(def));
    $ZodStringFormat.init(inst, def);
})));
const $ZodISODuration = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodISODuration", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.duration);
    $ZodStringFormat.init(inst, def);
})));
const $ZodIPv4 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodIPv4", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.ipv4);
    $ZodStringFormat.init(inst, def);
})));
/** An IPv6 address is written with hex digits, colons and dots, and nothing else. The guard is what makes the check below an IPv6 check: `new URL("http://[...]")` parses an authority, not an address, so `@` and `\` re-delimit it and `"::@1\\"` validates against the host `0.0.0.1`. The URL parser also deletes ASCII tab, LF and CR rather than failing, which is how `"::1\n"` validated as `::1`. */
const ipv6Alphabet = /^[0-9a-fA-F:.]+$/;
function isValidIPv6(value) {
    if (!ipv6Alphabet.test(value))
        return false;
    return canParseURL(`http://[${value}]`);
}
const $ZodIPv6 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodIPv6", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.ipv6);
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        if (!isValidIPv6(payload.value)) {
            payload.issues.push({
                code: "invalid_format",
                format: "ipv6",
                input: payload.value,
                inst,
                continue: !def.abort,
            });
        }
    };
})));
const $ZodMAC = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodMAC", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.mac(def.delimiter));
    $ZodStringFormat.init(inst, def);
})));
const $ZodCIDRv4 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCIDRv4", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.cidrv4);
    $ZodStringFormat.init(inst, def);
})));
function isValidCIDRv6(value) {
    const parts = value.split("/");
    if (parts.length !== 2)
        return false;
    const [address, prefix] = parts;
    if (!prefix)
        return false;
    const prefixNum = Number(prefix);
    if (`${prefixNum}` !== prefix)
        return false;
    if (prefixNum < 0 || prefixNum > 128)
        return false;
    return isValidIPv6(address);
}
const $ZodCIDRv6 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCIDRv6", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.cidrv6); // not used for validation
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        if (!isValidCIDRv6(payload.value)) {
            payload.issues.push({
                code: "invalid_format",
                format: "cidrv6",
                input: payload.value,
                inst,
                continue: !def.abort,
            });
        }
    };
})));
//////////////////////////////   ZodBase64   //////////////////////////////
function isValidBase64(data) {
    if (data === "")
        return true;
    // atob ignores whitespace, so reject it up front.
    if (/\s/.test(data))
        return false;
    if (data.length % 4 !== 0)
        return false;
    try {
        // @ts-ignore
        atob(data);
        return true;
    }
    catch {
        return false;
    }
}
// lax on purpose: the quantified regexes.base64 overflows the regex stack on multi-MB input and its leading ^$| alternation leaks through template-literal composition; isValidBase64 enforces length and padding
const base64Charset = /^[0-9a-zA-Z+/]*={0,2}$/;
const $ZodBase64 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodBase64", (inst, def) => {
    def.pattern ?? (def.pattern = base64Charset);
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        if (isValidBase64(payload.value))
            return;
        payload.issues.push({
            code: "invalid_format",
            format: "base64",
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
//////////////////////////////   ZodBase64URL   //////////////////////////////
// lax on purpose: the quantified regexes.base64url overflows the regex stack on multi-MB input; isValidBase64 enforces length on the padded string
const base64urlCharset = /^[A-Za-z0-9_-]*$/;
function isValidBase64URL(data) {
    if (!base64urlCharset.test(data))
        return false;
    const base64 = data.replace(/[-_]/g, (c) => (c === "-" ? "+" : "/"));
    const padded = base64.padEnd(Math.ceil(base64.length / 4) * 4, "=");
    return isValidBase64(padded);
}
const $ZodBase64URL = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodBase64URL", (inst, def) => {
    def.pattern ?? (def.pattern = base64urlCharset);
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        if (isValidBase64URL(payload.value))
            return;
        payload.issues.push({
            code: "invalid_format",
            format: "base64url",
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodE164 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodE164", (inst, def) => {
    def.pattern ?? (def.pattern = regexes.e164);
    $ZodStringFormat.init(inst, def);
})));
//////////////////////////////   ZodCreditCard   //////////////////////////////
const CC_SANITIZE = /[- ]/g;
/** Luhn checksum on a digit-only string. Adapted from valibot (MIT). */
function isLuhnAlgo(digits) {
    let length = digits.length;
    let bit = 1;
    let sum = 0;
    while (length) {
        const value = digits.charCodeAt(--length) - 48;
        bit ^= 1;
        sum += bit ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][value] : value;
    }
    return sum % 10 === 0;
}
function isValidCreditCard(input) {
    if (!regexes.creditCard.test(input))
        return false;
    return isLuhnAlgo(input.replace(CC_SANITIZE, ""));
}
const $ZodCreditCard = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCreditCard", (inst, def) => {
    // Shape only — the Luhn check below is not expressible as a pattern, so consumers of `pattern` (JSON Schema, template literals) get the length and separator rules alone.
    def.pattern ?? (def.pattern = regexes.creditCard);
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        if (isValidCreditCard(payload.value))
            return;
        payload.issues.push({
            code: "invalid_format",
            format: "credit_card",
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
//////////////////////////////   ZodIBAN   //////////////////////////////
// iso 7064 mod 97-10 checksum without BigInt
function isIso7064Mod97(iban) {
    let remainder = 0;
    const len = iban.length;
    for (let i = 4; i < len; i++) {
        const code = iban.charCodeAt(i);
        remainder = (code >= 65 ? remainder * 100 + (code - 55) : remainder * 10 + (code - 48)) % 97;
    }
    for (let i = 0; i < 4; i++) {
        const code = iban.charCodeAt(i);
        remainder = (code >= 65 ? remainder * 100 + (code - 55) : remainder * 10 + (code - 48)) % 97;
    }
    return remainder === 1;
}
function isValidIBAN(input) {
    if (!regexes.iban.test(input))
        return false;
    return isIso7064Mod97(input);
}
const $ZodIBAN = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodIBAN", (inst, def) => {
    // shape only — checksum is not expressible as a pattern
    def.pattern ?? (def.pattern = regexes.iban);
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        if (isValidIBAN(payload.value))
            return;
        payload.issues.push({
            code: "invalid_format",
            format: "iban",
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
//////////////////////////////   ZodJWT   //////////////////////////////
function isValidJWT(token, algorithm = null) {
    try {
        const tokensParts = token.split(".");
        if (tokensParts.length !== 3)
            return false;
        const [header] = tokensParts;
        if (!header)
            return false;
        // @ts-ignore
        const parsedHeader = JSON.parse(atob(header));
        if ("typ" in parsedHeader && parsedHeader?.typ !== "JWT")
            return false;
        if (!parsedHeader.alg)
            return false;
        if (algorithm && (!("alg" in parsedHeader) || parsedHeader.alg !== algorithm))
            return false;
        return true;
    }
    catch {
        return false;
    }
}
const $ZodJWT = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodJWT", (inst, def) => {
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        if (isValidJWT(payload.value, def.alg))
            return;
        payload.issues.push({
            code: "invalid_format",
            format: "jwt",
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodCustomStringFormat = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCustomStringFormat", (inst, def) => {
    $ZodStringFormat.init(inst, def);
    inst._zod.check = (payload) => {
        if (def.fn(payload.value))
            return;
        payload.issues.push({
            code: "invalid_format",
            format: def.format,
            input: payload.value,
            inst,
            continue: !def.abort,
        });
    };
})));
const $ZodNumber = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodNumber", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.pattern = number;
    inst._zod.parse = (payload, _ctx) => {
        if (def.coerce)
            try {
                payload.value = Number(payload.value);
            }
            catch (_) { }
        const input = payload.value;
        if (typeof input === "number" && !Number.isNaN(input) && Number.isFinite(input)) {
            return payload;
        }
        const received = typeof input === "number"
            ? Number.isNaN(input)
                ? "NaN"
                : !Number.isFinite(input)
                    ? String(input)
                    : undefined
            : undefined;
        payload.issues.push({
            expected: "number",
            code: "invalid_type",
            input,
            inst,
            ...(received ? { received } : {}),
        });
        return payload;
    };
});
const $ZodNumberFormat = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodNumberFormat", (inst, def) => {
    core_checks/* $ZodCheckNumberFormat */.KH.init(inst, def);
    $ZodNumber.init(inst, def); // no format checks
});
const $ZodBoolean = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodBoolean", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.pattern = regexes_boolean;
    inst._zod.parse = (payload, _ctx) => {
        if (def.coerce)
            try {
                payload.value = Boolean(payload.value);
            }
            catch (_) { }
        const input = payload.value;
        if (typeof input === "boolean")
            return payload;
        payload.issues.push({
            expected: "boolean",
            code: "invalid_type",
            input,
            inst,
        });
        return payload;
    };
});
const $ZodBigInt = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodBigInt", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.pattern = regexes.bigint;
    inst._zod.parse = (payload, _ctx) => {
        if (def.coerce)
            try {
                payload.value = BigInt(payload.value);
            }
            catch (_) { }
        if (typeof payload.value === "bigint")
            return payload;
        payload.issues.push({
            expected: "bigint",
            code: "invalid_type",
            input: payload.value,
            inst,
        });
        return payload;
    };
})));
const $ZodBigIntFormat = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodBigIntFormat", (inst, def) => {
    checks.$ZodCheckBigIntFormat.init(inst, def);
    $ZodBigInt.init(inst, def); // no format checks
})));
const $ZodSymbol = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodSymbol", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (typeof input === "symbol")
            return payload;
        payload.issues.push({
            expected: "symbol",
            code: "invalid_type",
            input,
            inst,
        });
        return payload;
    };
})));
const $ZodUndefined = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodUndefined", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.pattern = regexes.undefined;
    inst._zod.values = new Set([undefined]);
    inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (typeof input === "undefined")
            return payload;
        payload.issues.push({
            expected: "undefined",
            code: "invalid_type",
            input,
            inst,
        });
        return payload;
    };
})));
const $ZodNull = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodNull", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.pattern = regexes.null;
    inst._zod.values = new Set([null]);
    inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (input === null)
            return payload;
        payload.issues.push({
            expected: "null",
            code: "invalid_type",
            input,
            inst,
        });
        return payload;
    };
})));
const $ZodAny = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodAny", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload) => payload;
})));
const $ZodUnknown = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodUnknown", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload) => payload;
});
const $ZodNever = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodNever", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, _ctx) => {
        payload.issues.push({
            expected: "never",
            code: "invalid_type",
            input: payload.value,
            inst,
        });
        return payload;
    };
});
const $ZodVoid = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodVoid", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (typeof input === "undefined")
            return payload;
        payload.issues.push({
            expected: "void",
            code: "invalid_type",
            input,
            inst,
        });
        return payload;
    };
})));
const $ZodDate = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodDate", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, _ctx) => {
        if (def.coerce) {
            try {
                payload.value = new Date(payload.value);
            }
            catch (_err) { }
        }
        const input = payload.value;
        const isDate = input instanceof Date;
        const isValidDate = isDate && !Number.isNaN(input.getTime());
        if (isValidDate)
            return payload;
        payload.issues.push({
            expected: "date",
            code: "invalid_type",
            input,
            ...(isDate ? { received: "Invalid Date" } : {}),
            inst,
        });
        return payload;
    };
})));
// an oversized container fails its leading size checks before any element is parsed
function capSize(inst, size) {
    const caps = core_util/* sizeCaps */.hi(inst._zod.def.checks);
    if (!caps.length)
        return;
    const cap = Math.min(...caps.map((c) => c[0]));
    const parse = inst._zod.parse;
    inst._zod.parse = (payload, ctx) => {
        const n = size(payload.value);
        if (n > cap && !ctx?.skipChecks && ctx?.direction !== "backward") {
            for (const [max, ch] of core_util/* sizeCaps */.hi(inst._zod.def.checks)) {
                if (n > max && ch._zod.def.when(payload)) {
                    const start = payload.issues.length;
                    ch._zod.check(payload);
                    // the value is still the raw input, so no later check may read it
                    payload.issues[start].continue = false;
                    core_util/* attachSchema */.d3(payload.issues, start, inst);
                    return payload;
                }
            }
        }
        return parse(payload, ctx);
    };
}
const arraySize = (input) => (Array.isArray(input) ? input.length : -1);
const mapSize = (input) => (input instanceof Map ? input.size : -1);
const setSize = (input) => (input instanceof Set ? input.size : -1);
function handleArrayResult(result, final, index) {
    if (result.issues.length) {
        final.issues.push(...core_util/* prefixIssues */.lQ(index, result.issues));
    }
    final.value[index] = result.value;
}
const $ZodArray = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodArray", (inst, def) => {
    $ZodType.init(inst, def);
    const memo = core_core/* globalConfig */.cr.memoizer;
    memo?.attach(inst);
    inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!Array.isArray(input)) {
            payload.issues.push({
                expected: "array",
                code: "invalid_type",
                input,
                inst,
            });
            return payload;
        }
        payload.value = memo ? memo.alloc(inst, payload, Array(input.length), ctx) : Array(input.length);
        const proms = [];
        const abortEarly = ctx?.abortEarly;
        for (let i = 0; i < input.length; i++) {
            const item = input[i];
            const result = def.element._zod.run({
                value: item,
                issues: [],
            }, ctx);
            if (result instanceof Promise) {
                proms.push(result.then((result) => handleArrayResult(result, payload, i)));
            }
            else {
                handleArrayResult(result, payload, i);
                // the element's payload is authoritative here, since handleArrayResult forwards every issue; an object's is not, because it drops a failed absent optional
                if (abortEarly && result.issues.length !== 0 && core_util/* aborted */.QH(result))
                    break;
            }
        }
        if (proms.length) {
            return Promise.all(proms).then(() => payload);
        }
        return payload; //handleArrayResultsAsync(parseResults, final);
    };
    capSize(inst, arraySize);
});
function handlePropertyResult(result, final, key, input, optin, optout) {
    const isPresent = key in input;
    const isOptionalOut = optout === "optional";
    // The middle rung means "absence permitted, nothing supplied in its place", so an absent key contributes nothing — whatever the schema made of `undefined` is invented, not substituted. Only `optional` reaches this with a value: `defaulted` substitutes, and a schema that isn't optional-out has to keep the key.
    if (!isPresent && isOptionalOut && optin === "optional") {
        return;
    }
    if (result.issues.length) {
        // For optional-in/out schemas, ignore errors on absent keys.
        if (optin !== undefined && isOptionalOut && !isPresent) {
            return;
        }
        final.issues.push(...core_util/* prefixIssues */.lQ(key, result.issues));
    }
    if (!isPresent && optin === undefined) {
        if (!result.issues.length) {
            final.issues.push({
                code: "invalid_type",
                expected: "nonoptional",
                input: undefined,
                path: [key],
            });
        }
        return;
    }
    if (result.value === undefined) {
        if (isPresent || (optin === "defaulted" && !isOptionalOut)) {
            final.value[key] = undefined;
        }
    }
    else {
        final.value[key] = result.value;
    }
}
// one shared instance; a fresh [] per schema cost 56 bytes retained
const NO_SYMBOL_KEYS = [];
function normalizeDef(def) {
    const keys = Object.keys(def.shape);
    const ownSymbols = Object.getOwnPropertySymbols(def.shape);
    const symbolKeys = ownSymbols.length ? ownSymbols : NO_SYMBOL_KEYS;
    // aliases `keys` when there are no symbols, so a string-only shape keeps one array
    const allKeys = symbolKeys.length ? [...keys, ...symbolKeys] : keys;
    for (const k of allKeys) {
        if (!def.shape?.[k]?._zod?.traits?.has("$ZodType")) {
            throw new Error(`Invalid element at key "${String(k)}": expected a Zod schema`);
        }
    }
    const okeys = core_util/* optionalKeys */.NM(def.shape);
    return {
        ...def,
        allKeys,
        symbolKeys,
        // string-only: handleCatchall matches it against `for...in`, which never yields a symbol
        keySet: new Set(keys),
        numKeys: keys.length,
        optionalKeys: new Set(okeys),
    };
}
function handleCatchall(proms, input, payload, ctx, def, inst, abortEarly) {
    const unrecognized = [];
    const keySet = def.keySet;
    const _catchall = def.catchall._zod;
    const t = _catchall.def.type;
    const optin = _catchall.optin;
    const optout = _catchall.optout;
    // starts at 0, not the current length: the shape phase already ran and may have aborted
    let seen = 0;
    for (const key in input) {
        if (abortEarly && payload.issues.length !== seen) {
            if (core_util/* aborted */.QH(payload, seen))
                break;
            seen = payload.issues.length;
        }
        // Must precede the __proto__ branch: a declared key is not unrecognized, even though the shape loop deliberately strips __proto__ from the parsed output.
        if (keySet.has(key))
            continue;
        // Don't copy an undeclared __proto__ into the result; assignment to a plain {} would replace the result prototype. But in strict mode it is still an unknown key, so report it before skipping.
        if (key === "__proto__") {
            if (t === "never")
                unrecognized.push(key);
            continue;
        }
        if (t === "never") {
            unrecognized.push(key);
            continue;
        }
        const r = _catchall.run({ value: input[key], issues: [] }, ctx);
        if (r instanceof Promise) {
            proms.push(r.then((r) => handlePropertyResult(r, payload, key, input, optin, optout)));
        }
        else {
            handlePropertyResult(r, payload, key, input, optin, optout);
        }
    }
    if (unrecognized.length) {
        payload.issues.push({
            code: "unrecognized_keys",
            keys: unrecognized,
            input,
            inst,
            // Describes the shape of the input, not the validity of the parsed value, so it never aborts. The parse still fails; the schema's own checks just get to run first, and an enclosing intersection can reconcile the key against a sibling operand.
            continue: true,
        });
    }
    if (!proms.length)
        return payload;
    return Promise.all(proms).then(() => {
        return payload;
    });
}
const $ZodObject = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodObject", (inst, def) => {
    // requires cast because technically $ZodObject doesn't extend
    $ZodType.init(inst, def);
    const desc = Object.getOwnPropertyDescriptor(def, "shape");
    // a cloned def carries its source's accessor, which knows the shape it answers from; adopting that keeps the clone's keys readable without running it
    const sh = desc?.get ? desc.get.raw : (def.shape ?? {});
    if (sh) {
        // Freezes the shape on first read, so its getters resolve once and every later read sees the same schemas.
        const get = () => {
            const newSh = { ...sh };
            Object.defineProperty(def, "shape", { value: newSh });
            get.raw = newSh;
            return newSh;
        };
        get.raw = sh;
        Object.defineProperty(def, "shape", { get });
    }
    const _normalized = core_util/* cached */.PO(() => normalizeDef(def));
    core_util/* defineLazyInternal */.v5(inst, "propValues", (zod) => {
        const shape = zod.def.shape;
        const propValues = {};
        for (const key in shape) {
            const field = shape[key]._zod;
            if (field.values) {
                if (!Object.prototype.hasOwnProperty.call(propValues, key)) {
                    core_util/* assignProp */.Vy(propValues, key, new Set());
                }
                for (const v of field.values)
                    propValues[key].add(v);
                // An omittable slot reads back as undefined at a discriminator lookup, so it has to claim undefined: two options that can both omit the key are not discriminable on it.
                if (field.optin !== undefined)
                    propValues[key].add(undefined);
            }
        }
        return propValues;
    });
    const isObject = core_util/* isObject */.Gv;
    const catchall = def.catchall;
    let value;
    const memo = core_core/* globalConfig */.cr.memoizer;
    memo?.attach(inst);
    inst._zod.parse = (payload, ctx) => {
        value ?? (value = _normalized.value);
        const input = payload.value;
        if (!isObject(input)) {
            payload.issues.push({
                expected: "object",
                code: "invalid_type",
                input,
                inst,
            });
            return payload;
        }
        payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
        const proms = [];
        const shape = value.shape;
        const abortEarly = ctx?.abortEarly;
        let seen = payload.issues.length;
        for (const key of value.allKeys) {
            if (abortEarly && payload.issues.length !== seen) {
                if (core_util/* aborted */.QH(payload, seen))
                    break;
                seen = payload.issues.length;
            }
            if (key === "__proto__")
                continue;
            const el = shape[key];
            const optin = el._zod.optin;
            const optout = el._zod.optout;
            const r = el._zod.run({ value: input[key], issues: [] }, ctx);
            if (r instanceof Promise) {
                proms.push(r.then((r) => handlePropertyResult(r, payload, key, input, optin, optout)));
            }
            else {
                handlePropertyResult(r, payload, key, input, optin, optout);
            }
        }
        if (!catchall) {
            return proms.length ? Promise.all(proms).then(() => payload) : payload;
        }
        return handleCatchall(proms, input, payload, ctx, _normalized.value, inst, abortEarly === true);
    };
});
const $ZodObjectJIT = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodObjectJIT", (inst, def) => {
    // requires cast because technically $ZodObject doesn't extend
    $ZodObject.init(inst, def);
    const superParse = inst._zod.parse;
    const _normalized = util.cached(() => normalizeDef(def));
    const memo = core.globalConfig.memoizer;
    const generateFastpass = (shape) => {
        const normalized = _normalized.value;
        const syms = normalized.symbolKeys;
        // a symbol has no source literal, so it is read as `syms[i]` off the closed-over scope
        const doc = new Doc(["payload", "ctx"], { shape, inst, memo, syms });
        const parseStr = (k) => `shape[${k}]._zod.run({ value: input[${k}], issues: [] }, ctx)`;
        // prefixes in place, like util.prefixIssues. newResult must land before the early return: a catchall runs after this and would otherwise write onto the caller's input
        const prefixStr = (id, k) => `
          let ${id}_ab = false;
          for (let i = 0; i < ${id}.issues.length; i++) {
            const iss = ${id}.issues[i];
            iss.path = iss.path ? [${k}, ...iss.path] : [${k}];
            payload.issues.push(iss);
            if (iss.continue !== true) ${id}_ab = true;
          }
          if (${id}_ab && ctx && ctx.abortEarly) {
            payload.value = newResult;
            return payload;
          }`;
        doc.write(`const input = payload.value;`);
        const ids = Object.create(null);
        let counter = 0;
        for (const key of normalized.allKeys) {
            ids[key] = `key_${counter++}`;
        }
        // A: preserve key order {
        doc.write(memo ? `const newResult = memo.alloc(inst, payload, {}, ctx);` : `const newResult = {};`);
        for (const key of normalized.allKeys) {
            if (key === "__proto__")
                continue;
            const id = ids[key];
            const k = typeof key === "symbol" ? `syms[${syms.indexOf(key)}]` : util.esc(key);
            const isPresent = `${k} in input`;
            const schema = shape[key];
            const optin = schema?._zod?.optin;
            const isOptionalIn = optin !== undefined;
            const isOptionalOut = schema?._zod?.optout === "optional";
            doc.write(`const ${id} = ${parseStr(k)};`);
            if (isOptionalIn && isOptionalOut) {
                // For optional-in/out schemas, ignore errors on absent keys — and, like the interpreted path, drop the value produced alongside them. The middle rung goes further: it permits absence without supplying anything in its place, so an absent key contributes nothing at all.
                const assign = optin === "optional" ? `${id}_present` : `${id}.value !== undefined || ${id}_present`;
                doc.write(`
        const ${id}_present = ${isPresent};
        if (!${id}.issues.length || ${id}_present) {
          if (${id}.issues.length) {${prefixStr(id, k)}
          }

          if (${assign}) {
            newResult[${k}] = ${id}.value;
          }
        }

      `);
            }
            else if (!isOptionalIn) {
                doc.write(`
        const ${id}_present = ${isPresent};
        if (${id}.issues.length) {${prefixStr(id, k)}
        }
        if (!${id}_present && !${id}.issues.length) {
          payload.issues.push({
            code: "invalid_type",
            expected: "nonoptional",
            input: undefined,
            path: [${k}]
          });
          if (ctx && ctx.abortEarly) {
            payload.value = newResult;
            return payload;
          }
        }

        if (${id}_present) {
          newResult[${k}] = ${id}.value;
        }

      `);
            }
            else {
                doc.write(`
        if (${id}.issues.length) {${prefixStr(id, k)}
        }
      `);
                if (optin === "defaulted") {
                    doc.write(`newResult[${k}] = ${id}.value;`);
                }
                else {
                    doc.write(`
        if (${id}.value !== undefined || ${isPresent}) {
          newResult[${k}] = ${id}.value;
        }
      `);
                }
            }
        }
        doc.write(`payload.value = newResult;`);
        doc.write(`return payload;`);
        // closing `shape` in is what pays: turbofan specializes the parser against that one shape object, so every `shape[k]._zod.run` folds to a known callee. as a parameter it stays a generic load and measures 13% slower even with the forwarding frame gone
        return doc.compile();
    };
    let fastpass;
    const isObject = util.isObject;
    const jit = !core.globalConfig.jitless;
    const allowsEval = util.allowsEval;
    const fastEnabled = jit && allowsEval.value; // && !def.catchall;
    const catchall = def.catchall;
    let value;
    inst._zod.parse = (payload, ctx) => {
        value ?? (value = _normalized.value);
        const input = payload.value;
        if (!isObject(input)) {
            payload.issues.push({
                expected: "object",
                code: "invalid_type",
                input,
                inst,
            });
            return payload;
        }
        if (jit && fastEnabled && ctx?.async === false && ctx.jitless !== true) {
            // always synchronous
            if (!fastpass)
                fastpass = generateFastpass(def.shape);
            payload = fastpass(payload, ctx);
            if (!catchall)
                return payload;
            return handleCatchall([], input, payload, ctx, value, inst, ctx?.abortEarly === true);
        }
        return superParse(payload, ctx);
    };
})));
function handleUnionResults(results, final, inst, ctx) {
    for (const result of results) {
        if (result.issues.length === 0) {
            final.value = result.value;
            return final;
        }
    }
    const nonaborted = results.filter((r) => !core_util/* aborted */.QH(r));
    if (nonaborted.length === 1) {
        final.value = nonaborted[0].value;
        return nonaborted[0];
    }
    final.issues.push({
        code: "invalid_union",
        input: final.value,
        inst,
        errors: results.map((result) => result.issues.map((iss) => core_util/* finalizeIssue */.iR(iss, ctx, core_core/* config */.$W()))),
    });
    return final;
}
const $ZodUnion = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodUnion", (inst, def) => {
    $ZodType.init(inst, def);
    core_util/* defineLazyInternal */.v5(inst, "optin", (zod) => zod.def.options.some((o) => o._zod.optin === "defaulted")
        ? "defaulted"
        : zod.def.options.some((o) => o._zod.optin !== undefined)
            ? "optional"
            : undefined);
    core_util/* defineLazyInternal */.v5(inst, "optout", (zod) => zod.def.options.some((o) => o._zod.optout === "optional") ? "optional" : undefined);
    core_util/* defineLazyInternal */.v5(inst, "values", (zod) => {
        if (zod.def.options.every((o) => o._zod.values)) {
            return new Set(zod.def.options.flatMap((option) => Array.from(option._zod.values)));
        }
        return undefined;
    });
    core_util/* defineLazyInternal */.v5(inst, "pattern", (zod) => {
        if (zod.def.options.every((o) => o._zod.pattern)) {
            const patterns = zod.def.options.map((o) => o._zod.pattern);
            return new RegExp(`^(${patterns.map((p) => core_util/* cleanRegex */.p6(p.source)).join("|")})$`);
        }
        return undefined;
    });
    const first = def.options.length === 1 ? def.options[0]._zod.run : null;
    inst._zod.parse = (payload, ctx) => {
        if (first) {
            return first(payload, ctx);
        }
        let async = false;
        const results = [];
        for (const option of def.options) {
            const result = option._zod.run({
                value: payload.value,
                issues: [],
            }, ctx);
            if (result instanceof Promise) {
                results.push(result);
                async = true;
            }
            else {
                if (result.issues.length === 0)
                    return result;
                results.push(result);
            }
        }
        if (!async)
            return handleUnionResults(results, payload, inst, ctx);
        return Promise.all(results).then((results) => {
            return handleUnionResults(results, payload, inst, ctx);
        });
    };
});
function handleExclusiveUnionResults(results, final, inst, ctx) {
    const matches = [];
    for (let i = 0; i < results.length; i++) {
        if (results[i].issues.length === 0)
            matches.push(i);
    }
    if (matches.length === 1) {
        final.value = results[matches[0]].value;
        return final;
    }
    if (matches.length === 0) {
        // No matches - same as regular union
        final.issues.push({
            code: "invalid_union",
            input: final.value,
            inst,
            errors: results.map((result) => result.issues.map((iss) => util.finalizeIssue(iss, ctx, core.config()))),
        });
    }
    else {
        // Multiple matches - exclusive union failure
        final.issues.push({
            code: "invalid_union",
            input: final.value,
            inst,
            errors: [],
            inclusive: false,
            matches,
        });
    }
    return final;
}
const $ZodXor = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodXor", (inst, def) => {
    $ZodUnion.init(inst, def);
    def.inclusive = false;
    const first = def.options.length === 1 ? def.options[0]._zod.run : null;
    inst._zod.parse = (payload, ctx) => {
        if (first) {
            return first(payload, ctx);
        }
        let async = false;
        const results = [];
        for (const option of def.options) {
            const result = option._zod.run({
                value: payload.value,
                issues: [],
            }, ctx);
            if (result instanceof Promise) {
                results.push(result);
                async = true;
            }
            else {
                results.push(result);
            }
        }
        if (!async)
            return handleExclusiveUnionResults(results, payload, inst, ctx);
        return Promise.all(results).then((results) => {
            return handleExclusiveUnionResults(results, payload, inst, ctx);
        });
    };
})));
/** Returns the option whose discriminator claims `value`, or throws if ambiguous. */
function getDiscriminatedOption(union, value) {
    const internals = union._zod;
    let map = internals.bag.optionsMap;
    if (!map) {
        map = discriminatorMap(internals.def);
        internals.bag.optionsMap = map;
    }
    const option = map.get(value);
    if (option === null)
        throw new Error(`Ambiguous discriminator value "${String(value)}"`);
    return option;
}
function discriminatorMap(def) {
    const map = new Map();
    for (const option of def.options) {
        const values = option._zod.propValues?.[def.discriminator];
        if (!values || values.size === 0)
            throw new Error(`Invalid discriminated union option at index "${def.options.indexOf(option)}"`);
        for (const value of values) {
            if (map.has(value)) {
                if (value !== undefined)
                    throw new Error(`Duplicate discriminator value "${String(value)}"`);
                // keep the collision marked so a later member cannot reclaim it
                map.set(value, null);
            }
            else {
                map.set(value, option);
            }
        }
    }
    return map;
}
const $ZodDiscriminatedUnion = 
/*@__PURE__*/
core_core/* $constructor */.xI("$ZodDiscriminatedUnion", (inst, def) => {
    def.inclusive = false;
    $ZodUnion.init(inst, def);
    const _super = inst._zod.parse;
    core_util/* defineLazyInternal */.v5(inst, "propValues", (zod) => {
        const propValues = {};
        let undefinedCount = 0;
        for (const option of zod.def.options) {
            const pv = option._zod.propValues;
            if (!pv || Object.keys(pv).length === 0)
                throw new Error(`Invalid discriminated union option at index "${zod.def.options.indexOf(option)}"`);
            if (pv[zod.def.discriminator]?.has(undefined))
                undefinedCount++;
            for (const [k, v] of Object.entries(pv)) {
                if (!Object.prototype.hasOwnProperty.call(propValues, k)) {
                    core_util/* assignProp */.Vy(propValues, k, new Set());
                }
                for (const val of v) {
                    propValues[k].add(val);
                }
            }
        }
        if (!zod.def.unionFallback && undefinedCount > 1)
            propValues[zod.def.discriminator]?.delete(undefined);
        return propValues;
    });
    // Checked now rather than in the lookup map below, so an option that lacks the discriminator fails at the `discriminatedUnion` call instead of on the first object parsed. Options whose shape cannot be enumerated without resolving it — pipes and lazies — are left to the map.
    def.options.forEach((option, i) => {
        const propShape = core_util/* rawShape */.MO(option._zod.def);
        if (propShape && !Object.prototype.hasOwnProperty.call(propShape, def.discriminator)) {
            throw new Error(`Invalid discriminated union option at index "${i}"`);
        }
    });
    const disc = core_util/* cached */.PO(() => discriminatorMap(def));
    inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!core_util/* isObject */.Gv(input)) {
            payload.issues.push({
                code: "invalid_type",
                expected: "object",
                input,
                inst,
            });
            return payload;
        }
        const value = input?.[def.discriminator];
        const opt = disc.value.get(value);
        // forward metadata cannot choose an encoder for an absent tag
        if (opt && (value !== undefined || ctx.direction !== "backward")) {
            return opt._zod.run(payload, ctx);
        }
        // Fall back to union matching when the fast discriminator path fails:
        // - explicitly enabled via unionFallback, or
        // - during backward direction (encode), since codec-based discriminators have different values in forward vs backward directions
        if (def.unionFallback || ctx.direction === "backward") {
            return _super(payload, ctx);
        }
        // no matching discriminator
        payload.issues.push({
            code: "invalid_union",
            errors: [],
            note: "No matching discriminator",
            discriminator: def.discriminator,
            options: Array.from(disc.value.keys()).filter((value) => disc.value.get(value) !== null),
            input,
            path: [def.discriminator],
            inst,
        });
        return payload;
    };
});
const $ZodIntersection = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodIntersection", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        const left = def.left._zod.run({ value: input, issues: [] }, ctx);
        const right = def.right._zod.run({ value: input, issues: [] }, ctx);
        const async = left instanceof Promise || right instanceof Promise;
        if (async) {
            return Promise.all([left, right]).then(([left, right]) => {
                return handleIntersectionResults(payload, left, right);
            });
        }
        return handleIntersectionResults(payload, left, right);
    };
})));
function mergeValues(a, b) {
    // const aType = parse.t(a);
    // const bType = parse.t(b);
    if (a === b) {
        return { valid: true, data: a };
    }
    if (a instanceof Date && b instanceof Date && +a === +b) {
        return { valid: true, data: a };
    }
    if (util.isPlainObject(a) && util.isPlainObject(b)) {
        const bKeys = Object.keys(b);
        const sharedKeys = Object.keys(a).filter((key) => bKeys.indexOf(key) !== -1);
        const newObj = { ...a, ...b };
        if (Object.prototype.hasOwnProperty.call(newObj, "__proto__"))
            delete newObj.__proto__;
        for (const key of sharedKeys) {
            if (key === "__proto__")
                continue;
            const sharedValue = mergeValues(a[key], b[key]);
            if (!sharedValue.valid) {
                return {
                    valid: false,
                    mergeErrorPath: [key, ...sharedValue.mergeErrorPath],
                };
            }
            newObj[key] = sharedValue.data;
        }
        return { valid: true, data: newObj };
    }
    if (Array.isArray(a) && Array.isArray(b)) {
        if (a.length !== b.length) {
            return { valid: false, mergeErrorPath: [] };
        }
        const newArray = [];
        for (let index = 0; index < a.length; index++) {
            const itemA = a[index];
            const itemB = b[index];
            const sharedValue = mergeValues(itemA, itemB);
            if (!sharedValue.valid) {
                return {
                    valid: false,
                    mergeErrorPath: [index, ...sharedValue.mergeErrorPath],
                };
            }
            newArray.push(sharedValue.data);
        }
        return { valid: true, data: newArray };
    }
    return { valid: false, mergeErrorPath: [] };
}
function handleIntersectionResults(result, left, right) {
    // Track which side(s) reject each key. A key rejection is reported only when BOTH sides reject it, so a key owned by one branch survives the other's key schema. strictObject reports these as unrecognized_keys; a record with an open key schema reports one invalid_key per key.
    const unrecKeys = new Map();
    let unrecIssue;
    const keyIssues = new Map();
    const collect = (iss, side) => {
        let keys;
        if (iss.code === "unrecognized_keys" && !iss.path?.length) {
            unrecIssue ?? (unrecIssue = iss);
            keys = iss.keys;
        }
        else if (iss.code === "invalid_key" && iss.origin === "record" && iss.path?.length === 1) {
            const k = String(iss.path[0]);
            if (!keyIssues.has(k))
                keyIssues.set(k, iss);
            keys = [k];
        }
        else {
            return false;
        }
        for (const k of keys) {
            if (!unrecKeys.has(k))
                unrecKeys.set(k, {});
            unrecKeys.get(k)[side] = true;
        }
        return true;
    };
    for (const iss of left.issues) {
        if (!collect(iss, "l"))
            result.issues.push(iss);
    }
    for (const iss of right.issues) {
        if (!collect(iss, "r"))
            result.issues.push(iss);
    }
    // Report only keys rejected by BOTH sides
    const bothKeys = [...unrecKeys].filter(([, f]) => f.l && f.r).map(([k]) => k);
    if (bothKeys.length) {
        const aggregated = unrecIssue ? bothKeys.filter((k) => unrecIssue.keys.includes(k)) : [];
        if (aggregated.length)
            result.issues.push({ ...unrecIssue, keys: aggregated });
        for (const k of bothKeys) {
            if (!aggregated.includes(k) && keyIssues.has(k))
                result.issues.push(keyIssues.get(k));
        }
    }
    const merged = mergeValues(left.value, right.value);
    if (!merged.valid) {
        if (util.aborted(result))
            return result;
        throw new Error(`Unmergable intersection. Error path: ` + `${JSON.stringify(merged.mergeErrorPath)}`);
    }
    result.value = merged.data;
    return result;
}
const $ZodTuple = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodTuple", (inst, def) => {
    $ZodType.init(inst, def);
    const items = def.items;
    const memo = core.globalConfig.memoizer;
    memo?.attach(inst);
    inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!Array.isArray(input)) {
            payload.issues.push({
                input,
                inst,
                expected: "tuple",
                code: "invalid_type",
            });
            return payload;
        }
        payload.value = memo ? memo.alloc(inst, payload, [], ctx) : [];
        const proms = [];
        const optinStart = getTupleOptStart(items, "optin");
        const optoutStart = getTupleOptStart(items, "optout");
        if (!def.rest) {
            if (input.length < optinStart) {
                payload.issues.push({
                    code: "too_small",
                    minimum: optinStart,
                    inclusive: true,
                    input,
                    inst,
                    origin: "array",
                });
                return payload;
            }
            if (input.length > items.length) {
                payload.issues.push({
                    code: "too_big",
                    maximum: items.length,
                    inclusive: true,
                    input,
                    inst,
                    origin: "array",
                });
            }
        }
        // Run every item in parallel, collecting results into an indexed array. The post-processing in `handleTupleResults` walks them in order so it can decide whether an absent optional-output error can truncate the tail or must be reported to preserve required output.
        const itemResults = new Array(items.length);
        // only tracked when there is a rest loop to skip
        const abortEarly = def.rest ? ctx?.abortEarly : undefined;
        let itemAborted = false;
        for (let i = 0; i < items.length; i++) {
            const r = items[i]._zod.run({ value: input[i], issues: [] }, ctx);
            if (r instanceof Promise) {
                proms.push(r.then((rr) => {
                    itemResults[i] = rr;
                }));
            }
            else {
                itemResults[i] = r;
                if (abortEarly && !itemAborted && r.issues.length)
                    itemAborted = util.aborted(r);
            }
        }
        // sound because rest is non-empty exactly when every fixed index is present, the one case handleTupleResults cannot discard an item's issues
        if (def.rest && !itemAborted) {
            let i = items.length - 1;
            const rest = input.slice(items.length);
            let seen = payload.issues.length;
            for (const el of rest) {
                if (abortEarly && payload.issues.length !== seen) {
                    if (util.aborted(payload, seen))
                        break;
                    seen = payload.issues.length;
                }
                i++;
                const result = def.rest._zod.run({ value: el, issues: [] }, ctx);
                if (result instanceof Promise) {
                    proms.push(result.then((r) => handleTupleResult(r, payload, i)));
                }
                else {
                    handleTupleResult(result, payload, i);
                }
            }
        }
        if (proms.length) {
            return Promise.all(proms).then(() => handleTupleResults(itemResults, payload, items, input, optoutStart));
        }
        return handleTupleResults(itemResults, payload, items, input, optoutStart);
    };
})));
function getTupleOptStart(items, key) {
    for (let i = items.length - 1; i >= 0; i--) {
        // optin is a three-rung ladder so any rung above `undefined` permits an absent slot; optout stays two-valued.
        const omittable = key === "optin" ? items[i]._zod.optin !== undefined : items[i]._zod.optout === "optional";
        if (!omittable)
            return i + 1;
    }
    return 0;
}
function handleTupleResult(result, final, index) {
    if (result.issues.length) {
        final.issues.push(...util.prefixIssues(index, result.issues));
    }
    final.value[index] = result.value;
}
function handleTupleResults(itemResults, final, items, input, optoutStart) {
    // Walk results in order. Mirror $ZodObject's swallow-on-absent-optional rule, but only after `optoutStart`: the first index where the output tuple tail can be absent.
    for (let i = 0; i < items.length; i++) {
        const r = itemResults[i];
        const isPresent = i < input.length;
        // The array analog of `handlePropertyResult`'s absent-key early return: the middle rung permits absence without supplying anything in its place, so the tail truncates here instead of materializing whatever the item made of `undefined`.
        if (!isPresent && i >= optoutStart && items[i]._zod.optin === "optional") {
            final.value.length = i;
            break;
        }
        if (r.issues.length) {
            if (!isPresent && i >= optoutStart) {
                final.value.length = i;
                break;
            }
            final.issues.push(...util.prefixIssues(i, r.issues));
        }
        final.value[i] = r.value;
    }
    // Drop trailing slots that produced `undefined` for absent input
    // (the array analog of an absent optional key on an object). The
    // `i >= input.length` floor is critical: an explicit `undefined`
    // *inside* the input must be preserved even when the schema is
    // optional-out (e.g. `z.string().or(z.undefined())` accepting an
    // explicit undefined value).
    for (let i = final.value.length - 1; i >= input.length; i--) {
        if (items[i]._zod.optout === "optional" && final.value[i] === undefined) {
            final.value.length = i;
        }
        else {
            break;
        }
    }
    return final;
}
const $ZodRecord = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodRecord", (inst, def) => {
    $ZodType.init(inst, def);
    const memo = core_core/* globalConfig */.cr.memoizer;
    memo?.attach(inst);
    inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!core_util/* isPlainObject */.Qd(input)) {
            payload.issues.push({
                expected: "record",
                code: "invalid_type",
                input,
                inst,
            });
            return payload;
        }
        // no guard in either loop below: a record's invalid_key aborts but an enclosing intersection can reconcile it, so a stopped loop hides keys the sibling does not own and the intersection then rejects nothing
        const proms = [];
        const values = def.keyType._zod.values;
        if (values && !def.partial) {
            payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
            const recordKeys = new Set();
            for (const key of values) {
                if (typeof key === "string" || typeof key === "number" || typeof key === "symbol") {
                    recordKeys.add(typeof key === "number" ? key.toString() : key);
                    // A declared __proto__ is stripped but is not an unrecognized key.
                    if (key === "__proto__")
                        continue;
                    const keyResult = def.keyType._zod.run({ value: key, issues: [] }, ctx);
                    if (keyResult instanceof Promise) {
                        throw new Error("Async schemas not supported in object keys currently");
                    }
                    if (keyResult.issues.length) {
                        payload.issues.push({
                            code: "invalid_key",
                            origin: "record",
                            issues: keyResult.issues.map((iss) => core_util/* finalizeIssue */.iR(iss, ctx, core_core/* config */.$W())),
                            input: key,
                            path: [key],
                            inst,
                        });
                        continue;
                    }
                    const outKey = keyResult.value;
                    if (outKey === "__proto__")
                        continue;
                    const result = def.valueType._zod.run({ value: input[key], issues: [] }, ctx);
                    if (result instanceof Promise) {
                        proms.push(result.then((result) => {
                            if (result.issues.length) {
                                payload.issues.push(...core_util/* prefixIssues */.lQ(key, result.issues));
                            }
                            payload.value[outKey] = result.value;
                        }));
                    }
                    else {
                        if (result.issues.length) {
                            payload.issues.push(...core_util/* prefixIssues */.lQ(key, result.issues));
                        }
                        payload.value[outKey] = result.value;
                    }
                }
            }
            let unrecognized;
            for (const key in input) {
                if (!recordKeys.has(key)) {
                    if (def.mode === "loose") {
                        // skip __proto__ so it can't replace the result prototype via the assignment setter on the plain {} we build into
                        if (key === "__proto__")
                            continue;
                        payload.value[key] = input[key];
                    }
                    else {
                        unrecognized = unrecognized ?? [];
                        unrecognized.push(key);
                    }
                }
            }
            if (unrecognized && unrecognized.length > 0) {
                payload.issues.push({
                    code: "unrecognized_keys",
                    input,
                    inst,
                    keys: unrecognized,
                    continue: true,
                });
            }
        }
        else {
            payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
            // An enumerable key schema declares which keys the record owns, so a key outside the set is unrecognized. A non-enumerable one (regex, refine) is a constraint every key must satisfy, so a failing key is invalid. Only the former is reconcilable against the other side of an intersection.
            let unrecognized;
            // Reflect.ownKeys for Symbol-key support; filter non-enumerable to match z.object()
            for (const key of Reflect.ownKeys(input)) {
                if (key === "__proto__")
                    continue;
                if (!Object.prototype.propertyIsEnumerable.call(input, key))
                    continue;
                let keyResult = def.keyType._zod.run({ value: key, issues: [] }, ctx);
                if (keyResult instanceof Promise) {
                    throw new Error("Async schemas not supported in object keys currently");
                }
                // Numeric string fallback: if key is a numeric string and failed, retry with Number(key). This handles z.number(), z.literal([1, 2, 3]), and unions containing numeric literals
                const checkNumericKey = typeof key === "string" && number.test(key) && keyResult.issues.length;
                if (checkNumericKey) {
                    const retryResult = def.keyType._zod.run({ value: Number(key), issues: [] }, ctx);
                    if (retryResult instanceof Promise) {
                        throw new Error("Async schemas not supported in object keys currently");
                    }
                    if (retryResult.issues.length === 0) {
                        keyResult = retryResult;
                    }
                }
                if (keyResult.issues.length) {
                    if (def.mode === "loose") {
                        // Pass through unchanged
                        payload.value[key] = input[key];
                    }
                    else if (values) {
                        unrecognized = unrecognized ?? [];
                        unrecognized.push(key);
                    }
                    else {
                        // Default "strict" behavior: error on invalid key
                        payload.issues.push({
                            code: "invalid_key",
                            origin: "record",
                            issues: keyResult.issues.map((iss) => core_util/* finalizeIssue */.iR(iss, ctx, core_core/* config */.$W())),
                            input: key,
                            path: [key],
                            inst,
                        });
                    }
                    continue;
                }
                // the guard above tests the raw input key, but the key schema can normalize an ordinary key into __proto__; re-check the key we actually write under
                const outKey = keyResult.value;
                if (outKey === "__proto__")
                    continue;
                const result = def.valueType._zod.run({ value: input[key], issues: [] }, ctx);
                if (result instanceof Promise) {
                    proms.push(result.then((result) => {
                        if (result.issues.length) {
                            payload.issues.push(...core_util/* prefixIssues */.lQ(key, result.issues));
                        }
                        payload.value[outKey] = result.value;
                    }));
                }
                else {
                    if (result.issues.length) {
                        payload.issues.push(...core_util/* prefixIssues */.lQ(key, result.issues));
                    }
                    payload.value[outKey] = result.value;
                }
            }
            if (unrecognized && unrecognized.length > 0) {
                payload.issues.push({
                    code: "unrecognized_keys",
                    input,
                    inst,
                    keys: unrecognized,
                    continue: true,
                });
            }
        }
        if (proms.length) {
            return Promise.all(proms).then(() => payload);
        }
        return payload;
    };
});
const $ZodMap = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodMap", (inst, def) => {
    $ZodType.init(inst, def);
    const memo = core.globalConfig.memoizer;
    memo?.attach(inst);
    inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!(input instanceof Map)) {
            payload.issues.push({
                expected: "map",
                code: "invalid_type",
                input,
                inst,
            });
            return payload;
        }
        const proms = [];
        payload.value = memo ? memo.alloc(inst, payload, new Map(), ctx) : new Map();
        const abortEarly = ctx?.abortEarly;
        let seen = payload.issues.length;
        for (const [key, value] of input) {
            if (abortEarly && payload.issues.length !== seen) {
                if (util.aborted(payload, seen))
                    break;
                seen = payload.issues.length;
            }
            const keyResult = def.keyType._zod.run({ value: key, issues: [] }, ctx);
            const valueResult = def.valueType._zod.run({ value: value, issues: [] }, ctx);
            if (keyResult instanceof Promise || valueResult instanceof Promise) {
                proms.push(Promise.all([keyResult, valueResult]).then(([keyResult, valueResult]) => {
                    handleMapResult(keyResult, valueResult, payload, key, input, inst, ctx);
                }));
            }
            else {
                handleMapResult(keyResult, valueResult, payload, key, input, inst, ctx);
            }
        }
        if (proms.length)
            return Promise.all(proms).then(() => payload);
        return payload;
    };
    capSize(inst, mapSize);
})));
function handleMapResult(keyResult, valueResult, final, key, input, inst, ctx) {
    if (keyResult.issues.length) {
        if (util.propertyKeyTypes.has(typeof key)) {
            final.issues.push(...util.prefixIssues(key, keyResult.issues));
        }
        else {
            final.issues.push({
                code: "invalid_key",
                origin: "map",
                input,
                inst,
                issues: keyResult.issues.map((iss) => util.finalizeIssue(iss, ctx, core.config())),
            });
        }
    }
    if (valueResult.issues.length) {
        if (util.propertyKeyTypes.has(typeof key)) {
            final.issues.push(...util.prefixIssues(key, valueResult.issues));
        }
        else {
            final.issues.push({
                origin: "map",
                code: "invalid_element",
                input,
                inst,
                key: key,
                issues: valueResult.issues.map((iss) => util.finalizeIssue(iss, ctx, core.config())),
            });
        }
    }
    final.value.set(keyResult.value, valueResult.value);
}
const $ZodSet = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodSet", (inst, def) => {
    $ZodType.init(inst, def);
    const memo = core.globalConfig.memoizer;
    memo?.attach(inst);
    inst._zod.parse = (payload, ctx) => {
        const input = payload.value;
        if (!(input instanceof Set)) {
            payload.issues.push({
                input,
                inst,
                expected: "set",
                code: "invalid_type",
            });
            return payload;
        }
        const proms = [];
        payload.value = memo ? memo.alloc(inst, payload, new Set(), ctx) : new Set();
        const abortEarly = ctx?.abortEarly;
        let seen = payload.issues.length;
        for (const item of input) {
            if (abortEarly && payload.issues.length !== seen) {
                if (util.aborted(payload, seen))
                    break;
                seen = payload.issues.length;
            }
            const result = def.valueType._zod.run({ value: item, issues: [] }, ctx);
            if (result instanceof Promise) {
                proms.push(result.then((result) => handleSetResult(result, payload)));
            }
            else
                handleSetResult(result, payload);
        }
        if (proms.length)
            return Promise.all(proms).then(() => payload);
        return payload;
    };
    capSize(inst, setSize);
})));
function handleSetResult(result, final) {
    if (result.issues.length) {
        final.issues.push(...result.issues);
    }
    final.value.add(result.value);
}
const $ZodEnum = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodEnum", (inst, def) => {
    $ZodType.init(inst, def);
    const values = core_util/* getEnumValues */.w5(def.entries);
    const valuesSet = new Set(values);
    inst._zod.values = valuesSet;
    core_util/* defineLazyInternal */.v5(inst, "pattern", (zod) => {
        const patternValues = core_util/* getEnumValues */.w5(zod.def.entries).filter((k) => core_util/* propertyKeyTypes */.qQ.has(typeof k));
        // unmatchable fallback, RE2-safe: an empty alternation would compile to /^()$/, which matches ""
        return new RegExp(patternValues.length ? `^(${patternValues.map((o) => core_util/* escapeRegex */.sD(o.toString())).join("|")})$` : "^[^\\s\\S]$");
    });
    inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (valuesSet.has(input)) {
            return payload;
        }
        payload.issues.push({
            code: "invalid_value",
            values,
            input,
            inst,
        });
        return payload;
    };
});
const $ZodLiteral = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodLiteral", (inst, def) => {
    $ZodType.init(inst, def);
    const values = new Set(def.values);
    inst._zod.values = values;
    core_util/* defineLazyInternal */.v5(inst, "pattern", (zod) => {
        const vals = zod.def.values;
        // unmatchable fallback, RE2-safe: an empty alternation would compile to /^()$/, which matches ""
        return new RegExp(vals.length
            ? `^(${vals
                .map((o) => typeof o === "string" ? core_util/* escapeRegex */.sD(o) : o ? core_util/* escapeRegex */.sD(o.toString()) : String(o))
                .join("|")})$`
            : "^[^\\s\\S]$");
    });
    inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        if (values.has(input)) {
            return payload;
        }
        payload.issues.push({
            code: "invalid_value",
            values: def.values,
            input,
            inst,
        });
        return payload;
    };
});
const $ZodFile = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodFile", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, _ctx) => {
        const input = payload.value;
        // @ts-ignore
        if (input instanceof File)
            return payload;
        payload.issues.push({
            expected: "file",
            code: "invalid_type",
            input,
            inst,
        });
        return payload;
    };
})));
const $ZodTransform = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodTransform", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.optin = "optional";
    core_core/* globalConfig */.cr.memoizer?.guard(inst);
    inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
            throw new core_core/* $ZodEncodeError */.cV(inst.constructor.name);
        }
        const _out = def.transform(payload.value, payload);
        if (ctx.async) {
            const output = _out instanceof Promise ? _out : Promise.resolve(_out);
            return output.then((output) => {
                payload.value = output;
                return payload;
            });
        }
        if (_out instanceof Promise) {
            throw new core_core/* $ZodAsyncError */.GT();
        }
        payload.value = _out;
        return payload;
    };
});
function handleOptionalResult(payload, result) {
    // A substituting schema that still failed has no usable answer; yield undefined. Its issues are simply dropped: it ran on a payload of its own, so there is no shared array to truncate and nothing of the caller's to lose with it.
    payload.value = result.issues.length ? undefined : result.value;
    return payload;
}
const $ZodOptional = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodOptional", (inst, def) => {
    $ZodType.init(inst, def);
    // .optional() propagates absence rather than substituting for it, so a defaulted inner keeps its rung.
    core_util/* defineLazyInternal */.v5(inst, "optin", (zod) => zod.def.innerType._zod.optin === "defaulted" ? "defaulted" : "optional");
    inst._zod.optout = "optional";
    core_util/* defineLazyInternal */.v5(inst, "values", (zod) => {
        const values = zod.def.innerType._zod.values;
        return values ? new Set([...values, undefined]) : undefined;
    });
    core_util/* defineLazyInternal */.v5(inst, "pattern", (zod) => {
        const pattern = zod.def.innerType._zod.pattern;
        return pattern ? new RegExp(`^(${core_util/* cleanRegex */.p6(pattern.source)})?$`) : undefined;
    });
    inst._zod.parse = (payload, ctx) => {
        if (payload.value === undefined) {
            // Only the top rung substitutes a value for absence; everything else leaves it intact, which is what .optional() means.
            if (def.innerType._zod.optin !== "defaulted")
                return payload;
            // Its own payload, for the same reason $ZodCatch gets one: a pipe forwards an unrecognized key through the caller's issues array, and this must not read that as the substituting schema failing and drop it.
            const result = def.innerType._zod.run({ value: payload.value, issues: [] }, ctx);
            if (result instanceof Promise)
                return result.then((result) => handleOptionalResult(payload, result));
            return handleOptionalResult(payload, result);
        }
        return def.innerType._zod.run(payload, ctx);
    };
});
const $ZodExactOptional = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodExactOptional", (inst, def) => {
    // Call parent init - inherits optin/optout = "optional"
    $ZodOptional.init(inst, def);
    // Override values/pattern to NOT add undefined
    util.defineLazyInternal(inst, "values", (zod) => zod.def.innerType._zod.values);
    util.defineLazyInternal(inst, "pattern", (zod) => zod.def.innerType._zod.pattern);
    // Override parse to just delegate (no undefined handling)
    inst._zod.parse = (payload, ctx) => {
        return def.innerType._zod.run(payload, ctx);
    };
})));
const $ZodNullable = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodNullable", (inst, def) => {
    $ZodType.init(inst, def);
    core_util/* defineLazyInternal */.v5(inst, "optin", (zod) => zod.def.innerType._zod.optin);
    core_util/* defineLazyInternal */.v5(inst, "optout", (zod) => zod.def.innerType._zod.optout);
    core_util/* defineLazyInternal */.v5(inst, "pattern", (zod) => {
        const pattern = zod.def.innerType._zod.pattern;
        return pattern ? new RegExp(`^(${core_util/* cleanRegex */.p6(pattern.source)}|null)$`) : undefined;
    });
    core_util/* defineLazyInternal */.v5(inst, "values", (zod) => {
        return zod.def.innerType._zod.values ? new Set([...zod.def.innerType._zod.values, null]) : undefined;
    });
    inst._zod.parse = (payload, ctx) => {
        // Forward direction (decode): allow null to pass through
        if (payload.value === null)
            return payload;
        return def.innerType._zod.run(payload, ctx);
    };
});
const $ZodDefault = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodDefault", (inst, def) => {
    $ZodType.init(inst, def);
    // inst._zod.qin = "true";
    inst._zod.optin = "defaulted";
    util.defineLazyInternal(inst, "values", (zod) => zod.def.innerType._zod.values);
    inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
            return def.innerType._zod.run(payload, ctx);
        }
        // Forward direction (decode): apply defaults for undefined input
        if (payload.value === undefined) {
            payload.value = def.defaultValue;
            /**
             * $ZodDefault returns the default value immediately in forward direction.
             * It doesn't pass the default value into the validator ("prefault"). There's no reason to pass the default value through validation. The validity of the default is enforced by TypeScript statically. Otherwise, it's the responsibility of the user to ensure the default is valid. In the case of pipes with divergent in/out types, you can specify the default on the `in` schema of your ZodPipe to set a "prefault" for the pipe.   */
            return payload;
        }
        // Forward direction: continue with default handling
        const result = def.innerType._zod.run(payload, ctx);
        if (result instanceof Promise) {
            return result.then((result) => handleDefaultResult(result, def));
        }
        return handleDefaultResult(result, def);
    };
})));
function handleDefaultResult(payload, def) {
    if (payload.value === undefined) {
        payload.value = def.defaultValue;
    }
    return payload;
}
const $ZodPrefault = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodPrefault", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.optin = "defaulted";
    util.defineLazyInternal(inst, "values", (zod) => zod.def.innerType._zod.values);
    inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
            return def.innerType._zod.run(payload, ctx);
        }
        // Forward direction (decode): apply prefault for undefined input
        if (payload.value === undefined) {
            payload.value = def.defaultValue;
        }
        return def.innerType._zod.run(payload, ctx);
    };
})));
const $ZodNonOptional = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodNonOptional", (inst, def) => {
    $ZodType.init(inst, def);
    util.defineLazyInternal(inst, "values", (zod) => {
        const v = zod.def.innerType._zod.values;
        return v ? new Set([...v].filter((x) => x !== undefined)) : undefined;
    });
    inst._zod.parse = (payload, ctx) => {
        const result = def.innerType._zod.run(payload, ctx);
        if (result instanceof Promise) {
            return result.then((result) => handleNonOptionalResult(result, inst));
        }
        return handleNonOptionalResult(result, inst);
    };
})));
function handleNonOptionalResult(payload, inst) {
    if (!payload.issues.length && payload.value === undefined) {
        payload.issues.push({
            code: "invalid_type",
            expected: "nonoptional",
            input: payload.value,
            inst,
        });
    }
    return payload;
}
const $ZodSuccess = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodSuccess", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
            throw new core.$ZodEncodeError("ZodSuccess");
        }
        const result = def.innerType._zod.run(payload, ctx);
        if (result instanceof Promise) {
            return result.then((result) => {
                payload.value = result.issues.length === 0;
                return payload;
            });
        }
        payload.value = result.issues.length === 0;
        return payload;
    };
})));
function handleCatchResult(payload, result, def, ctx) {
    if (!result.issues.length) {
        payload.value = result.value;
        // The value carries up, so the flag describing it has to carry with it: a back-edge into a node still being parsed must not be frozen by an enclosing readonly, and its checks belong to the node itself. Guarded so the ordinary case adds no own property.
        if (result.memo)
            payload.memo = true;
        return payload;
    }
    // Spread the inner's own payload, not ours: `value` has to stay the input the catch was handed, and the inner ran on a payload of its own so its issues are already private to this call.
    payload.value = def.catchValue({
        ...result,
        value: payload.value,
        error: {
            issues: result.issues.map((iss) => core_util/* finalizeIssue */.iR(iss, ctx, core_core/* config */.$W())),
        },
        input: payload.value,
    });
    return payload;
}
const $ZodCatch = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodCatch", (inst, def) => {
    $ZodType.init(inst, def);
    core_util/* defineLazyInternal */.v5(inst, "optin", (zod) => zod.def.innerType._zod.optin === "defaulted" ? "defaulted" : "optional");
    core_util/* defineLazyInternal */.v5(inst, "optout", (zod) => zod.def.innerType._zod.optout);
    core_util/* defineLazyInternal */.v5(inst, "values", (zod) => zod.def.innerType._zod.values);
    inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
            return def.innerType._zod.run(payload, ctx);
        }
        // Forward direction (decode): apply catch logic
        const result = def.innerType._zod.run({ value: payload.value, issues: [] }, ctx);
        if (result instanceof Promise) {
            return result.then((result) => handleCatchResult(payload, result, def, ctx));
        }
        return handleCatchResult(payload, result, def, ctx);
    };
});
const $ZodNaN = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodNaN", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, _ctx) => {
        if (typeof payload.value !== "number" || !Number.isNaN(payload.value)) {
            payload.issues.push({
                input: payload.value,
                inst,
                expected: "nan",
                code: "invalid_type",
            });
            return payload;
        }
        return payload;
    };
})));
const $ZodPipe = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodPipe", (inst, def) => {
    $ZodType.init(inst, def);
    core_util/* defineLazyInternal */.v5(inst, "values", (zod) => zod.def.in._zod.values);
    core_util/* defineLazyInternal */.v5(inst, "optin", (zod) => zod.def.in._zod.optin);
    core_util/* defineLazyInternal */.v5(inst, "optout", (zod) => zod.def.out._zod.optout);
    core_util/* defineLazyInternal */.v5(inst, "propValues", (zod) => zod.def.in._zod.propValues);
    inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
            const right = def.out._zod.run(payload, ctx);
            if (right instanceof Promise) {
                return right.then((right) => handlePipeResult(right, def.in, ctx));
            }
            return handlePipeResult(right, def.in, ctx);
        }
        const left = def.in._zod.run(payload, ctx);
        if (left instanceof Promise) {
            return left.then((left) => handlePipeResult(left, def.out, ctx));
        }
        return handlePipeResult(left, def.out, ctx);
    };
});
function handlePipeResult(left, next, ctx) {
    // Any issue stops the pipe, so a failing refinement never feeds its transform. An unrecognized key is the exception: it describes the input's extra properties, not the value being piped, and an enclosing intersection may yet reconcile it.
    if (left.issues.some((iss) => iss.code !== "unrecognized_keys")) {
        // prevent further checks
        left.aborted = true;
        return left;
    }
    return next._zod.run({ value: left.value, issues: left.issues }, ctx);
}
const $ZodCodec = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodCodec", (inst, def) => {
    $ZodType.init(inst, def);
    util.defineLazyInternal(inst, "values", (zod) => zod.def.in._zod.values);
    util.defineLazyInternal(inst, "optin", (zod) => zod.def.in._zod.optin);
    util.defineLazyInternal(inst, "optout", (zod) => zod.def.out._zod.optout);
    util.defineLazyInternal(inst, "propValues", (zod) => zod.def.in._zod.propValues);
    inst._zod.parse = (payload, ctx) => {
        const direction = ctx.direction || "forward";
        if (direction === "forward") {
            const left = def.in._zod.run(payload, ctx);
            if (left instanceof Promise) {
                return left.then((left) => handleCodecAResult(left, def, ctx));
            }
            return handleCodecAResult(left, def, ctx);
        }
        else {
            const right = def.out._zod.run(payload, ctx);
            if (right instanceof Promise) {
                return right.then((right) => handleCodecAResult(right, def, ctx));
            }
            return handleCodecAResult(right, def, ctx);
        }
    };
})));
function handleCodecAResult(result, def, ctx) {
    if (result.issues.length) {
        // prevent further checks
        result.aborted = true;
        return result;
    }
    const direction = ctx.direction || "forward";
    if (direction === "forward") {
        const transformed = def.transform(result.value, result);
        if (transformed instanceof Promise) {
            return transformed.then((value) => handleCodecTxResult(result, value, def.out, ctx));
        }
        return handleCodecTxResult(result, transformed, def.out, ctx);
    }
    else {
        const transformed = def.reverseTransform(result.value, result);
        if (transformed instanceof Promise) {
            return transformed.then((value) => handleCodecTxResult(result, value, def.in, ctx));
        }
        return handleCodecTxResult(result, transformed, def.in, ctx);
    }
}
function handleCodecTxResult(left, value, nextSchema, ctx) {
    // Check if transform added any issues
    if (left.issues.length) {
        left.aborted = true;
        return left;
    }
    return nextSchema._zod.run({ value, issues: left.issues }, ctx);
}
const $ZodPreprocess = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodPreprocess", (inst, def) => {
    $ZodPipe.init(inst, def);
})));
const $ZodReadonly = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodReadonly", (inst, def) => {
    $ZodType.init(inst, def);
    core_util/* defineLazyInternal */.v5(inst, "propValues", (zod) => zod.def.innerType._zod.propValues);
    core_util/* defineLazyInternal */.v5(inst, "values", (zod) => zod.def.innerType._zod.values);
    core_util/* defineLazyInternal */.v5(inst, "optin", (zod) => zod.def.innerType?._zod?.optin);
    core_util/* defineLazyInternal */.v5(inst, "optout", (zod) => zod.def.innerType?._zod?.optout);
    inst._zod.parse = (payload, ctx) => {
        if (ctx.direction === "backward") {
            return def.innerType._zod.run(payload, ctx);
        }
        const result = def.innerType._zod.run(payload, ctx);
        if (result instanceof Promise) {
            return result.then(handleReadonlyResult);
        }
        return handleReadonlyResult(result);
    };
});
function handleReadonlyResult(payload) {
    // A repeat visit hands back a node that is still being built; freezing it here would make the rest of its keys fail to assign.
    if (!payload.memo)
        payload.value = Object.freeze(payload.value);
    return payload;
}
// a leaf's pattern source with its own checks folded in: the last pattern-carrying check wins, else length bounds narrow the catch-all, else an integer format narrows the number form. the fold lives here instead of on `_zod.pattern` so a bundle without template literals never pays for it
function leafPattern(schema) {
    const def = schema._zod.def;
    let pattern = def.pattern;
    let isInt = !!def.format?.includes("int");
    let minimum;
    let maximum;
    for (const ch of def.checks ?? []) {
        const d = ch._zod.def;
        if (d.pattern)
            pattern = d.pattern;
        isInt || (isInt = !!d.format?.includes("int"));
        const lo = d.minimum ?? d.length;
        const hi = d.maximum ?? d.length;
        if (lo !== undefined && (minimum === undefined || lo > minimum))
            minimum = lo;
        if (hi !== undefined && (maximum === undefined || hi < maximum))
            maximum = hi;
    }
    if (pattern)
        return pattern.source;
    // an empty range matches nothing at runtime, and `{8,5}` is not a legal quantifier
    if (minimum !== undefined && maximum !== undefined && minimum > maximum)
        return "(?!)";
    if (minimum !== undefined || maximum !== undefined)
        return regexes.string({ minimum, maximum }).source;
    const own = schema._zod.pattern;
    return (isInt && own === regexes.number ? regexes.integer : own)?.source;
}
// a part's pattern source. a wrapper's pattern embeds its inner pattern's source verbatim, so the folded form is substituted in place without knowing the wrapper's own composition; a union's options are joined the way the union builds its own pattern
function partPattern(schema) {
    const def = schema._zod.def;
    const own = schema._zod.pattern?.source;
    // lazy resolves its inner on the internals, not the def
    const inner = def.innerType ?? schema._zod.innerType;
    if (inner) {
        const before = inner._zod.pattern?.source;
        const after = partPattern(inner);
        if (own && before && after && after !== before) {
            return own.replace(util.cleanRegex(before), () => util.cleanRegex(after));
        }
        return own;
    }
    if (def.options) {
        const sources = def.options.map(partPattern);
        if (sources.every(Boolean))
            return `^(${sources.map((s) => util.cleanRegex(s)).join("|")})$`;
    }
    return leafPattern(schema);
}
const $ZodTemplateLiteral = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodTemplateLiteral", (inst, def) => {
    $ZodType.init(inst, def);
    const regexParts = [];
    for (const part of def.parts) {
        if (typeof part === "object" && part !== null) {
            // is Zod schema
            const source = partPattern(part);
            if (!source) {
                throw new Error(`Invalid template literal part, no pattern found: ${[...part._zod.traits].shift()}`);
            }
            regexParts.push(util.cleanRegex(source));
        }
        else if (part === null || util.primitiveTypes.has(typeof part)) {
            regexParts.push(util.escapeRegex(`${part}`));
        }
        else {
            throw new Error(`Invalid template literal part: ${part}`);
        }
    }
    inst._zod.pattern = new RegExp(`^${regexParts.join("")}$`);
    inst._zod.parse = (payload, _ctx) => {
        if (typeof payload.value !== "string") {
            payload.issues.push({
                input: payload.value,
                inst,
                expected: "string",
                code: "invalid_type",
            });
            return payload;
        }
        inst._zod.pattern.lastIndex = 0;
        if (!inst._zod.pattern.test(payload.value)) {
            payload.issues.push({
                input: payload.value,
                inst,
                code: "invalid_format",
                format: def.format ?? "template_literal",
                pattern: inst._zod.pattern.source,
            });
            return payload;
        }
        return payload;
    };
})));
const $ZodFunction = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodFunction", (inst, def) => {
    $ZodType.init(inst, def);
    // Defined, not assigned: the classic prototype exposes `_def` as a getter with no setter.
    Object.defineProperty(inst, "_def", { value: def });
    inst._zod.def = def;
    inst.implement = (func) => {
        if (typeof func !== "function") {
            throw new Error("implement() must be called with a function");
        }
        // Defined inline so the closure stays anonymous: binding it to a `const` first names it, which costs 256 bytes per implemented function.
        return Object.defineProperty(function (...args) {
            const parsedArgs = inst._def.input ? parse(inst._def.input, args) : args;
            const result = Reflect.apply(func, this, parsedArgs);
            if (inst._def.output) {
                return parse(inst._def.output, result);
            }
            return result;
        }, "_zod", { value: inst._zod, enumerable: false });
    };
    inst.implementAsync = (func) => {
        if (typeof func !== "function") {
            throw new Error("implementAsync() must be called with a function");
        }
        return Object.defineProperty(async function (...args) {
            const parsedArgs = inst._def.input ? await parseAsync(inst._def.input, args) : args;
            const result = await Reflect.apply(func, this, parsedArgs);
            if (inst._def.output) {
                return await parseAsync(inst._def.output, result);
            }
            return result;
        }, "_zod", { value: inst._zod, enumerable: false });
    };
    inst._zod.parse = (payload, _ctx) => {
        if (typeof payload.value !== "function") {
            payload.issues.push({
                code: "invalid_type",
                expected: "function",
                input: payload.value,
                inst,
            });
            return payload;
        }
        // Check if output is a promise type to determine if we should use async implementation
        const hasPromiseOutput = inst._def.output && inst._def.output._zod.def.type === "promise";
        if (hasPromiseOutput) {
            payload.value = inst.implementAsync(payload.value);
        }
        else {
            payload.value = inst.implement(payload.value);
        }
        return payload;
    };
    inst.input = (...args) => {
        const F = inst.constructor;
        if (Array.isArray(args[0])) {
            return new F({
                type: "function",
                input: new $ZodTuple({
                    type: "tuple",
                    items: args[0],
                    rest: args[1],
                }),
                output: inst._def.output,
            });
        }
        return new F({
            type: "function",
            input: args[0],
            output: inst._def.output,
        });
    };
    inst.output = (output) => {
        const F = inst.constructor;
        return new F({
            type: "function",
            input: inst._def.input,
            output,
        });
    };
    return inst;
})));
const $ZodPromise = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodPromise", (inst, def) => {
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, ctx) => {
        return Promise.resolve(payload.value).then((inner) => def.innerType._zod.run({ value: inner, issues: [] }, ctx));
    };
})));
const $ZodLazy = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("$ZodLazy", (inst, def) => {
    $ZodType.init(inst, def);
    // Cache the resolved inner type on the shared `def` so all clones of this lazy (e.g. via `.describe()`/`.meta()`) share the same inner instance, preserving identity for cycle detection on recursive schemas.
    util.defineLazy(inst._zod, "innerType", () => {
        const d = def;
        if (!d._cachedInner)
            d._cachedInner = def.getter();
        return d._cachedInner;
    });
    util.defineLazyInternal(inst, "pattern", (zod) => zod.innerType?._zod?.pattern);
    util.defineLazyInternal(inst, "propValues", (zod) => zod.innerType?._zod?.propValues);
    util.defineLazyInternal(inst, "optin", (zod) => zod.innerType?._zod?.optin ?? undefined);
    util.defineLazyInternal(inst, "optout", (zod) => zod.innerType?._zod?.optout ?? undefined);
    inst._zod.parse = (payload, ctx) => {
        const inner = inst._zod.innerType;
        return inner._zod.run(payload, ctx);
    };
})));
const $ZodCustom = /*@__PURE__*/ core_core/* $constructor */.xI("$ZodCustom", (inst, def) => {
    core_checks/* $ZodCheck */.QP.init(inst, def);
    $ZodType.init(inst, def);
    inst._zod.parse = (payload, _) => {
        return payload;
    };
    inst._zod.check = (payload) => {
        const input = payload.value;
        const r = def.fn(input);
        if (r instanceof Promise) {
            return r.then((r) => handleRefineResult(r, payload, input, inst));
        }
        handleRefineResult(r, payload, input, inst);
        return;
    };
});
function handleRefineResult(result, payload, input, inst) {
    if (!result) {
        const _iss = {
            code: "custom",
            input,
            inst, // incorporates params.error into issue reporting
            path: [...(inst._zod.def.path ?? [])], // incorporates params.error into issue reporting
            continue: !inst._zod.def.abort,
            // params: inst._zod.def.params,
        };
        if (inst._zod.def.params)
            _iss.params = inst._zod.def.params;
        payload.issues.push(core_util/* issue */.sn(_iss));
    }
}

// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __nccwpck_require__(3305);
;// CONCATENATED MODULE: ./node_modules/zod/v4/core/errors.js


/* Computing the message eagerly is expensive (pretty-printed JSON of all
 * issues), so defer it until first read. The accessor functions and
 * descriptors are shared across instances to keep error construction
 * cheap; the computed message is cached on the internals object. The
 * setter preserves plain assignment semantics for consumers that
 * overwrite `message`. */
function _getMessage() {
    const internals = this._zod;
    internals.message ?? (internals.message = JSON.stringify(internals.def, core_util/* jsonStringifyReplacer */.k8, 2));
    return internals.message;
}
function _setMessage(value) {
    this._zod.message = value;
}
const _messageDesc = {
    get: _getMessage,
    set: _setMessage,
    enumerable: true,
    configurable: true,
};
const _issuesDesc = { value: undefined, enumerable: false };
/* Prototypes that already carry the lazy `toString`. Seeded with the
 * intrinsics so that `init` on a foreign object — it accepts any object —
 * can never install an accessor onto a prototype we do not own. */
const _installedToString = /* @__PURE__ */ new WeakSet([Object.prototype, Error.prototype]);
const initializer = (inst, def) => {
    inst.name = "$ZodError";
    // `_zod` is already non-enumerable: $constructor's init defined it with this same descriptor
    _issuesDesc.value = def;
    Object.defineProperty(inst, "issues", _issuesDesc);
    // Clear the shared slot; a retained `value` pins the last error's issues.
    _issuesDesc.value = undefined;
    Object.defineProperty(inst, "message", _messageDesc);
    /* `toString` lives as a non-enumerable lazy getter on the shared
     * prototype; on first access it caches a per-instance closure so
     * detached usage still works. */
    const proto = Object.getPrototypeOf(inst);
    if (!_installedToString.has(proto)) {
        _installedToString.add(proto);
        Object.defineProperty(proto, "toString", {
            configurable: true,
            enumerable: false,
            get() {
                const value = () => this.message;
                Object.defineProperty(this, "toString", { value, configurable: true, writable: true });
                return value;
            },
            set(value) {
                Object.defineProperty(this, "toString", { value, configurable: true, writable: true });
            },
        });
    }
};
const $ZodError = (0,core_core/* $constructor */.xI)("$ZodError", initializer);
const $ZodRealError = (0,core_core/* $constructor */.xI)("$ZodError", initializer, undefined, {
    Parent: Error,
});
/** Get-or-create `obj[key]` as an own data property. A path segment naming an inherited member
 * ("toString", "constructor") would otherwise read through to the prototype, and assigning
 * "__proto__" would hit the setter instead of creating a key. */
function node(obj, key, make) {
    if (!Object.prototype.hasOwnProperty.call(obj, key)) {
        if (key === "__proto__") {
            Object.defineProperty(obj, key, { value: make(), writable: true, enumerable: true, configurable: true });
        }
        else {
            obj[key] = make();
        }
    }
    return obj[key];
}
function flattenError(error, mapper = (issue) => issue.message) {
    const fieldErrors = {};
    const formErrors = [];
    for (const sub of error.issues) {
        if (sub.path.length > 0) {
            node(fieldErrors, sub.path[0], () => []).push(mapper(sub));
        }
        else {
            formErrors.push(mapper(sub));
        }
    }
    return { formErrors, fieldErrors };
}
function formatError(error, mapper = (issue) => issue.message) {
    const fieldErrors = { _errors: [] };
    const processError = (error, path = []) => {
        for (const issue of error.issues) {
            if (issue.code === "invalid_union" && issue.errors.length) {
                issue.errors.map((issues) => processError({ issues }, [...path, ...issue.path]));
            }
            else if (issue.code === "invalid_key") {
                processError({ issues: issue.issues }, [...path, ...issue.path]);
            }
            else if (issue.code === "invalid_element") {
                processError({ issues: issue.issues }, [...path, ...issue.path]);
            }
            else {
                const fullpath = [...path, ...issue.path];
                if (fullpath.length === 0) {
                    fieldErrors._errors.push(mapper(issue));
                }
                else {
                    let curr = fieldErrors;
                    let i = 0;
                    while (i < fullpath.length) {
                        const el = fullpath[i];
                        const terminal = i === fullpath.length - 1;
                        // `_errors` is reserved by this legacy format, so merge a matching path segment into the current node instead of treating its array as a child.
                        if (el === "_errors") {
                            if (terminal)
                                curr._errors.push(mapper(issue));
                            i++;
                            continue;
                        }
                        // A path element may collide with an inherited property name such as
                        // "__proto__" or "constructor". Truthiness checks read the prototype
                        // (so no node is created, then ._errors.push throws), and bracket
                        // assignment of "__proto__" hits the setter instead of creating an
                        // own key. Guard the read with hasOwnProperty and create the node
                        // with defineProperty so any path element becomes a real own key.
                        if (!Object.prototype.hasOwnProperty.call(curr, el)) {
                            Object.defineProperty(curr, el, {
                                value: { _errors: [] },
                                enumerable: true,
                                writable: true,
                                configurable: true,
                            });
                        }
                        const node = curr[el];
                        if (terminal) {
                            node._errors.push(mapper(issue));
                        }
                        curr = node;
                        i++;
                    }
                }
            }
        }
    };
    processError(error);
    return fieldErrors;
}
function treeifyError(error, mapper = (issue) => issue.message) {
    const result = { errors: [] };
    const processError = (error, path = []) => {
        var _a;
        for (const issue of error.issues) {
            if (issue.code === "invalid_union" && issue.errors.length) {
                // regular union error
                issue.errors.map((issues) => processError({ issues }, [...path, ...issue.path]));
            }
            else if (issue.code === "invalid_key") {
                processError({ issues: issue.issues }, [...path, ...issue.path]);
            }
            else if (issue.code === "invalid_element") {
                processError({ issues: issue.issues }, [...path, ...issue.path]);
            }
            else {
                const fullpath = [...path, ...issue.path];
                if (fullpath.length === 0) {
                    result.errors.push(mapper(issue));
                    continue;
                }
                let curr = result;
                let i = 0;
                while (i < fullpath.length) {
                    const el = fullpath[i];
                    const terminal = i === fullpath.length - 1;
                    if (typeof el === "string") {
                        curr.properties ?? (curr.properties = {});
                        // el may collide with an inherited property name ("__proto__",
                        // "constructor", ...); ??= reads the prototype so the node is never
                        // created and curr.errors.push throws. Guard with hasOwnProperty and
                        // create the node with defineProperty so "__proto__" becomes a real
                        // own key rather than invoking the prototype setter.
                        if (!Object.prototype.hasOwnProperty.call(curr.properties, el)) {
                            Object.defineProperty(curr.properties, el, {
                                value: { errors: [] },
                                enumerable: true,
                                writable: true,
                                configurable: true,
                            });
                        }
                        curr = curr.properties[el];
                    }
                    else {
                        curr.items ?? (curr.items = []);
                        (_a = curr.items)[el] ?? (_a[el] = { errors: [] });
                        curr = curr.items[el];
                    }
                    if (terminal) {
                        curr.errors.push(mapper(issue));
                    }
                    i++;
                }
            }
        }
    };
    processError(error);
    return result;
}
/** Format a ZodError as a human-readable string in the following form.
 *
 * From
 *
 * ```ts
 * ZodError {
 *   issues: [
 *     {
 *       expected: 'string',
 *       code: 'invalid_type',
 *       path: [ 'username' ],
 *       message: 'Invalid input: expected string'
 *     },
 *     {
 *       expected: 'number',
 *       code: 'invalid_type',
 *       path: [ 'favoriteNumbers', 1 ],
 *       message: 'Invalid input: expected number'
 *     }
 *   ];
 * }
 * ```
 *
 * to
 *
 * ```
 * username
 *   ✖ Expected number, received string at "username
 * favoriteNumbers[0]
 *   ✖ Invalid input: expected number
 * ```
 */
function toDotPath(_path) {
    const segs = [];
    const path = _path.map((seg) => (typeof seg === "object" ? seg.key : seg));
    for (const seg of path) {
        if (typeof seg === "number")
            segs.push(`[${seg}]`);
        else if (typeof seg === "symbol")
            segs.push(`[${JSON.stringify(String(seg))}]`);
        else if (/[^\w$]/.test(seg))
            segs.push(`[${JSON.stringify(seg)}]`);
        else {
            if (segs.length)
                segs.push(".");
            segs.push(seg);
        }
    }
    return segs.join("");
}
function prettifyError(error) {
    const lines = [];
    // sort by path length
    const issues = [...error.issues].sort((a, b) => (a.path ?? []).length - (b.path ?? []).length);
    // Process each issue
    for (const issue of issues) {
        lines.push(`✖ ${issue.message}`);
        if (issue.path?.length)
            lines.push(`  → at ${toDotPath(issue.path)}`);
    }
    // Convert Map to formatted string
    return lines.join("\n");
}

;// CONCATENATED MODULE: ./node_modules/zod/v4/core/parse.js



// Always both keys, so the `_params` read site in `_parse` sees one object shape rather than two.
function finalizeParams(callee, params) {
    return { callee: params?.callee ?? callee, Err: params?.Err };
}
const _parse = (_Err) => {
    const fn = (schema, value, _ctx, _params) => {
        const ctx = _ctx ? { ..._ctx, async: false } : { async: false };
        const result = schema._zod.run({ value, issues: [] }, ctx);
        if (result instanceof Promise) {
            throw new core_core/* $ZodAsyncError */.GT();
        }
        if (result.issues.length) {
            const e = new (_params?.Err ?? _Err)(result.issues.map((iss) => core_util/* finalizeIssue */.iR(iss, ctx, core_core/* config */.$W())));
            core_util/* captureStackTrace */.gx(e, _params?.callee ?? fn);
            throw e;
        }
        return result.value;
    };
    return fn;
};
const parse_parse = /* @__PURE__*/ _parse($ZodRealError);
const _parseAsync = (_Err) => {
    const fn = async (schema, value, _ctx, params) => {
        const ctx = _ctx ? { ..._ctx, async: true } : { async: true };
        let result = schema._zod.run({ value, issues: [] }, ctx);
        if (result instanceof Promise)
            result = await result;
        if (result.issues.length) {
            const e = new (params?.Err ?? _Err)(result.issues.map((iss) => core_util/* finalizeIssue */.iR(iss, ctx, core_core/* config */.$W())));
            core_util/* captureStackTrace */.gx(e, params?.callee ?? fn);
            throw e;
        }
        return result.value;
    };
    return fn;
};
const parse_parseAsync = /* @__PURE__*/ _parseAsync($ZodRealError);
const _safeParse = (_Err) => (schema, value, _ctx) => {
    const ctx = _ctx ? { ..._ctx, async: false } : { async: false };
    const result = schema._zod.run({ value, issues: [] }, ctx);
    if (result instanceof Promise) {
        throw new core_core/* $ZodAsyncError */.GT();
    }
    return result.issues.length ? failure(_Err, result.issues, ctx) : { success: true, data: result.value };
};
const safeParse = /* @__PURE__*/ _safeParse($ZodRealError);
// the error is built on the first read of `error`: finalizing the issues and constructing the instance is most of a failing parse, and a caller that only branches on `success` never pays it. a getter in the literal keeps this small; the alternative, one shared accessor descriptor plus a hidden state slot, reads ~15% faster but costs ~75 B gzipped in every bundle
function failure(Err, issues, ctx) {
    let error;
    return {
        success: false,
        get error() {
            if (!error) {
                error = new Err(issues.map((iss) => core_util/* finalizeIssue */.iR(iss, ctx, core_core/* config */.$W())));
                // finalizeIssue drops `input`, so the built error holds nothing; keeping the raw issues past this point pins the parsed value for the life of the result
                issues = undefined;
                ctx = undefined;
            }
            return error;
        },
        set error(e) {
            error = e;
            // a replacement makes the getter's branch unreachable, so the captures have to go here too
            issues = undefined;
            ctx = undefined;
        },
    };
}
const _safeParseAsync = (_Err) => async (schema, value, _ctx) => {
    const ctx = _ctx ? { ..._ctx, async: true } : { async: true };
    let result = schema._zod.run({ value, issues: [] }, ctx);
    if (result instanceof Promise)
        result = await result;
    return result.issues.length ? failure(_Err, result.issues, ctx) : { success: true, data: result.value };
};
const safeParseAsync = /* @__PURE__*/ _safeParseAsync($ZodRealError);
// registry mirrors of the compiler's sentinels, so this module never imports the compiler
const COMPILE_INVALID = /* @__PURE__ */ (/* unused pure expression or super */ null && (Symbol.for("zod.compile.invalid")));
const COMPILE_FALLBACK = /* @__PURE__ */ (/* unused pure expression or super */ null && (Symbol.for("zod.compile.fallback")));
// Deliberately tiny, because v8 will not inline a body carrying the fallback's object literals and throw. Everything that is not the compiled happy path lives in validateFallback, and that split is worth ~35% on a compiled schema.
const validate = ((schema, value, _ctx) => {
    const validator = schema._zod.bag.validator;
    if (validator !== undefined) {
        if (validator(value) !== COMPILE_INVALID)
            return true;
        // a definite sentinel means the runtime would reject, so skip the re-parse; a ctx can still change the answer
        if (validator.definite === true && _ctx === undefined)
            return false;
    }
    return validateFallback(schema, value, _ctx);
});
function validateFallback(schema, value, _ctx) {
    const ctx = _ctx
        ? { ..._ctx, async: false, abortEarly: true }
        : { async: false, abortEarly: true };
    const fallbackRun = schema._zod.bag.fallbackRun;
    let result;
    if (fallbackRun) {
        // skip nested fast paths on the fallback, so user callbacks keep the at-most-twice bound
        ctx[COMPILE_FALLBACK] = true;
        result = fallbackRun({ value, issues: [] }, ctx);
    }
    else {
        result = schema._zod.run({ value, issues: [] }, ctx);
    }
    if (result instanceof Promise) {
        throw new core.$ZodAsyncError();
    }
    return result.issues.length === 0;
}
// no fast path: the compiler keeps async parses on the runtime, because a promise-returning callback that is not declared async compiles to a throw
const parse_validateAsync = async (schema, value, _ctx) => {
    const ctx = _ctx
        ? { ..._ctx, async: true, abortEarly: true }
        : { async: true, abortEarly: true };
    let result = schema._zod.run({ value, issues: [] }, ctx);
    if (result instanceof Promise)
        result = await result;
    return result.issues.length === 0;
};
const _encode = (_Err) => {
    const parse = _parse(_Err);
    const fn = (schema, value, _ctx, _params) => {
        const ctx = _ctx ? { ..._ctx, direction: "backward" } : { direction: "backward" };
        return parse(schema, value, ctx, finalizeParams(fn, _params));
    };
    return fn;
};
const encode = /* @__PURE__*/ _encode($ZodRealError);
const _decode = (_Err) => {
    const parse = _parse(_Err);
    const fn = (schema, value, _ctx, _params) => {
        return parse(schema, value, _ctx, finalizeParams(fn, _params));
    };
    return fn;
};
const decode = /* @__PURE__*/ _decode($ZodRealError);
const _encodeAsync = (_Err) => {
    const parseAsync = _parseAsync(_Err);
    const fn = async (schema, value, _ctx, _params) => {
        const ctx = _ctx ? { ..._ctx, direction: "backward" } : { direction: "backward" };
        return (await parseAsync(schema, value, ctx, finalizeParams(fn, _params)));
    };
    return fn;
};
const encodeAsync = /* @__PURE__*/ _encodeAsync($ZodRealError);
const _decodeAsync = (_Err) => {
    const parseAsync = _parseAsync(_Err);
    const fn = async (schema, value, _ctx, _params) => {
        return await parseAsync(schema, value, _ctx, finalizeParams(fn, _params));
    };
    return fn;
};
const decodeAsync = /* @__PURE__*/ _decodeAsync($ZodRealError);
const _safeEncode = (_Err) => (schema, value, _ctx) => {
    const ctx = _ctx ? { ..._ctx, direction: "backward" } : { direction: "backward" };
    return _safeParse(_Err)(schema, value, ctx);
};
const safeEncode = /* @__PURE__*/ _safeEncode($ZodRealError);
const _safeDecode = (_Err) => (schema, value, _ctx) => {
    return _safeParse(_Err)(schema, value, _ctx);
};
const safeDecode = /* @__PURE__*/ _safeDecode($ZodRealError);
const _safeEncodeAsync = (_Err) => async (schema, value, _ctx) => {
    const ctx = _ctx ? { ..._ctx, direction: "backward" } : { direction: "backward" };
    return _safeParseAsync(_Err)(schema, value, ctx);
};
const safeEncodeAsync = /* @__PURE__*/ _safeEncodeAsync($ZodRealError);
const _safeDecodeAsync = (_Err) => async (schema, value, _ctx) => {
    return _safeParseAsync(_Err)(schema, value, _ctx);
};
const safeDecodeAsync = /* @__PURE__*/ _safeDecodeAsync($ZodRealError);

;// CONCATENATED MODULE: ./node_modules/zod/v4/mini/schemas.js




const ZodMiniType = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniType", (inst, def) => {
    if (!inst._zod)
        throw new Error("Uninitialized schema in ZodMiniType.");
    $ZodType.init(inst, def);
    inst.def = def;
    inst.type = def.type;
}, {
    // `with` is an alias for `check`: the same function object, not a wrapper.
    get with() {
        return this.check;
    },
    set with(value) {
        core_util/* own */.qh(this, "with", value);
    },
    parse(data, params) {
        return parse_parse(this, data, params, { callee: this.parse });
    },
    parseAsync(data, params) {
        return parse_parseAsync(this, data, params, { callee: this.parseAsync });
    },
    safeParse(data, params) {
        return safeParse(this, data, params);
    },
    safeParseAsync(data, params) {
        return safeParseAsync(this, data, params);
    },
    check(...checks) {
        const def = this.def;
        return this.clone({
            ...def,
            checks: [
                ...(def.checks ?? []),
                ...checks.map((ch) => typeof ch === "function" ? { _zod: { check: ch, def: { check: "custom" }, onattach: [] } } : ch),
            ],
        }, { parent: true });
    },
    clone(_def, params) {
        return core_util/* clone */.o8(this, _def, params);
    },
    brand() {
        return this;
    },
    register(reg, meta) {
        reg.add(this, meta);
        return this;
    },
    apply(fn, ...args) {
        return args.length === 0 ? fn(this) : fn(this, ...args);
    },
});
const ZodMiniString = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniString", (inst, def) => {
    $ZodString.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function schemas_string(params) {
    return api/* _string */.Rl(ZodMiniString, params);
}
const ZodMiniStringFormat = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniStringFormat", (inst, def) => {
    core.$ZodStringFormat.init(inst, def);
    ZodMiniString.init(inst, def);
})));
const ZodMiniEmail = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniEmail", (inst, def) => {
    core.$ZodEmail.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_email(params) {
    return core._email(ZodMiniEmail, params);
}
const ZodMiniGUID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniGUID", (inst, def) => {
    core.$ZodGUID.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_guid(params) {
    return core._guid(ZodMiniGUID, params);
}
const ZodMiniUUID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniUUID", (inst, def) => {
    core.$ZodUUID.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_uuid(params) {
    return core._uuid(ZodMiniUUID, params);
}
// @__NO_SIDE_EFFECTS__
function uuidv4(params) {
    return core._uuidv4(ZodMiniUUID, params);
}
// ZodMiniUUIDv6
// @__NO_SIDE_EFFECTS__
function uuidv6(params) {
    return core._uuidv6(ZodMiniUUID, params);
}
// ZodMiniUUIDv7
// @__NO_SIDE_EFFECTS__
function uuidv7(params) {
    return core._uuidv7(ZodMiniUUID, params);
}
const ZodMiniURL = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniURL", (inst, def) => {
    core.$ZodURL.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function url(params) {
    return core._url(ZodMiniURL, params);
}
// @__NO_SIDE_EFFECTS__
function httpUrl(params) {
    return core._url(ZodMiniURL, {
        protocol: regexes.httpProtocol,
        hostname: regexes.domain,
        ...util.normalizeParams(params),
    });
}
const ZodMiniEmoji = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniEmoji", (inst, def) => {
    core.$ZodEmoji.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_emoji(params) {
    return core._emoji(ZodMiniEmoji, params);
}
const ZodMiniNanoID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniNanoID", (inst, def) => {
    core.$ZodNanoID.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_nanoid(params) {
    return core._nanoid(ZodMiniNanoID, params);
}
/**
 * @deprecated CUID v1 is deprecated by its authors due to information leakage
 * (timestamps embedded in the id). Use {@link ZodMiniCUID2} instead.
 * See https://github.com/paralleldrive/cuid.
 */
const ZodMiniCUID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniCUID", (inst, def) => {
    core.$ZodCUID.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
/**
 * Validates a CUID v1 string.
 *
 * @deprecated CUID v1 is deprecated by its authors due to information leakage
 * (timestamps embedded in the id). Use {@link cuid2 | `z.cuid2()`} instead.
 * See https://github.com/paralleldrive/cuid.
 */
// @__NO_SIDE_EFFECTS__
function schemas_cuid(params) {
    return core._cuid(ZodMiniCUID, params);
}
const ZodMiniCUID2 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniCUID2", (inst, def) => {
    core.$ZodCUID2.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_cuid2(params) {
    return core._cuid2(ZodMiniCUID2, params);
}
const ZodMiniULID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniULID", (inst, def) => {
    core.$ZodULID.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_ulid(params) {
    return core._ulid(ZodMiniULID, params);
}
const ZodMiniXID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniXID", (inst, def) => {
    core.$ZodXID.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_xid(params) {
    return core._xid(ZodMiniXID, params);
}
const ZodMiniKSUID = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniKSUID", (inst, def) => {
    core.$ZodKSUID.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_ksuid(params) {
    return core._ksuid(ZodMiniKSUID, params);
}
const ZodMiniIPv4 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniIPv4", (inst, def) => {
    core.$ZodIPv4.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_ipv4(params) {
    return core._ipv4(ZodMiniIPv4, params);
}
const ZodMiniIPv6 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniIPv6", (inst, def) => {
    core.$ZodIPv6.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_ipv6(params) {
    return core._ipv6(ZodMiniIPv6, params);
}
const ZodMiniCIDRv4 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniCIDRv4", (inst, def) => {
    core.$ZodCIDRv4.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_cidrv4(params) {
    return core._cidrv4(ZodMiniCIDRv4, params);
}
const ZodMiniCIDRv6 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniCIDRv6", (inst, def) => {
    core.$ZodCIDRv6.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_cidrv6(params) {
    return core._cidrv6(ZodMiniCIDRv6, params);
}
const ZodMiniMAC = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniMAC", (inst, def) => {
    core.$ZodMAC.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_mac(params) {
    return core._mac(ZodMiniMAC, params);
}
const ZodMiniBase64 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniBase64", (inst, def) => {
    core.$ZodBase64.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_base64(params) {
    return core._base64(ZodMiniBase64, params);
}
const ZodMiniBase64URL = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniBase64URL", (inst, def) => {
    core.$ZodBase64URL.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_base64url(params) {
    return core._base64url(ZodMiniBase64URL, params);
}
const ZodMiniE164 = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniE164", (inst, def) => {
    core.$ZodE164.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_e164(params) {
    return core._e164(ZodMiniE164, params);
}
const ZodMiniCreditCard = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniCreditCard", (inst, def) => {
    core.$ZodCreditCard.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_creditCard(params) {
    return core._creditCard(ZodMiniCreditCard, params);
}
const ZodMiniIBAN = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniIBAN", (inst, def) => {
    core.$ZodIBAN.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_iban(params) {
    return core._iban(ZodMiniIBAN, params);
}
const ZodMiniJWT = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniJWT", (inst, def) => {
    core.$ZodJWT.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function jwt(params) {
    return core._jwt(ZodMiniJWT, params);
}
const ZodMiniCustomStringFormat = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniCustomStringFormat", (inst, def) => {
    core.$ZodCustomStringFormat.init(inst, def);
    ZodMiniStringFormat.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function stringFormat(format, fnOrRegex, _params = {}) {
    return core._stringFormat(ZodMiniCustomStringFormat, format, fnOrRegex, _params);
}
// @__NO_SIDE_EFFECTS__
function schemas_hostname(_params) {
    return core._stringFormat(ZodMiniCustomStringFormat, "hostname", regexes.hostname, _params);
}
// @__NO_SIDE_EFFECTS__
function schemas_hex(_params) {
    return core._stringFormat(ZodMiniCustomStringFormat, "hex", regexes.hex, _params);
}
// @__NO_SIDE_EFFECTS__
function schemas_currencyCode(_params) {
    return core._stringFormat(ZodMiniCustomStringFormat, "currency_code", regexes.currencyCode, _params);
}
// @__NO_SIDE_EFFECTS__
function hash(alg, params) {
    const enc = params?.enc ?? "hex";
    const format = `${alg}_${enc}`;
    const regex = core.regexes[format];
    // check for unrecognized format
    if (!regex)
        throw new Error(`Unrecognized hash format: ${format}`);
    return core._stringFormat(ZodMiniCustomStringFormat, format, regex, params);
}
const ZodMiniNumber = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniNumber", (inst, def) => {
    $ZodNumber.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function schemas_number(params) {
    return api/* _number */.F7(ZodMiniNumber, params);
}
const ZodMiniNumberFormat = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniNumberFormat", (inst, def) => {
    $ZodNumberFormat.init(inst, def);
    ZodMiniNumber.init(inst, def);
});
function schemas_int(params) {
    return api/* _int */.LK(ZodMiniNumberFormat, params);
}
function float32(params) {
    return core._float32(ZodMiniNumberFormat, params);
}
function float64(params) {
    return core._float64(ZodMiniNumberFormat, params);
}
function int32(params) {
    return core._int32(ZodMiniNumberFormat, params);
}
function uint32(params) {
    return core._uint32(ZodMiniNumberFormat, params);
}
const ZodMiniBoolean = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniBoolean", (inst, def) => {
    $ZodBoolean.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function schemas_boolean(params) {
    return api/* _boolean */._L(ZodMiniBoolean, params);
}
const ZodMiniBigInt = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniBigInt", (inst, def) => {
    core.$ZodBigInt.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_bigint(params) {
    return core._bigint(ZodMiniBigInt, params);
}
const ZodMiniBigIntFormat = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniBigIntFormat", (inst, def) => {
    core.$ZodBigIntFormat.init(inst, def);
    ZodMiniBigInt.init(inst, def);
})));
function int64(params) {
    return core._int64(ZodMiniBigIntFormat, params);
}
function uint64(params) {
    return core._uint64(ZodMiniBigIntFormat, params);
}
const ZodMiniSymbol = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniSymbol", (inst, def) => {
    core.$ZodSymbol.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function symbol(params) {
    return core._symbol(ZodMiniSymbol, params);
}
const ZodMiniUndefined = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniUndefined", (inst, def) => {
    core.$ZodUndefined.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_undefined(params) {
    return core._undefined(ZodMiniUndefined, params);
}

const ZodMiniNull = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniNull", (inst, def) => {
    core.$ZodNull.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_null(params) {
    return core._null(ZodMiniNull, params);
}

const ZodMiniAny = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniAny", (inst, def) => {
    core.$ZodAny.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function any() {
    return core._any(ZodMiniAny);
}
const ZodMiniUnknown = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniUnknown", (inst, def) => {
    $ZodUnknown.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function unknown() {
    return api/* _unknown */.em(ZodMiniUnknown);
}
const ZodMiniNever = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniNever", (inst, def) => {
    $ZodNever.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function never(params) {
    return api/* _never */.G8(ZodMiniNever, params);
}
const ZodMiniVoid = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniVoid", (inst, def) => {
    core.$ZodVoid.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function _void(params) {
    return core._void(ZodMiniVoid, params);
}

const ZodMiniDate = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniDate", (inst, def) => {
    core.$ZodDate.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function schemas_date(params) {
    return core._date(ZodMiniDate, params);
}
const ZodMiniArray = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniArray", (inst, def) => {
    $ZodArray.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function array(element, params) {
    return new ZodMiniArray({
        type: "array",
        element: element,
        ...core_util/* normalizeParams */.A2(params),
    });
}
// .keyof
// @__NO_SIDE_EFFECTS__
function keyof(schema) {
    const shape = schema._zod.def.shape;
    return _enum(Object.keys(shape));
}
const ZodMiniObject = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniObject", (inst, def) => {
    $ZodObject.init(inst, def);
    ZodMiniType.init(inst, def);
    core_util/* installLazyProp */.X(inst, "shape", (self) => self._zod.def.shape, false);
});
// @__NO_SIDE_EFFECTS__
function object(shape, params) {
    const def = {
        type: "object",
        shape: shape ?? {},
        ...core_util/* normalizeParams */.A2(params),
    };
    return new ZodMiniObject(def);
}
// strictObject
// @__NO_SIDE_EFFECTS__
function strictObject(shape, params) {
    return new ZodMiniObject({
        type: "object",
        shape,
        catchall: never(),
        ...core_util/* normalizeParams */.A2(params),
    });
}
// looseObject
// @__NO_SIDE_EFFECTS__
function looseObject(shape, params) {
    return new ZodMiniObject({
        type: "object",
        shape,
        catchall: unknown(),
        ...core_util/* normalizeParams */.A2(params),
    });
}
// object methods
// @__NO_SIDE_EFFECTS__
function extend(schema, shape) {
    return core_util/* extend */.X$(schema, shape);
}
// @__NO_SIDE_EFFECTS__
function safeExtend(schema, shape) {
    return util.safeExtend(schema, shape);
}
/**
 * @deprecated Use [`z.extend(A, B.shape)`](https://zod.dev/api?id=extend) instead.
 */
// @__NO_SIDE_EFFECTS__
function merge(a, b) {
    return util.merge(a, b);
}
// @__NO_SIDE_EFFECTS__
function pick(schema, mask) {
    return util.pick(schema, mask);
}
// .omit
// @__NO_SIDE_EFFECTS__
function omit(schema, mask) {
    return util.omit(schema, mask);
}
// @__NO_SIDE_EFFECTS__
function partial(schema, mask) {
    const def = schema._zod.def;
    if (def.type !== "tuple")
        return util.partial(ZodMiniOptional, schema, mask);
    // a refinement was authored against the full arity; partialing would run it on a shorter array
    if (def.checks?.length)
        throw new Error(".partial() cannot be used on tuple schemas containing refinements");
    return util.clone(schema, {
        ...def,
        items: def.items.map((item) => new ZodMiniOptional({ type: "optional", innerType: item })),
    });
}
// @__NO_SIDE_EFFECTS__
function exactPartial(schema, mask) {
    return util.partial(ZodMiniExactOptional, schema, mask, "exactPartial");
}
// @__NO_SIDE_EFFECTS__
function required(schema, mask) {
    return util.required(ZodMiniNonOptional, schema, mask);
}
// @__NO_SIDE_EFFECTS__
function catchall(inst, catchall) {
    // `mergeDefs` rather than a spread: spreading reads `shape`, and resolving it can mint a whole fresh subtree
    return inst.clone(util.mergeDefs(inst._zod.def, { catchall: catchall }));
}
const ZodMiniUnion = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniUnion", (inst, def) => {
    $ZodUnion.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function union(options, params) {
    return new ZodMiniUnion({
        type: "union",
        options: options,
        ...core_util/* normalizeParams */.A2(params),
    });
}
const ZodMiniXor = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniXor", (inst, def) => {
    ZodMiniUnion.init(inst, def);
    core.$ZodXor.init(inst, def);
})));
/** Creates an exclusive union (XOR) where exactly one option must match.
 * Unlike regular unions that succeed when any option matches, xor fails if
 * zero or more than one option matches the input. */
function xor(options, params) {
    return new ZodMiniXor({
        type: "union",
        options: options,
        inclusive: false,
        ...util.normalizeParams(params),
    });
}
const ZodMiniDiscriminatedUnion = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniDiscriminatedUnion", (inst, def) => {
    $ZodDiscriminatedUnion.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function discriminatedUnion(discriminator, options, params) {
    return new ZodMiniDiscriminatedUnion({
        type: "union",
        options: options,
        discriminator,
        ...core_util/* normalizeParams */.A2(params),
    });
}
const ZodMiniIntersection = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniIntersection", (inst, def) => {
    core.$ZodIntersection.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function intersection(left, right) {
    return new ZodMiniIntersection({
        type: "intersection",
        left: left,
        right: right,
    });
}
const ZodMiniTuple = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniTuple", (inst, def) => {
    core.$ZodTuple.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function tuple(items, _paramsOrRest, _params) {
    const hasRest = _paramsOrRest instanceof core.$ZodType;
    const params = hasRest ? _params : _paramsOrRest;
    const rest = hasRest ? _paramsOrRest : null;
    return new ZodMiniTuple({
        type: "tuple",
        items: items,
        rest,
        ...util.normalizeParams(params),
    });
}
const ZodMiniRecord = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniRecord", (inst, def) => {
    $ZodRecord.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function record(keyType, valueType, params) {
    // v3-compat: z.record(valueType, params?) — defaults keyType to z.string()
    if (!valueType || !valueType._zod) {
        return new ZodMiniRecord({
            type: "record",
            keyType: schemas_string(),
            valueType: keyType,
            ...core_util/* normalizeParams */.A2(valueType),
        });
    }
    return new ZodMiniRecord({
        type: "record",
        keyType,
        valueType: valueType,
        ...core_util/* normalizeParams */.A2(params),
    });
}
// @__NO_SIDE_EFFECTS__
function partialRecord(keyType, valueType, params) {
    return new ZodMiniRecord({
        type: "record",
        keyType,
        valueType: valueType,
        ...util.normalizeParams(params),
        partial: true,
    });
}
function looseRecord(keyType, valueType, params) {
    return new ZodMiniRecord({
        type: "record",
        keyType,
        valueType: valueType,
        mode: "loose",
        ...util.normalizeParams(params),
    });
}
const ZodMiniMap = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniMap", (inst, def) => {
    core.$ZodMap.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function map(keyType, valueType, params) {
    return new ZodMiniMap({
        type: "map",
        keyType: keyType,
        valueType: valueType,
        ...util.normalizeParams(params),
    });
}
const ZodMiniSet = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniSet", (inst, def) => {
    core.$ZodSet.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function set(valueType, params) {
    return new ZodMiniSet({
        type: "set",
        valueType: valueType,
        ...util.normalizeParams(params),
    });
}
const ZodMiniEnum = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniEnum", (inst, def) => {
    $ZodEnum.init(inst, def);
    ZodMiniType.init(inst, def);
    // reuse the parsed value set so a numeric TS enum's reverse-mapping keys stay out
    inst.options = [...inst._zod.values];
});
// @__NO_SIDE_EFFECTS__
function _enum(values, params) {
    const entries = Array.isArray(values) ? Object.fromEntries(values.map((v) => [v, v])) : values;
    return new ZodMiniEnum({
        type: "enum",
        entries,
        ...core_util/* normalizeParams */.A2(params),
    });
}

// @__NO_SIDE_EFFECTS__
/** @deprecated This API has been merged into `z.enum()`. Use `z.enum()` instead.
 *
 * ```ts
 * enum Colors { red, green, blue }
 * z.enum(Colors);
 * ```
 */
function nativeEnum(entries, params) {
    return new ZodMiniEnum({
        type: "enum",
        entries,
        ...util.normalizeParams(params),
    });
}
const ZodMiniLiteral = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniLiteral", (inst, def) => {
    $ZodLiteral.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function literal(value, params) {
    return new ZodMiniLiteral({
        type: "literal",
        values: Array.isArray(value) ? value : [value],
        ...core_util/* normalizeParams */.A2(params),
    });
}
const ZodMiniFile = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniFile", (inst, def) => {
    core.$ZodFile.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function file(params) {
    return core._file(ZodMiniFile, params);
}
const ZodMiniTransform = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniTransform", (inst, def) => {
    $ZodTransform.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function transform(fn) {
    return new ZodMiniTransform({
        type: "transform",
        transform: fn,
    });
}
const ZodMiniOptional = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniOptional", (inst, def) => {
    $ZodOptional.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function optional(innerType) {
    return new ZodMiniOptional({
        type: "optional",
        innerType: innerType,
    });
}
const ZodMiniExactOptional = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniExactOptional", (inst, def) => {
    core.$ZodExactOptional.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function exactOptional(innerType) {
    return new ZodMiniExactOptional({
        type: "optional",
        innerType: innerType,
    });
}
const ZodMiniNullable = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniNullable", (inst, def) => {
    $ZodNullable.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function nullable(innerType) {
    return new ZodMiniNullable({
        type: "nullable",
        innerType: innerType,
    });
}
// nullish
// @__NO_SIDE_EFFECTS__
function nullish(innerType) {
    return optional(nullable(innerType));
}
const ZodMiniDefault = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniDefault", (inst, def) => {
    core.$ZodDefault.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function _default(innerType, defaultValue) {
    return new ZodMiniDefault({
        type: "default",
        innerType: innerType,
        get defaultValue() {
            return typeof defaultValue === "function" ? defaultValue() : util.shallowClone(defaultValue);
        },
    });
}
const ZodMiniPrefault = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniPrefault", (inst, def) => {
    core.$ZodPrefault.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function prefault(innerType, defaultValue) {
    return new ZodMiniPrefault({
        type: "prefault",
        innerType: innerType,
        get defaultValue() {
            return typeof defaultValue === "function" ? defaultValue() : util.shallowClone(defaultValue);
        },
    });
}
const ZodMiniNonOptional = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniNonOptional", (inst, def) => {
    core.$ZodNonOptional.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function nonoptional(innerType, params) {
    return new ZodMiniNonOptional({
        type: "nonoptional",
        innerType: innerType,
        ...util.normalizeParams(params),
    });
}
const ZodMiniSuccess = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniSuccess", (inst, def) => {
    core.$ZodSuccess.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function success(innerType) {
    return new ZodMiniSuccess({
        type: "success",
        innerType: innerType,
    });
}
const ZodMiniCatch = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniCatch", (inst, def) => {
    $ZodCatch.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function _catch(innerType, catchValue) {
    return new ZodMiniCatch({
        type: "catch",
        innerType: innerType,
        catchValue: (typeof catchValue === "function" ? catchValue : core_util/* constantCatch */.SS(catchValue)),
    });
}

const ZodMiniNaN = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniNaN", (inst, def) => {
    core.$ZodNaN.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function nan(params) {
    return core._nan(ZodMiniNaN, params);
}
const ZodMiniPipe = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniPipe", (inst, def) => {
    $ZodPipe.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function pipe(in_, out) {
    return new ZodMiniPipe({
        type: "pipe",
        in: in_,
        out: out,
    });
}
const ZodMiniCodec = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniCodec", (inst, def) => {
    ZodMiniPipe.init(inst, def);
    core.$ZodCodec.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function codec(in_, out, params) {
    return new ZodMiniCodec({
        type: "pipe",
        in: in_,
        out: out,
        transform: params.decode,
        reverseTransform: params.encode,
    });
}
// @__NO_SIDE_EFFECTS__
function invertCodec(codec) {
    const def = codec._zod.def;
    return new ZodMiniCodec({
        type: "pipe",
        in: def.out,
        out: def.in,
        transform: def.reverseTransform,
        reverseTransform: def.transform,
    });
}
const ZodMiniReadonly = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniReadonly", (inst, def) => {
    $ZodReadonly.init(inst, def);
    ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function readonly(innerType) {
    return new ZodMiniReadonly({
        type: "readonly",
        innerType: innerType,
    });
}
const ZodMiniTemplateLiteral = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniTemplateLiteral", (inst, def) => {
    core.$ZodTemplateLiteral.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function templateLiteral(parts, params) {
    return new ZodMiniTemplateLiteral({
        type: "template_literal",
        parts,
        ...util.normalizeParams(params),
    });
}
const ZodMiniLazy = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniLazy", (inst, def) => {
    core.$ZodLazy.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// export function lazy<T extends object>(getter: () => T): T {
//   return util.createTransparentProxy<T>(getter);
// }
// @__NO_SIDE_EFFECTS__
function _lazy(getter) {
    return new ZodMiniLazy({
        type: "lazy",
        getter: getter,
    });
}

const ZodMiniPromise = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniPromise", (inst, def) => {
    core.$ZodPromise.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function promise(innerType) {
    return new ZodMiniPromise({
        type: "promise",
        innerType: innerType,
    });
}
const ZodMiniCustom = /*@__PURE__*/ core_core/* $constructor */.xI("ZodMiniCustom", (inst, def) => {
    $ZodCustom.init(inst, def);
    ZodMiniType.init(inst, def);
});
// custom checks
// @__NO_SIDE_EFFECTS__
function check(fn, params) {
    const ch = new core.$ZodCheck({
        check: "custom",
        ...util.normalizeParams(params),
    });
    ch._zod.check = fn;
    return ch;
}
// ZodCustom custom schema
// @__NO_SIDE_EFFECTS__
function custom(fn, _params) {
    return core._custom(ZodMiniCustom, fn ?? (() => true), _params);
}
// refine
// @__NO_SIDE_EFFECTS__
function refine(fn, _params = {}) {
    return api/* _refine */.fU(ZodMiniCustom, fn, _params);
}
// superRefine
// @__NO_SIDE_EFFECTS__
function superRefine(fn, params) {
    return core._superRefine(fn, params);
}
// Re-export describe and meta from core
const describe = api/* describe */.q0;
const meta = api/* meta */.mI;
// instanceof
class Class {
    constructor(..._args) { }
}
// @__NO_SIDE_EFFECTS__
function _instanceof(cls, params = {}) {
    const inst = custom((data) => data instanceof cls, params);
    inst._zod.bag.Class = cls;
    // Override check to emit invalid_type instead of custom
    inst._zod.check = (payload) => {
        if (!(payload.value instanceof cls)) {
            payload.issues.push({
                code: "invalid_type",
                expected: cls.name,
                input: payload.value,
                inst,
                path: [...(inst._zod.def.path ?? [])],
            });
        }
    };
    return inst;
}

// stringbool
const stringbool = (...args) => core._stringbool({
    Codec: ZodMiniCodec,
    Boolean: ZodMiniBoolean,
    String: ZodMiniString,
}, ...args);
// @__NO_SIDE_EFFECTS__
function json() {
    const jsonSchema = _lazy(() => {
        return union([schemas_string(), schemas_number(), schemas_boolean(), schemas_null(), array(jsonSchema), record(schemas_string(), jsonSchema)]);
    });
    return jsonSchema;
}
const ZodMiniFunction = /*@__PURE__*/ (/* unused pure expression or super */ null && (core.$constructor("ZodMiniFunction", (inst, def) => {
    core.$ZodFunction.init(inst, def);
    ZodMiniType.init(inst, def);
})));
// @__NO_SIDE_EFFECTS__
function _function(params) {
    return new ZodMiniFunction({
        type: "function",
        input: Array.isArray(params?.input) ? tuple(params?.input) : (params?.input ?? array(unknown())),
        output: params?.output ?? unknown(),
    });
}



/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		// no module.id needed
/******/ 		// no module.loaded needed
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/******/ // expose the modules object (__webpack_modules__)
/******/ __nccwpck_require__.m = __webpack_modules__;
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/async module */
/******/ (() => {
/******/ 	var webpackQueues = typeof Symbol === "function" ? Symbol("webpack queues") : "__webpack_queues__";
/******/ 	var webpackExports = typeof Symbol === "function" ? Symbol("webpack exports") : "__webpack_exports__";
/******/ 	var webpackError = typeof Symbol === "function" ? Symbol("webpack error") : "__webpack_error__";
/******/ 	var resolveQueue = (queue) => {
/******/ 		if(queue && queue.d < 1) {
/******/ 			queue.d = 1;
/******/ 			queue.forEach((fn) => (fn.r--));
/******/ 			queue.forEach((fn) => (fn.r-- ? fn.r++ : fn()));
/******/ 		}
/******/ 	}
/******/ 	var wrapDeps = (deps) => (deps.map((dep) => {
/******/ 		if(dep !== null && typeof dep === "object") {
/******/ 			if(dep[webpackQueues]) return dep;
/******/ 			if(dep.then) {
/******/ 				var queue = [];
/******/ 				queue.d = 0;
/******/ 				dep.then((r) => {
/******/ 					obj[webpackExports] = r;
/******/ 					resolveQueue(queue);
/******/ 				}, (e) => {
/******/ 					obj[webpackError] = e;
/******/ 					resolveQueue(queue);
/******/ 				});
/******/ 				var obj = {};
/******/ 				obj[webpackQueues] = (fn) => (fn(queue));
/******/ 				return obj;
/******/ 			}
/******/ 		}
/******/ 		var ret = {};
/******/ 		ret[webpackQueues] = x => {};
/******/ 		ret[webpackExports] = dep;
/******/ 		return ret;
/******/ 	}));
/******/ 	__nccwpck_require__.a = (module, body, hasAwait) => {
/******/ 		var queue;
/******/ 		hasAwait && ((queue = []).d = -1);
/******/ 		var depQueues = new Set();
/******/ 		var exports = module.exports;
/******/ 		var currentDeps;
/******/ 		var outerResolve;
/******/ 		var reject;
/******/ 		var promise = new Promise((resolve, rej) => {
/******/ 			reject = rej;
/******/ 			outerResolve = resolve;
/******/ 		});
/******/ 		promise[webpackExports] = exports;
/******/ 		promise[webpackQueues] = (fn) => (queue && fn(queue), depQueues.forEach(fn), promise["catch"](x => {}));
/******/ 		module.exports = promise;
/******/ 		body((deps) => {
/******/ 			currentDeps = wrapDeps(deps);
/******/ 			var fn;
/******/ 			var getResult = () => (currentDeps.map((d) => {
/******/ 				if(d[webpackError]) throw d[webpackError];
/******/ 				return d[webpackExports];
/******/ 			}))
/******/ 			var promise = new Promise((resolve) => {
/******/ 				fn = () => (resolve(getResult));
/******/ 				fn.r = 0;
/******/ 				var fnQueue = (q) => (q !== queue && !depQueues.has(q) && (depQueues.add(q), q && !q.d && (fn.r++, q.push(fn))));
/******/ 				currentDeps.map((dep) => (dep[webpackQueues](fnQueue)));
/******/ 			});
/******/ 			return fn.r ? promise : getResult();
/******/ 		}, (err) => ((err ? reject(promise[webpackError] = err) : outerResolve(exports)), resolveQueue(queue)));
/******/ 		queue && queue.d < 0 && (queue.d = 0);
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/create fake namespace object */
/******/ (() => {
/******/ 	var getProto = Object.getPrototypeOf ? (obj) => (Object.getPrototypeOf(obj)) : (obj) => (obj.__proto__);
/******/ 	var leafPrototypes;
/******/ 	// create a fake namespace object
/******/ 	// mode & 1: value is a module id, require it
/******/ 	// mode & 2: merge all properties of value into the ns
/******/ 	// mode & 4: return value when already ns object
/******/ 	// mode & 16: return value when it's Promise-like
/******/ 	// mode & 8|1: behave like require
/******/ 	__nccwpck_require__.t = function(value, mode) {
/******/ 		if(mode & 1) value = this(value);
/******/ 		if(mode & 8) return value;
/******/ 		if(typeof value === 'object' && value) {
/******/ 			if((mode & 4) && value.__esModule) return value;
/******/ 			if((mode & 16) && typeof value.then === 'function') return value;
/******/ 		}
/******/ 		var ns = Object.create(null);
/******/ 		__nccwpck_require__.r(ns);
/******/ 		var def = {};
/******/ 		leafPrototypes = leafPrototypes || [null, getProto({}), getProto([]), getProto(getProto)];
/******/ 		for(var current = mode & 2 && value; typeof current == 'object' && !~leafPrototypes.indexOf(current); current = getProto(current)) {
/******/ 			Object.getOwnPropertyNames(current).forEach((key) => (def[key] = () => (value[key])));
/******/ 		}
/******/ 		def['default'] = () => (value);
/******/ 		__nccwpck_require__.d(ns, def);
/******/ 		return ns;
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/ensure chunk */
/******/ (() => {
/******/ 	__nccwpck_require__.f = {};
/******/ 	// This file contains only the entry chunk.
/******/ 	// The chunk loading function for additional chunks
/******/ 	__nccwpck_require__.e = (chunkId) => {
/******/ 		return Promise.all(Object.keys(__nccwpck_require__.f).reduce((promises, key) => {
/******/ 			__nccwpck_require__.f[key](chunkId, promises);
/******/ 			return promises;
/******/ 		}, []));
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/get javascript chunk filename */
/******/ (() => {
/******/ 	// This function allow to reference async chunks
/******/ 	__nccwpck_require__.u = (chunkId) => {
/******/ 		// return url for filenames based on template
/******/ 		return "" + chunkId + ".index.js";
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/******/ /* webpack/runtime/make namespace object */
/******/ (() => {
/******/ 	// define __esModule on exports
/******/ 	__nccwpck_require__.r = (exports) => {
/******/ 		if(typeof Symbol !== 'undefined' && Symbol.toStringTag) {
/******/ 			Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });
/******/ 		}
/******/ 		Object.defineProperty(exports, '__esModule', { value: true });
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/import chunk loading */
/******/ (() => {
/******/ 	// no baseURI
/******/ 	
/******/ 	// object to store loaded and loading chunks
/******/ 	// undefined = chunk not loaded, null = chunk preloaded/prefetched
/******/ 	// [resolve, Promise] = chunk loading, 0 = chunk loaded
/******/ 	var installedChunks = {
/******/ 		8792: 0
/******/ 	};
/******/ 	
/******/ 	var installChunk = (data) => {
/******/ 		var {ids, modules, runtime} = data;
/******/ 		// add "modules" to the modules object,
/******/ 		// then flag all "ids" as loaded and fire callback
/******/ 		var moduleId, chunkId, i = 0;
/******/ 		for(moduleId in modules) {
/******/ 			if(__nccwpck_require__.o(modules, moduleId)) {
/******/ 				__nccwpck_require__.m[moduleId] = modules[moduleId];
/******/ 			}
/******/ 		}
/******/ 		if(runtime) runtime(__nccwpck_require__);
/******/ 		for(;i < ids.length; i++) {
/******/ 			chunkId = ids[i];
/******/ 			if(__nccwpck_require__.o(installedChunks, chunkId) && installedChunks[chunkId]) {
/******/ 				installedChunks[chunkId][0]();
/******/ 			}
/******/ 			installedChunks[ids[i]] = 0;
/******/ 		}
/******/ 	
/******/ 	}
/******/ 	
/******/ 	__nccwpck_require__.f.j = (chunkId, promises) => {
/******/ 			// import() chunk loading for javascript
/******/ 			var installedChunkData = __nccwpck_require__.o(installedChunks, chunkId) ? installedChunks[chunkId] : undefined;
/******/ 			if(installedChunkData !== 0) { // 0 means "already installed".
/******/ 	
/******/ 				// a Promise means "currently loading".
/******/ 				if(installedChunkData) {
/******/ 					promises.push(installedChunkData[1]);
/******/ 				} else {
/******/ 					if(true) { // all chunks have JS
/******/ 						// setup Promise in chunk cache
/******/ 						var promise = import("./" + __nccwpck_require__.u(chunkId)).then(installChunk, (e) => {
/******/ 							if(installedChunks[chunkId] !== 0) installedChunks[chunkId] = undefined;
/******/ 							throw e;
/******/ 						});
/******/ 						var promise = Promise.race([promise, new Promise((resolve) => (installedChunkData = installedChunks[chunkId] = [resolve]))])
/******/ 						promises.push(installedChunkData[1] = promise);
/******/ 					}
/******/ 				}
/******/ 			}
/******/ 	};
/******/ 	
/******/ 	// no prefetching
/******/ 	
/******/ 	// no preloaded
/******/ 	
/******/ 	// no external install chunk
/******/ 	
/******/ 	// no on chunks loaded
/******/ })();
/******/ 
/************************************************************************/
/******/ 
/******/ // startup
/******/ // Load entry module and return exports
/******/ // This entry module used 'module' so it can't be inlined
/******/ var __webpack_exports__ = __nccwpck_require__(4614);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
