export const id = 2627;
export const ids = [2627];
export const modules = {

/***/ 5466:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ contents),
/* harmony export */   r: () => (/* binding */ readContents)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8395);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4502);




/** What the contents API of GitHub and Gitea says of a path: a list for a folder. */
const contents = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .union */ .KCZ([
    zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .unknown */ .L5J()),
    zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc({
        type: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP(),
        size: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .number */ .aig(),
        encoding: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()),
        content: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()),
    }),
]);
/** The file in such a reply. `config` for anything but a file of at most `maxBytes`. */
function readContents(raw, { path, commit, maxBytes }) {
    const refuse = (problem) => new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({ code: 'config', message: `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(path, 200)} ${problem}. Nothing was sent.` });
    if (!('type' in raw))
        throw refuse('is a folder on the default branch');
    // A symbolic link can lead anywhere, and a submodule is another repository.
    if (raw.type !== 'file')
        throw refuse(`is a ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(raw.type, 30)} on the default branch, and no file`);
    if (raw.size > maxBytes)
        throw refuse(`has ${raw.size} bytes; ${maxBytes} are allowed`);
    const bytes = node_buffer__WEBPACK_IMPORTED_MODULE_0__.Buffer.from(raw.content ?? '', 'base64');
    if (raw.encoding !== 'base64' || bytes.length !== raw.size) {
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({
            code: 'protocol',
            message: `The reply with ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .plainLine */ .h0)(path, 200)} has ${bytes.length} of ${raw.size} bytes. Nothing was sent.`,
        });
    }
    return { bytes, commit };
}


/***/ }),

/***/ 5255:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ rankTokenHint),
/* harmony export */   h: () => (/* binding */ needing)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);

/** How to make the token that may ask what people may do. It only reads. */
const RANK_TOKEN_STEPS = [
    '1. Make an account for a bot, and make it an administrator of this repository alone (Settings, Collaborators).',
    '2. As that account: Settings, Applications, Generate New Token, with read:repository and nothing else.',
    '3. Store it as an Actions secret of this repository, and give it to the step:',
    'with:',
    '  secret-token: ${{ secrets.DOCS_PERMISSION_TOKEN }}',
].join('\n');
/** What to do where the server does not say what an account may do: never that the account may not. */
function rankTokenHint(isGiven) {
    const what = isGiven
        ? 'secret-token may not ask what people may do in this repository: its account must be an administrator of the repository, and the token needs read:repository.'
        : 'Only an administrator of the repository may ask that, which the token of a job never is: secret-token is missing.';
    return `${what}\n${RANK_TOKEN_STEPS}`;
}
const PERMISSIONS = { 'pull-requests': 'write', contents: 'read' };
const SCOPES = 'Where github-token is a token of an account, it needs write:issue, read:repository and read:user.';
/** Names what failed, and what the token lacks. */
async function needing(what, call) {
    try {
        return await call();
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden')) {
            const message = `github-token may not ${what}. ${error.message}`;
            throw error.with({
                message,
                hint: { text: `Give the token of the job these permissions. ${SCOPES}`, permissions: PERMISSIONS },
            });
        }
        if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'not-found'))
            throw error;
        throw error.with({
            message: `github-token cannot ${what}: the server does not find it (404).`,
            hint: {
                text: `It does not exist, or the token does not see it. Give the token of the job these permissions. ${SCOPES}`,
                permissions: PERMISSIONS,
            },
        });
    }
}


/***/ }),

/***/ 2627:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  GiteaForge: () => (/* binding */ GiteaForge)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/gitea/api.js
var gitea_api = __webpack_require__(1512);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/forges/default-file.js
var default_file = __webpack_require__(5466);
// EXTERNAL MODULE: ./build/src/forges/gitea/advice.js
var advice = __webpack_require__(5255);
// EXTERNAL MODULE: ./build/src/forges/gitea/replies.js
var replies = __webpack_require__(9579);
;// CONCATENATED MODULE: ./build/src/forges/gitea/calls.js


/** Lists that come whole: comments and timelines have no pages there. */
const LIST_BYTES = 16 * 1024 * 1024;
/** Calls about one repository. Each says `what` it wants, for the message where it is refused. */
class Calls {
    #api;
    #folder;
    #signal;
    constructor(api, folder, signal) {
        this.#api = api;
        this.#folder = folder;
        this.#signal = signal;
    }
    /** Paths are below the repository. */
    async get(what, path, schema) {
        return (await this.read(what, { path }, schema)).value;
    }
    read(what, request, schema) {
        const limits = { bodyBytes: LIST_BYTES };
        return (0,advice/* needing */.h)(what, () => this.#api.readReply(this.#complete({ limits, ...request }), schema));
    }
    readAll(what, path, entry) {
        return (0,advice/* needing */.h)(what, () => this.#api.readAll(this.#complete({ path }), entry));
    }
    send(what, request) {
        return (0,advice/* needing */.h)(what, () => this.#api.send(this.#complete(request)));
    }
    /** All that happened on a pull request, oldest first. */
    async timeline(number) {
        const path = ['issues', `${number}`, 'timeline'];
        return (await this.get(`read the timeline of pull request ${number}`, path, replies/* timeline */.IO)) ?? [];
    }
    #complete(request) {
        return { method: 'GET', signal: this.#signal, ...request, path: [...this.#folder, ...request.path] };
    }
}

// EXTERNAL MODULE: ./build/src/http/exchange.js + 1 modules
var exchange = __webpack_require__(2784);
;// CONCATENATED MODULE: ./build/src/forges/gitea/diff.js
/**
 * The patches of a diff as `git diff` writes it, by the path that each file has after the change, or had before where it was
 * deleted. In hunks every line begins with a blank, `+`, `-` or `\`, so that no content can look like the head of a file.
 */
function patchesByPath(diff) {
    const patches = new Map();
    for (const section of diff.split(/^(?=diff --git )/m)) {
        const start = section.search(/^@@ /m);
        // A binary file, a mode, or a rename without a change.
        if (start < 0)
            continue;
        const head = section.slice(0, start);
        const path = pathOf(head, '+++', 'b/') ?? pathOf(head, '---', 'a/');
        if (path !== undefined)
            patches.set(path, section.slice(start).replace(/\n$/, ''));
    }
    return patches;
}
function pathOf(head, mark, prefix) {
    const line = head.split('\n').find((one) => one.startsWith(`${mark} `));
    if (line === undefined)
        return undefined;
    // Git ends a path that holds blanks with a tab.
    const written = line.slice(mark.length + 1).replace(/\t$/, '');
    const path = written.startsWith('"') && written.endsWith('"') ? unquote(written.slice(1, -1)) : written;
    return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
const ESCAPES = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
/** A path as git quotes it: bytes outside of ASCII as `\303`, control characters as in C. */
function unquote(text) {
    const bytes = [];
    for (const [piece, octal, letter] of text.matchAll(/\\([0-7]{3})|\\(.)|[^\\]/gsu)) {
        if (octal !== undefined)
            bytes.push(Number.parseInt(octal, 8));
        else if (letter !== undefined)
            bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
        else
            bytes.push(...Buffer.from(piece));
    }
    return Buffer.from(bytes).toString('utf8');
}

;// CONCATENATED MODULE: ./build/src/forges/gitea/files.js




const DIFF_BYTES = 8 * 1024 * 1024;
/**
 * The changed files with their patches. The list says which commit it is of, the diff does not: where someone pushed while
 * the two were read, no entry names a commit.
 */
async function readFiles(calls, number, log) {
    const before = replies/* lastPush */.zR(await calls.timeline(number));
    const path = ['pulls', `${number}`, 'files'];
    const listed = await calls.readAll(`read the files of pull request ${number}`, path, replies/* file */.NJ);
    const patches = patchesByPath(await readDiff(calls, number, log));
    const after = replies/* lastPush */.zR(await calls.timeline(number));
    const isSteady = before?.id === after?.id;
    return listed.map((raw) => {
        const file = replies/* toFile */.eZ(raw, patches.get(raw.filename));
        return isSteady ? file : { ...file, commit: undefined };
    });
}
/** Empty where it is too large: then files have no patches. */
async function readDiff(calls, number, log) {
    const path = ['pulls', `${number}.diff`];
    try {
        const limits = { bodyBytes: DIFF_BYTES };
        const reply = await calls.send(`read the diff of pull request ${number}`, { path, limits });
        return reply.body.toString('utf8');
    }
    catch (error) {
        const isTooLarge = error instanceof errors/* CourierError */.Yw && error.cause instanceof exchange/* ExchangeError */.Sb && error.cause.fault === 'too-large';
        if (!isTooLarge)
            throw error;
        log.warning(`The diff of pull request ${number} is too large to be read; the agent gets the names of its files only.`);
        return '';
    }
}

// EXTERNAL MODULE: ./build/src/forges/rank-unknown.js
var rank_unknown = __webpack_require__(9501);
;// CONCATENATED MODULE: ./build/src/forges/gitea/ranks.js





/** What accounts may do in the repository; each is asked about once. */
class Ranks {
    #init;
    #known = new Map();
    constructor(init) {
        this.#init = init;
    }
    of(account) {
        const lookup = this.#known.get(account.id) ?? this.#lookUp(account);
        this.#known.set(account.id, lookup);
        return lookup;
    }
    async #lookUp({ login, id }) {
        const { api, folder, name, log, hasOwnToken, signal } = this.#init;
        const path = [...folder, 'collaborators', login, 'permission'];
        try {
            const standing = await api.read({ method: 'GET', path, signal }, replies/* standing */.JA);
            if (standing.user?.id === id)
                return replies/* rankOf */.IQ(standing.permission);
            log.warning(`${name}'s reply about the permission of ${(0,text_escape/* plainLine */.h0)(login, 60)} is about another account; it counts as none.`);
            return 'none';
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found') && (await this.#seesRepository()))
                return 'none';
            const isRefused = (0,errors/* hasCode */.up)(error, 'forbidden', 'unauthorized', 'not-found');
            const known = isRefused ? error.with({ code: 'forbidden', hint: (0,advice/* rankTokenHint */.L)(hasOwnToken) }) : error;
            throw (0,rank_unknown/* rankUnknown */.T)(known, login, name);
        }
    }
    /** Whether "not found" is about the account: the server says the same of a repository that a token does not see. */
    async #seesRepository() {
        const { api, folder, signal } = this.#init;
        const { status } = await api.send({
            method: 'GET',
            path: folder,
            signal,
            accepts: (reply) => [200, 401, 403, 404].includes(reply.status),
        });
        return status === 200;
    }
}

;// CONCATENATED MODULE: ./build/src/forges/gitea/forge.js









/** Each costs a request: the comments of reviews before these are not read. */
const MAX_REVIEWS = 50;
const RECENT_PAGE = 50;
/** The REST API of Gitea and Forgejo as a forge. */
class GiteaForge {
    #api;
    #calls;
    #ranks;
    #log;
    #signal;
    #author;
    constructor(init) {
        const { http, serverUrl, tokens, repository, name, log, signal } = init;
        const folder = ['repos', ...repository.split('/')];
        this.#api = new gitea_api/* GiteaApi */.H(http, serverUrl, tokens.main);
        this.#calls = new Calls(this.#api, folder, signal);
        const api = tokens.ranks === undefined ? this.#api : new gitea_api/* GiteaApi */.H(http, serverUrl, tokens.ranks);
        this.#ranks = new Ranks({ api, folder, name, hasOwnToken: tokens.ranks !== undefined, log, signal });
        this.#log = log;
        this.#signal = signal;
    }
    whoWeAre() {
        this.#author ??= this.#readAuthor();
        return this.#author;
    }
    async #readAuthor() {
        const request = { method: 'GET', path: ['user'], signal: this.#signal };
        const what = 'say which account it belongs to';
        const { id } = await (0,advice/* needing */.h)(what, () => this.#api.read(request, replies/* account */.ct));
        return { kind: 'account', id };
    }
    async isPublic() {
        const found = await this.#calls.get('read the repository', [], replies/* repository */.Jk);
        return !found.private && found.internal !== true;
    }
    rank(account) {
        return this.#ranks.of(account);
    }
    async isMember({ login, kind }) {
        if (kind !== 'person')
            return false;
        const path = ['collaborators', login];
        // 422 is about an account that is gone.
        const accepts = ({ status }) => [204, 404, 422].includes(status);
        const reply = await this.#calls.send('list collaborators', { path, accepts });
        return reply.status === 204;
    }
    async pullRequest(number) {
        const path = ['pulls', `${number}`];
        return replies/* toPullRequest */.c$(await this.#calls.get(`read pull request ${number}`, path, replies/* pullRequest */.VV));
    }
    /** The server knows the pull request of the commit that it was merged as, and of no other. */
    async pullsOfCommit(commit) {
        try {
            const what = `read the pull request of commit ${commit.slice(0, 12)}`;
            return [(await this.#calls.get(what, ['commits', commit, 'pull'], replies/* numbered */.jN)).number];
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return [];
            throw error;
        }
    }
    async defaultFile(path, maxBytes) {
        const { default_branch: name } = await this.#calls.get('read the repository', [], replies/* defaultBranch */.OR);
        const branch = await this.#calls.get('read the default branch', ['branches', name], replies/* branch */.tk);
        const commit = branch.commit.id;
        try {
            const request = { path: ['contents', ...path.split('/')], query: { ref: commit } };
            const { value } = await this.#calls.read(`read ${path}`, request, default_file/* contents */.P);
            return (0,default_file/* readContents */.r)(value, { path, commit, maxBytes });
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    files(number) {
        return readFiles(this.#calls, number, this.#log);
    }
    /** They come whole; the count that the server reports must agree, since what is missing could be a record. */
    async comments(number) {
        const path = ['issues', `${number}`, 'comments'];
        const { value, reply } = await this.#calls.read(`read the comments of pull request ${number}`, { path }, replies/* comments */.nK);
        const found = value ?? [];
        const total = reply.headers['x-total-count'];
        if (total !== undefined && Number(total) !== found.length) {
            throw new errors/* CourierError */.Yw({
                code: 'protocol',
                message: `The server lists ${found.length} of ${(0,text_escape/* plainLine */.h0)(String(total), 20)} comments of pull request ${number}. Nothing was sent.`,
            });
        }
        return found.map(replies/* toComment */.T5);
    }
    async comment(_pullNumber, id) {
        try {
            const path = ['issues', 'comments', `${id}`];
            return replies/* toComment */.T5(await this.#calls.get(`read comment ${id}`, path, replies/* comment */.Im));
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    /** The list begins with the oldest: its first page says how many there are, and the last two are read. */
    async recentComments(since, most) {
        const first = await this.#commentsPage(since, 1);
        const last = Math.ceil(Number(first.reply.headers['x-total-count'] ?? 0) / RECENT_PAGE) || 1;
        const found = last > 2 ? [] : [...(first.value ?? [])];
        for (const page of [last - 1, last].filter((one) => one > 1)) {
            found.push(...((await this.#commentsPage(since, page)).value ?? []));
        }
        return found.toReversed().slice(0, most).flatMap(toRecent);
    }
    #commentsPage(since, page) {
        const query = { since: since.toISOString(), limit: RECENT_PAGE, page };
        const path = ['issues', 'comments'];
        return this.#calls.read('read the latest comments', { path, query }, replies/* comments */.nK);
    }
    async reviewComments(number) {
        const folder = ['pulls', `${number}`, 'reviews'];
        const what = `read the review comments of pull request ${number}`;
        const reviews = await this.#calls.readAll(what, folder, replies/* review */.NQ);
        const found = [];
        for (const { id } of reviews.filter((one) => one.comments_count > 0).slice(-MAX_REVIEWS)) {
            const own = await this.#calls.get(what, [...folder, `${id}`, 'comments'], replies/* reviewComments */.BL);
            found.push(...(own ?? []).map(replies/* toReviewComment */.nh));
        }
        return found;
    }
    async headPushedAtMs({ number, head }) {
        const last = replies/* lastPush */.zR(await this.#calls.timeline(number));
        const atMs = Date.parse(last?.created_at ?? '');
        // A push of other commits says nothing about this one.
        return last !== undefined && replies/* hasPushed */.s(last, head.sha) && !Number.isNaN(atMs) ? atMs : undefined;
    }
    async labelledBy(number, label) {
        const last = replies/* lastLabelling */.xk(await this.#calls.timeline(number), label);
        return last?.user ? replies/* toAccount */.tf(last.user) : undefined;
    }
    async react({ id }, content) {
        const path = ['issues', 'comments', `${id}`, 'reactions'];
        // Repeated after a lost reply it would be known, and nobody could say from when.
        const request = { path, method: 'POST', body: { content }, repeat: 'unless-acted' };
        const { status } = await this.#calls.send(`react to comment ${id}`, request);
        return status === 201 ? 'new' : 'known';
    }
    async hasReacted({ id }, content) {
        const path = ['issues', 'comments', `${id}`, 'reactions'];
        const own = await this.whoWeAre();
        const found = await this.#calls.get(`read the reactions to comment ${id}`, path, replies/* reactions */.Br);
        // For the account of jobs, Gitea shows its ghost. Where that is somebody else, a command is not sent: no harm.
        const isOurs = (who) => own.kind === 'account' && (who === own.id || (own.id === replies/* JOB_ACCOUNT_ID */.In && who === replies/* GHOST_ID */.qK));
        return (found ?? []).some(({ user, content: given }) => given === content && isOurs(user?.id));
    }
    async createComment(number, body) {
        const path = ['issues', `${number}`, 'comments'];
        const request = { path, method: 'POST', body: { body }, repeat: 'unless-acted' };
        const { value } = await this.#calls.read(`comment on pull request ${number}`, request, replies/* ownComment */.w7);
        return { id: value.id, url: value.html_url };
    }
    async updateComment(_pullNumber, id, body) {
        const path = ['issues', 'comments', `${id}`];
        await this.#calls.send(`update comment ${id}`, { path, method: 'PATCH', body: { body } });
    }
    async removeComment(_pullNumber, id) {
        const path = ['issues', 'comments', `${id}`];
        await this.#calls.send(`delete comment ${id}`, { path, method: 'DELETE', accepts: isDoneOrGone });
    }
}
function isDoneOrGone({ status }) {
    return status === 204 || status === 404;
}
function toRecent(raw) {
    const pullNumber = replies/* pullNumberOf */.ez(raw);
    return pullNumber === undefined ? [] : [{ ...replies/* toComment */.T5(raw), pullNumber }];
}


/***/ }),

/***/ 9501:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   T: () => (/* binding */ rankUnknown)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4502);


/** A failed question about what an account may do: `network` unless the reason is clear, and never a "no". */
function rankUnknown(error, login, forgeName) {
    if (!(error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw) || error.code === 'cancelled')
        return error;
    const isClear = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .hasCode */ .up)(error, 'forbidden', 'unauthorized', 'rate-limited');
    return error.with({
        code: isClear ? error.code : 'network',
        message: `The permission of ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(login, 60)} could not be looked up, so nothing was sent. ${error.message}`,
        hint: error.hint ?? `Run the job again when ${forgeName} answers.`,
    });
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
