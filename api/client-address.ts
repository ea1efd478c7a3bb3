/**
 * The network a request came from, as sign-in limits count it: the whole IPv4 address, the first 64 bits of
 * an IPv6 one, since a single client commonly owns all the rest.
 */
import { isIPv4, isIPv6 } from 'node:net';

const MAPPED_IPV4 = '::ffff:';

function ipv6Network(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8).fill('0');
  return [...groups, ...zeros.slice(groups.length + rest.length), ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Null when the socket has no address any more. */
export function clientNetwork(remoteAddress: string | undefined): string | null {
  if (remoteAddress === undefined) return null;
  const address = remoteAddress.toLowerCase().startsWith(MAPPED_IPV4)
    ? remoteAddress.slice(MAPPED_IPV4.length)
    : remoteAddress;
  if (isIPv4(address)) return address;
  return isIPv6(address) ? ipv6Network(address) : null;
}
