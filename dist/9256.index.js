export const id = 9256;
export const ids = [9256];
export const modules = {

/***/ 9256:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  AwsStore: () => (/* binding */ AwsStore)
});

// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/stores/address.js
var stores_address = __webpack_require__(1824);
// EXTERNAL MODULE: ./build/src/stores/port.js
var port = __webpack_require__(7833);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/src/http/hosts.js + 1 modules
var hosts = __webpack_require__(3781);
;// CONCATENATED MODULE: ./build/src/stores/aws/machine.js




// Keys that the machine or the container of the run is given:
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html and feature-imds-credentials.html
const reply = schemas/* object */.Ikc({
    AccessKeyId: schemas/* string */.YjP(),
    SecretAccessKey: schemas/* string */.YjP(),
    Token: schemas/* string */.YjP(),
    Expiration: schemas/* optional */.lqM(schemas/* string */.YjP()),
});
const container = {
    name: 'the service for the keys of this container',
    addressSetting: 'AWS_CONTAINER_CREDENTIALS_FULL_URI',
};
const instance = {
    name: 'the metadata service of this machine',
    addressSetting: 'AWS_EC2_METADATA_SERVICE_ENDPOINT',
};
/** Of a task of ECS, or of a pod of EKS with Pod Identity. */
async function containerKeys(http, env, mask) {
    const url = containerAddress(env);
    const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
    const token = (file ? await readTokenFile(file) : (env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] ?? '')).trim();
    if (!/^[!-~ ]*$/.test(token))
        throw notOneLine();
    mask(token);
    const headers = { accept: 'application/json', ...(token !== '' && { authorization: token }) };
    const request = { service: container, method: 'GET', url, headers, repeat: 'always' };
    return keysOf((await http.requestJson(request, reply)).value);
}
// The addresses that AWS itself uses, by http; any other one only by https: the token would show.
const HTTP_HOSTS = ['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'];
function containerAddress(env) {
    const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full = '' } = env;
    const address = path?.startsWith('/') ? `http://169.254.170.2${path}` : full;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isLocal = url !== undefined && (HTTP_HOSTS.includes(url.hostname) || (0,hosts/* isLoopback */.U9)(url.hostname));
    if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal))
        return url;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: 'The variable AWS_CONTAINER_CREDENTIALS_FULL_URI is neither an https address nor one of AWS on this machine.',
        hint: 'Remove it, or correct it.',
    });
}
function notOneLine() {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: 'The token for the keys of this container (AWS_CONTAINER_AUTHORIZATION_TOKEN) is not one line.',
        hint: 'Check the variable, or the file that AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE names.',
    });
}
async function readTokenFile(path) {
    try {
        return await (0,promises_.readFile)(path, 'utf8');
    }
    catch (cause) {
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: `The token file ${path}, which a variable of AWS names, cannot be read.`,
            hint: 'Check that it is mounted into the container of this job.',
            cause,
        });
    }
}
const QUICK = { connectMs: 1000, headersMs: 2000, idleMs: 2000, totalMs: 4000 };
/** Of an EC2 instance with a role, by version 2 of its metadata service; undefined: this machine has no such service or role. */
async function instanceKeys(http, env) {
    if (env['AWS_EC2_METADATA_DISABLED']?.trim().toLowerCase() === 'true')
        return undefined;
    const base = env['AWS_EC2_METADATA_SERVICE_ENDPOINT']?.replace(/\/+$/, '') || 'http://169.254.169.254';
    if (!URL.canParse(base))
        return undefined;
    const common = { service: instance, repeat: 'never', limits: QUICK };
    const roles = `${base}/latest/meta-data/iam/security-credentials/`;
    try {
        const session = await http.request({
            ...common,
            method: 'PUT',
            url: new URL(`${base}/latest/api/token`),
            headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
        });
        const headers = { 'x-aws-ec2-metadata-token': session.body.toString('utf8') };
        const names = await http.request({ ...common, method: 'GET', url: new URL(roles), headers });
        const role = encodeURIComponent(names.body.toString('utf8').split('\n')[0]?.trim() ?? '');
        const found = await http.requestJson({ ...common, method: 'GET', url: new URL(`${roles}${role}`), headers }, reply);
        return keysOf(found.value);
    }
    catch (error) {
        // Most machines are none of AWS, and some have another cloud's service at this address.
        if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
            throw error;
        return undefined;
    }
}
function keysOf({ AccessKeyId, SecretAccessKey, Token, Expiration }) {
    const expiresAtMs = Date.parse(Expiration ?? '');
    return {
        accessKeyId: AccessKeyId,
        secretAccessKey: SecretAccessKey,
        sessionToken: Token,
        expiresAtMs: Number.isNaN(expiresAtMs) ? undefined : expiresAtMs,
    };
}

// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/text/json.js
var text_json = __webpack_require__(6691);
;// CONCATENATED MODULE: ./build/src/stores/aws/region.js




// Each partition of AWS has hosts, accounts and ARNs of its own. From the table of the SDKs: botocore/data/partitions.json.
const PARTITIONS = [
    ['cn-', 'aws-cn', 'amazonaws.com.cn'],
    ['us-gov-', 'aws-us-gov', 'amazonaws.com'],
    ['eusc-', 'aws-eusc', 'amazonaws.eu'],
    ['us-iso-', 'aws-iso', 'c2s.ic.gov'],
    ['us-isob-', 'aws-iso-b', 'sc2s.sgov.gov'],
    ['us-isof-', 'aws-iso-f', 'csp.hci.ic.gov'],
    ['eu-isoe-', 'aws-iso-e', 'cloud.adc-e.uk'],
];
function partition(region) {
    const [, id, suffix] = PARTITIONS.find(([prefix]) => region.startsWith(prefix)) ?? ['', 'aws', 'amazonaws.com'];
    return [id, suffix];
}
/** The partition in ARNs, such as `aws-cn`. */
function partitionOf(region) {
    return partition(region)[0];
}
/** The region of a destination: that of its ARN, the one that was given, or the environment's. Throws `config` where there is none. */
function regionOf(name, given, env) {
    const region = (name.startsWith('arn:') ? name.split(':')[3] : undefined) || given || env['AWS_REGION'];
    const found = (region || env['AWS_DEFAULT_REGION'])?.trim();
    if (found !== undefined && (0,stores_address/* isAwsRegion */.EK)(found))
        return found;
    const is = found ? `"${(0,text_escape/* plainLine */.h0)(found, 40)}" is no region of AWS` : 'The region of the AWS destination is not known';
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `${is}. Nothing was sent.`,
        hint: { text: 'Name the region that has the secret or the parameter:', inputs: { 'aws-region': 'eu-central-1' } },
    });
}
const ENDPOINT_VARIABLES = {
    secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
    ssm: 'AWS_ENDPOINT_URL_SSM',
    sts: 'AWS_ENDPOINT_URL_STS',
};
/**
 * The address of a service in a region, without a trailing slash. As with AWS's own SDKs, AWS_ENDPOINT_URL_SECRETS_MANAGER (_SSM,
 * _STS) and AWS_ENDPOINT_URL name another one, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS leaves them out, and AWS_USE_FIPS_ENDPOINT
 * asks for the host with FIPS cryptography: https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
function endpointOf(service, region, env) {
    const variables = [ENDPOINT_VARIABLES[service], 'AWS_ENDPOINT_URL'];
    const variable = isTrue(env['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'])
        ? undefined
        : variables.find((name) => env[name]?.trim());
    if (variable !== undefined)
        return checked(env[variable]?.trim() ?? '', variable);
    const fips = isTrue(env['AWS_USE_FIPS_ENDPOINT']) ? '-fips' : '';
    return `https://${service}${fips}.${region}.${partition(region)[1]}`;
}
// The link is in the body of a request, and http would show it to the network.
function checked(address, variable) {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && (0,hosts/* isLoopback */.U9)(url.hostname));
    if (url !== undefined && isSafe && url.username === '' && url.search === '' && url.hash === '') {
        return url.href.replace(/\/+$/, '');
    }
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `The variable ${variable} is not an https address without a user name and query. Nothing was sent.`,
        hint: 'Correct it, or remove it: without it the address follows from the region.',
    });
}
function isTrue(text) {
    return text?.trim().toLowerCase() === 'true';
}

;// CONCATENATED MODULE: ./build/src/stores/aws/web-identity.js



const SECRET_ELEMENTS = /<(SecretAccessKey|SessionToken)>[^<]*/g;
/**
 * Temporary keys of a role, for a signed token of an identity provider that the role trusts. Not signed, so that no key is
 * needed: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
async function assumeRole(http, identity, { region, env }) {
    const { role, session, token } = identity;
    const body = new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: role,
        RoleSessionName: session,
        WebIdentityToken: token,
    });
    const reply = await http.request({
        service: serviceFor(identity),
        method: 'POST',
        url: new URL(`${endpointOf('sts', region, env)}/`),
        name: `AWS STS: AssumeRoleWithWebIdentity for ${role}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/xml' },
        body: body.toString(),
        // A login makes keys that expire by themselves, and changes nothing.
        repeat: 'always',
        // A reply that does not fit is quoted, and the token may come back in an error.
        redact: (text) => text.replaceAll(token, '***').replace(SECRET_ELEMENTS, '<$1>***'),
        check: (found) => (keysIn(found) === undefined ? 'it holds no credentials' : undefined),
    });
    const keys = keysIn(reply);
    if (keys === undefined)
        throw new Error('The reply was checked before.');
    return keys;
}
function keysIn({ body }) {
    const xml = body.toString('utf8');
    const [accessKeyId, secretAccessKey] = [textIn(xml, 'AccessKeyId'), textIn(xml, 'SecretAccessKey')];
    if (accessKeyId === undefined || secretAccessKey === undefined)
        return undefined;
    const expiresAtMs = Date.parse(textIn(xml, 'Expiration') ?? '');
    return {
        accessKeyId,
        secretAccessKey,
        sessionToken: textIn(xml, 'SessionToken'),
        expiresAtMs: Number.isNaN(expiresAtMs) ? undefined : expiresAtMs,
    };
}
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** The text of the one element of this name: STS nests none of those that are read here. */
function textIn(xml, element) {
    const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]?.trim();
    return text?.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name] ?? '');
}
function serviceFor(identity) {
    return {
        name: 'AWS STS',
        addressSetting: 'aws-region',
        errorText: ({ body }) => {
            const xml = body.toString('utf8');
            const said = [textIn(xml, 'Code'), textIn(xml, 'Message')].filter((text) => text !== undefined);
            return said.length === 0 ? undefined : said.join(': ');
        },
        meaning: (reply) => meaning(reply, identity),
    };
}
function meaning(reply, identity) {
    if (reply.status >= 500)
        return undefined;
    const code = textIn(reply.body.toString('utf8'), 'Code');
    const claims = claimsOf(identity.token);
    switch (code) {
        case 'Throttling':
        case 'ThrottlingException':
            return { code: 'rate-limited' };
        case 'IDPCommunicationError':
            // AWS could not reach the provider for its keys, and asks to repeat the call.
            return { code: 'network', retry: 'safe' };
        case 'RegionDisabledException':
            return {
                code: 'config',
                hint: 'Turn AWS STS on for this region in the settings of the account, or set aws-region.',
            };
        case 'ValidationError':
            return {
                code: 'config',
                hint: 'Check aws-role: it is the ARN of a role, such as arn:aws:iam::123456789012:role/docs.',
            };
        case 'InvalidIdentityToken':
            return {
                code: 'unauthorized',
                hint: `The account of the role needs an identity provider for the issuer of the token, with its audience:\n${providerCommand(claims)}`,
            };
        case 'ExpiredTokenException':
            return {
                code: 'unauthorized',
                hint: 'The id token has expired. Where a variable holds it, let it be made for this job.',
            };
        default:
            return {
                code: 'unauthorized',
                hint: `${saying(claims)} This trust policy of the role lets this run in:\n${trustPolicy(identity, claims)}`,
            };
    }
}
/** What the token says of the run: no part of it is secret but the signature. */
function claimsOf(token) {
    const payload = (0,text_json/* parseJson */.qF)(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const text = (name) => {
        const value = (0,text_json/* fieldOf */._F)(payload, name);
        const first = Array.isArray(value) ? value[0] : value;
        return typeof first === 'string' ? (0,text_escape/* plainLine */.h0)(first, 300) : name.toUpperCase();
    };
    return { iss: text('iss'), aud: text('aud'), sub: text('sub') };
}
function saying({ iss, aud, sub }) {
    return `The role does not trust this run, whose token says issuer ${iss}, audience ${aud} and subject ${sub}.`;
}
function providerCommand({ iss, aud }) {
    return `aws iam create-open-id-connect-provider --url ${iss} --client-id-list ${aud}`;
}
function trustPolicy({ role }, { iss, aud, sub }) {
    const [, partition = 'aws', , , account = 'ACCOUNT'] = role.split(':');
    const provider = iss.replace(/^https:\/\//, '');
    const statement = {
        Effect: 'Allow',
        Principal: { Federated: `arn:${partition}:iam::${account}:oidc-provider/${provider}` },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: { StringEquals: { [`${provider}:aud`]: aud, [`${provider}:sub`]: sub } },
    };
    return JSON.stringify({ Version: '2012-10-17', Statement: [statement] }, undefined, 2);
}

;// CONCATENATED MODULE: ./build/src/stores/aws/login.js



// A request may wait for some minutes before it is sent.
const RESERVE_MS = 5 * 60_000;
// An export writes its state several times within a minute.
const JUST_NOW_MS = 2 * 60_000;
const SESSION = 'docs-courier';
/** The keys of a run for AWS. Everything secret in them is masked before it is returned. */
class AwsLogin {
    #init;
    #keys;
    #loggedInMs = Number.NEGATIVE_INFINITY;
    constructor(init) {
        this.#init = init;
    }
    /** The keys of the last login, or of a new one where there was none or its keys end soon. */
    async keys() {
        if (this.#keys !== undefined && this.#lastsFor(this.#keys, RESERVE_MS))
            return this.#keys;
        return this.#keysAnew(this.#keys);
    }
    /** True where keys were made for this run and can be made once more. */
    get canRenew() {
        return this.#keys?.sessionToken !== undefined && !this.#isFixed;
    }
    /**
     * Logs in once more, unless that was just done: before the export is not before the write. Where the token of the run is used
     * up by then, the keys that it gave go on being used for as long as they last.
     */
    async renew() {
        if (this.#init.clock.monotonicMs() - this.#loggedInMs < JUST_NOW_MS)
            return;
        await this.#keysAnew(this.#keys);
    }
    /** Logs in once more, since AWS does not accept the keys. */
    async replace() {
        this.#keys = undefined;
        await this.#keysAnew(undefined);
    }
    async #keysAnew(former) {
        try {
            const keys = await this.#find();
            for (const secret of [keys.secretAccessKey, keys.sessionToken])
                if (secret)
                    this.#init.mask(secret);
            this.#keys = keys;
            this.#loggedInMs = this.#init.clock.monotonicMs();
            return keys;
        }
        catch (error) {
            if (error instanceof errors/* CourierError */.Yw && former !== undefined && this.#lastsFor(former, 0))
                return former;
            throw error;
        }
    }
    #lastsFor({ expiresAtMs }, reserveMs) {
        return expiresAtMs === undefined || expiresAtMs - this.#init.clock.now() > reserveMs;
    }
    get #isFixed() {
        return this.#init.role === undefined && Boolean(this.#init.env['AWS_ACCESS_KEY_ID']);
    }
    // The order of AWS's SDKs: https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
    async #find() {
        const { role, env, http } = this.#init;
        if (role !== undefined)
            return this.#assume(role.arn, SESSION, await role.idToken());
        const [accessKeyId, secretAccessKey] = [lineOf('AWS_ACCESS_KEY_ID', env), lineOf('AWS_SECRET_ACCESS_KEY', env)];
        if (accessKeyId !== undefined && secretAccessKey !== undefined) {
            return { accessKeyId, secretAccessKey, sessionToken: lineOf('AWS_SESSION_TOKEN', env), expiresAtMs: undefined };
        }
        const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: arn, AWS_ROLE_SESSION_NAME: session } = env;
        if (file && arn)
            return this.#assume(arn, session || SESSION, (await readTokenFile(file)).trim());
        const isContainer = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] || env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
        const found = isContainer ? await containerKeys(http, env, this.#init.mask) : await instanceKeys(http, env);
        if (found === undefined)
            throw this.#noKeys();
        return found;
    }
    async #assume(role, session, token) {
        const { http, region, env, mask } = this.#init;
        mask(token);
        return assumeRole(http, { role, session, token }, { region, env });
    }
    #noKeys() {
        const { AWS_PROFILE: profile } = this.#init.env;
        const looked = 'neither aws-role, nor AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, nor a token file, a container or an EC2 instance with a role gave any';
        return new errors/* CourierError */.Yw({
            code: 'config',
            message: `There are no credentials for AWS: ${looked}. Nothing was written.`,
            hint: profile
                ? 'Profiles (AWS_PROFILE) are not read. Hand their keys over by the environment:\neval "$(aws configure export-credentials --format env)"'
                : {
                    text: 'Let the run log in by its own identity:',
                    inputs: { 'aws-role': 'arn:aws:iam::123456789012:role/docs-courier' },
                    permissions: { 'id-token': 'write', contents: 'read' },
                },
        });
    }
}
/** A key of the environment, without the line end that is copied with it; undefined: there is none. Throws `config`. */
function lineOf(name, env) {
    const text = env[name]?.trim() ?? '';
    if (text === '' || /^[!-~]+$/.test(text))
        return text || undefined;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `The variable ${name} is not one line of printable ASCII characters. Nothing was sent.`,
        hint: 'Set it to the key alone.',
    });
}

;// CONCATENATED MODULE: ./build/src/stores/aws/policy.js

/** The least rights for one link in Secrets Manager, as an IAM policy to paste. AWS puts six characters behind a secret's name. */
function secretPolicy(region, names) {
    const arn = (rest) => `arn:${partitionOf(region)}:secretsmanager:${region}:*:secret:${rest}`;
    // Without the last star, AWS answers "access denied" and not "not found" to a state that was never written.
    const [link, state] = [arn(`${names.link}-??????`), arn(`${names.state}*`)];
    return policy([
        {
            Action: ['secretsmanager:DescribeSecret', 'secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
            Resource: [link, state],
        },
        { Action: 'secretsmanager:CreateSecret', Resource: state },
    ]);
}
/** The same for two parameters of the Parameter Store. */
function parameterPolicy(region, names) {
    const arn = (name) => `arn:${partitionOf(region)}:ssm:${region}:*:parameter${name}`;
    return policy([
        { Action: ['ssm:GetParameter', 'ssm:PutParameter'], Resource: [arn(names.link), arn(names.state)] },
        { Action: 'ssm:GetParameterHistory', Resource: arn(names.link) },
    ]);
}
/** What a key of one's own asks for besides. */
function keyPolicy(region) {
    return policy([
        {
            Action: ['kms:Decrypt', 'kms:GenerateDataKey', 'kms:Encrypt'],
            Resource: `arn:${partitionOf(region)}:kms:${region}:ACCOUNT:key/KEY-ID`,
        },
    ]);
}
function policy(statements) {
    const Statement = statements.map((statement) => ({ Effect: 'Allow', ...statement }));
    return JSON.stringify({ Version: '2012-10-17', Statement }, undefined, 2);
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
;// CONCATENATED MODULE: ./build/src/stores/aws/sign.js
/**
 * The headers of a request with a signature of version 4, good for some minutes from `atMs`:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 */
async function signedHeaders(request, keys, atMs) {
    const { AwsV4Signer } = await __webpack_require__.e(/* import() */ 2580).then(__webpack_require__.bind(__webpack_require__, 2580));
    const { url, sessionToken, ...rest } = { ...request, ...keys };
    const signer = new AwsV4Signer({
        ...rest,
        url: url.href,
        ...(sessionToken !== undefined && { sessionToken }),
        datetime: new Date(atMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
        allHeaders: true,
    });
    const { headers } = await signer.sign();
    return Object.fromEntries(headers);
}

;// CONCATENATED MODULE: ./build/src/stores/aws/service.js





/** One service of AWS that speaks its JSON protocol, version 1.1: signed requests, with errors of the common ground. */
class AwsService {
    #init;
    #url;
    constructor(init) {
        this.#init = init;
        this.#url = new URL(`${endpointOf(init.service, init.region, init.env)}/`);
    }
    /** Throws a CourierError, and only that. Where the keys have expired meanwhile, it logs in once more. */
    async send(call, schema) {
        try {
            return await this.#send(call, schema);
        }
        catch (error) {
            const { login } = this.#init;
            if (!(0,errors/* hasCode */.up)(error, 'unauthorized') || !login.canRenew)
                throw error;
            await login.replace();
            return this.#send(call, schema);
        }
    }
    async #send({ operation, name, body, repeat, signal }, schema) {
        const { http, service, title, target, region, login, clock, meaning } = this.#init;
        const text = JSON.stringify(body);
        const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${target}.${operation}` };
        const request = { method: 'POST', url: this.#url, headers, body: text, service, region };
        const { value } = await http.requestJson({
            ...request,
            service: {
                name: title,
                addressSetting: 'aws-region',
                errorText: (reply) => {
                    const { type, message } = failureIn(reply, name);
                    return [type, message].filter((part) => part !== '').join(': ');
                },
                meaning: (reply) => {
                    const failure = failureIn(reply, name);
                    return meaning(failure) ?? commonMeaning(failure);
                },
            },
            name: `${title}: ${operation} of ${name}`,
            body: external_node_buffer_.Buffer.from(text),
            sign: async () => signedHeaders(request, await login.keys(), clock.now()),
            repeat,
            signal,
        }, schema);
        return value;
    }
}
/** The type is in the header or in the body, bare or with a namespace before and an address behind it. */
function failureIn({ headers, body }, name) {
    const json = (0,text_json/* parseJson */.qF)(body.toString('utf8'));
    const textOf = (...fields) => {
        const found = fields.map((field) => (0,text_json/* fieldOf */._F)(json, field)).find((value) => typeof value === 'string');
        return typeof found === 'string' ? found : '';
    };
    const header = headers['x-amzn-errortype'];
    const raw = textOf('__type', 'code', 'Code') || (typeof header === 'string' ? header : '');
    const type = /^(?:.*#)?([A-Za-z0-9.]{1,100})/.exec(raw)?.[1] ?? '';
    return { type, message: textOf('message', 'Message', 'errorMessage'), name };
}
const NO_LOGIN = /^(Expired|UnrecognizedClient|InvalidClientTokenId|InvalidAccessKeyId|InvalidSignature|SignatureDoesNotMatch|MissingAuthentication|IncompleteSignature|RequestExpired|RequestTimeTooSkewed|NotAuthorized|AuthFailure)/;
/** Errors that every service of AWS has: https://docs.aws.amazon.com/awssupport/latest/user/CommonErrors.html */
function commonMeaning({ type, message }) {
    if (/^AccessDenied|^UnauthorizedOperation/.test(type))
        return { code: 'forbidden', lacksPermission: true };
    if (NO_LOGIN.test(type)) {
        const isClock = /skew|too far|Signature (expired|not yet)/i.test(`${type} ${message}`);
        return {
            code: 'unauthorized',
            hint: isClock
                ? 'The clock of this machine is wrong: AWS accepts a difference of 5 minutes. Set it.'
                : 'AWS does not accept the keys: they have expired, were deleted, or belong to another partition. Give new ones, or let the run log in by its own identity (aws-role).',
        };
    }
    if (/^(Throttl|TooManyRequests|TooManyUpdates|RequestLimitExceeded|RequestThrottled)/.test(type)) {
        return { code: 'rate-limited' };
    }
    if (type === 'OptInRequired')
        return { code: 'forbidden', hint: 'The account has to be signed up for this service first.' };
    return undefined;
}

;// CONCATENATED MODULE: ./build/src/stores/aws/texts.js

/** The text is the whole secret: one that holds more would be lost. Throws `config`. */
function assertOwn(name, value) {
    if (!/^\s*[{[]/.test(value))
        return;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `${name} holds JSON: something other than a link is stored there, and the link would replace all of it. Nothing was written.`,
        hint: 'Give the link a secret or a parameter of its own.',
    });
}

;// CONCATENATED MODULE: ./build/src/stores/aws/parameter-store.js





// https://docs.aws.amazon.com/systems-manager/latest/APIReference/
const parameter = schemas/* object */.Ikc({
    Type: schemas/* string */.YjP(),
    Value: schemas/* string */.YjP(),
    Version: schemas/* number */.aig(),
    LastModifiedDate: schemas/* number */.aig(),
    ARN: schemas/* string */.YjP(),
});
const held = schemas/* object */.Ikc({ Parameter: parameter });
const parameter_store_history = schemas/* object */.Ikc({
    Parameters: schemas/* array */.YOg(schemas/* object */.Ikc({ Version: schemas/* number */.aig(), KeyId: schemas/* nullish */.cl6(schemas/* string */.YjP()), Tier: schemas/* nullish */.cl6(schemas/* string */.YjP()) })),
    NextToken: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
const written = schemas/* object */.Ikc({ Version: schemas/* number */.aig() });
const TITLE = 'AWS Systems Manager Parameter Store';
const MAX_PAGES = 10;
/**
 * The link as an existing SecureString of the Parameter Store, and the state as another one with `_state` behind the name. A
 * write names key and tier of the version before: AWS encrypts with the account's default key otherwise.
 */
class ParameterStore {
    names;
    stateRight;
    #region;
    #service;
    #kinds = { link: { Type: 'SecureString' }, state: { Type: 'SecureString' } };
    constructor(name, init) {
        this.names = { link: name, state: `${name}_state` };
        this.stateRight = `right to read and put the parameter ${this.names.state}`;
        this.#region = init.region;
        const meaning = (failure) => this.#meaning(failure);
        this.#service = new AwsService({ ...init, service: 'ssm', title: TITLE, target: 'AmazonSSM', meaning });
    }
    async prepare() {
        const { ARN, Type, Value } = await this.#existing();
        const { link } = this.names;
        if (Type !== 'SecureString') {
            throw new errors/* CourierError */.Yw({
                code: 'config',
                message: `Parameter ${link} is a ${Type}, which is stored in the clear. Nothing was written.`,
                hint: `AWS does not change the type of a parameter. Delete it and create it again:\n${this.#creation()}`,
            });
        }
        assertOwn(`Parameter ${link}`, Value);
        const kind = await this.#latestKind();
        this.#kinds.link = kind;
        // A new state gets the same key. Advanced parameters cost money: the state is one only where somebody made it so.
        this.#kinds.state = { Type, KeyId: kind.KeyId };
        await this.#tryWrite();
        return ARN;
    }
    async read(part, signal) {
        try {
            const found = (await this.#get(part, signal)).Parameter;
            if (part === 'state' && found.Type !== this.#kinds.state.Type)
                this.#kinds.state = { Type: found.Type };
            return {
                value: found.Value,
                version: String(found.Version),
                writtenAtMs: Math.floor(found.LastModifiedDate * 1000),
            };
        }
        catch (error) {
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    async write(part, value, before, signal) {
        // A link is only ever the next version: one that was deleted meanwhile is not created again, with another key.
        const isNew = part === 'state' && before === undefined;
        if (part === 'link' && before === undefined)
            await this.#existing();
        const body = { Name: this.names[part], Value: value, ...this.#kinds[part], Overwrite: !isNew };
        try {
            return await this.#put(part, body, signal);
        }
        catch (error) {
            // Another run has created it meanwhile, or this one whose reply was lost.
            if (!isNew || !(0,errors/* hasCode */.up)(error, 'conflict'))
                throw error;
            return this.#put(part, { ...body, Overwrite: true }, signal);
        }
    }
    async #put(part, body, signal) {
        return String((await this.#send('PutParameter', part, body, written, signal)).Version);
    }
    #get(part, signal) {
        return this.#send('GetParameter', part, { Name: this.names[part], WithDecryption: true }, held, signal);
    }
    async #existing() {
        try {
            return (await this.#get('link')).Parameter;
        }
        catch (error) {
            if (!(0,errors/* hasCode */.up)(error, 'not-found'))
                throw error;
            throw error.with({
                message: `Parameter ${this.names.link} does not exist in ${this.#region}. ${error.message}`,
                hint: `Create it once; add --key-id for a key of your own:\n${this.#creation()}`,
            });
        }
    }
    /** AWS shows the key and the tier of one parameter in its history alone. */
    async #latestKind() {
        const versions = [];
        let token;
        for (let page = 0; page < MAX_PAGES; page += 1) {
            const body = { Name: this.names.link, MaxResults: 50, ...(token !== undefined && { NextToken: token }) };
            const found = await this.#send('GetParameterHistory', 'link', body, parameter_store_history);
            versions.push(...found.Parameters);
            token = found.NextToken || undefined;
            if (token === undefined)
                break;
        }
        const latest = versions.sort((a, b) => b.Version - a.Version)[0];
        return { Type: 'SecureString', KeyId: latest?.KeyId ?? undefined, Tier: latest?.Tier ?? undefined };
    }
    /** Asks to create what exists: AWS refuses it with the one answer if the run may write, and with another if not. */
    async #tryWrite() {
        const { link: Name } = this.names;
        try {
            await this.#send('PutParameter', 'link', { Name, Value: 'none', Type: 'SecureString', Overwrite: false }, written);
        }
        catch (error) {
            if (!(0,errors/* hasCode */.up)(error, 'conflict'))
                throw error;
        }
    }
    #send(operation, part, body, schema, signal) {
        // A write that is repeated makes one more version with the same value.
        return this.#service.send({ operation, name: this.names[part], body, repeat: 'always', signal }, schema);
    }
    #meaning({ type, message }) {
        switch (type) {
            case 'ParameterNotFound':
                return { code: 'not-found' };
            case 'ParameterAlreadyExists':
                return { code: 'conflict' };
            case 'ParameterMaxVersionLimitExceeded':
                return {
                    code: 'config',
                    hint: 'The oldest of its 100 versions has a label, so that AWS cannot remove it. Move the label to a newer version: aws ssm label-parameter-version',
                };
            case 'HierarchyTypeMismatchException':
                return {
                    code: 'config',
                    hint: `AWS does not change the type of a parameter. Delete it; it is created again:\naws ssm delete-parameter --region ${this.#region} --name ${this.names.state}`,
                };
            case 'InvalidKeyId':
                return { code: 'forbidden', hint: this.#keyHint() };
            case 'AccessDeniedException':
                return {
                    code: 'forbidden',
                    lacksPermission: true,
                    hint: /kms/i.test(message) ? this.#keyHint() : this.#policyHint(),
                };
            case 'ValidationException':
                return /4096|8192|maximum parameter value|tier/i.test(message)
                    ? {
                        code: 'config',
                        hint: `The value is longer than this parameter takes (4 KB, advanced 8 KB). Make it advanced once, which AWS charges for, or use aws-sm:\n${this.#creation()} --tier Advanced --overwrite`,
                    }
                    : undefined;
            default:
                return undefined;
        }
    }
    #creation() {
        return `aws ssm put-parameter --region ${this.#region} --name ${this.names.link} --type SecureString --value none`;
    }
    #policyHint() {
        return `The policy of the role or user does not allow this. This IAM policy is enough:\n${parameterPolicy(this.#region, this.names)}`;
    }
    #keyHint() {
        return `The parameter is encrypted by a KMS key that these credentials may not use, or that is turned off. Its users need:\n${keyPolicy(this.#region)}`;
    }
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./build/src/stores/aws/secrets-manager.js






// https://docs.aws.amazon.com/secretsmanager/latest/apireference/
const described = schemas/* object */.Ikc({
    ARN: schemas/* string */.YjP(),
    DeletedDate: schemas/* nullish */.cl6(schemas/* number */.aig()),
    OwningService: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    PrimaryRegion: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    RotationEnabled: schemas/* nullish */.cl6(schemas/* boolean */.zMY()),
    KmsKeyId: schemas/* nullish */.cl6(schemas/* string */.YjP()),
});
const secrets_manager_held = schemas/* object */.Ikc({ VersionId: schemas/* string */.YjP(), CreatedDate: schemas/* number */.aig(), SecretString: schemas/* optional */.lqM(schemas/* string */.YjP()) });
const secrets_manager_written = schemas/* object */.Ikc({ VersionId: schemas/* string */.YjP() });
// A label of no meaning: should the version to compare with be gone, the current one stays what it is.
const TRIAL_LABEL = 'docs-courier-check';
/**
 * The link as the whole string of an existing secret of Secrets Manager, and the state as another secret with `_state` behind
 * the name. A tag would show the state to whoever may list secrets, and has no versions.
 */
class SecretsManager {
    names;
    stateRight;
    #ids;
    #region;
    #service;
    #keyId;
    /** `name`: that of the secret, or its whole ARN. */
    constructor(name, init) {
        const plain = name.replace(/^arn:.*:secret:(.*)-[A-Za-z0-9]{6}$/, '$1');
        this.names = { link: plain, state: `${plain}_state` };
        this.stateRight = `right to read, put and create the secret ${this.names.state}`;
        // In another account a secret has no name; an ARN without its last six characters is understood.
        const isArn = name.startsWith('arn:');
        this.#ids = { link: name, state: isArn ? `${name.replace(/-[A-Za-z0-9]{6}$/, '')}_state` : this.names.state };
        this.#region = init.region;
        const meaning = (failure) => this.#meaning(failure);
        this.#service = new AwsService({
            ...init,
            service: 'secretsmanager',
            title: secrets_manager_TITLE,
            target: 'secretsmanager',
            meaning,
        });
    }
    async prepare() {
        const secret = await this.#describe();
        this.#keyId = secret.KmsKeyId ?? undefined;
        this.#refuse(secret);
        const now = await this.read('link');
        if (now === undefined)
            return secret.ARN;
        assertOwn(`Secret ${this.names.link}`, now.value);
        await this.#tryWrite(now);
        return secret.ARN;
    }
    async read(part, signal) {
        try {
            // Named because a policy can be bound to it.
            const body = { SecretId: this.#ids[part], VersionStage: 'AWSCURRENT' };
            const found = await this.#send('GetSecretValue', part, body, secrets_manager_held, signal);
            if (found.SecretString === undefined)
                throw this.#binary(part);
            return { value: found.SecretString, version: found.VersionId, writtenAtMs: Math.floor(found.CreatedDate * 1000) };
        }
        catch (error) {
            // No secret, or one without a value.
            if ((0,errors/* hasCode */.up)(error, 'not-found'))
                return undefined;
            throw error;
        }
    }
    async write(part, value, before, signal) {
        // The same write once more, after its reply was lost, has the same token, which makes no second version.
        const token = tokenOf([this.#ids[part], before?.version ?? '', value]);
        const body = { SecretId: this.#ids[part], SecretString: value, ClientRequestToken: token };
        try {
            return (await this.#send('PutSecretValue', part, body, secrets_manager_written, signal)).VersionId;
        }
        catch (error) {
            if (!(0,errors/* hasCode */.up)(error, 'not-found'))
                throw error;
            if (part === 'link')
                throw this.#missing(error);
        }
        return this.#create(body, signal);
    }
    async #create(body, signal) {
        const { SecretString, ClientRequestToken } = body;
        const created = {
            Name: this.names.state,
            Description: `State of the link in ${this.names.link}, written by docs-courier`,
            SecretString,
            ClientRequestToken,
            ...(this.#keyId !== undefined && { KmsKeyId: this.#keyId }),
        };
        try {
            return (await this.#send('CreateSecret', 'state', created, secrets_manager_written, signal)).VersionId;
        }
        catch (error) {
            // Another run has created it meanwhile.
            if (!(0,errors/* hasCode */.up)(error, 'conflict'))
                throw error;
            return (await this.#send('PutSecretValue', 'state', body, secrets_manager_written, signal)).VersionId;
        }
    }
    async #describe() {
        try {
            return await this.#send('DescribeSecret', 'link', { SecretId: this.#ids.link }, described);
        }
        catch (error) {
            throw (0,errors/* hasCode */.up)(error, 'not-found') ? this.#missing(error) : error;
        }
    }
    #missing(error) {
        return error.with({
            message: `Secret ${this.names.link} does not exist in ${this.#region}. ${error.message}`,
            hint: `Create it once, without a value:\naws secretsmanager create-secret --region ${this.#region} --name ${this.names.link}`,
        });
    }
    #refuse({ ARN, DeletedDate, OwningService, PrimaryRegion, RotationEnabled }) {
        const { link } = this.names;
        const isPart = this.#ids.link.startsWith('arn:') && this.#ids.link !== ARN;
        const isReplica = Boolean(PrimaryRegion) && PrimaryRegion !== this.#region;
        const own = 'Give the link a secret of its own.';
        const refusals = [
            [isPart, `The ARN of secret ${link} is not complete`, `Write the destination as aws-sm:${ARN}`],
            [Boolean(DeletedDate), `Secret ${link} is scheduled for deletion`, this.#restore('link')],
            [Boolean(OwningService), `Secret ${link} is managed by the service ${OwningService}`, own],
            [isReplica, `Secret ${link} is a replica of the one in ${PrimaryRegion}`, `Set aws-region: ${PrimaryRegion}`],
            [
                RotationEnabled === true,
                `Secret ${link} is rotated, which would replace the link`,
                'Turn its rotation off, or give the link a secret of its own.',
            ],
        ];
        const [, message, hint] = refusals.find(([applies]) => applies) ?? [];
        if (message === undefined)
            return;
        throw new errors/* CourierError */.Yw({ code: 'config', message: `${message}. Nothing was written.`, hint });
    }
    /** A version cannot be changed: AWS refuses this with the one answer if the run may write, and with another if not. */
    async #tryWrite({ version }) {
        const SecretId = this.#ids.link;
        const body = { SecretId, ClientRequestToken: version, SecretString: 'check', VersionStages: [TRIAL_LABEL] };
        try {
            await this.#send('PutSecretValue', 'link', body, secrets_manager_written);
        }
        catch (error) {
            if (!(0,errors/* hasCode */.up)(error, 'conflict'))
                throw error;
        }
    }
    #send(operation, part, body, schema, signal) {
        return this.#service.send({ operation, name: this.names[part], body, repeat: 'always', signal }, schema);
    }
    #meaning({ type, message, name }) {
        switch (type) {
            case 'ResourceNotFoundException':
                return { code: 'not-found' };
            case 'ResourceExistsException':
                return { code: 'conflict' };
            case 'InvalidRequestException':
                return {
                    code: 'config',
                    hint: /delet/i.test(message) ? this.#restore(name === this.names.state ? 'state' : 'link') : undefined,
                };
            case 'LimitExceededException':
                return {
                    code: 'config',
                    hint: 'AWS keeps every version of the last 24 hours, about 100 of a secret: write it less often than every ten minutes.',
                };
            case 'DecryptionFailure':
            case 'EncryptionFailure':
                return { code: 'forbidden', hint: this.#keyHint() };
            case 'AccessDeniedException':
                return {
                    code: 'forbidden',
                    lacksPermission: true,
                    hint: /kms/i.test(message) ? this.#keyHint() : this.#policyHint(),
                };
            default:
                return undefined;
        }
    }
    #policyHint() {
        return `The secret does not exist in ${this.#region}, or the policy of the role or user does not allow this. This IAM policy is enough:\n${secretPolicy(this.#region, this.names)}`;
    }
    #keyHint() {
        return `The secret is encrypted by a KMS key that these credentials may not use, or that is turned off. Its users need:\n${keyPolicy(this.#region)}`;
    }
    #restore(part) {
        return `Restore it, or give another name:\naws secretsmanager restore-secret --region ${this.#region} --secret-id ${this.names[part]}`;
    }
    #binary(part) {
        return new errors/* CourierError */.Yw({
            code: 'config',
            message: `Secret ${this.names[part]} holds binary data, which is no link. Nothing was written.`,
            hint: 'Give the link a secret of its own.',
        });
    }
}
const secrets_manager_TITLE = 'AWS Secrets Manager';
/** 64 characters, the most that AWS takes. */
function tokenOf(parts) {
    return (0,external_node_crypto_.createHash)('sha256').update(JSON.stringify(parts)).digest('hex');
}

;// CONCATENATED MODULE: ./build/src/stores/aws/store.js







const TEN_MINUTES_MS = 10 * 60_000;
// AWS may show the former value for a moment after it has taken the new one.
const READ_BACK_WAITS_MS = [200, 400, 800, 1600, 3200];
/** A secret of AWS Secrets Manager or a parameter of the Parameter Store, with the state in a second one of the same kind. */
class AwsStore {
    names;
    can;
    #init;
    #login;
    #texts;
    #arn;
    #hasWarned = false;
    constructor(init) {
        const { address, credentials, env, http, clock, mask } = init;
        const { name, scheme } = address;
        const region = regionOf(name, credentials.region, env);
        const { role } = credentials;
        this.#init = init;
        const idToken = async () => init.idToken(role?.audience ?? '');
        this.#login = new AwsLogin({ role: role && { arn: role.arn, idToken }, region, env, http, mask, clock });
        const common = { region, env, http, clock, login: this.#login };
        const isSecret = scheme === 'aws-sm';
        // The whole of a secret; a standard parameter, which nobody has to pay for.
        this.can = { atomic: false, verify: 'value', maxStateBytes: isSecret ? 65_536 : 4096 };
        this.#texts = isSecret ? new SecretsManager(name, common) : new ParameterStore(name, common);
        const { link, state } = this.#texts.names;
        const kind = isSecret ? 'secret' : 'parameter';
        const where = `${isSecret ? 'AWS Secrets Manager' : 'the AWS Parameter Store'} in ${region}`;
        this.names = {
            destination: (0,stores_address/* formatAddress */.M0)(address),
            name: link,
            target: where,
            link: `${kind} ${link} of ${where}`,
            state: `${kind} ${state} of ${where}`,
            stateRight: this.#texts.stateRight,
        };
    }
    /**
     * Bound to the destination by its ARN, which says account and region: a name alone means another destination in another account. Known
     * once the store is open.
     */
    get signed() {
        if (this.#arn === undefined)
            throw new Error('The store must be open before anything is signed for it.');
        return { address: `${this.#init.address.scheme}:${this.#arn}` };
    }
    async open() {
        this.#arn ??= await this.#texts.prepare();
        return this.#snapshot();
    }
    async check() {
        const what = this.names.link;
        try {
            const { link, stateError } = await this.open();
            const detail = link === undefined ? 'It exists and holds no link yet.' : `Version ${link.version} can be read and replaced.`;
            const found = { what, outcome: 'ok', detail };
            if (stateError === undefined)
                return [found];
            const lost = `${stateError.message} An export writes the link without it; a refresh fails.`;
            return [found, { ...(0,port/* failedCheck */.W)(this.names.state, stateError), outcome: 'warning', detail: lost }];
        }
        catch (error) {
            return [(0,port/* failedCheck */.W)(what, error)];
        }
    }
    /** AWS has no guarded write: what is there is read once more before, so that another writer is noticed but for a moment. */
    async write({ link, state }, seen, signal) {
        // The keys of before the export may have expired. After a cancellation there is no time for a login.
        if (signal === undefined)
            await this.#login.renew();
        if (link !== undefined)
            await this.#replace('link', link, seen, signal);
        if (state !== undefined)
            await this.#replace('state', state, seen, signal);
        return this.#snapshot(signal);
    }
    async #replace(part, value, seen, signal) {
        const before = await this.#texts.read(part, signal);
        if (before?.value === value)
            return;
        if (before?.version !== versionsOf(seen)[part])
            throw this.#conflict(part, 'Nothing was written.');
        if (part === 'link')
            this.#warnOfVersions(before);
        const version = await this.#texts.write(part, value, before, signal);
        await this.#confirm(part, { value, version }, before, signal);
    }
    async #confirm(part, { value, version }, before, signal) {
        for (const waitMs of [0, ...READ_BACK_WAITS_MS]) {
            if (waitMs > 0)
                await this.#init.clock.sleep(waitMs, signal);
            const now = await this.#readBack(part, signal);
            if (now?.value === value)
                return;
            if (now?.version !== before?.version && now?.version !== version)
                throw this.#conflict(part, '', true);
        }
        throw new errors/* CourierError */.Yw({
            code: 'integrity',
            message: `AWS accepted the write of the ${this.names[part]} as version ${version} and still shows the former one.`,
            hint: 'Run again later: AWS may need more time.',
            mayHaveStarted: true,
        });
    }
    async #readBack(part, signal) {
        try {
            return await this.#texts.read(part, signal);
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw))
                throw error;
            throw error.with({
                message: `The ${this.names[part]} was written and could not be read again. ${error.message}`,
                mayHaveStarted: true,
            });
        }
    }
    async #snapshot(signal) {
        const link = await this.#texts.read('link', signal);
        try {
            const state = await this.#texts.read('state', signal);
            return snapshotOf(link, state);
        }
        catch (error) {
            if (!(0,errors/* hasCode */.up)(error, 'forbidden') || !error.lacksPermission)
                throw error;
            return { ...snapshotOf(link, undefined), stateError: error };
        }
    }
    #warnOfVersions(before) {
        const isSecret = this.#init.address.scheme === 'aws-sm';
        const agoMs = before === undefined ? TEN_MINUTES_MS : this.#init.clock.now() - before.writtenAtMs;
        if (!isSecret || this.#hasWarned || agoMs >= TEN_MINUTES_MS)
            return;
        this.#hasWarned = true;
        this.#init.warn(`The ${this.names.link} was last written less than ten minutes ago. AWS keeps every version of a secret for a day, about 100 of them, and then takes no more: write it less often, or use aws-ssm.`);
    }
    #conflict(part, what, mayHaveStarted = false) {
        return new errors/* CourierError */.Yw({
            code: 'conflict',
            message: `Another writer has changed the ${this.names[part]} since this run read it. ${what}`.trim(),
            hint: 'Let only one run at a time write a destination: use a concurrency group.',
            mayHaveStarted,
        });
    }
}
function snapshotOf(link, state) {
    // What the commands of the documentation create holds `none`, since AWS takes no empty text.
    const isLink = link !== undefined && /^https?:\/\//.test(link.value);
    return {
        link: isLink
            ? { digest: (0,port/* linkDigest */.l)(link.value.trimEnd()), writtenAtMs: link.writtenAtMs, version: link.version }
            : undefined,
        state: state?.value,
        stateWrittenAtMs: state?.writtenAtMs,
        version: [link, state].map((text) => text?.version ?? '').join(' '),
    };
}
function versionsOf({ version = '' }) {
    const [link, state] = version.split(' ');
    return { link: link || undefined, state: state || undefined };
}


/***/ })

};
