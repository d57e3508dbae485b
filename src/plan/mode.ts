import { defineMode } from '../run/finish.ts';
import { runPlan } from './plan.ts';
import { planPresentation } from './summary.ts';

export const planMode = defineMode({ run: runPlan, ...planPresentation });
