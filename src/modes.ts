import type { Inputs, Mode } from './inputs/inputs.ts';
import type { RunnableMode } from './run/finish.ts';

type InputsOf<M extends Mode> = Extract<Inputs, { readonly mode: M }>;

/** Every mode, loaded only when it is asked for. */
const LOADERS: { readonly [M in Mode]: () => Promise<RunnableMode<InputsOf<M>>> } = {
  export: async () => (await import('./publish/publish.ts')).publishMode,
  refresh: async () => (await import('./publish/publish.ts')).publishMode,
  rollback: async () => (await import('./publish/publish.ts')).publishMode,
  agent: async () => (await import('./agent/mode.ts')).agentMode,
  doctor: async () => (await import('./doctor/doctor.ts')).doctorMode,
  plan: async () => (await import('./plan/plan.ts')).planMode,
  search: async () => (await import('./search/search.ts')).searchMode,
};

export function loadMode<M extends Mode>(mode: M): Promise<RunnableMode<InputsOf<M>>> {
  return LOADERS[mode]();
}
