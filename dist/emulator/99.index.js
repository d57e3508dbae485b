export const id = 99;
export const ids = [99];
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

/***/ 2099:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  startGitHubEmulator: () => (/* binding */ startGitHubEmulator)
});

// EXTERNAL MODULE: ./build/emulator/src/server.js + 3 modules
var src_server = __webpack_require__(4077);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./node_modules/hono/dist/index.js + 23 modules
var dist = __webpack_require__(429);
// EXTERNAL MODULE: ./node_modules/hono/dist/http-exception.js
var http_exception = __webpack_require__(3040);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
// EXTERNAL MODULE: ./build/emulator/src/faults.js
var src_faults = __webpack_require__(6778);
;// CONCATENATED MODULE: ./build/emulator/src/github/http.js

const DOCS = 'https://docs.github.com/rest';
/** Ends a request with GitHub's form of an error. */
function refuse(status, message, details = {}) {
    const body = { message, ...details, documentation_url: DOCS, status: String(status) };
    const init = { status, headers: { 'content-type': 'application/json; charset=utf-8' } };
    return new http_exception/* HTTPException */.y(status, { message, res: new Response(JSON.stringify(body), init) });
}
function notFound() {
    return refuse(404, 'Not Found');
}
function invalid(message) {
    return refuse(422, 'Validation Failed', { errors: [{ message, code: 'custom' }] });
}
/** The request's body, checked: 400 when it is not JSON, 422 when it does not fit. */
async function readBody(c, schema) {
    let body;
    try {
        body = await c.req.json();
    }
    catch {
        throw refuse(400, 'Problems parsing JSON');
    }
    const parsed = schema.safeParse(body);
    if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const what = issue?.code === 'unrecognized_keys' ? `unknown field ${issue.keys.join(', ')}` : issue?.message;
        throw refuse(422, `Invalid request.\n\n${issue?.path.join('.') ?? ''}: ${what ?? 'does not fit'}`);
    }
    return parsed.data;
}
function timestamp(epochMs) {
    return new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
/** GitHub's opaque ids; only their being texts matters. */
function nodeId(kind, id) {
    return `${kind}_${Buffer.from(String(id)).toString('base64url')}`;
}
/** One page of a list, as `per_page` (30, 100 at most) and `page` ask for; sets the Link header. */
function paginate(c, all) {
    const size = Math.min(readCount(c.req.query('per_page'), 30), 100);
    const page = readCount(c.req.query('page'), 1);
    const last = Math.max(1, Math.ceil(all.length / size));
    const links = [];
    const link = (rel, number) => {
        const url = new URL(c.env.base + c.req.path);
        for (const [name, value] of Object.entries(c.req.query()))
            url.searchParams.set(name, value);
        url.searchParams.set('page', String(number));
        links.push(`<${url}>; rel="${rel}"`);
    };
    if (page > 1)
        link('prev', Math.min(page - 1, last));
    if (page < last) {
        link('next', page + 1);
        link('last', last);
    }
    if (page > 1)
        link('first', 1);
    if (links.length > 0)
        c.header('link', links.join(', '));
    return { items: all.slice((page - 1) * size, page * size), total: all.length };
}
function readCount(text, otherwise) {
    return /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : otherwise;
}
/** A path parameter that must be a positive number; anything else is no such thing. */
function readNumber(c, name) {
    const text = c.req.param(name) ?? '';
    if (!/^[1-9]\d{0,15}$/.test(text))
        throw notFound();
    return Number(text);
}
/** The token of `Authorization: Bearer …` or the older `token …`. */
function bearer(header) {
    return /^(?:bearer|token) +(\S+)$/i.exec(header ?? '')?.[1];
}

;// CONCATENATED MODULE: ./build/emulator/src/github/control.js




const CONTROL_PREFIX = '/__emulator';
const control_text = schemas/* string */.YjP().check(api/* _minLength */.m9(1));
const number = schemas/* int */.Whr().check(api/* _gte */.qm(1));
const pullRequest = schemas/* strictObject */.rej({
    repository: control_text,
    number: schemas/* optional */.lqM(number),
    title: schemas/* optional */.lqM(schemas/* string */.YjP()),
    body: schemas/* optional */.lqM(schemas/* string */.YjP()),
    user: schemas/* optional */.lqM(control_text),
    authorAssociation: schemas/* optional */.lqM(control_text),
    state: schemas/* optional */.lqM(schemas/* enum */.k5n(['open', 'closed'])),
    merged: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    draft: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    locked: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    head: schemas/* optional */.lqM(schemas/* strictObject */.rej({ ref: control_text, sha: control_text, repository: schemas/* optional */.lqM(control_text) })),
    base: schemas/* optional */.lqM(schemas/* strictObject */.rej({ ref: control_text, sha: control_text })),
    files: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* strictObject */.rej({
        filename: control_text,
        status: schemas/* optional */.lqM(schemas/* enum */.k5n(['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged'])),
        additions: schemas/* optional */.lqM(schemas/* int */.Whr()),
        deletions: schemas/* optional */.lqM(schemas/* int */.Whr()),
        patch: schemas/* optional */.lqM(schemas/* string */.YjP()),
        previousFilename: schemas/* optional */.lqM(control_text),
    }))),
});
const comment = schemas/* strictObject */.rej({
    repository: control_text,
    number,
    user: control_text,
    body: schemas/* string */.YjP(),
    kind: schemas/* optional */.lqM(schemas/* enum */.k5n(['issue', 'review'])),
    authorAssociation: schemas/* optional */.lqM(control_text),
    path: schemas/* optional */.lqM(control_text),
    line: schemas/* optional */.lqM(number),
});
const label = schemas/* strictObject */.rej({
    repository: control_text,
    number,
    label: control_text,
    actor: schemas/* nullable */.mee(control_text),
    event: schemas/* optional */.lqM(schemas/* enum */.k5n(['labeled', 'unlabeled'])),
});
/**
 * For whoever runs the emulator as a process of its own, with any of its tokens. The requests here are neither recorded nor
 * given faults. Secrets are shown opened: that is what the emulator is for.
 */
function controlRoutes(store) {
    const routes = new dist/* Hono */.$();
    const { settings, conversations, faults } = store;
    routes.use(async (context, next) => {
        if (store.token(bearer(context.req.header('authorization'))) === undefined)
            throw refuse(401, 'Bad credentials');
        await next();
    });
    routes.get('/requests', (context) => context.json(store.requests));
    routes.get('/state', (context) => {
        const { comments, reactions } = conversations;
        const repositories = [...store.repositories.values()].map(({ fullName }) => fullName);
        const pullRequests = conversations.listPullRequests();
        return context.json({ repositories, ...settings.listSettings(), pullRequests, comments, reactions });
    });
    routes.post('/pull-requests', async (context) => {
        const seed = await readSeed(context, store, pullRequest);
        return context.json(conversations.addPullRequest(seed), 201);
    });
    routes.post('/comments', async (context) => {
        const seed = await readSeed(context, store, comment);
        return context.json(conversations.addComment(seed), 201);
    });
    routes.post('/labels', async (context) => {
        const seed = await readSeed(context, store, label);
        if (conversations.pullRequest(seed.repository, seed.number) === undefined)
            throw notFound();
        conversations.addLabel(seed);
        return context.json({ labelled: true }, 201);
    });
    routes.post('/faults', async (context) => {
        faults.inject(await readBody(context, src_faults/* faultSchema */.I));
        return context.json({ injected: true }, 201);
    });
    routes.delete('/faults', (context) => {
        faults.clear();
        return context.json({ cleared: true });
    });
    routes.post('/reset', (context) => {
        store.reset();
        return context.json({ reset: true });
    });
    return routes;
}
async function readSeed(context, store, schema) {
    const seed = await readBody(context, schema);
    if (store.repository(seed.repository) === undefined)
        throw refuse(404, `There is no repository ${seed.repository}`);
    return seed;
}

;// CONCATENATED MODULE: ./build/emulator/src/github/rights.js

const METADATA = { level: 'read', anyOf: [] };
/** Secrets, variables and environments are out of reach of a workflow's own token, whatever its `permissions:` say. */
const NEVER_FOR_WORKFLOW = [
    'actions_variables',
    'environments',
    'organization_actions_variables',
    'organization_secrets',
    'secrets',
];
// What is public is readable without any permission; settings never are.
const READABLE_IN_PUBLIC = [
    'actions',
    'checks',
    'contents',
    'deployments',
    'issues',
    'pull_requests',
];
/** The repository of the path: 404 when the token does not see it, 403 when it lacks the permission. */
function useRepository(c, store, need) {
    const fullName = `${c.req.param('owner')}/${c.req.param('repo')}`;
    const token = c.get('token');
    const repository = store.repository(fullName);
    if (!repository || !sees(token, repository))
        throw notFound();
    const open = !repository.private && need.level === 'read' && need.anyOf.some((one) => READABLE_IN_PUBLIC.includes(one));
    if (!open)
        demand(token, need);
    return repository;
}
/** The organization of the path, checked alike. */
function useOrganization(c, store, need) {
    const login = c.req.param('org') ?? '';
    if (!store.organizations.has(login.toLowerCase()))
        throw notFound();
    demand(c.get('token'), need);
    return login;
}
function sees(token, repository) {
    if (!token.repositories || !repository.private)
        return true;
    return token.repositories.some((name) => name.toLowerCase() === repository.fullName.toLowerCase());
}
function demand(token, need) {
    if (need.anyOf.length === 0)
        return;
    if (need.anyOf.some((one) => grants(token, one, need.level)))
        return;
    throw inaccessible(token);
}
function inaccessible(token) {
    const whom = token.kind === 'pat' ? 'personal access token' : 'integration';
    return refuse(403, `Resource not accessible by ${whom}`);
}
function grants(token, permission, level) {
    if (token.kind === 'workflow' && NEVER_FOR_WORKFLOW.includes(permission))
        return false;
    const granted = token.permissions[permission];
    return granted === 'write' || granted === level;
}

;// CONCATENATED MODULE: ./build/emulator/src/github/shapes.js

const SITE = 'https://github.com';
const API = 'https://api.github.com';
function simpleUser(user) {
    return {
        login: user.login,
        id: user.id,
        node_id: nodeId('U', user.id),
        avatar_url: `https://avatars.githubusercontent.com/u/${user.id}?v=4`,
        gravatar_id: '',
        url: `${API}/users/${encodeURIComponent(user.login)}`,
        html_url: user.type === 'Bot' ? `${SITE}/apps/${user.login.replace('[bot]', '')}` : `${SITE}/${user.login}`,
        type: user.type,
        user_view_type: 'public',
        site_admin: false,
    };
}
function minimalRepository(repository, owner) {
    return {
        id: repository.id,
        node_id: nodeId('R', repository.id),
        name: repository.name,
        full_name: repository.fullName,
        private: repository.private,
        owner: simpleUser(owner),
        html_url: `${SITE}/${repository.fullName}`,
        description: null,
        fork: false,
        url: `${API}/repos/${repository.fullName}`,
    };
}
function fullRepository(repository, owner) {
    return {
        ...minimalRepository(repository, owner),
        default_branch: repository.defaultBranch,
        visibility: repository.private ? 'private' : 'public',
        archived: false,
        disabled: false,
        has_issues: repository.hasIssues,
        clone_url: `${SITE}/${repository.fullName}.git`,
        created_at: '2020-01-01T00:00:00Z',
        updated_at: '2025-01-01T00:00:00Z',
        pushed_at: '2025-01-01T00:00:00Z',
    };
}
/** What a role allows, as the API's five flags; a custom role has those of its base permission. */
function roleFlags(role) {
    const standard = ['read', 'triage', 'write', 'maintain', 'admin'];
    const rank = standard.indexOf(standard.includes(role.role_name) ? role.role_name : role.permission);
    return { pull: rank >= 0, triage: rank >= 1, push: rank >= 2, maintain: rank >= 3, admin: rank >= 4 };
}
function shapes_label(name) {
    return {
        id: [...name].reduce((sum, character) => sum * 31 + (character.codePointAt(0) ?? 0), 7) % 1_000_000_007,
        node_id: nodeId('LA', name.length),
        url: `${API}/labels/${encodeURIComponent(name)}`,
        name,
        color: 'ededed',
        default: false,
        description: null,
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/activity.js



const PERIOD_DAYS = { day: 1, week: 7, month: 30, quarter: 91, year: 365 };
const DAY_MS = 86_400_000;
/** What happened to branches, and what the jobs of a run did. */
function addActivityRoutes(app, store) {
    app.get('/repos/:owner/:repo/activity', (c) => {
        const repository = useRepository(c, store, { level: 'read', anyOf: ['contents'] });
        const { ref, actor, activity_type: type, time_period: period, direction = 'desc' } = c.req.query();
        const days = period === undefined ? Number.POSITIVE_INFINITY : PERIOD_DAYS[period];
        if (days === undefined)
            throw invalid('Invalid time_period');
        const own = store.conversations.activities
            .filter((one) => one.repository.toLowerCase() === repository.fullName.toLowerCase())
            .filter((one) => ref === undefined || one.ref === ref || one.ref === `refs/heads/${ref}`)
            .filter((one) => actor === undefined || one.actor.login.toLowerCase() === actor.toLowerCase())
            .filter((one) => type === undefined || one.type === type)
            .filter((one) => one.at > store.now() - days * DAY_MS)
            .sort((a, b) => (direction === 'asc' ? a.at - b.at || a.id - b.id : b.at - a.at || b.id - a.id));
        return c.json(paginate(c, own).items.map(activityShape));
    });
    app.get('/repos/:owner/:repo/actions/runs/:run', (c) => {
        const repository = useRepository(c, store, { level: 'read', anyOf: ['actions'] });
        const own = store.conversations.workflowJobs.filter(({ repository: name, runId }) => name === repository.fullName && runId === c.req.param('run'));
        if (own.length === 0)
            throw notFound();
        const attempt = Math.max(...own.map((job) => job.attempt));
        const isOver = own.filter((job) => job.attempt === attempt).every(({ status }) => status === 'completed');
        return c.json({
            id: Number(c.req.param('run')),
            run_attempt: attempt,
            status: isOver ? 'completed' : 'in_progress',
        });
    });
    app.get('/repos/:owner/:repo/actions/runs/:run/attempts/:attempt/jobs', (c) => {
        const repository = useRepository(c, store, { level: 'read', anyOf: ['actions'] });
        const own = store.conversations.workflowJobs.filter((job) => job.repository.toLowerCase() === repository.fullName.toLowerCase() &&
            job.runId === c.req.param('run') &&
            String(job.attempt) === c.req.param('attempt'));
        const { items, total } = paginate(c, own);
        return c.json({ total_count: total, jobs: items.map(jobShape) });
    });
}
function activityShape(activity) {
    return {
        id: activity.id,
        node_id: nodeId('PSH', activity.id),
        before: activity.before,
        after: activity.after,
        ref: activity.ref,
        timestamp: timestamp(activity.at),
        activity_type: activity.type,
        actor: simpleUser(activity.actor),
    };
}
function jobShape(job) {
    return {
        id: job.id,
        run_id: Number(job.runId),
        run_attempt: job.attempt,
        node_id: nodeId('CR', job.id),
        name: job.name,
        status: job.status,
        conclusion: job.conclusion,
        runner_id: job.runnerName === null ? null : 1,
        runner_name: job.runnerName,
        labels: ['ubuntu-latest'],
        steps: job.steps.map((step, index) => ({ ...step, number: index + 1, started_at: null, completed_at: null })),
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/checks.js


function addCheckRoutes(app, store) {
    app.get('/repos/:owner/:repo/commits/:ref/check-suites', (c) => {
        const repository = useRepository(c, store, { level: 'read', anyOf: ['checks'] });
        const ref = c.req.param('ref');
        const own = store.conversations.checkSuites.filter((suite) => suite.headSha === ref && suite.repository.toLowerCase() === repository.fullName.toLowerCase());
        const { items, total } = paginate(c, own);
        return c.json({ total_count: total, check_suites: items.map(suiteShape) });
    });
}
function suiteShape(suite) {
    return {
        id: suite.id,
        node_id: nodeId('CS', suite.id),
        head_branch: null,
        head_sha: suite.headSha,
        status: 'queued',
        conclusion: null,
        url: `https://api.github.com/repos/${suite.repository}/check-suites/${suite.id}`,
        before: null,
        after: null,
        pull_requests: [],
        app: { id: 15368, slug: suite.app, name: suite.app },
        created_at: timestamp(suite.createdAt),
        updated_at: timestamp(suite.createdAt),
        latest_check_runs_count: 0,
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/comments.js




const commentBody = schemas/* object */.Ikc({ body: schemas/* string */.YjP() });
const LONGEST_BODY_CHARS = 65_536;
/** Comments of a pull request are issue comments; GitHub takes either permission for them. */
const conversation = (level) => ({ level, anyOf: ['issues', 'pull_requests'] });
const review = (level) => ({ level, anyOf: ['pull_requests'] });
function addCommentRoutes(app, store) {
    const list = '/repos/:owner/:repo/issues/:number/comments';
    const one = '/repos/:owner/:repo/issues/comments/:id';
    app.get(list, (c) => c.json(paginate(c, listComments(c, store)).items.map(commentShape)));
    app.post(list, async (c) => {
        const repository = useRepository(c, store, conversation('write'));
        const number = readNumber(c, 'number');
        const { conversations } = store;
        const place = conversations.pullRequest(repository.fullName, number) ?? conversations.issue(repository.fullName, number);
        if (!place)
            throw notFound();
        if (place.locked)
            throw refuse(403, 'Unable to create comment because issue is locked.');
        const body = await readComment(c);
        const comment = store.conversations.addComment({
            repository: repository.fullName,
            number,
            user: c.get('token').login,
            body,
        });
        return c.json(commentShape(comment), 201);
    });
    app.get('/repos/:owner/:repo/issues/comments', (c) => {
        const repository = useRepository(c, store, conversation('read'));
        const since = Date.parse(c.req.query('since') ?? '') || 0;
        const own = store.conversations.comments.filter((comment) => comment.kind === 'issue' && comment.repository === repository.fullName && comment.updatedAt >= since);
        const key = c.req.query('sort') === 'updated' ? 'updatedAt' : 'createdAt';
        const sign = c.req.query('direction') === 'desc' ? -1 : 1;
        own.sort((a, b) => sign * (a[key] - b[key] || a.id - b.id));
        return c.json(paginate(c, own).items.map(commentShape));
    });
    app.get(one, (c) => c.json(commentShape(useComment(c, store, { kind: 'issue', level: 'read' }))));
    app.patch(one, async (c) => {
        const comment = useComment(c, store, { kind: 'issue', level: 'write' });
        comment.body = await readComment(c);
        comment.updatedAt = store.now();
        return c.json(commentShape(comment));
    });
    app.delete(one, (c) => {
        const comment = useComment(c, store, { kind: 'issue', level: 'write' });
        store.conversations.comments.splice(store.conversations.comments.indexOf(comment), 1);
        return c.body(null, 204);
    });
    app.get('/repos/:owner/:repo/pulls/comments/:id', (c) => c.json(commentShape(useComment(c, store, { kind: 'review', level: 'read' }))));
}
/** Oldest first, as GitHub lists the comments of one issue whatever `sort` says; `since` goes by the last edit. */
function listComments(c, store) {
    const repository = useRepository(c, store, conversation('read'));
    const number = readNumber(c, 'number');
    const { conversations } = store;
    const { fullName } = repository;
    if (!conversations.pullRequest(fullName, number) && !conversations.issue(fullName, number))
        throw notFound();
    const since = Date.parse(c.req.query('since') ?? '');
    return store.conversations.comments.filter((comment) => comment.kind === 'issue' &&
        comment.repository.toLowerCase() === repository.fullName.toLowerCase() &&
        comment.number === number &&
        (Number.isNaN(since) || comment.updatedAt >= since));
}
function useComment(c, store, want) {
    const need = want.kind === 'issue' ? conversation(want.level) : review(want.level);
    const repository = useRepository(c, store, need);
    const id = readNumber(c, 'id');
    const comment = store.conversations.comments.find((one) => one.id === id && one.kind === want.kind && one.repository.toLowerCase() === repository.fullName.toLowerCase());
    if (!comment)
        throw notFound();
    return comment;
}
async function readComment(c) {
    const { body } = await readBody(c, commentBody);
    if (body.trim() === '')
        throw invalid('Body cannot be blank');
    if (body.length > LONGEST_BODY_CHARS)
        throw invalid(`Body is too long (maximum is ${LONGEST_BODY_CHARS} characters)`);
    return body;
}
function commentShape(comment) {
    const { id, repository, number, kind } = comment;
    const anchor = kind === 'issue' ? `issuecomment-${id}` : `discussion_r${id}`;
    return {
        url: `https://api.github.com/repos/${repository}/${kind === 'issue' ? 'issues' : 'pulls'}/comments/${id}`,
        html_url: `https://github.com/${repository}/pull/${number}#${anchor}`,
        ...(kind === 'issue'
            ? { issue_url: `https://api.github.com/repos/${repository}/issues/${number}` }
            : {
                pull_request_url: `https://api.github.com/repos/${repository}/pulls/${number}`,
                path: comment.path ?? 'README.md',
                line: comment.line ?? 1,
                side: 'RIGHT',
                diff_hunk: '@@ -1 +1 @@',
            }),
        id,
        node_id: nodeId(kind === 'issue' ? 'IC' : 'PRRC', id),
        user: simpleUser(comment.user),
        created_at: timestamp(comment.createdAt),
        updated_at: timestamp(comment.updatedAt),
        author_association: comment.authorAssociation,
        body: comment.body,
        performed_via_github_app: null,
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/contents.js


const READ = { level: 'read', anyOf: ['contents'] };
/** The newest commit of the default branch, and its files. */
function addContentRoutes(app, store) {
    app.get('/repos/:owner/:repo/commits/:ref', (c) => {
        const { fullName, defaultBranch } = useRepository(c, store, READ);
        const sha = store.files.commit(fullName);
        if (![defaultBranch, `heads/${defaultBranch}`, sha].includes(c.req.param('ref')))
            throw notFound();
        const at = { date: timestamp(store.now()), name: 'docs', email: 'docs@example.com' };
        const url = `https://api.github.com/repos/${fullName}/commits/${sha}`;
        const commit = { author: at, committer: at, message: 'Newest', url, comment_count: 0, tree: { sha, url } };
        const more = { html_url: url, comments_url: `${url}/comments`, author: null, committer: null, parents: [] };
        return c.json({ sha, node_id: nodeId('C', 1), url, commit, ...more });
    });
    app.get('/repos/:owner/:repo/contents/:path{.+}', (c) => {
        const { fullName, defaultBranch } = useRepository(c, store, READ);
        const path = c.req.param('path');
        const found = store.files.contents(fullName, path, c.req.query('ref') ?? defaultBranch, defaultBranch);
        if (found === undefined)
            throw notFound();
        const url = `https://api.github.com/repos/${fullName}/contents/${path}`;
        const links = { url, git_url: null, html_url: null, download_url: null };
        return c.json({ ...found, ...links, _links: { self: url, git: null, html: null } });
    });
}

;// CONCATENATED MODULE: ./build/emulator/src/github/deployments.js
const DEPLOYMENT_STATES = [
    'error',
    'failure',
    'inactive',
    'in_progress',
    'queued',
    'pending',
    'success',
];
/** Deployments of all repositories with their statuses, both oldest first. */
class Deployments {
    all = [];
    #ground;
    constructor(ground) {
        this.#ground = ground;
    }
    find(repository, id) {
        return this.#of(repository).find((deployment) => deployment.id === id);
    }
    /** Newest first, as GitHub lists them. */
    list(repository, { sha, ref, task, environment }) {
        return this.#of(repository)
            .filter((one) => (sha ?? one.sha) === one.sha && (ref ?? one.ref) === one.ref)
            .filter((one) => (task ?? one.task) === one.task && (environment ?? one.environment) === one.environment)
            .reverse();
    }
    add(repository, init) {
        const { now, nextId } = this.#stamp;
        const deployment = { ...init, id: nextId, repository: repository.fullName, createdAt: now, statuses: [] };
        this.all.push(deployment);
        repository.environments.add(init.environment);
        return deployment;
    }
    /** `autoInactive`: a success ends earlier ones of the environment, as GitHub documents: neither transient nor production. */
    addStatus(deployment, init, autoInactive) {
        const status = this.#append(deployment, init);
        if (init.state !== 'success' || !autoInactive)
            return status;
        for (const one of this.all) {
            const isSame = one.repository === deployment.repository && one.environment === deployment.environment;
            if (!isSame || one.id >= deployment.id || one.isTransient || one.isProduction)
                continue;
            if (stateOf(one) === 'success')
                this.#append(one, { state: 'inactive', creator: init.creator });
        }
        return status;
    }
    clear() {
        this.all.length = 0;
    }
    #append(deployment, init) {
        const status = { ...init, id: this.#stamp.nextId, createdAt: this.#stamp.now };
        deployment.statuses.push(status);
        return status;
    }
    #of({ fullName }) {
        return this.all.filter(({ repository }) => repository === fullName);
    }
    get #stamp() {
        return { now: this.#ground.now(), nextId: this.#ground.nextId() };
    }
}
/** Of its last status. */
function stateOf({ statuses }) {
    return statuses.at(-1)?.state;
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/deployments.js





const deployments_READ = { level: 'read', anyOf: ['deployments'] };
const WRITE = { level: 'write', anyOf: ['deployments'] };
const MAX_DESCRIPTION = 140;
// Names, defaults and limits: https://github.com/github/rest-api-description, repos/create-deployment.
const description = schemas/* optional */.lqM(schemas/* nullable */.mee(schemas/* string */.YjP().check(api/* _maxLength */.Eb(MAX_DESCRIPTION))));
const createBody = schemas/* object */.Ikc({
    ref: schemas/* string */.YjP().check(api/* _minLength */.m9(1)),
    task: schemas/* optional */.lqM(schemas/* string */.YjP()),
    auto_merge: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    required_contexts: schemas/* optional */.lqM(schemas/* nullable */.mee(schemas/* array */.YOg(schemas/* string */.YjP()))),
    payload: schemas/* optional */.lqM(schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())])),
    environment: schemas/* optional */.lqM(schemas/* string */.YjP()),
    description,
    transient_environment: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    production_environment: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
});
const address = schemas/* optional */.lqM(schemas/* string */.YjP());
const statusBody = schemas/* object */.Ikc({
    state: schemas/* enum */.k5n(DEPLOYMENT_STATES),
    target_url: address,
    log_url: address,
    environment_url: address,
    description,
    environment: schemas/* optional */.lqM(schemas/* string */.YjP()),
    auto_inactive: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
});
function addDeploymentRoutes(app, store) {
    const path = '/repos/:owner/:repo/deployments';
    app.get(path, (c) => {
        const repository = useRepository(c, store, deployments_READ);
        const { sha, ref, task, environment } = c.req.query();
        const found = store.deployments.list(repository, {
            sha: given(sha),
            ref: given(ref),
            task: given(task),
            environment: given(environment),
        });
        return c.json(paginate(c, found).items.map(deploymentShape));
    });
    app.post(path, (c) => create(c, store));
    app.get(`${path}/:id`, (c) => c.json(deploymentShape(find(c, store, deployments_READ))));
    app.get(`${path}/:id/statuses`, (c) => {
        const deployment = find(c, store, deployments_READ);
        const newestFirst = [...deployment.statuses].reverse();
        return c.json(paginate(c, newestFirst).items.map((status) => statusShape(deployment, status)));
    });
    app.post(`${path}/:id/statuses`, async (c) => {
        const deployment = find(c, store, WRITE);
        const body = await readBody(c, statusBody);
        for (const url of [body.target_url, body.log_url, body.environment_url])
            checkAddress(url);
        const status = {
            state: body.state,
            creator: store.user(c.get('token').login),
            description: body.description ?? undefined,
            logUrl: body.log_url ?? body.target_url,
            environmentUrl: body.environment_url,
        };
        const added = store.deployments.addStatus(deployment, status, body.auto_inactive ?? true);
        return c.json(statusShape(deployment, added), 201);
    });
}
async function create(c, store) {
    const repository = useRepository(c, store, WRITE);
    const body = await readBody(c, createBody);
    const sha = resolve(repository, body.ref);
    if (sha === undefined)
        throw refuse(422, `No ref found for: ${body.ref}`);
    if (repository.checks === 'failing' && body.required_contexts?.length !== 0) {
        throw refuse(409, `Conflict: Commit status checks failed for ${body.ref}.`);
    }
    if (repository.isBehind && body.auto_merge !== false) {
        return c.json({ message: `Auto-merged ${repository.defaultBranch} into ${body.ref} on deployment.` }, 202);
    }
    const environment = body.environment ?? 'production';
    const deployment = store.deployments.add(repository, {
        sha,
        ref: body.ref,
        task: body.task ?? 'deploy',
        payload: body.payload ?? '',
        environment,
        description: body.description ?? undefined,
        creator: store.user(c.get('token').login),
        isTransient: body.transient_environment ?? false,
        isProduction: body.production_environment ?? environment === 'production',
    });
    return c.json(deploymentShape(deployment), 201);
}
/** A branch of the repository, or a commit: any that looks like one, unless the repository was given its commits. */
function resolve({ defaultBranch, commits }, ref) {
    if (ref === defaultBranch)
        return '0'.repeat(40);
    if (!/^[0-9a-f]{40}$/.test(ref))
        return undefined;
    return commits === undefined || commits.includes(ref) ? ref : undefined;
}
function find(c, store, need) {
    const repository = useRepository(c, store, need);
    const deployment = store.deployments.find(repository, readNumber(c, 'id'));
    if (!deployment)
        throw notFound();
    return deployment;
}
/** `none` is the API's word for a filter that is not given. */
function given(text) {
    return text === 'none' || text === '' ? undefined : text;
}
function checkAddress(url) {
    if (url === undefined || url === '' || /^https?:\/\//.test(url))
        return;
    throw invalid(`${url} must use http(s) scheme`);
}
function deploymentShape(deployment) {
    const { id, sha, ref, task, payload, environment, createdAt, statuses, creator } = deployment;
    const url = `https://api.github.com/repos/${deployment.repository}/deployments/${id}`;
    return {
        url,
        id,
        node_id: nodeId('DE', id),
        sha,
        ref,
        task,
        payload,
        original_environment: environment,
        environment,
        description: deployment.description ?? null,
        creator: simpleUser(creator),
        created_at: timestamp(createdAt),
        updated_at: timestamp(statuses.at(-1)?.createdAt ?? createdAt),
        statuses_url: `${url}/statuses`,
        repository_url: `https://api.github.com/repos/${deployment.repository}`,
        transient_environment: deployment.isTransient,
        production_environment: deployment.isProduction,
    };
}
function statusShape(deployment, status) {
    const url = `https://api.github.com/repos/${deployment.repository}/deployments/${deployment.id}`;
    const { id, state, description: text = '', logUrl = '', environmentUrl = '', createdAt, creator } = status;
    return {
        url: `${url}/statuses/${id}`,
        id,
        node_id: nodeId('DES', id),
        state,
        creator: simpleUser(creator),
        description: text,
        environment: deployment.environment,
        target_url: logUrl,
        created_at: timestamp(createdAt),
        updated_at: timestamp(createdAt),
        deployment_url: url,
        repository_url: `https://api.github.com/repos/${deployment.repository}`,
        environment_url: environmentUrl,
        log_url: logUrl,
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/pull-requests.js




const pull_requests_READ = { level: 'read', anyOf: ['pull_requests'] };
// GitHub lists no more files than this, however many there are.
const MOST_FILES = 3000;
function addPullRequestRoutes(app, store) {
    const path = '/repos/:owner/:repo/pulls/:number';
    app.get('/repos/:owner/:repo/pulls', (c) => {
        const pulls = store.conversations.pullRequestsOf(useRepository(c, store, pull_requests_READ).fullName);
        const state = c.req.query('state') ?? 'open';
        const listed = pulls.filter((pull) => state === 'all' || pull.state === state);
        return c.json(paginate(c, listed).items.map((pull) => pullShape(pull, store)));
    });
    // Of the head, as long as it is open, and of what merging it made.
    app.get('/repos/:owner/:repo/commits/:ref/pulls', (c) => {
        const { fullName } = useRepository(c, store, { level: 'read', anyOf: ['pull_requests', 'contents'] });
        const ref = c.req.param('ref');
        const found = store.conversations
            .pullRequestsOf(fullName)
            .filter(({ head, mergeCommitSha }) => head.sha === ref || mergeCommitSha === ref);
        return c.json(paginate(c, found).items.map((pull) => pullShape(pull, store)));
    });
    app.get(path, (c) => c.json(pullShape(usePull(c, store), store)));
    app.get(`${path}/files`, (c) => {
        const pull = usePull(c, store);
        return c.json(paginate(c, pull.files.slice(0, MOST_FILES)).items.map((file) => fileShape(file, pull)));
    });
    app.get(`${path}/comments`, (c) => {
        const pull = usePull(c, store);
        const own = store.conversations.comments.filter((one) => one.kind === 'review' && one.repository === pull.repository && one.number === pull.number);
        return c.json(paginate(c, own).items.map(commentShape));
    });
    app.get(`${path}/reviews`, (c) => {
        const pull = usePull(c, store);
        return c.json(paginate(c, pull.reviews).items.map((review) => reviewShape(review, pull)));
    });
}
function usePull(c, store) {
    const repository = useRepository(c, store, pull_requests_READ);
    const pull = store.conversations.pullRequest(repository.fullName, readNumber(c, 'number'));
    if (!pull)
        throw notFound();
    return pull;
}
function pullShape(pull, store) {
    const side = (half) => {
        const repository = half.repository === undefined ? undefined : store.repository(half.repository);
        const owner = store.user(half.repository?.split('/')[0] ?? 'ghost');
        return {
            label: `${owner.login}:${half.ref}`,
            ref: half.ref,
            sha: half.sha,
            user: simpleUser(owner),
            repo: repository ? fullRepository(repository, owner) : null,
        };
    };
    const closedAt = pull.state === 'closed' ? timestamp(pull.updatedAt) : null;
    return {
        url: `https://api.github.com/repos/${pull.repository}/pulls/${pull.number}`,
        id: pull.id,
        node_id: nodeId('PR', pull.id),
        html_url: `https://github.com/${pull.repository}/pull/${pull.number}`,
        number: pull.number,
        state: pull.state,
        locked: pull.locked,
        title: pull.title,
        user: simpleUser(pull.user),
        body: pull.body ?? null,
        labels: pull.labels.map(shapes_label),
        created_at: timestamp(pull.createdAt),
        updated_at: timestamp(pull.updatedAt),
        closed_at: closedAt,
        merged_at: pull.merged ? closedAt : null,
        merge_commit_sha: pull.mergeCommitSha ?? null,
        draft: pull.draft,
        head: side(pull.head),
        base: side(pull.base),
        author_association: pull.authorAssociation,
        merged: pull.merged,
        mergeable: pull.state === 'open' ? true : null,
        comments: store.conversations.comments.filter((one) => one.kind === 'issue' && one.number === pull.number).length,
        additions: pull.files.reduce((sum, file) => sum + file.additions, 0),
        deletions: pull.files.reduce((sum, file) => sum + file.deletions, 0),
        changed_files: pull.files.length,
    };
}
function fileShape(file, pull) {
    const name = encodeURIComponent(file.filename);
    return {
        sha: pull.head.sha,
        filename: file.filename,
        status: file.status,
        additions: file.additions,
        deletions: file.deletions,
        changes: file.additions + file.deletions,
        blob_url: `https://github.com/${pull.repository}/blob/${pull.head.sha}/${name}`,
        raw_url: `https://github.com/${pull.repository}/raw/${pull.head.sha}/${name}`,
        contents_url: `https://api.github.com/repos/${pull.repository}/contents/${name}?ref=${pull.head.sha}`,
        ...(file.patch === undefined ? {} : { patch: file.patch }),
        ...(file.previousFilename === undefined ? {} : { previous_filename: file.previousFilename }),
    };
}
function reviewShape(review, pull) {
    return {
        id: review.id,
        node_id: nodeId('PRR', review.id),
        user: simpleUser(review.user),
        body: review.body,
        state: review.state,
        html_url: `https://github.com/${pull.repository}/pull/${pull.number}#pullrequestreview-${review.id}`,
        pull_request_url: `https://api.github.com/repos/${pull.repository}/pulls/${pull.number}`,
        author_association: review.authorAssociation,
        commit_id: review.commitId,
        ...(review.submittedAt === undefined ? {} : { submitted_at: timestamp(review.submittedAt) }),
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/issues.js





/** The issue side of a pull request: labels, and who set them. */
function addIssueRoutes(app, store) {
    const path = '/repos/:owner/:repo/issues/:number';
    app.get(`${path}{[0-9]+}`, (c) => {
        const { fullName } = useRepository(c, store, conversation('read'));
        const issue = store.conversations.issue(fullName, readNumber(c, 'number'));
        return c.json(issue === undefined ? pullAsIssue(useIssue(c, store)) : issueShape(issue));
    });
    app.get(`${path}/labels`, (c) => c.json(paginate(c, useIssue(c, store).labels).items.map(shapes_label)));
    app.get(`${path}/events`, (c) => {
        const pull = useIssue(c, store);
        return c.json(paginate(c, pull.labelEvents).items.map((event) => labelEventShape(event, pull)));
    });
    app.get(`${path}/timeline`, (c) => {
        const pull = useIssue(c, store);
        return c.json(paginate(c, timeline(pull, store)).items);
    });
}
function useIssue(c, store) {
    const repository = useRepository(c, store, conversation('read'));
    const pull = store.conversations.pullRequest(repository.fullName, readNumber(c, 'number'));
    if (!pull)
        throw notFound();
    return pull;
}
function pullAsIssue(pull) {
    return {
        url: `https://api.github.com/repos/${pull.repository}/issues/${pull.number}`,
        html_url: `https://github.com/${pull.repository}/pull/${pull.number}`,
        id: pull.id,
        node_id: nodeId('PR', pull.id),
        number: pull.number,
        title: pull.title,
        user: simpleUser(pull.user),
        labels: pull.labels.map(shapes_label),
        state: pull.state,
        locked: pull.locked,
        body: pull.body ?? null,
        created_at: timestamp(pull.createdAt),
        updated_at: timestamp(pull.updatedAt),
        author_association: pull.authorAssociation,
        draft: pull.draft,
        pull_request: {
            url: `https://api.github.com/repos/${pull.repository}/pulls/${pull.number}`,
            html_url: `https://github.com/${pull.repository}/pull/${pull.number}`,
        },
    };
}
function issueShape(issue) {
    const { repository, number } = issue;
    return {
        url: `https://api.github.com/repos/${repository}/issues/${number}`,
        html_url: `https://github.com/${repository}/issues/${number}`,
        id: issue.id,
        node_id: nodeId('I', issue.id),
        number,
        title: issue.title,
        user: simpleUser(issue.user),
        labels: issue.labels.map(shapes_label),
        state: issue.state,
        state_reason: issue.stateReason,
        locked: issue.locked,
        assignees: issue.assignees.map(simpleUser),
        body: issue.body,
        created_at: timestamp(issue.createdAt),
        updated_at: timestamp(issue.updatedAt),
        author_association: 'NONE',
    };
}
function labelEventShape(event, pull) {
    const { name, color } = shapes_label(event.label);
    return {
        id: event.id,
        node_id: nodeId('LE', event.id),
        url: `https://api.github.com/repos/${pull.repository}/issues/events/${event.id}`,
        actor: event.actor ? simpleUser(event.actor) : null,
        event: event.event,
        commit_id: null,
        commit_url: null,
        created_at: timestamp(event.createdAt),
        label: { name, color },
        performed_via_github_app: null,
    };
}
/** Labels, comments and reviews in the order in which they happened. */
function timeline(pull, store) {
    const comments = store.conversations.comments.filter((one) => one.kind === 'issue' && one.repository === pull.repository && one.number === pull.number);
    const entries = [
        ...pull.labelEvents.map((event) => ({ at: event.createdAt, shape: labelEventShape(event, pull) })),
        ...comments.map((comment) => ({
            at: comment.createdAt,
            shape: { ...commentShape(comment), event: 'commented', actor: simpleUser(comment.user) },
        })),
        ...pull.reviews.map((review) => ({
            at: review.submittedAt ?? 0,
            shape: { ...reviewShape(review, pull), event: 'reviewed' },
        })),
    ];
    return entries.sort((a, b) => a.at - b.at).map((entry) => entry.shape);
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/issue-tracker.js




const issue_tracker_LONGEST_BODY_CHARS = 65_536;
const LONGEST_TITLE_CHARS = 256;
const issue_tracker_text = (max) => schemas/* string */.YjP().check(api/* _maxLength */.Eb(max));
const change = schemas/* object */.Ikc({
    title: schemas/* optional */.lqM(issue_tracker_text(LONGEST_TITLE_CHARS)),
    body: schemas/* optional */.lqM(issue_tracker_text(issue_tracker_LONGEST_BODY_CHARS)),
    state: schemas/* optional */.lqM(schemas/* enum */.k5n(['open', 'closed'])),
    state_reason: schemas/* optional */.lqM(schemas/* nullable */.mee(schemas/* enum */.k5n(['completed', 'not_planned', 'reopened']))),
    labels: schemas/* optional */.lqM(schemas/* array */.YOg(issue_tracker_text(50))),
    assignees: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* string */.YjP())),
});
const creation = schemas/* extend */.X$i(change, { title: issue_tracker_text(LONGEST_TITLE_CHARS) });
/** Issues themselves; GitHub lists pull requests among them. https://docs.github.com/rest/issues/issues */
function addIssueTrackerRoutes(app, store) {
    const list = '/repos/:owner/:repo/issues';
    app.get(list, (c) => c.json(paginate(c, listIssues(c, store)).items));
    app.post(list, async (c) => {
        const repository = useTracker(c, store, 'write');
        const { title, body, labels = [], assignees = [] } = await readBody(c, creation);
        // https://docs.github.com/rest/issues/issues#create-an-issue: people without access to the repository are refused.
        const stranger = assignees.find((login) => !repository.collaborators.has(login.toLowerCase()));
        if (stranger !== undefined) {
            throw refuse(422, 'Validation Failed', {
                errors: [{ value: stranger, resource: 'Issue', field: 'assignees', code: 'invalid' }],
            });
        }
        const { login: user } = c.get('token');
        const made = store.conversations.addIssue({
            repository: repository.fullName,
            user,
            title,
            body,
            labels,
            assignees,
        });
        return c.json(issueShape(made), 201);
    });
    app.patch(`${list}/:number`, async (c) => {
        const repository = useTracker(c, store, 'write');
        const issue = store.conversations.issue(repository.fullName, readNumber(c, 'number'));
        if (!issue)
            throw notFound();
        const { title, body, state, state_reason: reason, labels } = await readBody(c, change);
        issue.title = title ?? issue.title;
        issue.body = body ?? issue.body;
        issue.state = state ?? issue.state;
        issue.stateReason = reason ?? issue.stateReason;
        issue.labels = labels ?? issue.labels;
        issue.updatedAt = store.now();
        return c.json(issueShape(issue));
    });
}
function useTracker(c, store, level) {
    const repository = useRepository(c, store, { level, anyOf: ['issues'] });
    if (!repository.hasIssues)
        throw refuse(410, 'Issues has been disabled in this repository.');
    return repository;
}
function listIssues(c, store) {
    const { fullName } = useTracker(c, store, 'read');
    const state = c.req.query('state') ?? 'open';
    const fits = (one) => state === 'all' || one.state === state;
    const { issues } = store.conversations;
    const all = [
        ...issues
            .filter((one) => one.repository.toLowerCase() === fullName.toLowerCase() && fits(one))
            .map((one) => ({ at: one, shape: issueShape(one) })),
        ...store.conversations
            .pullRequestsOf(fullName)
            .filter(fits)
            .map((one) => ({ at: one, shape: pullAsIssue(one) })),
    ];
    const field = c.req.query('sort') === 'updated' ? 'updatedAt' : 'createdAt';
    const sign = c.req.query('direction') === 'asc' ? 1 : -1;
    return all.sort((a, b) => sign * (a.at[field] - b.at[field])).map(({ shape }) => shape);
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/reactions.js




const reactionBody = schemas/* object */.Ikc({
    content: schemas/* enum */.k5n(['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes']),
});
function addReactionRoutes(app, store) {
    const kinds = [
        ['issue', 'issues'],
        ['review', 'pulls'],
    ];
    for (const [kind, folder] of kinds) {
        const path = `/repos/:owner/:repo/${folder}/comments/:id/reactions`;
        app.get(path, (c) => {
            const comment = useComment(c, store, { kind, level: 'read' });
            const own = store.conversations.reactions.filter((reaction) => reaction.commentId === comment.id);
            return c.json(paginate(c, own).items.map(reactionShape));
        });
        app.post(path, async (c) => {
            const comment = useComment(c, store, { kind, level: 'write' });
            const { content } = await readBody(c, reactionBody);
            const { reaction, created } = store.conversations.react(comment, store.user(c.get('token').login), content);
            return c.json(reactionShape(reaction), created ? 201 : 200);
        });
        app.delete(`${path}/:reaction`, (c) => {
            const comment = useComment(c, store, { kind, level: 'write' });
            const id = readNumber(c, 'reaction');
            const index = store.conversations.reactions.findIndex((reaction) => reaction.id === id && reaction.commentId === comment.id);
            if (index < 0)
                throw notFound();
            store.conversations.reactions.splice(index, 1);
            return c.body(null, 204);
        });
    }
}
function reactionShape(reaction) {
    return {
        id: reaction.id,
        node_id: nodeId('REA', reaction.id),
        user: simpleUser(reaction.user),
        content: reaction.content,
        created_at: timestamp(reaction.createdAt),
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/repositories.js



function addRepositoryRoutes(app, store) {
    app.get('/repos/:owner/:repo', (c) => {
        const repository = useRepository(c, store, METADATA);
        return c.json(fullRepository(repository, store.user(repository.owner)));
    });
    app.get('/repos/:owner/:repo/environments/:environment', (c) => {
        const repository = useRepository(c, store, { level: 'read', anyOf: ['actions', 'environments'] });
        const name = c.req.param('environment');
        if (!repository.environments.has(name))
            throw notFound();
        return c.json(environmentShape(repository, name));
    });
    app.get('/repos/:owner/:repo/collaborators/:username/permission', (c) => {
        const repository = useRepository(c, store, METADATA);
        const login = c.req.param('username');
        const user = store.findUser(login);
        if (!user)
            throw refuse(404, `${login} is not a user`);
        return c.json(permissionShape(user, roleOf(repository, user)));
    });
}
/** Everyone reads a public repository; an owner is its admin. */
function roleOf(repository, user) {
    const role = repository.collaborators.get(user.login.toLowerCase());
    if (role)
        return role;
    if (repository.owner.toLowerCase() === user.login.toLowerCase())
        return { permission: 'admin', role_name: 'admin' };
    return repository.private ? { permission: 'none', role_name: '' } : { permission: 'read', role_name: 'read' };
}
function permissionShape(user, role) {
    return {
        permission: role.permission,
        user: { ...simpleUser(user), permissions: roleFlags(role), role_name: role.role_name },
        role_name: role.role_name,
    };
}
function environmentShape(repository, name) {
    const url = `https://api.github.com/repos/${repository.fullName}/environments/${encodeURIComponent(name)}`;
    return {
        id: repository.id + name.length,
        node_id: nodeId('EN', repository.id),
        name,
        url,
        html_url: `https://github.com/${repository.fullName}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
        created_at: timestamp(0),
        updated_at: timestamp(0),
        can_admins_bypass: true,
        protection_rules: [],
        deployment_branch_policy: null,
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/settings.js



/** The three scopes, each with the permission that GitHub asks for there. */
function scopeRoutes(repositoryPermission, organizationPermission) {
    return [
        {
            base: '/repos/:owner/:repo/actions',
            open: (c, store, level) => {
                const repository = useRepository(c, store, { level, anyOf: [repositoryPermission] });
                return { scope: 'repository', repository: repository.fullName };
            },
        },
        {
            base: '/repos/:owner/:repo/environments/:environment',
            open: (c, store, level) => {
                const repository = useRepository(c, store, { level, anyOf: ['environments'] });
                const environment = c.req.param('environment') ?? '';
                if (!repository.environments.has(environment))
                    throw notFound();
                return { scope: 'environment', repository: repository.fullName, environment };
            },
        },
        {
            base: '/orgs/:org/actions',
            open: (c, store, level) => ({
                scope: 'organization',
                organization: useOrganization(c, store, { level, anyOf: [organizationPermission] }),
            }),
        },
    ];
}
// The rules for names that GitHub documents for secrets and variables alike.
function checkName(name, kind) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
        throw refuse(422, `${kind} names can only contain alphanumeric characters and underscores, and start with neither a digit nor a space.`);
    }
    if (/^GITHUB_/i.test(name))
        throw refuse(422, `${kind} names must not start with GITHUB_.`);
}
/** Fields that every setting shows. */
function settingShape(c, entity) {
    const { visibility } = entity;
    const list = c.req.path.replace(/\/(secrets|variables)\/.*$/, '/$1');
    return {
        name: entity.name,
        created_at: timestamp(entity.createdAt),
        updated_at: timestamp(entity.updatedAt),
        ...(visibility ? { visibility } : {}),
        ...(visibility === 'selected'
            ? { selected_repositories_url: `${c.env.base}${list}/${entity.name}/repositories` }
            : {}),
    };
}
function listSelected(c, store, entity) {
    const known = [...store.repositories.values()];
    const selected = entity.selectedRepositoryIds
        .map((id) => known.find((repository) => repository.id === id))
        .filter((repository) => repository !== undefined);
    const { items, total } = paginate(c, selected);
    return {
        total_count: total,
        repositories: items.map((repository) => minimalRepository(repository, store.user(repository.owner))),
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/secrets.js



const secretBody = schemas/* object */.Ikc({
    encrypted_value: schemas/* string */.YjP().check(api/* _regex */.Fk(/^[A-Za-z0-9+/]+={0,2}$/)),
    key_id: schemas/* string */.YjP(),
    visibility: schemas/* optional */.lqM(schemas/* enum */.k5n(['all', 'private', 'selected'])),
    selected_repository_ids: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* number */.aig().check(schemas/* int */.Whr()))),
});
// 48 KB, as GitHub documents the limit.
const LARGEST_SECRET_BYTES = 48 * 1024;
function addSecretRoutes(app, store) {
    for (const place of scopeRoutes('secrets', 'organization_secrets')) {
        const path = `${place.base}/secrets`;
        app.get(`${path}/public-key`, (c) => {
            place.open(c, store, 'read');
            return c.json(store.settings.publicKey());
        });
        app.get(path, (c) => {
            const { items, total } = paginate(c, store.settings.listSecrets(place.open(c, store, 'read')));
            return c.json({ total_count: total, secrets: items.map((secret) => settingShape(c, secret)) });
        });
        app.get(`${path}/:name`, (c) => c.json(settingShape(c, secrets_find(c, store, place))));
        app.put(`${path}/:name`, (c) => putSecret(c, store, place));
        if (path.startsWith('/orgs/')) {
            app.get(`${path}/:name/repositories`, (c) => c.json(listSelected(c, store, secrets_find(c, store, place))));
        }
    }
}
function secrets_find(c, store, place) {
    const secret = store.settings.secret(place.open(c, store, 'read'), c.req.param('name') ?? '');
    if (!secret)
        throw notFound();
    return secret;
}
async function putSecret(c, store, place) {
    const scope = place.open(c, store, 'write');
    const name = c.req.param('name') ?? '';
    checkName(name, 'Secret');
    const body = await readBody(c, secretBody);
    if (scope.scope === 'organization' && !body.visibility)
        throw refuse(422, 'Invalid request.\n\n"visibility" wasn\'t supplied.');
    if (!store.settings.secret(scope, name))
        checkRoom(store, scope);
    // Sealing adds 48 bytes, base64 a third.
    if (body.encrypted_value.length > Math.ceil((LARGEST_SECRET_BYTES + 48) / 3) * 4) {
        throw refuse(422, 'Secret value is too large.');
    }
    const written = store.settings.writeSecret(scope, {
        name,
        encryptedValue: body.encrypted_value,
        keyId: body.key_id,
        visibility: scope.scope === 'organization' ? body.visibility : undefined,
        selectedRepositoryIds: body.visibility === 'selected' ? body.selected_repository_ids : [],
    });
    switch (written) {
        case 'created':
            return c.json({}, 201);
        case 'updated':
            return c.body(null, 204);
        case 'wrong-key':
            throw refuse(422, 'Validation Failed', { errors: [{ resource: 'Secret', field: 'key_id', code: 'invalid' }] });
        case 'unreadable':
            throw refuse(422, 'Validation Failed', {
                errors: [{ resource: 'Secret', field: 'encrypted_value', code: 'invalid' }],
            });
    }
}
function checkRoom(store, scope) {
    const limit = scope.scope === 'organization' ? 1000 : (store.repository(scope.repository)?.secretLimit ?? 100);
    if (store.settings.listSecrets(scope).length >= limit)
        throw refuse(422, `The limit of ${limit} secrets is reached.`);
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/users.js



function addUserRoutes(app, store) {
    // Only a person's token has a person behind it.
    app.get('/user', (c) => {
        const token = c.get('token');
        if (token.kind !== 'pat')
            throw inaccessible(token);
        return c.json(simpleUser(store.user(token.login)));
    });
    // Takes an App's own signed token, which the emulator has none of.
    app.get('/app', () => {
        throw refuse(401, 'A JSON web token could not be decoded');
    });
    app.get('/users/:login', (c) => {
        const user = store.findUser(c.req.param('login'));
        if (!user)
            throw notFound();
        return c.json({ ...simpleUser(user), name: null });
    });
}

;// CONCATENATED MODULE: ./build/emulator/src/github/routes/variables.js



const fields = {
    visibility: schemas/* optional */.lqM(schemas/* enum */.k5n(['all', 'private', 'selected'])),
    selected_repository_ids: schemas/* optional */.lqM(schemas/* array */.YOg(schemas/* number */.aig().check(schemas/* int */.Whr()))),
};
const variables_createBody = schemas/* object */.Ikc({ name: schemas/* string */.YjP(), value: schemas/* string */.YjP(), ...fields });
const updateBody = schemas/* object */.Ikc({ name: schemas/* optional */.lqM(schemas/* string */.YjP()), value: schemas/* optional */.lqM(schemas/* string */.YjP()), ...fields });
const LARGEST_VALUE_BYTES = 48 * 1024;
function addVariableRoutes(app, store) {
    for (const place of scopeRoutes('actions_variables', 'organization_actions_variables')) {
        const path = `${place.base}/variables`;
        app.post(path, (c) => createVariable(c, store, place));
        app.get(`${path}/:name`, (c) => {
            const variable = variables_find(store, place.open(c, store, 'read'), c);
            return c.json({ ...settingShape(c, variable), value: variable.value });
        });
        app.patch(`${path}/:name`, (c) => updateVariable(c, store, place));
        app.delete(`${path}/:name`, (c) => {
            const scope = place.open(c, store, 'write');
            store.settings.deleteVariable(scope, variables_find(store, scope, c).name);
            return c.body(null, 204);
        });
        if (path.startsWith('/orgs/')) {
            app.get(`${path}/:name/repositories`, (c) => c.json(listSelected(c, store, variables_find(store, place.open(c, store, 'read'), c))));
        }
    }
}
function variables_find(store, scope, c) {
    const variable = store.settings.variable(scope, c.req.param('name') ?? '');
    if (!variable)
        throw notFound();
    return variable;
}
async function createVariable(c, store, place) {
    const scope = place.open(c, store, 'write');
    const body = await readBody(c, variables_createBody);
    checkName(body.name, 'Variable');
    checkValue(body.value);
    if (scope.scope === 'organization' && !body.visibility)
        throw refuse(422, 'Invalid request.\n\n"visibility" wasn\'t supplied.');
    if (store.settings.variable(scope, body.name))
        throw refuse(409, 'Already exists - Variable already exists');
    store.settings.writeVariable(scope, { ...toWrite(body.name, scope, body), value: body.value });
    return c.json({}, 201);
}
async function updateVariable(c, store, place) {
    const scope = place.open(c, store, 'write');
    const variable = variables_find(store, scope, c);
    const body = await readBody(c, updateBody);
    checkValue(body.value ?? '');
    store.settings.writeVariable(scope, { ...toWrite(variable.name, scope, body), value: body.value });
    return c.body(null, 204);
}
function checkValue(value) {
    if (Buffer.byteLength(value) > LARGEST_VALUE_BYTES)
        throw refuse(422, 'Variable value is too large.');
}
function toWrite(name, scope, body) {
    if (scope.scope !== 'organization')
        return { name };
    return { name, visibility: body.visibility, selectedRepositoryIds: body.selected_repository_ids };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/app.js


















/** Request in, response out: works without a port. */
function createApp(store) {
    const app = new dist/* Hono */.$();
    // Before everything else: it has headers and rights of its own.
    app.route(CONTROL_PREFIX, controlRoutes(store));
    let served = 0;
    app.use(async (c, next) => {
        served += 1;
        await next();
        for (const [name, value] of Object.entries(standingHeaders(store, served)))
            c.res.headers.set(name, value);
    });
    app.use(async (c, next) => {
        const header = c.req.header('authorization');
        if (header === undefined)
            throw refuse(401, 'Requires authentication');
        const token = store.token(bearer(header));
        if (!token)
            throw refuse(401, 'Bad credentials');
        c.set('token', token);
        await next();
    });
    for (const addRoutes of [
        addSecretRoutes,
        addVariableRoutes,
        addRepositoryRoutes,
        addPullRequestRoutes,
        addIssueRoutes,
        addIssueTrackerRoutes,
        addCommentRoutes,
        addReactionRoutes,
        addActivityRoutes,
        addCheckRoutes,
        addDeploymentRoutes,
        addContentRoutes,
        addUserRoutes,
    ]) {
        addRoutes(app, store);
    }
    app.notFound(() => notFound().getResponse());
    app.onError((error) => {
        if (error instanceof http_exception/* HTTPException */.y)
            return error.getResponse();
        throw error;
    });
    return app;
}
function standingHeaders(store, served) {
    const limit = 5000;
    return {
        date: new Date(store.now()).toUTCString(),
        server: 'github.com',
        'x-github-media-type': 'github.v3; format=json',
        'x-github-request-id': (0,external_node_crypto_.randomBytes)(8).toString('hex').toUpperCase(),
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(0, limit - served)),
        'x-ratelimit-used': String(Math.min(limit, served)),
        'x-ratelimit-reset': String(Math.floor(store.now() / 1000) + 3600),
        'x-ratelimit-resource': 'core',
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/github/service.js



// GitHub Enterprise Server has its API below this prefix.
const ENTERPRISE_PREFIX = /^\/api\/v3(?=\/|$)/;
/** GitHub's API as a function from request to reply, with what came recorded in the store. */
function createService(store) {
    const app = createApp(store);
    return {
        faults: store.faults,
        record({ method, url, headers, body }) {
            if (url.pathname.startsWith(`${CONTROL_PREFIX}/`))
                return undefined;
            const record = {
                method,
                path: url.pathname.replace(ENTERPRISE_PREFIX, '') || '/',
                query: Object.fromEntries(url.searchParams),
                headers,
                body: new TextDecoder().decode(body),
                at: store.now(),
                token: store.token(bearer(headers['authorization']))?.name,
                status: undefined,
            };
            store.requests.push(record);
            return record;
        },
        fetch(request) {
            const url = new URL(request.url);
            const prefix = ENTERPRISE_PREFIX.exec(url.pathname)?.[0] ?? '';
            url.pathname = url.pathname.slice(prefix.length) || '/';
            return app.fetch(new Request(url, request), { base: url.origin + prefix });
        },
    };
}

// EXTERNAL MODULE: ./build/emulator/src/files.js
var files = __webpack_require__(5424);
;// CONCATENATED MODULE: ./build/emulator/src/github/ground.js
function toEpochMs(instant, otherwise) {
    if (instant === undefined)
        return otherwise;
    const time = typeof instant === 'number' ? instant : Date.parse(instant);
    if (Number.isNaN(time))
        throw new Error(`not a time: ${instant}`);
    return time;
}

;// CONCATENATED MODULE: ./build/emulator/src/github/create.js

/** Entities from seeds, with everything filled in that a test does not say. */
function createIssue(seed, ground) {
    const createdAt = toEpochMs(seed.updatedAt, ground.now());
    const id = ground.nextId();
    return {
        id,
        repository: seed.repository,
        number: id,
        title: seed.title,
        body: seed.body ?? '',
        user: ground.user(seed.user),
        state: 'open',
        stateReason: null,
        locked: false,
        labels: [...(seed.labels ?? [])],
        assignees: (seed.assignees ?? []).map((login) => ground.user(login)),
        createdAt,
        updatedAt: createdAt,
    };
}
function createComment(seed, ground) {
    const createdAt = toEpochMs(seed.createdAt, ground.now());
    return {
        id: ground.nextId(),
        kind: seed.kind ?? 'issue',
        repository: seed.repository,
        number: seed.number,
        user: ground.user(seed.user),
        authorAssociation: seed.authorAssociation ?? 'NONE',
        body: seed.body,
        createdAt,
        updatedAt: toEpochMs(seed.updatedAt, createdAt),
        path: seed.path,
        line: seed.line,
    };
}
function createPullRequest(seed, ground) {
    const createdAt = toEpochMs(seed.createdAt, ground.now());
    const id = ground.nextId();
    const number = seed.number ?? id;
    const merged = seed.merged ?? false;
    return {
        id,
        repository: seed.repository,
        number,
        title: seed.title ?? `Pull request ${number}`,
        body: seed.body,
        user: ground.user(seed.user ?? 'contributor'),
        authorAssociation: seed.authorAssociation ?? 'NONE',
        state: seed.state ?? (merged ? 'closed' : 'open'),
        merged,
        draft: seed.draft ?? false,
        locked: seed.locked ?? false,
        mergeCommitSha: merged ? (seed.mergeCommitSha ?? fakeSha(id + 2_000_000)) : undefined,
        head: {
            ref: seed.head?.ref ?? 'topic',
            sha: seed.head?.sha ?? fakeSha(id),
            repository: seed.head && 'repository' in seed.head ? seed.head.repository : seed.repository,
        },
        base: {
            ref: seed.base?.ref ?? ground.repository(seed.repository)?.defaultBranch ?? 'main',
            sha: seed.base?.sha ?? fakeSha(id + 1_000_000),
            repository: seed.repository,
        },
        labels: [],
        files: (seed.files ?? []).map(createFile),
        createdAt,
        updatedAt: toEpochMs(seed.updatedAt, createdAt),
        reviews: [],
        labelEvents: [],
    };
}
function createFile(seed, index) {
    return { filename: `file-${index}.md`, status: 'modified', additions: 1, deletions: 1, ...seed };
}
/** Forty hex digits that differ for different numbers. */
function fakeSha(number) {
    return number.toString(16).padStart(8, '0').repeat(5);
}

;// CONCATENATED MODULE: ./build/emulator/src/github/conversations.js


/** Pull requests with their files, comments, reviews, labels and checks. */
class Conversations {
    issues = [];
    comments = [];
    reactions = [];
    checkSuites = [];
    activities = [];
    workflowJobs = [];
    #pullRequests = new Map();
    #ground;
    constructor(ground) {
        this.#ground = ground;
    }
    pullRequest(repository, number) {
        return this.#pullRequests.get(placeOf(repository, number));
    }
    pullRequestsOf(repository) {
        return this.listPullRequests().filter((pull) => pull.repository === repository);
    }
    listPullRequests() {
        return [...this.#pullRequests.values()];
    }
    addPullRequest(seed) {
        const pull = createPullRequest(seed, this.#ground);
        this.#pullRequests.set(placeOf(pull.repository, pull.number), pull);
        const { createdAt: at, user } = pull;
        this.#record(pull, { type: 'branch_creation', before: '0'.repeat(40), user: user.login, at });
        return pull;
    }
    /** Moves the head of a pull request to another commit. */
    push(seed) {
        const pull = this.#find(seed);
        const before = pull.head.sha;
        pull.head.sha = seed.sha;
        if (seed.files !== undefined)
            pull.files = seed.files.map(createFile);
        const at = toEpochMs(seed.at, this.#ground.now());
        pull.updatedAt = at;
        this.#record(pull, { type: seed.type ?? 'push', before, user: seed.user ?? pull.user.login, at });
    }
    addWorkflowJob(seed) {
        const usual = { runnerName: null, status: 'completed', conclusion: 'success', steps: [] };
        this.workflowJobs.push({ id: this.#ground.nextId(), ...usual, ...seed });
    }
    addComment(seed) {
        const comment = createComment(seed, this.#ground);
        this.comments.push(comment);
        this.comments.sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
        return comment;
    }
    addIssue(seed) {
        const issue = createIssue(seed, this.#ground);
        this.issues.push(issue);
        return issue;
    }
    issue(repository, number) {
        return this.issues.find((one) => placeOf(one.repository, one.number) === placeOf(repository, number));
    }
    addReview(seed) {
        const pull = this.#find(seed);
        const review = {
            id: this.#ground.nextId(),
            user: this.#ground.user(seed.user),
            body: seed.body ?? '',
            state: seed.state ?? 'COMMENTED',
            submittedAt: toEpochMs(seed.submittedAt, this.#ground.now()),
            authorAssociation: seed.authorAssociation ?? 'NONE',
            commitId: pull.head.sha,
        };
        pull.reviews.push(review);
        return review;
    }
    addLabel(seed) {
        const pull = this.#find(seed);
        const event = seed.event ?? 'labeled';
        pull.labels = pull.labels.filter((label) => label !== seed.label);
        if (event === 'labeled')
            pull.labels.push(seed.label);
        pull.labelEvents.push({
            id: this.#ground.nextId(),
            event,
            label: seed.label,
            actor: seed.actor === null ? undefined : this.#ground.user(seed.actor),
            createdAt: toEpochMs(seed.createdAt, this.#ground.now()),
        });
    }
    addCheckSuite(seed) {
        const suite = {
            id: this.#ground.nextId(),
            repository: seed.repository,
            headSha: seed.headSha,
            createdAt: toEpochMs(seed.createdAt, this.#ground.now()),
            app: seed.app ?? 'github-actions',
        };
        this.checkSuites.push(suite);
        return suite;
    }
    /** The reaction, and whether it is new: a person has each reaction once. */
    react(comment, user, content) {
        const known = this.reactions.find((one) => one.commentId === comment.id && one.user.id === user.id && one.content === content);
        if (known)
            return { reaction: known, created: false };
        const reaction = {
            id: this.#ground.nextId(),
            commentKind: comment.kind,
            commentId: comment.id,
            repository: comment.repository,
            user,
            content,
            createdAt: this.#ground.now(),
        };
        this.reactions.push(reaction);
        return { reaction, created: true };
    }
    clear() {
        this.#pullRequests.clear();
        const { issues, comments, reactions, checkSuites, activities, workflowJobs } = this;
        for (const list of [issues, comments, reactions, checkSuites, activities, workflowJobs])
            list.length = 0;
    }
    #record({ head }, { type, before, user, at }) {
        if (head.repository === undefined)
            return;
        this.activities.push({
            id: this.#ground.nextId(),
            repository: head.repository,
            ref: `refs/heads/${head.ref}`,
            before,
            after: head.sha,
            type,
            actor: this.#ground.user(user),
            at,
        });
    }
    #find({ repository, number }) {
        const found = this.pullRequest(repository, number);
        if (!found)
            throw new Error(`no pull request ${repository}#${number} in the emulator`);
        return found;
    }
}
function placeOf(repository, number) {
    return `${repository.toLowerCase()}#${number}`;
}

// EXTERNAL MODULE: ./node_modules/blakejs/index.js
var blakejs = __webpack_require__(7493);
// EXTERNAL MODULE: ./node_modules/tweetnacl/nacl-fast.js
var nacl_fast = __webpack_require__(668);
;// CONCATENATED MODULE: ./build/emulator/src/github/sealed-box.js


const { publicKeyLength, nonceLength } = nacl_fast.box;
/**
 * A key pair that opens libsodium's sealed boxes (`crypto_box_seal`). Written over other libraries than the one that seals
 * them, which is ten times as large, so that a box that both understand is one that GitHub understands too.
 */
class SealingKey {
    #pair = nacl_fast.box.keyPair();
    /** 32 bytes. */
    get publicKey() {
        return this.#pair.publicKey;
    }
    /** The text in a box; undefined where it cannot be opened with this key. */
    open(box) {
        if (box.length < publicKeyLength)
            return undefined;
        const sender = Uint8Array.from(box.subarray(0, publicKeyLength));
        const nonce = (0,blakejs.blake2b)(Uint8Array.from([...sender, ...this.publicKey]), undefined, nonceLength);
        const opened = nacl_fast.box.open(Uint8Array.from(box.subarray(publicKeyLength)), nonce, sender, this.#pair.secretKey);
        return opened === null ? undefined : new TextDecoder().decode(opened);
    }
}

;// CONCATENATED MODULE: ./build/emulator/src/github/settings.js


/** Secrets and variables of every scope, and the key pair that secrets are sealed for. */
class Settings {
    #ground;
    #secrets = new Map();
    #variables = new Map();
    #key;
    #brokenKey;
    constructor(ground) {
        this.#ground = ground;
        this.#key = this.#makeKey();
    }
    secret(scope, name) {
        return this.#secrets.get(settingKey(scope, name));
    }
    setSecret(scope, seed) {
        const secret = { ...this.#seeded(seed), encryptedValue: '', keyId: this.#key.id };
        this.#secrets.set(settingKey(scope, seed.name), secret);
    }
    /** Opens the sealed box and keeps the value. */
    writeSecret(scope, write) {
        const { encryptedValue, keyId } = write;
        if (keyId !== this.#key.id)
            return 'wrong-key';
        const value = this.#key.pair.open(Buffer.from(encryptedValue, 'base64'));
        if (value === undefined)
            return 'unreadable';
        const place = settingKey(scope, write.name);
        const before = this.#secrets.get(place);
        this.#secrets.set(place, { ...this.#stamped(before, write), value, encryptedValue, keyId });
        return before ? 'updated' : 'created';
    }
    listSecrets(scope) {
        return [...this.#secrets].filter(([place]) => place.startsWith(settingKey(scope, ''))).map(([, secret]) => secret);
    }
    variable(scope, name) {
        return this.#variables.get(settingKey(scope, name));
    }
    setVariable(scope, seed) {
        this.#variables.set(settingKey(scope, seed.name), this.#seeded(seed));
    }
    writeVariable(scope, write) {
        const place = settingKey(scope, write.name);
        const before = this.#variables.get(place);
        this.#variables.set(place, { ...this.#stamped(before, write), value: write.value ?? before?.value ?? '' });
    }
    deleteVariable(scope, name) {
        this.#variables.delete(settingKey(scope, name));
    }
    /** Everything, for people: where it is stored, and its value. */
    listSettings() {
        const plain = ([place, { value, updatedAt }]) => ({ place, value, updatedAt });
        return { secrets: [...this.#secrets].map(plain), variables: [...this.#variables].map(plain) };
    }
    publicKey() {
        const key = this.#brokenKey ?? Buffer.from(this.#key.pair.publicKey).toString('base64');
        return { key_id: this.#key.id, key };
    }
    /** From now on sealed boxes for the earlier keys are refused. */
    rotateKey() {
        this.#key = this.#makeKey();
        this.#brokenKey = undefined;
    }
    /** What `publicKey` gives from now on, until `rotateKey`. */
    breakKey(key) {
        this.#brokenKey = key;
    }
    clear() {
        this.#secrets.clear();
        this.#variables.clear();
        this.#brokenKey = undefined;
    }
    #makeKey() {
        return { id: String(568250167242549743n + BigInt(this.#ground.nextId())), pair: new SealingKey() };
    }
    #stamped(before, write) {
        return {
            name: write.name.toUpperCase(),
            createdAt: before?.createdAt ?? this.#ground.now(),
            updatedAt: this.#ground.now(),
            visibility: write.visibility ?? before?.visibility,
            selectedRepositoryIds: write.selectedRepositoryIds ?? before?.selectedRepositoryIds ?? [],
        };
    }
    #seeded(seed) {
        const updatedAt = toEpochMs(seed.updatedAt, this.#ground.now());
        return { ...this.#stamped(undefined, seed), value: seed.value, createdAt: updatedAt, updatedAt };
    }
}
function settingKey(scope, name) {
    return `${settings_placeOf(scope).toLowerCase()}:${name.toUpperCase()}`;
}
function settings_placeOf(scope) {
    if (scope.scope === 'organization')
        return `orgs/${scope.organization}`;
    const repository = `repos/${scope.repository}`;
    return scope.scope === 'environment'
        ? `${repository}/environments/${encodeURIComponent(scope.environment)}`
        : repository;
}

;// CONCATENATED MODULE: ./build/emulator/src/github/store.js





// Account and app of the workflow token, with the id they have on github.com.
const ACTIONS_BOT = { id: 41898282, login: 'github-actions[bot]', type: 'Bot' };
/** Everything the emulator remembers, and the ways in which it changes. */
class Store {
    faults = new src_faults/* FaultScript */.S();
    requests = [];
    repositories = new Map();
    organizations = new Set();
    settings;
    conversations;
    deployments;
    /** Of default branches. */
    files = new files/* BranchFiles */.A();
    #options;
    #tokens = new Map();
    #users = new Map();
    #lastId = 1000;
    constructor(options) {
        this.#options = options;
        this.settings = new Settings(this);
        this.conversations = new Conversations(this);
        this.deployments = new Deployments(this);
        this.#fill();
    }
    now() {
        return this.#options.clock?.now() ?? Date.now();
    }
    nextId() {
        this.#lastId += 1;
        return this.#lastId;
    }
    token(value) {
        return value === undefined ? undefined : this.#tokens.get(value);
    }
    setToken(value, seed) {
        const kind = seed.kind ?? 'app';
        const login = seed.login ?? ACTIONS_BOT.login;
        this.#tokens.set(value, { ...seed, kind, name: seed.name ?? kind, login });
        this.user(login);
    }
    addRepository(seed) {
        const repository = createRepository(seed, this.nextId());
        this.user(repository.owner);
        for (const login of repository.collaborators.keys())
            this.user(login);
        this.repositories.set(repository.fullName.toLowerCase(), repository);
        return repository;
    }
    /** Logins and `owner/name` are compared without regard to case, as GitHub does. */
    repository(fullName) {
        return this.repositories.get(fullName.toLowerCase());
    }
    /** undefined when there is no such account. */
    findUser(login) {
        return this.#users.get(login.toLowerCase());
    }
    /** The account of that login, made when there is none. */
    user(login) {
        const key = login.toLowerCase();
        const known = this.#users.get(key);
        if (known)
            return known;
        const type = this.organizations.has(key) ? 'Organization' : login.endsWith('[bot]') ? 'Bot' : 'User';
        const user = { id: this.nextId(), login, type };
        this.#users.set(key, user);
        return user;
    }
    /** Back to what the options said; recorded requests and faults are gone. */
    reset() {
        const { faults, repositories, organizations, settings, conversations, deployments, files } = this;
        const kept = [settings, conversations, deployments, files];
        for (const part of [this.#tokens, this.#users, repositories, organizations, faults, ...kept])
            part.clear();
        this.requests.length = 0;
        this.#fill();
    }
    #fill() {
        const { organizations = [], users = [], repositories = [], tokens = {} } = this.#options;
        this.#users.set(ACTIONS_BOT.login, ACTIONS_BOT);
        for (const login of organizations)
            this.organizations.add(login.toLowerCase());
        for (const user of users) {
            if (typeof user === 'string')
                this.user(user);
            else
                this.#users.set(user.login.toLowerCase(), user);
        }
        for (const seed of repositories)
            this.addRepository(seed);
        for (const [value, seed] of Object.entries(tokens))
            this.setToken(value, seed);
    }
}
function createRepository(seed, freeId) {
    const [owner, name, ...rest] = seed.fullName.split('/');
    if (!owner || !name || rest.length > 0)
        throw new Error(`not owner/name: ${seed.fullName}`);
    const collaborators = Object.entries(seed.collaborators ?? {}).map(([login, role]) => [
        login.toLowerCase(),
        typeof role === 'string' ? { permission: permissionOf(role), role_name: role } : role,
    ]);
    return {
        id: seed.id ?? freeId,
        owner,
        name,
        fullName: seed.fullName,
        private: seed.private ?? true,
        defaultBranch: seed.defaultBranch ?? 'main',
        hasIssues: seed.hasIssues ?? true,
        environments: new Set(seed.environments ?? []),
        collaborators: new Map(collaborators),
        secretLimit: seed.secretLimit ?? 100,
        commits: seed.commits,
        checks: seed.checks ?? 'passing',
        isBehind: seed.isBehind ?? false,
    };
}
/** The older scale, in which triage counts as read and maintain as write. */
function permissionOf(role) {
    if (role === 'admin' || role === 'none')
        return role;
    return role === 'write' || role === 'maintain' ? 'write' : 'read';
}

;// CONCATENATED MODULE: ./build/emulator/src/github/emulator.js



async function startGitHubEmulator(options = {}) {
    const store = new Store(options);
    const { port = 0, log, tls } = options;
    const server = await (0,src_server/* startServer */.U)({ service: createService(store), port, log, tls });
    const { settings, conversations } = store;
    return {
        url: server.url,
        requests: store.requests,
        inject: (fault) => store.faults.inject(fault),
        clearFaults: () => store.faults.clear(),
        setToken: (token, seed) => store.setToken(token, seed),
        addRepository: (seed) => store.addRepository(seed),
        user: (login) => store.user(login),
        secret: (scope, name) => settings.secret(scope, name),
        setSecret: (scope, seed) => settings.setSecret(scope, seed),
        variable: (scope, name) => settings.variable(scope, name),
        setVariable: (scope, seed) => settings.setVariable(scope, seed),
        deleteVariable: (scope, name) => settings.deleteVariable(scope, name),
        rotateKey: () => settings.rotateKey(),
        breakKey: (key) => settings.breakKey(key),
        addPullRequest: (seed) => conversations.addPullRequest(seed),
        push: (seed) => conversations.push(seed),
        addWorkflowJob: (seed) => conversations.addWorkflowJob(seed),
        addComment: (seed) => conversations.addComment(seed),
        addReview: (seed) => conversations.addReview(seed),
        addLabel: (seed) => conversations.addLabel(seed),
        addCheckSuite: (seed) => conversations.addCheckSuite(seed),
        setFile: (repository, path, text) => store.files.set(repository, path, text),
        addIssue: (seed) => conversations.addIssue(seed),
        issues: conversations.issues,
        comments: conversations.comments,
        reactions: conversations.reactions,
        deployments: store.deployments.all,
        reset: () => store.reset(),
        close: server.close,
        [Symbol.asyncDispose]: server.close,
    };
}


/***/ })

};
