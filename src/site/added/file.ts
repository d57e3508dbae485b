/** A file that is added to the site: `path` is below the root of the site, joined by `/`. */
export type AddedFile = { path: string; content: Uint8Array };
