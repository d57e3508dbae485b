const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
// RFC 3339 with an offset: a local time without one could be off by half a day.
const RFC_3339 = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})[Tt ]${TIME}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:?\\d{2})$`);
// RFC 9110, section 5.6.7: the one form of dates in HTTP headers that senders must use.
const IMF_FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d{2}) ([A-Z][a-z]{2}) (\\d{4}) (${TIME}) GMT$`);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * A time in epoch milliseconds, from RFC 3339 with an offset or from the date of an HTTP header. undefined: another form, or a day
 * that does not exist: `Date.parse` reads 30 February as 2 March.
 */
export function readTime(text: string | null | undefined): number | undefined {
  return readRfc3339(text ?? '') ?? readHttpDate(text ?? '');
}

function readRfc3339(text: string): number | undefined {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  const timeMs = Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** As `readTime`, for the date of an HTTP header alone. */
export function readHttpDate(text: string): number | undefined {
  const [, day, name = '', year, time] = IMF_FIXDATE.exec(text) ?? [];
  const month = String(MONTHS.indexOf(name) + 1).padStart(2, '0');
  return readRfc3339(`${year}-${month}-${day}T${time}Z`);
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
