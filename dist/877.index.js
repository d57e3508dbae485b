export const id = 877;
export const ids = [877];
export const modules = {

/***/ 4877:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   createCredentialRedact: () => (/* binding */ createCredentialRedact)
/* harmony export */ });
/* harmony import */ var _text_redact_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4211);

const HIDDEN = '[credential removed]';
/** Formats of credentials that are known by their beginning. Each is one run over the text, without backtracking. */
const FORMATS = [
    // GitHub: personal, OAuth, user, server and refresh tokens, the long app tokens among them.
    /(?<![A-Za-z0-9])gh[a-z]_[A-Za-z0-9._-]{20,}/g,
    /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}/g,
    // AWS access key ids.
    /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
    // Model providers.
    /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,}/g,
    // Slack.
    /(?<![A-Za-z0-9])xox[a-z]-[A-Za-z0-9-]{10,}/g,
    // JSON Web Tokens: two parts that begin with `{"`, and a signature.
    /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
    // npm and Google.
    /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}/g,
    /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}/g,
];
const PRIVATE_KEY_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g;
const PRIVATE_KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g;
/**
 * A function that takes credentials out of a text: the given ones in every form, the platform's keys by their prefix (that of
 * the admin key in use), and other formats that are known.
 */
function createCredentialRedact(adminApiKey, others) {
    const own = (0,_text_redact_js__WEBPACK_IMPORTED_MODULE_0__/* .createRedact */ .ay)([adminApiKey, ...others]);
    const prefix = /^([A-Za-z0-9]{2,20})_/.exec(adminApiKey)?.[1];
    const platform = prefix === undefined ? [] : [new RegExp(`(?<![A-Za-z0-9])${prefix}_[A-Za-z0-9_-]{16,}`, 'g')];
    const formats = [...FORMATS, ...platform];
    return (text) => formats.reduce((rest, format) => rest.replace(format, HIDDEN), removePrivateKeys(own(text)));
}
// A key whose end is missing goes to the end of the text: its beginning alone is half a secret.
function removePrivateKeys(text) {
    const parts = [];
    let at = 0;
    for (;;) {
        PRIVATE_KEY_BEGIN.lastIndex = at;
        const begin = PRIVATE_KEY_BEGIN.exec(text);
        if (begin === null)
            return parts.join('') + text.slice(at);
        parts.push(text.slice(at, begin.index), HIDDEN);
        PRIVATE_KEY_END.lastIndex = PRIVATE_KEY_BEGIN.lastIndex;
        if (PRIVATE_KEY_END.exec(text) === null)
            return parts.join('');
        at = PRIVATE_KEY_END.lastIndex;
    }
}


/***/ })

};
