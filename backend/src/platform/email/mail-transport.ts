import type { TransportType } from '@nestjs-modules/mailer';
import { SECOND } from '../clock/clock.js';
import type { AppConfig } from '../config/app-config.js';
import { queues } from '../jobs/queues.js';
import { createMailboxTransport, type Mailbox } from './mailbox/mailbox.js';

/** Where single mails go: to the server over kept connections, or to the development mailbox. */
export function createSingleTransport(config: AppConfig, mailbox: Mailbox, url: string | null): TransportType {
  if (url === null) return createMailboxTransport(mailbox);
  return {
    ...pooledTransportOptions(config, url),
    maxConnections: queues.mail.concurrency,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** How the mail server is reached, over kept connections. */
export const pooledTransportOptions = (config: AppConfig, url: string) => ({
  ...transportOptions(config, url),
  pool: true as const,
  connectionTimeout: 10 * SECOND,
  greetingTimeout: 10 * SECOND,
  socketTimeout: 30 * SECOND,
});

/** How mails are handed over, however long the connection is kept. */
export const transportOptions = (config: AppConfig, url: string) => ({
  url,
  ...tlsOptions(config.smtpTlsModeOf(url)),
  ...dkimOptions(config),
});

/** How a connection to the mail server is kept from others. A server without TLS where it is asked for is a fault. */
export function tlsOptions(tlsMode: ReturnType<AppConfig['smtpTlsModeOf']>): { requireTLS?: true; ignoreTLS?: true } {
  return tlsMode === 'required' ? { requireTLS: true } : tlsMode === 'off' ? { ignoreTLS: true } : {};
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
