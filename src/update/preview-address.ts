import { CourierError } from '../errors.ts';
import { isPrivateAddress } from '../http/hosts.ts';
import { linkPolicy } from '../platform/link.ts';
import { isLoopback, parseUrl } from '../text/names.ts';

interface Origin {
  readonly baseUrl: string;
  readonly allowPrivateHosts: boolean;
}

// What needs no quoting in a shell or in Markdown, and what separates the parts of a query.
const PLAIN = /^https?:\/\/[\w.~:/?@%+=,&#[\]-]{1,1000}$/;

/** The address of a preview, as it may be shown and passed on. Throws `protocol`; the message does not contain it. */
export function checkPreviewUrl(raw: string | undefined, origin: Origin): string {
  const url = raw === undefined ? undefined : parseUrl(raw);
  const fault = url === undefined ? 'no address that can be read' : faultOf(url, origin);
  if (url !== undefined && fault === undefined) return url.href;
  throw new CourierError({
    code: 'protocol',
    message: `The preview was made, but the platform gave ${fault}. It is not shown.`,
    hint: "Open the preview on the platform's dashboard, and report the address to the platform.",
  });
}

/** Completes "the platform gave …". */
function faultOf(url: URL, { baseUrl, allowPrivateHosts }: Origin): string | undefined {
  const { protocol, username, password, hostname, href } = url;
  const policy = linkPolicy(baseUrl, allowPrivateHosts);
  if (username !== '' || password !== '') return 'an address with a user name or a password';
  if (!PLAIN.test(href)) return 'something else than a web address';
  if (isLoopback(hostname)) return policy.allowLoopback ? undefined : 'an address that leads to this machine itself';
  if (protocol !== 'https:') return 'an address that is not https';
  const isInside = isPrivateAddress(hostname.replace(/^\[|\]$/g, ''));
  return isInside && !policy.allowPrivateHosts
    ? 'an address of a private network (allow-private-hosts: true accepts it)'
    : undefined;
}
