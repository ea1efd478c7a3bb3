/** The proxies that are trusted to name a client's address. */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** `10.0.0.0/8`, `192.0.2.7`, `fd00::/8`: an address, or a network by its prefix length. */
const NETWORK = /^([^/\s]+)(?:\/(\d{1,3}))?$/;

/**
 * Reads addresses and networks separated by commas. Null when an entry is neither; an empty list trusts no proxy.
 */
export function parseTrustedProxies(text: string): BlockList | null {
  const trusted = new BlockList();
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, address = '', prefix] = NETWORK.exec(entry) ?? [];
    if (isIP(address) === 0) return null;
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    const longest = family === 'ipv4' ? 32 : 128;
    const length = prefix === undefined ? longest : Number(prefix);
    if (length > longest) return null;
    trusted.addSubnet(address, length, family);
  }
  return trusted;
}
