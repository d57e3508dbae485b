import { describe, expect, test } from 'vitest';
import type { Claims, LinkStore } from '../../src/stores/port.ts';
import type { Disturbance } from './fault-front.ts';
import { openStore } from './open-store.ts';

interface ClaimPlace extends AsyncDisposable {
  /** A store as another run opens it, always for the same destination. */
  makeStore(): LinkStore;
  /** A claim cannot be removed there. */
  readonly keepsClaims?: boolean | undefined;
  readonly disturb?: ((fault: Disturbance) => void) | undefined;
}

/** The claims of a store that another run has opened. */
async function openClaims(place: ClaimPlace): Promise<Claims> {
  const store = place.makeStore();
  await openStore(store);
  if (store.claims === undefined) throw new Error(`${store.names.destination} has no claims.`);
  return store.claims;
}

/** Texts as long as real ones, each with a token that no other run has. */
function textOf(run: string): string {
  return JSON.stringify({
    run,
    token: run.padEnd(64, '0'),
    signature: 'f'.repeat(64),
    text: 'á "b"\\ $c',
  });
}

/** What is true for the claims of every store that has them. */
export function describeClaims(name: string, start: () => Promise<ClaimPlace>): void {
  const scenario = (what: string, body: (place: ClaimPlace) => Promise<void>) =>
    test(what, async (context) => {
      await using place = await start();
      if (place.makeStore().can.guard !== 'claims') return context.skip();
      await body(place);
    });
  describe(`the claims next to a link in ${name}`, () => {
    scenario(
      'A claim is created once, and every run reads the text of the one that created it',
      async (place) => {
        const [one, other] = [await openClaims(place), await openClaims(place)];
        expect(await one.read(1)).toBeUndefined();
        expect(await one.create(1, textOf('a'))).toBe(true);
        expect(await other.create(1, textOf('b'))).toBe(false);
        expect(await one.create(1, textOf('c'))).toBe(false);
        expect([(await one.read(1))?.text, (await other.read(1))?.text]).toEqual([
          textOf('a'),
          textOf('a'),
        ]);
      },
    );

    scenario(
      'Of many runs that create a claim at the same time, one succeeds, and the text is that of this run',
      async (place) => {
        const runs = ['a', 'b', 'c', 'd', 'e'];
        const opened: Claims[] = [];
        for (const _ of runs) opened.push(await openClaims(place));
        const made = await Promise.all(
          opened.map((claims, index) => claims.create(7, textOf(runs[index] ?? ''))),
        );
        const winners = runs.filter((_, index) => made[index]);
        expect(winners).toHaveLength(1);
        expect((await opened[0]?.read(7))?.text).toBe(textOf(winners[0] ?? ''));
      },
    );

    scenario(
      'A claim whose reply was lost exists, and no other run can create it',
      async (place) => {
        if (place.disturb === undefined) return;
        const [one, other] = [await openClaims(place), await openClaims(place)];
        await one.create(1, textOf('a'));
        place.disturb({ kind: 'lose' });
        await one.create(2, textOf('b')).catch(() => undefined);
        expect((await other.read(2))?.text).toBe(textOf('b'));
      },
    );

    scenario('Claims are listed in their order, above a number, and only these', async (place) => {
      const claims = await openClaims(place);
      expect(await claims.list(0)).toEqual([]);
      for (const number of [8, 9, 11, 10])
        expect(await claims.create(number, textOf(`${number}`))).toBe(true);
      expect(await claims.list(7)).toEqual([8, 9, 10, 11]);
      expect(await claims.list(9)).toEqual([10, 11]);
      expect(await claims.list(11)).toEqual([]);
    });

    scenario(
      'Claims change neither the link nor the state, and neither is a claim',
      async (place) => {
        const claims = await openClaims(place);
        const store = place.makeStore();
        const before = await openStore(store);
        await claims.create(1, textOf('a'));
        const first = await store.read();
        expect(first.link).toEqual(before.link);
        expect(first.state).not.toBe(textOf('a'));
        await store.write({ state: '{"version":2}' }, first);
        await claims.create(2, textOf('b'));
        expect((await openStore(place.makeStore())).state).toBe('{"version":2}');
        expect((await claims.read(1))?.text).toBe(textOf('a'));
        expect(await claims.list(0)).toEqual([1, 2]);
      },
    );

    scenario(
      'A claim can be removed, even if it does not exist, and the state stays',
      async (place) => {
        const store = place.makeStore();
        await store.write({ state: '{"version":2}' }, await openStore(store));
        const claims = await openClaims(place);
        await claims.create(1, textOf('a'));
        await claims.create(2, textOf('b'));
        await claims.remove(1);
        await claims.remove(1);
        await claims.remove(5);
        expect((await claims.read(1))?.text).toBe(
          place.keepsClaims === true ? textOf('a') : undefined,
        );
        expect((await claims.read(2))?.text).toBe(textOf('b'));
        expect((await openStore(place.makeStore())).state).toBe('{"version":2}');
      },
    );
  });
}
