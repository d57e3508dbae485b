import type { Variable, VariableHolder, VariableWrite } from './entities.ts';

// Maximum length of a value in characters:
// https://docs.gitlab.com/administration/instance_limits/#cicd-variable-limits.
const LONGEST_VALUE = 10_000;
// https://docs.gitlab.com/ci/variables/#mask-a-cicd-variable: which values can be masked depends on
// whether the value is expanded.
const MASKABLE = /^[a-zA-Z0-9_+=/@:.~-]{8,}$/;
const MASKABLE_RAW = /^\S{8,}$/;
const KEY = /^[A-Za-z0-9_]{1,255}$/;

/** Validation errors by field, as GitLab reports them. */
export type Problems = Readonly<Record<string, readonly string[]>>;

/** The variables of projects and groups. A key can occur once per environment scope. */
export class Variables {
  readonly #entries: { readonly holder: VariableHolder; variable: Variable }[] = [];

  list(holder: VariableHolder): Variable[] {
    return this.#of(holder).map(({ variable }) => variable);
  }

  /** All with this key, or the one with the given environment scope. */
  find(holder: VariableHolder, key: string, scope: string | undefined): Variable[] {
    return this.list(holder).filter(
      (one) => one.key === key && (scope === undefined || one.environment_scope === scope),
    );
  }

  create(
    holder: VariableHolder,
    write: VariableWrite & { readonly key: string; readonly value: string },
  ): Problems {
    const { masked_and_hidden: isHidden = false, ...fields } = write;
    const variable: Variable = {
      variable_type: 'env_var',
      protected: false,
      raw: false,
      environment_scope: '*',
      description: null,
      ...fields,
      hidden: isHidden,
      masked: isHidden || (write.masked ?? false),
    };
    const isTaken = this.find(holder, variable.key, variable.environment_scope).length > 0;
    const problems = isTaken
      ? { key: [`(${variable.key}) has already been taken`], ...problemsOf(variable) }
      : problemsOf(variable);
    if (Object.keys(problems).length === 0) this.#entries.push({ holder, variable });
    return problems;
  }

  update(holder: VariableHolder, before: Variable, write: VariableWrite): Problems {
    const { masked_and_hidden: _, ...fields } = write;
    const variable = { ...before, ...fields };
    if (before.hidden && variable.masked !== before.masked) {
      return {
        base: ['Updating masked attribute is not allowed on updates for hidden variables.'],
      };
    }
    const problems = problemsOf(variable);
    const entry = this.#of(holder).find((one) => one.variable === before);
    if (entry !== undefined && Object.keys(problems).length === 0) entry.variable = variable;
    return problems;
  }

  remove(holder: VariableHolder, variable: Variable): void {
    const index = this.#entries.findIndex(
      (one) => one.holder === holder && one.variable === variable,
    );
    if (index >= 0) this.#entries.splice(index, 1);
  }

  #of(holder: VariableHolder) {
    return this.#entries.filter((entry) => entry.holder === holder);
  }
}

function problemsOf({ key, value, masked, raw }: Variable): Problems {
  return {
    ...(!KEY.test(key) && { key: ["can contain only letters, digits and '_'."] }),
    ...(masked && !(raw ? MASKABLE_RAW : MASKABLE).test(value) && { value: ['is invalid'] }),
    ...(value.length > LONGEST_VALUE && { value: ['is too long (maximum is 10000 characters)'] }),
  };
}
