export const id = 645;
export const ids = [645];
export const modules = {

/***/ 5424:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ BranchFiles)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);

/** The files of default branches, as a forge shows them by its contents API. GitHub and Gitea answer alike. */
class BranchFiles {
    #files = new Map();
    /** What was at the path before is gone. */
    set(repository, path, text) {
        const key = repository.toLowerCase();
        const files = this.#files.get(key) ?? new Map();
        this.#files.set(key, files.set(path, text));
    }
    /** The newest commit of the default branch: another one after each change. */
    commit(repository) {
        const files = [...(this.#files.get(repository.toLowerCase()) ?? [])];
        return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha1')
            .update(`${repository.toLowerCase()}\n${JSON.stringify(files)}`)
            .digest('hex');
    }
    /** undefined: there is no such file at that commit or branch. */
    contents(repository, path, ref, branch) {
        const text = this.#files.get(repository.toLowerCase())?.get(path);
        if (text === undefined || (ref !== branch && ref !== this.commit(repository)))
            return undefined;
        const bytes = Buffer.from(text);
        const sha = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
        // GitHub breaks the lines of what it encodes.
        const content = bytes.toString('base64').replace(/.{60}/g, '$&\n');
        return { type: 'file', name: path.split('/').at(-1), path, sha, size: bytes.length, encoding: 'base64', content };
    }
    clear() {
        this.#files.clear();
    }
}


/***/ }),

/***/ 4645:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  startGiteaEmulator: () => (/* binding */ startGiteaEmulator)
});

// EXTERNAL MODULE: ./node_modules/hono/dist/index.js + 23 modules
var dist = __webpack_require__(429);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/emulator/src/faults.js
var src_faults = __webpack_require__(6778);
// EXTERNAL MODULE: ./build/emulator/src/server.js + 3 modules
var src_server = __webpack_require__(4077);
// EXTERNAL MODULE: ./build/emulator/src/files.js
var files = __webpack_require__(5424);
;// CONCATENATED MODULE: ./build/emulator/src/gitea/conversations.js

/** The accounts that every Gitea has. */
const JOB_USER = { id: -2, login: 'gitea-actions' };
const GHOST = { id: -1, login: 'Ghost' };
/** Pull requests and what is said and done about them. */
class GiteaConversations {
    /** Of default branches. */
    files = new files/* BranchFiles */.A();
    #now;
    #users = new Map([JOB_USER, GHOST].map((user) => [user.login.toLowerCase(), user]));
    /** `owner/name` in lower case, to login in lower case, to permission. */
    #permissions = new Map();
    #private = new Set();
    pulls = [];
    comments = [];
    entries = [];
    reactions = [];
    reviewComments = [];
    tasks = [];
    #lastId = 0;
    constructor(now) {
        this.#now = now;
    }
    now() {
        return this.#now();
    }
    addRepository(fullName, people, isPrivate = false) {
        const entries = Object.entries(people).map(([login, rank]) => [login.toLowerCase(), rank]);
        this.#permissions.set(fullName.toLowerCase(), new Map(entries));
        if (isPrivate)
            this.#private.add(fullName.toLowerCase());
        for (const login of Object.keys(people))
            this.user(login);
    }
    hasRepository(fullName) {
        return this.#permissions.has(fullName.toLowerCase());
    }
    isPrivate(fullName) {
        return this.#private.has(fullName.toLowerCase());
    }
    isCollaborator(fullName, login) {
        const rank = this.#permissions.get(fullName.toLowerCase())?.get(login.toLowerCase());
        return rank !== undefined && rank !== 'owner';
    }
    permission(fullName, login) {
        const rank = this.#permissions.get(fullName.toLowerCase())?.get(login.toLowerCase());
        return rank ?? (this.isPrivate(fullName) ? 'none' : 'read');
    }
    findUser(login) {
        return this.#users.get(login.toLowerCase());
    }
    user(login) {
        const known = this.findUser(login);
        if (known !== undefined)
            return known;
        const user = { id: this.#users.size + 100, login };
        this.#users.set(login.toLowerCase(), user);
        return user;
    }
    userOf({ login }) {
        return this.user(login);
    }
    pull(repository, number) {
        return this.pulls.find((one) => one.repository.toLowerCase() === repository.toLowerCase() && one.number === number);
    }
    addPull(seed) {
        const { repository, number, title = 'A change', body = '', files = [] } = seed;
        const head = { ref: 'change', sha: 'a'.repeat(40), repository, ...seed.head };
        const user = this.user(seed.user);
        const rest = { state: 'open', merged: false, locked: false, labels: [], base: { ref: 'main' } };
        const pull = { repository, number, title, body, user, files, head, ...rest, labels: [] };
        this.pulls.push(pull);
        this.#enter(pull, 'pull_push', user, pushText([head.sha]), { at: seed.at });
        return pull;
    }
    push(pull, sha, more = {}) {
        pull.head = { ...pull.head, sha };
        if (more.files !== undefined)
            pull.files = more.files;
        this.#enter(pull, 'pull_push', this.user(more.by ?? pull.user.login), pushText([sha]));
    }
    label(pull, name, by) {
        pull.labels.push(name);
        this.#enter(pull, 'label', this.user(by), '1', { label: name });
    }
    #enter({ repository, number }, type, user, body, { label, at = this.#now() } = {}) {
        this.entries.push({ id: this.#nextId(), repository, number, type, user, body, label, createdAt: at });
    }
    addComment(repository, number, user, body) {
        const at = this.#now();
        const comment = { id: this.#nextId(), repository, number, user, body, createdAt: at, updatedAt: at };
        this.comments.push(comment);
        return comment;
    }
    addReviewComment(seed) {
        this.reviewComments.push({ ...seed, id: this.#nextId(), reviewId: this.#nextId(), createdAt: this.#now() });
    }
    /** `false`: this account had reacted so already. */
    react(commentId, user, content) {
        const isSame = (one) => one.commentId === commentId && one.user.id === user.id && one.content === content;
        if (this.reactions.some(isSame))
            return false;
        this.reactions.push({ commentId, user, content, createdAt: this.#now() });
        return true;
    }
    /** As lists show it: the account of jobs appears as the ghost. */
    shownReactor(user) {
        return user.id === JOB_USER.id ? GHOST : user;
    }
    addTask(seed) {
        this.tasks.push({ ...seed, id: this.#nextId() });
    }
    #nextId() {
        this.#lastId += 1;
        return this.#lastId;
    }
}
function pushText(commits) {
    return JSON.stringify({ is_force_push: false, commit_ids: commits });
}

;// CONCATENATED MODULE: ./build/emulator/src/gitea/admission.js


/** Who may do what with a token, in the order in which Gitea judges: token, scope, repository, what is asked for. */
class Admission {
    #tokens;
    #state;
    constructor(tokens, state) {
        this.#tokens = tokens;
        this.#state = state;
    }
    mayWrite({ repository }, token) {
        return (token.login === JOB_USER.login || !['none', 'read'].includes(this.#state.permission(repository, token.login)));
    }
    /** Goes on with the token, where it is one that may do this. */
    as(c, category, handle) {
        const token = this.#tokens.get((c.req.header('authorization') ?? '').replace(/^(token|bearer)\s+/i, ''));
        if (token === undefined)
            return refuse(c, 401, 'invalid username, password or token');
        const level = c.req.method === 'GET' ? 'read' : 'write';
        const fits = level === 'read' ? [`read:${category}`, `write:${category}`] : [`write:${category}`];
        const granted = token.scopes ?? ['read:user', `${token.job ?? 'write'}:issue`, 'read:repository'];
        if (!['all', ...fits].some((scope) => granted.includes(scope))) {
            return refuse(c, 403, `token does not have at least one of required scope(s), required=[${level}:${category}]`);
        }
        return handle(token);
    }
    in(c, category, handle) {
        return this.as(c, category, (token) => {
            const name = `${c.req.param('owner')}/${c.req.param('repo')}`;
            const isSeen = token.scopes === undefined || this.#state.permission(name, token.login) !== 'none';
            return this.#state.hasRepository(name) && isSeen ? handle(name, token) : refuse(c, 404, 'not found');
        });
    }
    onPull(c, category, handle) {
        return this.in(c, category, (name, token) => {
            const pull = this.#state.pull(name, Number.parseInt(c.req.param('number') ?? '', 10));
            return pull === undefined ? refuse(c, 404, 'not found') : handle(pull, token);
        });
    }
    onComment(c, handle) {
        return this.in(c, 'issue', (name, token) => {
            const found = this.#state.comments.find(({ id, repository }) => id === Number(c.req.param('id')) && repository === name);
            return found === undefined ? refuse(c, 404, 'not found') : handle(found, token);
        });
    }
}
const textBody = schemas/* object */.Ikc({ body: schemas/* optional */.lqM(schemas/* string */.YjP()), content: schemas/* optional */.lqM(schemas/* string */.YjP()) });
const MAX_PAGE = 50;
function refuse(c, status, message) {
    return c.json({ message, url: 'https://gitea.example.com/api/swagger' }, status);
}
function serverOf(c) {
    return new URL(c.req.url).origin;
}
function slice(c, all) {
    const size = Math.min(MAX_PAGE, Number(c.req.query('limit') ?? MAX_PAGE));
    const from = (Number(c.req.query('page') ?? 1) - 1) * size;
    return all.slice(from, from + size);
}
function page(c, all) {
    return c.json(slice(c, all), 200, { 'x-total-count': String(all.length) });
}
async function bodyOf(c) {
    const parsed = textBody.safeParse(await c.req.json().catch(() => undefined));
    return parsed.success ? parsed.data : {};
}

;// CONCATENATED MODULE: ./build/emulator/src/gitea/shapes.js
/** Replies as Gitea 1.26 writes them. `server` is the address that a request came to. */
/** Whole seconds, as Gitea keeps times. */
function timestamp(ms) {
    return new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000', '');
}
function userShape({ id, login }) {
    return { id, login, login_name: '', full_name: '', email: `${login}@example.com`, is_admin: false, username: login };
}
function repositoryShape(fullName, isPrivate) {
    const [, name = ''] = fullName.split('/');
    return { id: 1, name, full_name: fullName, private: isPrivate, internal: false, default_branch: 'main' };
}
function pullUrl(server, { repository, number }) {
    return `${server}/${repository}/pulls/${number}`;
}
function pullShape(server, pull, conversations) {
    const { repository, number, files, labels } = pull;
    const lines = (mark) => files.reduce((sum, { patch }) => sum + countLines(patch, mark), 0);
    const repo = (name) => name === undefined ? null : repositoryShape(name, conversations.isPrivate(name));
    return {
        id: number,
        url: pullUrl(server, pull),
        number,
        user: userShape(pull.user),
        title: pull.title,
        body: pull.body,
        labels: labels.map((name, index) => ({ id: index + 1, name, color: 'ff0000' })),
        state: pull.state,
        is_locked: pull.locked,
        merged: pull.merged,
        merge_commit_sha: pull.mergeCommitSha ?? null,
        additions: lines('+'),
        deletions: lines('-'),
        changed_files: files.length,
        html_url: pullUrl(server, pull),
        diff_url: `${pullUrl(server, pull)}.diff`,
        base: { label: pull.base.ref, ref: pull.base.ref, sha: 'b'.repeat(40), repo: repo(repository) },
        head: { label: pull.head.ref, ref: pull.head.ref, sha: pull.head.sha, repo: repo(pull.head.repository) },
    };
}
function countLines(patch, mark) {
    return (patch ?? '').split('\n').filter((line) => line.startsWith(mark)).length;
}
function fileShape(server, pull, file) {
    const { filename, previousFilename, status = 'changed', patch } = file;
    const below = `${server}/api/v1/repos/${pull.repository}/contents/${encodeURIComponent(filename)}`;
    return {
        filename,
        status,
        ...(previousFilename !== undefined && { previous_filename: previousFilename }),
        additions: countLines(patch, '+'),
        deletions: countLines(patch, '-'),
        changes: countLines(patch, '+') + countLines(patch, '-'),
        // A file that is gone has no content to link to.
        contents_url: `${below}?ref=${pull.head.sha}`,
    };
}
/** As `git diff` writes it. */
function diffText({ files }) {
    return files
        .map(({ filename, previousFilename: before = filename, status, patch }) => {
        const head = `diff --git a/${before} b/${filename}\nindex 0000000..3f45f10 100644\n`;
        if (patch === undefined)
            return `${head}Binary files a/${before} and b/${filename} differ\n`;
        const [from, to] = [
            status === 'added' ? '/dev/null' : `a/${before}`,
            status === 'deleted' ? '/dev/null' : `b/${filename}`,
        ];
        return `${head}--- ${from}\n+++ ${to}\n${patch}\n`;
    })
        .join('');
}
function commentShape(server, comment, isPull) {
    const url = isPull ? pullUrl(server, comment) : `${server}/${comment.repository}/issues/${comment.number}`;
    return {
        id: comment.id,
        html_url: `${url}#issuecomment-${comment.id}`,
        pull_request_url: isPull ? url : '',
        issue_url: isPull ? '' : url,
        user: userShape(comment.user),
        original_author: '',
        original_author_id: 0,
        body: comment.body,
        assets: [],
        created_at: timestamp(comment.createdAt),
        updated_at: timestamp(comment.updatedAt),
    };
}
function timelineShape(server, pull, { comments, entries }) {
    const isHere = (one) => one.repository === pull.repository && one.number === pull.number;
    const all = [
        ...comments.filter(isHere).map((one) => ({
            id: one.id,
            shape: { ...commentShape(server, one, true), type: 'comment', label: null },
        })),
        ...entries.filter(isHere).map((one) => ({
            id: one.id,
            shape: {
                id: one.id,
                type: one.type,
                user: userShape(one.user),
                body: one.body,
                label: one.label === undefined ? null : { id: 1, name: one.label, color: 'ff0000' },
                created_at: timestamp(one.createdAt),
                updated_at: timestamp(one.createdAt),
            },
        })),
    ];
    return all.sort((a, b) => a.id - b.id).map(({ shape }) => shape);
}

;// CONCATENATED MODULE: ./build/emulator/src/gitea/comments.js


/** Comments below pull requests and issues, and reactions to them. */
function addCommentRoutes(app, path, admission, state) {
    const isOnPull = ({ repository, number }) => state.pull(repository, number) !== undefined;
    app.get(`${path}/:number/comments`, (c) => admission.onPull(c, 'issue', (pull) => {
        // Pages are ignored there.
        const own = state.comments
            .filter((one) => one.repository === pull.repository && one.number === pull.number)
            .map((one) => commentShape(serverOf(c), one, true));
        return c.json(own, 200, { 'x-total-count': String(own.length) });
    }));
    app.post(`${path}/:number/comments`, (c) => admission.onPull(c, 'issue', async (pull, token) => {
        if (pull.locked && !admission.mayWrite(pull, token))
            return refuse(c, 403, 'comment is locked');
        const { body = '' } = await bodyOf(c);
        if (body === '')
            return refuse(c, 422, '[Body]: Required');
        const made = state.addComment(pull.repository, pull.number, state.userOf(token), body);
        return c.json(commentShape(serverOf(c), made, true), 201);
    }));
    app.get(`${path}/:number/timeline`, (c) => admission.onPull(c, 'issue', (pull) => c.json(timelineShape(serverOf(c), pull, state))));
    app.get(`${path}/comments`, (c) => admission.in(c, 'issue', (name) => {
        const since = Date.parse(c.req.query('since') ?? '') || 0;
        const found = state.comments.filter((one) => one.repository === name && one.updatedAt >= since);
        return page(c, found.map((one) => commentShape(serverOf(c), one, isOnPull(one))));
    }));
    const comment = `${path}/comments/:id`;
    app.get(comment, (c) => admission.onComment(c, (one) => c.json(commentShape(serverOf(c), one, isOnPull(one)))));
    app.patch(comment, (c) => admission.onComment(c, async (one, token) => {
        const isOwn = one.user.id === state.userOf(token).id;
        if (!isOwn && !admission.mayWrite(one, token))
            return refuse(c, 403, 'forbidden');
        one.body = (await bodyOf(c)).body ?? '';
        one.updatedAt = state.now();
        return c.json(commentShape(serverOf(c), one, isOnPull(one)));
    }));
    app.delete(comment, (c) => admission.onComment(c, (one) => {
        state.comments = state.comments.filter(({ id }) => id !== one.id);
        return c.body(null, 204);
    }));
    app.get(`${comment}/reactions`, (c) => admission.onComment(c, ({ id }) => {
        const own = state.reactions.filter(({ commentId }) => commentId === id);
        const shown = own.map(({ user, content, createdAt }) => ({
            user: userShape(state.shownReactor(user)),
            content,
            created_at: timestamp(createdAt),
        }));
        return c.json(shown.length === 0 ? null : shown);
    }));
    app.post(`${comment}/reactions`, (c) => admission.onComment(c, async ({ id }, token) => {
        const { content = '' } = await bodyOf(c);
        const user = state.userOf(token);
        const isNew = state.react(id, user, content);
        return c.json({ user: userShape(user), content, created_at: timestamp(state.now()) }, isNew ? 201 : 200);
    }));
}

;// CONCATENATED MODULE: ./build/emulator/src/gitea/runs.js

/** What is known of runs and their attempts. */
function addRunRoutes(app, path, admission, state) {
    const tasksOf = (name) => state.tasks.filter(({ repository }) => repository === name);
    app.get(`${path}/runs/:run`, (c) => admission.in(c, 'repository', (name) => {
        const last = tasksOf(name).findLast(({ runId }) => runId === c.req.param('run'));
        if (last === undefined)
            return refuse(c, 404, 'run does not exist');
        const isOver = last.status !== 'running';
        return c.json({
            id: Number(last.runId),
            run_number: last.runNumber,
            status: isOver ? 'completed' : 'in_progress',
        });
    }));
    app.get(`${path}/runs/:run/jobs`, (c) => admission.in(c, 'repository', (name) => {
        const last = tasksOf(name).findLast(({ runId }) => runId === c.req.param('run'));
        const status = last?.status === 'running' ? 'in_progress' : 'completed';
        return c.json({ jobs: last === undefined ? [] : [{ id: 1, name: last.name, status, runner_name: 'tests' }] });
    }));
    app.get(`${path}/tasks`, (c) => admission.in(c, 'repository', (name) => {
        const all = tasksOf(name).toReversed();
        const shown = all.map(({ id, name: job, runNumber, status }) => ({
            id,
            name: job,
            run_number: runNumber,
            status,
        }));
        return c.json({ workflow_runs: slice(c, shown), total_count: all.length });
    }));
}

;// CONCATENATED MODULE: ./build/emulator/src/gitea/pull-requests.js




const NO_ADMIN = 'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own';
/** The part of Gitea's REST API that the agent's pull request is read and answered by. */
function addPullRequestRoutes(app, admission, state) {
    const repository = '/api/v1/repos/:owner/:repo';
    app.get('/api/v1/user', (c) => admission.as(c, 'user', (token) => c.json(userShape(state.userOf(token)))));
    app.get(repository, (c) => admission.in(c, 'repository', (name, { login }) => {
        const admin = ['admin', 'owner'].includes(state.permission(name, login));
        return c.json({ ...repositoryShape(name, state.isPrivate(name)), permissions: { admin, pull: true } });
    }));
    app.get(`${repository}/collaborators/:login`, (c) => admission.in(c, 'repository', (name) => {
        const user = state.findUser(c.req.param('login'));
        if (user === undefined || user.id < 0)
            return refuse(c, 422, 'user does not exist');
        return state.isCollaborator(name, user.login) ? c.body(null, 204) : refuse(c, 404, 'not found');
    }));
    app.get(`${repository}/collaborators/:login/permission`, (c) => admission.in(c, 'repository', (name, token) => permission(c, name, token, state)));
    app.get(`${repository}/branches/:name`, (c) => admission.in(c, 'repository', (name) => c.req.param('name') === 'main'
        ? c.json({ name: 'main', commit: { id: state.files.commit(name) } })
        : refuse(c, 404, 'not found')));
    app.get(`${repository}/contents/:path{.+}`, (c) => admission.in(c, 'repository', (name) => {
        const found = state.files.contents(name, c.req.param('path'), c.req.query('ref') ?? 'main', 'main');
        return found === undefined ? refuse(c, 404, 'not found') : c.json(found);
    }));
    app.get(`${repository}/commits/:sha/pull`, (c) => admission.in(c, 'repository', (name) => {
        const sha = c.req.param('sha');
        const pull = state.pulls.find((one) => one.repository === name && one.mergeCommitSha === sha);
        return pull === undefined ? refuse(c, 404, 'not found') : c.json(pullShape(serverOf(c), pull, state));
    }));
    addPulls(app, `${repository}/pulls`, admission, state);
    addCommentRoutes(app, `${repository}/issues`, admission, state);
    addRunRoutes(app, `${repository}/actions`, admission, state);
}
function addPulls(app, path, admission, state) {
    const reviewComments = (pull) => state.reviewComments.filter((one) => one.repository === pull.repository && one.number === pull.number);
    app.get(`${path}/:number`, (c) => {
        const isDiff = c.req.param('number').endsWith('.diff');
        return admission.onPull(c, 'repository', (pull) => isDiff ? c.text(diffText(pull)) : c.json(pullShape(serverOf(c), pull, state)));
    });
    app.get(`${path}/:number/files`, (c) => admission.onPull(c, 'repository', (pull) => page(c, pull.files.map((file) => fileShape(serverOf(c), pull, file)))));
    app.get(`${path}/:number/reviews`, (c) => admission.onPull(c, 'repository', (pull) => page(c, reviewComments(pull).map(({ reviewId }) => ({ id: reviewId, comments_count: 1 })))));
    app.get(`${path}/:number/reviews/:id/comments`, (c) => admission.onPull(c, 'repository', (pull) => {
        const own = reviewComments(pull).filter(({ reviewId }) => reviewId === Number(c.req.param('id')));
        return c.json(own.map((one) => ({
            id: one.id,
            body: one.body,
            user: userShape(one.user),
            path: one.path,
            position: one.line,
            original_position: 0,
            diff_hunk: one.hunk,
            html_url: `${serverOf(c)}/${pull.repository}/pulls/${pull.number}#issuecomment-${one.id}`,
            created_at: timestamp(one.createdAt),
            updated_at: timestamp(one.createdAt),
        })));
    }));
}
function permission(c, name, token, state) {
    const login = c.req.param('login') ?? '';
    const own = state.permission(name, token.login);
    const isSelf = token.login.toLowerCase() === login.toLowerCase();
    if (!isSelf && own !== 'admin' && own !== 'owner')
        return refuse(c, 403, NO_ADMIN);
    const user = state.findUser(login);
    if (user === undefined)
        return refuse(c, 404, `user does not exist [uid: 0, name: ${login}]`);
    const rank = state.permission(name, login);
    return c.json({ permission: rank, role_name: rank, user: userShape(user) });
}

;// CONCATENATED MODULE: ./build/emulator/src/gitea/settings.js
/** A repository (`owner/name`) or an organization, with its secrets and variables. Names are kept in upper case. */
class GiteaPlace {
    secrets = new Map();
    variables = new Map();
    /** Logins in lower case. */
    owners;
    constructor(owners) {
        this.owners = new Set(owners.map((login) => login.toLowerCase()));
    }
}
const SECRET_BYTES = 65_536;
/** What Gitea refuses about a name and a value; undefined: nothing. */
function refusalOf(name, value) {
    if (value === '')
        return { status: 422, message: '[]: Required' };
    if (Buffer.byteLength(value) > SECRET_BYTES)
        return { status: 500, message: 'data too long' };
    const isAllowed = /^[A-Z_][A-Z0-9_]*$/i.test(name) && !/^GIT(EA|HUB)_/i.test(name) && name.toUpperCase() !== 'CI';
    return isAllowed ? undefined : { status: 400, message: 'invalid variable or secret name' };
}
/** As Gitea keeps it: CRLF becomes LF. */
function variableText(value) {
    return value.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

;// CONCATENATED MODULE: ./build/emulator/src/gitea/emulator.js








const emulator_MAX_PAGE = 50;
async function startGiteaEmulator(options = {}) {
    const { tokens = {}, repositories = {}, organizations = {}, people = {}, clock = Date, port = 0, log } = options;
    const owners = Object.entries({ ...repositories, ...organizations });
    const places = new Map(owners.map(([name, logins]) => [name.toLowerCase(), new GiteaPlace(logins)]));
    const conversations = new GiteaConversations(() => clock.now());
    for (const [name, ranks] of Object.entries(people))
        conversations.addRepository(name, ranks);
    const known = new Map(Object.entries(tokens));
    const app = createApp(known, places);
    addPullRequestRoutes(app, new Admission(known, conversations), conversations);
    const faults = new src_faults/* FaultScript */.S();
    const requests = [];
    const service = {
        faults,
        fetch: (request) => app.fetch(request),
        record({ method, url, headers, body }) {
            const token = (headers['authorization'] ?? '').replace(/^token /, '');
            const record = { method, path: url.pathname, body: new TextDecoder().decode(body), token, status: undefined };
            requests.push(record);
            return record;
        },
    };
    const server = await (0,src_server/* startServer */.U)({ service, port, log });
    return {
        url: server.url,
        requests,
        conversations,
        place(name) {
            const place = places.get(name.toLowerCase());
            if (place === undefined)
                throw new Error(`The emulator has no ${name}.`);
            return place;
        },
        inject: (fault) => faults.inject(fault),
        clearFaults: () => faults.clear(),
        close: server.close,
        [Symbol.asyncDispose]: server.close,
    };
}
function createApp(tokens, places) {
    const app = new dist/* Hono */.$();
    app.get('/api/v1/version', (c) => c.json({ version: '1.26.0' }));
    addSettings(app, '/api/v1/repos/:owner/:repo/actions', (c) => admit(c, tokens, places.get(`${c.req.param('owner')}/${c.req.param('repo')}`.toLowerCase()), 'repository'));
    addSettings(app, '/api/v1/orgs/:org/actions', (c) => admit(c, tokens, places.get(`${c.req.param('org')}`.toLowerCase()), 'organization'));
    app.notFound((c) => c.json({ message: 'not found', url: '' }, 404));
    return app;
}
/** The place, where the token may do this; else the refusal, in the order in which Gitea judges. */
function admit(c, tokens, place, category) {
    const token = tokens.get((c.req.header('authorization') ?? '').replace(/^(token|bearer)\s+/i, ''));
    if (token === undefined)
        return emulator_refuse(c, 401, 'invalid username, password or token');
    const level = c.req.method === 'GET' ? 'read' : 'write';
    const { scopes = ['all'] } = token;
    const fits = ['all', `write:${category}`, ...(level === 'read' ? [`read:${category}`] : [])];
    if (!scopes.some((scope) => fits.includes(scope))) {
        const required = `required=[${level}:${category}], token scope=${scopes.join(',')}`;
        return emulator_refuse(c, 403, `token does not have at least one of required scope(s), ${required}`);
    }
    if (place === undefined)
        return emulator_refuse(c, 404, 'not found');
    if (token.scopes !== undefined && place.owners.has(token.login.toLowerCase()))
        return place;
    const isOrganization = category === 'organization';
    return emulator_refuse(c, 403, isOrganization ? 'Must be an organization owner' : 'user should be the owner of the repo');
}
function emulator_refuse(c, status, message) {
    return c.json({ message, url: 'https://gitea.example.com/api/swagger' }, status);
}
const settingBody = schemas/* object */.Ikc({
    data: schemas/* optional */.lqM(schemas/* string */.YjP()),
    value: schemas/* optional */.lqM(schemas/* string */.YjP()),
    description: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
function addSettings(app, path, admitTo) {
    const within = (handle) => (c) => {
        const place = admitTo(c);
        return place instanceof Response ? place : handle(c, place);
    };
    for (const kind of ['secrets', 'variables']) {
        app.get(`${path}/${kind}`, within((c, place) => list(c, place, kind)));
        app.put(`${path}/${kind}/:name`, within((c, place) => put(c, place, kind)));
        app.delete(`${path}/${kind}/:name`, within((c, place) => remove(c, place, kind)));
    }
    app.get(`${path}/variables/:name`, within(getVariable));
    app.post(`${path}/variables/:name`, within(createVariable));
    // A secret is never shown.
    app.get(`${path}/secrets/:name`, (c) => c.text('', 405));
    app.patch(`${path}/variables/:name`, (c) => c.text('', 405));
}
function list(c, place, kind) {
    const size = Math.min(emulator_MAX_PAGE, Number(c.req.query('limit') ?? emulator_MAX_PAGE));
    const from = (Number(c.req.query('page') ?? 1) - 1) * size;
    const all = [...place[kind]].map(([name, { value, description }]) => kind === 'secrets'
        ? { name, description, created_at: '2026-01-01T00:00:00Z' }
        : { owner_id: 0, repo_id: 1, name, data: value, description });
    return c.json(all.slice(from, from + size), 200, { 'x-total-count': String(all.length) });
}
async function put(c, place, kind) {
    const name = nameOf(c);
    const given = await emulator_bodyOf(c);
    const value = (kind === 'secrets' ? given.data : given.value) ?? '';
    if (value === '')
        return emulator_refuse(c, 422, `[${kind === 'secrets' ? 'Data' : 'Value'}]: Required`);
    const isThere = place[kind].has(name);
    if (kind === 'variables' && !isThere)
        return emulator_refuse(c, 404, 'variable not found');
    const refusal = refusalOf(name, value);
    if (refusal !== undefined)
        return emulator_refuse(c, refusal.status === 400 ? 400 : 500, refusal.message);
    const text = kind === 'secrets' ? value : variableText(value);
    place[kind].set(name, { value: text, description: given.description ?? '' });
    return c.body(null, kind === 'secrets' && !isThere ? 201 : 204);
}
function remove(c, place, kind) {
    return place[kind].delete(nameOf(c)) ? c.body(null, 204) : emulator_refuse(c, 404, 'not found');
}
function getVariable(c, place) {
    const name = nameOf(c);
    const found = place.variables.get(name);
    if (found === undefined)
        return emulator_refuse(c, 404, 'variable not found');
    return c.json({ owner_id: 0, repo_id: 1, name, data: found.value, description: found.description });
}
async function createVariable(c, place) {
    const name = nameOf(c);
    const { value = '', description = '' } = await emulator_bodyOf(c);
    if (value === '')
        return emulator_refuse(c, 422, '[Value]: Required');
    if (place.variables.has(name))
        return emulator_refuse(c, 409, `variable name ${name} already exists`);
    const refusal = refusalOf(name, value);
    if (refusal !== undefined)
        return emulator_refuse(c, refusal.status === 400 ? 400 : 500, refusal.message);
    place.variables.set(name, { value: variableText(value), description });
    return c.body(null, 201);
}
function nameOf(c) {
    return (c.req.param('name') ?? '').toUpperCase();
}
async function emulator_bodyOf(c) {
    const parsed = settingBody.safeParse(await c.req.json().catch(() => undefined));
    return parsed.success ? parsed.data : {};
}


/***/ })

};
