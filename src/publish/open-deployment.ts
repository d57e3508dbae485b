import type { ExportInputs, RefreshInputs, RollbackInputs } from '../inputs/inputs.ts';
import type { Deps } from '../run/context.ts';
import type { DeploymentRecord } from './deployment.ts';
import type { DeploymentFacts } from './deployment-facts.ts';
import type { Delivery } from './state/delivery.ts';

/** undefined: no `deployment-environment` is given, and nothing is loaded. */
export async function openDeployment(
  { deployment: asked, adminApiKey, live }: ExportInputs | RefreshInputs | RollbackInputs,
  deps: Deps<{ deployment: DeploymentFacts }>,
  delivery: Delivery | undefined,
): Promise<DeploymentRecord | undefined> {
  if (asked === undefined) return undefined;
  const { DeploymentRecord } = await import('./deployment.ts');
  return DeploymentRecord.open({ asked, adminApiKey, deps, delivery, environmentUrl: live?.url });
}
