import type { TransportType } from '@nestjs-modules/mailer';
import { SECOND } from '../clock/clock.js';
import type { AppConfig } from '../config/app-config.js';
import { queues } from '../jobs/queues.js';
import { mailboxTransport, type Mailbox } from './mailbox/mailbox.js';

/** Where single mails go: to the server over kept connections, or to the development mailbox. */
export function singleTransport(config: AppConfig, mailbox: Mailbox, url: string | null): TransportType {
  if (url === null) return mailboxTransport(mailbox);
  return {
    ...serverOptions(config, url),
    maxConnections: queues.mail.concurrency,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** How the mail server is reached, over kept connections. */
export const serverOptions = (config: AppConfig, url: string) => ({
  ...deliveryOptions(config, url),
  pool: true as const,
  connectionTimeout: 10 * SECOND,
  greetingTimeout: 10 * SECOND,
  socketTimeout: 30 * SECOND,
});

/** How mails are handed over, however long the connection is kept. */
export const deliveryOptions = (config: AppConfig, url: string) => ({
  url,
  ...tlsOptions(config.smtpTlsOf(url)),
  ...dkimOptions(config),
});

/** How a connection to the mail server is kept from others. A server without TLS where it is asked for is a fault. */
export function tlsOptions(asked: ReturnType<AppConfig['smtpTlsOf']>): { requireTLS?: true; ignoreTLS?: true } {
  return asked === 'required' ? { requireTLS: true } : asked === 'off' ? { ignoreTLS: true } : {};
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
