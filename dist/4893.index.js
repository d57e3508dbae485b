export const id = 4893;
export const ids = [4893];
export const modules = {

/***/ 4893:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  GitLabStore: () => (/* binding */ GitLabStore)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/stores/address.js
var stores_address = __webpack_require__(1824);
// EXTERNAL MODULE: ./build/src/stores/port.js
var port = __webpack_require__(7833);
;// CONCATENATED MODULE: ./build/src/stores/gitlab/advice.js

const TOKEN_ADVICE = 'Use a project access token with the role Maintainer (for a group: a group access token with the role Owner) and the scope api. Store it as a masked and protected CI/CD variable, such as DOCS_COURIER_SECRET_TOKEN.';
/** Throws `config` for settings with which GitLab would refuse the values later, after the export. */
function checkSettings({ link, state }, names) {
    if (link?.masked === true && link.raw === false) {
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: `The ${names.link} is masked, and variables in its value are expanded: GitLab takes no link as its value then. Nothing was written.`,
            hint: 'In Settings > CI/CD > Variables, edit the variable and clear "Expand variable reference".',
        });
    }
    if (state?.masked !== true && state?.hidden !== true)
        return;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `The ${names.state} is masked or hidden: a state cannot be stored there. Nothing was written.`,
        hint: 'Delete that variable; the next run makes it anew. It holds no secret.',
    });
}
/** What to do about a failed call; undefined where the error says it all. */
function hintFor({ code }, { address: { scope, id }, url }) {
    const { host } = new URL(url);
    switch (code) {
        case 'unauthorized':
            return `secret-token has expired, was revoked, or is for another server than ${host}. ${TOKEN_ADVICE}`;
        case 'forbidden':
            return `secret-token lacks a right. ${TOKEN_ADVICE}`;
        case 'not-found':
            return `Check that ${scope} ${id} exists on ${host} and that the user of secret-token is a member of it.`;
        case 'config':
            return 'GitLab refused the value or the name. Check the settings of the variable in Settings > CI/CD > Variables.';
        default:
            return undefined;
    }
}

// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
;// CONCATENATED MODULE: ./build/src/stores/gitlab/contract.js

// Fields of GitLab's API, as its OpenAPI description has them: https://docs.gitlab.com/api/project_level_variables/.
const variableReply = schemas/* object */.Ikc({
    key: schemas/* string */.YjP(),
    /** null where the variable is hidden. */
    value: schemas/* nullable */.mee(schemas/* string */.YjP()),
    masked: schemas/* boolean */.zMY(),
    protected: schemas/* boolean */.zMY(),
    /** Versions before 15.7 have none. */
    raw: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    /** Versions before 17.4 have none. */
    hidden: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    /** Groups of the Free tier have none. */
    environment_scope: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
const holderReply = schemas/* object */.Ikc({ id: schemas/* number */.aig() });
const tokenReply = schemas/* object */.Ikc({
    scopes: schemas/* array */.YOg(schemas/* string */.YjP()),
    expires_at: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
const message = schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())]);
const errorReply = schemas/* object */.Ikc({
    message: schemas/* optional */.lqM(message),
    error: schemas/* optional */.lqM(message),
    error_description: schemas/* optional */.lqM(schemas/* string */.YjP()),
});

;// CONCATENATED MODULE: ./build/src/stores/gitlab/api.js


const service = { name: 'GitLab', addressSetting: 'forge-url', errorText, meaning };
/** `message` is a text, or an object with an array of texts for each field; a missing scope is in `error`. */
function errorText(reply) {
    const parsed = errorReply.safeParse((0,json/* parseJson */.qF)(reply.body.toString('utf8')));
    if (!parsed.success)
        return undefined;
    const { message, error, error_description: description } = parsed.data;
    return [message, error, description]
        .filter((part) => part !== undefined)
        .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
        .join(': ');
}
function meaning({ status }) {
    // GitLab answers a request that does not fit its rules with 400, or with 409 where two variables have the key.
    return status === 400 ? { code: 'config' } : undefined;
}
/** GitLab's REST API, version 4. */
class GitLabApi {
    #http;
    #url;
    #token;
    /** `url` is the address of the server, without `/api/v4`. */
    constructor(http, url, token) {
        this.#http = http;
        this.#url = url;
        this.#token = token;
    }
    /** Throws a CourierError, and only that. */
    async send({ path, query, body, ...request }, schema) {
        const url = new URL(`${this.#url}/api/v4/${path.map(encodeURIComponent).join('/')}`);
        for (const [name, value] of Object.entries(query ?? {}))
            url.searchParams.set(name, value);
        const headers = {
            accept: 'application/json',
            authorization: `Bearer ${this.#token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
        };
        const sent = { ...request, service, url, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
        return (await this.#http.requestJson(sent, schema)).value;
    }
}

;// CONCATENATED MODULE: ./build/src/stores/gitlab/token.js


// https://docs.gitlab.com/security/tokens/#token-prefixes: those that the API of variables takes for no user's token.
const WRONG_KINDS = {
    'glcbt-': 'a job token',
    'gldt-': 'a deploy token',
    'glptt-': 'a pipeline trigger token',
    'glrt-': 'a runner authentication token',
    GR1348941: 'a runner registration token',
    'glft-': 'a feed token',
    'glimt-': 'an incoming mail token',
    'glagent-': 'a token of an agent for Kubernetes',
};
/** Throws `config` for a token that can never write variables: the job's own, or one of another kind. Sends nothing. */
function checkTokenKind(token, jobToken) {
    const prefix = Object.keys(WRONG_KINDS).find((start) => token.startsWith(start));
    const kind = token === jobToken ? "the job's own token (CI_JOB_TOKEN)" : prefix && WRONG_KINDS[prefix];
    if (kind === undefined)
        return;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `secret-token is ${kind}, which can never write CI/CD variables. Nothing was sent.`,
        hint: TOKEN_ADVICE,
    });
}

;// CONCATENATED MODULE: ./build/src/stores/gitlab/store.js








// https://docs.gitlab.com/ci/variables/#mask-a-cicd-variable: no white space, 8 characters or more, where nothing is expanded.
const MASKABLE_RAW = /^\S{8,}$/;
// https://docs.gitlab.com/ci/variables/: "The value can have up to 10,000 characters."
const MAX_VALUE_LENGTH = 10_000;
/** GitLab's name for all environments. */
const ALL_ENVIRONMENTS = '*';
/**
 * A CI/CD variable of a project or group, and one with `_STATE` after its name. A new link is masked, protected and not
 * expanded; an existing variable keeps all its settings. Two requests, so not atomic; GitLab has neither dates nor versions.
 */
class GitLabStore {
    names;
    #init;
    #api;
    #keys;
    #scope;
    #holderId;
    #isHidden = false;
    /** Throws `config` for a token of a wrong kind. */
    constructor(init) {
        const { address, url, token, jobToken, http } = init;
        checkTokenKind(token, jobToken);
        this.#init = init;
        this.#api = new GitLabApi(http, url, token);
        this.#keys = { link: address.name, state: `${address.name}_STATE` };
        this.#scope = address.environment ?? ALL_ENVIRONMENTS;
        const target = `${address.scope} ${address.id}`;
        const where = address.environment === undefined ? target : `${target}, environment ${address.environment}`;
        this.names = {
            destination: (0,stores_address/* formatAddress */.M0)(address),
            name: address.name,
            target: where,
            link: `CI/CD variable ${this.#keys.link} of ${where}`,
            state: `CI/CD variable ${this.#keys.state} of ${where}`,
            stateRight: `role ${address.scope === 'project' ? 'Maintainer' : 'Owner'} and token scope "api"`,
        };
    }
    /** Bound to the numeric id: a project has an id and a path, and the path may change. Known once the store is open. */
    get signed() {
        if (this.#holderId === undefined)
            throw new Error('The store must be open before anything is signed for it.');
        const { address, url } = this.#init;
        const environment = encodeURIComponent(this.#scope);
        const { host, pathname } = new URL(url);
        const path = `${pathname.replace(/\/$/, '')}/${address.scope}/${this.#holderId}/${address.name}`;
        return { address: `gitlab://${host}${path}?environment=${environment}` };
    }
    /** A hidden value is shown to nobody, so its write cannot be confirmed by reading. Known once the store is open. */
    get can() {
        return { atomic: false, verify: this.#isHidden ? 'none' : 'value', maxStateBytes: MAX_VALUE_LENGTH };
    }
    async open() {
        await this.#readHolder();
        const found = await this.#read();
        checkSettings(found, this.names);
        return this.#snapshot(found);
    }
    async check() {
        const what = this.names.link;
        try {
            const { link } = await this.open();
            const detail = link === undefined ? 'The variable is new.' : this.#isHidden ? 'It is hidden.' : 'It can be read.';
            return [{ what, outcome: 'ok', detail }, await this.#checkScopes()];
        }
        catch (error) {
            return [(0,port/* failedCheck */.W)(what, error)];
        }
    }
    async write(change, seen, signal) {
        const before = await this.#read(signal);
        if (this.#snapshot(before).version !== seen.version)
            throw this.#conflict();
        if (change.link !== undefined)
            await this.#put('link', change.link, before.link, signal);
        if (change.state !== undefined)
            await this.#put('state', change.state, before.state, signal);
        const after = await this.#readBack(signal);
        const isLink = change.link === undefined || this.#isHidden || after.link?.value === change.link;
        if (isLink && (change.state ?? after.state?.value) === after.state?.value)
            return this.#snapshot(after);
        throw new errors/* CourierError */.Yw({
            code: 'conflict',
            message: `${this.names.destination} was written and then holds something else: another run writes it too.`,
            hint: 'Let only one job at a time write a destination:\nresource_group: docs-link',
            mayHaveStarted: true,
        });
    }
    async #put(part, value, before, signal) {
        if (before === undefined)
            return this.#create(part, value, signal);
        const path = [...this.#path, this.#keys[part]];
        const body = { value, filter: { environment_scope: this.#scope } };
        // Writing the same value twice does no harm.
        const request = { method: 'PUT', path, body, repeat: 'always', signal };
        await this.#send(`write the ${this.names[part]}`, request, variableReply);
    }
    async #create(part, value, signal) {
        // A variable that may be masked must be masked at once, before any job can print it. The state is no secret.
        const isMasked = part === 'link' && MASKABLE_RAW.test(value);
        const flags = { masked: isMasked, raw: true, protected: true, variable_type: 'env_var' };
        const body = { key: this.#keys[part], value, environment_scope: this.#scope, ...flags };
        const request = { method: 'POST', path: this.#path, body, repeat: 'unless-acted', signal };
        const made = await this.#send(`create the ${this.names[part]}`, request, variableReply);
        const scope = made.environment_scope ?? ALL_ENVIRONMENTS;
        if (scope === this.#scope)
            return;
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: `GitLab made the ${this.names[part]} for the environments "${scope}", and not for "${this.#scope}": this tier has no environment scopes for groups. ${part === 'link' ? 'Every environment can read the link now.' : 'The link was not written.'}`,
            hint: 'Delete the variable. Use a variable of a project, or leave ?environment= out of the address.',
            mayHaveStarted: true,
        });
    }
    async #read(signal) {
        const link = await this.#readVariable('link', signal);
        const state = await this.#readVariable('state', signal);
        this.#isHidden = link?.hidden === true || (link !== undefined && link.value === null);
        return { link, state };
    }
    async #readVariable(part, signal) {
        const path = [...this.#path, this.#keys[part]];
        const query = { 'filter[environment_scope]': this.#scope };
        try {
            const request = { method: 'GET', path, query, repeat: 'always', signal };
            return await this.#send(`read the ${this.names[part]}`, request, variableReply);
        }
        catch (error) {
            // The project itself was read before, so this is about the variable.
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    async #readBack(signal) {
        try {
            return await this.#read(signal);
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw))
                throw error;
            throw error.with({
                message: `${this.names.destination} was written and could not be read again. ${error.message}`,
                mayHaveStarted: true,
            });
        }
    }
    async #readHolder() {
        const { scope, id } = this.#init.address;
        // Without its projects, which can be many.
        const query = scope === 'group' ? { with_projects: 'false' } : undefined;
        const request = { method: 'GET', path: [`${scope}s`, id], query, repeat: 'always' };
        this.#holderId = (await this.#send(`find ${scope} ${id}`, request, holderReply)).id;
    }
    async #checkScopes() {
        const what = 'Scopes of secret-token';
        try {
            const request = { method: 'GET', path: ['personal_access_tokens', 'self'], repeat: 'always' };
            const { scopes, expires_at: expires } = await this.#api.send(request, tokenReply);
            const detail = `It has ${scopes.join(', ')}${expires ? `, and expires on ${expires}` : ''}.`;
            if (scopes.includes('api'))
                return { what, outcome: 'ok', detail };
            return { what, outcome: 'error', detail: `${detail} Writing variables needs api.`, fix: TOKEN_ADVICE };
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
                throw error;
            return { what, outcome: 'unknown', detail: `GitLab does not show them. ${error.message}` };
        }
    }
    #snapshot({ link, state }) {
        const parts = [link?.value ?? (link === undefined ? '' : '(hidden)'), state?.value ?? ''];
        return {
            link: link && (link.value === null ? {} : { digest: (0,port/* linkDigest */.l)(link.value.trimEnd()) }),
            state: state?.value || undefined,
            version: (0,external_node_crypto_.createHash)('sha256').update(JSON.stringify(parts)).digest('hex'),
        };
    }
    get #path() {
        return [`${this.#init.address.scope}s`, this.#init.address.id, 'variables'];
    }
    /** `action` completes "Could not …". */
    async #send(action, request, schema) {
        try {
            return await this.#api.send(request, schema);
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw))
                throw error;
            const hint = hintFor(error, this.#init);
            throw hint === undefined ? error : error.with({ message: `Could not ${action}. ${error.message}`, hint });
        }
    }
    #conflict() {
        return new errors/* CourierError */.Yw({
            code: 'conflict',
            message: `Another run has written ${this.names.destination} since this one read it. Nothing was written.`,
            hint: 'Let only one job at a time write a destination:\nresource_group: docs-link',
        });
    }
}


/***/ })

};
