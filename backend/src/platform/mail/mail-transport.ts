import type { MailerOptions } from '@nestjs-modules/mailer';
import { SECOND } from '../clock/clock.js';
import type { AppConfig } from '../config/app-config.js';
import { queues } from '../jobs/queues.js';
import { mailboxTransport, type Mailbox } from './mailbox/mailbox.js';

/** Where the mailer delivers: the configured server over kept connections, or the development mailbox. */
export function mailerOptions(config: AppConfig, mailbox: Mailbox): MailerOptions {
  if (config.smtpUrl === null) return { transport: mailboxTransport(mailbox) };
  return {
    transport: {
      ...serverOptions(config, config.smtpUrl),
      maxConnections: queues.mail.concurrency,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
  };
}

/** How the mail server is reached, over kept connections. */
export const serverOptions = (config: AppConfig, url: string) => ({
  url,
  ...tlsOptions(config),
  pool: true as const,
  connectionTimeout: 10 * SECOND,
  greetingTimeout: 10 * SECOND,
  socketTimeout: 30 * SECOND,
  ...dkimOptions(config),
});

/** How a connection to the mail server is kept from others. A server without TLS where it is asked for is a fault. */
export function tlsOptions({ smtpTls }: AppConfig): { requireTLS?: true; ignoreTLS?: true } {
  return smtpTls === 'required' ? { requireTLS: true } : smtpTls === 'off' ? { ignoreTLS: true } : {};
}

/** What a signature covers, beside the usual headers: those by which one click leaves, which must not be forgeable. */
const SIGNED_HEADERS = [
  'From',
  'Sender',
  'Reply-To',
  'Subject',
  'Date',
  'Message-ID',
  'To',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Id',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
].join(':');

/** The signing options of a transport; nothing when no key is configured. */
function dkimOptions({ dkim }: AppConfig) {
  if (dkim === null) return {};
  const { domain, selector, privateKey } = dkim;
  return {
    dkim: { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS },
  };
}
