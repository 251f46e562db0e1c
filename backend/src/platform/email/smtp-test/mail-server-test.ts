import { unescape } from 'node:querystring';
import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Clock, SECOND } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { MailServerHealthService } from '../mail-server-health.service.js';
import { transportOptions } from '../mail-transport.js';
import { replyLine, secretEncodings, failedStageOf, type MailStage } from './smtp-error-stage.js';

/** How long one try may take, whatever the server says meanwhile, and how long each of its steps; in milliseconds. */
@Injectable()
export class MailServerTestTimings {
  readonly totalTimeout: number = 20 * SECOND;
  readonly stepTimeout: number = 8 * SECOND;
}

export interface MailServerTestResult {
  /** Where it failed; null when the server took the mail. */
  readonly stage: MailStage | null;
  /** One line of SMTP that the server answered with. */
  readonly said: string | null;
}

interface TestEmail {
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
export class MailServerTest {
  /** The server that accepted the last mail of a trial here; null before. */
  private lastAcceptedUrl: string | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly serverHealth: MailServerHealthService,
    private readonly timings: MailServerTestTimings,
  ) {}

  /** @param url as SMTP_URL gives it */
  async run(url: string, email: TestEmail): Promise<MailServerTestResult> {
    const { username, password } = new URL(url);
    const secrets = secretEncodings(unescape(username), unescape(password));
    const transport = createTransport({ ...transportOptions(this.config, url), ...this.timeouts() });
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), this.timings.totalTimeout);
    try {
      const { response } = await transport.sendMail({ ...this.toMessage(email), signal: abort.signal });
      this.lastAcceptedUrl = url;
      await this.recordIfInUse(this.config.smtpUrl);
      return { stage: null, said: replyLine(response, secrets) };
    } catch (error) {
      return { stage: failedStageOf(error), said: replyLine((error as { response?: unknown }).response, secrets) };
    } finally {
      clearTimeout(timer);
      transport.close();
    }
  }

  /**
   * Notes that the server in use accepts mails if the last trial says so.
   * @param url of the server that is used from now on: called again once what was tried is saved
   */
  async recordIfInUse(url: string | null): Promise<void> {
    if (url !== null && url === this.lastAcceptedUrl) await this.serverHealth.recordOutcome({ kind: 'sent' });
  }

  private timeouts() {
    const { stepTimeout } = this.timings;
    return {
      connectionTimeout: stepTimeout,
      greetingTimeout: stepTimeout,
      socketTimeout: stepTimeout,
      dnsTimeout: stepTimeout,
    };
  }

  private toMessage({ to, ...letter }: TestEmail) {
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
