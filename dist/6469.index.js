export const id = 6469;
export const ids = [6469];
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
/* harmony import */ var _github_reply_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(177);
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
        const { items } = await (0,_needing_js__WEBPACK_IMPORTED_MODULE_2__/* .needing */ .h)(`read the pull requests of commit ${commit} of ${this.#name}`, () => (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .listAll */ ._w)(this.#octokit, route, { ...this.#repository, commit }, mergedPull));
        const merged = items
            .filter(({ merged_at: at }) => typeof at === 'string')
            .sort((a, b) => ((a.merged_at ?? '') < (b.merged_at ?? '') ? 1 : -1));
        // A commit can be part of several; the one that it was made for goes first.
        const found = merged.find(({ merge_commit_sha: sha }) => sha === commit) ?? merged[0];
        return found && { number: found.number, url: found.html_url };
    }
    async openIssues() {
        const query = { ...this.#repository, state: 'open', sort: 'updated', direction: 'desc' };
        const { items } = await this.#issues('read the issues', () => (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .listAll */ ._w)(this.#octokit, `GET ${REPO}/issues`, query, issue, MAX_ISSUES));
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
        const made = await this.#issues('open an issue', () => (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .getJson */ .Tt)(this.#octokit, `POST ${REPO}/issues`, values, ownIssue));
        return { number: made.number, url: made.html_url };
    }
    async updateIssue(number, { title, body }) {
        await this.#patch(number, { title, body }, 'update');
    }
    async closeIssue(number) {
        await this.#patch(number, { state: 'closed', state_reason: 'completed' }, 'close');
    }
    async #patch(number, values, what) {
        await this.#issues(`${what} issue ${number}`, () => (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .getJson */ .Tt)(this.#octokit, `PATCH ${REPO}/issues/{number}`, { ...this.#repository, number, ...values }, ownIssue));
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
