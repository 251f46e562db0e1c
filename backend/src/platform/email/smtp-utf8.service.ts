import { Injectable, Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { addMilliseconds, Clock, HOUR, SECOND } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import type { LocalizedText } from '../errors/app-error.js';
import { transportOptions } from './mail-transport.js';

/** How long a server's answer is cached, in milliseconds; servers get updated. */
const CACHE_TIME = HOUR;
/** Limit for each step, in milliseconds; users wait for it during sign-up. */
const SMTP_TIMEOUT = 5 * SECOND;

/** Error message for an address that the mail server doesn't support. */
export const unsupportedAddressMessage: LocalizedText = {
  en: 'Emails from this site can’t reach addresses with letters like “ü” before the @. Please use another address.',
  tr: 'Bu sitenin e-postaları, @ işaretinden önce “ü” gibi harfler bulunan adreslere ulaşamıyor. Lütfen başka bir adres kullanın.',
};

/**
 * Addresses with non-ASCII characters before the @ need a mail server that supports SMTPUTF8 (RFC 6531). They must not
 * be sent to other servers, which may truncate them or deliver to another recipient.
 */
@Injectable()
export class SmtpUtf8Service {
  private readonly logger = new Logger('Mail');
  private cached: { readonly url: string; readonly until: Date; readonly isSupported: Promise<boolean> } | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the recipient before an envelope is sent.
   * @param url of the server; null is the development mailbox, which accepts all addresses
   * @throws a transport error: 553 5.6.7 (RFC 6531, section 4.2) when the server doesn't support the address
   */
  async assertSupported(url: string | null, email: string): Promise<void> {
    if (url === null || !needsUtf8(email) || (await this.isSupported(url))) return;
    throw Object.assign(new Error('The mail server does not support SMTPUTF8.'), {
      code: 'EENVELOPE',
      command: 'RCPT TO',
      responseCode: 553,
      response: '553 5.6.7 The mail server does not support addresses with letters beyond ASCII (SMTPUTF8)',
    });
  }

  /** Whether emails can't reach an address; false also while the server can't be queried. */
  async isUnsupported(email: string): Promise<boolean> {
    const { smtpUrl: url } = this.config;
    if (url === null || !needsUtf8(email)) return false;
    try {
      return !(await this.isSupported(url));
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't ask the mail server whether it supports SMTPUTF8.");
      return false;
    }
  }

  private isSupported(url: string): Promise<boolean> {
    const now = this.clock.now();
    if (this.cached?.url === url && this.cached.until > now) return this.cached.isSupported;
    const isSupported = this.querySupport(url);
    const known = { url, until: addMilliseconds(now, CACHE_TIME), isSupported };
    this.cached = known;
    isSupported.catch(() => {
      // Callers waiting now receive the error; the next one queries again.
      if (this.cached === known) this.cached = null;
    });
    return isSupported;
  }

  /** Reads the server's response to EHLO, after STARTTLS where it is used. */
  private querySupport(url: string): Promise<boolean> {
    const { options } = createTransport(transportOptions(this.config, url)).transporter as unknown as {
      options: SMTPConnection.Options;
    };
    const timeouts = { connectionTimeout: SMTP_TIMEOUT, greetingTimeout: SMTP_TIMEOUT, socketTimeout: SMTP_TIMEOUT };
    const connection = new SMTPConnection({ ...options, ...timeouts });
    return new Promise((resolve, reject) => {
      connection.on('error', reject);
      connection.connect((error) => {
        if (error) {
          reject(error);
          connection.close();
          return;
        }
        resolve(/^250[ -]SMTPUTF8\b/im.test(String(connection.lastServerResponse)));
        connection.quit();
      });
    });
  }
}

/** Whether an address has non-ASCII characters before the @. Domains don't matter, because they have an ASCII form. */
export const needsUtf8 = (email: string): boolean =>
  /[\u0080-\u{10ffff}]/u.test(email.slice(0, email.lastIndexOf('@')));
