export const id = 1714;
export const ids = [1714];
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

/***/ 1714:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  GiteaHost: () => (/* binding */ GiteaHost)
});

;// CONCATENATED MODULE: ./build/src/forges/gitea/addresses.js
const NAME = /^([A-Za-z0-9_][A-Za-z0-9._-]{0,99}\/[A-Za-z0-9._-]{1,100})/;
/** `owner/name` of a repository's address on this server, in lower case; undefined for any other address. */
function readRepositoryUrl(url, serverUrl) {
    const path = belowServer(url, serverUrl);
    const name = path && NAME.exec(path)?.[1];
    if (name === undefined || path === undefined || !/^\/?$/.test(path.slice(name.length)))
        return undefined;
    return name.replace(/\.git$/, '').toLowerCase();
}
/** The pull request that an address on this server names; undefined for anything else. */
function readPullUrl(url, serverUrl) {
    const path = belowServer(url, serverUrl);
    const name = path && NAME.exec(path)?.[1];
    const number = name && /^\/pulls\/([1-9]\d{0,9})\/?$/.exec(path.slice(name.length))?.[1];
    return number === undefined || name === undefined
        ? undefined
        : { repository: name.toLowerCase(), number: Number(number) };
}
/** What follows the server's address, which may have a path itself. */
function belowServer(url, serverUrl) {
    const base = `${serverUrl}/`;
    return url.slice(0, base.length).toLowerCase() === base.toLowerCase() ? url.slice(base.length) : undefined;
}

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/forges/change.js
var change = __webpack_require__(6472);
// EXTERNAL MODULE: ./build/src/forges/gitea/replies.js
var replies = __webpack_require__(9579);
;// CONCATENATED MODULE: ./build/src/forges/gitea/event.js




const instant = schemas/* string */.YjP().check(schemas/* refine */.YPB((text) => !Number.isNaN(Date.parse(text))));
const action = schemas/* object */.Ikc({ action: schemas/* string */.YjP() });
const place = schemas/* object */.Ikc({ is_pull: schemas/* boolean */.zMY(), issue: schemas/* object */.Ikc({ number: schemas/* number */.aig() }) });
const issueComment = schemas/* object */.Ikc({
    sender: replies/* account */.ct,
    comment: schemas/* object */.Ikc({
        id: schemas/* number */.aig(),
        body: schemas/* string */.YjP(),
        html_url: schemas/* string */.YjP(),
        user: replies/* account */.ct,
        created_at: instant,
    }),
    issue: schemas/* object */.Ikc({ number: schemas/* number */.aig(), title: schemas/* string */.YjP(), body: schemas/* nullish */.cl6(schemas/* string */.YjP()) }),
});
const anyEvent = schemas/* object */.Ikc({
    sender: schemas/* nullish */.cl6(replies/* account */.ct),
    pull_request: schemas/* nullish */.cl6(schemas/* object */.Ikc({ number: schemas/* number */.aig() })),
    is_pull: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    issue: schemas/* nullish */.cl6(schemas/* object */.Ikc({ number: schemas/* number */.aig() })),
    comment: schemas/* nullish */.cl6(schemas/* object */.Ikc({ body: schemas/* nullish */.cl6(schemas/* string */.YjP()) })),
});
/** Events that only people and programs with write access to the repository can cause. */
const WRITER_EVENTS = new Set(['push', 'schedule', 'workflow_dispatch']);
/** The second one where a workflow names it; the payload is the same. */
const COMMENT_EVENTS = new Set(['issue_comment', 'pull_request_comment']);
/** Reads the payload of an event as it was when the event happened; later edits are not in it. */
function readTrigger(eventName, payload, source) {
    // With the `prompt` input the text of a comment is not a command.
    if (source === 'prompt')
        return readPromptEvent(eventName, payload);
    if (COMMENT_EVENTS.has(eventName))
        return readIssueComment(eventName, payload);
    if (eventName.startsWith('pull_request_review'))
        throw reviewError(eventName);
    if (source === 'template')
        return readPromptEvent(eventName, payload);
    return {
        kind: 'none',
        reason: `The event ${eventName} carries no comment. To instruct the agent from it, give the input prompt or prompt-file, and pull-request where the event is about none.`,
    };
}
function readIssueComment(eventName, payload) {
    const { action: name } = parse(action, payload, eventName);
    // An edit is no command: what others have read would not be what is done now.
    if (name !== 'created')
        return { kind: 'none', reason: `The comment was ${name}. Only a new comment is a command.` };
    const { is_pull: isPull, issue } = parse(place, payload, eventName);
    if (!isPull)
        return { kind: 'none', reason: `The comment is on issue ${issue.number}, which is not a pull request.` };
    const event = parse(issueComment, payload, eventName);
    const { comment } = event;
    return {
        kind: 'comment',
        place: 'conversation',
        id: comment.id,
        body: comment.body,
        url: comment.html_url,
        author: (0,replies/* toAccount */.tf)(comment.user),
        sender: (0,replies/* toAccount */.tf)(event.sender),
        isMember: undefined,
        createdAtMs: Date.parse(comment.created_at),
        spot: undefined,
        pull: { number: event.issue.number, title: event.issue.title, body: event.issue.body ?? '' },
    };
}
/** A command needs an id, so that it is sent once, and a time, to compare with pushes: reviews have neither there. */
function reviewError(eventName) {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `The event ${eventName} of Gitea says neither which comment it is about nor when it was written, so a command in it cannot be carried out. Nothing was sent.`,
        hint: 'Start the workflow on issue_comment alone: a comment below the pull request can hold the command.',
    });
}
function readPromptEvent(eventName, payload) {
    const { sender, pull_request: pull, issue, comment, ...event } = parse(anyEvent, payload, eventName);
    return {
        kind: 'prompt',
        pullNumber: pull?.number ?? (event.is_pull === true ? issue?.number : undefined),
        sender: sender ? (0,replies/* toAccount */.tf)(sender) : undefined,
        isFromWriter: WRITER_EVENTS.has(eventName),
        text: comment?.body ?? undefined,
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
        message: `The payload of the event ${eventName} is not as Gitea delivers it: ${fields.slice(0, 5).join(', ')} is missing or has another type. Nothing was sent.`,
        hint: 'Docs Courier was run against Gitea 1.26. Report the version of your server.',
    });
}

;// CONCATENATED MODULE: ./build/src/forges/gitea/host.js


/** Gitea or Forgejo as the run's event and environment show it; a client is made when one is asked for. */
class GiteaHost {
    kind = 'gitea';
    name;
    repository;
    #init;
    constructor(init) {
        this.name = init.name;
        this.repository = init.repository;
        this.#init = init;
    }
    commentsAddress(pullNumber) {
        return `${this.#init.serverUrl}/api/v1/repos/${this.repository}/issues/${pullNumber}/comments`;
    }
    async trigger({ source }) {
        return readTrigger(this.#init.eventName, await this.#init.event(), source);
    }
    readRepositoryUrl(url) {
        return readRepositoryUrl(url, this.#init.serverUrl);
    }
    readPullUrl(url) {
        return readPullUrl(url, this.#init.serverUrl);
    }
    async connect(tokens, signal) {
        const { GiteaForge } = await __webpack_require__.e(/* import() */ 2627).then(__webpack_require__.bind(__webpack_require__, 2627));
        return new GiteaForge({ ...this.#init, tokens, signal });
    }
}


/***/ }),

/***/ 9579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   BL: () => (/* binding */ reviewComments),
/* harmony export */   Br: () => (/* binding */ reactions),
/* harmony export */   IO: () => (/* binding */ timeline),
/* harmony export */   IQ: () => (/* binding */ rankOf),
/* harmony export */   Im: () => (/* binding */ comment),
/* harmony export */   In: () => (/* binding */ JOB_ACCOUNT_ID),
/* harmony export */   JA: () => (/* binding */ standing),
/* harmony export */   Jk: () => (/* binding */ repository),
/* harmony export */   NJ: () => (/* binding */ file),
/* harmony export */   NQ: () => (/* binding */ review),
/* harmony export */   OR: () => (/* binding */ defaultBranch),
/* harmony export */   T5: () => (/* binding */ toComment),
/* harmony export */   VV: () => (/* binding */ pullRequest),
/* harmony export */   c$: () => (/* binding */ toPullRequest),
/* harmony export */   ct: () => (/* binding */ account),
/* harmony export */   eZ: () => (/* binding */ toFile),
/* harmony export */   ez: () => (/* binding */ pullNumberOf),
/* harmony export */   jN: () => (/* binding */ numbered),
/* harmony export */   nK: () => (/* binding */ comments),
/* harmony export */   nh: () => (/* binding */ toReviewComment),
/* harmony export */   qK: () => (/* binding */ GHOST_ID),
/* harmony export */   s: () => (/* binding */ hasPushed),
/* harmony export */   tf: () => (/* binding */ toAccount),
/* harmony export */   tk: () => (/* binding */ branch),
/* harmony export */   w7: () => (/* binding */ ownComment),
/* harmony export */   xk: () => (/* binding */ lastLabelling),
/* harmony export */   zR: () => (/* binding */ lastPush)
/* harmony export */ });
/* unused harmony export reviewComment */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8395);
/* harmony import */ var _inputs_inputs_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2542);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6691);



/** Gitea's replies as schemas: only what is read. Names and shapes are those of Gitea 1.26. */
const account = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ login: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig() });
/** The account of every job's own token. */
const JOB_ACCOUNT_ID = -2;
/** Stands for accounts that were deleted; reactions show it for the account of jobs too. */
const GHOST_ID = -1;
/** Gitea does not say what an account is. Those of programs that belong to the server have ids below zero. */
function toAccount({ login, id }) {
    return { login, id, kind: id > 0 ? 'person' : id === JOB_ACCOUNT_ID ? 'bot' : 'other' };
}
const authored = { user: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(account) };
const pullRequest = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    ...authored,
    number: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    title: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    state: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(['open', 'closed']),
    merged: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    merge_commit_sha: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    is_locked: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    labels: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }))),
    base: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ ref: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }),
    head: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ ref: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), sha: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), repo: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ full_name: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() })) }),
    changed_files: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
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
        locked: raw.is_locked,
        labels: (raw.labels ?? []).map(({ name }) => name),
        mergeCommit: raw.merged ? (raw.merge_commit_sha ?? undefined) : undefined,
        base: raw.base,
        head: { ref: raw.head.ref, sha: raw.head.sha, repository: raw.head.repo?.full_name },
        changedFiles: raw.changed_files,
    };
}
const file = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    filename: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    previous_filename: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    status: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    additions: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    deletions: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    contents_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    raw_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
});
function toFile(raw, patch) {
    const { filename, previous_filename: before, status, additions, deletions } = raw;
    const commit = commitOf(raw.contents_url ?? '');
    return { path: filename, previousPath: before || undefined, status, additions, deletions, patch, commit };
}
function commitOf(contentsUrl) {
    return URL.canParse(contentsUrl) ? (new URL(contentsUrl).searchParams.get('ref') ?? undefined) : undefined;
}
const comment = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    ...authored,
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    pull_request_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    updated_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
});
const comments = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(comment));
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
/** The number of the pull request that a comment is below; undefined for a comment on an issue. */
function pullNumberOf({ pull_request_url: url }) {
    const number = /\/pulls\/([1-9]\d{0,9})$/.exec(url)?.[1];
    return number === undefined ? undefined : Number(number);
}
const review = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(), comments_count: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig() });
const reviewComment = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    ...authored,
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    updated_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    path: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    /** Lines of the new and of the old file; 0 where the comment is on the other one. */
    position: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()),
    original_position: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()),
    diff_hunk: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
});
const reviewComments = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(reviewComment));
function toReviewComment(raw) {
    const line = raw.position || raw.original_position || undefined;
    return { ...toComment(raw), diff: { path: raw.path, line, hunk: raw.diff_hunk } };
}
const ownComment = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(), html_url: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() });
const repository = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    private: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    internal: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY()),
});
const defaultBranch = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ default_branch: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() });
const branch = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ commit: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() }) });
const numbered = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ number: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig() });
const standing = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ permission: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), user: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig() })) });
/** The rank that a permission of Gitea stands for: `none`, `read`, `write`, `admin`, and `owner` above it. */
function rankOf(permission) {
    if (permission === 'owner')
        return 'admin';
    return _inputs_inputs_js__WEBPACK_IMPORTED_MODULE_2__/* .PERMISSIONS */ .Jj.find((name) => name === permission) ?? 'none';
}
const reactions = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ content: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), user: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(account) })));
/** An entry of the timeline: comments, labels, pushes and more, oldest first. */
const timelineEntry = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig(),
    type: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    user: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(account),
    body: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    created_at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(),
    label: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ name: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP() })),
});
const timeline = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(timelineEntry));
const push = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ commit_ids: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP())) });
function lastPush(entries) {
    return entries.findLast(({ type }) => type === 'pull_push');
}
/** True where the push brought this commit to the branch. */
function hasPushed({ body }, commit) {
    const parsed = push.safeParse((0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(body ?? ''));
    return parsed.success && parsed.data.commit_ids?.includes(commit) === true;
}
/** The last entry that set a label; its text is "1" where the label was added, and empty where it was removed. */
function lastLabelling(entries, label) {
    return entries.findLast((entry) => entry.type === 'label' && entry.label?.name === label && entry.body === '1');
}


/***/ })

};
