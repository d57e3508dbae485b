const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
// ISO 8601 with an offset, extended or basic: a local time without one could be off by half a day.
// A zone in brackets (RFC 9557) only names the offset.
const DATE = '(\\d{4})(-?)(\\d{2})\\2(\\d{2})';
const TIME = '([01]\\d|2[0-3])(:?)([0-5]\\d)(?:\\6([0-5]\\d)(?:[.,](\\d{1,9}))?)?';
const OFFSET = '(?:Z|UTC|GMT|([+-]\\d{2})(?::?(\\d{2}))?)(?:\\[[\\w/+-]{1,60}\\])?';
const ISO_8601 = new RegExp(`^${DATE}[T ]${TIME} ?${OFFSET}$`, 'i');
// RFC 9110, section 5.6.7: senders must use the first form, and recipients accept all three, those
// of RFC 850 and of asctime too.
const HTTP_DATES = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) (?<time>${CLOCK}) GMT`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\\d{2}) (?<time>${CLOCK}) GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) (?<time>${CLOCK}) (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * A time in epoch milliseconds, from ISO 8601 with an offset or from the date of an HTTP header.
 * undefined: the text has another form, or names a day that does not exist. (`Date.parse` reads 30
 * February as 2 March.)
 */
export function readTime(text: string | null | undefined): number | undefined {
  return readIso8601(text ?? '') ?? readHttpDate(text ?? '');
}

function readIso8601(text: string): number | undefined {
  const parts = ISO_8601.exec(text);
  if (parts === null) return undefined;
  // The groups that are left out are separators.
  const [
    ,
    year,
    ,
    month,
    day,
    hour,
    ,
    minute,
    second = '00',
    fraction = '0',
    offset = '+00',
    offsetMinute = '00',
  ] = parts;
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  const time = `${hour}:${minute}:${second}.${fraction}${offset}:${offsetMinute}`;
  const timeMs = Date.parse(`${year}-${month}-${day}T${time}`);
  // An offset such as `+99` is none.
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** As `readTime`, for the date of an HTTP header alone. */
export function readHttpDate(text: string): number | undefined {
  for (const form of HTTP_DATES) {
    const parts = form.exec(text)?.groups;
    if (parts === undefined) continue;
    const month = MONTHS.indexOf(parts['month'] ?? '') + 1;
    // No month has this name.
    if (month === 0) return undefined;
    const day = parts['day']?.replace(' ', '0');
    const iso = `${wholeYear(parts['year'])}-${String(month).padStart(2, '0')}-${day}`;
    return readIso8601(`${iso}T${parts['time']}Z`);
  }
  return undefined;
}

/** A year of two digits is one of this century: a server names a time near its own. */
function wholeYear(digits = ''): string {
  return digits.length === 2 ? `20${digits}` : digits;
}

/** True if the day exists. `Date` takes a day that does not exist for one of the next month. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
