import { Injectable } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { Clock } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import type { Language } from '../errors/app-error.js';
import { KeptTransport } from './kept-transport.js';
import type { MailDefinition } from './mail-definition.js';
import { MailHealth } from './mail-health.service.js';
import { MailLayout, type RenderedMail } from './mail-layout.js';
import { SmtpUtf8 } from './smtp-utf8.service.js';
import { singleTransport } from './mail-transport.js';
import { Mailbox } from './mailbox/mailbox.js';
import { sendOutcome } from './outcome/send-outcome.js';

/** One address and nothing that a mail server could read as more than one, or as another header. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;

export interface Sending<V> {
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
export class MailService {
  private readonly transports: KeptTransport<string>;
  private made = 0;

  constructor(
    private readonly mailer: MailerService,
    private readonly layout: MailLayout,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly health: MailHealth,
    private readonly utf8: SmtpUtf8,
    mailbox: Mailbox,
  ) {
    this.transports = new KeptTransport(
      (url) => this.mailer.addTransporter(String(++this.made), singleTransport(config, mailbox, url)),
      (name) => this.mailer.removeTransporter(name),
    );
  }

  /**
   * Hands one mail to the mail server, or to the development mailbox.
   * @returns `kept` where no mail server is set: the mail went to nobody
   * @throws Error when the server did not take it, so that the job is tried again
   */
  async send<V extends object>(
    definition: MailDefinition<V>,
    { to, language, values, ...rest }: Sending<V>,
  ): Promise<'sent' | 'kept'> {
    if (!ADDRESS.test(to)) throw new Error(`The mail "${definition.name}" has no single plain address to go to.`);
    const mail = await this.layout.render(definition.contents[language](values), language);
    const options = this.options(rest, to, language, mail);
    // Read once: a server that is set meanwhile takes the next mail.
    const url = this.config.smtpUrl;
    try {
      await this.utf8.assertTakes(url, to);
      await this.transports.use(url, (transporterName) => this.mailer.sendMail({ transporterName, ...options }));
    } catch (error) {
      await this.health.note(sendOutcome(error));
      throw error;
    }
    const kind = url === null ? 'kept' : 'sent';
    await this.health.note({ kind });
    return kind;
  }

  /** What a mail would say. */
  preview<V extends object>(definition: MailDefinition<V>, language: Language, values: V): Promise<RenderedMail> {
    return this.layout.render(definition.contents[language](values), language);
  }

  private options(
    { idempotencyKey, headers }: Pick<Sending<never>, 'idempotencyKey' | 'headers'>,
    to: string,
    language: Language,
    mail: RenderedMail,
  ) {
    return {
      to: { name: '', address: to },
      from: this.config.mailFrom,
      ...mail,
      date: this.clock.now(),
      messageId: this.messageId(idempotencyKey, mail),
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
  private messageId(key: string, { subject, text }: RenderedMail): string {
    const digest = this.config.keys.for('mail-id').digest(JSON.stringify([key, subject, text]));
    const domain = /@([\w.-]+)>?\s*$/.exec(this.config.mailFrom)?.[1] ?? 'localhost';
    return `<${digest.slice(0, 40)}@${domain}>`;
  }
}
