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

/**
 * The same where less than `least` is of no use: the largest needs get nothing, until every other has at least that (or all
 * that it needs).
 */
export function shareUsefully(needs: readonly number[], budget: number, least: number): number[] {
  const order = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need || a.index - b.index);
  let sum = 0;
  const served = order.filter(({ need }) => {
    sum += Math.min(need, least);
    return sum <= budget;
  });
  const given = shareBudget(
    served.map(({ need }) => need),
    budget,
  );
  const shares = needs.map(() => 0);
  for (const [position, { index }] of served.entries()) shares[index] = given[position] ?? 0;
  return shares;
}
