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

/**
 * Buffer sizes are rounded up to this many bytes, so that the similar emails of a campaign fit into the same buffers.
 */
const BUFFER_STEP = 16 * 1024;

/**
 * Reuses buffers for outgoing emails. A new buffer per email is allocated outside V8's heap and only freed by the next
 * full garbage collection, which runs rarely: a worker would hold tens of megabytes of emails already sent.
 */
export class EmailBufferPool {
  private readonly free: Buffer[] = [];

  /** @param maxFree buffers kept for reuse */
  constructor(private readonly maxFree: number) {}

  /**
   * Returns the bytes of a text in a buffer that belongs to the caller until released. Not releasing it is harmless.
   */
  acquire(text: string): Buffer {
    const size = Buffer.byteLength(text);
    const known = this.free.pop();
    const buffer =
      known && known.length >= size ? known : Buffer.allocUnsafeSlow(Math.ceil(size / BUFFER_STEP) * BUFFER_STEP);
    buffer.write(text);
    return buffer.subarray(0, size);
  }

  /** Returns a buffer from `acquire`; it must not be read afterwards. */
  release(bytes: Buffer): void {
    if (this.free.length < this.maxFree) this.free.push(Buffer.from(bytes.buffer));
  }
}

/** Time limit for one email, in milliseconds, even if the mail server keeps responding. */
const SEND_TIMEOUT = 60 * SECOND;
/** Emails sent over a connection before it is replaced. */
const EMAILS_PER_CONNECTION = 1000;

/**
 * Sends many emails over pooled connections. These are separate from those for single emails, which must not wait
 * behind a campaign. Connections are opened with the first email.
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

  /** Number of emails that can be sent at the same time. */
  get connections(): number {
    return this.config.mailConnections;
  }

  /** The sender address of all emails; zone owners only choose the display name. */
  get fromAddress(): string {
    return /<([^<>]+)>\s*$/.exec(this.config.mailFrom)?.[1] ?? this.config.mailFrom.trim();
  }

  /** Sends an email and returns the outcome. Never rejects. */
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
      // Read for each email, so that a running campaign switches to a new mail server at once.
      const url = this.config.smtpUrl;
      await this.smtpUtf8.assertSupported(url, mail.to);
      await this.transports.withTransport(url, async (transport) => {
        if (url === null) await transport.sendMail({ ...this.toMessageParts(mail), ...options });
        else await this.sendRaw(transport, mail, options);
      });
      return { kind: url === null ? 'on-hold' : 'sent' };
    } catch (error) {
      const outcome = toSendOutcome(error);
      if (outcome.kind === 'server-error') this.logger.debug({ code: outcome.code }, 'The mail server failed.');
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
    // Only on success: after an error the connection may still hold the buffer.
    this.buffers.release(raw);
  }

  /** The development mailbox stores the parts separately. */
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
