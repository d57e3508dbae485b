import type { Opening } from '../kind.ts';
import type { LinkStore } from '../port.ts';

/** A program that the link is handed to. Only the command line has such a destination. */
export interface CommandAddress<State> {
  readonly scheme: 'command';
  readonly words: readonly string[];
  /** The destination that keeps the state. */
  readonly state: State;
}

export const command = {
  // The name of the program, without its folder and its arguments, which may be private.
  format: (address: CommandAddress<unknown>) =>
    `command:${address.words[0]?.split(/[\\/]/).at(-1)}`,
  /** `state`: the store that keeps the state. */
  open: async (
    address: CommandAddress<unknown>,
    opening: Opening,
    state: LinkStore,
  ): Promise<LinkStore> => {
    const { CommandStore } = await import('./store.ts');
    return new CommandStore({
      ...opening,
      words: address.words,
      env: opening.run.programEnv ?? {},
      workspace: opening.run.workspace,
      isCheckout: opening.run.kind !== 'local',
      state,
    });
  },
};
