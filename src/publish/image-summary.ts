import { codeSpan } from '../text/escape.ts';

/** The site as an image in a registry. */
interface ImageFact {
  /** `REGISTRY/REPOSITORY@sha256:…`. */
  readonly reference: string;
  /** `REGISTRY/REPOSITORY:TAG`. */
  readonly tag: string;
  /** The tag had the same files before: nothing was pushed, and the tag was not moved. */
  readonly unchanged: boolean;
}

export interface ImageFacts {
  readonly image?: ImageFact | undefined;
}

/** For the list of facts in a summary. */
export function imageText(image: ImageFact | undefined): string | undefined {
  if (image === undefined) return undefined;
  const { reference, tag, unchanged } = image;
  return `${codeSpan(reference)}, tag ${codeSpan(tag)}${unchanged ? ' (unchanged)' : ''}`;
}
