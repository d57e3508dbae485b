export const id = 8976;
export const ids = [8976,6330];
export const modules = {

/***/ 5466:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ contents),
/* harmony export */   r: () => (/* binding */ readContents)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4502);




/** What the contents API of GitHub and Gitea says of a path: a list for a folder. */
const contents = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .union */ .KCZ([
    zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .unknown */ .L5J()),
    zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc({
        type: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP(),
        size: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .number */ .aig(),
        encoding: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()),
        content: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()),
    }),
]);
/** The file in such a reply. `config` for anything but a file of at most `maxBytes`. */
function readContents(raw, { path, commit, maxBytes }) {
    const refuse = (problem) => new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({ code: 'config', message: `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(path, 200)} ${problem}. Nothing was sent.` });
    if (!('type' in raw))
        throw refuse('is a folder on the default branch');
    // A symbolic link can lead anywhere, and a submodule is another repository.
    if (raw.type !== 'file')
        throw refuse(`is a ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(raw.type, 30)} on the default branch, and no file`);
    if (raw.size > maxBytes)
        throw refuse(`has ${raw.size} bytes; ${maxBytes} are allowed`);
    const bytes = node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.from(raw.content ?? '', 'base64');
    if (raw.encoding !== 'base64' || bytes.length !== raw.size) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({
            code: 'protocol',
            message: `The reply with ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(path, 200)} has ${bytes.length} of ${raw.size} bytes. Nothing was sent.`,
        });
    }
    return { bytes, commit };
}


/***/ }),

/***/ 8976:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  GitHubForge: () => (/* binding */ GitHubForge)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/github/client.js
var client = __webpack_require__(6330);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/forges/rank-unknown.js
var rank_unknown = __webpack_require__(9501);
// EXTERNAL MODULE: ./build/src/forges/github/needing.js
var needing = __webpack_require__(4236);
;// CONCATENATED MODULE: ./build/src/forges/github/calls.js



const PAGE_SIZE = 100;
/** Calls about one repository. Each says `what` it wants, for the message where it is refused. */
class Calls {
    #octokit;
    #name;
    #repository;
    /** `fullName`: `owner/name`. */
    constructor(octokit, fullName) {
        this.#octokit = octokit;
        this.#name = fullName;
        this.#repository = splitName(fullName);
    }
    read(what, route, parameters, schema) {
        return (0,needing/* needing */.h)(`${what} of ${this.#name}`, () => (0,client/* getJson */.Tt)(this.#octokit, route, { ...this.#repository, ...parameters }, schema));
    }
    /**
     * All entries of a list, each page parsed as it came: the client library's own paging takes an empty reply for an empty
     * page, and what is missing from such a list could be the record of a message that was sent.
     */
    list(what, route, parameters, entry) {
        const query = { ...this.#repository, ...parameters, per_page: PAGE_SIZE };
        return (0,needing/* needing */.h)(`${what} of ${this.#name}`, async () => {
            const all = [];
            for (let page = 1;; page += 1) {
                const { data, headers } = await this.#octokit.request(route, { ...query, page });
                const entries = (0,client/* readReply */.Xw)(schemas/* array */.YOg(entry), data, route);
                all.push(...entries);
                const { link } = headers;
                if (link === undefined ? entries.length < PAGE_SIZE : !/\brel="next"/.test(link))
                    return all;
            }
        });
    }
}
function splitName(fullName) {
    const [owner = '', repo = ''] = fullName.split('/');
    return { owner, repo };
}

// EXTERNAL MODULE: ./build/src/forges/default-file.js
var default_file = __webpack_require__(5466);
// EXTERNAL MODULE: ./build/src/forges/github/replies.js
var replies = __webpack_require__(5744);
;// CONCATENATED MODULE: ./build/src/forges/github/default-file.js



/** Needs `contents: read`; undefined where the file is not there, or the token may not see it. */
async function readDefaultFile(calls, path, maxBytes) {
    const repository = 'GET /repos/{owner}/{repo}';
    const { default_branch: ref } = await calls.read('read the repository', repository, {}, replies/* defaultBranch */.OR);
    const newest = 'GET /repos/{owner}/{repo}/commits/{ref}';
    // A bare name could be that of a tag, which people may set who may not push to the branch.
    const branch = { ref: `heads/${ref}` };
    try {
        const { sha: commit } = await calls.read('read the default branch', newest, branch, replies/* commit */.cd);
        const route = 'GET /repos/{owner}/{repo}/contents/{+path}';
        const parameters = { path: path.split('/').map(encodeURIComponent).join('/'), ref: commit };
        return (0,default_file/* readContents */.r)(await calls.read(`read ${path}`, route, parameters, default_file/* contents */.P), { path, commit, maxBytes });
    }
    catch (error) {
        if ((0,errors/* hasCode */.up)(error, 'not-found'))
            return undefined;
        throw error;
    }
}

;// CONCATENATED MODULE: ./build/src/forges/github/forge.js









/** Activities that bring commits to a branch: https://docs.github.com/rest/repos/repos#list-repository-activities. */
const PUSHES = new Set(['push', 'force_push', 'branch_creation', 'pr_merge', 'merge_queue_merge']);
const forge_PAGE_SIZE = 100;
/** GitHub's REST API as a forge. */
class GitHubForge {
    #octokit;
    #token;
    #name;
    #repository;
    #calls;
    #log;
    #ranks = new Map();
    #author;
    constructor(octokit, token, fullName, log) {
        this.#octokit = octokit;
        this.#token = token;
        this.#name = fullName;
        this.#repository = splitName(fullName);
        this.#calls = new Calls(octokit, fullName);
        this.#log = log;
    }
    whoWeAre() {
        this.#author ??= this.#readAuthor();
        return this.#author;
    }
    // The workflow's own token and those of Apps (`ghs_`) are bots, and may not ask who they are; any other token is asked. No
    // person's account is a bot, so that nobody's copy of a comment of ours counts as ours.
    async #readAuthor() {
        if (this.#token.startsWith('ghs_'))
            return { kind: 'bot' };
        try {
            const { id } = await (0,client/* getJson */.Tt)(this.#octokit, 'GET /user', {}, replies/* user */.kQ);
            return { kind: 'account', id };
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'forbidden', 'not-found'))
                return { kind: 'bot' };
            throw error;
        }
    }
    async isPublic() {
        const found = await (0,client/* getJson */.Tt)(this.#octokit, 'GET /repos/{owner}/{repo}', this.#repository, replies/* repository */.Jk);
        return !found.private;
    }
    rank(account) {
        const lookup = this.#ranks.get(account.id) ?? this.#lookUpRank(account);
        this.#ranks.set(account.id, lookup);
        return lookup;
    }
    async #lookUpRank({ login, id }) {
        try {
            const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
            const standing = await (0,client/* getJson */.Tt)(this.#octokit, route, { ...this.#repository, username: login }, replies/* standing */.JA);
            if (standing.user?.id === id)
                return replies/* rankOf */.IQ(standing);
            this.#log.warning(`GitHub's reply about the permission of ${(0,text_escape/* plainLine */.h0)(login, 60)} is about another account; it counts as none.`);
            return 'none';
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return 'none';
            throw (0,rank_unknown/* rankUnknown */.T)(error, login, 'GitHub');
        }
    }
    async pullRequest(number) {
        const raw = await this.#calls.read(`read pull request ${number}`, 'GET /repos/{owner}/{repo}/pulls/{number}', { number }, replies/* pullRequest */.VV);
        return replies/* toPullRequest */.c$(raw);
    }
    async pullsOfCommit(commit) {
        const route = 'GET /repos/{owner}/{repo}/commits/{commit}/pulls';
        const what = `read the pull requests of commit ${commit.slice(0, 12)}`;
        return (await this.#calls.list(what, route, { commit }, replies/* numbered */.jN)).map(({ number }) => number);
    }
    defaultFile(path, maxBytes) {
        return readDefaultFile(this.#calls, path, maxBytes);
    }
    /** From the pull request's own list, which ends at 3,000 files; the list of a comparison ends at 300. */
    async files(number) {
        const what = `read the files of pull request ${number}`;
        const files = await this.#calls.list(what, 'GET /repos/{owner}/{repo}/pulls/{number}/files', { number }, replies/* file */.NJ);
        return files.map(replies/* toFile */.eZ);
    }
    async comments(number) {
        const what = `read the comments of pull request ${number}`;
        const route = 'GET /repos/{owner}/{repo}/issues/{number}/comments';
        return (await this.#calls.list(what, route, { number }, replies/* comment */.Im)).map(replies/* toComment */.T5);
    }
    async comment(_pullNumber, id) {
        try {
            const route = 'GET /repos/{owner}/{repo}/issues/comments/{id}';
            return replies/* toComment */.T5(await this.#calls.read(`read comment ${id}`, route, { id }, replies/* comment */.Im));
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    /** From one page of the repository's comments, those on issues included. */
    async recentComments(since, most) {
        const route = 'GET /repos/{owner}/{repo}/issues/comments';
        const query = {
            since: since.toISOString(),
            sort: 'updated',
            direction: 'desc',
            per_page: Math.min(most, forge_PAGE_SIZE),
        };
        const found = await this.#calls.read('read the latest comments', route, query, schemas/* array */.YOg(replies/* comment */.Im));
        return found.flatMap((raw) => {
            const number = /\/pull\/([1-9]\d{0,9})#/.exec(raw.html_url)?.[1];
            return number === undefined ? [] : [{ ...replies/* toComment */.T5(raw), pullNumber: Number(number) }];
        });
    }
    async reviewComments(number) {
        const what = `read the review comments of pull request ${number}`;
        const route = 'GET /repos/{owner}/{repo}/pulls/{number}/comments';
        return (await this.#calls.list(what, route, { number }, replies/* reviewComment */.S$)).map(replies/* toReviewComment */.nh);
    }
    /** Needs `contents: read` in a private repository. The repository is the head's: a fork keeps its own record of pushes. */
    async headPushedAtMs({ head }) {
        if (head.repository === undefined)
            return undefined;
        try {
            const query = { ...splitName(head.repository), ref: `refs/heads/${head.ref}`, per_page: 10 };
            const found = await (0,client/* getJson */.Tt)(this.#octokit, 'GET /repos/{owner}/{repo}/activity', query, replies/* activities */.A9);
            const last = found.find(({ activity_type: type }) => PUSHES.has(type));
            const atMs = Date.parse(last?.timestamp ?? '');
            // A record of another commit is late, or early: it says nothing about this one.
            return last?.after === head.sha && !Number.isNaN(atMs) ? atMs : undefined;
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'forbidden', 'not-found', 'config'))
                return undefined;
            throw error;
        }
    }
    async labelledBy(number, label) {
        const what = `read the events of pull request ${number}`;
        const route = 'GET /repos/{owner}/{repo}/issues/{number}/events';
        const events = await this.#calls.list(what, route, { number }, replies/* issueEvent */.eM);
        const last = events.findLast((event) => event.event === 'labeled' && event.label?.name === label);
        return last?.actor ? replies/* toAccount */.tf(last.actor) : undefined;
    }
    async react({ place, id }, content) {
        // GitHub's REST API has no reactions to the text of a review.
        if (place === 'review')
            return 'none';
        const { reactions } = this.#octokit.rest;
        const create = place === 'conversation' ? reactions.createForIssueComment : reactions.createForPullRequestReviewComment;
        const { status } = await (0,needing/* needing */.h)(`react to comment ${id} of ${this.#name}`, () => create({ ...this.#repository, comment_id: id, content }));
        return status === 201 ? 'new' : 'known';
    }
    async hasReacted({ place, id }, content) {
        if (place === 'review')
            return undefined;
        const folder = place === 'conversation' ? 'issues' : 'pulls';
        const own = await this.whoWeAre();
        const what = `read the reactions to comment ${id}`;
        const route = `GET /repos/{owner}/{repo}/${folder}/comments/{id}/reactions`;
        const found = await this.#calls.list(what, route, { id, content }, replies/* reaction */.mJ);
        return found.some(({ user, content: given }) => given === content && (own.kind === 'bot' ? user?.type === 'Bot' : user?.id === own.id));
    }
    async createComment(number, body) {
        const route = 'POST /repos/{owner}/{repo}/issues/{number}/comments';
        const made = await this.#calls.read(`comment on pull request ${number}`, route, { number, body }, replies/* ownComment */.w7);
        return { id: made.id, url: made.html_url };
    }
    async updateComment(_pullNumber, id, body) {
        await (0,needing/* needing */.h)(`update comment ${id} of ${this.#name}`, () => this.#octokit.rest.issues.updateComment({ ...this.#repository, comment_id: id, body }));
    }
    async removeComment(_pullNumber, id) {
        try {
            await (0,needing/* needing */.h)(`delete comment ${id} of ${this.#name}`, () => this.#octokit.rest.issues.deleteComment({ ...this.#repository, comment_id: id }));
        }
        catch (error) {
            if (!(0,errors/* hasCode */.up)(error, 'not-found'))
                throw error;
        }
    }
}


/***/ }),

/***/ 4236:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   h: () => (/* binding */ needing)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);

/** Names what failed, and the permission to add where a job may not have given it to its token. */
async function needing(what, call, permissions = { 'pull-requests': 'write' }) {
    try {
        return await call();
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden') && error.lacksPermission) {
            throw error.with({
                message: `The token may not ${what}.`,
                hint: { text: 'Give the token of the job the permission:', permissions },
            });
        }
        if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'not-found'))
            throw error;
        throw error.with({
            message: `The token cannot ${what}: GitHub does not find it (404).`,
            // GitHub answers 404 about what a token may not see.
            hint: { text: 'It does not exist, or the token of the job lacks the permission:', permissions },
        });
    }
}


/***/ }),

/***/ 9501:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ rankUnknown)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4502);


/** A failed question about what an account may do: `network` unless the reason is clear, and never a "no". */
function rankUnknown(error, login, forgeName) {
    if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw) || error.code === 'cancelled')
        return error;
    const isClear = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden', 'unauthorized', 'rate-limited');
    return error.with({
        code: isClear ? error.code : 'network',
        message: `The permission of ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(login, 60)} could not be looked up, so nothing was sent. ${error.message}`,
        hint: error.hint ?? `Run the job again when ${forgeName} answers.`,
    });
}


/***/ }),

/***/ 6330:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Tt: () => (/* binding */ getJson),
/* harmony export */   Xw: () => (/* binding */ readReply),
/* harmony export */   _w: () => (/* binding */ listAll),
/* harmony export */   createOctokit: () => (/* binding */ createOctokit)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _http_http_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9588);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4502);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6691);





// RFC 9110, section 9.2.2, and PATCH as GitHub's REST API has it: these set a state, and setting it twice does no harm.
const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']);
const ATTEMPT_TIMEOUT_MS = 60_000;
// A page of a hundred comments of 64 KiB, each character escaped, is below this.
const MAX_BODY_BYTES = 48 * 1024 ** 2;
const MAX_REDIRECTS = 3;
/** Loads Octokit, and gives it our own `fetch`: limits, retries, proxies and errors are those of src/http. */
async function createOctokit(init) {
    const [{ Octokit: Core }, { restEndpointMethods }, { paginateRest }] = await Promise.all([
        __webpack_require__.e(/* import() */ 5194).then(__webpack_require__.bind(__webpack_require__, 5194)),
        __webpack_require__.e(/* import() */ 9210).then(__webpack_require__.bind(__webpack_require__, 9210)),
        __webpack_require__.e(/* import() */ 3779).then(__webpack_require__.bind(__webpack_require__, 3779)),
    ]);
    const silent = () => { };
    const octokit = new (Core.plugin(restEndpointMethods, paginateRest))({
        auth: init.token,
        baseUrl: init.apiUrl,
        userAgent: 'docs-courier',
        log: { debug: silent, info: silent, warn: silent, error: silent },
    });
    const fetcher = new GitHubFetch(init);
    octokit.hook.wrap('request', async (request, options) => {
        const { method, url, request: given = {} } = options;
        const name = callName(method, url, options);
        // Set in place: Octokit binds its own hooks to this object and drops another one. `options.request` itself is shared by all
        // calls, so that gets a copy.
        options.request = {
            ...given,
            fetch: (address, sent) => fetcher.fetch(name, address, { ...sent, signal: given.signal }),
        };
        try {
            return await request(options);
        }
        catch (error) {
            // Octokit wraps what its `fetch` throws.
            throw error instanceof Error && error.cause instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw ? error.cause : error;
        }
    });
    return octokit;
}
/** Method and path, such as `GET /repos/acme/docs`, with the values in place of the names in braces. */
function callName(method, url, values) {
    const template = (URL.canParse(url) ? new URL(url).pathname : url.split('?')[0]) ?? '';
    const path = template.replace(/\{(\w+)\}/g, (placeholder, name) => {
        const value = values[name];
        return typeof value === 'string' || typeof value === 'number' ? encodeURIComponent(value) : placeholder;
    });
    return `GitHub ${method} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(path, 200)}`;
}
class GitHubFetch {
    #http;
    #init;
    #origin;
    constructor(init) {
        this.#http = init.http ?? new _http_http_js__WEBPACK_IMPORTED_MODULE_1__/* .Http */ .l(init);
        this.#init = init;
        this.#origin = new URL(init.apiUrl).origin;
    }
    /**
     * A `fetch` that gives a reply only when it has been read whole. Octokit takes a body that could not be read for an empty one, and
     * an empty reply for a success: what was cut, or is no JSON where JSON is promised, must not get that far.
     */
    async fetch(name, address, sent) {
        let url = new URL(address);
        for (let hops = 0;; hops += 1) {
            this.#checkHost(name, url);
            const reply = await this.#http.request(this.#request(name, url, sent));
            const next = redirectOf(reply, url);
            if (next === undefined)
                return responseOf(reply, url);
            if (hops >= MAX_REDIRECTS)
                throw tooManyRedirects(name);
            url = next;
        }
    }
    /** The token goes to the API's own address only, also where a link or a redirect in a reply names another. */
    #checkHost(name, url) {
        if (url.origin === this.#origin)
            return;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
            code: 'protocol',
            message: `${name} was not sent: a reply of GitHub leads to another host, ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(url.origin, 100)}, and the token must not travel there.`,
            hint: 'If a proxy is between the runner and GitHub, check whether it changes replies.',
        });
    }
    #request(name, url, { method, headers, body, signal }) {
        const totalMs = this.#init.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
        const verb = methodOf(method);
        const isRead = verb === 'GET' || verb === 'HEAD';
        const promisesJson = verb !== 'HEAD' && (headers['accept'] ?? '').includes('json');
        return {
            service: githubService,
            name,
            method: verb,
            url,
            headers,
            body: typeof body === 'string' ? body : undefined,
            repeat: REPEATABLE_METHODS.has(verb) ? 'always' : 'unless-acted',
            limits: {
                headersMs: Math.min(30_000, totalMs),
                idleMs: Math.min(30_000, totalMs),
                totalMs,
                bodyBytes: MAX_BODY_BYTES,
            },
            signal: signal ?? this.#init.signal,
            // A repository that was renamed answers with a redirect; one that would turn a write into a read is refused.
            accepts: ({ status }) => (status >= 200 && status < 300) ||
                status === 307 ||
                status === 308 ||
                (isRead && (status === 301 || status === 302)),
            check: (reply) => (promisesJson ? jsonProblem(reply, isRead) : undefined),
        };
    }
}
function methodOf(method) {
    switch (method) {
        case 'GET':
        case 'HEAD':
        case 'POST':
        case 'PUT':
        case 'PATCH':
        case 'DELETE':
            return method;
        default:
            throw new Error(`no GitHub call has the method ${method}`);
    }
}
/** What is wrong with a reply that promises JSON. Writes are answered without a body in places, which then says so. */
function jsonProblem(reply, isRead) {
    const { status, headers, body, lengthKnown } = reply;
    if (status === 204 || status === 205 || status >= 300)
        return undefined;
    if (body.length === 0 && !isRead && lengthKnown)
        return undefined;
    if (!(0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isJsonType */ .vs)(headers['content-type']))
        return 'its content type is not JSON';
    return (0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .parseJson */ .qF)(body.toString('utf8')) === undefined ? 'it is not JSON' : undefined;
}
function redirectOf(reply, url) {
    if (reply.status < 300)
        return undefined;
    const { location = '' } = reply.headers;
    return URL.canParse(location, url.href) ? new URL(location, url) : new URL('about:blank');
}
function tooManyRedirects(name) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `${name} was redirected more than ${MAX_REDIRECTS} times.`,
        hint: 'If a proxy is between the runner and GitHub, check whether it changes replies.',
    });
}
/** The reply as Octokit reads it. Our encoding headers are dropped: the body is decoded already. */
function responseOf(reply, url) {
    const headers = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) {
        if (value === undefined || name === 'content-encoding' || name === 'content-length')
            continue;
        headers.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
    const hasBody = reply.status !== 204 && reply.status !== 205;
    const response = new Response(hasBody ? new Uint8Array(reply.body) : null, { status: reply.status, headers });
    return Object.defineProperty(response, 'url', { value: url.href });
}
/** GitHub's REST API as the HTTP ground sees it. */
const githubService = {
    name: 'GitHub',
    addressSetting: 'the address of the API (GITHUB_API_URL)',
    errorText: messageOf,
    meaning,
};
const errorData = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ message: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() });
/** GitHub's own words in an error reply; empty where there are none. */
function messageOf(reply) {
    const parsed = errorData.safeParse((0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .parseJson */ .qF)(reply.body.toString('utf8')));
    return parsed.success ? parsed.data.message : '';
}
// The texts with which GitHub refuses a token that lacks a permission or a role, and those of its rate limits. Both come with
// status 403, and GitHub documents the text as the difference: this is the one place where a text decides.
// https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
const LACKS_PERMISSION = /resource not accessible by|must have .*\brights\b|must be an? .*\b(owner|admin|administrator|member)\b|do(es)? not have .*\b(permission|access)\b/i;
const RATE_LIMIT = /\brate limit\b|\babuse detection\b/i;
/** True where the reply says that the token lacks a permission; any other 403 has another reason. */
function saysPermissionIsMissing(message) {
    return LACKS_PERMISSION.test(message) && !RATE_LIMIT.test(message);
}
const SECONDARY_LIMIT_MS = 60_000;
const SHORTEST_WAIT_MS = 1000;
function meaning(reply, context) {
    const waitMs = rateLimitMs(reply, context);
    if (waitMs !== undefined)
        return { code: 'rate-limited', retry: 'safe', retryAfterMs: waitMs };
    switch (reply.status) {
        case 401:
            return { hint: 'The token was not accepted: it may have expired or been revoked.' };
        case 403:
            return { hint: permissionHint(reply), lacksPermission: saysPermissionIsMissing(messageOf(reply)) };
        default:
            return reply.status >= 500
                ? { hint: 'GitHub had a problem of its own. See its status page, and run again later.' }
                : undefined;
    }
}
/**
 * How long a primary or secondary rate limit asks to wait; undefined: no limit was hit. The rules are GitHub's:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
function rateLimitMs(reply, { nowMs, throttles, retryAfterMs }) {
    const { status, headers } = reply;
    if (status !== 403 && status !== 429)
        return undefined;
    const message = messageOf(reply);
    if (status === 403 && saysPermissionIsMissing(message))
        return undefined;
    if (retryAfterMs !== undefined)
        return retryAfterMs;
    const reset = Number(headers['x-ratelimit-reset']);
    if (headers['x-ratelimit-remaining'] === '0' && Number.isSafeInteger(reset)) {
        return Math.max(SHORTEST_WAIT_MS, reset * 1000 - nowMs);
    }
    // "Otherwise, wait for at least one minute before retrying", and then longer each time.
    return status === 429 || RATE_LIMIT.test(message) ? SECONDARY_LIMIT_MS * 2 ** throttles : undefined;
}
/** The permission that GitHub names in the header of a refusal. */
function permissionHint(reply) {
    if (!saysPermissionIsMissing(messageOf(reply)))
        return undefined;
    const accepted = reply.headers['x-accepted-github-permissions'];
    // Alternatives are separated by `;`, permissions that are needed together by `,`; the first alternative is the narrowest.
    const first = typeof accepted === 'string' ? (accepted.split(';')[0] ?? '') : '';
    const pairs = [...first.matchAll(/\b([a-z_]{3,40})=(read|write)\b/g)];
    const text = 'The token lacks a permission that this call needs.';
    if (pairs.length === 0)
        return { text };
    const permissions = {};
    for (const [, name = '', level] of pairs)
        permissions[name.replaceAll('_', '-')] = level === 'read' ? 'read' : 'write';
    return { text, permissions };
}
/**
 * What a reply of GitHub says, as the schema has it; `protocol` where a field is missing or of another kind, naming route
 * and field. `route` is such as `GET /repos/{owner}/{repo}`.
 */
function readReply(schema, data, route) {
    const result = schema.safeParse(data);
    if (result.success)
        return result.data;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `GitHub's reply${route === undefined ? '' : ` to ${route}`} does not fit: ${(0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .describeIssues */ .wF)(result.error.issues)}.`,
        hint: 'If a proxy is between the runner and GitHub, check whether it changes replies.',
        // The call itself was answered: a write took place.
        mayHaveStarted: true,
    });
}
/**
 * Makes one call and reads its JSON: `getJson(octokit, 'GET /repos/{owner}/{repo}', { owner, repo }, z.object({ id: z.number() }))`.
 * For every method; throws what the call throws, and `protocol` where the reply does not fit.
 */
async function getJson(octokit, route, parameters, schema) {
    const { data } = await octokit.request(route, { ...parameters });
    return readReply(schema, data, route);
}
const PAGE_SIZE = 100;
/**
 * All items of a list, page by page along GitHub's `link` headers, at most `maxItems`. A list in an object, such as
 * `{ total_count, secrets: [] }`, is taken out of it. A page whose link leads to another host is refused.
 */
async function listAll(octokit, route, parameters, schema, maxItems = 10_000) {
    const page = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .array */ .YOg(schema);
    const items = [];
    for await (const { data } of octokit.paginate.iterator(route, { per_page: PAGE_SIZE, ...parameters })) {
        items.push(...readReply(page, data, route));
        if (items.length > maxItems)
            return { items: items.slice(0, maxItems), isComplete: false };
    }
    return { items, isComplete: true };
}


/***/ })

};
