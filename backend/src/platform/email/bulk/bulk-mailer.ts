import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { SECOND } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { composeEmail, type BulkEmail } from './compose-email.js';
import { CachedTransport } from '../cached-transport.js';
import { pooledTransportOptions } from '../mail-transport.js';
import { MailServerHealthService } from '../mail-server-health.service.js';
import { Mailbox, createMailboxTransport } from '../mailbox/mailbox.js';
import { SmtpUtf8Service } from '../smtp-utf8.service.js';
import { toSendOutcome, type SendOutcome } from '../outcome/send-outcome.js';

/** Buffers grow by this much, so that mails of one campaign, of nearly the same size, fit into the same ones. */
const BUFFER_STEP = 16 * 1024;

/**
 * Memory in which mails are handed over, used again and again. A new buffer for each mail lives outside V8's heap until
 * the next full collection, which comes late: a worker would keep tens of megabytes of mails that have long gone out.
 */
export class EmailBufferPool {
  private readonly free: Buffer[] = [];

  /** @param most buffers kept for later */
  constructor(private readonly maxFree: number) {}

  /** The bytes of a text, in memory that is the caller's until it is given back (or forgotten, which is no fault). */
  acquire(text: string): Buffer {
    const size = Buffer.byteLength(text);
    const known = this.free.pop();
    const buffer =
      known && known.length >= size ? known : Buffer.allocUnsafeSlow(Math.ceil(size / BUFFER_STEP) * BUFFER_STEP);
    buffer.write(text);
    return buffer.subarray(0, size);
  }

  /** Takes back what `acquire` gave. Nobody may read it any more. */
  release(bytes: Buffer): void {
    if (this.free.length < this.maxFree) this.free.push(Buffer.from(bytes.buffer));
  }
}

/** How long the mail server may take for one mail, whatever it says meanwhile. */
const SEND_TIMEOUT = 60 * SECOND;
/** Mails over one connection before a new one is opened. */
const EMAILS_PER_CONNECTION = 1000;

/**
 * Hands many mails to the mail server over kept connections, apart from those of single mails, which must not wait
 * behind a campaign. Connections open with the first mail.
 */
@Injectable()
export class BulkMailer implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly transports = new CachedTransport<Transporter>(
    (url) => this.createTransport(url),
    (transport) => transport.close(),
  );
  private readonly buffers: EmailBufferPool;

  constructor(
    private readonly config: AppConfig,
    private readonly mailbox: Mailbox,
    private readonly serverHealth: MailServerHealthService,
    private readonly smtpUtf8: SmtpUtf8Service,
  ) {
    this.buffers = new EmailBufferPool(config.mailConnections);
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
  async send(mail: BulkEmail): Promise<SendOutcome> {
    const outcome = await this.deliver(mail);
    await this.serverHealth.recordOutcome(outcome);
    return outcome;
  }

  private async deliver(mail: BulkEmail): Promise<SendOutcome> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), SEND_TIMEOUT);
    try {
      const options = { disableFileAccess: true, disableUrlAccess: true, signal: abort.signal };
      // Asked for each mail: a campaign goes on over another server as soon as one is set.
      const url = this.config.smtpUrl;
      await this.smtpUtf8.assertSupported(url, mail.to);
      await this.transports.withTransport(url, async (transport) => {
        if (url === null) await transport.sendMail({ ...this.toMessageParts(mail), ...options });
        else await this.sendRaw(transport, mail, options);
      });
      return { kind: url === null ? 'kept' : 'sent' };
    } catch (error) {
      const outcome = toSendOutcome(error);
      if (outcome.kind === 'server-fault') this.logger.debug({ code: outcome.code }, 'The mail server failed.');
      return outcome;
    } finally {
      clearTimeout(timer);
    }
  }

  onApplicationShutdown(): void {
    this.transports.closeCurrent();
  }

  private async sendRaw(transport: Transporter, mail: BulkEmail, options: object): Promise<void> {
    const raw = this.buffers.acquire(composeEmail(mail, this.fromAddress));
    await transport.sendMail({ envelope: { from: this.fromAddress, to: [mail.to] }, raw, ...options });
    // Only when the server has taken it all: after a fault the connection may still hold it.
    this.buffers.release(raw);
  }

  /** The development mailbox shows the parts. */
  private toMessageParts({ to, fromName, replyTo, ...mail }: BulkEmail) {
    return {
      ...mail,
      to: { name: '', address: to },
      from: { name: fromName, address: this.fromAddress },
      ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    };
  }

  private createTransport(url: string | null): Transporter {
    if (url === null) return createTransport(createMailboxTransport(this.mailbox)) as Transporter;
    return createTransport({
      ...pooledTransportOptions(this.config, url),
      maxConnections: this.connections,
      maxMessages: EMAILS_PER_CONNECTION,
      maxRequeues: 1,
    } as object) as Transporter;
  }
}
