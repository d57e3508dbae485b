import type { ImageAddress } from '../stores/address.ts';
import { isLoopback } from '../text/names.ts';
import { fits, type Parser, reject } from './values.ts';

const FORM = 'REGISTRY/REPOSITORY:TAG, such as registry.example.com/acme/docs:latest';
// The state is under the tag with `.state` behind it.
const MAX_TAG = 122;

/** A tag in a registry; the rules are those of https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests */
export const image: Parser<ImageAddress> = (text) => {
  const bare = text.replace(/^(?:image:|[a-z][a-z0-9+.-]*:\/\/)/i, '');
  if (bare !== text) return reject(`${FORM}, without a scheme in front of it`, suggest(bare));
  if (/[\s,]+\S/.test(text))
    return reject(`${FORM}, and one image; give each further tag in a run that has another image`);
  if (/^[^/:]*:[^/]*@/.test(text)) {
    return reject(`${FORM}, without a user name and password: log in before this step, such as with docker login`);
  }
  if (/@/.test(text)) return reject(`${FORM}, with a tag instead of a digest: the run moves the tag to a new image`);
  if (/[\s?#\\%]|[^\x21-\x7e]/.test(text)) return reject(FORM);
  const [, registry = '', path = ''] = /^([^/]+)\/(.+)$/.exec(text) ?? [];
  const colon = path.indexOf(':');
  if (colon >= 0 && path.includes('/', colon)) {
    const tag = path.slice(colon).replaceAll('/', '-');
    return reject(`${FORM}; a tag has no slash`, suggest(`${registry}/${path.slice(0, colon)}${tag}`));
  }
  if (registry.includes(':') && !isRegistry(registry)) {
    return reject(
      `${FORM}; a tag has no slash, and the host name of the registry comes first; Docker Hub is docker.io`,
    );
  }
  if (!isRegistry(registry))
    return reject(`${FORM}, with the host name of the registry first; Docker Hub is docker.io`);
  const [, repository = '', tag] = /^(.*?)(?::([^:/]*))?$/.exec(path) ?? [];
  if (tag === undefined) return reject(`${FORM}; the tag is missing`, suggest(`${text}:latest`));
  if (/[A-Z]/.test(repository)) {
    return reject(
      `${FORM}, with a repository in lower case`,
      suggest(`${registry}/${repository.toLowerCase()}:${tag}`),
    );
  }
  const isRepository = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
  if (!isRepository.test(repository) || repository.length > 255) {
    return reject(
      `${FORM}; a part of REPOSITORY has lower-case letters and digits, with single ., _ or - between them`,
    );
  }
  // https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#referrers-tag-schema, and signatures with an ending
  if (/^sha(?:256|512)-[0-9a-f]{64}/.test(tag)) {
    return reject(`${FORM}; registries keep what refers to an image under tags such as sha256-…: choose another TAG`);
  }
  if (!/^\w[\w.-]*$/.test(tag) || tag.length > MAX_TAG || tag.endsWith('.state')) {
    return reject(
      `${FORM}; TAG has at most ${MAX_TAG} letters, digits, ., _ and -, begins with none of . and -, and does not end with .state`,
    );
  }
  return { scheme: 'image', registry: registry.toLowerCase(), repository, tag };
};

function suggest(text: string): string | undefined {
  return fits(image, text) ? text : undefined;
}

function isRegistry(host: string): boolean {
  const isHost = /^[A-Za-z0-9][A-Za-z0-9.-]*(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/i.test(host);
  return isHost && URL.canParse(`https://${host}`) && (/[.:]/.test(host) || isLoopback(host));
}
