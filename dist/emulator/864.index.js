export const id = 864;
export const ids = [864];
export const modules = {

/***/ 864:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   openS3BundleStore: () => (/* binding */ openS3BundleStore)
/* harmony export */ });
/* harmony import */ var _aws_sdk_client_s3__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3711);
/* harmony import */ var _aws_sdk_s3_request_presigner__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8505);


function createClient({ endpoint, region, accessKeyId, secretAccessKey, sessionToken }) {
    return new _aws_sdk_client_s3__WEBPACK_IMPORTED_MODULE_0__/* .S3Client */ .YxF({
        endpoint,
        region,
        forcePathStyle: true,
        credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
        // Not every compatible store knows the newer checksums, and some refuse them.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
    });
}
/** Bundles in an S3-compatible store, with links that it judges by itself. Rejects when the bucket cannot be reached. */
async function openS3BundleStore(options) {
    const { endpoint, bucket: Bucket } = options;
    const client = createClient(options);
    const keys = new Set();
    try {
        await client.send(new _aws_sdk_client_s3__WEBPACK_IMPORTED_MODULE_0__/* .HeadBucketCommand */ .kuI({ Bucket }));
    }
    catch (cause) {
        client.destroy();
        throw new Error(`The bucket ${Bucket} at ${endpoint} cannot be used: ${describe(cause)}.`, { cause });
    }
    return {
        async put(Key, Body) {
            await client.send(new _aws_sdk_client_s3__WEBPACK_IMPORTED_MODULE_0__/* .PutObjectCommand */ .wKZ({ Bucket, Key, Body, ContentType: 'application/gzip' }));
            keys.add(Key);
        },
        presign({ key: Key, expires }) {
            // The store goes by its own clock, so that this one cannot be a test's.
            const expiresIn = Math.max(1, Math.ceil((expires - Date.now()) / 1000));
            return (0,_aws_sdk_s3_request_presigner__WEBPACK_IMPORTED_MODULE_1__/* .getSignedUrl */ .A)(client, new _aws_sdk_client_s3__WEBPACK_IMPORTED_MODULE_0__/* .GetObjectCommand */ .jLs({ Bucket, Key }), { expiresIn });
        },
        clear() {
            // No name is ever used again, so that nothing has to wait for this.
            for (const Key of keys)
                void client.send(new _aws_sdk_client_s3__WEBPACK_IMPORTED_MODULE_0__/* .DeleteObjectCommand */ .k4j({ Bucket, Key })).catch(() => undefined);
            keys.clear();
        },
        close: () => client.destroy(),
    };
}
function describe(cause) {
    return cause instanceof Error ? `${cause.name}${cause.message ? `: ${cause.message}` : ''}` : String(cause);
}


/***/ })

};
