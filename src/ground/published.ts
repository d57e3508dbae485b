/**
 * The names under which releases are published, such as `docs-courier/docs-courier@v1`,
 * `docs-courier@1`, `registry.example.com/docs-courier/docs-courier:1` and
 * `https://github.com/docs-courier/docs-courier`. Empty until the first release: a stranger could
 * register a name that is not taken yet, and would get the keys of everyone who runs it. `npm run
 * docs` writes these names into pages, examples and templates.
 */
const PUBLISHED = { action: '', npm: '', image: '', repository: '' };

/**
 * `uses:` of a step: the action that is copied into the repository, or the published one, such as
 * `docs-courier/docs-courier@COMMIT # v1.0.0`.
 */
export const ACTION = PUBLISHED.action || './.github/actions/docs-courier';

/**
 * How a shell starts the command line: from the packed file in the working folder, or the published
 * package.
 */
export const COMMAND = `npx --yes ${PUBLISHED.npm || './docs-courier.tgz'}`;

/** The image of the command line: the one in the reader's own registry, or the published one. */
export const IMAGE = PUBLISHED.image || 'registry.example.com/docs-courier:1';

/**
 * What stands before the path of a page of the documentation: the published repository, or nothing.
 */
export const DOCUMENTATION = PUBLISHED.repository && `${PUBLISHED.repository}/blob/v1/`;

/**
 * The repository of this project: the published one, or an address that cannot be registered (RFC
 * 2606 reserves example.com).
 */
export const REPOSITORY = PUBLISHED.repository || 'https://git.example.com/docs-courier';
