import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 24:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");

/***/ }),

/***/ 842:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  C: () => (/* binding */ stopEmulator)
});

// UNUSED EXPORTS: launchEmulator

;// CONCATENATED MODULE: external "node:child_process"
const external_node_child_process_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:child_process");
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(24);
;// CONCATENATED MODULE: external "node:timers/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");
;// CONCATENATED MODULE: ./build/emulator/src/action/launch.js



const POLL_MS = 50;
const BANNER = /^Documentation platform emulator: (http:\/\/127\.0\.0\.1:\d+)$/m;
const GITHUB_BANNER = /^GitHub emulator: (http:\/\/127\.0\.0\.1:\d+)$/m;
// Printed last, so that all of the banner is there.
const END = 'Stop it with Ctrl+C.';
/**
 * Starts the emulator as a process that outlives this one, and waits until it answers. Throws with what it printed when it
 * ends before that or takes longer than `waitMs`.
 */
async function launchEmulator({ program, args, logFile, waitMs }) {
    const log = openSync(logFile, 'w');
    const child = spawn(process.execPath, [program, ...args], { detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    const failed = new Promise((_, reject) => child.once('error', reject));
    failed.catch(() => undefined);
    const deadlineMs = performance.now() + waitMs;
    while (performance.now() < deadlineMs) {
        await Promise.race([delay(POLL_MS), failed]);
        const banner = readFileSync(logFile, 'utf8');
        const url = banner.includes(END) ? BANNER.exec(banner)?.[1] : undefined;
        if (url !== undefined && child.pid !== undefined && (await answers(url))) {
            child.unref();
            return { pid: child.pid, url, githubUrl: GITHUB_BANNER.exec(banner)?.[1] };
        }
        if (child.exitCode !== null || child.signalCode !== null)
            break;
    }
    child.kill('SIGKILL');
    throw new Error(`The emulator did not start.\n${readFileSync(logFile, 'utf8').trim()}`);
}
async function answers(url) {
    // Any reply will do; this one is neither recorded nor logged.
    return fetch(`${url}/__emulator/state`).then(async (reply) => {
        // Read to its end: a connection that closes over an unread reply can end the process.
        await reply.arrayBuffer();
        return reply.status === 401;
    }, () => false);
}
/**
 * Ends the process: asked for `waitMs`, then killed. One that has gone already is fine. Never waits longer: in a container
 * whose first process collects no children, what has ended may seem alive without end.
 */
async function stopEmulator(pid, waitMs) {
    const deadlineMs = performance.now() + waitMs;
    if (!kill(pid, 'SIGTERM'))
        return;
    while (performance.now() < deadlineMs) {
        await (0,promises_namespaceObject.setTimeout)(POLL_MS);
        if (!kill(pid, 0))
            return;
    }
    kill(pid, 'SIGKILL');
}
function kill(pid, signal) {
    try {
        return process.kill(pid, signal);
    }
    catch {
        return false;
    }
}


/***/ }),

/***/ 645:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  V9: () => (/* binding */ showGroup)
});

// UNUSED EXPORTS: failStep, mask, needVariable, readInput, writeOutputs, writeState

;// CONCATENATED MODULE: external "node:crypto"
const external_node_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __nccwpck_require__(24);
;// CONCATENATED MODULE: ./build/emulator/src/action/runner.js


/** An input's value without blanks around it; empty when it was not given. */
function readInput(env, name) {
    return (env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] ?? '').trim();
}
function needVariable(env, name) {
    const value = env[name];
    if (value === undefined || value === '')
        throw new Error(`${name} is not set: this runs as a step of a workflow.`);
    return value;
}
/** Adds to one of the runner's files. The random delimiter keeps a value from ending itself and adding another name. */
function append(path, values) {
    const delimiter = `ghadelimiter_${randomBytes(16).toString('hex')}`;
    const lines = Object.entries(values).map(([name, value]) => `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
    appendFileSync(path, lines.join(''));
}
function writeOutputs(env, values) {
    append(needVariable(env, 'GITHUB_OUTPUT'), values);
}
/** Kept for the post step, which reads each as `STATE_<name>`. */
function writeState(env, values) {
    append(needVariable(env, 'GITHUB_STATE'), values);
}
/** From now on the runner shows `***` in its place. */
function mask(value) {
    console.log(`::add-mask::${value}`);
}
/** As the message of a command: one line. */
function failStep(message) {
    const data = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
    console.log(`::error::${data}`);
    process.exitCode = 1;
}
/** Text from elsewhere in a group of its own, from which the runner takes no command. */
function showGroup(title, text) {
    const token = (0,external_node_crypto_namespaceObject.randomBytes)(16).toString('hex');
    console.log(`::group::${title}`);
    console.log(`::stop-commands::${token}`);
    console.log(text);
    console.log(`::${token}::`);
    console.log('::endgroup::');
}


/***/ }),

/***/ 960:
/***/ ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(24);
/* harmony import */ var _launch_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(842);
/* harmony import */ var _runner_js__WEBPACK_IMPORTED_MODULE_2__ = __nccwpck_require__(645);
/** Post entry of the action `emulator`: shows what the emulator was asked, and stops it. */



const WAIT_MS = 5_000;
async function stop(env) {
    const pid = Number(env.STATE_pid);
    const logFile = env['STATE_log-file'];
    // Without a process there is nothing to stop: the start failed, and has said so.
    if (!Number.isSafeInteger(pid) || pid <= 1 || logFile === undefined)
        return;
    try {
        (0,_runner_js__WEBPACK_IMPORTED_MODULE_2__/* .showGroup */ .V9)('Requests to the emulator', (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readFileSync)(logFile, 'utf8'));
    }
    finally {
        // Also where the log is gone: the process must not outlive the job.
        await (0,_launch_js__WEBPACK_IMPORTED_MODULE_1__/* .stopEmulator */ .C)(pid, WAIT_MS);
    }
}
try {
    await stop(process.env);
}
catch (error) {
    // The job's result is not this step's business.
    console.log(`The emulator was not stopped: ${error instanceof Error ? error.message : String(error)}`);
}

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		// no module.id needed
/******/ 		// no module.loaded needed
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/async module */
/******/ (() => {
/******/ 	var webpackQueues = typeof Symbol === "function" ? Symbol("webpack queues") : "__webpack_queues__";
/******/ 	var webpackExports = typeof Symbol === "function" ? Symbol("webpack exports") : "__webpack_exports__";
/******/ 	var webpackError = typeof Symbol === "function" ? Symbol("webpack error") : "__webpack_error__";
/******/ 	var resolveQueue = (queue) => {
/******/ 		if(queue && queue.d < 1) {
/******/ 			queue.d = 1;
/******/ 			queue.forEach((fn) => (fn.r--));
/******/ 			queue.forEach((fn) => (fn.r-- ? fn.r++ : fn()));
/******/ 		}
/******/ 	}
/******/ 	var wrapDeps = (deps) => (deps.map((dep) => {
/******/ 		if(dep !== null && typeof dep === "object") {
/******/ 			if(dep[webpackQueues]) return dep;
/******/ 			if(dep.then) {
/******/ 				var queue = [];
/******/ 				queue.d = 0;
/******/ 				dep.then((r) => {
/******/ 					obj[webpackExports] = r;
/******/ 					resolveQueue(queue);
/******/ 				}, (e) => {
/******/ 					obj[webpackError] = e;
/******/ 					resolveQueue(queue);
/******/ 				});
/******/ 				var obj = {};
/******/ 				obj[webpackQueues] = (fn) => (fn(queue));
/******/ 				return obj;
/******/ 			}
/******/ 		}
/******/ 		var ret = {};
/******/ 		ret[webpackQueues] = x => {};
/******/ 		ret[webpackExports] = dep;
/******/ 		return ret;
/******/ 	}));
/******/ 	__nccwpck_require__.a = (module, body, hasAwait) => {
/******/ 		var queue;
/******/ 		hasAwait && ((queue = []).d = -1);
/******/ 		var depQueues = new Set();
/******/ 		var exports = module.exports;
/******/ 		var currentDeps;
/******/ 		var outerResolve;
/******/ 		var reject;
/******/ 		var promise = new Promise((resolve, rej) => {
/******/ 			reject = rej;
/******/ 			outerResolve = resolve;
/******/ 		});
/******/ 		promise[webpackExports] = exports;
/******/ 		promise[webpackQueues] = (fn) => (queue && fn(queue), depQueues.forEach(fn), promise["catch"](x => {}));
/******/ 		module.exports = promise;
/******/ 		body((deps) => {
/******/ 			currentDeps = wrapDeps(deps);
/******/ 			var fn;
/******/ 			var getResult = () => (currentDeps.map((d) => {
/******/ 				if(d[webpackError]) throw d[webpackError];
/******/ 				return d[webpackExports];
/******/ 			}))
/******/ 			var promise = new Promise((resolve) => {
/******/ 				fn = () => (resolve(getResult));
/******/ 				fn.r = 0;
/******/ 				var fnQueue = (q) => (q !== queue && !depQueues.has(q) && (depQueues.add(q), q && !q.d && (fn.r++, q.push(fn))));
/******/ 				currentDeps.map((dep) => (dep[webpackQueues](fnQueue)));
/******/ 			});
/******/ 			return fn.r ? promise : getResult();
/******/ 		}, (err) => ((err ? reject(promise[webpackError] = err) : outerResolve(exports)), resolveQueue(queue)));
/******/ 		queue && queue.d < 0 && (queue.d = 0);
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/************************************************************************/
/******/ 
/******/ // startup
/******/ // Load entry module and return exports
/******/ // This entry module used 'module' so it can't be inlined
/******/ var __webpack_exports__ = __nccwpck_require__(960);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
