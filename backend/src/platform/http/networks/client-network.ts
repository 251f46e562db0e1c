import { isIPv6 } from 'node:net';

/** An IPv4 address written as an IPv6 one (RFC 4291, 2.5.5.2), as a socket for both families gives it. */
const CLOTHED = /^::ffff:(?=\d+\.)/i;

/**
 * Whom a limit by address counts: an IPv4 address, or of IPv6 the network (/64) that one household or server has to
 * itself, because whoever has one address of it has all of them.
 * @param address of the client; null when it is not known
 */
export function networkOf(address: string | null | undefined): string {
  const bare = (address ?? '').replace(CLOTHED, '').replace(/%.*$/, '');
  if (!isIPv6(bare)) return bare;
  const [front = [], back] = bare.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = back === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  const groups = [...front, ...zeros, ...(back ?? [])].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
