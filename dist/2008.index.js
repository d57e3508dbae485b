export const id = 2008;
export const ids = [2008];
export const modules = {

/***/ 2008:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   localGitHub: () => (/* binding */ localGitHub)
/* harmony export */ });
/* harmony import */ var node_child_process__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1421);
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7975);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4502);




const run = (0,node_util__WEBPACK_IMPORTED_MODULE_1__.promisify)(node_child_process__WEBPACK_IMPORTED_MODULE_0__.execFile);
/**
 * GitHub as a person reaches it from their own machine: the repository is that of the folder, and what they ask for is asked
 * with their own token, as if they had started a workflow by hand. `config` where the folder is of no repository of GitHub.
 */
async function localGitHub(github, { env, workspace }) {
    const { serverUrl } = github.run;
    const repository = env.GITHUB_REPOSITORY || repositoryOf(await originOf(workspace), serverUrl);
    if (repository === undefined || !/^[\w.-]+\/[\w.-]+$/.test(repository))
        throw noRepository(serverUrl);
    return { ...github, run: { ...github.run, repository, eventName: 'workflow_dispatch' } };
}
async function originOf(folder) {
    try {
        const { stdout } = await run('git', ['config', '--get', 'remote.origin.url'], { cwd: folder, timeout: 10_000 });
        return stdout.trim();
    }
    catch {
        // No git, or no repository: the caller says what to do.
        return '';
    }
}
/** Of `https://HOST/OWNER/NAME.git`, `git@HOST:OWNER/NAME.git` and `ssh://git@HOST/OWNER/NAME`. */
function repositoryOf(remote, serverUrl) {
    const host = new URL(serverUrl).host.toLowerCase();
    const found = /^(?:(?:https?|ssh):\/\/(?:[^@/]*@)?([^/]+)\/|(?:[^@/]+@)([^:/]+):)([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(remote);
    return (found?.[1] ?? found?.[2])?.toLowerCase() === host ? found?.[3] : undefined;
}
function noRepository(serverUrl) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw({
        code: 'config',
        message: `This folder is no clone of a repository on ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .plainLine */ .h0)(serverUrl, 100)} whose remote is called origin. Nothing was sent.`,
        hint: 'Run the command in a clone, or set the variable GITHUB_REPOSITORY to OWNER/NAME. For a server of your own, set GITHUB_SERVER_URL and GITHUB_API_URL too.',
    });
}


/***/ })

};
