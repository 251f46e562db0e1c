import type { KeyObject } from 'node:crypto';
import {
  parseChoice,
  parseDatabaseUrl,
  parseEmail,
  parseInteger,
  parseOrigin,
  parsePrivateKey,
  parseSecret,
  parseStorageUrl,
  parseText,
  parseUrl,
} from './parsers.js';

/** One environment variable: how it is read, what it means, and what holds when it is not set. */
export interface Variable<T> {
  readonly name: string;
  readonly parse: (value: string) => T;
  /** The value when the variable is unset or empty; shown in the documentation as `shown`. */
  readonly fallback: T;
  readonly shown: string;
  readonly about: string;
}

function variable<T>(
  name: string,
  parse: (value: string) => T,
  fallback: T,
  about: string,
  shown = String(fallback ?? ''),
): Variable<T> {
  return { name, parse, fallback, shown, about };
}

const optional = null as string | null;

/** The id of a price at Stripe; without it that plan is not sold in that interval. */
function price(name: string, plan: string): Variable<string | null> {
  return variable(name, parseText(1, 255), optional, `Id of the price at Stripe: ${plan}.`, 'not sold');
}

/** The id of a price at Stripe, by which the log names the plan of the premium service. */
function premiumPrice(name: string, plan: string): Variable<string | null> {
  return variable(
    name,
    parseText(1, 255),
    optional,
    `Id of the premium service’s price at Stripe: ${plan}.`,
    'not named',
  );
}

/**
 * Every variable that the product reads, in the order of the table in docs/operations.md.
 * A test compares that table with this list.
 */
export const variables = {
  port: variable('PORT', parseInteger(0, 65535), 3000, 'Port on which API and page are served; 0 takes a free one.'),
  appUrl: variable(
    'APP_URL',
    parseUrl('http:', 'https:'),
    optional,
    'Public address, used in mails and links. With https, cookies are Secure and HSTS is sent.',
    'http://localhost:PORT',
  ),
  appName: variable('APP_NAME', parseText(1, 60), 'Zonary', 'Name shown in the page and in mails.'),
  appSecret: variable(
    'APP_SECRET',
    parseSecret(32),
    optional,
    'Signs addresses and keys digests (32 characters or more). Several processes must be given the same.',
    'made once, kept in DATA_DIR/app-secret with mode 600',
  ),
  dataDir: variable('DATA_DIR', parseText(1, 1000), './data', 'Folder of the embedded database, files and mailbox.'),
  databaseUrl: variable(
    'DATABASE_URL',
    parseDatabaseUrl,
    optional,
    'PostgreSQL 15 or later.',
    'embedded PostgreSQL in DATA_DIR',
  ),
  redisUrl: variable(
    'REDIS_URL',
    parseUrl('redis:', 'rediss:'),
    optional,
    'Redis, by which processes share jobs and the general rate limit. Nothing is lost with it.',
    'jobs and limits do without',
  ),
  smtpUrl: variable(
    'SMTP_URL',
    parseUrl('smtp:', 'smtps:'),
    optional,
    'Mail server, with user and password if it wants them.',
    'a mailbox in DATA_DIR, shown at /dev/mailbox',
  ),
  mailFrom: variable(
    'MAIL_FROM',
    parseText(3, 320),
    'Zonary <no-reply@localhost>',
    'Sender of the mails of the service.',
  ),
  mailConnections: variable(
    'MAIL_CONNECTIONS',
    parseInteger(1, 200),
    20,
    'Connections to the mail server that one worker keeps for campaigns.',
  ),
  mailRate: variable(
    'MAIL_RATE',
    parseInteger(0, 1_000_000),
    0,
    'Campaign mails a second, of all workers together; 0 sets no limit.',
  ),
  dkimDomain: variable(
    'DKIM_DOMAIN',
    parseText(3, 255),
    optional,
    'Domain for which mails are signed; needs the two below.',
    'mails are not signed',
  ),
  dkimSelector: variable('DKIM_SELECTOR', parseText(1, 63), optional, 'Selector of the key in the DNS.', ''),
  dkimPrivateKey: variable(
    'DKIM_PRIVATE_KEY',
    parsePrivateKey,
    null as KeyObject | null,
    'RSA key that signs: as PEM, or the path of a file that holds it.',
    '',
  ),
  mailEventsSecret: variable(
    'MAIL_EVENTS_SECRET',
    parseSecret(16),
    optional,
    'Key of the signature on reports of bounces and complaints at /api/webhooks/mail-events.',
    'the webhook answers 503',
  ),
  companyName: variable(
    'COMPANY_NAME',
    parseText(1, 200),
    optional,
    'Name of who runs this installation, in the footer.',
  ),
  companyDirector: variable('COMPANY_DIRECTOR', parseText(1, 200), optional, 'Its managing director, in the footer.'),
  companyType: variable('COMPANY_TYPE', parseText(1, 200), optional, 'Its kind of business, in the footer.'),
  companyPhone: variable('COMPANY_PHONE', parseText(3, 50), optional, 'Its telephone number, in the footer.'),
  companyAddress: variable(
    'COMPANY_ADDRESS',
    parseText(3, 500),
    optional,
    'Its postal address, in the footer; stands in campaign mails of owners who have set none.',
    '',
  ),
  storageUrl: variable(
    'STORAGE_URL',
    parseStorageUrl,
    optional,
    'Where file contents are kept: a folder (`file:`) or a bucket of Google Cloud Storage (`gs://bucket/prefix`).',
    'file: DATA_DIR/files',
  ),
  storageApiUrl: variable(
    'STORAGE_API_URL',
    parseUrl('http:', 'https:'),
    optional,
    'Emulator of Google Cloud Storage, called without credentials.',
    'Google, with the credentials of the machine',
  ),
  contentUrl: variable(
    'CONTENT_URL',
    parseOrigin,
    optional,
    'Origin of its own for what people have uploaded: leads to this service too, on a domain without our cookies.',
    'contents come from APP_URL',
  ),
  superAdminEmail: variable(
    'SUPER_ADMIN_EMAIL',
    parseText(3, 255),
    optional,
    'The account with this address becomes super admin once the address is verified.',
    '',
  ),
  contactEmail: variable(
    'CONTACT_EMAIL',
    parseEmail,
    optional,
    'Where people write who want a plan by agreement or have a question about theirs.',
    'no address is shown',
  ),
  stripeSecretKey: variable(
    'STRIPE_SECRET_KEY',
    parseSecret(8),
    optional,
    'Secret key of the Stripe account by which plans are sold.',
    'plans cannot be bought',
  ),
  stripeWebhookSecret: variable(
    'STRIPE_WEBHOOK_SECRET',
    parseSecret(8),
    optional,
    'Signing secret of the Stripe webhook at /api/webhooks/stripe.',
    'the webhook answers 503',
  ),
  stripeApiUrl: variable('STRIPE_API_URL', parseUrl('http:', 'https:'), optional, 'Emulator of Stripe.', 'Stripe'),
  stripePriceStarterMonthly: price('STRIPE_PRICE_STARTER_MONTHLY', 'Starter, by the month'),
  stripePriceStarterYearly: price('STRIPE_PRICE_STARTER_YEARLY', 'Starter, by the year'),
  stripePriceCreatorMonthly: price('STRIPE_PRICE_CREATOR_MONTHLY', 'Creator, by the month'),
  stripePriceCreatorYearly: price('STRIPE_PRICE_CREATOR_YEARLY', 'Creator, by the year'),
  stripePriceProCreatorMonthly: price('STRIPE_PRICE_PRO_CREATOR_MONTHLY', 'Pro Creator, by the month'),
  stripePriceProCreatorYearly: price('STRIPE_PRICE_PRO_CREATOR_YEARLY', 'Pro Creator, by the year'),
  woocommerceWebhookSecret: variable(
    'WOOCOMMERCE_WEBHOOK_SECRET',
    parseSecret(8),
    optional,
    'Secret of the shop’s webhook at /api/webhooks/woocommerce.',
    'the webhook answers 503',
  ),
  acedumyWebhookSecret: variable(
    'ACEDUMY_WEBHOOK_SECRET',
    parseSecret(8),
    optional,
    'Secret of the premium service’s webhook at /api/webhooks/acedumy.',
    'the webhook answers 503',
  ),
  acedumyZoneId: variable(
    'ACEDUMY_ZONE_ID',
    parseInteger(1, Number.MAX_SAFE_INTEGER),
    null as number | null,
    'Zone that the premium service opens.',
    'its deliveries fail until it is set',
  ),
  stripeAcedumyWebhookSecret: variable(
    'STRIPE_ACEDUMY_WEBHOOK_SECRET',
    parseSecret(8),
    optional,
    'Signing secret of the Stripe webhook at /api/webhooks/stripe-acedumy.',
    'the webhook answers 503',
  ),
  stripeAcedumyPriceMonthlyUsd: premiumPrice('STRIPE_ACEDUMY_PRICE_MONTHLY_USD', 'Monthly USD'),
  stripeAcedumyPriceYearlyUsd: premiumPrice('STRIPE_ACEDUMY_PRICE_YEARLY_USD', 'Yearly USD'),
  stripeAcedumyPriceMonthlyTry: premiumPrice('STRIPE_ACEDUMY_PRICE_MONTHLY_TRY', 'Monthly TRY'),
  stripeAcedumyPriceYearlyTry: premiumPrice('STRIPE_ACEDUMY_PRICE_YEARLY_TRY', 'Yearly TRY'),
  landingMinCount: variable(
    'LANDING_MIN_COUNT',
    parseInteger(0, 1_000_000_000),
    100,
    'The landing page shows a count of this installation from this number on.',
  ),
  metricsToken: variable(
    'METRICS_TOKEN',
    parseSecret(16),
    optional,
    'Bearer token by which Prometheus reads /metrics (16 characters or more).',
    '/metrics answers to loopback only',
  ),
  role: variable(
    'ROLE',
    parseChoice('all', 'web', 'worker'),
    'all' as const,
    'What this process does. `all` serves and forks one worker; `worker` alone needs DATABASE_URL.',
  ),
  rateLimit: variable(
    'RATE_LIMIT',
    parseChoice('on', 'off'),
    'on' as const,
    '`off` lifts the rate limits for load tests; refused when APP_URL is https.',
  ),
  trustProxy: variable(
    'TRUST_PROXY',
    parseText(1, 500),
    optional,
    'Which proxies may tell the client’s address: a number of hops, or addresses separated by commas.',
    'none',
  ),
  geoIpDb: variable(
    'GEOIP_DB',
    parseText(1, 1000),
    optional,
    'File in MMDB format that tells the country (and city, if it knows them) of an address, for the figures of links.',
    'the one that comes along (countries only)',
  ),
  logLevel: variable(
    'LOG_LEVEL',
    parseChoice('silent', 'error', 'warn', 'info', 'debug'),
    'info' as const,
    'How much is logged (JSON lines on standard output).',
  ),
} satisfies Record<string, Variable<unknown>>;

export type Variables = { [K in keyof typeof variables]: (typeof variables)[K] extends Variable<infer T> ? T : never };
