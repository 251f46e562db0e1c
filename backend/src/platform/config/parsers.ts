import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Parsers of environment values: each gives the typed value or throws an Error whose message ends "NAME must …". */

/** A whole number from `min` to `max`, both included. */
export const parseInteger = (min: number, max: number) => (value: string) => {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new Error(`must be a whole number from ${min} to ${max}`);
  }
  return number;
};

/** One of the given words. */
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

/** One plain e-mail address. */
export function parseEmail(value: string): string | null {
  if (!/^[^\s@<>",;:]{1,64}@[^\s@<>",;:]{1,255}$/.test(value)) throw new Error('must be one e-mail address');
  return value;
}

/** A secret of at least `min` characters; the message never repeats it. */
export const parseSecret =
  (min: number) =>
  (value: string): string | null => {
    if (value.length < min) throw new Error(`must have at least ${min} characters`);
    return value;
  };

/**
 * One secret, or several with commas between them, the newest first. Commas that leave a part too short to be a secret
 * belong to the one secret that was set before they had a meaning.
 */
export const parseSecrets =
  (min: number) =>
  (value: string): readonly string[] => {
    const secrets = value.split(',').map((secret) => secret.trim());
    if (secrets.every((secret) => secret.length >= min)) return [...new Set(secrets)];
    if (value.trim().length >= min) return [value.trim()];
    throw new Error(`must have at least ${min} characters`);
  };

/** An address with one of the given schemes (with the colon), without a slash at its end. */
export const parseUrl =
  (...schemes: string[]) =>
  (value: string): string | null => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (!url || !schemes.includes(url.protocol)) {
      throw new Error(`must be an address beginning with ${schemes.join(' or ')}`);
    }
    return value.replace(/\/+$/, '');
  };

/** The address of a database. Its server may be named by a folder, in the query; the database may not be left out. */
export function parseDatabaseUrl(value: string): string | null {
  const url = parseUrl('postgresql:', 'postgres:')(value);
  if (url && new URL(url).pathname.length <= 1) throw new Error('must name a database: postgresql://host/database');
  return url;
}

/** A web address without path, query or user, in the form in which browsers name origins. */
export function parseOrigin(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isOrigin) throw new Error('must be an address without a path: https://content.example');
  return url.origin;
}

/** The origin at which people reach this service. A path is refused: pages, cookies and links all start at the root. */
export function parseAppUrl(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be an address beginning with http: or https:');
  if (`${url.origin}/` === url.href) return url.origin;
  throw new Error(
    `must be an address without a path, query or user, such as ${url.origin}: Zonary can't be served below a path. Give it a host name of its own, such as https://zones.example.com`,
  );
}

/** The address of a page somewhere, in the form in which browsers write it. */
export function parseWebAddress(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOfAPage = url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
  if (!isOfAPage) throw new Error('must be the whole address of a page: https://example.com/terms');
  return url.href;
}

/** A place for files: a folder (`file:`) or a bucket with or without a prefix (`gs://bucket/prefix`). */
export function parseStorageUrl(value: string): string | null {
  if (!value.startsWith('gs:')) return parseUrl('file:', 'gs:')(value);
  const address = value.replace(/\/+$/, '');
  if (!/^gs:\/\/[a-z0-9][a-z0-9._-]{1,220}[a-z0-9](?:\/(?!\.+(?:\/|$))[\w.-]+)*$/.test(address)) {
    throw new Error('must name a bucket, with or without a prefix of letters, digits and dashes: gs://bucket/prefix');
  }
  return address;
}

/** A private RSA key: PEM text (line breaks may be written \\n), or the path of a file that holds it. */
export function parsePrivateKey(value: string): KeyObject | null {
  try {
    const pem = value.startsWith('-----BEGIN') ? value.replace(/\\n/g, '\n') : readFileSync(value, 'utf8');
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Whatever is wrong with it, the value itself must not be told.
  }
  throw new Error('must be an RSA private key in PEM form, or the path of a file with one');
}

/** The address of a provider of identities, kept as it is written: it is compared letter by letter. */
export function parseIssuer(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain = url !== null && !url.search && !url.hash && !url.username && !url.password;
  const isLoopback = url !== null && /^(localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (!isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback))) {
    throw new Error('must be an address beginning with https: (http: for loopback alone), without query or user');
  }
  return value;
}

/** Room on a disk: in bytes, or as a share of the whole. */
export interface DiskReserveSetting {
  readonly bytes: number | null;
  readonly share: number | null;
}

const UNITS: Record<string, number> = { MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** Room on a disk: `1GB`, `500 MB`, or `5%` of it. */
export function parseDiskReserve(value: string): DiskReserveSetting {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(%|MB|GB|TB)$/i.exec(value) ?? [];
  const amount = Number(number);
  if (unit === '' || (unit === '%' && amount >= 100))
    throw new Error('must be a size such as 1GB or 500MB, or a share such as 5%');
  if (unit === '%') return { bytes: null, share: amount / 100 };
  return { bytes: Math.round(amount * UNITS[unit.toUpperCase()]!), share: null };
}

/** Networks that have names where addresses of proxies are written. */
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Which proxies are believed: a number of hops, or addresses and networks (`10.0.0.0/8`, `loopback`) with commas between them. */
export function parseTrustedProxies(value: string): number | readonly string[] | null {
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const proxies = value.split(',').map((proxy) => proxy.trim());
  if (proxies.every((proxy) => NAMED_NETWORKS.has(proxy) || isNetwork(proxy))) return proxies;
  throw new Error('must be a number of proxies from 0 to 99, or their addresses, separated by commas');
}

/** An address, with or without the length of its network. */
function isNetwork(value: string): boolean {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return most > 0 && (bits === undefined || (Number(bits) >= 1 && Number(bits) <= most));
}
