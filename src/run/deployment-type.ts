import type { DeploymentType } from '../inputs/inputs.ts';
import { table } from '../text/markdown.ts';

type Availability = 'available' | 'configurable' | 'unavailable';

/** What a deployed site can do, per kind of deployment: the table of the platform's static-export documentation. */
const FEATURES: readonly { readonly name: string; readonly by: Readonly<Record<DeploymentType, Availability>> }[] = [
  {
    name: 'Documentation search',
    by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' },
  },
  { name: 'AI assistant', by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' } },
  { name: 'Web analytics', by: { cloud: 'available', 'client-hosted': 'configurable', 'air-gapped': 'unavailable' } },
  {
    name: 'API playground ("Try it")',
    by: { cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'configurable' },
  },
  { name: 'Static export bundle', by: { cloud: 'available', 'client-hosted': 'available', 'air-gapped': 'available' } },
];

const MARKS: Readonly<Record<Availability, string>> = {
  available: '✅ available',
  configurable: '⚙️ configurable: depends on how the environment is set up',
  unavailable: '❌ unavailable',
};

/** The features that a site has once it is deployed; nothing where the kind of deployment is not known. */
export function deploymentSection(type: DeploymentType | undefined): string | undefined {
  if (type === undefined) return undefined;
  const rows = FEATURES.map(({ name, by }) => [name, MARKS[by[type]]]);
  return `### What the ${type} site can do\n\n${table(['Feature', 'Availability'], rows)}`;
}
