import type { Clock } from '../../clock.ts';
import { CourierError, hasCode } from '../../errors.ts';
import { formatAddress, type GitHubAddress } from '../address.ts';
import type { CheckResult, LinkStore, SignedDestination, Snapshot, StoreChange, StoreNames } from '../port.ts';
import { type OrganizationAccess, readAccess, type SettingAccess } from './access.ts';
import { workflowTokenError } from './advice.ts';
import { checkGitHub } from './check.ts';
import { permissionAdvice } from './permissions.ts';
import { GitHubSecret, readTime } from './secret.ts';
import { type Connect, GitHubSettings } from './settings.ts';
import { type GitHubTarget, signedAddress, targetName } from './target.ts';
import { GitHubVariable, stateName } from './variable.ts';

export interface GitHubStoreInit extends OrganizationAccess {
  readonly address: GitHubAddress;
  /** The current repository, `owner/name`: what an address without one means. */
  readonly repository: string;
  /** `https://github.com`, or the address of a GitHub Enterprise Server. */
  readonly serverUrl: string;
  readonly token: string;
  /** The workflow's own token, which cannot write secrets: a `token` equal to it is refused before any request. */
  readonly workflowToken: string | undefined;
  readonly connect: Connect;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** An Actions secret, with the state in a variable next to it. */
export class GitHubStore implements LinkStore {
  readonly names: StoreNames;
  readonly signed: SignedDestination;
  // https://docs.github.com/actions/reference/workflows-and-actions/variables: a variable holds 48 KB.
  readonly can = { atomic: false, verify: 'date', maxStateBytes: 48_000 } as const;
  readonly #init: GitHubStoreInit;
  readonly #settings: GitHubSettings;
  readonly #secret: GitHubSecret;
  #access: SettingAccess | undefined;

  constructor(init: GitHubStoreInit) {
    const { address, connect, clock, signal } = init;
    const target = targetOf(address, init.repository);
    this.#init = init;
    this.#settings = new GitHubSettings(target, address.name, connect);
    this.#secret = new GitHubSecret(this.#settings, clock, signal);
    this.names = {
      destination: formatAddress(address),
      name: address.name,
      target: targetName(target),
      link: `secret ${address.name} of ${targetName(target)}`,
      state: `variable ${stateName(address.name)} of ${targetName(target)}`,
      stateRight: permissionAdvice(target.scope).variables,
    };
    this.signed = {
      address: signedAddress(hostOf(init.serverUrl), target, address.name),
      version1: { target: targetName(target).toLowerCase(), secretName: address.name },
    };
  }

  async open(): Promise<Snapshot> {
    const { token, workflowToken } = this.#init;
    if (token === workflowToken) throw workflowTokenError(this.#settings.target);
    await this.#secret.readKey();
    const existing = await this.#secret.readMetadata();
    this.#access = await readAccess(this.#settings, this.#init, existing);
    const link = existing && { writtenAtMs: readTime(existing) };
    return { link, version: undefined, ...(await this.#readState()) };
  }

  check(): Promise<readonly CheckResult[]> {
    const { token, workflowToken, connect } = this.#init;
    return checkGitHub({ settings: this.#settings, secret: this.#secret, token, workflowToken, connect });
  }

  async write({ link, state }: StoreChange, seen: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
    const settings = this.#settings.with(signal);
    if (link !== undefined) {
      const secret = new GitHubSecret(settings, this.#init.clock, signal ?? this.#init.signal);
      return { ...seen, link: { writtenAtMs: await secret.write(link, this.#access) } };
    }
    if (state !== undefined) {
      await new GitHubVariable(settings, this.#access).write(state);
      return { ...seen, state, stateWrittenAtMs: undefined };
    }
    return seen;
  }

  async #readState(): Promise<Pick<Snapshot, 'state' | 'stateWrittenAtMs' | 'stateError'>> {
    try {
      const found = await new GitHubVariable(this.#settings, this.#access).read();
      return { state: found?.value, stateWrittenAtMs: found?.writtenAtMs };
    } catch (error) {
      if (hasCode(error, 'forbidden') && error.lacksPermission) return { state: undefined, stateError: error };
      throw error;
    }
  }
}

function targetOf(address: GitHubAddress, current: string): GitHubTarget {
  switch (address.scope) {
    case 'repository':
      return { scope: 'repository', repository: address.repository ?? current };
    case 'environment':
      return { scope: 'environment', repository: address.repository ?? current, environment: address.environment };
    case 'organization':
      return { scope: 'organization', organization: address.organization };
  }
}

/** `github.com` of `https://github.com`. */
function hostOf(serverUrl: string): string {
  if (!URL.canParse(serverUrl)) {
    throw new CourierError({ code: 'config', message: `The address of the GitHub server, ${serverUrl}, is no URL.` });
  }
  return new URL(serverUrl).host;
}
