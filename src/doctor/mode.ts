import { defineMode } from '../run/finish.ts';
import { runDoctor } from './doctor.ts';
import { doctorPresentation } from './summary.ts';

export const doctorMode = defineMode({ run: runDoctor, ...doctorPresentation });
