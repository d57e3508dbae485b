import * as z from 'zod/mini';

// Fields of GitLab's API, as its OpenAPI description has them: https://docs.gitlab.com/api/project_level_variables/.
export const variableReply = z.object({
  key: z.string(),
  /** null where the variable is hidden. */
  value: z.nullable(z.string()),
  masked: z.boolean(),
  protected: z.boolean(),
  /** Versions before 15.7 have none. */
  raw: z.optional(z.boolean()),
  /** Versions before 17.4 have none. */
  hidden: z.optional(z.boolean()),
  /** Groups of the Free tier have none. */
  environment_scope: z.optional(z.string()),
});
export type GitLabVariable = z.infer<typeof variableReply>;

export const holderReply = z.object({ id: z.number() });
export const tokenReply = z.object({
  scopes: z.array(z.string()),
  expires_at: z.nullish(z.string()),
});

const message = z.union([z.string(), z.record(z.string(), z.unknown())]);
export const errorReply = z.object({
  message: z.optional(message),
  error: z.optional(message),
  error_description: z.optional(z.string()),
});
