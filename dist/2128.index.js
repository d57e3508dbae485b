export const id = 2128;
export const ids = [2128];
export const modules = {

/***/ 2128:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  VaultStore: () => (/* binding */ VaultStore)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/stores/address.js
var stores_address = __webpack_require__(1824);
// EXTERNAL MODULE: ./build/src/stores/port.js
var port = __webpack_require__(7833);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
;// CONCATENATED MODULE: ./build/src/stores/vault/api.js


// https://developer.hashicorp.com/vault/api-docs#error-response
const api_errors = schemas/* object */.Ikc({ errors: schemas/* array */.YOg(schemas/* string */.YjP()) });
const service = {
    name: 'Vault',
    addressSetting: 'vault-address',
    authoritySetting: 'vault-ca',
    errorText: (reply) => {
        const parsed = api_errors.safeParse((0,json/* parseJson */.qF)(reply.body.toString('utf8')));
        return parsed.success ? parsed.data.errors.join('; ') : undefined;
    },
    meaning,
};
function meaning({ status }) {
    switch (status) {
        case 403:
            // Vault answers 403 to a wrong token too, never 401.
            return { hint: 'The token has expired, or its policy does not allow this.' };
        case 503:
            return { hint: 'Vault is sealed or in maintenance. Unseal it, then run again.', retry: 'if-repeatable' };
        default:
            return undefined;
    }
}
/** Vault's HTTP API, and OpenBao's: requests with limits, retries and errors of the common ground. */
class VaultApi {
    address;
    #init;
    constructor(init) {
        this.address = init.address;
        this.#init = init;
    }
    /** Throws a CourierError, and only that. `missing` is the schema of a 404 that is an answer. */
    async send(request, schema, missing) {
        const { http, address, namespace, ca } = this.#init;
        const isPatch = request.method === 'PATCH';
        const { value } = await http.requestJson({
            service,
            method: request.method,
            url: new URL(`${address}/v1/${request.path.map(encodeURIComponent).join('/')}`),
            repeat: request.repeat,
            signal: request.signal,
            tls: { ca },
            headers: {
                accept: 'application/json',
                // Vault refuses requests that a browser could be tricked into without it, where it is set up so.
                'x-vault-request': 'true',
                ...(request.token !== undefined && { 'x-vault-token': request.token }),
                ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
                ...(request.body !== undefined && {
                    'content-type': isPatch ? 'application/merge-patch+json' : 'application/json',
                }),
            },
            ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        }, schema, missing && { status: 404, schema: missing });
        return value;
    }
}

// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
;// CONCATENATED MODULE: ./build/src/stores/vault/contract.js
/** Replies of Vault, parsed: https://developer.hashicorp.com/vault/api-docs/secret/kv/kv-v2 */

const mountReply = schemas/* object */.Ikc({
    data: schemas/* object */.Ikc({
        type: schemas/* string */.YjP(),
        uuid: schemas/* optional */.lqM(schemas/* string */.YjP()),
        options: schemas/* nullish */.cl6(schemas/* object */.Ikc({ version: schemas/* optional */.lqM(schemas/* string */.YjP()) })),
    }),
});
const secretReply = schemas/* object */.Ikc({
    data: schemas/* object */.Ikc({
        data: schemas/* nullable */.mee(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
        metadata: schemas/* object */.Ikc({ version: schemas/* number */.aig() }),
    }),
});
/** The reply to a secret that was never written; one that was deleted answers with its metadata. */
const absentReply = schemas/* union */.KCZ([
    secretReply,
    schemas/* pipe */.FsL(schemas/* object */.Ikc({ errors: schemas/* array */.YOg(schemas/* string */.YjP()).check(api/* _maxLength */.Eb(0)) }), schemas/* transform */.pdi(() => ({ data: { data: null, metadata: { version: 0 } } }))),
]);
const writtenReply = schemas/* object */.Ikc({ data: schemas/* object */.Ikc({ version: schemas/* number */.aig() }) });
const capabilitiesReply = schemas/* object */.Ikc({ capabilities: schemas/* array */.YOg(schemas/* string */.YjP()) });

;// CONCATENATED MODULE: ./build/src/stores/vault/login.js


const loginReply = schemas/* object */.Ikc({ auth: schemas/* object */.Ikc({ client_token: schemas/* string */.YjP(), lease_duration: schemas/* number */.aig() }) });
/** Gives a Vault token: logs in where that is how the run identifies itself. The token is masked before it is returned. */
async function logIn(api, auth, mask) {
    if (auth.kind === 'token') {
        mask(auth.token);
        return auth.token;
    }
    try {
        const body = auth.kind === 'jwt' ? await jwtBody(auth, mask) : { role_id: auth.roleId, secret_id: auth.secretId };
        // A login makes a token and changes nothing else: one too many expires by itself.
        const path = ['auth', ...auth.path.split('/'), 'login'];
        const reply = await api.send({ method: 'POST', path, body, repeat: 'always' }, loginReply);
        mask(reply.auth.client_token);
        return reply.auth.client_token;
    }
    catch (error) {
        throw explained(error, auth);
    }
}
async function jwtBody({ role, audience, idToken }, mask) {
    const jwt = await idToken(audience);
    mask(jwt);
    return { role, jwt };
}
function explained(error, auth) {
    // Vault answers 400 to a role that does not exist and to an identity that the role does not take.
    const isRefused = error instanceof errors/* CourierError */.Yw && (error.httpStatus === 400 || error.httpStatus === 403);
    if (!isRefused)
        return error;
    return error.with({
        code: 'unauthorized',
        message: `Vault did not accept the login by ${auth.kind}. ${error.message}`,
        hint: `${howToMend(auth)} Where the auth method is mounted elsewhere than at ${auth.path}/, set vault-auth-path.`,
    });
}
function howToMend(auth) {
    return auth.kind === 'jwt'
        ? `Compare the role ${auth.role} with this run: vault read auth/${auth.path}/role/${auth.role} shows bound_audiences (this run asks for ${auth.audience}) and bound_claims.`
        : 'Check vault-role (the RoleID) and vault-token (the SecretID): a SecretID can expire, or be used up.';
}

;// CONCATENATED MODULE: ./build/src/stores/vault/preflight.js



/**
 * The id of the secrets engine, once it is known to be a KV engine of version 2: a write in the way of version 2 to an engine of
 * version 1 succeeds, and stores the wrong thing next to the secret. Throws `config`, or `forbidden` with the policy that is needed.
 */
async function checkMount(api, address, token) {
    const { mount, path } = address;
    const { type, options, uuid } = await readMount(api, address, token);
    if (type === 'kv' && options?.version === '2')
        return uuid ?? new URL(api.address).host;
    const version = options?.version === undefined ? '' : `, version ${options.version}`;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `The secrets engine at ${mount}/ is ${type}${version}; a KV engine of version 2 is needed for ${path}. Nothing was written.`,
        hint: `Enable versions, which keeps what is stored: vault kv enable-versioning ${mount}/`,
    });
}
async function readMount(api, address, token) {
    const { mount, path } = address;
    const where = ['sys', 'internal', 'ui', 'mounts', mount, ...path.split('/')];
    try {
        return (await api.send({ method: 'GET', path: where, token, repeat: 'always' }, mountReply)).data;
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw) || (error.httpStatus !== 403 && error.httpStatus !== 404))
            throw error;
        throw error.with({
            message: `Vault shows no secrets engine at ${mount}/. ${error.message}`,
            hint: `Check the destination ${(0,stores_address/* formatAddress */.M0)(address)}, vault-namespace, and that the policy of the token allows the path:\n${policyFor(address)}`,
        });
    }
}
/** Throws `forbidden` where the token may not read the secret, or not do what a write needs. */
async function checkCapabilities(api, address, token, write) {
    const path = `${address.mount}/data/${address.path}`;
    const request = { method: 'POST', path: ['sys', 'capabilities-self'], body: { paths: [path] }, token };
    const { capabilities } = await api.send({ ...request, repeat: 'always' }, capabilitiesReply);
    const missing = capabilities.includes('root') ? [] : ['read', write].filter((one) => !capabilities.includes(one));
    if (missing.length === 0)
        return;
    throw new errors/* CourierError */.Yw({
        code: 'forbidden',
        message: `The policy of the Vault token lacks ${missing.join(' and ')} on ${path}. Nothing was written.`,
        hint: `This policy is enough:\n${policyFor(address)}`,
    });
}
/** The least rights: this one secret. */
function policyFor({ mount, path }) {
    return `path "${mount}/data/${path}" {\n  capabilities = ["create", "read", "patch"]\n}`;
}

;// CONCATENATED MODULE: ./build/src/stores/vault/store.js







/**
 * One key of a secret in a KV engine of version 2, of HashiCorp Vault or OpenBao. Link and state are two keys of the same
 * version: one write with check-and-set, so that nobody else's write is lost. Other keys stay as they are.
 */
class VaultStore {
    names;
    can = { atomic: true, verify: 'value' };
    #init;
    #api;
    #stateKey;
    #mountId;
    constructor(init) {
        const { address, credentials, http } = init;
        this.#init = init;
        this.#api = new VaultApi({ http, ...credentials });
        this.#stateKey = `${address.key}_state`;
        const secret = `secret ${address.mount}/${address.path} in Vault`;
        this.names = {
            destination: (0,stores_address/* formatAddress */.M0)(address),
            name: address.key,
            target: secret,
            link: `key ${address.key} of ${secret}`,
            state: `key ${this.#stateKey} of ${secret}`,
            stateRight: `capability "patch" on ${address.mount}/data/${address.path}`,
        };
    }
    /**
     * Bound to the mount by its id: one Vault has several addresses, and a state that one run signed through one of them must
     * be valid through another. Known once the store is open.
     */
    get signed() {
        if (this.#mountId === undefined)
            throw new Error('The store must be open before anything is signed for it.');
        return { address: `${this.names.destination}@${this.#mountId}` };
    }
    async open() {
        const token = await this.#logIn();
        const { address } = this.#init;
        this.#mountId = await checkMount(this.#api, address, token);
        const snapshot = await this.#read(token);
        await checkCapabilities(this.#api, address, token, snapshot.version === '0' ? 'create' : 'patch');
        return snapshot;
    }
    async check() {
        const what = this.names.link;
        try {
            const { link, version } = await this.open();
            const detail = version === '0' ? 'The secret is new.' : link === undefined ? 'The secret exists; the key is new.' : undefined;
            return [{ what, outcome: 'ok', detail: detail ?? `Version ${version} can be read and patched.` }];
        }
        catch (error) {
            return [(0,port/* failedCheck */.W)(what, error)];
        }
    }
    /** Logs in once more: the token of before the export may have expired. */
    async write(change, seen, signal) {
        const token = await this.#logIn();
        try {
            await this.#send(token, change, seen, signal);
        }
        catch (error) {
            // A stale version is a plain 400: only what is there now shows whether that was it.
            if (!(error instanceof errors/* CourierError */.Yw) || error.httpStatus !== 400)
                throw this.#explained(error);
            const now = await this.#read(token, signal);
            // A repeated request conflicts with its own first attempt, whose reply was lost.
            if (this.#isDone(change, now))
                return now;
            throw now.version === seen.version ? error : this.#conflict(error);
        }
        const written = await this.#readBack(token, signal);
        if (this.#isDone(change, written))
            return written;
        throw this.#conflict();
    }
    async #send(token, change, seen, signal) {
        const data = {
            ...(change.link !== undefined && { [this.#init.address.key]: change.link }),
            ...(change.state !== undefined && { [this.#stateKey]: change.state }),
        };
        const body = { options: { cas: Number(seen.version ?? 0) }, data };
        // Check-and-set makes a repetition harmless: the second one conflicts.
        const request = { path: this.#path(), body, token, repeat: 'always', signal };
        try {
            await this.#api.send({ ...request, method: 'PATCH' }, writtenReply);
        }
        catch (error) {
            // No version exists, or the last one was deleted: there are no other keys to keep.
            if (!(0,errors/* hasCode */.up)(error, 'not-found'))
                throw error;
            await this.#api.send({ ...request, method: 'POST' }, writtenReply);
        }
    }
    async #read(token, signal) {
        try {
            const request = { method: 'GET', path: this.#path(), token, repeat: 'always', signal };
            const { data, metadata } = (await this.#api.send(request, secretReply, absentReply)).data;
            const [link, state] = [data?.[this.#init.address.key], data?.[this.#stateKey]];
            return {
                link: typeof link === 'string' && link !== ''
                    ? { digest: (0,port/* linkDigest */.l)(link.trimEnd()), version: String(metadata.version) }
                    : undefined,
                state: typeof state === 'string' ? state : undefined,
                version: String(metadata.version),
            };
        }
        catch (error) {
            throw this.#explained(error);
        }
    }
    async #readBack(token, signal) {
        try {
            return await this.#read(token, signal);
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
    #isDone({ link, state }, now) {
        const hasLink = link === undefined || now.link?.digest === (0,port/* linkDigest */.l)(link);
        return hasLink && (state === undefined || now.state === state);
    }
    #logIn() {
        const { credentials, mask } = this.#init;
        return logIn(this.#api, credentials.auth, mask);
    }
    #path() {
        const { mount, path } = this.#init.address;
        return [mount, 'data', ...path.split('/')];
    }
    #explained(error) {
        if (!(0,errors/* hasCode */.up)(error, 'forbidden'))
            return error;
        return error.with({
            hint: `The token has expired, or its policy does not allow this. This policy is enough:\n${policyFor(this.#init.address)}`,
        });
    }
    #conflict(cause) {
        return new errors/* CourierError */.Yw({
            code: 'conflict',
            message: `Another writer has changed ${this.names.destination} since this run read it.${cause === undefined ? '' : ' Nothing was written.'}`,
            hint: 'Let only one run at a time write a destination: use a concurrency group.',
            cause,
            mayHaveStarted: cause === undefined,
        });
    }
}


/***/ })

};
