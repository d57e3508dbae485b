export const id = 949;
export const ids = [949];
export const modules = {

/***/ 2437:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  D: () => (/* binding */ openDelivery)
});

// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
;// CONCATENATED MODULE: ./build/ci/github-actions/write-events.js


const ALLOWED = new Set([
    'push',
    'schedule',
    'workflow_dispatch',
    'repository_dispatch',
    'release',
]);
const workflowRunEvent = schemas/* object */.Ikc({ workflow_run: schemas/* object */.Ikc({ head_repository: schemas/* object */.Ikc({ full_name: schemas/* string */.YjP() }) }) });
const pullRequestEvent = schemas/* object */.Ikc({
    action: schemas/* literal */.euz('closed'),
    pull_request: schemas/* object */.Ikc({ merged: schemas/* literal */.euz(true), base: schemas/* object */.Ikc({ repo: schemas/* object */.Ikc({ full_name: schemas/* string */.YjP() }) }) }),
});
/**
 * Secrets are written only on events that people with write access cause. Comments, open pull requests and runs of forks
 * are in the hands of strangers: a link to what they changed must not reach the deployment. Throws `refused`.
 */
async function checkSecretEvent(github) {
    const { eventName, repository } = github.run;
    if (ALLOWED.has(eventName))
        return;
    const same = (name) => name.toLowerCase() === repository.toLowerCase();
    if (eventName === 'workflow_run') {
        const event = workflowRunEvent.safeParse(await github.event());
        if (event.success && same(event.data.workflow_run.head_repository.full_name))
            return;
    }
    if (eventName === 'pull_request') {
        const event = pullRequestEvent.safeParse(await github.event());
        if (event.success && same(event.data.pull_request.base.repo.full_name))
            return;
    }
    throw new errors/* CourierError */.Yw({
        code: 'refused',
        message: `The event ${eventName === '' ? '(none)' : eventName} may not write secrets: people without write access can cause it.`,
        hint: 'Secrets are written on push, schedule, workflow_dispatch, repository_dispatch, release, a workflow_run of this repository, and a merged pull request:\non:\n  push:\n    branches: [main]',
    });
}

;// CONCATENATED MODULE: ./build/store/github/permissions.js
// The action forwards every input that begins with `permission-`, also those that it does not list: the variables
// permissions of a repository and of an organization are given to it by the environment.
const ADVICE = {
    repository: {
        secrets: 'repository permission "Secrets: Read and write"',
        variables: 'repository permission "Variables: Read and write"',
        names: ['secrets', 'actions_variables'],
        yaml: tokenYaml({
            variables: 'INPUT_PERMISSION-ACTIONS-VARIABLES',
            inputs: ['permission-secrets: write # the public key and the secret'],
        }),
    },
    environment: {
        secrets: 'repository permission "Environments: Read and write"',
        variables: 'repository permission "Environments: Read and write"',
        names: ['environments'],
        yaml: tokenYaml({
            variables: undefined,
            inputs: ['permission-environments: write # public key, secret and variables of the environment'],
        }),
    },
    organization: {
        secrets: 'organization permission "Secrets: Read and write"',
        variables: 'organization permission "Variables: Read and write"',
        names: ['organization_secrets', 'organization_actions_variables'],
        yaml: tokenYaml({
            variables: 'INPUT_PERMISSION-ORGANIZATION-ACTIONS-VARIABLES',
            inputs: [
                'owner: ${{ github.repository_owner }}',
                'repositories: website, helm-charts # the token must see the repositories that shall see the secret',
                'permission-organization-secrets: write # the public key and the secret',
            ],
        }),
    },
};
function permissionAdvice(scope) {
    return ADVICE[scope];
}
const HOMEPAGE = 'https://github.com/docs-courier/docs-courier';
/**
 * Address of GitHub's form for a new App, filled in but for the name
 * (docs.github.com: Registering a GitHub App using URL parameters). For an organization, ORGANIZATION is to be replaced.
 */
function newAppAddress(scope) {
    const owner = scope === 'organization' ? 'organizations/ORGANIZATION/' : '';
    const query = new URLSearchParams({ url: HOMEPAGE, public: 'false', webhook_active: 'false' });
    for (const name of ADVICE[scope].names)
        query.set(name, 'write');
    return `https://github.com/${owner}settings/apps/new?${query}`;
}
/**
 * Address of GitHub's form for a fine-grained personal access token, filled in but for the repositories
 * (docs.github.com: Managing your personal access tokens, URL parameters).
 */
function newTokenAddress(scope) {
    const query = new URLSearchParams({ name: 'docs-courier', expires_in: '90' });
    for (const name of ADVICE[scope].names)
        query.set(name, 'write');
    return `https://github.com/settings/personal-access-tokens/new?${query}`;
}
/** The step, and how Docs Courier gets its token: lines to paste, for the hint of an error. */
function tokenSteps({ yaml }) {
    return `${yaml}\n# and in the step of Docs Courier, under with:\n#   secret-token: \${{ steps.app-token.outputs.token }}`;
}
function tokenYaml({ variables, inputs }) {
    const env = variables === undefined ? [] : ['  env:', `    ${variables}: write # the state variable beside the secret`];
    return [
        '- id: app-token',
        '  uses: actions/create-github-app-token@bcd2ba49218906704ab6c1aa796996da409d3eb1 # v3.2.0',
        ...env,
        '  with:',
        '    client-id: ${{ vars.DOCS_APP_CLIENT_ID }}',
        '    private-key: ${{ secrets.DOCS_APP_PRIVATE_KEY }}',
        ...inputs.map((line) => `    ${line}`),
    ].join('\n');
}

;// CONCATENATED MODULE: ./build/store/github/scope.js

function settingScope(target) {
    switch (target.scope) {
        case 'repository':
            return { path: '/repos/{owner}/{repo}/actions', parameters: ownerAndRepo(target.repository) };
        case 'environment':
            return {
                path: '/repos/{owner}/{repo}/environments/{environment_name}',
                parameters: { ...ownerAndRepo(target.repository), environment_name: pathPart(target.environment) },
            };
        case 'organization':
            return { path: '/orgs/{org}/actions', parameters: { org: target.organization } };
    }
}
// Octokit escapes `/` and what else may not stand in a path, but dots alone would lead to the folder above.
function pathPart(environment) {
    if (environment !== '.' && environment !== '..')
        return environment;
    throw new errors/* CourierError */.Yw({
        code: 'config',
        message: `secret-environment is "${environment}", which cannot stand in the address of a request; nothing was sent.`,
        hint: 'Give the name of an environment as it stands under Settings, Environments.',
    });
}
function ownerAndRepo(repository) {
    const [owner = '', repo = ''] = repository.split('/');
    return { owner, repo };
}
/** `repository acme/app`, `environment production of acme/app`, `organization acme`. */
function targetName(target) {
    switch (target.scope) {
        case 'repository':
            return `repository ${target.repository}`;
        case 'environment':
            return `environment ${target.environment} of ${target.repository}`;
        case 'organization':
            return `organization ${target.organization}`;
    }
}

;// CONCATENATED MODULE: ./build/store/github/advice.js



/** A failed call about a secret or a variable, with what the token or the inputs lack. What is no CourierError goes through. */
function explainSettingError(error, call) {
    if (!(error instanceof errors/* CourierError */.Yw))
        return error;
    const hint = hintOf(error, call);
    if (hint === undefined)
        return error;
    return new errors/* CourierError */.Yw({
        code: error.code,
        message: `Could not ${call.action} of ${targetName(call.target)}. ${error.message}`,
        hint,
        httpStatus: error.httpStatus,
        retryAfterMs: error.retryAfterMs,
        mayHaveStarted: error.mayHaveStarted,
        cause: error,
    });
}
function hintOf(error, { target, kind }) {
    const advice = permissionAdvice(target.scope);
    const lacks = `secret-token needs the ${advice[kind]}. With a GitHub App:\n${tokenSteps(advice)}`;
    switch (error.code) {
        case 'unauthorized':
            return `secret-token was not accepted: it has expired (an App token lives an hour), was revoked, or is for another server. For a new one, ${lacks}`;
        case 'forbidden':
            return lacks;
        case 'not-found':
            return `${whereToLook(target)} Otherwise ${lacks}`;
        case 'config':
            return `GitHub took the request for wrong. Check secret-name and the inputs of secret-scope: ${target.scope}; ${lacks}`;
        default:
            return error.hint;
    }
}
function whereToLook(target) {
    switch (target.scope) {
        case 'repository':
            return `Check that ${target.repository} exists and that secret-token (an App: its installation) covers it.`;
        case 'environment':
            return `Check that ${target.repository} has an environment of exactly the name "${target.environment}" (Settings, Environments) and that secret-token covers the repository.`;
        case 'organization':
            return `Check that ${target.organization} is an organization and that secret-token belongs to it.`;
    }
}
/** The workflow's own token can be granted no permission that reaches secrets: told before any request. */
function workflowTokenError(target) {
    const advice = permissionAdvice(target.scope);
    return new errors/* CourierError */.Yw({
        code: 'forbidden',
        message: `secret-token is the workflow's own token, which can never write secrets; nothing was sent.`,
        hint: `Use the token of a GitHub App, or a personal access token, with the ${advice.secrets} and the ${advice.variables}:\n${tokenSteps(advice)}`,
    });
}

// EXTERNAL MODULE: ./build/github/reply.js
var reply = __webpack_require__(1050);
;// CONCATENATED MODULE: ./build/store/github/access.js




const repositoryIds = schemas/* object */.Ikc({ total_count: schemas/* number */.aig(), repositories: schemas/* array */.YOg(schemas/* object */.Ikc({ id: schemas/* number */.aig() })) });
const repositoryId = schemas/* object */.Ikc({ id: schemas/* number */.aig() });
const PAGE_SIZE = 100;
// Far more repositories than an organization lists by hand; a reply that never ends must not keep us.
const MAX_PAGES = 100;
/** What the inputs say, else what stands; undefined for the scopes that have no visibility. */
async function readAccess(init) {
    const { target, name, existing } = init;
    if (target.scope !== 'organization')
        return undefined;
    const visibility = target.visibility ?? existing?.visibility;
    if (visibility === undefined)
        throw missing(`${name} is new to organization ${target.organization}`, 'secret-visibility');
    if (visibility !== 'selected')
        return { visibility, repositoryIds: undefined };
    if (target.selectedRepositories !== undefined) {
        return { visibility, repositoryIds: await resolveIds(init, target.organization, target.selectedRepositories) };
    }
    if (existing?.visibility !== 'selected')
        throw missing('With visibility selected', 'secret-selected-repositories');
    return { visibility, repositoryIds: await listSelected(init) };
}
function missing(why, input) {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `${why}: ${input} is needed.`,
        hint: {
            text: 'Say which repositories may read the secret (selected, private or all):',
            inputs: { 'secret-visibility': 'selected', 'secret-selected-repositories': 'acme/app' },
        },
    });
}
async function resolveIds(init, organization, names) {
    const ids = [];
    for (const name of names) {
        const fullName = name.includes('/') ? name : `${organization}/${name}`;
        ids.push(/^\d+$/.test(name) ? Number(name) : await resolveId(init, fullName));
    }
    return [...new Set(ids)];
}
async function resolveId({ octokit, explained }, fullName) {
    const place = ownerAndRepo(fullName);
    try {
        const { data } = await explained(`look up ${fullName} for the secret`, () => octokit.request('GET /repos/{owner}/{repo}', place));
        return (0,reply/* readReply */.Xw)(repositoryId, data).id;
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw) || error.code !== 'not-found')
            throw error;
        throw new errors/* CourierError */.Yw({
            code: 'not-found',
            message: `secret-selected-repositories names ${fullName}, which secret-token does not see.`,
            hint: 'Check the name, give the id instead, or let the token cover the repository.',
            cause: error,
        });
    }
}
async function listSelected({ octokit, target, name, explained }) {
    const { path, parameters } = settingScope(target);
    const ids = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
        const { data } = await explained(`list the repositories that see secret ${name}`, () => octokit.request(`GET ${path}/secrets/{secret_name}/repositories`, {
            ...parameters,
            secret_name: name,
            per_page: PAGE_SIZE,
            page,
        }));
        const { total_count: total, repositories } = (0,reply/* readReply */.Xw)(repositoryIds, data);
        ids.push(...repositories.map(({ id }) => id));
        if (repositories.length === 0 || ids.length >= total)
            break;
    }
    return ids;
}
/** The fields of a request body for it. */
function accessFields(access) {
    if (access === undefined)
        return {};
    const { visibility, repositoryIds } = access;
    return { visibility, ...(repositoryIds !== undefined && { selected_repository_ids: repositoryIds }) };
}

;// CONCATENATED MODULE: ./build/store/github/sealed-box.js

const KEY_BYTES = 32;
/** GitHub's limit for one secret. */
const LONGEST_SECRET_BYTES = 48 * 1024;
/** Seals a secret for the holder of a public key (X25519, base64): a libsodium sealed box, base64. Two seals always differ. */
async function seal(value, publicKey) {
    const bytes = Buffer.byteLength(value);
    if (bytes === 0 || bytes > LONGEST_SECRET_BYTES) {
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: `A secret of ${bytes} bytes cannot be written: GitHub takes 1 to ${LONGEST_SECRET_BYTES}.`,
        });
    }
    const key = readKey(publicKey);
    const { default: sodium } = await __webpack_require__.e(/* import() */ 768).then(__webpack_require__.bind(__webpack_require__, 4768));
    await sodium.ready;
    try {
        return Buffer.from(sodium.crypto_box_seal(value, key)).toString('base64');
    }
    catch (cause) {
        throw unusableKey(cause);
    }
}
function readKey(publicKey) {
    const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(publicKey);
    const key = Buffer.from(isBase64 ? publicKey : '', 'base64');
    if (key.length !== KEY_BYTES || key.every((byte) => byte === 0))
        throw unusableKey();
    return key;
}
function unusableKey(cause) {
    return new errors/* CourierError */.Yw({
        code: 'protocol',
        message: 'The public key that GitHub gave for sealing secrets is not a usable X25519 key of 32 bytes.',
        hint: 'Nothing was written. If a proxy stands between the runner and GitHub, look whether it changes replies.',
        cause,
    });
}

;// CONCATENATED MODULE: ./build/store/github/secret.js







const publicKey = schemas/* object */.Ikc({ key_id: schemas/* string */.YjP(), key: schemas/* string */.YjP() });
const metadata = schemas/* object */.Ikc({
    updated_at: schemas/* string */.YjP(),
    visibility: schemas/* optional */.lqM(schemas/* enum */.k5n(['all', 'private', 'selected'])),
});
const secretList = schemas/* object */.Ikc({ total_count: schemas/* number */.aig() });
// Replicas of GitHub show a write with a delay; its timestamps have whole seconds, of another machine's clock.
const VISIBLE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 1000;
const CLOCK_SLACK_MS = 5000;
// https://docs.github.com/actions/reference/security/secrets, limits.
const MOST_SECRETS = { repository: 100, environment: 100, organization: 1000 };
/** Reads the public key and what stands there: a token that cannot reach the secret fails here, before anything is started. */
async function openSecret(init) {
    const api = secretApi(init);
    await api.readKey();
    const existing = await api.readMetadata();
    const access = await readAccess({ ...init, existing, explained: api.explained });
    return {
        access,
        async write(value) {
            const before = await api.readMetadata();
            const { status, writtenAtMs } = await writeSealed({ api, init, value, access, isNew: before === undefined });
            if (status === 204)
                await awaitWrite({ api, init, before, writtenAtMs });
        },
    };
}
function secretApi({ octokit, target, name }) {
    const { path, parameters } = settingScope(target);
    const named = { ...parameters, secret_name: name };
    async function explained(action, call) {
        try {
            return await call();
        }
        catch (error) {
            throw explainSettingError(error, { target, kind: 'secrets', action });
        }
    }
    return {
        explained,
        readKey: () => explained('read the public key', async () => {
            const { data } = await octokit.request(`GET ${path}/secrets/public-key`, { ...parameters });
            return (0,reply/* readReply */.Xw)(publicKey, data);
        }),
        readMetadata: () => explained(`read the date of secret ${name}`, async () => {
            try {
                const { data } = await octokit.request(`GET ${path}/secrets/{secret_name}`, named);
                return (0,reply/* readReply */.Xw)(metadata, data);
            }
            catch (error) {
                if (error instanceof errors/* CourierError */.Yw && error.code === 'not-found')
                    return undefined;
                throw error;
            }
        }),
        put: async (body) => {
            const { status, headers } = await octokit.request(`PUT ${path}/secrets/{secret_name}`, { ...named, ...body });
            const at = Date.parse(headers.date ?? '');
            return { status, writtenAtMs: Number.isNaN(at) ? undefined : at };
        },
        count: async () => {
            const { data } = await octokit.request(`GET ${path}/secrets`, { ...parameters, per_page: 1 });
            return (0,reply/* readReply */.Xw)(secretList, data).total_count;
        },
    };
}
async function writeSealed({ api, init, value, access, isNew }) {
    const attempt = async () => {
        const { key, key_id } = await api.readKey();
        const encrypted_value = await seal(value, key);
        return api.put({ encrypted_value, key_id, ...accessFields(access) });
    };
    const action = `write secret ${init.name}`;
    try {
        return await attempt();
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw))
            throw error;
        if (isNew && (await isFull(error, api, init)))
            throw fullError(error, init);
        // The key may have been changed between reading it and writing: once more, with the key of now.
        if (error.httpStatus === 422)
            return api.explained(action, attempt);
        throw explainSettingError(error, { target: init.target, kind: 'secrets', action });
    }
}
// GitHub refuses a secret beyond the limit with a status that it also uses for other reasons; the count tells.
async function isFull(error, api, { target }) {
    if (error.httpStatus !== 422 && error.httpStatus !== 403)
        return false;
    try {
        return (await api.count()) >= MOST_SECRETS[target.scope];
    }
    catch (failed) {
        if (failed instanceof errors/* CourierError */.Yw && failed.code !== 'cancelled')
            return false;
        throw failed;
    }
}
function fullError(cause, { name, target }) {
    return new errors/* CourierError */.Yw({
        code: 'forbidden',
        message: `Secret ${name} was not written: ${targetName(target)} already has ${MOST_SECRETS[target.scope]} secrets, which is GitHub's limit.`,
        hint: 'Delete a secret that is no longer used, take the name of an existing one, or another secret-scope.',
        httpStatus: cause.httpStatus,
        cause,
    });
}
/** A 204 says that the secret was accepted; its date says that it was changed. */
async function awaitWrite({ api, init, before, writtenAtMs }) {
    const { clock, signal, name, target } = init;
    const endMs = clock.monotonicMs() + VISIBLE_WITHIN_MS;
    for (;;) {
        const now = await api.readMetadata();
        if (now !== undefined && isWritten(now, before, writtenAtMs))
            return;
        if (clock.monotonicMs() >= endMs)
            break;
        await clock.sleep(LOOK_EVERY_MS, signal);
    }
    throw new errors/* CourierError */.Yw({
        code: 'integrity',
        message: `GitHub accepted secret ${name} of ${targetName(target)}, but still shows it unchanged after ${VISIBLE_WITHIN_MS / 1000} s.`,
        hint: 'The secret may hold the former link or the new one. Run again to write it once more.',
    });
}
function isWritten(now, before, writtenAtMs) {
    if (now.updated_at !== before?.updated_at)
        return true;
    const updatedMs = Date.parse(now.updated_at);
    return writtenAtMs !== undefined && updatedMs >= writtenAtMs - CLOCK_SLACK_MS;
}

;// CONCATENATED MODULE: ./build/delivery/scope.js
/** What every state of this place begins with. */
function stateFrame({ init, found }) {
    return { version: 1, domain: init.domain ?? found?.domain, baseUrl: init.baseUrl };
}
/** This run's share in a state. */
function runIds({ deps }) {
    const { runId, job } = deps.github.run;
    return { id: runId, job };
}

// EXTERNAL MODULE: ./build/delivery/state.js
var delivery_state = __webpack_require__(7456);
;// CONCATENATED MODULE: ./build/delivery/deliver-link.js




/** Writes the link into the secret, and job and expiry beside it. */
async function deliverLink(context, delivered) {
    const { book, init } = context;
    const stored = await readStored(context, delivered);
    const state = nextState(context, delivered, stored);
    const before = stateBefore(state, stored);
    if (before !== undefined)
        await writeState(context, before, 'the secret still holds the earlier link');
    await writeSecret({ context, delivered, stored, before });
    if (before !== state) {
        tellSecret(context, { updated: true, stateWritten: false });
        const variable = (0,delivery_state/* variableName */.cG)(init.secret.name);
        const meaning = `the secret holds the new link, but ${variable} does not tell how long it lives: the next refresh comes too early, which does no harm`;
        await writeState(context, state, meaning);
    }
    return tellSecret(context, { updated: true, stateWritten: book.isKept });
}
async function readStored({ book }, { jobId }) {
    try {
        return await book.readAgain();
    }
    catch (error) {
        throw withMeaning(error, `Nothing was written. The export is not lost: attach to it with export-job-id: ${jobId}.`);
    }
}
function nextState(context, { jobId, link }, stored) {
    const own = { ...runIds(context), state: 'done', jobId };
    const run = context.init.mode === 'refresh' ? stored?.run : own;
    return { ...stateFrame(context), jobId, expiresAt: link.expiresAt?.toISOString(), run };
}
/**
 * What the state must say before the secret is written, so that a crash between the two makes a refresh come too early, never
 * too late, and never with an earlier export than the secret holds. undefined: what it says already.
 */
function stateBefore(state, stored) {
    if (expiresEarlier(state, stored))
        return state;
    return stored?.jobId === state.jobId ? undefined : { ...state, expiresAt: undefined };
}
function expiresEarlier({ expiresAt }, stored) {
    if (stored?.expiresAt === undefined)
        return false;
    return expiresAt === undefined || Date.parse(expiresAt) < Date.parse(stored.expiresAt);
}
async function writeState({ book }, state, meaning) {
    try {
        await book.write(state);
    }
    catch (error) {
        throw withMeaning(error, `The state was not written: ${meaning}.`);
    }
}
async function writeSecret({ context, delivered, stored, before }) {
    const { store, init, deps } = context;
    const { jobId, link } = delivered;
    try {
        await store.write(link.url);
        deps.log.info(`Wrote the link to secret ${init.secret.name} of ${targetName(init.secret.target)}.`);
    }
    catch (error) {
        tellSecret(context, { updated: false, stateWritten: false, reason: 'the write failed' });
        const isCertain = error instanceof errors/* CourierError */.Yw && hasNotActed(error);
        if (isCertain && before !== undefined)
            await putBack(context, stored);
        const holds = isCertain
            ? 'The secret still holds what it held before.'
            : 'The secret holds the former link or the new one; the next refresh writes it once more.';
        throw withMeaning(error, `${holds} The export is not lost: attach to it with export-job-id: ${jobId}, which starts no second export.`);
    }
}
// After a cut, a 5xx, or a write that was accepted and does not show, nobody knows what the secret holds.
function hasNotActed({ code, mayHaveStarted }) {
    return !mayHaveStarted && code !== 'cancelled' && code !== 'integrity';
}
/** Best effort: a state that names this job already makes the next refresh hand it on, which is no harm. */
async function putBack(context, stored) {
    try {
        await context.book.write(stored ?? stateFrame(context));
    }
    catch (error) {
        if (!(error instanceof errors/* CourierError */.Yw))
            throw error;
        context.deps.log.debug(`The state was not put back: ${error.message}`);
    }
}
/** Tells what has become of the secret so far, and returns it. */
function tellSecret({ init, book, deps }, facts) {
    const { name, target } = init.secret;
    const noState = book.isKept ? undefined : `without ${(0,delivery_state/* variableName */.cG)(name)}: the token may not write variables`;
    const secret = { ...facts, name, target: targetName(target), reason: facts.reason ?? noState };
    deps.tell({ secret });
    return secret;
}
function withMeaning(error, meaning) {
    if (!(error instanceof errors/* CourierError */.Yw) || error.code === 'cancelled')
        return error;
    const { code, message, hint, httpStatus, retryAfterMs } = error;
    return new errors/* CourierError */.Yw({ code, message: `${message} ${meaning}`, hint, cause: error, httpStatus, retryAfterMs });
}

;// CONCATENATED MODULE: ./build/delivery/started-export.js


function createExportNote(context) {
    const { book, found, deps } = context;
    // Job and expiry of the link that the secret still holds stay: a refresh in between must go on working.
    async function mark(run) {
        const { jobId, expiresAt } = found ?? {};
        await book.write({ ...stateFrame(context), jobId, expiresAt, run: { ...runIds(context), ...run } });
    }
    return {
        markStarting: () => mark({ state: 'starting' }),
        async markStarted(jobId) {
            try {
                await mark({ state: 'started', jobId });
            }
            catch (error) {
                // The run ends here, and nothing but the log tells a person how to go on with what was started.
                deps.log.info(`Export job ${jobId} goes on. To attach another run to it, add to the step: export-job-id: ${jobId}`);
                throw error;
            }
        },
        async unmarkStarting() {
            try {
                await book.restore(stateFrame(context));
            }
            catch (error) {
                if (!(error instanceof errors/* CourierError */.Yw))
                    throw error;
                deps.log.debug(`The note of the start was not taken back: ${error.message}`);
            }
        },
    };
}

;// CONCATENATED MODULE: ./build/store/github/variable.js






const variable = schemas/* object */.Ikc({ value: schemas/* string */.YjP() });
function openVariable({ octokit, target, name, access }) {
    const { path, parameters } = settingScope(target);
    // Not called `name`: that is the name of a field in the body, and the path's part must not become one.
    const named = { ...parameters, variable: name };
    const explain = (error, verb) => explainSettingError(error, { target, kind: 'variables', action: `${verb} variable ${name}` });
    const update = (value) => octokit.request(`PATCH ${path}/variables/{variable}`, { ...named, value, ...accessFields(access) });
    const create = (value) => octokit.request(`POST ${path}/variables`, { ...parameters, name, value, ...accessFields(access) });
    return {
        async read() {
            try {
                const { data } = await octokit.request(`GET ${path}/variables/{variable}`, named);
                return (0,reply/* readReply */.Xw)(variable, data).value;
            }
            catch (error) {
                if (isCode(error, 'not-found'))
                    return undefined;
                throw explain(error, 'read');
            }
        },
        async write(value) {
            try {
                await set({ update: () => update(value), create: () => create(value) });
            }
            catch (error) {
                throw explain(error, 'write');
            }
        },
    };
}
const MAX_ROUNDS = 3;
async function set({ update, create }) {
    for (let round = 1;; round += 1) {
        try {
            await update();
            return;
        }
        catch (error) {
            if (!isCode(error, 'not-found'))
                throw error;
        }
        try {
            await create();
            return;
        }
        catch (error) {
            // Made by someone else meanwhile, or perhaps by this very call, whose reply was lost: the update tells.
            const mayExist = isCode(error, 'conflict') || (error instanceof errors/* CourierError */.Yw && error.mayHaveStarted);
            if (!mayExist || round === MAX_ROUNDS)
                throw error;
        }
    }
}
function isCode(error, code) {
    return error instanceof errors/* CourierError */.Yw && error.code === code;
}

;// CONCATENATED MODULE: ./build/delivery/stored-state.js





/** Reads the state. A token without the Variables permission is an error where the state is needed, else a warning. */
async function openStateBook(init, { log }) {
    const { place } = init;
    const name = (0,delivery_state/* variableName */.cG)(place.name);
    const variable = openVariable({ ...place, name });
    const proofPlace = { ...init, target: targetName(place.target), secretName: place.name };
    let isKept = true;
    let known;
    function giveUp(error) {
        const isForbidden = error instanceof errors/* CourierError */.Yw && error.code === 'forbidden' && error.httpStatus === 403;
        if (!isForbidden || init.needsState === true)
            throw error;
        isKept = false;
        log.warning(`secret-token lacks the ${permissionAdvice(place.target.scope).variables}: the secret is written without ${name}, so that a re-run cannot resume and refresh cannot work.`);
    }
    try {
        known = await variable.read();
    }
    catch (error) {
        giveUp(error);
    }
    const former = known;
    const found = believe({ proofPlace, text: former, domain: init.domain });
    if (found.kind === 'distrusted') {
        log.warning(`What stands in ${name} is not believed: ${found.why}. To go on with a known job, give export-job-id.`);
    }
    return {
        found,
        get isKept() {
            return isKept;
        },
        async write(state) {
            if (!isKept)
                return;
            const value = (0,delivery_state/* writeState */.Jq)(proofPlace, state);
            try {
                await variable.write(value);
                known = value;
            }
            catch (error) {
                giveUp(error);
            }
        },
        async restore(empty) {
            if (!isKept)
                return;
            const value = former ?? (0,delivery_state/* writeState */.Jq)(proofPlace, empty);
            await variable.write(value);
            known = value;
        },
        async readAgain() {
            if (!isKept)
                return undefined;
            const text = await variable.read();
            const now = believe({ proofPlace, text, domain: init.domain });
            const state = now.kind === 'believed' ? now.state : undefined;
            if (text === known)
                return state;
            const job = now.kind === 'believed' ? (now.state.run?.jobId ?? now.state.jobId ?? 'not known yet') : 'not known';
            log.warning(`Another run has written ${name} since this one read it (its job: ${job}). The last write wins: use a concurrency group per site.`);
            return state;
        },
    };
}
function believe({ proofPlace, text, domain }) {
    const read = (0,delivery_state/* readState */.un)(proofPlace, text);
    if (read.kind !== 'believed' || domain === undefined)
        return read;
    // A refresh that was given its job by id knows no site.
    const { domain: own = domain } = read.state;
    return own === domain ? read : { kind: 'distrusted', why: `it belongs to the site ${own}` };
}

;// CONCATENATED MODULE: ./build/delivery/delivery.js








/**
 * Reads all that a later write needs: the event, the token, the public key, the secret as it is, the state. A token that
 * cannot reach them fails here, within a second, and not after half an hour of exporting.
 */
async function openDelivery(init, deps) {
    const { secret, domain } = init;
    const { github, clock, signal } = deps;
    await checkSecretEvent(github);
    refuseWorkflowToken(secret);
    const octokit = await github.connect(secret.token);
    const place = { octokit, target: secret.target, name: secret.name };
    const store = await openSecret({ ...place, clock, signal });
    const book = await openStateBook({ ...init, place: { ...place, access: store.access } }, deps);
    const found = book.found.kind === 'believed' ? book.found.state : undefined;
    const context = { init, deps, store, book, found };
    return {
        state: book.found,
        resume: () => (0,delivery_state/* decideResume */.iF)({ state: found, run: github.run, domain }),
        ...createExportNote(context),
        deliver: (delivered) => deliverLink(context, delivered),
        plan: () => planDelivery(context),
    };
}
function refuseWorkflowToken({ token, workflowToken, target }) {
    if (token === workflowToken)
        throw workflowTokenError(target);
}
function planDelivery({ init, book }) {
    const { name, target } = init.secret;
    const where = targetName(target);
    const secret = { action: 'write the link', target: `secret ${name} of ${where}` };
    const state = { action: 'write the state', target: `variable ${(0,delivery_state/* variableName */.cG)(name)} of ${where}` };
    return book.isKept ? [secret, state] : [secret];
}


/***/ }),

/***/ 7456:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Jq: () => (/* binding */ writeState),
/* harmony export */   cG: () => (/* binding */ variableName),
/* harmony export */   iF: () => (/* binding */ decideResume),
/* harmony export */   nZ: () => (/* binding */ isDue),
/* harmony export */   un: () => (/* binding */ readState)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8395);
/* harmony import */ var _platform_contract_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7282);
/* harmony import */ var _proof_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7170);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5666);
/* harmony import */ var _text_path_id_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2761);





/** How far the run that wrote the state had come with an export of its own. */
const runState = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    job: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    state: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(['starting', 'started', 'done']),
    jobId: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(_text_path_id_js__WEBPACK_IMPORTED_MODULE_3__/* .isPathId */ .J))),
});
const stateContent = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    version: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .literal */ .euz(1),
    domain: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()),
    baseUrl: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    /** The finished job whose link is in the secret. */
    jobId: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(_text_path_id_js__WEBPACK_IMPORTED_MODULE_3__/* .isPathId */ .J))),
    /** ISO 8601, UTC; absent where the platform did not say. */
    expiresAt: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB((text) => (0,_platform_contract_js__WEBPACK_IMPORTED_MODULE_0__/* .readInstant */ .Wr)(text) !== undefined))),
    run: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .optional */ .lqM(runState),
});
const signedState = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .extend */ .X$i(stateContent, { proof: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP() });
const PURPOSE = 'docs-courier/state/v1';
function variableName(secretName) {
    return `${secretName}_STATE`;
}
function signing({ adminApiKey, target, secretName }, state) {
    return { secret: adminApiKey, purpose: PURPOSE, payload: { state, target: target.toLowerCase(), secretName } };
}
function writeState(place, state) {
    return JSON.stringify({ ...state, proof: (0,_proof_js__WEBPACK_IMPORTED_MODULE_1__/* .sign */ ._S)(signing(place, state)) });
}
/**
 * Believes a state only with a proof that someone with this admin key wrote it for this place: who can write variables but
 * has no key must not be able to point a deployment at another site's export.
 */
function readState(place, text) {
    if (text === undefined || text.trim() === '')
        return { kind: 'missing' };
    const distrust = (why) => ({ kind: 'distrusted', why });
    const json = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_4__/* .parseJson */ .q)(text);
    const version = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({ version: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .unknown */ .L5J() }).safeParse(json);
    if (!version.success)
        return distrust('it is not a state of Docs Courier');
    if (version.data.version !== 1)
        return distrust('its version is unknown; a newer Docs Courier may have written it');
    const parsed = signedState.safeParse(json);
    if (!parsed.success)
        return distrust('it is not whole');
    const { proof, ...state } = parsed.data;
    if (!(0,_proof_js__WEBPACK_IMPORTED_MODULE_1__/* .verify */ .MX)({ ...signing(place, state), proof })) {
        return distrust('its proof is wrong: it was written with another admin key, for another place, or by someone without a key');
    }
    if (state.baseUrl !== place.baseUrl)
        return distrust(`it belongs to the platform at ${state.baseUrl}`);
    return { kind: 'believed', state };
}
/** True when a fresh link is wanted: it expires sooner than `refreshBeforeMs` from now, has expired, or nobody knows. */
function isDue({ expiresAt }, { nowMs, refreshBeforeMs }) {
    const expiry = (0,_platform_contract_js__WEBPACK_IMPORTED_MODULE_0__/* .readInstant */ .Wr)(expiresAt);
    return expiry === undefined || expiry.getTime() - nowMs <= refreshBeforeMs;
}
/** Only a later attempt of the same run and job attaches by itself: another run wants a new export. */
function decideResume({ state, run, domain }) {
    const last = state?.run;
    if (run.runAttempt <= 1 || last === undefined || state?.domain !== domain)
        return { kind: 'start' };
    if (last.id !== run.runId || last.job !== run.job)
        return { kind: 'start' };
    if (last.jobId !== undefined)
        return { kind: 'attach', jobId: last.jobId };
    return {
        kind: 'start',
        warning: 'An earlier attempt of this run was about to start an export and left no job id: one may be running. To attach to it, give its id from the dashboard as export-job-id.',
    };
}


/***/ }),

/***/ 1050:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Tt: () => (/* binding */ getJson),
/* harmony export */   Xw: () => (/* binding */ readReply)
/* harmony export */ });
/* unused harmony export listAll */
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _http_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3223);



/**
 * What a reply of GitHub says, as the schema has it; `protocol` where a field is missing or of another kind, naming route
 * and field. `route` is such as `GET /repos/{owner}/{repo}`.
 */
function readReply(schema, data, route) {
    const result = schema.safeParse(data);
    if (result.success)
        return result.data;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `GitHub's reply${route === undefined ? '' : ` to ${route}`} does not fit: ${(0,_http_json_js__WEBPACK_IMPORTED_MODULE_1__/* .describeIssues */ .w)(result.error.issues)}.`,
        hint: 'If a proxy is between the runner and GitHub, check whether it changes replies.',
        // The call itself was answered: a write took place.
        mayHaveStarted: true,
    });
}
/**
 * Makes one call and reads its JSON: `getJson(octokit, 'GET /repos/{owner}/{repo}', { owner, repo }, z.object({ id: z.number() }))`.
 * For every method; throws what the call throws, and `protocol` where the reply does not fit.
 */
async function getJson(octokit, route, parameters, schema) {
    const { data } = await octokit.request(route, { ...parameters });
    return readReply(schema, data, route);
}
const PAGE_SIZE = 100;
/**
 * All items of a list, page by page along GitHub's `link` headers, at most `maxItems`. A list in an object, such as
 * `{ total_count, secrets: [] }`, is taken out of it. A page whose link leads to another host is refused.
 */
async function listAll(octokit, route, parameters, schema, maxItems = 10_000) {
    const page = z.array(schema);
    const items = [];
    for await (const { data } of octokit.paginate.iterator(route, { per_page: PAGE_SIZE, ...parameters })) {
        items.push(...readReply(page, data, route));
        if (items.length > maxItems)
            return { items: items.slice(0, maxItems), isComplete: false };
    }
    return { items, isComplete: true };
}


/***/ }),

/***/ 9072:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ defineMode)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _finish_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9376);


function defineMode(mode) {
    return { execute: (inputs, execution) => execute(mode, inputs, execution) };
}
/** Writes also what the mode recorded before it failed. */
async function execute(mode, inputs, { surroundings, end }) {
    let known = {};
    let announced;
    const record = (facts) => {
        known = { ...known, ...facts };
        const jobId = mode.outputs(known)['job-id'];
        if (jobId === announced)
            return;
        announced = jobId;
        announce(jobId, end);
    };
    try {
        const ending = await mode.run(inputs, { ...surroundings, record, tell: record });
        return (0,_finish_js__WEBPACK_IMPORTED_MODULE_1__/* .finish */ .O)(end, { facts: { ...known, ...ending }, presentation: mode });
    }
    catch (error) {
        return (0,_finish_js__WEBPACK_IMPORTED_MODULE_1__/* .finish */ .O)(end, { facts: known, presentation: mode, error: (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .toCourierError */ .tR)(error) });
    }
}
// The end of the run writes all outputs again, and fails where that is not possible. Until then a full disk must not keep
// the run from writing the id to where else it goes.
function announce(jobId, { results, log }) {
    try {
        results.writeOutputs({ 'job-id': jobId });
    }
    catch (error) {
        log.warning(`The output job-id could not be written yet. ${(0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .toCourierError */ .tR)(error).message}`);
    }
}


/***/ }),

/***/ 1275:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   HF: () => (/* binding */ checkReceipt),
/* harmony export */   W1: () => (/* binding */ planReceipt),
/* harmony export */   iL: () => (/* binding */ isReceived),
/* harmony export */   uZ: () => (/* binding */ receive)
/* harmony export */ });
/* harmony import */ var _platform_link_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3832);

/** Whether the archive is downloaded at all. */
function isReceived({ bundlePath, extractTo }) {
    return bundlePath !== undefined || extractTo !== undefined;
}
/** Checks the destinations before anything starts. Throws `config` where they may not be written. */
async function checkReceipt({ bundle, adminApiKey }, { github }) {
    if (!isReceived(bundle))
        return;
    const [{ checkDestinations }, { homedir }] = await Promise.all([__webpack_require__.e(/* import() */ 432).then(__webpack_require__.bind(__webpack_require__, 4432)), Promise.resolve(/* import() */).then(__webpack_require__.t.bind(__webpack_require__, 8161, 19))]);
    const { workspace, runnerTemp } = github.run;
    await checkDestinations({ bundle, workspace, runnerTemp, home: homedir(), secret: adminApiKey });
}
/** Downloads, checks, verifies and unpacks the bundle where that is asked for; undefined where it is not. */
async function receive({ inputs, deps, links, link, origin, guard }) {
    if (!isReceived(inputs.bundle))
        return undefined;
    const { receiveBundle } = await __webpack_require__.e(/* import() */ 432).then(__webpack_require__.bind(__webpack_require__, 4432));
    const { github, log, clock, signal } = deps;
    const { workspace, runnerTemp } = github.run;
    return log.group('Receiving the bundle', () => receiveBundle({
        bundle: inputs.bundle,
        links,
        link,
        origin,
        ...(0,_platform_link_js__WEBPACK_IMPORTED_MODULE_0__/* .linkPolicy */ .ln)(inputs.baseUrl, inputs.bundle.allowPrivateHosts),
        secret: inputs.adminApiKey,
        log,
        clock,
        signal,
        workspace,
        runnerTemp,
        guard,
        onFacts: (bundle) => deps.record({ bundle }),
    }));
}
function planReceipt({ bundlePath, extractTo }) {
    const archive = bundlePath === undefined
        ? []
        : [{ action: 'download the archive, with manifest and checksums', target: bundlePath }];
    const site = extractTo === undefined ? [] : [{ action: 'unpack the site', target: extractTo }];
    return [...archive, ...site];
}


/***/ }),

/***/ 3832:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   ew: () => (/* binding */ checkBundleUrl),
/* harmony export */   jK: () => (/* binding */ createLinkMaker),
/* harmony export */   ln: () => (/* binding */ linkPolicy)
/* harmony export */ });
/* unused harmony export linkSecrets */
/* harmony import */ var node_net__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7030);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9473);
/* harmony import */ var _http_loopback_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(356);
/* harmony import */ var _http_private_hosts_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9264);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3699);
/* harmony import */ var _text_markdown_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1065);






const MAX_LINKS_PER_RUN = 3;
const MAX_CONFLICTS = 3;
const CONFLICT_WAIT_MS = 2000;
const MIN_LIFE_MS = 60_000;
// 1 MiB a second: whoever fetches the bundle must be done before the link dies, also over a slow line.
const BYTES_PER_MS = 1024 ** 2 / 1000;
const MAX_SKEW_MS = 60_000;
const MAX_URL_CHARS = 8192;
const MAX_SIZE_BYTES = 2 ** 43;
function linkPolicy(baseUrl, allowPrivateHosts = false) {
    const { hostname } = new URL(baseUrl);
    const address = hostname.replace(/^\[|\]$/g, '');
    const allowLoopback = (0,_http_loopback_js__WEBPACK_IMPORTED_MODULE_4__/* .isLoopback */ .U)(hostname);
    const allowAddress = (0,node_net__WEBPACK_IMPORTED_MODULE_0__.isIP)(address) !== 0;
    // What a name resolves to is the platform's own to say, so that only an address counts as being inside.
    const isInside = allowLoopback || (allowAddress && (0,_http_private_hosts_js__WEBPACK_IMPORTED_MODULE_2__/* .isPrivateAddress */ .C0)(address));
    return { allowLoopback, allowAddress, allowPrivateHosts: allowPrivateHosts || isInside };
}
// The whole link, in characters that need no quoting in a shell but `&` and `?`, which are allowed only in a query's places.
const LINK = /^https?:\/\/[A-Za-z0-9\-._~/%+:@]+(\?[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*(&[A-Za-z0-9\-._~/%+:@?]+=[A-Za-z0-9\-._~/%?+:@=]*)*)?$/;
function linkFault(raw, policy) {
    if (raw.length > MAX_URL_CHARS)
        return `is longer than ${MAX_URL_CHARS} characters`;
    // Matched as it came: a URL parser silently drops line ends and tabs.
    if (!LINK.test(raw))
        return 'is not an https address made of the characters that a presigned link needs';
    if (!URL.canParse(raw))
        return 'is not a valid address';
    const { protocol, username, password, hostname } = new URL(raw);
    if (username !== '' || password !== '')
        return 'contains a user name';
    if ((0,_http_loopback_js__WEBPACK_IMPORTED_MODULE_4__/* .isLoopback */ .U)(hostname))
        return policy.allowLoopback ? undefined : 'leads to this machine itself';
    if (protocol !== 'https:')
        return 'is not https';
    if ((0,node_net__WEBPACK_IMPORTED_MODULE_0__.isIP)(hostname) !== 0 && !policy.allowAddress)
        return 'leads to an IP address instead of a name';
    return undefined;
}
/** Returns the link as it came, or throws `protocol`; the message never holds the link. */
function checkBundleUrl(raw, policy) {
    const fault = linkFault(raw, policy);
    if (fault === undefined)
        return raw;
    throw new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `The bundle link that the platform gave ${fault}; it was neither downloaded nor published.`,
        hint: 'Report it to the platform. An http link, or one to an IP address, is accepted only when base-url is of that kind itself.',
    });
}
/** Parts of a link that alone would let someone use it, or let them guess it: the query, and every long value in it. */
function linkSecrets(url) {
    const query = url.split('?').slice(1).join('?');
    const values = query.split('&').flatMap((pair) => {
        const value = pair.slice(pair.indexOf('=') + 1);
        return /sig|token|credential|key|secret/i.test(pair.split('=')[0] ?? '') ? [value, decodeLoosely(value)] : [];
    });
    return [url, query, ...values].filter((part) => part.length >= 8);
}
function decodeLoosely(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return text;
    }
}
function readSize(raw, log) {
    if (raw === undefined || raw === null)
        return undefined;
    if (typeof raw === 'number' && Number.isInteger(raw) && raw > 0 && raw <= MAX_SIZE_BYTES)
        return raw;
    log.warning(`The platform gave ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .plainLine */ .h0)(String(raw), 40)} as the size of the bundle; it is ignored.`);
    return undefined;
}
function createLinkMaker(init) {
    return new CheckedLinks(init);
}
class CheckedLinks {
    #init;
    #policy;
    #warned = new Set();
    #made = 0;
    constructor(init) {
        this.#init = init;
        this.#policy = linkPolicy(init.baseUrl);
    }
    async fresh() {
        const { jobId, log } = this.#init;
        for (;;) {
            if (this.#made >= MAX_LINKS_PER_RUN)
                throw tooManyLinks(jobId);
            const { link, lifeMs } = await this.#make();
            if (lifeMs >= neededLifeMs(link))
                return link;
            if (this.#made >= MAX_LINKS_PER_RUN && lifeMs > 0) {
                this.#warnOnce(`The link expires in ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(lifeMs)}; the platform makes none that is valid for longer.`);
                return link;
            }
            log.info(lifeMs <= 0 ? 'The link had expired already; making another.' : 'The link expires too soon; making another.');
        }
    }
    async #make() {
        const { clock, log } = this.#init;
        this.#made += 1;
        const { value, serverTime } = await this.#request();
        const url = checkBundleUrl(value.bundleUrl, this.#policy);
        for (const secret of linkSecrets(url))
            log.mask(secret);
        const skewMs = serverTime === undefined ? 0 : serverTime.getTime() - clock.now();
        if (Math.abs(skewMs) > MAX_SKEW_MS) {
            this.#warnOnce(`This machine's clock differs from the platform's by ${(0,_text_markdown_js__WEBPACK_IMPORTED_MODULE_5__/* .formatDuration */ .a3)(Math.abs(skewMs))}; the platform's is used.`);
        }
        const { expiresAt } = value;
        if (expiresAt === undefined) {
            this.#warnOnce('The platform did not give the expiry of the link in a readable form; expires-at stays empty.');
        }
        const lifeMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt.getTime() - (clock.now() + skewMs);
        return { link: { url, expiresAt, sizeBytes: readSize(value.sizeBytes, log) }, lifeMs };
    }
    // A job that is completed and a bundle that is not ready yet: replicas of the platform may lag behind each other.
    async #request() {
        const { api, jobId, clock, log, signal } = this.#init;
        for (let conflicts = 1;; conflicts += 1) {
            try {
                return await api.link(jobId);
            }
            catch (error) {
                if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .hasCode */ .up)(error, 'conflict') || conflicts > MAX_CONFLICTS)
                    throw error;
                log.info(`The bundle of job ${jobId} is not ready yet; asking again.`);
                await clock.sleep(CONFLICT_WAIT_MS * conflicts, signal);
                await this.#pollAgain();
            }
        }
    }
    // One attempt, and only to let replicas catch up: its failure is no reason to give up a finished export.
    async #pollAgain() {
        try {
            await this.#init.api.poll(this.#init.jobId);
        }
        catch (error) {
            if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .hasCode */ .up)(error, 'network', 'protocol', 'rate-limited'))
                throw error;
        }
    }
    #warnOnce(text) {
        if (!this.#warned.has(text))
            this.#init.log.warning(text);
        this.#warned.add(text);
    }
}
/** A minute, and the time that a download of this size takes on a slow line. */
function neededLifeMs({ sizeBytes = 0 }) {
    return MIN_LIFE_MS + sizeBytes / BYTES_PER_MS;
}
function tooManyLinks(jobId) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_1__/* .CourierError */ .Yw({
        code: 'protocol',
        message: `Three links were made for job ${jobId} in this run, and none of them could be used.`,
        hint: "Check the platform's clock and storage; then run again with export-job-id, which starts no second export.",
    });
}


/***/ }),

/***/ 1724:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  V: () => (/* binding */ openExport)
});

// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/http/service.js + 1 modules
var service = __webpack_require__(8032);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
;// CONCATENATED MODULE: ./build/platform/export-calls.js



/** Adds what a failure of the first call may mean: an installation may have the other revision only. */
class FirstCall {
    #otherMeant;
    #isFirst = true;
    constructor(otherMeant) {
        this.#otherMeant = otherMeant;
    }
    async make(call) {
        try {
            const value = await call();
            this.#isFirst = false;
            return value;
        }
        catch (error) {
            if (!(error instanceof errors/* CourierError */.Yw) || error.httpStatus === undefined)
                throw error;
            const isFirst = this.#isFirst;
            // Any other status shows that the endpoint is there.
            if (error.httpStatus !== 404 && error.httpStatus !== 405)
                this.#isFirst = false;
            else if (isFirst)
                throw error.with({ hint: this.#otherMeant });
            throw error;
        }
    }
}
/** The reply does not have to carry the id; where it does, it must be the one that was asked for. */
function sameJob(reply, asked) {
    const { jobId } = reply.value;
    if (jobId === undefined || jobId === null || jobId === asked)
        return reply;
    throw new errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The platform was asked about export job ${asked} and answered about ${(0,text_escape/* plainLine */.h0)(String(jobId), 140)}.`,
        hint: 'Run again with export-job-id; if it happens again, report it to the platform.',
    });
}
/** Makes the start call once; what the platform says of a refused start becomes advice. */
async function startOnce(api, call) {
    try {
        const { value } = await call();
        if (!('busy' in value))
            return { kind: 'started', jobId: value.jobId };
        return { kind: 'busy', jobId: value.busy.jobId, error: busyError(api, value.busy) };
    }
    catch (error) {
        // A 409 whose body says nothing.
        if ((0,errors/* hasCode */.up)(error, 'conflict'))
            return { kind: 'busy', jobId: undefined, error: busyError(api, {}, error) };
        throw withStartAdvice(api, error);
    }
}
function busyError(api, { error, jobId }, cause) {
    const which = jobId === undefined ? '' : ` (job ${jobId})`;
    const words = error === undefined ? '' : ` The platform says: ${(0,service/* foreignText */.qk)(error, (text) => text)}`;
    const attach = jobId === undefined
        ? "The platform's dashboard shows its id; to attach to it, which starts no second export:\nwith:\n  export-job-id: the id of that job"
        : `To attach to it, which starts no second export:\nwith:\n  export-job-id: ${jobId}`;
    return new errors/* CourierError */.Yw({
        code: 'conflict',
        message: `An export of ${api.subject} is running already${which}: ${api.requests.start()} answered 409.${words}`,
        hint: `The platform runs one export at a time. Wait until it has finished and run again. ${attach}`,
        httpStatus: 409,
        cause,
    });
}
function withStartAdvice(api, error) {
    if (!(error instanceof errors/* CourierError */.Yw))
        return error;
    switch (error.httpStatus) {
        case 402:
            return error.with({ code: 'forbidden', hint: 'Static export requires the Enterprise plan of the platform.' });
        case 403:
            return error.with({
                hint: `A site that readers reach only after a login cannot be exported: check this for ${api.subject}. Otherwise check that the plan is Enterprise, and that the key in admin-api-key belongs to this organization.`,
            });
        default:
            return error;
    }
}

;// CONCATENATED MODULE: ./build/platform/export-by-domain.js


/** The first revision, which every installation has: jobs of a domain, and an endpoint that makes the link. */
class ExportByDomain {
    #platform;
    #selection;
    #first = new FirstCall({
        text: "Check domain, and base-url: this request was made by domain. A newer installation of the platform exports by project: then give its id, from the API keys page of the platform's dashboard:",
        inputs: { 'project-id': 'the id of the project' },
    });
    source;
    requests = {
        start: () => 'POST /v1/static-export/jobs',
        poll: (jobId) => `GET /v1/static-export/jobs/${jobId}`,
        link: (jobId) => `POST /v1/static-export/jobs/${jobId}/bundle`,
    };
    constructor({ platform, source, selection = {} }) {
        this.#platform = platform;
        this.source = source;
        this.#selection = selection;
    }
    get subject() {
        return this.source.domain ?? 'the site';
    }
    async start() {
        const { domain } = this.source;
        if (domain === undefined)
            throw new errors/* CourierError */.Yw({ code: 'config', message: 'domain is missing.' });
        return startOnce(this, () => this.#first.make(() => this.#platform.startExport(domain, this.#selection)));
    }
    async poll(jobId, timeLimitMs) {
        return sameJob(await this.#first.make(() => this.#platform.getExportJob(jobId, { timeLimitMs })), jobId);
    }
    async link(jobId) {
        return sameJob(await this.#first.make(() => this.#platform.createBundle(jobId)), jobId);
    }
}

;// CONCATENATED MODULE: ./build/platform/export-by-project.js



/** The second revision: jobs of a project. The reply of a completed job carries the link; there is no progress. */
class ExportByProject {
    #platform;
    #projectId;
    #basePath;
    #first;
    source;
    requests;
    constructor({ platform, source, basePath }) {
        this.#platform = platform;
        const { projectId } = source;
        this.#projectId = projectId;
        this.#first = new FirstCall({
            text: `Compare project-id (${projectId}) with the API keys page of the platform's dashboard: this request was made by project. An installation that exports by domain only takes the site instead of project-id:`,
            inputs: { domain: 'docs.example.com' },
        });
        this.#basePath = basePath;
        this.source = source;
        const jobs = `/v1/static-export/${projectId}/jobs`;
        this.requests = {
            start: () => `POST ${jobs}`,
            poll: (jobId) => `GET ${jobs}/${jobId}`,
            link: (jobId) => `GET ${jobs}/${jobId}`,
        };
    }
    get subject() {
        return this.source.domain ?? `project ${this.#projectId}`;
    }
    start() {
        return startOnce(this, () => this.#first.make(() => this.#platform.startProjectExport(this.#projectId, this.#basePath)));
    }
    async poll(jobId, timeLimitMs) {
        const reply = await this.#get(jobId, { timeLimitMs });
        const { bundleUrl: _, sizeBytes: __, expiresAt: ___, ...job } = reply.value;
        return { ...reply, value: job };
    }
    async link(jobId) {
        const { value, serverTime } = await this.#get(jobId, { repeat: 'always' });
        const { bundleUrl, expiresAt, sizeBytes, status } = value;
        if (bundleUrl === undefined)
            throw noLink(jobId, status, this.requests.link(jobId));
        return { value: { jobId, bundleUrl, expiresAt, sizeBytes }, serverTime };
    }
    async #get(jobId, options) {
        const job = { projectId: this.#projectId, jobId };
        return sameJob(await this.#first.make(() => this.#platform.getProjectExportJob(job, options)), jobId);
    }
}
function noLink(jobId, status, request) {
    if (status === 'failed') {
        return new errors/* CourierError */.Yw({
            code: 'job-failed',
            message: `Export job ${jobId} failed: there is no bundle to make a link for.`,
            hint: 'Run mode: export again: it starts a new job.',
        });
    }
    return new errors/* CourierError */.Yw({
        code: 'conflict',
        message: `${request} answered without a link: export job ${jobId} is ${(0,text_escape/* plainLine */.h0)(status, 40)}.`,
        hint: 'Wait until the job has completed, then run again.',
    });
}

;// CONCATENATED MODULE: ./build/platform/open-export.js


/** The revision of the export API that the source asks for: by project where there is a project's id, else by domain. */
function openExport({ platform, source, selection, basePath }) {
    const { domain, projectId } = source;
    return projectId === undefined
        ? new ExportByDomain({ platform, source, selection })
        : new ExportByProject({ platform, source: { domain, projectId }, basePath });
}


/***/ }),

/***/ 7170:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MX: () => (/* binding */ verify),
/* harmony export */   _S: () => (/* binding */ sign)
/* harmony export */ });
/* unused harmony export canonicalJson */
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);

const KEY_BYTES = 32;
/** The HMAC-SHA-256 of the payload as base64url without padding, 43 characters. */
function sign({ secret, purpose, payload }) {
    // RFC 5869, without a salt: the secret has enough entropy of its own.
    const key = Buffer.from((0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hkdfSync)('sha256', secret, '', purpose, KEY_BYTES));
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)('sha256', key).update(canonicalJson(payload)).digest('base64url');
}
function verify({ proof, ...signing }) {
    const expected = Buffer.from(sign(signing));
    const given = Buffer.from(proof);
    return expected.length === given.length && (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.timingSafeEqual)(expected, given);
}
/** JSON with the keys of every object in order, so that equal values give equal text. */
function canonicalJson(value) {
    return (JSON.stringify(value, (_key, part) => isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part) ?? 'null');
}
function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}


/***/ })

};
