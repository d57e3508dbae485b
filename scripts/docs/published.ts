import { ACTION, COMMAND, IMAGE, REPOSITORY } from '../../src/ground/published.ts';

export interface PublishedNames {
  /** A path, or `owner/name@ref`, with the version of a commit behind it: ` # v1.0.0`. */
  readonly action: string;
  readonly command: string;
  readonly image: string;
  /** Without `.git`. */
  readonly repository: string;
}

const LOCAL: PublishedNames = {
  action: ACTION,
  command: COMMAND,
  image: IMAGE,
  repository: REPOSITORY,
};

const USES =
  /(\buses: )(?:\.\/\.github\/actions\/docs-courier|docs-courier\/docs-courier)((?:\/\w+)?)(?:@\w[\w.-]*(?: # v\d[\w.-]*)?)?/g;
const START = /\bnpx --yes (?:\.\/docs-courier\.tgz|docs-courier@[\w.-]+)/g;
const RUNS = /(\bimage: )[\w.-]+(?:\/docs-courier)?\/docs-courier:[\w.-]+/g;

const ADDRESS =
  /\bhttps:\/\/(?:git\.example\.com|github\.com\/docs-courier)\/docs-courier(?![\w-])/g;

/**
 * The text with these names wherever it uses the action, starts the command line, runs its image,
 * or names its repository.
 */
export function writePublishedNames(
  text: string,
  { action, command, image, repository }: PublishedNames = LOCAL,
): string {
  const [path = '', ref] = action.split('@');
  return text
    .replace(
      USES,
      (_, uses: string, folder: string) =>
        `${uses}${path}${folder}${ref === undefined ? '' : `@${ref}`}`,
    )
    .replace(START, () => command)
    .replace(RUNS, (_, key: string) => `${key}${image}`)
    .replace(ADDRESS, () => repository);
}
