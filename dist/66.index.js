export const id = 66;
export const ids = [66,187];
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


/***/ }),

/***/ 66:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  receiveBundle: () => (/* binding */ receiveBundle)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/clock.js + 1 modules
var build_clock = __webpack_require__(4701);
// EXTERNAL MODULE: ./build/errors.js
var build_errors = __webpack_require__(9473);
// EXTERNAL MODULE: ./build/text/escape.js
var text_escape = __webpack_require__(3699);
// EXTERNAL MODULE: ./build/text/markdown.js
var markdown = __webpack_require__(1065);
// EXTERNAL MODULE: ./build/bundle/archive/fault.js
var fault = __webpack_require__(5128);
;// CONCATENATED MODULE: ./build/bundle/archive/limits.js
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
const TRANSFER_LIMITS = {
    headersMs: 30_000,
    idleMs: 30_000,
    slowWindowMs: 60_000,
    slowBytesPerSecond: 64 * KIB,
    barrenAttempts: 5,
    attempts: 21,
    redirects: 3,
};

// EXTERNAL MODULE: ./build/bundle/disk/destination.js
var destination = __webpack_require__(7187);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
;// CONCATENATED MODULE: ./build/bundle/disk/disk.js

const systemDisk = {
    open: external_node_fs_.openSync,
    write: (fd, content, { from, at }) => (0,external_node_fs_.writeSync)(fd, content, from, content.length - from, at),
    makeFolder: (path, mode) => {
        (0,external_node_fs_.mkdirSync)(path, mode);
    },
    close: external_node_fs_.closeSync,
};
/** Writes all of it, however often that takes. */
function writeAll(disk, fd, { content, at }) {
    for (let from = 0; from < content.length;) {
        from += disk.write(fd, content, at === undefined ? { from } : { from, at: at + from });
    }
}

;// CONCATENATED MODULE: ./build/bundle/manifest.js

/** The manifest as JSON: files sorted by path, in bytes order, so that the same bundle gives the same list. */
function formatManifest(init) {
    const { origin, files } = init;
    const manifest = {
        version: 1,
        site: origin.domain ?? null,
        exportJobId: origin.jobId,
        pages: origin.pageCount ?? null,
        createdAt: origin.createdAt?.toISOString() ?? null,
        receivedAt: init.receivedAt.toISOString(),
        deploymentType: origin.deploymentType ?? null,
        archive: { name: (0,external_node_path_.basename)(init.bundlePath), format: init.format, bytes: init.bytes, sha256: init.sha256 },
        files: [...files]
            .sort((a, b) => (a.path < b.path ? -1 : 1))
            .map(({ path, bytes, sha256 }) => ({ path, bytes, sha256: sha256 ?? null })),
    };
    return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
/** Lines as `sha256sum --check` reads them; a name with a backslash or a line end is escaped as sha256sum does. */
function formatChecksums(sums) {
    return sums
        .map(({ name, sha256 }) => {
        const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
        return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`;
    })
        .join('');
}

;// CONCATENATED MODULE: ./build/bundle/disk/publication.js



/** Moves the archive to `bundle-path`, with its manifest and checksum beside it. */
function publishArchive(init) {
    const { bundle, fetched, reached, staging, origin, clock } = init;
    const { bundlePath } = bundle;
    if (bundlePath === undefined)
        return {};
    const { downloaded, format, files } = fetched;
    (0,external_node_fs_.chmodSync)(staging.fresh, 0o644);
    staging.publish({ replace: bundle.clean });
    reached?.('archive-published');
    const manifestPath = `${bundlePath}.manifest.json`;
    const checksumPath = `${bundlePath}.sha256`;
    const { sha256, bytes } = downloaded;
    staging.publishText(manifestPath, formatManifest({ bundlePath, sha256, bytes, format, origin, files, receivedAt: new Date(clock.now()) }));
    staging.publishText(checksumPath, formatChecksums([{ name: (0,external_node_path_.basename)(bundlePath), sha256 }]));
    reached?.('manifest-written');
    return { path: bundlePath, manifestPath, checksumPath };
}
/** Moves the unpacked site to `extract-to`. */
function publishSite({ bundle, fetched, reached, staging }) {
    const { extractTo } = bundle;
    if (extractTo === undefined || staging === undefined)
        return {};
    staging.publish({ replace: bundle.clean, between: () => reached?.('former-moved') });
    reached?.('site-published');
    const folder = siteFolder(fetched.files);
    return { sitePath: folder === '' ? extractTo : (0,external_node_path_.join)(extractTo, folder) };
}
/** Some archives hold the site in one folder of theirs: that folder, or empty. */
function siteFolder(files) {
    const isEntry = (path) => files.some((file) => file.path === path);
    const top = files[0]?.path.split('/')[0] ?? '';
    if (isEntry('index.html') || !files.every(({ path }) => path.startsWith(`${top}/`)))
        return '';
    return isEntry(`${top}/index.html`) ? top : '';
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
;// CONCATENATED MODULE: ./build/bundle/disk/space.js




// The archive itself with some room, and where it is unpacked room for what a site of that size usually becomes.
const SPACE_FACTOR = { unpacked: 2.5, packed: 1.25 };
/** Bytes that may still be written on the disk of a folder. */
async function freeBytes(folder) {
    const { bavail, bsize } = await (0,promises_.statfs)(folder);
    return bavail * bsize;
}
/**
 * Measures the disks that the bundle goes to. Gives a check that takes no time, since the reply must be read at once when
 * its size is known: it takes the archive's bytes and throws `io` when a disk cannot hold the bundle.
 */
async function measureSpace({ bundle, runnerTemp, free }) {
    const { bundlePath, extractTo } = bundle;
    const places = [
        { folder: bundlePath === undefined ? runnerTemp : (0,external_node_path_.dirname)(bundlePath), factor: SPACE_FACTOR.packed },
        ...(extractTo === undefined ? [] : [{ folder: (0,external_node_path_.dirname)(extractTo), factor: SPACE_FACTOR.unpacked }]),
    ];
    const measured = await Promise.all(places.map(async (place) => ({ ...place, left: await free(place.folder) })));
    return (bytes) => {
        for (const { folder, factor, left } of measured)
            if (left < bytes * factor)
                throw tooSmall({ folder, left, bytes, factor });
    };
}
function tooSmall({ folder, left, bytes, factor, }) {
    return new build_errors/* CourierError */.Yw({
        code: 'io',
        message: `The disk of ${folder} has ${(0,markdown/* formatBytes */.z3)(left)} left; a bundle of ${(0,markdown/* formatBytes */.z3)(bytes)} needs ${(0,markdown/* formatBytes */.z3)(bytes * factor)}.`,
        hint: 'Free some space in an earlier step, or use a larger runner.',
    });
}

// EXTERNAL MODULE: ./build/bundle/disk/staging.js
var staging = __webpack_require__(9878);
// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
;// CONCATENATED MODULE: ./build/bundle/archive/spent-memory.js
// Smaller pieces are cut from a pool that others use too, or are not worth the call.
const LEAST_BYTES = 16 * 1024;
/**
 * Gives memory back at once that nobody reads any more, where the piece is the last one of its buffer or all of it. The
 * collector looks when the heap grows and not when what hangs on it does: tens of megabytes of spent pieces wait for it.
 */
function freeSpent({ buffer, byteOffset, byteLength }) {
    const isLast = byteLength > 0 && byteOffset + byteLength === buffer.byteLength;
    if (!isLast || buffer.byteLength < LEAST_BYTES || !(buffer instanceof ArrayBuffer))
        return;
    // Node 20 cannot do it; there the collector has to.
    if (typeof buffer.transfer === 'function')
        buffer.transfer(0);
}
/**
 * The pieces of a stream that fills one buffer after the other, as zlib's do. Each is good until the next one is asked for.
 * A stream's own iterator would first join what has piled up into one more buffer.
 */
async function* takePieces(stream) {
    const queue = [];
    let end;
    let wake = () => { };
    const finish = (error) => {
        end ??= { error };
        wake();
    };
    stream.on('data', (piece) => {
        queue.push(piece);
        stream.pause();
        wake();
    });
    stream.on('end', finish).on('error', finish);
    stream.on('close', () => finish(new Error('the stream was closed before its end')));
    try {
        for (;;) {
            for (let piece = queue.shift(); piece !== undefined; piece = queue.shift()) {
                yield piece;
                freeSpent(piece);
            }
            if (end?.error !== undefined)
                throw end.error;
            if (end !== undefined)
                return;
            const change = new Promise((resolve) => {
                wake = resolve;
            });
            stream.resume();
            await change;
        }
    }
    finally {
        stream.destroy();
    }
}

;// CONCATENATED MODULE: ./build/bundle/archive/gzip.js




// Large enough that a turn costs little beside its work, small enough that no turn of it blocks for long.
const OUTPUT_PIECE_BYTES = 256 * 1024;
const READ_AHEAD_BYTES = 4 * OUTPUT_PIECE_BYTES;
// zlib's streams take the options of every stream; the types do not say so.
const INFLATE_OPTIONS = { chunkSize: OUTPUT_PIECE_BYTES, readableHighWaterMark: READ_AHEAD_BYTES };
const LONGEST_HEADER = 64 * 1024;
const TRAILER_BYTES = 8;
const FLAG = { headerChecksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 };
/**
 * Unpacks one gzip member (RFC 1952) and nothing else: header checksum, CRC-32 and length are checked, and the input must
 * end where the member does. `createGunzip` would pass over what follows a member, and read a second one.
 */
async function* gunzip(source) {
    const inflate = (0,external_node_zlib_.createInflateRaw)(INFLATE_OPTIONS);
    // Fed beside the reading: the pool inflates the next piece while this thread writes the last one.
    const feeding = feed(source, inflate);
    feeding.catch((error) => inflate.destroy(error));
    let checksum = 0;
    let length = 0;
    try {
        for await (const piece of takePieces(inflate)) {
            checksum = (0,external_node_zlib_.crc32)(piece, checksum);
            length = (length + piece.length) >>> 0;
            yield piece;
        }
    }
    catch (error) {
        throw readableError(error);
    }
    const trailer = await feeding;
    if (trailer.readUInt32LE(0) !== checksum)
        throw (0,fault/* damaged */.qM)('the CRC-32 of the gzip data is wrong');
    if (trailer.readUInt32LE(4) !== length)
        throw (0,fault/* damaged */.qM)('the length of the gzip data is wrong');
}
function readableError(error) {
    const isZlib = error instanceof Error && 'errno' in error && 'code' in error && String(error.code).startsWith('Z_');
    return isZlib ? (0,fault/* damaged */.qM)('its compressed data is broken or cut off', error) : error;
}
// Gives the eight bytes behind the compressed data.
async function feed(source, inflate) {
    let head = external_node_buffer_.Buffer.alloc(0);
    let tail;
    for await (const chunk of source) {
        let body = chunk;
        if (head !== undefined) {
            head = external_node_buffer_.Buffer.concat([head, chunk]);
            const end = headerEnd(head);
            if (end === undefined)
                continue;
            body = head.subarray(end);
            head = undefined;
        }
        tail = tail === undefined ? await inflatePiece(inflate, body) : external_node_buffer_.Buffer.concat([tail, body]);
        if (tail !== undefined && tail.length > TRAILER_BYTES)
            throw (0,fault/* damaged */.qM)('something follows the gzip data');
    }
    if (head !== undefined)
        throw (0,fault/* damaged */.qM)('it ends within the gzip header');
    if (tail === undefined)
        await finishInput(inflate);
    if (tail?.length !== TRAILER_BYTES)
        throw (0,fault/* damaged */.qM)('it ends too early');
    return tail;
}
// Gives what was left over once the compressed data came to its end by itself.
function inflatePiece(inflate, piece) {
    if (piece.length === 0)
        return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
        const before = inflate.bytesWritten;
        const onClose = () => reject((0,fault/* damaged */.qM)('its compressed data is broken or cut off', inflate.errored));
        inflate.once('close', onClose);
        inflate.write(piece, (error) => {
            inflate.off('close', onClose);
            const consumed = inflate.bytesWritten - before;
            if (error)
                reject(readableError(error));
            else
                resolve(consumed < piece.length ? external_node_buffer_.Buffer.from(piece.subarray(consumed)) : undefined);
        });
    });
}
function finishInput(inflate) {
    return new Promise((resolve, reject) => {
        inflate.once('error', (error) => reject(readableError(error)));
        inflate.end(() => resolve());
    });
}
/** Where the header ends; undefined while more of it is needed. */
function headerEnd(data) {
    if (data.length < 10)
        return undefined;
    const flags = data[3] ?? 0;
    if (data[0] !== 0x1f || data[1] !== 0x8b || data[2] !== 8 || (flags & FLAG.reserved) !== 0) {
        throw (0,fault/* damaged */.qM)('its gzip header is wrong');
    }
    let at = 10;
    if (flags & FLAG.extra)
        at = data.length < 12 ? undefined : 12 + data.readUInt16LE(10);
    if (flags & FLAG.name)
        at = afterZero(data, at);
    if (flags & FLAG.comment)
        at = afterZero(data, at);
    if (at !== undefined && flags & FLAG.headerChecksum) {
        if (data.length < at + 2)
            at = undefined;
        else if (data.readUInt16LE(at) !== ((0,external_node_zlib_.crc32)(data.subarray(0, at)) & 0xffff)) {
            throw (0,fault/* damaged */.qM)('the checksum of its gzip header is wrong');
        }
        else
            at += 2;
    }
    if (data.length > LONGEST_HEADER && at === undefined)
        throw (0,fault/* damaged */.qM)('its gzip header does not end');
    return at === undefined || at > data.length ? undefined : at;
}
function afterZero(data, from) {
    const zero = from === undefined ? -1 : data.indexOf(0, from);
    return zero === -1 ? undefined : zero + 1;
}

;// CONCATENATED MODULE: ./build/bundle/archive/pax.js


/**
 * Reads the records `LENGTH KEY=VALUE\n` of POSIX.1-2017, pax, "pax Extended Header". Tolerant readers differ in what
 * they make of a malformed record, and an archive that says different things to different readers is refused.
 */
function readPax(data) {
    const seen = new Set();
    let path;
    let sizeBytes;
    for (let at = 0; at < data.length;) {
        const record = readRecord(data, at);
        at = record.end;
        if (seen.has(record.key))
            throw (0,fault/* unsafe */.N9)(`an extended header names ${record.key} twice`);
        seen.add(record.key);
        refuseLinksAndHoles(record.key, record.value);
        if (record.key === 'path')
            path = record.value;
        if (record.key === 'size')
            sizeBytes = readSize(record.value);
    }
    return { path, sizeBytes };
}
/** Headers for all entries may carry remarks (`git archive` writes a commit id), but rename nothing. */
function refuseGlobalOverrides(overrides) {
    if (overrides.path !== undefined || overrides.sizeBytes !== undefined) {
        throw (0,fault/* unsafe */.N9)('a global header renames or resizes every entry');
    }
}
function readRecord(data, start) {
    const space = data.indexOf(0x20, start);
    const digits = space === -1 || space - start > 8 ? '' : data.toString('latin1', start, space);
    if (!/^[1-9]\d*$/.test(digits))
        throw (0,fault/* unsafe */.N9)('an extended header is malformed');
    const end = start + Number(digits);
    const equals = data.indexOf(0x3d, space);
    if (end > data.length || data[end - 1] !== 0x0a || equals === -1 || equals >= end || equals === space + 1) {
        throw (0,fault/* unsafe */.N9)('an extended header is malformed');
    }
    const value = data.subarray(equals + 1, end - 1);
    const key = data.toString('utf8', space + 1, equals);
    if (data.subarray(space, end).includes(0))
        throw (0,fault/* unsafe */.N9)('an extended header holds a NUL character');
    // Extended attributes are bytes; they are not used, so what they hold does not matter.
    if (!(0,external_node_buffer_.isUtf8)(value) && !key.includes('.'))
        throw (0,fault/* unsafe */.N9)('an extended header is not UTF-8');
    return { key, value: value.toString('utf8'), end };
}
function refuseLinksAndHoles(key, value) {
    if (key === 'linkpath')
        throw (0,fault/* unsafe */.N9)('it holds a link', value);
    if (key.startsWith('GNU.sparse'))
        throw (0,fault/* unsafe */.N9)('it holds a sparse file');
    if (key === 'hdrcharset' && !/^ISO-IR 10646 2000 UTF-8$/.test(value))
        throw (0,fault/* unsafe */.N9)('its names are not in UTF-8');
}
function readSize(value) {
    if (!/^\d{1,15}$/.test(value))
        throw (0,fault/* unsafe */.N9)('an extended header gives a size that is no number');
    return Number(value);
}

;// CONCATENATED MODULE: ./build/bundle/archive/tar-fields.js

/** Bytes in a block of a tar. */
const BLOCK = 512;
const NAME_BYTES = 100;
function kindOf(code, name) {
    switch (String.fromCharCode(code)) {
        case '\0':
        case '0':
            // Before POSIX, a folder was a file whose name ends in a slash.
            return name.endsWith('/') ? 'directory' : 'file';
        case '5':
            return 'directory';
        case 'x':
            return 'pax';
        case 'g':
            return 'global-pax';
        case 'L':
            return 'long-name';
        case '1':
        case '2':
        case 'K':
            throw (0,fault/* unsafe */.N9)('it holds a link', name);
        default:
            throw (0,fault/* unsafe */.N9)('it holds something that is neither file nor folder', name);
    }
}
function paddingOf(sizeBytes) {
    return (BLOCK - (sizeBytes % BLOCK)) % BLOCK;
}
// Octal digits between blanks, or, with the top bit set, a positive binary number (GNU). Everything else is read
// differently by different programs.
function readSizeField(block) {
    const field = block.subarray(124, 136);
    if (field[0] === 0x80) {
        if (field.subarray(1, 5).some((byte) => byte !== 0))
            throw (0,fault/* unsafe */.N9)('a file has an impossible size');
        const size = field.readUIntBE(5, 1) * 2 ** 48 + field.readUIntBE(6, 6);
        if (!Number.isSafeInteger(size))
            throw (0,fault/* unsafe */.N9)('a file has an impossible size');
        return size;
    }
    const text = field.toString('latin1');
    if (!/^ *[0-7]*[ \0]*$/.test(text))
        throw (0,fault/* unsafe */.N9)('a file has an impossible size');
    return Number.parseInt(text.replace(/[ \0]/g, '') || '0', 8);
}
// What stands behind a NUL is no part of the name to us; to another program it may be.
function refuseHiddenName(block, name) {
    let isOver = false;
    for (let at = 0; at < NAME_BYTES; at += 1) {
        if (block[at] === 0)
            isOver = true;
        else if (isOver)
            throw (0,fault/* unsafe */.N9)('a name holds a NUL character', name);
    }
}
function readLongName(data) {
    const end = data.indexOf(0);
    if (end !== -1 && data.subarray(end).some((byte) => byte !== 0))
        throw (0,fault/* unsafe */.N9)('a name holds a NUL character');
    return data.toString('utf8', 0, end === -1 ? data.length : end);
}

;// CONCATENATED MODULE: ./build/bundle/archive/tar-header.js




const ZERO_BLOCK = external_node_buffer_.Buffer.alloc(BLOCK);
async function loadHeaderDecoder() {
    const { Header: Decoder } = await __webpack_require__.e(/* import() */ 532).then(__webpack_require__.bind(__webpack_require__, 6532));
    return (block) => new Decoder(block, 0);
}
function createTarHeaderReader(decode, { metaBytes }) {
    let path;
    let paxSizeBytes;
    let awaitsEntry = false;
    function readMeta(kind, sizeBytes) {
        if (sizeBytes > metaBytes)
            throw (0,fault/* unsafe */.N9)(`an extended header is larger than ${metaBytes} bytes`);
        if (awaitsEntry && kind !== 'global-pax')
            throw (0,fault/* unsafe */.N9)('two extended headers stand before one entry');
        if (sizeBytes === 0)
            throw (0,fault/* unsafe */.N9)('an extended header is empty');
        return { is: 'meta', kind, sizeBytes };
    }
    return {
        read(block) {
            if (block.equals(ZERO_BLOCK)) {
                if (awaitsEntry)
                    throw (0,fault/* damaged */.qM)('an extended header belongs to no entry');
                return undefined;
            }
            const sizeBytes = readSizeField(block);
            const header = decodeSafely(decode, block);
            if (!header.cksumValid)
                throw (0,fault/* damaged */.qM)('the checksum of a tar header is wrong');
            const name = path ?? header.path ?? '';
            if (path === undefined)
                refuseHiddenName(block, name);
            const kind = kindOf(block[156] ?? 0, name);
            if (kind !== 'file' && kind !== 'directory')
                return readMeta(kind, sizeBytes);
            if ((paxSizeBytes ?? sizeBytes) !== sizeBytes)
                throw (0,fault/* unsafe */.N9)('it gives two sizes for one file', name);
            path = undefined;
            paxSizeBytes = undefined;
            awaitsEntry = false;
            return { is: 'entry', kind, name, sizeBytes };
        },
        override(kind, content) {
            if (kind === 'global-pax') {
                refuseGlobalOverrides(readPax(content));
                return;
            }
            if (kind === 'long-name')
                path = readLongName(content);
            else
                ({ path, sizeBytes: paxSizeBytes } = readPax(content));
            awaitsEntry = true;
        },
    };
}
// The library throws on some numbers; that they are malformed is all there is to know.
function decodeSafely(decode, block) {
    try {
        return decode(block);
    }
    catch (cause) {
        throw (0,fault/* damaged */.qM)('a tar header is malformed', cause);
    }
}

;// CONCATENATED MODULE: ./build/bundle/archive/tar-reader.js




// Tars are padded with zeros to whole records; GNU's default record is 10 KiB, tapes used up to 1 MiB.
const LONGEST_PADDING = 1024 * 1024;
/**
 * node-tar decodes each header; the walk from block to block is our own, since that library's parser passes over unknown
 * kinds, large extended headers and whatever follows the end, and unpacks a gzip it finds inside by itself.
 */
function createTarReader(decode, { admission, sink, limits }) {
    const headers = createTarHeaderReader(decode, limits);
    let state = { in: 'header' };
    // The beginning of a header, while the rest of it has not come.
    let carry;
    // Of the content that is being read, and of the zeros that fill its last block.
    let left = 0;
    let padding = 0;
    let zeroBlocks = 0;
    let trailingBytes = 0;
    function takeHeader(block) {
        const header = headers.read(block);
        if (header === undefined) {
            zeroBlocks += 1;
            if (zeroBlocks === 2)
                state = { in: 'end' };
            return;
        }
        if (zeroBlocks > 0)
            throw (0,fault/* damaged */.qM)('something follows the end of the archive');
        left = header.sizeBytes;
        padding = paddingOf(left);
        if (header.is === 'meta')
            state = { in: 'meta', kind: header.kind, parts: [] };
        else
            startEntry(header);
    }
    function startEntry(header) {
        const path = admission.admit(header);
        if (header.kind === 'directory') {
            if (path !== undefined)
                sink.directory(path);
            return;
        }
        if (path === undefined)
            throw (0,fault/* unsafe */.N9)('a file has no name', header.name);
        if (left > 0)
            state = { in: 'file', path, isBegun: false };
        // Nothing comes of an empty file: it must not wait for more input to be done.
        else
            sink.file(path, external_node_buffer_.Buffer.alloc(0));
    }
    function readHeader(chunk, at) {
        if (carry === undefined && chunk.length - at >= BLOCK) {
            takeHeader(chunk.subarray(at, at + BLOCK));
            return at + BLOCK;
        }
        const piece = external_node_buffer_.Buffer.from(chunk.subarray(at, at + BLOCK - (carry?.length ?? 0)));
        const block = carry === undefined ? piece : external_node_buffer_.Buffer.concat([carry, piece]);
        carry = block.length < BLOCK ? block : undefined;
        if (carry === undefined)
            takeHeader(block);
        return at + piece.length;
    }
    // A file that lies whole in this piece of input, as most do, is written in one go.
    function takeFile(piece, { path, isBegun }) {
        if (!isBegun && left === 0)
            sink.file(path, piece);
        else {
            if (!isBegun)
                sink.begin(path);
            sink.append(piece);
            if (left === 0)
                sink.finish();
            else if (!isBegun)
                state = { in: 'file', path, isBegun: true };
        }
    }
    function takeMeta(piece, { kind, parts }) {
        // A copy: the chunk's memory is used again for the next one.
        parts.push(external_node_buffer_.Buffer.from(piece));
        if (left === 0)
            headers.override(kind, external_node_buffer_.Buffer.concat(parts));
    }
    function readContent(chunk, at, reading) {
        const piece = chunk.subarray(at, at + left);
        left -= piece.length;
        if (reading.in === 'file')
            takeFile(piece, reading);
        else
            takeMeta(piece, reading);
        if (left === 0)
            state = { in: padding === 0 ? 'header' : 'padding' };
        return at + piece.length;
    }
    function readPadding(chunk, at) {
        const passed = Math.min(padding, chunk.length - at);
        padding -= passed;
        if (padding === 0)
            state = { in: 'header' };
        return at + passed;
    }
    function readTrailing(chunk, at) {
        trailingBytes += chunk.length - at;
        if (trailingBytes > LONGEST_PADDING)
            throw (0,fault/* unsafe */.N9)('it goes on long after its end');
        if (chunk.subarray(at).some((byte) => byte !== 0))
            throw (0,fault/* damaged */.qM)('something follows the end of the archive');
        return chunk.length;
    }
    function step(chunk, at) {
        switch (state.in) {
            case 'header':
                return readHeader(chunk, at);
            case 'file':
            case 'meta':
                return readContent(chunk, at, state);
            case 'padding':
                return readPadding(chunk, at);
            case 'end':
                return readTrailing(chunk, at);
        }
    }
    return {
        push(chunk) {
            for (let at = 0; at < chunk.length;)
                at = step(chunk, at);
        },
        end() {
            if (state.in !== 'end')
                throw (0,fault/* damaged */.qM)('the archive ends too early');
        },
    };
}

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
;// CONCATENATED MODULE: ./build/bundle/archive/zip-directory.js


const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const END64_BYTES = 56;
const LOCATOR_BYTES = 20;
const LONGEST_COMMENT = 0xffff;
const KINDS = { mask: 0o170000, file: 0o100000, directory: 0o040000 };
const zip_directory_FLAG = { encrypted: 1, patched: 0x20, strong: 0x40, masked: 0x2000 };
/**
 * Reads the central directory with yauzl, after checking that there is one end record only, that it stands at the very end,
 * and that the directory lies right before it: a file that is a zip in two ways is two archives to two programs.
 */
async function readZipDirectory(source, limits) {
    const place = findDirectory(source);
    if (place.entries > limits.entries)
        throw (0,fault/* unsafe */.N9)(`it holds more than ${limits.entries} entries`);
    const yauzl = await __webpack_require__.e(/* import() */ 663).then(__webpack_require__.t.bind(__webpack_require__, 663, 19));
    // Of all that yauzl can do only its reader of directory entries is used: names are judged by our own policy.
    const zip = await yauzl.fromRandomAccessReaderPromise(createReader(yauzl, source), source.sizeBytes, {
        autoClose: false,
        decodeStrings: false,
    });
    const members = [];
    let lengthSeen = 0;
    try {
        for await (const entry of zip.eachEntry()) {
            lengthSeen += 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
            const { fileNameRaw, extraFields, generalPurposeBitFlag } = entry;
            members.push(toMember(entry, yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)));
        }
    }
    catch (error) {
        throw error instanceof build_errors/* CourierError */.Yw ? error : (0,fault/* unsafe */.N9)('its directory is malformed');
    }
    if (members.length !== place.entries || lengthSeen !== place.length)
        throw (0,fault/* unsafe */.N9)('its directory is not as long as it says');
    return members;
}
function createReader(yauzl, source) {
    class SourceReader extends yauzl.RandomAccessReader {
        read(...args) {
            const [buffer, offset, length, position, callback] = args;
            const piece = source.readAt(position, length);
            piece.copy(buffer, offset);
            // Not at once: the directory of a large archive would be read in one turn, and nothing else would run.
            setImmediate(callback, piece.length === length ? null : new Error('the directory is cut off'));
        }
    }
    return new SourceReader();
}
function toMember(entry, name) {
    const { generalPurposeBitFlag: flags, compressionMethod: method, externalFileAttributes } = entry;
    if (flags & (zip_directory_FLAG.encrypted | zip_directory_FLAG.strong | zip_directory_FLAG.masked))
        throw (0,fault/* unsafe */.N9)('it is encrypted', name);
    if (flags & zip_directory_FLAG.patched)
        throw (0,fault/* unsafe */.N9)('it is a patch', name);
    if (method !== 0 && method !== 8)
        throw (0,fault/* unsafe */.N9)(`it is compressed in a way (${method}) that is not supported`, name);
    const rawName = entry.fileNameRaw.toString('latin1');
    const hasSecondName = entry.extraFields.some(({ id }) => id === 0x7075);
    if (hasSecondName && name !== entry.fileNameRaw.toString('utf8'))
        throw (0,fault/* unsafe */.N9)('it has two names', name);
    return {
        name,
        rawName,
        kind: zip_directory_kindOf(name, (externalFileAttributes >>> 16) & KINDS.mask),
        method,
        flags,
        crc32: entry.crc32,
        packedBytes: entry.compressedSize,
        sizeBytes: entry.uncompressedSize,
        headerAt: entry.relativeOffsetOfLocalHeader,
    };
}
// Unix keeps the kind in the upper half of the attributes; other systems leave it empty.
function zip_directory_kindOf(name, kind) {
    const isFolderName = name.endsWith('/');
    if (kind !== 0 && kind !== KINDS.file && kind !== KINDS.directory) {
        throw (0,fault/* unsafe */.N9)('it is a link, or something else that is neither file nor folder', name);
    }
    if ((kind === KINDS.directory && !isFolderName) || (kind === KINDS.file && isFolderName)) {
        throw (0,fault/* unsafe */.N9)('it is both a file and a folder', name);
    }
    return isFolderName ? 'directory' : 'file';
}
function findDirectory(source) {
    const end = findEnd(source);
    const disks = [end.record.readUInt16LE(4), end.record.readUInt16LE(6)];
    const place = {
        entries: end.record.readUInt16LE(10),
        length: end.record.readUInt32LE(12),
        at: end.record.readUInt32LE(16),
    };
    if (disks.some((disk) => disk !== 0) || end.record.readUInt16LE(8) !== place.entries)
        throw (0,fault/* unsafe */.N9)('it spans several disks');
    const wide = readWideEnd(source, end.at);
    if (wide === undefined && place.at + place.length !== end.at)
        throw (0,fault/* unsafe */.N9)('something stands beside its directory');
    if (wide === undefined)
        return place;
    const lies = (place.entries !== 0xffff && place.entries !== wide.entries) ||
        (place.length !== 0xffffffff && place.length !== wide.length) ||
        (place.at !== 0xffffffff && place.at !== wide.at);
    if (lies)
        throw (0,fault/* unsafe */.N9)('its two end records disagree');
    return wide;
}
function findEnd(source) {
    const length = Math.min(source.sizeBytes, END_BYTES + LONGEST_COMMENT);
    const tail = source.readAt(source.sizeBytes - length, length);
    for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
        if (tail.readUInt32LE(at) !== END_SIGNATURE)
            continue;
        const comment = tail.subarray(at + END_BYTES);
        if (tail.readUInt16LE(at + 20) !== comment.length)
            throw (0,fault/* unsafe */.N9)('something follows its end');
        if (comment.includes('PK'))
            throw (0,fault/* unsafe */.N9)('its comment looks like another archive');
        return { record: tail.subarray(at, at + END_BYTES), at: source.sizeBytes - tail.length + at };
    }
    throw (0,fault/* damaged */.qM)('the end of the zip is missing');
}
function readWideEnd(source, endAt) {
    const locator = source.readAt(Math.max(0, endAt - LOCATOR_BYTES), LOCATOR_BYTES);
    if (endAt < LOCATOR_BYTES + END64_BYTES || locator.readUInt32LE(0) !== 0x07064b50)
        return undefined;
    const recordAt = endAt - LOCATOR_BYTES - END64_BYTES;
    const record = source.readAt(recordAt, END64_BYTES);
    const isRecord = record.readUInt32LE(0) === 0x06064b50 && record.readBigUInt64LE(4) === BigInt(END64_BYTES - 12);
    if (!isRecord || Number(locator.readBigUInt64LE(8)) !== recordAt)
        throw (0,fault/* unsafe */.N9)('its large end record is misplaced');
    if (record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0 || locator.readUInt32LE(4) !== 0) {
        throw (0,fault/* unsafe */.N9)('it spans several disks');
    }
    const place = {
        entries: Number(record.readBigUInt64LE(32)),
        length: Number(record.readBigUInt64LE(40)),
        at: Number(record.readBigUInt64LE(48)),
    };
    if (place.at + place.length !== recordAt)
        throw (0,fault/* unsafe */.N9)('something stands beside its directory');
    if (Number(record.readBigUInt64LE(24)) !== place.entries)
        throw (0,fault/* unsafe */.N9)('it spans several disks');
    return place;
}

;// CONCATENATED MODULE: ./build/bundle/archive/zip-reader.js







const LOCAL_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const HAS_DESCRIPTOR = 8;
// Members up to this size are unpacked in one call: a stream for each would cost more than the work itself.
const SMALL_BYTES = 512 * 1024;
const PIECE_BYTES = 256 * 1024;
const YIELD_AFTER_BYTES = 4 * 1024 * 1024;
/** Judges every member first, then unpacks them in the order in which they lie in the file. */
async function readZip({ source, admission, sink, limits, checkpoint }) {
    const members = await readZipDirectory(source, limits);
    const paths = new Map(members.map((member) => [member, admission.admit(member)]));
    members.sort((a, b) => a.headerAt - b.headerAt);
    const places = members.map((member) => checkLocalHeader(source, member));
    checkTiling(source, members, places);
    let sinceYield = 0;
    for (const [index, member] of members.entries()) {
        checkpoint();
        const path = paths.get(member);
        sinceYield += member.packedBytes + member.sizeBytes + LOCAL_BYTES;
        if (path === undefined)
            continue;
        if (member.kind === 'directory')
            sink.directory(path);
        else
            await unpack({ source, member, sink, path, dataAt: places[index] ?? 0 });
        if (sinceYield < YIELD_AFTER_BYTES)
            continue;
        sinceYield = 0;
        await new Promise((resolve) => setImmediate(resolve));
    }
}
/** Where the member's data begins. yauzl reads past the local header; other programs believe it rather than the directory. */
function checkLocalHeader(source, member) {
    const head = source.readAt(member.headerAt, LOCAL_BYTES + member.rawName.length);
    if (head.length < LOCAL_BYTES + member.rawName.length || head.readUInt32LE(0) !== LOCAL_SIGNATURE) {
        throw (0,fault/* unsafe */.N9)('its directory leads to no file', member.name);
    }
    const nameLength = head.readUInt16LE(26);
    const localName = head.toString('latin1', LOCAL_BYTES, LOCAL_BYTES + nameLength);
    if (nameLength !== member.rawName.length || localName !== member.rawName)
        throw (0,fault/* unsafe */.N9)('it has two names', member.name);
    if (head.readUInt16LE(6) !== member.flags || head.readUInt16LE(8) !== member.method) {
        throw (0,fault/* unsafe */.N9)('it is described in two ways', member.name);
    }
    checkLocalSizes(head, member);
    return member.headerAt + LOCAL_BYTES + nameLength + head.readUInt16LE(28);
}
function checkLocalSizes(head, member) {
    const local = [head.readUInt32LE(14), head.readUInt32LE(18), head.readUInt32LE(22)];
    const central = [member.crc32, member.packedBytes, member.sizeBytes];
    // With a descriptor behind the data the header may leave them empty; 0xffffffff points to a 64-bit field.
    const agrees = local.every((value, index) => value === central[index] || (value === 0 && member.flags & HAS_DESCRIPTOR) || (index > 0 && value === 0xffffffff));
    if (!agrees)
        throw (0,fault/* unsafe */.N9)('it is described in two ways', member.name);
    if (member.kind === 'directory' && member.sizeBytes !== 0)
        throw (0,fault/* unsafe */.N9)('a folder has content', member.name);
}
// Members must lie one behind the other, from the first byte to the directory: no overlap, no gap, no shared data.
function checkTiling(source, members, places) {
    let expected = 0;
    for (const [index, member] of members.entries()) {
        if (member.headerAt !== expected) {
            throw (0,fault/* unsafe */.N9)(member.headerAt < expected ? 'two files share the same data' : 'something stands between its files', member.name);
        }
        const dataEnd = (places[index] ?? 0) + member.packedBytes;
        expected = dataEnd + descriptorLength(source, member, dataEnd);
        if (dataEnd > source.sizeBytes)
            throw (0,fault/* damaged */.qM)('a file in it is cut off');
    }
    const next = source.readAt(expected, 4);
    const signature = next.length === 4 ? next.readUInt32LE(0) : 0;
    const isDirectory = signature === 0x02014b50 || (members.length === 0 && (signature === 0x06054b50 || signature === 0x06064b50));
    if (!isDirectory)
        throw (0,fault/* unsafe */.N9)('something stands between its files and its directory');
}
function descriptorLength(source, member, at) {
    if ((member.flags & HAS_DESCRIPTOR) === 0)
        return 0;
    const data = source.readAt(at, 24);
    const start = data.length >= 4 && data.readUInt32LE(0) === DESCRIPTOR_SIGNATURE ? 4 : 0;
    const fits = (end) => data.length >= end && data.readUInt32LE(start) === member.crc32;
    const isNarrow = fits(start + 12) &&
        data.readUInt32LE(start + 4) === member.packedBytes &&
        data.readUInt32LE(start + 8) === member.sizeBytes;
    if (isNarrow)
        return start + 12;
    const isWide = fits(start + 20) &&
        data.readBigUInt64LE(start + 4) === BigInt(member.packedBytes) &&
        data.readBigUInt64LE(start + 12) === BigInt(member.sizeBytes);
    if (isWide)
        return start + 20;
    throw (0,fault/* unsafe */.N9)('it is described in two ways', member.name);
}
async function unpack(unpacking) {
    const { member } = unpacking;
    if (member.packedBytes <= SMALL_BYTES && member.sizeBytes <= SMALL_BYTES)
        unpackSmall(unpacking);
    else
        await unpackLarge(unpacking);
}
function unpackSmall({ source, member, sink, path, dataAt }) {
    const packed = source.readAt(dataAt, member.packedBytes);
    const content = member.method === 0 ? packed : inflateWhole(packed, member);
    if (content.length !== member.sizeBytes)
        throw (0,fault/* damaged */.qM)('a file in it is not as long as it says');
    if ((0,external_node_zlib_.crc32)(content) !== member.crc32)
        throw (0,fault/* damaged */.qM)('the CRC-32 of a file in it is wrong');
    sink.file(path, content);
}
function inflateWhole(packed, member) {
    try {
        // One byte more than promised is enough to see that the promise is broken.
        const result = (0,external_node_zlib_.inflateRawSync)(packed, { info: true, maxOutputLength: member.sizeBytes + 1 });
        return checkInflated(result, packed.length);
    }
    catch (cause) {
        throw cause instanceof build_errors/* CourierError */.Yw ? cause : (0,fault/* damaged */.qM)('a file in it does not unpack', cause);
    }
}
// With `info` zlib gives the engine too, which tells how much of the input it used. The types do not know of it.
function checkInflated(result, packedBytes) {
    if (typeof result !== 'object' || result === null || !('buffer' in result) || !('engine' in result)) {
        throw new Error('zlib gave no engine');
    }
    const { buffer, engine } = result;
    const used = typeof engine === 'object' && engine !== null && 'bytesWritten' in engine ? engine.bytesWritten : -1;
    if (used !== packedBytes)
        throw (0,fault/* damaged */.qM)('a file in it has something behind its data');
    if (!external_node_buffer_.Buffer.isBuffer(buffer))
        throw new Error('zlib gave no buffer');
    return buffer;
}
async function unpackLarge({ source, member, sink, path, dataAt }) {
    let size = 0;
    let checksum = 0;
    sink.begin(path);
    const packed = readPieces(source, { at: dataAt, length: member.packedBytes });
    for await (const piece of member.method === 0 ? packed : inflateStream(packed, member.packedBytes)) {
        size += piece.length;
        if (size > member.sizeBytes)
            throw (0,fault/* damaged */.qM)('a file in it is longer than it says');
        checksum = (0,external_node_zlib_.crc32)(piece, checksum);
        sink.append(piece);
    }
    if (size !== member.sizeBytes)
        throw (0,fault/* damaged */.qM)('a file in it is shorter than it says');
    if (checksum !== member.crc32)
        throw (0,fault/* damaged */.qM)('the CRC-32 of a file in it is wrong');
    sink.finish();
}
async function* readPieces(source, { at, length }) {
    for (let done = 0; done < length;) {
        const piece = source.readAt(at + done, Math.min(PIECE_BYTES, length - done));
        if (piece.length === 0)
            throw (0,fault/* damaged */.qM)('a file in it is cut off');
        done += piece.length;
        yield piece;
        await new Promise((resolve) => setImmediate(resolve));
    }
}
async function* inflateStream(packed, packedBytes) {
    const inflate = (0,external_node_zlib_.createInflateRaw)({ chunkSize: PIECE_BYTES });
    (0,external_node_stream_.pipeline)(external_node_stream_.Readable.from(packed), inflate, () => { });
    try {
        yield* takePieces(inflate);
    }
    catch (cause) {
        throw cause instanceof build_errors/* CourierError */.Yw ? cause : (0,fault/* damaged */.qM)('a file in it does not unpack', cause);
    }
    if (inflate.bytesWritten !== packedBytes)
        throw (0,fault/* damaged */.qM)('a file in it has something behind its data');
}

;// CONCATENATED MODULE: ./build/bundle/archive/archive.js








// A tar's magic word stands behind the first 257 bytes (POSIX.1-2017, ustar).
const SNIFF_BYTES = 512;
/** Tells by the first bytes, never by a name; undefined: none of the kinds that are read. */
function sniffFormat(head) {
    if (head[0] === 0x1f && head[1] === 0x8b)
        return 'tar.gz';
    const word = head.toString('latin1', 0, 4);
    if (word === 'PK\x03\x04' || word === 'PK\x05\x06')
        return 'zip';
    if (head.toString('latin1', 257, 262) === 'ustar' || hasTarChecksum(head))
        return 'tar';
    return undefined;
}
// Tars from before POSIX have no magic word, only the checksum of their first header.
function hasTarChecksum(head) {
    const field = /^ *([0-7]+)[ \0]*$/.exec(head.toString('latin1', 148, 156))?.[1];
    if (head.length < SNIFF_BYTES || field === undefined)
        return false;
    let sum = 8 * 0x20;
    for (let at = 0; at < SNIFF_BYTES; at += 1)
        if (at < 148 || at >= 156)
            sum += head[at] ?? 0;
    return sum === Number.parseInt(field, 8);
}
/** Reads the whole archive into the sink. Throws `unsafe-archive`, `integrity`, `protocol` (not an archive) or `io`. */
async function readArchive(reading) {
    const { source, admission } = reading;
    const format = await sniffSource(source);
    if (format === 'zip')
        await readWholeZip(reading);
    else
        await readTarStream(reading, format);
    if (admission.files === 0)
        throw (0,fault/* damaged */.qM)('it is empty: there is no file in it');
    return format;
}
async function sniffSource(source) {
    let head = external_node_buffer_.Buffer.alloc(0);
    for await (const piece of source.read()) {
        head = external_node_buffer_.Buffer.concat([head, piece.subarray(0, SNIFF_BYTES)]);
        const format = sniffFormat(head);
        if (format !== undefined)
            return format;
        if (head.length >= SNIFF_BYTES)
            break;
    }
    throw new build_errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The bundle link did not lead to an archive: what came begins with "${(0,text_escape/* plainLine */.h0)(head.toString('latin1', 0, 60), 60)}".`,
        hint: 'Known are .tar.gz, .tar and .zip. A page of HTML comes from a proxy or a sign-in page on the way; XML is an error of the storage.',
    });
}
async function readWholeZip({ source, admission, sink, limits, signal }) {
    await source.whenFinished();
    const judged = {
        admit(entry) {
            const path = admission.admit(entry);
            checkRatio(admission.totalBytes, source.sizeBytes, limits);
            return path;
        },
    };
    await readZip({ source, admission: judged, sink, limits, checkpoint: () => signal.throwIfAborted() });
}
async function readTarStream(reading, format) {
    const { source, admission, sink, limits, signal } = reading;
    const reader = createTarReader(await loadHeaderDecoder(), { admission, sink, limits });
    const count = { packed: 0, unpacked: 0 };
    const packed = counted(source.read(), (bytes) => {
        count.packed += bytes;
    });
    for await (const piece of format === 'tar' ? packed : gunzip(packed)) {
        signal.throwIfAborted();
        count.unpacked += piece.length;
        checkRatio(count.unpacked, count.packed, limits);
        reader.push(piece);
    }
    reader.end();
}
function checkRatio(unpacked, packed, limits) {
    if (unpacked > limits.ratioFromBytes && unpacked > packed * limits.ratio) {
        throw (0,fault/* unsafe */.N9)(`it unpacks to more than ${limits.ratio} times its size`);
    }
}
async function* counted(source, count) {
    for await (const piece of source) {
        count(piece.length);
        yield piece;
    }
}

;// CONCATENATED MODULE: ./build/bundle/archive/policy.js


// Not writable on Windows, or read as something else there: the result must be the same on every system.
const FORBIDDEN_CHARACTERS = /[\p{Cc}:*?"<>|\\\ufffd\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
const RESERVED_NAMES = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])\s*(\.|$)/i;
// Read by git, package managers, shells, editors and CI systems of whoever works in that folder next.
const ACTING_NAMES = new Set([
    '.git',
    'git~1',
    '.gitmodules',
    '.gitattributes',
    '.gitconfig',
    '.github',
    '.gitlab-ci.yml',
    '.circleci',
    '.husky',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    '.bunfig.toml',
    '.pypirc',
    '.netrc',
    '.bashrc',
    '.bash_profile',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.envrc',
    '.ssh',
    '.aws',
    '.docker',
    '.vscode',
    '.idea',
    '.devcontainer',
]);
const MAY_ACT = /^[.g]|[^ -~]/i;
/** Judges a name by itself. What it collides with is the admission's business. */
function judgeName(name, kind, rules) {
    // `tar -C site .` writes `./` before every name; anywhere else a dot is no name.
    const relative = name === '.' && kind === 'directory' ? '' : name.replace(/^\.\//, '');
    const path = kind === 'directory' ? relative.replace(/\/$/, '') : relative;
    if (path === '')
        return kind === 'directory' && name !== '' && name !== '/' ? { ok: true, path } : no('the name is empty');
    const segments = path.split('/');
    const reason = judgePath(path, segments, rules.limits) ?? firstReason(segments, rules);
    return reason === undefined ? { ok: true, path } : no(reason);
}
function no(reason) {
    return { ok: false, reason };
}
function judgePath(path, segments, limits) {
    if (path.startsWith('/'))
        return 'the path is absolute';
    if (!path.isWellFormed())
        return 'the name is not valid Unicode';
    if (FORBIDDEN_CHARACTERS.test(path))
        return 'the name holds a character that not every system can store';
    if (external_node_buffer_.Buffer.byteLength(path) > limits.nameBytes)
        return `the name is longer than ${limits.nameBytes} bytes`;
    if (segments.length > limits.depth)
        return `it lies deeper than ${limits.depth} folders`;
    return undefined;
}
function firstReason(segments, rules) {
    for (const segment of segments) {
        const reason = judgeSegment(segment, rules);
        if (reason !== undefined)
            return reason;
    }
    return undefined;
}
function judgeSegment(segment, { limits, inWorkspace }) {
    if (segment === '..')
        return 'the path leads out of the folder';
    if (segment === '' || segment === '.')
        return 'a part of the path is empty';
    if (/[. ]$/.test(segment))
        return 'a part of the path ends in a dot or a space';
    if (RESERVED_NAMES.test(segment))
        return 'the name is reserved on Windows';
    if (segment.length * 3 > limits.segmentBytes && external_node_buffer_.Buffer.byteLength(segment) > limits.segmentBytes)
        return `a part of the path is longer than ${limits.segmentBytes} bytes`;
    if (inWorkspace && MAY_ACT.test(segment) && ACTING_NAMES.has(withoutInvisible(segment))) {
        return 'a file of that name would act on the workspace';
    }
    return undefined;
}
// Most names are such already; asking costs less than making them so.
const PLAIN_NAME = /^[a-z0-9_./-]*$/;
/** What two names have in common that some file system takes for the same. */
function foldName(path) {
    return PLAIN_NAME.test(path) ? path : path.normalize('NFC').toLowerCase();
}
// Some file systems drop characters that cannot be seen: `.g<zero width>it` is `.git` there.
function withoutInvisible(segment) {
    return segment
        .replace(/\p{Cf}/gu, '')
        .normalize('NFKC')
        .toLowerCase();
}
function createAdmission(rules) {
    const { limits } = rules;
    const taken = new Map();
    const count = { entries: 0, files: 0, totalBytes: 0, namesBytes: 0 };
    let lastParent = '';
    function take(path, kind, said) {
        const key = foldName(path);
        const other = taken.get(key);
        if (other === undefined) {
            count.namesBytes += path.length * 2;
            if (count.namesBytes > limits.namesBytes)
                throw (0,fault/* unsafe */.N9)('its names are too long all together');
            taken.set(key, { path, kind, said });
            return;
        }
        if (other.path !== path)
            throw (0,fault/* unsafe */.N9)(`it differs from "${other.path}" only in letter case or accents`, path);
        if (other.kind !== kind)
            throw (0,fault/* unsafe */.N9)('it is both a file and a folder', path);
        if (said && (other.said || kind === 'file'))
            throw (0,fault/* unsafe */.N9)('it stands in the archive twice', path);
        other.said ||= said;
    }
    function takeParents(path) {
        const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
        if (parent === '' || parent === lastParent)
            return;
        for (let at = parent.indexOf('/'); at !== -1; at = parent.indexOf('/', at + 1)) {
            take(parent.slice(0, at), 'directory', false);
        }
        take(parent, 'directory', false);
        lastParent = parent;
    }
    function countEntry({ name, kind, sizeBytes }) {
        count.entries += 1;
        if (count.entries > limits.entries)
            throw (0,fault/* unsafe */.N9)(`it holds more than ${limits.entries} entries`);
        if (sizeBytes > limits.fileBytes)
            throw (0,fault/* unsafe */.N9)(`the file is larger than ${limits.fileBytes} bytes`, name);
        if (kind === 'directory' && sizeBytes !== 0)
            throw (0,fault/* unsafe */.N9)('a folder has content', name);
        if (kind === 'file')
            count.files += 1;
        count.totalBytes += sizeBytes;
        if (count.totalBytes > limits.totalBytes)
            throw (0,fault/* unsafe */.N9)(`it unpacks to more than ${limits.totalBytes} bytes`);
    }
    return {
        get entries() {
            return count.entries;
        },
        get files() {
            return count.files;
        },
        get totalBytes() {
            return count.totalBytes;
        },
        admit(entry) {
            countEntry(entry);
            const verdict = judgeName(entry.name, entry.kind, rules);
            if (!verdict.ok)
                throw (0,fault/* unsafe */.N9)(verdict.reason, entry.name);
            if (verdict.path === '')
                return undefined;
            takeParents(verdict.path);
            take(verdict.path, entry.kind, true);
            return verdict.path;
        },
    };
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./build/bundle/disk/tree-writer.js





const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
/**
 * Writes entries below `root`, a fresh folder that nobody else can reach. Modes, owners and times of the archive are not
 * taken over. Writes are synchronous: for many small files that is the fastest, and nothing is under way when it returns.
 */
function createTreeWriter(root, { hashFiles, disk }) {
    const files = [];
    const folders = new Set(['']);
    const fixModes = needsModes(root);
    let open;
    function makeFolder(path) {
        if (folders.has(path))
            return;
        makeFolder(parentOf(path));
        const target = `${root}/${path}`;
        attempt('create the folder', target, () => {
            disk.makeFolder(target, FOLDER_MODE);
            if (fixModes)
                (0,external_node_fs_.chmodSync)(target, FOLDER_MODE);
        });
        folders.add(path);
    }
    function create(path) {
        makeFolder(parentOf(path));
        const target = `${root}/${path}`;
        return attempt('create', target, () => {
            // Exclusive: whatever might stand there already is never followed nor overwritten.
            const fd = disk.open(target, 'wx', FILE_MODE);
            if (fixModes)
                (0,external_node_fs_.fchmodSync)(fd, FILE_MODE);
            return fd;
        });
    }
    function write(fd, path, content) {
        attempt('write to', `${root}/${path}`, () => writeAll(disk, fd, { content }));
    }
    // Some network disks tell only now that they are full.
    function close(fd, path) {
        attempt('write to', `${root}/${path}`, () => disk.close(fd));
    }
    return {
        files,
        directory: makeFolder,
        file(path, content) {
            const fd = create(path);
            try {
                if (content.length > 0)
                    write(fd, path, content);
            }
            finally {
                close(fd, path);
            }
            files.push({ path, bytes: content.length, sha256: hashFiles ? (0,external_node_crypto_.hash)('sha256', content, 'hex') : undefined });
        },
        begin(path) {
            open = { fd: create(path), path, bytes: 0, hash: hashFiles ? (0,external_node_crypto_.createHash)('sha256') : undefined };
        },
        append(piece) {
            if (open === undefined)
                return;
            write(open.fd, open.path, piece);
            open.bytes += piece.length;
            open.hash?.update(piece);
        },
        finish() {
            if (open === undefined)
                return;
            const { fd, path, bytes } = open;
            const sha256 = open.hash?.digest('hex');
            open = undefined;
            close(fd, path);
            files.push({ path, bytes, sha256 });
        },
        close() {
            if (open !== undefined)
                disk.close(open.fd);
            open = undefined;
        },
    };
}
/** Reads entries to their end without writing them: for a bundle that is kept packed. */
function createHashSink() {
    const files = [];
    let open;
    return {
        files,
        directory() { },
        file(path, content) {
            files.push({ path, bytes: content.length, sha256: (0,external_node_crypto_.hash)('sha256', content, 'hex') });
        },
        begin(path) {
            open = { path, bytes: 0, hash: (0,external_node_crypto_.createHash)('sha256') };
        },
        append(piece) {
            if (open === undefined)
                return;
            open.bytes += piece.length;
            open.hash.update(piece);
        },
        finish() {
            if (open !== undefined)
                files.push({ path: open.path, bytes: open.bytes, sha256: open.hash.digest('hex') });
            open = undefined;
        },
    };
}
function parentOf(path) {
    const slash = path.lastIndexOf('/');
    return slash === -1 ? '' : path.slice(0, slash);
}
function attempt(what, target, action) {
    try {
        return action();
    }
    catch (cause) {
        throw (0,fault/* fileFault */.bT)(what, target, cause);
    }
}
// The umask of a runner may take bits away. Asking the system is costly for each file, so a probe tells once.
function needsModes(root) {
    const probe = (0,external_node_path_.join)(root, '.mode-probe');
    return attempt('create', probe, () => {
        (0,external_node_fs_.mkdirSync)(probe, FOLDER_MODE);
        const mode = (0,external_node_fs_.statSync)(probe).mode & 0o777;
        (0,external_node_fs_.rmdirSync)(probe);
        return mode !== FOLDER_MODE;
    });
}

// EXTERNAL MODULE: ./build/http/retry.js
var retry = __webpack_require__(4675);
;// CONCATENATED MODULE: ./build/bundle/download/reply.js

/** The error code in the XML of an object storage; empty when there is none. */
async function readErrorCode(reply, timeoutMs) {
    let text = '';
    const wait = setTimeout(() => reply.destroy(new Error('too slow')), timeoutMs);
    try {
        for await (const chunk of reply) {
            text += String(chunk);
            if (text.length > 2000)
                break;
        }
    }
    catch {
        // Only for the message: what came of it is enough.
    }
    finally {
        clearTimeout(wait);
    }
    return /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1] ?? '';
}
/** A Content-Length; undefined when it is missing or no number. */
function readLength(header) {
    return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
/**
 * Hands on every piece of a body as it comes; it is good until `take` returns. An iterator would drop what it had not yet
 * given when the connection breaks, and that would have to be downloaded again.
 */
function eachChunk(reply, take) {
    return new Promise((resolve, reject) => {
        // After Node's own listener: what the socket gave is parsed then, and what came of it was taken or still waits in the reply.
        reply.socket.on('data', (packet) => {
            if (reply.readableLength === 0)
                freeSpent(packet);
        });
        reply.on('end', resolve);
        reply.on('error', reject);
        reply.on('close', () => reject(new Error('cut off')));
        reply.on('data', (chunk) => {
            if (reply.destroyed)
                return;
            try {
                take(chunk);
                freeSpent(chunk);
            }
            catch (error) {
                reject(error);
                reply.destroy();
            }
        });
    });
}

;// CONCATENATED MODULE: ./build/bundle/download/setback.js



// Trying again does not make a certificate right.
function isHopeless(error) {
    return /^(CERT_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/.test((0,build_errors/* errnoOf */.UQ)(error) ?? '');
}
function tooLong(totalBytes, limitBytes) {
    return totalBytes === undefined
        ? tooLarge(limitBytes)
        : (0,fault/* damaged */.qM)(`more came than the ${totalBytes} bytes that were promised`);
}
function tooLarge(limitBytes) {
    return new build_errors/* CourierError */.Yw({
        code: 'unsafe-archive',
        message: `The bundle is larger than ${limitBytes} bytes, the most that is taken.`,
        hint: 'A documentation site of that size is best split; tell us about your case in an issue.',
    });
}
function unreachableStorage(cause) {
    return new build_errors/* CourierError */.Yw({
        code: 'network',
        message: `The storage of the bundle cannot be reached safely (${(0,build_errors/* errnoOf */.UQ)(cause) ?? 'TLS'}).`,
        hint: 'Where a proxy of your own replaces certificates, set NODE_EXTRA_CA_CERTS to the file of its authority.',
        cause,
    });
}
function comeBack(status, retryAfterMs) {
    return new build_errors/* CourierError */.Yw({
        code: 'rate-limited',
        message: `The storage of the bundle asks to come back in ${Math.ceil(retryAfterMs / 1000)} s (status ${status}).`,
        httpStatus: status,
        retryAfterMs,
    });
}
function refused({ status, text }) {
    return new build_errors/* CourierError */.Yw({
        code: status === 404 ? 'not-found' : 'forbidden',
        message: `The storage refused the bundle link with status ${status}${text === '' ? '' : ` (${(0,text_escape/* plainLine */.h0)(text, 60)})`}, also when it was made anew.`,
        hint: 'Run again with export-job-id; if it stays, tell the platform.',
        httpStatus: status,
    });
}
function gaveUp(setback, attempts) {
    const cause = setback.kind === 'broken' ? setback.cause : undefined;
    const reason = (0,build_errors/* errnoOf */.UQ)(cause) ?? (cause instanceof Error ? (0,text_escape/* plainLine */.h0)(cause.message, 80) : 'no bytes came');
    return new build_errors/* CourierError */.Yw({
        code: 'network',
        message: `The bundle could not be downloaded in ${attempts} attempts (${reason}).`,
        hint: 'Run again with export-job-id: the export is finished and is not started a second time.',
        cause,
    });
}

;// CONCATENATED MODULE: ./build/bundle/download/state.js


const MAX_RESTARTS = 1;
function createDownloadState({ link }) {
    return {
        link,
        etag: undefined,
        totalBytes: link.sizeBytes,
        hash: (0,external_node_crypto_.createHash)('sha256'),
        resumed: 0,
        restarts: 0,
        renewals: 0,
    };
}
// Two archives under one link must never be joined. Once may be a new export; twice is a storage that cannot be relied on.
function restart({ file, link }, state) {
    state.restarts += 1;
    if (state.restarts > MAX_RESTARTS)
        throw (0,fault/* damaged */.qM)('the archive at the link changed twice while it was downloaded');
    startOver(file, state);
    state.totalBytes = link.sizeBytes;
}
/** The next attempt begins with the first byte. */
function startOver(file, state) {
    if (file.sizeBytes > 0)
        file.restart();
    state.hash = (0,external_node_crypto_.createHash)('sha256');
    state.etag = undefined;
}

;// CONCATENATED MODULE: ./build/bundle/download/judge-reply.js






// S3 answers an expired token with 400 (ExpiredToken), everything else that is wrong with a link with 403.
const REFUSALS = new Set([400, 401, 403, 404, 410]);
const JUDGED_BY_HEADERS = new Set([200, 206, 412, 416]);
/** Says what a reply is good for; undefined: its body may be taken, from the position at which the file ends. */
function judgeReply(init, state, reply) {
    // At once where it can be: what has come of the body by then would be lost when the connection breaks meanwhile.
    return JUDGED_BY_HEADERS.has(reply.statusCode ?? 0) ? judgeHeaders(init, state, reply) : judgeFailure(init, reply);
}
function judgeHeaders(init, state, reply) {
    const { file } = init;
    const status = reply.statusCode ?? 0;
    const etag = reply.headers.etag?.startsWith('"') ? reply.headers.etag : undefined;
    if (status === 412 || status === 416)
        return { kind: 'changed' };
    if (status === 206)
        return judgeRest(file, state, { reply, etag });
    // The storage took no notice of the range: everything comes again.
    if (file.sizeBytes > 0)
        startOver(file, state);
    state.etag = etag;
    const length = readLength(reply.headers['content-length']);
    const promised = init.link.sizeBytes;
    if (length !== undefined && promised !== undefined && length !== promised) {
        throw (0,fault/* damaged */.qM)(`it has ${length} bytes, and the platform said ${promised}`);
    }
    state.totalBytes = length ?? promised;
    checkSize(init, state.totalBytes);
    return undefined;
}
function checkSize({ archive, onSize }, totalBytes) {
    if (totalBytes === undefined)
        return;
    if (totalBytes > archive.archiveBytes)
        throw tooLarge(archive.archiveBytes);
    onSize(totalBytes);
}
function judgeRest(file, state, { reply, etag }) {
    const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(reply.headers['content-range'] ?? '');
    const [from, to, total] = [Number(range?.[1]), Number(range?.[2]), Number(range?.[3])];
    const fits = range !== null && from === file.sizeBytes && to === total - 1 && total === (state.totalBytes ?? total);
    if (!fits || file.sizeBytes === 0 || (etag !== undefined && etag !== state.etag))
        return { kind: 'changed' };
    state.totalBytes = total;
    return undefined;
}
async function judgeFailure(init, reply) {
    const status = reply.statusCode ?? 0;
    const text = await readErrorCode(reply, init.transfer.idleMs);
    if (REFUSALS.has(status))
        return { kind: 'refused', status, text };
    if (status === 408 || status === 425 || status === 429 || status >= 500) {
        const retryAfterMs = (0,retry/* readRetryAfter */.D$)(reply.headers['retry-after'], init.clock.now());
        if (retryAfterMs !== undefined && retryAfterMs > retry/* LONGEST_WAIT_MS */.u_)
            throw comeBack(status, retryAfterMs);
        return { kind: 'broken', cause: new Error(`status ${status}`), retryAfterMs };
    }
    throw new build_errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The storage answered the bundle link with status ${status}.`,
        httpStatus: status,
    });
}

;// CONCATENATED MODULE: ./build/bundle/download/pace.js

function createPace(startMs, { slowWindowMs, slowBytesPerSecond }) {
    let window = { startMs, bytes: 0 };
    return {
        isFastEnough(nowMs, bytes) {
            if (nowMs - window.startMs < slowWindowMs)
                return true;
            const rate = ((bytes - window.bytes) / (nowMs - window.startMs)) * 1000;
            window = { startMs: nowMs, bytes };
            return rate >= slowBytesPerSecond;
        },
    };
}
const PROGRESS_EVERY_MS = 10_000;
/** A line of progress at most every 10 s; with a known size and a slow transfer, at most one per tenth of it. */
function createDownloadProgress(clock, log) {
    let lastMs = clock.monotonicMs();
    let lastTenth = 0;
    return (bytes, totalBytes) => {
        const now = clock.monotonicMs();
        if (now - lastMs < PROGRESS_EVERY_MS)
            return;
        const tenth = totalBytes === undefined ? lastTenth + 1 : Math.floor((bytes / totalBytes) * 10);
        if (tenth === lastTenth && now - lastMs < 6 * PROGRESS_EVERY_MS)
            return;
        lastMs = now;
        lastTenth = tenth;
        const share = totalBytes === undefined ? '' : ` of ${(0,markdown/* formatBytes */.z3)(totalBytes)} (${Math.floor((bytes / totalBytes) * 100)} %)`;
        log.info(`Downloaded ${(0,markdown/* formatBytes */.z3)(bytes)}${share}.`);
    };
}

// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(7067);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __webpack_require__(4708);
// EXTERNAL MODULE: ./node_modules/@actions/http-client/lib/index.js
var lib = __webpack_require__(2779);
// EXTERNAL MODULE: ./build/platform/link.js
var platform_link = __webpack_require__(3832);
;// CONCATENATED MODULE: ./build/bundle/download/request.js





const REDIRECTS = new Set([301, 302, 303, 307, 308]);
// Of the library only its choice of agent is used: proxies and NO_PROXY, as for every call to the platform.
const agents = new lib/* HttpClient */.Qq('docs-courier', [], { keepAlive: false });
/**
 * Asks the storage for the archive and gives the reply with its body unread. No key and no cookie ever goes along: the
 * link is its own permission. Redirects are followed a few hops, each link checked like the first one.
 */
async function requestArchive(request) {
    let url = request.url;
    for (let hops = 0;; hops += 1) {
        const reply = await send(url, request);
        const location = reply.headers.location;
        if (!REDIRECTS.has(reply.statusCode ?? 0) || location === undefined)
            return reply;
        reply.on('error', () => { });
        reply.destroy();
        if (hops >= request.limits.redirects)
            throw tooManyHops(request.limits.redirects);
        url = nextHop(location, url, request.policy);
    }
}
function nextHop(location, from, policy) {
    // A URL parser drops some characters without a word; only what passes as it came is resolved.
    const isPlain = /^[\x21-\x7e]+$/.test(location) && URL.canParse(location, from);
    const { href } = new URL(isPlain ? location : '\\', from);
    return (0,platform_link/* checkBundleUrl */.ew)(isPlain ? href : location, policy);
}
function send(url, { range, limits, signal }) {
    const { protocol } = new URL(url);
    const open = protocol === 'https:' ? external_node_https_.request : external_node_http_.request;
    const headers = {
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'docs-courier',
        ...(range !== undefined && { range: `bytes=${range.from}-`, 'if-match': range.etag }),
    };
    return new Promise((resolve, reject) => {
        const sent = open(url, { method: 'GET', headers, agent: agents.getAgent(url), signal });
        const give = (reason) => {
            reject(reason);
            sent.destroy();
        };
        // Told here and not left to the request: one that waits for a proxy's tunnel has no socket, and does not say that it ended.
        signal.addEventListener('abort', () => give(signal.reason), { once: true });
        const wait = setTimeout(() => give(new Error('no reply in time')), limits.headersMs);
        sent.on('response', (reply) => {
            clearTimeout(wait);
            resolve(reply);
        });
        sent.on('error', (error) => {
            clearTimeout(wait);
            reject(error);
        });
        sent.end();
    });
}
function tooManyHops(hops) {
    return new build_errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The bundle link was redirected more than ${hops} times; the download was given up.`,
        hint: 'Tell the platform about it: a presigned link leads to the archive itself, at most by way of another region.',
    });
}

;// CONCATENATED MODULE: ./build/bundle/download/download.js










const MAX_RENEWALS = 2;
/** Brings the archive into the file, whatever it takes within the limits. Throws a CourierError, and only that. */
async function downloadArchive(init) {
    const { file, clock, signal, transfer } = init;
    const state = createDownloadState(init);
    const report = createDownloadProgress(clock, init.log);
    for (let attempt = 1, barren = 1;; attempt += 1) {
        if (signal.aborted)
            throw (0,build_clock/* cancelled */.K)(signal.reason);
        const before = file.sizeBytes;
        const setback = await attemptDownload(init, state, report);
        if (setback === undefined) {
            file.finish();
            return { bytes: file.sizeBytes, sha256: state.hash.digest('hex'), resumed: state.resumed, link: state.link };
        }
        if (signal.aborted)
            throw (0,build_clock/* cancelled */.K)(signal.reason);
        barren = file.sizeBytes > before ? 1 : barren + 1;
        if (attempt >= transfer.attempts || barren > transfer.barrenAttempts)
            throw gaveUp(setback, attempt);
        await recover(init, state, { setback, barren });
    }
}
async function recover(init, state, { setback, barren }) {
    const { log, clock, signal, random, links } = init;
    if (setback.kind === 'changed') {
        log.info('The archive at the link changed during the download; starting it over.');
        restart(init, state);
        return;
    }
    if (setback.kind === 'refused') {
        if (state.renewals >= MAX_RENEWALS)
            throw refused(setback);
        state.renewals += 1;
        log.info(`The storage refused the link (${setback.status}); making another one.`);
        state.link = await links.fresh();
        return;
    }
    const told = setback.retryAfterMs;
    const waitMs = told === undefined ? (0,retry/* backoffMs */.jo)({ attempt: barren, random }) : (0,retry/* afterRetryAfterMs */.dE)(told, random);
    log.info(`The download was interrupted at ${init.file.sizeBytes} bytes; going on in ${(waitMs / 1000).toFixed(1)} s.`);
    await clock.sleep(waitMs, signal);
}
async function attemptDownload(init, state, report) {
    const { file, policy, transfer: limits } = init;
    const attempt = new AbortController();
    const signal = AbortSignal.any([init.signal, attempt.signal]);
    // Without a strong validator nobody can tell whether the rest belongs to what is here already.
    if (file.sizeBytes > 0 && state.etag === undefined)
        startOver(file, state);
    const range = file.sizeBytes > 0 && state.etag !== undefined ? { from: file.sizeBytes, etag: state.etag } : undefined;
    try {
        const reply = await requestArchive({ url: state.link.url, range, policy, limits, signal });
        const verdict = judgeReply(init, state, reply);
        // No waiting between headers and body, as `judgeReply` tells why.
        if (verdict !== undefined)
            return await verdict;
        if (range !== undefined)
            state.resumed += 1;
        await takeBody(init, state, { reply, report, attempt });
        return endOfBody(file, state, reply);
    }
    catch (cause) {
        if (cause instanceof build_errors/* CourierError */.Yw)
            throw cause;
        if (isHopeless(cause))
            throw unreachableStorage(cause);
        return { kind: 'broken', cause };
    }
    finally {
        attempt.abort();
    }
}
async function takeBody(init, state, { reply, report, attempt }) {
    const { file, clock, transfer, archive } = init;
    const start = file.sizeBytes;
    const pace = createPace(clock.monotonicMs(), transfer);
    const idle = setTimeout(() => attempt.abort(), transfer.idleMs);
    const most = Math.min(state.totalBytes ?? Number.POSITIVE_INFINITY, archive.archiveBytes);
    try {
        await eachChunk(reply, (chunk) => {
            idle.refresh();
            if (file.sizeBytes + chunk.length > most)
                throw tooLong(state.totalBytes, archive.archiveBytes);
            file.append(chunk);
            state.hash.update(chunk);
            report(file.sizeBytes, state.totalBytes);
            if (!pace.isFastEnough(clock.monotonicMs(), file.sizeBytes - start))
                throw new Error('too slow');
        });
    }
    finally {
        clearTimeout(idle);
        reply.destroy();
    }
}
function endOfBody(file, state, reply) {
    if (!reply.complete)
        return { kind: 'broken', cause: new Error('cut off') };
    if (state.totalBytes === undefined || file.sizeBytes === state.totalBytes)
        return undefined;
    throw (0,fault/* damaged */.qM)(`it has ${file.sizeBytes} bytes, and ${state.totalBytes} were promised`);
}

;// CONCATENATED MODULE: ./build/bundle/download/growing-file.js




const growing_file_PIECE_BYTES = 256 * 1024;
/** The reading was overtaken: the file is being written anew, and must be read from its start. */
class Restarted extends Error {
}
/** The file must not exist yet. Throws `io`. */
function createGrowingFile(path, disk) {
    const fd = openNew(path, disk);
    let sizeBytes = 0;
    let generation = 0;
    let finished = false;
    let isOpen = true;
    let failure;
    let waiting = [];
    function wake() {
        const woken = waiting;
        waiting = [];
        for (const resume of woken)
            resume();
    }
    function checkReading(started) {
        if (failure !== undefined)
            throw failure.error;
        if (generation !== started)
            throw new Restarted();
    }
    function change() {
        return new Promise((resolve) => waiting.push(resolve));
    }
    async function* read() {
        const started = generation;
        const piece = external_node_buffer_.Buffer.allocUnsafe(growing_file_PIECE_BYTES);
        for (let position = 0;;) {
            checkReading(started);
            if (position < sizeBytes) {
                const length = (0,external_node_fs_.readSync)(fd, piece, 0, Math.min(growing_file_PIECE_BYTES, sizeBytes - position), position);
                position += length;
                yield piece.subarray(0, length);
            }
            else if (finished)
                return;
            else
                await change();
        }
    }
    return {
        path,
        get sizeBytes() {
            return sizeBytes;
        },
        append(chunk) {
            try {
                writeAll(disk, fd, { content: chunk, at: sizeBytes });
            }
            catch (cause) {
                throw (0,fault/* fileFault */.bT)('write the bundle to', path, cause);
            }
            sizeBytes += chunk.length;
            wake();
        },
        restart() {
            (0,external_node_fs_.ftruncateSync)(fd, 0);
            sizeBytes = 0;
            generation += 1;
            wake();
        },
        finish() {
            finished = true;
            wake();
        },
        fail(error) {
            failure ??= { error };
            wake();
        },
        read,
        readAt(position, length) {
            const piece = external_node_buffer_.Buffer.alloc(length);
            const got = (0,external_node_fs_.readSync)(fd, piece, 0, length, position);
            return piece.subarray(0, got);
        },
        async whenFinished() {
            const started = generation;
            while (!finished) {
                checkReading(started);
                await change();
            }
            checkReading(started);
        },
        // Not every file system can do it; that is no failure.
        flush: () => new Promise((resolve) => (0,external_node_fs_.fsync)(fd, () => resolve())),
        close() {
            if (!isOpen)
                return;
            isOpen = false;
            disk.close(fd);
        },
    };
}
function openNew(path, disk) {
    try {
        return disk.open(path, external_node_fs_.constants.O_RDWR | external_node_fs_.constants.O_CREAT | external_node_fs_.constants.O_EXCL, 0o600);
    }
    catch (cause) {
        throw (0,fault/* fileFault */.bT)('create', path, cause);
    }
}

;// CONCATENATED MODULE: ./build/bundle/transfer.js







/** Downloads the archive and unpacks it at the same time, into the staging folders. */
async function fetchBundle(init) {
    const file = createGrowingFile(init.places.archive.fresh, init.disk);
    const stop = new AbortController();
    const signal = AbortSignal.any([init.signal, stop.signal]);
    try {
        const downloading = downloadArchive({ ...init, file, signal });
        const unpacking = transfer_unpack({ ...init, signal }, file);
        // Each ends the other: a broken download leaves nothing to unpack, and of a bad archive the rest is not wanted.
        downloading.catch((error) => file.fail(error));
        unpacking.catch(() => stop.abort());
        // Both are waited for: nothing of either may still be under way when the folders are removed.
        const [download, reading] = await Promise.allSettled([downloading, unpacking]);
        if (reading.status === 'rejected')
            throw reading.reason;
        if (download.status === 'rejected')
            throw download.reason;
        if (init.bundle.bundlePath !== undefined)
            await file.flush();
        return { downloaded: download.value, ...reading.value };
    }
    finally {
        file.close();
    }
}
async function transfer_unpack(init, file) {
    for (;;) {
        try {
            return await unpackOnce(init, file);
        }
        catch (error) {
            if (!(error instanceof Restarted))
                throw error;
            // Another archive comes: nothing of the first one may stay.
            if (init.places.site !== undefined)
                (0,external_node_fs_.rmSync)(init.places.site.fresh, { recursive: true, force: true });
        }
    }
}
async function unpackOnce(init, file) {
    const { places, archive: limits, inWorkspace, signal, disk } = init;
    const admission = createAdmission({ limits, inWorkspace });
    const writer = places.site === undefined
        ? undefined
        : createTreeWriter((0,staging/* makeFreshFolder */.J8)(places.site), { hashFiles: init.bundle.bundlePath !== undefined, disk });
    const sink = writer ?? createHashSink();
    try {
        const format = await readArchive({ source: file, admission, sink, limits, signal });
        return { format, files: sink.files };
    }
    finally {
        writer?.close();
    }
}

// EXTERNAL MODULE: ./build/text/cut.js
var cut = __webpack_require__(7850);
;// CONCATENATED MODULE: ./build/bundle/facts.js
const LEVELS = ['error', 'warning', 'note'];
const FINDING_KINDS = (/* unused pure expression or super */ null && ([
    'no-entry-page',
    'broken-link',
    'missing-asset',
    'missing-fragment',
    'wrong-case',
    'bad-address',
    'external-load',
    'external-form',
    'local-address',
    'page-too-large',
    'unreadable',
    'page-count',
]));

;// CONCATENATED MODULE: ./build/bundle/verify/copied-text.js

/**
 * A copy of a text that was cut out of a larger one. What V8 cuts out goes on holding the whole of it: a link that is
 * remembered would keep its page in memory, and a site has many thousands of both.
 */
function ownText(text) {
    return external_node_buffer_.Buffer.from(text, 'utf16le').toString('utf16le');
}

;// CONCATENATED MODULE: ./build/bundle/verify/finding-list.js



const MOST_KEPT = 10_000;
const LONGEST_TARGET = 300;
const SHOWN = 10;
function createFindingList() {
    const kept = [];
    const counts = { error: 0, warning: 0, note: 0 };
    const seen = new Set();
    return {
        kept,
        counts,
        add(finding) {
            const target = ownText((0,cut/* cut */.J)(finding.target, { chars: LONGEST_TARGET }));
            const key = `${finding.kind}\n${finding.page}\n${target}`;
            if (seen.has(key))
                return;
            counts[finding.level] += 1;
            if (kept.length >= MOST_KEPT)
                return;
            seen.add(key);
            kept.push({ ...finding, target });
        },
        first: () => LEVELS.flatMap((level) => kept.filter((finding) => finding.level === level)).slice(0, SHOWN),
    };
}

;// CONCATENATED MODULE: ./build/bundle/verify/css-scan.js
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
// One pass: what is imported, what is a name space (a name, never fetched), and every other url() or image-set() string.
const ADDRESS = /@(import|namespace)\s+(?:[\w-]+\s+)?(?:url\(\s*)?(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"');]+))|url\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]*))|(?:image-set\(|,)\s*(?:"([^"\n]*)"|'([^'\n]*)')\s+(?=[\d.]+(?:x|dp))/gi;
const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi;
/** Every address that a style sheet, a `style` element or a `style` attribute fetches. */
function scanCss(css) {
    if (!/url\(|@import|image-set\(/i.test(css))
        return [];
    const found = [];
    for (const match of css.replace(COMMENT, ' ').matchAll(ADDRESS)) {
        const [, rule, ...groups] = match;
        const raw = groups.find((group) => group !== undefined);
        if (raw === undefined || rule?.toLowerCase() === 'namespace')
            continue;
        found.push({
            raw: unescapeCss(raw),
            use: 'load',
            what: rule === undefined ? 'file of a style' : 'imported style sheet',
        });
    }
    return found;
}
function unescapeCss(text) {
    if (!text.includes('\\'))
        return text;
    return text.replace(ESCAPE, (_, hex, char) => {
        const code = hex === undefined ? undefined : Number.parseInt(hex, 16);
        return code === undefined ? (char ?? '') : code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
    });
}

;// CONCATENATED MODULE: ./build/bundle/verify/reference.js
/** The addresses in a `srcset`: candidates separated by commas, each an address and perhaps a width or density. */
function readSrcset(text) {
    // An address may hold a comma (data URLs do), but not at its end; what stands in brackets belongs to the descriptor.
    const found = [];
    const candidate = /[\s,]*([^\s,](?:[^\s]*[^\s,])?)(,?)([^,(]*(?:\([^)]{0,200}\))?[^,]*)/gy;
    for (let match = candidate.exec(text); match !== null && match[1] !== undefined; match = candidate.exec(text)) {
        found.push(match[1]);
        if (match[2] !== '')
            candidate.lastIndex -= (match[3] ?? '').length;
    }
    return found;
}
/** The address in the `content` of `<meta http-equiv="refresh">`; undefined: the page only loads itself again. */
function readRefresh(content) {
    const match = /^[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S[\s\S]*))/i.exec(content.trim());
    return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim();
}

// EXTERNAL MODULE: ./build/text/json.js
var json = __webpack_require__(5666);
;// CONCATENATED MODULE: ./build/bundle/verify/script-scan.js

// What stands right before a text that is an address, when the script fetches it.
const CALLS = /(?:\b(?:fetch|import|importScripts|require)\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bexport\s*(?:\*|\{[\w$,\s]*\})[\w$\s]*from\s*|\bnew\s+(?:WebSocket|EventSource|Worker|SharedWorker|Request)\s*\(|\.open\s*\(\s*["'`][A-Za-z]+["'`]\s*,|\.sendBeacon\s*\(|\.register\s*\(|\.(?:src|href)\s*=)\s*$/;
const script_scan_ADDRESS = /^(?:https?:|wss?:|file:)?\/\//i;
const LOCAL_MODULE = /^\.{0,2}\//;
const MODULE_CALLS = /(?:\bimport\s*\(|\bimport(?:\s|[\w${},*\s]*\bfrom\b|)\s*|\bfrom\s*)\s*$/;
const LOOK_BACK = 120;
const LONGEST_REGEXP = 4000;
// A slash after one of these begins a regular expression; after anything else it divides.
const BEFORE_REGEXP = /(?:[=([{,;:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete))\s*$/;
/**
 * Addresses that a script fetches, as far as they can be seen: texts written where a call takes them. Texts inside other
 * texts (a code sample in a search index) are passed over. What a script puts together at run time cannot be seen.
 */
function scanScript(code) {
    if (!code.includes('//') && !/\bimport\b/.test(code))
        return [];
    const found = [];
    const special = /["'`/]/g;
    for (let match = special.exec(code); match !== null; match = special.exec(code)) {
        const at = match.index;
        const end = match[0] === '/' ? skipSlash(code, at) : skipText(code, at);
        if (match[0] !== '/')
            collect(code, { at, end }, found);
        special.lastIndex = end;
    }
    return found;
}
function collect(code, { at, end }, found) {
    const text = code.slice(at + 1, Math.min(end - 1, at + 2000));
    const isAddress = script_scan_ADDRESS.test(text);
    if (!isAddress && !LOCAL_MODULE.test(text))
        return;
    const before = code.slice(Math.max(0, at - LOOK_BACK), at);
    const isModule = MODULE_CALLS.test(before);
    if (!isModule && !(isAddress && CALLS.test(before)))
        return;
    // A template with a gap in it is an address only up to there: enough to see the host, not the file.
    const raw = text.split('${')[0] ?? '';
    if (isAddress || raw === text)
        found.push({ raw, use: 'load', what: isModule ? 'module' : 'request of a script' });
}
/** Where the text that begins at `at` ends: behind its closing quote, or at the line's end for a broken one. */
function skipText(code, at) {
    const quote = code[at];
    for (let index = at + 1; index < code.length; index += 1) {
        const char = code[index];
        if (char === '\\')
            index += 1;
        else if (char === quote)
            return index + 1;
        else if (char === '\n' && quote !== '`')
            return index;
    }
    return code.length;
}
function skipSlash(code, at) {
    const next = code[at + 1];
    if (next === '/')
        return endOr(code.indexOf('\n', at), code);
    if (next === '*')
        return endOr(code.indexOf('*/', at + 2), code) + 2;
    const before = code.slice(Math.max(0, at - 12), at);
    const isRegexp = before.trim() === '' || BEFORE_REGEXP.test(before);
    return isRegexp ? skipRegexp(code, at) : at + 1;
}
function endOr(index, code) {
    return index === -1 ? code.length : index;
}
function skipRegexp(code, at) {
    let inClass = false;
    // One that goes on for longer is none, and looking for its end again and again would take for ever.
    const limit = Math.min(code.length, at + LONGEST_REGEXP);
    for (let index = at + 1; index < limit; index += 1) {
        const char = code[index];
        if (char === '\\')
            index += 1;
        else if (char === '\n')
            return at + 1;
        else if (char === '[')
            inClass = true;
        else if (char === ']')
            inClass = false;
        else if (char === '/' && !inClass)
            return index + 1;
    }
    return at + 1;
}
/** The addresses of an import map: what each name stands for, in all scopes. Not JSON: none. */
function scanImportMap(text) {
    const map = (0,json/* parseJson */.q)(text);
    const scopes = Object.values(fieldsOf(fieldsOf(map).scopes));
    return [fieldsOf(map).imports, ...scopes]
        .flatMap((names) => Object.values(fieldsOf(names)))
        .filter((address) => typeof address === 'string')
        .map((raw) => ({ raw, use: 'load', what: 'module of the import map' }));
}
/** The addresses in a web app manifest: icons, screenshots and the start page. */
function scanWebManifest(text) {
    const manifest = fieldsOf((0,json/* parseJson */.q)(text));
    const images = ['icons', 'screenshots'].flatMap((field) => {
        const list = manifest[field];
        return Array.isArray(list) ? list.map((entry) => fieldsOf(entry).src) : [];
    });
    const start = typeof manifest.start_url === 'string' ? [manifest.start_url] : [];
    return [
        ...images.filter((raw) => typeof raw === 'string').map((raw) => ({ raw, use: 'load', what: 'icon' })),
        ...start.map((raw) => ({ raw, use: 'link', what: 'start page' })),
    ];
}
function fieldsOf(value) {
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

;// CONCATENATED MODULE: ./build/bundle/verify/page-scan.js



// Only these are read; the values of all others are not even copied.
const READ_ATTRIBUTES = new Set([
    'href',
    'xlink:href',
    'src',
    'srcset',
    'imagesrcset',
    'poster',
    'data',
    'action',
    'formaction',
    'background',
    'content',
    'style',
    'rel',
    'id',
    'name',
    'type',
    'manifest',
    'http-equiv',
]);
const SCANS = { script: scanScript, style: scanCss, importmap: scanImportMap };
/** Reads one page with htmlparser2's tokenizer, from start to end and without a tree. */
function scanPage(Tokenizer, page) {
    const { text, isXml } = page;
    const references = [];
    const ids = [];
    let base;
    let tag = '';
    let name = '';
    let value = '';
    let isRead = false;
    const attributes = new Map();
    // Text of a script or style element, until it ends.
    let inside;
    function endTag() {
        if (attributes.size > 0) {
            const id = attributes.get('id') ?? (tag === 'a' ? attributes.get('name') : undefined);
            if (id !== undefined)
                ids.push(id);
            if (tag === 'base')
                base ??= attributes.get('href');
            else
                readTag(tag, attributes, references);
        }
        inside = startInside(tag, attributes);
        if (attributes.size > 0)
            attributes.clear();
    }
    function closeInside() {
        if (inside === undefined)
            return;
        const { kind, text: content } = inside;
        inside = undefined;
        // One by one: as arguments of one call, a page full of them would overflow the stack.
        for (const reference of SCANS[kind](content))
            references.push(reference);
    }
    const nothing = () => { };
    const callbacks = {
        onopentagname(start, end) {
            tag = text.slice(start, end).toLowerCase();
        },
        onattribname(start, end) {
            // `class` is the most frequent of all, and as long as `style`: told apart without a copy.
            const isClass = end - start === 5 && text.charCodeAt(start) === 0x63;
            name = isClass ? '' : text.slice(start, end).toLowerCase();
            isRead = !isClass && READ_ATTRIBUTES.has(name);
            value = '';
        },
        onattribdata(start, end) {
            if (isRead)
                value = value === '' ? text.slice(start, end) : value + text.slice(start, end);
        },
        onattribentity(codepoint) {
            if (isRead)
                value += String.fromCodePoint(codepoint);
        },
        onattribend() {
            // Of an attribute that stands twice, the first one counts.
            if (isRead && !attributes.has(name))
                attributes.set(name, value);
        },
        onopentagend: endTag,
        onselfclosingtag: endTag,
        ontext(start, end) {
            if (inside !== undefined)
                inside.text += text.slice(start, end);
        },
        ontextentity(codepoint) {
            if (inside !== undefined)
                inside.text += String.fromCodePoint(codepoint);
        },
        oncdata(start, end) {
            if (inside !== undefined)
                inside.text += text.slice(start, end);
        },
        onclosetag: closeInside,
        onend: closeInside,
        oncomment: nothing,
        ondeclaration: nothing,
        onprocessinginstruction: nothing,
    };
    const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: true }, callbacks);
    tokenizer.write(text);
    tokenizer.end();
    return { base, references, ids };
}
function startInside(tag, attributes) {
    if (tag === 'style')
        return { kind: 'style', text: '' };
    if (tag !== 'script')
        return undefined;
    const type = attributes.get('type')?.trim().toLowerCase() ?? '';
    if (type === 'importmap')
        return { kind: 'importmap', text: '' };
    const isCode = type === '' || type === 'module' || /^(text|application)\/(x-)?(java|ecma)script/.test(type);
    return isCode && !attributes.has('src') ? { kind: 'script', text: '' } : undefined;
}
const LINK_TAGS = new Set(['a', 'area']);
// Where a reader goes; everything else that names an address fetches it.
const SOURCES = {
    script: 'script',
    img: 'image',
    iframe: 'frame',
    frame: 'frame',
    embed: 'embedded file',
    audio: 'media file',
    video: 'media file',
    source: 'media file',
    track: 'media file',
    input: 'image',
    image: 'image',
    use: 'image',
    feimage: 'image',
    object: 'embedded file',
};
function readTag(tag, attributes, found) {
    const style = attributes.get('style');
    if (style !== undefined)
        for (const reference of scanCss(style))
            found.push(reference);
    const href = attributes.get('href') ?? attributes.get('xlink:href');
    if (tag === 'link')
        readLink(attributes, found);
    else if (tag === 'meta')
        readMeta(attributes, found);
    else if (LINK_TAGS.has(tag))
        add(found, href, { use: 'link', what: 'link' });
    else
        readElement(tag, attributes, found);
}
function add(found, raw, as) {
    if (raw !== undefined)
        found.push({ raw, ...as });
}
function readElement(tag, attributes, found) {
    const image = { use: 'load', what: 'image' };
    const form = { use: 'form', what: 'form' };
    add(found, attributes.get(tag === 'form' ? 'action' : 'formaction'), form);
    if (tag === 'body' || tag === 'table' || tag === 'td')
        add(found, attributes.get('background'), image);
    if (tag === 'html')
        add(found, attributes.get('manifest'), { use: 'load', what: 'manifest' });
    const what = SOURCES[tag];
    if (what === undefined)
        return;
    const href = attributes.get('href') ?? attributes.get('xlink:href');
    add(found, attributes.get('src') ?? href, { use: 'load', what });
    add(found, attributes.get('poster'), image);
    if (tag === 'object')
        add(found, attributes.get('data'), { use: 'load', what });
    for (const raw of readSrcset(attributes.get('srcset') ?? ''))
        add(found, raw, image);
}
const LOADING_RELATIONS = {
    stylesheet: 'style sheet',
    icon: 'icon',
    'apple-touch-icon': 'icon',
    'mask-icon': 'icon',
    preload: 'preloaded file',
    modulepreload: 'module',
    prefetch: 'prefetched file',
    prerender: 'prefetched page',
    manifest: 'manifest',
    'apple-touch-startup-image': 'image',
};
function readLink(attributes, found) {
    const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
    const raw = attributes.get('href');
    for (const address of readSrcset(attributes.get('imagesrcset') ?? ''))
        found.push({ raw: address, use: 'load', what: 'preloaded file' });
    if (raw === undefined)
        return;
    const loading = relations.map((relation) => LOADING_RELATIONS[relation]).find((what) => what !== undefined);
    if (loading !== undefined)
        found.push({ raw, use: 'load', what: loading });
    else if (relations.includes('preconnect') || relations.includes('dns-prefetch')) {
        found.push({ raw, use: 'connect', what: relations.includes('preconnect') ? 'preconnect' : 'dns-prefetch' });
    }
    else if (relations.includes('next') || relations.includes('prev'))
        found.push({ raw, use: 'link', what: 'link' });
}
function readMeta(attributes, found) {
    if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh')
        return;
    const raw = readRefresh(attributes.get('content') ?? '');
    if (raw !== undefined && raw !== '')
        found.push({ raw, use: 'load', what: 'refresh' });
}

;// CONCATENATED MODULE: ./build/bundle/verify/site-index.js

// A name that no host can have (RFC 6761): whatever resolves to it stays inside.
const ORIGIN = 'https://site.invalid';
const CACHE_ENTRIES = 50_000;
// Longer ones are data URLs, which seldom come twice.
const LONGEST_CACHED = 500;
function createSiteIndex(files) {
    const known = new Set(files);
    let folded;
    const cache = new Map();
    // As static hosts do: a folder is its index page, and a name without an ending is a page or a folder.
    function findFile(path) {
        const forms = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
        return forms.find((form) => known.has(form));
    }
    function look(raw, baseUrl) {
        const url = URL.parse(raw, baseUrl);
        if (url === null)
            return { kind: 'bad' };
        if (url.protocol === 'file:')
            return { kind: 'local' };
        if (url.origin !== ORIGIN)
            return /^(https?|wss?|ftp):$/.test(url.protocol) ? { kind: 'outside', host: url.host } : { kind: 'none' };
        const path = decode(url.pathname.slice(1));
        // An encoded slash is part of a name to some hosts and a separator to others.
        if (path === undefined || /%2f|%5c/i.test(url.pathname))
            return { kind: 'bad' };
        return { kind: 'inside', path, file: findFile(path), fragment: url.hash.slice(1) };
    }
    return {
        resolve(raw, from, base) {
            const text = raw.trim();
            if (text === '')
                return { kind: 'none' };
            const isAbsolute = base === undefined && text.startsWith('/') && !text.startsWith('//');
            const home = isAbsolute ? '' : text.startsWith('#') ? from : from.slice(0, from.lastIndexOf('/') + 1);
            const key = isAbsolute ? text : `${home}\n${base ?? ''}\n${text}`;
            const seen = cache.get(key);
            if (seen !== undefined)
                return seen;
            const target = look(text, baseOf(from, base));
            if (cache.size >= CACHE_ENTRIES)
                cache.clear();
            if (key.length <= LONGEST_CACHED)
                cache.set(ownText(key), target);
            return target;
        },
        similar(path) {
            folded ??= new Map(files.map((file) => [fold(file), file]));
            const forms = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`, `${path}/index.html`];
            return forms.map((form) => folded?.get(fold(form))).find((file) => file !== undefined);
        },
    };
}
function baseOf(from, base) {
    const own = `${ORIGIN}/${from.split('/').map(encodeURIComponent).join('/')}`;
    return base === undefined ? own : (URL.parse(base.trim(), own)?.href ?? own);
}
function fold(path) {
    return path.normalize('NFC').toLowerCase();
}
/** Percent-decoded; undefined where that cannot be done. */
function decode(text) {
    if (!text.includes('%'))
        return text;
    try {
        return decodeURIComponent(text);
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./build/bundle/verify/site-check.js





const site_check_KINDS = [
    [/\.x?html?$/i, 'page'],
    [/\.svg$/i, 'image'],
    [/\.css$/i, 'style'],
    [/\.m?js$/i, 'script'],
    [/\.webmanifest$|(^|\/)manifest\.json$/i, 'manifest'],
];
function kindOfFile(path) {
    return site_check_KINDS.find(([pattern]) => pattern.test(path))?.[1];
}
// Far more than any site has; a bundle made to exhaust the memory is looked at up to there.
const MOST_FRAGMENTS = 200_000;
const MOST_IDS = 5_000_000;
function createSiteCheck({ files, isAirGapped, findings, Tokenizer }) {
    const index = createSiteIndex(files);
    // Fragments are kept as 32-bit sums: the ids of many thousand pages stay small in memory.
    const idsOfPage = new Map();
    const wanted = new Map();
    let references = 0;
    let idCount = 0;
    function judge(page, reference, base) {
        references += 1;
        const target = index.resolve(reference.raw, page, base);
        if (target.kind === 'inside' && target.file !== undefined)
            wantFragment(page, reference, target);
        else {
            const finding = findingOf(target, { reference, isAirGapped, similar: index.similar });
            if (finding !== undefined)
                findings.add({ ...finding, page, target: reference.raw });
        }
    }
    function wantFragment(page, { raw, use }, target) {
        // Text fragments and the routes of scripts are no ids.
        const fragment = target.fragment.split(':~:')[0] ?? '';
        if (use !== 'link' || fragment === '' || fragment === 'top' || /^[!/]/.test(fragment))
            return;
        const { file } = target;
        if (file === undefined || kindOfFile(file) !== 'page')
            return;
        const key = `${file}#${fragment}`;
        if (wanted.has(key) || wanted.size >= MOST_FRAGMENTS)
            return;
        wanted.set(ownText(key), { page, raw: ownText(raw), file, sum: sumOf(decode(fragment) ?? fragment) });
    }
    function scan(path, text) {
        switch (kindOfFile(path)) {
            case 'style':
                return scanCss(text);
            case 'script':
                return scanScript(text);
            case 'manifest':
                return scanWebManifest(text);
            default:
                return [];
        }
    }
    return {
        get references() {
            return references;
        },
        file(path, text) {
            const kind = kindOfFile(path);
            if (kind !== 'page' && kind !== 'image') {
                for (const reference of scan(path, text))
                    judge(path, reference, undefined);
                return;
            }
            const { base, references: found, ids } = scanPage(Tokenizer, { text, isXml: kind === 'image' });
            idCount += ids.length;
            if (kind === 'page' && idCount <= MOST_IDS)
                idsOfPage.set(path, Int32Array.from(ids, sumOf));
            if (base !== undefined)
                judge(path, { raw: base, use: 'link', what: 'base' }, undefined);
            for (const reference of found)
                judge(path, reference, base);
        },
        finish() {
            for (const { page, raw, file, sum } of wanted.values()) {
                const ids = idsOfPage.get(file);
                if (ids === undefined || ids.includes(sum))
                    continue;
                findings.add({
                    level: 'warning',
                    kind: 'missing-fragment',
                    page,
                    target: raw,
                    reason: `${file} has no such id`,
                });
            }
        },
    };
}
function findingOf(target, { reference, isAirGapped, similar }) {
    const { use, what } = reference;
    switch (target.kind) {
        case 'none':
            return undefined;
        case 'bad':
            return { level: 'error', kind: 'bad-address', reason: `the address of this ${what} cannot be read` };
        case 'local':
            return {
                level: use === 'link' ? 'warning' : 'error',
                kind: 'local-address',
                reason: `this ${what} leads to the reader's own disk`,
            };
        case 'outside':
            return outsideFinding(reference, target.host, isAirGapped);
        case 'inside':
            return insideFinding(reference, similar(target.path), target.path);
    }
}
// `<base>` to another host sends every relative address there.
function outsideFinding({ use, what }, host, isAirGapped) {
    const level = isAirGapped ? 'error' : 'warning';
    if (what === 'base')
        return { level: 'error', kind: 'external-load', reason: `every relative address leads to ${host}` };
    switch (use) {
        case 'link':
            return undefined;
        case 'form':
            return { level: 'warning', kind: 'external-form', reason: `this form sends to ${host}` };
        case 'connect':
            return { level, kind: 'external-load', reason: `this ${what} opens a connection to ${host}` };
        case 'load':
            return { level, kind: 'external-load', reason: `this ${what} loads from ${host}` };
    }
}
function insideFinding({ use, what }, similar, path) {
    // A folder without a page of its own is a fine base, and a form's target may be made by the host.
    if (what === 'base' || use === 'connect' || use === 'form')
        return undefined;
    if (similar !== undefined)
        return { level: 'error', kind: 'wrong-case', reason: `the file is named ${similar}: most hosts tell case apart` };
    if (use === 'load')
        return { level: 'error', kind: 'missing-asset', reason: `this ${what} is not in the bundle` };
    const hint = path.endsWith('/') ? `: ${path}index.html would be needed` : '';
    return { level: 'error', kind: 'broken-link', reason: `this ${what} leads to no page of the bundle${hint}` };
}
/** FNV-1a, 32 bits. */
function sumOf(text) {
    let sum = 0x811c9dc5;
    for (let index = 0; index < text.length; index += 1)
        sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
    return sum | 0;
}

;// CONCATENATED MODULE: ./build/bundle/verify/verify.js







const MOST_BYTES = 8 * 1024 * 1024;
// Other work (a signal, a timer) gets its turn at least this often.
const LONGEST_TURN_MS = 20;
/**
 * Reads an unpacked site: is there an entry page, does every address resolve, does nothing load from elsewhere? Nothing is
 * fetched. Writes the whole report as JSON below RUNNER_TEMP. Throws `io` and `cancelled` only.
 */
async function verifySite(init) {
    const findings = createFindingList();
    const references = await checkFiles(init, findings);
    const pages = init.files.filter((file) => kindOfFile(file) === 'page').length;
    checkWhole(init, pages, findings);
    const { error: errors, warning: warnings, note: notes } = findings.counts;
    const counts = { pages, files: init.files.length, references, errors, warnings, notes };
    const reportPath = await writeReport(init.runnerTemp, counts, findings.kept);
    return { verification: { ...counts, first: findings.first() }, reportPath };
}
async function checkFiles({ root, files, isAirGapped, signal }, findings) {
    const { Tokenizer } = await Promise.all(/* import() */[__webpack_require__.e(455), __webpack_require__.e(530)]).then(__webpack_require__.bind(__webpack_require__, 2530));
    const check = createSiteCheck({ files, isAirGapped, findings, Tokenizer });
    let turnStart = performance.now();
    for (const path of files) {
        if (kindOfFile(path) === undefined)
            continue;
        checkFile({ root, path, findings, check });
        if (performance.now() - turnStart < LONGEST_TURN_MS)
            continue;
        await new Promise((resolve) => setImmediate(resolve));
        if (signal.aborted)
            throw (0,build_clock/* cancelled */.K)(signal.reason);
        turnStart = performance.now();
    }
    check.finish();
    return check.references;
}
function checkFile({ root, path, findings, check }) {
    const target = (0,external_node_path_.join)(root, path);
    try {
        const { size } = (0,external_node_fs_.statSync)(target);
        if (size > MOST_BYTES) {
            const reason = 'the file is larger than 8 MiB and was not looked at';
            findings.add({ level: 'warning', kind: 'page-too-large', page: path, target: '', reason });
            return;
        }
        check.file(path, (0,external_node_fs_.readFileSync)(target, 'utf8'));
    }
    catch (error) {
        const reason = 'the file could not be read';
        if (!(error instanceof Error && 'syscall' in error))
            throw error;
        findings.add({ level: 'error', kind: 'unreadable', page: path, target: '', reason });
    }
}
function checkWhole({ files, pageCount }, pages, findings) {
    const whole = { page: '', target: '' };
    if (!files.includes('index.html')) {
        findings.add({ ...whole, level: 'error', kind: 'no-entry-page', reason: 'there is no index.html at the top' });
    }
    if (pageCount !== undefined && pageCount !== pages) {
        const reason = `it holds ${pages} pages, and the platform last told ${pageCount}; that figure is a running one`;
        findings.add({ ...whole, level: 'note', kind: 'page-count', reason });
    }
}
async function writeReport(runnerTemp, counts, kept) {
    try {
        const reportPath = (0,external_node_path_.join)(await (0,promises_.mkdtemp)((0,external_node_path_.join)(runnerTemp, 'docs-courier-verify-')), 'verify.json');
        const total = counts.errors + counts.warnings + counts.notes;
        const report = { version: 1, ...counts, truncated: kept.length < total, findings: kept };
        (0,external_node_fs_.writeFileSync)(reportPath, `${JSON.stringify(report, undefined, 2)}\n`);
        return reportPath;
    }
    catch (cause) {
        throw (0,fault/* fileFault */.bT)('write the report of the verification to', runnerTemp, cause);
    }
}

;// CONCATENATED MODULE: ./build/bundle/verify/verify-received.js





/** Verifies the site at its place, if that is asked for, and tells the first findings in the log. */
async function verifyReceived(init) {
    const { bundle, origin, files, sitePath, log, signal, runnerTemp } = init;
    if (sitePath === undefined || bundle.verify === 'off')
        return {};
    const folder = siteFolder(files);
    const { verification, reportPath } = await verifySite({
        root: sitePath,
        files: files.map(({ path }) => (folder === '' ? path : path.slice(folder.length + 1))),
        pageCount: origin.pageCount,
        isAirGapped: origin.deploymentType === 'air-gapped',
        runnerTemp,
        signal,
    });
    for (const finding of verification.first)
        annotate(log, finding);
    const { errors, warnings, pages } = verification;
    log.info(`Verified ${(0,markdown/* countOf */.pq)(pages, 'page')}: ${(0,markdown/* countOf */.pq)(errors, 'error')}, ${(0,markdown/* countOf */.pq)(warnings, 'warning')}; all of it in ${reportPath}.`);
    return { verification, verifyReport: reportPath };
}
/** With `verify: strict`, throws `checks-failed` when there are errors. */
function assertSound({ verify }, { verification, verifyReport }) {
    const errors = verification?.errors ?? 0;
    if (verify === 'strict' && errors > 0)
        throw checksFailed(errors, verifyReport ?? '');
}
function annotate(log, { level, page, target, reason }) {
    const text = (0,text_escape/* plainLine */.h0)(`${page === '' ? 'The bundle' : page}: ${reason}${target === '' ? '' : ` (${target})`}`);
    if (level === 'note')
        log.notice(text);
    else
        log.warning(text);
}
function checksFailed(errors, reportPath) {
    return new build_errors/* CourierError */.Yw({
        code: 'checks-failed',
        message: `The unpacked site has ${(0,markdown/* countOf */.pq)(errors, 'error')}; the first ones are in the summary, all of them in ${reportPath}.`,
        hint: 'Correct the pages on the platform and export anew. With "verify: report" the findings are told and do not fail the run.',
    });
}

;// CONCATENATED MODULE: ./build/bundle/receive.js














/**
 * Downloads the bundle, checks it whole, and only then puts it in its place: archive, manifest and checksums to `bundle-path`, the
 * site to `extract-to`. What stood there stays as it was until that moment. Throws a CourierError, and only that.
 */
async function receiveBundle(init, internals = {}) {
    const { bundle, signal } = init;
    const destinations = [bundle.bundlePath ?? (0,external_node_path_.join)(init.runnerTemp, 'docs-courier-bundle'), bundle.extractTo];
    const opened = [];
    try {
        for (const destination of destinations) {
            if (destination === undefined)
                continue;
            (0,staging/* recoverDestination */.Tz)(destination, init.log);
            opened.push((0,staging/* openStaging */.gO)(destination));
        }
        const [archive, site] = opened;
        if (archive === undefined)
            throw new build_errors/* CourierError */.Yw({ code: 'io', message: 'No folder for the bundle could be made.' });
        internals.reached?.('staged');
        return await receiveInto(init, internals, { archive, site });
    }
    catch (error) {
        if (signal.aborted)
            throw (0,build_clock/* cancelled */.K)(error);
        // A file system may refuse any call at any time.
        const isFromSystem = error instanceof Error && 'syscall' in error;
        throw isFromSystem ? (0,fault/* fileFault */.bT)('put the bundle to', bundle.extractTo ?? bundle.bundlePath ?? '', error) : error;
    }
    finally {
        for (const staging of opened)
            staging.discard();
    }
}
async function receiveInto(init, internals, places) {
    const { bundle, log, signal } = init;
    const fetched = await fetchBundle({
        ...init,
        places,
        policy: { allowLoopback: init.allowLoopback, allowAddress: init.allowAddress ?? false },
        archive: { ...ARCHIVE_LIMITS, ...internals.archive },
        transfer: { ...TRANSFER_LIMITS, ...internals.transfer },
        random: internals.random ?? Math.random,
        disk: { ...systemDisk, ...internals.disk },
        inWorkspace: bundle.extractTo !== undefined && (await (0,destination.isInWorkspace)(bundle.extractTo, init.workspace)),
        onSize: await measureSpace({ ...init, free: internals.freeBytes ?? freeBytes }),
    });
    internals.reached?.('fetched');
    if (signal.aborted)
        throw (0,build_clock/* cancelled */.K)(signal.reason);
    warnOfName(fetched.format, bundle.bundlePath ?? new URL(init.link.url).pathname, log);
    let facts = firstFacts(fetched);
    const tell = (more) => {
        facts = { ...facts, ...more };
        init.tell?.(facts);
    };
    const publication = { ...init, fetched, reached: internals.reached };
    tell(publishArchive({ ...publication, staging: places.archive }));
    tell(publishSite({ ...publication, staging: places.site }));
    log.info(`Received the bundle: ${describe(facts)}.`);
    tell(await verifyReceived({ ...init, files: fetched.files, sitePath: facts.sitePath }));
    internals.reached?.('verified');
    return { facts, link: fetched.downloaded.link, assertSound: () => assertSound(bundle, facts) };
}
function firstFacts({ downloaded, format, files }) {
    return {
        path: undefined,
        sha256: downloaded.sha256,
        bytes: downloaded.bytes,
        manifestPath: undefined,
        checksumPath: undefined,
        sitePath: undefined,
        verifyReport: undefined,
        format,
        files: files.length,
        unpackedBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        resumed: downloaded.resumed,
        verification: undefined,
    };
}
function describe({ format, bytes, sha256, files, unpackedBytes }) {
    const packed = `${format}, ${(0,markdown/* formatBytes */.z3)(bytes)}, SHA-256 ${sha256}`;
    return `${packed}; ${(0,markdown/* countOf */.pq)(files, 'file')}, ${(0,markdown/* formatBytes */.z3)(unpackedBytes)} unpacked`;
}
// The name is only a name: what comes out of it is decided by the content.
function warnOfName(format, path, log) {
    const named = /\.(tar\.gz|tgz|tar|zip)$/i.exec(path)?.[1]?.toLowerCase().replace('tgz', 'tar.gz');
    if (named === undefined || named === format)
        return;
    log.warning(`The bundle is a .${format}, although ${(0,text_escape/* plainLine */.h0)((0,external_node_path_.basename)(path), 100)} is named like a .${named}. It was read as what it is.`);
}


/***/ })

};
