import { defineMode } from '../execute.ts';
import { runRefresh } from './refresh.ts';
import { refreshPresentation } from './summary.ts';

export const refreshMode = defineMode({ run: runRefresh, ...refreshPresentation });
