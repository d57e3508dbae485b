import type { DoctorInputs } from '../inputs/inputs.ts';
import { type Check, failed, ok, warning } from './finding.ts';
import type { DoctorDeps } from './summary.ts';

/** The workloads whose pods are restarted: that each exists and may be patched, and what a failure could not show. */
export async function checkRollout(inputs: DoctorInputs, deps: DoctorDeps): Promise<Check[]> {
  const link = inputs.refresh ?? inputs.rollback ?? inputs.export;
  if (link?.rollout === undefined) return [];
  const what = 'Rollout';
  const { makeRollout } = await import('../publish/after/rollout/step.ts');
  const rollout = makeRollout(link, link.rollout, { ...deps, record: () => {} });
  try {
    await rollout.check();
    const targets = rollout.plan().map(({ target }) => target);
    const found = ok(what, `${targets.join(', ')}: can be restarted.`);
    const missing = await rollout.missingRights();
    if (missing.length === 0) return [found];
    const detail = `The account lacks the right to ${missing.join(' and to ')}: where pods do not become ready, the run cannot say why.`;
    return [
      found,
      warning(`${what}: reasons`, detail, 'Add list for pods and events, and get for pods/log, to its Role.'),
    ];
  } catch (error) {
    return [failed(what, error)];
  }
}
