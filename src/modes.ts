import type { PublishInputs } from './inputs/inputs.ts';
import type { InputsOf, ModeEntry, Modes } from './run/finish.ts';

/** What export, refresh and rollback have in common. */
const link = {
  neededKey: 'admin-api-key',
  keys: (inputs: PublishInputs) => ({ admin: inputs.adminApiKey }),
  load: async () => (await import('./publish/publish.ts')).publishMode,
} as const satisfies ModeEntry<PublishInputs>;

/** Mode `publish` requests an update of the project. The folder `publish` is for links. */
const publish: ModeEntry<InputsOf<'publish'>> = {
  neededKey: 'admin-api-key',
  keys: (inputs) => ({ admin: inputs.adminApiKey }),
  load: async () => (await import('./publish/update/mode.ts')).updateMode,
};

const agent: ModeEntry<InputsOf<'agent'>> = {
  neededKey: 'admin-api-key',
  keys: (inputs) => ({
    admin: inputs.adminApiKey,
    assistant: inputs.relatedDocs?.assistantApiKey,
  }),
  load: async () => (await import('./agent/mode.ts')).agentMode,
};

const search: ModeEntry<InputsOf<'search'>> = {
  neededKey: 'assistant-api-key',
  keylessWith: 'search-site',
  keys: (inputs) => ({ assistant: inputs.assistantApiKey }),
  load: async () => (await import('./search/search.ts')).searchMode,
};

const plan: ModeEntry<InputsOf<'plan'>> = {
  readsAllSites: true,
  keys: () => ({}),
  load: async () => (await import('./plan/plan.ts')).planMode,
};

const doctor: ModeEntry<InputsOf<'doctor'>> = {
  neededKey: 'admin-api-key',
  reportsMistakes: true,
  keys: (inputs) => ({ admin: inputs.adminApiKey, assistant: inputs.assistantApiKey }),
  load: async () => (await import('./doctor/doctor.ts')).doctorMode,
};

/** Every mode: what it needs, and how its code is loaded, which only the run of the mode does. */
export const MODES: Modes = {
  export: { ...link, keylessWith: 'from' },
  refresh: link,
  rollback: link,
  publish,
  agent,
  search,
  plan,
  doctor,
};
