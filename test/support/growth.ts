const PARTS = 16;
// Some machines count processor time in steps of 10 ms.
const LEAST_MICROSECONDS = 30_000;
const MOST_ROUNDS = 2000;

/**
 * How much more work a text costs than its sixteen parts: about 1 if the work is linear, 16 if it is
 * quadratic. Measured in processor time of this process, so a busy machine changes little, and over as many rounds as
 * needed for a reliable figure.
 */
export function measureGrowth(work: (text: string) => unknown, text: string): number {
  const size = Math.floor(text.length / PARTS);
  const parts = Array.from({ length: PARTS }, (_, index) => text.slice(index * size, (index + 1) * size));
  const onParts = () => {
    for (const part of parts) work(part);
  };
  // One warm-up round for the compiler.
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
