export const id = 1885;
export const ids = [1885];
export const modules = {

/***/ 1885:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   giteaRun: () => (/* binding */ giteaRun)
/* harmony export */ });
/** A run of Gitea or Forgejo, as agent mode needs to know it. */
function giteaRun(run, http) {
    const { runId, runAttempt, job, workflow, serverUrl, repository } = run.github;
    return {
        runId,
        runAttempt,
        job,
        workflow,
        url: run.url ?? `${serverUrl}/${repository}/actions`,
        endsUnseen: true,
        isOver: async (id, token) => {
            const { isRunOver } = await __webpack_require__.e(/* import() */ 3778).then(__webpack_require__.bind(__webpack_require__, 3778));
            return isRunOver(run, id, token, http);
        },
        outcomeOf: async (attempt, token) => {
            const { outcomeOfAttempt } = await __webpack_require__.e(/* import() */ 3778).then(__webpack_require__.bind(__webpack_require__, 3778));
            return outcomeOfAttempt(run, attempt, token, http);
        },
    };
}


/***/ })

};
