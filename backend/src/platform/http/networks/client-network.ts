import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The address of the client, or null: a proxy hands on whatever it was told, and what is no address is neither counted
 * nor kept. An IPv4 address is written as such, also where a socket for both families gives it as an IPv6 one. Nothing
 * else in the product reads where a request says it comes from.
 */
export function clientAddressOf({ ip = '' }: { readonly ip?: string | undefined }): string | null {
  if (isIP(ip) === 0) return null;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : ip;
}

/** The network of the client, see `networkOf`. */
export const clientNetworkOf = (request: { readonly ip?: string | undefined }): string =>
  networkOf(clientAddressOf(request));

/**
 * Whom a limit by address counts: an IPv4 address, or of IPv6 the network (/64) that one household or server has to
 * itself, because whoever has one address of it has all of them. Everybody without an address is counted together.
 * @param address of the client, or its network; null when it is not known
 */
export function networkOf(address: string | null | undefined): string {
  const bare = clientAddressOf({ ip: (address ?? '').replace(/\/64$/, '') })?.replace(/%.*$/, '') ?? '';
  if (!isIPv6(bare)) return bare;
  const [front = [], back] = bare.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = back === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  const groups = [...front, ...zeros, ...(back ?? [])].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
