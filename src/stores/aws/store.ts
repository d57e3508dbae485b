import { courierError } from '../../ground/errors.ts';
import {
  type CheckResult,
  type Claims,
  ifReadable,
  known,
  type LinkContent,
  type LinkStore,
  ok,
  type Part,
  readBack,
  readLinkValue,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  type StoreUse,
  staleError,
} from '../port.ts';
import { type AwsAddress, formatAddress } from './address.ts';
import { AwsLogin, type AwsLoginInit } from './login.ts';
import { ParameterStore } from './parameter-store.ts';
import { regionOf } from './request.ts';
import { SecretsManager } from './secrets-manager.ts';
import type { AwsText } from './service.ts';

interface AwsStoreInit extends Omit<AwsLoginInit, 'region'> {
  readonly address: AwsAddress;
}

const TEN_MINUTES_MS = 10 * 60_000;
// The waits between readings after a write: AWS may show the former value for a moment.
const READ_BACK_WAITS_MS = [200, 400, 800, 1600, 3200];

/**
 * A secret of AWS Secrets Manager or a parameter of the Parameter Store, with the link to the last
 * export. The state, a signed text about the exports, is in a second secret or parameter. AWS
 * cannot write on a condition, so runs take turns by claims.
 */
export class AwsStore implements LinkStore {
  readonly names: StoreNames;
  readonly can: LinkStore['can'];
  readonly claims: Claims;
  readonly #init: AwsStoreInit;
  readonly #texts: SecretsManager | ParameterStore;
  #arn: string | undefined;
  #hasWarned = false;

  constructor(init: AwsStoreInit) {
    const { name, scheme } = init.address;
    const region = regionOf(init.address, init.env);
    this.#init = init;
    const login = new AwsLogin({ ...init, region });
    const common = { ...init, region, login };
    const isSecret = scheme === 'aws-sm';
    this.#texts = isSecret ? new SecretsManager(name, common) : new ParameterStore(name, common);
    const { service, noun, writeRights, maxStateBytes, claims } = this.#texts;
    const { link, state } = this.#texts.names;
    // Only claims keep two runs from writing at once. AWS shows the link itself.
    this.can = { guard: 'claims', shows: 'value', maxStateBytes };
    this.claims = claims;
    const where = `${service} in ${region}`;
    this.names = {
      destination: formatAddress(init.address),
      name: link,
      target: where,
      link: `${noun} ${link} of ${where}`,
      state: `${noun} ${state} of ${where}`,
      stateRight: `right to ${writeRights} the ${noun} ${state}`,
    };
  }

  /**
   * Bound to the destination by its ARN, which says account and region: a name alone means another
   * destination in another account. Known after `preflight`.
   */
  get signedAddress(): string {
    return `${this.#init.address.scheme}:${known(this.#arn)}`;
  }

  /** Checks, before a run does anything, that the link can be read, and written if it will be. */
  async preflight(use?: StoreUse): Promise<readonly CheckResult[]> {
    this.#arn = await this.#texts.prepare(use);
    return [ok(this.names.link, 'A value in it can be replaced.')];
  }

  /**
   * What AWS has now. With `seen`, which was read before, only the state is read again. The
   * snapshot's `version` is that of the state; the link has a separate one.
   */
  async read(seen?: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const { link, foreignContent } = seen ?? linkIn(await this.#texts.read('link', signal));
    const state = await ifReadable(this.#texts.read('state', signal), stateIn);
    return { link, foreignContent, ...state };
  }

  /**
   * Writes the link or the state; a store with claims is never given both at once. `seen`: what was
   * read before, and must still be there.
   */
  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const { link, state } = change;
    if (link !== undefined) {
      this.#warnOfVersions(seen.link?.writtenAtMs);
      return { ...seen, ...linkIn(await this.#replace('link', link, seen.link?.version, signal)) };
    }
    if (state === undefined) return seen;
    return { ...seen, ...stateIn(await this.#replace('state', state, seen.version, signal)) };
  }

  /**
   * Writes the text and reads it until AWS shows it. `seenVersion`: the version that was read.
   * Throws `conflict` if AWS shows a third version, and `integrity` if it does not show the new one
   * in time: both with `mayHaveActed`, since the write took place.
   */
  async #replace(
    part: Part,
    value: string,
    seenVersion: string | undefined,
    signal?: AbortSignal,
  ): Promise<AwsText> {
    const newVersion = await this.#texts.write(part, value, seenVersion, signal);
    for (const waitMs of [0, ...READ_BACK_WAITS_MS]) {
      if (waitMs > 0) await this.#init.clock.sleep(waitMs, signal);
      const now = await readBack(`The ${this.names[part]}`, this.#texts.read(part, signal));
      if (now?.value === value) return now;
      // The seen version may still be shown for a moment. One that is neither is of another writer.
      const isThird = now?.version !== seenVersion && now?.version !== newVersion;
      if (isThird) throw staleError(`the ${this.names[part]}`, { mayHaveActed: true });
    }
    throw courierError(
      'integrity',
      `AWS accepted the write of the ${this.names[part]} as version ${newVersion} and still shows the previous one.`,
      'Run again later: AWS may need more time.',
      { mayHaveActed: true },
    );
  }

  /**
   * Warns once if a secret is written again within ten minutes; `writtenAtMs`: of the last write,
   * if there was one.
   */
  #warnOfVersions(writtenAtMs: number | undefined): void {
    // The Parameter Store keeps 100 versions and removes the oldest at each write.
    const isSecret = this.#init.address.scheme === 'aws-sm';
    if (!isSecret || this.#hasWarned || writtenAtMs === undefined) return;
    if (this.#init.clock.now() - writtenAtMs >= TEN_MINUTES_MS) return;
    this.#hasWarned = true;
    this.#init.log.warning(
      `The ${this.names.link} was last written less than ten minutes ago. AWS keeps every version of a secret for a day, about 100 of them, and then takes no more: write it less often, or use aws-ssm.`,
    );
  }
}

/**
 * What the text says about the link. The text `none` is not a link: the commands in the
 * documentation create the secret or parameter with it, since AWS takes no empty text.
 */
function linkIn(text: AwsText | undefined): LinkContent {
  if (text === undefined || text.value.trim() === 'none') return { link: undefined };
  const { link, foreignContent } = readLinkValue(text.value);
  if (link === undefined) return { link };
  const { writtenAtMs, version } = text;
  return { link: { ...link, writtenAtMs, version }, foreignContent };
}

function stateIn(text: AwsText | undefined) {
  return { state: text?.value, stateWrittenAtMs: text?.writtenAtMs, version: text?.version };
}
