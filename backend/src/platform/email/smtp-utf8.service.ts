import { Injectable, Logger } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { addMilliseconds, Clock, HOUR, SECOND } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import type { Sentence } from '../errors/app-error.js';
import { transportOptions } from './mail-transport.js';

/** How long an answer of a server counts, in milliseconds: servers are updated. */
const CACHE_TIME = HOUR;
/** How long a server may take for each step, in milliseconds: somebody who signs up waits for it. */
const SMTP_TIMEOUT = 5 * SECOND;

/** What is said where somebody enters an address that the mail server does not take. */
export const unsupportedAddressMessage: Sentence = {
  en: 'Emails from this site can’t reach addresses with letters like “ü” before the @. Please use another address.',
  tr: 'Bu sitenin e-postaları, @ işaretinden önce “ü” gibi harfler bulunan adreslere ulaşamıyor. Lütfen başka bir adres kullanın.',
};

/**
 * Addresses with letters beyond ASCII before the @ need a mail server that supports SMTPUTF8 (RFC 6531). To another one
 * they must not be sent at all: it may cut them off or take them for somebody else's.
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
   * Called before an envelope is sent.
   * @param url of the server; null is the mailbox of development, which takes all
   * @throws an error of a transport: 553 5.6.7 (RFC 6531, 4.2) when the server does not support the address
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

  /** Whether emails cannot reach an address; false also while the server cannot be asked. */
  async isUnsupported(email: string): Promise<boolean> {
    const { smtpUrl: url } = this.config;
    if (url === null || !needsUtf8(email)) return false;
    try {
      return !(await this.isSupported(url));
    } catch (error) {
      this.logger.warn({ err: error }, 'The mail server could not be asked whether it supports SMTPUTF8.');
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
      // Whoever waits meets the fault; the next one asks again.
      if (this.cached === known) this.cached = null;
    });
    return isSupported;
  }

  /** Reads what the server says to EHLO, after STARTTLS where that is used. */
  private querySupport(url: string): Promise<boolean> {
    const { options } = createTransport(transportOptions(this.config, url)).transporter as unknown as {
      options: SMTPConnection.Options;
    };
    const patience = { connectionTimeout: SMTP_TIMEOUT, greetingTimeout: SMTP_TIMEOUT, socketTimeout: SMTP_TIMEOUT };
    const connection = new SMTPConnection({ ...options, ...patience });
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

/** Whether an address has letters beyond ASCII before its @; a domain has an ASCII form. */
export const needsUtf8 = (email: string): boolean =>
  /[\u0080-\u{10ffff}]/u.test(email.slice(0, email.lastIndexOf('@')));
