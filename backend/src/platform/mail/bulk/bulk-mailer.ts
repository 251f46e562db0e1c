import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { SECOND } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { composeMail, type BulkMail } from './compose-mail.js';
import { KeptTransport } from '../kept-transport.js';
import { serverOptions } from '../mail-transport.js';
import { MailHealth } from '../mail-health.service.js';
import { Mailbox, mailboxTransport } from '../mailbox/mailbox.js';
import { SmtpUtf8 } from '../smtp-utf8.service.js';
import { sendOutcome, type SendOutcome } from '../outcome/send-outcome.js';

/** Buffers grow by this much, so that mails of one campaign, of nearly the same size, fit into the same ones. */
const STEP = 16 * 1024;

/**
 * Memory in which mails are handed over, used again and again. A new buffer for each mail lives outside V8's heap until
 * the next full collection, which comes late: a worker would keep tens of megabytes of mails that have long gone out.
 */
export class MailBuffers {
  private readonly free: Buffer[] = [];

  /** @param most buffers kept for later */
  constructor(private readonly most: number) {}

  /** The bytes of a text, in memory that is the caller's until it is given back (or forgotten, which is no fault). */
  acquire(text: string): Buffer {
    const size = Buffer.byteLength(text);
    const known = this.free.pop();
    const whole = known && known.length >= size ? known : Buffer.allocUnsafeSlow(Math.ceil(size / STEP) * STEP);
    whole.write(text);
    return whole.subarray(0, size);
  }

  /** Takes back what `acquire` gave. Nobody may read it any more. */
  release(bytes: Buffer): void {
    if (this.free.length < this.most) this.free.push(Buffer.from(bytes.buffer));
  }
}

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
  private readonly transports = new KeptTransport<Transporter>(
    (url) => this.create(url),
    (transport) => transport.close(),
  );
  private readonly buffers: MailBuffers;

  constructor(
    private readonly config: AppConfig,
    private readonly mailbox: Mailbox,
    private readonly health: MailHealth,
    private readonly utf8: SmtpUtf8,
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
    const outcome = await this.handOver(mail);
    await this.health.note(outcome);
    return outcome;
  }

  private async handOver(mail: BulkMail): Promise<SendOutcome> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    try {
      const options = { disableFileAccess: true, disableUrlAccess: true, signal: abort.signal };
      // Asked for each mail: a campaign goes on over another server as soon as one is set.
      const url = this.config.smtpUrl;
      await this.utf8.assertTakes(url, mail.to);
      await this.transports.use(url, async (transport) => {
        if (url === null) await transport.sendMail({ ...this.parts(mail), ...options });
        else await this.sendWhole(transport, mail, options);
      });
      return { kind: url === null ? 'kept' : 'sent' };
    } catch (error) {
      const outcome = sendOutcome(error);
      if (outcome.kind === 'server-fault') this.logger.debug({ code: outcome.code }, 'The mail server failed.');
      return outcome;
    } finally {
      clearTimeout(timer);
    }
  }

  onApplicationShutdown(): void {
    this.transports.end();
  }

  private async sendWhole(transport: Transporter, mail: BulkMail, options: object): Promise<void> {
    const raw = this.buffers.acquire(composeMail(mail, this.fromAddress));
    await transport.sendMail({ envelope: { from: this.fromAddress, to: [mail.to] }, raw, ...options });
    // Only when the server has taken it all: after a fault the connection may still hold it.
    this.buffers.release(raw);
  }

  /** The development mailbox shows the parts. */
  private parts({ to, fromName, replyTo, ...mail }: BulkMail) {
    return {
      ...mail,
      to: { name: '', address: to },
      from: { name: fromName, address: this.fromAddress },
      ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    };
  }

  private create(url: string | null): Transporter {
    if (url === null) return createTransport(mailboxTransport(this.mailbox)) as Transporter;
    return createTransport({
      ...serverOptions(this.config, url),
      maxConnections: this.connections,
      maxMessages: MAILS_A_CONNECTION,
      maxRequeues: 1,
    } as object) as Transporter;
  }
}
