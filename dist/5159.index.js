export const id = 5159;
export const ids = [5159];
export const modules = {

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


/***/ }),

/***/ 5159:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  GiteaStore: () => (/* binding */ GiteaStore)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/gitea/api.js
var api = __webpack_require__(1512);
// EXTERNAL MODULE: ./build/src/stores/address.js
var stores_address = __webpack_require__(1824);
// EXTERNAL MODULE: ./build/src/stores/port.js
var port = __webpack_require__(7833);
;// CONCATENATED MODULE: ./build/src/stores/gitea/advice.js

function scopeOf(address) {
    return address.scope === 'organization' ? 'write:organization' : 'write:repository';
}
/** Who may write secrets and variables there. Admin rights on a repository are not enough; run against Gitea 1.26. */
function ownerOf(address) {
    if (address.scope === 'organization')
        return `an owner of the organization ${address.organization}`;
    const [owner = ''] = address.repository.split('/');
    return `the owner of ${address.repository}: the account ${owner}, or a member of the team Owners if ${owner} is an organization`;
}
function stateRight(address) {
    return `token of an owner, with the scope ${scopeOf(address)}`;
}
/** How to make a token that works, after what is wrong with the one that was given. */
function withToken(why, address) {
    const made = `As ${ownerOf(address)}: Settings, Applications, Generate New Token, with the permission ${scopeOf(address)} and nothing else.`;
    return {
        text: `${why}${made}`,
        steps: {
            how: 'Store it as an Actions secret of this repository, and give it to the step:',
            yaml: 'with:\n  secret-token: ${{ secrets.DOCS_SECRET_TOKEN }}',
        },
    };
}
/** A failed call about a secret or a variable, with what the token lacks. Other errors are passed on as they are. */
function explained(error, action, address) {
    if (!(error instanceof errors/* CourierError */.Yw))
        return error;
    const hint = hintOf(error, address);
    return hint === undefined ? error : error.with({ message: `Could not ${action}. ${error.message}`, hint });
}
function hintOf({ code }, address) {
    switch (code) {
        case 'unauthorized':
            return withToken(`secret-token is not accepted: it was deleted, or it is for another server. Make a new one. `, address);
        case 'forbidden':
            return withToken(`secret-token lacks a right: its account must be an owner, and the token needs the scope ${scopeOf(address)}. `, address);
        case 'not-found':
            return withToken(`Check the address: ${address.scope === 'organization' ? `the organization ${address.organization}` : `the repository ${address.repository}`} must exist and be visible to secret-token. Variables need Gitea 1.22 or newer. `, address);
        default:
            return undefined;
    }
}
/** Gitea gives the token of a job no right to secrets, whatever the workflow asks for. */
function jobTokenError(address) {
    return new errors/* CourierError */.Yw({
        code: 'forbidden',
        message: "secret-token is the job's own token, which can never write secrets. Nothing was sent.",
        hint: withToken('', address),
    });
}

;// CONCATENATED MODULE: ./build/src/stores/gitea/store.js






const secretEntry = schemas/* object */.Ikc({ name: schemas/* string */.YjP(), description: schemas/* optional */.lqM(schemas/* string */.YjP()) });
const variableReply = schemas/* object */.Ikc({ data: schemas/* string */.YjP(), description: schemas/* optional */.lqM(schemas/* string */.YjP()) });
const MAX_ROUNDS = 3;
/**
 * An Actions secret of Gitea or Forgejo, with the state in a variable next to it. Gitea takes the value in the clear (TLS
 * protects it on the way) and shows neither the value nor a date of the last change: its reply is all there is to confirm a
 * write. Whoever may write the variable may write the secret too.
 */
class GiteaStore {
    names;
    signed;
    can = { atomic: false, verify: 'none' };
    #init;
    #api;
    #stateName;
    #isProven = false;
    /** What a person wrote next to the secret and the variable: a write without it would remove it. */
    #descriptions = {};
    constructor(init) {
        const { address, http, serverUrl, token } = init;
        this.#init = init;
        this.#api = new api/* GiteaApi */.H(http, serverUrl, token);
        this.#stateName = `${address.name}_STATE`;
        const target = targetName(address);
        this.names = {
            destination: (0,stores_address/* formatAddress */.M0)(address),
            name: address.name,
            target,
            link: `secret ${address.name} of ${target}`,
            state: `variable ${this.#stateName} of ${target}`,
            stateRight: stateRight(address),
        };
        this.signed = { address: signedAddress(serverUrl, address) };
    }
    async open() {
        const { address, token, jobTokens } = this.#init;
        if (jobTokens.includes(token))
            throw jobTokenError(address);
        const existing = await this.#findSecret();
        await this.#proveRight();
        const variable = await this.#readVariable();
        this.#descriptions = { secret: existing?.description, variable: variable?.description };
        return { link: existing && {}, state: variable?.data, version: undefined };
    }
    async check() {
        const what = this.names.link;
        try {
            const { link, state } = await this.open();
            const detail = `The token may write secrets and variables. The secret ${link === undefined ? 'is new' : 'exists'}; the state variable ${state === undefined ? 'is new' : 'exists'}.`;
            const unseen = `Gitea shows nothing of a secret: a write is confirmed by its reply alone.`;
            return [
                { what, outcome: 'ok', detail },
                { what: 'verification', outcome: 'unknown', detail: unseen },
            ];
        }
        catch (error) {
            return [(0,port/* failedCheck */.W)(what, error)];
        }
    }
    async write({ link, state }, seen, signal) {
        if (link !== undefined) {
            await this.#explain(`write ${this.names.link}`, () => this.#putSecret(link, signal));
            return { ...seen, link: {} };
        }
        if (state !== undefined) {
            await this.#explain(`write ${this.names.state}`, () => this.#setVariable(state, signal));
            return { ...seen, state };
        }
        return seen;
    }
    async #findSecret() {
        const { name } = this.#init.address;
        const request = { method: 'GET', path: [...this.#folder, 'secrets'] };
        const all = await this.#explain('list the secrets', () => this.#api.readAll(request, secretEntry));
        return all.find((secret) => secret.name.toUpperCase() === name);
    }
    /**
     * A token that may only read shows now, and not after the export. Gitea judges the rights first and the request after that,
     * and this one it refuses on two counts: the name is reserved, and the value is empty.
     */
    async #proveRight() {
        if (this.#isProven)
            return;
        const path = [...this.#folder, 'secrets', 'GITHUB_TOKEN'];
        await this.#explain('find out whether the token may write secrets', () => this.#api.send({ method: 'PUT', path, body: { data: '' }, accepts: ({ status }) => [400, 422].includes(status) }));
        this.#isProven = true;
    }
    async #readVariable() {
        const request = { method: 'GET', path: this.#variable };
        try {
            return await this.#explain(`read ${this.names.state}`, () => this.#api.read(request, variableReply));
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    async #putSecret(data, signal) {
        const path = [...this.#folder, 'secrets', this.#init.address.name];
        const { secret: description } = this.#descriptions;
        await this.#api.send({ method: 'PUT', path, body: { data, ...(description && { description }) }, signal });
    }
    /** PUT changes a variable that exists, POST makes a new one; neither does both. */
    async #setVariable(value, signal) {
        const { variable: description } = this.#descriptions;
        const request = { path: this.#variable, body: { value, ...(description && { description }) }, signal };
        for (let round = 1;; round += 1) {
            try {
                await this.#api.send({ method: 'PUT', ...request });
                return;
            }
            catch (error) {
                if (!(0,errors/* hasCode */.up)(error, 'not-found'))
                    throw error;
            }
            try {
                await this.#api.send({ method: 'POST', ...request });
                return;
            }
            catch (error) {
                // Made by someone else meanwhile, or by an attempt of ours whose reply was lost: the update decides.
                if (!(0,errors/* hasCode */.up)(error, 'conflict') || round === MAX_ROUNDS)
                    throw error;
            }
        }
    }
    get #folder() {
        const { address } = this.#init;
        const owner = address.scope === 'organization' ? ['orgs', address.organization] : ['repos', ...parts(address)];
        return [...owner, 'actions'];
    }
    get #variable() {
        return [...this.#folder, 'variables', this.#stateName];
    }
    async #explain(action, call) {
        try {
            return await call();
        }
        catch (error) {
            throw explained(error, action, this.#init.address);
        }
    }
}
function parts({ repository }) {
    return repository.split('/');
}
function targetName(address) {
    return address.scope === 'organization' ? `organization ${address.organization}` : `repository ${address.repository}`;
}
/** With the server's host and path; in lower case, as Gitea ignores case in names. */
function signedAddress(serverUrl, address) {
    const { host, pathname } = new URL(serverUrl);
    const owner = address.scope === 'organization' ? `org/${address.organization}` : `repo/${address.repository}`;
    return `gitea://${host}${pathname.replace(/\/+$/, '')}/${owner}/${address.name}`.toLowerCase();
}


/***/ })

};
