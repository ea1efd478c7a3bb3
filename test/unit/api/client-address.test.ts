/** Which address a request counts for. */
import { BlockList } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clientNetwork } from '../../../api/client-address.ts';
import { parseTrustedProxies } from '../../../runtime/config/trusted-proxies.ts';

const of = (remoteAddress: string | undefined, forwardedFor: string[] = [], trusted = '') =>
  clientNetwork({ remoteAddress, forwardedFor }, parseTrustedProxies(trusted));

describe('the network of a client', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['0:0:0:0:0:FFFF:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::9', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    [undefined, null],
    ['nonsense', null],
  ])('of %s is %s', (address, network) => {
    expect(of(address)).toBe(network);
  });
});

describe('the forwarded header of a request', () => {
  test('is ignored by a service that trusts no proxy', () => {
    expect(of('192.0.2.7', ['203.0.113.9'])).toBe('192.0.2.7');
    expect(clientNetwork({ remoteAddress: '192.0.2.7', forwardedFor: ['203.0.113.9'] }, null)).toBe(
      '192.0.2.7',
    );
  });

  const PROXIES = '10.0.0.0/8, fd00::/8,192.0.2.1';

  test.each([
    ['a proxy tells the client', '10.1.2.3', ['203.0.113.9'], '203.0.113.9'],
    ['of a mapped address', '::ffff:10.1.2.3', ['::ffff:203.0.113.9'], '203.0.113.9'],
    ['over IPv6', 'fd00::5', ['2001:db8:1:2::9'], '2001:db8:1:2'],
    ['with ports', '10.1.2.3', ['203.0.113.9:4711'], '203.0.113.9'],
    ['in brackets', '10.1.2.3', ['[2001:db8:1:2::9]:4711'], '2001:db8:1:2'],
    ['through several proxies', '10.1.2.3', ['203.0.113.9, 192.0.2.1, 10.4.4.4'], '203.0.113.9'],
    ['in several lines', '10.1.2.3', ['203.0.113.9', '192.0.2.1', '10.4.4.4'], '203.0.113.9'],
    ['when the client names another', '10.1.2.3', ['198.51.100.1, 203.0.113.9'], '203.0.113.9'],
    ['when a line of its own comes first', '10.1.2.3', ['10.9.9.9', '203.0.113.9'], '203.0.113.9'],
    ['when the client is no proxy', '203.0.113.9', ['198.51.100.1'], '203.0.113.9'],
    ['when nothing is told', '10.1.2.3', [], '10.1.2.3'],
    ['when it is nonsense', '10.1.2.3', ['203.0.113.9, unknown'], '10.1.2.3'],
    ['when it is empty', '10.1.2.3', ['203.0.113.9,'], '10.1.2.3'],
    ['when all are proxies', '10.1.2.3', ['10.7.7.7, 10.4.4.4'], '10.7.7.7'],
  ])('%s', (_case, remote, lines, network) => {
    expect(of(remote, [...lines], PROXIES)).toBe(network);
  });

  test('has no effect to the left of the first address that is not a trusted proxy', () => {
    const line = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('10.1.1.1'));
    fc.assert(
      fc.property(fc.array(line), fc.ipV4(), (forged, client) => {
        fc.pre(!client.startsWith('10.') && client !== '192.0.2.1');
        expect(of('10.1.2.3', [...forged, client], PROXIES)).toBe(client);
      }),
    );
  });
});

describe('the setting', () => {
  test('takes addresses and networks of both families', () => {
    const trusted = parseTrustedProxies(' 10.0.0.0/8,fd00::/8 , 192.0.2.1,');
    expect(trusted).toBeInstanceOf(BlockList);
    for (const [address, family, isTrusted] of [
      ['10.255.0.1', 'ipv4', true],
      ['11.0.0.1', 'ipv4', false],
      ['192.0.2.1', 'ipv4', true],
      ['192.0.2.2', 'ipv4', false],
      ['fd12::1', 'ipv6', true],
      ['fe00::1', 'ipv6', false],
    ] as const) {
      expect([address, trusted?.check(address, family)]).toEqual([address, isTrusted]);
    }
  });

  test.each([
    'proxy.example',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0',
    '1.2.3.4 5.6.7.8',
  ])('refuses %j', (text) => {
    expect(parseTrustedProxies(text)).toBeNull();
  });
});
