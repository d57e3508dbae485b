export const id = 3519;
export const ids = [3519];
export const modules = {

/***/ 4430:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   t: () => (/* binding */ KubernetesApi)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8395);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6691);


// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
const status = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({ kind: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .literal */ .euz('Status'), message: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()), reason: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()) });
const service = {
    name: 'the Kubernetes API server',
    addressSetting: 'the server in the kubeconfig',
    authoritySetting: 'certificate-authority-data of the kubeconfig',
    errorText: (reply) => statusOf(reply)?.message,
    meaning,
};
function statusOf(reply) {
    const parsed = status.safeParse((0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .parseJson */ .qF)(reply.body.toString('utf8')));
    return parsed.success ? parsed.data : undefined;
}
function meaning(reply) {
    switch (reply.status) {
        case 401:
            return { hint: 'The token or the certificate was not accepted: it may have expired. Make a new kubeconfig.' };
        case 422:
            return {
                code: 'config',
                hint: 'The API server refuses the object as it would become. Its message names the field.',
            };
        default:
            return undefined;
    }
}
/** The Kubernetes API by way of one login: requests with limits, retries and errors of the common ground. */
class KubernetesApi {
    #http;
    #login;
    constructor(http, login) {
        this.#http = http;
        this.#login = login;
    }
    /** Throws a CourierError, and only that: the code of the status, `protocol` where the reply does not fit. */
    async send(request, schema) {
        const { patch } = request;
        const outgoing = await this.#outgoing(request, { accept: 'application/json' });
        const body = patch !== undefined && {
            body: JSON.stringify(patch),
            headers: { ...outgoing.headers, 'content-type': 'application/merge-patch+json' },
        };
        const { value } = await this.#http.requestJson({ ...outgoing, ...body }, schema);
        return value;
    }
    /** What is no JSON: the log of a container. Throws as `send` does. */
    async text(read) {
        const request = { method: 'GET', repeat: 'always', ...read };
        const { body } = await this.#http.request(await this.#outgoing(request, { accept: '*/*' }));
        return body.toString('utf8');
    }
    async #outgoing({ method, path, query, repeat, signal, timeLimitMs }, headers) {
        const { server, tls, token } = await this.#login.login();
        const url = new URL(`${server}/${path.map(encodeURIComponent).join('/')}`);
        for (const [name, value] of Object.entries(query ?? {}))
            url.searchParams.set(name, value);
        const identity = token !== undefined && { authorization: `Bearer ${token}` };
        return { service, method, url, repeat, tls, signal, timeLimitMs, headers: { ...headers, ...identity } };
    }
}


/***/ }),

/***/ 7720:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  k: () => (/* binding */ ClusterLogin)
});

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/text/json.js
var json = __webpack_require__(6691);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/kubernetes/kubeconfig.js




// https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/
const kubeconfig_text = schemas/* optional */.lqM(schemas/* nullish */.cl6(schemas/* string */.YjP()));
const cluster = schemas/* object */.Ikc({
    server: schemas/* string */.YjP(),
    'certificate-authority': kubeconfig_text,
    'certificate-authority-data': kubeconfig_text,
    'insecure-skip-tls-verify': schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    'tls-server-name': kubeconfig_text,
    'proxy-url': kubeconfig_text,
});
const exec = schemas/* object */.Ikc({
    apiVersion: schemas/* enum */.k5n(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']),
    command: schemas/* string */.YjP().check(api/* _minLength */.m9(1)),
    args: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())),
    env: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* object */.Ikc({ name: schemas/* string */.YjP(), value: schemas/* string */.YjP() }))),
});
const user = schemas/* object */.Ikc({
    token: kubeconfig_text,
    tokenFile: kubeconfig_text,
    'client-certificate': kubeconfig_text,
    'client-certificate-data': kubeconfig_text,
    'client-key': kubeconfig_text,
    'client-key-data': kubeconfig_text,
    username: kubeconfig_text,
    'auth-provider': schemas/* nullish */.cl6(schemas/* unknown */.L5J()),
    exec: schemas/* nullish */.cl6(exec),
});
const kubeconfig = schemas/* object */.Ikc({
    'current-context': kubeconfig_text,
    clusters: schemas/* array */.YOg(schemas/* object */.Ikc({ name: schemas/* string */.YjP(), cluster })),
    users: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* object */.Ikc({ name: schemas/* string */.YjP(), user: schemas/* nullish */.cl6(user) }))),
    contexts: schemas/* array */.YOg(schemas/* object */.Ikc({ name: schemas/* string */.YjP(), context: schemas/* object */.Ikc({ cluster: schemas/* string */.YjP(), user: kubeconfig_text }) })),
});
/**
 * One context of a kubeconfig. Throws `config` for whatever this program cannot use or was not allowed to use, before anything
 * is sent, read or run; no message holds a part of a credential.
 */
async function readKubeconfig(source, options) {
    const config = await parse(source);
    const contexts = config.contexts.map(({ name }) => name);
    const wanted = options.context ?? config['current-context'] ?? undefined;
    if (wanted === undefined) {
        throw invalid('The kubeconfig names no current context.', `Set kube-context to one of: ${listed(contexts)}`);
    }
    const found = config.contexts.find(({ name }) => name === wanted)?.context;
    if (found === undefined) {
        throw invalid(`The kubeconfig has no context ${shown(wanted)}.`, `Set kube-context to one of: ${listed(contexts)}`);
    }
    const itsCluster = config.clusters.find(({ name }) => name === found.cluster)?.cluster;
    if (itsCluster === undefined)
        throw invalid(`The kubeconfig has no cluster ${shown(found.cluster)}, which context ${shown(wanted)} names.`);
    const itsUser = config.users?.find(({ name }) => name === found.user)?.user;
    if (!itsUser)
        throw invalid(`The kubeconfig has no user for context ${shown(wanted)}.`);
    return {
        server: serverOf(itsCluster),
        ca: await pem(itsCluster, 'certificate-authority', options),
        serverName: itsCluster['tls-server-name'] ?? undefined,
        identity: await identityOf(itsUser, options),
    };
}
async function parse(source) {
    const { parse: parseYaml } = await __webpack_require__.e(/* import() */ 8815).then(__webpack_require__.t.bind(__webpack_require__, 8815, 19));
    let value;
    try {
        value = parseYaml(source, { maxAliasCount: 0, prettyErrors: false });
    }
    catch {
        // The parser's own message quotes the text, and the text is full of credentials.
        throw invalid('The kubeconfig is not valid YAML.');
    }
    const parsed = kubeconfig.safeParse(value);
    if (parsed.success)
        return parsed.data;
    const fields = parsed.error.issues.slice(0, 3).map(({ path }) => path.map(String).join('.') || 'the whole text');
    throw invalid(`The kubeconfig does not have the documented form: ${(0,text_escape/* plainLine */.h0)(fields.join(', '), 200)}.`);
}
function serverOf({ server, 'insecure-skip-tls-verify': isInsecure, 'proxy-url': proxy }) {
    if (isInsecure === true) {
        throw invalid('The kubeconfig switches the check of the server certificate off (insecure-skip-tls-verify).', "Set certificate-authority-data to the cluster's authority instead; the check is never switched off.");
    }
    if (proxy)
        throw invalid('The kubeconfig names a proxy (proxy-url), which is not supported.', 'Set HTTPS_PROXY in the environment of the step instead.');
    const url = URL.canParse(server) ? new URL(server) : undefined;
    if (url?.protocol === 'https:' &&
        url.username === '' &&
        url.password === '' &&
        url.search === '' &&
        url.hash === '') {
        return url.href.replace(/\/+$/, '');
    }
    throw invalid('The server of the kubeconfig is not an https address without a user name and query.');
}
async function identityOf(user, options) {
    // The order of kubectl: https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/#AuthInfo
    if (user.token)
        return { kind: 'token', token: user.token };
    if (user.tokenFile) {
        needsPermission('tokenFile', options);
        return { kind: 'token-file', path: user.tokenFile };
    }
    const cert = await pem(user, 'client-certificate', options);
    const key = await pem(user, 'client-key', options);
    if (cert !== undefined && key !== undefined)
        return { kind: 'certificate', cert, key };
    if (user.exec) {
        needsPermission('exec', options);
        const { apiVersion, command, args, env } = user.exec;
        // kubectl takes it from the folder of the kubeconfig. A step has the checkout as its folder, where anyone may put programs.
        if (/[/\\]/.test(command) && !external_node_path_.posix.isAbsolute(command) && !external_node_path_.win32.isAbsolute(command)) {
            throw invalid(`The kubeconfig names its exec plugin by a relative path (${shown(command)}).`, 'Give the absolute path of the program, or its name alone where it is on the PATH.');
        }
        const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
        return { kind: 'exec', plugin: { apiVersion, command, args: args ?? [], env: variables } };
    }
    const other = user.username
        ? 'a user name and password'
        : user['auth-provider']
            ? 'auth-provider'
            : 'nothing that is known';
    throw invalid(`The user of the kubeconfig identifies itself by ${other}.`, 'Use a token, a client certificate, or an exec plugin.');
}
async function pem(part, field, options) {
    const data = part[`${field}-data`];
    if (typeof data === 'string' && data !== '') {
        const decoded = Buffer.from(data, 'base64').toString();
        if (decoded.includes('-----BEGIN '))
            return decoded;
        throw invalid(`${field}-data of the kubeconfig is not PEM in base64.`);
    }
    const path = part[field];
    if (typeof path !== 'string' || path === '')
        return undefined;
    needsPermission(field, options);
    return options.readFile(path);
}
function needsPermission(field, { allowExec }) {
    if (allowExec)
        return;
    throw invalid(`The kubeconfig names a program or a file of this machine (${field}), which is not used without permission.`, 'Whoever can change the kubeconfig could run a program with it. If you trust it, set allow-kube-exec: true; else put tokens and certificates into the kubeconfig itself (kubectl config view --flatten --minify --raw).');
}
function shown(name) {
    return (0,text_escape/* plainLine */.h0)(name, 100);
}
function listed(names) {
    return names.length === 0 ? '(it has none)' : (0,text_escape/* plainLine */.h0)(names.join(', '), 400);
}
function invalid(message, hint = 'Check the input kubeconfig. kubectl config view shows what it holds, without secrets.') {
    return new errors/* CourierError */.Yw({ code: 'config', message, hint });
}

;// CONCATENATED MODULE: ./build/src/kubernetes/login.js







const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const MAX_FILE_BYTES = 1024 * 1024;
const EXEC_MS = 60_000;
// A rollout is polled for minutes. No token is valid for less, and one that is used for so long is no burden for the plugin.
const EXEC_USE_MS = 60_000;
const EXEC_SPARE_MS = 30_000;
/** Makes logins for one cluster. The kubeconfig is read once; what changes (token files, plugins) is read anew each time. */
class ClusterLogin {
    #credentials;
    #mask;
    #context;
    #executed;
    constructor(credentials, mask) {
        this.#credentials = credentials;
        this.#mask = mask;
    }
    async login() {
        if (this.#credentials.kubeconfig === undefined)
            return this.#serviceAccount();
        this.#context ??= this.#readContext();
        const { server, ca, serverName, identity } = await this.#context;
        const tls = { ca, servername: serverName };
        switch (identity.kind) {
            case 'token':
                return { server, tls, token: identity.token.trim() };
            case 'token-file':
                return { server, tls, token: this.#secret(await this.#file(identity.path)) };
            case 'certificate':
                return { server, tls: { ...tls, cert: identity.cert, key: identity.key }, token: undefined };
            case 'exec': {
                const { token, clientCertificateData: cert, clientKeyData: key } = await this.#exec(identity.plugin, server);
                if (key !== undefined)
                    this.#secret(key);
                return { server, tls: { ...tls, cert, key }, token: token === undefined ? undefined : this.#secret(token) };
            }
        }
    }
    async #readContext() {
        const { kubeconfig = '', context, allowExec } = this.#credentials;
        const isPath = (0,external_node_path_.isAbsolute)(kubeconfig.trim()) && !kubeconfig.trim().includes('\n');
        const source = isPath ? await this.#file(kubeconfig.trim()) : kubeconfig;
        const found = await readKubeconfig(source, { context, allowExec, readFile: (path) => this.#file(path) });
        if (found.identity.kind === 'token')
            this.#secret(found.identity.token);
        if (found.identity.kind === 'certificate')
            this.#secret(found.identity.key);
        return found;
    }
    async #serviceAccount() {
        const { env, serviceAccount = SERVICE_ACCOUNT } = this.#credentials;
        const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
        if (!host) {
            throw new errors/* CourierError */.Yw({
                code: 'config',
                message: 'There is no way to a cluster: the input kubeconfig is empty, and this process does not run in a pod.',
                hint: { text: 'Give a kubeconfig by a secret.', inputs: { kubeconfig: '${{ secrets.DOCS_KUBECONFIG }}' } },
            });
        }
        const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
        const ca = await this.#file((0,external_node_path_.join)(serviceAccount, 'ca.crt'));
        const token = this.#secret(await this.#file((0,external_node_path_.join)(serviceAccount, 'token')));
        return { server, tls: { ca }, token };
    }
    #secret(token) {
        const value = token.trim();
        this.#mask(value);
        return value;
    }
    async #file(path) {
        const { workspace } = this.#credentials;
        if (!(0,external_node_path_.isAbsolute)(path))
            throw unusable(path, 'its path is not absolute');
        try {
            if (workspace !== undefined && (await isInside(path, workspace))) {
                throw unusable(path, 'it lies in the workspace, where a pull request can change it');
            }
            const { size } = await (0,promises_.stat)(path);
            if (size > MAX_FILE_BYTES)
                throw unusable(path, 'it is larger than 1 MiB');
            return await (0,promises_.readFile)(path, 'utf8');
        }
        catch (cause) {
            if (cause instanceof errors/* CourierError */.Yw)
                throw cause;
            throw unusable(path, 'it cannot be read', cause);
        }
    }
    /** Called for each request: what the plugin gave is used for a while. */
    async #exec(plugin, server) {
        const nowMs = Date.now();
        if (this.#executed !== undefined && nowMs < this.#executed.untilMs)
            return this.#executed.status;
        const output = await runPlugin(plugin, server, this.#credentials.env);
        const parsed = execCredential.safeParse((0,json/* parseJson */.qF)(output));
        if (!parsed.success)
            throw pluginFailed(plugin, 'its output is no ExecCredential with a status');
        const { status } = parsed.data;
        const expiryMs = Date.parse(status.expirationTimestamp ?? '');
        const untilMs = Math.min(nowMs + EXEC_USE_MS, Number.isNaN(expiryMs) ? Number.POSITIVE_INFINITY : expiryMs - EXEC_SPARE_MS);
        this.#executed = { status, untilMs };
        return status;
    }
}
const execStatus = schemas/* object */.Ikc({
    token: schemas/* optional */.lqM(schemas/* string */.YjP()),
    clientCertificateData: schemas/* optional */.lqM(schemas/* string */.YjP()),
    clientKeyData: schemas/* optional */.lqM(schemas/* string */.YjP()),
    expirationTimestamp: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
const execCredential = schemas/* object */.Ikc({ kind: schemas/* literal */.euz('ExecCredential'), status: execStatus });
function runPlugin(plugin, server, env) {
    const info = {
        apiVersion: plugin.apiVersion,
        kind: 'ExecCredential',
        spec: { interactive: false, cluster: { server } },
    };
    return new Promise((resolve, reject) => {
        const child = (0,external_node_child_process_.spawn)(plugin.command, [...plugin.args], {
            env: { ...withoutOurSecrets(env), ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
            stdio: ['ignore', 'pipe', 'ignore'],
            timeout: EXEC_MS,
        });
        let output = '';
        child.stdout.on('data', (chunk) => {
            output += chunk.toString();
            if (output.length > MAX_FILE_BYTES)
                child.kill();
        });
        child.on('error', (cause) => reject(pluginFailed(plugin, 'it could not be started', cause)));
        child.on('close', (code, signal) => {
            if (code === 0)
                resolve(output);
            else
                reject(pluginFailed(plugin, signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`));
        });
    });
}
// A plugin gets what it needs of the runner's environment, and none of the inputs: those hold the platform's keys.
function withoutOurSecrets(env) {
    return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(INPUT_|DOCS_COURIER_)/i.test(name)));
}
/** Also by way of a symbolic link at either end. Throws where nothing is at the path. */
async function isInside(path, folder) {
    const inside = (from, to) => {
        const way = (0,external_node_path_.relative)(from, to);
        return way !== '..' && !way.startsWith(`..${external_node_path_.sep}`) && !(0,external_node_path_.isAbsolute)(way);
    };
    const realFolder = await (0,promises_.realpath)(folder).catch(() => folder);
    return inside(folder, (0,external_node_path_.resolve)(path)) || inside(realFolder, await (0,promises_.realpath)(path));
}
function unusable(path, why, cause) {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `${path} cannot be used to reach the cluster: ${why}.`,
        hint: 'Give the kubeconfig as text, by a secret, or the absolute path of a file outside of the workspace.',
        cause,
    });
}
function pluginFailed({ command }, why, cause) {
    return new errors/* CourierError */.Yw({
        code: 'unauthorized',
        message: `The exec plugin ${command} of the kubeconfig gave no credential: ${why}.`,
        hint: 'Run the command by hand where this step runs.',
        cause,
    });
}


/***/ }),

/***/ 3519:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  KubernetesStore: () => (/* binding */ KubernetesStore)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/kubernetes/api.js
var api = __webpack_require__(4430);
// EXTERNAL MODULE: ./build/src/kubernetes/login.js + 1 modules
var login = __webpack_require__(7720);
// EXTERNAL MODULE: ./build/src/stores/address.js
var stores_address = __webpack_require__(1824);
// EXTERNAL MODULE: ./build/src/stores/port.js
var port = __webpack_require__(7833);
;// CONCATENATED MODULE: ./build/src/stores/kubernetes/names.js

// RFC 1123: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const KEY = /^[-._a-zA-Z0-9]{1,253}$/;
/** Throws `config` for what cannot be the name of a namespace, a Secret or a key, before anything is sent. */
function checkNames(names) {
    const { namespace, secret, key } = names;
    const wrong = !LABEL.test(namespace)
        ? `${namespace} is not the name of a namespace`
        : !SUBDOMAIN.test(secret) || secret.length > 253
            ? `${secret} is not the name of a Secret`
            : !KEY.test(key) || /^\.\.?$/.test(key)
                ? `${key} is not the name of a key`
                : undefined;
    if (wrong === undefined)
        return;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `${wrong}.`,
        hint: 'Write the destination as k8s:NAMESPACE/SECRET#KEY. Namespace and Secret take small letters, digits and hyphens (a Secret also dots), a key takes letters, digits, -, _ and dots.',
    });
}

;// CONCATENATED MODULE: ./build/src/stores/kubernetes/store.js








const secretReply = schemas/* object */.Ikc({
    metadata: schemas/* object */.Ikc({
        uid: schemas/* string */.YjP(),
        resourceVersion: schemas/* string */.YjP(),
        annotations: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())),
    }),
    data: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())),
    immutable: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
});
/**
 * One key of an existing Secret. The state is an annotation of the same object: both change in one request, which the
 * `resourceVersion` guards, and programs that restart pods when the data of a Secret changes do not see the state. Other keys,
 * labels and owners stay as they are: the request is a merge patch of these two fields.
 */
class KubernetesStore {
    names;
    can = { atomic: true, verify: 'value' };
    #address;
    #annotation;
    #api;
    #uid;
    constructor({ address, credentials, http, mask }) {
        const { namespace, secret, key } = address;
        checkNames({ namespace, secret, key });
        this.#address = address;
        this.#annotation = annotationOf(key);
        this.#api = new api/* KubernetesApi */.t(http, new login/* ClusterLogin */.k(credentials, mask));
        this.names = {
            destination: (0,stores_address/* formatAddress */.M0)(address),
            name: key,
            target: `Secret ${namespace}/${secret}`,
            link: `key ${key} of Secret ${namespace}/${secret}`,
            state: `annotation ${this.#annotation} of Secret ${namespace}/${secret}`,
            stateRight: `right to patch Secret ${secret} in namespace ${namespace}`,
        };
    }
    /**
     * Bound to the object itself, by its uid: one cluster has several addresses (inside, outside, a proxy's), and a state that
     * one run signed through one of them must be valid through another. Known once the store is open.
     */
    get signed() {
        if (this.#uid === undefined)
            throw new Error('The store must be open before anything is signed for it.');
        return { address: `${this.names.destination}@${this.#uid}` };
    }
    async open() {
        const secret = await this.#read();
        if (secret.immutable === true)
            throw this.#immutable();
        await this.#tryPatch(secret);
        return this.#snapshot(secret);
    }
    async check() {
        const what = this.names.link;
        try {
            const { link } = await this.open();
            const detail = link === undefined ? 'The Secret exists; the key is new.' : 'The Secret can be read and patched.';
            return [{ what, outcome: 'ok', detail }];
        }
        catch (error) {
            return [(0,port/* failedCheck */.W)(what, error)];
        }
    }
    async write(change, seen, signal) {
        try {
            return this.#confirm(change, await this.#patch(this.#bodyOf(change, seen), {}, signal));
        }
        catch (error) {
            if (!(0,errors/* hasCode */.up)(error, 'conflict'))
                throw this.#explained(error);
            // A repeated request conflicts with its own first attempt, whose reply was lost: what is there now decides.
            const now = this.#snapshot(await this.#read(signal));
            if (isDone(change, now))
                return now;
            throw error.with({
                message: `Another writer has changed ${this.names.destination} since this run read it. Nothing was written.`,
                hint: 'Let only one run at a time write a destination: use a concurrency group. If a GitOps controller manages this Secret, let it ignore this key.',
                mayHaveStarted: false,
            });
        }
    }
    #bodyOf({ link, state }, { version }) {
        return {
            metadata: {
                resourceVersion: version,
                ...(state !== undefined && { annotations: { [this.#annotation]: state } }),
            },
            ...(link !== undefined && { data: { [this.#address.key]: Buffer.from(link).toString('base64') } }),
        };
    }
    #confirm(change, secret) {
        const after = this.#snapshot(secret);
        if (isDone(change, after))
            return after;
        throw new errors/* CourierError */.Yw({
            code: 'integrity',
            message: `The API server accepted the change of ${this.names.destination} and stored something else: an admission controller changes it.`,
            hint: 'Look for a mutating webhook or a policy that changes Secrets in this namespace.',
            mayHaveStarted: true,
        });
    }
    #snapshot({ metadata, data }) {
        this.#uid = metadata.uid;
        const encoded = data?.[this.#address.key];
        const link = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString().trimEnd();
        return {
            // An empty key is what the command in the hint of a missing Secret makes.
            link: link === '' ? undefined : { digest: (0,port/* linkDigest */.l)(link) },
            state: metadata.annotations?.[this.#annotation],
            version: metadata.resourceVersion,
        };
    }
    async #read(signal) {
        try {
            return await this.#api.send({ method: 'GET', path: this.#path(), repeat: 'always', signal }, secretReply);
        }
        catch (error) {
            throw this.#explained(error);
        }
    }
    #patch(patch, query, signal) {
        // The resource version makes a repetition harmless: the second one conflicts.
        return this.#api.send({ method: 'PATCH', path: this.#path(), query, patch, repeat: 'always', signal }, secretReply);
    }
    /** Proves the right to write, without writing: the API server judges the request and stores nothing. */
    async #tryPatch({ metadata: { resourceVersion } }) {
        try {
            await this.#patch({ metadata: { resourceVersion } }, { dryRun: 'All' });
        }
        catch (error) {
            // Somebody changed the Secret since it was read, or a webhook takes no dry runs: neither says that writing fails.
            const isNoAnswer = (0,errors/* hasCode */.up)(error, 'conflict') || (error instanceof errors/* CourierError */.Yw && error.httpStatus === 400);
            if (!isNoAnswer)
                throw this.#explained(error);
        }
    }
    #path() {
        const { namespace, secret } = this.#address;
        return ['api', 'v1', 'namespaces', namespace, 'secrets', secret];
    }
    #explained(error) {
        if (!(error instanceof errors/* CourierError */.Yw))
            return error;
        const { namespace, secret, key } = this.#address;
        switch (error.code) {
            case 'not-found':
                return error.with({
                    message: `Secret ${secret} does not exist in namespace ${namespace}. ${error.message}`,
                    hint: `Create it once:\nkubectl --namespace ${namespace} create secret generic ${secret} --from-literal=${key}=`,
                });
            case 'forbidden':
                return error.with({
                    hint: / cannot \w+ resource /.test(error.message)
                        ? `The account lacks a right. This Role has what is needed:\n${roleFor(namespace, secret)}`
                        : `The cluster refuses the change by a rule of its own, which the message names. Ask whoever owns the namespace ${namespace}.`,
                });
            default:
                return error;
        }
    }
    #immutable() {
        const { namespace, secret } = this.#address;
        return new errors/* CourierError */.Yw({
            code: 'config',
            message: `Secret ${namespace}/${secret} is immutable: Kubernetes takes no change of it. Nothing was written.`,
            hint: 'Delete it and create it again without immutable: true, or give another Secret.',
        });
    }
}
function isDone({ link, state }, now) {
    const hasLink = link === undefined || now.link?.digest === (0,port/* linkDigest */.l)(link);
    return hasLink && (state === undefined || now.state === state);
}
// The name of an annotation has at most 63 characters after its prefix.
function annotationOf(key) {
    const name = `state.${key}`;
    const isName = name.length <= 63 && /[a-zA-Z0-9]$/.test(name);
    return `docs-courier/${isName ? name : `state.${(0,external_node_crypto_.createHash)('sha256').update(key).digest('hex').slice(0, 40)}`}`;
}
/** The least rights: this one Secret, by its name. */
function roleFor(namespace, secret) {
    return [
        'apiVersion: rbac.authorization.k8s.io/v1',
        'kind: Role',
        `metadata: { name: docs-courier, namespace: ${namespace} }`,
        'rules:',
        '  - apiGroups: [""]',
        '    resources: [secrets]',
        `    resourceNames: [${secret}]`,
        '    verbs: [get, patch]',
    ].join('\n');
}


/***/ })

};
