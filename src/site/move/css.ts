import { forEachAddress } from '../verify/references.ts';
import { addPatches, type Exchange, type Patch } from './exchange.ts';

/** The patches of a style sheet: only of what browsers take for an address in it. */
export function patchesOfCss(css: string, exchange: Exchange): Patch[] {
  const patches: Patch[] = [];
  if (!css.includes(exchange.name)) return patches;
  forEachAddress(css, ({ 1: token, 2: start }) => {
    // Without the spaces that may be before the address.
    const bracket = /^url\(\s*/i.exec(token)?.[0] ?? '';
    const inToken = exchange.find(token.slice(bracket.length), 'value');
    addPatches(patches, inToken, start + bracket.length);
  });
  return patches;
}
