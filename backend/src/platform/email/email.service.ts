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

/** One address and nothing that a mail server could read as more than one, or as another header. */
const SINGLE_ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;

export interface EmailDelivery<V> {
  /** One plain address. */
  readonly to: string;
  readonly language: Language;
  readonly values: V;
  /** The same for each try of the same mail; of a job, its id. */
  readonly idempotencyKey: string;
  /** Of a mail that its reader may leave by one click of the mail program (RFC 8058). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the mails of the service. Only handlers of jobs call it: a request must not wait for a mail server. */
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
   * Hands one mail to the mail server, or to the development mailbox.
   * @returns `kept` where no mail server is set: the mail went to nobody
   * @throws Error when the server did not take it, so that the job is tried again
   */
  async send<V extends object>(
    definition: EmailDefinition<V>,
    { to, language, values, ...rest }: EmailDelivery<V>,
  ): Promise<'sent' | 'kept'> {
    if (!SINGLE_ADDRESS.test(to))
      throw new Error(`The mail "${definition.name}" has no single plain address to go to.`);
    const mail = await this.layout.render(definition.contents[language](values), language);
    const options = this.messageOptions(rest, to, language, mail);
    // Read once: a server that is set meanwhile takes the next mail.
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
    const kind = url === null ? 'kept' : 'sent';
    await this.serverHealth.recordOutcome({ kind });
    return kind;
  }

  /** What a mail would say. */
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
   * The same mail tried twice carries the same id, and mailboxes show it once. A try that says something else (a
   * fresh code) gets another id, for a mailbox that already has the first must show the second.
   */
  private createMessageId(key: string, { subject, text }: RenderedEmail): string {
    const digest = this.config.keys.forPurpose('mail-id').digest(JSON.stringify([key, subject, text]));
    const domain = /@([\w.-]+)>?\s*$/.exec(this.config.mailFrom)?.[1] ?? 'localhost';
    return `<${digest.slice(0, 40)}@${domain}>`;
  }
}
