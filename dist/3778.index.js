export const id = 3778;
export const ids = [3778];
export const modules = {

/***/ 3778:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   isRunOver: () => (/* binding */ isRunOver),
/* harmony export */   outcomeOfAttempt: () => (/* binding */ outcomeOfAttempt)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _gitea_api_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1512);



const jobs = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    jobs: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), status: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), runner_name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()) }))),
});
const task = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig(), name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), run_number: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig(), status: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP() });
const tasks = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ workflow_runs: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(task)), total_count: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig() });
// Newest first: a run whose attempts are further back is too old to be compared with.
const MAX_PAGES = 4;
const PAGE_SIZE = 50;
/**
 * What an earlier attempt of this run came to. Gitea keeps the last attempt of each job, and of the earlier ones a task each,
 * with the outcome of the whole job: `failed` says that its step failed, or a later one. Needs `actions: read`.
 */
async function outcomeOfAttempt(run, attempt, token, http) {
    const { serverUrl, repository, runId, runAttempt, runnerName } = run.github;
    const api = new _gitea_api_js__WEBPACK_IMPORTED_MODULE_1__/* .GiteaApi */ .H(http, serverUrl, token);
    const folder = ['repos', ...repository.split('/'), 'actions'];
    try {
        const all = await api.read({ method: 'GET', path: [...folder, 'runs', runId, 'jobs'] }, jobs);
        const here = (all.jobs ?? []).filter(({ status, runner_name: runner }) => status === 'in_progress' && (!runnerName || runner === runnerName));
        const [own] = here;
        if (own === undefined || here.length > 1)
            return 'unknown';
        const found = await findTasks(api, folder, { name: own.name, number: Number(run.env.GITHUB_RUN_NUMBER) }, runAttempt);
        // An attempt that no runner took has no task: then it is not known which one is which.
        if (found.length !== runAttempt)
            return 'unknown';
        return found[attempt - 1]?.status === 'failure' ? 'failed' : 'unknown';
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden', 'not-found', 'protocol'))
            return 'unknown';
        throw error;
    }
}
/** The tasks of one job of one run, oldest first. */
async function findTasks(api, folder, own, count) {
    const found = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
        const query = { page, limit: PAGE_SIZE };
        const reply = await api.read({ method: 'GET', path: [...folder, 'tasks'], query }, tasks);
        const entries = reply.workflow_runs ?? [];
        found.push(...entries.filter(({ name, run_number: number }) => name === own.name && number === own.number));
        if (found.length >= count || page * PAGE_SIZE >= reply.total_count)
            break;
    }
    return found.sort((a, b) => a.id - b.id);
}
const runStatus = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ status: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP() });
/** Whether another run of the repository has ended; undefined: the server does not say. Needs `actions: read`. */
async function isRunOver(run, runId, token, http) {
    const { serverUrl, repository } = run.github;
    if (!/^[1-9]\d{0,18}$/.test(runId))
        return undefined;
    try {
        const path = ['repos', ...repository.split('/'), 'actions', 'runs', runId];
        const { status } = await new _gitea_api_js__WEBPACK_IMPORTED_MODULE_1__/* .GiteaApi */ .H(http, serverUrl, token).read({ method: 'GET', path }, runStatus);
        return status === 'completed';
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden', 'not-found', 'protocol'))
            return undefined;
        throw error;
    }
}


/***/ }),

/***/ 1512:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ GiteaApi)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6691);



// https://docs.gitea.com/api/: `APIError`.
const errorBody = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ message: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP() });
const service = {
    name: 'Gitea',
    addressSetting: 'forge-url',
    errorText: (reply) => {
        const parsed = errorBody.safeParse((0,_text_json_js__WEBPACK_IMPORTED_MODULE_1__/* .parseJson */ .qF)(reply.body.toString('utf8')));
        return parsed.success ? parsed.data.message : undefined;
    },
    meaning,
};
function meaning({ status }) {
    switch (status) {
        case 401:
            return { hint: 'The token is not accepted: it was deleted, or it is for another server.' };
        case 403:
            return { lacksPermission: true };
        case 422:
            return { code: 'config' };
        default:
            return undefined;
    }
}
/** The REST API of a Gitea or Forgejo server, with one token. Throws a CourierError, and only that. */
class GiteaApi {
    #http;
    #serverUrl;
    #token;
    /** `serverUrl` is the address of the server, which may have a path, without a trailing slash. */
    constructor(http, serverUrl, token) {
        if (!URL.canParse(serverUrl)) {
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
                code: 'config',
                message: `The address of the Gitea server, "${serverUrl}", is no URL. Nothing was sent.`,
                hint: { text: 'Give the address of the server.', inputs: { 'forge-url': 'https://gitea.example.com' } },
            });
        }
        this.#http = http;
        this.#serverUrl = serverUrl;
        this.#token = token;
    }
    send(request) {
        return this.#http.request(this.#outgoing(request));
    }
    /** The reply's JSON as the schema has it; `protocol` where it does not fit. */
    async read(request, schema) {
        return (await this.readReply(request, schema)).value;
    }
    /** As `read`, with the headers. */
    readReply(request, schema) {
        return this.#http.requestJson(this.#outgoing(request), schema);
    }
    /**
     * All entries of a list that has pages. A server may give fewer entries a page than were asked for; the count that it
     * reports, or an empty page, is the end.
     */
    async readAll(request, entry) {
        const all = [];
        for (let page = 1; page <= MAX_PAGES; page += 1) {
            const query = { ...request.query, limit: PAGE_SIZE, page };
            const { value, reply } = await this.#http.requestJson(this.#outgoing({ ...request, query }), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(entry));
            all.push(...value);
            const total = Number(reply.headers['x-total-count'] ?? Number.NaN);
            if (value.length === 0 || all.length >= total || (Number.isNaN(total) && value.length < PAGE_SIZE))
                return all;
        }
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
            code: 'protocol',
            message: `The list ${request.path.join('/')} has more than ${MAX_PAGES} pages.`,
        });
    }
    #outgoing({ path, query = {}, body, repeat = 'always', ...rest }) {
        const url = new URL(`${this.#serverUrl}/api/v1/${path.map(encodeURIComponent).join('/')}`);
        for (const [name, value] of Object.entries(query))
            url.searchParams.set(name, String(value));
        return {
            ...rest,
            service,
            url,
            repeat,
            headers: {
                accept: 'application/json',
                authorization: `token ${this.#token}`,
                ...(body !== undefined && { 'content-type': 'application/json' }),
            },
            ...(body !== undefined && { body: JSON.stringify(body) }),
        };
    }
}
// What servers give at most, unless they are set up otherwise: https://docs.gitea.com/administration/config-cheat-sheet#api-api
const PAGE_SIZE = 50;
// Far more than anybody has; a reply that never ends must not keep us.
const MAX_PAGES = 100;


/***/ })

};
