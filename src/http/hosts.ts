import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';

/** The code of the error with which a connection to a private address is refused. */
export const PRIVATE_ADDRESS = 'ERR_PRIVATE_ADDRESS';

// Every range of the IANA registries of special-purpose addresses (RFC 6890 and its updates, such
// as RFC 9602 and 9637) and of multicast, and former site-local addresses. Some are reachable from
// the whole internet (AS112, AMT, anycast of PCP and TURN), but no storage is there. IPv6 addresses
// that carry an IPv4 address are not listed, since the IPv4 address is checked instead: NAT64
// (64:ff9b::/96), 6to4 (2002::/16), mapped addresses. 168.63.129.16 is Azure's platform address
// (WireServer), a public one that only its machines reach.
const BLOCKED = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  ::/128 ::1/128 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001:db8::/32 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7
  fe80::/10 fec0::/10 ff00::/8 168.63.129.16/32`;

const blocked = new BlockList();
for (const range of BLOCKED.trim().split(/\s+/)) {
  const [net = '', prefix] = range.split('/');
  blocked.addSubnet(net, Number(prefix), isIPv4(net) ? 'ipv4' : 'ipv6');
}

/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address: string): number[] {
  // The URL parser brings every spelling, also a dotted end, into the one canonical form.
  const canonical = new URL(`http://[${withoutZone(address)}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const readGroups = (part: string) =>
    part.match(/[^:]+/g)?.map((group) => Number.parseInt(group, 16)) ?? [];
  const groups = readGroups(head);
  const tailGroups = readGroups(tail);
  // `::` stands for the zeros that are missing between the two; without it, all are in the head.
  while (groups.length + tailGroups.length < 8) groups.push(0);
  return [...groups, ...tailGroups];
}

/** `fe80::1` of `fe80::1%eth0`: the zone is the name of a network card of this machine. */
function withoutZone(address: string): string {
  return address.replace(/%.*/s, '');
}

/** The groups before an IPv4 address: compatible, mapped, translated, NAT64. */
const IPV4_PREFIX = /^(0:0:0:0:0:0|0:0:0:0:0:ffff|0:0:0:0:ffff:0|64:ff9b:0:0:0:0)$/;
/** The first group of an address of 6to4. */
const SIX_TO_FOUR = 0x2002;

/**
 * The IPv4 address that an IPv6 address carries: mapped, compatible, NAT64 (RFC 6052), 6to4 (RFC
 * 3056); undefined: it carries none.
 */
function embeddedIPv4(address: string): string | undefined {
  const groups = groupsOf(address);
  // Each group of IPv6 has two bytes of the IPv4 address.
  const dotted = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join('.');
  // 6to4 has it after the first group; all others have it at the end.
  if (groups[0] === SIX_TO_FOUR) return dotted(groups[1], groups[2]);
  const prefix = groups.slice(0, 6).map((group) => group.toString(16));
  if (!IPV4_PREFIX.test(prefix.join(':'))) return undefined;
  return dotted(groups[6], groups[7]);
}

/**
 * True for an address that is not reachable from the whole internet: loopback, private, link-local,
 * metadata, reserved. True also for a text that is not an address.
 */
export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) return blocked.check(address, 'ipv4');
  if (!isIPv6(address)) return true;
  // `::ffff:10.0.0.1` leads to 10.0.0.1: an address that is carried must not be private either.
  const carried = embeddedIPv4(address);
  return (
    blocked.check(withoutZone(address), 'ipv6') ||
    (carried !== undefined && isPrivateAddress(carried))
  );
}

function refusal(host: string): Error {
  return Object.assign(new Error(`${host} leads to a private address`), { code: PRIVATE_ADDRESS });
}

/**
 * An error if the host of the address is itself a private address; names are checked when they are
 * resolved.
 */
export function literalRefusal(url: URL): Error | undefined {
  // An IPv6 address is in brackets in a URL.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isPrivateAddress(host) ? refusal(host) : undefined;
}

/**
 * A resolver that gives only public addresses, and an error if a name has none. The socket connects
 * to the addresses that were checked: the name is not resolved again.
 */
export function publicLookup(resolve: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, resolved, family) => {
      if (error !== null) return done(error, []);
      // A resolver may give one address as a text, although all were asked for.
      const all =
        typeof resolved === 'string'
          ? [{ address: resolved, family: family ?? isIP(resolved) }]
          : resolved;
      const allowed = all.filter((entry) => !isPrivateAddress(entry.address));
      const [first] = allowed;
      if (first === undefined) return done(refusal(hostname), []);
      // The socket asks for all addresses, to try one after the other, or for one.
      return options.all ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
}
