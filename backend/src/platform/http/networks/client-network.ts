import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns the client's address, or null: proxies pass on whatever they received, and invalid addresses are neither
 * counted nor stored. IPv4-mapped IPv6 addresses become IPv4. Nothing else in the product reads the client's address.
 */
export function clientAddressOf({ ip = '' }: { readonly ip?: string | undefined }): string | null {
  if (isIP(ip) === 0) return null;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : ip;
}

/** The client's network, see `networkOf`. */
export const clientNetworkOf = (request: { readonly ip?: string | undefined }): string =>
  networkOf(clientAddressOf(request));

/**
 * Returns what address-based limits count by: an IPv4 address, or the /64 network of an IPv6 address, because one
 * customer controls all of its addresses. Requests without an address are counted together.
 * @param address the client's address or network; null when unknown
 */
export function networkOf(address: string | null | undefined): string {
  const bare = clientAddressOf({ ip: (address ?? '').replace(/\/64$/, '') })?.replace(/%.*$/, '') ?? '';
  if (!isIPv6(bare)) return bare;
  const [front = [], back] = bare.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = back === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  const groups = [...front, ...zeros, ...(back ?? [])].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/**
 * Returns the wider network that one person may control without effort: the /24 of an IPv4 address, or the /48 of an
 * IPv6 address, which providers give to single customers.
 * @param address the client's address or network; null when unknown
 */
export function wideNetworkOf(address: string | null | undefined): string {
  const network = networkOf(address);
  if (network.endsWith('::/64')) return `${network.split(':').slice(0, 3).join(':')}::/48`;
  return network && `${network.split('.').slice(0, 3).join('.')}.0/24`;
}
