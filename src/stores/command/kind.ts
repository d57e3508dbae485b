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
  // The name of the program, without its folder and its arguments, which may be private.
  format: (address) => `command:${address.words[0]?.split(/[\\/]/).at(-1)}`,
  open: async (address, opening) => {
    const { CommandStore } = await import('./store.ts');
    return new CommandStore({
      words: address.words,
      env: opening.run.programEnv ?? {},
      workspace: opening.run.workspace,
      isCheckout: opening.run.kind !== 'local',
      signal: opening.signal,
      state: opening.state,
    });
  },
};
