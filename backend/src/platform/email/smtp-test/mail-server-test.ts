import { unescape } from 'node:querystring';
import { Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { Clock, SECOND } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { MailServerHealthService } from '../mail-server-health.service.js';
import { transportOptions } from '../mail-transport.js';
import { replyLine, secretEncodings, failedStageOf, type MailStage } from './smtp-error-stage.js';

/** Time limits of a test as a whole and of each step, in milliseconds. */
@Injectable()
export class MailServerTestTimings {
  readonly totalTimeout: number = 20 * SECOND;
  readonly stepTimeout: number = 8 * SECOND;
}

export interface MailServerTestResult {
  /** The step that failed; null when the server accepted the email. */
  readonly stage: MailStage | null;
  /** The first line of the server's SMTP response. */
  readonly said: string | null;
}

interface TestEmail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Tests a mail server by sending an email over a separate connection. Any address is allowed, because mail servers also
 * run on this machine or in private networks, and only those who may configure the server have access. Nothing is sent,
 * and no password, before the server has greeted as an SMTP server. Only one SMTP line of its response is shown.
 */
@Injectable()
export class MailServerTest {
  /** URL of the server that accepted the last test email of this process; null before. */
  private lastAcceptedUrl: string | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly serverHealth: MailServerHealthService,
    private readonly timings: MailServerTestTimings,
  ) {}

  /** @param url in the format of SMTP_URL */
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
   * Records that the configured server accepts emails if the last test of that server succeeded.
   * @param url the server used from now on; called again after a tested server is saved
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

  private toMessage({ to, ...content }: TestEmail) {
    return {
      ...content,
      to: { name: '', address: to },
      from: this.config.mailFrom,
      date: this.clock.now(),
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    };
  }
}
