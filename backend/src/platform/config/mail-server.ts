import { unescape } from 'node:querystring';
import { freezeList } from '../constants/freeze-list.js';
import type { DerivedKeys } from '../security/derived-keys.js';
import { isSealedWithNewestKey, seal, unseal } from '../security/secret-box.js';
import type { SettingValues, EffectiveSetting } from './settings.js';

/** Implicit TLS (`smtps:`), or STARTTLS (`smtp:`) as configured by `SMTP_TLS`. */
export const mailSecurities = freezeList(['tls', 'starttls']);

/** A mail server as it is set in the app: the parts of SMTP_URL without the password. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: (typeof mailSecurities)[number];
  /** Null when the server needs no sign-in. */
  readonly user: string | null;
}

/** The mail server set in the app, decrypted. */
export interface StoredMailServer {
  readonly server: MailServer;
  /**
   * In the format of SMTP_URL. If the password can't be decrypted, the URL has none; emails then wait instead of going
   * to another server.
   */
  readonly url: string;
  readonly password: string | null;
  /** A password is stored, but no current secret decrypts it. */
  readonly isPasswordLost: boolean;
}

/** What is known of the mail server, without its password. */
export interface EffectiveMailServer {
  readonly source: EffectiveSetting['source'];
  readonly variable: string;
  readonly server: MailServer | null;
  /** `lost` means that no current secret decrypts it. */
  readonly password: (typeof passwordStates)[number];
}

export const passwordStates = freezeList(['none', 'set', 'lost']);

const PORTS = { tls: 465, starttls: 587 };

/** Formats a mail server as an SMTP URL. */
export function toSmtpUrl({ host, port, security, user }: MailServer, password: string | null = null): string {
  const scheme = security === 'tls' ? 'smtps' : 'smtp';
  const secret = password === null ? '' : `:${encodeURIComponent(password)}`;
  const credentials = user === null ? '' : `${encodeURIComponent(user)}${secret}@`;
  return `${scheme}://${credentials}${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Parses an SMTP URL without its password. */
export function parseSmtpUrl(address: string): MailServer {
  const { protocol, hostname, port, username } = new URL(address);
  const security = protocol === 'smtps:' ? 'tls' : 'starttls';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || PORTS[security],
    security,
    // A variable may contain invalid percent-encoding.
    user: username ? unescape(username) : null,
  };
}

/**
 * Whether both have the same host and user. A stored password is bound to this pair, so it can't be decrypted for
 * another server even if the database row is changed.
 */
export const isSameAccount = (one: MailServer, other: MailServer): boolean => accountKeyOf(one) === accountKeyOf(other);

const accountKeyOf = ({ host, user }: MailServer): string => JSON.stringify(['mail', host.toLowerCase(), user]);
const installationKeyOf = (keys: DerivedKeys) => keys.forPurpose('installation');

export const encryptPassword = (keys: DerivedKeys, server: MailServer, password: string): string =>
  seal(installationKeyOf(keys), password, accountKeyOf(server));

/** Decrypts the stored mail server; null when none is set or this version can't read it. */
export function decryptMailServer(keys: DerivedKeys, { mail, mailPassword }: SettingValues): StoredMailServer | null {
  if (mail === undefined || !URL.canParse(mail)) return null;
  const server = parseSmtpUrl(mail);
  if (mailPassword === undefined) return { server, url: toSmtpUrl(server), password: null, isPasswordLost: false };
  const password = decryptPassword(keys, server, mailPassword);
  return { server, url: toSmtpUrl(server, password), password, isPasswordLost: password === null };
}

function decryptPassword(keys: DerivedKeys, server: MailServer, sealed: string): string | null {
  try {
    return unseal(installationKeyOf(keys), sealed, accountKeyOf(server));
  } catch {
    // Must not prevent the start. The settings page and the doctor ask for the password again.
    return null;
  }
}

/** Returns the effective mail server; the environment variable takes precedence. */
export function toEffectiveMailServer(
  variable: string | null,
  set: StoredMailServer | null,
): Omit<EffectiveMailServer, 'variable'> {
  if (variable !== null) {
    const password = new URL(variable).password ? 'set' : 'none';
    return { source: 'variable', server: parseSmtpUrl(variable), password };
  }
  if (set === null) return { source: 'default', server: null, password: 'none' };
  const password = set.isPasswordLost ? 'lost' : set.password === null ? 'none' : 'set';
  return { source: 'setting', server: set.server, password };
}

/** Re-encrypts the password with the newest secret. Returns null if it already uses it or can't be decrypted. */
export function reencryptPassword(keys: DerivedKeys, set: SettingValues): string | null {
  const opened = decryptMailServer(keys, set);
  if (!opened?.password || isSealedWithNewestKey(installationKeyOf(keys), set.mailPassword!)) return null;
  return encryptPassword(keys, opened.server, opened.password);
}
