import { expect, test } from 'vitest';
import { runSchedule, type Schedule } from './schedules.ts';

const isSoak = process.env['SOAK'] === '1';
// `SCHEDULE_SEEDS=7-9` repeats these, with their logs.
const WANTED = process.env['SCHEDULE_SEEDS'];
const [FROM = 1, TO = FROM] = (WANTED ?? (isSoak ? '1-200' : '1-10')).split('-').map(Number);
// A process that waits for a claim takes no time of the processor.
const AT_ONCE = isSoak ? 8 : 4;

test(`Of ${TO - FROM + 1} random schedules of whole processes that are suspended and cancelled, none ends with an older export behind green runs`, {
  timeout: (TO - FROM + 1) * 60_000 + 300_000,
}, async () => {
  const waiting = Array.from({ length: TO - FROM + 1 }, (_, index) => FROM + index);
  const schedules: Schedule[] = [];
  const work = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const schedule = await runSchedule(seed);
      schedules.push(schedule);
      const { kind, story, violations, log } = schedule;
      if (isSoak || WANTED !== undefined)
        console.log(`seed ${seed} on ${kind}: ${story} ${violations.join('; ')}`);
      if (WANTED !== undefined) console.log(log);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const sum = (part: 'processes' | 'disturbed') =>
    schedules.reduce((total, schedule) => total + schedule[part], 0);
  if (isSoak)
    console.log(
      `soak: schedules: ${schedules.length}, ${sum('processes')} processes, ${sum('disturbed')} cancelled or suspended`,
    );
  const violations = schedules.flatMap(({ seed, kind, violations: found }) =>
    found.map((one) => `seed ${seed} (${kind}): ${one}`),
  );
  expect(violations).toEqual([]);
});
