import type { Clock } from '../../src/ground/clock.ts';
import { CourierError } from '../../src/ground/errors.ts';
import {
  type Claims,
  type LinkStore,
  linkDigest,
  numbersIn,
  type Snapshot,
  type StoreChange,
} from '../../src/stores/port.ts';

type Call = 'read' | 'write link' | 'write state' | 'create' | 'read claim' | 'list' | 'remove';

/** What a memory contains: one destination, with claims. */
export interface Memory {
  readonly clock: Clock;
  readonly shows: 'date' | 'value' | 'nothing';
  link: { readonly text: string; readonly atMs: number } | undefined;
  state: string | undefined;
  readonly claims: Map<number, { readonly text: string; readonly writtenAtMs: number }>;
  /** Every call of every store, in order. */
  readonly calls: Call[];
}

/** `effect` does what was asked for; what it throws, or this function, is the answer. */
export type Hook = (
  call: Call,
  effect: () => void,
  signal: AbortSignal | undefined,
) => Promise<void> | void;

export function memoryOf(clock: Clock, shows: Memory['shows'] = 'date'): Memory {
  return { clock, shows, link: undefined, state: undefined, claims: new Map(), calls: [] };
}

/** The reply to a request was lost. */
export function lostReply(): CourierError {
  return new CourierError({
    code: 'network',
    message: 'The connection was cut.',
    mayHaveActed: true,
  });
}

/** A store of one run over a memory. */
export function memoryStore(memory: Memory, hook: Hook = (_, effect) => effect()): LinkStore {
  const { clock, shows, calls } = memory;
  const call = async (name: Call, effect: () => void = () => {}, signal?: AbortSignal) => {
    calls.push(name);
    await hook(name, effect, signal);
  };
  const snapshot = (): Snapshot => {
    const { link, state } = memory;
    const shown =
      shows === 'date' ? { writtenAtMs: link?.atMs } : { digest: link && linkDigest(link.text) };
    return { link: link && (shows === 'nothing' ? {} : shown), state, version: undefined };
  };
  const claims: Claims = {
    async create(number, text, signal) {
      let isNew = false;
      const effect = () => {
        isNew = !memory.claims.has(number);
        if (isNew) memory.claims.set(number, { text, writtenAtMs: clock.now() });
      };
      await call('create', effect, signal);
      return isNew;
    },
    async read(number, signal) {
      await call('read claim', undefined, signal);
      return memory.claims.get(number);
    },
    async list(above, signal) {
      await call('list', undefined, signal);
      return numbersIn(
        [...memory.claims.keys()].map((number) => `x_${number}`),
        'x',
        above,
      );
    },
    remove: (number, signal) => call('remove', () => void memory.claims.delete(number), signal),
  };
  return {
    names: {
      destination: 'memory:LINK',
      name: 'LINK',
      target: 'memory',
      link: 'link LINK',
      state: 'state LINK_STATE',
      stateRight: 'right to write',
    },
    signedAddress: 'memory:link',
    can: { guard: 'claims', shows },
    claims,
    preflight: async () => [],
    async read(_seen, signal) {
      let shown = snapshot();
      const effect = () => {
        shown = snapshot();
      };
      await call('read', effect, signal);
      return shown;
    },
    async write({ link, state }: StoreChange, seen, signal) {
      if (link !== undefined) {
        await call(
          'write link',
          () => Object.assign(memory, { link: { text: link, atMs: clock.now() } }),
          signal,
        );
        return { ...snapshot(), state: seen.state };
      }
      await call('write state', () => Object.assign(memory, { state }), signal);
      return { ...seen, state };
    },
  };
}
