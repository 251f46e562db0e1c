import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppConfig } from '../../config/app-config.js';
import { GeoIpService } from './geo-ip.service.js';

const shipped = createRequire(import.meta.url).resolve(
  '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
);

describe('GeoIpService', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zonary-geo-ip-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const geoIpOf = (geoIpDb: string) => new GeoIpService({ geoIpDb } as AppConfig);

  it('reads the database again after a failure and then keeps it', async () => {
    const file = join(folder, 'countries.mmdb');
    const geoIp = geoIpOf(file);
    await expect(geoIp.locate('8.8.8.8')).rejects.toThrow('ENOENT');
    await writeFile(file, 'no database');
    await expect(geoIp.locate('8.8.8.8')).rejects.toThrow();
    await copyFile(shipped, file);
    expect(await geoIp.locate('8.8.8.8')).toEqual({ country: 'US', city: null });
    await rm(file);
    expect(await geoIp.locate('8.8.8.8')).toEqual({ country: 'US', city: null });
  });

  it('fails concurrent lookups together and retries for later ones', async () => {
    const geoIp = geoIpOf(join(folder, 'none.mmdb'));
    const results = await Promise.allSettled([geoIp.locate('8.8.8.8'), geoIp.locate('1.1.1.1')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await copyFile(shipped, join(folder, 'none.mmdb'));
    expect((await geoIp.locate('8.8.8.8')).country).toBe('US');
  });
});
