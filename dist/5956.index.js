export const id = 5956;
export const ids = [5956];
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

/***/ 5956:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  checkDestinations: () => (/* reexport */ checkDestinations),
  receiveBundle: () => (/* reexport */ receiveBundle)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./build/src/errors.js
var src_errors = __webpack_require__(7406);
// EXTERNAL MODULE: ./build/src/bundle/disk/errors.js
var errors = __webpack_require__(6831);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
;// CONCATENATED MODULE: ./build/src/bundle/disk/publication.js

/** The files that are kept with an archive: `docs.tar.gz` has `docs.tar.gz.manifest.json` and `docs.tar.gz.sha256`. */
function companionsOf(bundlePath) {
    return { manifest: `${bundlePath}.manifest.json`, checksums: `${bundlePath}.sha256` };
}
/** Moves the archive to `bundle-path`, then its manifest and its checksums next to it. Throws `config` and `io`. */
function publishArchive(bundlePath, texts, { staging, replace, reached }) {
    (0,external_node_fs_.chmodSync)(staging.fresh, 0o644);
    staging.publish({ replace });
    reached?.('archive-published');
    const paths = companionsOf(bundlePath);
    staging.publishText(paths.manifest, texts.manifest, { replace });
    staging.publishText(paths.checksums, texts.checksums, { replace });
    reached?.('manifest-written');
}
/** Moves the unpacked site to its destination. Throws `config` and `io`. */
function publishSite({ staging, replace, reached }) {
    staging.publish({ replace, between: () => reached?.('former-moved') });
    reached?.('site-published');
}

// EXTERNAL MODULE: ./build/src/signature.js
var src_signature = __webpack_require__(6031);
;// CONCATENATED MODULE: ./build/src/bundle/disk/marker.js



const NAME = 'marker.json';
const PURPOSE = 'docs-courier/staging/v1';
const MOST_BYTES = 4096;
const MODE = 0o700;
/**
 * Proves that a staging folder was made by a run of ours, so that a later run may act on what it holds. A folder of the same
 * name may just as well come with a checkout. The signature needs the admin key, and names the folder by its inode: a copy of a
 * folder with its marker is not the folder.
 */
function writeMarker(folder, destination, secret) {
    const signature = (0,src_signature/* sign */._S)({ secret, purpose: PURPOSE, payload: payloadOf(folder, destination) });
    (0,external_node_fs_.writeFileSync)((0,external_node_path_.join)(folder, NAME), `${JSON.stringify({ version: 1, signature })}\n`, { flag: 'wx', mode: 0o600 });
}
/** Whether the folder is one that a run with the same key made for this destination. */
function hasMarker(folder, destination, secret) {
    try {
        if (!isPrivate(folder))
            return false;
        const path = (0,external_node_path_.join)(folder, NAME);
        const found = (0,external_node_fs_.lstatSync)(path);
        if (!found.isFile() || found.size > MOST_BYTES)
            return false;
        const marker = JSON.parse((0,external_node_fs_.readFileSync)(path, 'utf8'));
        if (typeof marker !== 'object' || marker === null || !('signature' in marker))
            return false;
        const { signature } = marker;
        return (typeof signature === 'string' &&
            (0,src_signature/* verify */.MX)({ secret, purpose: PURPOSE, payload: payloadOf(folder, destination), signature }));
    }
    catch {
        return false;
    }
}
function payloadOf(folder, destination) {
    return { version: 1, destination, folder: (0,external_node_path_.basename)(folder), inode: String((0,external_node_fs_.lstatSync)(folder).ino) };
}
// Windows has neither such modes nor user ids.
function isPrivate(folder) {
    const { mode, uid } = (0,external_node_fs_.lstatSync)(folder);
    return process.getuid === undefined || ((mode & 0o777) === MODE && uid === process.getuid());
}

;// CONCATENATED MODULE: ./build/src/bundle/disk/staging.js





const FRESH = 'fresh';
const FORMER = 'former';
/**
 * A private folder next to a destination, on the same file system, so that what is complete comes to its place by one rename.
 * Its name holds those of the destination and of the process, so that a later run finds what a killed one left; a marker
 * that is signed with the admin key shows that it is ours.
 */
class Staging {
    #destination;
    #parent;
    #folder;
    /** The parent when the run began. */
    #home;
    /** Makes the folder. `secret` is the admin key. Throws `io`. */
    constructor(destination, secret) {
        const { parent, prefix } = placeOf(destination);
        this.#destination = destination;
        this.#parent = parent;
        try {
            (0,external_node_fs_.mkdirSync)(parent, { recursive: true });
            this.#home = (0,external_node_fs_.lstatSync)((0,external_node_fs_.realpathSync)(parent));
            // Its mode is 0700.
            this.#folder = (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)(parent, `${prefix}${process.pid}-`));
        }
        catch (cause) {
            throw (0,errors/* fileError */.z)('make a folder next to', destination, cause);
        }
        this.#mark(secret);
    }
    /** Where the new content is made. */
    get fresh() {
        return (0,external_node_path_.join)(this.#folder, FRESH);
    }
    /** A folder for the unpacked site, with the mode that it will have at its place. */
    makeFresh() {
        try {
            (0,external_node_fs_.mkdirSync)(this.fresh);
            (0,external_node_fs_.chmodSync)(this.fresh, 0o755);
            return this.fresh;
        }
        catch (cause) {
            throw (0,errors/* fileError */.z)('create the folder', this.fresh, cause);
        }
    }
    /** Puts a small file next to the destination: complete or not at all, and never through a link. */
    publishText(path, text, { replace }) {
        try {
            this.#checkParent();
            if (!replace && exists(path))
                throw taken(path);
            const made = (0,external_node_path_.join)(this.#folder, 'text');
            (0,external_node_fs_.writeFileSync)(made, text, { flag: 'wx', mode: 0o644 });
            (0,external_node_fs_.renameSync)(made, path);
        }
        catch (cause) {
            throw (0,errors/* fileError */.z)('write', path, cause);
        }
    }
    /** Moves `fresh` to the destination. What was there is moved away first and removed at the end. */
    publish(publishing) {
        try {
            this.#publish(publishing);
        }
        catch (cause) {
            throw (0,errors/* fileError */.z)('move the bundle to', this.#destination, cause);
        }
    }
    /** Removes the folder and whatever is in it. Never throws. */
    discard() {
        removeQuietly(this.#folder);
    }
    #mark(secret) {
        try {
            writeMarker(this.#folder, this.#destination, secret);
        }
        catch (cause) {
            this.discard();
            throw (0,errors/* fileError */.z)('write to the folder next to', this.#destination, cause);
        }
    }
    #publish({ replace, between }) {
        const { fresh } = this;
        const destination = this.#destination;
        const former = (0,external_node_path_.join)(this.#folder, FORMER);
        this.#checkParent();
        const isThere = exists(destination);
        if (isThere && !replace && !isEmptyFolder(destination))
            throw taken(destination);
        const made = (0,external_node_fs_.lstatSync)(fresh);
        // One rename replaces a file in one step; a folder with content has to be moved away first.
        const isFolder = isThere && (0,external_node_fs_.lstatSync)(destination).isDirectory();
        if (isFolder)
            (0,external_node_fs_.renameSync)(destination, former);
        between?.();
        try {
            (0,external_node_fs_.renameSync)(fresh, destination);
        }
        catch (cause) {
            if (isFolder)
                (0,external_node_fs_.renameSync)(former, destination);
            throw cause;
        }
        const now = (0,external_node_fs_.lstatSync)(destination);
        if (now.ino !== made.ino || now.dev !== made.dev || now.isSymbolicLink())
            throw moved(destination);
    }
    // Since the folder was made, its parent may have been swapped for a link that leads elsewhere.
    #checkParent() {
        const now = (0,external_node_fs_.lstatSync)((0,external_node_fs_.realpathSync)(this.#parent));
        const stays = now.dev === this.#home.dev && now.ino === this.#home.ino && (0,external_node_fs_.lstatSync)(this.#folder).isDirectory();
        if (!stays)
            throw moved(this.#destination);
    }
}
function placeOf(destination) {
    return { parent: (0,external_node_path_.dirname)(destination), prefix: `.${(0,external_node_path_.basename)(destination).slice(0, 100)}.courier-` };
}
/** The leftovers next to a destination, without those of processes that still run. Throws `io`. */
function findLeftovers(destination, secret) {
    const { parent, prefix } = placeOf(destination);
    return listFolder(parent).flatMap((name) => {
        const pid = name.startsWith(prefix)
            ? /^(\d{1,10})-[A-Za-z0-9]{6}$/.exec(name.slice(prefix.length))?.[1]
            : undefined;
        if (pid === undefined || isRunning(Number(pid)))
            return [];
        const folder = (0,external_node_path_.join)(parent, name);
        if (!(0,external_node_fs_.lstatSync)(folder).isDirectory())
            return [];
        const former = (0,external_node_path_.join)(folder, FORMER);
        const isOurs = hasMarker(folder, destination, secret);
        return [{ folder, former: exists(former) ? former : undefined, isOurs }];
    });
}
/** Puts right what a killed run left: the former content goes back where nothing is, the rest is removed. Throws `io`. */
function recoverDestination(destination, secret, log) {
    for (const { folder, former, isOurs } of findLeftovers(destination, secret)) {
        if (!isOurs) {
            log.warning(`${folder} is named like a folder of a run that was stopped, but was not made by one with this admin key: it is ignored. Remove it if it is not needed.`);
            continue;
        }
        try {
            if (former !== undefined && !exists(destination)) {
                (0,external_node_fs_.renameSync)(former, destination);
                log.info(`An earlier run was stopped while it replaced ${destination}: its former content was moved back.`);
            }
        }
        catch (cause) {
            throw (0,errors/* fileError */.z)('move back the former content of', destination, cause);
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
        return (0,external_node_fs_.readdirSync)(path);
    }
    catch (error) {
        if ((0,src_errors/* isMissing */.b2)(error))
            return [];
        throw (0,errors/* fileError */.z)('list', path, error);
    }
}
function exists(path) {
    try {
        (0,external_node_fs_.lstatSync)(path);
        return true;
    }
    catch (error) {
        if ((0,src_errors/* isMissing */.b2)(error))
            return false;
        throw error;
    }
}
function isEmptyFolder(path) {
    return (0,external_node_fs_.lstatSync)(path).isDirectory() && (0,external_node_fs_.readdirSync)(path).length === 0;
}
function removeQuietly(path) {
    try {
        (0,external_node_fs_.rmSync)(path, { recursive: true, force: true, maxRetries: 3 });
    }
    catch {
        // The next run tries again; the reason for which this one ends is more important.
    }
}
/** `config`: something is at a path that may only be replaced with `clean`. */
function taken(path) {
    return new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `${path} exists already and is not empty.`,
        hint: { text: 'Choose a path where nothing is, or replace what is there:', inputs: { clean: 'true' } },
    });
}
function moved(destination) {
    return new src_errors/* CourierError */.Yw({
        code: 'io',
        message: `The folder that holds ${destination} was replaced while the bundle was unpacked.`,
        hint: 'Another process works there at the same time: choose a folder that only this step writes to.',
    });
}

;// CONCATENATED MODULE: ./build/src/bundle/disk/destination.js






/**
 * Checks `bundle-path` with its manifest and checksums, and `extract-to`, before anything is started: all must be in the
 * workspace or RUNNER_TEMP by their real paths, and hold nothing that `clean` does not allow to replace. Writes nothing.
 * Throws `config`.
 */
async function checkDestinations(check) {
    const { bundlePath, extractTo, clean } = check.bundle;
    const real = [];
    if (bundlePath !== undefined)
        real.push(await checkPlace('bundle-path', bundlePath, check));
    if (extractTo !== undefined)
        real.push(await checkPlace('extract-to', extractTo, check));
    const [archive, site] = real;
    if (archive !== undefined && site !== undefined && filesOf(archive).some((file) => overlaps(file, site))) {
        throw refuse('bundle-path', `${bundlePath}`, 'it, its manifest or its checksums and extract-to are one in the other');
    }
    for (const file of bundlePath === undefined ? [] : filesOf(bundlePath))
        await checkFile(file, clean);
    if (extractTo !== undefined)
        await checkFolder(extractTo, check);
}
function filesOf(bundlePath) {
    return [bundlePath, ...Object.values(companionsOf(bundlePath))];
}
function overlaps(a, b) {
    return isWithin(a, b) || isWithin(b, a);
}
async function checkPlace(input, path, check) {
    if (!(0,external_node_path_.isAbsolute)(path) || /[\0\r\n]/.test(path))
        throw refuse(input, path, 'it is not an absolute path');
    const target = (0,external_node_path_.resolve)(path);
    const real = (0,external_node_path_.join)(await realParent(target), (0,external_node_path_.basename)(target));
    const workspace = await realOrSame(check.workspace);
    const roots = [workspace, await realOrSame(check.runnerTemp)];
    const home = check.home === undefined ? undefined : await realOrSame(check.home);
    if (target === (0,external_node_path_.parse)(target).root)
        throw refuse(input, path, 'it is the root of the file system');
    if (roots.includes(real) || real === home) {
        throw refuse(input, path, 'it is the workspace, RUNNER_TEMP or the home folder itself: name a folder inside');
    }
    if (!roots.some((root) => isWithin(real, root))) {
        throw refuse(input, path, 'it is neither in the workspace nor in RUNNER_TEMP');
    }
    if (real.split(external_node_path_.sep).some((segment) => /^\.git$/i.test(segment)))
        throw refuse(input, path, 'it is in a .git folder');
    if (roots.some((root) => isWithin(root, real)))
        throw refuse(input, path, 'the workspace is in it');
    return real;
}
// The nearest folder that is there, followed through all links; what is missing is made below it later.
async function realParent(target) {
    const parent = (0,external_node_path_.dirname)(target);
    if (parent === target)
        return parent;
    try {
        const real = await (0,promises_.realpath)(parent);
        if (!(await (0,promises_.lstat)(real)).isDirectory())
            throw refuse('path', target, `${parent} is not a folder`);
        return real;
    }
    catch (error) {
        if (!(0,src_errors/* isMissing */.b2)(error))
            throw (0,errors/* fileError */.z)('read the entry of', parent, error);
        return (0,external_node_path_.join)(await realParent(parent), (0,external_node_path_.basename)(parent));
    }
}
async function realOrSame(path) {
    try {
        return await (0,promises_.realpath)(path);
    }
    catch {
        return (0,external_node_path_.resolve)(path);
    }
}
function isWithin(path, folder) {
    const way = (0,external_node_path_.relative)(folder, path);
    return way === '' || (way !== '..' && !way.startsWith(`..${external_node_path_.sep}`) && !(0,external_node_path_.isAbsolute)(way));
}
async function statOf(path) {
    try {
        return await (0,promises_.lstat)(path);
    }
    catch (error) {
        if ((0,src_errors/* isMissing */.b2)(error))
            return undefined;
        throw (0,errors/* fileError */.z)('read the entry of', path, error);
    }
}
async function checkFile(path, clean) {
    const found = await statOf(path);
    if (found === undefined)
        return;
    if (!found.isFile())
        throw refuse('bundle-path', path, 'something that is not a file is there');
    if (!clean)
        throw taken(path);
}
async function checkFolder(path, { bundle, secret }) {
    const found = await statOf(path);
    if (found === undefined) {
        // A run was killed between moving the old folder away and the new one in: the old one is moved back first.
        const leftovers = bundle.clean ? [] : findLeftovers(path, secret);
        if (leftovers.some(({ former, isOurs }) => isOurs && former !== undefined))
            throw taken(path);
        return;
    }
    if (!found.isDirectory())
        throw refuse('extract-to', path, 'something that is not a folder is there');
    if (!bundle.clean && (await (0,promises_.readdir)(path)).length > 0)
        throw taken(path);
}
function refuse(input, path, reason) {
    return new src_errors/* CourierError */.Yw({
        code: 'config',
        message: `${input}: ${JSON.stringify(path)} cannot be used: ${reason}.`,
        hint: `Name a path inside the workspace or RUNNER_TEMP, such as "${input}: \${{ runner.temp }}/${input === 'bundle-path' ? 'docs.tar.gz' : 'site'}".`,
    });
}
/** Whether a path is in the workspace; there, some names in a bundle would act on what later steps do. */
async function isInWorkspace(path, workspace) {
    return isWithin((0,external_node_path_.join)(await realParent((0,external_node_path_.resolve)(path)), (0,external_node_path_.basename)(path)), await realOrSame(workspace));
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./build/src/clock.js
var clock = __webpack_require__(8179);
// EXTERNAL MODULE: ./build/src/bundle/archive/limits.js
var archive_limits = __webpack_require__(9903);
// EXTERNAL MODULE: ./build/src/bundle/compare/compared-site.js
var compared_site = __webpack_require__(7825);
;// CONCATENATED MODULE: ./build/src/bundle/disk/disk.js

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

// EXTERNAL MODULE: ./build/src/text/markdown.js
var markdown = __webpack_require__(492);
;// CONCATENATED MODULE: ./build/src/bundle/disk/space.js




// The archive itself with some room, and where it is unpacked room for what a site of that size usually becomes.
const SPACE_FACTOR = { unpacked: 2.5, packed: 1.25 };
/** Bytes that may still be written on the disk of a folder. */
async function freeBytes(folder) {
    const { bavail, bsize } = await (0,promises_.statfs)(folder);
    return bavail * bsize;
}
/**
 * Measures the disks that the bundle goes to. Returns a check that takes no time, since the reply must be read at once when
 * its size is known: it takes the archive's bytes and throws `io` when a disk cannot hold the bundle.
 */
async function measureSpace({ bundlePath, extractTo, runnerTemp, free, }) {
    const places = [
        { folder: bundlePath === undefined ? runnerTemp : (0,external_node_path_.dirname)(bundlePath), factor: SPACE_FACTOR.packed },
        ...(extractTo === undefined ? [] : [{ folder: (0,external_node_path_.dirname)(extractTo), factor: SPACE_FACTOR.unpacked }]),
    ];
    const measured = await Promise.all(places.map(async (place) => ({ ...place, left: await free(place.folder) })));
    return (bytes) => {
        const small = measured.find(({ left, factor }) => left < bytes * factor);
        if (small === undefined)
            return;
        const { folder, left, factor } = small;
        throw new src_errors/* CourierError */.Yw({
            code: 'io',
            message: `The disk of ${folder} has ${(0,markdown/* formatBytes */.z3)(left)} left; a bundle of ${(0,markdown/* formatBytes */.z3)(bytes)} needs ${(0,markdown/* formatBytes */.z3)(bytes * factor)}.`,
            hint: 'Free some space in an earlier step, or use a larger runner.',
        });
    };
}

;// CONCATENATED MODULE: ./build/src/bundle/download/limits.js
const KIB = 1024;
const TRANSFER_LIMITS = {
    headersMs: 30_000,
    idleMs: 30_000,
    slowWindowMs: 60_000,
    slowBytesPerSecond: 64 * KIB,
    barrenAttempts: 5,
    attempts: 21,
    redirects: 3,
};

// EXTERNAL MODULE: ./build/src/text/escape.js
var text_escape = __webpack_require__(4502);
;// CONCATENATED MODULE: ./build/src/bundle/inspection.js




/** Verifies an unpacked site and compares it with an earlier one, each where it is asked for, in one pass over its pages. */
async function inspect(init) {
    const { comparison, signal } = init;
    const facts = init.verifies ? await verify(init) : {};
    if (!init.verifies && comparison !== undefined) {
        const { readPages } = await Promise.all(/* import() */[__webpack_require__.e(5455), __webpack_require__.e(3183), __webpack_require__.e(8281), __webpack_require__.e(8925)]).then(__webpack_require__.bind(__webpack_require__, 8925));
        await readPages({ ...init, files: init.site.files, basePath: init.origin.basePath }, comparison);
    }
    return { facts, comparison: await comparison?.finish(signal) };
}
async function verify(init) {
    const { root, site, origin, comparison, log, signal, runnerTemp } = init;
    const { verifySite } = await Promise.all(/* import() */[__webpack_require__.e(5455), __webpack_require__.e(3183), __webpack_require__.e(8281), __webpack_require__.e(8925)]).then(__webpack_require__.bind(__webpack_require__, 8925));
    const { verification, reportPath } = await verifySite({
        root,
        files: site.files,
        basePath: origin.basePath,
        pageCount: origin.pageCount,
        isAirGapped: origin.deploymentType === 'air-gapped',
        runnerTemp,
        signal,
        reader: comparison,
    });
    for (const { level, page, reason, target } of verification.first) {
        const text = (0,text_escape/* plainLine */.h0)(`${page === '' ? 'The bundle' : page}: ${reason}${target === '' ? '' : ` (${target})`}`);
        if (level === 'note')
            log.notice(text);
        else
            log.warning(text);
    }
    const { errors, warnings, pages } = verification;
    log.info(`Verified ${(0,markdown/* countOf */.pq)(pages, 'page')}: ${(0,markdown/* countOf */.pq)(errors, 'error')}, ${(0,markdown/* countOf */.pq)(warnings, 'warning')}. All findings are in ${reportPath}.`);
    return { verification, verifyReport: reportPath };
}
function factsOf({ downloaded, format, files }, { pages }) {
    return {
        sha256: downloaded.sha256,
        bytes: downloaded.bytes,
        format,
        files: files.length,
        pages,
        unpackedBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        resumed: downloaded.resumed,
    };
}
function describe({ format, bytes, sha256, files, pages, unpackedBytes }) {
    const packed = `${format}, ${(0,markdown/* formatBytes */.z3)(bytes)}, SHA-256 ${sha256}`;
    return `${packed}; ${(0,markdown/* countOf */.pq)(pages, 'page')}, ${(0,markdown/* countOf */.pq)(files, 'file')}, ${(0,markdown/* formatBytes */.z3)(unpackedBytes)} unpacked`;
}
// The name is only a name: what is unpacked is decided by the content.
function warnOfName(format, path, log) {
    const named = /\.(tar\.gz|tgz|tar|zip)$/i.exec(path)?.[1]?.toLowerCase().replace('tgz', 'tar.gz');
    if (named === undefined || named === format)
        return;
    log.warning(`The bundle is a .${format}, although ${(0,text_escape/* plainLine */.h0)((0,external_node_path_.basename)(path), 100)} is named like a .${named}. It was read as a .${format}.`);
}
/** Throws `checks-failed` where `verify` is strict and the verification found errors. */
function assertSound({ verify }, { verification, verifyReport }) {
    const errors = verification?.errors ?? 0;
    if (verify !== 'strict' || errors === 0)
        return;
    throw new src_errors/* CourierError */.Yw({
        code: 'checks-failed',
        message: `The site has ${(0,markdown/* countOf */.pq)(errors, 'error')}, and verify is strict: bundle-path, extract-to and the secret were left as they are. The first ones are in the summary, all of them in ${verifyReport ?? ''}.`,
        hint: 'Correct the pages on the platform and export again. With "verify: report" findings are reported and do not fail the run.',
    });
}

;// CONCATENATED MODULE: ./build/src/bundle/manifest.js

/** The manifest as JSON: files sorted by path, in bytes order, so that the same bundle gives the same list. */
function formatManifest(init) {
    const { origin, files } = init;
    const manifest = {
        version: 1,
        site: origin.domain ?? null,
        exportJobId: origin.jobId,
        pages: origin.pageCount ?? init.pages,
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

// EXTERNAL MODULE: ./build/src/bundle/site.js
var bundle_site = __webpack_require__(7419);
;// CONCATENATED MODULE: ./build/src/bundle/archive/errors.js


/** `unsafe-archive`: the archive holds what no documentation bundle needs. `name` is the entry's, as the archive gives it. */
function unsafe(reason, name) {
    const where = name === undefined ? '' : ` at "${(0,text_escape/* plainLine */.h0)(name, 120)}"`;
    return new src_errors/* CourierError */.Yw({
        code: 'unsafe-archive',
        message: `The bundle is not safe to unpack${where}: ${reason}.`,
        hint: 'Nothing of it was unpacked. Report it to the platform, and do not unpack this archive with other tools.',
    });
}
/** `integrity`: the archive was cut off, changed on its way, or written wrongly. */
function damaged(reason, cause) {
    return new src_errors/* CourierError */.Yw({
        code: 'integrity',
        message: `The bundle is damaged: ${reason}.`,
        hint: 'Nothing of it was kept. Run again with export-job-id, which starts no second export.',
        cause,
    });
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
;// CONCATENATED MODULE: ./build/src/bundle/archive/names.js

// Not writable on Windows, read as something else there, or a line end to programs that list files: the result must be
// the same on every system.
const FORBIDDEN_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}:*?"<>|\\\ufffd\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
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
// The others need no folding to be compared with the acting names.
const MAY_ACT = /^[.g]|[^ -~]/i;
/** Checks a name by itself. Whether it collides with another one is the admission's question. */
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
        return 'the name contains a character that not every system can store';
    if (external_node_buffer_.Buffer.byteLength(path) > limits.nameBytes)
        return `the name is longer than ${limits.nameBytes} bytes`;
    if (segments.length > limits.depth)
        return `it is more than ${limits.depth} folders deep`;
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
    if (inWorkspace && MAY_ACT.test(segment) && ACTING_NAMES.has(foldName(segment))) {
        return 'a file of that name would act on the workspace';
    }
    return undefined;
}
// Most names are such already; asking costs less than folding.
const FOLDED = /^[a-z0-9_./-]*$/;
/**
 * Equal for two names that some file system takes for the same one. File systems differ: without regard to case by simple
 * or by full folding (ß and ss), decomposed or composed, by compatibility (ﬁ and fi), or without characters that cannot be
 * seen. This folds all of that at once, after the NFKC_Casefold of the Unicode Standard, section 3.13; through upper case,
 * since that maps ſ and ς, as ZFS and NTFS do.
 */
function foldName(path) {
    if (FOLDED.test(path))
        return path;
    const visible = path.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
    return visible.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC').toLowerCase().normalize('NFKC');
}

;// CONCATENATED MODULE: ./build/src/bundle/archive/admission.js


/** Decides about every entry of one archive, in the order in which they come. */
class Admission {
    #rules;
    #limits;
    #taken = new Map();
    #entries = 0;
    #files = 0;
    #totalBytes = 0;
    #namesBytes = 0;
    #lastParent = '';
    constructor(rules) {
        this.#rules = rules;
        this.#limits = rules.limits;
    }
    get files() {
        return this.#files;
    }
    /** Of the sizes that the archive declares. */
    get totalBytes() {
        return this.#totalBytes;
    }
    /** The path to write to; undefined for the root folder, which exists already. Throws `unsafe-archive`. */
    admit(entry) {
        this.#count(entry);
        const verdict = judgeName(entry.name, entry.kind, this.#rules);
        if (!verdict.ok)
            throw unsafe(verdict.reason, entry.name);
        if (verdict.path === '')
            return undefined;
        this.#takeParents(verdict.path);
        this.#take(verdict.path, entry.kind, true);
        return verdict.path;
    }
    #count({ name, kind, sizeBytes }) {
        const { entries, fileBytes, totalBytes } = this.#limits;
        this.#entries += 1;
        if (this.#entries > entries)
            throw unsafe(`it holds more than ${entries} entries`);
        if (sizeBytes > fileBytes)
            throw unsafe(`the file is larger than ${fileBytes} bytes`, name);
        if (kind === 'directory' && sizeBytes !== 0)
            throw unsafe('a folder has content', name);
        if (kind === 'file')
            this.#files += 1;
        this.#totalBytes += sizeBytes;
        if (this.#totalBytes > totalBytes)
            throw unsafe(`it unpacks to more than ${totalBytes} bytes`);
    }
    #takeParents(path) {
        const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
        if (parent === '' || parent === this.#lastParent)
            return;
        for (let at = parent.indexOf('/'); at !== -1; at = parent.indexOf('/', at + 1)) {
            this.#take(parent.slice(0, at), 'directory', false);
        }
        this.#take(parent, 'directory', false);
        this.#lastParent = parent;
    }
    #take(path, kind, hasEntry) {
        const key = foldName(path);
        const other = this.#taken.get(key);
        if (other === undefined) {
            this.#namesBytes += path.length * 2;
            if (this.#namesBytes > this.#limits.namesBytes)
                throw unsafe('its names are too long all together');
            this.#taken.set(key, { path, kind, hasEntry });
            return;
        }
        if (other.path !== path)
            throw unsafe(`some file systems take its name for "${other.path}"`, path);
        if (other.kind !== kind)
            throw unsafe('it is both a file and a folder', path);
        if (hasEntry && (other.hasEntry || kind === 'file'))
            throw unsafe('it is in the archive twice', path);
        other.hasEntry ||= hasEntry;
    }
}

// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
;// CONCATENATED MODULE: ./build/src/bundle/archive/pieces.js
// Smaller pieces are cut from a pool that others use too, or are not worth the call.
const LEAST_BYTES = 16 * 1024;
/**
 * Gives memory back at once that nobody reads any more, where the piece is the last one of its buffer or all of it. The
 * collector runs when the heap grows and not when what hangs on it does: tens of megabytes of pieces would wait for it.
 *
 * Measured with `npm run bench bundle`, 195 MiB in 20,000 files: with this and `piecesOf` 1.01 of the CPU time of
 * `curl | tar xz` and 103 MiB at most, without both 1.16 and 119 MiB.
 */
function releasePiece({ buffer, byteOffset, byteLength }) {
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
async function* piecesOf(stream) {
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
                releasePiece(piece);
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

;// CONCATENATED MODULE: ./build/src/bundle/archive/gzip.js




// Large enough that a turn costs little compared with its work, small enough that no turn of it blocks for long.
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
    // Fed while it is read: the pool inflates the next piece while this thread writes the last one.
    const feeding = feed(source, inflate);
    feeding.catch((error) => inflate.destroy(error));
    let checksum = 0;
    let length = 0;
    try {
        for await (const piece of piecesOf(inflate)) {
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
        throw damaged('the CRC-32 of the gzip data is wrong');
    if (trailer.readUInt32LE(4) !== length)
        throw damaged('the length of the gzip data is wrong');
}
function readableError(error) {
    const isZlib = error instanceof Error && 'errno' in error && 'code' in error && String(error.code).startsWith('Z_');
    return isZlib ? damaged('its compressed data is broken or cut off', error) : error;
}
// Returns the eight bytes after the compressed data.
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
            throw damaged('something follows the gzip data');
    }
    if (head !== undefined)
        throw damaged('it ends within the gzip header');
    if (tail === undefined)
        await finishInput(inflate);
    if (tail?.length !== TRAILER_BYTES)
        throw damaged('it ends too early');
    return tail;
}
// Returns what was left over once the compressed data had ended by itself.
function inflatePiece(inflate, piece) {
    if (piece.length === 0)
        return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
        const before = inflate.bytesWritten;
        const onClose = () => reject(damaged('its compressed data is broken or cut off', inflate.errored));
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
        throw damaged('its gzip header is wrong');
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
            throw damaged('the checksum of its gzip header is wrong');
        }
        else
            at += 2;
    }
    if (data.length > LONGEST_HEADER && at === undefined)
        throw damaged('its gzip header does not end');
    return at === undefined || at > data.length ? undefined : at;
}
function afterZero(data, from) {
    const zero = from === undefined ? -1 : data.indexOf(0, from);
    return zero === -1 ? undefined : zero + 1;
}

;// CONCATENATED MODULE: ./build/src/bundle/archive/tar-fields.js

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
            throw unsafe('it holds a link', name);
        default:
            throw unsafe('it holds something that is neither file nor folder', name);
    }
}
function paddingOf(sizeBytes) {
    return (BLOCK - (sizeBytes % BLOCK)) % BLOCK;
}
// Mode, owner, group and the numbers of devices are not used. A program that cannot read them may still take the header for
// the end of the archive (Python does) or stop (GNU tar does), so that it sees other files.
const UNUSED_NUMBERS = [
    [100, 8],
    [108, 8],
    [116, 8],
    [329, 8],
    [337, 8],
];
const MOST_UNUSED = 0xffffffff;
function readSizeField(block) {
    return readNumber(block, 124, 12, 'a file has an impossible size');
}
function checkUnusedNumbers(block) {
    const reason = 'a number in a tar header is malformed';
    // The time of change.
    readNumber(block, 136, 12, reason);
    for (const [at, length] of UNUSED_NUMBERS) {
        if (readNumber(block, at, length, reason) > MOST_UNUSED)
            throw unsafe(reason);
    }
}
// Octal digits between blanks, or, with the top bit set, a positive binary number (GNU). Everything else is read
// differently by different programs.
function readNumber(block, at, length, reason) {
    if (block[at] === 0x80) {
        let value = 0;
        for (let index = at + 1; index < at + length; index += 1)
            value = value * 256 + (block[index] ?? 0);
        if (!Number.isSafeInteger(value))
            throw unsafe(reason);
        return value;
    }
    const digits = /^ *([0-7]*)[ \0]*$/.exec(block.toString('latin1', at, at + length))?.[1];
    if (digits === undefined)
        throw unsafe(reason);
    return Number.parseInt(digits || '0', 8);
}
// What follows a NUL is no part of the name to us; to another program it may be.
function refuseHiddenName(block, name) {
    let isEnded = false;
    for (let at = 0; at < NAME_BYTES; at += 1) {
        if (block[at] === 0)
            isEnded = true;
        else if (isEnded)
            throw unsafe('a name holds a NUL character', name);
    }
}
/** The content of a GNU long name. Without its NUL, some programs read on into whatever follows it. */
function readLongName(data) {
    const end = data.indexOf(0);
    if (end === -1)
        throw unsafe('a long name does not end in a NUL character');
    if (data.subarray(end).some((byte) => byte !== 0))
        throw unsafe('a name holds a NUL character');
    return data.toString('utf8', 0, end);
}

;// CONCATENATED MODULE: ./node_modules/tar/dist/esm/large-numbers.js
// Tar can encode large and negative numbers using a leading byte of
// 0xff for negative, and 0x80 for positive.
const encode = (num, buf) => {
    if (!Number.isSafeInteger(num)) {
        // The number is so large that javascript cannot represent it with integer
        // precision.
        throw Error('cannot encode number outside of javascript safe integer range');
    }
    else if (num < 0) {
        encodeNegative(num, buf);
    }
    else {
        encodePositive(num, buf);
    }
    return buf;
};
const encodePositive = (num, buf) => {
    buf[0] = 0x80;
    for (var i = buf.length; i > 1; i--) {
        buf[i - 1] = num & 0xff;
        num = Math.floor(num / 0x100);
    }
};
const encodeNegative = (num, buf) => {
    buf[0] = 0xff;
    var flipped = false;
    num = num * -1;
    for (var i = buf.length; i > 1; i--) {
        var byte = num & 0xff;
        num = Math.floor(num / 0x100);
        if (flipped) {
            buf[i - 1] = onesComp(byte);
        }
        else if (byte === 0) {
            buf[i - 1] = 0;
        }
        else {
            flipped = true;
            buf[i - 1] = twosComp(byte);
        }
    }
};
const parse = (buf) => {
    const pre = buf[0];
    const value = pre === 0x80 ? pos(buf.subarray(1, buf.length))
        : pre === 0xff ? twos(buf)
            : null;
    if (value === null) {
        throw Error('invalid base256 encoding');
    }
    if (!Number.isSafeInteger(value)) {
        // The number is so large that javascript cannot represent it with integer
        // precision.
        throw Error('parsed number outside of javascript safe integer range');
    }
    return value;
};
const twos = (buf) => {
    var len = buf.length;
    var sum = 0;
    var flipped = false;
    for (var i = len - 1; i > -1; i--) {
        var byte = Number(buf[i]);
        var f;
        if (flipped) {
            f = onesComp(byte);
        }
        else if (byte === 0) {
            f = byte;
        }
        else {
            flipped = true;
            f = twosComp(byte);
        }
        if (f !== 0) {
            sum -= f * Math.pow(256, len - i - 1);
        }
    }
    return sum;
};
const pos = (buf) => {
    var len = buf.length;
    var sum = 0;
    for (var i = len - 1; i > -1; i--) {
        var byte = Number(buf[i]);
        if (byte !== 0) {
            sum += byte * Math.pow(256, len - i - 1);
        }
    }
    return sum;
};
const onesComp = (byte) => (0xff ^ byte) & 0xff;
const twosComp = (byte) => ((0xff ^ byte) + 1) & 0xff;
//# sourceMappingURL=large-numbers.js.map
;// CONCATENATED MODULE: ./node_modules/tar/dist/esm/types.js
const isCode = (c) => types_name.has(c);
const isName = (c) => code.has(c);
/**
 * types that are a normal file system entry, not metadata.
 *
 * These can be the subject of extended/globalExtended headers, long path
 * names, long linkpath names, etc.
 *
 * Any other types are meta, and cannot be targetted by extended PAX headers.
 */
const normalFsTypes = new Set([
    '0',
    '',
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    'D',
]);
// map types from key to human-friendly name
const types_name = new Map([
    ['0', 'File'],
    // same as File
    ['', 'OldFile'],
    ['1', 'Link'],
    ['2', 'SymbolicLink'],
    // Devices and FIFOs aren't fully supported
    // they are parsed, but skipped when unpacking
    ['3', 'CharacterDevice'],
    ['4', 'BlockDevice'],
    ['5', 'Directory'],
    ['6', 'FIFO'],
    // same as File
    ['7', 'ContiguousFile'],
    // pax headers
    ['g', 'GlobalExtendedHeader'],
    ['x', 'ExtendedHeader'],
    // vendor-specific stuff
    // skip
    ['A', 'SolarisACL'],
    // like 5, but with data, which should be skipped
    ['D', 'GNUDumpDir'],
    // metadata only, skip
    ['I', 'Inode'],
    // data = link path of next file
    ['K', 'NextFileHasLongLinkpath'],
    // data = path of next file
    ['L', 'NextFileHasLongPath'],
    // skip
    ['M', 'ContinuationFile'],
    // like L
    ['N', 'OldGnuLongPath'],
    // skip
    ['S', 'SparseFile'],
    // skip
    ['V', 'TapeVolumeHeader'],
    // like x
    ['X', 'OldExtendedHeader'],
]);
// map the other direction
const code = new Map(Array.from(types_name).map(kv => [kv[1], kv[0]]));
//# sourceMappingURL=types.js.map
;// CONCATENATED MODULE: ./node_modules/tar/dist/esm/header.js
// parse a 512-byte header block to a data object, or vice-versa
// encode returns `true` if a pax extended header is needed, because
// the data could not be faithfully encoded in a simple header.
// (Also, check header.needPax to see if it needs a pax header.)



const notNegative = (n) => n === undefined || n < 0 ? undefined : n;
class Header {
    cksumValid = false;
    needPax = false;
    nullBlock = false;
    block;
    path;
    mode;
    uid;
    gid;
    size;
    cksum;
    #type = 'Unsupported';
    linkpath;
    uname;
    gname;
    devmaj = 0;
    devmin = 0;
    atime;
    ctime;
    mtime;
    charset;
    comment;
    constructor(data, off = 0, ex, gex) {
        if (Buffer.isBuffer(data)) {
            this.decode(data, off || 0, ex, gex);
        }
        else if (data) {
            this.#slurp(data);
        }
    }
    decode(buf, off, ex, gex) {
        if (!off) {
            off = 0;
        }
        if (!buf || !(buf.length >= off + 512)) {
            throw new Error('need 512 bytes for header');
        }
        // Decode the typeflag (independent of any pending PAX/GNU extended header)
        // up front so we can tell whether THIS block is itself an intermediary
        // extension header (PAX `x`/`g`, GNU long-name `L`, GNU long-link `K`).
        // Per POSIX pax, a PAX extended header describes the *next file entry*, not
        // the extension headers that may sit between it and that file. Applying the
        // pending PAX overrides (notably `size`) to an intervening `L`/`K`/`x`/`g`
        // header desynchronizes the stream relative to other tar implementations
        // and enables tar interpretation-conflict / file-smuggling attacks.
        const t = decString(buf, off + 156, 1);
        const isNormalFS = normalFsTypes.has(t);
        const exForFields = isNormalFS ? ex : undefined;
        const gexForFields = isNormalFS ? gex : undefined;
        this.path = exForFields?.path ?? decString(buf, off, 100);
        this.mode =
            exForFields?.mode ??
                gexForFields?.mode ??
                decNumber(buf, off + 100, 8);
        this.uid =
            exForFields?.uid ?? gexForFields?.uid ?? decNumber(buf, off + 108, 8);
        this.gid =
            exForFields?.gid ?? gexForFields?.gid ?? decNumber(buf, off + 116, 8);
        this.size = notNegative(exForFields?.size ??
            gexForFields?.size ??
            decNumber(buf, off + 124, 12));
        this.mtime =
            exForFields?.mtime ??
                gexForFields?.mtime ??
                decDate(buf, off + 136, 12);
        this.cksum = decNumber(buf, off + 148, 12);
        // if we have extended or global extended headers, apply them now
        // See https://github.com/npm/node-tar/pull/187
        // Apply global before local, so it overrides. Never slurp the pending
        // extended-header fields onto an intermediary extension header.
        if (gexForFields)
            this.#slurp(gexForFields, true);
        if (exForFields)
            this.#slurp(exForFields);
        // old tar versions marked dirs as a file with a trailing /
        if (isCode(t)) {
            this.#type = t || '0';
        }
        if (this.#type === '0' && this.path.slice(-1) === '/') {
            this.#type = '5';
        }
        // tar implementations sometimes incorrectly put the stat(dir).size
        // as the size in the tarball, even though Directory entries are
        // not able to have any body at all.  In the very rare chance that
        // it actually DOES have a body, we weren't going to do anything with
        // it anyway, and it'll just be a warning about an invalid header.
        if (this.#type === '5') {
            this.size = 0;
        }
        this.linkpath = decString(buf, off + 157, 100);
        if (buf.subarray(off + 257, off + 265).toString() === 'ustar\u000000') {
            /* c8 ignore start */
            this.uname =
                exForFields?.uname ??
                    gexForFields?.uname ??
                    decString(buf, off + 265, 32);
            this.gname =
                exForFields?.gname ??
                    gexForFields?.gname ??
                    decString(buf, off + 297, 32);
            this.devmaj =
                exForFields?.devmaj ??
                    gexForFields?.devmaj ??
                    decNumber(buf, off + 329, 8) ??
                    0;
            this.devmin =
                exForFields?.devmin ??
                    gexForFields?.devmin ??
                    decNumber(buf, off + 337, 8) ??
                    0;
            /* c8 ignore stop */
            if (buf[off + 475] !== 0) {
                // definitely a prefix, definitely >130 chars.
                const prefix = decString(buf, off + 345, 155);
                this.path = prefix + '/' + this.path;
            }
            else {
                const prefix = decString(buf, off + 345, 130);
                if (prefix) {
                    this.path = prefix + '/' + this.path;
                }
                /* c8 ignore start */
                this.atime = ex?.atime ?? gex?.atime ?? decDate(buf, off + 476, 12);
                this.ctime = ex?.ctime ?? gex?.ctime ?? decDate(buf, off + 488, 12);
                /* c8 ignore stop */
            }
        }
        let sum = 8 * 0x20;
        for (let i = off; i < off + 148; i++) {
            sum += buf[i];
        }
        for (let i = off + 156; i < off + 512; i++) {
            sum += buf[i];
        }
        this.cksumValid = sum === this.cksum;
        if (this.cksum === undefined && sum === 8 * 0x20) {
            this.nullBlock = true;
        }
    }
    #slurp(ex, gex = false) {
        Object.assign(this, Object.fromEntries(Object.entries(ex).filter(([k, v]) => {
            // we slurp in everything except for the path attribute in
            // a global extended header, because that's weird. Also, any
            // null/undefined values are ignored.
            return !(v === null ||
                v === undefined ||
                (k === 'size' && Number(v) < 0) ||
                (k === 'path' && gex) ||
                (k === 'linkpath' && gex) ||
                k === 'global');
        })));
    }
    encode(buf, off = 0) {
        if (!buf) {
            buf = this.block = Buffer.alloc(512);
        }
        if (this.#type === 'Unsupported') {
            this.#type = '0';
        }
        if (!(buf.length >= off + 512)) {
            throw new Error('need 512 bytes for header');
        }
        const prefixSize = this.ctime || this.atime ? 130 : 155;
        const split = splitPrefix(this.path || '', prefixSize);
        const path = split[0];
        const prefix = split[1];
        this.needPax = !!split[2];
        this.needPax = encString(buf, off, 100, path) || this.needPax;
        this.needPax = encNumber(buf, off + 100, 8, this.mode) || this.needPax;
        this.needPax = encNumber(buf, off + 108, 8, this.uid) || this.needPax;
        this.needPax = encNumber(buf, off + 116, 8, this.gid) || this.needPax;
        this.needPax = encNumber(buf, off + 124, 12, this.size) || this.needPax;
        this.needPax = encDate(buf, off + 136, 12, this.mtime) || this.needPax;
        buf[off + 156] = Number(this.#type.codePointAt(0));
        this.needPax =
            encString(buf, off + 157, 100, this.linkpath) || this.needPax;
        buf.write('ustar\u000000', off + 257, 8);
        this.needPax =
            encString(buf, off + 265, 32, this.uname) || this.needPax;
        this.needPax =
            encString(buf, off + 297, 32, this.gname) || this.needPax;
        this.needPax =
            encNumber(buf, off + 329, 8, this.devmaj) || this.needPax;
        this.needPax =
            encNumber(buf, off + 337, 8, this.devmin) || this.needPax;
        this.needPax =
            encString(buf, off + 345, prefixSize, prefix) || this.needPax;
        if (buf[off + 475] !== 0) {
            this.needPax = encString(buf, off + 345, 155, prefix) || this.needPax;
        }
        else {
            this.needPax = encString(buf, off + 345, 130, prefix) || this.needPax;
            this.needPax =
                encDate(buf, off + 476, 12, this.atime) || this.needPax;
            this.needPax =
                encDate(buf, off + 488, 12, this.ctime) || this.needPax;
        }
        let sum = 8 * 0x20;
        for (let i = off; i < off + 148; i++) {
            sum += buf[i];
        }
        for (let i = off + 156; i < off + 512; i++) {
            sum += buf[i];
        }
        this.cksum = sum;
        encNumber(buf, off + 148, 8, this.cksum);
        this.cksumValid = true;
        return this.needPax;
    }
    get type() {
        return (this.#type === 'Unsupported' ?
            this.#type
            : types_name.get(this.#type));
    }
    get typeKey() {
        return this.#type;
    }
    set type(type) {
        const c = String(code.get(type));
        if (isCode(c) || c === 'Unsupported') {
            this.#type = c;
        }
        else if (isCode(type)) {
            this.#type = type;
        }
        else {
            throw new TypeError('invalid entry type: ' + type);
        }
    }
}
const splitPrefix = (p, prefixSize) => {
    const pathSize = 100;
    let pp = p;
    let prefix = '';
    let ret = undefined;
    const root = external_node_path_.posix.parse(p).root || '.';
    if (Buffer.byteLength(pp) < pathSize) {
        ret = [pp, prefix, false];
    }
    else {
        // first set prefix to the dir, and path to the base
        prefix = external_node_path_.posix.dirname(pp);
        pp = external_node_path_.posix.basename(pp);
        do {
            if (Buffer.byteLength(pp) <= pathSize &&
                Buffer.byteLength(prefix) <= prefixSize) {
                // both fit!
                ret = [pp, prefix, false];
            }
            else if (Buffer.byteLength(pp) > pathSize &&
                Buffer.byteLength(prefix) <= prefixSize) {
                // prefix fits in prefix, but path doesn't fit in path
                ret = [pp.slice(0, pathSize - 1), prefix, true];
            }
            else {
                // make path take a bit from prefix
                pp = external_node_path_.posix.join(external_node_path_.posix.basename(prefix), pp);
                prefix = external_node_path_.posix.dirname(prefix);
            }
        } while (prefix !== root && ret === undefined);
        // at this point, found no resolution, just truncate
        if (!ret) {
            ret = [p.slice(0, pathSize - 1), '', true];
        }
    }
    return ret;
};
const decString = (buf, off, size) => buf
    .subarray(off, off + size)
    .toString('utf8')
    .replace(/\0.*/, '');
const decDate = (buf, off, size) => numToDate(decNumber(buf, off, size));
const numToDate = (num) => num === undefined ? undefined : new Date(num * 1000);
const decNumber = (buf, off, size) => Number(buf[off]) & 0x80 ?
    parse(buf.subarray(off, off + size))
    : decSmallNumber(buf, off, size);
const nanUndef = (value) => (isNaN(value) ? undefined : value);
const decSmallNumber = (buf, off, size) => nanUndef(parseInt(buf
    .subarray(off, off + size)
    .toString('utf8')
    .replace(/\0.*$/, '')
    .trim(), 8));
// the maximum encodable as a null-terminated octal, by field size
const MAXNUM = {
    12: 0o77777777777,
    8: 0o7777777,
};
const encNumber = (buf, off, size, num) => num === undefined ? false
    : num > MAXNUM[size] || num < 0 ?
        (encode(num, buf.subarray(off, off + size)), true)
        : (encSmallNumber(buf, off, size, num), false);
const encSmallNumber = (buf, off, size, num) => buf.write(octalString(num, size), off, size, 'ascii');
const octalString = (num, size) => padOctal(Math.floor(num).toString(8), size);
const padOctal = (str, size) => (str.length === size - 1 ?
    str
    : new Array(size - str.length - 1).join('0') + str + ' ') + '\0';
const encDate = (buf, off, size, date) => date === undefined ? false : (encNumber(buf, off, size, date.getTime() / 1000));
// enough to fill the longest string we've got
const NULLS = new Array(156).join('\0');
// pad with nulls, return true if it's longer or non-ascii
const encString = (buf, off, size, str) => str === undefined ? false : ((buf.write(str + NULLS, off, size, 'utf8'),
    str.length !== Buffer.byteLength(str) || str.length > size));
//# sourceMappingURL=header.js.map
;// CONCATENATED MODULE: ./build/src/bundle/archive/pax.js


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
            throw unsafe(`an extended header names ${record.key} twice`);
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
        throw unsafe('a global header renames or resizes every entry');
    }
}
function readRecord(data, start) {
    const space = data.indexOf(0x20, start);
    const digits = space === -1 || space - start > 8 ? '' : data.toString('latin1', start, space);
    if (!/^[1-9]\d*$/.test(digits))
        throw unsafe('an extended header is malformed');
    const end = start + Number(digits);
    const equals = data.indexOf(0x3d, space);
    if (end > data.length || data[end - 1] !== 0x0a || equals === -1 || equals >= end || equals === space + 1) {
        throw unsafe('an extended header is malformed');
    }
    const value = data.subarray(equals + 1, end - 1);
    const key = data.toString('utf8', space + 1, equals);
    if (data.subarray(space, end).includes(0))
        throw unsafe('an extended header holds a NUL character');
    // Extended attributes are bytes; they are not used, so what they hold does not matter.
    if (!(0,external_node_buffer_.isUtf8)(value) && !key.includes('.'))
        throw unsafe('an extended header is not UTF-8');
    return { key, value: value.toString('utf8'), end };
}
function refuseLinksAndHoles(key, value) {
    if (key === 'linkpath')
        throw unsafe('it holds a link', value);
    if (key.startsWith('GNU.sparse'))
        throw unsafe('it holds a sparse file');
    if (key === 'hdrcharset' && !/^ISO-IR 10646 2000 UTF-8$/.test(value))
        throw unsafe('its names are not in UTF-8');
}
function readSize(value) {
    if (!/^\d{1,15}$/.test(value))
        throw unsafe('an extended header gives a size that is no number');
    return Number(value);
}

;// CONCATENATED MODULE: ./build/src/bundle/archive/tar-header.js





const ZERO_BLOCK = external_node_buffer_.Buffer.alloc(BLOCK);
/**
 * Reads the headers of one tar in their order, with node-tar's decoder for fields, prefix and checksum. Throws at the first
 * header that two programs could read in two ways.
 */
class TarHeaderReader {
    #metaBytes;
    #path;
    #paxSizeBytes;
    #awaitsEntry = false;
    /** `metaBytes`: how long an extended header may be. */
    constructor(metaBytes) {
        this.#metaBytes = metaBytes;
    }
    /** Takes a block; undefined for one of zeros, as at the end of an archive. */
    read(block) {
        if (block.equals(ZERO_BLOCK)) {
            if (this.#awaitsEntry)
                throw damaged('an extended header belongs to no entry');
            return undefined;
        }
        const sizeBytes = readSizeField(block);
        const header = decode(block);
        if (!header.cksumValid)
            throw damaged('the checksum of a tar header is wrong');
        checkUnusedNumbers(block);
        const name = this.#path ?? header.path ?? '';
        if (this.#path === undefined)
            refuseHiddenName(block, name);
        const kind = kindOf(block[156] ?? 0, name);
        return kind === 'file' || kind === 'directory' ? this.#entry(kind, name, sizeBytes) : this.#meta(kind, sizeBytes);
    }
    /** Takes the content that follows a header that is `meta`. */
    override(kind, content) {
        if (kind === 'global-pax') {
            refuseGlobalOverrides(readPax(content));
            return;
        }
        if (kind === 'long-name')
            this.#path = readLongName(content);
        else
            ({ path: this.#path, sizeBytes: this.#paxSizeBytes } = readPax(content));
        this.#awaitsEntry = true;
    }
    #entry(kind, name, sizeBytes) {
        if ((this.#paxSizeBytes ?? sizeBytes) !== sizeBytes)
            throw unsafe('it gives two sizes for one file', name);
        this.#path = undefined;
        this.#paxSizeBytes = undefined;
        this.#awaitsEntry = false;
        return { is: 'entry', kind, name, sizeBytes };
    }
    #meta(kind, sizeBytes) {
        if (sizeBytes > this.#metaBytes)
            throw unsafe(`an extended header is larger than ${this.#metaBytes} bytes`);
        if (this.#awaitsEntry && kind !== 'global-pax')
            throw unsafe('two extended headers precede one entry');
        if (sizeBytes === 0)
            throw unsafe('an extended header is empty');
        return { is: 'meta', kind, sizeBytes };
    }
}
// The library throws on some numbers; that they are malformed is all there is to know.
function decode(block) {
    try {
        return new Header(block, 0);
    }
    catch (cause) {
        throw damaged('a tar header is malformed', cause);
    }
}

;// CONCATENATED MODULE: ./build/src/bundle/archive/tar-reader.js




// Tars are padded with zeros to whole records; GNU's default record is 10 KiB, tapes used up to 1 MiB.
const LONGEST_PADDING = 1024 * 1024;
/**
 * Takes a tar in pieces of any size and throws at the first thing that is wrong. node-tar decodes each header; the walk from
 * block to block is our own, since that library's parser passes over unknown kinds, large extended headers and whatever
 * follows the end, and unpacks a gzip that it finds inside by itself.
 */
class TarReader {
    #admission;
    #sink;
    #headers;
    #state = { in: 'header' };
    /** The beginning of a header, while the rest of it has not come. */
    #carry;
    /** Of the content that is being read. */
    #left = 0;
    /** Of the zeros that fill its last block. */
    #padding = 0;
    #zeroBlocks = 0;
    #trailingBytes = 0;
    constructor(admission, sink, limits) {
        this.#admission = admission;
        this.#sink = sink;
        this.#headers = new TarHeaderReader(limits.metaBytes);
    }
    push(chunk) {
        for (let at = 0; at < chunk.length;)
            at = this.#step(chunk, at);
    }
    /** The input has ended: throws when the archive has not. */
    end() {
        if (this.#state.in !== 'end')
            throw damaged('the archive ends too early');
    }
    #step(chunk, at) {
        switch (this.#state.in) {
            case 'header':
                return this.#readHeader(chunk, at);
            case 'file':
            case 'meta':
                return this.#readContent(chunk, at, this.#state);
            case 'padding':
                return this.#readPadding(chunk, at);
            case 'end':
                return this.#readTrailing(chunk, at);
        }
    }
    #readHeader(chunk, at) {
        if (this.#carry === undefined && chunk.length - at >= BLOCK) {
            this.#takeHeader(chunk.subarray(at, at + BLOCK));
            return at + BLOCK;
        }
        const piece = external_node_buffer_.Buffer.from(chunk.subarray(at, at + BLOCK - (this.#carry?.length ?? 0)));
        const block = this.#carry === undefined ? piece : external_node_buffer_.Buffer.concat([this.#carry, piece]);
        this.#carry = block.length < BLOCK ? block : undefined;
        if (this.#carry === undefined)
            this.#takeHeader(block);
        return at + piece.length;
    }
    #takeHeader(block) {
        const header = this.#headers.read(block);
        if (header === undefined) {
            this.#zeroBlocks += 1;
            if (this.#zeroBlocks === 2)
                this.#state = { in: 'end' };
            return;
        }
        if (this.#zeroBlocks > 0)
            throw damaged('something follows the end of the archive');
        this.#left = header.sizeBytes;
        this.#padding = paddingOf(this.#left);
        if (header.is === 'meta')
            this.#state = { in: 'meta', kind: header.kind, parts: [] };
        else
            this.#startEntry(header);
    }
    #startEntry(header) {
        const path = this.#admission.admit(header);
        if (header.kind === 'directory') {
            if (path !== undefined)
                this.#sink.directory(path);
            return;
        }
        if (path === undefined)
            throw unsafe('a file has no name', header.name);
        if (this.#left > 0)
            this.#state = { in: 'file', path, isBegun: false };
        // Nothing comes of an empty file: it must not wait for more input to be done.
        else
            this.#sink.file(path, external_node_buffer_.Buffer.alloc(0));
    }
    #readContent(chunk, at, reading) {
        const piece = chunk.subarray(at, at + this.#left);
        this.#left -= piece.length;
        if (reading.in === 'file')
            this.#takeFile(piece, reading);
        else
            this.#takeMeta(piece, reading);
        if (this.#left === 0)
            this.#state = { in: this.#padding === 0 ? 'header' : 'padding' };
        return at + piece.length;
    }
    // A file that is whole in this piece of input, as most do, is written in one go.
    #takeFile(piece, { path, isBegun }) {
        if (!isBegun && this.#left === 0) {
            this.#sink.file(path, piece);
            return;
        }
        if (!isBegun)
            this.#sink.begin(path);
        this.#sink.append(piece);
        if (this.#left === 0)
            this.#sink.finish();
        else if (!isBegun)
            this.#state = { in: 'file', path, isBegun: true };
    }
    #takeMeta(piece, { kind, parts }) {
        // A copy: the chunk's memory is used again for the next one.
        parts.push(external_node_buffer_.Buffer.from(piece));
        if (this.#left === 0)
            this.#headers.override(kind, external_node_buffer_.Buffer.concat(parts));
    }
    #readPadding(chunk, at) {
        const passed = Math.min(this.#padding, chunk.length - at);
        this.#padding -= passed;
        if (this.#padding === 0)
            this.#state = { in: 'header' };
        return at + passed;
    }
    #readTrailing(chunk, at) {
        this.#trailingBytes += chunk.length - at;
        if (this.#trailingBytes > LONGEST_PADDING)
            throw unsafe('it goes on long after its end');
        if (chunk.subarray(at).some((byte) => byte !== 0))
            throw damaged('something follows the end of the archive');
        return chunk.length;
    }
}

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
;// CONCATENATED MODULE: ./build/src/bundle/archive/zip-directory.js


const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const END64_BYTES = 56;
const LOCATOR_BYTES = 20;
const LONGEST_COMMENT = 0xffff;
// Of the format (APPNOTE.TXT 6.3, section 4.4.3): others refuse what says that it needs a later one.
const LATEST_VERSION = 63;
const KINDS = { mask: 0o170000, file: 0o100000, directory: 0o040000 };
const zip_directory_FLAG = { encrypted: 1, patched: 0x20, strong: 0x40, masked: 0x2000 };
/**
 * Reads the central directory with yauzl, after checking that there is one end record only, that it is at the very end, and
 * that the directory is right before it. yauzl takes the last end record that it finds; a file that is a zip in two ways is
 * two archives to two programs.
 */
async function readZipDirectory(source, limits) {
    const place = findDirectory(source);
    if (place.entries > limits.entries)
        throw unsafe(`it holds more than ${limits.entries} entries`);
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
        throw error instanceof src_errors/* CourierError */.Yw ? error : unsafe('its directory is malformed');
    }
    if (members.length !== place.entries || lengthSeen !== place.length)
        throw unsafe('its directory is not as long as it says');
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
        throw unsafe('it is encrypted', name);
    if (flags & zip_directory_FLAG.patched)
        throw unsafe('it is a patch', name);
    if (method !== 0 && method !== 8)
        throw unsafe(`it is compressed in a way (${method}) that is not supported`, name);
    if ((entry.versionNeededToExtract & 0xff) > LATEST_VERSION)
        throw unsafe('it needs a program that does not exist', name);
    const rawName = entry.fileNameRaw.toString('latin1');
    // In the code page of such names these bytes are signs to some programs and control characters to others.
    if (/[\x00-\x1f\x7f]/.test(rawName))
        throw unsafe('the name contains a control character', name);
    const hasSecondName = entry.extraFields.some(({ id }) => id === 0x7075);
    if (hasSecondName && name !== entry.fileNameRaw.toString('utf8'))
        throw unsafe('it has two names', name);
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
        throw unsafe('it is a link, or something else that is neither file nor folder', name);
    }
    if ((kind === KINDS.directory && !isFolderName) || (kind === KINDS.file && isFolderName)) {
        throw unsafe('it is both a file and a folder', name);
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
        throw unsafe('it spans several disks');
    const wide = readWideEnd(source, end.at);
    if (wide === undefined && place.at + place.length !== end.at)
        throw unsafe('something is next to its directory');
    if (wide === undefined)
        return place;
    const disagrees = (place.entries !== 0xffff && place.entries !== wide.entries) ||
        (place.length !== 0xffffffff && place.length !== wide.length) ||
        (place.at !== 0xffffffff && place.at !== wide.at);
    if (disagrees)
        throw unsafe('its two end records disagree');
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
            throw unsafe('something follows its end');
        if (comment.includes('PK'))
            throw unsafe('its comment looks like another archive');
        return { record: tail.subarray(at, at + END_BYTES), at: source.sizeBytes - tail.length + at };
    }
    throw damaged('the end of the zip is missing');
}
function readWideEnd(source, endAt) {
    const locator = source.readAt(Math.max(0, endAt - LOCATOR_BYTES), LOCATOR_BYTES);
    if (endAt < LOCATOR_BYTES + END64_BYTES || locator.readUInt32LE(0) !== 0x07064b50)
        return undefined;
    const recordAt = endAt - LOCATOR_BYTES - END64_BYTES;
    const record = source.readAt(recordAt, END64_BYTES);
    const isRecord = record.readUInt32LE(0) === 0x06064b50 && record.readBigUInt64LE(4) === BigInt(END64_BYTES - 12);
    if (!isRecord || Number(locator.readBigUInt64LE(8)) !== recordAt)
        throw unsafe('its large end record is misplaced');
    if (record.readUInt32LE(16) !== 0 || record.readUInt32LE(20) !== 0 || locator.readUInt32LE(4) !== 0) {
        throw unsafe('it spans several disks');
    }
    const place = {
        entries: Number(record.readBigUInt64LE(32)),
        length: Number(record.readBigUInt64LE(40)),
        at: Number(record.readBigUInt64LE(48)),
    };
    if (place.at + place.length !== recordAt)
        throw unsafe('something is next to its directory');
    if (Number(record.readBigUInt64LE(24)) !== place.entries)
        throw unsafe('it spans several disks');
    return place;
}

;// CONCATENATED MODULE: ./build/src/bundle/archive/zip-reader.js







const LOCAL_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const HAS_DESCRIPTOR = 8;
// Members up to this size are unpacked in one call: a stream for each would cost more than the work itself.
const SMALL_BYTES = 512 * 1024;
const PIECE_BYTES = 256 * 1024;
const YIELD_AFTER_BYTES = 4 * 1024 * 1024;
/** Checks every member first, then unpacks them in the order in which they are in the file. */
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
/**
 * Where the member's data begins. yauzl reads past the local header, and other programs read it rather than the directory:
 * both must say the same, or one archive has two contents.
 */
function checkLocalHeader(source, member) {
    const head = source.readAt(member.headerAt, LOCAL_BYTES + member.rawName.length);
    if (head.length < LOCAL_BYTES + member.rawName.length || head.readUInt32LE(0) !== LOCAL_SIGNATURE) {
        throw unsafe('its directory leads to no file', member.name);
    }
    const nameLength = head.readUInt16LE(26);
    const localName = head.toString('latin1', LOCAL_BYTES, LOCAL_BYTES + nameLength);
    if (nameLength !== member.rawName.length || localName !== member.rawName)
        throw unsafe('it has two names', member.name);
    if (head.readUInt16LE(6) !== member.flags || head.readUInt16LE(8) !== member.method) {
        throw unsafe('it is described in two ways', member.name);
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
        throw unsafe('it is described in two ways', member.name);
    if (member.kind === 'directory' && member.sizeBytes !== 0)
        throw unsafe('a folder has content', member.name);
}
// Members must follow one another, from the first byte to the directory: no overlap, no gap, no shared data.
function checkTiling(source, members, places) {
    let expected = 0;
    for (const [index, member] of members.entries()) {
        if (member.headerAt !== expected) {
            throw unsafe(member.headerAt < expected ? 'two files share the same data' : 'something is between its files', member.name);
        }
        const dataEnd = (places[index] ?? 0) + member.packedBytes;
        expected = dataEnd + descriptorLength(source, member, dataEnd);
        if (dataEnd > source.sizeBytes)
            throw damaged('a file in it is cut off');
    }
    const next = source.readAt(expected, 4);
    const signature = next.length === 4 ? next.readUInt32LE(0) : 0;
    const isDirectory = signature === 0x02014b50 || (members.length === 0 && (signature === 0x06054b50 || signature === 0x06064b50));
    if (!isDirectory)
        throw unsafe('something is between its files and its directory');
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
    throw unsafe('it is described in two ways', member.name);
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
        throw damaged('a file in it is not as long as it says');
    if ((0,external_node_zlib_.crc32)(content) !== member.crc32)
        throw damaged('the CRC-32 of a file in it is wrong');
    sink.file(path, content);
}
function inflateWhole(packed, member) {
    try {
        // One byte more than promised is enough to see that the promise is broken.
        const result = (0,external_node_zlib_.inflateRawSync)(packed, { info: true, maxOutputLength: member.sizeBytes + 1 });
        return checkInflated(result, packed.length);
    }
    catch (cause) {
        throw cause instanceof src_errors/* CourierError */.Yw ? cause : damaged('a file in it does not unpack', cause);
    }
}
// With `info` zlib returns the engine too, which knows how much of the input it used. The types do not know of it.
function checkInflated(result, packedBytes) {
    if (typeof result !== 'object' || result === null || !('buffer' in result) || !('engine' in result)) {
        throw new Error('zlib gave no engine');
    }
    const { buffer, engine } = result;
    const used = typeof engine === 'object' && engine !== null && 'bytesWritten' in engine ? engine.bytesWritten : -1;
    if (used !== packedBytes)
        throw damaged('something follows the data of a file in it');
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
            throw damaged('a file in it is longer than it says');
        checksum = (0,external_node_zlib_.crc32)(piece, checksum);
        sink.append(piece);
    }
    if (size !== member.sizeBytes)
        throw damaged('a file in it is shorter than it says');
    if (checksum !== member.crc32)
        throw damaged('the CRC-32 of a file in it is wrong');
    sink.finish();
}
async function* readPieces(source, { at, length }) {
    for (let done = 0; done < length;) {
        const piece = source.readAt(at + done, Math.min(PIECE_BYTES, length - done));
        if (piece.length === 0)
            throw damaged('a file in it is cut off');
        done += piece.length;
        yield piece;
        await new Promise((resolve) => setImmediate(resolve));
    }
}
async function* inflateStream(packed, packedBytes) {
    const inflate = (0,external_node_zlib_.createInflateRaw)({ chunkSize: PIECE_BYTES });
    (0,external_node_stream_.pipeline)(external_node_stream_.Readable.from(packed), inflate, () => { });
    try {
        yield* piecesOf(inflate);
    }
    catch (cause) {
        throw cause instanceof src_errors/* CourierError */.Yw ? cause : damaged('a file in it does not unpack', cause);
    }
    if (inflate.bytesWritten !== packedBytes)
        throw damaged('something follows the data of a file in it');
}

;// CONCATENATED MODULE: ./build/src/bundle/archive/archive.js







// A tar's magic word follows the first 257 bytes (POSIX.1-2017, ustar).
const SNIFF_BYTES = 512;
/** The format by the first bytes, never by a name; undefined: none of the kinds that are read. */
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
        throw damaged('it is empty: there is no file in it');
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
    throw new src_errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The bundle link did not lead to an archive: the reply begins with "${(0,text_escape/* plainLine */.h0)(head.toString('latin1', 0, 60), 60)}".`,
        hint: 'Supported are .tar.gz, .tar and .zip. A page of HTML comes from a proxy or a sign-in page in between; XML is an error of the storage.',
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
    const reader = new TarReader(admission, sink, limits);
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
        throw unsafe(`it unpacks to more than ${limits.ratio} times its size`);
    }
}
async function* counted(source, count) {
    for await (const piece of source) {
        count(piece.length);
        yield piece;
    }
}

;// CONCATENATED MODULE: ./build/src/bundle/archive/hash-sink.js

/** Reads entries to their end without writing them: for a bundle that is kept packed. */
class HashSink {
    files = [];
    #open;
    directory() { }
    file(path, content) {
        this.files.push({ path, bytes: content.length, sha256: (0,external_node_crypto_.hash)('sha256', content, 'hex') });
    }
    begin(path) {
        this.#open = { path, bytes: 0, hash: (0,external_node_crypto_.createHash)('sha256') };
    }
    append(piece) {
        if (this.#open === undefined)
            return;
        this.#open.bytes += piece.length;
        this.#open.hash.update(piece);
    }
    finish() {
        if (this.#open === undefined)
            return;
        const { path, bytes, hash: sum } = this.#open;
        this.#open = undefined;
        this.files.push({ path, bytes, sha256: sum.digest('hex') });
    }
}

;// CONCATENATED MODULE: ./build/src/bundle/disk/growing-file.js




const growing_file_PIECE_BYTES = 256 * 1024;
/** The file is being written anew, and must be read from its start. */
class Restarted extends Error {
}
/** A file that is read while it is still written: unpacking does not wait for the end of the download. */
class GrowingFile {
    #fd;
    #path;
    #disk;
    #sizeBytes = 0;
    /** Counts the restarts, so that a reader notices one. */
    #generation = 0;
    #isFinished = false;
    #isOpen = true;
    #failure;
    #waiting = [];
    /** The file must not exist yet. Throws `io`. */
    constructor(path, disk) {
        this.#path = path;
        this.#disk = disk;
        try {
            this.#fd = disk.open(path, external_node_fs_.constants.O_RDWR | external_node_fs_.constants.O_CREAT | external_node_fs_.constants.O_EXCL, 0o600);
        }
        catch (cause) {
            throw (0,errors/* fileError */.z)('create', path, cause);
        }
    }
    get sizeBytes() {
        return this.#sizeBytes;
    }
    append(chunk) {
        try {
            writeAll(this.#disk, this.#fd, { content: chunk, at: this.#sizeBytes });
        }
        catch (cause) {
            throw (0,errors/* fileError */.z)('write the bundle to', this.#path, cause);
        }
        this.#sizeBytes += chunk.length;
        this.#wake();
    }
    /** Empties the file; its readers end with `Restarted`. */
    restart() {
        (0,external_node_fs_.ftruncateSync)(this.#fd, 0);
        this.#sizeBytes = 0;
        this.#generation += 1;
        this.#wake();
    }
    finish() {
        this.#isFinished = true;
        this.#wake();
    }
    /** Readers end with this error. */
    fail(error) {
        this.#failure ??= { error };
        this.#wake();
    }
    /** From the start to the end, waiting for what is not there yet. Each piece is good until the next one is asked for. */
    async *read() {
        const generation = this.#generation;
        const piece = external_node_buffer_.Buffer.allocUnsafe(growing_file_PIECE_BYTES);
        for (let position = 0;;) {
            this.#checkReading(generation);
            if (position < this.#sizeBytes) {
                const length = (0,external_node_fs_.readSync)(this.#fd, piece, 0, Math.min(growing_file_PIECE_BYTES, this.#sizeBytes - position), position);
                position += length;
                yield piece.subarray(0, length);
            }
            else if (this.#isFinished)
                return;
            else
                await this.#change();
        }
    }
    /** A piece of what is there already. */
    readAt(position, length) {
        const piece = external_node_buffer_.Buffer.alloc(length);
        return piece.subarray(0, (0,external_node_fs_.readSync)(this.#fd, piece, 0, length, position));
    }
    async whenFinished() {
        const generation = this.#generation;
        while (!this.#isFinished) {
            this.#checkReading(generation);
            await this.#change();
        }
        this.#checkReading(generation);
    }
    /** Brings the content to the disk itself, so that a file with a name survives a power cut. */
    flush() {
        // Not every file system can do it; that is no failure.
        return new Promise((resolve) => (0,external_node_fs_.fsync)(this.#fd, () => resolve()));
    }
    close() {
        if (!this.#isOpen)
            return;
        this.#isOpen = false;
        this.#disk.close(this.#fd);
    }
    #wake() {
        const woken = this.#waiting;
        this.#waiting = [];
        for (const resume of woken)
            resume();
    }
    #change() {
        return new Promise((resolve) => this.#waiting.push(resolve));
    }
    #checkReading(generation) {
        if (this.#failure !== undefined)
            throw this.#failure.error;
        if (generation !== this.#generation)
            throw new Restarted();
    }
}

;// CONCATENATED MODULE: ./build/src/bundle/disk/tree-writer.js





const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;
/**
 * Writes entries below `root`, a fresh folder that nobody else can reach. Modes, owners and times of the archive are not
 * taken over. Writes are synchronous: for many small files that is the fastest, and nothing is under way when it returns.
 */
class TreeWriter {
    files = [];
    #root;
    #disk;
    #hashFiles;
    #fixModes;
    #folders = new Set(['']);
    #open;
    /** `hashFiles`: whether the SHA-256 of each file is wanted. */
    constructor(root, disk, hashFiles) {
        this.#root = root;
        this.#disk = disk;
        this.#hashFiles = hashFiles;
        this.#fixModes = needsModes(root);
    }
    directory(path) {
        if (this.#folders.has(path))
            return;
        this.directory(parentOf(path));
        const target = `${this.#root}/${path}`;
        attempt('create the folder', target, () => {
            this.#disk.makeFolder(target, FOLDER_MODE);
            if (this.#fixModes)
                (0,external_node_fs_.chmodSync)(target, FOLDER_MODE);
        });
        this.#folders.add(path);
    }
    file(path, content) {
        const fd = this.#create(path);
        try {
            if (content.length > 0)
                this.#write(fd, path, content);
        }
        finally {
            this.#close(fd, path);
        }
        this.files.push({
            path,
            bytes: content.length,
            sha256: this.#hashFiles ? (0,external_node_crypto_.hash)('sha256', content, 'hex') : undefined,
        });
    }
    begin(path) {
        this.#open = { fd: this.#create(path), path, bytes: 0, hash: this.#hashFiles ? (0,external_node_crypto_.createHash)('sha256') : undefined };
    }
    append(piece) {
        if (this.#open === undefined)
            return;
        this.#write(this.#open.fd, this.#open.path, piece);
        this.#open.bytes += piece.length;
        this.#open.hash?.update(piece);
    }
    finish() {
        if (this.#open === undefined)
            return;
        const { fd, path, bytes, hash: sum } = this.#open;
        this.#open = undefined;
        this.#close(fd, path);
        this.files.push({ path, bytes, sha256: sum?.digest('hex') });
    }
    /** Closes a file that was begun and not finished. */
    close() {
        if (this.#open !== undefined)
            this.#disk.close(this.#open.fd);
        this.#open = undefined;
    }
    #create(path) {
        this.directory(parentOf(path));
        const target = `${this.#root}/${path}`;
        return attempt('create', target, () => {
            // Exclusive: whatever might be there already is never followed nor overwritten.
            const fd = this.#disk.open(target, 'wx', FILE_MODE);
            if (this.#fixModes)
                (0,external_node_fs_.fchmodSync)(fd, FILE_MODE);
            return fd;
        });
    }
    #write(fd, path, content) {
        attempt('write to', `${this.#root}/${path}`, () => writeAll(this.#disk, fd, { content }));
    }
    // Some network disks report only now that they are full.
    #close(fd, path) {
        attempt('write to', `${this.#root}/${path}`, () => this.#disk.close(fd));
    }
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
        throw (0,errors/* fileError */.z)(what, target, cause);
    }
}
// The umask of a runner may take bits away. Asking the system is costly for each file, so one probe decides.
function needsModes(root) {
    const probe = (0,external_node_path_.join)(root, '.mode-probe');
    return attempt('create', probe, () => {
        (0,external_node_fs_.mkdirSync)(probe, FOLDER_MODE);
        const mode = (0,external_node_fs_.statSync)(probe).mode & 0o777;
        (0,external_node_fs_.rmdirSync)(probe);
        return mode !== FOLDER_MODE;
    });
}

// EXTERNAL MODULE: ./build/src/http/proxy.js + 1 modules
var proxy = __webpack_require__(842);
// EXTERNAL MODULE: ./build/src/http/retry.js
var retry = __webpack_require__(6092);
// EXTERNAL MODULE: ./build/src/http/hosts.js + 1 modules
var hosts = __webpack_require__(3781);
// EXTERNAL MODULE: ./build/src/http/service.js
var service = __webpack_require__(4541);
;// CONCATENATED MODULE: ./build/src/bundle/download/errors.js





/** Trying again does not make a certificate right. */
function isHopeless(error) {
    return (0,service/* isTlsFailure */.gt)((0,service/* systemCodes */.oQ)(error));
}
/** The connection was refused because it leads into a private network. */
function errors_isPrivate(error) {
    return (0,service/* systemCodes */.oQ)(error).includes(hosts/* PRIVATE_ADDRESS */.jA);
}
function privateStorage(cause) {
    return new src_errors/* CourierError */.Yw({
        code: 'protocol',
        message: 'The bundle link leads to an address of a private network, although base-url is public; nothing was sent there.',
        hint: {
            text: 'If the storage of your platform is inside of your own network, allow it. Otherwise report the link to the platform.',
            inputs: { 'allow-private-hosts': 'true' },
        },
        cause,
    });
}
function codeOf(error) {
    return (0,service/* systemCodes */.oQ)(error).find((code) => code !== 'ABORT_ERR');
}
function tooLong(totalBytes, limitBytes) {
    return totalBytes === undefined
        ? tooLarge(limitBytes)
        : damaged(`the storage sent more than the ${totalBytes} bytes that it announced`);
}
function tooLarge(limitBytes) {
    return new src_errors/* CourierError */.Yw({
        code: 'unsafe-archive',
        message: `The bundle is larger than ${limitBytes} bytes, the maximum.`,
        hint: 'Split a documentation site of that size, or describe your case in an issue.',
    });
}
function unreachableStorage(cause) {
    return new src_errors/* CourierError */.Yw({
        code: 'network',
        message: `The storage of the bundle cannot be reached safely (${codeOf(cause) ?? 'TLS'}).`,
        hint: 'If a proxy of your own replaces certificates, set NODE_EXTRA_CA_CERTS to the file of its authority.',
        cause,
    });
}
function comeBack(status, retryAfterMs) {
    return new src_errors/* CourierError */.Yw({
        code: 'rate-limited',
        message: `The storage of the bundle asks to come back in ${Math.ceil(retryAfterMs / 1000)} s (status ${status}).`,
        hint: 'Run again after that time with export-job-id: the export is finished and is not started a second time.',
        httpStatus: status,
        retryAfterMs,
    });
}
function refused(status, text) {
    return new src_errors/* CourierError */.Yw({
        code: status === 404 ? 'not-found' : 'forbidden',
        message: `The storage refused the bundle link with status ${status}${text === '' ? '' : ` (${(0,text_escape/* plainLine */.h0)(text, 60)})`}, and fresh links as well.`,
        hint: 'Run again with export-job-id. If it happens again, report it to the platform.',
        httpStatus: status,
    });
}
function unexpectedStatus(status) {
    return new src_errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The storage answered the bundle link with status ${status}.`,
        hint: 'Run again with export-job-id. If it happens again, report it to the platform.',
        httpStatus: status,
    });
}
function tooManyRedirects(redirects) {
    return new src_errors/* CourierError */.Yw({
        code: 'protocol',
        message: `The bundle link was redirected more than ${redirects} times; the download was stopped.`,
        hint: 'Report it to the platform: a presigned link leads to the archive itself, at most through another region.',
    });
}
function gaveUp(setback, attempts) {
    const cause = setback.kind === 'broken' ? setback.cause : undefined;
    const reason = codeOf(cause) ?? (cause instanceof Error ? (0,text_escape/* plainLine */.h0)(cause.message, 80) : 'no bytes came');
    return new src_errors/* CourierError */.Yw({
        code: 'network',
        message: `The bundle could not be downloaded in ${attempts} attempts (${reason}).`,
        hint: 'Run again with export-job-id: the export is finished and is not started a second time.',
        cause,
    });
}

;// CONCATENATED MODULE: ./build/src/bundle/download/judge-reply.js
// S3 answers an expired token with 400 (ExpiredToken), everything else that is wrong with a link with 403.
const REFUSALS = new Set([400, 401, 403, 404, 410]);
function judgeReply(status, headers, position) {
    const etag = headers.etag?.startsWith('"') ? headers.etag : undefined;
    if (status === 200)
        return judgeWhole(headers, etag, position);
    if (status === 206)
        return judgeRest(headers, etag, position);
    if (status === 412 || status === 416)
        return CHANGED;
    if (REFUSALS.has(status))
        return { kind: 'refused' };
    return status === 408 || status === 425 || status === 429 || status >= 500 ? { kind: 'busy' } : { kind: 'unknown' };
}
const CHANGED = { kind: 'changed', reason: 'the archive at the link changed while it was downloaded' };
function judgeWhole(headers, etag, { promisedBytes }) {
    const length = readLength(headers['content-length']);
    if (length !== undefined && promisedBytes !== undefined && length !== promisedBytes) {
        return { kind: 'changed', reason: `it has ${length} bytes, and the platform gave its size as ${promisedBytes}` };
    }
    return { kind: 'whole', etag, totalBytes: length ?? promisedBytes };
}
function judgeRest(headers, etag, position) {
    const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '');
    const [from, to, total] = [Number(range?.[1]), Number(range?.[2]), Number(range?.[3])];
    const { bytes, totalBytes } = position;
    const fits = range !== null && bytes > 0 && from === bytes && to === total - 1 && total === (totalBytes ?? total);
    return !fits || (etag !== undefined && etag !== position.etag) ? CHANGED : { kind: 'rest', totalBytes: total };
}
/** A Content-Length; undefined when it is missing or no number. */
function readLength(header) {
    return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

;// CONCATENATED MODULE: ./build/src/bundle/download/pace.js

/** Whether a transfer has become too slow to go on with, from nothing but times and byte counts. */
class Pace {
    #limits;
    #startMs;
    #startBytes = 0;
    constructor(startMs, limits) {
        this.#startMs = startMs;
        this.#limits = limits;
    }
    /** False when it was slower than allowed over the last window. `bytes`: since the start of the transfer. */
    isFastEnough(nowMs, bytes) {
        const { slowWindowMs, slowBytesPerSecond } = this.#limits;
        const elapsedMs = nowMs - this.#startMs;
        if (elapsedMs < slowWindowMs)
            return true;
        const rate = ((bytes - this.#startBytes) / elapsedMs) * 1000;
        this.#startMs = nowMs;
        this.#startBytes = bytes;
        return rate >= slowBytesPerSecond;
    }
}
const PROGRESS_EVERY_MS = 10_000;
/** Logs a line of progress at most every 10 s; with a known size and a slow transfer, at most one per tenth of it. */
class DownloadProgress {
    #clock;
    #log;
    #lastMs;
    #lastTenth = 0;
    constructor(clock, log) {
        this.#clock = clock;
        this.#log = log;
        this.#lastMs = clock.monotonicMs();
    }
    report(bytes, totalBytes) {
        const now = this.#clock.monotonicMs();
        if (now - this.#lastMs < PROGRESS_EVERY_MS)
            return;
        const tenth = totalBytes === undefined ? this.#lastTenth + 1 : Math.floor((bytes / totalBytes) * 10);
        if (tenth === this.#lastTenth && now - this.#lastMs < 6 * PROGRESS_EVERY_MS)
            return;
        this.#lastMs = now;
        this.#lastTenth = tenth;
        const share = totalBytes === undefined ? '' : ` of ${(0,markdown/* formatBytes */.z3)(totalBytes)} (${Math.floor((bytes / totalBytes) * 100)} %)`;
        this.#log.info(`Downloaded ${(0,markdown/* formatBytes */.z3)(bytes)}${share}.`);
    }
}

;// CONCATENATED MODULE: ./build/src/bundle/download/reply.js

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
/**
 * Hands on every piece of a body as it comes; it is good until `take` returns. An iterator would drop what it had not yet
 * given when the connection breaks, and that would have to be downloaded again.
 */
function eachChunk(reply, take) {
    return new Promise((resolve, reject) => {
        // After Node's own listener: by then the packet is parsed, and its content was taken or still waits in the reply.
        reply.socket.on('data', (packet) => {
            if (reply.readableLength === 0)
                releasePiece(packet);
        });
        reply.on('end', resolve);
        reply.on('error', reject);
        reply.on('close', () => reject(new Error('cut off')));
        reply.on('data', (chunk) => {
            if (reply.destroyed)
                return;
            try {
                take(chunk);
                releasePiece(chunk);
            }
            catch (error) {
                reject(error);
                reply.destroy();
            }
        });
    });
}

// EXTERNAL MODULE: ./build/src/http/exchange.js + 1 modules
var exchange = __webpack_require__(2784);
// EXTERNAL MODULE: ./build/src/platform/link.js
var platform_link = __webpack_require__(717);
;// CONCATENATED MODULE: ./build/src/bundle/download/request.js





const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const CONNECT_MS = 10_000;
/**
 * Asks the storage for the archive and returns the reply with its body unread. No key and no cookie is ever sent: the link
 * is its own permission. Redirects are followed a few times, each link checked like the first one.
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
            throw tooManyRedirects(request.limits.redirects);
        url = nextHop(location, url, request.policy);
    }
}
function nextHop(location, from, policy) {
    // A URL parser drops some characters without a word; only what passes as it came is resolved.
    const isPlain = /^[\x21-\x7e]+$/.test(location) && URL.canParse(location, from);
    const { href } = new URL(isPlain ? location : '\\', from);
    return (0,platform_link/* checkBundleUrl */.ew)(isPlain ? href : location, policy);
}
async function send(href, request) {
    const { range, limits, signal, policy, lookup = (0,hosts/* publicLookup */.km)() } = request;
    const url = new URL(href);
    const headers = {
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'docs-courier',
        ...(range !== undefined && { range: `bytes=${range.from}-`, 'if-match': range.etag }),
    };
    const refusal = policy.allowPrivateHosts ? undefined : (0,hosts/* literalRefusal */.Wy)(url);
    if (refusal !== undefined)
        throw new exchange/* ExchangeError */.Sb({ fault: 'broken', sent: false, cause: refusal });
    const agent = await (0,proxy/* agentFor */.P)(url, { keep: false });
    return (0,exchange/* openReply */.Vx)({ method: 'GET', url, headers, body: undefined, agent, ...(!policy.allowPrivateHosts && { lookup }) }, { limits: { connectMs: CONNECT_MS, headersMs: limits.headersMs }, signal });
}

;// CONCATENATED MODULE: ./build/src/bundle/download/download.js











const MAX_RENEWALS = 2;
const MAX_RESTARTS = 1;
/** One archive on its way into a file, over all attempts. */
class Download {
    #init;
    #progress;
    #link;
    #etag;
    #totalBytes;
    #hash = (0,external_node_crypto_.createHash)('sha256');
    #resumed = 0;
    #restarts = 0;
    #renewals = 0;
    constructor(init) {
        this.#init = init;
        this.#progress = new DownloadProgress(init.clock, init.log);
        this.#link = init.link;
    }
    /** Brings the archive into the file, whatever it takes within the limits. Throws a CourierError, and only that. */
    async run() {
        const { file, limits, signal, policy, log } = this.#init;
        if (!policy.allowPrivateHosts && (0,proxy/* proxyFor */.i)(new URL(this.#link.url)) !== undefined) {
            log.info('The bundle is downloaded through a proxy, which has to check itself that the link leads to no private address.');
        }
        // What the platform gives as the size is enough to see, before a byte is asked for, that the disk cannot hold it.
        this.#takeSize(this.#link.sizeBytes);
        for (let attempt = 1, barren = 1;; attempt += 1) {
            if (signal.aborted)
                throw (0,clock/* cancelled */.K)(signal.reason);
            const before = file.sizeBytes;
            const setback = await this.#attempt();
            if (setback === undefined) {
                file.finish();
                return { bytes: file.sizeBytes, sha256: this.#hash.digest('hex'), resumed: this.#resumed, link: this.#link };
            }
            if (signal.aborted)
                throw (0,clock/* cancelled */.K)(signal.reason);
            barren = file.sizeBytes > before ? 1 : barren + 1;
            if (attempt >= limits.attempts || barren > limits.barrenAttempts)
                throw gaveUp(setback, attempt);
            await this.#recover(setback, barren);
        }
    }
    async #recover(setback, barren) {
        switch (setback.kind) {
            case 'changed':
                return this.#restart(setback.reason);
            case 'refused':
                return this.#renew(setback.status, setback.text);
            case 'broken':
                return this.#wait(setback.retryAfterMs, barren);
        }
    }
    // Two archives must never be joined. One change may be a new export, whose link, and whose size, are other ones; a second
    // change is a storage that cannot be relied on.
    async #restart(reason) {
        this.#restarts += 1;
        if (this.#restarts > MAX_RESTARTS)
            throw damaged(`${reason}, twice in a row`);
        this.#init.log.info(`The download starts over with a fresh link: ${reason}.`);
        this.#startOver();
        this.#link = await this.#init.links.fresh();
        this.#takeSize(this.#link.sizeBytes);
    }
    async #renew(status, text) {
        if (this.#renewals >= MAX_RENEWALS)
            throw refused(status, text);
        this.#renewals += 1;
        this.#init.log.info(`The storage refused the link with status ${status}; making a fresh one.`);
        this.#link = await this.#init.links.fresh();
    }
    async #wait(retryAfterMs, barren) {
        const { file, log, clock, signal, random } = this.#init;
        const waitMs = retryAfterMs === undefined ? (0,retry/* backoffMs */.jo)({ attempt: barren, random }) : (0,retry/* afterRetryAfterMs */.dE)(retryAfterMs, random);
        log.info(`The download was interrupted at ${file.sizeBytes} bytes; going on in ${(waitMs / 1000).toFixed(1)} s.`);
        await clock.sleep(waitMs, signal);
    }
    async #attempt() {
        const { file, policy, lookup, limits } = this.#init;
        const attempt = new AbortController();
        const signal = AbortSignal.any([this.#init.signal, attempt.signal]);
        // Without a strong validator nobody can say whether the rest belongs to what is here already.
        if (file.sizeBytes > 0 && this.#etag === undefined)
            this.#startOver();
        const range = file.sizeBytes > 0 && this.#etag !== undefined ? { from: file.sizeBytes, etag: this.#etag } : undefined;
        try {
            const reply = await requestArchive({ url: this.#link.url, range, policy, limits, signal, lookup });
            // No waiting between headers and body: what has come of the body by then would be lost if the connection broke
            // meanwhile.
            const verdict = this.#judge(reply);
            if (verdict.kind === 'changed')
                return verdict;
            if (verdict.kind !== 'whole' && verdict.kind !== 'rest')
                return await this.#failure(verdict.kind, reply);
            if (range !== undefined)
                this.#resumed += 1;
            await this.#takeBody(reply, attempt);
            return this.#endOfBody(reply);
        }
        catch (cause) {
            if (cause instanceof src_errors/* CourierError */.Yw)
                throw cause;
            if (errors_isPrivate(cause))
                throw privateStorage(cause);
            if (isHopeless(cause))
                throw unreachableStorage(cause);
            return { kind: 'broken', cause };
        }
        finally {
            attempt.abort();
        }
    }
    #judge(reply) {
        const { file } = this.#init;
        const verdict = judgeReply(reply.statusCode ?? 0, reply.headers, {
            bytes: file.sizeBytes,
            etag: this.#etag,
            totalBytes: this.#totalBytes,
            promisedBytes: this.#link.sizeBytes,
        });
        if (verdict.kind === 'rest')
            this.#totalBytes = verdict.totalBytes;
        if (verdict.kind !== 'whole')
            return verdict;
        // The storage ignored the range: everything comes again.
        if (file.sizeBytes > 0)
            this.#startOver();
        this.#etag = verdict.etag;
        this.#takeSize(verdict.totalBytes);
        return verdict;
    }
    async #failure(kind, reply) {
        const { limits, clock } = this.#init;
        const status = reply.statusCode ?? 0;
        const text = await readErrorCode(reply, limits.idleMs);
        if (kind === 'refused')
            return { kind, status, text };
        if (kind === 'unknown')
            throw unexpectedStatus(status);
        const retryAfterMs = (0,retry/* readRetryAfter */.D$)(reply.headers['retry-after'], clock.now());
        if (retryAfterMs !== undefined && retryAfterMs > retry/* LONGEST_WAIT_MS */.u_)
            throw comeBack(status, retryAfterMs);
        return { kind: 'broken', cause: new Error(`status ${status}`), retryAfterMs };
    }
    async #takeBody(reply, attempt) {
        const { file, clock, limits, maxBytes } = this.#init;
        const start = file.sizeBytes;
        const pace = new Pace(clock.monotonicMs(), limits);
        const idle = setTimeout(() => attempt.abort(), limits.idleMs);
        const most = Math.min(this.#totalBytes ?? Number.POSITIVE_INFINITY, maxBytes);
        try {
            await eachChunk(reply, (chunk) => {
                idle.refresh();
                if (file.sizeBytes + chunk.length > most)
                    throw tooLong(this.#totalBytes, maxBytes);
                file.append(chunk);
                this.#hash.update(chunk);
                this.#progress.report(file.sizeBytes, this.#totalBytes);
                if (!pace.isFastEnough(clock.monotonicMs(), file.sizeBytes - start))
                    throw new Error('too slow');
            });
        }
        finally {
            clearTimeout(idle);
            reply.destroy();
        }
    }
    #endOfBody(reply) {
        const { sizeBytes } = this.#init.file;
        if (!reply.complete)
            return { kind: 'broken', cause: new Error('cut off') };
        if (this.#totalBytes === undefined || sizeBytes === this.#totalBytes)
            return undefined;
        throw damaged(`it has ${sizeBytes} bytes, and ${this.#totalBytes} were announced`);
    }
    /** The next attempt begins with the first byte. */
    #startOver() {
        const { file } = this.#init;
        if (file.sizeBytes > 0)
            file.restart();
        this.#hash = (0,external_node_crypto_.createHash)('sha256');
        this.#etag = undefined;
    }
    #takeSize(totalBytes) {
        const { maxBytes, onSize } = this.#init;
        this.#totalBytes = totalBytes;
        if (totalBytes === undefined)
            return;
        if (totalBytes > maxBytes)
            throw tooLarge(maxBytes);
        onSize(totalBytes);
    }
}

;// CONCATENATED MODULE: ./build/src/bundle/transfer.js







/** Downloads the archive and unpacks it at the same time, into the staging folders. */
async function transfer(init) {
    const file = new GrowingFile(init.places.archive.fresh, init.disk);
    const stop = new AbortController();
    const signal = AbortSignal.any([init.signal, stop.signal]);
    try {
        const downloading = new Download({ ...init, file, signal, maxBytes: init.archive.archiveBytes }).run();
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
        if (init.keepsArchive)
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
    const { places, archive: limits, inWorkspace, signal, disk, hashesFiles } = init;
    const admission = new Admission({ limits, inWorkspace });
    const writer = places.site && new TreeWriter(places.site.makeFresh(), disk, hashesFiles);
    const sink = writer ?? new HashSink();
    try {
        const format = await readArchive({ source: file, admission, sink, limits, signal });
        return { format, files: sink.files };
    }
    finally {
        writer?.close();
    }
}

;// CONCATENATED MODULE: ./build/src/bundle/receive.js

















/**
 * Downloads the bundle, checks and verifies it, and only then puts it to its destinations: archive, manifest and checksums
 * to `bundle-path`, the site to `extract-to`. Until that moment these stay as they were. Throws a CourierError, and only
 * that; with `verify: strict`, `checks-failed` when the verification finds errors.
 */
async function receiveBundle(init, internals = {}) {
    const receipt = new Receipt(init, internals);
    try {
        return await receipt.run();
    }
    catch (error) {
        if (init.signal.aborted)
            throw (0,clock/* cancelled */.K)(error);
        // A file system may refuse any call at any time.
        const isFromSystem = error instanceof Error && 'syscall' in error;
        const { extractTo, bundlePath } = init.bundle;
        throw isFromSystem ? (0,errors/* fileError */.z)('move the bundle to', extractTo ?? bundlePath ?? '', error) : error;
    }
    finally {
        receipt.discard();
    }
}
class Receipt {
    #init;
    #internals;
    #opened = [];
    constructor(init, internals) {
        this.#init = init;
        this.#internals = internals;
    }
    async run() {
        const { bundle, origin, link, guard, onFacts, onComparison, log, signal } = this.#init;
        const { reached } = this.#internals;
        const places = this.#open();
        reached?.('staged');
        const { links } = this.#init;
        const keepsArchive = bundle.bundlePath !== undefined;
        const transferred = await this.#transfer({ places, links, link, keepsArchive });
        reached?.('fetched');
        if (signal.aborted)
            throw (0,clock/* cancelled */.K)(signal.reason);
        warnOfName(transferred.format, bundle.bundlePath ?? new URL(link.url).pathname, log);
        const site = (0,bundle_site/* findSite */.X)(transferred.files);
        let facts = factsOf(transferred, site);
        onFacts?.(facts);
        log.info(`Received the bundle: ${describe(facts)}.`);
        const to = (0,compared_site/* makeComparedSite */.N)(origin.jobId, transferred.files, places.site?.fresh);
        const inspected = await this.#inspect(to, site);
        facts = { ...facts, ...inspected.facts };
        onFacts?.(facts);
        if (inspected.comparison !== undefined)
            await onComparison?.(inspected.comparison);
        reached?.('verified');
        assertSound(bundle, facts);
        await guard?.({ facts, site: to, comparison: inspected.comparison });
        if (signal.aborted)
            throw (0,clock/* cancelled */.K)(signal.reason);
        facts = { ...facts, ...this.#publish(places, transferred, site, origin) };
        onFacts?.(facts);
        return { facts, link: transferred.downloaded.link, comparison: inspected.comparison };
    }
    /** Removes what is not at its destination. Never throws. */
    discard() {
        for (const staging of this.#opened)
            staging.discard();
    }
    #open() {
        const { bundle, runnerTemp, earlier, readsPages = false } = this.#init;
        // Pages can be read only where they are unpacked.
        const folder = bundle.extractTo ?? (readsPages || earlier !== undefined ? (0,external_node_path_.join)(runnerTemp, 'docs-courier-site') : undefined);
        return {
            archive: this.#stage(bundle.bundlePath ?? (0,external_node_path_.join)(runnerTemp, 'docs-courier-bundle')),
            site: folder === undefined ? undefined : this.#stage(folder),
        };
    }
    async #inspect(to, site) {
        const { bundle } = this.#init;
        if (to.root === undefined)
            return { facts: {}, comparison: undefined };
        const verifies = bundle.extractTo !== undefined && bundle.verify !== 'off';
        const comparison = await this.#openComparison(to);
        return inspect({ ...this.#init, root: to.root, site, verifies, comparison });
    }
    async #openComparison(to) {
        const { earlier, log } = this.#init;
        if (earlier === undefined)
            return undefined;
        const from = earlier.kind === 'files' ? earlier.site : await this.#fetchEarlier(earlier, to);
        if (from === undefined)
            return undefined;
        const { SiteComparison: Compare } = await Promise.all(/* import() */[__webpack_require__.e(5455), __webpack_require__.e(3183), __webpack_require__.e(8281), __webpack_require__.e(2219)]).then(__webpack_require__.bind(__webpack_require__, 2219));
        return new Compare({ from, to, redact: (text) => log.redact(text) });
    }
    /** The bundle of an earlier export in a folder of its own; undefined where it can no longer be had, with a warning. */
    async #fetchEarlier(earlier, to) {
        const { runnerTemp, log } = this.#init;
        const { jobId, links } = earlier;
        // A re-run goes on with the job that is live already: it is compared with itself.
        if (jobId === to.jobId)
            return to;
        log.info(`Downloading the bundle of export job ${jobId}, which is live, to compare with it.`);
        try {
            const link = await links.fresh();
            const places = {
                archive: this.#stage((0,external_node_path_.join)(runnerTemp, 'docs-courier-earlier-bundle')),
                site: this.#stage((0,external_node_path_.join)(runnerTemp, 'docs-courier-earlier-site')),
            };
            const { files } = await this.#transfer({ places, links, link, keepsArchive: false });
            return (0,compared_site/* makeComparedSite */.N)(jobId, files, places.site.fresh);
        }
        catch (error) {
            if (!(error instanceof src_errors/* CourierError */.Yw) || error.code === 'cancelled' || error.code === 'io')
                throw error;
            log.warning(`The export could not be compared with the one that is live (job ${jobId}). ${error.message}`);
            return undefined;
        }
    }
    #stage(destination) {
        const { secret, log } = this.#init;
        recoverDestination(destination, secret, log);
        const staging = new Staging(destination, secret);
        this.#opened.push(staging);
        return staging;
    }
    async #transfer(wish) {
        const { bundle, earlier, workspace, runnerTemp, ...init } = this.#init;
        const { allowLoopback = false, allowAddress = false, allowPrivateHosts = allowLoopback } = init;
        const { archive, transfer: limits, random = Math.random, disk, freeBytes: free = freeBytes } = this.#internals;
        const { bundlePath, extractTo = wish.places.site && (0,external_node_path_.join)(runnerTemp, 'site') } = bundle;
        return transfer({
            ...{ ...this.#internals, ...init, ...wish },
            policy: { allowLoopback, allowAddress, allowPrivateHosts },
            archive: { ...archive_limits/* ARCHIVE_LIMITS */.O, ...archive },
            limits: { ...TRANSFER_LIMITS, ...limits },
            random,
            disk: { ...systemDisk, ...disk },
            hashesFiles: wish.keepsArchive || earlier !== undefined,
            inWorkspace: bundle.extractTo !== undefined && (await isInWorkspace(bundle.extractTo, workspace)),
            onSize: await measureSpace({ bundlePath, extractTo, runnerTemp, free }),
        });
    }
    #publish(places, { downloaded, format, files }, site, origin) {
        const { bundle, clock } = this.#init;
        const { bundlePath, extractTo } = bundle;
        const publication = { replace: bundle.clean, reached: this.#internals.reached };
        let facts = {};
        if (bundlePath !== undefined) {
            const { sha256, bytes } = downloaded;
            const counted = { sha256, bytes, format, files, pages: site.pages };
            const manifest = formatManifest({ ...counted, bundlePath, origin, receivedAt: new Date(clock.now()) });
            const checksums = formatChecksums([{ name: (0,external_node_path_.basename)(bundlePath), sha256 }]);
            publishArchive(bundlePath, { manifest, checksums }, { ...publication, staging: places.archive });
            const paths = companionsOf(bundlePath);
            const manifestSha256 = (0,external_node_crypto_.createHash)('sha256').update(manifest).digest('hex');
            facts = { path: bundlePath, manifestPath: paths.manifest, manifestSha256, checksumPath: paths.checksums };
        }
        if (extractTo !== undefined && places.site !== undefined) {
            publishSite({ ...publication, staging: places.site });
            facts = { ...facts, sitePath: site.folder === '' ? extractTo : (0,external_node_path_.join)(extractTo, site.folder) };
        }
        return facts;
    }
}

;// CONCATENATED MODULE: ./build/src/bundle/bundle.js
/**
 * The front of this room: a bundle is downloaded, unpacked, verified, and put to its destinations. Load it with `import()`,
 * since most runs receive no bundle; `facts.ts` and `summary.ts` are light and may be loaded at any time.
 */




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

/***/ 6831:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   z: () => (/* binding */ fileError)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7406);

const HINTS = {
    ENOSPC: 'The disk is full: free some space in an earlier step, or use a larger runner.',
    EDQUOT: 'The disk quota is used up: free some space in an earlier step.',
    EROFS: 'That file system is read-only: choose a path below the workspace or RUNNER_TEMP.',
    EACCES: 'The runner may not write there: choose a path below the workspace or RUNNER_TEMP.',
    EPERM: 'The runner may not write there: choose a path below the workspace or RUNNER_TEMP.',
    EMFILE: 'Too many files are open on this runner: run the step again.',
};
/** `io`: a file operation failed. `what` is what was tried, such as `write to`; a CourierError is returned as it is. */
function fileError(what, path, cause) {
    if (cause instanceof _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw)
        return cause;
    const code = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .errnoOf */ .UQ)(cause);
    return new _errors_js__WEBPACK_IMPORTED_MODULE_0__/* .CourierError */ .Yw({
        code: 'io',
        message: `Could not ${what} ${path}${code === undefined ? '' : ` (${code})`}.`,
        hint: HINTS[code ?? ''] ?? 'Check that the path is on a writable disk of this runner.',
        cause,
    });
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

/***/ 6031:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MX: () => (/* binding */ verify),
/* harmony export */   _S: () => (/* binding */ sign),
/* harmony export */   dj: () => (/* binding */ canonicalJson)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);

const KEY_BYTES = 32;
/** The HMAC-SHA-256 of the payload as base64url without padding, 43 characters. */
function sign({ secret, purpose, payload }) {
    // RFC 5869, without a salt: the secret has enough entropy of its own.
    const key = Buffer.from((0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hkdfSync)('sha256', secret, '', purpose, KEY_BYTES));
    return (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHmac)('sha256', key).update(canonicalJson(payload)).digest('base64url');
}
function verify({ signature, ...signing }) {
    const expected = Buffer.from(sign(signing));
    const given = Buffer.from(signature);
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
