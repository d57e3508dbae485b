import { defineMode } from '../mode.ts';
import { runAgent } from './agent.ts';
import { agentPresentation } from './summary.ts';

export const agentMode = defineMode({ run: runAgent, ...agentPresentation });
