import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isIP } from 'node:net';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Reader, type Response } from 'mmdb-lib';
import { AppConfig } from '../../config/app-config.js';
import { ConfigError } from '../../config/read-variables.js';

/** Location of an address, as far as the database knows. */
export interface GeoLocation {
  /** Two letters (ISO 3166). */
  readonly country: string | null;
  readonly city: string | null;
}

/** Rows of MaxMind databases, and of the bundled database, which are flat. */
interface GeoDatabaseRow {
  readonly country_code?: string;
  readonly country?: { readonly iso_code?: string };
  readonly city?: { readonly names?: { readonly en?: string } } | string;
}

const UNKNOWN_LOCATION: GeoLocation = { country: null, city: null };
const BUNDLED_DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

/** Looks up the country of an address in a local file; no address leaves this machine. */
@Injectable()
export class GeoIpService implements OnModuleInit {
  private reader: Promise<Reader<Response>> | null = null;

  constructor(private readonly config: AppConfig) {}

  /** Opens a custom database at the start, to report an invalid one early; the bundled one is opened when needed. */
  async onModuleInit(): Promise<void> {
    if (this.config.geoIpDb === null) return;
    await this.openDatabase().catch((error: unknown) => {
      throw new ConfigError(`GEOIP_DB must be a readable MMDB file: ${(error as Error).message}`);
    });
  }

  /** Returns the location of an IPv4 or IPv6 address; nulls if it is invalid, private or unknown. */
  async locate(address: string | null): Promise<GeoLocation> {
    if (address === null || isIP(address) === 0) return UNKNOWN_LOCATION;
    const row = (await this.openDatabase()).get(address) as GeoDatabaseRow | null;
    if (!row) return UNKNOWN_LOCATION;
    const country = row.country_code ?? row.country?.iso_code ?? null;
    const city = (typeof row.city === 'string' ? row.city : row.city?.names?.en) || null;
    return { country: country && /^[A-Z]{2}$/.test(country) ? country : null, city: city?.slice(0, 100) ?? null };
  }

  private openDatabase(): Promise<Reader<Response>> {
    this.reader ??= readFile(this.config.geoIpDb ?? fileURLToPath(import.meta.resolve(BUNDLED_DATABASE))).then(
      (bytes) => new Reader(bytes),
    );
    // A failed attempt isn't cached; the next lookup tries again.
    const opening = this.reader;
    opening.catch(() => {
      if (this.reader === opening) this.reader = null;
    });
    return opening;
  }
}
