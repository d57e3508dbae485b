import * as z from 'zod/mini';
import { CourierError, hasCode } from '../../errors.ts';
import { readReply } from '../../github/client.ts';
import { accessFields, type SettingAccess } from './access.ts';
import type { GitHubSettings } from './settings.ts';

const variable = z.object({ value: z.string(), updated_at: z.optional(z.string()) });
const MAX_ROUNDS = 3;

/** The Actions variable `<NAME>_STATE` next to a secret. `forbidden` is a token without the Variables permission. */
export class GitHubVariable {
  readonly #settings: GitHubSettings;
  readonly #name: string;
  readonly #access: SettingAccess | undefined;

  /** In an organization the variable is seen by those who see the secret. */
  constructor(settings: GitHubSettings, access: SettingAccess | undefined) {
    this.#settings = settings;
    this.#name = stateName(settings.name);
    this.#access = access;
  }

  /** undefined: there is no such variable. */
  async read(): Promise<{ value: string; writtenAtMs: number | undefined } | undefined> {
    try {
      const { data } = await this.#settings.call('variables', `read variable ${this.#name}`, (octokit) =>
        octokit.request(`GET ${this.#settings.scope.path}/variables/{variable}`, this.#named),
      );
      const { value, updated_at: updatedAt = '' } = readReply(variable, data);
      const writtenAtMs = Date.parse(updatedAt);
      return { value, writtenAtMs: Number.isNaN(writtenAtMs) ? undefined : writtenAtMs };
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  /** Sets it, whether it exists or not. */
  async write(value: string): Promise<void> {
    await this.#settings.call('variables', `write variable ${this.#name}`, () => this.#set(value));
  }

  // Not called `name`: that is the name of a field in the body, and the path's part must not become one.
  get #named() {
    return { ...this.#settings.scope.parameters, variable: this.#name };
  }

  async #set(value: string): Promise<void> {
    for (let round = 1; ; round += 1) {
      try {
        return await this.#update(value);
      } catch (error) {
        if (!hasCode(error, 'not-found')) throw error;
      }
      try {
        return await this.#create(value);
      } catch (error) {
        // Made by someone else meanwhile, or perhaps by this very call, whose reply was lost: the update decides.
        const mayExist = hasCode(error, 'conflict') || (error instanceof CourierError && error.mayHaveStarted);
        if (!mayExist || round === MAX_ROUNDS) throw error;
      }
    }
  }

  async #update(value: string): Promise<void> {
    await this.#settings.request((octokit) =>
      octokit.request(`PATCH ${this.#settings.scope.path}/variables/{variable}`, {
        ...this.#named,
        value,
        ...accessFields(this.#access),
      }),
    );
  }

  async #create(value: string): Promise<void> {
    const { path, parameters } = this.#settings.scope;
    await this.#settings.request((octokit) =>
      octokit.request(`POST ${path}/variables`, {
        ...parameters,
        name: this.#name,
        value,
        ...accessFields(this.#access),
      }),
    );
  }
}

export function stateName(secretName: string): string {
  return `${secretName}_STATE`;
}
