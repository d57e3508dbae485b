import type { DoctorInputs } from '../inputs/inputs.ts';
import { type Check, type DoctorDeps, failed, ok, unknown } from './finding.ts';

/** Whether deployments can be read where `deployment-environment` is given; nothing is made. */
export async function checkDeployments(inputs: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  const asked = (inputs.rollback ?? inputs.refresh ?? inputs.export)?.deployment;
  if (asked === undefined) return [];
  const what = `Deployments of ${asked.environment}`;
  try {
    const { connectDeployments } = await import('../publish/deployment.ts');
    const api = await connectDeployments(asked, deps);
    const ours = await api.listOurs();
    return [
      ok(
        what,
        `github-token reads them: there ${ours.length === 0 ? 'is none of this action yet' : 'are some of this action'}.`,
      ),
      unknown(`${what}: write`, 'Whether one may be made shows only when a run begins.', {
        text: 'Give the job this permission:',
        permissions: { deployments: 'write' },
      }),
    ];
  } catch (error) {
    return [failed(what, error)];
  }
}
