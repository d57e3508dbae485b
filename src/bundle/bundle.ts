/**
 * The front of this room: a bundle is downloaded, unpacked, verified, and put to its destinations. Load it with `import()`,
 * since most runs receive no bundle; `facts.ts` and `summary.ts` are light and may be loaded at any time.
 */
export { checkDestinations } from './disk/destination.ts';
export { receiveBundle } from './receive.ts';
