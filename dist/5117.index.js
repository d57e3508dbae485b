export const id = 5117;
export const ids = [5117];
export const modules = {

/***/ 6472:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   p: () => (/* binding */ readChange)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8395);

/** Payloads of GitHub and Gitea, which are alike here: only what is read. */
const label = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
const onPull = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    action: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    label: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(label),
    changes: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ added_labels: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(label)) })),
    pull_request: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ merged: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .boolean */ .zMY()), labels: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(label)) }),
});
const onPush = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    ref: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    after: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    commits: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }))),
});
const PULL_EVENTS = new Set(['pull_request', 'pull_request_target']);
const COMMIT = /^[0-9a-f]{40,64}$/;
// Each costs a request.
const MOST_COMMITS = 20;
/** What an event says of a pull request's own life; undefined: nothing. */
function readChange(eventName, payload) {
    if (eventName === 'push')
        return readPush(payload);
    const event = PULL_EVENTS.has(eventName) ? onPull.safeParse(payload) : undefined;
    if (!event?.success)
        return undefined;
    const { action, label: added, changes, pull_request: pull } = event.data;
    if (action === 'closed')
        return { kind: pull.merged === true ? 'merged' : 'closed' };
    // Of GitHub, then of Gitea.
    if (action === 'labeled' && added)
        return { kind: 'labelled', labels: [added.name] };
    if (action === 'label_updated')
        return { kind: 'labelled', labels: namesOf(changes ? changes.added_labels : pull.labels) };
    return undefined;
}
function namesOf(labels) {
    return (labels ?? []).map(({ name }) => name);
}
function readPush(payload) {
    const event = onPush.safeParse(payload);
    const branch = event.success ? /^refs\/heads\/(.+)$/.exec(event.data.ref)?.[1] : undefined;
    if (!event.success || branch === undefined)
        return undefined;
    const { after, commits } = event.data;
    const listed = (commits ?? []).map(({ id }) => id);
    // GitHub lists the newest last, Gitea first.
    const ids = [after, ...(listed[0] === after ? listed : listed.toReversed())];
    const real = ids.filter((id) => COMMIT.test(id) && !/^0+$/.test(id));
    const known = [...new Set(real)];
    return { kind: 'pushed', branch, commits: known.slice(0, MOST_COMMITS), isCut: known.length > MOST_COMMITS };
}


/***/ }),

/***/ 5117:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  GitHubHost: () => (/* binding */ GitHubHost)
});

;// CONCATENATED MODULE: ./build/src/forges/github/addresses.js
const NAME = '[A-Za-z0-9][A-Za-z0-9_-]{0,99}/[A-Za-z0-9._-]{1,100}';
/** `owner/name` of a repository's address on this server, in lower case; undefined for any other address. */
function readRepositoryUrl(url, serverUrl) {
    const match = new RegExp(`^(https?://[^/?#@\\s]+)/(${NAME}?)(?:\\.git)?/?$`).exec(url);
    if (match?.[1]?.toLowerCase() !== serverUrl.toLowerCase())
        return undefined;
    return match[2]?.replace(/\.git$/, '').toLowerCase();
}
/** The pull request that an address on this server names; undefined for anything else. */
function readPullUrl(url, serverUrl) {
    const match = new RegExp(`^(https?://[^/?#@\\s]+)/(${NAME})/pull/([1-9]\\d{0,9})/?$`).exec(url);
    if (match?.[1]?.toLowerCase() !== serverUrl.toLowerCase() || match[2] === undefined)
        return undefined;
    return { repository: match[2].toLowerCase(), number: Number(match[3]) };
}

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/forges/change.js
var change = __webpack_require__(6472);
// EXTERNAL MODULE: ./build/src/forges/github/replies.js
var replies = __webpack_require__(5744);
;// CONCATENATED MODULE: ./build/src/forges/github/event.js




const instant = schemas/* string */.YjP().check(schemas/* refine */.YPB((text) => !Number.isNaN(Date.parse(text))));
const snapshot = schemas/* object */.Ikc({ number: schemas/* number */.aig(), title: schemas/* string */.YjP(), body: schemas/* nullish */.cl6(schemas/* string */.YjP()) });
const comment = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    body: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    html_url: schemas/* string */.YjP(),
    user: replies/* account */.ct,
    author_association: schemas/* string */.YjP(),
    path: schemas/* optional */.lqM(schemas/* string */.YjP()),
    line: schemas/* nullish */.cl6(schemas/* number */.aig()),
    diff_hunk: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
const written = schemas/* extend */.X$i(comment, { created_at: instant });
const submitted = schemas/* extend */.X$i(comment, { submitted_at: instant });
const common = { sender: replies/* account */.ct };
const issue = schemas/* extend */.X$i(snapshot, { pull_request: schemas/* nullish */.cl6(schemas/* unknown */.L5J()) });
const issueComment = schemas/* object */.Ikc({ ...common, comment: written, issue });
const reviewComment = schemas/* object */.Ikc({ ...common, comment: written, pull_request: snapshot });
const review = schemas/* object */.Ikc({ ...common, review: submitted, pull_request: snapshot });
const action = schemas/* object */.Ikc({ action: schemas/* string */.YjP() });
const onIssue = schemas/* object */.Ikc({ issue: schemas/* object */.Ikc({ number: schemas/* number */.aig(), pull_request: schemas/* nullish */.cl6(schemas/* unknown */.L5J()) }) });
const anyEvent = schemas/* object */.Ikc({
    sender: schemas/* nullish */.cl6(replies/* account */.ct),
    pull_request: schemas/* nullish */.cl6(schemas/* object */.Ikc({ number: schemas/* number */.aig() })),
    issue: schemas/* nullish */.cl6(schemas/* object */.Ikc({ number: schemas/* number */.aig(), pull_request: schemas/* nullish */.cl6(schemas/* unknown */.L5J()) })),
    comment: schemas/* nullish */.cl6(schemas/* object */.Ikc({ body: schemas/* nullish */.cl6(schemas/* string */.YjP()) })),
});
/** Events that only people and programs with write access to the repository can cause. */
const WRITER_EVENTS = new Set(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch']);
/** Reads the payload of an event as it was when the event happened; later edits are not in it. */
function readTrigger(eventName, payload, source) {
    // With the `prompt` input the text of a comment is not a command.
    if (source === 'prompt')
        return readPromptEvent(eventName, payload);
    switch (eventName) {
        case 'issue_comment':
            return readIssueComment(payload);
        case 'pull_request_review_comment':
            return ignoreAction(eventName, payload, 'created') ?? readReviewComment(parse(reviewComment, payload, eventName));
        case 'pull_request_review':
            return ignoreAction(eventName, payload, 'submitted') ?? readReview(parse(review, payload, eventName));
        default:
            if (source === 'template')
                return readPromptEvent(eventName, payload);
            return {
                kind: 'none',
                reason: `The event ${eventName} carries no comment. To instruct the agent from it, give the input prompt or prompt-file, and pull-request where the event is about none.`,
            };
    }
}
function readIssueComment(payload) {
    const ignored = ignoreAction('issue_comment', payload, 'created');
    if (ignored !== undefined)
        return ignored;
    const { issue: place } = parse(onIssue, payload, 'issue_comment');
    if (place.pull_request === undefined || place.pull_request === null)
        return { kind: 'none', reason: `The comment is on issue ${place.number}, which is not a pull request.` };
    const event = parse(issueComment, payload, 'issue_comment');
    return toTrigger(event, event.comment, 'conversation', event.issue, event.comment.created_at);
}
function readReviewComment(event) {
    return toTrigger(event, event.comment, 'diff', event.pull_request, event.comment.created_at);
}
function readReview(event) {
    return toTrigger(event, event.review, 'review', event.pull_request, event.review.submitted_at);
}
/** An edit is no command: what others have read would not be what is done now. */
function ignoreAction(eventName, payload, wanted) {
    const { action: name } = parse(action, payload, eventName);
    if (name === wanted)
        return undefined;
    return { kind: 'none', reason: `The comment was ${name}. Only a new comment is a command.` };
}
const MEMBERS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);
function toTrigger({ sender }, raw, place, pull, at) {
    const { path, line, diff_hunk: hunk } = raw;
    return {
        kind: 'comment',
        place,
        id: raw.id,
        body: raw.body ?? '',
        url: raw.html_url,
        author: (0,replies/* toAccount */.tf)(raw.user),
        sender: (0,replies/* toAccount */.tf)(sender),
        isMember: MEMBERS.has(raw.author_association),
        createdAtMs: Date.parse(at),
        spot: path === undefined || hunk === undefined ? undefined : { path, line: line ?? undefined, hunk },
        pull: { number: pull.number, title: pull.title, body: pull.body ?? '' },
    };
}
function readPromptEvent(eventName, payload) {
    const { sender, pull_request: pull, issue: place, comment: text } = parse(anyEvent, payload, eventName);
    return {
        kind: 'prompt',
        pullNumber: pull?.number ?? (place?.pull_request ? place.number : undefined),
        sender: sender ? (0,replies/* toAccount */.tf)(sender) : undefined,
        isFromWriter: WRITER_EVENTS.has(eventName),
        text: text?.body ?? undefined,
        change: (0,change/* readChange */.p)(eventName, payload),
    };
}
function parse(schema, payload, eventName) {
    const result = schema.safeParse(payload);
    if (result.success)
        return result.data;
    const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.') || 'the whole payload'))];
    throw new errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The payload of the event ${eventName} is not as GitHub documents it: ${fields.slice(0, 5).join(', ')} is missing or has another type.`,
        hint: 'Docs Courier understands events of GitHub. Other forges send other payloads, even where their events have the same names.',
    });
}

;// CONCATENATED MODULE: ./build/src/forges/github/host.js


/** GitHub as the run's event and environment show it; a client is made when one is asked for. */
class GitHubHost {
    kind = 'github';
    name = 'GitHub';
    repository;
    #github;
    #log;
    constructor(github, log) {
        this.repository = github.run.repository;
        this.#github = github;
        this.#log = log;
    }
    commentsAddress(pullNumber) {
        return `${this.#github.run.apiUrl}/repos/${this.repository}/issues/${pullNumber}/comments`;
    }
    async trigger({ source }) {
        return readTrigger(this.#github.run.eventName, await this.#github.event(), source);
    }
    readRepositoryUrl(url) {
        return readRepositoryUrl(url, this.#github.run.serverUrl);
    }
    readPullUrl(url) {
        return readPullUrl(url, this.#github.run.serverUrl);
    }
    async connect({ main }, signal) {
        const [octokit, { GitHubForge }] = await Promise.all([this.#github.connect(main, signal), __webpack_require__.e(/* import() */ 8976).then(__webpack_require__.bind(__webpack_require__, 8976))]);
        return new GitHubForge(octokit, main, this.repository, this.#log);
    }
    /** What comments alone do not give, with the same token. */
    async connectNotices(token, signal) {
        const [octokit, { GitHubNotices }] = await Promise.all([
            this.#github.connect(token, signal),
            __webpack_require__.e(/* import() */ 6469).then(__webpack_require__.bind(__webpack_require__, 6469)),
        ]);
        return new GitHubNotices(octokit, this.repository);
    }
}


/***/ }),

/***/ 5744:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A9: () => (/* binding */ activities),
/* harmony export */   IQ: () => (/* binding */ rankOf),
/* harmony export */   Im: () => (/* binding */ comment),
/* harmony export */   JA: () => (/* binding */ standing),
/* harmony export */   Jk: () => (/* binding */ repository),
/* harmony export */   NJ: () => (/* binding */ file),
/* harmony export */   OR: () => (/* binding */ defaultBranch),
/* harmony export */   S$: () => (/* binding */ reviewComment),
/* harmony export */   T5: () => (/* binding */ toComment),
/* harmony export */   VV: () => (/* binding */ pullRequest),
/* harmony export */   c$: () => (/* binding */ toPullRequest),
/* harmony export */   cd: () => (/* binding */ commit),
/* harmony export */   ct: () => (/* binding */ account),
/* harmony export */   eM: () => (/* binding */ issueEvent),
/* harmony export */   eZ: () => (/* binding */ toFile),
/* harmony export */   jN: () => (/* binding */ numbered),
/* harmony export */   kQ: () => (/* binding */ user),
/* harmony export */   mJ: () => (/* binding */ reaction),
/* harmony export */   nh: () => (/* binding */ toReviewComment),
/* harmony export */   tf: () => (/* binding */ toAccount),
/* harmony export */   w7: () => (/* binding */ ownComment)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8395);
/* harmony import */ var _inputs_inputs_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2542);


/** GitHub's replies as schemas: only what is read, so that a new field breaks nothing and a missing one has a name. */
const account = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ login: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), id: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(), type: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
/** A person can have the login of a bot without its ending, so the type decides; the ending only takes personhood away. */
function toAccount({ login, id, type }) {
    const kind = type === 'Bot' ? 'bot' : type === 'User' && !login.endsWith('[bot]') ? 'person' : 'other';
    return { login, id, kind };
}
const authored = { user: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullable */ .mee(account) };
const pullRequest = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    ...authored,
    number: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    title: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    state: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* ["enum"] */ .k5n(['open', 'closed']),
    merged: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .boolean */ .zMY(),
    merge_commit_sha: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    locked: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .boolean */ .zMY(),
    labels: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() })),
    base: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ ref: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }),
    head: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ ref: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), sha: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), repo: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ full_name: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() })) }),
    changed_files: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
});
function toPullRequest(raw) {
    return {
        number: raw.number,
        url: raw.html_url,
        title: raw.title,
        body: raw.body ?? '',
        author: raw.user === null ? undefined : toAccount(raw.user),
        state: raw.state,
        merged: raw.merged,
        locked: raw.locked,
        labels: raw.labels.map(({ name }) => name),
        // Of an open pull request, it is a commit that was merged to try it.
        mergeCommit: raw.merged ? (raw.merge_commit_sha ?? undefined) : undefined,
        base: raw.base,
        head: { ref: raw.head.ref, sha: raw.head.sha, repository: raw.head.repo?.full_name },
        changedFiles: raw.changed_files,
    };
}
const file = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    filename: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    previous_filename: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    status: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    additions: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    deletions: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    patch: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    contents_url: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
});
function toFile(raw) {
    return {
        path: raw.filename,
        previousPath: raw.previous_filename,
        status: raw.status,
        additions: raw.additions,
        deletions: raw.deletions,
        patch: raw.patch,
        commit: URL.canParse(raw.contents_url)
            ? (new URL(raw.contents_url).searchParams.get('ref') ?? undefined)
            : undefined,
    };
}
const comment = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    ...authored,
    id: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    updated_at: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
});
const reviewComment = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .extend */ .X$i(comment, {
    path: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    line: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig()),
    diff_hunk: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
});
function toComment(raw) {
    return {
        id: raw.id,
        author: raw.user === null ? undefined : toAccount(raw.user),
        body: raw.body ?? '',
        url: raw.html_url,
        createdAtMs: Date.parse(raw.created_at),
        updatedAtMs: Date.parse(raw.updated_at),
        diff: undefined,
    };
}
function toReviewComment(raw) {
    return { ...toComment(raw), diff: { path: raw.path, line: raw.line ?? undefined, hunk: raw.diff_hunk } };
}
const ownComment = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig(), html_url: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
const repository = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ private: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .boolean */ .zMY() });
const defaultBranch = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ default_branch: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
const commit = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ sha: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() });
const numbered = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ number: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig() });
const user = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig() });
const standing = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    permission: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    role_name: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP()),
    user: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .number */ .aig() })),
});
const SCALE = _inputs_inputs_js__WEBPACK_IMPORTED_MODULE_1__/* .PERMISSIONS */ .Jj;
/**
 * The rank that a reply of the collaborator API stands for. `role_name` knows triage and maintain; a custom role has a name of
 * its own there, and `permission` then names the standard role that it builds on.
 */
function rankOf(reply) {
    const { permission, role_name: role } = reply;
    const known = role !== undefined && SCALE.includes(role) ? role : permission;
    return _inputs_inputs_js__WEBPACK_IMPORTED_MODULE_1__/* .PERMISSIONS */ .Jj.find((name) => name === known) ?? 'none';
}
const issueEvent = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({
    event: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(),
    actor: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(account),
    label: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() })),
});
/** Of `GET /repos/{owner}/{repo}/activity`, newest first. */
const activities = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ activity_type: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), after: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), timestamp: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP() }));
const reaction = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .object */ .Ikc({ content: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP(), user: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullable */ .mee(account) });


/***/ })

};
