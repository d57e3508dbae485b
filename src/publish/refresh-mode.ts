import { defineMode } from '../run/finish.ts';
import { runRefresh } from './refresh.ts';
import { refreshPresentation } from './refresh-summary.ts';

export const refreshMode = defineMode({ run: runRefresh, ...refreshPresentation });
