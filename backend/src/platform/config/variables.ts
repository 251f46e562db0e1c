import { mailVariables } from './mail.variables.js';
import {
  parseAppUrl,
  parseChoice,
  parseDatabaseUrl,
  parseEmail,
  parseInteger,
  parseIssuer,
  parseOrigin,
  parseProxies,
  parseReserve,
  parseSecret,
  parseSecrets,
  parseStorageUrl,
  parseText,
  parseUrl,
  parseWebAddress,
} from './parsers.js';
import { salesVariables } from './sales.variables.js';
import { optional, variable, type Variable } from './variable.js';

/** For how many days something is kept. */
function retention(name: string, days: number, about: string): Variable<number> {
  return variable(name, parseInteger(0, 36_500), days, `For how many days ${about}. 0 is for ever.`);
}

/** Where something stands that people are shown before they trust us with anything. */
function legal(name: string, what: string, otherwise: string): Variable<string | null> {
  return variable(
    name,
    parseWebAddress,
    optional,
    `Address where ${what} can be read, linked wherever people come in. (Page)`,
    otherwise,
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
    parseAppUrl,
    optional,
    'Public address without a path, used in mails and links. With https, cookies are Secure and HSTS is sent. (Page)',
    'http://localhost:PORT',
  ),
  appName: variable('APP_NAME', parseText(1, 60), optional, 'Name shown in the page and in mails. (Page)', 'Zonary'),
  appSecret: variable(
    'APP_SECRET',
    parseSecrets(32),
    null as readonly string[] | null,
    'Keys all that is signed (32 characters or more; NEW,OLD to change it). Several processes must get the same.',
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
  ...mailVariables,
  companyName: variable(
    'COMPANY_NAME',
    parseText(1, 200),
    optional,
    'Name of who runs this installation, in the footer. (Page)',
  ),
  companyDirector: variable(
    'COMPANY_DIRECTOR',
    parseText(1, 200),
    optional,
    'Its managing director, in the footer. (Page)',
  ),
  companyType: variable('COMPANY_TYPE', parseText(1, 200), optional, 'Its kind of business, in the footer. (Page)'),
  companyPhone: variable('COMPANY_PHONE', parseText(3, 50), optional, 'Its telephone number, in the footer. (Page)'),
  companyAddress: variable(
    'COMPANY_ADDRESS',
    parseText(3, 500),
    optional,
    'Its postal address, in the footer; stands in campaign mails of owners who have set none. (Page)',
    '',
  ),
  termsUrl: legal('TERMS_URL', 'the terms', 'those written in the page, or none'),
  privacyUrl: legal('PRIVACY_URL', 'what else is to be said of privacy', 'what is written in the page, or nothing'),
  imprintUrl: legal('IMPRINT_URL', 'the imprint', 'the one written in the page, or none'),
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
  diskReserve: variable(
    'DISK_RESERVE',
    parseReserve,
    { bytes: 2 ** 30, share: 0.05 },
    'Room on the disk at which files are refused (507), so that the database can go on: `1GB`, `500MB` or `5%`.',
    '1 GB or 5 % of the disk, whichever is less',
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
    'Where people write who want a plan by agreement or have a question about theirs. (Page)',
    'no address is shown',
  ),
  ...salesVariables,
  oidcIssuer: variable(
    'OIDC_ISSUER',
    parseIssuer,
    optional,
    'Issuer of the OpenID Connect provider by which people may sign in; needs the three below.',
    'nobody signs in by a provider',
  ),
  oidcClientId: variable('OIDC_CLIENT_ID', parseText(1, 500), optional, 'Id under which the provider knows us.', ''),
  oidcClientSecret: variable('OIDC_CLIENT_SECRET', parseSecret(8), optional, 'Secret of that client.', ''),
  oidcName: variable(
    'OIDC_NAME',
    parseText(1, 40),
    optional,
    'Name of the provider, as the button “Continue with …” says it.',
    '',
  ),
  staffMfa: variable(
    'STAFF_MFA',
    parseChoice('required', 'optional'),
    'optional',
    '`required`: admins without a second factor reach nothing but its setup. `optional`: the administration reminds them.',
  ),
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
    '/metrics answers 404',
  ),
  maxConnections: variable(
    'MAX_CONNECTIONS',
    parseInteger(10, 1_000_000),
    4000,
    'Connections that one process holds at once; more are closed at once, and the log says so.',
  ),
  role: variable(
    'ROLE',
    parseChoice('all', 'web', 'worker'),
    'all' as const,
    'What this process does. `all` serves and forks one worker; `worker` alone needs DATABASE_URL.',
  ),
  workerPort: variable(
    'WORKER_PORT',
    parseInteger(1, 65535),
    null as number | null,
    'Port on which a worker answers /healthz and /readyz.',
    'it listens nowhere',
  ),
  workerPatience: variable(
    'WORKER_PATIENCE',
    parseInteger(1, 3600),
    30,
    'Seconds without a sign of life after which `ROLE=all` ends its worker and starts another.',
  ),
  shutdownDelay: variable(
    'SHUTDOWN_DELAY',
    parseInteger(0, 300),
    0,
    'Seconds for which a stopping process says that it is not ready and still takes requests: 5 behind a balancer.',
  ),
  drainSeconds: variable(
    'DRAIN_SECONDS',
    parseInteger(1, 3600),
    30,
    'Seconds that a stopping process gives transfers under way.',
  ),
  drawingMemory: variable(
    'DRAWING_MEMORY',
    parseInteger(256, 65_536),
    768,
    'Megabytes that the process may take which draws pages of documents; each process of the product may have one.',
  ),
  sofficePath: variable(
    'SOFFICE_PATH',
    parseText(1, 1000),
    optional,
    'LibreOffice, by which Office documents are shown.',
    'soffice on the PATH, if there is one',
  ),
  rateLimit: variable(
    'RATE_LIMIT',
    parseChoice('on', 'off'),
    'on' as const,
    '`off` lifts the rate limits for load tests; refused when APP_URL is https.',
  ),
  retentionWebhookBodies: retention(
    'RETENTION_WEBHOOK_BODIES',
    90,
    'the bodies of deliveries of shops and payment providers are kept; the delivery stays in the log',
  ),
  retentionIps: retention(
    'RETENTION_IPS',
    90,
    'addresses of machines are kept: of visits by links, openings of mails, the audit log and the security trail',
  ),
  retentionLinkUsages: retention(
    'RETENTION_LINK_USAGES',
    400,
    'single tries by links are kept; the totals of a link stay',
  ),
  retentionCampaignEvents: retention(
    'RETENTION_CAMPAIGN_EVENTS',
    400,
    'single openings and clicks are kept; reports stay as they are',
  ),
  retentionActivity: retention(
    'RETENTION_ACTIVITY',
    400,
    'the record of what happened in zones is kept; figures by day stay',
  ),
  trustProxy: variable(
    'TRUST_PROXY',
    parseProxies,
    null as ReturnType<typeof parseProxies>,
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
