import { defineMode } from '../execute.ts';
import { runExport } from './export.ts';
import { exportPresentation } from './summary.ts';

export const exportMode = defineMode({ run: runExport, ...exportPresentation });
