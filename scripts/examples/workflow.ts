import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';
import type { PermissionName, Permissions } from '../../emulator/src/github/emulator.ts';

const step = z.looseObject({ id: z.optional(z.string()), uses: z.optional(z.string()) });
const permissions = z.optional(z.union([z.string(), z.record(z.string(), z.string())]));
const job = z.looseObject({ permissions, steps: z.array(step) });
const workflow = z.looseObject({
  name: z.optional(z.string()),
  permissions,
  jobs: z.record(z.string(), job),
});

export interface WorkflowJob {
  readonly id: string;
  /**
   * Permissions of the workflow's token in this job: the job's `permissions:`, else the workflow's.
   */
  readonly permissions: Readonly<Record<string, string>>;
  /** `owner/name@ref` or `owner/name/folder@ref`, of each step that uses an action. */
  readonly uses: readonly string[];
}

/** Whether the text is a whole workflow, with any permissions. */
export function isWorkflow(text: string): boolean {
  const [document, ...more] = parseAllDocuments(text);
  const shape = z.looseObject({ on: z.unknown(), jobs: z.record(z.string(), z.unknown()) });
  return more.length === 0 && shape.safeParse(document?.toJS()).success;
}

/** undefined: the text is not a workflow. */
export function readWorkflow(text: string): readonly WorkflowJob[] | undefined {
  const parsed = workflow.safeParse(parse(text));
  if (!parsed.success) return undefined;
  return Object.entries(parsed.data.jobs).map(([id, each]) => ({
    id,
    permissions: readPermissions(each.permissions ?? parsed.data.permissions),
    uses: each.steps.flatMap(({ uses }) => uses ?? []),
  }));
}

function readPermissions(
  given: string | Record<string, string> | undefined,
): Record<string, string> {
  if (typeof given === 'object') return given;
  // One word means all permissions, and without it the repository's settings decide: neither is
  // least privilege.
  throw new Error(`permissions: must be a map of single permissions, not ${given ?? 'left out'}`);
}

/** Permissions that published actions need, from their documentation. */
const NEEDS: readonly {
  readonly action: RegExp;
  readonly needs: Readonly<Record<string, 'read' | 'write'>>;
}[] = [
  { action: /^actions\/checkout@/, needs: { contents: 'read' } },
  { action: /^actions\/configure-pages@/, needs: { pages: 'read' } },
  { action: /^actions\/deploy-pages@/, needs: { pages: 'write', 'id-token': 'write' } },
  { action: /^aws-actions\/configure-aws-credentials@/, needs: { 'id-token': 'write' } },
  { action: /^docker\/login-action@/, needs: { packages: 'write' } },
  {
    action: /^actions\/attest-build-provenance@/,
    needs: { 'id-token': 'write', attestations: 'write' },
  },
];

/** One line for each permission that an action of the job needs and the job does not grant. */
export function missingPermissions({ id, permissions: granted, uses }: WorkflowJob): string[] {
  return uses.flatMap((name) =>
    NEEDS.filter(({ action }) => action.test(name)).flatMap(({ needs }) =>
      Object.entries(needs)
        .filter(
          ([permission, level]) => granted[permission] !== level && granted[permission] !== 'write',
        )
        .map(
          ([permission, level]) =>
            `job ${id}: ${name.replace(/@.*/, '')} needs the permission ${permission}: ${level}`,
        ),
    ),
  );
}

const EMULATED: readonly PermissionName[] = [
  'actions',
  'checks',
  'contents',
  'deployments',
  'issues',
  'pull_requests',
];

/**
 * The job's permissions with the names of the emulated GitHub; permissions that it does not emulate
 * are left out.
 */
export function tokenPermissions(granted: Readonly<Record<string, string>>): Permissions {
  const entries = EMULATED.flatMap((name) => {
    const level = granted[name.replaceAll('_', '-')];
    return level === 'read' || level === 'write' ? [[name, level] as const] : [];
  });
  return Object.fromEntries(entries);
}
