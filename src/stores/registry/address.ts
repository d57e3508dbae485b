import { isLoopback } from '../../ground/text/names.ts';
import { type Parser, reject } from '../../values/values.ts';

/** A tag in a container registry, which the input `image` names. */
export interface ImageAddress {
  readonly scheme: 'image';
  /** `registry.example.com` or `localhost:5000`, in lower case. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
}

const FORM = 'REGISTRY/REPOSITORY:TAG, such as registry.example.com/acme/docs:latest';
// A tag has at most 128 characters, and that of the state has `.state` after it.
const MAX_TAG = 122;

/**
 * A tag in a registry; the rules are those of
 * https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests
 */
export const image: Parser<ImageAddress> = (text) => {
  refuseOtherForms(text);
  const [, registry = '', path = ''] = /^([^/]+)\/(.+)$/.exec(text) ?? [];
  const [, repository = '', tag] = /^([^:]*)(?::(.*))?$/s.exec(path) ?? [];
  // Checked before the other parts: for `acme/docs:1.0/guide`, advice about them would mislead.
  if (tag?.includes('/')) return reject(`${FORM}; a tag has no slash`);
  checkRegistry(registry);
  if (tag === undefined) return reject(`${FORM}; the tag is missing`);
  checkRepository(repository);
  checkTag(tag);
  return { scheme: 'image', registry: registry.toLowerCase(), repository, tag };
};

/**
 * Throws for a text with a scheme, credentials or a digest, or with a character that no name has.
 */
function refuseOtherForms(text: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) reject(`${FORM}, without a scheme in front of it`);
  if (/^[^/:]*:[^/]*@/.test(text)) {
    reject(
      `${FORM}, without a user name and password: log in before this step, such as with docker login`,
    );
  }
  if (text.includes('@')) {
    reject(`${FORM}, with a tag instead of a digest: the run moves the tag to a new image`);
  }
  if (/[\s?#\\%]|[^\x21-\x7e]/.test(text)) reject(FORM);
}

/**
 * Throws unless the text is a host with a dot or a port, or `localhost`: another text would be the
 * first word of a repository.
 */
function checkRegistry(host: string): void {
  const isHost = /^[A-Za-z0-9][A-Za-z0-9.-]*(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/i.test(host);
  const isAddress = isHost && URL.canParse(`https://${host}`);
  if (isAddress && (/[.:]/.test(host) || isLoopback(host))) return;
  // A colon in it can be that of a tag in the wrong place, as in `docs:1.0/guide`.
  if (host.includes(':')) {
    reject(
      `${FORM}; a tag has no slash, and the host name of the registry comes first; Docker Hub is docker.io`,
    );
  }
  reject(`${FORM}, with the host name of the registry first; Docker Hub is docker.io`);
}

/** Throws unless registries take the text as the name of a repository. */
function checkRepository(repository: string): void {
  if (/[A-Z]/.test(repository)) {
    reject(`${FORM}, with a repository in lower case`);
  }
  const isRepository =
    /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
  if (isRepository.test(repository) && repository.length <= 255) return;
  reject(
    `${FORM}; a part of REPOSITORY has lower-case letters and digits, with single ., _ or - between them`,
  );
}

/** Throws for a tag that registries do not take, or that has another use. */
function checkTag(tag: string): void {
  // https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#referrers-tag-schema
  // Signatures have such a tag with an ending, such as `.sig`.
  if (/^sha(?:256|512)-[0-9a-f]{64}/.test(tag)) {
    reject(
      `${FORM}; registries keep what refers to an image under tags such as sha256-…: choose another TAG`,
    );
  }
  if (/^\w[\w.-]*$/.test(tag) && tag.length <= MAX_TAG && !tag.endsWith('.state')) return;
  reject(
    `${FORM}; TAG has at most ${MAX_TAG} letters, digits, ., _ and -, begins with none of . and -, and does not end with .state`,
  );
}

export function formatAddress(address: ImageAddress): string {
  return `image:${address.registry}/${address.repository}:${address.tag}`;
}
