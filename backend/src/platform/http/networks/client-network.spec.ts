import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientAddressOf, networkOf, wideNetworkOf } from './client-network.js';

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['unknown', ''],
    ['é', ''],
    ['192.0.2.7:4711', ''],
    ['127', ''],
    [null, ''],
    [undefined, ''],
  ])('returns for %s the network %s', (address, network) => expect(networkOf(address)).toBe(network));
});

describe('wideNetworkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['unknown', ''],
    [null, ''],
  ])('returns for %s the network %s', (address, network) => expect(wideNetworkOf(address)).toBe(network));
});

describe('clientAddressOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['unknown', null],
    ['é', null],
    ['', null],
    [undefined, null],
  ])('returns for %s the address %s', (ip, address) => expect(clientAddressOf({ ip })).toBe(address));

  it('is the only place that reads the client address', () => {
    const source = join(import.meta.dirname, '..', '..', '..');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.includes('.spec.'),
    );
    const unexpectedFiles = files.filter((file) =>
      /\.ip\b|x-forwarded-for|remoteAddress/i.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(unexpectedFiles).toEqual([]);
  });
});
