import { defineMode } from '../run/finish.ts';
import { runExport } from './export.ts';
import { exportPresentation } from './export-summary.ts';

export const exportMode = defineMode({ run: runExport, ...exportPresentation });
