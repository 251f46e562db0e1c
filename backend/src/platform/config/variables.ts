import { emailVariables } from './email.variables.js';
import {
  parseAppUrl,
  parseChoice,
  parseDatabaseUrl,
  parseDiskReserve,
  parseEmail,
  parseInteger,
  parseIssuer,
  parseOrigin,
  parseSecret,
  parseSecrets,
  parseSendfile,
  parseSize,
  parseStorageUrl,
  parseText,
  parseTrustedProxies,
  parseUrl,
  parseWebAddress,
} from './parsers.js';
import { billingVariables } from './billing.variables.js';
import { optional, variable, type Variable } from './variable.js';

/** A retention period in days. */
function retentionVariable(name: string, days: number, description: string): Variable<number> {
  return variable(name, parseInteger(0, 36_500), days, `Days for which ${description}. 0 means forever.`);
}

/** The URL of a legal page that is hosted elsewhere. */
function legalUrlVariable(name: string, what: string, fallbackText: string): Variable<string | null> {
  return variable(
    name,
    parseWebAddress,
    optional,
    `Web address of ${what}, linked in footers and where people join. (Page)`,
    fallbackText,
  );
}

/**
 * All environment variables, in the order of the table in docs/operations/configuration.md. A test compares that table
 * with this list.
 */
export const variables = {
  port: variable('PORT', parseInteger(0, 65535), 3000, 'Port of the API and the web app; 0 picks a free one.'),
  appUrl: variable(
    'APP_URL',
    parseAppUrl,
    optional,
    'Public address without a path, used in emails and links. With https, cookies are Secure and HSTS is sent. (Page)',
    'http://localhost:PORT',
  ),
  appName: variable(
    'APP_NAME',
    parseText(1, 60),
    optional,
    'Name shown in the web app and in emails. (Page)',
    'Zonary',
  ),
  appSecret: variable(
    'APP_SECRET',
    parseSecrets(32),
    null as readonly string[] | null,
    'Keys everything that is signed (32 characters or more; NEW,OLD to rotate it). The same for every process.',
    'created once in DATA_DIR/app-secret with mode 600',
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
    'Redis, through which processes share jobs and the general rate limit. Losing it loses no data.',
    'not used',
  ),
  ...emailVariables,
  companyName: variable(
    'COMPANY_NAME',
    parseText(1, 200),
    optional,
    'Name of the company that runs this installation, in the footer. (Page)',
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
    'Its postal address, in the footer and in campaign emails of owners who have set none. (Page)',
    '',
  ),
  termsUrl: legalUrlVariable('TERMS_URL', 'the terms', 'the text set in the web app, or none'),
  privacyUrl: legalUrlVariable(
    'PRIVACY_URL',
    'the additional privacy information',
    'the text set in the web app, or none',
  ),
  imprintUrl: legalUrlVariable('IMPRINT_URL', 'the imprint', 'the text set in the web app, or none'),
  storageUrl: variable(
    'STORAGE_URL',
    parseStorageUrl,
    optional,
    'Where file contents are stored: a folder (`file:`), a bucket of Amazon S3 or a compatible service (`s3://bucket/prefix?region=…&endpoint=…`) or of Google Cloud Storage (`gs://bucket/prefix`).',
    'file: DATA_DIR/files',
  ),
  storageApiUrl: variable(
    'STORAGE_API_URL',
    parseUrl('http:', 'https:'),
    optional,
    'Google Cloud Storage emulator, called without credentials.',
    'Google, with the machine’s credentials',
  ),
  sendfile: variable(
    'SENDFILE',
    parseSendfile,
    optional,
    'Lets the web server in front send files of a storage folder: `x-accel:/protected/` (nginx, Caddy) or `x-sendfile` (Apache).',
    'Zonary sends them',
  ),
  diskReserve: variable(
    'DISK_RESERVE',
    parseDiskReserve,
    { bytes: 2 ** 30, share: 0.05 },
    'Free disk space below which uploads are rejected (507), so that the database keeps working: `1GB`, `500MB` or `5%`.',
    '1 GB or 5 % of the disk, whichever is less',
  ),
  maxFileSize: variable(
    'MAX_FILE_SIZE',
    parseSize,
    null as number | null,
    'Maximum size of one file, if it is to be less than that of the owner’s plan: `100MB`, `2GB`.',
    'that of the plan, at most 50 GB',
  ),
  contentUrl: variable(
    'CONTENT_URL',
    parseOrigin,
    optional,
    'Separate origin for uploaded contents: it leads to this service too, on a domain without our cookies.',
    'contents are served from APP_URL',
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
    'Contact for plans by agreement and questions about plans. (Page)',
    'no address is shown',
  ),
  ...billingVariables,
  oidcIssuer: variable(
    'OIDC_ISSUER',
    parseIssuer,
    optional,
    'Issuer of the OpenID Connect provider for sign-in; needs the three below.',
    'no sign-in through a provider',
  ),
  oidcClientId: variable('OIDC_CLIENT_ID', parseText(1, 500), optional, 'Client id at the provider.', ''),
  oidcClientSecret: variable('OIDC_CLIENT_SECRET', parseSecret(8), optional, 'Client secret at the provider.', ''),
  oidcName: variable(
    'OIDC_NAME',
    parseText(1, 40),
    optional,
    'Name of the provider on the button “Continue with …”.',
    '',
  ),
  staffMfa: variable(
    'STAFF_MFA',
    parseChoice('required', 'optional'),
    'optional',
    '`required`: admins without a second factor can only set one up. `optional`: the administration reminds them.',
  ),
  landingMinCount: variable(
    'LANDING_MIN_COUNT',
    parseInteger(0, 1_000_000_000),
    100,
    'The landing page shows a count only from this number on.',
  ),
  metricsToken: variable(
    'METRICS_TOKEN',
    parseSecret(16),
    optional,
    'Bearer token for /metrics (16 characters or more).',
    '/metrics answers 404',
  ),
  maxConnections: variable(
    'MAX_CONNECTIONS',
    parseInteger(10, 1_000_000),
    4000,
    'Simultaneous connections per process; more are closed immediately, and the log says so.',
  ),
  role: variable(
    'ROLE',
    parseChoice('all', 'web', 'worker'),
    'all' as const,
    'Role of this process. `all` serves and forks one worker; a separate `worker` needs DATABASE_URL.',
  ),
  workerPort: variable(
    'WORKER_PORT',
    parseInteger(1, 65535),
    null as number | null,
    'Port on which a worker answers /healthz and /readyz.',
    'does not listen',
  ),
  workerPatience: variable(
    'WORKER_PATIENCE',
    parseInteger(1, 3600),
    30,
    'Seconds without a heartbeat after which `ROLE=all` restarts its worker.',
  ),
  shutdownDelay: variable(
    'SHUTDOWN_DELAY',
    parseInteger(0, 300),
    0,
    'Seconds for which a stopping process reports not ready and still accepts requests: 5 behind a load balancer.',
  ),
  drainSeconds: variable(
    'DRAIN_SECONDS',
    parseInteger(1, 3600),
    30,
    'Seconds that a stopping process gives running requests.',
  ),
  renderingMemory: variable(
    'DRAWING_MEMORY',
    parseInteger(256, 65_536),
    768,
    'Memory limit in megabytes of the document rendering process; each process of the product can have one.',
  ),
  sofficePath: variable(
    'SOFFICE_PATH',
    parseText(1, 1000),
    optional,
    'Path of LibreOffice, which shows Office documents.',
    'soffice on the PATH, if there is one',
  ),
  rateLimit: variable(
    'RATE_LIMIT',
    parseChoice('on', 'off'),
    'on' as const,
    '`off` disables the rate limits for load tests; rejected if APP_URL is https.',
  ),
  retentionWebhookBodies: retentionVariable(
    'RETENTION_WEBHOOK_BODIES',
    90,
    'bodies of deliveries from shops and payment providers are kept; the delivery stays in the log',
  ),
  retentionIps: retentionVariable(
    'RETENTION_IPS',
    90,
    'IP addresses are kept: of link visits, email opens, the audit log and the security event log',
  ),
  retentionLinkUsages: retentionVariable(
    'RETENTION_LINK_USAGES',
    400,
    'individual uses of links and their guests are kept; the totals of a link stay',
  ),
  retentionCampaignEvents: retentionVariable(
    'RETENTION_CAMPAIGN_EVENTS',
    400,
    'individual opens and clicks are kept; reports stay unchanged',
  ),
  retentionActivity: retentionVariable(
    'RETENTION_ACTIVITY',
    400,
    'the activity in zones is kept; statistics by day stay',
  ),
  retentionReading: retentionVariable(
    'RETENTION_READING',
    90,
    'each reading of a page is kept; totals by page and day, and how far a member has read, stay',
  ),
  trustProxy: variable(
    'TRUST_PROXY',
    parseTrustedProxies,
    null as ReturnType<typeof parseTrustedProxies>,
    'Trusted proxies in front: a number of hops, or comma-separated addresses.',
    'none',
  ),
  geoIpDb: variable(
    'GEOIP_DB',
    parseText(1, 1000),
    optional,
    'MMDB file that maps IP addresses to countries (and cities, if it has them), for link statistics.',
    'the included one (countries only)',
  ),
  logLevel: variable(
    'LOG_LEVEL',
    parseChoice('silent', 'error', 'warn', 'info', 'debug'),
    'info' as const,
    'How much is logged (JSON lines on standard output).',
  ),
} satisfies Record<string, Variable<unknown>>;

export type Variables = { [K in keyof typeof variables]: (typeof variables)[K] extends Variable<infer T> ? T : never };
