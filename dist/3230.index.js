export const id = 3230;
export const ids = [3230];
export const modules = {

/***/ 9903:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   O: () => (/* binding */ ARCHIVE_LIMITS)
/* harmony export */ });
const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const ARCHIVE_LIMITS = {
    archiveBytes: 2 * GIB,
    totalBytes: 4 * GIB,
    fileBytes: 512 * MIB,
    entries: 200_000,
    ratio: 200,
    ratioFromBytes: 10 * MIB,
    nameBytes: KIB,
    segmentBytes: 255,
    depth: 64,
    metaBytes: MIB,
    namesBytes: 32 * MIB,
};


/***/ }),

/***/ 7825:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   N: () => (/* binding */ makeComparedSite)
/* harmony export */ });
/* harmony import */ var _site_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7419);
/* harmony import */ var _page_index_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7830);


/** `folder`: where the archive was unpacked to. */
function makeComparedSite(jobId, archive, folder) {
    const site = (0,_site_js__WEBPACK_IMPORTED_MODULE_0__/* .findSite */ .X)(archive);
    const prefix = site.folder === '' ? 0 : site.folder.length + 1;
    const files = new Map(archive.map(({ path, ...rest }) => [path.slice(prefix), { path: path.slice(prefix), ...rest }]));
    return {
        jobId,
        root: folder === undefined || site.folder === '' ? folder : `${folder}/${site.folder}`,
        files,
        pages: pagesOf(files),
        bytes: archive.reduce((sum, { bytes }) => sum + bytes, 0),
    };
}
// Of `guide.html` and `guide/index.html`, hosts serve one at `/guide`; the other keeps its whole name, so that it is not lost.
function pagesOf(files) {
    const pages = new Map();
    for (const file of [...files.values()].filter(({ path }) => (0,_site_js__WEBPACK_IMPORTED_MODULE_0__/* .isPage */ .y)(path)).sort(byLength)) {
        const address = (0,_page_index_js__WEBPACK_IMPORTED_MODULE_1__/* .addressOfPage */ .F)(file.path);
        pages.set(pages.has(address) ? `/${file.path}` : address, file);
    }
    return pages;
}
function byLength(a, b) {
    return a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}


/***/ }),

/***/ 7830:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F: () => (/* binding */ addressOfPage)
/* harmony export */ });
/** The address under which hosts serve a page of the archive: `guide/start.html` as `/guide/start`, `index.html` as `/`. */
function addressOfPage(file) {
    const path = file.replace(/\.x?html?$/i, '').replace(/(^|\/)index$/i, '');
    return `/${path}`;
}


/***/ }),

/***/ 7419:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ findSite),
/* harmony export */   y: () => (/* binding */ isPage)
/* harmony export */ });
/** Some archives hold the site in one folder of theirs, as `tar` does when it is given a folder. */
function findSite(files) {
    const paths = files.map(({ path }) => path);
    const folder = folderOf(paths);
    const own = folder === '' ? paths : paths.map((path) => path.slice(folder.length + 1));
    return { folder, files: own, pages: own.filter(isPage).length };
}
function folderOf(paths) {
    const top = paths[0]?.split('/')[0] ?? '';
    if (paths.includes('index.html') || !paths.every((path) => path.startsWith(`${top}/`)))
        return '';
    return paths.includes(`${top}/index.html`) ? top : '';
}
function isPage(path) {
    return /\.x?html?$/i.test(path) && path !== '404.html';
}


/***/ }),

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

/***/ 3230:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  loadManifest: () => (/* binding */ loadManifest)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(8395);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(3305);
// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
// EXTERNAL MODULE: ./build/src/text/json.js
var text_json = __webpack_require__(6691);
// EXTERNAL MODULE: ./build/src/text/names.js
var names = __webpack_require__(6761);
// EXTERNAL MODULE: ./build/src/bundle/archive/limits.js
var limits = __webpack_require__(9903);
// EXTERNAL MODULE: ./build/src/bundle/compare/compared-site.js
var compared_site = __webpack_require__(7825);
;// CONCATENATED MODULE: ./build/src/bundle/compare/read-manifest.js






/** 200,000 files with long names take less. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const file = schemas/* object */.Ikc({
    path: schemas/* string */.YjP(),
    bytes: schemas/* int */.Whr().check(api/* _gte */.qm(0)),
    sha256: schemas/* string */.YjP().check(api/* _regex */.Fk(/^[0-9a-f]{64}$/)),
});
const manifest = schemas/* object */.Ikc({
    site: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    exportJobId: schemas/* string */.YjP().check(schemas/* refine */.YPB(names/* isPathId */.Jf)),
    files: schemas/* array */.YOg(file).check(api/* _maxLength */.Eb(limits/* ARCHIVE_LIMITS */.O.entries)),
});
/** The files of an earlier export, from the manifest that was kept with its archive. */
function readManifest(text) {
    const json = (0,text_json/* parseJson */.qF)(text);
    if (json === undefined)
        return bad('is not JSON');
    const versioned = schemas/* looseObject */._H3({ version: schemas/* number */.aig(), files: schemas/* unknown */.L5J() }).safeParse(json);
    if (!versioned.success)
        return bad('is no manifest of Docs Courier');
    const { version } = versioned.data;
    if (version !== 1)
        return bad(`has version ${version}, and this Docs Courier reads version 1`);
    const parsed = manifest.safeParse(json);
    if (!parsed.success)
        return bad(`is no valid manifest: ${issueText(parsed.error.issues[0])}`);
    const { site, exportJobId, files } = parsed.data;
    const wrong = files.find(({ path }) => !isBundlePath(path));
    if (wrong !== undefined)
        return bad(`has a name that no bundle can have: ${(0,text_escape/* plainLine */.h0)(wrong.path, 100)}`);
    if (new Set(files.map(({ path }) => path)).size < files.length)
        return bad('names a file twice');
    return { ok: true, site: (0,compared_site/* makeComparedSite */.N)(exportJobId, files), domain: site ?? undefined };
}
function bad(problem) {
    return { ok: false, problem };
}
function issueText(issue) {
    return issue === undefined || issue.path.length === 0 ? 'it has another form' : `${issue.path.join('.')} is invalid`;
}
function isBundlePath(path) {
    const { nameBytes, depth } = limits/* ARCHIVE_LIMITS */.O;
    const parts = path.split('/');
    return (path.length <= nameBytes &&
        parts.length <= depth &&
        !/[\p{Cc}\\]/u.test(path) &&
        parts.every((part) => part !== '' && part !== '.' && part !== '..'));
}

// EXTERNAL MODULE: ./build/src/confined-files.js
var confined_files = __webpack_require__(6171);
// EXTERNAL MODULE: ./build/src/errors.js
var errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/platform/link.js
var platform_link = __webpack_require__(717);
;// CONCATENATED MODULE: ./build/src/publish/changes/load-manifest.js






/** Where `compare-with` names it. Throws `config` where it is none, or of another site; and what the download throws. */
async function loadManifest(inputs, deps) {
    const { name, text } = await readText(inputs, deps);
    const read = readManifest(text);
    if (!read.ok)
        throw refusal(`${name} ${read.problem}`);
    const { site, domain } = read;
    if (domain === undefined || inputs.domain === undefined || domain === inputs.domain)
        return site;
    throw refusal(`${name} is of the site ${(0,text_escape/* plainLine */.h0)(domain, 260)}, and this export is of ${inputs.domain}`);
}
async function readText({ compareWith, baseUrl, bundle }, { run, http }) {
    if (compareWith.kind === 'address') {
        const url = new URL(compareWith.url);
        const reply = await http.request({
            service: { name: 'the server of the manifest', addressSetting: 'compare-with' },
            method: 'GET',
            url,
            repeat: 'always',
            limits: { bodyBytes: MAX_MANIFEST_BYTES },
            allowPrivateHosts: (0,platform_link/* linkPolicy */.ln)(baseUrl, bundle.allowPrivateHosts).allowPrivateHosts,
        });
        return { name: `the manifest at ${url.origin}${url.pathname}`, text: reply.body.toString('utf8') };
    }
    const path = compareWith.kind === 'file' ? compareWith.path : '';
    const workspace = { name: 'workspace', path: run.workspace };
    const folders = run.kind === 'local'
        ? [{ name: 'disk', path: (0,external_node_path_.parse)(path).root }]
        : [workspace, { name: 'RUNNER_TEMP', path: run.temp }];
    const text = await (0,confined_files/* readConfinedFile */.p7)({ path, input: 'compare-with', folders, maxBytes: MAX_MANIFEST_BYTES });
    const name = (0,confined_files/* shownPath */.pS)(path, run.workspace);
    if (text === undefined)
        throw refusal(`there is no file ${(0,text_escape/* plainLine */.h0)(name, 300)}`);
    return { name, text };
}
function refusal(problem) {
    return new errors/* CourierError */.Yw({
        code: 'config',
        message: `compare-with: ${problem}. Nothing was started.`,
        hint: 'Give previous, or the manifest that an earlier export of this site wrote next to its archive (bundle-path, with .manifest.json after its name).',
    });
}


/***/ })

};
