import { defineMode } from '../run/finish.ts';
import { runRollback } from './rollback.ts';
import { rollbackPresentation } from './rollback-summary.ts';

export const rollbackMode = defineMode({ run: runRollback, ...rollbackPresentation });
