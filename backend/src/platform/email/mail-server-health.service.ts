import { Injectable, Logger } from '@nestjs/common';
import { freezeList } from '../constants/freeze-list.js';
import { Clock, MINUTE } from '../clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { MailStateRepository } from './mail-state.repository.js';
import type { SendOutcome } from './outcome/send-outcome.js';

/**
 * Whether emails reach people: `none` without a mail server, when they stay in the mailbox of this installation;
 * `untested` until the configured server has accepted one.
 */
export const emailDeliveries = freezeList(['none', 'untested', 'working']);
export type EmailDelivery = (typeof emailDeliveries)[number];

/** What the last email showed about the server: it accepts emails, it rejects them, or there is none. */
type ServerResult = 'takes' | 'fails' | 'absent';

/**
 * Stores in the database whether the mail server accepts emails, so that users who wait for an email can be informed.
 * Written when this changes, and at most once a minute.
 */
@Injectable()
export class MailServerHealthService {
  private readonly logger = new Logger('Mail');
  private lastResult: { readonly result: ServerResult; readonly at: number } | null = null;

  constructor(
    private readonly mailState: MailStateRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Records the outcome of an email. Rejection of the email or its recipient shows that the server works;
   * rejection of the sender counts as a failure. The promise never rejects.
   */
  async recordOutcome(outcome: SendOutcome): Promise<void> {
    const fails = outcome.kind === 'server-error' || (outcome.kind === 'rejected' && outcome.isOfSender);
    const result: ServerResult = fails ? 'fails' : outcome.kind === 'on-hold' ? 'absent' : 'takes';
    const now = this.clock.now();
    if (this.lastResult?.result === result && now.getTime() - this.lastResult.at < MINUTE) return;
    this.lastResult = { result, at: now.getTime() };
    try {
      if (fails) await this.mailState.recordFailure(now, outcome.reason);
      else if (result === 'takes') await this.mailState.recordSuccess(now);
      else await this.mailState.clearState();
    } catch (error) {
      // Sending continues, and the next email writes the state again.
      this.lastResult = null;
      this.logger.warn({ err: error }, "Couldn't record the mail server's state");
    }
  }

  /** Whether emails reach people. */
  async deliveryStatus(): Promise<EmailDelivery> {
    if (this.config.smtpUrl === null) return 'none';
    return (await this.mailState.getState()).takenAt === null ? 'untested' : 'working';
  }

  /** Clears the state after the mail server was changed. */
  async reset(): Promise<void> {
    this.lastResult = null;
    await this.mailState.clearState();
  }
}
