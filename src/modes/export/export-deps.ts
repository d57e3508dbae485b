import type { Deps } from '../../deps.ts';
import type { ExportFacts } from '../../report/export-summary.ts';

export type ExportDeps = Deps<ExportFacts>;
