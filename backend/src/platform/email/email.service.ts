import { Injectable } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { Clock } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import type { Language } from '../errors/app-error.js';
import { CachedTransport } from './cached-transport.js';
import type { EmailDefinition } from './email-definition.js';
import { MailServerHealthService } from './mail-server-health.service.js';
import { EmailLayout, type RenderedEmail } from './email-layout.js';
import { SmtpUtf8Service } from './smtp-utf8.service.js';
import { createSingleTransport } from './mail-transport.js';
import { Mailbox } from './mailbox/mailbox.js';
import { toSendOutcome } from './outcome/send-outcome.js';

/** A single address without anything that a mail server could interpret as several addresses or another header. */
const SINGLE_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;

export interface EmailDelivery<V> {
  /** A single plain address. */
  readonly to: string;
  readonly language: Language;
  readonly values: V;
  /** Stays the same for all attempts to send the same email; for a job, its id. */
  readonly idempotencyKey: string;
  /** For emails with one-click unsubscribe (RFC 8058). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends service emails. Only job handlers call it, because a request must not wait for a mail server. */
@Injectable()
export class EmailService {
  private readonly transports: CachedTransport<string>;
  private transportCount = 0;

  constructor(
    private readonly mailer: MailerService,
    private readonly layout: EmailLayout,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly serverHealth: MailServerHealthService,
    private readonly smtpUtf8: SmtpUtf8Service,
    mailbox: Mailbox,
  ) {
    this.transports = new CachedTransport(
      (url) => this.mailer.addTransporter(String(++this.transportCount), createSingleTransport(config, mailbox, url)),
      (name) => this.mailer.removeTransporter(name),
    );
  }

  /**
   * Sends an email to the mail server, or to the development mailbox.
   * @returns `on-hold` when no mail server is configured, so that nobody received the email
   * @throws Error when the server didn't accept it, so that the job is retried
   */
  async send<V extends object>(
    definition: EmailDefinition<V>,
    { to, language, values, ...rest }: EmailDelivery<V>,
  ): Promise<'sent' | 'on-hold'> {
    if (!SINGLE_ADDRESS.test(to))
      throw new Error(`The mail "${definition.name}" has no single plain address to go to.`);
    const mail = await this.layout.render(definition.contents[language](values), language);
    const options = this.messageOptions(rest, to, language, mail);
    // Read once; a server configured in the meantime is used for the next email.
    const url = this.config.smtpUrl;
    try {
      await this.smtpUtf8.assertSupported(url, to);
      await this.transports.withTransport(url, (transporterName) =>
        this.mailer.sendMail({ transporterName, ...options }),
      );
    } catch (error) {
      await this.serverHealth.recordOutcome(toSendOutcome(error));
      throw error;
    }
    const kind = url === null ? 'on-hold' : 'sent';
    await this.serverHealth.recordOutcome({ kind });
    return kind;
  }

  /** Renders an email without sending it. */
  preview<V extends object>(definition: EmailDefinition<V>, language: Language, values: V): Promise<RenderedEmail> {
    return this.layout.render(definition.contents[language](values), language);
  }

  private messageOptions(
    { idempotencyKey, headers }: Pick<EmailDelivery<never>, 'idempotencyKey' | 'headers'>,
    to: string,
    language: Language,
    mail: RenderedEmail,
  ) {
    return {
      to: { name: '', address: to },
      from: this.config.mailFrom,
      ...mail,
      date: this.clock.now(),
      messageId: this.createMessageId(idempotencyKey, mail),
      headers: {
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        'Content-Language': language,
        ...headers,
      },
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }

  /**
   * Retries of the same email have the same id, so that mailboxes show it only once. If the content differs (a fresh
   * code), the id differs too, because a mailbox that already has the first email must show the second.
   */
  private createMessageId(key: string, { subject, text }: RenderedEmail): string {
    const digest = this.config.keys.forPurpose('mail-id').digest(JSON.stringify([key, subject, text]));
    const domain = /@([\w.-]+)>?\s*$/.exec(this.config.mailFrom)?.[1] ?? 'localhost';
    return `<${digest.slice(0, 40)}@${domain}>`;
  }
}
