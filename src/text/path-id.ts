/** Longest id that we put into a path, and the characters that need no escaping there (RFC 3986, unreserved). */
const ID_PATTERN = /^[A-Za-z0-9._~-]{1,128}$/;

/** True for an id that can be one path segment: unreserved characters, and not `.` or `..`, which a URL resolves. */
export function isPathId(value: string): boolean {
  return ID_PATTERN.test(value) && !/^\.+$/.test(value);
}
