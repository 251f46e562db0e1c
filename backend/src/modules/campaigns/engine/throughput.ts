import type { BulkMailer } from '../../../platform/email/bulk/bulk-mailer.js';
import type { SendOutcome } from '../../../platform/email/outcome/send-outcome.js';
import type { DeliveryConfig } from './delivery.policy.js';

/** Maximum number of deliveries that are claimed ahead. */
const MAX_BATCH_SIZE = 1000;

/** Consecutive errors after which the mail server counts as down. */
const SERVER_ERROR_THRESHOLD = 3;

/** Adapts how fast this process sends to what the mail server accepts. */
export class Throughput {
  private sendsPerSecond = 0;
  private measuredAt = -Infinity;
  private sentSince = 0;
  private consecutiveServerErrors = 0;
  private blockedUntil = 0;

  constructor(
    private readonly config: DeliveryConfig,
    private readonly mailer: Pick<BulkMailer, 'connections'>,
  ) {}

  /** True while sending is paused because the mail server is considered down. */
  get isBlocked(): boolean {
    return performance.now() < this.blockedUntil;
  }

  /** Maximum number of open connections; only one while the mail server appears to be down. */
  get maxConnections(): number {
    return this.isServerDown ? 1 : this.mailer.connections;
  }

  /** As many emails as are sent within `claimAhead`; only one while the mail server appears to be down. */
  get batchSize(): number {
    if (this.isServerDown) return 1;
    const sendsAhead = Math.ceil((this.sendsPerSecond * this.config.claimAhead) / 1000);
    return Math.min(MAX_BATCH_SIZE, Math.max(2 * this.mailer.connections, sendsAhead));
  }

  /**
   * Measures how many emails are sent per second. After several consecutive errors of the mail server, blocks sending
   * for a while, longer each time.
   * @returns for how long in milliseconds; null if sending isn't blocked or was before
   */
  recordOutcome({ kind }: SendOutcome): number | null {
    this.measureRate();
    this.consecutiveServerErrors = kind === 'server-error' ? this.consecutiveServerErrors + 1 : 0;
    if (!this.isServerDown || this.isBlocked) return null;
    const { initialServerBackoff, maxServerBackoff } = this.config;
    const wait = Math.min(
      maxServerBackoff,
      initialServerBackoff * 2 ** (this.consecutiveServerErrors - SERVER_ERROR_THRESHOLD),
    );
    this.blockedUntil = performance.now() + wait;
    return wait;
  }

  private measureRate(): void {
    this.sentSince += 1;
    const span = performance.now() - this.measuredAt;
    if (span < 500) return;
    this.sendsPerSecond = span > 5000 ? 0 : (this.sentSince * 1000) / span;
    this.measuredAt = performance.now();
    this.sentSince = 0;
  }

  /** True also while the mail server is tried again with one email at a time. */
  private get isServerDown(): boolean {
    return this.consecutiveServerErrors >= SERVER_ERROR_THRESHOLD;
  }
}
