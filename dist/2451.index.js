export const id = 2451;
export const ids = [2451,8326];
export const modules = {

/***/ 8326:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readConfig: () => (/* binding */ readConfig),
  trustedValues: () => (/* binding */ trustedValues),
  valuesOfSite: () => (/* binding */ valuesOfSite),
  withValues: () => (/* binding */ withValues)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/src/confined-files.js
var confined_files = __webpack_require__(6171);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/inputs/catalog.js
var catalog = __webpack_require__(3204);
// EXTERNAL MODULE: ./build/src/inputs/reader.js
var reader = __webpack_require__(8064);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/text/names.js
var names = __webpack_require__(6761);
;// CONCATENATED MODULE: ./build/src/config/keys.js

/** What `docs-courier.yml` may hold. */
/** Inputs that a file cannot set: what to do and which file are decided where the program is started. */
const STARTED_WITH = ['mode', 'config-file', 'site'];
function isSecretKey(key) {
    return reader/* SECRET_INPUTS */.pH.some((name) => name === key);
}
/** Options of the command line that a file may set too. */
const OPTION_KEYS = ['to-command', 'state'];
/** Keys of a site alone. */
const SITE_KEYS = ['paths'];
const VALUE_KEYS = [
    ...reader/* INPUT_NAMES */.Qh.filter((name) => !STARTED_WITH.includes(name) && !isSecretKey(name)),
    ...OPTION_KEYS,
];
/**
 * A change request can change the file. In a CI system it therefore never says where credentials go, who may do what, what the
 * agent is instructed to do, and which earlier export is gone back to.
 */
function isTrustedOnlyLocally(key) {
    return (/^(allowed|allow|kube|vault|aws)-/.test(key) ||
        [
            'base-url',
            'forge-url',
            'kubeconfig',
            'live-url',
            'to-command',
            'state',
            'required-permission',
            'agent-repositories',
            'prompt',
            'prompt-file',
            'only-paths',
            'pull-request',
            'agent-job-id',
            'create-agent-job',
            'export-job-id',
            'steps',
            'force',
            'comment',
            'secret-visibility',
            'secret-selected-repositories',
        ].includes(key));
}

// EXTERNAL MODULE: ./build/src/inputs/removed.js
var removed = __webpack_require__(5907);
// EXTERNAL MODULE: ./build/src/inputs/values.js + 1 modules
var values = __webpack_require__(4267);
// EXTERNAL MODULE: ./build/src/yaml.js
var yaml = __webpack_require__(4978);
;// CONCATENATED MODULE: ./build/src/config/parse.js







/** The keys at the top, and before them those of the site. */
function valuesOf({ values }, site) {
    return site === undefined ? values : new Map([...values, ...site.values]);
}
const SITE_NAME = /^[a-z0-9][a-z0-9_.-]{0,62}$/i;
const MAX_FINDINGS = 20;
/** Reads `docs-courier.yml`. Throws one `config` error with every finding, a line each; it repeats no value of the file. */
async function parseConfig(text, name) {
    const document = await (0,yaml/* parseYaml */.h)(text);
    const reading = new Reading();
    const config = document.findings.length > 0 ? undefined : reading.root(document.value);
    const findings = [
        ...document.findings,
        ...reading.problems.map(({ path, problem }) => ({ ...document.place(path), problem })),
    ];
    if (findings.length === 0 && config !== undefined)
        return config;
    const lines = findings
        .slice(0, MAX_FINDINGS)
        .map(({ line, column, problem }) => `- ${name}:${line}:${column}: ${problem}`);
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: [`${name} cannot be used:`, ...lines].join('\n'),
        hint: 'Correct the file. Nothing was sent.',
    });
}
class Reading {
    problems = [];
    root(value) {
        const entries = this.#mapping([], value).filter(([key]) => key !== '$schema');
        const sites = entries.find(([key]) => key === 'sites');
        return {
            values: this.#values([], entries.filter(([key]) => key !== 'sites')),
            sites: sites === undefined ? new Map() : this.#sites(sites[1]),
        };
    }
    #sites(value) {
        const entries = this.#mapping(['sites'], value);
        if (entries.length === 0)
            this.#problem(['sites'], 'there is no site in it');
        return new Map(entries.map(([name, site]) => [name, this.#site(['sites', name], name, site)]));
    }
    #site(path, name, value) {
        if (!SITE_NAME.test(name)) {
            this.#problem(path, 'the name of a site is 1 to 63 letters, digits, dots, hyphens and underscores');
        }
        const entries = this.#mapping(path, value);
        const paths = entries.filter(([key]) => key === 'paths');
        const own = entries.filter(([key]) => key !== 'paths');
        return {
            values: this.#values(path, own),
            paths: paths.flatMap(([key, item]) => this.#texts([...path, key], item)),
        };
    }
    #values(path, entries) {
        this.#refuseRemoved(path, entries);
        const known = entries.filter(([key]) => this.#isKnown([...path, key], key));
        return new Map(known.map(([key, item]) => [key, this.#texts([...path, key], item).join('\n')]));
    }
    #refuseRemoved(path, entries) {
        const names = entries.map(([key]) => key).filter((key) => removed/* REMOVED_NAMES */.G.has(key) && !VALUE_KEYS.includes(key));
        const texts = new Map(entries.map(([key, item]) => [key, scalarText(item) ?? '']));
        const value = (name) => texts.get(name) ?? '';
        const [first = ''] = names;
        for (const problem of (0,removed/* removedProblems */.n)({ names, value, show: (name, text) => `${name}: ${text}` })) {
            this.#problem([...path, first], problem);
        }
    }
    #isKnown(path, key) {
        if (VALUE_KEYS.includes(key))
            return true;
        if (removed/* REMOVED_NAMES */.G.has(key))
            return false;
        if (isSecretKey(key)) {
            this.#problem(path, `${key} is a secret and must not be in a file: remove it, replace the key that was written here, and give the new one as a variable`);
            return false;
        }
        const own = path.length > 1 ? SITE_KEYS : ['sites'];
        const meant = (0,names/* guess */.Iw)(key, [...VALUE_KEYS, ...own, ...reader/* SECRET_INPUTS */.pH]);
        // A key of a file that was meant for another program may be anything.
        const shown = /^[a-z]+(-[a-z]+)*$/i.test(key) && key.length <= 40 ? `unknown key ${key}` : 'unknown key';
        this.#problem(path, meant === undefined || isSecretKey(meant) ? shown : `${shown}; did you mean ${meant}?`);
        return false;
    }
    /** A text, a number, true or false; or a list of them. */
    #texts(path, value) {
        if (value === undefined || value === null)
            return [];
        const texts = (Array.isArray(value) ? value : [value]).map((item) => scalarText(item));
        if (texts.some((text) => text === undefined))
            this.#problem(path, 'a text, or a list of texts, is wanted');
        if (texts.some((text) => text !== undefined && (0,values/* isKeyShaped */.j2)(text))) {
            this.#problem(path, 'this looks like a key: remove it, and replace the key that was written here');
        }
        return texts.filter((text) => text !== undefined);
    }
    #mapping(path, value) {
        if (value === undefined || value === null)
            return [];
        if (typeof value === 'object' && !Array.isArray(value))
            return Object.entries(value);
        this.#problem(path, 'a mapping of keys is wanted');
        return [];
    }
    #problem(path, problem) {
        this.problems.push({ path, problem });
    }
}
function scalarText(value) {
    if (typeof value === 'string')
        return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

;// CONCATENATED MODULE: ./build/src/config/file.js









const MAX_BYTES = 256 * 1024;
/** The configuration at a path. In a CI system it must be in the workspace. Throws `config`. */
async function readConfig({ path, run }) {
    const whole = (0,external_node_path_.resolve)(run.workspace, path);
    const folder = run.kind === 'local' ? { name: 'disk', path: (0,external_node_path_.parse)(whole).root } : { name: 'workspace', path: run.workspace };
    const text = await (0,confined_files/* readConfinedFile */.p7)({ path: whole, input: 'config-file', folders: [folder], maxBytes: MAX_BYTES });
    const name = (0,confined_files/* shownPath */.pS)(whole, run.workspace);
    if (text !== undefined)
        return parseConfig(text, name);
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `config-file: ${name} does not exist.`,
        hint: 'Check the path, and that the repository is checked out before.',
    });
}
/** What the file says for a run of one site. Throws `config` where the site is not in it, or where none of several is named. */
function valuesOfSite(config, name) {
    return valuesOf(config, name === '' ? noSite(config) : findSite(config, name));
}
function noSite({ sites }) {
    if (sites.size === 0)
        return undefined;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `The configuration file has ${sites.size === 1 ? 'a site' : 'sites'}, and site is missing: ${[...sites.keys()].slice(0, 20).join(', ')}. Nothing was sent.`,
        hint: { text: 'Name the site that is meant:', inputs: { site: [...sites.keys()][0] ?? '' } },
    });
}
function findSite({ sites }, name) {
    const site = sites.get(name);
    if (site !== undefined)
        return site;
    const meant = (0,names/* guess */.Iw)(name, [...sites.keys()]);
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `There is no site ${(0,text_escape/* plainLine */.h0)(name, 80)} in the configuration file${meant === undefined ? '.' : `; did you mean ${meant}?`} Nothing was sent.`,
    });
}
/** What a run takes of these values; in a CI system, without what a change request must not decide. */
function trustedValues(values, run, log) {
    if (run.kind === 'local')
        return values;
    const refused = [...values.keys()].filter(isTrustedOnlyLocally);
    if (refused.length > 0) {
        log.notice(`Not read from the configuration file in a CI system, since a change request can change it: ${refused.join(', ')}. Give it as an input or a variable.`);
    }
    return new Map([...values].filter(([name]) => !isTrustedOnlyLocally(name)));
}
/** The source, and below it the values of the file: what was given itself comes first. Keys of other modes are not read. */
function withValues(source, values) {
    const mode = source.value('mode').trim();
    return {
        value(name) {
            const given = source.value(name);
            const input = reader/* INPUT_NAMES */.Qh.find((one) => one === name);
            if (input === undefined)
                return given || (values.get(name) ?? '');
            const isOwn = mode === 'doctor' || catalog/* INPUTS */.m[input].modes.some((one) => one === mode);
            const isDefault = source.fillsDefaults === true && given.trim() === catalog/* INPUTS */.m[input].default;
            return isOwn && (given.trim() === '' || isDefault) ? (values.get(name) ?? given) : given;
        },
        unknownNames: () => source.unknownNames(),
        isAmbient: (name) => source.isAmbient?.(name) ?? false,
    };
}


/***/ }),

/***/ 6171:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   N_: () => (/* binding */ replaceConfinedFile),
/* harmony export */   p7: () => (/* binding */ readConfinedFile),
/* harmony export */   pS: () => (/* binding */ shownPath)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7406);
/* harmony import */ var _http_service_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4541);





/** The path as people know it: below the workspace, with forward slashes; as it is where it lies elsewhere. */
function shownPath(path, workspace) {
    const below = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(workspace, path);
    return isInside(below) ? below.split(node_path__WEBPACK_IMPORTED_MODULE_2__.sep).join('/') : path;
}
function isInside(below) {
    return below !== '' && below !== '..' && !below.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_2__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(below);
}
/**
 * The text of a file that a stranger may have put there: a regular file, reached by no link that leads out of `folders`, at
 * most `maxBytes` long, in UTF-8. undefined when nothing is at the path; `config` for anything else. No message holds
 * any of the content.
 */
async function readConfinedFile(request) {
    const real = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(request.path).catch((error) => {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error))
            return undefined;
        throw refusal(request, 'cannot be read', error);
    });
    if (real === undefined)
        return undefined;
    await requireInside(real, request);
    // Without O_NONBLOCK, opening a FIFO waits for its writer for ever. O_NOFOLLOW is missing on Windows and then 0.
    const flags = node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_RDONLY | (node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NONBLOCK ?? 0) | (node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NOFOLLOW ?? 0);
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(real, flags).catch((error) => {
        throw refusal(request, 'cannot be read', error);
    });
    try {
        await requireSame(file, request, real);
        return decodeText(await readBytes(file, request), request);
    }
    finally {
        await file.close();
    }
}
/**
 * Replaces such a file in one step; its folder is made where it is missing. Nothing is written through a link that leads out of
 * `folders`. Throws `config` for a path that is none of ours, `io` where the disk refuses.
 */
async function replaceConfinedFile(request, text) {
    const { path } = request;
    const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path);
    try {
        await requireInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(await deepestFolder(folder)), 'file'), request);
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)(folder, { recursive: true });
        await requireInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(folder), 'file'), request);
        const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(path).catch(() => undefined);
        if (found !== undefined && !found.isFile())
            throw refusal(request, 'is not a regular file');
        await replaceFile(path, text);
    }
    catch (cause) {
        if (cause instanceof _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw)
            throw cause;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw({
            code: 'io',
            message: `${request.input}: ${shownPath(path, request.folders[0]?.path ?? folder)} cannot be written: ${(0,_http_service_js__WEBPACK_IMPORTED_MODULE_4__/* .systemCodes */ .oQ)(cause)[0] ?? 'unknown error'}.`,
            hint: 'Check that the disk is not full, and that the folder may be written to.',
            cause,
        });
    }
}
/** The nearest folder above that is there. */
async function deepestFolder(folder) {
    const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(folder).catch(() => undefined);
    return found !== undefined || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(folder) === folder ? folder : deepestFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(folder));
}
async function replaceFile(path, text) {
    const fresh = `${path}.${process.pid}.new`;
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.writeFile)(fresh, text, { flag: 'wx' });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rename)(fresh, path);
    }
    catch (error) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rm)(fresh, { force: true });
        throw error;
    }
}
async function requireInside(real, request) {
    const roots = await Promise.all(request.folders.map(({ path }) => (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(path).catch(() => path)));
    if (roots.some((root) => isInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(root, real))))
        return;
    const names = request.folders.map(({ name }) => name).join(' or ');
    throw refusal(request, `is not in the ${names}, or a symbolic link leads out of it`);
}
// A folder on the way may have become a link between the look at the path and the opening: then it is another file.
async function requireSame(file, request, real) {
    const [opened, again, named] = await Promise.all([file.stat(), (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(request.path), (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(request.path)]).catch((error) => {
        throw refusal(request, 'cannot be read', error);
    });
    if (!opened.isFile())
        throw refusal(request, 'is not a regular file');
    if (again !== real || opened.ino !== named.ino || opened.dev !== named.dev) {
        throw refusal(request, 'was replaced while it was being read');
    }
    if (opened.size > request.maxBytes)
        throw tooLarge(request);
}
async function readBytes(file, request) {
    const bytes = new Uint8Array(request.maxBytes + 1);
    let length = 0;
    for (;;) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
        length += bytesRead;
        if (length > request.maxBytes)
            throw tooLarge(request);
        if (bytesRead === 0)
            return bytes.subarray(0, length);
    }
}
function decodeText(bytes, request) {
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch (error) {
        throw refusal(request, 'is not UTF-8 text', error);
    }
}
function tooLarge(request) {
    return refusal(request, `is larger than ${Math.floor(request.maxBytes / 1024).toLocaleString('en-US')} KiB`);
}
function refusal({ input, path, folders }, problem, cause) {
    const shown = folders[0] === undefined ? path : shownPath(path, folders[0].path);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw({
        code: 'config',
        message: `${input}: ${shown} ${problem}.`,
        hint: `Give ${input} the path of a regular file inside the workspace.`,
        cause,
    });
}


/***/ }),

/***/ 2451:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  planMode: () => (/* binding */ planMode)
});

// EXTERNAL MODULE: ./build/src/run/finish.js
var finish = __webpack_require__(4104);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./node_modules/picomatch/index.js
var picomatch = __webpack_require__(1625);
// EXTERNAL MODULE: ./build/src/config/file.js + 2 modules
var file = __webpack_require__(8326);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
;// CONCATENATED MODULE: ./build/src/plan/changes.js




const run = (0,external_node_util_.promisify)(external_node_child_process_.execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
// A file that was moved counts at both places. Neither settings of the repository nor its attributes start a program.
const DIFF = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];
/** The files that differ between a commit and what is checked out. Throws `config` where git cannot say. */
async function changedFiles({ workspace, env }, since) {
    const git = async (...args) => {
        const options = { cwd: workspace, env: gitEnv(env), maxBuffer: MAX_OUTPUT_BYTES };
        return (await run('git', ['--no-pager', '-c', 'core.fsmonitor=false', ...args], options)).stdout;
    };
    const prefix = await git('rev-parse', '--show-prefix').catch((cause) => {
        throw noRepository(workspace, cause);
    });
    try {
        const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${since}^{commit}`);
        const names = await git(...DIFF, commit.trim(), 'HEAD', '--');
        return { files: names.split('\0').filter((name) => name !== ''), prefix: prefix.replace(/\r?\n$/, '') };
    }
    catch (cause) {
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: `Git does not know the commit ${(0,text_escape/* plainLine */.h0)(since, 80)}, so what has changed since is not known.`,
            hint: 'Check out the whole history: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 in GitLab CI.',
            cause,
        });
    }
}
/** What git itself needs, and no key. It never asks for a password. */
function gitEnv({ PATH, HOME, SYSTEMROOT }) {
    return { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(SYSTEMROOT && { SYSTEMROOT }), GIT_TERMINAL_PROMPT: '0' };
}
function noRepository(workspace, cause) {
    if ((0,errors/* errnoOf */.UQ)(cause) === 'ENOENT') {
        return new errors/* CourierError */.Yw({ code: 'config', message: 'The program git was not found.', hint: 'Install git.', cause });
    }
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `${workspace} is no repository that git reads.`,
        hint: 'Check out the repository in a step before. In a container, git may need safe.directory.',
        cause,
    });
}

;// CONCATENATED MODULE: ./build/src/plan/plan.js







/** The commit that GitHub and GitLab name before the first one of a branch. */
const NO_COMMIT = /^0{40}(0{24})?$/;
/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstrategymatrix */
const MAX_MATRIX_JOBS = 256;
/** Names the sites of the configuration file that a change touches. Sends nothing. */
async function runPlan(inputs, deps) {
    const { run, log } = deps;
    const config = await (0,file.readConfig)({ path: inputs.configFile, run });
    if (config.sites.size === 0)
        throw noSites(inputs.configFile);
    const base = inputs.changedSince ?? run.baseCommit;
    const sites = await planSites(config, { configFile: inputs.configFile, base }, deps);
    log.table(['Site', 'Planned', 'Why'], sites.map(({ site, isPlanned, reason }) => [site, isPlanned ? 'yes' : 'no', reason]), ([site, planned, reason]) => `${site}: ${planned === 'yes' ? '' : 'not planned, '}${reason}`);
    const planned = sites.filter(({ isPlanned }) => isPlanned);
    if (planned.length > MAX_MATRIX_JOBS) {
        log.warning(`${(0,markdown/* countOf */.pq)(planned.length, 'site')} are planned, and GitHub runs at most ${MAX_MATRIX_JOBS} jobs of a matrix. Divide the sites among several files.`);
    }
    const isKnown = base !== undefined && !NO_COMMIT.test(base);
    return { status: 'completed', base: isKnown ? base : undefined, sites };
}
async function planSites(config, { configFile, base }, { run }) {
    const all = (reason) => [...config.sites.keys()].map((site) => ({ site, isPlanned: true, reason }));
    if (base === undefined)
        return all('there is no commit to compare with');
    if (NO_COMMIT.test(base))
        return all('there is no commit before this one');
    const { files, prefix } = await changedFiles(run, base);
    const file = (0,external_node_path_.relative)(run.workspace, (0,external_node_path_.resolve)(run.workspace, configFile)).replaceAll('\\', '/');
    if (files.includes(`${prefix}${file}`))
        return all(`${file} has changed`);
    return [...config.sites].map(([site, { paths }]) => {
        const touches = paths.length === 0 ? () => true : picomatch([...paths], { dot: true });
        const [touched, ...more] = files.filter((name) => touches(name));
        if (touched === undefined)
            return { site, isPlanned: false, reason: 'no file of it has changed' };
        const first = (0,text_escape/* plainLine */.h0)(touched, 200);
        const reason = more.length === 0 ? `${first} has changed` : `${first} and ${(0,markdown/* countOf */.pq)(more.length, 'more file')} have changed`;
        return { site, isPlanned: true, reason };
    });
}
function noSites(path) {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `There are no sites in ${path}, so there is nothing to plan.`,
        hint: 'Name the sites under sites in the file, each with its paths.',
    });
}

// EXTERNAL MODULE: ./build/src/run/report.js
var report = __webpack_require__(7417);
;// CONCATENATED MODULE: ./build/src/plan/summary.js



const planPresentation = {
    outputs: ({ sites }) => {
        if (sites === undefined)
            return {};
        const include = sites.filter(({ isPlanned }) => isPlanned).map(({ site }) => ({ site }));
        return { matrix: JSON.stringify({ include }), changed: String(include.length > 0) };
    },
    summary: ({ base, sites, status, error }) => {
        const count = sites?.filter(({ isPlanned }) => isPlanned).length;
        const subject = sites === undefined ? 'Plan' : `Plan: ${count} of ${(0,markdown/* countOf */.pq)(sites.length, 'site')}`;
        const rows = (sites ?? []).map(({ site, isPlanned, reason }) => [
            (0,text_escape/* codeSpan */.SS)(site),
            isPlanned ? 'yes' : 'no',
            (0,text_escape/* escapeMarkdown */.FV)(reason, 300),
        ]);
        return (0,report/* sections */.V0)([
            (0,report/* heading */.R_)(subject, status),
            (0,report/* errorSection */.K6)(error),
            base === undefined ? '' : `Compared with the commit ${(0,text_escape/* codeSpan */.SS)(base)}.`,
            rows.length === 0 ? '' : (0,markdown/* table */.tp)(['Site', 'Planned', 'Why'], rows),
        ]);
    },
};

;// CONCATENATED MODULE: ./build/src/plan/mode.js



const planMode = (0,finish/* defineMode */.L)({ run: runPlan, ...planPresentation });


/***/ }),

/***/ 4978:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   h: () => (/* binding */ parseYaml)
/* harmony export */ });
const PROBLEMS = {
    BAD_INDENT: 'wrong indentation, or a bracket that is not closed',
    TAB_AS_INDENT: 'a tab used as indentation: use spaces',
    DUPLICATE_KEY: 'a key that this mapping has already',
    BAD_DQ_ESCAPE: 'an escape sequence that does not exist',
    MISSING_CHAR: 'a character is missing, such as a closing quote or a comma',
    BLOCK_AS_IMPLICIT_KEY: 'a colon in a text: put the text in quotes',
    MULTILINE_IMPLICIT_KEY: 'a line that goes on in the next one: put the text in quotes',
    BAD_SCALAR_START: 'a character that no text may begin with: put the text in quotes',
    MULTIPLE_DOCS: 'a second document: one file holds one',
    NON_STRING_KEY: 'a key that is not a text',
    RESOURCE_EXHAUSTION: 'nested too deeply',
};
/**
 * Parses YAML 1.2 with the core schema, of which JSON is a part. The file may be hostile: anchors, aliases, tags and
 * directives are findings, merge keys are plain keys.
 */
async function parseYaml(text) {
    const yaml = await __webpack_require__.e(/* import() */ 8815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    const lines = new yaml.LineCounter();
    const document = yaml.parseDocument(text, {
        version: '1.2',
        schema: 'core',
        merge: false,
        resolveKnownTags: false,
        stringKeys: true,
        prettyErrors: false,
        lineCounter: lines,
        // `silent` would hide that there is a second document; nothing is printed at any level by this function.
        logLevel: 'error',
    });
    const findings = [...syntaxFindings(text, document, lines), ...featureFindings({ yaml, document, lines })];
    return {
        value: findings.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }),
        findings,
        place: (path) => placeOf({ yaml, document, lines, path }),
    };
}
function syntaxFindings(text, document, lines) {
    // Each open level of a bottomless nesting is an error of its own; the first says it all.
    const bottomless = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
    if (bottomless !== undefined)
        return [toFinding(bottomless, lines)];
    const first = document.errors[0];
    // What follows a wrong indentation is read with it, so that the errors behind it explain nothing.
    const wrong = first && findWrongIndentation(text, toFinding(first, lines).line);
    return wrong === undefined ? document.errors.map((error) => toFinding(error, lines)) : [wrong];
}
function toFinding({ code, pos }, lines) {
    return {
        ...placeAt(lines, pos[0]),
        problem: PROBLEMS[code] ?? `not valid YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
    };
}
function featureFindings({ yaml, document, lines }) {
    const findings = [];
    // After a syntax error the tree is a guess, and one nested without end is not walked.
    if (document.errors.length > 0)
        return findings;
    const add = (node, problem) => findings.push({ ...placeAt(lines, node.range?.[0] ?? 0), problem });
    // A directive can switch to YAML 1.1, with its merge keys and its `yes` for true.
    if (document.directives.yaml.explicit === true)
        findings.push({ line: 1, column: 1, problem: 'directives are not allowed' });
    yaml.visit(document, {
        Node(_key, node) {
            if (yaml.isAlias(node))
                add(node, 'aliases are not allowed');
            else if (node.anchor !== undefined)
                add(node, 'anchors are not allowed');
            else if (node.tag !== undefined)
                add(node, 'tags are not allowed');
        },
    });
    return findings;
}
function placeAt(lines, offset) {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
}
function placeOf({ yaml, document, lines, path }) {
    let node = document.contents;
    let offset = 0;
    for (const key of path) {
        if (yaml.isNode(node))
            offset = node.range?.[0] ?? offset;
        if (yaml.isMap(node)) {
            const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key);
            if (pair === undefined)
                return placeAt(lines, offset);
            if (yaml.isNode(pair.key))
                offset = pair.key.range?.[0] ?? offset;
            node = pair.value;
        }
        else if (yaml.isSeq(node) && typeof key === 'number') {
            node = node.items[key];
            if (yaml.isNode(node))
                offset = node.range?.[0] ?? offset;
        }
        else {
            break;
        }
    }
    return placeAt(lines, offset);
}
/**
 * The line whose indentation fits none of the lines before it, if a syntax error at `line` comes from that: the parser reports
 * what it makes of it, such as a character that is missing, and sometimes at the line before. Lines are counted from 1.
 */
function findWrongIndentation(text, line) {
    const lines = text.split('\n');
    for (const number of [line, line + 1]) {
        const levels = levelsBefore(lines, number - 1);
        const found = lines[number - 1];
        if (found === undefined || isEmpty(found) || levels.length === 0)
            continue;
        const indent = indentOf(found);
        const deepest = levels.at(-1) ?? 0;
        const isBetween = indent < deepest && !levels.includes(indent);
        // Deeper than a key that has its value already.
        const isTooDeep = indent > deepest && /[^:\s|>-]\s*$/.test(lines[number - 2] ?? '');
        if (isBetween || isTooDeep) {
            return {
                line: number,
                column: indent + 1,
                problem: `wrong indentation: ${spaces(indent)}, where the lines before have ${listOf(levels)}`,
            };
        }
    }
    return undefined;
}
/** Columns, from 0, at which something begins that a line may go on: of keys, of dashes, and of what follows a dash. */
function levelsBefore(lines, end) {
    const levels = [];
    for (const line of lines.slice(0, end)) {
        if (isEmpty(line))
            continue;
        const indent = indentOf(line);
        while ((levels.at(-1) ?? -1) >= indent)
            levels.pop();
        levels.push(indent);
        for (let dash = /^- +/.exec(line.slice(indent)), at = indent; dash !== null; dash = /^- +/.exec(line.slice(at))) {
            at += dash[0].length;
            levels.push(at);
        }
    }
    return levels;
}
function isEmpty(line) {
    return /^\s*(#|$)/.test(line);
}
function indentOf(line) {
    return line.length - line.trimStart().length;
}
function spaces(count) {
    return count === 1 ? '1 space' : `${count} spaces`;
}
function listOf(levels) {
    const [last = 0, ...others] = levels.toReversed();
    return others.length === 0 ? String(last) : `${others.toReversed().join(', ')} or ${last}`;
}


/***/ })

};
