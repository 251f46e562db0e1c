import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE, SECOND } from '../../../platform/clock/clock.js';

/** How sending is paced, in milliseconds. */
@Injectable()
export class DeliveryTimings {
  /** A worker that has not been seen for this long loses what it holds. */
  readonly lease: number = 20 * SECOND;
  readonly heartbeat: number = 4 * SECOND;
  /** How often an idle worker looks for mails that are due: until then another sends them alone. */
  readonly poll: number = SECOND / 4;
  /** How much work a worker claims ahead: at the end of a campaign another has nothing left to do for that long. */
  readonly ahead: number = SECOND / 4;
  /** How long a stopping worker waits for the mails under way. */
  readonly grace: number = 8 * SECOND;
  /** First and longest wait after a mail server failed altogether. */
  readonly serverWait: number = SECOND;
  readonly longestServerWait: number = 30 * SECOND;
  /** First and longest wait before a mail is tried again; doubled in between. */
  readonly retry: number = MINUTE;
  readonly longestRetry: number = HOUR;
  /** Tries of one mail: with the waits they span about eight hours. */
  readonly attempts: number = 14;

  /** The wait after the try of that number (1 is the first), a quarter more or less by chance. */
  retryWait(attempt: number, chance = Math.random()): number {
    const plain = Math.min(this.longestRetry, this.retry * 2 ** (attempt - 1));
    return Math.round(plain * (0.75 + chance / 2));
  }
}
