import type { Clock } from '../../ground/clock.ts';
import { readTime } from '../../ground/text/instants.ts';
import { claimsAmong } from '../claims.ts';
import {
  type CheckResult,
  type Claims,
  ifReadable,
  known,
  type LinkContent,
  type LinkStore,
  type Snapshot,
  type StateContent,
  type StoreChange,
  type StoreNames,
  UNSEEN,
  unknown,
} from '../port.ts';
import { formatAddress, type GitHubAddress } from './address.ts';
import { GitHubSecret, readPublicKey, type SecretMetadata } from './secret.ts';
import { type Connect, GitHubSettings, readAccess, type SettingAccess } from './settings.ts';
import { ADVICE, signedAddressOf, targetOf, workflowTokenError } from './target.ts';

interface GitHubStoreInit {
  readonly address: GitHubAddress;
  /** The current repository, `owner/name`: what an address without one means. */
  readonly repository: string;
  /** The id of the current repository; undefined: GitHub is asked. */
  readonly repositoryId?: number | undefined;
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly serverUrl: string;
  readonly token: string;
  /**
   * The workflow's own token, which cannot write secrets: a `token` equal to it is refused before
   * any request.
   */
  readonly workflowToken: string | undefined;
  readonly connect: Connect;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

// https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/
const TOKEN_KINDS = {
  ghs_: 'a GitHub App installation token; it lives an hour',
  github_pat_: 'a fine-grained personal access token',
  ghp_: 'a classic personal access token',
  gho_: 'an OAuth token',
  ghu_: 'a GitHub App user token',
};

/** An Actions secret, with the state in a variable next to it. */
export class GitHubStore implements LinkStore {
  readonly names: StoreNames;
  // https://docs.github.com/actions/reference/workflows-and-actions/variables: a variable has room
  // for 48 KB.
  readonly can = { guard: 'claims', shows: 'date', maxStateBytes: 48_000 } as const;
  // Claims keep other runs out while one writes. Each is a variable next to that of the state:
  // GitHub creates a variable only once.
  readonly claims: Claims;
  readonly #init: GitHubStoreInit;
  readonly #settings: GitHubSettings;
  readonly #secret: GitHubSecret;
  /** Known after `preflight`. */
  #signedAddress: string | undefined;
  /** The secret as it was last read; undefined: it does not exist, or was not read yet. */
  #existing: SecretMetadata | undefined;
  /** Which repositories see the secret, read when it is first needed after a reading. */
  #access: Promise<SettingAccess | undefined> | undefined;

  constructor(init: GitHubStoreInit) {
    const target = targetOf(init.address, init.repository);
    const name = init.address.name;
    const settings = new GitHubSettings(target, name, init.connect);
    this.#init = init;
    this.#settings = settings;
    this.claims = claimsAmong(
      {
        create: async (variable, value, signal) => {
          // In an organization, GitHub needs to know for each variable which repositories see it.
          const access = await this.#accessOfSecret(signal);
          return settings.withSignal(signal).createVariable(variable, value, access);
        },
        find: async (variable, signal) => {
          const claim = await settings.withSignal(signal).variable(variable);
          return claim && { text: claim.value, writtenAtMs: readTime(claim.updated_at) };
        },
        names: (signal) => settings.withSignal(signal).variableNames(),
        remove: (variable, signal) => settings.withSignal(signal).removeVariable(variable),
      },
      settings.stateName,
    );
    this.#secret = new GitHubSecret(settings, init.clock, init.signal);
    const where = settings.scope.name;
    this.names = {
      destination: formatAddress(init.address),
      name,
      target: where,
      link: `secret ${name} of ${where}`,
      state: `variable ${settings.stateName} of ${where}`,
      stateRight: ADVICE[target.scope].variables,
    };
  }

  get signedAddress(): string {
    return known(this.#signedAddress);
  }

  /** The public key is read now, which shows that the token reaches the secret. */
  async preflight(): Promise<readonly CheckResult[]> {
    const token = this.#init.token;
    const target = this.#settings.target;
    if (token === this.#init.workflowToken) throw workflowTokenError(target);
    const { publicKey, scopes } = await readPublicKey(this.#settings);
    this.#secret.publicKey = publicKey;
    const holderId = this.#currentHolder ?? (await this.#settings.holderId());
    const { serverUrl, address } = this.#init;
    this.#signedAddress = signedAddressOf(serverUrl, target, holderId, address.name);
    const prefixes = Object.entries(TOKEN_KINDS);
    const tokenKind = prefixes.find(([prefix]) => token.startsWith(prefix))?.[1];
    const described = tokenKind ?? 'a token of an unknown kind';
    return [
      {
        what: 'secret-token',
        outcome: tokenKind === undefined ? 'unknown' : 'ok',
        detail: scopes ? `${described}; scopes: ${scopes}` : described,
      },
      // GitHub shows a token's permission to write only when it is used.
      unknown(
        ADVICE[target.scope].secrets,
        'Reading works; whether the token may write is known only at the first write.',
      ),
    ];
  }

  /** The id of the run's own repository, if the destination is in it: it is known. */
  get #currentHolder(): number | undefined {
    const { repository, repositoryId } = this.#init;
    const target = this.#settings.target;
    if (target.scope === 'organization') return undefined;
    return target.repository.toLowerCase() === repository.toLowerCase() ? repositoryId : undefined;
  }

  async read(seen?: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    // Secret and variable are two requests: if only the state is wanted, one is enough.
    if (seen !== undefined) {
      return { link: seen.link, ...(await this.#readState(signal)) };
    }
    // Each reading reads again who sees the secret.
    this.#access = undefined;
    this.#existing = await this.#secret.readMetadata(signal);
    // Throws now, and not only after the export, if the address lacks what a new secret needs.
    await this.#accessOfSecret(signal);
    return { ...linkIn(this.#existing), ...(await this.#readState(signal)) };
  }

  // A store with claims is given the link or the state, never both at once. Only a state is written
  // after a cancellation, so that the link has no other signal than that of the run.
  async write(change: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    if (change.link !== undefined) {
      const write = {
        value: change.link,
        access: await this.#accessOfSecret(),
        formerSecret: seen.link,
      };
      // `foreignContent` stays: GitHub shows the value no more than before.
      return { ...seen, link: { writtenAtMs: await this.#secret.write(write) } };
    }
    if (change.state !== undefined) {
      const access = await this.#accessOfSecret(signal);
      const isNew = seen.state === undefined;
      await this.#settings.withSignal(signal).writeState(change.state, access, isNew);
      // The reply has no date, and the date of the former state no longer counts.
      return { ...seen, state: change.state, stateWrittenAtMs: undefined };
    }
    return seen;
  }

  /** Which repositories see the secret; undefined: it is not one of an organization. */
  #accessOfSecret(signal?: AbortSignal): Promise<SettingAccess | undefined> {
    const address = this.#init.address;
    // Only an address of an organization says which repositories see the secret.
    const wanted = address.scope === 'organization' ? address : {};
    this.#access ??= readAccess(this.#settings.withSignal(signal), wanted, this.#existing);
    return this.#access;
  }

  #readState(signal?: AbortSignal): Promise<StateContent> {
    const settings = this.#settings.withSignal(signal);
    return ifReadable(settings.variable(settings.stateName), (variable) => ({
      state: variable?.value,
      stateWrittenAtMs: readTime(variable?.updated_at),
    }));
  }
}

/** What the secret says about the link. GitHub shows no value: it may be something else. */
function linkIn(existing: SecretMetadata | undefined): LinkContent {
  if (existing === undefined) return { link: undefined };
  return { link: { writtenAtMs: readTime(existing.updated_at) }, foreignContent: UNSEEN };
}
