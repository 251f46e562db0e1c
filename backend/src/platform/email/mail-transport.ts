import type { TransportType } from '@nestjs-modules/mailer';
import { SECOND } from '../clock/clock.js';
import type { AppConfig } from '../config/app-config.js';
import { queues } from '../jobs/queues.js';
import { createMailboxTransport, type Mailbox } from './mailbox/mailbox.js';

/** Creates the transport for single emails: pooled connections to the server, or the development mailbox. */
export function createSingleTransport(config: AppConfig, mailbox: Mailbox, url: string | null): TransportType {
  if (url === null) return createMailboxTransport(mailbox);
  return {
    ...pooledTransportOptions(config, url),
    maxConnections: queues.mail.concurrency,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Options for pooled connections to the mail server. */
export const pooledTransportOptions = (config: AppConfig, url: string) => ({
  ...transportOptions(config, url),
  pool: true as const,
  connectionTimeout: 10 * SECOND,
  greetingTimeout: 10 * SECOND,
  socketTimeout: 30 * SECOND,
});

/** Options for all connections to the mail server. */
export const transportOptions = (config: AppConfig, url: string) => ({
  url,
  ...tlsOptions(config.smtpTlsModeOf(url)),
  ...dkimOptions(config),
});

/** TLS options of a connection. If TLS is required, a server without it causes an error. */
export function tlsOptions(tlsMode: ReturnType<AppConfig['smtpTlsModeOf']>): { requireTLS?: true; ignoreTLS?: true } {
  return tlsMode === 'required' ? { requireTLS: true } : tlsMode === 'off' ? { ignoreTLS: true } : {};
}

/**
 * Headers covered by the signature: the usual ones, and those for one-click unsubscribe, which must not be forgeable.
 */
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

/** DKIM options of a transport; empty when no key is configured. */
function dkimOptions({ dkim }: AppConfig) {
  if (dkim === null) return {};
  const { domain, selector, privateKey } = dkim;
  return {
    dkim: { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS },
  };
}
