export const id = 8764;
export const ids = [8764];
export const modules = {

/***/ 8306:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  i: () => (/* binding */ PullComments)
});

// EXTERNAL MODULE: ./build/src/forges/own.js
var forges_own = __webpack_require__(7210);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
// EXTERNAL MODULE: ./build/src/signature.js
var src_signature = __webpack_require__(6031);
// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
;// CONCATENATED MODULE: ./build/src/comment/notice.js



const instant = schemas/* string */.YjP().check(schemas/* refine */.YPB((text) => !Number.isNaN(Date.parse(text))));
const count = schemas/* number */.aig().check(api/* _nonnegative */.UI());
/** A step that fails: what its issue says, so that the next run can go on with it. */
const failure = schemas/* strictObject */.rej({
    version: schemas/* literal */.euz(2),
    kind: schemas/* literal */.euz('failure'),
    /** Which step of which workflow; see `stepKey`. */
    step: schemas/* string */.YjP(),
    since: instant,
    runs: count,
    /** When the stored link expires, as last known. */
    expiresAt: schemas/* optional */.lqM(instant),
    /** Number of the issue; absent while it is being made. */
    id: schemas/* optional */.lqM(schemas/* number */.aig()),
});
/** What an export changed, on the pull request that was merged for it. */
const changes = schemas/* strictObject */.rej({
    version: schemas/* literal */.euz(2),
    kind: schemas/* literal */.euz('changes'),
    step: schemas/* string */.YjP(),
    job: schemas/* string */.YjP(),
    /** Absent where there was no earlier export. */
    counts: schemas/* optional */.lqM(schemas/* strictObject */.rej({ added: count, changed: count, moved: count, removed: count, lost: count })),
    /** Since when it is live, or stored. */
    since: instant,
    isLive: schemas/* boolean */.zMY(),
    /** Id of the comment; absent while it is being made. */
    id: schemas/* optional */.lqM(schemas/* number */.aig()),
});
/** What a search check found, on the pull request that it ran for. */
const search = schemas/* strictObject */.rej({
    version: schemas/* literal */.euz(2),
    kind: schemas/* literal */.euz('search'),
    step: schemas/* string */.YjP(),
    /** Some run for this pull request was not as it should be. */
    hasFailed: schemas/* boolean */.zMY(),
    /** Id of the comment; absent while it is being made. */
    id: schemas/* optional */.lqM(schemas/* number */.aig()),
});
const notice = schemas/* discriminatedUnion */.gMt('kind', [failure, changes, search]);
const envelope = schemas/* strictObject */.rej({ notice, signature: schemas/* string */.YjP() });
// The same beginning as that of status comments: agent mode takes neither for a command or for context.
const MARKER = /^<!-- docs-courier:([A-Za-z0-9_-]{1,4000}) -->/;
function signing({ secret, repository, pullNumber }, payload) {
    const target = { repository: repository.toLowerCase(), pullNumber };
    return { secret, purpose: 'docs-courier/notice/v2', payload: { notice: payload, target } };
}
/** The notice as an invisible first line of Markdown. */
function writeNotice(place, payload) {
    const signature = (0,src_signature/* sign */._S)(signing(place, payload));
    return `<!-- docs-courier:${Buffer.from(JSON.stringify({ notice: payload, signature })).toString('base64url')} -->`;
}
/** What a text begins with; undefined where that is no notice. Check the author before anything of it is used. */
function readNotice(place, { id, body }) {
    const encoded = MARKER.exec(body)?.[1];
    if (encoded === undefined)
        return undefined;
    const parsed = envelope.safeParse((0,json/* parseJson */.qF)(Buffer.from(encoded, 'base64url').toString()));
    if (!parsed.success)
        return undefined;
    const { notice: found, signature } = parsed.data;
    const isHere = found.id === undefined || found.id === id;
    return { notice: found, isValid: isHere && (0,src_signature/* verify */.MX)({ ...signing(place, found), signature }) };
}

;// CONCATENATED MODULE: ./build/src/comment/pull-comments.js


/** Our comments on pull requests of this repository, found again by the signed line that each begins with. */
class PullComments {
    #init;
    constructor(init) {
        this.#init = init;
    }
    /** The first comment of ours whose notice is picked: a copy is younger. */
    async find(pull, pick) {
        const { forge } = this.#init;
        const [own, comments] = await Promise.all([forge.whoWeAre(), forge.comments(pull)]);
        for (const comment of comments.filter((one) => (0,forges_own/* isOwn */.N)(one, own))) {
            const read = readNotice(this.#place(pull), comment);
            const notice = read?.isValid === true ? pick(read.notice) : undefined;
            if (notice !== undefined)
                return { comment, notice };
        }
        return undefined;
    }
    /** Replaces the text of the known comment, or writes the first one. Gives its address. */
    async write(pull, known, notice, text) {
        const { forge, deps } = this.#init;
        const body = (id) => deps.log.redact(`${writeNotice(this.#place(pull), { ...notice, id })}\n${text}`);
        if (known === undefined)
            return (await forge.createComment(pull, body())).url;
        await forge.updateComment(pull, known.id, body(known.id));
        return known.url;
    }
    #place(pullNumber) {
        return { secret: this.#init.secret, repository: this.#init.deps.github.run.repository, pullNumber };
    }
}


/***/ }),

/***/ 5058:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   u: () => (/* binding */ runLink)
/* harmony export */ });
/* unused harmony export runUrl */
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4502);

/** The page of this attempt of the run. */
function runUrl({ serverUrl, repository, runId, runAttempt }) {
    return `${serverUrl}/${repository}/actions/runs/${runId}/attempts/${runAttempt}`;
}
/** `this run`, as a link in Markdown. */
function runLink(run) {
    return (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .link */ .nf)('this run', runUrl(run));
}


/***/ }),

/***/ 6219:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ keyOf)
/* harmony export */ });
/* unused harmony export stepKey */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _inputs_reader_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8064);
/* harmony import */ var _signature_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6031);



/** What makes a step another one. Not the address of the platform and no key: both change when what fails is mended. */
const NAMES = (/* unused pure expression or super */ null && ([
    'mode',
    'domain',
    'project-id',
    'site',
    'export-version',
    'base-path',
    'to',
    'secret-name',
    'secret-scope',
    'secret-environment',
    'secret-repository',
    'secret-organization',
    'bundle-path',
    'extract-to',
    'queries-file',
    'query',
]));
/**
 * The same for each run of a step, also where its inputs are wrong otherwise, and for no other step of the repository that
 * exports, refreshes or searches something else.
 */
function stepKey(source) {
    const texts = NAMES.map((name) => [name, rawInput(source, name)]);
    return keyOf(Object.fromEntries(texts));
}
/** A short digest, equal for equal values. */
function keyOf(value) {
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update((0,_signature_js__WEBPACK_IMPORTED_MODULE_2__/* .canonicalJson */ .dj)(value)).digest('base64url').slice(0, 16);
}


/***/ }),

/***/ 3019:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   w: () => (/* binding */ adviceOf)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);

/** What went wrong and what to do, as one line for a warning. A missing permission is named. */
function adviceOf({ message, hint }) {
    if (hint === undefined)
        return message;
    const permissions = typeof hint === 'string' ? {} : (hint.permissions ?? {});
    const named = Object.entries(permissions).map(([name, level]) => `${name}: ${level}`);
    return `${message} ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hintText */ .dx)(hint)}${named.length === 0 ? '' : ` ${named.join(', ')}`}`;
}


/***/ }),

/***/ 7210:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   N: () => (/* binding */ isOwn)
/* harmony export */ });
/** Whether a text is by the account that writes ours; one by anybody else holds no record of ours, whatever it says. */
function isOwn({ author }, own) {
    return own.kind === 'bot' ? author?.kind === 'bot' : author?.id === own.id;
}


/***/ }),

/***/ 8764:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  CommentStep: () => (/* binding */ CommentStep)
});

// EXTERNAL MODULE: ./build/src/text/names.js
var names = __webpack_require__(6761);
// EXTERNAL MODULE: ./build/src/publish/destinations-text.js
var destinations_text = __webpack_require__(2134);
// EXTERNAL MODULE: ./build/src/comment/pull-comments.js + 1 modules
var pull_comments = __webpack_require__(8306);
// EXTERNAL MODULE: ./build/src/comment/run-url.js
var run_url = __webpack_require__(5058);
// EXTERNAL MODULE: ./build/src/comment/step-key.js
var step_key = __webpack_require__(6219);
// EXTERNAL MODULE: ./build/src/comment/warning.js
var comment_warning = __webpack_require__(3019);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: ./build/src/run/report.js
var report = __webpack_require__(7417);
;// CONCATENATED MODULE: ./build/src/publish/after/comment/changes-text.js



const MAX_LISTED = 20;
/** Markdown. Titles and addresses come from pages: all of them are escaped. */
function changesText({ site, notice, pages, toUrl }) {
    const { counts, since, isLive } = notice;
    const when = `${isLive ? 'live since' : 'link stored on'} ${(0,markdown/* formatInstant */.r4)(new Date(since))}`;
    return (0,report/* sections */.V0)([
        `**Documentation ${(0,text_escape/* codeSpan */.SS)(site, 200)}**: ${countsText(counts)}; ${when}.`,
        lostText(counts?.lost ?? 0),
        pages && lists(pages, toUrl),
    ]);
}
/** `3 pages added, 12 changed, 2 removed`. */
function countsText(counts) {
    if (counts === undefined)
        return 'exported, with no earlier export to compare with';
    const parts = ['added', 'changed', 'moved', 'removed']
        .filter((kind) => counts[kind] > 0)
        .map((kind, index) => `${index === 0 ? (0,markdown/* countOf */.pq)(counts[kind], 'page') : counts[kind].toLocaleString('en-US')} ${kind}`);
    return parts.length === 0 ? 'no page changed' : parts.join(', ');
}
function lostText(lost) {
    if (lost === 0)
        return undefined;
    return `⚠️ ${(0,markdown/* countOf */.pq)(lost, 'address was', 'addresses were')} lost: there was a page, there is none now, and no redirect.`;
}
function lists({ added, changed, moved, removed, lost }, toUrl) {
    const nowhere = () => undefined;
    return (0,report/* sections */.V0)([
        list('Added', added, toUrl),
        list('Changed', changed, toUrl),
        list('Moved', moved.map(({ to, title }) => ({ path: to, title })), toUrl),
        list('Removed', removed, nowhere),
        list('Lost addresses', lost.filter(({ redirect }) => redirect === undefined), nowhere),
    ]);
}
function list(name, pages, toUrl) {
    if (pages.length === 0)
        return undefined;
    const items = pages.slice(0, MAX_LISTED).map((page) => `- ${pageText(page, toUrl(page.path))}`);
    const rest = pages.length - items.length;
    const more = rest > 0 ? [`- and ${rest.toLocaleString('en-US')} more`] : [];
    return `<details><summary>${name} (${pages.length.toLocaleString('en-US')})</summary>\n\n${[...items, ...more].join('\n')}\n\n</details>`;
}
function pageText({ path, title }, url) {
    const name = (0,text_escape/* escapeMarkdown */.FV)(title === '' ? path : title, 120);
    const linked = url === undefined ? '' : (0,text_escape/* link */.nf)(name, url);
    // An address with unusual letters is shown as code instead of a link.
    return linked.startsWith('[') ? linked : `${name} ${(0,text_escape/* codeSpan */.SS)(path, 160)}`;
}
const STATUS = /\n\n<sub>[^\n]*<\/sub>$/;
/** The last line: what happened to it since. A later run replaces it and leaves the rest. */
function withStatus(text, status) {
    return `${text.replace(STATUS, '')}\n\n<sub>${status}</sub>`;
}

;// CONCATENATED MODULE: ./build/src/publish/after/comment/changes-comment.js









/** Writes the comment on the pull request that was merged, or brings it up to date. Never fails the run. */
function commentOnChanges(init, published) {
    return attempt(init, (comment) => comment.publish(published));
}
/** Says in the comment of the export that its link was renewed. */
function commentOnRenewal(init, renewed) {
    return attempt(init, (comment) => comment.renew(renewed));
}
/** Says in the comment of the export that was rolled back that it is not live any more, and in that of the earlier one that it is. */
function commentOnRollback(init, renewed, replaced) {
    return attempt(init, (comment) => comment.rollBack(renewed, replaced));
}
async function attempt(init, work) {
    const { deps, inputs } = init;
    try {
        const { GitHubHost } = await __webpack_require__.e(/* import() */ 5117).then(__webpack_require__.bind(__webpack_require__, 5117));
        const host = new GitHubHost(deps.github, deps.log);
        const [forge, notices] = await Promise.all([
            host.connect({ main: inputs.token, ranks: undefined }),
            host.connectNotices(inputs.token),
        ]);
        await work(new ChangesComment(init, forge, notices));
    }
    catch (error) {
        if ((0,errors/* hasCode */.up)(error, 'cancelled'))
            throw error;
        const warning = (0,comment_warning/* adviceOf */.w)((0,errors/* toCourierError */.tR)(error));
        deps.log.warning(`The comment about what changed could not be written; the export itself is in place. ${warning}`);
    }
}
class ChangesComment {
    #init;
    #forge;
    #notices;
    #comments;
    constructor(init, forge, notices) {
        this.#init = init;
        this.#forge = forge;
        this.#notices = notices;
        this.#comments = new pull_comments/* PullComments */.i({ forge, secret: init.adminApiKey, deps: init.deps });
    }
    async publish(published) {
        const { log, clock, github } = this.#init.deps;
        const pull = await this.#mergedNow();
        if (pull === undefined)
            return;
        const { jobId, site, destinations, comparison, isLive, toUrl } = published;
        const step = (0,step_key/* keyOf */.T)({ site, destinations });
        const known = await this.#comments.find(pull, changesOf((notice) => notice.step === step));
        const status = `By ${(0,run_url/* runLink */.u)(github.run)}.`;
        if (known !== undefined && isRepeated(known.notice, published)) {
            const notice = { ...known.notice, job: jobId };
            const url = await this.#comments.write(pull, known.comment, notice, withStatus(visible(known.comment), status));
            return log.info(`Updated the comment on pull request ${pull}: ${url}`);
        }
        const since = new Date(clock.now()).toISOString();
        const counts = countsOf(comparison);
        const notice = { version: 2, kind: 'changes', step, job: jobId, counts, since, isLive };
        const pages = (await this.#showsPages()) ? comparison : undefined;
        const text = withStatus(changesText({ site, notice, pages, toUrl }), status);
        const url = await this.#comments.write(pull, known?.comment, notice, text);
        log.info(`Commented on pull request ${pull}: ${countsText(counts)}. ${url}`);
    }
    renew(renewed) {
        const until = renewed.expiresAt === undefined ? '' : `; it works until ${instantOf(renewed.expiresAt)}`;
        return this.#setStatus(renewed, `The link was renewed on ${this.#now()} by ${this.#run()}${until}.`);
    }
    async rollBack(renewed, replaced) {
        const rolledBack = `**Rolled back on ${this.#now()}** by ${this.#run()}: export job ${(0,text_escape/* codeSpan */.SS)(renewed.jobId, 80)} is live again.`;
        await this.#setStatus(replaced, rolledBack);
        const until = renewed.expiresAt === undefined ? '' : `; its link works until ${instantOf(renewed.expiresAt)}`;
        const back = `Live again since ${this.#now()}, by a rollback in ${this.#run()}${until}.`;
        await this.#setStatus(renewed, back);
    }
    /** Replaces the last line of the comment about an export. Leaves alone an export without one. */
    async #setStatus({ jobId, commit }, status) {
        const { log } = this.#init.deps;
        const pull = commit === undefined ? undefined : await this.#notices.mergedPull(commit);
        const known = pull &&
            (await this.#comments.find(pull.number, changesOf((notice) => notice.job === jobId)));
        if (pull === undefined || known === undefined)
            return log.debug(`No comment is about export job ${jobId}.`);
        await this.#comments.write(pull.number, known.comment, known.notice, withStatus(visible(known.comment), status));
        log.info(`Updated the comment on pull request ${pull.number}: ${known.comment.url}`);
    }
    #now() {
        return (0,markdown/* formatInstant */.r4)(new Date(this.#init.deps.clock.now()));
    }
    #run() {
        return (0,run_url/* runLink */.u)(this.#init.deps.github.run);
    }
    /** Of a run by a push or a merge: what was exported by hand or on a schedule was not changed by a pull request. */
    async #mergedNow() {
        const { run, github, log } = this.#init.deps;
        if (run.cause !== 'push' && run.cause !== 'merge') {
            log.info(`No comment: a run by ${run.eventName ?? 'this event'} follows no merge.`);
            return undefined;
        }
        const event = await github.event();
        const number = (0,json/* fieldOf */._F)(event, 'pull_request', 'number');
        if (run.cause === 'merge' && typeof number === 'number')
            return number;
        const head = (0,json/* fieldOf */._F)(event, 'workflow_run', 'head_sha');
        const commit = typeof head === 'string' ? head : github.run.sha;
        const pull = await this.#notices.mergedPull(commit);
        if (pull === undefined)
            log.info(`No comment: commit ${commit.slice(0, 7)} belongs to no merged pull request.`);
        return pull?.number;
    }
    async #showsPages() {
        // Where that cannot be known, less is shown.
        return this.#init.inputs.titles || !(await this.#forge.isPublic().catch(() => true));
    }
}
function instantOf(text) {
    return (0,markdown/* formatInstant */.r4)(new Date(text));
}
/** Picks a notice about changes that fits. */
function changesOf(fits) {
    return (notice) => (notice.kind === 'changes' && fits(notice) ? notice : undefined);
}
/** The text below the signed line. */
function visible({ body }) {
    return body.slice(body.indexOf('\n') + 1);
}
/**
 * A run that is run again compares with what its first attempt put in place, and finds no difference: what the comment says is
 * still what the pull request changed.
 */
function isRepeated({ job, isLive }, published) {
    const { comparison, jobId } = published;
    const isSameExport = comparison === undefined ? job === jobId : comparison.from.jobId === job && isEmpty(comparison);
    return isSameExport && isLive === published.isLive;
}
function isEmpty({ added, changed, moved, removed }) {
    return added.length + changed.length + moved.length + removed.length === 0;
}
function countsOf(comparison) {
    if (comparison === undefined)
        return undefined;
    const { added, changed, moved, removed, lost } = comparison;
    return {
        added: added.length,
        changed: changed.length,
        moved: moved.length,
        removed: removed.length,
        lost: lost.filter(({ redirect }) => redirect === undefined).length,
    };
}

;// CONCATENATED MODULE: ./build/src/publish/after/comment/comment-step.js



/** The comment about what an export changed: written by the export, brought up to date by each refresh of its link and by a rollback. */
class CommentStep {
    #inputs;
    #init;
    constructor(inputs, comment, deps) {
        this.#inputs = inputs;
        this.#init = { inputs: comment, adminApiKey: inputs.adminApiKey, deps };
    }
    plan() {
        const target = `the merged pull request of ${this.#init.deps.github.run.repository}`;
        return [{ action: 'comment on what changed', target }];
    }
    async run(delivered) {
        const { jobId, api, delivery, comparison, isLive = false, expiresAt, replacedJobId } = delivered;
        if (this.#inputs.mode === 'export') {
            const { domain = '', projectId = '' } = api.source;
            const site = domain || projectId || 'of this repository';
            const destinations = (0,destinations_text/* destinationsText */.F)(this.#inputs.to) ?? '';
            const toUrl = (0,names/* pageUrls */.Ub)(this.#inputs.live?.url);
            return commentOnChanges(this.#init, { jobId, site, destinations, comparison, isLive, toUrl });
        }
        const commitOf = (id) => delivery?.exports?.find(({ job }) => job === id)?.commit;
        const renewed = { jobId, commit: commitOf(jobId), expiresAt };
        if (replacedJobId === undefined)
            return commentOnRenewal(this.#init, renewed);
        return commentOnRollback(this.#init, renewed, { jobId: replacedJobId, commit: commitOf(replacedJobId) });
    }
}


/***/ }),

/***/ 6031:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MX: () => (/* binding */ verify),
/* harmony export */   _S: () => (/* binding */ sign),
/* harmony export */   dj: () => (/* binding */ canonicalJson)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);

const KEY_BYTES = 32;
/** The HMAC-SHA-256 of the payload as base64url without padding, 43 characters. */
function sign({ secret, purpose, payload }) {
    // RFC 5869, without a salt: the secret has enough entropy of its own.
    const key = Buffer.from((0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hkdfSync)('sha256', secret, '', purpose, KEY_BYTES));
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)('sha256', key).update(canonicalJson(payload)).digest('base64url');
}
function verify({ signature, ...signing }) {
    const expected = Buffer.from(sign(signing));
    const given = Buffer.from(signature);
    return expected.length === given.length && (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.timingSafeEqual)(expected, given);
}
/** JSON with the keys of every object in order, so that equal values give equal text. */
function canonicalJson(value) {
    return (JSON.stringify(value, (_key, part) => isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part) ?? 'null');
}
function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}


/***/ })

};
