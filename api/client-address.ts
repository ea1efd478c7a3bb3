/**
 * The network a request came from, as sign-in limits count it: the whole IPv4 address, or the first 64 bits of
 * an IPv6 address, since a single client commonly owns all the rest.
 *
 * A sender may write anything into `X-Forwarded-For`. Each proxy appends the address that it was called from. So
 * the list is read from its end, and an entry counts only when a trusted proxy appended it.
 */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP, isIPv4, SocketAddress } from 'node:net';

const MAPPED_IPV4 = '::ffff:';
/** `[address]` or `[address]:port`, as some proxies write an IPv6 address. */
const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
/** An IPv4 address with the port it was called from. */
const WITH_PORT = /^([\d.]+):\d{1,5}$/;

/** The addresses of a request: the socket's, and every line of `X-Forwarded-For` in the order received. */
export interface Sender {
  readonly remoteAddress: string | undefined;
  readonly forwardedFor: readonly string[];
}

/** One spelling for each address, without zone and port, a mapped IPv4 address as IPv4; null for anything else. */
function canonicalAddress(text: string): string | null {
  const trimmed = text.trim();
  const bare = (BRACKETED.exec(trimmed) ?? WITH_PORT.exec(trimmed))?.[1] ?? trimmed;
  const [address = ''] = bare.split('%', 1);
  if (isIP(address) !== 6) return isIPv4(address) ? address : null;
  const { address: short } = new SocketAddress({ address, family: 'ipv6' });
  const mapped = short.startsWith(MAPPED_IPV4) ? short.slice(MAPPED_IPV4.length) : '';
  return isIPv4(mapped) ? mapped : short;
}

function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8).fill('0');
  return [...groups, ...zeros.slice(groups.length + rest.length), ...rest].slice(0, 4).join(':');
}

function isTrusted(address: string, trusted: BlockList): boolean {
  return trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/**
 * The network of the nearest address that is not a trusted proxy. A trusted proxy that names no address, or names
 * something else, counts as the client itself. Null when the socket has no address any more.
 */
export function clientNetwork(
  { remoteAddress, forwardedFor }: Sender,
  trusted: BlockList | null,
): string | null {
  let address = canonicalAddress(remoteAddress ?? '');
  if (address === null) return null;
  if (trusted === null) return networkOf(address);
  for (const hop of forwardedFor.join(',').split(',').toReversed()) {
    if (!isTrusted(address, trusted)) break;
    const before = canonicalAddress(hop);
    if (before === null) break;
    address = before;
  }
  return networkOf(address);
}

/** The network that the request came from, as `clientNetwork` says. */
export function networkOfRequest(
  { socket, headersDistinct }: IncomingMessage,
  trusted: BlockList | null,
): string | null {
  const forwardedFor = headersDistinct['x-forwarded-for'] ?? [];
  return clientNetwork({ remoteAddress: socket.remoteAddress, forwardedFor }, trusted);
}
