const PARTS = 16;
// Some machines count processor time in steps of 10 ms.
const LEAST_MICROSECONDS = 30_000;
const MOST_ROUNDS = 2000;

// What else the machine does can make a measurement worse, never better: one that shows linear work
// is enough.
const MOST_TRIES = 12;
const SURELY_LINEAR = 3;

/**
 * How much more work a text costs than its sixteen parts: about 1 if the work is linear, 16 if it
 * is quadratic. Measured in processor time of this process over as many rounds as needed for a
 * reliable figure; the least of up to twelve measurements, because a machine that is busy or
 * changes its speed in between makes single ones several times too high.
 */
export function measureGrowth(work: (text: string) => unknown, text: string): number {
  const size = Math.floor(text.length / PARTS);
  const parts = Array.from({ length: PARTS }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  const onParts = () => {
    for (const part of parts) work(part);
  };
  // One warm-up round for the compiler.
  onParts();
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < MOST_TRIES && least > SURELY_LINEAR; tries += 1) {
    least = Math.min(least, meanTime(() => work(text)) / meanTime(onParts));
  }
  return least;
}

/** Processor time of this process, in milliseconds: other processes do not change it much. */
export function processorMs(action: () => void): number {
  const start = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
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
