import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { SECOND } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import type { BulkMail } from './bulk-mail.js';
import { composeMail } from './compose-mail.js';
import { dkimOptions } from './dkim.js';
import { MailBuffers } from './mail-buffers.js';
import { Mailbox } from './mailbox.js';
import { mailboxTransport } from './mailbox.transport.js';
import { sendOutcome, type SendOutcome } from './send-outcome.js';

/** How long the mail server may take for one mail, whatever it says meanwhile. */
const PATIENCE = 60 * SECOND;
/** Mails over one connection before a new one is opened. */
const MAILS_A_CONNECTION = 1000;

/**
 * Hands many mails to the mail server over kept connections, apart from those of single mails, which must not wait
 * behind a campaign. Connections open with the first mail.
 */
@Injectable()
export class BulkMailer implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private transport: Transporter | undefined;
  private readonly buffers: MailBuffers;

  constructor(
    private readonly config: AppConfig,
    private readonly mailbox: Mailbox,
  ) {
    this.buffers = new MailBuffers(config.mailConnections);
  }

  /** Mails that can be under way at once. */
  get connections(): number {
    return this.config.mailConnections;
  }

  /** The address from which all mails come; owners choose the name before it. */
  get fromAddress(): string {
    return /<([^<>]+)>\s*$/.exec(this.config.mailFrom)?.[1] ?? this.config.mailFrom.trim();
  }

  /** Hands over one mail and tells what came of it. Never rejects. */
  async send(mail: BulkMail): Promise<SendOutcome> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    try {
      const options = { disableFileAccess: true, disableUrlAccess: true, signal: abort.signal };
      if (this.config.smtpUrl === null) await this.open().sendMail({ ...this.parts(mail), ...options });
      else await this.sendWhole(mail, options);
      return { kind: 'sent' };
    } catch (error) {
      const outcome = sendOutcome(error);
      if (outcome.kind === 'server-fault') this.logger.debug({ code: outcome.code }, 'The mail server failed.');
      return outcome;
    } finally {
      clearTimeout(timer);
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }

  private async sendWhole(mail: BulkMail, options: object): Promise<void> {
    const raw = this.buffers.take(composeMail(mail, this.fromAddress));
    await this.open().sendMail({ envelope: { from: this.fromAddress, to: [mail.to] }, raw, ...options });
    // Only when the server has taken it all: after a fault the connection may still hold it.
    this.buffers.giveBack(raw);
  }

  /** The development mailbox shows the parts. */
  private parts({ to, fromName, replyTo, ...mail }: BulkMail) {
    return {
      ...mail,
      to: { name: '', address: to },
      from: { name: fromName, address: this.fromAddress },
      replyTo: { name: '', address: replyTo },
    };
  }

  private open(): Transporter {
    this.transport ??= this.create();
    return this.transport;
  }

  private create(): Transporter {
    if (this.config.smtpUrl === null) return createTransport(mailboxTransport(this.mailbox)) as Transporter;
    return createTransport({
      url: this.config.smtpUrl,
      pool: true,
      maxConnections: this.connections,
      maxMessages: MAILS_A_CONNECTION,
      maxRequeues: 1,
      connectionTimeout: 10 * SECOND,
      greetingTimeout: 10 * SECOND,
      socketTimeout: 30 * SECOND,
      ...dkimOptions(this.config),
    } as object) as Transporter;
  }
}
