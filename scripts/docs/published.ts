import { ACTION, COMMAND, IMAGE } from '../../src/cli/published.ts';

export interface PublishedNames {
  /** A path, or `owner/name@ref`. */
  readonly action: string;
  readonly command: string;
  readonly image: string;
}

const USES = /(\buses: )(?:\.\/\.github\/actions\/docs-courier|docs-courier\/docs-courier)((?:\/\w+)?)(?:@\w[\w.-]*)?/g;
const START = /\bnpx --yes (?:\.\/docs-courier\.tgz|docs-courier@[\w.-]+)/g;
const RUNS = /(\bimage: )[\w.-]+(?:\/docs-courier)?\/docs-courier:[\w.-]+/g;

/** The text with these names wherever it uses the action, starts the command line, or runs its image. */
export function writePublishedNames(
  text: string,
  { action, command, image }: PublishedNames = { action: ACTION, command: COMMAND, image: IMAGE },
): string {
  const [path = '', ref] = action.split('@');
  return text
    .replace(USES, (_, uses: string, folder: string) => `${uses}${path}${folder}${ref === undefined ? '' : `@${ref}`}`)
    .replace(START, () => command)
    .replace(RUNS, (_, key: string) => `${key}${image}`);
}
