import { defineMode } from '../execute.ts';
import { runRollback } from './rollback.ts';
import { rollbackPresentation } from './summary.ts';

export const rollbackMode = defineMode({ run: runRollback, ...rollbackPresentation });
