import * as z from 'zod/mini';
import { CourierError } from '../../errors.ts';
import type { Octokit } from '../../github/client.ts';
import { readReply } from '../../github/reply.ts';
import type { SecretTarget } from '../../inputs/inputs.ts';
import { accessFields, type SettingAccess } from './access.ts';
import { explainSettingError } from './advice.ts';
import { settingScope } from './scope.ts';

/** One Actions variable. Failures are CourierErrors; `forbidden` is a token without the Variables permission. */
export interface VariableStore {
  /** undefined: there is no such variable. */
  read(): Promise<string | undefined>;
  /** Sets it, whether it exists or not. */
  write(value: string): Promise<void>;
}

export interface VariableStoreInit {
  readonly octokit: Octokit;
  readonly target: SecretTarget;
  readonly name: string;
  /** Organization scope: the variable is seen by those who see the secret. */
  readonly access: SettingAccess | undefined;
}

const variable = z.object({ value: z.string() });

export function openVariable({ octokit, target, name, access }: VariableStoreInit): VariableStore {
  const { path, parameters } = settingScope(target);
  // Not called `name`: that is the name of a field in the body, and the path's part must not become one.
  const named = { ...parameters, variable: name };
  const explain = (error: unknown, verb: string) =>
    explainSettingError(error, { target, kind: 'variables', action: `${verb} variable ${name}` });
  const update = (value: string) =>
    octokit.request(`PATCH ${path}/variables/{variable}`, { ...named, value, ...accessFields(access) });
  const create = (value: string) =>
    octokit.request(`POST ${path}/variables`, { ...parameters, name, value, ...accessFields(access) });

  return {
    async read() {
      try {
        const { data } = await octokit.request(`GET ${path}/variables/{variable}`, named);
        return readReply(variable, data).value;
      } catch (error) {
        if (isCode(error, 'not-found')) return undefined;
        throw explain(error, 'read');
      }
    },
    async write(value) {
      try {
        await set({ update: () => update(value), create: () => create(value) });
      } catch (error) {
        throw explain(error, 'write');
      }
    },
  };
}

interface Ways {
  readonly update: () => Promise<unknown>;
  readonly create: () => Promise<unknown>;
}

const MAX_ROUNDS = 3;

async function set({ update, create }: Ways): Promise<void> {
  for (let round = 1; ; round += 1) {
    try {
      await update();
      return;
    } catch (error) {
      if (!isCode(error, 'not-found')) throw error;
    }
    try {
      await create();
      return;
    } catch (error) {
      // Made by someone else meanwhile, or perhaps by this very call, whose reply was lost: the update tells.
      const mayExist = isCode(error, 'conflict') || (error instanceof CourierError && error.mayHaveStarted);
      if (!mayExist || round === MAX_ROUNDS) throw error;
    }
  }
}

function isCode(error: unknown, code: CourierError['code']): boolean {
  return error instanceof CourierError && error.code === code;
}
