export const id = 4730;
export const ids = [4730];
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

/***/ 4730:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  commentOnSearch: () => (/* binding */ commentOnSearch)
});

// EXTERNAL MODULE: ./build/src/comment/pull-comments.js + 1 modules
var pull_comments = __webpack_require__(8306);
// EXTERNAL MODULE: ./build/src/comment/run-url.js
var run_url = __webpack_require__(5058);
// EXTERNAL MODULE: ./build/src/comment/step-key.js
var step_key = __webpack_require__(6219);
// EXTERNAL MODULE: ./build/src/comment/warning.js
var warning = __webpack_require__(3019);
// EXTERNAL MODULE: ./build/src/confined-files.js
var confined_files = __webpack_require__(6171);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
// EXTERNAL MODULE: ./build/src/run/report.js
var report = __webpack_require__(7417);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: ./build/src/search/queries.js
var queries = __webpack_require__(9218);
// EXTERNAL MODULE: ./build/src/search/verdict.js + 1 modules
var verdict = __webpack_require__(9621);
// EXTERNAL MODULE: ./build/src/search/wording.js
var wording = __webpack_require__(3750);
;// CONCATENATED MODULE: ./build/src/search/comment-text.js






const MAX_ROWS = 10;
const MAX_FOUND = 3;
const MAX_PATH = 160;
const MAX_MESSAGE = 300;
/** Whether there is nothing that whoever changes the pull request should see to. */
function isGood({ verdict, comparison, newMisses }) {
    return verdict === undefined && (comparison?.worse.length ?? 0) + newMisses.length === 0;
}
/** Markdown. Queries, pages and errors come from outside: all of them are escaped. */
function searchCommentText(shown) {
    const better = shown.comparison?.better ?? [];
    return (0,report/* sections */.V0)([
        `**Search of ${(0,text_escape/* codeSpan */.SS)(shown.domain, 128)}**: ${countsText(shown)}.`,
        verdictText(shown),
        badTable(shown),
        better.length === 0 ? '' : betterDetails(better),
    ]);
}
/** `5 passed, 2 missed; 1 better, 2 worse, 1 new miss`. */
function countsText({ outcomes, comparison, newMisses }) {
    const { passed, missed, errors } = (0,verdict/* totalOutcomes */.U)(outcomes);
    const failed = errors === 0 ? '' : `, ${errors} could not be run`;
    const counts = `${passed} passed, ${missed} missed${failed}`;
    if (comparison === undefined)
        return counts;
    const { better, worse } = comparison;
    return `${counts}; ${better.length} better, ${worse.length} worse, ${(0,markdown/* countOf */.pq)(newMisses.length, 'new miss', 'new misses')}`;
}
function verdictText(shown) {
    const { verdict, hasFailed } = shown;
    if (verdict !== undefined)
        return `❌ ${(0,text_escape/* escapeMarkdown */.FV)(verdict.message, MAX_MESSAGE)}`;
    if (!isGood(shown))
        return '⚠️ The check passes, but not all is as it was.';
    return hasFailed ? '✅ All is well again: the check passes.' : '✅ The check passes.';
}
/** What got worse, then what is new and missed; without an earlier run, what missed. */
function badRows({ outcomes, comparison, newMisses }) {
    if (comparison === undefined) {
        return outcomes.filter(({ verdict }) => verdict === 'miss').map((outcome) => ({ outcome, before: '' }));
    }
    const worse = new Map(comparison.worse.map((change) => [(0,queries/* queryIdentity */.DF)(change), change]));
    const changed = outcomes.flatMap((outcome) => {
        const change = worse.get((0,queries/* queryIdentity */.DF)(outcome));
        return change === undefined ? [] : [{ outcome, before: (0,wording/* resultText */.D6)(change.before) }];
    });
    return [...changed, ...newMisses.map((outcome) => ({ outcome, before: 'new' }))];
}
function badTable(shown) {
    const rows = badRows(shown);
    if (rows.length === 0)
        return '';
    const columns = [
        ['Query', ({ outcome }) => (0,wording/* queryCell */.rY)(outcome)],
        ...(shown.comparison === undefined ? [] : [['Before', ({ before }) => before]]),
        ['Now', ({ outcome }) => (0,wording/* resultText */.D6)(outcome)],
        ...(shown.showsPages ? [['Found instead', ({ outcome }) => foundCell(outcome)]] : []),
    ];
    const cells = rows.slice(0, MAX_ROWS).map((row) => columns.map(([, cell]) => cell(row)));
    return (0,report/* sections */.V0)([
        (0,markdown/* table */.tp)(columns.map(([head]) => head), cells),
        moreThan(rows.length),
    ]);
}
// As code: what a page is called by is not made a link where others may read it.
function foundCell({ paths }) {
    if (paths.length === 0)
        return 'nothing';
    const first = paths.slice(0, MAX_FOUND).map((path, index) => `${index + 1}. ${(0,text_escape/* codeSpan */.SS)(path, MAX_PATH)}`);
    const rest = paths.length - first.length;
    return [...first, ...(rest > 0 ? [`and ${rest} more`] : [])].join('<br>');
}
function betterDetails(better) {
    const rows = better
        .slice(0, MAX_ROWS)
        .map((change) => [(0,wording/* queryCell */.rY)(change), (0,wording/* resultText */.D6)(change.before), (0,wording/* resultText */.D6)(change.now)]);
    return (0,report/* sections */.V0)([
        `<details><summary>Better (${better.length.toLocaleString('en-US')})</summary>`,
        (0,markdown/* table */.tp)(['Query', 'Before', 'Now'], rows),
        moreThan(better.length),
        '</details>',
    ]);
}
function moreThan(count) {
    return count > MAX_ROWS ? `And ${(0,markdown/* countOf */.pq)(count - MAX_ROWS, 'more', 'more')}: see the summary of the run.` : '';
}

;// CONCATENATED MODULE: ./build/src/search/comment.js








// The check itself is over: it is not kept waiting for longer.
const TIME_LIMIT_MS = 60_000;
/**
 * Writes the comment on the pull request that the run is for, or brings it up to date. Whatever goes wrong with that is a
 * warning: the check ends as it would without. Throws `cancelled` alone. Gives what a dry run did not write.
 */
async function commentOnSearch(inputs, comment, checked, deps) {
    const { github, log, signal } = deps;
    try {
        const pull = await pullNumber(deps);
        if (pull === undefined)
            return [];
        if (inputs.dryRun) {
            return [{ action: 'comment on the search', target: `pull request ${pull} of ${github.run.repository}` }];
        }
        const { GitHubHost } = await __webpack_require__.e(/* import() */ 5117).then(__webpack_require__.bind(__webpack_require__, 5117));
        const limited = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
        const forge = await new GitHubHost(github, log).connect({ main: comment.token, ranks: undefined }, limited);
        const showsPages = comment.titles || !(await isPublic(forge));
        const step = stepOf(inputs, github.run.workspace);
        const comments = new pull_comments/* PullComments */.i({ forge, secret: inputs.assistantApiKey, deps });
        const known = await comments.find(pull, (notice) => pickStep(notice, step));
        const hasFailed = known?.notice.hasFailed ?? false;
        const notice = { version: 2, kind: 'search', step, hasFailed: hasFailed || !isGood(checked) };
        const text = `${searchCommentText({ ...checked, showsPages, hasFailed })}\n\n<sub>By ${(0,run_url/* runLink */.u)(github.run)}.</sub>`;
        const url = await comments.write(pull, known?.comment, notice, text);
        const done = known === undefined ? 'Commented' : 'Updated the comment';
        log.info(`${done} on pull request ${pull}: ${countsText(checked)}. ${url}`);
    }
    catch (error) {
        if (signal.aborted)
            throw error;
        const reason = (0,errors/* toCourierError */.tR)(error);
        const why = (0,errors/* hasCode */.up)(reason, 'cancelled') ? 'GitHub did not answer within 60s.' : (0,warning/* adviceOf */.w)(reason);
        log.warning(`The comment about the search could not be written; the check itself is not changed by that. ${why}`);
    }
    return [];
}
/** The pull request of the event. */
async function pullNumber({ run, github, log }) {
    const event = await github.event();
    const isComment = (0,json/* fieldOf */._F)(event, 'issue', 'pull_request') !== undefined;
    const number = (0,json/* fieldOf */._F)(event, 'pull_request', 'number') ?? (isComment ? (0,json/* fieldOf */._F)(event, 'issue', 'number') : undefined);
    if (typeof number === 'number')
        return number;
    log.info(`No comment: a run by ${run.eventName ?? 'this event'} is for no pull request.`);
    return undefined;
}
// Where that cannot be known, less is shown.
function isPublic(forge) {
    return forge.isPublic().catch(() => true);
}
/** The same for each run of a step, and for no other step of the repository that searches something else. */
function stepOf({ domain, queriesFile, query, filter }, workspace) {
    return (0,step_key/* keyOf */.T)({
        domain,
        queries: queriesFile === undefined ? undefined : (0,confined_files/* shownPath */.pS)(queriesFile, workspace),
        query,
        filter,
    });
}
function pickStep(notice, step) {
    return notice.kind === 'search' && notice.step === step ? notice : undefined;
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
