import type { MailerOptions } from '@nestjs-modules/mailer';
import { SECOND } from '../clock/clock.js';
import type { AppConfig } from '../config/app-config.js';
import { queues } from '../jobs/queues.js';
import { dkimOptions } from './dkim.js';
import type { Mailbox } from './mailbox.js';
import { mailboxTransport } from './mailbox.transport.js';

/** Where the mailer delivers: the configured server over kept connections, or the development mailbox. */
export function mailerOptions(config: AppConfig, mailbox: Mailbox): MailerOptions {
  if (config.smtpUrl === null) return { transport: mailboxTransport(mailbox) };
  return {
    transport: {
      url: config.smtpUrl,
      pool: true,
      maxConnections: queues.mail.concurrency,
      connectionTimeout: 10 * SECOND,
      greetingTimeout: 10 * SECOND,
      socketTimeout: 30 * SECOND,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...dkimOptions(config),
    },
  };
}
