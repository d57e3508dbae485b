import type { Deps } from '../run/context.ts';
import type { ExportFacts } from './export-summary.ts';

export type ExportDeps = Deps<ExportFacts>;
