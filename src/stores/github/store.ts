import type { Clock } from '../../clock.ts';
import { hasCode } from '../../errors.ts';
import { readTime } from '../../text/instants.ts';
import {
  type CheckResult,
  type Claims,
  type LinkStore,
  numbersIn,
  type Snapshot,
  type StoreChange,
  type StoreNames,
  UNSEEN,
  unlessExists,
} from '../port.ts';
import { formatAddress, type GitHubAddress } from './address.ts';
import type { GitHubLists } from './list.ts';
import { GitHubSecret, readPublicKey, type SecretMetadata } from './secret.ts';
import {
  type Connect,
  claimName,
  createVariable,
  GitHubSettings,
  listVariables,
  readAccess,
  readActionsVariable,
  removeVariable,
  type SettingAccess,
  type StoredVariable,
  stateName,
  writeVariable,
} from './settings.ts';
import { permissionAdvice, signedAddressOf, targetOf, workflowTokenError } from './target.ts';

export interface GitHubStoreInit {
  readonly address: GitHubAddress;
  /** The current repository, `owner/name`: what an address without one means. */
  readonly repository: string;
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly serverUrl: string;
  readonly token: string;
  /**
   * The workflow's own token, which cannot write secrets: a `token` equal to it is refused before
   * any request.
   */
  readonly workflowToken: string | undefined;
  readonly connect: Connect;
  /** Where many destinations of the run are read by list. */
  readonly lists?: GitHubLists | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** An Actions secret, with the state in a variable next to it. */
export class GitHubStore implements LinkStore {
  readonly names: StoreNames;
  readonly signedAddress: string;
  // https://docs.github.com/actions/reference/workflows-and-actions/variables: a variable has room
  // for 48 KB.
  readonly can = { guard: 'claims', shows: 'date', maxStateBytes: 48_000 } as const;
  readonly claims: Claims;
  readonly #init: GitHubStoreInit;
  readonly #settings: GitHubSettings;
  readonly #secret: GitHubSecret;
  /** As it was last read; `access` follows from it. */
  #existing: SecretMetadata | undefined;
  #access: Promise<SettingAccess | undefined> | undefined;
  #hasRead = false;

  constructor(init: GitHubStoreInit) {
    const { address, connect, clock, signal } = init;
    const { name } = address;
    this.#init = init;
    this.#settings = new GitHubSettings(targetOf(address, init.repository), name, connect);
    this.#secret = new GitHubSecret(this.#settings, clock, signal);
    const { target, scope } = this.#settings;
    this.names = {
      destination: formatAddress(address),
      name,
      target: scope.name,
      link: `secret ${name} of ${scope.name}`,
      state: `variable ${stateName(name)} of ${scope.name}`,
      stateRight: permissionAdvice(target.scope).variables,
    };
    this.claims = this.#makeClaims();
    this.signedAddress = signedAddressOf(init.serverUrl, target, name);
  }

  async preflight(): Promise<readonly CheckResult[]> {
    const { token, workflowToken } = this.#init;
    const { target } = this.#settings;
    if (token === workflowToken) throw workflowTokenError(target);
    const { key, scopes } = await this.#readKey();
    this.#secret.key = key;
    const kind = TOKEN_KINDS.find(([prefix]) => token.startsWith(prefix))?.[1];
    const detail = [kind ?? 'a token of an unknown kind', scopes && `scopes: ${scopes}`]
      .filter(Boolean)
      .join('; ');
    return [
      { what: 'secret-token', outcome: kind === undefined ? 'unknown' : 'ok', detail },
      // GitHub shows a token's permission to write only when it is used.
      {
        what: permissionAdvice(target.scope).secrets,
        outcome: 'unknown',
        detail: 'Reading works; whether the token may write is known only at the first write.',
      },
    ];
  }

  async read(seen?: Snapshot, part?: 'link' | 'state', signal?: AbortSignal): Promise<Snapshot> {
    if (seen !== undefined && part === 'link') {
      return { ...seen, link: linkOf(await this.#secret.readMetadata(signal)) };
    }
    if (seen !== undefined)
      return { link: seen.link, version: undefined, ...(await this.#readState(signal)) };
    const listed = this.#takeList();
    if (listed !== undefined) {
      const { secrets, variables } = await listed;
      const { name } = this.#settings;
      this.#existing = secrets.get(name);
      return this.#snapshot(variables.get(stateName(name)));
    }
    this.#existing = await this.#secret.readMetadata(signal);
    // Now: what the address lacks for a new secret must not show only after the export.
    await this.#readAccess();
    return { ...this.#snapshot(undefined), ...(await this.#readState(signal)) };
  }

  async write(
    { link, state }: StoreChange,
    seen: Snapshot,
    signal?: AbortSignal,
  ): Promise<Snapshot> {
    if (link !== undefined) {
      const write = { value: link, access: await this.#readAccess(), before: seen.link };
      return { ...seen, link: { writtenAtMs: await this.#secret.write(write) } };
    }
    if (state !== undefined) {
      const write = { name: this.#stateName, value: state, access: await this.#readAccess() };
      await writeVariable(this.#settings.with(signal), write, seen.state === undefined);
      return { ...seen, state, stateWrittenAtMs: undefined };
    }
    return seen;
  }

  /** Variables next to that of the state: GitHub creates one with a name only once. */
  #makeClaims(): Claims {
    const nameOf = (number: number) => claimName(this.#settings.name, number);
    return {
      create: async (number, value, signal) => {
        const write = { name: nameOf(number), value, access: await this.#readAccess() };
        return unlessExists(createVariable(this.#settings.with(signal), write));
      },
      read: async (number, signal) => {
        const found = await readActionsVariable(this.#settings.with(signal), nameOf(number));
        return found && { text: found.value, writtenAtMs: readTime(found.updated_at) };
      },
      list: async (above, signal) =>
        numbersIn(await listVariables(this.#settings.with(signal)), this.#stateName, above),
      remove: (number, signal) => removeVariable(this.#settings.with(signal), nameOf(number)),
    };
  }

  get #stateName(): string {
    return stateName(this.#settings.name);
  }

  async #readKey() {
    const list = this.#init.lists?.listFor(this.#settings);
    return list === undefined
      ? readPublicKey(this.#settings)
      : { key: (await list).key, scopes: undefined };
  }

  /** The list is as old as the run: it counts for the first reading alone. */
  #takeList() {
    const isFirst = !this.#hasRead;
    this.#hasRead = true;
    this.#access = undefined;
    return isFirst ? this.#init.lists?.listFor(this.#settings) : undefined;
  }

  #readAccess(): Promise<SettingAccess | undefined> {
    const { address } = this.#init;
    const wanted = address.scope === 'organization' ? address : {};
    this.#access ??= readAccess(this.#settings, wanted, this.#existing);
    return this.#access;
  }

  async #readState(
    signal?: AbortSignal,
  ): Promise<Pick<Snapshot, 'state' | 'stateWrittenAtMs' | 'stateError'>> {
    try {
      const found = await readActionsVariable(this.#settings.with(signal), this.#stateName);
      const { state, stateWrittenAtMs } = this.#snapshot(found);
      return { state, stateWrittenAtMs };
    } catch (error) {
      if (hasCode(error, 'forbidden') && error.lacksPermission)
        return { state: undefined, stateError: error };
      throw error;
    }
  }

  #snapshot(state: StoredVariable | undefined): Snapshot {
    const link = linkOf(this.#existing);
    const content = link && UNSEEN;
    return {
      link,
      content,
      state: state?.value,
      stateWrittenAtMs: readTime(state?.updated_at),
      version: undefined,
    };
  }
}

function linkOf(existing: SecretMetadata | undefined): Snapshot['link'] {
  return existing && { writtenAtMs: readTime(existing.updated_at) };
}

// https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/
const TOKEN_KINDS = [
  ['ghs_', 'a GitHub App installation token; it lives an hour'],
  ['github_pat_', 'a fine-grained personal access token'],
  ['ghp_', 'a classic personal access token'],
  ['gho_', 'an OAuth token'],
  ['ghu_', 'a GitHub App user token'],
] as const;
