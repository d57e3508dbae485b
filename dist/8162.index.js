export const id = 8162;
export const ids = [8162];
export const modules = {

/***/ 8162:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  CommandStore: () => (/* binding */ CommandStore)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/text/redact.js
var redact = __webpack_require__(8092);
// EXTERNAL MODULE: ./build/src/stores/port.js
var port = __webpack_require__(7833);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
;// CONCATENATED MODULE: ./build/src/stores/command/run.js

const MAX_OUTPUT = 16 * 1024;
const KILL_AFTER_MS = 2000;
/** Runs a program without a shell, with a text on its standard input. Never throws. */
function runProgram({ words, env, input, timeLimitMs, signal }) {
    const [program = '', ...args] = words;
    return new Promise((resolve) => {
        const child = (0,external_node_child_process_.spawn)(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'], shell: false, windowsHide: true });
        let output = '';
        let reason;
        let started = false;
        const stop = (why) => {
            reason ??= why;
            child.kill('SIGTERM');
            setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
        };
        const onAbort = () => stop('was stopped, since the run was cancelled');
        const timer = setTimeout(() => stop(`did not end within ${Math.round(timeLimitMs / 1000)}s`), timeLimitMs);
        const end = (failure) => {
            clearTimeout(timer);
            signal.removeEventListener('abort', onAbort);
            resolve({ failure, started, output });
        };
        child.once('spawn', () => {
            started = true;
            if (signal.aborted)
                onAbort();
        });
        child.once('error', (error) => {
            if (!started)
                end(`could not be started (${error.message})`);
        });
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding('utf8').on('data', (text) => {
                output = (output + text).slice(0, MAX_OUTPUT);
            });
        }
        // `exit`, since a child of its own may keep the pipes open for ever.
        child.once('exit', (code, killedBy) => {
            setImmediate(() => end(reason ?? failureOf(code, killedBy)));
        });
        child.stdin.on('error', () => {
            // It did not read all of its input.
            reason ??= 'did not read its standard input';
        });
        child.stdin.end(input);
        signal.addEventListener('abort', onAbort, { once: true });
    });
}
function failureOf(code, signal) {
    if (code === 0)
        return undefined;
    return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
}

;// CONCATENATED MODULE: ./build/src/stores/command/store.js







const TIME_LIMIT_MS = 60_000;
/** A program of the user that puts the link where it belongs. It gets the link on its standard input, and nowhere else. */
class CommandStore {
    names;
    signed;
    can = { atomic: false, verify: 'none' };
    #init;
    constructor(init) {
        this.#init = init;
        const name = (0,external_node_path_.basename)(init.words[0] ?? '');
        const { names, signed } = init.state;
        // Its arguments may hold what is nobody else's business.
        this.names = { ...names, destination: `command:${name}`, name, target: 'command', link: `command ${name}` };
        this.signed = { address: `command+${signed.address}` };
    }
    async open() {
        await this.#find();
        return withoutLink(await this.#init.state.open());
    }
    async check() {
        const what = this.names.link;
        try {
            await this.open();
            return [
                { what, outcome: 'unknown', detail: 'It can be started. Whether it writes the link is known only then.' },
            ];
        }
        catch (error) {
            return [(0,port/* failedCheck */.W)(what, error)];
        }
    }
    async write({ link, state }, seen, signal = this.#init.signal) {
        if (link !== undefined)
            await this.#hand(link, signal);
        if (state === undefined)
            return seen;
        return withoutLink(await this.#init.state.write({ state }, seen, signal));
    }
    async #hand(link, signal) {
        const { words, env, timeLimitMs = TIME_LIMIT_MS } = this.#init;
        const { failure, started, output } = await runProgram({ words, env, input: link, timeLimitMs, signal });
        if (failure === undefined)
            return;
        const printed = (0,redact/* excerpt */.Kb)(output.trim(), { redact: (0,redact/* createRedact */.ay)([link]), max: 300 });
        throw new errors/* CourierError */.Yw({
            code: 'io',
            message: [
                `The ${this.names.link} ${failure}.`,
                started ? 'Whether it has written the link is unknown.' : 'Nothing was written.',
                printed === '' ? '' : `It printed: ${printed}`,
            ]
                .join(' ')
                .trim(),
            hint: 'Try the command by hand with a text on its standard input. It gets the variables PATH and HOME only, and must end with exit code 0.',
            mayHaveStarted: started,
        });
    }
    /** Throws `config` where the program does not exist: before an export is started. */
    async #find() {
        const { words, env, workspace } = this.#init;
        const [program = ''] = words;
        const isPath = /[\\/]/.test(program);
        const folders = (env.PATH ?? '').split(external_node_path_.delimiter).filter((folder) => folder !== '');
        const paths = isPath ? [(0,external_node_path_.resolve)(workspace, program)] : folders.map((folder) => (0,external_node_path_.join)(folder, program));
        for (const path of paths)
            if (await isProgram(path))
                return;
        throw new errors/* CourierError */.Yw({
            code: 'config',
            message: `--to-command: there is no program ${(0,external_node_path_.basename)(program)} ${isPath ? 'at this path' : 'in the folders of PATH'}. Nothing was sent.`,
            hint: 'Give a program and its arguments. There is no shell: for one, name it, as in --to-command "sh -c \'…\'".',
        });
    }
}
// Windows adds such an ending by itself.
const ENDINGS = process.platform === 'win32' ? ['', '.exe', '.com'] : [''];
async function isProgram(path) {
    for (const ending of ENDINGS) {
        try {
            await (0,promises_.access)(`${path}${ending}`, external_node_fs_.constants.X_OK);
            if ((await (0,promises_.stat)(`${path}${ending}`)).isFile())
                return true;
        }
        catch {
            // It is not this one.
        }
    }
    return false;
}
/** What a program has written cannot be read back. */
function withoutLink({ state, stateWrittenAtMs, version }) {
    return { link: state === undefined ? undefined : {}, state, stateWrittenAtMs, version };
}


/***/ })

};
