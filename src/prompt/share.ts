/**
 * Shares a budget among needs so that small ones are met whole before large ones are cut: whoever needs no more than an even
 * share gets all of it, and the rest is shared evenly among the others.
 */
export function shareBudget(needs: readonly number[], budget: number): number[] {
  const shares = needs.map(() => 0);
  const order = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need || a.index - b.index);
  let left = Math.max(0, budget);
  order.forEach(({ need, index }, position) => {
    const share = Math.min(need, Math.floor(left / (order.length - position)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}

interface UsefulNeed {
  readonly need: number;
  /** Less than this is of no use. */
  readonly least: number;
}

/**
 * The same where less than `least` is of no use: as many as can be get at least that, those that take little first; what is
 * left is shared among them, and the others get nothing.
 */
export function shareUsefully(needs: readonly UsefulNeed[], budget: number): number[] {
  const order = needs
    .map(({ least }, index) => ({ least, index }))
    .sort((a, b) => a.least - b.least || a.index - b.index);
  let spent = 0;
  const served = order.filter(({ least }) => {
    const fits = spent + least <= budget;
    if (fits) spent += least;
    return fits;
  });
  const more = shareBudget(
    served.map(({ index, least }) => (needs[index]?.need ?? least) - least),
    budget - spent,
  );
  const shares = needs.map(() => 0);
  for (const [position, { index, least }] of served.entries()) shares[index] = least + (more[position] ?? 0);
  return shares;
}
