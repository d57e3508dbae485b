import { defineMode } from '../execute.ts';
import { runAgent } from './agent.ts';
import { agentPresentation } from './summary.ts';

export const agentMode = defineMode({ run: runAgent, ...agentPresentation });
