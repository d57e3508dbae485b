export const id = 5687;
export const ids = [5687];
export const modules = {

/***/ 6171:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   N_: () => (/* binding */ replaceConfinedFile),
/* harmony export */   p7: () => (/* binding */ readConfinedFile),
/* harmony export */   pS: () => (/* binding */ shownPath)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7406);
/* harmony import */ var _http_service_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4541);





/** The path as people know it: below the workspace, with forward slashes; as it is where it lies elsewhere. */
function shownPath(path, workspace) {
    const below = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(workspace, path);
    return isInside(below) ? below.split(node_path__WEBPACK_IMPORTED_MODULE_2__.sep).join('/') : path;
}
function isInside(below) {
    return below !== '' && below !== '..' && !below.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_2__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(below);
}
/**
 * The text of a file that a stranger may have put there: a regular file, reached by no link that leads out of `folders`, at
 * most `maxBytes` long, in UTF-8. undefined when nothing is at the path; `config` for anything else. No message holds
 * any of the content.
 */
async function readConfinedFile(request) {
    const real = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(request.path).catch((error) => {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .isMissing */ .b2)(error))
            return undefined;
        throw refusal(request, 'cannot be read', error);
    });
    if (real === undefined)
        return undefined;
    await requireInside(real, request);
    // Without O_NONBLOCK, opening a FIFO waits for its writer for ever. O_NOFOLLOW is missing on Windows and then 0.
    const flags = node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_RDONLY | (node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NONBLOCK ?? 0) | (node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NOFOLLOW ?? 0);
    const file = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(real, flags).catch((error) => {
        throw refusal(request, 'cannot be read', error);
    });
    try {
        await requireSame(file, request, real);
        return decodeText(await readBytes(file, request), request);
    }
    finally {
        await file.close();
    }
}
/**
 * Replaces such a file in one step; its folder is made where it is missing. Nothing is written through a link that leads out of
 * `folders`. Throws `config` for a path that is none of ours, `io` where the disk refuses.
 */
async function replaceConfinedFile(request, text) {
    const { path } = request;
    const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path);
    try {
        await requireInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(await deepestFolder(folder)), 'file'), request);
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)(folder, { recursive: true });
        await requireInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(folder), 'file'), request);
        const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.lstat)(path).catch(() => undefined);
        if (found !== undefined && !found.isFile())
            throw refusal(request, 'is not a regular file');
        await replaceFile(path, text);
    }
    catch (cause) {
        if (cause instanceof _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw)
            throw cause;
        throw new _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw({
            code: 'io',
            message: `${request.input}: ${shownPath(path, request.folders[0]?.path ?? folder)} cannot be written: ${(0,_http_service_js__WEBPACK_IMPORTED_MODULE_4__/* .systemCodes */ .oQ)(cause)[0] ?? 'unknown error'}.`,
            hint: 'Check that the disk is not full, and that the folder may be written to.',
            cause,
        });
    }
}
/** The nearest folder above that is there. */
async function deepestFolder(folder) {
    const found = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(folder).catch(() => undefined);
    return found !== undefined || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(folder) === folder ? folder : deepestFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(folder));
}
async function replaceFile(path, text) {
    const fresh = `${path}.${process.pid}.new`;
    try {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.writeFile)(fresh, text, { flag: 'wx' });
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rename)(fresh, path);
    }
    catch (error) {
        await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.rm)(fresh, { force: true });
        throw error;
    }
}
async function requireInside(real, request) {
    const roots = await Promise.all(request.folders.map(({ path }) => (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(path).catch(() => path)));
    if (roots.some((root) => isInside((0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(root, real))))
        return;
    const names = request.folders.map(({ name }) => name).join(' or ');
    throw refusal(request, `is not in the ${names}, or a symbolic link leads out of it`);
}
// A folder on the way may have become a link between the look at the path and the opening: then it is another file.
async function requireSame(file, request, real) {
    const [opened, again, named] = await Promise.all([file.stat(), (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.realpath)(request.path), (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.stat)(request.path)]).catch((error) => {
        throw refusal(request, 'cannot be read', error);
    });
    if (!opened.isFile())
        throw refusal(request, 'is not a regular file');
    if (again !== real || opened.ino !== named.ino || opened.dev !== named.dev) {
        throw refusal(request, 'was replaced while it was being read');
    }
    if (opened.size > request.maxBytes)
        throw tooLarge(request);
}
async function readBytes(file, request) {
    const bytes = new Uint8Array(request.maxBytes + 1);
    let length = 0;
    for (;;) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
        length += bytesRead;
        if (length > request.maxBytes)
            throw tooLarge(request);
        if (bytesRead === 0)
            return bytes.subarray(0, length);
    }
}
function decodeText(bytes, request) {
    try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    }
    catch (error) {
        throw refusal(request, 'is not UTF-8 text', error);
    }
}
function tooLarge(request) {
    return refusal(request, `is larger than ${Math.floor(request.maxBytes / 1024).toLocaleString('en-US')} KiB`);
}
function refusal({ input, path, folders }, problem, cause) {
    const shown = folders[0] === undefined ? path : shownPath(path, folders[0].path);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_3__/* .CourierError */ .Yw({
        code: 'config',
        message: `${input}: ${shown} ${problem}.`,
        hint: `Give ${input} the path of a regular file inside the workspace.`,
        cause,
    });
}


/***/ }),

/***/ 5687:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   RequiredPages: () => (/* binding */ RequiredPages)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6760);
/* harmony import */ var picomatch__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1625);
/* harmony import */ var _confined_files_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6171);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7406);
/* harmony import */ var _inputs_values_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4267);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4502);






const MAX_LIST_BYTES = 1024 * 1024;
/** The pages that an export must have: addresses, and patterns of which each must fit one page at least. */
class RequiredPages {
    #addresses;
    /** Throws `config` where the file is not there, or is no list of addresses. */
    static async read(required, run) {
        return new RequiredPages('pages' in required ? required.pages : await readList(required.file, run));
    }
    constructor(addresses) {
        this.#addresses = addresses;
    }
    /** Files that are no pages count too: a site may need its `/sitemap.xml`. */
    missingIn({ pages, files }) {
        const all = [...pages.keys(), ...[...files.keys()].map((path) => `/${path}`)];
        const there = new Set(all);
        const missing = this.#addresses.filter((address) => {
            if (there.has(plain(address)))
                return false;
            if (!/[*?[{]/.test(address))
                return true;
            const fits = picomatch__WEBPACK_IMPORTED_MODULE_5__(address, { dot: true });
            return !all.some((one) => fits(one));
        });
        return { of: this.#addresses.length, pages: missing };
    }
}
async function readList(path, run) {
    const folder = run.kind === 'local' ? { name: 'disk', path: (0,node_path__WEBPACK_IMPORTED_MODULE_0__.parse)(path).root } : { name: 'workspace', path: run.workspace };
    const text = await (0,_confined_files_js__WEBPACK_IMPORTED_MODULE_1__/* .readConfinedFile */ .p7)({ path, input: 'required-pages', folders: [folder], maxBytes: MAX_LIST_BYTES });
    if (text === undefined)
        throw refusal(`there is no file ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .plainLine */ .h0)(path, 300)}`);
    const lines = text.split('\n').map((line) => line.replace(/(^|\s)#.*$/, '').trim());
    const wrong = lines.findIndex((line) => line !== '' && !(0,_inputs_values_js__WEBPACK_IMPORTED_MODULE_3__/* .pageAddress */ .qx)(line).ok);
    if (wrong >= 0)
        throw refusal(`line ${wrong + 1} is no address of a page: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .plainLine */ .h0)(lines[wrong] ?? '', 100)}`);
    const pages = lines.filter((line) => line !== '');
    if (pages.length === 0)
        throw refusal(`${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .plainLine */ .h0)(path, 300)} names no page`);
    return pages;
}
function refusal(problem) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw({
        code: 'config',
        message: `required-pages: ${problem}. Nothing was started.`,
        hint: 'Give addresses in the site, one a line, such as /guide/start or /api/**, or the path of a file of them.',
    });
}
/** As hosts serve it: `/guide/` and `/guide/index.html` are `/guide`. */
function plain(address) {
    const bare = decodeLoosely(address)
        .replace(/\.x?html?$/i, '')
        .replace(/\/index$/i, '/');
    return bare.length > 1 ? bare.replace(/\/+$/, '') || '/' : bare;
}
function decodeLoosely(text) {
    try {
        return decodeURI(text);
    }
    catch {
        return text;
    }
}


/***/ })

};
