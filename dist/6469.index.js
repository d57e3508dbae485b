export const id = 6469;
export const ids = [6469,6330];
export const modules = {

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

/***/ 6469:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GitHubNotices: () => (/* binding */ GitHubNotices)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _github_client_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6330);
/* harmony import */ var _needing_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4236);
/* harmony import */ var _replies_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5744);





const MAX_ISSUES = 1000;
const REPO = '/repos/{owner}/{repo}';
const mergedPull = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({
    number: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(),
    merged_at: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP()),
    merge_commit_sha: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP()),
});
const ownIssue = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ number: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .number */ .aig(), html_url: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() });
/** Lists of issues have pull requests among them, which alone have `pull_request`. */
const issue = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .extend */ .X$i(ownIssue, {
    user: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .nullable */ .mee(_replies_js__WEBPACK_IMPORTED_MODULE_3__/* .account */ .ct),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP()),
    pull_request: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .unknown */ .L5J()),
});
/** Issues and merges by GitHub's REST API. */
class GitHubNotices {
    #octokit;
    #name;
    #repository;
    constructor(octokit, fullName) {
        this.#octokit = octokit;
        this.#name = fullName;
        const [owner = '', repo = ''] = fullName.split('/');
        this.#repository = { owner, repo };
    }
    /** https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit */
    async mergedPull(commit) {
        const route = `GET ${REPO}/commits/{commit}/pulls`;
        const { items } = await (0,_needing_js__WEBPACK_IMPORTED_MODULE_2__/* .needing */ .h)(`read the pull requests of commit ${commit} of ${this.#name}`, () => (0,_github_client_js__WEBPACK_IMPORTED_MODULE_1__/* .listAll */ ._w)(this.#octokit, route, { ...this.#repository, commit }, mergedPull));
        const merged = items
            .filter(({ merged_at: at }) => typeof at === 'string')
            .sort((a, b) => ((a.merged_at ?? '') < (b.merged_at ?? '') ? 1 : -1));
        // A commit can be part of several; the one that it was made for goes first.
        const found = merged.find(({ merge_commit_sha: sha }) => sha === commit) ?? merged[0];
        return found && { number: found.number, url: found.html_url };
    }
    async openIssues() {
        const query = { ...this.#repository, state: 'open', sort: 'updated', direction: 'desc' };
        const { items } = await this.#issues('read the issues', () => (0,_github_client_js__WEBPACK_IMPORTED_MODULE_1__/* .listAll */ ._w)(this.#octokit, `GET ${REPO}/issues`, query, issue, MAX_ISSUES));
        return items
            .filter(({ pull_request: pull }) => pull === undefined)
            .map(({ number, html_url: url, user, body }) => ({
            number,
            url,
            author: user === null ? undefined : (0,_replies_js__WEBPACK_IMPORTED_MODULE_3__/* .toAccount */ .tf)(user),
            body: body ?? '',
        }));
    }
    async createIssue({ title, body, labels, assignees }) {
        const values = { ...this.#repository, title, body, labels, assignees };
        const made = await this.#issues('open an issue', () => (0,_github_client_js__WEBPACK_IMPORTED_MODULE_1__/* .getJson */ .Tt)(this.#octokit, `POST ${REPO}/issues`, values, ownIssue));
        return { number: made.number, url: made.html_url };
    }
    async updateIssue(number, { title, body }) {
        await this.#patch(number, { title, body }, 'update');
    }
    async closeIssue(number) {
        await this.#patch(number, { state: 'closed', state_reason: 'completed' }, 'close');
    }
    async #patch(number, values, what) {
        await this.#issues(`${what} issue ${number}`, () => (0,_github_client_js__WEBPACK_IMPORTED_MODULE_1__/* .getJson */ .Tt)(this.#octokit, `PATCH ${REPO}/issues/{number}`, { ...this.#repository, number, ...values }, ownIssue));
    }
    /** 410 is how GitHub answers where a repository has no issues. */
    async #issues(what, call) {
        try {
            return await (0,_needing_js__WEBPACK_IMPORTED_MODULE_2__/* .needing */ .h)(`${what} of ${this.#name}`, call, { issues: 'write' });
        }
        catch (error) {
            if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'not-found') || error.httpStatus !== 410)
                throw error;
            throw error.with({
                message: `The token cannot ${what} of ${this.#name}: issues are disabled in this repository.`,
                hint: 'Enable issues in the settings of the repository, or remove issue-on-failure.',
            });
        }
    }
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
