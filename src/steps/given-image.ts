import { checkMayWrite } from '../ci/rights.ts';
import { makeStores } from '../delivery/destinations.ts';
import { takeTurn } from '../ground/clock.ts';
import { type CourierError, configError, courierError } from '../ground/errors.ts';
import { type ImageFacts, ImagePush, registryIn } from './image.ts';
import type { Opening, Step } from './step.ts';

/** Names what the site of an image was taken from. Anyone who can push can write it. */
const FROM = 'io.github.docs-courier.from';
const FINGERPRINT = 'io.github.docs-courier.fingerprint';

/**
 * The step that pushes a given site as an image and moves the tag to it. A given site has no signed
 * state. So the tag is moved only if its image names the same `from`, or with `take-over`.
 */
export async function openGivenImage(opening: Opening<ImageFacts>): Promise<Step> {
  const { inputs, deps, job } = opening;
  if (job.kind !== 'given' || inputs.to === undefined) throw new TypeError('no given image');
  if (job.isOfFork) throw forkError();
  checkMayWrite(deps.run);
  const store = registryIn(await makeStores(inputs.to, deps));
  await store.preflight();
  const from = job.site.name;
  const { takeOver = false } = inputs.to;
  const seen = await ownImage(store, from, takeOver);
  // With take-over, what another image says of its content does not count.
  const isOurs = seen?.annotations[FROM] === from;
  const live = isOurs
    ? { image: seen.reference, fingerprint: seen.annotations[FINGERPRINT] }
    : undefined;
  const push = ImagePush.ofGiven(opening, store, live, (fingerprint) => ({
    [FROM]: from,
    [FINGERPRINT]: fingerprint,
  }));
  const { link } = store.names;
  return {
    needs: push.needs,
    plan: () => [{ action: 'push the site as an image', target: store.names.destination }],
    readers: (site) => push.readers(site),
    inspect: (exported, found) => push.inspect(exported, found),
    async after({ image }) {
      // Another run may have moved the tag since.
      const former = await ownImage(store, from, takeOver);
      if (image === undefined || former?.reference === image) {
        deps.record({ changed: inputs.bundle.extractTo !== undefined });
        return {};
      }
      // A cancelled run does not publish.
      await takeTurn(deps.signal);
      await store.write({ link: image }, await store.read());
      deps.log.info(`Moved the ${link} to ${image}; before: ${former?.reference ?? 'nothing'}.`);
      push.recordFormer(image, former?.reference);
      return {};
    },
  };
}

/** The image of the tag, if there is one and it may be replaced. Throws `config` if not. */
async function ownImage(store: ReturnType<typeof registryIn>, from: string, takeOver: boolean) {
  const tagged = await store.tagged();
  if (tagged === undefined || takeOver || tagged.annotations[FROM] === from) return tagged;
  throw configError(
    `The ${store.names.link} has an image that was not made from ${from}: ${tagged.reference}. The tag was not moved.`,
    {
      text: 'Correct image or from. To replace what is there:',
      inputs: { 'take-over': 'true' },
    },
  );
}

function forkError(): CourierError {
  return courierError(
    'refused',
    'No image is pushed in this run: a fork may have built the site that from names. Nothing was written.',
    'Push the image in a run for what was merged, such as on a push to the default branch.',
  );
}
