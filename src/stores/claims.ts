import { alreadyExists, type Claims, ifFound, numbersIn } from './port.ts';

/** What a store can do with texts that have names, such as variables. */
interface NamedTexts {
  /** Called before a text is created; what it throws says nothing of that text. */
  prepare?(signal?: AbortSignal): Promise<void>;
  /** Throws `conflict` if there is a text of this name. */
  create(name: string, text: string, signal?: AbortSignal): Promise<unknown>;
  find(name: string, signal?: AbortSignal): ReturnType<Claims['read']>;
  /** Without this method, each number is asked for. */
  names?(signal?: AbortSignal): Promise<readonly string[]>;
  /** May throw `not-found` if there is no such text. */
  remove(name: string, signal?: AbortSignal): Promise<unknown>;
}

/** Claims as texts next to the state, unless `nameOf` says otherwise: `STATE_7` after its name. */
export function claimsAmong(
  texts: NamedTexts,
  state: string,
  nameOf = (number: number) => `${state}_${number}`,
): Claims {
  const read = (number: number, signal?: AbortSignal) => texts.find(nameOf(number), signal);
  return {
    read,
    async create(number, text, signal) {
      await texts.prepare?.(signal);
      try {
        await texts.create(nameOf(number), text, signal);
        return true;
      } catch (error) {
        if (alreadyExists(error)) return false;
        throw error;
      }
    },
    async list(above, signal) {
      const names = await texts.names?.(signal);
      if (names !== undefined) return numbersIn(names, state, above);
      return probe(above, (number) => read(number, signal));
    },
    async remove(number, signal) {
      await ifFound(texts.remove(nameOf(number), signal));
    },
  };
}

// So many missing numbers in a row end the search.
const LONGEST_GAP = 3;
// A bound on the calls, since each claim is asked for separately.
const MAX_CLAIMS = 20;

/**
 * The numbers of the claims above `above` in a store that does not list them, such as AWS: the
 * right to list would show all names in the account. Each number is asked for, until several in a
 * row are missing: a claim that was removed leaves a gap.
 */
async function probe(
  above: number,
  find: (number: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const numbers: number[] = [];
  let last = above;
  for (let number = above + 1; number <= last + LONGEST_GAP; number += 1) {
    if (numbers.length === MAX_CLAIMS) break;
    if ((await find(number)) === undefined) continue;
    numbers.push(number);
    last = number;
  }
  return numbers;
}
