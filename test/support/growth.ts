const PARTS = 16;
// Some machines count processor time in steps of 10 ms.
const LEAST_MICROSECONDS = 30_000;
const MOST_ROUNDS = 2000;

/**
 * How much more a work on a text costs than the same work on its sixteen parts: about 1 where it is linear, 16 where it is
 * quadratic. Counted in processor time of this process, so that a busy machine changes little, and over as many rounds as
 * it takes to count enough of it.
 */
export function measureGrowth(work: (text: string) => unknown, text: string): number {
  const size = Math.floor(text.length / PARTS);
  const parts = Array.from({ length: PARTS }, (_, index) => text.slice(index * size, (index + 1) * size));
  const onParts = () => {
    for (const part of parts) work(part);
  };
  // Once for the compiler.
  onParts();
  return meanTime(() => work(text)) / meanTime(onParts);
}

function meanTime(action: () => void): number {
  const start = process.cpuUsage();
  let rounds = 0;
  let spent = 0;
  while (spent < LEAST_MICROSECONDS && rounds < MOST_ROUNDS) {
    action();
    rounds += 1;
    const { user, system } = process.cpuUsage(start);
    spent = user + system;
  }
  return Math.max(1, spent) / rounds;
}
