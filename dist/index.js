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

/***/ 6124:
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

/***/ 7532:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  F: () => (/* binding */ createGiteaRunner)
});

// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __nccwpck_require__(3699);
;// CONCATENATED MODULE: ./build/ci/gitea/commands.js

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

// EXTERNAL MODULE: ./build/text/cut.js
var cut = __nccwpck_require__(7850);
;// CONCATENATED MODULE: ./build/ci/gitea/results.js


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
            for (const line of (0,text_escape/* inertLines */.wi)((0,cut/* cut */.J)(markdown, { bytes: MAX_LOGGED_BYTES })))
                toolkit.info(line);
            toolkit.endGroup();
            results.writeSummary(markdown);
        },
    };
}

;// CONCATENATED MODULE: ./build/ci/gitea/runner.js


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

/***/ 2918:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ readActionInputs)
/* harmony export */ });
/* unused harmony export variableOf */
/* harmony import */ var _inputs_reader_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(401);

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

/***/ 3135:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  j: () => (/* binding */ createRunner)
});

// UNUSED EXPORTS: createCommandRunner

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __nccwpck_require__(8161);
;// CONCATENATED MODULE: ./build/ci/github-actions/commands.js

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

// EXTERNAL MODULE: ./build/text/json.js
var json = __nccwpck_require__(5666);
;// CONCATENATED MODULE: ./build/ci/github-actions/empty-inputs.js

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
    const head = (0,json/* fieldOf */._)(payload, 'pull_request', 'head', 'repo');
    if (head === undefined || (0,json/* fieldOf */._)(head, 'full_name') === run.repository)
        return undefined;
    const way = run.eventName === 'pull_request_review' ? ' A command in a conversation comment of the pull request works.' : '';
    return `The pull request comes from a fork, whose runs get no secrets; the API key is empty.${way}`;
}

;// CONCATENATED MODULE: ./build/ci/github-actions/hint.js
/** A hint as a sentence and, below it, the lines to add to the workflow. */
function showHint(hint) {
    if (typeof hint === 'string')
        return hint;
    const { text, inputs = {}, permissions = {} } = hint;
    return [text, ...mapping('permissions', permissions), ...mapping('with', inputs)].join('\n');
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
// EXTERNAL MODULE: ./build/errors.js
var errors = __nccwpck_require__(9473);
// EXTERNAL MODULE: ./build/inputs/catalog.js
var catalog = __nccwpck_require__(8999);
// EXTERNAL MODULE: ./build/text/cut.js
var cut = __nccwpck_require__(7850);
;// CONCATENATED MODULE: ./build/ci/github-actions/results.js






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
                text: `${(0,cut/* cut */.J)(markdown, { bytes: MAX_SUMMARY_BYTES }, CUT_NOTE)}\n`,
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

;// CONCATENATED MODULE: ./build/ci/github-actions/run.js




/** What the runner reports about the run, checked: `config` naming the variable where it is missing. */
function readRun(env) {
    const github = readContext(env);
    const { repository, serverUrl, runId, runAttempt, job, workspace, runnerTemp } = github;
    const runKey = `${runId}/${job}`;
    return {
        kind: 'github',
        repository,
        serverUrl,
        url: `${serverUrl}/${repository}/actions/runs/${runId}`,
        runKey,
        execution: `${runKey}/${runAttempt}`,
        workspace,
        temp: runnerTemp,
        cause: causeOf(github),
        eventName: github.eventName,
        isDefaultBranch: isDefaultBranch(env, github),
        refProtected: protectionOf(env.GITHUB_REF_PROTECTED),
        github,
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
// Fields one by one: at the start of every run the library for schemas is not worth its time.
function causeOf({ eventName, eventPath, repository }) {
    const payload = readPayload(eventPath);
    if (eventName === 'pull_request') {
        const isMerged = (0,json/* fieldOf */._)(payload, 'action') === 'closed' && (0,json/* fieldOf */._)(payload, 'pull_request', 'merged') === true;
        return isMerged ? 'merge' : 'change-request';
    }
    if (eventName !== 'workflow_run')
        return run_CAUSES.get(eventName) ?? 'unknown';
    // A run that follows another one is caused by what caused that one.
    const head = (0,json/* fieldOf */._)(payload, 'workflow_run', 'head_repository', 'full_name');
    if (typeof head !== 'string')
        return 'unknown';
    if (head.toLowerCase() !== repository.toLowerCase())
        return 'change-request';
    const first = (0,json/* fieldOf */._)(payload, 'workflow_run', 'event') ?? 'push';
    if (typeof first !== 'string')
        return 'unknown';
    return first.startsWith('pull_request') ? 'change-request' : (run_CAUSES.get(first) ?? 'unknown');
}
function isDefaultBranch(env, { eventName, eventPath }) {
    // A schedule runs on the default branch alone.
    if (eventName === 'schedule' || env.GITHUB_REF_TYPE === 'tag')
        return true;
    const payload = readPayload(eventPath);
    const usual = (0,json/* fieldOf */._)(payload, 'repository', 'default_branch');
    if (typeof usual !== 'string')
        return undefined;
    const branch = (0,json/* fieldOf */._)(payload, 'workflow_run', 'head_branch') ?? env.GITHUB_REF_NAME;
    return typeof branch !== 'string' || branch === '' ? undefined : branch === usual;
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

;// CONCATENATED MODULE: ./build/ci/github-actions/runner.js





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

/***/ 4966:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ MAX_OUTPUT_BYTES)
/* harmony export */ });
/** The limit of one output is documented nowhere; expressions and logs become unusable long before. */
const MAX_OUTPUT_BYTES = 64 * 1024;


/***/ }),

/***/ 4701:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  K: () => (/* binding */ cancelled),
  m: () => (/* binding */ systemClock)
});

;// CONCATENATED MODULE: external "node:timers/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");
// EXTERNAL MODULE: ./build/errors.js
var errors = __nccwpck_require__(9473);
;// CONCATENATED MODULE: ./build/clock.js


/** What every wait and every call throws when the run is cancelled. */
function cancelled(cause) {
    return new errors/* CourierError */.Yw({ code: 'cancelled', message: 'The run was cancelled.', cause });
}
// setTimeout takes a 32-bit number of milliseconds and fires at once beyond it.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const systemClock = {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
        try {
            for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) {
                await (0,promises_namespaceObject.setTimeout)(Math.min(left, LONGEST_TIMER_MS), undefined, signal ? { signal } : {});
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

/***/ 2409:
/***/ ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var _ci_gitea_kind_js__WEBPACK_IMPORTED_MODULE_7__ = __nccwpck_require__(6124);
/* harmony import */ var _ci_gitea_runner_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7532);
/* harmony import */ var _ci_github_actions_inputs_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(2918);
/* harmony import */ var _ci_github_actions_runner_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(3135);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(4701);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(9473);
/* harmony import */ var _log_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(6650);
/* harmony import */ var _main_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(3687);








/** The runner asks twice, 7.5 s apart, before it kills: by then everything must be written. */
const LONGEST_EXIT_MS = 4500;
/** All is written by then, also into a pipe whose reader is slow. */
const LONGEST_DRAIN_MS = 2000;
const workflow = (0,_ci_github_actions_runner_js__WEBPACK_IMPORTED_MODULE_2__/* .createRunner */ .j)(process.env);
const gitea = (0,_ci_gitea_kind_js__WEBPACK_IMPORTED_MODULE_7__/* .giteaKind */ .b)(process.env);
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
    const exitCode = await (0,_main_js__WEBPACK_IMPORTED_MODULE_6__/* .main */ .i)({ runner, source, log, clock: _clock_js__WEBPACK_IMPORTED_MODULE_3__/* .systemClock */ .m, signal: cancel.signal });
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

/***/ 9473:
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

/***/ 3215:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   R0: () => (/* binding */ isUnreachable),
/* harmony export */   RZ: () => (/* binding */ codeOfStatus),
/* harmony export */   YP: () => (/* binding */ isParserFailure),
/* harmony export */   gt: () => (/* binding */ isTlsFailure),
/* harmony export */   oQ: () => (/* binding */ systemCodes),
/* harmony export */   wA: () => (/* binding */ retryOfStatus)
/* harmony export */ });
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

/***/ 3216:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ delayedAbort)
/* harmony export */ });
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

/***/ 5226:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  l: () => (/* binding */ Http)
});

// EXTERNAL MODULE: ./build/clock.js + 1 modules
var clock = __nccwpck_require__(4701);
// EXTERNAL MODULE: ./build/errors.js
var errors = __nccwpck_require__(9473);
// EXTERNAL MODULE: ./build/text/json.js
var json = __nccwpck_require__(5666);
// EXTERNAL MODULE: ./build/text/markdown.js
var markdown = __nccwpck_require__(1065);
// EXTERNAL MODULE: ./build/http/delayed-abort.js
var delayed_abort = __nccwpck_require__(3216);
// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __nccwpck_require__(4573);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __nccwpck_require__(8522);
// EXTERNAL MODULE: ./build/http/open.js + 1 modules
var http_open = __nccwpck_require__(526);
;// CONCATENATED MODULE: ./build/http/exchange.js



const EXCHANGE_LIMITS = {
    connectMs: 10_000,
    headersMs: 30_000,
    idleMs: 30_000,
    totalMs: 60_000,
    bodyBytes: 1024 * 1024,
};
/** Sends one request and reads the whole reply, within the limits. Rejects with an ExchangeError, and only that. */
async function exchange(outgoing, { limits, signal }) {
    const attempt = new http_open/* Attempt */.UI(signal);
    const total = setTimeout(() => attempt.end('total-timeout'), limits.totalMs);
    try {
        const reply = await (0,http_open/* requestHeaders */.A1)(outgoing, limits, attempt);
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
            throw new http_open/* ExchangeError */.Sb({ fault: 'encoding', sent: true });
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
                throw new http_open/* ExchangeError */.Sb({ fault: 'too-large', sent: true });
            chunks.push(chunk);
        }
    }
    catch (cause) {
        if (cause instanceof http_open/* ExchangeError */.Sb)
            throw cause;
        throw new http_open/* ExchangeError */.Sb({ fault: 'truncated', sent: true, cause });
    }
    finally {
        clearTimeout(idle);
        reply.destroy();
    }
    // Node's parser compares what came with `content-length`, and waits for the last chunk of a chunked body.
    if (!reply.complete)
        throw new http_open/* ExchangeError */.Sb({ fault: 'truncated', sent: true });
    const lengthKnown = reply.headers['content-length'] !== undefined || reply.headers['transfer-encoding'] !== undefined;
    return { status: reply.statusCode ?? 0, headers: reply.headers, body: external_node_buffer_.Buffer.concat(chunks), lengthKnown };
}

// EXTERNAL MODULE: ./build/http/json.js
var http_json = __nccwpck_require__(3223);
// EXTERNAL MODULE: ./build/http/private-hosts.js + 1 modules
var private_hosts = __nccwpck_require__(1332);
// EXTERNAL MODULE: ./build/http/proxy.js + 1 modules
var proxy = __nccwpck_require__(7996);
;// CONCATENATED MODULE: ./build/http/request.js

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
        ...(hasBody && { 'content-length': String(external_node_buffer_.Buffer.byteLength(body ?? '')) }),
        ...headers,
    };
}

// EXTERNAL MODULE: ./build/http/retry.js
var http_retry = __nccwpck_require__(4675);
// EXTERNAL MODULE: ./build/http/service.js
var service = __nccwpck_require__(4870);
;// CONCATENATED MODULE: ./build/http/http.js













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
 * (http/codes.ts), or what the service's `meaning` says. `mayHaveStarted` is true where the request may have had an effect.
 * The body is read whole or not at all: at most `limits.bodyBytes`, and never less than `content-length`.
 */
class Http {
    #clock;
    #log;
    #signal;
    #random;
    #limits;
    #redact = (text) => this.#log.redact(text);
    #retriesLeft = http_retry/* MAX_RETRIES_PER_RUN */.Ch;
    constructor({ clock, log, signal, random = Math.random, limits }) {
        this.#clock = clock;
        this.#log = log;
        this.#signal = signal;
        this.#random = random;
        this.#limits = { ...EXCHANGE_LIMITS, ...limits };
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
        const jsonOf = (reply) => (0,json/* parseJson */.q)((request.redact ?? ((text) => text))(reply.body.toString('utf8')));
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
            const problem = json === undefined ? 'it is not JSON' : (0,http_json/* describeIssues */.w)(parsed.error.issues);
            // Without a length, JSON that does not parse is all that shows that a reply was cut off.
            const cut = json === undefined && !reply.lengthKnown;
            return { ok: false, ...(0,service/* contentFailure */.kz)(reply, words, problem, cut ? 'if-repeatable' : 'no') };
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
                    throw (0,clock/* cancelled */.K)(signal.reason);
                const leftMs = Math.max(1, endMs - this.#clock.monotonicMs());
                const outcome = await this.#attempt(request, progress, leftMs, judge, prepare);
                if (outcome.ok)
                    return outcome.value;
                const waitMs = this.#waitMs(request.repeat, outcome, progress);
                if (waitMs === undefined || this.#clock.monotonicMs() + waitMs >= endMs)
                    throw outcome.error;
                progress.mayHaveStarted ||= outcome.error.mayHaveStarted;
                this.#log.info(`${outcome.error.message} Trying again ${waitMs < 100 ? 'now' : `in ${(0,markdown/* formatDuration */.a3)(waitMs)}`}.`);
                await this.#clock.sleep(waitMs, signal);
            }
        }
        catch (error) {
            const isUnsure = progress.mayHaveStarted && error instanceof errors/* CourierError */.Yw && !error.mayHaveStarted;
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
                return { ok: false, ...(0,service/* statusFailure */.FP)(reply, words, context) };
            }
            const problem = request.check?.(reply);
            if (problem !== undefined)
                return { ok: false, ...(0,service/* contentFailure */.kz)(reply, words, problem, 'if-repeatable') };
            return judge(reply);
        }
        catch (error) {
            if (!(error instanceof http_open/* ExchangeError */.Sb))
                throw error;
            if (error.fault === 'aborted')
                throw cancelledCall(request, error);
            return { ok: false, ...(0,service/* faultFailure */.zk)(error, words, limits, progress.attempt) };
        }
    }
    async #exchange(request, limits, onSent) {
        const { method, url, body, tls } = request;
        const isChecked = request.allowPrivateHosts === false;
        const refusal = isChecked ? (0,private_hosts/* literalRefusal */.Wy)(url) : undefined;
        if (refusal !== undefined)
            throw new http_open/* ExchangeError */.Sb({ fault: 'broken', sent: false, cause: refusal });
        // A kept connection was not checked when it was made.
        const agent = await (0,proxy/* agentFor */.P)(url, { keep: request.repeat !== 'unless-acted' && !isChecked });
        const lookup = isChecked ? (0,private_hosts/* publicLookup */.km)() : undefined;
        const outgoing = { method, url, headers: headersOf(request), body, agent, tls, lookup, onSent };
        const signal = request.signal ?? this.#signal;
        const { cancelGraceMs } = request;
        return exchange(outgoing, {
            limits,
            signal: cancelGraceMs === undefined ? signal : (0,delayed_abort/* delayedAbort */.H)(signal, cancelGraceMs),
        });
    }
    /** How long to wait before the next attempt; undefined: there is none. Counts what it allows. */
    #waitMs(repeat, { error, retry, retryAfterMs }, progress) {
        const isAllowed = retry === 'safe' || (retry === 'if-repeatable' && repeat === 'always');
        if (!isAllowed || repeat === 'never')
            return undefined;
        if (retryAfterMs !== undefined && retryAfterMs > http_retry/* LONGEST_WAIT_MS */.u_)
            return undefined;
        const random = this.#random;
        // A 503 with `Retry-After` is an outage, and counted as one.
        if (error.code === 'rate-limited' && error.httpStatus !== 503) {
            progress.throttles += 1;
            if (retryAfterMs !== undefined && retryAfterMs >= SHORTEST_THROTTLE_MS) {
                // Waiting as asked for is no failure: it draws on no budget, but on the time of the call.
                progress.throttledMs += retryAfterMs;
                return progress.throttledMs > http_retry/* LONGEST_THROTTLED_MS */.pH ? undefined : (0,http_retry/* afterRetryAfterMs */.dE)(retryAfterMs, random);
            }
        }
        if (progress.attempt >= http_retry/* MAX_ATTEMPTS */.m || this.#retriesLeft <= 0)
            return undefined;
        const { attempt } = progress;
        progress.attempt += 1;
        this.#retriesLeft -= 1;
        if (retryAfterMs !== undefined)
            return (0,http_retry/* afterRetryAfterMs */.dE)(retryAfterMs, random);
        return error.code === 'rate-limited' ? (0,http_retry/* throttleMs */.V6)({ attempt, random }) : (0,http_retry/* backoffMs */.jo)({ attempt, random });
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
    return new errors/* CourierError */.Yw({
        code: 'cancelled',
        message: 'The run was cancelled.',
        mayHaveStarted: error.sent && writes,
        cause: error,
    });
}


/***/ }),

/***/ 3223:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   v: () => (/* binding */ isJsonType),
/* harmony export */   w: () => (/* binding */ describeIssues)
/* harmony export */ });
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

/***/ 356:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ isLoopback)
/* harmony export */ });
/** True for a name or address of this machine, as `URL.hostname` writes it. */
function isLoopback(hostname) {
    return /^((.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}


/***/ }),

/***/ 526:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  UI: () => (/* binding */ Attempt),
  Sb: () => (/* binding */ ExchangeError),
  Vx: () => (/* binding */ openReply),
  A1: () => (/* binding */ requestHeaders)
});

// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __nccwpck_require__(7067);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __nccwpck_require__(4708);
;// CONCATENATED MODULE: external "node:tls"
const external_node_tls_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:tls");
;// CONCATENATED MODULE: ./build/http/open.js



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


/***/ }),

/***/ 1332:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  jA: () => (/* binding */ PRIVATE_ADDRESS),
  C0: () => (/* binding */ isPrivateAddress),
  Wy: () => (/* binding */ literalRefusal),
  km: () => (/* binding */ publicLookup)
});

;// CONCATENATED MODULE: external "node:dns"
const external_node_dns_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:dns");
// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __nccwpck_require__(7030);
;// CONCATENATED MODULE: ./build/http/private-hosts.js


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

/***/ 7996:
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
;// CONCATENATED MODULE: ./build/http/proxy.js




/**
 * The proxy that the environment names for this address: HTTPS_PROXY or HTTP_PROXY, in either case, unless NO_PROXY or a
 * loopback address says otherwise. The rules are those of the runner's own toolkit.
 */
function proxyFor(url) {
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
    const { HttpsProxyAgent } = await __nccwpck_require__.e(/* import() */ 643).then(__nccwpck_require__.bind(__nccwpck_require__, 5643));
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

/***/ 4675:
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

/***/ 4870:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   FP: () => (/* binding */ statusFailure),
/* harmony export */   kz: () => (/* binding */ contentFailure),
/* harmony export */   qk: () => (/* binding */ foreignText),
/* harmony export */   zk: () => (/* binding */ faultFailure)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(9473);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(3699);
/* harmony import */ var _text_excerpt_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(6167);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_6__ = __nccwpck_require__(1065);
/* harmony import */ var _codes_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(3215);
/* harmony import */ var _private_hosts_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(1332);
/* harmony import */ var _retry_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(4675);







const MAX_ERROR_TEXT = 500;
const MAX_BODY_SAMPLE = 200;
/** A status outside of 2xx as the error that the user sees. */
function statusFailure(reply, call, context) {
    const { status } = reply;
    if (status >= 300 && status < 400)
        return { error: redirectError(reply, call), retry: 'no' };
    const header = (0,_retry_js__WEBPACK_IMPORTED_MODULE_5__/* .readRetryAfter */ .D$)(reply.headers['retry-after'], context.nowMs);
    const meaning = call.service.meaning?.(reply, { ...context, retryAfterMs: header }) ?? {};
    const retryAfterMs = meaning.retryAfterMs ?? header;
    const code = meaning.code ?? (status === 503 && retryAfterMs !== undefined ? 'rate-limited' : (0,_codes_js__WEBPACK_IMPORTED_MODULE_3__/* .codeOfStatus */ .RZ)(status));
    const limited = code === 'rate-limited';
    const wait = retryAfterMs === undefined ? undefined : (0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(retryAfterMs);
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
        retry: meaning.retry ?? (limited ? 'safe' : (0,_codes_js__WEBPACK_IMPORTED_MODULE_3__/* .retryOfStatus */ .wA)(status, retryAfterMs)),
        retryAfterMs: limited || retryAfterMs !== undefined ? retryAfterMs : undefined,
    };
}
// Such as a presigned link that the service could not use: its query is what makes it a secret.
const QUERY_OF_ADDRESS = /(https?:\/\/[^\s?#"'<>]{1,2000})[?#][^\s"'<>]*/gi;
/** Words of a service about a failure, safe to print: no secret, no query of an address, inert, one line, cut. */
function foreignText(text, redact) {
    return (0,_text_excerpt_js__WEBPACK_IMPORTED_MODULE_2__/* .excerpt */ .K)(text, { redact: (raw) => redact(raw).replace(QUERY_OF_ADDRESS, '$1?…'), max: MAX_ERROR_TEXT });
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
    const codes = [...new Set((0,_codes_js__WEBPACK_IMPORTED_MODULE_3__/* .systemCodes */ .oQ)(error))].filter((code) => /^[A-Z][A-Z0-9_]{2,60}$/.test(code) && code !== 'ABORT_ERR');
    const unreachable = codes.filter(_codes_js__WEBPACK_IMPORTED_MODULE_3__/* .isUnreachable */ .R0);
    const detail = (unreachable.length > 0 ? unreachable : codes).join(', ');
    const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
    const code = codeOfFault(error, codes);
    return {
        error: new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
            code,
            message: `${call.name} failed${tries}: ${textOfFault(error, limits)}${detail === '' ? '' : ` (${detail})`}.`,
            hint: code === 'network' || codes.includes(_private_hosts_js__WEBPACK_IMPORTED_MODULE_4__/* .PRIVATE_ADDRESS */ .jA) ? hintOfFault(error, codes, call) : undefined,
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
    if ((0,_codes_js__WEBPACK_IMPORTED_MODULE_3__/* .isTlsFailure */ .gt)(codes) || (0,_codes_js__WEBPACK_IMPORTED_MODULE_3__/* .isParserFailure */ .YP)(codes) || codes.includes(_private_hosts_js__WEBPACK_IMPORTED_MODULE_4__/* .PRIVATE_ADDRESS */ .jA))
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
    return (0,_codes_js__WEBPACK_IMPORTED_MODULE_3__/* .isParserFailure */ .YP)(codes) || codes.includes(_private_hosts_js__WEBPACK_IMPORTED_MODULE_4__/* .PRIVATE_ADDRESS */ .jA) ? 'protocol' : 'network';
}
function textOfFault(error, limits) {
    const within = (ms) => `within the time limit of ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(ms)}`;
    switch (error.fault) {
        case 'connect-timeout':
            return `no connection ${within(limits.connectMs)}`;
        case 'headers-timeout':
            return `no reply ${within(limits.headersMs)}`;
        case 'idle-timeout':
            return `the reply stopped for ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_6__/* .formatDuration */ .a3)(limits.idleMs)}`;
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
    if (codes.includes(_private_hosts_js__WEBPACK_IMPORTED_MODULE_4__/* .PRIVATE_ADDRESS */ .jA)) {
        return `${url.hostname} has only addresses of a private network. Where the platform runs inside of your own network, set allow-private-hosts: true.`;
    }
    if (error.fault === 'proxy')
        return proxyHint(error.proxyStatus ?? 0, url);
    if ((0,_codes_js__WEBPACK_IMPORTED_MODULE_3__/* .isTlsFailure */ .gt)(codes)) {
        return `The certificate of ${url.host} was not accepted. For a private authority set NODE_EXTRA_CA_CERTS in the step's env to its certificate file; checking is never switched off.`;
    }
    if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN')) {
        return `The name ${url.hostname} could not be resolved. Check ${service.addressSetting} and the runner's DNS; behind a proxy set HTTPS_PROXY.`;
    }
    return `Check ${service.addressSetting}, and that the runner reaches ${url.host}; behind a proxy set HTTPS_PROXY and NO_PROXY.`;
}
function proxyHint(status, url) {
    return status === 407
        ? 'The proxy asks for credentials: set HTTPS_PROXY to http://user:password@host:port from a secret.'
        : `The proxy in HTTPS_PROXY does not connect to ${url.host}: allow it there, or add the host to NO_PROXY.`;
}


/***/ }),

/***/ 8999:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ INPUTS),
/* harmony export */   p: () => (/* binding */ OUTPUTS)
/* harmony export */ });
// Generated from action.yml by `npm run build`. Do not edit.
/** Every input: the modes that take it, and its default. */
const INPUTS = {
    'mode': { modes: ['export', 'refresh', 'agent', 'search', 'doctor'], default: "" },
    'base-url': { modes: ['export', 'refresh', 'agent', 'search', 'doctor'], default: "" },
    'dry-run': { modes: ['export', 'refresh', 'agent', 'search', 'doctor'], default: "false" },
    'config-file': { modes: ['export', 'refresh', 'agent', 'search', 'doctor'], default: "" },
    'admin-api-key': { modes: ['export', 'refresh', 'agent'], default: "" },
    'assistant-api-key': { modes: ['search', 'agent'], default: "" },
    'timeout': { modes: ['export', 'agent'], default: "30m" },
    'on-timeout': { modes: ['export', 'agent'], default: "fail" },
    'domain': { modes: ['export', 'search', 'agent'], default: "" },
    'project-id': { modes: ['agent', 'export', 'refresh'], default: "" },
    'export-version': { modes: ['export'], default: "" },
    'export-paths': { modes: ['export'], default: "" },
    'base-path': { modes: ['export'], default: "" },
    'export-job-id': { modes: ['export', 'refresh'], default: "" },
    'to': { modes: ['export', 'refresh'], default: "" },
    'secret-name': { modes: ['export', 'refresh'], default: "" },
    'secret-scope': { modes: ['export', 'refresh'], default: "repository" },
    'secret-environment': { modes: ['export', 'refresh'], default: "" },
    'secret-repository': { modes: ['export', 'refresh'], default: "" },
    'secret-organization': { modes: ['export', 'refresh'], default: "" },
    'secret-visibility': { modes: ['export', 'refresh'], default: "" },
    'secret-selected-repositories': { modes: ['export', 'refresh'], default: "" },
    'secret-token': { modes: ['export', 'refresh'], default: "" },
    'forge-url': { modes: ['export', 'refresh'], default: "" },
    'bundle-path': { modes: ['export', 'refresh'], default: "" },
    'extract-to': { modes: ['export', 'refresh'], default: "" },
    'clean': { modes: ['export', 'refresh'], default: "false" },
    'verify': { modes: ['export', 'refresh'], default: "report" },
    'min-pages': { modes: ['export'], default: "1" },
    'allow-private-hosts': { modes: ['export', 'refresh'], default: "false" },
    'deployment-type': { modes: ['export', 'refresh'], default: "" },
    'refresh-before': { modes: ['refresh'], default: "24h" },
    'if-no-state': { modes: ['refresh'], default: "fail" },
    'github-token': { modes: ['agent'], default: "" },
    'agent-job-id': { modes: ['agent'], default: "" },
    'create-agent-job': { modes: ['agent'], default: "false" },
    'prompt': { modes: ['agent'], default: "" },
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
    'max-requests': { modes: ['search'], default: "500" },
    'wait-for-index': { modes: ['search'], default: "" },
};
/** Every output: the modes that write it. */
const OUTPUTS = {
    'status': ['export', 'refresh', 'agent', 'search', 'doctor'],
    'error-code': ['export', 'refresh', 'agent', 'search', 'doctor'],
    'report': ['export', 'refresh', 'agent', 'search', 'doctor'],
    'report-path': ['export', 'refresh', 'agent', 'search', 'doctor'],
    'job-id': ['export', 'refresh'],
    'page-count': ['export'],
    'bundle-bytes': ['export', 'refresh'],
    'expires-at': ['export', 'refresh'],
    'bundle-url': ['export', 'refresh'],
    'changed': ['refresh'],
    'places': ['export', 'refresh'],
    'secret-updated': ['export', 'refresh'],
    'bundle-path': ['export', 'refresh'],
    'bundle-sha256': ['export', 'refresh'],
    'manifest-path': ['export', 'refresh'],
    'checksum-path': ['export', 'refresh'],
    'site-path': ['export', 'refresh'],
    'verify-report': ['export', 'refresh'],
    'triggered': ['agent'],
    'agent-job-id': ['agent'],
    'agent-status': ['agent'],
    'pull-request-url': ['agent'],
    'comment-url': ['agent'],
    'results': ['search'],
    'result-count': ['search'],
    'passed-count': ['search'],
    'failed-count': ['search'],
};


/***/ }),

/***/ 743:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   $f: () => (/* binding */ BASE_PATH_CHOICES),
/* harmony export */   FN: () => (/* binding */ MODES),
/* harmony export */   Jj: () => (/* binding */ PERMISSIONS),
/* harmony export */   Vk: () => (/* binding */ CONTEXT_PARTS)
/* harmony export */ });
const MODES = ['export', 'refresh', 'agent', 'search', 'doctor'];
/** `/` for no prefix; the platform knows it as an empty text, which no input can say. */
const BASE_PATH_CHOICES = ['/', '/docs', '/documentation'];
const PERMISSIONS = ['read', 'triage', 'write', 'maintain', 'admin'];
const CONTEXT_PARTS = ['description', 'files', 'diff', 'comments'];


/***/ }),

/***/ 8158:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   AV: () => (/* binding */ apiToken),
/* harmony export */   Kz: () => (/* binding */ apiKey),
/* harmony export */   j2: () => (/* binding */ isKeyShaped)
/* harmony export */ });
/* harmony import */ var _parser_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(6845);

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
            return (0,_parser_js__WEBPACK_IMPORTED_MODULE_0__/* .reject */ .k)(`${wanted} alone; leave out ${excess}`);
        if (!/^[!-~]+$/.test(value))
            return (0,_parser_js__WEBPACK_IMPORTED_MODULE_0__/* .reject */ .k)(`${wanted}: one line of printable ASCII characters`);
        if (value.length < SHORTEST_KEY)
            return (0,_parser_js__WEBPACK_IMPORTED_MODULE_0__/* .reject */ .k)(`${wanted}: at least ${SHORTEST_KEY} characters`);
        if (ASSISTANT_KEY.test(value) === (kind === 'assistant'))
            return (0,_parser_js__WEBPACK_IMPORTED_MODULE_0__/* .accept */ .J)(value);
        return (0,_parser_js__WEBPACK_IMPORTED_MODULE_0__/* .reject */ .k)(`${wanted}; this one is ${kind === 'admin' ? 'an assistant key, which may not start jobs' : 'not: an admin key must not travel where public keys do'}`);
    };
}
/** A token for GitHub: opaque, but one line that a header can carry. */
const apiToken = (value) => {
    const excess = copiedExcess(value);
    if (excess !== undefined)
        return (0,_parser_js__WEBPACK_IMPORTED_MODULE_0__/* .reject */ .k)(`a token alone; leave out ${excess}`);
    if (/^[!-~]{8,4096}$/.test(value))
        return (0,_parser_js__WEBPACK_IMPORTED_MODULE_0__/* .accept */ .J)(value);
    return (0,_parser_js__WEBPACK_IMPORTED_MODULE_0__/* .reject */ .k)('a token: one line of at least 8 printable ASCII characters');
};


/***/ }),

/***/ 6845:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ accept),
/* harmony export */   k: () => (/* binding */ reject)
/* harmony export */ });
function accept(value) {
    return { ok: true, value };
}
function reject(allowed) {
    return { ok: false, allowed };
}


/***/ }),

/***/ 401:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   JR: () => (/* binding */ rawInput),
/* harmony export */   Qh: () => (/* binding */ INPUT_NAMES),
/* harmony export */   i_: () => (/* binding */ InputReader),
/* harmony export */   pH: () => (/* binding */ SECRET_INPUTS)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(9473);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(3699);
/* harmony import */ var _text_guess_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(4495);
/* harmony import */ var _catalog_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(8999);
/* harmony import */ var _keys_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(8158);





/** Inputs that hold a secret: masked before anything else is done, never shown in a message. */
const SECRET_INPUTS = ['admin-api-key', 'assistant-api-key', 'github-token', 'secret-token'];
const INPUT_NAMES = Object.keys(_catalog_js__WEBPACK_IMPORTED_MODULE_2__/* .INPUTS */ .m).filter((name) => name in _catalog_js__WEBPACK_IMPORTED_MODULE_2__/* .INPUTS */ .m);
function rawInput(source, name) {
    return source.value(name).trim();
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
    #hasEmpty = false;
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
        return raw !== '' && raw !== _catalog_js__WEBPACK_IMPORTED_MODULE_2__/* .INPUTS */ .m[name].default;
    }
    /** The value, or undefined where it is empty or wrong; a wrong one is a problem. An empty one falls back to the default. */
    optional(name, parser) {
        const raw = rawInput(this.#source, name) || _catalog_js__WEBPACK_IMPORTED_MODULE_2__/* .INPUTS */ .m[name].default;
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
        if (rawInput(this.#source, name) === '' && _catalog_js__WEBPACK_IMPORTED_MODULE_2__/* .INPUTS */ .m[name].default === '') {
            this.#reportEmpty(name, why);
            return undefined;
        }
        return this.optional(name, parser);
    }
    #reportEmpty(name, why) {
        const isFromSettings = FROM_SETTINGS.has(name);
        this.#hasEmpty ||= isFromSettings;
        this.problem(`${name} is ${isFromSettings ? 'empty' : 'missing'}${why}`);
    }
    /** A misspelled input is as wrong as a misspelled mode: what it was to do would not happen. */
    refuseUnknown() {
        for (const name of this.#source.unknownNames()) {
            const meant = (0,_text_guess_js__WEBPACK_IMPORTED_MODULE_3__/* .guess */ .I)(name, INPUT_NAMES);
            const advice = meant === undefined ? 'remove it' : `did you mean ${meant}?`;
            this.problem(`There is no input "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(name, 60)}"; ${advice}`);
        }
    }
    /** The value of an input does not fit. It is shown unless it is a secret. */
    reject(name, allowed) {
        const raw = rawInput(this.#source, name);
        // Also where two inputs were mixed up, and a key was given for one that is shown.
        const isSecret = SECRET_INPUTS.some((secret) => secret === name) || (0,_keys_js__WEBPACK_IMPORTED_MODULE_4__/* .isKeyShaped */ .j2)(raw);
        const shown = isSecret ? 'the value' : `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(raw, 100)}"`;
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
    #emptyAdvice() {
        if (!this.#hasEmpty || this.#emptyCauses.length === 0)
            return '';
        return ` A secret or variable that the step names is empty in this run where ${this.#emptyCauses.join('; or ')}.`;
    }
    /** All problems as one error. */
    failure() {
        const count = this.#problems.length;
        return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
            code: 'config',
            message: [
                count === 1 ? 'An input is wrong:' : `${count} inputs are wrong:`,
                ...this.#problems.slice(0, MAX_PROBLEMS).map((text) => `- ${text}`),
                ...(count > MAX_PROBLEMS ? [`- and ${count - MAX_PROBLEMS} more`] : []),
            ].join('\n'),
            hint: `Correct the inputs of the step; nothing was sent.${this.#emptyAdvice()}`,
        });
    }
}


/***/ }),

/***/ 6650:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   hM: () => (/* binding */ createLog)
/* harmony export */ });
/* unused harmony exports MAX_ANNOTATIONS, MAX_INFO_LINES */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(7598);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(3699);
/* harmony import */ var _text_excerpt_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(6167);
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(4211);




/** The runner shows ten annotations of a kind per step; more would only hide these. */
const MAX_ANNOTATIONS = 10;
const MAX_INFO_LINES = 500;
function createLog(toolkit) {
    return new CiLog(toolkit);
}
class CiLog {
    #toolkit;
    #secrets = new Set();
    #redact = (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_3__/* .createRedact */ .ay)([]);
    #annotations = 0;
    #lines = 0;
    constructor(toolkit) {
        this.#toolkit = toolkit;
    }
    info(message) {
        this.#print(message);
    }
    debug(message) {
        this.#toolkit.debug(this.#oneLine(message, 1000));
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
        if (secret.length < _text_redact_js__WEBPACK_IMPORTED_MODULE_3__/* .SHORTEST_SECRET */ .c3 || this.#secrets.has(secret))
            return;
        this.#secrets.add(secret);
        for (const form of (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_3__/* .secretForms */ .eo)(secret))
            if (!/[\r\n]/.test(form))
                this.#toolkit.setSecret(form);
        this.#redact = (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_3__/* .createRedact */ .ay)([...this.#secrets]);
    }
    // A property: callers pass it on as a function, without the log.
    redact = (text) => this.#redact(text);
    #print(text) {
        for (const line of this.#inert(text)) {
            this.#lines += 1;
            if (this.#lines < MAX_INFO_LINES)
                this.#toolkit.info(line);
            else if (this.#lines === MAX_INFO_LINES)
                this.#toolkit.info('Further lines are left out.');
        }
    }
    #annotate(level, message, place) {
        this.#annotations += 1;
        // Beyond the limits an error is still shown, since it is why the run failed.
        if (this.#annotations <= MAX_ANNOTATIONS)
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
        return this.#inert((0,_text_excerpt_js__WEBPACK_IMPORTED_MODULE_2__/* .excerpt */ .K)(text, { redact: this.#redact, max })).join(' ');
    }
}


/***/ }),

/***/ 3687:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  i: () => (/* binding */ main)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __nccwpck_require__(9473);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __nccwpck_require__(1455);
;// CONCATENATED MODULE: ./build/github/connection.js


function createGitHub(init) {
    const { run, clock, log, signal, http } = init;
    let payload;
    const event = () => {
        payload ??= readEvent(run.eventPath);
        return payload;
    };
    return {
        run,
        event,
        async connect(token, ownSignal = signal) {
            // Octokit's package parses the event file when it is loaded, and dies without a word about it: look first.
            await event();
            const { createOctokit } = await Promise.all(/* import() */[__nccwpck_require__.e(395), __nccwpck_require__.e(863)]).then(__nccwpck_require__.bind(__nccwpck_require__, 1863));
            return createOctokit({ token, apiUrl: run.apiUrl, clock, log, signal: ownSignal, http });
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

// EXTERNAL MODULE: ./build/http/http.js + 2 modules
var http_http = __nccwpck_require__(5226);
// EXTERNAL MODULE: ./build/text/guess.js
var guess = __nccwpck_require__(4495);
// EXTERNAL MODULE: ./build/inputs/catalog.js
var catalog = __nccwpck_require__(8999);
// EXTERNAL MODULE: ./build/inputs/inputs.js
var inputs_inputs = __nccwpck_require__(743);
// EXTERNAL MODULE: ./build/inputs/keys.js
var keys = __nccwpck_require__(8158);
// EXTERNAL MODULE: ./build/inputs/parser.js
var inputs_parser = __nccwpck_require__(6845);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(6760);
;// CONCATENATED MODULE: external "node:url"
const external_node_url_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:url");
// EXTERNAL MODULE: ./build/http/loopback.js
var loopback = __nccwpck_require__(356);
// EXTERNAL MODULE: ./build/store/address.js
var store_address = __nccwpck_require__(2554);
// EXTERNAL MODULE: ./build/text/path-id.js
var path_id = __nccwpck_require__(2761);
;// CONCATENATED MODULE: ./build/inputs/values.js
/** From the text of an input to its value. A parser gives the value, or says what is allowed; it never throws. */








const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 };
/** `90s`, `30m`, `2h`, in milliseconds. */
const duration = (text) => {
    const match = /^(\d{1,6})([smh])$/.exec(text);
    const unitMs = UNIT_MS[match?.[2] ?? ''];
    if (unitMs !== undefined)
        return (0,inputs_parser/* accept */.J)(Number(match?.[1]) * unitMs);
    const meant = suggestDuration(text);
    return (0,inputs_parser/* reject */.k)(`a duration${meant === undefined ? ' such as 90s, 30m or 2h' : `; write ${meant}`}`);
};
/** `30` and `30 minutes` as `30m`: minutes are what a bare number means in a workflow (`timeout-minutes`). */
function suggestDuration(text) {
    const match = /^(\d{1,6})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|)$/i.exec(text);
    return match === null ? undefined : `${match[1]}${(match[2] ?? '').charAt(0).toLowerCase() || 'm'}`;
}
const UNIT_BYTES = { B: 1, KiB: 1024, MiB: 1024 ** 2 };
/** `48KiB`, in bytes, within the given bounds. */
function size({ min, max }) {
    return (text) => {
        const match = /^(\d{1,9})(B|KiB|MiB)$/.exec(text);
        const bytes = Number(match?.[1]) * (UNIT_BYTES[match?.[2] ?? ''] ?? Number.NaN);
        return bytes >= min && bytes <= max
            ? (0,inputs_parser/* accept */.J)(bytes)
            : (0,inputs_parser/* reject */.k)(`a size such as 48KiB, ${min / 1024}KiB to ${max / 1024}KiB`);
    };
}
/** The YAML 1.2 core set, as the toolkit's getBooleanInput takes it. */
const values_boolean = (text) => {
    if (['true', 'True', 'TRUE'].includes(text))
        return (0,inputs_parser/* accept */.J)(true);
    return ['false', 'False', 'FALSE'].includes(text) ? (0,inputs_parser/* accept */.J)(false) : (0,inputs_parser/* reject */.k)('true or false');
};
/** Decimal digits only: no sign, exponent, hexadecimal or white space. */
function integer({ min, max }) {
    return (text) => {
        const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
        return value >= min && value <= max ? (0,inputs_parser/* accept */.J)(value) : (0,inputs_parser/* reject */.k)(`a whole number, ${min} to ${max}`);
    };
}
function decimal({ min, max }) {
    return (text) => {
        const value = /^\d{1,3}(\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;
        return value >= min && value <= max ? (0,inputs_parser/* accept */.J)(value) : (0,inputs_parser/* reject */.k)(`a number, ${min} to ${max}`);
    };
}
function oneOf(values) {
    return (text) => {
        const value = values.find((candidate) => candidate === text);
        if (value !== undefined)
            return (0,inputs_parser/* accept */.J)(value);
        const meant = (0,guess/* guess */.I)(text, values);
        return (0,inputs_parser/* reject */.k)(`${values.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`);
    };
}
const values_text = (value) => (0,inputs_parser/* accept */.J)(value);
/** One line without control characters, at most 255 characters. */
const line = (value) => /^[^\p{Cc}\p{Zl}\p{Zp}]{1,255}$/u.test(value) ? (0,inputs_parser/* accept */.J)(value) : (0,inputs_parser/* reject */.k)('one line of at most 255 characters');
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
            return (0,inputs_parser/* reject */.k)(`a list, each entry ${fault.allowed}`);
        return (0,inputs_parser/* accept */.J)(parsed.flatMap((entry) => (entry.ok ? [entry.value] : [])));
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
            return (0,inputs_parser/* reject */.k)(`one entry a line, each ${fault.allowed}`);
        return (0,inputs_parser/* accept */.J)(parsed.flatMap((entry) => (entry.ok ? [entry.value] : [])));
    };
}
/** A page of a site as the platform names it: `guides/getting-started`. */
const pagePath = (value) => {
    const parts = value.split('/');
    const isPath = /^[^\s\p{Cc}?#\\]{1,1000}$/u.test(value) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
    if (isPath && !value.includes('://'))
        return (0,inputs_parser/* accept */.J)(value);
    const plain = value.replace(/^\/+|\/+$/g, '');
    const hint = plain !== value && !/\s|:\/\//.test(plain) && plain !== '' ? `; write ${plain}` : '';
    return (0,inputs_parser/* reject */.k)(`a page path without a leading slash, such as guides/getting-started${hint}`);
};
/** An id that goes into a path of the platform. */
const pathId = (value) => (0,path_id/* isPathId */.J)(value) ? (0,inputs_parser/* accept */.J)(value) : (0,inputs_parser/* reject */.k)('an id of 1 to 128 letters, digits, dots, underscores, tildes or hyphens');
/** https with a host, or http to a loopback host; a path prefix stays, a trailing slash goes. */
const values_baseUrl = (value) => {
    const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined)
        return (0,inputs_parser/* reject */.k)('an https address such as https://api.docs.example.com');
    if (url.username !== '' || url.password !== '')
        return (0,inputs_parser/* reject */.k)('an address without user name and password');
    if (/[?#]/.test(value))
        return (0,inputs_parser/* reject */.k)('an address without query and fragment');
    const excess = /\/(v\d+|discovery)(\/.*)?$/.exec(url.pathname)?.[0];
    if (excess !== undefined)
        return (0,inputs_parser/* reject */.k)(`the address that all paths of the API begin with; leave out ${excess}`);
    if (/^(dashboard|app|admin|console)\./.test(url.hostname)) {
        return (0,inputs_parser/* reject */.k)("the address of the API, not of the dashboard; the dashboard's API keys page shows it");
    }
    if (url.protocol === 'http:' && !(0,loopback/* isLoopback */.U)(url.hostname))
        return (0,inputs_parser/* reject */.k)('https (http is for a loopback host only)');
    return (0,inputs_parser/* accept */.J)(url.href.replace(/\/+$/, ''));
};
/** The address of a server that is not the platform: https, or http to a loopback host; a path prefix stays. */
const serverUrl = (value) => {
    const url = /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined)
        return (0,inputs_parser/* reject */.k)('an https address such as https://gitlab.example.com');
    if (url.username !== '' || url.password !== '')
        return (0,inputs_parser/* reject */.k)('an address without user name and password');
    if (/[?#]/.test(value))
        return (0,inputs_parser/* reject */.k)('an address without query and fragment');
    const excess = /\/api\/v\d+\/*$/.exec(url.pathname)?.[0];
    if (excess !== undefined)
        return (0,inputs_parser/* reject */.k)(`the address of the server itself; leave out ${excess}`);
    if (url.protocol === 'http:' && !(0,loopback/* isLoopback */.U)(url.hostname))
        return (0,inputs_parser/* reject */.k)('https (http is for a loopback host only)');
    return (0,inputs_parser/* accept */.J)(url.href.replace(/\/+$/, ''));
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
        return (0,inputs_parser/* accept */.J)(host);
    const suggestion = suggestHost(value);
    return (0,inputs_parser/* reject */.k)(`a host name${suggestion === undefined ? ' such as docs.example.com' : `; write ${suggestion}`}`);
};
/** The identifier that search wants: the leading label, not the host name. */
const siteId = (value) => {
    if ((0,path_id/* isPathId */.J)(value) && !value.includes('.'))
        return (0,inputs_parser/* accept */.J)(value);
    const label = suggestHost(value)?.split('.')[0];
    return (0,inputs_parser/* reject */.k)(`the site's identifier without a dot${label === undefined ? ', such as acme' : `; write ${label}`}`);
};
/** `owner/name`. GitHub's own rules for both halves. */
const repository = (value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/.test(value)
    ? (0,inputs_parser/* accept */.J)(value)
    : (0,inputs_parser/* reject */.k)('owner/name');
const login = (value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(value) ? (0,inputs_parser/* accept */.J)(value) : (0,inputs_parser/* reject */.k)('the login of an account');
const botLogin = (value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$/.test(value)
    ? (0,inputs_parser/* accept */.J)(value)
    : (0,inputs_parser/* reject */.k)('the login of a bot, such as my-app[bot]');
/** A repository for an organization secret: its id, its name, or `owner/name`. */
const repositoryOrId = (value) => /^(\d{1,15}|([A-Za-z0-9][A-Za-z0-9_-]{0,99}\/)?(?!\.{1,2}$)[A-Za-z0-9._-]{1,100})$/.test(value)
    ? (0,inputs_parser/* accept */.J)(value)
    : (0,inputs_parser/* reject */.k)('a repository name or id');
/** GitHub's rules for names of secrets and variables: https://docs.github.com/actions/reference/security/secrets. */
const secretName = (value) => {
    if ((0,store_address/* isSettingName */.s9)(value))
        return (0,inputs_parser/* accept */.J)(value);
    const upper = value.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
    const suggestion = /^[A-Z_]/.test(upper) && !upper.startsWith('GITHUB_') && upper !== value && !(0,keys/* isKeyShaped */.j2)(value)
        ? `; write ${upper.slice(0, 200)}`
        : '';
    return (0,inputs_parser/* reject */.k)(`capital letters, digits and underscores, not beginning with a digit or GITHUB_${suggestion}`);
};
/** The word that a comment starts with. Printable ASCII, so that nothing that only looks like it can be one. */
const commandWord = (value) => /^[!-~]{2,50}$/.test(value)
    ? (0,inputs_parser/* accept */.J)(value)
    : (0,inputs_parser/* reject */.k)('one word of 2 to 50 printable ASCII characters, such as /docs-agent');
/** An absolute path; a relative one is taken from the workspace. Whether it may be used is checked where it is. */
function pathBelow(workspace) {
    return (value) => (value.includes('\0') ? (0,inputs_parser/* reject */.k)('a path') : (0,inputs_parser/* accept */.J)((0,external_node_path_.resolve)(workspace, value)));
}

;// CONCATENATED MODULE: ./build/inputs/read-bundle.js

function readBundle(reader, place) {
    const path = pathBelow(place.workspace);
    const bundle = {
        bundlePath: reader.optional('bundle-path', path),
        extractTo: reader.optional('extract-to', path),
        clean: reader.required('clean', values_boolean) ?? false,
        verify: reader.required('verify', oneOf(['off', 'report', 'strict'])) ?? 'report',
        allowPrivateHosts: reader.required('allow-private-hosts', values_boolean) ?? false,
    };
    if (!reader.isGiven('extract-to')) {
        reader.forbid(['verify'], 'is read only together with extract-to');
        if (!reader.isGiven('bundle-path'))
            reader.forbid(['clean'], 'is read only together with extract-to or bundle-path');
    }
    return bundle;
}

// EXTERNAL MODULE: ./build/inputs/reader.js
var inputs_reader = __nccwpck_require__(401);
;// CONCATENATED MODULE: ./build/inputs/read-doctor.js




const WORK_MODES = ['export', 'refresh', 'agent', 'search'];
/** Inputs by which an export or a refresh hands its link over. */
const DELIVERY = [
    'to',
    'secret-name',
    'bundle-path',
    'extract-to',
    'export-job-id',
];
/** The inputs of `mode: doctor`: those of the modes that the given inputs belong to. Never throws for a wrong one. */
function readDoctor(source, readMode) {
    const reader = new inputs_reader/* InputReader */.i_(source, []);
    reader.refuseUnknown();
    const checked = modesOf(reader);
    const read = checked.map((mode) => readMode(mode));
    const inputs = read.map((one) => one.inputs).filter((one) => one !== undefined);
    const baseUrl = reader.required('base-url', values_baseUrl);
    const adminApiKey = reader.optional('admin-api-key', (0,keys/* apiKey */.Kz)('admin'));
    const assistantApiKey = reader.optional('assistant-api-key', (0,keys/* apiKey */.Kz)('assistant'));
    const githubToken = reader.optional('github-token', keys/* apiToken */.AV);
    return {
        mode: 'doctor',
        baseUrl,
        adminApiKey,
        assistantApiKey,
        githubToken,
        checked,
        export: inputs.find((one) => one.mode === 'export'),
        refresh: inputs.find((one) => one.mode === 'refresh'),
        agent: inputs.find((one) => one.mode === 'agent'),
        search: inputs.find((one) => one.mode === 'search'),
        problems: [...new Set([...reader.problems, ...read.flatMap(({ problems }) => problems)])],
    };
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

;// CONCATENATED MODULE: ./build/store/parse-address.js


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
        return reject(`an address such as github:secret/NAME; the kinds are ${store_address/* SCHEMES */.dz.join(', ')}`);
    const known = store_address/* SCHEMES */.dz.find((candidate) => candidate === scheme);
    if (known === undefined) {
        const meant = (0,guess/* guess */.I)(scheme.toLowerCase(), store_address/* SCHEMES */.dz);
        const hint = meant === undefined ? '' : `; did you mean ${meant}:?`;
        return reject(`an address of a kind that is known: ${store_address/* SCHEMES */.dz.join(', ')}${hint}`);
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
/** Percent-decoded; undefined where that gives no text, or one that could lead to another place. */
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
    return (0,store_address/* isSettingName */.s9)(address.name) ? accept(address) : reject(`${GITHUB_FORMS}; ${NAME_RULE}`);
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
    if (!isOwner(owner) || !(0,store_address/* isSettingName */.s9)(name) || isReserved)
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
    if (name === undefined || !/^(\/[A-Za-z0-9_.-]+){1,15}$/.test(name)) {
        return reject('aws-ssm:/PATH, the full name of a parameter');
    }
    return accept({ scheme: 'aws-ssm', name });
}
function parseFile(rest) {
    const refused = reject('file:PATH, a path on this machine; a % in it is written %25');
    const path = decodePart(rest.replace(/^\/\/(?=\/)/, ''));
    if (path === undefined || path.startsWith('//') || /[/\\]$/.test(path))
        return refused;
    return accept({ scheme: 'file', path });
}

// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __nccwpck_require__(3699);
;// CONCATENATED MODULE: ./build/text/words.js
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

;// CONCATENATED MODULE: ./build/inputs/read-places.js








// They describe the place that secret-name names; an address in `to` says all of it by itself.
const SECRET_PLACE = [
    'secret-scope',
    'secret-environment',
    'secret-repository',
    'secret-organization',
];
const ORGANIZATION_ACCESS = ['secret-visibility', 'secret-selected-repositories'];
const MAX_PLACES = 50;
/** The places of the link, of `to` and of `secret-name`; undefined where none is asked for. */
function readPlaces(reader, place) {
    const places = [...readSecret(reader, place), ...readTo(reader), ...readCommand(reader, place)];
    const given = places.map((address) => shortest(address, place));
    const addresses = withoutDoubles(reader, given);
    const credentials = readCredentials(reader, addresses.map(plainPlace));
    return addresses.length === 0 ? undefined : { addresses, credentials };
}
/** The address that `secret-name` and its inputs describe: on the forge that the run takes place on. */
function readSecret(reader, place) {
    if (!reader.isGiven('secret-name')) {
        reader.forbid(SECRET_PLACE, 'is read only together with secret-name');
        return [];
    }
    const name = reader.required('secret-name', secretName);
    const scope = reader.required('secret-scope', oneOf(['repository', 'environment', 'organization']));
    const address = scope && readScope(reader, place, { scope, name: name ?? '' });
    if (name === undefined || address === undefined)
        return [];
    return place.forge === 'gitea' ? readGiteaSecret(reader, address, place) : [address];
}
function readGiteaSecret(reader, { name, ...address }, place) {
    if (address.scope === 'environment') {
        reader.problem('secret-scope: environment is not allowed here: Gitea and Forgejo have no secrets of environments');
        return [];
    }
    const isOrganization = address.scope === 'organization';
    const owner = isOrganization ? `org/${address.organization}` : `repo/${address.repository ?? place.repository}`;
    const parsed = parseAddress(`gitea:${owner}/${name}`);
    if (parsed.ok && parsed.value.scheme === 'gitea')
        return [parsed.value];
    reader.problem(`secret-name: "${name}" is not allowed; Gitea reserves CI and what begins with GITEA_, FORGEJO_ or GITHUB_`);
    return [];
}
/** True where the link is to be written anywhere. */
function asksForPlaces(reader) {
    return reader.isGiven('secret-name') || reader.isGiven('to') || reader.option('to-command') !== '';
}
/** The program of `--to-command`, which only the command line has, with the place of `--state` for what belongs to the link. */
function readCommand(reader, place) {
    const [command, state] = [reader.option('to-command'), reader.option('state')];
    if (command === '') {
        if (state !== '')
            reader.problem('state is read only together with to-command');
        return [];
    }
    const words = splitWords(command);
    if (words === undefined)
        reader.problem('to-command has a quote that is not closed');
    if (state === '') {
        reader.problem('state is missing: it names where the state of to-command is kept, such as file:docs-link');
        return [];
    }
    const parsed = parseAddress(state);
    if (parsed.ok && words !== undefined)
        return [{ scheme: 'command', words, state: shortestPlain(parsed.value, place) }];
    if (!parsed.ok)
        reader.problem(`state: ${shown(state, parsed)} is not allowed; it must be ${parsed.allowed}`);
    return [];
}
function readScope(reader, place, { scope, name }) {
    const scheme = 'github';
    switch (scope) {
        case 'repository':
            reader.forbid(['secret-environment', 'secret-organization'], 'does not fit secret-scope: repository');
            return { scheme, name, scope, repository: readRepository(reader, place) };
        case 'environment': {
            reader.forbid(['secret-organization'], 'does not fit secret-scope: environment');
            const repository = readRepository(reader, place);
            const environment = reader.required('secret-environment', line, ': secret-scope is environment');
            return environment === undefined ? undefined : { scheme, name, scope, repository, environment };
        }
        case 'organization': {
            reader.forbid(['secret-environment', 'secret-repository'], 'does not fit secret-scope: organization');
            const organization = reader.required('secret-organization', login, ': secret-scope is organization');
            return organization === undefined ? undefined : { scheme, name, scope, organization };
        }
    }
}
function readRepository(reader, place) {
    return reader.optional('secret-repository', repository) ?? place.repository;
}
/** One address a line. Each wrong one is a problem of its own. */
function readTo(reader) {
    const lines = (reader.optional('to', (text) => (0,inputs_parser/* accept */.J)(text)) ?? '')
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== '');
    if (lines.length > MAX_PLACES) {
        reader.problem(`to has ${lines.length} places; the maximum is ${MAX_PLACES}`);
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
    return !ok && !(0,keys/* isKeyShaped */.j2)(line) && !/[@=]/.test(line) ? `"${(0,text_escape/* plainLine */.h0)(line, 100)}"` : 'one of its lines';
}
/** Without what the current repository and the workspace say anyway. */
function shortest(address, place) {
    return address.scheme === 'command' ? address : shortestPlain(address, place);
}
function shortestPlain(address, { repository, workspace }) {
    if (address.scheme === 'file')
        return { scheme: 'file', path: (0,external_node_path_.resolve)(workspace, address.path) };
    if (address.scheme !== 'github' || address.scope === 'organization')
        return address;
    const isCurrent = address.repository?.toLowerCase() === repository.toLowerCase();
    return isCurrent ? { ...address, repository: undefined } : address;
}
/** The place itself; of a command, the one of its state. */
function plainPlace(address) {
    return address.scheme === 'command' ? address.state : address;
}
function withoutDoubles(reader, addresses) {
    const seen = new Map();
    for (const address of addresses.map(plainPlace)) {
        const text = (0,store_address/* formatAddress */.M0)(address);
        // The state of a file is a file of its own, which must not be another link.
        for (const key of [text, ...(address.scheme === 'file' ? [`${text}.state.json`] : [])].map((key) => keyOf(address, key))) {
            const former = seen.get(key);
            if (former !== undefined) {
                reader.problem(former === text
                    ? `${text} is named twice as a place of the link; name it once`
                    : `${text} and ${former} are the same place; name it once`);
            }
            seen.set(key, text);
        }
    }
    return addresses;
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
    const secretToken = isAsked ? reader.required('secret-token', keys/* apiToken */.AV, why) : undefined;
    const isElsewhere = addresses.some(({ scheme }) => scheme === 'gitea' || scheme === 'gitlab');
    if (!isElsewhere)
        reader.forbid(['forge-url'], 'is read only together with a gitea: or gitlab: address in to');
    return {
        secretToken,
        workflowToken: reader.optional('github-token', keys/* apiToken */.AV),
        forgeUrl: isElsewhere ? reader.optional('forge-url', serverUrl) : undefined,
        ...readAccess(reader, addresses),
    };
}
function readAccess(reader, addresses) {
    const isOrganization = addresses.some((address) => address.scheme === 'github' && address.scope === 'organization');
    // Where the secret itself is wrong, only that is reported.
    const isUnclear = reader.isGiven('secret-name') && addresses.length === 0;
    if (!isOrganization && !isUnclear)
        reader.forbid(ORGANIZATION_ACCESS, 'is read only for a secret of an organization');
    const visibility = reader.optional('secret-visibility', oneOf(['all', 'private', 'selected']));
    const selectedRepositories = reader.optional('secret-selected-repositories', list(repositoryOrId));
    if (isOrganization && selectedRepositories !== undefined && visibility !== 'selected') {
        reader.problem('secret-selected-repositories is read only with secret-visibility: selected');
    }
    return { visibility, selectedRepositories };
}

;// CONCATENATED MODULE: ./build/inputs/read-export.js



const START_OPTIONS = ['export-version', 'export-paths', 'base-path'];
/** What to export. Each option is refused where nothing would read it: the user would wait for what never comes. */
function readExportChoice(reader) {
    const choice = {
        domain: readDomain(reader),
        projectId: reader.optional('project-id', pathId),
        exportVersion: reader.optional('export-version', line),
        exportPaths: reader.optional('export-paths', lines(pagePath)),
        basePath: reader.optional('base-path', oneOf(inputs_inputs/* BASE_PATH_CHOICES */.$f)),
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
    if (reader.isGiven('project-id') || (attached && !asksForPlaces(reader))) {
        return reader.optional('domain', hostName);
    }
    const why = attached
        ? ': the state next to the secret names the site'
        : ' (or give project-id, to export by project)';
    return reader.required('domain', hostName, why);
}

;// CONCATENATED MODULE: ./build/inputs/read.js











/** The mode alone, where it is readable: it decides how a failure of the rest is presented. */
function readMode(source) {
    const parsed = oneOf(inputs_inputs/* MODES */.FN)((0,inputs_reader/* rawInput */.JR)(source, 'mode'));
    return parsed.ok ? parsed.value : undefined;
}
/**
 * The inputs, or one `config` error that names everything that is wrong. Sends and opens nothing. `emptyCauses` says why an
 * input that comes from a secret or a variable may be empty in this run.
 */
function readInputs(source, place, emptyCauses = []) {
    const reader = new inputs_reader/* InputReader */.i_(source, emptyCauses);
    const mode = reader.required('mode', oneOf(inputs_inputs/* MODES */.FN), `; it must be ${inputs_inputs/* MODES */.FN.join(', ')}`);
    // The rest is checked as for the mode that was probably meant, so that all mistakes show at once.
    const similar = (0,guess/* guess */.I)((0,inputs_reader/* rawInput */.JR)(source, 'mode'), inputs_inputs/* MODES */.FN);
    const meant = mode ?? inputs_inputs/* MODES */.FN.find((name) => name === similar);
    if (meant === undefined) {
        reader.refuseUnknown();
        readCommon(reader);
        throw reader.failure();
    }
    if (meant === 'doctor') {
        if (mode === undefined)
            throw reader.failure();
        return readDoctor(source, (work) => {
            const own = new inputs_reader/* InputReader */.i_(source, emptyCauses);
            return { inputs: readModeInputs({ mode: work, reader: own, place }), problems: own.problems };
        });
    }
    reader.refuseUnknown();
    for (const name of inputs_reader/* INPUT_NAMES */.Qh) {
        const modes = catalog/* INPUTS */.m[name].modes;
        if (name !== 'github-token' && !modes.includes(meant) && reader.isGiven(name)) {
            reader.problem(`${name} belongs to mode ${modes.join(', ')}, not to ${meant}; remove it`);
        }
    }
    const inputs = readModeInputs({ mode: meant, reader, place });
    if (inputs === undefined || reader.failed)
        throw reader.failure();
    return inputs;
}
function readModeInputs(reading) {
    const common = readCommon(reading.reader);
    switch (reading.mode) {
        case 'export':
            return readExport(reading, common);
        case 'refresh':
            return readRefresh(reading, common);
        case 'agent':
            return readAgent(reading, common);
        case 'search':
            return readSearch(reading, common);
    }
}
function readCommon(reader) {
    const baseUrl = reader.required('base-url', values_baseUrl);
    const dryRun = reader.required('dry-run', values_boolean);
    return { baseUrl: baseUrl ?? '', dryRun: dryRun ?? false };
}
// Each of the readers below goes through all of its inputs before it gives up: every fault is to be reported.
function readFollow(reader) {
    const timeoutMs = reader.required('timeout', duration) ?? 0;
    const onTimeout = reader.required('on-timeout', oneOf(['fail', 'detach'])) ?? 'fail';
    return { timeoutMs, onTimeout };
}
function readLink({ reader, place }) {
    const adminApiKey = reader.required('admin-api-key', (0,keys/* apiKey */.Kz)('admin'));
    const exportJobId = reader.optional('export-job-id', pathId);
    const deploymentType = reader.optional('deployment-type', oneOf(['cloud', 'client-hosted', 'air-gapped']));
    return {
        adminApiKey,
        exportJobId,
        deploymentType,
        to: readPlaces(reader, place),
        bundle: readBundle(reader, place),
    };
}
const MAX_PAGES = 1_000_000;
function readExport(reading, common) {
    const { reader } = reading;
    const link = readLink(reading);
    const choice = readExportChoice(reader);
    const follow = readFollow(reader);
    const minPages = reader.required('min-pages', integer({ min: 0, max: MAX_PAGES }));
    if (link.adminApiKey === undefined || minPages === undefined)
        return undefined;
    return { mode: 'export', ...common, ...link, adminApiKey: link.adminApiKey, ...follow, ...choice, minPages };
}
function readRefresh(reading, common) {
    const { reader } = reading;
    const link = readLink(reading);
    const projectId = reader.optional('project-id', pathId);
    const refreshBeforeMs = reader.required('refresh-before', duration);
    const ifNoState = reader.required('if-no-state', oneOf(['fail', 'skip'])) ?? 'fail';
    if (!asksForPlaces(reader) && !reader.isGiven('export-job-id')) {
        reader.problem('secret-name is missing: it names the secret whose link is to be kept fresh (or give another place in to, or export-job-id)');
    }
    if (link.adminApiKey === undefined || refreshBeforeMs === undefined)
        return undefined;
    return { mode: 'refresh', ...common, ...link, adminApiKey: link.adminApiKey, projectId, refreshBeforeMs, ifNoState };
}
const CONTEXT_LIMIT = { min: 4 * 1024, max: 1024 * 1024 };
function readAgent({ reader, place }, common) {
    const adminApiKey = reader.required('admin-api-key', (0,keys/* apiKey */.Kz)('admin'));
    const githubToken = reader.required('github-token', keys/* apiToken */.AV);
    const projectId = reader.required('project-id', pathId);
    const repositories = reader.optional('agent-repositories', list(repository)) ?? [];
    const agent = {
        ...readFollow(reader),
        agentJobId: reader.optional('agent-job-id', pathId),
        createAgentJob: reader.required('create-agent-job', values_boolean) ?? false,
        prompt: reader.optional('prompt', values_text),
        command: reader.required('command', commandWord) ?? '',
        pullRequest: reader.optional('pull-request', integer({ min: 1, max: 2 ** 31 - 1 })),
        requiredPermission: reader.required('required-permission', oneOf(inputs_inputs/* PERMISSIONS */.Jj)) ?? 'admin',
        allowedBots: reader.optional('allowed-bots', list(botLogin)) ?? [],
        allowOutsideText: reader.required('allow-outside-text', values_boolean) ?? false,
        agentRepositories: repositories.filter((name) => name.toLowerCase() !== place.repository.toLowerCase()),
        context: readContext(reader),
        contextLimitBytes: reader.required('context-limit', size(CONTEXT_LIMIT)) ?? 0,
        relatedDocs: readRelatedDocs(reader),
        wait: reader.required('wait', values_boolean) ?? true,
        statusComment: reader.required('status-comment', values_boolean) ?? true,
    };
    if (adminApiKey === undefined || githubToken === undefined || projectId === undefined)
        return undefined;
    return { mode: 'agent', ...common, ...agent, adminApiKey, githubToken, projectId };
}
function readContext(reader) {
    return (reader.required('context', (text) => text === 'none' ? (0,inputs_parser/* accept */.J)([]) : list(oneOf(inputs_inputs/* CONTEXT_PARTS */.Vk))(text)) ?? []);
}
function readRelatedDocs(reader) {
    const count = reader.required('related-docs', integer({ min: 0, max: 10 })) ?? 0;
    if (count === 0) {
        reader.forbid(['domain', 'assistant-api-key'], 'is read in agent mode only with related-docs');
        return undefined;
    }
    const domain = reader.required('domain', siteId, ': related-docs searches this site');
    const assistantApiKey = reader.required('assistant-api-key', (0,keys/* apiKey */.Kz)('assistant'), ': related-docs searches with it');
    return domain === undefined || assistantApiKey === undefined ? undefined : { count, domain, assistantApiKey };
}
const MAX_REQUESTS = 100_000;
function readSearch({ reader, place }, common) {
    const assistantApiKey = reader.required('assistant-api-key', (0,keys/* apiKey */.Kz)('assistant'));
    const domain = reader.required('domain', siteId);
    const search = {
        query: reader.optional('query', values_text),
        queriesFile: reader.optional('queries-file', pathBelow(place.workspace)),
        pageSize: reader.optional('page-size', integer({ min: 1, max: 50 })),
        scoreThreshold: reader.optional('score-threshold', decimal({ min: 0, max: 1 })),
        filter: {
            version: reader.optional('filter-version', line),
            language: reader.optional('filter-language', line),
            tag: reader.optional('filter-tag', line),
            groups: reader.optional('filter-groups', lines(line)),
        },
        minResults: reader.required('min-results', integer({ min: 0, max: 50 })) ?? 0,
        baselineFile: reader.optional('baseline-file', pathBelow(place.workspace)),
        maxRequests: reader.required('max-requests', integer({ min: 1, max: MAX_REQUESTS })) ?? 0,
        waitForIndexMs: reader.optional('wait-for-index', duration),
    };
    if (reader.isGiven('query') === reader.isGiven('queries-file')) {
        reader.problem(reader.isGiven('query')
            ? 'query and queries-file exclude each other; give one of them'
            : 'query or queries-file is missing');
    }
    if (assistantApiKey === undefined || domain === undefined)
        return undefined;
    return { mode: 'search', ...common, ...search, assistantApiKey, domain };
}

// EXTERNAL MODULE: ./build/modes/finish.js
var finish = __nccwpck_require__(9376);
;// CONCATENATED MODULE: ./build/modes/table.js
/** Every mode, loaded only when it is asked for. */
const LOADERS = {
    export: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(657), __nccwpck_require__.e(307)]).then(__nccwpck_require__.bind(__nccwpck_require__, 307))).exportMode,
    refresh: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(395), __nccwpck_require__.e(894), __nccwpck_require__.e(657), __nccwpck_require__.e(869)]).then(__nccwpck_require__.bind(__nccwpck_require__, 3869))).refreshMode,
    agent: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(395), __nccwpck_require__.e(63)]).then(__nccwpck_require__.bind(__nccwpck_require__, 4063))).agentMode,
    doctor: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(395), __nccwpck_require__.e(894), __nccwpck_require__.e(657), __nccwpck_require__.e(435)]).then(__nccwpck_require__.bind(__nccwpck_require__, 6435))).doctorMode,
    search: async () => (await Promise.all(/* import() */[__nccwpck_require__.e(395), __nccwpck_require__.e(11)]).then(__nccwpck_require__.bind(__nccwpck_require__, 4011))).searchMode,
};
function loadMode(mode) {
    return LOADERS[mode]();
}

;// CONCATENATED MODULE: ./build/platform/client.js
// The schemas and their library are loaded while the first request is on its way.
function late(name) {
    return async () => (await Promise.all(/* import() */[__nccwpck_require__.e(395), __nccwpck_require__.e(282)]).then(__nccwpck_require__.bind(__nccwpck_require__, 7282)))[name];
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

// EXTERNAL MODULE: ./build/text/redact.js + 2 modules
var text_redact = __nccwpck_require__(4211);
// EXTERNAL MODULE: ./build/platform/service.js
var service = __nccwpck_require__(3509);
;// CONCATENATED MODULE: ./build/platform/transport.js




/** HTTP to the platform: addresses, keys, and its replies as schemas. Redirects are refused: one would carry the key along. */
function createTransport(init) {
    const http = init.http ?? new http_http/* Http */.l(init);
    const redact = (0,text_redact/* createRedact */.ay)(Object.values(init.keys).filter((key) => key !== undefined));
    return {
        async call(call) {
            const body = call.body === undefined ? undefined : JSON.stringify(call.body);
            const { value, reply } = await http.requestJson({
                service: (0,service/* platformService */.V)(call),
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
        throw new errors/* CourierError */.Yw({ code: 'config', message: `The ${call.key} API key is missing.` });
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

;// CONCATENATED MODULE: ./build/main.js









/** Runs the step: inputs, the mode, outputs, summary. Gives the exit code; throws only what is a fault of this program. */
async function main(init) {
    const { runner, source, log, clock } = init;
    // Before anything else: a key that was written into the workflow itself is not known to the runner as a secret.
    for (const name of inputs_reader/* SECRET_INPUTS */.pH)
        log.mask((0,inputs_reader/* rawInput */.JR)(source, name));
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
    try {
        return await runStep(init, end);
    }
    catch (error) {
        return (0,finish/* finish */.O)(end, { facts: {}, error: (0,errors/* toCourierError */.tR)(error) });
    }
}
async function runStep({ runner, source: given, log, clock, signal }, end) {
    const run = runner.readRun();
    const source = await withConfigFile(given, run, log);
    const empty = runner.explainEmptyInputs();
    const key = end.mode === 'search' ? 'assistant-api-key' : 'admin-api-key';
    if (empty.skip !== undefined && (0,inputs_reader/* rawInput */.JR)(source, key) === '') {
        return (0,finish/* finish */.O)(end, { facts: { status: 'skipped', reason: empty.skip } });
    }
    const forge = run.kind === 'gitea' || run.kind === 'forgejo' ? 'gitea' : 'github';
    const inputs = readInputs(source, { ...run.github, forge }, empty.causes);
    const http = new http_http/* Http */.l({ clock, log, signal });
    const github = createGitHub({ run: run.github, clock, log, signal, http });
    const platform = createPlatform(inputs, { log, clock, signal, http });
    const mode = await loadMode(inputs.mode);
    const surroundings = { run, platform, github, http, log, clock, signal };
    return await mode.execute(inputs, { surroundings, end });
}
/** The inputs, and below them those of the file that `config-file` names. */
async function withConfigFile(source, run, log) {
    const path = (0,inputs_reader/* rawInput */.JR)(source, 'config-file');
    if (path === '')
        return source;
    const { readConfig, trustedValues, withValues } = await __nccwpck_require__.e(/* import() */ 817).then(__nccwpck_require__.bind(__nccwpck_require__, 3817));
    const values = await readConfig({ path, run });
    return withValues(source, trustedValues(values, run, log));
}
function createPlatform(inputs, surroundings) {
    // Without an address, which only `doctor` bears, no call is made.
    const { baseUrl = '' } = inputs;
    return createPlatformClient(createTransport({ baseUrl, keys: keysOf(inputs), ...surroundings }));
}
function keysOf(inputs) {
    switch (inputs.mode) {
        case 'export':
        case 'refresh':
            return { admin: inputs.adminApiKey };
        case 'agent':
            return { admin: inputs.adminApiKey, assistant: inputs.relatedDocs?.assistantApiKey };
        case 'search':
            return { assistant: inputs.assistantApiKey };
        case 'doctor':
            return { admin: inputs.adminApiKey, assistant: inputs.assistantApiKey };
    }
}


/***/ }),

/***/ 9376:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ finish)
/* harmony export */ });
/* unused harmony export exitCode */
/* harmony import */ var _ci_port_js__WEBPACK_IMPORTED_MODULE_4__ = __nccwpck_require__(4966);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(9473);
/* harmony import */ var _report_help_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(4004);
/* harmony import */ var _report_summary_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(4611);
/* harmony import */ var _text_cut_js__WEBPACK_IMPORTED_MODULE_5__ = __nccwpck_require__(7850);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __nccwpck_require__(3699);






/** The status that an error stands for. */
function statusOfCode(code) {
    return code === 'timed-out' || code === 'cancelled' || code === 'refused' ? code : 'failed';
}
/** Writes outputs, report, summary and the last lines of the log of a run that has ended, and gives the exit code. */
function finish(end, ended) {
    const { results, log } = end;
    const report = makeReport(end, ended);
    const json = log.redact(JSON.stringify(withoutLink(report), undefined, 2));
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
    return { code, message, hint: hint && showHint(hint), help: (0,_report_help_js__WEBPACK_IMPORTED_MODULE_1__/* .helpAddress */ .Y)(code) };
}
// The report may be printed and kept as an artifact; the link may not.
function withoutLink(report) {
    return Object.fromEntries(Object.entries(report).filter(([name]) => name !== 'bundleUrl'));
}
/** The whole report where it fits an output; else what every mode has, so that it stays JSON. */
function cutReport(json, { version, mode, status, error, startedAt, elapsedMs }) {
    if (Buffer.byteLength(json) <= _ci_port_js__WEBPACK_IMPORTED_MODULE_4__/* .MAX_OUTPUT_BYTES */ .$)
        return json;
    const message = error && { ...error, message: (0,_text_cut_js__WEBPACK_IMPORTED_MODULE_5__/* .cut */ .J)(error.message, { bytes: 4096 }) };
    return JSON.stringify({ version, mode, status, error: message, startedAt, elapsedMs, truncated: true });
}
function writeSummary(end, { presentation }, report) {
    const summary = presentation?.summary(report, end.clock.now()) ?? plainSummary(report);
    const failed = failureOf(() => end.results.writeSummary(end.log.redact(summary)));
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
    const reason = report.reason === undefined ? '' : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .plainLine */ .h0)(report.reason);
    return (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .sections */ .V0)([(0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .heading */ .R_)('Docs Courier', report.status), reason, (0,_report_summary_js__WEBPACK_IMPORTED_MODULE_2__/* .errorSection */ .K6)(report.error)]);
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

/***/ 3509:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   V: () => (/* binding */ platformService)
/* harmony export */ });
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(5666);

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
    const text = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldOf */ ._)((0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .q)(reply.body.toString('utf8')), 'error');
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

/***/ 4004:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ documentation),
/* harmony export */   Y: () => (/* binding */ helpAddress)
/* harmony export */ });
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

/***/ 4611:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   K6: () => (/* binding */ errorSection),
/* harmony export */   R_: () => (/* binding */ heading),
/* harmony export */   V0: () => (/* binding */ sections),
/* harmony export */   h7: () => (/* binding */ dryRunHeading)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(3699);

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
    return yaml.length === 0 ? text : `${text}\n\n${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .codeBlock */ .DV)(yaml.join('\n'), { language: 'yaml' })}`;
}
/** Sections with a blank line between them; empty ones left out. */
function sections(parts) {
    return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}


/***/ }),

/***/ 2554:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   M0: () => (/* binding */ formatAddress),
/* harmony export */   dz: () => (/* binding */ SCHEMES),
/* harmony export */   s9: () => (/* binding */ isSettingName)
/* harmony export */ });
/** Addresses of places for a link: `github:secret/NAME`, `k8s:NAMESPACE/SECRET#KEY`, `file:PATH` and so on. */
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
/** GitHub's rules for the names of secrets and variables: https://docs.github.com/actions/reference/security/secrets. */
function isSettingName(name) {
    return /^[A-Z_][A-Z0-9_]{0,199}$/.test(name) && !name.startsWith('GITHUB_');
}


/***/ }),

/***/ 4832:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Q_: () => (/* binding */ longestRun),
/* harmony export */   _0: () => (/* binding */ stripInvisible),
/* harmony export */   dp: () => (/* binding */ byteLength)
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


/***/ }),

/***/ 7850:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ cut)
/* harmony export */ });
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


/***/ }),

/***/ 3699:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   DV: () => (/* binding */ codeBlock),
/* harmony export */   FV: () => (/* binding */ escapeMarkdown),
/* harmony export */   SS: () => (/* binding */ codeSpan),
/* harmony export */   gB: () => (/* binding */ visibleLines),
/* harmony export */   h0: () => (/* binding */ plainLine),
/* harmony export */   nf: () => (/* binding */ link),
/* harmony export */   wi: () => (/* binding */ inertLines)
/* harmony export */ });
/* harmony import */ var _characters_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(4832);
/* harmony import */ var _cut_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(7850);


/**
 * Text from outside on its way to a person: into a log line, a summary, a comment. The runner takes commands from log lines,
 * and GitHub's Markdown takes HTML, images, mentions and references from text; none of it may act.
 */
const ZERO_WIDTH_SPACE = '\u200b';
/** The lines of a text, each without any character that could end or hide it. Tabs become spaces. */
function visibleLines(text) {
    return (0,_characters_js__WEBPACK_IMPORTED_MODULE_0__/* .stripInvisible */ ._0)(text)
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
    const line = visibleLines((0,_cut_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .J)(text, { chars: maxChars * 2 }))
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .join(' ');
    return disarm((0,_cut_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .J)(line, { chars: maxChars }));
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
    const fence = '`'.repeat((0,_characters_js__WEBPACK_IMPORTED_MODULE_0__/* .longestRun */ .Q_)(line, '`') + 1);
    const padding = /^`|`$|^ .* $/.test(line) ? ' ' : '';
    return `${fence}${padding}${line}${padding}${fence}`;
}
/** Text as a fenced block, with a fence longer than any inside. */
function codeBlock(text, options = {}) {
    const body = visibleLines((0,_cut_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .J)(text, { chars: options.maxChars ?? 10_000 })).join('\n');
    const fence = '`'.repeat(Math.max(3, (0,_characters_js__WEBPACK_IMPORTED_MODULE_0__/* .longestRun */ .Q_)(body, '`') + 1));
    return `${fence}${options.language ?? ''}\n${body}\n${fence}`;
}
/** A link, only where the address is plain https; otherwise the address as code. `label` is Markdown already. */
function link(label, url) {
    return /^https:\/\/[A-Za-z0-9\-._~/%?&=+:@#]+$/.test(url) && url.length <= 2000
        ? `[${label}](${url})`
        : codeSpan(url);
}


/***/ }),

/***/ 6167:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   K: () => (/* binding */ excerpt)
/* harmony export */ });
/* harmony import */ var _escape_js__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(3699);

/**
 * Text from outside as one inert line for a message: redacted first and cut then. Cut first, all but the last letter of a key
 * could stay.
 */
function excerpt(text, { redact, max = 500 }) {
    return (0,_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .plainLine */ .h0)(redact(text), max);
}


/***/ }),

/***/ 4495:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   I: () => (/* binding */ guess)
/* harmony export */ });
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


/***/ }),

/***/ 5666:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   _: () => (/* binding */ fieldOf),
/* harmony export */   q: () => (/* binding */ parseJson)
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


/***/ }),

/***/ 1065:
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

/***/ 2761:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   J: () => (/* binding */ isPathId)
/* harmony export */ });
/** Longest id that we put into a path, and the characters that need no escaping there (RFC 3986, unreserved). */
const ID_PATTERN = /^[A-Za-z0-9._~-]{1,128}$/;
/** True for an id that can be one path segment: unreserved characters, and not `.` or `..`, which a URL resolves. */
function isPathId(value) {
    return ID_PATTERN.test(value) && !/^\.+$/.test(value);
}


/***/ }),

/***/ 4211:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  c3: () => (/* binding */ SHORTEST_SECRET),
  ay: () => (/* binding */ createRedact),
  eo: () => (/* binding */ secretForms)
});

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __nccwpck_require__(4573);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __nccwpck_require__(3699);
;// CONCATENATED MODULE: ./build/text/matcher.js
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

;// CONCATENATED MODULE: ./build/text/views.js
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

;// CONCATENATED MODULE: ./build/text/redact.js




/** Shorter values occur in ordinary text: hiding them would hide half the log. */
const SHORTEST_SECRET = 8;
// Base64 of a value inside a longer text depends on where it starts within three bytes. The edges mix with the neighbours.
function base64Shifts(value) {
    return [0, 1, 2].map((shift) => {
        const encoded = external_node_buffer_.Buffer.concat([external_node_buffer_.Buffer.alloc(shift), external_node_buffer_.Buffer.from(value)]).toString('base64');
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
    return external_node_buffer_.Buffer.from(secret).toString('hex');
}
// The letter keeps away what is escaped, or made inert, only at the start of a line.
function inertForm(secret) {
    return (0,text_escape/* plainLine */.h0)(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
}
function shownForms(secret) {
    const inert = inertForm(secret);
    const markdown = (0,text_escape/* escapeMarkdown */.FV)(`x${secret}`, Number.POSITIVE_INFINITY).slice(1);
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
/******/ 		792: 0
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
/******/ var __webpack_exports__ = __nccwpck_require__(2409);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
