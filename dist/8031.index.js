export const id = 8031;
export const ids = [8031,6330];
export const modules = {

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


/***/ }),

/***/ 8031:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  GitHubStore: () => (/* binding */ GitHubStore)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/stores/address.js
var stores_address = __webpack_require__(1824);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/github/client.js
var client = __webpack_require__(6330);
;// CONCATENATED MODULE: ./build/src/stores/github/target.js

function settingScope(target) {
    switch (target.scope) {
        case 'repository':
            return { path: '/repos/{owner}/{repo}/actions', parameters: ownerAndRepo(target.repository) };
        case 'environment':
            return {
                path: '/repos/{owner}/{repo}/environments/{environment_name}',
                parameters: { ...ownerAndRepo(target.repository), environment_name: pathPart(target.environment) },
            };
        case 'organization':
            return { path: '/orgs/{org}/actions', parameters: { org: target.organization } };
    }
}
// Octokit escapes `/` and what else may not be in a path, but dots alone would lead to the folder above.
function pathPart(environment) {
    if (environment !== '.' && environment !== '..')
        return environment;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `The environment is "${environment}", which cannot be part of the address of a request. Nothing was sent.`,
        hint: 'Give the name of an environment as it is shown under Settings, Environments.',
    });
}
function ownerAndRepo(repository) {
    const [owner = '', repo = ''] = repository.split('/');
    return { owner, repo };
}
/** `repository acme/app`, `environment production of acme/app`, `organization acme`. Version 1 of the state signs it. */
function targetName(target) {
    switch (target.scope) {
        case 'repository':
            return `repository ${target.repository}`;
        case 'environment':
            return `environment ${target.environment} of ${target.repository}`;
        case 'organization':
            return `organization ${target.organization}`;
    }
}
/** The resolved address with host and owner, as version 2 of the state signs it. GitHub ignores case in all of its names. */
function signedAddress(host, target, name) {
    return `github://${host}/${targetPath(target)}/${name}`.toLowerCase();
}
function targetPath(target) {
    switch (target.scope) {
        case 'repository':
            return `repo/${target.repository}`;
        case 'environment':
            return `repo/${target.repository}/env/${encodeURIComponent(target.environment.toLowerCase())}`;
        case 'organization':
            return `org/${target.organization}`;
    }
}

;// CONCATENATED MODULE: ./build/src/stores/github/access.js




const repositoryIds = schemas/* object */.Ikc({ total_count: schemas/* number */.aig(), repositories: schemas/* array */.YOg(schemas/* object */.Ikc({ id: schemas/* number */.aig() })) });
const repositoryId = schemas/* object */.Ikc({ id: schemas/* number */.aig() });
const PAGE_SIZE = 100;
// Far more repositories than an organization lists by hand; a reply that never ends must not keep us.
const MAX_PAGES = 100;
/** Who sees the secret: what the inputs say, else what it has now; undefined for the scopes that have no visibility. */
async function readAccess(settings, { visibility: wanted, selectedRepositories }, existing) {
    const { target, name } = settings;
    if (target.scope !== 'organization')
        return undefined;
    const visibility = wanted ?? existing?.visibility;
    if (visibility === undefined) {
        throw missing(`${name} is new to organization ${target.organization}`, 'secret-visibility');
    }
    if (visibility !== 'selected')
        return { visibility, repositoryIds: undefined };
    if (selectedRepositories !== undefined) {
        return { visibility, repositoryIds: await resolveIds(settings, target.organization, selectedRepositories) };
    }
    if (existing?.visibility !== 'selected')
        throw missing('With visibility selected', 'secret-selected-repositories');
    return { visibility, repositoryIds: await listSelected(settings) };
}
function missing(why, input) {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `${why}: ${input} is needed.`,
        hint: {
            text: 'Say which repositories may read the secret (selected, private or all):',
            inputs: { 'secret-visibility': 'selected', 'secret-selected-repositories': 'acme/app' },
        },
    });
}
async function resolveIds(settings, organization, names) {
    const ids = [];
    for (const name of names) {
        const fullName = name.includes('/') ? name : `${organization}/${name}`;
        ids.push(/^\d+$/.test(name) ? Number(name) : await resolveId(settings, fullName));
    }
    return [...new Set(ids)];
}
async function resolveId(settings, fullName) {
    try {
        const { data } = await settings.call('secrets', `look up ${fullName} for the secret`, (octokit) => octokit.request('GET /repos/{owner}/{repo}', ownerAndRepo(fullName)));
        return (0,client/* readReply */.Xw)(repositoryId, data).id;
    }
    catch (error) {
        if (!(0,errors/* hasCode */.up)(error, 'not-found'))
            throw error;
        throw error.with({
            message: `secret-selected-repositories names ${fullName}, which secret-token cannot see.`,
            hint: 'Check the name, give the id instead, or let the token cover the repository.',
        });
    }
}
async function listSelected(settings) {
    const { path, parameters } = settings.scope;
    const ids = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
        const { data } = await settings.call('secrets', `list the repositories that see secret ${settings.name}`, (octokit) => octokit.request(`GET ${path}/secrets/{secret_name}/repositories`, {
            ...parameters,
            secret_name: settings.name,
            per_page: PAGE_SIZE,
            page,
        }));
        const { total_count: total, repositories } = (0,client/* readReply */.Xw)(repositoryIds, data);
        ids.push(...repositories.map(({ id }) => id));
        if (repositories.length === 0 || ids.length >= total)
            break;
    }
    return ids;
}
/** The fields of a request body for it. */
function accessFields(access) {
    if (access === undefined)
        return {};
    const { visibility, repositoryIds } = access;
    return { visibility, ...(repositoryIds !== undefined && { selected_repository_ids: repositoryIds }) };
}

;// CONCATENATED MODULE: ./build/src/stores/github/permissions.js
// The action forwards every input that begins with `permission-`, also those that it does not list: the variables
// permissions of a repository and of an organization are given to it by the environment.
const ADVICE = {
    repository: {
        secrets: 'repository permission "Secrets: Read and write"',
        variables: 'repository permission "Variables: Read and write"',
        names: ['secrets', 'actions_variables'],
        yaml: tokenYaml({
            variables: 'INPUT_PERMISSION-ACTIONS-VARIABLES',
            inputs: ['permission-secrets: write # the public key and the secret'],
        }),
    },
    environment: {
        secrets: 'repository permission "Environments: Read and write"',
        variables: 'repository permission "Environments: Read and write"',
        names: ['environments'],
        yaml: tokenYaml({
            variables: undefined,
            inputs: ['permission-environments: write # public key, secret and variables of the environment'],
        }),
    },
    organization: {
        secrets: 'organization permission "Secrets: Read and write"',
        variables: 'organization permission "Variables: Read and write"',
        names: ['organization_secrets', 'organization_actions_variables'],
        yaml: tokenYaml({
            variables: 'INPUT_PERMISSION-ORGANIZATION-ACTIONS-VARIABLES',
            inputs: [
                'owner: ${{ github.repository_owner }}',
                'repositories: website, helm-charts # the token needs access to the repositories that may read the secret',
                'permission-organization-secrets: write # the public key and the secret',
            ],
        }),
    },
};
function permissionAdvice(scope) {
    return ADVICE[scope];
}
const HOMEPAGE = 'https://github.com/docs-courier/docs-courier';
/**
 * Address of GitHub's form for a new App, filled in but for the name
 * (docs.github.com: Registering a GitHub App using URL parameters). For an organization, ORGANIZATION is to be replaced.
 */
function newAppAddress(scope) {
    const owner = scope === 'organization' ? 'organizations/ORGANIZATION/' : '';
    const query = new URLSearchParams({ url: HOMEPAGE, public: 'false', webhook_active: 'false' });
    for (const name of ADVICE[scope].names)
        query.set(name, 'write');
    return `https://github.com/${owner}settings/apps/new?${query}`;
}
/**
 * Address of GitHub's form for a fine-grained personal access token, filled in but for the repositories
 * (docs.github.com: Managing your personal access tokens, URL parameters).
 */
function newTokenAddress(scope) {
    const query = new URLSearchParams({ name: 'docs-courier', expires_in: '90' });
    for (const name of ADVICE[scope].names)
        query.set(name, 'write');
    return `https://github.com/settings/personal-access-tokens/new?${query}`;
}
/** The step, and how Docs Courier gets its token, for the hint of an error. */
function appSteps({ yaml }) {
    return {
        how: 'With a GitHub App:',
        yaml: `${yaml}\n# and in the step of Docs Courier, under with:\n#   secret-token: \${{ steps.app-token.outputs.token }}`,
    };
}
function tokenYaml({ variables, inputs }) {
    const env = variables === undefined ? [] : ['  env:', `    ${variables}: write # the state variable next to the secret`];
    return [
        '- id: app-token',
        '  uses: actions/create-github-app-token@bcd2ba49218906704ab6c1aa796996da409d3eb1 # v3.2.0',
        ...env,
        '  with:',
        '    client-id: ${{ vars.DOCS_APP_CLIENT_ID }}',
        '    private-key: ${{ secrets.DOCS_APP_PRIVATE_KEY }}',
        ...inputs.map((line) => `    ${line}`),
    ].join('\n');
}

;// CONCATENATED MODULE: ./build/src/stores/github/advice.js



/** A failed call about a secret or a variable, with what the token or the inputs lack. Other errors are passed on as they are. */
function explainSettingError(error, call) {
    if (!(error instanceof errors/* CourierError */.Yw))
        return error;
    const hint = hintOf(error, call);
    if (hint === undefined)
        return error;
    return error.with({ message: `Could not ${call.action} of ${targetName(call.target)}. ${error.message}`, hint });
}
function hintOf(error, { target, kind }) {
    const advice = permissionAdvice(target.scope);
    const lacks = `secret-token needs the ${advice[kind]}.`;
    const withSteps = (text) => ({ text, steps: appSteps(advice) });
    switch (error.code) {
        case 'unauthorized':
            return withSteps(`secret-token is not accepted: it has expired (an App token lives an hour), was revoked, or is for another server. For a new one, ${lacks}`);
        case 'forbidden':
            return error.lacksPermission
                ? withSteps(lacks)
                : withSteps(`GitHub refused this, and its reply names no missing permission. If it is one, ${lacks}`);
        case 'not-found':
            return withSteps(`${whereToLook(target)} Otherwise ${lacks}`);
        case 'config':
            return withSteps(`GitHub refused the request as invalid. Check the name and the destination (${targetName(target)}); ${lacks}`);
        default:
            return error.hint;
    }
}
function whereToLook(target) {
    switch (target.scope) {
        case 'repository':
            return `Check that ${target.repository} exists and that secret-token (an App: its installation) covers it.`;
        case 'environment':
            return `Check that ${target.repository} has an environment of exactly the name "${target.environment}" (Settings, Environments) and that secret-token covers the repository.`;
        case 'organization':
            return `Check that ${target.organization} is an organization and that secret-token belongs to it.`;
    }
}
/** The workflow's own token can be granted no permission that reaches secrets: refused before any request. */
function workflowTokenError(target) {
    const advice = permissionAdvice(target.scope);
    return new errors/* CourierError */.Yw({
        code: 'forbidden',
        message: `secret-token is the workflow's own token, which can never write secrets. Nothing was sent.`,
        hint: {
            text: `Use the token of a GitHub App, or a personal access token, with the ${advice.secrets} and the ${advice.variables}.`,
            steps: appSteps(advice),
        },
    });
}

;// CONCATENATED MODULE: ./build/src/stores/github/variable.js




const variable = schemas/* object */.Ikc({ value: schemas/* string */.YjP(), updated_at: schemas/* optional */.lqM(schemas/* string */.YjP()) });
const MAX_ROUNDS = 3;
/** The Actions variable `<NAME>_STATE` next to a secret. `forbidden` is a token without the Variables permission. */
class GitHubVariable {
    #settings;
    #name;
    #access;
    /** In an organization the variable is seen by those who see the secret. */
    constructor(settings, access) {
        this.#settings = settings;
        this.#name = stateName(settings.name);
        this.#access = access;
    }
    /** undefined: there is no such variable. */
    async read() {
        try {
            const { data } = await this.#settings.call('variables', `read variable ${this.#name}`, (octokit) => octokit.request(`GET ${this.#settings.scope.path}/variables/{variable}`, this.#named));
            const { value, updated_at: updatedAt = '' } = (0,client/* readReply */.Xw)(variable, data);
            const writtenAtMs = Date.parse(updatedAt);
            return { value, writtenAtMs: Number.isNaN(writtenAtMs) ? undefined : writtenAtMs };
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    /** Sets it, whether it exists or not. */
    async write(value) {
        await this.#settings.call('variables', `write variable ${this.#name}`, () => this.#set(value));
    }
    // Not called `name`: that is the name of a field in the body, and the path's part must not become one.
    get #named() {
        return { ...this.#settings.scope.parameters, variable: this.#name };
    }
    async #set(value) {
        for (let round = 1;; round += 1) {
            try {
                return await this.#update(value);
            }
            catch (error) {
                if (!(0,errors/* hasCode */.up)(error, 'not-found'))
                    throw error;
            }
            try {
                return await this.#create(value);
            }
            catch (error) {
                // Made by someone else meanwhile, or perhaps by this very call, whose reply was lost: the update decides.
                const mayExist = (0,errors/* hasCode */.up)(error, 'conflict') || (error instanceof errors/* CourierError */.Yw && error.mayHaveStarted);
                if (!mayExist || round === MAX_ROUNDS)
                    throw error;
            }
        }
    }
    async #update(value) {
        await this.#settings.request((octokit) => octokit.request(`PATCH ${this.#settings.scope.path}/variables/{variable}`, {
            ...this.#named,
            value,
            ...accessFields(this.#access),
        }));
    }
    async #create(value) {
        const { path, parameters } = this.#settings.scope;
        await this.#settings.request((octokit) => octokit.request(`POST ${path}/variables`, {
            ...parameters,
            name: this.#name,
            value,
            ...accessFields(this.#access),
        }));
    }
}
function stateName(secretName) {
    return `${secretName}_STATE`;
}

;// CONCATENATED MODULE: ./build/src/stores/github/check.js








/** Everything that could keep a run from writing this secret, one row each. Only reads. */
async function checkGitHub(check) {
    const kind = checkToken(check);
    const name = checkName(check.settings.name);
    // The workflow's own token reaches nothing here: every further row would repeat that.
    if (kind.outcome === 'error')
        return [name, kind];
    return [
        name,
        kind,
        ...(await checkScopes(check)),
        ...(await checkEnvironment(check)),
        await checkSecret(check),
        await checkVariable(check),
    ];
}
function checkName(name) {
    const what = `name ${name}`;
    if ((0,stores_address/* isSettingName */.s9)(name) && (0,stores_address/* isSettingName */.s9)(stateName(name)))
        return { what, outcome: 'ok' };
    return {
        what,
        outcome: 'error',
        detail: 'GitHub allows capital letters, digits and underscores, not beginning with a digit or GITHUB_.',
        fix: 'Choose another name for the secret.',
    };
}
// https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/
const TOKEN_KINDS = [
    ['ghs_', 'a GitHub App installation token; it lives an hour'],
    ['github_pat_', 'a fine-grained personal access token'],
    ['ghp_', 'a classic personal access token'],
    ['gho_', 'an OAuth token'],
    ['ghu_', 'a GitHub App user token'],
];
function checkToken({ token, workflowToken, settings }) {
    const what = 'secret-token';
    if (token === workflowToken) {
        const { message, hint } = workflowTokenError(settings.target);
        return { what, outcome: 'error', detail: message, fix: hint };
    }
    const kind = TOKEN_KINDS.find(([prefix]) => token.startsWith(prefix));
    if (kind !== undefined)
        return { what, outcome: 'ok', detail: kind[1] };
    return { what, outcome: 'unknown', detail: 'a token of a kind that is not known' };
}
// Classic tokens only: GitHub lists their scopes with every reply.
async function checkScopes({ settings, connect, token }) {
    if (!/^gh[po]_/.test(token))
        return [];
    const what = 'scopes of the token';
    const needed = settings.target.scope === 'organization' ? ['admin:org'] : ['repo'];
    try {
        const octokit = await connect();
        const { headers } = await octokit.request('GET /rate_limit');
        const given = headers['x-oauth-scopes'];
        if (given === undefined)
            return [{ what, outcome: 'unknown', detail: 'GitHub does not list them.' }];
        const missing = needed.filter((scope) => !given.split(/,\s*/).includes(scope));
        if (missing.length === 0)
            return [{ what, outcome: 'ok', detail: given }];
        return [
            {
                what,
                outcome: 'error',
                detail: `It has ${given === '' ? 'none' : given}.`,
                fix: `Add the scope ${missing.join(', ')} to the token.`,
            },
        ];
    }
    catch (error) {
        return [failed(what, error)];
    }
}
const environmentReply = schemas/* object */.Ikc({
    protection_rules: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* object */.Ikc({ type: schemas/* string */.YjP() }))),
    deployment_branch_policy: schemas/* nullish */.cl6(schemas/* unknown */.L5J()),
});
async function checkEnvironment({ settings }) {
    const { target, scope } = settings;
    if (target.scope !== 'environment')
        return [];
    const what = `environment ${target.environment}`;
    try {
        const { data } = await settings.call('secrets', `read environment ${target.environment}`, (octokit) => octokit.request(`GET ${scope.path}`, { ...scope.parameters }));
        const { protection_rules: rules = [], deployment_branch_policy: policy } = (0,client/* readReply */.Xw)(environmentReply, data);
        const names = rules.map(({ type }) => type.replaceAll('_', ' '));
        if (names.length === 0 && (policy ?? undefined) === undefined)
            return [{ what, outcome: 'ok' }];
        const detail = `It has protection rules (${[...names, ...(policy ? ['branch policy'] : [])].join(', ')}). They do not keep this token from writing the secret, but a job that reads the secret waits for them.`;
        return [{ what, outcome: 'warning', detail, fix: 'See Settings, Environments.' }];
    }
    catch (error) {
        // Reading an environment needs "Actions: Read", which writing its secrets does not.
        if ((0,errors/* hasCode */.up)(error, 'forbidden')) {
            return [{ what, outcome: 'unknown', detail: 'The token may not read the rules of the environment.' }];
        }
        return [failed(what, error)];
    }
}
async function checkSecret({ settings, secret }) {
    const advice = permissionAdvice(settings.target.scope);
    const what = advice.secrets;
    try {
        await secret.readKey();
        const existing = await secret.readMetadata();
        const detail = existing === undefined ? 'The secret is new.' : `The secret was last written ${existing.updated_at}.`;
        return readable(what, detail);
    }
    catch (error) {
        return failed(what, error);
    }
}
async function checkVariable({ settings }) {
    const advice = permissionAdvice(settings.target.scope);
    const what = advice.variables;
    try {
        const found = await new GitHubVariable(settings, undefined).read();
        const name = `${stateName(settings.name)} of ${targetName(settings.target)}`;
        return readable(what, found === undefined ? `There is no variable ${name} yet.` : `Variable ${name} was read.`);
    }
    catch (error) {
        if (!(0,errors/* hasCode */.up)(error, 'forbidden'))
            return failed(what, error);
        return {
            what,
            outcome: 'warning',
            detail: 'Without it an export cannot be resumed, and mode: refresh cannot work.',
            fix: { text: 'secret-token needs it as well.', steps: appSteps(advice) },
        };
    }
}
// GitHub shows a token's permission to write only when it is used.
function readable(what, detail) {
    return {
        what,
        outcome: 'unknown',
        detail: `Reading works; whether the token may write shows at the first write. ${detail}`,
    };
}
/** With the lines to paste. */
function failed(what, error) {
    if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
        throw error;
    return { what, outcome: 'error', detail: error.message, fix: error.hint };
}

;// CONCATENATED MODULE: ./build/src/stores/github/sealed-box.js

const KEY_BYTES = 32;
/** GitHub's limit for one secret. */
const LONGEST_SECRET_BYTES = 48 * 1024;
/** Seals a secret for the holder of a public key (X25519, base64): a libsodium sealed box, base64. Two seals always differ. */
async function seal(value, publicKey) {
    const bytes = Buffer.byteLength(value);
    if (bytes === 0 || bytes > LONGEST_SECRET_BYTES) {
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: `A secret of ${bytes} bytes cannot be written: GitHub accepts 1 to ${LONGEST_SECRET_BYTES}.`,
        });
    }
    const key = readKey(publicKey);
    const { default: sodium } = await __webpack_require__.e(/* import() */ 4768).then(__webpack_require__.bind(__webpack_require__, 4768));
    await sodium.ready;
    try {
        return Buffer.from(sodium.crypto_box_seal(value, key)).toString('base64');
    }
    catch (cause) {
        throw unusableKey(cause);
    }
}
function readKey(publicKey) {
    const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(publicKey);
    const key = Buffer.from(isBase64 ? publicKey : '', 'base64');
    if (key.length !== KEY_BYTES || key.every((byte) => byte === 0))
        throw unusableKey();
    return key;
}
function unusableKey(cause) {
    return new errors/* CourierError */.Yw({
        code: 'protocol',
        message: 'The public key that GitHub gave for sealing secrets is not a usable X25519 key of 32 bytes.',
        hint: 'Nothing was written. If a proxy is between the runner and GitHub, check whether it changes replies.',
        cause,
    });
}

;// CONCATENATED MODULE: ./build/src/stores/github/secret.js







const publicKey = schemas/* object */.Ikc({ key_id: schemas/* string */.YjP(), key: schemas/* string */.YjP() });
const metadata = schemas/* object */.Ikc({
    updated_at: schemas/* string */.YjP(),
    visibility: schemas/* optional */.lqM(schemas/* enum */.k5n(['all', 'private', 'selected'])),
});
const secretList = schemas/* object */.Ikc({ total_count: schemas/* number */.aig() });
// Replicas of GitHub show a write with a delay; its timestamps have whole seconds, of another machine's clock.
const VISIBLE_WITHIN_MS = 10_000;
const READ_EVERY_MS = 1000;
const CLOCK_SLACK_MS = 5000;
// https://docs.github.com/actions/reference/security/secrets, limits.
const MAX_SECRETS = { repository: 100, environment: 100, organization: 1000 };
/** One Actions secret. All failures are CourierErrors that name the permission that is missing. */
class GitHubSecret {
    #settings;
    #clock;
    #signal;
    constructor(settings, clock, signal) {
        this.#settings = settings;
        this.#clock = clock;
        this.#signal = signal;
    }
    /** The key that a new value is sealed with. A token that cannot reach the secret fails here. */
    async readKey() {
        const { path, parameters } = this.#settings.scope;
        const { data } = await this.#settings.call('secrets', 'read the public key', (octokit) => octokit.request(`GET ${path}/secrets/public-key`, { ...parameters }));
        return (0,client/* readReply */.Xw)(publicKey, data);
    }
    /** undefined: there is no such secret. */
    async readMetadata() {
        const { path } = this.#settings.scope;
        try {
            const { data } = await this.#settings.call('secrets', `read the date of secret ${this.#settings.name}`, (octokit) => octokit.request(`GET ${path}/secrets/{secret_name}`, this.#named));
            return (0,client/* readReply */.Xw)(metadata, data);
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    /**
     * Seals and writes the value, confirms that it arrived, and gives the time of the write by GitHub's clock. An error
     * without `mayHaveStarted` is a refusal: the secret holds what it held before.
     */
    async write(value, access) {
        const before = await this.readMetadata();
        const written = await this.#put(value, access, before === undefined);
        try {
            // 201: it is new. The read is for the date alone.
            if (written.status === 201)
                return (await this.#readDate()) ?? written.atMs;
            return await this.#confirm(before, written.atMs);
        }
        catch (error) {
            throw error instanceof errors/* CourierError */.Yw ? error.with({ mayHaveStarted: true }) : error;
        }
    }
    get #named() {
        return { ...this.#settings.scope.parameters, secret_name: this.#settings.name };
    }
    async #put(value, access, isNew) {
        const key = await this.readKey();
        try {
            return await this.#putOnce(value, key, access);
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw) || error.mayHaveStarted)
                throw this.#explain(error);
            if (isNew && (await this.#isFull(error)))
                throw this.#fullError(error);
            if (error.httpStatus !== 422)
                throw this.#explain(error);
        }
        // The key may have been changed between reading it and writing: once more, with the current key.
        const current = await this.readKey();
        try {
            return await this.#putOnce(value, current, access);
        }
        catch (error) {
            throw this.#explain(error);
        }
    }
    async #putOnce(value, { key, key_id }, access) {
        const encrypted_value = await seal(value, key);
        const { path } = this.#settings.scope;
        const { status, headers } = await this.#settings.request((octokit) => octokit.request(`PUT ${path}/secrets/{secret_name}`, {
            ...this.#named,
            encrypted_value,
            key_id,
            ...accessFields(access),
        }));
        const atMs = Date.parse(headers.date ?? '');
        return { status, atMs: Number.isNaN(atMs) ? undefined : atMs };
    }
    #explain(error) {
        const { target, name } = this.#settings;
        return explainSettingError(error, { target, kind: 'secrets', action: `write secret ${name}` });
    }
    // GitHub refuses a secret beyond the limit with a status that it also uses for other reasons; the count decides.
    async #isFull(error) {
        if (error.httpStatus !== 422 && error.httpStatus !== 403)
            return false;
        const { path, parameters } = this.#settings.scope;
        try {
            const { data } = await this.#settings.request((octokit) => octokit.request(`GET ${path}/secrets`, { ...parameters, per_page: 1 }));
            return (0,client/* readReply */.Xw)(secretList, data).total_count >= MAX_SECRETS[this.#settings.target.scope];
        }
        catch (failed) {
            if (failed instanceof errors/* CourierError */.Yw && failed.code !== 'cancelled')
                return false;
            throw failed;
        }
    }
    #fullError(error) {
        const { target, name } = this.#settings;
        return error.with({
            code: 'forbidden',
            message: `Secret ${name} was not written: ${targetName(target)} already has ${MAX_SECRETS[target.scope]} secrets, which is GitHub's limit.`,
            hint: 'Delete a secret that is no longer used, use the name of an existing one, or use another scope.',
        });
    }
    async #readDate() {
        try {
            return readTime(await this.readMetadata());
        }
        catch (error) {
            if (error instanceof errors/* CourierError */.Yw && error.code !== 'cancelled')
                return undefined;
            throw error;
        }
    }
    /** A reply such as 204 shows that the secret was accepted; its date shows that it was changed. */
    async #confirm(before, writtenAtMs) {
        const endMs = this.#clock.monotonicMs() + VISIBLE_WITHIN_MS;
        for (let reads = 1;; reads += 1) {
            const now = await this.readMetadata();
            if (now !== undefined && now.updated_at !== before?.updated_at)
                return readTime(now);
            // Two writes within one second have the same date. It may also be the date from before, of a replica that is behind:
            // hence a second read, and the later one of both times.
            const sameMs = readTime(now);
            if (reads > 1 && sameMs !== undefined && writtenAtMs !== undefined && sameMs >= writtenAtMs - CLOCK_SLACK_MS) {
                return Math.max(sameMs, writtenAtMs);
            }
            if (this.#clock.monotonicMs() >= endMs)
                break;
            await this.#clock.sleep(READ_EVERY_MS, this.#signal);
        }
        const { target, name } = this.#settings;
        throw new errors/* CourierError */.Yw({
            code: 'integrity',
            message: `GitHub accepted secret ${name} of ${targetName(target)}, but still shows it unchanged after ${VISIBLE_WITHIN_MS / 1000}s.`,
            hint: 'The secret may hold the former link or the new one. Run again to write it once more.',
        });
    }
}
/** When the secret was last written, epoch milliseconds. */
function readTime(metadata) {
    const ms = Date.parse(metadata?.updated_at ?? '');
    return Number.isNaN(ms) ? undefined : ms;
}

;// CONCATENATED MODULE: ./build/src/stores/github/settings.js


/** Calls about one secret and the variable next to it. Their failures name the permission that is missing. */
class GitHubSettings {
    target;
    /** Of the secret. */
    name;
    scope;
    #connect;
    constructor(target, name, connect) {
        this.target = target;
        this.name = name;
        this.scope = settingScope(target);
        this.#connect = connect;
    }
    /** The same destination, asked with another signal. */
    with(signal) {
        return signal === undefined ? this : new GitHubSettings(this.target, this.name, () => this.#connect(signal));
    }
    /** `action` completes "Could not …", such as `read the public key`. */
    async call(kind, action, request) {
        const octokit = await this.#connect();
        try {
            return await request(octokit);
        }
        catch (error) {
            throw explainSettingError(error, { target: this.target, kind, action });
        }
    }
    /** A call whose failure the caller explains itself. */
    async request(request) {
        return request(await this.#connect());
    }
}

;// CONCATENATED MODULE: ./build/src/stores/github/store.js










/** An Actions secret, with the state in a variable next to it. */
class GitHubStore {
    names;
    signed;
    // https://docs.github.com/actions/reference/workflows-and-actions/variables: a variable holds 48 KB.
    can = { atomic: false, verify: 'date', maxStateBytes: 48_000 };
    #init;
    #settings;
    #secret;
    #access;
    constructor(init) {
        const { address, connect, clock, signal } = init;
        const target = targetOf(address, init.repository);
        this.#init = init;
        this.#settings = new GitHubSettings(target, address.name, connect);
        this.#secret = new GitHubSecret(this.#settings, clock, signal);
        this.names = {
            destination: (0,stores_address/* formatAddress */.M0)(address),
            name: address.name,
            target: targetName(target),
            link: `secret ${address.name} of ${targetName(target)}`,
            state: `variable ${stateName(address.name)} of ${targetName(target)}`,
            stateRight: permissionAdvice(target.scope).variables,
        };
        this.signed = {
            address: signedAddress(hostOf(init.serverUrl), target, address.name),
            version1: { target: targetName(target).toLowerCase(), secretName: address.name },
        };
    }
    async open() {
        const { token, workflowToken } = this.#init;
        if (token === workflowToken)
            throw workflowTokenError(this.#settings.target);
        await this.#secret.readKey();
        const existing = await this.#secret.readMetadata();
        this.#access = await readAccess(this.#settings, this.#init, existing);
        const link = existing && { writtenAtMs: readTime(existing) };
        return { link, version: undefined, ...(await this.#readState()) };
    }
    check() {
        const { token, workflowToken, connect } = this.#init;
        return checkGitHub({ settings: this.#settings, secret: this.#secret, token, workflowToken, connect });
    }
    async write({ link, state }, seen, signal) {
        const settings = this.#settings.with(signal);
        if (link !== undefined) {
            const secret = new GitHubSecret(settings, this.#init.clock, signal ?? this.#init.signal);
            return { ...seen, link: { writtenAtMs: await secret.write(link, this.#access) } };
        }
        if (state !== undefined) {
            await new GitHubVariable(settings, this.#access).write(state);
            return { ...seen, state, stateWrittenAtMs: undefined };
        }
        return seen;
    }
    async #readState() {
        try {
            const found = await new GitHubVariable(this.#settings, this.#access).read();
            return { state: found?.value, stateWrittenAtMs: found?.writtenAtMs };
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'forbidden') && error.lacksPermission)
                return { state: undefined, stateError: error };
            throw error;
        }
    }
}
function targetOf(address, current) {
    switch (address.scope) {
        case 'repository':
            return { scope: 'repository', repository: address.repository ?? current };
        case 'environment':
            return { scope: 'environment', repository: address.repository ?? current, environment: address.environment };
        case 'organization':
            return { scope: 'organization', organization: address.organization };
    }
}
/** `github.com` of `https://github.com`. */
function hostOf(serverUrl) {
    if (!URL.canParse(serverUrl)) {
        throw new errors/* CourierError */.Yw({ code: 'config', message: `The address of the GitHub server, ${serverUrl}, is no URL.` });
    }
    return new URL(serverUrl).host;
}


/***/ })

};
