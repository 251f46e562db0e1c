import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE, SECOND } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { SendRateRepository } from './send-rate.repository.js';

/** Timing of sending, in milliseconds. */
@Injectable()
export class DeliveryConfig {
  /** A worker without a heartbeat for this long loses its claimed deliveries. */
  readonly leaseDuration: number = 14 * SECOND;
  readonly heartbeatInterval: number = 3 * SECOND;
  /** How often an idle worker polls for due emails; until then another worker sends them alone. */
  readonly pollInterval: number = SECOND / 4;
  /** How far ahead a worker claims work; at the end of a campaign, other workers may be idle for that long. */
  readonly claimAhead: number = SECOND / 4;
  /** How long a stopping worker waits for emails in progress. */
  readonly shutdownGrace: number = 8 * SECOND;
  /** Initial and maximum delay after the mail server is considered down. */
  readonly initialServerBackoff: number = SECOND;
  readonly maxServerBackoff: number = 30 * SECOND;
  /** Initial and maximum delay before an email is retried; doubled each time. */
  readonly initialRetryDelay: number = MINUTE;
  readonly maxRetryDelay: number = HOUR;
  /** Attempts per email; with the delays they span about eight hours. */
  readonly maxAttempts: number = 14;

  /** Returns the delay after the given attempt (starting at 1), with 25 per cent jitter. */
  retryDelay(attempt: number, random = Math.random()): number {
    const plain = Math.min(this.maxRetryDelay, this.initialRetryDelay * 2 ** (attempt - 1));
    return Math.round(plain * (0.75 + random / 2));
  }
}

/** Consecutive errors after which the mail server counts as down. */
const SERVER_ERROR_THRESHOLD = 3;

/**
 * Limits how fast this process sends: by the configured rate, which all workers share, and by what the mail server
 * accepts.
 */
@Injectable()
export class SendRateLimiterService {
  private sendsPerSecond = 0;
  private measuredAt = -Infinity;
  private sentSince = 0;
  private consecutiveServerErrors = 0;
  private blockedUntil = 0;

  constructor(
    private readonly deliveryConfig: DeliveryConfig,
    private readonly config: AppConfig,
    private readonly sendRates: SendRateRepository,
  ) {}

  /** True while sending is paused because the mail server is considered down. */
  get isBlocked(): boolean {
    return performance.now() < this.blockedUntil;
  }

  /** True while the mail server is considered down, also while it is tried again with one email at a time. */
  get isServerDown(): boolean {
    return this.consecutiveServerErrors >= SERVER_ERROR_THRESHOLD;
  }

  /** Returns how many emails are sent within `claimAhead`. */
  get sendsAhead(): number {
    return Math.ceil((this.sendsPerSecond * this.deliveryConfig.claimAhead) / 1000);
  }

  /**
   * Takes up to `wanted` tokens.
   * @returns how many emails may be sent; all of them if no rate is configured
   */
  async reserve(wanted: number): Promise<number> {
    const rate = this.config.mailRate;
    if (rate === null || wanted <= 0) return wanted;
    const taken = await this.sendRates.takeTokens(rate, wanted);
    if (taken !== null) return taken;
    await this.sendRates.insertBucket(rate);
    return this.reserve(wanted);
  }

  /** Returns unused tokens. */
  async refund(amount: number): Promise<void> {
    if (this.config.mailRate === null || amount <= 0) return;
    await this.sendRates.addTokens(amount);
  }

  /** Measures how many emails are sent per second. */
  recordSend(): void {
    this.sentSince += 1;
    const span = performance.now() - this.measuredAt;
    if (span < 500) return;
    this.sendsPerSecond = span > 5000 ? 0 : (this.sentSince * 1000) / span;
    this.measuredAt = performance.now();
    this.sentSince = 0;
  }

  recordServerSuccess(): void {
    this.consecutiveServerErrors = 0;
  }

  /**
   * After several consecutive errors, blocks sending for a while, longer each time.
   * @returns for how long in milliseconds; null if sending isn't blocked or was before
   */
  recordServerError(): number | null {
    this.consecutiveServerErrors += 1;
    if (!this.isServerDown || this.isBlocked) return null;
    const { initialServerBackoff, maxServerBackoff } = this.deliveryConfig;
    const wait = Math.min(
      maxServerBackoff,
      initialServerBackoff * 2 ** (this.consecutiveServerErrors - SERVER_ERROR_THRESHOLD),
    );
    this.blockedUntil = performance.now() + wait;
    return wait;
  }
}
