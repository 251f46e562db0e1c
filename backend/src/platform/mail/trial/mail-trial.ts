import { unescape } from 'node:querystring';
import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Clock, SECOND } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { MailHealth } from '../mail-health.service.js';
import { deliveryOptions } from '../mail-transport.js';
import { replyLine, secretForms, stageOf, type MailStage } from './trial-reading.js';

/** How long one try may take, whatever the server says meanwhile, and how long each of its steps; in milliseconds. */
@Injectable()
export class TrialTimings {
  readonly whole: number = 20 * SECOND;
  readonly step: number = 8 * SECOND;
}

export interface Trial {
  /** Where it failed; null when the server took the mail. */
  readonly stage: MailStage | null;
  /** One line of SMTP that the server answered with. */
  readonly said: string | null;
}

interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Tries a mail server with one mail, over a connection of its own. Any address may be tried: mail servers stand at this
 * machine and in private networks, and only who may set the server gets here. No mail and no password goes out before
 * a server has greeted as one of mail, and of what it says one line of SMTP is told.
 */
@Injectable()
export class MailTrial {
  /** The server that accepted the last mail of a trial here; null before. */
  private takenBy: string | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly health: MailHealth,
    private readonly timings: TrialTimings,
  ) {}

  /** @param url as SMTP_URL gives it */
  async run(url: string, letter: Letter): Promise<Trial> {
    const { username, password } = new URL(url);
    const secrets = secretForms(unescape(username), unescape(password));
    const transport = createTransport({ ...deliveryOptions(this.config, url), ...this.patience() });
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), this.timings.whole);
    try {
      const { response } = await transport.sendMail({ ...this.mail(letter), signal: abort.signal });
      this.takenBy = url;
      await this.noteInUse(this.config.smtpUrl);
      return { stage: null, said: replyLine(response, secrets) };
    } catch (error) {
      return { stage: stageOf(error), said: replyLine((error as { response?: unknown }).response, secrets) };
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }

  /**
   * Notes that the server in use accepts mails if the last trial says so.
   * @param url of the server that is used from now on: called again once what was tried is saved
   */
  async noteInUse(url: string | null): Promise<void> {
    if (url !== null && url === this.takenBy) await this.health.note({ kind: 'sent' });
  }

  private patience() {
    const { step } = this.timings;
    return { connectionTimeout: step, greetingTimeout: step, socketTimeout: step, dnsTimeout: step };
  }

  private mail({ to, ...letter }: Letter) {
    return {
      ...letter,
      to: { name: '', address: to },
      from: this.config.mailFrom,
      date: this.clock.now(),
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }
}
