import type { Deps } from '../deps.ts';
import type { ExportFacts } from './summary.ts';

export type ExportDeps = Deps<ExportFacts>;
