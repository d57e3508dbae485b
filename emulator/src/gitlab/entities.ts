/** A CI/CD variable, with the names of GitLab's API. */
export interface Variable {
  readonly variable_type: 'env_var' | 'file';
  readonly key: string;
  /** Not shown if `hidden`. */
  readonly value: string;
  readonly hidden: boolean;
  readonly protected: boolean;
  readonly masked: boolean;
  /** The value is not expanded. */
  readonly raw: boolean;
  /** `*` for all environments. */
  readonly environment_scope: string;
  readonly description: string | null;
}

/** What a request says about a variable; undefined fields keep their value. */
export type VariableWrite = Partial<Omit<Variable, 'hidden'>> & {
  readonly masked_and_hidden?: boolean | undefined;
};

/** A project or a group. */
export interface VariableHolder {
  readonly kind: 'project' | 'group';
  readonly id: number;
  /** Such as `acme/docs`. */
  readonly path: string;
  /**
   * Environment scopes of groups need a paid tier; without it they are ignored. Projects always
   * have them.
   */
  readonly hasScopes: boolean;
}

/** Roles of members: https://docs.gitlab.com/api/members/#roles. */
export const LEVELS = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;

export interface TokenSeed {
  /** `job` is the job's own token, which has no access to variables. Default: `personal`. */
  readonly kind?: 'personal' | 'job' | undefined;
  /** Default: `['api']`. */
  readonly scopes?: readonly string[] | undefined;
  /** The role of the token's user, by full path of a project or group. */
  readonly roles?: Readonly<Record<string, keyof typeof LEVELS>> | undefined;
}

export interface HolderSeed {
  readonly path: string;
  readonly id?: number | undefined;
  /** For groups. Default: `true`. */
  readonly hasScopes?: boolean | undefined;
}

/** A request as it was received, without its body. */
export interface RecordedGitLabRequest {
  readonly method: string;
  /** The path below `/api/v4`, still escaped. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
  /** Set before the reply is sent; undefined: the connection was cut. */
  status: number | undefined;
}
