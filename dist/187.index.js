export const id = 187;
export const ids = [187];
export const modules = {

/***/ 5128:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   N9: () => (/* binding */ unsafe),
/* harmony export */   bT: () => (/* binding */ fileFault),
/* harmony export */   qM: () => (/* binding */ damaged)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9473);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3699);


/** The archive does what no documentation bundle needs to do: nothing of it is kept. */
function unsafe(reason, name) {
    const where = name === undefined ? '' : ` at "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .plainLine */ .h0)(name, 120)}"`;
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'unsafe-archive',
        message: `The bundle is not safe to unpack${where}: ${reason}.`,
        hint: 'Nothing of it was unpacked. Tell the platform about it; do not unpack this archive with other tools.',
    });
}
/** The archive is not what was sent off: cut, changed on the way, or made wrong. */
function damaged(reason, cause) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'integrity',
        message: `The bundle is damaged: ${reason}.`,
        hint: 'Nothing of it was kept. Run again; with export-job-id no second export is started.',
        cause,
    });
}
/** A file operation failed. `what` says what was being done, `path` to what. */
function fileFault(what, path, cause) {
    if (cause instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw)
        return cause;
    const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .errnoOf */ .UQ)(cause);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'io',
        message: `Could not ${what} ${path}${code === undefined ? '' : ` (${code})`}.`,
        hint: FILE_HINTS[code ?? ''] ?? 'Check that the path is on a writable disk of this runner.',
        cause,
    });
}
const FILE_HINTS = {
    ENOSPC: 'The disk is full: free some space in an earlier step, or use a larger runner.',
    EDQUOT: 'The disk quota is used up.',
    EROFS: 'That file system is read-only: choose a path below the workspace or RUNNER_TEMP.',
    EACCES: 'The runner may not write there: choose a path below the workspace or RUNNER_TEMP.',
    EPERM: 'The runner may not write there: choose a path below the workspace or RUNNER_TEMP.',
    EMFILE: 'Too many files are open on this runner; run the step again.',
};


/***/ }),

/***/ 7187:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   checkDestinations: () => (/* binding */ checkDestinations),
/* harmony export */   isInWorkspace: () => (/* binding */ isInWorkspace)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9473);
/* harmony import */ var _archive_fault_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5128);
/* harmony import */ var _staging_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9878);





/**
 * Looks at `bundle-path` and `extract-to` before anything is started: both must lie in the workspace or RUNNER_TEMP by
 * their real paths, and hold nothing that `clean` does not allow to replace. Writes nothing. Throws `config`.
 */
async function checkDestinations(check) {
    const { bundlePath, extractTo, clean } = check.bundle;
    const real = [];
    if (bundlePath !== undefined)
        real.push(await checkPlace('bundle-path', bundlePath, check));
    if (extractTo !== undefined)
        real.push(await checkPlace('extract-to', extractTo, check));
    const [archive, site] = real;
    if (archive !== undefined && site !== undefined && (isWithin(archive, site) || isWithin(site, archive))) {
        throw refuse('bundle-path', `${bundlePath}`, 'it and extract-to must not lie one in the other');
    }
    if (bundlePath !== undefined)
        await checkFile(bundlePath, clean);
    if (extractTo !== undefined)
        await checkFolder(extractTo, clean);
}
async function checkPlace(input, path, check) {
    if (!(0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(path) || /[\0\r\n]/.test(path))
        throw refuse(input, path, 'it is not an absolute path');
    const target = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(path);
    const real = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(await realParent(target), (0,node_path__WEBPACK_IMPORTED_MODULE_1__.basename)(target));
    const workspace = await realOrSame(check.workspace);
    const roots = [workspace, await realOrSame(check.runnerTemp)];
    const home = check.home === undefined ? undefined : await realOrSame(check.home);
    if (target === (0,node_path__WEBPACK_IMPORTED_MODULE_1__.parse)(target).root)
        throw refuse(input, path, 'it is the root of the file system');
    if (roots.includes(real) || real === home) {
        throw refuse(input, path, 'it is the workspace, RUNNER_TEMP or the home folder itself: name a folder inside');
    }
    if (!roots.some((root) => isWithin(real, root))) {
        throw refuse(input, path, 'it lies neither in the workspace nor in RUNNER_TEMP');
    }
    if (real.split(node_path__WEBPACK_IMPORTED_MODULE_1__.sep).some((segment) => /^\.git$/i.test(segment)))
        throw refuse(input, path, 'it lies in a .git folder');
    if (roots.some((root) => isWithin(root, real)))
        throw refuse(input, path, 'the workspace lies in it');
    return real;
}
// The nearest folder that is there, followed through all links; what is missing is made below it later.
async function realParent(target) {
    const parent = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(target);
    if (parent === target)
        return parent;
    try {
        const real = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(parent);
        if (!(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.lstat)(real)).isDirectory())
            throw refuse('path', target, `${parent} is not a folder`);
        return real;
    }
    catch (error) {
        if (!(0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .isMissing */ .b2)(error))
            throw (0,_archive_fault_js__WEBPACK_IMPORTED_MODULE_3__/* .fileFault */ .bT)('look at', parent, error);
        return (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(await realParent(parent), (0,node_path__WEBPACK_IMPORTED_MODULE_1__.basename)(parent));
    }
}
async function realOrSame(path) {
    try {
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.realpath)(path);
    }
    catch {
        return (0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(path);
    }
}
function isWithin(path, folder) {
    const way = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.relative)(folder, path);
    return way === '' || (way !== '..' && !way.startsWith(`..${node_path__WEBPACK_IMPORTED_MODULE_1__.sep}`) && !(0,node_path__WEBPACK_IMPORTED_MODULE_1__.isAbsolute)(way));
}
async function statOf(path) {
    try {
        return await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.lstat)(path);
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .isMissing */ .b2)(error))
            return undefined;
        throw (0,_archive_fault_js__WEBPACK_IMPORTED_MODULE_3__/* .fileFault */ .bT)('look at', path, error);
    }
}
async function checkFile(path, clean) {
    const found = await statOf(path);
    if (found === undefined)
        return;
    if (!found.isFile())
        throw refuse('bundle-path', path, 'something that is not a file stands there');
    if (!clean)
        throw (0,_staging_js__WEBPACK_IMPORTED_MODULE_4__/* .taken */ .uU)(path);
}
async function checkFolder(path, clean) {
    const found = await statOf(path);
    if (found === undefined) {
        // A run that was killed between moving the old folder away and the new one in: the old one comes back first.
        if (!clean && (0,_staging_js__WEBPACK_IMPORTED_MODULE_4__/* .findLeftovers */ .Q_)(path).some(({ former }) => former !== undefined))
            throw (0,_staging_js__WEBPACK_IMPORTED_MODULE_4__/* .taken */ .uU)(path);
        return;
    }
    if (!found.isDirectory())
        throw refuse('extract-to', path, 'something that is not a folder stands there');
    if (!clean && (await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.readdir)(path)).length > 0)
        throw (0,_staging_js__WEBPACK_IMPORTED_MODULE_4__/* .taken */ .uU)(path);
}
function refuse(input, path, reason) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw({
        code: 'config',
        message: `${input}: ${JSON.stringify(path)} cannot be used: ${reason}.`,
        hint: `Name a path inside the workspace or RUNNER_TEMP, such as "${input}: \${{ runner.temp }}/${input === 'bundle-path' ? 'docs.tar.gz' : 'site'}".`,
    });
}
/** Whether a path lies in the workspace; there, some names in a bundle would act on what later steps do. */
async function isInWorkspace(path, workspace) {
    return isWithin((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(await realParent((0,node_path__WEBPACK_IMPORTED_MODULE_1__.resolve)(path)), (0,node_path__WEBPACK_IMPORTED_MODULE_1__.basename)(path)), await realOrSame(workspace));
}


/***/ }),

/***/ 9878:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   J8: () => (/* binding */ makeFreshFolder),
/* harmony export */   Q_: () => (/* binding */ findLeftovers),
/* harmony export */   Tz: () => (/* binding */ recoverDestination),
/* harmony export */   gO: () => (/* binding */ openStaging),
/* harmony export */   uU: () => (/* binding */ taken)
/* harmony export */ });
/* unused harmony exports exists, isEmptyFolder */
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9473);
/* harmony import */ var _archive_fault_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5128);




const FRESH = 'fresh';
const FORMER = 'former';
function openStaging(destination) {
    const { parent, prefix } = placeOf(destination);
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.mkdirSync)(parent, { recursive: true });
        const home = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.realpathSync)(parent));
        // 0700 by itself.
        const folder = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.mkdtempSync)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(parent, `${prefix}${process.pid}-`));
        return createStaging({ destination, parent, folder, home: { device: home.dev, inode: home.ino } });
    }
    catch (cause) {
        throw (0,_archive_fault_js__WEBPACK_IMPORTED_MODULE_3__/* .fileFault */ .bT)('make a folder beside', destination, cause);
    }
}
function createStaging({ destination, parent, folder, home }) {
    const fresh = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, FRESH);
    const former = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, FORMER);
    // Between the first look and now the parent may have been swapped for a link that leads elsewhere.
    function checkParent() {
        const now = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.realpathSync)(parent));
        const stays = now.dev === home.device && now.ino === home.inode && (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(folder).isDirectory();
        if (!stays)
            throw moved(destination);
    }
    function publish({ replace, between }) {
        checkParent();
        const stands = exists(destination);
        if (stands && !replace && !isEmptyFolder(destination))
            throw taken(destination);
        const made = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(fresh);
        // One rename replaces a file in one step; a folder with content has to be moved away first.
        const isFolder = stands && (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(destination).isDirectory();
        if (isFolder)
            (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.renameSync)(destination, former);
        between?.();
        try {
            (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.renameSync)(fresh, destination);
        }
        catch (cause) {
            if (isFolder)
                (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.renameSync)(former, destination);
            throw cause;
        }
        const now = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(destination);
        if (now.ino !== made.ino || now.dev !== made.dev || now.isSymbolicLink())
            throw moved(destination);
    }
    return {
        fresh,
        publishText(path, text) {
            try {
                checkParent();
                const made = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, 'text');
                (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.writeFileSync)(made, text, { flag: 'wx', mode: 0o644 });
                (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.renameSync)(made, path);
            }
            catch (cause) {
                throw (0,_archive_fault_js__WEBPACK_IMPORTED_MODULE_3__/* .fileFault */ .bT)('write', path, cause);
            }
        },
        publish(options) {
            try {
                publish(options);
            }
            catch (cause) {
                throw (0,_archive_fault_js__WEBPACK_IMPORTED_MODULE_3__/* .fileFault */ .bT)('move the bundle to', destination, cause);
            }
        },
        discard: () => removeQuietly(folder),
    };
}
/** A folder for the unpacked site, with the mode it will have at its place. */
function makeFreshFolder({ fresh }) {
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.mkdirSync)(fresh);
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.chmodSync)(fresh, 0o755);
        return fresh;
    }
    catch (cause) {
        throw (0,_archive_fault_js__WEBPACK_IMPORTED_MODULE_3__/* .fileFault */ .bT)('create the folder', fresh, cause);
    }
}
function placeOf(destination) {
    return { parent: (0,node_path__WEBPACK_IMPORTED_MODULE_1__.dirname)(destination), prefix: `.${(0,node_path__WEBPACK_IMPORTED_MODULE_1__.basename)(destination).slice(0, 100)}.courier-` };
}
/** Folders that killed runs left beside this destination. Those of processes that still run are not among them. */
function findLeftovers(destination) {
    const { parent, prefix } = placeOf(destination);
    return listFolder(parent).flatMap((name) => {
        const pid = name.startsWith(prefix)
            ? /^(\d{1,10})-[A-Za-z0-9]{6}$/.exec(name.slice(prefix.length))?.[1]
            : undefined;
        if (pid === undefined || isRunning(Number(pid)))
            return [];
        const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(parent, name);
        const former = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(folder, FORMER);
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(folder).isDirectory() ? [{ folder, former: exists(former) ? former : undefined }] : [];
    });
}
/** Puts right what a killed run left: the former content goes back where nothing stands, the rest is removed. */
function recoverDestination(destination, log) {
    for (const { folder, former } of findLeftovers(destination)) {
        try {
            if (former !== undefined && !exists(destination)) {
                (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.renameSync)(former, destination);
                log.info(`An earlier run was stopped while it replaced ${destination}; the former content is back.`);
            }
        }
        catch (cause) {
            throw (0,_archive_fault_js__WEBPACK_IMPORTED_MODULE_3__/* .fileFault */ .bT)('bring back the former content of', destination, cause);
        }
        removeQuietly(folder);
    }
}
function isRunning(pid) {
    if (pid === process.pid)
        return true;
    try {
        process.kill(pid, 0);
        return true;
    }
    catch (error) {
        return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
    }
}
function listFolder(path) {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)(path);
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .isMissing */ .b2)(error))
            return [];
        throw (0,_archive_fault_js__WEBPACK_IMPORTED_MODULE_3__/* .fileFault */ .bT)('list', path, error);
    }
}
function exists(path) {
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(path);
        return true;
    }
    catch (error) {
        if ((0,_errors_js__WEBPACK_IMPORTED_MODULE_2__/* .isMissing */ .b2)(error))
            return false;
        throw error;
    }
}
function isEmptyFolder(path) {
    return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.lstatSync)(path).isDirectory() && (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readdirSync)(path).length === 0;
}
function removeQuietly(path) {
    try {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.rmSync)(path, { recursive: true, force: true, maxRetries: 3 });
    }
    catch {
        // The next run tries again; the reason for which this one ends is more important.
    }
}
function taken(destination) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw({
        code: 'config',
        message: `${destination} is there already and is not empty.`,
        hint: 'Add "clean: true" to replace it, or choose a path where nothing stands.',
    });
}
function moved(destination) {
    return new _errors_js__WEBPACK_IMPORTED_MODULE_2__/* .CourierError */ .Yw({
        code: 'io',
        message: `The folder that holds ${destination} was replaced while the bundle was unpacked.`,
        hint: 'Another process works there at the same time: choose a folder that only this step writes to.',
    });
}


/***/ })

};
