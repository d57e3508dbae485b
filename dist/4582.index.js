export const id = 4582;
export const ids = [4582];
export const modules = {

/***/ 4582:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FileStore: () => (/* binding */ FileStore)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7406);
/* harmony import */ var _http_service_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4541);
/* harmony import */ var _address_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(1824);
/* harmony import */ var _port_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(7833);








// A link has a few hundred bytes and a state not many more: whatever is larger is not ours.
const MAX_FILE_BYTES = 64 * 1024;
/**
 * A file that holds nothing but the link, and `PATH.state.json` next to it, both with mode 0600. Each is replaced in one step:
 * a reader sees the former text or the new one, never a part.
 */
class FileStore {
    names;
    signed;
    can = { atomic: false, verify: 'value' };
    #linkPath;
    #statePath;
    #workspace;
    /** Both are absolute. What is checked out in the workspace must not lead a path in there to another destination. */
    constructor(path, workspace) {
        this.#linkPath = path;
        this.#workspace = workspace;
        this.#statePath = statePath(path);
        const destination = (0,_address_js__WEBPACK_IMPORTED_MODULE_7__/* .formatAddress */ .M0)({ scheme: 'file', path });
        this.names = {
            destination,
            name: (0,node_path__WEBPACK_IMPORTED_MODULE_3__.basename)(path),
            target: `folder ${(0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path)}`,
            link: `file ${path}`,
            state: `file ${this.#statePath}`,
            stateRight: 'right to write files there',
        };
        this.signed = { address: destination };
    }
    async open() {
        await this.#checkFolder();
        return this.#read();
    }
    async check() {
        const what = this.names.link;
        try {
            const { link } = await this.open();
            return [{ what, outcome: 'ok', detail: link === undefined ? 'It is new.' : 'It can be read and replaced.' }];
        }
        catch (error) {
            return [(0,_port_js__WEBPACK_IMPORTED_MODULE_6__/* .failedCheck */ .W)(what, error)];
        }
    }
    async write({ link, state }, seen) {
        const before = await this.#read();
        if (before.version !== seen.version) {
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw({
                code: 'conflict',
                message: `Another run has written ${this.names.destination} since this one read it. Nothing was written.`,
                hint: 'Let only one run at a time write a destination.',
            });
        }
        if (link !== undefined)
            await this.#replace(this.#linkPath, link);
        if (state !== undefined)
            await this.#replace(this.#statePath, state);
        const after = await this.#read();
        const isThere = (link === undefined || after.link?.digest === (0,_port_js__WEBPACK_IMPORTED_MODULE_6__/* .linkDigest */ .l)(link)) && (state ?? after.state) === after.state;
        if (isThere)
            return after;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw({
            code: 'integrity',
            message: `${this.names.destination} was written and then holds something else: another process writes it too.`,
            hint: 'Let only one process write this file.',
            mayHaveStarted: true,
        });
    }
    async #read() {
        const [link, state] = [await readText(this.#linkPath), await readText(this.#statePath)];
        const parts = [link?.text ?? '', state?.text ?? ''];
        return {
            link: link && { digest: (0,_port_js__WEBPACK_IMPORTED_MODULE_6__/* .linkDigest */ .l)(link.text.trimEnd()), writtenAtMs: link.writtenAtMs },
            state: state?.text,
            stateWrittenAtMs: state?.writtenAtMs,
            version: (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256').update(JSON.stringify(parts)).digest('hex'),
        };
    }
    async #checkFolder() {
        for (const path of [this.#linkPath, this.#statePath]) {
            const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.lstat)(path).catch(() => undefined);
            if (found !== undefined && !found.isFile()) {
                throw new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw({
                    code: 'config',
                    message: `${path} is a ${found.isSymbolicLink() ? 'symbolic link' : 'folder or a device'}: it is not replaced. Nothing was written.`,
                    hint: 'Give the path of an ordinary file, or of one that does not exist yet.',
                });
            }
        }
        const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(this.#linkPath);
        try {
            if (!(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.stat)(folder)).isDirectory())
                throw new Error('It is no folder.');
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.access)(folder, node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.W_OK);
            await this.#checkWay(folder);
        }
        catch (cause) {
            if (cause instanceof _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw)
                throw cause;
            throw ioError(`The folder ${folder} cannot be written to`, cause);
        }
    }
    async #checkWay(folder) {
        const real = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.realpath)(folder);
        const workspace = this.#workspace;
        const isOut = workspace !== undefined && isWithin(folder, workspace) && !isWithin(real, await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.realpath)(workspace));
        const isGit = real.split(node_path__WEBPACK_IMPORTED_MODULE_3__.sep).some((name) => name.toLowerCase() === '.git');
        if (!isOut && !isGit)
            return;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw({
            code: 'config',
            message: isGit
                ? `${this.#linkPath} is in a .git folder. Nothing was written.`
                : `${this.#linkPath} leads out of the workspace, through a symbolic link in it. Nothing was written.`,
            hint: 'Give the path of a file in the workspace, or the absolute path of a file outside of it.',
        });
    }
    /** Written to a file next to it, flushed, renamed: the one change that a reader sees. */
    async #replace(path, text) {
        const temporary = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.join)((0,node_path__WEBPACK_IMPORTED_MODULE_3__.dirname)(path), `.${(0,node_path__WEBPACK_IMPORTED_MODULE_3__.basename)(path)}.${(0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.randomBytes)(8).toString('hex')}`);
        let file;
        try {
            file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.open)(temporary, 'wx', 0o600);
            await file.writeFile(text);
            await file.sync();
            await file.close();
            file = undefined;
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rename)(temporary, path);
        }
        catch (cause) {
            await file?.close().catch(() => undefined);
            await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.rm)(temporary, { force: true }).catch(() => undefined);
            throw ioError(`${path} was not written`, cause);
        }
    }
}
function isWithin(path, folder) {
    const way = (0,node_path__WEBPACK_IMPORTED_MODULE_3__.relative)(folder, path);
    return way !== '..' && !way.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_3__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_3__.isAbsolute)(way);
}
/** Where the state of a link at `path` is. */
function statePath(path) {
    return `${path}.state.json`;
}
async function readText(path) {
    try {
        const { size, mtimeMs } = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.stat)(path);
        if (size > MAX_FILE_BYTES) {
            throw new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw({
                code: 'config',
                message: `${path} has ${size} bytes: it is no file of this program.`,
                hint: 'Give another path for the link.',
            });
        }
        return { text: await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_2__.readFile)(path, 'utf8'), writtenAtMs: Math.floor(mtimeMs) };
    }
    catch (error) {
        if (error instanceof _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw)
            throw error;
        if ((0,_http_service_js__WEBPACK_IMPORTED_MODULE_5__/* .systemCodes */ .oQ)(error).includes('ENOENT'))
            return undefined;
        throw ioError(`${path} cannot be read`, error);
    }
}
function ioError(what, cause) {
    const [code] = (0,_http_service_js__WEBPACK_IMPORTED_MODULE_5__/* .systemCodes */ .oQ)(cause);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_4__/* .CourierError */ .Yw({
        code: 'io',
        message: `${what}${code === undefined ? '' : `: ${code}`}.`,
        hint: 'Check that the folder exists, that the user of this process may write there, and that the disk is not full.',
        cause,
    });
}


/***/ })

};
