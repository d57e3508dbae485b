/** `1 page`, `3 pages`, `1,200 pages`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  // Not toLocaleString: its first call takes 25 ms, and nearly every run writes a count.
  const noun = count === 1 ? singular : plural;
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${noun}`;
}

/** At most this many lines, and how many more there are in one more line: `- and 3 more`. */
export function firstLines(lines: readonly string[], most: number, mark = '- '): string[] {
  const first = lines.slice(0, most);
  if (lines.length > most) first.push(`${mark}and ${lines.length - most} more`);
  return first;
}

/** `412 B`, `3.4 KiB`, `1.2 GiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  // 1024 is 2 to the power of 10.
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}

const SPANS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** The two largest units that matter: `2 d 3 h`, `12 min 5 s`, `8 s`, `0.4 s`. */
export function formatDuration(ms: number): string {
  const total = Math.max(0, ms);
  if (total < 1000) return `${(total / 1000).toFixed(1)} s`;
  let rest = Math.round(total / 1000) * 1000;
  const parts: string[] = [];
  for (const [unit, size] of SPANS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    // After a larger unit, 0 counts as the second of the two: `1 h`, and not `1 h 5 s`.
    if (count > 0 || parts.length > 0) parts.push(`${count} ${unit}`);
  }
  // `2 d`, and not `2 d 0 h`.
  return parts
    .slice(0, 2)
    .filter((part) => !part.startsWith('0 '))
    .join(' ');
}

/** As people write it in an input: `30m`, `2h`, `90s`. */
export function writeDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  // 0 could be written with each unit.
  if (seconds === 0) return '0s';
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  if (seconds % 60 === 0) return `${seconds / 60}m`;
  return `${seconds}s`;
}

/** `2026-03-01 12:00 UTC`. */
export function formatInstant(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `in 3 d 4 h` or `12 min ago`. */
export function formatRelative(instant: Date, nowMs: number): string {
  const distance = instant.getTime() - nowMs;
  if (distance < 0) return `${formatDuration(-distance)} ago`;
  return `in ${formatDuration(distance)}`;
}
