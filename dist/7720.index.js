export const id = 7720;
export const ids = [7720];
export const modules = {

/***/ 5339:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GitHubDeployments: () => (/* binding */ GitHubDeployments)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _github_reply_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(177);



/** Our deployments among others of the same environment. */
const TASK = 'docs-courier';
const deployment = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig(),
    task: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    payload: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .unknown */ .L5J(),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
});
const status = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    state: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    log_url: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    target_url: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP())),
});
/** Deployments of one environment of a repository: https://docs.github.com/rest/deployments/deployments. */
class GitHubDeployments {
    #octokit;
    #parameters;
    constructor(octokit, repository, environment) {
        const [owner = '', repo = ''] = repository.split('/');
        this.#octokit = octokit;
        this.#parameters = { owner, repo, environment };
    }
    /** The last ones of ours, newest first. */
    listOurs() {
        return this.#list({ task: TASK });
    }
    /** Those that others have made for a commit. */
    async listOthers(sha) {
        return (await this.#list({ sha })).filter(({ isOurs }) => !isOurs);
    }
    async #list(filter) {
        const parameters = { ...this.#parameters, ...filter, per_page: 30 };
        const found = await this.#call('read the deployments', () => (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .getJson */ .Tt)(this.#octokit, 'GET /repos/{owner}/{repo}/deployments', parameters, zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(deployment)));
        return found.map(({ id, task, payload, created_at: at }) => ({
            id,
            isOurs: task === TASK,
            payload,
            createdAtMs: Date.parse(at),
        }));
    }
    /** States with the pages of their runs, newest first. */
    async statuses(id) {
        const route = 'GET /repos/{owner}/{repo}/deployments/{id}/statuses';
        const found = await this.#call(`read deployment ${id}`, () => (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .getJson */ .Tt)(this.#octokit, route, { ...this.#parameters, id }, zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(status)));
        return found.map(({ state, log_url: log, target_url: target }) => ({ state, logUrl: log || target || '' }));
    }
    /**
     * Neither merges anything first, nor waits for checks of the commit: both are what GitHub does unless it is asked not to.
     * Throws `config` where the repository does not have the commit.
     */
    async create({ sha, description, payload }) {
        const body = { ref: sha, task: TASK, auto_merge: false, required_contexts: [], description, payload };
        const reply = await this.#call('make a deployment', () => this.#octokit.request('POST /repos/{owner}/{repo}/deployments', { ...this.#parameters, ...body })).catch((error) => {
            throw (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'config', 'protocol') && error.httpStatus === 422 ? unknownCommit(error, sha) : error;
        });
        return (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .readReply */ .Xw)(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig() }), reply.data, 'POST /repos/{owner}/{repo}/deployments').id;
    }
    /** Leaves deployments of others in the environment as they are, which `auto_inactive` would not. */
    async report(id, { state, description, logUrl, environmentUrl }) {
        const route = 'POST /repos/{owner}/{repo}/deployments/{id}/statuses';
        const addresses = {
            ...(logUrl !== undefined && { log_url: logUrl }),
            ...(environmentUrl !== undefined && { environment_url: environmentUrl }),
        };
        const { owner, repo } = this.#parameters;
        await this.#call(`report the state of deployment ${id}`, () => this.#octokit.request(route, { owner, repo, id, state, description, auto_inactive: false, ...addresses }));
    }
    async #call(what, call) {
        try {
            return await call();
        }
        catch (error) {
            const isRefused = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden') && error.lacksPermission;
            // GitHub answers 404 about what a token may not see.
            if (!isRefused && !(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'not-found'))
                throw error;
            throw error.with({
                message: `github-token may not ${what} of environment ${this.#parameters.environment}. ${error.message}`,
                hint: { text: 'Give the token of the job the permission:', permissions: { deployments: 'write' } },
            });
        }
    }
}
function unknownCommit(error, sha) {
    return error.with({
        code: 'config',
        message: `GitHub makes no deployment of commit ${sha}. ${error.message}`,
        hint: 'The commit must be in the repository of the run. A deployment cannot be made for one that was removed from it.',
    });
}


/***/ }),

/***/ 177:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Tt: () => (/* binding */ getJson),
/* harmony export */   Xw: () => (/* binding */ readReply),
/* harmony export */   _w: () => (/* binding */ listAll)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _http_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6102);



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
        message: `GitHub's reply${route === undefined ? '' : ` to ${route}`} does not fit: ${(0,_http_json_js__WEBPACK_IMPORTED_MODULE_1__/* .describeIssues */ .w)(result.error.issues)}.`,
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
    const page = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(schema);
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
