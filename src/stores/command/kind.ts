import type { Kind, Opening } from '../kind.ts';
import type { LinkStore } from '../port.ts';

/** A program that the link is handed to. Only the command line has such a destination. */
export interface CommandAddress<State> {
  readonly scheme: 'command';
  readonly words: readonly string[];
  /** The destination that keeps the state. */
  readonly state: State;
}

interface CommandOpening extends Opening {
  readonly state: LinkStore;
}

export const command: Kind<CommandAddress<unknown>, CommandOpening> = {
  // Without its arguments, which may be private.
  format: ({ words }) => `command:${words[0]?.split(/[\\/]/).at(-1)}`,
  open: async ({ words }, { run, signal, state }) => {
    const { CommandStore } = await import('./store.ts');
    const { programEnv: env = {}, workspace, kind } = run;
    return new CommandStore({ words, env, workspace, isCheckout: kind !== 'local', signal, state });
  },
};
