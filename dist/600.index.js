export const id = 600;
export const ids = [600];
export const modules = {

/***/ 9600:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createOctokit: () => (/* binding */ createOctokit)
});

// EXTERNAL MODULE: ./build/clock.js + 1 modules
var build_clock = __webpack_require__(4701);
// EXTERNAL MODULE: ./build/http/retry.js
var http_retry = __webpack_require__(4675);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./build/errors.js
var errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/http/system-codes.js
var system_codes = __webpack_require__(895);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
;// CONCATENATED MODULE: ./build/github/failure.js






const headerValue = schemas/* optional */.lqM(schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* number */.aig()]));
// The shape of Octokit's RequestError; `response` is absent where the request got none.
const requestError = schemas/* object */.Ikc({
    status: schemas/* number */.aig(),
    response: schemas/* optional */.lqM(schemas/* object */.Ikc({
        headers: schemas/* record */.g1P(schemas/* string */.YjP(), headerValue),
        data: schemas/* optional */.lqM(schemas/* unknown */.L5J()),
    })),
});
const errorData = schemas/* object */.Ikc({ message: schemas/* string */.YjP() });
function readFailure(failed) {
    if (failed.cancelled)
        return { error: (0,build_clock/* cancelled */.K)(failed.error), retry: 'no', retryAfterMs: undefined };
    const parsed = requestError.safeParse(failed.error);
    if (!parsed.success || parsed.data.response === undefined)
        return networkFailure(failed);
    const { status, response } = parsed.data;
    const retryAfterMs = rateLimitMs({ status, headers: response.headers, nowMs: failed.nowMs });
    const limited = retryAfterMs !== undefined && (status === 403 || status === 429 || status === 503);
    const code = limited || status === 429 ? 'rate-limited' : codeOfStatus(status);
    const text = errorData.safeParse(response.data);
    const wait = limited ? ` It may be called again in ${Math.ceil(retryAfterMs / 1000)} s.` : '';
    const words = text.success ? (0,text_escape/* plainLine */.h0)(failed.redact(text.data.message), 300) : '';
    const said = words === '' ? '.' : `: ${words.replace(/(?<![.!?…])$/, '.')}`;
    const error = new errors/* CourierError */.Yw({
        code,
        message: `${nameOf(failed)} answered ${status}${said}${wait}`,
        hint: hintOfStatus(code),
        httpStatus: status,
        retryAfterMs: limited ? retryAfterMs : undefined,
        mayHaveStarted: status >= 500,
    });
    return { error, retry: limited ? 'safe' : retryOfStatus(status), retryAfterMs: limited ? retryAfterMs : undefined };
}
/** Method and path template (such as `/repos/{owner}/{repo}`), which holds nothing from outside. */
function nameOf({ options }) {
    const url = options.url.startsWith('http') ? new URL(options.url).pathname : options.url.split('?')[0];
    return `GitHub ${options.method} ${(0,text_escape/* plainLine */.h0)(url ?? '', 200)}`;
}
function retryOfStatus(status) {
    if (status === 429)
        return 'safe';
    return status >= 500 || status === 408 ? 'if-repeatable' : 'no';
}
function codeOfStatus(status) {
    switch (status) {
        case 401:
            return 'unauthorized';
        case 403:
            return 'forbidden';
        case 404:
        case 410:
            return 'not-found';
        case 409:
            return 'conflict';
        case 400:
        case 422:
            return 'config';
        default:
            return status >= 500 || status === 408 ? 'network' : 'protocol';
    }
}
function hintOfStatus(code) {
    switch (code) {
        case 'unauthorized':
            return 'The token was not accepted: it may have expired or been revoked.';
        case 'rate-limited':
            return "GitHub's rate limit is reached. Run again later.";
        case 'network':
            return 'GitHub had a problem of its own, or was not reached. See its status page, and run again later.';
        default:
            return undefined;
    }
}
/**
 * How long GitHub's primary (`x-ratelimit-*`) or secondary (`retry-after`) rate limit asks to wait:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api. undefined: no limit was hit.
 */
function rateLimitMs({ status, headers, nowMs }) {
    if (status !== 403 && status !== 429 && status !== 503)
        return undefined;
    const told = (0,http_retry/* readRetryAfter */.D$)(headers['retry-after']?.toString(), nowMs);
    if (told !== undefined)
        return told;
    const reset = Number(headers['x-ratelimit-reset']);
    const isSpent = headers['x-ratelimit-remaining']?.toString() === '0';
    return isSpent && Number.isSafeInteger(reset) ? Math.max(0, reset * 1000 - nowMs) : undefined;
}
function networkFailure(failed) {
    const codes = [...new Set((0,system_codes/* systemCodes */.oQ)(failed.error))].filter((code) => /^[A-Z][A-Z0-9_]{2,60}$/.test(code));
    const unreachable = codes.filter(system_codes/* isUnreachable */.R0);
    const detail = (unreachable.length > 0 ? unreachable : codes).join(', ') || 'no reply within the time limit';
    const tls = (0,system_codes/* isTlsFailure */.gt)(codes);
    const error = new errors/* CourierError */.Yw({
        code: 'network',
        message: `${nameOf(failed)} failed: ${detail}.`,
        hint: tls
            ? "The server's certificate was not accepted. For a private authority set NODE_EXTRA_CA_CERTS in the step's env; checking is never switched off."
            : 'Check that the runner reaches the GitHub API; behind a proxy set HTTPS_PROXY and NO_PROXY.',
        mayHaveStarted: unreachable.length === 0 && !tls,
    });
    return { error, retry: tls ? 'no' : unreachable.length > 0 ? 'safe' : 'if-repeatable', retryAfterMs: undefined };
}

;// CONCATENATED MODULE: ./build/github/client.js



const ATTEMPT_TIMEOUT_MS = 30_000;
// RFC 9110, section 9.2.2, and PATCH as GitHub's REST API has it: these set a state, and setting it twice does no harm.
const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']);
/** Octokit with our limits, retries and errors. Loads the library; the event file must have been checked before. */
async function createOctokit(init) {
    const { clock, log, signal, random = Math.random } = init;
    const { getOctokit } = await __webpack_require__.e(/* import() */ 413).then(__webpack_require__.bind(__webpack_require__, 2413));
    const silent = () => { };
    const octokit = getOctokit(init.token, {
        baseUrl: init.apiUrl,
        userAgent: 'docs-courier',
        log: { debug: silent, info: silent, warn: silent, error: silent },
    });
    let retriesLeft = http_retry/* MAX_RETRIES_PER_RUN */.Ch;
    function waitMs({ retry, retryAfterMs }, method, attempt) {
        if (retry === 'no' || (retry === 'if-repeatable' && !REPEATABLE_METHODS.has(method)))
            return undefined;
        if (attempt >= http_retry/* MAX_ATTEMPTS */.m || retriesLeft <= 0)
            return undefined;
        if (retryAfterMs === undefined)
            return (0,http_retry/* backoffMs */.jo)({ attempt, random });
        return retryAfterMs > http_retry/* LONGEST_WAIT_MS */.u_ ? undefined : (0,http_retry/* afterRetryAfterMs */.dE)(retryAfterMs, random);
    }
    octokit.hook.wrap('request', async (request, options) => {
        for (let attempt = 1;; attempt += 1) {
            if (signal.aborted)
                throw (0,build_clock/* cancelled */.K)(signal.reason);
            const limit = AbortSignal.any([signal, AbortSignal.timeout(init.timeoutMs ?? ATTEMPT_TIMEOUT_MS)]);
            try {
                // Set in place: Octokit binds its own hooks to this object and drops another one. `options.request` itself is shared
                // by all calls, so that gets a copy.
                options.request = { ...options.request, signal: limit };
                return await request(options);
            }
            catch (error) {
                const failure = readFailure({
                    error,
                    options,
                    nowMs: clock.now(),
                    cancelled: signal.aborted,
                    redact: log.redact,
                });
                const wait = waitMs(failure, options.method, attempt);
                if (wait === undefined)
                    throw failure.error;
                retriesLeft -= 1;
                tellRetry(log, failure.error, wait);
                await clock.sleep(wait, signal);
            }
        }
    });
    return octokit;
}
function tellRetry(log, error, waitMs) {
    log.info(`${error.message} Trying again in ${(waitMs / 1000).toFixed(1)} s.`);
}


/***/ })

};
