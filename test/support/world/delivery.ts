import type { DeliveredJob, Delivery } from '../../../src/delivery/delivery.ts';
import { type DestinationsInit, openDestinations } from '../../../src/delivery/destinations.ts';
import type { BundleLink } from '../../../src/platform/link.ts';
import { ADMIN_KEY, makeDestination, type TestSecret, type TestTarget } from '../make-inputs.ts';
import type { World } from '../world.ts';
import { DOMAIN } from './names.ts';
import type { RunOptions } from './run.ts';

const ORGANIZATION = { scope: 'organization', organization: 'acme' } as const;

/** One target of each scope; the environment's name needs escaping in a path. */
export const TARGETS = {
  repository: { scope: 'repository', repository: 'acme/docs' },
  environment: { scope: 'environment', repository: 'acme/docs', environment: 'prod/eu west' },
  organization: { ...ORGANIZATION, visibility: 'private', repositories: undefined },
} as const satisfies Record<string, TestTarget>;

interface DeliveryOptions extends RunOptions {
  readonly secret?: TestSecret | undefined;
  readonly init?: Partial<DestinationsInit> | undefined;
}

/**
 * Opens the destination of the link like an export before it starts. Records are in
 * `world.recorded`.
 */
export async function openDelivery(world: World, options: DeliveryOptions = {}) {
  const init: DestinationsInit = {
    mode: 'export',
    needsState: false,
    to: makeDestination(options.secret),
    baseUrl: world.platform.url,
    adminApiKey: ADMIN_KEY,
    domain: DOMAIN,
    ...options.init,
  };
  const run = { job: 'export', ...options.run };
  const deps = world.deps<World['recorded']>({ ...options, run })(
    (facts) => void Object.assign(world.recorded, facts),
  );
  return inShort(await openDestinations(init, deps));
}

/** The delivery with defaults: what an export does. */
function inShort(delivery: Delivery) {
  return {
    get state() {
      return delivery.state;
    },
    resume: () => delivery.resume(),
    plan: () => delivery.plan(),
    /** `start` is the reply of the platform. */
    start: (jobId: string, start: () => Promise<void> = async () => {}) =>
      delivery.start(async () => {
        await start();
        return { jobId };
      }),
    deliver: (job: Pick<DeliveredJob, 'jobId' | 'link'> & Partial<DeliveredJob>) =>
      delivery.deliver({ intent: { kind: 'export' }, ...job }),
  };
}

/** A link like one of the platform, `hours` before it expires. */
export function link(world: World, hours: number | undefined, name = 'a'): BundleLink {
  const expiresAt =
    hours === undefined ? undefined : new Date(world.clock.now() + hours * 3_600_000);
  return {
    url: `https://bundles.example.com/${name}.tar.gz?sig=${name.repeat(20)}`,
    expiresAt,
    sizeBytes: undefined,
  };
}
