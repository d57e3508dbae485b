export const id = 2355;
export const ids = [2355];
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

/***/ 2355:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  RolloutStep: () => (/* binding */ RolloutStep),
  makeRollout: () => (/* binding */ makeRollout)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/platform/link.js
var platform_link = __webpack_require__(717);
// EXTERNAL MODULE: ./build/src/kubernetes/api.js
var api = __webpack_require__(4430);
// EXTERNAL MODULE: ./build/src/kubernetes/login.js + 1 modules
var login = __webpack_require__(7720);
// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./build/src/publish/after/rollout/annotation.js

// The name of an annotation has at most 63 characters after its prefix.
const MAX_NAME = 63;
/**
 * The annotations of the pod template that name an export: one for each destination, since a workload may read the links of several
 * sites. The value is a digest of the job's id: a fresh link for the same job changes nothing, and so restarts nothing.
 */
function annotationsFor(destinations, jobId) {
    const digest = (0,external_node_crypto_.createHash)('sha256').update(jobId).digest('hex');
    return Object.fromEntries(destinations.map((destination) => [annotationOf(destination), digest]));
}
function annotationOf({ secret, key }) {
    // No name of a Secret has an underscore: two destinations never have the same annotation.
    const name = `export.${secret}_${key}`;
    const isName = name.length <= MAX_NAME && /[a-zA-Z0-9]$/.test(name);
    const short = (0,external_node_crypto_.createHash)('sha256').update(`${secret}/${key}`).digest('hex').slice(0, 40);
    return `docs-courier/${isName ? name : `export.${short}`}`;
}

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
;// CONCATENATED MODULE: ./build/src/publish/after/rollout/workload.js

// https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/
const count = schemas/* nullish */.cl6(schemas/* number */.aig());
const labels = schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()));
const requirement = schemas/* object */.Ikc({ key: schemas/* string */.YjP(), operator: schemas/* string */.YjP(), values: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* string */.YjP())) });
const condition = schemas/* object */.Ikc({
    type: schemas/* string */.YjP(),
    status: schemas/* string */.YjP(),
    reason: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    message: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
/** A Deployment, StatefulSet or DaemonSet as the API server gives it: what a rollout needs of each. */
const workloadReply = schemas/* object */.Ikc({
    metadata: schemas/* object */.Ikc({ uid: schemas/* string */.YjP(), generation: count }),
    spec: schemas/* object */.Ikc({
        replicas: count,
        paused: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
        selector: schemas/* object */.Ikc({ matchLabels: labels, matchExpressions: schemas/* nullish */.cl6(schemas/* array */.YOg(requirement)) }),
        template: schemas/* object */.Ikc({ metadata: schemas/* nullish */.cl6(schemas/* object */.Ikc({ annotations: labels })) }),
        updateStrategy: schemas/* nullish */.cl6(schemas/* object */.Ikc({ type: schemas/* nullish */.cl6(schemas/* string */.YjP()), rollingUpdate: schemas/* nullish */.cl6(schemas/* object */.Ikc({ partition: count })) })),
    }),
    status: schemas/* nullish */.cl6(schemas/* object */.Ikc({
        observedGeneration: count,
        replicas: count,
        updatedReplicas: count,
        readyReplicas: count,
        availableReplicas: count,
        currentRevision: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        updateRevision: schemas/* nullish */.cl6(schemas/* string */.YjP()),
        desiredNumberScheduled: count,
        updatedNumberScheduled: count,
        numberReady: count,
        numberAvailable: count,
        conditions: schemas/* nullish */.cl6(schemas/* array */.YOg(condition)),
    })),
});
/**
 * How far the rollout of the present template has come, by the rules of `kubectl rollout status`:
 * https://github.com/kubernetes/kubectl/blob/master/pkg/polymorphichelpers/rollout_status.go
 */
function progressOf({ kind }, state) {
    const numbers = numbersOf(kind, state);
    if ((state.status?.observedGeneration ?? 0) < (state.metadata.generation ?? 1)) {
        return { ...numbers, isComplete: false, waitingFor: 'its controller has not seen the change yet' };
    }
    switch (kind) {
        case 'deployment':
            return deploymentProgress(state, numbers);
        case 'statefulset':
            return statefulSetProgress(state, numbers);
        case 'daemonset':
            return daemonSetProgress(state, numbers);
    }
}
function numbersOf(kind, { spec, status }) {
    if (kind === 'daemonset') {
        const { updatedNumberScheduled: updated, numberReady: ready, desiredNumberScheduled: wanted } = status ?? {};
        return { updated: updated ?? 0, ready: ready ?? 0, wanted: wanted ?? 0 };
    }
    return { updated: status?.updatedReplicas ?? 0, ready: status?.readyReplicas ?? 0, wanted: spec.replicas ?? 1 };
}
function deploymentProgress({ spec, status }, numbers) {
    const { updated, wanted } = numbers;
    const failed = status?.conditions?.find(({ type, reason }) => {
        return type === 'Progressing' && reason === 'ProgressDeadlineExceeded';
    });
    const old = (status?.replicas ?? 0) - updated;
    const unavailable = updated - (status?.availableReplicas ?? 0);
    const waitingFor = updated < wanted
        ? `${updated} of ${wanted} pods are new${spec.paused === true ? '; the deployment is paused' : ''}`
        : old > 0
            ? `${old} old ${old === 1 ? 'pod has' : 'pods have'} not ended yet`
            : unavailable > 0
                ? `${updated - unavailable} of ${updated} new pods are available`
                : undefined;
    const isComplete = waitingFor === undefined;
    const givenUp = failed === undefined || isComplete ? undefined : 'it exceeded its progress deadline';
    return { ...numbers, isComplete, waitingFor, givenUp };
}
function statefulSetProgress(state, numbers) {
    const { status } = state;
    const { updated, ready, wanted } = numbers;
    const partition = partitionOf(state);
    const restarted = Math.max(0, wanted - partition);
    // Without a partition the revision says it; a StatefulSet that was never changed has 0 updated replicas.
    const isNew = partition > 0 ? updated >= restarted : status?.updateRevision === status?.currentRevision;
    const waitingFor = ready < wanted
        ? `${ready} of ${wanted} pods are ready`
        : isNew
            ? undefined
            : `${updated} of ${restarted} pods are new`;
    return { ...numbers, isComplete: waitingFor === undefined, waitingFor };
}
function daemonSetProgress({ status }, numbers) {
    const { updated, wanted } = numbers;
    const available = status?.numberAvailable ?? 0;
    const waitingFor = updated < wanted
        ? `${updated} of ${wanted} pods are new`
        : available < wanted
            ? `${available} of ${wanted} new pods are available`
            : undefined;
    return { ...numbers, isComplete: waitingFor === undefined, waitingFor };
}
/** Why no change of the template would ever restart a pod, with what to do; undefined: it does. */
function whyNeverRestarted({ kind, name }, state) {
    const { spec } = state;
    if (spec.paused === true) {
        return ['it is paused, so that a change restarts no pod', `Run: kubectl rollout resume ${kind}/${name}`];
    }
    if (spec.updateStrategy?.type === 'OnDelete') {
        const fix = 'Set spec.updateStrategy.type to RollingUpdate, or leave this workload out of rollout.';
        return ['its update strategy is OnDelete, so that a change restarts no pod', fix];
    }
    const partition = partitionOf(state);
    const replicas = spec.replicas ?? 1;
    if (partition > 0 && partition >= replicas && replicas > 0) {
        const fix = 'Lower spec.updateStrategy.rollingUpdate.partition, or leave this workload out of rollout.';
        return [`its partition is ${partition} with ${replicas} replicas, so that a change restarts no pod`, fix];
    }
    return undefined;
}
/** What restarts fewer pods than one might expect, as a sentence. */
function limitOf(workload, state) {
    const partition = partitionOf(state);
    if (partition > 0)
        return `Its partition is ${partition}: pods with a lower number keep the earlier export.`;
    const isEmpty = workload.kind !== 'daemonset' && state.spec.replicas === 0;
    return isEmpty ? 'It has 0 replicas: pods that are started later read the new link.' : undefined;
}
function partitionOf({ spec }) {
    return spec.updateStrategy?.rollingUpdate?.partition ?? 0;
}
/** Why the controller cannot even make pods, in its own words: a quota, an admission webhook. */
function replicaFailure({ status }) {
    const failure = status?.conditions?.find((one) => one.type === 'ReplicaFailure' && one.status === 'True');
    return failure?.message ?? undefined;
}
/** True where the pod template has these annotations. */
function carries({ spec }, annotations) {
    const present = spec.template.metadata?.annotations ?? {};
    return Object.entries(annotations).every(([name, value]) => present[name] === value);
}
/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors */
function selectorText({ spec: { selector } }) {
    const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
    const sets = (selector.matchExpressions ?? []).map(({ key, operator, values }) => {
        const list = `(${(values ?? []).join(',')})`;
        switch (operator) {
            case 'In':
                return `${key} in ${list}`;
            case 'NotIn':
                return `${key} notin ${list}`;
            case 'DoesNotExist':
                return `!${key}`;
            default:
                return key;
        }
    });
    return [...equal, ...sets].join(',');
}

;// CONCATENATED MODULE: ./build/src/publish/after/rollout/cluster.js


const RESOURCES = { deployment: 'deployments', statefulset: 'statefulsets', daemonset: 'daemonsets' };
/** The workloads of one namespace: read, and their pod template annotated. */
class WorkloadClient {
    #api;
    #inputs;
    constructor(api, inputs) {
        this.#api = api;
        this.#inputs = inputs;
    }
    async read(workload, poll = {}) {
        // Whoever polls counts failures and polls again.
        const repeat = poll.timeLimitMs === undefined ? 'always' : 'never';
        const request = { method: 'GET', path: this.#path(workload), repeat, ...poll };
        try {
            return await this.#api.send(request, workloadReply);
        }
        catch (error) {
            throw this.#explained(error, workload);
        }
    }
    /** A patch of the pod template's annotations and of nothing else. Repeating it changes nothing. */
    async annotate(workload, annotations, { isTrial }) {
        // The manager's name is what keeps a GitOps controller from taking the field for a change by hand.
        const query = { fieldManager: 'docs-courier', ...(isTrial && { dryRun: 'All' }) };
        const patch = { spec: { template: { metadata: { annotations } } } };
        const request = { method: 'PATCH', path: this.#path(workload), query, patch, repeat: 'always' };
        try {
            return await this.#api.send(request, workloadReply);
        }
        catch (error) {
            throw this.#explained(error, workload);
        }
    }
    #path({ kind, name }) {
        return ['apis', 'apps', 'v1', 'namespaces', this.#inputs.namespace, RESOURCES[kind], name];
    }
    #explained(error, { kind, name }) {
        if (!(error instanceof errors/* CourierError */.Yw))
            return error;
        const { namespace } = this.#inputs;
        switch (error.code) {
            case 'not-found':
                return error.with({
                    message: `There is no ${kind}/${name} in namespace ${namespace}. ${error.message}`,
                    hint: `Correct the input rollout. kubectl --namespace ${namespace} get ${RESOURCES[kind]} lists what is there.`,
                });
            case 'forbidden':
                return error.with({
                    hint: / cannot \w+ resource /.test(error.message)
                        ? `The account lacks a right, or the name in rollout is wrong: rights that are given by name do not show which. These rules belong to its Role:\n${rolloutRules(this.#inputs)}`
                        : `The cluster refuses the change by a rule of its own, which the message names. Ask whoever owns the namespace ${namespace}.`,
                });
            default:
                return error;
        }
    }
}
/** The least rights: the workloads by their names, and reading what says why pods fail. */
function rolloutRules({ workloads }) {
    const kinds = [...new Set(workloads.map(({ kind }) => RESOURCES[kind]))];
    const names = [...new Set(workloads.map(({ name }) => name))];
    return [
        '- apiGroups: [apps]',
        `  resources: [${kinds.join(', ')}]`,
        `  resourceNames: [${names.join(', ')}]`,
        '  verbs: [get, patch]',
        '- apiGroups: [""]',
        '  resources: [pods, events]',
        '  verbs: [list]',
        '- apiGroups: [""]',
        '  resources: [pods/log]',
        '  verbs: [get]',
    ].join('\n');
}

// EXTERNAL MODULE: ./build/src/http/service.js
var service = __webpack_require__(4541);
;// CONCATENATED MODULE: ./build/src/publish/after/rollout/pods.js

// https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/
const pods_text = schemas/* nullish */.cl6(schemas/* string */.YjP());
const terminated = schemas/* object */.Ikc({ exitCode: schemas/* number */.aig(), reason: pods_text, message: pods_text });
const containerState = schemas/* nullish */.cl6(schemas/* object */.Ikc({
    waiting: schemas/* nullish */.cl6(schemas/* object */.Ikc({ reason: pods_text, message: pods_text })),
    running: schemas/* nullish */.cl6(schemas/* unknown */.L5J()),
    terminated: schemas/* nullish */.cl6(terminated),
}));
const container = schemas/* object */.Ikc({
    name: schemas/* string */.YjP(),
    ready: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    restartCount: schemas/* nullish */.cl6(schemas/* number */.aig()),
    state: containerState,
    lastState: containerState,
});
const pod = schemas/* object */.Ikc({
    metadata: schemas/* object */.Ikc({
        name: schemas/* string */.YjP(),
        uid: schemas/* string */.YjP(),
        deletionTimestamp: pods_text,
        annotations: schemas/* nullish */.cl6(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())),
    }),
    status: schemas/* nullish */.cl6(schemas/* object */.Ikc({
        phase: pods_text,
        reason: pods_text,
        message: pods_text,
        conditions: schemas/* nullish */.cl6(schemas/* array */.YOg(schemas/* object */.Ikc({ type: schemas/* string */.YjP(), status: schemas/* string */.YjP(), reason: pods_text, message: pods_text }))),
        initContainerStatuses: schemas/* nullish */.cl6(schemas/* array */.YOg(container)),
        containerStatuses: schemas/* nullish */.cl6(schemas/* array */.YOg(container)),
    })),
});
const podList = schemas/* object */.Ikc({
    metadata: schemas/* nullish */.cl6(schemas/* object */.Ikc({ continue: pods_text })),
    items: schemas/* array */.YOg(pod),
});
/** undefined: the pod is ready, or about to end. */
function problemOf(one) {
    const { status, metadata } = one;
    const isReady = status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
    if (isReady || typeof metadata.deletionTimestamp === 'string')
        return undefined;
    if (status?.reason) {
        // Such as Evicted.
        return { pod: one, text: withMessage(status.reason, status.message), isInEvents: false };
    }
    const unscheduled = status?.conditions?.find(({ type, status: value }) => type === 'PodScheduled' && value === 'False');
    if (unscheduled !== undefined) {
        const text = withMessage('it is scheduled on no node', unscheduled.message);
        return { pod: one, text, isInEvents: false };
    }
    const init = (status?.initContainerStatuses ?? []).map((found) => containerProblem(one, found, 'init container'));
    const own = (status?.containerStatuses ?? []).map((found) => containerProblem(one, found, 'container'));
    const found = [...init, ...own].find((problem) => problem !== undefined);
    return found ?? { pod: one, text: `its phase is ${status?.phase ?? 'unknown'}`, isInEvents: true };
}
function containerProblem(one, found, what) {
    const { name, state, lastState, ready } = found;
    const ended = state?.terminated ?? lastState?.terminated ?? undefined;
    const isInit = what === 'init container';
    if (ready === true)
        return undefined;
    if (ended !== undefined && ended.exitCode !== 0) {
        const reason = ended.reason && ended.reason !== 'Error' ? ` (${ended.reason})` : '';
        const text = withMessage(`${what} ${name} ended with exit code ${ended.exitCode}${reason}`, ended.message);
        return { pod: one, text, log: { container: name, isPrevious: !state?.terminated }, isInEvents: false };
    }
    const waiting = state?.waiting;
    // The normal states of a pod that is being set up.
    if (waiting?.reason && waiting.reason !== 'PodInitializing' && waiting.reason !== 'ContainerCreating') {
        const text = withMessage(`${what} ${name} is waiting: ${waiting.reason}`, waiting.message);
        return { pod: one, text, isInEvents: false };
    }
    if (waiting?.reason === 'ContainerCreating') {
        return { pod: one, text: `${what} ${name} is being created`, isInEvents: true };
    }
    if (isInit && state?.running) {
        const text = `${what} ${name} is still running`;
        return { pod: one, text, log: { container: name, isPrevious: false }, isInEvents: false };
    }
    if (isInit || waiting || state?.terminated)
        return undefined;
    return { pod: one, text: `container ${name} runs, but is not ready`, isInEvents: true };
}
function withMessage(reason, message) {
    return message ? `${reason}: ${message}` : reason;
}

;// CONCATENATED MODULE: ./build/src/publish/after/rollout/diagnosis.js





const time = schemas/* nullish */.cl6(schemas/* string */.YjP());
const diagnosis_event = schemas/* object */.Ikc({
    metadata: schemas/* object */.Ikc({ creationTimestamp: time }),
    type: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    reason: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    message: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    eventTime: time,
    lastTimestamp: time,
});
const eventList = schemas/* object */.Ikc({ items: schemas/* array */.YOg(diagnosis_event) });
// Pods of one template usually fail for one reason.
const MAX_PROBLEMS = 3;
// A page of pods must fit a reply of 1 MiB.
const PODS_PER_PAGE = '50';
const MAX_PAGES = 4;
const LOG_LINES = '20';
const LOG_BYTES = '16384';
/**
 * Why the new pods of a workload do not become ready, a line for each reason, in the cluster's own words. Never throws but for
 * a run that was cancelled: a right that is missing is a line as well.
 */
class Diagnosis {
    #api;
    #namespace;
    #redact;
    constructor({ api, namespace, redact }) {
        this.#api = api;
        this.#namespace = namespace;
        this.#redact = redact;
    }
    /** Which of the lists that `of` reads are forbidden. */
    async missingRights() {
        const missing = [];
        for (const resource of ['pods', 'events']) {
            const path = ['api', 'v1', 'namespaces', this.#namespace, resource];
            try {
                await this.#api.send({ method: 'GET', path, query: { limit: '1' }, repeat: 'always' }, schemas/* unknown */.L5J());
            }
            catch (error) {
                if (!(0,errors/* hasCode */.up)(error, 'forbidden'))
                    throw error;
                missing.push(`list ${resource}`);
            }
        }
        return missing;
    }
    async of(failed) {
        const { workload, state } = failed;
        const refused = replicaFailure(state);
        if (refused !== undefined)
            return [`no pod could be made: ${this.#safe(refused)}`];
        const found = await this.#tried('list pods', () => this.#problems(failed));
        if (!found.ok)
            return [found.why];
        if (found.value.length === 0)
            return this.#eventsOf(state.metadata.uid, `${workload.kind}/${workload.name}`);
        return Promise.all(found.value.slice(0, MAX_PROBLEMS).map((problem) => this.#line(problem)));
    }
    /** One for each different reason. */
    async #problems({ state, annotations }) {
        const path = ['api', 'v1', 'namespaces', this.#namespace, 'pods'];
        const query = { labelSelector: selectorText(state), limit: PODS_PER_PAGE };
        const items = [];
        let next;
        for (let page = 1; page <= MAX_PAGES; page += 1) {
            const from = next === undefined ? query : { ...query, continue: next };
            const list = await this.#api.send({ method: 'GET', path, query: from, repeat: 'always' }, podList);
            items.push(...list.items);
            next = list.metadata?.continue || undefined;
            if (next === undefined)
                break;
        }
        const isNew = (of) => Object.entries(annotations).every(([name, value]) => of?.[name] === value);
        const problems = items.filter(({ metadata }) => isNew(metadata.annotations)).map(problemOf);
        const first = new Map(problems.flatMap((problem) => (problem === undefined ? [] : [[problem.text, problem]])));
        return [...first.values()];
    }
    async #line(problem) {
        const { name, uid } = problem.pod.metadata;
        const lines = [`pod ${name}: ${this.#safe(problem.text)}`];
        if (problem.log !== undefined)
            lines.push(await this.#lastLine(name, problem.log));
        if (problem.isInEvents)
            lines.push(...(await this.#eventsOf(uid)));
        return lines.filter((line) => line !== '').join('; ');
    }
    async #lastLine(pod, { container, isPrevious }) {
        const path = ['api', 'v1', 'namespaces', this.#namespace, 'pods', pod, 'log'];
        const query = { container, tailLines: LOG_LINES, limitBytes: LOG_BYTES, ...(isPrevious && { previous: 'true' }) };
        const found = await this.#tried('get pods/log', () => this.#api.text({ path, query }));
        if (!found.ok)
            return found.why;
        // Redacted whole: a credential may go over several lines.
        const last = this.#redact(found.value)
            .split('\n')
            .findLast((line) => line.trim() !== '');
        return last === undefined ? 'its log is empty' : `the last line of its log: ${this.#safe(last)}`;
    }
    /** The latest warning about an object. */
    async #eventsOf(uid, subject) {
        const path = ['api', 'v1', 'namespaces', this.#namespace, 'events'];
        const query = { fieldSelector: `involvedObject.uid=${uid}` };
        const found = await this.#tried('list events', () => this.#api.send({ method: 'GET', path, query, repeat: 'always' }, eventList));
        if (!found.ok)
            return [found.why];
        const warnings = found.value.items.filter(({ type }) => type === 'Warning');
        const [event] = warnings.sort((a, b) => timeOf(b) - timeOf(a));
        if (event === undefined)
            return [];
        const text = `${event.reason ?? 'event'}: ${this.#safe(event.message ?? '')}`;
        return [subject === undefined ? text : `${subject}: ${text}`];
    }
    async #tried(right, body) {
        try {
            return { ok: true, value: await body() };
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
                throw error;
            const why = error.code === 'forbidden'
                ? `why is not known: the account lacks the right to ${right} in namespace ${this.#namespace}`
                : `why is not known: ${error.message}`;
            return { ok: false, why };
        }
    }
    #safe(text) {
        return (0,service/* foreignText */.qk)(text, this.#redact);
    }
}
/** When an event was last seen. New ones have an eventTime, others a lastTimestamp. */
function timeOf({ metadata, eventTime, lastTimestamp }) {
    const ms = Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '');
    return Number.isNaN(ms) ? 0 : ms;
}

;// CONCATENATED MODULE: ./build/src/publish/after/rollout/follow.js


const POLL_MS = 2000;
const LONGEST_POLL_MS = 8000;
// An API server that is being upgraded is away for a while.
const MAX_FAILURES_IN_A_ROW = 10;
/** Polls all workloads until each is complete, one is given up by the cluster, or `timeoutMs` have passed. */
async function followRollout(all, timeoutMs, { client, clock, log, signal, onProgress }) {
    const endMs = clock.monotonicMs() + timeoutMs;
    const lines = new Map();
    let failures = 0;
    for (;;) {
        for (const one of all) {
            const line = progressLine(one);
            if (lines.get(one) !== line)
                log.info(line);
            lines.set(one, line);
        }
        onProgress();
        const pending = all.filter(({ progress }) => !progress.isComplete);
        const leftMs = endMs - clock.monotonicMs();
        if (leftMs <= 0 || pending.length === 0 || pending.some(isGivenUp))
            return;
        await clock.sleep(Math.min(POLL_MS, leftMs), signal);
        try {
            for (const one of pending)
                await poll(one, client);
            failures = 0;
        }
        catch (error) {
            failures += 1;
            if (!(0,errors/* hasCode */.up)(error, 'network', 'protocol', 'rate-limited'))
                throw error;
            if (failures >= MAX_FAILURES_IN_A_ROW)
                throw tooManyFailures(error);
        }
    }
}
/** What an earlier run has seen given up is waited for: that it was corrected meanwhile is why the run is repeated. */
function isGivenUp({ isRestarted, progress }) {
    return isRestarted && progress.givenUp !== undefined;
}
async function poll(one, client) {
    one.state = await client.read(one.workload, { timeLimitMs: LONGEST_POLL_MS });
    one.progress = progressOf(one.workload, one.state);
    if (!carries(one.state, one.annotations))
        throw superseded(one.workload);
}
function progressLine({ workload: { kind, name }, progress }) {
    const { ready, updated, wanted, isComplete, waitingFor } = progress;
    const numbers = `${updated} of ${wanted} pods updated, ${ready} ready`;
    return `${kind}/${name}: ${numbers}${isComplete ? '; complete' : waitingFor === undefined ? '' : `; ${waitingFor}`}`;
}
function superseded({ kind, name }) {
    return new errors/* CourierError */.Yw({
        code: 'conflict',
        message: `Another writer has changed the pod template of ${kind}/${name}: it no longer names the export of this run.`,
        hint: 'A run for a newer export does that; then let only one run at a time write a destination, with a concurrency group. A GitOps controller does it where it owns the annotations of the pod template: let it ignore those that begin with docs-courier/.',
    });
}
function tooManyFailures(last) {
    return last.with({
        message: `Polling the rollout failed ${MAX_FAILURES_IN_A_ROW} times in a row. The last time: ${last.message}`,
    });
}

;// CONCATENATED MODULE: ./build/src/publish/after/rollout/rollout.js









/** Workloads whose pods read the link when they start: restarted by the cluster's own rules, and followed until they are ready. */
class Rollout {
    #init;
    #api;
    #client;
    /** A pod template was changed: the cluster goes on by itself. */
    #isUnderway = false;
    constructor(init) {
        const { credentials, http, log, inputs } = init;
        this.#init = init;
        this.#api = new api/* KubernetesApi */.t(http, new login/* ClusterLogin */.k(credentials, (secret) => log.mask(secret)));
        this.#client = new WorkloadClient(this.#api, inputs);
    }
    /**
     * Proves that each workload exists, restarts its pods when its template changes, and may be patched. Changes nothing.
     * Throws `config`, `not-found` and `forbidden`.
     */
    async check() {
        for (const workload of this.#init.inputs.workloads) {
            const state = await this.#client.read(workload);
            const never = whyNeverRestarted(workload, state);
            if (never !== undefined)
                throw neverRestarted(workload, never);
            const limit = limitOf(workload, state);
            if (limit !== undefined)
                this.#init.log.warning(`${nameOf(workload)}: ${limit}`);
            await this.#tryPatch(workload);
        }
    }
    /** What the account may not read of what says why pods fail, such as `list events`. Changes nothing. */
    missingRights() {
        const { inputs, log } = this.#init;
        return new Diagnosis({ api: this.#api, namespace: inputs.namespace, redact: log.redact }).missingRights();
    }
    /** For a dry run. */
    plan() {
        const { workloads, namespace } = this.#init.inputs;
        return workloads.map((workload) => ({
            action: 'restart the pods with the new export, and follow the rollout',
            target: `${nameOf(workload)} in namespace ${namespace}`,
        }));
    }
    /**
     * Restarts the pods where they do not run with this export yet, and follows them until all are ready. Throws
     * `checks-failed` with what the pods report; `conflict` where another run was faster.
     */
    async run(jobId) {
        const { inputs, log } = this.#init;
        const names = inputs.workloads.map(nameOf).join(', ');
        try {
            await log.group(`Rolling out ${names}`, () => this.#roll(jobId));
        }
        catch (error) {
            if (!(0,errors/* hasCode */.up)(error, 'cancelled'))
                throw error;
            const [first] = inputs.workloads;
            throw error.with({
                message: this.#isUnderway
                    ? `${error.message} The link is written, and the rollout of ${names} goes on in the cluster.`
                    : `${error.message} The link is written; ${names} was not restarted.`,
                hint: `See how it ends: kubectl --namespace ${inputs.namespace} rollout status ${first && nameOf(first)}`,
            });
        }
    }
    async #roll(jobId) {
        const { inputs, log, clock, signal } = this.#init;
        const startMs = clock.monotonicMs();
        const annotations = annotationsFor(inputs.destinations, jobId);
        const all = [];
        for (const workload of inputs.workloads) {
            const before = await this.#client.read(workload);
            const isNew = !carries(before, annotations);
            const state = isNew ? await this.#client.annotate(workload, annotations, { isTrial: false }) : before;
            this.#isUnderway ||= isNew;
            log.info(isNew
                ? `${nameOf(workload)}: its pods are restarted with export job ${jobId}.`
                : `${nameOf(workload)}: its pod template names export job ${jobId} already; no pod is restarted.`);
            all.push({ workload, annotations, state, isRestarted: isNew, progress: progressOf(workload, state) });
        }
        const onProgress = () => this.#record(all, clock.monotonicMs() - startMs);
        await followRollout(all, inputs.timeoutMs, { client: this.#client, clock, log, signal, onProgress });
        const failed = all.filter(({ progress }) => !progress.isComplete);
        if (failed.length > 0)
            throw await this.#failure(failed, jobId);
    }
    /** Proves the right to write without writing. A webhook that takes no dry runs says nothing about it. */
    async #tryPatch(workload) {
        const annotations = annotationsFor(this.#init.inputs.destinations, 'none');
        try {
            await this.#client.annotate(workload, annotations, { isTrial: true });
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw) || error.httpStatus !== 400)
                throw error;
        }
    }
    async #failure(failed, jobId) {
        const { inputs, adminApiKey, log } = this.#init;
        const { createCredentialRedact } = await Promise.all(/* import() */[__webpack_require__.e(1577), __webpack_require__.e(6362)]).then(__webpack_require__.bind(__webpack_require__, 6362));
        const hideFormats = createCredentialRedact(adminApiKey, []);
        const redact = (text) => hideFormats(log.redact(text));
        const diagnosis = new Diagnosis({ api: this.#api, namespace: inputs.namespace, redact });
        const lines = [];
        for (const one of failed) {
            const { givenUp, waitingFor } = one.progress;
            const late = `it did not finish within ${(0,markdown/* writeDuration */.MP)(inputs.timeoutMs)}`;
            const why = (isGivenUp(one) && givenUp) || late;
            lines.push(`The rollout of ${nameOf(one.workload)} in namespace ${inputs.namespace} failed: ${why}${waitingFor === undefined ? '' : ` (${waitingFor})`}.`);
            lines.push(...(await diagnosis.of(one)).map((line) => `- ${line}`));
        }
        return new errors/* CourierError */.Yw({
            code: 'checks-failed',
            message: lines.join('\n'),
            hint: {
                text: 'To go back to the export before it, run mode: rollback. Or correct what the pods report, and run again with the job of this export: that starts no second export, and follows the rollout again:',
                inputs: { 'export-job-id': jobId },
            },
        });
    }
    #record(all, elapsedMs) {
        const { inputs, record } = this.#init;
        const workloads = all.map(({ workload, isRestarted, progress }) => {
            const { updated, ready, wanted, isComplete } = progress;
            return { workload: nameOf(workload), isRestarted, isComplete, updated, ready, wanted };
        });
        record({ rollout: { namespace: inputs.namespace, workloads, elapsedMs: Math.round(elapsedMs) } });
    }
}
function nameOf({ kind, name }) {
    return `${kind}/${name}`;
}
function neverRestarted(workload, [why, hint]) {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `${nameOf(workload)} of the input rollout cannot be rolled out: ${why}.`,
        hint,
    });
}

;// CONCATENATED MODULE: ./build/src/publish/after/rollout/step.js



/** The rollout of the inputs, with nothing sent yet. */
function makeRollout({ to, adminApiKey }, rollout, { run, ...deps }) {
    const given = to?.credentials.kubernetes ?? { kubeconfig: undefined, context: undefined, allowExec: false };
    const credentials = { ...given, workspace: run.workspace, env: run.env };
    return new Rollout({ inputs: rollout, credentials, adminApiKey, ...deps });
}
/** Restarts the pods that read the link, and takes both back where they do not become ready. */
class RolloutStep {
    #inputs;
    #deps;
    #rollout;
    #onFailure;
    #facts;
    /** Throws where the rollout could not work; nothing is changed. */
    static async open(inputs, rollout, deps) {
        const step = new RolloutStep(inputs, rollout, deps);
        await step.#rollout.check();
        return step;
    }
    constructor(inputs, rollout, deps) {
        this.#inputs = inputs;
        this.#deps = deps;
        this.#onFailure = rollout.onFailure;
        const record = (facts) => {
            this.#facts = facts.rollout;
            deps.record(facts);
        };
        this.#rollout = makeRollout(inputs, rollout, { ...deps, record });
    }
    plan() {
        return this.#rollout.plan();
    }
    async run({ jobId, api, delivery }) {
        try {
            await this.#rollout.run(jobId);
        }
        catch (error) {
            // After a conflict the destination and the pods are another run's.
            const isOurs = error instanceof errors/* CourierError */.Yw && !(0,errors/* hasCode */.up)(error, 'cancelled', 'conflict');
            if (this.#onFailure === 'fail' || !isOurs || delivery === undefined)
                throw error;
            throw await this.#undo(error, { jobId, api, delivery });
        }
    }
    /** Gives the failure, with what became of the undoing. */
    async #undo(failure, undo) {
        const { log } = this.#deps;
        const { jobId, delivery } = undo;
        const former = delivery.formerJob;
        if (former === undefined) {
            return failure.with({
                message: `${failure.message}\nThere is no former export to go back to, so that the new link stays.`,
            });
        }
        log.warning(`${failure.message}\nGoing back to export job ${former}, as on-rollout-failure says.`);
        try {
            await this.#goBack(former, undo);
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw))
                throw error;
            if (error.code === 'cancelled')
                throw error;
            return failure.with({
                message: `${failure.message}\nGoing back to export job ${former} failed as well: ${error.message}`,
                hint: error.hint,
            });
        }
        return failure.with({
            message: `${failure.message}\nThe link of export job ${former} was written back, and the pods run with it.`,
            hint: {
                text: 'Correct what the pods report. The next export replaces the link again. To try this one once more, name its job:',
                inputs: { 'export-job-id': jobId },
            },
        });
    }
    async #goBack(former, { jobId, api, delivery }) {
        const { baseUrl } = this.#inputs;
        const link = await (0,platform_link/* createLinkMaker */.jK)({ ...this.#deps, api, jobId: former, baseUrl }).fresh();
        const failure = await delivery.putBack({ jobId: former, link, replaces: jobId });
        // Another run's export is in place now, and its pods are its own.
        if ((0,errors/* hasCode */.up)(failure, 'conflict'))
            throw failure;
        await this.#rollout.run(former);
        if (this.#facts !== undefined)
            this.#deps.record({ rollout: { ...this.#facts, undoneTo: former } });
        if (failure !== undefined)
            throw failure;
    }
}


/***/ })

};
