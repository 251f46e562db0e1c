import { unescape } from 'node:querystring';
import { freezeList } from '../constants/freeze-list.js';
import type { DerivedKeys } from '../security/derived-keys.js';
import { isSealedWithNewestKey, seal, unseal } from '../security/secret-box.js';
import type { SettingValues, EffectiveSetting } from './settings.js';

/** TLS from the first byte (`smtps:`), or over what begins without (`smtp:`) as `SMTP_TLS` says. */
export const mailSecurities = freezeList(['tls', 'starttls']);

/** A mail server as it can be set in the page: what SMTP_URL says, without the password. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly security: (typeof mailSecurities)[number];
  /** Null where nobody signs in. */
  readonly user: string | null;
}

/** What is set in the page of the mail server, opened. */
export interface StoredMailServer {
  readonly server: MailServer;
  /** As SMTP_URL would give it. Without a password that cannot be opened, so that mails wait rather than go elsewhere. */
  readonly url: string;
  readonly password: string | null;
  /** There is a password, and no secret of today opens it. */
  readonly isPasswordLost: boolean;
}

/** What is known of the mail server without its password. */
export interface EffectiveMailServer {
  readonly source: EffectiveSetting['source'];
  readonly variable: string;
  readonly server: MailServer | null;
  /** Lost is one that no secret of today opens. */
  readonly password: (typeof passwordStates)[number];
}

export const passwordStates = freezeList(['none', 'set', 'lost']);

const PORTS = { tls: 465, starttls: 587 };

/** A mail server in one line, as SMTP_URL gives it. */
export function toSmtpUrl({ host, port, security, user }: MailServer, password: string | null = null): string {
  const scheme = security === 'tls' ? 'smtps' : 'smtp';
  const secret = password === null ? '' : `:${encodeURIComponent(password)}`;
  const credentials = user === null ? '' : `${encodeURIComponent(user)}${secret}@`;
  return `${scheme}://${credentials}${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What an address says; a password in it is left out. */
export function parseSmtpUrl(address: string): MailServer {
  const { protocol, hostname, port, username } = new URL(address);
  const security = protocol === 'smtps:' ? 'tls' : 'starttls';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || PORTS[security],
    security,
    // That of a variable may be anything.
    user: username ? unescape(username) : null,
  };
}

/** One host and one user: a password that is kept for others cannot be opened for them, whatever a row says. */
export const isSameAccount = (one: MailServer, other: MailServer): boolean => accountKeyOf(one) === accountKeyOf(other);

const accountKeyOf = ({ host, user }: MailServer): string => JSON.stringify(['mail', host.toLowerCase(), user]);
const installationKeyOf = (keys: DerivedKeys) => keys.forPurpose('installation');

export const encryptPassword = (keys: DerivedKeys, server: MailServer, password: string): string =>
  seal(installationKeyOf(keys), password, accountKeyOf(server));

/** Opens what is set; null where nothing is, or something that this version cannot read. */
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
    // The page and the doctor say that it has to be entered again; a start must not end for it.
    return null;
  }
}

/** What holds of the mail server, of what the variable and the page say. */
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

/** A password under the newest secret, where it was kept under an older one that is still named; null where nothing is to do. */
export function reencryptPassword(keys: DerivedKeys, set: SettingValues): string | null {
  const opened = decryptMailServer(keys, set);
  if (!opened?.password || isSealedWithNewestKey(installationKeyOf(keys), set.mailPassword!)) return null;
  return encryptPassword(keys, opened.server, opened.password);
}
