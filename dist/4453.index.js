export const id = 4453;
export const ids = [4453];
export const modules = {

/***/ 4453:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   isRunOver: () => (/* binding */ isRunOver),
/* harmony export */   outcomeOfAttempt: () => (/* binding */ outcomeOfAttempt)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _github_reply_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(177);



const step = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), number: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .number */ .aig(), status: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), conclusion: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()) });
const job = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    status: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    conclusion: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    runner_name: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    steps: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(step)),
});
const jobs = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ jobs: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(job) });
/**
 * What this step did in an earlier attempt of this run, by GitHub's list of jobs:
 * https://docs.github.com/rest/actions/workflow-jobs#list-jobs-for-a-workflow-run-attempt. Needs `actions: read` in a
 * private repository; without it the answer is `unknown`.
 */
async function outcomeOfAttempt(github, attempt, token) {
    try {
        const now = await listJobs(github, github.run.runAttempt, token);
        const [own, ...others] = now.filter((one) => isRunningHere(one, github.run.runnerName));
        const ownStep = own?.steps?.find(({ status }) => status === 'in_progress');
        // Names are all that connects two attempts: they must say which job and step this is.
        if (own === undefined || others.length > 0 || ownStep === undefined)
            return 'unknown';
        const earlier = (await listJobs(github, attempt, token)).filter(({ name }) => name === own.name);
        const [before] = earlier;
        return before === undefined || earlier.length > 1 ? 'unknown' : outcomeIn(before, ownStep);
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden', 'not-found', 'protocol'))
            return 'unknown';
        throw error;
    }
}
async function listJobs({ connect, run }, attempt, token) {
    const octokit = await connect(token);
    const [owner = '', repo = ''] = run.repository.split('/');
    // A run with more jobs than a page holds has too many to find one by its name.
    const { data } = await octokit.rest.actions.listJobsForWorkflowRunAttempt({
        owner,
        repo,
        run_id: Number(run.runId),
        attempt_number: attempt,
        per_page: 100,
    });
    return (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .readReply */ .Xw)(jobs, data).jobs;
}
function isRunningHere({ status, runner_name: runner }, runnerName) {
    return status === 'in_progress' && (runnerName === undefined || runnerName === '' || runner === runnerName);
}
function outcomeIn({ status, conclusion, steps = [] }, own) {
    if (status !== 'completed')
        return 'unknown';
    // Such a job never got a runner.
    if (steps.length === 0)
        return conclusion === 'success' ? 'unknown' : 'not-reached';
    const before = steps.find(({ name, number }) => name === own.name && number === own.number);
    switch (before?.conclusion) {
        case 'skipped':
            return 'not-reached';
        case 'failure':
            return 'failed';
        case 'success':
            return 'passed';
        default:
            return 'unknown';
    }
}
const runStatus = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ status: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()) });
/** Whether another run of the repository has ended; undefined: GitHub does not say. Needs what `outcomeOfAttempt` does. */
async function isRunOver(github, runId, token) {
    const [owner = '', repo = ''] = github.run.repository.split('/');
    if (!/^[1-9]\d{0,18}$/.test(runId))
        return undefined;
    try {
        const octokit = await github.connect(token);
        const { data } = await octokit.rest.actions.getWorkflowRun({ owner, repo, run_id: Number(runId) });
        return (0,_github_reply_js__WEBPACK_IMPORTED_MODULE_1__/* .readReply */ .Xw)(runStatus, data).status === 'completed';
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden', 'not-found', 'protocol'))
            return undefined;
        throw error;
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
