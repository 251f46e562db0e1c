import type { KeyObject } from 'node:crypto';
import { parseChoice, parseInteger, parsePrivateKey, parseSecret, parseText, parseUrl } from './parsers.js';
import { optional, variable, type Variable } from './variable.js';

/** Variables of the mail server, and of how emails are sent and signed. */
export const emailVariables = {
  smtpUrl: variable(
    'SMTP_URL',
    parseUrl('smtp:', 'smtps:'),
    optional,
    'Mail server, with user and password if it requires them. (Page)',
    'a mailbox in DATA_DIR; the start prints its address',
  ),
  smtpTls: variable(
    'SMTP_TLS',
    parseChoice('required', 'optional', 'off'),
    null as 'required' | 'optional' | 'off' | null,
    '`required`: TLS only. `optional`: TLS if the mail server offers it. `off`: never TLS.',
    'required, unless the host is local or has no dot',
  ),
  mailFrom: variable(
    'MAIL_FROM',
    parseText(3, 320),
    optional,
    'Sender of the service’s emails. (Page)',
    'APP_NAME <no-reply@localhost>',
  ),
  mailConnections: variable(
    'MAIL_CONNECTIONS',
    parseInteger(1, 200),
    20,
    'Connections to the mail server per worker, for campaigns.',
  ),
  mailRate: variable(
    'MAIL_RATE',
    parseInteger(0, 1_000_000),
    0,
    'Campaign emails per second of all workers together; 0 sets no limit.',
  ),
  dkimDomain: variable(
    'DKIM_DOMAIN',
    parseText(3, 255),
    optional,
    'Domain for which emails are signed; needs the two below.',
    'emails are not signed',
  ),
  dkimSelector: variable('DKIM_SELECTOR', parseText(1, 63), optional, 'Selector of the DKIM key in the DNS.', ''),
  dkimPrivateKey: variable(
    'DKIM_PRIVATE_KEY',
    parsePrivateKey,
    null as KeyObject | null,
    'RSA key for DKIM: as PEM, or the path of a PEM file.',
    '',
  ),
  mailEventsSecret: variable(
    'MAIL_EVENTS_SECRET',
    parseSecret(16),
    optional,
    'Signing secret of bounce and complaint reports at /api/webhooks/mail-events.',
    'the webhook answers 503',
  ),
} satisfies Record<string, Variable<unknown>>;
