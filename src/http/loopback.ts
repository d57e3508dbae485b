/** True for a name or address of this machine, as `URL.hostname` writes it. */
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
