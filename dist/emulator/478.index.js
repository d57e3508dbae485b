export const id = 478;
export const ids = [478];
export const modules = {

/***/ 6478:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  GitLabEmulator: () => (/* binding */ GitLabEmulator)
});

// EXTERNAL MODULE: ./build/emulator/src/faults.js
var src_faults = __webpack_require__(6778);
// EXTERNAL MODULE: ./build/emulator/src/server.js + 3 modules
var server = __webpack_require__(4077);
// EXTERNAL MODULE: ./node_modules/hono/dist/index.js + 23 modules
var dist = __webpack_require__(429);
// EXTERNAL MODULE: ./node_modules/hono/dist/http-exception.js
var http_exception = __webpack_require__(3040);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
;// CONCATENATED MODULE: ./build/emulator/src/gitlab/entities.js
/** Roles of members: https://docs.gitlab.com/api/members/#roles. */
const LEVELS = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 };

;// CONCATENATED MODULE: ./build/emulator/src/gitlab/app.js




const flags = {
    protected: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    masked: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    raw: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    variable_type: schemas/* optional */.lqM(schemas/* enum */.k5n(['env_var', 'file'])),
    environment_scope: schemas/* optional */.lqM(schemas/* string */.YjP()),
    description: schemas/* optional */.lqM(schemas/* nullable */.mee(schemas/* string */.YjP())),
};
const createBody = schemas/* object */.Ikc({
    key: schemas/* string */.YjP(),
    value: schemas/* string */.YjP(),
    masked_and_hidden: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    ...flags,
});
const updateBody = schemas/* object */.Ikc({
    value: schemas/* optional */.lqM(schemas/* string */.YjP()),
    filter: schemas/* optional */.lqM(schemas/* object */.Ikc({ environment_scope: schemas/* optional */.lqM(schemas/* string */.YjP()) })),
    ...flags,
});
const KINDS = { projects: 'project', groups: 'group' };
/** GitLab's API, as far as variables go: https://docs.gitlab.com/api/project_level_variables/ and the page on groups. */
function createApp(ground) {
    const app = new dist/* Hono */.$().basePath('/api/v4');
    app.use(async (c, next) => {
        const value = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? c.req.header('private-token');
        const token = value === undefined ? undefined : ground.token(value);
        if (token === undefined)
            throw refuse(401, { message: '401 Unauthorized' });
        c.set('token', token);
        await next();
    });
    app.get('/personal_access_tokens/self', (c) => {
        const { kind = 'personal', scopes = ['api'] } = c.var.token;
        if (kind === 'job')
            throw refuse(401, { message: '401 Unauthorized' });
        return c.json({ id: 1, name: 'docs', revoked: false, active: true, scopes, expires_at: null });
    });
    for (const [plural, kind] of Object.entries(KINDS))
        addVariableRoutes(app, ground, plural, kind);
    app.notFound(() => refuse(404, { error: '404 Not Found' }).getResponse());
    app.onError((error) => {
        if (error instanceof http_exception/* HTTPException */.y)
            return error.getResponse();
        throw error;
    });
    return app;
}
function addVariableRoutes(app, ground, plural, kind) {
    const { variables } = ground;
    app.get(`/${plural}/:id`, (c) => {
        const { id, path } = visible(c, ground, kind);
        return c.json({ id, [kind === 'project' ? 'path_with_namespace' : 'full_path']: path });
    });
    app.get(`/${plural}/:id/variables`, (c) => c.json(variables.list(app_open(c, ground, kind)).map(shape)));
    app.get(`/${plural}/:id/variables/:key`, (c) => {
        const holder = app_open(c, ground, kind);
        return c.json(shape(one(ground, holder, c, c.req.query('filter[environment_scope]'))));
    });
    app.post(`/${plural}/:id/variables`, async (c) => {
        const holder = app_open(c, ground, kind);
        const body = scoped(holder, await readBody(c, createBody));
        check(variables.create(holder, body));
        const [created] = variables.find(holder, body.key, body.environment_scope ?? '*');
        return c.json(created && shape(created), 201);
    });
    app.put(`/${plural}/:id/variables/:key`, async (c) => {
        const holder = app_open(c, ground, kind);
        const { filter, ...write } = scoped(holder, await readBody(c, updateBody));
        const scope = filter?.environment_scope ?? c.req.query('filter[environment_scope]');
        const before = one(ground, holder, c, scope);
        check(variables.update(holder, before, write));
        return c.json(shape(one(ground, holder, c, write.environment_scope ?? before.environment_scope)));
    });
    app.delete(`/${plural}/:id/variables/:key`, (c) => {
        const holder = app_open(c, ground, kind);
        variables.remove(holder, one(ground, holder, c, c.req.query('filter[environment_scope]')));
        return c.body(null, 204);
    });
}
/** A hidden variable never shows its value again. */
function shape(variable) {
    return { ...variable, value: variable.hidden ? null : variable.value };
}
/** Without the paid tier a group's scope is dropped without a word. */
function scoped(holder, body) {
    return holder.hasScopes ? body : { ...body, environment_scope: '*' };
}
function visible(c, { holders }, kind) {
    const id = c.req.param('id') ?? '';
    const holder = holders.find((entry) => entry.kind === kind && (String(entry.id) === id || entry.path === id));
    // What a token may not see does not exist for it.
    if (holder === undefined || levelOf(c.var.token, holder) === 0) {
        throw refuse(404, { message: kind === 'project' ? '404 Project Not Found' : '404 Group Not Found' });
    }
    return holder;
}
/** The holder of the variables, for a token that may read and change them. */
function app_open(c, ground, kind) {
    const { scopes = ['api'], kind: tokenKind = 'personal' } = c.var.token;
    if (tokenKind === 'job')
        throw refuse(401, { message: '401 Unauthorized' });
    const isRead = c.req.method === 'GET';
    if (!scopes.includes('api') && !(isRead && scopes.includes('read_api'))) {
        throw refuse(403, {
            error: 'insufficient_scope',
            error_description: 'The request requires higher privileges than provided by the access token.',
            scope: isRead ? 'api read_api' : 'api',
        });
    }
    const holder = visible(c, ground, kind);
    const needed = kind === 'project' ? LEVELS.maintainer : LEVELS.owner;
    if (levelOf(c.var.token, holder) < needed)
        throw refuse(403, { message: '403 Forbidden' });
    return holder;
}
/** Members of a group are members of what is in it. */
function levelOf({ roles = {} }, { path }) {
    const levels = Object.entries(roles).map(([at, role]) => path === at || path.startsWith(`${at}/`) ? LEVELS[role] : 0);
    return Math.max(0, ...levels);
}
function one({ variables }, holder, c, scope) {
    const [variable, ...others] = variables.find(holder, c.req.param('key') ?? '', scope);
    if (variable === undefined) {
        throw refuse(404, { message: `404 ${holder.kind === 'project' ? 'Variable' : 'GroupVariable'} Not Found` });
    }
    if (others.length > 0) {
        const message = "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'";
        throw refuse(409, { message });
    }
    return variable;
}
function check(problems) {
    if (Object.keys(problems).length > 0)
        throw refuse(400, { message: problems });
}
function refuse(status, body) {
    const init = { status, headers: { 'content-type': 'application/json' } };
    return new http_exception/* HTTPException */.y(status, { res: new Response(JSON.stringify(body), init) });
}
async function readBody(c, schema) {
    const type = c.req.header('content-type') ?? '';
    const body = type.includes('json') ? await c.req.json().catch(() => undefined) : await readForm(c);
    const parsed = schema.safeParse(body);
    if (parsed.success)
        return parsed.data;
    const fields = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'} is invalid (${message})`);
    throw refuse(400, { error: fields.join(', ') });
}
async function readForm(c) {
    const fields = Object.entries({ ...c.req.query(), ...(await c.req.parseBody()) });
    return Object.fromEntries(fields.map(([name, value]) => [name, value === 'true' ? true : value === 'false' ? false : value]));
}

;// CONCATENATED MODULE: ./build/emulator/src/gitlab/store.js
// Maximum of a value in characters: https://docs.gitlab.com/administration/instance_limits/#cicd-variable-limits.
const LONGEST_VALUE = 10_000;
// https://docs.gitlab.com/ci/variables/#mask-a-cicd-variable: what may be masked depends on whether the value is expanded.
const MASKABLE = /^[a-zA-Z0-9_+=/@:.~-]{8,}$/;
const MASKABLE_RAW = /^\S{8,}$/;
const KEY = /^[A-Za-z0-9_]{1,255}$/;
/** The variables of projects and groups. A key may occur once for each environment scope. */
class Variables {
    #entries = [];
    list(holder) {
        return this.#of(holder).map(({ variable }) => variable);
    }
    /** All with this key, or the one of the environment scope that is given. */
    find(holder, key, scope) {
        return this.list(holder).filter((one) => one.key === key && (scope === undefined || one.environment_scope === scope));
    }
    create(holder, write) {
        const { masked_and_hidden: isHidden = false, ...fields } = write;
        const variable = {
            variable_type: 'env_var',
            protected: false,
            raw: false,
            environment_scope: '*',
            description: null,
            ...fields,
            hidden: isHidden,
            masked: isHidden || (write.masked ?? false),
        };
        const isTaken = this.find(holder, variable.key, variable.environment_scope).length > 0;
        const problems = isTaken
            ? { key: [`(${variable.key}) has already been taken`], ...problemsOf(variable) }
            : problemsOf(variable);
        if (Object.keys(problems).length === 0)
            this.#entries.push({ holder, variable });
        return problems;
    }
    update(holder, before, write) {
        const { masked_and_hidden: _, ...fields } = write;
        const variable = { ...before, ...fields };
        if (before.hidden && variable.masked !== before.masked) {
            return { base: ['Updating masked attribute is not allowed on updates for hidden variables.'] };
        }
        const problems = problemsOf(variable);
        const entry = this.#of(holder).find((one) => one.variable === before);
        if (entry !== undefined && Object.keys(problems).length === 0)
            entry.variable = variable;
        return problems;
    }
    remove(holder, variable) {
        const index = this.#entries.findIndex((one) => one.holder === holder && one.variable === variable);
        if (index >= 0)
            this.#entries.splice(index, 1);
    }
    #of(holder) {
        return this.#entries.filter((entry) => entry.holder === holder);
    }
}
function problemsOf({ key, value, masked, raw }) {
    return {
        ...(!KEY.test(key) && { key: ["can contain only letters, digits and '_'."] }),
        ...(masked && !(raw ? MASKABLE_RAW : MASKABLE).test(value) && { value: ['is invalid'] }),
        ...(value.length > LONGEST_VALUE && { value: ['is too long (maximum is 10000 characters)'] }),
    };
}

;// CONCATENATED MODULE: ./build/emulator/src/gitlab/emulator.js
/**
 * GitLab's REST API as a local HTTP server, as far as CI/CD variables go. Paths, fields and statuses are those of GitLab's own
 * OpenAPI description; rules for masked and hidden variables are those of its documentation. No real server confirmed it.
 */




class GitLabEmulator {
    /** The address of the server, without `/api/v4`. */
    url;
    requests;
    #variables;
    #holders;
    #faults;
    #close;
    static async start(options = {}) {
        const { port = 0, log, projects = [], groups = [], tokens = {} } = options;
        const variables = new Variables();
        const holders = [
            ...projects.map((seed, index) => holderOf('project', seed, 100 + index)),
            ...groups.map((seed, index) => holderOf('group', seed, 10 + index)),
        ];
        const requests = [];
        const faults = new src_faults/* FaultScript */.S();
        const app = createApp({ variables, holders, token: (value) => tokens[value] });
        const service = { faults, record: (arrival) => record(requests, arrival), fetch: app.fetch };
        const { url, close } = await (0,server/* startServer */.U)({ service, port, log });
        return new GitLabEmulator(url, { variables, holders, requests, faults, close });
    }
    constructor(url, parts) {
        this.url = url;
        this.requests = parts.requests;
        this.#variables = parts.variables;
        this.#holders = parts.holders;
        this.#faults = parts.faults;
        this.#close = parts.close;
    }
    inject(fault) {
        this.#faults.inject(fault);
    }
    /** Also the value of a hidden one. `path` is that of a project or a group. */
    variable(path, key, scope = '*') {
        return this.#variables.find(this.#holder(path), key, scope)[0];
    }
    /** Makes the variable, or replaces the one of the same scope, as a person does in the settings. */
    setVariable(path, seed) {
        const holder = this.#holder(path);
        const before = this.variable(path, seed.key, seed.environment_scope);
        if (before !== undefined)
            this.#variables.remove(holder, before);
        const { hidden, ...write } = { ...before, ...seed };
        this.#variables.create(holder, { ...write, masked_and_hidden: hidden });
    }
    deleteVariable(path, key, scope = '*') {
        const variable = this.variable(path, key, scope);
        if (variable !== undefined)
            this.#variables.remove(this.#holder(path), variable);
    }
    close() {
        return this.#close();
    }
    [Symbol.asyncDispose]() {
        return this.#close();
    }
    #holder(path) {
        const holder = this.#holders.find((entry) => entry.path === path);
        if (holder === undefined)
            throw new Error(`there is no project or group ${path}`);
        return holder;
    }
}
function holderOf(kind, { path, id, hasScopes = true }, nextId) {
    return { kind, path, id: id ?? nextId, hasScopes };
}
function record(requests, { method, url, body }) {
    const entry = {
        method,
        path: url.pathname.replace(/^\/api\/v4/, ''),
        query: Object.fromEntries(url.searchParams),
        body: new TextDecoder().decode(body),
        status: undefined,
    };
    requests.push(entry);
    return entry;
}


/***/ })

};
