import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseS3Location } from '../storage/s3/s3-location.js';

/**
 * Parsers of environment values. Each returns the typed value or throws an Error whose message completes "NAME must …".
 */

/** A whole number from `min` to `max`, inclusive. */
export const parseInteger = (min: number, max: number) => (value: string) => {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`);
  }
  return number;
};

export const parseChoice =
  <const C extends string>(...choices: C[]) =>
  (value: string): C => {
    const found = choices.find((choice) => choice === value);
    if (!found) throw new Error(`must be one of ${choices.join(', ')}`);
    return found;
  };

/** Text of `min` to `max` characters. */
export const parseText =
  (min: number, max: number) =>
  (value: string): string | null => {
    if (value.length < min || value.length > max) throw new Error(`must have ${min} to ${max} characters`);
    return value;
  };

export function parseEmail(value: string): string | null {
  if (!/^[^\s@<>",;:]{1,64}@[^\s@<>",;:]{1,255}$/.test(value)) throw new Error('must be one e-mail address');
  return value;
}

/** A secret of at least `min` characters; the error message never contains it. */
export const parseSecret =
  (min: number) =>
  (value: string): string | null => {
    if (value.length < min) throw new Error(`must have at least ${min} characters`);
    return value;
  };

/**
 * One secret, or a comma-separated list with the newest first. If splitting at commas leaves a part that is too short,
 * the whole value is one secret, because secrets set before lists were supported may contain commas.
 */
export const parseSecrets =
  (min: number) =>
  (value: string): readonly string[] => {
    const secrets = value.split(',').map((secret) => secret.trim());
    if (secrets.every((secret) => secret.length >= min)) return [...new Set(secrets)];
    if (value.trim().length >= min) return [value.trim()];
    throw new Error(`must have at least ${min} characters`);
  };

/** A URL with one of the given schemes (including the colon); a trailing slash is removed. */
export const parseUrl =
  (...schemes: string[]) =>
  (value: string): string | null => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (!url || !schemes.includes(url.protocol)) {
      throw new Error(`must be an address beginning with ${schemes.join(' or ')}`);
    }
    return value.replace(/\/+$/, '');
  };

/** A database URL. The host may be a socket folder given in the query; the database name is required. */
export function parseDatabaseUrl(value: string): string | null {
  const url = parseUrl('postgresql:', 'postgres:')(value);
  if (url && new URL(url).pathname.length <= 1) throw new Error('must name a database: postgresql://host/database');
  return url;
}

/** A web origin without path, query or credentials, in the form that browsers send. */
export function parseOrigin(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin) throw new Error('must be an address without a path: https://content.example');
  return url.origin;
}

/** The public origin of the app. Paths are not supported: pages, cookies and links all start at the root. */
export function parseAppUrl(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be an address beginning with http: or https:');
  if (`${url.origin}/` === url.href) return url.origin;
  throw new Error(
    `must be an address without a path, query or user, such as ${url.origin}: Zonary can't be served below a path. Give it a host name of its own, such as https://zones.example.com`,
  );
}

/** URL of a web page, normalised as browsers do. */
export function parseWebAddress(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOfAPage = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (!isOfAPage) throw new Error('must be the whole address of a page: https://example.com/terms');
  return url.href;
}

/** A storage location: a folder (`file:`) or a bucket with an optional prefix (`s3://bucket/prefix`, `gs:`). */
export function parseStorageUrl(value: string): string | null {
  if (value.startsWith('s3:')) {
    parseS3Location(value);
    return value;
  }
  if (!value.startsWith('gs:')) return parseUrl('file:', 's3:', 'gs:')(value);
  const address = value.replace(/\/+$/, '');
  if (!/^gs:\/\/[a-z0-9][a-z0-9._-]{1,220}[a-z0-9](?:\/(?!\.+(?:\/|$))[\w.-]+)*$/.test(address)) {
    throw new Error('must name a bucket, with or without a prefix of letters, digits and dashes: gs://bucket/prefix');
  }
  return address;
}

/** `x-accel:` with an internal location (nginx, Caddy), or `x-sendfile` (Apache). */
export function parseSendfile(value: string): string | null {
  if (value === 'x-sendfile' || /^x-accel:\/(?:[\w-]+\/)+$/.test(value)) return value;
  throw new Error('must be x-sendfile, or x-accel: with a location: x-accel:/protected/');
}

/** A private RSA key: PEM text (line breaks may be written as \\n) or the path of a PEM file. */
export function parsePrivateKey(value: string): KeyObject | null {
  try {
    const pem = value.startsWith('-----BEGIN') ? value.replace(/\\n/g, '\n') : readFileSync(value, 'utf8');
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The error message must not contain the value, whatever is wrong with it.
  }
  throw new Error('must be an RSA private key in PEM form, or the path of a file with one');
}

/** Issuer URL of an OpenID Connect provider. It is not normalised, because it is compared byte by byte. */
export function parseIssuer(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain = url !== null && !url.search && !url.hash && !url.username && !url.password;
  const isLoopback = url !== null && /^(localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback))) {
    throw new Error('must be an address beginning with https: (http: for loopback alone), without query or user');
  }
  return value;
}

/** Free disk space: in bytes, or as a share of the disk. */
export interface DiskReserveSetting {
  readonly bytes: number | null;
  readonly share: number | null;
}

const UNITS: Record<string, number> = { MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** Parses a size in bytes: `100MB`, `2 GB`. */
export function parseSize(value: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(MB|GB|TB)$/i.exec(value) ?? [];
  const bytes = Math.round(Number(number) * (UNITS[unit.toUpperCase()] ?? 0));
  if (!Number.isSafeInteger(bytes) || bytes < UNITS.MB!) throw new Error('must be a size such as 100MB or 2GB');
  return bytes;
}

/** Parses free disk space: `1GB`, `500 MB` or `5%`. */
export function parseDiskReserve(value: string): DiskReserveSetting {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(%|MB|GB|TB)$/i.exec(value) ?? [];
  const amount = Number(number);
  if (unit === '' || (unit === '%' && amount >= 100))
    throw new Error('must be a size such as 1GB or 500MB, or a share such as 5%');
  if (unit === '%') return { bytes: null, share: amount / 100 };
  return { bytes: Math.round(amount * UNITS[unit.toUpperCase()]!), share: null };
}

/** Network names that Express accepts in `trust proxy`. */
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Trusted proxies: a number of hops, or comma-separated addresses and networks (`10.0.0.0/8`, `loopback`). */
export function parseTrustedProxies(value: string): number | readonly string[] | null {
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const proxies = value.split(',').map((proxy) => proxy.trim());
  if (proxies.every((proxy) => NAMED_NETWORKS.has(proxy) || isNetwork(proxy))) return proxies;
  throw new Error('must be a number of proxies from 0 to 99, or their addresses, separated by commas');
}

/** True for an IP address or a network in CIDR notation. */
function isNetwork(value: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const maxPrefix = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return maxPrefix > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= maxPrefix));
}
